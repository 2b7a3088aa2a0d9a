//! From keys to actions and back: which key does what here, what the footer shows, what the help says.

use std::fmt::Write as _;

use super::action::{ACTIONS, Action, Entry, Group, HELP, HelpRow, entry};
use super::bindings::{Bindings, PLACES};
use super::keys::Key;
use super::model::{Context, Model};
use crate::query::field::{FLAGS, RISK, SPANS, TEXTS};

/// Most keys that a footer shows (`6-screens.md` 7.2).
pub const FOOTER: usize = 5;

/// The action of a key of the table. There one key means one thing on every screen, so the place does not matter; what
/// a key does now is in [`Bindings::action`].
pub fn action(key: Key) -> Option<&'static Entry> {
    ACTIONS.iter().find(|entry| entry.keys.contains(&key))
}

/// The footer of the place where the keys go: key, words. `next` is the text of the next step: what it names
/// comes before what it does not.
pub fn footer(model: &Model, context: Context, next: &str) -> Vec<(Action, String, String)> {
    let mut found: Vec<(u8, usize, &Entry, &str)> = Vec::new();
    for (order, entry) in ACTIONS.iter().enumerate() {
        let Some(foot) = entry.footer.iter().find(|foot| foot.context == context) else {
            continue;
        };
        if (entry.refusal)(model).is_some() || model.setup.keys.of(entry, context).is_empty() {
            continue;
        }
        // In the evidence a key that changes what is known stands there only where the next step names it.
        let changes = matches!(entry.action, Action::ReadAgain | Action::Form(_));
        if context == Context::Detail && changes && !names(next, entry) {
            continue;
        }
        // Where nothing can be written the menu holds little that has no key of its own.
        if entry.action == Action::Menu && !model.setup.can_write {
            continue;
        }
        // Where something can be settled, that comes before reading and copying.
        let reads = matches!(entry.action, Action::ReadAgain | Action::Copy);
        if matches!(context, Context::List | Context::Detail)
            && reads
            && model.setup.can_write
            && !names(next, entry)
        {
            continue;
        }
        found.push((foot.rank, order, entry, foot.words));
    }
    found.sort_by_key(|(rank, order, ..)| (*rank, *order));
    found.truncate(FOOTER);
    found.sort_by_key(|(_, order, ..)| *order);
    let words = |entry: &Entry, words: &str| match (context, entry.action) {
        (Context::Clean, Action::Open) => match model.case().map_or(0, |case| case.summary().rows) {
            1 => "list it".to_owned(),
            rows => format!("{words} {}", thousands(rows)),
        },
        _ => words.to_owned(),
    };
    let shown = found.into_iter().filter_map(|(_, _, entry, text)| {
        let key = model.setup.keys.of(entry, context).first()?;
        Some((entry.action, key.shown(), words(entry, text)))
    });
    shown.collect()
}

/// A number with commas from 1,000 on.
pub fn thousands(number: u64) -> String {
    crate::model::money::grouped(i128::from(number), 0)
}

/// A count with its noun: `1 row`, `5 rows`.
pub fn counted(count: u64, noun: &str) -> String {
    format!("{} {noun}{}", thousands(count), if count == 1 { "" } else { "s" })
}

/// The text names a key of the action, as `(R)`.
fn names(text: &str, entry: &Entry) -> bool {
    entry.keys.iter().any(|key| text.contains(&format!("({key})")))
}

/// The keys of a help row as shown: keys of one group side by side, groups apart; a range where there are many.
/// `None` where nothing of it can be done in this place.
pub fn help_keys(row: &HelpRow, bindings: &Bindings, context: Context) -> Option<String> {
    let mut text = String::new();
    for (actions, at) in row.keys {
        let here = actions.iter().filter_map(|action| entry(*action));
        let keys: Vec<String> = here
            .filter(|entry| entry.contexts.contains(&context))
            .filter_map(|entry| bindings.of(entry, context).get(*at))
            .map(|key| key.shown())
            .collect();
        let part = match keys.as_slice() {
            [] => continue,
            [first, .., last] if keys.len() > 3 => format!("{first} to {last}"),
            _ => keys.join(" "),
        };
        if !text.is_empty() {
            text.push_str("  ");
        }
        text.push_str(&part);
    }
    (!text.is_empty()).then_some(text)
}

/// Rows of the help of one group for a place: keys and row.
pub fn help_rows(group: Group, bindings: &Bindings, context: Context) -> Vec<(String, &'static HelpRow)> {
    let rows = HELP.iter().filter(|row| row.group == group);
    rows.filter_map(|row| help_keys(row, bindings, context).map(|keys| (keys, row))).collect()
}

/// `docs/keymap.md`.
pub fn document() -> String {
    let mut text = String::from(
        "# Keys\n\nMade from the action table; a test holds this file in step. One key means one thing on every \
         screen.\nThe names are those of the config and of `--script`, where keys are separated by blanks \
         (`j j enter`). What has no key stands in the palette (`:`), as everything else does.\n",
    );
    for (group, title) in [(Group::Go, "Go"), (Group::Do, "Do")] {
        let _ = write!(text, "\n## {title}\n\n| Keys | Name | What it does |\n|---|---|---|\n");
        for entry in ACTIONS.iter().filter(|entry| entry.group == group) {
            let keys: Vec<String> =
                entry.keys.iter().map(|key| format!("`{}`", key.to_string().replace('|', "\\|"))).collect();
            let keys = if keys.is_empty() { "palette".to_owned() } else { keys.join(", ") };
            let _ = writeln!(text, "| {keys} | `{}` | {} |", entry.name, entry.about);
        }
    }
    text + &own_keys() + &filter()
}

/// How keys are changed.
fn own_keys() -> String {
    let places: Vec<String> = PLACES.iter().map(|(name, _)| format!("`{name}`")).collect();
    format!(
        "\n## Own keys\n\nIn the config of the user or of a case, per place ({}):\n\n```toml\n[keys.all]\nonly-unknown = \"U\"  \
         # another key\ndown = [\"j\", \"down\", \"n\"]  # several, the first is shown\nsuspend = \"\"  # none\n```\n\n\
         Footer and help show what works. A key that would do two things in places that enter and esc lead to is refused \
         with\nthe line and a key that is free; `recount config check` says so beforehand. There is no key with alt and no \
         function key,\nand ctrl-h, -i, -j and -m are backspace, tab and enter to a terminal.\n",
        places.join(", ")
    )
}

/// What can be typed behind `/`, from the tables of the filter.
fn filter() -> String {
    let names = |names: &mut dyn Iterator<Item = String>| names.collect::<Vec<_>>().join(", ");
    format!(
        "\n## Filter\n\nTerms are separated by blanks and all have to hold; `!` before one turns it round. Capitals do not \
         matter.\nWhat is not finished yet is left out, and a name that is no field is a word: ids hold colons too.\n\n\
         | Term | Holds where |\n|---|---|\n\
         | `refund`, `\"answer lost\"` | an id, the operation, the words, the label or the verdict hold it |\n\
         | {} | the field holds it |\n\
         | `{RISK}>100` | money at risk of any currency, in whole units; also `<`, `>=`, `<=` |\n\
         | {} | so long before the clock: the first call, the last call or row; `s`, `m`, `h`, `d` |\n\
         | {} | the row has it |\n",
        names(&mut TEXTS.iter().map(|field| format!("`{}:`", field.name))),
        names(&mut SPANS.iter().map(|field| format!("`{}<10m`", field.name))),
        names(&mut FLAGS.iter().map(|flag| format!("`{}`", flag.name))),
    )
}
