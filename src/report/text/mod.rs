//! Text output (`7-commands.md` 7.5.6): for people, in order of urgency, in ordinary words.

mod clean;
mod one;
mod rows;
mod show;
mod sniff;
mod sources;
mod summary;
#[cfg(test)]
mod tests;
mod tree;

use crate::judge::story::{Place, phrase};
use crate::judge::view::{IntentView, ResultWord, Summary};

use super::Report;
use super::figures::{add, count, full, safe};
use super::out::Out;

pub(super) use clean::ledger as source_read;
pub use clean::{LIMIT, scope_sentence};
pub(super) use one::{at_risk, names, was_compared};
pub use rows::list;
pub(super) use show::blocks;
pub use show::{orphan, show};
pub use sniff::sniff;
pub(super) use sources::lines as source_lines;
pub use sources::{path, sources};
pub(super) use summary::apart;
pub use summary::lines as summary_lines;
pub use tree::{causal, tree};

/// The result where everything that is wrong was known to the mark of `--baseline`.
pub const NO_NEW: &str = "NO NEW VIOLATION";

/// Whether words may be bold or coloured.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Paint {
    /// Escape sequences are written.
    pub colour: bool,
    /// Cells of the terminal; 0 where there is none, and nothing is wrapped.
    pub width: usize,
}

impl Paint {
    /// The result: wrong in red, what asks in yellow, bold all.
    fn result(self, result: ResultWord) -> String {
        let colour = match result {
            ResultWord::ViolationFound | ResultWord::InputError => "1;31",
            ResultWord::Inconclusive => "1;33",
            ResultWord::NoViolationObserved => "1",
        };
        self.with(colour, result.words())
    }

    /// What stands out.
    pub(in crate::report) fn strong(self, text: &str) -> String {
        self.with("1", text)
    }

    /// What stands back.
    fn dim(self, text: &str) -> String {
        self.with("2", text)
    }

    fn with(self, code: &str, text: &str) -> String {
        if self.colour { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_owned() }
    }
}

/// `check` as text: one intent whole, else summary and rows; a clean result is followed by its scope and its limit.
pub fn check(report: &Report<'_>, paint: Paint, out: &mut Out<'_>) {
    let s = report.summary;
    let single = report.single();
    let clean = s.result == ResultWord::NoViolationObserved;
    if let Some(view) = &single {
        out.line(&headline(report, paint, true));
        lines(out, notices(report));
        one::block(report, view, out);
        // Where one intent was asked for, rows of others are not its business; a clean scope says them itself.
        let apart = summary::rows_apart(report);
        if !clean && report.choice.intent.is_none() && !apart.is_empty() {
            out.line(&apart.join(". "));
        }
        let unread = match s.result {
            ResultWord::Inconclusive => summary::unread(report),
            // What was found is proven; lines of the trace that nobody saw may hold more of it.
            ResultWord::ViolationFound => summary::unread_trace(report).into_iter().collect(),
            ResultWord::NoViolationObserved | ResultWord::InputError => Vec::new(),
        };
        for line in unread {
            out.line(&line);
        }
        if let Some(missing) = report.missing_side() {
            out.line(missing);
        }
    } else if !clean {
        for line in summary::lines(report, paint) {
            out.line(&line);
        }
        rows::rows(report, out);
    } else {
        out.line(&headline(report, paint, true));
        lines(out, notices(report));
    }
    if clean {
        clean::block(report, out);
        if single.is_none() {
            rows::rows(report, out);
        }
    }
    if let Some(after) = s.stopped_after {
        out.line(&format!(
            "stopped at the first violation, {} of {} intents evaluated (--stop-at-first)",
            count(after),
            count(s.intents)
        ));
    }
}

fn lines(out: &mut Out<'_>, all: Vec<String>) {
    for line in all {
        out.line(&line);
    }
}

/// The result with its property and what was declared. Beside one intent and a clean scope the default property is
/// left out, as the scope line says the rest.
fn headline(report: &Report<'_>, paint: Paint, short: bool) -> String {
    let s = report.summary;
    let mut line = match report.choice.known {
        Some(known) => paint.strong(&format!("{NO_NEW} ({} known)", count(known))),
        None => paint.result(s.result),
    };
    if !short || s.property != "settled" {
        add(&mut line, format_args!("   ({})", s.property));
    }
    let scope_says_it = short && s.result == ResultWord::NoViolationObserved;
    if !scope_says_it {
        line.push_str(&declared(s, "   "));
    }
    line
}

/// `final by declaration` and `clock fixed at T`, each behind a separator.
fn declared(s: &Summary, separator: &str) -> String {
    let mut text = String::new();
    if s.final_by_declaration {
        text.push_str(separator);
        text.push_str("final by declaration");
    }
    if s.clock_fixed {
        text.push_str(separator);
        add(&mut text, format_args!("clock fixed at {}", full(s.now)));
    }
    if let Some(seq) = s.as_of_entry {
        text.push_str(separator);
        add(&mut text, format_args!("book as of entry {seq}"));
    }
    text
}

/// What holds against everything that is shown, a line each.
pub(super) fn notices(report: &Report<'_>) -> Vec<String> {
    report
        .summary
        .notices
        .iter()
        .map(|notice| format!("{} ({})", sentence(report, &notice.what), notice.code))
        .collect()
}

/// What happened in one intent, in a paragraph: for outputs that show it otherwise and owe the reason of their result.
pub fn why(report: &Report<'_>, view: &IntentView, out: &mut Out<'_>) {
    out.line(&sentence(report, &report.teller.tell(view, Place::List).text()));
    for line in summary::unread(report) {
        out.line(&line);
    }
}

/// A sentence of a story or of the judge, ready to print.
pub(super) fn sentence(report: &Report<'_>, text: &str) -> String {
    safe(&report.mask.text(&phrase::plain(text)))
}
