//! Markdown: the same facts as text, as tables, without raw HTML (`7-commands.md` 7.5.7).

use crate::judge::story::{Place, four_lines, phrase};
use crate::judge::view::ResultWord;
use crate::text::{SafeText, markdown};

use super::Report;
use super::figures::{amounts, count};
use super::out::Out;
use super::text::{Paint, scope_sentence, summary_lines};

/// `check --format markdown`.
pub fn check(report: &Report<'_>, out: &mut Out<'_>) {
    let s = report.summary;
    let mut lines = summary_lines(report, Paint::default()).into_iter();
    out.line(&format!("# {}", cell(&lines.next().unwrap_or_default())));
    out.line("");
    if s.result == ResultWord::NoViolationObserved {
        out.line(&cell(&scope_sentence(report)));
        out.line("");
        out.line(&cell(super::text::LIMIT));
    } else {
        for line in lines {
            out.line(&format!("- {}", cell(&line)));
        }
    }
    out.line("");
    list(report, out);
}

/// `list --format markdown`: one intent a row.
pub fn list(report: &Report<'_>, out: &mut Out<'_>) {
    let limit = if report.choice.limit == 0 { usize::MAX } else { report.choice.limit };
    let mut views = report.each_intent();
    for (printed, view) in views.by_ref().take(limit).enumerate() {
        if out.stopped() {
            return;
        }
        if printed == 0 {
            out.line("| order | what | expected | observed | at risk | intent | code | story |");
            out.line("|---|---|---|---|---|---|---|---|");
        }
        let j = &view.judgement;
        let four = four_lines(&view, report.units);
        let value = |at: usize| {
            four.get(at).and_then(|l| l.split_once(": ")).map_or(String::new(), |(_, v)| v.to_owned())
        };
        let story = report.teller.tell(&view, Place::List).text();
        let cells = [
            id(report, &view.business_id),
            j.label().to_owned(),
            cell(&format!("{} / {}", value(0), value(1))),
            cell(&format!("{} / {}", value(2), value(3))),
            cell(&amounts(report.units, &view.at_risk)),
            id(report, &view.intent_id),
            cell(&format!("{} {}", j.verdict(), j.rule.number())),
            cell(&report.mask.text(&phrase::plain(&story))),
        ];
        out.line(&format!("| {} |", cells.join(" | ")));
    }
    let left = views.count();
    if left > 0 {
        out.line("");
        out.line(&format!("{} more: \\-\\-limit 0, or \\-\\-format csv", count(left as u64)));
    }
}

fn cell(text: &str) -> String {
    markdown(&SafeText::new(text))
}

fn id(report: &Report<'_>, id: &str) -> String {
    markdown(&SafeText::id(&report.mask.id(id)))
}
