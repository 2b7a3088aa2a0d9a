//! Pure: which pieces are one source, what its id is, and whether the ledgers have a meaning (`4-sources.md` 4.11).

use crate::sources::near::did_you_mean;
use crate::sources::spec::{CaseSpec, Location, Options, SourceSpec, What};

/// One file or address that was typed, looked at.
#[derive(Clone, Debug)]
pub struct Piece {
    /// Id that was given.
    pub id: Option<String>,
    /// What it is for.
    pub what: What,
    /// Where it is.
    pub location: Location,
    /// Path or address, as it may be shown.
    pub shown: String,
    /// Format that was given.
    pub format: Option<&'static str>,
    /// Format that was found.
    pub found: Option<&'static str>,
    /// Names of its columns, sorted.
    pub columns: Vec<String>,
    /// Its options.
    pub options: Options,
    /// Its role and format are known.
    pub known: bool,
    /// Name that an id is made of.
    pub name: String,
}

impl Piece {
    /// Format and columns, where several files of them are one source: not databases, which are one each.
    fn form(&self) -> Option<(&'static str, &[String])> {
        let format = self.format.or(self.found)?;
        let single = self.what != What::Ledger || self.columns.is_empty() || format == "sqlite";
        (!single && self.id.is_none()).then_some((format, self.columns.as_slice()))
    }
}

/// Adds what was typed to a case. Ledgers of one format and one column set are one source unless they have ids; an id
/// that was not given is the name of the file, with `-2`, `-3` where needed.
pub fn add(spec: &mut CaseSpec, pieces: Vec<Piece>) {
    let mut taken: Vec<String> = spec.sources.iter().map(|s| s.id.clone()).collect();
    taken.extend(pieces.iter().filter_map(|piece| piece.id.clone()));
    let mut forms: Vec<(&'static str, Vec<String>, String)> = Vec::new();
    let (has_trace, has_ledger) = (has(spec, &pieces, What::Trace), has(spec, &pieces, What::Ledger));
    for mut piece in pieces {
        // A path of which nothing is known: what is missing.
        if !piece.known && has_ledger && !has_trace {
            piece.what = What::Trace;
        }
        let form = piece.form().map(|(format, columns)| (format, columns.to_vec()));
        let known = form.as_ref().and_then(|(format, columns)| {
            forms.iter().find(|(f, c, _)| f == format && c == columns).map(|(_, _, id)| id.clone())
        });
        let id = piece.id.clone().or(known).unwrap_or_else(|| free(&piece.name, &taken));
        taken.push(id.clone());
        if let Some((format, columns)) = form {
            forms.push((format, columns, id.clone()));
        }
        spec.sources.push(SourceSpec {
            id,
            what: piece.what,
            location: piece.location,
            shown: piece.shown,
            format: piece.format.map(str::to_owned),
            options: piece.options,
        });
    }
}

fn has(spec: &CaseSpec, pieces: &[Piece], what: What) -> bool {
    spec.sources.iter().any(|s| s.what == what) || pieces.iter().any(|p| p.known && p.what == what)
}

fn free(name: &str, taken: &[String]) -> String {
    let name = if name.is_empty() { "source" } else { name };
    let numbered = (2_u32..).map(|number| format!("{name}-{number}"));
    let mut names = std::iter::once(name.to_owned()).chain(numbered);
    names.find(|name| !taken.contains(name)).unwrap_or_else(|| name.to_owned())
}

/// Ids of ledgers in order, each once, with the options of its first file.
pub fn ledgers(spec: &CaseSpec) -> Vec<&SourceSpec> {
    let mut ledgers: Vec<&SourceSpec> = Vec::new();
    for source in spec.sources.iter().filter(|s| s.what == What::Ledger) {
        if !ledgers.iter().any(|l| l.id == source.id) {
            ledgers.push(source);
        }
    }
    ledgers
}

/// Finds a ledger by the id that an option names.
///
/// # Errors
/// The ids that there are, and the nearest.
pub fn known_ledger(spec: &CaseSpec, option: &str, id: &str) -> Result<(), String> {
    let ids: Vec<&str> = ledgers(spec).iter().map(|l| l.id.as_str()).collect();
    if ids.contains(&id) {
        return Ok(());
    }
    let near = did_you_mean(id, ids.iter().copied());
    let listed = if ids.is_empty() {
        "no ledger was named".to_owned()
    } else {
        format!("ledgers: {}", ids.join(", "))
    };
    Err(format!("{option} names `{id}`, and no ledger has this id{near} ({listed})"))
}

/// Something can be compared, and every ledger has one meaning; those whose ids are `absent` cannot be opened, and
/// reading them says why before anybody is asked what they are.
///
/// # Errors
/// The flags, or the lines of the config, that say what is missing.
pub fn check(spec: &CaseSpec, is_case: bool, absent: &[String]) -> Result<(), String> {
    let reads = |what: What| spec.sources.iter().any(|s| s.what == what);
    if !reads(What::Trace) && !reads(What::Ledger) {
        return Err("there is no trace and no ledger in what was named; name them with --trace F --ledger S"
            .to_owned());
    }
    unsaid(spec, absent).map_or(Ok(()), |open| Err(open.words(is_case)))
}

/// Two ledgers of which it is not said how they belong together.
#[derive(Clone, Copy, Debug)]
pub struct Unsaid<'s> {
    /// Where the money seems to move.
    pub original: &'s SourceSpec,
    /// What seems to be its copy.
    pub copy: &'s SourceSpec,
    /// Ledgers without a word.
    pub open: usize,
}

impl Unsaid<'_> {
    /// The flags, or the lines of the config, that say what is missing.
    pub fn words(&self, is_case: bool) -> String {
        meaning_words(self.original, self.copy, self.open, is_case)
    }
}

/// The first two ledgers that need a word; those whose ids are `absent` cannot be opened and need none.
pub fn unsaid<'s>(spec: &'s CaseSpec, absent: &[String]) -> Option<Unsaid<'s>> {
    let ledgers = ledgers(spec);
    let without = |l: &&SourceSpec| !has_meaning(&l.options) && !absent.contains(&l.id);
    let open: Vec<&SourceSpec> = ledgers.iter().copied().filter(without).collect();
    let beside = ledgers.iter().any(|l| l.options.moves_money == Some(true) || l.options.part);
    let (first, second) = match open.as_slice() {
        [] => return None,
        // One ledger alone, or beside its copies: here the money moves.
        [_] if !beside => return None,
        [one] => (ledgers.iter().copied().find(|l| l.id != one.id)?, *one),
        // Partitions of one ledger.
        several if several.iter().all(|l| !l.options.partition.is_empty()) => return None,
        [first, second, ..] => (*first, *second),
    };
    let is_book = |s: &SourceSpec| OWN_BOOKS.iter().any(|word| s.id.to_lowercase().contains(word));
    // What has a meaning is no copy of what has none.
    let turned = is_book(first) && !is_book(second) && !has_meaning(&first.options);
    let (original, copy) = if turned { (second, first) } else { (first, second) };
    Some(Unsaid { original, copy, open: open.len() })
}

fn has_meaning(options: &Options) -> bool {
    options.moves_money == Some(true) || options.copy_of.is_some() || options.part
}

/// Names that own books have, so that the suggestion comes the right way round.
const OWN_BOOKS: [&str; 6] = ["book", "copy", "own", "internal", "mirror", "shop"];

fn meaning_words(original: &SourceSpec, copy: &SourceSpec, open: usize, is_case: bool) -> String {
    let (o, c) = (&original.id, &copy.id);
    let many = if open > 2 { format!("{open} ledgers") } else { "two ledgers".to_owned() };
    let head = format!(
        "{many}, and it is not said how they belong together: is {c} ({}) your copy of {o} ({}), or another part of it?",
        copy.shown, original.shown
    );
    if is_case {
        return format!(
            "{head} Write one of these into recount.toml, below [sources.{c}]:\n  copy_of = \"{o}\"\n  part = true   (also below \
             [sources.{o}])\n  moves_money = true   (also below [sources.{o}]; each records its own tools and kinds)"
        );
    }
    format!(
        "{head} Say which:\n  --copy-of {c}={o}\n  --part {c},{o}\nWhere each records its own tools, say so in its address: \
         --ledger '{}?moves_money=true'",
        copy.shown
    )
}
