use super::*;

fn known(text: &str) -> (&'static str, What, Framing) {
    match sniff(text.as_bytes(), None) {
        Sniff::Known { format, what, framing, .. } => (format, what, framing),
        other => panic!("{text}: {other:?}"),
    }
}

/// The format, whether this build reads it or not.
fn named_as(text: &str) -> &'static str {
    match sniff(text.as_bytes(), None) {
        Sniff::Foreign { format, .. } => format.name,
        Sniff::Known { format, .. } => format,
        other => panic!("{text}: {other:?}"),
    }
}

fn nothing(bytes: &[u8]) -> String {
    match sniff(bytes, None) {
        Sniff::Nothing { seen } => seen,
        other => panic!("{other:?}"),
    }
}

#[test]
fn formats_that_are_read() {
    use Framing::{Csv, Document, Json, JsonLines};
    for (text, want) in [
        (r#"{"event":"attempt","attempt_id":"a"}"#, ("native", What::Trace, JsonLines)),
        (
            "{\"event\":\"run_started\",\"run_id\":\"r\"}\n{\"event\":\"attempt_started\"}\n",
            ("native", What::Trace, JsonLines),
        ),
        (
            r#"{"event":"run_started","task_id":"t","operation_id":"o"}"#,
            ("experiment", What::Trace, JsonLines),
        ),
        ("{\"event\":\"run_started\"}\n{\"event\":\"model_turn\"}\n", ("experiment", What::Trace, JsonLines)),
        (r#"{"initial":{},"final":{}}"#, ("experiment-effects", What::Ledger, Document)),
        (
            "{\n \"initial\": {\n },\n \"final\": {\"refunds\":[]}\n}\n",
            ("experiment-effects", What::Ledger, Document),
        ),
        (r#"{"tool":"t","payload":{},"timestamp":"x"}"#, ("generic", What::Trace, JsonLines)),
        (r#"[{"Tool":"t","amount":"1"}]"#, ("generic", What::Trace, Json)),
        ("attempt_id,outcome\n", ("generic", What::Trace, Csv)),
        ("{\n \"data\": [{\"refund_id\":\"r\"}]}", ("json", What::Ledger, Json)),
        (r#"{"refund_id":"r"}"#, ("jsonl", What::Ledger, JsonLines)),
        ("id;order_id;amount\n", ("csv", What::Ledger, Csv)),
        (
            "id,order_id,amount,status,idempotency_key,created_at\n1,4812,200.00,completed,k,t\n",
            ("csv", What::Ledger, Csv),
        ),
        ("row_id,refund_id,order_id,amount\n", ("csv", What::Ledger, Csv)),
        (r#"{"operation_id":"o","amount":"1","count":1}"#, ("jsonl", What::Expectations, JsonLines)),
        (r#"{"intent_id":"i","operation_id":"o","amount":"1"}"#, ("jsonl", What::Expectations, JsonLines)),
        ("\u{feff}\n{\"tool\":\"t\"}\n", ("generic", What::Trace, JsonLines)),
        ("DEBUG starting\n{\"event\":\"attempt\"}\nnoise\n", ("native", What::Trace, JsonLines)),
        (
            "{\"event\":\"att\n{\"event\":\"attempt\",\"attempt_id\":\"a\"}\n",
            ("native", What::Trace, JsonLines),
        ),
    ] {
        assert_eq!(known(text), want, "{text}");
    }
    assert_eq!(
        sniff(b"SQLite format 3\0....", None),
        Sniff::Known {
            format: "sqlite",
            what: What::Ledger,
            framing: Framing::Sqlite,
            why: "it begins as SQLite databases do".to_owned(),
            list: None
        }
    );
}

#[test]
fn names_that_say_both_or_nothing() {
    let unclear = |text: &str, role| match sniff(text.as_bytes(), role) {
        Sniff::Unclear { why, neither, .. } => (why, neither),
        other => panic!("{other:?}"),
    };
    let both = r#"{"tool":"t","refund_id":"r"}"#;
    assert_eq!(
        unclear(both, None),
        ("it has tool, as traces do, and refund_id, as ledgers do".to_owned(), false)
    );
    let neither = "{\"order_id\":1,\"created_at\":2}\n{\"note\":3}";
    let (why, nothing) = unclear(neither, None);
    assert_eq!(
        why,
        "no name in it says whether it holds attempts or effects; its names are order_id, created_at, note"
    );
    assert!(nothing);
    // What it was given as settles it, if any name is known at all.
    for (text, role, format) in
        [(both, What::Trace, "generic"), (both, What::Ledger, "jsonl"), (neither, What::Ledger, "jsonl")]
    {
        let Sniff::Known { format: found, what, .. } = sniff(text.as_bytes(), Some(role)) else {
            panic!("{text}")
        };
        assert_eq!((found, what), (format, role));
    }
    assert!(unclear("{\"a\":1}", Some(What::Ledger)).1);
    assert_eq!(
        unclear("alpha,beta\n1,2\n", None).0,
        "no name in it says whether it holds attempts or effects; its columns are alpha, beta"
    );
}

#[test]
fn formats_of_others_are_recognised() {
    for (text, format) in [
        (r#"{"resourceSpans":[{"scopeSpans":[{"spans":[]}]}]}"#, "otlp"),
        (r#"{"log":{"version":"1.2","entries":[{"request":{}}]}}"#, "har"),
        (r#"{"events":[{"eventId":"1","eventType":"EVENT_TYPE_X"}]}"#, "temporal"),
        (r#"{"Records":[{"eventSource":"ec2.amazonaws.com"}]}"#, "cloudtrail"),
        ("{\n \"object\": \"list\",\n \"data\": [{\"id\":\"re\",\"amount\":1}]}", "stripe-list"),
        (r#"{"id":"evt","object":"event","data":{"object":{"id":"re"}}}"#, "stripe-events"),
        (r#"{"data":[{"traceID":"t","spans":[{}]}]}"#, "jaeger"),
        (r#"{"name":"x","context":{"trace_id":"0x1","span_id":"0x2"},"start_time":"t"}"#, "otlp"),
        (r#"{"jsonrpc":"2.0","id":1,"method":"tools/call"}"#, "mcp"),
        (r#"{"t":1.5,"dir":"c2s","msg":{"jsonrpc":"2.0"}}"#, "mcp"),
        (r#"[{"id":"1","message":{"jsonrpc":"2.0"}}]"#, "mcp-inspector"),
        (r#"{"object":"trace.span","id":"s"}"#, "openai-agents"),
        (r#"{"type":"function_call","call_id":"c","arguments":"{}","name":"t"}"#, "openai-responses"),
        (r#"[{"role":"user","content":"x"},{"role":"assistant","tool_calls":[{}]}]"#, "openai-chat"),
        (
            r#"{"model":"m","messages":[{"content":"x"},{"tool_calls":[{"id":"a","function":{"name":"t","arguments":""}}]}]}"#,
            "openai-chat",
        ),
        (r#"{"no":1,"body":{"content":[{"type":"tool_use","id":"a","name":"t","input":{}}]}}"#, "anthropic"),
        (
            r#"{"no":1,"request":{"input":[{"type":"function_call","call_id":"a","name":"t"}]}}"#,
            "openai-responses",
        ),
        (r#"{"timestamp":"t","type":"response_item","payload":{"type":"function_call"}}"#, "codex"),
        ("{\"type\":\"summary\"}\n{\"sessionId\":\"s\",\"message\":{},\"uuid\":\"u\"}\n", "claude-code"),
        (r#"{"model":"m","messages":[{"role":"user","content":"x"}]}"#, "anthropic"),
        (r#"{"id":"x","run_type":"tool","name":"t"}"#, "langsmith"),
        (r#"[{"id":"o","traceId":"t","statusMessage":null}]"#, "langfuse"),
        (r#"{"eventType":"Send","mail":{}}"#, "ses"),
        (r#"[{"email":"x","sg_event_id":"e"}]"#, "sendgrid"),
        (r#"{"timestamp":"1","transfer":{"id":"1"},"debit_account":{}}"#, "tigerbeetle"),
        (r#"{"type":"NEW_TRANSACTION","idempotencyKey":"k","hash":"h"}"#, "formance"),
        (r#"[{"precise_amount":1,"reference":"r","amount":1.0}]"#, "blnk"),
        (r#"{"remote_addr":"10.0.0.7","request":"POST / HTTP/1.1","status":499}"#, "access-log"),
        ("10.0.0.7 - - [01/Sep/2026:10:01:05 +0000] \"POST / HTTP/1.1\" 499 0\n", "access-log"),
        ("{:type :invoke, :f :refund}\n", "jepsen"),
        ("[{:type :invoke}]\n", "jepsen"),
        ("INFO  jepsen.util - 0\t:invoke\t:refund\t4812\n", "jepsen"),
        (
            "2026-09-01T10:00:58.001Z [refunds] [info] Initializing server... { metadata: undefined }\n",
            "claude-desktop",
        ),
        ("\"RH\",2026/09/02 02:44:19 -0700,\"A\"\n", "paypal"),
        ("balance_transaction_id,created_utc,currency,gross,reporting_category\n", "stripe-csv"),
        ("id,Created date (UTC),Amount,Amount Refunded,Currency\n", "stripe-csv"),
        ("Company Account,Psp Reference,Merchant Reference\n", "adyen"),
        ("\"txnidx\",\"date\",\"posting-status\"\n", "hledger"),
        ("\"2026/09/01\",\"re_A\",\"refund\",\"Expenses\",\"$\",\"200\"\n", "ledger-cli"),
        ("date,narration,account,position,ref\n", "beancount"),
        (" id | order_id \n----+----------\n  1 | 4812\n", "psql"),
        ("1\t4812\t\\N\t200.00\n", "pg-copy"),
    ] {
        assert_eq!(named_as(text), format, "{text}");
    }
}

#[test]
fn envelopes_are_named() {
    for (text, whose) in [
        (r#"{"log":"x\n","stream":"stdout","time":"t"}"#, "container runtime"),
        ("2026-09-01T10:01:00.5Z stdout F x\n2026-09-01T10:01:01Z stderr P y\n", "container runtime"),
        (r#"{"line":"x","labels":{}}"#, "Loki"),
        (r#"{"@message":"x"}"#, "CloudWatch"),
        (r#"{"message":"x","ddsource":"y"}"#, "Datadog"),
        (r#"{"MESSAGE":"x","__REALTIME_TIMESTAMP":"1"}"#, "journald"),
    ] {
        let Sniff::Envelope { envelope, .. } = sniff(text.as_bytes(), None) else { panic!("{text}") };
        assert_eq!(envelope.whose, whose);
    }
}

#[test]
fn what_holds_no_records() {
    assert_eq!(nothing(b""), "an empty file");
    assert_eq!(nothing(b" \n\t\r\n"), "nothing but white space");
    assert_eq!(nothing(b"\x89PNG\r\n\x1a\n"), "an image (PNG)");
    assert_eq!(nothing(b"\xff\xfe{\0"), "UTF-16 text: convert it with `iconv -f UTF-16 -t UTF-8 FILE`");
    assert_eq!(nothing(b"ab\0\x01\x02"), "binary data");
    assert_eq!(nothing(b"Dear all,\nplease refund.\n"), "plain text, beginning \"Dear all,\"");
    assert_eq!(
        nothing("Just words with no commas".as_bytes()),
        "plain text, beginning \"Just words with no commas\""
    );
    for (bytes, command) in [
        (&b"PK\x03\x04rest"[..], "unzip FILE"),
        (b"\x28\xb5\x2f\xfdrest", "zstd -d FILE"),
        (b"PAR1rest", "duckdb -c \"copy (select * from 'FILE') to 'FILE.csv'\""),
        (b"JEPSENrest", "lein run test analyze, then give its history.edn"),
    ] {
        let Sniff::Packed { command: found, .. } = sniff(bytes, None) else { panic!() };
        assert_eq!(found, command);
    }
}

/// The shared samples of formats, where they lie on this machine: each is what its name says.
#[test]
fn shared_samples() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/formats");
    for (file, format) in [
        ("adyen_settlement_details.csv", "adyen"),
        ("anthropic_messages.json", "anthropic"),
        ("aws_cloudtrail_records.json", "cloudtrail"),
        ("aws_cur2.csv", "cur"),
        ("aws_cur_legacy.csv", "cur"),
        ("beancount_bean_query.csv", "beancount"),
        ("blnk_transactions.json", "blnk"),
        ("captured_mcp_python_2.x_timeout_frames.jsonl", "mcp"),
        ("captured_openai_agents_0.24_tool_timeout.jsonl", "openai-agents"),
        ("chrome_devtools.har", "har"),
        ("claude_code_session.jsonl", "claude-code"),
        ("claude_desktop_mcp-server-refunds.log", "claude-desktop"),
        ("damaged_mixed_noise.jsonl", "claude-code"),
        ("damaged_truncated_last_line.jsonl", "claude-code"),
        ("formance_logs_export.ndjson", "formance"),
        ("hledger_print.csv", "hledger"),
        ("jaeger_ui_download.json", "jaeger"),
        ("jepsen_history.edn", "jepsen"),
        ("jepsen_history.txt", "jepsen"),
        ("langfuse_api_page.json", "langfuse"),
        ("langfuse_blob_observations_v2.jsonl", "langfuse"),
        ("langfuse_ui_export.json", "langfuse"),
        ("langsmith_cli_export.jsonl", "langsmith"),
        ("langsmith_runs.jsonl", "langsmith"),
        ("ledger_cli_csv_no_header.csv", "ledger-cli"),
        ("mcp_inspector_network_export.json", "mcp-inspector"),
        ("mcp_inspector_protocol_export.json", "mcp-inspector"),
        ("mcp_raw_frames_no_envelope.jsonl", "mcp"),
        ("nginx_access_combined.log", "access-log"),
        ("nginx_access_json.jsonl", "access-log"),
        ("openai_chat_messages.json", "openai-chat"),
        ("openai_response_object.json", "openai-responses"),
        ("openai_responses_items.jsonl", "openai-responses"),
        ("otlp_dialects.jsonl", "otlp"),
        ("otlp_file_exporter.jsonl", "otlp"),
        ("otlp_mcp_semconv.jsonl", "otlp"),
        ("otlp_request_pretty_content_off.json", "otlp"),
        ("paypal_settlement_STL.csv", "paypal"),
        ("playwright.har", "har"),
        ("postgres_copy_refunds.csv", "csv"),
        ("refunds.sqlite", "sqlite"),
        ("sendgrid_events.json", "sendgrid"),
        ("ses_firehose.jsonl", "ses"),
        ("stripe_balance_change_itemized.csv", "stripe-csv"),
        ("stripe_balance_transactions_list.json", "stripe-list"),
        ("stripe_dashboard_payments_export.csv", "stripe-csv"),
        ("stripe_events.jsonl", "stripe-events"),
        ("stripe_refunds_list.json", "stripe-list"),
        ("temporal_history.json", "temporal"),
        ("tigerbeetle_cdc.jsonl", "tigerbeetle"),
    ] {
        let Ok(bytes) = std::fs::read(folder.join(file)) else {
            continue;
        };
        let found = match sniff(&bytes, None) {
            Sniff::Known { format, .. } => format,
            Sniff::Foreign { format, .. } => format.name,
            other => panic!("{file}: {other:?}"),
        };
        assert_eq!(found, format, "{file}");
    }
}
