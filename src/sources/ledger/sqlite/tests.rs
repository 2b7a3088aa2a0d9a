use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use rusqlite::Connection;
use tempfile::TempDir;

use super::choose::TraceIds;
use crate::model::row::SourceNo;
use crate::sources::open::{Hints, OpenError, Opened, open};
use crate::sources::recording::{Recording, mapped};
use crate::sources::spec::{Location, Options, SourceSpec, What};

const REFUNDS: &str = "create table refunds(id integer primary key autoincrement, refund_id text unique not null, \
                       operation_id text, order_id text, amount_minor integer, currency text, committed_at text)";

fn spec(path: &Path, options: Options) -> SourceSpec {
    SourceSpec {
        id: "payments".to_owned(),
        what: What::Ledger,
        location: Location::File(path.to_owned()),
        shown: path.display().to_string(),
        format: None,
        options,
    }
}

fn opened(path: &Path, options: Options) -> Result<Opened, OpenError> {
    open(&spec(path, options), &Hints::default())
}

fn read(opened: &Opened) -> (Recording, super::read::DbFacts) {
    let mut out = Recording::default();
    let finished = opened.read_all(SourceNo(0), &Arc::default(), &mut out).unwrap();
    (out, finished.database.unwrap())
}

fn error(path: &Path, options: Options) -> String {
    let text = opened(path, options).unwrap_err().to_string();
    text.strip_prefix(&format!("{}: ", path.display())).unwrap().to_owned()
}

fn table(name: &str) -> Options {
    Options { table: Some(name.to_owned()), ..Options::default() }
}

/// A folder with a database made by these statements.
fn database(name: &str, sql: &str) -> (TempDir, std::path::PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    let connection = Connection::open(&path).unwrap();
    connection.execute_batch(sql).unwrap();
    drop(connection);
    (folder, path)
}

fn two_refunds() -> String {
    format!(
        "{REFUNDS}; insert into refunds values(48210,'rf_1','op1','1234',20000,'USD','2026-11-30T08:40:59Z'),\
         (48211,'rf_2',null,'order:1234',null,null,null);"
    )
}

#[test]
fn a_table_is_read_in_one_pass() {
    let (_folder, path) = database("payments.db", &two_refunds());
    let source = opened(&path, Options::default()).unwrap();
    assert_eq!(
        (source.format, source.table(), source.mapping.as_str()),
        ("sqlite", Some("refunds"), "columns by name")
    );
    assert_eq!(source.query().as_deref(), Some("select * from \"refunds\""));
    let (out, facts) = read(&source);
    assert_eq!(
        out.lines,
        [
            "48210 effect id=rf_1 op=op1 business=order:1234 amount=20000m currency=USD committed=2026-11-30T08:40:59Z",
            "48211 effect id=rf_2 business=order:1234",
        ]
    );
    assert_eq!(
        (facts.max_id, facts.autoincrement, facts.sequence, facts.rows),
        (Some(48211), true, Some(48211), 2)
    );
    assert_eq!(
        (facts.position_words(), facts.opening.live, facts.opening.frozen),
        ("rowid 48211".to_owned(), false, false)
    );
    assert_eq!(facts.digest.len(), 64);
    assert_eq!(source.place_words(48210).unwrap(), "payments.db, table refunds, row 48210");
    assert_eq!(
        source.raw(48211).unwrap().whole,
        r#"{"id":"48211","refund_id":"rf_2","operation_id":null,"order_id":"order:1234","amount_minor":null,"currency":null,"committed_at":null}"#
    );
    assert_eq!(source.fields(48211).unwrap().len(), 3);
    assert_eq!(source.raw(1).unwrap().whole, "this row is not there any more");
}

#[test]
fn amounts_stored_as_real_are_marked_and_times_of_the_default_are_utc() {
    let (_folder, path) = database(
        "d.db",
        "create table refunds_decimal(id integer primary key, order_id integer not null, amount decimal(12,2) not null, \
         reason text, status text default 'pending', created_at timestamp default current_timestamp); \
         insert into refunds_decimal values(1,4812,200.0,'dup','completed','2026-09-01 10:00:01'),\
         (2,5130,45.5,null,'completed','2026-09-01 10:01:01'),(3,5131,'12.00x',null,'pending',1788256801);",
    );
    let (out, facts) = read(&opened(&path, Options::default()).unwrap());
    assert_eq!(
        out.words(),
        [
            "effect id=1 business=order:4812 amount=200 committed=2026-09-01 10:00:01 utc=yes status=completed",
            "effect id=2 business=order:5130 amount=45.5r committed=2026-09-01 10:01:01 utc=yes status=completed",
            "effect id=3 business=order:5131 amount=12.00x committed=1788256801 utc=yes status=pending",
        ]
    );
    assert_eq!(facts.position_words(), "rowid 3 (ids can be reused)");
}

#[test]
fn a_row_that_is_only_in_the_wal_is_found_and_nothing_is_changed() {
    let (_folder, path) = database("w.db", &format!("pragma journal_mode=wal; {}", two_refunds()));
    let writer = Connection::open(&path).unwrap();
    writer
        .execute_batch(
            "pragma wal_autocheckpoint=0; insert into refunds(refund_id, order_id) values('rf_3','9')",
        )
        .unwrap();
    let wal = path.with_extension("db-wal");
    let before = (std::fs::read(&path).unwrap(), std::fs::read(&wal).unwrap());
    assert!(!before.1.is_empty());
    for _ in 0..20 {
        let (out, facts) = read(&opened(&path, Options::default()).unwrap());
        assert_eq!(out.words().last(), Some(&"effect id=rf_3 business=order:9"));
        assert!(facts.opening.live && facts.opening.wal_bytes > 0);
    }
    assert_eq!((std::fs::read(&path).unwrap(), std::fs::read(&wal).unwrap()), before);
    // Said to be frozen it would lose that row.
    let words = error(&path, Options { frozen: true, ..Options::default() });
    assert!(words.starts_with("it is said to be frozen, but a `-wal` of "), "{words}");
    writer.execute("delete from refunds where refund_id = 'rf_3'", []).unwrap();
}

#[test]
fn a_hot_journal_is_refused_and_stays() {
    let (folder, path) = database("h.db", &two_refunds());
    // A writer in the middle of a change: what it leaves when it crashes is copied aside.
    let mut writer = Connection::open(&path).unwrap();
    writer.execute_batch("pragma cache_spill=1; pragma cache_size=1").unwrap();
    let change = writer.transaction().unwrap();
    for number in 0..2000 {
        let id = format!("rf_x{number}");
        change.execute("insert into refunds(refund_id, order_id) values(?1, '5')", [&id]).unwrap();
    }
    let crashed = folder.path().join("crashed.db");
    let journal = folder.path().join("crashed.db-journal");
    std::fs::copy(&path, &crashed).unwrap();
    std::fs::copy(path.with_extension("db-journal"), &journal).unwrap();
    change.rollback().unwrap();
    let before = (std::fs::read(&crashed).unwrap(), std::fs::read(&journal).unwrap());
    let words = error(&crashed, Options::default());
    assert!(words.starts_with("a hot journal lies beside it: its writer crashed"), "{words}");
    let words = error(&crashed, Options { frozen: true, ..Options::default() });
    assert!(words.starts_with("it is said to be frozen, but a `-journal` lies beside it"), "{words}");
    assert_eq!((std::fs::read(&crashed).unwrap(), std::fs::read(&journal).unwrap()), before);
}

#[test]
fn locked_is_said_after_five_seconds_and_never_absent() {
    let (_folder, path) = database("l.db", &two_refunds());
    let writer = Connection::open(&path).unwrap();
    writer.execute_batch("begin exclusive").unwrap();
    let began = Instant::now();
    let words = error(&path, Options::default());
    assert_eq!(
        words,
        "it is locked: no read was possible for 5 s. Wait for the writer to end, then read it again"
    );
    assert!(began.elapsed() >= Duration::from_secs(5), "not before the five seconds are over");
    // A lock that is given back in time costs only the wait.
    let lock = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(600));
        writer.execute_batch("rollback").unwrap();
    });
    let (out, _) = read(&opened(&path, Options::default()).unwrap());
    assert_eq!(out.lines.len(), 2);
    lock.join().unwrap();
}

#[test]
fn names_with_signs_are_only_names() {
    for name in ["a?mode=rwc.db", "b#c.db", "d%20e.db", "file:x.db", "-f.db", "ü '\"g.db"] {
        let (folder, path) = database("plain.db", &two_refunds());
        let odd = folder.path().join(name);
        std::fs::rename(&path, &odd).unwrap();
        for frozen in [false, true] {
            let (out, facts) = read(&opened(&odd, Options { frozen, ..Options::default() }).unwrap());
            assert_eq!((out.lines.len(), facts.opening.frozen), (2, frozen), "{name}");
        }
        let left: Vec<_> =
            std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        assert_eq!(left, [name], "nothing was created");
    }
}

#[test]
fn links_are_followed_and_folders_refused() {
    let (folder, path) = database("real.db", &two_refunds());
    let link = folder.path().join("link.db");
    std::os::unix::fs::symlink(&path, &link).unwrap();
    let source = opened(&link, Options::default()).unwrap();
    let resolved = std::fs::canonicalize(&path).unwrap();
    assert_eq!(source.resolved(), Some(&resolved));
    assert_eq!(source.notes[0], format!("resolved to {}", resolved.display()));
    let options = Options::default();
    let mut folder_spec = spec(folder.path(), options);
    folder_spec.format = Some("sqlite".to_owned());
    let words = open(&folder_spec, &Hints::default()).unwrap_err().to_string();
    assert!(
        words.ends_with("it is a folder; give the files in it, or a case folder with `recount.toml` alone"),
        "{words}"
    );
}

#[test]
fn tables_and_columns_that_are_not_there() {
    let (_folder, path) = database("t.db", &format!("{}; create table other(x)", two_refunds()));
    assert_eq!(
        error(&path, table("refund")),
        "there is no table `refund` in it; did you mean `refunds`?; there are other, refunds"
    );
    let mut options = mapped(&[("key", "idem_key")]);
    options.table = Some("REFUNDS".to_owned());
    assert_eq!(
        error(&path, options),
        "table `refunds`: `key` is mapped to the column `idem_key`, which is not there; there are id, refund_id, \
         operation_id, order_id, amount_minor, currency, committed_at"
    );
    assert_eq!(
        error(&path, table("other")),
        "no column of a ledger is known by name; there are x: map them, for instance `operation_id = \"..\"`"
    );
    let (_folder, path) = database("n.db", "create table notes(id integer primary key, text text)");
    assert_eq!(
        error(&path, Options::default()),
        "no table in it looks like a ledger (a link column: operation id, key or business id; a time; an id or integer \
         key); there are notes (id, text). Name one with `?table=NAME`, and its columns in the mapping"
    );
}

/// The three tables of the format notes, with values of our own.
const THREE: &str = "create table refunds(id text primary key, order_id text, amount_cents integer, operation_id text, created_at text); \
     create table refunds_decimal(id integer primary key, order_id integer, amount decimal, created_at timestamp default current_timestamp); \
     create table ledger_entries(id integer primary key, txn_id text, account text, amount_minor integer, posted_at integer); \
     insert into refunds values('re_A', '4812', 20000, 'refund:order_4812:req_1', 't'); \
     insert into refunds_decimal values(1, 4812, 200.0, 't');";

#[test]
fn the_table_whose_ids_occur_in_the_trace_is_taken() {
    let (_folder, path) = database("three.db", THREE);
    assert_eq!(
        error(&path, Options::default()),
        "several tables in it fit: refunds, refunds_decimal. Name one with `?table=NAME`"
    );
    let set = |ids: &[&str]| ids.iter().map(|id| (*id).to_owned()).collect();
    let ids = |operations: &[&str], business: &[&str]| TraceIds {
        operations: set(operations),
        keys: set(&[]),
        business: set(business),
        receipts: set(&[]),
        ..TraceIds::default()
    };
    let choose = |ids: &TraceIds| {
        open(&spec(&path, Options::default()), &Hints { trace_ids: Some(ids), ..Hints::default() })
    };
    let source = choose(&ids(&["refund:order_4812:req_1"], &["order:4812"])).unwrap();
    assert_eq!(source.table(), Some("refunds"));
    assert_eq!(source.notes, ["refunds holds operation ids or keys of the trace; refunds_decimal fits too"]);
    // Both hold the order, and only one the operation: without it there is nothing to choose by.
    assert!(choose(&ids(&["other"], &["order:4812"])).is_err());
    // What agents write has no operation ids: then what an answer named decides, else how a table joins.
    let named = TraceIds { receipts: set(&["re_A"]), ..ids(&[], &["order:4812"]) };
    assert_eq!(
        choose(&named).unwrap().notes,
        ["refunds holds receipts of the trace; refunds_decimal fits too"]
    );
    let nameless = choose(&ids(&[], &["order:4812"])).unwrap();
    assert_eq!(nameless.notes, ["refunds joins by operation id or key; refunds_decimal fits too"]);
    let (_folder, path) = database("two.db", &THREE.replace("'4812'", "'77'"));
    let found = open(
        &spec(&path, Options::default()),
        &Hints { trace_ids: Some(&ids(&[], &["order:4812"])), ..Hints::default() },
    );
    assert_eq!(found.unwrap().table(), Some("refunds_decimal"));
}

#[test]
fn views_tables_without_rowid_and_hidden_rowids() {
    let (_folder, path) = database(
        "v.db",
        "create table a(effect_id text primary key, order_id text, created_at text) without rowid; \
         insert into a values('z','1','t'),('b','2','t'); \
         create table c(rowid text, effect_id text, order_id text, created_at text); insert into c values('x','e','3','t'); \
         create view v as select effect_id, order_id from a where order_id = '2'; \
         create virtual table f using fts5(effect_id, order_id);",
    );
    let source = opened(&path, table("a")).unwrap();
    let (out, facts) = read(&source);
    assert_eq!(
        out.lines,
        ["0 effect id=b business=order:2 committed=t", "1 effect id=z business=order:1 committed=t"]
    );
    assert_eq!((facts.max_id, facts.position_words()), (None, "rows 2".to_owned()));
    assert_eq!(source.place_words(1).unwrap(), "v.db, table a, row number 2");
    assert_eq!(source.fields(1).unwrap()[0], ("effect_id".to_owned(), "z".to_owned()));
    let (out, _) = read(&opened(&path, table("c")).unwrap());
    assert_eq!(out.lines, ["1 effect id=e business=order:3 committed=t"]);
    let (out, _) = read(&opened(&path, table("v")).unwrap());
    assert_eq!(out.words(), ["effect id=b business=order:2"]);
    assert_eq!(error(&path, table("f")), "`f` is a virtual table, which is not read: name a table or a view");
}

#[test]
fn rowids_that_are_no_places_are_counted() {
    for (id, place) in [((1_i64 << 48) - 1, (1_u64 << 48) - 1), (1 << 48, 0), (-5, 0)] {
        let (_folder, path) =
            database("r.db", &format!("{REFUNDS}; insert into refunds(id, refund_id) values({id}, 'rf')"));
        let source = opened(&path, table("refunds")).unwrap();
        let (out, facts) = read(&source);
        assert_eq!((out.places(), facts.max_id), (vec![place], Some(id)));
        assert_eq!(source.fields(place).unwrap()[1], ("refund_id".to_owned(), "rf".to_owned()));
    }
}

#[test]
fn names_that_would_be_sql() {
    let odd = "x\"; drop table refunds; --";
    let quoted = odd.replace('"', "\"\"");
    let (_folder, path) = database(
        "q.db",
        &format!(
            "create table \"{quoted}\"(\"id\"\"x\" text, effect_id text, order_id text); insert into \"{quoted}\" values('a','e','1')"
        ),
    );
    let mut options = mapped(&[("key", "id\"x")]);
    options.table = Some(odd.to_owned());
    let (out, _) = read(&opened(&path, options).unwrap());
    assert_eq!(out.words(), ["effect id=e key=a business=order:1"]);
}

#[test]
fn an_own_statement_only_reads() {
    let (_folder, path) = database("s.db", &two_refunds());
    let sql = |sql: &str| Options {
        sql: Some(sql.to_owned()),
        since: Some("2026".to_owned()),
        ..Options::default()
    };
    let ok = "with r as (select * from refunds where committed_at >= :since and operation_id in (select value from json_each(:operation_ids)))\n\
              select refund_id as effect_id, operation_id, amount_minor / 100.0 as amount from r -- all of them\n;";
    let ids = TraceIds { operations: ["op1".to_owned()].into(), ..TraceIds::default() };
    let source = open(&spec(&path, sql(ok)), &Hints { trace_ids: Some(&ids), ..Hints::default() }).unwrap();
    let (out, facts) = read(&source);
    assert_eq!(out.lines, ["0 effect id=rf_1 op=op1 amount=200.0r"]);
    assert_eq!((facts.table.as_str(), facts.max_id), ("", None));
    assert_eq!(source.place_words(0).unwrap(), "s.db, row 1 of the statement");
    for (statement, why) in [
        ("delete from refunds", "does not begin with `select` or `with`"),
        ("selection", "does not begin with `select` or `with`"),
        ("select 1; select 2", "is more than one statement"),
        ("with x as (select 1) insert into refunds(refund_id) select 'x'", "would write"),
        (
            "select :who as effect_id",
            "uses the parameter `:who`, known are :since, :until, :operation_ids, :business_ids",
        ),
    ] {
        let words = error(&path, sql(statement));
        assert_eq!(
            words,
            format!("the statement of the ledger {why}: give one `select` or `with`, which only reads")
        );
    }
    let words = error(&path, sql("select x from nowhere"));
    assert!(words.starts_with("the statement of the ledger cannot be used: "), "{words}");
    assert!(words.contains("no such table: nowhere"), "{words}");
}

#[test]
fn damaged_files_and_other_roles() {
    let (folder, path) = database("x.db", &two_refunds());
    let mut bytes = std::fs::read(&path).unwrap();
    for byte in bytes.iter_mut().skip(100).take(3000) {
        *byte = 0xAB;
    }
    let damaged = folder.path().join("damaged.db");
    std::fs::write(&damaged, bytes).unwrap();
    let words = error(&damaged, Options::default());
    assert!(words.starts_with("it is not a readable SQLite database: "), "{words}");
    std::fs::write(folder.path().join("no.db"), "just text").unwrap();
    let mut named = spec(&folder.path().join("no.db"), Options::default());
    named.format = Some("sqlite".to_owned());
    let words = open(&named, &Hints::default()).unwrap_err().to_string();
    assert!(words.contains("it is not a readable SQLite database: "), "{words}");
    let mut trace = spec(&path, Options::default());
    trace.what = What::Trace;
    let words = open(&trace, &Hints::default()).unwrap_err().to_string();
    assert!(words.contains("traces are not read from databases; give it with --ledger"), "{words}");
}

#[test]
fn text_that_is_no_utf8_costs_its_row() {
    let (_folder, path) = database(
        "u.db",
        &format!("{}; update refunds set order_id = cast(x'ff41' as text) where id = 48210", two_refunds()),
    );
    let (out, _) = read(&opened(&path, Options::default()).unwrap());
    assert_eq!(
        out.words(),
        ["UNREADABLE_ROW not UTF-8 from byte 0 of the record", "effect id=rf_2 business=order:1234"]
    );
}

#[test]
fn time_limit_and_cancel_end_the_pass() {
    let many = "with recursive n(i) as (select 1 union all select i + 1 from n where i < 30000000) select i as effect_id, i as order_id from n";
    let (_folder, path) = database("c.db", &two_refunds());
    let options = Options { sql: Some(many.to_owned()), ..Options::default() };
    let hints = Hints { time_limit: Duration::from_millis(300), ..Hints::default() };
    let source = open(&spec(&path, options.clone()), &hints).unwrap();
    let mut out = Count::default();
    let failure = source.read_all(SourceNo(0), &Arc::default(), &mut out).unwrap_err();
    assert!(failure.to_string().starts_with("the reading took longer than 0 s"), "{failure}");
    let source = opened(&path, options).unwrap();
    let cancel = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&cancel);
    let timer = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(100));
        flag.store(true, Ordering::Relaxed);
    });
    let failure = source.read_all(SourceNo(0), &cancel, &mut out).unwrap_err();
    assert_eq!(failure.to_string(), "the reading was cancelled");
    timer.join().unwrap();
}

/// Counts rows and keeps nothing.
#[derive(Default)]
struct Count(u64);

impl crate::sources::event::Sink for Count {
    fn run(&mut self, _: crate::model::row::At, _: &crate::sources::event::RunEvent<'_>) {}
    fn attempt(&mut self, _: crate::model::row::At, _: &crate::sources::event::AttemptEvent<'_>) {}
    fn record(&mut self, _: crate::model::row::At, _: &crate::sources::event::RecordEvent<'_>) {}
    fn state(&mut self, _: crate::model::row::At, _: &crate::sources::event::StateEvent<'_>) {}
    fn read_back(&mut self, _: crate::model::row::At, _: &crate::sources::event::ReadBackEvent<'_>) {}
    fn effect(&mut self, _: crate::model::row::At, _: &crate::sources::event::EffectEvent<'_>) {
        self.0 += 1;
    }
    fn problem(&mut self, _: crate::model::row::At, _: crate::sources::event::ProblemEvent) {}
    fn skipped(&mut self, _: SourceNo, _: &'static str) {}
}

#[test]
fn intent_records_of_an_outbox() {
    let (_folder, path) = database(
        "app.db",
        "create table outbox(id text primary key, op text, amount integer, cur text, created_at text); \
         insert into outbox values('int_1','refund:order_1:r','500','EUR','2026-11-30 01:01:01')",
    );
    let mut options = mapped(&[
        ("intent_id", "id"),
        ("operation_id", "op"),
        ("amount_minor", "amount"),
        ("currency", "cur"),
        ("recorded_at", "created_at"),
    ]);
    options.table = Some("outbox".to_owned());
    let mut intents = spec(&path, options);
    intents.what = What::Intents;
    let (out, _) = read(&open(&intents, &Hints::default()).unwrap());
    assert_eq!(
        out.words(),
        ["record intent=int_1 op=refund:order_1:r amount=500m currency=EUR ts=2026-11-30 01:01:01"]
    );
}

#[test]
fn the_row_filter_and_rows_without_ids() {
    let (_folder, path) = database(
        "f.db",
        "create table p(id integer primary key, order_id text, amount text, channel text, created_at text); \
         insert into p values(1,'7','5','agent','t'),(2,'7','5','people','t')",
    );
    let scope = crate::sources::filter::parse("channel = agent").unwrap();
    let mut options = mapped(&[("effect_id", "channel")]);
    options.columns.clear();
    options.scope = scope;
    let (out, _) = read(&opened(&path, options).unwrap());
    assert_eq!(
        out.words(),
        [
            "effect id=1 business=order:7 amount=5 committed=t",
            "effect id=2 business=order:7 amount=5 committed=t outside=yes"
        ]
    );
    let (_folder, path) = database(
        "g.db",
        "create table p(order_id text, amount text, created_at text); insert into p values('7','5','t'),('7','5','t')",
    );
    let (out, _) = read(&opened(&path, table("p")).unwrap());
    assert_eq!(out.words(), ["effect business=order:7 amount=5 committed=t whole=yes"; 2]);
}

/// Takes the right to write from a folder, and gives it back at the end. The administrator may write all the same:
/// then there is nothing to test.
struct Closed<'f>(&'f Path);

impl<'f> Closed<'f> {
    fn new(folder: &'f Path) -> Option<Self> {
        use std::os::unix::fs::PermissionsExt as _;
        std::fs::set_permissions(folder, std::fs::Permissions::from_mode(0o555)).unwrap();
        let closed = Self(folder);
        std::fs::write(folder.join("probe"), "").is_err().then_some(closed)
    }
}

impl Drop for Closed<'_> {
    fn drop(&mut self) {
        use std::os::unix::fs::PermissionsExt as _;
        let _ = std::fs::set_permissions(self.0, std::fs::Permissions::from_mode(0o755));
    }
}

#[test]
fn a_folder_that_cannot_be_written() {
    // Rollback mode: nothing has to be written.
    let (folder, path) = database("r.db", &two_refunds());
    if let Some(_closed) = Closed::new(folder.path()) {
        let (out, facts) = read(&opened(&path, Options::default()).unwrap());
        assert_eq!((out.lines.len(), facts.opening.frozen), (2, false));
    }
    // A closed database in WAL mode is opened as a frozen file.
    let (folder, path) = database("w.db", &format!("pragma journal_mode=wal; {}", two_refunds()));
    if let Some(_closed) = Closed::new(folder.path()) {
        let (out, facts) = read(&opened(&path, Options::default()).unwrap());
        assert_eq!((out.lines.len(), facts.opening.frozen), (2, true));
    }
    // With rows in the log it cannot be read, and that is said.
    let (folder, path) = database("x.db", &format!("pragma journal_mode=wal; {}", two_refunds()));
    let writer = Connection::open(&path).unwrap();
    writer
        .execute_batch("pragma wal_autocheckpoint=0; insert into refunds(refund_id) values('rf_3')")
        .unwrap();
    let copy = tempfile::tempdir().unwrap();
    let path_copy = copy.path().join("x.db");
    std::fs::copy(&path, &path_copy).unwrap();
    std::fs::copy(path.with_extension("db-wal"), copy.path().join("x.db-wal")).unwrap();
    drop(folder);
    if let Some(_closed) = Closed::new(copy.path()) {
        let words = error(&path_copy, Options::default());
        assert!(words.starts_with("its folder cannot be written and a `-wal` of "), "{words}");
    }
}

#[test]
fn a_thousand_opens_beside_a_busy_writer_change_no_byte_and_find_what_is_in_the_log_alone() {
    let (_folder, path) = database("w.db", &two_refunds());
    let log = path.with_file_name("w.db-wal");
    let writer = Connection::open(&path).unwrap();
    writer.execute_batch("pragma journal_mode=wal; create table noise(n); pragma wal_checkpoint(truncate); pragma wal_autocheckpoint=0;").unwrap();
    let before = std::fs::read(&path).unwrap();
    // The second refund of the order is in the log alone.
    writer
        .execute(
            "insert into refunds values(48999,'rf_late','op1','1234',20000,'USD','2026-11-30T08:41:10Z')",
            [],
        )
        .unwrap();
    let begun = std::fs::read(&log).unwrap();
    let stop = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&stop);
    let busy = std::thread::spawn(move || {
        let mut written = 0_i64;
        while !flag.load(Ordering::Relaxed) {
            // No error may reach the writer.
            writer.execute("insert into noise values(?1)", [written]).unwrap();
            written += 1;
            std::thread::sleep(Duration::from_millis(1));
        }
        (writer, written)
    });
    for _ in 0..1000 {
        let mut out = Count::default();
        opened(&path, table("refunds")).unwrap().read_all(SourceNo(0), &Arc::default(), &mut out).unwrap();
        assert_eq!(out.0, 3);
    }
    stop.store(true, Ordering::Relaxed);
    let (writer, written) = busy.join().unwrap();
    assert!(written > 0);
    assert_eq!(std::fs::read(&path).unwrap(), before, "the main file");
    let log = std::fs::read(&log).unwrap();
    assert!(log.starts_with(&begun), "what stood in the log stands there");
    let noise: i64 = writer.query_row("select count(*) from noise", [], |row| row.get(0)).unwrap();
    assert_eq!(noise, written, "every row of the writer is there");
}

#[test]
fn a_database_made_to_hurt_is_refused_or_read_within_its_limits() {
    let endless = "create view v(effect_id, order_id, created_at) as with recursive n(i) as (select 1 union all select i + 1 from n) select i, i, '2026-11-30' from n";
    let hints = Hints { time_limit: Duration::from_millis(300), ..Hints::default() };
    let (_folder, path) = database("v.db", endless);
    let failure = match open(&spec(&path, table("v")), &hints) {
        Ok(source) => {
            source.read_all(SourceNo(0), &Arc::default(), &mut Count::default()).unwrap_err().to_string()
        }
        Err(why) => why.to_string(),
    };
    assert!(failure.contains("took longer than"), "{failure}");
    // Code from a file is never loaded, and nothing is written, whatever a statement asks for.
    let (_folder, path) = database(
        "x.db",
        &format!(
            "{}; create trigger t before insert on refunds begin select load_extension('x'); end",
            two_refunds()
        ),
    );
    for sql in [
        "select load_extension('evil') as effect_id, 1 as order_id",
        "select writefile('x', 'y') as effect_id, 1 as order_id",
        "select fts3_tokenizer('x', x'00') as effect_id, 1 as order_id",
    ] {
        let options = Options { sql: Some(sql.to_owned()), ..Options::default() };
        let read = |source: Opened| source.read_all(SourceNo(0), &Arc::default(), &mut Count::default());
        let ended = opened(&path, options).map_err(|why| why.to_string());
        let ended = ended.and_then(|source| read(source).map(drop).map_err(|why| why.to_string()));
        assert!(ended.is_err(), "{sql}");
    }
    let (out, _) = read(&opened(&path, table("refunds")).unwrap());
    assert_eq!(out.words().len(), 2);
    // A cell of 64 MiB is more than a record may have.
    let (_folder, path) = database(
        "z.db",
        &format!("{}; update refunds set order_id = zeroblob(67108864) where id = 48210", two_refunds()),
    );
    let source = opened(&path, table("refunds")).unwrap();
    let failure = source.read_all(SourceNo(0), &Arc::default(), &mut Count::default()).unwrap_err();
    assert_eq!(failure.to_string(), "SQLite says: string or blob too big");
}

#[test]
fn two_hundred_snapshots_beside_a_busy_writer() {
    let (_folder, path) = database("b.db", &format!("pragma journal_mode=wal; {REFUNDS}"));
    let stop = Arc::new(AtomicBool::new(false));
    let (flag, place) = (Arc::clone(&stop), path.clone());
    let writer = std::thread::spawn(move || {
        let mut connection = Connection::open(place).unwrap();
        let mut pairs = 0;
        while !flag.load(Ordering::Relaxed) {
            // Each row has a partner, written in one transaction; no error may reach the writer.
            let change = connection.transaction().unwrap();
            for half in ["a", "b"] {
                let id = format!("rf_{pairs}{half}");
                change.execute("insert into refunds(refund_id, order_id) values(?1, '1')", [&id]).unwrap();
            }
            change.commit().unwrap();
            pairs += 1;
        }
        pairs
    });
    let source = opened(&path, table("refunds")).unwrap();
    let mut most = 0;
    for _ in 0..200 {
        let mut out = Count::default();
        source.read_all(SourceNo(0), &Arc::default(), &mut out).unwrap();
        assert_eq!(out.0 % 2, 0, "half a transaction was read");
        assert!(out.0 >= most, "rows went away");
        most = out.0;
    }
    stop.store(true, Ordering::Relaxed);
    assert!(writer.join().unwrap() * 2 >= most);
}
