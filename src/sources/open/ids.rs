//! Ids that occur in traces, for the choice among tables (`4-sources.md` 4.15) and for own statements.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::Opened;
use crate::model::row::{At, SourceNo};
use crate::sources::event::{
    AttemptEvent, EffectEvent, Field, ProblemEvent, ReadBackEvent, RecordEvent, RunEvent, Sink, StateEvent,
};
use crate::sources::ledger::sqlite::choose::TraceIds;

/// So many ids of each kind are enough to know a table by.
const ENOUGH: usize = 2_000;

/// So much of each trace is looked at.
const PART: u64 = 4 << 20;

/// Ids from the beginnings of these traces. What cannot be read is passed over: reading for real reports it.
pub fn trace_ids(traces: &[&Opened], cancel: &Arc<AtomicBool>) -> TraceIds {
    let mut ids = Collect::default();
    for trace in traces {
        match trace.worker(SourceNo(0)) {
            Some(mut worker) => {
                let _ = worker.part(0..PART.min(trace.len()), cancel, &mut ids);
            }
            None => {
                let _ = trace.read_all(SourceNo(0), cancel, &mut ids);
            }
        }
    }
    ids.0
}

#[derive(Default)]
struct Collect(TraceIds);

impl Collect {
    fn keep(&mut self, operation: &Field<'_>, key: &Field<'_>, business: &Field<'_>, receipt: &Field<'_>) {
        let sets = [&mut self.0.operations, &mut self.0.keys, &mut self.0.business, &mut self.0.receipts];
        for (set, id) in sets.into_iter().zip([operation, key, business, receipt]) {
            let fresh = id.as_deref().filter(|id| set.len() < ENOUGH && !set.contains(*id));
            if let Some(id) = fresh {
                set.insert(id.to_owned());
            }
        }
    }
}

impl Sink for Collect {
    fn run(&mut self, _: At, _: &RunEvent<'_>) {}

    fn attempt(&mut self, _: At, event: &AttemptEvent<'_>) {
        self.keep(&event.operation_id, &event.key, &event.business_id, &event.receipt);
    }

    fn record(&mut self, _: At, event: &RecordEvent<'_>) {
        self.keep(&event.operation_id, &event.key, &event.business_id, &None);
    }

    fn state(&mut self, _: At, _: &StateEvent<'_>) {}
    fn read_back(&mut self, _: At, _: &ReadBackEvent<'_>) {}
    fn effect(&mut self, _: At, _: &EffectEvent<'_>) {}
    fn problem(&mut self, _: At, _: ProblemEvent) {}
    fn skipped(&mut self, _: SourceNo, _: &'static str) {}
}
