//! The rooms of `docs/architecture.md`: who uses whom, and what the pure ones never touch (`house.md`, layout).
//!
//! Dependencies are read with the tests inside the files: a test may not reach where its room may not. Clock, files,
//! threads, chance and printing are looked for in the program alone, because tests do read files.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

/// Rooms in which data and the clock go in and values come out.
const PURE: [&str; 8] = ["model", "canon", "text", "judge", "lifecycle", "query", "app", "ui"];

/// Beginnings of paths that a pure room never names.
const IMPURE: [&str; 20] = [
    "std::time::SystemTime",
    "std::time::Instant",
    "SystemTime",
    "Instant::now",
    "chrono::Utc::now",
    "chrono::Local",
    "Utc::now",
    "Local::now",
    "std::fs",
    "std::env",
    "std::net",
    "std::process",
    "std::thread",
    "std::io::stdout",
    "std::io::stderr",
    "std::io::stdin",
    "std::collections::hash_map::RandomState",
    "foldhash::fast::RandomState",
    "File",
    "crossterm",
];

/// Macros that print; only the room `report` has a place for what is printed.
const PRINTING: [&str; 5] = ["println", "eprintln", "print", "eprint", "dbg"];

type Table = BTreeMap<String, BTreeSet<String>>;

/// Program text with comments, texts and characters blanked, line ends kept.
fn bare(source: &str) -> String {
    let chars: Vec<char> = source.chars().collect();
    let at = |i: usize| chars.get(i).copied().unwrap_or('\0');
    let mut out = String::with_capacity(source.len());
    let mut i = 0;
    while i < chars.len() {
        let start = i;
        let word = i > 0 && (at(i - 1).is_alphanumeric() || at(i - 1) == '_');
        match at(i) {
            '/' if at(i + 1) == '/' => {
                while i < chars.len() && at(i) != '\n' {
                    i += 1;
                }
            }
            '/' if at(i + 1) == '*' => {
                while i < chars.len() && !(at(i) == '*' && at(i + 1) == '/') {
                    i += 1;
                }
                i += 2;
            }
            'r' if !word || at(i - 1) == 'b' => {
                let hashes = (i + 1..chars.len()).take_while(|&k| at(k) == '#').count();
                if at(i + 1 + hashes) == '"' {
                    i += 2 + hashes;
                    while i < chars.len() && !(at(i) == '"' && (1..=hashes).all(|k| at(i + k) == '#')) {
                        i += 1;
                    }
                    i += 1 + hashes;
                }
            }
            '"' => {
                i += 1;
                while i < chars.len() && at(i) != '"' {
                    i += if at(i) == '\\' { 2 } else { 1 };
                }
                i += 1;
            }
            '\'' if at(i + 1) == '\\' => {
                i += 3;
                while i < chars.len() && at(i) != '\'' {
                    i += 1;
                }
                i += 1;
            }
            '\'' if at(i + 2) == '\'' => i += 3,
            _ => {}
        }
        if i == start {
            out.push(at(i));
            i += 1;
        } else {
            let blanked = chars.iter().take(i).skip(start);
            out.extend(blanked.map(|&c| if c == '\n' { '\n' } else { ' ' }));
        }
    }
    out
}

/// Without the block of tests at the end of a file.
fn without_tests(bare: &str) -> &str {
    bare.find("#[cfg(test)]\nmod tests {").map_or(bare, |at| bare.get(..at).unwrap())
}

/// All paths with at least two names, groups spread out: `use a::{b, c::d}` gives `a::b` and `a::c::d`.
fn paths(bare: &str) -> Vec<String> {
    let mut tokens = Vec::new();
    let mut rest = bare;
    while let Some(first) = rest.chars().next() {
        let word: usize =
            rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').map(char::len_utf8).sum();
        let length = match word {
            0 if rest.starts_with("::") => 2,
            0 => first.len_utf8(),
            word => word,
        };
        let (token, after) = rest.split_at(length);
        if !token.trim().is_empty() {
            tokens.push(token);
        }
        rest = after;
    }
    let mut found = Vec::new();
    let mut i = 0;
    while i < tokens.len() {
        i = path(&tokens, i, "", &mut found).max(i + 1);
    }
    found.retain(|path| path.contains("::"));
    found
}

fn is_name(token: &str) -> bool {
    token.chars().all(|c| c.is_alphanumeric() || c == '_')
}

/// Reads one path from a token on; gives the token behind it.
fn path(tokens: &[&str], mut i: usize, before: &str, found: &mut Vec<String>) -> usize {
    let mut whole = before.to_owned();
    while let Some(&token) = tokens.get(i).filter(|token| is_name(token)) {
        if !whole.is_empty() {
            whole.push_str("::");
        }
        whole.push_str(token);
        i += 1;
        if tokens.get(i) != Some(&"::") {
            break;
        }
        i += 1;
        if tokens.get(i) == Some(&"{") {
            i += 1;
            while i < tokens.len() && tokens.get(i) != Some(&"}") {
                i = path(tokens, i, &whole, found).max(i + 1);
            }
            return i + 1;
        }
    }
    if whole != before {
        found.push(whole);
    }
    i
}

/// Rooms that a file of `room`, `depth` modules below the crate, reaches by `crate::`, `recount::` or a climb.
fn reached(room: &str, depth: usize, bare: &str) -> BTreeSet<String> {
    let mut rooms = BTreeSet::new();
    for path in paths(bare) {
        let names: Vec<&str> = path.split("::").collect();
        let climbed = names.iter().take_while(|name| **name == "super").count();
        let other = match names.first() {
            Some(&"crate") => names.get(1),
            // A block of tests in a file is one deeper; a climb out of the crate's top does not compile.
            Some(&"super") if climbed >= depth => {
                names.get(climbed).filter(|name| name.chars().all(char::is_lowercase))
            }
            _ => None,
        };
        if let Some(other) = other.filter(|other| **other != room) {
            rooms.insert((*other).to_owned());
        }
    }
    rooms
}

/// Uses that the table does not allow, as `room -> other`.
fn forbidden(table: &Table, room: &str, uses: &BTreeSet<String>) -> Vec<String> {
    let Some(may) = table.get(room) else {
        return vec![format!("{room} is not in the table")];
    };
    uses.iter()
        .filter(|other| table.contains_key(*other) && !may.contains(*other))
        .map(|other| format!("{room} -> {other}"))
        .collect()
}

/// Reads the table of rooms: `model`, `canon` are names, `all` and `all but x and y` are words.
fn table(text: &str) -> Table {
    let names =
        |cell: &str| -> BTreeSet<String> { cell.split('`').skip(1).step_by(2).map(str::to_owned).collect() };
    let rows: Vec<Vec<&str>> = text
        .lines()
        .skip_while(|line| !line.starts_with("| room |"))
        .skip(2)
        .take_while(|line| line.starts_with('|'))
        .map(|line| line.trim_matches('|').split(" | ").collect())
        .collect();
    let rooms: Vec<String> = rows.iter().filter_map(|row| names(row.first()?).into_iter().next()).collect();
    let uses = |row: &[&str]| {
        let cell = row.last().copied().unwrap_or_default().trim();
        let said = names(cell);
        if cell.starts_with("all") {
            rooms.iter().filter(|room| !said.contains(*room)).cloned().collect()
        } else {
            said
        }
    };
    rooms.iter().cloned().zip(rows.iter().map(|row| uses(row))).collect()
}

fn repository() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn architecture() -> Table {
    table(&std::fs::read_to_string(repository().join("docs/architecture.md")).unwrap())
}

/// A file of the program.
struct File {
    /// Its path from `src` on.
    name: String,
    /// Its room; empty for `lib.rs` and `main.rs`.
    room: String,
    /// Modules below the crate.
    depth: usize,
    /// Its text without comments and texts.
    bare: String,
    /// Only compiled for tests.
    test: bool,
}

fn walk(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            walk(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            found.push(path);
        }
    }
}

/// Modules, as paths without ending, that a file declares behind `#[cfg(test)]`.
fn test_modules(name: &str, bare: &str) -> Vec<String> {
    let stem = name.strip_suffix(".rs").unwrap();
    let folder = stem.strip_suffix("/mod").unwrap_or(stem);
    let after = |part: &str| -> Option<String> {
        let (condition, rest) = part.split_once(")]")?;
        condition.contains("test").then_some(())?;
        let mut lines = rest.lines().filter(|line| !line.is_empty() && !line.starts_with("#["));
        let module = lines.next()?.strip_suffix(';')?.rsplit_once("mod ")?.1;
        Some(format!("{folder}/{module}"))
    };
    let starts = bare.match_indices("#[cfg(");
    starts.filter_map(|(at, start)| after(bare.get(at + start.len()..)?)).collect()
}

static FILES: LazyLock<Vec<File>> = LazyLock::new(files);

fn files() -> Vec<File> {
    let src = repository().join("src");
    let mut found = Vec::new();
    walk(&src, &mut found);
    found.sort();
    let mut files: Vec<File> = found
        .iter()
        .map(|path| {
            let name = path.strip_prefix(&src).unwrap().to_str().unwrap().to_owned();
            let stem = name.strip_suffix(".rs").unwrap();
            let modules: Vec<&str> = stem.split('/').filter(|part| *part != "mod").collect();
            let top = ["lib", "main"].contains(&stem);
            File {
                room: if top { String::new() } else { modules[0].to_owned() },
                depth: if top { 0 } else { modules.len() },
                bare: bare(&std::fs::read_to_string(path).unwrap()),
                test: false,
                name,
            }
        })
        .collect();
    let tests: Vec<String> = files.iter().flat_map(|file| test_modules(&file.name, &file.bare)).collect();
    for file in &mut files {
        let stem = file.name.strip_suffix(".rs").unwrap();
        let of = |test: &String| {
            stem.strip_prefix(test.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        file.test = tests.iter().any(of);
    }
    files
}

#[test]
fn every_room_uses_only_what_the_architecture_allows() {
    let table = architecture();
    assert!(FILES.len() > 100, "{} files", FILES.len());
    let wrong: Vec<String> = FILES
        .iter()
        .filter(|file| !file.room.is_empty())
        .flat_map(|file| {
            let uses = reached(&file.room, file.depth, &file.bare);
            let wrong = forbidden(&table, &file.room, &uses);
            wrong.into_iter().map(|wrong| format!("{}: {wrong}", file.name))
        })
        .collect();
    assert_eq!(wrong, Vec::<String>::new());
}

#[test]
fn the_table_names_the_rooms_that_are_there() {
    let rooms: BTreeSet<String> =
        FILES.iter().map(|file| file.room.clone()).filter(|room| !room.is_empty()).collect();
    let table = architecture();
    assert_eq!(rooms, table.keys().cloned().collect());
    assert!(table["model"].is_empty());
    assert!(table["runtime"].contains("ui") && !table["runtime"].contains("cli"));
    assert_eq!(table["cli"].len(), table.len());
}

#[test]
fn a_forbidden_use_is_found() {
    let table = table(
        "| room | what lives there | may use |\n|---|---|---|\n| `model` | values | – |\n\
         | `judge` | rules | `model` |\n| `ui` | drawing | `judge`, `model` |\n| `cli` | `words` | all |\n\
         | `runtime` | loop | all but `cli` and `ui` |\n",
    );
    let found =
        |room: &str, depth: usize, text: &str| forbidden(&table, room, &reached(room, depth, &bare(text)));
    let none = Vec::<String>::new();
    assert_eq!(found("judge", 1, "use crate::model::Money;\nuse crate::judge::rules;"), none);
    assert_eq!(found("judge", 1, "use crate::ui::draw;"), ["judge -> ui"]);
    assert_eq!(found("judge", 1, "fn f() { crate::ui::draw(); }"), ["judge -> ui"]);
    assert_eq!(
        found("model", 1, "use crate::{\n    model::{self, Money},\n    judge::{rules, ui},\n    cli,\n};"),
        ["model -> cli", "model -> judge"]
    );
    assert_eq!(found("judge", 2, "use super::super::ui::draw;"), ["judge -> ui"]);
    assert_eq!(found("judge", 3, "use super::super::ui::draw;"), none);
    assert_eq!(found("runtime", 1, "use crate::{cli, judge, ui};"), ["runtime -> cli", "runtime -> ui"]);
    assert_eq!(found("cli", 1, "use crate::{ui, judge, runtime, model};"), none);
    assert_eq!(found("shed", 1, ""), ["shed is not in the table"]);
    let words = "// use crate::ui;\n/* crate::ui */ /// [`crate::ui`]\nconst A: &str = \"crate::ui\\\" crate::ui\";\n\
                 const B: &str = r#\"crate::ui \" crate::ui\"#;\nconst C: char = '\"';\nuse crate::cli;";
    assert_eq!(found("judge", 1, words), ["judge -> cli"]);
}

fn impure(bare: &str) -> Vec<String> {
    let is = |path: &String| {
        IMPURE.iter().any(|begin| {
            path.strip_prefix(begin).is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
        })
    };
    paths(bare).into_iter().filter(is).collect()
}

#[test]
fn pure_rooms_touch_no_clock_file_thread_or_chance() {
    let wrong: Vec<String> = FILES
        .iter()
        .filter(|file| !file.test && PURE.contains(&file.room.as_str()))
        .flat_map(|file| {
            let wrong = impure(without_tests(&file.bare));
            wrong.into_iter().map(|path| format!("{}: {path}", file.name))
        })
        .collect();
    assert_eq!(wrong, Vec::<String>::new());
}

#[test]
fn what_is_impure_is_found() {
    let text = "use std::{collections::BTreeMap, fs, time::{Duration, Instant}};\nfn f() { SystemTime::now(); }\n\
                let a = std::env::var(\"A\"); // std::net\n";
    assert_eq!(impure(&bare(text)), ["std::fs", "std::time::Instant", "SystemTime::now", "std::env::var"]);
    assert!(impure("use crate::model::time::Micros; let at = InstantRange::new();").is_empty());
}

fn prints(bare: &str) -> bool {
    bare.match_indices('!').any(|(at, _)| {
        let name: Vec<char> =
            bare.get(..at).unwrap().chars().rev().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
        let name: String = name.into_iter().rev().collect();
        PRINTING.contains(&name.as_str())
    })
}

#[test]
fn nothing_prints_but_the_output_layer() {
    assert!(prints("fn f() { println!(); }") && prints("eprint!(\"\")") && !prints("writeln!(out)"));
    let wrong: Vec<&str> = FILES
        .iter()
        .filter(|file| !file.test && file.room != "report" && prints(without_tests(&file.bare)))
        .map(|file| file.name.as_str())
        .collect();
    assert_eq!(wrong, Vec::<&str>::new());
    // Handles of the standard streams: the output layer, the screen that owns its terminal, and the tool server whose
    // protocol is spoken there.
    let handles = |file: &&File| {
        let named = |path: &String| path.ends_with("io::stdout") || path.ends_with("io::stderr");
        paths(without_tests(&file.bare)).iter().any(named)
    };
    let holders: Vec<&str> =
        FILES.iter().filter(|file| !file.test && handles(file)).map(|file| file.name.as_str()).collect();
    assert_eq!(
        holders,
        ["cli/call.rs", "lab/server.rs", "report/out.rs", "runtime/run.rs", "runtime/terminal.rs"]
    );
}
