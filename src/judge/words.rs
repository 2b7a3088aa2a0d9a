//! The words of verdicts, marks, outcomes, coverage and findings (`6-screens.md` 7.4.5, 7.4.6), as tables.
//!
//! A row of [`WORDS`] is found by [`case_of`], from a [`Judgement`] alone, so that a list of a million intents needs
//! no text before it is drawn. Its sentences have places in braces; `story` fills them.

mod marks;
mod reach;
mod small;
mod table;
#[cfg(test)]
mod tests;

use super::findings as f;
use super::judgement::{Class, ExpectedFrom, Judgement, NotCompared};
use super::rules::Rule;
use crate::model::row::State;

pub use marks::{MARKS, Mark, MarkRow};
pub use reach::{Proves, proves};
pub use small::{
    COVERAGE, Coverage, FINDINGS, ORIGINS, OUTCOMES, PROPERTIES, READS, RECORD_SAYS, coverage, finding,
    origin, outcome, read_result, record_says,
};
pub use table::WORDS;

/// Cells that the words of a list may take (7.4.2).
pub const LIST_CELLS: usize = 27;

/// Cells that are left for the words beside a covered-from time (7.4.10).
pub const LIST_CELLS_WITH_TIME: usize = 17;

/// Severity in words (7.4.6, Urgency).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Urgency {
    /// S1.
    Now,
    /// S2.
    Today,
    /// S3.
    Decide,
    /// S4.
    Check,
    /// S5, still waiting.
    Wait,
    /// S5, clean.
    Fine,
    /// A row without an attempt: no severity.
    Apart,
}

impl Urgency {
    /// By severity after its rise by money and lateness; `class` is absent for rows without an attempt.
    pub fn of(severity: u8, class: Option<Class>) -> Self {
        match (class, severity) {
            (None, _) => Self::Apart,
            (_, 0 | 1) => Self::Now,
            (_, 2) => Self::Today,
            (_, 3) => Self::Decide,
            (_, 4) => Self::Check,
            (Some(Class::Open), _) => Self::Wait,
            _ => Self::Fine,
        }
    }

    /// The word in the margin.
    pub fn word(self) -> &'static str {
        match self {
            Self::Now => "now",
            Self::Today => "today",
            Self::Decide => "decide",
            Self::Check => "check",
            Self::Wait => "wait",
            Self::Fine => "fine",
            Self::Apart => "apart",
        }
    }
}

/// Case of a rule: the `·` lines of 7.4.6, and where its sentences would else say what is not known.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Case {
    /// The line of the rule itself.
    Plain,
    /// Older than the ledger's first row.
    OlderThanLedger,
    /// The ledger could not be read.
    LedgerNotRead,
    /// No ledger was given.
    NoLedger,
    /// One line stands twice and has no id.
    SameLine,
    /// Each of several amounts was called for and is there.
    OtherAmounts,
    /// Some happened, one more is on its way.
    OneOnItsWay,
    /// All are on their way.
    AllOnTheirWay,
    /// The rows carry no ids: judged by the account of the order.
    NoIds,
    /// One operation under two keys.
    TwoKeys,
    /// The answer says that it failed, no record does.
    AnswerSaysFailed,
    /// The amounts of the source look like minor units.
    MinorUnits,
    /// The effect was returned.
    CameBack,
    /// A copy has other numbers.
    SourcesDisagree,
    /// Another id is almost the same.
    NearIdentical,
    /// Only derived, and nothing can be added.
    Settled,
    /// Another call may still land.
    MayLand,
    /// The row is there, no call is loaded.
    CallNotLoaded,
    /// Nothing is there yet but a row on its way.
    OnItsWay,
    /// The rows of the order fit in number and money.
    FitsByOrder,
    /// The rows of the order fit in number only.
    DiffersByOrder,
    /// A row may be this one.
    MayBeIt,
    /// Recorded as done, no answer said so.
    RecordedOnly,
    /// A file expects it, every call was refused.
    Refused,
    /// A file expects it, no call is loaded.
    NotSent,
    /// A file expects it, the record says failed after a lost answer.
    RecordedFailed,
    /// Settled by a person and contradicted since.
    Disputed,
    /// A row without an attempt.
    NoAttempt,
    /// Two or more rows of one operation without an attempt.
    PossibleDouble,
    /// A row without an attempt in a trace that is declared complete.
    NoRequest,
}

/// A line of 7.4.6.
#[derive(Clone, Copy, Debug)]
pub struct Words {
    /// Its rule; `None` for rows without an attempt and what a book adds.
    pub rule: Option<Rule>,
    /// Its case.
    pub case: Case,
    /// Its mark.
    pub mark: Mark,
    /// Words in lists; `{times}` is the only place in them.
    pub list: &'static str,
    /// Urgency before it rises.
    pub urgency: Urgency,
    /// First sentence of the story, with places in braces.
    pub first: &'static str,
    /// Next step, with places in braces and keys in brackets.
    pub next: &'static str,
}

impl Words {
    /// It cannot be known yet, and the clock or a later read decides: the list shows from when on it is covered.
    pub fn waits_for_a_read(&self) -> bool {
        let waits = matches!(
            self.rule,
            Some(
                Rule::R18
                    | Rule::R20a
                    | Rule::R21
                    | Rule::R25
                    | Rule::R29
                    | Rule::R31
                    | Rule::R32
                    | Rule::R35
            )
        );
        match self.case {
            Case::MayLand => true,
            Case::OnItsWay
            | Case::OneOnItsWay
            | Case::FitsByOrder
            | Case::DiffersByOrder
            | Case::NearIdentical => false,
            _ => waits,
        }
    }

    /// The words of a list for so many effects: `happened twice`, `happened 3 times`.
    pub fn in_list(&self, times: u32) -> String {
        let with = |text: &str| self.list.replace("{times}", text);
        let figures = match times {
            0..=2 => "twice".to_owned(),
            _ => format!("{times} times"),
        };
        // Every character of these texts is one cell wide.
        let text = with(&figures);
        if text.chars().count() <= LIST_CELLS { text } else { with("often") }
    }
}

/// The words of a verdict.
pub fn case_of(judgement: &Judgement) -> &'static Words {
    if has(judgement, f::DISPUTED) {
        return find(None, Case::Disputed);
    }
    find(Some(judgement.rule), case(judgement))
}

/// The words of rows without an attempt.
pub fn case_of_orphan(possible_double: bool, violation: bool) -> &'static Words {
    let case = match (possible_double, violation) {
        (true, _) => Case::PossibleDouble,
        (false, true) => Case::NoRequest,
        (false, false) => Case::NoAttempt,
    };
    find(None, case)
}

/// The list words of a verdict, filled.
pub fn list_words(judgement: &Judgement) -> String {
    case_of(judgement).in_list(times(judgement))
}

/// The mark of a verdict, filled: `+1`, `−2`, `?`.
pub fn mark_of(judgement: &Judgement) -> String {
    case_of(judgement).mark.text(deviation(judgement))
}

/// How often it happened, for `twice` and `3 times`.
pub fn times(judgement: &Judgement) -> u32 {
    match judgement.rule {
        Rule::R06 | Rule::R07 | Rule::R03 => judgement.gross,
        Rule::R16a => judgement.gross.saturating_add(judgement.on_its_way),
        _ => judgement.net,
    }
}

/// By how many the ledger deviates from the intended range: the figure of the mark, 1 where only one is known of.
pub fn deviation(judgement: &Judgement) -> u32 {
    let found = times(judgement);
    let (min, max) = (judgement.effective_min, judgement.effective_max);
    found.saturating_sub(max).max(min.saturating_sub(found)).max(1)
}

/// Whether a finding was made.
pub(crate) fn has(judgement: &Judgement, finding: u64) -> bool {
    judgement.found & finding != 0
}

/// A line of [`WORDS`]: the rule's own where it has no such case.
fn find(rule: Option<Rule>, case: Case) -> &'static Words {
    let line = |rule: Option<Rule>, case: Case| WORDS.iter().find(|w| w.rule == rule && w.case == case);
    // A record that is behind says the same of what was seen as one that is not.
    let same_cases = if rule == Some(Rule::R32) { Some(Rule::R25) } else { None };
    line(rule, case)
        .or_else(|| same_cases.and_then(|rule| line(Some(rule), case)))
        .or_else(|| line(rule, Case::Plain))
        .unwrap_or(&WORDS[0])
}

/// A clean verdict that a finding made undecided (`2-judge.md` 2.7).
fn lifted(j: &Judgement) -> Option<Case> {
    if !j.lifted {
        return None;
    }
    if has(j, f::NEAR_IDENTICAL_ID) {
        Some(Case::NearIdentical)
    } else if has(j, f::SOURCES_DISAGREE) {
        Some(Case::SourcesDisagree)
    } else {
        None
    }
}

/// A row that is on its way, or fits by order, or may be it: what is said in place of "not seen".
fn seen_elsewhere(j: &Judgement) -> Option<Case> {
    if j.on_its_way > 0 {
        Some(Case::OnItsWay)
    } else if has(j, f::FITS_BY_ORDER) {
        Some(Case::FitsByOrder)
    } else if has(j, f::DIFFERS_BY_ORDER) {
        Some(Case::DiffersByOrder)
    } else if has(j, f::SUGGESTION) {
        Some(Case::MayBeIt)
    } else if has(j, f::NEAR_IDENTICAL_ID) {
        Some(Case::NearIdentical)
    } else {
        None
    }
}

fn case(j: &Judgement) -> Case {
    let special = match j.rule {
        Rule::R01 => match j.not_compared {
            NotCompared::OlderThanLedger => Some(Case::OlderThanLedger),
            NotCompared::LedgerNotRead => Some(Case::LedgerNotRead),
            NotCompared::NoLedger => Some(Case::NoLedger),
            NotCompared::NoLedgerForTool | NotCompared::No => None,
        },
        Rule::R04a if has(j, f::NO_EFFECT_ID) => Some(Case::SameLine),
        Rule::R04a if has(j, f::AMOUNT_CHANGED) => Some(Case::OtherAmounts),
        Rule::R11 if !(j.state == Some(State::Failed) && j.state_recorded) => Some(Case::AnswerSaysFailed),
        Rule::R13 if j.lifted => Some(Case::MinorUnits),
        Rule::R15 if j.came_back > 0 => Some(Case::CameBack),
        Rule::R16a => suspected(j),
        Rule::R17 | Rule::R22 | Rule::R28 => lifted(j),
        Rule::R24 => hidden(j),
        Rule::R25 | Rule::R32 => seen_elsewhere(j).or((j.lo == 0).then_some(Case::RecordedOnly)),
        Rule::R29 | Rule::R35 if j.on_its_way > 0 => Some(Case::OnItsWay),
        Rule::R31 => seen_elsewhere(j),
        Rule::R27 => missing(j),
        _ => None,
    };
    special.unwrap_or(Case::Plain)
}

fn suspected(j: &Judgement) -> Option<Case> {
    match (j.gross, j.on_its_way) {
        (0, 0) => Some(Case::NoIds),
        (0, _) => Some(Case::AllOnTheirWay),
        (_, 1..) => Some(Case::OneOnItsWay),
        // Nothing is open, so both rows are linked: to two intents.
        (_, 0) if !j.link_open => Some(Case::TwoKeys),
        _ => None,
    }
}

fn hidden(j: &Judgement) -> Option<Case> {
    if j.late {
        return Some(if j.on_its_way > 0 { Case::OneOnItsWay } else { Case::MayLand });
    }
    if let Some(case) = lifted(j) {
        return Some(case);
    }
    match j.class {
        Class::Clean => Some(Case::Settled),
        _ if j.attempts == 0 => Some(Case::CallNotLoaded),
        _ => None,
    }
}

fn missing(j: &Judgement) -> Option<Case> {
    let expected_by_file = j.expected_from == ExpectedFrom::File && j.state == Some(State::Failed);
    if j.came_back > 0 {
        Some(Case::CameBack)
    } else if expected_by_file && j.attempts == 0 {
        Some(Case::NotSent)
    } else if expected_by_file && j.lost == 0 {
        Some(Case::Refused)
    } else if expected_by_file {
        Some(Case::RecordedFailed)
    } else {
        (j.lo == 0).then_some(Case::RecordedOnly)
    }
}
