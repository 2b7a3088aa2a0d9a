//! `recount export`: the list with filter, order and read positions, as a file for others.

use crate::app::arrange::Sort;
use crate::config::keys::View as SavedView;
use crate::config::user;
use crate::judge::view::{ListRow, SortBy};
use crate::model::near::did_you_mean;
use crate::query::Query;
use crate::report::export::{self, View};
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
    one("sort", "KEY", Takes::Word(&["list", "what", "operation", "risk", "due", "age"]), "list, what, operation, risk, due or age; default list, the order of the screen"),
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
    let mut places: Vec<u32> = if query.is_empty() {
        let all = 0..case.rows();
        all.filter(|at| !case.row_flags(*at).0).filter_map(|at| u32::try_from(at).ok()).collect()
    } else {
        let rows = Rows { case, now: gathered.summary.now, sources: &gathered.sources };
        query.evaluate(&rows).iter().filter_map(|at| u32::try_from(at).ok()).collect()
    };
    let by = call.text("sort").or(saved.sort.as_deref()).unwrap_or(SortBy::default().name());
    let Some(by) = SortBy::named(by) else {
        let known = SortBy::ALL.map(SortBy::name);
        return Err(Failure::input(&format!(
            "the saved view has the order `{by}`{}; orders are {}",
            did_you_mean(by, known.iter().copied()),
            known.join(", ")
        )));
    };
    let sort = Sort::made(by, call.flag("reverse"), case.sorted_by(by));
    // What stands apart stays behind the intents.
    let intents = places.partition_point(|at| (*at as usize) < case.quiet_rows().end);
    sort.arrange(&mut places, intents, case.rows());
    let (shown, all) = (places.len(), case.rows());
    let rows: Box<dyn Iterator<Item = ListRow>> =
        Box::new(places.into_iter().map(|at| case.row(at as usize)));
    let view = View { rows, shown, all, filter: typed.to_owned(), sort: sort.said() };
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
