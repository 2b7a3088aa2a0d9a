use super::super::out::tests::printed;
use super::super::sample::{Sample, all, clean};
use super::*;
use crate::judge::rules::Rule;
use crate::judge::story::samples::{int_9876, order_5531, t, totals, usd, view};
use crate::judge::view::{Common, ListRow, RowKind};
use crate::model::money::Totals;

fn checked(sample: &Sample) -> String {
    printed(|out| check(&sample.report(), Paint::default(), out))
}

const PAYMENTS: &str = "payments.db read 09:13:58Z, newest row 09:13:51Z (rowid 48211), taken as complete from \
                        2026-11-27T17:20:00Z; 1 unreadable (refunds rowid 48190: amount \"2OO.00\")";

#[test]
fn the_summary_is_that_of_the_specification() {
    let text = checked(&Sample::refunds());
    let lines: Vec<&str> = text.lines().take(7).collect();
    assert_eq!(
        lines[..5],
        [
            "VIOLATION FOUND   (settled)   clock fixed at 2026-11-30T09:14:07Z",
            "USD  out too much 400.00   may still go out 117.50   owed 900.00",
            "3 orders, 3 customers; first 08:12:44Z, last 08:50:31Z; oldest unknown 2d 1h",
            "2 DOUBLE  USD 400.00    1 FAILED BUT DONE  USD 75.00    1 NOT DONE  USD 900.00    1 DONE, ANSWER LOST  USD \
         200.00    2 CANNOT TELL YET  USD 105.00    2 LOOK AT IT  USD 200.00    1 WAITING    41 OK",
            "1 row has no attempt here, USD 15.00. 5 rows, 1 currency, outside the scope",
        ]
    );
    assert!(lines[5].starts_with(PAYMENTS), "{}", lines[5]);
    assert_eq!(lines[6], "");
}

#[test]
fn rows_have_two_lines_each() {
    let text = checked(&Sample::refunds());
    let rows: Vec<&str> = text.lines().skip(7).collect();
    assert_eq!(rows.len(), 12);
    assert_eq!(
        rows[0],
        "order:1234   DOUBLE   expected 1 / USD 200.00   observed 2 / USD 400.00   at risk USD 200.00   int_9876   \
         (DUPLICATED R05)"
    );
    assert!(rows[1].starts_with(
        "  Two refunds were committed where one was intended: USD 400.00 instead of USD 200.00. The answer to attempt 1 \
         was lost at 08:41:00"
    ));
    assert_eq!(
        rows[2],
        "order:6001   DOUBLE   expected 1 / USD 150.00   observed 2 / USD 350.00   at risk USD 200.00   \
         int_6001 int_6002   (LINEAGE_DOUBLE R08)"
    );
    assert_eq!(
        rows[4],
        "order:5002   FAILED BUT DONE   expected 0 / USD 0.00   observed 1 / USD 75.00   at risk USD 75.00   int_5002   \
         (FAILED_BUT_EFFECT R11)"
    );
    assert_eq!(
        rows[10],
        "order:4977   LOOK AT IT   expected 1 / USD 200.00   observed 1 / unreadable   at risk USD 200.00   int_4977   \
         (UNREADABLE R10)"
    );
}

#[test]
fn what_is_left_out_ends_the_text() {
    let mut sample = Sample::refunds();
    sample.choice.limit = 5;
    assert!(checked(&sample).ends_with("\n1 more: --limit 0, or --format csv\n"));
    sample.choice.limit = 6;
    assert!(!checked(&sample).contains("more:"));
    sample.choice.limit = 1;
    let template = sample.table.rows[0].clone();
    sample.table.rows.extend(std::iter::repeat_n(template, 4975));
    sample.summary.undecided = 5000;
    assert!(checked(&sample).ends_with("\n4,980 more: --limit 0, or --format csv\n"));
}

#[test]
fn notes_are_listed_where_they_are_asked_for() {
    let mut sample = all(Sample::refunds());
    sample.summary.rows = 6;
    sample.choice.only = super::super::Only::Note;
    let text = printed(|out| list(&sample.report(), out));
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], "order:7777   NO ATTEMPT HERE   1 row / USD 15.00   rf_77   (ORPHAN_EFFECT)");
    assert_eq!(lines.len(), 2);
}

#[test]
fn one_intent_is_printed_with_its_four_lines() {
    let mut sample = Sample::refunds();
    sample.choice.intent = Some(0);
    sample.summary.clock_fixed = false;
    let text = checked(&sample);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], "VIOLATION FOUND");
    assert_eq!(lines[1], "order:1234  refund:order_1234:request_9876  int_9876");
    assert!(lines[2].starts_with("Two refunds were committed where one was intended"));
    assert_eq!(
        lines[3..],
        [
            "  Expected effect count: 1",
            "  Expected effect total: USD 200.00",
            "  Observed effect count: 2",
            "  Observed effect total: USD 400.00",
            "  at risk USD 200.00   retry origin MODEL   the trace alone would say 1, the ledger says 2   (DUPLICATED R05)",
        ]
    );
}

#[test]
fn the_only_intent_is_printed_whole_and_a_derived_id_once() {
    let mut alone = order_5531();
    alone.operation_id.clone_from(&alone.intent_id);
    alone.at_risk = vec![usd("37.15")];
    let text = checked(&Sample::single(alone, ResultWord::Inconclusive));
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], "INCONCLUSIVE   clock fixed at 2026-11-30T09:14:07Z");
    assert_eq!(lines[1], "order:5531  refund_order@trace.jsonl:41");
    assert_eq!(
        lines[lines.len() - 3..],
        [
            "  at risk USD 37.15   retry origin CALLER   the trace alone would say 1, the ledger says 0   \
             (SUSPECTED_DUPLICATE R16a)",
            "1 row has no attempt here, USD 15.00. 5 rows, 1 currency, outside the scope",
            "1 ledger row unreadable (payments.db refunds rowid 48190: amount \"2OO.00\")",
        ]
    );
}

#[test]
fn a_clean_result_is_followed_by_scope_and_limit() {
    let scope = "48 intents, 55 attempts, 48 effects; payments.db read 2026-11-30T09:13:58Z to row 48211, taken as \
                 complete from 2026-11-27T17:20:00Z; 0 unreadable; 2 answers were lost, each effect is there once";
    let limit = "This says what was seen. It does not show that other runs behave the same.";
    let mut sample = clean();
    assert_eq!(checked(&sample), format!("NO VIOLATION OBSERVED\n{scope}.\n{limit}\n"));
    sample.summary.clock_fixed = true;
    sample.summary.final_by_declaration = true;
    sample.summary.property = "at-most-once";
    assert_eq!(
        checked(&sample),
        format!(
            "NO VIOLATION OBSERVED   (at-most-once)\n{scope}; final by declaration; clock fixed at \
             2026-11-30T09:14:07Z.\n{limit}\n"
        )
    );
}

#[test]
fn a_clean_intent_has_four_lines_and_its_scope() {
    let mut one = view(Rule::R22);
    one.judgement.gross = 1;
    one.judgement.net = 1;
    one.judgement.live = Some(usd("200.00"));
    one.totals = totals(&[usd("200.00")]);
    let mut sample = Sample::single(one, ResultWord::NoViolationObserved);
    sample.summary.clock_fixed = false;
    let text = checked(&sample);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], "NO VIOLATION OBSERVED");
    assert_eq!(lines[3], "  Expected effect count: 1");
    assert_eq!(lines[7], "  (MATCHED R22)");
    assert!(lines[8].starts_with("1 intent, 61 attempts, 54 effects; "), "{}", lines[8]);
    assert_eq!(lines.len(), 10);
}

#[test]
fn stopping_at_the_first_violation_is_said() {
    let mut sample = Sample::refunds();
    sample.summary.stopped_after = Some(1);
    assert!(
        checked(&sample)
            .ends_with("\nstopped at the first violation, 1 of 52 intents evaluated (--stop-at-first)\n")
    );
}

#[test]
fn what_is_shared_and_what_is_not_compared() {
    let mut sample = Sample::refunds();
    sample.summary.common = Some(Common {
        share: 97,
        what: "tool",
        value: "refund_order".into(),
        retry_origin: Some("FRAMEWORK"),
        last: t("09:10:07"),
    });
    sample.summary.not_compared =
        vec![("no_ledger_for_tool", 412, "412 calls of send_email: no ledger here records them.".into())];
    sample.summary.may_still_go_out =
        totals(&[usd("1.00"), crate::judge::story::samples::money("EUR", "2.50")]);
    let text = checked(&sample);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(
        lines[1],
        "EUR  may still go out 2.50;   USD  out too much 400.00   may still go out 1.00   owed 900.00"
    );
    assert_eq!(
        lines[4],
        "97 % of the violations: tool refund_order, retry origin FRAMEWORK; the last one 4m ago"
    );
    assert_eq!(
        lines[5],
        "412 calls of send_email: no ledger here records them. 1 row has no attempt here, USD 15.00. 5 rows, 1 currency, \
         outside the scope"
    );
    assert!(lines[6].starts_with("payments.db read"));
    assert_eq!(lines[7], "");
}

#[test]
fn a_source_that_was_not_read_says_why() {
    let mut sample = Sample::refunds();
    sample.sources.truncate(2);
    sample.sources[1].error = Some("there is no such file; check the path.".into());
    let text = checked(&sample);
    assert!(text.contains("\npayments.db was not read: there is no such file; check the path\n"), "{text}");
}

#[test]
fn hostile_texts_reach_the_terminal_escaped_and_secrets_not_at_all() {
    let mut bad = int_9876();
    bad.business_id = "order:\u{1b}[2J\u{202e}12".into();
    bad.operation_id = "op \u{9b}31m".into();
    let mut sample = Sample::single(bad, ResultWord::ViolationFound);
    sample.problems[0].what = "Authorization: Bearer abcdefghijklmnop1234 by ada@example.org".into();
    sample.problems[0].at = "x\u{7}.csv".into();
    sample.sources[1].path = "postgres://u:s3cretpassword@db.example/pay".into();
    let shown = sample.table.views[0].clone();
    let text = printed(|out| {
        check(&sample.report(), Paint::default(), out);
        show(&sample.report(), &shown, Paint::default(), out);
        tree(&sample.report(), &shown, out);
        sources(&sample.report(), out);
        list(&sample.report(), out);
    });
    assert!(text.chars().all(|c| c == '\n' || crate::text::is_printing(c)), "{text:?}");
    assert!(text.contains("order:\\x1b[2J\\u{202e}12"), "{text}");
    for secret in ["abcdefghijklmnop1234", "s3cretpassword", "ada@example.org"] {
        assert!(!text.contains(secret), "{secret}");
    }
}

#[test]
fn the_tree_has_the_form_of_the_specification() {
    let sample = Sample::refunds();
    let mut shown = sample.table.views[0].clone();
    for row in &mut shown.effects {
        row.operation_id.clone_from(&shown.operation_id);
    }
    for attempt in &mut shown.attempts {
        attempt.sent = crate::model::time::Instant::NONE;
    }
    assert_eq!(
        printed(|out| tree(&sample.report(), &shown, out)),
        "\
order:1234  refund:order_1234:request_9876  int_9876
decision #1
└─ refund_order(USD 200.00)   operation refund:order_1234:request_9876
   ├─ REFUND COMMITTED
   └─ RESPONSE LOST
decision #2
└─ refund_order(USD 200.00)   operation refund:order_1234:request_9876
   └─ REFUND COMMITTED

authoritative refund rows (payments.db)
  #1  rfd_a1  USD 200.00  refund:order_1234:request_9876
  #2  rfd_b2  USD 200.00  refund:order_1234:request_9876
  total USD 400.00

Expected effect count: 1
Expected effect total: USD 200.00
Observed effect count: 2
Observed effect total: USD 400.00
"
    );
    // One decision, two calls: the second hangs below the same decision.
    for attempt in &mut shown.attempts {
        attempt.decision = "dec_1".into();
    }
    let text = printed(|out| tree(&sample.report(), &shown, out));
    let lines: Vec<&str> = text.lines().skip(1).take(6).collect();
    assert_eq!(
        lines,
        [
            "decision #1",
            "├─ refund_order(USD 200.00)   operation refund:order_1234:request_9876",
            "│  ├─ REFUND COMMITTED",
            "│  └─ RESPONSE LOST",
            "└─ refund_order(USD 200.00)   operation refund:order_1234:request_9876",
            "   └─ REFUND COMMITTED",
        ]
    );
}

#[test]
fn one_intent_whole() {
    let sample = Sample::refunds();
    let shown = sample.table.views[0].clone();
    let text = printed(|out| {
        show(&sample.report(), &shown, Paint { colour: false, width: 100 }, out);
    });
    let expected = "\
Happened twice   DUPLICATED R05 S1   at risk USD 200.00
order:1234  refund:order_1234:request_9876  int_9876  #17

Two refunds were committed where one was intended: USD 400.00 instead of USD 200.00. The answer to
attempt 1 was lost at 08:41:00, but the ledger holds its refund from 08:40:59. The agent tried again
seven seconds later without reading back.
Next: Hand both rows to the owner of the ledger. Stop the sender.
      Ask for cancellation while it is on its way; else recall it, agree with the customer, or write
      it off.

attempts                                              rows of the ledger
 1  08:40:58.102Z  refund_order  USD 200.00           rfd_a1  08:40:59Z  USD 200.00
    ? answer lost  08:41:00.004Z                        nobody was told of it; linked by J1
      trace.jsonl line 1
 2  08:41:07.350Z  refund_order  USD 200.00           rfd_b2  08:41:08Z  USD 200.00
    ✓ answered: done  08:41:09.011Z  receipt rfd_b2     the agent has its receipt; linked by J1
      trace.jsonl line 2                              rfd_b2  08:41:08Z  USD 200.00
                                                        in books, a copy, not added; linked by J1

  2   USD 400.00   at the provider
  1   USD 200.00   intended
  1   USD 200.00   too much
  1   USD 200.00   in books, a copy, not added

  08:41:09Z  recorded submitted to confirmed by agent

why
";
    assert!(text.starts_with(expected), "{text}");
    let bold = printed(|out| {
        show(&sample.report(), &shown, Paint { colour: true, width: 0 }, out);
    });
    assert!(
        bold.starts_with("\u{1b}[1mHappened twice\u{1b}[0m   \u{1b}[2mDUPLICATED R05 S1\u{1b}[0m"),
        "{bold}"
    );
}

#[test]
fn sources_have_control_totals() {
    let mut sample = Sample::refunds();
    sample.sources.truncate(2);
    sample.sources[1].rows.set_aside = vec![("status failed".into(), 2)];
    sample.sources[1].query = Some("select ... where created_at >= $1".into());
    assert_eq!(
        printed(|out| sources(&sample.report(), out)),
        "\
trace   attempts   native trace.jsonl   read 09:13:57Z   window 11-28T08:02:07Z to 09:14:07Z
  records read 205   used 205   set aside 0   unreadable 0
  position line 205

payments   moves money   sqlite payments.db   read 09:13:58Z   covers 11-27T17:20:00Z to 09:13:51Z
  rows read 49   used 44   outside 3   unattributed 1   set aside 2 (status failed)   unreadable 1
  USD 8,123.45   no readable amount in 1 row
  first 11-27T17:20:00Z   last 09:13:51Z   position rowid 48211   query: select ... where created_at >= $1
  holds refund
  mapping: columns by name

1 problem
  payments.db refunds rowid 48190: amount \"2OO.00\" is not a decimal   UNREADABLE_ROW
"
    );
}

#[test]
fn rows_that_stand_for_many() {
    let mut sample = Sample::refunds();
    let row = ListRow {
        kind: RowKind::NotCompared { intents: vec![0, 1], reason: String::new() },
        operation: "412 calls".into(),
        label: "NOT COMPARED",
        verdict: "SOURCE_NOT_READ",
        rule: "R01",
        at_risk: None,
        reason: "No ledger here records send_email.".into(),
        ..sample.table.rows[0].clone()
    };
    let outside = ListRow { kind: RowKind::Outside { count: 2987, units: 7 }, class: None, ..row.clone() };
    let more = ListRow {
        kind: RowKind::OrphansMore { count: 3, totals: Totals::default() },
        class: None,
        ..row.clone()
    };
    sample.table.rows = vec![row, outside, more];
    (sample.summary.violations, sample.summary.undecided, sample.summary.open, sample.summary.rows) =
        (0, 1, 0, 1);
    let text = printed(|out| list(&all(sample).report(), out));
    assert_eq!(
        text,
        "412 calls   NOT COMPARED   (SOURCE_NOT_READ R01)\n  No ledger here records send_email.\n2,987 rows, 7 currencies, \
         outside the scope\n3 more rows without an attempt\n"
    );
}

#[test]
fn an_empty_list_says_so() {
    let mut sample = clean();
    sample.summary.rows = 48;
    assert_eq!(
        printed(|out| list(&sample.report(), out)),
        "nothing diverges and nothing is undecided: 48 rows in all, --only all lists them\n"
    );
}
