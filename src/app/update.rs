//! One message changes the model and says what is to be done. Nothing is drawn, read or written here.

use std::sync::Arc;

use super::action::{Action, Entry};
use super::case::{CaseView, Item};
use super::keymap;
use super::keys::{Code, Key};
use super::list::{List, Rows};
use super::model::{
    Context, Detail, Find, Help, Layer, Members, Message, Model, Pane, Phase, Raw, Screen, Scroll,
};
use super::msg::{Cmd, Msg};
use super::progress::Loading;
use super::{layout, typing};
use crate::judge::story::Place;
use crate::judge::view::RowKind;
use crate::model::row::At;

/// How long a message stands, in milliseconds (`6-screens.md` 7.4.8).
const MESSAGE_MILLIS: u64 = 4_000;

/// The first command: read what was given.
pub fn start(model: &Model) -> Vec<Cmd> {
    match model.phase {
        Phase::Loading(_) => vec![Cmd::Load {
            generation: model.generation,
            demo: false,
        }],
        _ => Vec::new(),
    }
}

/// Takes a message.
pub fn update(model: &mut Model, msg: Msg) -> Vec<Cmd> {
    let cmds = match msg {
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
                say(
                    model,
                    format!("! not read again: {} What you see is from before", failure.what),
                    true,
                )
            } else {
                model.phase = Phase::Failed(*failure);
                Vec::new()
            }
        }
        Msg::Found {
            generation,
            search,
            hits,
        } if (generation, search) == (model.generation, model.search) => {
            model.filter.hits = Some(hits);
            relist(model);
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
        Msg::MessageOver(number) => {
            if model
                .message
                .as_ref()
                .is_some_and(|message| message.number == number && !message.error)
            {
                model.message = None;
            }
            Vec::new()
        }
        Msg::Loaded { .. } | Msg::Failed { .. } | Msg::Found { .. } => Vec::new(),
    };
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

fn progressed(model: &mut Model, generation: u64, loading: &Loading) -> Vec<Cmd> {
    if generation != model.generation {
        return Vec::new();
    }
    let keep = |old: &Loading| Loading {
        stopping: old.stopping,
        ..loading.clone()
    };
    match (&mut model.phase, &mut model.again) {
        (Phase::Loading(old), _) | (_, Some(old)) => *old = keep(old),
        _ => {}
    }
    Vec::new()
}

/// A case is there. A selection that was made before stays on its row.
fn loaded(model: &mut Model, case: &Arc<dyn CaseView>) -> Vec<Cmd> {
    let selected = model.preview.take().map(|(id, _)| id);
    let had_case = model.case().is_some();
    model.phase = Phase::Ready(Arc::clone(case));
    model.again = None;
    reopen(model, &**case);
    model.filter.hits = None;
    relist(model);
    if let Some(place) = selected.and_then(|id| case.find(&id)) {
        select_place(model, place);
    }
    let mut cmds = search(model);
    if had_case {
        let rows = case.summary().rows;
        cmds.extend(say(
            model,
            format!("read again: {} rows", keymap::thousands(rows)),
            false,
        ));
    }
    cmds
}

/// What lies above was made from the old case: evidence is gathered anew where its row is still there, the rest
/// is closed.
fn reopen(model: &mut Model, case: &dyn CaseView) {
    let told = model.told(Place::Detail);
    for layer in std::mem::take(&mut model.layers) {
        match layer {
            Layer::Detail(mut detail) => {
                if let Some(place) = case.find(&detail.item.row.id) {
                    detail.item = Item::load(case, case.row(place), told);
                    model.layers.push(Layer::Detail(detail));
                }
            }
            Layer::Help(_) | Layer::Find(_) => model.layers.push(layer),
            Layer::Members(_) | Layer::Raw(_) => {}
        }
    }
}

/// Makes the list of the triage screen anew and keeps the selection on its row where that is still in it.
pub(super) fn relist(model: &mut Model) {
    let Some(case) = model.case().map(Arc::clone) else {
        return;
    };
    let form = model.form();
    let place = model.list.place(model.list.selected, form);
    model.list.rows = List::of_case(&*case, &model.filter);
    match place.filter(|place| position(&model.list, *place, form).is_some()) {
        Some(place) => select_place(model, place),
        None => model.list.selected = 0,
    }
}

fn position(list: &List, place: usize, form: layout::Form) -> Option<usize> {
    (0..list.len(form)).find(|at| list.place(*at, form) == Some(place))
}

fn select_place(model: &mut Model, place: usize) {
    let form = model.form();
    if let Some(at) = position(&model.list, place, form) {
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
    vec![Cmd::Search {
        generation: model.generation,
        search: model.search,
        query,
    }]
}

/// Puts a sentence in the status line.
pub(super) fn say(model: &mut Model, text: String, error: bool) -> Vec<Cmd> {
    model.messages += 1;
    let number = model.messages;
    model.message = Some(Message { text, error, number });
    if error {
        Vec::new()
    } else {
        vec![Cmd::Timer {
            message: number,
            millis: MESSAGE_MILLIS,
        }]
    }
}

fn press(model: &mut Model, key: Key) -> Vec<Cmd> {
    model.message = None;
    let context = model.context();
    if context == Context::Find
        && let Some(cmds) = typing::key(model, key)
    {
        return cmds;
    }
    let Some(entry) = keymap::action(key) else {
        return if context == Context::TooSmall {
            Vec::new()
        } else {
            say(
                model,
                format!("{}: this key does nothing here. ? shows the keys", key.shown()),
                false,
            )
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
        (Context::TooSmall | Context::Find, _) => Vec::new(),
        // The help is closed by what opened it.
        (Context::Help, Action::Help) => perform(model, Action::Back),
        _ => say(
            model,
            format!(
                "{}: {} is not for this place. ? shows the keys",
                key.shown(),
                entry.title
            ),
            false,
        ),
    }
}

/// Does an action that is possible here.
pub fn perform(model: &mut Model, action: Action) -> Vec<Cmd> {
    let page = isize::try_from(layout::page(model.size)).unwrap_or(isize::MAX);
    match action {
        Action::Up => step(model, -1),
        Action::Down => step(model, 1),
        Action::PageUp => leap(model, -page),
        Action::PageDown => leap(model, page),
        Action::First => leap(model, isize::MIN),
        Action::Last => leap(model, isize::MAX),
        Action::Open => return open(model),
        Action::Back => return back(model),
        Action::NextPane | Action::PreviousPane => {
            if let Some(Layer::Detail(detail)) = model.layers.last_mut() {
                detail.scroll.follow = true;
                detail.pane = if detail.pane == Pane::Tried {
                    Pane::Ledger
                } else {
                    Pane::Tried
                };
            }
        }
        Action::Screen(screen) => {
            model.layers.clear();
            model.screen = screen;
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
        Action::Raw => return read_record(model),
        Action::ReadAgain => return read_again(model),
        Action::Clock => model.local_time = !model.local_time,
        Action::Help => model.layers.push(Layer::Help(Help::default())),
        Action::Suspend => return vec![Cmd::Suspend],
        Action::Quit => return vec![Cmd::Quit],
    }
    Vec::new()
}

/// One line: of a list, of the focused pane, of a text.
fn step(model: &mut Model, by: isize) {
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
        Some(Layer::Raw(raw)) => raw.scroll.by(by),
        Some(Layer::Help(help)) => help.scroll.by(by),
        _ => move_list(model, by),
    }
}

/// A page, or to an end.
fn leap(model: &mut Model, by: isize) {
    match model.layers.last_mut() {
        Some(Layer::Detail(detail)) => detail.scroll.by(by),
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

pub(super) fn move_list(model: &mut Model, by: isize) {
    let form = model.form();
    let list = model.top_list_mut();
    let end = list.len(form).saturating_sub(1);
    list.selected = list.selected.saturating_add_signed(by).min(end);
}

/// The next or previous divergent row of the topmost list.
pub fn divergent(model: &Model, forward: bool) -> Option<usize> {
    let case = model.case()?;
    let (list, form) = (model.top_list(), model.form());
    let is = |at: &usize| match &list.rows {
        Rows::Intents(_) => list.row(&**case, *at, form).is_some_and(|row| row.divergent),
        _ => list.flags(&**case, *at, form).divergent,
    };
    if forward {
        (list.selected + 1..list.len(form)).find(is)
    } else {
        (0..list.selected).rev().find(is)
    }
}

fn go_divergent(model: &mut Model, forward: bool) {
    if let Some(at) = divergent(model, forward) {
        model.top_list_mut().selected = at;
    }
}

fn open(model: &mut Model) -> Vec<Cmd> {
    match model.context() {
        Context::FirstRun => {
            model.phase = Phase::Loading(Loading::default());
            model.generation += 1;
            vec![Cmd::Load {
                generation: model.generation,
                demo: true,
            }]
        }
        Context::Clean => {
            model.filter.fine = true;
            relist(model);
            Vec::new()
        }
        Context::Detail | Context::Apart => read_record(model),
        _ => {
            open_row(model);
            Vec::new()
        }
    }
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
            let pane = if item.orphan().is_some() {
                Pane::Ledger
            } else {
                Pane::Tried
            };
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
    let members = Members {
        title: item.row.operation,
        words: item.row.words,
        list: List::new(rows),
    };
    model.layers.push(Layer::Members(members));
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
    } else if !model.filter.text.is_empty() {
        model.filter.text.clear();
        return search(model);
    } else {
        model.filter = super::list::Filter::default();
        relist(model);
    }
    Vec::new()
}

fn read_again(model: &mut Model) -> Vec<Cmd> {
    model.generation += 1;
    if model.case().is_some() {
        model.again = Some(Loading::default());
    } else {
        model.phase = Phase::Loading(Loading::default());
    }
    vec![Cmd::Load {
        generation: model.generation,
        demo: false,
    }]
}

/// The record behind what is selected: its name and place.
pub fn selected_record(model: &Model) -> Option<(String, At)> {
    let (item, detail) = match model.layers.last() {
        Some(Layer::Detail(detail)) => (&detail.item, Some(&**detail)),
        _ => (&model.preview.as_ref()?.1, None),
    };
    let attempt = |at: usize| {
        let (_, attempt) = item.attempts().nth(at)?;
        attempt
            .at
            .map(|place| (format!("attempt {}", attempt.number), place))
    };
    let row = |at: usize| {
        let row = item.rows().nth(at)?;
        row.at.map(|place| (row.name.clone(), place))
    };
    match detail {
        Some(detail) if detail.pane == Pane::Tried => attempt(detail.attempt),
        Some(detail) => row(detail.effect),
        None => row(0)
            .filter(|_| item.orphan().is_some())
            .or_else(|| attempt(0))
            .or_else(|| row(0)),
    }
}

fn read_record(model: &mut Model) -> Vec<Cmd> {
    let Some((title, at)) = selected_record(model) else {
        return Vec::new();
    };
    model.requests += 1;
    let request = model.requests;
    model.layers.push(Layer::Raw(Raw {
        title,
        record: None,
        request,
        scroll: Scroll::default(),
    }));
    vec![Cmd::ReadRaw { request, at }]
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
