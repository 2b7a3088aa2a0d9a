//! A file that was asked for with `--out`: written beside its place under another name, then put there whole, and
//! never over another file without `--force` (`reliability.md` 2.3).

use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;
use thiserror::Error;

/// Why a file cannot be written. Says what failed, where, and what to do.
#[derive(Debug, Error)]
pub enum FileError {
    /// It is there already.
    #[error("{0} exists and is not overwritten; --force overwrites it")]
    Exists(String),
    /// The folder or the file cannot be written.
    #[error("cannot write {path}: {why}; name another place with --out")]
    Io {
        /// The file.
        path: String,
        /// Why.
        why: io::Error,
    },
}

/// A file that is being written.
pub struct NewFile {
    path: PathBuf,
    force: bool,
    temporary: BufWriter<NamedTempFile>,
}

impl NewFile {
    /// Begins a file. Fails at once where it could not be put in place.
    ///
    /// # Errors
    /// [`FileError`].
    pub fn create(path: &Path, force: bool) -> Result<Self, FileError> {
        if !force && path.symlink_metadata().is_ok() {
            return Err(FileError::Exists(shown(path)));
        }
        let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let temporary = NamedTempFile::new_in(folder).map_err(|why| io_error(path, why))?;
        Ok(Self { path: path.to_owned(), force, temporary: BufWriter::new(temporary) })
    }

    /// Puts the file in its place; until then nothing is there.
    ///
    /// # Errors
    /// [`FileError`].
    pub fn keep(self) -> Result<PathBuf, FileError> {
        let Self { path, force, temporary } = self;
        let temporary = temporary.into_inner().map_err(|why| io_error(&path, why.into_error()))?;
        temporary.as_file().sync_all().map_err(|why| io_error(&path, why))?;
        let kept = if force { temporary.persist(&path) } else { temporary.persist_noclobber(&path) };
        match kept {
            Ok(_) => Ok(path),
            Err(why) if why.error.kind() == io::ErrorKind::AlreadyExists => {
                Err(FileError::Exists(shown(&path)))
            }
            Err(why) => Err(io_error(&path, why.error)),
        }
    }
}

impl Write for NewFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.temporary.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.temporary.flush()
    }
}

fn io_error(path: &Path, why: io::Error) -> FileError {
    FileError::Io { path: shown(path), why }
}

/// Whether writing to a path would touch a file that is read: the same file under whatever name, by links too, or the
/// name at which one is looked for.
pub fn touches(out: &Path, read: &Path) -> bool {
    let real = |path: &Path| path.canonicalize().ok();
    let named = |path: &Path| {
        let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
        Some((real(folder)?, path.file_name()?.to_owned()))
    };
    let both = |a: Option<PathBuf>, b: Option<PathBuf>| a.is_some() && a == b;
    let same_name = named(out).is_some_and(|name| named(read).is_some_and(|other| other == name));
    out == read || same_name || both(real(out), real(read)) || one_file(out, read)
}

#[cfg(unix)]
fn one_file(a: &Path, b: &Path) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    let number = |path: &Path| path.metadata().ok().map(|file| (file.dev(), file.ino()));
    number(a).is_some_and(|a| number(b) == Some(a))
}

#[cfg(not(unix))]
fn one_file(_: &Path, _: &Path) -> bool {
    false
}

/// A path as it may be printed.
pub fn shown(path: &Path) -> String {
    crate::text::SafeText::from_bytes(path.as_os_str().as_encoded_bytes()).shown().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn never_over_another_file_without_force() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("list.csv");
        let mut file = NewFile::create(&path, false).unwrap();
        file.write_all(b"one").unwrap();
        assert!(!path.exists());
        file.keep().unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"one");

        let again = NewFile::create(&path, false).err().unwrap().to_string();
        assert!(again.ends_with("list.csv exists and is not overwritten; --force overwrites it"), "{again}");
        let mut file = NewFile::create(&path, true).unwrap();
        file.write_all(b"two").unwrap();
        file.keep().unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"two");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_file_that_came_meanwhile_stays() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("list.csv");
        let file = NewFile::create(&path, false).unwrap();
        std::fs::write(&path, b"mine").unwrap();
        assert!(matches!(file.keep(), Err(FileError::Exists(_))));
        assert_eq!(std::fs::read(&path).unwrap(), b"mine");
    }

    #[test]
    fn a_folder_that_is_not_there_is_said() {
        let why = NewFile::create(Path::new("/no/such/folder/x.csv"), false).err().unwrap().to_string();
        assert!(why.starts_with("cannot write /no/such/folder/x.csv: "), "{why}");
    }
}
