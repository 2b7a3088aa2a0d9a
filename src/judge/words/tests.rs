use super::*;
use crate::judge::playbook::TOO_MUCH;
use crate::judge::story::samples::judgement;
use crate::model::outcome::Outcome;
use crate::model::row::Seen;

#[test]
fn every_rule_has_its_own_line_and_every_line_is_different() {
    let mut seen = Vec::new();
    for meaning in &crate::judge::rules::MEANINGS {
        assert!(
            WORDS.iter().any(|w| w.rule == Some(meaning.rule) && w.case == Case::Plain),
            "{}",
            meaning.number
        );
    }
    for words in &WORDS {
        assert!(!seen.contains(&(words.rule, words.case)), "{:?} {:?}", words.rule, words.case);
        seen.push((words.rule, words.case));
    }
}

#[test]
fn list_words_fit_their_field() {
    for words in &WORDS {
        let limit = if words.waits_for_a_read() { LIST_CELLS_WITH_TIME } else { LIST_CELLS };
        for times in [2, 3, 9, 10, 99, 100, 1_000, 1_000_000] {
            let text = words.in_list(times);
            assert!(text.chars().count() <= limit, "{text}: {}", text.chars().count());
            assert!(text.is_ascii(), "{text}");
        }
    }
    for (_, words) in PROPERTIES {
        assert!(words.chars().count() <= LIST_CELLS, "{words}");
    }
}

#[test]
fn twice_becomes_three_times() {
    let words = find(Some(Rule::R05), Case::Plain);
    assert_eq!(
        [1, 2, 3, 4].map(|n| words.in_list(n)).join("|"),
        "happened twice|happened twice|happened 3 times|happened 4 times"
    );
    let right = find(Some(Rule::R06), Case::Plain);
    assert_eq!(right.in_list(3), "happened 3 times, put right");
    assert_eq!(right.in_list(10), "happened often, put right");
}

/// The table of 7.4.6: rule, mark, words in lists, urgency; a case stands below its rule.
#[rustfmt::skip]
const PRINTED: [(&str, &str, &str, &str); 56] = [
    ("R01", "?", "not compared", "decide"), ("R01", "?", "ledger not read", "decide"),
    ("R02", "+1", "should not have happened", "now"), ("R03", "=", "happened, then undone", "check"),
    ("R04", "≠", "right total, wrong count", "decide"), ("R04a", "+1?", "probably happened twice", "now"),
    ("R05", "+1", "happened twice", "now"), ("R06", "±0", "happened twice, put right", "check"),
    ("R07", "≠", "undone, total is wrong", "today"), ("R08", "+1", "old and new both happened", "now"),
    ("R09", "!", "two claim the same row", "decide"), ("R10", "!", "ledger row unreadable", "decide"),
    ("R11", "+1", "happened, marked failed", "now"), ("R12", "≠", "happened, wrong currency", "today"),
    ("R13", "≠", "happened, wrong amount", "today"), ("R14", "≠", "happened, detail differs", "decide"),
    ("R15", "0", "happened, then undone", "check"), ("R16", "≠", "same key, other content", "today"),
    ("R16a", "+1?", "probably happened twice", "now"), ("R16a", "+1?", "one more on its way", "now"),
    ("R17", "·", "did not happen, as meant", "fine"), ("R18", "?", "none seen so far", "check"),
    ("R19", "?", "tried without a record", "decide"), ("R20", "…", "waiting for the answer", "wait"),
    ("R20a", "?", "part of it so far", "check"), ("R21", "?", "as meant so far", "check"),
    ("R22", "·", "as meant", "fine"), ("R22", "≠", "as meant, books disagree", "decide"),
    ("R22", "?", "almost the same id", "decide"), ("R23", "=", "happened, record behind", "check"),
    ("R24", "=", "happened, answer lost", "decide"), ("R24", "·", "as meant, answer was lost", "fine"),
    ("R24", "?", "one done so far", "decide"), ("R25", "?", "said done, unseen", "check"),
    ("R25", "?", "said done, on its way", "decide"), ("R25", "?", "fits by order, no id", "decide"),
    ("R26", "−1", "happened in part", "today"), ("R27", "−1", "said done, did not happen", "today"),
    ("R27", "−1", "was sent and came back", "today"), ("R27", "−1", "refused, still owed", "today"),
    ("R28", "·", "failed, nothing happened", "fine"), ("R29", "?", "failed? unproven", "decide"),
    ("R30", "0", "did not happen", "decide"), ("R31", "?", "not known yet", "decide"),
    ("R31", "?", "is on its way", "decide"), ("R32", "?", "said done, unseen", "check"),
    ("R33", "=", "refused, record behind", "check"), ("R34", "…", "not sent yet", "wait"),
    ("R35", "?", "no answer yet", "decide"), ("", "○", "row without an attempt", "apart"),
    ("", "○", "possible double outside", "apart"), ("", "!", "settled, then contradicted", "now"),
    ("", "+1", "happened, no request", "today"), ("R25", "?", "by order, other amount", "today"),
    ("R27", "−1", "recorded, did not happen", "today"), ("R35", "?", "is on its way", "decide"),
];

#[test]
fn the_table_is_the_printed_one() {
    for (rule, mark, words, urgency) in PRINTED {
        let found = WORDS.iter().find(|w| {
            w.rule.map_or("", Rule::number) == rule && w.in_list(2) == words && w.mark.text(1) == mark
        });
        let found = found.unwrap_or_else(|| panic!("{rule} {mark} {words}"));
        assert_eq!(found.urgency.word(), urgency, "{rule} {words}");
    }
}

#[test]
fn urgency_of_a_rule_is_its_base_severity_in_words() {
    for words in WORDS.iter().filter(|w| w.case == Case::Plain) {
        let Some(meaning) = words.rule.map(Rule::meaning) else {
            continue;
        };
        assert_eq!(words.urgency, Urgency::of(meaning.severity, Some(meaning.class)), "{}", meaning.number);
    }
    assert_eq!(Urgency::of(5, Some(Class::Open)).word(), "wait");
    assert_eq!(Urgency::of(5, Some(Class::Clean)).word(), "fine");
    assert_eq!(Urgency::of(2, Some(Class::Undecided)).word(), "today");
    assert_eq!(Urgency::of(1, None).word(), "apart");
}

#[test]
fn only_violations_and_settled_contradictions_look_wrong() {
    for words in &WORDS {
        let violation = words.rule.is_some_and(|r| r.meaning().class == Class::Violation);
        if matches!(words.mark, Mark::More | Mark::Fewer | Mark::PutRight) {
            assert!(violation || words.case == Case::NoRequest, "{}", words.list);
        }
        if words.rule.is_some_and(Rule::suspects) {
            assert_eq!(words.mark, Mark::MaybeMore, "{}", words.list);
        }
    }
}

#[test]
fn no_text_tells_anybody_to_send_again_or_names_the_row_too_many() {
    let forbidden = ["retry", "resend", "send it again", "reverse", "correct the ledger", "safe"];
    let steps = WORDS.iter().map(|w| w.next).chain(TOO_MUCH.iter().map(|(_, text)| *text));
    for step in steps {
        let lower = step.to_lowercase();
        assert!(!forbidden.iter().any(|word| lower.contains(word)), "{step}");
    }
    for words in &WORDS {
        for text in [words.first, words.next, words.list] {
            let lower = text.to_lowercase();
            assert!(!lower.contains("extra") && !lower.contains("surplus"), "{text}");
            assert!(!lower.contains("safe"), "{text}");
        }
    }
}

#[test]
#[allow(clippy::too_many_lines)] // One table.
fn cases_follow_from_the_judgement_alone() {
    let with = |rule: Rule, change: &dyn Fn(&mut Judgement)| {
        let mut j = judgement(rule);
        change(&mut j);
        let words = case_of(&j);
        (words.case, list_words(&j), mark_of(&j))
    };
    let of = |case: Case, words: &str, mark: &str| (case, words.to_owned(), mark.to_owned());
    let undecided = |j: &mut Judgement, bit: u64| {
        (j.class, j.lifted) = (Class::Undecided, true);
        j.found = bit;
        (j.gross, j.net) = (1, 1);
    };
    for (got, want) in [
        (with(Rule::R01, &|_| ()), of(Case::Plain, "not compared", "?")),
        (
            with(Rule::R01, &|j| j.not_compared = NotCompared::OlderThanLedger),
            of(Case::OlderThanLedger, "not compared", "?"),
        ),
        (
            with(Rule::R01, &|j| j.not_compared = NotCompared::LedgerNotRead),
            of(Case::LedgerNotRead, "ledger not read", "?"),
        ),
        (
            with(Rule::R02, &|j| {
                (j.net, j.effective_min, j.effective_max) = (2, 0, 0);
            }),
            of(Case::Plain, "should not have happened", "+2"),
        ),
        (
            with(Rule::R04a, &|j| j.found = f::NO_EFFECT_ID),
            of(Case::SameLine, "probably happened twice", "+1?"),
        ),
        (
            with(Rule::R04a, &|j| j.found = f::AMOUNT_CHANGED),
            of(Case::OtherAmounts, "probably happened twice", "+1?"),
        ),
        (with(Rule::R05, &|j| j.net = 3), of(Case::Plain, "happened 3 times", "+2")),
        (
            with(Rule::R11, &|j| j.state = Some(State::Failed)),
            of(Case::Plain, "happened, marked failed", "+1"),
        ),
        (
            with(Rule::R11, &|j| j.state_recorded = false),
            of(Case::AnswerSaysFailed, "happened, answer said no", "+1"),
        ),
        (with(Rule::R15, &|j| j.came_back = 1), of(Case::CameBack, "was sent and came back", "0")),
        (
            with(Rule::R16a, &|j| (j.gross, j.net, j.link_open) = (1, 1, true)),
            of(Case::Plain, "probably happened twice", "+1?"),
        ),
        (
            with(Rule::R16a, &|j| (j.gross, j.net) = (1, 1)),
            of(Case::TwoKeys, "probably happened twice", "+1?"),
        ),
        (with(Rule::R16a, &|j| j.link_open = true), of(Case::NoIds, "probably happened twice", "+1?")),
        (
            with(Rule::R16a, &|j| (j.gross, j.on_its_way) = (1, 1)),
            of(Case::OneOnItsWay, "one more on its way", "+1?"),
        ),
        (with(Rule::R16a, &|j| j.on_its_way = 2), of(Case::AllOnTheirWay, "one more on its way", "+1?")),
        (with(Rule::R22, &|_| ()), of(Case::Plain, "as meant", "·")),
        (
            with(Rule::R22, &|j| undecided(j, f::SOURCES_DISAGREE)),
            of(Case::SourcesDisagree, "as meant, books disagree", "≠"),
        ),
        (
            with(Rule::R22, &|j| undecided(j, f::NEAR_IDENTICAL_ID)),
            of(Case::NearIdentical, "almost the same id", "?"),
        ),
        (with(Rule::R24, &|_| ()), of(Case::Plain, "happened, answer lost", "=")),
        (with(Rule::R24, &|j| j.class = Class::Clean), of(Case::Settled, "as meant, answer was lost", "·")),
        (with(Rule::R24, &|j| j.late = true), of(Case::MayLand, "one done so far", "?")),
        (
            with(Rule::R24, &|j| (j.late, j.on_its_way) = (true, 1)),
            of(Case::OneOnItsWay, "one done so far", "?"),
        ),
        (with(Rule::R24, &|j| j.attempts = 0), of(Case::CallNotLoaded, "happened, call not loaded", "=")),
        (
            with(Rule::R24, &|j| undecided(j, f::SOURCES_DISAGREE)),
            of(Case::SourcesDisagree, "as meant, books disagree", "≠"),
        ),
        (with(Rule::R25, &|_| ()), of(Case::Plain, "said done, unseen", "?")),
        (with(Rule::R25, &|j| j.on_its_way = 1), of(Case::OnItsWay, "said done, on its way", "?")),
        (
            with(Rule::R25, &|j| j.found = f::FITS_BY_ORDER),
            of(Case::FitsByOrder, "fits by order, no id", "?"),
        ),
        (
            with(Rule::R25, &|j| j.found = f::DIFFERS_BY_ORDER),
            of(Case::DiffersByOrder, "by order, other amount", "?"),
        ),
        (
            with(Rule::R25, &|j| j.found = f::NEAR_IDENTICAL_ID),
            of(Case::NearIdentical, "almost the same id", "?"),
        ),
        (
            with(Rule::R31, &|j| j.found = f::NEAR_IDENTICAL_ID),
            of(Case::NearIdentical, "almost the same id", "?"),
        ),
        (with(Rule::R25, &|j| j.lo = 0), of(Case::RecordedOnly, "recorded, unseen", "?")),
        (with(Rule::R32, &|j| j.on_its_way = 1), of(Case::OnItsWay, "said done, on its way", "?")),
        (with(Rule::R32, &|_| ()), of(Case::Plain, "said done, unseen", "?")),
        (
            with(Rule::R26, &|j| {
                (j.net, j.effective_min, j.effective_max) = (1, 3, 3);
            }),
            of(Case::Plain, "happened in part", "−2"),
        ),
        (with(Rule::R27, &|_| ()), of(Case::Plain, "said done, did not happen", "−1")),
        (with(Rule::R27, &|j| j.came_back = 1), of(Case::CameBack, "was sent and came back", "−1")),
        (with(Rule::R27, &|j| j.lo = 0), of(Case::RecordedOnly, "recorded, did not happen", "−1")),
        (
            with(Rule::R27, &|j| {
                (j.expected_from, j.state) = (ExpectedFrom::File, Some(State::Failed));
            }),
            of(Case::Refused, "refused, still owed", "−1"),
        ),
        (
            with(Rule::R27, &|j| {
                (j.expected_from, j.state, j.attempts) = (ExpectedFrom::File, Some(State::Failed), 0);
            }),
            of(Case::NotSent, "never sent, still owed", "−1"),
        ),
        (
            with(Rule::R27, &|j| {
                (j.expected_from, j.state, j.lost) = (ExpectedFrom::File, Some(State::Failed), 1);
            }),
            of(Case::RecordedFailed, "failed, still owed", "−1"),
        ),
        (with(Rule::R29, &|j| j.on_its_way = 1), of(Case::OnItsWay, "failed? it is on its way", "?")),
        (with(Rule::R31, &|_| ()), of(Case::Plain, "not known yet", "?")),
        (with(Rule::R31, &|j| j.found = f::SUGGESTION), of(Case::MayBeIt, "not known yet", "?")),
        (with(Rule::R31, &|j| j.on_its_way = 1), of(Case::OnItsWay, "is on its way", "?")),
        (with(Rule::R27, &|j| j.found = f::DISPUTED), of(Case::Disputed, "settled, then contradicted", "!")),
    ] {
        assert_eq!(got, want);
    }
    assert_eq!(case_of_orphan(false, false).list, "row without an attempt");
    assert_eq!(case_of_orphan(true, false).list, "possible double outside");
    assert_eq!(case_of_orphan(false, true).list, "happened, no request");
}

#[test]
fn marks_take_three_cells_at_most_and_map_to_ascii() {
    for (at, row) in MARKS.iter().enumerate() {
        assert_eq!(row.mark as usize, at);
        for count in [1, 9, 10, 99, 100, u32::MAX] {
            assert!(row.mark.text(count).chars().count() <= 3, "{}", row.mark.text(count));
            assert!(row.mark.ascii(count).is_ascii());
            assert!(row.mark.ascii(count).len() <= 3);
        }
    }
    assert_eq!(Mark::PutRight.ascii(1), "=0");
    assert_eq!(Mark::Differs.ascii(1), "!=");
    assert_eq!((Mark::Fewer.text(1), Mark::Fewer.ascii(1)), ("−1".into(), "-1".into()));
    assert_eq!((Mark::MaybeMore.text(9), Mark::MaybeMore.text(10)), ("+9?".into(), "+9?".into()));
    assert_eq!((Mark::More.text(99), Mark::More.text(100)), ("+99".into(), "+99".into()));
}

#[test]
#[allow(clippy::too_many_lines)] // One table.
fn outcomes_under_an_attempt() {
    use crate::judge::story::samples::attempt;
    let of = |outcome: Outcome, text: &str, word: &str| {
        let mut a = attempt(1, "08:00:00", "08:00:01", outcome);
        a.text = text.into();
        a.outcome_word = word.into();
        super::outcome(&a, false, None)
    };
    for (outcome, text, word, mark, words) in [
        (Outcome::Success, "", "ok", '✓', "answered: done"),
        (Outcome::Reused, "", "ok", '✓', "answered: done before"),
        (Outcome::AlreadyDone, "", "already_refunded", '✓', "answered: already done"),
        (Outcome::Rejected, "order is closed", "rejected", '✗', "refused: order is closed"),
        (Outcome::Rejected, " ", "rejected", '✗', "refused"),
        (Outcome::NotSent, "", "", '–', "never sent"),
        (Outcome::ResponseLost, "", "", '?', "answer lost"),
        (Outcome::Timeout, "", "", '?', "timed out"),
        (Outcome::ConnectionReset, "", "", '?', "connection cut"),
        (Outcome::ServerError, "", "503", '?', "server error 503, may have acted"),
        (Outcome::ServerError, "HTTP 500: oops", "server_error", '?', "server error 500, may have acted"),
        (Outcome::ServerError, "5000 of 50", "server_error", '?', "server error, may have acted"),
        (Outcome::Cancelled, "", "", '?', "cancelled, may have acted"),
        (Outcome::Missing, "", "", '?', "no outcome recorded"),
        (Outcome::OtherWord, "", "weird", '?', "outcome not known: weird"),
    ] {
        assert_eq!(of(outcome, text, word), (mark, words.to_owned()), "{outcome:?}");
    }
    let open = attempt(1, "09:14:04", "", Outcome::Missing);
    assert_eq!(super::outcome(&open, false, Some("27s")), ('…', "waiting, 27s left".to_owned()));
    assert_eq!(super::outcome(&open, false, None), ('…', "waiting".to_owned()));
    let accepted = attempt(1, "09:14:04", "09:14:05", Outcome::Success);
    assert_eq!(super::outcome(&accepted, true, None), ('✓', "accepted".to_owned()));
}

#[test]
fn read_results_and_records() {
    assert_eq!(read_result(Seen::Present, ""), "the row is there");
    assert_eq!(read_result(Seen::Present, ", pending"), "the row is there, pending");
    assert_eq!(read_result(Seen::Differs, "amount"), "the row is there, amount differs");
    assert_eq!(read_result(Seen::Differs, ""), "the row is there, a field differs");
    assert_eq!(read_result(Seen::AbsentAsOf, "row 48211"), "proves it, as of row 48211");
    assert_eq!(read_result(Seen::AbsentAsOf, ""), "proves it");
    assert_eq!(
        read_result(Seen::NotFoundNotCovering, "it ends too early"),
        "proves nothing, it ends too early"
    );
    assert_eq!(read_result(Seen::NotFoundNotCovering, ""), "proves nothing");
    assert_eq!(read_result(Seen::Unreadable, ""), "could not be read");
    assert_eq!(read_result(Seen::NotRun, "no source"), "was not looked at: no source");
    assert_eq!(record_says(Some(State::Unknown)), "nobody can tell");
    assert_eq!(record_says(None), "derived from the calls");
}

#[test]
fn coverage_says_what_is_missing() {
    for (failed, code, words) in [
        (Coverage::SamePath, "C0", "it is the same path as the call"),
        (Coverage::CannotProve, "C0", "this source cannot prove absence"),
        (
            Coverage::TooEarly { from: "08:42:13", end: "08:41:10", settle: "60 s", clocks: "3 s" },
            "C2",
            "a row newer than 08:42:13: the call's end 08:41:10, 60 s to settle, 3 s for the clocks",
        ),
        (Coverage::Incomplete("2 of 3 pages"), "C3", "it is not complete: 2 of 3 pages"),
        (Coverage::Incomplete(""), "C3", "it is not complete"),
        (Coverage::Unreadable(1), "C4", "1 row that may be this one cannot be read"),
        (Coverage::Unreadable(2), "C4", "2 rows that may be this one cannot be read"),
        (Coverage::Replica("08:41:50"), "C5", "it is a replica, which is only at 08:41:50"),
        (Coverage::Replica(""), "C5", "it is a replica, and how far it had got is not known"),
        (
            Coverage::Partition { field: "region", holds: "us", call: "eu" },
            "C6",
            "it holds region us, the call was region eu",
        ),
        (Coverage::OtherSign("a read-back"), "C7", "something else suggests that it happened: a read-back"),
        (Coverage::OnItsWay, "C7", "a row is on its way"),
        (Coverage::BeginsLate("08:12:04"), "C8", "it begins only at 08:12:04, after the call"),
        (Coverage::Copy, "C9", "it is a copy"),
        (Coverage::NotHeld("payouts"), "C9", "payouts are not in it"),
    ] {
        assert_eq!(coverage(failed), (code, words.to_owned()));
    }
}

#[test]
fn every_finding_has_words() {
    for (_, code) in f::FINDINGS {
        let bare = finding(code, "").unwrap_or_else(|| panic!("{code}"));
        assert!(!bare.contains('{') && !bare.ends_with([' ', ':']), "{code}: {bare}");
    }
    assert_eq!(finding("MORE_MAY_LAND", "2").unwrap(), "2 more may still arrive");
    assert_eq!(finding("ON_ITS_WAY", "1").unwrap(), "1 more is on its way");
    assert_eq!(finding("ON_ITS_WAY", "2").unwrap(), "2 more are on their way");
    assert_eq!(
        finding("AMOUNT_CHANGED", "10.00 -> 21.00").unwrap(),
        "the amount changed between calls: 10.00 to 21.00"
    );
    assert_eq!(finding("AMOUNT_CHANGED", "").unwrap(), "the amount changed between calls");
    assert_eq!(finding("NO_SUCH", ""), None);
}

#[test]
fn who_repeated_it() {
    assert_eq!(origin(RetryOrigin::Model), Some("a new decision of the agent"));
    assert_eq!(origin(RetryOrigin::None), None);
    for (of, words) in ORIGINS {
        assert_eq!(origin(of), Some(words));
    }
}

use crate::judge::judgement::{ExpectedFrom, RetryOrigin};
