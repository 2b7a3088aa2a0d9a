//! A mark: the output of an earlier `check` as JSON or JSON lines, and what has changed since (`7-commands.md` 7.5.3
//! `changed`, 7.5.4 `--baseline`).
//!
//! Pure: the text of the mark goes in. Numbers are read from their tokens, so no amount passes through a float.

use std::collections::BTreeMap;

use serde::Deserialize;
use thiserror::Error;

use crate::judge::judgement::Class;

/// Schemas that are marks.
const SCHEMAS: [&str; 2] = ["recount.check.v1", "recount.report.v1"];

/// Why a file is no mark. Says what to do.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum MarkError {
    /// It is no JSON, or not the JSON of a check.
    #[error("is no saved check: {0}; make one with recount check --format json --out F")]
    NoMark(String),
}

/// How an intent stood: what orders it, and what is said of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Standing {
    /// Its class.
    pub class: Class,
    /// 1 to 5.
    pub severity: u8,
    /// Verdict code.
    pub verdict: String,
    /// Words in lists.
    pub words: String,
    /// Business id; empty where there is none.
    pub order: String,
    /// Amounts at risk in minor units, by unit.
    pub risk: BTreeMap<String, String>,
}

impl Standing {
    /// Somebody has to look at it.
    pub fn is_loud(&self) -> bool {
        matches!(self.class, Class::Violation | Class::Undecided)
    }

    /// More than before is at risk in some unit.
    fn has_more_at_risk(&self, before: &Self) -> bool {
        self.risk.iter().any(|(unit, now)| {
            before.risk.get(unit).is_none_or(|then| compare(now, then) == std::cmp::Ordering::Greater)
        })
    }
}

/// Two whole numbers or decimals of equal form, as text: longer ones are greater.
fn compare(a: &str, b: &str) -> std::cmp::Ordering {
    let parts = |text: &str| {
        let (whole, decimals) = text.split_once('.').unwrap_or((text, ""));
        (whole.trim_start_matches('0').to_owned(), decimals.trim_end_matches('0').to_owned())
    };
    let ((a, a_rest), (b, b_rest)) = (parts(a), parts(b));
    a.len().cmp(&b.len()).then_with(|| a.cmp(&b)).then_with(|| a_rest.cmp(&b_rest))
}

/// Every intent of a mark, by its id.
pub type Mark = BTreeMap<String, Standing>;

#[derive(Deserialize)]
struct Whole {
    schema: String,
    intents: Vec<One>,
}

#[derive(Deserialize)]
struct Line {
    r#type: String,
    schema: Option<String>,
}

#[derive(Deserialize)]
struct One {
    intent_id: String,
    verdict: String,
    #[serde(default)]
    words: String,
    class: String,
    severity: u8,
    business_id: Option<String>,
    #[serde(default)]
    at_risk: Vec<Risk>,
}

#[derive(Deserialize)]
struct Risk {
    currency: Option<String>,
    unit: Option<String>,
    minor: Option<serde_json::Number>,
    decimal: Option<String>,
}

/// Reads a mark.
///
/// # Errors
/// [`MarkError`].
pub fn read(text: &str) -> Result<Mark, MarkError> {
    let no_mark = |why: String| MarkError::NoMark(why);
    let intents = match serde_json::from_str::<Whole>(text) {
        Ok(whole) if SCHEMAS.contains(&whole.schema.as_str()) => whole.intents,
        Ok(whole) => return Err(no_mark(format!("its schema is {:?}", whole.schema))),
        Err(why) => lines(text).ok_or_else(|| no_mark(why.to_string()))?,
    };
    intents.into_iter().map(standing).collect::<Result<_, _>>()
}

/// JSON lines: intents, and last the summary, which says what they are.
fn lines(text: &str) -> Option<Vec<One>> {
    let mut intents = Vec::new();
    let mut said = false;
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        let head: Line = serde_json::from_str(line).ok()?;
        match head.r#type.as_str() {
            "intent" => intents.push(serde_json::from_str(line).ok()?),
            "summary" => said = head.schema.is_some_and(|schema| SCHEMAS.contains(&schema.as_str())),
            _ => {}
        }
    }
    said.then_some(intents)
}

fn standing(one: One) -> Result<(String, Standing), MarkError> {
    let classes = [Class::Violation, Class::Undecided, Class::Open, Class::Clean];
    let class = classes.into_iter().find(|class| class.word() == one.class);
    let Some(class) = class else {
        return Err(MarkError::NoMark(format!("{:?} is no class", one.class)));
    };
    let risk = one.at_risk.into_iter().filter_map(|risk| {
        let amount = risk.minor.map(|minor| minor.to_string()).or(risk.decimal)?;
        Some((risk.currency.or(risk.unit)?, amount))
    });
    let standing = Standing {
        class,
        severity: one.severity,
        verdict: one.verdict,
        words: one.words,
        order: one.business_id.unwrap_or_default(),
        risk: risk.collect(),
    };
    Ok((one.intent_id, standing))
}

/// What became of an intent.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Change {
    /// It was not in the mark, or nothing was wrong with it.
    New,
    /// Worse than in the mark; also another verdict of equal weight, which nobody can rank.
    Worse,
    /// Better, and still to be looked at.
    Better,
    /// Nothing is wrong with it any more, or it is no longer read.
    Gone,
}

impl Change {
    /// Every change with its word, in the order in which they are told.
    pub const ALL: [(Self, &'static str); 4] =
        [(Self::New, "new"), (Self::Worse, "worse"), (Self::Better, "better"), (Self::Gone, "gone")];
}

/// What became of one intent between the mark and now; `None` where nothing changed that anybody has to look at.
pub fn change(before: Option<&Standing>, now: Option<&Standing>) -> Option<Change> {
    let loud = |standing: Option<&Standing>| standing.is_some_and(Standing::is_loud);
    match (before, now) {
        _ if !loud(before) && !loud(now) => None,
        _ if !loud(before) => Some(Change::New),
        _ if !loud(now) => Some(Change::Gone),
        (Some(before), Some(now)) => {
            let rank = |standing: &Standing| (standing.class, standing.severity);
            match rank(now).cmp(&rank(before)) {
                std::cmp::Ordering::Less => Some(Change::Worse),
                std::cmp::Ordering::Greater => Some(Change::Better),
                std::cmp::Ordering::Equal if now.has_more_at_risk(before) => Some(Change::Worse),
                std::cmp::Ordering::Equal if before.has_more_at_risk(now) => Some(Change::Better),
                std::cmp::Ordering::Equal => (now.verdict != before.verdict).then_some(Change::Worse),
            }
        }
        _ => None,
    }
}

/// Everything that changed, by change and then by intent id.
pub fn changes(before: &Mark, now: &Mark) -> Vec<(Change, String)> {
    let ids: std::collections::BTreeSet<&String> = before.keys().chain(now.keys()).collect();
    let of = |id: &&String| change(before.get(*id), now.get(*id)).map(|change| (change, (*id).clone()));
    let mut all: Vec<(Change, String)> = ids.iter().filter_map(of).collect();
    all.sort();
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mark(intents: &str) -> Mark {
        read(&format!("{{\"schema\":\"recount.check.v1\",\"intents\":[{intents}]}}")).unwrap()
    }

    fn one(id: &str, class: &str, severity: u8, verdict: &str, minor: &str) -> String {
        format!(
            "{{\"intent_id\":\"{id}\",\"class\":\"{class}\",\"severity\":{severity},\"verdict\":\"{verdict}\",\"business_id\":null,\"at_risk\":[{{\"currency\":\"USD\",\"minor\":{minor}}}]}}"
        )
    }

    #[test]
    fn each_change_has_its_name() {
        let then = [
            one("a", "violation", 1, "DUPLICATED", "100"),
            one("b", "undecided", 2, "ABSENT_COVERED", "100"),
            one("c", "violation", 1, "DUPLICATED", "100"),
            one("d", "violation", 1, "DUPLICATED", "100"),
            one("e", "clean", 5, "MATCHED", "0"),
            one("f", "violation", 1, "DUPLICATED", "99"),
            one("g", "violation", 1, "DUPLICATED", "100"),
        ];
        let now = [
            one("a", "violation", 1, "DUPLICATED", "100"),
            one("b", "violation", 1, "DUPLICATED", "100"),
            one("c", "undecided", 2, "UNRESOLVED_UNKNOWN", "100"),
            one("d", "clean", 5, "MATCHED", "0"),
            one("e", "undecided", 2, "UNRESOLVED_UNKNOWN", "1"),
            one("f", "violation", 1, "DUPLICATED", "100"),
            one("g", "violation", 1, "LINEAGE_DOUBLE", "100"),
            one("h", "violation", 1, "DUPLICATED", "1"),
        ];
        let found = changes(&mark(&then.join(",")), &mark(&now.join(",")));
        let words: Vec<(Change, &str)> = found.iter().map(|(change, id)| (*change, id.as_str())).collect();
        assert_eq!(
            words,
            [
                (Change::New, "e"),
                (Change::New, "h"),
                (Change::Worse, "b"),
                (Change::Worse, "f"),
                (Change::Worse, "g"),
                (Change::Better, "c"),
                (Change::Gone, "d"),
            ]
        );
    }

    #[test]
    fn json_lines_are_a_mark_too() {
        let line = one("a", "violation", 1, "DUPLICATED", "100").replacen('{', "{\"type\":\"intent\",", 1);
        let text = format!("{line}\n{{\"type\":\"summary\",\"schema\":\"recount.check.v1\"}}\n");
        assert_eq!(read(&text).unwrap().keys().collect::<Vec<_>>(), ["a"]);
        assert!(read(&line).is_err());
        assert!(
            read("{\"schema\":\"recount.list.v1\",\"intents\":[]}")
                .unwrap_err()
                .to_string()
                .contains("recount.list.v1")
        );
        assert!(read("not json").is_err());
        assert!(read("").is_err());
    }

    #[test]
    fn amounts_are_compared_by_their_digits() {
        use std::cmp::Ordering::{Equal, Greater, Less};
        for (a, b, expected) in [
            ("100", "99", Greater),
            ("99", "100", Less),
            ("0100", "100", Equal),
            ("14.10", "14.1", Equal),
            ("14.2", "14.10", Greater),
            ("123456789012345678901", "123456789012345678900", Greater),
        ] {
            assert_eq!(compare(a, b), expected, "{a} {b}");
        }
    }
}
