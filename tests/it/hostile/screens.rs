//! The corpus on every screen, driven by the keys of the action table, into the cells that a terminal would get.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::Path;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use recount::app::action::{ACTIONS, Action};
use recount::app::keys::{Code, Key};
use recount::app::layout::Size;
use recount::app::model::{Context, Setup};
use recount::app::msg::Msg;
use recount::cli::call::Call;
use recount::cli::input::gather;
use recount::cli::table::named;
use recount::load::Ask;
use recount::report::out::Out;
use recount::runtime::document::Paper;
use recount::runtime::loaded::CaseLoader;
use recount::runtime::script::Player;
use recount::ui::Frame;
use recount::ui::theme::Theme;

use super::commands::{acting, place};
use super::corpus;

/// What reads a case for a screen; documents are written beside it.
pub fn loader(case: &Path, out: &Path) -> CaseLoader {
    let args: Vec<OsString> = vec![case.into()];
    let call = Call::new(named("open").unwrap(), &args, Out::to(Box::new(std::io::sink())))
        .map_err(|why| why.text)
        .unwrap();
    let input = gather(&call).map_err(|why| why.text).unwrap();
    CaseLoader {
        asked: recount::config::hazards::asked(&input.config).unwrap(),
        spec: input.spec,
        demo: Box::new(|| Err("no demo here".to_owned())),
        ask: Ask::default(),
        paper: Paper {
            title: input.config.file.case.title.clone().unwrap_or_default(),
            folder: out.to_owned(),
            ..Paper::default()
        },
        again: None,
        standing: |_| (),
        settler: None,
        read: std::sync::atomic::AtomicBool::new(false),
    }
}

/// A visit that looks at every frame.
pub struct Walk<'a> {
    pub player: Player<'a>,
    /// What is wrong, by a judge of the frame's text.
    pub wrong: Vec<String>,
    /// Where it has been.
    pub contexts: BTreeSet<String>,
    /// Every picture of an escape that was seen.
    pub seen: String,
    judge: &'a dyn Fn(&str) -> Option<String>,
}

impl<'a> Walk<'a> {
    pub fn new(loader: &'a CaseLoader, size: Size, judge: &'a dyn Fn(&str) -> Option<String>) -> Self {
        let setup = Setup {
            operator: "dana".into(),
            name: "planted".into(),
            in_case: true,
            has_sources: true,
            demo: true,
            ..Setup::default()
        };
        let mut player = Player::new(setup, size, loader);
        player.begin();
        Self { player, wrong: Vec::new(), contexts: BTreeSet::new(), seen: String::new(), judge }
    }

    pub fn key(&mut self, key: Key) {
        let frame = self.player.feed(Msg::Key(key));
        self.look(&frame, &key.shown());
    }

    pub fn feed(&mut self, msg: Msg, what: &str) {
        let frame = self.player.feed(msg);
        self.look(&frame, what);
    }

    pub fn keys(&mut self, keys: &str) {
        for key in keys.split_whitespace() {
            self.key(Key::parse(key).unwrap());
        }
    }

    /// An action by its name in the palette.
    pub fn named(&mut self, name: &str) {
        self.keys(":");
        for letter in name.chars() {
            self.key(Key::char(letter));
        }
        self.keys("enter");
    }

    fn look(&mut self, frame: &Frame, after: &str) {
        let text = frame.canvas.to_text();
        let context = format!("{:?}", self.player.model.context());
        if let Some(what) = (self.judge)(&text) {
            self.wrong.push(format!("{context}, after {after}: {what}"));
        }
        self.contexts.insert(context);
        if self.seen.len() < 32 << 20 {
            self.seen.push_str(&text);
        }
        // What a terminal would get, cell by cell.
        let area = Rect::new(0, 0, frame.canvas.width(), frame.canvas.height());
        let mut buffer = Buffer::empty(area);
        frame.canvas.paint(Theme::terminal(), area, &mut buffer);
        for cell in buffer.content() {
            if let Some(what) = acting(cell.symbol().as_bytes()) {
                self.wrong.push(format!("{after}, a cell: {what}"));
            }
        }
    }

    /// Back to the list.
    pub fn home(&mut self) {
        for _ in 0..4 {
            self.key(Key::of(Code::Esc));
        }
        self.keys("1 g");
    }

    /// Every row of the list, opened.
    pub fn every_row(&mut self) {
        self.home();
        let rows = self.player.model.case().map_or(0, |case| case.rows());
        for at in 0..rows {
            self.keys("enter");
            if self.player.model.context() == Context::Members {
                self.keys("enter v esc esc");
            }
            if at % 8 == 0 {
                self.keys("v pgdn esc tab down ?");
                self.keys("esc");
            }
            self.keys("esc j");
            assert_eq!(self.player.model.context(), Context::List, "behind row {at}");
        }
    }

    /// Every action that the table has for the place, in an order of a seed, with `between` now and then.
    pub fn wander(&mut self, steps: usize, seed: u64, between: &[Msg]) {
        let mut chance = seed;
        let mut next = |below: usize| {
            // The generator of Lehmer in 64 bits, high half: enough to choose keys.
            chance = chance.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            usize::try_from(chance >> 33).unwrap() % below
        };
        for step in 0..steps {
            let context = self.player.model.context();
            let fitting: Vec<Key> = ACTIONS
                .iter()
                .filter(|entry| {
                    entry.contexts.contains(&context)
                        && !matches!(entry.action, Action::Quit | Action::Suspend)
                })
                .flat_map(|entry| entry.keys.iter().copied())
                .collect();
            if !between.is_empty() && step % 7 == 6 {
                let msg = match &between[next(between.len())] {
                    Msg::Paste(text) => Msg::Paste(text.clone()),
                    Msg::Resized(size) => Msg::Resized(*size),
                    _ => continue,
                };
                self.feed(msg, "a message");
            } else if !fitting.is_empty() {
                self.key(fitting[next(fitting.len())]);
            }
        }
    }
}

/// Every context of the action table but those that a planted case never has. Forms and
/// the log need a book: the script of the program itself goes to them.
fn reachable() -> BTreeSet<String> {
    let elsewhere = [
        Context::FirstRun,
        Context::Loading,
        Context::Failed,
        Context::Clean,
        Context::TooSmall,
        Context::Empty,
        Context::Audit,
        Context::Form,
        Context::Field,
    ];
    let all = ACTIONS.iter().flat_map(|entry| entry.contexts).filter(|context| !elsewhere.contains(context));
    all.map(|context| format!("{context:?}")).collect()
}

#[test]
fn nothing_of_the_corpus_acts_on_a_terminal_on_any_screen() {
    let all = corpus::texts();
    let texts: Vec<String> = all.chunks(5).map(<[String]>::concat).collect();
    let place = place(&texts, true);
    let loader = loader(&place.case, &place.out);
    let judge = |text: &str| acting(text.as_bytes());
    let mut walk = Walk::new(&loader, Size { width: 140, height: 30 }, &judge);
    walk.every_row();
    walk.home();
    // What is fine is not listed unless it is asked for.
    walk.keys("/ f i n e enter");
    for _ in 0..120 {
        walk.keys("enter v esc esc j");
    }
    walk.home();
    walk.keys("4 down enter");
    walk.home();
    walk.named("choose the columns");
    walk.keys("down right");
    walk.home();
    walk.named("messages");
    walk.home();
    walk.named("group by what happened");
    walk.keys("down enter enter esc esc");
    walk.named("ungroup, rows one by one");
    let size = |width, height| Msg::Resized(Size { width, height });
    let pastes = all.iter().step_by(37).map(|text| Msg::Paste(text.clone()));
    let between: Vec<Msg> = [size(80, 24), size(120, 36), size(60, 20)].into_iter().chain(pastes).collect();
    walk.wander(700, 1, &between);
    assert!(
        walk.wrong.is_empty(),
        "{} wrong, the first: {}",
        walk.wrong.len(),
        walk.wrong[..walk.wrong.len().min(9)].join("\n")
    );
    let missed: Vec<String> = reachable().difference(&walk.contexts).cloned().collect();
    assert!(missed.is_empty(), "not visited: {missed:?}");
    for picture in [
        "\\x1b[2J",
        "\\x07",
        "\\u{9b}",
        "\\u{202d}",
        "\\u{200b}",
        "\\u{e0041}",
        "\\u{a0}",
        "\\u{ad}",
        "\\x7f",
        "\\r",
    ] {
        assert!(walk.seen.contains(picture), "{picture} was never drawn");
    }
}

#[test]
fn nothing_of_the_corpus_acts_on_a_terminal_in_a_form() {
    let texts: Vec<String> = corpus::texts().chunks(5).map(<[String]>::concat).collect();
    let place = place(&texts, true);
    let frames = place.out.join("frames");
    let keys = "r tab tab down space tab pgdn esc x tab tab esc l down esc . down esc i esc 4 down pgdn 1 j r pgdn tab esc";
    let keys = [keys; 6].join(" j j j ");
    let args: Vec<OsString> = [
        "open".into(),
        place.case.clone().into(),
        "--operator".into(),
        "dana".into(),
        "--size".into(),
        "120x36".into(),
        "--script".into(),
        keys.into(),
        "--dump".into(),
        frames.clone().into(),
    ]
    .into();
    super::runs::run(&args, &place.out);
    let mut files: Vec<_> = std::fs::read_dir(&frames).unwrap().map(|file| file.unwrap().path()).collect();
    files.sort();
    let texts: Vec<String> = files.iter().map(|file| std::fs::read_to_string(file).unwrap()).collect();
    assert!(texts.iter().any(|text| text.contains("Writes")), "a form was filled in");
    let wrong: Vec<_> = texts.iter().filter_map(|text| acting(text.as_bytes())).collect();
    assert!(wrong.is_empty(), "{wrong:?}");
}
