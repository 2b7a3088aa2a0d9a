//! The screen in a pseudo terminal: what a person would see, and what is left behind.
//!
//! The program under test is this test binary itself, started again with [`child`] as its only test.

use base64::Engine as _;
use std::io::{Read as _, Write as _};
use std::num::NonZeroU16;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};

use super::loader::{Loader, Watch};
use super::run::{Ended, run};
use crate::app::case::CaseView;
use crate::app::model::Setup;
use crate::app::progress::Failure;
use crate::app::testcase::Fake;
use crate::runtime::environment::{self, Color};

const MODE: &str = "RECOUNT_TEST_CHILD";
const PATIENCE: Duration = Duration::from_secs(20);

struct Samples(String);

impl Loader for Samples {
    fn load(&self, _: bool, _: &dyn Watch) -> Result<Arc<dyn CaseView>, Box<Failure>> {
        assert!(self.0 != "panic", "the reading failed on purpose");
        Ok(Fake::refunds().shared())
    }
}

/// Not a test by itself: the program that the others start.
#[test]
#[ignore = "started by the tests of the pseudo terminal"]
fn child() {
    let Ok(mode) = std::env::var(MODE) else {
        return;
    };
    let setup = Setup { operator: "dana".into(), name: "sample".into(), in_case: true, ..Setup::default() };
    let theme = environment::theme(None, &[], Color::Auto, |name| std::env::var(name).ok()).unwrap();
    let ended =
        run(setup, Arc::new(Samples(mode)), &theme, crate::report::mask::Mask::of_load(false), &|_| {});
    let code = match &ended {
        Ok(Ended::Left) => 0,
        Ok(Ended::Signal(signal)) => 128 + signal,
        Ok(Ended::TerminalGone) => 129,
        Err(_) => 70,
    };
    println!("ended: {ended:?}");
    std::process::exit(code);
}

fn cells(count: u16) -> NonZeroU16 {
    NonZeroU16::new(count).unwrap()
}

struct Terminal {
    master: Option<Box<dyn MasterPty + Send>>,
    writer: Box<dyn std::io::Write + Send>,
    child: Box<dyn Child + Send + Sync>,
    screen: Arc<Mutex<vt100::Parser>>,
    /// Every byte that was sent to it.
    sent: Arc<Mutex<Vec<u8>>>,
    /// Nobody reads any more.
    closed: Arc<AtomicBool>,
    modes: String,
}

impl Terminal {
    fn open(mode: &str, (width, height): (u16, u16), variables: &[(&str, &str)]) -> Self {
        let size = PtySize { rows: height, cols: width, pixel_width: 0, pixel_height: 0 };
        let pair = native_pty_system().openpty(size).unwrap();
        let modes = format!("{:?}", pair.master.get_termios());
        let mut command = CommandBuilder::new(std::env::current_exe().unwrap());
        command.args(["--exact", "runtime::tests::child", "--ignored", "--nocapture", "--test-threads=1"]);
        command.env("TERM", "xterm-256color");
        command.env("RUST_BACKTRACE", "0");
        for name in ["NO_COLOR", "CLICOLOR_FORCE", "TMUX", "STY"] {
            command.env_remove(name);
        }
        command.env(MODE, mode);
        command.set_controlling_tty(mode != "alone");
        for (name, value) in variables {
            command.env(name, value);
        }
        let child = pair.slave.spawn_command(command).unwrap();
        drop(pair.slave);
        let mut reader = pair.master.try_clone_reader().unwrap();
        let writer = pair.master.take_writer().unwrap();
        let screen = Arc::new(Mutex::new(vt100::Parser::new(cells(height), cells(width), 0)));
        let closed = Arc::new(AtomicBool::new(false));
        let sent = Arc::new(Mutex::new(Vec::new()));
        let (shown, kept, close) = (Arc::clone(&screen), Arc::clone(&sent), Arc::clone(&closed));
        std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(count) = reader.read(&mut bytes) {
                if count == 0 || close.load(Ordering::SeqCst) {
                    return;
                }
                kept.lock().unwrap().extend_from_slice(&bytes[..count]);
                shown.lock().unwrap().process(&bytes[..count]);
            }
        });
        Self { master: Some(pair.master), writer, child, screen, sent, closed, modes }
    }

    fn text(&self) -> String {
        self.screen.lock().unwrap().screen().contents()
    }

    fn until(&self, what: &str, holds: impl Fn(&vt100::Screen) -> bool) {
        let start = Instant::now();
        while !holds(self.screen.lock().unwrap().screen()) {
            assert!(start.elapsed() < PATIENCE, "{what}\n{}", self.text());
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    fn shows(&self, text: &str) {
        self.until(text, |screen| screen.contents().contains(text));
    }

    fn press(&mut self, keys: &str) {
        self.writer.write_all(keys.as_bytes()).unwrap();
        self.writer.flush().unwrap();
    }

    fn signal(&self, name: &str) {
        let id = self.child.process_id().unwrap().to_string();
        let done = std::process::Command::new("kill").args([&format!("-{name}"), &id]).status().unwrap();
        assert!(done.success());
    }

    /// Waits for the end; the terminal has to be as it was.
    fn ends(&mut self, code: u32) {
        let start = Instant::now();
        let status = loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                break status;
            }
            assert!(start.elapsed() < PATIENCE, "does not end\n{}", self.text());
            std::thread::sleep(Duration::from_millis(10));
        };
        assert_eq!(status.exit_code(), code, "{}", self.text());
    }

    /// The ordinary screen comes first and the modes after it (see [`terminal::give_back`]), so both are waited for.
    fn is_given_back(&self) {
        self.until("the ordinary screen", |screen| {
            !screen.alternate_screen() && !screen.bracketed_paste() && !screen.hide_cursor()
        });
        let modes = || self.master.as_ref().map(|master| format!("{:?}", master.get_termios()));
        let start = Instant::now();
        while modes().as_deref() != Some(self.modes.as_str()) && start.elapsed() < PATIENCE {
            std::thread::sleep(Duration::from_millis(10));
        }
        assert_eq!(modes().as_deref(), Some(self.modes.as_str()), "modes of the terminal");
    }
}

#[test]
fn keys_resize_and_leaving() {
    let mut terminal = Terminal::open("", (80, 24), &[]);
    terminal.shows("VIOLATION FOUND");
    assert!(terminal.screen.lock().unwrap().screen().alternate_screen());
    terminal.press("\r");
    terminal.shows("Tried, and what became of it");
    // A lone esc is told from the begin of a sequence by what follows.
    terminal.press("\x1b");
    terminal.shows("what happened");
    terminal.screen.lock().unwrap().screen_mut().set_size(cells(20), cells(60));
    let size = PtySize { rows: 20, cols: 60, pixel_width: 0, pixel_height: 0 };
    terminal.master.as_ref().unwrap().resize(size).unwrap();
    terminal.shows("5 Src");
    // A paste is no row of keys: its q does not leave.
    terminal.press("\x1b[200~q\rq\x1b[201~?");
    terminal.shows("Help for the triage list");
    terminal.press("q");
    terminal.ends(0);
    terminal.is_given_back();
    terminal.shows("ended: Ok(Left)");
}

#[test]
fn copying_sends_base64_to_the_terminal_and_says_so() {
    let mut terminal = Terminal::open("", (80, 24), &[]);
    terminal.shows("VIOLATION FOUND");
    terminal.press("y");
    terminal.shows("characters to your terminal's clipboard, which does not confirm it");
    // `Fake::copied` gives the name of the case and the title of the row.
    let sent = String::from_utf8_lossy(&terminal.sent.lock().unwrap()).into_owned();
    let (_, rest) = sent.split_once("\x1b]52;c;").unwrap();
    let (text, _) = rest.split_once('\x07').unwrap();
    let text = base64::engine::general_purpose::STANDARD.decode(text).unwrap();
    assert!(String::from_utf8(text).unwrap().ends_with("\nrefund of order 1234"));
    terminal.press("q");
    terminal.ends(0);
}

#[test]
fn the_selection_is_reversed_with_and_without_colour() {
    for variables in [&[][..], &[("NO_COLOR", "1")][..]] {
        let mut terminal = Terminal::open("", (80, 24), variables);
        terminal.shows("happened twice");
        terminal.until("reversed words", |screen| {
            let words = (13..27).map(|column| screen.cell(5, column).unwrap());
            words.into_iter().all(vt100::Cell::inverse)
        });
        let mark = terminal.screen.lock().unwrap().screen().cell(5, 9).unwrap().fgcolor();
        let coloured = mark != vt100::Color::Default;
        assert_eq!(coloured, variables.is_empty(), "{mark:?}");
        terminal.press("\x03");
        terminal.ends(0);
    }
}

#[test]
fn a_panic_gives_the_terminal_back_before_its_report() {
    let mut terminal = Terminal::open("panic", (80, 24), &[]);
    terminal.ends(70);
    terminal.is_given_back();
    terminal.shows("the reading failed on purpose");
}

#[test]
fn signals_give_the_terminal_back() {
    for (name, number) in [("TERM", 15), ("INT", 2), ("HUP", 1)] {
        let mut terminal = Terminal::open("", (80, 24), &[]);
        terminal.shows("VIOLATION FOUND");
        terminal.signal(name);
        terminal.ends(128 + number);
        terminal.is_given_back();
    }
}

#[test]
fn stopping_gives_the_terminal_back_and_going_on_takes_it_again() {
    for stop in ["\x1a", ""] {
        let mut terminal = Terminal::open("", (80, 24), &[]);
        terminal.shows("VIOLATION FOUND");
        if stop.is_empty() {
            terminal.signal("TSTP");
        } else {
            terminal.press(stop);
        }
        terminal.is_given_back();
        terminal.signal("CONT");
        terminal.until("drawn anew", |screen| {
            screen.alternate_screen() && screen.contents().contains("VIOLATION FOUND")
        });
        terminal.press("q");
        terminal.ends(0);
        terminal.is_given_back();
    }
}

#[test]
fn a_terminal_that_is_gone_ends_the_program() {
    // The second one does not control the program: nothing tells it that the terminal is gone.
    for mode in ["", "alone"] {
        ends_without_its_terminal(mode);
    }
}

fn ends_without_its_terminal(mode: &str) {
    let mut terminal = Terminal::open(mode, (80, 24), &[]);
    terminal.shows("VIOLATION FOUND");
    // The last output lets the reader go; then nobody holds the other side.
    terminal.closed.store(true, Ordering::SeqCst);
    terminal.press("j");
    std::thread::sleep(Duration::from_millis(300));
    let Terminal { master, writer, mut child, .. } = terminal;
    drop((master, writer));
    let start = Instant::now();
    while child.try_wait().unwrap().is_none() {
        assert!(start.elapsed() < PATIENCE, "the program goes on without a terminal");
        std::thread::sleep(Duration::from_millis(10));
    }
}
