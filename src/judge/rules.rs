//! The decision table (`2-judge.md` 2.6) and what each rule says (2.7, 2.8). First match wins; every rule of the
//! table stands in its line here, readable beside the specification.

pub use super::inputs::{
    Att, Count, Cov, Deadline, Exp, Frm, Grow, Inputs, Key, Late, Lin, Link, MoneyIn, Src, StateIn, Susp,
};
use super::judgement::Class;

/// A row of the decision table, in its order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
#[rustfmt::skip]
pub enum Rule {
    /// `SOURCE_NOT_READ`.
    R01,
    /// `UNEXPECTED_EFFECT`.
    R02,
    /// `REVERSED`, though it must not happen.
    R03,
    /// `COUNT_DIFFERS_TOTAL_EQUAL`.
    R04,
    /// `SUSPECTED_DUPLICATE`, exceeded only by assumption.
    R04a,
    /// `DUPLICATED`.
    R05,
    /// `DUPLICATED_REVERSED`.
    R06,
    /// `REVERSAL_MISMATCH`.
    R07,
    /// `LINEAGE_DOUBLE`.
    R08,
    /// `LINK_CONTESTED`.
    R09,
    /// `UNREADABLE`.
    R10,
    /// `FAILED_BUT_EFFECT`.
    R11,
    /// `CURRENCY_MISMATCH`.
    R12,
    /// `AMOUNT_MISMATCH`.
    R13,
    /// `ATTRIBUTE_MISMATCH`.
    R14,
    /// `REVERSED`.
    R15,
    /// `KEY_CONFLICT`.
    R16,
    /// `SUSPECTED_DUPLICATE`, by open rows.
    R16a,
    /// `MATCHED`: it must not happen, and did not.
    R17,
    /// `UNVERIFIED_ABSENCE`.
    R18,
    /// `UNRECORDED`.
    R19,
    /// `IN_FLIGHT`.
    R20,
    /// `UNVERIFIED_SUCCESS`: a part so far.
    R20a,
    /// `MATCHED_NOT_SETTLED`.
    R21,
    /// `MATCHED`.
    R22,
    /// `STATE_LAGS`: it happened.
    R23,
    /// `HIDDEN_SUCCESS`.
    R24,
    /// `UNVERIFIED_SUCCESS`: the ledger was read too early.
    R25,
    /// `PARTIAL`.
    R26,
    /// `MISSING`.
    R27,
    /// `FAILED_CLEAN`.
    R28,
    /// `FAILED_UNPROVEN`.
    R29,
    /// `ABSENT_COVERED`.
    R30,
    /// `UNRESOLVED_UNKNOWN`.
    R31,
    /// `UNVERIFIED_SUCCESS`: and the record is behind.
    R32,
    /// `STATE_LAGS`: it was refused.
    R33,
    /// `NOT_STARTED`.
    R34,
    /// `STALE_SUBMITTED`.
    R35,
}

use Rule::{
    R01, R02, R03, R04, R04a, R05, R06, R07, R08, R09, R10, R11, R12, R13, R14, R15, R16, R16a, R17, R18,
    R19, R20, R20a, R21, R22, R23, R24, R25, R26, R27, R28, R29, R30, R31, R32, R33, R34, R35,
};

/// A row of the decision table: the rule and its condition.
pub type Line = (Rule, fn(&Inputs) -> bool);

/// The decision table: the first row whose condition holds gives the verdict. Total: the last rows leave no
/// state without one ([`decide`]).
#[rustfmt::skip]
pub const RULES: [Line; 38] = [
    (R01,  |i| i.src == Src::NotLoaded),
    (R02,  |i| i.exp == Exp::E0 && i.count == Count::Over),
    (R03,  |i| i.exp == Exp::E0 && i.count == Count::OverRev),
    (R04,  |i| matches!(i.count, Count::Over | Count::Under) && i.money == MoneyIn::Eq && i.state != StateIn::Failed),
    (R04a, |i| i.susp == Susp::Own),
    (R05,  |i| i.count == Count::Over),
    (R06,  |i| i.count == Count::OverRev
               && ((matches!(i.money, MoneyIn::Eq | MoneyIn::Nt) && i.state != StateIn::Failed)
                   || (i.money == MoneyIn::Na && i.state == StateIn::Failed))),
    (R07,  |i| i.count == Count::OverRev),
    (R08,  |i| i.lin == Lin::Conflict),
    (R09,  |i| i.link == Link::Contested),
    (R10,  |i| i.money == MoneyIn::NoRead),
    (R11,  |i| matches!(i.count, Count::Under | Count::Exact)
               && (i.state == StateIn::Failed || (i.att == Att::Rej && i.state != StateIn::Confirmed))),
    (R12,  |i| i.money == MoneyIn::Cur),
    (R13,  |i| i.count == Count::Exact && i.money == MoneyIn::Amt && i.grow == Grow::No),
    (R14,  |i| i.money == MoneyIn::Attr),
    (R15,  |i| i.count == Count::Cleared),
    (R16,  |i| i.key == Key::Accepted),
    (R16a, |i| i.susp == Susp::Open),
    (R17,  |i| i.exp == Exp::E0 && i.count == Count::Zero && i.cov == Cov::Covered),
    (R18,  |i| i.exp == Exp::E0 && i.count == Count::Zero),
    (R19,  |i| i.state == StateIn::None),
    (R20,  |i| i.state == StateIn::Submitted && i.att == Att::Open && i.dl == Deadline::InTime),
    (R20a, |i| i.count == Count::Exact && i.money == MoneyIn::Amt),
    (R21,  |i| i.count == Count::Exact && i.state == StateIn::Confirmed && i.late == Late::Yes),
    (R22,  |i| i.count == Count::Exact && i.state == StateIn::Confirmed),
    (R23,  |i| i.count == Count::Exact && i.att == Att::Ok),
    (R24,  |i| i.count == Count::Exact),
    (R25,  |i| i.state == StateIn::Confirmed && i.cov == Cov::Uncovered),
    (R26,  |i| i.count == Count::Under && i.cov == Cov::Covered
               && (matches!(i.state, StateIn::Confirmed | StateIn::Unknown)
                   || (i.state == StateIn::Submitted && i.att == Att::Ok))),
    (R27,  |i| i.count == Count::Zero
               && ((i.cov == Cov::Covered
                       && (i.state == StateIn::Confirmed
                           || (i.att == Att::Ok && matches!(i.state, StateIn::Unknown | StateIn::Submitted))))
                   || (i.frm == Frm::File && i.state == StateIn::Failed && shown_not_done(i)))),
    (R28,  |i| i.state == StateIn::Failed && shown_not_done(i)),
    (R29,  |i| i.state == StateIn::Failed),
    (R30,  |i| i.state == StateIn::Unknown && i.count == Count::Zero && i.cov == Cov::Covered),
    (R31,  |i| i.state == StateIn::Unknown),
    (R32,  |i| i.state == StateIn::Submitted && i.att == Att::Ok),
    (R33,  |i| i.state == StateIn::Submitted && i.att == Att::Rej),
    (R34,  |i| i.state == StateIn::Submitted && i.att == Att::None && i.dl == Deadline::InTime),
    (R35,  |i| i.state == StateIn::Submitted),
];

/// Of a failed intent it is shown that nothing was done: the absence is covered, or no call could have acted and
/// no row may be its own.
fn shown_not_done(i: &Inputs) -> bool {
    i.cov == Cov::Covered || (matches!(i.att, Att::None | Att::Rej) && i.link != Link::Open)
}

/// The first rule that matches. Pairs that [`Inputs::possible`] rules out end in R35.
pub fn decide(inputs: &Inputs) -> Rule {
    RULES.iter().find(|(_, holds)| holds(inputs)).map_or(R35, |(rule, _)| *rule)
}

/// What a rule says before anything lifts it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Meaning {
    /// The rule.
    pub rule: Rule,
    /// Its number as printed.
    pub number: &'static str,
    /// Verdict, the stable code for programs.
    pub verdict: &'static str,
    /// Base class; `HIDDEN_SUCCESS` may also be clean ([`super::severity`]).
    pub class: Class,
    /// Base severity, 1 to 5.
    pub severity: u8,
    /// Label: groups several verdicts for people.
    pub label: &'static str,
}

/// Label of what was lifted from clean or weakened by a hint.
pub const LOOK_AT_IT: &str = "LOOK AT IT";

const fn row(
    rule: Rule,
    number: &'static str,
    verdict: &'static str,
    class: Class,
    severity: u8,
    label: &'static str,
) -> Meaning {
    Meaning { rule, number, verdict, class, severity, label }
}

/// Verdict, class, base severity and label of each rule, in the order of [`Rule`].
#[rustfmt::skip]
pub const MEANINGS: [Meaning; 38] = {
    use Class::{Clean, Open, Undecided, Violation};
    [
        row(R01,  "R01",  "SOURCE_NOT_READ",           Undecided, 3, "NOT COMPARED"),
        row(R02,  "R02",  "UNEXPECTED_EFFECT",         Violation, 1, "DOUBLE"),
        row(R03,  "R03",  "REVERSED",                  Undecided, 4, LOOK_AT_IT),
        row(R04,  "R04",  "COUNT_DIFFERS_TOTAL_EQUAL", Undecided, 3, LOOK_AT_IT),
        row(R04a, "R04a", "SUSPECTED_DUPLICATE",       Undecided, 1, "PROBABLY DOUBLE"),
        row(R05,  "R05",  "DUPLICATED",                Violation, 1, "DOUBLE"),
        row(R06,  "R06",  "DUPLICATED_REVERSED",       Violation, 4, "DOUBLE, UNDONE"),
        row(R07,  "R07",  "REVERSAL_MISMATCH",         Violation, 2, "WRONG AMOUNT"),
        row(R08,  "R08",  "LINEAGE_DOUBLE",            Violation, 1, "DOUBLE"),
        row(R09,  "R09",  "LINK_CONTESTED",            Undecided, 3, LOOK_AT_IT),
        row(R10,  "R10",  "UNREADABLE",                Undecided, 3, LOOK_AT_IT),
        row(R11,  "R11",  "FAILED_BUT_EFFECT",         Violation, 1, "FAILED BUT DONE"),
        row(R12,  "R12",  "CURRENCY_MISMATCH",         Violation, 2, "WRONG AMOUNT"),
        row(R13,  "R13",  "AMOUNT_MISMATCH",           Violation, 2, "WRONG AMOUNT"),
        row(R14,  "R14",  "ATTRIBUTE_MISMATCH",        Undecided, 3, LOOK_AT_IT),
        row(R15,  "R15",  "REVERSED",                  Undecided, 4, LOOK_AT_IT),
        row(R16,  "R16",  "KEY_CONFLICT",              Violation, 2, LOOK_AT_IT),
        row(R16a, "R16a", "SUSPECTED_DUPLICATE",       Undecided, 1, "PROBABLY DOUBLE"),
        row(R17,  "R17",  "MATCHED",                   Clean,     5, "OK"),
        row(R18,  "R18",  "UNVERIFIED_ABSENCE",        Undecided, 4, "CANNOT TELL YET"),
        row(R19,  "R19",  "UNRECORDED",                Undecided, 3, LOOK_AT_IT),
        row(R20,  "R20",  "IN_FLIGHT",                 Open,      5, "WAITING"),
        row(R20a, "R20a", "UNVERIFIED_SUCCESS",        Undecided, 4, "CANNOT TELL YET"),
        row(R21,  "R21",  "MATCHED_NOT_SETTLED",       Undecided, 4, "CANNOT TELL YET"),
        row(R22,  "R22",  "MATCHED",                   Clean,     5, "OK"),
        row(R23,  "R23",  "STATE_LAGS",                Undecided, 4, "DONE, ANSWER LOST"),
        row(R24,  "R24",  "HIDDEN_SUCCESS",            Undecided, 3, "DONE, ANSWER LOST"),
        row(R25,  "R25",  "UNVERIFIED_SUCCESS",        Undecided, 4, "CANNOT TELL YET"),
        row(R26,  "R26",  "PARTIAL",                   Violation, 2, "MISSING"),
        row(R27,  "R27",  "MISSING",                   Violation, 2, "MISSING"),
        row(R28,  "R28",  "FAILED_CLEAN",              Clean,     5, "OK"),
        row(R29,  "R29",  "FAILED_UNPROVEN",           Undecided, 3, "CANNOT TELL YET"),
        row(R30,  "R30",  "ABSENT_COVERED",            Undecided, 3, "NOT DONE"),
        row(R31,  "R31",  "UNRESOLVED_UNKNOWN",        Undecided, 3, "CANNOT TELL YET"),
        row(R32,  "R32",  "UNVERIFIED_SUCCESS",        Undecided, 4, "CANNOT TELL YET"),
        row(R33,  "R33",  "STATE_LAGS",                Undecided, 4, "DONE, ANSWER LOST"),
        row(R34,  "R34",  "NOT_STARTED",               Open,      5, "WAITING"),
        row(R35,  "R35",  "STALE_SUBMITTED",           Undecided, 3, "CANNOT TELL YET"),
    ]
};

impl Rule {
    /// What it says.
    pub fn meaning(self) -> &'static Meaning {
        // The table stands in the order of the rules (tested), so the look-up cannot miss.
        MEANINGS.get(self as usize).unwrap_or(&MEANINGS[0])
    }

    /// Its number as printed (`R16a`).
    pub fn number(self) -> &'static str {
        self.meaning().number
    }

    /// Its verdict code.
    pub fn verdict(self) -> &'static str {
        self.meaning().verdict
    }

    /// It suspects a duplicate that ids do not prove.
    pub fn suspects(self) -> bool {
        matches!(self, R04a | R16a)
    }
}
