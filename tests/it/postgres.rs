//! Live PostgreSQL ledgers: a server of this machine (`RECOUNT_TEST_POSTGRES`, else 127.0.0.1:5432), and clusters of
//! the tests' own. Where there is none the tests say that they were skipped.

mod cluster;
mod protected;

use std::fmt::Write as _;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use ::postgres::{Client, NoTls};
use recount::load::{Case, Options as LoadOptions, load};
use recount::model::time::{Micros, rfc3339};
use recount::sources::address::{Place, of_server};
use recount::sources::spec::{CaseSpec, Location, Options, SourceSpec, What};

use cluster::{Cluster, as_postgres, free_port, give, installed, run};

use crate::world::{World, memory};

const SECOND: i64 = 1_000_000;
/// Rows of the large table.
const MANY: i64 = 1_000_000;

/// A database, and a role that may only read, for one test; both go with it.
struct Own {
    admin: Client,
    host: String,
    name: String,
}

impl Own {
    fn new(base: &str, host: &str, test: &str) -> Option<Self> {
        let mut admin = Client::connect(base, NoTls).ok()?;
        let name = format!("recount_{test}_{}", std::process::id());
        admin.batch_execute(&format!("create role {name} login")).ok()?;
        admin.batch_execute(&format!("create database {name}")).ok()?;
        Some(Self { admin, host: host.to_owned(), name })
    }

    /// A connection of the owner into the own database.
    fn owner(&self, base: &str) -> Client {
        let mut config: ::postgres::Config = base.parse().unwrap();
        config.dbname(&self.name);
        config.connect(NoTls).unwrap()
    }

    fn address(&self, options: &str) -> String {
        format!("postgres://{0}@{1}/{0}?{options}", self.name, self.host)
    }
}

impl Drop for Own {
    fn drop(&mut self) {
        let name = &self.name;
        let _ = self.admin.batch_execute(&format!("drop database if exists {name} with (force)"));
        let _ = self
            .admin
            .batch_execute(&format!("drop role if exists {name}; drop role if exists {name}_reader"));
    }
}

/// The server of this machine: how to reach it as its owner, and its host with port.
fn server() -> (String, String) {
    let base = std::env::var("RECOUNT_TEST_POSTGRES")
        .unwrap_or_else(|_| "postgres://postgres@127.0.0.1:5432/postgres".to_owned());
    let host = base.rsplit('@').next().and_then(|rest| rest.split('/').next()).unwrap_or_default().to_owned();
    (base, host)
}

fn skipped(test: &str) {
    eprintln!("skipped: {test}: no PostgreSQL server answers (RECOUNT_TEST_POSTGRES names one)");
}

fn clock(client: &mut Client) -> i64 {
    let row =
        client.query_one("select (extract(epoch from clock_timestamp()) * 1000000)::bigint", &[]).unwrap();
    row.get(0)
}

/// A table with these many rows of others, and the rows of the trace of [`trace`]; the newest is 5 s old.
fn fill(client: &mut Client, role: &str, others: i64) -> i64 {
    client
        .batch_execute(&format!(
            "create table refunds (id bigint generated always as identity primary key, refund_id text not null, \
             operation_id text, order_id text, amount numeric(12, 2), currency text, created_at timestamptz not null); \
             insert into refunds (refund_id, operation_id, order_id, amount, currency, created_at) \
             select 'rf_' || n, 'op_other_' || n, n::text, 5 + n % 90, 'EUR', now() - interval '40 days' + n * interval '2 s' \
             from generate_series(1, {others}) as n; \
             create index on refunds (operation_id); create index on refunds (order_id); create index on refunds (created_at); \
             create index on refunds (refund_id); \
             create table payouts (id bigint primary key, operation_id text, amount numeric, created_at timestamptz); \
             create table secret (refund_id text, operation_id text, amount numeric, created_at timestamptz); \
             grant select on refunds, payouts to {role}"
        ))
        .unwrap();
    let now = clock(client);
    for (id, op, order, back) in [
        ("rf_a1", "op_twice", "7001", 590),
        ("rf_a2", "op_twice", "7001", 560),
        ("rf_b1", "op_once", "7002", 590),
        ("rf_z", "op_heartbeat", "1", 5),
    ] {
        insert(client, id, op, order, now - back * SECOND);
    }
    client.batch_execute("analyze refunds").unwrap();
    now
}

fn insert(client: &mut Client, id: &str, operation: &str, order: &str, at: i64) {
    client
        .execute(
            "insert into refunds (refund_id, operation_id, order_id, amount, currency, created_at) \
             values ($1, $2, $3, 25.00, 'EUR', $4::text::timestamptz)",
            &[&id, &operation, &order, &rfc3339(Micros(at))],
        )
        .unwrap();
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

fn ledger(address: &str, set: impl FnOnce(&mut Options)) -> SourceSpec {
    let read = of_server(address, true).unwrap();
    let Place::Server(server) = read.place else { panic!("no server") };
    let mut options = read.options;
    set(&mut options);
    SourceSpec {
        id: "ledger".to_owned(),
        what: What::Ledger,
        location: Location::Server(Box::new(server)),
        shown: recount::text::url(address),
        format: Some("postgres".to_owned()),
        options,
    }
}

fn read_with(now: i64, ledger: SourceSpec, patience: Duration) -> Result<World, String> {
    let sources = vec![memory(What::Trace, "trace", &trace(now)), ledger];
    let spec = CaseSpec { sources, ..CaseSpec::default() };
    let options = LoadOptions { threads: 1, patience, ..LoadOptions::default() };
    load(spec, &options).map(World).map_err(|error| error.to_string())
}

fn read(now: i64, address: &str) -> Result<World, String> {
    read_with(now, ledger(address, |_| {}), Duration::from_secs(20))
}

/// What is wrong with the ledger, whether it could not be opened or not be read.
fn wrong(now: i64, address: &str) -> String {
    match read(now, address) {
        Err(why) => why,
        Ok(world) => world.0.found[1].error.clone().expect("the ledger could be read"),
    }
}

fn notes(case: &Case) -> String {
    case.found[1].notes.join("\n")
}

#[test]
fn a_ledger_of_a_million_rows_is_read_by_ids() {
    let (mut base, mut host) = server();
    // Where none can be used as it is, one is started.
    let mut cluster = None;
    let own = Own::new(&base, &host, "live").or_else(|| {
        let port = cluster.insert(Cluster::start()?).port;
        host = format!("127.0.0.1:{port}");
        base = format!("postgres://postgres@{host}/postgres");
        Own::new(&base, &host, "live")
    });
    let Some(own) = own else { return skipped("a million rows") };
    let mut owner = own.owner(&base);
    let now = fill(&mut owner, &own.name, MANY);
    let address = own.address("table=refunds");

    let world = read(now, &address).unwrap();
    assert_eq!(world.verdict("op_twice"), "DUPLICATED");
    assert_eq!(world.verdict("op_once"), "MATCHED");
    let gone = world.view("op_gone");
    assert_eq!(
        (gone.judgement.verdict(), gone.judgement.covered),
        ("ABSENT_COVERED", true),
        "{:?}",
        gone.uncovered
    );
    let source = &world.0.sources()[1];
    assert!(source.rows.read < 20, "a full listing was read: {} rows", source.rows.read);
    assert!(
        source.position.starts_with("snapshot ") && source.position.contains(", LSN "),
        "{}",
        source.position
    );
    assert_eq!(source.newest, Some(Micros(now - 5 * SECOND)));
    assert_eq!((source.role, source.live), ("authority", true));
    assert_eq!(source.path, format!("postgres://{host}/{}", own.name));

    // The query that is shown is the one that is asked, and an index serves it.
    let query = source.query.clone().unwrap();
    assert!(query.ends_with(r#"from "public"."refunds" where "operation_id" = any ($1::text[])"#), "{query}");
    owner.batch_execute(&format!("prepare narrow(text[]) as {query}")).unwrap();
    let plan = owner.simple_query("explain execute narrow(array['op_twice', 'op_once', 'op_gone'])").unwrap();
    let plan: String = plan
        .iter()
        .filter_map(|message| match message {
            ::postgres::SimpleQueryMessage::Row(row) => row.get(0),
            _ => None,
        })
        .collect();
    assert!(plan.contains("Index") && !plan.contains("Seq Scan"), "{plan}");

    open_transactions(&own, &base, now);
    statements(&own, now);
    capitals(&own, &mut owner, now);
    documented(&own, &base, &mut owner, now);
    sentences(&own, &base, &mut owner, now);
    through_a_pooler(&own, &host, now);
}

/// An absence is covered only after everything that had begun to write has ended.
fn open_transactions(own: &Own, base: &str, now: i64) {
    let address = own.address("table=refunds");
    let mut writer = own.owner(base);
    let begin = |writer: &mut Client| {
        writer.batch_execute("begin").unwrap();
        insert(writer, "rf_c1", "op_gone", "7003", now - 590 * SECOND);
        let id: String = writer.query_one("select pg_current_xact_id()::text", &[]).unwrap().get(0);
        id
    };
    let id = begin(&mut writer);
    for set in [|_: &mut Options| {}, |o: &mut Options| o.coverage_rule = Some("snapshot".to_owned())] {
        let world = read_with(now, ledger(&address, set), Duration::from_millis(300)).unwrap();
        let gone = world.view("op_gone");
        assert!(!gone.judgement.covered);
        let why = format!("transaction {id} is open since before the first look");
        assert!(gone.uncovered.iter().any(|(_, words)| words.contains(&why)), "{:?}", gone.uncovered);
    }
    // The second look holds what was open at the first.
    let ends = thread::spawn(move || {
        thread::sleep(Duration::from_secs(2));
        let ended = clock(&mut writer);
        writer.batch_execute("commit").unwrap();
        (writer, ended)
    });
    let world = read(now, &address).unwrap();
    assert_eq!(world.view("op_gone").effects.len(), 1);
    let (mut writer, ended) = ends.join().unwrap();
    // On a slow machine the first look may have come after the end.
    let waited = |world: &World, ended: i64| {
        let first = world.0.found[1].server.as_ref().and_then(|facts| facts.first_look).unwrap();
        first.0 + SECOND < ended
    };
    if waited(&world, ended) {
        let note = format!("transactions {id} were open at the first look and gone after");
        assert!(notes(&world.0).contains(&note), "{}", notes(&world.0));
    }
    writer.batch_execute("delete from refunds where refund_id = 'rf_c1'").unwrap();
    let id = begin(&mut writer);
    let ends = thread::spawn(move || {
        thread::sleep(Duration::from_secs(2));
        let ended = clock(&mut writer);
        writer.batch_execute("rollback").unwrap();
        ended
    });
    let world = read(now, &address).unwrap();
    let gone = world.view("op_gone");
    assert_eq!((gone.judgement.verdict(), gone.judgement.covered), ("ABSENT_COVERED", true));
    let ended = ends.join().unwrap();
    assert!(!waited(&world, ended) || notes(&world.0).contains(&format!("transactions {id} were open")));
}

/// `--ledger-sql`: rows of an own statement; absence only where it is said to give all rows.
fn statements(own: &Own, now: i64) {
    let sql = "select refund_id as effect_id, operation_id, amount, currency, created_at as committed_at \
               from refunds where operation_id = any (:operation_ids)";
    let with = |sql: &str, complete: bool| {
        let set = |options: &mut Options| {
            options.sql = Some(sql.to_owned());
            options.completeness = complete.then(|| "complete".to_owned());
            options.covers_from = Some("start".to_owned());
        };
        let address = format!("postgres://{0}@{1}/{0}", own.name, own.host);
        read_with(now, ledger(&address, set), Duration::from_secs(20))
    };
    let world = with(sql, false).unwrap();
    assert_eq!((world.verdict("op_twice"), world.0.sources()[1].rows.read), ("DUPLICATED", 3));
    assert_eq!(world.0.sources()[1].query.as_deref(), Some(sql));
    let gone = world.view("op_gone");
    assert!(!gone.judgement.covered);
    assert!(gone.uncovered.iter().any(|(_, words)| words.contains("an own statement may leave out rows")));
    for (sql, wanted) in [
        ("delete from refunds", "the statement of the ledger does not begin with `select` or `with`"),
        ("select 1; select 2", "the statement of the ledger cannot be used: "),
        (
            "with gone as (delete from refunds returning *) select * from gone",
            "the statement of the ledger cannot be used: ",
        ),
        (
            "select nothing from refunds",
            "the statement of the ledger cannot be used: column \"nothing\" does not exist",
        ),
    ] {
        let why = with(sql, true).map(|_| ()).unwrap_err();
        assert!(why.contains(wanted), "{why}");
    }
}

/// A column of the type `uuid` knows no case: an id in capitals is the same id.
fn capitals(own: &Own, owner: &mut Client, now: i64) {
    let id = "0a6c1f34-b001-4d10-9b1c-10000000000";
    let at = |back: i64| rfc3339(Micros(now - back * SECOND));
    owner
        .batch_execute(&format!(
            "create table by_uuid (refund_id uuid primary key, operation_id uuid, amount numeric, currency text, \
             created_at timestamptz); grant select on by_uuid to {}; \
             insert into by_uuid values (gen_random_uuid(), '{id}a', 25, 'EUR', '{}'), (gen_random_uuid(), '{id}a', 25, 'EUR', '{}')",
            own.name,
            at(590),
            at(580)
        ))
        .unwrap();
    let call = |id: &str| {
        format!(
            r#"{{"operation_id":"{id}","attempt":1,"tool":"refund_order","arguments":{{"order_id":"9","amount":"25.00","currency":"EUR"}},"sent_at":"{}","ended_at":"{}","outcome":"timeout"}}"#,
            at(600),
            at(595)
        ) + "\n"
    };
    let capital = format!("{id}a").to_uppercase();
    let address = own.address("table=by_uuid");
    let read = |trace: String| {
        let sources = vec![memory(What::Trace, "trace", &trace), ledger(&address, |_| {})];
        let spec = CaseSpec { sources, ..CaseSpec::default() };
        World(load(spec, &LoadOptions { threads: 1, ..LoadOptions::default() }).unwrap())
    };
    assert_eq!(read(call(&capital)).verdict(&capital), "DUPLICATED");
    assert_eq!(read(call(&format!("{id}a"))).verdict(&format!("{id}a")), "DUPLICATED");
    owner.batch_execute("drop table by_uuid").unwrap();
}

/// What `docs/postgres.md` says: the rights of a reader, and the export with its sidecar.
fn documented(own: &Own, base: &str, owner: &mut Client, now: i64) {
    let text = include_str!("../../docs/postgres.md");
    let block = |mark: &str| {
        text.split_once(&format!("```{mark}\n")).and_then(|(_, rest)| rest.split_once("```")).unwrap().0
    };
    let reader = format!("{}_reader", own.name);
    for statement in
        block("sql").replace("recount_reader", &reader).split(';').filter(|one| !one.trim().is_empty())
    {
        owner.batch_execute(statement).unwrap();
    }
    let address = format!("postgres://{reader}@{}/{}?table=refunds", own.host, own.name);
    assert_eq!(read(now, &address).unwrap().verdict("op_twice"), "DUPLICATED");
    owner.batch_execute(&format!("drop owned by {reader}; drop role {reader}")).unwrap();

    let Some(psql) = installed("psql") else {
        return eprintln!("skipped: the export: psql is not installed");
    };
    let folder = tempfile::tempdir().unwrap();
    // A part of the table is enough here.
    let script = block("psql").replace(" from refunds", " from refunds_of_today");
    owner.batch_execute("create view refunds_of_today as select * from refunds where created_at > now() - interval '17 days'").unwrap();
    std::fs::write(folder.path().join("export.sql"), script).unwrap();
    let address =
        base.rsplit_once('/').map_or_else(String::new, |(server, _)| format!("{server}/{}", own.name));
    run(Command::new(psql).current_dir(folder.path()).args(["-X", "-q", "-f", "export.sql", &address]))
        .unwrap();
    let export = crate::world::file(What::Ledger, "export", &folder.path().join("refunds.csv"));
    let world = read_with(now, export, Duration::ZERO).unwrap();
    assert_eq!(world.verdict("op_twice"), "DUPLICATED");
    assert!(world.view("op_gone").judgement.covered);
    owner.batch_execute("drop view refunds_of_today").unwrap();
}

/// One clear sentence for each cause.
fn sentences(own: &Own, base: &str, owner: &mut Client, now: i64) {
    owner
        .batch_execute(&format!(
            "create view slow as select r.* from refunds as r, (select pg_sleep(8)) as s; grant select on slow to {}",
            own.name
        ))
        .unwrap();
    let closed = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let (name, host) = (&own.name, &own.host);
    for (address, wanted) in [
        (own.address("table=refund"), "there is no table `refund` in it; did you mean `refunds`?".to_owned()),
        (
            own.address("table=secret"),
            format!(
                "this role may not read secret: its owner allows it with `grant select on secret to {name}`"
            ),
        ),
        (
            own.address("table=refunds&columns.operation_id=operation"),
            "did you mean `operation_id`".to_owned(),
        ),
        (own.address("moves_money"), "refunds".to_owned()),
        (
            format!("postgres://{name}@{host}/{name}_no?table=refunds"),
            format!("the server has no such database: {name}_no"),
        ),
        (
            format!("postgres://{name}_no@{host}/{name}?table=refunds"),
            "the server does not let this role in: ".to_owned(),
        ),
        (
            format!("postgres://{name}@127.0.0.1:{closed}/{name}?table=refunds"),
            "no server answers there: ".to_owned(),
        ),
        (
            own.address("table=refunds&sslmode=maybe"),
            "sslmode is one of disable, allow, prefer, require".to_owned(),
        ),
        (
            own.address("table=slow"),
            "a query took longer than 5 s and was stopped by the server: slow".to_owned(),
        ),
    ] {
        if address.ends_with("moves_money") {
            // Two tables fit; the ids of the trace say which.
            let world = read(now, &address).unwrap();
            assert_eq!(world.0.sources()[1].query.as_ref().map(|query| query.contains(&wanted)), Some(true));
            continue;
        }
        let why = wrong(now, &address);
        assert!(why.contains(&wanted), "{address}: {why}");
        assert!(!why.contains("error:") && why.lines().count() == 1, "{why}");
    }
    let (name, mut killer) = (own.name.clone(), own.owner(base));
    let kills = thread::spawn(move || {
        for _ in 0..100 {
            thread::sleep(Duration::from_millis(50));
            let sql = "select pg_terminate_backend(pid) from pg_stat_activity where usename = $1 and state = 'active' \
                       and query like '%\"slow\"%'";
            if !killer.query(sql, &[&name]).unwrap().is_empty() {
                return;
            }
        }
    });
    let why = wrong(now, &own.address("table=slow"));
    assert!(why.contains("the server ended the connection in the middle of the reading: "), "{why}");
    kills.join().unwrap();
}

/// A pooler that gives a connection for a transaction: no start-up options, no named statements.
fn through_a_pooler(own: &Own, host: &str, now: i64) {
    let Some(program) = installed("pgbouncer") else {
        return eprintln!("skipped: through a pooler: PgBouncer is not installed");
    };
    let folder = tempfile::tempdir().unwrap();
    let port = free_port();
    let (host, server_port) = host.split_once(':').unwrap_or((host, "5432"));
    let setting = format!(
        "[databases]\n* = host={host} port={server_port}\n[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = {port}\n\
         auth_type = trust\nauth_file = {0}/users\npool_mode = transaction\nunix_socket_dir =\nlogfile = {0}/log\npidfile = {0}/pid\n",
        folder.path().display()
    );
    std::fs::write(folder.path().join("users"), format!("\"{}\" \"\"\n", own.name)).unwrap();
    std::fs::write(folder.path().join("ini"), setting).unwrap();
    give(folder.path());
    let mut pooler = as_postgres(&program)
        .arg(folder.path().join("ini"))
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let address = format!("postgres://{0}@127.0.0.1:{port}/{0}?table=refunds", own.name);
    let mut world = Err(String::new());
    for _ in 0..40 {
        thread::sleep(Duration::from_millis(100));
        world = read(now, &address);
        if world.is_ok() {
            break;
        }
    }
    let pid = std::fs::read_to_string(folder.path().join("pid")).unwrap_or_default();
    let _ = Command::new("kill").arg(pid.trim()).status();
    let _ = pooler.wait();
    let world = world.unwrap();
    assert_eq!(world.verdict("op_twice"), "DUPLICATED");
    assert!(world.view("op_gone").judgement.covered);
}
