//! `normal`, `double-refund`, `neutral` and `idempotent` are what the lab leaves: made again here, and compared in
//! everything but times and ids.

use std::path::{Path, PathBuf};

use super::{masked, printed, text};

const SAMPLES: [(&str, &[&str], i32); 4] = [
    ("normal", &["normal"], 0),
    ("double-refund", &["double-refund"], 1),
    ("neutral", &["double-refund", "--retry-policy", "neutral"], 0),
    ("idempotent", &["idempotent"], 0),
];

fn sample(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("sample-data").join(name)
}

/// The lines of a trace, with the id of the run as samples have it.
fn trace(folder: &Path, name: &str) -> Vec<String> {
    let text = std::fs::read_to_string(folder.join("trace.jsonl")).unwrap();
    let run = format!("run_{}", name.replace('-', "_"));
    let mut masked = masked(&text);
    while let Some(at) = masked.find(&format!("{run}_")) {
        let salt = masked.get(at + run.len()..).unwrap().find('"').unwrap();
        assert_eq!(salt, 9, "{masked}");
        masked.replace_range(at + run.len()..at + run.len() + salt, "");
    }
    masked.lines().map(str::to_owned).collect()
}

/// Tables as they were made, and their rows.
fn dump(store: &Path) -> Vec<String> {
    let db = rusqlite::Connection::open(store).unwrap();
    let texts = |sql: &str| -> Vec<String> {
        let mut all = db.prepare(sql).unwrap();
        let columns = all.column_count();
        let rows = all.query_map([], |row| {
            let cells = (0..columns).map(|at| row.get::<_, rusqlite::types::Value>(at));
            let cells = cells.collect::<Result<Vec<_>, _>>()?;
            Ok(cells.into_iter().map(|cell| format!("{cell:?}")).collect::<Vec<_>>().join(" "))
        });
        rows.unwrap().map(Result::unwrap).collect()
    };
    let mut all = texts("SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY rowid");
    let mut tables: Vec<String> = Vec::new();
    let mut names = db.prepare("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name").unwrap();
    for name in names.query_map([], |row| row.get::<_, String>(0)).unwrap() {
        tables.push(name.unwrap());
    }
    for table in tables {
        all.push(format!("-- {table}"));
        all.extend(texts(&format!("SELECT * FROM {table}")));
    }
    all.iter().map(|line| masked(line)).collect()
}

/// The case, without its clock and without the property that the lab asks for.
fn case(folder: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(folder.join("recount.toml")).unwrap();
    let own = |line: &&str| !["now =", "read_at =", "property ="].iter().any(|key| line.starts_with(key));
    text.lines().filter(own).map(str::to_owned).collect()
}

#[test]
fn made_again_they_are_the_same_but_for_times_and_ids() {
    let folder = tempfile::tempdir().unwrap();
    for (name, command, exit) in SAMPLES {
        let made = folder.path().join(name);
        let args = [&["lab"], command, &["--out", text(&made)]].concat();
        assert_eq!(printed(&args).0, exit, "{name}");
        assert_eq!(trace(&made, name), trace(&sample(name), name), "{name}");
        assert_eq!(dump(&made.join("store.db")), dump(&sample(name).join("store.db")), "{name}");
        assert_eq!(case(&made), case(&sample(name)), "{name}");
    }
}
