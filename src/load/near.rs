//! Ids that are equal only after folding (`1-model.md` 1.5, near-identical ids).

use std::collections::HashMap;

use foldhash::fast::RandomState;

use crate::model::ids::{fold, may_fold};

use super::group::{Groups, Op};
use super::resolve::{NameKind, name_kind};
use super::run::{PARTS, Run};

/// Operations whose ids fold to one form, where at least one of them is an intent.
///
/// Two different ids can only meet if folding changes one of them, so only those are folded and kept; all others
/// are looked at once, as bytes.
pub fn near_identical(runs: &[Run], groups: &Groups) -> Vec<Vec<Op>> {
    let mut folded: HashMap<String, Vec<Op>, RandomState> = HashMap::default();
    let each = |mut f: Box<dyn FnMut(Op, &str) + '_>| {
        for part in 0..PARTS {
            let Some(group) = groups.parts.get(part) else { continue };
            for (no, (r, name)) in (0u32..).zip(&group.first) {
                let Some(run) = runs.get(*r as usize) else { continue };
                let text = run.name(*name);
                if name_kind(text).0 == NameKind::Operation {
                    f(groups.number(part, no), text);
                }
            }
        }
    };
    each(Box::new(|op, text| {
        if may_fold(text) {
            let form = fold(text);
            if form != text {
                folded.entry(form.into_owned()).or_default().push(op);
            }
        }
    }));
    if folded.is_empty() {
        return Vec::new();
    }
    each(Box::new(|op, text| {
        if let Some(ops) = folded.get_mut(text) {
            ops.push(op);
        }
    }));
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
