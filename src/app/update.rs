//! One message changes the model and says what is to be done. Nothing is drawn, read or written here.

use std::sync::Arc;

use super::action::{Action, Entry};
use super::case::{Exported, ExportedRows, Item};
use super::keymap;
use super::keys::{Code, Key};
use super::list::{Filter, Rows};
use super::load::{loaded, progressed, read_again, relist, search};
use super::model::{Context, Find, Help, Layer, Message, Model, Pane, Phase, Screen, Scroll};
use super::msg::{Cmd, Msg};
use super::open::{go_divergent, open, read_record};
use super::{arrange, layout, order, palette, seek, typing};
use crate::judge::story::Place;
use crate::judge::view::{GroupBy, RowKind};

/// How long a message stands, in milliseconds (`6-screens.md` 7.4.8).
const MESSAGE_MILLIS: u64 = 4_000;

/// Messages that are kept to be read again.
const KEPT: usize = 200;

/// The first command: read what was given.
pub fn start(model: &Model) -> Vec<Cmd> {
    match model.phase {
        Phase::Loading(_) => vec![Cmd::Load { generation: model.generation, demo: false }],
        _ => Vec::new(),
    }
}

/// Takes a message.
pub fn update(model: &mut Model, msg: Msg) -> Vec<Cmd> {
    let mut cmds = match msg {
        Msg::Key(key) => press(model, key),
        Msg::Paste(text) => typing::paste(model, &text),
        Msg::Resized(size) => {
            model.size = size;
            Vec::new()
        }
        Msg::Progressed { generation, loading } => progressed(model, generation, &loading),
        Msg::Loaded { generation, case } if generation == model.generation => loaded(model, &case),
        Msg::Failed { generation, failure } if generation == model.generation => {
            if model.case().is_some() {
                // The old case stays in view; what is wrong with the new one is said, not shown in its place.
                model.again = None;
                say(model, format!("! not read again: {} What you see is from before", failure.what), true)
            } else {
                model.phase = Phase::Failed(*failure);
                Vec::new()
            }
        }
        Msg::Found { generation, search, hits }
            if (generation, search) == (model.generation, model.search) =>
        {
            seek::found(model, &hits);
            model.filter.hits = Some(hits);
            relist(model);
            Vec::new()
        }
        Msg::Sorted { generation, by, order } => {
            arrange::sorted(model, generation, by, order);
            Vec::new()
        }
        Msg::Grouped { request, groups } => {
            arrange::grouped(model, request, groups);
            Vec::new()
        }
        Msg::Everything { request, all } => {
            order::found(model, request, *all);
            Vec::new()
        }
        Msg::RawRead { request, record } => {
            for layer in &mut model.layers {
                if let Layer::Raw(raw) = layer
                    && raw.request == request
                {
                    raw.record = Some(record);
                    break;
                }
            }
            Vec::new()
        }
        Msg::Sent(result) => super::copy::done(model, result),
        Msg::Settled(told) => super::settle::flow::told(model, told),
        // Both stand until a key: a path is read, not glimpsed.
        Msg::Reported { path: Ok(path) } => say(model, format!("the report is in {path}"), true),
        Msg::Reported { path: Err(why) } | Msg::Exported { path: Err(why), .. } => {
            say(model, format!("! {}. {}", why.what, why.next), true)
        }
        Msg::Wheel(by) => {
            // While somebody types nothing moves.
            if model.context() != Context::Find {
                step(model, by);
            }
            Vec::new()
        }
        Msg::Changed => super::load::changed(model),
        Msg::Exported { path: Ok(path), rows } => {
            let rows = keymap::counted(rows as u64, "row");
            say(model, format!("saved {path}: {rows}, filter and read positions included"), true)
        }
        Msg::MessageOver(number) => {
            if model.message.as_ref().is_some_and(|message| message.number == number && !message.error) {
                model.message = None;
            }
            Vec::new()
        }
        Msg::Loaded { .. } | Msg::Failed { .. } | Msg::Found { .. } => Vec::new(),
    };
    cmds.extend(arrange::due(model));
    settle(model);
    cmds
}

/// Keeps selection and preview in step with whatever changed.
fn settle(model: &mut Model) {
    let Some(case) = model.case().map(Arc::clone) else {
        model.preview = None;
        return;
    };
    let form = model.form();
    let height = model.list_height();
    model.top_list_mut().settle(form, height);
    let list = model.top_list();
    let row = list.row(&*case, list.selected, form);
    let told = model.told(Place::List);
    match (row, &mut model.preview) {
        (None, preview) => *preview = None,
        (Some(row), Some((id, item))) if *id == row.id => item.retell(&*case, told),
        (Some(row), preview) => *preview = Some((row.id.clone(), Item::load(&*case, row, told))),
    }
    let told = model.told(Place::Detail);
    for layer in &mut model.layers {
        if let Layer::Detail(detail) = layer {
            detail.item.retell(&*case, told);
        }
    }
}

/// Puts a sentence in the status line.
pub fn say(model: &mut Model, text: String, error: bool) -> Vec<Cmd> {
    model.messages += 1;
    let number = model.messages;
    let message = Message { text, error, number };
    model.log.insert(0, message.clone());
    model.log.truncate(KEPT);
    model.message = Some(message);
    if error { Vec::new() } else { vec![Cmd::Timer { message: number, millis: MESSAGE_MILLIS }] }
}

fn press(model: &mut Model, key: Key) -> Vec<Cmd> {
    model.message = None;
    let context = model.context();
    if matches!(context, Context::Find | Context::Field | Context::Palette)
        && let Some(cmds) = typing::key(model, key)
    {
        return cmds;
    }
    let entry = model.setup.keys.action(key, context);
    model.copied &= entry.is_some_and(|entry| entry.action == Action::Copy);
    let Some(entry) = entry else {
        return if context == Context::TooSmall {
            Vec::new()
        } else {
            say(model, format!("{}: this key does nothing here. ? shows the keys", key.shown()), false)
        };
    };
    if !entry.contexts.contains(&context) {
        return elsewhere(model, key, entry, context);
    }
    if let Some(reason) = (entry.refusal)(model) {
        return say(model, format!("{}: {reason}", key.shown()), false);
    }
    perform(model, entry.action)
}

fn elsewhere(model: &mut Model, key: Key, entry: &Entry, context: Context) -> Vec<Cmd> {
    match (context, entry.action) {
        (Context::TooSmall | Context::Find | Context::Field | Context::Palette, _) => Vec::new(),
        // The help is closed by what opened it.
        (Context::Help, Action::Help) => perform(model, Action::Back),
        _ => say(
            model,
            format!("{}: {} is not for this place. ? shows the keys", key.shown(), entry.title),
            false,
        ),
    }
}

/// Does an action that is possible here.
pub fn perform(model: &mut Model, action: Action) -> Vec<Cmd> {
    let page = isize::try_from(layout::page(model.size)).unwrap_or(isize::MAX);
    match action {
        Action::Earlier if model.context() == Context::Columns => arrange::move_column(model, -1),
        Action::Later if model.context() == Context::Columns => arrange::move_column(model, 1),
        Action::Up | Action::Earlier => step(model, -1),
        Action::Down | Action::Later => step(model, 1),
        Action::PageUp => leap(model, -page),
        Action::PageDown => leap(model, page),
        Action::First => leap(model, isize::MIN),
        Action::Last => leap(model, isize::MAX),
        Action::Open => return open(model),
        Action::Back => return back(model),
        Action::NextPane | Action::PreviousPane
            if matches!(model.context(), Context::Form | Context::Field) =>
        {
            return super::settle::keys::turn(model, if action == Action::NextPane { 1 } else { -1 });
        }
        Action::NextPane | Action::PreviousPane => {
            if model.context() == Context::Sources {
                super::sources::turn(model);
            } else if let Some(Layer::Detail(detail)) = model.layers.last_mut() {
                detail.scroll.follow = true;
                detail.pane = if detail.pane == Pane::Tried { Pane::Ledger } else { Pane::Tried };
            }
        }
        Action::Form(dialog) => return super::settle::flow::open(model, dialog),
        Action::Menu => super::settle::menu::open(model),
        Action::Choose if matches!(model.layers.last(), Some(Layer::Form(_))) => {
            return super::settle::keys::choose(model);
        }
        Action::Choose => return super::settle::marks::choose(model),
        Action::MarkAll => return super::settle::marks::choose_all(model),
        Action::Undo => return super::settle::keys::undo(model),
        Action::AuditOf => return super::settle::audit::of_selection(model),
        Action::Screen(Screen::Audit) => return super::settle::audit::screen(model),
        Action::Screen(Screen::Timeline) => super::timeline::screen(model),
        Action::Timeline => super::timeline::open(model),
        Action::Zoom => {
            if let Some(Layer::Course(course)) = model.layers.last_mut() {
                course.closer();
            } else {
                model.zoomed = !model.zoomed;
            }
        }
        Action::Screen(screen) => {
            model.layers.clear();
            model.screen = screen;
            model.hazard = 0;
            super::sources::enter(model);
        }
        Action::Find => typing::begin(model),
        Action::NextDivergent => go_divergent(model, true),
        Action::PreviousDivergent => go_divergent(model, false),
        Action::OnlyDivergent => {
            model.filter.divergent = !model.filter.divergent;
            relist(model);
        }
        Action::OnlyUnknown => {
            model.filter.unknown = !model.filter.unknown;
            relist(model);
        }
        Action::Stack => {
            if let Some(Layer::Detail(detail)) = model.layers.last_mut() {
                detail.stacked = !detail.stacked;
            }
        }
        Action::NextHit => seek::go(model, true),
        Action::PreviousHit => seek::go(model, false),
        Action::Sort => arrange::sort(model),
        Action::Reverse => arrange::reverse(model),
        Action::GroupWords => arrange::group(model, Some(GroupBy::Words)),
        Action::GroupLabel => arrange::group(model, Some(GroupBy::Label)),
        Action::GroupHour => arrange::group(model, Some(GroupBy::Hour)),
        Action::Ungroup => arrange::group(model, None),
        Action::Columns => arrange::choose_columns(model),
        Action::Reset => return arrange::reset(model),
        Action::Closed => {
            "closed".clone_into(&mut model.filter.text);
            return search(model);
        }
        Action::Order => return order::open(model),
        Action::HazardsOf => super::hazards::of_selected(model),
        Action::Palette => palette::open(model),
        Action::Messages => model.layers.push(Layer::Messages(Scroll::default())),
        Action::Copy => return super::copy::copy(model),
        Action::Raw => return read_record(model),
        Action::Report if matches!(model.context(), Context::List | Context::Members) => {
            return export(model);
        }
        Action::Report => return report(model),
        Action::ReadAgain if matches!(model.layers.last(), Some(Layer::Form(_))) => {
            return super::settle::flow::again(model);
        }
        Action::ReadAgain => return read_again(model),
        Action::Watch => {
            model.watching = !model.watching;
            let every = keymap::counted(model.setup.watch, "second");
            let words = if model.watching {
                format!("watching: what changes is read again, looked for every {every}")
            } else {
                "no longer watching. What is shown stays as it was read".to_owned()
            };
            return say(model, words, false);
        }
        Action::Clock => model.local_time = !model.local_time,
        Action::Help => model.layers.push(Layer::Help(Help::default())),
        Action::Suspend => return vec![Cmd::Suspend],
        Action::Quit => return vec![Cmd::Quit],
    }
    Vec::new()
}

/// The document of what is shown: of the one intent that is open, else of all that is not as intended.
fn report(model: &mut Model) -> Vec<Cmd> {
    let item = match model.layers.last() {
        Some(Layer::Detail(detail)) => Some(&detail.item),
        Some(Layer::Course(course)) => Some(&course.item),
        _ => None,
    };
    let intent = match item.map(|item| &item.row.kind) {
        Some(RowKind::Intent(number)) => Some(*number),
        _ => None,
    };
    let mut cmds = say(model, "writing the report".to_owned(), false);
    cmds.push(Cmd::Report { intent });
    cmds
}

/// The list as it is shown, as a file.
fn export(model: &mut Model) -> Vec<Cmd> {
    let view = exported(model);
    let mut cmds = say(model, "writing the list".to_owned(), false);
    cmds.push(Cmd::Export(Box::new(view)));
    cmds
}

/// What is shown: its rows, and what a person would type to see them again.
fn exported(model: &Model) -> Exported {
    // Groups are a way to look at the rows of the list; what is exported are those rows.
    let list =
        Some(model.top_list()).filter(|list| !matches!(list.rows, Rows::Groups(_))).unwrap_or(&model.list);
    let rows = match &list.rows {
        Rows::Case { plain, apart, .. } => ExportedRows::Places(plain.iter().chain(apart).copied().collect()),
        Rows::Places(places) => ExportedRows::Places(places.to_vec()),
        Rows::Intents(numbers) => ExportedRows::Intents(numbers.clone()),
        Rows::Groups(_) => ExportedRows::Places(Vec::new()),
        Rows::Orphans(count) => ExportedRows::Orphans(*count),
    };
    let members = model.layers.iter().rev().find_map(|layer| match layer {
        Layer::Members(members) => Some(format!("{} {}", members.title, members.words)),
        _ => None,
    });
    let filter = &model.filter;
    let parts = [
        members.unwrap_or_default(),
        filter.text.clone(),
        if filter.divergent { "divergent".to_owned() } else { String::new() },
        if filter.unknown { "unknown".to_owned() } else { String::new() },
        if filter.fine && filter.text.is_empty() { "fine rows too".to_owned() } else { String::new() },
    ];
    let filter = parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ");
    Exported { rows, filter, sort: model.sort.said(), name: model.setup.name.clone() }
}

/// One line: of a list, of the focused pane, of a text.
fn step(model: &mut Model, by: isize) {
    match model.context() {
        Context::Hazards => return super::hazards::step(model, by),
        Context::Sources => return super::sources::step(model, by),
        Context::Audit => return super::settle::audit::step(model, by),
        Context::Form => return super::settle::keys::step(model, by),
        Context::Menu => return super::settle::menu::step(model, by),
        _ => {}
    }
    match model.layers.last_mut() {
        Some(Layer::Detail(detail)) => {
            let (selected, count) = match detail.pane {
                Pane::Tried => (detail.attempt, detail.item.attempts().count()),
                Pane::Ledger => (detail.effect, detail.item.rows().count()),
            };
            let moved = selected.saturating_add_signed(by).min(count.saturating_sub(1));
            if moved == selected {
                // At the end of what can be selected the text goes on: why, and the fine print.
                detail.scroll.by(by);
                return;
            }
            detail.scroll.follow = true;
            match detail.pane {
                Pane::Tried => detail.attempt = moved,
                Pane::Ledger => detail.effect = moved,
            }
        }
        Some(Layer::Course(course)) => course.step(by),
        Some(Layer::Order(order)) => order.step(by),
        Some(Layer::Columns(_)) => arrange::step_column(model, by),
        Some(Layer::Messages(scroll)) => scroll.by(by),
        Some(Layer::Raw(raw)) => raw.scroll.by(by),
        Some(Layer::Help(help)) => help.scroll.by(by),
        _ => move_list(model, by),
    }
}

/// A page, or to an end.
fn leap(model: &mut Model, by: isize) {
    match model.context() {
        Context::Hazards => return super::hazards::step(model, by),
        Context::Sources => return super::sources::step(model, by),
        Context::Audit => return super::settle::audit::step(model, by),
        Context::Menu => return super::settle::menu::step(model, by),
        _ => {}
    }
    match model.layers.last_mut() {
        Some(Layer::Form(form)) => form.scroll.by(by),
        Some(Layer::Detail(detail)) => detail.scroll.by(by),
        Some(Layer::Course(course)) => course.step(by),
        Some(Layer::Order(order)) => order.step(by),
        Some(Layer::Columns(_)) => arrange::step_column(model, by),
        Some(Layer::Messages(scroll)) => scroll.by(by),
        Some(Layer::Raw(raw)) => raw.scroll.by(by),
        Some(Layer::Help(help)) => help.scroll.by(by),
        _ => {
            let rows = isize::try_from(model.list_height()).unwrap_or(isize::MAX);
            let by = match by {
                isize::MIN | isize::MAX => by,
                up if up < 0 => -rows,
                _ => rows,
            };
            move_list(model, by);
        }
    }
}

/// Moves the selection of the topmost list.
pub fn move_list(model: &mut Model, by: isize) {
    let form = model.form();
    let list = model.top_list_mut();
    let end = list.len(form).saturating_sub(1);
    list.selected = list.selected.saturating_add_signed(by).min(end);
}

/// Exactly one layer: what lies on top, else a filter, else another screen.
fn back(model: &mut Model) -> Vec<Cmd> {
    if let Some(layer) = model.layers.pop() {
        return match layer {
            Layer::Find(find) => typing::give_back(model, find),
            _ => Vec::new(),
        };
    }
    if let Phase::Loading(loading) = &mut model.phase {
        loading.stopping = true;
        return vec![Cmd::StopLoad];
    }
    if model.screen != Screen::Triage {
        model.screen = Screen::Triage;
    } else if let Some(again) = &mut model.again {
        again.stopping = true;
        return vec![Cmd::StopLoad];
    } else if model.grouping.is_some() {
        arrange::group(model, None);
    } else if !model.filter.text.is_empty() {
        model.filter.text.clear();
        return search(model);
    } else {
        model.filter = Filter::default();
        relist(model);
    }
    Vec::new()
}

/// The keys of a typing field that are not text.
pub(super) fn is_arrow(key: Key) -> Option<isize> {
    match key.code {
        Code::Up => Some(-1),
        Code::Down => Some(1),
        _ => None,
    }
}

/// Opens the field for a filter.
pub(super) fn push_find(model: &mut Model) {
    let find = Find {
        text: model.filter.text.clone(),
        before: model.filter.clone(),
        place: (model.list.selected, model.list.offset),
    };
    model.layers.push(Layer::Find(find));
}
