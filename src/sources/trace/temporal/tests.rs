use crate::sources::recording::{Recording, mapped, read};
use crate::sources::spec::{Options, What};

fn told(text: &str) -> Vec<String> {
    words(&read(What::Trace, Options::default(), &format!("{}\n", text.trim_end())))
}

fn words(out: &Recording) -> Vec<String> {
    out.words().into_iter().map(str::to_owned).collect()
}

fn history(events: &[String]) -> String {
    format!(r#"{{"events":[{}]}}"#, events.join(","))
}

fn event(id: u8, kind: &str, about: &str) -> String {
    let spelled: String = kind
        .split('_')
        .map(|word| {
            let mut letters = word.chars();
            letters.next().into_iter().chain(letters.flat_map(char::to_lowercase)).collect::<String>()
        })
        .collect();
    let (first, rest) = spelled.split_at(1);
    let member = format!("{}{rest}EventAttributes", first.to_lowercase());
    format!(
        r#"{{"eventId":"{id}","eventTime":"2026-09-02T10:00:{id:02}Z","eventType":"EVENT_TYPE_{kind}","{member}":{{{about}}}}}"#
    )
}

fn begun() -> String {
    event(1, "WORKFLOW_EXECUTION_STARTED", r#""workflowId":"w","originalExecutionRunId":"r""#)
}

fn scheduled(input: &str) -> String {
    event(
        5,
        "ACTIVITY_TASK_SCHEDULED",
        &format!(r#""activityId":"5","activityType":{{"name":"Pay"}},"input":{{"payloads":[{input}]}}"#),
    )
}

const START: &str =
    r#"attempt id=w/r/5/1 run=w tool=Pay business=order:4 payload={"order_id":"4"} sent=2026-09-02T10:00:0"#;

fn ends(events: &[String]) -> String {
    let input = r#"{"order_id":"4"}"#;
    let all: Vec<String> = [begun(), scheduled(input)].into_iter().chain(events.iter().cloned()).collect();
    let found = told(&history(&all));
    let call = found.last().unwrap().clone();
    let rest = call.strip_prefix(START).unwrap_or_else(|| panic!("{found:?}"));
    rest.split(" answered").next().unwrap().to_owned()
}

#[test]
fn how_activities_end() {
    let started = event(6, "ACTIVITY_TASK_STARTED", r#""scheduledEventId":"5","attempt":1"#);
    let end = |kind: &str, about: &str| {
        ends(&[
            started.clone(),
            event(7, kind, &format!(r#""scheduledEventId":"5","startedEventId":"6",{about}"#)),
        ])
    };
    assert_eq!(ends(&[]), "5Z");
    assert_eq!(ends(std::slice::from_ref(&started)), "6Z");
    for (kind, about, want) in [
        ("ACTIVITY_TASK_COMPLETED", r#""result":{"payloads":[{"id":"p1"}]}"#, "outcome=success receipt=p1"),
        ("ACTIVITY_TASK_COMPLETED", r#""identity":"w""#, "outcome=success"),
        (
            "ACTIVITY_TASK_TIMED_OUT",
            r#""failure":{"message":"x","timeoutFailureInfo":{"timeoutType":"TIMEOUT_TYPE_HEARTBEAT"}}"#,
            "outcome=timeout",
        ),
        ("ACTIVITY_TASK_TIMED_OUT", r#""timeoutType":"ScheduleToStart""#, "outcome=not_sent"),
        ("ACTIVITY_TASK_CANCELED", r#""details":null"#, "outcome=cancelled"),
        (
            "ACTIVITY_TASK_FAILED",
            r#""failure":{"message":"card declined","applicationFailureInfo":{"type":"CardDeclined","nonRetryable":true}}"#,
            "error=CardDeclined is_error=yes",
        ),
    ] {
        assert_eq!(end(kind, about), format!("6Z ended=2026-09-02T10:00:07Z {want}"), "{kind} {about}");
    }
}

#[test]
fn payloads_that_cannot_be_read_still_tie_the_attempts_of_an_activity() {
    let secret = r#"{"metadata":{"encoding":"YmluYXJ5L2VuY3J5cHRlZA=="},"data":"c2VjcmV0"}"#;
    let retried = event(
        6,
        "ACTIVITY_TASK_STARTED",
        r#""scheduledEventId":"5","attempt":2,"lastFailure":{"message":"boom"}"#,
    );
    let found = told(&history(&[begun(), scheduled(secret), retried]));
    assert_eq!(
        found,
        [
            "skipped event of no activity",
            r#"attempt id=w/r/5/1 run=w tool=Pay payload={"activity":"5"} error=boom is_error=yes"#,
            r#"attempt id=w/r/5/2 run=w tool=Pay payload={"activity":"5"} sent=2026-09-02T10:00:06Z"#,
        ]
    );
}

#[test]
fn the_workflow_id_serves_where_a_mapping_asks_for_it() {
    let text = history(&[begun(), scheduled(r#"{"order_id":"4"}"#)]);
    let out = read(What::Trace, mapped(&[("operation_id", "workflow_id")]), &text);
    assert!(words(&out)[1].contains(" op=w "), "{:?}", words(&out));
}

#[test]
fn several_histories_in_one_file_keep_apart() {
    let input = r#"{"order_id":"4"}"#;
    let end = event(7, "ACTIVITY_TASK_COMPLETED", r#""scheduledEventId":"5","startedEventId":"6""#);
    let one = history(&[begun(), scheduled(input)]);
    let other =
        history(&[begun(), scheduled(input), end]).replace(r#""workflowId":"w""#, r#""workflowId":"v""#);
    let found = told(&format!("{one}\n{other}"));
    let calls: Vec<&String> = found.iter().filter(|line| line.starts_with("attempt")).collect();
    assert_eq!(calls.len(), 2, "{found:?}");
    assert!(calls[0].contains("id=w/r/5/1") && !calls[0].contains("outcome"), "{calls:?}");
    assert!(calls[1].contains("id=v/r/5/1") && calls[1].contains("outcome=success"), "{calls:?}");
}

#[test]
fn an_event_that_is_none_is_said() {
    let found = told(&history(&[
        begun(),
        scheduled("{}"),
        r#"{"eventId":"9","eventType":"EVENT_TYPE_X"}"#.to_owned(),
    ]));
    assert!(
        found.contains(&"UNREADABLE_LINE an event without a type or its attributes".to_owned()),
        "{found:?}"
    );
}
