//! What a row of a loaded case answers to the terms of a filter that name a field.

use crate::judge::findings::SOURCES_DISAGREE;
use crate::judge::view::{IntentView, ListRow, RowKind, SourceView};
use crate::load::{Case, Op};
use crate::model::row::State;
use crate::model::time::Micros;
use crate::query::{Hits, MoreFacts, RowFacts, Searchable};

/// The intents behind a row.
fn behind(kind: &RowKind) -> &[u32] {
    match kind {
        RowKind::Intent(number) => std::slice::from_ref(number),
        RowKind::Group(numbers)
        | RowKind::NotCompared { intents: numbers, .. }
        | RowKind::FitsByOrder { intents: numbers } => numbers,
        RowKind::PossibleDouble(_)
        | RowKind::Orphan(_)
        | RowKind::OrphansMore { .. }
        | RowKind::Outside { .. } => &[],
    }
}

/// The rows of a list, as a filter asks them: for the screen and for what is settled at once.
pub struct Rows<'c> {
    /// The case.
    pub case: &'c Case,
    /// The clock.
    pub now: Micros,
    /// Its sources.
    pub sources: &'c [SourceView],
}

impl Searchable for Rows<'_> {
    fn rows(&self) -> usize {
        self.case.rows()
    }

    fn word(&self, word: &str, hits: &mut Hits) {
        self.case.search(word, &mut |at| hits.set(at));
        // `order 1234` is stored as `order:1234`.
        if word.contains(' ') {
            self.case.search(&word.replacen(' ', ":", 1), &mut |at| hits.set(at));
        }
    }

    fn facts(&self, at: usize, more: bool) -> RowFacts {
        let (fine, divergent, unknown, ..) = self.case.row_flags(at);
        let row = self.case.row(at);
        // A row with money of several units, and whatever the evidence tells, needs its intents.
        let numbers = if more || row.more_units > 0 { behind(&row.kind) } else { &[] };
        let views: Vec<IntentView> =
            numbers.iter().filter_map(|number| self.case.view(Op(*number))).collect();
        facts(&row, (fine, divergent, unknown), &views, self.now, self.sources)
    }
}

/// The answers of a row; `flags`: fine, divergent, unknown; `views`: its intents, empty where only the row itself is
/// asked.
fn facts(
    row: &ListRow,
    (fine, divergent, unknown): (bool, bool, bool),
    views: &[IntentView],
    now: Micros,
    sources: &[SourceView],
) -> RowFacts {
    let before = |at: Micros| (!at.is_none()).then(|| now.since(at));
    let derived = if unknown { State::Unknown.word() } else { "" };
    let mut risk: Vec<_> = views.iter().flat_map(|view| &view.at_risk).map(|m| m.amount.wide()).collect();
    if risk.is_empty() {
        risk.extend(row.at_risk.map(|money| money.amount.wide()));
    }
    RowFacts {
        verdict: row.verdict.to_owned(),
        label: row.label.to_owned(),
        class: row.class.map_or("note", |class| class.word()).to_owned(),
        state: row.record.map_or(derived, State::word).to_owned(),
        kind: row.noun.clone(),
        order: row.operation.clone(),
        party: row.party.clone(),
        risk,
        age: before(row.since),
        overdue: row.overdue,
        fine,
        divergent,
        unknown,
        more: more(views, sources, before),
    }
}

fn more(views: &[IntentView], sources: &[SourceView], before: impl Fn(Micros) -> Option<i64>) -> MoreFacts {
    let attempts = || views.iter().flat_map(|view| &view.attempts);
    let rows = || views.iter().flat_map(|view| view.effects.iter().chain(&view.open_rows));
    let times = attempts().flat_map(|a| [a.sent.at, a.ended.at]).chain(rows().map(|row| row.committed.at));
    let owners: Vec<&str> =
        views.iter().map(|view| view.standing.owner.as_str()).filter(|owner| !owner.is_empty()).collect();
    MoreFacts {
        tools: attempts().map(|attempt| attempt.tool.clone()).collect(),
        sources: rows().filter_map(|row| sources.get(row.source)).map(|source| source.id.clone()).collect(),
        owner: owners.join(" "),
        keys: attempts()
            .map(|attempt| attempt.key.clone())
            .chain(views.iter().map(|v| v.key.clone()))
            .collect(),
        last: times.filter(|at| !at.is_none()).max().and_then(before),
        closed: views.iter().any(|view| !view.standing.closed_as.is_empty()),
        disagree: views.iter().any(|view| view.judgement.found & SOURCES_DISAGREE != 0),
    }
}
