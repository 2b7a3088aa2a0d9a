//! Runs as hazard rules see them: calls of any role by tool, and by operation or arguments.

use std::collections::{HashMap, HashSet};

use foldhash::fast::RandomState;

use crate::judge::calls::class_of;
use crate::judge::hazards::asked::Asked;
use crate::judge::hazards::facts::{Run, Used};
use crate::model::row::{At, Attempt, Shared};
use crate::model::time::Micros;

use super::super::case::Case;
use super::super::reread::payload_form;
use super::super::resolve::NameKind;
use super::by_id;
use super::seen::Seen;

/// Calls of one tool in one run that are the same again, while they are counted: those after the first need to know
/// which is the first.
#[derive(Clone, Copy)]
pub(super) struct Same {
    attempts: u64,
    ok: u64,
    first: (Micros, At),
    first_ok: bool,
    /// First send that is known.
    sent: Option<Micros>,
}

impl Same {
    fn add(&mut self, other: Self) {
        self.attempts += other.attempts;
        self.ok += other.ok;
        self.sent = [self.sent, other.sent].into_iter().flatten().min();
        if other.first < self.first {
            (self.first, self.first_ok) = (other.first, other.first_ok);
        }
    }

    fn used(&self) -> Used {
        Used { attempts: self.attempts, retries: self.attempts - 1, ok: self.ok - u64::from(self.first_ok) }
    }
}

/// A call without an operation id: where, the print of what it was sent with, and what became of it.
pub(super) type Loose = (Place, u64, Same);

/// A tool in a run.
pub(super) type Place = (Shared, Shared);

/// Calls of one tool in one run.
#[derive(Clone, Copy, Default)]
struct Sum {
    used: Used,
    /// First send.
    first: Option<Micros>,
}

/// Calls of each tool in each run.
#[derive(Default)]
pub(super) struct Sums(HashMap<Place, Sum, RandomState>);

impl Sums {
    fn add(&mut self, place: Place, same: &Same) {
        self.sum(place, Sum { used: same.used(), first: same.sent });
    }

    fn sum(&mut self, place: Place, other: Sum) {
        let sum = self.0.entry(place).or_default();
        sum.used.add(other.used);
        sum.first = [sum.first, other.first].into_iter().flatten().min();
    }

    /// Takes what others counted.
    pub(super) fn append(&mut self, other: Self) {
        for (place, sum) in other.0 {
            self.sum(place, sum);
        }
    }
}

impl Case {
    /// Runs at which a rule may find something, in order of the ids: those that reach a limit of H09 or H10, and every
    /// one that is named where H13 looks at them; with what each set out to do, where goal rules ask for it.
    pub(super) fn hazard_runs(&self, mut sums: Sums, loose: Vec<Loose>, asked: &Asked) -> Vec<Run> {
        let (retries, spans) = (asked.whole("H09", "retries"), asked.whole("H10", "spans"));
        let plans = !asked.goals.is_empty();
        let every = plans || !asked.annotations.is_empty();
        self.by_arguments(&mut sums, loose, retries);
        // Retries of a run, and the most calls of one tool.
        let mut most: HashMap<Shared, (u64, u64), RandomState> = HashMap::default();
        for ((run, _), sum) in &sums.0 {
            let (again, calls) = most.entry(*run).or_default();
            *again += sum.used.retries;
            *calls = (*calls).max(sum.used.attempts);
        }
        let told = |run: &Shared| {
            every || most.get(run).is_some_and(|(again, calls)| *again >= retries.max(1) || *calls >= spans)
        };
        let mut runs: HashMap<Shared, Run, RandomState> = HashMap::default();
        for ((run, tool), sum) in sums.0.into_iter().filter(|((run, _), _)| told(run)) {
            let one = runs.entry(run).or_insert_with(|| self.hazard_run(run, plans));
            one.first = [one.first, sum.first].into_iter().flatten().min();
            one.tools.entry(self.tables.tools.text(tool).to_owned()).or_default().add(sum.used);
        }
        by_id(runs.into_values().collect())
    }

    fn same(&self, row: &Attempt) -> Same {
        let ok = class_of(row, self.setting.tool(row.tool), self.setting.now).told_yes();
        let sent = (!row.sent.is_none()).then_some(row.sent);
        Same { attempts: 1, ok: u64::from(ok), first: (row.sent, row.at), first_ok: ok, sent }
    }

    /// Counts the calls of one intent, of any role, in their runs. Calls with one operation id are one again; those that
    /// nothing ties are each one by itself.
    pub(super) fn run_calls<'r>(
        &self,
        rows: impl Iterator<Item = &'r Attempt>,
        name: NameKind,
        seen: &mut Seen,
    ) {
        let mut again: Vec<(Place, Same)> = Vec::new();
        let mut rows = rows.filter(|row| row.run.is_some()).peekable();
        while let Some(row) = rows.next() {
            let (place, one) = ((row.run, row.tool), self.same(row));
            match (name, row.payload) {
                (NameKind::Operation, _) if again.is_empty() && rows.peek().is_none() => {
                    seen.sums.add(place, &one);
                }
                (NameKind::Operation, _) => match again.iter_mut().find(|(known, _)| *known == place) {
                    Some((_, same)) => same.add(one),
                    None => again.push((place, one)),
                },
                (_, 0) => seen.sums.add(place, &one),
                (_, print) => seen.loose.push((place, print, one)),
            }
        }
        for (place, same) in again {
            seen.sums.add(place, &same);
        }
    }

    /// Calls without an operation id: those with equal arguments are one again. A record of each set of arguments is
    /// read again for its canonical form, so only where a run may come to the limit by it.
    fn by_arguments(&self, sums: &mut Sums, loose: Vec<Loose>, limit: u64) {
        type Table = HashMap<(Place, u64), Same, RandomState>;
        fn add(table: &mut Table, name: (Place, u64), one: Same) {
            table.entry(name).and_modify(|same| same.add(one)).or_insert(one);
        }
        let mut table = Table::default();
        for (place, print, one) in loose {
            add(&mut table, (place, print), one);
        }
        if table.is_empty() {
            return;
        }
        let mut most: HashMap<Shared, (u64, HashSet<Shared, RandomState>), RandomState> = HashMap::default();
        for ((run, _), sum) in &sums.0 {
            most.entry(*run).or_default().0 += sum.used.retries;
        }
        for (((run, tool), _), same) in &table {
            let (retries, tools) = most.entry(*run).or_default();
            *retries += same.attempts;
            tools.insert(*tool);
        }
        let may = |run: &Shared| {
            most.get(run).is_some_and(|(retries, tools)| *retries >= limit.saturating_add(tools.len() as u64))
        };
        let mut together = Table::default();
        for ((place, print), same) in table {
            let form = || payload_form(&*self.places, same.first.1);
            let print = if may(&place.0) { form().unwrap_or(print) } else { print };
            add(&mut together, (place, print), same);
        }
        for ((place, _), same) in together {
            sums.add(place, &same);
        }
    }

    fn hazard_run(&self, run: Shared, plans: bool) -> Run {
        let info = self.tables.runs.get(run.place());
        let plan = || {
            let fields = self.places.fields(info?.begun?);
            fields.into_iter().find(|(name, _)| name == "plan").map(|(_, plan)| plan)
        };
        Run {
            id: self.tables.run_ids.text(run).to_owned(),
            scenario: info.map(|i| i.scenario.clone()).unwrap_or_default(),
            plan: if plans { plan().unwrap_or_default() } else { String::new() },
            ..Run::default()
        }
    }
}
