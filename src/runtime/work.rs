//! Workers: one thread per reading, one for searches and records. Results come back with the number of the request.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Sender};
use std::thread;

use super::event::Event;
use super::loader::{Loader, Watch};
use super::settler;
use crate::app::case::{CaseView, Exported};
use crate::app::msg::{Cmd, Msg};
use crate::app::progress::{Failure, Loading};
use crate::app::settle::booked::Todo;
use crate::model::row::At;
use crate::query::Query;

/// Something to be looked up in a loaded case.
enum Job {
    Search { case: Arc<dyn CaseView>, generation: u64, search: u64, query: Query },
    Raw { case: Arc<dyn CaseView>, request: u64, at: At },
    Report { case: Arc<dyn CaseView>, intent: Option<u32> },
    Export { case: Arc<dyn CaseView>, view: Box<Exported> },
    LookUp { case: Arc<dyn CaseView>, cmd: Cmd },
}

impl Job {
    /// A newer job of the same kind makes an older one pointless.
    fn kind(&self) -> Option<u8> {
        match self {
            Self::Search { .. } => Some(0),
            Self::LookUp { cmd: Cmd::Sort { .. }, .. } => Some(1),
            Self::LookUp { cmd: Cmd::Group { .. }, .. } => Some(2),
            _ => None,
        }
    }
}

/// The workers.
pub struct Workers {
    events: Sender<Event>,
    loader: Arc<dyn Loader>,
    jobs: Sender<Job>,
    /// What forms ask for, with the case that they are about.
    todos: Sender<(Arc<dyn CaseView>, Todo)>,
    /// Of the newest reading.
    stop: Arc<AtomicBool>,
}

/// Reports of one reading.
struct Reports {
    events: Sender<Event>,
    generation: u64,
    stop: Arc<AtomicBool>,
}

impl Watch for Reports {
    fn progressed(&self, loading: Loading) {
        let _ = self.events.send(Event::Msg(Msg::Progressed { generation: self.generation, loading }));
    }

    fn stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}

impl Workers {
    /// Starts the thread for searches and records.
    ///
    /// # Errors
    /// Where the system gives no thread.
    pub fn start(events: Sender<Event>, loader: Arc<dyn Loader>) -> io::Result<Self> {
        let (jobs, queue) = mpsc::channel::<Job>();
        let answers = events.clone();
        let work = move || {
            while let Ok(job) = queue.recv() {
                // Only the newest of several searches, orders or groups matters.
                let mut waiting: Vec<Job> = vec![job];
                waiting.extend(queue.try_iter());
                let kinds: Vec<Option<u8>> = waiting.iter().map(Job::kind).collect();
                for (at, job) in waiting.into_iter().enumerate() {
                    let newer = || kinds.iter().skip(at + 1).any(|kind| *kind == job.kind());
                    if job.kind().is_some() && newer() {
                        continue;
                    }
                    let event = match catch_unwind(AssertUnwindSafe(|| answer(job))) {
                        Ok(Some(msg)) => Event::Msg(msg),
                        Ok(None) => continue,
                        Err(_) => Event::Panicked,
                    };
                    if answers.send(event).is_err() {
                        return;
                    }
                }
            }
        };
        thread::Builder::new().name("lookup".to_owned()).spawn(work)?;
        let todos = settling(events.clone(), Arc::clone(&loader))?;
        Ok(Self { events, loader, jobs, todos, stop: Arc::default() })
    }

    /// Something about the book, one after the other.
    pub fn settle(&self, case: Arc<dyn CaseView>, todo: Todo) {
        let _ = self.todos.send((case, todo));
    }

    /// Reads the sources in a thread of its own. A reading that goes on is told to stop: its result is not waited
    /// for, and comes too late by its number.
    pub fn load(&mut self, generation: u64, demo: bool) {
        self.stop_load();
        self.stop = Arc::default();
        let reports = Reports { events: self.events.clone(), generation, stop: Arc::clone(&self.stop) };
        let (events, loader) = (self.events.clone(), Arc::clone(&self.loader));
        let read = move || {
            let result = catch_unwind(AssertUnwindSafe(|| loader.load(demo, &reports)));
            let event = match result {
                Ok(Ok(case)) => Event::Msg(Msg::Loaded { generation, case }),
                Ok(Err(failure)) => Event::Msg(Msg::Failed { generation, failure }),
                Err(_) => Event::Panicked,
            };
            let _ = events.send(event);
        };
        if let Err(error) = thread::Builder::new().name("reading".to_owned()).spawn(read) {
            let failure = Failure {
                headline: "nothing was read".to_owned(),
                what: format!("The system gave no thread to read with: {error}."),
                next: "Try again when the machine is less busy.".to_owned(),
                ..Failure::default()
            };
            let _ = self.events.send(Event::Msg(Msg::Failed { generation, failure: Box::new(failure) }));
        }
    }

    /// Looks every so many seconds whether the sources changed.
    ///
    /// # Errors
    /// Where the system gives no thread.
    pub fn watch(&self, seconds: u64) -> io::Result<()> {
        let (events, loader) = (self.events.clone(), Arc::clone(&self.loader));
        let look = move || {
            let mut before = loader.standing();
            loop {
                thread::sleep(std::time::Duration::from_secs(seconds));
                let now = loader.standing();
                if now == before {
                    continue;
                }
                before = now;
                if events.send(Event::Msg(Msg::Changed)).is_err() {
                    return;
                }
            }
        };
        thread::Builder::new().name("watch".to_owned()).spawn(look).map(drop)
    }

    /// Stops the reading that goes on; it gives what is there.
    pub fn stop_load(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Searches all rows.
    pub fn search(&self, case: Arc<dyn CaseView>, generation: u64, search: u64, query: Query) {
        let _ = self.jobs.send(Job::Search { case, generation, search, query });
    }

    /// Reads a record.
    pub fn read_raw(&self, case: Arc<dyn CaseView>, request: u64, at: At) {
        let _ = self.jobs.send(Job::Raw { case, request, at });
    }

    /// Puts rows in an order, counts them in groups, finds everything of an order.
    pub fn look_up(&self, case: Arc<dyn CaseView>, cmd: Cmd) {
        let _ = self.jobs.send(Job::LookUp { case, cmd });
    }

    /// Writes the document for the review.
    pub fn report(&self, case: Arc<dyn CaseView>, intent: Option<u32>) {
        let _ = self.jobs.send(Job::Report { case, intent });
    }

    /// Writes a list.
    pub fn export(&self, case: Arc<dyn CaseView>, view: Box<Exported>) {
        let _ = self.jobs.send(Job::Export { case, view });
    }
}

/// The thread that looks into the book and writes it.
fn settling(events: Sender<Event>, loader: Arc<dyn Loader>) -> io::Result<Sender<(Arc<dyn CaseView>, Todo)>> {
    let (todos, queue) = mpsc::channel::<(Arc<dyn CaseView>, Todo)>();
    let work = move || {
        while let Ok(first) = queue.recv() {
            let waiting: Vec<_> = std::iter::once(first).chain(queue.try_iter()).collect();
            // Of what is typed one after the other only the last is kept.
            let draft = |at: usize| match waiting.get(at) {
                Some((_, Todo::Keep { draft, .. })) => Some(draft.clone()),
                _ => None,
            };
            let older: Vec<bool> =
                (0..waiting.len()).map(|at| draft(at).is_some() && draft(at) == draft(at + 1)).collect();
            for ((case, todo), _) in waiting.into_iter().zip(older).filter(|(_, older)| !older) {
                let done = || settler::answer(loader.settler(), &*case, todo);
                let event = match catch_unwind(AssertUnwindSafe(done)) {
                    Ok(None) => continue,
                    Ok(Some(told)) => Event::Msg(Msg::Settled(told)),
                    Err(_) => Event::Panicked,
                };
                if events.send(event).is_err() {
                    return;
                }
            }
        }
    };
    thread::Builder::new().name("book".to_owned()).spawn(work)?;
    Ok(todos)
}

fn answer(job: Job) -> Option<Msg> {
    Some(match job {
        Job::Search { case, generation, search, query } => {
            Msg::Found { generation, search, hits: query.evaluate(&*case) }
        }
        Job::Report { case, intent } => Msg::Reported { path: case.document(intent) },
        Job::Export { case, view } => Msg::Exported { path: case.exported(&view), rows: view.rows.len() },
        Job::Raw { case, request, at } => Msg::RawRead { request, record: case.raw(at) },
        Job::LookUp { case, cmd } => return cmd.answer(&*case),
    })
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::app::testcase::Fake;

    struct Samples;

    impl Loader for Samples {
        fn load(&self, demo: bool, watch: &dyn Watch) -> Result<Arc<dyn CaseView>, Box<Failure>> {
            watch.progressed(Loading::default());
            if watch.stopped() {
                return Err(Box::default());
            }
            Ok(if demo { Fake::clean().shared() } else { Fake::refunds().shared() })
        }
    }

    #[test]
    fn results_come_back_with_the_number_of_their_request() {
        let (sender, events) = mpsc::channel();
        let mut workers = Workers::start(sender, Arc::new(Samples)).unwrap();
        workers.load(7, false);
        let next = || match events.recv_timeout(Duration::from_secs(10)).unwrap() {
            Event::Msg(msg) => msg,
            _ => panic!("only messages"),
        };
        assert!(matches!(next(), Msg::Progressed { generation: 7, .. }));
        let Msg::Loaded { generation: 7, case } = next() else { panic!("loaded") };
        workers.search(Arc::clone(&case), 7, 3, Query::parse("twice"));
        let Msg::Found { generation: 7, search: 3, hits } = next() else { panic!("found") };
        assert_eq!(hits.iter().collect::<Vec<_>>(), [0]);
        workers.read_raw(case, 9, At::new(crate::model::row::SourceNo(0), 404));
        let Msg::RawRead { request: 9, record } = next() else { panic!("read") };
        assert_eq!(record.unwrap_err().what, "trace.jsonl has changed since it was read");
    }
}
