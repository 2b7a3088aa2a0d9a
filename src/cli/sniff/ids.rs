//! Keys and operation ids of a source, in order of appearance.

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::model::row::{At, SourceNo};
use crate::sources::event::{
    AttemptEvent, EffectEvent, ProblemEvent, ReadBackEvent, RecordEvent, RunEvent, Sink, StateEvent,
};
use crate::sources::open::Opened;

/// So many of each are kept.
const MOST: usize = 100;

/// What was found.
#[derive(Debug, Default)]
pub struct Ids {
    /// Idempotency keys.
    pub keys: Vec<String>,
    /// Operation ids.
    pub operations: Vec<String>,
    seen: [HashSet<String>; 2],
    /// Set when enough is known: the rest of the source is not read for more.
    enough: Arc<AtomicBool>,
}

/// Reads a source for its ids. What cannot be read is told by who counts it.
pub fn of(opened: &Opened) -> Ids {
    let mut ids = Ids::default();
    let enough = Arc::clone(&ids.enough);
    let _ = opened.read_all(SourceNo(0), &enough, &mut ids);
    ids
}

impl Ids {
    fn take(&mut self, key: Option<&str>, operation: Option<&str>) {
        let [seen_keys, seen_operations] = &mut self.seen;
        for (id, kept, seen) in
            [(key, &mut self.keys, seen_keys), (operation, &mut self.operations, seen_operations)]
        {
            if let Some(id) = id.filter(|id| !id.is_empty() && kept.len() < MOST)
                && !seen.contains(id)
            {
                seen.insert(id.to_owned());
                kept.push(id.to_owned());
            }
        }
        if self.keys.len() >= MOST && self.operations.len() >= MOST {
            self.enough.store(true, Ordering::Relaxed);
        }
    }
}

impl Sink for Ids {
    fn run(&mut self, _: At, _: &RunEvent<'_>) {}

    fn attempt(&mut self, _: At, event: &AttemptEvent<'_>) {
        self.take(event.key.as_deref(), event.operation_id.as_deref());
    }

    fn record(&mut self, _: At, event: &RecordEvent<'_>) {
        self.take(event.key.as_deref(), event.operation_id.as_deref());
    }

    fn state(&mut self, _: At, _: &StateEvent<'_>) {}

    fn read_back(&mut self, _: At, _: &ReadBackEvent<'_>) {}

    fn effect(&mut self, _: At, event: &EffectEvent<'_>) {
        self.take(event.key.as_deref(), event.operation_id.as_deref());
    }

    fn problem(&mut self, _: At, _: ProblemEvent) {}

    fn skipped(&mut self, _: SourceNo, _: &'static str) {}
}
