//! `recount case add SOURCE..`: sources into `recount.toml`. They are read first: what cannot be used is not written.

use std::ffi::OsString;
use std::path::Path;

use crate::book::action::Action;
use crate::cli::call::Call;
use crate::cli::failure::Failure;
use crate::cli::input::plan::{self, Piece};
use crate::cli::input::{
    Looked, Looker, absent, address, address_of, apply_meanings, apply_to_piece, known_units, unclear,
};
use crate::cli::settle::{Stop, out::plain};
use crate::cli::{loading, operator};
use crate::config;
use crate::lifecycle::identity;
use crate::load::{Case, Options, clock_of, load};
use crate::model::row::SourceNo;
use crate::report::Mask;
use crate::report::figures::safe;
use crate::report::file::shown;
use crate::sources::spec::{CaseSpec, Location, SourceSpec, What};

use super::ask::{self, Answer, Asker};
use super::audited::Log;
use super::entry;
use super::file::{CaseFile, may_write};

/// Exit code where some lines could not be read.
const SOME: u8 = 3;

/// Adds sources to a case.
pub fn run(call: &Call) -> Result<u8, Failure> {
    plain(call, work(call))
}

fn work(call: &Call) -> Result<u8, Stop> {
    may_write(call)?;
    let mut file = CaseFile::of_call(call)?;
    let named = named(call, call.paths("paths"))?;
    if named.is_empty() {
        return Err(Failure::usage("name what to add: recount case add FILE.., or an address").into());
    }
    let log = Log::of(call, &file)?;
    let added = added(call, &mut file, named, &mut Asker::of(call), false)?;
    if !added.sources.is_empty() {
        file.write(0o600)?;
        if let Some(log) = log {
            log.tell(Action::SourceAdded, &added.ids, &file)?;
        }
    }
    Ok(print(call, &file, &added)?)
}

/// A source that was named, and the word it was named with.
pub(super) type Named = (Piece, OsString);

/// What the words and options of a call name.
pub(super) fn named(call: &Call, words: Vec<OsString>) -> Result<Vec<Named>, Failure> {
    let mut looker = Looker::default();
    let mut all = Vec::new();
    for word in words {
        let path = Path::new(&word);
        if path.is_dir() {
            return Err(Failure::usage(&format!(
                "{} is a folder; name its files: recount case add {}/*",
                shown(path),
                shown(path)
            )));
        }
        match looker.looked(&address_of(&word)?, None, &word)? {
            Looked::Piece(piece) => all.push((*piece, word)),
            Looked::Unclear { why, .. } => return Err(unclear(path, &why, call)),
            Looked::Unusable { why, .. } => {
                return Err(Failure::input(&format!("{}: {why}; nothing was written", shown(path))));
            }
        }
    }
    for (option, what) in [("trace", What::Trace), ("ledger", What::Ledger)] {
        for word in call.paths(option) {
            let address = address(&word, what == What::Ledger, option)?;
            all.push((looker.piece(&address, Some(what), &word)?, word));
        }
    }
    for (piece, _) in &mut all {
        apply_to_piece(call, piece);
    }
    Ok(all)
}

/// What was added, in words.
#[derive(Debug, Default)]
pub(super) struct Added {
    /// One line a source.
    pub(super) sources: Vec<String>,
    /// Their ids.
    ids: Vec<String>,
    /// What was left out or is to be known, for standard error.
    pub(super) notes: Vec<String>,
    /// Sources that were there already.
    known: Vec<String>,
    /// Lines that could not be read, or sources that were left out.
    pub(super) some: bool,
    /// Keys that were answered.
    answers: usize,
}

/// Reads what was named beside the case, asks what is missing, and puts it into the text of the config.
pub(super) fn added(
    call: &Call,
    file: &mut CaseFile,
    named: Vec<Named>,
    asker: &mut Option<Asker>,
    is_new: bool,
) -> Result<Added, Failure> {
    let config = file.config()?;
    let mut spec = config::case::spec(&config).map_err(|why| Failure::input(&why.to_string()))?;
    let mut added = Added::default();
    let (mut words, mut pieces) = (Vec::new(), Vec::new());
    for (piece, word) in named {
        if let Some(known) = spec.sources.iter().find(|known| is_same(known, &piece.location)) {
            added.known.push(format!("{} is already in the case, as {}", piece.shown, known.id));
            continue;
        }
        pieces.push(piece);
        words.push(word);
    }
    known_units(&spec, &pieces, None)?;
    let before = spec.sources.len();
    if let Some(taken) = pieces.iter().filter_map(|piece| piece.id.as_ref()).find(|id| {
        file.draft.has("sources", id) || file.draft.has("traces", id) || file.draft.has("intents", id)
    }) {
        return Err(Failure::usage(&format!(
            "the case has a source {taken} already; name this one otherwise: ?id=NAME"
        )));
    }
    plan::add(&mut spec, pieces);
    spec.now = call.text("now").map(str::to_owned).or(spec.now);
    apply_meanings(call, &mut spec)?;
    if spec.sources.len() == before {
        return Ok(added);
    }
    let mut answers = Vec::new();
    let missing = absent(&spec);
    match asker.as_mut() {
        Some(asker) => answers.extend(ask::meanings(asker, &mut spec, &missing, true)?),
        None => {
            if let Some(open) = plan::unsaid(&spec, &missing) {
                return Err(Failure::usage(&without_terminal(&open, before, &spec)));
            }
        }
    }
    let case = load(spec.clone(), &Options::default()).map_err(|why| loading::of_load(&why))?;
    let mask = Mask::of_load(false);
    let usable = usable(&case, before, &mask, &mut added);
    if usable.is_empty() {
        for note in &added.notes {
            call.notes.error(note);
        }
        return Err(Failure::input("nothing of it can be used; recount.toml is as it was"));
    }
    if let Some(asker) = asker.as_mut() {
        answers.extend(questions(asker, &mut spec, &case, &usable, is_new));
    }
    drop(case);
    added.answers = answers.len();
    let note = ask::note(
        &who(call, &config),
        clock_of(&spec).map_or(crate::model::time::Micros::NONE, |(now, _)| now),
    );
    write(file, &spec, &usable, (before, &words), &answers, &note, asker, &mut added)?;
    Ok(added)
}

/// Without a terminal the error names the flags, where both ledgers are new, else the lines of the config.
fn without_terminal(open: &plan::Unsaid<'_>, before: usize, spec: &CaseSpec) -> String {
    let is_old = |id: &str| spec.sources.iter().take(before).any(|source| source.id == id);
    open.words(is_old(&open.original.id) && is_old(&open.copy.id))
}

fn is_same(known: &SourceSpec, location: &Location) -> bool {
    match (&known.location, location) {
        (Location::File(a), Location::File(b)) => {
            let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| entry::absolute(path));
            real(a) == real(b)
        }
        (Location::Server(a), Location::Server(b)) => a == b,
        _ => false,
    }
}

/// Places of the new sources that can be used; of the others it is said why.
fn usable(case: &Case, before: usize, mask: &Mask, added: &mut Added) -> Vec<usize> {
    let views = case.sources();
    let mut usable = Vec::new();
    for (at, view) in views.iter().enumerate().skip(before) {
        let name = safe(&view.path);
        if let Some(why) = &view.error {
            added.notes.push(format!("{name} was not read: {}", safe(&mask.text(why))));
            added.some = true;
            continue;
        }
        // Of a ledger beside a trace only rows in scope count against a result; a file is told whole when it is added.
        let whole = case.found.get(at).filter(|_| view.what == What::Ledger.word());
        let bad = whole.map_or(view.rows.unreadable, |found| found.tally.problems.max(view.rows.unreadable));
        added.some |= bad > 0;
        if bad > 0 && bad >= view.rows.read {
            added
                .notes
                .push(format!("{name}: none of its {bad} records can be read; recount sniff says more"));
            continue;
        }
        let many = if bad == 0 { String::new() } else { format!(", {bad} of them cannot be read") };
        let rows = if view.what == "trace" { "lines" } else { "rows" };
        added.sources.push(format!(
            "{}  {}  {}  {} {rows}{many}",
            safe(&view.id),
            view.what,
            safe(&format!("{} {name}", view.format)),
            view.rows.read,
        ));
        usable.push(at);
    }
    usable
}

/// Zone, currency, and for a new case whether a database is the live one.
fn questions(
    asker: &mut Asker,
    spec: &mut CaseSpec,
    case: &Case,
    usable: &[usize],
    is_new: bool,
) -> Vec<Answer> {
    let zoneless = |no: &usize| {
        spec.sources.get(*no).is_some_and(|s| s.options.zone.is_none())
            && case.found.get(*no).is_some_and(|found| found.tally.zoneless > 0)
    };
    let unit = |no: usize| case.assumed_unit(SourceNo(u16::try_from(no).unwrap_or(u16::MAX)));
    let zone = ask::Open {
        key: "zone",
        question: "The times of {} have no zone. Which one? UTC, Europe/Berlin, +02:00",
        places: usable.iter().copied().filter(|no| zoneless(no)).collect(),
        suggested: "UTC",
    };
    let assumed = usable.iter().find_map(|no| unit(*no)).filter(|unit| *unit != "?").unwrap_or_default();
    let currency = ask::Open {
        key: "currency",
        question: "The amounts of {} have no currency. Which one?",
        places: usable.iter().copied().filter(|no| unit(*no).is_some()).collect(),
        suggested: assumed,
    };
    let mut answers = ask::value(asker, spec, &zone);
    answers.extend(ask::value(asker, spec, &currency));
    if is_new {
        answers.extend(live(asker, spec, case, usable));
    }
    answers
}

/// The snapshot rule holds for the live database itself only (`4-sources.md` 4.3).
fn live(asker: &mut Asker, spec: &mut CaseSpec, case: &Case, usable: &[usize]) -> Option<Answer> {
    let is_open = |no: &&usize| {
        spec.sources.get(**no).is_some_and(|s| s.options.coverage_rule.is_none() && s.options.role.is_none())
            && case.found.get(**no).is_some_and(|f| {
                f.live && f.server.as_ref().is_none_or(|server| !server.replica && server.settled)
            })
    };
    let id = usable.iter().find(is_open).and_then(|no| spec.sources.get(*no)).map(|s| s.id.clone())?;
    let question =
        format!("Is {} the live database itself, not a copy or a replica? yes or no [no]", safe(&id));
    let yes = asker.ask(&question, |text| match text {
        "" | "n" | "no" => Some(false),
        "y" | "yes" => Some(true),
        _ => None,
    })?;
    let value = config::edit::Value::Text("snapshot".to_owned());
    ask::apply(spec, What::Ledger, &id, "coverage_rule", &value);
    yes.then_some(Answer { section: "sources", id, key: "coverage_rule", value })
}

pub(super) fn who(call: &Call, config: &config::Config) -> String {
    identity::operator(&operator::surroundings(call), &config.file.policy.shared_logins)
        .map(|operator| operator.person.name)
        .unwrap_or_default()
}

/// New sections with what was answered about them, and answers about those that were there.
#[expect(clippy::too_many_arguments, reason = "one step of one command")]
fn write(
    file: &mut CaseFile,
    spec: &CaseSpec,
    usable: &[usize],
    (before, words): (usize, &[OsString]),
    answers: &[Answer],
    note: &str,
    asker: &mut Option<Asker>,
    added: &mut Added,
) -> Result<(), Failure> {
    let folder = file.folder();
    let mut done: Vec<&str> = Vec::new();
    for no in usable {
        let Some(source) = spec.sources.get(*no).filter(|source| !done.contains(&source.id.as_str())) else {
            continue;
        };
        done.push(&source.id);
        let word = |no: usize| no.checked_sub(before).and_then(|at| words.get(at));
        let files: Vec<(&SourceSpec, &OsString)> = usable
            .iter()
            .filter_map(|no| Some((spec.sources.get(*no).filter(|s| s.id == source.id)?, word(*no)?)))
            .collect();
        let keys = entry::keys(&files, &folder, &entry::mapping(source))?;
        let section = entry::section(source.what);
        let of_it = |a: &&Answer| a.section == section && a.id == source.id;
        let said: Vec<&str> = answers.iter().filter(of_it).map(|a| a.key).collect();
        let comment = if said.is_empty() { String::new() } else { format!("{}: {note}", said.join(", ")) };
        file.draft.add(section, &source.id, &keys, &comment).map_err(|why| Failure::input(&why))?;
    }
    added.ids = done.iter().map(|id| (*id).to_owned()).collect();
    let others: Vec<&Answer> = answers.iter().filter(|a| !done.contains(&a.id.as_str())).collect();
    added.notes.extend(set(file, &others, note, asker)?);
    Ok(())
}

/// Keys of sections that were there; what has a value already is replaced only after asking. Says what stays.
pub(super) fn set(
    file: &mut CaseFile,
    answers: &[&Answer],
    note: &str,
    asker: &mut Option<Asker>,
) -> Result<Vec<String>, Failure> {
    let mut stays = Vec::new();
    for answer in answers {
        let (section, id, key) = (answer.section, answer.id.as_str(), answer.key);
        let question = format!("[{section}.{}] has {key} already. Replace it?", safe(id));
        let mut may = || asker.as_mut().is_some_and(|asker| asker.confirm(&question));
        if file.draft.get(section, id, key).is_some() && !may() {
            stays.push(format!("{key} of {} stays as it was", safe(id)));
            continue;
        }
        let comment = format!("{key}: {note}");
        file.draft.set(section, id, key, &answer.value, &comment).map_err(|why| Failure::input(&why))?;
    }
    Ok(stays)
}

/// Says what is in the case now.
pub(super) fn print(call: &Call, file: &CaseFile, added: &Added) -> Result<u8, Failure> {
    for note in &added.notes {
        call.notes.error(note);
    }
    let path = shown(&file.path);
    call.print(|out| {
        for known in &added.known {
            out.line(&safe(known));
        }
        for source in &added.sources {
            out.line(source);
        }
        if !added.sources.is_empty() {
            let answers = match added.answers {
                0 => String::new(),
                1 => ", with 1 answer".to_owned(),
                many => format!(", with {many} answers"),
            };
            out.line(&format!("Written to {path}{answers}. Nothing was copied."));
        }
    })?;
    Ok(if added.some { SOME } else { 0 })
}
