use super::*;
use crate::judge::coverage::condition;
use crate::judge::facts::link;
use crate::judge::findings as f;
use crate::judge::judgement::Class;
use crate::judge::rules;
use crate::judge::view::ResultWord;
use crate::judge::words;
use crate::model::row::State;

fn has(kind: Kind, code: &str) {
    assert!(all().any(|e| e.kind == kind && e.code == code), "{} {code} has no explanation", kind.word());
}

#[test]
fn every_code_that_the_tables_know_has_an_explanation() {
    for meaning in &rules::MEANINGS {
        has(Kind::Verdict, meaning.verdict);
        has(Kind::Rule, meaning.number);
        has(if meaning.label == "OK" { Kind::Class } else { Kind::Label }, meaning.label);
        has(Kind::Class, meaning.class.word());
    }
    has(Kind::Verdict, "ORPHAN_EFFECT");
    for (_, code) in f::FINDINGS {
        has(Kind::Finding, code);
    }
    for (code, _) in words::FINDINGS {
        has(Kind::Finding, code);
    }
    for class in [Class::Violation, Class::Undecided, Class::Open, Class::Clean] {
        has(Kind::Class, class.word());
    }
    for code in 0..=7 {
        has(Kind::Exit, &format!("exit {code}"));
    }
    for result in [
        ResultWord::ViolationFound,
        ResultWord::Inconclusive,
        ResultWord::NoViolationObserved,
        ResultWord::InputError,
    ] {
        has(Kind::Exit, &format!("exit {}", result.exit()));
        has(Kind::Result, result.words());
    }
    for severity in 1..=5 {
        has(Kind::Severity, &format!("S{severity}"));
    }
    for figure in ["at risk", "out too much", "probably too much", "may still go out", "owed"] {
        has(Kind::Figure, figure);
    }
    for figure in ["clock fixed", "final by declaration"] {
        has(Kind::Figure, figure);
    }
    for code in ["UNREADABLE_LINE", "UNREADABLE_ROW", "CONTROL_TOTAL_DIFFERS", "POSITION_WENT_BACK"] {
        has(Kind::Problem, code);
    }
    for (_, name) in link::NAMES {
        has(Kind::Link, name);
    }
    has(Kind::Link, "J5");
    for (code, _) in words::COVERAGE {
        has(Kind::Coverage, code);
    }
    for n in 0..=9 {
        has(Kind::Coverage, &format!("C{n}"));
    }
    for (origin, _) in words::ORIGINS {
        has(Kind::Origin, origin.word().unwrap());
    }
    for (_, word) in State::ALL {
        has(Kind::State, word);
    }
    assert_eq!(condition::C9 & condition::C0, 0);
}

#[test]
fn rules_stand_in_the_order_of_the_table() {
    for (when, meaning) in RULES.iter().zip(&rules::MEANINGS) {
        assert_eq!(when.rule, meaning.rule);
        assert!(
            when.what.starts_with(&format!("{} gives {} where", meaning.number, meaning.verdict)),
            "{}",
            when.what
        );
    }
}

#[test]
fn an_explanation_is_three_sentences() {
    for e in all() {
        for text in [e.what, e.why, e.now] {
            assert!(text.ends_with('.'), "{}: {text}", e.code);
            assert!(!text.trim_end_matches('.').contains(". "), "{}: {text}", e.code);
            assert!(text.chars().next().unwrap().is_uppercase(), "{}: {text}", e.code);
            assert!(!text.contains(['{', '}', '\u{fdef}']), "{}: {text}", e.code);
        }
        let now = e.now.to_lowercase();
        for word in ["retry", "resend", "reverse", "correct the ledger"] {
            assert!(!now.contains(word), "{}: {}", e.code, e.now);
        }
        let whole = format!("{} {} {}", e.what, e.why, e.now).to_lowercase();
        assert!(!whole.split(|c: char| !c.is_alphanumeric()).any(|word| word == "safe"), "{whole}");
    }
}

#[test]
fn no_code_stands_twice_in_one_table() {
    let mut seen = Vec::new();
    for e in all() {
        assert!(!seen.contains(&(e.kind, e.code)), "{} {}", e.kind.word(), e.code);
        seen.push((e.kind, e.code));
    }
}

#[test]
fn codes_are_found_without_regard_to_case_and_signs() {
    let code = |asked: &str| explain(asked).map(|e| (e.kind, e.code));
    assert_eq!(code("duplicated"), Some((Kind::Verdict, "DUPLICATED")));
    assert_eq!(code(" lineage-double "), Some((Kind::Verdict, "LINEAGE_DOUBLE")));
    assert_eq!(code("probably double"), Some((Kind::Label, "PROBABLY DOUBLE")));
    assert_eq!(code("r16A"), Some((Kind::Rule, "R16a")));
    assert_eq!(code("j3B"), Some((Kind::Link, "J3b")));
    assert_eq!(code("c2"), Some((Kind::Coverage, "C2")));
    assert_eq!(code("exit 3"), Some((Kind::Exit, "exit 3")));
    assert_eq!(code("3"), Some((Kind::Exit, "exit 3")));
    assert_eq!(code("8"), None);
    assert_eq!(code("moves money"), Some((Kind::Meaning, "moves_money")));
    assert_eq!(code("model"), Some((Kind::Origin, "MODEL")));
    assert_eq!(code("more_may_land"), Some((Kind::Finding, "MORE_MAY_LAND")));
    assert_eq!(code(""), None);
}

#[test]
fn a_code_with_two_meanings_is_found_as_it_is_written() {
    let kinds = |asked: &str| explain_all(asked).iter().map(|e| e.kind).collect::<Vec<_>>();
    assert_eq!(kinds("UNKNOWN"), [Kind::Origin, Kind::State]);
    assert_eq!(kinds("unknown"), [Kind::State, Kind::Origin]);
    assert_eq!(kinds("MISSING"), [Kind::Verdict, Kind::Label]);
}

#[test]
fn words_of_a_list_find_what_says_them() {
    let code = |asked: &str| explain(asked).map(|e| e.code);
    assert_eq!(code("happened twice"), Some("R05"));
    assert_eq!(code("Happened 3 times"), Some("R05"));
    assert_eq!(code("not known yet"), Some("R31"));
    assert_eq!(code("settled, then contradicted"), Some("DISPUTED"));
    assert_eq!(code("row without an attempt"), Some("ORPHAN_EFFECT"));
    assert_eq!(code("no such words"), None);
}

#[test]
fn a_rule_says_when_and_its_verdict_says_the_rest() {
    let rule = explain("R05").unwrap();
    let verdict = explain("DUPLICATED").unwrap();
    assert_eq!(rule.what, "R05 gives DUPLICATED where more effects stand than are intended.");
    assert_eq!((rule.why, rule.now), (verdict.why, verdict.now));
}

#[test]
fn the_nearest_code_is_offered() {
    assert_eq!(nearest("DUPLICATD"), Some("DUPLICATED"));
    assert_eq!(nearest("hidden_sucess"), Some("HIDDEN_SUCCESS"));
    assert_eq!(nearest("R5"), Some("R05"));
    assert_eq!(nearest("exit 9"), Some("exit 0"));
    assert_eq!(nearest("zzzzzzzz"), None);
    assert_eq!(nearest(""), None);
    assert_eq!(nearest(&"x".repeat(10_000)), None);
    assert_eq!(distance("kitten", "sitting"), 3);
    assert_eq!(distance("", "abc"), 3);
    assert_eq!(distance("abc", "abc"), 0);
}
