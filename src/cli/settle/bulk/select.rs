//! Which items: those of a filter, as the screen has it, or those that a file names.

use std::collections::BTreeSet;

use crate::cli::failure::Failure;
use crate::load::Op;
use crate::query::Query;
use crate::report::file::shown;
use crate::runtime::asked::Rows;

use super::super::Stop;
use super::super::desk::Desk;

/// Largest file of ids that is read.
const LARGEST: u64 = 1 << 20;

/// An item, with evidence of its own.
pub struct Selected {
    /// The intent.
    pub op: Op,
    /// References that stand behind its id in the file.
    pub evidence: Vec<String>,
    /// Only on these facts, where the file says so.
    pub facts: Option<String>,
}

/// What stands before a fingerprint in the file: the item is left as it is where its facts are others.
pub const FACTS: &str = "facts:";

/// An id of a file that names no item, or several, and what is said of it.
pub struct Unknown {
    /// The id as it stands in the file.
    pub id: String,
    /// Why it is none.
    pub why: String,
}

/// The items that a call means, each once, in the order of the list or of the file, and the ids that are none: what is
/// wrong with one item is no matter of the others.
///
/// # Errors
/// Usage: neither `--filter` nor `--ids`, both, an item twice.
pub fn selected(desk: &Desk<'_>) -> Result<(Vec<Selected>, Vec<Unknown>), Stop> {
    match (desk.call.text("filter"), desk.call.path("ids")) {
        (Some(filter), None) => Ok((filtered(desk, filter), Vec::new())),
        (None, Some(path)) => named(desk, &path),
        (Some(_), Some(_)) => Err(Failure::usage("--filter or --ids, not both").into()),
        (None, None) => Err(Failure::usage(
            "say which: --filter TEXT takes what the list shows for it, --ids FILE has an id in each line",
        )
        .into()),
    }
}

fn filtered(desk: &Desk<'_>, typed: &str) -> Vec<Selected> {
    let case = &desk.loaded.case;
    let ask = desk.loaded.ask(desk.call);
    let gathered = desk.loaded.gathered(desk.call, &ask);
    let rows = Rows { case, now: gathered.summary.now, sources: &gathered.sources };
    let hits = Query::parse(typed).evaluate(&rows);
    // What is fine stands in no list of work.
    hits.iter()
        .filter(|at| !case.row_flags(*at).0)
        .flat_map(|at| case.ops_at(at))
        .map(|op| Selected { op, evidence: Vec::new(), facts: None })
        .collect()
}

fn named(desk: &Desk<'_>, path: &std::path::Path) -> Result<(Vec<Selected>, Vec<Unknown>), Stop> {
    use std::io::Read as _;
    let mut text = String::new();
    std::fs::File::open(path).and_then(|file| file.take(LARGEST).read_to_string(&mut text)).map_err(
        |why| {
            Failure::input(&format!(
                "{} cannot be read: {why}; --ids FILE has an id in each line",
                shown(path)
            ))
        },
    )?;
    let ask = desk.loaded.ask(desk.call);
    let gathered = desk.loaded.gathered(desk.call, &ask);
    let (mut all, mut unknown, mut seen) = (Vec::new(), Vec::new(), BTreeSet::new());
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let mut words = line.split_whitespace();
        let id = words.next().unwrap_or_default();
        let op = match desk.loaded.one(id, &gathered) {
            Ok(op) => op,
            Err(none) => {
                // The first line says what it is; those behind list what else it may be.
                let why = none.text.lines().next().unwrap_or_default().trim_end_matches(':').to_owned();
                unknown.push(Unknown { id: id.to_owned(), why });
                continue;
            }
        };
        if !seen.insert(op.0) {
            return Err(Failure::usage(&format!(
                "{}: {line:?} is the same item as one before it",
                shown(path)
            ))
            .into());
        }
        let (facts, evidence): (Vec<&str>, Vec<&str>) = words.partition(|word| word.starts_with(FACTS));
        all.push(Selected {
            op,
            evidence: evidence.into_iter().map(str::to_owned).collect(),
            facts: facts.first().and_then(|word| word.strip_prefix(FACTS)).map(str::to_owned),
        });
    }
    Ok((all, unknown))
}
