//! What is in the ledger: effects, live effects and their money, per source that counts (`2-judge.md` 2.3, 2.9;
//! `4-sources.md` 4.11).
//!
//! Only rows of sources that count are added up; the same effect in several sources is one; a copy never adds.

use crate::model::money::{Amount, Money, Wide};
use crate::model::row::{Status, effect_flag};
use crate::model::units::Unit;

use super::expect::money;
use super::facts::{Facts, Row, Setting};
use super::findings;
use super::live::Live;
use super::scratch::with_slots;

/// What is added up over the linked rows.
#[derive(Clone, Debug, Default)]
pub struct Found {
    /// Effects, reversed ones included.
    pub gross: u32,
    /// Live effects: not fully reversed.
    pub net: u32,
    /// Rows on their way.
    pub on_its_way: u32,
    /// Rows that ended as no effect (failed, returned).
    pub ended: u32,
    /// Effects whose amount or unit cannot be read.
    pub unreadable: u32,
    /// What is live, by unit, reversals taken off.
    pub live: Live,
    /// The amount of a live effect, or of what reverses it, cannot be read.
    pub live_unreadable: bool,
    /// A live effect has no amount.
    pub live_without_amount: bool,
    /// A live effect has the unit `?`, in major units.
    pub question_major: bool,
    /// A live effect has the unit `?`, in minor units.
    pub question_minor: bool,
    /// Smallest amount of its rows, in the unit of the first of them.
    pub smallest: Option<Money>,
    /// Live lines without any id that stood before.
    pub twins: u32,
    /// A live row comes from a source whose amounts look like minor units.
    pub factor_hint: bool,
    /// [`findings`] of the rows.
    pub bits: u64,
}

/// What is left of an effect.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Left {
    /// It never had an amount.
    NoAmount,
    /// It cannot be read.
    Unreadable,
    /// So much.
    Of(Amount),
}

/// One effect or reversal, which may stand in several sources.
#[derive(Clone, Copy)]
pub(super) struct Slot {
    /// Its row, counted from 1; 0 is an unused slot.
    pub(super) row: u32,
    /// Fully reversed.
    pub(super) gone: bool,
    pub(super) left: Left,
}

impl Slot {
    const EMPTY: Self = Self { row: 0, gone: false, left: Left::NoAmount };
}

/// The row counts: it was not merged away, and its source is not a copy beside its original.
pub fn counts(row: &Row, setting: &Setting) -> bool {
    !row.row.is(effect_flag::DROPPED) && setting.source(row.row.at.source()).is_none_or(|s| s.counts)
}

/// The row stands in a file of this source.
pub(super) fn in_logical(row: &Row, setting: &Setting, logical: u16) -> bool {
    setting.source(row.row.at.source()).is_some_and(|s| s.logical == logical)
}

/// What a row says of its effect, the weightier first.
fn weight(status: Status) -> u8 {
    match status {
        Status::Live => 2,
        Status::OnItsWay => 1,
        Status::NotAnEffect => 0,
    }
}

fn left_of(row: &Row) -> Left {
    if row.row.is(effect_flag::AMOUNT_BAD) {
        return Left::Unreadable;
    }
    row.row.amount().map_or(Left::NoAmount, Left::Of)
}

pub(super) fn unit_of(row: &Row) -> Unit {
    money(row.row.unit, Amount::ZERO).unit
}

fn is_reversal(row: &Row) -> bool {
    row.row.is(effect_flag::REVERSAL)
}

impl Found {
    /// Counts the linked rows of the sources that count.
    pub fn of(facts: &Facts<'_>, setting: &Setting) -> Self {
        Self::of_rows(facts, setting, None)
    }

    /// Counts the linked rows of one source by itself, whether it counts or not; `logical` as in [`super::facts::Source`].
    pub fn in_source(facts: &Facts<'_>, setting: &Setting, logical: u16) -> Self {
        Self::of_rows(facts, setting, Some(logical))
    }

    fn of_rows(facts: &Facts<'_>, setting: &Setting, only: Option<u16>) -> Self {
        let mut found = Self::default();
        if facts.rows.is_empty() {
            return found;
        }
        with_slots(facts.rows.len(), Slot::EMPTY, |slots| {
            let mut counter = Counter { rows: facts.rows, setting, only, slots, found: &mut found };
            let reversals = counter.settle_rows();
            if reversals {
                counter.reverse();
            }
            counter.add_up();
        });
        if found.gross > 1 && shared_reference(facts, setting) {
            found.bits |= findings::SAME_EXTERNAL_REF;
        }
        found
    }

    /// Keeps the smallest amount.
    fn least(&mut self, row: &Row) {
        let Some(amount) = row.row.amount() else { return };
        let unit = unit_of(row);
        if self.smallest.is_none_or(|m| m.unit == unit && amount < m.amount) {
            self.smallest = Some(Money::new(unit, amount));
        }
    }

    /// Rows that count, of whatever status.
    pub fn any(&self) -> bool {
        self.gross + self.on_its_way + self.ended > 0
    }

    /// The live total of a unit, where it can be read.
    pub fn live_in(&self, unit: Unit) -> Option<Wide> {
        if self.live_unreadable { None } else { self.live.sum(unit) }
    }

    /// A sum of live effects cannot be told.
    pub fn cannot_add(&self) -> bool {
        self.live_unreadable || self.live.overflows()
    }
}

/// Counting at work: one slot for each effect or reversal.
pub(super) struct Counter<'a> {
    rows: &'a [Row<'a>],
    setting: &'a Setting,
    only: Option<u16>,
    pub(super) slots: &'a mut [Slot],
    pub(super) found: &'a mut Found,
}

impl<'a> Counter<'a> {
    /// The slot of a row: that of its effect. Ordinals beyond the number of rows cannot be. Within one source by
    /// itself each row is one: a copy may hold one effect twice.
    pub(super) fn slot_of(&self, no: usize) -> usize {
        if self.only.is_some() {
            return no;
        }
        let ident = self.rows.get(no).map_or(no, |r| usize::try_from(r.ident).unwrap_or(no));
        if ident < self.slots.len() { ident } else { no }
    }

    fn row(&self, slot: Slot) -> Option<&'a Row<'a>> {
        let no = usize::try_from(slot.row.checked_sub(1)?).ok()?;
        self.rows.get(no)
    }

    /// Settles which row speaks for each effect: a live one before one on its way, then the first. Says whether
    /// there are reversals.
    fn settle_rows(&mut self) -> bool {
        let mut reversals = false;
        for (no, row) in (1..).zip(self.rows) {
            let asked = match self.only {
                None => counts(row, self.setting),
                Some(logical) => !row.row.is(effect_flag::DROPPED) && in_logical(row, self.setting, logical),
            };
            if !asked {
                continue;
            }
            reversals |= is_reversal(row);
            let place = self.slot_of(no as usize - 1);
            let known = self.slots.get(place).and_then(|s| self.row(*s));
            if known.is_none_or(|k| weight(row.row.status) > weight(k.row.status))
                && let Some(slot) = self.slots.get_mut(place)
            {
                *slot = Slot { row: no, gone: false, left: left_of(row) };
            }
        }
        reversals
    }

    /// A live effect or reversal.
    pub(super) fn live(&self, place: usize, reversal: bool) -> Option<(Slot, &'a Row<'a>)> {
        let slot = *self.slots.get(place)?;
        let row = self.row(slot)?;
        (row.row.status == Status::Live && is_reversal(row) == reversal).then_some((slot, row))
    }

    fn add_up(&mut self) {
        for place in 0..self.slots.len() {
            let Some((slot, row)) = self.slots.get(place).and_then(|s| Some((*s, self.row(*s)?))) else {
                continue;
            };
            if row.row.is(effect_flag::STATUS_UNKNOWN) {
                self.found.bits |= findings::STATUS_WORD_UNKNOWN;
            }
            if is_reversal(row) {
                continue;
            }
            match row.row.status {
                Status::OnItsWay => {
                    self.found.on_its_way += 1;
                    self.found.least(row);
                }
                Status::NotAnEffect => self.found.ended += 1,
                Status::Live => self.add_effect(slot, row),
            }
        }
    }

    fn add_effect(&mut self, slot: Slot, row: &Row) {
        let found = &mut *self.found;
        let unit = unit_of(row);
        found.gross += 1;
        found.unreadable += u32::from(row.row.is(effect_flag::AMOUNT_BAD));
        if !row.row.id.is_some() && !row.row.external.is_some() {
            found.bits |= findings::NO_EFFECT_ID;
        }
        if row.row.committed().is_none() {
            found.bits |= findings::TIME_UNREADABLE;
        }
        found.least(row);
        if !slot.gone && row.row.amount().is_some_and(Amount::is_zero) {
            found.bits |= findings::ZERO_AMOUNT;
        }
        if slot.gone {
            // More was reversed than there was: the rest is missing from the total.
            if let Left::Of(rest) = slot.left
                && rest.is_negative()
            {
                found.live.add(unit, rest);
            }
            return;
        }
        found.net += 1;
        found.twins += u32::from(row.row.is(effect_flag::TWIN));
        let source = self.setting.source(row.row.at.source());
        found.factor_hint |= source.is_some_and(|s| s.factor_hint);
        match slot.left {
            Left::NoAmount => found.live_without_amount = true,
            Left::Unreadable => found.live_unreadable = true,
            Left::Of(left) => {
                found.live.add(unit, left);
                if unit == Unit::UNKNOWN {
                    let minor = row.row.is(effect_flag::MINOR);
                    found.question_minor |= minor;
                    found.question_major |= !minor;
                }
            }
        }
    }
}

/// Two effects carry one external reference (`SAME_EXTERNAL_REF`).
fn shared_reference(facts: &Facts<'_>, setting: &Setting) -> bool {
    let count = facts.rows.len() + 1;
    with_slots(count, None, |first: &mut [Option<u32>]| {
        facts.rows.iter().any(|row| {
            let effect = counts(row, setting) && row.row.status == Status::Live && !is_reversal(row);
            if !effect || row.external == 0 {
                return false;
            }
            let slot = usize::try_from(row.external).ok().and_then(|e| first.get_mut(e));
            slot.is_some_and(|slot| *slot.get_or_insert(row.ident) != row.ident)
        })
    })
}
