//! One row per decision, for an auditor (`3-lifecycle.md` 3.16), with what shows that none is left out. A sample is drawn
//! by a seed, so that it can be drawn again.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::canon::sha256_hex;
use crate::model::time::{Micros, rfc3339_millis};

use super::action::{Action, of_word};
use super::entry::Entry;
use super::error::BookError;
use super::evidence::{Evidence, digest_of};
use super::records::Intent;
use super::view::View;

/// The columns, in their order.
pub const COLUMNS: [&str; 38] = [
    "seq",
    "item",
    "business_id",
    "party",
    "kind",
    "amount_minor",
    "currency",
    "action",
    "from",
    "to",
    "disposition",
    "reason",
    "note",
    "by",
    "by_known",
    "second",
    "second_known",
    "first_seen",
    "requested",
    "decided",
    "effective",
    "deadline",
    "look",
    "evidence",
    "evidence_state",
    "limit",
    "policy",
    "solo",
    "override",
    "break_glass",
    "break_glass_review",
    "batch",
    "delivered",
    "taken_over_by",
    "taken_over_at",
    "contradicted_by",
    "reviewed_by",
    "hash",
];

/// A period: from, and up to but without.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Period {
    /// First moment.
    pub from: Micros,
    /// First moment behind it.
    pub to: Micros,
}

/// A sample: so many rows, drawn by a seed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sample {
    /// Rows.
    pub rows: usize,
    /// The seed.
    pub seed: String,
}

/// What shows that the population is whole.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Whole {
    /// First entry of the period; 0 without one.
    pub first_seq: i64,
    /// Last entry of the period.
    pub last_seq: i64,
    /// Entries by action, in the period. They add up to `entries`.
    pub by_action: BTreeMap<String, i64>,
    /// Entries of the period that were counted.
    pub entries: i64,
    /// Entries of the whole chain.
    pub chain: i64,
    /// Decisions of the period.
    pub decisions: i64,
    /// Rows that follow; fewer where a sample was drawn.
    pub rows: i64,
    /// Amounts of the decisions, minor units per currency.
    pub totals: BTreeMap<String, i64>,
    /// Break-glass decisions, and those that nobody reviewed.
    pub break_glass: (i64, i64),
    /// People with three break-glass decisions or more in a month (UTC).
    pub break_glass_often: Vec<String>,
    /// Approvals that relied on the requester's evidence.
    pub ticks: i64,
    /// Decisions by one person under `solo`.
    pub solo: i64,
    /// First approvers, named by one person: entries.
    pub first_approvers: Vec<i64>,
    /// Heads that left, of those that were sent in the period.
    pub heads: (i64, i64),
}

/// A population: what shows that it is whole, and its rows, each with [`COLUMNS`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Population {
    /// That it is whole.
    pub whole: Whole,
    /// The rows.
    pub rows: Vec<Vec<String>>,
}

/// Gathers the population of a period. `party` makes of a party what may be shown of it.
///
/// # Errors
/// What keeps the book from being read.
pub fn of(
    view: View<'_>,
    period: Period,
    sample: Option<&Sample>,
    party: &dyn Fn(&str) -> String,
) -> Result<Population, BookError> {
    let mut entries = Vec::new();
    view.entries(|entry| entries.push(entry))?;
    let intents: BTreeMap<String, Intent> =
        view.intents()?.into_iter().map(|intent| (intent.intent_id.clone(), intent)).collect();
    let within = |entry: &&Entry| period.from <= entry.time() && entry.time() < period.to;
    let mut whole = Whole { chain: i64::try_from(entries.len()).unwrap_or(i64::MAX), ..Whole::default() };
    let mut decisions = Vec::new();
    for entry in entries.iter().filter(within) {
        whole.first_seq = if whole.first_seq == 0 { entry.seq } else { whole.first_seq.min(entry.seq) };
        whole.last_seq = whole.last_seq.max(entry.seq);
        whole.entries += 1;
        *whole.by_action.entry(entry.text_at("action").to_owned()).or_default() += 1;
        if entry.at("policy.first_approvers").is_some() {
            whole.first_approvers.push(entry.seq);
        }
        if of_word(entry.text_at("action")).is_some_and(|doing| doing.decision) {
            decisions.push(entry);
        }
    }
    whole.decisions = i64::try_from(decisions.len()).unwrap_or(i64::MAX);
    let gatherer = Gatherer { view, entries: &entries, intents: &intents, party };
    let mut rows = Vec::with_capacity(decisions.len());
    for entry in &decisions {
        rows.push((entry.seq, gatherer.row(entry)?));
    }
    count(&mut whole, &decisions, &gatherer);
    for sent in view.heads_sent()?.iter().filter(|sent| period.from <= sent.at && sent.at < period.to) {
        whole.heads.1 += 1;
        whole.heads.0 += i64::from(sent.failure.is_none());
    }
    if let Some(sample) = sample {
        rows.sort_by_cached_key(|(seq, _)| sha256_hex(format!("{}:{seq}", sample.seed).as_bytes()));
        rows.truncate(sample.rows);
        rows.sort_by_key(|(seq, _)| *seq);
    }
    whole.rows = i64::try_from(rows.len()).unwrap_or(i64::MAX);
    Ok(Population { whole, rows: rows.into_iter().map(|(_, row)| row).collect() })
}

fn count(whole: &mut Whole, decisions: &[&Entry], gatherer: &Gatherer<'_>) {
    let mut months: BTreeMap<(String, String), i64> = BTreeMap::new();
    for entry in decisions {
        if let (Some(minor), currency) = gatherer.amount(entry)
            && !currency.is_empty()
        {
            let total = whole.totals.entry(currency).or_default();
            *total = total.saturating_add(minor);
        }
        whole.ticks += i64::from(entry.at("second.relied") == Some(&Value::Bool(true)));
        whole.solo += i64::from(entry.at("policy.solo") == Some(&Value::Bool(true)));
        if entry.at("policy.break_glass").is_some() {
            whole.break_glass.0 += 1;
            whole.break_glass.1 += i64::from(gatherer.reviewed(entry.seq).is_empty());
            let month = entry.text_at("ts").chars().take(7).collect();
            *months.entry((entry.text_at("actor.name").to_owned(), month)).or_default() += 1;
        }
    }
    whole.break_glass_often = months
        .into_iter()
        .filter(|(_, times)| *times >= 3)
        .map(|((name, month), times)| format!("{name}: {times} in {month}"))
        .collect();
}

struct Gatherer<'a> {
    view: View<'a>,
    entries: &'a [Entry],
    intents: &'a BTreeMap<String, Intent>,
    party: &'a dyn Fn(&str) -> String,
}

impl Gatherer<'_> {
    fn intent(&self, entry: &Entry) -> Option<&Intent> {
        self.intents.get(entry.text_at("subject.id")).filter(|_| entry.text_at("subject.type") == "intent")
    }

    /// The amount that the decision names, else the expected total.
    fn amount(&self, entry: &Entry) -> (Option<i64>, String) {
        let named = |place: &str| {
            let minor = entry.at(&format!("{place}.minor")).and_then(Value::as_i64)?;
            Some((Some(minor), entry.text_at(&format!("{place}.currency")).to_owned()))
        };
        named("after.amount").or_else(|| named("after.disposition.amount")).unwrap_or_else(|| {
            let intent = self.intent(entry);
            (
                intent.and_then(|intent| intent.total_minor),
                intent.and_then(|intent| intent.total_currency.clone()).unwrap_or_default(),
            )
        })
    }

    /// Entries that reviewed this one: outcome and reviewer.
    fn reviewed(&self, seq: i64) -> Vec<String> {
        self.entries
            .iter()
            .filter(|entry| entry.text_at("action") == Action::Review.word())
            .filter(|entry| entry.at("after.review.seq").and_then(Value::as_i64) == Some(seq))
            .map(|entry| {
                format!(
                    "{} {} (entry {})",
                    entry.text_at("actor.name"),
                    entry.text_at("after.review.outcome"),
                    entry.seq
                )
            })
            .collect()
    }

    /// Later entries that took this decision back or contradicted it.
    fn contradicted(&self, entry: &Entry) -> Vec<String> {
        let replaces = |other: &&Entry| {
            let named = other.at("supersedes").and_then(Value::as_array).into_iter().flatten();
            other.seq > entry.seq && named.filter_map(Value::as_i64).any(|seq| seq == entry.seq)
        };
        self.entries
            .iter()
            .filter(replaces)
            .map(|other| format!("{} (entry {})", other.text_at("action"), other.seq))
            .collect()
    }

    fn evidence(&self, entry: &Entry) -> Result<(String, String), BookError> {
        let items: Vec<&str> = entry
            .at("evidence")
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
            .collect();
        let mut states = Vec::new();
        for item in &items {
            states.push(match digest_of(item) {
                None => "named",
                Some(digest) => match self.view.evidence(digest)? {
                    Evidence::Text(_) => "readable",
                    Evidence::Erased => "erased",
                    Evidence::Changed => "changed",
                    Evidence::Missing => "missing",
                },
            });
        }
        Ok((items.join(" "), states.join(" ")))
    }

    fn row(&self, entry: &Entry) -> Result<Vec<String>, BookError> {
        let text = |place: &str| match entry.at(place) {
            None | Some(Value::Null) => String::new(),
            Some(Value::String(text)) => text.clone(),
            Some(other) => other.to_string(),
        };
        let time = |at: Option<Micros>| at.map(rfc3339_millis).unwrap_or_default();
        let intent = self.intent(entry);
        let of = |part: fn(&Intent) -> Option<String>| intent.and_then(part).unwrap_or_default();
        let (minor, currency) = self.amount(entry);
        let known = |who: &str| match text(&format!("{who}.verified")) {
            verified if !verified.is_empty() => verified,
            _ => text(&format!("{who}.source")),
        };
        let subject = (entry.text_at("subject.type"), entry.text_at("subject.id"));
        let assignment = self.view.assignment(subject.0, subject.1)?.filter(|found| found.seq >= entry.seq);
        let request = self
            .view
            .requests()?
            .into_iter()
            .rfind(|request| {
                request.subject_id == subject.1 && request.decided_seq.is_some_and(|seq| seq <= entry.seq)
            })
            .filter(|_| entry.at("second").is_some());
        let look = match text("second.own_read") {
            own if !own.is_empty() => own,
            _ if entry.at("second.relied") == Some(&Value::Bool(true)) => "relied".to_owned(),
            _ => String::new(),
        };
        let decided = text("second.at");
        let (evidence, state) = self.evidence(entry)?;
        let reviews = self.reviewed(entry.seq).join("; ");
        let break_glass = text("policy.break_glass.incident");
        let break_glass_review = match (break_glass.is_empty(), reviews.is_empty()) {
            (true, _) => String::new(),
            (false, true) => format!("due {}", text("policy.break_glass.review_due")),
            (false, false) => reviews.clone(),
        };
        Ok(vec![
            entry.seq.to_string(),
            subject.1.to_owned(),
            of(|intent| intent.business_id.clone()),
            (self.party)(&of(|intent| intent.party.clone())),
            of(|intent| intent.kind.clone()),
            minor.map(|minor| minor.to_string()).unwrap_or_default(),
            currency,
            text("action"),
            text("before.state"),
            text("after.state"),
            text("after.disposition.as"),
            text("reason"),
            text("note"),
            text("actor.name"),
            known("actor"),
            text("second.name"),
            if entry.at("second").is_some() { known("second") } else { String::new() },
            time(intent.and_then(|intent| intent.recorded_at)),
            time(request.map(|request| request.at)),
            if decided.is_empty() { text("ts") } else { decided },
            text("ts"),
            text("after.deadline"),
            look,
            evidence,
            state,
            text("policy.limit"),
            text("policy.digest"),
            text("policy.solo"),
            text("policy.override"),
            break_glass,
            break_glass_review,
            text("batch"),
            assignment.as_ref().and_then(|found| found.delivered.clone()).unwrap_or_default(),
            assignment.as_ref().and_then(|found| found.taken_over_by.clone()).unwrap_or_default(),
            time(assignment.and_then(|found| found.taken_over_at)),
            self.contradicted(entry).join("; "),
            reviews,
            entry.hash.clone(),
        ])
    }
}
