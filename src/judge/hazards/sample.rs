//! A small language for the tests of rules: one intent of one tool, seconds after eight o'clock.

use super::asked::{Asked, Quota, Scope, Tool};
use super::evaluate::{Evaluation, Findings};
use super::facts::{
    Call, Change, Cost, Intent, Landed, Look, Pair, Recorded, Run, Trace, Used, Whole, World,
};
use super::found::{Hazard, Status};
use super::plain::Rules;
use super::rules::Tie;
use crate::model::money::{Amount, Money, parse_decimal, to_exponent};
use crate::model::outcome::Outcome;
use crate::model::row::{At, Relation, Seen, SourceNo, State};
use crate::model::time::{HOUR, Instant, Micros, Res, SECOND, Zone, parse_duration, parse_time};
use crate::model::units::Units;

/// Its trace and its ledger.
const TRACE: SourceNo = SourceNo(0);
const LEDGER: SourceNo = SourceNo(1);

/// When everything begins.
pub fn t0() -> Micros {
    parse_time("2026-11-30T08:00:00Z", &Zone::Utc).at
}

fn at_us(us: i64) -> Instant {
    Instant::new(t0().plus(us), Res::Micro)
}

/// One intent and what is declared.
#[derive(Clone)]
pub struct Sample {
    intent: Intent,
    asked: Asked,
    records: bool,
    places: u64,
}

impl Sample {
    pub fn new() -> Self {
        let intent = Intent {
            id: "int_1".into(),
            kind: "refund".into(),
            business: "order:1".into(),
            by_id: true,
            record: Some(Recorded::default()),
            ..Intent::default()
        };
        let tool = Tool { name: "refund_order".into(), endpoint: "POST /refunds".into(), ..Tool::default() };
        Self { intent, asked: Asked { tools: vec![tool], ..Asked::default() }, records: true, places: 0 }
    }

    pub fn payload(amount: &str) -> String {
        format!(r#"{{"amount":"{amount}","currency":"USD"}}"#)
    }

    fn usd(amount: &str) -> Money {
        let mut units = Units::default();
        let unit = units.intern("USD");
        Money { unit, amount: to_exponent(parse_decimal(amount).unwrap(), 2).unwrap() }
    }

    fn place(&mut self) -> At {
        self.places += 1;
        At::new(SourceNo(0), self.places)
    }

    fn call(mut self, sent: Instant, ended: Instant, outcome: Outcome, key: &str) -> Self {
        let call = Call {
            number: u32::try_from(self.intent.calls.len()).unwrap() + 1,
            at: self.place(),
            source: TRACE,
            run: "run_1".into(),
            tool: "refund_order".into(),
            sent,
            ended,
            timeout: 30 * SECOND,
            outcome,
            class: outcome.class(false),
            key: key.into(),
            payload: 1,
            arguments: Some(Self::payload("20.00")),
            amount: Some(Self::usd("20.00")),
            turn: String::new(),
        };
        self.intent.calls.push(call);
        self
    }

    fn for_a_second(self, sec: i64, outcome: Outcome, key: &str) -> Self {
        self.call(at_us(sec * SECOND), at_us((sec + 1) * SECOND), outcome, key)
    }

    pub fn lost(self, sec: i64, key: &str) -> Self {
        self.for_a_second(sec, Outcome::ResponseLost, key)
    }

    pub fn ok(self, sec: i64, key: &str) -> Self {
        self.for_a_second(sec, Outcome::Success, key)
    }

    pub fn refused(self, sec: i64, key: &str) -> Self {
        self.for_a_second(sec, Outcome::Rejected, key)
    }

    pub fn timed(self, from: i64, to: i64) -> Self {
        self.call(at_us(from), at_us(to), Outcome::Success, "k1")
    }

    pub fn open_us(self, from: i64) -> Self {
        self.call(at_us(from), Instant::NONE, Outcome::Missing, "k1")
    }

    fn change(mut self, with: impl FnOnce(&mut Intent)) -> Self {
        with(&mut self.intent);
        self
    }

    pub fn pays(self, no: usize, amount: &str) -> Self {
        self.change(|i| i.calls[no].amount = Some(Self::usd(amount))).arguments(no, &Self::payload(amount))
    }

    pub fn arguments(self, no: usize, json: &str) -> Self {
        self.change(|i| {
            i.calls[no].payload = u32::try_from(no).unwrap() + 2;
            i.calls[no].arguments = Some(json.into());
        })
    }

    pub fn in_run(self, no: usize, run: &str) -> Self {
        self.change(|i| i.calls[no].run = run.into())
    }

    pub fn timeless(self) -> Self {
        self.change(|i| {
            i.calls.iter_mut().for_each(|c| (c.sent, c.ended) = (Instant::NONE, Instant::NONE));
            i.looks.iter_mut().for_each(|l| l.when = Micros::NONE);
        })
    }

    fn looked(mut self, sec: i64, source: &str, seen: Seen, word: &str, read: &str) -> Self {
        let look = Look {
            id: format!("rb_{}", self.intent.looks.len() + 1),
            when: at_us(sec * SECOND).at,
            at: self.place(),
            source: source.into(),
            seen,
            word: word.into(),
            expected: String::new(),
            read: read.into(),
            replayed: false,
            write_path: self.asked.is_write_path(source),
        };
        self.intent.looks.push(look);
        self
    }

    pub fn look(self, sec: i64, source: &str, seen: Seen) -> Self {
        self.looked(sec, source, seen, seen.word(), "")
    }

    pub fn said(self, sec: i64, word: &str, read: &str) -> Self {
        self.looked(sec, "payments", Seen::Unreadable, word, read)
    }

    pub fn replayed(self) -> Self {
        self.change(|i| i.looks.last_mut().unwrap().replayed = true)
    }

    pub fn moved(self, sec: i64, from: State, to: State, actor: &str) -> Self {
        let (when, deadline) = (at_us(sec * SECOND).at, Micros::NONE);
        let change =
            Change { when, deadline, from: Some(from), to, actor: actor.into(), owner: String::new() };
        self.change(|i| i.changes.push(change))
    }

    pub fn deadline_us(self, us: i64) -> Self {
        self.change(|i| i.changes.last_mut().unwrap().deadline = at_us(us).at)
    }

    pub fn owned(self, owner: &str) -> Self {
        self.change(|i| i.changes.last_mut().unwrap().owner = owner.into())
    }

    pub fn high_value(self) -> Self {
        self.change(|i| i.high_value = true)
    }

    pub fn landed(self, id: &str, sec: i64, acknowledged: bool) -> Self {
        let row = Landed { id: id.into(), committed: at_us(sec * SECOND), acknowledged };
        self.change(|i| i.landed.push(row))
    }

    pub fn paired_us(self, committed: i64, bound: i64) -> Self {
        self.change(|i| {
            let call = &i.calls[0];
            let (sent, ended) = (call.sent, call.ended);
            i.pairs.push(Pair { source: LEDGER, bound, sent, ended, committed: at_us(committed) });
        })
    }

    pub fn named(self, id: &str) -> Self {
        self.change(|i| i.id = id.into())
    }

    pub fn unnamed(self) -> Self {
        self.change(|i| i.by_id = false)
    }

    pub fn child_of(self, parent: &str) -> Self {
        self.change(|i| i.parent = Some((parent.into(), Relation::Replaces)))
    }

    pub fn adds(self) -> Self {
        self.change(|i| {
            if let Some((_, relation)) = &mut i.parent {
                *relation = Relation::AddsTo;
            }
        })
    }

    fn record(self, with: impl FnOnce(&mut Recorded)) -> Self {
        self.change(|i| with(i.record.as_mut().unwrap()))
    }

    pub fn derived(self) -> Self {
        self.record(|r| r.key_kind = "derived".into())
    }

    pub fn recorded_us(self, us: i64) -> Self {
        self.record(|r| r.when = Some(at_us(us).at))
    }

    pub fn minted_us(self, us: i64) -> Self {
        self.record(|r| r.minted = Some(at_us(us).at))
    }

    pub fn stored(self, storage: &str) -> Self {
        self.record(|r| r.storage = storage.into())
    }

    pub fn recorded_key(self, key: &str, origin: &str) -> Self {
        self.record(|r| (r.key, r.key_origin) = (key.into(), origin.into()))
    }

    pub fn unrecorded(self) -> Self {
        self.change(|i| i.record = None)
    }

    pub fn without_log(mut self) -> Self {
        self.records = false;
        self.unrecorded()
    }

    fn tool(mut self, with: impl FnOnce(&mut Tool)) -> Self {
        with(&mut self.asked.tools[0]);
        self
    }

    pub fn irreversible(self) -> Self {
        self.tool(|t| t.irreversible = true)
    }

    pub fn keeps(self, retention: &str, windows: &str) -> Self {
        let time = |text: &str| if text == "0s" { 0 } else { parse_duration(text).unwrap() };
        self.tool(|t| (t.retention, t.windows) = (Some(time(retention)), time(windows)))
    }

    pub fn redrive(self, retention: &str) -> Self {
        self.keeps(retention, "0s").tool(|t| t.redrive = true)
    }

    pub fn limit(mut self, rule: &str, key: &str, value: &str) -> Self {
        self.asked.limits.push((rule.into(), key.into(), value.into()));
        self
    }

    /// What fires by a rule.
    pub fn hazards(&self, rule: &str) -> Vec<Hazard> {
        let mut findings = Findings::default();
        let units = units();
        let world = world(&self.asked, &units, self.records);
        findings.intent(&self.intent, Rules::ALL, &world);
        firing(findings, &Whole::default(), rule, &world)
    }

    /// The one that fires by a rule.
    pub fn only(&self, rule: &str) -> Hazard {
        let mut all = self.hazards(rule);
        assert_eq!(all.len(), 1, "{rule}: {all:?}");
        all.remove(0)
    }
}

fn units() -> Units {
    let mut units = Units::default();
    units.intern("USD");
    units
}

/// A world in which everything is loaded.
pub fn world<'a>(asked: &'a Asked, units: &'a Units, records: bool) -> World<'a> {
    let trace = Trace {
        name: "trace.jsonl".into(),
        attempts: true,
        keys: true,
        payloads: true,
        times: true,
        runs: true,
        reads: true,
        costs: true,
        tools: vec!["refund_order".into()],
    };
    World {
        now: t0().plus(HOUR),
        client_skew: 2 * SECOND,
        units,
        asked,
        sources: vec!["trace.jsonl".into(), "payments.db".into()],
        traces: vec![trace],
        records,
        states: true,
        ledgers: true,
        window: HOUR,
    }
}

fn firing(findings: Findings, whole: &Whole, rule: &str, world: &World<'_>) -> Vec<Hazard> {
    let evaluation = Evaluation::new(findings, whole, true, world);
    let told = |h: &Hazard| h.rule.id == rule && (h.status == Status::Firing || h.edge);
    evaluation.hazards.into_iter().filter(told).collect()
}

/// What fires by a rule over intents that are looked at one after the other.
pub fn all_fires(rule: &str, samples: &[Sample]) -> Vec<Hazard> {
    let mut findings = Findings::default();
    let units = units();
    let world = world(&samples[0].asked, &units, true);
    for sample in samples {
        findings.intent(&sample.intent, Rules::ALL, &world);
    }
    firing(findings, &Whole::default(), rule, &world)
}

/// How many fire by a rule.
pub fn fires(rule: &str, sample: &Sample) -> usize {
    sample.hazards(rule).len()
}

/// What fires by a rule over several intents that share something.
pub fn tied(rule: &str, tie: Tie, samples: &[Sample]) -> Vec<Hazard> {
    let mut findings = Findings::default();
    let units = units();
    let world = world(&samples[0].asked, &units, true);
    let intents: Vec<Intent> = samples.iter().map(|s| s.intent.clone()).collect();
    findings.tied(tie, &intents, &world);
    firing(findings, &Whole::default(), rule, &world)
}

/// How many.
pub fn tied_fires(rule: &str, tie: Tie, samples: &[Sample]) -> usize {
    tied(rule, tie, samples).len()
}

/// A run: tool, attempts with one set of arguments, and how many of those after the first were told yes.
pub fn run(id: &str, tools: &[(&str, u64, u64)]) -> Run {
    let mut run = Run { id: id.into(), first: Some(t0()), ..Run::default() };
    for (tool, attempts, ok) in tools {
        let used = Used { attempts: *attempts, retries: attempts - 1, ok: *ok };
        run.tools.entry((*tool).into()).or_default().add(used);
    }
    run
}

/// What a rule says of a run, close to its threshold included.
pub fn run_fires(rule: &str, run: &Run) -> Vec<Hazard> {
    let (asked, units) = (Asked::default(), units());
    let world = world(&asked, &units, true);
    let mut findings = Findings::default();
    findings.run(run, &world);
    firing(findings, &Whole::default(), rule, &world)
}

/// The one that fires.
pub fn run_only(rule: &str, run: &Run) -> Hazard {
    let mut all = run_fires(rule, run);
    assert_eq!(all.len(), 1, "{rule}: {all:?}");
    assert_eq!(all[0].status, Status::Firing);
    all.remove(0)
}

/// What a rule says of a case.
pub fn whole_fires(rule: &str, whole: &Whole, runs: &[Run], asked: &Asked) -> Vec<Hazard> {
    let units = units();
    let world = world(asked, &units, true);
    let mut findings = Findings::default();
    findings.whole(whole, runs, &world);
    firing(findings, whole, rule, &world)
}

/// A call of a run that cost so many cents.
pub fn cost(run: &str, sec: i64, minor: i64) -> Cost {
    let unit = units().intern("USD");
    Cost {
        when: Some(at_us(sec * SECOND).at),
        run: run.into(),
        tool: "scan".into(),
        money: Some(Money { unit, amount: Amount::minor(minor, 2) }),
        ..Cost::default()
    }
}

/// A quota of dollars for each run.
pub fn usd_quota(ceiling: &str) -> Asked {
    let quota = Quota {
        name: "each".into(),
        scope: Scope::Run,
        ceiling: ceiling.into(),
        currency: "USD".into(),
        in_prompt: false,
    };
    Asked { quotas: vec![quota], ..Asked::default() }
}

/// What H11 says of these costs.
pub fn costs_fire(asked: &Asked, costs: &[Cost]) -> Vec<Hazard> {
    whole_fires("H11", &Whole { costs: costs.to_vec(), ..Whole::default() }, &[], asked)
}

/// The one that it says.
pub fn costs_only(asked: &Asked, costs: &[Cost]) -> Hazard {
    let mut all = costs_fire(asked, costs);
    assert_eq!(all.len(), 1, "{all:?}");
    assert_eq!(all[0].status, Status::Firing);
    all.remove(0)
}
