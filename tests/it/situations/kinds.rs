//! Which kinds are in use: every row is read, so neither the order of the input nor a hash decides (C9, scope).

use crate::small::*;

/// Many operations of one kind, and one of another.
fn calls(last_first: bool) -> Vec<Line> {
    let mut lines: Vec<Line> = (0..2_000).map(|no| call(&format!("refund:o{no}:r"))).collect();
    let payout = call("payout:o1:p");
    if last_first {
        lines.insert(0, payout);
    } else {
        lines.push(payout);
    }
    lines
}

fn ledger(last_first: bool) -> Vec<Line> {
    let mut lines: Vec<Line> =
        (0..2_000).map(|no| row(&format!("re_{no}"), &format!("refund:o{no}:r"))).collect();
    let payout = row("po_1", "payout:o9:p").at("09:00:02");
    if last_first {
        lines.insert(0, payout);
    } else {
        lines.push(payout);
    }
    lines
}

#[test]
fn a_kind_that_one_row_of_many_names_is_known() {
    for (first_call, first_row) in [(true, true), (true, false), (false, true), (false, false)] {
        // The hash of ids is another one each time.
        for _ in 0..3 {
            let mut rows = ledger(first_row);
            rows.extend([earlier(), later()]);
            let case = pair(&calls(first_call), &rows).load();
            assert_eq!(source(&case, "ledger").holds, ["payout", "refund"]);
            // A row of a kind that one call has is in scope.
            assert_eq!(summary(&case).orphans, 1);
            // And a call of a kind that one row has can be missing.
            let said = said(&case, "payout:o1:p");
            assert!(said.contains("R27 MISSING"), "{said}");
            assert_eq!(summary(&case).kinds, ["payout", "refund"]);
        }
    }
}

#[test]
fn more_kinds_than_are_listed_are_all_held() {
    let rows: Vec<Line> = (0..300).map(|no| row(&format!("re_{no}"), &format!("k{no}:o{no}:r"))).collect();
    for reverse in [false, true] {
        let mut rows = rows.clone();
        rows.push(later());
        rows.insert(0, earlier());
        if reverse {
            rows.reverse();
        }
        for kind in ["k0", "k150", "k299"] {
            let case = pair(&[call(&format!("{kind}:x:r")).set("tool", "send")], &rows).load();
            let said = said(&case, &format!("{kind}:x:r"));
            assert!(said.contains("R27 MISSING"), "{kind}: {said}");
        }
    }
}
