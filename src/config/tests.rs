use std::path::Path;

use super::keys::{Column, Deadline};
use super::user::{Origin, screen};
use super::value::Duration;
use super::*;
use crate::sources::spec::{Column as SpecColumn, Filter, Negative, Normalise, What};

fn parsed(text: &str) -> File {
    from_text(Path::new("recount.toml"), text).unwrap()
}

fn refused(text: &str) -> String {
    from_text(Path::new("recount.toml"), text).unwrap_err().to_string()
}

/// The example of `4-sources.md` 4.10, and every other key of `7-commands.md` 8.4.
const ALL: &str = r#"
client_skew_ms = 2500

[case]
id = "refunds-2026-11-30"
title = "refunds"
now = 2026-11-30T09:14:07Z
property = "at-most-once"
trace_complete = true
normalise = ["uuid", "trim"]
zone = "Europe/Berlin"

[policy]
high_value = { USD = "500.00" }
auto_max = { USD = "50.00" }
high_value_kinds = ["mail"]
shared_logins = ["root"]
legal_hold = true
approvers = ["erin"]
reviewers = ["olu"]
policy_owners = ["mika"]
solo = false
note_min = 20
note_max = 4000
max_extension = "72h"
approval_expires = "24h"
escalation_owner = "payments-oncall"
break_glass = true
break_glass_max = { USD = "1000" }
allowed_signers = "signers"
sign_above = { USD = "100" }

[deadlines]
submitted = "6m"
unknown = "4h"

[deadlines.refund]
unknown = "2h"

[tools.refund_order]
role = "write"
ledger = "provider"
idempotent = "yes"
retention = "24h"
same_key_redrive = true
retry_window = "24h"
recovery_window = "48h"
irreversible = true
timeout = "30s"
settle = "60s"
endpoint = "POST /refunds"
reconcile_by = "read"
did_not = ["parameter_invalid", 402]
already_did = ["already_refunded"]
cannot_tell = ["lock_timeout"]
normalise = ["trim"]
key_path = "args.key"
business_id_path = "args.order_id"
amount_path = "args.amount"
provisioning = true
ceiling = "10.00"

[traces.agent]
path = ["a.jsonl", "b.jsonl"]
format = "native"
completeness = "sampled"
intents_complete = true
from = "2026-11-30T00:00:00Z"
to = "2026-11-30T04:00:00Z"

[traces.agent.fields]
operation_id = "meta.operation_id"

[intents.outbox]
path = "app.db"
table = "outbox"
columns = { intent_id = "id" }

[sources.provider]
kind = "postgres"
url = "postgres://u:secret@ledger.internal/payments?x=y"
table = "refunds"
role = "authority"
moves_money = true
holds = ["refund"]
where = { region = "eu" }
scope = "channel = agent"
covers_from = "start"
coverage_rule = "snapshot"
skew_ms = 1000
zone = "UTC"
currency = "EUR"
resolution_ms = 1000
negative_is = "reversal"
exponent_override = { ISK = 2 }
normalise = ["casefold"]
join = ["business_id", "amount", "window"]
status.effect = ["succeeded"]
status.on_its_way = ["pending"]
status.not_effect = ["failed"]
since = "2026-11-30T00:00:00Z"
until = "2026-11-30T04:00:00Z"
exported_at = "2026-11-30T04:00:00Z"
read_at = "2026-11-30T04:00:01Z"
frozen = true
live = false
final = true
can_prove_absence = true
endpoint = "GET /refunds"
logged_in = "reader"
sql = "select 1"
complete = true

[sources.provider.columns]
effect_id = "refund_id"
kind = { const = "effect" }
business_id = { column = "order_id", prefix = "order:" }
committed_at = { column = "created_at", zone = "UTC" }

[sources.provider.links]
refund = "https://dashboard.example/refunds/{effect_id}"

[sources.books]
kind = "csv"
path = "books.csv"
copy_of = "provider"

[sources.a-command]
command = ["./read.sh"]
part = true

[quota.daily]
scope = "run"
ceiling = "10.00"
currency = "USD"
enforced_in = "application"

[hazards]
goal_rules = "goal_rules.json"

[hazards.H09]
retries = 5

[playbook.DUPLICATED.refund]
text = "Call the desk."
link = "https://wiki.example"
owner = "desk"

[playbook.H03]
text = "Read first."

[mask]
allow = ["reason"]
redact = ["$.headers.authorization"]
party = true

[audit]
head_to = "none"

[deliver]
command = ["./page.sh"]

[rank_rates]
EUR = "1.1"

[ui]
theme = "paper"
ascii = true
mouse = true
local_time = true
bell = true

[themes.paper]
wrong = "red"

[views.mine]
filter = "late"
sort = "money"
group = "label"
columns = ["order"]

[keys.triage]
quit = "q"
"#;

#[test]
fn every_key_is_read() {
    let file = parsed(ALL);
    assert_eq!(file.case.now.unwrap().0, "2026-11-30T09:14:07Z");
    assert_eq!(file.deadlines.all.submitted, Some(Duration(360_000_000)));
    let refund = Deadline { submitted: None, unknown: Some(Duration(7_200_000_000)) };
    assert_eq!(file.deadlines.kinds["refund"], refund);
    let tool = file.tools["refund_order"].get_ref();
    assert_eq!(tool.did_not[1].0, "402");
    assert_eq!(file.hazards.rules["H09"]["retries"].as_integer(), Some(5));
    assert_eq!(file.playbook["H03"].all.text.as_deref(), Some("Read first."));
    let provider = file.sources["provider"].get_ref();
    assert_eq!(provider.columns["kind"], Column::Const("effect".to_owned()));
    assert_eq!(provider.status.on_its_way, Some(vec!["pending".to_owned()]));
}

#[test]
fn a_case_becomes_what_is_read_in_the_order_of_the_file() {
    let config = Config { path: Some("/cases/c/recount.toml".into()), file: parsed(ALL) };
    let spec = case::spec(&config).unwrap();
    let ids: Vec<(&str, What, &str)> =
        spec.sources.iter().map(|s| (s.id.as_str(), s.what, s.shown.as_str())).collect();
    assert_eq!(
        ids,
        [
            ("agent", What::Trace, "a.jsonl"),
            ("agent", What::Trace, "b.jsonl"),
            ("outbox", What::Intents, "app.db"),
            ("provider", What::Ledger, "postgres://ledger.internal/payments"),
            ("books", What::Ledger, "books.csv"),
        ]
    );
    assert_eq!(spec.id, "refunds-2026-11-30");
    assert_eq!(spec.now.as_deref(), Some("2026-11-30T09:14:07Z"));
    assert_eq!(spec.client_skew_ms, Some(2500));
    assert_eq!(spec.normalise, [Normalise::Uuid, Normalise::Trim]);
    assert_eq!(spec.high_value, [("USD".to_owned(), "500.00".to_owned())]);
    assert_eq!(spec.tools[0].retention, Some(86_400_000_000));
    assert_eq!(
        spec.playbook,
        [
            ("DUPLICATED".to_owned(), "refund".to_owned(), "Call the desk.".to_owned()),
            ("H03".to_owned(), "*".to_owned(), "Read first.".to_owned())
        ]
    );
    let o = &spec.sources[3].options;
    assert_eq!(o.scope, [Filter::Equals("channel".to_owned(), "agent".to_owned())]);
    assert_eq!(o.partition, [("region".to_owned(), "eu".to_owned())]);
    assert_eq!(o.negative_is, Some(Negative::Reversal));
    assert_eq!(o.exponent_override, [("ISK".to_owned(), 2)]);
    assert_eq!(o.covers_from.as_deref(), Some("start"));
    assert!(o.final_ && o.frozen && o.live == Some(false));
    let committed = o.columns.iter().find(|(field, _)| field == "committed_at").unwrap();
    assert_eq!(
        committed.1,
        SpecColumn::From {
            column: "created_at".to_owned(),
            prefix: None,
            zone: Some("UTC".to_owned()),
            resolution_ms: Some(1000)
        }
    );
    assert_eq!(spec.sources[0].options.completeness.as_deref(), Some("sampled"));
    assert_eq!(spec.sources[4].options.copy_of.as_deref(), Some("provider"));
}

#[test]
fn an_unknown_key_is_named_with_its_line_and_the_nearest() {
    for (text, expected) in [
        (
            "[case]\nid = \"x\"\nnwo = \"y\"\n",
            "recount.toml line 3: the key `nwo` is not known; did you mean `now`?",
        ),
        (
            "[sorces.x]\npath = \"x\"\n",
            "recount.toml line 1: the key `sorces` is not known; did you mean `sources`?",
        ),
        (
            "[sources.x]\npath = \"x\"\nskew_m = 3\n",
            "recount.toml line 3: the key `skew_m` is not known; did you mean `skew_ms`?",
        ),
        (
            "[sources.x]\npath = \"x\"\nstatus.efect = []\n",
            "recount.toml line 3: the key `efect` is not known; did you mean `effect`?",
        ),
        (
            "[sources.x.columns]\na = { colum = \"x\" }\n",
            "recount.toml line 2: the key `colum` is not known; did you mean `column`?",
        ),
        (
            "[deadlines]\nsubmited = \"5m\"\n",
            "recount.toml line 2: the key `submited` is not known; did you mean `submitted`?",
        ),
        (
            "[deadlines.refund]\nunknwn = \"5m\"\n",
            "recount.toml line 2: the key `unknwn` is not known; did you mean `unknown`?",
        ),
        (
            "[hazards]\ngoal_rule_s = \"x\"\n",
            "recount.toml line 2: the key `goal_rule_s` is not known; did you mean `goal_rules`?",
        ),
        (
            "[audit]\nwhatever = 1\n",
            "recount.toml line 2: the key `whatever` is not known; known keys here: head_to",
        ),
        (
            "[tools.t]\nidempotent = \"yse\"\n",
            "recount.toml line 2: the word `yse` is not known; did you mean `yes`?",
        ),
    ] {
        assert_eq!(refused(text), expected, "{text}");
    }
}

#[test]
fn a_value_that_does_not_fit_is_refused_in_plain_words() {
    for (text, expected) in [
        (
            "[tools.t]\ntimeout = 90\n",
            "recount.toml line 2: \"90\" is no duration; a duration is text with a unit: \"500ms\", \"90s\", \"5m\", \
             \"4h\" or \"30d\"",
        ),
        ("[policy]\nhigh_value = { USD = \"5oo\" }\n", "recount.toml line 2: \"5oo\" is no amount"),
        (
            "[policy]\nsign_above = \"0\"\n",
            "recount.toml line 2: invalid type: string \"0\", expected an amount for each currency, such as \
             { USD = \"500.00\" }",
        ),
        (
            "[case]\nnow = \"noon\"\n",
            "recount.toml line 2: \"noon\" is no time; write it as 2026-11-30T09:14:07Z",
        ),
        (
            "[sources.x]\npath = \"x\"\ncovers_from = \"begin\"\n",
            "recount.toml line 3: \"begin\" is no time; write it as 2026-11-30T09:14:07Z, or \"start\"",
        ),
        (
            "[case]\nzone = \"Mars\"\n",
            "recount.toml line 2: \"Mars\" is no zone; write UTC, Europe/Berlin or +02:00",
        ),
        ("[case\n", "recount.toml line 1: "),
        (
            "[sources.x]\npath = \"x\"\nmoves_money = true\ncopy_of = \"y\"\n",
            "recount.toml: [sources.x] says more than one of moves_money, copy_of and part; a source has one meaning",
        ),
        (
            "[sources.books]\npath = \"x\"\ncopy_of = \"provder\"\n[sources.provider]\npath = \"y\"\n",
            "recount.toml: [sources.books] is a copy of `provder`, which is no source of this case; did you mean \
             `provider`?",
        ),
        ("[sources.x]\nkind = \"csv\"\n", "recount.toml: [sources.x] has no path; write path = \"FILE\""),
        ("[traces.x]\nformat = \"native\"\n", "recount.toml: [traces.x] has no path; write path = \"FILE\""),
        ("a = \"\\u001b[2J\n", "recount.toml line 1: "),
    ] {
        let said = refused(text);
        assert!(said.starts_with(expected), "{said}\n{expected}");
    }
    assert!(refused("[policy]\nhigh_value = { USD = 500 }\n").contains("decimal text in major units"));
    assert!(refused("[policy]\nhigh_value = { USD = 500.0 }\n").contains("decimal text in major units"));
}

#[test]
fn a_broken_filter_names_its_section() {
    let config = Config {
        path: Some("/c/recount.toml".into()),
        file: parsed("[sources.x]\npath = \"x\"\nscope = \"channel >\"\n"),
    };
    let why = case::spec(&config).unwrap_err().to_string();
    assert!(why.starts_with("[sources.x]: cannot read the filter"), "{why}");
}

#[test]
fn a_policy_comes_whole_from_its_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(NAME);
    std::fs::write(&path, "[policy]\nfile = \"policy.toml\"\napprovers = [\"me\"]\n").unwrap();
    assert!(read(&path).unwrap_err().to_string().contains("policy.toml: cannot be read"));
    std::fs::write(folder.path().join("policy.toml"), "[policy]\napprovers = [\"erin\"]\n").unwrap();
    assert_eq!(read(&path).unwrap().file.policy.approvers, ["erin"]);
}

#[test]
fn the_case_lies_over_the_user() {
    let user = Config {
        path: None,
        file: parsed("[ui]\nascii = true\ntheme = \"a\"\n[keys.triage]\nx = \"1\"\ny = \"2\"\n"),
    };
    let of_case = Config { path: None, file: parsed("[ui]\ntheme = \"b\"\n[keys.triage]\nx = false\n") };
    let screen = screen(&user, &of_case);
    assert_eq!((screen.theme.value.as_str(), screen.theme.origin), ("b", Origin::Case));
    assert_eq!((screen.ascii.value, screen.ascii.origin), (true, Origin::User));
    assert_eq!((screen.mouse.value, screen.mouse.origin), (false, Origin::BuiltIn));
    assert_eq!(screen.ascii.or_option(Some(false)).origin, Origin::Option);
    assert_eq!(screen.keys["triage"]["x"].origin, Origin::Case);
    assert_eq!(screen.keys["triage"]["y"].origin, Origin::User);
}
