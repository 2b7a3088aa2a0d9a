//! Requests and approvals as files (`3-lifecycle.md` 3.11): canonical JSON, signed by `ssh-keygen -Y` where asked for.

use std::ffi::OsString;
use std::io::Write as _;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::canon::{canonical, sha256_hex};
use crate::cli::call::Call;
use crate::cli::failure::Failure;
use crate::report::file::{NewFile, shown};

use super::Stop;

/// Schema of a request.
pub const REQUEST: &str = "recount.request.v1";
/// Schema of an approval, and of a denial.
pub const APPROVAL: &str = "recount.approval.v1";
/// Namespace of signatures.
const NAMESPACE: &str = "recount-approval";
/// Most bytes of such a file.
const MOST: usize = 1 << 20;

/// A file of this family.
#[derive(Debug)]
pub struct Sheet {
    /// Its value.
    pub value: Value,
    /// Its canonical text.
    pub text: String,
}

impl Sheet {
    /// Of a value.
    ///
    /// # Errors
    /// Never in practice: texts and whole numbers have a canonical form.
    pub fn of(value: Value) -> Result<Self, Stop> {
        let text = canonical(&value.to_string()).map_err(|why| Failure::input(&why.to_string()))?;
        Ok(Self { value, text })
    }

    /// Reads a file. Its bytes must be the canonical form of what it says, so that nothing is hidden in it.
    ///
    /// # Errors
    /// A file that cannot be read, of another schema, or changed in form.
    pub fn read(path: &Path, schema: &str) -> Result<Self, Stop> {
        let name = shown(path);
        let bytes =
            std::fs::read(path).map_err(|why| Failure::input(&format!("{name} cannot be read: {why}")))?;
        let text = String::from_utf8(bytes)
            .ok()
            .filter(|text| text.len() <= MOST)
            .ok_or_else(|| Failure::input(&format!("{name} is no {schema} file")))?;
        let text = text.trim_end_matches('\n').to_owned();
        let value: Value = serde_json::from_str(&text)
            .map_err(|why| Failure::input(&format!("{name} is no JSON: {why}")))?;
        if value.get("schema").and_then(Value::as_str) != Some(schema) {
            return Err(Failure::input(&format!("{name} is no {schema} file")).into());
        }
        if canonical(&text).ok().as_deref() != Some(text.as_str()) {
            return Err(Failure::input(&format!(
                "{name} is not in canonical form: it was changed after it was made; ask for it again"
            ))
            .into());
        }
        Ok(Self { value, text })
    }

    /// Its digest.
    pub fn digest(&self) -> String {
        sha256_hex(self.text.as_bytes())
    }

    /// A text of it; empty where there is none.
    pub fn text_at(&self, name: &str) -> &str {
        self.value.get(name).and_then(Value::as_str).unwrap_or_default()
    }

    /// Whether such a file can be made, before anything is written anywhere else. Nothing is left behind.
    ///
    /// # Errors
    /// Usage: a file that is there already, a folder that cannot be written.
    pub fn can_be_made(call: &Call, path: &Path) -> Result<(), Failure> {
        NewFile::create(path, call.flag("force")).map(drop).map_err(|why| Failure::usage(&why.to_string()))
    }

    /// Writes it, and its signature beside it where a key is given.
    ///
    /// # Errors
    /// A file that is there already, a key that cannot sign.
    pub fn write(&self, call: &Call, path: &Path) -> Result<(), Stop> {
        let said = |why: &dyn std::fmt::Display| Failure::input(&format!("{}: {why}", shown(path)));
        let mut file =
            NewFile::create(path, call.flag("force")).map_err(|why| Failure::usage(&why.to_string()))?;
        file.write_all(format!("{}\n", self.text).as_bytes()).map_err(|why| said(&why))?;
        file.keep().map_err(|why| Failure::usage(&why.to_string()))?;
        if let Some(key) = call.path("sign") {
            let made = Command::new("ssh-keygen")
                .args(["-Y", "sign", "-n", NAMESPACE, "-f"])
                .arg(&key)
                .arg(path)
                .stdin(Stdio::null())
                .output()
                .map_err(|why| Failure::input(&format!("ssh-keygen cannot be started: {why}")))?;
            if !made.status.success() {
                let why = String::from_utf8_lossy(&made.stderr).trim().to_owned();
                return Err(Failure::input(&format!("{} could not be signed: {why}", shown(path))).into());
            }
        }
        Ok(())
    }
}

/// Where the signature of a file stands.
pub fn beside(path: &Path) -> PathBuf {
    let mut name: OsString = path.as_os_str().to_owned();
    name.push(".sig");
    PathBuf::from(name)
}

/// What stands behind a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Signed {
    /// No signature.
    No,
    /// This principal of the file of allowed signers.
    By(String),
    /// A signature that does not count, and why.
    Bad(String),
    /// Good, but whoever runs this may write the file of allowed signers.
    NotVerified(String),
}

/// Checks the signature beside a file.
pub fn signed(path: &Path, allowed: Option<&Path>) -> Signed {
    let sig = beside(path);
    if !sig.is_file() {
        return Signed::No;
    }
    let Some(allowed) = allowed else { return Signed::No };
    let found = Command::new("ssh-keygen")
        .args(["-Y", "find-principals", "-s"])
        .arg(&sig)
        .arg("-f")
        .arg(allowed)
        .stdin(Stdio::null())
        .output();
    let principal = match found {
        Ok(found) if found.status.success() => {
            let said = String::from_utf8_lossy(&found.stdout).lines().next().unwrap_or_default().to_owned();
            said.split(',').next().unwrap_or_default().trim().to_owned()
        }
        Ok(_) => return Signed::Bad("no allowed signer made it".to_owned()),
        Err(why) => return Signed::Bad(format!("ssh-keygen cannot be started: {why}")),
    };
    let Ok(file) = std::fs::File::open(path) else {
        return Signed::Bad("the file cannot be read".to_owned());
    };
    let checked = Command::new("ssh-keygen")
        .args(["-Y", "verify", "-n", NAMESPACE, "-I", &principal, "-f"])
        .arg(allowed)
        .arg("-s")
        .arg(&sig)
        .stdin(file)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    match checked {
        Ok(status) if status.success() => {
            if writable(allowed) {
                Signed::NotVerified(principal)
            } else {
                Signed::By(principal)
            }
        }
        Ok(_) => Signed::Bad("it is not the signature of this file".to_owned()),
        Err(why) => Signed::Bad(format!("ssh-keygen cannot be started: {why}")),
    }
}

/// Whether whoever runs this may write a file: as its owner, or because others may. Root may always; what root says of
/// himself is believed only from files that root alone can write.
fn writable(path: &Path) -> bool {
    let Ok(meta) = std::fs::metadata(path) else { return true };
    let own = std::fs::metadata("/proc/self").map(|own| own.uid()).unwrap_or_default();
    let others = meta.mode() & 0o022 != 0;
    others || (own != 0 && meta.uid() == own)
}
