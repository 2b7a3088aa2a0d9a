//! Runs through the library: policies and faults that the commands do not name together.

use std::path::Path;

use recount::lab::agent::{Ending, Script};
use recount::lab::run::{Plan, run};
use recount::lab::setup::{Fault, Mode, Policy};

fn plan(folder: &Path, policy: Policy, mode: Mode, faults: &[Fault]) -> Plan {
    Plan {
        scenario: "double-refund",
        script: Script { policy, looks_around: false },
        mode,
        faults: faults.to_vec(),
        program: env!("CARGO_BIN_EXE_recount").into(),
        folder: folder.to_owned(),
        hold_after_send: None,
    }
}

#[test]
fn exactly_one_retry_even_if_it_is_lost_too() {
    let folder = tempfile::tempdir().unwrap();
    let both = [Fault::DisconnectBeforeCommit, Fault::CommitThenDisconnect];
    let ran = run(&plan(folder.path(), Policy::RetryOnce, Mode::Unsafe, &both)).unwrap();
    assert_eq!((ran.ending, ran.rows.len()), (Ending::DoesNotKnow, 1));
    assert_eq!(ran.struck, both);
    let trace = std::fs::read_to_string(folder.path().join("trace.jsonl")).unwrap();
    assert_eq!(trace.matches("\"event\":\"attempt_started\"").count(), 2);
    assert_eq!(trace.matches("\"outcome\":\"response_lost\"").count(), 2);
    assert!(trace.contains("\"from\":\"submitted\",\"to\":\"unknown\""));
    assert!(!trace.contains("confirmed"));
    // The markers of faults are the lab's own and are gone.
    let mut names: Vec<String> = std::fs::read_dir(folder.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    assert_eq!(names, ["intents.jsonl", "store.db", "trace.jsonl"]);
}

#[test]
fn who_reads_is_as_good_as_what_he_reads() {
    for (faults, rows) in
        [(&[Fault::CommitThenDisconnect][..], 1), (&[Fault::CommitThenDisconnect, Fault::StaleRead], 2)]
    {
        let folder = tempfile::tempdir().unwrap();
        let ran = run(&plan(folder.path(), Policy::StateAware, Mode::Unsafe, faults)).unwrap();
        assert_eq!((ran.rows.len(), ran.struck.len()), (rows, faults.len()));
    }
}

#[test]
fn an_answer_that_comes_too_late_is_a_timeout() {
    let folder = tempfile::tempdir().unwrap();
    let plan = plan(folder.path(), Policy::DoNotRetry, Mode::Idempotent, &[Fault::Delay]);
    let ran = run(&plan).unwrap();
    assert_eq!((ran.ending, ran.rows.len()), (Ending::DoesNotKnow, 1));
    let trace = std::fs::read_to_string(folder.path().join("trace.jsonl")).unwrap();
    assert!(trace.contains("\"outcome\":\"timeout\""), "{trace}");
    assert!(!trace.contains(&ran.rows[0].refund_id));
}

#[test]
fn the_intent_is_durable_before_anything_is_sent() {
    let folder = tempfile::tempdir().unwrap();
    let mut plan = plan(folder.path(), Policy::RetryOnce, Mode::Unsafe, &[]);
    // This server does not start: nothing leaves, and the record is there.
    plan.program = "/nonexistent/recount".into();
    let why = run(&plan).unwrap_err().to_string();
    assert!(why.starts_with("cannot start /nonexistent/recount lab serve"), "{why}");
    let record = std::fs::read_to_string(folder.path().join("intents.jsonl")).unwrap();
    assert_eq!(record.lines().count(), 1);
    assert!(record.contains("\"operation_id\":\"refund:order_1234:request_9876\""));
    assert!(
        record.contains(
            "\"payload_hash\":\"bcd6f05b1dfe69e3d01911852cec9f1d799a0b81d872f622c1c459a1c5379036\""
        )
    );
}
