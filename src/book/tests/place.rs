//! Where a book lies: whose it is, and each thing that keeps it from being written, in one sentence
//! (`3-lifecycle.md` 3.6.1, 3.17; `reliability.md` G11).

use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::time::Duration;

use rusqlite::Connection;

use super::super::open::{Owned, Ownership, ownership};
use super::super::{Book, BookError, Options};
use super::{created, put, quiet, recorded};

fn mode(path: &Path) -> u32 {
    std::fs::metadata(path).unwrap().permissions().mode() & 0o7777
}

fn set(path: &Path, mode: u32) {
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
}

#[test]
fn private_and_group_are_the_only_two_forms() {
    let own = |uid, gid, mode| Owned { uid, gid, mode };
    let me = 1000;
    let private = own(me, 1000, 0o600);
    for (file, folder, expected) in [
        (private, own(me, 1000, 0o700), "ours"),
        (private, own(me, 1000, 0o755), "ours"),
        (private, own(me, 1000, 0o757), "everybody may write its folder"),
        (private, own(0, 0, 0o1777), "everybody may write its folder"),
        (own(me, 1000, 0o644), own(me, 1000, 0o755), "narrow"),
        (own(me, 1000, 0o640), own(me, 1000, 0o755), "narrow"),
        (own(me, 1000, 0o602), own(me, 1000, 0o755), "everybody may write it"),
        (
            own(me, 1000, 0o660),
            own(me, 1000, 0o755),
            "its group may write it, and its folder is not made for that",
        ),
        (own(me, 50, 0o660), own(me, 50, 0o2770), "ours"),
        (own(2000, 50, 0o660), own(2000, 50, 0o2770), "ours"),
        (own(2000, 50, 0o660), own(2000, 51, 0o2770), "it belongs to somebody else"),
        (own(2000, 50, 0o660), own(2000, 50, 0o770), "it belongs to somebody else"),
        (own(2000, 50, 0o664), own(2000, 50, 0o2770), "it belongs to somebody else"),
        (own(2000, 2000, 0o600), own(2000, 2000, 0o700), "it belongs to somebody else"),
    ] {
        let found = match ownership(me, file, folder) {
            Ownership::Ours => "ours",
            Ownership::Narrow => "narrow",
            Ownership::Refused(why, _) => why,
        };
        assert_eq!(found, expected, "{file:?} {folder:?}");
    }
}

#[test]
fn a_new_book_is_private_and_a_wide_one_is_narrowed_and_said() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("case/book.db");
    let mut book = Book::open(&path, &quiet()).unwrap();
    put(&mut book, "2026-11-30T08:00:00Z", created()).unwrap();
    assert_eq!((mode(&path), mode(path.parent().unwrap())), (0o600, 0o700));
    assert_eq!(mode(&path.with_file_name("book.db-wal")), 0o600);
    assert!(book.notes().is_empty());
    drop(book);
    set(&path, 0o644);
    let book = Book::open(&path, &quiet()).unwrap();
    assert_eq!(mode(&path), 0o600);
    assert!(
        book.notes()[0].ends_with("book.db could be read by others and is now 0600"),
        "{:?}",
        book.notes()
    );
    drop(book);
    set(&path, 0o666);
    let why = Book::open(&path, &quiet()).err().unwrap().to_string();
    let name = path.display();
    assert_eq!(why, format!("{name} is not written: everybody may write it; chmod o-rwx {name}"));
    assert!(Book::look(&path).is_ok(), "looking stays possible");

    let shared = folder.path().join("shared/book.db");
    drop(Book::open(&shared, &Options { group: true, ..quiet() }).unwrap());
    assert_eq!((mode(&shared), mode(shared.parent().unwrap())), (0o660, 0o2770));
    assert!(Book::open(&shared, &quiet()).is_ok());
}

#[test]
fn nothing_of_another_database_is_changed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("payments.db");
    Connection::open(&path).unwrap().execute_batch("CREATE TABLE refunds (id)").unwrap();
    set(&path, 0o600);
    let before = std::fs::read(&path).unwrap();
    for refused in [Book::open(&path, &quiet()).err(), Book::look(&path).err()] {
        let said = refused.unwrap().to_string();
        assert!(
            said.ends_with("payments.db is not a book of recount (it is another SQLite database); name another file with --book"),
            "{said}"
        );
    }
    assert_eq!(std::fs::read(&path).unwrap(), before);
    let text = folder.path().join("notes.db");
    std::fs::write(&text, "no database, but long enough to be looked at by somebody".repeat(20)).unwrap();
    set(&text, 0o600);
    let said = Book::open(&text, &quiet()).err().unwrap().to_string();
    assert!(said.contains("is not a book of recount (no SQLite database)"), "{said}");
    let none = folder.path().join("none.db");
    assert_eq!(
        Book::look(&none).err().unwrap().to_string(),
        format!("{} is not there; the first decision makes it", none.display())
    );
}

#[test]
fn a_locked_book_is_read_and_not_written() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("book.db");
    let mut book = Book::open(&path, &Options { busy: Duration::from_millis(20), ..quiet() }).unwrap();
    put(&mut book, "2026-11-30T08:00:00Z", created()).unwrap();
    let other = Connection::open(&path).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    let why = put(&mut book, "2026-11-30T08:01:00Z", recorded("int_1")).unwrap_err();
    assert_eq!(
        why.to_string(),
        format!("{} is locked by another program; nothing was saved, try again", path.display())
    );
    assert_eq!(book.view().unwrap().head().unwrap().seq, 1);
    other.execute_batch("ROLLBACK").unwrap();
    put(&mut book, "2026-11-30T08:01:00Z", recorded("int_1")).unwrap();
}

#[test]
fn a_full_disk_is_said_and_what_was_there_stays() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("book.db");
    let mut book = Book::open(&path, &quiet()).unwrap();
    put(&mut book, "2026-11-30T08:00:00Z", created()).unwrap();
    // SQLite itself is told that the file may not grow: the same failure as a full disk.
    let pages: i64 = book.db.as_ref().unwrap().query_row("PRAGMA page_count", [], |row| row.get(0)).unwrap();
    book.db.as_ref().unwrap().pragma_update(None, "max_page_count", pages).unwrap();
    let full = (0..200).find_map(|no| {
        let long = created().note(&"a long note ".repeat(300));
        let draft = super::Draft { action: super::Action::Note, ..long };
        put(&mut book, "2026-11-30T08:01:00Z", draft).err().map(|why| (no, why))
    });
    let (kept, why) = full.unwrap();
    assert_eq!(
        why.to_string(),
        format!(
            "{} cannot grow, the disk or the quota is full; reading goes on, nothing was saved",
            path.display()
        )
    );
    assert_eq!(book.view().unwrap().head().unwrap().seq, 1 + kept);
}

#[test]
fn a_book_that_is_opened_for_reading_is_not_written() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("book.db");
    put(&mut Book::open(&path, &quiet()).unwrap(), "2026-11-30T08:00:00Z", created()).unwrap();
    let mut book = Book::look(&path).unwrap();
    let why = put(&mut book, "2026-11-30T08:01:00Z", recorded("int_1")).unwrap_err();
    assert!(matches!(why, BookError::ReadOnly { .. }));
    assert_eq!(
        why.to_string(),
        format!(
            "{} cannot be written, it or its folder is read-only; reading goes on, nothing was saved",
            path.display()
        )
    );
}
