use super::phrase::plain;
use super::samples::*;
use super::*;
use crate::judge::judgement::RetryOrigin;
use crate::judge::view::{AttemptView, OrphanView, ReadBackView, Tied};
use crate::model::money::Totals;
use crate::model::outcome::Outcome;
use crate::model::row::Seen;

/// The story with ordinary blanks, as the frames have it.
fn told(view: &IntentView, cx: &Context<'_>) -> (String, String) {
    let story = story(view, cx);
    (plain(&story.text()), plain(&story.next))
}

/// A next step as a screen writes it: keys without their brackets.
fn on_screen(next: &str) -> String {
    next_parts(next).iter().map(|part| match part { NextPart::Text(t) | NextPart::Key(t) => *t }).collect()
}

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
    assert!(story.first.ends_with("USD\u{a0}400.00 instead of USD\u{a0}200.00."));
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
        ("A row that is missing counts only when the ledger was read past the attempt. This read was not.", "R31"),
        (
            "Past means later than 08:42:13: the attempt's end 08:41:10, 60 s to settle, 3 s for the clocks.",
            "C2",
        ),
        ("Until then a second call could be a second refund, so nothing may be tried again.", ""),
        (
            "Record says unknown since 08:41:10. Key req_5614, made by the application before attempt 1.",
            "",
        ),
    ];
    assert_eq!(why, expected.map(|(text, code)| (text.to_owned(), code)));
}

#[test]
fn frame_detail_absent() {
    let w = World::new();
    let above = Context { second_person: true, ..w.narrow() };
    let (text, next) = told(&int_4812(), &above);
    assert_eq!(
        text,
        "The refund of USD 900.00 did not happen, as far as the ledger goes. The attempt of 28 Nov timed out. The \
         ledger was read today up to 09:13:51, long past the attempt, and holds no row for it."
    );
    assert_eq!(next, "Hold it (x), or ask a second person to record it (r).");
    assert_eq!(on_screen(&next), "Hold it x, or ask a second person to record it r.");
    let (_, next) = told(&int_4812(), &w.narrow());
    assert_eq!(next, "Hold it (x), or record it (r). A person decides about a new request.");
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
        at: None,
        key: String::new(),
        place: "payments.db, table refunds, row 48203".into(),
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

    let double = OrphanView { possible_double: true, count: 2, committed: instant("11-27T10:00:00"), ..row.clone() };
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
    assert_eq!(told.rest[1], "The trace is declared complete, so every row in its time should have an attempt.");
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
            "Stop the sender now. Then reopen it and confirm it (r).",
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
            "Settle it or hand it over (r, x); expire does it for all.",
        ),
    ] {
        assert_eq!(told(&view, &w.wide()), (text.to_owned(), next.to_owned()), "{}", view.intent_id);
    }
}

#[test]
fn a_read_between_two_calls_is_not_left_out() {
    let w = World::new();
    let last = |view: &IntentView| story(view, &w.wide()).rest.last().cloned().unwrap_or_default();
    let read = |at: &str, seen: Seen| ReadBackView {
        when: t(at),
        source: "payments".into(),
        seen,
        differs: None,
        position: String::new(),
        place: String::new(),
    };
    let mut v = int_9876();
    for (at, seen, expected) in [
        ("08:41:03", Seen::NotFoundNotCovering, ", after a read-back that did not find it."),
        ("08:41:03", Seen::AbsentAsOf, ", after a read-back that did not find it."),
        ("08:41:03", Seen::Present, ", although a read-back had found it."),
        ("08:41:03", Seen::Differs, ", although a read-back had found it."),
        ("08:41:03", Seen::NotRun, " without reading back."),
        ("08:41:03", Seen::Unreadable, " without reading back."),
        ("08:41:00.003", Seen::Present, " without reading back."),
        ("08:41:00.004", Seen::Present, ", although a read-back had found it."),
        ("08:41:07.350", Seen::Present, ", although a read-back had found it."),
        ("08:41:07.351", Seen::Present, " without reading back."),
    ] {
        v.reads = vec![read(at, seen)];
        assert_eq!(last(&v), format!("The agent tried again seven seconds later{expected}"), "{at} {seen:?}");
    }
    v.reads.clear();
    let called = AttemptView { read: true, ..attempt(1, "08:41:02", "08:41:03", Outcome::Success) };
    v.attempts.insert(1, called);
    assert_eq!(last(&v), "The agent tried again seven seconds later, after reading back.");
    assert!(!story(&v, &w.wide()).why.iter().any(|(_, code)| *code == "H03"));
}

#[test]
fn without_times_the_order_of_the_calls_tells() {
    let w = World::new();
    let mut v = int_9876();
    for a in &mut v.attempts {
        (a.sent, a.ended) = (instant(""), instant(""));
    }
    let text = plain(&story(&v, &w.wide()).text());
    assert!(text.ends_with(
        "The answer to attempt 1 was lost, but the ledger holds its refund from 08:40:59. The agent tried again \
         without reading back."
    ));
    v.reads = vec![ReadBackView {
        when: Micros::NONE,
        source: String::new(),
        seen: Seen::Present,
        differs: None,
        position: String::new(),
        place: String::new(),
    }];
    assert_eq!(story(&v, &w.wide()).rest[1], "The agent tried again.");
}

#[test]
fn who_repeated_it_is_the_subject() {
    let w = World::new();
    let mut v = int_9876();
    for (origin, expected) in [
        (RetryOrigin::Script, "The script tried again seven seconds later without reading back."),
        (RetryOrigin::Caller, "The caller tried again seven seconds later without reading back."),
        (RetryOrigin::Framework, "A library sent it again seven seconds later without reading back."),
        (RetryOrigin::Unknown, "It was tried again seven seconds later without reading back."),
    ] {
        v.judgement.origin = origin;
        assert_eq!(story(&v, &w.wide()).rest[1], expected);
    }
    v.attempts[1].sent = instant("08:41:00.900");
    assert_eq!(story(&v, &w.wide()).rest[1], "It was tried again at once without reading back.");
    v.attempts[1].sent = instant("08:41:00.000");
    assert_eq!(story(&v, &w.wide()).rest[1], "It was tried again before it had ended without reading back.");
}

#[test]
fn three_times_and_several_lost_answers() {
    let w = World::new();
    let mut v = int_9876();
    v.attempts.insert(1, attempt(2, "08:41:02", "08:41:04", Outcome::Timeout));
    v.attempts[2].number = 3;
    v.effects[1].tied = Tied::ByReceipt(3);
    v.effects.insert(1, effect("rfd_m", "08:41:03", Some(usd("200.00")), Tied::ByTime(2)));
    v.totals = totals(&[usd("600.00")]);
    let j = &mut v.judgement;
    (j.gross, j.net, j.attempts, j.lost, j.live) = (3, 3, 3, 2, Some(usd("600.00")));
    assert_eq!(
        told(&v, &w.wide()),
        (
            "Three refunds were committed where one was intended: USD 600.00 instead of USD 200.00. Two of three \
             calls got no answer, the last at 08:41:04, but the ledger holds two of their refunds. The agent tried \
             again twice, the last time three seconds later, without reading back."
                .to_owned(),
            "Hand all three rows to the owner of the ledger (x). Stop the sender.".to_owned()
        )
    );
    assert_eq!(crate::judge::words::list_words(&v.judgement), "happened 3 times");
    assert_eq!(crate::judge::words::mark_of(&v.judgement), "+2");
}

#[test]
fn what_has_no_amount_or_no_kind_is_still_a_sentence() {
    let w = World::new();
    let mut v = int_9876();
    v.kind = String::new();
    v.tool = "do_it".into();
    v.judgement.expected = None;
    v.judgement.live = None;
    v.totals = Totals::default();
    for e in &mut v.effects {
        e.amount = None;
    }
    assert_eq!(story(&v, &w.wide()).first, "Two effects were committed where one was intended.");
    v.tool = "send_email".into();
    assert_eq!(story(&v, &w.wide()).first, "Two emails were committed where one was intended.");
    assert_eq!(story(&v, &w.wide()).kind_hint, Some("It cannot be taken back; tell the recipient."));
}

#[test]
fn one_reference_on_two_rows_and_links_that_are_not_by_id() {
    let w = World::new();
    let mut v = int_9876();
    v.judgement.found |= crate::judge::findings::SAME_EXTERNAL_REF;
    for e in &mut v.effects {
        e.external_ref = "re_X".into();
        e.link = vec!["J7"];
    }
    let rest = story(&v, &w.wide()).rest;
    assert_eq!(
        rest[2..],
        [
            "The rows are linked by order id, as declared.".to_owned(),
            "Both rows carry reference re_X: recorded twice, perhaps committed once; ask the provider.".to_owned()
        ]
    );
    assert_eq!(
        story(&v, &w.wide()).why[0].0,
        "Both rows are of order 1234, linked as declared. At most one was intended."
    );
}

#[test]
fn every_row_that_cannot_be_known_yet_says_from_when_on_it_is_covered() {
    let w = World::new();
    for rule in [Rule::R18, Rule::R20a, Rule::R21, Rule::R25, Rule::R29, Rule::R31, Rule::R32, Rule::R35] {
        for cx in [w.wide(), w.narrow(), w.list()] {
            let mut v = int_4814();
            v.judgement.rule = rule;
            v.judgement.covered_from = t("08:42:13");
            let story = story(&v, &cx);
            let said = format!("{} {}", story.text(), story.next);
            assert!(said.to_lowercase().contains("covered from 08:42:13 on"), "{rule:?}: {said}");
        }
    }
}

#[test]
fn a_trace_without_times_names_no_time() {
    let w = World::new();
    let mut v = int_4814();
    v.judgement.covered_from = Micros::NONE;
    let story = story(&v, &w.wide());
    assert_eq!(
        story.next,
        "The trace has no times, so no read can prove it. Hand it over (x). Send nothing."
    );
    assert!(!format!("{story:?}").contains("{from}"));
}

#[test]
fn the_config_has_its_own_next_step() {
    let mut w = World::new();
    w.playbook = Playbook::of([("DUPLICATED".into(), "refund".into(), "Page payments-oncall.".into())]);
    assert_eq!(story(&int_9876(), &w.wide()).next, "Page payments-oncall.");
    assert_eq!(story(&int_4813(), &w.wide()).next, "Record that it happened (r).");
}

#[test]
fn keys_are_parted_from_words() {
    assert_eq!(
        next_parts("Settle it or hand it over (r, x); say so (normalise)."),
        [
            NextPart::Text("Settle it or hand it over "),
            NextPart::Key("r"),
            NextPart::Text(", "),
            NextPart::Key("x"),
            NextPart::Text("; say so (normalise)."),
        ]
    );
    assert_eq!(next_parts("No key."), [NextPart::Text("No key.")]);
    assert_eq!(next_in_print("Settle it or hand it over (r, x); expire."), "Settle it or hand it over; expire.");
    assert_eq!(next_in_print("The cause is on the sources screen (5)."), "The cause is on the sources screen.");
}

#[test]
fn local_times_are_those_of_the_zone() {
    let w = World::new();
    let zone = Zone::parse("Europe/Berlin").unwrap();
    let cx = Context { zone: &zone, ..w.wide() };
    let story = story(&int_4814(), &cx);
    assert_eq!(story.rest[0], "The attempt timed out at 09:41:10.");
    assert!(story.next.starts_with("Covered from 09:42:13 on"));
}

#[test]
fn the_four_lines() {
    let w = World::new();
    assert_eq!(
        four_lines(&int_9876(), &w.units),
        [
            "Expected effect count: 1",
            "Expected effect total: USD 200.00",
            "Observed effect count: 2",
            "Observed effect total: USD 400.00"
        ]
    );
    assert_eq!(
        four_lines(&int_5002(), &w.units)[..2],
        ["Expected effect count: 0".to_owned(), "Expected effect total: USD 0.00".to_owned()]
    );
    assert_eq!(
        four_lines(&int_9001(), &w.units),
        [
            "Expected effect count: 1",
            "Expected effect total: no total expected",
            "Observed effect count: 1",
            "Observed effect total: no amount"
        ]
    );
    assert_eq!(four_lines(&int_4977(), &w.units)[3], "Observed effect total: unreadable");
    let mut v = int_9876();
    (v.judgement.effective_min, v.judgement.effective_max, v.judgement.net) = (1, 3, 1);
    v.totals = totals(&[usd("0"), money("EUR", "20.5"), money("JPY", "20000")]);
    assert_eq!(
        four_lines(&v, &w.units),
        [
            "Expected effect count: 1..3",
            "Expected effect total: USD 200.00",
            "Observed effect count: 2 gross, 1 net",
            "Observed effect total: EUR 20.50, JPY 20,000, USD 0.00"
        ]
    );
    assert_eq!(four_lines(&int_6101(), &w.units)[2], "Observed effect count: 1, 1 on its way");
    let lost = view(Rule::R01);
    assert_eq!(
        four_lines(&lost, &w.units)[2..],
        ["Observed effect count: not read".to_owned(), "Observed effect total: not read".to_owned()]
    );
}

#[test]
fn bounds_in_words() {
    assert_eq!(bounds(&int_9876(), false), "two attempts can explain 1 to 2 refunds");
    assert_eq!(bounds(&int_9876(), true), "2 attempts can explain 1 to 2 refunds");
    assert_eq!(bounds(&int_4814(), false), "one attempt can explain 0 to 1 refunds");
    assert_eq!(bounds(&int_4812(), true), "1 attempt can explain 0 to 1 refunds");
    let mut v = int_9876();
    (v.judgement.lo, v.judgement.hi, v.judgement.hi_uncapped, v.judgement.attempts) = (1, 1, 1, 1);
    assert_eq!(bounds(&v, false), "one attempt can explain 1 refund");
}

#[test]
fn the_word_behind_the_money() {
    for (view, word) in [
        (int_9876(), "too much"),
        (order_5531(), "too much, if so"),
        (int_6101(), "may go out"),
        (int_4814(), "undecided"),
        (int_4812(), "undecided"),
        (int_5002(), "too much"),
        (settled(), "as intended"),
    ] {
        assert_eq!(difference_word(&view.judgement), word, "{}", view.intent_id);
    }
    let mut wrong = int_9876();
    wrong.judgement.rule = Rule::R13;
    assert_eq!(difference_word(&wrong.judgement), "too much");
    wrong.judgement.live = Some(usd("50"));
    assert_eq!(difference_word(&wrong.judgement), "too little");
    wrong.judgement.rule = Rule::R12;
    wrong.judgement.live = Some(money("EUR", "200"));
    assert_eq!(difference_word(&wrong.judgement), "wrong");
}

#[test]
fn rows_of_a_double_have_one_phrase_each() {
    let v = int_9876();
    let phrases: Vec<_> = v.effects.iter().take(2).map(row_phrase).collect();
    assert_eq!(
        phrases,
        [
            ["nobody was told of it", "nobody was told", "nobody was told"],
            ["the agent has its receipt", "agent has receipt", "receipt held"]
        ]
    );
    assert_eq!(row_phrase(&order_5531().open_rows[0]), ["no answer named it"; 3]);
}

#[test]
fn not_compared_is_one_row_per_reason() {
    let w = World::new();
    let cx = w.list();
    assert_eq!(
        not_compared(Missing::NoLedger("send_email"), 412, &cx).0,
        "No ledger here records send_email: 412 calls are not compared."
    );
    assert_eq!(
        not_compared(Missing::Older(t("08:12:04")), 89_116, &cx).0,
        "The ledger's first row is of 08:12:04: 89,116 requests are older and are not compared."
    );
    assert_eq!(
        not_compared(Missing::Older(t("08:12:04")), 1, &cx).0,
        "The ledger's first row is of 08:12:04: one request is older and is not compared."
    );
    assert_eq!(
        not_compared(Missing::NotRead("payments.db", "no such file"), 3, &cx).0,
        "payments.db was not read: no such file. Nothing can be said."
    );
    assert_eq!(fits_by_order(11).0, "11 requests fit by order; the rows carry no id.");
}
