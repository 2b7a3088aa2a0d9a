use std::ffi::OsString;
use std::fs;
use std::path::Path;

use super::super::call::Call;
use super::super::failure::Failure;
use super::super::table::named;
use super::plan::{Piece, add, check};
use super::*;
use crate::report::out::Out;
use crate::sources::spec::{Filter, Location, Normalise, Options};

const TRACE: &str = "{\"event\":\"attempt\",\"attempt_id\":\"a1\",\"operation_id\":\"op1\",\"tool\":\"refund\",\"outcome\":\"success\",\"sent_at\":\"2026-11-30T08:00:00Z\",\"ended_at\":\"2026-11-30T08:00:01Z\"}\n";
const LEDGER: &str =
    "refund_id,operation_id,amount,currency,committed_at\nr1,op1,1.00,USD,2026-11-30T08:00:00Z\n";
const BOOKS: &str = "id,order_id,amount,created_at\nb1,1234,1.00,2026-11-30T08:00:00Z\n";

/// A folder with files.
fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, content) in files {
        fs::write(folder.path().join(name), content).unwrap();
    }
    folder
}

fn call(command: &str, args: &[&str]) -> Call {
    let args: Vec<OsString> = args.iter().map(OsString::from).collect();
    Call::new(named(command).unwrap(), &args, Out::to(Box::new(std::io::sink()))).unwrap()
}

/// Gathers with `{}` in arguments standing for the folder.
fn gathered(folder: &Path, args: &[&str]) -> Result<Input, Failure> {
    let place = folder.to_str().unwrap();
    let args: Vec<String> = args.iter().map(|arg| arg.replace("{}", place)).collect();
    gather(&call("check", &args.iter().map(String::as_str).collect::<Vec<_>>()))
}

fn ids(input: &Input) -> Vec<(&str, What)> {
    input.spec.sources.iter().map(|s| (s.id.as_str(), s.what)).collect()
}

#[test]
fn roles_are_found_by_content() {
    let place = folder(&[("a.log", TRACE), ("b.txt", LEDGER)]);
    for args in [&["{}/a.log", "{}/b.txt"][..], &["{}"], &["--trace", "{}/a.log", "--ledger", "{}/b.txt"]] {
        let input = gathered(place.path(), args).unwrap();
        assert_eq!(ids(&input), [("a", What::Trace), ("b", What::Ledger)], "{args:?}");
        assert!(input.notes.is_empty());
    }
}

#[test]
fn a_folder_leaves_out_what_it_cannot_use() {
    let place = folder(&[
        ("trace.jsonl", TRACE),
        ("ledger.csv", LEDGER),
        ("notes.txt", "just words\nand more\n"),
        (".hidden", TRACE),
        ("ledger.csv.position.json", "{}"),
        ("x.db-wal", "x"),
    ]);
    let input = gathered(place.path(), &["{}"]).unwrap();
    assert_eq!(ids(&input), [("ledger", What::Ledger), ("trace", What::Trace)]);
    assert_eq!(input.notes.len(), 1);
    assert!(input.notes[0].contains("notes.txt (it is plain text"), "{:?}", input.notes);
    let empty = folder(&[("notes.txt", "words\n")]);
    let failure = gathered(empty.path(), &["{}"]).unwrap_err();
    assert_eq!(failure.exit, 4);
    let wanted = "holds no trace and no ledger that could be read; recount sniff FILE says what a file is";
    assert!(failure.text.contains(wanted), "{}", failure.text);
}

#[test]
fn a_case_is_read_from_its_config() {
    let place = folder(&[
        ("t.jsonl", TRACE),
        ("l.csv", LEDGER),
        (
            "recount.toml",
            "[case]\nid = \"c\"\n[traces.t]\npath = \"t.jsonl\"\n[sources.l]\npath = \"l.csv\"\nzone = \"UTC\"\n",
        ),
    ]);
    for args in [&["{}"][..], &["--case", "{}"], &["{}/recount.toml"]] {
        let input = gathered(place.path(), args).unwrap();
        assert_eq!(input.spec.id, "c");
        assert_eq!(ids(&input), [("t", What::Trace), ("l", What::Ledger)]);
        assert_eq!(input.spec.sources[1].shown, "l.csv");
    }
    let input = gathered(place.path(), &["{}", "--zone", "+02:00", "--now", "2026-11-30T09:00:00Z"]).unwrap();
    assert_eq!(input.spec.sources[1].options.zone.as_deref(), Some("+02:00"));
    assert_eq!(input.spec.now.as_deref(), Some("2026-11-30T09:00:00Z"));
    let failure = gathered(place.path(), &["{}", "--config", "{}/recount.toml"]).unwrap_err();
    assert_eq!(failure.text, "a case has its own recount.toml; leave out --config, or name the sources");
}

#[test]
fn a_broken_config_is_an_input_error_with_its_line() {
    let place = folder(&[("recount.toml", "[case]\nnwo = \"x\"\n")]);
    let failure = gathered(place.path(), &["{}"]).unwrap_err();
    assert_eq!(failure.exit, 4);
    assert!(
        failure.text.ends_with("recount.toml line 2: the key `nwo` is not known; did you mean `now`?"),
        "{}",
        failure.text
    );
}

#[test]
fn two_ledgers_need_a_meaning() {
    let place = folder(&[("trace.jsonl", TRACE), ("provider.csv", LEDGER), ("books.csv", BOOKS)]);
    let named = ["--trace", "{}/trace.jsonl", "--ledger", "{}/books.csv", "{}/provider.csv"];
    let failure = gathered(place.path(), &named).unwrap_err();
    assert_eq!(failure.exit, 2);
    assert!(
        failure.text.contains("\n  --copy-of books=provider\n  --part books,provider\n"),
        "{}",
        failure.text
    );
    let with = |more: &[&str]| gathered(place.path(), &[&named[..], more].concat());
    let input = with(&["--copy-of", "books=provider"]).unwrap();
    assert_eq!(input.spec.sources[1].options.copy_of.as_deref(), Some("provider"));
    let input = with(&["--part", "books,provider"]).unwrap();
    assert!(input.spec.sources[1].options.part && input.spec.sources[2].options.part);
    let failure = with(&["--copy-of", "boks=provider"]).unwrap_err();
    assert_eq!(
        failure.text,
        "--copy-of names `boks`, and no ledger has this id; did you mean `books`? (ledgers: books, provider)"
    );
    let addressed = [
        "--trace",
        "{}/trace.jsonl",
        "--ledger",
        "{}/books.csv?moves_money=true",
        "{}/provider.csv?moves_money=true",
    ];
    assert!(gathered(place.path(), &addressed).is_ok());
    let copy =
        ["--trace", "{}/trace.jsonl", "--ledger", "csv:{}/books.csv?copy_of=p", "csv:{}/provider.csv?id=p"];
    assert_eq!(ids(&gathered(place.path(), &copy).unwrap())[2].0, "p");
}

#[test]
fn files_of_one_form_are_one_source_unless_they_have_ids() {
    let place = folder(&[("trace.jsonl", TRACE), ("a.csv", LEDGER), ("b.csv", LEDGER)]);
    let input =
        gathered(place.path(), &["--trace", "{}/trace.jsonl", "--ledger", "{}/a.csv", "{}/b.csv"]).unwrap();
    assert_eq!(ids(&input), [("trace", What::Trace), ("a", What::Ledger), ("a", What::Ledger)]);
    let apart = ["--trace", "{}/trace.jsonl", "--ledger", "{}/a.csv?id=x", "{}/b.csv?id=y", "--part", "x,y"];
    assert_eq!(
        ids(&gathered(place.path(), &apart).unwrap())[1..],
        [("x", What::Ledger), ("y", What::Ledger)]
    );
}

#[test]
fn a_file_that_could_be_both_or_neither_names_both_commands() {
    let both =
        "{\"tool\":\"t\",\"outcome\":\"ok\",\"refund_id\":\"r\",\"committed_at\":\"2026-11-30T08:00:00Z\"}\n";
    let place = folder(&[("x y.jsonl", both)]);
    let failure = gathered(place.path(), &["{}/x y.jsonl"]).unwrap_err();
    assert_eq!(failure.exit, 2);
    let path = place.path().display();
    assert!(
        failure.text.ends_with(&format!(
            "Say which:\n  recount check --trace '{path}/x y.jsonl'\n  recount check --ledger '{path}/x y.jsonl'"
        )),
        "{}",
        failure.text
    );
    assert_eq!(gathered(place.path(), &["{}"]).unwrap_err().exit, 2);
}

#[test]
fn what_cannot_be_opened_stays_a_source() {
    let place = folder(&[("trace.jsonl", TRACE), ("ledger.csv", LEDGER)]);
    let input = gathered(place.path(), &["{}/trace.jsonl", "{}/missing.db"]).unwrap();
    assert_eq!(ids(&input), [("trace", What::Trace), ("missing", What::Ledger)]);
    let input = gathered(place.path(), &["{}/missing.jsonl", "{}/ledger.csv"]).unwrap();
    assert_eq!(ids(&input), [("missing", What::Trace), ("ledger", What::Ledger)]);
    let input = gathered(place.path(), &["--trace", "{}/no.jsonl", "--ledger", "{}/ledger.csv"]).unwrap();
    assert_eq!(ids(&input), [("no", What::Trace), ("ledger", What::Ledger)]);
}

#[test]
fn a_command_behind_a_path_is_said_to_come_first() {
    let place = folder(&[("trace.jsonl", TRACE)]);
    let failure = gathered(place.path(), &["{}/trace.jsonl", "list"]).unwrap_err();
    assert_eq!(failure.text, "no file \"list\"; a command is the first word: recount list ..");
}

#[test]
fn two_cases_are_one_too_many() {
    let one = folder(&[("recount.toml", "")]);
    let other = folder(&[("recount.toml", "")]);
    let failure = gathered(one.path(), &["{}", other.path().to_str().unwrap()]).unwrap_err();
    assert!(failure.text.starts_with("two cases, ") && failure.exit == 2, "{}", failure.text);
}

#[test]
fn options_reach_the_sources_they_are_for() {
    let place = folder(&[("trace.jsonl", TRACE), ("ledger.csv", LEDGER)]);
    let args = [
        "{}/trace.jsonl",
        "{}/ledger.csv",
        "--since",
        "2026-11-30T00:00:00Z",
        "--until",
        "2026-12-01T00:00:00Z",
        "--where",
        "channel = agent",
        "--where",
        "region in (eu, us)",
        "--kind",
        "refund",
        "--currency",
        "USD",
        "--zone",
        "UTC",
        "--exported-at",
        "2026-11-30T09:00:00Z",
        "--covers-from",
        "start",
        "--ledger-final",
        "--trace-complete",
        "--link",
        "business_id,amount",
        "--normalise",
        "uuid,trim",
        "--frozen",
    ];
    let spec = gathered(place.path(), &args).unwrap().spec;
    let (trace, ledger) = (&spec.sources[0].options, &spec.sources[1].options);
    assert_eq!(trace.since.as_deref(), Some("2026-11-30T00:00:00Z"));
    assert_eq!(trace.zone.as_deref(), Some("UTC"));
    assert!(trace.scope.is_empty() && trace.kind.is_none() && trace.exported_at.is_none() && !trace.frozen);
    assert_eq!(ledger.until.as_deref(), Some("2026-12-01T00:00:00Z"));
    assert_eq!(
        ledger.scope,
        [
            Filter::Equals("channel".into(), "agent".into()),
            Filter::In("region".into(), vec!["eu".into(), "us".into()])
        ]
    );
    assert_eq!(ledger.covers_from.as_deref(), Some("start"));
    assert!(ledger.frozen && spec.ledger_final && spec.trace_complete);
    assert_eq!(spec.join, ["business_id", "amount"]);
    assert_eq!(spec.normalise, [Normalise::Uuid, Normalise::Trim]);
    let failure = gathered(place.path(), &["{}/trace.jsonl", "--link", "amount"]).unwrap_err();
    assert_eq!(failure.text, "--link needs business_id: --link business_id[,amount][,window]");
}

#[test]
fn an_address_wins_over_the_option_for_all() {
    let place = folder(&[("trace.jsonl", TRACE), ("ledger.csv", LEDGER)]);
    let args =
        ["--trace", "{}/trace.jsonl", "--ledger", "csv:{}/ledger.csv?currency=EUR&id=p", "--currency", "USD"];
    let spec = gathered(place.path(), &args).unwrap().spec;
    assert_eq!(spec.sources[1].options.currency.as_deref(), Some("EUR"));
    assert_eq!(spec.sources[1].format.as_deref(), Some("csv"));
    let failure = gathered(place.path(), &["--ledger", "{}/ledger.csv?curency=EUR"]).unwrap_err();
    assert!(
        failure.text.contains("the option `curency` is not known; did you mean `currency`?"),
        "{}",
        failure.text
    );
}

#[test]
fn a_statement_is_read_from_its_file() {
    let place = folder(&[("trace.jsonl", TRACE), ("ledger.csv", LEDGER), ("q.sql", "select 1")]);
    let args = ["--trace", "{}/trace.jsonl", "--ledger", "{}/ledger.csv", "--ledger-sql", "{}/q.sql"];
    let spec = gathered(place.path(), &args).unwrap().spec;
    assert_eq!(spec.sources[1].options.sql.as_deref(), Some("select 1"));
    let failure =
        gathered(place.path(), &["--trace", "{}/trace.jsonl", "--ledger-sql", "{}/q.sql"]).unwrap_err();
    assert!(
        failure
            .text
            .starts_with("--ledger-sql is for one ledger that is a database, and no ledger was named")
    );
}

#[test]
fn a_secret_of_an_address_is_never_kept_for_showing() {
    let place = folder(&[("trace.jsonl", TRACE)]);
    let args = ["--trace", "{}/trace.jsonl", "--ledger", "postgres://u:s3cret@db.example/pay?table=refunds"];
    let failure = gathered(place.path(), &args).unwrap_err();
    assert_eq!(failure.exit, 2);
    assert!(failure.text.starts_with("--ledger postgres://db.example/pay: a password in an address is seen"));
    assert!(!failure.text.contains("s3cret"));
    for (address, shown) in [
        ("postgres://u@db.example/pay?table=refunds", "postgres://db.example/pay"),
        ("service=books?table=refunds", "service=books"),
    ] {
        let spec = gathered(place.path(), &["--trace", "{}/trace.jsonl", "--ledger", address]).unwrap().spec;
        let ledger = &spec.sources[1];
        assert_eq!((ledger.id.as_str(), ledger.shown.as_str()), ("database", shown));
        assert_eq!(ledger.options.table.as_deref(), Some("refunds"));
    }
}

fn piece(name: &str, what: What, known: bool) -> Piece {
    Piece {
        id: None,
        what,
        location: Location::File(name.into()),
        shown: name.to_owned(),
        format: None,
        found: Some("csv"),
        columns: vec![name.to_owned()],
        options: Options::default(),
        known,
        name: name.to_owned(),
    }
}

#[test]
fn ids_are_numbered_where_names_are_equal() {
    let mut spec = CaseSpec::default();
    let mut pieces =
        vec![piece("x", What::Trace, true), piece("x", What::Ledger, true), piece("x", What::Trace, true)];
    pieces[1].columns.clear();
    add(&mut spec, pieces);
    let ids: Vec<&str> = spec.sources.iter().map(|s| s.id.as_str()).collect();
    assert_eq!(ids, ["x", "x-2", "x-3"]);
}

#[test]
fn a_meaning_is_wanted_only_where_it_is_not_clear() {
    type Say = fn(&mut Options);
    let spec = |ledgers: &[(&str, Say)]| {
        let mut spec = CaseSpec::default();
        add(&mut spec, ledgers.iter().map(|(name, _)| piece(name, What::Ledger, true)).collect());
        for (source, (_, say)) in spec.sources.iter_mut().zip(ledgers) {
            say(&mut source.options);
        }
        spec
    };
    let money: Say = |o| o.moves_money = Some(true);
    let copy: Say = |o| o.copy_of = Some("a".into());
    let part: Say = |o| o.part = true;
    let region: Say = |o| o.partition = vec![("region".into(), "eu".into())];
    let unsaid: Say = |_| {};
    for (ledgers, clear) in [
        (vec![("a", unsaid)], true),
        (vec![("a", unsaid), ("b", copy)], true),
        (vec![("a", money), ("b", money)], true),
        (vec![("a", part), ("b", part)], true),
        (vec![("a", region), ("b", region)], true),
        (vec![("a", unsaid), ("b", unsaid)], false),
        (vec![("a", money), ("b", unsaid)], false),
        (vec![("a", part), ("b", unsaid)], false),
        (vec![("a", unsaid), ("b", copy), ("c", unsaid)], false),
    ] {
        let said = check(&spec(&ledgers), false, &[]);
        assert_eq!(said.is_ok(), clear, "{said:?}");
    }
    let in_case = check(&spec(&[("provider", unsaid), ("books", unsaid)]), true, &[]).unwrap_err();
    assert!(in_case.contains("below [sources.books]:\n  copy_of = \"provider\"\n"), "{in_case}");
    let nothing = check(&CaseSpec::default(), false, &[]).unwrap_err();
    assert_eq!(
        nothing,
        "there is no trace and no ledger in what was named; name them with --trace F --ledger S"
    );
}

#[test]
fn a_ledger_has_one_meaning() {
    let place = folder(&[("books.csv", LEDGER), ("bank.csv", BOOKS)]);
    let with = |more: &[&str]| {
        let all = [&["--ledger", "{}/books.csv", "{}/bank.csv"][..], more].concat();
        gathered(place.path(), &all).unwrap_err()
    };
    let both = with(&["--part", "books,bank", "--copy-of", "books=bank"]);
    assert_eq!(
        (both.exit, both.text.as_str()),
        (2, "books cannot be both a copy (--copy-of) and a part of its own (--part); leave one of them out")
    );
    let twice = with(&["--copy-of", "books=bank", "--copy-of", "books=bank"]);
    assert_eq!(
        (twice.exit, twice.text.as_str()),
        (2, "--copy-of says twice what books is a copy of; leave one of them out")
    );
}

#[test]
fn a_currency_is_a_code_or_a_unit_of_the_case() {
    let place = folder(&[
        ("a.log", TRACE),
        ("b.txt", LEDGER),
        (
            "recount.toml",
            "[case]\nid = \"c\"\n[traces.t]\npath = \"a.log\"\n[sources.l]\npath = \"b.txt\"\nexponent_override = { tokens = 0 }\n",
        ),
    ]);
    let refused = |args: &[&str]| match gathered(place.path(), args) {
        Ok(_) => panic!("{args:?} was taken"),
        Err(why) => (why.exit, why.text),
    };
    let says = |code: &str, near: &str| {
        let how = "write its ISO code, such as USD; a unit of your own is declared in recount.toml: \
                   exponent_override = { NAME = 0 }";
        (2, format!("--currency {code:?} is no currency{near}; {how}"))
    };
    let files = ["--trace", "{}/a.log", "--ledger", "{}/b.txt"];
    let with = |code: &'static str| [&files[..], &["--currency", code]].concat();
    assert_eq!(refused(&with("euro")), says("euro", "; did you mean `EUR`?"));
    assert_eq!(refused(&with("tokens")), says("tokens", ""));
    let of_address = ["--trace", "{}/a.log", "--ledger", "{}/b.txt?currency=US$"];
    assert_eq!(refused(&of_address), says("US$", "; did you mean `USD`?"));
    for (args, code) in [(&with("eur")[..], "eur"), (&["{}", "--currency", "tokens"], "tokens")] {
        let taken = gathered(place.path(), args).unwrap();
        assert_eq!(taken.spec.sources[1].options.currency.as_deref(), Some(code));
    }
    assert_eq!(refused(&["{}", "--currency", "token"]), says("token", "; did you mean `tokens`?"));
}
