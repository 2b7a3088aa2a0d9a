//! The hazards screen: which one is selected, and the way to its operation (`6-screens.md`, hazards).

use super::case::Item;
use super::model::{Detail, Layer, Model, Pane, Screen, Scroll};
use super::msg::Cmd;
use crate::judge::hazards::{Evaluation, Hazard};
use crate::judge::story::Place;

/// Hazards of the loaded case; `None` before there is one.
pub fn of(model: &Model) -> Option<&Evaluation> {
    model.case().and_then(|case| case.hazards())
}

/// The selected one.
pub fn selected(model: &Model) -> Option<&Hazard> {
    of(model)?.firing().nth(model.hazard)
}

/// Moves the selection.
pub(super) fn step(model: &mut Model, by: isize) {
    let count = of(model).map_or(0, |all| all.firing().count());
    model.hazard = model.hazard.saturating_add_signed(by).min(count.saturating_sub(1));
}

/// The intent that the selected one is about: of several the last, which is the one that was sent too early.
pub fn intent(model: &Model) -> Option<u32> {
    let hazard = selected(model)?;
    let id = if hazard.place.intent.is_empty() { hazard.subjects.first()? } else { &hazard.place.intent };
    model.case()?.intent_of(id)
}

/// The first hazard that is about the selected operation, as a place among those that fire.
fn about(model: &Model) -> Option<usize> {
    let item = super::timeline::selected(model)?;
    let is = |hazard: &Hazard| {
        item.intents.iter().any(|intent| {
            hazard.place.intent == intent.intent_id || hazard.subjects.contains(&intent.intent_id)
        })
    };
    of(model)?.firing().position(is)
}

/// Why there are no hazards of the selection.
pub fn none_about(model: &Model) -> Option<String> {
    let case = model.case()?;
    if case.firing().is_none() {
        return Some("hazards are still being looked for".to_owned());
    }
    about(model).is_none().then(|| "no hazard is about what is selected".to_owned())
}

/// The hazards screen, on the first one that is about the selected operation.
pub(super) fn of_selected(model: &mut Model) {
    let Some(at) = about(model) else { return };
    model.layers.clear();
    model.screen = Screen::Hazards;
    model.hazard = at;
}

/// Opens the operation behind the selected one.
pub(super) fn open(model: &mut Model) -> Vec<Cmd> {
    let (Some(number), Some(case)) = (intent(model), model.case()) else {
        return Vec::new();
    };
    let item = Item::load(&**case, case.intent_row(number), model.told(Place::Detail));
    let detail =
        Detail { item, pane: Pane::Tried, attempt: 0, effect: 0, stacked: false, scroll: Scroll::default() };
    model.layers.push(Layer::Detail(Box::new(detail)));
    Vec::new()
}
