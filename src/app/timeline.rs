//! The timeline of what is selected: which event is selected, how far it is zoomed (`6-screens.md`, timeline).

use std::sync::Arc;

use super::case::{CaseView, Item};
use super::layers::{Course, Detail, Layer, Pane, Scroll};
use super::model::{Context, Model, Screen};
use crate::judge::story::Place;
use crate::judge::timeline::{DEEPEST, Window, of};
use crate::judge::view::RowKind;

/// The timeline of an item, its first event selected.
pub(super) fn course(case: &dyn CaseView, item: Item) -> Course {
    let units = case.units();
    let timeline = of(&item.intents, case.sources(), &|money| units.show(money));
    Course { item, timeline, selected: 0, zoom: 0 }
}

/// What a timeline would be of: the selected operation.
pub fn selected(model: &Model) -> Option<Item> {
    let item = match (model.detail(), model.context()) {
        (Some(detail), _) => Some(detail.item.clone()),
        (None, Context::Hazards) => {
            let case = model.case()?;
            match super::hazards::intent(model) {
                Some(number) => Some(Item::load(&**case, case.intent_row(number), model.told(Place::Detail))),
                None => of_run(model),
            }
        }
        _ => model.preview.as_ref().map(|(_, item)| item.clone()),
    };
    item.filter(|item| !item.intents.is_empty())
}

/// The intents of the run that the selected hazard is about, as one row.
fn of_run(model: &Model) -> Option<Item> {
    let (hazard, case) = (super::hazards::selected(model)?, model.case()?);
    let run = &hazard.place.run;
    let numbers = case.run(run);
    let mut row = case.intent_row(*numbers.first()?);
    row.intent_id.clear();
    row.operation.clone_from(run);
    row.noun = "operations".to_owned();
    row.kind = RowKind::Group(numbers);
    Some(Item::load(&**case, row, model.told(Place::Detail)))
}

/// Opens the timeline of what is selected.
pub(super) fn open(model: &mut Model) {
    let Some(case) = model.case().map(Arc::clone) else { return };
    if let Some(item) = selected(model) {
        model.layers.push(Layer::Course(Box::new(course(&*case, item))));
    }
}

/// The screen of this name: the timeline of the selection over that of the case.
pub(super) fn screen(model: &mut Model) {
    let item = selected(model);
    model.layers.clear();
    model.screen = Screen::Timeline;
    model.hazard = 0;
    if let (Some(item), Some(case)) = (item, model.case().map(Arc::clone)) {
        model.layers.push(Layer::Course(Box::new(course(&*case, item))));
    }
}

/// From the timeline to the evidence of the same operation.
pub(super) fn evidence(model: &mut Model) {
    let Some(Layer::Course(course)) = model.layers.last() else { return };
    let call = course.timeline.events.get(course.selected).map(|event| (event.intent, event.attempt));
    let place = |item: &Item| item.attempts().position(|(of, a)| Some((of, a.number)) == call);
    let (item, attempt) = (course.item.clone(), place(&course.item).unwrap_or(0));
    let below = model.layers.len().checked_sub(2).and_then(|at| model.layers.get_mut(at));
    if let Some(Layer::Detail(detail)) = below {
        detail.pane = Pane::Tried;
        detail.attempt = attempt;
        detail.scroll.follow = true;
        model.layers.pop();
        return;
    }
    let scroll = Scroll { follow: true, ..Scroll::default() };
    let detail = Detail { item, pane: Pane::Tried, attempt, effect: 0, stacked: false, scroll };
    model.layers.push(Layer::Detail(Box::new(detail)));
}

impl Course {
    /// Moves along the events.
    pub(super) fn step(&mut self, by: isize) {
        let last = self.timeline.events.len().saturating_sub(1);
        self.selected = self.selected.saturating_add_signed(by).min(last);
    }

    /// One step closer to the selected event; behind the deepest the whole again.
    pub(super) fn closer(&mut self) {
        self.zoom = if self.zoom >= DEEPEST { 0 } else { self.zoom + 1 };
    }

    /// What is in view.
    pub fn window(&self) -> Window {
        let whole = self.timeline.window;
        let event = self.timeline.events.get(self.selected).filter(|event| !event.when.is_none());
        match event {
            // What lies outside the first window is looked at where it is.
            Some(event) if !whole.holds(event.when.at) && self.zoom > 0 => {
                let room = (whole.length() / 2).max(1);
                Window { from: event.when.at.plus(-room), to: event.when.at.plus(room) }
                    .zoomed(self.zoom - 1, event.when.at)
            }
            Some(event) => whole.zoomed(self.zoom, event.when.at),
            None => whole,
        }
    }

    /// The same of a case that was read again.
    pub(super) fn again(&mut self, case: &dyn CaseView, item: Item) {
        let (selected, zoom) = (self.selected, self.zoom);
        *self = course(case, item);
        self.zoom = zoom;
        self.step(isize::try_from(selected).unwrap_or(0));
    }
}

impl Model {
    /// The timeline on top, also under the help.
    pub fn course(&self) -> Option<&Course> {
        self.layers.iter().rev().find_map(|layer| match layer {
            Layer::Course(course) => Some(&**course),
            _ => None,
        })
    }
}
