//! `Seen`: every read with what it proves.

use super::{Block, Draw, Line};
use crate::judge::view::{EffectView, IntentView, SourceView};
use crate::judge::words::read_result;
use crate::lifecycle::facts::Read;
use crate::model::row::{Seen, Status};
use crate::text::{cut, pad_right};
use crate::ui::role::{Role, Span, dim, text};
use crate::ui::shown::{file_name, position};

/// One read, ready to be laid out.
struct Row {
    mark: (&'static str, Role),
    name: String,
    time: String,
    result: String,
    proves: String,
    carries: bool,
    code: String,
}

/// The block, with the sentence that says why it is proven.
pub(super) fn block(draw: &Draw<'_>) -> Block {
    let (Some(view), Some(facts)) = (draw.form.view(), draw.form.fact()) else { return Vec::new() };
    let mut rows: Vec<Row> = Vec::new();
    for (no, source) in draw.shown.sources.iter().enumerate() {
        rows.extend(of_source(draw, view, no, source));
    }
    rows.extend(facts.reads.iter().map(|read| of_read(draw, read)));
    if rows.is_empty() {
        return draw.block("Seen", "nothing yet: no ledger here records it. R reads again", Role::Dim);
    }
    let mut lines: Vec<Line> = rows.into_iter().map(|row| laid(draw, &row)).collect();
    if facts.cover.covered && draw.wide {
        lines.extend(why(draw, view).into_iter().map(|mut line| {
            line.spans.insert(0, text("  "));
            line
        }));
    }
    if let Some(first) = lines.first_mut() {
        first.label = "Seen";
    }
    lines
}

fn laid(draw: &Draw<'_>, row: &Row) -> Line {
    let (name, time, result) = if draw.wide { (30, 16, 16) } else { (15, 10, 12) };
    let padded = |text: &str, cells: usize| pad_right(cut(text, cells.saturating_sub(1)), cells);
    let role = if row.carries { Role::Text } else { Role::Dim };
    let code = if row.code.is_empty() { 0 } else { crate::text::width(&row.code) + 1 };
    let left = draw.room.saturating_sub(name + time + result + 2 + code);
    Line {
        spans: vec![
            Span::new(row.mark.0, row.mark.1),
            text(format!(" {}", padded(&row.name, name))),
            dim(padded(&row.time, time)),
            text(padded(&row.result, result)),
            Span::new(cut(&row.proves, left), role),
        ],
        right: (!row.code.is_empty()).then(|| dim(row.code.clone())),
        ..Line::default()
    }
}

/// A ledger of the case: only one that decides, that has a row, or that is a copy of one.
fn of_source(draw: &Draw<'_>, view: &IntentView, no: usize, source: &SourceView) -> Option<Row> {
    if source.what != "ledger" {
        return None;
    }
    let live =
        |row: &&EffectView| row.source == no && row.status == Status::Live && !row.reversal && !row.reversed;
    let live: Vec<&EffectView> = view.effects.iter().filter(live).collect();
    let other: Vec<&EffectView> =
        view.effects.iter().chain(&view.open_rows).filter(|row| row.source == no).collect();
    let decides = view.deciding_source == Some(no);
    let copy = source.meaning == "copy";
    let holds = source.holds.is_empty() || source.holds.contains(&view.kind);
    let of_deciding = view.deciding_source.and_then(|no| draw.shown.sources.get(no));
    let copied = copy && holds && source.copy_of.as_deref() == of_deciding.map(|s| s.id.as_str());
    if !decides && live.is_empty() && other.is_empty() && !copied {
        return None;
    }
    let name = match (copy, draw.wide) {
        (true, true) => format!("our books, {}", draw.outside(file_name(&source.path))),
        (true, false) => "our books".to_owned(),
        (false, _) => draw.outside(file_name(&source.path)),
    };
    let time = source.read_at.map(|at| time(draw, at)).unwrap_or_default();
    let dash = ("–", Role::Dim);
    let tick = ("✓", Role::Ok);
    let (mark, result, proves, carries, code) = if let Some(why) = &source.error {
        (dash, "not read".to_owned(), read_result(Seen::Unreadable, &draw.outside(why)), false, String::new())
    } else if let Some(row) = live.first() {
        let result = match live.len() {
            1 => format!("row {}", draw.shown.id(&row.name)),
            count => format!("{count} rows"),
        };
        let same =
            view.judgement.net == view.judgement.min && view.judgement.min > 0 && !view.judgement.divergent;
        let proves = match (copy, same) {
            (true, _) => "proves nothing, it is a copy",
            (false, true) => "the row is there, as intended",
            (false, false) => "the row is there, not as intended",
        };
        (if copy { dash } else { tick }, result, proves.to_owned(), !copy, String::new())
    } else if let Some(row) = other.first() {
        let words =
            if row.status == Status::Live { "the row may be this one" } else { "the row is there, pending" };
        (dash, format!("row {}", draw.shown.id(&row.name)), words.to_owned(), true, String::new())
    } else if copy {
        (dash, "no row".to_owned(), "proves nothing, it is a copy".to_owned(), false, String::new())
    } else if decides && view.judgement.covered {
        let upto = position(&source.position);
        let upto = draw.outside(if upto.is_empty() { "its end" } else { &upto });
        (tick, "no row".to_owned(), read_result(Seen::AbsentAsOf, &upto), true, String::new())
    } else {
        let (code, why) =
            view.uncovered.first().cloned().unwrap_or(("", "it does not cover the call".to_owned()));
        let why = if matches!(code, "C1" | "C2") { "it ends too early".to_owned() } else { why };
        let words = read_result(Seen::NotFoundNotCovering, &draw.outside(&why));
        (dash, "no row".to_owned(), words, false, code.to_owned())
    };
    Some(Row { mark, name, time, result, proves, carries, code })
}

/// A time; of another day, where there is little room, its date.
fn time(draw: &Draw<'_>, at: crate::model::time::Micros) -> String {
    if draw.wide {
        draw.shown.second(at)
    } else {
        draw.shown.day(at).unwrap_or_else(|| draw.shown.second(at))
    }
}

/// A read-back.
fn of_read(draw: &Draw<'_>, read: &Read) -> Row {
    let by_hand = if read.manual { ", by hand" } else { "" };
    let proves = if read.independent && !read.replayed {
        match read.seen {
            Seen::NotFoundNotCovering if read.manual => "proves nothing, a read by hand".to_owned(),
            seen => read_result(seen, &draw.outside(&read.detail)),
        }
    } else if read.replayed || draw.shown.sources.iter().any(|source| source.id == read.source) {
        "no evidence, it is the same path".to_owned()
    } else {
        "no evidence, not a source here".to_owned()
    };
    let carries = read.independent && matches!(read.seen, Seen::Present | Seen::Differs | Seen::AbsentAsOf);
    let result = match read.seen {
        Seen::Present | Seen::Differs => "seen",
        Seen::AbsentAsOf | Seen::NotFoundNotCovering => "no row",
        Seen::Unreadable => "unreadable",
        Seen::NotRun => "not looked at",
    };
    Row {
        mark: if carries {
            ("✓", Role::Ok)
        } else if read.independent {
            ("–", Role::Dim)
        } else {
            ("✗", Role::Dim)
        },
        name: format!("{}{by_hand}", draw.outside(&read.source)),
        time: time(draw, read.at),
        result: result.to_owned(),
        proves,
        carries,
        code: String::new(),
    }
}

/// Why an absence is proven.
fn why(draw: &Draw<'_>, view: &IntentView) -> Vec<Line> {
    let source = view.deciding_source.and_then(|no| draw.shown.sources.get(no));
    let name = source.map(|s| draw.outside(file_name(&s.path))).unwrap_or_default();
    let until =
        view.attempts.iter().filter(|a| !a.read).map(|a| a.may_land_until).filter(|at| !at.is_none()).max();
    let until = until.map(|at| format!(", {}", draw.shown.second(at))).unwrap_or_default();
    let noun = crate::judge::story::phrase::noun(&view.kind);
    let words = format!(
        "{name} proves it: it was read after the call could land{until}, its newest row is later too, it begins \
         early enough, it is complete, and nothing else shows the {noun}."
    );
    let lines = crate::text::wrap(&words, draw.room.saturating_sub(2));
    lines.into_iter().map(|line| Line::of(vec![dim(line)])).collect()
}
