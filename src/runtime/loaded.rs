//! A loaded case as the screen wants it, and who loads it.

use std::sync::Arc;
use std::sync::Mutex;
use std::sync::OnceLock;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::app::case::{Apart, CaseView, Copied, Exported, Item, RawRecord, RowFlags, Told, Trouble};
use crate::app::progress::{Failure, Loading, Reading};
use crate::judge::hazards::Evaluation;
use crate::judge::hazards::asked::Asked;
use crate::judge::judgement::NotCompared;
use crate::judge::playbook::Playbook;
use crate::judge::story::{
    Context, Missing, Place, Story, fits_by_order, not_compared, orphan, story, story_together,
};
use crate::judge::timeline::Activity;
use crate::judge::view::{
    Disagreement, EffectView, Everything, GroupBy, GroupRow, IntentView, ListRow, OrphanView, ProblemView,
    RowKind, SortBy, SourceView, Summary, Whose,
};
use crate::load::{Ask, Case, LoadError, Op, Options, Progress, load};
use crate::model::row::At;
use crate::model::time::Zone;
use crate::model::units::Units;
use crate::query::{Hits, RowFacts, Searchable};
use crate::sources::spec::{CaseSpec, What};

use super::asked::Rows;
use super::copied;
use super::document::{self, Paper, Shown};
use super::loader::{Loader, Watch};
use super::settler::Settler;

/// A loaded case with what is shown all the time kept beside it.
pub struct Loaded {
    case: Case,
    summary: Summary,
    sources: Vec<SourceView>,
    problems: Vec<ProblemView>,
    playbook: Playbook,
    asked: Asked,
    hazards: OnceLock<Evaluation>,
    paper: Paper,
    activity: Option<Activity>,
    disagreement: Disagreement,
}

/// Intents of a run that one timeline holds.
const RUN: usize = 200;

/// In a case of more intents hazards are looked for while the list is already there.
const HAZARDS_AT_ONCE: usize = 2_000;

impl Loaded {
    /// Of a case.
    pub fn new(case: Case, ask: &Ask, asked: Asked, paper: Paper) -> Self {
        case.number();
        let summary = case.summary(ask);
        let activity = case.activity();
        Self {
            sources: case.sources(),
            problems: case.problems(),
            playbook: Playbook::of(case.spec.playbook.clone()),
            summary,
            asked,
            hazards: OnceLock::new(),
            paper,
            activity,
            disagreement: case.disagreement(),
            case,
        }
    }

    fn shown(&self) -> Shown<'_> {
        Shown { case: &self.case, summary: &self.summary, sources: &self.sources, playbook: &self.playbook }
    }

    fn evaluation(&self) -> &Evaluation {
        self.hazards.get_or_init(|| self.case.hazards(&self.asked))
    }

    fn context<'a>(&'a self, told: Told, zone: &'a Zone) -> Context<'a> {
        Context {
            now: self.summary.now,
            zone,
            units: self.case.units(),
            sources: &self.sources,
            playbook: &self.playbook,
            place: told.place,
            narrow: told.narrow,
            writable: told.writable,
        }
    }

    fn together(first: String, next: String) -> Story {
        Story { first, rest: Vec::new(), next, why: Vec::new(), kind_hint: None, fine: Vec::new() }
    }
}

impl Loaded {
    fn listed(&self) -> Rows<'_> {
        Rows { case: &self.case, now: self.summary.now, sources: &self.sources }
    }
}

impl Searchable for Loaded {
    fn rows(&self) -> usize {
        self.listed().rows()
    }

    fn word(&self, word: &str, hits: &mut Hits) {
        self.listed().word(word, hits);
    }

    fn facts(&self, at: usize, more: bool) -> RowFacts {
        self.listed().facts(at, more)
    }
}

impl CaseView for Loaded {
    fn summary(&self) -> &Summary {
        &self.summary
    }

    fn units(&self) -> &Units {
        self.case.units()
    }

    fn sources(&self) -> &[SourceView] {
        &self.sources
    }

    fn problems(&self) -> &[ProblemView] {
        &self.problems
    }

    fn disagreement(&self) -> Option<&Disagreement> {
        Some(&self.disagreement).filter(|all| all.operations > 0)
    }

    fn row(&self, at: usize) -> ListRow {
        self.case.row(at)
    }

    fn hazards(&self) -> Option<&Evaluation> {
        Some(self.evaluation())
    }

    fn run(&self, id: &str) -> Vec<u32> {
        let ops = self.case.of_run(id);
        if ops.len() > RUN { Vec::new() } else { ops.into_iter().map(|op| op.0).collect() }
    }

    fn document(&self, intent: Option<u32>) -> Result<String, Trouble> {
        document::write(&self.shown(), self.evaluation(), &self.paper, intent)
    }

    fn exported(&self, view: &Exported) -> Result<String, Trouble> {
        document::export(&self.shown(), &self.paper, view)
    }

    fn firing(&self) -> Option<usize> {
        self.hazards.get().map(|all| all.firing().count())
    }

    fn activity(&self) -> Option<&Activity> {
        self.activity.as_ref()
    }

    fn intent_of(&self, id: &str) -> Option<u32> {
        self.case.find(id).first().map(|op| op.0)
    }

    fn flags(&self, at: usize) -> RowFlags {
        use crate::load::list::Entry;
        let (fine, divergent, unknown, severity, entry) = self.case.row_flags(at);
        let apart = match entry {
            Some(Entry::Apart(no)) => match self.case.apart.groups.get(*no) {
                // A violation stands among the intents.
                Some(_) if severity <= 2 => Apart::No,
                Some(group) if group.possible_double => Apart::Double,
                _ => Apart::Single,
            },
            Some(Entry::ApartMore) => Apart::More,
            Some(Entry::Outside) => Apart::Outside,
            _ => Apart::No,
        };
        RowFlags { fine, closed: self.case.is_closed(at), divergent, unknown, severity, apart }
    }

    fn quiet(&self) -> std::ops::Range<usize> {
        self.case.quiet_rows()
    }

    fn sorted(&self, by: SortBy) -> Vec<u32> {
        self.case.sorted_by(by)
    }

    fn grouped(&self, rows: &[u32], by: GroupBy) -> Vec<GroupRow> {
        self.case.grouped_by(rows, by)
    }

    fn everything(&self, whose: &Whose) -> Everything {
        self.case.everything(whose)
    }

    /// By the index of ids; only rows that stand for many are looked at one by one.
    fn find(&self, id: &str) -> Option<usize> {
        let quiet = self.case.quiet_rows();
        let is = |at: &usize| self.row(*at).id == id;
        let of_intent = || self.case.find(id).into_iter().filter_map(|op| self.case.place_of(op)).find(is);
        let many = |at: &usize| self.case.ops_at(*at).len() != 1;
        of_intent().or_else(|| (0..quiet.start).chain(quiet.end..self.case.rows()).filter(many).find(is))
    }

    fn intent(&self, number: u32) -> IntentView {
        self.case.view(Op(number)).unwrap_or_else(|| self.case.blank_view())
    }

    fn intent_row(&self, number: u32) -> ListRow {
        self.case.intent_row(Op(number))
    }

    fn orphans(&self) -> usize {
        self.case.apart.groups.len()
    }

    fn orphan_row(&self, at: usize) -> ListRow {
        match self.case.apart.groups.get(at) {
            Some(group) => self.case.orphan_row(&self.case.orphan(group)),
            None => self.case.row(usize::MAX),
        }
    }

    fn orphan_effects(&self, orphan: &OrphanView) -> Vec<EffectView> {
        self.case.orphan_effects(orphan.at)
    }

    fn story(&self, of: &RowKind, told: Told) -> Story {
        let zone = told.zone;
        match of {
            RowKind::Intent(number) => {
                let view = self.intent(*number);
                story(&view, &self.context(told, &zone))
            }
            RowKind::Group(numbers) => {
                let mut views: Vec<IntentView> = numbers.iter().map(|n| self.intent(*n)).collect();
                views.sort_by_key(|v| (v.judgement.since, v.handle));
                story_together(&views, &self.context(told, &zone))
                    .unwrap_or_else(|| Self::together(String::new(), String::new()))
            }
            RowKind::NotCompared { intents, .. } => {
                let count = intents.len() as u64;
                let cx = self.context(told, &zone);
                let (why, tool) = match intents.first().map(|n| self.intent(*n)) {
                    Some(view) => (view.judgement.not_compared, view.tool),
                    None => (NotCompared::LedgerNotRead, String::new()),
                };
                let unread = self.sources.iter().find(|s| s.error.is_some());
                let oldest = self.sources.iter().filter_map(|s| s.oldest).min();
                let missing = match (why, oldest, unread) {
                    (NotCompared::OlderThanLedger, Some(oldest), _) => Missing::Older(oldest),
                    (NotCompared::NoLedger, _, _) => Missing::NoneGiven,
                    (NotCompared::LedgerNotRead, _, Some(source)) => {
                        Missing::NotRead(&source.path, source.error.as_deref().unwrap_or_default())
                    }
                    _ => Missing::NoLedger(&tool),
                };
                let (first, next) = not_compared(missing, count, &cx);
                Self::together(first, next)
            }
            RowKind::FitsByOrder { intents } => {
                let (first, next) = fits_by_order(intents.len() as u64);
                Self::together(first, next)
            }
            RowKind::PossibleDouble(row) | RowKind::Orphan(row) => orphan(row, &self.context(told, &zone)),
            RowKind::OrphansMore { count, .. } => Self::together(
                format!("{count} rows of this time have no attempt in what is loaded."),
                "Nothing has to be done. If their trace is at hand, load it.".to_owned(),
            ),
            RowKind::Outside { count, .. } => Self::together(
                format!(
                    "{count} rows lie outside what the trace can speak about. They are counted, not judged."
                ),
                "Nothing to do.".to_owned(),
            ),
        }
    }

    fn copied(&self, item: &Item, name: &str) -> Copied {
        let zone = Zone::Utc;
        copied::item(item, &self.context(item.told, &zone), name)
    }

    fn copied_incident(&self, name: &str) -> Copied {
        let told = Told { place: Place::List, narrow: false, zone: Zone::Utc, writable: false };
        let zone = Zone::Utc;
        copied::incident(&self.summary, &self.context(told, &zone), name)
    }

    fn raw(&self, at: At) -> Result<RawRecord, Trouble> {
        let place = self.case.places.words(at);
        match self.case.places.raw(at) {
            Some(text) => Ok(RawRecord { parts: vec![(place, text)] }),
            None => Err(Trouble {
                what: format!("{place} cannot be read again; it may have changed since it was read"),
                next: "read the sources again".to_owned(),
            }),
        }
    }
}

/// Reads the sources that were given, or the demo's.
pub struct CaseLoader {
    /// What was given.
    pub spec: CaseSpec,
    /// The sample case of the demo.
    pub demo: Box<dyn Fn() -> Result<(CaseSpec, Asked), String> + Send + Sync>,
    /// What the config sets for hazards.
    pub asked: Asked,
    /// How the result is asked for.
    pub ask: Ask,
    /// What the document for the review is told.
    pub paper: Paper,
    /// The sources as they are named now, with what the book has since: for every reading but the first.
    pub again: Option<Box<dyn Fn() -> Result<CaseSpec, String> + Send + Sync>>,
    /// Adds what the book says beside the state.
    pub standing: fn(&mut Case),
    /// Who looks into the book and writes it.
    pub settler: Option<Box<dyn Settler>>,
    /// It was read once.
    pub read: AtomicBool,
}

impl Loader for CaseLoader {
    fn settler(&self) -> Option<&dyn Settler> {
        self.settler.as_deref()
    }

    fn load(&self, demo: bool, watch: &dyn Watch) -> Result<Arc<dyn CaseView>, Box<Failure>> {
        let (spec, asked) = if demo {
            (self.demo)().map_err(|why| Box::new(Failure { what: why, ..Failure::default() }))?
        } else {
            let again = self.again.as_ref().filter(|_| self.read.swap(true, Ordering::Relaxed));
            let spec = match again {
                Some(again) => {
                    again().map_err(|why| Box::new(Failure { what: why, ..Failure::default() }))?
                }
                None => self.spec.clone(),
            };
            (spec, self.asked.clone())
        };
        let progress = Mutex::new(beginning(&spec));
        watch.progressed(beginning(&spec));
        let cancel = Arc::new(AtomicBool::new(false));
        let tell = |p: Progress| {
            if watch.stopped() {
                cancel.store(true, Ordering::Relaxed);
            }
            let mut loading = progress.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(source) = loading.sources.get_mut(p.source) {
                source.bytes = p.done;
                source.of = p.of;
            }
            watch.progressed(loading.clone());
        };
        let options = Options { cancel: Arc::clone(&cancel), progress: Some(&tell), ..Options::default() };
        let fixed = spec.now.is_some();
        let paper = if demo {
            Paper { title: spec.id.clone(), book: None, as_of: None, ..self.paper.clone() }
        } else {
            self.paper.clone()
        };
        let sources = spec.sources.clone();
        let mut case = load(spec, &options).map_err(|why| Box::new(failure(&why, &sources)))?;
        (self.standing)(&mut case);
        let ask = Ask { clock_fixed: fixed, ..self.ask };
        let few = case.intents() <= HAZARDS_AT_ONCE;
        let loaded = Arc::new(Loaded::new(case, &ask, asked, paper));
        if few {
            loaded.evaluation();
        } else {
            // Whoever opens the screen before this is done waits for it.
            let behind = Arc::clone(&loaded);
            std::thread::spawn(move || {
                behind.evaluation();
            });
        }
        Ok(loaded)
    }

    fn standing(&self) -> String {
        let mut all = String::new();
        for source in &self.spec.sources {
            let crate::sources::spec::Location::File(path) = &source.location else { continue };
            // What SQLite writes first stands beside its file.
            for ending in ["", "-wal"] {
                let mut name = path.clone().into_os_string();
                name.push(ending);
                if let Ok(file) = std::fs::metadata(&name) {
                    all.push_str(&format!("{} {} {:?}\n", name.display(), file.len(), file.modified().ok()));
                }
            }
        }
        all
    }
}

fn beginning(spec: &CaseSpec) -> Loading {
    let reading = |s: &crate::sources::spec::SourceSpec| Reading {
        what: match s.what {
            What::Trace => "attempts",
            What::Ledger => "ledger",
            What::Expectations | What::Intents => "intents",
        }
        .to_owned(),
        name: s.shown.rsplit('/').next().unwrap_or(&s.shown).to_owned(),
        of: match &s.location {
            crate::sources::spec::Location::File(path) => std::fs::metadata(path).map_or(0, |m| m.len()),
            crate::sources::spec::Location::Memory(bytes) => bytes.len() as u64,
            crate::sources::spec::Location::Server(_) => 0,
        },
        ..Reading::default()
    };
    Loading { sources: spec.sources.iter().map(reading).collect(), ..Loading::default() }
}

/// An error of the engine as the error card shows it.
fn failure(why: &LoadError, sources: &[crate::sources::spec::SourceSpec]) -> Failure {
    let words = why.to_string();
    let mut lines = words.lines();
    let first = lines.next().unwrap_or_default().to_owned();
    let ledger = sources.iter().any(|s| s.what == What::Ledger && first.starts_with(&s.shown));
    let (what, next) = match first.split_once("; ") {
        Some((what, next)) => (what.to_owned(), next.to_owned()),
        None => (first.clone(), "Start again with another path.".to_owned()),
    };
    let status = first.split_once(": ").map_or(String::new(), |(path, _)| path.to_owned());
    Failure {
        headline: if ledger {
            "the ledger was not read, so nothing can be judged".to_owned()
        } else {
            "a source was not read, so nothing can be judged".to_owned()
        },
        what,
        seen: lines.map(|l| vec![l.to_owned()]).collect(),
        next,
        command: None,
        kept: vec!["What the ledger holds is not known. It is not zero.".to_owned()],
        status: (status, "not read".to_owned()),
    }
}
