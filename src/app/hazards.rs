//! The hazards screen: which one is selected, and the way to its operation (`6-screens.md`, hazards).

use super::case::Item;
use super::model::{Detail, Layer, Model, Pane, Scroll};
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
