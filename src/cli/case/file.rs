//! The `recount.toml` of a case on the disk: read, changed, put in place whole.

use std::io::Write as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use crate::cli::call::Call;
use crate::cli::failure::Failure;
use crate::config::edit::Draft;
use crate::config::{self, Config};
use crate::report::file::shown;

/// A file that is being changed.
pub(super) struct CaseFile {
    /// Its path as it was named.
    pub(super) path: PathBuf,
    /// Its text as it was read; `None` for a new one.
    before: Option<String>,
    /// Its text as it will be.
    pub(super) draft: Draft,
}

/// No command writes.
pub(super) fn may_write(call: &Call) -> Result<(), Failure> {
    if call.flag("read-only") {
        return Err(Failure::usage("--read-only writes nothing; leave it out to change recount.toml"));
    }
    Ok(())
}

impl CaseFile {
    /// The file of the case that a call names, else of the current folder.
    pub(super) fn of_call(call: &Call) -> Result<Self, Failure> {
        Self::at(call.path("case").unwrap_or_else(|| PathBuf::from(".")))
    }

    /// The file of a case.
    pub(super) fn at(named: PathBuf) -> Result<Self, Failure> {
        let path = if named.is_dir() { named.join(config::NAME) } else { named };
        if !path.is_file() {
            return Err(Failure::input(&format!(
                "{} is not there: recount case init DIR FILES makes a case, and --case DIR names one",
                shown(&path)
            )));
        }
        let cannot = |why: &dyn std::fmt::Display| Failure::input(&format!("{}: {why}", shown(&path)));
        let text = std::fs::read_to_string(&path).map_err(|why| cannot(&why))?;
        // What is wrong with it is said with its line.
        config::read(&path).map_err(|why| Failure::input(&why.to_string()))?;
        let draft = Draft::new(&text).map_err(|why| cannot(&why))?;
        Ok(Self { path, before: Some(text), draft })
    }

    /// A new file.
    pub(super) fn new(folder: &Path, text: &str) -> Result<Self, Failure> {
        let draft = Draft::new(text).map_err(|why| Failure::input(&why))?;
        Ok(Self { path: folder.join(config::NAME), before: None, draft })
    }

    /// The folder that its paths start from.
    pub(super) fn folder(&self) -> PathBuf {
        Config { path: Some(self.path.clone()), ..Config::default() }.folder()
    }

    /// The config as it will be, read as every command reads it.
    pub(super) fn config(&self) -> Result<Config, Failure> {
        let file = config::from_text(&self.path, &self.draft.text())
            .map_err(|why| Failure::input(&format!("{why}; nothing was written")))?;
        Ok(Config { path: Some(self.path.clone()), file })
    }

    /// Puts it in place. What came there meanwhile is not overwritten.
    pub(super) fn write(&self, mode: u32) -> Result<(), Failure> {
        let config = self.config()?;
        config::case::spec(&config).map_err(|why| Failure::input(&format!("{why}; nothing was written")))?;
        let text = self.draft.text();
        if self.before.as_deref() == Some(text.as_str()) {
            return Ok(());
        }
        // A link stays one: what it points to is replaced.
        let path = self.path.canonicalize().unwrap_or_else(|_| self.path.clone());
        let cannot = |why: &dyn std::fmt::Display| {
            Failure::input(&format!("cannot write {}: {why}; check who may write its folder", shown(&path)))
        };
        let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let mut new = NamedTempFile::new_in(folder).map_err(|why| cannot(&why))?;
        new.write_all(text.as_bytes()).map_err(|why| cannot(&why))?;
        let mode = std::fs::metadata(&path).map_or(mode, |old| old.permissions().mode() & 0o7777);
        let file = new.as_file();
        file.set_permissions(std::fs::Permissions::from_mode(mode)).map_err(|why| cannot(&why))?;
        file.sync_all().map_err(|why| cannot(&why))?;
        let Some(before) = &self.before else {
            return new.persist_noclobber(&path).map(|_| ()).map_err(|why| cannot(&why.error));
        };
        if std::fs::read_to_string(&path).ok().as_ref() != Some(before) {
            return Err(cannot(&"somebody else changed it meanwhile"));
        }
        new.persist(&path).map(|_| ()).map_err(|why| cannot(&why.error))
    }
}
