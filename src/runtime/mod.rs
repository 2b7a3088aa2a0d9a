//! The terminal guard, the input thread, workers and the loop.
//!
//! Everything that may block or fail happens here, so that [`crate::app`] and [`crate::ui`] stay pure. One channel
//! feeds the loop; it sleeps until something arrives, takes all that is queued, and draws once. Nothing is asked for
//! again and again but whether the terminal is still there, once a second.
//!
//! [`run::run`] is the screen, [`script::script`] the same code without a terminal.

pub mod asked;
pub mod clipboard;
mod copied;
pub mod document;
mod editor;
pub mod environment;
pub mod event;
mod input;
pub mod loaded;
pub mod loader;
pub mod run;
pub mod script;
pub mod settler;
mod signals;
pub mod terminal;
#[cfg(test)]
#[cfg(unix)]
mod tests;
mod work;

pub use loader::{Loader, Watch};
pub use run::{Ended, run};
pub use script::script;
