//! What is remembered per set of inputs: a small file of named values in the state folder of the user
//! (`tui.md` 1.3, sessions). Losing it loses nothing but convenience.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use crate::canon::sha256_hex;
use crate::report::file::shown;
use crate::sources::spec::{CaseSpec, Location};

/// Most bytes of such a file.
const LARGEST: u64 = 64 * 1024;

/// The file of a set of inputs; `None` where there is no place for one or nothing to remember it by.
pub fn file_of(spec: &CaseSpec) -> Option<PathBuf> {
    let mut names: Vec<String> = spec
        .sources
        .iter()
        .map(|source| match &source.location {
            Location::File(path) => {
                path.canonicalize().unwrap_or_else(|_| path.clone()).display().to_string()
            }
            _ => source.shown.clone(),
        })
        .collect();
    names.sort();
    if names.is_empty() {
        return None;
    }
    let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let state = set("XDG_STATE_HOME").or_else(|| Some(set("HOME")?.join(".local/state")))?;
    let name = format!("{}.json", sha256_hex(names.join("\n").as_bytes()));
    Some(state.join("recount").join("sessions").join(name))
}

/// What was remembered; nothing where there is no file.
///
/// # Errors
/// A file that cannot be used, in words.
pub fn read(path: &Path) -> Result<Vec<(String, String)>, String> {
    use std::io::Read as _;
    let Ok(file) = std::fs::File::open(path) else {
        return Ok(Vec::new());
    };
    let mut text = String::new();
    let bad = |why: String| {
        format!("{} is damaged and was left aside ({why}); it is written anew when you leave", shown(path))
    };
    file.take(LARGEST).read_to_string(&mut text).map_err(|why| bad(why.to_string()))?;
    let values: std::collections::BTreeMap<String, String> =
        serde_json::from_str(&text).map_err(|why| bad(why.to_string()))?;
    Ok(values.into_iter().collect())
}

/// Keeps what is to be remembered, for the user alone; a file with nothing in it is taken away. Whole or not at all.
///
/// # Errors
/// What keeps it from being written, in words.
pub fn keep(path: &Path, values: &[(String, String)]) -> Result<(), String> {
    if values.is_empty() {
        return match std::fs::remove_file(path) {
            Err(why) if why.kind() != std::io::ErrorKind::NotFound => Err(why.to_string()),
            _ => Ok(()),
        };
    }
    let folder = path.parent().ok_or_else(|| "it has no folder".to_owned())?;
    let write = || -> std::io::Result<()> {
        std::fs::create_dir_all(folder)?;
        // Readable by its owner alone from the beginning.
        let mut file = tempfile::NamedTempFile::new_in(folder)?;
        let values: std::collections::BTreeMap<&str, &str> =
            values.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        serde_json::to_writer(&mut file, &values)?;
        file.write_all(b"\n")?;
        file.persist(path).map(drop).map_err(|why| why.error)
    };
    write().map_err(|why| why.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_comes_back_and_a_damaged_file_is_left_aside() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a/b/one.json");
        assert_eq!(read(&path), Ok(Vec::new()));
        let values =
            [("filter".to_owned(), "late \"x\"".to_owned()), ("only-unknown".to_owned(), "on".to_owned())];
        keep(&path, &values).unwrap();
        assert_eq!(read(&path).unwrap(), values);
        assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        std::fs::write(&path, "{\"filter\": 1}").unwrap();
        let why = read(&path).unwrap_err();
        assert!(why.contains("one.json is damaged and was left aside"), "{why}");
        keep(&path, &[]).unwrap();
        assert!(!path.exists());
        keep(&path, &[]).unwrap();
    }
}
