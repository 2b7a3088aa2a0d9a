//! What a path is, by the beginning of its content (`4-sources.md` 4.15).

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use flate2::bufread::MultiGzDecoder;

use crate::report::file::shown;
use crate::sources::address::{Address, Place};
use crate::sources::csv::Dialect;
use crate::sources::formats::{FormatName, named};
use crate::sources::frame::{Limits, content};
use crate::sources::ledger::table::{Shape, ledgered};
use crate::sources::names::loose;
use crate::sources::peek::{Peek, names_below};
use crate::sources::sniff::{Framing, Sniff, sniff};
use crate::sources::spec::{CaseSpec, Location, SourceSpec, What};

use super::super::failure::Failure;
use super::plan::Piece;

/// So much of a file is looked at.
const HEAD: u64 = 256 << 10;

/// How a gzip file begins.
const GZIP: [u8; 2] = [0x1f, 0x8b];

/// Standard input as a path, where there is one: it may be a file.
const STANDARD_INPUT: &str = "/dev/stdin";

/// What a path turned out to be.
#[derive(Debug)]
pub enum Looked {
    /// A source.
    Piece(Box<Piece>),
    /// Trace or ledger cannot be told.
    Unclear {
        /// What speaks for both, or that nothing does.
        why: String,
        /// Nothing speaks for either.
        neither: bool,
    },
    /// Nothing that can be read.
    Unusable {
        /// Why.
        why: String,
        /// Its format, where that is known.
        format: Option<FormatName>,
    },
}

/// Looks at paths; standard input is read once.
#[derive(Debug, Default)]
pub struct Looker {
    input_taken: bool,
    /// Every path that was looked at.
    pub paths: Vec<PathBuf>,
}

impl Looker {
    /// What was typed behind `--trace`, `--ledger` or `--expect`. What cannot be opened stays a source: reading it
    /// says why.
    ///
    /// # Errors
    /// Standard input a second time, or one that cannot be read.
    pub fn piece(&mut self, address: &Address, what: Option<What>, word: &OsStr) -> Result<Piece, Failure> {
        let unreadable = bare(address, what.unwrap_or(What::Ledger), word);
        match self.looked(address, what, word)? {
            Looked::Piece(piece) => Ok(*piece),
            Looked::Unclear { .. } | Looked::Unusable { .. } => Ok(unreadable),
        }
    }

    /// Looks at an address.
    ///
    /// # Errors
    /// Standard input a second time, or one that cannot be read.
    pub fn looked(&mut self, address: &Address, what: Option<What>, word: &OsStr) -> Result<Looked, Failure> {
        let mut piece = bare(address, what.unwrap_or(What::Ledger), word);
        let path = match &address.place {
            Place::Server(_) => {
                piece.known = true;
                return Ok(Looked::Piece(Box::new(piece)));
            }
            Place::StandardInput => {
                if std::mem::replace(&mut self.input_taken, true) {
                    return Err(Failure::usage("- is standard input, which can be read only once"));
                }
                piece.location = Location::Memory(all_of(io::stdin().lock(), word)?);
                None
            }
            Place::Path(path) => Some(path.clone()),
        };
        self.paths.extend(path.clone().or_else(|| Some(PathBuf::from(STANDARD_INPUT))));
        if let Some(path) = path.as_deref().filter(|path| is_pipe(path)) {
            let file = File::open(path).map_err(|why| Failure::input(&format!("{}: {why}", shown(path))))?;
            piece.location = Location::Memory(all_of(file, word)?);
        }
        let head = match &piece.location {
            Location::Memory(bytes) => unpacked(bytes),
            Location::Server(_) => return Ok(Looked::Piece(Box::new(piece))),
            Location::File(path) => match head(path) {
                Ok(head) => head,
                // It is a source that cannot be opened: reading it says why.
                Err(_) => return Ok(Looked::Piece(Box::new(piece))),
            },
        };
        Ok(judge(piece, what, &head))
    }
}

/// What the beginning says.
fn judge(mut piece: Piece, what: Option<What>, head: &[u8]) -> Looked {
    if let Some(format) = piece.format.and_then(named) {
        piece.what = what.unwrap_or(format.what);
        piece.columns = columns(head, None);
        piece.known = true;
        return Looked::Piece(Box::new(piece));
    }
    let found = sniff(head, what);
    let wrapped = matches!(found, Sniff::Envelope { .. });
    match found.bare() {
        Sniff::Known { format, what: found, framing, .. } => {
            piece.what = what.unwrap_or(found);
            piece.columns = match ledgered(format).map(|own| own.shape) {
                _ if wrapped => Vec::new(),
                // Rows without a header, and records of a fixed form, are alike in every file of the format.
                Some(Shape::Json(_) | Shape::Cells) => vec![format.to_owned()],
                _ => columns(head, Some(framing)),
            };
            piece.found = Some(format);
            piece.known = true;
            Looked::Piece(Box::new(piece))
        }
        Sniff::Unclear { why, neither, .. } => Looked::Unclear { why, neither },
        Sniff::Foreign { format, .. } => Looked::Unusable {
            why: format!("it is of the format {}, which this build does not read yet", format.name),
            format: Some(format),
        },
        Sniff::Envelope { .. } => unusable("it is log lines in an envelope".to_owned()),
        Sniff::Packed { what, command } => {
            unusable(format!("it is {what}; make it readable first: {command}"))
        }
        Sniff::Nothing { seen } => unusable(format!("it is {seen}")),
    }
}

fn unusable(why: String) -> Looked {
    Looked::Unusable { why, format: None }
}

/// A source of which nothing is known but what was typed.
fn bare(address: &Address, what: What, word: &OsStr) -> Piece {
    let shown = match &address.place {
        // It may hold a password: only its harmless parts are kept for showing.
        Place::Server(_) => crate::text::url(&word.to_string_lossy()),
        Place::StandardInput => "standard input".to_owned(),
        Place::Path(path) => path.to_string_lossy().into_owned(),
    };
    let location = match &address.place {
        Place::Path(path) => Location::File(path.clone()),
        Place::Server(server) => Location::Server(Box::new(server.clone())),
        Place::StandardInput => Location::Memory(Arc::from(Vec::new())),
    };
    Piece {
        id: address.id.clone(),
        what,
        location,
        shown,
        format: address.format,
        found: None,
        columns: Vec::new(),
        options: address.options.clone(),
        known: false,
        name: name_of(&address.place, word),
    }
}

/// The name that its id is made of: the file's, without folder and endings.
fn name_of(place: &Place, word: &OsStr) -> String {
    let path = match place {
        Place::StandardInput => return "input".to_owned(),
        Place::Server(_) => return "database".to_owned(),
        Place::Path(path) => path,
    };
    if path.starts_with("/dev/fd") || path.starts_with("/proc") {
        return "pipe".to_owned();
    }
    let name = path.file_name().unwrap_or(word).to_string_lossy();
    let name = name.strip_suffix(".gz").unwrap_or(&name);
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| if stem.is_empty() { name } else { stem });
    stem.to_owned()
}

/// Names of columns or members, as they are compared.
fn columns(head: &[u8], framing: Option<Framing>) -> Vec<String> {
    let csv = || {
        let text = head.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(head);
        let line = text.split(|byte| *byte == b'\n').next().unwrap_or_default();
        let header = Dialect::of(String::from_utf8_lossy(line).trim_end_matches('\r')).header;
        header.iter().map(|name| loose(name)).collect::<Vec<_>>()
    };
    let json = || {
        let peek = Peek::at(head);
        let first = peek.records.first().map(|record| names_below(record, &[])).unwrap_or_default();
        first.into_iter().map(loose).collect::<Vec<_>>()
    };
    let begins = head.iter().find(|byte| !byte.is_ascii_whitespace());
    let mut names = match framing {
        Some(Framing::Document | Framing::Sqlite | Framing::Lines) => Vec::new(),
        Some(Framing::JsonLines | Framing::Json) => json(),
        None if begins.is_some_and(|byte| matches!(byte, b'{' | b'[')) => json(),
        Some(Framing::Csv) | None => csv(),
    };
    names.sort_unstable();
    names
}

/// The first bytes of a file, unpacked.
fn head(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?.take(HEAD).read_to_end(&mut bytes)?;
    if bytes.starts_with(&GZIP) {
        let mut inside = Vec::new();
        let read = MultiGzDecoder::new(BufReader::new(File::open(path)?)).take(HEAD).read_to_end(&mut inside);
        // A damaged end is said where the file is read; what cannot be unpacked at all is no empty file.
        return read
            .map(|_| ())
            .or_else(|why| if inside.is_empty() { Err(why) } else { Ok(()) })
            .map(|()| inside);
    }
    Ok(bytes)
}

fn unpacked(bytes: &[u8]) -> Vec<u8> {
    let limit = usize::try_from(HEAD).unwrap_or(usize::MAX);
    if bytes.starts_with(&GZIP) {
        let mut inside = Vec::new();
        let _ = MultiGzDecoder::new(bytes).take(HEAD).read_to_end(&mut inside);
        return inside;
    }
    bytes.get(..limit.min(bytes.len())).unwrap_or_default().to_vec()
}

/// A pipe or a device: its bytes come once.
fn is_pipe(path: &Path) -> bool {
    std::fs::metadata(path).is_ok_and(|kind| !kind.is_file() && !kind.is_dir())
}

fn all_of(source: impl Read, word: &OsStr) -> Result<Arc<[u8]>, Failure> {
    let read = content(source, Limits::default(), &AtomicBool::new(false));
    let read = read.map_err(|why| Failure::input(&format!("{}: {why}", shown(Path::new(word)))))?;
    Ok(Arc::from(read.bytes))
}

/// Ids of ledgers of which no file can be opened.
pub fn absent(spec: &CaseSpec) -> Vec<String> {
    let there = |source: &SourceSpec| match &source.location {
        Location::File(path) => File::open(path).is_ok(),
        Location::Memory(_) | Location::Server(_) => true,
    };
    let ledgers = || spec.sources.iter().filter(|source| source.what == What::Ledger);
    let mut ids: Vec<String> = ledgers().map(|ledger| ledger.id.clone()).collect();
    ids.retain(|id| !ledgers().any(|ledger| ledger.id == *id && there(ledger)));
    ids
}

/// Endings of files that belong to another file or to the program itself.
const BESIDE: [&str; 4] = ["-wal", "-shm", "-journal", ".position.json"];

/// Files of a folder by name, without hidden ones and what lies beside others.
///
/// # Errors
/// A folder that cannot be listed.
pub fn files_of(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let beside = BESIDE.iter().any(|ending| name.ends_with(ending)) || name == "book.db";
        if !name.starts_with('.') && !beside && path.is_file() {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

/// A folder has a file that can be read as trace or ledger.
pub fn is_readable(folder: &Path) -> bool {
    let known = |path: &PathBuf| {
        head(path).is_ok_and(|head| matches!(sniff(&head, None).bare(), Sniff::Known { .. }))
    };
    files_of(folder).is_ok_and(|files| files.iter().any(known))
}
