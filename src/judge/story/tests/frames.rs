//! The stories of the frames, word for word.

use super::super::samples::*;
use super::super::*;
use super::{on_screen, plain, told};
use crate::judge::view::OrphanView;

#[test]
fn frame_triage_and_detail_double() {
    let w = World::new();
    let text = "Two refunds were committed where one was intended: USD 400.00 instead of USD 200.00. The answer to \
                attempt 1 was lost at 08:41:00, but the ledger holds its refund from 08:40:59. The agent tried again \
                seven seconds later without reading back.";
    for cx in [w.list(), w.wide(), w.narrow()] {
        let (story, next) = told(&int_9876(), &cx);
        assert_eq!(story, text);
        assert_eq!(next, "Hand both rows to the owner of the ledger (x). Stop the sender.");
        assert_eq!(next_in_print(&next), "Hand both rows to the owner of the ledger. Stop the sender.");
    }
}

#[test]
fn the_blank_inside_an_amount_never_breaks() {
    let w = World::new();
    let story = story(&int_9876(), &w.wide());
    assert!(story.first.ends_with("USD\u{fdef}400.00 instead of USD\u{fdef}200.00."));
    assert_eq!(story.first, format!("{}.", story.first.trim_end_matches('.')));
}

#[test]
fn frame_detail_double_why() {
    let w = World::new();
    let why = story(&int_9876(), &w.wide()).why;
    let expected: Vec<(String, &str)> = [
        ("Both rows carry the same operation id, refund:order_1234:request_9876. At most one was intended.", "R05"),
        ("rfd_a1 was committed while attempt 1 was open: it had worked, only its answer was lost.", ""),
        (
            "Attempt 2 was a new decision of the agent. Nobody had read the ledger in the seven seconds between.",
            "H03",
        ),
        (
            "The provider has rfd_a1, our books do not: they are written after an answer. They decide nothing here.",
            "",
        ),
        (
            "Record says confirmed since 08:41:09. Key req_9876, made by the application, same both times.",
            "",
        ),
    ]
    .map(|(text, code)| (text.to_owned(), code))
    .to_vec();
    assert_eq!(why, expected);
}

#[test]
fn the_fine_print_says_what_would_have_prevented_it() {
    let w = World::new();
    assert_eq!(
        story(&int_9876(), &w.wide()).fine,
        ["id recorded: yes; enforced: no", "protection: none (tool declared unsafe)"]
    );
    let mut v = int_9876();
    v.idempotent = crate::judge::facts::Idempotent::Yes;
    assert_eq!(story(&v, &w.wide()).fine[1], "protection: key, kept 24h");
    v.retention = None;
    assert_eq!(story(&v, &w.wide()).fine[1], "protection: key, not known how long it is kept");
}

#[test]
fn frame_detail_unknown() {
    let w = World::new();
    let (wide, next) = told(&int_4814(), &w.wide());
    assert_eq!(
        wide,
        "Nobody can tell yet whether the refund of USD 45.00 happened. The attempt timed out at 08:41:10. The ledger \
         has no row for it, but the export that was read ends at 08:39:10, before the attempt began: the missing row \
         proves nothing."
    );
    assert_eq!(
        on_screen(&next),
        "Covered from 08:42:13 on: export it again and read it R. Or hand it over x. Send nothing."
    );
    let (narrow, next) = told(&int_4814(), &w.narrow());
    assert_eq!(
        narrow,
        "Nobody can tell yet whether the refund of USD 45.00 happened. It timed out at 08:41:10. The ledger has no \
         row for it, but the export ends at 08:39:10, before the attempt began: the missing row proves nothing."
    );
    assert_eq!(on_screen(&next), "Covered from 08:42:13 on: read it again R. Send nothing.");
}

#[test]
fn frame_detail_unknown_why() {
    let w = World::new();
    let why = story(&int_4814(), &w.wide()).why;
    let expected = [
        (
            "A row that is missing counts only when the ledger was read past the attempt. This read was not.",
            "R31",
        ),
        (
            "Past means later than 08:42:13: the attempt's end 08:41:10, 60 s to settle, 3 s for the clocks.",
            "C2",
        ),
        ("Until then a second call could be a second refund, so nothing may be tried again.", ""),
        ("Record says unknown since 08:41:10. Key req_5614, made by the application before attempt 1.", ""),
    ];
    assert_eq!(why, expected.map(|(text, code)| (text.to_owned(), code)));
}

#[test]
fn frame_detail_absent() {
    let w = World::new();
    let (text, next) = told(&int_4812(), &w.narrow());
    assert_eq!(
        text,
        "The refund of USD 900.00 did not happen, as far as the ledger goes. The attempt of 28 Nov timed out. The \
         ledger was read today up to 09:13:51, long past the attempt, and holds no row for it."
    );
    assert_eq!(next, "Hold it (x), or record it (r). A person decides about a new request.");
    assert_eq!(on_screen(&next), "Hold it x, or record it r. A person decides about a new request.");
}

#[test]
fn frame_triage_noids() {
    let w = World::loose();
    let cx = Context { writable: false, ..w.list() };
    let (text, next) = told(&order_5531(), &cx);
    assert_eq!(
        text,
        "Two rows, one request for order 5531; the table has no id, so which call made which row is not known. The \
         call timed out at 21:03:41, was sent again four seconds later and answered as done. Both rows are USD 37.15. \
         USD is assumed."
    );
    assert_eq!(
        next,
        "Hand both rows to the owner of the ledger. If one row belongs to one request, --link business_id says so."
    );
    let (_, next) = told(&order_5531(), &Context { narrow: true, ..cx });
    assert_eq!(next, "Hand both rows to the owner of the ledger. A declared link settles it.");
}

#[test]
fn frame_detail_noids() {
    let w = World::loose();
    let cx = Context { writable: false, ..w.wide() };
    let (text, _) = told(&order_5531(), &cx);
    assert_eq!(
        text,
        "Two rows, one request for order 5531; the table has no id, so which call made which row is not known. Both \
         rows are USD 37.15, the amount of both calls. One row would be as intended, the second would be too much. \
         USD is assumed."
    );
    let expected = [
        ("Rows without ids are judged by the account of the order: 1 wanted, 2 tried, 2 found.", "R16a"),
        ("It stays a suspicion: a person or another program may have made one of the two rows.", ""),
        (
            "Assumed: one request, because both calls are equal; the amount, from the calls; the unit, USD.",
            "",
        ),
    ];
    assert_eq!(story(&order_5531(), &cx).why, expected.map(|(text, code)| (text.to_owned(), code)));
}

#[test]
fn frame_detail_onway() {
    let w = World::new();
    let (text, next) = told(&int_6101(), &w.narrow());
    assert_eq!(
        text,
        "One refund is paid, a second of USD 80.00 is on its way. The answer to attempt 1 was lost, but the provider \
         has its refund. Attempt 2 was answered as accepted and is still pending at 09:13:58."
    );
    assert_eq!(next, "Ask the provider now if re_6102 can be cancelled. Stop the sender.");
    let (text, next) = told(&int_6101(), &w.wide());
    assert_eq!(
        text,
        "One refund is paid, a second of USD 80.00 is on its way. The answer to attempt 1 was lost at 08:55:32, but \
         the ledger holds its refund from 08:55:03. Attempt 2 was answered as accepted and is still pending at \
         09:13:58."
    );
    assert_eq!(next, "Ask the provider now whether it can still be cancelled. Stop the sender.");
}

#[test]
fn frame_detail_apart() {
    let w = World::new();
    let row = OrphanView {
        source: PAYMENTS,
        effect_id: "rf_77".into(),
        operation_id: "refund:order_7777:request_31".into(),
        business_id: "order:7777".into(),
        kind: "refund".into(),
        count: 1,
        totals: totals(&[usd("15.00")]),
        committed: instant("08:52:31"),
        possible_double: false,
        place: "payments.db, table refunds, row 48203".into(),
        at: None,
        key: String::new(),
        violation: false,
    };
    let told = orphan(&row, &w.wide());
    assert_eq!(
        plain(&told.text()),
        "A refund of USD 15.00 for order 7777 has no attempt in what is loaded. It was committed at 08:52:31, inside \
         the trace's time. The trace is not declared complete, so somebody else may have made it."
    );
    assert_eq!(
        on_screen(&told.next),
        "Nothing has to be done. If its trace is at hand, load it; if you know the request, link it l."
    );
    assert_eq!(orphan(&row, &w.list()).next, "Nothing has to be done. If its trace is at hand, load it.");
    assert_eq!(
        told.why[0].0,
        "It changes no result and no exit code. Only a trace declared complete makes such a row a violation."
    );

    let double =
        OrphanView { possible_double: true, count: 2, committed: instant("11-27T10:00:00"), ..row.clone() };
    let told = orphan(&double, &w.wide());
    assert_eq!(
        told.first,
        "Two rows carry one operation id and have no attempt here: a possible double outside this trace."
    );
    assert_eq!(told.rest[0], "The first was committed on 27 Nov at 10:00:00, outside the trace's time.");
    assert_eq!(told.next, "Tell the owner of the ledger (x), or load the trace that made them.");

    let violation = OrphanView { violation: true, ..row };
    let told = orphan(&violation, &w.wide());
    assert_eq!(told.next, "Find out who sent it.");
    assert_eq!(
        told.rest[1],
        "The trace is declared complete, so every row in its time should have an attempt."
    );
    assert!(told.why.is_empty());
}

#[test]
fn stories_of_the_other_intents_of_the_case() {
    let w = World::new();
    let [old, new] = lineage_pair();
    for (view, text, next) in [
        (
            old,
            "The refund was replaced by another, and both happened: USD 350.00 instead of USD 150.00. The connection \
             was cut at 08:50:01, but the ledger holds its refund from 08:49:59.",
            "Hand both rows to the owner of the ledger (x). Stop the sender.",
        ),
        (
            new,
            "The refund was replaced by another, and both happened: USD 350.00 instead of USD 150.00.",
            "Hand both rows to the owner of the ledger (x). Stop the sender.",
        ),
        (
            int_5002(),
            "The refund of USD 75.00 is recorded as failed, but it happened. Sending it again would pay twice. The \
             attempt timed out at 08:12:44, but the ledger holds its refund from 08:12:15.",
            "Stop the sender now. Then record that it happened (r).",
        ),
        (
            int_4813(),
            "The refund of USD 200.00 happened; only its answer was lost. The answer was lost at 08:26:07, but the \
             ledger holds its refund from 08:26:06.",
            "Record that it happened (r).",
        ),
        (
            settled(),
            "As intended: one refund, USD 200.00; only the answer was lost. The answer was lost at 08:26:07, but the \
             ledger holds its refund from 08:26:06.",
            "Nothing to do.",
        ),
        (
            int_4977(),
            "The ledger has a row for the refund, but its amount cannot be read: 2OO.00. The row is payments.db, \
             table refunds, row 48190.",
            "Look at the row (v) and ask who wrote it; the mapping may be wrong.",
        ),
        (
            int_9001(),
            "The comment is there, but its author reads Self-named where self_named was intended. The two differ only \
             in capitals and signs. The attempt timed out at 09:10:31, but the ledger holds its comment from 09:10:30.",
            "Compare the two values (v), then confirm it or say why not (r).",
        ),
        (
            int_5100(),
            "The refund of USD 12.50 was sent 3 s ago and is not answered yet. Its answer may take until 09:14:34.",
            "Wait until its time is up.",
        ),
        (
            int_4920(),
            "The refund of USD 60.00 was sent and never answered; its time ran out 20m ago. The ledger has no row for \
             it, but the export that was read ends at 08:39:10, before the attempt began: the missing row proves \
             nothing. Covered from 08:50:13 on.",
            "Settle it or hand it over (r, x).",
        ),
    ] {
        assert_eq!(told(&view, &w.wide()), (text.to_owned(), next.to_owned()), "{}", view.intent_id);
    }
}
