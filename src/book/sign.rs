//! Signatures by `ssh-keygen -Y` (`3-lifecycle.md` 3.6.7, 3.11). Keys never come into this program.

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};

/// For heads and entries of the chain.
pub const AUDIT: &str = "recount-audit";
/// For approvals.
pub const APPROVAL: &str = "recount-approval";

/// Signs: the signature as text.
///
/// # Errors
/// What `ssh-keygen` says, or that there is none.
pub fn sign(namespace: &str, key: &Path, data: &[u8]) -> Result<String, String> {
    let done = run(Command::new("ssh-keygen").args(["-Y", "sign", "-n", namespace, "-f"]).arg(key), data)?;
    let signature = String::from_utf8(done.stdout).map_err(|_| "ssh-keygen gave no text".to_owned())?;
    if done.status.success() && signature.starts_with("-----BEGIN SSH SIGNATURE-----") {
        Ok(signature)
    } else {
        Err(said(&done.stderr))
    }
}

/// Checks a signature against a file of allowed signers: the principal that made it.
///
/// # Errors
/// What `ssh-keygen` says, or that there is none.
pub fn verify(namespace: &str, allowed: &Path, signature: &str, data: &[u8]) -> Result<String, String> {
    let mut file = tempfile::NamedTempFile::new().map_err(|why| why.to_string())?;
    file.write_all(signature.as_bytes()).and_then(|()| file.flush()).map_err(|why| why.to_string())?;
    let found = run(
        Command::new("ssh-keygen")
            .args(["-Y", "find-principals", "-s"])
            .arg(file.path())
            .arg("-f")
            .arg(allowed),
        b"",
    )?;
    let principals = String::from_utf8_lossy(&found.stdout).into_owned();
    let first = principals.split(['\n', ',']).map(str::trim).next();
    let Some(principal) = first.filter(|name| found.status.success() && !name.is_empty()) else {
        return Err(format!("{} names nobody with this key", super::error::shown(allowed)));
    };
    let done = run(
        Command::new("ssh-keygen")
            .args(["-Y", "verify", "-n", namespace, "-I", principal, "-s"])
            .arg(file.path())
            .arg("-f")
            .arg(allowed),
        data,
    )?;
    if done.status.success() { Ok(principal.to_owned()) } else { Err(said(&done.stderr)) }
}

/// Whether a principal is this person: the name itself, or what stands before the `@` of an address.
pub fn is_of(principal: &str, name: &str) -> bool {
    let (principal, name) = (principal.trim().to_lowercase(), name.trim().to_lowercase());
    let before = principal.split_once('@').map_or(principal.as_str(), |(before, _)| before);
    !name.is_empty() && (principal == name || before == name)
}

fn run(command: &mut Command, input: &[u8]) -> Result<Output, String> {
    let no = |why: std::io::Error| format!("ssh-keygen cannot be run: {why}");
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().map_err(no)?;
    if let Some(mut to) = child.stdin.take() {
        // It may end before it read everything; its exit code tells.
        let _ = to.write_all(input);
    }
    child.wait_with_output().map_err(no)
}

fn said(stderr: &[u8]) -> String {
    let text = String::from_utf8_lossy(stderr).into_owned();
    let line = text.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or("ssh-keygen says no");
    crate::text::SafeText::new(line).shown().into_owned()
}

#[cfg(test)]
mod tests {
    use super::is_of;

    #[test]
    fn a_principal_is_a_name_or_the_address_of_one() {
        for (principal, name, same) in [
            ("dana", "dana", true),
            ("Dana@example.org", "dana", true),
            ("dana@example.org", "dana@example.org", true),
            ("dana@example.org", "dan", false),
            ("mika@dana", "dana", false),
            ("@example.org", "", false),
        ] {
            assert_eq!(is_of(principal, name), same, "{principal} {name}");
        }
    }
}
