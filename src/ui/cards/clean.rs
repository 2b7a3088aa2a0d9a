//! Nothing wrong: what was seen, what was lost, what was not judged.

use crate::app::keymap::thousands;
use crate::app::layout::Form;
use crate::app::model::Model;
use crate::judge::view::SourceView;
use crate::text::{cut, wrap};
use crate::ui::canvas::Canvas;
use crate::ui::role::{Role, Span, text};
use crate::ui::shown::{Shown, counted, file_name, position};
use crate::ui::{status, triage};

/// Nothing wrong: what was seen, what was lost, what was not judged.
pub fn clean(model: &Model, canvas: &mut Canvas) {
    let Some(shown) = Shown::of(model) else {
        return;
    };
    let (form, summary) = (model.form(), shown.summary);
    let margin = form.margin();
    let end = canvas.width().saturating_sub(margin);
    let room = usize::from(end.saturating_sub(margin)).min(106);
    let top = if form == Form::Wide { 3 } else { 2 };
    let column = canvas.put(margin, top, summary.result.words(), triage::result_role(summary.result)) + 3;
    let lost = match summary.answers_lost {
        0 => String::new(),
        1 if summary.clean == 1 => ", its answer was lost".to_owned(),
        lost => format!(", {} of them with a lost answer", thousands(lost)),
    };
    let words = format!("{} as intended{lost}", thousands(summary.clean));
    canvas.put(column, top, &cut(words, usize::from(end.saturating_sub(column))), Role::Text);
    let bottom = canvas.height().saturating_sub(2);
    let sentence = format!(
        "{}, {} and {} agree, as far as was read.",
        counted(summary.intents, "operation"),
        counted(summary.attempts, "attempt"),
        counted(summary.effects, "effect")
    );
    let mut row = lines(canvas, (margin, top + 3), room, bottom, &sentence) + 1;
    for (label, fact) in seen(&shown) {
        if row < bottom {
            canvas.put(margin, row, label, Role::Dim);
        }
        let start = margin + 12;
        row = lines(canvas, (start, row), usize::from(end.saturating_sub(start)), bottom, &fact);
    }
    let limit = "This says what was seen. It does not show that other runs behave the same.";
    row = lines(canvas, (margin, row + 1), room, bottom, limit) + 2;
    if row < bottom {
        let words = margin + if form == Form::Wide { 7 } else { 6 };
        canvas.put(margin, row, "Next", Role::Strong);
        let all = match summary.rows {
            1 => " lists it.".to_owned(),
            rows => format!(" lists all {}.", thousands(rows)),
        };
        canvas.spans(words, row, &[text("Nothing to do. "), Span::new("enter", Role::Key), text(all)]);
    }
    if form != Form::Pane {
        status::line(model, canvas, bottom, &status::sources(model));
    }
}

/// Writes a text in lines, not below a row; gives the row behind it.
fn lines(canvas: &mut Canvas, (column, row): (u16, u16), room: usize, bottom: u16, text: &str) -> u16 {
    let mut row = row;
    for line in wrap(text, room.min(106)) {
        if row < bottom {
            canvas.put(column, row, &line, Role::Text);
        }
        row += 1;
    }
    row
}

/// What was read, what was lost, what was not judged.
fn seen(shown: &Shown<'_>) -> Vec<(&'static str, String)> {
    let summary = shown.summary;
    let of = |what: &'static str| shown.sources.iter().filter(move |source| source.what == what);
    let mut facts: Vec<_> = of("ledger").chain(of("trace")).map(|source| ("", read(shown, source))).collect();
    if let Some((label, _)) = facts.first_mut() {
        *label = "read";
    }
    let lost = summary.answers_lost;
    if lost > 0 {
        let each = if lost == 1 { "its effect is there once" } else { "each effect is there once" };
        let were = if lost == 1 { "was" } else { "were" };
        facts.push(("lost", format!("{} {were} lost, {each}", counted(lost, "answer"))));
    }
    let outside = match summary.outside {
        Some(outside) => format!("{} outside the trace", counted(outside, "row")),
        None => "rows outside the trace were not counted".to_owned(),
    };
    let unreadable = counted(summary.unreadable_trace + summary.unreadable_ledger, "record");
    facts.push(("not judged", format!("{outside}, {unreadable} unreadable")));
    facts
}

/// How far a source was read.
fn read(shown: &Shown<'_>, source: &SourceView) -> String {
    let name = shown.outside(file_name(&source.path));
    if let Some(error) = &source.error {
        return format!("{name} was not read: {}", shown.outside(error));
    }
    if source.what == "trace" {
        let window =
            source.window.map(|(from, to)| format!(", {} to {}", shown.second(from), shown.second(to)));
        let complete =
            if shown.summary.trace_complete { "declared complete" } else { "not declared complete" };
        return format!("{name}{}, {complete}", window.unwrap_or_default());
    }
    let at = source.read_at.map(|at| format!(" at {}", shown.second(at))).unwrap_or_default();
    let from = source.complete_from(|at| shown.minute(at)).or(source.oldest.map(|at| shown.minute(at)));
    let from = from.map(|from| format!(", complete from {from}"));
    let to = match position(&source.position) {
        to if to.is_empty() => String::new(),
        to => format!(" to {}", shown.outside(&to)),
    };
    format!("{name}{at}{}{to}", from.unwrap_or_default())
}
