//! Rows that were chosen (`6-screens.md` 7.2, `space`), and many at once.

use std::collections::BTreeMap;

use super::form::One;
use crate::app::case::CaseView;
use crate::app::model::Model;
use crate::app::msg::Cmd;
use crate::app::update::{move_list, say};
use crate::judge::view::{ListRow, RowKind};
use crate::lifecycle::bulk::MOST;

/// Marked intents: number in the loaded case, and id.
pub type Marks = BTreeMap<u32, String>;

/// The intent of a row that can be marked.
fn number(row: &ListRow) -> Option<u32> {
    match row.kind {
        RowKind::Intent(number) => Some(number),
        _ => None,
    }
}

/// A row is marked.
pub fn is_marked(model: &Model, row: &ListRow) -> bool {
    number(row).is_some_and(|number| model.marks.contains_key(&number))
}

/// Why the selected row cannot be marked.
pub fn cannot(model: &Model) -> Option<String> {
    let row = model.preview.as_ref().map(|(_, item)| &item.row);
    if row.and_then(number).is_none() {
        return Some("only single operations can be marked".to_owned());
    }
    let full = model.marks.len() >= MOST && !row.is_some_and(|row| is_marked(model, row));
    full.then(|| format!("{MOST} are marked, and no more can be settled at once"))
}

/// Marks the selected row, or takes its mark away; goes on to the next one.
pub fn choose(model: &mut Model) -> Vec<Cmd> {
    let Some((_, item)) = &model.preview else { return Vec::new() };
    let Some(number) = number(&item.row) else { return Vec::new() };
    if model.marks.remove(&number).is_none() {
        let id = item.intents.first().map(|view| view.intent_id.clone()).unwrap_or_default();
        model.marks.insert(number, id);
    }
    move_list(model, 1);
    let count = model.marks.len();
    say(model, if count == 0 { "none is marked".to_owned() } else { format!("{count} marked") }, false)
}

/// Marks all that are listed, 500 at most; where all are marked, none.
pub fn choose_all(model: &mut Model) -> Vec<Cmd> {
    let Some(case) = model.case().cloned() else { return Vec::new() };
    let (list, form) = (model.top_list(), model.form());
    let mut all = Marks::new();
    let mut more = 0_usize;
    for at in 0..list.len(form) {
        let Some(number) = list.row(&*case, at, form).as_ref().and_then(number) else { continue };
        if all.len() >= MOST {
            more += 1;
        } else {
            all.insert(number, case.intent(number).intent_id);
        }
    }
    if all.is_empty() {
        return say(model, "nothing in the list can be marked".to_owned(), false);
    }
    let none = all.keys().eq(model.marks.keys());
    let said = match (none, more) {
        (true, _) => "none is marked".to_owned(),
        (false, 0) => format!("{} marked", all.len()),
        (false, more) => format!("{MOST} marked, {more} are not: no more can be settled at once"),
    };
    model.marks = if none { Marks::new() } else { all };
    say(model, said, false)
}

/// The marked ones, in the order of their ids: numbers differ from load to load.
pub fn marked(model: &Model) -> Vec<One> {
    let Some(case) = model.case() else { return Vec::new() };
    let one =
        |number: &u32| One { view: case.intent(*number), operation: case.intent_row(*number).operation };
    let mut all: Vec<One> = model.marks.keys().map(one).collect();
    all.sort_by(|a, b| a.view.intent_id.cmp(&b.view.intent_id));
    all
}

/// Finds the marked ones again in a case that was read anew; what is gone loses its mark.
pub fn again(marks: &Marks, case: &dyn CaseView) -> Marks {
    marks.values().filter_map(|id| Some((case.intent_of(id)?, id.clone()))).collect()
}
