//! Runs as hazard rules see them: calls of any role by tool, and by operation or arguments.

use std::collections::{HashMap, HashSet};

use foldhash::fast::RandomState;

use crate::judge::calls::class_of;
use crate::judge::hazards::facts::{Run, Same};
use crate::model::row::{At, Attempt, Shared};
use crate::model::time::Micros;

use super::super::case::Case;
use super::super::reread::payload_form;
use super::super::resolve::{NameKind, name_kind};
use super::super::run::Run as Rows;
use super::{by_id, counts};

/// What makes two calls of a tool the same one again.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum What {
    Operation(u32),
    Arguments(u64),
    /// Nothing says: each is one by itself.
    Alone(At),
}

/// Calls of one kind while they are counted: those after the first need to know which is the first.
#[derive(Clone, Copy)]
struct Counted {
    attempts: u64,
    ok: u64,
    first: (Micros, At),
    first_ok: bool,
}

impl Counted {
    fn add(&mut self, other: Self) {
        self.attempts += other.attempts;
        self.ok += other.ok;
        if other.first < self.first {
            (self.first, self.first_ok) = (other.first, other.first_ok);
        }
    }
}

type Table = HashMap<(Shared, Shared, What), Counted, RandomState>;

impl Case {
    /// Every run that is named, in order of the ids; with what each set out to do, where that is wanted. Arguments are
    /// compared by their canonical form (`1-model.md` 1.6) in runs that may reach this many retries.
    pub(super) fn hazard_runs(&self, plans: bool, limit: u64) -> Vec<Run> {
        let parts = super::super::each(self.threads, self.runs.len(), |r| {
            let mut table = Table::default();
            let Some(run) = self.runs.get(r) else { return table };
            for row in run.attempts.all().iter().filter(|a| a.run.is_some() && counts(a)) {
                let ok = class_of(row, self.setting.tool(row.tool), self.setting.now).told_yes();
                let one = Counted { attempts: 1, ok: u64::from(ok), first: (row.sent, row.at), first_ok: ok };
                let name = (row.run, row.tool, self.what(run, r, row));
                table.entry(name).and_modify(|known| known.add(one)).or_insert(one);
            }
            table
        });
        let mut table = Table::default();
        for (name, counted) in parts.into_iter().flatten() {
            table.entry(name).and_modify(|known| known.add(counted)).or_insert(counted);
        }
        let table = self.canonical(table, limit);
        let mut runs: HashMap<Shared, Run, RandomState> = HashMap::default();
        for ((run, tool, _), counted) in table {
            let one = runs.entry(run).or_insert_with(|| self.hazard_run(run, plans));
            let begun = Some(counted.first.0).filter(|at| !at.is_none());
            one.first = [one.first, begun].into_iter().flatten().min();
            let same = Same { attempts: counted.attempts, ok: counted.ok - u64::from(counted.first_ok) };
            one.tools.entry(self.tables.tools.text(tool).to_owned()).or_default().push(same);
        }
        by_id(runs.into_values().collect())
    }

    /// Puts together what has other arguments only as they are written. A record of each is read again, so only where
    /// a run may come to the limit by it.
    fn canonical(&self, table: Table, limit: u64) -> Table {
        let mut most: HashMap<Shared, (u64, HashSet<Shared, RandomState>), RandomState> = HashMap::default();
        for ((run, tool, what), counted) in &table {
            let (retries, tools) = most.entry(*run).or_default();
            *retries += match what {
                What::Arguments(_) => {
                    tools.insert(*tool);
                    counted.attempts
                }
                _ => counted.attempts - 1,
            };
        }
        let may = |run: &Shared| {
            most.get(run).is_some_and(|(retries, tools)| *retries >= limit.saturating_add(tools.len() as u64))
        };
        let mut together = Table::default();
        for ((run, tool, what), counted) in table {
            let what = match what {
                What::Arguments(print) if may(&run) => {
                    What::Arguments(payload_form(&*self.places, counted.first.1).unwrap_or(print))
                }
                other => other,
            };
            together.entry((run, tool, what)).and_modify(|known| known.add(counted)).or_insert(counted);
        }
        together
    }

    fn what(&self, run: &Rows, r: usize, row: &Attempt) -> What {
        let operation = name_kind(run.name(row.name)).0 == NameKind::Operation;
        let op = if operation { self.groups.of(&self.runs, r, row.name) } else { None };
        match (op, row.payload) {
            (Some(op), _) => What::Operation(op.0),
            (None, 0) => What::Alone(row.at),
            (None, print) => What::Arguments(print),
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
