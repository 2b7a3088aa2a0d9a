//! One intent with all its texts: rows from the runs, the rest read again at its place.

use crate::judge::facts::{Account, Facts, Idempotent, Meaning, Receipt, link};
use crate::judge::findings::{AMOUNT_CHANGED, FINDINGS, number};
use crate::judge::judge;
use crate::judge::judgement::Judgement;
use crate::judge::reduce::reduce;
use crate::judge::view::{
    AccountView, AttemptView, BySource, EffectView, IntentView, ReadBackView, StateView, Tied,
};
use crate::model::kinds::kind_of;
use crate::model::money::{Amount, Money, Totals};
use crate::model::outcome::Class;
use crate::model::row::{At, Effect, Relation, Shared, SourceNo, Status, attempt_flag, effect_flag};
use crate::model::time::{Micros, Zone, parse_time};
use crate::model::units::Unit;

use super::brief::{business_of, is_read};
use super::case::Case;
use super::desk::{Desk, key_of};
use super::group::Op;
use super::repeats::Place;
use super::resolve::{NameKind, name_kind, synthetic};
use super::run::Run;

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
            near_ids: Vec::new(),
            attribute: None,
            currency_assumed: false,
            timeout: 0,
            settle: 0,
            eps: 0,
        }
    }

    /// The rows of the group without an attempt whose first row stands here.
    pub fn orphan_effects(&self, at: Option<At>) -> Vec<EffectView> {
        let row = |p: &Place| self.run(p.0).and_then(|run| run.effects.get(p.1 as usize));
        let first = |g: &&super::scope::OrphanGroup| g.rows.first().and_then(row).map(|r| r.at) == at;
        let group = self.apart.groups.iter().find(first);
        group
            .into_iter()
            .flat_map(|g| &g.rows)
            .filter_map(|p| row(p).map(|r| self.effect_view(*p, r)))
            .collect()
    }

    fn run(&self, r: u32) -> Option<&Run> {
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
        Some(IntentView {
            handle: self.handle(op),
            recorded: recorded.iter().any(Option::is_some),
            intent_id: if intent_id.is_empty() { shown } else { intent_id },
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
            open_rows: self.open_rows(op, &facts, &judgement),
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

    fn attempts(&self, desk: &Desk, no: usize, facts: &Facts<'_>, eps: i64) -> Vec<AttemptView> {
        let mut number = 0;
        facts
            .tries
            .iter()
            .zip(desk.try_runs(no))
            .map(|(t, r)| {
                let row = &t.row;
                let run = self.run(*r);
                let fields = self.places.fields(row.at);
                let end = At::new(row.at.source(), row.at.place() + u64::from(row.end_after));
                let end_fields = if row.end_after > 0 { self.places.fields(end) } else { Vec::new() };
                let field = |names: &[&str]| {
                    let of = |fields: &[(String, String)]| {
                        names.iter().find_map(|n| {
                            fields.iter().find(|(f, v)| f == n && !v.is_empty()).map(|(_, v)| v.clone())
                        })
                    };
                    of(&end_fields).or_else(|| of(&fields)).unwrap_or_default()
                };
                let read = is_read(&self.setting, row.tool, row.flags);
                if !read {
                    number += 1;
                }
                let tool = self.setting.tool(row.tool);
                let timeout = tool.map_or(super::setting::default::TIMEOUT, |t| t.timeout);
                let settle = tool.map_or(super::setting::default::SETTLE, |t| t.settle);
                let open = row.ended == Micros::NONE
                    && row.sent != Micros::NONE
                    && self.setting.now.0 <= row.sent().end().0.saturating_add(timeout);
                let place = self.places.words(row.at);
                let id = field(&["attempt_id", "call_id", "tool_attempt_id"]);
                let ended = row.ended();
                let last = if ended.at == Micros::NONE {
                    row.sent().end().0.saturating_add(timeout)
                } else {
                    ended.end().0
                };
                AttemptView {
                    at: Some(row.at),
                    number,
                    id: if id.is_empty() { place.replace(" line ", ":") } else { id },
                    tool: self.tables.tools.text(row.tool).to_owned(),
                    read,
                    counts: !read && tool.is_none_or(|t| !t.recorded_by.is_empty()),
                    sent: row.sent(),
                    ended,
                    outcome: row.outcome,
                    outcome_word: field(&["outcome", "status"]),
                    class: row.outcome.class(open),
                    key: String::from_utf8_lossy(key_of(&self.runs, *r, row)).into_owned(),
                    decision: field(&["decision_id", "turn"]),
                    run: self.tables.run_ids.text(row.run).to_owned(),
                    amount: row.amount().map(|amount| Money { unit: row.unit, amount }),
                    receipt: run.map(|run| run.text(row.receipt).to_owned()).unwrap_or_default(),
                    receipt_found: matches!(t.receipt, Receipt::Row(_)),
                    unseen: row.is(attempt_flag::UNSEEN),
                    text: field(&["text", "error", "message"]),
                    place: if row.end_after > 0 { both(&place, &self.places.words(end)) } else { place },
                    may_land_until: if row.sent == Micros::NONE && ended.at == Micros::NONE {
                        Micros::NONE
                    } else {
                        Micros(last.saturating_add(settle).saturating_add(eps))
                    },
                }
            })
            .collect()
    }

    /// A ledger row as it is shown.
    pub fn effect_view(&self, place: Place, row: &Effect) -> EffectView {
        let run = self.run(place.0);
        let text = |t| run.map(|run| run.text(t).to_owned()).unwrap_or_default();
        let id = text(row.id);
        let words = self.places.words(row.at);
        let unreadable = row.is(effect_flag::AMOUNT_BAD).then(|| {
            let fields = self.places.fields(row.at);
            fields
                .iter()
                .find(|(n, _)| {
                    let n = n.to_ascii_lowercase();
                    n.contains("amount") || n.contains("cents") || n.contains("minor")
                })
                .map(|(_, v)| v.clone())
                .unwrap_or_default()
        });
        let name_text = run.map(|run| self.shown(run.name(row.name))).unwrap_or_default();
        EffectView {
            at: Some(row.at),
            name: if id.is_empty() {
                words.rsplit(", ").next().unwrap_or(&words).to_owned()
            } else {
                id.clone()
            },
            id,
            source: usize::from(row.at.source().0),
            copy: self.is_copy(row.at.source()),
            committed: row.committed(),
            amount: row.amount().map(|amount| Money { unit: row.unit, amount }),
            unreadable,
            status: row.status,
            reversal: row.is(effect_flag::REVERSAL),
            reverses: text(row.reverses),
            reversed: false,
            key: run
                .filter(|_| row.is(effect_flag::KEY_IS_NAME))
                .map_or_else(|| text(row.key), |run| run.name(row.name).to_owned()),
            operation_id: name_text,
            business_id: text(row.business),
            external_ref: text(row.external),
            kind: self.tables.kind(row.class).to_owned(),
            link: Vec::new(),
            in_sources: 1,
            ident: 0,
            tied: Tied::Nobody,
            acknowledged: false,
            place: words,
        }
    }

    fn effects(&self, desk: &Desk, no: usize, facts: &Facts<'_>) -> Vec<EffectView> {
        let mut views: Vec<EffectView> = facts
            .rows
            .iter()
            .zip(desk.row_places(no))
            .map(|(row, place)| {
                let mut view = self.effect_view(*place, row.row);
                view.link =
                    link::NAMES.iter().filter(|(bit, _)| row.links & bit != 0).map(|(_, n)| *n).collect();
                view.ident = row.ident;
                view
            })
            .collect();
        for i in 0..views.len() {
            let ident = views[i].ident;
            let mut sources: Vec<usize> =
                views.iter().filter(|v| v.ident == ident).map(|v| v.source).collect();
            sources.sort_unstable();
            sources.dedup();
            views[i].in_sources = u32::try_from(sources.len()).unwrap_or(u32::MAX);
        }
        for (i, row) in facts.rows.iter().enumerate() {
            if let Some(target) = row.reverses.and_then(|t| usize::try_from(t).ok()) {
                let whole =
                    match (views.get(i).and_then(|v| v.amount), views.get(target).and_then(|v| v.amount)) {
                        (Some(a), Some(b)) => a.amount == b.amount,
                        _ => true,
                    };
                if let Some(target) = views.get_mut(target) {
                    target.reversed |= whole;
                }
            }
        }
        for t in facts.tries.iter().filter(|t| t.row.outcome.class(false).told_yes()) {
            if let Receipt::Row(i) = t.receipt
                && let Some(ident) = views.get(i as usize).map(|v| v.ident)
            {
                views.iter_mut().filter(|v| v.ident == ident).for_each(|v| v.acknowledged = true);
            }
        }
        views
    }

    /// Live totals per unit of the sources that count, the expected unit always in it.
    fn totals(&self, facts: &Facts<'_>, j: &Judgement, effects: &[EffectView]) -> Totals {
        let mut totals = crate::judge::count::Found::of(facts, &self.setting).live.totals();
        if let Some(expected) = j.expected {
            totals.ensure(expected.unit);
        } else if totals.is_empty() && effects.is_empty() && j.unit != Unit::NONE {
            totals.ensure(j.unit);
        }
        totals
    }

    fn by_source(&self, effects: &[EffectView]) -> Vec<BySource> {
        let mut out: Vec<BySource> = Vec::new();
        for view in effects.iter().filter(|v| !v.reversal && v.status == Status::Live) {
            let logical = |s: usize| self.logical.get(s).copied().unwrap_or(0);
            let known = out.iter().position(|b| logical(b.source) == logical(view.source));
            let no = known.unwrap_or_else(|| {
                out.push(BySource {
                    source: view.source,
                    count: 0,
                    totals: Totals::default(),
                    copy: view.copy,
                });
                out.len() - 1
            });
            if let Some(b) = out.get_mut(no) {
                b.count += 1;
                if let Some(money) = view.amount.filter(|_| !view.reversed) {
                    b.totals.add(money);
                }
            }
        }
        out.sort_by_key(|b| b.source);
        out
    }

    fn open_rows(&self, op: Op, facts: &Facts<'_>, j: &Judgement) -> Vec<EffectView> {
        if facts.ties.suggestions == 0 && facts.ties.account.is_none() && facts.ties.unreadable == 0 {
            return Vec::new();
        }
        let _ = j;
        let Some(brief) = self.brief_of(op) else {
            return Vec::new();
        };
        let mut rows: Vec<_> = self
            .loose_of(&brief.business)
            .filter(|r| {
                !r.row.is(effect_flag::FILTERED)
                    && !self.is_copy(r.row.at.source())
                    && brief.kind_fits(self.tables.kind(r.row.class))
            })
            .collect();
        rows.sort_by_key(|r| (r.row.committed, r.row.at));
        rows.iter().map(|r| self.effect_view(r.place, &r.row)).collect()
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
        let mut ids: Vec<String> = others.map(|o| self.shown(self.name_of(*o))).collect();
        ids.sort_unstable();
        ids
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

fn business_of_view(case: &Case, desk: &Desk, no: usize, facts: &Facts<'_>) -> String {
    case.with_texts(|store| business_of(store, desk, no, facts)).unwrap_or_default()
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

/// `trace.jsonl lines 14 and 15`.
fn both(first: &str, second: &str) -> String {
    match (first.rsplit_once(" line "), second.rsplit_once(" line ")) {
        (Some((file, a)), Some((other, b))) if file == other && a != b => format!("{file} lines {a} and {b}"),
        _ => first.to_owned(),
    }
}

/// Which attempt made which row, for drawing (`1-model.md` 1.5): first by receipt; then, for the rest, an attempt of
/// class ok or unknown whose window contains the commit, if exactly one exists; else tied to the intent only.
fn tie(attempts: &[AttemptView], effects: &mut [EffectView], facts: &Facts<'_>) {
    let writes: Vec<&AttemptView> = attempts.iter().filter(|a| !a.read).collect();
    let mut taken = vec![false; writes.len()];
    for (i, t) in facts.tries.iter().enumerate() {
        let number = attempts.get(i).map_or(0, |a| a.number);
        let told = attempts.get(i).is_some_and(|a| a.class.told_yes() && !a.read);
        if let Receipt::Row(row) = t.receipt
            && told
        {
            let Some(ident) = effects.get(row as usize).map(|e| e.ident) else {
                continue;
            };
            for effect in effects.iter_mut().filter(|e| e.ident == ident && e.tied == Tied::Nobody) {
                effect.tied = Tied::ByReceipt(number);
            }
            if let Some(slot) = writes.iter().position(|w| w.number == number).and_then(|i| taken.get_mut(i))
            {
                *slot = true;
            }
        }
    }
    for (i, effect) in effects.iter_mut().enumerate() {
        if effect.tied != Tied::Nobody || effect.reversal {
            continue;
        }
        let declared = facts.rows.get(i).is_some_and(|r| r.links & link::DECLARED != 0);
        let open = |a: &&AttemptView| {
            let class = matches!(a.class, Class::Ok | Class::Unknown | Class::Open);
            let skew = 3_000_000;
            let (begin, end) = effect.committed.interval(0);
            let until = if a.may_land_until == Micros::NONE { a.ended.end() } else { a.may_land_until };
            let to = if a.class == Class::Ok { Micros(a.ended.end().0.saturating_add(skew)) } else { until };
            class
                && a.sent.at != Micros::NONE
                && effect.committed.at != Micros::NONE
                && end.0 >= a.sent.begin().0 - skew
                && begin.0 <= to.0
        };
        // An attempt whose receipt names another row did not make this one.
        let mut fits =
            writes.iter().zip(&taken).filter(|(a, taken)| !**taken && open(a)).map(|(a, _)| a.number);
        let inside = writes.iter().zip(&taken).filter(|(a, taken)| {
            !**taken
                && effect.committed.at != Micros::NONE
                && a.sent.begin() <= effect.committed.end()
                && (a.ended.at != Micros::NONE && effect.committed.begin() <= a.ended.end())
        });
        let inside: Vec<u32> = inside.map(|(a, _)| a.number).collect();
        let one = match (inside.as_slice(), fits.next(), fits.next()) {
            ([only], _, _) => Some(*only),
            ([], Some(only), None) => Some(only),
            _ => None,
        };
        effect.tied = match one {
            Some(number) if declared => Tied::ByOrder(number),
            Some(number) => Tied::ByTime(number),
            None if writes.is_empty() => Tied::Nobody,
            None => Tied::WhichCall,
        };
    }
}
