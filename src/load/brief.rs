//! Briefs: what accounts, suggestions, declared joins and lineage need of an intent.

use std::collections::{HashMap, HashSet};

use foldhash::fast::RandomState;

use crate::judge::facts::{Facts, Setting};
use crate::judge::judge;
use crate::judge::judgement::Judgement;
use crate::model::kinds::kind_of;
use crate::model::money::{Amount, Money};
use crate::model::row::{At, Name, Shared, Text, attempt_flag, record_flag};
use crate::model::time::Micros;
use crate::model::units::Unit;

use super::desk::{Desk, Only, Store};
use super::group::Op;
use super::resolve::{NameKind, name_kind};
use super::tables::Tables;

/// An intent, as far as its order is concerned.
#[derive(Clone, Debug)]
pub struct Brief {
    /// The intent.
    pub op: Op,
    /// Business id of its order.
    pub business: String,
    /// Kind.
    pub kind: String,
    /// Tool of its first write.
    pub tool: Shared,
    /// It carries an operation id.
    pub has_operation: bool,
    /// Unit of its calls or expectation.
    pub unit: Unit,
    /// Amounts of its calls and its expected total.
    pub amounts: Vec<Amount>,
    /// First send, and the last end with settle; [`Micros::NONE`] without times.
    pub from: Micros,
    /// See `from`.
    pub to: Micros,
    /// First send.
    pub first_sent: Micros,
    /// When it first lost an answer: the end of that call, else its send.
    pub lost_at: Micros,
    /// Keys that it was sent with.
    pub has_key: bool,
    /// Judged by itself, before ties.
    pub judgement: Judgement,
    /// Calls.
    pub tried: u32,
    /// First place that speaks of it.
    pub at: Option<At>,
}

/// Business ids that are looked for among those of all rows.
pub struct Asked<'a> {
    wanted: &'a HashSet<Vec<u8>, RandomState>,
    /// A small bitmap keeps almost every row from the look-up by bytes.
    bits: Vec<u64>,
}

impl<'a> Asked<'a> {
    /// These.
    pub fn new(wanted: &'a HashSet<Vec<u8>, RandomState>) -> Self {
        let mut bits = vec![0u64; 1024];
        for business in wanted {
            let p = Self::print(business);
            bits[p / 64] |= 1 << (p % 64);
        }
        Self { wanted, bits }
    }

    fn print(bytes: &[u8]) -> usize {
        let tail = bytes.last_chunk::<8>().map_or(bytes.len() as u64, |tail| u64::from_le_bytes(*tail));
        (tail.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 48) as usize
    }

    /// Whether this is one of them; none is not.
    #[inline]
    pub fn has(&self, bytes: &[u8]) -> bool {
        let p = Self::print(bytes);
        !bytes.is_empty() && self.bits[p / 64] & (1 << (p % 64)) != 0 && self.wanted.contains(bytes)
    }
}

/// Briefs of all intents that a filter of business ids names; one desk per partition.
pub fn briefs(
    store: &Store<'_>,
    setting: &Setting,
    tables: &Tables,
    wanted: &HashSet<Vec<u8>, RandomState>,
    threads: usize,
) -> Vec<Brief> {
    if wanted.is_empty() {
        return Vec::new();
    }
    let asked = Asked::new(wanted);
    let parts = super::each_part(threads, |part| {
        let Some(group) = store.groups.parts.get(part) else {
            return Vec::new();
        };
        let mut ops: Vec<u32> = Vec::new();
        for (r, run) in store.runs.iter().enumerate() {
            let of = group.of_run(r);
            let first = run.names_of(part).start;
            // Rows of one operation mostly share the text of its first row.
            let mut looked_at = vec![Text::NONE; of.len()];
            let mut take = |name: Name, business: Text| {
                let name = name.0.wrapping_sub(first) as usize;
                if let (Some(op), Some(before)) = (of.get(name), looked_at.get_mut(name))
                    && std::mem::replace(before, business) != business
                    && asked.has(run.bytes(business))
                {
                    ops.push(*op);
                }
            };
            run.attempts.part(part).iter().for_each(|a| take(a.name, a.business));
            run.records.part(part).iter().for_each(|a| take(a.name, a.business));
            run.effects.part(part).iter().for_each(|a| take(a.name, a.business));
        }
        let on_this = store.groups.number(part, 0)..store.groups.number(part, group.len() as u32);
        ops.extend(store.links.extra.range(on_this).map(|(op, _)| store.groups.place(*op).1));
        ops.sort_unstable();
        ops.dedup();
        if ops.is_empty() {
            return Vec::new();
        }
        let desk = Desk::new(store, part, Only::These(&ops));
        (0..desk.len()).filter_map(|no| brief(store, setting, tables, &desk, no, wanted)).collect()
    });
    let mut all: Vec<Brief> = parts.into_iter().flatten().collect();
    // By first send, then by place: nothing may depend on partitions.
    all.sort_by_key(|b| (b.first_sent, b.at, b.op));
    all
}

fn brief(
    store: &Store<'_>,
    setting: &Setting,
    tables: &Tables,
    desk: &Desk,
    no: usize,
    wanted: &HashSet<Vec<u8>, RandomState>,
) -> Option<Brief> {
    let (facts, op) = (desk.facts(no)?, desk.op(no)?);
    let business = business_of(store, desk, no, &facts)?;
    if !wanted.contains(business.as_bytes()) {
        return None;
    }
    let (r, name) = store.groups.first(op)?;
    let (name_kind, operation) = name_kind(store.runs.get(r as usize)?.name(name));
    let has_operation = name_kind == NameKind::Operation;
    let recorded = desk.recorded(no);
    let recorded_kind = recorded
        .iter()
        .rev()
        .flatten()
        .filter_map(|(r, record)| store.runs.get(*r as usize).map(|run| run.text(record.kind)))
        .find(|k| !k.is_empty())
        .unwrap_or_default();
    let writes = || facts.tries.iter().filter(|t| !is_read(setting, t.row.tool, t.row.flags));
    let tool = writes().next().map_or(Shared::NONE, |t| t.row.tool);
    let judgement = judge(&facts, setting);
    let mut amounts: Vec<Amount> = Vec::new();
    let mut unit = Unit::NONE;
    let mut take = |money: Money| {
        if unit == Unit::NONE {
            unit = money.unit;
        }
        if !amounts.contains(&money.amount) {
            amounts.push(money.amount);
        }
    };
    for t in writes() {
        if let Some(amount) = t.row.amount() {
            take(Money { unit: t.row.unit, amount });
        }
    }
    if let Some(total) = judgement.expected {
        take(total);
    }
    let mut brief = Brief {
        op,
        business: business.to_owned(),
        kind: kind_of(recorded_kind, if has_operation { operation } else { "" }, tables.tools.text(tool))
            .to_owned(),
        tool,
        has_operation,
        unit,
        amounts,
        from: Micros::NONE,
        to: Micros::NONE,
        first_sent: Micros::NONE,
        lost_at: Micros::NONE,
        has_key: writes().any(|t| t.key != 0),
        judgement,
        tried: writes().count() as u32,
        at: facts.tries.iter().map(|t| t.row.at).chain(recorded.iter().flatten().map(|(_, r)| r.at)).min(),
    };
    for t in writes() {
        // Where only the end is written down, it was sent before that.
        let sent = if t.row.sent().is_none() { t.row.ended() } else { t.row.sent() };
        let tool = setting.tool(t.row.tool);
        let settle = tool.map_or(0, |t| t.settle);
        let timeout = tool.map_or(0, |t| t.timeout);
        if sent.at == Micros::NONE {
            continue;
        }
        let ended = t.row.ended();
        let end = if ended.at == Micros::NONE { sent.end().0 + timeout } else { ended.end().0 };
        let to = Micros(end + settle);
        if brief.from == Micros::NONE || sent.begin() < brief.from {
            brief.from = sent.begin();
        }
        if brief.to == Micros::NONE || to > brief.to {
            brief.to = to;
        }
        if brief.first_sent == Micros::NONE || sent.at < brief.first_sent {
            brief.first_sent = sent.at;
        }
        // A call without an end lost its answer at some time after it was sent.
        if t.row.outcome.class(false).unsettled() && brief.lost_at == Micros::NONE {
            brief.lost_at = if ended.at == Micros::NONE { sent.at } else { ended.at };
        }
    }
    Some(brief)
}

/// Whether an attempt only reads.
pub fn is_read(setting: &Setting, tool: Shared, flags: u16) -> bool {
    flags & attempt_flag::READ != 0 || setting.tool(tool).is_some_and(|t| t.read)
}

/// The business id of an intent: of its records, its calls, or lent by a linked row.
pub fn business_of<'s>(store: &Store<'s>, desk: &Desk, no: usize, facts: &Facts<'_>) -> Option<&'s str> {
    let run = |r: u32| store.runs.get(r as usize);
    let recorded = desk.recorded(no).into_iter().rev().flatten();
    let of_records = recorded.filter_map(|(r, record)| run(r).map(|run| run.text(record.business)));
    let of_calls = facts.tries.iter().zip(desk.try_runs(no));
    let of_calls = of_calls.filter_map(|(t, r)| run(*r).map(|run| run.text(t.row.business)));
    let of_rows = facts.rows.iter().zip(desk.row_places(no));
    let of_rows = of_rows.filter_map(|(row, place)| run(place.0).map(|run| run.text(row.row.business)));
    of_records.chain(of_calls).chain(of_rows).find(|b| !b.is_empty())
}

impl Brief {
    /// The intent's window with the skew of the callers' clocks; `None` without times.
    pub fn span(&self, setting: &Setting) -> super::order::Span {
        let skew = setting.client_skew;
        (self.from != Micros::NONE)
            .then(|| (self.from.0.saturating_sub(skew), self.to.0.saturating_add(skew)))
    }

    /// Sorting by kind: a row without one fits any.
    pub fn kind_fits(&self, row_kind: &str) -> bool {
        row_kind.is_empty() || crate::model::kinds::share_a_word(&self.kind, row_kind)
    }

    /// Its expectation comes from a record or a file that has no operation id.
    pub fn is_loose_expectation(flags: u8) -> bool {
        flags & record_flag::LOOSE != 0
    }
}

/// Briefs by business id.
pub fn by_business(briefs: &[Brief]) -> HashMap<&str, Vec<usize>, RandomState> {
    let mut map: HashMap<&str, Vec<usize>, RandomState> = HashMap::default();
    for (i, brief) in briefs.iter().enumerate() {
        map.entry(brief.business.as_str()).or_default().push(i);
    }
    map
}
