//! Live MariaDB ledgers, on a server of the tests' own. Where none is installed the tests say that they were skipped.

mod server;

use std::fmt::Write as _;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use mysql::Conn;
use mysql::prelude::Queryable as _;
use recount::judge::words::proves;
use recount::load::{Options as LoadOptions, load};
use recount::model::time::{Micros, Zone, parse_time, rfc3339};
use recount::sources::address::{Place, of_server};
use recount::sources::filter;
use recount::sources::spec::{CaseSpec, Location, Options, SourceSpec, What};

use server::Server;

use crate::world::{World, memory};

const SECOND: i64 = 1_000_000;
/// Rows of the large table.
const MANY: i64 = 1_000_000;

fn clock(owner: &mut Conn) -> i64 {
    let text: String = owner.query_first("select cast(utc_timestamp(6) as char)").unwrap().unwrap();
    parse_time(&text, &Zone::Utc).at.0
}

fn sql_time(at: i64) -> String {
    rfc3339(Micros(at)).trim_end_matches('Z').replace('T', " ")
}

/// A table with a million rows of others, and the rows of the trace of [`trace`]; the newest is 5 s old.
fn fill(owner: &mut Conn) -> i64 {
    for sql in [
        "create database pay",
        "use pay",
        "create table refunds (id bigint auto_increment primary key, refund_id varchar(64) not null, operation_id varchar(128), \
         order_id varchar(64), amount decimal(12, 2), currency char(3), created_at timestamp(6) not null default current_timestamp(6))",
        &format!(
            "insert into refunds (refund_id, operation_id, order_id, amount, currency, created_at) \
             select concat('rf_', seq), concat('op_other_', seq), seq, 5 + seq % 90, 'EUR', \
             utc_timestamp(6) - interval 40 day + interval seq * 2 second from seq_1_to_{MANY}"
        ),
        "alter table refunds add index (operation_id), add index (order_id), add index (created_at), add index (refund_id)",
        "create table payouts (id bigint primary key, operation_id varchar(64), amount decimal(9, 2), created_at datetime)",
        "create table secret (refund_id varchar(64), operation_id varchar(64), amount int, created_at datetime)",
        "create table keyless engine = MyISAM as select * from refunds where id < 10",
        "create view local_times as select refund_id, operation_id, order_id, amount, currency, \
         cast(created_at as datetime(6)) as created_at from refunds where created_at > utc_timestamp() - interval 1 hour",
        "create view slow as select r.* from refunds as r join (select sleep(8) as s) as s",
        "create user reader@'127.0.0.1' identified by 'sesame'",
        "grant select on pay.refunds to reader@'127.0.0.1'",
        "grant select on pay.payouts to reader@'127.0.0.1'",
        "grant select on pay.keyless to reader@'127.0.0.1'",
        "grant select on pay.local_times to reader@'127.0.0.1'",
        "grant select on pay.slow to reader@'127.0.0.1'",
    ] {
        owner.query_drop(sql).unwrap();
    }
    let now = clock(owner);
    for (id, op, order, back) in [
        ("rf_a1", "op_twice", "7001", 590),
        ("rf_a2", "op_twice", "7001", 560),
        ("rf_b1", "op_once", "7002", 590),
        ("rf_z", "op_heartbeat", "1", 5),
    ] {
        insert(owner, id, op, order, now - back * SECOND);
    }
    owner.query_drop("analyze table refunds").unwrap();
    now
}

fn insert(owner: &mut Conn, id: &str, operation: &str, order: &str, at: i64) {
    let sql = "insert into refunds (refund_id, operation_id, order_id, amount, currency, created_at) \
               values (?, ?, ?, 25.00, 'EUR', ?)";
    owner.exec_drop(sql, (id, operation, order, sql_time(at))).unwrap();
}

/// Three calls ten minutes ago: paid twice, paid once, never paid.
fn trace(now: i64) -> String {
    let mut lines = String::new();
    for (op, order, told) in
        [("op_twice", "7001", "timeout"), ("op_once", "7002", "success"), ("op_gone", "7003", "timeout")]
    {
        let at = |back: i64| rfc3339(Micros(now - back * SECOND));
        writeln!(
            lines,
            r#"{{"operation_id":"{op}","attempt":1,"tool":"refund_order","arguments":{{"order_id":"{order}","amount":"25.00","currency":"EUR"}},"sent_at":"{}","ended_at":"{}","outcome":"{told}"}}"#,
            at(600),
            at(580),
        )
        .unwrap();
    }
    lines
}

fn read_with(
    now: i64,
    address: &str,
    patience: Duration,
    set: impl FnOnce(&mut Options),
) -> Result<World, String> {
    let read = of_server(address, true).unwrap();
    let Place::Server(mut server) = read.place else { panic!("no server") };
    server.password.get_or_insert("sesame".to_owned());
    let mut options = read.options;
    set(&mut options);
    let ledger = SourceSpec {
        id: "ledger".to_owned(),
        what: What::Ledger,
        location: Location::Server(Box::new(server)),
        shown: recount::text::url(address),
        format: Some("mysql".to_owned()),
        options,
    };
    let spec =
        CaseSpec { sources: vec![memory(What::Trace, "trace", &trace(now)), ledger], ..CaseSpec::default() };
    let options = LoadOptions { threads: 1, patience, ..LoadOptions::default() };
    load(spec, &options).map(World).map_err(|error| error.to_string())
}

fn read(now: i64, address: &str) -> Result<World, String> {
    read_with(now, address, Duration::from_secs(20), |_| {})
}

/// What is wrong with the ledger, whether it could not be opened or not be read.
fn wrong(now: i64, address: &str) -> String {
    match read(now, address) {
        Err(why) => why,
        Ok(world) => world.0.found[1].error.clone().expect("the ledger could be read"),
    }
}

/// Why nothing is proven of the intent that was never paid.
fn uncovered(world: &World) -> String {
    let gone = world.view("op_gone");
    assert!(!gone.judgement.covered);
    gone.uncovered.iter().map(|(_, words)| words.as_str()).collect::<Vec<_>>().join("\n")
}

#[test]
fn a_ledger_of_a_million_rows_is_read_by_ids() {
    let Some(server) = Server::start() else {
        return eprintln!("skipped: MariaDB is not installed, or did not start");
    };
    let mut owner = server.owner("");
    let now = fill(&mut owner);
    let base = format!("mariadb://reader@127.0.0.1:{}/pay", server.port);
    let address = format!("{base}?table=refunds");

    // A role that may only select finds the duplicate, and proves no absence.
    let world = read(now, &address).unwrap();
    assert_eq!((world.verdict("op_twice"), world.verdict("op_once")), ("DUPLICATED", "MATCHED"));
    let no = proves(&world.0.sources()[1], rfc3339).unwrap().no;
    let words = "writes from before its newest row may still be open";
    assert!(no.iter().any(|no| no.ends_with(words)), "{no:?}");
    assert!(no.iter().all(|no| !no.contains("has a time")), "{no:?}");
    let why = uncovered(&world);
    assert!(why.contains("may not ask whether the server is a replica"), "{why}");
    assert!(why.contains("`grant slave monitor on *.* to reader`"), "{why}");
    owner.query_drop("grant slave monitor on *.* to reader@'127.0.0.1'").unwrap();
    let why = uncovered(&read(now, &address).unwrap());
    assert!(
        why.contains("may not see which transactions are open: `grant process on *.* to reader`"),
        "{why}"
    );
    owner.query_drop("grant process on *.* to reader@'127.0.0.1'").unwrap();

    let world = read(now, &address).unwrap();
    let gone = world.view("op_gone");
    assert_eq!(
        (gone.judgement.verdict(), gone.judgement.covered),
        ("ABSENT_COVERED", true),
        "{:?}",
        gone.uncovered
    );
    let source = &world.0.sources()[1];
    assert!(source.rows.read < 20, "a full listing was read: {} rows", source.rows.read);
    assert!(source.position.starts_with("binlog b.0"), "{}", source.position);
    assert_eq!(source.newest, Some(Micros(now - 5 * SECOND)));
    assert_eq!((source.role, source.live), ("authority", true));
    assert_eq!(source.path, format!("mariadb://127.0.0.1:{}/pay", server.port));

    // The query that is shown is the one that is asked, and an index serves it.
    let query = source.query.clone().unwrap();
    assert!(query.ends_with("from `pay`.`refunds` where `operation_id` in (?, ..)"), "{query}");
    let explain = format!("explain {}", query.replace("(?, ..)", "('op_twice', 'op_once', 'op_gone')"));
    let plan: Vec<mysql::Row> = owner.query(explain).unwrap();
    let cell = |name: &str| plan[0].get::<Option<String>, _>(name).unwrap().unwrap_or_default();
    assert_eq!((cell("key"), cell("type")), ("operation_id".to_owned(), "range".to_owned()));

    looked_at(&base);
    confirmed(&mut owner, &address, now);
    forms(&mut owner, &base, now);
    open_transactions(&server, &address, now);
    statements(&base, now);
    sentences(&server, &base, &mut owner, now);
    trusted(&server, now);
    // What follows another server proves nothing.
    owner
        .query_drop("change master to master_host = '127.0.0.1', master_port = 1, master_user = 'x'")
        .unwrap();
    let world = read(now, &address).unwrap();
    assert_eq!((world.verdict("op_twice"), world.0.sources()[1].role), ("DUPLICATED", "replica"));
    assert!(uncovered(&world).contains("it is a replica"), "{}", uncovered(&world));
}

/// Nothing is counted without a trace, and what would be asked is said.
fn looked_at(base: &str) {
    let output = Command::new(env!("CARGO_BIN_EXE_recount"))
        .args(["sniff", &format!("{base}?table=refunds")])
        .env("HOME", "/nonexistent")
        .env("MYSQL_PWD", "sesame")
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let asks = "it is asked beside a trace, so nothing was counted: rows of `pay`.`refunds` with `operation_id` in (..) or \
                `refund_id` in (..) or `order_id` in (..) or `created_at` in the time of the calls\n";
    assert!(text.contains(asks), "{text}");
    assert!(["framing", "records", "effects"].iter().all(|word| !text.contains(word)), "{text}");
    assert_eq!(output.status.code(), Some(0), "{text}");
}

/// The line that confirms the totals counts what the reading counted, which a row filter does not change.
fn confirmed(owner: &mut Conn, address: &str, now: i64) {
    let world = read_with(now, address, Duration::from_secs(20), |options| {
        options.scope = filter::parse("order_id != 7002").unwrap();
        options.since = Some(rfc3339(Micros(now - 3600 * SECOND)));
        options.until = Some(rfc3339(Micros(now - 10 * SECOND)));
    })
    .unwrap();
    let source = &world.0.sources()[1];
    assert_eq!(world.totals(&source.totals), "EUR 75.00");
    let rows: Vec<(String, u64, String)> = owner.query(source.confirm.as_deref().unwrap()).unwrap();
    assert_eq!(rows, [("EUR".to_owned(), 3, "75.00".to_owned())]);
}

/// Times without a zone, tables without transactions or a key, small clocks of the role.
fn forms(owner: &mut Conn, base: &str, now: i64) {
    let address = format!("{base}?table=local_times&zone=UTC&covers_from=start");
    let world = read(now, &address).unwrap();
    assert_eq!(world.verdict("op_twice"), "DUPLICATED");
    let gone = world.view("op_gone");
    assert!(gone.judgement.covered, "{:?}", gone.uncovered);
    let wide = read(now, &format!("{base}?table=local_times")).unwrap();
    assert_eq!(wide.verdict("op_twice"), "DUPLICATED");
    assert!(!uncovered(&wide).is_empty(), "a time without a zone proves little");
    for (id, op, order, back) in
        [("rf_a1", "op_twice", "7001", 590), ("rf_a2", "op_twice", "7001", 560), ("rf_z", "op_z", "1", 5)]
    {
        let sql = "insert into keyless (refund_id, operation_id, order_id, amount, currency, created_at) \
                   values (?, ?, ?, 25.00, 'EUR', ?)";
        owner.exec_drop(sql, (id, op, order, sql_time(now - back * SECOND))).unwrap();
    }
    let world = read(now, &format!("{base}?table=keyless")).unwrap();
    assert_eq!((world.verdict("op_twice"), world.view("op_twice").effects.len()), ("DUPLICATED", 2));
    assert!(
        uncovered(&world).contains("the engine MyISAM, which has no transactions"),
        "{}",
        uncovered(&world)
    );
    owner.query_drop("drop table keyless").unwrap();
}

/// An absence is covered only after everything that had begun to write has ended.
fn open_transactions(server: &Server, address: &str, now: i64) {
    let mut writer = server.owner("pay");
    let begin = |writer: &mut Conn| -> String {
        writer.query_drop("begin").unwrap();
        insert(writer, "rf_c1", "op_gone", "7003", now - 590 * SECOND);
        let sql = "select cast(trx_id as char) from information_schema.innodb_trx where trx_mysql_thread_id = connection_id()";
        // The server keeps the list for a tenth of a second.
        for _ in 0..50 {
            thread::sleep(Duration::from_millis(200));
            if let Some(id) = writer.query_first(sql).unwrap() {
                return id;
            }
        }
        panic!("the transaction is in no list");
    };
    let id = begin(&mut writer);
    let short = Duration::from_millis(300);
    for rule in [None, Some("snapshot")] {
        let set = |options: &mut Options| options.coverage_rule = rule.map(str::to_owned);
        let why = uncovered(&read_with(now, address, short, set).unwrap());
        assert!(why.contains(&format!("transaction {id} is open since before the first look")), "{why}");
    }
    // The second look holds what was open at the first.
    let ends = thread::spawn(move || {
        thread::sleep(Duration::from_secs(3));
        writer.query_drop("commit").unwrap();
        writer
    });
    assert_eq!(read(now, address).unwrap().view("op_gone").effects.len(), 1);
    let mut writer = ends.join().unwrap();
    writer.query_drop("delete from refunds where refund_id = 'rf_c1'").unwrap();
    begin(&mut writer);
    let ends = thread::spawn(move || {
        thread::sleep(Duration::from_secs(3));
        writer.query_drop("rollback").unwrap();
    });
    let gone = read(now, address).unwrap().view("op_gone").clone();
    assert_eq!((gone.judgement.verdict(), gone.judgement.covered), ("ABSENT_COVERED", true));
    ends.join().unwrap();
}

/// `--ledger-sql`: rows of an own statement; absence only where it is said to give all rows.
fn statements(base: &str, now: i64) {
    let sql = "select refund_id as effect_id, operation_id, amount, currency, created_at as committed_at \
               from refunds where operation_id in (:operation_ids)";
    let with = |sql: &str, complete: bool| {
        read_with(now, base, Duration::from_secs(20), |options| {
            options.sql = Some(sql.to_owned());
            options.completeness = complete.then(|| "complete".to_owned());
            options.covers_from = Some("start".to_owned());
        })
    };
    let world = with(sql, false).unwrap();
    assert_eq!((world.verdict("op_twice"), world.0.sources()[1].rows.read), ("DUPLICATED", 3));
    assert_eq!(world.0.sources()[1].query.as_deref(), Some(sql));
    assert!(uncovered(&world).contains("an own statement may leave out rows"));
    for (sql, wanted) in [
        ("delete from refunds", "the statement of the ledger does not begin with `select` or `with`"),
        ("select 1; select 2", "the statement of the ledger cannot be used: "),
        (
            "select nothing from refunds",
            "the statement of the ledger cannot be used: Unknown column 'nothing'",
        ),
    ] {
        let why = with(sql, true).map(|_| ()).unwrap_err();
        assert!(why.contains(wanted), "{why}");
    }
}

/// One clear sentence for each cause.
fn sentences(server: &Server, base: &str, owner: &mut Conn, now: i64) {
    let closed = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let port = server.port;
    for (address, wanted) in [
        (format!("{base}?table=refund"), "there is no table `refund` in it; did you mean `refunds`?"),
        (
            format!("{base}?table=secret"),
            "this role may not read secret: its owner allows it with `grant select on secret to reader`",
        ),
        (format!("{base}?table=refunds&columns.operation_id=operation"), "did you mean `operation_id`"),
        (
            format!("mysql://nobody@127.0.0.1:{port}/pay?table=refunds"),
            "the server does not let this role in: Access denied for user 'nobody'@",
        ),
        (
            format!("mysql://reader@127.0.0.1:{port}/elsewhere?table=refunds"),
            "the server does not let this role in: Access denied for user 'reader'@'127.0.0.1' to database 'elsewhere'",
        ),
        (format!("mysql://reader@127.0.0.1:{closed}/pay?table=refunds"), "no server answers there: "),
        (
            format!("{base}?table=refunds&sslmode=maybe"),
            "sslmode is one of disable, prefer, require, verify-ca, verify-full",
        ),
        (format!("{base}?table=slow"), "a query took longer than 5 s and was stopped by the server: slow"),
    ] {
        let why = wrong(now, &address);
        assert!(why.contains(wanted), "{address}: {why}");
        assert!(!why.contains("sesame") && why.lines().count() == 1, "{why}");
    }
    // Two tables fit; the ids of the trace say which.
    let world = read(now, base).unwrap();
    assert_eq!(world.0.sources()[1].query.as_ref().map(|query| query.contains("`refunds`")), Some(true));
    // A wrong password.
    let why = read_wrong_password(now, base);
    assert!(why.contains("the server does not let this role in: Access denied for user 'reader'@"), "{why}");
    // A lock of somebody who changes the table.
    let mut locker = server.owner("pay");
    locker.query_drop("lock tables refunds write").unwrap();
    let why = wrong(now, &format!("{base}?table=refunds"));
    assert!(why.contains("the table is locked: no read was possible for 2 s"), "{why}");
    locker.query_drop("unlock tables").unwrap();
    // A connection that is killed.
    let mut killer = server.owner("pay");
    let kills = thread::spawn(move || {
        for _ in 0..200 {
            thread::sleep(Duration::from_millis(30));
            let sql = "select id from information_schema.processlist where user = 'reader' and info like '%`slow`%'";
            if let Some(id) = killer.query_first::<u64, _>(sql).unwrap() {
                let _ = killer.query_drop(format!("kill {id}"));
                return;
            }
        }
    });
    let why = wrong(now, &format!("{base}?table=slow"));
    assert!(why.contains("the server ended the connection in the middle of the reading: "), "{why}");
    kills.join().unwrap();
    let _ = owner;
}

fn read_wrong_password(now: i64, base: &str) -> String {
    let Place::Server(mut server) = of_server(base, true).unwrap().place else { panic!("no server") };
    server.password = Some("guess".to_owned());
    let ledger = SourceSpec {
        id: "ledger".to_owned(),
        what: What::Ledger,
        location: Location::Server(Box::new(server)),
        shown: String::new(),
        format: Some("mysql".to_owned()),
        options: Options { table: Some("refunds".to_owned()), ..Options::default() },
    };
    let spec =
        CaseSpec { sources: vec![memory(What::Trace, "trace", &trace(now)), ledger], ..CaseSpec::default() };
    match load(spec, &LoadOptions { threads: 1, ..LoadOptions::default() }) {
        Err(why) => why.to_string(),
        Ok(case) => case.found[1].error.clone().unwrap(),
    }
}

/// TLS with an own root.
fn trusted(server: &Server, now: i64) {
    if !server.tls {
        return eprintln!("skipped: TLS of MariaDB: openssl is not installed");
    }
    let file = |name: &str| server.folder.path().join(name).display().to_string();
    let address = |host: &str, mode: &str, root: &str| {
        let port = server.port;
        format!("mysql://reader@{host}:{port}/pay?table=refunds&sslmode={mode}&sslrootcert={}", file(root))
    };
    let read_by = |host: &str, mode: &str| read(now, &address(host, mode, "root.crt"));
    assert_eq!(read_by("127.0.0.1", "verify-ca").unwrap().verdict("op_twice"), "DUPLICATED");
    assert_eq!(read_by("localhost", "verify-full").unwrap().verdict("op_twice"), "DUPLICATED");
    for (host, mode, root, wanted) in [
        (
            "127.0.0.1",
            "verify-full",
            "root.crt",
            "the server's certificate is not trusted: it is made out for another name",
        ),
        (
            "localhost",
            "verify-full",
            "other.crt",
            "the server's certificate is not trusted: nobody who is trusted here has signed it",
        ),
        ("localhost", "verify-full", "none.crt", "none.crt of the certificates is not there"),
    ] {
        let why = wrong(now, &address(host, mode, root));
        assert!(why.contains(wanted), "{why}");
    }
}
