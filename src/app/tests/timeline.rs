use super::{layers, message, opened, press};
use crate::app::model::{Context, Screen};
use crate::app::testcase::Fake;

#[test]
fn the_timeline_is_of_what_is_selected() {
    let mut model = opened(Fake::refunds());
    press(&mut model, "t");
    assert_eq!((layers(&model), model.context()), (vec!["course"], Context::Course));
    let course = model.course().unwrap();
    assert_eq!((course.item.row.intent_id.as_str(), course.selected, course.zoom), ("int_9876", 0, 0));
    press(&mut model, "esc");
    assert_eq!(model.context(), Context::List);
    // A row without an attempt has no calls to lay along a line.
    press(&mut model, "G t");
    assert_eq!((layers(&model), message(&model)), (vec![], "t: it has no timeline of its own"));
}

#[test]
fn the_screen_is_that_of_the_selection_over_that_of_the_case() {
    let mut model = opened(Fake::with_activity());
    press(&mut model, "3");
    assert_eq!((model.screen, model.context()), (Screen::Timeline, Context::Course));
    press(&mut model, "esc");
    assert_eq!((model.screen, model.context()), (Screen::Timeline, Context::Activity));
    press(&mut model, "esc");
    assert_eq!((model.screen, model.context()), (Screen::Triage, Context::List));
}

#[test]
fn events_are_walked_and_looked_at_closer() {
    let mut model = opened(Fake::refunds());
    press(&mut model, "t");
    let last = model.course().unwrap().timeline.events.len() - 1;
    let mut at = |keys: &str| {
        press(&mut model, keys);
        let course = model.course().unwrap();
        (course.selected, course.zoom, course.window().length())
    };
    let whole = at("").2;
    assert_eq!(at("left").0, 0);
    assert_eq!(at("right").0, 1);
    assert_eq!(at("G").0, last);
    assert_eq!(at("j").0, last);
    let (_, zoom, length) = at("g z");
    assert_eq!((zoom, length), (1, whole / 3));
    assert_eq!(at("z z z z z z z").1, 8);
    assert_eq!(at("z"), (0, 0, whole));
}

#[test]
fn enter_goes_to_the_evidence_of_that_attempt() {
    let mut model = opened(Fake::refunds());
    press(&mut model, "t j j j enter");
    assert_eq!(layers(&model), ["course", "detail"]);
    assert_eq!(model.detail().unwrap().attempt, 1);
    press(&mut model, "esc esc enter t enter");
    assert_eq!(layers(&model), ["detail"]);
}

#[test]
fn from_a_hazard_to_its_timeline() {
    let mut model = opened(Fake::with_hazards());
    press(&mut model, "2 t");
    assert_eq!(layers(&model), ["course"]);
    press(&mut model, "esc");
    assert_eq!(model.context(), Context::Hazards);
}
