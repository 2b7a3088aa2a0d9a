//! The real binary in a pseudo terminal: one visit of a person, and what is left behind.
//!
//! Signals, panics and resizing are tried in `src/runtime/tests.rs`, against the loop alone.

use std::io::{Read as _, Write as _};
use std::num::NonZeroU16;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use portable_pty::{CommandBuilder, PtySize, native_pty_system};

const WIDTH: u16 = 120;
const HEIGHT: u16 = 36;
const PATIENCE: Duration = Duration::from_secs(20);

fn cells(count: u16) -> NonZeroU16 {
    NonZeroU16::new(count).unwrap()
}

/// The screen as the terminal shows it.
#[derive(Clone)]
pub struct Seen(Arc<Mutex<vt100::Parser>>);

impl Seen {
    fn new() -> Self {
        Self(Arc::new(Mutex::new(vt100::Parser::new(cells(HEIGHT), cells(WIDTH), 0))))
    }

    pub fn text(&self) -> String {
        self.0.lock().unwrap().screen().contents()
    }

    fn until(&self, what: &str, holds: impl Fn(&vt100::Screen) -> bool) {
        let start = Instant::now();
        while !holds(self.0.lock().unwrap().screen()) {
            assert!(start.elapsed() < PATIENCE, "{what}\n{}", self.text());
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    pub fn shows(&self, text: &str) {
        self.until(text, |screen| screen.contents().contains(text));
    }

    pub fn hides(&self, text: &str) {
        self.until(text, |screen| !screen.contents().contains(text));
    }
}

/// A visit in a pseudo terminal.
pub struct Visit {
    master: Box<dyn portable_pty::MasterPty + Send>,
    pub child: Box<dyn portable_pty::Child + Send + Sync>,
    writer: Box<dyn std::io::Write + Send>,
    pub seen: Seen,
    /// Modes of the terminal before the program began.
    before: String,
}

fn modes(master: &dyn portable_pty::MasterPty) -> String {
    format!("{:?}", master.get_termios())
}

impl Visit {
    /// Runs the program in a folder.
    fn begin(words: &[&str], place: &Path) -> Self {
        Self::begin_with(words, place, &[])
    }

    /// The same with variables.
    pub fn begin_with(words: &[&str], place: &Path, variables: &[(&str, &str)]) -> Self {
        let size = PtySize { rows: HEIGHT, cols: WIDTH, pixel_width: 0, pixel_height: 0 };
        let pair = native_pty_system().openpty(size).unwrap();
        let before = modes(&*pair.master);
        let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_recount"));
        command.args(words);
        command.cwd(place);
        command.env("TERM", "xterm-256color");
        command.env("LC_ALL", "C.UTF-8");
        command.env("TZ", "UTC");
        // A folder of its own: what one visit remembers is not there for the next, and nothing is left in the case.
        command.env("XDG_STATE_HOME", tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap().keep());
        for name in ["NO_COLOR", "CLICOLOR_FORCE", "RECOUNT_OPERATOR"] {
            command.env_remove(name);
        }
        for (name, value) in variables {
            command.env(name, value);
        }
        let child = pair.slave.spawn_command(command).unwrap();
        drop(pair.slave);
        let mut reader = pair.master.try_clone_reader().unwrap();
        let writer = pair.master.take_writer().unwrap();
        let seen = Seen::new();
        let shown = seen.clone();
        std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(count @ 1..) = reader.read(&mut bytes) {
                shown.0.lock().unwrap().process(&bytes[..count]);
            }
        });
        Self { master: pair.master, child, writer, seen, before }
    }

    pub fn press(&mut self, keys: &str) {
        self.writer.write_all(keys.as_bytes()).unwrap();
        self.writer.flush().unwrap();
    }

    /// Waits for its end; gives the exit code.
    pub fn end(&mut self) -> u32 {
        let start = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status.exit_code();
            }
            assert!(start.elapsed() < PATIENCE, "does not end\n{}", self.seen.text());
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}

#[test]
fn a_visit_of_the_list_a_search_a_detail_and_out() {
    let mut visit =
        Visit::begin(&["open", "sample-data/double-refund"], Path::new(env!("CARGO_MANIFEST_DIR")));
    let seen = visit.seen.clone();
    seen.shows("VIOLATION FOUND");
    seen.shows("happened twice");
    seen.until("the alternate screen", vt100::Screen::alternate_screen);
    assert_ne!(modes(&*visit.master), visit.before, "keys come one by one, without an echo");

    visit.press("/zzz");
    seen.hides("happened twice");
    visit.press("\x1b");
    seen.shows("happened twice");
    visit.press("/1234");
    seen.shows("1234");
    seen.shows("happened twice");
    visit.press("\r");
    visit.press("\r");
    seen.shows("2 attempts by the script");
    seen.shows("Two refunds were committed where one was intended: USD 400.00");
    // A lone esc is told from the begin of a sequence by what follows.
    visit.press("\x1b");
    seen.hides("2 attempts by the script");
    seen.shows("happened twice");
    visit.press("q");

    assert_eq!(visit.end(), 0, "{}", seen.text());
    seen.until("the ordinary screen", |screen| {
        !screen.alternate_screen()
            && !screen.hide_cursor()
            && !screen.bracketed_paste()
            && screen.mouse_protocol_mode() == vt100::MouseProtocolMode::None
    });
    assert_eq!(modes(&*visit.master), visit.before, "modes of the terminal");
    assert_eq!(seen.text().trim(), "", "nothing is left behind");
}

#[test]
fn a_reviewer_walks_from_the_list_to_the_report_in_at_most_eight_keys() {
    let place = tempfile::tempdir().unwrap();
    let case = Path::new(env!("CARGO_MANIFEST_DIR")).join("sample-data/refunds-2026-11-30");
    let mut visit = Visit::begin(&["open", case.to_str().unwrap(), "--read-only"], place.path());
    let seen = visit.seen.clone();
    seen.shows("VIOLATION FOUND");
    seen.shows("2 Hazards 7 ");
    let keys = std::cell::Cell::new(0);
    let mut press = |key: &str, shows: &[&str]| {
        keys.set(keys.get() + 1);
        visit.press(key);
        for text in shows {
            seen.shows(text);
        }
    };
    // Which operation, in what order, which way of working let it happen, back to its operation, and the document.
    press("t", &["refund of order 1234 › timeline", "nobody looked"]);
    press("2", &["Ways of working that lead to double effects", "tried again without looking"]);
    press("\r", &["2 attempts by the agent"]);
    press("e", &["the report is in recount-report.html"]);
    assert!(keys.get() <= 8);
    let page = std::fs::read_to_string(place.path().join("recount-report.html")).unwrap();
    assert!(page.starts_with("<!DOCTYPE html>") && page.ends_with("</html>\n"));
    assert!(page.contains("int_9876") && page.contains("H03") && !page.contains("int_5002"), "one operation");
    // Again, of all: beside the first one, never over it.
    press("2", &["Ways of working"]);
    press("e", &["the report is in recount-report-2.html"]);
    assert_eq!(keys.get(), 6);
    let all = std::fs::read_to_string(place.path().join("recount-report-2.html")).unwrap();
    assert!(all.contains("int_9876") && all.contains("int_5002"));
    assert_eq!(std::fs::read_to_string(place.path().join("recount-report.html")).unwrap(), page);
    press("q", &[]);
    assert_eq!(visit.end(), 0, "{}", seen.text());
}

/// Into a pipe, the canonical form is the bytes that are hashed; on a terminal nothing in it acts.
#[test]
fn the_canonical_form_of_hostile_text_does_not_act_on_a_terminal() {
    let place = tempfile::tempdir().unwrap();
    std::fs::write(place.path().join("p.json"), "{\"a\": \"x\u{9b}2J\u{202e}y\"}").unwrap();
    for words in [&["canon", "p.json"][..], &["key", "--field", "a=x\u{9b}2J\u{202e}y"]] {
        let mut visit = Visit::begin(words, place.path());
        assert_eq!(visit.end(), 0);
        visit.seen.shows("x\\u{9b}2J\\u{202e}y");
    }
}
/// A visit that presses keys which the footer shows, and waits for what they lead to.
fn walk(visit: &mut Visit, steps: &[(&str, &str, &[&str])]) {
    let seen = visit.seen.clone();
    for (shown, key, texts) in steps {
        if !shown.is_empty() {
            seen.until(&format!("the footer shows {shown}"), |screen| {
                screen.contents().lines().last().is_some_and(|last| last.contains(shown))
            });
        }
        visit.press(key);
        for text in *texts {
            seen.shows(text);
        }
    }
}

#[test]
fn the_flows_that_only_read_are_walked_with_the_keys_of_the_footer() {
    let place = tempfile::tempdir().unwrap();
    let case = Path::new(env!("CARGO_MANIFEST_DIR")).join("sample-data/refunds-2026-11-30");
    let mut visit = Visit::begin(&["open", case.to_str().unwrap(), "--read-only"], place.path());
    let seen = visit.seen.clone();
    seen.shows("VIOLATION FOUND");
    seen.shows("2 Hazards 7 ");
    walk(
        &mut visit,
        &[
            // At night: is it one cause or many, what is it, who holds the receipt, what became of it.
            ("", ":", &["actions"]),
            ("", "group by what", &["1 of "]),
            ("", "\r", &["grouped by words", "who repeated it"]),
            ("enter open the group", "\r", &["happened twice   refund_order, 1 row"]),
            ("enter evidence", "\r", &["2 attempts by the agent", "nobody was told of it"]),
            ("esc back", "\x1b", &["happened twice   refund_order, 1 row"]),
            ("", "\x1b", &["grouped by words"]),
            ("", "\x1b", &[" of 11 "]),
            // Everything of the order, and from an event of it to the evidence.
            ("", "j", &["refund of order 6001"]),
            ("", "p", &["everything of order 6001", "the new one replaces the old"]),
            ("enter evidence", "\r", &["refund of order 6001"]),
            ("esc back", "\x1b", &["the new one replaces the old"]),
            ("esc back", "\x1b", &[" of 11 "]),
            // Not known yet: from when on, and reading again keeps the selection.
            ("", "jjjjjj", &["refund of order 4814  int_4814"]),
            ("", "R", &["read again: 51 rows"]),
            ("", "T", &["the local zone is UTC"]),
            // What the ledger can prove, and the largest money first.
            ("", "5", &["What was read, and what each source can prove"]),
            ("enter all of it", "\r", &["proves", "control"]),
            ("esc back", "\x1b", &["What was read"]),
            ("", "1", &[" of 11 "]),
            ("", "sss", &["by at risk, largest first"]),
            ("", "S", &["by at risk, smallest first"]),
            ("", ":reset\r", &[" of 11 "]),
            ("", "/twice\r", &["\"twice\""]),
            ("", "\x1b", &["41 fine not shown"]),
            ("", ":messages\r", &["read again: 51 rows"]),
            ("esc back", "\x1b", &[" of 11 "]),
        ],
    );
    visit.press("q");
    assert_eq!(visit.end(), 0, "{}", seen.text());
}

#[test]
fn the_selection_is_seen_where_no_colour_is_wanted() {
    // crossterm answers NO_COLOR with an empty sequence for each colour, which takes reverse video away with it: a row
    // that is reversed and coloured would lose its selection.
    let place = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut visit = Visit::begin_with(&["open", "sample-data/double-refund"], place, &[("NO_COLOR", "1")]);
    let seen = visit.seen.clone();
    seen.shows("happened twice");
    seen.until("the words of the selected row are reversed, and no cell has a colour", |screen| {
        let cells = || (0..HEIGHT).flat_map(|row| (0..WIDTH).map(move |column| (row, column)));
        let cell = |(row, column)| screen.cell(row, column);
        let reversed: String =
            cells().filter_map(cell).filter(|cell| cell.inverse()).map(vt100::Cell::contents).collect();
        let plain = |cell: &vt100::Cell| {
            cell.fgcolor() == vt100::Color::Default && cell.bgcolor() == vt100::Color::Default
        };
        reversed == "happened twice" && cells().filter_map(cell).all(plain)
    });
    visit.press("q");
    assert_eq!(visit.end(), 0);
}
