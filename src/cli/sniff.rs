//! `recount sniff FILE..`: what a file is, how it would be read, and why; nothing else is read.

mod ids;

use std::ffi::OsStr;

use crate::judge::view::SourceView;
use crate::load::{Case, Options, load};
use crate::model::outcome::Class;
use crate::model::row::SourceNo;
use crate::model::units::Units;
use crate::report::figures::safe;
use crate::report::sniffed::{Calls, SniffView};
use crate::report::{Mask, json, text};
use crate::sources::formats::named;
use crate::sources::ledger::sqlite::SqliteError;
use crate::sources::ledger::table::ledgered;
use crate::sources::open::{Hints, OpenError, Opened, Problem, open};
use crate::sources::spec::{CaseSpec, SourceSpec, What};

use super::call::Call;
use super::failure::{Failure, INPUT};
use super::input::{Looked, Looker, address_of, apply_to_piece, known_units, reads};

/// Looks at each file; exit 4 where one is not recognised or not readable.
pub fn run(call: &Call) -> Result<u8, Failure> {
    let mut looker = Looker::default();
    let mut files = Vec::new();
    for word in call.paths("paths") {
        let found = looker.looked(&address_of(&word)?, None, &word)?;
        files.push(file(call, &word, found));
    }
    call.spare(&reads::with_beside(looker.paths))?;
    known_units(&CaseSpec::default(), [], call.text("currency"))?;
    let exit = if files.iter().all(|file| file.readable) { 0 } else { INPUT };
    let mask = Mask::of_load(false);
    call.print(|out| {
        for (at, file) in files.iter().enumerate() {
            if call.format() == "json" {
                json::sniff(&file.view, &file.units, &mask, out);
            } else {
                if at > 0 {
                    out.line("");
                }
                text::sniff(&file.view, &file.units, &mask, out);
            }
        }
    })?;
    Ok(exit)
}

/// A file that was looked at.
struct File {
    view: SniffView,
    units: Units,
    readable: bool,
}

impl File {
    fn unknown(view: SniffView) -> Self {
        Self { view, units: Units::default(), readable: false }
    }
}

fn file(call: &Call, word: &OsStr, looked: Looked) -> File {
    let shown = safe(&word.to_string_lossy());
    let unknown = |why: String, asks: Vec<String>| {
        File::unknown(SniffView { path: shown.clone(), why, asks, ..SniffView::default() })
    };
    let mut piece = match looked {
        Looked::Piece(piece) => piece,
        Looked::Unclear { why, .. } => return unknown(why, vec!["role".to_owned()]),
        Looked::Unusable { why, format: None } => return unknown(why, Vec::new()),
        Looked::Unusable { why, format: Some(format) } => {
            return File::unknown(SniffView {
                path: shown,
                recognised: true,
                role: format.what.word().to_owned(),
                format: format.name.to_owned(),
                why,
                ..SniffView::default()
            });
        }
    };
    apply_to_piece(call, &mut piece);
    let spec = SourceSpec {
        id: piece.name.clone(),
        what: piece.what,
        location: piece.location,
        shown: shown.clone(),
        format: piece.format.map(str::to_owned),
        options: piece.options,
    };
    match open(&spec, &Hints::default()) {
        Ok(opened) => read(call, spec, &opened),
        Err(why) => File::unknown(not_opened(&spec, piece.found, &why)),
    }
}

/// Recognised, but the choice of a table or a mapping is missing; or nothing that can be read.
fn not_opened(spec: &SourceSpec, found: Option<&'static str>, why: &OpenError) -> SniffView {
    let format = spec.format.as_deref().or(found).and_then(named);
    let mut view =
        SniffView { path: spec.shown.clone(), why: why.problem.to_string(), ..SniffView::default() };
    match &*why.problem {
        Problem::Sqlite(SqliteError::Several { candidates }) => {
            view.candidates.clone_from(candidates);
            view.asks = vec!["table".to_owned()];
        }
        Problem::Sqlite(SqliteError::NoneFits { .. }) => {
            view.asks = vec!["table".to_owned(), "mapping".to_owned()];
        }
        Problem::Mapping(_) | Problem::Sqlite(SqliteError::Mapping { .. }) => {
            view.asks = vec!["mapping".to_owned()];
        }
        _ => return view,
    }
    view.recognised = format.is_some();
    spec.what.word().clone_into(&mut view.role);
    view.format = format.map(|f| f.name.to_owned()).unwrap_or_default();
    view
}

/// The framing, behind the envelopes that were taken off.
fn framing(opened: &Opened) -> String {
    let mut words: Vec<&str> = opened.envelopes.clone();
    words.push(opened.framing.word());
    words.join(" > ")
}

/// A server is asked for what a trace names: without one there is nothing to count (`4-sources.md` 4.5).
fn asked(spec: &SourceSpec, opened: &Opened, would_ask: String) -> File {
    let table = opened.table().filter(|table| !table.is_empty());
    let table = table.map_or_else(String::new, |table| format!("; table {table}"));
    let why =
        format!("{}{table}; it is asked beside a trace, so nothing was counted: {would_ask}", opened.why);
    let view = SniffView {
        path: spec.shown.clone(),
        recognised: true,
        role: spec.what.word().to_owned(),
        format: opened.format.to_owned(),
        why,
        mapping: opened.found.clone(),
        not_read: true,
        ..SniffView::default()
    };
    File { view, units: Units::default(), readable: true }
}

/// Reads it alone and counts.
fn read(call: &Call, spec: SourceSpec, opened: &Opened) -> File {
    if let Some(would_ask) = opened.would_ask() {
        return asked(&spec, opened, would_ask);
    }
    let ids = ids::of(opened);
    let mut view = SniffView {
        path: spec.shown.clone(),
        recognised: true,
        role: spec.what.word().to_owned(),
        format: opened.format.to_owned(),
        framing: framing(opened),
        why: opened.why.clone(),
        keys: ids.keys,
        operation_ids: ids.operations,
        mapping: opened.found.clone(),
        ..SniffView::default()
    };
    if let Some(table) = opened.table() {
        view.why = format!("{}; table {table}", view.why);
    }
    let now = call.text("now").map(str::to_owned);
    match load(CaseSpec { sources: vec![spec], now, ..CaseSpec::default() }, &Options::default()) {
        Ok(case) => {
            let units = case.units().clone();
            count(&case, &mut view);
            File { view, units, readable: true }
        }
        Err(why) => {
            view.why = why.to_string();
            File::unknown(view)
        }
    }
}

fn count(case: &Case, view: &mut SniffView) {
    let (Some(source), Some(found)) = (case.sources().into_iter().next(), case.found.first()) else {
        return;
    };
    let tally = &found.tally;
    records(&source, tally.problems, view);
    view.first = tally.oldest.map(|at| at.at).or(tally.window.map(|(from, _)| from));
    view.last = tally.newest().map(|at| at.at).or(tally.window.map(|(_, to)| to));
    if source.what == What::Ledger.word() {
        let counts = case.effects_of(SourceNo(0));
        view.reversals = counts.reversals;
        view.effects = counts.effects;
        view.on_its_way = counts.on_its_way;
        view.not_effects = counts.not_effects;
        view.totals = counts.totals;
        view.all_rows = source.totals.clone();
        let format = ledgered(&found.format);
        view.rules = format.iter().flat_map(|own| own.rules).map(|rule| (*rule).to_owned()).collect();
        view.rules.extend(source.notes.iter().filter(|note| note.starts_with("the column ")).cloned());
    } else {
        calls(case, view);
    }
    if tally.zoneless > 0 {
        view.asks.push("zone".to_owned());
    }
    if source.notes.iter().any(|note| note.starts_with("CURRENCY_UNKNOWN")) {
        view.asks.push("currency".to_owned());
    }
}

/// Every record is in exactly one of used, set aside, skipped, unreadable.
fn records(source: &SourceView, problems: u64, view: &mut SniffView) {
    let rows = &source.rows;
    let ledger = source.what == What::Ledger.word();
    view.records = rows.read + if ledger { rows.skipped } else { 0 };
    view.unreadable = if ledger { problems } else { rows.unreadable };
    view.skipped = rows.skipped;
    if ledger {
        view.set_aside.clone_from(&rows.set_aside);
    }
    let aside: u64 = view.set_aside.iter().map(|(_, number)| number).sum();
    view.used = view.records.saturating_sub(aside + view.skipped + view.unreadable);
}

/// Write attempts by class, and calls that only read.
fn calls(case: &Case, view: &mut SniffView) {
    let mut calls = Calls::default();
    for class in case.write_classes() {
        *match class {
            Class::Ok => &mut calls.ok,
            Class::OkReused => &mut calls.ok_reused,
            Class::Already => &mut calls.already,
            Class::Fail => &mut calls.fail,
            Class::Unknown => &mut calls.unknown,
            Class::Open => &mut calls.open,
        } += 1;
    }
    view.attempts = calls;
    if let Some(source) = case.sources().into_iter().next() {
        let is_list = |note: &&String| note.starts_with("reads: ") || note.starts_with("writes: ");
        view.roles = source.notes.iter().filter(is_list).cloned().collect();
    }
    let Some(found) = case.found.first() else { return };
    let by_tool = found.tally.calls.iter().zip(&case.setting.tools);
    view.reads = by_tool.filter(|(_, tool)| tool.read).map(|(calls, _)| *calls).sum();
}
