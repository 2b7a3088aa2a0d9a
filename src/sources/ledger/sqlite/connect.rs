//! Opening a database that belongs to somebody else (`4-sources.md` 4.4, steps 1 to 5 and 7).

use std::ffi::OsString;
use std::fmt::Write as _;
use std::fs;
use std::io::Read as _;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use rusqlite::config::DbConfig;
use rusqlite::ffi;
use rusqlite::limits::Limit;
use rusqlite::{Connection, OpenFlags};

use super::SqliteError;
use crate::model::time::Micros;

/// SQLite waits so long for a lock; then it is tried again.
const BUSY: Duration = Duration::from_millis(250);
/// Tried for so long in all.
const LOCKED_FOR: Duration = Duration::from_secs(5);
/// Steps of SQLite between two looks at the clock and the cancel flag.
const STEPS: i32 = 20_000;
/// How a rollback journal begins that has something to roll back.
const JOURNAL_MAGIC: [u8; 8] = [0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7];

/// What an untrusted file may make SQLite do.
const LIMITS: [(Limit, i32); 9] = [
    (Limit::SQLITE_LIMIT_LENGTH, 16 << 20),
    (Limit::SQLITE_LIMIT_SQL_LENGTH, 1 << 20),
    (Limit::SQLITE_LIMIT_COLUMN, 1000),
    (Limit::SQLITE_LIMIT_EXPR_DEPTH, 100),
    (Limit::SQLITE_LIMIT_COMPOUND_SELECT, 50),
    (Limit::SQLITE_LIMIT_VDBE_OP, 1_000_000),
    (Limit::SQLITE_LIMIT_ATTACHED, 0),
    (Limit::SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 1000),
    (Limit::SQLITE_LIMIT_TRIGGER_DEPTH, 1),
];

/// A database file and how it is to be opened.
#[derive(Debug, Clone)]
pub struct Database {
    /// The resolved path.
    pub resolved: PathBuf,
    /// A backup that nobody writes (`--frozen`).
    pub frozen: bool,
    /// Time limit of one reading.
    pub limit: Duration,
}

/// What was seen while opening.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Opening {
    /// The clock before the read transaction began.
    pub read_at: Micros,
    /// Size of the `-wal` before opening.
    pub wal_bytes: u64,
    /// `-wal` or `-shm` were there before opening: somebody works with it.
    pub live: bool,
    /// Opened as a frozen file: nobody may write it meanwhile.
    pub frozen: bool,
    /// How long locks were waited for.
    pub waited: Duration,
}

impl Database {
    /// Resolves the path: links are followed, what is not a regular file is refused.
    ///
    /// # Errors
    /// When the path cannot be resolved, or is not a regular file.
    pub fn new(
        path: &Path,
        frozen: bool,
        limit: Duration,
    ) -> Result<Result<Self, SqliteError>, std::io::Error> {
        let resolved = fs::canonicalize(path)?;
        if !fs::metadata(&resolved)?.is_file() {
            return Ok(Err(SqliteError::NotRegular(resolved)));
        }
        Ok(Ok(Self { resolved, frozen, limit }))
    }

    fn beside(&self, ending: &str) -> PathBuf {
        let mut name = OsString::from(self.resolved.as_os_str());
        name.push(ending);
        PathBuf::from(name)
    }

    fn size_beside(&self, ending: &str) -> Option<u64> {
        fs::metadata(self.beside(ending)).ok().map(|kind| kind.len())
    }

    /// Whether a journal lies there that has something to roll back.
    fn journal(&self) -> bool {
        let mut head = [0; JOURNAL_MAGIC.len()];
        let read = fs::File::open(self.beside("-journal")).and_then(|mut file| file.read_exact(&mut head));
        read.is_ok() && head == JOURNAL_MAGIC
    }

    /// Opens the database, begins one read transaction, has it read, ends it and closes.
    ///
    /// # Errors
    /// When it cannot be opened or read: each cause has its own words.
    pub fn read<T>(
        &self,
        cancel: &Arc<AtomicBool>,
        pass: impl FnOnce(&Connection, Opening) -> Result<T, SqliteError>,
    ) -> Result<T, SqliteError> {
        let wal_bytes = self.size_beside("-wal").unwrap_or(0);
        let live = wal_bytes > 0 || self.size_beside("-wal").is_some() || self.size_beside("-shm").is_some();
        if self.frozen {
            if wal_bytes > 0 {
                return Err(SqliteError::NotFrozen(format!("a `-wal` of {wal_bytes} bytes")));
            }
            if self.journal() {
                return Err(SqliteError::NotFrozen("a `-journal`".to_owned()));
            }
        }
        let started = Instant::now();
        let stop = Stop { cancel: Arc::clone(cancel), until: started + self.limit };
        let mut frozen = self.frozen;
        loop {
            let read_at = now();
            let begun = self.begin(frozen, &stop);
            let connection = match begun {
                Ok(connection) => connection,
                Err(error) => match self.after(&error, frozen, started, &stop)? {
                    Next::Again => continue,
                    Next::Frozen => {
                        frozen = true;
                        continue;
                    }
                },
            };
            let opening = Opening { read_at, wal_bytes, live, frozen, waited: started.elapsed() };
            let read =
                pass(&connection, opening).map_err(|error| stop.reason(self.limit).unwrap_or(error))?;
            connection.execute_batch("COMMIT").map_err(|error| self.words(&error, &stop))?;
            // A failure to close a connection that only read changes nothing for what was read.
            drop(connection);
            return Ok(read);
        }
    }

    /// A connection inside its read transaction, with its snapshot taken.
    fn begin(&self, frozen: bool, stop: &Stop) -> Result<Connection, rusqlite::Error> {
        let read_only = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let mut connection = if frozen {
            Connection::open_with_flags(frozen_uri(&self.resolved), read_only | OpenFlags::SQLITE_OPEN_URI)?
        } else {
            // Resolved paths are absolute, so no name can be taken for a URI.
            Connection::open_with_flags(&self.resolved, read_only)?
        };
        connection.busy_timeout(BUSY)?;
        for (limit, most) in LIMITS {
            connection.set_limit(limit, most)?;
        }
        for (setting, on) in [
            (DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true),
            (DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false),
            (DbConfig::SQLITE_DBCONFIG_ENABLE_TRIGGER, false),
            // A misspelt column is an error and not a text.
            (DbConfig::SQLITE_DBCONFIG_DQS_DML, false),
            (DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true),
        ] {
            connection.set_db_config(setting, on)?;
        }
        connection.execute_batch("PRAGMA query_only=ON; PRAGMA cell_size_check=ON; PRAGMA mmap_size=0;")?;
        let stop = stop.clone();
        connection.progress_handler(STEPS, Some(move || stop.now()))?;
        connection.execute_batch("BEGIN")?;
        connection.query_row("SELECT count(*) FROM sqlite_schema", [], |_| Ok(()))?;
        Ok(connection)
    }

    /// What to do after the transaction could not begin.
    fn after(
        &self,
        error: &rusqlite::Error,
        frozen: bool,
        started: Instant,
        stop: &Stop,
    ) -> Result<Next, SqliteError> {
        if let Some(reason) = stop.reason(self.limit) {
            return Err(reason);
        }
        let (code, extended) = codes(error);
        match code {
            ffi::SQLITE_BUSY | ffi::SQLITE_LOCKED => {
                if started.elapsed() >= LOCKED_FOR {
                    return Err(SqliteError::Locked(LOCKED_FOR.as_secs()));
                }
                Ok(Next::Again)
            }
            _ if extended == ffi::SQLITE_READONLY_ROLLBACK
                || (code == ffi::SQLITE_READONLY && self.journal()) =>
            {
                Err(SqliteError::HotJournal)
            }
            // The folder cannot be written, so the index of the log cannot be made.
            ffi::SQLITE_CANTOPEN | ffi::SQLITE_READONLY if !frozen => {
                if self.journal() {
                    return Err(SqliteError::HotJournal);
                }
                match self.size_beside("-wal").unwrap_or(0) {
                    0 => Ok(Next::Frozen),
                    wal_bytes => Err(SqliteError::FolderWithWal { wal_bytes }),
                }
            }
            _ => Err(self.words(error, stop)),
        }
    }

    /// The words for what SQLite says.
    pub(super) fn words(&self, error: &rusqlite::Error, stop: &Stop) -> SqliteError {
        stop.reason(self.limit).unwrap_or_else(|| said(error))
    }
}

enum Next {
    Again,
    Frozen,
}

/// The words for an error of a running read.
pub(super) fn said(error: &rusqlite::Error) -> SqliteError {
    match codes(error).0 {
        ffi::SQLITE_NOTADB | ffi::SQLITE_CORRUPT => SqliteError::Damaged(error.to_string()),
        ffi::SQLITE_BUSY | ffi::SQLITE_LOCKED => SqliteError::Locked(LOCKED_FOR.as_secs()),
        _ => SqliteError::Sql(error.to_string()),
    }
}

fn codes(error: &rusqlite::Error) -> (i32, i32) {
    match error {
        rusqlite::Error::SqliteFailure(failure, _) => (failure.extended_code & 0xff, failure.extended_code),
        _ => (0, 0),
    }
}

/// When a reading has to stop.
#[derive(Debug, Clone)]
pub(super) struct Stop {
    cancel: Arc<AtomicBool>,
    until: Instant,
}

impl Stop {
    fn now(&self) -> bool {
        self.cancel.load(Ordering::Relaxed) || Instant::now() >= self.until
    }

    fn reason(&self, limit: Duration) -> Option<SqliteError> {
        if self.cancel.load(Ordering::Relaxed) {
            return Some(SqliteError::Cancelled);
        }
        (Instant::now() >= self.until).then_some(SqliteError::TimeLimit(limit.as_secs()))
    }
}

/// The URI of a frozen file: every byte that could mean something in it is written as `%XX`.
fn frozen_uri(path: &Path) -> String {
    let mut uri = String::from("file:");
    for byte in path.as_os_str().as_bytes() {
        if byte.is_ascii_alphanumeric() || matches!(byte, b'/' | b'.' | b'-' | b'_') {
            uri.push(char::from(*byte));
        } else {
            // Writing to a text cannot fail.
            let _ = write!(uri, "%{byte:02X}");
        }
    }
    uri.push_str("?mode=ro&immutable=1");
    uri
}

/// The clock, as microseconds of UTC.
fn now() -> Micros {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Micros(i64::try_from(since.as_micros()).unwrap_or(i64::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_frozen_name_is_only_a_name() {
        assert_eq!(
            frozen_uri(Path::new("/a/b?mode=rw#%20 ü.db")),
            "file:/a/b%3Fmode%3Drw%23%2520%20%C3%BC.db?mode=ro&immutable=1"
        );
    }
}
