//! Rows without an attempt (`1-model.md` 1.5): outside, unattributed, possible double outside. Facts, not verdicts.

use std::collections::{HashMap, HashSet};

use foldhash::fast::RandomState;

use crate::judge::facts::{Meaning, Setting};
use crate::model::kinds::KindWords;
use crate::model::money::{Money, Totals};
use crate::model::row::{Shared, SourceNo, Status, effect_flag};
use crate::model::time::Micros;

use super::account::in_window;
use super::join::LooseRow;
use super::repeats::{Place, nominate};
use super::run::Run;
use super::tables::Tables;

/// Rows of one operation id (or one row without any) that have no attempt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OrphanGroup {
    /// The rows, first in time first.
    pub rows: Vec<Place>,
    /// Two or more rows of one operation id or reference.
    pub possible_double: bool,
    /// At least one of them is in scope.
    pub unattributed: bool,
}

/// What is in scope.
#[derive(Clone, Debug, Default)]
pub struct Scope {
    /// Window of the traces with skew and settle; `None` without times.
    pub window: Option<(Micros, Micros)>,
    /// Kinds and tools of the intents, sorted.
    pub kinds: Vec<String>,
    /// Their words.
    pub words: KindWords,
    /// Partition values that calls carry.
    pub parts: HashSet<Shared, RandomState>,
    /// Only a part of the traces was asked for: from when to when.
    pub cut: Option<(Micros, Micros)>,
}

/// How rows without an attempt are grouped.
#[derive(Clone, Debug, Default)]
pub struct Apart {
    /// Possible doubles first, then single rows in order of time.
    pub groups: Vec<OrphanGroup>,
    /// Unattributed rows of sources that are not copies.
    pub unattributed: u64,
    /// Their totals.
    pub unattributed_totals: Totals,
    /// Rows outside, of sources that are not copies.
    pub outside: u64,
    /// Their totals.
    pub outside_totals: Totals,
    /// Per source: outside and unattributed.
    pub by_source: HashMap<SourceNo, (u64, u64), RandomState>,
    /// Per source: rows that may be an intent's, by its order, and rows in scope that cannot be read.
    pub open: HashMap<SourceNo, (u64, u64), RandomState>,
    /// Rows with an unreadable amount that may be in scope.
    pub unreadable_in_scope: HashSet<Place, RandomState>,
}

/// Sorts loose rows into the three groups. `near` names operation ids that are near-identical to an intent's; `open`
/// rows may be an intent's, and are counted there; the calls of `of_cut` rows were not asked for.
#[expect(clippy::too_many_arguments, reason = "each is one thing that is known of the case by now")]
pub fn sort_out(
    runs: &[Run],
    tables: &Tables,
    setting: &Setting,
    scope: &Scope,
    businesses: &HashSet<Vec<u8>, RandomState>,
    near: &HashSet<Place, RandomState>,
    open: &HashSet<Place, RandomState>,
    of_cut: &HashSet<Place, RandomState>,
    loose: &[LooseRow],
) -> Apart {
    let mut apart = Apart::default();
    let mut inside: HashSet<Place, RandomState> = HashSet::default();
    for row in loose {
        let source = row.row.at.source();
        let copy =
            setting.source(source).is_none_or(|s| matches!(s.meaning, Meaning::CopyOf(_)) && !s.counts);
        let may_be = open.contains(&row.place);
        let in_scope = may_be
            || !of_cut.contains(&row.place) && scope.holds(runs, tables, setting, businesses, near, row);
        let bad = row.row.is(effect_flag::AMOUNT_BAD);
        if in_scope && (may_be || bad) {
            // What cannot be read is a problem, not a row without an attempt.
            let counts = apart.open.entry(source).or_default();
            if bad {
                counts.1 += 1;
                apart.unreadable_in_scope.insert(row.place);
            } else {
                counts.0 += 1;
            }
            continue;
        }
        let counts = apart.by_source.entry(source).or_default();
        if in_scope {
            counts.1 += 1;
        } else {
            counts.0 += 1;
        }
        let amount = row.row.amount().map(|amount| Money { unit: row.row.unit, amount });
        if copy {
            continue;
        }
        let (count, totals) = if in_scope {
            inside.insert(row.place);
            (&mut apart.unattributed, &mut apart.unattributed_totals)
        } else {
            (&mut apart.outside, &mut apart.outside_totals)
        };
        *count += 1;
        if let Some(money) = amount.filter(|_| row.row.status == Status::Live) {
            totals.add(money);
        }
    }
    let not_copies: Vec<&LooseRow> = loose
        .iter()
        .filter(|r| !open.contains(&r.place) && !apart.unreadable_in_scope.contains(&r.place))
        .filter(|r| {
            !setting
                .source(r.row.at.source())
                .is_none_or(|s| matches!(s.meaning, Meaning::CopyOf(_)) && !s.counts)
        })
        .collect();
    apart.groups = group(runs, &not_copies, &inside);
    apart
}

impl Scope {
    fn holds(
        &self,
        runs: &[Run],
        tables: &Tables,
        setting: &Setting,
        businesses: &HashSet<Vec<u8>, RandomState>,
        near: &HashSet<Place, RandomState>,
        row: &LooseRow,
    ) -> bool {
        if row.row.is(effect_flag::FILTERED) {
            return false;
        }
        if near.contains(&row.place) {
            return true;
        }
        let Some(run) = runs.get(row.place.0 as usize) else {
            return false;
        };
        // Who tried what before and after the part that was asked for is not loaded.
        if self.cut.is_some() && row.row.committed != Micros::NONE && !in_window(&row.row, self.cut, setting)
        {
            return false;
        }
        let business = run.bytes(row.row.business);
        if !business.is_empty() && businesses.contains(business) {
            return true;
        }
        let part = tables.part(row.row.class);
        let kind = tables.kind(row.row.class);
        let generic = kind.is_empty() || kind.eq_ignore_ascii_case("effect");
        if !generic && !self.words.is_empty() && !self.words.share(kind) {
            return false;
        }
        if part.is_some() && !self.parts.is_empty() && !self.parts.contains(&part) {
            return false;
        }
        self.window.is_some()
            && row.row.committed != Micros::NONE
            && in_window(&row.row, self.window, setting)
    }
}

/// Groups by operation id, else by external reference; two or more rows are a possible double.
fn group(runs: &[Run], loose: &[&LooseRow], inside: &HashSet<Place, RandomState>) -> Vec<OrphanGroup> {
    let state = RandomState::default();
    let identity = |row: &LooseRow| {
        let run = runs.get(row.place.0 as usize)?;
        let name = run.name_bytes(row.row.name);
        let bytes = if name.is_empty() { run.bytes(row.row.external) } else { name };
        (!bytes.is_empty()).then_some(bytes)
    };
    let print = |bytes: &[u8]| super::builder::hash_with(&state, bytes).max(1);
    let counted = |r: &LooseRow| r.row.status == Status::Live && !r.row.is(effect_flag::REVERSAL);
    let prints: Vec<u64> =
        loose.iter().filter(|r| counted(r)).filter_map(|r| identity(r).map(print)).collect();
    let twice = nominate(&[prints], 1);
    let mut groups: Vec<OrphanGroup> = Vec::new();
    let mut by_identity: HashMap<&[u8], usize, RandomState> = HashMap::default();
    for row in loose {
        let in_scope = inside.contains(&row.place);
        let id = identity(row).filter(|id| counted(row) && twice.binary_search(&print(id)).is_ok());
        let known = id.and_then(|id| by_identity.get(id).copied());
        match (known, id) {
            (Some(no), _) => {
                if let Some(group) = groups.get_mut(no) {
                    group.rows.push(row.place);
                    group.unattributed |= in_scope;
                    group.possible_double = true;
                }
            }
            (None, Some(id)) => {
                by_identity.insert(id, groups.len());
                groups.push(OrphanGroup {
                    rows: vec![row.place],
                    possible_double: false,
                    unattributed: in_scope,
                });
            }
            (None, None) if in_scope => {
                groups.push(OrphanGroup {
                    rows: vec![row.place],
                    possible_double: false,
                    unattributed: true,
                });
            }
            (None, None) => {}
        }
    }
    groups.retain(|g| g.possible_double || g.unattributed);
    // By time, then by id: nothing depends on where a row stands, as long as that tells them apart.
    let by_time = |place: &Place| {
        let run = runs.get(place.0 as usize);
        let row = run.and_then(|run| run.effects.get(place.1 as usize));
        row.zip(run).map(|(row, run)| (row.committed, run.bytes(row.id), run.name_bytes(row.name), row.at))
    };
    for group in &mut groups {
        group.rows.sort_by_key(by_time);
    }
    groups.sort_by_key(|g| (!g.possible_double, g.rows.first().and_then(by_time)));
    groups
}
