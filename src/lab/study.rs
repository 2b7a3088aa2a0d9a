//! Many runs: policies by fault positions, counted in the store.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use super::LabError;
use super::agent::Script;
use super::run::{Plan, Ran, run};
use super::setup::{Choice, Fault, Mode, OPERATION, Policy};

/// Where the answer is lost.
pub const POSITIONS: [(Fault, &str); 2] = [
    (Fault::DisconnectBeforeCommit, "lost before the effect"),
    (Fault::CommitThenDisconnect, "lost after the commit"),
];

/// A study to make.
#[derive(Clone, Debug)]
pub struct Study {
    /// Runs of each cell.
    pub trials: usize,
    /// The server.
    pub mode: Mode,
    /// What the neutral script does; drawn for each run where there is a seed.
    pub choice: Choice,
    /// The seed.
    pub seed: Option<u64>,
    /// It ends at the first double refund.
    pub stop_at_first: bool,
    /// This program.
    pub program: PathBuf,
    /// Where each run leaves its files.
    pub folder: PathBuf,
}

/// Outcomes of one policy at one position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cell {
    /// Runs with exactly one refund.
    pub once: usize,
    /// Runs with more than one.
    pub twice: usize,
    /// Runs without one.
    pub zero: usize,
}

/// What came of a study.
#[derive(Clone, Debug)]
pub struct Table {
    /// Each policy with its cells, in the order of [`POSITIONS`].
    pub rows: Vec<(Policy, Vec<Cell>)>,
    /// Runs that were made.
    pub runs: usize,
    /// It ended at a double refund.
    pub stopped: bool,
}

/// The policies, in the order of the published table.
pub fn policies(choice: Choice) -> [Policy; 4] {
    [Policy::RetryOnce, Policy::Neutral(choice), Policy::DoNotRetry, Policy::StateAware]
}

/// Refunds that a run has made for its operation.
pub fn refunds(ran: &Ran) -> usize {
    ran.rows.iter().filter(|row| row.operation_id.as_deref() == Some(OPERATION)).count()
}

/// Makes all runs, as many at a time as there are cores: each has its own store, so they cannot touch each other.
///
/// # Errors
/// The first error of a run.
pub fn study(study: &Study) -> Result<Table, LabError> {
    let policies = policies(study.choice);
    let mut jobs = Vec::new();
    for (row, policy) in policies.into_iter().enumerate() {
        for (column, (fault, _)) in POSITIONS.into_iter().enumerate() {
            jobs.extend((0..study.trials).map(|trial| (row, column, policy, fault, trial)));
        }
    }
    let next = AtomicUsize::new(0);
    let stop = AtomicBool::new(false);
    let cells = Mutex::new([[Cell::default(); POSITIONS.len()]; 4]);
    let failed = Mutex::new(None);
    let hold = |mutex: &Mutex<Option<LabError>>, why| {
        mutex.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(why);
    };
    let work = || {
        while !stop.load(Ordering::Relaxed) {
            let Some((row, column, policy, fault, trial)) = jobs.get(next.fetch_add(1, Ordering::Relaxed))
            else {
                return;
            };
            let ran = one(study, *policy, *fault, *trial);
            match ran {
                Err(why) => {
                    hold(&failed, why);
                    stop.store(true, Ordering::Relaxed);
                }
                Ok(ran) => {
                    let mut cells = cells.lock().unwrap_or_else(PoisonError::into_inner);
                    let Some(cell) = cells.get_mut(*row).and_then(|row| row.get_mut(*column)) else { return };
                    match refunds(&ran) {
                        0 => cell.zero += 1,
                        1 => cell.once += 1,
                        _ => {
                            cell.twice += 1;
                            if study.stop_at_first {
                                stop.store(true, Ordering::Relaxed);
                            }
                        }
                    }
                }
            }
        }
    };
    // One after the other where the first double ends it: which one is the first must not depend on luck.
    let workers = if study.stop_at_first {
        1
    } else {
        std::thread::available_parallelism().map_or(1, |n| n.get().min(8))
    };
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(work);
        }
    });
    if let Some(why) = failed.into_inner().unwrap_or_else(PoisonError::into_inner) {
        return Err(why);
    }
    let cells = cells.into_inner().unwrap_or_else(PoisonError::into_inner);
    let rows: Vec<(Policy, Vec<Cell>)> =
        policies.into_iter().zip(cells).map(|(policy, cells)| (policy, cells.to_vec())).collect();
    let counted = rows.iter().flat_map(|(_, cells)| cells).map(|cell| cell.once + cell.twice + cell.zero);
    let runs = counted.sum();
    Ok(Table { rows, runs, stopped: study.stop_at_first && stop.load(Ordering::Relaxed) })
}

fn one(study: &Study, policy: Policy, fault: Fault, trial: usize) -> Result<Ran, LabError> {
    let policy = match (policy, study.seed) {
        (Policy::Neutral(_), Some(seed)) => Policy::Neutral(Choice::drawn(seed, trial as u64)),
        (policy, _) => policy,
    };
    let folder = study.folder.join(policy.word()).join(fault.word()).join(format!("run-{:03}", trial + 1));
    std::fs::create_dir_all(&folder).map_err(|why| LabError::file("create", &folder, &why))?;
    run(&Plan {
        scenario: "study",
        script: Script { policy, looks_around: false },
        mode: study.mode,
        faults: vec![fault],
        program: study.program.clone(),
        folder,
        hold_after_send: None,
    })
}
