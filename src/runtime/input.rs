//! The input thread: presses, pastes and sizes, as messages.

use std::sync::mpsc::Sender;
use std::sync::{Condvar, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use crossterm::event::{self, Event as Raw, KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseEventKind};

use super::event::Event;
use crate::app::keys::{Code, Key};
use crate::app::layout::Size;
use crate::app::msg::Msg;

/// Whether another program has the terminal, and whether the thread stands still meanwhile.
static LENT: Mutex<(bool, bool)> = Mutex::new((false, false));
static CHANGED: Condvar = Condvar::new();
/// How long is waited for the thread to stand still.
const PATIENCE: Duration = Duration::from_secs(1);

/// Reading goes on when this goes out of scope.
pub struct Paused(());

/// Makes the thread stand still, so that another program gets what is typed.
pub fn pause() -> Paused {
    let mut lent = LENT.lock().unwrap_or_else(PoisonError::into_inner);
    lent.0 = true;
    // A thread that waits for a key is woken by a change of size, which is none.
    #[cfg(unix)]
    let _ = signal_hook::low_level::raise(signal_hook::consts::SIGWINCH);
    let waited = CHANGED.wait_timeout_while(lent, PATIENCE, |(_, stands)| !*stands);
    drop(waited);
    Paused(())
}

impl Drop for Paused {
    fn drop(&mut self) {
        LENT.lock().unwrap_or_else(PoisonError::into_inner).0 = false;
        CHANGED.notify_all();
    }
}

/// Stands still while another program has the terminal.
fn stand() {
    let mut lent = LENT.lock().unwrap_or_else(PoisonError::into_inner);
    while lent.0 {
        lent.1 = true;
        CHANGED.notify_all();
        lent = CHANGED.wait(lent).unwrap_or_else(PoisonError::into_inner);
    }
    lent.1 = false;
}

/// Reads the terminal until it is gone.
///
/// # Errors
/// Where the system gives no thread.
pub fn start(events: Sender<Event>) -> std::io::Result<()> {
    let read = move || {
        loop {
            stand();
            let Ok(raw) = event::read() else {
                let _ = events.send(Event::Gone);
                return;
            };
            let msg = message(&raw);
            if let Some(msg) = msg
                && events.send(Event::Msg(msg)).is_err()
            {
                return;
            }
        }
    };
    thread::Builder::new().name("input".to_owned()).spawn(read).map(drop)
}

/// The message of what the terminal sent.
fn message(raw: &Raw) -> Option<Msg> {
    match raw {
        Raw::Key(key) => key_of(*key).map(Msg::Key),
        Raw::Paste(text) => Some(Msg::Paste(text.clone())),
        Raw::Resize(width, height) => Some(Msg::Resized(Size { width: *width, height: *height })),
        Raw::Mouse(mouse) => match mouse.kind {
            MouseEventKind::ScrollUp => Some(Msg::Wheel(-1)),
            MouseEventKind::ScrollDown => Some(Msg::Wheel(1)),
            _ => None,
        },
        Raw::FocusGained | Raw::FocusLost => None,
    }
}

/// A press as a key. Releases and repeats that a terminal reports beside it are no presses; with alt it is no key
/// of ours.
fn key_of(key: KeyEvent) -> Option<Key> {
    if key.kind != KeyEventKind::Press || key.modifiers.contains(KeyModifiers::ALT) {
        return None;
    }
    let ctrl = key.modifiers.contains(KeyModifiers::CONTROL);
    let shift = key.modifiers.contains(KeyModifiers::SHIFT);
    let code = match key.code {
        // Many terminals send ctrl-h for the backspace key.
        KeyCode::Char('h') if ctrl => return Some(Key::of(Code::Backspace)),
        KeyCode::Char(character) if ctrl => return Some(Key::ctrl(character.to_ascii_lowercase())),
        KeyCode::Char(character) if shift => Code::Char(upper(character)),
        KeyCode::Char(character) => Code::Char(character),
        KeyCode::Enter => Code::Enter,
        KeyCode::Esc => Code::Esc,
        KeyCode::Tab if shift => Code::BackTab,
        KeyCode::Tab => Code::Tab,
        KeyCode::BackTab => Code::BackTab,
        KeyCode::Backspace => Code::Backspace,
        KeyCode::Delete => Code::Delete,
        KeyCode::Up => Code::Up,
        KeyCode::Down => Code::Down,
        KeyCode::Left => Code::Left,
        KeyCode::Right => Code::Right,
        KeyCode::PageUp => Code::PageUp,
        KeyCode::PageDown => Code::PageDown,
        KeyCode::Home => Code::Home,
        KeyCode::End => Code::End,
        _ => return None,
    };
    Some(Key::of(code))
}

/// Some terminals send a shifted letter as the small one with shift.
fn upper(character: char) -> char {
    let mut upper = character.to_uppercase();
    match (upper.next(), upper.next()) {
        (Some(one), None) => one,
        _ => character,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn press(code: KeyCode, modifiers: KeyModifiers) -> Option<Key> {
        key_of(KeyEvent::new(code, modifiers))
    }

    #[test]
    fn only_presses_are_keys() {
        let release = KeyEvent { kind: KeyEventKind::Release, ..KeyEvent::from(KeyCode::Enter) };
        let repeat = KeyEvent { kind: KeyEventKind::Repeat, ..KeyEvent::from(KeyCode::Enter) };
        assert_eq!(key_of(release), None);
        assert_eq!(key_of(repeat), None);
        assert_eq!(press(KeyCode::Enter, KeyModifiers::NONE), Some(Key::of(Code::Enter)));
        assert_eq!(press(KeyCode::Char('x'), KeyModifiers::ALT), None);
        assert_eq!(press(KeyCode::F(1), KeyModifiers::NONE), None);
    }

    #[test]
    fn letters_with_shift_and_ctrl() {
        assert_eq!(press(KeyCode::Char('g'), KeyModifiers::SHIFT), Some(Key::char('G')));
        assert_eq!(press(KeyCode::Char('G'), KeyModifiers::SHIFT), Some(Key::char('G')));
        assert_eq!(press(KeyCode::Char('ß'), KeyModifiers::SHIFT), Some(Key::char('ß')));
        assert_eq!(press(KeyCode::Char('C'), KeyModifiers::CONTROL), Some(Key::ctrl('c')));
        assert_eq!(press(KeyCode::Char('h'), KeyModifiers::CONTROL), Some(Key::of(Code::Backspace)));
        assert_eq!(press(KeyCode::Tab, KeyModifiers::SHIFT), Some(Key::of(Code::BackTab)));
    }
}
