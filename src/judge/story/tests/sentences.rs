//! Sentences by facts, and what no sentence may say.

use super::super::samples::*;
use super::super::*;
use super::{plain, told};
use crate::judge::judgement::RetryOrigin;
use crate::judge::view::{AttemptView, ReadBackView, Tied};
use crate::model::money::Totals;
use crate::model::outcome::Outcome;
use crate::model::row::Seen;

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
    assert_eq!(story(&v, &w.wide()).rest[1], "It was tried again before it had ended.");
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
            "Both rows carry reference re_X: recorded twice, perhaps committed once; ask the provider."
                .to_owned()
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

/// A transaction that is open is named, whatever the clock says: the time from which a read covers may be past.
#[test]
fn an_open_transaction_is_named_before_the_clock() {
    let w = World::new();
    let open = "transaction 9003 is open since before the first look";
    for (rule, wanted) in [
        (Rule::R25, format!("the ledger does not show it, and {open}.")),
        (Rule::R31, format!("The ledger has no row for it, and that proves nothing: {open}.")),
    ] {
        let mut v = int_4814();
        v.judgement.rule = rule;
        v.judgement.covered_from = t("08:42:13");
        v.uncovered = vec![
            ("C2", "a row newer than 08:42:13 is needed".to_owned()),
            ("C3", format!("it is not complete: {open}")),
        ];
        for cx in [w.wide(), w.narrow(), w.list()] {
            let said = story(&v, &cx).text();
            assert!(said.contains(&wanted), "{rule:?}: {said}");
            assert_eq!(said.matches(open).count(), 1, "{said}");
            assert!(!said.to_lowercase().contains("covered from"), "{said}");
        }
    }
}

/// No later read helps where the listing itself proves nothing: nobody is told to wait for one.
#[test]
fn a_listing_that_proves_nothing_is_not_called_too_early() {
    let w = World::new();
    let first = |rule: Rule| match rule {
        Rule::R18 => "This must not happen; none was seen, but the ledger cannot prove that there is none.",
        Rule::R25 => {
            "The answer said done; the ledger does not show it, and cannot prove that it is missing."
        }
        Rule::R32 => {
            "The answer said done; the ledger does not show it, and cannot prove that it is missing, and the \
             record is behind."
        }
        _ => "",
    };
    for rule in [Rule::R18, Rule::R20a, Rule::R21, Rule::R25, Rule::R29, Rule::R31, Rule::R32, Rule::R35] {
        let mut v = int_4814();
        v.judgement.rule = rule;
        v.judgement.lo = 1;
        v.judgement.covered_from = t("08:42:13");
        v.uncovered = vec![("C3", "the listing is incomplete: 2 of 3 pages".to_owned())];
        for cx in [w.wide(), w.narrow(), w.list()] {
            let story = story(&v, &cx);
            let said = format!("{} {}", story.text(), story.next);
            assert!(!said.to_lowercase().contains("covered from"), "{rule:?}: {said}");
            assert!(!said.contains("too early") && !said.contains("read only up to"), "{rule:?}: {said}");
            assert!(story.text().starts_with(first(rule)), "{rule:?}: {said}");
        }
    }
    let mut v = int_4814();
    v.judgement.rule = Rule::R25;
    v.judgement.lo = 1;
    v.uncovered = vec![("C4", "1 row that may be this one cannot be read".to_owned())];
    let said = story(&v, &w.wide());
    assert!(
        said.rest.contains(
            &"What keeps it from proving that: 1 row that may be this one cannot be read.".to_owned()
        ),
        "{said:?}"
    );
    assert_eq!(said.next, "A later read cannot tell. Hand it over (x). Send nothing.");
}

/// A row under almost the same id is named, with the step that makes the two one.
#[test]
fn almost_the_same_id_is_named_where_the_row_is_missing() {
    let w = World::new();
    for rule in [Rule::R25, Rule::R31, Rule::R32] {
        let mut v = int_4814();
        v.judgement.rule = rule;
        v.judgement.found = crate::judge::findings::NEAR_IDENTICAL_ID;
        v.operation_id = "OP-1".to_owned();
        v.near_ids = vec!["op-1".to_owned()];
        v.uncovered = vec![("C7", "another sign says that it may be there: almost the same id".to_owned())];
        let story = story(&v, &w.wide());
        assert_eq!(story.first, "Two ids differ only in capitals: OP-1 and op-1. Are they one?");
        assert_eq!(story.next, "Say so in the mapping (normalise), or confirm that they are two.");
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
    assert_eq!(
        next_in_print("Settle it or hand it over (r, x); expire."),
        "Settle it or hand it over; expire."
    );
    assert_eq!(
        next_in_print("The cause is on the sources screen (5)."),
        "The cause is on the sources screen."
    );
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
fn every_place_of_every_template_has_a_fact() {
    let w = World::new();
    let cx = w.wide();
    let view = int_9876();
    let facts = Facts::new(&view, &cx);
    // Filled beside the facts of one intent: rows without an attempt, the tie of a reason, the look at a source.
    let elsewhere = ["A_noun", "for_order", "shared_id", "tie", "look"];
    let templates = crate::judge::words::WORDS
        .iter()
        .flat_map(|w| [w.first, w.next])
        .chain(SAID.iter().flat_map(|said| [said.wide, said.narrow]))
        .chain(why::REASONS.iter().map(|(_, reason)| *reason));
    for template in templates {
        for part in template.split('{').skip(1) {
            let (name, _) = part.split_once('}').unwrap();
            assert!(elsewhere.contains(&name) || facts.place(name).is_some(), "{{{name}}} of {template}");
        }
    }
}

#[test]
fn no_story_of_any_rule_and_view_has_a_hole() {
    let w = World::new();
    let views = [
        int_9876(),
        int_4814(),
        int_4812(),
        order_5531(),
        int_6101(),
        int_5002(),
        int_4813(),
        int_4977(),
        int_9001(),
        int_5100(),
        int_4920(),
        view(Rule::R01),
    ];
    for meaning in &crate::judge::rules::MEANINGS {
        for sample in &views {
            for cx in [w.wide(), w.narrow(), w.list()] {
                for found in [0, crate::judge::findings::DISPUTED, !crate::judge::findings::DISPUTED] {
                    let mut v = sample.clone();
                    (v.judgement.rule, v.judgement.class) = (meaning.rule, meaning.class);
                    v.judgement.found = found;
                    let story = story(&v, &cx);
                    let why: Vec<&str> = story.why.iter().map(|(sentence, _)| sentence.as_str()).collect();
                    let text =
                        [&story.text(), &story.next, &why.join(" "), &story.fine.join(" ")].map(|t| plain(t));
                    let text = text.join(" ");
                    for hole in ["{", "}", "  ", " .", " ,", "..", ":.", "of of"] {
                        assert!(!text.contains(hole), "{hole:?} {} {}: {text}", meaning.number, v.intent_id);
                    }
                    assert!(story.rest.len() <= 5, "{text}");
                    assert!(!text.to_lowercase().contains("retry"), "{text}");
                    let copied = yank_item(&v, &cx, &Origin { case: "c", audit: None });
                    assert!(
                        copied.iter().all(|line| !line.is_empty() && !line.contains('\u{fdef}')),
                        "{copied:?}"
                    );
                }
            }
        }
    }
}

/// Calls of one request may carry several keys, each with a row of its own.
#[test]
fn rows_of_two_keys_are_not_said_to_carry_one() {
    let w = World::new();
    let mut v = int_9876();
    for row in v.effects.iter_mut().filter(|row| !row.copy) {
        (row.link, row.key) = (vec!["J2"], v.key.clone());
    }
    let first = |v: &IntentView| story(v, &w.wide()).why.first().cloned().unwrap_or_default().0;
    assert_eq!(first(&v), "Both rows carry the same key, req_9876. At most one was intended.");
    v.effects.iter_mut().filter(|row| !row.copy).take(1).for_each(|row| row.key = "req_9875".to_owned());
    assert_eq!(first(&v), "Both rows are tied to it by key. At most one was intended.");
}

/// Without an outcome the time is that of the sending, also where an end is recorded.
#[test]
fn a_call_without_an_outcome_is_told_by_its_sending() {
    let w = World::new();
    let mut v = int_9876();
    let first = v.attempts.iter_mut().find(|a| !a.read).unwrap();
    let (sent, ended) = (w.wide().at(first.sent), w.wide().at(first.ended));
    assert_ne!(sent, ended);
    let said = |v: &IntentView| story(v, &w.wide()).text();
    first.outcome = Outcome::Timeout;
    assert!(said(&v).contains(&format!("timed out {ended}")), "{}", said(&v));
    v.attempts.iter_mut().find(|a| !a.read).unwrap().outcome = Outcome::NoRecord;
    let wanted = format!("o outcome of attempt 1, sent {sent}, is recorded");
    assert!(said(&v).contains(&wanted), "{}", said(&v));
}
