//! The hazards screen: ways of working, the worst first, and the whole text of the selected one.

use super::canvas::Canvas;
use super::role::{Role, dim, strong, text};
use super::shown::Shown;
use super::status;
use crate::app::hazards::{of, selected};
use crate::app::layout::Form;
use crate::app::model::Model;
use crate::judge::hazards::{Evaluation, Hazard, Level, Status};
use crate::model::time::{Instant, Res};
use crate::text::{cut, wrap};

/// Columns of the list: what, where, found, should be, since; the code stands at the right.
struct Columns {
    what: u16,
    place: u16,
    found: u16,
    should: Option<u16>,
    since: Option<u16>,
}

/// At 120 cells, at 80 and below.
const WIDE: Columns = Columns { what: 11, place: 43, found: 71, should: Some(89), since: Some(104) };
const COMPACT: Columns = Columns { what: 10, place: 43, found: 61, should: None, since: None };
const PANE: Columns = Columns { what: 8, place: 30, found: 30, should: None, since: None };

/// Where the labels of the text end.
const LABELS: u16 = 19;

/// Draws the screen.
pub fn draw(model: &Model, canvas: &mut Canvas) {
    let (Some(shown), Some(all)) = (Shown::of(model), of(model)) else {
        return;
    };
    let form = model.form();
    let status_row = canvas.height().saturating_sub(2);
    let mut row = head(canvas, all, form);
    row = list(model, canvas, &shown, all, row);
    if let Some(hazard) = selected(model) {
        row = one(model, canvas, &shown, hazard, all.firing().count(), row + 1, status_row);
    }
    rest(canvas, &shown, all, form, row, status_row);
    let left = match form {
        Form::Wide => vec![vec![dim("shown: those that fire")]],
        _ => vec![vec![dim(counts(all))]],
    };
    status::line(model, canvas, status_row, &left);
}

/// `1 quieted, 14 quiet, 3 not evaluable`.
fn counts(all: &Evaluation) -> String {
    let quieted = match all.count(Status::Quieted) {
        0 => String::new(),
        some => format!("{some} quieted, "),
    };
    format!("{quieted}{} quiet, {} not evaluable", all.count(Status::Quiet), all.count(Status::NotEvaluable))
}

/// The title with the counts; gives the next row.
fn head(canvas: &mut Canvas, all: &Evaluation, form: Form) -> u16 {
    let margin = form.margin();
    let row = if form == Form::Wide { 3 } else { 2 };
    canvas.put(margin, row, "Ways of working that lead to double effects", Role::Strong);
    let of_level = |(level, word): (Level, &str)| {
        let n = all.firing().filter(|h| h.level == level).count();
        (n > 0).then(|| format!("{n} {word}"))
    };
    let levels: Vec<String> = Level::ALL.into_iter().filter_map(of_level).collect();
    let end = canvas.width().saturating_sub(margin);
    match form {
        Form::Wide => {
            let more = if levels.is_empty() { String::new() } else { format!("{}   ", levels.join("   ")) };
            canvas.spans_right(end, row, &[text(more), dim(counts(all))]);
        }
        Form::Compact => {
            canvas.right(end, row, &levels.join(", "), Role::Text);
        }
        _ => {}
    }
    row + 2
}

/// The firing ones in a window around the selected one; gives the next row.
fn list(model: &Model, canvas: &mut Canvas, shown: &Shown<'_>, all: &Evaluation, top: u16) -> u16 {
    let form = model.form();
    let margin = form.margin();
    let columns = match form {
        Form::Wide => WIDE,
        Form::Compact => COMPACT,
        _ => PANE,
    };
    let mut row = top;
    let firing: Vec<&Hazard> = all.firing().collect();
    if firing.is_empty() {
        canvas.put(margin, row, "No rule fires.", Role::Text);
        return row + 1;
    }
    if form == Form::Wide {
        let heads = [("what", columns.what), ("where", columns.place), ("found", columns.found)];
        let more = [("should be", columns.should), ("since", columns.since)];
        let more = more.into_iter().filter_map(|(word, column)| column.map(|column| (word, column)));
        heads.into_iter().chain(more).for_each(|(word, column)| {
            canvas.put(column, row, word, Role::Dim);
        });
        row += 1;
    }
    // A third of the screen: the text of the selected one needs the rest.
    let height = usize::from(canvas.height() / 3).max(3);
    let first =
        model.hazard.saturating_sub(height.saturating_sub(1)).min(firing.len().saturating_sub(height));
    let mut level: Option<Level> = None;
    for (at, hazard) in firing.iter().enumerate().skip(first).take(height) {
        if form == Form::Wide && level.is_some_and(|known| known != hazard.level) {
            row += 1;
        }
        if level != Some(hazard.level) {
            canvas.put(margin, row, hazard.level.word(), Role::Dim);
        }
        level = Some(hazard.level);
        line(canvas, shown, hazard, &columns, row, at == model.hazard);
        if at == model.hazard {
            canvas.put(0, row, "▌", Role::Focus);
            canvas.select(0..canvas.width(), row);
        }
        row += 1;
    }
    row
}

fn line(canvas: &mut Canvas, shown: &Shown<'_>, h: &Hazard, c: &Columns, row: u16, here: bool) {
    let end = canvas.width().saturating_sub(2);
    let code = canvas.right(end, row, h.rule.id, Role::Dim);
    let mut cell = |from: u16, to: u16, words: &str, role: Role| {
        let room = usize::from(to.saturating_sub(from).saturating_sub(1));
        canvas.put(from, row, &cut(words, room), role);
    };
    let found_end = c.should.unwrap_or(code);
    let name = if here { Role::Strong } else { Role::Text };
    let place_end = if c.found > c.place { c.found } else { code };
    cell(c.what, c.place, h.rule.words, name);
    cell(c.place, place_end, &shown.id(&place(h, c.should.is_some())), Role::Text);
    if c.found > c.place {
        cell(c.found, found_end, &shown.outside(&h.measured), Role::Text);
    }
    if let Some(should) = c.should {
        cell(should, c.since.unwrap_or(code), &shown.outside(&h.threshold), Role::Dim);
    }
    if let Some(since) = c.since {
        let seen = Instant::new(h.first_seen, Res::Second);
        let words = if h.first_seen.is_none() { String::new() } else { since_words(shown, seen) };
        cell(since, code, &words, Role::Dim);
    }
}

/// The time of day of today, else the day.
fn since_words(shown: &Shown<'_>, seen: Instant) -> String {
    shown.day(seen.at).unwrap_or_else(|| shown.of_day(seen))
}

/// Where it is, in a few words.
fn place(h: &Hazard, wide: bool) -> String {
    let p = &h.place;
    if h.subjects.len() > 1 && p.tool.is_empty() | (h.subjects.len() == 2) {
        return both(&h.subjects, wide);
    }
    if !p.intent.is_empty() {
        let numbers: Vec<String> = p.attempts.iter().map(|a| a.number.to_string()).collect();
        return match numbers.as_slice() {
            [] => p.intent.clone(),
            _ if !wide => p.intent.clone(),
            [one] => format!("{}, attempt {one}", p.intent),
            [first @ .., last] => format!("{}, attempts {} and {last}", p.intent, first.join(", ")),
        };
    }
    let named = [("", &p.run), ("tool ", &p.tool), ("", &p.source)];
    let named = named.iter().find(|(_, text)| !text.is_empty());
    named.map(|(name, text)| format!("{name}{text}")).unwrap_or_default()
}

/// Two ids; of the second only what differs where there is little room: `int_6001, 6002`.
fn both(subjects: &[String], wide: bool) -> String {
    let (Some(first), Some(second)) = (subjects.first(), subjects.get(1)) else {
        return subjects.first().cloned().unwrap_or_default();
    };
    let family = |id: &str| id.split_once('_').map(|(family, rest)| (family.to_owned(), rest.to_owned()));
    match (family(first), family(second)) {
        (Some((a, _)), Some((b, rest))) if a == b && !wide => format!("{first}, {rest}"),
        _ => format!("{first}, {second}"),
    }
}

/// The text of the selected one; gives the next row.
fn one(
    model: &Model,
    canvas: &mut Canvas,
    shown: &Shown<'_>,
    h: &Hazard,
    count: usize,
    top: u16,
    bottom: u16,
) -> u16 {
    let form = model.form();
    let margin = form.margin();
    let wide = form == Form::Wide;
    canvas.fill(0..canvas.width(), top, '─', Role::Faint);
    let code = if wide { format!(" {} ", h.rule.id) } else { " ".to_owned() };
    canvas.spans(margin, top, &[strong(format!(" {}", h.rule.words)), dim(code)]);
    let number = format!(" {} of {count} ", model.hazard + 1);
    canvas.right(canvas.width().saturating_sub(margin), top, &number, Role::Dim);
    let mut row = top + 2;
    for part in &PARTS {
        let words = (part.words)(h);
        let label = if wide { part.wide } else { part.narrow };
        let Some(label) = label.filter(|_| !words.is_empty()) else { continue };
        let from = match (wide, label) {
            (true, _) => LABELS,
            (false, "") => margin,
            _ => margin + 7,
        };
        let room = usize::from(canvas.width().saturating_sub(from + margin)).min(98);
        canvas.put(margin, row, label, part.role);
        for line in wrap(shown.outside(words), room) {
            if row >= bottom {
                return row;
            }
            canvas.put(from, row, &line, if part.role == Role::Dim { Role::Dim } else { Role::Text });
            row += 1;
        }
        row += u16::from(!wide);
    }
    row.saturating_sub(u16::from(!wide))
}

/// A part of a hazard's text with its label: where there is room, and where there is little.
struct Part {
    wide: Option<&'static str>,
    narrow: Option<&'static str>,
    role: Role,
    words: fn(&Hazard) -> &str,
}

/// The text of a hazard in order. Where there is little room: what happened, and what to do.
const PARTS: [Part; 5] = [
    Part { wide: Some("What happened"), narrow: Some(""), role: Role::Strong, words: |h| &h.what },
    Part { wide: Some("Why it matters"), narrow: None, role: Role::Strong, words: |h| h.rule.why },
    Part { wide: Some("What to do"), narrow: Some("To do"), role: Role::Strong, words: |h| &h.todo },
    Part { wide: Some("False alarm if"), narrow: None, role: Role::Dim, words: |h| h.rule.unless },
    Part { wide: Some("Does not see"), narrow: None, role: Role::Dim, words: |h| h.rule.blind },
];

/// What almost fired, what could not be looked at, and what a hazard is.
fn rest(canvas: &mut Canvas, shown: &Shown<'_>, all: &Evaluation, form: Form, top: u16, bottom: u16) {
    let margin = form.margin();
    let end = canvas.width().saturating_sub(margin);
    let mut row = top + 1;
    let room = usize::from(end.saturating_sub(LABELS));
    let mut say = |label: &str, words: &str, role: Role| {
        if row + 1 < bottom {
            canvas.put(margin, row, label, Role::Dim);
            let (from, room) = if label.is_empty() { (margin, usize::from(end)) } else { (LABELS, room) };
            canvas.put(from, row, &cut(words, room), role);
            row += 1;
        }
    };
    if form == Form::Wide {
        for h in all.hazards.iter().filter(|h| h.edge && h.status == Status::Quiet).take(2) {
            // It is about another rule than the one whose text stands above.
            let words = format!("{} at {}: {} is below {}", h.rule.id, h.place.run, h.measured, h.threshold);
            say("Almost", &shown.outside(&words), Role::Text);
        }
    }
    if form == Form::Wide {
        for (at, h) in all.quieted().enumerate() {
            let why =
                h.quieted.as_ref().map_or(String::new(), |q| format!("by {}: {}", q.hush.by, q.hush.note));
            let words = format!("{} {}, {why}", h.rule.id, place(h, true));
            say(if at == 0 { "quieted" } else { " " }, &shown.outside(&words), Role::Dim);
        }
    }
    say("", "A hazard explains how it could happen. It does not change what happened.", Role::Text);
    if form == Form::Wide {
        let not = all.hazards.iter().filter(|h| h.status == Status::NotEvaluable);
        let mut reasons: Vec<(String, Vec<&str>)> = Vec::new();
        for h in not {
            let tool = if h.place.tool.is_empty() { String::new() } else { format!("{}: ", h.place.tool) };
            let reason = format!("{tool}{}", h.reason);
            match reasons.iter_mut().find(|(known, _)| *known == reason) {
                Some((_, rules)) => rules.push(h.rule.id),
                None => reasons.push((reason, vec![h.rule.id])),
            }
        }
        for (at, (reason, rules)) in reasons.iter().enumerate() {
            let label = if at == 0 { "not evaluable" } else { " " };
            say(label, &shown.outside(&format!("{}: {reason}.", rules.join(", "))), Role::Dim);
        }
    }
}
