//! `case init`, `case add`, `case remove`: what belongs to a case stands in its `recount.toml` (`7-commands.md` 7.5.3).
//! Nothing is copied, and no address of a database is printed.

pub mod add;
pub mod ask;
mod audited;
mod entry;
mod file;
pub mod init;
pub mod keep;
pub mod remove;

use super::options::{Set, Takes, again, flag, one, several};

/// What is added.
#[rustfmt::skip]
pub const ADDING: Set = Set { heading: "sources", options: &[
    one("case", "DIR", Takes::Path, "the case folder; default the current folder"),
    several("trace", "[FORMAT:]F", "traces, where content does not tell"),
    several("ledger", "S", "ledgers: a path, or an address such as postgres://HOST/DB?table=T&id=provider"),
    again("copy-of", "COPY=ORIGINAL", Takes::Pair, "one ledger is a copy of another, by id; it never adds"),
    again("part", "A,B", Takes::Text, "these ledgers are parts that add up, by id"),
    one("kind", "K", Takes::Text, "what the rows of generic ledgers are"),
    one("currency", "C", Takes::Text, "currency of amounts without one"),
    one("zone", "Z", Takes::Zone, "zone of times without one: UTC, Europe/Berlin, +02:00"),
    one("exported-at", "T", Takes::Time, "when a text ledger was exported"),
    one("covers-from", "T", Takes::TimeOrStart, "the listing is complete from there, or from the start"),
    again("where", "\"COLUMN = VALUE\"", Takes::Filter, "row filter of ledgers (=, !=, in (..), is null)"),
    flag("frozen", "SQLite files are backups that nobody writes"),
    one("now", "T", Takes::Time, "fixes the clock of this reading"),
    one("operator", "NAME", Takes::Text, "who answers; else RECOUNT_OPERATOR or the system user"),
] };

/// Of a new case.
#[rustfmt::skip]
pub const NEW: Set = Set { heading: "the book", options: &[
    flag("group-book", "a book that the group of the folder can reach"),
] };

/// Where a source is taken out.
#[rustfmt::skip]
pub const WHERE: Set = Set { heading: "case", options: &[
    one("case", "DIR", Takes::Path, "the case folder; default the current folder"),
    one("operator", "NAME", Takes::Text, "who takes it out; else RECOUNT_OPERATOR or the system user"),
] };
