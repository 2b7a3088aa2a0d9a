//! Nothing was given and nothing was found: what the program is, and three commands.

use crate::app::model::Model;
use crate::text::{cut, wrap};
use crate::ui::canvas::Canvas;
use crate::ui::role::Role;
use crate::ui::shown::outside;

/// Nothing was given and nothing was found.
pub fn first_run(model: &Model, canvas: &mut Canvas) {
    let margin = model.form().margin();
    let width = canvas.width();
    let end = width.saturating_sub(margin);
    canvas.put(margin, 3, "Count again what really happened.", Role::Strong);
    let ground = "An attempt is what was tried. An effect is what the ledger holds.";
    let lines = wrap(ground, usize::from(end.saturating_sub(margin)));
    let more = u16::try_from(lines.len()).unwrap_or(1).saturating_sub(1);
    for (row, line) in (4..).zip(lines) {
        canvas.put(margin, row, &line, Role::Text);
    }
    let height = canvas.height();
    let mut row = 6 + more;
    if width >= 80 && height >= 24 {
        picture(canvas, margin, row);
        row += 10;
    }
    let folder = cut(outside(model, &model.setup.folder), usize::from(width / 2));
    let found = if model.setup.folder_readable {
        format!("{folder} has files that can be read.")
    } else {
        format!("In {folder} is no case, no trace and no ledger.")
    };
    for line in wrap(found, usize::from(end.saturating_sub(margin))) {
        canvas.put(margin, row, &line, Role::Text);
        row += 1;
    }
    row += 1;
    let here: (&str, &str) = ("recount .", "the files in this folder, which are only read");
    let demo: (&str, &str) = ("recount demo", "this refund, with sample data");
    let own: (&str, &str) = ("recount trace.jsonl payments.db", "your own files, which are only read");
    let commands = if model.setup.folder_readable { [here, demo, own] } else { [demo, own, ("", "")] };
    for (command, meaning) in commands.into_iter().filter(|(command, _)| !command.is_empty()) {
        let column = canvas.put_until(margin + 2, row, end, command, Role::Strong);
        let mut start = column.max(margin + 35) + 1;
        if usize::from(end.saturating_sub(start)) < crate::text::width(meaning) {
            // Too narrow for both: what it means stands below it.
            row += 1;
            start = margin + 4;
        }
        canvas.put_until(start, row, end, meaning, Role::Dim);
        row += 1;
    }
    row += 1;
    if row + 1 < height {
        canvas.put_until(
            margin,
            row.max(height.saturating_sub(2).min(22)),
            end,
            "Files are only read. Nothing is sent anywhere.",
            Role::Dim,
        );
    }
}

/// Two attempts, two rows, one intended: what the program shows.
fn picture(canvas: &mut Canvas, margin: u16, top: u16) {
    let (bracket, right) = (34, 48);
    let end = 78;
    canvas.put(margin, top, "Tried", Role::Strong);
    canvas.put(right, top, "In the ledger", Role::Strong);
    let attempts = [
        ("attempt 1", "08:40:58", '?', "answer lost", "08:41:00", "08:40:59", "rfd_a1", Role::Ask),
        ("attempt 2", "08:41:07", '✓', "answered: done", "08:41:09", "08:41:08", "rfd_b2", Role::Text),
    ];
    let mut row = top + 1;
    for (name, sent, mark, words, ended, committed, id, role) in attempts {
        canvas.put(margin, row, name, Role::Text);
        canvas.put(23, row, sent, Role::Text);
        canvas.put(bracket, row, "╮", Role::Text);
        canvas.put(bracket, row + 1, "├", Role::Text);
        canvas.fill(bracket + 1..right - 2, row + 1, '─', Role::Text);
        canvas.put(right, row + 1, committed, Role::Text);
        canvas.put(right + 10, row + 1, id, Role::Text);
        canvas.right(end, row + 1, "200.00", Role::Text);
        let column = canvas.put(margin, row + 2, &mark.to_string(), role);
        canvas.put(column + 1, row + 2, words, Role::Text);
        canvas.put(23, row + 2, ended, Role::Text);
        canvas.put(bracket, row + 2, "╯", Role::Text);
        row += 4;
    }
    canvas.fill(end - 8..end, row - 2, '─', Role::Faint);
    canvas.put(right, row - 1, "2 where 1 was intended", Role::Wrong);
    canvas.right(end, row - 1, "400.00", Role::Wrong);
}
