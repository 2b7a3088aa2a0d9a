//! The test door (`6-screens.md` 7.1.18): the same machine and the same drawing, without a terminal.
//!
//! Commands are done at once and one after the other, so a script gives the same frames on every run.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::Mutex;

use super::loader::{Loader, Watch};
use crate::app::case::Copied;
use crate::app::keys::Key;
use crate::app::layout::Size;
use crate::app::model::{Model, Setup};
use crate::app::msg::{Cmd, Msg};
use crate::app::progress::Loading;
use crate::app::update::{start, update};
use crate::ui::role::ROLES;
use crate::ui::{Frame, draw};

/// Why a script could not be run.
#[derive(Debug, thiserror::Error)]
pub enum ScriptError {
    /// A word of the script is no key.
    #[error(
        "`{0}` in the script is no key; keys are separated by blanks and named as in docs/keymap.md, text is written text:WORD, a new size resize:80x24"
    )]
    NotAKey(String),
    /// The size cannot be read.
    #[error("`{0}` is no size; a size is columns x rows, as 120x36")]
    NotASize(String),
    /// A frame could not be written.
    #[error("{path} could not be written: {error}; name another folder with --dump")]
    NotWritten {
        /// Where.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
}

/// One step of a script.
enum Step {
    Key(Key),
    Text(String),
    Paste(String),
    Resize(Size),
}

/// Reads `120x36`.
///
/// # Errors
/// Where it is not two whole numbers.
pub fn size(text: &str) -> Result<Size, ScriptError> {
    let numbers = text.split_once(['x', 'X']).and_then(|(width, height)| {
        Some(Size { width: width.trim().parse().ok()?, height: height.trim().parse().ok()? })
    });
    numbers.ok_or_else(|| ScriptError::NotASize(text.to_owned()))
}

fn steps(script: &str) -> Result<Vec<Step>, ScriptError> {
    let step = |word: &str| match word.split_once(':') {
        Some(("text", text)) if !text.is_empty() => Ok(Step::Text(text.to_owned())),
        Some(("paste", text)) if !text.is_empty() => Ok(Step::Paste(text.to_owned())),
        Some(("resize", text)) if !text.is_empty() => size(text).map(Step::Resize),
        _ => Key::parse(word).map(Step::Key).ok_or_else(|| ScriptError::NotAKey(word.to_owned())),
    };
    script.split_whitespace().map(step).collect()
}

/// Runs a script and writes every frame as text (`0001.txt` and on) and as a map of roles (`0001.roles.txt`): the
/// first before anything was read, the second when the sources are read, then one per step. Gives their number.
///
/// # Errors
/// Where the script cannot be read, or a frame cannot be written.
pub fn script(
    setup: Setup,
    loader: &dyn Loader,
    keys: &str,
    at: Size,
    dump: &Path,
) -> Result<usize, ScriptError> {
    let steps = steps(keys)?;
    let failed = |path: &Path| {
        let path = path.to_owned();
        move |error| ScriptError::NotWritten { path, error }
    };
    fs::create_dir_all(dump).map_err(failed(dump))?;
    let mut player = Player::new(setup, at, loader);
    let mut frames = 0;
    let mut write = |player: &mut Player<'_>| {
        frames += 1;
        let frame = player.texts();
        for (ending, text) in [("txt", frame.0), ("roles.txt", frame.1)] {
            let path = dump.join(format!("{frames:04}.{ending}"));
            fs::write(&path, text).map_err(failed(&path))?;
        }
        Ok(())
    };
    write(&mut player)?;
    if player.begin() {
        write(&mut player)?;
    }
    for step in steps {
        player.step(step);
        if player.left {
            break;
        }
        write(&mut player)?;
    }
    Ok(frames)
}

/// A visit without a terminal: what is pressed, and what is drawn then.
pub struct Player<'a> {
    /// The machine.
    pub model: Model,
    /// What was copied, oldest first; nothing takes it from here.
    pub copied: Vec<Copied>,
    /// The program was left.
    pub left: bool,
    loader: &'a dyn Loader,
}

/// Keeps the newest report of a reading.
#[derive(Default)]
struct Newest(Mutex<Option<Loading>>);

impl Watch for Newest {
    fn progressed(&self, loading: Loading) {
        if let Ok(mut newest) = self.0.lock() {
            *newest = Some(loading);
        }
    }

    fn stopped(&self) -> bool {
        false
    }
}

impl<'a> Player<'a> {
    /// Before anything is read.
    pub fn new(setup: Setup, at: Size, loader: &'a dyn Loader) -> Self {
        Self { model: Model::new(setup, at), copied: Vec::new(), left: false, loader }
    }

    /// Reads the sources, where there are any.
    pub fn begin(&mut self) -> bool {
        let first = start(&self.model);
        let reads = !first.is_empty();
        self.act(first);
        reads
    }

    fn step(&mut self, step: Step) {
        match step {
            Step::Key(key) => drop(self.feed(Msg::Key(key))),
            Step::Text(text) => {
                text.chars().for_each(|character| drop(self.feed(Msg::Key(Key::char(character)))));
            }
            Step::Paste(text) => drop(self.feed(Msg::Paste(text))),
            Step::Resize(size) => drop(self.feed(Msg::Resized(size))),
        }
    }

    /// Gives the machine a message, does what it asks for, and draws.
    pub fn feed(&mut self, msg: Msg) -> Frame {
        let cmds = update(&mut self.model, msg);
        self.act(cmds);
        // As between two keys of a person: what a drawing finds out is known to the next one.
        self.draw()
    }

    fn act(&mut self, cmds: Vec<Cmd>) {
        for cmd in cmds {
            let msg = match (cmd, self.model.case().map(Arc::clone)) {
                (Cmd::Load { generation, demo }, _) => self.load(generation, demo),
                (Cmd::Search { generation, search, query }, Some(case)) => {
                    Msg::Found { generation, search, hits: query.evaluate(&*case) }
                }
                (Cmd::ReadRaw { request, at }, Some(case)) => Msg::RawRead { request, record: case.raw(at) },
                (cmd @ (Cmd::Sort { .. } | Cmd::Group { .. } | Cmd::Everything { .. }), Some(case)) => {
                    match cmd.answer(&*case) {
                        Some(msg) => msg,
                        None => continue,
                    }
                }
                (Cmd::Settle(todo), Some(case)) => {
                    match super::settler::answer(self.loader.settler(), &*case, todo) {
                        Some(told) => Msg::Settled(told),
                        None => continue,
                    }
                }
                (Cmd::Report { intent }, Some(case)) => Msg::Reported { path: case.document(intent) },
                (Cmd::Copy { copied, .. }, _) => {
                    self.copied.push(copied);
                    continue;
                }
                (Cmd::Export(view), Some(case)) => {
                    Msg::Exported { path: case.exported(&view), rows: view.rows.len() }
                }
                (Cmd::Quit, _) => {
                    self.left = true;
                    continue;
                }
                _ => continue,
            };
            self.feed(msg);
        }
    }

    fn load(&mut self, generation: u64, demo: bool) -> Msg {
        let newest = Newest::default();
        let result = self.loader.load(demo, &newest);
        if let Ok(Some(loading)) = newest.0.into_inner() {
            let cmds = update(&mut self.model, Msg::Progressed { generation, loading });
            debug_assert!(cmds.is_empty(), "a report asks for nothing");
        }
        match result {
            Ok(case) => Msg::Loaded { generation, case },
            Err(failure) => Msg::Failed { generation, failure },
        }
    }

    /// The frame of now.
    pub fn draw(&mut self) -> Frame {
        let frame = draw(&self.model);
        if let Some((first, most)) = frame.scroll {
            self.model.drawn(first, most);
        }
        frame
    }

    /// The frame as text and as a map of roles with its legend.
    fn texts(&mut self) -> (String, String) {
        let frame = self.draw();
        let legend: Vec<String> = ROLES.iter().map(|(_, letter, name)| format!("{letter} {name}")).collect();
        let roles = format!("{}\n{}\n", frame.canvas.to_roles(), legend.join("  "));
        (frame.canvas.to_text(), roles)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::case::CaseView;
    use crate::app::progress::Failure;
    use crate::app::testcase::Fake;

    struct Samples;

    impl Loader for Samples {
        fn load(&self, _: bool, _: &dyn Watch) -> Result<Arc<dyn CaseView>, Box<Failure>> {
            Ok(Fake::refunds().shared())
        }
    }

    #[test]
    fn every_frame_is_written() {
        let folder = tempfile::tempdir().unwrap();
        let dump = folder.path().join("frames");
        let setup = Setup { operator: "dana".into(), in_case: true, ..Setup::default() };
        let at = size("80x24").unwrap();
        let frames = script(setup, &Samples, "j / text:twice resize:60x20 esc q ?", at, &dump).unwrap();
        assert_eq!(frames, 7, "two before the first key, one per step, none after leaving");
        let read = |name: &str| fs::read_to_string(dump.join(name)).unwrap();
        assert!(read("0001.txt").contains("READING"));
        assert!(read("0002.txt").contains("VIOLATION FOUND"));
        assert!(read("0005.txt").contains("1 of 51, 50 not shown"));
        assert_eq!(read("0006.txt").lines().next().unwrap().chars().count(), 60);
        assert!(!read("0007.txt").contains("not shown"), "esc gave the list back");
        assert_eq!(read("0002.roles.txt").lines().count(), 26);
        assert!(!dump.join("0008.txt").exists());
    }

    #[test]
    fn what_is_no_key_is_said() {
        let dump = tempfile::tempdir().unwrap();
        let run =
            |keys| script(Setup::default(), &Samples, keys, Size { width: 80, height: 24 }, dump.path());
        assert!(run("j jj").unwrap_err().to_string().starts_with("`jj` in the script is no key"));
        assert!(run("resize:80").unwrap_err().to_string().starts_with("`80` is no size"));
        assert!(size("80x").is_err() && size("x24").is_err() && size("-1x2").is_err());
    }
}
