//! Before grouping: every identity becomes an operation id (`engine.md` 5).
//!
//! Halves of calls are joined, rows that name only an intent id are translated, calls without an operation id are
//! grouped (`1-model.md` 1.4.10), and what came out is a *late* run beside the others.

use std::borrow::Cow;
use std::collections::HashMap;

use foldhash::fast::RandomState;

use crate::model::outcome::Outcome;
use crate::model::row::{At, Attempt, Name, Shared, Text, attempt_flag};
use crate::model::time::Micros;

use super::builder::Builder;
use super::reading::Reading;
use super::run::{LOOSE, Run};
use super::slice::{End, Loose, Problem, Slice};
use super::tickets::OrderExpectation;

/// Beginnings of names that stand for groups without an operation id.
pub mod synthetic {
    /// A group by key.
    pub const KEY: char = '\u{1}';
    /// A group by equal arguments: assumed.
    pub const ARGUMENTS: char = '\u{2}';
    /// A call with neither operation id nor key nor arguments: state NONE.
    pub const NOTHING: char = '\u{3}';
    /// An operation id that begins with one of these marks itself.
    pub const WRITTEN: char = '\u{4}';

    use crate::model::row::{At, SourceNo};

    /// A place inside such a name; it becomes a line number when it is shown.
    pub fn place(at: At) -> String {
        format!("{}#{}", at.source().0, at.place())
    }

    /// The name before the place, and the place.
    pub fn parse(name: &str) -> Option<(&str, At)> {
        let (tool, place) = name.rsplit_once('@')?;
        let (source, place) = place.split_once('#')?;
        Some((tool, At::new(SourceNo(source.parse().ok()?), place.parse().ok()?)))
    }
}

/// An operation id as it is stored: text from outside never meets the name of a group.
pub fn as_written(id: &str) -> Cow<'_, str> {
    match id.as_bytes().first() {
        Some(1..=4) => Cow::Owned(format!("{}{id}", synthetic::WRITTEN)),
        _ => Cow::Borrowed(id),
    }
}

/// What kind of name an operation has.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub enum NameKind {
    /// An operation id.
    #[default]
    Operation,
    /// A key.
    Key,
    /// Equal arguments.
    Arguments,
    /// Nothing at all.
    Nothing,
}

/// The kind of a name, and what to show of it.
pub fn name_kind(name: &str) -> (NameKind, &str) {
    for (mark, kind) in [
        (synthetic::KEY, NameKind::Key),
        (synthetic::ARGUMENTS, NameKind::Arguments),
        (synthetic::NOTHING, NameKind::Nothing),
        (synthetic::WRITTEN, NameKind::Operation),
    ] {
        if let Some(rest) = name.strip_prefix(mark) {
            return (kind, rest);
        }
    }
    (NameKind::Operation, name)
}

/// The kind of a name by its first byte.
pub fn name_kind_of_bytes(name: &[u8]) -> NameKind {
    match name.first() {
        Some(1) => NameKind::Key,
        Some(2) => NameKind::Arguments,
        Some(3) => NameKind::Nothing,
        _ => NameKind::Operation,
    }
}

/// What came out of the slices.
#[derive(Debug, Default)]
pub struct Resolved {
    /// The runs; the last of them hold what was translated.
    pub runs: Vec<Run>,
    /// What files expect of whole orders.
    pub orders: Vec<OrderExpectation>,
    /// Calls of which only the end is known.
    pub strays: usize,
    /// Ends that tell something else than the one before them.
    pub conflicts: Vec<Problem>,
}

/// Turns slices into runs.
pub fn resolve(slices: &mut [Slice], cx: &Reading) -> Resolved {
    let mut conflicts = Vec::new();
    let strays = join_halves(slices, &mut conflicts);
    let strays = one_each(strays, &mut conflicts);
    let ends_only = strays.len();
    let mut late = Builder::new(cx);
    let aliases = Aliases::new(slices);
    translate(slices, &aliases, &mut late);
    let mut loose: Vec<(usize, Loose)> = Vec::new();
    for (s, slice) in slices.iter_mut().enumerate() {
        loose.extend(std::mem::take(&mut slice.loose).into_iter().map(|l| (s, l)));
    }
    group_loose(loose, slices, strays, cx, &mut late);
    let mut runs: Vec<Run> = slices.iter_mut().map(|s| std::mem::take(&mut s.run)).collect();
    if !late.is_empty() {
        runs.push(late.seal().run);
    }
    let orders = super::tickets::place(&mut runs, cx);
    Resolved { runs, orders, strays: ends_only, conflicts }
}

/// A call of which only ends are known is one call, however many of them there are.
fn one_each(ends: Vec<End>, conflicts: &mut Vec<Problem>) -> Vec<(End, Attempt)> {
    let mut calls: Vec<(End, Attempt)> = Vec::with_capacity(ends.len());
    let mut by_id: HashMap<String, usize, RandomState> = HashMap::default();
    for end in ends {
        if let Some((first, row)) = by_id.get(&end.id).and_then(|no| calls.get_mut(*no)) {
            if end.apply(row, Text::NONE) {
                conflicts.push(Problem { at: end.at, event: end.conflict() });
            }
            if first.receipt.is_empty() {
                (first.receipt, first.receipt_named) = (end.receipt, end.receipt_named);
            }
            if first.operation_id.is_empty() {
                first.operation_id = end.operation_id;
            }
        } else {
            by_id.insert(end.id.clone(), calls.len());
            let row = attempt_from_end(&end);
            calls.push((end, row));
        }
    }
    calls
}

/// Joins ends with beginnings of other slices; returns the ends that have none.
fn join_halves(slices: &mut [Slice], conflicts: &mut Vec<Problem>) -> Vec<End> {
    let mut ends: Vec<End> = slices.iter_mut().flat_map(|s| std::mem::take(&mut s.ends)).collect();
    if ends.is_empty() {
        return ends;
    }
    ends.sort_by_key(|e| e.at);
    let mut starts: HashMap<Vec<u8>, (usize, At, bool), RandomState> = HashMap::default();
    for (s, slice) in slices.iter().enumerate() {
        for start in &slice.starts {
            let entry =
                starts.entry(slice.run.bytes(start.id).to_vec()).or_insert((s, start.at, start.loose));
            if start.at < entry.1 {
                *entry = (s, start.at, start.loose);
            }
        }
    }
    let mut places: HashMap<At, (usize, usize), RandomState> = HashMap::default();
    for (s, slice) in slices.iter().enumerate() {
        if !slice.starts.is_empty() {
            places.extend(slice.run.attempts.all().iter().enumerate().map(|(i, row)| (row.at, (s, i))));
        }
    }
    let loose_at: Vec<HashMap<At, usize, RandomState>> = slices
        .iter()
        .map(|slice| {
            if slice.starts.iter().any(|start| start.loose) {
                slice.loose.iter().enumerate().map(|(i, l)| (l.row.at, i)).collect()
            } else {
                HashMap::default()
            }
        })
        .collect();
    let mut strays = Vec::new();
    for end in ends {
        let Some((s, at, loose)) = starts.get(end.id.as_bytes()).copied().filter(|_| !end.id.is_empty())
        else {
            strays.push(end);
            continue;
        };
        let Some(slice) = slices.get_mut(s) else { continue };
        let receipt = match end.receipt.as_str() {
            "" => Text::NONE,
            text => super::run::push_text(&mut slice.run.more, text),
        };
        let row = if loose {
            let place = loose_at.get(s).and_then(|places| places.get(&at)).copied();
            place.and_then(|i| slice.loose.get_mut(i)).map(|l| &mut l.row)
        } else {
            places.get(&at).copied().and_then(|(_, i)| slice.run.attempts.get_mut(i))
        };
        match row {
            Some(row) => {
                if end.apply(row, receipt) {
                    conflicts.push(Problem { at: end.at, event: end.conflict() });
                }
            }
            None => strays.push(end),
        }
    }
    strays
}

/// Intent id -> operation id, from the records; built only where something needs it.
struct Aliases(HashMap<String, String, RandomState>);

impl Aliases {
    fn new(slices: &[Slice]) -> Self {
        let needed = slices.iter().any(|s| {
            !s.run.states.part(LOOSE).is_empty() || !s.run.reads.part(LOOSE).is_empty() || s.by_intent_id
        });
        let mut map: HashMap<String, (At, String), RandomState> = HashMap::default();
        for run in slices.iter().map(|s| &s.run).filter(|_| needed) {
            for record in run.records.all().iter().filter(|r| r.intent_id.is_some() && r.name.is_some()) {
                let entry = (record.at, run.name(record.name).to_owned());
                let known = map.entry(run.text(record.intent_id).to_owned()).or_insert_with(|| entry.clone());
                if entry.0 < known.0 {
                    *known = entry;
                }
            }
        }
        Self(map.into_iter().map(|(id, (_, name))| (id, name)).collect())
    }

    fn name<'a>(&'a self, intent_id: &'a str) -> Cow<'a, str> {
        self.0.get(intent_id).map_or_else(|| as_written(intent_id), |name| Cow::Borrowed(name.as_str()))
    }
}

/// Puts rows that name only an intent id under their operation id.
fn translate(slices: &mut [Slice], aliases: &Aliases, late: &mut Builder<'_>) {
    for slice in slices.iter_mut() {
        let run = &slice.run;
        for change in run.states.part(LOOSE).iter().filter(|c| c.intent_id.is_some()) {
            late.adopt_state(*change, &aliases.name(run.text(change.intent_id)), run);
        }
        for read in run.reads.part(LOOSE).iter().filter(|r| r.intent_id.is_some()) {
            late.adopt_read(*read, &aliases.name(run.text(read.intent_id)), run);
        }
        let mut moved = Vec::new();
        let calls = if slice.by_intent_id { run.attempts.all() } else { &[] };
        for (i, row) in calls.iter().enumerate().filter(|(_, a)| a.is(attempt_flag::BY_INTENT_ID)) {
            let given = run.name(row.name);
            let name = aliases.name(name_kind(given).1);
            if name != given {
                late.adopt_attempt(*row, &name, run);
                moved.push(i);
            }
        }
        for i in moved {
            if let Some(row) = slice.run.attempts.get_mut(i) {
                row.flags |= attempt_flag::DROPPED;
                row.id = 0;
            }
        }
        if slice.by_intent_id {
            slice.run.use_again();
        }
    }
}

/// Calls by run, tool and arguments.
type ByArguments = HashMap<(Shared, Shared, String), Vec<usize>, RandomState>;

struct LooseGroup {
    name: String,
    /// Its newest call ended without an answer.
    lost: bool,
}

/// Groups calls that carry no operation id (`1-model.md` 1.4.10): equal key, else equal run, tool and arguments.
/// A call under another key joins a group only after one that ended without an answer.
fn group_loose(
    mut loose: Vec<(usize, Loose)>,
    slices: &[Slice],
    strays: Vec<(End, Attempt)>,
    cx: &Reading,
    late: &mut Builder<'_>,
) {
    for (end, row) in strays {
        late.adopt_end(&end, row, &format!("{}{}", synthetic::NOTHING, end.id), cx);
    }
    if loose.is_empty() {
        return;
    }
    loose.sort_by_key(|(_, l)| (l.row.sent, l.row.at));
    let keys: HashMap<&str, (usize, Name), RandomState> = keys_of_named(slices, &loose);
    let mut groups: Vec<LooseGroup> = Vec::new();
    let mut by_key: HashMap<String, usize, RandomState> = HashMap::default();
    let mut by_arguments: ByArguments = HashMap::default();
    for (s, call) in &loose {
        let Some(slice) = slices.get(*s) else { continue };
        let mut row = call.row;
        if let Some((named_in, name)) = call.key.as_deref().and_then(|k| keys.get(k)) {
            if let Some(named) = slices.get(*named_in) {
                late.adopt_attempt(row, named.run.name(*name), &slice.run);
            }
            continue;
        }
        let arguments = call.args.clone().map(|args| (row.run, row.tool, args));
        let same = arguments.as_ref().and_then(|a| by_arguments.get(a)).and_then(|g| g.last()).copied();
        let lost_before = same.filter(|g| groups.get(*g).is_some_and(|g| g.lost));
        let found = match &call.key {
            Some(key) => by_key.get(key).copied().or(lost_before),
            None => same,
        };
        let group = found.unwrap_or_else(|| {
            let name = match (&call.key, &arguments) {
                (Some(key), _) => format!("{}{key}", synthetic::KEY),
                (None, Some(_)) => {
                    let tool = cx.tables.with(|t| t.tools.text(row.tool).to_owned());
                    format!("{}{tool}@{}", synthetic::ARGUMENTS, synthetic::place(row.at))
                }
                (None, None) => format!("{}@{}", synthetic::NOTHING, synthetic::place(row.at)),
            };
            groups.push(LooseGroup { name, lost: false });
            groups.len() - 1
        });
        if let Some(arguments) = arguments {
            let known = by_arguments.entry(arguments).or_default();
            if known.last() != Some(&group) {
                known.push(group);
            }
        }
        if let Some(key) = &call.key {
            by_key.insert(key.clone(), group);
        }
        let Some(group) = groups.get_mut(group) else {
            continue;
        };
        group.lost = call.row.outcome.class(false).unsettled();
        if !group.name.starts_with(synthetic::NOTHING) && (call.key.is_none() || lost_before.is_some()) {
            row.flags |= attempt_flag::ASSUMED;
        }
        late.adopt_attempt(row, &group.name, &slice.run);
    }
}

/// Keys of calls that do carry an operation id, as far as calls without one use them.
fn keys_of_named<'a>(
    slices: &'a [Slice],
    loose: &[(usize, Loose)],
) -> HashMap<&'a str, (usize, Name), RandomState> {
    let wanted: std::collections::HashSet<&str> =
        loose.iter().filter_map(|(_, l)| l.key.as_deref()).collect();
    let mut keys: HashMap<&str, (At, usize, Name), RandomState> = HashMap::default();
    if wanted.is_empty() {
        return HashMap::default();
    }
    for (s, slice) in slices.iter().enumerate() {
        for row in slice.run.attempts.all() {
            let key = if row.is(attempt_flag::KEY_IS_NAME) {
                slice.run.name(row.name)
            } else {
                slice.run.text(row.key)
            };
            if !key.is_empty() && wanted.contains(key) {
                let known = keys.entry(key).or_insert((row.at, s, row.name));
                if row.at < known.0 {
                    *known = (row.at, s, row.name);
                }
            }
        }
    }
    keys.into_iter().map(|(key, (_, s, name))| (key, (s, name))).collect()
}

/// An attempt of which only the end is known (`1-model.md` 1.4.3): unknown start.
fn attempt_from_end(end: &End) -> Attempt {
    Attempt {
        sent: Micros::NONE,
        ended: end.ended.at,
        amount: 0,
        payload: 0,
        id: 0,
        at: end.at,
        name: Name::NONE,
        key: Text::NONE,
        business: Text::NONE,
        party: Text::NONE,
        receipt: Text::NONE,
        decision: 0,
        end_after: 0,
        run: Shared::NONE,
        tool: end.tool,
        part: Shared::NONE,
        unit: crate::model::units::Unit::NONE,
        scale: 0,
        sent_res: crate::model::time::Instant::NONE.res,
        ended_res: end.ended.res,
        outcome: if end.outcome == Outcome::Missing { Outcome::NoRecord } else { end.outcome },
        flags: if end.receipt_named { attempt_flag::RECEIPT_NAMED } else { 0 },
    }
}
