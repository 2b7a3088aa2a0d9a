//! Takes the terminal and gives it back: on leaving, on panic, on a signal, and while the program is stopped.

use std::io::{self, Write as _};
use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};

use crossterm::event::{
    DisableBracketedPaste, DisableMouseCapture, EnableBracketedPaste, EnableMouseCapture,
};
use crossterm::terminal::{EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode};
use crossterm::{cursor, execute};

/// The terminal is ours.
static TAKEN: AtomicBool = AtomicBool::new(false);
/// A panic gave it back: nothing may be drawn any more.
static PANICKED: AtomicBool = AtomicBool::new(false);
static HOOK: Once = Once::new();

/// The mouse is used.
static MOUSE: AtomicBool = AtomicBool::new(false);

/// Says before the terminal is taken whether the mouse is used.
pub fn use_mouse(used: bool) {
    MOUSE.store(used, Ordering::SeqCst);
}

/// Gives the terminal back when it goes out of scope.
pub struct Guard(());

impl Guard {
    /// Takes the terminal: raw mode, alternate screen, bracketed paste, no cursor.
    ///
    /// # Errors
    /// Where the terminal does not answer.
    pub fn take() -> io::Result<Self> {
        // The report of a panic is printed on the ordinary screen, so the terminal goes back before it.
        HOOK.call_once(|| {
            let report = std::panic::take_hook();
            std::panic::set_hook(Box::new(move |panic| {
                if TAKEN.load(Ordering::SeqCst) {
                    PANICKED.store(true, Ordering::SeqCst);
                    give_back();
                }
                report(panic);
            }));
        });
        let guard = Self(());
        take()?;
        Ok(guard)
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        give_back();
    }
}

/// Takes the terminal, also again after the program was stopped.
///
/// # Errors
/// Where the terminal does not answer.
pub fn take() -> io::Result<()> {
    if PANICKED.load(Ordering::SeqCst) {
        return Err(io::Error::other("a part of the program failed"));
    }
    // A shell that had the terminal meanwhile has set its own modes: they are read again, not assumed.
    disable_raw_mode()?;
    enable_raw_mode()?;
    TAKEN.store(true, Ordering::SeqCst);
    execute!(io::stdout(), EnterAlternateScreen, EnableBracketedPaste, cursor::Hide)?;
    if MOUSE.load(Ordering::SeqCst) { execute!(io::stdout(), EnableMouseCapture) } else { Ok(()) }
}

/// Gives the terminal back, once; a second call does nothing. Errors have nowhere to go: the terminal may be gone.
pub fn give_back() {
    if !TAKEN.swap(false, Ordering::SeqCst) {
        return;
    }
    // Modes that the terminal answers to first, then cooked mode: else an answer is echoed.
    if MOUSE.load(Ordering::SeqCst) {
        let _ = execute!(io::stdout(), DisableMouseCapture);
    }
    let _ = execute!(io::stdout(), DisableBracketedPaste, LeaveAlternateScreen, cursor::Show);
    let _ = io::stdout().flush();
    let _ = disable_raw_mode();
}

/// A panic gave the terminal back.
pub fn panicked() -> bool {
    PANICKED.load(Ordering::SeqCst)
}
