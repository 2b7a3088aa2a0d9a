//! Units (`1-model.md` 1.2): assumed, unknown, exponents, minor and major, the factor hint.

use serde_json::{Value, json};

use crate::small::*;

fn trace(fields: Value) -> Vec<Line> {
    let mut line = call("refund:o1:r1").order("1");
    for (name, value) in fields.as_object().unwrap() {
        line = line.set(name, value.clone());
    }
    vec![line]
}

fn its_row(fields: Value) -> Line {
    let mut line = row("re_1", "refund:o1:r1").order("1");
    for (name, value) in fields.as_object().unwrap() {
        line = line.set(name, value.clone());
    }
    line
}

/// The line of the intent, with rows of others that carry no amount.
fn both(call: Value, row: Value) -> String {
    let case = load(call, row);
    said(&case, "order:1")
}

fn load(call: Value, row: Value) -> recount::load::Case {
    let bare = |line: Line| line.without(&["amount", "currency"]);
    pair(&trace(call), &[bare(earlier()), its_row(row), bare(later())]).load()
}

/// E68: one side names no currency, the other exactly one.
#[test]
fn the_only_currency_of_the_other_side_is_assumed() {
    let expected = "confirmed* [1,1] of 1 USD 200.00: 1/1 USD 200.00, R22 MATCHED clean S5, risk 0";
    let usd = json!({"amount":"200.00","currency":"USD"});
    let bare = json!({"amount":"200.00"});
    assert_eq!(both(usd.clone(), bare.clone()), expected);
    assert_eq!(both(bare.clone(), usd.clone()), expected);
    // Minor units get their decimals from the currency that is assumed.
    assert_eq!(both(usd.clone(), json!({"amount_minor":20000})), expected);
    assert_eq!(both(json!({"amount_cents":20000}), usd.clone()), expected);
    let case = load(usd, bare);
    assert_eq!(summary(&case).currency_assumed.as_deref(), Some("USD"));
    assert!(view(&case, "order:1").currency_assumed);
    assert!(
        source(&case, "ledger").notes.iter().any(|n| n.starts_with("USD assumed")),
        "{:?}",
        source(&case, "ledger").notes
    );
    // Control totals stand in the unit that is assumed.
    assert_eq!(totals(&case, &source(&case, "ledger").totals), "USD 200.00");
    let case = load(json!({"amount":"20.00","currency":"JOD"}), json!({"amount_minor":20000}));
    assert_eq!(totals(&case, &source(&case, "ledger").totals), "JOD 20.000");
}

#[test]
fn a_declared_currency_comes_before_what_is_assumed() {
    let bare = |line: Line| line.without(&["amount", "currency"]);
    let rows = [bare(earlier()), its_row(json!({"amount":"200.00"})), bare(later())];
    let case = pair(&trace(json!({"amount":"200.00","currency":"USD"})), &rows)
        .options("ledger", |o| o.currency = Some("EUR".to_owned()))
        .load();
    assert!(
        said(&case, "order:1")
            .contains("1/1 EUR 200.00 USD 0.00, R12 CURRENCY_MISMATCH violation S2, risk EUR 200.00"),
        "{}",
        said(&case, "order:1")
    );
}

/// E69: no currency on one side, several on the other.
#[test]
fn an_unknown_currency_lets_only_counts_be_judged() {
    let mut calls = trace(json!({"amount":"200.00","currency":"USD"}));
    calls.push(
        call("refund:o2:r2")
            .order("2")
            .set("amount", "5.00")
            .set("currency", "EUR")
            .sent("10:00:00", "10:00:01"),
    );
    let row = its_row(json!({"amount":"300.00"}));
    let other = row_of_two();
    let case =
        pair(&calls, &[earlier().without(&["currency"]), row, other, later().without(&["currency"])]).load();
    assert_eq!(
        said(&case, "order:1"),
        "confirmed* [1,1] of 1 USD 200.00: 1/1 300.00 ? USD 0.00, R22 MATCHED clean S5, risk 0, CURRENCY_UNKNOWN"
    );
    assert!(source(&case, "ledger").notes.iter().any(|n| n.starts_with("CURRENCY_UNKNOWN")));
    // On both sides numbers are compared.
    assert!(both(json!({"amount":"200.00"}), json!({"amount":"200"})).contains("R22 MATCHED clean"));
    assert!(both(json!({"amount":"200.00"}), json!({"amount":"20"})).contains("R13 AMOUNT_MISMATCH"));
    assert!(both(json!({"amount_minor":20000}), json!({"amount_minor":20000})).contains("R22 MATCHED clean"));
    // Minor against major units of no currency cannot be compared.
    assert!(
        both(json!({"amount":"200.00"}), json!({"amount_minor":20000})).contains("R22 MATCHED clean"),
        "{}",
        both(json!({"amount":"200.00"}), json!({"amount_minor":20000}))
    );
}

fn row_of_two() -> Line {
    row("re_2", "refund:o2:r2").order("2").set("amount", "5.00").at("10:00:01")
}

#[test]
fn decimals_are_exact() {
    for (amount, currency, shown) in [
        (json!("200.000"), "USD", "USD 200.00"),
        (json!(200), "USD", "USD 200.00"),
        (json!("200"), "usd", "USD 200.00"),
        (json!("20000"), "JPY", "JPY 20,000"),
        (json!("20000.00"), "JPY", "JPY 20,000"),
        (json!("12.345"), "BHD", "BHD 12.345"),
        (json!("0.1234"), "CLF", "CLF 0.1234"),
        (json!("9007199254740993.01"), "USD", "USD 9,007,199,254,740,993.01"),
    ] {
        let said =
            both(json!({"amount":amount,"currency":currency}), json!({"amount":amount,"currency":currency}));
        assert!(said.contains(&format!("1/1 {shown}, R22 MATCHED clean")), "{said}");
    }
    // Tokens are read as text: exponents are exact, floats never come in between.
    let case = small()
        .trace("trace", &trace(json!({"amount":"200.00","currency":"USD"})))
        .source("ledger", recount::sources::spec::What::Ledger, "{\"effect_id\":\"re_1\",\"operation_id\":\"refund:o1:r1\",\"amount\":2e2,\"currency\":\"USD\",\"committed_at\":\"2026-11-30T09:00:01Z\"}\n", |_| ())
        .load();
    assert!(said(&case, "order:1").contains("1/1 USD 200.00"), "{}", said(&case, "order:1"));
    for bad in
        ["200.005", "2OO.00", "1,200.00", "$200.00", "200 USD", "200,00", "1e400", "", "NaN", "--5", "5."]
    {
        let said = both(json!({"amount":"200.00","currency":"USD"}), json!({"amount":bad,"currency":"USD"}));
        let unreadable = if bad.is_empty() { "R22 MATCHED" } else { "R10 UNREADABLE undecided S3" };
        assert!(said.contains(unreadable), "{bad}: {said}");
    }
}

#[test]
fn other_units_are_exact_decimals_by_name() {
    assert!(
        both(json!({"amount":"14.0","currency":"IOST"}), json!({"amount":"14","currency":"IOST"}))
            .contains("R22 MATCHED clean")
    );
    assert!(
        both(json!({"amount":"14.0","currency":"IOST"}), json!({"amount":"14","currency":"iost"}))
            .contains("R12 CURRENCY_MISMATCH")
    );
    assert!(
        both(
            json!({"amount":"0.000000000000000001","currency":"ETH"}),
            json!({"amount":"0.000000000000000001","currency":"ETH"})
        )
        .contains("R22 MATCHED clean")
    );
    assert!(
        both(json!({"amount":"1","currency":"XAU"}), json!({"amount":"1.5","currency":"XAU"}))
            .contains("R13 AMOUNT_MISMATCH violation S2, risk 0.5 XAU"),
        "{}",
        both(json!({"amount":"1","currency":"XAU"}), json!({"amount":"1.5","currency":"XAU"}))
    );
}

#[test]
fn a_provider_may_count_in_other_decimals() {
    let load = |exponent: Option<u8>, minor: i64| {
        let rows = [
            earlier().without(&["amount", "currency"]),
            its_row(json!({"amount_minor":minor,"currency":"ISK"})),
            later().without(&["amount", "currency"]),
        ];
        pair(&trace(json!({"amount":"200","currency":"ISK"})), &rows)
            .options("ledger", |o| {
                o.exponent_override = exponent.map(|e| ("ISK".to_owned(), e)).into_iter().collect();
            })
            .load()
    };
    assert!(said(&load(None, 200), "order:1").contains("1/1 ISK 200, R22 MATCHED clean"));
    assert!(said(&load(Some(2), 20000), "order:1").contains("1/1 ISK 200, R22 MATCHED clean"));
    assert!(said(&load(Some(2), 20050), "order:1").contains("R10 UNREADABLE"));
}

#[test]
fn sums_that_do_not_fit_are_unreadable_and_never_wrap() {
    let huge = |id: &str| row(id, "refund:o1:r1").set("amount", "9007199254740993.01").set("currency", "USD");
    let case = pair(
        &trace(json!({"amount":"1.00","currency":"USD"})),
        &[huge("re_1"), huge("re_2"), huge("re_3"), later()],
    )
    .load();
    let said = said(&case, "order:1");
    assert!(said.contains("3/3 USD 27,021,597,764,222,979.03, R05 DUPLICATED violation S1"), "{said}");
}

/// Ten linked rows that all differ by one factor look like minor units; nine are nine wrong amounts.
#[test]
fn a_factor_hint_needs_ten_rows() {
    let load = |count: usize, last: &str| {
        let mut calls = Vec::new();
        let mut rows = Vec::new();
        for n in 0..count {
            let id = format!("refund:o{n}:r");
            calls.push(call(&id).order(&n.to_string()).usd("12.00"));
            let amount = if n + 1 == count { last } else { "1200.00" };
            rows.push(row(&format!("re_{n}"), &id).order(&n.to_string()).usd(amount));
        }
        rows.push(later());
        pair(&calls, &rows).options("ledger", |o| o.covers_from = Some("start".to_owned())).load()
    };
    let nine = load(9, "1200.00");
    assert_eq!((summary(&nine).violations, result(&nine)), (9, "VIOLATION FOUND 1".to_owned()));
    let ten = load(10, "1200.00");
    assert_eq!(
        (summary(&ten).violations, summary(&ten).undecided, result(&ten)),
        (0, 10, "INCONCLUSIVE 3".to_owned())
    );
    assert!(said(&ten, "order:0").contains("R13 AMOUNT_MISMATCH undecided"), "{}", said(&ten, "order:0"));
    assert!(
        source(&ten, "ledger")
            .notes
            .iter()
            .any(|n| n == "amounts look like minor units (x100): `amount_minor`"),
        "{:?}",
        source(&ten, "ledger").notes
    );
    // One that is right, or wrong by another factor: no hint.
    for last in ["12.00", "12000.00", "13.00"] {
        let case = load(11, last);
        assert_eq!(result(&case), "VIOLATION FOUND 1", "{last}");
    }
}

#[test]
fn control_totals_stand_by_unit_as_the_source_gives_them() {
    let rows = [
        its_row(json!({"amount":"200.00","currency":"USD"})),
        row("a", "x:1").set("amount", "5.00").set("currency", "EUR").at("05:00:00"),
        row("b", "x:2").set("amount", "7").set("currency", "JPY").at("05:00:00"),
        row("b", "x:2").set("amount", "7").set("currency", "JPY").at("05:00:00"),
        row("c", "x:3").set("amount", "x").set("currency", "USD").at("05:00:00"),
        row("d", "x:4").at("05:00:00"),
        row("e", "x:5").set("amount", "1.00").set("currency", "USD").set("status", "failed").at("05:00:00"),
    ];
    let case = pair(&trace(json!({"amount":"200.00","currency":"USD"})), &rows).load();
    let source = source(&case, "ledger");
    // A repeated id and a failed row stand in the totals, as one line of SQL would count them.
    assert_eq!((totals(&case, &source.totals).as_str(), source.no_amount), ("EUR 5.00 JPY 14 USD 201.00", 2));
    assert_eq!(
        crate::small::rows(&case, "ledger"),
        "read 7 = used 1 + outside 5 + unattributed 0 + set aside 1 + unreadable 0"
    );
}

/// Of three rows one cannot be read: what is at risk is what is out for certain, and every figure says the same.
#[test]
fn risk_of_a_double_with_an_unreadable_row() {
    let trace = [call("refund:o1:r1").usd("200.00").receipt("re_1")];
    let mine = |id: &str, amount: &str| row(id, "refund:o1:r1").usd(amount);
    let rows = [earlier(), mine("re_1", "200.00"), mine("re_2", "200.00"), mine("re_3", "-200.00"), later()];
    let case = pair(&trace, &rows).load();
    let said = said(&case, "refund:o1:r1");
    assert!(said.contains("R05 DUPLICATED violation S1, risk USD 200.00"), "{said}");
    let s = summary(&case);
    assert_eq!(
        (totals(&case, &s.at_risk), totals(&case, &s.out_too_much)),
        ("USD 200.00".into(), "USD 200.00".into())
    );
}

/// Where amounts are written with a minus, what is at risk is still not below 0.
#[test]
fn risk_is_never_below_zero() {
    let lost = call("refund:o1:r1").usd("-200.00").told("timeout");
    let case = pair(&[lost], &[earlier()]).load();
    let said = said(&case, "refund:o1:r1");
    assert!(said.contains("R31 UNRESOLVED_UNKNOWN undecided S3, risk USD 200.00"), "{said}");
}
