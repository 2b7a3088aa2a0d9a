//! Questions on a terminal: at most three in a call, each with the value that the data suggest (`4-sources.md` 4.14).

use std::io::BufRead as _;

use crate::cli::call::Call;
use crate::cli::failure::Failure;
use crate::cli::input::plan;
use crate::config::edit::Value;
use crate::model::time::{Zone, rfc3339};
use crate::model::units::iso;
use crate::report::figures::safe;
use crate::report::out::Notes;
use crate::sources::spec::{CaseSpec, Options, What};

/// Questions of one call.
const MOST: usize = 3;

/// Answers that fit nothing are asked again so often.
const TRIES: usize = 3;

/// An answer, and the key that keeps it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// Section: `sources` or `traces`.
    pub section: &'static str,
    /// Id of the source.
    pub id: String,
    /// Its key.
    pub key: &'static str,
    /// Its value.
    pub value: Value,
}

/// Who asks.
pub struct Asker {
    left: usize,
    notes: Notes,
    read: Box<dyn FnMut() -> Option<String>>,
}

impl Asker {
    /// Somebody sits at a terminal; `None` where nobody does.
    pub fn of(call: &Call) -> Option<Self> {
        call.can_ask().then(|| Self::with(call.notes, Box::new(line)))
    }

    /// With answers from elsewhere, for tests.
    pub fn with(notes: Notes, read: Box<dyn FnMut() -> Option<String>>) -> Self {
        Self { left: MOST, notes, read }
    }

    /// Asks until the answer fits; nothing typed is the suggestion. `None` where no question is left, nobody answers,
    /// or no answer fits.
    pub fn ask<T>(&mut self, question: &str, fits: impl Fn(&str) -> Option<T>) -> Option<T> {
        self.left = self.left.checked_sub(1)?;
        for _ in 0..TRIES {
            self.notes.ask(&format!("{question} "));
            let answer = (self.read)()?;
            if let Some(fitting) = fits(answer.trim()) {
                return Some(fitting);
            }
            self.notes.error("  that fits none of them");
        }
        None
    }

    /// Yes or no; no without an answer. It counts as no question.
    pub fn confirm(&mut self, question: &str) -> bool {
        self.notes.ask(&format!("{question} [y/N] "));
        let answer = (self.read)().unwrap_or_default();
        matches!(answer.trim().to_ascii_lowercase().as_str(), "y" | "yes")
    }
}

fn line() -> Option<String> {
    let mut text = String::new();
    let read = std::io::stdin().lock().read_line(&mut text).ok()?;
    (read > 0).then_some(text)
}

/// Who answered, and when: the note above an answer.
pub fn note(who: &str, now: crate::model::time::Micros) -> String {
    let who = if who.is_empty() { "somebody without a name" } else { who };
    format!("answered by {} at {}", safe(who), rfc3339(now))
}

/// What ledgers mean beside each other, where that is not said.
///
/// # Errors
/// No answer: the flags that say it.
pub fn meanings(
    asker: &mut Asker,
    spec: &mut CaseSpec,
    absent: &[String],
    is_case: bool,
) -> Result<Vec<Answer>, Failure> {
    let mut answers = Vec::new();
    while let Some(open) = plan::unsaid(spec, absent) {
        let (original, copy) = (open.original.id.clone(), open.copy.id.clone());
        let question = format!(
            "Is {} where the money moves too, your copy of {}, or another part of it? money, copy or part [copy]",
            named(&open.copy.id, &open.copy.shown),
            named(&open.original.id, &open.original.shown),
        );
        let words = open.words(is_case);
        let answer = asker.ask(&question, |text| match text {
            "" | "copy" | "c" => Some("copy"),
            "part" | "p" => Some("part"),
            "money" | "m" => Some("money"),
            _ => None,
        });
        let Some(answer) = answer else { return Err(Failure::usage(&words)) };
        let yes = Value::Truth(true);
        let new: Vec<(String, &'static str, Value)> = match answer {
            "copy" => vec![(original.clone(), "moves_money", yes), (copy, "copy_of", Value::Text(original))],
            "part" => vec![(original, "part", yes.clone()), (copy, "part", yes)],
            _ => vec![(original, "moves_money", yes.clone()), (copy, "moves_money", yes)],
        };
        for (id, key, value) in new {
            apply(spec, What::Ledger, &id, key, &value);
            answers.push(Answer { section: "sources", id, key, value });
        }
    }
    Ok(answers)
}

fn named(id: &str, shown: &str) -> String {
    safe(&format!("{id} ({shown})"))
}

/// Sources of which something is not known, by their places in the case.
pub struct Open<'o> {
    /// What is asked of them.
    pub key: &'static str,
    /// The question, with `{}` for their names.
    pub question: &'static str,
    /// Their places.
    pub places: Vec<usize>,
    /// What the data suggest; empty where they suggest nothing.
    pub suggested: &'o str,
}

/// Zone or currency of sources without one; no answer leaves it open.
pub fn value(asker: &mut Asker, spec: &mut CaseSpec, open: &Open<'_>) -> Vec<Answer> {
    let mut ids: Vec<(What, String)> = Vec::new();
    for source in open.places.iter().filter_map(|no| spec.sources.get(*no)) {
        if !ids.iter().any(|(_, id)| *id == source.id) {
            ids.push((source.what, source.id.clone()));
        }
    }
    if ids.is_empty() {
        return Vec::new();
    }
    let names: Vec<&str> = ids.iter().map(|(_, id)| id.as_str()).collect();
    let hint = if open.suggested.is_empty() {
        "[leave it open]".to_owned()
    } else {
        format!("[{}; - leaves it open]", safe(open.suggested))
    };
    let question = format!("{} {hint}", open.question.replace("{}", &safe(&names.join(", "))));
    let is_zone = open.key == "zone";
    let answer = asker.ask(&question, |text| match text {
        "" => Some(open.suggested.to_owned()),
        "-" => Some(String::new()),
        text if is_zone => Zone::parse(text).map(|_| text.to_owned()),
        text => (iso(text).is_some() || text == open.suggested).then(|| text.to_owned()),
    });
    let Some(answer) = answer.filter(|answer| !answer.is_empty()) else { return Vec::new() };
    let mut answers = Vec::new();
    for (what, id) in ids {
        let value = Value::Text(answer.clone());
        apply(spec, what, &id, open.key, &value);
        let section = if what == What::Trace { "traces" } else { "sources" };
        answers.push(Answer { section, id, key: open.key, value });
    }
    answers
}

/// Puts an answer where the reading finds it.
pub fn apply(spec: &mut CaseSpec, what: What, id: &str, key: &str, value: &Value) {
    for source in spec.sources.iter_mut().filter(|source| source.what == what && source.id == id) {
        set(&mut source.options, key, value);
    }
}

fn set(options: &mut Options, key: &str, value: &Value) {
    let text = match value {
        Value::Text(text) => text.clone(),
        Value::Truth(yes) => yes.to_string(),
        _ => return,
    };
    // Every key that is asked for is one of an address, and its value was checked.
    let _ = crate::sources::address::set(options, key, &text);
}
