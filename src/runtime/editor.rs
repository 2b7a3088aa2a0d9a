//! The editor of a person on a note: the terminal is given to it, and what it leaves comes back.

use std::io::{self, Read as _, Write as _};
use std::process::Command;

use crate::app::case::Trouble;

/// Most bytes that are taken back.
const MOST: u64 = 64 * 1024;
/// Editors, first that is named: variables, else one that every system has.
const NAMED: [&str; 2] = ["VISUAL", "EDITOR"];
const USUAL: &str = "vi";

/// Opens the editor on a text, in a file that only this person reads, and gives what it left.
///
/// # Errors
/// Where it could not be started, or ended badly.
pub fn edit(text: &str, variable: impl Fn(&str) -> Option<String>) -> Result<String, Trouble> {
    let named = NAMED.iter().find_map(|name| variable(name).filter(|value| !value.trim().is_empty()));
    let line = named.unwrap_or_else(|| USUAL.to_owned());
    let mut words = line.split_whitespace();
    let program = words.next().unwrap_or(USUAL);
    left(text, program, words).map_err(|why| Trouble {
        what: format!("the editor {program} gave nothing back: {why}; the note is as it was"),
        next: "EDITOR names another one".to_owned(),
    })
}

fn left<'w>(text: &str, program: &str, words: impl Iterator<Item = &'w str>) -> io::Result<String> {
    // Made with 0600, and gone when it goes out of scope.
    let mut file = tempfile::Builder::new().prefix("recount-note-").suffix(".txt").tempfile()?;
    file.write_all(text.as_bytes())?;
    file.flush()?;
    let ended = Command::new(program).args(words).arg(file.path()).status()?;
    if !ended.success() {
        return Err(io::Error::other(ended.to_string()));
    }
    let mut after = Vec::new();
    // Editors put another file in its place: it is opened by its name.
    std::fs::File::open(file.path())?.take(MOST).read_to_end(&mut after)?;
    Ok(String::from_utf8_lossy(&after).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_editor_leaves_comes_back() {
        let folder = tempfile::tempdir().unwrap();
        let script = folder.path().join("ed.sh");
        std::fs::write(&script, "#!/bin/sh\nprintf ' and more' >> \"$1\"\n").unwrap();
        let command = format!("sh {}", script.display());
        let with = |name: &str| (name == "EDITOR").then(|| command.clone());
        assert_eq!(edit("a note", with).unwrap(), "a note and more");
        let why = edit("a note", |_| Some("false".to_owned())).unwrap_err();
        assert!(why.what.starts_with("the editor false gave nothing back: "), "{}", why.what);
    }
}
