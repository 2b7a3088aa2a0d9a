//! One intent as hazard rules see it: its rows, with what is read again at their places.

use std::collections::HashMap;
use std::hash::BuildHasher;

use foldhash::fast::RandomState;

use crate::judge::calls::class_of;
use crate::judge::facts::{Facts, Receipt, Row};
use crate::judge::hazards::facts::{Call, Change, Intent, Landed, Look, Recorded, World};
use crate::judge::hazards::plain::pairs;
use crate::model::money::{Amount, Money};
use crate::model::outcome::Class;
use crate::model::row::{At, Relation, Seen, Shared, Status, attempt_flag, effect_flag, record_flag};
use crate::model::time::{Micros, Zone, parse_time};
use crate::model::units::Unit;

use super::super::brief::{business_of, is_read};
use super::super::case::Case;
use super::super::desk::{Desk, key_of};
use super::super::resolve::{NameKind, name_kind};
use super::super::setting::default;

/// From here on amounts are of high value for the guards, where no limit is set (`1-model.md` 1.4.14): major units.
const HIGH_VALUE: i64 = 500;
/// The same for currencies without decimals.
const HIGH_VALUE_WHOLE: i64 = 50_000;

/// A call that reads: when it was sent, its place, its tool, what it was told.
type Read = (Micros, At, Shared, Class);

/// Calls of tools that only read, by run and business id: they look at an intent that they do not name.
#[derive(Debug, Default)]
pub struct Reads {
    state: RandomState,
    by: HashMap<u64, Vec<Read>, RandomState>,
}

impl Reads {
    /// Of a case.
    pub fn new(case: &Case) -> Self {
        let mut reads = Self::default();
        for run in &case.runs {
            for row in run.attempts.all() {
                if row.is(attempt_flag::DROPPED)
                    || !row.run.is_some()
                    || !row.business.is_some()
                    || !is_read(&case.setting, row.tool, row.flags)
                {
                    continue;
                }
                let class = class_of(row, case.setting.tool(row.tool), case.setting.now);
                let print = reads.print(row.run, run.text(row.business));
                reads.by.entry(print).or_default().push((row.sent, row.at, row.tool, class));
            }
        }
        reads
    }

    fn print(&self, run: Shared, business: &str) -> u64 {
        self.state.hash_one((run, business))
    }
}

/// A field of a record that was read again; empty where it has none.
fn field(fields: &[(String, String)], name: &str) -> String {
    fields.iter().find(|(n, _)| n == name).map(|(_, v)| v.clone()).unwrap_or_default()
}

fn some_time(at: Micros) -> Option<Micros> {
    (!at.is_none()).then_some(at)
}

/// Rows of live effects with their places, the first of each effect.
pub(super) fn live_rows<'f>(facts: &'f Facts<'_>) -> impl Iterator<Item = (usize, &'f Row<'f>)> {
    let mut seen = Vec::new();
    facts.rows.iter().enumerate().filter(move |(_, row)| {
        let live = row.row.status == Status::Live && !row.row.is(effect_flag::REVERSAL);
        let new = live && !seen.contains(&row.ident);
        if new {
            seen.push(row.ident);
        }
        new
    })
}

impl Case {
    /// An intent of the desk with everything that rules look at; `None` where nothing was written. `whole`: with all
    /// payloads, for who compares several intents.
    pub(super) fn hazard_intent(
        &self,
        desk: &Desk<'_>,
        no: usize,
        world: &World<'_>,
        reads: &Reads,
        whole: bool,
    ) -> Option<Intent> {
        let (facts, op) = (desk.facts(no)?, desk.op(no)?);
        let record = desk.recorded(no).into_iter().flatten().find(|(_, r)| r.flags & record_flag::FILE == 0);
        let calls = self.hazard_calls(desk, no, &facts);
        if calls.is_empty() && facts.states.is_empty() && facts.reads.is_empty() {
            return None;
        }
        let name = self.name_of(op);
        let of_record = |text: fn(&crate::model::row::Record) -> crate::model::row::Text| {
            record
                .as_ref()
                .and_then(|(r, record)| self.run(*r).map(|run| run.text(text(record))))
                .unwrap_or("")
        };
        let shown = self.shown(name);
        let by_id = name_kind(name).0 == NameKind::Operation;
        let intent_id = of_record(|r| r.intent_id);
        let tool = facts.tries.iter().find(|t| !is_read(&self.setting, t.row.tool, t.row.flags));
        // Only who compares several intents looks at it.
        let kind =
            if whole { self.hazard_kind(desk, no, tool.map_or(Shared::NONE, |t| t.row.tool)) } else { "" };
        let parent = of_record(|r| r.parent);
        let business = self
            .with_texts(|store| business_of(store, desk, no, &facts).map(str::to_owned))
            .unwrap_or_default();
        let mut intent = Intent {
            no: op.0,
            id: if intent_id.is_empty() { shown.clone() } else { intent_id.to_owned() },
            kind: kind.to_owned(),
            by_id: by_id || record.is_some(),
            looks: self.looks(desk, no, &facts, world, reads, &business),
            changes: self.changes(&facts),
            parent: record
                .as_ref()
                .filter(|_| !parent.is_empty())
                .map(|(_, record)| (parent.to_owned(), record.relation.unwrap_or(Relation::Replaces))),
            record: record.as_ref().map(|(r, record)| {
                let fields = self.places.fields(record.at);
                Recorded {
                    when: some_time(record.recorded),
                    key: self.run(*r).map(|run| run.text(record.key).to_owned()).unwrap_or_default(),
                    key_kind: field(&fields, "key_kind"),
                    key_origin: field(&fields, "key_origin"),
                    minted: some_time(parse_time(&field(&fields, "key_minted_at"), &Zone::Utc).at),
                    storage: field(&fields, "storage"),
                }
            }),
            landed: self.landed(desk, no, &facts),
            pairs: pairs(&facts, &self.setting).collect(),
            high_value: self.high_value(&calls, record.as_ref().map(|(_, record)| record)),
            business,
            calls,
        };
        let look_into = whole
            || intent.needs_arguments()
            || (world.records && intent.calls.iter().any(|c| intent.key_unrecorded(c)));
        if look_into {
            for call in &mut intent.calls {
                let fields = self.places.fields(call.at);
                call.arguments = self.places.arguments(call.at);
                call.turn = field(&fields, "turn");
            }
        }
        Some(intent)
    }

    fn hazard_calls(&self, desk: &Desk<'_>, no: usize, facts: &Facts<'_>) -> Vec<Call> {
        let writes = facts
            .tries
            .iter()
            .zip(desk.try_runs(no))
            .filter(|(t, _)| !is_read(&self.setting, t.row.tool, t.row.flags));
        (1u32..)
            .zip(writes)
            .map(|(number, (t, r))| {
                let row = t.row;
                let tool = self.setting.tool(row.tool);
                Call {
                    number,
                    at: row.at,
                    source: row.at.source(),
                    run: self.tables.run_ids.text(row.run).to_owned(),
                    tool: self.tables.tools.text(row.tool).to_owned(),
                    sent: row.sent(),
                    ended: row.ended(),
                    timeout: tool.map_or(default::TIMEOUT, |t| t.timeout),
                    outcome: row.outcome,
                    class: class_of(row, tool, self.setting.now),
                    key: String::from_utf8_lossy(key_of(&self.runs, *r, row)).into_owned(),
                    payload: t.payload,
                    arguments: None,
                    amount: row.amount().map(|amount| Money { unit: row.unit, amount }),
                    turn: String::new(),
                }
            })
            .collect()
    }

    /// Read-backs, and calls of reading tools that name the intent or, in one run with it, its order.
    fn looks(
        &self,
        desk: &Desk<'_>,
        no: usize,
        facts: &Facts<'_>,
        world: &World<'_>,
        reads: &Reads,
        business: &str,
    ) -> Vec<Look> {
        let mut looks: Vec<Look> = Vec::new();
        for (r, i) in desk.read_places(no) {
            let Some(run) = self.run(*r) else { continue };
            let Some(read) = run.reads.get(*i as usize) else { continue };
            let fields = self.places.fields(read.at);
            let source = run.text(read.source).to_owned();
            looks.push(Look {
                id: field(&fields, "id"),
                when: read.when,
                at: read.at,
                seen: read.seen,
                word: field(&fields, "result"),
                expected: field(&fields, "expected"),
                read: field(&fields, "read"),
                replayed: field(&fields, "replayed") == "true",
                write_path: world.asked.is_write_path(&source),
                source,
            });
        }
        let mut call = |when: Micros, at: At, tool: Shared, class: Class| {
            if looks.iter().any(|l| l.at == at) {
                return;
            }
            looks.push(Look {
                id: String::new(),
                when,
                at,
                source: self.tables.tools.text(tool).to_owned(),
                seen: if class.told_yes() { Seen::Present } else { Seen::Unreadable },
                word: class.word().to_owned() + " answer",
                expected: String::new(),
                read: String::new(),
                replayed: false,
                write_path: false,
            });
        };
        for t in facts.tries.iter().filter(|t| is_read(&self.setting, t.row.tool, t.row.flags)) {
            let class = class_of(t.row, self.setting.tool(t.row.tool), self.setting.now);
            call(t.row.sent, t.row.at, t.row.tool, class);
        }
        if !business.is_empty() && !reads.by.is_empty() {
            let mut runs: Vec<Shared> =
                facts.tries.iter().map(|t| t.row.run).filter(|r| r.is_some()).collect();
            runs.sort_unstable();
            runs.dedup();
            for run in runs {
                for (when, at, tool, class) in reads.by.get(&reads.print(run, business)).into_iter().flatten()
                {
                    call(*when, *at, *tool, *class);
                }
            }
        }
        looks.sort_by_key(|l| (l.when, l.at));
        looks
    }

    fn changes(&self, facts: &Facts<'_>) -> Vec<Change> {
        let change = |s: &crate::model::row::StateChange| {
            let fields = self.places.fields(s.at);
            Change {
                when: s.when,
                deadline: s.deadline,
                from: s.from,
                to: s.to,
                actor: field(&fields, "actor"),
                owner: field(&fields, "owner"),
            }
        };
        facts.states.iter().map(change).collect()
    }

    /// Live effects, each once.
    fn landed(&self, desk: &Desk<'_>, no: usize, facts: &Facts<'_>) -> Vec<Landed> {
        let places = desk.row_places(no);
        let landed = |(at, row): (usize, &Row<'_>)| {
            let named = |t: &crate::judge::facts::Try<'_>| matches!(t.receipt, Receipt::Row(no) if facts.rows.get(no as usize).is_some_and(|r| r.ident == row.ident));
            let run = places.get(at).and_then(|place| self.run(place.0));
            let id = run.map(|run| run.text(row.row.id)).filter(|id| !id.is_empty());
            Landed {
                id: id.map_or_else(|| format!("row {}", at + 1), str::to_owned),
                committed: row.row.committed(),
                acknowledged: facts.tries.iter().any(named),
            }
        };
        live_rows(facts).map(landed).collect()
    }

    fn high_value(&self, calls: &[Call], record: Option<&crate::model::row::Record>) -> bool {
        let recorded = record
            .filter(|r| r.flags & record_flag::TOTAL != 0)
            .map(|r| Money { unit: r.unit, amount: Amount { digits: r.amount, scale: r.scale } });
        let Some(money) = recorded.or(calls.iter().find_map(|c| c.amount)) else {
            return false;
        };
        let limit = self.setting.high_value_of(money.unit).or_else(|| self.usual_high_value(money.unit));
        limit.is_some_and(|limit| money.amount >= limit.amount)
    }

    /// The limit of a currency for which none is set; other units have none.
    fn usual_high_value(&self, unit: Unit) -> Option<Money> {
        let exponent = self.tables.units.exponent(unit).filter(|_| unit.is_iso())?;
        let digits = if exponent == 0 { HIGH_VALUE_WHOLE } else { HIGH_VALUE };
        Some(Money { unit, amount: Amount { digits, scale: 0 } })
    }
}
