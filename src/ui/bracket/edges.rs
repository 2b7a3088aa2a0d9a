//! Read edges: how far a source was read, or from when on it is covered.

use super::Bracket;
use super::copy_source;
use crate::text::cut;
use crate::ui::role::Role;
use crate::ui::shown::position;

impl Bracket<'_> {
    /// The read ends here: beyond it lies fog.
    pub(super) fn edge(&mut self) {
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
        self.canvas.put_until(column.max(self.id - 2) + 2, self.row, right.1, &words, Role::Dim);
        self.line();
        let what = if matches!(source.format.as_str(), "sqlite" | "postgres" | "mysql") || source.live {
            "the read"
        } else {
            "the export"
        };
        let words = match source.read_at.filter(|_| self.sides.roomy && !source.read_at_is_newest) {
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

    pub(super) fn edge_line(&mut self, (start, end): (u16, u16), words: &str, role: Role) {
        self.canvas.fill(start..end, self.row, '┄', Role::Faint);
        let room = usize::from(end.saturating_sub(start + 6));
        self.canvas.put(start + 2, self.row, &format!(" {} ", cut(words, room)), role);
    }

    /// How far the ledger was read; `here` where nothing of the item stands in it.
    pub(super) fn read_to(&mut self, side: (u16, u16), here: bool) {
        let index = self.item.rows().next().map(|row| row.source);
        let index = index.or_else(|| self.item.intents.first().and_then(|intent| intent.deciding_source));
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

    pub(super) fn read_to_both(&mut self, right: (u16, u16)) {
        let own = self.item.rows().next().and_then(|row| self.shown.source(row.source));
        if let Some(source) = own {
            let row = self.shown.outside(&position(&source.position));
            let words = if row.is_empty() { "read".to_owned() } else { format!("read to {row}") };
            self.edge_line(right, &words, Role::Dim);
        }
        let copy = copy_source(self.item).and_then(|at| self.shown.source(at));
        if let (Some(side), Some(read)) = (self.sides.copy, copy.and_then(|source| source.read_at)) {
            let words = format!("read {}", self.shown.second(read));
            self.edge_line(side, &words, Role::Dim);
        }
        self.row += 1;
    }
}
