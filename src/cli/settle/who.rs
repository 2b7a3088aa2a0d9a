//! Whoever runs the program, as entries, requests and approvals name him (`3-lifecycle.md` 3.15): a claim, not a proof.

use serde_json::json;

use crate::book::Actor as Entry;
use crate::cli::call::Call;
use crate::cli::operator::{actor as actor_of, surroundings};
use crate::lifecycle::identity::Operator;
use crate::lifecycle::persons::Person;
use crate::lifecycle::states::Actor;

/// An operator as the entries name him.
pub fn entry(operator: &Operator, actor: Actor) -> Entry {
    Entry { kind: actor.word().to_owned(), ..actor_of(operator) }
}

/// A program as the entries name it: its login, or the name that it gives.
pub fn program(call: &Call, actor: Actor) -> Entry {
    let from = surroundings(call);
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
