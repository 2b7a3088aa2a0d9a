//! Hazards of a loaded case (`5-hazards.md`): rows become facts of hazards, the rules decide.
//!
//! Nothing of this is done for who does not ask: what a rule needs beyond the rows (actors, storage, costs) is read
//! again at its place. Intents are looked at partition by partition; those that share a key, an order or a parent are
//! found by prints of it and laid out together.

mod costs;
mod intents;
mod runs;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::hash::BuildHasher;

use foldhash::fast::RandomState;

use crate::judge::hazards::asked::Asked;
use crate::judge::hazards::facts::{Call, Intent, Judged, Run, Trace, Whole, World};
use crate::judge::hazards::{Evaluation, Findings, Tie};
use crate::model::outcome::Class;
use crate::model::row::{Attempt, SourceNo, attempt_flag, record_flag};
use crate::model::time::Micros;
use crate::sources::spec::What;

use super::brief::is_read;
use super::builder::hash_with;
use super::case::Case;
use super::desk::{Desk, Only};
use super::group::Op;
use super::reread::attempt_id;
use intents::Reads;

/// What one partition gave.
#[derive(Default)]
struct Part {
    findings: Findings,
    /// Prints of what an intent shares with others.
    ties: Vec<(Tie, u64, Op)>,
    finished: u64,
    unknown: u64,
    last_effect: Vec<((String, String), Micros)>,
    repeated: BTreeSet<String>,
}

impl Case {
    /// Every hazard of the case, as far as it can be looked at.
    pub fn hazards(&self, asked: &Asked) -> Evaluation {
        let mut world = self.hazard_world(asked);
        let runs = self.hazard_runs(!asked.goals.is_empty(), asked.whole("H09", "retries"));
        let plans = runs.iter().any(|run| !run.plan.is_empty());
        let mut whole = Whole { judged: self.judged(asked), ..Whole::default() };
        self.costs(&mut world, &mut whole);
        let mut findings = Findings::default();
        let mut ties = self.each_intent(&world, &mut findings, &mut whole);
        self.tied(&mut ties, &world, &mut findings);
        self.parents(&world, &mut findings);
        for run in &runs {
            findings.run(run, &world);
        }
        findings.whole(&whole, &runs, &world);
        let mut evaluation = Evaluation::new(findings, &whole, plans, &world);
        for attempt in evaluation.hazards.iter_mut().flat_map(|h| &mut h.place.attempts) {
            if let Some(at) = attempt.at {
                let place = || self.places.words(at).replace(" line ", ":");
                attempt.id = attempt_id(&*self.places, at).unwrap_or_else(place);
            }
        }
        evaluation.quieten(&self.spec.hushed, self.setting.now);
        evaluation
    }

    /// What holds for all rules.
    fn hazard_world<'a>(&'a self, asked: &'a Asked) -> World<'a> {
        let windows = self.found.iter().filter_map(|f| f.tally.window);
        let window = windows.fold(None, |all: Option<(Micros, Micros)>, (from, to)| {
            Some(all.map_or((from, to), |(a, b)| (a.min(from), b.max(to))))
        });
        World {
            now: self.setting.now,
            client_skew: self.setting.client_skew,
            units: &self.tables.units,
            asked,
            traces: self.hazard_traces(),
            records: self
                .runs
                .iter()
                .any(|r| r.records.all().iter().any(|r| r.flags & record_flag::FILE == 0)),
            states: self.runs.iter().any(|r| !r.states.is_empty()),
            ledgers: self.setting.any_ledger,
            window: window.map_or(0, |(from, to)| to.since(from)),
        }
    }

    /// Name of a source: its path without folders.
    fn source_name(&self, no: SourceNo) -> String {
        let shown = self.spec.sources.get(usize::from(no.0)).map_or("", |s| s.shown.as_str());
        shown.rsplit(['/', '\\']).next().unwrap_or(shown).to_owned()
    }

    /// What each trace carries.
    fn hazard_traces(&self) -> Vec<Trace> {
        let sources = self.spec.sources.len();
        let mut all: Vec<Trace> = (0u16..)
            .take(sources)
            .map(|no| Trace { name: self.source_name(SourceNo(no)), ..Trace::default() })
            .collect();
        let mut tools: Vec<BTreeSet<u32>> = vec![BTreeSet::new(); sources];
        for run in &self.runs {
            for row in run.attempts.all().iter().filter(|a| counts(a)) {
                let no = usize::from(row.at.source().0);
                let Some(trace) = all.get_mut(no) else { continue };
                trace.attempts = true;
                trace.keys |= row.key.is_some() || row.is(attempt_flag::KEY_IS_NAME);
                trace.payloads |= row.payload != 0;
                trace.times |= !row.sent.is_none();
                trace.runs |= row.run.is_some();
                if is_read(&self.setting, row.tool, row.flags) {
                    trace.reads = true;
                } else if let Some(tools) = tools.get_mut(no) {
                    tools.insert(row.tool.0);
                }
            }
            for read in run.reads.all() {
                if let Some(trace) = all.get_mut(usize::from(read.at.source().0)) {
                    trace.reads = true;
                }
            }
        }
        // Read-backs may stand in a log of their own: they are of the case, not of the trace beside them.
        let reads = all.iter().any(|t| t.reads);
        for (trace, tools) in all.iter_mut().zip(tools) {
            trace.reads |= reads;
            let name = |no| self.tables.tools.text(crate::model::row::Shared(no)).to_owned();
            trace.tools = tools.into_iter().map(name).filter(|name: &String| !name.is_empty()).collect();
        }
        let is_trace = |source: &crate::sources::spec::SourceSpec| source.what == What::Trace;
        let kept = all.into_iter().zip(&self.spec.sources).filter(|(t, s)| is_trace(s) || t.attempts);
        kept.map(|(trace, _)| trace).collect()
    }

    /// Looks at every intent; gives what they share, as prints.
    fn each_intent(
        &self,
        world: &World<'_>,
        findings: &mut Findings,
        whole: &mut Whole,
    ) -> Vec<(Tie, u64, Op)> {
        let reads = Reads::new(self);
        let parts = self.with_store(|store| {
            super::each_part(self.threads, |part| {
                let desk = Desk::new(store, part, Only::All);
                let mut mine = Part::default();
                for no in 0..desk.len() {
                    if let Some(intent) = self.hazard_intent(&desk, no, world, &reads, false) {
                        self.one(&intent, world, &mut mine);
                    }
                }
                mine
            })
        });
        let mut ties = Vec::new();
        for part in parts {
            findings.append(part.findings);
            ties.extend(part.ties);
            whole.finished += part.finished;
            whole.unknown += part.unknown;
            whole.repeated.extend(part.repeated);
            for (place, when) in part.last_effect {
                let known = whole.last_effect.entry(place).or_insert(when);
                *known = (*known).max(when);
            }
        }
        ties
    }

    fn one(&self, intent: &Intent, world: &World<'_>, part: &mut Part) {
        let print = |words: &[&str]| self.state.hash_one(words);
        let op = Op(intent.no);
        part.findings.intent(intent, world);
        for key in intent.keys() {
            part.ties.push((Tie::Key, print(&[key]), op));
            if intent.calls.iter().filter(|c| c.key == key).count() > 1 {
                part.repeated.extend(intent.calls.iter().filter(|c| c.key == key).map(|c| c.tool.clone()));
            }
        }
        let (run, business) = (intent.run(), intent.business.as_str());
        if !run.is_empty() && !business.is_empty() {
            part.ties.push((Tie::Order, print(&[run, business, &intent.kind]), op));
        }
        for call in &intent.calls {
            part.finished += u64::from(call.class != Class::Open);
            part.unknown += u64::from(call.class == Class::Unknown);
        }
        let last = intent.landed.iter().map(|l| l.committed.at).filter(|at| !at.is_none()).max();
        if let Some(last) = last {
            let place = |c: &Call| ((c.run.clone(), c.tool.clone()), last);
            part.last_effect.extend(intent.calls.iter().map(place));
        }
    }

    /// Intents that share a print are laid out together; what they share is then compared as text.
    fn tied(&self, ties: &mut [(Tie, u64, Op)], world: &World<'_>, findings: &mut Findings) {
        ties.sort_unstable();
        let groups: Vec<(Tie, Vec<Op>)> = ties
            .chunk_by(|a, b| (a.0, a.1) == (b.0, b.1))
            .filter_map(|group| {
                let mut ops: Vec<Op> = group.iter().map(|(_, _, op)| *op).collect();
                ops.dedup();
                group.first().filter(|_| ops.len() > 1).map(|(tie, ..)| (*tie, ops))
            })
            .collect();
        let intents = self.whole_intents(groups.iter().flat_map(|(_, ops)| ops).copied().collect(), world);
        for (tie, ops) in groups {
            let mut by_text: BTreeMap<[&str; 3], Vec<&Intent>> = BTreeMap::new();
            for intent in ops.iter().filter_map(|op| intents.get(op)) {
                let name = match tie {
                    Tie::Order => [intent.run(), &intent.business, &intent.kind],
                    Tie::Key | Tie::Parent => [""; 3],
                };
                by_text.entry(name).or_default().push(intent);
            }
            for mut same in by_text.into_values().filter(|same| same.len() > 1) {
                same.sort_by_key(|intent| (intent.first_sent(), &intent.id));
                let same: Vec<Intent> = same.into_iter().cloned().collect();
                findings.tied(tie, &same, world);
            }
        }
    }

    /// Each child beside its parent.
    fn parents(&self, world: &World<'_>, findings: &mut Findings) {
        let has_parent = |run: &super::run::Run| run.records.all().iter().any(|r| r.parent.is_some());
        if !self.runs.iter().any(has_parent) {
            return;
        }
        let mut by_intent: HashMap<&str, Op, RandomState> = HashMap::default();
        for (r, run) in self.runs.iter().enumerate() {
            for record in run.records.all() {
                if let Some(op) = self.groups.of(&self.runs, r, record.name) {
                    by_intent.entry(run.text(record.intent_id)).or_insert(op);
                    by_intent.entry(run.name(record.name)).or_insert(op);
                }
            }
        }
        let mut pairs = Vec::new();
        for (r, run) in self.runs.iter().enumerate() {
            for record in run.records.all().iter().filter(|r| r.parent.is_some()) {
                let child = self.groups.of(&self.runs, r, record.name);
                pairs.extend(
                    by_intent.get(run.text(record.parent)).copied().zip(child).filter(|(p, c)| p != c),
                );
            }
        }
        pairs.sort_unstable();
        pairs.dedup();
        let intents = self.whole_intents(pairs.iter().flat_map(|(a, b)| [*a, *b]).collect(), world);
        for (parent, child) in pairs {
            if let (Some(parent), Some(child)) = (intents.get(&parent), intents.get(&child)) {
                let (parent, mut child) = (parent.clone(), child.clone());
                // A parent may be named by its operation id.
                if let Some((named, _)) = &mut child.parent {
                    named.clone_from(&parent.id);
                }
                findings.tied(Tie::Parent, &[parent, child], world);
            }
        }
    }

    /// Intents with all their payloads, one desk per partition.
    fn whole_intents(&self, mut ops: Vec<Op>, world: &World<'_>) -> BTreeMap<Op, Intent> {
        ops.sort_unstable();
        ops.dedup();
        let reads = Reads::default();
        let places: Vec<(usize, u32)> = ops.iter().map(|op| self.groups.place(*op)).collect();
        let parts: Vec<&[(usize, u32)]> = places.chunk_by(|a, b| a.0 == b.0).collect();
        let found = self.with_store(|store| {
            super::each(self.threads, parts.len(), |at| {
                let mine = parts.get(at).copied().unwrap_or_default();
                let inside: Vec<u32> = mine.iter().map(|(_, op)| *op).collect();
                let part = mine.first().map_or(0, |(part, _)| *part);
                let desk = Desk::new(store, part, Only::These(&inside));
                let intent = |no| self.hazard_intent(&desk, no, world, &reads, true);
                (0..desk.len()).filter_map(|no| desk.op(no).zip(intent(no))).collect::<Vec<_>>()
            })
        });
        found.into_iter().flatten().collect()
    }

    /// Annotations whose attempt is loaded, in their order.
    fn judged(&self, asked: &Asked) -> Vec<Judged> {
        if asked.annotations.is_empty() {
            return Vec::new();
        }
        let mut by_print: HashMap<u64, Vec<usize>, RandomState> = HashMap::default();
        for (no, annotation) in asked.annotations.iter().enumerate() {
            let print = hash_with(&self.state, annotation.attempt_id.as_bytes()).max(1);
            by_print.entry(print).or_default().push(no);
        }
        let mut judged = Vec::new();
        for run in &self.runs {
            for row in run.attempts.all().iter().filter(|a| a.id != 0 && counts(a)) {
                for no in by_print.get(&row.id).into_iter().flatten() {
                    let written = attempt_id(&*self.places, row.at);
                    let named = asked.annotations.get(*no).map(|a| a.attempt_id.as_str());
                    if written.is_some() && written.as_deref() == named {
                        judged.push(Judged {
                            annotation: *no,
                            tool: self.tables.tools.text(row.tool).to_owned(),
                            run: self.tables.run_ids.text(row.run).to_owned(),
                            when: (!row.sent.is_none()).then_some(row.sent),
                        });
                    }
                }
            }
        }
        judged.sort_by_key(|j| j.annotation);
        judged
    }
}

/// An attempt that was not refused, merged into another one or left out.
fn counts(row: &Attempt) -> bool {
    !row.is(attempt_flag::DROPPED)
}

/// Runs in order of their ids: nothing depends on threads or hashes.
fn by_id(mut runs: Vec<Run>) -> Vec<Run> {
    runs.sort_by(|a, b| a.id.cmp(&b.id));
    runs
}
