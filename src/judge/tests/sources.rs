//! Several sources: parts, partitions, copies, one effect in two of them.

use super::build::{Case, LEDGER, T0, cents, shown, source};
use crate::judge::count::Found;
use crate::judge::coverage::condition::{C2, C6};
use crate::judge::facts::{Meaning, Role, link};
use crate::judge::judgement::{Class, NotCompared};
use crate::judge::reduce::tally;
use crate::judge::severity::label;
use crate::model::row::{At, Shared, SourceNo, State, attempt_flag, effect_flag};
use crate::model::time::{HOUR, SECOND};

/// The second ledger.
pub const SECOND_LEDGER: SourceNo = SourceNo(2);

/// A second ledger that records the tool too.
pub fn with_ledger(
    case: Case,
    meaning: Meaning,
    change: impl FnOnce(&mut crate::judge::facts::Source),
) -> Case {
    case.with(|c| {
        c.setting.sources.push(source(meaning));
        c.setting.sources[2].logical = 2;
        c.setting.tools[1].recorded_by.push(SECOND_LEDGER);
        change(&mut c.setting.sources[2]);
    })
}

pub fn in_second(case: Case) -> Case {
    case.last_row(|r| r.row.at = At::new(SECOND_LEDGER, r.row.at.place()))
}

/// What is not found stands in a ledger that could not be read, wherever that would hold it; what was found decides.
#[test]
fn what_an_unread_ledger_would_hold_is_not_compared() {
    let with_unread = |case: Case, meaning: Meaning, change: fn(&mut crate::judge::facts::Source)| {
        with_ledger(case, meaning, |s| {
            s.readable = false;
            change(s);
        })
    };
    let not_found = |change: fn(&mut crate::judge::facts::Source)| {
        with_unread(told_yes().covered(), Meaning::MovesMoney, change).judge()
    };
    assert_eq!(not_found(|_| ()).verdict(), "SOURCE_NOT_READ");
    assert_eq!(not_found(|_| ()).not_compared, NotCompared::LedgerNotRead);
    let parts = told_yes().covered().with(|c| c.setting.sources[1].meaning = Meaning::Part);
    assert_eq!(with_unread(parts, Meaning::Part, |_| ()).judge().verdict(), "SOURCE_NOT_READ");
    // A copy and a witness hold nothing of their own, and neither does a ledger of other kinds.
    let copy = with_unread(told_yes().covered(), Meaning::CopyOf(Some(LEDGER)), |_| ());
    assert_eq!(copy.judge().verdict(), "MISSING");
    assert_eq!(not_found(|s| s.role = Role::SecondWitness).verdict(), "MISSING");
    let of_kind = |held: u32| {
        let case = told_yes().covered().with(|c| c.ties.kind = Shared(7));
        with_ledger(case, Meaning::MovesMoney, |s| (s.readable, s.holds) = (false, vec![Shared(held)]))
            .judge()
    };
    assert_eq!((of_kind(8).verdict(), of_kind(7).verdict()), ("MISSING", "SOURCE_NOT_READ"));
    // The ledger that would hold it is the one that was not read, whatever the others hold.
    let other = told_yes().covered().with(|c| {
        c.ties.kind = Shared(7);
        c.setting.sources[1].holds = vec![Shared(8)];
    });
    assert_eq!(with_unread(other, Meaning::MovesMoney, |_| ()).judge().verdict(), "SOURCE_NOT_READ");
    let found = told_yes().covered().of(Some(cents(20_000))).row().row();
    assert_eq!(with_unread(found, Meaning::MovesMoney, |_| ()).judge().verdict(), "DUPLICATED");
}

fn late(s: &mut crate::judge::facts::Source) {
    (s.read_at, s.newest) = (Some(T0.plus(HOUR)), Some(T0.plus(HOUR)));
}

pub fn told_yes() -> Case {
    Case::recorded().ok().state(State::Confirmed)
}

#[test]
fn parts_add_up_and_cover_only_together() {
    let parts = |first_late: bool, second_late: bool| {
        let case = if first_late { told_yes().covered() } else { told_yes() };
        let case = case.with(|c| c.setting.sources[1].meaning = Meaning::Part);
        with_ledger(case, Meaning::Part, |s| {
            if second_late {
                late(s);
            }
        })
    };
    assert_eq!(parts(true, true).judge().verdict(), "MISSING");
    assert_eq!(parts(true, false).judge().verdict(), "UNVERIFIED_SUCCESS");
    assert_eq!(parts(false, true).judge().verdict(), "UNVERIFIED_SUCCESS");
    let both = in_second(parts(true, true).of(Some(cents(5_000))).row().of(Some(cents(15_000))).row());
    assert_eq!((both.judge().gross, shown(both.judge().live)), (2, "USD 200.00".to_owned()));
}

#[test]
fn one_of_several_listings_suffices() {
    let either = with_ledger(told_yes(), Meaning::MovesMoney, late);
    assert_eq!(either.judge().verdict(), "MISSING");
    let tally = tally(&either.facts(), &either.setting);
    assert_eq!(tally.coverage.source, Some(SECOND_LEDGER));
}

#[test]
fn the_partition_of_the_call_has_to_cover_and_all_of_them_where_it_names_none() {
    let split = |part: u32, first_late: bool, second_late: bool| {
        let case = if first_late { told_yes().covered() } else { told_yes() };
        let case = case.with(|c| {
            c.setting.sources[1].part = Shared(1);
            c.tries[0].row.part = Shared(part);
        });
        with_ledger(case, Meaning::MovesMoney, |s| {
            s.part = Shared(2);
            if second_late {
                late(s);
            }
        })
    };
    assert_eq!(split(1, true, false).judge().verdict(), "MISSING");
    assert_eq!(split(2, true, false).judge().verdict(), "UNVERIFIED_SUCCESS");
    assert_eq!(split(0, true, false).judge().verdict(), "UNVERIFIED_SUCCESS");
    assert_eq!(split(0, true, true).judge().verdict(), "MISSING");
    // The region's own listing that ends too early is nearer than another region that was read late enough.
    let other_region = split(2, true, false);
    let early = other_region.with(|c| c.setting.sources[2].read_at = Some(T0.plus(HOUR)));
    let tally = tally(&early.facts(), &early.setting);
    assert_eq!((tally.coverage.source, tally.coverage.failed), (Some(SECOND_LEDGER), C2));
    let only_other = told_yes().covered().with(|c| {
        c.setting.sources[1].part = Shared(1);
        c.tries[0].row.part = Shared(2);
    });
    assert_eq!(only_other.judge().uncovered, C6);
}

#[test]
fn a_copy_never_adds_and_never_covers() {
    let copy = |case: Case| {
        with_ledger(case, Meaning::CopyOf(Some(LEDGER)), |s| {
            s.counts = false;
            late(s);
        })
    };
    let only_in_books = in_second(copy(told_yes()).row());
    let j = only_in_books.judge();
    assert_eq!((j.gross, j.verdict()), (0, "UNVERIFIED_SUCCESS"));
    assert_eq!(only_in_books.findings(), ["ACK_NOT_YET_VISIBLE(1)", "SOURCES_DISAGREE"]);
    let covered = in_second(copy(told_yes().covered()).row());
    assert_eq!((covered.judge().verdict(), covered.judge().class), ("MISSING", Class::Violation));
    // The provider paid twice, our books have one.
    let twice = in_second(copy(told_yes()).row().row().row()).last_row(|r| r.ident = 0);
    assert_eq!((twice.judge().verdict(), twice.judge().gross), ("DUPLICATED", 2));
    // Books that agree, row by row and in the total, say nothing.
    let agree = in_second(copy(told_yes()).row().row()).last_row(|r| r.ident = 0);
    assert_eq!((agree.findings(), agree.judge().class), (vec![], Class::Clean));
    // Another amount in the books is a difference; what lies in them is told by itself.
    let other = in_second(copy(told_yes()).row().of(Some(cents(4_600))).row()).last_row(|r| r.ident = 0);
    assert_eq!(
        (other.findings(), label(&other.judge())),
        (vec!["SOURCES_DISAGREE".to_owned()], "LOOK AT IT")
    );
    let books = Found::in_source(&other.facts(), &other.setting, 2);
    assert_eq!((books.gross, shown(books.smallest)), (1, "USD 46.00".to_owned()));
}

#[test]
fn a_copy_lacks_what_it_reaches_and_only_that() {
    let books = |newest: i64, from: i64| {
        let case = with_ledger(told_yes().row(), Meaning::CopyOf(Some(LEDGER)), |s| {
            (s.counts, s.newest, s.from) = (false, Some(T0.plus(newest)), Some(T0.plus(from)));
        });
        case.judge().found & crate::judge::findings::SOURCES_DISAGREE != 0
    };
    // The row of 1 s, its microsecond, and both skews of 1 s.
    assert!(books(3 * SECOND + 2, -HOUR));
    assert!(!books(3 * SECOND + 1, -HOUR));
    assert!(books(HOUR, -SECOND - 1));
    assert!(!books(HOUR, -SECOND));
    // Files that are one copy: the row may stand in any of them; files that are one original count together.
    let files = with_ledger(told_yes().row(), Meaning::CopyOf(Some(LEDGER)), |s| {
        s.counts = false;
        late(s);
    });
    let files = files.with(|c| {
        c.setting.sources.push(c.setting.sources[2].clone());
        let mut copied = c.rows[0];
        copied.row.at = At::new(SourceNo(3), 0);
        c.rows.push(copied);
    });
    assert_eq!((files.findings(), files.judge().class), (vec![], Class::Clean));
    let two_originals = told_yes().count(1, 2).of(Some(cents(10_000))).row().row().with(|c| {
        c.setting.sources.push(c.setting.sources[1].clone());
        c.rows[1].row.at = At::new(SourceNo(2), 0);
        c.setting.sources.push(c.setting.sources[1].clone());
        let copy = &mut c.setting.sources[3];
        (copy.meaning, copy.counts, copy.logical) = (Meaning::CopyOf(Some(LEDGER)), false, 3);
        for no in 0..2 {
            let mut copied = c.rows[no];
            copied.row.at = At::new(SourceNo(3), no as u64);
            c.rows.push(copied);
        }
    });
    assert_eq!(two_originals.findings(), ["EXCESS_UNEXPLAINED(1)"]);
}

#[test]
fn one_effect_on_its_way_in_one_source_and_done_in_another_is_done() {
    let case = with_ledger(told_yes(), Meaning::MovesMoney, |_| {}).pending().row();
    let j = in_second(case).last_row(|r| r.ident = 0).judge();
    assert_eq!((j.gross, j.on_its_way, j.verdict()), (1, 0, "MATCHED"));
}

#[test]
fn rows_that_were_merged_away_do_not_count() {
    let j = told_yes().row().row().last_row(|r| r.row.flags |= effect_flag::DROPPED).judge();
    assert_eq!((j.gross, j.verdict()), (1, "MATCHED"));
    let tries = Case::derived().ok().ok().last_call(|t| t.row.flags |= attempt_flag::DROPPED).judge();
    assert_eq!((tries.attempts, tries.hi_uncapped), (1, 1));
    let reads = Case::derived().ok().ok().last_call(|t| t.row.flags |= attempt_flag::READ).judge();
    assert_eq!(reads.attempts, 1);
}

#[test]
fn links_by_declaration_count_as_any_link() {
    let j = told_yes().row().last_row(|r| r.links = link::DECLARED).judge();
    assert_eq!(j.verdict(), "MATCHED");
}
