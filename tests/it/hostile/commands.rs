//! The corpus through every command in every format: no byte of it acts on a terminal, and every id stays told apart.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use recount::text::is_printing;

use super::corpus;
use super::planted::{self, plant};
use super::runs::{self, Given};

/// What in a text could act on a terminal, with what stands around it.
pub fn acting(bytes: &[u8]) -> Option<String> {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return Some("no UTF-8".to_owned());
    };
    let acts = |c: char| c != '\n' && !is_printing(c);
    let at = text.find(acts)?;
    let head: Vec<char> = text.get(..at)?.chars().rev().take(60).collect();
    let tail: String = text.get(at..)?.chars().take(20).collect();
    Some(format!("{:?}", head.into_iter().rev().collect::<String>() + &tail))
}

/// Runs calls on as many threads as there are cores; gives what is said of each, in their order.
pub fn parallel<T: Sync>(calls: &[T], run: impl Fn(&T) -> Vec<String> + Sync) -> Vec<String> {
    let next = AtomicUsize::new(0);
    let said = Mutex::new(Vec::new());
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..cores {
            scope.spawn(|| {
                while let Some(call) = calls.get(next.fetch_add(1, Ordering::SeqCst)) {
                    let found = run(call);
                    said.lock().unwrap().extend(found);
                }
            });
        }
    });
    said.into_inner().unwrap()
}

/// A folder with the case, and one for what is written.
pub struct Place {
    _folder: tempfile::TempDir,
    pub case: PathBuf,
    pub out: PathBuf,
}

pub fn place(texts: &[String], ids: bool) -> Place {
    let folder = tempfile::tempdir().unwrap();
    let (case, out) = (folder.path().join("case"), folder.path().join("out"));
    std::fs::create_dir(&out).unwrap();
    plant(&case, texts, ids);
    Place { _folder: folder, case, out }
}

/// Every command in every format, one after the other, on one case: what one of them writes, the next ones read.
/// `judge` gets the name of the run, its arguments, and what was printed.
pub fn every_command(texts: &[String], ids: bool, judge: &mut dyn FnMut(&str, &Path, &std::process::Output)) {
    let place = place(texts, ids);
    let in_ids = |at: usize| if ids { texts[at].as_str() } else { "" };
    std::fs::write(place.out.join("args.json"), "{}").unwrap();
    // A mark for `changed`: what a check said of the case.
    let mark: Vec<OsString> = [
        "check".into(),
        place.case.clone().into(),
        "--format".into(),
        "json".into(),
        "--out".into(),
        place.out.join("mark.json").into(),
    ]
    .into();
    runs::run(&mark, &place.out);
    for (number, (command, format)) in runs::all().enumerate() {
        // An argument of a program holds no NUL.
        let pick = |fits: &dyn Fn(usize) -> bool| {
            let fitting: Vec<usize> =
                (0..texts.len()).filter(|at| !texts[*at].contains('\0') && fits(*at)).collect();
            fitting[number % fitting.len()]
        };
        let (at, absent, lone) = (
            pick(&|at| at % 5 != 0 && !planted::is_absent(at)),
            pick(&planted::is_absent),
            pick(&planted::is_lone),
        );
        let text = format!("{} {number}", texts[at]);
        let given = Given {
            text: &text,
            name: if ids { &text } else { "name" },
            id: &planted::operation(at, in_ids(at)),
            row: &format!("a{at}{}", in_ids(at)),
            absent: &planted::operation(absent, in_ids(absent)),
            lone: &format!("lone{lone}{}", in_ids(lone)),
            case: &place.case,
            out: &place.out,
        };
        let args = runs::call(command, format, &given);
        let output = runs::run(&args, &place.out);
        let name = format!("{} {}", command.name, format.unwrap_or_default());
        let exit = output.status.code().and_then(|code| u8::try_from(code).ok());
        assert!(
            exit.is_some_and(|exit| command.exits.contains(&exit)),
            "{name}: {exit:?}\n{}",
            String::from_utf8_lossy(&output.stderr)
        );
        judge(&name, &place.out, &output);
    }
}

/// The commands whose output is the bytes that are hashed (`1-model.md`, canonical form).
pub const EXACT: [&str; 2] = ["dev canon", "dev key"];

#[test]
fn nothing_of_it_acts_on_a_terminal_through_any_command() {
    let mut wrong = Vec::new();
    let mut silent = Vec::new();
    every_command(&corpus::samples(), true, &mut |name, _, output| {
        for (stream, bytes) in [("output", &output.stdout), ("messages", &output.stderr)] {
            // Into a pipe these print the very bytes that are hashed; on a terminal they do not.
            let exact = EXACT.contains(&name.trim_end()) && stream == "output";
            wrong.extend(acting(bytes).filter(|_| !exact).map(|what| format!("{name}, {stream}: {what}")));
        }
        if output.stdout.is_empty() && output.stderr.is_empty() {
            silent.push(name.to_owned());
        }
    });
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(silent.is_empty(), "{silent:?}");
}

/// The commands that read a case and choose a form.
fn reading() -> Vec<(&'static recount::cli::table::Command, Option<&'static str>)> {
    use recount::cli::table::{Group, Words};
    runs::all()
        .filter(|(command, _)| {
            matches!(command.group, Group::Look | Group::Case)
                && matches!(command.words, Words::Paths)
                // What is wrong with a config, and where it lies, shows nothing of a trace or a ledger.
                && !matches!(command.name, "open" | "case add" | "config check" | "config path")
        })
        .collect()
}

#[test]
fn nothing_of_the_whole_corpus_acts_on_a_terminal_and_all_of_it_is_there() {
    let all = corpus::texts();
    assert!(all.len() >= 500, "{}", all.len());
    // Several in one text: fewer intents hold all of them.
    let texts: Vec<String> = all.chunks(5).map(<[String]>::concat).collect();
    let place = place(&texts, true);
    let check = |more: &[&str], name: &str| {
        let path = place.out.join(name);
        let args = [
            &["check", place.case.to_str().unwrap(), "--format", "json", "--out", path.to_str().unwrap()],
            more,
        ]
        .concat();
        runs::run(&args.iter().map(OsString::from).collect::<Vec<_>>(), &place.out);
        path
    };
    // Against the first half hour, the rest is new.
    check(&["--until", "2026-11-30T09:30:00Z"], "mark.json");
    let facts = check(&[], "facts.json");
    let given = Given {
        text: "",
        name: "",
        id: "",
        row: "",
        absent: "",
        lone: "",
        case: &place.case,
        out: &place.out,
    };
    let wrong = parallel(&reading(), |(command, format)| {
        let output = runs::run(&runs::call(command, *format, &given), &place.out);
        let name = format!("{} {}", command.name, format.unwrap_or_default());
        let mut wrong = Vec::new();
        for (stream, bytes) in [("output", &output.stdout), ("messages", &output.stderr)] {
            wrong.extend(acting(bytes).map(|what| format!("{name}, {stream}: {what}")));
        }
        if !output.stdout.windows(2).any(|pair| pair == b"qz") {
            wrong.push(format!(
                "{name}: nothing of the corpus is there: {}",
                String::from_utf8_lossy(&output.stderr)
            ));
        }
        wrong
    });
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    // What was taken out of a picture is still in the facts: every id as it was, byte by byte.
    let facts: serde_json::Value = serde_json::from_slice(&std::fs::read(facts).unwrap()).unwrap();
    let found: std::collections::BTreeSet<&str> = facts["intents"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|intent| intent["operation_id"].as_str())
        .collect();
    let missing: Vec<&String> = texts
        .iter()
        .enumerate()
        .filter(|(number, text)| !found.contains(planted::operation(*number, text).as_str()))
        .map(|(_, text)| text)
        .collect();
    assert!(missing.is_empty(), "{missing:?}");
}
