//! The evidence side by side: attempts at the left with their bracket, rows at the right, what ties them between.
//!
//! Lines are drawn on a surface as high as they need; the detail shows a part of it.

mod attempt;
mod edges;
mod ledger;
mod sums;
mod tie;

pub use sums::{lines_of, side_of};

use super::canvas::Canvas;
use super::evidence::{Fog, Piece, fog, pieces};
use super::role::Role;
use super::shown::Shown;
use crate::app::case::Item;
use crate::app::model::Pane;
use crate::model::row::Status;
use crate::text::width;

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
        Self { bar: 4, left: (6, 53), right: (72 + extra / 2, end), copy: None, roomy: true }
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
    let widest = item.rows().map(|row| width(&shown.of_day(row.committed))).max().unwrap_or(8).max(8);
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
        Piece::Attempt { rows, .. } => 3 + 2 * rows.len().saturating_sub(1),
        Piece::Gap(..) | Piece::Late(..) | Piece::Edge if roomy => 3,
        Piece::Row(..) | Piece::Edge => 2,
        Piece::Day(_) | Piece::Request(_) | Piece::Gap(..) | Piece::Late(..) => 1,
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
            Piece::Attempt { index, attempt, rows, link } => self.attempt(*index, attempt, rows, *link),
            Piece::Gap(long, brief) => {
                self.between(if self.sides.roomy { long } else { brief }, None, Role::Text);
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
}

/// The source of a copy that stands beside.
pub fn copy_source(item: &Item) -> Option<usize> {
    item.intents.iter().flat_map(|intent| &intent.by_source).find(|by| by.copy).map(|by| by.source)
}
