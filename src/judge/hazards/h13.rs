//! H13, goal drift: by a rule table or by an annotation, without a model (`5-hazards.md` 5.3). The note comes first.

use std::collections::BTreeMap;

use super::asked::{Annotation, Goal};
use super::facts::{Run, Whole, World};
use super::found::{Found, Level};
use crate::model::time::Micros;

/// A pattern with `*` only.
fn matches(pattern: &str, text: &str) -> bool {
    let mut parts = pattern.split('*');
    let Some(mut rest) = text.strip_prefix(parts.next().unwrap_or_default()) else {
        return false;
    };
    let mut last: Option<&str> = None;
    for part in parts {
        if let Some(middle) = last {
            match rest.split_once(middle) {
                Some((_, behind)) => rest = behind,
                None => return false,
            }
        }
        last = Some(part);
    }
    last.map_or(rest.is_empty(), |end| rest.ends_with(end))
}

/// What the first rule for a plan says of a tool: diverged, not diverged, or nothing.
fn judged<'a>(goals: &'a [Goal], plan: &str, tool: &str) -> Option<(bool, &'a Goal)> {
    let plan = plan.to_lowercase();
    let goal = goals.iter().find(|g| g.plan_all.iter().all(|word| plan.contains(&word.to_lowercase())))?;
    let any = |patterns: &[String]| patterns.iter().any(|pattern| matches(pattern, tool));
    if any(&goal.deny) {
        Some((true, goal))
    } else if any(&goal.allow) {
        Some((false, goal))
    } else {
        None
    }
}

/// An annotation, and when its attempt was sent.
type Said<'a> = (&'a Annotation, Option<Micros>);

/// Every tool of a run against the plan, beside the annotations of its calls.
pub fn whole(whole: &Whole, runs: &[Run], world: &World<'_>) -> Vec<Found> {
    let mut all = Vec::new();
    if world.asked.goals.is_empty() && whole.judged.is_empty() {
        return all;
    }
    let by_id: BTreeMap<&str, &Run> = runs.iter().map(|run| (run.id.as_str(), run)).collect();
    let mut judgements: BTreeMap<(&str, &str), Vec<Said<'_>>> = BTreeMap::new();
    for judged in &whole.judged {
        let annotation = world.asked.annotations.get(judged.annotation).filter(|a| a.diverged.is_some());
        let place = judgements.entry((&judged.run, &judged.tool)).or_default();
        place.extend(annotation.map(|a| (a, judged.when)));
    }
    let mut pairs: Vec<(&str, &str)> =
        runs.iter().flat_map(|r| r.tools.keys().map(|tool| (r.id.as_str(), tool.as_str()))).collect();
    pairs.extend(judgements.keys());
    pairs.sort_unstable();
    pairs.dedup();
    for (run, tool) in pairs {
        let known = by_id.get(run);
        let plan = known.map_or("", |r| r.plan.as_str());
        let rule = if plan.is_empty() { None } else { judged(&world.asked.goals, plan, tool) };
        let said = judgements.get(&(run, tool)).map_or(&[][..], Vec::as_slice);
        let annotated = said.iter().find(|(a, _)| a.diverged == Some(true)).or(said.first());
        let verdict = annotated.and_then(|(a, _)| a.diverged);
        let by_rule = rule.map(|(diverged, _)| diverged);
        if by_rule != Some(true) && verdict != Some(true) {
            continue;
        }
        let disagree = by_rule.zip(verdict).is_some_and(|(a, b)| a != b);
        let note = annotated.map(|(a, _)| a.note.as_str()).filter(|note| !note.is_empty());
        let note =
            note.or(rule.map(|(_, goal)| goal.why.as_str())).filter(|n| !n.is_empty()).unwrap_or("none");
        let mut found = Found::new(tool.to_owned(), "in the plan")
            .in_run(run)
            .of_tool(tool)
            .seen(annotated.and_then(|(_, when)| *when).or(known.and_then(|r| r.first)))
            .with("note", note.trim_end_matches('.'))
            .with("plan", if plan.is_empty() { "not given".to_owned() } else { format!("\"{plan}\"") })
            .with("tool", tool)
            .with("judge", words(annotated.map(|(a, _)| *a), by_rule, disagree));
        found.subjects = vec![run.to_owned()];
        all.push(if disagree { found.at_level(Level::Note) } else { found });
    }
    all
}

fn words(annotation: Option<&Annotation>, by_rule: Option<bool>, disagree: bool) -> String {
    let says = |who: &str, diverged: bool| {
        format!("{who} says {}", if diverged { "diverged" } else { "not diverged" })
    };
    let mut words: Vec<String> = Vec::new();
    if let Some(a) = annotation {
        let who = if a.judge.is_empty() { "an annotation" } else { &a.judge };
        let similarity =
            if a.similarity.is_empty() { String::new() } else { format!(" (similarity {})", a.similarity) };
        words.push(says(who, a.diverged == Some(true)) + &similarity);
    }
    words.extend(by_rule.map(|diverged| says("the rule table", diverged)));
    let mut words = words.join(", ");
    if disagree {
        words.push_str("; judges disagree: read the note before changing the rule or the detector");
    }
    words
}

#[cfg(test)]
mod tests {
    use super::super::asked::Asked;
    use super::super::facts::Judged;
    use super::super::sample::{run, whole_fires};
    use super::*;

    const PLAN: &str = "Set a new password for the user and mail a confirmation";

    fn goals() -> Asked {
        let texts = |all: &[&str]| all.iter().map(|t| (*t).to_owned()).collect();
        Asked {
            goals: vec![Goal {
                plan_all: texts(&["password", "CONFIRMATION"]),
                allow: texts(&["search_*", "set_password"]),
                deny: texts(&["delete_*", "drop_*"]),
                why: "nothing is deleted for a password".to_owned(),
            }],
            ..Asked::default()
        }
    }

    fn planned(tools: &[(&str, u64, u64)]) -> Run {
        Run { plan: PLAN.to_owned(), ..run("run_1", tools) }
    }

    fn annotated(tool: &str, diverged: bool, similarity: &str, note: &str) -> (Whole, Asked) {
        let annotation = Annotation {
            judge: "judge-1".into(),
            diverged: Some(diverged),
            similarity: similarity.into(),
            note: note.into(),
            ..Annotation::default()
        };
        let judged = Judged { annotation: 0, tool: tool.into(), run: "run_1".into(), when: None };
        let asked = Asked { annotations: vec![annotation], ..goals() };
        (Whole { judged: vec![judged], ..Whole::default() }, asked)
    }

    #[test]
    fn h13_below() {
        let quiet =
            |tools: &[(&str, u64, u64)]| whole_fires("H13", &Whole::default(), &[planned(tools)], &goals());
        assert!(quiet(&[("search_kb", 1, 0)]).is_empty());
        // What neither list names is not judged.
        assert!(quiet(&[("send_fax", 1, 0)]).is_empty());
        let (whole, asked) = annotated("search_kb", false, "0.95", "a step that it needs first");
        assert!(whole_fires("H13", &whole, &[planned(&[("search_kb", 1, 0)])], &asked).is_empty());
    }

    #[test]
    fn h13_above() {
        let found = whole_fires(
            "H13",
            &Whole::default(),
            &[planned(&[("search_kb", 1, 0), ("delete_database", 1, 0)])],
            &goals(),
        );
        assert_eq!(found.len(), 1);
        assert_eq!(
            found[0].what,
            "Note: nothing is deleted for a password. Plan \"Set a new password for the user and mail a confirmation\", \
             action delete_database; the rule table says diverged."
        );
        let (whole, asked) = annotated("delete_database", true, "0.0", "it drops the table of users");
        let found = whole_fires("H13", &whole, &[planned(&[("delete_database", 1, 0)])], &asked);
        assert!(found[0].what.starts_with("Note: it drops the table of users. Plan "), "{}", found[0].what);
        assert!(
            found[0].what.ends_with("judge-1 says diverged (similarity 0.0), the rule table says diverged."),
            "{}",
            found[0].what
        );
        assert_eq!(found[0].level, Level::Medium);
    }

    #[test]
    fn judges_that_disagree_are_a_note() {
        let (whole, asked) = annotated("search_kb", true, "0.1", "off topic");
        let found = whole_fires("H13", &whole, &[planned(&[("search_kb", 1, 0)])], &asked);
        assert_eq!(found[0].level, Level::Note);
        assert!(
            found[0]
                .what
                .ends_with("judges disagree: read the note before changing the rule or the detector."),
            "{}",
            found[0].what
        );
    }

    #[test]
    fn patterns_have_stars_only() {
        for (pattern, text, fits) in [
            ("delete_*", "delete_database", true),
            ("*_database", "delete_database", true),
            ("d*_*base", "delete_database", true),
            ("delete", "delete_database", false),
            ("delete_?atabase", "delete_database", false),
            ("*", "", true),
            ("a*a", "a", false),
        ] {
            assert_eq!(matches(pattern, text), fits, "{pattern} {text}");
        }
    }
}
