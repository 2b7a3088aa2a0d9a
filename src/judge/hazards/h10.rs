//! H10, cost dominance. The only floating point of the program (`5-hazards.md` 5.0): the order of the operations is
//! part of the rule, and it has nothing to do with money.
#![allow(clippy::float_arithmetic, clippy::cast_precision_loss)]

use super::facts::{Run, World};
use super::found::Found;

/// What stands for a rest of nothing.
const FLOOR: f64 = 0.0001;

/// The tool with the most calls of a run, of any role.
pub fn run(run: &Run, world: &World<'_>) -> Vec<Found> {
    let setting = |key: &str| world.asked.limit("H10", key).parse::<f64>().unwrap_or(f64::INFINITY);
    let (least_ratio, least_share) = (setting("ratio"), setting("share"));
    let all: u64 = run.tools.values().map(|used| used.attempts).sum();
    // Of tools with equally many calls the first by name: none of them has more than half.
    let mut most: Option<(&str, u64)> = None;
    for (tool, used) in &run.tools {
        let own = used.attempts;
        if most.is_none_or(|(_, known)| own > known) {
            most = Some((tool, own));
        }
    }
    let Some((tool, own)) = most.filter(|(_, own)| *own >= world.asked.whole("H10", "spans")) else {
        return Vec::new();
    };
    let share = own as f64 / all as f64;
    let rest = (1.0 - share).max(FLOOR);
    let ratio = share / rest;
    if share <= least_share {
        return Vec::new();
    }
    let fires = ratio >= least_ratio;
    // The exact ratio is own / (all - own).
    let others = all - own;
    let exactly = others == 0 || own as f64 >= least_ratio * others as f64;
    let edge = fires != exactly;
    if !fires && !edge {
        return Vec::new();
    }
    let divisor = common(own, others);
    let mut found = Found::new(ratio.to_string(), least_ratio.to_string())
        .in_run(&run.id)
        .of_tool(tool)
        .seen(run.first)
        .with("tool", tool)
        .with("a", own.to_string())
        .with("n", all.to_string())
        .with("run", run.id.clone())
        .with("share", percent(own, all))
        .with("r", ratio.to_string())
        .with("p", (own / divisor).to_string())
        .with("q", (others / divisor).to_string());
    found.subjects = vec![run.id.clone()];
    found.fires = fires;
    found.edge = edge;
    vec![found]
}

/// A share in percent with one decimal, in whole numbers.
fn percent(part: u64, all: u64) -> String {
    let tenths = (u128::from(part) * 2000 + u128::from(all)) / (u128::from(all.max(1)) * 2);
    format!("{}.{} %", tenths / 10, tenths % 10)
}

fn common(a: u64, b: u64) -> u64 {
    if b == 0 { a.max(1) } else { common(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::super::found::Status;
    use super::super::sample::{run, run_fires, run_only};

    #[test]
    fn h10_below() {
        let six_three = run_fires("H10", &run("run_cost1", &[("a", 6, 6), ("b", 3, 3)]));
        assert_eq!(six_three.len(), 1);
        assert_eq!((six_three[0].status, six_three[0].edge), (Status::Quiet, true));
        assert_eq!(six_three[0].measured, "1.9999999999999998");
        assert_eq!(
            six_three[0].what,
            "a has 6 of 9 calls in run_cost1 (66.7 %); ratio 1.9999999999999998, exactly 2/1."
        );
        // Two calls are too few, and half is not more than half.
        assert!(run_fires("H10", &run("run_1", &[("a", 2, 2)])).is_empty());
        assert!(run_fires("H10", &run("run_1", &[("a", 3, 3), ("b", 3, 3)])).is_empty());
    }

    #[test]
    fn h10_above() {
        let seven_two = run_only("H10", &run("run_cost2", &[("a", 7, 7), ("b", 2, 2)]));
        assert_eq!((&*seven_two.measured, &*seven_two.threshold), ("3.5000000000000004", "2"));
        assert!(!seven_two.edge);
        assert_eq!(run_only("H10", &run("run_1", &[("a", 3, 3)])).measured, "10000");
    }

    #[test]
    fn one_call_moved_over_the_edge_fires() {
        assert_eq!(run_only("H10", &run("run_cost1", &[("a", 7, 7), ("b", 2, 2)])).status, Status::Firing);
        assert!(run_fires("H10", &run("run_cost1", &[("a", 5, 5), ("b", 4, 4)])).is_empty());
    }
}
