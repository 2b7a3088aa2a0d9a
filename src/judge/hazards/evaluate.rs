//! From what the rules found to hazards in one order, with what could not be looked at (`5-hazards.md` 5.0).

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::facts::{Intent, Run, Trace, Whole, World};
use super::fill::{counted, fill, first_ids};
use super::found::{Found, Hazard, Level, Status, Where};
use super::plain::Rules;
use super::quieting::quieten;
use super::rules::{Need, RULES, Rule, Test, Tie};
use crate::model::hush::Hush;
use crate::model::time::Micros;

/// What the rules found, in whatever order they were asked.
#[derive(Debug, Default)]
pub struct Findings {
    /// What stands by itself, in words.
    told: Vec<Hazard>,
    /// What is put together per tool or source: the rule, and what it found.
    weighed: Vec<(usize, Found)>,
}

impl Findings {
    fn each(&mut self, rules: Rules, world: &World<'_>, mut ask: impl FnMut(&Test) -> Vec<Found>) {
        for (no, rule) in RULES.iter().enumerate().filter(|(no, _)| rules.holds(*no)) {
            for found in rule.tests.iter().flat_map(&mut ask) {
                if found.weight.is_some() {
                    self.weighed.push((no, found));
                } else {
                    self.told.push(hazard(rule, found, world));
                }
            }
        }
    }

    /// Looks at one intent by some rules.
    pub fn intent(&mut self, intent: &Intent, rules: Rules, world: &World<'_>) {
        self.each(
            rules,
            world,
            |test| if let Test::Intent(ask) = test { ask(intent, world) } else { Vec::new() },
        );
    }

    /// Looks at several intents that share something, in order of their first send.
    pub fn tied(&mut self, tie: Tie, intents: &[Intent], world: &World<'_>) {
        self.each(Rules::ALL, world, |test| match test {
            Test::Tied(of, ask) if *of == tie => ask(intents, world),
            _ => Vec::new(),
        });
    }

    /// Looks at one run.
    pub fn run(&mut self, run: &Run, world: &World<'_>) {
        self.each(
            Rules::ALL,
            world,
            |test| if let Test::Run(ask) = test { ask(run, world) } else { Vec::new() },
        );
    }

    /// Looks at the whole case.
    pub fn whole(&mut self, whole: &Whole, runs: &[Run], world: &World<'_>) {
        self.each(Rules::ALL, world, |test| {
            if let Test::Whole(ask) = test { ask(whole, runs, world) } else { Vec::new() }
        });
    }

    /// Takes what was found elsewhere.
    pub fn append(&mut self, mut other: Self) {
        self.told.append(&mut other.told);
        self.weighed.append(&mut other.weighed);
    }

    /// How much was found.
    pub fn len(&self) -> usize {
        self.told.len() + self.weighed.len()
    }

    /// Nothing was found.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// Every hazard of a case, the firing ones first.
#[derive(Debug, Default)]
pub struct Evaluation {
    /// In order of (status, level, rule, first seen, where).
    pub hazards: Vec<Hazard>,
}

impl Evaluation {
    /// Puts together what was found, and says what was quiet and what could not be looked at.
    pub fn new(findings: Findings, whole: &Whole, plans: bool, world: &World<'_>) -> Self {
        let mut hazards = findings.told;
        let together = together(findings.weighed);
        hazards.extend(together.into_iter().map(|(no, found)| hazard(&RULES[no], found, world)));
        for rule in &RULES {
            let gaps = gaps(rule, whole, plans, world);
            let said = hazards.iter().any(|h| h.rule == rule);
            if !said && !gaps.nowhere {
                hazards.push(Hazard { status: Status::Quiet, ..silent(rule) });
            }
            for (place, reason) in gaps.missing {
                hazards.push(Hazard { status: Status::NotEvaluable, place, reason, ..silent(rule) });
            }
        }
        let mut evaluation = Self { hazards };
        evaluation.sort();
        evaluation
    }

    /// Makes quiet what somebody wrote down, as far as that still holds (5.0).
    pub fn quieten(&mut self, hushed: &[Hush], now: Micros) {
        if hushed.is_empty() {
            return;
        }
        quieten(&mut self.hazards, hushed, now);
        self.sort();
    }

    fn sort(&mut self) {
        fn place(p: &Where) -> (&str, &str, &str, &str) {
            (&p.intent, &p.run, &p.tool, &p.source)
        }
        // A hazard is large: what is sorted is its place, by numbers before texts, and each one is moved once.
        let numbers = |(no, h): (usize, &Hazard)| ((h.status, h.level, h.rule.id, h.first_seen), no);
        let mut places: Vec<_> = self.hazards.iter().enumerate().map(numbers).collect();
        places.sort_unstable_by(|a, b| {
            a.0.cmp(&b.0).then_with(|| {
                let texts = |no: usize| self.hazards.get(no).map(|h| (place(&h.place), &h.what));
                texts(a.1).cmp(&texts(b.1)).then(a.1.cmp(&b.1))
            })
        });
        let mut all: Vec<Option<Hazard>> = std::mem::take(&mut self.hazards).into_iter().map(Some).collect();
        let moved = places.into_iter().filter_map(|(_, no)| all.get_mut(no).and_then(Option::take));
        self.hazards = moved.collect();
    }

    /// How many have a status.
    pub fn count(&self, status: Status) -> usize {
        self.hazards.iter().filter(|h| h.status == status).count()
    }

    /// The firing ones.
    pub fn firing(&self) -> impl Iterator<Item = &Hazard> {
        self.hazards.iter().filter(|h| h.status == Status::Firing)
    }

    /// Those that somebody made quiet.
    pub fn quieted(&self) -> impl Iterator<Item = &Hazard> {
        self.hazards.iter().filter(|h| h.status == Status::Quieted)
    }

    /// How many fire at a level or above it.
    pub fn reach(&self, level: Level) -> usize {
        self.firing().filter(|h| h.level.reaches(level)).count()
    }
}

/// Rules that need declared tools or an intent log fire once per tool or source: the heaviest speaks for all.
fn together(weighed: Vec<(usize, Found)>) -> Vec<(usize, Found)> {
    let mut all = Vec::new();
    let mut groups: BTreeMap<(usize, String, String), Vec<Found>> = BTreeMap::new();
    for (no, found) in weighed {
        groups.entry((no, found.place.tool.clone(), found.place.source.clone())).or_default().push(found);
    }
    for ((no, ..), mut group) in groups {
        // Nothing may depend on the order in which intents were looked at.
        group.sort_by(|a, b| (a.first_seen, &a.place.intent).cmp(&(b.first_seen, &b.place.intent)));
        let first_seen = group.iter().map(|f| f.first_seen).filter(|at| !at.is_none()).min();
        let level = group.iter().filter_map(|f| f.level).min();
        let count: usize = group.iter().map(|f| f.count).sum();
        let subjects: Vec<String> = group.iter().flat_map(|f| f.subjects.clone()).collect();
        let heaviest = group.iter().enumerate().max_by_key(|(at, f)| (f.weight, std::cmp::Reverse(*at)));
        let Some(mut spokesman) = heaviest.map(|(_, f)| f.clone()) else { continue };
        if count > 1 {
            spokesman.place.intent.clear();
            spokesman.place.run.clear();
            spokesman.place.attempts.clear();
        }
        let first_seen = first_seen.unwrap_or(Micros::NONE);
        all.push((no, Found { level, subjects, count, first_seen, ..spokesman }));
    }
    all
}

fn hazard(rule: &'static Rule, found: Found, world: &World<'_>) -> Hazard {
    let mut values = found.values;
    let count = found.subjects.len().max(found.count);
    // Most texts name neither.
    if rule.what.contains("{intents}") {
        values.push(("intents", counted(count as u64, "intent", "intents")));
    }
    if rule.what.contains("{ids}") {
        values.push(("ids", first_ids(&found.subjects, count)));
    }
    let subjects = found.subjects;
    Hazard {
        rule,
        status: if found.fires { Status::Firing } else { Status::Quiet },
        level: found.level.unwrap_or(rule.level),
        place: found.place,
        subjects,
        count: found.count,
        measured: found.measured,
        threshold: found.threshold,
        edge: found.edge,
        first_seen: found.first_seen,
        what: fill(rule.what, &values),
        todo: todo(rule, world),
        reason: String::new(),
        quieted: None,
    }
}

/// What to do: as the config says, else as the rule does.
fn todo(rule: &Rule, world: &World<'_>) -> Cow<'static, str> {
    let own = world.asked.advice.iter().find(|(id, _)| id == rule.id);
    own.map_or(Cow::Borrowed(rule.todo), |(_, text)| Cow::Owned(text.clone()))
}

fn silent(rule: &'static Rule) -> Hazard {
    Hazard {
        rule,
        status: Status::Quiet,
        level: rule.level,
        place: Where::default(),
        subjects: Vec::new(),
        count: 0,
        measured: Cow::Borrowed(""),
        threshold: Cow::Borrowed(""),
        edge: false,
        first_seen: Micros::NONE,
        what: String::new(),
        todo: Cow::Borrowed(""),
        reason: String::new(),
        quieted: None,
    }
}

/// What a rule could not look at.
struct Gaps {
    missing: Vec<(Where, String)>,
    /// It could look at nothing.
    nowhere: bool,
}

fn gaps(rule: &Rule, whole: &Whole, plans: bool, world: &World<'_>) -> Gaps {
    let in_case = |need: &Need| in_case(*need, plans, world);
    // What belongs to no trace is said once.
    let once = [Need::Goals, Need::Annotations];
    if let Some(reason) = rule.needs.iter().filter(|n| once.contains(n)).find_map(in_case) {
        return Gaps { missing: vec![(Where::default(), reason)], nowhere: true };
    }
    let traces: Vec<&Trace> = world.traces.iter().filter(|t| t.attempts).collect();
    if traces.is_empty() && rule.needs.contains(&Need::Attempts) {
        return Gaps {
            missing: vec![(Where::default(), "no attempts are loaded".to_owned())],
            nowhere: true,
        };
    }
    let mut missing = Vec::new();
    let (mut looked, mut declared) = (false, false);
    for trace in world.traces.iter().filter(|t| t.attempts || !rule.needs.contains(&Need::Attempts)) {
        let lacks = rule.needs.iter().find_map(|need| in_case(need).or_else(|| in_trace(*need, trace)));
        if let Some(reason) = lacks {
            missing.push((Where { source: trace.name.clone(), ..Where::default() }, reason));
            continue;
        }
        looked = true;
        if !rule.needs.contains(&Need::Declared) {
            continue;
        }
        for tool in &trace.tools {
            match undeclared(rule, tool, whole, world) {
                None => declared = true,
                Some(reason) => {
                    let place = Where { tool: tool.clone(), ..Where::default() };
                    if !missing.iter().any(|(known, _)| *known == place) {
                        missing.push((place, reason));
                    }
                }
            }
        }
    }
    if world.traces.is_empty() {
        let reason = rule.needs.iter().find_map(in_case);
        missing.push((Where::default(), reason.unwrap_or_else(|| "no trace is loaded".to_owned())));
    }
    let nowhere = !looked || (rule.needs.contains(&Need::Declared) && !declared);
    Gaps { missing, nowhere }
}

/// What the case lacks for a need, in words.
fn in_case(need: Need, plans: bool, world: &World<'_>) -> Option<String> {
    let asked = world.asked;
    let (has, words) = match need {
        Need::Records => (world.records, "no intent log is loaded"),
        Need::States => (world.states, "no changes of state are loaded"),
        Need::Effects => (world.ledgers, "no ledger is loaded"),
        Need::Annotations => (!asked.annotations.is_empty(), "no annotations are loaded"),
        Need::Goals if asked.annotations.is_empty() && asked.goals.is_empty() => {
            (false, "no goal rules and no annotations are loaded")
        }
        Need::Goals => (plans || !asked.annotations.is_empty(), "no run says what it set out to do"),
        _ => (true, ""),
    };
    (!has).then(|| words.to_owned())
}

/// What a trace lacks for a need, in words.
fn in_trace(need: Need, trace: &Trace) -> Option<String> {
    let (has, words) = match need {
        Need::Keys => (trace.keys, "no keys"),
        Need::Payloads => (trace.payloads, "no payloads"),
        Need::Times => (trace.times, "no times"),
        Need::Runs => (trace.runs, "no run ids"),
        Need::Reads => (trace.reads, "no read-backs and no reading tools"),
        Need::Costs => (trace.costs, "no costs"),
        _ => (true, ""),
    };
    (!has).then(|| format!("{words} in {}", trace.name))
}

/// What nobody declared of a tool, where the rule needs it.
fn undeclared(rule: &Rule, tool: &str, whole: &Whole, world: &World<'_>) -> Option<String> {
    let Some(declared) = world.tool(tool) else {
        return Some("the tool is not declared".to_owned());
    };
    // A tool whose keys are sent once, and for which nobody plans more, needs no retention.
    let needs_retention = declared.windows > 0 || whole.repeated.contains(tool);
    (rule.id == "H12" && declared.retention.is_none() && needs_retention)
        .then(|| "its retention is not declared".to_owned())
}
