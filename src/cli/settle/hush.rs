//! `recount hazards quiet RULE SUBJECT` and `hazards unquiet`: a rule that fires at a run, an intent, a tool or a source
//! is no matter there (`5-hazards.md` 5.0). Nothing vanishes: it is shown as quieted, with who and why.

use serde_json::{Value, json};

use crate::book::action::Action;
use crate::book::records::QuietHazard;
use crate::book::{Draft, Head, Subject, View};
use crate::cli::call::Call;
use crate::cli::failure::Failure;
use crate::cli::hazards::rule_of;
use crate::cli::options::{SCOPE, Set, Takes, one};
use crate::judge::hazards::quieting::{kind_of, seen, subjects};
use crate::judge::hazards::{Evaluation, Hazard, Rule, Status};
use crate::lifecycle::guards;
use crate::lifecycle::refusal::{Code, Refusal};
use crate::lifecycle::resolve::of_subject;
use crate::model::hush::{CASE, Hush};
use crate::model::time::rfc3339;
use crate::report::Intents;
use crate::text::redact;

use super::Stop;
use super::desk::{Desk, moment};
use super::out::{closing, done, ended, head, with_desk};
use super::store::{open_case, some};

/// Until when.
pub const UNTIL: Set = Set {
    heading: "until when",
    options: &[one(
        "until",
        "T",
        // Read as a path, so that it is not taken for the window of the sources.
        Takes::Path,
        "it fires again from then on: a time, or a duration from now such as 4h; for good without",
    )],
};

/// The scope without its window: `--until` is the end of the quieting here.
pub const SCOPE_WITHOUT_WINDOW: Set = Set { heading: SCOPE.heading, options: SCOPE.options.split_at(2).1 };

/// Places that a message names.
const NAMED: usize = 8;

/// What is made quiet or loud.
struct Place {
    rule: &'static Rule,
    subject: String,
    /// `run`, `intent`, `tool`, `source`, `case`.
    kind: &'static str,
    seen: Hush,
    /// What holds now, if somebody wrote something down.
    before: Option<Hush>,
}

/// `hazards quiet`.
pub fn quiet(call: &Call) -> Result<u8, Failure> {
    settle(call, true)
}

/// `hazards unquiet`.
pub fn unquiet(call: &Call) -> Result<u8, Failure> {
    settle(call, false)
}

fn settle(call: &Call, quiet: bool) -> Result<u8, Failure> {
    let rule = rule_of(&call.word().unwrap_or_default())?;
    with_desk(call, |desk| {
        let evaluation = desk.loaded.hazards()?;
        let place = place(desk, &evaluation, rule, quiet)?;
        let subject = Subject::new(place.kind, &place.subject);
        Ok(ended(desk, &subject, written(desk, &place, &subject, quiet))?)
    })
}

/// What is there to be made quiet or loud: whatever fires at the subject, or is quiet there.
fn place(
    desk: &Desk<'_>,
    evaluation: &Evaluation,
    rule: &'static Rule,
    quiet: bool,
) -> Result<Place, Failure> {
    let word = desk.call.other().unwrap_or_default();
    let hushed = &desk.loaded.case.spec.hushed;
    let standing = |subject: &str| hushed.iter().find(|h| h.rule == rule.id && h.subject == subject).cloned();
    let here: Vec<&Hazard> = evaluation.hazards.iter().filter(|h| h.rule == rule && is_there(h)).collect();
    for subject in [word.clone(), intent(desk, &word)] {
        let at: Vec<&Hazard> = here.iter().copied().filter(|h| kind_of(h, &subject).is_some()).collect();
        let before = standing(&subject);
        // What was made quiet and no longer fires can be made loud all the same.
        let kind = match (at.iter().find_map(|h| kind_of(h, &subject)), &before) {
            (Some(kind), _) => kind,
            (None, Some(_)) if !quiet => "subject",
            _ => continue,
        };
        if !quiet && before.is_none() {
            return Err(Failure::usage(&format!(
                "{} is not quiet for {subject}, so there is nothing to make loud",
                rule.id
            )));
        }
        return Ok(Place { rule, subject, kind, seen: seen(at), before });
    }
    Err(Failure::usage(&nowhere(rule, &word, &here)))
}

fn is_there(hazard: &Hazard) -> bool {
    matches!(hazard.status, Status::Firing | Status::Quieted)
}

/// The intent that any of its ids names; the word itself where it names none or several.
fn intent(desk: &Desk<'_>, word: &str) -> String {
    let case = &desk.loaded.case;
    let found = match case.find(word).as_slice() {
        [one] => Intents::view(case, one.0).map(|view| view.intent_id),
        _ => None,
    };
    found.unwrap_or_else(|| word.to_owned())
}

/// Where the rule fires instead.
fn nowhere(rule: &Rule, word: &str, here: &[&Hazard]) -> String {
    let mut all: Vec<&str> = Vec::new();
    for hazard in here {
        let own = subjects(hazard);
        for id in if own.is_empty() { vec![CASE] } else { own } {
            if !all.contains(&id) {
                all.push(id);
            }
        }
    }
    if all.is_empty() {
        return format!("{} does not fire here, so there is nothing to make quiet", rule.id);
    }
    let more = if all.len() > NAMED { format!(" and {} more", all.len() - NAMED) } else { String::new() };
    all.truncate(NAMED);
    format!("{} does not fire at {word:?}; it fires at {}{more}", rule.id, all.join(", "))
}

fn written(desk: &Desk<'_>, place: &Place, subject: &Subject, quiet: bool) -> Result<u8, Stop> {
    let call = desk.call;
    let actor = desk.person()?;
    let (id, at) = (place.rule.id, &place.subject);
    let note = redact(call.text("note").unwrap_or_default()).into_owned();
    // To make something loud again needs no reason.
    if quiet || !note.is_empty() {
        let before = place.before.as_ref().map_or("", |hush| hush.note.as_str());
        guards::note(&note, before, &desk.policy.policy)
            .map_err(|r| of_subject(r, &format!("{id} at {at}"), if quiet { "quiet" } else { "loud" }))?;
    }
    let until = match call.path("until") {
        Some(text) => Some(moment(&text.to_string_lossy(), desk.now)?).filter(|until| !until.is_none()),
        None => None,
    };
    if let Some(until) = until.filter(|until| *until <= desk.now) {
        return Err(Failure::usage(&format!(
            "--until {} is not ahead of the clock, {}; name a later time, or leave it out",
            rfc3339(until),
            rfc3339(desk.now)
        ))
        .into());
    }
    let mut after = json!({
        "rule": id, "subject": at, "quiet": quiet, "until": until.map(rfc3339),
    });
    if quiet {
        after["level"] = json!(place.seen.level);
        after["count"] = json!(place.seen.count);
        after["measured"] = json!(place.seen.measured);
        after["subjects"] = json!(place.seen.subjects);
    }
    let before = place.before.as_ref().map_or(
        Value::Null,
        |hush| json!({"quiet": true, "until": hush.until.map(rfc3339), "entry": hush.entry}),
    );
    let mut book = desk.book()?;
    let written = book.write(&desk.clock, |w| -> Result<Head, Stop> {
        open_case(w, &desk.loaded.case.spec.id, &desk.policy, &actor)?;
        as_it_was(w.view(), place)?;
        let mut draft =
            Draft::new(Action::QuietHazard, &actor, subject.clone()).change(before, after.clone());
        draft.note = some(&note).map(str::to_owned);
        Ok(w.append(&draft)?)
    })?;
    let words = if quiet { "quiet" } else { "loud again" };
    let mut lines = vec![format!("{id} at {at} is {words}, by {}", actor.name)];
    if quiet {
        let seen = place.seen.measured.join("; ");
        let until = until.map_or(String::new(), |until| format!(" at {}, or", rfc3339(until)));
        lines.push(format!("it ends by itself{until} when what is found gets worse than now: {seen}"));
    }
    lines.extend(closing(&written).into_iter().filter(|line| line != super::NOT_TOLD));
    done(
        call,
        &desk.mask,
        &lines,
        &json!({"schema": "recount.decision.v1", "hazard": after, "note": some(&note), "book": head(&written)}),
    )?;
    Ok(0)
}

/// Whoever came first has settled it: what is written rests on what the book says now.
fn as_it_was(book: View<'_>, place: &Place) -> Result<(), Stop> {
    let about = |row: &QuietHazard| row.rule == place.rule.id && row.subject == place.subject;
    let newest = book.quiet_hazards()?.into_iter().filter(about).max_by_key(|row| row.seq);
    let now = newest.filter(|row| row.quiet == Some(true)).map(|row| row.seq);
    if now == place.before.as_ref().map(|hush| hush.entry) {
        return Ok(());
    }
    let (id, at) = (place.rule.id, &place.subject);
    let because = match now {
        Some(entry) => format!("{id} at {at} was made quiet meanwhile, in entry {entry}"),
        None => format!("{id} at {at} was made loud again meanwhile"),
    };
    Err(Refusal::new(Code::Version, because)
        .missing("a look at what it is now")
        .next("recount hazards --all")
        .of(format!("{id} at {at}"), "it stays as it is")
        .into())
}
