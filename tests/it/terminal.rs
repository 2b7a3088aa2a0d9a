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
struct Seen(Arc<Mutex<vt100::Parser>>);

impl Seen {
    fn new() -> Self {
        Self(Arc::new(Mutex::new(vt100::Parser::new(cells(HEIGHT), cells(WIDTH), 0))))
    }

    fn text(&self) -> String {
        self.0.lock().unwrap().screen().contents()
    }

    fn until(&self, what: &str, holds: impl Fn(&vt100::Screen) -> bool) {
        let start = Instant::now();
        while !holds(self.0.lock().unwrap().screen()) {
            assert!(start.elapsed() < PATIENCE, "{what}\n{}", self.text());
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    fn shows(&self, text: &str) {
        self.until(text, |screen| screen.contents().contains(text));
    }

    fn hides(&self, text: &str) {
        self.until(text, |screen| !screen.contents().contains(text));
    }
}

#[test]
fn a_visit_of_the_list_a_search_a_detail_and_out() {
    let size = PtySize { rows: HEIGHT, cols: WIDTH, pixel_width: 0, pixel_height: 0 };
    let pair = native_pty_system().openpty(size).unwrap();
    let modes = |master: &dyn portable_pty::MasterPty| format!("{:?}", master.get_termios());
    let before = modes(&*pair.master);
    let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_recount"));
    command.args(["open", "sample-data/double-refund"]);
    command.cwd(Path::new(env!("CARGO_MANIFEST_DIR")));
    command.env("TERM", "xterm-256color");
    command.env("LC_ALL", "C.UTF-8");
    for name in ["NO_COLOR", "CLICOLOR_FORCE", "RECOUNT_OPERATOR"] {
        command.env_remove(name);
    }
    let mut child = pair.slave.spawn_command(command).unwrap();
    drop(pair.slave);
    let mut reader = pair.master.try_clone_reader().unwrap();
    let mut writer = pair.master.take_writer().unwrap();
    let seen = Seen::new();
    let shown = seen.clone();
    std::thread::spawn(move || {
        let mut bytes = [0; 4096];
        while let Ok(count @ 1..) = reader.read(&mut bytes) {
            shown.0.lock().unwrap().process(&bytes[..count]);
        }
    });
    let mut press = |keys: &str| {
        writer.write_all(keys.as_bytes()).unwrap();
        writer.flush().unwrap();
    };

    seen.shows("VIOLATION FOUND");
    seen.shows("happened twice");
    seen.until("the alternate screen", vt100::Screen::alternate_screen);
    assert_ne!(modes(&*pair.master), before, "keys come one by one, without an echo");

    press("/zzz");
    seen.hides("happened twice");
    press("\x1b");
    seen.shows("happened twice");
    press("/1234");
    seen.shows("1234");
    seen.shows("happened twice");
    press("\r");
    press("\r");
    seen.shows("2 attempts by the script");
    seen.shows("Two refunds were committed where one was intended: USD 400.00");
    // A lone esc is told from the begin of a sequence by what follows.
    press("\x1b");
    seen.hides("2 attempts by the script");
    seen.shows("happened twice");
    press("q");

    let start = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        assert!(start.elapsed() < PATIENCE, "does not end\n{}", seen.text());
        std::thread::sleep(Duration::from_millis(5));
    };
    assert_eq!(status.exit_code(), 0, "{}", seen.text());
    seen.until("the ordinary screen", |screen| {
        !screen.alternate_screen()
            && !screen.hide_cursor()
            && !screen.bracketed_paste()
            && screen.mouse_protocol_mode() == vt100::MouseProtocolMode::None
    });
    assert_eq!(modes(&*pair.master), before, "modes of the terminal");
    assert_eq!(seen.text().trim(), "", "nothing is left behind");
}
