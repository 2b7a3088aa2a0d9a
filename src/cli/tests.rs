use std::ffi::OsString;

use super::call::Call;
use super::table::{COMMANDS, Words, named};
use crate::report::out::Out;
use crate::report::out::tests::Kept;

fn call(command: &str, args: &[&str]) -> Result<Call, String> {
    let args: Vec<OsString> = args.iter().map(OsString::from).collect();
    Call::new(named(command).unwrap(), &args, Out::to(Box::new(std::io::sink()))).map_err(|failure| {
        assert_eq!(failure.exit, 2);
        failure.text
    })
}

#[test]
fn options_are_read() {
    let call = call(
        "check",
        &[
            "a",
            "b",
            "--limit",
            "0",
            "--only",
            "all",
            "--format",
            "md",
            "--trace",
            "t1",
            "t2",
            "--where",
            "a = b",
            "--where",
            "c = d",
            "--stop-at-first",
        ],
    )
    .unwrap();
    assert_eq!(call.paths("paths"), ["a", "b"]);
    assert_eq!(call.paths("trace"), ["t1", "t2"]);
    assert_eq!(call.texts("where"), ["a = b", "c = d"]);
    assert_eq!((call.number("limit"), call.text("only"), call.format()), (Some(0), Some("all"), "markdown"));
    assert!(call.flag("stop-at-first") && !call.flag("allow-open") && !call.flag("no-such-flag"));
}

#[test]
fn what_does_not_fit_is_said_with_what_would() {
    for (command, args, expected) in [
        ("check", &["--xyzzy"][..], "check has no option --xyzzy. recount help check lists what it takes"),
        (
            "check",
            &["--onl", "all"],
            "check has no option --onl; did you mean --only? recount help check lists what it takes",
        ),
        ("check", &["--only"], "--only needs a value; recount help check lists what it takes"),
        (
            "check",
            &["--only", "voilation"],
            "--only cannot be \"voilation\"; did you mean violation? It is one of: divergent, violation, undecided, note, all",
        ),
        ("check", &["--limit", "-1"], "--limit cannot be \"-1\": a whole number of 0 or more is needed"),
        ("check", &["--limit", "x"], "--limit cannot be \"x\": a whole number of 0 or more is needed"),
        ("check", &["--now", "noon"], "--now cannot be \"noon\": write a time as 2026-11-30T09:14:07Z"),
        (
            "check",
            &["--covers-from", "x"],
            "--covers-from cannot be \"x\": write a time as 2026-11-30T09:14:07Z, or start",
        ),
        ("check", &["--zone", "Mars"], "--zone cannot be \"Mars\": write UTC, Europe/Berlin or +02:00"),
        (
            "check",
            &["--normalise", "trim,uid"],
            "--normalise cannot be \"trim,uid\": \"uid\" is none of uuid, trim, collapse_space, casefold; did you mean `uuid`?",
        ),
        (
            "check",
            &["--copy-of", "x"],
            "--copy-of cannot be \"x\": write COPY=ORIGINAL, with the ids of two ledgers",
        ),
        ("open", &["--size", "10x3"], "--size cannot be \"10x3\": write columns and rows, such as 120x36"),
        ("show", &[], "show needs ID; recount help show lists what it takes"),
        (
            "canon",
            &["a", "b"],
            "canon takes no further argument, but there is \"b\"; recount help canon lists what it takes",
        ),
        (
            "check",
            &["--quiet", "--quiet"],
            "--quiet is given twice or does not fit the rest; recount help check lists what it takes",
        ),
        ("check", &["--\u{1b}[2J"], "check has no option --\\x1b[2J. recount help check lists what it takes"),
    ] {
        assert_eq!(call(command, args).err().as_deref(), Some(expected), "{args:?}");
    }
    let filter = call("check", &["--where", "a >"]).err().unwrap();
    assert!(filter.starts_with("--where cannot be \"a >\": cannot read the filter"), "{filter}");
}

#[test]
fn every_command_takes_the_common_options() {
    for command in &COMMANDS {
        let word = match command.words {
            Words::Phrase(_)
            | Words::SomePaths
            | Words::IdAndPaths
            | Words::OneAndPaths(_)
            | Words::One(_) => &["x"][..],
            Words::TwoAndPaths(..) => &["x", "y"],
            _ => &[],
        };
        let behind = if command.name == "lab test" { &["--", "x"][..] } else { &[] };
        let args = [word, &["--quiet", "--color", "never", "--ascii", "--read-only"], behind].concat();
        assert!(call(command.short_name(), &args).is_ok(), "{}", command.name);
    }
}

#[test]
fn a_file_takes_the_data_and_its_path_is_printed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("out.txt");
    let run = |more: &[&str]| {
        let kept = Kept::default();
        let args: Vec<OsString> =
            ["--out", path.to_str().unwrap()].iter().chain(more).map(OsString::from).collect();
        let call = Call::new(named("check").unwrap(), &args, Out::to(Box::new(kept.clone()))).unwrap();
        (call.print(|out| out.line("data")), kept.text())
    };
    let (done, printed) = run(&[]);
    assert!(done.is_ok());
    assert_eq!(printed, format!("{}\n", path.display()));
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "data\n");
    let (again, printed) = run(&[]);
    assert_eq!((again.unwrap_err().exit, printed.as_str()), (2, ""));
    assert!(run(&["--force"]).0.is_ok());
}

#[test]
fn output_that_cannot_be_written_is_an_input_error_and_a_closed_pipe_none() {
    for (kind, exit) in [(std::io::ErrorKind::StorageFull, Some(4)), (std::io::ErrorKind::BrokenPipe, None)] {
        let out = Out::to(Box::new(Kept::failing(0, kind)));
        let call = Call::new(named("check").unwrap(), &[], out).unwrap();
        let done = call.print(|out| out.line("data"));
        assert_eq!(done.err().map(|failure| failure.exit), exit);
    }
}
