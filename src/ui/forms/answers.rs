//! Choices and ticks, and the refusal below the answer that cannot be given.

use super::{Block, Draw, Line};
use crate::app::settle::booked::Refused;
use crate::app::settle::decide;
use crate::app::settle::dialogs;
use crate::app::settle::field::{Field, Kind};
use crate::app::settle::form::{Choice, Phase, Stop};
use crate::model::row::State;
use crate::text::{cut, pad_right, width, wrap};
use crate::ui::role::{Role, Span, dim, strong, text};

/// A choice with its lines.
pub(super) fn block(draw: &Draw<'_>, field: Field) -> Block {
    let form = draw.form;
    let choices = dialogs::choices(form, draw.case, field);
    let focused = form.stop == Stop::Field(field);
    let value = form.value(field);
    let ticks = field.row().kind == Kind::Ticks;
    // Where there is little room an answer stops at its comma.
    let short = |words: &str| match words.split_once(", ") {
        Some((first, _)) if !draw.wide && field == Field::Answer && first != "No" && first != "Yes" => {
            first.to_owned()
        }
        _ => words.to_owned(),
    };
    let widest = choices.iter().map(|c| width(&short(&c.words))).max().unwrap_or(0);
    let mut lines = Vec::new();
    for (at, choice) in choices.iter().enumerate() {
        let taken = if ticks { form.ticked(field, &choice.key) } else { value == choice.key };
        let here = focused && form.cursor == at;
        let dot = match (ticks, taken) {
            (true, true) => "[x] ",
            (true, false) => "[ ] ",
            (false, true) => "(•) ",
            (false, false) => "( ) ",
        };
        let role = match (choice.possible, taken) {
            (false, _) => Role::Dim,
            (true, true) => Role::Strong,
            (true, false) => Role::Text,
        };
        let mut spans =
            vec![Span::new(format!("{dot}{}", pad_right(draw.outside(&short(&choice.words)), widest)), role)];
        let code = if draw.wide || taken { choice.code } else { "" };
        if !choice.why.is_empty() {
            let (mark, of) = match (choice.possible, choice.proven) {
                (false, _) => ("✗", if taken { Role::Ask } else { Role::Dim }),
                (true, true) => ("✓", Role::Ok),
                (true, false) => ("·", Role::Dim),
            };
            let why = if choice.possible { Role::Text } else { Role::Dim };
            let words =
                if taken && !choice.possible && draw.wide { group(draw, choice) } else { choice.why.clone() };
            let code = if code.is_empty() { 0 } else { width(code) + 2 };
            let room = draw.room.saturating_sub(widest + 9 + code);
            spans.push(text("  "));
            spans.push(Span::new(mark, of));
            spans.push(Span::new(format!(" {}", cut(draw.outside(&words), room)), why));
        }
        lines.push(Line {
            spans,
            right: (!code.is_empty()).then(|| dim(code)),
            here,
            focus: here || (focused && at == 0),
            ..Line::default()
        });
        if taken && !choice.possible && field == Field::Answer {
            lines.extend(refusal(draw, &choice.key));
        }
    }
    if lines.is_empty() {
        lines.push(Line::of(vec![dim("there is nothing to choose from")]));
    }
    if let Some(first) = lines.first_mut() {
        first.label = draw.label(field);
    }
    lines
}

/// A chosen answer that is refused says so with the words of its group.
fn group(draw: &Draw<'_>, choice: &Choice) -> String {
    let to = State::from_word(&choice.key);
    let refused = to.and_then(|to| decide::answer(draw.form, draw.case, to).err());
    refused.map_or_else(|| choice.why.clone(), |r| r.code.group().words().to_owned())
}

/// The refusal of a chosen answer: as it came back, else as the rules say it now.
fn refusal(draw: &Draw<'_>, key: &str) -> Vec<Line> {
    let refused = if let Phase::Refused(refused) = &draw.form.phase {
        (**refused).clone()
    } else {
        let Some(to) = State::from_word(key) else { return Vec::new() };
        match decide::answer(draw.form, draw.case, to) {
            Err(refusal) => Refused::of(&refusal),
            Ok(_) => return Vec::new(),
        }
    };
    parts(draw, &refused)
}

/// The four parts of a refusal.
pub(super) fn parts(draw: &Draw<'_>, refused: &Refused) -> Vec<Line> {
    let mut lines = Vec::new();
    for (name, said) in &refused.parts {
        let mut first = true;
        for one in said {
            for line in wrap(draw.outside(one), draw.room.saturating_sub(13)) {
                let name = if first { *name } else { "" };
                first = false;
                lines.push(Line::of(vec![
                    text(" "),
                    Span::new("│", Role::Faint),
                    dim(format!(" {} ", pad_right(name, 8))),
                    text(line),
                ]));
            }
        }
    }
    lines
}

/// A refusal that is not about an answer: what stands in the way of the whole form.
pub(super) fn refused(draw: &Draw<'_>) -> Option<Block> {
    let Phase::Refused(refused) = &draw.form.phase else { return None };
    let answer = draw.form.value(Field::Answer);
    let choices = dialogs::choices(draw.form, draw.case, Field::Answer);
    if choices.iter().any(|choice| choice.key == answer && !choice.possible) {
        return None;
    }
    let mut lines = vec![Line {
        label: "Refused",
        spans: vec![Span::new("✗ ", Role::Ask), strong(refused.group.clone())],
        right: Some(dim(refused.code.clone())),
        ..Line::default()
    }];
    lines.extend(parts(draw, refused));
    Some(lines)
}
