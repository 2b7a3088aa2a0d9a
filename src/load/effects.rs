//! Ledger rows of an intent as they are shown, and which attempt made which of them.

use std::collections::HashMap;

use foldhash::fast::RandomState;

use crate::judge::facts::{Facts, Receipt, link};
use crate::judge::judgement::Judgement;
use crate::judge::view::{AttemptView, BySource, EffectView, Tied};
use crate::model::money::{Money, Totals};
use crate::model::outcome::Class;
use crate::model::row::{At, Effect, Status, effect_flag};
use crate::model::time::Micros;
use crate::model::units::Unit;

use super::brief::Brief;
use super::case::Case;
use super::desk::Desk;
use super::group::Op;
use super::join::LooseRow;
use super::repeats::Place;

/// So many rows that may be an intent's are shown of it.
const SHOWN_OPEN: usize = 50;

/// So many pairs of calls and rows are compared by time; of more, which call made which row is not told.
const DRAWN: usize = 1_000_000;

impl Case {
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
            name: match id.as_str() {
                "" => words.rsplit(", ").next().unwrap_or(&words).to_owned(),
                // A number says nothing by itself.
                number if number.bytes().all(|b| b.is_ascii_digit()) => format!("row {number}"),
                id => id.to_owned(),
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

    pub(super) fn effects(&self, desk: &Desk, no: usize, facts: &Facts<'_>) -> Vec<EffectView> {
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
        let mut same: HashMap<u32, Vec<usize>, RandomState> = HashMap::default();
        for (i, view) in views.iter().enumerate() {
            same.entry(view.ident).or_default().push(i);
        }
        for members in same.values().filter(|members| members.len() > 1) {
            let mut sources: Vec<usize> =
                members.iter().filter_map(|i| views.get(*i)).map(|v| v.source).collect();
            sources.sort_unstable();
            sources.dedup();
            for i in members {
                views[*i].in_sources = u32::try_from(sources.len()).unwrap_or(u32::MAX);
            }
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
                for i in same.get(&ident).into_iter().flatten() {
                    views[*i].acknowledged = true;
                }
            }
        }
        views
    }

    /// Live totals per unit of the sources that count, the expected unit always in it.
    pub(super) fn totals(&self, facts: &Facts<'_>, j: &Judgement, effects: &[EffectView]) -> Totals {
        let mut totals = crate::judge::count::Found::of(facts, &self.setting).live.totals();
        if let Some(expected) = j.expected {
            totals.ensure(expected.unit);
        } else if totals.is_empty() && effects.is_empty() && j.unit != Unit::NONE {
            totals.ensure(j.unit);
        }
        totals
    }

    pub(super) fn by_source(&self, effects: &[EffectView]) -> Vec<BySource> {
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
        // The place where it happens first, then by name: not as they were given.
        let id = |b: &BySource| self.spec.sources.get(b.source).map(|s| s.id.clone());
        out.sort_by_key(|b| (b.copy, id(b)));
        out
    }

    /// Rows that are not linked and may be the intent's; of very many those that fit best in time.
    pub(super) fn open_rows(&self, op: Op, facts: &Facts<'_>, attempts: &[AttemptView]) -> Vec<EffectView> {
        let Some(brief) = self.brief_of(op) else {
            return Vec::new();
        };
        let nothing_else =
            facts.ties.suggestions == 0 && facts.ties.account.is_none() && facts.ties.unreadable == 0;
        if nothing_else && (!brief.has_key || brief.judgement.net >= brief.judgement.effective_max) {
            return Vec::new();
        }
        let mut rows: Vec<_> = self
            .loose_of(&brief.business)
            .filter(|r| {
                !r.row.is(effect_flag::FILTERED)
                    && !self.is_copy(r.row.at.source())
                    && brief.kind_fits(self.tables.kind(r.row.class))
                    && (!nothing_else || self.fits_but_for_its_key(brief, r))
            })
            .collect();
        rows.sort_by_key(|r| (r.row.committed, r.row.at));
        if rows.len() > SHOWN_OPEN {
            let sent = brief.first_sent;
            rows.sort_by_key(|r| r.row.committed.0.abs_diff(sent.0));
            rows.truncate(SHOWN_OPEN);
            rows.sort_by_key(|r| (r.row.committed, r.row.at));
        }
        let acting = || attempts.iter().filter(|a| !a.read && a.class.may_have_acted());
        let tied = match (acting().next(), acting().nth(1), rows.len()) {
            (None, _, _) => Tied::Nobody,
            (Some(only), None, 1) => Tied::Maybe(only.number),
            _ => Tied::WhichCall,
        };
        rows.iter().map(|r| EffectView { tied, ..self.effect_view(r.place, &r.row) }).collect()
    }

    /// A row of the same order, amount and time under another key: it is not the intent's (`1-model.md` 1.5), and nothing
    /// is counted, but where a ledger makes keys of its own it may be, and only a person can say so.
    fn fits_but_for_its_key(&self, brief: &Brief, row: &LooseRow) -> bool {
        let of = &row.row;
        let source = self.setting.source(of.at.source());
        let names_another = of.name.is_some() && !of.is(effect_flag::KEY_IS_NAME) && brief.has_operation;
        let has_key = of.key.is_some() || of.is(effect_flag::KEY_IS_NAME);
        let recorded =
            self.setting.tool(brief.tool).is_none_or(|tool| tool.recorded_by.contains(&of.at.source()));
        let open = |unit: Unit| matches!(unit, Unit::NONE | Unit::UNKNOWN);
        let unit = brief.unit == of.unit || open(brief.unit) || open(of.unit);
        let skew = source.map_or(0, |s| s.skew);
        let (begin, end) = of.committed().interval(skew);
        let meets = brief.span(&self.setting).is_some_and(|(from, to)| end.0 >= from && begin.0 <= to);
        has_key
            && !names_another
            && recorded
            && source.is_some_and(|s| s.counts)
            && !of.is(effect_flag::REVERSAL)
            && of.status != Status::NotAnEffect
            && unit
            && of.amount().is_some_and(|amount| brief.amounts.contains(&amount))
            && of.committed != Micros::NONE
            && meets
            && !self.is_rejected(brief.op, row)
    }
}

/// Which attempt made which row, for drawing (`1-model.md` 1.5): first by receipt; then, for the rest, an attempt of
/// class ok or unknown whose window contains the commit, if exactly one exists; else tied to the intent only.
pub(super) fn tie(attempts: &[AttemptView], effects: &mut [EffectView], facts: &Facts<'_>) {
    let writes: Vec<&AttemptView> = attempts.iter().filter(|a| !a.read).collect();
    let mut taken = vec![false; writes.len()];
    let place: HashMap<u32, usize, RandomState> =
        writes.iter().enumerate().map(|(at, write)| (write.number, at)).collect();
    let mut same: HashMap<u32, Vec<usize>, RandomState> = HashMap::default();
    for (i, effect) in effects.iter().enumerate() {
        same.entry(effect.ident).or_default().push(i);
    }
    for (i, t) in facts.tries.iter().enumerate() {
        let number = attempts.get(i).map_or(0, |a| a.number);
        let told = attempts.get(i).is_some_and(|a| a.class.told_yes() && !a.read);
        if let Receipt::Row(row) = t.receipt
            && told
        {
            let Some(ident) = effects.get(row as usize).map(|e| e.ident) else {
                continue;
            };
            for i in same.get(&ident).into_iter().flatten() {
                if effects[*i].tied == Tied::Nobody {
                    effects[*i].tied = Tied::ByReceipt(number);
                }
            }
            if let Some(slot) = place.get(&number).and_then(|i| taken.get_mut(*i)) {
                *slot = true;
            }
        }
    }
    let too_many = writes.len().saturating_mul(effects.len()) > DRAWN;
    for (i, effect) in effects.iter_mut().enumerate() {
        if effect.tied != Tied::Nobody || effect.reversal {
            continue;
        }
        if too_many {
            effect.tied = Tied::WhichCall;
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
