//! `recount hazards`: ways of working that lead to double effects (`5-hazards.md`).

use crate::judge::hazards::{Evaluation, Hazard, Level, Rule, rule};
use crate::report::Intents;
use crate::report::hazards::{Hazards, json, text};
use crate::sources::near::did_you_mean;

use super::call::Call;
use super::failure::Failure;
use super::loading::{Loaded, loaded};
use super::options::{Often, Opt, Set, Takes, flag, one};

/// Exit code where a hazard reaches the level that was asked for (`7-commands.md` 7.5.5).
pub const REACHED: u8 = 7;

/// So many are put into words for people, where nothing else is asked for.
const LIMIT: usize = 20;

/// Levels of `--fail-on`.
const FAIL_ON: [&str; 3] = ["hazard:high", "hazard:medium", "hazard:note"];

/// From which level on a hazard ends with exit code 7.
pub const FAIL: Opt = one(
    "fail-on",
    "hazard:LEVEL",
    Takes::Word(&FAIL_ON),
    "exit 7 where a hazard of this level or above fires and the result would be 0",
);

/// Options of this command.
#[rustfmt::skip]
pub const OPTIONS: Set = Set { heading: "hazards", options: &[
    Opt { name: "rule", value: "H09", takes: Takes::Text, often: Often::Again, help: "only this rule" },
    one("level", "LEVEL", Takes::Word(&["high", "medium", "note"]), "only this level and above"),
    flag("all", "also the rules that are quiet and those that are not evaluable"),
    one("intent", "ID", Takes::Text, "one intent, by any of its ids"),
    one("limit", "N", Takes::Number, "so many of those that fire as text; default 20, 0 is all"),
    FAIL,
] };

/// Prints the hazards of a case.
pub fn run(call: &Call) -> Result<u8, Failure> {
    let rules = rules(call)?;
    let loaded = loaded(call)?;
    let mut evaluation = loaded.hazards()?;
    let gathered = loaded.gathered(call, &loaded.ask(call));
    gathered.say_unread(call);
    let intent = match call.text("intent") {
        Some(id) => {
            let op = loaded.one(id, &gathered)?;
            Intents::view(&loaded.case, op.0).map(|view| view.intent_id)
        }
        None => None,
    };
    let level = call.text("level").and_then(Level::from_word);
    let wanted = |h: &&Hazard| {
        let of_intent = |id: &String| h.place.intent == *id || h.subjects.contains(id);
        (rules.is_empty() || rules.contains(&h.rule.id))
            && level.is_none_or(|level| h.level.reaches(level))
            && intent.as_ref().is_none_or(of_intent)
    };
    let report = gathered.report(&loaded.case);
    if call.format() == "json" {
        loaded.case.name_attempts(evaluation.hazards.iter_mut().filter(|h| wanted(&&**h)));
    }
    let hazards = Hazards {
        now: report.summary.now,
        clock_fixed: report.summary.clock_fixed,
        as_of_entry: report.summary.as_of_entry,
        mask: report.mask,
        hazards: evaluation.hazards.iter().filter(wanted).collect(),
        all: call.flag("all"),
        limit: match call.number("limit") {
            None => LIMIT,
            Some(0) => usize::MAX,
            Some(some) => some,
        },
    };
    call.print(|out| match call.format() {
        "json" => json(&hazards, out),
        _ => text(&hazards, call.paint(), out),
    })?;
    let reached = limit(call).is_some_and(|limit| hazards.firing().any(|h| h.level.reaches(limit)));
    Ok(loaded.ended(call, if reached { REACHED } else { 0 }))
}

/// The level of `--fail-on`.
fn limit(call: &Call) -> Option<Level> {
    Level::from_word(call.text("fail-on")?.strip_prefix("hazard:")?)
}

/// Exit code of a check with `--fail-on`: 7 where it would be 0 and a hazard reaches the level, with a note on it.
///
/// # Errors
/// A config that cannot be used.
pub fn of_check(call: &Call, loaded: &Loaded, intent: Option<&str>, exit: u8) -> Result<u8, Failure> {
    let Some(limit) = limit(call).filter(|_| exit == 0) else {
        return Ok(exit);
    };
    let evaluation: Evaluation = loaded.hazards()?;
    let of_intent = |h: &&Hazard| {
        intent.is_none_or(|id| h.place.intent == id || h.subjects.iter().any(|subject| subject == id))
    };
    let reached = evaluation.firing().filter(|h| h.level.reaches(limit)).filter(of_intent).count();
    if reached == 0 {
        return Ok(exit);
    }
    let (hazards, fire) = if reached == 1 { ("hazard", "fires") } else { ("hazards", "fire") };
    call.notes.note(&format!(
        "{reached} {hazards} of level {} or above {fire}: recount hazards tells of them",
        limit.word()
    ));
    Ok(REACHED)
}

/// The rule of a number.
///
/// # Errors
/// Usage: there is none, with the nearest one.
pub fn rule_of(word: &str) -> Result<&'static Rule, Failure> {
    rule(word).ok_or_else(|| {
        let ids = crate::judge::hazards::RULES.iter().map(|rule| rule.id);
        let near = did_you_mean(&word.to_uppercase(), ids).replace('`', "");
        Failure::usage(&format!("no hazard rule is called {word:?}{near}; there are H01 to H24"))
    })
}

/// Rules by their numbers.
fn rules(call: &Call) -> Result<Vec<&'static str>, Failure> {
    call.texts("rule").iter().map(|word| rule_of(word).map(|rule| rule.id)).collect()
}
