//! A loaded case: rows, links and judgements, ready to be listed, counted and viewed.

use std::collections::{HashMap, HashSet};
use std::sync::OnceLock;

use foldhash::fast::RandomState;

use crate::judge::facts::{Meaning, Setting};
use crate::judge::judge;
use crate::judge::judgement::Judgement;
use crate::model::row::{At, Shared, SourceNo, attempt_flag};
use crate::model::time::Micros;
use crate::sources::spec::{CaseSpec, What};
use crate::sources::trace::table::traced;

use super::account::Orders;
use super::brief::{self, Brief};
use super::currency::{self, Assumed};
use super::cut;
use super::desk::{Desk, Links, Only, Store};
use super::follow::Follow;
use super::group::{Groups, Op};
use super::index::Index;
use super::join::{Declared, LooseRow, Rules, join, loose_rows};
use super::judging::Loud;
use super::list::List;
use super::places::Places;
use super::quiet::Quiet;
use super::reading::Reading;
use super::repeats::{self, Place};
use super::reread::{attempt_id, payload_form};
use super::resolve::{NameKind, name_kind, resolve};
use super::run::Run;
use super::scope::{Apart, Scope, sort_out};
use super::setting::{self, Found};
use super::slice::{BadRow, Forms, Problem, Slice, Stamp, Tally};
use super::tables::Tables;
use super::tickets::OrderExpectation;
use super::{kinds, late, lineage, near, views};

/// A loaded case.
pub struct Case {
    /// What was asked for.
    pub spec: CaseSpec,
    /// Reads records again.
    pub places: Box<dyn Places + Send>,
    /// Shared tables.
    pub tables: Tables,
    /// What holds for all intents.
    pub setting: Setting,
    /// What was found per source.
    pub found: Vec<Found>,
    /// Units and signs that were assumed per source.
    pub assumed: Vec<Assumed>,
    /// Problems with their places, at most [`Problem::KEPT`] a source.
    /// Intents whose dispositions account for them.
    pub(super) closed: HashSet<Op>,
    pub(super) problems: Vec<Problem>,
    /// Rows without an attempt.
    pub apart: Apart,
    /// What is in scope.
    pub scope: Scope,
    /// Intents that are not clean or are divergent, in the order of the list.
    pub loud: Vec<Loud>,
    /// Clean intents with a lost answer whose effect is there once.
    pub lost: u64,
    /// All others, by (first send, place).
    pub quiet: Quiet,
    /// Ids of sources with declared steps, and the form of each that is shown.
    pub shown_as: Forms,
    /// Briefs of orders that had to be looked at.
    pub briefs: Vec<Brief>,
    /// Rows that stay loose.
    pub loose: Vec<LooseRow>,
    /// Rows of calls outside the window that was asked for; they stay loose too.
    pub(super) of_cut: HashSet<Place, RandomState>,
    /// Sets of operations whose ids are near-identical.
    pub near: Vec<Vec<Op>>,
    /// Rows that are not linked, with a key near-identical to one of an intent; sorted.
    pub near_keys: Vec<(Op, Place)>,
    /// Threads to use.
    pub threads: usize,
    pub(super) expected: Vec<OrderExpectation>,
    pub(super) receipts: bool,
    pub(super) keys: bool,
    pub(super) merged: u64,
    /// Calls are counted from their rows, not from what was tallied while reading.
    pub(super) by_rows: bool,
    pub(super) kinds: Option<HashMap<String, Shared, RandomState>>,
    pub(super) list: OnceLock<List>,
    pub(super) index: OnceLock<Index>,
    pub(super) order: OnceLock<Vec<u32>>,
    pub(super) runs: Vec<Run>,
    pub(super) groups: Groups,
    pub(super) links: Links,
    pub(super) logical: Vec<u16>,
    /// Hash seed of the prints of ids.
    pub(super) state: RandomState,
    pub(super) write_paths: Vec<String>,
}

/// Everything a case is put together from.
pub struct Parts {
    /// What was asked for.
    pub spec: CaseSpec,
    /// How it was read.
    pub reading: Reading,
    /// What the workers read.
    pub slices: Vec<Slice>,
    /// What was found per source; tallies are added here.
    pub found: Vec<Found>,
    /// Reads records again.
    pub places: Box<dyn Places + Send>,
    /// The clock.
    pub now: Micros,
    /// Threads to use.
    pub threads: usize,
}

impl Case {
    /// Resolves, groups, joins and judges what was read.
    pub fn new(parts: Parts) -> Self {
        let Parts { spec, reading, mut slices, mut found, places, now, threads } = parts;
        let mut tallies = vec![Tally::default(); spec.sources.len()];
        let (mut problems, mut bad_rows) = (Vec::new(), Vec::new());
        let (mut wholes, mut shown_as, mut noise) = (Vec::new(), Forms::default(), Vec::new());
        let (mut attempt_ids, mut effect_ids) = (Vec::new(), Vec::new());
        let (mut receipts, mut keys) = (false, false);
        let mut derived: HashMap<At, String, RandomState> = HashMap::default();
        let mut stamps: HashMap<At, Stamp, RandomState> = HashMap::default();
        for slice in &mut slices {
            for (mine, theirs) in tallies.iter_mut().zip(&slice.tallies) {
                mine.merge(theirs);
            }
            problems.append(&mut slice.problems);
            bad_rows.append(&mut slice.bad_rows);
            wholes.append(&mut slice.wholes);
            for (same, (form, text)) in slice.shown_as.drain() {
                let known = shown_as.entry(same).or_insert_with(|| (form, text.clone()));
                if form < known.0 {
                    *known = (form, text);
                }
            }
            derived.extend(slice.derived.drain(..));
            stamps.extend(slice.stamps.drain(..));
            noise.append(&mut slice.noise);
            attempt_ids.push(std::mem::take(&mut slice.attempt_ids));
            effect_ids.push(std::mem::take(&mut slice.effect_ids));
            receipts |= slice.receipts;
            keys |= slice.keys;
            problems.extend(slice.unlinkable.drain(..).map(|at| Problem { at, event: late::no_link() }));
            learn(&reading, slice);
        }
        shown_as.retain(|same, (_, form)| same != form);
        let views: Vec<_> = found.iter().map(|f| traced(&f.format).map(|format| format.view)).collect();
        let one = reading.tables.with(|tables| views::merge(&mut slices, &views, tables));
        let resolved = resolve(&mut slices, &reading);
        let (mut runs, expected) = (resolved.runs, resolved.orders);
        for conflict in resolved.conflicts {
            if let Some(tally) = tallies.get_mut(usize::from(conflict.at.source().0)) {
                tally.not_used();
            }
            problems.push(conflict);
        }
        drop(slices);
        let whats: Vec<What> = spec.sources.iter().map(|s| s.what).collect();
        let outside = cut::by_time(&mut runs, &reading, &whats, &mut tallies);
        let assumed = reading
            .tables
            .with(|t| currency::settle(&mut runs, &t.units, &whats, &mut tallies, &mut bad_rows));
        let logical: Vec<u16> = found.iter().map(|f| f.logical).collect();
        let same_id = |a: At, b: At| attempt_id(&*places, a) == attempt_id(&*places, b);
        let twice = repeats::nominate(&attempt_ids, threads);
        let mut conflicts = repeats::attempts(&mut runs, &twice, &same_id);
        let repeated = !twice.is_empty();
        if repeated || outside > 0 {
            runs.iter_mut().for_each(Run::use_again);
        }
        let (more, merged) = repeats::effects(&mut runs, &effect_ids, &stamps, &reading, threads);
        conflicts.extend(more);
        drop((attempt_ids, effect_ids, stamps));
        problems.extend(conflicts.into_iter().map(|c| late::conflict(&c, &*places)));
        late::mark_twins(&mut runs, wholes);
        problems.extend(late::noise_that_names(&runs, &noise, &mut tallies));
        for (f, tally) in found.iter_mut().zip(tallies) {
            f.tally = tally;
        }
        super::went_back::compare(&spec, &mut found);
        let state = reading.state.clone();
        let whole = (None, None);
        let asked: Vec<(Option<Micros>, Option<Micros>)> = whats
            .iter()
            .zip(&reading.sources)
            .map(|(what, s)| if *what == What::Trace { (s.since, s.until) } else { whole })
            .collect();
        let cut = cut::asked_for(&asked, &found);
        let tables = reading.tables.into_inner();
        kinds::of_rows(&runs, &tables, threads, &mut found);
        let setting = setting::setting(&spec, &found, &tables, now);
        let write_paths = write_paths(&spec);
        let groups = Groups::new(&runs, threads);
        runs.iter_mut().for_each(Run::forget_hashes);
        let mut case = Self {
            shown_as,
            spec,
            places,
            tables,
            setting,
            found,
            assumed,
            problems,
            apart: Apart::default(),
            scope: Scope { cut, ..Scope::default() },
            closed: HashSet::default(),
            loud: Vec::new(),
            lost: 0,
            quiet: Quiet::default(),
            expected,
            receipts,
            keys,
            merged,
            by_rows: repeated || resolved.strays > 0 || outside > 0 || one > 0,
            kinds: None,
            list: OnceLock::new(),
            index: OnceLock::new(),
            order: OnceLock::new(),
            briefs: Vec::new(),
            loose: Vec::new(),
            of_cut: HashSet::default(),
            near: Vec::new(),
            near_keys: Vec::new(),
            threads,
            runs,
            groups,
            links: Links::default(),
            logical,
            state,
            write_paths,
        };
        case.tie(&bad_rows, &derived);
        case.judge_all();
        case.problems.sort_by_key(|p| p.at);
        case
    }

    /// What facts are made of. The closures read records again, which only rare findings need.
    pub(super) fn with_store<T>(&self, work: impl FnOnce(&Store<'_>) -> T) -> T {
        let canonical = |at: At| payload_form(&*self.places, at);
        let units = &self.tables.units;
        let accepts = |text: &str| super::accept::totals(text, units);
        work(&Store {
            runs: &self.runs,
            groups: &self.groups,
            links: &self.links,
            logical: &self.logical,
            book: self
                .spec
                .sources
                .iter()
                .position(|s| s.options.book)
                .and_then(|no| u16::try_from(no).ok())
                .map(SourceNo),
            write_paths: &self.write_paths,
            receipts: self.receipts,
            keys: self.keys,
            intents_complete: self.setting.intents_complete,
            kinds: self.kinds.as_ref().map(|k| (k, &self.tables.tools)),
            canonical: &canonical,
            accepts: &accepts,
        })
    }

    /// Texts of rows, for views.
    pub(super) fn with_texts<T>(&self, work: impl FnOnce(&Store<'_>) -> T) -> T {
        self.with_store(work)
    }

    /// Everything between grouping and judging.
    fn tie(&mut self, bad_rows: &[BadRow], derived: &HashMap<At, String, RandomState>) {
        let threads = self.threads;
        let rules = self.rules();
        let loose = loose_rows(&self.runs, &self.groups);
        let (links, loose) = self.with_store(|store| join(store, loose, threads));
        self.links = links;
        let loose = self.by_hand(loose);
        let mut of_cut = Vec::new();
        let mut loose = self.by_derived_key(loose, derived);
        if self.scope.cut.is_some() {
            self.of_cut = cut::rows(&self.runs, &self.setting, &loose);
            (of_cut, loose) = loose.into_iter().partition(|r| self.of_cut.contains(&r.place));
        }
        let businesses = self.businesses_of(&loose);
        self.briefs =
            self.with_store(|store| brief::briefs(store, &self.setting, &self.tables, &businesses, threads));
        let mut links = std::mem::take(&mut self.links);
        let loose = self.orders(None).declared(&rules.declared, loose, &mut links);
        let follow =
            Follow { runs: &self.runs, groups: &self.groups, setting: &self.setting, briefs: &self.briefs };
        let loose = follow.tie(loose, &mut links);
        self.links = links;
        self.record_tools();
        self.scope = self.scope_of();
        let mut setting = self.setting.clone();
        let kinds = self.scope.kinds.clone();
        self.kinds = setting::hold_kinds(&self.spec, &self.found, &kinds, &mut self.tables, &mut setting);
        self.setting = setting;
        let window = self.scope.window;
        let mut links = std::mem::take(&mut self.links);
        let orders = self.orders(window);
        let open = orders.draw_up(&self.without_rejected(&loose), &mut links);
        self.links = links;
        self.two_keys();
        let mut links = std::mem::take(&mut self.links);
        self.links.extra.clone_from(&links.extra);
        self.with_store(|store| lineage::chains(store, &self.setting, &mut links));
        let nobodys = self.without_rejected(&loose);
        self.near_identical(&mut links, &nobodys);
        self.links = links;
        self.attributes();
        let near: HashSet<_, RandomState> = self.near_rows(&loose);
        let known = self.known_businesses(&loose);
        let mut loose = loose;
        loose.append(&mut of_cut);
        self.apart = sort_out(
            &self.runs,
            &self.tables,
            &self.setting,
            &self.scope,
            &known,
            &near,
            &open,
            &self.of_cut,
            &loose,
        );
        self.loose = loose;
        self.unreadable_rows(bad_rows);
    }

    fn orders(&self, window: Option<(Micros, Micros)>) -> Orders<'_> {
        Orders {
            runs: &self.runs,
            setting: &self.setting,
            tables: &self.tables,
            briefs: &self.briefs,
            expected: &self.expected,
            window,
        }
    }

    fn rules(&self) -> Rules {
        let declared = |join: &[String]| {
            let join: Vec<&str> = join.iter().map(String::as_str).collect();
            join.contains(&"business_id")
                .then(|| Declared { amount: join.contains(&"amount"), window: join.contains(&"window") })
        };
        Rules {
            declared: self
                .spec
                .sources
                .iter()
                .map(|s| {
                    let own = if s.options.join.is_empty() { &self.spec.join } else { &s.options.join };
                    declared(own).filter(|_| s.what == What::Ledger)
                })
                .collect(),
        }
    }

    fn businesses_of(&self, loose: &[LooseRow]) -> HashSet<Vec<u8>, RandomState> {
        let business =
            |r: &LooseRow| self.runs.get(r.place.0 as usize).map(|run| run.bytes(r.row.business).to_vec());
        loose.iter().filter_map(business).filter(|b| !b.is_empty()).collect()
    }

    /// Which of the rows' business ids are those of an intent.
    fn known_businesses(&self, loose: &[LooseRow]) -> HashSet<Vec<u8>, RandomState> {
        let wanted = self.businesses_of(loose);
        if wanted.is_empty() {
            return HashSet::default();
        }
        let asked = brief::Asked::new(&wanted);
        let known = super::each(self.threads, self.runs.len(), |no| {
            let Some(run) = self.runs.get(no) else { return Vec::new() };
            let calls =
                run.attempts.all().iter().filter(|a| !a.is(attempt_flag::DROPPED)).map(|a| a.business);
            let records = run.records.all().iter().map(|r| r.business);
            let mine = calls.chain(records).map(|b| run.bytes(b)).filter(|b| asked.has(b));
            mine.map(<[u8]>::to_vec).collect()
        });
        known.into_iter().flatten().collect()
    }

    /// Which ledger records which tool, by the links that were found (`4-sources.md` 4.12).
    fn record_tools(&mut self) {
        let writes = self.setting.tools.iter().skip(1).filter(|t| !t.read).count();
        if writes < 2 {
            return;
        }
        let mut linked: Vec<Vec<SourceNo>> = vec![Vec::new(); self.setting.tools.len()];
        let parts = self.with_store(|store| {
            super::each_part(self.threads, |part| {
                let desk = Desk::new(store, part, Only::All);
                let mut pairs: HashSet<(Shared, SourceNo), RandomState> = HashSet::default();
                for no in 0..desk.len() {
                    let Some(facts) = desk.facts(no) else { continue };
                    for row in facts.rows {
                        pairs.extend(facts.tries.iter().map(|t| (t.row.tool, row.row.at.source())));
                    }
                }
                pairs
            })
        });
        for (tool, source) in parts.into_iter().flatten() {
            if let Some(sources) = linked.get_mut(tool.place())
                && !sources.contains(&source)
            {
                sources.push(source);
            }
        }
        let mut setting = self.setting.clone();
        setting::record_tools(&self.spec, &self.tables, &mut setting, &linked);
        self.setting = setting;
    }

    /// Window, kinds and partitions of what was tried.
    fn scope_of(&self) -> Scope {
        let settle = self.setting.tools.iter().map(|t| t.settle).max().unwrap_or(0);
        let mut window: Option<(Micros, Micros)> = None;
        for (source, found) in self.spec.sources.iter().zip(&self.found) {
            if source.what != What::Trace {
                continue;
            }
            let declared = |t: &Option<String>| {
                t.as_deref().and_then(|t| setting::config_time(t, &crate::model::time::Zone::Utc))
            };
            if let Some((from, to)) = found.tally.window {
                let from = declared(&source.options.from).unwrap_or(from);
                let to = declared(&source.options.to).unwrap_or(to);
                window = Some(window.map_or((from, to), |(a, b)| (a.min(from), b.max(to))));
            }
        }
        let skew = self.setting.client_skew;
        let kinds = kinds::of_intents(&self.runs, &self.tables, self.threads);
        let parts = self.found.iter().flat_map(|f| f.tally.parts.iter().copied()).collect();
        let words = kinds.iter().map(String::as_str).collect();
        let window = window.map(|(a, b)| (Micros(a.0 - skew), Micros(b.0 + settle + skew)));
        Scope { window, kinds, words, parts, cut: self.scope.cut }
    }

    /// One operation under two keys? Only groups that are named by a key can be.
    fn two_keys(&mut self) {
        let keyed = self.groups.parts.iter().flat_map(|p| &p.kinds).any(|kind| *kind == NameKind::Key);
        if !keyed {
            return;
        }
        let mut businesses: HashSet<Vec<u8>, RandomState> = HashSet::default();
        for run in &self.runs {
            for row in run.attempts.all().iter().filter(|a| a.business.is_some()) {
                if name_kind(run.name(row.name)).0 == NameKind::Key {
                    businesses.insert(run.bytes(row.business).to_vec());
                }
            }
            businesses.extend(
                run.effects
                    .all()
                    .iter()
                    .filter(|e| e.business.is_some())
                    .map(|e| run.bytes(e.business).to_vec()),
            );
        }
        let briefs = self
            .with_store(|store| brief::briefs(store, &self.setting, &self.tables, &businesses, self.threads));
        let mut links = std::mem::take(&mut self.links);
        let orders = Orders { briefs: &briefs, ..self.orders(None) };
        let members: HashSet<usize, RandomState> = orders.two_keys(&mut links).into_iter().collect();
        self.links = links;
        let known: HashSet<Op> = self.briefs.iter().map(|b| b.op).collect();
        let more =
            briefs.into_iter().enumerate().filter(|(i, b)| members.contains(i) && !known.contains(&b.op));
        self.briefs.extend(more.map(|(_, b)| b));
    }

    fn near_identical(&mut self, links: &mut Links, loose: &[LooseRow]) {
        self.near = near::near_identical(&self.runs, &self.groups, self.threads);
        self.near_keys = near::near_keys(&self.runs, &self.groups, loose);
        for op in self.near.iter().flatten().chain(self.near_keys.iter().map(|(op, _)| op)) {
            links.ties.entry(*op).or_default().near_identical = true;
        }
    }

    /// Loose rows whose operation id or key is near-identical to an intent's.
    fn near_rows(&self, loose: &[LooseRow]) -> HashSet<Place, RandomState> {
        let ops: HashSet<Op, RandomState> = self.near.iter().flatten().copied().collect();
        let near = |r: &&LooseRow| {
            self.groups.of(&self.runs, r.place.0 as usize, r.row.name).is_some_and(|op| ops.contains(&op))
        };
        let by_key = self.near_keys.iter().map(|(_, place)| *place);
        if ops.is_empty() {
            by_key.collect()
        } else {
            loose.iter().filter(near).map(|r| r.place).chain(by_key).collect()
        }
    }

    /// Lays one intent on a desk.
    pub fn facts_of<T>(&self, op: Op, look: impl FnOnce(&Desk, usize) -> T) -> Option<T> {
        let (part, no) = self.groups.place(op);
        self.with_store(|store| {
            let desk = Desk::new(store, part, Only::One(no));
            (!desk.is_empty()).then(|| look(&desk, 0))
        })
    }

    /// The judgement of an intent, judged again where it is clean.
    pub fn judgement(&self, op: Op) -> Option<Judgement> {
        self.facts_of(op, |desk, no| desk.facts(no).map(|f| judge(&f, &self.setting))).flatten()
    }

    /// Operation id, key or group's name of an operation.
    pub fn name_of(&self, op: Op) -> &str {
        let Some((r, name)) = self.groups.first(op) else {
            return "";
        };
        self.runs.get(r as usize).map_or("", |run| run.name(name))
    }

    /// The clean intents in the order of the list.
    pub(super) fn clean_in_order(&self) -> &[super::quiet::Clean] {
        self.quiet.in_order(|op| self.name_of(op))
    }

    /// Number of intents.
    pub fn intents(&self) -> usize {
        self.loud.len() + self.quiet.len()
    }

    /// The source behind a row.
    pub fn is_copy(&self, no: SourceNo) -> bool {
        self.setting.source(no).is_some_and(|s| matches!(s.meaning, Meaning::CopyOf(_)) && !s.counts)
    }
}

/// What slices learnt of runs and tools.
fn learn(reading: &Reading, slice: &Slice) {
    reading.tables.with(|t| {
        for (run, agent, model) in &slice.runs {
            if let Some(info) = t.runs.get_mut(run.place()) {
                if info.agent.is_empty() {
                    info.agent.clone_from(agent);
                }
                if info.model.is_empty() {
                    info.model.clone_from(model);
                }
            }
        }
        for hint in &slice.roles {
            if !t.hints.contains(hint) {
                t.hints.push(*hint);
            }
        }
        for (run, scenario, at) in &slice.scenarios {
            if let Some(info) = t.runs.get_mut(run.place()) {
                if !scenario.is_empty() {
                    info.scenario.clone_from(scenario);
                }
                info.begun = Some(info.begun.map_or(*at, |known| known.min(*at)));
            }
        }
    });
}

fn write_paths(spec: &CaseSpec) -> Vec<String> {
    spec.sources
        .iter()
        .filter(|s| s.options.role.as_deref() == Some("write_path"))
        .map(|s| s.id.clone())
        .collect()
}
