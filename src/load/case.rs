//! A loaded case: rows, links and judgements, ready to be listed, counted and viewed.

use std::collections::{HashMap, HashSet};
use std::sync::OnceLock;

use foldhash::fast::RandomState;

use crate::judge::facts::{Facts, Meaning, Setting};
use crate::judge::glance::Glance;
use crate::judge::judge;
use crate::judge::judgement::{Class, Judgement, NotCompared};
use crate::judge::price;
use crate::judge::severity::{self, Ranking};
use crate::model::money::{Amount, Money, Wide, parse_decimal, to_exponent};
use crate::model::row::{At, Shared, SourceNo, Status, attempt_flag, effect_flag, record_flag};
use crate::model::time::{Instant, Micros, Res};
use crate::sources::event::ProblemEvent;
use crate::sources::spec::{CaseSpec, What};
use crate::sources::trace::table::traced;

use super::account::Orders;
use super::brief::{self, Brief};
use super::currency::{self, Assumed};
use super::desk::{Desk, Links, Only, Store};
use super::follow::Follow;
use super::group::{Groups, Op};
use super::index::Index;
use super::join::{Declared, LooseRow, Rules, join, loose_rows};
use super::list::List;
use super::places::Places;
use super::reading::Reading;
use super::repeats;
use super::resolve::{NameKind, name_kind, resolve};
use super::run::Run;
use super::scope::{Apart, Scope, sort_out};
use super::setting::{self, Found};
use super::slice::{BadRow, Forms, Noise, Problem, Slice, Tally};
use super::summary::lost_once;
use super::tables::Tables;
use super::tickets::OrderExpectation;
use super::{lineage, near, views};

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
    pub quiet: Vec<(Micros, Op)>,
    /// Ids of sources with declared steps, and the form of each that is shown.
    pub shown_as: Forms,
    /// Briefs of orders that had to be looked at.
    pub briefs: Vec<Brief>,
    /// Rows that stay loose.
    pub loose: Vec<LooseRow>,
    /// Sets of operations whose ids are near-identical.
    pub near: Vec<Vec<Op>>,
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

/// An intent that is not clean, or is divergent.
#[derive(Clone, Debug)]
pub struct Loud {
    /// The intent.
    pub op: Op,
    /// What the judge said.
    pub judgement: Judgement,
    /// Money at risk per unit.
    pub risks: Vec<Money>,
    /// What it adds to the money in one glance, the first of its group.
    pub glance: Glance,
    /// The same where another of its group came first.
    pub glance_again: Option<Glance>,
    /// What violations may have in common.
    pub facet: Facet,
}

/// What violations may have in common; texts as prints.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Facet {
    /// Print of the business id, else of the operation.
    pub order: u64,
    /// Print of the party; 0 is none.
    pub party: u64,
    /// Tool of its first write.
    pub tool: Shared,
    /// Run of its first write.
    pub run: Shared,
    /// Logical source of its first open row or row.
    pub source: u16,
}

impl Facet {
    /// Intents of different tools are not compared for different reasons only where the tool is the reason.
    pub fn tool_if_it_matters(&self, j: &Judgement) -> u16 {
        if j.not_compared == NotCompared::NoLedgerForTool { self.tool.0 } else { 0 }
    }
}

/// What one pass over the partitions found.
#[derive(Default)]
struct Judged {
    loud: Vec<Loud>,
    quiet: Vec<(Micros, Op)>,
    lost: u64,
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
            noise.append(&mut slice.noise);
            attempt_ids.append(&mut slice.attempt_ids);
            effect_ids.append(&mut slice.effect_ids);
            receipts |= slice.receipts;
            keys |= slice.keys;
            problems.extend(slice.unlinkable.drain(..).map(|at| Problem { at, event: no_link() }));
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
        let outside = cut_by_time(&mut runs, &reading, &whats, &mut tallies);
        let assumed = reading
            .tables
            .with(|t| currency::settle(&mut runs, &t.units, &whats, &mut tallies, &mut bad_rows));
        let logical: Vec<u16> = found.iter().map(|f| f.logical).collect();
        let same_id = |a: At, b: At| attempt_id(&*places, a) == attempt_id(&*places, b);
        let twice = repeats::nominate(&attempt_ids);
        let mut conflicts = repeats::attempts(&mut runs, &twice, &same_id);
        let repeated = !twice.is_empty();
        if repeated || outside > 0 {
            runs.iter_mut().for_each(Run::use_again);
        }
        let (more, merged) = repeats::effects(&mut runs, &effect_ids, &reading);
        conflicts.extend(more);
        drop((attempt_ids, effect_ids));
        problems.extend(conflicts.into_iter().map(|c| conflict(&c, &*places)));
        mark_twins(&mut runs, wholes);
        problems.extend(noise_that_names(&runs, &noise, &mut tallies));
        for (f, tally) in found.iter_mut().zip(tallies) {
            f.tally = tally;
        }
        let state = reading.state.clone();
        let tables = reading.tables.into_inner();
        name_kinds(&runs, &tables, &mut found);
        let setting = setting::setting(&spec, &found, &tables, now);
        let write_paths = write_paths(&spec);
        let groups = Groups::new(&runs, threads);
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
            scope: Scope::default(),
            loud: Vec::new(),
            lost: 0,
            quiet: Vec::new(),
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
            near: Vec::new(),
            threads,
            runs,
            groups,
            links: Links::default(),
            logical,
            state,
            write_paths,
        };
        case.tie(&bad_rows);
        case.judge_all();
        case.problems.sort_by_key(|p| p.at);
        case
    }

    /// What facts are made of. The closures read records again, which only rare findings need.
    fn with_store<T>(&self, work: impl FnOnce(&Store<'_>) -> T) -> T {
        let canonical = |at: At| payload_form(&*self.places, at);
        let units = &self.tables.units;
        let accepts = |text: &str| accepted(text, units);
        work(&Store {
            runs: &self.runs,
            groups: &self.groups,
            links: &self.links,
            logical: &self.logical,
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
    fn tie(&mut self, bad_rows: &[BadRow]) {
        let threads = self.threads;
        let rules = self.rules();
        let loose = loose_rows(&self.runs, &self.groups);
        let (links, loose) = self.with_store(|store| join(store, loose, threads));
        self.links = links;
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
        let open = orders.draw_up(&loose, &mut links);
        self.links = links;
        self.two_keys();
        let mut links = std::mem::take(&mut self.links);
        self.links.extra.clone_from(&links.extra);
        self.with_store(|store| lineage::chains(store, &self.setting, &mut links));
        self.near_identical(&mut links);
        self.links = links;
        self.attributes();
        let near: HashSet<_, RandomState> = self.near_rows(&loose);
        let known = self.known_businesses(&loose);
        self.apart =
            sort_out(&self.runs, &self.tables, &self.setting, &self.scope, &known, &near, &open, &loose);
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
        let mut known = HashSet::default();
        if wanted.is_empty() {
            return known;
        }
        for run in &self.runs {
            let calls =
                run.attempts.all().iter().filter(|a| !a.is(attempt_flag::DROPPED)).map(|a| a.business);
            let records = run.records.all().iter().map(|r| r.business);
            for business in calls.chain(records).map(|b| run.bytes(b)).filter(|b| !b.is_empty()) {
                if wanted.contains(business) {
                    known.insert(business.to_vec());
                }
            }
        }
        known
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
            if let Some(sources) = linked.get_mut(usize::from(tool.0))
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
        let mut kinds: Vec<String> = self.tables.tools.iter().map(|(_, name)| name.to_owned()).collect();
        let parts: Vec<Shared> = self.found.iter().flat_map(|f| f.tally.parts.iter().copied()).collect();
        for run in &self.runs {
            for record in run.records.all().iter().filter(|r| r.kind.is_some()) {
                let kind = run.text(record.kind);
                if !kinds.iter().any(|k| k == kind) {
                    kinds.push(kind.to_owned());
                }
            }
        }
        kinds.extend(heads(&self.runs, |run| {
            run.attempts.all().iter().filter(|a| a.name.is_some()).map(|a| a.name).collect()
        }));
        Scope { window: window.map(|(a, b)| (Micros(a.0 - skew), Micros(b.0 + settle + skew))), kinds, parts }
    }

    /// One operation under two keys? Only groups that are named by a key can be.
    fn two_keys(&mut self) {
        let keyed = self.groups.parts.iter().flat_map(|p| &p.first).any(|(r, name)| {
            self.runs.get(*r as usize).is_some_and(|run| name_kind(run.name(*name)).0 == NameKind::Key)
        });
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
        let members = orders.two_keys(&mut links);
        self.links = links;
        let known: HashSet<Op> = self.briefs.iter().map(|b| b.op).collect();
        let more =
            briefs.into_iter().enumerate().filter(|(i, b)| members.contains(i) && !known.contains(&b.op));
        self.briefs.extend(more.map(|(_, b)| b));
    }

    fn near_identical(&mut self, links: &mut Links) {
        self.near = near::near_identical(&self.runs, &self.groups);
        for op in self.near.iter().flatten() {
            links.ties.entry(*op).or_default().near_identical = true;
        }
    }

    /// Loose rows whose operation id is near-identical to an intent's.
    fn near_rows(&self, loose: &[LooseRow]) -> HashSet<super::repeats::Place, RandomState> {
        let ops: HashSet<Op, RandomState> = self.near.iter().flatten().copied().collect();
        let near = |r: &&LooseRow| {
            self.groups.of(&self.runs, r.place.0 as usize, r.row.name).is_some_and(|op| ops.contains(&op))
        };
        if ops.is_empty() { HashSet::default() } else { loose.iter().filter(near).map(|r| r.place).collect() }
    }

    /// Compares expected attributes with the rows, read again: only intents that expect some.
    fn attributes(&mut self) {
        let mut differ = Vec::new();
        let asked = self.runs.iter().any(|r| r.records.all().iter().any(|r| r.attrs.is_some()));
        if !asked {
            return;
        }
        self.with_store(|store| {
            for part in 0..super::run::PARTS {
                let some = store.runs.iter().any(|r| r.records.part(part).iter().any(|r| r.attrs.is_some()));
                if !some {
                    continue;
                }
                let desk = Desk::new(store, part, Only::All);
                for no in 0..desk.len() {
                    if self.attribute(&desk, no).is_some() {
                        differ.extend(desk.op(no));
                    }
                }
            }
        });
        for op in differ {
            self.links.ties.entry(op).or_default().attr_differs = true;
        }
    }

    /// The first expected attribute that a live row of an intent contradicts: field, expected, read.
    pub(super) fn attribute(&self, desk: &Desk, no: usize) -> Option<(String, String, String)> {
        let facts = desk.facts(no)?;
        let (r, record) = desk.recorded(no).into_iter().rev().flatten().find(|(_, r)| r.attrs.is_some())?;
        let text = self.runs.get(r as usize)?.text(record.attrs);
        let expected: std::collections::BTreeMap<String, serde_json::Value> =
            serde_json::from_str(text).ok()?;
        for row in
            facts.rows.iter().filter(|r| r.row.status == Status::Live && !r.row.is(effect_flag::REVERSAL))
        {
            let fields = self.places.fields(row.row.at);
            for (name, want) in &expected {
                let want = want.as_str().map_or_else(|| want.to_string(), str::to_owned);
                let read = fields.iter().find(|(n, _)| n.eq_ignore_ascii_case(name)).map(|(_, v)| v);
                if let Some(read) = read.filter(|read| **read != want) {
                    return Some((name.clone(), want, read.clone()));
                }
            }
        }
        None
    }

    /// Ledger rows with an unreadable amount become problems; those in scope or linked count against a clean result.
    fn unreadable_rows(&mut self, bad_rows: &[BadRow]) {
        let loose: std::collections::HashMap<At, super::repeats::Place, RandomState> =
            self.loose.iter().map(|r| (r.row.at, r.place)).collect();
        for bad in bad_rows.iter().take(Problem::KEPT) {
            let affects = loose.get(&bad.at).is_none_or(|p| self.apart.unreadable_in_scope.contains(p));
            let text = &bad.text;
            let what = format!("amount \"{text}\" {}", bad.bad);
            let bytes = text.len() as u64;
            self.problems.push(Problem {
                at: bad.at,
                event: ProblemEvent { code: "UNREADABLE_ROW", what, bytes, affects_result: affects },
            });
        }
        for bad in bad_rows {
            if let Some(found) = self.found.get_mut(usize::from(bad.at.source().0)) {
                let affects = loose.get(&bad.at).is_none_or(|p| self.apart.unreadable_in_scope.contains(p));
                found.tally.problems += 1;
                found.tally.unreadable += u64::from(affects);
            }
        }
    }

    /// Judges every intent. Clean ones are kept as their number only and judged again when looked at.
    fn judge_all(&mut self) {
        let mut judged = self.judge_parts();
        if self.mark_factor(&judged.loud) {
            judged = self.judge_parts();
        }
        let rates = rates(&self.spec, &self.tables.units);
        let units = &self.tables.units;
        let by_text = |a, b| units.by_text(a, b);
        let ranking = Ranking { rates: &rates, by_text: &by_text };
        judged.loud.sort_by(|a, b| {
            severity::compare(&a.judgement, &b.judgement, &ranking)
                .then_with(|| self.name_of(a.op).cmp(self.name_of(b.op)))
        });
        judged.quiet.sort_unstable();
        self.loud = judged.loud;
        self.quiet = judged.quiet;
        self.lost = judged.lost;
    }

    fn judge_parts(&self) -> Judged {
        let parts = self.with_store(|store| {
            super::each_part(self.threads, |part| {
                let desk = Desk::new(store, part, Only::All);
                let mut judged = Judged::default();
                for no in 0..desk.len() {
                    let (Some(facts), Some(op)) = (desk.facts(no), desk.op(no)) else {
                        continue;
                    };
                    if self.only_reads(&facts) {
                        continue;
                    }
                    let j = judge(&facts, &self.setting);
                    if j.class == Class::Clean && !j.divergent {
                        judged.lost += u64::from(lost_once(&j));
                        judged.quiet.push((j.since, op));
                    } else {
                        judged.loud.push(self.loud(store, &desk, no, op, j));
                    }
                }
                judged
            })
        });
        let mut all = Judged::default();
        for part in parts {
            all.loud.extend(part.loud);
            all.quiet.extend(part.quiet);
            all.lost += part.lost;
        }
        all
    }

    fn loud(&self, store: &Store<'_>, desk: &Desk, no: usize, op: Op, judgement: Judgement) -> Loud {
        let mut glance = Glance::default();
        let mut again = None;
        let mut facet = Facet::default();
        let mut risks = Vec::new();
        if let Some(facts) = desk.facts(no) {
            glance.add(&facts, &self.setting, &judgement, true);
            if judgement.group.is_some() {
                let mut rest = Glance::default();
                rest.add(&facts, &self.setting, &judgement, false);
                again = Some(rest);
            }
            risks = price::per_unit(&facts, &self.setting, &judgement);
            facet = self.facet(store, desk, no, op, &facts);
        }
        Loud { op, judgement, risks, glance, glance_again: again, facet }
    }

    fn facet(&self, store: &Store<'_>, desk: &Desk, no: usize, op: Op, facts: &Facts<'_>) -> Facet {
        let state = foldhash::fast::FixedState::default();
        let print = |text: &[u8]| {
            let mut hasher = std::hash::BuildHasher::build_hasher(&state);
            std::hash::Hasher::write(&mut hasher, text);
            std::hash::Hasher::finish(&hasher).max(1)
        };
        let first = facts.tries.iter().find(|t| !brief::is_read(&self.setting, t.row.tool, t.row.flags));
        let business = brief::business_of(store, desk, no, facts).unwrap_or_default();
        let order = if business.is_empty() { self.name_of(op).to_owned() } else { business };
        let of_calls = facts.tries.iter().zip(desk.try_runs(no)).map(|(t, r)| (*r, t.row.party));
        let of_rows = facts.rows.iter().zip(desk.row_places(no)).map(|(row, p)| (p.0, row.row.party));
        let party = of_calls
            .chain(of_rows)
            .filter_map(|(r, text)| self.runs.get(r as usize).map(|run| run.bytes(text)))
            .find(|p| !p.is_empty())
            .map_or(0, print);
        let of_records = desk.recorded(no).into_iter().flatten();
        let recorded = of_records
            .filter_map(|(r, record)| self.runs.get(r as usize).map(|run| run.bytes(record.party)))
            .find(|p| !p.is_empty())
            .map(print);
        Facet {
            order: print(order.as_bytes()),
            party: recorded.unwrap_or(party),
            tool: first.map_or(Shared::NONE, |t| t.row.tool),
            run: first.map_or(Shared::NONE, |t| t.row.run),
            source: facts
                .rows
                .first()
                .map_or(0, |r| self.logical.get(usize::from(r.row.at.source().0)).copied().unwrap_or(0)),
        }
    }

    /// Calls that only read found no intent.
    fn only_reads(&self, facts: &Facts<'_>) -> bool {
        facts.record.is_none()
            && facts.file.is_none()
            && facts.tries.iter().all(|t| brief::is_read(&self.setting, t.row.tool, t.row.flags))
    }

    /// Factor hint (`1-model.md` 1.2): at least ten linked rows of a source all differ by the same factor.
    fn mark_factor(&mut self, loud: &[Loud]) -> bool {
        let wrong: Vec<&Loud> =
            loud.iter().filter(|l| l.judgement.rule == crate::judge::rules::Rule::R13).collect();
        if wrong.len() < 10 {
            return false;
        }
        let mut by_source: std::collections::HashMap<SourceNo, (u64, Option<i128>, bool), RandomState> =
            std::collections::HashMap::default();
        for Loud { op, judgement: j, .. } in wrong {
            let factor = j.live.zip(j.expected).and_then(|(live, expected)| factor_of(live, expected));
            self.facts_of(*op, |desk, no| {
                for row in desk.facts(no).iter().flat_map(|f| f.rows) {
                    let known = by_source.entry(row.row.at.source()).or_insert((0, factor, true));
                    known.0 += 1;
                    known.2 &= factor.is_some() && known.1 == factor;
                }
            });
        }
        let mut marked = false;
        for (no, (count, _, same)) in by_source {
            let linked = self.found.get(usize::from(no.0)).map_or(0, |f| f.tally.rows);
            let loose = [&self.apart.by_source, &self.apart.open];
            let outside: u64 = loose.iter().filter_map(|of| of.get(&no)).map(|(a, b)| a + b).sum();
            if count >= 10
                && same
                && count == linked.saturating_sub(outside)
                && let Some(source) = self.setting.sources.get_mut(usize::from(no.0))
            {
                source.factor_hint = true;
                marked = true;
            }
        }
        marked
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

    /// Number of intents.
    pub fn intents(&self) -> usize {
        self.loud.len() + self.quiet.len()
    }

    /// The source behind a row.
    pub fn is_copy(&self, no: SourceNo) -> bool {
        self.setting.source(no).is_some_and(|s| matches!(s.meaning, Meaning::CopyOf(_)) && !s.counts)
    }
}

fn factor_of(live: Money, expected: Money) -> Option<i128> {
    if live.unit != expected.unit {
        return None;
    }
    let scale = live.amount.scale.max(expected.amount.scale);
    let (a, b) = (live.amount.wide().at_scale(scale)?, expected.amount.wide().at_scale(scale)?);
    [10, 100, 1000]
        .into_iter()
        .find(|f| a == b * f)
        .or_else(|| [10, 100, 1000].into_iter().find(|f| a * f == b).map(|f| -f))
}

fn no_link() -> ProblemEvent {
    ProblemEvent {
        code: "UNREADABLE_ROW",
        what: "the row has no id that could tie it to a call".to_owned(),
        bytes: 0,
        affects_result: true,
    }
}

fn conflict(c: &repeats::Conflict, places: &dyn Places) -> Problem {
    let first = places.words(c.first);
    let what = if c.ledger {
        format!("the same effect id as {first}, with another {}; the first is kept", c.what)
    } else {
        format!("the same attempt id as {first}, with another {}; the first is kept", c.what)
    };
    Problem { at: c.at, event: ProblemEvent { code: "ID_CONFLICT", what, bytes: 0, affects_result: true } }
}

/// `--since` and `--until` of a trace: calls go by their sending, else by their end; what was recorded outside founds
/// nothing by itself. Gives how many records that are.
fn cut_by_time(runs: &mut [Run], reading: &Reading, whats: &[What], tallies: &mut [Tally]) -> u64 {
    let cut = |no: SourceNo| {
        let source = reading.source(no);
        let is_cut = source.since.is_some() || source.until.is_some();
        (is_cut && whats.get(usize::from(no.0)) == Some(&What::Trace)).then_some(source)
    };
    if !(0u16..).map(SourceNo).zip(whats).any(|(no, _)| cut(no).is_some()) {
        return 0;
    }
    let mut outside = vec![0u64; tallies.len()];
    let mut count = |at: At| {
        if let Some(n) = outside.get_mut(usize::from(at.source().0)) {
            *n += 1;
        }
    };
    for run in runs {
        for row in run.attempts.all_mut().iter_mut().filter(|a| !a.is(attempt_flag::DROPPED)) {
            let time = if row.sent == Micros::NONE { row.ended() } else { row.sent() };
            if cut(row.at.source()).is_some_and(|source| !source.in_time(time)) {
                row.flags |= attempt_flag::DROPPED;
                count(row.at);
            }
        }
        for record in run.records.all_mut() {
            let time = Instant { at: record.recorded, res: Res::Micro };
            if cut(record.at.source()).is_some_and(|source| !source.in_time(time)) {
                record.flags |= record_flag::OUTSIDE;
                count(record.at);
            }
        }
    }
    for (no, (tally, n)) in (0u16..).zip(tallies.iter_mut().zip(&outside)) {
        let Some(source) = cut(SourceNo(no)) else { continue };
        tally.used = tally.used.saturating_sub(*n);
        tally.out_of_time += n;
        tally.window = tally.window.and_then(|(from, to)| {
            let from = source.since.map_or(from, |since| from.max(since));
            let to = source.until.map_or(to, |until| to.min(until));
            (from <= to).then_some((from, to))
        });
    }
    outside.iter().sum()
}

/// What slices learnt of runs and tools.
fn learn(reading: &Reading, slice: &Slice) {
    reading.tables.with(|t| {
        // What one run says is not said of all that share the last number.
        for (run, agent, model) in slice.runs.iter().filter(|(run, _, _)| *run != Shared::MORE) {
            if let Some(info) = t.runs.get_mut(usize::from(run.0)) {
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
        for (run, scenario) in slice.scenarios.iter().filter(|(run, _)| *run != Shared::MORE) {
            if let Some(info) = t.runs.get_mut(usize::from(run.0)) {
                info.scenario.clone_from(scenario);
            }
        }
    });
}

/// Skipped lines that contain the id of a loaded intent or effect are unreadable after all (`1-model.md` 1.4.1).
fn noise_that_names(runs: &[Run], noise: &[Noise], tallies: &mut [Tally]) -> Vec<Problem> {
    const SHORTEST_ID: usize = 4;
    let is_id = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | ':' | '.' | '/' | '#');
    let tokens = |line: &Noise| -> Vec<String> {
        let split = line.text.split(|c: char| !is_id(c)).map(|t| t.trim_matches(['.', ':', ',']));
        split.filter(|t| t.len() >= SHORTEST_ID).map(str::to_owned).collect()
    };
    let wanted: HashSet<Vec<u8>, RandomState> =
        noise.iter().flat_map(tokens).map(String::into_bytes).collect();
    if wanted.is_empty() {
        return Vec::new();
    }
    let mut named: HashSet<&[u8], RandomState> = HashSet::default();
    for run in runs {
        for no in 0..run.names() as u32 {
            let bytes = run.name_bytes(crate::model::row::Name(no));
            if wanted.contains(bytes) {
                named.insert(bytes);
            }
        }
        for bytes in run.effects.all().iter().map(|e| run.bytes(e.id)) {
            if !bytes.is_empty() && wanted.contains(bytes) {
                named.insert(bytes);
            }
        }
    }
    let mut problems = Vec::new();
    for line in noise {
        let Some(id) = tokens(line).into_iter().find(|t| named.contains(t.as_bytes())) else {
            continue;
        };
        if let Some(tally) = tallies.get_mut(usize::from(line.at.source().0)) {
            tally.skipped = tally.skipped.saturating_sub(1);
            tally.used += 1;
            tally.not_used();
        }
        let what = format!("not a record, but it names {id}");
        let event = ProblemEvent { code: "UNREADABLE_LINE", what, bytes: line.bytes, affects_result: true };
        problems.push(Problem { at: line.at, event });
    }
    problems
}

/// Rows without any id that stand twice in the same words (`NO_EFFECT_ID`).
fn mark_twins(runs: &mut [Run], mut wholes: Vec<(u64, At)>) {
    wholes.sort_unstable();
    let twins: HashSet<At, RandomState> = wholes
        .windows(2)
        .filter_map(|w| match w {
            [(a, _), (b, at)] if a == b => Some(*at),
            _ => None,
        })
        .collect();
    if twins.is_empty() {
        return;
    }
    for run in runs {
        for row in run.effects.all_mut().iter_mut().filter(|e| twins.contains(&e.at)) {
            row.flags |= effect_flag::TWIN;
        }
    }
}

/// First parts of names of the form kind:business:request, of the first rows of each run.
fn heads(runs: &[Run], names: impl Fn(&Run) -> Vec<crate::model::row::Name>) -> Vec<String> {
    let mut heads: Vec<String> = Vec::new();
    for run in runs {
        for name in names(run).into_iter().take(256) {
            let text = run.name(name);
            let kind = crate::model::kinds::kind_of("", text, "");
            if !kind.is_empty() && !heads.iter().any(|h| h == kind) {
                heads.push(kind.to_owned());
            }
        }
    }
    heads
}

/// Kinds that the rows of each source name.
fn name_kinds(runs: &[Run], tables: &Tables, found: &mut [Found]) {
    for run in runs {
        for row in run.effects.all().iter().take(256) {
            let Some(f) = found.get_mut(usize::from(row.at.source().0)) else {
                continue;
            };
            let kind = tables.kinds.text(row.kind);
            let generic = row.is(effect_flag::REVERSAL) || kind.eq_ignore_ascii_case("effect");
            let head = crate::model::kinds::kind_of("", run.name(row.name), "");
            for kind in [kind, head].into_iter().filter(|k| !(k.is_empty() || generic && *k == kind)) {
                if f.kinds.len() < 64 && !f.kinds.iter().any(|k| k == kind) {
                    f.kinds.push(kind.to_owned());
                }
            }
        }
    }
}

fn write_paths(spec: &CaseSpec) -> Vec<String> {
    spec.sources
        .iter()
        .filter(|s| s.options.role.as_deref() == Some("write_path"))
        .map(|s| s.id.clone())
        .collect()
}

pub(super) fn attempt_id(places: &dyn Places, at: At) -> Option<String> {
    places
        .fields(at)
        .into_iter()
        .find(|(n, _)| matches!(n.as_str(), "attempt_id" | "call_id" | "tool_attempt_id"))
        .map(|(_, v)| v)
}

/// Print of the canonical payload, so that `200` and `200.0` are one payload where the form exists.
fn payload_form(places: &dyn Places, at: At) -> Option<u64> {
    let fields = places.fields(at);
    let payload =
        fields.iter().find(|(n, _)| matches!(n.as_str(), "payload" | "arguments" | "args" | "input"))?;
    let hash = crate::canon::hash(&payload.1).ok()?;
    u64::from_str_radix(hash.get(..16)?, 16).ok()
}

/// Ranking rates of the config: only for sorting across currencies.
fn rates(spec: &CaseSpec, units: &crate::model::units::Units) -> Vec<(crate::model::units::Unit, Wide)> {
    spec.rank_rates
        .iter()
        .filter_map(|(unit, rate)| Some((units.get(unit)?, parse_decimal(rate).ok()?.wide())))
        .collect()
}

/// Accepted totals: texts such as `EUR 184.10`, or objects with amount and currency.
fn accepted(text: &str, units: &crate::model::units::Units) -> Vec<Money> {
    let Ok(values) = serde_json::from_str::<Vec<serde_json::Value>>(text) else {
        return Vec::new();
    };
    let money = |currency: &str, amount: &str| {
        let unit = units.get(currency)?;
        let amount: Amount = parse_decimal(amount).ok()?;
        let amount = units.exponent(unit).map_or(Some(amount), |e| to_exponent(amount, e).ok())?;
        Some(Money { unit, amount })
    };
    values
        .iter()
        .filter_map(|v| match v {
            serde_json::Value::String(text) => {
                text.split_once([' ', '\u{a0}']).and_then(|(c, a)| money(c, a.trim()))
            }
            serde_json::Value::Object(map) => {
                let currency = map.get("currency").or_else(|| map.get("unit"))?.as_str()?;
                match map.get("amount")? {
                    serde_json::Value::String(a) => money(currency, a),
                    other => money(currency, &other.to_string()),
                }
            }
            _ => None,
        })
        .collect()
}
