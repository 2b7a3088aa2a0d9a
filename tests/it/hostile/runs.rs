//! Every command in every format, from the command table.

use std::ffi::OsString;
use std::path::Path;
use std::process::{Command as Process, Output, Stdio};

use recount::cli::options::Takes;
use recount::cli::table::{COMMANDS, Command, Words};

use super::planted::NOW;

/// What a command is given beside its paths, so that it comes to its work: words and options. `{TEXT}` is a planted text,
/// `{NOTE}` a note with one, `{ID}` an id with one, `{OUT}` a folder for files.
#[rustfmt::skip]
const GIVEN: &[(&str, &[&str], &[&str])] = &[
    ("explain", &["{TEXT}"], &[]),
    ("hazards", &[], &["--all"]),
    ("hazards quiet", &["H14", "{ID}"], &["--note", "{NOTE}"]),
    ("hazards unquiet", &["H14", "{ID}"], &["--note", "{NOTE}"]),
    ("affected", &[], &["--columns", "intent,operation,kind,tool,verdict,class,state,effects,first,last,story,next"]),
    ("changed", &[], &["--since", "{OUT}/mark.json"]),
    ("case init", &["{OUT}/new"], &["--part", "payments,eu"]),
    ("case remove", &["{TEXT}"], &[]),
    ("case acknowledge", &["payments"], &["--note", "{NOTE}"]),
    ("readback", &["{ID}"], &["--manual", "--source", "{TEXT}", "--result", "differs", "--differs", "{TEXT}", "--position", "{TEXT}", "--read-at", "2026-11-30T17:00:00Z", "--note", "{NOTE}"]),
    ("resolve", &["{ID}"], &["--to", "confirmed", "--note", "{NOTE}", "--evidence", "ticket:{TEXT}", "--acknowledge", "duplicate"]),
    ("reopen", &["{ID}"], &["--note", "{NOTE}", "--owner", "{TEXT}", "--deadline", "4h"]),
    ("extend", &["{ID}"], &["--note", "{NOTE}", "--owner", "{TEXT}", "--deadline", "4h"]),
    ("assign", &["{ID}"], &["--owner", "{TEXT}", "--deadline", "4h", "--note", "{NOTE}"]),
    ("escalate", &["{ID}"], &["--owner", "{TEXT}", "--deadline", "4h", "--note", "{NOTE}", "--delivered", "{TEXT}"]),
    ("link", &["{LONE}", "{ID}"], &["--note", "{NOTE}"]),
    ("unlink", &["{ROW}"], &["--note", "{NOTE}"]),
    ("reject", &["{ROW}", "{ID}"], &["--note", "{NOTE}"]),
    ("note", &["{ID}"], &["--note", "{NOTE}"]),
    ("disposition", &["{ID}"], &["--as", "known-test", "--note", "{NOTE}", "--ref", "{TEXT}"]),
    ("bulk resolve", &[], &["--filter", "qz", "--to", "confirmed", "--note", "{NOTE}"]),
    ("bulk assign", &[], &["--filter", "qz", "--owner", "{TEXT}", "--deadline", "4h", "--note", "{NOTE}"]),
    ("bulk escalate", &[], &["--filter", "qz", "--owner", "{TEXT}", "--deadline", "4h", "--note", "{NOTE}"]),
    ("bulk disposition", &[], &["--filter", "qz", "--as", "known-test", "--note", "{NOTE}"]),
    ("bulk undo", &["{TEXT}"], &["--note", "{NOTE}"]),
    ("request", &["{ABSENT}"], &["--to", "failed", "--note", "{NOTE}", "--override", "--reason", "{NOTE}", "--out", "{OUT}/r.json", "--force"]),
    ("approve", &["{OUT}/r.json"], &["--note", "{NOTE}", "--operator", "erin", "--relied-on-evidence", "--out", "{OUT}/a.json", "--force"]),
    ("deny", &["{OUT}/r.json"], &["--note", "{NOTE}", "--operator", "erin", "--out", "{OUT}/d.json", "--force"]),
    ("accept", &["{OUT}/a.json"], &[]),
    ("withdraw", &["99"], &["--note", "{NOTE}"]),
    ("review", &["1"], &["--outcome", "ok", "--note", "{NOTE}", "--operator", "erin"]),
    ("demo", &[], &["--headless"]),
    ("intent record", &[], &["--operation-id", "rec{QUIET}", "--kind", "{TEXT}", "--business-id", "order:{NAME}", "--party", "{TEXT}", "--amount", "2.00", "--currency", "USD", "--tool", "{TEXT}"]),
    ("intent gate", &["rec{QUIET}"], &["--key", "{NAME}"]),
    ("intent mark", &["rec{QUIET}"], &["--attempt", "{TEXT}", "--outcome", "{TEXT}", "--text", "{TEXT}", "--receipt", "{TEXT}"]),
    ("audit export", &[], &["--out", "{OUT}/audit", "--force"]),
    ("audit anchor", &[], &["--out", "{OUT}/anchor", "--force"]),
    ("audit population", &[], &["--from", "2026-01-01T00:00:00Z", "--to", "2036-01-01T00:00:00Z"]),
    ("audit erase", &["{TEXT}"], &["--reason", "{NOTE}", "--operator", "erin"]),
    ("lab normal", &[], &["--print-setup"]),
    ("lab double-refund", &[], &["--print-setup"]),
    ("lab idempotent", &[], &["--print-setup"]),
    ("lab compare", &[], &["--print-setup"]),
    ("lab study", &[], &["--print-setup"]),
    ("lab test", &[], &["--tool", "{TEXT}", "--args", "{OUT}/args.json", "--read-back", "{OUT}/args.json", "--i-know-this-writes", "--", "/nonexistent/{TEXT}"]),
    ("dev canon", &["{OUT}/{TEXT}"], &[]),
    ("dev key", &[], &["--field", "a={TEXT}"]),
    ("help", &["{TEXT}"], &[]),
];

/// What the words of a run stand for.
pub struct Given<'a> {
    /// A planted text.
    pub text: &'a str,
    /// The same where it may stand in what identifies.
    pub name: &'a str,
    /// An id of the case that holds one.
    pub id: &'a str,
    /// A row of the case that holds one.
    pub row: &'a str,
    /// An id without a row.
    pub absent: &'a str,
    /// A row without an attempt.
    pub lone: &'a str,
    /// The case.
    pub case: &'a Path,
    /// A folder for what is written.
    pub out: &'a Path,
}

impl Given<'_> {
    fn fill(&self, word: &str) -> OsString {
        let note = format!("{} stands in this note of a test.", self.text);
        let out = self.out.to_str().unwrap();
        word.replace("{NOTE}", &note)
            .replace("{TEXT}", self.text)
            .replace("{ID}", self.id)
            .replace("{ROW}", self.row)
            .replace("{LONE}", self.lone)
            .replace("{ABSENT}", self.absent)
            .replace("{QUIET}", "quiet")
            .replace("{NAME}", self.name)
            .replace("{OUT}", out)
            .into()
    }
}

/// Whether a command has an option.
pub fn has(command: &Command, name: &str) -> bool {
    command.options.iter().flat_map(|set| set.options).any(|option| option.name == name)
}

/// The formats of a command; one without a choice has one.
pub fn formats(command: &Command) -> Vec<Option<&'static str>> {
    let format = command.options.iter().flat_map(|set| set.options).find(|option| option.name == "format");
    match format.map(|option| option.takes) {
        Some(Takes::Word(words)) => {
            words.iter().filter(|word| **word != "md").map(|word| Some(*word)).collect()
        }
        _ => vec![None],
    }
}

/// The call of a command in a format.
pub fn call(command: &Command, format: Option<&str>, given: &Given<'_>) -> Vec<OsString> {
    let (words, options) = GIVEN
        .iter()
        .find(|(name, ..)| *name == command.name)
        .map_or((&[][..], &[][..]), |(_, w, o)| (*w, *o));
    let mut args: Vec<OsString> = command.name.split(' ').map(OsString::from).collect();
    args.extend(words.iter().map(|word| given.fill(word)));
    if matches!(command.words, Words::IdAndPaths) && words.is_empty() {
        args.push(given.id.into());
    }
    let takes_paths = !matches!(
        command.words,
        Words::None
            | Words::One(_)
            | Words::Phrase(_)
            | Words::Maybe(_)
            | Words::MaybePhrase(_)
            | Words::Behind(_)
    );
    match command.name {
        "case sniff" | "case add" | "case init" => {
            args.extend(["trace.jsonl", "eu.csv", "payments.db"].map(|name| given.case.join(name).into()));
        }
        "open" => args.extend([
            given.case.into(),
            "--script".into(),
            "j".into(),
            "--dump".into(),
            given.out.join("frames").into(),
        ]),
        _ if takes_paths => args.push(given.case.into()),
        _ if has(command, "case") => args.extend(["--case".into(), given.case.into()]),
        _ => {}
    }
    if command.name == "case add" {
        args.extend(["--case".into(), given.out.join("new").into()]);
    }
    if let Some(format) = format {
        args.extend(["--format".into(), format.into()]);
    }
    for (name, value) in [("now", NOW), ("limit", "0"), ("only", "all"), ("operator", "dana")] {
        if has(command, name) && !options.contains(&format!("--{name}").as_str()) {
            args.extend([format!("--{name}").into(), value.into()]);
        }
    }
    if has(command, "with-text") {
        args.push("--with-text".into());
    }
    args.extend(options.iter().map(|option| given.fill(option)));
    args
}

/// Runs the program.
pub fn run(args: &[OsString], folder: &Path) -> Output {
    let mut process = Process::new(env!("CARGO_BIN_EXE_recount"));
    for name in ["NO_COLOR", "CLICOLOR_FORCE", "RECOUNT_OPERATOR", "TMUX", "STY"] {
        process.env_remove(name);
    }
    process.env("HOME", folder).env("XDG_CONFIG_HOME", folder).env("LC_ALL", "C.UTF-8").env("TZ", "UTC");
    process.current_dir(folder).args(args).stdin(Stdio::null()).output().unwrap()
}

/// Every command but the ones that only a program talks to, in every format.
pub fn all() -> impl Iterator<Item = (&'static Command, Option<&'static str>)> {
    COMMANDS
        .iter()
        .filter(|command| command.name != "lab serve")
        .flat_map(|command| formats(command).into_iter().map(move |format| (command, format)))
}
