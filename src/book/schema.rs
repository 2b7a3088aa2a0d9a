//! The tables of the book and the steps that make them (`3-lifecycle.md` 3.6.1). A version is a step; a newer book
//! than the program knows is refused by name, an older one is brought up to date in one transaction.

use rusqlite::Connection;

/// What tells a book from other SQLite files: `rcbk` in the header.
pub const APPLICATION_ID: i64 = 0x7263_626b;

/// Each step takes the book from the version of its place to the next one.
pub const STEPS: [&str; 2] = [include_str!("schema-1.sql"), include_str!("schema-2.sql")];

/// A table that follows from the entries.
#[derive(Debug, PartialEq, Eq)]
pub struct Table {
    /// Its name.
    pub name: &'static str,
    /// The columns that tell its rows apart.
    pub key: &'static [&'static str],
}

/// A table of this name and key.
const fn table(name: &'static str, key: &'static [&'static str]) -> Table {
    Table { name, key }
}

/// Which case the book is of.
pub static CASES: Table = table("cases", &["case_id"]);
/// Intended operations, with their state.
pub static INTENTS: Table = table("intents", &["intent_id"]);
/// Each change of a state.
pub static STATE_CHANGES: Table = table("state_changes", &["seq"]);
/// Claims of the gate, and what became of them.
pub static ATTEMPTS: Table = table("attempts", &["attempt_id"]);
/// Looks at the world.
pub static READBACKS: Table = table("readbacks", &["id"]);
/// Rows tied to intents by hand, and suggestions answered with no.
pub static LINKS: Table = table("links", &["source", "effect_id", "intent_id"]);
/// Owner, due time and delivery of an item.
pub static ASSIGNMENTS: Table = table("assignments", &["subject_type", "subject_id"]);
/// Decisions about a state.
pub static RESOLUTIONS: Table = table("resolutions", &["seq"]);
/// Decisions that wait for a second person.
pub static REQUESTS: Table = table("requests", &["seq"]);
/// What the second person said; each is used once.
pub static APPROVALS: Table = table("approvals", &["digest"]);
/// What closes an item.
pub static DISPOSITIONS: Table = table("dispositions", &["seq"]);
/// What a third person found afterwards.
pub static REVIEWS: Table = table("reviews", &["seq"]);
/// Policies in force, the last one now.
pub static POLICIES: Table = table("policies", &["seq"]);
/// Read positions that went back and were taken note of.
pub static POSITIONS: Table = table("acknowledged_positions", &["source"]);
/// Hazards that were made quiet.
pub static QUIET: Table = table("quiet_hazards", &["rule", "subject"]);

/// Every table that follows from the entries.
pub static TABLES: [&Table; 15] = [
    &CASES,
    &INTENTS,
    &STATE_CHANGES,
    &ATTEMPTS,
    &READBACKS,
    &LINKS,
    &ASSIGNMENTS,
    &RESOLUTIONS,
    &REQUESTS,
    &APPROVALS,
    &DISPOSITIONS,
    &REVIEWS,
    &POLICIES,
    &POSITIONS,
    &QUIET,
];

/// The version that a file says it has; 0 is an empty one.
pub fn version(db: &Connection) -> rusqlite::Result<i64> {
    db.query_row("PRAGMA user_version", [], |row| row.get(0))
}

/// Whose file it says it is.
pub fn application(db: &Connection) -> rusqlite::Result<i64> {
    db.query_row("PRAGMA application_id", [], |row| row.get(0))
}

/// Takes the steps that are missing. The caller has begun a transaction and ends it.
pub fn migrate(db: &Connection, steps: &[&str]) -> rusqlite::Result<()> {
    let have = version(db)?;
    for (step, to) in steps.iter().zip(1_i64..).skip(usize::try_from(have).unwrap_or(usize::MAX)) {
        db.execute_batch(step)?;
        db.pragma_update(None, "user_version", to)?;
    }
    db.pragma_update(None, "application_id", APPLICATION_ID)
}
