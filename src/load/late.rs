//! Problems that show only when all is read: repeated ids, rows without a link, damaged rows in scope, lines that are no
//! records and name one.

use std::collections::HashSet;

use foldhash::fast::RandomState;

use crate::model::row::{At, effect_flag};
use crate::sources::event::ProblemEvent;

use super::case::Case;
use super::places::Places;
use super::repeats;
use super::run::Run;
use super::slice::{BadRow, Noise, Problem, Tally};

impl Case {
    /// Ledger rows with an unreadable amount become problems; those in scope or linked count against a clean result.
    pub(super) fn unreadable_rows(&mut self, bad_rows: &[BadRow]) {
        let loose: std::collections::HashMap<At, super::repeats::Place, RandomState> =
            self.loose.iter().map(|r| (r.row.at, r.place)).collect();
        for bad in bad_rows.iter().take(Problem::KEPT) {
            let affects = loose.get(&bad.at).is_none_or(|p| self.apart.unreadable_in_scope.contains(p));
            let text = &bad.text;
            let what = format!("amount \"{text}\" {}", bad.bad);
            let bytes = text.len() as u64;
            self.problems.push(Problem {
                at: bad.at,
                event: ProblemEvent { code: "UNREADABLE_ROW", what, bytes, affects_result: affects },
            });
        }
        for bad in bad_rows {
            if let Some(found) = self.found.get_mut(usize::from(bad.at.source().0)) {
                let affects = loose.get(&bad.at).is_none_or(|p| self.apart.unreadable_in_scope.contains(p));
                found.tally.problems += 1;
                found.tally.unreadable += u64::from(affects);
            }
        }
    }
}

pub(super) fn no_link() -> ProblemEvent {
    ProblemEvent {
        code: "UNREADABLE_ROW",
        what: "the row has no id that could tie it to a call".to_owned(),
        bytes: 0,
        affects_result: true,
    }
}

pub(super) fn conflict(c: &repeats::Conflict, places: &dyn Places) -> Problem {
    let first = places.words(c.first);
    let what = if c.ledger {
        format!("the same effect id as {first}, with another {}; the first is kept", c.what)
    } else {
        format!("the same attempt id as {first}, with another {}; the first is kept", c.what)
    };
    Problem { at: c.at, event: ProblemEvent { code: "ID_CONFLICT", what, bytes: 0, affects_result: true } }
}

/// Skipped lines that contain the id of a loaded intent or effect are unreadable after all (`1-model.md` 1.4.1).
pub(super) fn noise_that_names(runs: &[Run], noise: &[Noise], tallies: &mut [Tally]) -> Vec<Problem> {
    const SHORTEST_ID: usize = 4;
    let is_id = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | ':' | '.' | '/' | '#');
    let tokens = |line: &Noise| -> Vec<String> {
        let split = line.text.split(|c: char| !is_id(c)).map(|t| t.trim_matches(['.', ':', ',']));
        split.filter(|t| t.len() >= SHORTEST_ID).map(str::to_owned).collect()
    };
    let wanted: HashSet<Vec<u8>, RandomState> =
        noise.iter().flat_map(tokens).map(String::into_bytes).collect();
    if wanted.is_empty() {
        return Vec::new();
    }
    let mut named: HashSet<&[u8], RandomState> = HashSet::default();
    for run in runs {
        for no in 0..run.names() as u32 {
            let bytes = run.name_bytes(crate::model::row::Name(no));
            if wanted.contains(bytes) {
                named.insert(bytes);
            }
        }
        for bytes in run.effects.all().iter().map(|e| run.bytes(e.id)) {
            if !bytes.is_empty() && wanted.contains(bytes) {
                named.insert(bytes);
            }
        }
    }
    let mut problems = Vec::new();
    for line in noise {
        let Some(id) = tokens(line).into_iter().find(|t| named.contains(t.as_bytes())) else {
            continue;
        };
        if let Some(tally) = tallies.get_mut(usize::from(line.at.source().0)) {
            tally.skipped = tally.skipped.saturating_sub(1);
            tally.used += 1;
            tally.not_used();
        }
        let what = format!("not a record, but it names {id}");
        let event = ProblemEvent { code: "UNREADABLE_LINE", what, bytes: line.bytes, affects_result: true };
        problems.push(Problem { at: line.at, event });
    }
    problems
}

/// Rows without any id that stand twice in the same words (`NO_EFFECT_ID`).
pub(super) fn mark_twins(runs: &mut [Run], mut wholes: Vec<(u64, At)>) {
    wholes.sort_unstable();
    let twins: HashSet<At, RandomState> = wholes
        .windows(2)
        .filter_map(|w| match w {
            [(a, _), (b, at)] if a == b => Some(*at),
            _ => None,
        })
        .collect();
    if twins.is_empty() {
        return;
    }
    for run in runs {
        for row in run.effects.all_mut().iter_mut().filter(|e| twins.contains(&e.at)) {
            row.flags |= effect_flag::TWIN;
        }
    }
}
