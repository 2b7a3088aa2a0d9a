//! Faults strike once: who strikes claims the fault in a marker file beside the store, so that a server that is started
//! again does not strike again.

use std::fs::OpenOptions;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::setup::Fault;
use super::store::Moment;

/// Faults of a server that may still strike.
pub struct Faults {
    armed: Vec<Fault>,
    store: PathBuf,
}

/// Where and until when a server waits, so that a test can kill it at that moment.
#[derive(Clone, Debug)]
pub struct Hold {
    /// The moment.
    pub at: Moment,
    /// It waits until this file is there, and writes `FILE.reached` when it begins to wait.
    pub file: PathBuf,
}

/// How long a server waits at most: nobody may be left behind for ever.
const LONGEST_HOLD: Duration = Duration::from_secs(600);

/// The marker of a fault that has struck.
pub fn marker(store: &Path, fault: Fault) -> PathBuf {
    beside(store, &format!(".{}.claimed", fault.word()))
}

fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    PathBuf::from(name)
}

impl Faults {
    /// Faults of a server on this store.
    pub fn new(armed: Vec<Fault>, store: &Path) -> Self {
        Self { armed, store: store.to_owned() }
    }

    /// Whether this fault strikes now. True once for each store, whatever number of servers ask.
    pub fn claim(&self, fault: Fault) -> bool {
        self.armed.contains(&fault)
            && OpenOptions::new().write(true).create_new(true).open(marker(&self.store, fault)).is_ok()
    }
}

impl Hold {
    /// Waits, where this is the moment.
    pub fn wait(&self, at: Moment) {
        if at != self.at {
            return;
        }
        // A marker that cannot be written is seen by whoever waits for it.
        let _ = std::fs::write(beside(&self.file, ".reached"), b"");
        let since = Instant::now();
        while !self.file.exists() && since.elapsed() < LONGEST_HOLD {
            std::thread::sleep(Duration::from_millis(2));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_strikes_once_for_a_store() {
        let folder = tempfile::tempdir().unwrap();
        let store = folder.path().join("store.db");
        let faults = || Faults::new(vec![Fault::Delay], &store);
        assert!(!faults().claim(Fault::StaleRead));
        assert!(faults().claim(Fault::Delay));
        assert!(!faults().claim(Fault::Delay));
        assert!(folder.path().join("store.db.delay.claimed").exists());
        assert!(Faults::new(vec![Fault::Delay], &folder.path().join("other.db")).claim(Fault::Delay));
    }
}
