//! A report of hand-made views: the first intents of the case `refunds-2026-11-30`, with the figures of the
//! specification.

use crate::judge::judgement::Class;
use crate::judge::playbook::Playbook;
use crate::judge::story::samples::{
    PAYMENTS, int_4812, int_4814, int_4977, int_5002, int_9876, lineage_pair, source, t, totals, usd,
};
use crate::judge::view::{
    IntentView, ListRow, OrphanView, ProblemView, ResultWord, RowCounts, RowKind, SourceView, Summary,
};
use crate::judge::words::{list_words, mark_of};
use crate::load::GroupView;
use crate::model::money::Totals;
use crate::model::time::{Instant, Micros};
use crate::model::units::Units;

use super::{Choice, Intents, Mask, Only, Report, Teller};

/// Everything that a report borrows.
pub struct Sample {
    /// Result and counts.
    pub summary: Summary,
    /// Names of units.
    pub units: Units,
    /// Sources.
    pub sources: Vec<SourceView>,
    /// Problems.
    pub problems: Vec<ProblemView>,
    /// Rows without an attempt.
    pub orphans: Vec<OrphanView>,
    /// Groups.
    pub groups: Vec<GroupView>,
    /// Intents and rows.
    pub table: Table,
    /// Next steps.
    pub playbook: Playbook,
    /// Mask.
    pub mask: Mask,
    /// What is printed.
    pub choice: Choice,
}

/// Intents by number, rows in order.
#[derive(Default)]
pub struct Table {
    /// Intents.
    pub views: Vec<IntentView>,
    /// Rows.
    pub rows: Vec<ListRow>,
}

impl Intents for Table {
    fn ordered(&self) -> Vec<u32> {
        (0..).take(self.views.len()).collect()
    }

    fn view(&self, no: u32) -> Option<IntentView> {
        self.views.get(no as usize).cloned()
    }

    fn loud(&self) -> usize {
        self.views.len()
    }

    fn rows(&self) -> usize {
        self.rows.len()
    }

    fn quiet_rows(&self) -> std::ops::Range<usize> {
        self.rows.len()..self.rows.len()
    }

    fn row(&self, at: usize) -> ListRow {
        self.rows[at].clone()
    }

    fn standing(&self, _at: usize) -> Option<(Class, bool)> {
        None
    }
}

impl Sample {
    /// The report.
    pub fn report(&self) -> Report<'_> {
        Report {
            summary: &self.summary,
            units: &self.units,
            sources: &self.sources,
            problems: &self.problems,
            orphans: &self.orphans,
            groups: &self.groups,
            intents: &self.table,
            teller: Teller {
                now: self.summary.now,
                units: &self.units,
                sources: &self.sources,
                playbook: &self.playbook,
            },
            mask: &self.mask,
            choice: self.choice,
            group_ids: std::cell::OnceCell::new(),
        }
    }

    /// The case of the specification with its first rows.
    pub fn refunds() -> Self {
        let mut duplicated = int_9876();
        duplicated.handle = 17;
        duplicated.at_risk = vec![usd("200.00")];
        duplicated.difference = totals(&[usd("200.00")]);
        duplicated.judgement.divergent = true;
        duplicated.judgement.count_difference = 1;
        duplicated.judgement.covered_from = t("08:42:12");
        let mut views = vec![duplicated];
        for (handle, mut view) in (18..).zip(lineage_pair()) {
            view.handle = handle;
            view.judgement.divergent = true;
            view.at_risk = vec![usd("200.00")];
            views.push(view);
        }
        let mut marked = int_5002();
        marked.at_risk = vec![usd("75.00")];
        marked.judgement.divergent = true;
        let mut absent = int_4812();
        absent.at_risk = vec![usd("900.00")];
        absent.totals = totals(&[usd("0")]);
        absent.judgement.divergent = true;
        let mut unknown = int_4814();
        unknown.at_risk = vec![usd("45.00")];
        unknown.totals = totals(&[usd("0")]);
        let mut unreadable = int_4977();
        unreadable.at_risk = vec![usd("200.00")];
        views.extend([marked, absent, unknown, unreadable]);
        let rows = rows(&views);
        Self {
            summary: summary(),
            units: Units::default(),
            sources: sources(),
            problems: vec![ProblemView {
                code: "UNREADABLE_ROW",
                source: "payments".into(),
                at: "payments.db refunds rowid 48190".into(),
                line: None,
                what: "amount \"2OO.00\" is not a decimal".into(),
                bytes: 6,
                affects_result: true,
                raw: String::new(),
            }],
            orphans: vec![orphan()],
            groups: vec![GroupView {
                ops: Vec::new(),
                id: "g1".into(),
                kind: "lineage",
                members: vec!["int_6001".into(), "int_6002".into()],
                verdict: "LINEAGE_DOUBLE",
                at_risk: vec![usd("200.00")],
            }],
            table: Table { views, rows },
            playbook: Playbook::default(),
            mask: Mask::of_book(false, [7; 32]),
            choice: Choice::default(),
        }
    }

    /// One intent alone, under a result.
    pub fn single(view: IntentView, result: ResultWord) -> Self {
        let mut sample = Self::refunds();
        sample.summary.result = result;
        sample.summary.intents = 1;
        sample.table = Table { rows: rows(std::slice::from_ref(&view)), views: vec![view] };
        sample
    }
}

fn rows(views: &[IntentView]) -> Vec<ListRow> {
    let mut rows: Vec<ListRow> = Vec::new();
    for (no, view) in (0_u32..).zip(views) {
        let row = row(no, view);
        let joins = view.judgement.rule.verdict() == "LINEAGE_DOUBLE";
        match rows.last_mut() {
            Some(ListRow { kind: RowKind::Group(members), .. }) if joins => members.push(no),
            _ if joins => rows.push(ListRow {
                kind: RowKind::Group(vec![no]),
                intended: Some((1, false)),
                intended_total: Some((usd("150.00"), false)),
                in_ledger: Some((2, false)),
                ledger_total: Some(Ok(usd("350.00"))),
                ..row
            }),
            _ => rows.push(row),
        }
    }
    let apart = orphan();
    rows.push(ListRow {
        kind: RowKind::Orphan(apart),
        operation: "order 7777".into(),
        verdict: "ORPHAN_EFFECT",
        label: "",
        class: None,
        severity: 6,
        divergent: false,
        ..rows[0].clone()
    });
    rows
}

fn row(no: u32, view: &IntentView) -> ListRow {
    let j = &view.judgement;
    ListRow {
        kind: RowKind::Intent(no),
        operation: view.business_id.replace(':', " "),
        mark: mark_of(j),
        words: list_words(j),
        label: j.label(),
        verdict: j.verdict(),
        severity: j.severity,
        class: Some(j.class),
        covered_from: j.covered_from,
        record: j.state,
        intended: Some((j.max, false)),
        intended_total: j.expected.map(|m| (m, false)),
        in_ledger: Some((j.net, false)),
        ledger_total: j.live.map(Ok),
        at_risk: view.at_risk.first().copied(),
        more_units: 0,
        deadline: j.deadline,
        overdue: j.overdue,
        stands: "",
        since: j.since,
        reason: String::new(),
        reason_short: String::new(),
        id: view.intent_id.clone(),
        intent_id: view.intent_id.clone(),
        noun: view.kind.clone(),
        party: view.party.clone(),
        rule: j.rule.number(),
        divergent: j.divergent,
        unknown: j.class == Class::Undecided,
    }
}

fn orphan() -> OrphanView {
    OrphanView {
        source: PAYMENTS,
        effect_id: "rf_77".into(),
        operation_id: "refund:order_7777:request_31".into(),
        business_id: "order:7777".into(),
        kind: "refund".into(),
        count: 1,
        totals: totals(&[usd("15.00")]),
        committed: Instant::new(t("08:52:31"), crate::model::time::Res::Second),
        possible_double: false,
        place: "payments.db, table refunds, row 48203".into(),
        violation: false,
        at: None,
        key: String::new(),
    }
}

/// The four sources of the case, `payments` with its control totals.
pub fn sources() -> Vec<SourceView> {
    let mut trace = source("trace", "trace.jsonl", "09:13:57", "09:14:07", "line 205", 205);
    (trace.meaning, trace.holds, trace.role, trace.oldest, trace.newest) = ("", Vec::new(), "", None, None);
    trace.format = "native".into();
    trace.rows.used = 205;
    let mut payments = source("payments", "payments.db", "09:13:58", "09:13:51", "rowid 48211", 49);
    payments.format = "sqlite".into();
    payments.covers_from = payments.oldest;
    payments.rows =
        RowCounts { read: 49, used: 44, outside: 3, unattributed: 1, unreadable: 1, ..RowCounts::default() };
    payments.totals = totals(&[usd("8123.45")]);
    payments.no_amount = 1;
    payments.mapping = "columns by name".into();
    payments.digest = Some("ab12".into());
    let mut eu = source("payments-eu", "payments-eu.csv", "09:01:30", "08:39:10", "row 48177", 3);
    eu.covers_from = eu.oldest;
    let mut books = source("books", "books.csv", "09:13:59", "09:13:40", "row 41", 41);
    books.meaning = "copy";
    books.copy_of = Some("payments".into());
    vec![trace, payments, eu, books]
}

fn summary() -> Summary {
    let label = |label, number, money: &str| (label, number, totals(&[usd(money)]));
    Summary {
        result: ResultWord::ViolationFound,
        property: "settled",
        now: t("09:14:07"),
        clock_fixed: true,
        as_of_entry: None,
        notices: Vec::new(),
        final_by_declaration: false,
        intents: 52,
        attempts: 61,
        effects: 54,
        rows: 51,
        violations: 3,
        undecided: 6,
        open: 1,
        clean: 41,
        divergent: 8,
        orphans: 1,
        outside: Some(5),
        outside_totals: totals(&[usd("321.00")]),
        orphan_totals: totals(&[usd("15.00")]),
        answers_lost: 0,
        overdue: 2,
        closed: 0,
        unreadable_trace: 0,
        unreadable_ledger: 1,
        skipped_trace: 0,
        skipped_ledger: 0,
        at_risk: totals(&[usd("475.00")]),
        undecided_at_risk: totals(&[usd("1405.00")]),
        out_too_much: totals(&[usd("400.00")]),
        probably_too_much: Totals::default(),
        may_still_go_out: totals(&[usd("117.50")]),
        owed: totals(&[usd("900.00")]),
        by_verdict: vec![("DUPLICATED", 1), ("LINEAGE_DOUBLE", 1), ("FAILED_BUT_EFFECT", 1)],
        by_label: vec![
            label("DOUBLE", 2, "400.00"),
            label("FAILED BUT DONE", 1, "75.00"),
            label("NOT DONE", 1, "900.00"),
            label("DONE, ANSWER LOST", 1, "200.00"),
            label("CANNOT TELL YET", 2, "105.00"),
            label("LOOK AT IT", 2, "200.00"),
            ("WAITING", 1, Totals::default()),
            label("OK", 41, "0"),
        ],
        orders: 3,
        parties: 3,
        first: t("08:12:44"),
        last: t("08:50:31"),
        oldest_unknown: t("11-28T08:02:09"),
        common: None,
        not_compared: Vec::new(),
        from: t("11-28T08:02:07"),
        to: t("09:14:07"),
        kinds: vec!["comment".into(), "refund".into()],
        tools: vec!["post_comment".into(), "refund_order".into()],
        trace_complete: false,
        filters: Vec::new(),
        stopped_after: None,
        has_intent_log: true,
        currency_assumed: None,
    }
}

/// A clean summary, as in the specification's example.
pub fn clean() -> Sample {
    let mut sample = Sample::refunds();
    let s = &mut sample.summary;
    s.result = ResultWord::NoViolationObserved;
    (s.intents, s.attempts, s.effects, s.rows) = (48, 55, 48, 48);
    (s.violations, s.undecided, s.open, s.clean) = (0, 0, 0, 48);
    (s.orphans, s.outside, s.answers_lost, s.unreadable_ledger) = (0, Some(0), 2, 0);
    s.clock_fixed = false;
    s.oldest_unknown = Micros::NONE;
    sample.sources.truncate(2);
    sample.sources[1].rows.unreadable = 0;
    sample.problems.clear();
    sample.table = Table::default();
    sample
}

/// All rows.
pub fn all(mut sample: Sample) -> Sample {
    sample.choice.only = Only::All;
    sample
}
