//! TLS, passwords, certificates, services, and a replica: on a cluster of the test's own.

use std::process::Command;
use std::thread;
use std::time::Duration;

use ::postgres::{Client, NoTls};
use recount::sources::spec::Options;

use super::cluster::{Cluster, run};
use super::{Own, fill, ledger, notes, read, read_with, skipped, trace, wrong};

#[test]
fn tls_passwords_and_a_replica() {
    let Some(cluster) = Cluster::start() else { return skipped("TLS, passwords and a replica") };
    let host = format!("127.0.0.1:{}", cluster.port);
    let base = format!("postgres://postgres@{host}/postgres");
    let own = Own::new(&base, &host, "own").unwrap();
    let mut owner = own.owner(&base);
    let now = fill(&mut owner, &own.name, 1_000);
    owner
        .batch_execute(
            "create role locked login password 'cr4ne-lamp'; create role certified login; \
             grant select on refunds to locked, certified",
        )
        .unwrap();
    let file = |name: &str| cluster.folder.path().join(name).to_string_lossy().into_owned();
    let at = |host: &str, options: &str| {
        format!("postgres://locked@{host}:{}/{}?table=refunds&{options}", cluster.port, own.name)
    };

    // A password from a file that nobody else may read, and from a command.
    let passfile = file("pgpass");
    std::fs::write(
        &passfile,
        format!("127.0.0.1:{}:*:locked:cr4ne-lamp\nlocalhost:*:*:locked:cr4ne-lamp\n", cluster.port),
    )
    .unwrap();
    let asks = wrong(now, &at("127.0.0.1", "sslmode=require"));
    assert!(asks.contains("it asks for a password, and none was found"), "{asks}");
    run(Command::new("chmod").args(["600", &passfile])).unwrap();
    let command = |word: &str| {
        ledger(&at("127.0.0.1", ""), |o| o.password_command = vec!["echo".to_owned(), word.to_owned()])
    };
    let patience = Duration::from_secs(5);
    let world = read_with(now, command("cr4ne-lamp"), patience).unwrap();
    assert_eq!(world.verdict("op_twice"), "DUPLICATED");
    assert!(notes(&world.0).contains("sslmode=prefer: the certificate of the server is not checked"));
    let why = read_with(now, command("wr0ng"), patience).map(|_| ()).unwrap_err();
    assert!(why.contains(
        "the server does not let this role in: password authentication failed for user \"locked\""
    ));
    assert!(!why.contains("wr0ng"));

    let with = |host: &str, mode: &str, root: &str| {
        at(host, &format!("passfile={passfile}&sslmode={mode}&sslrootcert={}", file(root)))
    };
    for (host, mode) in [("127.0.0.1", "verify-ca"), ("localhost", "verify-full")] {
        let world = read(now, &with(host, mode, "root.crt")).unwrap();
        assert_eq!(world.verdict("op_twice"), "DUPLICATED");
        assert!(!notes(&world.0).contains("certificate"));
    }
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
        ("localhost", "verify-ca", "no.crt", "holds no certificate that can be read"),
        (
            "127.0.0.1",
            "disable",
            "root.crt",
            "the server does not let this role in: pg_hba.conf rejects connection",
        ),
    ] {
        let why = wrong(now, &with(host, mode, root));
        assert!(why.contains(wanted), "{why}");
        assert!(!wanted.contains("not trusted") || why.contains("sslrootcert=FILE"), "{why}");
    }

    // A client certificate instead of a password.
    let certified = |files: &str| {
        let (port, name) = (cluster.port, &own.name);
        format!(
            "postgres://certified@localhost:{port}/{name}?table=refunds&sslmode=verify-full&sslrootcert={}{files}",
            file("root.crt")
        )
    };
    let files = format!("&sslcert={}&sslkey={}", file("client.crt"), file("client.key"));
    assert_eq!(read(now, &certified(&files)).unwrap().verdict("op_twice"), "DUPLICATED");
    let why = wrong(now, &certified(""));
    assert!(
        why.contains("the server does not let this role in: connection requires a valid client certificate"),
        "{why}"
    );

    command_line(&cluster, &own, now);

    // A prepared transaction is open too.
    owner
        .batch_execute(
            "begin; update refunds set amount = amount where refund_id = 'rf_1'; prepare transaction 'p'",
        )
        .unwrap();
    let address = own.address("table=refunds");
    let world = read_with(now, ledger(&address, |_| {}), Duration::from_millis(200)).unwrap();
    assert!(!world.view("op_gone").judgement.covered);
    owner.batch_execute("rollback prepared 'p'").unwrap();
    assert!(read(now, &address).unwrap().view("op_gone").judgement.covered);

    replica(&cluster, &own, &mut owner, now);
}

/// The program itself: a service file and `PGPASSWORD`; a password in the address is refused and never printed.
fn command_line(cluster: &Cluster, own: &Own, now: i64) {
    let folder = cluster.folder.path();
    let service =
        format!("[books]\nhost=127.0.0.1\nport={}\nuser=locked\ndbname={}\n", cluster.port, own.name);
    std::fs::write(folder.join("services"), service).unwrap();
    std::fs::write(folder.join("trace.jsonl"), trace(now)).unwrap();
    let check = |ledger: &str| {
        let output = Command::new(env!("CARGO_BIN_EXE_recount"))
            .args(["check", "--trace"])
            .arg(folder.join("trace.jsonl"))
            .args(["--ledger", ledger])
            .env("PGSERVICEFILE", folder.join("services"))
            .env("PGPASSWORD", "cr4ne-lamp")
            .output()
            .unwrap();
        let said = [output.stdout, output.stderr].concat();
        (output.status.code(), String::from_utf8_lossy(&said).into_owned())
    };
    let (code, said) = check("service=books?table=refunds");
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains("op_twice") || said.contains("7001"), "{said}");
    assert!(!said.contains("cr4ne-lamp"));
    let address =
        format!("postgres://locked:cr4ne-lamp@127.0.0.1:{}/{}?table=refunds", cluster.port, own.name);
    let (code, said) = check(&address);
    assert_eq!(code, Some(2));
    assert!(said.contains("a password in an address is seen in lists of processes"), "{said}");
    assert!(!said.contains("cr4ne-lamp"));
    let (code, said) = check("service=nobody?table=refunds");
    assert_eq!(code, Some(4));
    assert!(said.contains("no service of this name stands in"), "{said}");
}

/// A replica shows what is there and proves no absence.
fn replica(cluster: &Cluster, own: &Own, owner: &mut Client, now: i64) {
    let level: String = owner.query_one("select pg_current_wal_lsn()::text", &[]).unwrap().get(0);
    let base = format!("postgres://postgres@127.0.0.1:{}/{}", cluster.replica, own.name);
    for _ in 0..100 {
        let there = Client::connect(&base, NoTls).ok().and_then(|mut client| {
            let row =
                client.query_one("select pg_last_wal_replay_lsn() >= $1::text::pg_lsn", &[&level]).ok()?;
            Some(row.get::<_, bool>(0))
        });
        if there == Some(true) {
            break;
        }
        thread::sleep(Duration::from_millis(100));
    }
    let address = format!("postgres://{0}@127.0.0.1:{1}/{0}?table=refunds", own.name, cluster.replica);
    let world = read(now, &address).unwrap();
    assert_eq!(world.verdict("op_twice"), "DUPLICATED");
    let source = &world.0.sources()[1];
    assert_eq!(source.role, "replica");
    assert!(source.position.contains("LSN "), "{}", source.position);
    let gone = world.view("op_gone");
    assert!(!gone.judgement.covered);
    assert!(
        gone.uncovered.iter().any(|(_, words)| words.contains("to prove an absence read the primary")),
        "{:?}",
        gone.uncovered
    );

    // Changes that have to be replayed cancel the reading once; it is read again. On a busy machine the same changes may
    // still be replayed then and cancel that reading too: the source is not read, as it has to be, and the next turn tells.
    for turn in 1..=4 {
        let world = conflict(cluster, own, now, &base, &address);
        if world.verdict("op_twice") == "SOURCE_NOT_READ" && turn < 4 {
            continue;
        }
        assert_eq!(world.verdict("op_twice"), "DUPLICATED", "{:?}", world.0.sources()[1].error);
        let wanted = "the replica cancelled the reading once (recovery conflict); it was read again";
        assert!(notes(&world.0).contains(wanted), "{}", notes(&world.0));
        return;
    }
}

/// Reads slowly from the replica while a row goes and its place is cleaned.
fn conflict(cluster: &Cluster, own: &Own, now: i64, base: &str, address: &str) -> crate::world::World {
    let sql = "select r.refund_id as effect_id, r.operation_id, r.amount, r.currency, r.created_at as committed_at \
               from (select pg_sleep(1.5)) as s, refunds as r";
    let set = |options: &mut Options| options.sql = Some(sql.to_owned());
    let slow = ledger(address, set);
    let reader = own.name.clone();
    let mut watcher = Client::connect(base, NoTls).unwrap();
    let mut changer = own.owner(&format!("postgres://postgres@127.0.0.1:{}/postgres", cluster.port));
    let changes = thread::spawn(move || {
        for _ in 0..200 {
            thread::sleep(Duration::from_millis(30));
            let sql = "select 1 from pg_stat_activity where usename = $1 and state = 'active' and query like 'select null::text%'";
            if !watcher.query(sql, &[&reader]).unwrap().is_empty() {
                // Another version of a row: the old one is dead, and cleaned at once.
                changer.batch_execute("update refunds set amount = amount where refund_id = 'rf_2'").unwrap();
                return changer.batch_execute("vacuum refunds").unwrap();
            }
        }
    });
    let world = read_with(now, slow, Duration::ZERO).unwrap();
    changes.join().unwrap();
    world
}
