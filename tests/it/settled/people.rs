//! A request of one system user, approved by another one without the book, accepted by a third: with signatures.

use std::fs::{Permissions, copy, set_permissions};
use std::os::unix::fs::{PermissionsExt as _, chown};
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::json;

use super::{keys, root};
use crate::settle::{NOW, Place};

/// Users that every system has; `ssh-keygen` signs for nobody else.
const ERIN: u32 = 65_534;
const DANA: u32 = 1;

const WHY: &str = "covered absence, the customer asks again";

/// Another machine: a folder of a system user, with the program, a key and what was sent. No book.
fn elsewhere(place: &Place, folder: &Path, user: u32, files: &[&str]) {
    set_permissions(folder, Permissions::from_mode(0o700)).unwrap();
    copy(env!("CARGO_BIN_EXE_recount"), folder.join("recount")).unwrap();
    for name in files {
        copy(place.path(name), folder.join(name)).unwrap();
        chown(folder.join(name), Some(user), Some(user)).unwrap();
    }
    chown(folder, Some(user), Some(user)).unwrap();
}

fn approve(folder: &Path, user: u32, name: &str, out: &str, clock: &str) -> Output {
    let words =
        ["approve", "R.json", "--out", out, "--relied-on-evidence", "--operator", name, "--sign", name];
    Command::new(folder.join("recount"))
        .args(words)
        .args(["--note", "looked at the list of the provider"])
        .current_dir(folder)
        .uid(user)
        .gid(user)
        .env_clear()
        .env("PATH", std::env::var_os("PATH").unwrap_or_default())
        .env("RECOUNT_TEST_CLOCK", clock)
        .output()
        .unwrap()
}

#[test]
fn three_system_users_decide_with_signatures() {
    let place = Place::sample();
    let users = std::fs::read_to_string("/etc/passwd").unwrap_or_default();
    let known = [ERIN, DANA].iter().all(|user| users.contains(&format!(":{user}:")));
    if !root() || !known || !keys(&place, &["dana", "erin"]) {
        eprintln!("skipped: only root can be three system users, and it needs ssh-keygen");
        return;
    }
    // Whoever decides cannot write the file of allowed signers.
    let all = tempfile::tempdir().unwrap();
    set_permissions(all.path(), Permissions::from_mode(0o755)).unwrap();
    let signers = all.path().join("signers");
    copy(place.path("signers"), &signers).unwrap();
    let config = place.path("case/recount.toml");
    let toml = std::fs::read_to_string(&config).unwrap();
    let named = format!("allowed_signers = \"{}\"\napprovers =", signers.display());
    std::fs::write(&config, toml.replace("approvers =", &named)).unwrap();
    let ask =
        ["request", "int_4812", "case", "--to", "failed", "--note", WHY, "--out", "R.json", "--sign", "dana"];
    let asked = place.run(&ask);
    assert_eq!(asked.exit, 0, "{asked:?}");

    let (erin, dana) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    elsewhere(&place, erin.path(), ERIN, &["R.json", "erin"]);
    elsewhere(&place, dana.path(), DANA, &["R.json", "dana"]);
    let told = approve(erin.path(), ERIN, "erin", "A.json", NOW);
    assert_eq!(told.status.code(), Some(0), "{told:?}");
    let accept = |name: &str| place.json(&["accept", name, "case", "--operator", "mika"]);
    // Self-approved: refused where it is made.
    let own = approve(dana.path(), DANA, "dana", "own.json", NOW);
    assert_eq!(own.status.code(), Some(5), "{own:?}");
    assert!(!dana.path().join("own.json").exists());
    // Too late for the request: refused where it is made.
    let late = approve(erin.path(), ERIN, "erin", "late.json", "2026-12-03T09:14:08Z");
    assert_eq!(late.status.code(), Some(5), "{late:?}");
    // Altered after it was signed: one word of the note, in canonical form still.
    for file in ["A.json", "A.json.sig"] {
        copy(erin.path().join(file), place.path(file)).unwrap();
    }
    let text = std::fs::read_to_string(place.path("A.json")).unwrap();
    std::fs::write(place.path("B.json"), text.replace("looked", "glanced")).unwrap();
    copy(place.path("A.json.sig"), place.path("B.json.sig")).unwrap();
    let (exit, refusal) = accept("B.json");
    assert_eq!(
        (exit, &refusal["because"]),
        (5, &json!("the signature is not accepted: it is not the signature of this file"))
    );
    // As it was signed.
    let (exit, done) = accept("A.json");
    assert_eq!((exit, &done["second"]["verified"]), (0, &json!("signature:erin@desk")), "{done}");
    assert_eq!(place.show("int_4812")["state"], json!("failed"));
    assert_eq!(accept("A.json").1["code"], json!("R-APPROVER"), "used once");
    assert_eq!(place.run(&["verify", "case"]).exit, 0);
}
