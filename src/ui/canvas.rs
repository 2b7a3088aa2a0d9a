//! What the panes draw on: cells with a text and a role. Themes come in when it is painted.
//!
//! The map of roles is what tests compare, so a pane can never choose a colour. Nothing reaches a cell unescaped:
//! whatever a pane forgot is escaped here.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::role::{Role, Span};
use super::theme::Theme;
use crate::text::{ascii_glyph, is_printing, plain_blanks, width};

/// One cell.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Cell {
    /// A character with its combining marks; empty behind a wide one.
    text: String,
    role: Role,
    selected: bool,
    /// The words of a selected row: reversed in themes without a ground for the selection.
    words: bool,
}

impl Default for Cell {
    fn default() -> Self {
        Self { text: " ".to_owned(), role: Role::Text, selected: false, words: false }
    }
}

/// A drawing surface of one size.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Canvas {
    width: u16,
    height: u16,
    cells: Vec<Cell>,
}

impl Canvas {
    /// A blank surface.
    pub fn new(width: u16, height: u16) -> Self {
        Self { width, height, cells: vec![Cell::default(); usize::from(width) * usize::from(height)] }
    }

    /// Columns.
    pub fn width(&self) -> u16 {
        self.width
    }

    /// Rows.
    pub fn height(&self) -> u16 {
        self.height
    }

    fn at(&mut self, column: u16, row: u16) -> Option<&mut Cell> {
        let inside = column < self.width && row < self.height;
        let index = usize::from(row) * usize::from(self.width) + usize::from(column);
        if inside { self.cells.get_mut(index) } else { None }
    }

    /// Writes a text from a column on; what does not fit is left out. Gives the column behind it.
    pub fn put(&mut self, column: u16, row: u16, text: &str, role: Role) -> u16 {
        self.put_until(column, row, self.width, text, role)
    }

    /// The same, not beyond a column.
    pub fn put_until(&mut self, column: u16, row: u16, end: u16, text: &str, role: Role) -> u16 {
        let text = plain_blanks(text);
        let mut column = column;
        let mut last: Option<u16> = None;
        // Panes draw escaped text; what one of them forgot is escaped here, and what is escaped stays as it is.
        let guarded = text.chars().flat_map(|character| {
            let escaped = (!is_printing(character)).then(|| character.escape_unicode());
            let plain = escaped.is_none().then_some(character);
            escaped.into_iter().flatten().chain(plain)
        });
        for character in guarded {
            let cells = u16::try_from(width(character.encode_utf8(&mut [0; 4]))).unwrap_or(1);
            if cells == 0 {
                // A combining mark belongs to the character before it.
                if let Some(cell) = last.and_then(|last| self.at(last, row)) {
                    cell.text.push(character);
                }
                continue;
            }
            if column.saturating_add(cells) > end.min(self.width) {
                return column;
            }
            if let Some(cell) = self.at(column, row) {
                cell.text = character.to_string();
                cell.role = role;
            }
            for behind in 1..cells {
                if let Some(cell) = self.at(column + behind, row) {
                    cell.text = String::new();
                    cell.role = role;
                }
            }
            last = Some(column);
            column += cells;
        }
        column
    }

    /// Writes spans one behind the other.
    pub fn spans(&mut self, column: u16, row: u16, spans: &[Span]) -> u16 {
        spans.iter().fold(column, |column, span| self.put(column, row, &span.text, span.role))
    }

    /// Writes spans so that they end before a column.
    pub fn spans_right(&mut self, end: u16, row: u16, spans: &[Span]) -> u16 {
        let cells = u16::try_from(super::role::width_of(spans)).unwrap_or(u16::MAX);
        let start = end.saturating_sub(cells);
        self.spans(start, row, spans);
        start
    }

    /// Writes a text so that it ends before a column.
    pub fn right(&mut self, end: u16, row: u16, text: &str, role: Role) -> u16 {
        let cells = u16::try_from(width(text)).unwrap_or(u16::MAX);
        let start = end.saturating_sub(cells);
        self.put(start, row, text, role);
        start
    }

    /// Fills columns of a row with one glyph.
    pub fn fill(&mut self, columns: std::ops::Range<u16>, row: u16, glyph: char, role: Role) {
        for column in columns {
            if let Some(cell) = self.at(column, row) {
                cell.text = glyph.to_string();
                cell.role = role;
            }
        }
    }

    /// Makes cells blank.
    pub fn clear(&mut self, columns: std::ops::Range<u16>, row: u16) {
        for column in columns {
            if let Some(cell) = self.at(column, row) {
                *cell = Cell::default();
            }
        }
    }

    /// Marks cells as selected.
    pub fn select(&mut self, columns: std::ops::Range<u16>, row: u16) {
        for column in columns {
            if let Some(cell) = self.at(column, row) {
                cell.selected = true;
            }
        }
    }

    /// Marks cells as the words of a selected row.
    pub fn words(&mut self, columns: std::ops::Range<u16>, row: u16) {
        for column in columns {
            if let Some(cell) = self.at(column, row) {
                cell.words = true;
            }
        }
    }

    /// Everything so far lies behind a box now.
    pub fn behind(&mut self) {
        for cell in &mut self.cells {
            cell.role = Role::Faint;
            cell.selected = false;
            cell.words = false;
        }
    }

    /// Whether cells of a row are blank.
    pub fn is_blank(&self, columns: std::ops::Range<u16>, row: u16) -> bool {
        let start = usize::from(row) * usize::from(self.width);
        columns
            .filter(|column| *column < self.width)
            .all(|column| self.cells.get(start + usize::from(column)).is_none_or(|cell| cell.text == " "))
    }

    /// Makes room for more rows.
    pub fn grow(&mut self, height: u16) {
        if height > self.height {
            self.height = height;
            self.cells.resize(usize::from(self.width) * usize::from(height), Cell::default());
        }
    }

    /// Copies rows of another surface of the same width: from its row `first` on, into `rows` (first, how many).
    pub fn copy(&mut self, other: &Self, first: u16, rows: (u16, u16)) {
        let width = usize::from(self.width.min(other.width));
        for offset in 0..rows.1 {
            let from = usize::from(first + offset) * usize::from(other.width);
            let to = usize::from(rows.0 + offset) * usize::from(self.width);
            if rows.0 + offset >= self.height {
                return;
            }
            let (Some(source), Some(target)) =
                (other.cells.get(from..from + width), self.cells.get_mut(to..to + width))
            else {
                continue;
            };
            target.clone_from_slice(source);
        }
    }

    /// Glyphs as ASCII, cell for cell (`6-screens.md` 7.4.9). Data outside ASCII becomes `?`: it was escaped before
    /// where it is an id.
    pub fn to_ascii(&mut self) {
        for cell in &mut self.cells {
            if cell.text.is_ascii() {
                continue;
            }
            let glyph = cell.text.chars().next().map_or(' ', ascii_glyph);
            cell.text = if glyph.is_ascii() { glyph } else { '?' }.to_string();
        }
    }

    /// The text, one line per row, trailing blanks kept.
    pub fn to_text(&self) -> String {
        self.lines(|cell| cell.text.clone())
    }

    /// The map of roles, one letter per cell: [`super::role::ROLES`], upper case where selected, `.` where blank.
    pub fn to_roles(&self) -> String {
        self.lines(|cell| {
            let letter =
                match cell.role {
                    // A blank shows nothing of its role, but for a field and a button.
                    role if cell.text == " " && !matches!(role, Role::Input | Role::Button) => {
                        if cell.selected { ':' } else { '.' }
                    }
                    role => role.letter(),
                };
            if cell.selected { letter.to_ascii_uppercase() } else { letter }.to_string()
        })
    }

    fn lines(&self, of: impl Fn(&Cell) -> String) -> String {
        let mut out = String::new();
        for row in self.cells.chunks(usize::from(self.width).max(1)) {
            out.extend(row.iter().map(&of));
            out.push('\n');
        }
        out
    }

    /// Every cell with what it shows, for tests: column, row, text, role.
    pub fn cells(&self) -> impl Iterator<Item = (u16, u16, &str, Role)> {
        let width = usize::from(self.width).max(1);
        self.cells.iter().enumerate().map(move |(at, cell)| {
            let column = u16::try_from(at % width).unwrap_or(u16::MAX);
            let row = u16::try_from(at / width).unwrap_or(u16::MAX);
            (column, row, cell.text.as_str(), cell.role)
        })
    }

    /// Paints it with a theme.
    pub fn paint(&self, theme: &Theme, area: Rect, buffer: &mut Buffer) {
        let area = area.intersection(buffer.area);
        let width = usize::from(self.width).max(1);
        for (at, cell) in self.cells.iter().enumerate() {
            let (column, row) = (at % width, at / width);
            let (Ok(column), Ok(row)) = (u16::try_from(column), u16::try_from(row)) else {
                continue;
            };
            if column >= area.width || row >= area.height {
                continue;
            }
            if let Some(target) = buffer.cell_mut((area.x + column, area.y + row)) {
                target.set_symbol(if cell.text.is_empty() { " " } else { &cell.text });
                target.set_style(theme.style(cell.role, cell.selected, cell.words));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_drawn_outside_or_unescaped() {
        let mut canvas = Canvas::new(6, 2);
        assert_eq!(canvas.put(4, 0, "abc", Role::Text), 6);
        assert_eq!(canvas.put(0, 5, "abc", Role::Text), 3);
        assert_eq!(canvas.put(0, 1, "\u{1b}[2J", Role::Dim), 6);
        assert_eq!(canvas.to_text(), "    ab\n\\u{1b}\n");
        assert_eq!(canvas.to_roles(), "....tt\ndddddd\n");
        assert_eq!(Canvas::new(0, 0).to_text(), "");
    }

    #[test]
    fn wide_characters_take_two_cells_or_none() {
        let mut canvas = Canvas::new(5, 1);
        assert_eq!(canvas.put(0, 0, "漢字漢", Role::Text), 4);
        assert_eq!(canvas.to_text(), "漢字 \n");
        let mut canvas = Canvas::new(3, 1);
        canvas.put(0, 0, "e\u{301}x", Role::Text);
        assert_eq!(canvas.to_text(), "e\u{301}x \n");
    }

    #[test]
    fn a_selected_cell_is_upper_case_in_the_map() {
        let mut canvas = Canvas::new(4, 1);
        canvas.put(0, 0, "ab", Role::Wrong);
        canvas.select(1..4, 0);
        assert_eq!(canvas.to_roles(), "wW::\n");
        canvas.behind();
        assert_eq!(canvas.to_roles(), "ff..\n");
    }
}
