//! Keys in a form: in a field letters are text, elsewhere the action table holds.

use super::booked::Todo;
use super::dialogs::{self, HOLD};
use super::field::{Field, Kind};
use super::flow;
use super::form::{Form, LINE, NOTE, Stop};
use super::menu::case_of;
use crate::app::keys::{Code, Key};
use crate::app::model::{Layer, Model};
use crate::app::msg::Cmd;

/// The form on top.
pub fn form(model: &Model) -> Option<&Form> {
    match model.layers.last() {
        Some(Layer::Form(form)) => Some(form),
        _ => None,
    }
}

/// Does something with the form on top and what the rules need.
pub fn with<T>(model: &mut Model, work: impl FnOnce(&mut Form, super::form::Case<'_>) -> T) -> Option<T> {
    let case = model.case().map(std::sync::Arc::clone)?;
    let ends_alike = flow::ends_alike(model);
    let Some(Layer::Form(form)) = model.layers.last_mut() else { return None };
    let of = super::form::Case {
        units: case.units(),
        sources: case.sources(),
        now: case.summary().now,
        ends_alike,
    };
    Some(work(form, of))
}

/// Most characters of a field.
fn most(field: Field) -> usize {
    if field.row().kind == Kind::Note { NOTE } else { LINE }
}

/// A key while a field for typing has the focus; `None` for one that is not of the field.
pub fn typed(model: &mut Model, key: Key) -> Option<Vec<Cmd>> {
    let field = form(model)?.types()?;
    if key.ctrl {
        return None;
    }
    let lines = field.row().kind == Kind::Note;
    let most = most(field);
    let Some(Layer::Form(form)) = model.layers.last_mut() else { return None };
    let editor = form.values.entry(field).or_default();
    let before = editor.text();
    match key.code {
        Code::Char(character) => editor.insert(character, most),
        Code::Enter if lines => editor.insert('\n', most),
        Code::Backspace => editor.backspace(),
        Code::Delete => editor.delete(),
        Code::Left => editor.by(-1),
        Code::Right => editor.by(1),
        Code::Home => editor.to_edge(false),
        Code::End => editor.to_edge(true),
        Code::Up if lines && editor.line(-1) => {}
        Code::Down if lines && editor.line(1) => {}
        // A line is left by enter, and every field by the arrows behind its ends.
        Code::Enter | Code::Down => return Some(turn(model, 1)),
        Code::Up => return Some(turn(model, -1)),
        Code::Esc | Code::Tab | Code::BackTab | Code::PageUp | Code::PageDown => return None,
    }
    form.scroll.follow = true;
    let changed = before != editor.text();
    Some(if changed { edited(model) } else { Vec::new() })
}

/// A pasted text goes into the field that has the focus.
pub fn paste(model: &mut Model, text: &str) -> Vec<Cmd> {
    let Some(field) = form(model).and_then(Form::types) else { return Vec::new() };
    let Some(Layer::Form(form)) = model.layers.last_mut() else { return Vec::new() };
    form.values.entry(field).or_default().paste(text, field.row().kind == Kind::Note, most(field));
    edited(model)
}

/// Takes the last change of a field back.
pub fn undo(model: &mut Model) -> Vec<Cmd> {
    let Some(field) = form(model).and_then(Form::types) else { return Vec::new() };
    let Some(Layer::Form(form)) = model.layers.last_mut() else { return Vec::new() };
    if form.values.entry(field).or_default().undo() {
        return edited(model);
    }
    Vec::new()
}

/// What was typed is kept, so that nothing is lost when the terminal is.
pub fn edited(model: &mut Model) -> Vec<Cmd> {
    // What was refused, or cannot be told, is answered anew.
    with(model, |form, _| flow::touched(form));
    let Some(form) = form(model) else { return Vec::new() };
    vec![Cmd::Settle(Todo::Keep { draft: form.draft_name(), text: form.draft() })]
}

/// To the next or previous field.
pub fn turn(model: &mut Model, by: isize) -> Vec<Cmd> {
    with(model, |form, case| form.turn(case, by));
    Vec::new()
}

/// Up and down: along the lines of a choice, else to the next field.
pub fn step(model: &mut Model, by: isize) {
    let moved = with(model, |form, case| {
        let Stop::Field(field) = form.stop else { return false };
        let lines = dialogs::choices(form, case, field).len();
        match form.cursor.checked_add_signed(by).filter(|at| *at < lines) {
            Some(at) => {
                form.cursor = at;
                form.scroll.follow = true;
                true
            }
            None => false,
        }
    });
    if moved == Some(false) {
        turn(model, by);
    }
}

/// Takes the line of a choice that the cursor is on.
pub fn choose(model: &mut Model) -> Vec<Cmd> {
    let chosen = with(model, |form, case| {
        let Stop::Field(field) = form.stop else { return false };
        let Some(choice) = dialogs::choices(form, case, field).get(form.cursor).cloned() else {
            return false;
        };
        if field.row().kind == Kind::Choice {
            form.set(field, &choice.key);
            if field == Field::Answer && choice.key == HOLD {
                flow::preset_hold(form);
            }
            // What was typed to confirm belonged to what was chosen before.
            form.values.remove(&Field::Typed);
        } else {
            let mut words: Vec<String> = form.value(field).split_whitespace().map(str::to_owned).collect();
            match words.iter().position(|word| *word == choice.key) {
                Some(at) => drop(words.remove(at)),
                None => words.push(choice.key),
            }
            form.set(field, &words.join(" "));
        }
        true
    });
    if chosen == Some(true) { edited(model) } else { Vec::new() }
}

/// Why nothing can be chosen where the focus is.
pub fn nothing_to_choose(model: &Model) -> Option<String> {
    let choice = form(model).is_some_and(|form| matches!(form.stop, Stop::Field(field) if !field.is_typed()));
    (!choice).then(|| "tab goes to a choice, enter presses a button".to_owned())
}

/// What is here, for the rules.
pub fn missing(model: &Model) -> Option<String> {
    let case = super::form::Case { ends_alike: flow::ends_alike(model), ..case_of(model)? };
    form(model)?.missing(case)
}
