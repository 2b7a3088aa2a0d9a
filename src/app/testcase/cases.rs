//! The cases.

use std::sync::Arc;

use super::{Columns, Fake, at, fine_row, orphan_7777, orphan_entry, place, plain, row, summary, told};
use crate::app::case::{Apart, CaseView};
use crate::app::list::blank_row;
use crate::judge::judgement::{Class, ExpectedFrom};
use crate::judge::playbook::Playbook;
use crate::judge::rules::Rule;
use crate::judge::story::fits_by_order;
use crate::judge::story::samples::{self as s, usd};
use crate::judge::view::{Common, IntentView, ListRow, OrphanView, ResultWord, RowKind, SourceView, Summary};
use crate::model::money::Totals;
use crate::model::outcome::Outcome;
use crate::model::row::State;
use crate::model::time::Micros;
use crate::model::units::Units;

impl Fake {
    /// The sample `refunds-2026-11-30`.
    pub(crate) fn refunds() -> Self {
        let mut double = s::int_9876();
        place(&mut double, &["lines 14 and 15", "lines 16 and 17"]);
        let [mut old, mut new] = s::lineage_pair();
        place(&mut old, &["lines 101 and 102"]);
        place(&mut new, &["lines 104 and 105"]);
        old.judgement.since = s::t("08:49:58");
        new.judgement.since = s::t("08:50:29");
        let mut failed = s::int_5002();
        place(&mut failed, &["lines 7 and 8"]);
        let mut absent = s::int_4812();
        place(&mut absent, &["lines 1 and 2"]);
        let mut stale = s::int_4920();
        place(&mut stale, &["lines 99 and 100"]);
        let mut hidden = s::int_4813();
        place(&mut hidden, &["lines 40 and 41"]);
        let mut unreadable = s::int_4977();
        place(&mut unreadable, &["lines 50 and 51"]);
        let mut unknown = s::int_4814();
        place(&mut unknown, &["lines 88 and 89"]);
        unknown.attempts[0].decision = "dec_9".into();
        let mut differs = s::int_9001();
        place(&mut differs, &["lines 120 and 121"]);
        let mut waiting = s::int_5100();
        place(&mut waiting, &["line 130"]);
        let mut intents =
            vec![double, old, new, failed, absent, stale, hidden, unreadable, unknown, differs, waiting];
        for (at, intent) in (17..).zip(&mut intents) {
            intent.handle = at;
            intent.agent = "triage-3".into();
        }
        let rows = refunds_rows(&intents);
        let mut fake = Self::of(intents, rows, summary(), s::sources());
        fake.fine = 41;
        fake.rows.extend((0..41).map(|number| (fine_row(number), Apart::No)));
        let (orphan, effects) = orphan_entry();
        fake.rows.push((orphan.clone(), Apart::Single));
        fake.orphans.push((orphan, effects));
        fake.rows.push((outside_row(5), Apart::Outside));
        fake
    }

    fn of(intents: Vec<IntentView>, rows: Vec<ListRow>, summary: Summary, sources: Vec<SourceView>) -> Self {
        Self {
            summary,
            units: Units::default(),
            sources,
            playbook: Playbook::default(),
            intents,
            rows: rows.into_iter().map(|row| (row, Apart::No)).collect(),
            orphans: Vec::new(),
            told: Vec::new(),
            fine: 0,
            hazards: None,
            activity: None,
            problems: Vec::new(),
        }
    }

    /// The sample `no-ids`, opened as two files.
    pub(crate) fn no_ids() -> Self {
        let [order, unknown] = no_ids_intents();
        let rows = no_ids_rows(&order, &unknown);
        let mut fake = Self::of(vec![order, unknown], rows, no_ids_summary(), no_ids_sources());
        let outside =
            OrphanView { count: 2, possible_double: true, operation_id: "rf-771".into(), ..orphan_7777() };
        let counted = |words: &str, operation: &str, reason: &str, short: &str, count, total: &str| ListRow {
            words: words.into(),
            operation: operation.into(),
            reason: reason.into(),
            reason_short: short.into(),
            in_ledger: Some((count, false)),
            ledger_total: Some(Ok(usd(total))),
            ..blank_row()
        };
        let twice = "operation id rf-771, twice";
        let double = ListRow {
            kind: RowKind::PossibleDouble(outside),
            mark: "○".into(),
            id: "double rf-771".into(),
            ..counted("possible double outside", "2 rows", twice, "one operation id", 2, "80.00")
        };
        let open = "enter opens them";
        let rest = ListRow {
            kind: RowKind::OrphansMore { count: 9, totals: s::totals(&[usd("211.40")]) },
            id: "apart".into(),
            ..counted("9 rows without an attempt, in this time", "9 rows", open, open, 9, "211.40")
        };
        let beyond = ListRow {
            words: "2,987 rows outside the trace's time".into(),
            reason: "not judged".into(),
            ..outside_row(2_987)
        };
        let apart = [(double.clone(), Apart::Double), (rest, Apart::More), (beyond, Apart::Outside)];
        fake.rows.extend(apart);
        fake.orphans.push((double, orphan_entry().1));
        fake.orphans.extend((0..9).map(|_| orphan_entry()));
        let (first, next) = fits_by_order(11);
        fake.told.push(("fits refunds", told(&first, &next)));
        fake
    }

    /// One paid, one on its way: the sample `on-its-way`.
    pub(crate) fn on_its_way() -> Self {
        let mut item = s::int_6101();
        place(&mut item, &["lines 1 and 2", "lines 3 and 4"]);
        let mut first = row(0, &item, &plain(State::Confirmed, "80.00", (1, false), "80.00", "80.00", ""));
        first.covered_from = Micros::NONE;
        let summary = Summary { violations: 0, undecided: 1, result: ResultWord::Inconclusive, ..summary() };
        Self::of(vec![item], vec![first], summary, s::sources())
    }

    /// Nothing wrong.
    pub(crate) fn clean() -> Self {
        let summary = Summary {
            result: ResultWord::NoViolationObserved,
            intents: 48,
            attempts: 55,
            effects: 48,
            rows: 48,
            violations: 0,
            undecided: 0,
            open: 0,
            clean: 48,
            divergent: 0,
            orphans: 0,
            outside: Some(2_987),
            answers_lost: 2,
            overdue: 0,
            closed: 0,
            unreadable_ledger: 0,
            at_risk: Totals::default(),
            undecided_at_risk: Totals::default(),
            out_too_much: Totals::default(),
            may_still_go_out: Totals::default(),
            owed: Totals::default(),
            orders: 0,
            parties: 0,
            first: Micros::NONE,
            last: Micros::NONE,
            ..summary()
        };
        let mut sources = s::sources();
        sources.truncate(2);
        sources[0].window = Some((s::t("08:30:05"), s::t("09:12:40")));
        let mut fake = Self::of(vec![s::settled()], Vec::new(), summary, sources);
        fake.fine = 48;
        fake.rows.extend((0..48).map(|number| (fine_row(number), Apart::No)));
        fake
    }

    /// A case of many rows, for speed and scrolling.
    pub(crate) fn many(rows: usize) -> Self {
        let mut fake = Self::refunds();
        let template = fake.rows[0].0.clone();
        fake.rows = (0..rows)
            .map(|at| {
                let row =
                    ListRow { id: format!("int_{at}"), operation: format!("order {at}"), ..template.clone() };
                (row, Apart::No)
            })
            .collect();
        fake.summary.rows = rows as u64;
        fake
    }

    /// Many doubles of one sender within half an hour, still going on.
    pub(crate) fn storm() -> Self {
        let mut fake = Self::refunds();
        let rows: Vec<ListRow> = fake.rows.iter().map(|(row, _)| row.clone()).collect();
        let from = s::t("08:40:10");
        let mut at = 0;
        let mut storm = Vec::new();
        // Template, what it is called, how many, seconds between two.
        let kinds = [
            (0, "happened twice", "+1", 1_500, 1),
            (0, "happened 3 times", "+2", 19, 60),
            (4, "no answer yet", "?", 168, 10),
            (9, "waiting for the answer", "…", 31, 1),
        ];
        for (template, words, mark, count, step) in kinds {
            for no in 0..count {
                at += 1;
                let since = Micros(from.0 + no * step * 1_200_000);
                storm.push(ListRow {
                    id: format!("int_{at}"),
                    intent_id: format!("int_{at}"),
                    operation: format!("order {at}"),
                    words: words.into(),
                    mark: mark.into(),
                    since,
                    covered_from: Micros::NONE,
                    ..rows[template].clone()
                });
            }
        }
        fake.rows = storm.into_iter().map(|row| (row, Apart::No)).collect();
        fake.summary = Summary {
            violations: 1_519,
            undecided: 168,
            open: 31,
            clean: 88_410,
            rows: 90_128,
            orders: 1_519,
            parties: 1_402,
            at_risk: s::totals(&[usd("303800.00")]),
            undecided_at_risk: s::totals(&[usd("10080.00")]),
            out_too_much: s::totals(&[usd("303800.00")]),
            may_still_go_out: s::totals(&[usd("10080.00")]),
            owed: Totals::default(),
            first: s::t("08:40:10"),
            last: s::t("09:10:10"),
            orphans: 0,
            outside: Some(0),
            common: Some(Common {
                share: 98,
                what: "tool",
                value: "refund_order".into(),
                retry_origin: Some("MODEL"),
                last: s::t("09:10:10"),
            }),
            ..fake.summary
        };
        fake
    }

    pub(crate) fn shared(self) -> Arc<dyn CaseView> {
        Arc::new(self)
    }
}

fn outside_row(count: u64) -> ListRow {
    ListRow {
        kind: RowKind::Outside { count, units: 1 },
        words: format!("{count} rows outside"),
        id: "outside".into(),
        ..blank_row()
    }
}

fn refunds_rows(intents: &[IntentView]) -> Vec<ListRow> {
    use State::{Confirmed, Failed, Submitted, Unknown};
    let mut pair = row(1, &intents[1], &plain(Confirmed, "150.00", (2, false), "350.00", "200.00", ""));
    pair.kind = RowKind::Group(vec![1, 2]);
    let failed = Columns { intended: (0, false), ..plain(Failed, "0.00", (1, false), "75.00", "75.00", "") };
    let unreadable = Columns {
        ledger_total: Some(Err(())),
        ..plain(Confirmed, "200.00", (1, false), "0.00", "200.00", "")
    };
    let differs = Columns {
        intended_total: None,
        ledger_total: None,
        risk: None,
        ..plain(Unknown, "0.00", (1, false), "0.00", "0.00", "14:16:10")
    };
    let of =
        |number: u32, columns: &Columns| row(number, &intents[usize::try_from(number).unwrap()], columns);
    vec![
        of(0, &plain(Confirmed, "200.00", (2, false), "400.00", "200.00", "")),
        pair,
        of(3, &failed),
        of(4, &plain(Unknown, "900.00", (0, false), "0.00", "900.00", "11-28T12:02:11")),
        of(5, &plain(Submitted, "60.00", (0, true), "0.00", "60.00", "08:54:07")),
        of(6, &plain(Unknown, "200.00", (1, false), "200.00", "200.00", "12:26:10")),
        of(7, &unreadable),
        of(8, &plain(Unknown, "45.00", (0, true), "0.00", "45.00", "12:54:07")),
        of(9, &differs),
        of(10, &plain(Submitted, "12.50", (0, true), "0.00", "0.00", "09:14:34")),
    ]
}

fn no_ids_intents() -> [IntentView; 2] {
    let mut order = s::order_5531();
    order.agent = "support".into();
    place(&mut order, &["lines 41 and 42", "lines 43 and 44"]);
    for attempt in &mut order.attempts {
        attempt.decision = String::new();
    }
    for row in &mut order.open_rows {
        row.source = 1;
        row.at = Some(at(88_120));
        row.place = "refunds.csv line 88121".into();
    }
    let mut unknown = s::view(Rule::R31);
    unknown.recorded = false;
    unknown.handle = 2;
    unknown.intent_id = "refund_order@trace.jsonl:90".into();
    unknown.business_id = "order:5540".into();
    unknown.attempts = vec![s::attempt(1, "21:19:40.100", "21:20:01.200", Outcome::Timeout)];
    unknown.uncovered = vec![("C2", "a row newer than 21:21:07".into())];
    let j = &mut unknown.judgement;
    j.expected = Some(usd("20.00"));
    j.expected_from = ExpectedFrom::Assumed;
    j.covered = false;
    j.covered_from = s::t("21:21:07");
    (j.lo, j.hi, j.hi_uncapped, j.lost) = (0, 1, 1, 1);
    [order, unknown]
}

fn no_ids_rows(order: &IntentView, unknown: &IntentView) -> Vec<ListRow> {
    let assumed = |count, money: &str, ledger: (u32, bool), total: &str, risk: &str| Columns {
        record: None,
        intended: (count, true),
        intended_total: Some((usd(money), true)),
        ledger,
        ledger_total: Some(Ok(usd(total))),
        risk: Some(usd(risk)),
        deadline: "",
    };
    let fits = ListRow {
        kind: RowKind::FitsByOrder { intents: vec![1; 11] },
        operation: "11 orders".into(),
        words: "fits by order, no id".into(),
        mark: "?".into(),
        intent_id: String::new(),
        verdict: "UNVERIFIED_SUCCESS",
        id: "fits refunds".into(),
        covered_from: Micros::NONE,
        severity: 3,
        ..row(1, unknown, &assumed(11, "412.80", (11, true), "412.80", "412.80"))
    };
    let missing = |operation: &str, reason: &str, short: &str| ListRow {
        kind: RowKind::NotCompared { intents: vec![1; 3], reason: reason.into() },
        operation: operation.into(),
        mark: "?".into(),
        words: "not compared".into(),
        verdict: "SOURCE_NOT_READ",
        severity: 3,
        class: Some(Class::Undecided),
        reason: reason.into(),
        reason_short: short.into(),
        id: reason.into(),
        rule: "R01",
        ..blank_row()
    };
    vec![
        row(0, order, &assumed(1, "37.15", (2, false), "74.30", "37.15")),
        fits,
        row(1, unknown, &assumed(1, "20.00", (0, true), "0.00", "20.00")),
        missing("412 calls", "no ledger here records send_email", "no ledger for send_email"),
        missing("38 requests", "older than the first row, 20:41:12", "before the first row"),
    ]
}

fn no_ids_summary() -> Summary {
    Summary {
        result: ResultWord::Inconclusive,
        now: s::t("21:20:09"),
        clock_fixed: false,
        as_of_entry: None,
        notices: Vec::new(),
        rows: 131,
        violations: 0,
        undecided: 5,
        open: 0,
        clean: 126,
        orphans: 9,
        orphan_totals: s::totals(&[usd("211.40")]),
        outside: Some(2_987),
        answers_lost: 9,
        unreadable_ledger: 0,
        at_risk: Totals::default(),
        undecided_at_risk: s::totals(&[usd("469.95")]),
        out_too_much: Totals::default(),
        probably_too_much: s::totals(&[usd("37.15")]),
        may_still_go_out: s::totals(&[usd("20.00")]),
        owed: Totals::default(),
        by_label: vec![("PROBABLY DOUBLE", 1, s::totals(&[usd("37.15")]))],
        orders: 1,
        parties: 1,
        first: s::t("21:03:46"),
        last: s::t("21:03:46"),
        has_intent_log: false,
        currency_assumed: Some("USD".into()),
        ..summary()
    }
}

fn no_ids_sources() -> Vec<SourceView> {
    let mut sources = s::loose_sources();
    sources[1].covers_from = Some(s::t("20:41:12"));
    sources
}
