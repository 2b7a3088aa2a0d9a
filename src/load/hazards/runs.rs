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
use super::super::resolve::{NameKind, name_kind_of_bytes};
use super::super::run::{LOOSE, Run as Rows};
use super::{by_id, counts};

/// Calls of one tool in one run that are the same again, while they are counted: those after the first need to know
/// which is the first.
#[derive(Clone, Copy)]
struct Same {
    attempts: u64,
    ok: u64,
    first: (Micros, At),
    first_ok: bool,
}

impl Same {
    fn add(&mut self, other: Self) {
        self.attempts += other.attempts;
        self.ok += other.ok;
        if other.first < self.first {
            (self.first, self.first_ok) = (other.first, other.first_ok);
        }
    }

    fn used(&self) -> Used {
        Used {
            attempts: self.attempts,
            retries: self.attempts - 1,
            ok: self.ok - u64::from(self.first_ok),
        }
    }
}

/// A tool in a run.
type Place = (Shared, Shared);

/// Calls of one tool in one run.
#[derive(Clone, Copy, Default)]
struct Sum {
    used: Used,
    /// First send.
    first: Option<Micros>,
}

/// Calls of each tool in each run.
#[derive(Default)]
struct Sums(HashMap<Place, Sum, RandomState>);

impl Sums {
    fn add(&mut self, place: Place, used: Used, first: Option<Micros>) {
        let sum = self.0.entry(place).or_default();
        sum.used.add(used);
        sum.first = [sum.first, first].into_iter().flatten().min();
    }

    fn append(&mut self, other: Self) {
        for (place, sum) in other.0 {
            self.add(place, sum.used, sum.first);
        }
    }
}

/// Partitions that one worker counts before what it counted is put together.
const TOGETHER: usize = 16;

impl Case {
    /// Runs at which a rule may find something, in order of the ids: those that reach a limit of H09 or H10, and every
    /// one that is named where H13 looks at them; with what each set out to do, where goal rules ask for it.
    pub(super) fn hazard_runs(&self, asked: &Asked) -> Vec<Run> {
        let (retries, spans) = (asked.whole("H09", "retries"), asked.whole("H10", "spans"));
        let plans = !asked.goals.is_empty();
        let every = plans || !asked.annotations.is_empty();
        let mut sums = self.by_operation();
        self.by_arguments(&mut sums, retries);
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
        Same { attempts: 1, ok: u64::from(ok), first: (row.sent, row.at), first_ok: ok }
    }

    /// Calls with an operation id, and calls of which nothing says that they are another one again: each is one by itself.
    fn by_operation(&self) -> Sums {
        let parts = super::super::each(self.threads, (LOOSE + 1).div_ceil(TOGETHER), |no| {
            let mut sums = Sums::default();
            let mut same: HashMap<(Place, u32), (Same, Option<Micros>), RandomState> = HashMap::default();
            for part in (no * TOGETHER..(no + 1) * TOGETHER).take_while(|part| *part <= LOOSE) {
                for (r, run) in self.runs.iter().enumerate() {
                    for row in run.attempts.part(part).iter().filter(|a| a.run.is_some() && counts(a)) {
                        let sent = (!row.sent.is_none()).then_some(row.sent);
                        let (place, one) = ((row.run, row.tool), self.same(row));
                        match self.operation(run, r, row) {
                            Some(op) => {
                                let known = same.entry((place, op));
                                known
                                    .and_modify(|(all, first)| {
                                        all.add(one);
                                        *first = [*first, sent].into_iter().flatten().min();
                                    })
                                    .or_insert((one, sent));
                            }
                            None if row.payload == 0 => sums.add(place, one.used(), sent),
                            None => {}
                        }
                    }
                }
                for ((place, _), (all, first)) in same.drain() {
                    sums.add(place, all.used(), first);
                }
            }
            sums
        });
        let mut sums = Sums::default();
        parts.into_iter().for_each(|part| sums.append(part));
        sums
    }

    /// Calls without an operation id: those with equal arguments are one again. A record of each set of arguments is
    /// read again for its canonical form, so only where a run may come to the limit by it.
    fn by_arguments(&self, sums: &mut Sums, limit: u64) {
        type Table = HashMap<(Place, u64), (Same, Option<Micros>), RandomState>;
        fn add(table: &mut Table, name: (Place, u64), (one, sent): (Same, Option<Micros>)) {
            let known = table.entry(name);
            known
                .and_modify(|(all, first)| {
                    all.add(one);
                    *first = [*first, sent].into_iter().flatten().min();
                })
                .or_insert((one, sent));
        }
        let parts = super::super::each(self.threads, self.runs.len(), |r| {
            let mut table = Table::default();
            let Some(run) = self.runs.get(r) else { return table };
            let named = run.attempts.all().iter().filter(|a| a.run.is_some() && a.payload != 0 && counts(a));
            for row in named.filter(|row| self.operation(run, r, row).is_none()) {
                let sent = (!row.sent.is_none()).then_some(row.sent);
                add(&mut table, ((row.run, row.tool), row.payload), (self.same(row), sent));
            }
            table
        });
        let mut table = Table::default();
        for (name, same) in parts.into_iter().flatten() {
            add(&mut table, name, same);
        }
        if table.is_empty() {
            return;
        }
        let mut most: HashMap<Shared, (u64, HashSet<Shared, RandomState>), RandomState> = HashMap::default();
        for ((run, _), sum) in &sums.0 {
            most.entry(*run).or_default().0 += sum.used.retries;
        }
        for (((run, tool), _), (same, _)) in &table {
            let (retries, tools) = most.entry(*run).or_default();
            *retries += same.attempts;
            tools.insert(*tool);
        }
        let may = |run: &Shared| {
            most.get(run).is_some_and(|(retries, tools)| *retries >= limit.saturating_add(tools.len() as u64))
        };
        let mut together = Table::default();
        for ((place, print), same) in table {
            let form = || payload_form(&*self.places, same.0.first.1);
            let print = if may(&place.0) { form().unwrap_or(print) } else { print };
            add(&mut together, (place, print), same);
        }
        for ((place, _), (same, first)) in together {
            sums.add(place, same.used(), first);
        }
    }

    /// The operation of a call that carries an operation id.
    fn operation(&self, run: &Rows, r: usize, row: &Attempt) -> Option<u32> {
        let named = name_kind_of_bytes(run.name_bytes(row.name)) == NameKind::Operation;
        if named { self.groups.of(&self.runs, r, row.name).map(|op| op.0) } else { None }
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
