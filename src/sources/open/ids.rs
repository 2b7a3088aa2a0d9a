//! Ids that occur in traces, for the choice among tables (`4-sources.md` 4.15) and for own statements.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::Opened;
use crate::model::row::{At, SourceNo};
use crate::model::time::{Micros, Zone, parse_time};
use crate::sources::event::{
    AttemptEvent, EffectEvent, Field, Half, ProblemEvent, ReadBackEvent, RecordEvent, RunEvent, Sink,
    StateEvent,
};
use crate::sources::ledger::sqlite::choose::TraceIds;

/// So many ids of each kind are enough to know a table by.
const ENOUGH: usize = 2_000;

/// So much of each trace is looked at.
const PART: u64 = 4 << 20;

/// Ids from the beginnings of these traces. What cannot be read is passed over: reading for real reports it.
pub fn trace_ids(traces: &[&Opened], cancel: &Arc<AtomicBool>) -> TraceIds {
    collect(traces, cancel, ENOUGH)
}

/// All ids of these traces, and their window: what a live database is asked for (`4-sources.md` 4.5).
pub fn all_trace_ids(traces: &[&Opened], cancel: &Arc<AtomicBool>) -> TraceIds {
    collect(traces, cancel, usize::MAX)
}

fn collect(traces: &[&Opened], cancel: &Arc<AtomicBool>, enough: usize) -> TraceIds {
    let mut ids = Collect { enough, ..Collect::default() };
    for trace in traces {
        ids.zone = trace.spec.options.zone.as_deref().and_then(Zone::parse).unwrap_or(Zone::Unknown);
        match trace.worker(SourceNo(0)) {
            Some(mut worker) => {
                let most = if enough == usize::MAX { trace.len() } else { PART.min(trace.len()) };
                let _ = worker.part(0..most, cancel, &mut ids);
                if enough == usize::MAX {
                    worker.finish(&mut ids);
                }
            }
            None => {
                let _ = trace.read_all(SourceNo(0), cancel, &mut ids);
            }
        }
    }
    ids.end()
}

struct Collect {
    ids: TraceIds,
    enough: usize,
    zone: Zone,
    /// Intents that were recorded, with the ids that the record carries.
    recorded: HashMap<String, u8>,
    /// Intents of calls, with the ids that the calls carry.
    called: HashSet<(String, u8)>,
}

impl Default for Collect {
    fn default() -> Self {
        Self {
            ids: TraceIds::default(),
            enough: ENOUGH,
            zone: Zone::Unknown,
            recorded: HashMap::new(),
            called: HashSet::new(),
        }
    }
}

impl Collect {
    fn keep(
        &mut self,
        operation: &Field<'_>,
        key: &Field<'_>,
        business: &Field<'_>,
        receipt: &Field<'_>,
    ) -> u8 {
        let ids = &mut self.ids;
        let sets = [&mut ids.operations, &mut ids.keys, &mut ids.business, &mut ids.receipts];
        for (set, id) in sets.into_iter().zip([operation, key, business, receipt]) {
            let fresh = id.as_deref().filter(|id| set.len() < self.enough && !set.contains(*id));
            if let Some(id) = fresh {
                set.insert(id.to_owned());
            }
        }
        let bits = [(operation, TraceIds::OPERATION), (key, TraceIds::KEY), (business, TraceIds::BUSINESS)];
        bits.iter().filter(|(id, _)| id.is_some()).fold(0, |all, (_, bit)| all | bit)
    }

    fn moment(&mut self, written: &Field<'_>) {
        let Some(text) = written.as_deref() else { return };
        let time = parse_time(text, &self.zone);
        if time.at == Micros::NONE {
            return;
        }
        let (first, last) = self.ids.window.get_or_insert((time.begin(), time.end()));
        *first = (*first).min(time.begin());
        *last = (*last).max(time.end());
    }

    /// A call of a recorded intent carries what the record does.
    fn end(mut self) -> TraceIds {
        for (intent, own) in self.called {
            self.ids.carried.insert(own | self.recorded.get(&intent).copied().unwrap_or(0));
        }
        self.ids
    }
}

impl Sink for Collect {
    fn run(&mut self, _: At, _: &RunEvent<'_>) {}

    fn attempt(&mut self, _: At, event: &AttemptEvent<'_>) {
        let carried = self.keep(&event.operation_id, &event.key, &event.business_id, &event.receipt);
        if self.enough < usize::MAX {
            return;
        }
        self.moment(&event.sent);
        self.moment(&event.ended);
        if event.half == Half::End || event.read == Some(true) {
            return;
        }
        match &event.intent_id {
            Some(intent) => {
                self.called.insert((intent.clone().into_owned(), carried));
            }
            None => {
                self.ids.carried.insert(carried);
            }
        }
    }

    fn record(&mut self, _: At, event: &RecordEvent<'_>) {
        let carried = self.keep(&event.operation_id, &event.key, &event.business_id, &None);
        if let Some(intent) = event.intent_id.as_deref().filter(|_| self.enough == usize::MAX) {
            *self.recorded.entry(intent.to_owned()).or_default() |= carried;
        }
    }

    fn state(&mut self, _: At, _: &StateEvent<'_>) {}
    fn read_back(&mut self, _: At, _: &ReadBackEvent<'_>) {}
    fn effect(&mut self, _: At, _: &EffectEvent<'_>) {}
    fn problem(&mut self, _: At, _: ProblemEvent) {}
    fn skipped(&mut self, _: SourceNo, _: &'static str) {}
}
