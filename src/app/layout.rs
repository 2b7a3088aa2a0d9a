//! Which line of the screen holds what (`6-screens.md` 7.4.2). Numbers only: the update needs them to scroll, the
//! drawing to draw, and both have to agree.

use super::list::{List, Window};
use super::model::{Model, Phase};
use crate::judge::view::Summary;

/// Cells of the terminal.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Size {
    /// Columns.
    pub width: u16,
    /// Rows.
    pub height: u16,
}

/// The four layouts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// From 120 x 30 on.
    Wide,
    /// From 80 x 20 on.
    Compact,
    /// From 40 x 10 on.
    Pane,
    /// Below.
    TooSmall,
}

/// Least width and height of each layout, largest first.
pub const FORMS: [(Form, u16, u16); 3] =
    [(Form::Wide, 120, 30), (Form::Compact, 80, 20), (Form::Pane, 40, 10)];

impl Size {
    /// The layout for this size.
    pub fn form(self) -> Form {
        let fits = FORMS.iter().find(|(_, width, height)| self.width >= *width && self.height >= *height);
        fits.map_or(Form::TooSmall, |(form, ..)| *form)
    }
}

impl Form {
    /// Blank columns at both sides.
    pub fn margin(self) -> u16 {
        if matches!(self, Self::Wide | Self::Compact) { 2 } else { 1 }
    }
}

/// The lines of the triage screen.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Triage {
    /// Result and counts.
    pub result: u16,
    /// First incident line and how many.
    pub incident: (u16, u16),
    /// Banners.
    pub banner: Option<u16>,
    /// Column heads.
    pub heads: Option<u16>,
    /// First line of the list and how many.
    pub list: (u16, u16),
    /// What the list shows.
    pub window: Window,
    /// The rule above the preview.
    pub rule: Option<u16>,
    /// First line of the story and how many.
    pub story: (u16, u16),
    /// First line of the attempts and how many.
    pub attempts: (u16, u16),
    /// The next step and how many lines.
    pub next: (u16, u16),
    /// The command line of the same list.
    pub same: Option<u16>,
    /// Status line.
    pub status: Option<u16>,
    /// The keys.
    pub keys: u16,
}

/// Lines that the incident needs at 120: left orders and what is common, right one per currency.
pub fn incident_lines(summary: &Summary) -> u16 {
    let units = super::figures::units(summary).len().min(4);
    let left = 1 + usize::from(summary.common.is_some());
    u16::try_from(units.max(left)).unwrap_or(4)
}

/// Lays out the triage screen for a list.
pub fn triage(model: &Model, list: &List) -> Triage {
    let Phase::Ready(case) = &model.phase else {
        return Triage::default();
    };
    let summary = case.summary();
    let banners = !super::figures::banners(model, summary).is_empty();
    let form = model.size.form();
    let height = model.size.height;
    let bottom_row = height.saturating_sub(1);
    let mut lines = Triage { result: 2, keys: bottom_row, ..Triage::default() };
    let top = match form {
        Form::Wide => {
            lines.result = 3;
            lines.incident = (4, incident_lines(summary));
            let mut row = 4 + lines.incident.1 + 1;
            if banners {
                lines.banner = Some(row);
                row += 2;
            }
            lines.heads = Some(row);
            row + 1
        }
        Form::Compact => {
            let mut row = 3;
            if summary.violations > 0 || !banners {
                lines.incident = (row, 1);
                row += 1;
            }
            if banners {
                lines.banner = Some(row);
                row += 2;
            }
            lines.heads = Some(row);
            row + 1
        }
        Form::Pane | Form::TooSmall => {
            lines.incident = (3, 1);
            4
        }
    };
    // The rule lies between `low` and `high`: the preview has a least and a largest number of lines.
    let (low, high) = match form {
        // Zoomed, the list takes what the preview had; the rule with the counts stays.
        Form::Wide | Form::Compact if model.zoomed => (height.saturating_sub(3), height.saturating_sub(3)),
        _ if model.zoomed => (bottom_row, bottom_row),
        Form::Wide => (height.saturating_sub(17), height.saturating_sub(13)),
        Form::Compact => (height.saturating_sub(10), height.saturating_sub(8)),
        _ if height >= 16 => (height.saturating_sub(6), height.saturating_sub(6)),
        _ => (bottom_row, bottom_row),
    };
    let (low, high) = (low.max(top), high.max(top));
    let room = high.saturating_sub(top);
    let loose = room.saturating_sub(1);
    lines.window = list.window(&**case, form, usize::from(room), usize::from(loose));
    let used = u16::try_from(lines.window.lines.len()).unwrap_or(room);
    let earliest = top + used + 1;
    let rule = match form {
        Form::Wide if earliest <= high => (earliest + (high - earliest) / 2).max(low),
        Form::Compact => earliest.clamp(low, high),
        _ => high,
    };
    lines.list = (top, rule.saturating_sub(top).min(room));
    if rule >= bottom_row {
        return lines;
    }
    lines.rule = Some(rule);
    if model.zoomed {
        lines.status = Some(height.saturating_sub(2));
        return lines;
    }
    match form {
        Form::Wide => {
            let bottom = height.saturating_sub(4);
            let airy = u16::from(bottom.saturating_sub(rule) > 9);
            lines.story = (rule + 1 + airy, 4);
            lines.attempts = (rule + 6, 2);
            lines.next = (rule + 9, 1);
            lines.same = (rule + 10 <= bottom).then_some(rule + 10);
            lines.status = Some(height.saturating_sub(2));
        }
        Form::Compact => {
            let airy = u16::from(height.saturating_sub(3).saturating_sub(rule) > 5);
            lines.story = (rule + 1, 4);
            lines.next = (rule + 5 + airy, 1);
            lines.status = Some(height.saturating_sub(2));
        }
        _ => {
            lines.story = (rule + 1, 2);
            lines.next = (rule + 3, 2);
        }
    }
    lines
}

/// Rows of the list that can be seen at once.
pub fn list_height(model: &Model, list: &List) -> usize {
    let lines = triage(model, list);
    usize::from(lines.list.1).max(1)
}

/// Lines that a page moves in a text: the detail, a record, the help.
pub fn page(size: Size) -> usize {
    usize::from(size.height.saturating_sub(13)).max(3)
}
