//! What the machine says about whoever runs the program (`3-lifecycle.md` 3.15). It is a claim, not a proof.

use std::os::unix::fs::MetadataExt as _;

use serde_json::json;

use crate::book::Actor as Entry;
use crate::cli::call::Call;
use crate::lifecycle::identity::{Environment, Operator};
use crate::lifecycle::persons::{Person, listed};
use crate::lifecycle::states::Actor;

fn read(path: &str) -> Option<String> {
    let text = std::fs::read_to_string(path).ok()?;
    Some(text.trim().to_owned()).filter(|text| !text.is_empty())
}

fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}

/// The surroundings of this call.
pub fn environment(call: &Call) -> Environment {
    let uid = std::fs::metadata("/proc/self").ok().map(|own| own.uid());
    let of_passwd = uid.and_then(|uid| {
        let users = read("/etc/passwd")?;
        let line = users.lines().find(|line| line.split(':').nth(2) == Some(uid.to_string().as_str()))?;
        line.split(':').next().map(str::to_owned)
    });
    let tty = std::fs::read_link("/proc/self/fd/0").ok().map(|path| path.to_string_lossy().into_owned());
    Environment {
        flag: call.text("operator").map(str::to_owned),
        variable: variable("RECOUNT_OPERATOR"),
        config: None,
        sudo_user: variable("SUDO_USER"),
        login: of_passwd.or_else(|| variable("LOGNAME")),
        uid,
        tty: tty.filter(|path| path.starts_with("/dev/pts/") || path.starts_with("/dev/tty")),
        session: variable("SUDO_USER"),
        host: read("/proc/sys/kernel/hostname").or_else(|| variable("HOSTNAME")).unwrap_or_default(),
    }
}

/// An operator as the entries name him.
pub fn entry(operator: &Operator, actor: Actor, shared_logins: &[String]) -> Entry {
    let person = &operator.person;
    Entry {
        kind: actor.word().to_owned(),
        name: person.name.clone(),
        host: operator.host.clone(),
        source: operator.source.word().to_owned(),
        uid: person.uid,
        login: Some(person.login.clone()).filter(|login| !login.is_empty()),
        tty: operator.tty.clone(),
        session: operator.session.clone(),
        verified: listed(shared_logins, &person.login).then(|| "shared_login".to_owned()),
    }
}

/// A program as the entries name it: its login, or the name that it gives.
pub fn program(call: &Call, actor: Actor) -> Entry {
    let from = environment(call);
    let given = from.flag.clone().or(from.variable.clone());
    let source = if from.flag.is_some() {
        "flag"
    } else if given.is_some() {
        "env"
    } else {
        "os_user"
    };
    Entry {
        kind: actor.word().to_owned(),
        name: given.or(from.login.clone()).unwrap_or_else(|| actor.word().to_owned()),
        host: from.host,
        source: source.to_owned(),
        uid: from.uid,
        login: from.login,
        tty: None,
        session: from.session,
        verified: None,
    }
}

/// A person as a request or approval writes him.
pub fn json(person: &Person) -> serde_json::Value {
    json!({
        "name": person.name, "uid": person.uid, "login": person.login, "sudo_user": person.sudo_user,
    })
}

/// A person of a request or approval.
pub fn of_json(value: &serde_json::Value) -> Person {
    let text =
        |name: &str| value.get(name).and_then(serde_json::Value::as_str).unwrap_or_default().to_owned();
    Person {
        name: text("name"),
        uid: value.get("uid").and_then(serde_json::Value::as_u64).and_then(|uid| u32::try_from(uid).ok()),
        login: text("login"),
        sudo_user: text("sudo_user"),
        principal: None,
    }
}
