use super::{layers, message, opened, press};
use crate::app::model::{Layer, Model};
use crate::app::order::{EventKind, Order, sums};
use crate::app::testcase::Fake;
use crate::judge::story::samples::usd;
use crate::judge::view::Whose;

fn order(model: &Model) -> &Order {
    match model.layers.last() {
        Some(Layer::Order(order)) => order,
        _ => panic!("{:?}", layers(model)),
    }
}

#[test]
fn everything_of_an_order_then_of_its_customer() {
    let mut model = opened(Fake::refunds());
    press(&mut model, "j p");
    assert_eq!(order(&model).whose, Whose::Order("order:6001".into()));
    let all = order(&model).all.as_ref().unwrap();
    assert_eq!(all.intents.len(), 2);
    assert_eq!(all.party, "cust_41");
    press(&mut model, "p");
    assert_eq!(order(&model).whose, Whose::Party("cust_41".into()));
    assert_eq!(layers(&model), ["order", "order"]);
    press(&mut model, "p");
    assert_eq!(message(&model), "p: this is everything of the customer already");
    press(&mut model, "esc esc");
    assert_eq!(layers(&model), Vec::<&str>::new());
}

#[test]
fn events_stand_in_order_of_time_and_only_the_newest_amount_of_a_chain_is_intended() {
    let mut model = opened(Fake::refunds());
    press(&mut model, "j p");
    let order = order(&model);
    let times: Vec<_> = order.events.iter().map(|event| event.when.begin()).collect();
    assert!(times.is_sorted());
    let said: Vec<(EventKind, &str)> =
        order.events.iter().map(|event| (event.kind, event.what.as_str())).collect();
    assert!(said.contains(&(EventKind::TooMuch, "rf_61 committed")), "{said:?}");
    assert!(said.contains(&(EventKind::Row, "rf_62 committed")), "{said:?}");
    assert_eq!(order.event().unwrap().what, "rf_61 committed", "what is too much is selected");
    let sums = sums(order.all.as_ref().unwrap());
    assert!(sums.replaced);
    let total = |totals: &crate::model::money::Totals| {
        totals.iter().map(|(_, total)| total.exact().unwrap()).collect::<Vec<_>>()
    };
    assert_eq!(total(&sums.intended), [usd("150.00").amount.wide()]);
    assert_eq!(total(&sums.happened), [usd("350.00").amount.wide()]);
}

#[test]
fn enter_opens_the_evidence_on_the_call_of_the_event_and_v_its_record() {
    let mut model = opened(Fake::refunds());
    press(&mut model, "j p");
    let at = order(&model).events.iter().position(|event| event.attempt == 1 && event.request == "int_6002");
    let steps = at.unwrap();
    press(&mut model, "g");
    press(&mut model, &"j ".repeat(steps));
    press(&mut model, "enter");
    assert_eq!(layers(&model), ["order", "detail"]);
    let detail = model.detail().unwrap();
    let (of, attempt) = detail.item.attempts().nth(detail.attempt).unwrap();
    assert_eq!((detail.item.intents[of].intent_id.as_str(), attempt.number), ("int_6002", 1));
    press(&mut model, "esc v");
    assert_eq!(layers(&model), ["order", "raw"]);
}

#[test]
fn a_row_that_names_no_order_and_no_customer_says_so() {
    let mut model = opened(Fake::refunds());
    press(&mut model, "G p");
    assert_eq!(message(&model), "p: it names no order and no customer");
}
