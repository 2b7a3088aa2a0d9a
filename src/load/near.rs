//! Ids that are equal only after folding (`1-model.md` 1.5, near-identical ids).

use std::collections::HashMap;

use foldhash::fast::RandomState;

use crate::model::ids::{fold, may_fold};

use super::group::{Groups, Op};
use super::resolve::NameKind;
use super::run::{PARTS, Run};

/// Operations whose ids fold to one form, where at least one of them is an intent.
///
/// Two different ids can only meet if folding changes one of them, so only those are folded and kept; all others
/// are looked at once, as bytes.
pub fn near_identical(runs: &[Run], groups: &Groups, threads: usize) -> Vec<Vec<Op>> {
    let changed = super::each_part(threads, |part| {
        let mut folded = Vec::new();
        for_each_operation(runs, groups, part, |op, bytes| {
            if may_fold(bytes) {
                let text = String::from_utf8_lossy(bytes);
                let form = fold(&text);
                if form.as_bytes() != bytes {
                    folded.push((form.into_owned().into_bytes(), op));
                }
            }
        });
        folded
    });
    let mut folded: HashMap<Vec<u8>, Vec<Op>, RandomState> = HashMap::default();
    for (form, op) in changed.into_iter().flatten() {
        folded.entry(form).or_default().push(op);
    }
    if folded.is_empty() {
        return Vec::new();
    }
    for part in 0..PARTS {
        for_each_operation(runs, groups, part, |op, bytes| {
            if let Some(ops) = folded.get_mut(bytes) {
                ops.push(op);
            }
        });
    }
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

fn for_each_operation(runs: &[Run], groups: &Groups, part: usize, mut f: impl FnMut(Op, &[u8])) {
    let Some(group) = groups.parts.get(part) else {
        return;
    };
    for (no, ((r, name), kind)) in (0u32..).zip(group.first.iter().zip(&group.kinds)) {
        if let Some(run) = runs.get(*r as usize).filter(|_| *kind == NameKind::Operation) {
            f(groups.number(part, no), run.name_bytes(*name));
        }
    }
}
