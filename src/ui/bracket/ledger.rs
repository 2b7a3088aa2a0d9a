//! A ledger row beside its attempt, and rows that stand beside none.

use super::Bracket;
use crate::app::model::Pane;
use crate::judge::view::EffectView;
use crate::model::row::Status;
use crate::text::{cut, cut_middle, width};
use crate::ui::evidence::{Beside, Link, phrase};
use crate::ui::role::Role;

impl Bracket<'_> {
    /// Time, name and amount of a row, and the same in a copy.
    pub(super) fn ledger_row(&mut self, beside: &Beside<'_>) {
        let right = self.sides.right;
        let row = beside.row;
        let selected = self.selected.pane == Pane::Ledger && beside.index == Some(self.selected.effect);
        if !row.copy {
            let amount = self.amount(row);
            let start = self.canvas.right(right.1, self.row, &amount, Role::Text);
            self.canvas.put_until(right.0, self.row, self.id - 1, &self.row_time(row), Role::Text);
            let room = usize::from(start.saturating_sub(self.id + 1));
            let column =
                self.canvas.put(self.id, self.row, &cut_middle(self.shown.id(&row.name), room), Role::Text);
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
                self.canvas.put(start, self.row, &cut_middle(self.shown.id(&copy.name), room), Role::Text);
            }
            None if row.status == Status::Live && !row.reversal => {
                self.canvas.put(start, self.row, "not in it", Role::AskWord);
                self.canvas.right(end, self.row, "–", Role::Dim);
            }
            None => {}
        }
    }

    /// Of a row without an attempt also its number in its source.
    pub(super) fn place_of(&mut self, beside: &Beside<'_>, column: u16, end: u16) {
        if self.item.orphan().is_none() {
            return;
        }
        let number = beside.row.place.rsplit(", ").next().unwrap_or_default();
        let start = column.max(self.id + 5) + 4;
        if usize::from(end.saturating_sub(start)) > width(number) && number != beside.row.name {
            self.canvas.put(start, self.row, &self.shown.outside(number), Role::Text);
        }
    }

    /// The time of a row; of another day than its attempt the date, since its time of day would mislead.
    pub(super) fn row_time(&self, row: &EffectView) -> String {
        let tried = self.item.attempts().next().map(|(_, attempt)| attempt.sent);
        match (tried.filter(|sent| !sent.is_none()), self.shown.day(row.committed.at)) {
            (Some(sent), Some(day)) if !self.shown.same_day(sent.at, row.committed.at) => day,
            (None, Some(day)) => day,
            _ => self.shown.of_day(row.committed),
        }
    }

    pub(super) fn amount(&self, row: &EffectView) -> String {
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

    pub(super) fn phrase(&mut self, row: &EffectView) {
        if row.copy {
            return;
        }
        let [long, brief, _] = phrase(row, self.pending && row.status == Status::Live);
        let (start, end) = self.sides.right;
        let (words, role) = if width(long.0) <= usize::from(end - start) { long } else { brief };
        self.canvas.put_until(start, self.row, end, words, role);
    }

    /// A row that no attempt stands beside.
    pub(super) fn loose(&mut self, beside: &Beside<'_>, words: &str) {
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
            for text in [beside.row.business_id.replacen(':', " ", 1), beside.row.operation_id.clone()] {
                if !text.is_empty() {
                    let room = usize::from(right.1.saturating_sub(self.id));
                    self.canvas.put(self.id, self.row, &cut_middle(self.shown.id(&text), room), Role::Dim);
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
    pub(super) fn why_nothing_is_tried(&mut self, row: u16) {
        let (start, end) = (self.sides.left.0, self.sides.bracket());
        let summary = self.shown.summary;
        let room = usize::from(end.saturating_sub(start));
        self.canvas.put_until(start, row, end, "no attempt for this row", Role::Text);
        let mut reach = String::new();
        if !summary.from.is_none() && !summary.to.is_none() {
            let from = self.shown.day(summary.from).unwrap_or_else(|| self.shown.second(summary.from));
            reach = format!("the trace reaches from {from} to {}, ", self.shown.second(summary.to));
        }
        let words = format!("{reach}none of its {} attempts names it", summary.attempts);
        for (at, line) in (row + 1..).zip(crate::text::wrap(words, room.min(44))) {
            self.canvas.put(start, at, &line, Role::Dim);
        }
    }
}
