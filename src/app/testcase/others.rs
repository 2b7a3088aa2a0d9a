//! The list in another order, groups of it, and everything of an order, of a case made by hand.

use super::Fake;
use crate::app::case::{Apart, CaseView};
use crate::judge::judgement::Class;
use crate::judge::story::samples as s;
use crate::judge::view::{
    Everything, GroupBy, GroupRow, IntentView, ListRow, RowKind, SortBy, StateView, Tied, Whose,
};
use crate::model::money::Totals;
use crate::model::row::State;
use crate::model::time::{HOUR, MINUTE, Micros};

fn last(at: Micros) -> Micros {
    if at.is_none() { Micros::FOREVER } else { at }
}

/// The pair of the specification with what its records and the copy hold.
fn recorded(intent: &mut IntentView) {
    let (at, copied) = match intent.intent_id.as_str() {
        "int_6001" => ("11-28T17:20:11", false),
        "int_6002" => ("08:50:12", true),
        _ => return,
    };
    intent.states = vec![StateView {
        when: s::t(at),
        from: None,
        to: State::Submitted,
        actor: "agent".into(),
        place: "trace.jsonl line 100".into(),
    }];
    if copied {
        intent.parent = Some(("int_6001".into(), "replaces"));
        let mut copy = s::effect("rf_62", "08:50:31", Some(s::usd("150.00")), Tied::Nobody);
        (copy.copy, copy.source) = (true, s::BOOKS);
        intent.effects.push(copy);
    }
}

impl Fake {
    pub(super) fn places_by(&self, by: SortBy) -> Vec<u32> {
        let mut order: Vec<u32> = (0..u32::try_from(self.rows.len()).unwrap()).collect();
        let key = |at: &u32| {
            let (row, apart) = &self.rows[usize::try_from(*at).unwrap()];
            let row: &ListRow = row;
            let (number, text) = match by {
                SortBy::Urgency => (0, String::new()),
                SortBy::Words => (0, row.words.clone()),
                SortBy::Operation => (0, row.operation.clone()),
                SortBy::Risk => (-row.at_risk.map_or(0, |money| money.amount.digits), String::new()),
                SortBy::Due => (last(row.deadline).0, String::new()),
                SortBy::Sent => (last(row.since).0, String::new()),
            };
            (*apart != Apart::No, number, text)
        };
        order.sort_by_key(key);
        order
    }

    pub(super) fn groups_of(&self, rows: &[u32], by: GroupBy) -> Vec<GroupRow> {
        let mut groups: Vec<GroupRow> = Vec::new();
        let kind = by != GroupBy::Hour;
        for place in rows {
            let (row, apart) = &self.rows[usize::try_from(*place).unwrap()];
            if *apart != Apart::No {
                continue;
            }
            let hour = if by == GroupBy::Hour && !row.since.is_none() {
                Micros(row.since.0.div_euclid(HOUR) * HOUR)
            } else {
                Micros::NONE
            };
            let words = match by {
                GroupBy::Label => row.verdict,
                GroupBy::Words => &row.words,
                GroupBy::Hour => "without a time",
            };
            let same = |group: &GroupRow| {
                if by == GroupBy::Hour { group.hour == hour } else { group.words == words }
            };
            let at = groups.iter().position(same).unwrap_or_else(|| {
                groups.push(GroupRow {
                    words: words.to_owned(),
                    hour,
                    mark: if kind { row.mark.clone() } else { String::new() },
                    severity: if kind { row.severity } else { 5 },
                    class: row.class.filter(|_| kind),
                    count: 0,
                    first: row.since,
                    last: row.since,
                    origin: match &row.kind {
                        RowKind::Intent(number) => Some(self.intent(*number).judgement.origin),
                        _ => None,
                    },
                    at_risk: Totals::default(),
                    tool: "refund_order".into(),
                    run: String::new(),
                    bars: vec![1, 4, 2],
                    stretch: MINUTE,
                    rows: Vec::new(),
                });
                groups.len() - 1
            });
            let group = &mut groups[at];
            group.count += 1;
            group.rows.push(*place);
            group.first = group.first.min(row.since);
            group.last = group.last.max(row.since);
            row.at_risk.into_iter().for_each(|money| group.at_risk.add(money));
        }
        if !kind {
            groups.sort_by_key(|group| (group.hour.is_none(), group.hour));
        }
        groups
    }

    pub(super) fn all_of(&self, whose: &Whose) -> Everything {
        let of = |intent: &IntentView| match whose {
            Whose::Order(business) => intent.business_id == *business,
            Whose::Party(party) => intent.party == *party,
        };
        let numbered = || (0u32..).zip(&self.intents);
        let mut intents: Vec<_> =
            numbered().filter(|(_, i)| of(i)).map(|(number, i)| (number, i.clone())).collect();
        for (_, intent) in &mut intents {
            recorded(intent);
        }
        intents.sort_by_key(|(_, intent)| intent.judgement.since);
        let party = intents.iter().map(|(_, i)| i.party.clone()).find(|p| !p.is_empty()).unwrap_or_default();
        let mut of_party: Vec<ListRow> = self
            .rows
            .iter()
            .map(|(row, _)| row)
            .filter(|row| !party.is_empty() && row.party == party)
            .cloned()
            .collect();
        if let Some(worst) = of_party.first().cloned() {
            // The customer has one more order, which is fine.
            of_party.push(ListRow {
                operation: "order 6014".into(),
                mark: "·".into(),
                words: "as meant".into(),
                class: Some(Class::Clean),
                severity: 5,
                intended_total: Some((s::usd("18.90"), false)),
                ledger_total: Some(Ok(s::usd("18.90"))),
                at_risk: Some(s::usd("0.00")),
                kind: RowKind::Intent(0),
                ..worst
            });
        }
        Everything { intents, party, of_party, ..Everything::default() }
    }
}
