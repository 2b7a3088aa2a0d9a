//! The store of the tool server: orders, refunds and, for the idempotent server, receipts (SQLite).
//!
//! It is the authority of the experiment: what stands in `refunds` has happened, whatever anybody was told.

use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::{Connection, OpenFlags, OptionalExtension as _, Transaction, TransactionBehavior, params};

use crate::canon;
use crate::model::money::{parse_decimal, to_exponent};
use crate::report::file::shown;
use crate::text::json_string;

use super::LabError;
use super::setup::{CURRENCY, EXPONENT, Mode, ORDER, TOTAL_MINOR};

/// The tables, with the statements that make them; a store is recognised by them.
const ORDERS: &str = "CREATE TABLE orders (
  order_id TEXT PRIMARY KEY,
  total_minor INTEGER NOT NULL,
  currency TEXT NOT NULL
)";
const REFUNDS: &str = "CREATE TABLE refunds (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  refund_id TEXT NOT NULL UNIQUE,
  order_id TEXT NOT NULL,
  amount_minor INTEGER NOT NULL,
  currency TEXT NOT NULL,
  operation_id TEXT,
  committed_at TEXT NOT NULL
)";
const RECEIPTS: &str = "CREATE TABLE receipts (
  operation_id TEXT PRIMARY KEY,
  payload_hash TEXT NOT NULL,
  refund_id TEXT NOT NULL,
  answer TEXT NOT NULL
)";

/// How long one server waits for another one that writes.
const BUSY: Duration = Duration::from_secs(10);

/// A moment in the life of a refund at which a fault may strike.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Moment {
    /// Everything is written, nothing is durable.
    BeforeCommit,
    /// It is durable, nobody was told.
    AfterCommit,
}

/// An order as the store has it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Order {
    /// What it cost, in minor units.
    pub total_minor: i64,
    /// Its currency.
    pub currency: String,
    /// What was refunded, in minor units.
    pub refunded_minor: i64,
    /// Refunds that were made.
    pub refunds: i64,
}

/// A refund as the store has it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Row {
    /// Its number.
    pub id: i64,
    /// Its id.
    pub refund_id: String,
    /// Minor units.
    pub amount_minor: i64,
    /// The operation that asked for it.
    pub operation_id: Option<String>,
    /// When it was committed, RFC 3339 with milliseconds.
    pub committed_at: String,
}

/// What a call of `refund_order` asks for.
#[derive(Clone, Debug)]
pub struct Request<'a> {
    /// The order.
    pub order_id: &'a str,
    /// US dollars, as the token stands in the call.
    pub amount: &'a str,
    /// The operation id that the dispatcher passed.
    pub operation_id: Option<&'a str>,
}

/// What the server answers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// Done, or done before: JSON text.
    Done(String),
    /// Refused, and why. Nothing was changed.
    Refused(String),
}

/// An open store.
pub struct Store {
    db: Connection,
    path: PathBuf,
}

impl Store {
    /// Opens a store, or makes one with its order where there is no file.
    ///
    /// # Errors
    /// A file that cannot be opened, or that is something else.
    pub fn open(path: &Path, mode: Mode) -> Result<Self, LabError> {
        let failed = |why| LabError::Store { path: shown(path), why };
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE
            | OpenFlags::SQLITE_OPEN_CREATE
            | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let mut db = Connection::open_with_flags(path, flags).map_err(failed)?;
        db.busy_timeout(BUSY).map_err(failed)?;
        let change = db.transaction_with_behavior(TransactionBehavior::Immediate).map_err(|why| {
            if why.sqlite_error_code() == Some(rusqlite::ErrorCode::NotADatabase) {
                LabError::NotAStore { path: shown(path), why: "no SQLite database".to_owned() }
            } else {
                failed(why)
            }
        })?;
        prepare(&change, mode, path)?;
        change.commit().map_err(failed)?;
        Ok(Self { db, path: path.to_owned() })
    }

    /// An order; `None` where there is none of this id.
    ///
    /// # Errors
    /// What SQLite says.
    pub fn order(&self, id: &str) -> Result<Option<Order>, LabError> {
        self.db
            .query_row(
                "SELECT o.total_minor, o.currency, coalesce(sum(r.amount_minor), 0), count(r.id)
                 FROM orders o LEFT JOIN refunds r ON r.order_id = o.order_id
                 WHERE o.order_id = ?1 GROUP BY o.order_id",
                [id],
                |row| {
                    Ok(Order {
                        total_minor: row.get(0)?,
                        currency: row.get(1)?,
                        refunded_minor: row.get(2)?,
                        refunds: row.get(3)?,
                    })
                },
            )
            .optional()
            .map_err(|why| self.failed(why))
    }

    /// All refunds, oldest first.
    ///
    /// # Errors
    /// What SQLite says.
    pub fn rows(&self) -> Result<Vec<Row>, LabError> {
        let read = || -> rusqlite::Result<Vec<Row>> {
            let mut all = self.db.prepare(
                "SELECT id, refund_id, amount_minor, operation_id, committed_at FROM refunds ORDER BY id",
            )?;
            let rows = all.query_map([], |row| {
                Ok(Row {
                    id: row.get(0)?,
                    refund_id: row.get(1)?,
                    amount_minor: row.get(2)?,
                    operation_id: row.get(3)?,
                    committed_at: row.get(4)?,
                })
            })?;
            rows.collect()
        };
        read().map_err(|why| self.failed(why))
    }

    /// Refunds. `strike` is called at each [`Moment`] of a refund that is really made.
    ///
    /// # Errors
    /// What SQLite says; nothing was changed then.
    pub fn refund(
        &mut self,
        mode: Mode,
        request: &Request<'_>,
        mut strike: impl FnMut(Moment),
    ) -> Result<Answer, LabError> {
        let minor = match minor_units(request.amount) {
            Ok(minor) => minor,
            Err(why) => return Ok(Answer::Refused(why)),
        };
        let payload =
            format!("{{\"order_id\":{},\"amount\":{}}}", json_string(request.order_id), request.amount);
        let hash = match canon::hash(&payload) {
            Ok(hash) => hash,
            Err(why) => return Ok(Answer::Refused(why.to_string())),
        };
        let path = self.path.clone();
        let failed = |why| LabError::Store { path: shown(&path), why };
        let known = match (mode, request.operation_id) {
            (Mode::Unsafe, _) => None,
            (Mode::Idempotent, Some(id)) => Some(id),
            (Mode::Idempotent, None) => {
                return Ok(Answer::Refused(
                    "no operation id in _meta.operation_id; this server makes no refund without one"
                        .to_owned(),
                ));
            }
        };
        let change = self.db.transaction_with_behavior(TransactionBehavior::Immediate).map_err(failed)?;
        if let Some(id) = known
            && let Some(answer) = receipt(&change, id, &hash).map_err(failed)?
        {
            return Ok(answer);
        }
        if let Some(why) = not_possible(&change, request.order_id, minor).map_err(failed)? {
            return Ok(Answer::Refused(why));
        }
        let refund_id: String = change
            .query_row(
                "INSERT INTO refunds (refund_id, order_id, amount_minor, currency, operation_id, committed_at)
                 VALUES ('rfd_' || lower(hex(randomblob(4))), ?1, ?2, ?3, ?4, strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))
                 RETURNING refund_id",
                params![request.order_id, minor, CURRENCY, request.operation_id],
                |row| row.get(0),
            )
            .map_err(failed)?;
        let answer = canon::canonical(&format!(
            "{{\"refund_id\":\"{refund_id}\",\"order_id\":{},\"amount\":{},\"committed\":true}}",
            json_string(request.order_id),
            request.amount
        ))
        .map_err(|why| LabError::Other(format!("the answer cannot be written: {why}")))?;
        if let Some(id) = known {
            change
                .execute(
                    "INSERT INTO receipts (operation_id, payload_hash, refund_id, answer) VALUES (?1, ?2, ?3, ?4)",
                    params![id, hash, refund_id, answer],
                )
                .map_err(failed)?;
        }
        strike(Moment::BeforeCommit);
        change.commit().map_err(failed)?;
        strike(Moment::AfterCommit);
        Ok(Answer::Done(answer))
    }

    fn failed(&self, why: rusqlite::Error) -> LabError {
        LabError::Store { path: shown(&self.path), why }
    }
}

/// Makes the tables of a new store, or sees that a file is one. Nothing is written to anything else.
fn prepare(change: &Transaction<'_>, mode: Mode, path: &Path) -> Result<(), LabError> {
    let failed = |why| LabError::Store { path: shown(path), why };
    let tables = {
        let read = || -> rusqlite::Result<Vec<(String, String)>> {
            let mut all = change.prepare(
                "SELECT name, coalesce(sql, '') FROM sqlite_master WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\'",
            )?;
            let rows = all.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
            rows.collect()
        };
        read().map_err(failed)?
    };
    let make = |sql: &str| change.execute(sql, []).map_err(failed);
    if tables.is_empty() {
        make(ORDERS)?;
        make(REFUNDS)?;
        change
            .execute("INSERT INTO orders VALUES (?1, ?2, ?3)", params![ORDER, TOTAL_MINOR, CURRENCY])
            .map_err(failed)?;
    }
    let known = [("orders", ORDERS), ("refunds", REFUNDS), ("receipts", RECEIPTS)];
    let strange = tables.iter().find(|(name, sql)| !known.contains(&(name.as_str(), sql.as_str())));
    if let Some((name, _)) = strange {
        let why = format!("{} is none of its tables", super::client::raw_line(name));
        return Err(LabError::NotAStore { path: shown(path), why });
    }
    let has = |name: &str| tables.iter().any(|(known, _)| known == name);
    let whole = has("orders") && has("refunds");
    if !tables.is_empty() && !whole {
        let why = "a table is missing".to_owned();
        return Err(LabError::NotAStore { path: shown(path), why });
    }
    if mode == Mode::Idempotent && !has("receipts") {
        make(RECEIPTS)?;
    }
    Ok(())
}

/// Dollars as cents, from the token.
fn minor_units(token: &str) -> Result<i64, String> {
    if !token.starts_with(|c: char| c.is_ascii_digit() || c == '-') {
        return Err("amount must be a number of US dollars".to_owned());
    }
    let amount = parse_decimal(token)
        .and_then(|amount| to_exponent(amount, EXPONENT))
        .map_err(|why| format!("amount: {why}"))?;
    if amount.digits > 0 { Ok(amount.digits) } else { Err("amount must be more than 0".to_owned()) }
}

/// The stored answer of an operation that is known, marked as such.
fn receipt(change: &Transaction<'_>, operation: &str, hash: &str) -> rusqlite::Result<Option<Answer>> {
    let stored: Option<(String, String)> = change
        .query_row("SELECT payload_hash, answer FROM receipts WHERE operation_id = ?1", [operation], |row| {
            Ok((row.get(0)?, row.get(1)?))
        })
        .optional()?;
    Ok(stored.map(|(known, answer)| {
        if known != hash {
            return Answer::Refused(
                "this operation id is known with another payload; nothing was refunded".to_owned(),
            );
        }
        let marked = answer.strip_prefix('{').map(|rest| format!("{{\"reused\":true,{rest}"));
        Answer::Done(marked.and_then(|text| canon::canonical(&text).ok()).unwrap_or(answer))
    }))
}

/// Why an order cannot be refunded so much.
fn not_possible(change: &Transaction<'_>, order: &str, minor: i64) -> rusqlite::Result<Option<String>> {
    let left: Option<i64> = change
        .query_row(
            "SELECT total_minor - (SELECT coalesce(sum(amount_minor), 0) FROM refunds r WHERE r.order_id = o.order_id)
             FROM orders o WHERE o.order_id = ?1",
            [order],
            |row| row.get(0),
        )
        .optional()?;
    Ok(match left {
        None => Some("no such order".to_owned()),
        Some(left) if left < minor => Some("more than what is left of the order".to_owned()),
        Some(_) => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ask<'a>(amount: &'a str, operation: Option<&'a str>) -> Request<'a> {
        Request { order_id: ORDER, amount, operation_id: operation }
    }

    fn refused(answer: Answer) -> String {
        match answer {
            Answer::Refused(why) => why,
            Answer::Done(answer) => panic!("done: {answer}"),
        }
    }

    #[test]
    fn the_unsafe_server_refunds_each_time_and_the_other_once() {
        let folder = tempfile::tempdir().unwrap();
        for (mode, rows) in [(Mode::Unsafe, 2), (Mode::Idempotent, 1)] {
            let mut store = Store::open(&folder.path().join(mode.word()), mode).unwrap();
            let mut moments = Vec::new();
            for _ in 0..2 {
                let answer = store.refund(mode, &ask("200", Some("op_1")), |at| moments.push(at)).unwrap();
                assert!(matches!(answer, Answer::Done(_)));
            }
            assert_eq!(i64::try_from(store.rows().unwrap().len()), Ok(rows));
            assert_eq!(i64::try_from(moments.len()), Ok(rows * 2));
            let order = store.order(ORDER).unwrap().unwrap();
            assert_eq!((order.refunds, order.refunded_minor), (rows, 20_000 * rows));
        }
    }

    #[test]
    fn a_known_operation_gets_its_receipt_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let mode = Mode::Idempotent;
        let mut store = Store::open(&folder.path().join("s.db"), mode).unwrap();
        let first = store.refund(mode, &ask("200", Some("op_1")), |_| ()).unwrap();
        let Answer::Done(first) = first else { panic!("refused") };
        let refund = store.rows().unwrap()[0].refund_id.clone();
        assert_eq!(
            first,
            format!("{{\"amount\":200,\"committed\":true,\"order_id\":\"1234\",\"refund_id\":\"{refund}\"}}")
        );
        // Another way to write the same number is the same payload.
        let again = store.refund(mode, &ask("200.00", Some("op_1")), |_| ()).unwrap();
        assert_eq!(again, Answer::Done(first.replace("\"}", "\",\"reused\":true}")));
        let other = store.refund(mode, &ask("100", Some("op_1")), |_| ()).unwrap();
        assert!(refused(other).contains("another payload"));
        assert!(refused(store.refund(mode, &ask("1", None), |_| ()).unwrap()).contains("no operation id"));
        assert_eq!(store.rows().unwrap().len(), 1);
    }

    #[test]
    fn what_cannot_be_refunded_is_refused_and_changes_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let mut store = Store::open(&folder.path().join("s.db"), Mode::Unsafe).unwrap();
        for (amount, why) in [
            ("\"200\"", "a number of US dollars"),
            ("null", "a number of US dollars"),
            ("0", "more than 0"),
            ("-5", "more than 0"),
            ("200.005", "amount: "),
            ("1e400", "amount: "),
            ("500.01", "more than what is left"),
        ] {
            let answer = refused(store.refund(Mode::Unsafe, &ask(amount, None), |_| ()).unwrap());
            assert!(answer.contains(why), "{amount}: {answer}");
        }
        let other = Request { order_id: "1", amount: "1", operation_id: None };
        assert_eq!(refused(store.refund(Mode::Unsafe, &other, |_| ()).unwrap()), "no such order");
        assert_eq!(store.rows().unwrap(), []);
    }

    #[test]
    fn nothing_is_written_to_a_database_of_somebody_else() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("payments.db");
        let other = Connection::open(&path).unwrap();
        other.execute_batch("CREATE TABLE refunds (id, amount); CREATE TABLE x (y)").unwrap();
        drop(other);
        let before = std::fs::read(&path).unwrap();
        let why = Store::open(&path, Mode::Idempotent).err().unwrap().to_string();
        assert!(
            why.contains("payments.db is not a store of the lab (refunds is none of its tables)"),
            "{why}"
        );
        assert_eq!(std::fs::read(&path).unwrap(), before);

        let text = folder.path().join("notes.txt");
        std::fs::write(&text, "nothing of a database here, but long enough to be looked at").unwrap();
        let why = Store::open(&text, Mode::Unsafe).err().unwrap().to_string();
        assert!(why.contains("no SQLite database"), "{why}");
        assert!(Store::open(&folder.path().join("no/such/folder.db"), Mode::Unsafe).is_err());
    }
}
