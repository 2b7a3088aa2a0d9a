//! From facts to the inputs of the decision (`2-judge.md` 2.5), and everything that was counted on the way.

use crate::model::money::{Amount, Money};
use crate::model::row::{Seen, State};
use crate::model::time::{HOUR, MINUTE, Micros};

use super::bounds::{Bounds, bounds};
use super::calls::{Calls, TIMEOUT, Tried};
use super::copies::copies_differ;
use super::count::Found;
use super::coverage::{Asked, Coverage, coverage};
use super::expect::Expected;
use super::facts::{Facts, Idempotent, Meaning, Setting, Ties};
use super::inputs::{
    Att, Count, Cov, Deadline, Exp, Frm, Grow, Inputs, Late, Lin, Link, MoneyIn, Src, StateIn, Susp,
};
use super::judgement::{ExpectedFrom, NotCompared};
use super::money::{Compared, compare};
use super::suspect::{Suspicion, suspicion};

/// Deadline of a recorded submitted beyond its timeout, where none is given (`1-model.md` 1.4.14).
const SUBMITTED_GRACE: i64 = 5 * MINUTE;
/// Deadline of a recorded unknown, where none is given.
const UNKNOWN_GRACE: i64 = 4 * HOUR;

/// What was counted. Everything that a judgement, its findings and its prices follow from.
#[derive(Clone, Debug)]
pub struct Tally<'a> {
    /// What the decision table looks at.
    pub inputs: Inputs,
    /// Calls that count.
    pub tried: Tried,
    /// What is intended.
    pub expected: Expected<'a>,
    /// The range that counts now.
    pub effective: (u32, u32),
    /// Rows that count.
    pub found: Found,
    /// Money against the expected total.
    pub money: Compared,
    /// What the listings prove.
    pub coverage: Coverage,
    /// Why nothing could be compared.
    pub not_compared: NotCompared,
    /// What the calls alone can explain.
    pub bounds: Bounds,
    /// Most effects, rows on their way included.
    pub hi_uncapped: u32,
    /// Most effects, after the cap for covered listings.
    pub hi: u32,
    /// State; `None` is NONE.
    pub state: Option<State>,
    /// It was recorded.
    pub recorded: bool,
    /// Deadline of a recorded submitted or unknown; [`Micros::NONE`] without.
    pub deadline: Micros,
    /// It is past.
    pub overdue: bool,
    /// More effects may still land.
    pub late: bool,
    /// An open suggestion, a near-identical id, an unlinked row of its account, or a row on its way.
    pub open_row: bool,
    /// Count against the own range.
    pub count: Count,
    /// Effects that came back while fewer than expected are live.
    pub came_back: u32,
    /// Rows that the calls do not explain.
    pub unexplained: u32,
    /// Effects that may still land, rows on their way not counted.
    pub may_land: u32,
    /// Suspicion of a duplicate.
    pub suspicion: Suspicion,
    /// The account of its order: `Some(true)` fits, `Some(false)` has the right number of rows and other money.
    pub by_order: Option<bool>,
    /// Latest independent read-back after the last call.
    pub witness: Option<Seen>,
    /// A copy has other numbers.
    pub copies_differ: bool,
}

impl Tally<'_> {
    /// Calls that were told yes beyond the rows, where the count is right and the tool is not declared idempotent.
    pub fn acks_without_row(&self) -> u32 {
        if self.count != Count::Exact || self.tried.idempotent == Idempotent::Yes {
            return 0;
        }
        self.tried.ok.saturating_sub(self.found.gross)
    }

    /// Effects that the callers were told of and no row shows.
    pub fn told_without_row(&self) -> u32 {
        self.bounds.lo.saturating_sub(self.found.gross + self.found.on_its_way + self.came_back)
    }

    /// What one effect is worth: the expected total divided by its number, rounded up to a minor unit; else the
    /// smallest amount of its rows (2.8).
    pub fn unit(&self) -> Option<Money> {
        let max = i64::from(self.expected.max);
        self.expected.compared().filter(|_| max > 0).map_or(self.found.smallest, |total| {
            let digits = total.amount.digits;
            let rest = i64::from(digits % max > 0);
            Some(Money::new(total.unit, Amount { digits: digits / max + rest, ..total.amount }))
        })
    }
}

fn seen_after(facts: &Facts<'_>, tried: &Tried) -> impl DoubleEndedIterator<Item = Seen> {
    let over = tried.over;
    facts.reads.iter().filter(move |r| r.independent && r.when > over).map(|r| r.seen)
}

/// State, recorded or derived (`1-model.md` 1.4.9, 1.4.10).
fn state_of(facts: &Facts<'_>, setting: &Setting, tried: &Tried) -> (Option<State>, bool) {
    if let Some(change) = facts.states.last() {
        return (Some(change.to), true);
    }
    if facts.ties.unrecorded || (setting.intents_complete && facts.record.is_none() && facts.file.is_none()) {
        return (None, false);
    }
    let state = match tried.strongest() {
        Att::Open | Att::None => State::Submitted,
        Att::Ok => State::Confirmed,
        Att::Unk => State::Unknown,
        Att::Rej => State::Failed,
    };
    (Some(state), false)
}

/// Deadline of a recorded submitted or unknown: as given, else by default.
fn deadline_of(facts: &Facts<'_>, tried: &Tried) -> Micros {
    let Some(change) = facts.states.last() else {
        return Micros::NONE;
    };
    let given = |time: Micros| (!time.is_none()).then_some(time);
    let timeout = if tried.timeout > 0 { tried.timeout } else { TIMEOUT };
    let after = |grace: i64| given(change.when).map(|t| t.plus(grace));
    let own = given(change.deadline);
    let deadline = match change.to {
        State::Submitted => own
            .or_else(|| facts.record.and_then(|r| given(r.deadline)))
            .or_else(|| after(timeout.saturating_add(SUBMITTED_GRACE))),
        State::Unknown => own.or_else(|| after(UNKNOWN_GRACE)),
        State::Confirmed | State::Failed => None,
    };
    deadline.unwrap_or(Micros::NONE)
}

fn count_of(found: &Found, expected: &Expected<'_>) -> Count {
    if found.net > expected.max {
        Count::Over
    } else if found.gross > expected.max {
        Count::OverRev
    } else if found.gross == 0 {
        Count::Zero
    } else if found.net == 0 {
        Count::Cleared
    } else if found.net < expected.min {
        Count::Under
    } else {
        Count::Exact
    }
}

/// Whether the account of the order fits, where rows of it are not linked (`1-model.md` 1.5).
fn by_order(facts: &Facts<'_>) -> Option<bool> {
    let account = facts.ties.account.filter(|a| a.unlinked > 0 && a.found == a.wanted)?;
    let differs = match (account.money_wanted, account.money_found) {
        (Some(wanted), Some(found)) => {
            let named = wanted.unit.is_named() == found.unit.is_named();
            named && wanted != found
        }
        // A row whose amount cannot be read neither fits nor differs.
        (Some(_), None) => return None,
        (None, _) => false,
    };
    Some(!differs)
}

/// Why nothing can be compared (R01): no ledger records the tool, it was not read, or it begins too late.
fn not_compared(
    facts: &Facts<'_>,
    setting: &Setting,
    tried: &Tried,
    found: &Found,
    cov: &Coverage,
) -> NotCompared {
    let ties = &facts.ties;
    let open = ties.suggestions > 0 || ties.unreadable > 0 || ties.account.is_some_and(|a| a.unlinked > 0);
    if found.any() {
        NotCompared::No
    } else if setting.sources.iter().all(|s| s.meaning == Meaning::NotALedger) {
        NotCompared::NoLedger
    } else if !setting.any_ledger {
        NotCompared::LedgerNotRead
    } else if tried.elsewhere {
        NotCompared::NoLedgerForTool
    } else if !cov.read || cov.unread {
        NotCompared::LedgerNotRead
    } else if cov.too_old && tried.may_have_acted() > 0 && !open {
        NotCompared::OlderThanLedger
    } else {
        NotCompared::No
    }
}

/// Reduces the facts of one intent to the inputs of the decision, with everything that was counted for it.
pub fn reduce<'a>(facts: &Facts<'a>, setting: &'a Setting) -> (Inputs, Tally<'a>) {
    let tally = tally(facts, setting);
    (tally.inputs, tally)
}

/// Counts everything about one intent, and reduces it.
pub fn tally<'a>(facts: &Facts<'a>, setting: &'a Setting) -> Tally<'a> {
    let ties = &facts.ties;
    let calls = Calls::of(facts, setting);
    let tried = Tried::of(calls);
    let expected = Expected::of(facts, calls);
    let found = Found::of(facts, setting);
    let (state, recorded) = state_of(facts, setting, &tried);
    let deadline = deadline_of(facts, &tried);
    let effective = expected.effective(state);
    let count = count_of(&found, &expected);

    let unlinked = ties.account.is_some_and(|a| a.unlinked > 0);
    // What stands under an id that is equal only after folding may be its own (`1-model.md` 1.5).
    let open_row = ties.suggestions > 0 || ties.near_identical || unlinked || found.on_its_way > 0;
    let witness_shows = seen_after(facts, &tried).any(|s| matches!(s, Seen::Present | Seen::Differs));
    let asked = Asked { other_sign: open_row || witness_shows };
    let coverage = coverage(facts, setting, calls, &tried, asked);

    let bounds = bounds(calls, &tried);
    let came_back = if found.net < effective.0 { found.ended } else { 0 };
    let hi_uncapped = bounds.hi.max(if found.on_its_way > 0 { found.gross + found.on_its_way } else { 0 });
    let hi = if coverage.covered { bounds.lo.max(found.gross) } else { hi_uncapped };
    let beyond = hi_uncapped > (found.gross + came_back).max(bounds.lo) && tried.unsettled() > 0;
    let late = !coverage.covered && (found.on_its_way > 0 || beyond);
    let seen = (found.gross + found.on_its_way + came_back).max(bounds.lo);
    let mut tally = Tally {
        inputs: Inputs::BLANK,
        money: compare(&found, &expected, setting.tolerance, ties.attr_differs),
        not_compared: not_compared(facts, setting, &tried, &found, &coverage),
        suspicion: suspicion(facts, setting, calls, &expected, &found, count),
        unexplained: found.gross.saturating_sub(bounds.hi),
        may_land: if late { hi_uncapped.saturating_sub(seen) } else { 0 },
        copies_differ: copies_differ(facts, setting),
        by_order: by_order(facts),
        witness: seen_after(facts, &tried).next_back(),
        overdue: !deadline.is_none() && setting.now > deadline,
        tried,
        expected,
        effective,
        found,
        coverage,
        bounds,
        hi_uncapped,
        hi,
        late,
        open_row,
        state,
        recorded,
        deadline,
        count,
        came_back,
    };
    tally.inputs = inputs(ties, &tally);
    tally
}

/// The small sets.
fn inputs(ties: &Ties, t: &Tally<'_>) -> Inputs {
    let grows = t.count == Count::Exact
        && t.money.input == MoneyIn::Amt
        && !t.coverage.covered
        && t.found.net < t.expected.max
        && t.money.less;
    Inputs {
        src: if t.not_compared == NotCompared::No { Src::Loaded } else { Src::NotLoaded },
        exp: if t.expected.max == 0 { Exp::E0 } else { Exp::E1 },
        frm: if t.expected.from == ExpectedFrom::File { Frm::File } else { Frm::Record },
        count: t.count,
        money: t.money.input,
        grow: if grows { Grow::Yes } else { Grow::No },
        cov: if t.coverage.covered { Cov::Covered } else { Cov::Uncovered },
        state: match t.state {
            Some(State::Submitted) => StateIn::Submitted,
            Some(State::Confirmed) => StateIn::Confirmed,
            Some(State::Failed) => StateIn::Failed,
            Some(State::Unknown) => StateIn::Unknown,
            None => StateIn::None,
        },
        att: t.tried.strongest(),
        dl: if t.overdue { Deadline::Overdue } else { Deadline::InTime },
        key: t.tried.key,
        link: match (ties.contested, t.open_row) {
            (true, _) => Link::Contested,
            (false, true) => Link::Open,
            (false, false) => Link::Clear,
        },
        susp: if t.expected.max == 0 { Susp::No } else { t.suspicion.susp },
        lin: if ties.lineage.is_some_and(|l| l.live_members > 1) { Lin::Conflict } else { Lin::None },
        late: if t.late { Late::Yes } else { Late::No },
    }
}
