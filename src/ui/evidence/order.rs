//! Attempts and rows put in order: what stands beside which attempt, what lies between, where the read ends.

use super::{Beside, Link, Piece, fog, link_of, rows_of, tied_to};
use crate::app::case::Item;
use crate::judge::view::{AttemptView, EffectView, IntentView, Tied};
use crate::model::outcome::Class;
use crate::model::time::{DAY, HOUR, MINUTE, Micros, SECOND};
use crate::ui::shown::Shown;

/// Puts attempts and rows in order.
pub fn pieces<'a>(item: &'a Item, shown: &Shown<'_>) -> Vec<Piece<'a>> {
    let fog = fog(item, shown);
    let mut order = Order {
        shown,
        item,
        numbers: item.rows().map(std::ptr::from_ref).collect(),
        edge: fog.map(|fog| fog.edge),
        in_fog: false,
        day: None,
        index: 0,
        pieces: Vec::new(),
    };
    for intent in &item.intents {
        order.intent(intent);
    }
    for row in &item.effects {
        let only = Beside { index: order.number_of(row), row, copy: None, link: Link::Nothing };
        order.pieces.push(Piece::Row(only, String::new()));
    }
    order.pieces
}

/// The order while it is made.
struct Order<'a, 's> {
    shown: &'s Shown<'s>,
    item: &'a Item,
    /// The rows in the order of [`Item::rows`].
    numbers: Vec<*const EffectView>,
    /// The read edge, until it has its place.
    edge: Option<Micros>,
    in_fog: bool,
    /// The day that was named last; `None` is today.
    day: Option<String>,
    index: usize,
    pieces: Vec<Piece<'a>>,
}

impl<'a> Order<'a, '_> {
    fn number_of(&self, row: &EffectView) -> Option<usize> {
        self.numbers.iter().position(|known| std::ptr::eq(*known, row))
    }

    fn beside(&self, intent: &'a IntentView, row: &'a EffectView) -> Beside<'a> {
        Beside {
            index: self.number_of(row),
            row,
            copy: intent.effects.iter().find(|other| other.copy && other.ident == row.ident),
            link: link_of(row, self.item.row.verdict == "LINK_CONTESTED"),
        }
    }

    fn intent(&mut self, intent: &'a IntentView) {
        if self.item.intents.len() > 1 {
            self.pieces.push(Piece::Request(intent));
        }
        let rows = || intent.effects.iter().chain(&intent.open_rows);
        let of_any_call = |row: &&EffectView| !row.copy && !row.reversal && row.tied == Tied::WhichCall;
        let mut loose: Vec<&'a EffectView> = rows().filter(of_any_call).collect();
        let attempts: Vec<&'a AttemptView> = intent.attempts.iter().filter(|attempt| !attempt.read).collect();
        for (at, attempt) in attempts.iter().enumerate() {
            self.before(intent, at.checked_sub(1).and_then(|at| attempts.get(at).copied()), attempt);
            let mut rows: Vec<Beside<'a>> =
                rows_of(intent, attempt.number).map(|row| self.beside(intent, row)).collect();
            if rows.is_empty() && !loose.is_empty() && attempt.class.may_have_acted() {
                rows.push(self.beside(intent, loose.remove(0)));
            }
            let link = absent(intent, attempt, self.in_fog);
            self.pieces.push(Piece::Attempt { index: self.index, attempt, rows, link });
            self.index += 1;
        }
        self.edge_before(Micros::FOREVER);
        let late = late(intent, &attempts, &self.pieces);
        self.pieces.extend(late);
        for row in rows().filter(|row| stands_alone(intent, row, &attempts, &loose)) {
            let words = if row.reversal {
                let undone = if row.reverses.is_empty() { "one of them" } else { &row.reverses };
                format!("undoes {}", self.shown.id(undone))
            } else if row.copy {
                "in the copy only".to_owned()
            } else {
                String::new()
            };
            let beside = self.beside(intent, row);
            self.pieces.push(Piece::Row(beside, words));
        }
    }

    /// What stands above an attempt: the read edge, the time since the one before, another day.
    fn before(&mut self, intent: &'a IntentView, last: Option<&'a AttemptView>, attempt: &'a AttemptView) {
        let began = if attempt.sent.is_none() { attempt.ended.at } else { attempt.sent.at };
        if !began.is_none() {
            self.edge_before(began);
        }
        if let Some(last) = last {
            self.pieces.push(gap(intent, last, attempt));
        }
        let day = self.shown.day(began);
        if began.is_none() || day == self.day {
            return;
        }
        self.pieces.push(Piece::Day(day.clone().unwrap_or_else(|| "today".to_owned())));
        self.day = day;
    }

    /// Draws the read edge where what follows is beyond it.
    fn edge_before(&mut self, next: Micros) {
        if self.edge.is_some_and(|edge| next > edge) {
            self.edge = None;
            self.in_fog = true;
            self.pieces.push(Piece::Edge);
        }
    }
}

/// A row that has its place beside no attempt and beside no other row.
fn stands_alone(
    intent: &IntentView,
    row: &EffectView,
    attempts: &[&AttemptView],
    loose: &[&EffectView],
) -> bool {
    let own = tied_to(row.tied).is_some_and(|number| attempts.iter().any(|attempt| attempt.number == number));
    let beside_original =
        row.copy && intent.effects.iter().any(|other| !other.copy && other.ident == row.ident);
    let left_over = loose.iter().any(|other| std::ptr::eq(*other, row));
    let tied_to_none = row.tied != Tied::WhichCall && !own;
    !beside_original && (row.reversal || row.copy || left_over || tied_to_none)
}

/// What stands beside an attempt without a row.
fn absent(intent: &IntentView, attempt: &AttemptView, in_fog: bool) -> Link {
    let judgement = &intent.judgement;
    if matches!(attempt.class, Class::Fail | Class::Open) || !attempt.counts {
        return Link::Nothing;
    }
    let all_there = judgement.gross >= judgement.effective_max && judgement.gross > 0;
    if in_fog {
        Link::Fog
    } else if judgement.covered {
        Link::NoRow
    } else if all_there && !judgement.late {
        Link::Nothing
    } else {
        Link::Unproven
    }
}

/// Until when the last attempt may still arrive, where it is unsettled and has no row.
fn late<'a>(intent: &'a IntentView, attempts: &[&'a AttemptView], pieces: &[Piece<'a>]) -> Option<Piece<'a>> {
    let last = attempts.last()?;
    let bare = match pieces.iter().rev().find(|piece| matches!(piece, Piece::Attempt { .. }))? {
        Piece::Attempt { rows, .. } => rows.is_empty(),
        _ => false,
    };
    if !bare || !last.class.unsettled() || last.may_land_until.is_none() {
        return None;
    }
    let covered = intent.judgement.covered;
    let words = if covered {
        ("could arrive until", "could arrive until")
    } else {
        ("may still arrive until", "may arrive until")
    };
    Some(Piece::Late(words.0, words.1, last.may_land_until))
}

/// What lies between two attempts: how long, and whether anybody looked.
fn gap<'a>(intent: &IntentView, before: &AttemptView, after: &AttemptView) -> Piece<'a> {
    let (end, begin) = (if before.ended.is_none() { before.sent.at } else { before.ended.at }, after.sent.at);
    if end.is_none() || begin.is_none() {
        return Piece::Gap("how long is not known".to_owned(), "how long is not known".to_owned());
    }
    let between = begin.since(end);
    if between < 0 {
        let text = format!("sent while attempt {} was open", before.number);
        return Piece::Gap(text.clone(), text);
    }
    let inside = |at: Micros| !at.is_none() && at >= end && at <= begin;
    let calls = intent.attempts.iter().filter(|attempt| attempt.read && inside(attempt.sent.at)).count();
    let looks = calls + intent.reads.iter().filter(|read| inside(read.when)).count();
    let long = length(between);
    let looked = match looks {
        0 => {
            return Piece::Gap(format!("{long}, and nobody looked"), format!("{long}, nobody looked"));
        }
        1 => "looked once".to_owned(),
        2 => "looked twice".to_owned(),
        looks => format!("looked {looks} times"),
    };
    Piece::Gap(format!("{long}, and {looked}"), format!("{long}, {looked}"))
}

/// A length of time with one unit, in figures: `7 seconds`.
fn length(us: i64) -> String {
    const UNITS: [(i64, i64, &str); 4] = [
        (2 * DAY, DAY, "day"),
        (2 * HOUR, HOUR, "hour"),
        (2 * MINUTE, MINUTE, "minute"),
        (SECOND, SECOND, "second"),
    ];
    match UNITS.iter().find(|(from, ..)| us >= *from) {
        Some((_, unit, noun)) => {
            let count = us / unit;
            format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
        }
        None => "at once".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_at_their_borders() {
        for (us, text) in [
            (0, "at once"),
            (SECOND - 1, "at once"),
            (SECOND, "1 second"),
            (7 * SECOND + 346_000, "7 seconds"),
            (2 * MINUTE - 1, "119 seconds"),
            (2 * MINUTE, "2 minutes"),
            (2 * HOUR - 1, "119 minutes"),
            (2 * HOUR, "2 hours"),
            (2 * DAY - 1, "47 hours"),
            (2 * DAY, "2 days"),
        ] {
            assert_eq!(length(us), text, "{us}");
        }
    }
}
