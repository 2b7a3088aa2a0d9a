use crate::sources::recording::{Recording, read};
use crate::sources::spec::{Options, What};

fn told(text: &str) -> Vec<String> {
    words(&read(What::Trace, Options::default(), text))
}

fn words(out: &Recording) -> Vec<String> {
    out.words().into_iter().map(str::to_owned).collect()
}

#[test]
fn a_list_over_several_lines() {
    let found = told(
        "[{:type :invoke, :f :pay, :value 7, :process 0}\n {:type :ok, :f :pay, :value 7, :process 0}]\n",
    );
    assert_eq!(found, [r#"attempt tool=pay payload={"value":7} outcome=success answered=49"#]);
}

#[test]
fn ends_of_operations() {
    for (end, want) in [
        (":type :ok, :value {:id \"p1\"}", "outcome=success receipt=p1"),
        (":type :ok, :value :timeout", "outcome=success"),
        (":type :fail, :error :limit", "outcome=rejected error=limit"),
        (":type :info, :error [:timeout]", "outcome=timeout"),
        (":type :info, :error :connection-reset", "outcome=connection_reset error=connection-reset"),
        (":type :info", "outcome=pending"),
    ] {
        let text = format!(
            "{{:type :invoke, :f :pay, :value {{:order-id 4}}, :process 3}}\n{{:f :pay, :process 3, {end}}}\n"
        );
        let found = told(&text);
        assert!(found.len() == 1 && found[0].contains(want), "{end}: {found:?}");
    }
}

#[test]
fn what_cannot_be_used_is_said() {
    let text = "{:type :invoke, :f :pay, :value nil, :process 0}\n{:type :done, :f :pay, :process 0}\n{:type :ok, :f :pay, :process 9}\n{:type :ok, :f\n{:type :info, :process :nemesis}\n{:type :ok";
    assert_eq!(
        told(text),
        [
            "UNREADABLE_LINE the type \"done\" is none of invoke, ok, fail and info",
            "skipped answer to a call that is not in the source",
            "UNREADABLE_LINE not EDN: it does not end: cut off",
            "skipped operation of the nemesis",
            "UNREADABLE_LINE cut off (still being written?)",
            "attempt tool=pay",
        ]
    );
}

#[test]
fn a_process_that_begins_anew_leaves_its_call_open() {
    let found = told(
        "INFO  jepsen.util - 0\t:invoke\t:pay\t4\nINFO  jepsen.util - 0\t:invoke\t:pay\t5\nINFO  jepsen.util - 0\t:ok\t:pay\t5\n",
    );
    assert_eq!(
        found,
        [
            r#"attempt tool=pay payload={"value":4}"#,
            r#"attempt tool=pay payload={"value":5} outcome=success answered=74"#
        ]
    );
}
