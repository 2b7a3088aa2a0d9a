//! Each guard one step before, at, and one step behind its edge.

use super::{NOTE, NOW, policy, read, unknown, usd, with, with_row};
use crate::lifecycle::guards::{self, Blocked, Passed, Quota};
use crate::lifecycle::identity::{Environment, Source, operator};
use crate::lifecycle::policy::{Policy, Weight};
use crate::lifecycle::refusal::Refusal;
use crate::model::money::{Amount, Money};
use crate::model::row::{Seen, State};
use crate::model::time::{HOUR, MINUTE, Micros};
use crate::model::units::{Unit, Units, iso};

fn code(passed: Passed) -> &'static str {
    passed.map_or_else(|refusal: Refusal| refusal.code.word(), |()| "passed")
}

#[test]
fn a_note_has_20_to_4000_characters_and_says_something_new() {
    let policy = policy();
    let note = |text: &str, before: &str| code(guards::note(text, before, &policy));
    let long = |n: usize| "a".repeat(n);
    assert_eq!(note(&long(19), ""), "R-NOTE");
    assert_eq!(note(&long(20), ""), "passed");
    assert_eq!(note(&long(21), ""), "passed");
    assert_eq!(note(&format!("  {}  ", long(19)), ""), "R-NOTE");
    assert_eq!(note(&"é".repeat(20), ""), "passed");
    assert_eq!(note(&long(3_999), ""), "passed");
    assert_eq!(note(&long(4_000), ""), "passed");
    assert_eq!(note(&long(4_001), ""), "R-NOTE");
    // 16 KiB: 4,000 characters of four bytes fit, and are 16,000 bytes; a longer limit would not help.
    let wide = Policy { note_max: 10_000, ..policy.clone() };
    assert_eq!(code(guards::note(&"𠀀".repeat(4_096), "", &wide)), "passed");
    assert_eq!(code(guards::note(&"𠀀".repeat(4_097), "", &wide)), "R-NOTE");
    assert_eq!(note("!!!???...!!!???...!!!", ""), "R-NOTE");
    assert_eq!(note(NOTE, NOTE), "R-NOTE");
    assert_eq!(note(&format!(" {NOTE} "), NOTE), "R-NOTE");
    assert_eq!(note(NOTE, "another note of some length"), "passed");
}

#[test]
fn the_reason_of_an_override_has_20_characters() {
    assert_eq!(code(guards::reason(&"a".repeat(19))), "R-NOTE");
    assert_eq!(code(guards::reason(&"a".repeat(20))), "passed");
    assert_eq!(code(guards::reason(&".".repeat(30))), "R-NOTE");
}

#[test]
fn a_deadline_is_later_than_now_and_at_most_72_hours_ahead() {
    let policy = policy();
    with(&policy, |rules| {
        let at = |at: Micros| code(guards::deadline(Some(at), rules));
        assert_eq!(code(guards::deadline(None, rules)), "R-DEADLINE");
        assert_eq!(at(NOW.plus(-1)), "R-DEADLINE");
        assert_eq!(at(NOW), "R-DEADLINE");
        assert_eq!(at(NOW.plus(1)), "passed");
        assert_eq!(at(NOW.plus(72 * HOUR - 1)), "passed");
        assert_eq!(at(NOW.plus(72 * HOUR)), "passed");
        assert_eq!(at(NOW.plus(72 * HOUR + 1)), "R-DEADLINE");
    });
}

#[test]
fn an_owner_is_a_name() {
    assert_eq!(code(guards::owner("olu")), "passed");
    assert_eq!(code(guards::owner("  ")), "R-OWNER");
}

#[test]
fn evidence_is_fresh_independent_readable_and_its_own() {
    let facts = unknown();
    let ended = facts.last_ended();
    let at = |us: i64| {
        let mut read = read(Seen::Present);
        read.at = ended.plus(us);
        code(guards::evidence(&facts, &read))
    };
    assert_eq!((at(-1), at(0), at(1)), ("R-EVID-STALE", "R-EVID-STALE", "passed"));
    let changed = |change: fn(&mut crate::lifecycle::facts::Read)| {
        let mut read = read(Seen::Present);
        change(&mut read);
        code(guards::evidence(&facts, &read))
    };
    assert_eq!(changed(|r| r.intent_id = "int_2".to_owned()), "R-EVID-OTHER");
    assert_eq!(changed(|r| r.independent = false), "R-EVID-PATH");
    assert_eq!(changed(|r| r.replayed = true), "R-EVID-PATH");
    assert_eq!(changed(|r| r.seen = Seen::Unreadable), "R-EVID-UNREADABLE");
    assert_eq!(changed(|r| r.seen = Seen::NotRun), "R-EVID-UNREADABLE");
    assert_eq!(changed(|r| r.seen = Seen::AbsentAsOf), "passed");
}

#[test]
fn a_row_that_is_named_is_one_of_the_intent() {
    let facts = with_row();
    let of = |named: &[&str]| code(guards::rows(&facts, named.iter().copied()));
    assert_eq!(of(&[]), "passed");
    assert_eq!(of(&["provider/rf_1"]), "passed");
    for other in ["provider/rf_2", "books/rf_1", "provider/RF_1", ""] {
        assert_eq!(of(&["provider/rf_1", other]), "R-EVID-OTHER", "{other}");
    }
    assert_eq!(code(guards::rows(&unknown(), ["provider/rf_1"])), "R-EVID-OTHER", "it has no row");
}

#[test]
fn a_key_and_a_payload_are_those_that_were_recorded() {
    assert_eq!(code(guards::same_key("k1", "k1")), "passed");
    assert_eq!(code(guards::same_key("k1", "K1")), "R-FAIL-KEY");
    assert_eq!(code(guards::same_payload("aa", "aa", "")), "passed");
    let refusal = guards::same_payload("aa", "bb", "amount").unwrap_err();
    assert_eq!(refusal.code.word(), "R-FAIL-PAYLOAD");
    assert_eq!(refusal.because, "the payload hash differs; first difference: amount");
}

#[test]
fn a_key_is_known_until_first_send_plus_retention() {
    let first = NOW.plus(-24 * HOUR);
    let kept = |us: i64| code(guards::retention(Some(first), Some(24 * HOUR + us), NOW));
    assert_eq!((kept(-1), kept(0), kept(1)), ("R-RETENTION", "passed", "passed"));
    assert_eq!(code(guards::retention(Some(first), None, NOW)), "R-RETENTION");
    assert_eq!(code(guards::retention(None, None, NOW)), "passed");
}

#[test]
fn a_ceiling_counts_what_is_spent_and_what_is_open() {
    let units = Units::default();
    let cost = |cents: i64| {
        let quota = Quota { scope: "run".to_owned(), ceiling: usd(1_000), spent: Some(usd(600)) };
        code(guards::quota(&quota, Some(usd(cents)), &units))
    };
    assert_eq!((cost(399), cost(400), cost(401)), ("passed", "passed", "R-OVER-QUOTA"));
    let quota = |spent, cost| {
        code(guards::quota(&Quota { scope: "run".to_owned(), ceiling: usd(1_000), spent }, cost, &units))
    };
    let euro = Money::new(iso("EUR").unwrap(), Amount::minor(1, 2));
    assert_eq!(quota(Some(usd(0)), Some(euro)), "R-OVER-QUOTA");
    assert_eq!(quota(None, Some(usd(1))), "R-OVER-QUOTA");
    assert_eq!(quota(Some(usd(1_000)), None), "passed");
    assert_eq!(quota(Some(usd(1_001)), None), "R-OVER-QUOTA");
}

#[test]
fn what_is_replaced_is_settled() {
    let of = |state| code(guards::lineage("int_0", state));
    assert_eq!(of(Some(State::Confirmed)), "passed");
    assert_eq!(of(Some(State::Failed)), "passed");
    assert_eq!(of(Some(State::Submitted)), "R-LINEAGE");
    assert_eq!(of(Some(State::Unknown)), "R-LINEAGE");
    assert_eq!(of(None), "R-LINEAGE");
}

#[test]
fn a_decision_holds_for_what_was_seen() {
    let facts = unknown();
    assert_eq!(code(guards::version(&facts, None)), "passed");
    assert_eq!(code(guards::version(&facts, Some((3, "f00d")))), "passed");
    assert_eq!(code(guards::version(&facts, Some((2, "f00d")))), "R-VERSION");
    assert_eq!(code(guards::version(&facts, Some((4, "f00d")))), "R-VERSION");
    assert_eq!(code(guards::version(&facts, Some((3, "beef")))), "R-VERSION");
}

#[test]
fn nothing_is_written_read_only_or_on_a_broken_chain() {
    assert_eq!(code(guards::write(None)), "passed");
    assert_eq!(code(guards::write(Some(&Blocked::ReadOnly("--read-only".to_owned())))), "R-READONLY");
    let broken = guards::write(Some(&Blocked::Chain(7))).unwrap_err();
    assert_eq!(
        (broken.code.word(), broken.because.as_str()),
        ("R-CHAIN", "the audit chain is broken at entry 7")
    );
}

#[test]
fn limits_are_built_in_for_every_currency() {
    let (policy, units) = (Policy::default(), Units::default());
    let money = |code: &str, digits: i64, scale: u8| {
        Weight::Money(vec![Money::new(iso(code).unwrap(), Amount::minor(digits, scale))])
    };
    let high = |weight: Weight| policy.is_high(&units, &weight, "refund");
    let auto = |weight: Weight| policy.is_automatic(&units, &weight, "refund");
    assert_eq!((high(money("USD", 49_999, 2)), high(money("USD", 50_000, 2))), (false, true));
    assert_eq!((high(money("JPY", 49_999, 0)), high(money("JPY", 50_000, 0))), (false, true));
    assert_eq!((high(money("BHD", 499_999, 3)), high(money("BHD", 500_000, 3))), (false, true));
    assert_eq!((high(money("CLF", 4_999_999, 4)), high(money("CLF", 5_000_000, 4))), (false, true));
    assert_eq!((auto(money("USD", 5_000, 2)), auto(money("USD", 5_001, 2))), (true, false));
    assert_eq!((auto(money("JPY", 5_000, 0)), auto(money("JPY", 5_001, 0))), (true, false));
    assert_eq!((auto(money("BHD", 50_000, 3)), auto(money("BHD", 50_001, 3))), (true, false));
    let credits = Weight::Money(vec![Money::new(Unit(1024), Amount::minor(1, 0))]);
    assert!(high(credits.clone()) && !auto(credits));
    assert!(high(Weight::Unreadable) && !auto(Weight::Unreadable));
    assert!(!high(Weight::None) && auto(Weight::None));
    let listed = Policy { high_value_kinds: vec!["refund".to_owned()], ..Policy::default() };
    assert!(listed.is_high(&units, &Weight::None, "refund"));
    assert!(!listed.is_high(&units, &Weight::None, "comment"));
    let set = Policy { high_value: vec![usd(1)], ..Policy::default() };
    assert_eq!(
        [0, 1, 2].map(|cents| set.is_high(&units, &Weight::Money(vec![usd(cents)]), "")),
        [false, true, true]
    );
}

#[test]
fn the_operator_is_the_first_name_that_is_there() {
    let name = |text: &str| Some(text.to_owned());
    let all = Environment {
        flag: name("ada"),
        variable: name("ben"),
        config: name("cyd"),
        sudo_user: name("dan"),
        login: name("eve"),
        uid: Some(1000),
        host: "tri-2".to_owned(),
        ..Environment::default()
    };
    let who = |env: &Environment| operator(env, &[]).map(|o| (o.person.name.clone(), o.source, o.shown()));
    assert_eq!(
        who(&all).unwrap(),
        ("ada".to_owned(), Source::Flag, "ada (identity not verified)".to_owned())
    );
    let all = Environment { flag: None, ..all };
    assert_eq!(who(&all).unwrap().0, "ben");
    let all = Environment { variable: name("  "), ..all };
    assert_eq!(who(&all).unwrap().0, "cyd");
    let all = Environment { config: None, ..all };
    assert_eq!(who(&all).unwrap(), ("dan".to_owned(), Source::OsUser, "dan (system user)".to_owned()));
    let all = Environment { sudo_user: None, ..all };
    assert_eq!(who(&all).unwrap(), ("eve".to_owned(), Source::OsUser, "eve (system user)".to_owned()));
    for (uid, known) in [(999, false), (1000, true), (1001, true)] {
        assert_eq!(who(&Environment { uid: Some(uid), ..all.clone() }).is_ok(), known, "{uid}");
    }
    let root =
        Environment { login: name("root"), uid: Some(0), sudo_user: name("root"), ..Environment::default() };
    let refusal = operator(&root, &[]).unwrap_err();
    assert_eq!(
        (refusal.code.word(), refusal.next[0].as_str()),
        ("R-IDENTITY", "give it with --operator NAME, or in RECOUNT_OPERATOR")
    );
    let shared = operator(&all, &["eve".to_owned()]).unwrap();
    assert_eq!(shared.shown(), "eve (system user, identity not verified)");
}

#[test]
fn deadlines_have_their_defaults() {
    use crate::lifecycle::expiry::{Deadlines, deadline, request_expires};
    let none = Deadlines::default();
    assert_eq!(deadline(State::Submitted, 30_000_000, none, NOW), Some(NOW.plus(5 * MINUTE + 30_000_000)));
    assert_eq!(deadline(State::Unknown, 30_000_000, none, NOW), Some(NOW.plus(4 * HOUR)));
    let own = Deadlines { submitted: Some(MINUTE), unknown: Some(HOUR) };
    assert_eq!(deadline(State::Submitted, 0, own, NOW), Some(NOW.plus(MINUTE)));
    assert_eq!(deadline(State::Unknown, 0, own, NOW), Some(NOW.plus(HOUR)));
    assert_eq!(deadline(State::Confirmed, 0, own, NOW), None);
    let policy = policy();
    with(&policy, |rules| {
        let mut facts = unknown();
        assert_eq!(request_expires(&facts, rules), NOW.plus(HOUR));
        facts.deadline = NOW.plus(73 * HOUR);
        assert_eq!(request_expires(&facts, rules), NOW.plus(72 * HOUR));
        facts.deadline = NOW.plus(-1);
        assert_eq!(request_expires(&facts, rules), NOW.plus(72 * HOUR));
    });
}

#[test]
fn a_break_glass_is_reviewed_by_the_next_working_day_at_noon() {
    use crate::lifecycle::expiry::review_due;
    use crate::model::time::{Zone, parse_time, rfc3339};
    let due = |at: &str, zone: &str| {
        rfc3339(review_due(parse_time(at, &Zone::Utc).begin(), &Zone::parse(zone).unwrap()))
    };
    // Monday, Friday, Saturday, Sunday.
    assert_eq!(due("2026-11-30T09:14:07Z", "UTC"), "2026-12-01T12:00:00Z");
    assert_eq!(due("2026-11-27T09:14:07Z", "UTC"), "2026-11-30T12:00:00Z");
    assert_eq!(due("2026-11-28T23:59:59Z", "UTC"), "2026-11-30T12:00:00Z");
    assert_eq!(due("2026-11-29T00:00:00Z", "UTC"), "2026-11-30T12:00:00Z");
    assert_eq!(due("2026-11-30T09:14:07Z", "Europe/Berlin"), "2026-12-01T11:00:00Z");
    assert_eq!(due("2026-11-30T23:30:00Z", "Europe/Berlin"), "2026-12-02T11:00:00Z");
}
