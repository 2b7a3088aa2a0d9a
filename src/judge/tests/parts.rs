//! Several sources, partitions, parts, copies; several units; reversals; accepted totals; suspicion by assumption.

use super::build::{Case, LEDGER, T0, a_record, cents, eur, shown, source, usd};
use crate::judge::count::Found;
use crate::judge::coverage::condition::{C2, C6};
use crate::judge::facts::{Account, Idempotent, Lineage, Meaning, link};
use crate::judge::judgement::{AtMostOnce, Class, ExpectedFrom};
use crate::judge::price::at_risk;
use crate::judge::reduce::reduce;
use crate::judge::severity::label;
use crate::model::money::{Amount, Money};
use crate::model::outcome::Outcome;
use crate::model::row::{At, Shared, SourceNo, State, Status, Text, attempt_flag, effect_flag, record_flag};
use crate::model::time::{HOUR, SECOND};
use crate::model::units::Unit;

const SECOND_LEDGER: SourceNo = SourceNo(2);

fn euros(minor: i64) -> Money {
    Money::new(eur(), Amount::minor(minor, 2))
}

/// A second ledger that records the tool too.
fn with_ledger(case: Case, meaning: Meaning, change: impl FnOnce(&mut crate::judge::facts::Source)) -> Case {
    case.with(|c| {
        c.setting.sources.push(source(meaning));
        c.setting.tools[1].recorded_by.push(SECOND_LEDGER);
        change(&mut c.setting.sources[2]);
    })
}

fn in_second(case: Case) -> Case {
    case.last_row(|r| r.row.at = At::new(SECOND_LEDGER, r.row.at.place()))
}

fn late(s: &mut crate::judge::facts::Source) {
    (s.read_at, s.newest) = (Some(T0.plus(HOUR)), Some(T0.plus(HOUR)));
}

fn told_yes() -> Case {
    Case::recorded().ok().state(State::Confirmed)
}

#[test]
fn parts_add_up_and_cover_only_together() {
    let parts = |first_late: bool, second_late: bool| {
        let case = if first_late { told_yes().covered() } else { told_yes() };
        let case = case.with(|c| c.setting.sources[1].meaning = Meaning::Part);
        with_ledger(case, Meaning::Part, |s| if second_late { late(s) })
    };
    assert_eq!(parts(true, true).judge().verdict(), "MISSING");
    assert_eq!(parts(true, false).judge().verdict(), "UNVERIFIED_SUCCESS");
    assert_eq!(parts(false, true).judge().verdict(), "UNVERIFIED_SUCCESS");
    let both = in_second(parts(true, true).of(Some(cents(5_000))).row().of(Some(cents(15_000))).row());
    assert_eq!((both.judge().gross, shown(both.judge().live)), (2, "USD 200.00".to_owned()));
}

#[test]
fn one_of_several_listings_suffices() {
    let either = with_ledger(told_yes(), Meaning::MovesMoney, late);
    assert_eq!(either.judge().verdict(), "MISSING");
    let (_, tally) = reduce(&either.facts(), &either.setting);
    assert_eq!(tally.coverage.source, Some(SECOND_LEDGER));
}

#[test]
fn the_partition_of_the_call_has_to_cover_and_all_of_them_where_it_names_none() {
    let split = |part: u16, first_late: bool, second_late: bool| {
        let case = if first_late { told_yes().covered() } else { told_yes() };
        let case = case.with(|c| {
            c.setting.sources[1].part = Shared(1);
            c.tries[0].row.part = Shared(part);
        });
        with_ledger(case, Meaning::MovesMoney, |s| {
            s.part = Shared(2);
            if second_late {
                late(s);
            }
        })
    };
    assert_eq!(split(1, true, false).judge().verdict(), "MISSING");
    assert_eq!(split(2, true, false).judge().verdict(), "UNVERIFIED_SUCCESS");
    assert_eq!(split(0, true, false).judge().verdict(), "UNVERIFIED_SUCCESS");
    assert_eq!(split(0, true, true).judge().verdict(), "MISSING");
    // The region's own listing that ends too early is nearer than another region that was read late enough.
    let other_region = split(2, true, false);
    let early = other_region.with(|c| c.setting.sources[2].read_at = Some(T0.plus(HOUR)));
    let (_, tally) = reduce(&early.facts(), &early.setting);
    assert_eq!((tally.coverage.source, tally.coverage.failed), (Some(SECOND_LEDGER), C2));
    let only_other = told_yes().covered().with(|c| {
        c.setting.sources[1].part = Shared(1);
        c.tries[0].row.part = Shared(2);
    });
    assert_eq!(only_other.judge().uncovered, C6);
}

#[test]
fn a_copy_never_adds_and_never_covers() {
    let copy = |case: Case| {
        with_ledger(case, Meaning::CopyOf(Some(LEDGER)), |s| {
            s.counts = false;
            late(s);
        })
    };
    let only_in_books = in_second(copy(told_yes()).row());
    let j = only_in_books.judge();
    assert_eq!((j.gross, j.verdict()), (0, "UNVERIFIED_SUCCESS"));
    assert_eq!(only_in_books.findings(), ["ACK_NOT_YET_VISIBLE(1)", "SOURCES_DISAGREE"]);
    let covered = in_second(copy(told_yes().covered()).row());
    assert_eq!((covered.judge().verdict(), covered.judge().class), ("MISSING", Class::Violation));
    // The provider paid twice, our books have one.
    let twice = in_second(copy(told_yes()).row().row().row()).last_row(|r| r.ident = 0);
    assert_eq!((twice.judge().verdict(), twice.judge().gross), ("DUPLICATED", 2));
    // Books that agree, row by row and in the total, say nothing.
    let agree = in_second(copy(told_yes()).row().row()).last_row(|r| r.ident = 0);
    assert_eq!((agree.findings(), agree.judge().class), (vec![], Class::Clean));
    // Another amount in the books is a difference; what lies in them is told by itself.
    let other = in_second(copy(told_yes()).row().of(Some(cents(4_600))).row()).last_row(|r| r.ident = 0);
    assert_eq!((other.findings(), label(&other.judge())), (vec!["SOURCES_DISAGREE".to_owned()], "LOOK AT IT"));
    let books = Found::in_source(&other.facts(), &other.setting, SECOND_LEDGER);
    assert_eq!((books.gross, shown(books.smallest)), (1, "USD 46.00".to_owned()));
}

#[test]
fn one_effect_on_its_way_in_one_source_and_done_in_another_is_done() {
    let case = with_ledger(told_yes(), Meaning::MovesMoney, |_| {}).pending().row();
    let j = in_second(case).last_row(|r| r.ident = 0).judge();
    assert_eq!((j.gross, j.on_its_way, j.verdict()), (1, 0, "MATCHED"));
}

#[test]
fn rows_that_were_merged_away_do_not_count() {
    let j = told_yes().row().row().last_row(|r| r.row.flags |= effect_flag::DROPPED).judge();
    assert_eq!((j.gross, j.verdict()), (1, "MATCHED"));
    let tries = Case::derived().ok().ok().last_call(|t| t.row.flags |= attempt_flag::DROPPED).judge();
    assert_eq!((tries.attempts, tries.hi_uncapped), (1, 1));
    let reads = Case::derived().ok().ok().last_call(|t| t.row.flags |= attempt_flag::READ).judge();
    assert_eq!(reads.attempts, 1);
}

#[test]
fn several_currencies_are_listed_and_never_added() {
    let case = told_yes().row().of(Some(euros(5_000))).row().covered();
    let j = case.judge();
    assert_eq!((j.verdict(), j.at_most_once), ("DUPLICATED", AtMostOnce::Violated));
    assert!(j.several_units);
    let (_, tally) = reduce(&case.facts(), &case.setting);
    let risk = at_risk(&case.facts(), &case.setting, &tally, j.rule, j.class);
    let list: Vec<String> = risk.list(usd()).into_iter().map(|m| shown(Some(m))).collect();
    assert_eq!(list, ["EUR 50.00"]);
    let within_range = told_yes().count(1, 2).row().of(Some(euros(5_000))).row().judge();
    assert_eq!(within_range.verdict(), "CURRENCY_MISMATCH");
}

#[test]
fn an_accepted_alternative_alone_is_equal() {
    let accept = |case: Case| case.with(|c| c.accept = vec![cents(20_000), euros(18_410)]);
    let one = |money| accept(told_yes().of(Some(money)).row()).judge();
    assert_eq!(one(cents(20_000)).verdict(), "MATCHED");
    assert_eq!(one(euros(18_410)).verdict(), "MATCHED");
    let wrong = one(euros(18_000));
    assert_eq!((wrong.verdict(), shown(wrong.risk)), ("AMOUNT_MISMATCH", "EUR 4.10".to_owned()));
    let both = accept(told_yes().count(1, 2).row().of(Some(euros(18_410))).row()).judge();
    assert_eq!(both.verdict(), "CURRENCY_MISMATCH");
}

#[test]
fn tolerance_is_in_minor_units_and_strict_beyond() {
    let verdict = |minor: i64| {
        told_yes().of(Some(cents(minor))).row().with(|c| c.setting.tolerance = 2).judge().verdict()
    };
    assert_eq!(
        [verdict(19_997), verdict(19_998), verdict(20_002), verdict(20_003)],
        ["AMOUNT_MISMATCH", "MATCHED", "MATCHED", "AMOUNT_MISMATCH"]
    );
    // Minor units of the currency, however few decimals were written.
    let whole = Money::new(usd(), Amount { digits: 200, scale: 0 });
    let case = told_yes().total(Some(whole)).of(Some(cents(20_100))).row().with(|c| c.setting.tolerance = 2);
    assert_eq!(case.judge().verdict(), "AMOUNT_MISMATCH");
}

#[test]
fn amounts_without_a_unit() {
    let unit_of_row = |unit| told_yes().row().last_row(|r| r.row.unit = unit);
    for unit in [Unit::NONE, Unit::UNKNOWN] {
        let case = unit_of_row(unit);
        assert_eq!((case.judge().verdict(), shown(case.judge().live)), ("MATCHED", "200.00 ?".to_owned()));
        assert_eq!(case.findings(), ["CURRENCY_UNKNOWN"]);
    }
    // On both sides numbers compare.
    let both = |row: i64| {
        let question = |minor| Some(Money::new(Unit::UNKNOWN, Amount::minor(minor, 2)));
        told_yes().total(question(20_000)).of(question(row)).row()
    };
    assert_eq!((both(20_000).judge().verdict(), both(20_000).findings()), ("MATCHED", vec![]));
    assert_eq!(both(40_000).judge().verdict(), "AMOUNT_MISMATCH");
    // Minor units of who knows which currency do not compare with major ones.
    let minor = both(40_000).last_row(|r| r.row.flags |= effect_flag::MINOR);
    assert_eq!(minor.judge().verdict(), "MATCHED");
    // Expected without a unit, found with one.
    let expected = told_yes().total(Some(Money::new(Unit::UNKNOWN, Amount::minor(1, 2)))).row();
    assert_eq!((expected.judge().verdict(), expected.findings()), ("MATCHED", vec!["CURRENCY_UNKNOWN".to_owned()]));
    // A double is a double without any currency; its price is that of one effect.
    let double = told_yes().row().row().with(|c| c.rows.iter_mut().for_each(|r| r.row.unit = Unit::NONE)).judge();
    assert_eq!((double.verdict(), shown(double.risk)), ("DUPLICATED", "USD 200.00".to_owned()));
}

#[test]
fn a_ledger_without_amounts_judges_counts_alone() {
    let j = told_yes().of(None).row().judge();
    assert_eq!((j.verdict(), j.live), ("MATCHED", None));
}

#[test]
fn sums_that_do_not_fit_are_unreadable() {
    let huge = Some(Money::new(usd(), Amount::minor(i64::MAX, 2)));
    let j = told_yes().count(1, 2).of(huge).row().row().judge();
    assert_eq!((j.verdict(), j.live), ("AMOUNT_MISMATCH", None));
    let too_many = Some(Money::new(Unit::TOO_MANY, Amount::minor(1, 0)));
    assert_eq!(told_yes().of(too_many).row().judge().verdict(), "UNREADABLE");
}

#[test]
fn reversals() {
    let doubled = || Case::recorded().lost().ok().row().row().state(State::Confirmed).covered();
    let state = |case: Case| (case.judge().gross, case.judge().net, shown(case.judge().live), case.judge().verdict());
    let usd = |text: &str| text.to_owned();
    // More than there was: the rest is missing from the total.
    let over = doubled().reversal(Some(1), 25_000);
    assert_eq!(state(over.clone()), (2, 1, usd("USD 150.00"), "REVERSAL_MISMATCH"));
    assert!(over.findings().contains(&"REVERSAL_OVER".to_owned()));
    // In two steps.
    let steps = doubled().reversal(Some(1), 5_000).reversal(Some(1), 15_000);
    assert_eq!(state(steps), (2, 1, usd("USD 200.00"), "DUPLICATED_REVERSED"));
    // Without a name: of exactly one effect's amount, else the total alone.
    assert_eq!(state(doubled().reversal(None, 15_000)), (2, 2, usd("USD 250.00"), "DUPLICATED"));
    let twice = doubled().reversal(None, 20_000).reversal(None, 20_000);
    assert_eq!(state(twice), (2, 0, usd("USD 0.00"), "REVERSAL_MISMATCH"));
    // It names an effect that is not here: no sum changes.
    let unknown = doubled().reversal(None, 20_000).last_row(|r| r.row.reverses = Text(9));
    assert_eq!(state(unknown.clone()).1, 2);
    assert!(unknown.findings().contains(&"ORPHAN_REVERSAL".to_owned()));
    // A reversal that itself is on its way or failed takes nothing back.
    for status in [Status::OnItsWay, Status::NotAnEffect] {
        let j = doubled().reversal(Some(1), 20_000).status(status).judge();
        assert_eq!((j.net, j.on_its_way, j.came_back), (2, 0, 0));
    }
    // Recorded twice, in two sources: taken off once.
    let copies = with_ledger(doubled(), Meaning::MovesMoney, |_| {}).reversal(Some(1), 15_000).reversal(Some(1), 15_000);
    let ident = copies.rows[2].ident;
    assert_eq!(state(in_second(copies).last_row(|r| r.ident = ident)).2, "USD 250.00");
    // Unreadable, or in another currency.
    let unreadable = doubled().reversal(Some(1), 20_000).last_row(|r| r.row.flags = effect_flag::AMOUNT_BAD | effect_flag::REVERSAL);
    assert_eq!((unreadable.judge().live, unreadable.judge().verdict()), (None, "DUPLICATED"));
    let foreign = doubled().reversal(Some(1), 20_000).last_row(|r| r.row.unit = eur());
    assert_eq!((foreign.judge().net, foreign.judge().several_units), (2, true));
    // A message has no amount: naming it takes it back.
    let mail = Case::recorded().total(None).of(None).lost().ok().row().row().reversal(Some(1), 0);
    let mail = mail.last_row(|r| r.row.flags = effect_flag::REVERSAL);
    assert_eq!(state(mail).1, 1);
}

#[test]
fn many_rows_leave_the_stack_and_count_the_same() {
    let mut case = Case::recorded().ok().state(State::Confirmed);
    for _ in 0..300 {
        case = case.row();
    }
    for _ in 0..150 {
        case = case.reversal(None, 20_000);
    }
    assert_eq!((case.judge().gross, case.judge().net), (300, 150));
    assert_eq!(shown(case.judge().risk), "USD 29800.00");
}

#[test]
fn a_must_not_happen_that_was_undone_or_is_on_its_way() {
    let never = || Case::recorded().total(Some(cents(0))).count(0, 0).ok().state(State::Confirmed);
    assert_eq!(never().row().reversal(Some(0), 20_000).judge().rule.number(), "R03");
    assert_eq!((never().judge().verdict(), never().covered().judge().verdict()), ("UNVERIFIED_ABSENCE", "MATCHED"));
    assert_eq!(never().covered().pending().judge().verdict(), "UNVERIFIED_ABSENCE");
    assert_eq!(never().judge().at_most_once, AtMostOnce::Held);
    assert_eq!(never().pending().judge().at_most_once, AtMostOnce::NotJudged);
}

#[test]
fn file_over_record_field_by_field() {
    let case = Case::recorded().ok().row().in_file(None, Some((2, 2)));
    let j = case.judge();
    assert_eq!((j.min, j.max, shown(j.expected), j.expected_from), (2, 2, "USD 200.00".to_owned(), ExpectedFrom::File));
    assert_eq!(case.findings(), Vec::<String>::new());
    let differs = Case::recorded().count(1, 1).ok().row().in_file(Some(cents(10_000)), Some((2, 2)));
    assert_eq!(differs.findings(), ["EXPECTATION_DIFFERS"]);
    let reversed_range = Case::recorded().ok().row().with(|c| {
        let mut record = a_record(record_flag::COUNT, None);
        (record.min, record.max) = (3, 1);
        c.record = Some(record);
    });
    assert_eq!((reversed_range.judge().min, reversed_range.judge().max), (3, 3));
}

#[test]
fn assumed_totals() {
    let total = |case: Case| shown(case.judge().expected);
    assert_eq!(total(Case::derived().ok()), "USD 200.00");
    assert_eq!(total(Case::derived().ok().in_file(None, Some((2, 2)))), "USD 400.00");
    assert_eq!(total(Case::derived().ok().in_file(None, Some((1, 2)))), "-");
    assert_eq!(total(Case::derived().refused()), "-");
    assert_eq!(total(Case::derived().ok().of(Some(cents(1))).refused()), "USD 200.00");
    assert_eq!(total(Case::derived().ok().of(None).call(Outcome::Reused)), "USD 200.00");
    assert_eq!(total(Case::derived().ok().of(Some(Money::new(usd(), Amount { digits: 200, scale: 0 }))).lost()), "USD 200.00");
    let bad = Case::derived().ok().of(None).lost().last_call(|t| t.row.flags |= attempt_flag::AMOUNT_BAD);
    assert_eq!(total(bad), "-");
    let changed = Case::derived().ok().of(Some(euros(20_000))).lost();
    assert_eq!(changed.findings(), ["ACK_NOT_YET_VISIBLE(1)", "MORE_MAY_LAND(1)", "AMOUNT_CHANGED"]);
}

#[test]
fn the_price_of_one_of_three_is_rounded_up() {
    let case = Case::recorded().count(3, 3).lost().state(State::Unknown);
    // Nothing there, three wanted: three units of 66.67.
    assert_eq!(shown(case.judge().risk), "USD 200.01");
}

#[test]
fn suspicion_by_assumption_ends_where_someone_said_what_is_expected() {
    let grouped = || {
        let case = Case::derived().ok().ok().keys(&[0, 0]).row().row();
        case.with(|c| c.ties.assumed_group = true)
    };
    assert_eq!(grouped().judge().rule.number(), "R04a");
    assert_eq!(grouped().in_file(Some(cents(20_000)), None).judge().rule.number(), "R05");
    assert_eq!(grouped().with(|c| c.ties.assumed_group = false).judge().rule.number(), "R05");
    // The first call lost its answer, and was over before the second was sent; or it was not.
    let lost = |ended: i64| {
        let case = Case::derived().lost().ok().keys(&[1, 2]).row().row();
        case.with(|c| {
            c.ties.assumed_group = true;
            c.tries[0].row.ended = T0.plus(ended);
        })
    };
    assert_eq!(lost(10 * SECOND).judge().rule.number(), "R05");
    assert_eq!(lost(10 * SECOND + 1).judge().rule.number(), "R04a");
    // Equal amounts, or an amount that nobody asked for, are no two requests.
    let amounts = |first: i64, second: i64, row: i64| {
        let case = Case::derived().of(Some(cents(first))).ok().row().of(Some(cents(second))).ok();
        case.keys(&[0, 0]).of(Some(cents(row))).row().judge().rule.number()
    };
    assert_eq!([amounts(1_800, 1_200, 1_200), amounts(1_800, 1_200, 1_300)], ["R04a", "R05"]);
}

#[test]
fn lines_that_stand_twice_would_have_to_fit_if_they_counted_once() {
    let twins = |rows: usize, twins: usize| {
        let mut case = Case::derived().ok();
        for no in 0..rows {
            case = case.row().last_row(|r| r.row.flags |= if no < twins { effect_flag::TWIN } else { 0 });
        }
        case.judge().rule.number()
    };
    assert_eq!([twins(2, 1), twins(3, 1), twins(3, 2)], ["R04a", "R05", "R04a"]);
}

#[test]
fn accounts() {
    let account = |wanted, found, unlinked, suggestions| {
        Case::derived().ok().row().keys(&[0]).with(|c| {
            c.ties.suggestions = suggestions;
            c.ties.account = Some(Account {
                number: 5,
                wanted,
                found,
                unlinked,
                money_wanted: None,
                money_found: None,
            });
        })
    };
    // One more than wanted, and one of them is not linked.
    assert_eq!(account(2, 3, 1, 1).judge().rule.number(), "R16a");
    assert_eq!(account(2, 3, 1, 1).judge().group, Some(5));
    // A row that fits another request of the order is none too many.
    assert_eq!(account(2, 2, 1, 1).judge().rule.number(), "R22");
    // All of them are linked: ids decide.
    assert_eq!(account(2, 3, 0, 0).judge().rule.number(), "R22");
    // Without an account the suggestion is above what this intent allows.
    assert_eq!(account(1, 1, 0, 1).with(|c| c.ties.account = None).judge().rule.number(), "R16a");
}

#[test]
fn lineage_needs_two_members_with_live_effects() {
    let chain = |live_members| {
        told_yes().row().with(|c| {
            c.ties.lineage = Some(Lineage {
                number: 1,
                live_members,
                live_total: Some(cents(35_000)),
                newest_expected: Some(cents(15_000)),
            });
        })
    };
    assert_eq!([chain(1).judge().verdict(), chain(2).judge().verdict()], ["MATCHED", "LINEAGE_DOUBLE"]);
}

#[test]
fn keys_with_two_payloads() {
    let verdict = |payloads: [u32; 2], keys: [u32; 2], second: Outcome| {
        let case = Case::recorded().idempotent(Idempotent::Yes).lost().call(second).keys(&keys).row();
        let case = case.state(State::Confirmed).covered();
        case.with(|c| c.tries.iter_mut().zip(payloads).for_each(|(t, p)| t.payload = p)).judge().verdict()
    };
    assert_eq!(verdict([1, 2], [1, 1], Outcome::Success), "KEY_CONFLICT");
    assert_eq!(verdict([1, 2], [1, 1], Outcome::Timeout), "KEY_CONFLICT");
    assert_eq!(verdict([1, 2], [1, 1], Outcome::Rejected), "MATCHED");
    assert_eq!(verdict([1, 2], [1, 2], Outcome::Success), "MATCHED");
    assert_eq!(verdict([1, 0], [1, 1], Outcome::Success), "MATCHED");
    assert_eq!(verdict([1, 2], [0, 0], Outcome::Success), "MATCHED");
}

#[test]
fn a_contested_row_counts_for_nobody_and_a_proven_double_stays_one() {
    let contested = |case: Case| case.with(|c| c.ties.contested = true).judge();
    assert_eq!(contested(told_yes()).verdict(), "LINK_CONTESTED");
    assert_eq!(contested(told_yes()).at_most_once, AtMostOnce::NotJudged);
    assert_eq!(contested(told_yes().row().row()).verdict(), "DUPLICATED");
}

#[test]
fn a_factor_hint_leaves_a_wrong_amount_undecided() {
    let case = told_yes().of(Some(cents(2_000_000))).row().with(|c| c.setting.sources[1].factor_hint = true);
    let j = case.judge();
    assert_eq!((j.verdict(), j.class, label(&j), j.severity), ("AMOUNT_MISMATCH", Class::Undecided, "LOOK AT IT", 2));
}

#[test]
fn labels_of_lifted_verdicts() {
    let lifted = |case: Case| case.with(|c| c.ties.near_identical = true).judge();
    let hidden = lifted(Case::derived().lost().row());
    assert_eq!((hidden.verdict(), hidden.class, hidden.severity, hidden.label()), ("HIDDEN_SUCCESS", Class::Undecided, 3, "LOOK AT IT"));
    let recorded = lifted(Case::recorded().lost().row().state(State::Unknown));
    assert_eq!(recorded.label(), "DONE, ANSWER LOST");
    assert_eq!(lifted(told_yes()).label(), "CANNOT TELL YET");
}

#[test]
fn the_complete_intent_log_lacks_it() {
    let case = Case::derived().ok().row().with(|c| c.setting.intents_complete = true);
    assert_eq!((case.judge().verdict(), case.judge().state), ("UNRECORDED", None));
    assert_eq!(case.clone().state(State::Confirmed).judge().verdict(), "MATCHED");
    assert_eq!(case.in_file(Some(cents(20_000)), None).judge().verdict(), "MATCHED");
}

#[test]
fn links_by_declaration_count_as_any_link() {
    let j = told_yes().row().last_row(|r| r.links = link::DECLARED).judge();
    assert_eq!(j.verdict(), "MATCHED");
}
