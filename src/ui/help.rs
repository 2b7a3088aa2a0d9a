//! Help for the place below it: made from the action table, the marks and the four states.

use super::Frame;
use super::boxed::{self, Place};
use super::canvas::Canvas;
use super::role::Role;
use super::shown::outside;
use crate::app::action::Group;
use crate::app::keymap;
use crate::app::layout::Form;
use crate::app::model::{Context, Help, Model};
use crate::text::{ascii_mark, cut, wrap};

/// A text at a column of the box, with its role.
type At = (u16, String, Role);

/// Marks with what they say: with room, with little (`6-screens.md` 7.4.5).
const MARKS: [(&str, &str, &str); 11] = [
    ("+1", "one more than intended", "one too many"),
    ("+1?", "probably one more", "probably so"),
    ("−1", "one fewer than intended", "one missing"),
    ("±0", "was doubled, put right", ""),
    ("≠", "there, not as intended", "not as intended"),
    ("=", "there, record behind", "record is behind"),
    ("0", "nothing there, proven", "nothing there"),
    ("?", "not known yet", "not known yet"),
    ("!", "unreadable, disputed", "unreadable"),
    ("○", "row without an attempt", "without attempt"),
    ("… ·", "waiting, as intended", ""),
];

/// The four states: what is known then (with room, with little), who moves it on, whether another call may be made.
const STATES: [(&str, &str, &str, &str, &str, &str); 4] = [
    (
        "submitted",
        "request sent, no answer yet",
        "sent, no answer yet",
        "the timeout, or the answer",
        "no",
        "no other call",
    ),
    (
        "confirmed",
        "downstream acknowledged",
        "acknowledged",
        "reconciliation, the answer",
        "no",
        "no other call",
    ),
    (
        "failed",
        "downstream explicitly rejected",
        "explicitly rejected",
        "retry policy",
        "same key, gated",
        "same key, by the gate",
    ),
    (
        "unknown",
        "cannot tell whether the effect exists",
        "cannot tell whether it exists",
        "reconciliation, a person",
        "blocked",
        "blocked until resolved",
    ),
];

/// What the program rests on.
const GROUND: &str = "An attempt is what was tried. An effect is what the ledger holds. A missing row counts only when the \
                      ledger was read past the attempt. Whether the caller got an answer is never taken for what happened.";

fn title(context: Context) -> &'static str {
    match context {
        Context::List | Context::Members => "Help for the triage list",
        Context::Detail => "Help for the evidence",
        Context::Audit => "Help for the log",
        Context::Form | Context::Field => "Help for a form",
        Context::Apart => "Help for a row without an attempt",
        Context::Raw => "Help for a record",
        Context::Loading => "Help while reading",
        Context::Failed => "Help where nothing could be read",
        Context::Clean => "Help for the result",
        Context::Hazards => "Help for the hazards",
        Context::Sources => "Help for the sources",
        Context::Course | Context::Activity => "Help for the timeline",
        Context::Groups => "Help for the groups",
        Context::Order => "Help for everything of an order",
        Context::Columns => "Help for the columns",
        Context::Messages => "Help for the messages",
        _ => "Help",
    }
}

/// Draws the box over what is there.
pub fn draw(model: &Model, help: &Help, frame: &mut Frame) {
    let form = model.form();
    let canvas = &mut frame.canvas;
    canvas.behind();
    let (total, height) = (canvas.width(), canvas.height());
    let width = match form {
        Form::Wide => 110,
        Form::Compact => 76,
        _ => total.saturating_sub(2),
    };
    let x = total.saturating_sub(width) / 2;
    let (y, rows) = match form {
        Form::Wide => (2, height.saturating_sub(4).min(36)),
        Form::Compact => (1, height.saturating_sub(2).min(26)),
        _ => (1, height.saturating_sub(2)),
    };
    let context = model.below();
    let lines = match (&help.find, form) {
        (Some(typed), _) if !typed.is_empty() => found(model, context, typed),
        (_, Form::Wide) => wide(model, context),
        (_, Form::Compact) => compact(model, context),
        _ => pane(model, context, usize::from(width.saturating_sub(6))),
    };
    boxed::draw(canvas, Place { x, y, width, rows });
    title_line(canvas, (x, y, width), title(context), help, model);
    let inside = usize::from(rows.saturating_sub(2));
    let most = lines.len().saturating_sub(inside);
    let first = help.scroll.first.min(most);
    for (row, line) in (y + 1..).zip(lines.iter().skip(first).take(inside)) {
        for (column, text, role) in line {
            canvas.put_until(x + column, row, x + width - 1, text, *role);
        }
    }
    if most > 0 {
        let tall = (y + 1, rows.saturating_sub(2));
        super::scrollbar_at(canvas, x + width - 1, tall, first, inside, lines.len());
    }
    frame.scroll = Some((first, most));
}

/// Title and search in the upper border.
fn title_line(canvas: &mut Canvas, (x, y, width): (u16, u16, u16), title: &str, help: &Help, model: &Model) {
    let right = x + width - 1;
    let column = canvas.put(x + 2, y, &format!(" {title} "), Role::Strong);
    match &help.find {
        None => {
            let start = canvas.right(right, y, " / to search ", Role::Dim);
            canvas.put(start + 1, y, "/", Role::Key);
        }
        Some(typed) => {
            let room = usize::from(right.saturating_sub(column + 8));
            let shown = cut(outside(model, typed), room);
            let cells = u16::try_from(crate::text::width(&shown)).unwrap_or(0);
            let start = right.saturating_sub(cells + 5);
            canvas.put(start, y, " / ", Role::Key);
            let end = canvas.put(start + 3, y, &shown, Role::Input);
            canvas.put(end, y, "▏", Role::Focus);
        }
    }
}

fn mark(mark: &str, ascii: bool) -> String {
    if ascii { mark.split(' ').map(ascii_mark).collect::<Vec<_>>().join(" ") } else { mark.to_owned() }
}

fn wide(model: &Model, context: Context) -> Vec<Vec<At>> {
    let (ascii, own) = (model.setup.ascii, &model.setup.keys);
    let head = |column: u16, text: &str| (column, text.to_owned(), Role::Strong);
    let dim = |column: u16, text: &str| (column, text.to_owned(), Role::Dim);
    let mut lines = vec![vec![], vec![head(4, "Go"), head(49, "Do"), head(79, "Marks")], vec![]];
    let (go, act) = (keymap::help_rows(Group::Go, own, context), keymap::help_rows(Group::Do, own, context));
    for at in 0..go.len().max(act.len()).max(MARKS.len()) {
        let mut line = Vec::new();
        for (rows, keys, words) in [(&go, 4, 21), (&act, 49, 56)] {
            if let Some((shown, row)) = rows.get(at) {
                line.push((keys, shown.clone(), Role::Key));
                line.push((words, row.words.to_owned(), Role::Text));
            }
        }
        if let Some((glyph, words, _)) = MARKS.get(at) {
            line.push((79, mark(glyph, ascii), Role::Strong));
            line.push((84, (*words).to_owned(), Role::Text));
        }
        lines.push(line);
    }
    lines.push(vec![]);
    lines.push(vec![
        dim(4, "A record says"),
        dim(20, "what you know then"),
        dim(59, "moved on by"),
        dim(88, "another call"),
    ]);
    lines.push(vec![]);
    for (state, known, _, by, again, _) in STATES {
        lines.push(vec![
            (4, state.to_owned(), Role::Text),
            (20, known.to_owned(), Role::Text),
            dim(59, by),
            (88, again.to_owned(), Role::Text),
        ]);
    }
    lines.extend([vec![], vec![]]);
    lines.extend(wrap(GROUND, 101).into_iter().map(|line| vec![(4, line, Role::Text)]));
    lines.extend([vec![], vec![]]);
    lines.push(vec![
        (4, "esc".to_owned(), Role::Key),
        (8, "close".to_owned(), Role::Text),
        dim(16, "What stands here is what works now. A terminal that draws these glyphs wide needs --ascii."),
    ]);
    lines
}

fn compact(model: &Model, context: Context) -> Vec<Vec<At>> {
    const ROWS: usize = 9;
    let (ascii, own) = (model.setup.ascii, &model.setup.keys);
    let (go, act) = (keymap::help_rows(Group::Go, own, context), keymap::help_rows(Group::Do, own, context));
    let mut lines = vec![vec![]];
    for at in 0..go.len().max(act.len()).max(ROWS) {
        let mut line = Vec::new();
        for (rows, keys, words) in [(&go, 3, 19), (&act, 48, 54)] {
            if let Some((shown, row)) = rows.get(at) {
                line.push((keys, shown.clone(), Role::Key));
                line.push((words, row.short.to_owned(), Role::Text));
            }
        }
        lines.push(line);
    }
    lines.push(vec![]);
    let short: Vec<_> = MARKS.iter().filter(|(.., short)| !short.is_empty()).collect();
    for three in short.chunks(3) {
        let columns = [(3, 7), (27, 31), (51, 55)];
        let cells = three.iter().zip(columns).flat_map(|((glyph, _, words), (at, behind))| {
            [(at, mark(glyph, ascii), Role::Strong), (behind, (*words).to_owned(), Role::Text)]
        });
        lines.push(cells.collect());
    }
    lines.push(vec![]);
    for (state, _, known, _, _, again) in STATES {
        lines.push(vec![
            (3, state.to_owned(), Role::Text),
            (14, known.to_owned(), Role::Text),
            (45, again.to_owned(), Role::Text),
        ]);
    }
    lines.push(vec![]);
    lines
}

fn pane(model: &Model, context: Context, room: usize) -> Vec<Vec<At>> {
    let (ascii, own) = (model.setup.ascii, &model.setup.keys);
    let mut lines = vec![vec![]];
    for group in [Group::Go, Group::Do] {
        for (shown, row) in keymap::help_rows(group, own, context) {
            lines.push(vec![(3, shown, Role::Key), (19, row.short.to_owned(), Role::Text)]);
        }
    }
    lines.push(vec![]);
    for (glyph, words, _) in MARKS {
        lines.push(vec![(3, mark(glyph, ascii), Role::Strong), (8, words.to_owned(), Role::Text)]);
    }
    lines.push(vec![]);
    for (state, _, known, ..) in STATES {
        lines.push(vec![(3, state.to_owned(), Role::Text), (14, known.to_owned(), Role::Text)]);
    }
    lines.push(vec![]);
    lines.extend(wrap(GROUND, room).into_iter().map(|line| vec![(3, line, Role::Text)]));
    lines
}

/// What holds the typed text, in one column.
fn found(model: &Model, context: Context, typed: &str) -> Vec<Vec<At>> {
    let (ascii, own) = (model.setup.ascii, &model.setup.keys);
    let typed = typed.to_lowercase();
    let mut all: Vec<(String, String)> = Vec::new();
    for group in [Group::Go, Group::Do] {
        all.extend(
            keymap::help_rows(group, own, context)
                .into_iter()
                .map(|(keys, row)| (keys, row.words.to_owned())),
        );
    }
    all.extend(MARKS.iter().map(|(glyph, words, _)| (mark(glyph, ascii), (*words).to_owned())));
    all.extend(STATES.iter().map(|(state, known, ..)| ((*state).to_owned(), (*known).to_owned())));
    let mut lines = vec![vec![]];
    for (keys, words) in all {
        if keys.to_lowercase().contains(&typed) || words.to_lowercase().contains(&typed) {
            lines.push(vec![(4, keys, Role::Key), (22, words, Role::Text)]);
        }
    }
    if lines.len() == 1 {
        lines.push(vec![(
            4,
            "Nothing in this help holds that. esc shows all of it again.".to_owned(),
            Role::Text,
        )]);
    }
    lines
}

#[cfg(test)]
mod tests {
    use crate::app::action::{Group, HELP};
    use crate::text::width;

    #[test]
    fn no_words_of_the_help_reach_the_next_column() {
        for row in HELP {
            // From the words of a column to what stands beside it, with a blank between.
            let (wide, compact) = match row.group {
                Group::Go => (49 - 21 - 1, 48 - 19 - 1),
                Group::Do => (79 - 56 - 1, 75 - 54),
            };
            assert!(width(row.words) <= wide, "{}", row.words);
            assert!(width(row.short) <= compact, "{}", row.short);
        }
    }
}
