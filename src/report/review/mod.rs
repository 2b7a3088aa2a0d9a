//! The document for the review the day after (`7-commands.md` 7.5.3, `report`): one model, and a file for each form.
//!
//! The model holds everything in the order in which it is told: the result, each divergent intent with its story, its
//! sides, its timeline, its evidence, the hazards, what was recorded in the book, what was not covered, the control totals, and how to make the document
//! again. Texts in it are masked, redacted and safe to print; a form adds nothing but its own markup. `recount.report.v1`
//! takes the same items from the views behind them.

pub mod audit;
pub mod html;
pub mod json;
pub mod markdown;
pub mod slack;
mod svg;
#[cfg(test)]
mod tests;

use crate::judge::hazards::{Evaluation, Hazard, Status};
use crate::judge::judgement::Class;
use crate::judge::story::{Place, four_lines, headline};
use crate::judge::timeline::{self, Bracket, Timeline};
use crate::judge::view::{IntentView, ResultWord};
use crate::judge::words::list_words;
use crate::model::time::gap;

use super::Report;
use super::figures::{count, counted, full, instant, money, place, safe, safe_id, totals};
use super::text::{
    Paint, apart, at_risk, blocks, names, sentence, source_lines, source_read, summary_lines, was_compared,
};

/// What the document is told beside the case.
pub struct Asked<'a> {
    /// Name of the case, or of its sources. Raw.
    pub title: &'a str,
    /// The command line that makes it again, ready to copy, without secrets.
    pub command: String,
    /// Version with build and features.
    pub version: String,
    /// Hazards of the case.
    pub hazards: &'a Evaluation,
    /// Only hazards of this intent (`--intent`).
    pub intent: Option<String>,
    /// The book, where there is one.
    pub book: Option<audit::Looked>,
}

/// A label with what it says.
pub type Fact = (&'static str, String);

/// The document.
pub struct Review<'a> {
    /// What it was made of.
    pub report: &'a Report<'a>,
    /// Name of the case.
    pub title: String,
    /// The result of the check.
    pub result: ResultWord,
    /// The moment that it speaks of.
    pub made: String,
    /// The summary, line by line, the result first.
    pub summary: Vec<String>,
    /// Each intent that was asked for, in the order of the list.
    pub items: Vec<Item>,
    /// How many more there are.
    pub left: usize,
    /// Ways of working that fire.
    pub hazards: Vec<Told<'a>>,
    /// What was recorded; `None` where there is no book.
    pub audit: Option<audit::Audit<'a>>,
    /// What could not be seen.
    pub uncovered: Vec<String>,
    /// Sources with their control totals: name, then lines.
    pub sources: Vec<(String, Vec<String>)>,
    /// Records that could not be read: place, what, code.
    pub problems: Vec<(String, String, &'static str)>,
    /// The command line.
    pub command: String,
    /// The version.
    pub version: String,
}

/// One intent of the document.
pub struct Item {
    /// The view behind it.
    pub view: IntentView,
    /// `Happened twice`.
    pub headline: String,
    /// Business id, operation id, intent id.
    pub ids: Vec<String>,
    /// `DUPLICATED R05 S1`.
    pub code: String,
    /// What happened.
    pub story: String,
    /// What to do next.
    pub next: String,
    /// Expected and observed, party, money at risk, retry origin.
    pub facts: Vec<Fact>,
    /// What somebody with the trace alone would say, beside the ledger; empty where nothing was compared or both agree.
    pub trace_alone: String,
    /// Attempts at the left, their rows at the right, as lines; rows of nobody last.
    pub sides: Vec<(Vec<String>, Vec<String>)>,
    /// The timeline.
    pub timeline: Timeline,
    /// Its events in order, as lines of a table.
    pub events: Vec<Line>,
    /// Why it is judged so: sentence and code.
    pub why: Vec<(String, &'static str)>,
    /// Read positions of the sources that speak of it.
    pub read: Vec<String>,
    /// Why absence is not proven: condition and sentence.
    pub uncovered: Vec<(&'static str, String)>,
    /// Hazards that name it: number and name.
    pub hazards: Vec<(&'static str, &'static str)>,
}

/// An event of a timeline as a line of a table.
pub struct Line {
    /// When.
    pub when: String,
    /// Since the one before.
    pub since: String,
    /// Who.
    pub subject: String,
    /// What.
    pub what: String,
    /// What it means, with its code.
    pub note: String,
    /// In a bracket of events without a certain order.
    pub bracket: Bracket,
    /// Where its record stands.
    pub place: String,
}

/// A hazard in words.
pub struct Told<'a> {
    /// The hazard behind it.
    pub hazard: &'a Hazard,
    /// What happened.
    pub what: String,
    /// Whom it concerns.
    pub subjects: Vec<String>,
    /// What to do.
    pub todo: String,
    /// `high`, or `high, quieted`.
    pub level: String,
    /// Who made it quiet and why; empty where nobody did.
    pub quieted: String,
}

impl Told<'_> {
    /// Its parts below what happened: label and words.
    pub fn parts(&self) -> Vec<Fact> {
        let rule = self.hazard.rule;
        let parts = [
            ("Quieted", self.quieted.clone()),
            ("Concerns", self.subjects.join(", ")),
            ("Why it matters", rule.why.to_owned()),
            ("What to do", self.todo.clone()),
            ("False alarm if", rule.unless.to_owned()),
            ("Does not see", rule.blind.to_owned()),
        ];
        parts.into_iter().filter(|(_, words)| !words.is_empty()).collect()
    }
}

/// What a bracket means.
const ORDER: &str = "Events inside one bracket may have come in another order: the clocks cannot tell.";

/// What a hazard is not.
const NO_VERDICT: &str = "A hazard explains how it could happen. It does not change what happened.";

/// Said where the book has nothing on what is shown.
const NO_ENTRY: &str = "No entry is about what is shown here.";

/// Subjects of a hazard that are named.
const NAMED: usize = 8;

/// Makes the document.
pub fn review<'a>(report: &'a Report<'a>, asked: &'a Asked<'a>) -> Review<'a> {
    let limit = if report.choice.limit == 0 { usize::MAX } else { report.choice.limit };
    let mut views = report.each_intent();
    let items: Vec<Item> = views.by_ref().take(limit).map(|view| item(report, asked, view)).collect();
    let left = views.count();
    let one = asked.intent.as_deref().filter(|_| report.choice.intent.is_some());
    let audit = asked.book.as_ref().map(|looked| audit::audit(report, looked, &items, one));
    let s = report.summary;
    Review {
        report,
        title: safe(&report.mask.text(asked.title)),
        result: s.result,
        made: format!("As of {}", full(s.now)),
        summary: summary_lines(report, Paint::default()),
        items,
        left,
        hazards: told_of(report, asked).map(|hazard| told(report, hazard)).collect(),
        audit,
        uncovered: uncovered(report, asked.hazards),
        sources: report.sources.iter().map(|s| (safe(&s.id), source_lines(report, s))).collect(),
        problems: report
            .problems
            .iter()
            .map(|p| (safe(&place(&p.at)), sentence(report, &p.what), p.code))
            .collect(),
        command: safe(&report.mask.text(&asked.command)),
        version: safe(&asked.version),
    }
}

/// Hazards that fire, then those that were made quiet, of the one intent where one was asked for.
fn told_of<'a>(report: &Report<'_>, asked: &Asked<'a>) -> impl Iterator<Item = &'a Hazard> {
    let intent = asked.intent.clone().filter(|_| report.choice.intent.is_some());
    asked
        .hazards
        .firing()
        .chain(asked.hazards.quieted())
        .filter(move |hazard| intent.as_ref().is_none_or(|id| names_it(hazard, id)))
}

fn names_it(hazard: &Hazard, intent: &str) -> bool {
    hazard.place.intent == intent || hazard.subjects.iter().any(|subject| subject == intent)
}

fn told<'a>(report: &Report<'_>, hazard: &'a Hazard) -> Told<'a> {
    let mut subjects: Vec<String> =
        hazard.subjects.iter().take(NAMED).map(|id| safe_id(&report.mask.id(id))).collect();
    let more = hazard.count.saturating_sub(subjects.len());
    if more > 0 && !subjects.is_empty() {
        subjects.push(format!("{more} more"));
    }
    let level = hazard.level.word();
    let quieted = hazard.status == Status::Quieted;
    let words = hazard.quieted.as_ref().map(|q| super::hazards::quieted_words(report.mask, q));
    Told {
        hazard,
        level: if quieted { format!("{level}, quieted") } else { level.to_owned() },
        quieted: words.unwrap_or_default(),
        what: super::hazards::shown(report.mask, hazard, &hazard.what),
        subjects,
        todo: safe(&report.mask.text(if hazard.todo.is_empty() { hazard.rule.todo } else { &hazard.todo })),
    }
}

fn item(report: &Report<'_>, asked: &Asked<'_>, view: IntentView) -> Item {
    let j = &view.judgement;
    let story = report.teller.tell(&view, Place::Detail);
    let show = |amount| money(report.units, amount);
    let raw = timeline::of(std::slice::from_ref(&view), report.sources, &show);
    let all = asked.hazards.firing().chain(asked.hazards.quieted());
    let named = all.filter(|hazard| names_it(hazard, &view.intent_id));
    let mut hazards: Vec<(&str, &str)> = named.map(|hazard| (hazard.rule.id, hazard.rule.words)).collect();
    hazards.dedup();
    Item {
        headline: headline(&safe(&list_words(j))),
        ids: names(report, &view),
        code: format!("{} {} S{}", j.verdict(), j.rule.number(), j.severity),
        story: sentence(report, &story.text()),
        next: sentence(report, &story.next),
        facts: facts(report, &view),
        trace_alone: trace_alone(&view),
        sides: blocks(report, &view),
        events: raw.events.iter().map(|event| line(report, event)).collect(),
        timeline: masked(report, raw),
        why: story.why.iter().map(|(why, code)| (sentence(report, why), *code)).collect(),
        read: read(report, &view),
        uncovered: view.uncovered.iter().map(|(code, what)| (*code, sentence(report, what))).collect(),
        hazards,
        view,
    }
}

/// The timeline with its words ready to print.
fn masked(report: &Report<'_>, mut timeline: Timeline) -> Timeline {
    timeline.words = sentence(report, &timeline.words);
    for lane in &mut timeline.lanes {
        lane.name = safe(&lane.name);
        for mark in &mut lane.marks {
            mark.label = sentence(report, &mark.label);
        }
    }
    timeline
}

/// What is expected, what is there, whom it concerns, and what is at risk.
fn facts(report: &Report<'_>, view: &IntentView) -> Vec<Fact> {
    let mut facts: Vec<Fact> = Vec::new();
    let four = four_lines(view, report.units);
    let value =
        |at: usize| four.get(at).and_then(|line| line.split_once(": ")).map_or("", |(_, value)| value);
    facts.push(("expected", safe(&format!("{} / {}", value(0), value(1)))));
    facts.push(("observed", safe(&format!("{} / {}", value(2), value(3)))));
    let more = totals(report.units, &view.difference);
    if was_compared(view) && !more.is_empty() {
        facts.push(("difference", more));
    }
    if let Some(risk) = at_risk(report, view) {
        facts.push(("at risk", risk.trim_start_matches("at risk ").to_owned()));
    }
    if !view.party.is_empty() {
        facts.push(("party", safe(&report.mask.party(&view.party))));
    }
    if let Some(origin) = view.judgement.origin.word() {
        facts.push(("retry origin", origin.to_owned()));
    }
    let j = &view.judgement;
    if j.overdue && !j.deadline.is_none() {
        facts.push(("deadline", format!("{}, passed", full(j.deadline))));
    }
    facts
}

/// The two counts beside each other: what the calls would make somebody believe, and what is there.
fn trace_alone(view: &IntentView) -> String {
    let j = &view.judgement;
    if !was_compared(view) || j.lo == j.gross {
        return String::new();
    }
    let effects = |n: u32| counted(u64::from(n), "effect", "effects");
    format!("The trace alone would say {}. The ledger says {}.", effects(j.lo), effects(j.gross))
}

/// Read positions of every source that holds something of it, and of the one that decided.
fn read(report: &Report<'_>, view: &IntentView) -> Vec<String> {
    let mut sources: Vec<usize> = view.by_source.iter().map(|one| one.source).collect();
    sources.extend(view.deciding_source);
    sources.sort_unstable();
    sources.dedup();
    sources.into_iter().filter_map(|no| report.sources.get(no)).map(|s| source_read(report, s)).collect()
}

fn line(report: &Report<'_>, event: &timeline::Event) -> Line {
    let code = if event.code.is_empty() { String::new() } else { format!(" ({})", event.code) };
    let since = event.since.filter(|since| *since > 0);
    Line {
        when: instant(event.when, report.summary.now),
        since: since.map_or_else(String::new, gap),
        subject: sentence(report, &event.subject),
        what: sentence(report, &event.what),
        note: format!("{}{code}", event.note),
        bracket: event.bracket,
        place: safe(&event.place),
    }
}

/// What nobody could see: sides that are missing, what was not compared, what lies outside, hazards that could not be
/// looked at, and what is only assumed.
fn uncovered(report: &Report<'_>, hazards: &Evaluation) -> Vec<String> {
    let s = report.summary;
    let mut lines: Vec<String> = Vec::new();
    let said = apart(report);
    lines.extend((!said.is_empty()).then_some(format!("{said}.")));
    for source in report.sources {
        if let Some(why) = &source.error {
            lines.push(format!("{} was not read: {}", safe(&source.id), sentence(report, why)));
        }
    }
    let open: Vec<&str> =
        report.sources.iter().filter(|s| s.what == "trace").map(|s| s.id.as_str()).collect();
    if !s.trace_complete && !open.is_empty() {
        let names = open.into_iter().map(safe).collect::<Vec<_>>().join(", ");
        lines.push(format!(
            "{names}: not declared complete, so a call that is not in it may have been made all the same."
        ));
    }
    if !s.has_intent_log {
        lines.push("No intent log is loaded: what was intended is assumed from the calls.".to_owned());
    }
    if let Some(currency) = &s.currency_assumed {
        lines.push(format!("{} is assumed where no currency is written.", safe(currency)));
    }
    let skipped = s.skipped_trace + s.skipped_ledger;
    if skipped > 0 {
        lines.push(format!("{} known and not used.", counted(skipped, "record is", "records are")));
    }
    for hazard in hazards.hazards.iter().filter(|hazard| hazard.status == Status::NotEvaluable) {
        let reason = super::hazards::shown(report.mask, hazard, &hazard.reason);
        lines.push(format!("{} {}: not evaluable, {reason}.", hazard.rule.id, hazard.rule.words));
    }
    lines.push(super::text::LIMIT.to_owned());
    lines
}

impl Review<'_> {
    /// `12 more are left out: --limit 0 prints them`; empty where none is.
    pub fn left_out(&self) -> String {
        if self.left == 0 {
            return String::new();
        }
        format!("{} more, left out: --limit 0 has all of them.", count(self.left as u64))
    }

    /// `2 went wrong, 3 to decide` of the items; empty where there are none.
    pub fn counts(&self) -> String {
        let of = |class: Class| self.items.iter().filter(|item| item.view.judgement.class == class).count();
        let named = [
            (of(Class::Violation), "went wrong"),
            (of(Class::Undecided), "to decide"),
            (of(Class::Open), "waiting"),
        ];
        let named = named.iter().filter(|(number, _)| *number > 0);
        named.map(|(number, words)| format!("{number} {words}")).collect::<Vec<_>>().join(", ")
    }
}
