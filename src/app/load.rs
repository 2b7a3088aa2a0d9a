//! A reading that goes on, ends, or begins again; and the list that is made from it.

use std::sync::Arc;

use super::case::{CaseView, Item};
use super::keymap;
use super::list::List;
use super::model::{Layer, Model, Phase};
use super::msg::Cmd;
use super::progress::Loading;
use super::update::say;
use crate::judge::story::Place;

pub(super) fn progressed(model: &mut Model, generation: u64, loading: &Loading) -> Vec<Cmd> {
    if generation != model.generation {
        return Vec::new();
    }
    let keep = |old: &Loading| Loading { stopping: old.stopping, ..loading.clone() };
    match (&mut model.phase, &mut model.again) {
        (Phase::Loading(old), _) | (_, Some(old)) => *old = keep(old),
        _ => {}
    }
    Vec::new()
}

/// A case is there. A selection that was made before stays on its row.
pub(super) fn loaded(model: &mut Model, case: &Arc<dyn CaseView>) -> Vec<Cmd> {
    let selected = model.preview.take().map(|(id, _)| id);
    let had_case = model.case().is_some();
    let before = model.case().map(|case| (first_of(&**case), case.summary().violations));
    model.phase = Phase::Ready(Arc::clone(case));
    model.again = None;
    model.marks = super::settle::marks::again(&model.marks, &**case);
    let mut cmds = reopen(model, &**case);
    cmds.extend(super::settle::flow::ask_head(model));
    if model.screen == super::model::Screen::Audit {
        cmds.extend(super::settle::audit::read(model));
    }
    super::sources::settle(model);
    model.filter.hits = None;
    model.sort.order = None;
    model.sought = None;
    relist(model);
    if let Some(place) = selected.and_then(|id| case.find(&id)) {
        select_place(model, place);
    }
    cmds.extend(search(model));
    // What was written is more than that it was read again.
    let wrote = model.message.as_ref().is_some_and(|message| message.number == model.wrote);
    if had_case && !wrote {
        let rows = case.summary().rows;
        let more = before.as_ref().is_some_and(|(first, violations)| {
            let worse = case.summary().violations > *violations;
            worse && first_of(&**case) != *first
        });
        let words = if more {
            "1 new, worse than what you look at: g".to_owned()
        } else {
            format!("read again: {} rows", keymap::thousands(rows))
        };
        cmds.extend(say(model, words, false));
        let worse = before.is_some_and(|(_, violations)| case.summary().violations > violations);
        if worse && model.setup.bell {
            cmds.push(Cmd::Bell);
        }
    }
    cmds
}

/// The stable name of the first row.
fn first_of(case: &dyn CaseView) -> Option<String> {
    (case.rows() > 0).then(|| case.row(0).id)
}

/// The sources changed on the disk: read again while watching, and said where that has to wait. Nothing moves under
/// what is being typed or read in a box.
pub(super) fn changed(model: &mut Model) -> Vec<Cmd> {
    if !model.watching || model.again.is_some() || model.case().is_none() {
        return Vec::new();
    }
    let held = |layer: &Layer| !matches!(layer, Layer::Detail(_) | Layer::Course(_));
    if model.layers.iter().any(held) {
        let key = model.setup.keys.shown(super::action::Action::ReadAgain, super::model::Context::List);
        let key = key.map_or(String::new(), |key| format!(", {key} reads it again"));
        return say(model, format!("the sources changed on disk{key}"), false);
    }
    read_again(model)
}

/// What lies above was made from the old case: evidence is gathered anew where its row is still there, the rest
/// is closed.
fn reopen(model: &mut Model, case: &dyn CaseView) -> Vec<Cmd> {
    let told = model.told(Place::Detail);
    let mut cmds = Vec::new();
    for layer in std::mem::take(&mut model.layers) {
        match layer {
            Layer::Detail(mut detail) => {
                if let Some(place) = case.find(&detail.item.row.id) {
                    detail.item = Item::load(case, case.row(place), told);
                    model.layers.push(Layer::Detail(detail));
                }
            }
            Layer::Course(mut course) => {
                if let Some(place) = case.find(&course.item.row.id) {
                    course.again(case, Item::load(case, case.row(place), told));
                    model.layers.push(Layer::Course(course));
                }
            }
            Layer::Form(mut form) => {
                model.requests += 1;
                if let Some(cmd) = super::settle::flow::reload(&mut form, case, told, model.requests) {
                    cmds.push(cmd);
                    model.layers.push(Layer::Form(form));
                }
            }
            Layer::Help(_) | Layer::Find(_) | Layer::Messages(_) | Layer::Columns(_) => {
                model.layers.push(layer);
            }
            Layer::Order(mut order) => {
                cmds.extend(super::order::again(&mut model.requests, &mut order));
                model.layers.push(Layer::Order(order));
            }
            Layer::Members(_) | Layer::Raw(_) | Layer::Palette(_) | Layer::Menu(_) => {}
        }
    }
    cmds
}

/// Makes the list of the triage screen anew and keeps the selection on its row where that is still in it.
pub(super) fn relist(model: &mut Model) {
    let Some(case) = model.case().map(Arc::clone) else {
        return;
    };
    let form = model.form();
    let place = model.list.place(model.list.selected, form);
    model.list.rows = List::of_case(&*case, &model.filter, &model.sort);
    model.list.sorted = model.sort.is_on() && !model.sort.waits();
    super::arrange::rows_changed(model);
    match place.filter(|place| model.list.position(*place, form).is_some()) {
        Some(place) => select_place(model, place),
        None => model.list.selected = 0,
    }
}

fn select_place(model: &mut Model, place: usize) {
    let form = model.form();
    if let Some(at) = model.list.position(place, form) {
        model.list.selected = at;
    }
}

/// Asks for the rows of the text that is typed.
pub(super) fn search(model: &mut Model) -> Vec<Cmd> {
    use crate::query::Query;
    model.search += 1;
    let query = Query::parse(&model.filter.text);
    if model.case().is_none() || query.is_empty() {
        model.filter.hits = None;
        relist(model);
        return Vec::new();
    }
    vec![Cmd::Search { generation: model.generation, search: model.search, query }]
}

pub fn read_again(model: &mut Model) -> Vec<Cmd> {
    model.generation += 1;
    if model.case().is_some() {
        model.again = Some(Loading::default());
    } else {
        model.phase = Phase::Loading(Loading::default());
    }
    vec![Cmd::Load { generation: model.generation, demo: false }]
}
