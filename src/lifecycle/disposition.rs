//! Dispositions: how an item that is not unknown was closed (`3-lifecycle.md` 3.13).

use crate::model::money::Money;
use crate::model::row::State;

use super::facts::Facts;
use super::guards::{self, Rules};
use super::persons::{Choice, persons};
use super::policy::Weight;
use super::refusal::{Code, Refusal};
use super::resolve::of;

/// What a disposition needs beside its note.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Needs {
    /// The word.
    pub word: &'static str,
    /// An amount.
    pub amount: bool,
    /// A reference or a row.
    pub reference: bool,
    /// The other item.
    pub other: bool,
    /// It writes something off: from the high-value limit up two people.
    pub writes_off: bool,
}

/// Every disposition. The reason of the table is the note.
#[rustfmt::skip]
pub const DISPOSITIONS: [Needs; 8] = [
    Needs { word: "recovered", amount: true, reference: true, other: false, writes_off: false },
    Needs { word: "written-off", amount: true, reference: false, other: false, writes_off: true },
    Needs { word: "corrected-at-provider", amount: false, reference: true, other: false, writes_off: false },
    Needs { word: "corrected-in-books", amount: false, reference: true, other: false, writes_off: false },
    Needs { word: "made-whole", amount: true, reference: true, other: false, writes_off: false },
    Needs { word: "not-ours", amount: false, reference: false, other: false, writes_off: true },
    Needs { word: "known-test", amount: false, reference: false, other: false, writes_off: true },
    Needs { word: "same-cause", amount: false, reference: false, other: true, writes_off: false },
];

/// A disposition that was asked for.
#[derive(Clone, Copy, Debug)]
pub struct Ask<'a> {
    /// The word.
    pub word: &'a str,
    /// The amount.
    pub amount: Option<Money>,
    /// The reference.
    pub reference: &'a str,
    /// The other item.
    pub other: &'a str,
    /// The note.
    pub note: &'a str,
}

/// Whether it may be made, and by how many people.
///
/// # Errors
/// R-NOTE with what is missing, R-WHO for an item that is still unknown, or that is fine.
pub fn dispose(facts: &Facts, ask: &Ask<'_>, rules: Rules<'_>) -> Result<u8, Refusal> {
    check(facts, ask, rules).map_err(|refusal| of(refusal, facts, ask.word))
}

fn check(facts: &Facts, ask: &Ask<'_>, rules: Rules<'_>) -> Result<u8, Refusal> {
    let Some(needs) = DISPOSITIONS.iter().find(|needs| needs.word == ask.word) else {
        let words: Vec<&str> = DISPOSITIONS.iter().map(|needs| needs.word).collect();
        return Err(Refusal::new(Code::Note, format!("{:?} is no disposition", ask.word))
            .missing(format!("one of: {}", words.join(", "))));
    };
    if matches!(facts.state, Some(State::Unknown | State::Submitted)) {
        return Err(Refusal::new(
            Code::Who,
            format!("it is {}: a disposition closes what is decided", facts.state_word()),
        )
        .missing("a decision")
        .next(format!("recount resolve {}", facts.intent_id)));
    }
    if !facts.in_question {
        return Err(Refusal::new(
            Code::Who,
            "it is neither divergent nor undecided: there is nothing that a disposition could close",
        )
        .missing("a difference between what was intended and what is there")
        .next(format!("recount show {}", facts.intent_id)));
    }
    guards::note(ask.note, &facts.last_note, rules.policy)?;
    let lacks = [
        (needs.amount && ask.amount.is_none(), "an amount", "--amount AMOUNT"),
        (needs.reference && ask.reference.trim().is_empty(), "a reference or row", "--ref TEXT"),
        (needs.other && ask.other.trim().is_empty(), "the other item", "--same-as ID"),
    ];
    if let Some((_, what, how)) = lacks.iter().find(|(lacks, ..)| *lacks) {
        return Err(Refusal::new(Code::Note, format!("{} needs {what}", needs.word))
            .missing(*what)
            .next(format!("give it with {how}")));
    }
    let named = ask.amount.map_or(Weight::None, |money| Weight::Money(vec![money]));
    let high = rules.policy.is_high(rules.units, &facts.weight, &facts.kind)
        || rules.policy.is_high(rules.units, &named, "");
    let choice = if needs.writes_off { Choice::WriteOff } else { Choice::Hold };
    Ok(persons(choice, high, rules.policy.solo))
}
