//! An attempt in its bracket, and the time between two of them.

use super::{Bracket, Sides};
use crate::app::model::Pane;
use crate::judge::view::AttemptView;
use crate::judge::words::outcome;
use crate::model::row::Status;
use crate::model::time::{Instant, Micros, Res};
use crate::text::{cut, width};
use crate::ui::evidence::{Beside, Link};
use crate::ui::role::Role;

impl Bracket<'_> {
    pub(super) fn attempt(&mut self, index: usize, attempt: &AttemptView, rows: &[Beside<'_>], link: Link) {
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
        self.canvas.put(self.sides.words(), self.row, &cut(what, room.max(4)), Role::Dim);
        let tie = if focus { Role::Focus } else { Role::Text };
        self.canvas.put(self.sides.bracket(), self.row, "╮", tie);
        self.line();
        if roomy {
            let second = self.second_line(attempt);
            let room = usize::from(self.sides.times().saturating_sub(self.sides.words()));
            self.canvas.put(self.sides.words(), self.row, &cut(second, room), Role::Dim);
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
    pub(super) fn second_line(&self, attempt: &AttemptView) -> String {
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
        let parts: Vec<String> = [Some(self.shown.id(&order)).filter(|order| !order.is_empty()), amount]
            .into_iter()
            .flatten()
            .collect();
        parts.join(", ")
    }

    pub(super) fn time(&mut self, at: Instant) {
        if at.is_none() {
            return;
        }
        let text = self.shown.of_day(at);
        self.canvas.right(self.sides.times(), self.row, &text, Role::Text);
    }

    /// Mark and words of the answer.
    pub(super) fn answer(&mut self, attempt: &AttemptView, rows: &[Beside<'_>]) {
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
        self.canvas.put(self.sides.left.0, self.row, &mark.to_string(), role);
        self.canvas.put(self.sides.left.0 + 2, self.row, &cut(words, room), Role::Text);
    }

    /// How long a call that is still open may take.
    pub(super) fn left_of(&self, attempt: &AttemptView) -> Option<String> {
        let timeout = self.item.intents.first()?.timeout;
        let left = attempt.sent.at.plus(timeout).since(self.shown.now);
        (!attempt.sent.is_none() && left > 0).then(|| crate::model::time::span(left))
    }

    /// One line for an attempt, where the brackets of all do not fit.
    pub(super) fn one_line(&mut self, attempt: &AttemptView, rows: &[Beside<'_>], link: Link) {
        let accepted = rows.iter().any(|beside| beside.row.status == Status::OnItsWay);
        let (mark, words) = outcome(attempt, accepted, None);
        let left = self.sides.left;
        let column =
            self.canvas.put(left.0, self.row, &format!("attempt {}", attempt.number), Role::Text) + 2;
        let second = Instant { res: Res::Second, ..attempt.sent };
        let sent = self.shown.of_day(second);
        let column = self.canvas.put(column.max(self.sides.words()), self.row, &sent, Role::Text) + 2;
        let role = if mark == '?' { Role::Ask } else { Role::Text };
        self.canvas.put(column, self.row, &mark.to_string(), role);
        let room = usize::from(self.sides.bracket().saturating_sub(column + 2));
        self.canvas.put(column + 2, self.row, &cut(self.shown.outside(&words), room), Role::Text);
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

    /// What lies below an attempt: time that passes, or until when it may arrive.
    pub(super) fn between(&mut self, words: &str, until: Option<Micros>, role: Role) {
        if self.short {
            return;
        }
        let (bracket, roomy) = (self.sides.bracket(), self.sides.roomy);
        let start = if roomy { self.sides.words() } else { self.sides.left.0 + 2 };
        let draw_words = |this: &mut Self| {
            this.canvas.put(bracket, this.row, "┊", Role::Faint);
            let room = usize::from(bracket.saturating_sub(start + 1));
            this.canvas.put(start, this.row, &cut(words, room), role);
            if let Some(until) = until {
                let time = Instant { at: until, res: Res::Second };
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
}
