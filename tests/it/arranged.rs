//! The list in another order, in groups, and everything of an order, over what was really loaded.

use crate::small::*;

use recount::judge::view::{GroupBy, SortBy, Whose};
use recount::load::Case;

/// Four orders: 10 and 9 doubled (USD 200.00 and 50.00), 100 as meant, 11 with an answer that was lost.
fn case() -> Case {
    let sent = |order: &str, amount: &str, from: &str, to: &str| {
        call(&format!("refund:{order}:r"))
            .order(order)
            .usd(amount)
            .sent(from, to)
            .set("customer_id", "cust_1")
    };
    let trace = [
        sent("9", "50.00", "10:00:00", "10:00:01"),
        sent("10", "200.00", "09:00:00", "09:00:01"),
        sent("100", "5.00", "08:00:00", "08:00:01"),
        sent("11", "70.00", "09:30:00", "09:30:01").told("timeout"),
    ];
    let of = |id: &str, order: &str, amount: &str, at: &str| {
        row(id, &format!("refund:{order}:r")).order(order).usd(amount).at(at)
    };
    let ledger = [
        earlier(),
        of("re_1", "9", "50.00", "10:00:01"),
        of("re_2", "9", "50.00", "10:00:02"),
        of("re_3", "10", "200.00", "09:00:01"),
        of("re_4", "10", "200.00", "09:00:02"),
        of("re_5", "100", "5.00", "08:00:01"),
        later(),
    ];
    pair(&trace, &ledger).load()
}

fn orders(case: &Case, by: SortBy) -> Vec<String> {
    let places = case.sorted_by(by);
    assert_eq!(places.len(), case.rows(), "each row once");
    let rows = places.into_iter().map(|at| case.row(usize::try_from(at).unwrap()));
    rows.filter(|row| row.class.is_some()).map(|row| row.operation).collect()
}

#[test]
fn every_order_holds_each_row_once() {
    let case = case();
    assert_eq!(orders(&case, SortBy::Urgency), ["order 10", "order 9", "order 11", "order 100"]);
    assert_eq!(orders(&case, SortBy::Operation), ["order 9", "order 10", "order 11", "order 100"]);
    assert_eq!(orders(&case, SortBy::Sent), ["order 100", "order 10", "order 11", "order 9"]);
    assert_eq!(orders(&case, SortBy::Risk), ["order 10", "order 11", "order 9", "order 100"]);
    assert_eq!(orders(&case, SortBy::Words)[..3], ["order 11", "order 10", "order 9"], "did before happened");
    assert_eq!(case.quiet_rows(), 3..4);
    for at in 0..4 {
        let ops = case.ops_at(at);
        assert_eq!(case.place_of(ops[0]), Some(at));
    }
}

#[test]
fn groups_count_their_rows_and_add_their_money() {
    let case = case();
    let all: Vec<u32> = (0..4).collect();
    let said = |by| {
        let show = |group: &recount::judge::view::GroupRow| {
            let money: Vec<String> =
                group.at_risk.iter().map(|(unit, total)| case.units().show_total(unit, total)).collect();
            (group.words.clone(), group.count, money.join(" "), group.bars.iter().sum::<u32>())
        };
        case.grouped_by(&all, by).iter().map(show).collect::<Vec<_>>()
    };
    assert_eq!(
        said(GroupBy::Words),
        [
            ("happened twice".to_owned(), 2, "USD 250.00".to_owned(), 2),
            ("did not happen".to_owned(), 1, "USD 70.00".to_owned(), 1),
            ("as meant".to_owned(), 1, String::new(), 1),
        ]
    );
    let label = said(GroupBy::Label);
    assert_eq!((label[0].0.as_str(), label[0].1, label[2].0.as_str()), ("DOUBLE", 2, "OK"));
    let hours = case.grouped_by(&all, GroupBy::Hour);
    let counted: Vec<(u64, usize)> = hours.iter().map(|group| (group.count, group.rows.len())).collect();
    assert_eq!(counted, [(1, 1), (2, 2), (1, 1)], "08, 09 and 10 o'clock");
    assert!(hours.iter().all(|group| group.class.is_none() && group.mark.is_empty()));
    assert_eq!(case.grouped_by(&[0], GroupBy::Words).len(), 1, "only the rows that are asked for");
}

#[test]
fn everything_of_an_order_is_found_by_its_exact_id() {
    let case = case();
    let all = case.everything(&Whose::Order("order:10".to_owned()));
    let ids: Vec<&str> = all.intents.iter().map(|(_, view)| view.business_id.as_str()).collect();
    assert_eq!(ids, ["order:10"], "not order 100");
    assert_eq!(all.party, "cust_1");
    let rows: Vec<&str> = all.of_party.iter().map(|row| row.operation.as_str()).collect();
    assert_eq!(rows, ["order 10", "order 9", "order 11", "order 100"], "worst first");
    let party = case.everything(&Whose::Party("cust_1".to_owned()));
    assert_eq!(party.intents.len(), 4);
    assert_eq!(case.everything(&Whose::Order("order:1".to_owned())).intents.len(), 0);
    assert_eq!(case.everything(&Whose::Order(String::new())).intents.len(), 0);
}
