//! What feeds the loop.

use crate::app::msg::Msg;

/// Something for the loop.
pub enum Event {
    /// For the machine.
    Msg(Msg),
    /// A signal that ends the program.
    End(i32),
    /// The program is to stop, as by ctrl-z.
    Stop,
    /// The program goes on after it was stopped.
    Continued,
    /// The terminal is gone.
    Gone,
    /// A worker failed; its report has been printed.
    Panicked,
}
