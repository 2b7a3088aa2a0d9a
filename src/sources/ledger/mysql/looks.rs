//! What is still open, and the read position: two looks, where the role may see the transactions of others.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::session::{Session, perhaps};
use crate::model::time::{Micros, Zone, parse_time};
use crate::sources::ledger::server::ServerError;

/// Transactions that have written and are open, prepared ones among them, and those that say nothing of it.
const OPEN: &str = "select cast(t.trx_id as char), cast(t.trx_mysql_thread_id as char), \
     cast(t.trx_rows_modified as char) from information_schema.innodb_trx as t";

/// The list of transactions is kept by the server for a tenth of a second.
const PAUSE: Duration = Duration::from_millis(250);

/// So often an own transaction is looked for in the list.
const TRIES: usize = 8;

/// What the first look gave.
#[derive(Debug, Default)]
pub(super) struct First {
    /// The server's clock.
    pub(super) clock: Option<Micros>,
    /// The server is a replica.
    pub(super) replica: bool,
    /// Everything that had begun to write before is in the next snapshot.
    pub(super) settled: bool,
    /// Transactions that were open, when there were any, and how long they were waited for.
    pub(super) waited: Option<(Vec<String>, Duration)>,
    /// Why nothing is proven by what comes: the sentence.
    pub(super) why: Option<String>,
}

/// First look, and the wait until nothing of it is open. The session has had no transaction before.
pub(super) fn first(
    session: &mut Session,
    patience: Duration,
    cancel: &Arc<AtomicBool>,
) -> Result<First, ServerError> {
    let clock = session.first("select cast(utc_timestamp(6) as char)", Vec::new(), "the clock")?;
    let clock = clock.first().and_then(Option::as_deref).and_then(moment);
    let mut first = First { clock, ..First::default() };
    match is_replica(session)? {
        Some(true) => {
            first.replica = true;
            return Ok(first);
        }
        Some(false) => {}
        None => {
            let right = if session.maria { "slave monitor" } else { "replication client" };
            first.why = Some(format!(
                "this role may not ask whether the server is a replica, so it may be one: `grant {right} on *.* to {}`",
                session.role.user
            ));
            return Ok(first);
        }
    }
    // Its own transaction stands in a list that is younger than the clock above.
    session.begin()?;
    let mut open = None;
    for _ in 0..TRIES {
        std::thread::sleep(PAUSE);
        match perhaps(session.rows(OPEN, Vec::new(), "the open transactions"))? {
            Err(_) => break,
            Ok(rows) => {
                let own = session.first("select cast(connection_id() as char)", Vec::new(), "its number")?;
                let own = own.into_iter().next().flatten();
                if own.is_some() && rows.iter().any(|row| row.get(1) == Some(&own)) {
                    open = Some(writers(&rows));
                    break;
                }
            }
        }
    }
    session.end()?;
    let Some(open) = open else {
        first.why = Some(format!(
            "this role may not see which transactions are open: `grant process on *.* to {}`",
            session.role.user
        ));
        return Ok(first);
    };
    let began = Instant::now();
    let mut left = open.clone();
    while !left.is_empty() && began.elapsed() < patience {
        if cancel.load(Ordering::Relaxed) {
            return Err(ServerError::Cancelled);
        }
        std::thread::sleep(PAUSE.min(patience));
        match perhaps(session.rows(OPEN, Vec::new(), "the open transactions"))? {
            Ok(rows) => {
                let now = writers(&rows);
                left.retain(|id| now.contains(id));
            }
            Err(_) => break,
        }
    }
    if !open.is_empty() {
        first.waited = Some((open, began.elapsed()));
    }
    first.settled = left.is_empty();
    if let Some(id) = left.first() {
        first.why = Some(format!("transaction {id} is open since before the first look"));
    }
    Ok(first)
}

/// Ids of those that have written.
fn writers(rows: &[Vec<Option<String>>]) -> Vec<String> {
    let wrote = |row: &&Vec<Option<String>>| row.get(2).and_then(Option::as_deref) != Some("0");
    let mut ids: Vec<String> =
        rows.iter().filter(wrote).filter_map(|row| row.first().cloned().flatten()).collect();
    ids.sort_unstable();
    ids
}

/// Whether it follows another server; `None` where it does not say.
fn is_replica(session: &mut Session) -> Result<Option<bool>, ServerError> {
    let words: &[&str] = if session.maria {
        &["show all slaves status"]
    } else {
        &["show replica status", "show slave status"]
    };
    for sql in words {
        if let Ok(rows) = perhaps(session.show(sql))? {
            return Ok(Some(!rows.is_empty()));
        }
    }
    Ok(None)
}

/// The position as the reading transaction sees it, in words: what the binary log held when the snapshot was taken,
/// else the global transaction ids, else the time of the snapshot.
pub(super) fn position(session: &mut Session, clock: Option<&str>) -> Result<String, ServerError> {
    if session.maria
        && let Ok(rows) = perhaps(session.show("show status like 'binlog_snapshot_%'"))?
    {
        let value = |name: &str| {
            let row = rows.iter().find(|row| {
                row.first().cloned().flatten().is_some_and(|known| known.eq_ignore_ascii_case(name))
            })?;
            row.get(1).cloned().flatten().filter(|text| !text.is_empty())
        };
        if let Some((file, at)) = value("binlog_snapshot_file").zip(value("binlog_snapshot_position")) {
            return Ok(format!("binlog {file}:{at}"));
        }
    }
    let variable = if session.maria { "gtid_current_pos" } else { "gtid_executed" };
    let sql = format!("select cast(@@global.{variable} as char)");
    if let Ok(cells) = perhaps(session.first(&sql, Vec::new(), "its position"))?
        && let Some(text) = cells.into_iter().next().flatten().filter(|text| !text.is_empty())
    {
        return Ok(format!("GTID {}", text.split_whitespace().collect::<String>()));
    }
    Ok(clock.map_or_else(String::new, |clock| format!("snapshot of {}Z", clock.replace(' ', "T"))))
}

/// A time as the server prints it; its session is in UTC.
pub(super) fn moment(text: &str) -> Option<Micros> {
    let time = parse_time(text, &Zone::Utc);
    (time.at != Micros::NONE).then_some(time.at)
}
