//! Signals, and whether the terminal is still there.

use std::io;
use std::sync::mpsc::Sender;

use super::event::Event;

#[cfg(unix)]
mod unix {
    use std::fs::File;
    use std::io::{self, IsTerminal as _};
    use std::sync::mpsc::Sender;
    use std::thread;
    use std::time::Duration;

    use signal_hook::consts::{SIGCONT, SIGHUP, SIGINT, SIGQUIT, SIGSTOP, SIGTERM, SIGTSTP};
    use signal_hook::iterator::Signals;

    use super::super::event::Event;
    use super::super::terminal;

    /// How often is looked whether the terminal is still there.
    const LOOK: Duration = Duration::from_secs(1);
    /// How long the loop has to leave before it is left for it.
    const PATIENCE: Duration = Duration::from_secs(2);

    /// A loop that waits for a terminal that does not answer is ended from here.
    fn end(events: &Sender<Event>, event: Event, signal: i32) {
        let _ = events.send(event);
        thread::sleep(PATIENCE);
        terminal::give_back();
        std::process::exit(128 + signal);
    }

    pub(super) fn start(events: Sender<Event>) -> io::Result<()> {
        let mut signals = Signals::new([SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGTSTP, SIGCONT])?;
        let to_loop = events.clone();
        let follow = move || {
            for signal in &mut signals {
                let sent = match signal {
                    SIGTSTP => to_loop.send(Event::Stop),
                    SIGCONT => to_loop.send(Event::Continued),
                    signal => {
                        let to_end = to_loop.clone();
                        let waiting = move || end(&to_end, Event::End(signal), signal);
                        // A second signal must not wait for the patience with the first.
                        let _ = thread::Builder::new().name("leave".to_owned()).spawn(waiting);
                        Ok(())
                    }
                };
                if sent.is_err() {
                    return;
                }
            }
        };
        thread::Builder::new().name("signals".to_owned()).spawn(follow)?;
        // A terminal that is gone makes reading it spin, not fail (`reliability.md` 4.10): it is asked from here.
        // One that does not control this program sends no SIGHUP either; then it is the one that keys come from.
        let tty = File::open("/dev/tty").ok();
        let there = move || tty.as_ref().map_or_else(|| io::stdin().is_terminal(), File::is_terminal);
        if !there() {
            return Ok(());
        }
        let look = move || {
            while there() {
                thread::sleep(LOOK);
            }
            end(&events, Event::Gone, SIGHUP);
        };
        thread::Builder::new().name("terminal".to_owned()).spawn(look).map(drop)
    }

    /// Stops the program as the shell's ctrl-z does; returns when it goes on.
    pub(super) fn stop() {
        let _ = signal_hook::low_level::raise(SIGSTOP);
    }
}

/// Follows the signals that end, stop or continue the program, and the terminal.
///
/// # Errors
/// Where the system gives no thread or does not take the handlers.
pub fn start(events: Sender<Event>) -> io::Result<()> {
    #[cfg(unix)]
    return unix::start(events);
    #[cfg(not(unix))]
    {
        drop(events);
        Ok(())
    }
}

/// Stops the program as the shell's ctrl-z does; returns when it goes on.
pub fn stop() {
    #[cfg(unix)]
    unix::stop();
}
