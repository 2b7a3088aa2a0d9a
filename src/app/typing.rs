//! Fields for typing: the filter, and the search in the help. In them letters are text.

use super::keys::{Code, Key};
use super::load::{relist, search};
use super::model::{Find, Help, Layer, Model, Scroll};
use super::msg::Cmd;
use super::palette::{self, Palette};
use super::update::{is_arrow, move_list, push_find};

/// Most characters of a filter.
const LONGEST: usize = 200;

/// Opens the field of this place.
pub(super) fn begin(model: &mut Model) {
    if let Some(Layer::Help(help)) = model.layers.last_mut() {
        help.find = Some(String::new());
        help.scroll = Scroll::default();
        return;
    }
    push_find(model);
}

/// A key while typing; `None` for one that is not of the field.
pub(super) fn key(model: &mut Model, key: Key) -> Option<Vec<Cmd>> {
    if matches!(model.layers.last(), Some(Layer::Form(_))) {
        return super::settle::keys::typed(model, key);
    }
    if key.ctrl {
        return None;
    }
    if let (Some(by), Some(Layer::Find(_))) = (is_arrow(key), model.layers.last()) {
        move_list(model, by);
        return Some(Vec::new());
    }
    if let (Some(by), Some(Layer::Palette(_))) = (is_arrow(key), model.layers.last()) {
        palette::step(model, by);
        return Some(Vec::new());
    }
    match key.code {
        Code::Char(character) => Some(insert(model, &character.to_string())),
        Code::Backspace => Some(delete(model)),
        Code::Enter => Some(keep(model)),
        Code::Esc => match model.layers.last_mut() {
            Some(Layer::Help(Help { find, scroll })) => {
                *find = None;
                *scroll = Scroll::default();
                Some(Vec::new())
            }
            _ => None,
        },
        _ => Some(Vec::new()),
    }
}

/// A pasted text is typed where a field is open, its first line only; elsewhere it does nothing.
pub(super) fn paste(model: &mut Model, text: &str) -> Vec<Cmd> {
    if matches!(model.layers.last(), Some(Layer::Form(_))) {
        return super::settle::keys::paste(model, text);
    }
    let line = text.lines().next().unwrap_or_default();
    insert(model, line)
}

/// The field that is open.
fn field(model: &mut Model) -> Option<&mut String> {
    match model.layers.last_mut() {
        Some(
            Layer::Find(Find { text, .. })
            | Layer::Help(Help { find: Some(text), .. })
            | Layer::Palette(Palette { text, .. }),
        ) => Some(text),
        _ => None,
    }
}

fn insert(model: &mut Model, more: &str) -> Vec<Cmd> {
    let Some(text) = field(model) else {
        return Vec::new();
    };
    for character in more.chars().filter(|character| !character.is_control()) {
        if text.chars().count() < LONGEST {
            text.push(character);
        }
    }
    changed(model)
}

fn delete(model: &mut Model) -> Vec<Cmd> {
    let Some(text) = field(model) else {
        return Vec::new();
    };
    text.pop();
    changed(model)
}

/// The list follows what is typed.
fn changed(model: &mut Model) -> Vec<Cmd> {
    match model.layers.last_mut() {
        Some(Layer::Find(find)) => {
            model.filter.text.clone_from(&find.text);
            search(model)
        }
        Some(Layer::Help(help)) => {
            help.scroll = Scroll::default();
            Vec::new()
        }
        Some(Layer::Palette(palette)) => {
            let text = std::mem::take(&mut palette.text);
            palette::typed(model, text);
            Vec::new()
        }
        _ => Vec::new(),
    }
}

/// Enter: the filter stays and the field goes. In the help: the hits stay until esc. In the palette: does it.
fn keep(model: &mut Model) -> Vec<Cmd> {
    if let Some(Layer::Palette(_)) = model.layers.last() {
        return palette::choose(model);
    }
    if let Some(Layer::Find(_)) = model.layers.last() {
        model.layers.pop();
    }
    Vec::new()
}

/// Esc: the filter and the place of before.
pub(super) fn give_back(model: &mut Model, find: Find) -> Vec<Cmd> {
    // An answer to what was typed meanwhile comes too late.
    model.search += 1;
    model.filter = find.before;
    relist(model);
    (model.list.selected, model.list.offset) = find.place;
    if !model.filter.text.is_empty() && model.filter.hits.is_none() {
        return search(model);
    }
    Vec::new()
}
