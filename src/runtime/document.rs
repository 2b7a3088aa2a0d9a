//! The document for the review of what is on the screen: written into the folder where the program was started, into a
//! new file, and never over another one.

use std::path::PathBuf;

use crate::app::case::{Exported, ExportedRows, Trouble};
use crate::judge::hazards::Evaluation;
use crate::judge::playbook::Playbook;
use crate::judge::view::{ListRow, SourceView, Summary};
use crate::load::{Case, Op};
use crate::report::export;
use crate::report::file::{FileError, NewFile, shown};
use crate::report::out::Out;
use crate::report::review::audit::look;
use crate::report::review::{Asked, html, review};
use crate::report::{Choice, Intents, Mask, Only, Report, Teller};

/// What the document is told beside the case.
#[derive(Clone, Debug, Default)]
pub struct Paper {
    /// Name of the case. Raw.
    pub title: String,
    /// The command line that makes the whole of it again, without secrets.
    pub command: String,
    /// Version with build and features.
    pub version: String,
    /// Parties are masked always.
    pub mask_party: bool,
    /// Columns of people that are shown as they are.
    pub mask_allow: Vec<String>,
    /// Where it is written; empty is where the program was started.
    pub folder: PathBuf,
    /// The book, where there is one.
    pub book: Option<PathBuf>,
    /// The book as of this entry.
    pub as_of: Option<i64>,
}

impl Paper {
    fn mask(&self) -> Mask {
        Mask::of_load(self.mask_party).allowing(&self.mask_allow)
    }
}

/// The name of the file; ids never become file names.
const NAME: &str = "recount-report";

/// So many files are tried.
const MOST: u32 = 999;

/// Intents of one document.
const LIMIT: usize = 100;

/// What is on the screen, gathered.
pub struct Shown<'a> {
    /// The case.
    pub case: &'a Case,
    /// Its summary.
    pub summary: &'a Summary,
    /// Its sources.
    pub sources: &'a [SourceView],
    /// Own next steps.
    pub playbook: &'a Playbook,
}

impl<'a> Shown<'a> {
    /// What is printed of it, without what stands beside the intents.
    fn report(&self, mask: &'a Mask, choice: Choice) -> Report<'a> {
        Report {
            summary: self.summary,
            units: self.case.units(),
            sources: self.sources,
            problems: &[],
            orphans: &[],
            groups: &[],
            intents: self.case,
            teller: Teller {
                now: self.summary.now,
                units: self.case.units(),
                sources: self.sources,
                playbook: self.playbook,
            },
            mask,
            choice,
            group_ids: std::cell::OnceCell::new(),
        }
    }
}

/// Writes the document, of one intent or of all that is not as intended. Gives the path, ready to print.
///
/// # Errors
/// What keeps the file from being written.
pub fn write(
    shown_now: &Shown<'_>,
    hazards: &Evaluation,
    paper: &Paper,
    intent: Option<u32>,
) -> Result<String, Trouble> {
    let case = shown_now.case;
    let mask = paper.mask();
    let (problems, orphans, groups) = (case.problems(), case.orphans(), case.groups());
    let choice = Choice { only: Only::LoudOrClosed, limit: LIMIT, with_text: false, intent, known: None };
    let report =
        Report { problems: &problems, orphans: &orphans, groups: &groups, ..shown_now.report(&mask, choice) };
    let asked = Asked {
        title: &paper.title,
        command: paper.command.clone(),
        version: paper.version.clone(),
        hazards,
        intent: intent.and_then(|number| Intents::view(case, number)).map(|view| view.intent_id),
        book: paper.book.as_deref().filter(|path| path.is_file()).map(|path| look(path, paper.as_of)),
    };
    let review = review(&report, &asked);
    let mut file = new_file(paper, NAME, "html", &REPORT)?;
    let mut out = Out::to(Box::new(&mut file));
    html::write(&review, &mut out);
    let failed = |why: String| REPORT.trouble(&why);
    out.finish().map_err(|why| failed(why.to_string()))?;
    let kept = file.keep().map_err(|why| failed(why.to_string()))?;
    Ok(shown(&kept))
}

/// Writes a list as CSV. Gives the path, ready to print.
///
/// # Errors
/// What keeps the file from being written.
pub fn export(shown_now: &Shown<'_>, paper: &Paper, view: &Exported) -> Result<String, Trouble> {
    let case = shown_now.case;
    let mask = paper.mask();
    let choice = Choice { only: Only::All, limit: 0, with_text: false, intent: None, known: None };
    let report = shown_now.report(&mask, choice);
    let rows: Box<dyn Iterator<Item = ListRow>> = match &view.rows {
        ExportedRows::Places(places) => Box::new(places.iter().map(|at| case.row(*at as usize))),
        ExportedRows::Intents(numbers) => Box::new(numbers.iter().map(|no| case.intent_row(Op(*no)))),
        ExportedRows::Orphans(_) => {
            Box::new(case.apart.groups.iter().map(|group| case.orphan_row(&case.orphan(group))))
        }
    };
    let chosen = export::View {
        rows,
        shown: view.rows.len(),
        all: case.rows(),
        filter: view.filter.clone(),
        sort: view.sort.clone(),
    };
    let name = crate::text::file_name(&view.name);
    let mut file = new_file(paper, &name, "csv", &LIST)?;
    let mut out = Out::to(Box::new(&mut file));
    export::csv(&report, chosen, &export::COLUMNS.iter().collect::<Vec<_>>(), &mut out);
    out.finish().map_err(|why| LIST.trouble(&why.to_string()))?;
    let kept = file.keep().map_err(|why| LIST.trouble(&why.to_string()))?;
    Ok(shown(&kept))
}

/// What is written, for messages, and how it is written elsewhere.
struct Kind {
    what: &'static str,
    next: &'static str,
}

const REPORT: Kind = Kind { what: "the report", next: "recount report --out FILE writes it elsewhere" };
const LIST: Kind = Kind { what: "the list", next: "recount export --out FILE writes it elsewhere" };

impl Kind {
    fn trouble(&self, why: &str) -> Trouble {
        Trouble { what: format!("{} was not written: {why}", self.what), next: self.next.to_owned() }
    }
}

/// The first name that no file has.
fn new_file(paper: &Paper, stem: &str, ending: &str, kind: &Kind) -> Result<NewFile, Trouble> {
    let mut last = String::new();
    for number in 1..=MOST {
        let name = if number == 1 { format!("{stem}.{ending}") } else { format!("{stem}-{number}.{ending}") };
        match NewFile::create(&paper.folder.join(name), false) {
            Ok(file) => return Ok(file),
            Err(why @ FileError::Exists(_)) => last = why.to_string(),
            Err(why) => {
                last = why.to_string();
                break;
            }
        }
    }
    Err(kind.trouble(&last))
}
