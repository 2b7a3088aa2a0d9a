//! Rows without an attempt as they are shown (`1-model.md` 1.5, `6-screens.md` 7.1.11).

use crate::judge::judgement::Class;
use crate::judge::view::{EffectView, ListRow, OrphanView, RowKind};
use crate::judge::words;
use crate::model::money::{Money, Totals};
use crate::model::row::{Effect, SourceNo, Status};
use crate::model::time::Instant;

use super::case::Case;
use super::lines::{blank, single, spaced};
use super::scope::OrphanGroup;

impl Case {
    /// Live money of single unattributed rows: those that one line stands for.
    pub(super) fn single_totals(&self) -> Totals {
        let mut totals = Totals::default();
        let groups = self.apart.groups.iter().filter(|g| !g.possible_double && !self.is_violation(g));
        let rows = groups.flat_map(|g| &g.rows).filter_map(|p| self.effect_at(p.0, p.1));
        for row in rows.filter(|row| row.status == Status::Live) {
            row.amount().into_iter().for_each(|amount| totals.add(Money { unit: row.unit, amount }));
        }
        totals
    }

    fn effect_at(&self, run: u32, row: u32) -> Option<&Effect> {
        self.runs.get(run as usize)?.effects.get(row as usize)
    }

    /// A group of rows without an attempt, with its texts.
    pub fn orphan(&self, group: &OrphanGroup) -> OrphanView {
        let views: Vec<_> = group
            .rows
            .iter()
            .filter_map(|p| {
                let row = self.runs.get(p.0 as usize)?.effects.get(p.1 as usize)?;
                Some((row.at, self.effect_view(*p, row)))
            })
            .collect();
        let mut totals = Totals::default();
        for (_, view) in &views {
            view.amount.into_iter().for_each(|m| totals.add(m));
        }
        let first = views.first();
        let text = |f: fn(&EffectView) -> String| first.map_or(String::new(), |(_, v)| f(v));
        OrphanView {
            source: first.map_or(0, |(_, v)| v.source),
            effect_id: text(|v| v.name.clone()),
            operation_id: text(|v| v.operation_id.clone()),
            business_id: text(|v| v.business_id.clone()),
            kind: self.orphan_kind(first.map(|(at, v)| (at.source(), v))),
            count: u32::try_from(group.rows.len()).unwrap_or(u32::MAX),
            totals,
            committed: first.map_or(Instant::NONE, |(_, v)| v.committed),
            possible_double: group.possible_double,
            place: text(|v| v.place.clone()),
            violation: self.is_violation(group),
            at: first.map(|(at, _)| *at),
            key: text(|v| v.key.clone()),
        }
    }

    fn orphan_kind(&self, first: Option<(SourceNo, &EffectView)>) -> String {
        let Some((no, view)) = first else {
            return String::new();
        };
        if !view.kind.is_empty() && !view.kind.eq_ignore_ascii_case("effect") {
            return view.kind.clone();
        }
        let head = crate::model::kinds::kind_of("", &view.operation_id, "");
        if !head.is_empty() {
            return head.to_owned();
        }
        let named = self
            .found
            .get(usize::from(no.0))
            .and_then(|f| crate::model::kinds::named_in(&f.table).first().copied());
        named.unwrap_or_default().to_owned()
    }

    /// All groups of rows without an attempt, possible doubles first.
    pub fn orphans(&self) -> Vec<OrphanView> {
        self.apart.groups.iter().map(|g| self.orphan(g)).collect()
    }

    /// The row of such a group.
    pub fn orphan_row(&self, orphan: &OrphanView) -> ListRow {
        let line = words::case_of_orphan(orphan.possible_double, orphan.violation);
        let money = single(&orphan.totals);
        let several = orphan.count > 1;
        let mut row = blank(RowKind::Orphan(orphan.clone()));
        if orphan.possible_double {
            row.kind = RowKind::PossibleDouble(orphan.clone());
            let name = if orphan.operation_id.is_empty() { &orphan.effect_id } else { &orphan.operation_id };
            row.reason = format!(
                "operation id {name}, {}",
                if orphan.count == 2 { "twice".to_owned() } else { format!("{} times", orphan.count) }
            );
            "one operation id".clone_into(&mut row.reason_short);
        }
        row.operation = if several || orphan.business_id.is_empty() && orphan.operation_id.is_empty() {
            if several { format!("{} rows", orphan.count) } else { orphan.effect_id.clone() }
        } else if orphan.business_id.is_empty() {
            orphan.operation_id.clone()
        } else {
            spaced(&orphan.business_id)
        };
        row.mark = line.mark.text(1);
        row.words = line.in_list(orphan.count);
        row.label = "";
        row.verdict = "ORPHAN_EFFECT";
        row.severity = if orphan.violation { 2 } else { 6 };
        row.class = orphan.violation.then_some(Class::Violation);
        row.in_ledger = Some((orphan.count, false));
        row.ledger_total = money.map(Ok);
        row.at_risk = money.filter(|_| orphan.violation);
        row.divergent = orphan.violation;
        row.id = format!("apart {} {}", orphan.place, orphan.effect_id);
        row.noun.clone_from(&orphan.kind);
        row
    }
}
