//! Taking reversals off effects (`2-judge.md` 2.9; `1-model.md` 1.5, reversals).

use std::collections::HashMap;

use crate::model::money::Amount;
use crate::model::units::Unit;

use super::count::{Counter, Left, Slot, unit_of};
use super::expect::narrow;
use super::findings;

/// An effect that still stands: its row, so that the latest can be told, and its slot.
type Standing = (u32, usize);

impl Counter<'_> {
    /// Takes reversals off the effects they name; then those that name none off the latest effect of exactly their
    /// amount, else off the total alone (`1-model.md` 1.5).
    pub(super) fn reverse(&mut self) {
        let mut unnamed: Vec<usize> = Vec::new();
        for place in 0..self.slots.len() {
            let Some((slot, row)) = self.live(place, true) else {
                continue;
            };
            let (named, unit, target) = (row.row.reverses.is_some(), unit_of(row), row.reverses);
            match target.and_then(|t| usize::try_from(t).ok()) {
                Some(target) => self.reverse_one(self.slot_of(target), slot.left, unit),
                None if named => self.found.bits |= findings::ORPHAN_REVERSAL,
                None => unnamed.push(place),
            }
        }
        if !unnamed.is_empty() {
            unnamed.sort_unstable_by_key(|place| self.slots.get(*place).map(|s| s.row));
            self.reverse_unnamed(&unnamed);
        }
    }

    fn reverse_one(&mut self, place: usize, by: Left, unit: Unit) {
        let Some((slot, row)) = self.live(place, false) else {
            return;
        };
        let same_unit = unit_of(row) == unit || row.row.unit == Unit::NONE || unit == Unit::UNKNOWN;
        let left = match (slot.left, by) {
            (_, Left::NoAmount) | (Left::NoAmount, Left::Of(_)) => None,
            (Left::Unreadable, _) | (_, Left::Unreadable) => Some(Left::Unreadable),
            (Left::Of(_), Left::Of(by)) if !same_unit => {
                self.off_the_total(by, unit);
                return;
            }
            (Left::Of(left), Left::Of(by)) => {
                let rest = left.wide().checked_sub(by.wide()).and_then(narrow);
                Some(rest.map_or(Left::Unreadable, Left::Of))
            }
        };
        if let Some(Left::Of(rest)) = left
            && rest.is_negative()
        {
            self.found.bits |= findings::REVERSAL_OVER;
        }
        if let Some(slot) = self.slots.get_mut(place) {
            match left {
                None => *slot = Slot { gone: true, left: Left::Of(Amount::ZERO), ..*slot },
                Some(Left::Of(rest)) => {
                    slot.gone = rest.is_zero() || rest.is_negative();
                    slot.left = Left::Of(rest);
                }
                Some(other) => slot.left = other,
            }
        }
    }

    fn reverse_unnamed(&mut self, unnamed: &[usize]) {
        let mut open: HashMap<(Unit, Option<Amount>), Vec<Standing>> = HashMap::new();
        for place in 0..self.slots.len() {
            let Some((slot, row)) = self.live(place, false) else {
                continue;
            };
            let amount = match slot.left {
                _ if slot.gone => continue,
                Left::Of(left) => Some(left),
                Left::NoAmount => None,
                Left::Unreadable => continue,
            };
            open.entry((unit_of(row), amount)).or_default().push((slot.row, place));
        }
        for effects in open.values_mut() {
            effects.sort_unstable();
        }
        for place in unnamed {
            let Some((slot, row)) = self.live(*place, true) else {
                continue;
            };
            let unit = unit_of(row);
            let amount = match slot.left {
                Left::Of(amount) => Some(amount),
                Left::NoAmount => None,
                Left::Unreadable => {
                    self.found.live_unreadable = true;
                    continue;
                }
            };
            let latest = open.get_mut(&(unit, amount)).and_then(Vec::pop);
            match (latest, amount) {
                (Some((_, effect)), _) => {
                    if let Some(slot) = self.slots.get_mut(effect) {
                        *slot = Slot { gone: true, left: Left::Of(Amount::ZERO), ..*slot };
                    }
                }
                (None, Some(amount)) => self.off_the_total(amount, unit),
                (None, None) => {}
            }
        }
    }

    fn off_the_total(&mut self, by: Amount, unit: Unit) {
        match by.digits.checked_neg() {
            Some(digits) => self.found.live.add(unit, Amount { digits, ..by }),
            None => self.found.live_unreadable = true,
        }
    }
}
