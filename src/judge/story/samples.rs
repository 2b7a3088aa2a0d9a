//! Views of the case `refunds-2026-11-30` and of the sample `no-ids`, built by hand, for tests.

use crate::judge::coverage::Reach;
use crate::judge::facts::{Idempotent, Lineage};
use crate::judge::judgement::{AtMostOnce, Class, ExpectedFrom, Judgement, NotCompared, RetryOrigin};
use crate::judge::playbook::Playbook;
use crate::judge::rules::Rule;
use crate::judge::story::{Context, Place};
use crate::judge::view::{
    AccountView, AttemptView, BySource, EffectView, IntentView, ReadBackView, RowCounts, SourceView,
    StateView, Tied,
};
use crate::model::money::{Money, Totals, parse_decimal};
use crate::model::outcome::Outcome;
use crate::model::row::{Seen, State, Status};
use crate::model::time::{Instant, Micros, SECOND, Zone, parse_time};
use crate::model::units::{Unit, Units, iso};

/// A time of 30 November, or of another day where the text has one.
pub(crate) fn t(text: &str) -> Micros {
    instant(text).at
}

pub(crate) fn instant(text: &str) -> Instant {
    if text.is_empty() {
        return Instant::NONE;
    }
    let full = if text.contains('-') { format!("2026-{text}Z") } else { format!("2026-11-30T{text}Z") };
    parse_time(&full, &Zone::Utc)
}

pub(crate) fn usd(text: &str) -> Money {
    money("USD", text)
}

pub(crate) fn money(unit: &str, text: &str) -> Money {
    Money { unit: iso(unit).unwrap(), amount: parse_decimal(text).unwrap() }
}

pub(crate) fn totals(amounts: &[Money]) -> Totals {
    let mut totals = Totals::default();
    for money in amounts {
        totals.add(*money);
    }
    totals
}

pub(crate) fn judgement(rule: Rule) -> Judgement {
    let meaning = rule.meaning();
    Judgement {
        rule,
        class: meaning.class,
        lifted: false,
        severity: meaning.severity,
        state: Some(State::Confirmed),
        state_recorded: true,
        lo: 1,
        hi: 1,
        hi_uncapped: 1,
        gross: 0,
        net: 0,
        on_its_way: 0,
        came_back: 0,
        unreadable: 0,
        min: 1,
        max: 1,
        effective_min: 1,
        effective_max: 1,
        expected: Some(usd("200.00")),
        expected_from: ExpectedFrom::Record,
        unit: iso("USD").unwrap_or(Unit::NONE),
        live: None,
        several_units: false,
        risk: None,
        found: 0,
        covered: true,
        uncovered: 0,
        covered_from: Micros::NONE,
        divergent: false,
        count_difference: 0,
        at_most_once: AtMostOnce::Held,
        origin: RetryOrigin::None,
        not_compared: NotCompared::No,
        overdue: false,
        deadline: Micros::NONE,
        since: Micros::NONE,
        last: Micros::NONE,
        attempts: 1,
        lost: 0,
        group: None,
        late: false,
        link_open: false,
        holds_until: Micros::NONE,
    }
}

pub(crate) fn view(rule: Rule) -> IntentView {
    IntentView {
        handle: 1,
        intent_id: "int_1".into(),
        recorded: true,
        operation_id: String::new(),
        kind: "refund".into(),
        business_id: "order:1".into(),
        party: String::new(),
        key: String::new(),
        key_origin: String::new(),
        key_before_first: None,
        recorded_at: (Micros::NONE, String::new()),
        tool: "refund_order".into(),
        idempotent: Idempotent::No,
        retention: Some(24 * 3_600 * SECOND),
        agent: String::new(),
        judgement: judgement(rule),
        totals: totals(&[usd("0")]),
        difference: Totals::default(),
        at_risk: Vec::new(),
        by_source: Vec::new(),
        attempts: Vec::new(),
        effects: Vec::new(),
        open_rows: Vec::new(),
        reads: Vec::new(),
        states: Vec::new(),
        finding_detail: Vec::new(),
        deciding_source: Some(PAYMENTS),
        uncovered: Vec::new(),
        account: None,
        parent: None,
        lineage: None,
        group_members: Vec::new(),
        standing: Box::default(),
        near_ids: Vec::new(),
        attribute: None,
        currency_assumed: false,
        timeout: 30 * SECOND,
        settle: 60 * SECOND,
        eps: 3 * SECOND,
    }
}

pub(crate) fn attempt(number: u32, sent: &str, ended: &str, outcome: Outcome) -> AttemptView {
    let ended = instant(ended);
    AttemptView {
        number,
        id: format!("att_{number}"),
        tool: "refund_order".into(),
        read: false,
        counts: true,
        sent: instant(sent),
        ended,
        outcome,
        outcome_word: outcome.word().into(),
        conflict: false,
        class: outcome.class(ended.is_none()),
        key: String::new(),
        decision: format!("dec_{number}"),
        run: "run_1".into(),
        amount: None,
        receipt: String::new(),
        receipt_found: false,
        unseen: false,
        text: String::new(),
        place: format!("trace.jsonl line {number}"),
        may_land_until: if ended.is_none() { Micros::NONE } else { ended.at.plus(63 * SECOND) },
        at: None,
    }
}

pub(crate) fn effect(name: &str, committed: &str, amount: Option<Money>, tied: Tied) -> EffectView {
    EffectView {
        id: name.into(),
        name: name.into(),
        source: PAYMENTS,
        copy: false,
        committed: instant(committed),
        amount,
        unreadable: None,
        status: Status::Live,
        reversal: false,
        reverses: String::new(),
        reversed: false,
        operation_id: String::new(),
        key: String::new(),
        business_id: String::new(),
        external_ref: String::new(),
        kind: "refund".into(),
        link: vec!["J1"],
        in_sources: 1,
        ident: name.bytes().map(u32::from).sum(),
        tied,
        acknowledged: matches!(tied, Tied::ByReceipt(_)),
        place: String::new(),
        at: None,
    }
}

pub(crate) const PAYMENTS: usize = 1;
pub(crate) const EU: usize = 2;
pub(crate) const BOOKS: usize = 3;

pub(crate) fn source(
    id: &str,
    path: &str,
    read: &str,
    newest: &str,
    position: &str,
    rows: u64,
) -> SourceView {
    SourceView {
        id: id.into(),
        what: if id == "trace" { "trace" } else { "ledger" },
        format: "csv".into(),
        path: path.into(),
        meaning: "moves_money",
        meaning_assumed: false,
        copy_of: None,
        holds: vec!["refund".into()],
        part: String::new(),
        role: "authority",
        read_at: Some(t(read)),
        read_at_is_newest: false,
        position: position.into(),
        oldest: Some(t("11-27T17:20:00")),
        newest: Some(t(newest)),
        covers_from: None,
        final_by_declaration: false,
        live: false,
        rows: RowCounts { read: rows, ..RowCounts::default() },
        totals: Totals::default(),
        no_amount: 0,
        by_unit: Vec::new(),
        query: None,
        confirm: None,
        digest: None,
        mapping: String::new(),
        notes: Vec::new(),
        tools: Vec::new(),
        window: (id == "trace").then(|| (t("11-28T08:02:07"), t("09:14:07"))),
        reach: (id != "trace").then(Reach::default),
        error: None,
    }
}

pub(crate) fn sources() -> Vec<SourceView> {
    let mut books = source("books", "books.csv", "09:13:59", "09:13:40", "row 41", 41);
    books.copy_of = Some("payments".into());
    vec![
        source("trace", "trace.jsonl", "09:13:57", "09:14:07", "line 205", 205),
        source("payments", "payments.db", "09:13:58", "09:13:51", "rowid 48211", 49),
        source("payments-eu", "payments-eu.csv", "09:01:30", "08:39:10", "row 48177", 3),
        books,
    ]
}

/// The sample `no-ids`.
pub(crate) fn loose_sources() -> Vec<SourceView> {
    let mut csv = source("refunds", "refunds.csv", "21:20:04", "21:20:04", "row 90412", 3_000);
    csv.read_at_is_newest = true;
    csv.meaning_assumed = true;
    vec![source("trace", "trace.jsonl", "21:20:05", "21:20:05", "line 700", 700), csv]
}

/// Everything that a context borrows.
pub(crate) struct World {
    pub(crate) units: Units,
    pub(crate) sources: Vec<SourceView>,
    pub(crate) playbook: Playbook,
    pub(crate) now: Micros,
}

impl World {
    pub(crate) fn new() -> Self {
        Self {
            units: Units::default(),
            sources: sources(),
            playbook: Playbook::default(),
            now: t("09:14:07"),
        }
    }

    pub(crate) fn loose() -> Self {
        Self { sources: loose_sources(), now: t("21:20:09"), ..Self::new() }
    }

    /// The detail at 120 columns.
    pub(crate) fn wide(&self) -> Context<'_> {
        Context {
            now: self.now,
            zone: &Zone::Utc,
            units: &self.units,
            sources: &self.sources,
            playbook: &self.playbook,
            place: Place::Detail,
            narrow: false,
            writable: true,
        }
    }

    pub(crate) fn narrow(&self) -> Context<'_> {
        Context { narrow: true, ..self.wide() }
    }

    pub(crate) fn list(&self) -> Context<'_> {
        Context { place: Place::List, ..self.wide() }
    }
}

fn state(when: &str, to: State) -> StateView {
    StateView { when: t(when), from: Some(State::Submitted), to, actor: "agent".into(), place: String::new() }
}

/// Happened twice.
pub(crate) fn int_9876() -> IntentView {
    let mut v = view(Rule::R05);
    v.intent_id = "int_9876".into();
    v.operation_id = "refund:order_1234:request_9876".into();
    v.business_id = "order:1234".into();
    v.party = "cust_88".into();
    v.key = "req_9876".into();
    v.key_origin = "app".into();
    v.key_before_first = Some(true);
    v.attempts = vec![
        attempt(1, "08:40:58.102", "08:41:00.004", Outcome::ResponseLost),
        attempt(2, "08:41:07.350", "08:41:09.011", Outcome::Success),
    ];
    for a in &mut v.attempts {
        a.key = "req_9876".into();
        a.amount = Some(usd("200.00"));
    }
    v.attempts[1].receipt = "rfd_b2".into();
    v.attempts[1].receipt_found = true;
    let copy = EffectView {
        copy: true,
        source: BOOKS,
        ..effect("rfd_b2", "08:41:08", Some(usd("200.00")), Tied::ByReceipt(2))
    };
    v.effects = vec![
        effect("rfd_a1", "08:40:59", Some(usd("200.00")), Tied::ByTime(1)),
        effect("rfd_b2", "08:41:08", Some(usd("200.00")), Tied::ByReceipt(2)),
        copy,
    ];
    v.by_source = vec![
        BySource { source: PAYMENTS, count: 2, totals: totals(&[usd("400.00")]), copy: false },
        BySource { source: BOOKS, count: 1, totals: totals(&[usd("200.00")]), copy: true },
    ];
    v.totals = totals(&[usd("400.00")]);
    v.states = vec![state("08:41:09.011", State::Confirmed)];
    let j = &mut v.judgement;
    (j.lo, j.hi, j.hi_uncapped, j.gross, j.net, j.attempts, j.lost) = (1, 2, 2, 2, 2, 2, 1);
    j.live = Some(usd("400.00"));
    j.risk = Some(usd("200.00"));
    j.origin = RetryOrigin::Model;
    j.since = t("08:40:58.102");
    j.last = t("08:41:09.011");
    j.found = crate::judge::findings::SOURCES_DISAGREE;
    v
}

/// Not known yet.
pub(crate) fn int_4814() -> IntentView {
    let mut v = view(Rule::R31);
    v.intent_id = "int_4814".into();
    v.operation_id = "refund:order_4814:request_5614".into();
    v.business_id = "order:4814".into();
    v.key = "req_5614".into();
    v.key_origin = "app".into();
    v.key_before_first = Some(true);
    v.attempts = vec![attempt(1, "08:40:40.218", "08:41:10.219", Outcome::Timeout)];
    v.attempts[0].key = "req_5614".into();
    v.deciding_source = Some(EU);
    v.uncovered = vec![(
        "C2",
        "a row newer than 08:42:13: the call's end 08:41:10, 60 s to settle, 3 s for the clocks".into(),
    )];
    v.states = vec![state("08:41:10.219", State::Unknown)];
    let j = &mut v.judgement;
    j.state = Some(State::Unknown);
    (j.lo, j.hi, j.hi_uncapped, j.lost) = (0, 1, 1, 1);
    j.expected = Some(usd("45.00"));
    j.live = Some(usd("0"));
    j.covered = false;
    j.covered_from = t("08:42:13.219");
    j.since = t("08:40:40.218");
    j.last = t("08:41:10.219");
    j.deadline = t("12:54:07");
    v
}

/// Did not happen, covered, above the limit.
pub(crate) fn int_4812() -> IntentView {
    let mut v = view(Rule::R30);
    v.intent_id = "int_4812".into();
    v.business_id = "order:4812".into();
    v.attempts = vec![attempt(1, "11-28T08:02:09.114", "11-28T08:02:11.120", Outcome::Timeout)];
    let j = &mut v.judgement;
    j.state = Some(State::Unknown);
    (j.lo, j.hi, j.hi_uncapped, j.lost) = (0, 0, 1, 1);
    j.expected = Some(usd("900.00"));
    j.live = Some(usd("0"));
    j.since = t("11-28T08:02:09.114");
    j.last = t("11-28T08:02:11.120");
    j.overdue = true;
    j.deadline = t("11-28T12:02:11");
    j.severity = 2;
    v
}

/// Rows without ids, judged by the account of the order.
pub(crate) fn order_5531() -> IntentView {
    let mut v = view(Rule::R16a);
    v.recorded = false;
    v.intent_id = "refund_order@trace.jsonl:41".into();
    v.business_id = "order:5531".into();
    v.attempts = vec![
        attempt(1, "21:03:11.402", "21:03:41.410", Outcome::Timeout),
        attempt(2, "21:03:45.902", "21:03:46.731", Outcome::Success),
    ];
    for a in &mut v.attempts {
        a.amount = Some(usd("37.15"));
    }
    let row = |name: &str, at: &str| EffectView {
        link: Vec::new(),
        acknowledged: false,
        ..effect(name, at, Some(usd("37.15")), Tied::WhichCall)
    };
    v.open_rows = vec![row("row 88120", "21:03:12"), row("row 88134", "21:03:46")];
    v.account = Some(AccountView {
        business_id: "order:5531".into(),
        wanted: 1,
        tried: 2,
        found: 2,
        money_wanted: Some(usd("37.15")),
        money_tried: Some(usd("74.30")),
        money_found: Some(usd("74.30")),
    });
    v.currency_assumed = true;
    let j = &mut v.judgement;
    j.state_recorded = false;
    j.expected_from = ExpectedFrom::Assumed;
    j.expected = Some(usd("37.15"));
    j.live = Some(usd("0"));
    (j.lo, j.hi, j.hi_uncapped, j.lost, j.attempts) = (1, 2, 2, 1, 2);
    j.link_open = true;
    j.covered = false;
    j.risk = Some(usd("37.15"));
    j.origin = RetryOrigin::Caller;
    v
}

/// One paid, one on its way.
pub(crate) fn int_6101() -> IntentView {
    let mut v = view(Rule::R16a);
    v.intent_id = "int_6101".into();
    v.business_id = "order:6101".into();
    v.attempts = vec![
        attempt(1, "08:55:02.310", "08:55:32.314", Outcome::ResponseLost),
        attempt(2, "08:55:41.870", "08:55:42.405", Outcome::Success),
    ];
    let pending = EffectView {
        status: Status::OnItsWay,
        ..effect("re_6102", "08:55:42", Some(usd("80.00")), Tied::ByReceipt(2))
    };
    v.effects = vec![effect("re_6101", "08:55:03", Some(usd("80.00")), Tied::ByTime(1)), pending];
    v.totals = totals(&[usd("80.00")]);
    let j = &mut v.judgement;
    j.expected = Some(usd("80.00"));
    j.live = Some(usd("80.00"));
    (j.lo, j.hi, j.hi_uncapped, j.gross, j.net, j.on_its_way, j.lost, j.attempts) = (1, 2, 2, 1, 1, 1, 1, 2);
    j.link_open = true;
    j.covered = false;
    j.covered_from = t("08:56:45");
    v
}

/// The replaced one and the new one: both happened.
pub(crate) fn lineage_pair() -> [IntentView; 2] {
    let chain = Lineage {
        number: 0,
        live_members: 2,
        live_total: Some(usd("350.00")),
        newest_expected: Some(usd("150.00")),
    };
    let one = |id: &str, attempt: AttemptView, row: EffectView, amount: Money| {
        let mut v = view(Rule::R08);
        v.intent_id = id.into();
        v.business_id = "order:6001".into();
        v.party = "cust_41".into();
        v.lineage = Some(chain);
        v.judgement.lost = u32::from(attempt.outcome == Outcome::ConnectionReset);
        v.attempts = vec![attempt];
        v.effects = vec![row];
        v.totals = totals(&[amount]);
        v.judgement.expected = Some(amount);
        v.judgement.live = Some(amount);
        (v.judgement.gross, v.judgement.net) = (1, 1);
        v.judgement.group = Some(0);
        v
    };
    [
        one(
            "int_6001",
            attempt(1, "08:49:58.000", "08:50:01.000", Outcome::ConnectionReset),
            effect("rf_61", "08:49:59", Some(usd("200.00")), Tied::ByTime(1)),
            usd("200.00"),
        ),
        one(
            "int_6002",
            attempt(1, "08:50:29.000", "08:50:31.400", Outcome::Success),
            effect("rf_62", "08:50:31", Some(usd("150.00")), Tied::ByReceipt(1)),
            usd("150.00"),
        ),
    ]
}

/// Recorded as failed, and there.
pub(crate) fn int_5002() -> IntentView {
    let mut v = view(Rule::R11);
    v.intent_id = "int_5002".into();
    v.business_id = "order:5002".into();
    v.attempts = vec![attempt(1, "08:12:14.000", "08:12:44.000", Outcome::Timeout)];
    v.effects = vec![effect("rf_5002", "08:12:15", Some(usd("75.00")), Tied::ByTime(1))];
    v.totals = totals(&[usd("75.00")]);
    v.states = vec![state("08:12:44", State::Failed)];
    let j = &mut v.judgement;
    j.state = Some(State::Failed);
    j.expected = Some(usd("75.00"));
    j.live = Some(usd("75.00"));
    (j.lo, j.gross, j.net, j.effective_min, j.effective_max, j.lost) = (0, 1, 1, 0, 0, 1);
    v
}

/// Done, answer lost, recorded as unknown.
pub(crate) fn int_4813() -> IntentView {
    let mut v = view(Rule::R24);
    v.intent_id = "int_4813".into();
    v.business_id = "order:4813".into();
    v.attempts = vec![attempt(1, "08:26:05.000", "08:26:07.310", Outcome::ResponseLost)];
    v.effects = vec![effect("rf_4813", "08:26:06", Some(usd("200.00")), Tied::ByTime(1))];
    v.totals = totals(&[usd("200.00")]);
    let j = &mut v.judgement;
    j.state = Some(State::Unknown);
    j.live = Some(usd("200.00"));
    (j.lo, j.gross, j.net, j.lost) = (0, 1, 1, 1);
    v
}

/// The row cannot be read.
pub(crate) fn int_4977() -> IntentView {
    let mut v = view(Rule::R10);
    v.intent_id = "int_4977".into();
    v.business_id = "order:4977".into();
    v.attempts = vec![attempt(1, "08:31:00.000", "08:31:01.000", Outcome::Success)];
    let mut row = effect("rf_48190", "08:31:00", None, Tied::ByTime(1));
    row.unreadable = Some("2OO.00".into());
    row.place = "payments.db, table refunds, row 48190".into();
    v.effects = vec![row];
    let j = &mut v.judgement;
    (j.gross, j.net, j.unreadable) = (1, 1, 1);
    v
}

/// A value that is not as expected.
pub(crate) fn int_9001() -> IntentView {
    let mut v = view(Rule::R14);
    v.intent_id = "int_9001".into();
    v.kind = "comment".into();
    v.tool = "post_comment".into();
    v.business_id = "thread:77".into();
    v.attempts = vec![attempt(1, "09:10:28.000", "09:10:31.000", Outcome::Timeout)];
    v.effects = vec![effect("cm_77", "09:10:30", None, Tied::ByTime(1))];
    v.totals = Totals::default();
    v.attribute = Some(("author".into(), "self_named".into(), "Self-named".into()));
    v.reads = vec![ReadBackView {
        when: t("09:11:00"),
        source: "comments".into(),
        seen: Seen::Differs,
        differs: None,
        position: String::new(),
        place: String::new(),
    }];
    let j = &mut v.judgement;
    j.state = Some(State::Unknown);
    j.expected = None;
    (j.lo, j.gross, j.net, j.lost) = (0, 1, 1, 1);
    v
}

/// Waiting for the answer.
pub(crate) fn int_5100() -> IntentView {
    let mut v = view(Rule::R20);
    v.intent_id = "int_5100".into();
    v.business_id = "order:5100".into();
    v.attempts = vec![attempt(1, "09:14:04", "", Outcome::Missing)];
    let j = &mut v.judgement;
    j.state = Some(State::Submitted);
    j.expected = Some(usd("12.50"));
    j.live = Some(usd("0"));
    j.since = t("09:14:04");
    (j.lo, j.covered) = (0, false);
    v
}

/// Never answered, and its time ran out.
pub(crate) fn int_4920() -> IntentView {
    let mut v = view(Rule::R35);
    v.intent_id = "int_4920".into();
    v.business_id = "order:4920".into();
    v.attempts = vec![attempt(1, "08:48:40", "08:49:10", Outcome::Timeout)];
    v.deciding_source = Some(EU);
    v.uncovered = vec![("C2", "a row newer than 08:50:13: ..".into())];
    let j = &mut v.judgement;
    j.state = Some(State::Submitted);
    j.expected = Some(usd("60.00"));
    j.live = Some(usd("0"));
    (j.lo, j.lost, j.covered) = (0, 1, false);
    j.covered_from = t("08:50:13");
    j.since = t("08:48:40");
    j.last = t("08:49:10");
    j.deadline = t("08:54:07");
    j.severity = 2;
    v
}

/// As [`int_4813`] without a record: nothing is left to decide.
pub(crate) fn settled() -> IntentView {
    let mut v = int_4813();
    v.judgement.class = Class::Clean;
    v.judgement.severity = 5;
    v.judgement.state_recorded = false;
    v
}
