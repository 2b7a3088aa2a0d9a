//! H18, shared baseline.

use std::collections::{BTreeMap, BTreeSet};

use super::facts::{Run, Whole, World};
use super::fill::first_ids;
use super::found::Found;

/// Baselines that annotations of more than one run name.
pub fn whole(whole: &Whole, _: &[Run], world: &World<'_>) -> Vec<Found> {
    let mut runs: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for judged in &whole.judged {
        let Some(annotation) = world.asked.annotations.get(judged.annotation) else { continue };
        if !annotation.baseline_key.is_empty() && !judged.run.is_empty() {
            runs.entry(&annotation.baseline_key).or_default().insert(&judged.run);
        }
    }
    let shared = runs.into_iter().filter(|(_, runs)| runs.len() >= 2);
    shared
        .map(|(baseline, runs)| {
            let runs: Vec<&str> = runs.into_iter().collect();
            let first =
                whole.judged.iter().filter(|j| runs.contains(&j.run.as_str())).filter_map(|j| j.when).min();
            let mut found = Found::new(runs.len().to_string(), "1")
                .seen(first)
                .with("baseline", baseline)
                .with("n", runs.len().to_string())
                .with("list", first_ids(&runs, runs.len()));
            found.count = runs.len();
            found.subjects = runs.into_iter().map(str::to_owned).collect();
            found
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::super::asked::{Annotation, Asked};
    use super::super::facts::Judged;
    use super::super::sample::whole_fires;
    use super::*;

    fn judged(of: &[(&str, &str)]) -> (Whole, Asked) {
        let annotations = of
            .iter()
            .map(|(_, key)| Annotation { baseline_key: (*key).to_owned(), ..Annotation::default() })
            .collect();
        let judged = of.iter().enumerate().map(|(annotation, (run, _))| Judged {
            annotation,
            run: (*run).to_owned(),
            ..Judged::default()
        });
        let asked = Asked { annotations, ..Asked::default() };
        (Whole { judged: judged.collect(), ..Whole::default() }, asked)
    }

    #[test]
    fn h18_below() {
        let (whole, asked) =
            judged(&[("run_a", "triage/a"), ("run_a", "triage/a"), ("run_b", "triage/b"), ("run_c", "")]);
        assert!(whole_fires("H18", &whole, &[], &asked).is_empty());
    }

    #[test]
    fn h18_above() {
        let (whole, asked) = judged(&[("run_b", "triage"), ("run_a", "triage")]);
        let found = whole_fires("H18", &whole, &[], &asked);
        assert_eq!(found[0].what, "Baseline triage is used by 2 runs: run_a and run_b.");
        assert_eq!((&*found[0].measured, found.len()), ("2", 1));
    }
}
