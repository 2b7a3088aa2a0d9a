//! `recount report`: a document for the review the day after.

use std::ffi::OsStr;

use crate::report::Intents;
use crate::report::review::audit::{Looked, look};
use crate::report::review::{Asked, html, json, markdown, review, slack};
use crate::text::{shell_word, url};

use super::audit::BROKEN;
use super::booked;
use super::call::Call;
use super::failure::{Failure, INPUT};
use super::help::version_words;
use super::loading::{Loaded, loaded};
use super::options::{Opt, Set, Takes, flag, one};

/// Intents that a document has unless `--limit` says more.
pub const LIMIT: usize = 100;

/// Which intent.
#[rustfmt::skip]
pub const ONE: Set = Set { heading: "which", options: &[
    one("intent", "ID", Takes::Text, "one intent, by any of its ids"),
    one("only", "WHICH", Takes::Word(&["divergent", "violation", "undecided", "note", "all"]), "which intents; default what diverges or is undecided"),
    one("limit", "N", Takes::Number, "so many intents; default 100, 0 is all; what is left out is said"),
] };

/// In which form.
#[rustfmt::skip]
pub const FORM: Set = Set { heading: "output", options: &[
    one("format", "F", Takes::Word(&["markdown", "md", "html", "json", "slack"]), "markdown, html, json, or slack: plain text for a chat; default by the ending of --out, else markdown"),
    OUT,
    flag("force", "--out may overwrite"),
] };

const OUT: Opt = one("out", "F", Takes::Path, "into a file, never over another one; its path is printed");

/// Endings of `--out` that say which form is wanted.
const ENDINGS: [(&str, &str); 3] = [("html", "html"), ("htm", "html"), ("json", "json")];

/// Writes the document.
pub fn run(call: &Call) -> Result<u8, Failure> {
    let loaded = loaded(call)?;
    let mut ask = loaded.ask(call);
    if let Some(id) = call.text("intent") {
        let gathered = loaded.gathered(call, &ask);
        ask.only_intent = Some(loaded.one(id, &gathered)?);
    }
    let mut hazards = loaded.hazards()?;
    if form(call) == "json" {
        loaded.case.name_attempts(&mut hazards.hazards);
    }
    let gathered = loaded.gathered(call, &ask);
    gathered.say_unread(call);
    let report = gathered.report(&loaded.case);
    let intent = ask.only_intent.and_then(|op| Intents::view(&loaded.case, op.0)).map(|view| view.intent_id);
    let title = title(&loaded, report.sources.iter().map(|source| source.id.as_str()));
    let book = book(call, &loaded);
    let asked = Asked {
        title: &title,
        command: command(call),
        version: version_words(),
        hazards: &hazards,
        intent,
        book,
    };
    let broken = asked.book.as_ref().is_some_and(|book| book.verdict.as_ref().is_ok_and(|v| !v.holds()));
    let review = review(&report, &asked);
    call.print(|out| match form(call) {
        "html" => html::write(&review, out),
        "json" => json::write(&review, out),
        "slack" => slack::write(&review, out),
        _ => markdown::write(&review, out),
    })?;
    if broken {
        call.notes.error(booked::CHAIN);
        return Ok(BROKEN);
    }
    Ok(if report.summary.result.exit() == INPUT { INPUT } else { 0 })
}

/// The book of the case with its entries, and whether its chain holds.
fn book(call: &Call, loaded: &Loaded) -> Option<Looked> {
    let path = booked::path(call, loaded.case.spec.folder.as_deref()).filter(|path| path.is_file())?;
    Some(look(&path, booked::as_of(call)))
}

/// The form that was asked for, else that of the file's ending.
fn form(call: &Call) -> &str {
    if call.text("format").is_some() {
        return call.format();
    }
    let path = call.path("out");
    let ending = path.as_deref().and_then(std::path::Path::extension).and_then(OsStr::to_str);
    ENDINGS.iter().find(|(known, _)| ending == Some(known)).map_or("markdown", |(_, form)| form)
}

/// Title of the case, else its name, else its sources.
pub fn title<'a>(loaded: &Loaded, sources: impl Iterator<Item = &'a str>) -> String {
    let named = loaded.config.file.case.title.clone().filter(|title| !title.is_empty());
    let named =
        named.or_else(|| Some(crate::config::case::name(&loaded.config)).filter(|name| !name.is_empty()));
    named.unwrap_or_else(|| sources.collect::<Vec<_>>().join(" + "))
}

/// The command line, ready to copy. Addresses are shown without what is secret in them.
pub fn command(call: &Call) -> String {
    command_of(call, call.command.short_name(), &[])
}

/// The same for another command on the same sources, without options that it does not take.
pub fn command_of(call: &Call, name: &str, without: &[Opt]) -> String {
    let word = |word: &String| {
        let shown = if word.contains("://") { url(word) } else { word.clone() };
        shell_word(shown.as_bytes()).shown().into_owned()
    };
    let mut words: Vec<String> = Vec::new();
    let mut given = call.given().iter();
    while let Some(one) = given.next() {
        let (option, value) = one.split_once('=').map_or((one.as_str(), false), |(option, _)| (option, true));
        let unknown = without.iter().find(|opt| option.strip_prefix("--") == Some(opt.name));
        match unknown {
            None => words.push(word(one)),
            Some(opt) if !value && !opt.value.is_empty() => drop(given.next()),
            Some(_) => {}
        }
    }
    format!("recount {name} {}", words.join(" ")).trim_end().to_owned()
}
