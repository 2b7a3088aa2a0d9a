//! A box that floats: it lies above everything, which becomes faint, with two blank columns around it.

use super::canvas::Canvas;
use super::role::Role;

/// Where a box lies: first column, first row, columns, rows, its border included.
#[derive(Clone, Copy)]
pub struct Place {
    /// First column.
    pub x: u16,
    /// First row.
    pub y: u16,
    /// Columns.
    pub width: u16,
    /// Rows.
    pub rows: u16,
}

impl Place {
    /// The column behind its last one inside the border.
    pub fn right(self) -> u16 {
        self.x + self.width.saturating_sub(1)
    }

    /// Its last row, the border.
    pub fn bottom(self) -> u16 {
        self.y + self.rows.saturating_sub(1)
    }
}

/// Clears its place and draws its border.
pub fn draw(canvas: &mut Canvas, place: Place) {
    let Place { x, y, width, rows } = place;
    for row in y..y + rows {
        canvas.clear(x.saturating_sub(2)..(x + width + 2).min(canvas.width()), row);
    }
    let (right, bottom) = (place.right(), place.bottom());
    for row in [y, bottom] {
        canvas.fill(x..right + 1, row, '─', Role::Dim);
    }
    for row in y + 1..bottom {
        canvas.put(x, row, "│", Role::Dim);
        canvas.put(right, row, "│", Role::Dim);
    }
    for (column, row, corner) in [(x, y, "╭"), (right, y, "╮"), (x, bottom, "╰"), (right, bottom, "╯")]
    {
        canvas.put(column, row, corner, Role::Dim);
    }
}
