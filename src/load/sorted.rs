//! The list in another order: places of its rows, never copies of them. Asked by a worker.

use std::cmp::Ordering;
use std::cmp::Reverse;
use std::ops::Range;

use crate::judge::view::SortBy;
use crate::judge::words;
use crate::model::money::Money;
use crate::model::row::Text;
use crate::model::time::Micros;

use super::case::Case;
use super::group::Op;
use super::judging::Loud;
use super::list::Entry;
use super::resolve::{NameKind, name_kind};

impl Case {
    /// Places of the rows that are fine and divergent in nothing: all in one piece.
    pub fn quiet_rows(&self) -> Range<usize> {
        let loud = self.list().loud.len();
        loud..loud + self.quiet.len()
    }

    /// Places of all rows in the order of a column; equal ones, and rows without an attempt, as in the default order.
    pub fn sorted_by(&self, by: SortBy) -> Vec<u32> {
        let quiet = self.quiet_rows();
        let place = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        let mut order: Vec<u32> = (0..self.rows()).map(place).collect();
        let leads: Vec<Option<&Loud>> = self.list().loud.iter().map(|entry| self.lead(entry)).collect();
        let lead = |at: &u32| leads.get(*at as usize).copied().flatten();
        let Some(loud) = order.get_mut(..quiet.start) else { return order };
        match by {
            SortBy::Urgency => {}
            SortBy::Words => {
                loud.sort_by_cached_key(|at| {
                    lead(at).map_or((true, String::new()), |l| (false, words::list_words(&l.judgement)))
                });
            }
            SortBy::Due => loud
                .sort_by_key(|at| lead(at).map_or(Micros::FOREVER, |l| unknown_last(l.judgement.deadline))),
            SortBy::Risk => loud.sort_by(|a, b| {
                let risk = |at| lead(at).and_then(|l: &Loud| l.judgement.risk);
                self.by_risk(risk(a), risk(b))
            }),
            SortBy::Sent => {
                let clean = self.clean_in_order();
                let sent = |at: &u32| match lead(at) {
                    Some(l) => unknown_last(l.judgement.since),
                    None => (*at as usize)
                        .checked_sub(quiet.start)
                        .and_then(|at| clean.get(at))
                        .map_or(Micros::FOREVER, |clean| unknown_last(clean.since)),
                };
                if let Some(intents) = order.get_mut(..quiet.end) {
                    intents.sort_by_cached_key(sent);
                }
            }
            SortBy::Operation => {
                let names = self.operations();
                let name = |at: &u32| {
                    let op = match lead(at) {
                        Some(l) => Some(l.op),
                        None => (*at as usize)
                            .checked_sub(quiet.start)
                            .and_then(|at| self.clean_in_order().get(at))
                            .map(|clean| clean.op),
                    };
                    op.map_or(&[][..], |op| self.operation_bytes(&names, op))
                };
                if let Some(intents) = order.get_mut(..quiet.end) {
                    intents.sort_by(|a, b| natural(name(a), name(b)).then(a.cmp(b)));
                }
            }
        }
        order
    }

    /// Largest first within a currency, currencies by their names, no money last.
    fn by_risk(&self, a: Option<Money>, b: Option<Money>) -> Ordering {
        let some = |money: Option<Money>| money.filter(|m| !m.amount.is_zero());
        match (some(a), some(b)) {
            (None, None) => Ordering::Equal,
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (Some(a), Some(b)) => {
                self.tables.units.by_text(a.unit, b.unit).then(Reverse(a.amount).cmp(&Reverse(b.amount)))
            }
        }
    }

    /// Where the business id of each operation stands: that of its record, else of its calls, else of a row.
    fn operations(&self) -> Vec<Option<(u32, Text)>> {
        let mut found: Vec<Option<(u32, Text)>> = vec![None; self.groups.len() as usize];
        for (r, run) in self.runs.iter().enumerate() {
            let rows = run.effects.all().iter().map(|row| (row.name, row.business, false));
            let calls = run.attempts.all().iter().map(|row| (row.name, row.business, true));
            let records = run.records.all().iter().map(|row| (row.name, row.business, true));
            for (name, business, own) in rows.chain(calls).chain(records).filter(|(_, b, _)| b.is_some()) {
                if let Some(op) = self.groups.of(&self.runs, r, name)
                    && let Some(slot) = found.get_mut(op.0 as usize)
                    && (own || slot.is_none())
                {
                    *slot = Some((u32::try_from(r).unwrap_or(u32::MAX), business));
                }
            }
        }
        found
    }

    fn operation_bytes<'c>(&'c self, names: &[Option<(u32, Text)>], op: Op) -> &'c [u8] {
        let named = names.get(op.0 as usize).copied().flatten();
        match named.and_then(|(r, text)| self.runs.get(r as usize).map(|run| run.bytes(text))) {
            Some(business) => business,
            None => match name_kind(self.name_of(op)) {
                (NameKind::Operation, operation) => operation.as_bytes(),
                _ => self.name_of(op).as_bytes(),
            },
        }
    }

    /// The row of an intent, by itself or with others.
    pub fn place_of(&self, op: Op) -> Option<usize> {
        let is = |no: &usize| self.loud.get(*no).is_some_and(|loud| loud.op == op);
        let holds = |entry: &Entry| match entry {
            Entry::One(no) => is(no),
            Entry::Group(m) | Entry::NotCompared(m) | Entry::Fits(m) => m.iter().any(is),
            Entry::Apart(_) | Entry::ApartMore | Entry::Outside => false,
        };
        let loud = self.list().loud.iter().position(holds);
        let quiet = || self.clean_in_order().iter().position(|clean| clean.op == op);
        loud.or_else(|| quiet().map(|at| self.quiet_rows().start + at))
    }
}

fn unknown_last(at: Micros) -> Micros {
    if at.is_none() { Micros::FOREVER } else { at }
}

/// Text by its bytes, numbers in it by their value: `order:9` comes before `order:10`.
fn natural(one: &[u8], other: &[u8]) -> Ordering {
    let (mut one, mut other) = (one, other);
    loop {
        let order = match (one.split_first(), other.split_first()) {
            (None, None) => return Ordering::Equal,
            (None, Some(_)) => return Ordering::Less,
            (Some(_), None) => return Ordering::Greater,
            (Some((left, _)), Some((right, _))) if left.is_ascii_digit() && right.is_ascii_digit() => {
                let (left, right) = (number(one), number(other));
                (one, other) = (left.1, right.1);
                left.0.len().cmp(&right.0.len()).then_with(|| left.0.cmp(right.0))
            }
            (Some((left, rest)), Some((right, others))) => {
                (one, other) = (rest, others);
                left.cmp(right)
            }
        };
        if order != Ordering::Equal {
            return order;
        }
    }
}

/// The digits at the begin without leading zeros, and what follows them.
fn number(text: &[u8]) -> (&[u8], &[u8]) {
    let digits = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let (mut number, rest) = text.split_at(digits);
    while let [b'0', more @ ..] = number {
        number = more;
    }
    (number, rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_compared_by_their_value() {
        let mut ids: Vec<&[u8]> =
            vec![b"order:10", b"order:9", b"order:", b"a", b"order:009b", b"order:9a", b""];
        ids.sort_by(|a, b| natural(a, b));
        let said: [&[u8]; 7] = [b"", b"a", b"order:", b"order:9", b"order:9a", b"order:009b", b"order:10"];
        assert_eq!(ids, said);
        assert_eq!(natural(b"00", b"0"), Ordering::Equal);
    }
}
