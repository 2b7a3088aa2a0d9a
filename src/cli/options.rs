//! Options as data (`7-commands.md` 7.5.4): parser, help and man page are made from these tables.

use clap::builder::{
    OsStringValueParser, PossibleValuesParser, StringValueParser, TypedValueParser as _, ValueParser,
};
use clap::{Arg, ArgAction};

use crate::model::time::{Zone, parse_time};
use crate::sources::filter;

/// What an option takes.
#[derive(Clone, Copy, Debug)]
pub enum Takes {
    /// Nothing: it is there or not.
    Nothing,
    /// Any text.
    Text,
    /// A path or an address, of any bytes.
    Path,
    /// One of these words.
    Word(&'static [&'static str]),
    /// A whole number.
    Number,
    /// A time.
    Time,
    /// A time, or `start`.
    TimeOrStart,
    /// A zone.
    Zone,
    /// A row filter.
    Filter,
    /// Words of a list, separated by commas.
    Words(&'static [&'static str]),
    /// `COPY=ORIGINAL`.
    Pair,
    /// `120x36`.
    Size,
}

/// How often an option is given, and with how many values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Often {
    /// Once, with one value.
    Once,
    /// Again and again, with one value each time.
    Again,
    /// With several values each time.
    Several,
}

/// An option.
#[derive(Clone, Copy, Debug)]
pub struct Opt {
    /// Its name without dashes.
    pub name: &'static str,
    /// What stands for its value in help.
    pub value: &'static str,
    /// What it takes.
    pub takes: Takes,
    /// How often.
    pub often: Often,
    /// What it means, and its default.
    pub help: &'static str,
}

/// An option of this form.
pub const fn flag(name: &'static str, help: &'static str) -> Opt {
    Opt { name, value: "", takes: Takes::Nothing, often: Often::Once, help }
}

/// An option of this form.
pub const fn one(name: &'static str, value: &'static str, takes: Takes, help: &'static str) -> Opt {
    Opt { name, value, takes, often: Often::Once, help }
}

/// An option of this form.
pub const fn again(name: &'static str, value: &'static str, takes: Takes, help: &'static str) -> Opt {
    Opt { name, value, takes, often: Often::Again, help }
}

/// An option of this form.
pub const fn several(name: &'static str, value: &'static str, help: &'static str) -> Opt {
    Opt { name, value, takes: Takes::Path, often: Often::Several, help }
}

/// Options that belong together, with the heading of help.
#[derive(Clone, Copy, Debug)]
pub struct Set {
    /// The heading.
    pub heading: &'static str,
    /// The options.
    pub options: &'static [Opt],
}

/// Where attempts and effects are.
#[rustfmt::skip]
pub const SOURCES: Set = Set { heading: "sources", options: &[
    one("case", "DIR", Takes::Path, "a case folder; the same as its path"),
    several("trace", "[FORMAT:]F", "traces of a case in memory"),
    several("ledger", "S", "ledgers of a case in memory: a path, or an address such as csv:F?exported_at=T&id=provider"),
    several("expect", "F", "expectations, JSON lines or CSV; they win over the trace, a difference is a finding"),
    one("config", "F", Takes::Path, "config of a case in memory"),
    one("book", "F", Takes::Path, "book of a case in memory; default book.db in the case folder"),
    one("ledger-sql", "F", Takes::Path, "one read-only statement for a ledger that is a database"),
] };

/// What of them counts, and how it is read.
#[rustfmt::skip]
pub const SCOPE: Set = Set { heading: "scope", options: &[
    one("since", "T", Takes::Time, "only rows and lines from here on; sets the beginning of coverage"),
    one("until", "T", Takes::Time, "only rows and lines up to here; sets the end of coverage"),
    again("where", "\"COLUMN = VALUE\"", Takes::Filter, "row filter of ledgers (=, !=, in (..), is null); several are joined with and"),
    one("kind", "K", Takes::Text, "what the rows of generic ledgers are"),
    one("currency", "C", Takes::Text, "currency of amounts without one"),
    one("zone", "Z", Takes::Zone, "zone of times without one: UTC, Europe/Berlin, +02:00"),
    one("normalise", "STEPS", Takes::Words(&["uuid", "trim", "collapse_space", "casefold"]), "ids that are equal after these steps are one: uuid,trim,collapse_space,casefold"),
    one("link", "FIELDS", Takes::Words(&["business_id", "amount", "window"]), "declared join: business_id[,amount][,window]; such rows are linked, shown as declared"),
    again("copy-of", "COPY=ORIGINAL", Takes::Pair, "one ledger is a copy of another, by id; it never adds"),
    again("part", "A,B", Takes::Text, "these ledgers are parts that add up, by id"),
    flag("frozen", "SQLite files are backups that nobody writes"),
] };

/// What the ledgers are taken to hold.
#[rustfmt::skip]
pub const COVERAGE: Set = Set { heading: "coverage and time", options: &[
    one("exported-at", "T", Takes::Time, "when a text ledger was exported; without it the newest row stands for it"),
    one("covers-from", "T", Takes::TimeOrStart, "the listing is complete from there, or from the start; default the oldest row"),
    flag("ledger-final", "the ledger is complete and nothing is still under way; every output says so"),
    flag("trace-complete", "every effect in the window must have an attempt"),
    one("now", "T", Takes::Time, "fixes the clock; every output says so"),
] };

/// The book as it was.
#[rustfmt::skip]
pub const AS_OF: Set = Set { heading: "as of then", options: &[
    one("as-of-entry", "N", Takes::Number, "the book as it was after entry N, 0 before the first; --now fixes the clock beside it"),
] };

/// What a check asks.
#[rustfmt::skip]
pub const CHECK: Set = Set { heading: "what is asked", options: &[
    one("property", "P", Takes::Word(&["settled", "at-most-once"]), "settled or at-most-once; default settled"),
    flag("stop-at-first", "stop at the first violation"),
    flag("allow-open", "what still waits changes no result"),
    flag("allow-remediated", "what happened twice and was undone is no violation"),
    one("intent", "ID", Takes::Text, "one intent, by any of its ids"),
    super::changed::BASELINE,
    super::hazards::FAIL,
] };

/// Which rows.
#[rustfmt::skip]
pub const CHOICE: Set = Set { heading: "rows", options: &[
    one("only", "WHICH", Takes::Word(&["divergent", "violation", "undecided", "note", "all"]), "which rows; default of text what diverges or is undecided, of JSON all"),
    one("limit", "N", Takes::Number, "rows of text and Markdown; default 20, 0 is all"),
] };

/// In which form.
#[rustfmt::skip]
pub const OUTPUT: Set = Set { heading: "output", options: &[
    one("format", "F", Takes::Word(&["text", "json", "jsonl", "csv", "markdown", "md"]), "text, json, jsonl, csv or markdown; default text"),
    flag("with-text", "include the text of models and tools, masked by pattern"),
    one("out", "F", Takes::Path, "into a file, never over another one; its path is printed"),
    flag("force", "--out may overwrite"),
] };

/// In which form a check.
#[rustfmt::skip]
pub const OUTPUT_OF_CHECK: Set = Set { heading: "output", options: &[
    one("format", "F", Takes::Word(&["text", "json", "jsonl", "csv", "markdown", "md", "junit"]), "text, json, jsonl, csv, markdown or junit; default text"),
    flag("with-text", "include the text of models and tools, masked by pattern"),
    one("out", "F", Takes::Path, "into a file, never over another one; its path is printed"),
    flag("force", "--out may overwrite"),
] };

/// The clock alone: for what reads a file without a case around it.
#[rustfmt::skip]
pub const CLOCK: Set = Set { heading: "time", options: &[
    one("now", "T", Takes::Time, "fixes the clock; every output says so"),
] };

/// One intent, in which form.
#[rustfmt::skip]
pub const ONE_INTENT: Set = Set { heading: "output", options: &[
    one("format", "F", Takes::Word(&["text", "json", "jsonl"]), "text or json, in one line as jsonl too; default text"),
    flag("with-text", "include the text of models and tools, masked by pattern"),
    one("out", "F", Takes::Path, "into a file, never over another one; its path is printed"),
    flag("force", "--out may overwrite"),
] };

/// Text or JSON only.
#[rustfmt::skip]
pub const TEXT_OR_JSON: Set = Set { heading: "output", options: &[
    one("format", "F", Takes::Word(&["text", "json"]), "text or json; default text"),
    one("out", "F", Takes::Path, "into a file, never over another one; its path is printed"),
    flag("force", "--out may overwrite"),
] };

/// How the screen looks and is driven.
#[rustfmt::skip]
pub const SCREEN: Set = Set { heading: "screen", options: &[
    one("at", "ID", Takes::Text, "opens on one intent"),
    one("operator", "NAME", Takes::Text, "who looks; else RECOUNT_OPERATOR or the system user"),
    one("theme", "NAME", Takes::Text, "a theme; default the terminal's own colours"),
    flag("local-time", "times in the local zone"),
    flag("mouse", "the wheel of the mouse moves; with shift the terminal selects as ever"),
    flag("fresh", "forgets the filter and the layout remembered for these inputs"),
    one("watch", "SECONDS", Takes::Number, "look so often whether the sources changed, and read them again then; w stops it"),
    flag("bell", "a bell where a later reading has more violations"),
    one("script", "KEYS", Takes::Text, "keys instead of a terminal, separated by blanks: j j enter"),
    one("size", "120x36", Takes::Size, "size of the screen of a script; default 120x36"),
    one("dump", "DIR", Takes::Path, "every frame of a script as text: 0001.txt and on"),
] };

/// For all commands.
#[rustfmt::skip]
pub const COMMON: Set = Set { heading: "for all commands", options: &[
    one("color", "WHEN", Takes::Word(&["auto", "always", "never"]), "auto, always or never; default auto; NO_COLOR is honoured"),
    flag("ascii", "ASCII only"),
    flag("read-only", "no command writes"),
    flag("quiet", "only errors on standard error"),
] };

impl Opt {
    /// The option as the parser wants it.
    pub fn arg(&self) -> Arg {
        let arg = Arg::new(self.name).long(self.name).help(self.help);
        let Some(parser) = self.takes.parser() else {
            return arg.action(ArgAction::SetTrue);
        };
        let arg = arg
            .value_name(self.value)
            .value_parser(parser)
            .allow_hyphen_values(false)
            // `--limit -1` is a wrong number, not another option.
            .allow_negative_numbers(matches!(self.takes, Takes::Number));
        match self.often {
            Often::Once => arg.action(ArgAction::Set),
            Often::Again => arg.action(ArgAction::Append),
            Often::Several => arg.action(ArgAction::Append).num_args(1..),
        }
    }

    /// The option as help shows it: `--trace [FORMAT:]F..`.
    pub fn shown(&self) -> String {
        match (self.value, self.often) {
            ("", _) => format!("--{}", self.name),
            (value, Often::Several) => format!("--{} {value}..", self.name),
            (value, _) => format!("--{} {value}", self.name),
        }
    }
}

impl Takes {
    fn parser(self) -> Option<ValueParser> {
        Some(match self {
            Self::Nothing => return None,
            Self::Text => StringValueParser::new().into(),
            Self::Path => OsStringValueParser::new().into(),
            Self::Word(words) => PossibleValuesParser::new(words).into(),
            Self::Number => StringValueParser::new().try_map(|text| number(&text)).into(),
            Self::Time => StringValueParser::new().try_map(|text| time(text, false)).into(),
            Self::TimeOrStart => StringValueParser::new().try_map(|text| time(text, true)).into(),
            Self::Zone => StringValueParser::new().try_map(zone).into(),
            Self::Filter => StringValueParser::new().try_map(row_filter).into(),
            Self::Words(words) => StringValueParser::new().try_map(move |text| list(text, words)).into(),
            Self::Pair => StringValueParser::new().try_map(pair).into(),
            Self::Size => StringValueParser::new().try_map(|text| size(&text)).into(),
        })
    }
}

/// A value that does not fit, in words.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
struct Unfit(String);

fn unfit<T>(words: impl Into<String>) -> Result<T, Unfit> {
    Err(Unfit(words.into()))
}

fn number(text: &str) -> Result<usize, Unfit> {
    text.parse().or_else(|_| unfit("a whole number of 0 or more is needed"))
}

fn time(text: String, start: bool) -> Result<String, Unfit> {
    let known = start && text == "start" || !parse_time(&text, &Zone::Utc).is_none();
    let or_start = if start { ", or start" } else { "" };
    if known { Ok(text) } else { unfit(format!("write a time as 2026-11-30T09:14:07Z{or_start}")) }
}

fn zone(text: String) -> Result<String, Unfit> {
    if Zone::parse(&text).is_some() { Ok(text) } else { unfit("write UTC, Europe/Berlin or +02:00") }
}

fn row_filter(text: String) -> Result<String, Unfit> {
    match filter::parse(&text) {
        Ok(_) => Ok(text),
        Err(why) => unfit(why.to_string()),
    }
}

fn list(text: String, words: &'static [&'static str]) -> Result<String, Unfit> {
    let unknown = text.split(',').find(|word| !words.contains(word));
    match unknown {
        None => Ok(text),
        Some(word) => {
            let near = crate::sources::near::did_you_mean(word, words.iter().copied());
            unfit(format!("{word:?} is none of {}{near}", words.join(", ")))
        }
    }
}

fn pair(text: String) -> Result<String, Unfit> {
    match text.split_once('=') {
        Some((copy, original)) if !copy.is_empty() && !original.is_empty() => Ok(text),
        _ => unfit("write COPY=ORIGINAL, with the ids of two ledgers"),
    }
}

/// Columns and rows, each at least 20 and 5.
fn size(text: &str) -> Result<(u16, u16), Unfit> {
    let sides = text.split_once('x').and_then(|(w, h)| Some((w.parse().ok()?, h.parse().ok()?)));
    match sides {
        Some((width @ 20..=1000, height @ 5..=1000)) => Ok((width, height)),
        _ => unfit("write columns and rows, such as 120x36"),
    }
}
