//! The intents of one order, sorted by what a row can tell apart. Tens of thousands of requests of one order are looked
//! up, not searched.

use std::collections::HashMap;

use foldhash::fast::RandomState;

use crate::model::money::Amount;
use crate::model::row::Shared;
use crate::model::units::Unit;

use super::brief::Brief;

/// A span of time in microseconds; `None` is any time.
pub type Span = Option<(i64, i64)>;

/// Whether two spans meet.
pub fn meet(a: Span, b: Span) -> bool {
    match (a, b) {
        (Some((from, to)), Some((begin, end))) => end >= from && begin <= to,
        _ => true,
    }
}

/// Intents of one kind, tool and sort of ids: a row could be one of them, or none.
pub struct Base {
    /// A member, for all.
    pub lead: usize,
    /// Its sorts.
    pub sorts: Vec<usize>,
    by_amount: HashMap<Amount, Vec<usize>, RandomState>,
    without: Vec<usize>,
}

/// Intents of one base that ask for the same money.
pub struct Sort {
    /// Unit of all.
    pub unit: Unit,
    /// They ask for no amount.
    pub without: bool,
    /// Places in the briefs, in their order.
    pub members: Vec<usize>,
}

/// The intents of one order.
pub struct Order {
    /// By kind, tool and sort of ids.
    pub bases: Vec<Base>,
    /// By money.
    pub sorts: Vec<Sort>,
}

type BaseKey<'b> = (&'b str, Shared, bool, bool);

impl Order {
    /// Sorts the intents of an order; `ids` are places in the briefs, in their order.
    pub fn new(briefs: &[Brief], ids: &[usize]) -> Self {
        let mut order = Self { bases: Vec::new(), sorts: Vec::new() };
        let mut bases: HashMap<BaseKey<'_>, usize, RandomState> = HashMap::default();
        let mut sorts: HashMap<(usize, Unit, &[Amount]), usize, RandomState> = HashMap::default();
        for i in ids {
            let Some(brief) = briefs.get(*i) else { continue };
            let key = (brief.kind.as_str(), brief.tool, brief.has_operation, brief.has_key);
            let base = *bases.entry(key).or_insert_with(|| {
                order.bases.push(Base {
                    lead: *i,
                    sorts: Vec::new(),
                    by_amount: HashMap::default(),
                    without: Vec::new(),
                });
                order.bases.len() - 1
            });
            let sort = *sorts.entry((base, brief.unit, brief.amounts.as_slice())).or_insert_with(|| {
                let no = order.sorts.len();
                let without = brief.amounts.is_empty();
                order.sorts.push(Sort { unit: brief.unit, without, members: Vec::new() });
                if let Some(base) = order.bases.get_mut(base) {
                    base.sorts.push(no);
                    if without {
                        base.without.push(no);
                    }
                    for amount in &brief.amounts {
                        base.by_amount.entry(*amount).or_default().push(no);
                    }
                }
                no
            });
            if let Some(sort) = order.sorts.get_mut(sort) {
                sort.members.push(*i);
            }
        }
        order
    }

    /// Sorts of a base that an amount of a unit fits; `None` is a row without an amount.
    pub fn fitting<'o>(
        &'o self,
        base: &'o Base,
        amount: Option<Amount>,
        unit: Unit,
    ) -> impl Iterator<Item = usize> + 'o {
        let found = match amount {
            Some(amount) => base.by_amount.get(&amount).map_or(&[][..], Vec::as_slice),
            None => &base.without,
        };
        found.iter().copied().filter(move |no| {
            let asked = self.sorts.get(*no).map_or(Unit::NONE, |s| s.unit);
            amount.is_none() || asked == unit || asked == Unit::UNKNOWN || unit == Unit::UNKNOWN
        })
    }
}

/// How many of many spans meet one.
#[derive(Default)]
pub struct Spans {
    from: Vec<i64>,
    to: Vec<i64>,
    any: usize,
}

impl Spans {
    /// Of these.
    pub fn new(spans: impl Iterator<Item = Span>) -> Self {
        let mut all = Self::default();
        for span in spans {
            match span {
                Some((from, to)) => {
                    all.from.push(from);
                    all.to.push(to);
                }
                None => all.any += 1,
            }
        }
        all.from.sort_unstable();
        all.to.sort_unstable();
        all
    }

    /// How many meet this one.
    pub fn meeting(&self, span: Span) -> usize {
        let Some((begin, end)) = span else {
            return self.any + self.from.len();
        };
        // A span that ends before it does not begin after it: nothing is taken off twice.
        let over = self.to.partition_point(|to| *to < begin);
        let ahead = self.from.len() - self.from.partition_point(|from| *from <= end);
        self.any + self.from.len().saturating_sub(over + ahead)
    }
}

/// Members of a sort that rows are still dealt to, in their order.
pub struct Queue {
    spans: Vec<Span>,
    /// Earliest begin from here on.
    earliest: Vec<i64>,
    /// Next member that has no row yet.
    next: Vec<usize>,
}

impl Queue {
    /// Of members with these spans.
    pub fn new(spans: Vec<Span>) -> Self {
        let mut earliest = vec![i64::MAX; spans.len()];
        let mut least = i64::MAX;
        for (slot, span) in earliest.iter_mut().zip(&spans).rev() {
            least = least.min(span.map_or(i64::MIN, |(from, _)| from));
            *slot = least;
        }
        Self { next: (0..=spans.len()).collect(), spans, earliest }
    }

    fn find(&mut self, from: usize) -> usize {
        let mut root = from;
        while self.next[root] != root {
            root = self.next[root];
        }
        let mut at = from;
        while self.next[at] != root {
            at = std::mem::replace(&mut self.next[at], root);
        }
        root
    }

    /// The first member that meets a row and has none. No later row begins before `never_before`: members that are over
    /// by then are done with.
    pub fn first(&mut self, row: Span, never_before: i64) -> Option<usize> {
        let mut at = self.find(0);
        while at < self.spans.len() {
            if row.is_some_and(|(_, end)| self.earliest[at] > end) {
                return None;
            }
            let span = self.spans[at];
            if meet(span, row) {
                return Some(at);
            }
            if span.is_some_and(|(_, to)| to < never_before) {
                self.next[at] = at + 1;
            }
            at = self.find(at + 1);
        }
        None
    }

    /// A member has its row.
    pub fn take(&mut self, at: usize) {
        self.next[at] = at + 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_that_meet_are_counted_without_looking_at_each() {
        let spans = [Some((0, 10)), Some((5, 6)), None, Some((20, 30))];
        let counted = Spans::new(spans.into_iter());
        for (begin, end) in [(0, 0), (7, 8), (10, 20), (11, 19), (31, 40), (6, 20), (-5, -1)] {
            let row = Some((begin, end));
            let each = spans.iter().filter(|span| meet(**span, row)).count();
            assert_eq!(counted.meeting(row), each, "{row:?}");
        }
        assert_eq!(counted.meeting(None), 4);
    }

    #[test]
    fn rows_are_dealt_to_the_first_member_that_meets_them() {
        let mut queue = Queue::new(vec![Some((0, 10)), Some((5, 15)), Some((100, 110)), None]);
        assert_eq!(queue.first(Some((6, 7)), 6), Some(0));
        queue.take(0);
        assert_eq!(queue.first(Some((6, 7)), 6), Some(1));
        queue.take(1);
        assert_eq!(queue.first(Some((6, 7)), 6), Some(3));
        assert_eq!(queue.first(Some((105, 106)), 105), Some(2));
        queue.take(3);
        assert_eq!(queue.first(Some((200, 201)), 200), None);
        assert_eq!(queue.first(None, 0), None);
    }
}
