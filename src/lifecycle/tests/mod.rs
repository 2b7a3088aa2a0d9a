//! The matrix cell by cell, the guards at their edges, the messages word by word.

mod gate;
mod guards;
mod matrix;
mod messages;
mod people;
mod resolve;
mod rules;

use crate::model::money::{Amount, Money};
use crate::model::outcome::Class;
use crate::model::row::{Seen, State, Status};
use crate::model::time::{HOUR, MINUTE, Micros, SECOND};
use crate::model::units::{Units, iso};

use super::facts::{Call, Cover, Facts, Read, Row};
use super::guards::Rules;
use super::policy::{Policy, Weight};
use super::resolve::Ask;
use super::states::Actor;

/// 2026-11-30T09:14:07Z.
pub(super) const NOW: Micros = Micros(1_796_030_047 * SECOND);
/// A note that says enough.
pub(super) const NOTE: &str = "the row stands in the ledger";

pub(super) fn usd(cents: i64) -> Money {
    Money::new(iso("USD").unwrap(), Amount::minor(cents, 2))
}

pub(super) fn policy() -> Policy {
    Policy { approvers: ["erin", "olu"].map(str::to_owned).to_vec(), ..Policy::default() }
}

pub(super) fn with<T>(policy: &Policy, run: impl FnOnce(Rules<'_>) -> T) -> T {
    run(Rules { policy, units: &Units::default(), now: NOW })
}

/// An unknown refund of USD 45.00 whose call ended half an hour ago, without a row.
pub(super) fn unknown() -> Facts {
    Facts {
        intent_id: "int_1".to_owned(),
        kind: "refund".to_owned(),
        state: Some(State::Unknown),
        recorded: true,
        in_question: true,
        version: 3,
        since: NOW.plus(-30 * MINUTE),
        by: "timeout_handler".to_owned(),
        deadline: NOW.plus(HOUR),
        calls: vec![Call {
            id: "att_1".to_owned(),
            sent: NOW.plus(-31 * MINUTE),
            ended: NOW.plus(-30 * MINUTE),
            told: "timeout".to_owned(),
            class: Class::Unknown,
        }],
        rows: Vec::new(),
        suggestions: 0,
        expected: (1, 1),
        live: 0,
        expected_total: "USD 45.00".to_owned(),
        live_total: "USD 0.00".to_owned(),
        differs: Vec::new(),
        weight: Weight::Money(vec![usd(4_500)]),
        cover: covered(),
        reads: Vec::new(),
        last_note: String::new(),
        fingerprint: "f00d".to_owned(),
    }
}

pub(super) fn covered() -> Cover {
    Cover {
        covered: true,
        failed: Vec::new(),
        from: NOW.plus(-28 * MINUTE),
        read: "provider.csv read 09:10:00Z, newest row 09:09:00Z (row 12)".to_owned(),
        declared: true,
        moves_money: true,
        final_by_declaration: false,
        live: false,
    }
}

pub(super) fn in_state(state: State) -> Facts {
    Facts { state: Some(state), ..unknown() }
}

pub(super) fn row(name: &str, status: Status, copy: bool) -> Row {
    Row { name: name.to_owned(), status, copy, undone: false, ident: 0, amount: "USD 45.00".to_owned() }
}

/// The same with its row.
pub(super) fn with_row() -> Facts {
    Facts { rows: vec![row("provider/rf_1", Status::Live, false)], live: 1, ..unknown() }
}

pub(super) fn read(seen: Seen) -> Read {
    Read {
        id: "rb_1".to_owned(),
        intent_id: "int_1".to_owned(),
        source: "portal".to_owned(),
        at: NOW.plus(-MINUTE),
        seen,
        detail: String::new(),
        independent: true,
        replayed: false,
        manual: true,
    }
}

pub(super) fn ask(to: State) -> Ask<'static> {
    Ask {
        actor: Actor::Human,
        to,
        note: NOTE,
        override_reason: None,
        acknowledged: &[],
        evidence: &[],
        break_glass: None,
        seen: None,
    }
}
