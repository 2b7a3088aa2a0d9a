//! Who gives a command that writes: the surroundings gathered, decided by `lifecycle::identity` (`3-lifecycle.md` 3.15).

use crate::book::Actor;
use crate::config::Config;
use crate::lifecycle::identity::{self, Environment, Operator};
use crate::lifecycle::refusal::Refusal;

use super::call::Call;

/// Session variables of access systems, first that is there.
const SESSIONS: [&str; 3] = ["TELEPORT_USER", "SSH_USER_AUTH", "SSH_CONNECTION"];

/// The surroundings of this call.
pub fn surroundings(call: &Call) -> Environment {
    let variable = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
    Environment {
        flag: call.text("operator").map(str::to_owned),
        variable: variable("RECOUNT_OPERATOR"),
        config: None,
        sudo_user: variable("SUDO_USER"),
        login: login(),
        uid: Some(rustix::process::geteuid().as_raw()),
        tty: std::fs::read_link("/proc/self/fd/0")
            .ok()
            .map(|path| path.to_string_lossy().into_owned())
            .filter(|path| path.starts_with("/dev/pts/") || path.starts_with("/dev/tty")),
        session: SESSIONS.iter().find_map(|name| variable(name)),
        host: rustix::system::uname().nodename().to_string_lossy().into_owned(),
    }
}

/// The login of the user that runs the program: by its number, not by a variable that anybody may set.
fn login() -> Option<String> {
    let uid = rustix::process::geteuid().as_raw().to_string();
    let users = std::fs::read_to_string("/etc/passwd").ok()?;
    users.lines().find_map(|line| {
        let mut parts = line.split(':');
        let name = parts.next()?;
        (parts.nth(1)? == uid).then(|| name.to_owned())
    })
}

/// The operator of this call.
///
/// # Errors
/// R-IDENTITY where nobody is known.
pub fn operator(call: &Call, config: &Config) -> Result<Operator, Refusal> {
    identity::operator(&surroundings(call), &config.file.policy.shared_logins)
}

/// The operator as an entry names it. What is not known is left out.
pub fn actor(operator: &Operator) -> Actor {
    let some = |text: &str| Some(text.to_owned()).filter(|text| !text.is_empty());
    let person = &operator.person;
    Actor {
        kind: "human".to_owned(),
        name: person.name.clone(),
        host: operator.host.clone(),
        source: operator.source.word().to_owned(),
        uid: person.uid,
        login: some(&person.login),
        tty: operator.tty.clone(),
        session: some(&person.sudo_user).or_else(|| operator.session.clone()),
        verified: operator.unverified.then(|| "shared_login".to_owned()),
    }
}
