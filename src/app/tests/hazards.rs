use super::{layers, message, opened, press};
use crate::app::model::{Context, Screen};
use crate::app::testcase::Fake;

#[test]
fn without_hazards_the_screen_says_so() {
    let mut model = opened(Fake::refunds());
    press(&mut model, "2");
    assert_eq!((model.screen, model.context()), (Screen::Hazards, Context::Empty));
}

#[test]
fn the_selection_moves_and_stops_at_both_ends() {
    let mut model = opened(Fake::with_hazards());
    press(&mut model, "2");
    assert_eq!(model.context(), Context::Hazards);
    let mut at = |keys: &str| {
        press(&mut model, keys);
        model.hazard
    };
    assert_eq!([at("k"), at("j"), at("j"), at("g"), at("G")], [0, 1, 1, 0, 1]);
    press(&mut model, "1 2");
    assert_eq!(model.hazard, 0);
}

#[test]
fn enter_goes_to_the_operation_and_esc_comes_back() {
    let mut model = opened(Fake::with_hazards());
    press(&mut model, "2 enter");
    assert_eq!(layers(&model), ["detail"]);
    press(&mut model, "esc");
    assert_eq!((layers(&model), model.context()), (vec![], Context::Hazards));
    // A hazard of a run has no operation behind it.
    press(&mut model, "j enter");
    assert_eq!((layers(&model), message(&model)), (vec![], "enter: it is not about one operation"));
    press(&mut model, "esc");
    assert_eq!(model.context(), Context::List);
}
