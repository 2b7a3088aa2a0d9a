//! Where runs leave their files: the folder of `--out`, or one that goes away.

use std::path::{Path, PathBuf};

use tempfile::TempDir;

use crate::cli::call::Call;
use crate::cli::failure::Failure;
use crate::config;
use crate::lab::LabError;
use crate::lab::setup::{Mode, STORE_FILE, TRACE_FILE};
use crate::report::file::shown;

use super::failure;

/// A folder for runs.
pub struct Folder {
    /// Where it is.
    pub path: PathBuf,
    /// It stays.
    pub kept: bool,
    _temporary: Option<TempDir>,
}

impl Folder {
    /// The folder of a call: new or empty.
    ///
    /// # Errors
    /// A folder that holds something, or cannot be made.
    pub fn of(call: &Call) -> Result<Self, Failure> {
        let Some(path) = call.path("out") else {
            let made = tempfile::Builder::new().prefix("recount-lab-").tempdir();
            let temporary = made.map_err(|why| {
                Failure::input(&format!("no temporary folder can be made: {why}; name one with --out"))
            })?;
            return Ok(Self { path: temporary.path().to_owned(), kept: false, _temporary: Some(temporary) });
        };
        let cannot = |why: std::io::Error| failure(&LabError::file("use", &path, &why));
        std::fs::create_dir_all(&path).map_err(cannot)?;
        if std::fs::read_dir(&path).map_err(cannot)?.next().is_some() {
            return Err(failure(&LabError::Exists(shown(&path))));
        }
        Ok(Self { path, kept: true, _temporary: None })
    }

    /// The folder of a run that is to be resumed.
    ///
    /// # Errors
    /// Without `--out`.
    pub fn existing(call: &Call) -> Result<Self, Failure> {
        match call.path("out") {
            Some(path) => Ok(Self { path, kept: true, _temporary: None }),
            None => Err(Failure::usage("--resume goes on with the run in --out DIR; name it")),
        }
    }

    /// The folder of one of several runs.
    ///
    /// # Errors
    /// A folder that cannot be made.
    pub fn inner(&self, name: &str) -> Result<PathBuf, Failure> {
        let path = self.path.join(name);
        std::fs::create_dir_all(&path).map_err(|why| failure(&LabError::file("create", &path, &why)))?;
        Ok(path)
    }

    /// Says where the files are.
    pub fn say(&self, call: &Call) {
        if self.kept {
            let place = crate::text::shell_path(&self.path);
            call.notes.note(&format!("left in {}", place.shown()));
        }
    }
}

/// Makes a folder a case, so that `check` and the screen open it as it is.
///
/// # Errors
/// A file that cannot be written.
pub fn describe(folder: &Path, id: &str, title: &str, mode: Mode) -> Result<(), Failure> {
    let idempotent = match mode {
        Mode::Unsafe => "idempotent = \"no\"",
        Mode::Idempotent => "idempotent = \"yes\"\nretention = \"24h\"\nsame_key_redrive = true",
    };
    let text = format!(
        "[case]\nid = \"{id}\"\ntitle = \"{title}\"\nproperty = \"at-most-once\"\n\n\
         [traces.trace]\npath = \"{TRACE_FILE}\"\n\n\
         [sources.store]\nkind = \"sqlite\"\npath = \"{STORE_FILE}\"\ntable = \"refunds\"\n\
         moves_money = true\nholds = [\"refund\"]\n\n\
         [tools.refund_order]\nrole = \"write\"\n{idempotent}\n"
    );
    let path = folder.join(config::NAME);
    std::fs::write(&path, text).map_err(|why| failure(&LabError::file("write", &path, &why)))
}
