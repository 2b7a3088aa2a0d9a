//! Who reads the sources. Made by `cli`, called by a worker, as often as a person asks.

use std::sync::Arc;

use super::settler::Settler;
use crate::app::case::CaseView;
use crate::app::progress::{Failure, Loading};

/// Reads the sources that were given.
pub trait Loader: Send + Sync {
    /// Reads and judges. With `demo` the sample case instead of what was given. Reports to `watch`, and where that
    /// says so stops and gives what is there.
    ///
    /// # Errors
    /// Where nothing can be judged: what failed, what was seen, what to do next.
    fn load(&self, demo: bool, watch: &dyn Watch) -> Result<Arc<dyn CaseView>, Box<Failure>>;

    /// Sizes and times of what is read, as one text: another one means that something changed. Reads nothing.
    fn standing(&self) -> String {
        String::new()
    }

    /// Who looks into the book and writes it; `None` where there is none.
    fn settler(&self) -> Option<&dyn Settler> {
        None
    }
}

/// Follows a reading.
pub trait Watch: Sync {
    /// It went on. May be called often: only the newest report is drawn.
    fn progressed(&self, loading: Loading);

    /// A person asked for it to stop.
    fn stopped(&self) -> bool;
}
