//! The read position, and what is still open: two looks on a primary (`4-sources.md` 4.5).

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::session::Session;
use crate::model::time::{Micros, Zone, parse_time};
use crate::sources::ledger::server::ServerError;

/// Ids of transactions that have written and are open, prepared ones among them; not those of other databases, which
/// cannot have written here. Every role may read this.
const OPEN: &str = "select l.transactionid::text from pg_locks as l \
     where l.locktype = 'transactionid' and l.mode = 'ExclusiveLock' and l.granted \
     and not exists (select 1 from pg_stat_activity as a where a.pid = l.pid and a.datname <> current_database()) \
     and not exists (select 1 from pg_prepared_xacts as p \
     where p.transaction = l.transactionid and p.database <> current_database()) order by 1";

/// Open ids are looked at so often.
const PAUSE: Duration = Duration::from_millis(100);

/// What the first look gave.
#[derive(Debug, Default)]
pub(super) struct First {
    /// The server's clock.
    pub(super) clock: Option<Micros>,
    /// The server is a replica.
    pub(super) replica: bool,
    /// Everything that had begun to write before is in the next snapshot.
    pub(super) settled: bool,
    /// Ids that were open, when there were any, and how long they were waited for.
    pub(super) waited: Option<(Vec<String>, Duration)>,
    /// Why nothing is proven by what comes: the sentence.
    pub(super) why: Option<String>,
}

/// First look, and the wait until nothing of it is open.
pub(super) fn first(
    session: &mut Session,
    schemas: &[String],
    patience: Duration,
    cancel: &Arc<AtomicBool>,
) -> Result<First, ServerError> {
    session.begin(schemas)?;
    let recovery =
        session.perhaps(|s| s.first("select pg_is_in_recovery()::text", &[], "pg_is_in_recovery"))?;
    let clock = session.first("select clock_timestamp()::text", &[], "the clock")?;
    session.end()?;
    let mut first =
        First { clock: clock.first().and_then(Option::as_deref).and_then(moment), ..First::default() };
    let Ok(recovery) = recovery else {
        first.why = Some("the server does not say whether it is a replica, so it may be one".to_owned());
        return Ok(first);
    };
    first.replica = recovery.first().and_then(Option::as_deref) != Some("false");
    if first.replica {
        return Ok(first);
    }
    let Ok(open) = open_ids(session, schemas)? else {
        first.why = Some("the server does not show which transactions are open".to_owned());
        return Ok(first);
    };
    let began = Instant::now();
    let mut left = open.clone();
    while !left.is_empty() && began.elapsed() < patience {
        if cancel.load(Ordering::Relaxed) {
            return Err(ServerError::Cancelled);
        }
        std::thread::sleep(PAUSE.min(patience));
        match open_ids(session, schemas)? {
            Ok(now) => left.retain(|id| now.contains(id)),
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

fn open_ids(
    session: &mut Session,
    schemas: &[String],
) -> Result<Result<Vec<String>, ServerError>, ServerError> {
    session.begin(schemas)?;
    let rows = session.perhaps(|s| s.rows(OPEN, &[], "pg_locks"))?;
    session.end()?;
    Ok(rows.map(|rows| {
        rows.iter().filter_map(|row| row.try_get::<_, Option<String>>(0).ok().flatten()).collect()
    }))
}

/// The position as the reading transaction sees it, in words; and up to when a replica had replayed. A function that the
/// server refuses costs its part of the position.
pub(super) fn position(session: &mut Session, replica: bool) -> Result<Position, ServerError> {
    let mut position = Position::default();
    let (lsn, replay) = if replica {
        ("select pg_last_wal_replay_lsn()::text", Some("select pg_last_xact_replay_timestamp()::text"))
    } else {
        ("select pg_current_wal_lsn()::text", None)
    };
    let mut ask = |sql: &str, part: &str| -> Result<Option<String>, ServerError> {
        if let Ok(cells) = session.perhaps(|s| s.first(sql, &[], part))? {
            return Ok(cells.into_iter().next().flatten());
        }
        position.notes.push(format!("the server does not say its {part}: the position is without it"));
        Ok(None)
    };
    let snapshot = ask("select pg_current_snapshot()::text", "snapshot")?;
    let lsn = ask(lsn, "LSN")?;
    let replayed = replay.map(|sql| ask(sql, "replay time")).transpose()?.flatten();
    let parts =
        [snapshot.map(|text| format!("snapshot {text}")), lsn.clone().map(|text| format!("LSN {text}"))];
    position.words = parts.into_iter().flatten().collect::<Vec<_>>().join(", ");
    position.lsn = lsn.unwrap_or_else(|| "not known".to_owned());
    position.replayed = replayed.as_deref().and_then(moment);
    Ok(position)
}

/// Where a reading stands.
#[derive(Debug, Default)]
pub(super) struct Position {
    pub(super) words: String,
    pub(super) lsn: String,
    pub(super) replayed: Option<Micros>,
    pub(super) notes: Vec<String>,
}

/// A time as the server prints it.
fn moment(text: &str) -> Option<Micros> {
    let time = parse_time(text, &Zone::Utc);
    (time.at != Micros::NONE).then_some(time.at)
}
