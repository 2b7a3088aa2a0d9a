//! What an export says of itself in a file beside it, `NAME.position.json` (`4-sources.md` 4.6).

use std::ffi::OsString;
use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use super::json::{Parser, Reader, Slots, Want};
use super::row::Row;
use super::spec::Options;

/// A sidecar is small.
const LONGEST: u64 = 1 << 20;

const WANTED: [&[&str]; 11] = [
    &["exported_at"],
    &["covers_from"],
    &["rows"],
    &["complete"],
    &["role"],
    &["replayed_at"],
    &["query"],
    &["zone"],
    &["snapshot"],
    &["lsn"],
    &["newest_entry_at"],
];

/// The facts of a sidecar, as written.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Sidecar {
    /// The file.
    pub path: PathBuf,
    /// When the export was made.
    pub exported_at: Option<String>,
    /// Complete from here on.
    pub covers_from: Option<String>,
    /// How many rows the export holds: a control count (`4-sources.md` 4.16).
    pub rows: Option<u64>,
    /// Whether it is complete.
    pub complete: Option<bool>,
    /// `replica` where it was made from one.
    pub role: Option<String>,
    /// Up to when the replica had got.
    pub replayed_at: Option<String>,
    /// The query that made it.
    pub query: Option<String>,
    /// Zone of its times.
    pub zone: Option<String>,
    /// Snapshot of a PostgreSQL database.
    pub snapshot: Option<String>,
    /// Log position of a PostgreSQL database.
    pub lsn: Option<String>,
    /// Newest row as the database said.
    pub newest: Option<String>,
}

/// The names that a sidecar may have: after the whole file name, or instead of its ending.
pub fn names(path: &Path) -> [PathBuf; 2] {
    let mut whole = OsString::from(path.as_os_str());
    whole.push(".position.json");
    [PathBuf::from(whole), path.with_extension("position.json")]
}

/// Reads the sidecar of a file; `None` where there is none.
///
/// # Errors
/// In words, when there is one and it cannot be read.
pub fn beside(path: &Path) -> Result<Option<Sidecar>, String> {
    for name in names(path) {
        let Ok(file) = File::open(&name) else { continue };
        let mut bytes = Vec::new();
        let shown = name.display().to_string();
        file.take(LONGEST).read_to_end(&mut bytes).map_err(|error| format!("{shown}: {error}"))?;
        let sidecar = read(&bytes).map_err(|why| format!("{shown}: {why}"))?;
        return Ok(Some(Sidecar { path: name, ..sidecar }));
    }
    Ok(None)
}

fn read(bytes: &[u8]) -> Result<Sidecar, String> {
    let want = Want::exact(&WANTED).map_err(|error| error.to_string())?;
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    let mut slots = Slots::new();
    Reader::new(want, Parser::default()).read(bytes, &mut slots).map_err(|why| why.to_string())?;
    let text = |slot: usize| Row::text(&slots, slot).map(std::borrow::Cow::into_owned);
    Ok(Sidecar {
        path: PathBuf::new(),
        exported_at: text(0),
        covers_from: text(1),
        rows: text(2).and_then(|rows| rows.parse().ok()),
        complete: slots.is_true(3),
        role: text(4),
        replayed_at: text(5),
        query: text(6),
        zone: text(7),
        snapshot: text(8),
        lsn: text(9),
        newest: text(10),
    })
}

impl Sidecar {
    /// Fills in what options and mapping leave open; they win, and what differs is said.
    pub fn fill(&self, options: &mut Options) -> Vec<String> {
        let mut notes = Vec::new();
        let mut text = |name: &str, mine: &Option<String>, theirs: &mut Option<String>| match (mine, &theirs)
        {
            (Some(mine), None) => *theirs = Some(mine.clone()),
            (Some(mine), Some(given)) if mine != given => {
                notes.push(format!(
                    "the sidecar says {name} {mine}, the options say {given}: the options are used"
                ));
            }
            _ => {}
        };
        text("exported_at", &self.exported_at, &mut options.exported_at);
        text("covers_from", &self.covers_from, &mut options.covers_from);
        text("role", &self.role, &mut options.role);
        text("zone", &self.zone, &mut options.zone);
        if self.complete == Some(false) && options.incomplete.is_none() {
            options.incomplete = Some("the sidecar says that the export is not complete".to_owned());
        }
        notes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_names_are_looked_for_and_options_win() {
        let folder = tempfile::tempdir().unwrap();
        let ledger = folder.path().join("refunds.csv");
        assert_eq!(beside(&ledger), Ok(None));
        let text = r#"{"exported_at":"2026-11-30T09:00:00Z","rows":48177,"complete":false,"role":"replica","zone":"UTC"}"#;
        std::fs::write(folder.path().join("refunds.position.json"), text).unwrap();
        let found = beside(&ledger).unwrap().unwrap();
        assert_eq!(
            (found.rows, found.complete, found.role.as_deref()),
            (Some(48177), Some(false), Some("replica"))
        );
        let mut options = Options { zone: Some("Europe/Paris".to_owned()), ..Options::default() };
        let notes = found.fill(&mut options);
        assert_eq!(notes, ["the sidecar says zone UTC, the options say Europe/Paris: the options are used"]);
        assert_eq!(options.exported_at.as_deref(), Some("2026-11-30T09:00:00Z"));
        assert_eq!(options.role.as_deref(), Some("replica"));
        assert_eq!(options.zone.as_deref(), Some("Europe/Paris"));
        assert_eq!(options.incomplete.as_deref(), Some("the sidecar says that the export is not complete"));
        std::fs::write(folder.path().join("refunds.csv.position.json"), "{").unwrap();
        assert!(beside(&ledger).unwrap_err().contains("refunds.csv.position.json: not JSON"));
    }
}
