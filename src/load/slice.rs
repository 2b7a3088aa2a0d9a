//! What a worker hands over: a run, and what could not be decided inside one slice.

use std::collections::HashMap;

use foldhash::fast::RandomState;

use crate::model::money::{BadAmount, Money, Totals};
use crate::model::outcome::Outcome;
use crate::model::row::{At, Attempt, Effect, Shared, SourceNo, Status, Text, attempt_flag, effect_flag};
use crate::model::time::{Instant, Micros};
use crate::model::units::Unit;
use crate::sources::event::ProblemEvent;

use super::run::Run;

/// One sealed slice.
#[derive(Debug, Default)]
pub struct Slice {
    /// The rows.
    pub run: Run,
    /// Calls without an operation id.
    pub loose: Vec<Loose>,
    /// Begun calls by their attempt ids.
    pub starts: Vec<Start>,
    /// Prints of attempt ids, in no order.
    pub attempt_ids: Vec<u64>,
    /// Prints of effect ids with their logical source, in no order.
    pub effect_ids: Vec<u64>,
    /// Some row names only an intent id.
    pub by_intent_id: bool,
    /// Some answer names a receipt.
    pub receipts: bool,
    /// Some ledger row carries a key.
    pub keys: bool,
    /// Ends whose beginning is not in this slice.
    pub ends: Vec<End>,
    /// What was read of each source.
    pub tallies: Vec<Tally>,
    /// Problems, at most [`Problem::KEPT`]; all are counted.
    pub problems: Vec<Problem>,
    /// Ledger rows whose amount cannot be read.
    pub bad_rows: Vec<BadRow>,
    /// Ledger rows without any readable link field.
    pub unlinkable: Vec<At>,
    /// Lines that do not begin like records, at most [`Noise::KEPT`].
    pub noise: Vec<Noise>,
    /// Derived keys of ledger rows.
    pub derived: Vec<(At, String)>,
    /// When the states of effects that have several rows were so, and their order at one moment.
    pub stamps: Vec<(At, Stamp)>,
    /// Rows without any id: print of the whole row.
    pub wholes: Vec<(u64, At)>,
    /// What is known of runs: agent, model.
    pub runs: Vec<(Shared, String, String)>,
    /// Scenarios of runs.
    pub scenarios: Vec<(Shared, String, At)>,
    /// Tools that a record declared as read or write.
    pub roles: Vec<(Shared, bool)>,
    /// Ids of sources with declared steps: the id that is compared, and the form of it that is shown.
    pub shown_as: Forms,
}

/// When a state was so, and its order at one moment.
pub type Stamp = (Micros, u8);

/// By the id that is compared: who wrote it, where, and how.
pub type Forms = HashMap<String, ((Rank, At), String), RandomState>;

/// Whose form of an id is shown: that of an expectation, else the first seen (`1-model.md` 1.5).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Rank {
    /// A file of expectations.
    File,
    /// A recorded intent.
    Record,
    /// A call or a ledger row.
    Row,
}

/// A call without an operation id.
#[derive(Clone, Debug)]
pub struct Loose {
    /// The row; `key` refers to the slice's texts.
    pub row: Attempt,
    /// Arguments in their grouping form.
    pub args: Option<String>,
    /// Idempotency key.
    pub key: Option<String>,
}

/// A call that has begun.
#[derive(Clone, Copy, Debug)]
pub struct Start {
    /// Its attempt id.
    pub id: Text,
    /// Its place.
    pub at: At,
    /// Row number while the slice is built; sealing sorts rows.
    pub row: u32,
    /// It is among the calls without an operation id.
    pub loose: bool,
}

/// How a call ended.
#[derive(Clone, Debug)]
pub struct End {
    /// Attempt id.
    pub id: String,
    /// Place.
    pub at: At,
    /// When.
    pub ended: Instant,
    /// What the caller was told.
    pub outcome: Outcome,
    /// Effect id that the answer named; empty for none.
    pub receipt: String,
    /// The field's name says that it is a receipt.
    pub receipt_named: bool,
    /// Operation id of the record; empty for none.
    pub operation_id: String,
    /// Tool of the record.
    pub tool: Shared,
}

impl End {
    /// Ends a call. A second end that tells something else makes the outcome unknown (`OUTCOME_CONFLICT`); the call
    /// was over when the last of them says so. Gives whether it did.
    pub fn apply(&self, row: &mut Attempt, receipt: Text) -> bool {
        if receipt.is_some() && !row.receipt.is_some() {
            row.receipt = receipt;
            row.flags |= if self.receipt_named { attempt_flag::RECEIPT_NAMED } else { 0 };
        }
        if row.outcome != Outcome::Missing {
            let differs = row.outcome != self.outcome;
            if differs {
                row.outcome = Outcome::NoRecord;
                row.flags |= attempt_flag::CONFLICT;
            }
            if self.ended.at > row.ended {
                (row.ended, row.ended_res) = (self.ended.at, self.ended.res);
            }
            return differs;
        }
        row.outcome = self.outcome;
        row.ended = self.ended.at;
        row.ended_res = self.ended.res;
        row.end_after = u32::try_from(self.at.place().saturating_sub(row.at.place())).unwrap_or(0);
        false
    }

    /// What is said of an end that tells something else than the one before it: its line is not used.
    pub fn conflict(&self) -> ProblemEvent {
        let what = format!(
            "attempt {} ends twice, with different outcomes: its outcome counts as not known",
            self.id
        );
        ProblemEvent { code: "OUTCOME_CONFLICT", what, bytes: 0, affects_result: true }
    }
}

/// A problem with its place.
#[derive(Clone, Debug)]
pub struct Problem {
    /// Place.
    pub at: At,
    /// What.
    pub event: ProblemEvent,
}

impl Problem {
    /// Problems kept per slice and per source; all are counted.
    pub const KEPT: usize = 10_000;
}

/// A line that does not begin like a record. If it names a loaded id it is unreadable after all (`1-model.md` 1.4.1).
#[derive(Clone, Debug)]
pub struct Noise {
    /// Place.
    pub at: At,
    /// Its beginning.
    pub text: String,
    /// Its length.
    pub bytes: u64,
}

impl Noise {
    /// Lines kept per slice.
    pub const KEPT: usize = 1_000;
    /// Bytes kept of each.
    pub const BYTES: usize = 1_024;
}

/// A ledger row whose amount cannot be read.
#[derive(Clone, Debug)]
pub struct BadRow {
    /// Place.
    pub at: At,
    /// The amount as written, its beginning.
    pub text: String,
    /// Why.
    pub bad: BadAmount,
}

/// What was read of one source (`4-sources.md` 4.2, 4.16).
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// Rows of the ledger as it gives them.
    pub rows: u64,
    /// Trace records that were used.
    pub used: u64,
    /// Records that are known and not used.
    pub skipped: u64,
    /// The same by rule.
    pub skipped_by: Vec<(&'static str, u64)>,
    /// Rows of the ledger that are no effects of their own, by rule; they are among `rows`.
    pub aside_by: Vec<(&'static str, u64)>,
    /// Records outside `--since` and `--until`.
    pub out_of_time: u64,
    /// Problems.
    pub problems: u64,
    /// Of them records that could not become rows at all.
    pub line_problems: u64,
    /// Problems that count against a clean result.
    pub unreadable: u64,
    /// Rows without any readable link field.
    pub unlinkable: u64,
    /// Ledger rows of which nothing can be read: each may be anybody's (C4).
    pub damaged: u64,
    /// Rows without a readable amount.
    pub no_amount: u64,
    /// Rows with an amount by unit, as the source gives them.
    pub by_unit: Vec<(Unit, u64)>,
    /// Highest number in the column of the read position.
    pub position: Option<u64>,
    /// Rows by state.
    pub by_status: [u64; 3],
    /// Amounts above zero that are not reversals.
    pub positive: u64,
    /// Totals over the rows as the source gives them.
    pub totals: Totals,
    /// Sum of minor units of a currency that is not named, until it is known how many decimals they have.
    pub minors: Totals,
    /// Times that could not be read.
    pub unreadable_times: u64,
    /// Times without a zone.
    pub zoneless: u64,
    /// Outcome words that are in no list.
    pub unknown_outcome_words: u64,
    /// Status words that are in no list.
    pub unknown_status_words: u64,
    /// Begin of the oldest time.
    pub oldest: Option<Instant>,
    /// The newest time that is not in the future, by partition.
    pub newest: Vec<(Shared, Instant)>,
    /// Units that amounts name; [`crate::model::units::Unit::NONE`] among them where some name none.
    pub units: Vec<Unit>,
    /// Amounts below zero whose meaning is not known yet.
    pub negative: u64,
    /// Live rows that are no reversals.
    pub live: u64,
    /// Partition values that calls carry.
    pub parts: Vec<Shared>,
    /// Calls by tool.
    pub calls: Vec<u64>,
    /// Calls that a record declares as reads.
    pub declared_reads: u64,
    /// Window of the attempts.
    pub window: Option<(Micros, Micros)>,
    /// Attempts that have a time.
    pub timed: u64,
}

impl Tally {
    /// Counts a rule.
    pub fn skip(&mut self, rule: &'static str) {
        count_rule(&mut self.skipped_by, rule, 1);
    }

    /// Counts a row that is no effect of its own.
    pub fn aside(&mut self, rule: &'static str) {
        count_rule(&mut self.aside_by, rule, 1);
    }

    /// Rows that are no effects of their own.
    pub fn set_aside(&self) -> u64 {
        self.aside_by.iter().map(|(_, count)| count).sum()
    }

    /// Remembers the unit of an amount.
    pub fn unit(&mut self, unit: Unit) {
        if self.units.last() != Some(&unit) && !self.units.contains(&unit) {
            self.units.push(unit);
        }
    }

    /// Counts rows with an amount of a unit.
    pub fn count_unit(&mut self, unit: Unit, rows: u64) {
        match self.by_unit.iter_mut().find(|(known, _)| *known == unit) {
            Some((_, count)) => *count += rows,
            None => self.by_unit.push((unit, rows)),
        }
    }

    /// Counts a call of a tool.
    pub fn call(&mut self, tool: Shared) {
        let tool = tool.place();
        if tool >= self.calls.len() {
            self.calls.resize(tool + 1, 0);
        }
        self.calls[tool] += 1;
    }

    /// Takes an attempt's times into the window.
    pub fn attempt(&mut self, sent: Instant, ended: Instant) {
        let from = if sent.at == Micros::NONE { ended } else { sent };
        let to = if ended.at == Micros::NONE { sent } else { ended };
        if from.at == Micros::NONE {
            return;
        }
        self.timed += 1;
        if !from.exact_zone() {
            self.zoneless += 1;
        }
        self.widen(from.begin(), to.end());
    }

    /// A record that was counted as used is none after all, and counts against a clean result.
    pub fn not_used(&mut self) {
        self.used = self.used.saturating_sub(1);
        self.problems += 1;
        self.line_problems += 1;
        self.unreadable += 1;
    }

    /// Takes the time of an end into the window.
    pub fn end(&mut self, ended: Instant) {
        if ended.at != Micros::NONE {
            self.widen(ended.begin(), ended.end());
        }
    }

    fn widen(&mut self, from: Micros, to: Micros) {
        self.window = Some(match self.window {
            Some((a, b)) => (a.min(from), b.max(to)),
            None => (from, to),
        });
    }

    /// Counts a row from outside the window that counts after all; the listing's own time stays.
    pub fn back(&mut self, row: &Effect) {
        let (oldest, newest, zoneless) = (self.oldest, self.newest.clone(), self.zoneless);
        self.row(row, Shared::NONE, false, Micros::NONE);
        (self.oldest, self.newest, self.zoneless) = (oldest, newest, zoneless);
    }

    /// Takes a ledger row into the listing. `below_zero`: its amount stands there with a minus.
    pub fn row(&mut self, row: &Effect, part: Shared, below_zero: bool, latest: Micros) {
        if let Some(count) = self.by_status.get_mut(row.status as usize) {
            *count += 1;
        }
        self.negative += u64::from(row.is(effect_flag::NEGATIVE));
        self.live += u64::from(row.status == Status::Live && !row.is(effect_flag::REVERSAL));
        let money = row.amount().map(|amount| Money { unit: row.unit, amount });
        self.listed(money, row.is(effect_flag::MINOR), below_zero);
        self.timed_row(row.committed(), part, latest);
    }

    /// Takes the amount of a row as the source gives it; `minor` counts minor units of a currency that is not named.
    pub fn listed(&mut self, money: Option<Money>, minor: bool, below_zero: bool) {
        self.rows += 1;
        let Some(money) = money else {
            self.no_amount += 1;
            return;
        };
        let totals = if minor { &mut self.minors } else { &mut self.totals };
        if below_zero {
            totals.sub(money);
        } else {
            totals.add(money);
        }
        self.unit(money.unit);
        self.count_unit(money.unit, 1);
    }

    /// What a row cost that was counted as one without an amount. It names no unit of what was moved.
    pub fn cost(&mut self, money: Option<Money>) {
        let Some(money) = money else { return };
        self.no_amount = self.no_amount.saturating_sub(1);
        self.totals.add(money);
        self.count_unit(money.unit, 1);
    }

    /// Takes the time of a row into the listing.
    pub fn timed_row(&mut self, time: Instant, part: Shared, latest: Micros) {
        if time.at == Micros::NONE {
            return;
        }
        if !time.exact_zone() {
            self.zoneless += 1;
        }
        if self.oldest.is_none_or(|oldest| time.begin() < oldest.begin()) {
            self.oldest = Some(time);
        }
        if time.begin() <= latest {
            self.newer(part, time);
        }
    }

    fn newer(&mut self, part: Shared, time: Instant) {
        match self.newest.iter_mut().find(|(p, _)| *p == part) {
            Some((_, newest)) => {
                if time.begin() > newest.begin() {
                    *newest = time;
                }
            }
            None => self.newest.push((part, time)),
        }
    }

    /// Adds what another slice read.
    pub fn merge(&mut self, other: &Self) {
        self.rows += other.rows;
        self.used += other.used;
        self.skipped += other.skipped;
        other.skipped_by.iter().for_each(|(rule, count)| count_rule(&mut self.skipped_by, rule, *count));
        other.aside_by.iter().for_each(|(rule, count)| count_rule(&mut self.aside_by, rule, *count));
        self.out_of_time += other.out_of_time;
        self.problems += other.problems;
        self.line_problems += other.line_problems;
        self.unreadable += other.unreadable;
        self.unlinkable += other.unlinkable;
        self.damaged += other.damaged;
        self.no_amount += other.no_amount;
        other.by_unit.iter().for_each(|(unit, count)| self.count_unit(*unit, *count));
        self.position = self.position.max(other.position);
        for (mine, theirs) in self.by_status.iter_mut().zip(other.by_status) {
            *mine += theirs;
        }
        self.positive += other.positive;
        self.totals.merge(&other.totals);
        self.minors.merge(&other.minors);
        self.unreadable_times += other.unreadable_times;
        self.zoneless += other.zoneless;
        self.unknown_outcome_words += other.unknown_outcome_words;
        self.unknown_status_words += other.unknown_status_words;
        if let Some(oldest) = other.oldest
            && self.oldest.is_none_or(|mine| oldest.begin() < mine.begin())
        {
            self.oldest = Some(oldest);
        }
        for (part, time) in &other.newest {
            self.newer(*part, *time);
        }
        other.units.iter().for_each(|u| self.unit(*u));
        self.negative += other.negative;
        self.live += other.live;
        for part in &other.parts {
            if !self.parts.contains(part) {
                self.parts.push(*part);
            }
        }
        if self.calls.len() < other.calls.len() {
            self.calls.resize(other.calls.len(), 0);
        }
        self.calls.iter_mut().zip(&other.calls).for_each(|(mine, theirs)| *mine += theirs);
        self.declared_reads += other.declared_reads;
        if let Some((from, to)) = other.window {
            self.widen(from, to);
        }
        self.timed += other.timed;
    }

    /// Records that could not become rows at all.
    pub fn problems_of_lines(&self) -> u64 {
        self.line_problems
    }

    /// The newest time of any partition.
    pub fn newest(&self) -> Option<Instant> {
        self.newest.iter().map(|(_, t)| *t).max_by_key(|t| t.begin())
    }

    /// The newest time of one partition; of any where the source holds none in particular.
    pub fn newest_in(&self, part: Shared) -> Option<Instant> {
        if !part.is_some() {
            return self.newest();
        }
        self.newest.iter().find(|(p, _)| *p == part).map(|(_, t)| *t)
    }
}

/// Counts records of a rule.
fn count_rule(counts: &mut Vec<(&'static str, u64)>, rule: &'static str, more: u64) {
    match counts.iter_mut().find(|(known, _)| *known == rule) {
        Some((_, count)) => *count += more,
        None => counts.push((rule, more)),
    }
}

impl Slice {
    /// Empty, for a number of sources.
    pub fn new(sources: usize) -> Self {
        Self { tallies: vec![Tally::default(); sources], ..Self::default() }
    }

    /// The tally of a source.
    pub fn tally(&mut self, no: SourceNo) -> &mut Tally {
        let no = usize::from(no.0);
        if no >= self.tallies.len() {
            self.tallies.resize(no + 1, Tally::default());
        }
        &mut self.tallies[no]
    }

    /// Remembers agent and model of a run.
    pub fn learn_run(&mut self, run: Shared, agent: Option<&str>, model: Option<&str>) {
        let (agent, model) = (agent.unwrap_or_default(), model.unwrap_or_default());
        let known = |(r, a, m): &(Shared, String, String)| *r == run && a == agent && m == model;
        if !self.runs.iter().rev().take(4).any(known) {
            self.runs.push((run, agent.to_owned(), model.to_owned()));
        }
    }

    /// Remembers that a record declared a tool as read or write.
    pub fn learn_role(&mut self, tool: Shared, read: Option<bool>) {
        if let Some(read) = read
            && !self.roles.contains(&(tool, read))
        {
            self.roles.push((tool, read));
        }
    }
}
