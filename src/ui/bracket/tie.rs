//! What ties an attempt to a row, or stands in its place.

use super::Bracket;
use crate::text::{cut, width};
use crate::ui::evidence::Link;
use crate::ui::role::Role;

impl Bracket<'_> {
    /// The link between bracket and row; its words stand in its middle.
    pub(super) fn tie(&mut self, link: Link, role: Role) {
        let start = self.sides.bracket() + 1;
        let into_fog = link == Link::Fog;
        let end = if into_fog { self.sides.right.0 } else { self.sides.right.0 - 1 };
        self.canvas.fill(start..end, self.row, link.glyph(), role);
        let room = usize::from(end - start);
        let (long, brief) = link.words();
        let words = if self.sides.roomy && width(long) + 2 <= room { long } else { brief };
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
    pub(super) fn bare(&mut self, link: Link, tie: Role) {
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
                self.canvas.put(right.0 + 3, self.row, &format!(" {} ", cut(words, room)), Role::Text);
            }
            Link::Unproven => {
                self.canvas.put(bracket, self.row, "├", tie);
                self.tie(link, tie);
                let (long, brief) = ("no row, which proves nothing yet", "no row, proves nothing yet");
                let words = if self.sides.roomy { long } else { brief };
                self.canvas.put_until(right.0, self.row, right.1, words, Role::Text);
            }
            _ => {
                self.canvas.put(bracket, self.row, "│", tie);
            }
        }
    }

    pub(super) fn zero(&self) -> String {
        let unit = self.item.intents.first().map(|intent| intent.judgement.unit);
        let zero = crate::model::money::Total::ZERO;
        unit.map_or_else(String::new, |unit| self.shown.total(unit, zero))
    }

    pub(super) fn bare_short(&mut self, link: Link) {
        let words = match link {
            Link::NoRow => "no row",
            Link::Fog => "not read",
            Link::Unproven => "no row yet",
            _ => return,
        };
        self.tie(link, Role::Text);
        let words = if link == Link::Fog { format!(" {words} ") } else { words.to_owned() };
        self.canvas.put(self.sides.right.0, self.row, &words, Role::Text);
    }
}
