//! Who the operator is: the first name that is there, and everything that is known (`3-lifecycle.md` 3.15).
//!
//! It is a claim and no proof, unless a signature stands behind it.

use super::persons::{Person, listed};
use super::refusal::{Code, Refusal};

/// User ids below this are those of the system.
pub const FIRST_PERSON: u32 = 1000;

/// What the surroundings say.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Environment {
    /// `--operator`.
    pub flag: Option<String>,
    /// `RECOUNT_OPERATOR`.
    pub variable: Option<String>,
    /// A name from the config.
    pub config: Option<String>,
    /// `SUDO_USER`.
    pub sudo_user: Option<String>,
    /// Login of the system user.
    pub login: Option<String>,
    /// Numeric system user.
    pub uid: Option<u32>,
    /// Terminal.
    pub tty: Option<String>,
    /// Session variables of an access system, or the key fingerprint of the SSH server.
    pub session: Option<String>,
    /// Name of the host.
    pub host: String,
}

/// Where the name came from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Source {
    /// `--operator`.
    Flag,
    /// `RECOUNT_OPERATOR`.
    Env,
    /// The config.
    Config,
    /// The system.
    OsUser,
}

impl Source {
    /// The word in the log.
    pub fn word(self) -> &'static str {
        match self {
            Self::Flag => "flag",
            Self::Env => "env",
            Self::Config => "config",
            Self::OsUser => "os_user",
        }
    }
}

/// An operator.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Operator {
    /// As far as is known.
    pub person: Person,
    /// Where the name came from.
    pub source: Source,
    /// Host.
    pub host: String,
    /// Terminal.
    pub tty: Option<String>,
    /// Session.
    pub session: Option<String>,
    /// The login is shared, or differs from the name: nothing verifies it.
    pub unverified: bool,
}

impl Operator {
    /// As it is shown: `dana`, `dana (system user)`.
    pub fn shown(&self) -> String {
        let doubt = if self.unverified { ", identity not verified" } else { "" };
        match self.source {
            Source::OsUser => format!("{} (system user{doubt})", self.person.name),
            _ if self.unverified => format!("{} (identity not verified)", self.person.name),
            _ => self.person.name.clone(),
        }
    }
}

/// Who the operator is.
///
/// # Errors
/// R-IDENTITY: root and system users are nobody.
pub fn operator(from: &Environment, shared_logins: &[String]) -> Result<Operator, Refusal> {
    let given = |name: &Option<String>| name.clone().map(|n| n.trim().to_owned()).filter(|n| !n.is_empty());
    let person = |name: &String| name != "root";
    let system = from.uid.is_some_and(|uid| uid >= FIRST_PERSON);
    let found = [
        (given(&from.flag), Source::Flag),
        (given(&from.variable), Source::Env),
        (given(&from.config), Source::Config),
        (given(&from.sudo_user).filter(person), Source::OsUser),
        (given(&from.login).filter(person).filter(|_| system), Source::OsUser),
    ];
    let first = found.into_iter().find_map(|(name, source)| name.map(|n| (n, source)));
    // Whoever calls himself root is nobody in particular either.
    let Some((name, source)) = first.filter(|(name, _)| name.to_lowercase() != "root") else {
        return Err(Refusal::new(Code::Identity, "root and system users are nobody in particular")
            .seen(format!(
                "login {}, user id {}",
                from.login.as_deref().unwrap_or("not known"),
                from.uid.map_or("not known".to_owned(), |uid| uid.to_string())
            ))
            .missing("the name of a person")
            .next("give it with --operator NAME, or in RECOUNT_OPERATOR"));
    };
    let login = from.login.clone().unwrap_or_default();
    let behind = from.sudo_user.as_ref().unwrap_or(&login);
    let unverified = listed(shared_logins, behind) || behind.trim().to_lowercase() != name.to_lowercase();
    Ok(Operator {
        person: Person {
            name,
            uid: from.uid,
            login,
            sudo_user: from.sudo_user.clone().unwrap_or_default(),
            principal: None,
        },
        source,
        host: from.host.clone(),
        tty: from.tty.clone(),
        session: from.session.clone(),
        unverified,
    })
}
