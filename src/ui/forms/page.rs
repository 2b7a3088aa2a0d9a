//! What stands in each form, from the question to the buttons.

use super::{Block, Draw, Line, answers, fields, hint, seen, writes};
use crate::app::settle::booked::{Batch, Done, Waits};
use crate::app::settle::dialogs::{self, Dialog};
use crate::app::settle::field::{Field, Kind};
use crate::app::settle::flow::commands;
use crate::app::settle::form::{Phase, Subject};
use crate::app::settle::{decide, form::One};
use crate::judge::words::outcome;
use crate::model::time::span_words;
use crate::text::{ascii_mark, cut, pad_left, pad_right, width};
use crate::ui::role::{Role, Span, dim, strong, text};

/// The blocks of a page.
pub(super) fn blocks(draw: &Draw<'_>) -> Vec<Block> {
    let form = draw.form;
    if let Phase::Done(done) = &form.phase {
        if let Some(batch) = &done.batch {
            return result(draw, batch, done);
        }
        if let Some(waits) = &done.waits {
            return request(draw, Some(waits));
        }
    }
    if form.dialog == Dialog::Waiting {
        return request(draw, None);
    }
    let mut all = vec![question(draw)];
    if let Some(why) = not_looked(draw) {
        all.push(why);
        all.push(fields::buttons(draw));
        return all;
    }
    match form.dialog {
        Dialog::Many => all.push(each(draw)),
        _ => all.push(seen::block(draw)),
    }
    if matches!(form.dialog, Dialog::Answer | Dialog::Accept) {
        all.push(asked(draw));
    }
    all.push(writes::changed(draw));
    all.extend(rest(draw));
    all.retain(|block| !block.is_empty());
    all
}

/// The blocks of a box.
pub(super) fn float(draw: &Draw<'_>) -> Vec<Block> {
    let mut all = Vec::new();
    if let Some(why) = not_looked(draw) {
        all.push(why);
        all.push(fields::buttons(draw));
        return all;
    }
    all.push(writes::changed(draw));
    all.extend(rest(draw));
    all.retain(|block| !block.is_empty());
    all
}

/// Fields, what is written, what that does not do, buttons.
fn rest(draw: &Draw<'_>) -> Vec<Block> {
    let mut all = Vec::new();
    for field in dialogs::fields(draw.form, draw.case) {
        if field != Field::Typed {
            let block = fields::block(draw, field);
            // Lines of one field each stand close together.
            let close = field.row().kind == Kind::Line && !draw.form.dialog.spec().floats;
            match all.last_mut() {
                Some(last) if close && field_before(draw, field) => Vec::extend(last, block),
                _ => all.push(block),
            }
        }
    }
    all.extend(answers::refused(draw));
    all.push(writes::block(draw));
    all.push(writes::after(draw));
    all.push(fields::buttons(draw));
    all
}

/// The field before this one is a line too.
fn field_before(draw: &Draw<'_>, field: Field) -> bool {
    let all = dialogs::fields(draw.form, draw.case);
    let at = all.iter().position(|one| *one == field).unwrap_or(0);
    at.checked_sub(1).and_then(|at| all.get(at)).is_some_and(|one| one.row().kind == Kind::Line)
}

/// The book is being read, or could not be.
fn not_looked(draw: &Draw<'_>) -> Option<Block> {
    match &draw.form.looked {
        None => Some(draw.block("Seen", "The book is being read.", Role::Dim)),
        Some(Err(why)) => {
            let mut lines = draw.block("Book", &draw.outside(&why.what), Role::Text);
            lines.extend(draw.wrapped(&draw.outside(&why.next), Role::Dim));
            Some(lines)
        }
        Some(Ok(looked)) => {
            let refusal = looked.blocked.as_ref().or(looked.operator.as_ref().err())?;
            let mut lines = draw.block("Book", refusal.code.group().words(), Role::Strong);
            lines.extend(answers::parts(draw, &crate::app::settle::booked::Refused::of(refusal)));
            Some(lines)
        }
    }
}

/// The first two lines: what is asked, and how it stands.
fn question(draw: &Draw<'_>) -> Block {
    if let Subject::Many(all) = &draw.form.subject {
        return question_of_many(draw, all);
    }
    let (Some(item), Some(view)) = (draw.form.item(), draw.form.view()) else { return Vec::new() };
    let noun = crate::judge::story::phrase::noun(&view.kind);
    let amount = view.judgement.expected.map(|m| format!(" of {}", draw.shown.money(m))).unwrap_or_default();
    let of = draw.outside(&item.row.operation);
    let what = format!("the {noun}{amount} for {of}");
    let pending = draw.form.booked().and_then(|b| b.pending.as_ref());
    let (first, right) = match (draw.form.dialog, pending) {
        (Dialog::Rows, _) => (format!("Which rows are of {what}?"), String::new()),
        (Dialog::Answer | Dialog::Accept, Some(pending)) => {
            let to = match pending.to.as_str() {
                "failed" => "did not happen".to_owned(),
                "confirmed" => "happened".to_owned(),
                other => format!("is settled as {other}"),
            };
            let by = draw.outside(&pending.by);
            let words = if draw.form.dialog == Dialog::Answer {
                format!("{by} asks to settle it so: {what} {to}. Do you agree?")
            } else {
                format!("The answer to {by}: {what} {to}.")
            };
            (words, format!("asked for until {}", until(draw, pending.until)))
        }
        _ => (format!("Did {what} happen?"), late(draw)),
    };
    let mark = if draw.model.setup.ascii { ascii_mark(&item.row.mark) } else { item.row.mark.clone() };
    let room = draw.room + usize::from(if draw.wide { 12_u16 } else { 3 });
    let right = if width(&first) + width(&right) + 2 > room { String::new() } else { right };
    let mut lines = vec![Line {
        mark: Some(Span::new(mark, Role::Ask)),
        spans: vec![strong(cut(&first, room))],
        right: (!right.is_empty()).then(|| Span::new(right, Role::AskWord)),
        wide: true,
        ..Line::default()
    }];
    let second = match draw.form.dialog {
        Dialog::Accept => {
            "It came as a file. Everything in it and everything behind it is checked again, here and now."
                .to_owned()
        }
        _ => tried(draw),
    };
    lines.push(Line { spans: vec![dim(cut(&second, room))], wide: true, ..Line::default() });
    if !draw.wide {
        // The question stands behind its mark.
        for line in &mut lines {
            line.spans.insert(0, text("   "));
        }
    }
    lines
}

fn until(draw: &Draw<'_>, at: crate::model::time::Micros) -> String {
    if at == crate::model::time::Micros::FOREVER {
        "it is answered".to_owned()
    } else {
        draw.shown.minute(at)
    }
}

/// How late it is, and whose it is.
fn late(draw: &Draw<'_>) -> String {
    let Some(facts) = draw.form.fact() else { return String::new() };
    let owner = draw.form.booked().map(|b| draw.outside(&b.owner)).unwrap_or_default();
    let owner = if owner.is_empty() { "nobody owns it".to_owned() } else { format!("{owner} owns it") };
    if facts.deadline.is_none() {
        return owner;
    }
    let left = facts.deadline.since(draw.shown.now);
    let time = crate::model::time::span(left.abs());
    let due = if left < 0 { format!("{time} late") } else { format!("due in {time}") };
    if draw.wide { format!("{due}, {owner}") } else { due }
}

/// How often it was tried, and how that ended.
fn tried(draw: &Draw<'_>) -> String {
    let Some(view) = draw.form.view() else { return String::new() };
    let calls: Vec<_> = view.attempts.iter().filter(|a| !a.read).collect();
    let Some(last) = calls.last() else {
        return "No call of it is known. Until this is settled, nobody may send it.".to_owned();
    };
    let times = match calls.len() {
        1 => "once".to_owned(),
        2 => "twice".to_owned(),
        many => format!("{many} times"),
    };
    let (_, how) = outcome(last, false, None);
    let sent = draw.shown.time(last.sent);
    let how = draw.outside(how.trim_start_matches(['?', '✓', '✗', '–', '…', ' ']));
    let tail = if draw.wide {
        "Until this is settled, nobody may send it again."
    } else {
        "Nobody may send it again yet."
    };
    let last_word = if calls.len() > 1 { "last " } else { "" };
    format!("It was tried {times}, {last_word}at {sent}: {how}. {tail}")
}

/// What waits for a second person.
fn asked(draw: &Draw<'_>) -> Block {
    let Some(pending) = draw.form.booked().and_then(|b| b.pending.as_ref()) else {
        return draw.block("Request", "no request waits in this book", Role::AskWord);
    };
    let mut lines = draw.block(
        "Request",
        &format!(
            "entry {}, by {}, digest {}",
            pending.seq,
            draw.outside(&pending.by),
            crate::text::short_hash(&pending.digest)
        ),
        Role::Text,
    );
    lines.extend(draw.wrapped(&format!("“{}”", draw.outside(&pending.note)), Role::Text));
    let same = draw.form.fact().is_some_and(|facts| facts.fingerprint == pending.fingerprint);
    let (mark, role, words) = if same {
        ("✓ ", Role::Ok, "the facts are the same as in the request")
    } else {
        ("✗ ", Role::Ask, "the facts are others than in the request: it cannot take effect")
    };
    lines.push(Line::of(vec![Span::new(mark, role), text(words)]));
    lines
}

/// Several at once: how many can be settled so.
fn question_of_many(draw: &Draw<'_>, all: &[One]) -> Block {
    let able = decide::possible(draw.form, draw.case).len();
    let count = all.len();
    let kinds: std::collections::BTreeSet<&str> = all.iter().map(|one| one.view.kind.as_str()).collect();
    let noun = match kinds.iter().next() {
        Some(kind) if kinds.len() == 1 => crate::judge::story::phrase::noun(kind),
        _ => "operation".to_owned(),
    };
    let cannot = count - able;
    let tail = if cannot == 0 { String::new() } else { format!(", {cannot} cannot") };
    let plural = if count == 1 { "" } else { "s" };
    let first = format!("Did these {count} {noun}{plural} happen? {able} can be settled so{tail}.");
    let indent = if draw.wide { "" } else { "   " };
    vec![
        Line {
            mark: Some(Span::new("=", Role::Ask)),
            spans: vec![text(indent), strong(first)],
            wide: true,
            ..Line::default()
        },
        Line {
            spans: vec![text(indent), dim("Each is judged by itself, on its own evidence.")],
            wide: true,
            ..Line::default()
        },
    ]
}

/// Rows of a result or of a choice that are shown; the rest is counted.
const ROWS: usize = 12;

/// Each of many with what the rules say. Those that cannot be settled so stand first where not all fit.
fn each(draw: &Draw<'_>) -> Block {
    let Subject::Many(all) = &draw.form.subject else { return Vec::new() };
    let said: Vec<_> =
        draw.form.facts.iter().map(|facts| decide::one_of_many(draw.form, draw.case, facts)).collect();
    let mut order: Vec<usize> = (0..all.len().min(said.len())).collect();
    if order.len() > ROWS {
        order.sort_by_key(|at| said.get(*at).is_some_and(Result::is_ok));
    }
    let widest = all.iter().map(|one| width(&one.operation)).max().unwrap_or(0).min(24);
    let mut lines = Vec::new();
    for at in order.iter().take(ROWS) {
        let (Some(one), Some(said)) = (all.get(*at), said.get(*at)) else { continue };
        let amount = one.view.judgement.expected.map_or_else(|| "–".to_owned(), |m| draw.shown.number(m));
        let name = pad_right(cut(draw.outside(&one.operation), widest), widest);
        let (mark, role, words, of) = match said {
            Ok(()) => ("✓", Role::Ok, "it can be settled so".to_owned(), Role::Text),
            Err(refusal) => ("✗", Role::Ask, dialogs::not_possible(refusal), Role::Dim),
        };
        let room = draw.room.saturating_sub(widest + 16);
        lines.push(Line::of(vec![
            Span::new(mark, role),
            Span::new(format!(" {name}  {}", pad_left(&amount, 10)), of),
            text(format!("   {}", cut(draw.outside(&words), room))),
        ]));
    }
    if order.len() > ROWS {
        lines.push(hint(format!("and {} more", order.len() - ROWS)));
    }
    if let Some(first) = lines.first_mut() {
        first.label = "Each";
    }
    lines
}

/// What became of many.
fn result(draw: &Draw<'_>, batch: &Batch, done: &Done) -> Vec<Block> {
    let count = |word: &str| batch.rows.iter().filter(|(_, is, _)| is == word).count();
    let (written, changed) = (count("done"), count("changed meanwhile"));
    let refused = batch.rows.len() - written - changed;
    let asked = batch.rows.len();
    let unable = draw.form.facts.len().saturating_sub(asked);
    let mut head = format!("{written} of {asked} are written");
    if changed > 0 {
        head.push_str(&format!(", {changed} changed meanwhile"));
    }
    if refused > 0 {
        head.push_str(&format!(", {refused} refused"));
    }
    if unable > 0 {
        head.push_str(&format!(", {unable} were not possible"));
    }
    let mut all = vec![vec![Line {
        mark: Some(Span::new("✓", Role::Ok)),
        spans: vec![text(if draw.wide { "" } else { "   " }), strong(head)],
        wide: true,
        ..Line::default()
    }]];
    let mut rows: Vec<(String, &str, String)> =
        batch.rows.iter().map(|(id, word, why)| (id.clone(), word.as_str(), why.clone())).collect();
    for facts in &draw.form.facts {
        if !rows.iter().any(|(id, ..)| *id == facts.intent_id) {
            let why = decide::one_of_many(draw.form, draw.case, facts).err();
            let why = why.as_ref().map(dialogs::not_possible);
            rows.push((facts.intent_id.clone(), "not possible", why.unwrap_or_default()));
        }
    }
    // What is left to do stands before what is done.
    if rows.len() > ROWS {
        rows.sort_by_key(|(_, word, _)| *word == "done");
    }
    let Subject::Many(items) = &draw.form.subject else { return all };
    let name = |id: &str| {
        let one = items.iter().find(|one| one.view.intent_id == id);
        one.map_or_else(|| id.to_owned(), |one| one.operation.clone())
    };
    let mut lines = Vec::new();
    let mut entry = done.entries.iter();
    for (id, word, why) in rows.iter().take(ROWS) {
        let (mark, role, words) = match *word {
            "done" => ("✓", Role::Ok, String::new()),
            "changed meanwhile" => ("–", Role::AskWord, "changed meanwhile: nothing written".to_owned()),
            _ => ("✗", Role::Ask, format!("{why}; still marked")),
        };
        let words = if *word == "done" && rows.len() <= ROWS {
            let to = if draw.form.value(Field::Answer) == dialogs::HOLD {
                "held"
            } else {
                "unknown → confirmed"
            };
            entry.next().map_or_else(|| to.to_owned(), |_| to.to_owned())
        } else if *word == "done" {
            "written".to_owned()
        } else {
            words
        };
        lines.push(Line::of(vec![
            Span::new(mark, role),
            text(format!(" {}  ", pad_right(cut(draw.outside(&name(id)), 24), 14))),
            Span::new(
                cut(draw.outside(&words), draw.room.saturating_sub(20)),
                if *word == "changed meanwhile" { Role::AskWord } else { Role::Text },
            ),
        ]));
    }
    if rows.len() > ROWS {
        lines.push(hint(format!("and {} more, all written", rows.len() - ROWS)));
    }
    all.push(lines);
    all.push(draw.wrapped(
        "Recorded in recount's book. The payment service was not told: audit export or the gate carries it on.",
        Role::Dim,
    ));
    let undo = format!("recount bulk undo {} --note T", batch.id);
    let mut lines = draw.block("Undo", &undo, Role::Strong);
    lines.extend(
        draw.wrapped("puts back what stood before; what changed since is left and listed", Role::Dim),
    );
    all.push(lines);
    let left = rows.iter().filter(|(_, word, _)| *word != "done").count();
    if left > 0 {
        all.push(draw.block(
            "Left",
            &format!("{left} to settle one by one; they are still marked"),
            Role::Text,
        ));
    }
    all.push(fields::buttons(draw));
    all
}

/// A request that waits: its file, and the commands of both.
fn request(draw: &Draw<'_>, waits: Option<&Waits>) -> Vec<Block> {
    let form = draw.form;
    let view = form.view();
    let pending = form.booked().and_then(|b| b.pending.as_ref());
    let id = view.map(|v| draw.shown.id(&v.intent_id)).unwrap_or_default();
    let indent = if draw.wide { "" } else { "   " };
    let head = if waits.is_some() {
        "The request is written. It stays unknown until it comes back."
    } else {
        "A request waits for a second person. It stays unknown until then."
    };
    let mut all = vec![vec![Line {
        mark: Some(Span::new("✓", Role::Ok)),
        spans: vec![text(indent), strong(head)],
        wide: true,
        ..Line::default()
    }]];
    if let Some(waits) = waits.filter(|waits| !waits.file.is_empty()) {
        let size = format!("{}.{} KB", waits.bytes / 1024, (waits.bytes % 1024) * 10 / 1024);
        all.push(vec![
            Line {
                label: "File",
                spans: vec![
                    strong(draw.outside(&waits.file)),
                    dim(format!(
                        "  {size}, digest {}, people masked",
                        crate::text::short_hash(&waits.digest)
                    )),
                ],
                ..Line::default()
            },
            hint(format!("in {}; attach it to the ticket", draw.outside(&draw.model.setup.folder))),
        ]);
    }
    let me = form.book().and_then(|l| l.operator.clone().ok()).unwrap_or_default();
    let to = match pending {
        Some(pending) => pending.to.clone(),
        None => form.value(Field::Answer),
    };
    let title = form.item().map(|item| draw.outside(&item.title())).unwrap_or_default();
    let mut asks =
        draw.block("It asks", &format!("{id}, {title}: unknown → {}", draw.outside(&to)), Role::Text);
    let until = pending.map(|p| format!("until {}, ", until(draw, p.until))).unwrap_or_default();
    let not = draw.outside(&pending.map_or(me.clone(), |p| p.by.clone()));
    asks.extend(draw.wrapped(
        &format!(
            "{until}for {}; not for {not}",
            writes::approvers(draw, &pending.map_or(me, |p| p.by.clone()))
        ),
        Role::Text,
    ));
    all.push(asks);
    let commands = commands(form);
    let mut they = draw.block("They do", commands.first().map_or("", String::as_str), Role::Strong);
    they.extend(draw.wrapped(
        "on any machine. S is their own read; without one they must tick that they relied on yours, and the log says so. \
         On this book they press r here.",
        Role::Dim,
    ));
    all.push(they);
    let mut you = draw.block("You do", commands.get(2).map_or("", String::as_str), Role::Strong);
    you.extend(
        draw.wrapped("or `Accept the answer` in the action menu (.); all is checked again", Role::Dim),
    );
    all.push(you);
    let by = pending.map_or_else(
        || draw.outside(&form.book().and_then(|l| l.operator.clone().ok()).unwrap_or_default()),
        |p| draw.outside(&p.by),
    );
    all.push(draw.block("Now", &format!("PENDING by {by}, nobody may send again"), Role::AskWord));
    all.push(vec![Line {
        spans: vec![dim("Recorded in recount's book. The payment service was not told.")],
        wide: true,
        ..Line::default()
    }]);
    all.push(fields::buttons(draw));
    all
}

/// The left part of the status line: what was seen when it was opened.
pub(super) fn status(draw: &Draw<'_>) -> Vec<Vec<Span>> {
    let form = draw.form;
    if form.book().is_none() {
        return Vec::new();
    }
    if let Subject::Many(all) = &form.subject {
        return vec![vec![dim(format!(
            "{} of {} as you marked them",
            all.len(),
            form.facts.len().max(all.len())
        ))]];
    }
    let Some(facts) = form.fact() else { return Vec::new() };
    let version = if facts.version == 0 {
        "not in the book yet".to_owned()
    } else {
        format!("version {}", facts.version)
    };
    let since = if form.stale { "changed since you opened it" } else { "unchanged since you opened it" };
    let mut parts = vec![vec![dim(format!("{version}, {since}"))]];
    if let Some(looked) = form.book()
        && looked.now.since(draw.shown.now).abs() > crate::model::time::HOUR
    {
        let apart = span_words(looked.now.since(draw.shown.now).abs());
        parts.push(vec![dim(format!("entries have the machine's time, {apart} from this clock"))]);
    }
    parts
}
