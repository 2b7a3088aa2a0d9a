//! The lines that `y` copies of a loaded case (`6-screens.md` 7.3).

use crate::app::case::{Copied, Item};
use crate::judge::story::{Context, Origin, yank_incident, yank_item};
use crate::judge::view::Summary;

/// Of a row: four lines per operation; of rows that stand for many, what is said of them.
pub fn item(item: &Item, cx: &Context<'_>, name: &str) -> Copied {
    let origin = Origin { case: name, audit: None };
    let mut lines: Vec<String> =
        item.intents.iter().flat_map(|intent| yank_item(intent, cx, &origin)).collect();
    if lines.is_empty() {
        let rows = item.effects.iter().map(|row| {
            let money = row.amount.map(|money| cx.units.show(money)).unwrap_or_default();
            let parts = [row.name.as_str(), &money, &row.place];
            parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(", ")
        });
        lines.push(format!("{}: {}", item.title(), item.row.words));
        lines.extend(rows);
        lines.push(item.story.text());
        lines.push(format!("{name}, {}", item.story.next));
    }
    Copied {
        lines: lines.iter().map(|line| crate::judge::story::phrase::plain(line)).collect(),
        party: item.row.party.clone(),
    }
}

/// Of the incident.
pub fn incident(summary: &Summary, cx: &Context<'_>, name: &str) -> Copied {
    let origin = Origin { case: name, audit: None };
    Copied { lines: yank_incident(summary, cx, &origin, "").to_vec(), party: String::new() }
}
