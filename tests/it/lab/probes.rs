//! `lab test` against our own servers and against strange ones.

use std::path::{Path, PathBuf};
use std::process::Output;

use super::{recount, text};

fn docs(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/lab").join(name)
}

/// A probe that does not wait long.
fn probe(more: &[&str], server: &[&str]) -> Output {
    let (args, read) = (docs("refund_order.json"), docs("get_order.json"));
    let fixed = ["lab", "test", "--tool", "refund_order", "--args", text(&args), "--read-back", text(&read)];
    let quick = ["--grace-ms", "300", "--settle-ms", "20", "--timeout-ms", "3000"];
    recount(&[&fixed[..], &quick, more, &["--"], server].concat()).output().unwrap()
}

fn outcome(output: &Output) -> (i32, String, String) {
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    (output.status.code().unwrap(), text(&output.stdout), text(&output.stderr))
}

const SAY_SO: &str = "--i-know-this-writes";

#[test]
fn the_double_effect_is_found_on_the_unsafe_server_and_not_on_the_other() {
    let folder = tempfile::tempdir().unwrap();
    for (mode, exit, observed, result) in
        [("unsafe", 1, 2, "VIOLATION FOUND"), ("idempotent", 0, 1, "NO VIOLATION OBSERVED")]
    {
        let store = folder.path().join(mode);
        let server = [env!("CARGO_BIN_EXE_recount"), "lab", "serve", "--server", mode, "--db", text(&store)];
        let (code, out, _) = outcome(&probe(&[SAY_SO], &server));
        assert_eq!(code, exit, "{out}");
        assert!(
            out.contains(&format!("Expected effect count: 1\nObserved effect count: {observed}\n{result}\n")),
            "{out}"
        );
        assert!(out.ends_with("one clean run proves nothing.\n"), "{out}");
        assert!(out.contains("read back: 1 after call 1\n"), "{out}");
        assert_eq!(super::rows(&store).len(), observed);
    }
}

#[test]
fn nothing_is_started_without_saying_so() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("s.db");
    let server = [env!("CARGO_BIN_EXE_recount"), "lab", "serve", "--db", text(&store)];
    let (code, out, err) = outcome(&probe(&[], &server));
    assert_eq!((code, out.as_str()), (2, ""));
    assert!(err.starts_with("this writes: it starts "), "{err}");
    assert!(err.contains("--i-know-this-writes"), "{err}");
    assert!(!store.exists());
}

#[test]
fn servers_that_are_none_are_said_so() {
    for (server, why) in [
        (&["/nonexistent/server"][..], "cannot start /nonexistent/server"),
        (&["sh", "-c", "echo boom \u{1b}[2J >&2; exit 3"], "it said: boom \\x1b[2J"),
        (&["sh", "-c", "exit 0"], "does not answer as a tool server: it ended"),
        (
            &["sh", "-c", "echo '{\"jsonrpc\":\"2.0\",\"id\":0,\"result\":{\"x\":1}}'; cat >/dev/null"],
            "does not answer as a tool server",
        ),
    ] {
        let (code, _, err) = outcome(&probe(&[SAY_SO], server));
        assert_eq!(code, 4, "{server:?}: {err}");
        assert!(err.contains(why), "{server:?}: {err}");
        assert!(err.chars().all(|c| c == '\n' || !c.is_control()), "{err:?}");
    }
}

#[test]
fn a_tool_that_is_not_there_names_the_nearest() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("s.db");
    let server = [env!("CARGO_BIN_EXE_recount"), "lab", "serve", "--db", text(&store)];
    let (args, read) = (docs("refund_order.json"), docs("get_order.json"));
    let fixed = ["lab", "test", SAY_SO, "--tool", "refund_oder", "--args", text(&args)];
    let output =
        recount(&[&fixed[..], &["--read-back", text(&read), "--"], &server].concat()).output().unwrap();
    let (code, _, err) = outcome(&output);
    assert_eq!(code, 4);
    assert!(
        err.contains("the server has no tool \"refund_oder\"; did you mean refund_order?; it has: get_order, refund_order"),
        "{err}"
    );
    assert_eq!(super::rows(&store).len(), 0);
}

#[test]
fn an_effect_that_never_comes_is_inconclusive() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("s.db");
    // The fault strikes in the first call, so that only the second has an effect.
    let server = [
        env!("CARGO_BIN_EXE_recount"),
        "lab",
        "serve",
        "--db",
        text(&store),
        "--fault",
        "disconnect-before-commit",
    ];
    let (code, out, _) = outcome(&probe(&[SAY_SO], &server));
    assert_eq!(code, 3, "{out}");
    assert!(out.contains("INCONCLUSIVE\nThe first call had no effect, so nothing was repeated."), "{out}");
}

#[test]
fn files_that_do_not_fit_are_said_so() {
    let folder = tempfile::tempdir().unwrap();
    let bad = folder.path().join("bad.json");
    std::fs::write(&bad, "[1]").unwrap();
    let (args, read) = (docs("refund_order.json"), docs("get_order.json"));
    for (args, read, exit) in [(&bad, &read, 4), (&args, &bad, 4), (&folder.path().join("none"), &read, 4)] {
        let fixed = ["lab", "test", SAY_SO, "--tool", "t", "--args", text(args), "--read-back", text(read)];
        let output = recount(&[&fixed[..], &["--", "true"]].concat()).output().unwrap();
        assert_eq!(output.status.code(), Some(exit), "{output:?}");
    }
    for missing in
        [&["lab", "test", "--", "true"][..], &["lab", "test"], &["lab", "test", "--tool", "t", "--", "true"]]
    {
        assert_eq!(recount(missing).output().unwrap().status.code(), Some(2), "{missing:?}");
    }
}
