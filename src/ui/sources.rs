//! The sources screen: what was read and how far, what each source can prove, and what could not be used.

use super::canvas::Canvas;
use super::role::{Role, dim, strong};
use super::shown::{Shown, counted, file_name, position};
use super::status;
use crate::app::keymap::thousands;
use crate::app::layout::Form;
use crate::app::model::Model;
use crate::app::sources::{Part, problem, problems, selected, sources};
use crate::judge::view::{ProblemView, RESOLVED, SourceView, WENT_BACK};
use crate::judge::words::proves;
use crate::model::time::{Instant, Res};
use crate::text::{cut, wrap};

/// Where texts behind labels begin: with room, with little.
const LABELS: (u16, u16) = (14, 11);

/// Draws the screen.
pub fn draw(model: &Model, canvas: &mut Canvas) {
    let Some(shown) = Shown::of(model) else {
        return;
    };
    let pane = model.form() == Form::Pane;
    let status_row = canvas.height().saturating_sub(if pane { 1 } else { 2 });
    let row = head(model, canvas);
    let row = table(model, canvas, &shown, row);
    let below = match model.sources.part {
        Part::Sources => one(model, canvas, &shown, row, status_row),
        Part::Problems => row,
    };
    listed(model, canvas, &shown, below, status_row);
    if !pane {
        let place = match model.sources.part {
            Part::Sources => selected(model).map(|source| file_name(&source.path).to_owned()),
            Part::Problems => problem(model).map(place),
        };
        let left = place.map(|place| vec![dim(shown.outside(&place))]);
        status::line(model, canvas, status_row, &left.into_iter().collect::<Vec<_>>());
    }
}

/// The title and what is to be said of all of them; gives the next row.
fn head(model: &Model, canvas: &mut Canvas) -> u16 {
    let form = model.form();
    let margin = form.margin();
    let end = canvas.width().saturating_sub(margin);
    let row = if form == Form::Wide { 3 } else { 2 };
    let unread = sources(model).iter().filter(|source| source.error.is_some()).count() as u64;
    let bad = problems(model).len() as u64;
    let right = format!("{}, only read", counted(sources(model).len() as u64, "source"));
    let (words, role) = match (unread, bad, model.sources.part) {
        (1.., _, _) => (format!("{} could not be read", counted(unread, "source")), Role::AskWord),
        (_, 1.., Part::Problems) => (could_not(bad), Role::AskWord),
        _ if form == Form::Pane => ("What was read".to_owned(), Role::Strong),
        _ => ("What was read, and what each source can prove".to_owned(), Role::Strong),
    };
    let column = canvas.put(margin, row, &words, role);
    if usize::from(end.saturating_sub(column)) > crate::text::width(&right) {
        canvas.right(end, row, &right, Role::Dim);
    }
    row + if form == Form::Wide { 2 } else { 1 }
}

/// `8 records could not be used, or only in part`.
fn could_not(bad: u64) -> String {
    format!("{} could not be used, or only in part", counted(bad, "record"))
}

/// A column of figures: its head, where it ends, the figure of a source (`None`: it has none).
type Figure = (&'static str, u16, fn(&SourceView) -> Option<u64>);

/// Figures at 120 cells and more, at 80, and below.
const WIDE: [Figure; 6] = [
    ("read", 78, |s| Some(s.rows.read)),
    ("used", 86, |s| Some(s.rows.used)),
    ("outside", 96, |s| Some(s.rows.outside)),
    ("apart", 104, |s| (s.what == "ledger").then_some(s.rows.unattributed)),
    ("bad", 110, |s| Some(s.rows.unreadable)),
    ("aside", 118, |s| Some(aside(s))),
];
const COMPACT: [Figure; 3] = [
    ("read", 64, |s| Some(s.rows.read)),
    ("used", 72, |s| Some(s.rows.used)),
    ("bad", 78, |s| Some(s.rows.unreadable)),
];

fn figures(form: Form, width: u16) -> Vec<Figure> {
    match form {
        Form::Wide => WIDE.to_vec(),
        Form::Compact => COMPACT.to_vec(),
        // The same as at 80, moved to the right border.
        _ => COMPACT.iter().map(|(head, end, of)| (*head, (*end + width).saturating_sub(79), *of)).collect(),
    }
}

/// Records that are no attempts or effects, known ones included: what the other columns leave.
fn aside(source: &SourceView) -> u64 {
    let rows = &source.rows;
    let told = rows.used + rows.outside + rows.unattributed + rows.unreadable;
    rows.read.saturating_sub(told)
}

/// The table of sources; gives the next row.
fn table(model: &Model, canvas: &mut Canvas, shown: &Shown<'_>, top: u16) -> u16 {
    let form = model.form();
    let margin = form.margin();
    let wide = form == Form::Wide;
    let figures = figures(form, canvas.width());
    let (is, covers) = match form {
        Form::Wide => (15, Some(43)),
        Form::Compact => (15, Some(37)),
        _ => (13, None),
    };
    // Six digits.
    let first_figure = figures.first().map_or(0, |(_, end, _)| end.saturating_sub(6));
    let mut row = top;
    canvas.put(is, row, "is", Role::Dim);
    if let Some(covers) = covers {
        canvas.put(covers, row, if wide { "covers" } else { "covered to" }, Role::Dim);
    }
    for (head, end, _) in &figures {
        canvas.right(*end, row, head, Role::Dim);
    }
    row += 1;
    let all = sources(model);
    let height = usize::from(canvas.height() / 4).max(2);
    let here = model.sources.source;
    let first = here.saturating_sub(height.saturating_sub(1)).min(all.len().saturating_sub(height));
    for (at, source) in all.iter().enumerate().skip(first).take(height) {
        let selected = at == here;
        let name = if selected { Role::Strong } else { Role::Text };
        let room = |from: u16, to: u16| usize::from(to.saturating_sub(from).saturating_sub(2));
        canvas.put(margin, row, &cut(shown.id(&source.id), room(margin, is)), name);
        let end = covers.unwrap_or(first_figure);
        canvas.put(is, row, &cut(shown.outside(&meaning(source, wide)), room(is, end)), Role::Text);
        if source.error.is_some() {
            canvas.put(covers.unwrap_or(first_figure), row, "was not read", Role::AskWord);
        } else {
            if let Some(covers) = covers {
                let words = covered(source, shown, wide);
                canvas.put(covers, row, &cut(words, room(covers, first_figure)), Role::Text);
            }
            for (head, end, of) in &figures {
                let (words, role) = match of(source) {
                    None => ("–".to_owned(), Role::Dim),
                    Some(0) => ("0".to_owned(), Role::Dim),
                    Some(n) => (thousands(n), if *head == "bad" { Role::Strong } else { Role::Text }),
                };
                canvas.right(*end, row, &words, role);
            }
        }
        if selected {
            let focused = model.sources.part == Part::Sources;
            canvas.put(0, row, if focused { "▌" } else { " " }, Role::Focus);
            if focused {
                canvas.select(0..canvas.width(), row);
            }
        }
        row += 1;
    }
    if all.len() > height {
        super::scrollbar(canvas, (top + 1, row.saturating_sub(top + 1)), first, height, all.len());
    }
    row
}

/// What a source is: `moves money, holds comment`; a copy holds what its original holds.
fn meaning(source: &SourceView, wide: bool) -> String {
    let words = match (source.meaning, &source.copy_of) {
        (_, Some(of)) => format!("copy of {of}"),
        ("", None) if source.what == "trace" => "attempts".to_owned(),
        ("", None) => source.what.to_owned(),
        ("moves_money", None) => "moves money".to_owned(),
        ("part", None) => "part of the effects".to_owned(),
        (word, None) => word.to_owned(),
    };
    let assumed = if source.meaning_assumed && !source.meaning.is_empty() { ", assumed" } else { "" };
    let holds = match source.holds.as_slice() {
        kinds if wide && source.copy_of.is_none() && !kinds.is_empty() => {
            format!(", holds {}", kinds.join(", "))
        }
        _ => String::new(),
    };
    format!("{words}{holds}{assumed}")
}

/// The time of what is in it.
fn covered(source: &SourceView, shown: &Shown<'_>, wide: bool) -> String {
    let begin = source.complete_from(|at| shown.minute(at)).or(source.oldest.map(|at| shown.minute(at)));
    let begin = source.window.map(|(from, _)| shown.minute(from)).or(begin);
    let first = source.window.map(|(from, _)| from).or(source.covers_from).or(source.oldest);
    let end = source.window.map(|(_, to)| to).or(source.newest).map(|to| match first {
        // The day is said once.
        Some(first) if wide && shown.same_day(first, to) => shown.of_day(Instant::new(to, Res::Second)),
        _ if wide => shown.minute(to),
        _ => shown.second(to),
    });
    match (begin.filter(|_| wide), end) {
        (Some(from), Some(to)) => format!("{from} to {to}"),
        (None, Some(to)) => to,
        (_, None) => "–".to_owned(),
    }
}

/// A line of what is said of a source: a label, its role, the words, their role.
type Said = (&'static str, Role, String, Role);

/// The selected source; gives the next row.
fn one(model: &Model, canvas: &mut Canvas, shown: &Shown<'_>, top: u16, bottom: u16) -> u16 {
    let Some(source) = selected(model) else {
        return top;
    };
    let form = model.form();
    let margin = form.margin();
    let wide = form == Form::Wide;
    let end = canvas.width().saturating_sub(margin);
    let mut row = top + u16::from(form != Form::Pane);
    let number = format!(" {} of {} ", model.sources.source + 1, sources(model).len());
    let path = if source.path.contains("://") { crate::text::url(&source.path) } else { source.path.clone() };
    rule(
        canvas,
        row,
        &[strong(format!(" {} ", shown.id(&source.id))), dim(format!("{} ", shown.outside(&path)))],
        &number,
    );
    row += if wide { 2 } else { 1 };
    let from = if wide { LABELS.0 } else { LABELS.1 };
    let room = usize::from(end.saturating_sub(from)).min(102);
    // The problems below need their place: their head, and one of them.
    let few = u16::try_from(problems(model).len()).unwrap_or(u16::MAX).min(4);
    let last = bottom.saturating_sub(if few == 0 { 1 } else { few + if wide { 4 } else { 2 } });
    let mut lines = said(source, shown, wide);
    lines.extend(disagree(model, source, shown));
    for (label, label_role, words, role) in lines {
        for (at, line) in wrap(words, room).into_iter().enumerate() {
            if row >= last {
                return row;
            }
            if at == 0 {
                canvas.put(margin, row, label, label_role);
            }
            canvas.put(from, row, &line, role);
            row += 1;
        }
    }
    row
}

/// A rule with a title at its left and a number at its right.
fn rule(canvas: &mut Canvas, row: u16, title: &[super::role::Span], number: &str) {
    let end = canvas.width().saturating_sub(2);
    canvas.fill(0..canvas.width(), row, '─', Role::Faint);
    let room = usize::from(end.saturating_sub(4)).saturating_sub(crate::text::width(number));
    let mut column = 2;
    for span in title {
        let used = usize::from(column - 2);
        column = canvas.put(column, row, &cut(&span.text, room.saturating_sub(used)), span.role);
    }
    canvas.right(end, row, number, Role::Dim);
}

/// Everything that is said of a source, the most needed first where there is little room.
fn said(source: &SourceView, shown: &Shown<'_>, wide: bool) -> Vec<Said> {
    let mut lines: Vec<Said> = Vec::new();
    if let Some(why) = &source.error {
        lines.push(("not read", Role::Strong, shown.outside(why), Role::Text));
        return lines;
    }
    let proves = proves(source, |at| shown.time(Instant::new(at, Res::Second))).map(|proves| {
        let yes = (!proves.yes.is_empty())
            .then(|| ("proves", Role::Strong, shown.outside(&proves.yes), Role::Text));
        let mut label = "not";
        let no = proves
            .no
            .into_iter()
            .map(move |words| (std::mem::take(&mut label), Role::Strong, shown.outside(&words), Role::Text));
        yes.into_iter().chain(no).collect::<Vec<Said>>()
    });
    let proves = proves.unwrap_or_default();
    let mut plain = |label, words: String| lines.push((label, Role::Dim, words, Role::Text));
    plain("read", read(source, shown));
    for (at, line) in control(source, shown).into_iter().enumerate() {
        plain(if at == 0 { "control" } else { "" }, line);
    }
    if !wide {
        lines.extend(proves);
        return lines;
    }
    if let Some(confirm) = &source.confirm {
        lines.push(("confirm", Role::Dim, shown.outside(confirm), Role::Strong));
    }
    let mut plain = |label, words: String| lines.push((label, Role::Dim, words, Role::Text));
    if !source.mapping.is_empty() {
        plain("columns", shown.outside(&source.mapping));
    }
    if !source.tools.is_empty() {
        plain("tools", shown.outside(&source.tools.join(", ")));
    }
    lines.extend(proves);
    let mut label = "note";
    for note in source.notes.iter().filter(|note| !note.starts_with(RESOLVED)) {
        lines.push((std::mem::take(&mut label), Role::Dim, shown.outside(note), Role::Dim));
    }
    lines
}

/// What a copy lacks of its original, or has beyond it, seen from either of them.
fn disagree(model: &Model, source: &SourceView, shown: &Shown<'_>) -> Option<Said> {
    let all = model.case()?.disagreement()?;
    let sources = sources(model);
    let names = |of: &dyn Fn(&SourceView) -> bool| {
        let rows = all.only_in.iter().filter(|(at, _)| sources.get(*at).is_some_and(of));
        rows.map(|(_, name)| shown.id(name)).collect::<Vec<_>>().join(", ")
    };
    let copies: Vec<String> = sources
        .iter()
        .filter(|copy| copy.copy_of.as_ref() == Some(&source.id))
        .map(|copy| shown.id(&copy.id))
        .collect();
    let (here, there) = match &source.copy_of {
        Some(original) => (names(&|of| of.id == source.id), names(&|of| of.id == *original)),
        None if !copies.is_empty() => {
            (names(&|of| of.id == source.id), names(&|of| of.copy_of.as_ref() == Some(&source.id)))
        }
        None => return None,
    };
    let other = source.copy_of.as_ref().map_or_else(|| copies.join(", "), |original| shown.id(original));
    let mut parts = Vec::new();
    if !here.is_empty() {
        parts.push(format!("here and not in {other}: {here}"));
    }
    if !there.is_empty() {
        parts.push(format!("in {other} and not here: {there}"));
    }
    if parts.is_empty() {
        parts.push(format!("a value differs in {other}"));
    }
    let words = format!("{}, {}", counted(all.operations, "operation"), parts.join("; "));
    Some(("disagree", Role::Strong, words, Role::Text))
}

/// When and how far it was read.
fn read(source: &SourceView, shown: &Shown<'_>) -> String {
    let mut parts = Vec::new();
    if let Some(at) = source.read_at {
        let words = if source.read_at_is_newest { "no earlier than " } else { "" };
        parts.push(format!("{words}{}", shown.second(at)));
    }
    parts.push(format!("{}{}", shown.outside(&source.format), if source.live { ", live" } else { "" }));
    if !source.position.is_empty() {
        parts.push(format!("to {}", shown.outside(&position(&source.position))));
    }
    let mut words = parts.join(", ");
    let times = source.oldest.zip(source.newest).or(source.window);
    if let Some((oldest, newest)) = times {
        words.push_str(&format!("; first {}, last {}", shown.second(oldest), shown.second(newest)));
    }
    if source.final_by_declaration {
        words.push_str("; final by declaration");
    }
    words
}

/// The rows add up, then the totals per unit as the source gives them.
fn control(source: &SourceView, shown: &Shown<'_>) -> Vec<String> {
    let rows = &source.rows;
    let ledger = source.what == "ledger";
    let parts = [
        (rows.used, "used", true),
        (rows.outside, "outside", ledger),
        (rows.unattributed, "without an attempt", ledger),
        (rows.unreadable, "unreadable", true),
    ];
    let mut sum: Vec<String> = parts
        .into_iter()
        .filter(|(_, _, told)| *told)
        .map(|(count, words, _)| format!("{} {words}", thousands(count)))
        .collect();
    let rules: Vec<&str> = rows.set_aside.iter().map(|(rule, _)| rule.as_str()).collect();
    let rules =
        if rules.is_empty() { String::new() } else { format!(" ({})", shown.outside(&rules.join(", "))) };
    sum.push(format!("{} set aside{rules}", thousands(aside(source))));
    let noun = if ledger { "row" } else { "record" };
    let mut lines = vec![format!("{} = {}", counted(rows.read, noun), sum.join(" + "))];
    let mut totals: Vec<String> = shown
        .totals(&source.totals)
        .into_iter()
        .map(|(unit, total)| {
            let rows = source.by_unit.iter().find(|(known, _)| *known == unit);
            let rows = rows.map_or(String::new(), |(_, rows)| format!(" in {}", counted(*rows, "row")));
            format!("{} {}{rows}", shown.outside(shown.units.text(unit)), shown.total(unit, total))
        })
        .collect();
    if ledger && source.no_amount > 0 {
        totals.push(format!("{} without a readable amount", counted(source.no_amount, "row")));
    }
    if !totals.is_empty() {
        lines.push(totals.join(", "));
    }
    lines
}

/// The problems, and below them the selected one where they have the focus.
fn listed(model: &Model, canvas: &mut Canvas, shown: &Shown<'_>, top: u16, bottom: u16) {
    let all = problems(model);
    let form = model.form();
    let wide = form == Form::Wide;
    let margin = form.margin();
    let end = canvas.width().saturating_sub(margin);
    let focused = model.sources.part == Part::Problems;
    let mut row = top + u16::from(wide || focused);
    if row >= bottom {
        return;
    }
    if all.is_empty() {
        if sources(model).iter().all(|source| source.error.is_none()) {
            canvas.put(margin, row, "Every record could be used.", Role::Dim);
        }
        return;
    }
    let title = if focused { Role::Strong } else { Role::Dim };
    let column = canvas.put(margin, row, "Problems", title);
    if form != Form::Pane {
        canvas.put(column + 3, row, "each with its place, and what is wrong", Role::Dim);
    }
    canvas.right(end, row, &format!("{} in all", thousands(all.len() as u64)), Role::Dim);
    row += 1;
    if wide {
        let (glyph, role) = if focused { ('━', Role::Focus) } else { ('─', Role::Faint) };
        canvas.fill(margin..end, row, glyph, role);
        row += 1;
    }
    // Below the list stands the selected one: a rule, its record, what it means.
    let kept = if !focused {
        0
    } else if wide {
        8
    } else {
        5
    };
    let height = bottom.saturating_sub(row).saturating_sub(kept).max(1);
    let seen = usize::from(height);
    let here = model.sources.problem;
    let first = here.saturating_sub(seen.saturating_sub(1)).min(all.len().saturating_sub(seen));
    let place_end = column_of_what(all, canvas.width());
    for (at, one) in all.iter().enumerate().skip(first).take(seen) {
        if row >= bottom {
            return;
        }
        line(canvas, shown, one, (row, margin, place_end, end), focused && at == here);
        row += 1;
    }
    if all.len() > seen {
        super::scrollbar(canvas, (row.saturating_sub(height), height), first, seen, all.len());
    }
    if focused && let Some(one) = problem(model) {
        record(model, canvas, shown, one, bottom.saturating_sub(kept.saturating_sub(1)), bottom);
    }
}

/// The longest place decides, up to half of the line.
fn column_of_what(all: &[ProblemView], width: u16) -> u16 {
    let longest = all.iter().take(200).map(|p| crate::text::width(&place(p))).max().unwrap_or(0);
    u16::try_from(longest).unwrap_or(u16::MAX).min((width / 2).saturating_sub(2))
}

/// `trace.jsonl line 17`: the path without its folders.
fn place(problem: &ProblemView) -> String {
    let (path, rest) = problem.at.split_once(' ').unwrap_or((&problem.at, ""));
    format!("{} {}", file_name(path), position(rest)).trim_end().to_owned()
}

fn line(
    canvas: &mut Canvas,
    shown: &Shown<'_>,
    one: &ProblemView,
    (row, margin, place_end, end): (u16, u16, u16, u16),
    here: bool,
) {
    canvas.put(margin, row, &cut(shown.outside(&place(one)), usize::from(place_end)), Role::Dim);
    let from = margin + place_end + 2;
    let quiet = if one.affects_result { "" } else { "changes no result" };
    let keep = if quiet.is_empty() { 0 } else { quiet.len() + 2 };
    let room = usize::from(end.saturating_sub(from));
    let (room, quiet) = if room > keep + 20 { (room - keep, quiet) } else { (room, "") };
    canvas.put(from, row, &cut(shown.outside(&one.what), room), Role::Text);
    canvas.right(end, row, quiet, Role::Dim);
    if here {
        canvas.put(0, row, "▌", Role::Focus);
        canvas.select(0..canvas.width(), row);
    }
}

/// The record of the selected problem, what is wrong with it in full, and what it can hide.
fn record(model: &Model, canvas: &mut Canvas, shown: &Shown<'_>, one: &ProblemView, top: u16, bottom: u16) {
    let margin = model.form().margin();
    let wide = model.form() == Form::Wide;
    let room = usize::from(canvas.width().saturating_sub(2 * margin));
    let number = format!(" {} of {} ", model.sources.problem + 1, problems(model).len());
    rule(
        canvas,
        top,
        &[strong(format!(" {} ", shown.outside(&place(one)))), dim(format!("{} ", one.code))],
        &number,
    );
    let mut row = top + if wide { 2 } else { 1 };
    if let Some(first) = one.raw.lines().next() {
        let safe = crate::text::SafeText::new(first).marked();
        let safe = if model.setup.ascii { safe.to_ascii() } else { safe };
        canvas.put(margin, row, &cut(safe.as_str(), room), Role::Dim);
        row += if wide { 2 } else { 1 };
    }
    for words in [shown.outside(&one.what), can_hide(model, one).to_owned()] {
        for line in wrap(words, room.min(106)).into_iter().take(2) {
            if row >= bottom {
                return;
            }
            canvas.put(margin, row, &line, Role::Text);
            row += 1;
        }
    }
}

/// What a record that could not be used can hide.
fn can_hide(model: &Model, one: &ProblemView) -> &'static str {
    let what = sources(model).iter().find(|source| source.id == one.source).map_or("", |source| source.what);
    match (one.affects_result, what) {
        _ if one.code == WENT_BACK => {
            "It may have been restored or replaced: what is not in it is proven absent nowhere until somebody takes note."
        }
        (false, _) => "It changes no result.",
        (true, "ledger") => {
            "It may be a row of any operation that it could belong to: for those no absence is proven. Ask who wrote \
             the file; a value is never guessed and never rounded."
        }
        (true, "trace") => {
            "It may be a call of any operation: nothing is called clean because of it. Ask who wrote the file; a value \
             is never guessed."
        }
        (true, _) => "It is not used. Ask who wrote the file.",
    }
}
