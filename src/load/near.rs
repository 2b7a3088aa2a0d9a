//! Ids that are equal only after folding (`1-model.md` 1.5, near-identical ids).

use std::collections::HashMap;

use foldhash::fast::RandomState;

use crate::model::ids::{fold, may_fold};

use super::group::{Groups, Op};
use super::resolve::{NameKind, name_kind_of_bytes};
use super::run::{PARTS, Run};

/// Operations whose ids fold to one form, where at least one of them is an intent.
///
/// Two different ids can only meet if folding changes one of them, so only those are folded and kept; all others
/// are looked at once, as bytes.
pub fn near_identical(runs: &[Run], groups: &Groups) -> Vec<Vec<Op>> {
    let mut folded: HashMap<Vec<u8>, Vec<Op>, RandomState> = HashMap::default();
    for_each_operation(runs, groups, |op, bytes| {
        if may_fold(bytes) {
            let text = String::from_utf8_lossy(bytes);
            let form = fold(&text);
            if form.as_bytes() != bytes {
                folded.entry(form.into_owned().into_bytes()).or_default().push(op);
            }
        }
    });
    if folded.is_empty() {
        return Vec::new();
    }
    for_each_operation(runs, groups, |op, bytes| {
        if let Some(ops) = folded.get_mut(bytes) {
            ops.push(op);
        }
    });
    let mut sets: Vec<Vec<Op>> = folded
        .into_values()
        .filter(|ops| ops.len() > 1 && ops.iter().any(|op| groups.is_intent(*op)))
        .collect();
    for set in &mut sets {
        set.sort_unstable();
    }
    sets.sort_unstable();
    sets
}

fn for_each_operation(runs: &[Run], groups: &Groups, mut f: impl FnMut(Op, &[u8])) {
    for part in 0..PARTS {
        let Some(group) = groups.parts.get(part) else {
            continue;
        };
        for (no, (r, name)) in (0u32..).zip(&group.first) {
            let Some(run) = runs.get(*r as usize) else {
                continue;
            };
            let bytes = run.name_bytes(*name);
            if name_kind_of_bytes(bytes) == NameKind::Operation {
                f(groups.number(part, no), bytes);
            }
        }
    }
}
