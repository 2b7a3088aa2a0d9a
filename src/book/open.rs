//! Opening a book: whose it is, which version it has, and how SQLite keeps it (`3-lifecycle.md` 3.6.1).

use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _, OpenOptionsExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::config::DbConfig;
use rusqlite::{Connection, ErrorCode, OpenFlags, TransactionBehavior};
use tempfile::TempDir;

use super::Book;
use super::error::{BookError, of_io, of_sqlite, shown, to_read};
use super::head::HeadTo;
use super::schema::{APPLICATION_ID, STEPS, application, migrate, version};

/// How long another writer is waited for.
const BUSY: Duration = Duration::from_secs(10);

/// How a book is opened for writing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// A group may write it too: 0660 in a folder of that group (`case init --group-book`).
    pub group: bool,
    /// Where heads go.
    pub head_to: HeadTo,
    /// How long another writer is waited for.
    pub busy: Duration,
}

impl Default for Options {
    fn default() -> Self {
        Self { group: false, head_to: HeadTo::usual(), busy: BUSY }
    }
}

impl Book {
    /// Opens a book for writing, or makes one.
    ///
    /// # Errors
    /// A file that is no book, a newer book, one of somebody else, a place that cannot be written.
    pub fn open(path: &Path, options: &Options) -> Result<Self, BookError> {
        let mut notes = Vec::new();
        if !path.exists() {
            make(path, options.group)?;
        }
        owned(path, &mut notes)?;
        if let Some(kind) = on_network(path) {
            notes.push(format!(
                "{} lies on a network file system ({kind}), where locks may not hold; let one program at a time write it",
                shown(path)
            ));
        }
        let mut book = Self {
            path: path.to_owned(),
            db: None,
            writable: true,
            busy: options.busy,
            head_to: options.head_to.clone(),
            signer: None,
            notes,
            copy: None,
        };
        book.db = Some(book.connect_for_writing()?);
        Ok(book)
    }

    /// Opens a book for reading only; nothing of it is changed. Where its folder cannot be written and SQLite needs to,
    /// a copy is read.
    ///
    /// # Errors
    /// No file, a file that is no book, a newer book, a damaged one.
    pub fn look(path: &Path) -> Result<Self, BookError> {
        Self::looked(path).map_err(to_read)
    }

    fn looked(path: &Path) -> Result<Self, BookError> {
        fs::metadata(path).map_err(|why| of_io(path, &why))?;
        let failed = |why: rusqlite::Error| of_sqlite(path, &why);
        let mut copy = None;
        let mut db = match connect_for_reading(path) {
            Err(why) if needs_to_write(&why) => {
                let folder = copied(path).map_err(|why| of_io(path, &why))?;
                let db = connect_for_reading(&folder.path().join("book.db"));
                copy = Some(folder);
                db
            }
            other => other,
        }
        .map_err(failed)?;
        known(path, &db)?;
        let have = version(&db).map_err(failed)?;
        if have == 0 {
            return Err(BookError::Empty { path: shown(path) });
        }
        if have < i64::try_from(STEPS.len()).unwrap_or(i64::MAX) {
            // An older book is brought up to date by the next write; until then a copy of it is.
            let folder = copied(path).map_err(|why| of_io(path, &why))?;
            let own = folder.path().join("book.db");
            let mut write = Connection::open(&own).map_err(failed)?;
            let change = write.transaction().map_err(failed)?;
            migrate(&change, &STEPS).and_then(|()| change.commit()).map_err(failed)?;
            drop(write);
            db = connect_for_reading(&own).map_err(failed)?;
            copy = Some(folder);
        }
        Ok(Self {
            path: path.to_owned(),
            db: Some(db),
            writable: false,
            busy: BUSY,
            head_to: HeadTo::Nowhere,
            signer: None,
            notes: Vec::new(),
            copy,
        })
    }

    /// A new connection, with everything a writer needs.
    pub(super) fn connect_for_writing(&self) -> Result<Connection, BookError> {
        let path = &self.path;
        let failed = |why: &rusqlite::Error| of_sqlite(path, why);
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let mut db = Connection::open_with_flags(path, flags).map_err(|why| failed(&why))?;
        db.busy_timeout(self.busy).map_err(|why| failed(&why))?;
        known(path, &db)?;
        settle(&db, self.busy).map_err(|why| failed(&why))?;
        let steps = i64::try_from(STEPS.len()).unwrap_or(i64::MAX);
        if version(&db).map_err(|why| failed(&why))? < steps {
            let change =
                db.transaction_with_behavior(TransactionBehavior::Immediate).map_err(|why| failed(&why))?;
            let is_new = version(&change).map_err(|why| failed(&why))? == 0;
            migrate(&change, &STEPS).map_err(|why| failed(&why))?;
            if is_new {
                change
                    .execute("INSERT INTO secrets (name, bytes) VALUES ('tokens', randomblob(32))", [])
                    .map_err(|why| failed(&why))?;
            }
            change.commit().map_err(|why| failed(&why))?;
        }
        // SQLite opens a file that cannot be written for reading and fails at the first write; said here and now.
        if db.is_readonly("main").map_err(|why| failed(&why))? {
            return Err(BookError::ReadOnly { path: shown(path) });
        }
        Ok(db)
    }
}

/// The settings of every writer.
fn settle(db: &Connection, busy: Duration) -> rusqlite::Result<()> {
    db.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true)?;
    db.set_db_config(DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)?;
    // The change to WAL waits for nobody, so two that make a book at once would fail.
    let until = std::time::Instant::now() + busy;
    loop {
        match db.query_row("PRAGMA journal_mode = WAL", [], |row| row.get::<_, String>(0)) {
            Err(why)
                if why.sqlite_error_code() == Some(ErrorCode::DatabaseBusy)
                    && std::time::Instant::now() < until =>
            {
                std::thread::sleep(Duration::from_millis(5));
            }
            other => break other.map(|_| ())?,
        }
    }
    db.pragma_update(None, "synchronous", "FULL")?;
    db.pragma_update(None, "secure_delete", true)?;
    db.pragma_update(None, "cell_size_check", true)
}

fn connect_for_reading(path: &Path) -> rusqlite::Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let db = Connection::open_with_flags(path, flags)?;
    db.busy_timeout(BUSY)?;
    db.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true)?;
    db.set_db_config(DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)?;
    db.pragma_update(None, "query_only", true)?;
    db.pragma_update(None, "cell_size_check", true)?;
    db.query_row("SELECT count(*) FROM sqlite_master", [], |_| Ok(()))?;
    Ok(db)
}

fn needs_to_write(why: &rusqlite::Error) -> bool {
    matches!(why.sqlite_error_code(), Some(ErrorCode::CannotOpen | ErrorCode::ReadOnly))
}

/// The path of a file beside the book.
fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = OsString::from(path.as_os_str());
    name.push(ending);
    PathBuf::from(name)
}

/// A copy of the book and its log in a folder of ours, made again where somebody wrote meanwhile.
fn copied(path: &Path) -> std::io::Result<TempDir> {
    let folder = tempfile::tempdir()?;
    let log = beside(path, "-wal");
    let seen = || [path, &log].map(|file| fs::metadata(file).and_then(|m| Ok((m.len(), m.modified()?))).ok());
    for _ in 0..3 {
        let before = seen();
        if log.exists() {
            fs::copy(&log, folder.path().join("book.db-wal"))?;
        }
        fs::copy(path, folder.path().join("book.db"))?;
        if before == seen() {
            break;
        }
    }
    for name in ["book.db", "book.db-wal"] {
        let file = folder.path().join(name);
        if file.exists() {
            fs::set_permissions(file, fs::Permissions::from_mode(0o600))?;
        }
    }
    Ok(folder)
}

/// Makes an empty file of the right mode, and its folder where there is none.
fn make(path: &Path, group: bool) -> Result<(), BookError> {
    let folder = folder_of(path);
    if !folder.exists() {
        let mode = if group { 0o2770 } else { 0o700 };
        fs::DirBuilder::new()
            .recursive(true)
            .mode(mode)
            .create(folder)
            // The umask took bits of the group, and the system the one that hands the group on.
            .and_then(|()| fs::set_permissions(folder, fs::Permissions::from_mode(mode)))
            .map_err(|why| of_io(path, &why))?;
    }
    let mode = if group { 0o660 } else { 0o600 };
    let made = fs::OpenOptions::new().write(true).create_new(true).mode(mode).open(path);
    match made {
        Ok(file) => {
            // The umask may have taken bits of the group.
            file.set_permissions(fs::Permissions::from_mode(mode))
                .and_then(|()| file.sync_all())
                .and_then(|()| fs::File::open(folder))
                .and_then(|folder| folder.sync_all())
                .map_err(|why| of_io(path, &why))
        }
        Err(why) if why.kind() == std::io::ErrorKind::AlreadyExists => Ok(()),
        Err(why) => Err(of_io(path, &why)),
    }
}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Whose a file or folder is, and who may do what.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Owned {
    /// Numeric user.
    pub uid: u32,
    /// Numeric group.
    pub gid: u32,
    /// Permission bits.
    pub mode: u32,
}

/// What is done with a book of these permissions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ownership {
    /// It may be written.
    Ours,
    /// It is ours, and others may read it: it is set to 0600.
    Narrow,
    /// It is not written: why, and the command that repairs it (`{book}`, `{folder}`).
    Refused(&'static str, &'static str),
}

/// The table of 3.6.1: private or of a group. Pure.
pub fn ownership(me: u32, file: Owned, folder: Owned) -> Ownership {
    if folder.mode & 0o002 != 0 {
        return Ownership::Refused("everybody may write its folder", "chmod o-w {folder}");
    }
    if file.mode & 0o002 != 0 {
        return Ownership::Refused("everybody may write it", "chmod o-rwx {book}");
    }
    let is_group = file.mode & 0o777 == 0o660 && file.gid == folder.gid && folder.mode & 0o2770 == 0o2770;
    if is_group {
        Ownership::Ours
    } else if file.uid != me {
        Ownership::Refused(
            "it belongs to somebody else",
            "its owner shares it with chmod 660 {book} and chmod 2770 {folder}",
        )
    } else if file.mode & 0o020 != 0 {
        Ownership::Refused("its group may write it, and its folder is not made for that", "chmod 600 {book}")
    } else if file.mode & 0o077 != 0 {
        Ownership::Narrow
    } else {
        Ownership::Ours
    }
}

/// Looks whose the book is, and narrows what is ours.
fn owned(path: &Path, notes: &mut Vec<String>) -> Result<(), BookError> {
    let look = |path: &Path| {
        let found = fs::metadata(path).map_err(|why| of_io(path, &why))?;
        Ok::<_, BookError>(Owned { uid: found.uid(), gid: found.gid(), mode: found.mode() & 0o7777 })
    };
    let folder = folder_of(path);
    let me = rustix::process::geteuid().as_raw();
    match ownership(me, look(path)?, look(folder)?) {
        Ownership::Ours => Ok(()),
        Ownership::Narrow => {
            fs::set_permissions(path, fs::Permissions::from_mode(0o600)).map_err(|why| of_io(path, &why))?;
            notes.push(format!("{} could be read by others and is now 0600", shown(path)));
            Ok(())
        }
        Ownership::Refused(why, repair) => Err(BookError::NotOurs {
            path: shown(path),
            why: why.to_owned(),
            repair: repair.replace("{book}", &shown(path)).replace("{folder}", &shown(folder)),
        }),
    }
}

/// Kinds of network file systems, as Linux numbers them (`statfs`).
#[cfg(target_os = "linux")]
const NETWORKS: [(i64, &str); 8] = [
    (0x6969, "NFS"),
    (0x517b, "SMB"),
    (0xff53_4d42, "CIFS"),
    (0xfe53_4d42, "SMB2"),
    (0x5346_414f, "AFS"),
    (0x0102_1997, "9P"),
    (0x00c3_6400, "Ceph"),
    (0x0bd0_0bd0, "Lustre"),
];

/// The kind of network file system that a file lies on.
#[cfg(target_os = "linux")]
fn on_network(path: &Path) -> Option<&'static str> {
    let found = rustix::fs::statfs(path).ok()?;
    // Some machines number kinds with a sign, so only the lower half of the bits is compared.
    let kind = found.f_type & 0xffff_ffff;
    NETWORKS.iter().find(|(number, _)| *number == kind).map(|(_, name)| *name)
}

/// Not known here.
#[cfg(not(target_os = "linux"))]
fn on_network(_: &Path) -> Option<&'static str> {
    None
}

/// The file is a book of a version that is known, or empty.
fn known(path: &Path, db: &Connection) -> Result<(), BookError> {
    let failed = |why: rusqlite::Error| of_sqlite(path, &why);
    let have = version(db).map_err(failed)?;
    let whose = application(db).map_err(failed)?;
    let tables: i64 =
        db.query_row("SELECT count(*) FROM sqlite_master", [], |row| row.get(0)).map_err(failed)?;
    if whose != APPLICATION_ID && (whose != 0 || have != 0 || tables > 0) {
        return Err(BookError::NotABook {
            path: shown(path),
            why: "it is another SQLite database".to_owned(),
        });
    }
    let know = i64::try_from(STEPS.len()).unwrap_or(i64::MAX);
    if have > know {
        return Err(BookError::Newer { path: shown(path), have, know });
    }
    Ok(())
}
