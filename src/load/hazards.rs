//! Hazards of a loaded case (`5-hazards.md`): rows become facts of hazards, the rules decide.
//!
//! Nothing of this is done for who does not ask: what a rule needs beyond the rows (actors, storage, costs) is read
//! again at its place. Intents are looked at partition by partition; those that share a key, an order or a parent are
//! found by prints of it and laid out together.

mod costs;
mod intents;
mod runs;
mod seen;

use std::collections::{BTreeMap, BTreeSet, HashMap};

use foldhash::fast::RandomState;

use crate::judge::hazards::asked::Asked;
use crate::judge::hazards::facts::{Intent, Judged, Run, Trace, Whole, World};
use crate::judge::hazards::plain::{Plain, Rules};
use crate::judge::hazards::{Evaluation, Findings, Hazard, Subject, Tie};
use crate::model::row::{At, Attempt, SourceNo, attempt_flag, record_flag};
use crate::model::time::Micros;
use crate::sources::spec::What;

use super::brief::is_read;
use super::builder::hash_with;
use super::case::Case;
use super::desk::{Desk, Only};
use super::group::Op;
use super::reread::attempt_id;
use super::run::PARTS;
use intents::Reads;
use seen::Seen;

/// Partitions that one worker looks at before what it found is put together.
const TOGETHER: usize = 16;

/// Ids of attempts that one worker reads before it takes others.
const NAMED_TOGETHER: usize = 256;

impl Case {
    /// Every hazard of the case, as far as it can be looked at. Attempts have numbers and places, no ids: see
    /// [`Case::name_attempts`].
    pub fn hazards(&self, asked: &Asked) -> Evaluation {
        let mut world = self.hazard_world(asked);
        let mut whole = Whole { judged: self.judged(asked), ..Whole::default() };
        self.costs(&mut world, &mut whole);
        let seen = self.each_intent(&world, &whole);
        let runs = self.hazard_runs(seen.sums, seen.loose, asked);
        let plans = runs.iter().any(|run| !run.plan.is_empty());
        let mut findings = seen.findings;
        (whole.finished, whole.unknown) = (seen.finished, seen.unknown);
        let tool = |no| self.tables.tools.text(no).to_owned();
        whole.repeated = seen.repeated.into_iter().map(tool).collect();
        let named = |((run, of), when)| ((self.tables.run_ids.text(run).to_owned(), tool(of)), when);
        whole.last_effect = seen.last_effect.into_iter().map(named).collect();
        self.tied(Tie::Key, &seen.keys, &world, &mut findings);
        self.tied(Tie::Order, &seen.orders, &world, &mut findings);
        self.parents(&world, &mut findings);
        for run in &runs {
            findings.run(run, &world);
        }
        findings.whole(&whole, &runs, &world);
        let mut evaluation = Evaluation::new(findings, &whole, plans, &world);
        evaluation.quieten(&self.spec.hushed, self.setting.now);
        evaluation
    }

    /// Fills in the ids of attempts, read again at their places: for who tells them.
    pub fn name_attempts<'h>(&self, hazards: impl IntoIterator<Item = &'h mut Hazard>) {
        let mut attempts: Vec<&mut Subject> =
            hazards.into_iter().flat_map(|hazard| &mut hazard.place.attempts).collect();
        let places: Vec<Option<At>> = attempts.iter().map(|attempt| attempt.at).collect();
        let parts: Vec<&[Option<At>]> = places.chunks(NAMED_TOGETHER).collect();
        let id = |at: &Option<At>| {
            let at = (*at)?;
            let place = || self.places.words(at).replace(" line ", ":");
            Some(attempt_id(&*self.places, at).unwrap_or_else(place))
        };
        let ids = super::each(self.threads, parts.len(), |no| {
            parts.get(no).copied().unwrap_or_default().iter().map(id).collect::<Vec<_>>()
        });
        for (attempt, id) in attempts.iter_mut().zip(ids.into_iter().flatten()) {
            attempt.id = id.unwrap_or_default();
        }
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
            sources: (0u16..)
                .take(self.spec.sources.len())
                .map(|no| self.source_name(SourceNo(no)))
                .collect(),
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
        let mut last = None;
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
                } else if last != Some((no, row.tool))
                    && let Some(tools) = tools.get_mut(no)
                {
                    last = Some((no, row.tool));
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

    /// Looks at every intent; those at which no rule can find anything are only counted.
    fn each_intent(&self, world: &World<'_>, whole: &Whole) -> Seen {
        let reads = Reads::new(self);
        let plain =
            Plain::new(&self.setting, world.asked, world.records, |tool| self.tables.tools.text(tool));
        let effects = !whole.costs.is_empty();
        let parts = self.with_store(|store| {
            super::each(self.threads, PARTS / TOGETHER, |no| {
                let mut seen = Seen::default();
                for part in no * TOGETHER..(no + 1) * TOGETHER {
                    let desk = Desk::new(store, part, Only::All);
                    for no in 0..desk.len() {
                        self.see(store, &desk, no, effects, &mut seen);
                        self.look(&desk, no, &plain, &reads, world, &mut seen.findings);
                    }
                }
                seen
            })
        });
        let mut all = Seen::default();
        for part in parts {
            all.append(part);
        }
        all
    }

    /// Asks the rules of one intent that can find anything at this one.
    fn look(
        &self,
        desk: &Desk<'_>,
        no: usize,
        plain: &Plain<'_>,
        reads: &Reads,
        world: &World<'_>,
        findings: &mut Findings,
    ) {
        let recorded = desk.recorded(no)[0].is_some();
        let rules = desk.facts(no).map_or(Rules::NONE, |facts| plain.rules(&facts, recorded));
        let found = |rules: Rules, findings: &mut Findings| {
            if let Some(intent) = self.hazard_intent(desk, no, world, reads, false) {
                findings.intent(&intent, rules, world);
            }
            findings.len()
        };
        debug_assert!(
            found(rules, &mut Findings::default()) == found(Rules::ALL, &mut Findings::default()),
            "a rule finds something and was not asked: {rules:?}, {:?}",
            desk.op(no)
        );
        if rules != Rules::NONE {
            found(rules, findings);
        }
    }

    /// Intents that share a print are laid out together; what they share is then compared as text.
    fn tied(&self, tie: Tie, prints: &[(u64, Op)], world: &World<'_>, findings: &mut Findings) {
        let prints = seen::shared(prints);
        let groups: Vec<Vec<Op>> = prints
            .chunk_by(|a, b| a.0 == b.0)
            .filter(|group| group.len() > 1)
            .map(|group| group.iter().map(|(_, op)| *op).collect())
            .collect();
        let intents = self.whole_intents(groups.iter().flatten().copied().collect(), world);
        for ops in groups {
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
