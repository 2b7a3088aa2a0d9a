//! `recount changed`: what is new, worse, better or gone against a mark; and the mark of `check --baseline`.

use std::path::Path;

use crate::judge::view::ResultWord;
use crate::report::changed::{json, now, text};
use crate::report::file::shown;
use crate::report::mark::{Change, Mark, changes, read};
use crate::report::{Choice, Only, Report};

use super::call::Call;
use super::failure::{Failure, INPUT};
use super::loading::loaded;
use super::options::{Opt, SCOPE, Set, Takes, one};

/// The mark.
#[rustfmt::skip]
pub const OPTIONS: Set = Set { heading: "mark", options: &[
    one("since", "MARK", Takes::Path, "a saved check: recount check --format json --out MARK"),
] };

/// Every option of the scope but `--since`, which is the mark here.
pub const REST_OF_SCOPE: Set = Set { heading: SCOPE.heading, options: SCOPE.options.split_at(1).1 };

/// The mark of a check.
pub const BASELINE: Opt = one(
    "baseline",
    "F",
    Takes::Path,
    "a saved check, JSON or JSON lines: only what is new or worse decides the exit code",
);

/// Prints what changed.
pub fn run(call: &Call) -> Result<u8, Failure> {
    let Some(path) = call.path("since") else {
        return Err(Failure::usage(
            "changed needs a mark: --since MARK, which recount check --format json --out MARK writes",
        ));
    };
    let before = mark(&path)?;
    let loaded = loaded(call)?;
    let gathered = loaded.gathered(call, &loaded.ask(call));
    gathered.say_unread(call);
    let report = everything(gathered.report(&loaded.case));
    let now = now(&report);
    call.print(|out| match call.format() {
        "json" => json(&report, &before, &now, out),
        _ => text(&report, &before, &now, out),
    })?;
    Ok(loaded.ended(call, 0))
}

/// Reads a mark.
fn mark(path: &Path) -> Result<Mark, Failure> {
    let bytes = std::fs::read(path).map_err(|why| {
        Failure::input(&format!(
            "{} cannot be read: {why}; name a file that a check has written",
            shown(path)
        ))
    })?;
    read(&String::from_utf8_lossy(&bytes))
        .map_err(|why| Failure { exit: INPUT, ..Failure::input(&format!("{} {why}", shown(path))) })
}

/// A report of every intent.
fn everything(report: Report<'_>) -> Report<'_> {
    Report { choice: Choice { only: Only::All, ..report.choice }, ..report }
}

/// What a baseline makes of a check.
pub struct Known {
    /// Intents that are as they were in the mark.
    pub known: u64,
    /// The exit code of what is new or worse.
    pub exit: u8,
}

/// Holds a check against the mark of `--baseline`; `None` without one.
///
/// # Errors
/// A mark that cannot be read.
pub fn known(call: &Call, report: &Report<'_>) -> Result<Option<Known>, Failure> {
    let Some(path) = call.path("baseline") else { return Ok(None) };
    let before = mark(&path)?;
    let own = report.summary.result;
    let now: Mark = now(&Report {
        choice: Choice { only: Only::Loud, ..report.choice },
        group_ids: std::cell::OnceCell::new(),
        ..*report
    });
    let news: Vec<String> = changes(&before, &now)
        .into_iter()
        .filter(|(change, _)| matches!(change, Change::New | Change::Worse))
        .map(|(_, id)| id)
        .collect();
    let is_new = |class: crate::judge::judgement::Class| {
        news.iter().filter_map(|id| now.get(id)).any(|standing| standing.class == class)
    };
    let loud = now.values().filter(|standing| standing.is_loud()).count();
    let exit = if is_new(crate::judge::judgement::Class::Violation) {
        ResultWord::ViolationFound.exit()
    } else if is_new(crate::judge::judgement::Class::Undecided)
        || (own != ResultWord::NoViolationObserved && loud == 0)
    {
        // What cannot be told by an intent (an unread source, an unreadable line) stays what it was.
        own.exit().max(ResultWord::Inconclusive.exit())
    } else {
        0
    };
    Ok(Some(Known { known: (loud - news.len()) as u64, exit }))
}
