//! H09, retry storm.

use super::facts::{Run, World};
use super::fill::list;
use super::found::Found;

/// Attempts beyond the first of each operation or set of arguments, over all tools of a run. Whether they succeeded
/// does not matter.
pub fn run(run: &Run, world: &World<'_>) -> Vec<Found> {
    let limit = world.asked.whole("H09", "retries");
    let (mut retries, mut succeeded) = (0_u64, 0_u64);
    let mut tools = Vec::new();
    for (tool, used) in &run.tools {
        if used.retries > 0 {
            tools.push(format!("{tool} {}", used.retries));
        }
        retries += used.retries;
        succeeded += used.ok;
    }
    if retries < limit || retries == 0 {
        return Vec::new();
    }
    let mut found = Found::new(retries.to_string(), limit.to_string())
        .in_run(&run.id)
        .seen(run.first)
        .with("n", retries.to_string())
        .with("run", run.id.clone())
        .with("tools", list(&tools))
        .with("s", succeeded.to_string());
    found.subjects = vec![run.id.clone()];
    vec![found]
}

#[cfg(test)]
mod tests {
    use super::super::sample::{run, run_fires, run_only};

    #[test]
    fn h09_below() {
        assert!(run_fires("H09", &run("run_1", &[("fetch", 5, 4)])).is_empty());
        // Each with arguments of its own is no retry.
        let apart: Vec<(&str, u64, u64)> = vec![("fetch", 1, 0); 20];
        assert!(run_fires("H09", &run("run_1", &apart)).is_empty());
    }

    #[test]
    fn h09_above() {
        assert_eq!(run_only("H09", &run("run_1", &[("fetch", 6, 5)])).measured, "5");
        assert_eq!(run_only("H09", &run("run_1", &[("fetch", 6, 0)])).measured, "5");
        let storm = run_only("H09", &run("run_storm", &[("fetch", 5, 3), ("search", 3, 2)]));
        assert_eq!(storm.what, "6 retries in run_storm: fetch 4 and search 2. 5 of them succeeded.");
    }

    #[test]
    fn h09_six_retries_with_five_successes_fire() {
        let storm = run_only("H09", &run("run_storm", &[("fetch", 7, 5)]));
        assert_eq!((&*storm.measured, &*storm.threshold), ("6", "5"));
        assert_eq!(storm.what, "6 retries in run_storm: fetch 6. 5 of them succeeded.");
    }
}
