//! Below attempts and rows: the sum.

use super::Bracket;
use crate::app::case::Item;
use crate::judge::story::bounds;
use crate::text::cut;
use crate::ui::role::Role;
use crate::ui::shown::Shown;
use crate::ui::sum::{Outcome, Side, Sum, copies, sum};

impl Bracket<'_> {
    /// Below the attempts: how far was read, and the sum.
    pub(super) fn end(&mut self) {
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

    pub(super) fn short_rules(&mut self) {
        let columns = [Some(self.sides.right), self.sides.copy.filter(|_| self.item.orphan().is_none())];
        for (_, end) in columns.into_iter().flatten() {
            self.canvas.fill(end.saturating_sub(8)..end, self.row, '─', Role::Faint);
        }
        self.row += 1;
    }

    /// What is found, what was intended, the difference.
    pub(super) fn sums(&mut self, sum: &Sum) {
        let right = self.sides.right;
        let label =
            if self.sides.roomy && self.sides.copy.is_none() { (right.0 + 11).min(right.1) } else { right.0 };
        let first = self.row;
        let side = side_of(self.item, self.shown);
        for (count, word, amount, roles) in
            lines_of(self.shown, sum, side, self.item, (self.sides.roomy, self.sides.copy.is_some()))
        {
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
            self.canvas.put(self.sides.left.0, at, &cut(bounds(intent, !self.sides.roomy), room), Role::Dim);
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

    pub(super) fn orphan_sum(&mut self) {
        self.row += 1;
        self.short_rules();
        let right = self.sides.right;
        let label = if self.sides.roomy { right.0 + 11 } else { right.0 };
        let count = self.item.effects.len();
        let side = side_of(self.item, self.shown);
        let total = self.item.orphan().map(|orphan| self.shown.totals(&orphan.totals)).unwrap_or_default();
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
        let order = if roomy { "rows of this order" } else { "of this order" };
        let (number, word, money) = sum.outcome.roles();
        let last = match sum.outcome {
            Outcome::TooMuchMaybe => (
                count(sum.count),
                "too much, if both count".to_owned(),
                amount(sum.amount),
                (number, word, money),
            ),
            _ => ("?".to_owned(), "which is whose".to_owned(), amount(sum.amount), (number, word, money)),
        };
        return vec![
            (count(sum.found.0), order.to_owned(), amount(sum.found.1), plain),
            (count(sum.intended.0), format!("wanted by {requests}"), amount(sum.intended.1), plain),
            last,
        ];
    }
    let tilde = if sum.intended.2 { "~" } else { "" };
    let intended =
        (format!("{tilde}{}", sum.intended.0), "intended".to_owned(), amount(sum.intended.1), plain);
    let found_money = if sum.unreadable > 0 { "unreadable".to_owned() } else { amount(sum.found.1) };
    if sum.on_its_way.0 > 0 {
        let pending = (Role::AskWord, Role::AskWord, Role::AskWord);
        let mut lines = Vec::new();
        if sum.found.0 > 0 {
            lines.push((count(sum.found.0), "paid".to_owned(), found_money, plain));
        }
        lines.push((count(sum.on_its_way.0), "on its way".to_owned(), amount(sum.on_its_way.1), pending));
        lines.push(intended);
        return lines;
    }
    let fog = crate::ui::evidence::fog(item, shown).is_some();
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
        (difference, sum.outcome.word().to_owned(), amount(sum.amount), (number, name, money)),
    ]
}
