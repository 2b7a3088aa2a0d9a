//! What was typed into a form and not written: one file each in the state folder of the person, which only he reads.

use std::fs::{DirBuilder, OpenOptions};
use std::io::Write as _;
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

use crate::canon::sha256_hex;

/// Largest draft that is read again.
const MOST: u64 = 64 * 1024;

/// The drafts of one case.
#[derive(Debug)]
pub struct Drafts {
    /// The state folder; `None` where the system names none.
    folder: Option<PathBuf>,
    /// What tells one case from another: where its book is.
    case: String,
}

impl Drafts {
    /// Of a case, in the state folder of the person.
    pub fn of(case: &str, variable: impl Fn(&str) -> Option<String>) -> Self {
        let absolute = |name: &str| variable(name).map(PathBuf::from).filter(|path| path.is_absolute());
        let state = absolute("XDG_STATE_HOME").or_else(|| Some(absolute("HOME")?.join(".local/state")));
        Self { folder: state.map(|state| state.join("recount").join("drafts")), case: case.to_owned() }
    }

    fn path(&self, name: &str) -> Option<PathBuf> {
        let digest: String =
            sha256_hex(format!("{}\n{name}", self.case).as_bytes()).chars().take(32).collect();
        Some(self.folder.as_ref()?.join(format!("{digest}.json")))
    }

    /// What was typed before.
    pub fn read(&self, name: &str) -> Option<String> {
        let path = self.path(name)?;
        let fits = std::fs::metadata(&path).ok()?.len() <= MOST;
        if fits { std::fs::read_to_string(path).ok() } else { None }
    }

    /// Keeps what was typed, whole or not at all; an empty text forgets it. A draft that cannot be kept stands in no
    /// one's way: what counts is the book.
    pub fn keep(&self, name: &str, text: &str) {
        let Some(path) = self.path(name) else { return };
        if text.is_empty() {
            let _ = std::fs::remove_file(path);
        } else {
            let _ = self.write(&path, text);
        }
    }

    fn write(&self, path: &Path, text: &str) -> std::io::Result<()> {
        if let Some(folder) = &self.folder {
            DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
        }
        let beside = path.with_extension(format!("{}.new", std::process::id()));
        let mut file =
            OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(&beside)?;
        file.write_all(text.as_bytes())?;
        file.sync_data()?;
        drop(file);
        std::fs::rename(&beside, path)
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    #[test]
    fn a_draft_is_private_and_of_one_case_and_form() {
        let home = tempfile::tempdir().unwrap();
        let named = home.path().to_str().unwrap().to_owned();
        let of =
            |case: &str| Drafts::of(case, |name: &str| (name == "XDG_STATE_HOME").then(|| named.clone()));
        let drafts = of("a/book.db");
        assert_eq!(drafts.read("int_1 resolve"), None);
        drafts.keep("int_1 resolve", "{\"note\":\"half a\"}");
        drafts.keep("int_1 resolve", "{\"note\":\"half a sentence\"}");
        assert_eq!(drafts.read("int_1 resolve").unwrap(), "{\"note\":\"half a sentence\"}");
        assert_eq!(drafts.read("int_1 hold"), None);
        assert_eq!(of("b/book.db").read("int_1 resolve"), None);
        let folder = home.path().join("recount/drafts");
        let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode(&folder), 0o700);
        let files: Vec<_> = std::fs::read_dir(&folder).unwrap().map(|f| f.unwrap().path()).collect();
        assert_eq!(files.len(), 1, "nothing is left beside it: {files:?}");
        assert_eq!(mode(&files[0]), 0o600);
        drafts.keep("int_1 resolve", "");
        assert_eq!(drafts.read("int_1 resolve"), None);
    }

    #[test]
    fn without_a_state_folder_nothing_is_kept() {
        let drafts = Drafts::of("a", |name: &str| (name == "HOME").then(|| "relative".to_owned()));
        drafts.keep("int_1 note", "text");
        assert_eq!(drafts.read("int_1 note"), None);
    }
}
