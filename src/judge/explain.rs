//! Every code that recount prints, in three sentences: what it says, why it matters, what to do now
//! (`7-commands.md` 7.5.3, `explain`).
//!
//! Refusals and hazards are explained where they are made.

mod findings;
mod others;
mod printed;
#[cfg(test)]
mod tests;
mod verdicts;

pub use findings::FINDINGS;
pub use others::{CLASSES, COVERAGE, EXITS, LABELS, LINKS, MEANINGS, ORIGINS, STATES};
pub use printed::{FIGURES, PROBLEMS, RESULTS, SEVERITIES};
pub use verdicts::{RULES, RuleWhen, VERDICTS};

use super::words::{Case, WORDS};

/// What a code is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Kind {
    /// A verdict (`2-judge.md` 2.7).
    Verdict,
    /// A rule of the decision table (2.6).
    Rule,
    /// A finding (2.3).
    Finding,
    /// A label (2.7).
    Label,
    /// A class (2.7).
    Class,
    /// An exit code (`7-commands.md` 7.5.5).
    Exit,
    /// A rule of joining (`1-model.md` 1.5).
    Link,
    /// A condition of coverage (`4-sources.md` 4.3).
    Coverage,
    /// Who repeated a call (`2-judge.md` 2.4).
    Origin,
    /// A state (`3-lifecycle.md` 3.1).
    State,
    /// What a source means (`4-sources.md` 4.11).
    Meaning,
    /// The result of a check (`2-judge.md` 2.12).
    Result,
    /// A severity (2.8).
    Severity,
    /// A figure or word of the summary (2.12).
    Figure,
    /// A problem of a source (`1-model.md` 1.4).
    Problem,
    /// A refusal (`3-lifecycle.md` 3.4).
    Refusal,
    /// A move from state to state (`3-lifecycle.md` 3.2).
    Move,
}

impl Kind {
    /// The word.
    pub fn word(self) -> &'static str {
        match self {
            Self::Verdict => "verdict",
            Self::Rule => "rule",
            Self::Finding => "finding",
            Self::Label => "label",
            Self::Class => "class",
            Self::Exit => "exit code",
            Self::Link => "link rule",
            Self::Coverage => "condition of coverage",
            Self::Origin => "retry origin",
            Self::State => "state",
            Self::Meaning => "meaning of a source",
            Self::Result => "result",
            Self::Severity => "severity",
            Self::Figure => "word of the summary",
            Self::Problem => "problem of a source",
            Self::Refusal => "refusal",
            Self::Move => "move",
        }
    }
}

/// A code in three sentences.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Explanation {
    /// What it is.
    pub kind: Kind,
    /// The code as printed.
    pub code: &'static str,
    /// What it says.
    pub what: &'static str,
    /// Why it matters.
    pub why: &'static str,
    /// What to do now.
    pub now: &'static str,
}

/// A line of a table: code, what, why, now.
pub type Line = (&'static str, &'static str, &'static str, &'static str);

fn of(kind: Kind, line: &Line) -> Explanation {
    let (code, what, why, now) = *line;
    Explanation { kind, code, what, why, now }
}

/// Every code with its explanation, in the order in which a code with two meanings is looked up.
pub fn all() -> impl Iterator<Item = Explanation> {
    let table = |kind: Kind, lines: &'static [Line]| lines.iter().map(move |line| of(kind, line));
    table(Kind::Verdict, &VERDICTS)
        .chain(RULES.iter().map(rule))
        .chain(table(Kind::Finding, &FINDINGS))
        .chain(table(Kind::State, &STATES))
        .chain(table(Kind::Label, &LABELS))
        .chain(table(Kind::Class, &CLASSES))
        .chain(table(Kind::Exit, &EXITS))
        .chain(table(Kind::Link, &LINKS))
        .chain(table(Kind::Coverage, &COVERAGE))
        .chain(table(Kind::Origin, &ORIGINS))
        .chain(table(Kind::Meaning, &MEANINGS))
        .chain(table(Kind::Result, &RESULTS))
        .chain(table(Kind::Severity, &SEVERITIES))
        .chain(table(Kind::Figure, &FIGURES))
        .chain(table(Kind::Problem, &PROBLEMS))
}

/// A rule says when it holds; the rest is said of its verdict.
fn rule(when: &RuleWhen) -> Explanation {
    let verdict = VERDICTS.iter().find(|(code, ..)| *code == when.rule.verdict()).unwrap_or(&VERDICTS[0]);
    Explanation {
        kind: Kind::Rule,
        code: when.rule.number(),
        what: when.what,
        why: verdict.2,
        now: verdict.3,
    }
}

/// Small letters, one blank for each blank, `_` or `-`.
fn folded(text: &str) -> String {
    let words =
        text.split(|c: char| c.is_whitespace() || c == '_' || c == '-').filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join(" ").to_lowercase()
}

/// Every explanation of a code: as written before without regard to case. Words of a list find their verdict, a
/// number alone is an exit code.
pub fn explain_all(code: &str) -> Vec<Explanation> {
    let exact: Vec<Explanation> = all().filter(|e| e.code == code.trim()).collect();
    let asked = folded(code);
    let same = |e: &Explanation| {
        let printed = folded(e.code);
        printed == asked || (e.kind == Kind::Exit && printed.strip_prefix("exit ") == Some(asked.as_str()))
    };
    let mut found = exact;
    for other in all().filter(same) {
        if !found.contains(&other) {
            found.push(other);
        }
    }
    if found.is_empty() {
        found.extend(of_list_words(&asked));
    }
    found
}

/// The explanation of a code: the first of [`explain_all`].
pub fn explain(code: &str) -> Option<Explanation> {
    explain_all(code).into_iter().next()
}

/// Words as a list has them, `happened twice`, explain the rule that says them.
fn of_list_words(asked: &str) -> Option<Explanation> {
    let says = |n: u32| WORDS.iter().find(|w| folded(&w.in_list(n)) == asked);
    let words = (2..=9).find_map(says)?;
    match (words.rule, words.case) {
        (Some(rule), _) => explain(rule.number()),
        (None, Case::Disputed) => explain("DISPUTED"),
        (None, _) => explain("ORPHAN_EFFECT"),
    }
}

/// The nearest code to one that nobody knows; `None` where nothing is near.
pub fn nearest(code: &str) -> Option<&'static str> {
    let asked = folded(code);
    // A third of the letters may differ; longer texts are no code.
    let limit = (asked.chars().count() / 3).max(1);
    if asked.is_empty() || asked.chars().count() > 40 {
        return None;
    }
    let near = all().map(|e| (distance(&asked, &folded(e.code)), e.code));
    near.filter(|(distance, _)| *distance <= limit)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, code)| code)
}

/// Letters to change, add or leave out from one text to another.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut before = i + 1;
        let mut diagonal = i;
        let mut next = Vec::with_capacity(row.len());
        next.push(before);
        for (y, above) in b.iter().zip(row.iter().skip(1)) {
            let changed = diagonal + usize::from(x != *y);
            before = changed.min(before + 1).min(above + 1);
            next.push(before);
            diagonal = *above;
        }
        row = next;
    }
    row.last().copied().unwrap_or_default()
}
