//! Which table is the ledger (`4-sources.md` 4.15).

use std::collections::HashSet;

use rusqlite::{Connection, params};

use super::connect::said;
use super::schema::{LISTED, Table, tables};
use super::{SqliteError, quoted};
use crate::model::time::Micros;
use crate::sources::mapping::{Columns, Layout};
use crate::sources::names::{ledger, record, shared};
use crate::sources::near::{did_you_mean, listed};

/// Operation ids, keys, receipts and business ids that occur in the loaded traces: they say which table is meant.
#[derive(Debug, Clone, Default)]
pub struct TraceIds {
    /// Operation ids.
    pub operations: HashSet<String>,
    /// Idempotency keys.
    pub keys: HashSet<String>,
    /// Effect ids that answers named.
    pub receipts: HashSet<String>,
    /// Business ids with their prefix.
    pub business: HashSet<String>,
    /// First and last moment of the calls, where all ids were asked for.
    pub window: Option<(Micros, Micros)>,
    /// Which of operation id, key and business id calls carry, as bits: each combination that occurs.
    pub carried: HashSet<u8>,
}

impl TraceIds {
    /// Bit of the operation id in [`TraceIds::carried`].
    pub const OPERATION: u8 = 1;
    /// Bit of the key.
    pub const KEY: u8 = 1 << 1;
    /// Bit of the business id.
    pub const BUSINESS: u8 = 1 << 2;
}

/// The table that is read, and why this one.
#[derive(Debug, Clone)]
pub struct Chosen {
    /// The table.
    pub table: Table,
    /// Its columns by slot.
    pub columns: Columns,
    /// In words, where it was not named; empty otherwise.
    pub why: String,
}

/// What a table has to have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wanted {
    /// A ledger: a link column, a time, and an id or an integer key.
    Ledger,
    /// Intent records or expectations: an id of the intent.
    Records,
}

impl Wanted {
    fn words(self) -> &'static str {
        match self {
            Self::Ledger => {
                "a ledger (a link column: operation id, key or business id; a time; an id or integer key)"
            }
            Self::Records => {
                "intent records (an operation id, intent id, key or business id, and an amount or count)"
            }
        }
    }

    fn fits(self, table: &Table, columns: &Columns) -> bool {
        const LINKS: [usize; 6] = [
            shared::OPERATION,
            shared::KEY,
            shared::BUSINESS,
            shared::BUSINESS + 1,
            shared::BUSINESS + 2,
            shared::BUSINESS + 3,
        ];
        match self {
            Self::Ledger => {
                columns.any(&LINKS)
                    && columns.any(&[ledger::COMMITTED])
                    && (columns.any(&[ledger::EFFECT]) || table.integer_key.is_some())
            }
            Self::Records => {
                (columns.any(&LINKS) || columns.any(&[record::INTENT]))
                    && columns.any(&[shared::AMOUNT, shared::AMOUNT_MINOR, record::COUNT, record::COUNT_MIN])
            }
        }
    }
}

/// Chooses the table: the named one, the only one that fits, or the one whose ids occur in the trace.
///
/// # Errors
/// When the named table or a mapped column is not there, when none fits, or when several do.
pub fn choose(
    connection: &Connection,
    named: Option<&str>,
    wanted: Wanted,
    layout: &Layout,
    ids: Option<&TraceIds>,
) -> Result<Chosen, SqliteError> {
    let occurs =
        |one: &Chosen, slot: usize, known: &HashSet<String>| occurs(connection, one, slot, layout, known);
    choose_among(tables(connection)?, named, wanted, layout, ids, occurs)
}

/// The same for tables of any database; `occurs` says whether one of some ids stands in the column of a slot.
///
/// # Errors
/// As [`choose`], and those of `occurs`.
pub fn choose_among<E: From<SqliteError>>(
    tables: Vec<Table>,
    named: Option<&str>,
    wanted: Wanted,
    layout: &Layout,
    ids: Option<&TraceIds>,
    occurs: impl FnMut(&Chosen, usize, &HashSet<String>) -> Result<bool, E>,
) -> Result<Chosen, E> {
    if let Some(name) = named {
        let table = find(tables, name)?;
        let columns = layout
            .columns(&table.header())
            .map_err(|error| SqliteError::Mapping { table: table.name.clone(), error })?;
        return Ok(Chosen { table, columns, why: String::new() });
    }
    let present = listed(&tables.iter().map(Table::words).collect::<Vec<_>>(), LISTED);
    let mut fitting = Vec::new();
    let mut ambiguous = None;
    for table in tables.into_iter().filter(|table| !table.view) {
        match layout.columns(&table.header()) {
            Ok(columns) if wanted.fits(&table, &columns) => {
                fitting.push(Chosen { table, columns, why: String::new() });
            }
            Ok(_) => {}
            Err(error) => {
                ambiguous = Some(SqliteError::Mapping { table: table.name, error });
            }
        }
    }
    match fitting.len() {
        0 => Err(ambiguous.unwrap_or(SqliteError::NoneFits { wanted: wanted.words(), present }).into()),
        1 => fitting
            .pop()
            .ok_or(SqliteError::NoneFits { wanted: wanted.words(), present }.into())
            .map(|one| Chosen { why: format!("{} is the only table that fits", one.table.name), ..one }),
        _ => by_trace(fitting, ids, occurs),
    }
}

fn find(tables: Vec<Table>, name: &str) -> Result<Table, SqliteError> {
    let at = tables.iter().position(|table| table.name.eq_ignore_ascii_case(name));
    let names: Vec<&str> = tables.iter().map(|table| table.name.as_str()).collect();
    let missing = SqliteError::NoTable {
        name: name.to_owned(),
        near: did_you_mean(name, names.iter().copied()),
        present: listed(&names, LISTED),
    };
    let table = at.and_then(|at| tables.into_iter().nth(at)).ok_or(missing)?;
    if table.view && table.columns.is_empty() {
        return Err(SqliteError::Virtual(table.name));
    }
    Ok(table)
}

/// Of several tables that fit, the one whose ids occur in the trace: by operation id or key, else by what answers
/// named, else by business id. Where several hold its business ids and the trace has neither operation ids nor keys (what
/// agents write has none), the only one that joins by operation id or key is taken.
fn by_trace<E: From<SqliteError>>(
    fitting: Vec<Chosen>,
    ids: Option<&TraceIds>,
    mut occurs: impl FnMut(&Chosen, usize, &HashSet<String>) -> Result<bool, E>,
) -> Result<Chosen, E> {
    let names: Vec<String> = fitting.iter().map(|one| one.table.name.clone()).collect();
    let several = || SqliteError::Several { candidates: names.clone() };
    let ids = ids.ok_or_else(|| E::from(several()))?;
    let id_slots = [(shared::OPERATION, &ids.operations), (shared::KEY, &ids.keys)];
    let receipts = [(ledger::EFFECT, &ids.receipts)];
    let nameless = ids.operations.is_empty() && ids.keys.is_empty();
    let by_id = |one: &Chosen| nameless && one.columns.any(&[shared::OPERATION, shared::KEY]);
    let business: Vec<(usize, &HashSet<String>)> = (shared::BUSINESS
        ..shared::BUSINESS + shared::BUSINESS_SLOTS)
        .map(|slot| (slot, &ids.business))
        .collect();
    let steps = [
        (&id_slots[..], "operation ids or keys"),
        (&receipts[..], "receipts"),
        (business.as_slice(), "business ids"),
    ];
    for (slots, which) in steps {
        let mut hits = Vec::new();
        for (number, one) in fitting.iter().enumerate() {
            for (slot, known) in slots {
                if occurs(one, *slot, known)? {
                    hits.push(number);
                    break;
                }
            }
        }
        let joined: Vec<usize> =
            hits.iter().copied().filter(|at| fitting.get(*at).is_some_and(by_id)).collect();
        let chosen = if hits.len() > 1 && joined.len() == 1 { joined.as_slice() } else { hits.as_slice() };
        match chosen {
            [] => {}
            [one] => {
                let others: Vec<&str> = names
                    .iter()
                    .enumerate()
                    .filter(|(at, _)| at != one)
                    .map(|(_, name)| name.as_str())
                    .collect();
                let name = names.get(*one).cloned().unwrap_or_default();
                let others = listed(&others, LISTED);
                let why = if hits.len() > 1 {
                    format!("{name} joins by operation id or key; {others} fits too")
                } else {
                    format!("{name} holds {which} of the trace; {others} fits too")
                };
                return fitting
                    .into_iter()
                    .nth(*one)
                    .ok_or_else(|| several().into())
                    .map(|chosen| Chosen { why, ..chosen });
            }
            _ => return Err(several().into()),
        }
    }
    Err(several().into())
}

/// Whether one of these ids stands in the column of a slot.
fn occurs(
    connection: &Connection,
    one: &Chosen,
    slot: usize,
    layout: &Layout,
    ids: &HashSet<String>,
) -> Result<bool, SqliteError> {
    let column = one.columns.of.get(slot).copied().flatten().and_then(|at| one.table.columns.get(at));
    let Some(column) = column.filter(|_| !ids.is_empty()) else {
        return Ok(false);
    };
    let prefix = layout.plan().prefix(slot);
    let mut wanted: Vec<&str> = ids.iter().map(String::as_str).collect();
    if !prefix.is_empty() {
        wanted.extend(ids.iter().filter_map(|id| id.strip_prefix(prefix)));
    }
    let list = serde_json::to_string(&wanted).unwrap_or_else(|_| "[]".to_owned());
    let sql = format!(
        "SELECT EXISTS (SELECT 1 FROM {} WHERE CAST({} AS TEXT) IN (SELECT value FROM json_each(?1)))",
        quoted(&one.table.name),
        quoted(&column.name)
    );
    connection.query_row(&sql, params![list], |row| row.get(0)).map_err(|error| said(&error))
}
