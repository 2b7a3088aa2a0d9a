//! The evidence in one pane: each row between the two ends of its attempt, one amount column per source. Used where
//! there is little room, beside a copy at 80 columns, and by `|` at any width.

use super::bracket::{Selected, copy_source, lines_of, side_of};
use super::canvas::Canvas;
use super::evidence::{Beside, Link, Piece, fog, phrase, pieces};
use super::role::Role;
use super::shown::{Shown, position};
use super::sum::{Side, copies, difference, sum};
use crate::app::case::Item;
use crate::app::layout::Form;
use crate::app::model::Pane;
use crate::judge::story::bounds;
use crate::judge::view::{AttemptView, EffectView};
use crate::judge::words::outcome;
use crate::model::money::Money;
use crate::model::row::Status;
use crate::model::time::{Instant, Res};
use crate::text::{cut, cut_middle, width};

/// Where the columns stand.
#[derive(Clone, Copy, Debug)]
pub struct Columns {
    /// Bracket.
    bracket: u16,
    /// Times.
    time: u16,
    /// What is known of a row.
    phrase: u16,
    /// End of the amounts of the ledger.
    amount: u16,
    /// End of the amounts of a copy.
    copy: Option<u16>,
    /// Words of the sum.
    sum: u16,
    /// Which of a row's phrases fits.
    length: usize,
}

impl Columns {
    /// For a width; `copy` where one stands beside.
    pub fn of(total: u16, form: Form, copy: bool) -> Self {
        let margin = form.margin();
        let end = total.saturating_sub(margin);
        let copy = copy && total >= 80;
        if form == Form::Pane {
            let time = if total >= 56 { 23 } else { 20 };
            return Self {
                bracket: margin + 1,
                time,
                phrase: time + 11,
                amount: end,
                copy: None,
                sum: time,
                length: 2,
            };
        }
        let amount = if copy { end.saturating_sub(12) } else { end };
        Self {
            bracket: margin,
            time: 23,
            phrase: 37,
            amount,
            copy: copy.then_some(end),
            sum: 37,
            length: usize::from(total < 120),
        }
    }
}

struct Stack<'a> {
    shown: &'a Shown<'a>,
    item: &'a Item,
    columns: Columns,
    selected: Selected,
    canvas: Canvas,
    row: u16,
    pending: bool,
    focus: (u16, u16),
}

/// Draws the heads; gives nothing, they take two lines.
pub fn heads(shown: &Shown<'_>, item: &Item, canvas: &mut Canvas, row: u16, columns: &Columns, form: Form) {
    let margin = form.margin();
    let side = side_of(item, shown);
    let title =
        if columns.copy.is_some() { "Tried, and what became of it" } else { "Tried, and in the ledger" };
    canvas.put(margin, row, title, Role::Strong);
    if let (Some(end), Some(source)) = (columns.copy, copy_source(item)) {
        canvas.right(columns.amount, row, side.word(), Role::Dim);
        canvas.right(end, row, Side::of(shown.sources, source).word(), Role::Dim);
    } else {
        let intent = item.intents.first();
        let unit = intent.map(|intent| shown.units.text(intent.judgement.unit)).unwrap_or_default();
        canvas.right(columns.amount, row, &shown.outside(unit), Role::Dim);
    }
    let end = canvas.width().saturating_sub(margin);
    canvas.fill(margin..end, row + 1, '━', Role::Focus);
}

/// Draws the evidence; gives the surface, its height, and the lines of what is selected.
pub fn draw(
    shown: &Shown<'_>,
    item: &Item,
    total: u16,
    columns: Columns,
    selected: Selected,
) -> (Canvas, u16, (u16, u16)) {
    let pieces = pieces(item, shown);
    let lines = pieces.iter().map(height_of).sum::<usize>() + 16;
    let needed = u16::try_from(lines).unwrap_or(u16::MAX).min(4_000);
    let mut stack = Stack {
        shown,
        item,
        columns,
        selected,
        canvas: Canvas::new(total, needed),
        row: 0,
        pending: item.rows().any(|row| row.status == Status::OnItsWay),
        focus: (0, 0),
    };
    for piece in &pieces {
        if stack.row + 12 > needed {
            break;
        }
        stack.piece(piece);
    }
    stack.end();
    (stack.canvas, stack.row, stack.focus)
}

fn height_of(piece: &Piece<'_>) -> usize {
    match piece {
        Piece::Attempt { rows, .. } => 2 + rows.len().max(1),
        _ => 1,
    }
}

impl Stack<'_> {
    fn piece(&mut self, piece: &Piece<'_>) {
        let Columns { bracket, .. } = self.columns;
        match piece {
            Piece::Day(day) => {
                self.canvas.put(bracket, self.row, day, Role::Dim);
                self.row += 1;
            }
            Piece::Request(intent) => {
                let name = format!("request {}", self.shown.id(&intent.intent_id));
                self.canvas.put(bracket, self.row, &name, Role::Strong);
                self.row += 1;
            }
            Piece::Attempt { index, attempt, rows, link } => self.attempt(*index, attempt, rows, *link),
            Piece::Gap(long, _) => self.between(long, Role::Text),
            Piece::Late(long, _, until) => {
                let time = self.shown.of_day(Instant { at: *until, res: Res::Second });
                self.between(&format!("{long} {time}"), Role::Dim);
            }
            Piece::Row(beside, words) => {
                let link = if beside.link == Link::WhichCall { "┊╌╌" } else { "○──" };
                self.ledger_row(beside, link, Role::Text);
                if !words.is_empty() {
                    let words =
                        cut(words, usize::from(self.columns.amount.saturating_sub(self.columns.phrase + 12)));
                    self.canvas.put(self.columns.phrase, self.row, &words, Role::Dim);
                }
                self.select_row(beside, self.row);
                self.row += 1;
            }
            Piece::Edge => {
                let Some(fog) = fog(self.item, self.shown) else {
                    return;
                };
                let words = format!(" the ledger was read to here, {} ", self.shown.second(fog.edge));
                let end = self.canvas.width().saturating_sub(bracket.max(1));
                self.canvas.fill(bracket..end, self.row, '┄', Role::Faint);
                self.canvas.put_until(bracket + 2, self.row, end, &words, Role::Text);
                self.row += 1;
            }
        }
    }

    fn between(&mut self, words: &str, role: Role) {
        let Columns { bracket, .. } = self.columns;
        self.canvas.put(bracket, self.row, "┊", Role::Faint);
        self.canvas.put(bracket + 2, self.row, words, role);
        self.row += 1;
    }

    fn attempt(&mut self, index: usize, attempt: &AttemptView, rows: &[Beside<'_>], link: Link) {
        let Columns { bracket, time, .. } = self.columns;
        let selected = self.selected.pane == Pane::Tried && self.selected.attempt == index;
        let first = self.row;
        let tie = if selected { Role::Focus } else { Role::Text };
        self.canvas.put(bracket, self.row, "╭", tie);
        self.canvas.put(bracket + 2, self.row, &format!("attempt {} sent", attempt.number), Role::Text);
        self.canvas.put(time, self.row, &self.shown.of_day(attempt.sent), Role::Dim);
        self.row += 1;
        for beside in rows {
            let glyphs =
                if matches!(beside.link, Link::Maybe | Link::WhichCall) { "├╌╌" } else { "├──" };
            self.ledger_row(beside, glyphs, tie);
            self.select_row(beside, self.row);
            self.row += 1;
        }
        if rows.is_empty() {
            self.bare(link, tie);
        }
        let accepted = rows.iter().any(|beside| beside.row.status == Status::OnItsWay);
        let (mark, words) = outcome(attempt, accepted, None);
        self.canvas.put(bracket, self.row, "╰", tie);
        let role = if mark == '?' { Role::Ask } else { Role::Text };
        self.canvas.put(bracket + 2, self.row, &mark.to_string(), role);
        let room = usize::from(time.saturating_sub(bracket + 5));
        self.canvas.put(bracket + 4, self.row, &cut(self.shown.outside(&words), room), Role::Text);
        self.canvas.put(time, self.row, &self.shown.of_day(attempt.ended), Role::Dim);
        self.row += 1;
        if selected {
            let end = self.columns.copy.unwrap_or(self.columns.amount);
            for row in first..self.row {
                self.canvas.select(bracket..end, row);
                self.canvas.put(0, row, "▌", Role::Focus);
            }
            self.focus = (first, self.row);
        }
    }

    fn select_row(&mut self, beside: &Beside<'_>, row: u16) {
        if self.selected.pane == Pane::Ledger && beside.index == Some(self.selected.effect) {
            let end = self.columns.copy.unwrap_or(self.columns.amount);
            self.canvas.select(self.columns.bracket..end, row);
            self.canvas.put(0, row, "▌", Role::Focus);
            self.focus = (row, row + 1);
        }
    }

    fn bare(&mut self, link: Link, tie: Role) {
        let Columns { bracket, time, amount, .. } = self.columns;
        let (glyphs, words, role) = match link {
            Link::NoRow => ("├─┤", "no row", Role::Strong),
            Link::Fog => ("├╌░", "not read: a row may be here", Role::Text),
            Link::Unproven => ("├╌╌", "no row, proves nothing yet", Role::Text),
            _ => return,
        };
        self.canvas.put(bracket, self.row, glyphs, tie);
        let column = self.canvas.put(bracket + 4, self.row, words, role);
        if link == Link::NoRow {
            let unit = self.item.intents.first().map(|intent| intent.judgement.unit);
            let zero = unit
                .map_or_else(String::new, |unit| self.shown.total(unit, crate::model::money::Total::ZERO));
            self.canvas.right(amount, self.row, &zero, Role::Text);
        } else if link == Link::Fog {
            self.canvas.fill(column.max(time) + 1..amount, self.row, '░', Role::Faint);
        }
        self.row += 1;
    }

    /// Name, time, what is known of its receipt, amounts.
    fn ledger_row(&mut self, beside: &Beside<'_>, glyphs: &str, tie: Role) {
        let Columns { bracket, time, amount, copy, length, .. } = self.columns;
        let row = beside.row;
        self.canvas.put(bracket, self.row, glyphs, tie);
        let room = usize::from(time.saturating_sub(bracket + 5));
        self.canvas.put(bracket + 4, self.row, &cut_middle(self.shown.id(&row.name), room), Role::Strong);
        self.canvas.put(time, self.row, &self.shown.time_of_row(row), Role::Text);
        if row.copy {
            self.canvas.put(self.columns.phrase, self.row, "in the copy only", Role::Dim);
        } else {
            let text = self.amount(row);
            let start = self.canvas.right(amount, self.row, &text, Role::Text);
            let phrases = phrase(row, self.pending && row.status == Status::Live);
            let room = usize::from(start.saturating_sub(self.columns.phrase + 1));
            let fits = phrases.iter().skip(length).find(|(words, _)| width(words) <= room);
            if let Some((words, role)) = fits.filter(|_| !row.reversal) {
                self.canvas.put(self.columns.phrase, self.row, words, *role);
            }
        }
        let Some(end) = copy else {
            return;
        };
        match beside.copy.or(row.copy.then_some(row)) {
            Some(copy) => {
                let text = self.amount(copy);
                self.canvas.right(end, self.row, &text, Role::Text);
            }
            None if row.status == Status::Live && !row.reversal => {
                self.canvas.right(end, self.row, "not in it", Role::AskWord);
            }
            None => {}
        }
    }

    fn amount(&self, row: &EffectView) -> String {
        match (row.amount, &row.unreadable) {
            (_, Some(_)) => "unreadable".to_owned(),
            (Some(money), None) if row.reversal => format!("−{}", self.shown.number(money)),
            (Some(money), None) if row.status == Status::NotAnEffect => {
                format!("({})", self.shown.number(money))
            }
            (Some(money), None) => self.shown.number(money),
            (None, None) => "–".to_owned(),
        }
    }

    /// The sum; its short rules share the line of the last answer.
    fn end(&mut self) {
        let Columns { bracket, amount, copy, sum: label, .. } = self.columns;
        let Some(sum) = sum(self.item) else {
            return;
        };
        let above = self.row.saturating_sub(1);
        let shares = self.canvas.is_blank(amount.saturating_sub(9)..amount, above);
        let short = if shares { above } else { self.row };
        for end in [Some(amount), copy].into_iter().flatten() {
            self.canvas.fill(end.saturating_sub(8)..end, short, '─', Role::Faint);
        }
        self.row = short + 1;
        let first = self.row;
        let side = side_of(self.item, self.shown);
        let lines = lines_of(self.shown, &sum, side, self.item, (false, copy.is_some()));
        let copied = copies(self.item, self.shown).into_iter().next().filter(|_| copy.is_some());
        let in_copy: Vec<Option<Money>> = match copied {
            Some((_, _, total, _)) => vec![total, sum.intended.1, difference(total, sum.intended.1)],
            None => Vec::new(),
        };
        for (at, (count, word, money, roles)) in lines.into_iter().enumerate() {
            let column = self.canvas.put(label, self.row, &count, roles.0);
            let edge = self.canvas.right(amount, self.row, &money, roles.2);
            let room = usize::from(edge.saturating_sub(column + 1));
            self.canvas.put(column + 1, self.row, &cut(word, room), roles.1);
            if let (Some(end), Some(Some(money))) = (copy, in_copy.get(at)) {
                let role = if money.amount.is_zero() { Role::Text } else { roles.2 };
                self.canvas.right(end, self.row, &self.shown.number(*money), role);
            }
            self.row += 1;
        }
        if label < 30 {
            return;
        }
        let room = usize::from(label.saturating_sub(bracket + 2));
        if let [intent] = self.item.intents.as_slice()
            && intent.account.is_none()
        {
            let text = bounds(intent, true);
            let text = if width(&text) > room { text.replace(" can explain ", " explain ") } else { text };
            self.canvas.put(bracket, first + 1, &cut(text, room), Role::Dim);
        }
        let source = self.item.rows().next().and_then(|row| self.shown.source(row.source));
        if let Some(source) = source.filter(|source| !source.position.is_empty()) {
            let text = format!("{} read to {}", side.word(), self.shown.outside(&position(&source.position)));
            self.canvas.put(bracket, first + 2, &cut(text, room), Role::Dim);
        }
    }
}
