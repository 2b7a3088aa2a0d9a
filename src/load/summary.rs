//! The summary of a case (`2-judge.md` 2.12, `7-commands.md` 7.5.6 and 7.5.7). Rows count groups once, money too.

use std::collections::{BTreeMap, HashMap, HashSet};

use crate::judge::findings;
use crate::judge::judgement::{AtMostOnce, Class, Judgement, NotCompared, RetryOrigin};
use crate::judge::rules::Rule;
use crate::judge::severity;
use crate::judge::view::{Common, ResultWord, Summary};
use crate::model::money::Totals;
use crate::model::outcome;
use crate::model::row::{Attempt, SourceNo, State, attempt_flag, effect_flag};
use crate::model::time::{Micros, clock};
use crate::sources::spec::{Filter, What};

use super::case::Case;
use super::judging::Loud;
use super::list::Entry;
use super::run::Run;

/// What is asked of the case as a whole.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Property {
    /// Everything decided and as intended.
    #[default]
    Settled,
    /// No more than intended took place.
    AtMostOnce,
}

impl Property {
    /// The word of `--property`.
    pub fn word(self) -> &'static str {
        match self {
            Self::Settled => "settled",
            Self::AtMostOnce => "at-most-once",
        }
    }
}

/// How a result is asked for.
#[derive(Clone, Copy, Debug, Default)]
pub struct Ask {
    /// The property.
    pub property: Property,
    /// `--allow-open`.
    pub allow_open: bool,
    /// `--allow-remediated`.
    pub allow_remediated: bool,
    /// One intent only.
    pub only_intent: Option<super::group::Op>,
    /// `--stop-at-first`: only as many intents count, in the order of the list.
    pub stop_at_first: bool,
    /// The clock is fixed.
    pub clock_fixed: bool,
}

/// The code of rows without an attempt, where they are a violation.
const ORPHAN_EFFECT: &str = "ORPHAN_EFFECT";

/// Share of the violations, in percent, that a common factor has to cover.
const COMMON_SHARE: u64 = 80;

impl Case {
    /// The summary.
    pub fn summary(&self, ask: &Ask) -> Summary {
        let stop = ask.stop_at_first.then(|| self.first_violation(ask)).flatten();
        let chosen = |place: usize, l: &Loud| {
            ask.only_intent.is_none_or(|op| op == l.op) && stop.is_none_or(|at| place <= at)
        };
        let loud: Vec<&Loud> =
            self.loud.iter().enumerate().filter(|(i, l)| chosen(*i, l)).map(|(_, l)| l).collect();
        let quiet = match (ask.only_intent, stop) {
            (Some(op), _) => u64::from(self.quiet.ops().any(|q| q == op)),
            (None, Some(_)) => 0,
            (None, None) => self.quiet.len() as u64,
        };
        let mut s = self.empty_summary(ask);
        s.intents = if stop.is_some() { self.intents() as u64 } else { loud.len() as u64 + quiet };
        s.stopped_after = stop.map(|at| at as u64 + 1);
        self.count_rows(&mut s, &loud, quiet, ask.only_intent.is_some() || stop.is_some());
        Self::count_money(&mut s, &loud);
        self.count_violations(&mut s, &loud, ask);
        if ask.only_intent.is_none() && stop.is_none() {
            self.answers_lost(&mut s);
            self.count_apart(&mut s);
        }
        s.result = self.result(&s, &loud, quiet, ask);
        s
    }

    /// Place of the first violation in the order of the list.
    fn first_violation(&self, ask: &Ask) -> Option<usize> {
        self.loud.iter().position(|l| self.violated(l, ask))
    }

    /// Whether an intent violates the property. What is closed did happen, and is left out only where that is asked for.
    fn violated(&self, l: &Loud, ask: &Ask) -> bool {
        violates(&l.judgement, ask) && !(ask.allow_remediated && self.closed.contains(&l.op))
    }

    fn empty_summary(&self, ask: &Ask) -> Summary {
        let (trace, ledger) = self.counts();
        let window = self.window();
        let kinds = self.kinds();
        let mut tools: Vec<String> = self
            .setting
            .tools
            .iter()
            .zip(std::iter::once("").chain(self.tables.tools.iter().map(|(_, n)| n)))
            .filter(|(t, name)| !t.read && !name.is_empty())
            .map(|(_, name)| name.to_owned())
            .collect();
        tools.sort();
        Summary {
            result: ResultWord::NoViolationObserved,
            property: ask.property.word(),
            now: self.setting.now,
            clock_fixed: ask.clock_fixed,
            as_of_entry: self.spec.as_of_entry,
            notices: self.notices(),
            final_by_declaration: self.setting.final_by_declaration,
            intents: 0,
            attempts: self.writes(),
            effects: self.effects_once(),
            rows: 0,
            violations: 0,
            undecided: 0,
            open: 0,
            clean: 0,
            divergent: 0,
            orphans: self.apart.unattributed,
            outside: Some(self.apart.outside),
            outside_totals: self.apart.outside_totals.clone(),
            orphan_totals: self.apart.unattributed_totals.clone(),
            answers_lost: 0,
            overdue: 0,
            closed: u64::try_from(self.closed.len()).unwrap_or(u64::MAX),
            unreadable_trace: trace.0,
            unreadable_ledger: ledger.0,
            skipped_trace: trace.1,
            skipped_ledger: ledger.1,
            at_risk: Totals::default(),
            undecided_at_risk: Totals::default(),
            out_too_much: Totals::default(),
            probably_too_much: Totals::default(),
            may_still_go_out: Totals::default(),
            owed: Totals::default(),
            by_verdict: Vec::new(),
            by_label: Vec::new(),
            orders: 0,
            parties: 0,
            first: Micros::NONE,
            last: Micros::NONE,
            oldest_unknown: Micros::NONE,
            common: None,
            not_compared: self.not_compared(),
            from: window.map_or(Micros::NONE, |w| w.0),
            to: window.map_or(Micros::NONE, |w| w.1),
            kinds,
            tools,
            trace_complete: self.setting.trace_complete,
            filters: self.spec.sources.iter().flat_map(|s| &s.options.scope).map(Filter::words).collect(),
            stopped_after: None,
            has_intent_log: self.runs.iter().any(|r| !r.records.is_empty()),
            currency_assumed: self
                .assumed
                .iter()
                .filter_map(|a| a.unit)
                .map(|u| self.tables.units.text(u).to_owned())
                .find(|u| u != "?"),
        }
    }

    /// (unreadable, skipped) of traces and of ledgers.
    fn counts(&self) -> ((u64, u64), (u64, u64)) {
        let (mut trace, mut ledger) = ((0, 0), (0, 0));
        for (source, found) in self.spec.sources.iter().zip(&self.found) {
            let side = if source.what == What::Ledger { &mut ledger } else { &mut trace };
            side.0 += found.tally.unreadable;
            side.1 += found.tally.skipped;
        }
        ledger.0 += self
            .problems
            .iter()
            .filter(|p| self.is_ledger(p.at.source()) && counted_late(p.event.code))
            .count() as u64;
        trace.0 += self
            .problems
            .iter()
            .filter(|p| !self.is_ledger(p.at.source()) && counted_late(p.event.code))
            .count() as u64;
        (trace, ledger)
    }

    fn is_ledger(&self, no: SourceNo) -> bool {
        self.spec.sources.get(usize::from(no.0)).is_some_and(|s| s.what == What::Ledger)
    }

    /// Window of what was tried, without skew and settle.
    pub(super) fn window(&self) -> Option<(Micros, Micros)> {
        self.found.iter().filter_map(|f| f.tally.window).reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)))
    }

    /// Kinds of intents that are no tools.
    fn kinds(&self) -> Vec<String> {
        let recorded: HashSet<&str> =
            self.runs.iter().flat_map(|run| run.records.all().iter().map(|r| run.text(r.kind))).collect();
        let is_tool = |kind: &&String| self.tables.tools.get(kind).is_some();
        let named = self.scope.kinds.iter().filter(|k| !is_tool(k) || recorded.contains(k.as_str()));
        named.cloned().collect()
    }

    /// The class of each write attempt, repeats taken off, in no order. No intent is looked at for it.
    pub fn write_classes(&self) -> impl Iterator<Item = outcome::Class> + '_ {
        let write = |row: &&Attempt| {
            !row.is(attempt_flag::DROPPED) && !super::brief::is_read(&self.setting, row.tool, row.flags)
        };
        let rows = self.runs.iter().flat_map(|run| run.attempts.all());
        rows.filter(write).map(|row| row.outcome.class(self.is_open(row)))
    }

    /// It has no end, and its timeout has not passed.
    pub(super) fn is_open(&self, row: &Attempt) -> bool {
        let timeout = self.setting.tool(row.tool).map_or(super::setting::default::TIMEOUT, |t| t.timeout);
        row.ended == Micros::NONE
            && row.sent != Micros::NONE
            && self.setting.now.0 <= row.sent().end().0.saturating_add(timeout)
    }

    /// Write attempts. Repeats are taken off; a record that declares itself a read is one.
    fn writes(&self) -> u64 {
        if self.by_rows || self.found.iter().any(|f| f.tally.declared_reads > 0) {
            let write = |row: &Attempt| {
                !row.is(attempt_flag::DROPPED) && !super::brief::is_read(&self.setting, row.tool, row.flags)
            };
            return self
                .runs
                .iter()
                .map(|r| r.attempts.all().iter().filter(|a| write(a)).count() as u64)
                .sum();
        }
        let calls = self.found.iter().flat_map(|f| f.tally.calls.iter().zip(&self.setting.tools));
        calls.filter(|(_, tool)| !tool.read).map(|(count, _)| *count).sum()
    }

    /// Effects of sources that are not copies, once each.
    fn effects_once(&self) -> u64 {
        if self.merged == 0 {
            let counted = self.found.iter().zip(&self.setting.sources).filter(|(_, s)| s.counts);
            return counted.map(|(f, _)| f.tally.live).sum();
        }
        let counts = |row: &crate::model::row::Effect| {
            !row.is(effect_flag::DROPPED | effect_flag::REVERSAL)
                && row.status == crate::model::row::Status::Live
                && self.setting.source(row.at.source()).is_some_and(|s| s.counts)
        };
        self.runs.iter().map(|r: &Run| r.effects.all().iter().filter(|e| counts(e)).count() as u64).sum()
    }

    fn count_rows(&self, s: &mut Summary, loud: &[&Loud], quiet: u64, each: bool) {
        let mut by_verdict: BTreeMap<&'static str, u64> = BTreeMap::new();
        let mut labels: Vec<(&'static str, u64, Totals)> = Vec::new();
        for l in loud {
            *by_verdict.entry(l.judgement.rule.verdict()).or_default() += 1;
            s.divergent += u64::from(l.judgement.divergent);
            s.overdue += u64::from(l.judgement.overdue);
        }
        s.by_verdict = by_verdict.into_iter().collect();
        // A row counts once, whatever it stands for. Its money does too where the intents are one account or chain.
        let mut row = |members: &[&Loud], apart: bool| {
            let Some(lead) = members.first() else { return };
            s.rows += 1;
            match lead.judgement.class {
                Class::Violation => s.violations += 1,
                Class::Undecided => s.undecided += 1,
                Class::Open => s.open += 1,
                Class::Clean => s.clean += 1,
            }
            let label = severity::label(&lead.judgement);
            let at = labels.iter().position(|(l, _, _)| *l == label).unwrap_or_else(|| {
                labels.push((label, 0, Totals::default()));
                labels.len() - 1
            });
            if let Some((_, count, money)) = labels.get_mut(at) {
                *count += 1;
                let priced = if apart { members.len() } else { 1 };
                let risks = members.iter().take(priced).flat_map(|l| &l.risks);
                for at_risk in risks {
                    money.add(*at_risk);
                }
            }
        };
        if each {
            for l in loud {
                row(&[*l], true);
            }
        } else {
            let of = |m: &[usize]| m.iter().filter_map(|no| self.loud.get(*no)).collect::<Vec<_>>();
            for entry in &self.list().loud {
                match entry {
                    Entry::One(no) => row(&of(&[*no]), true),
                    Entry::Group(m) => row(&of(m), false),
                    Entry::NotCompared(m) | Entry::Fits(m) => row(&of(m), true),
                    Entry::Apart(_) | Entry::ApartMore | Entry::Outside => {}
                }
            }
        }
        s.clean += quiet;
        s.rows += quiet;
        if quiet > 0 {
            match labels.iter_mut().find(|(l, _, _)| *l == "OK") {
                Some((_, count, _)) => *count += quiet,
                None => labels.push(("OK", quiet, Totals::default())),
            }
        }
        s.by_label = labels;
    }

    /// Rows without an attempt of a complete trace's time are violations, one row of the list per operation.
    fn count_apart(&self, s: &mut Summary) {
        let (mut orders, mut parties): (HashSet<&[u8]>, HashSet<&[u8]>) = (HashSet::new(), HashSet::new());
        let mut count = 0;
        for group in self.apart.groups.iter().filter(|g| self.is_violation(g)) {
            count += 1;
            for (r, i) in &group.rows {
                let Some(run) = self.runs.get(*r as usize) else { continue };
                let Some(row) = run.effects.get(*i as usize) else { continue };
                let order = [run.bytes(row.business), run.name_bytes(row.name), run.bytes(row.id)];
                orders.extend(order.into_iter().find(|id| !id.is_empty()));
                parties.extend(Some(run.bytes(row.party)).filter(|party| !party.is_empty()));
                if row.committed != Micros::NONE {
                    s.first =
                        if s.first == Micros::NONE { row.committed } else { s.first.min(row.committed) };
                    s.last = s.last.max(row.committed);
                }
            }
        }
        if count == 0 {
            return;
        }
        s.rows += count;
        s.violations += count;
        s.divergent += count;
        s.by_verdict.push((ORPHAN_EFFECT, count));
        s.by_verdict.sort_unstable();
        s.at_risk.merge(&self.apart.unattributed_totals);
        // An order with a violation of its own counts once.
        let known = |prints: &HashSet<u64>, id: &[u8]| prints.contains(&super::judging::print(id));
        let wrong = |l: &&Loud| l.judgement.class == Class::Violation;
        let wrong = || self.loud.iter().filter(wrong);
        let of_orders: HashSet<u64> = wrong().map(|l| l.facet.order).collect();
        let of_parties: HashSet<u64> = wrong().map(|l| l.facet.party).collect();
        s.orders += orders.iter().filter(|id| !known(&of_orders, id)).count() as u64;
        s.parties += parties.iter().filter(|id| !known(&of_parties, id)).count() as u64;
    }

    fn count_money(s: &mut Summary, loud: &[&Loud]) {
        let mut seen: HashSet<(bool, u32)> = HashSet::new();
        for l in loud {
            let j = &l.judgement;
            let first = j.group.is_none_or(|g| seen.insert((j.rule == Rule::R08, g)));
            let glance = if first { Some(&l.glance) } else { l.glance_again.as_deref() };
            if let Some(glance) = glance {
                s.out_too_much.merge(&glance.out_too_much);
                s.probably_too_much.merge(&glance.probably_too_much);
                s.may_still_go_out.merge(&glance.may_still_go_out);
                s.owed.merge(&glance.owed);
            }
            if first {
                let totals = match j.class {
                    Class::Violation => &mut s.at_risk,
                    Class::Undecided => &mut s.undecided_at_risk,
                    Class::Open | Class::Clean => continue,
                };
                l.risks.iter().filter(|m| !m.amount.is_zero()).for_each(|m| totals.add(*m));
            }
        }
    }

    fn count_violations(&self, s: &mut Summary, loud: &[&Loud], ask: &Ask) {
        let (mut orders, mut parties): (HashSet<u64>, HashSet<u64>) = (HashSet::new(), HashSet::new());
        let wrong: Vec<&&Loud> = loud
            .iter()
            .filter(|l| {
                l.judgement.class == Class::Violation
                    || (ask.property == Property::AtMostOnce
                        && l.judgement.at_most_once == AtMostOnce::Violated)
            })
            .collect();
        for l in &wrong {
            orders.insert(l.facet.order);
            if l.facet.party != 0 {
                parties.insert(l.facet.party);
            }
            let (first, last) = (l.judgement.since, l.judgement.last);
            if first != Micros::NONE && (s.first == Micros::NONE || first < s.first) {
                s.first = first;
            }
            if last != Micros::NONE && last > s.last {
                s.last = last;
            }
        }
        s.orders = orders.len() as u64;
        s.parties = parties.len() as u64;
        for l in loud {
            let j = &l.judgement;
            let unknown = j.state == Some(State::Unknown) && j.class != Class::Clean;
            if unknown
                && j.since != Micros::NONE
                && (s.oldest_unknown == Micros::NONE || j.since < s.oldest_unknown)
            {
                s.oldest_unknown = j.since;
            }
        }
        s.common = self.common(&wrong);
    }

    /// The largest common factor of the violations, if it covers enough of them; of few violations none is said.
    fn common(&self, wrong: &[&&Loud]) -> Option<Common> {
        if wrong.len() < 5 {
            return None;
        }
        let total = wrong.len() as u64;
        let hour = |j: &Judgement| (j.since != Micros::NONE).then(|| j.since.0.div_euclid(3_600_000_000));
        let mut best: Option<(u64, &'static str, String)> = None;
        let mut offer = |what: &'static str, counts: HashMap<String, u64>| {
            let top = counts
                .into_iter()
                .filter(|(v, _)| !v.is_empty())
                .max_by(|a, b| a.1.cmp(&b.1).then(b.0.cmp(&a.0)));
            if let Some((value, count)) = top
                && count * 100 >= total * COMMON_SHARE
                && best.as_ref().is_none_or(|(c, _, _)| count > *c)
            {
                best = Some((count, what, value));
            }
        };
        // A factor that only one value exists for explains nothing, so tools count only where there are several.
        let several_tools = self.setting.tools.iter().skip(1).filter(|t| !t.read).count() > 1;
        if several_tools {
            offer("tool", tallied(wrong, |l| self.tables.tools.text(l.facet.tool).to_owned()));
        }
        offer("run", tallied(wrong, |l| self.tables.run_ids.text(l.facet.run).to_owned()));
        offer(
            "agent",
            tallied(wrong, |l| {
                self.tables.runs.get(l.facet.run.place()).map_or(String::new(), |r| r.agent.clone())
            }),
        );
        offer(
            "hour",
            tallied(wrong, |l| {
                hour(&l.judgement).map_or(String::new(), |h| {
                    let at = Micros(h * 3_600_000_000);
                    crate::model::time::rfc3339(at).chars().take(13).collect::<String>().replace('T', " ")
                        + ":00"
                })
            }),
        );
        let (count, what, value) = best?;
        let origins = tallied(wrong, |l| l.judgement.origin.word().unwrap_or_default().to_owned());
        let origin =
            origins.into_iter().max_by_key(|(_, c)| *c).filter(|(_, c)| c * 100 >= total * COMMON_SHARE);
        let retry_origin = origin.and_then(|(word, _)| {
            [
                RetryOrigin::Model,
                RetryOrigin::Script,
                RetryOrigin::Caller,
                RetryOrigin::Framework,
                RetryOrigin::Transport,
                RetryOrigin::Unknown,
            ]
            .into_iter()
            .filter_map(RetryOrigin::word)
            .find(|w| *w == word)
        });
        let last = wrong.iter().map(|l| l.judgement.last).max().unwrap_or(Micros::NONE);
        Some(Common {
            share: u32::try_from(count * 100 / total).unwrap_or(100),
            what,
            value,
            retry_origin,
            last,
        })
    }

    /// Intents that are not compared, by reason.
    fn not_compared(&self) -> Vec<(&'static str, u64, String)> {
        let mut reasons: Vec<(&'static str, u64, String)> = Vec::new();
        let mut known: HashMap<(&'static str, String), usize> = HashMap::new();
        for l in self.loud.iter().filter(|l| l.judgement.rule == Rule::R01) {
            let tool = self.tables.tools.text(l.facet.tool);
            let (code, what) = match l.judgement.not_compared {
                NotCompared::NoLedgerForTool if self.setting.any_ledger => {
                    ("no_ledger_for_tool", format!("no ledger here records {tool}"))
                }
                NotCompared::OlderThanLedger => {
                    let oldest = self.found.iter().filter_map(|f| f.tally.oldest).min_by_key(|t| t.begin());
                    let oldest = oldest.map_or(String::new(), |t| clock(t, self.setting.now));
                    ("older_than_ledger", format!("older than the ledger's first row {oldest}"))
                }
                NotCompared::NoLedger => ("ledger_not_read", "no ledger was given".to_owned()),
                _ => ("ledger_not_read", self.unread_ledgers()),
            };
            let at = *known.entry((code, what.clone())).or_insert(reasons.len());
            match reasons.get_mut(at) {
                Some((_, count, _)) => *count += 1,
                None => reasons.push((code, 1, what)),
            }
        }
        // In the order of the list.
        let rank = |code: &str| ["no_ledger_for_tool", "older_than_ledger"].iter().position(|c| *c == code);
        reasons.sort_by_key(|(code, _, _)| rank(code).unwrap_or(usize::MAX));
        for (_, count, what) in &mut reasons {
            let intents = if *count == 1 { "1 intent is" } else { &format!("{count} intents are") };
            *what = format!("{intents} not compared: {what}");
        }
        reasons
    }

    /// Which ledgers were not read, in words.
    pub(super) fn unread_ledgers(&self) -> String {
        let ledgers = || self.spec.sources.iter().zip(&self.found).filter(|(s, _)| s.what == What::Ledger);
        let unread: Vec<&str> =
            ledgers().filter(|(_, f)| !f.readable).map(|(s, _)| s.shown.as_str()).collect();
        match unread.as_slice() {
            _ if ledgers().all(|(_, f)| !f.readable) => "no ledger was read".to_owned(),
            [] => "the ledger that records it was not read".to_owned(),
            [one] => format!("the ledger {one} was not read"),
            several => format!("the ledgers {} were not read", several.join(", ")),
        }
    }

    /// Clean intents whose answer was lost and whose effect is there once.
    fn answers_lost(&self, s: &mut Summary) {
        s.answers_lost = self.lost;
    }

    /// `2-judge.md` 2.12.
    /// There are traces, and none gave a call that could be looked at: all lie outside the window that was asked for,
    /// or cannot be read (`2-judge.md` 2.12, point 4). A ledger alone is no such case.
    fn nothing_usable(&self) -> bool {
        let traces = || self.spec.sources.iter().zip(&self.found).filter(|(s, _)| s.what == What::Trace);
        traces().next().is_some()
            && traces().all(|(_, f)| f.tally.used == 0 || f.tally.out_of_time > 0 || f.tally.unreadable > 0)
    }

    fn result(&self, s: &Summary, loud: &[&Loud], quiet: u64, ask: &Ask) -> ResultWord {
        let orphans = self.setting.trace_complete && self.apart.unattributed > 0 && ask.only_intent.is_none();
        if orphans || loud.iter().any(|l| self.violated(l, ask)) {
            return ResultWord::ViolationFound;
        }
        let unreadable = s.unreadable_trace + s.unreadable_ledger > 0;
        let undecided = loud.iter().any(|l| undecides(&l.judgement, ask));
        // What could not be opened leaves the rest to decide, but never makes it clean (`7-commands.md` 7.5.5).
        let unopened = self.found.iter().any(|f| !f.readable);
        if loud.is_empty() && quiet == 0 && ask.only_intent.is_none() && self.nothing_usable() {
            return ResultWord::InputError;
        }
        if undecided || unreadable || unopened || loud.is_empty() && quiet == 0 {
            return ResultWord::Inconclusive;
        }
        ResultWord::NoViolationObserved
    }
}

/// Codes of problems that are found after reading.
fn counted_late(code: &str) -> bool {
    code == "ID_CONFLICT"
}

fn tallied(wrong: &[&&Loud], value: impl Fn(&Loud) -> String) -> HashMap<String, u64> {
    let mut counts = HashMap::new();
    for l in wrong {
        *counts.entry(value(l)).or_insert(0) += 1;
    }
    counts
}

/// Whether an intent violates the property.
pub fn violates(j: &Judgement, ask: &Ask) -> bool {
    match ask.property {
        Property::Settled => j.class == Class::Violation && !(ask.allow_remediated && j.rule == Rule::R06),
        Property::AtMostOnce => j.at_most_once == AtMostOnce::Violated,
    }
}

/// Whether an intent leaves the property undecided.
fn undecides(j: &Judgement, ask: &Ask) -> bool {
    match ask.property {
        Property::Settled => match j.class {
            Class::Undecided => true,
            Class::Open => !ask.allow_open,
            Class::Violation | Class::Clean => false,
        },
        Property::AtMostOnce => j.at_most_once == AtMostOnce::NotJudged,
    }
}

/// A lost answer whose effect is there: for the scope line.
pub(super) fn lost_once(j: &Judgement) -> bool {
    j.class == Class::Clean && j.lost > 0 && j.net > 0 && j.found & findings::ACKS_EXCEED_ROWS == 0
}
