//! The evidence side by side: attempts at the left with their bracket, rows at the right, what ties them between.
//!
//! Lines are drawn on a surface as high as they need; the detail shows a part of it.

use super::canvas::Canvas;
use super::evidence::{Beside, Fog, Link, Piece, fog, phrase, pieces};
use super::role::Role;
use super::shown::{Shown, position};
use super::sum::{Outcome, Side, Sum, copies, sum};
use crate::app::case::Item;
use crate::app::model::Pane;
use crate::judge::story::bounds;
use crate::judge::view::{AttemptView, EffectView};
use crate::judge::words::outcome;
use crate::model::row::Status;
use crate::model::time::Micros;
use crate::text::{cut, cut_middle, width};

/// Where the sides stand.
#[derive(Clone, Copy, Debug)]
pub struct Sides {
    /// Selection bar of the left pane.
    pub bar: u16,
    /// Left pane: first cell, and the one behind its last, which holds the bracket.
    pub left: (u16, u16),
    /// Right pane.
    pub right: (u16, u16),
    /// The copy's pane.
    pub copy: Option<(u16, u16)>,
    /// With room for what is only useful.
    pub roomy: bool,
}

impl Sides {
    /// For a width; `three` where a copy stands beside.
    pub fn of(total: u16, three: bool) -> Self {
        let extra = total.saturating_sub(if total >= 120 { 120 } else { 80 });
        let end = total.saturating_sub(2);
        if total < 120 {
            let more = extra / 2;
            return Self {
                bar: 0,
                left: (2, 36 + more / 2),
                right: (49 + more, end),
                copy: None,
                roomy: false,
            };
        }
        if three {
            // Links and amounts take the room.
            let more = extra / 2;
            return Self {
                bar: 4,
                left: (6, 51),
                right: (65 + more / 2, 92 + more),
                copy: Some((97 + more, end)),
                roomy: true,
            };
        }
        Self {
            bar: 4,
            left: (6, 53),
            right: (72 + extra / 2, end),
            copy: None,
            roomy: true,
        }
    }

    fn bracket(self) -> u16 {
        self.left.1 - 1
    }

    /// Where the times of the attempts end.
    fn times(self) -> u16 {
        self.left.1 - 3
    }

    /// Where words in the left pane begin.
    fn words(self) -> u16 {
        self.left.0 + 11
    }
}

/// What is selected.
#[derive(Clone, Copy, Debug)]
pub struct Selected {
    /// Focus.
    pub pane: Pane,
    /// Attempt.
    pub attempt: usize,
    /// Row.
    pub effect: usize,
}

/// Draws the evidence of an item.
pub struct Bracket<'a> {
    shown: &'a Shown<'a>,
    item: &'a Item,
    sides: Sides,
    selected: Selected,
    /// One line for each attempt but the selected one.
    short: bool,
    canvas: Canvas,
    row: u16,
    fog: Option<Fog>,
    in_fog: bool,
    pending: bool,
    /// Column of the rows' ids.
    id: u16,
    /// Lines of what is selected.
    pub focus: (u16, u16),
}

/// Lines that the evidence takes at most; beyond, attempts are one line each and the rest is left out.
const MOST: u16 = 4_000;

/// Draws the evidence; gives the surface, its height, and the lines of what is selected.
pub fn draw(
    shown: &Shown<'_>,
    item: &Item,
    total: u16,
    sides: Sides,
    selected: Selected,
    room: u16,
) -> (Canvas, u16, (u16, u16)) {
    let pieces = pieces(item, shown);
    let lines: usize = pieces.iter().map(|piece| height_of(piece, sides.roomy)).sum();
    let short = lines + 4 > usize::from(room) && item.attempts().count() > 1;
    let needed = u16::try_from(lines + 24).unwrap_or(MOST).min(MOST);
    let widest = item
        .rows()
        .map(|row| width(&shown.of_day(row.committed)))
        .max()
        .unwrap_or(8)
        .max(8);
    let gap_cells = if sides.roomy && sides.copy.is_none() { 3 } else { 2 };
    let mut drawing = Bracket {
        shown,
        item,
        sides,
        selected,
        short,
        canvas: Canvas::new(total, needed),
        // A row without an attempt stands by itself, with air above it.
        row: u16::from(sides.roomy && item.orphan().is_some()),
        fog: fog(item, shown),
        in_fog: false,
        pending: item.rows().any(|row| row.status == Status::OnItsWay),
        id: sides.right.0 + u16::try_from(widest).unwrap_or(8).min(14) + gap_cells,
        focus: (0, 0),
    };
    for piece in &pieces {
        if drawing.row + 16 > needed {
            break;
        }
        drawing.piece(piece);
    }
    drawing.end();
    (drawing.canvas, drawing.row, drawing.focus)
}

fn height_of(piece: &Piece<'_>, roomy: bool) -> usize {
    match piece {
        Piece::Day(_) | Piece::Request(_) => 1,
        Piece::Attempt { rows, .. } => 3 + 2 * rows.len().saturating_sub(1),
        Piece::Gap(..) | Piece::Late(..) if roomy => 3,
        Piece::Gap(..) | Piece::Late(..) => 1,
        Piece::Row(..) => 2,
        Piece::Edge => 3,
    }
}

impl Bracket<'_> {
    fn piece(&mut self, piece: &Piece<'_>) {
        match piece {
            Piece::Day(day) => {
                self.canvas.put(self.sides.left.0, self.row, day, Role::Dim);
                self.line();
            }
            Piece::Request(intent) => {
                if self.row > 0 && self.sides.roomy {
                    self.line();
                }
                let name = format!("request {}", self.shown.id(&intent.intent_id));
                let column = self.canvas.put(self.sides.left.0, self.row, &name, Role::Strong);
                if let Some(money) = intent.judgement.expected {
                    let text = format!("   intended {}", self.shown.money(money));
                    if usize::from(self.sides.left.1.saturating_sub(column)) >= width(&text) {
                        self.canvas.put(column, self.row, &text, Role::Dim);
                    }
                }
                self.line();
            }
            Piece::Attempt {
                index,
                attempt,
                rows,
                link,
            } => self.attempt(*index, attempt, rows, *link),
            Piece::Gap(long, brief) => {
                self.between(if self.sides.roomy { long } else { brief }, None, Role::Text)
            }
            Piece::Late(long, brief, until) => {
                let words = if self.sides.roomy { long } else { brief };
                self.between(words, Some(*until), Role::Dim);
            }
            Piece::Row(beside, words) => self.loose(beside, words),
            Piece::Edge => self.edge(),
        }
    }

    /// The next line; in the fog the ledger's side of it is fog until something is drawn there.
    fn line(&mut self) {
        self.row += 1;
        if self.in_fog {
            let (start, end) = self.sides.right;
            self.canvas.fill(start..end, self.row, '░', Role::Faint);
        }
    }

    fn attempt(&mut self, index: usize, attempt: &AttemptView, rows: &[Beside<'_>], link: Link) {
        let selected = self.selected.pane == Pane::Tried && self.selected.attempt == index;
        let here = rows.iter().any(|row| row.index == Some(self.selected.effect));
        let focus = selected || (self.selected.pane == Pane::Ledger && here);
        let first = self.row;
        if self.short && !focus {
            self.one_line(attempt, rows, link);
            return;
        }
        let Sides { left, roomy, .. } = self.sides;
        let name = format!("attempt {}", attempt.number);
        self.canvas.put(left.0, self.row, &name, Role::Text);
        self.time(attempt.sent);
        let tool = self.shown.outside(&attempt.tool);
        let what = match (roomy, self.sides.copy.is_some()) {
            (false, _) => "sent".to_owned(),
            (true, true) => tool,
            (true, false) if tool.is_empty() => "sent".to_owned(),
            (true, false) => format!("{tool}, sent"),
        };
        let room = usize::from(self.sides.times().saturating_sub(self.sides.words() + 14));
        self.canvas
            .put(self.sides.words(), self.row, &cut(what, room.max(4)), Role::Dim);
        let tie = if focus { Role::Focus } else { Role::Text };
        self.canvas.put(self.sides.bracket(), self.row, "╮", tie);
        self.line();
        if roomy {
            let second = self.second_line(attempt);
            let room = usize::from(self.sides.times().saturating_sub(self.sides.words()));
            self.canvas
                .put(self.sides.words(), self.row, &cut(second, room), Role::Dim);
        }
        if rows.is_empty() {
            self.bare(link, tie);
            self.line();
        }
        for (at, beside) in rows.iter().enumerate() {
            self.canvas.put(self.sides.bracket(), self.row, "├", tie);
            self.tie(beside.link, tie);
            self.ledger_row(beside);
            self.line();
            if at + 1 < rows.len() {
                self.canvas.put(self.sides.bracket(), self.row, "│", tie);
                self.phrase(beside.row);
                self.line();
            }
        }
        self.answer(attempt, rows);
        self.time(attempt.ended);
        self.canvas.put(self.sides.bracket(), self.row, "╯", tie);
        if let Some(beside) = rows.last() {
            self.phrase(beside.row);
        }
        self.line();
        if selected {
            for row in first..self.row {
                self.canvas.select(self.sides.bar..left.1, row);
                self.canvas.put(self.sides.bar, row, "▌", Role::Focus);
            }
            self.focus = (first, self.row);
        } else if focus {
            self.focus = (first, self.row);
        }
    }

    /// Decision, else the arguments that tell the call.
    fn second_line(&self, attempt: &AttemptView) -> String {
        if !attempt.decision.is_empty() {
            return format!("decision {}", self.shown.id(&attempt.decision));
        }
        let order = self
            .item
            .intents
            .first()
            .map(|intent| intent.business_id.replacen(':', " ", 1))
            .unwrap_or_default();
        let amount = attempt.amount.map(|money| self.shown.number(money));
        let parts: Vec<String> = [
            Some(self.shown.id(&order)).filter(|order| !order.is_empty()),
            amount,
        ]
        .into_iter()
        .flatten()
        .collect();
        parts.join(", ")
    }

    fn time(&mut self, at: crate::model::time::Instant) {
        if at.is_none() {
            return;
        }
        let text = self.shown.of_day(at);
        self.canvas.right(self.sides.times(), self.row, &text, Role::Text);
    }

    /// Mark and words of the answer.
    fn answer(&mut self, attempt: &AttemptView, rows: &[Beside<'_>]) {
        let accepted = rows.iter().any(|beside| beside.row.status == Status::OnItsWay);
        let left = self.left_of(attempt);
        let (mark, words) = outcome(attempt, accepted, left.as_deref());
        let mut words = self.shown.outside(&words);
        if self.sides.roomy && attempt.class.told_yes() && !accepted {
            if !attempt.receipt.is_empty() {
                words = format!("{words}, {}", self.shown.id(&attempt.receipt));
            } else if self.item.intents.iter().any(|intent| intent.account.is_some()) {
                words.push_str(", no receipt");
            }
        }
        let ended = width(&self.shown.of_day(attempt.ended));
        let room =
            usize::from(self.sides.times().saturating_sub(self.sides.left.0 + 3)).saturating_sub(ended);
        let role = match mark {
            '?' => Role::Ask,
            '✓' | '…' => Role::Text,
            _ => Role::Dim,
        };
        self.canvas
            .put(self.sides.left.0, self.row, &mark.to_string(), role);
        self.canvas
            .put(self.sides.left.0 + 2, self.row, &cut(words, room), Role::Text);
    }

    /// How long a call that is still open may take.
    fn left_of(&self, attempt: &AttemptView) -> Option<String> {
        let timeout = self.item.intents.first()?.timeout;
        let left = attempt.sent.at.plus(timeout).since(self.shown.now);
        (!attempt.sent.is_none() && left > 0).then(|| crate::model::time::span(left))
    }

    /// The link between bracket and row; its words stand in its middle.
    fn tie(&mut self, link: Link, role: Role) {
        let start = self.sides.bracket() + 1;
        let into_fog = link == Link::Fog;
        let end = if into_fog {
            self.sides.right.0
        } else {
            self.sides.right.0 - 1
        };
        self.canvas.fill(start..end, self.row, link.glyph(), role);
        let room = usize::from(end - start);
        let (long, brief) = link.words();
        let words = if self.sides.roomy && width(long) + 2 <= room {
            long
        } else {
            brief
        };
        if link == Link::Disputed {
            self.canvas.put(end - 1, self.row, "×", Role::Ask);
        }
        if words.is_empty() {
            return;
        }
        let words = format!(" {words} ");
        let fill = room.saturating_sub(width(&words));
        let column = start + u16::try_from(fill / 2).unwrap_or(0);
        self.canvas.put(column, self.row, &words, link.role());
    }

    /// Nothing beside the attempt: why.
    fn bare(&mut self, link: Link, tie: Role) {
        let bracket = self.sides.bracket();
        let right = self.sides.right;
        match link {
            Link::NoRow => {
                self.canvas.put(bracket, self.row, "├", tie);
                self.canvas.fill(bracket + 1..right.0 - 1, self.row, '─', tie);
                self.canvas.put(right.0 - 1, self.row, "┤", tie);
                self.canvas.put(right.0 + 1, self.row, "no row", Role::Strong);
                let zero = self.zero();
                self.canvas.right(right.1, self.row, &zero, Role::Text);
            }
            Link::Fog => {
                self.canvas.put(bracket, self.row, "├", tie);
                self.tie(link, tie);
                let words = if self.sides.roomy {
                    "not read: a row may be here, or not"
                } else {
                    "a row may be here"
                };
                let room = usize::from(right.1.saturating_sub(right.0 + 5));
                self.canvas.put(
                    right.0 + 3,
                    self.row,
                    &format!(" {} ", cut(words, room)),
                    Role::Text,
                );
            }
            Link::Unproven => {
                self.canvas.put(bracket, self.row, "├", tie);
                self.tie(link, tie);
                self.canvas.put_until(
                    right.0,
                    self.row,
                    right.1,
                    "no row, which proves nothing yet",
                    Role::Text,
                );
            }
            _ => {
                self.canvas.put(bracket, self.row, "│", tie);
            }
        }
    }

    fn zero(&self) -> String {
        let unit = self.item.intents.first().map(|intent| intent.judgement.unit);
        let zero = crate::model::money::Total::ZERO;
        unit.map_or_else(String::new, |unit| self.shown.total(unit, zero))
    }

    /// Time, name and amount of a row, and the same in a copy.
    fn ledger_row(&mut self, beside: &Beside<'_>) {
        let right = self.sides.right;
        let row = beside.row;
        let selected = self.selected.pane == Pane::Ledger && beside.index == Some(self.selected.effect);
        if !row.copy {
            let amount = self.amount(row);
            let start = self.canvas.right(right.1, self.row, &amount, Role::Text);
            self.canvas
                .put_until(right.0, self.row, self.id - 1, &self.row_time(row), Role::Text);
            let room = usize::from(start.saturating_sub(self.id + 1));
            let column = self.canvas.put(
                self.id,
                self.row,
                &cut_middle(self.shown.id(&row.name), room),
                Role::Text,
            );
            self.place_of(beside, column, start);
        }
        if selected {
            self.canvas.select(right.0 - 2..right.1, self.row);
            self.canvas.put(right.0 - 2, self.row, "▌", Role::Focus);
        }
        let Some((start, end)) = self.sides.copy else {
            return;
        };
        match beside.copy.or(row.copy.then_some(row)) {
            Some(copy) => {
                let amount = self.amount(copy);
                let edge = self.canvas.right(end, self.row, &amount, Role::Text);
                let room = usize::from(edge.saturating_sub(start + 1));
                self.canvas.put(
                    start,
                    self.row,
                    &cut_middle(self.shown.id(&copy.name), room),
                    Role::Text,
                );
            }
            None if row.status == Status::Live && !row.reversal => {
                self.canvas.put(start, self.row, "not in it", Role::AskWord);
                self.canvas.right(end, self.row, "–", Role::Dim);
            }
            None => {}
        }
    }

    /// Of a row without an attempt also its number in its source.
    fn place_of(&mut self, beside: &Beside<'_>, column: u16, end: u16) {
        if self.item.orphan().is_none() {
            return;
        }
        let number = beside.row.place.rsplit(", ").next().unwrap_or_default();
        let start = column.max(self.id + 5) + 4;
        if usize::from(end.saturating_sub(start)) > width(number) && number != beside.row.name {
            self.canvas
                .put(start, self.row, &self.shown.outside(number), Role::Text);
        }
    }

    /// The time of a row; of another day than its attempt the date, since its time of day would mislead.
    fn row_time(&self, row: &EffectView) -> String {
        let tried = self.item.attempts().next().map(|(_, attempt)| attempt.sent);
        match (
            tried.filter(|sent| !sent.is_none()),
            self.shown.day(row.committed.at),
        ) {
            (Some(sent), Some(day)) if !self.shown.same_day(sent.at, row.committed.at) => day,
            (None, Some(day)) => day,
            _ => self.shown.of_day(row.committed),
        }
    }

    fn amount(&self, row: &EffectView) -> String {
        let text = match (row.amount, &row.unreadable) {
            (_, Some(_)) => return "unreadable".to_owned(),
            (Some(money), None) => self.shown.number(money),
            (None, None) => return "–".to_owned(),
        };
        match row.status {
            // A minus sign is drawn, a hyphen is not one.
            _ if row.reversal => format!("−{text}"),
            Status::NotAnEffect => format!("({text})"),
            _ => text,
        }
    }

    fn phrase(&mut self, row: &EffectView) {
        if row.copy {
            return;
        }
        let [long, brief, _] = phrase(row, self.pending && row.status == Status::Live);
        let (start, end) = self.sides.right;
        let (words, role) = if width(long.0) <= usize::from(end - start) {
            long
        } else {
            brief
        };
        self.canvas.put_until(start, self.row, end, words, role);
    }

    /// What lies below an attempt: time that passes, or until when it may arrive.
    fn between(&mut self, words: &str, until: Option<Micros>, role: Role) {
        if self.short {
            return;
        }
        let (bracket, roomy) = (self.sides.bracket(), self.sides.roomy);
        let start = if roomy {
            self.sides.words()
        } else {
            self.sides.left.0 + 2
        };
        let draw_words = |this: &mut Self| {
            this.canvas.put(bracket, this.row, "┊", Role::Faint);
            let room = usize::from(bracket.saturating_sub(start + 1));
            this.canvas.put(start, this.row, &cut(words, room), role);
            if let Some(until) = until {
                let time = crate::model::time::Instant {
                    at: until,
                    res: crate::model::time::Res::Second,
                };
                let text = this.shown.of_day(time);
                this.canvas.right(this.sides.times(), this.row, &text, role);
            }
        };
        if !roomy {
            draw_words(self);
            self.line();
            return;
        }
        self.canvas.put(bracket, self.row, "┊", Role::Faint);
        self.line();
        draw_words(self);
        self.line();
        if until.is_none() {
            self.canvas.put(bracket, self.row, "┊", Role::Faint);
            self.line();
        } else if self.in_fog {
            self.line();
        }
    }

    /// A row that no attempt stands beside.
    fn loose(&mut self, beside: &Beside<'_>, words: &str) {
        let first = self.row;
        let (bracket, right) = (self.sides.bracket(), self.sides.right);
        if self.item.orphan().is_none() {
            let text = cut(words, usize::from(right.0 - 1 - bracket));
            match beside.link {
                Link::WhichCall => {
                    self.canvas.put(bracket, self.row, "┊", Role::Faint);
                    self.tie(beside.link, Role::Text);
                }
                _ if words.is_empty() => {
                    self.canvas.put(bracket, self.row, "┊", Role::Faint);
                    self.canvas.put(bracket + 2, self.row, "no attempt", Role::Dim);
                }
                _ => {
                    self.canvas.right(right.0 - 1, self.row, &text, Role::Dim);
                }
            }
        } else {
            self.canvas.put(bracket, self.row, "○", Role::Dim);
            let end = right.0 - 2;
            self.canvas.fill(bracket + 1..end, self.row, '╌', Role::Focus);
            let room = usize::from(end.saturating_sub(bracket + 1));
            let column = bracket
                + 1
                + u16::try_from(room.saturating_sub(6) / 2 + room.saturating_sub(6) % 2).unwrap_or(0);
            self.canvas.put(column, self.row, " none ", Role::Dim);
        }
        self.ledger_row(beside);
        if self.item.orphan().is_some() && first <= 2 {
            self.why_nothing_is_tried(first);
        }
        self.line();
        if self.item.orphan().is_some() {
            for text in [
                beside.row.business_id.replacen(':', " ", 1),
                beside.row.operation_id.clone(),
            ] {
                if !text.is_empty() {
                    let room = usize::from(right.1.saturating_sub(self.id));
                    self.canvas.put(
                        self.id,
                        self.row,
                        &cut_middle(self.shown.id(&text), room),
                        Role::Dim,
                    );
                    self.line();
                }
            }
            let chosen = beside.index == Some(self.selected.effect);
            for row in first..self.row {
                if chosen {
                    self.canvas.select(right.0 - 2..right.1, row);
                    self.canvas.put(right.0 - 2, row, "▌", Role::Focus);
                }
            }
        } else if !beside.row.reversal && !beside.row.copy {
            self.phrase(beside.row);
            self.line();
        }
        if self.selected.pane == Pane::Ledger && beside.index == Some(self.selected.effect) {
            self.focus = (first, self.row);
        }
    }

    /// Beside a row without an attempt: what was looked through.
    fn why_nothing_is_tried(&mut self, row: u16) {
        let (start, end) = (self.sides.left.0, self.sides.bracket());
        let summary = self.shown.summary;
        let room = usize::from(end.saturating_sub(start));
        self.canvas
            .put_until(start, row, end, "no attempt for this row", Role::Text);
        let mut reach = String::new();
        if !summary.from.is_none() && !summary.to.is_none() {
            let from = self
                .shown
                .day(summary.from)
                .unwrap_or_else(|| self.shown.second(summary.from));
            reach = format!(
                "the trace reaches from {from} to {}, ",
                self.shown.second(summary.to)
            );
        }
        let words = format!("{reach}none of its {} attempts names it", summary.attempts);
        for (at, line) in (row + 1..).zip(crate::text::wrap(words, room.min(44))) {
            self.canvas.put(start, at, &line, Role::Dim);
        }
    }

    /// One line for an attempt, where the brackets of all do not fit.
    fn one_line(&mut self, attempt: &AttemptView, rows: &[Beside<'_>], link: Link) {
        let accepted = rows.iter().any(|beside| beside.row.status == Status::OnItsWay);
        let (mark, words) = outcome(attempt, accepted, None);
        let left = self.sides.left;
        let column = self.canvas.put(
            left.0,
            self.row,
            &format!("attempt {}", attempt.number),
            Role::Text,
        ) + 2;
        let second = crate::model::time::Instant {
            res: crate::model::time::Res::Second,
            ..attempt.sent
        };
        let sent = self.shown.of_day(second);
        let column = self
            .canvas
            .put(column.max(self.sides.words()), self.row, &sent, Role::Text)
            + 2;
        let role = if mark == '?' { Role::Ask } else { Role::Text };
        self.canvas.put(column, self.row, &mark.to_string(), role);
        let room = usize::from(self.sides.bracket().saturating_sub(column + 2));
        self.canvas.put(
            column + 2,
            self.row,
            &cut(self.shown.outside(&words), room),
            Role::Text,
        );
        match rows {
            [] => self.bare_short(link),
            [first, ..] => {
                self.tie(first.link, Role::Text);
                self.ledger_row(first);
            }
        }
        self.line();
        for beside in rows.iter().skip(1) {
            self.tie(beside.link, Role::Text);
            self.ledger_row(beside);
            self.line();
        }
    }

    fn bare_short(&mut self, link: Link) {
        let words = match link {
            Link::NoRow => "no row",
            Link::Fog => "not read",
            Link::Unproven => "no row yet",
            _ => return,
        };
        self.tie(link, Role::Text);
        let words = if link == Link::Fog {
            format!(" {words} ")
        } else {
            words.to_owned()
        };
        self.canvas.put(self.sides.right.0, self.row, &words, Role::Text);
    }

    /// The read ends here: beyond it lies fog.
    fn edge(&mut self) {
        let Some(fog) = self.fog else {
            return;
        };
        let Some(source) = self.shown.source(fog.source) else {
            return;
        };
        let right = self.sides.right;
        let newest = self.shown.second(fog.edge);
        let column = self.canvas.put(right.0, self.row, &newest, Role::Text);
        let row = position(&source.position);
        let words = match (self.sides.roomy, row.is_empty()) {
            (true, false) => format!("newest row of all, {}", self.shown.outside(&row)),
            _ => "newest row of all".to_owned(),
        };
        self.canvas
            .put_until(column.max(self.id - 2) + 2, self.row, right.1, &words, Role::Dim);
        self.line();
        let what = if source.format == "sqlite" || source.format == "postgres" || source.live {
            "the read"
        } else {
            "the export"
        };
        let words = match source
            .read_at
            .filter(|_| self.sides.roomy && !source.read_at_is_newest)
        {
            Some(read) => format!("{what} ends here, read {}", self.shown.second(read)),
            None => format!("{what} ends here"),
        };
        self.edge_line(right, &words, Role::Text);
        self.in_fog = true;
        self.line();
        if self.sides.roomy {
            self.line();
        }
    }

    fn edge_line(&mut self, (start, end): (u16, u16), words: &str, role: Role) {
        self.canvas.fill(start..end, self.row, '┄', Role::Faint);
        let room = usize::from(end.saturating_sub(start + 6));
        self.canvas
            .put(start + 2, self.row, &format!(" {} ", cut(words, room)), role);
    }

    /// Below the attempts: how far was read, and the sum.
    fn end(&mut self) {
        let right = self.sides.right;
        if let Some(fog) = self.fog.filter(|_| self.in_fog) {
            self.in_fog = false;
            self.canvas.clear(right.0..right.1, self.row);
            if self.sides.roomy {
                let words = format!("covered from {} on", self.shown.second(fog.covered_from));
                self.edge_line(right, &words, Role::Dim);
                self.row += 1;
            }
        }
        if self.item.orphan().is_some() {
            self.orphan_sum();
            return;
        }
        let Some(sum) = sum(self.item) else {
            return;
        };
        let covered = self.item.intents.iter().all(|intent| intent.judgement.covered);
        let none = self.item.rows().next().is_none();
        if none && covered && self.fog.is_none() {
            self.read_to(right, true);
        }
        self.short_rules();
        self.sums(&sum);
        if self.sides.copy.is_some() {
            self.read_to_both(right);
        } else if self.sides.roomy && self.fog.is_none() && !none {
            self.row += 1;
            self.read_to(right, false);
        }
    }

    fn short_rules(&mut self) {
        let columns = [
            Some(self.sides.right),
            self.sides.copy.filter(|_| self.item.orphan().is_none()),
        ];
        for (_, end) in columns.into_iter().flatten() {
            self.canvas
                .fill(end.saturating_sub(8)..end, self.row, '─', Role::Faint);
        }
        self.row += 1;
    }

    /// How far the ledger was read; `here` where nothing of the item stands in it.
    fn read_to(&mut self, side: (u16, u16), here: bool) {
        let index = self.item.rows().next().map(|row| row.source);
        let index = index.or_else(|| {
            self.item
                .intents
                .first()
                .and_then(|intent| intent.deciding_source)
        });
        let Some(source) = index.and_then(|index| self.shown.source(index)) else {
            return;
        };
        let row = self.shown.outside(&position(&source.position));
        let read = source.read_at.map(|at| self.shown.second(at));
        let newest = source.newest.map(|at| self.shown.second(at));
        let words = match (here, read, newest) {
            (true, _, Some(newest)) => format!("read to here, {newest}"),
            (true, Some(read), None) => format!("read to here, {read}"),
            (false, Some(read), _) if !row.is_empty() => format!("read {read}, complete to {row}"),
            (false, Some(read), _) => format!("read {read}"),
            _ => return,
        };
        self.edge_line(side, &words, Role::Dim);
        self.row += 1;
    }

    fn read_to_both(&mut self, right: (u16, u16)) {
        let own = self
            .item
            .rows()
            .next()
            .and_then(|row| self.shown.source(row.source));
        if let Some(source) = own {
            let row = self.shown.outside(&position(&source.position));
            let words = if row.is_empty() {
                "read".to_owned()
            } else {
                format!("read to {row}")
            };
            self.edge_line(right, &words, Role::Dim);
        }
        let copy = copy_source(self.item).and_then(|at| self.shown.source(at));
        if let (Some(side), Some(read)) = (self.sides.copy, copy.and_then(|source| source.read_at)) {
            let words = format!("read {}", self.shown.second(read));
            self.edge_line(side, &words, Role::Dim);
        }
        self.row += 1;
    }

    /// What is found, what was intended, the difference.
    fn sums(&mut self, sum: &Sum) {
        let right = self.sides.right;
        let label = if self.sides.roomy && self.sides.copy.is_none() {
            (right.0 + 11).min(right.1)
        } else {
            right.0
        };
        let first = self.row;
        let side = side_of(self.item, self.shown);
        for (count, word, amount, roles) in lines_of(
            self.shown,
            sum,
            side,
            self.item,
            (self.sides.roomy, self.sides.copy.is_some()),
        ) {
            let column = self.canvas.put(label, self.row, &count, roles.0);
            let edge = self.canvas.right(right.1, self.row, &amount, roles.2);
            let room = usize::from(edge.saturating_sub(column + 1));
            self.canvas.put(column + 1, self.row, &cut(word, room), roles.1);
            self.row += 1;
        }
        let two_sided = self.sides.roomy && self.sides.copy.is_none();
        if let [intent] = self.item.intents.as_slice()
            && intent.account.is_none()
        {
            let at = if two_sided { first } else { first + 1 };
            let room = usize::from(right.0.saturating_sub(self.sides.left.0 + 2));
            self.canvas.put(
                self.sides.left.0,
                at,
                &cut(bounds(intent, !self.sides.roomy), room),
                Role::Dim,
            );
        }
        if let (Some((start, end)), Some((_, count, money, _))) =
            (self.sides.copy, copies(self.item, self.shown).into_iter().next())
        {
            let column = self.canvas.put(start, first, &count.to_string(), Role::Text);
            self.canvas.put(column + 1, first, "there", Role::Dim);
            let amount = money.map_or("–".to_owned(), |money| self.shown.number(money));
            self.canvas.right(end, first, &amount, Role::Text);
            self.canvas.put(start, first + 1, "a copy never adds", Role::Dim);
        }
    }

    fn orphan_sum(&mut self) {
        self.row += 1;
        self.short_rules();
        let right = self.sides.right;
        let label = if self.sides.roomy { right.0 + 11 } else { right.0 };
        let count = self.item.effects.len();
        let side = side_of(self.item, self.shown);
        let total = self
            .item
            .orphan()
            .map(|orphan| self.shown.totals(&orphan.totals))
            .unwrap_or_default();
        let amount = match total.as_slice() {
            [] => "–".to_owned(),
            [(unit, total)] => self.shown.total(*unit, *total),
            several => format!("{} currencies", several.len()),
        };
        let column = self.canvas.put(label, self.row, &count.to_string(), Role::Text);
        self.canvas.put(column + 1, self.row, side.at(), Role::Dim);
        self.canvas.right(right.1, self.row, &amount, Role::Text);
        self.row += 1;
        let column = self.canvas.put(label, self.row, "–", Role::Text);
        let edge = self.canvas.right(right.1, self.row, "–", Role::Dim);
        let room = usize::from(edge.saturating_sub(column + 2));
        let words = if room < 27 { "intended: no request" } else { "intended: no request loaded" };
        self.canvas.put(column + 1, self.row, &cut(words, room), Role::Dim);
        self.row += 2;
        self.read_to(right, false);
    }
}

/// The source of a copy that stands beside.
pub fn copy_source(item: &Item) -> Option<usize> {
    item.intents
        .iter()
        .flat_map(|intent| &intent.by_source)
        .find(|by| by.copy)
        .map(|by| by.source)
}

/// The side that the rows of an item are on.
pub fn side_of(item: &Item, shown: &Shown<'_>) -> Side {
    let index = item.rows().next().map(|row| row.source);
    let index = index.or_else(|| item.intents.first().and_then(|intent| intent.deciding_source));
    index.map_or(Side::Ledger, |index| Side::of(shown.sources, index))
}

/// A line of the sum: count, word, amount, and the roles of the three.
pub type SumLine = (String, String, String, (Role, Role, Role));

/// The lines of a sum.
pub fn lines_of(
    shown: &Shown<'_>,
    sum: &Sum,
    side: Side,
    item: &Item,
    (roomy, beside_copy): (bool, bool),
) -> Vec<SumLine> {
    let plain = (Role::Text, Role::Dim, Role::Text);
    let amount = |money: Option<crate::model::money::Money>| {
        money.map_or("–".to_owned(), |money| shown.number(money))
    };
    let count = |count: u32| crate::app::keymap::thousands(u64::from(count));
    if sum.tried.is_some() {
        let requests = if sum.intended.0 == 1 {
            "its one request".to_owned()
        } else {
            format!("its {} requests", sum.intended.0)
        };
        let order = if roomy {
            "rows of this order"
        } else {
            "of this order"
        };
        let (number, word, money) = sum.outcome.roles();
        let last = match sum.outcome {
            Outcome::TooMuchMaybe => (
                count(sum.count),
                "too much, if both count".to_owned(),
                amount(sum.amount),
                (number, word, money),
            ),
            _ => (
                "?".to_owned(),
                "which is whose".to_owned(),
                amount(sum.amount),
                (number, word, money),
            ),
        };
        return vec![
            (count(sum.found.0), order.to_owned(), amount(sum.found.1), plain),
            (
                count(sum.intended.0),
                format!("wanted by {requests}"),
                amount(sum.intended.1),
                plain,
            ),
            last,
        ];
    }
    let tilde = if sum.intended.2 { "~" } else { "" };
    let intended = (
        format!("{tilde}{}", sum.intended.0),
        "intended".to_owned(),
        amount(sum.intended.1),
        plain,
    );
    let found_money = if sum.unreadable > 0 {
        "unreadable".to_owned()
    } else {
        amount(sum.found.1)
    };
    if sum.on_its_way.0 > 0 {
        let pending = (Role::AskWord, Role::AskWord, Role::AskWord);
        let mut lines = Vec::new();
        if sum.found.0 > 0 {
            lines.push((count(sum.found.0), "paid".to_owned(), found_money, plain));
        }
        lines.push((
            count(sum.on_its_way.0),
            "on its way".to_owned(),
            amount(sum.on_its_way.1),
            pending,
        ));
        lines.push(intended);
        return lines;
    }
    let fog = super::evidence::fog(item, shown).is_some();
    let word = match (sum.found.0, fog) {
        (0, true) if roomy => "as far as it was read",
        (0, true) => "as far as read",
        (0, false) => "in the ledger",
        _ if roomy || side == Side::Ledger => side.at(),
        _ if beside_copy => "there",
        _ => "in the ledger",
    };
    let (number, name, money) = sum.outcome.roles();
    let difference = match sum.outcome {
        Outcome::NotKnown => "?".to_owned(),
        Outcome::Equal => "=".to_owned(),
        Outcome::Differs => "≠".to_owned(),
        _ => count(sum.count),
    };
    vec![
        (count(sum.found.0), word.to_owned(), found_money, plain),
        intended,
        (
            difference,
            sum.outcome.word().to_owned(),
            amount(sum.amount),
            (number, name, money),
        ),
    ]
}
