//! `recount case init DIR [FILE..]`: a new case. Without files it takes those of the folder that can be read.

use std::ffi::OsString;
use std::fs::DirBuilder;
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};

use crate::book::{Book, Options};
use crate::cli::call::Call;
use crate::cli::failure::Failure;
use crate::cli::input::{Looked, Looker, address_of, files_of};
use crate::config;
use crate::config::edit::{Draft, Value};
use crate::report::file::shown;

use super::add::{Added, added, named, print};
use super::ask::Asker;
use super::file::{CaseFile, may_write};

/// Makes a case.
pub fn run(call: &Call) -> Result<u8, Failure> {
    may_write(call)?;
    if call.path("case").is_some() {
        return Err(Failure::usage("case init makes the folder that it names; leave out --case"));
    }
    let folder = PathBuf::from(call.word().unwrap_or_default());
    let path = folder.join(config::NAME);
    if path.symlink_metadata().is_ok() {
        return Err(Failure::usage(&format!(
            "{} is there already and stays as it is: recount case add FILE.. --case {} adds to it",
            shown(&path),
            shown(&folder)
        )));
    }
    if folder.exists() && !folder.is_dir() {
        return Err(Failure::usage(&format!(
            "{} is a file; name the folder of the case first: recount case init DIR FILE..",
            shown(&folder)
        )));
    }
    let mut words = call.paths("paths");
    let mut left_out = Vec::new();
    if words.is_empty() && call.paths("trace").is_empty() && call.paths("ledger").is_empty() {
        (words, left_out) = readable(&folder)?;
    }
    let named = named(call, words)?;
    let mut file = CaseFile::new(&folder, &first_lines(&folder)?)?;
    let result = if named.is_empty() {
        Added::default()
    } else {
        added(call, &mut file, named, &mut Asker::of(call), true)?
    };
    let group = call.flag("group-book");
    make(&folder, group)?;
    file.write(if group { 0o660 } else { 0o600 })?;
    if group {
        let options = Options { group, ..Options::default() };
        let book = Book::open(&folder.join("book.db"), &options)
            .map_err(|why| Failure::input(&format!("the case is made, but not its book: {why}")))?;
        for note in book.notes() {
            call.notes.note(note);
        }
    }
    if !left_out.is_empty() {
        call.notes.note(&format!("left out: {}", left_out.join(", ")));
    }
    if result.sources.is_empty() {
        call.print(|out| {
            out.line(&format!("Written to {}, without a source yet.", shown(&file.path)));
            out.line(&format!("recount case add FILE.. --case {} adds some.", shown(&folder)));
        })?;
        return Ok(0);
    }
    print(call, &file, &result)
}

/// `[case]` with the name of the folder.
fn first_lines(folder: &Path) -> Result<String, Failure> {
    let whole = super::entry::absolute(folder);
    let whole = whole.canonicalize().unwrap_or(whole);
    let name = whole.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let mut draft = Draft::new("[case]\n").map_err(|why| Failure::input(&why))?;
    if !name.is_empty() {
        draft.top("case", "id", &Value::Text(name));
    }
    Ok(draft.text())
}

/// Files of a folder that can be used, and what is left out.
fn readable(folder: &Path) -> Result<(Vec<OsString>, Vec<String>), Failure> {
    if !folder.is_dir() {
        return Ok((Vec::new(), Vec::new()));
    }
    let cannot = |why: std::io::Error| Failure::input(&format!("{} cannot be listed: {why}", shown(folder)));
    let (mut words, mut left_out) = (Vec::new(), Vec::new());
    let mut looker = Looker::default();
    for file in files_of(folder).map_err(cannot)? {
        let word = file.into_os_string();
        match looker.looked(&address_of(&word)?, None, &word)? {
            Looked::Piece(_) => words.push(word),
            Looked::Unclear { why, .. } | Looked::Unusable { why, .. } => {
                left_out.push(format!("{} ({why})", shown(Path::new(&word))));
            }
        }
    }
    Ok((words, left_out))
}

/// The folder: its owner's alone, or of a group that hands itself on.
fn make(folder: &Path, group: bool) -> Result<(), Failure> {
    use std::os::unix::fs::PermissionsExt as _;
    if folder.is_dir() {
        return Ok(());
    }
    let mode = if group { 0o2770 } else { 0o700 };
    let made = DirBuilder::new().recursive(true).mode(mode).create(folder);
    // The umask took bits of the group.
    let set = || std::fs::set_permissions(folder, std::fs::Permissions::from_mode(mode));
    made.and_then(|()| if group { set() } else { Ok(()) }).map_err(|why| {
        Failure::input(&format!("cannot make {}: {why}; name another place for the case", shown(folder)))
    })
}
