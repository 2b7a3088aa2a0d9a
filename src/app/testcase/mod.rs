//! Cases made by hand that hold the facts of the frames (`6-screens.md` 7.4.11), for tests of machine and drawing.

mod cases;
mod others;

use crate::app::case::{Apart, CaseView, Copied, Item, RawRecord, RowFlags, Told, Trouble};
use crate::app::list::blank_row;
use crate::judge::hazards::{Evaluation, Hazard, RULES, Status, Where};
use crate::judge::judgement::Class;
use crate::judge::playbook::Playbook;
use crate::judge::story::samples::{self as s, usd};
use crate::judge::story::{Context, Story, orphan, story};
use crate::judge::timeline::Activity;
use crate::judge::view::{
    EffectView, Everything, GroupBy, GroupRow, IntentView, ListRow, OrphanView, ProblemView, ResultWord,
    RowKind, SortBy, SourceView, Summary, Tied, Whose,
};
use crate::judge::words::{list_words, mark_of};
use crate::model::money::{Money, Totals};
use crate::model::row::{At, SourceNo, State};
use crate::model::time::Micros;
use crate::model::units::Units;
use crate::query::{Hits, MoreFacts, RowFacts, Searchable, holds};

/// A case in memory.
pub(crate) struct Fake {
    pub(crate) summary: Summary,
    units: Units,
    sources: Vec<SourceView>,
    playbook: Playbook,
    intents: Vec<IntentView>,
    rows: Vec<(ListRow, Apart)>,
    orphans: Vec<(ListRow, Vec<EffectView>)>,
    /// Stories of rows that stand for many.
    told: Vec<(&'static str, Story)>,
    fine: u64,
    hazards: Option<Evaluation>,
    activity: Option<Activity>,
    problems: Vec<ProblemView>,
}

pub(crate) fn summary() -> Summary {
    Summary {
        result: ResultWord::ViolationFound,
        property: "settled",
        now: s::t("09:14:07"),
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
        outside_totals: Totals::default(),
        orphan_totals: s::totals(&[usd("15.00")]),
        answers_lost: 0,
        overdue: 2,
        closed: 0,
        unreadable_trace: 0,
        unreadable_ledger: 1,
        skipped_trace: 0,
        skipped_ledger: 0,
        at_risk: s::totals(&[usd("475.00")]),
        undecided_at_risk: s::totals(&[usd("1405.00")]),
        out_too_much: s::totals(&[usd("400.00")]),
        probably_too_much: Totals::default(),
        may_still_go_out: s::totals(&[usd("117.50")]),
        owed: s::totals(&[usd("900.00")]),
        by_verdict: Vec::new(),
        by_label: Vec::new(),
        orders: 3,
        parties: 3,
        first: s::t("08:12:44"),
        last: s::t("08:50:31"),
        oldest_unknown: Micros::NONE,
        common: None,
        not_compared: Vec::new(),
        from: s::t("11-28T08:02:07"),
        to: s::t("09:14:07"),
        kinds: vec!["comment".into(), "refund".into()],
        tools: vec!["post_comment".into(), "refund_order".into()],
        trace_complete: false,
        filters: Vec::new(),
        stopped_after: None,
        has_intent_log: true,
        currency_assumed: None,
    }
}

fn at(place: u64) -> At {
    At::new(SourceNo(0), place)
}

/// What stands in the list beside the judgement.
struct Columns {
    record: Option<State>,
    intended: (u32, bool),
    intended_total: Option<(Money, bool)>,
    ledger: (u32, bool),
    ledger_total: Option<Result<Money, ()>>,
    risk: Option<Money>,
    deadline: &'static str,
}

fn row(number: u32, intent: &IntentView, columns: &Columns) -> ListRow {
    let j = &intent.judgement;
    let deadline = if columns.deadline.is_empty() { Micros::NONE } else { s::t(columns.deadline) };
    ListRow {
        kind: RowKind::Intent(number),
        operation: intent.business_id.replacen(':', " ", 1),
        mark: mark_of(j),
        words: list_words(j),
        label: "",
        verdict: j.rule.verdict(),
        severity: j.severity,
        class: Some(j.class),
        covered_from: if j.covered { Micros::NONE } else { j.covered_from },
        record: columns.record,
        intended: Some(columns.intended),
        intended_total: columns.intended_total,
        in_ledger: Some(columns.ledger),
        ledger_total: columns.ledger_total,
        at_risk: columns.risk,
        deadline,
        overdue: !deadline.is_none() && deadline < s::t("09:14:07"),
        stands: "",
        since: j.since,
        id: intent.intent_id.clone(),
        intent_id: if intent.recorded { intent.intent_id.clone() } else { format!("#{}", intent.handle) },
        noun: intent.kind.clone(),
        party: intent.party.clone(),
        rule: j.rule.number(),
        divergent: !matches!(j.class, Class::Clean | Class::Open) && j.rule.number() != "R24",
        unknown: columns.record == Some(State::Unknown),
        ..blank_row()
    }
}

fn plain(
    record: State,
    intended: &str,
    ledger: (u32, bool),
    total: &str,
    risk: &str,
    deadline: &'static str,
) -> Columns {
    Columns {
        record: Some(record),
        intended: (1, false),
        intended_total: Some((usd(intended), false)),
        ledger,
        ledger_total: Some(Ok(usd(total))),
        risk: Some(usd(risk)),
        deadline,
    }
}

fn place(intent: &mut IntentView, lines: &[&str]) {
    for (attempt, line) in intent.attempts.iter_mut().zip(lines) {
        attempt.place = format!("trace.jsonl {line}");
        attempt.at = Some(at(u64::from(attempt.number)));
    }
    for row in &mut intent.effects {
        row.at = Some(at(100));
        row.place = "payments.db, table refunds, row 48200".into();
    }
}

pub(crate) fn orphan_7777() -> OrphanView {
    OrphanView {
        source: s::PAYMENTS,
        effect_id: "rf_77".into(),
        operation_id: "refund:order_7777:request_31".into(),
        business_id: "order:7777".into(),
        kind: "refund".into(),
        count: 1,
        totals: s::totals(&[usd("15.00")]),
        committed: s::instant("08:52:31"),
        possible_double: false,
        place: "payments.db, table refunds, row 48203".into(),
        at: Some(at(48_203)),
        key: String::new(),
        violation: false,
    }
}

fn orphan_entry() -> (ListRow, Vec<EffectView>) {
    let view = orphan_7777();
    let mut effect = s::effect("rf_77", "08:52:31", Some(usd("15.00")), Tied::Nobody);
    effect.business_id.clone_from(&view.business_id);
    effect.operation_id.clone_from(&view.operation_id);
    effect.place.clone_from(&view.place);
    effect.at = view.at;
    let row = ListRow {
        operation: "order 7777".into(),
        mark: "○".into(),
        words: "row without an attempt".into(),
        verdict: "ORPHAN_EFFECT",
        in_ledger: Some((1, false)),
        ledger_total: Some(Ok(usd("15.00"))),
        id: "orphan rf_77".into(),
        noun: "refund".into(),
        kind: RowKind::Orphan(view),
        ..blank_row()
    };
    (row, vec![effect])
}

fn fine_row(number: usize) -> ListRow {
    ListRow {
        kind: RowKind::Intent(0),
        operation: format!("order {}", 7000 + number),
        mark: "·".into(),
        words: "as meant".into(),
        verdict: "MATCHED",
        severity: 5,
        class: Some(Class::Clean),
        record: Some(State::Confirmed),
        intended: Some((1, false)),
        intended_total: Some((usd("20.00"), false)),
        in_ledger: Some((1, false)),
        ledger_total: Some(Ok(usd("20.00"))),
        at_risk: Some(usd("0.00")),
        id: format!("int_{}", 7000 + number),
        intent_id: format!("int_{}", 7000 + number),
        noun: "refund".into(),
        rule: "R22",
        ..blank_row()
    }
}

fn told(first: &str, next: &str) -> Story {
    Story {
        first: first.into(),
        rest: Vec::new(),
        next: next.into(),
        why: Vec::new(),
        kind_hint: None,
        fine: Vec::new(),
    }
}

impl Fake {
    /// Changes every row.
    pub(crate) fn each_row(&mut self, change: impl Fn(&mut ListRow)) {
        for (row, _) in &mut self.rows {
            change(row);
        }
    }

    /// Changes every intent.
    pub(crate) fn each_intent(&mut self, change: impl Fn(&mut IntentView)) {
        self.intents.iter_mut().for_each(change);
    }
}

/// What fires at a place, in words of its own.
fn hazard(rule: usize, place: Where) -> Hazard {
    let rule = &RULES[rule - 1];
    let subjects = vec![if place.intent.is_empty() { place.run.clone() } else { place.intent.clone() }];
    Hazard {
        rule,
        status: Status::Firing,
        level: rule.level,
        place,
        subjects,
        count: 1,
        measured: "0".into(),
        threshold: "1".into(),
        edge: false,
        first_seen: Micros::NONE,
        what: rule.what.into(),
        todo: rule.todo.into(),
        reason: String::new(),
        quieted: None,
    }
}

impl Fake {
    /// The case of the specification with a hazard of its first intent and one of a run.
    pub(crate) fn with_hazards() -> Self {
        let of_intent = Where { intent: "int_9876".into(), ..Where::default() };
        let of_run = Where { run: "run_9876".into(), ..Where::default() };
        let hazards = vec![hazard(3, of_intent), hazard(9, of_run)];
        Self { hazards: Some(Evaluation { hazards }), ..Self::refunds() }
    }
}

impl Fake {
    /// The case of the specification with its calls and effects over time: one burst among single ones.
    /// With this many records that could not be used; every third was not kept.
    pub(crate) fn with_problems(count: u64) -> Self {
        let problem = |line: u64| ProblemView {
            code: "UNREADABLE_ROW",
            source: if line.is_multiple_of(2) { "payments" } else { "trace" }.into(),
            at: format!("payments-eu.csv line {line}"),
            line: Some(line),
            what: format!("amount \"{line}OO.00\" is not a decimal"),
            bytes: 40,
            affects_result: !line.is_multiple_of(5),
            raw: if line.is_multiple_of(3) {
                String::new()
            } else {
                format!("rf_{line},{line}OO.00,USD\u{1b}[2J")
            },
        };
        Self { problems: (1..=count).map(problem).collect(), ..Self::refunds() }
    }

    pub(crate) fn with_activity() -> Self {
        let calls = (0..52).map(|n| Micros(s::t("08:40:00").0 + n * 20_000_000));
        let burst = (0..40).map(|_| s::t("08:50:00"));
        let effects = (0..48).map(|n| Micros(s::t("08:40:01").0 + n * 20_000_000));
        Self { activity: Activity::of(calls.chain(burst), effects), ..Self::refunds() }
    }
}

impl Searchable for Fake {
    fn rows(&self) -> usize {
        self.rows.len()
    }

    fn word(&self, word: &str, hits: &mut Hits) {
        for (at, (row, _)) in self.rows.iter().enumerate() {
            let texts = [&row.operation, &row.words, &row.intent_id, &row.party];
            let codes = [row.label, row.verdict];
            if texts.iter().any(|text| holds(text, word)) || codes.iter().any(|text| holds(text, word)) {
                hits.set(at);
            }
        }
    }

    fn facts(&self, at: usize, _: bool) -> RowFacts {
        let row = &self.rows[at].0;
        RowFacts {
            state: row.record.map(State::word).unwrap_or_default().to_owned(),
            order: row.operation.clone(),
            risk: row.at_risk.iter().map(|money| money.amount.wide()).collect(),
            overdue: row.overdue,
            more: MoreFacts { owner: row.party.clone(), ..MoreFacts::default() },
            ..RowFacts::default()
        }
    }
}

impl CaseView for Fake {
    fn summary(&self) -> &Summary {
        &self.summary
    }

    fn units(&self) -> &Units {
        &self.units
    }

    fn sources(&self) -> &[SourceView] {
        &self.sources
    }

    fn copied(&self, item: &Item, name: &str) -> Copied {
        Copied { lines: vec![name.to_owned(), item.title()], party: item.row.party.clone() }
    }

    fn copied_incident(&self, name: &str) -> Copied {
        Copied { lines: vec![format!("all of {name}")], ..Copied::default() }
    }

    fn problems(&self) -> &[ProblemView] {
        &self.problems
    }

    fn row(&self, at: usize) -> ListRow {
        self.rows.get(at).map_or_else(blank_row, |(row, _)| row.clone())
    }

    fn flags(&self, at: usize) -> RowFlags {
        self.rows.get(at).map_or_else(RowFlags::default, |(row, apart)| RowFlags {
            closed: false,
            fine: row.class == Some(Class::Clean),
            divergent: row.divergent,
            unknown: row.unknown,
            severity: row.severity,
            apart: *apart,
        })
    }

    fn sorted(&self, by: SortBy) -> Vec<u32> {
        self.places_by(by)
    }

    fn grouped(&self, rows: &[u32], by: GroupBy) -> Vec<GroupRow> {
        self.groups_of(rows, by)
    }

    fn everything(&self, whose: &Whose) -> Everything {
        self.all_of(whose)
    }

    fn intent(&self, number: u32) -> IntentView {
        let at = usize::try_from(number).unwrap();
        self.intents.get(at).cloned().unwrap_or_else(s::settled)
    }

    fn activity(&self) -> Option<&Activity> {
        self.activity.as_ref()
    }

    fn hazards(&self) -> Option<&Evaluation> {
        self.hazards.as_ref()
    }

    fn intent_of(&self, id: &str) -> Option<u32> {
        let at = self.intents.iter().position(|intent| intent.intent_id == id)?;
        u32::try_from(at).ok()
    }

    fn intent_row(&self, number: u32) -> ListRow {
        let intent = self.intent(number);
        let money = intent.judgement.expected.unwrap_or(usd("0.00"));
        let columns = Columns {
            record: intent.judgement.state,
            intended: (1, false),
            intended_total: Some((money, false)),
            ledger: (0, false),
            ledger_total: None,
            risk: Some(money),
            deadline: "",
        };
        row(number, &intent, &columns)
    }

    fn orphans(&self) -> usize {
        self.orphans.len()
    }

    fn orphan_row(&self, at: usize) -> ListRow {
        self.orphans.get(at).map_or_else(blank_row, |(row, _)| row.clone())
    }

    fn orphan_effects(&self, orphan: &OrphanView) -> Vec<EffectView> {
        let found = self.orphans.iter().find(
            |(row, _)| matches!(&row.kind, RowKind::Orphan(of) | RowKind::PossibleDouble(of) if of == orphan),
        );
        found.map(|(_, effects)| effects.clone()).unwrap_or_default()
    }

    fn story(&self, of: &RowKind, told_how: Told) -> Story {
        let context = Context {
            now: self.summary.now,
            zone: &told_how.zone,
            units: &self.units,
            sources: &self.sources,
            playbook: &self.playbook,
            place: told_how.place,
            narrow: told_how.narrow,
            writable: told_how.writable,
        };
        match of {
            RowKind::Intent(number) => story(&self.intent(*number), &context),
            RowKind::Group(numbers) => story(&self.intent(numbers.first().copied().unwrap_or(0)), &context),
            RowKind::Orphan(row) | RowKind::PossibleDouble(row) => orphan(row, &context),
            RowKind::FitsByOrder { .. } => {
                self.told.first().map_or_else(|| told("", ""), |(_, story)| story.clone())
            }
            RowKind::NotCompared { reason, .. } => {
                told(&format!("They are not compared: {reason}."), "Add the ledger that records it (5).")
            }
            RowKind::OrphansMore { count, .. } => {
                told(&format!("{count} rows have no attempt here."), "Nothing has to be done.")
            }
            RowKind::Outside { .. } => told("", ""),
        }
    }

    fn raw(&self, at: At) -> Result<RawRecord, Trouble> {
        if at.place() == 404 {
            return Err(Trouble {
                what: "trace.jsonl has changed since it was read".into(),
                next: "Read it again (R).".into(),
            });
        }
        let line = |number: u64, text: &str| (format!("trace.jsonl line {number}"), text.to_owned());
        Ok(RawRecord {
            parts: vec![
                line(14, r#"{"event":"attempt_started","attempt_id":"att_01","tool":"refund_order"}"#),
                line(15, "{\"event\":\"attempt_finished\",\"note\":\"\u{1b}[2J\"}"),
            ],
        })
    }
}
