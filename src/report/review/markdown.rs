//! The document as Markdown: tables and lists, without raw HTML (`7-commands.md` 7.5.7).

use crate::judge::timeline::Bracket;
use crate::text::{SafeText, markdown};

use super::super::out::Out;
use super::{Item, Review};

/// Writes it.
pub fn write(review: &Review<'_>, out: &mut Out<'_>) {
    let mut summary = review.summary.iter();
    heading(out, 1, &format!("{}: {}", review.title, review.result.words()));
    paragraph(out, summary.next().map_or("", String::as_str));
    list(out, summary);
    heading(out, 2, "What happened");
    let counts = review.counts();
    paragraph(out, if counts.is_empty() { "Nothing that was asked for." } else { &counts });
    for item in &review.items {
        if out.stopped() {
            return;
        }
        one(item, out);
    }
    paragraph(out, &review.left_out());
    hazards(review, out);
    recorded(review, out);
    heading(out, 2, "What was not covered");
    list(out, &review.uncovered);
    heading(out, 2, "Control totals");
    for (name, lines) in &review.sources {
        heading(out, 3, name);
        list(out, lines.iter().map(|line| line.trim()));
    }
    if !review.problems.is_empty() {
        heading(out, 3, "Records that could not be used");
        let rows =
            review.problems.iter().map(|(at, what, code)| vec![at.clone(), what.clone(), (*code).to_owned()]);
        table(out, &["where", "what", "code"], rows);
    }
    heading(out, 2, "How this was made");
    list(out, [&review.made, &review.command, &review.version]);
}

fn one(item: &Item, out: &mut Out<'_>) {
    heading(out, 3, &format!("{}: {}", item.ids.first().map_or("", String::as_str), item.headline));
    paragraph(out, &item.story);
    paragraph(out, &format!("Next: {}", item.next));
    let ids = item.ids.iter().map(|id| vec!["id".to_owned(), id.clone()]);
    let facts = item.facts.iter().map(|(name, value)| vec![(*name).to_owned(), value.clone()]);
    let code = std::iter::once(vec!["code".to_owned(), item.code.clone()]);
    table(out, &["fact", "value"], ids.chain(facts).chain(code));
    paragraph(out, &item.trace_alone);
    let rows = item.sides.iter().flat_map(|(left, right)| {
        (0..left.len().max(right.len())).map(|at| {
            let cell = |lines: &[String]| lines.get(at).map_or(String::new(), |line| line.trim().to_owned());
            vec![cell(left), cell(right)]
        })
    });
    table(out, &["attempts", "rows of the ledger"], rows);
    if !item.events.is_empty() {
        paragraph(out, &format!("In order ({}). {}", item.timeline.words, super::ORDER));
        let rows = item.events.iter().map(|line| {
            vec![
                bracket(line.bracket).to_owned(),
                line.when.clone(),
                line.since.clone(),
                line.subject.clone(),
                line.what.clone(),
                line.note.clone(),
                line.place.clone(),
            ]
        });
        table(out, &[" ", "when", "since", "who", "what", "note", "where"], rows);
    }
    paragraph(out, "Evidence");
    let why = item
        .why
        .iter()
        .map(|(why, code)| if code.is_empty() { why.clone() } else { format!("{why} ({code})") });
    let uncovered = item.uncovered.iter().map(|(code, what)| format!("not covered: {what} ({code})"));
    let hazards = item.hazards.iter().map(|(id, name)| format!("hazard {id}: {name}"));
    let read = item.read.iter().map(|read| format!("read: {read}"));
    list(out, why.chain(read).chain(uncovered).chain(hazards));
}

fn hazards(review: &Review<'_>, out: &mut Out<'_>) {
    heading(out, 2, "Ways of working that let it happen");
    if review.hazards.is_empty() {
        paragraph(out, "No rule fires.");
        return;
    }
    for told in &review.hazards {
        let rule = told.hazard.rule;
        heading(out, 3, &format!("{} {} ({})", rule.id, rule.words, told.level));
        paragraph(out, &told.what);
        list(out, told.parts().iter().map(|(name, words)| format!("{name}: {words}")));
    }
    paragraph(out, super::NO_VERDICT);
}

fn recorded(review: &Review<'_>, out: &mut Out<'_>) {
    let Some(audit) = &review.audit else { return };
    heading(out, 2, "Audit entries");
    list(out, &audit.chain);
    if audit.lines.is_empty() {
        paragraph(out, super::NO_ENTRY);
        return;
    }
    let rows = audit.lines.iter().map(|line| {
        let number = format!("{} {}", line.seq, line.hash);
        vec![number, line.when.clone(), line.who.clone(), line.what.clone(), line.note.join(" / ")]
    });
    table(out, &["entry", "when", "who", "what", "note"], rows);
}

/// A bracket as a column of its own.
fn bracket(of: Bracket) -> &'static str {
    match of {
        Bracket::No => "",
        Bracket::First => "╭",
        Bracket::Inside => "│",
        Bracket::Last => "╰",
    }
}

fn cell(text: &str) -> String {
    markdown(&SafeText::new(text))
}

fn heading(out: &mut Out<'_>, level: usize, text: &str) {
    out.line(&format!("{} {}", "#".repeat(level), cell(text)));
    out.line("");
}

fn paragraph(out: &mut Out<'_>, text: &str) {
    if !text.is_empty() {
        out.line(&cell(text));
        out.line("");
    }
}

fn list<S: AsRef<str>>(out: &mut Out<'_>, lines: impl IntoIterator<Item = S>) {
    let mut any = false;
    for line in lines {
        out.line(&format!("- {}", cell(line.as_ref())));
        any = true;
    }
    if any {
        out.line("");
    }
}

fn table(out: &mut Out<'_>, head: &[&str], rows: impl Iterator<Item = Vec<String>>) {
    out.line(&format!("| {} |", head.join(" | ")));
    out.line(&format!("|{}", "---|".repeat(head.len())));
    for row in rows {
        let cells: Vec<String> = row.iter().map(|text| cell(text)).collect();
        out.line(&format!("| {} |", cells.join(" | ")));
    }
    out.line("");
}
