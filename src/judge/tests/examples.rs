//! The worked examples E01 to E78 of `2-judge.md` 2.11, one row each.

use super::build::{Case, LEDGER, T0, cents, eur, shown, source};
use crate::judge::facts::{Account, Idempotent, Lineage, Meaning, Receipt, link};
use crate::judge::judgement::{Class, NotCompared};
use crate::model::money::{Amount, Money};
use crate::model::outcome::Outcome;
use crate::model::row::{At, Shared, SourceNo, State, Status, Text, effect_flag};
use crate::model::time::{HOUR, MINUTE, Micros, SECOND};
use crate::model::units::{Unit, iso};

use Class::{Clean, Open, Undecided, Violation};

/// What the specification prints of an example: state (`*` derived), `[lo,hi]` before the cap, gross and net,
/// observed, rule and verdict, class, at risk, severity, findings. `?` is not compared.
struct Want(
    &'static str,
    &'static str,
    (u32, u32),
    Option<(u32, u32)>,
    &'static str,
    &'static str,
    Class,
    &'static str,
    u8,
    &'static str,
);

fn account(wanted: u32, found: u32, unlinked: u32, money: (i64, i64)) -> Account {
    Account {
        number: 7,
        wanted,
        found,
        unlinked,
        money_wanted: Some(cents(money.0)),
        money_found: Some(cents(money.1)),
    }
}

fn in_account(case: Case, suggestions: u16, account: Account) -> Case {
    case.with(|c| {
        c.ties.suggestions = suggestions;
        c.ties.account = Some(account);
        c.tries.iter_mut().for_each(|t| t.key = 0);
    })
}

fn doubled() -> Case {
    Case::recorded().lost().ok().row().row().state(State::Confirmed).covered()
}

fn one_ok() -> Case {
    Case::recorded().ok().row().state(State::Confirmed)
}

fn with_copy(case: Case, meaning: Meaning, rows: u32) -> Case {
    case.with(|c| {
        c.setting.sources.push(source(meaning));
        c.setting.sources[2].logical = 2;
        c.setting.sources[2].counts = meaning == Meaning::MovesMoney;
        let first = c.rows[0];
        for no in 0..rows {
            let mut copy = first;
            copy.row.at = At::new(SourceNo(2), u64::from(no));
            copy.links = link::SAME_EFFECT;
            c.rows.push(copy);
        }
    })
}

/// One row each; the length is that of the specification's table.
#[allow(clippy::too_many_lines)]
#[rustfmt::skip]
fn examples() -> Vec<(Want, Case)> {
    let jpy = Money::new(iso("JPY").unwrap(), Amount::minor(20_000, 0));
    let bhd = Money::new(iso("BHD").unwrap(), Amount::minor(12_345, 3));
    let eur200 = Money::new(eur(), Amount::minor(20_000, 2));
    let hundred = Some(cents(10_000));
    let twenty = Some(cents(2_000));
    let yes = Idempotent::Yes;
    vec![
        (Want("E01", "confirmed", (1, 1), Some((1, 1)), "USD 200.00", "R22 MATCHED", Clean, "0", 5, ""),
            one_ok()),
        (Want("E02", "confirmed", (1, 2), Some((2, 2)), "USD 400.00", "R05 DUPLICATED", Violation, "USD 200.00", 1, ""),
            doubled()),
        (Want("E03", "confirmed", (0, 1), Some((1, 1)), "USD 200.00", "R22 MATCHED", Clean, "0", 5, ""),
            Case::recorded().lost().row().state(State::Unknown).state(State::Confirmed)),
        (Want("E04", "confirmed", (1, 1), Some((1, 1)), "USD 200.00", "R22 MATCHED", Clean, "0", 5, ""),
            Case::recorded().idempotent(yes).lost().call(Outcome::Reused).row().state(State::Confirmed)),
        (Want("E05", "unknown", (0, 1), Some((1, 1)), "USD 200.00", "R24 HIDDEN_SUCCESS", Undecided, "USD 200.00", 3, ""),
            Case::recorded().lost().row().state(State::Unknown)),
        (Want("E06", "unknown", (0, 1), Some((0, 0)), "USD 0.00", "R31 UNRESOLVED_UNKNOWN", Undecided, "USD 200.00", 3, "MORE_MAY_LAND(1)"),
            Case::recorded().lost().state(State::Unknown)),
        (Want("E07", "unknown", (0, 1), Some((0, 0)), "USD 0.00", "R30 ABSENT_COVERED", Undecided, "USD 200.00", 3, ""),
            Case::recorded().lost().state(State::Unknown).covered()),
        (Want("E08", "unknown", (0, 1), Some((0, 0)), "USD 0.00", "R31 UNRESOLVED_UNKNOWN", Undecided, "USD 900.00", 2, "MORE_MAY_LAND(1)"),
            Case::recorded().of(Some(cents(90_000))).total(Some(cents(90_000))).lost().state(State::Unknown).now(48 * HOUR)),
        (Want("E09", "failed", (0, 0), Some((0, 0)), "USD 0.00", "R28 FAILED_CLEAN", Clean, "0", 5, ""),
            Case::recorded().refused().state(State::Failed)),
        (Want("E10", "failed", (0, 1), Some((1, 1)), "USD 200.00", "R11 FAILED_BUT_EFFECT", Violation, "USD 200.00", 1, ""),
            Case::recorded().call(Outcome::Timeout).row().state(State::Failed)),
        (Want("E11", "failed", (0, 1), Some((0, 0)), "USD 0.00", "R29 FAILED_UNPROVEN", Undecided, "USD 200.00", 3, "MORE_MAY_LAND(1)"),
            Case::recorded().call(Outcome::Timeout).state(State::Failed)),
        (Want("E12", "confirmed", (1, 1), Some((0, 0)), "USD 0.00", "R27 MISSING", Violation, "USD 200.00", 2, "PHANTOM_RESPONSE(1)"),
            Case::recorded().ok().state(State::Confirmed).covered()),
        (Want("E13", "confirmed", (1, 1), Some((0, 0)), "USD 0.00", "R25 UNVERIFIED_SUCCESS", Undecided, "USD 200.00", 4, "ACK_NOT_YET_VISIBLE(1)"),
            Case::recorded().ok().state(State::Confirmed)),
        (Want("E14", "confirmed", (1, 1), Some((1, 1)), "USD 400.00", "R13 AMOUNT_MISMATCH", Violation, "USD 200.00", 2, ""),
            Case::recorded().ok().of(Some(cents(40_000))).row().state(State::Confirmed)),
        (Want("E15", "confirmed", (1, 1), Some((1, 1)), "EUR 200.00", "R12 CURRENCY_MISMATCH", Violation, "EUR 200.00", 2, ""),
            Case::recorded().ok().of(Some(eur200)).row().state(State::Confirmed)),
        (Want("E16", "confirmed", (1, 1), Some((2, 2)), "USD 200.00", "R04 COUNT_DIFFERS_TOTAL_EQUAL", Undecided, "0", 3, "EXCESS_UNEXPLAINED(1)"),
            Case::recorded().ok().of(hundred).row().row().state(State::Confirmed)),
        (Want("E17", "confirmed", (2, 2), Some((2, 2)), "USD 200.00", "R22 MATCHED", Clean, "0", 5, ""),
            Case::recorded().count(1, 2).of(hundred).ok().ok().row().row().state(State::Confirmed)),
        (Want("E18", "confirmed", (1, 2), Some((2, 1)), "USD 200.00", "R06 DUPLICATED_REVERSED", Violation, "0", 4, ""),
            doubled().reversal(Some(1), 20_000)),
        (Want("E19", "confirmed", (1, 2), Some((2, 2)), "USD 250.00", "R05 DUPLICATED", Violation, "USD 50.00", 1, ""),
            doubled().reversal(Some(1), 15_000)),
        (Want("E20", "confirmed", (1, 2), Some((2, 0)), "USD 0.00", "R07 REVERSAL_MISMATCH", Violation, "USD 200.00", 2, ""),
            doubled().reversal(Some(0), 20_000).reversal(Some(1), 20_000)),
        (Want("E21", "confirmed", (1, 1), Some((1, 1)), "USD 150.00", "R08 LINEAGE_DOUBLE", Violation, "USD 200.00", 1, ""),
            Case::recorded().idempotent(yes).of(Some(cents(15_000))).total(Some(cents(15_000))).ok().row().state(State::Confirmed)
                .with(|c| c.ties.lineage = Some(Lineage { number: 3, live_members: 2, live_total: Some(cents(35_000)), newest_expected: Some(cents(15_000)) }))),
        (Want("E22", "confirmed", (1, 1), Some((1, 1)), "USD 20.00", "R22 MATCHED", Clean, "0", 5, ""),
            Case::recorded().idempotent(yes).of(twenty).total(twenty).ok().row().state(State::Confirmed)),
        (Want("E23", "unknown", (0, 1), Some((1, 1)), "-", "R14 ATTRIBUTE_MISMATCH", Undecided, "-", 3, ""),
            Case::recorded().of(None).total(None).lost().row().state(State::Unknown).with(|c| c.ties.attr_differs = true)),
        (Want("E24", "confirmed", (1, 1), Some((1, 1)), "-", "R10 UNREADABLE", Undecided, "USD 200.00", 3, ""),
            one_ok().last_row(|r| r.row.flags = effect_flag::AMOUNT_BAD)),
        (Want("E25", "confirmed", (1, 1), Some((1, 1)), "USD 200.00", "R16 KEY_CONFLICT", Violation, "USD 250.00", 2, ""),
            Case::recorded().idempotent(yes).lost().last_call(|t| t.payload = 1).row().of(Some(cents(25_000))).ok().last_call(|t| t.payload = 2).state(State::Confirmed)),
        (Want("E26", "confirmed", (1, 1), Some((1, 1)), "USD 200.00", "R22 MATCHED", Clean, "0", 5, ""),
            Case::recorded().idempotent(yes).ok().last_call(|t| t.payload = 1).row().of(Some(cents(25_000))).refused().last_call(|t| t.payload = 2).state(State::Confirmed)),
        (Want("E27", "submitted", (0, 1), Some((0, 0)), "USD 0.00", "R20 IN_FLIGHT", Open, "0", 5, ""),
            Case::recorded().open().state(State::Submitted).now(3 * SECOND)),
        (Want("E28", "submitted", (0, 1), Some((0, 0)), "USD 0.00", "R35 STALE_SUBMITTED", Undecided, "USD 200.00", 2, "MORE_MAY_LAND(1)"),
            Case::recorded().call(Outcome::Timeout).state(State::Submitted)),
        (Want("E29", "none", (1, 1), Some((1, 1)), "USD 200.00", "R19 UNRECORDED", Undecided, "USD 200.00", 3, ""),
            Case::derived().idempotent(Idempotent::No).of(None).ok().keys(&[0]).last_call(|t| t.receipt = Receipt::Row(0)).of(Some(cents(20_000))).row()
                .with(|c| c.ties.unrecorded = true)),
        (Want("E30", "unknown", (0, 3), Some((1, 1)), "USD 200.00", "R24 HIDDEN_SUCCESS", Undecided, "USD 400.00", 3, "MORE_MAY_LAND(2)"),
            Case::recorded().open().open().open().row().state(State::Unknown)),
        (Want("E31", "confirmed", (1, 1), Some((2, 2)), "USD 400.00", "R05 DUPLICATED", Violation, "USD 200.00", 1, "EXCESS_UNEXPLAINED(1)"),
            Case::recorded().idempotent(yes).ok().row().row().state(State::Confirmed)),
        (Want("E32", "confirmed", (1, 2), Some((2, 2)), "USD 400.00", "R05 DUPLICATED", Violation, "USD 200.00", 1, ""),
            Case::recorded().idempotent(yes).lost().row().ok().row().state(State::Confirmed).now(26 * HOUR).with(|c| {
                c.setting.tools[1].retention = Some(24 * HOUR);
                (c.tries[1].row.sent, c.tries[1].row.ended) = (T0.plus(25 * HOUR), T0.plus(25 * HOUR + SECOND));
                c.rows[1].row.committed = T0.plus(25 * HOUR);
            })),
        (Want("E33", "confirmed", (1, 1), None, "?", "R01 SOURCE_NOT_READ", Undecided, "USD 200.00", 3, ""),
            Case::recorded().ok().state(State::Confirmed).with(|c| { c.setting.sources[1].readable = false; c.setting.any_ledger = false; })),
        (Want("E34", "unknown", (0, 1), Some((0, 0)), "USD 0.00", "R31 UNRESOLVED_UNKNOWN", Undecided, "USD 200.00", 3, "MORE_MAY_LAND(1), SUGGESTION(1)"),
            Case::recorded().lost().state(State::Unknown).covered().with(|c| c.ties.suggestions = 1)),
        (Want("E35", "confirmed", (1, 2), Some((2, 2)), "JPY 40000", "R05 DUPLICATED", Violation, "JPY 20000", 1, ""),
            Case::recorded().of(Some(jpy)).total(Some(jpy)).lost().ok().row().row().state(State::Confirmed)),
        (Want("E36", "confirmed", (1, 1), Some((1, 1)), "BHD 12.345", "R22 MATCHED", Clean, "0", 5, ""),
            Case::recorded().of(Some(bhd)).total(Some(bhd)).ok().row().state(State::Confirmed)),
        (Want("E37", "failed", (0, 0), Some((1, 1)), "USD 200.00", "R02 UNEXPECTED_EFFECT", Violation, "USD 200.00", 1, "EXCESS_UNEXPLAINED(1)"),
            Case::recorded().total(Some(cents(0))).count(0, 0).refused().row().state(State::Failed)),
        (Want("E38", "unknown", (1, 1), Some((1, 1)), "USD 200.00", "R23 STATE_LAGS", Undecided, "0", 4, ""),
            Case::recorded().idempotent(yes).lost().call(Outcome::Reused).row().state(State::Unknown)),
        (Want("E39", "confirmed", (2, 2), Some((1, 1)), "USD 100.00", "R26 PARTIAL", Violation, "USD 100.00", 2, "PHANTOM_RESPONSE(1)"),
            Case::recorded().count(2, 2).of(hundred).ok().ok().row().state(State::Confirmed).covered()),
        (Want("E40", "confirmed", (1, 1), Some((1, 0)), "USD 0.00", "R15 REVERSED", Undecided, "USD 200.00", 4, ""),
            one_ok().reversal(Some(0), 20_000)),
        (Want("E41", "confirmed", (1, 2), Some((1, 1)), "USD 200.00", "R21 MATCHED_NOT_SETTLED", Undecided, "USD 200.00", 4, "MORE_MAY_LAND(1)"),
            Case::recorded().lost().ok().row().state(State::Confirmed)),
        (Want("E42", "confirmed", (1, 2), Some((1, 1)), "USD 200.00", "R22 MATCHED", Clean, "0", 5, ""),
            Case::recorded().lost().ok().row().state(State::Confirmed).covered()),
        (Want("E43", "unknown*", (0, 1), Some((1, 1)), "USD 200.00", "R24 HIDDEN_SUCCESS", Clean, "0", 5, ""),
            Case::derived().lost().row()),
        (Want("E44", "unknown*", (0, 2), Some((1, 1)), "USD 200.00", "R24 HIDDEN_SUCCESS", Undecided, "USD 200.00", 3, "MORE_MAY_LAND(1)"),
            Case::derived().lost().lost().row()),
        (Want("E45", "unknown*", (0, 2), Some((1, 1)), "USD 200.00", "R24 HIDDEN_SUCCESS", Clean, "0", 5, ""),
            Case::derived().lost().lost().row().covered()),
        (Want("E46", "confirmed*", (1, 2), Some((1, 1)), "USD 200.00", "R22 MATCHED", Clean, "0", 5, "ACKS_EXCEED_ROWS(1)"),
            Case::derived().ok().ok().row()),
        (Want("E47", "failed*", (0, 0), Some((0, 0)), "USD 0.00", "R27 MISSING", Violation, "USD 200.00", 2, ""),
            Case::derived().refused().in_file(Some(cents(20_000)), None)),
        (Want("E48", "confirmed*", (1, 1), None, "?", "R01 SOURCE_NOT_READ", Undecided, "USD 200.00", 3, ""),
            Case::derived().ok().covered().with(|c| c.setting.sources[1].from = Some(T0.plus(MINUTE)))),
        (Want("E49", "confirmed*", (1, 1), None, "?", "R01 SOURCE_NOT_READ", Undecided, "-", 3, ""),
            Case::derived().of(None).ok().with(|c| c.setting.tools[1].recorded_by.clear())),
        (Want("E50", "confirmed*", (1, 1), Some((1, 1)), "USD 200.00", "R22 MATCHED", Clean, "0", 5, ""),
            Case::derived().ok().row()),
        (Want("E51", "confirmed*", (1, 2), Some((1, 1)), "USD 200.00", "R16a SUSPECTED_DUPLICATE", Undecided, "USD 200.00", 1, "MORE_MAY_LAND(1), SUGGESTION(1)"),
            in_account(Case::derived().lost().ok().row().last_row(|r| r.links = link::RECEIPT), 1, account(1, 2, 1, (20_000, 40_000)))),
        (Want("E52", "confirmed*", (1, 2), Some((2, 2)), "USD 400.00", "R05 DUPLICATED", Violation, "USD 200.00", 1, ""),
            Case::derived().lost().ok().keys(&[0, 0]).row().row().with(|c| c.rows.iter_mut().for_each(|r| r.links = link::DECLARED))),
        (Want("E53", "confirmed*", (1, 1), Some((0, 0)), "USD 0.00", "R16a SUSPECTED_DUPLICATE", Undecided, "USD 200.00", 1, "ACK_NOT_YET_VISIBLE(1), SUGGESTION(2)"),
            in_account(Case::derived().ok(), 2, account(1, 2, 2, (20_000, 40_000)))),
        (Want("E54", "confirmed*", (1, 1), Some((0, 0)), "USD 0.00", "R25 UNVERIFIED_SUCCESS", Undecided, "USD 200.00", 3, "ACK_NOT_YET_VISIBLE(1), SUGGESTION(2), FITS_BY_ORDER"),
            in_account(Case::derived().ok(), 2, account(2, 2, 2, (40_000, 40_000)))),
        (Want("E55", "confirmed*", (2, 2), Some((2, 2)), "USD 40.00", "R04a SUSPECTED_DUPLICATE", Undecided, "USD 20.00", 1, ""),
            Case::derived().of(twenty).ok().ok().keys(&[0, 0]).row().row().with(|c| c.ties.assumed_group = true)),
        (Want("E56", "confirmed*", (2, 2), Some((2, 2)), "USD 30.00", "R04a SUSPECTED_DUPLICATE", Undecided, "USD 12.00", 1, "AMOUNT_CHANGED"),
            Case::derived().of(Some(cents(1_800))).ok().row().of(Some(cents(1_200))).ok().row().keys(&[0, 0])),
        (Want("E57", "confirmed", (1, 1), Some((1, 1)), "USD 50.00", "R20a UNVERIFIED_SUCCESS", Undecided, "USD 150.00", 4, ""),
            Case::recorded().count(1, 3).of(Some(cents(5_000))).ok().row().state(State::Confirmed)),
        (Want("E58", "confirmed", (1, 1), Some((1, 1)), "USD 50.00", "R13 AMOUNT_MISMATCH", Violation, "USD 150.00", 2, ""),
            Case::recorded().count(1, 3).of(Some(cents(5_000))).ok().row().state(State::Confirmed).covered()),
        (Want("E59", "confirmed*", (1, 2), Some((2, 2)), "-", "R05 DUPLICATED", Violation, "-", 1, ""),
            Case::derived().of(None).lost().ok().row().row()),
        (Want("E60", "confirmed*", (1, 2), Some((1, 1)), "USD 21.00", "R21 MATCHED_NOT_SETTLED", Undecided, "USD 21.00", 4, "MORE_MAY_LAND(1), AMOUNT_CHANGED"),
            Case::derived().of(Some(cents(1_000))).lost().of(Some(cents(2_100))).ok().row()),
        (Want("E61", "confirmed*", (1, 1), Some((0, 0)), "USD 0.00", "R25 UNVERIFIED_SUCCESS", Undecided, "USD 200.00", 3, "ON_ITS_WAY(1)"),
            Case::derived().ok().pending()),
        (Want("E62", "confirmed*", (1, 2), Some((1, 1)), "USD 200.00", "R16a SUSPECTED_DUPLICATE", Undecided, "USD 200.00", 1, "ON_ITS_WAY(1)"),
            Case::derived().lost().ok().row().pending()),
        (Want("E63", "confirmed*", (1, 1), Some((1, 1)), "USD 200.00", "R22 MATCHED", Clean, "0", 5, ""),
            Case::derived().lost().call(Outcome::AlreadyDone).row()),
        (Want("E64", "confirmed*", (1, 1), Some((0, 0)), "USD 0.00", "R27 MISSING", Violation, "USD 200.00", 2, "CAME_BACK(1)"),
            Case::derived().ok().row().status(Status::NotAnEffect).covered()),
        (Want("E65", "failed", (0, 1), Some((0, 0)), "USD 0.00", "R29 FAILED_UNPROVEN", Undecided, "USD 200.00", 2, "ON_ITS_WAY(1)"),
            Case::recorded().call(Outcome::Timeout).pending().state(State::Failed)),
        (Want("E66", "confirmed*", (1, 1), Some((1, 1)), "USD 200.00", "R22 MATCHED", Undecided, "0", 3, "SOURCES_DISAGREE"),
            with_copy(Case::derived().ok().row(), Meaning::CopyOf(Some(LEDGER)), 2)),
        (Want("E67", "confirmed*", (1, 1), Some((1, 1)), "USD 200.00", "R22 MATCHED", Clean, "0", 5, ""),
            with_copy(Case::derived().ok().row(), Meaning::MovesMoney, 1)),
        (Want("E68", "confirmed*", (1, 1), Some((1, 1)), "USD 200.00", "R22 MATCHED", Clean, "0", 5, ""),
            Case::derived().ok().row()),
        (Want("E69", "confirmed*", (1, 1), Some((1, 1)), "200.00 ?", "R22 MATCHED", Clean, "0", 5, "CURRENCY_UNKNOWN"),
            Case::derived().ok().row().last_row(|r| r.row.unit = Unit::UNKNOWN)),
        (Want("E70", "confirmed*", (1, 1), Some((0, 0)), "USD 0.00", "R27 MISSING", Violation, "USD 200.00", 2, "PHANTOM_RESPONSE(1)"),
            Case::derived().ok().with(|c| {
                let ledger = &mut c.setting.sources[1];
                (ledger.read_at, ledger.read_at_is_newest, ledger.newest) = (None, true, Some(T0.plus(3 * MINUTE)));
            })),
        (Want("E71", "confirmed*", (1, 1), Some((1, 1)), "USD 200.00", "R22 MATCHED", Clean, "0", 5, ""),
            Case::derived().ok().row().status(Status::NotAnEffect).row().status(Status::NotAnEffect).row()),
        (Want("E72", "confirmed*", (1, 1), Some((2, 2)), "USD 400.00", "R04a SUSPECTED_DUPLICATE", Undecided, "USD 200.00", 1, "EXCESS_UNEXPLAINED(1), NO_EFFECT_ID"),
            Case::derived().ok().row().row().with(|c| {
                c.rows.iter_mut().for_each(|r| r.row.id = Text::NONE);
                c.rows[1].row.flags |= effect_flag::TWIN;
            })),
        (Want("E73", "confirmed*", (1, 2), Some((2, 1)), "USD 200.00", "R06 DUPLICATED_REVERSED", Violation, "0", 4, ""),
            Case::derived().lost().ok().row().row().reversal(None, 20_000)),
        (Want("E74", "confirmed*", (1, 1), Some((1, 1)), "USD 200.00", "R22 MATCHED", Undecided, "0", 3, "NEAR_IDENTICAL_ID"),
            Case::derived().ok().row().with(|c| c.ties.near_identical = true)),
        (Want("E75", "confirmed", (0, 1), Some((0, 0)), "USD 0.00", "R27 MISSING", Violation, "USD 200.00", 1, "DISPUTED"),
            Case::recorded().lost().state(State::Unknown).state(State::Confirmed).covered().with(|c| c.ties.disputed = true)),
        (Want("E76", "confirmed*", (1, 2), Some((2, 2)), "USD 400.00", "R05 DUPLICATED", Violation, "USD 200.00", 1, ""),
            Case::derived().lost().ok().keys(&[1, 2]).row().row().with(|c| c.ties.assumed_group = true)),
        (Want("E77", "confirmed*", (1, 1), Some((1, 1)), "USD 200.00", "R16a SUSPECTED_DUPLICATE", Undecided, "USD 200.00", 1, ""),
            Case::derived().ok().row().with(|c| c.ties.two_keys = true)),
        (Want("E78", "confirmed*", (1, 1), Some((0, 0)), "USD 0.00", "R25 UNVERIFIED_SUCCESS", Undecided, "USD 108.00", 2, "ACK_NOT_YET_VISIBLE(1), SUGGESTION(1), DIFFERS_BY_ORDER"),
            in_account(Case::derived().of(Some(cents(1_200))).ok(), 1, account(1, 1, 1, (1_200, 12_000)))),
    ]
}

/// What the judge says of an example, in the form of the specification.
fn said(name: &'static str, case: &Case) -> String {
    let j = case.judge();
    let state = j.state.map_or("none", State::word);
    let derived = if j.state_recorded || j.state.is_none() { "" } else { "*" };
    let compared = j.not_compared == NotCompared::No;
    let counts = if compared { format!("{}/{}", j.gross, j.net) } else { "?".to_owned() };
    let observed = if compared { shown(j.live) } else { "?".to_owned() };
    let risk = if j.risk.is_some_and(|m| m.amount.is_zero()) { "0".to_owned() } else { shown(j.risk) };
    format!(
        "{name} {state}{derived} [{},{}] {counts} {observed} {} {} {} {risk} S{} {}",
        j.lo,
        j.hi_uncapped,
        j.rule.number(),
        j.verdict(),
        j.class.word(),
        j.severity,
        case.findings().join(", ")
    )
}

#[test]
fn every_worked_example() {
    let examples = examples();
    assert_eq!(examples.len(), 78);
    let mut wrong = Vec::new();
    for (no, (want, case)) in (1..).zip(&examples) {
        let Want(name, state, (lo, hi), counts, observed, rule, class, risk, severity, findings) = want;
        assert_eq!(*name, format!("E{no:02}"));
        let counts = counts.map_or("?".to_owned(), |(gross, net)| format!("{gross}/{net}"));
        let class = class.word();
        let want = format!(
            "{name} {state} [{lo},{hi}] {counts} {observed} {rule} {class} {risk} S{severity} {findings}"
        );
        let said = said(name, case);
        if said != want {
            wrong.push(format!("want {want}\nsaid {said}"));
        }
    }
    assert!(wrong.is_empty(), "{} examples differ:\n{}", wrong.len(), wrong.join("\n"));
}

/// The case of an example.
pub fn example(name: &str) -> Case {
    examples().into_iter().find(|(want, _)| want.0 == name).unwrap().1
}

#[test]
fn one_history_under_three_ledgers() {
    let rule = |name: &str| example(name).judge().rule.number();
    assert_eq!([rule("E48"), rule("E12"), rule("E70")], ["R01", "R27", "R27"]);
    assert_eq!(example("E48").judge().not_compared, NotCompared::OlderThanLedger);
    assert_eq!(example("E49").judge().not_compared, NotCompared::NoLedgerForTool);
    assert_eq!(example("E33").judge().not_compared, NotCompared::LedgerNotRead);
}

#[test]
fn pairs_that_differ_only_in_the_read_position() {
    for (early, late) in [("E41", "E42"), ("E44", "E45"), ("E57", "E58")] {
        let covered = example(early).covered();
        assert_eq!(said("", &covered), said("", &example(late)), "{early}");
    }
}

#[test]
fn a_suggestion_rejected_or_linked() {
    let rejected = example("E34").with(|c| c.ties.suggestions = 0);
    assert_eq!(rejected.judge().verdict(), "ABSENT_COVERED");
    let linked = rejected.row().last_row(|r| r.links = link::HAND);
    assert_eq!(linked.judge().verdict(), "HIDDEN_SUCCESS");
}

#[test]
fn the_parent_of_a_lineage_and_the_first_of_two_keys_say_the_same() {
    let parent = one_ok().with(|c| c.ties.lineage = example("E21").ties.lineage).judge();
    assert_eq!((parent.verdict(), parent.group), ("LINEAGE_DOUBLE", Some(3)));
    assert_eq!(shown(parent.risk), "USD 200.00");
    let first = Case::derived().lost().row().with(|c| c.ties.two_keys = true).judge();
    assert_eq!(first.verdict(), "SUSPECTED_DUPLICATE");
}

#[test]
fn expired_stale_submitted_is_an_unresolved_unknown() {
    assert_eq!(example("E28").state(State::Unknown).judge().verdict(), "UNRESOLVED_UNKNOWN");
}

#[test]
fn without_the_reconciliation_a_neutral_run_is_a_hidden_success_and_clean() {
    let derived = example("E03").with(|c| c.states.clear()).judge();
    assert_eq!((derived.verdict(), derived.class), ("HIDDEN_SUCCESS", Clean));
}

#[test]
fn without_a_file_a_refused_call_is_failed_clean() {
    assert_eq!(example("E47").with(|c| c.file = None).judge().verdict(), "FAILED_CLEAN");
}

#[test]
fn a_split_that_was_meant_is_matched() {
    let meant = example("E56").in_file(Some(cents(3_000)), Some((2, 2))).judge();
    assert_eq!((meant.verdict(), meant.class), ("MATCHED", Clean));
}

#[test]
fn a_configured_high_value_lifts_by_one_step_at_the_limit() {
    for (limit, e05, e12) in [(15_000, 2, 1), (20_000, 2, 1), (20_001, 3, 2)] {
        let severity =
            |name: &str| example(name).with(|c| c.setting.high_value = vec![cents(limit)]).judge().severity;
        assert_eq!((severity("E05"), severity("E12")), (e05, e12), "{limit}");
    }
}

#[test]
fn at_most_once_of_the_named_examples() {
    use crate::judge::judgement::AtMostOnce::{Held, NotJudged, Violated};
    for (name, want) in [
        ("E03", Held),
        ("E06", Held),
        ("E46", Held),
        ("E09", Held),
        ("E30", NotJudged),
        ("E41", NotJudged),
        ("E24", NotJudged),
        ("E33", NotJudged),
        ("E51", NotJudged),
        ("E55", NotJudged),
        ("E02", Violated),
        ("E10", Violated),
        ("E14", Violated),
        ("E15", Violated),
        ("E16", Violated),
        ("E18", Violated),
        ("E19", Violated),
        ("E21", Violated),
        ("E37", Violated),
    ] {
        assert_eq!(example(name).judge().at_most_once, want, "{name}");
    }
}

#[test]
fn retry_origin_is_told_by_ids_only() {
    let with = |run: u32, decisions: [u32; 2]| {
        let case = example("E02").with(|c| {
            for (t, decision) in c.tries.iter_mut().zip(decisions) {
                (t.row.decision, t.row.run) = (decision, Shared(run));
            }
        });
        case.judge().origin.word()
    };
    assert_eq!(with(1, [1, 2]), Some("MODEL"));
    assert_eq!(with(2, [1, 2]), Some("SCRIPT"));
    assert_eq!(with(0, [1, 2]), Some("CALLER"));
    assert_eq!(with(1, [1, 1]), Some("FRAMEWORK"));
    assert_eq!(with(1, [1, 0]), Some("UNKNOWN"));
    assert_eq!(example("E01").judge().origin.word(), None);
    assert_eq!(example("E31").judge().origin.word(), Some("UNKNOWN"));
    let complete = example("E31").with(|c| c.setting.trace_complete = true);
    assert_eq!(complete.judge().origin.word(), Some("TRANSPORT"));
}

#[test]
fn divergence() {
    let divergent: Vec<String> =
        (1..=78).map(|no| format!("E{no:02}")).filter(|name| example(name).judge().divergent).collect();
    let want = "E02 E06 E07 E08 E10 E12 E13 E14 E15 E16 E18 E19 E20 E21 E24 E28 E31 E32 E34 E35 E37 E39 E40 E47 E51 \
                E52 E53 E54 E55 E56 E57 E58 E59 E61 E62 E64 E70 E72 E73 E75 E76 E77 E78";
    assert_eq!(divergent.join(" "), want);
}

#[test]
fn what_is_not_compared_is_never_divergent() {
    for name in ["E27", "E33", "E48", "E49"] {
        assert!(!example(name).judge().divergent, "{name}");
    }
    let started = Case::recorded().state(State::Submitted).now(3 * SECOND).judge();
    assert_eq!((started.verdict(), started.divergent), ("NOT_STARTED", false));
    assert_eq!(started.since, Micros::NONE);
}
