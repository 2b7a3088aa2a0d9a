//! Ids that are equal only after folding (`1-model.md` 1.5, near-identical ids).

use std::borrow::Cow;
use std::collections::HashMap;

use foldhash::fast::RandomState;

use crate::model::ids::{fold, may_fold};
use crate::model::row::{Name, attempt_flag, effect_flag};

use super::desk::key_of;
use super::group::{Groups, Op};
use super::join::LooseRow;
use super::repeats::Place;
use super::resolve::{NameKind, name_kind};
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

/// A row, and its key.
type Keyed<'a> = (&'a LooseRow, &'a [u8]);

/// Rows that are not linked, with a key that is equal to one of an intent only after folding. A row that names another
/// operation is that one's, whatever its key.
pub fn near_keys(runs: &[Run], groups: &Groups, loose: &[LooseRow]) -> Vec<(Op, Place)> {
    let form =
        |key: &[u8]| may_fold(key).then(|| fold(&String::from_utf8_lossy(key)).into_owned().into_bytes());
    let key_of_row = |row: &LooseRow| {
        let run = runs.get(row.place.0 as usize)?;
        let key = if row.row.is(effect_flag::KEY_IS_NAME) {
            run.name_bytes(row.row.name)
        } else {
            run.bytes(row.row.key)
        };
        (!key.is_empty()).then_some(key)
    };
    // By the form of its key, each with the key as it stands.
    let mut rows: HashMap<Cow<'_, [u8]>, Vec<Keyed<'_>>, RandomState> = HashMap::default();
    for row in loose {
        if let Some(key) = key_of_row(row) {
            let form = form(key).map_or(Cow::Borrowed(key), Cow::Owned);
            rows.entry(form).or_default().push((row, key));
        }
    }
    if rows.is_empty() {
        return Vec::new();
    }
    let mut found = Vec::new();
    let mut meet = |key: &[u8], r: usize, name: Name| {
        if key.is_empty() {
            return;
        }
        let form = form(key);
        for (row, other) in rows.get(form.as_deref().unwrap_or(key)).into_iter().flatten() {
            let Some(op) = groups.of(runs, r, name).filter(|op| *other != key && groups.is_intent(*op))
            else {
                continue;
            };
            let named = groups.first(op).and_then(|(r, name)| Some(runs.get(r as usize)?.name(name)));
            let named = named.is_some_and(|name| name_kind(name).0 == NameKind::Operation);
            if !(named && row.row.name.is_some() && !row.row.is(effect_flag::KEY_IS_NAME)) {
                found.push((op, row.place));
            }
        }
    };
    for (r, run) in runs.iter().enumerate() {
        for call in run.attempts.all().iter().filter(|a| !a.is(attempt_flag::DROPPED)) {
            meet(key_of(runs, r as u32, call), r, call.name);
        }
        for record in run.records.all() {
            meet(run.bytes(record.key), r, record.name);
        }
    }
    found.sort_unstable();
    found.dedup();
    found
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
