//! A trace that is declared complete: every row of its time has an attempt, or is a violation of its own
//! (`1-model.md` 1.5, `4-sources.md` 4.13).

use crate::small::*;
use recount::judge::view::RowKind;
use recount::load::{Ask, Case};

fn stray(no: usize, operation: &str, amount: &str) -> Line {
    row(&format!("re_s{no}"), operation)
        .order(&format!("s{no}"))
        .set("customer_id", format!("c{}", no % 2))
        .usd(amount)
        .at(&format!("09:00:{:02}", 10 + no))
}

/// One clean refund, one that is missing, and strays: five by themselves and a pair of one operation.
fn complete(declared: bool) -> Case {
    let calls = [
        call("refund:o1:r1").order("1").usd("200.00"),
        call("refund:o2:r2").order("2").usd("20.00").sent("09:00:30", "09:00:31"),
        call("refund:o3:r3").order("3").usd("30.00").told("timeout").sent("09:00:40", "09:00:41"),
    ];
    let mut rows = vec![earlier(), row("re_1", "refund:o1:r1").order("1").usd("200.00"), later()];
    rows.extend((0..5).map(|no| stray(no, &format!("refund:s{no}:r"), "1.50")));
    rows.push(stray(5, "refund:twice:r", "4.00"));
    rows.push(stray(6, "refund:twice:r", "4.00"));
    pair(&calls, &rows).with(|s| s.trace_complete = declared).load()
}

#[test]
fn rows_without_an_attempt_are_counted_among_the_violations() {
    let s = summary(&complete(false));
    assert_eq!((s.rows, s.violations, s.undecided, s.clean, s.orphans), (3, 1, 1, 1, 7));
    assert_eq!(s.by_verdict, [("ABSENT_COVERED", 1), ("MISSING", 1)]);
    let case = complete(true);
    let s = summary(&case);
    // Six operations stand apart: they are rows of the list.
    assert_eq!((s.rows, s.violations, s.undecided, s.clean, s.orphans), (9, 7, 1, 1, 7));
    assert_eq!(s.by_verdict, [("ABSENT_COVERED", 1), ("MISSING", 1), ("ORPHAN_EFFECT", 6)]);
    assert_eq!(totals(&case, &s.at_risk), "USD 35.50");
    assert_eq!((s.orders, s.parties), (8, 2));
    assert_eq!(s.intents, 3);
    // One intent that was asked for is judged by itself.
    let op = case.find("refund:o1:r1")[0];
    let alone = case.summary(&Ask { only_intent: Some(op), ..Ask::default() });
    assert_eq!((alone.rows, alone.violations), (1, 0));
}

#[test]
fn they_stand_after_all_intents_of_their_severity() {
    let case = complete(true);
    let said: Vec<(u8, &str, bool)> = (0..case.rows())
        .map(|at| case.row(at))
        .map(|row| (row.severity, row.verdict, matches!(row.kind, RowKind::Intent(_))))
        .collect();
    let orphan = (2, "ORPHAN_EFFECT", false);
    let mut expected = vec![(2, "MISSING", true)];
    expected.extend([orphan; 6]);
    expected.push((3, "ABSENT_COVERED", true));
    expected.push((5, "MATCHED", true));
    expected.push((6, "", false));
    assert_eq!(said, expected);
    // The pair comes first among them.
    assert!(matches!(case.row(1).kind, RowKind::PossibleDouble(_)));
    // And without a declaration below all of them, the single ones in one line.
    let case = complete(false);
    let kinds: Vec<u8> = (0..case.rows()).map(|at| case.row(at).severity).collect();
    assert_eq!(kinds, [2, 3, 5, 6, 6, 6]);
}

#[test]
fn a_search_and_the_flags_of_a_row_follow_its_place() {
    let case = complete(true);
    let find = |word: &str| {
        let mut hits = Vec::new();
        case.search(word, &mut |at| hits.push(at));
        hits
    };
    assert_eq!(find("re_s2").len(), 1);
    let at = find("re_s2")[0];
    assert!(matches!(&case.row(at).kind, RowKind::Orphan(o) if o.effect_id == "re_s2"));
    assert_eq!(find("refund:o1:r1"), [8]);
    assert_eq!(find("refund:twice"), [1]);
    let (fine, divergent, _, severity, _) = case.row_flags(at);
    assert_eq!((fine, divergent, severity), (false, true, 2));
}
