//! Groups in place of the rows of the list: what many rows share, when, how many, and their money.

use super::canvas::Canvas;
use super::role::{Role, Span};
use super::shown::Shown;
use super::{preview, story};
use crate::app::arrange::Grouping;
use crate::app::keymap::thousands;
use crate::app::layout::{Form, Triage};
use crate::app::list::Line;
use crate::app::model::Model;
use crate::judge::judgement::{Class, RetryOrigin};
use crate::judge::story::phrase;
use crate::judge::view::{GroupBy, GroupRow};
use crate::judge::words::{self, Urgency};
use crate::model::time::{DAY, HOUR, MINUTE, Micros, age, span_words};
use crate::model::units::Unit;
use crate::text::{ascii_mark, cut, wrap};

/// How young the newest call of a group may be to be called still happening.
const STILL: i64 = 10 * MINUTE;

/// Columns: words, when, rows, who, unit and amount at risk, last.
struct Columns {
    urgency: bool,
    words: (u16, u16),
    when: Option<u16>,
    rows: u16,
    who: Option<(u16, u16)>,
    unit: u16,
    risk: u16,
    last: Option<u16>,
}

impl Columns {
    fn of(form: Form, width: u16) -> Self {
        let end = width.saturating_sub(form.margin());
        match form {
            Form::Wide => Self {
                urgency: true,
                words: (13, 38),
                when: Some(39),
                rows: 58,
                who: Some((61, end.saturating_sub(29))),
                unit: end.saturating_sub(27),
                risk: end.saturating_sub(14),
                last: Some(end),
            },
            Form::Compact => Self {
                urgency: true,
                words: (13, 38),
                when: None,
                rows: 47,
                who: None,
                unit: 49,
                risk: end.saturating_sub(14),
                last: Some(end),
            },
            _ => Self {
                urgency: false,
                words: (6, end.saturating_sub(27)),
                when: None,
                rows: end.saturating_sub(19),
                who: None,
                unit: end.saturating_sub(17),
                risk: end.saturating_sub(3),
                last: None,
            },
        }
    }
}

impl Columns {
    /// The unit stands in front of the widest amount; what stands before it gives way.
    fn fit(self, shown: &Shown<'_>, groups: &[GroupRow]) -> Self {
        let amounts = groups.iter().filter_map(|group| {
            let (unit, total) = shown.totals(&group.at_risk).into_iter().next()?;
            let name = crate::text::width(&shown.outside(shown.units.text(unit)));
            Some(crate::text::width(&shown.total(unit, total)) + name + 1)
        });
        let widest = u16::try_from(amounts.max().unwrap_or(0)).unwrap_or(0);
        let unit = self.unit.min(self.risk.saturating_sub(widest));
        let who = self.who.map(|(start, end)| (start, end.min(unit.saturating_sub(2))));
        Self { who, unit, ..self }
    }
}

/// Draws heads and groups.
pub fn draw(model: &Model, canvas: &mut Canvas, grouping: &Grouping, lines: &Triage) {
    let Some(shown) = Shown::of(model) else { return };
    let form = model.form();
    let columns = Columns::of(form, canvas.width()).fit(&shown, grouping.groups());
    if let Some(row) = lines.heads {
        heads(canvas, &columns, row, grouping.by);
    }
    let (top, height) = lines.list;
    if grouping.groups().is_empty() {
        let text =
            if grouping.waits() { "counting the rows of each group" } else { "No row is in a group here." };
        canvas.put(columns.words.0, top, text, Role::Text);
        return;
    }
    for (line, at) in lines.window.lines.iter().zip(top..top.saturating_add(height)) {
        if let Line::Row { at: no, urgency } = line
            && let Some(group) = grouping.groups().get(*no)
        {
            row(&shown, canvas, &columns, at, group, (*no == grouping.list.selected, *urgency));
        }
    }
    if let Some((first, seen, all)) = lines.window.scroll.filter(|_| form != Form::Pane) {
        super::scrollbar(canvas, (top, height), first, seen, all);
    }
}

fn heads(canvas: &mut Canvas, columns: &Columns, row: u16, by: GroupBy) {
    let words = match by {
        GroupBy::Words => "what happened",
        GroupBy::Label => "label",
        GroupBy::Hour => "first call, hour",
    };
    canvas.put(columns.words.0, row, words, Role::Dim);
    if let Some(column) = columns.when {
        canvas.put(column, row, "when", Role::Dim);
    }
    canvas.right(columns.rows, row, "rows", Role::Dim);
    if let Some((column, _)) = columns.who {
        canvas.put(column, row, "who repeated it", Role::Dim);
    }
    canvas.right(columns.risk, row, "at risk", Role::Dim);
    if let Some(column) = columns.last {
        canvas.right(column, row, "last", Role::Dim);
    }
}

/// What a group is called: its words, or its hour.
pub fn name(shown: &Shown<'_>, group: &GroupRow) -> String {
    if group.hour.is_none() {
        return shown.outside(&group.words);
    }
    let hour =
        |at: Micros| shown.of_day(crate::model::time::Instant::new(at, crate::model::time::Res::Minute));
    let day = shown.day(group.hour).map_or(String::new(), |day| format!("{day} "));
    format!("{day}{} to {}", hour(group.hour), hour(group.hour.plus(HOUR)))
}

fn row(
    shown: &Shown<'_>,
    canvas: &mut Canvas,
    columns: &Columns,
    at: u16,
    group: &GroupRow,
    (selected, urgency): (bool, bool),
) {
    if selected {
        canvas.select(1..canvas.width(), at);
        canvas.put(0, at, "▌", Role::Focus);
    }
    // An hour holds rows of any kind: it has no urgency, no mark and no colour.
    let one_kind = group.class.is_some();
    let violation = one_kind && group.class == Some(Class::Violation);
    if one_kind {
        if columns.urgency && urgency {
            canvas.put(2, at, Urgency::of(group.severity, group.class).word(), Role::Dim);
        }
        let mark = if shown.ascii { ascii_mark(&group.mark) } else { group.mark.clone() };
        let role = match group.class {
            Some(Class::Violation) => Role::Wrong,
            Some(Class::Undecided) => Role::Ask,
            _ => Role::Dim,
        };
        canvas.right(columns.words.0.saturating_sub(2), at, &mark, role);
    }
    let role = match (violation, selected) {
        (true, _) => Role::Wrong,
        (false, true) => Role::Strong,
        _ => Role::Text,
    };
    let room = usize::from(columns.words.1.saturating_sub(columns.words.0));
    let column = canvas.put(columns.words.0, at, &cut(name(shown, group), room), role);
    if selected {
        canvas.words(columns.words.0..column, at);
    }
    if let Some(start) = columns.when {
        canvas.put_until(start, at, columns.rows.saturating_sub(6), &when(shown, group), Role::Text);
    }
    canvas.right(columns.rows, at, &thousands(group.count), Role::Text);
    if let Some((start, end)) = columns.who {
        let who = match group.origin {
            None => "not the same for all",
            Some(RetryOrigin::None) => "–",
            Some(RetryOrigin::Unknown) => "not known",
            Some(origin) => words::origin(origin).unwrap_or("–"),
        };
        canvas.put_until(start, at, end, who, Role::Text);
    }
    let money = shown.totals(&group.at_risk);
    let (unit, amount, role) = match money.first() {
        Some((unit, total)) if violation => (*unit, shown.total(*unit, *total), Role::Wrong),
        Some((unit, total)) => (*unit, shown.total(*unit, *total), Role::Strong),
        None => {
            let unit = group.at_risk.iter().next().map(|(unit, _)| unit);
            let zero =
                unit.map_or("–".to_owned(), |unit| shown.total(unit, crate::model::money::Total::ZERO));
            (unit.unwrap_or(Unit::NONE), zero, Role::Dim)
        }
    };
    if unit != Unit::NONE {
        canvas.put(columns.unit, at, &shown.outside(shown.units.text(unit)), Role::Dim);
    }
    canvas.right(columns.risk, at, &amount, role);
    if money.len() > 1 {
        canvas.put(columns.risk + 1, at, &format!("+{}", money.len() - 1), Role::Dim);
    }
    if let Some(column) = columns.last
        && !group.last.is_none()
    {
        let since = shown.now.since(group.last);
        let still = violation && since < STILL;
        let role = if still { Role::AskWord } else { Role::Dim };
        canvas.right(column, at, &format!("{} ago", age(since)), role);
    }
}

/// First to last; of another day the days alone.
fn when(shown: &Shown<'_>, group: &GroupRow) -> String {
    if group.first.is_none() {
        return "–".to_owned();
    }
    let (first, last) = (shown.day(group.first), shown.day(group.last));
    match (first, last) {
        (None, None) => match (shown.minute(group.first), shown.minute(group.last)) {
            (first, last) if first == last => first,
            (first, last) => format!("{first}-{last}"),
        },
        (Some(first), Some(last)) if first == last => first,
        (first, last) => {
            let day = |day: Option<String>| day.unwrap_or_else(|| "today".to_owned());
            format!("{}-{}", day(first), day(last))
        }
    }
}

/// The rule and what is known of the selected group.
pub fn preview(model: &Model, canvas: &mut Canvas, grouping: &Grouping, lines: &Triage) {
    let (Some(row), Some(shown)) = (lines.rule, Shown::of(model)) else { return };
    let form = model.form();
    let (margin, width) = (form.margin(), canvas.width());
    let edge = if form == Form::Pane { 1 } else { 2 };
    canvas.fill(0..width, row, '─', Role::Faint);
    let groups = grouping.groups().len() as u64;
    let mut counts = vec![format!(
        "{} of {}, grouped by {}",
        thousands((grouping.list.selected as u64 + 1).min(groups)),
        super::shown::counted(groups, "group"),
        grouping.by.word()
    )];
    counts.extend(preview::hidden(model));
    let Some(group) = grouping.selected() else { return };
    let title = match group.tool.as_str() {
        "" => name(&shown, group),
        tool => format!("{}, {}", name(&shown, group), shown.outside(tool)),
    };
    let rows = format!("{} rows", thousands(group.count));
    let rows = if group.count == 1 { "1 row".to_owned() } else { rows };
    while counts.len() > 1
        && counts.iter().map(|count| crate::text::width(count) + 3).sum::<usize>()
            + crate::text::width(&title)
            + 12
            > usize::from(width)
    {
        counts.pop();
    }
    let text = format!(" {} ", counts.join("   "));
    let start = canvas.right(width.saturating_sub(edge), row, &text, Role::Dim);
    let room = usize::from(start.saturating_sub(edge + 4));
    let head =
        [Span::new(format!(" {} ", cut(title, room)), Role::Text), Span::new(format!("{rows} "), Role::Dim)];
    let fits = super::role::width_of(&head) <= room;
    canvas.spans(edge, row, if fits { &head } else { head.get(..1).unwrap_or(&head) });
    if lines.story.1 == 0 {
        return;
    }
    let noun = model.preview.as_ref().map(|(_, item)| item.row.noun.clone()).unwrap_or_default();
    let room = usize::from(width.saturating_sub(2 * margin)).min(106);
    let mut at = lines.story.0;
    let bottom = lines.next.0;
    for (sentence, role) in [(first(&shown, group, &noun), Role::Strong), (rest(&shown, group), Role::Text)] {
        for line in wrap(sentence, room) {
            if at < bottom && form != Form::Pane || at < lines.story.0 + lines.story.1 {
                canvas.put(margin, at, &line, role);
                at += 1;
            }
        }
    }
    if form == Form::Wide && at + 1 < bottom {
        bars(&shown, canvas, group, at + 1);
    }
    next(model, canvas, grouping, lines);
    if let (Some(at), Some(command)) = (lines.same, &model.setup.same_list) {
        canvas.put(margin, at, "Same list", Role::Dim);
        let room = usize::from(width.saturating_sub(2 * margin + 12));
        canvas.put(margin + 12, at, &cut(super::shown::outside(model, command), room), Role::Dim);
    }
}

/// `4,981 refunds happened twice in 31 minutes, USD 48,030.10 at risk, and it goes on.`
pub fn first(shown: &Shown<'_>, group: &GroupRow, noun: &str) -> String {
    let noun = if noun.is_empty() { "operation".to_owned() } else { phrase::noun(noun) };
    let noun = if noun == "effect" { "operation".to_owned() } else { noun };
    let what = phrase::inflected(group.count, &noun);
    let said = if !group.hour.is_none() {
        format!("{} {what}, {}", thousands(group.count), name(shown, group))
    } else if group.words.starts_with("happened") && !group.words.contains(',') {
        format!("{} {what} {}", thousands(group.count), group.words)
    } else {
        format!("{} {what}: {}", thousands(group.count), shown.outside(&group.words))
    };
    let length = group.last.since(group.first);
    let within = if group.first.is_none() || length <= 0 {
        String::new()
    } else {
        format!(" in {}", span_words(length))
    };
    let money: Vec<String> = shown
        .totals(&group.at_risk)
        .into_iter()
        .map(|(unit, total)| shown.units.show_total(unit, total))
        .collect();
    let money =
        if money.is_empty() { String::new() } else { format!(", {} at risk", phrase::joined(&money)) };
    let still = group.class == Some(Class::Violation) && shown.now.since(group.last) < STILL;
    format!("{said}{within}{money}{}.", if still { ", and it goes on" } else { "" })
}

/// What all of them share, and when the first and the last call were sent.
fn rest(shown: &Shown<'_>, group: &GroupRow) -> String {
    let mut sentences = Vec::new();
    match (group.tool.as_str(), group.run.as_str()) {
        ("", "") => {}
        (tool, "") => sentences.push(format!("All of them are calls of {}.", shown.outside(tool))),
        ("", run) => sentences.push(format!("All of them are of run {}.", shown.id(run))),
        (tool, run) => {
            sentences.push(format!(
                "All of them are calls of {} in run {}.",
                shown.outside(tool),
                shown.id(run)
            ));
        }
    }
    if !group.first.is_none() {
        sentences.push(format!(
            "The first call was sent at {}, the last at {}.",
            shown.second(group.first),
            shown.second(group.last)
        ));
    }
    sentences.join(" ")
}

/// One bar for each stretch of time.
fn bars(shown: &Shown<'_>, canvas: &mut Canvas, group: &GroupRow, row: u16) {
    const BARS: [char; 7] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇'];
    let Some(most) = group.bars.iter().copied().max().filter(|most| *most > 0) else { return };
    let label = match group.stretch {
        MINUTE => "per minute",
        HOUR => "per hour",
        DAY => "per day",
        _ => "over time",
    };
    let drawn: String = group
        .bars
        .iter()
        .map(|count| match u64::from(*count) * 7 {
            0 => ' ',
            height => {
                let at = height.div_ceil(u64::from(most)).saturating_sub(1);
                usize::try_from(at).ok().and_then(|at| BARS.get(at)).copied().unwrap_or('▇')
            }
        })
        .collect();
    canvas.put(2, row, label, Role::Dim);
    let column = canvas.put(14, row, &drawn, Role::Text) + 3;
    let range = format!(
        "{} to {}, at most {}",
        shown.minute(group.first),
        shown.minute(group.last),
        thousands(u64::from(most))
    );
    canvas.put(column, row, &range, Role::Dim);
}

/// What to do: for groups of one kind what its rows say, else how to see them.
fn next(model: &Model, canvas: &mut Canvas, grouping: &Grouping, lines: &Triage) {
    let form = model.form();
    let margin = form.margin();
    let start = margin + if form == Form::Wide { 7 } else { 6 };
    let room = usize::from(canvas.width().saturating_sub(start + margin));
    let (top, count) = lines.next;
    if count == 0 {
        return;
    }
    canvas.put(margin, top, "Next", Role::Strong);
    let said = model.preview.as_ref().map(|(_, item)| item.story.next.clone()).unwrap_or_default();
    let text = match grouping.by {
        GroupBy::Words if !said.is_empty() => said,
        _ => "Open the group (enter): each row says what to do.".to_owned(),
    };
    for (at, line) in (top..).zip(story::next(model, &text, room, usize::from(count))) {
        canvas.spans(start, at, &line);
    }
}
