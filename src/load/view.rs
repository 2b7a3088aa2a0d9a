//! One intent with all its texts: rows from the runs, the rest read again at its place.

use crate::judge::facts::{Account, Facts, Idempotent, Meaning};
use crate::judge::findings::{AMOUNT_CHANGED, FINDINGS, number};
use crate::judge::judge;
use crate::judge::judgement::Judgement;
use crate::judge::reduce::reduce;
use crate::judge::view::{AccountView, IntentView, ReadBackView, Standing, StateView};
use crate::model::kinds::kind_of;
use crate::model::money::{Amount, Money, Totals};
use crate::model::row::{Relation, Shared, SourceNo, attempt_flag, effect_flag};
use crate::model::time::{Micros, Zone, parse_time};
use crate::model::units::Unit;
use crate::sources::spec::CLOSED;

use super::brief::{business_of, is_read};
use super::case::Case;
use super::desk::Desk;
use super::effects::tie;
use super::group::Op;
use super::repeats::Place;
use super::resolve::{NameKind, name_kind, synthetic};
use super::run::Run;

/// So many ids that are almost the same are named of one.
const SHOWN_NEAR: usize = 50;

/// So many other members of its group are named of one intent.
const SHOWN_MEMBERS: usize = 200;

impl Case {
    /// One intent with all its texts.
    pub fn view(&self, op: Op) -> Option<IntentView> {
        self.facts_of(op, |desk, no| self.view_on(desk, no, op)).flatten()
    }

    /// The view of an intent that is not there: nothing was tried and nothing was found.
    pub fn blank_view(&self) -> IntentView {
        let facts = Facts {
            record: None,
            file: None,
            accept: &[],
            states: &[],
            tries: &[],
            rows: &[],
            reads: &[],
            ties: crate::judge::facts::Ties::default(),
        };
        IntentView {
            handle: 0,
            intent_id: String::new(),
            recorded: false,
            operation_id: String::new(),
            kind: String::new(),
            business_id: String::new(),
            party: String::new(),
            key: String::new(),
            key_origin: String::new(),
            key_before_first: None,
            recorded_at: (Micros::NONE, String::new()),
            tool: String::new(),
            idempotent: Idempotent::Unknown,
            retention: None,
            agent: String::new(),
            judgement: judge(&facts, &self.setting),
            totals: Totals::default(),
            difference: Totals::default(),
            at_risk: Vec::new(),
            by_source: Vec::new(),
            attempts: Vec::new(),
            effects: Vec::new(),
            open_rows: Vec::new(),
            reads: Vec::new(),
            states: Vec::new(),
            finding_detail: Vec::new(),
            deciding_source: None,
            uncovered: Vec::new(),
            account: None,
            parent: None,
            lineage: None,
            group_members: Vec::new(),
            standing: Box::default(),
            near_ids: Vec::new(),
            attribute: None,
            currency_assumed: false,
            timeout: 0,
            settle: 0,
            eps: 0,
        }
    }

    pub(super) fn run(&self, r: u32) -> Option<&Run> {
        self.runs.get(r as usize)
    }

    pub(super) fn view_on(&self, desk: &Desk, no: usize, op: Op) -> Option<IntentView> {
        let facts = desk.facts(no)?;
        let judgement = judge(&facts, &self.setting);
        let first_tool = facts.tries.iter().find(|t| !is_read(&self.setting, t.row.tool, t.row.flags));
        let tool_setting = first_tool.and_then(|t| self.setting.tool(t.row.tool));
        let (_, tally) = reduce(&facts, &self.setting);
        let deciding = tally.coverage.source;
        let settle = tool_setting.map_or(super::setting::default::SETTLE, |t| t.settle);
        let ledger_skew = deciding
            .and_then(|no| self.setting.source(no))
            .map_or(super::setting::default::LEDGER_SKEW, |s| s.skew);
        let eps = self.setting.client_skew + ledger_skew;
        let name = self.name_of(op);
        let shown = self.shown(name);
        let operation_id =
            if name_kind(name).0 == NameKind::Operation { shown.clone() } else { String::new() };
        let recorded = desk.recorded(no);
        let from_records = |text: fn(&crate::model::row::Record) -> crate::model::row::Text| {
            recorded
                .iter()
                .flatten()
                .filter_map(|(r, record)| self.run(*r).map(|run| run.text(text(record)).to_owned()))
                .find(|t| !t.is_empty())
                .unwrap_or_default()
        };
        let attempts = self.attempts(desk, no, &facts, eps);
        let counted = attempts.iter().find(|a| !a.read);
        let tool = counted.map(|a| a.tool.clone()).unwrap_or_default();
        let kind = kind_of(&from_records(|r| r.kind), &operation_id, &tool).to_owned();
        let mut effects = self.effects(desk, no, &facts);
        tie(&attempts, &mut effects, &facts);
        let key = counted
            .map(|a| a.key.clone())
            .filter(|k| !k.is_empty())
            .unwrap_or_else(|| from_records(|r| r.key));
        let run = first_tool.map_or(Shared::NONE, |t| t.row.run);
        let info = self.tables.runs.get(run.place());
        let totals = self.totals(&facts, &judgement, &effects);
        let party = self.party(desk, no, &facts, || from_records(|r| r.party));
        let intent_id = from_records(|r| r.intent_id);
        let uncovered = self.uncovered(&judgement, &facts, deciding, settle, eps);
        let (key_origin, key_before_first) = self.key_facts(&recorded, &judgement);
        let intent_id = if intent_id.is_empty() { shown } else { intent_id };
        Some(IntentView {
            handle: self.handle(op),
            recorded: recorded.iter().any(Option::is_some),
            standing: Box::new(self.of_book(&intent_id)),
            intent_id,
            operation_id,
            kind,
            business_id: business_of_view(self, desk, no, &facts),
            party,
            key,
            tool,
            agent: info.map(|i| i.agent.clone()).unwrap_or_default(),
            difference: totals.difference(judgement.expected.filter(|_| judgement.effective_max > 0)),
            at_risk: at_risk(&judgement, &totals),
            by_source: self.by_source(&effects),
            totals,
            open_rows: self.open_rows(op, &facts, &attempts),
            reads: self.reads(desk, no),
            states: self.states(desk, no, &facts),
            finding_detail: finding_details(&facts, &judgement, self),
            deciding_source: deciding.map(|no| usize::from(no.0)),
            uncovered,
            account: facts.ties.account.map(|a| self.account(&a, op, &facts)),
            parent: self.parent(&recorded),
            group_members: self.members(op, &judgement),
            near_ids: self.near_ids(op),
            attribute: facts.ties.attr_differs.then(|| self.attribute(desk, no)).flatten(),
            currency_assumed: self.currency_assumed(&facts),
            timeout: tool_setting.map_or(super::setting::default::TIMEOUT, |t| t.timeout),
            settle,
            eps,
            key_origin,
            key_before_first,
            recorded_at: first_record(self, &recorded),
            idempotent: tool_setting.map_or(Idempotent::Unknown, |t| t.idempotent),
            retention: tool_setting.and_then(|t| t.retention),
            lineage: facts.ties.lineage,
            attempts,
            effects,
            judgement,
        })
    }

    /// A name as it is shown: an id as it was written, `refund_order@trace.jsonl:14` for a group without an id of its
    /// own.
    pub(super) fn shown(&self, name: &str) -> String {
        let (kind, text) = name_kind(name);
        match synthetic::parse(text).filter(|_| matches!(kind, NameKind::Arguments | NameKind::Nothing)) {
            Some((tool, at)) => {
                let place = self.places.words(at).replace(" line ", ":");
                if tool.is_empty() { place } else { format!("{tool}@{place}") }
            }
            None => self.shown_as.get(text).map_or(text, |(_, form)| form).to_owned(),
        }
    }

    fn of_book(&self, intent_id: &str) -> Standing {
        let all = &self.spec.standing;
        let found =
            all.binary_search_by(|s| s.intent_id.as_str().cmp(intent_id)).ok().and_then(|at| all.get(at));
        found.map_or_else(Standing::default, |s| Standing {
            owner: s.owner.clone(),
            flags: s.flags.clone(),
            disposition: s.disposition.clone(),
            closed_as: if s.flags.contains(&CLOSED) {
                s.closings.iter().map(|closing| closing.word.clone()).collect()
            } else {
                Vec::new()
            },
            words: s.words.clone(),
        })
    }

    fn reads(&self, desk: &Desk, no: usize) -> Vec<ReadBackView> {
        desk.read_places(no)
            .iter()
            .filter_map(|(r, i)| {
                let run = self.run(*r)?;
                let read = run.reads.get(*i as usize)?;
                let fields = self.places.fields(read.at);
                let field = |n: &str| fields.iter().find(|(f, _)| f == n).map(|(_, v)| v.clone());
                Some(ReadBackView {
                    when: read.when,
                    source: run.text(read.source).to_owned(),
                    seen: read.seen,
                    differs: field("field").map(|f| {
                        (f, field("expected").unwrap_or_default(), field("read").unwrap_or_default())
                    }),
                    position: field("position").unwrap_or_default(),
                    place: self.places.words(read.at),
                })
            })
            .collect()
    }

    fn states(&self, desk: &Desk, no: usize, facts: &Facts<'_>) -> Vec<StateView> {
        let _ = (desk, no);
        facts
            .states
            .iter()
            .map(|s| {
                let fields = self.places.fields(s.at);
                StateView {
                    when: s.when,
                    from: s.from,
                    to: s.to,
                    actor: fields
                        .iter()
                        .find(|(f, _)| f == "actor")
                        .map(|(_, v)| v.clone())
                        .unwrap_or_default(),
                    place: self.places.words(s.at),
                }
            })
            .collect()
    }

    fn party(&self, desk: &Desk, no: usize, facts: &Facts<'_>, recorded: impl Fn() -> String) -> String {
        let recorded = recorded();
        if !recorded.is_empty() {
            return recorded;
        }
        let of_calls = facts.tries.iter().zip(desk.try_runs(no));
        let of_calls = of_calls.filter_map(|(t, r)| self.run(*r).map(|run| run.text(t.row.party).to_owned()));
        let of_rows = facts.rows.iter().zip(desk.row_places(no));
        let of_rows =
            of_rows.filter_map(|(row, p)| self.run(p.0).map(|run| run.text(row.row.party).to_owned()));
        of_calls.chain(of_rows).find(|p| !p.is_empty()).unwrap_or_default()
    }

    fn account(&self, a: &Account, op: Op, facts: &Facts<'_>) -> AccountView {
        let business = self.brief_of(op).map(|b| b.business.clone()).unwrap_or_default();
        let mut tried = Totals::default();
        for t in facts.tries.iter().filter(|t| !is_read(&self.setting, t.row.tool, t.row.flags)) {
            if let Some(amount) = t.row.amount() {
                tried.add(Money { unit: t.row.unit, amount });
            }
        }
        let sole = (tried.len() == 1).then(|| tried.iter().next()).flatten();
        AccountView {
            business_id: business,
            wanted: a.wanted,
            tried: self.tried_in(a.number),
            found: a.found,
            money_wanted: a.money_wanted,
            money_tried: sole.and_then(|(unit, t)| {
                let wide = t.exact()?;
                Some(Money {
                    unit,
                    amount: Amount { digits: i64::try_from(wide.digits).ok()?, scale: wide.scale },
                })
            }),
            money_found: a.money_found,
        }
    }

    fn parent(
        &self,
        recorded: &[Option<(u32, crate::model::row::Record)>; 2],
    ) -> Option<(String, &'static str)> {
        recorded.iter().flatten().find_map(|(r, record)| {
            let parent = self.run(*r)?.text(record.parent);
            let relation = match record.relation.unwrap_or(Relation::Replaces) {
                Relation::Replaces => "replaces",
                Relation::AddsTo => "adds_to",
                Relation::Corrects => "corrects",
            };
            (!parent.is_empty()).then(|| (parent.to_owned(), relation))
        })
    }

    fn members(&self, op: Op, j: &Judgement) -> Vec<String> {
        let Some(_) = j.group else { return Vec::new() };
        let mine = self.links.ties.get(&op).copied().unwrap_or_default();
        let chain = mine.lineage.map_or(&[][..], |l| self.in_lineage(l.number));
        let account = mine.account.map_or(&[][..], |a| self.in_account(a.number));
        let mut ops: Vec<Op> = chain.iter().chain(account).copied().filter(|o| *o != op).collect();
        ops.sort_unstable();
        ops.dedup();
        ops.truncate(SHOWN_MEMBERS);
        ops.sort_by_key(|o| self.name_of(*o).to_owned());
        ops.iter().map(|o| self.intent_id(*o)).collect()
    }

    /// Intent id of an operation: from its record, else its name.
    pub fn intent_id(&self, op: Op) -> String {
        self.facts_of(op, |desk, no| {
            desk.recorded(no)
                .into_iter()
                .flatten()
                .filter_map(|(r, record)| self.run(r).map(|run| run.text(record.intent_id).to_owned()))
                .find(|id| !id.is_empty())
        })
        .flatten()
        .unwrap_or_else(|| self.shown(self.name_of(op)))
    }

    fn near_ids(&self, op: Op) -> Vec<String> {
        let others = self.near_to(op).iter().filter(|o| **o != op);
        let mut ids: Vec<String> = others.take(SHOWN_NEAR).map(|o| self.shown(self.name_of(*o))).collect();
        let from = self.near_keys.partition_point(|(of, _)| *of < op);
        let keys = self.near_keys.iter().skip(from).take_while(|(of, _)| *of == op);
        ids.extend(keys.take(SHOWN_NEAR).filter_map(|(_, place)| self.key_of_row(*place)));
        ids.sort_unstable();
        ids.dedup();
        ids
    }

    fn key_of_row(&self, place: Place) -> Option<String> {
        let run = self.run(place.0)?;
        let row = run.effects.get(place.1 as usize)?;
        let key = if row.is(effect_flag::KEY_IS_NAME) { run.name(row.name) } else { run.text(row.key) };
        Some(self.shown(key))
    }

    fn currency_assumed(&self, facts: &Facts<'_>) -> bool {
        let assumed = |no: SourceNo| {
            self.assumed.get(usize::from(no.0)).is_some_and(|a| a.unit.is_some_and(|u| u != Unit::UNKNOWN))
        };
        facts.tries.iter().any(|t| t.row.is(attempt_flag::AMOUNT) && assumed(t.row.at.source()))
            || facts.rows.iter().any(|r| assumed(r.row.at.source()))
    }

    /// Who made the key, and whether it was recorded before the first attempt was sent.
    fn key_facts(
        &self,
        recorded: &[Option<(u32, crate::model::row::Record)>; 2],
        j: &Judgement,
    ) -> (String, Option<bool>) {
        let Some((_, record)) = recorded.iter().flatten().find(|(_, r)| r.key.is_some()) else {
            return (String::new(), None);
        };
        let fields = self.places.fields(record.at);
        let origin =
            fields.iter().find(|(n, _)| n == "key_origin").map(|(_, v)| v.clone()).unwrap_or_default();
        let minted = fields.iter().find(|(n, _)| n == "key_minted_at").map(|(_, v)| v.as_str());
        let minted = minted.map_or(record.recorded, |t| parse_time(t, &Zone::Utc).at);
        let before = (minted != Micros::NONE && j.since != Micros::NONE).then_some(minted <= j.since);
        (origin, before)
    }

    /// Meaning of a source in words.
    pub fn meaning_word(&self, no: SourceNo) -> &'static str {
        match self.setting.source(no).map(|s| s.meaning) {
            Some(Meaning::MovesMoney) => "moves_money",
            Some(Meaning::CopyOf(_)) => "copy",
            Some(Meaning::Part) => "part",
            _ => "",
        }
    }
}

/// When and where an intent was recorded first.
fn first_record(case: &Case, recorded: &[Option<(u32, crate::model::row::Record)>; 2]) -> (Micros, String) {
    let timed = recorded.iter().flatten().filter(|(_, record)| !record.recorded.is_none());
    let first = timed.min_by_key(|(_, record)| record.recorded);
    first.map_or((Micros::NONE, String::new()), |(_, record)| (record.recorded, case.places.words(record.at)))
}

fn business_of_view(case: &Case, desk: &Desk, no: usize, facts: &Facts<'_>) -> String {
    case.with_texts(|store| business_of(store, desk, no, facts).map(str::to_owned)).unwrap_or_default()
}

fn at_risk(j: &Judgement, totals: &Totals) -> Vec<Money> {
    if j.several_units && j.risk.is_some() {
        let each = totals.iter().filter_map(|(unit, t)| {
            let wide = t.exact()?;
            let amount = Amount { digits: i64::try_from(wide.digits).ok()?, scale: wide.scale };
            Some(Money { unit, amount })
        });
        return each.filter(|m| !m.amount.is_zero()).collect();
    }
    j.risk.into_iter().collect()
}

/// Numbers and values that belong to findings, by code.
fn finding_details(facts: &Facts<'_>, judgement: &Judgement, case: &Case) -> Vec<(&'static str, String)> {
    let (_, tally) = reduce(facts, &case.setting);
    let found = FINDINGS.iter().filter(|(bit, _)| judgement.found & bit != 0);
    found
        .filter_map(|(bit, code)| {
            let detail = if *bit == AMOUNT_CHANGED {
                amounts_changed(facts, case)?
            } else {
                number(*bit, facts, &tally)?.to_string()
            };
            Some((*code, detail))
        })
        .collect()
}

/// `10.00 -> 21.00`: the amounts of the calls in their order.
fn amounts_changed(facts: &Facts<'_>, case: &Case) -> Option<String> {
    let units = &case.tables.units;
    let mut amounts: Vec<(Unit, Amount)> = Vec::new();
    for t in facts.tries.iter().filter(|t| t.row.outcome.class(false).may_have_acted()) {
        if let Some(amount) = t.row.amount()
            && amounts.last() != Some(&(t.row.unit, amount))
        {
            amounts.push((t.row.unit, amount));
        }
    }
    let ((_, first), (unit, last)) = (amounts.first().copied()?, amounts.last().copied()?);
    let number = |a: Amount| units.number(unit, a.wide());
    Some(format!("{} -> {}", number(first), number(last)))
}
