//! `recount export`: the list with filter, order and read positions, as a file for others.

use crate::config::keys::View as SavedView;
use crate::config::user;
use crate::judge::view::ListRow;
use crate::model::near::did_you_mean;
use crate::query::Query;
use crate::report::export::{self, SORTS, View};
use crate::runtime::asked::Rows;

use super::call::Call;
use super::failure::Failure;
use super::loading::loaded;
use super::options::{Set, Takes, flag, one};
use super::settings::settings;

/// Which rows, in which order and form.
#[rustfmt::skip]
pub const OPTIONS: Set = Set { heading: "list", options: &[
    one("filter", "TEXT", Takes::Text, "rows that fit, as typed behind / on the screen: state:unknown risk>100"),
    one("view", "NAME", Takes::Text, "filter, order and columns of a saved view of the config; what is given beside it wins"),
    one("sort", "KEY", Takes::Word(&["list", "risk", "age", "due", "operation", "party", "what", "state"]), "list, risk, age, due, operation, party, what or state; default list, the order of the screen"),
    flag("reverse", "turns the order round"),
    one("columns", "A,B", Takes::Text, "columns of CSV and Markdown, in this order; default all of them"),
    one("format", "F", Takes::Word(&["csv", "json", "jsonl", "markdown", "md"]), "csv, json, jsonl or markdown; default by the ending of --out, else csv"),
    one("out", "F", Takes::Path, "into a file, never over another one; its path is printed"),
    flag("force", "--out may overwrite"),
] };

/// Endings of files and what they hold.
const ENDINGS: [(&str, &str); 5] =
    [("csv", "csv"), ("json", "json"), ("jsonl", "jsonl"), ("md", "markdown"), ("markdown", "markdown")];

/// Writes the list.
pub fn run(call: &Call) -> Result<u8, Failure> {
    let saved = match call.text("view") {
        Some(name) => saved(call, name)?,
        None => SavedView::default(),
    };
    let typed = call.text("filter").or(saved.filter.as_deref()).unwrap_or_default();
    if let Some(term) = Query::odd(typed) {
        return Err(Failure::usage(&format!(
            "--filter: {term:?} is not understood; recount man and docs/keymap.md list the terms"
        )));
    }
    let named: Vec<&str> = call.text("columns").map_or_else(
        || saved.columns.iter().map(String::as_str).collect(),
        |text| text.split(',').map(str::trim).collect(),
    );
    let columns = export::columns(&named).map_err(|name| {
        let known: Vec<&str> = export::COLUMNS.iter().map(|column| column.name).collect();
        let near = did_you_mean(&name, known.iter().copied()).replace('`', "");
        Failure::usage(&format!("--columns has no {name:?}{near}; there are {}", known.join(", ")))
    })?;
    let loaded = loaded(call)?;
    let gathered = loaded.gathered(call, &loaded.ask(call));
    gathered.say_unread(call);
    let report = gathered.report(&loaded.case);
    let case = &loaded.case;
    let query = Query::parse(typed);
    // As on the screen: what is fine is listed only where it was asked for.
    let places: Vec<usize> = if query.is_empty() {
        (0..case.rows()).filter(|at| !case.row_flags(*at).0).collect()
    } else {
        let rows = Rows { case, now: gathered.summary.now, sources: &gathered.sources };
        query.evaluate(&rows).iter().collect()
    };
    let (shown, all) = (places.len(), case.rows());
    let sort = call.text("sort").or(saved.sort.as_deref()).unwrap_or("list");
    if !SORTS.iter().any(|(name, _)| *name == sort) {
        let known: Vec<&str> = SORTS.iter().map(|(name, _)| *name).collect();
        let near = did_you_mean(sort, known.iter().copied());
        return Err(Failure::input(&format!(
            "the saved view has the order `{sort}`{near}; orders are {}",
            known.join(", ")
        )));
    }
    let compare = SORTS.iter().find(|(name, _)| *name == sort).filter(|(name, _)| *name != "list");
    let reverse = call.flag("reverse");
    let rows: Box<dyn Iterator<Item = ListRow>> = match compare {
        None if reverse => Box::new(places.into_iter().rev().map(|at| case.row(at))),
        None => Box::new(places.into_iter().map(|at| case.row(at))),
        Some((_, compare)) => {
            let mut rows: Vec<ListRow> = places.into_iter().map(|at| case.row(at)).collect();
            rows.sort_by(|a, b| {
                let order = compare(&report, a, b);
                if reverse { order.reverse() } else { order }
            });
            Box::new(rows.into_iter())
        }
    };
    let view = View {
        rows,
        shown,
        all,
        filter: typed.to_owned(),
        sort: if reverse { format!("{sort}, turned round") } else { sort.to_owned() },
    };
    let ending = call.path("out").and_then(|path| path.extension()?.to_str().map(str::to_lowercase));
    let by_ending =
        ENDINGS.iter().find(|(known, _)| ending.as_deref() == Some(known)).map(|(_, format)| *format);
    let format = match call.text("format") {
        Some(_) => call.format(),
        None => by_ending.unwrap_or("csv"),
    };
    call.print(|out| match format {
        "json" => export::json(&report, view, out),
        "jsonl" => export::jsonl(&report, view, out),
        "markdown" => export::table(&report, view, &columns, out),
        _ => export::csv(&report, view, &columns, out),
    })?;
    Ok(loaded.ended(call, 0))
}

/// A saved view of the configs, by its name.
fn saved(call: &Call, name: &str) -> Result<SavedView, Failure> {
    let user = user::load().map_err(|why| Failure::input(&why.to_string()))?;
    let case = super::input::gather(call)?.config;
    let views = settings(call, &user, &case)?.views;
    let known = || views.iter().map(|(name, _)| name.as_str());
    match views.iter().find(|(known, _)| known == name) {
        Some((_, view)) => Ok(view.clone()),
        None => Err(Failure::usage(&format!(
            "there is no saved view {name:?}{}; views are {}",
            did_you_mean(name, known()).replace('`', ""),
            crate::model::near::listed(&known().collect::<Vec<_>>(), 12)
        ))),
    }
}
