use super::{layers, message, opened, press};
use crate::app::action::{ACTIONS, Action};
use crate::app::model::{Layer, Model};
use crate::app::palette::{Palette, offered};
use crate::app::testcase::Fake;

fn palette(model: &Model) -> &Palette {
    match model.layers.last() {
        Some(Layer::Palette(palette)) => palette,
        _ => panic!("no palette: {:?}", layers(model)),
    }
}

fn titles(model: &Model) -> Vec<(&'static str, bool)> {
    palette(model).found.iter().map(|found| (found.entry.title, found.refusal.is_none())).collect()
}

#[test]
fn every_action_is_in_it() {
    let mut model = opened(Fake::refunds());
    press(&mut model, ":");
    assert_eq!(palette(&model).found.len(), ACTIONS.len() - 1);
    assert_eq!(offered().count(), ACTIONS.len() - 1);
    assert!(palette(&model).found.iter().all(|found| found.refusal.as_deref() != Some("")));
}

#[test]
fn letters_find_and_enter_does_it_at_the_place_below() {
    let mut model = opened(Fake::refunds());
    press(&mut model, "enter : r a w space r");
    assert_eq!(titles(&model), [("raw record", true)]);
    press(&mut model, "enter");
    assert_eq!(layers(&model), ["detail", "raw"]);
}

#[test]
fn what_is_not_possible_stands_last_with_its_reason_and_says_it() {
    let mut model = opened(Fake::refunds());
    press(&mut model, ": d i v e r g e n t");
    let found = titles(&model);
    assert_eq!(
        found,
        [("next divergent", true), ("divergent only", true), ("previous divergent", false)],
        "it is on the first row"
    );
    press(&mut model, "down down down");
    assert_eq!(palette(&model).selected, 2, "the last one");
    press(&mut model, "enter");
    assert_eq!(message(&model), "previous divergent: nothing divergent further up");
    assert!(layers(&model).is_empty());
}

#[test]
fn a_key_is_text_in_it_and_esc_closes_it() {
    let mut model = opened(Fake::refunds());
    press(&mut model, ": q ?");
    assert_eq!(palette(&model).text, "q?");
    assert!(palette(&model).found.is_empty());
    press(&mut model, "enter");
    assert_eq!(message(&model), "no action has that name. esc closes the palette");
    press(&mut model, "backspace backspace esc");
    assert!(layers(&model).is_empty());
}

#[test]
fn messages_are_kept_newest_first() {
    let mut model = opened(Fake::refunds());
    press(&mut model, "[ F9 [".replace("F9", "l").as_str());
    press(&mut model, ": m e s s a g e s enter");
    assert_eq!(layers(&model), ["messages"]);
    let log: Vec<&str> = model.log.iter().map(|message| message.text.as_str()).collect();
    assert_eq!(log.len(), 3);
    assert_eq!(log[0], "[: nothing divergent further up");
    press(&mut model, "esc");
    assert!(layers(&model).is_empty());
    assert!(palette_has(&mut model, Action::Messages));
}

fn palette_has(model: &mut Model, action: Action) -> bool {
    press(model, ":");
    palette(model).found.iter().any(|found| found.entry.action == action)
}
