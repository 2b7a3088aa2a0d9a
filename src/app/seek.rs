//! `n` and `N`: from one match to the next. What was searched for last is kept, also where it filters no more: then
//! the matches are found among all rows.

use super::model::Model;
use crate::query::Hits;

/// What was searched for last.
#[derive(Clone, Debug)]
pub struct Sought {
    /// What was typed.
    pub text: String,
    /// Rows that match, of the reading of now.
    hits: Hits,
}

/// A search was answered.
pub(super) fn found(model: &mut Model, hits: &Hits) {
    model.sought = Some(Sought { text: model.filter.text.clone(), hits: hits.clone() });
}

fn next(model: &Model, forward: bool) -> Option<usize> {
    let sought = model.sought.as_ref()?;
    let (list, form) = (model.top_list(), model.form());
    let is = |at: &usize| list.place(*at, form).is_some_and(|place| sought.hits.get(place));
    if forward { (list.selected + 1..list.len(form)).find(is) } else { (0..list.selected).rev().find(is) }
}

fn none(model: &Model, forward: bool, where_: &str) -> Option<String> {
    match &model.sought {
        None => Some("nothing was searched for yet. / finds".to_owned()),
        Some(sought) => {
            next(model, forward).is_none().then(|| format!("nothing {where_} matches \"{}\"", sought.text))
        }
    }
}

/// Why there is no next match.
pub fn no_next(model: &Model) -> Option<String> {
    none(model, true, "further down")
}

/// Why there is no previous match.
pub fn no_previous(model: &Model) -> Option<String> {
    none(model, false, "further up")
}

/// To the next or previous match.
pub(super) fn go(model: &mut Model, forward: bool) {
    if let Some(at) = next(model, forward) {
        model.top_list_mut().selected = at;
    }
}
