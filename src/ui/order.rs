//! Everything of an order or of a party in order of time, with totals; below it all orders of the party
//! (`6-screens.md`, order).

use super::canvas::Canvas;
use super::detail::headline;
use super::role::Role;
use super::shown::{Shown, counted, shown_id};
use super::sum::{Side, money_of};
use super::{status, story};
use crate::app::layout::Form;
use crate::app::model::Model;
use crate::app::order::{Event, EventKind, Order, Sums, sums};
use crate::judge::judgement::Class;
use crate::judge::story::phrase;
use crate::judge::view::{Everything, ListRow, Whose};
use crate::model::money::{Money, Total, Totals};
use crate::model::time::{Instant, Res};
use crate::model::units::Unit;
use crate::text::{ascii_mark, cut, width};

/// Where the parts of an event stand; amounts end before their column.
struct Columns {
    when: u16,
    place: Option<u16>,
    request: Option<u16>,
    what: u16,
    intended: Option<u16>,
    happened: u16,
}

impl Columns {
    fn of(form: Form, width: u16) -> Self {
        let end = width.saturating_sub(form.margin());
        match form {
            Form::Wide => Self {
                when: 4,
                place: Some(21),
                request: Some(33),
                what: 44,
                intended: Some(end.saturating_sub(11)),
                happened: end,
            },
            Form::Compact => Self {
                when: 2,
                place: Some(19),
                request: None,
                what: 30,
                intended: Some(end.saturating_sub(11)),
                happened: end,
            },
            _ => Self { when: 2, place: None, request: None, what: 12, intended: None, happened: end },
        }
    }

    /// The column behind the words of an event.
    fn words_end(&self) -> u16 {
        self.intended.unwrap_or(self.happened).saturating_sub(11)
    }
}

/// Lines of the part below the events where there is room for it: title, rule, heads, rows, rule, sum.
const LEAST_PARTY: u16 = 7;
/// Most rows of a party that are seen at once.
const MOST_PARTY: usize = 8;

/// Draws it.
pub fn draw(model: &Model, order: &Order, canvas: &mut Canvas) {
    let Some(shown) = Shown::of(model) else { return };
    let form = model.form();
    let margin = form.margin();
    let wide = form == Form::Wide;
    let status_row = canvas.height().saturating_sub(if form == Form::Pane { 1 } else { 2 });
    let mut row = if wide { 3 } else { 2 };
    let Some(all) = &order.all else {
        canvas.put(margin, row, "Looking for everything of it.", Role::Text);
        return;
    };
    headline(&shown, &order.item, canvas, row, form);
    row += 1;
    let start = if wide { 6 } else { margin };
    let room = usize::from(canvas.width().saturating_sub(start + margin));
    canvas.put(start, row, &cut(scope(model, &shown, order, all, form), room), Role::Text);
    row += if form == Form::Pane { 1 } else { 2 };
    let columns = Columns::of(form, canvas.width());
    heads(canvas, &columns, row);
    row += 1;
    let sums = sums(all);
    let several = sums.intended.len().max(sums.happened.len()) > 1;
    let below = u16::try_from(sum_lines(&sums).len()).unwrap_or(1) + 1;
    let party = if wide && !all.of_party.is_empty() {
        LEAST_PARTY + u16::try_from(all.of_party.len().min(MOST_PARTY)).unwrap_or(0)
    } else {
        0
    };
    let next_lines = if form == Form::Pane { 0 } else { 2 };
    let room = status_row.saturating_sub(row + below + party + next_lines).max(3);
    row = events(canvas, &shown, order, &columns, (row, room), several);
    row = totals(canvas, &shown, order, &columns, row, &sums, several);
    if party > 0 {
        row = of_party(canvas, &shown, model, all, row + 1);
    }
    if form != Form::Pane {
        let at = (row + 1).min(status_row.saturating_sub(1));
        canvas.put(margin, at, "Next", Role::Strong);
        let words = margin + if wide { 7 } else { 6 };
        let room = usize::from(canvas.width().saturating_sub(words + margin));
        for line in story::next(model, &order.item.story.next, room, 1) {
            canvas.spans(words, at, &line);
        }
        let copies = order.events.iter().any(|event| event.kind == EventKind::Copy);
        if copies && wide && at + 2 < status_row {
            canvas.put(margin, at + 2, "Rows in brackets are copies and are not added.", Role::Dim);
        }
        status::line(model, canvas, status_row, &place(&shown, order));
    }
}

/// `2 requests, 2 attempts, 3 rows in 2 sources; customer cust_41, who has 1 more order here`.
fn scope(model: &Model, shown: &Shown<'_>, order: &Order, all: &Everything, form: Form) -> String {
    let calls =
        all.intents.iter().map(|(_, view)| view.attempts.iter().filter(|a| !a.read).count()).sum::<usize>();
    let rows: Vec<usize> = all
        .intents
        .iter()
        .flat_map(|(_, view)| &view.effects)
        .chain(&all.apart)
        .map(|row| row.source)
        .collect();
    let mut sources = rows.clone();
    sources.sort_unstable();
    sources.dedup();
    let mut text = format!(
        "{}, {}, {}",
        counted((all.intents.len() + all.more) as u64, "request"),
        counted(calls as u64, "attempt"),
        counted(rows.len() as u64, "row")
    );
    if sources.len() > 1 {
        text.push_str(&format!(" in {}", counted(sources.len() as u64, "source")));
    }
    if all.more > 0 {
        text.push_str(&format!("; the first {} are shown", all.intents.len()));
    }
    if all.party.is_empty() || form == Form::Pane {
        return text;
    }
    text.push_str(&format!("; customer {}", shown_id(model, &all.party)));
    if matches!(order.whose, Whose::Party(_)) {
        return text;
    }
    let own = &order.item.row.operation;
    let others: Vec<&ListRow> = all.of_party.iter().filter(|row| row.operation != *own).collect();
    let count = others.len() + all.more_of_party;
    if let (1, Some(one)) = (count, others.first()) {
        text.push_str(&format!(
            ", who has 1 more order here: {}, {}",
            shown.id(&one.operation),
            shown.outside(&one.words)
        ));
    } else if count > 1 {
        text.push_str(&format!(", who has {} here", counted(count as u64, "more order")));
    }
    text
}

fn heads(canvas: &mut Canvas, columns: &Columns, row: u16) {
    canvas.put(columns.when, row, "when", Role::Dim);
    if let Some(column) = columns.place {
        canvas.put(column, row, "where", Role::Dim);
    }
    if let Some(column) = columns.request {
        canvas.put(column, row, "request", Role::Dim);
    }
    canvas.put(columns.what, row, "what", Role::Dim);
    if let Some(end) = columns.intended {
        canvas.right(end, row, "intended", Role::Dim);
    }
    canvas.right(columns.happened, row, "happened", Role::Dim);
}

/// Events that are seen; gives the next row.
fn events(
    canvas: &mut Canvas,
    shown: &Shown<'_>,
    order: &Order,
    columns: &Columns,
    (top, room): (u16, u16),
    several: bool,
) -> u16 {
    let seen = usize::from(room);
    let first = (order.selected + 1).saturating_sub(seen);
    let mut row = top;
    for (at, event) in order.events.iter().enumerate().skip(first).take(seen) {
        if at == order.selected {
            canvas.select(1..canvas.width(), row);
            canvas.put(0, row, "▌", Role::Focus);
        }
        let words_end = draw_event(canvas, shown, order, event, columns, row, several);
        if at == order.selected {
            canvas.words(columns.what..words_end, row);
        }
        row += 1;
    }
    if order.events.len() > seen && columns.place.is_some() {
        super::scrollbar(canvas, (top, room), first, seen, order.events.len());
    }
    if order.events.is_empty() {
        canvas.put(columns.when, row, "Nothing of it has an event.", Role::Text);
        row += 1;
    }
    row
}

fn draw_event(
    canvas: &mut Canvas,
    shown: &Shown<'_>,
    order: &Order,
    event: &Event,
    columns: &Columns,
    row: u16,
    several: bool,
) -> u16 {
    let beside = matches!(event.kind, EventKind::Request | EventKind::Copy);
    let plain = if beside { Role::Dim } else { Role::Text };
    when(canvas, shown, event.when, columns, row, plain);
    if let Some(column) = columns.place {
        let place = if event.subject.is_empty() {
            match Side::of(shown.sources, event.source) {
                Side::Ledger => shown.source(event.source).map(|s| s.id.clone()).unwrap_or_default(),
                side => side.word().to_owned(),
            }
        } else {
            event.subject.clone()
        };
        canvas.put(column, row, &cut(shown.outside(&place), 10), plain);
    }
    if let Some(column) = columns.request {
        canvas.put(column, row, &cut(shown.id(&event.request), 10), plain);
    }
    let ended = if event.ended.is_none() || columns.request.is_none() {
        String::new()
    } else {
        format!(" at {}", of_day(shown, event.ended))
    };
    let role = match event.kind {
        EventKind::Row | EventKind::TooMuch | EventKind::Reversal => Role::Strong,
        _ => plain,
    };
    let amount = |money: Money| if several { shown.units.show(money) } else { shown.number(money) };
    let intended =
        event.intended.map(|(money, assumed)| format!("{}{}", if assumed { "~" } else { "" }, amount(money)));
    let end = match &intended {
        Some(text) => columns
            .intended
            .unwrap_or(columns.happened)
            .saturating_sub(u16::try_from(width(text)).unwrap_or(0) + 2),
        None => columns.words_end(),
    };
    let room = usize::from(end.saturating_sub(columns.what));
    let words_end = canvas.put(columns.what, row, &cut(shown.outside(&event.what) + &ended, room), role);
    if let Some(text) = intended {
        canvas.right(columns.intended.unwrap_or(columns.happened), row, &text, Role::Dim);
    }
    let violation = order.item.row.class == Some(Class::Violation);
    match (event.kind, event.happened) {
        (EventKind::Copy, Some(money)) => {
            // The point of the bracketed amount stands below the others.
            canvas.right(
                (columns.happened + 1).min(canvas.width()),
                row,
                &format!("({})", amount(money)),
                Role::Dim,
            );
        }
        (EventKind::Reversal, Some(money)) => {
            let sign = if money.amount.digits > 0 { "−" } else { "" };
            canvas.right(columns.happened, row, &format!("{sign}{}", amount(money)), Role::Strong);
        }
        (EventKind::TooMuch, Some(money)) if violation => {
            canvas.right(columns.happened, row, &amount(money), Role::Wrong);
        }
        (EventKind::Row | EventKind::TooMuch, Some(money)) => {
            canvas.right(columns.happened, row, &amount(money), Role::Strong);
        }
        (EventKind::Row | EventKind::TooMuch, None) => {
            canvas.right(columns.happened, row, "–", Role::Dim);
        }
        (EventKind::Beside, Some(money)) => {
            canvas.right(columns.happened, row, &amount(money), Role::Text);
        }
        _ => {}
    }
    words_end
}

/// The time of day to the second, in as much of it as is known.
fn of_day(shown: &Shown<'_>, when: Instant) -> String {
    if when.is_approximate() {
        shown.of_day(when)
    } else {
        shown.of_day(Instant { res: Res::Second, ..when })
    }
}

fn when(canvas: &mut Canvas, shown: &Shown<'_>, when: Instant, columns: &Columns, row: u16, role: Role) {
    if when.is_none() {
        canvas.put(columns.when, row, "no time", Role::Dim);
        return;
    }
    let day = shown.day(when.at);
    if columns.place.is_none() {
        canvas.put_until(columns.when, row, columns.what, &day.unwrap_or_else(|| of_day(shown, when)), role);
        return;
    }
    if let Some(day) = day {
        canvas.put(columns.when, row, &cut(day, 6), role);
    }
    let end = columns.place.unwrap_or(columns.what).saturating_sub(1);
    canvas.put_until(columns.when + 7, row, end, &of_day(shown, when), role);
}

/// Units of the sums, each once.
fn sum_lines(sums: &Sums) -> Vec<Unit> {
    let mut units: Vec<Unit> =
        sums.intended.iter().chain(sums.happened.iter()).map(|(unit, _)| unit).collect();
    units.sort_unstable();
    units.dedup();
    units
}

/// A short rule, what was intended and what happened, and the difference with its word; gives the next row.
fn totals(
    canvas: &mut Canvas,
    shown: &Shown<'_>,
    order: &Order,
    columns: &Columns,
    row: u16,
    sums: &Sums,
    several: bool,
) -> u16 {
    let units = sum_lines(sums);
    if units.is_empty() {
        return row;
    }
    let mut row = row;
    let rule = if several { 12 } else { 8 };
    for end in columns.intended.into_iter().chain([columns.happened]) {
        canvas.fill(end.saturating_sub(rule)..end, row, '─', Role::Faint);
    }
    row += 1;
    let violation = order.item.row.class == Some(Class::Violation);
    let zero = Total::ZERO;
    for (no, unit) in units.into_iter().enumerate() {
        let (intended, happened) =
            (sums.intended.get(unit).unwrap_or(zero), sums.happened.get(unit).unwrap_or(zero));
        let total = |total: Total| {
            if several { shown.units.show_total(unit, total) } else { shown.total(unit, total) }
        };
        let label = match (no, sums.replaced) {
            (0, true) => "the new one replaces the old: only its amount counts",
            (0, false) => "together",
            _ => "",
        };
        let room = usize::from(columns.words_end().saturating_sub(columns.what));
        canvas.put(columns.what, row, &cut(label, room), Role::Dim);
        if let Some(end) = columns.intended {
            canvas.right(end, row, &total(intended), Role::Text);
        }
        canvas.right(columns.happened, row, &total(happened), Role::Text);
        row += 1;
        let mut difference = Totals::default();
        difference.add_total(unit, happened);
        let mut less = Totals::default();
        less.add_total(unit, intended);
        let (Some(more), Some(less)) = (money_of(&difference, unit), money_of(&less, unit)) else { continue };
        let (word, role) = match (more.amount.cmp(&less.amount), violation) {
            (std::cmp::Ordering::Equal, _) => continue,
            (std::cmp::Ordering::Greater, true) => ("too much", Role::Wrong),
            (std::cmp::Ordering::Greater, false) => ("too much, if all of it counts", Role::AskWord),
            (std::cmp::Ordering::Less, true) => ("too little", Role::Wrong),
            (std::cmp::Ordering::Less, false) => ("not there, as far as was read", Role::AskWord),
        };
        canvas.put(columns.what, row, &cut(word, room), role);
        if let Some(amount) = super::sum::difference(Some(more), Some(less)) {
            let amount = if several { shown.units.show(amount) } else { shown.number(amount) };
            let role = if role == Role::Wrong { Role::Wrong } else { Role::Strong };
            canvas.right(columns.happened, row, &amount, role);
        }
        row += 1;
    }
    row
}

/// All orders of the party with totals; gives the next row.
fn of_party(canvas: &mut Canvas, shown: &Shown<'_>, model: &Model, all: &Everything, top: u16) -> u16 {
    let margin = 2;
    let end = canvas.width().saturating_sub(margin);
    let (operation, intended, happened, risk) = (42, 80, 93, 105);
    let rows: Vec<&ListRow> = all.of_party.iter().take(MOST_PARTY).collect();
    let mut units: Vec<Unit> = all
        .of_party
        .iter()
        .flat_map(|row| {
            row.intended_total
                .map(|(m, _)| m)
                .into_iter()
                .chain(row.ledger_total.and_then(Result::ok))
                .chain(row.at_risk)
        })
        .map(|money| money.unit)
        .collect();
    units.sort_unstable();
    units.dedup();
    let sole = if let [unit] = units.as_slice() { Some(*unit) } else { None };
    let title = format!("All of customer {}", shown_id(model, &all.party));
    let column = canvas.put(margin, top, &title, Role::Strong);
    canvas.put(column + 3, top, "in everything that is loaded, worst first", Role::Dim);
    if let Some(unit) = sole {
        canvas.right(end, top, &shown.outside(shown.units.text(unit)), Role::Dim);
    }
    canvas.fill(margin..end, top + 1, '─', Role::Faint);
    let mut row = top + 2;
    canvas.put(13, row, "what happened", Role::Dim);
    canvas.put(operation, row, "operation", Role::Dim);
    for (column, head) in [(intended, "intended"), (happened, "happened"), (risk, "at risk")] {
        canvas.right(column, row, head, Role::Dim);
    }
    row += 1;
    let amount = |money: Money| if sole.is_some() { shown.number(money) } else { shown.units.show(money) };
    for one in &rows {
        let violation = one.class == Some(Class::Violation);
        let mark = if shown.ascii { ascii_mark(&one.mark) } else { one.mark.clone() };
        let role = match one.class {
            Some(Class::Violation) => Role::Wrong,
            Some(Class::Undecided) => Role::Ask,
            _ => Role::Dim,
        };
        canvas.right(11, row, &mark, role);
        canvas.put(13, row, &cut(one.words.clone(), 27), if violation { Role::Wrong } else { Role::Text });
        canvas.put(operation, row, &cut(shown.id(&one.operation), 24), Role::Text);
        if let Some((money, assumed)) = one.intended_total {
            let text = format!("{}{}", if assumed { "~" } else { "" }, amount(money));
            canvas.right(intended, row, &text, Role::Dim);
        }
        match &one.ledger_total {
            Some(Ok(money)) => canvas.right(happened, row, &amount(*money), Role::Text),
            Some(Err(())) => canvas.right(happened, row, "unreadable", Role::Text),
            None => canvas.right(happened, row, "–", Role::Text),
        };
        if let Some(money) = one.at_risk {
            let role = match one.class {
                _ if money.amount.is_zero() => Role::Dim,
                Some(Class::Violation) => Role::Wrong,
                Some(Class::Undecided) => Role::Strong,
                _ => Role::Text,
            };
            canvas.right(risk, row, &amount(money), role);
        }
        row += 1;
    }
    let hidden = all.of_party.len() - rows.len() + all.more_of_party;
    if hidden > 0 {
        canvas.put(13, row, &format!("{} below them", counted(hidden as u64, "more row")), Role::Dim);
        row += 1;
    }
    // Amounts of different currencies are never added.
    if let (Some(unit), true) = (sole, all.more_of_party == 0) {
        let sum = |of: &dyn Fn(&ListRow) -> Option<Money>| {
            let mut totals = Totals::default();
            all.of_party.iter().filter_map(of).for_each(|money| totals.add(money));
            totals.get(unit).unwrap_or(Total::ZERO)
        };
        for column in [intended, happened, risk] {
            canvas.fill(column - 8..column, row, '─', Role::Faint);
        }
        row += 1;
        canvas.put(13, row, "all of this customer", Role::Dim);
        let figures: [(u16, Total); 3] = [
            (intended, sum(&|row| row.intended_total.map(|(money, _)| money))),
            (happened, sum(&|row| row.ledger_total.and_then(Result::ok))),
            (risk, sum(&|row| row.at_risk)),
        ];
        for (column, total) in figures {
            canvas.right(column, row, &shown.total(unit, total), Role::Text);
        }
        row += 1;
    }
    row
}

/// `rf_61 is payments.db, table refunds, row 48195`.
fn place(shown: &Shown<'_>, order: &Order) -> Vec<Vec<super::role::Span>> {
    use super::role::{dim, text};
    let Some(event) = order.event().filter(|event| !event.place.is_empty()) else { return Vec::new() };
    let name = if event.subject.is_empty() {
        event.what.split([' ', ',']).next().unwrap_or_default().to_owned()
    } else {
        event.subject.clone()
    };
    vec![vec![text(shown.outside(&name)), dim(format!(" is {}", shown.outside(&event.place)))]]
}

/// Of an id the way it is spoken.
pub fn title(model: &Model, whose: &Whose) -> String {
    match whose {
        Whose::Order(business) => shown_id(model, &phrase::business(business)),
        Whose::Party(party) => shown_id(model, party),
    }
}
