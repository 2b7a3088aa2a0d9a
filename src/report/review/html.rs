//! The document as one HTML file: no script, nothing from outside, readable on a phone and on paper.
//!
//! Data is text between our own elements and nothing else (`reliability.md` 2.3): never an attribute, never an address. The
//! content policy allows the one style sheet by its hash, and nothing besides.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest as _, Sha256};

use crate::judge::judgement::Class;
use crate::judge::timeline::Bracket;
use crate::judge::view::ResultWord;
use crate::text::{SafeText, html, html_id};

use super::super::out::Out;
use super::{Item, Review, svg};

/// The style sheet.
const STYLE: &str = include_str!("style.css");

/// Writes it.
pub fn write(review: &Review<'_>, out: &mut Out<'_>) {
    head(review, out);
    let mut lines = review.summary.iter();
    let result = lines.next().map_or("", String::as_str);
    let class = match review.result {
        ResultWord::ViolationFound | ResultWord::InputError => "violation",
        ResultWord::Inconclusive => "undecided",
        ResultWord::NoViolationObserved => "dim",
    };
    out.line(&format!("<header><h1>{}</h1>", text(&review.title)));
    out.line(&format!("<p class=\"{class}\"><strong>{}</strong></p>", text(result)));
    list(out, lines);
    out.line("</header>");
    out.line("<main><section><h2>What happened</h2>");
    let counts = review.counts();
    paragraph(out, "dim", if counts.is_empty() { "Nothing that was asked for." } else { &counts });
    for item in &review.items {
        if out.stopped() {
            return;
        }
        one(item, out);
    }
    paragraph(out, "dim", &review.left_out());
    out.line("</section>");
    hazards(review, out);
    recorded(review, out);
    out.line("<section><h2>What was not covered</h2>");
    list(out, &review.uncovered);
    out.line("</section>");
    sources(review, out);
    out.line("<section><h2>How this was made</h2>");
    out.line(&format!("<p class=\"mono\">{}</p>", text(&review.command)));
    paragraph(out, "dim", &format!("{}. {}", review.made, review.version));
    out.line("</section></main></body></html>");
}

fn head(review: &Review<'_>, out: &mut Out<'_>) {
    let hash = STANDARD.encode(Sha256::digest(STYLE));
    out.line("<!DOCTYPE html>");
    out.line("<html lang=\"en\"><head><meta charset=\"utf-8\">");
    out.line(&format!(
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'sha256-{hash}'; base-uri 'none'; form-action 'none'\">"
    ));
    out.line("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">");
    out.line("<meta name=\"color-scheme\" content=\"light dark\"><meta name=\"referrer\" content=\"no-referrer\"><meta name=\"robots\" content=\"noindex\">");
    out.line(&format!("<title>{}: {}</title>", text(&review.title), review.result.words()));
    out.line(&format!("<style>{STYLE}</style></head><body>"));
}

fn one(item: &Item, out: &mut Out<'_>) {
    let class = match item.view.judgement.class {
        Class::Violation => "violation",
        Class::Undecided => "undecided",
        Class::Open | Class::Clean => "dim",
    };
    let first = item.ids.first().map_or("", String::as_str);
    out.line(&format!(
        "<article><h3>{}: <span class=\"{class}\">{}</span></h3>",
        id(first),
        text(&item.headline)
    ));
    paragraph(out, "", &item.story);
    paragraph(out, "next", &format!("Next: {}", item.next));
    out.line("<table><tbody>");
    let ids = item.ids.iter().map(|one| ("id", id(one)));
    let facts = item.facts.iter().map(|(name, value)| (*name, text(value)));
    for (name, value) in ids.chain(facts).chain([("code", text(&item.code))]) {
        out.line(&format!("<tr><th scope=\"row\">{name}</th><td>{value}</td></tr>"));
    }
    out.line("</tbody></table>");
    if !item.trace_alone.is_empty() {
        out.line(&format!("<p><strong>{}</strong></p>", text(&item.trace_alone)));
    }
    out.line("<table class=\"sides stack\"><thead><tr><th>attempts</th><th>rows of the ledger</th></tr></thead><tbody>");
    for (attempt, rows) in &item.sides {
        out.line(&format!("<tr><td>{}</td><td>{}</td></tr>", lines(attempt), lines(rows)));
    }
    out.line("</tbody></table>");
    if !item.events.is_empty() {
        out.line(&format!("<h4>{}</h4>", text(&item.timeline.words)));
        svg::write(item, out);
        events(item, out);
    }
    out.line("<h4>Evidence</h4>");
    let why = item
        .why
        .iter()
        .map(|(why, code)| if code.is_empty() { why.clone() } else { format!("{why} ({code})") });
    let uncovered = item.uncovered.iter().map(|(code, what)| format!("Not covered: {what} ({code})"));
    let hazards = item.hazards.iter().map(|(id, name)| format!("Hazard {id}: {name}"));
    let read = item.read.iter().map(|read| format!("Read: {read}"));
    list(out, why.chain(read).chain(uncovered).chain(hazards));
    out.line("</article>");
}

fn events(item: &Item, out: &mut Out<'_>) {
    out.line("<table class=\"stack\"><thead><tr><th>when</th><th>since</th><th>who</th><th>what</th><th>note</th><th>where</th></tr></thead><tbody>");
    for line in &item.events {
        let class = match line.bracket {
            Bracket::No => "alone",
            Bracket::First => "joined begins",
            Bracket::Inside | Bracket::Last => "joined",
        };
        let note = if line.note.is_empty() {
            String::new()
        } else {
            format!("<strong>{}</strong>", text(&line.note))
        };
        out.line(&format!(
            "<tr class=\"{class}\"><td class=\"num\">{}</td><td class=\"num dim\">{}</td><td class=\"num dim\">{}</td><td>{}</td><td>{note}</td><td class=\"dim\">{}</td></tr>",
            text(&line.when), text(&line.since), text(&line.subject), text(&line.what), text(&line.place)
        ));
    }
    out.line("</tbody></table>");
    if item.events.iter().any(|line| line.bracket != Bracket::No) {
        paragraph(out, "dim", super::ORDER);
    }
}

fn hazards(review: &Review<'_>, out: &mut Out<'_>) {
    out.line("<section><h2>Ways of working that let it happen</h2>");
    if review.hazards.is_empty() {
        paragraph(out, "", "No rule fires.");
    }
    for told in &review.hazards {
        let rule = told.hazard.rule;
        out.line(&format!(
            "<h3>{} {} <span class=\"dim\">{}</span></h3>",
            rule.id,
            text(rule.words),
            told.level
        ));
        paragraph(out, "", &told.what);
        list(out, told.parts().iter().map(|(name, words)| format!("{name}: {words}")));
    }
    if !review.hazards.is_empty() {
        paragraph(out, "dim", super::NO_VERDICT);
    }
    out.line("</section>");
}

fn recorded(review: &Review<'_>, out: &mut Out<'_>) {
    let Some(audit) = &review.audit else { return };
    out.line("<section><h2>Audit entries</h2>");
    list(out, &audit.chain);
    if audit.lines.is_empty() {
        paragraph(out, "", super::NO_ENTRY);
    } else {
        out.line("<table class=\"stack\"><thead><tr><th>entry</th><th>when</th><th>who</th><th>what</th><th>note</th></tr></thead><tbody>");
        for line in &audit.lines {
            out.line(&format!(
                "<tr><td class=\"num\">{} <span class=\"dim\">{}</span></td><td class=\"num dim\">{}</td><td class=\"word\">{}</td><td>{}</td><td>{}</td></tr>",
                line.seq, text(&line.hash), text(&line.when), text(&line.who), text(&line.what), lines(&line.note)
            ));
        }
        out.line("</tbody></table>");
    }
    out.line("</section>");
}

fn sources(review: &Review<'_>, out: &mut Out<'_>) {
    out.line("<section><h2>Control totals</h2>");
    for (name, lines) in &review.sources {
        out.line(&format!("<h3>{}</h3>", id(name)));
        list(out, lines.iter().map(|line| line.trim()));
    }
    if !review.problems.is_empty() {
        out.line("<h3>Records that could not be used</h3>");
        out.line(
            "<table class=\"stack\"><thead><tr><th>where</th><th>what</th><th>code</th></tr></thead><tbody>",
        );
        for (at, what, code) in &review.problems {
            out.line(&format!("<tr><td>{}</td><td>{}</td><td>{code}</td></tr>", text(at), text(what)));
        }
        out.line("</tbody></table>");
    }
    out.line("</section>");
}

/// Lines of a cell; the first one is what it is about.
fn lines(of: &[String]) -> String {
    of.iter().map(|line| format!("<div>{}</div>", text(line.trim()))).collect::<Vec<_>>().concat()
}

fn list<S: AsRef<str>>(out: &mut Out<'_>, lines: impl IntoIterator<Item = S>) {
    let items: Vec<String> =
        lines.into_iter().map(|line| format!("<li>{}</li>", text(line.as_ref()))).collect();
    if !items.is_empty() {
        out.line(&format!("<ul>{}</ul>", items.concat()));
    }
}

/// A paragraph of a class of ours; nothing where there is nothing to say.
fn paragraph(out: &mut Out<'_>, class: &'static str, words: &str) {
    if words.is_empty() {
        return;
    }
    let class = if class.is_empty() { String::new() } else { format!(" class=\"{class}\"") };
    out.line(&format!("<p{class}>{}</p>", text(words)));
}

pub(super) fn text(words: &str) -> String {
    html(&SafeText::new(words))
}

fn id(id: &str) -> String {
    html_id(&SafeText::new(id))
}
