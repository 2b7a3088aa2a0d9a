//! Reading all sources: files in slices by several workers, databases and whole files as jobs of their own
//! (`engine.md` 4).

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use crate::model::row::{At, SourceNo};
use crate::sources::event::{
    AttemptEvent, EffectEvent, ProblemEvent, ReadBackEvent, RecordEvent, RunEvent, Sink, StateEvent,
};
use crate::sources::frame::Stretch;
use crate::sources::open::{Finished, Opened, Worker};

use super::builder::Builder;
use super::reading::Reading;
use super::slice::Slice;
use super::{Options, Progress};

/// Input bytes per slice. Slice k holds the k-th part of every file that can be cut, so rows of one moment meet in
/// one worker.
const SLICE: u64 = 4 << 20;

/// Rows after which a job that is not cut seals a slice.
const SEALED_AFTER: usize = 1 << 16;

/// What was read.
pub struct Outcome {
    /// Slices in order.
    pub slices: Vec<Slice>,
    /// Per source: what is known after its end, or why it could not be read to its end.
    pub finished: Vec<Result<Finished, String>>,
}

/// Reads everything that could be opened.
pub fn read(opened: &[Option<Opened>], reading: &Reading, options: &Options<'_>) -> Outcome {
    let mut cut: Vec<usize> = Vec::new();
    let mut whole: Vec<usize> = Vec::new();
    for (no, source) in opened.iter().enumerate() {
        match source {
            Some(source) if source.splits().unwrap_or(false) => cut.push(no),
            Some(_) => whole.push(no),
            None => {}
        }
    }
    let bytes: u64 = cut.iter().filter_map(|no| opened.get(*no)?.as_ref()).map(Opened::len).sum();
    let slices =
        usize::try_from(bytes / SLICE).unwrap_or(usize::MAX).clamp(usize::from(!cut.is_empty()), 1 << 14);
    let work = Work {
        opened,
        reading,
        options,
        cut,
        whole,
        slices,
        next: AtomicUsize::new(0),
        done_bytes: opened.iter().map(|_| AtomicU64::new(0)).collect(),
        out: Mutex::new(Vec::new()),
        records: opened.iter().map(|_| AtomicU64::new(0)).collect(),
        stretches: opened.iter().map(|_| Mutex::default()).collect(),
        finished: Mutex::new(vec![Ok(Finished::default()); opened.len()]),
    };
    let threads = options.threads.clamp(1, work.jobs().max(1));
    if threads == 1 {
        work.run();
    } else {
        std::thread::scope(|scope| {
            for _ in 0..threads {
                scope.spawn(|| work.run());
            }
        });
    }
    work.end()
}

/// The list of jobs and what comes of them.
struct Work<'a> {
    opened: &'a [Option<Opened>],
    reading: &'a Reading,
    options: &'a Options<'a>,
    /// Sources that are read in parts.
    cut: Vec<usize>,
    /// Sources that one worker reads.
    whole: Vec<usize>,
    slices: usize,
    next: AtomicUsize,
    done_bytes: Vec<AtomicU64>,
    out: Mutex<Vec<(usize, Slice)>>,
    records: Vec<AtomicU64>,
    stretches: Vec<Mutex<Vec<Stretch>>>,
    finished: Mutex<Vec<Result<Finished, String>>>,
}

impl Work<'_> {
    /// Whole sources first: they take longest and cannot be shared.
    fn jobs(&self) -> usize {
        self.whole.len() + self.slices
    }

    fn run(&self) {
        let mut workers: Vec<Option<Worker<'_>>> = self.opened.iter().map(|_| None).collect();
        let mut builder = Builder::new(self.reading);
        loop {
            let job = self.next.fetch_add(1, Ordering::Relaxed);
            if job >= self.jobs() || self.options.cancel.load(Ordering::Relaxed) {
                break;
            }
            match self.whole.get(job) {
                Some(no) => self.whole(job, *no),
                None => self.slice(job, &mut workers, &mut builder),
            }
        }
    }

    fn whole(&self, job: usize, no: usize) {
        let Some(source) = self.opened.get(no).and_then(Option::as_ref) else {
            return;
        };
        let Ok(number) = u16::try_from(no) else { return };
        let mut sink = Sealing { builder: Builder::new(self.reading), done: Vec::new() };
        let finished = source.read_all(SourceNo(number), &self.options.cancel, &mut sink);
        self.progress(no, source.len());
        let mut slices = sink.done;
        slices.push(sink.builder.seal());
        self.keep(slices.into_iter().map(|s| (job, s)));
        self.finish(no, finished.map_err(|e| e.to_string()));
    }

    fn slice<'w>(&'w self, job: usize, workers: &mut [Option<Worker<'w>>], builder: &mut Builder<'w>) {
        let k = (job - self.whole.len()) as u64;
        for no in &self.cut {
            let Some(source) = self.opened.get(*no).and_then(Option::as_ref) else {
                continue;
            };
            let Some(slot) = workers.get_mut(*no) else {
                continue;
            };
            if slot.is_none() {
                *slot = u16::try_from(*no).ok().and_then(|number| source.worker(SourceNo(number)));
            }
            let Some(worker) = slot else { continue };
            // Products of lengths and slices stay below 2^64 for files below a petabyte.
            let border = |k: u64| {
                source.len() / self.slices as u64 * k
                    + source.len() % self.slices as u64 * k / self.slices as u64
            };
            let part = border(k)..border(k + 1);
            let bytes = part.end - part.start;
            match worker.part(part, &self.options.cancel, builder) {
                Ok(tally) => {
                    let records = tally.records + worker.finish(builder);
                    if let Some(all) = self.stretches.get(*no) {
                        all.lock().unwrap_or_else(PoisonError::into_inner).extend(tally.stretches);
                    }
                    if let Some(count) = self.records.get(*no) {
                        count.fetch_add(records, Ordering::Relaxed);
                    }
                }
                Err(error) => self.finish(*no, Err(error.to_string())),
            }
            self.progress(*no, bytes);
        }
        self.keep(std::iter::once((job, builder.seal())));
    }

    fn keep(&self, slices: impl Iterator<Item = (usize, Slice)>) {
        self.out.lock().unwrap_or_else(PoisonError::into_inner).extend(slices);
    }

    fn finish(&self, no: usize, finished: Result<Finished, String>) {
        if let Some(slot) = self.finished.lock().unwrap_or_else(PoisonError::into_inner).get_mut(no) {
            *slot = finished;
        }
    }

    fn progress(&self, no: usize, bytes: u64) {
        let Some(done) = self.done_bytes.get(no) else {
            return;
        };
        let done = done.fetch_add(bytes, Ordering::Relaxed) + bytes;
        if let Some(tell) = self.options.progress {
            let of = self.opened.get(no).and_then(Option::as_ref).map_or(0, Opened::len);
            tell(Progress { source: no, done, of });
        }
    }

    /// What can only be said at the end, and everything in order.
    fn end(self) -> Outcome {
        let mut finished = self.finished.into_inner().unwrap_or_else(PoisonError::into_inner);
        let mut builder = Builder::new(self.reading);
        for no in &self.cut {
            let (Some(source), Some(Ok(known))) =
                (self.opened.get(*no).and_then(Option::as_ref), finished.get_mut(*no))
            else {
                continue;
            };
            known.records = self.records.get(*no).map_or(0, |r| r.load(Ordering::Relaxed));
            if let Some(stretches) = self.stretches.get(*no) {
                source.learn_lines(std::mem::take(
                    &mut *stretches.lock().unwrap_or_else(PoisonError::into_inner),
                ));
            }
            if let Ok(number) = u16::try_from(*no) {
                source.after(SourceNo(number), known, &mut builder);
            }
        }
        let mut out = self.out.into_inner().unwrap_or_else(PoisonError::into_inner);
        out.sort_by_key(|(job, _)| *job);
        let mut slices: Vec<Slice> = out.into_iter().map(|(_, s)| s).collect();
        slices.push(builder.seal());
        Outcome { slices, finished }
    }
}

/// A builder that seals a slice now and then, for sources that are not cut.
struct Sealing<'a> {
    builder: Builder<'a>,
    done: Vec<Slice>,
}

impl Sealing<'_> {
    fn now_and_then(&mut self) {
        if self.builder.len() >= SEALED_AFTER {
            self.done.push(self.builder.seal());
        }
    }
}

impl Sink for Sealing<'_> {
    fn run(&mut self, at: At, event: &RunEvent<'_>) {
        self.builder.run(at, event);
    }

    fn attempt(&mut self, at: At, event: &AttemptEvent<'_>) {
        self.builder.attempt(at, event);
        self.now_and_then();
    }

    fn record(&mut self, at: At, event: &RecordEvent<'_>) {
        self.builder.record(at, event);
        self.now_and_then();
    }

    fn state(&mut self, at: At, event: &StateEvent<'_>) {
        self.builder.state(at, event);
    }

    fn read_back(&mut self, at: At, event: &ReadBackEvent<'_>) {
        self.builder.read_back(at, event);
    }

    fn effect(&mut self, at: At, event: &EffectEvent<'_>) {
        self.builder.effect(at, event);
        self.now_and_then();
    }

    fn set_aside(&mut self, at: At, rule: &'static str, event: &EffectEvent<'_>) {
        self.builder.set_aside(at, rule, event);
    }

    fn problem(&mut self, at: At, event: ProblemEvent) {
        self.builder.problem(at, event);
    }

    fn skipped(&mut self, source: SourceNo, rule: &'static str) {
        self.builder.skipped(source, rule);
    }

    fn skipped_line(&mut self, at: At, rule: &'static str, line: &[u8]) {
        self.builder.skipped_line(at, rule, line);
    }

    fn used(&mut self, source: SourceNo) {
        self.builder.used(source);
    }
}
