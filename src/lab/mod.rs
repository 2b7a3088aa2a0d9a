//! The lab (`7-commands.md` 7.6): a tool server over a real store, faults at exact places, a scripted agent, and the
//! evidence of both sides left as files. Nothing here judges: that is done from the files, as for any other case.
//!
//! [`agent`] decides, pure. [`store`] is the business system, [`server`] speaks for it. [`client`] starts a server and
//! calls it, [`run`] is one run of an agent, [`study`] many of them, [`probe`] the same question to any other server.

pub mod agent;
pub mod client;
mod error;
mod fault;
mod journal;
pub mod probe;
pub mod run;
pub mod server;
pub mod setup;
pub mod store;
pub mod study;
mod tap;
mod trace;
mod wire;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock};

pub use error::LabError;

/// Somebody pressed the interrupt key.
static INTERRUPTED: LazyLock<Arc<AtomicBool>> = LazyLock::new(Arc::default);

/// From now on the interrupt key ends a run as soon as it can, instead of the program at once.
pub fn watch_interrupts() {
    // Where no handler can be set the key ends the program at once, as ever.
    let _ = signal_hook::flag::register(signal_hook::consts::SIGINT, Arc::clone(&INTERRUPTED));
}

/// Whether that has happened, between runs.
///
/// # Errors
/// [`LabError::Stopped`].
pub fn go_on() -> Result<(), LabError> {
    if INTERRUPTED.load(Ordering::Relaxed) { Err(LabError::Stopped) } else { Ok(()) }
}

/// A runtime for one thread; the lab's only use of asynchronous code is the protocol.
///
/// # Errors
/// Where the system gives none.
pub fn runtime() -> Result<tokio::runtime::Runtime, LabError> {
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|why| LabError::Other(format!("the lab cannot start its runtime: {why}")))
}
