//! The facts of one intent as sentences need them: which rows count, which calls lost their answer, who read between.

use super::super::judgement::Judgement;
use super::super::view::{AttemptView, EffectView, IntentView, SourceView, Tied};
use super::super::words::{Case, Words, case_of};
use super::Context;
use super::phrase;
use crate::model::money::{Money, Total};
use crate::model::outcome::Class;
use crate::model::row::{Seen, Status};
use crate::model::time::{Instant, Micros};

/// The mapping of a source whose format says what each of its fields is.
const OF_THE_FORMAT: &str = "fields of the format";

/// An intent, its words, and where they are told.
pub(super) struct Facts<'a> {
    pub view: &'a IntentView,
    pub cx: &'a Context<'a>,
    pub words: &'static Words,
    pub noun: String,
}

impl<'a> Facts<'a> {
    pub(super) fn new(view: &'a IntentView, cx: &'a Context<'a>) -> Self {
        let kind = if view.kind.is_empty() { &view.tool } else { &view.kind };
        Self { view, cx, words: case_of(&view.judgement), noun: phrase::noun(kind) }
    }

    pub(super) fn j(&self) -> &'a Judgement {
        &self.view.judgement
    }

    pub(super) fn case(&self) -> Case {
        self.words.case
    }

    /// Linked rows that are no copies and take nothing back, one per effect. Copies where nothing else is loaded.
    pub(super) fn rows(&self) -> Vec<&'a EffectView> {
        let linked = |copy: bool| {
            let mut rows: Vec<&EffectView> = Vec::new();
            for row in self.view.effects.iter().filter(|e| e.copy == copy && !e.reversal) {
                if !rows.iter().any(|seen| seen.ident == row.ident) {
                    rows.push(row);
                }
            }
            rows
        };
        let rows = linked(false);
        if rows.is_empty() { linked(true) } else { rows }
    }

    fn rows_that_are(&self, status: Status) -> Vec<&'a EffectView> {
        self.rows().into_iter().filter(|row| row.status == status).collect()
    }

    /// Rows that happened, undone or not.
    pub(super) fn happened(&self) -> Vec<&'a EffectView> {
        self.rows_that_are(Status::Live)
    }

    /// Rows that happened and stand.
    pub(super) fn live(&self) -> Vec<&'a EffectView> {
        self.happened().into_iter().filter(|row| !row.reversed).collect()
    }

    /// Rows on their way, linked ones first.
    pub(super) fn on_the_way(&self) -> Vec<&'a EffectView> {
        let open = self.view.open_rows.iter().filter(|row| row.status == Status::OnItsWay);
        self.rows_that_are(Status::OnItsWay).into_iter().chain(open).collect()
    }

    /// The rows that a double is about: what happened, else what the account of the order has.
    pub(super) fn counted_rows(&self) -> Vec<&'a EffectView> {
        let rows = self.happened();
        if rows.is_empty() { self.view.open_rows.iter().collect() } else { rows }
    }

    /// The rows come from formats with ids of their own, which are no ids of calls.
    pub(super) fn of_known_formats(&self) -> bool {
        let rows = self.counted_rows();
        let own =
            |row: &&EffectView| self.cx.sources.get(row.source).is_some_and(|s| s.mapping == OF_THE_FORMAT);
        !rows.is_empty() && rows.iter().all(own)
    }

    /// The row that the sentences of this case are about.
    pub(super) fn row(&self) -> Option<&'a EffectView> {
        let came_back = || self.rows_that_are(Status::NotAnEffect).first().copied();
        let open = || self.view.open_rows.first();
        let first = match self.case() {
            Case::OnItsWay | Case::OneOnItsWay | Case::AllOnTheirWay => self.on_the_way().first().copied(),
            Case::CameBack => came_back(),
            _ => open(),
        };
        first.or_else(|| self.rows().first().copied())
    }

    /// Write attempts that count.
    pub(super) fn attempts(&self) -> Vec<&'a AttemptView> {
        self.view.attempts.iter().filter(|a| a.counts && !a.read).collect()
    }

    /// Attempts whose answer was lost.
    pub(super) fn lost(&self) -> Vec<&'a AttemptView> {
        self.attempts().into_iter().filter(|a| a.class == Class::Unknown).collect()
    }

    /// Attempts that may still act, or may have acted without a word.
    pub(super) fn unsettled(&self) -> Vec<&'a AttemptView> {
        self.attempts().into_iter().filter(|a| a.class.unsettled()).collect()
    }

    /// The last attempt that was told yes.
    pub(super) fn told_yes(&self) -> Option<&'a AttemptView> {
        self.attempts().into_iter().rev().find(|a| a.class.told_yes())
    }

    /// The row that an attempt made, as far as is known.
    pub(super) fn made_by(&self, attempt: &AttemptView) -> Option<&'a EffectView> {
        self.rows().into_iter().find(|row| match row.tied {
            Tied::ByReceipt(n) | Tied::ByTime(n) | Tied::ByOrder(n) => n == attempt.number,
            Tied::WhichCall | Tied::Maybe(_) | Tied::Nobody => false,
        })
    }

    /// A number is needed to say which attempt is meant.
    pub(super) fn several(&self) -> bool {
        self.attempts().len() > 1
    }

    /// Whether somebody read on another path after one call ended and before the next was sent; `None` where no
    /// times say so.
    pub(super) fn read_between(&self, first: &AttemptView, next: &AttemptView) -> Option<Look> {
        let from = ended_or_sent(first);
        let to = next.sent;
        let (Some(from), false) = (from, to.is_none()) else {
            return self.read_in_order(first, next);
        };
        let between = |at: Micros| !at.is_none() && at >= from.at && at <= to.at;
        let back = self
            .view
            .reads
            .iter()
            .rev()
            .find(|read| between(read.when) && !matches!(read.seen, Seen::Unreadable | Seen::NotRun));
        if let Some(back) = back {
            let found = matches!(back.seen, Seen::Present | Seen::Differs);
            return Some(if found { Look::Found } else { Look::NotFound });
        }
        let called = self.view.attempts.iter().any(|a| a.read && between(a.sent.at));
        Some(if called { Look::Read } else { Look::Nobody })
    }

    /// Without times the order of the calls tells; read-backs have no place in it.
    fn read_in_order(&self, first: &AttemptView, next: &AttemptView) -> Option<Look> {
        let behind = self.view.attempts.iter().skip_while(|a| !std::ptr::eq(*a, first));
        let mut between = behind.take_while(|a| !std::ptr::eq(*a, next));
        if between.any(|a| a.read) {
            Some(Look::Read)
        } else {
            self.view.reads.is_empty().then_some(Look::Nobody)
        }
    }

    /// The source whose coverage decided, else the first ledger.
    pub(super) fn source(&self) -> Option<&'a SourceView> {
        let decided = self.view.deciding_source.and_then(|at| self.cx.sources.get(at));
        decided.or_else(|| self.cx.sources.iter().find(|s| s.what == "ledger"))
    }

    /// A copy of a source that moves money is loaded: then the two are named apart.
    pub(super) fn has_copies(&self) -> bool {
        self.view.by_source.iter().any(|s| s.copy) && self.view.by_source.iter().any(|s| !s.copy)
    }

    /// The total that is expected now: nothing where nothing is intended any more.
    pub(super) fn expected(&self) -> Option<Money> {
        let j = self.j();
        let expected = j.expected?;
        if j.effective_max == 0 {
            Some(Money { amount: crate::model::money::Amount::ZERO, ..expected })
        } else {
            Some(expected)
        }
    }

    /// What is there, in words; empty where no amount is known.
    pub(super) fn live_text(&self) -> String {
        let j = self.j();
        if j.several_units {
            return self.cx.totals(&self.view.totals);
        }
        if let Some(live) = j.live {
            return self.cx.money(live);
        }
        self.cx.totals(&self.view.totals)
    }

    /// What is there, where that is more than nothing.
    pub(super) fn live_more_than_zero(&self) -> String {
        let something = self.view.totals.iter().any(|(_, total)| !total.is_zero());
        let live = self.j().live.is_some_and(|m| !m.amount.is_zero());
        if something || live { self.live_text() } else { String::new() }
    }

    /// The amount that was asked for: the intended one, else that of the calls.
    pub(super) fn asked(&self) -> String {
        let of_calls = || self.attempts().iter().rev().find_map(|a| a.amount);
        self.j().expected.or_else(of_calls).map_or_else(String::new, |money| self.cx.money(money))
    }

    /// Money is meant, so that something is paid.
    pub(super) fn is_money(&self) -> bool {
        self.j().expected.is_some() || self.view.totals.iter().any(|(_, total)| total != Total::ZERO)
    }
}

/// What somebody saw between two calls.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Look {
    /// Nobody looked.
    Nobody,
    /// A read was made, its answer is not kept.
    Read,
    /// A read-back found it.
    Found,
    /// A read-back did not find it.
    NotFound,
}

/// When a call ended, else when it was sent.
pub(super) fn ended_or_sent(attempt: &AttemptView) -> Option<Instant> {
    [attempt.ended, attempt.sent].into_iter().find(|at| !at.is_none())
}
