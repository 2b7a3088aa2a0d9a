//! Opening what is selected: a row, its members, a record; and finding the next divergent row.

use super::list::{List, Rows};
use super::load::relist;
use super::model::{Context, Detail, Layer, Members, Model, Pane, Phase, Raw, Scroll};
use super::msg::Cmd;
use super::progress::Loading;
use crate::judge::view::RowKind;
use crate::model::row::At;

pub(super) fn open(model: &mut Model) -> Vec<Cmd> {
    match model.context() {
        Context::FirstRun => {
            model.phase = Phase::Loading(Loading::default());
            model.generation += 1;
            vec![Cmd::Load { generation: model.generation, demo: true }]
        }
        Context::Clean => {
            model.filter.fine = true;
            relist(model);
            Vec::new()
        }
        Context::Detail | Context::Apart => read_record(model),
        Context::Hazards => super::hazards::open(model),
        Context::Sources => {
            super::sources::open(model);
            Vec::new()
        }
        Context::Groups => {
            super::arrange::open_group(model);
            Vec::new()
        }
        Context::Columns => {
            super::arrange::turn_column(model);
            Vec::new()
        }
        Context::Order => {
            super::order::evidence(model);
            Vec::new()
        }
        Context::Form => super::settle::flow::press(model),
        Context::Menu => chosen(model),
        Context::Audit => go_to_entry(model),
        Context::Course => {
            super::timeline::evidence(model);
            Vec::new()
        }
        _ => {
            open_row(model);
            Vec::new()
        }
    }
}

/// The selected line of the action menu is done, or says why it cannot be.
fn chosen(model: &mut Model) -> Vec<Cmd> {
    let at = match model.layers.last() {
        Some(Layer::Menu(menu)) => menu.selected,
        _ => return Vec::new(),
    };
    let Some(line) = super::settle::menu::lines(model).into_iter().nth(at) else { return Vec::new() };
    if let Some(why) = line.not_now {
        return super::update::say(model, format!("not now: {why}"), false);
    }
    model.layers.pop();
    super::update::perform(model, line.action)
}

/// From an entry of the log to the operation that it is about.
fn go_to_entry(model: &mut Model) -> Vec<Cmd> {
    let id = model.audit.entry().map(|entry| entry.subject.1.clone());
    let Some(case) = model.case().map(std::sync::Arc::clone) else { return Vec::new() };
    let Some(number) = id.and_then(|id| case.intent_of(&id)) else { return Vec::new() };
    let item = super::case::Item::load(
        &*case,
        case.intent_row(number),
        model.told(crate::judge::story::Place::Detail),
    );
    let (pane, scroll) = (Pane::Tried, Scroll::default());
    let detail = Detail { item, pane, attempt: 0, effect: 0, stacked: false, scroll };
    model.layers.push(Layer::Detail(Box::new(detail)));
    Vec::new()
}

fn open_row(model: &mut Model) {
    let Some((_, item)) = &model.preview else {
        return;
    };
    let item = item.clone();
    let rows = match &item.row.kind {
        RowKind::NotCompared { intents, .. } | RowKind::FitsByOrder { intents } => {
            Rows::Intents(intents.clone())
        }
        RowKind::OrphansMore { .. } => Rows::Orphans(model.case().map_or(0, |case| case.orphans())),
        _ => {
            let pane = if item.orphan().is_some() { Pane::Ledger } else { Pane::Tried };
            model.layers.push(Layer::Detail(Box::new(Detail {
                item,
                pane,
                attempt: 0,
                effect: 0,
                stacked: false,
                scroll: Scroll::default(),
            })));
            return;
        }
    };
    let members = Members { title: item.row.operation, words: item.row.words, list: List::new(rows) };
    model.layers.push(Layer::Members(members));
}

/// The record behind what is selected: its name and place.
pub fn selected_record(model: &Model) -> Option<(String, At)> {
    if let Some(order) = super::order::top(model) {
        let event = order.event()?;
        return event.at.map(|at| (event.what.clone(), at));
    }
    let (item, detail) = match model.layers.last() {
        Some(Layer::Detail(detail)) => (&detail.item, Some(&**detail)),
        _ => (&model.preview.as_ref()?.1, None),
    };
    let attempt = |at: usize| {
        let (_, attempt) = item.attempts().nth(at)?;
        attempt.at.map(|place| (format!("attempt {}", attempt.number), place))
    };
    let row = |at: usize| {
        let row = item.rows().nth(at)?;
        row.at.map(|place| (row.name.clone(), place))
    };
    match detail {
        Some(detail) if detail.pane == Pane::Tried => attempt(detail.attempt),
        Some(detail) => row(detail.effect),
        None => row(0).filter(|_| item.orphan().is_some()).or_else(|| attempt(0)).or_else(|| row(0)),
    }
}

pub(super) fn read_record(model: &mut Model) -> Vec<Cmd> {
    if model.context() == Context::Sources {
        super::sources::open(model);
        return Vec::new();
    }
    let Some((title, at)) = selected_record(model) else {
        return Vec::new();
    };
    model.requests += 1;
    let request = model.requests;
    model.layers.push(Layer::Raw(Raw { title, record: None, request, scroll: Scroll::default() }));
    vec![Cmd::ReadRaw { request, at }]
}

/// The next or previous divergent row of the topmost list.
pub fn divergent(model: &Model, forward: bool) -> Option<usize> {
    let case = model.case()?;
    let (list, form) = (model.top_list(), model.form());
    let quiet = case.quiet();
    let is = |at: &usize| match &list.rows {
        // What is fine is not divergent, and there may be a million of it.
        _ if list.place(*at, form).is_some_and(|place| quiet.contains(&place)) => false,
        Rows::Intents(_) => list.row(&**case, *at, form).is_some_and(|row| row.divergent),
        _ => list.flags(&**case, *at, form).divergent,
    };
    if forward { (list.selected + 1..list.len(form)).find(is) } else { (0..list.selected).rev().find(is) }
}

pub(super) fn go_divergent(model: &mut Model, forward: bool) {
    if let Some(at) = divergent(model, forward) {
        model.top_list_mut().selected = at;
    }
}
