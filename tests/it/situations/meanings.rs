//! Two and more ledgers: own books beside the provider's list, parts, partitions, files of one source
//! (`4-sources.md` 4.11).

use serde_json::json;

use crate::small::*;

fn trace() -> Vec<Line> {
    vec![call("refund:o1:r1").order("1").usd("64.00").receipt("re_1")]
}

/// A row of our books: it names the provider's row, no operation id.
fn book(id: &str, reference: &str, amount: &str) -> Line {
    line(
        json!({"id": id, "provider_refund_id": reference, "order_id": "1", "amount": amount, "currency": "USD", "created_at": full("09:00:02")}),
    )
}

fn other_book() -> Line {
    book("b_later", "re_later", "1.00").set("order_id", "other-later").set("created_at", full("17:00:01"))
}

fn first_book() -> Line {
    book("b_earlier", "re_earlier", "1.00")
        .set("order_id", "other-earlier")
        .set("created_at", full("06:00:01"))
}

fn provider(id: &str) -> Line {
    row(id, "refund:o1:r1").order("1").usd("64.00")
}

fn mapped(o: &mut recount::sources::spec::Options) {
    let column = |name: &str| recount::sources::spec::Column::From {
        column: name.to_owned(),
        prefix: None,
        zone: None,
        resolution_ms: None,
    };
    o.columns = vec![("external_ref".to_owned(), column("provider_refund_id"))];
    o.copy_of = Some("provider".to_owned());
}

/// The provider's list beside our books, each with rows of others around.
fn both(ours: &[Line], theirs: &[Line]) -> recount::load::Case {
    let mut list = vec![earlier()];
    list.extend_from_slice(theirs);
    list.push(later());
    let mut books = vec![first_book()];
    books.extend_from_slice(ours);
    books.push(other_book());
    small()
        .trace("trace", &trace())
        .ledger_with("provider", &list, |o| o.moves_money = Some(true))
        .ledger_with("books", &books, mapped)
        .load()
}

/// Only our books; the list that they copy is not loaded.
fn books_alone(ours: &[Line]) -> recount::load::Case {
    let mut books = vec![first_book()];
    books.extend_from_slice(ours);
    books.push(other_book());
    small().trace("trace", &trace()).ledger_with("books", &books, mapped).load()
}

fn counts(case: &recount::load::Case) -> Vec<(usize, u32, String, bool)> {
    let view = view(case, "order:1");
    view.by_source.iter().map(|b| (b.source, b.count, totals(case, &b.totals), b.copy)).collect()
}

#[test]
fn the_provider_paid_twice_and_our_books_have_one() {
    let case = both(&[book("b1", "re_1", "64.00")], &[provider("re_1"), provider("re_2").at("09:00:03")]);
    assert_eq!(
        said(&case, "order:1"),
        "confirmed* [1,1] of 1 USD 64.00: 2/2 USD 128.00, R05 DUPLICATED violation S1, risk USD 64.00, EXCESS_UNEXPLAINED(1), SOURCES_DISAGREE"
    );
    assert_eq!(counts(&case), [(1, 2, "USD 128.00".to_owned(), false), (2, 1, "USD 64.00".to_owned(), true)]);
    assert_eq!(summary(&case).effects, 4);
}

#[test]
fn recorded_twice_but_not_paid_twice() {
    let case = both(&[book("b1", "re_1", "64.00"), book("b2", "re_1", "64.00")], &[provider("re_1")]);
    assert_eq!(
        said(&case, "order:1"),
        "confirmed* [1,1] of 1 USD 64.00: 1/1 USD 64.00, R22 MATCHED undecided S3, risk 0, SOURCES_DISAGREE"
    );
    assert_eq!(counts(&case), [(1, 1, "USD 64.00".to_owned(), false), (2, 2, "USD 128.00".to_owned(), true)]);
    let view = view(&case, "order:1");
    assert_eq!(view.effects.len(), 3);
    assert!(view.effects.iter().any(|e| e.in_sources == 2));
    assert_eq!(result(&case), "INCONCLUSIVE 3");
}

#[test]
fn in_both_once_is_one_effect_in_two_sources() {
    let case = both(&[book("b1", "re_1", "64.00")], &[provider("re_1")]);
    assert_eq!(
        said(&case, "order:1"),
        "confirmed* [1,1] of 1 USD 64.00: 1/1 USD 64.00, R22 MATCHED clean S5, risk 0"
    );
    let view = view(&case, "order:1");
    assert_eq!(
        view.effects.iter().map(|e| (e.id.as_str(), e.in_sources, e.copy)).collect::<Vec<_>>(),
        [("re_1", 2, false), ("b1", 2, true)]
    );
    assert_eq!(view.effects[0].ident, view.effects[1].ident);
    assert_eq!(view.effects[0].link, ["J1", "J3"]);
    assert_eq!(result(&case), "NO VIOLATION OBSERVED 0");
    assert_eq!(
        rows(&case, "books"),
        "read 3 = used 1 + outside 2 + unattributed 0 + set aside 0 + unreadable 0"
    );
    assert_eq!((summary(&case).orphans, summary(&case).outside), (0, Some(2)));
}

#[test]
fn a_copy_is_tied_by_reference_without_a_receipt_too() {
    let silent = call("refund:o1:r1").order("1").usd("64.00");
    let case = small()
        .trace("trace", &[silent])
        .ledger_with("provider", &[earlier(), provider("re_1"), later()], |o| {
            o.moves_money = Some(true);
        })
        .ledger_with(
            "books",
            &[first_book(), book("b1", "re_1", "64.00"), book("b2", "re_1", "64.00"), other_book()],
            mapped,
        )
        .load();
    assert_eq!(
        said(&case, "order:1"),
        "confirmed* [1,1] of 1 USD 64.00: 1/1 USD 64.00, R22 MATCHED undecided S3, risk 0, SOURCES_DISAGREE"
    );
    assert_eq!(counts(&case), [(1, 1, "USD 64.00".to_owned(), false), (2, 2, "USD 128.00".to_owned(), true)]);
    // The other way round: our books carry the operation id, the provider's list does not.
    let silent_list =
        line(json!({"effect_id":"re_1","amount":"64.00","currency":"USD","committed_at":full("09:00:01")}));
    let case = small()
        .trace("trace", &[call("refund:o1:r1").order("1").usd("64.00")])
        .ledger_with(
            "provider",
            &[earlier(), silent_list.clone(), silent_list.set("effect_id", "re_2"), later()],
            |o| o.moves_money = Some(true),
        )
        .ledger_with(
            "books",
            &[
                first_book(),
                book("b1", "re_1", "64.00").set("operation_id", "refund:o1:r1"),
                book("b2", "re_2", "64.00").set("operation_id", "refund:o1:r1"),
                other_book(),
            ],
            mapped,
        )
        .load();
    assert_eq!(
        said(&case, "refund:o1:r1"),
        "confirmed* [1,1] of 1 USD 64.00: 2/2 USD 128.00, R05 DUPLICATED violation S1, risk USD 64.00, EXCESS_UNEXPLAINED(1)"
    );
    assert_eq!(view(&case, "refund:o1:r1").effects[0].link, ["same effect"]);
}

/// Numbers counted up in two places meet by chance.
#[test]
fn equal_ids_of_other_orders_are_not_one_effect() {
    let case = small()
        .trace("trace", &[call("refund:o1:r1").order("1").usd("64.00")])
        .ledger_with("a", &[earlier(), provider("17"), later()], |o| o.part = true)
        .ledger_with("b", &[earlier(), row("17", "refund:o2:r2").order("2").usd("64.00"), later()], |o| {
            o.part = true;
        })
        .load();
    assert_eq!(
        said(&case, "order:1"),
        "confirmed* [1,1] of 1 USD 64.00: 1/1 USD 64.00, R22 MATCHED clean S5, risk 0"
    );
    assert_eq!(summary(&case).orphans, 1);
}

#[test]
fn our_books_lack_it() {
    let case = both(&[], &[provider("re_1")]);
    assert_eq!(
        said(&case, "order:1"),
        "confirmed* [1,1] of 1 USD 64.00: 1/1 USD 64.00, R22 MATCHED undecided S3, risk 0, SOURCES_DISAGREE"
    );
}

#[test]
fn our_books_have_it_and_the_provider_does_not() {
    let case = both(&[book("b1", "re_1", "64.00")], &[]);
    assert_eq!(
        said(&case, "order:1"),
        "confirmed* [1,1] of 1 USD 64.00: 0/0 USD 0.00, R27 MISSING violation S2, risk USD 64.00, PHANTOM_RESPONSE(1), SOURCES_DISAGREE"
    );
    assert_eq!(result(&case), "VIOLATION FOUND 1");
}

#[test]
fn our_books_say_another_amount() {
    let case = both(&[book("b1", "re_1", "46.00")], &[provider("re_1")]);
    assert_eq!(
        said(&case, "order:1"),
        "confirmed* [1,1] of 1 USD 64.00: 1/1 USD 64.00, R22 MATCHED undecided S3, risk 0, SOURCES_DISAGREE"
    );
    assert_eq!(counts(&case), [(1, 1, "USD 64.00".to_owned(), false), (2, 1, "USD 46.00".to_owned(), true)]);
}

#[test]
fn books_alone_show_an_excess_but_no_absence() {
    let case = books_alone(&[book("b1", "re_1", "64.00"), book("b2", "re_1", "64.00")]);
    assert_eq!(
        said(&case, "order:1"),
        "confirmed* [1,1] of 1 USD 64.00: 2/2 USD 128.00, R05 DUPLICATED violation S1, risk USD 64.00, EXCESS_UNEXPLAINED(1), SAME_EXTERNAL_REF"
    );
    let case = books_alone(&[]);
    let view = view(&case, "order:1");
    assert_eq!(
        said_of(&case, &view),
        "confirmed* [1,1] of 1 USD 64.00: 0/0 USD 0.00, R25 UNVERIFIED_SUCCESS undecided S4, risk USD 64.00, ACK_NOT_YET_VISIBLE(1), RECEIPT_NOT_FOUND"
    );
    assert_eq!(view.uncovered.iter().map(|(code, _)| *code).collect::<Vec<_>>(), ["C9"]);
    let one = books_alone(&[book("b1", "re_1", "64.00")]);
    assert!(said(&one, "order:1").contains("R22 MATCHED clean"), "{}", said(&one, "order:1"));
}

/// Card and voucher: 40.00 and 24.00 of one refund.
#[test]
fn parts_are_added_up() {
    let card = |amount: &str| row("c1", "refund:o1:r1").order("1").usd(amount);
    let voucher = |amount: &str| row("v1", "refund:o1:r1").order("1").usd(amount).at("09:00:02");
    let load = |card_rows: &[Line], voucher_rows: &[Line], expected: Line| {
        let around = |rows: &[Line]| [&[earlier()][..], rows, &[later()][..]].concat();
        small()
            .trace("trace", &[call("refund:o1:r1").order("1").usd("64.00")])
            .ledger_with("card", &around(card_rows), |o| o.part = true)
            .ledger_with("voucher", &around(voucher_rows), |o| o.part = true)
            .expect(&[expected])
            .load()
    };
    let two = || {
        line(
            json!({"operation_id":"refund:o1:r1","count_min":1,"count_max":2,"amount":"64.00","currency":"USD"}),
        )
    };
    let case = load(&[card("40.00")], &[voucher("24.00")], two());
    assert_eq!(
        said(&case, "refund:o1:r1"),
        "confirmed* [1,1] of file 1..2 USD 64.00: 2/2 USD 64.00, R22 MATCHED clean S5, risk 0, EXCESS_UNEXPLAINED(1)"
    );
    // One part alone is too little, and as both parts cover, that is so.
    let case = load(&[card("40.00")], &[], two());
    assert!(
        said(&case, "refund:o1:r1").contains("R13 AMOUNT_MISMATCH violation S2, risk USD 24.00"),
        "{}",
        said(&case, "refund:o1:r1")
    );
    // An absence is proven only by all parts together.
    let missing = load(&[], &[], two());
    assert!(said(&missing, "refund:o1:r1").contains("R27 MISSING"), "{}", said(&missing, "refund:o1:r1"));
    let case = small()
        .trace("trace", &[call("refund:o1:r1").order("1").usd("64.00")])
        .ledger_with("card", &[earlier(), later()], |o| o.part = true)
        .ledger_with(
            "voucher",
            &[earlier(), row("x", "refund:x:x").order("x").usd("1.00").at("08:00:00")],
            |o| o.part = true,
        )
        .load();
    assert!(said(&case, "order:1").contains("R25 UNVERIFIED_SUCCESS"), "{}", said(&case, "order:1"));
}

/// Two regions, each with its own ledger.
#[test]
fn partitions_answer_for_their_own_calls() {
    let region = |line: Line, region: &str| line.set("region", region);
    let eu = |rows: &[Line]| [&[earlier()][..], rows, &[later()][..]].concat();
    let load = |trace: &[Line], eu_rows: &[Line], us_rows: &[Line]| {
        small()
            .trace("trace", trace)
            .ledger_with("eu", eu_rows, |o| {
                o.partition = vec![("region".to_owned(), "eu".to_owned())];
            })
            .ledger_with("us", us_rows, |o| {
                o.partition = vec![("region".to_owned(), "us".to_owned())];
            })
            .load()
    };
    let early = [earlier(), row("x", "refund:x:x").order("x").usd("1.00").at("08:00:00")];
    let of_eu = [region(call("refund:o1:r1").order("1").usd("64.00"), "eu")];
    let of_us = [region(call("refund:o1:r1").order("1").usd("64.00"), "us")];
    let unsaid = [call("refund:o1:r1").order("1").usd("64.00")];
    // The eu ledger covers, the us one was read too early.
    let said_for = |trace: &[Line]| said(&load(trace, &eu(&[]), &early), "order:1");
    assert!(said_for(&of_eu).contains("R27 MISSING"), "{}", said_for(&of_eu));
    assert!(said_for(&of_us).contains("R25 UNVERIFIED_SUCCESS"), "{}", said_for(&of_us));
    // A call that names none needs all of them.
    assert!(said_for(&unsaid).contains("R25 UNVERIFIED_SUCCESS"), "{}", said_for(&unsaid));
    let all = load(&unsaid, &eu(&[]), &eu(&[]));
    assert!(said(&all, "order:1").contains("R27 MISSING"), "{}", said(&all, "order:1"));
    // In the arguments it counts as well.
    let inside = [call("refund:o1:r1").order("1").usd("64.00").set("arguments", json!({"region":"us"}))];
    assert!(said_for(&inside).contains("R25"), "{}", said_for(&inside));
    let only_eu = small()
        .trace("trace", &of_us)
        .ledger_with("eu", &eu(&[]), |o| {
            o.partition = vec![("region".to_owned(), "eu".to_owned())];
        })
        .load();
    let view = only(&only_eu);
    assert_eq!(view.uncovered.iter().map(|(code, _)| *code).collect::<Vec<_>>(), ["C6"]);
    // Rows count wherever they are.
    let case = load(&of_eu, &eu(&[provider("re_1")]), &early);
    assert!(said(&case, "order:1").contains("R22 MATCHED clean"));
}

#[test]
fn the_newest_row_of_a_partition_is_its_own() {
    let region = |line: Line, region: &str| line.set("region", region);
    let trace = [region(call("refund:o1:r1").order("1").usd("64.00"), "eu")];
    let early = row("x", "refund:x:x").order("x").usd("1.00").at("08:00:00");
    let load = |rows: &[Line]| {
        small()
            .trace("trace", &trace)
            .ledger_with("eu", rows, |o| {
                o.partition = vec![("region".to_owned(), "eu".to_owned())];
            })
            .load()
    };
    // A late row of another region says nothing about this one.
    let case = load(&[region(earlier(), "eu"), region(early.clone(), "eu"), region(later(), "us")]);
    assert!(said(&case, "order:1").contains("R25 UNVERIFIED_SUCCESS"), "{}", said(&case, "order:1"));
    let case = load(&[region(earlier(), "eu"), region(early, "eu"), region(later(), "eu")]);
    assert!(said(&case, "order:1").contains("R27 MISSING"), "{}", said(&case, "order:1"));
}

/// Two exports of one source that overlap by one row.
#[test]
fn the_same_id_in_two_files_of_one_source_is_one_effect() {
    let first = [earlier(), provider("re_1")];
    let second = [provider("re_1"), later()];
    let case = small().trace("trace", &trace()).ledger("provider", &first).ledger("provider", &second).load();
    assert_eq!(
        said(&case, "order:1"),
        "confirmed* [1,1] of 1 USD 64.00: 1/1 USD 64.00, R22 MATCHED clean S5, risk 0"
    );
    assert_eq!(summary(&case).effects, 3);
    let counts: Vec<_> =
        case.sources().iter().filter(|s| s.what == "ledger").map(|s| s.rows.clone()).collect();
    assert_eq!((counts[0].read, counts[0].used, counts[0].outside), (2, 1, 1));
    assert_eq!((counts[1].read, counts[1].used, counts[1].outside), (2, 0, 1));
    assert_eq!(counts[1].set_aside, [("the same effect again".to_owned(), 1)]);
    // As two partitions they are two places with one id: tied by id and amount, one effect in two sources.
    let case = small()
        .trace("trace", &trace())
        .ledger_with("a", &first, |o| {
            o.partition = vec![("region".to_owned(), "eu".to_owned())];
        })
        .ledger_with("b", &second, |o| {
            o.partition = vec![("region".to_owned(), "us".to_owned())];
        })
        .load();
    assert!(said(&case, "order:1").contains("1/1 USD 64.00, R22 MATCHED"), "{}", said(&case, "order:1"));
}

#[test]
fn between_two_files_with_a_gap_nothing_is_covered() {
    let load = |end_of_first: &str, begin_of_second: &str| {
        let a = [earlier(), row("x1", "refund:x1:x").order("x1").usd("1.00").at(end_of_first)];
        let b = [row("x2", "refund:x2:x").order("x2").usd("1.00").at(begin_of_second), later()];
        small().trace("trace", &trace()).ledger("provider", &a).ledger("provider", &b).load()
    };
    // The first file ends before the call, the second begins after it: perhaps a file is missing.
    let gap = load("08:30:00", "11:00:00");
    assert!(said(&gap, "order:1").contains("R25 UNVERIFIED_SUCCESS"), "{}", said(&gap, "order:1"));
    let why = only(&gap).uncovered;
    assert_eq!(why.len(), 1);
    assert_eq!(
        (why[0].0, why[0].1.contains("no rows between 08:30:01 and 11:00:00: is a file missing?")),
        ("C3", true),
        "{why:?}"
    );
    // They overlap: one listing.
    let whole = load("11:00:00", "08:30:00");
    assert!(said(&whole, "order:1").contains("R27 MISSING"), "{}", said(&whole, "order:1"));
}

#[test]
fn a_gap_elsewhere_in_time_does_not_matter() {
    let a = [earlier(), row("x1", "refund:x1:x").order("x1").usd("1.00").at("12:00:00")];
    let b = [row("x2", "refund:x2:x").order("x2").usd("1.00").at("15:00:00"), later()];
    let case = small().trace("trace", &trace()).ledger("provider", &a).ledger("provider", &b).load();
    assert!(said(&case, "order:1").contains("R27 MISSING"), "{}", said(&case, "order:1"));
}

#[test]
fn a_source_that_cannot_be_opened_leaves_its_tools_uncompared() {
    let missing = std::path::Path::new("/nowhere/payments.db");
    let case = small()
        .trace("trace", &trace())
        .ledger_with("provider", &[earlier(), provider("re_1"), later()], |o| {
            o.moves_money = Some(true);
        })
        .file("books", recount::sources::spec::What::Ledger, missing, |o| {
            o.copy_of = Some("provider".to_owned());
        })
        .load();
    assert!(said(&case, "order:1").contains("R22 MATCHED clean"), "{}", said(&case, "order:1"));
    assert_eq!(
        source(&case, "books").error.as_deref(),
        Some("/nowhere/payments.db: there is no such file; check the path")
    );
    // The provider's list cannot be opened: our books alone prove nothing.
    let case = small()
        .trace("trace", &trace())
        .file("provider", recount::sources::spec::What::Ledger, missing, |o| {
            o.moves_money = Some(true);
        })
        .ledger_with("books", &[first_book(), other_book()], mapped)
        .load();
    assert_eq!(result(&case), "INCONCLUSIVE 3");
    assert!(said(&case, "order:1").contains("undecided"), "{}", said(&case, "order:1"));
}

#[test]
fn what_comes_through_the_write_path_is_never_evidence() {
    let case = pair(&trace(), &[earlier(), later()])
        .options("ledger", |o| o.role = Some("write_path".to_owned()))
        .load();
    assert!(said(&case, "order:1").contains("undecided"), "{}", said(&case, "order:1"));
    let case = pair(&trace(), &[earlier(), later()])
        .options("ledger", |o| o.role = Some("second_witness".to_owned()))
        .load();
    let view = only(&case);
    assert!(said_of(&case, &view).contains("R25"), "{}", said_of(&case, &view));
    assert_eq!(view.uncovered.iter().map(|(code, _)| *code).collect::<Vec<_>>(), ["C0"]);
}
