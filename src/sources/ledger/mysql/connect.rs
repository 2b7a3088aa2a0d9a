//! Reaching the server: parameters from the address, the environment and `~/.my.cnf`, in this order.

use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use mysql::{ClientIdentity, Conn, DriverError, Error, OptsBuilder, SslOpts};

use super::said::{Role, said};
use crate::sources::address::Server;
use crate::sources::ledger::server::{ServerError, secret};

/// Who does not answer in this time is not there.
const CONNECT: Duration = Duration::from_secs(10);

/// A connection that says nothing for so long is gone: every query has a limit on the server that is shorter.
const SILENCE: Duration = Duration::from_secs(40);

/// Modes of `sslmode`: word, whether TLS is used, chain and name are checked.
const MODES: [(&str, Tls); 5] = [
    ("disable", Tls::No),
    ("prefer", Tls::IfThere),
    ("require", Tls::Yes { chain: false, name: false }),
    ("verify-ca", Tls::Yes { chain: true, name: false }),
    ("verify-full", Tls::Yes { chain: true, name: true }),
];

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Tls {
    No,
    IfThere,
    Yes { chain: bool, name: bool },
}

/// A connection, and what is said of it.
pub(super) struct Connected {
    pub(super) conn: Conn,
    /// The role, for sentences.
    pub(super) role: Role,
    /// How the connection is protected, where a person should know.
    pub(super) note: Option<String>,
}

fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}

/// `[client]` of `~/.my.cnf`; a password in a file that others may read is not used.
fn option_file() -> Vec<(String, String)> {
    let Some(path) = variable("HOME").map(|home| PathBuf::from(home).join(".my.cnf")) else {
        return Vec::new();
    };
    let Ok(text) = std::fs::read_to_string(&path) else { return Vec::new() };
    let others = std::fs::metadata(&path).is_ok_and(|kind| kind.permissions().mode() & 0o077 != 0);
    client(&text, !others)
}

fn client(text: &str, private: bool) -> Vec<(String, String)> {
    let bare = |value: &str| {
        let quoted = ['"', '\''].iter().find_map(|quote| value.strip_prefix(*quote)?.strip_suffix(*quote));
        quoted.unwrap_or(value).to_owned()
    };
    let mut found = secret::in_services(text, "client").unwrap_or_default();
    found.retain(|(name, _)| private || name != "password");
    found.into_iter().map(|(name, value)| (name, bare(&value))).collect()
}

/// Connects.
///
/// # Errors
/// Each cause has its own sentence.
pub(super) fn connect(server: &Server, password_command: &[String]) -> Result<Connected, ServerError> {
    let file = option_file();
    let get = |name: &str, in_file: &str| {
        let of_file = || file.iter().find(|(known, _)| known == in_file).map(|(_, value)| value.clone());
        server.get(name).map(str::to_owned).or_else(of_file).filter(|value| !value.is_empty())
    };
    let user = get("user", "user").or_else(|| variable("USER")).unwrap_or_else(|| "root".to_owned());
    let database = get("dbname", "database").unwrap_or_default();
    let host = get("host", "host").unwrap_or_else(|| "localhost".to_owned());
    if host.contains(',') {
        return Err(ServerError::Setting(
            "one host is read at a time: name the one of the primary".to_owned(),
        ));
    }
    let port = get("port", "port").and_then(|port| port.parse().ok()).unwrap_or(3306);
    let role = Role { user: user.clone(), database: database.clone() };
    let password = match server.password.clone() {
        Some(password) => Some(password),
        None => secret::from_command(password_command)?
            .or_else(|| variable("MYSQL_PWD"))
            .or_else(|| file.iter().find(|(name, _)| name == "password").map(|(_, value)| value.clone())),
    };
    let mode_word = server.get("sslmode").unwrap_or("prefer");
    let mode = MODES.iter().find(|(word, _)| *word == mode_word).map(|(_, mode)| *mode).ok_or_else(|| {
        ServerError::Setting(format!("sslmode is one of {}", MODES.map(|(word, _)| word).join(", ")))
    })?;
    let wait =
        server.get("connect_timeout").and_then(|text| text.parse().ok()).map_or(CONNECT, Duration::from_secs);
    let socket = host.starts_with('/');
    let options = OptsBuilder::new()
        .prefer_socket(false)
        .user(Some(user))
        .pass(password)
        .db_name(Some(database).filter(|name| !name.is_empty()))
        .tcp_connect_timeout(Some(wait))
        .read_timeout(Some(SILENCE))
        .write_timeout(Some(SILENCE));
    let options =
        if socket { options.socket(Some(host)) } else { options.ip_or_hostname(Some(host)).tcp_port(port) };
    let tls = |mode: Tls| -> Option<SslOpts> {
        let (chain, name) = match mode {
            Tls::Yes { chain, name } => (chain, name),
            Tls::IfThere => (false, false),
            Tls::No => return None,
        };
        let root = server.get("sslrootcert").filter(|root| *root != "system").map(PathBuf::from);
        let identity = server.get("sslcert").zip(server.get("sslkey"));
        Some(
            SslOpts::default()
                .with_root_cert_path(root)
                .with_danger_accept_invalid_certs(!chain)
                .with_danger_skip_domain_validation(!name)
                .with_client_identity(
                    identity.map(|(c, k)| ClientIdentity::new(PathBuf::from(c), PathBuf::from(k))),
                ),
        )
    };
    if let Some(missing) = ["sslrootcert", "sslcert", "sslkey"]
        .iter()
        .filter_map(|name| server.get(name))
        .find(|path| *path != "system" && !Path::new(path).is_file())
    {
        return Err(ServerError::Setting(format!("the file {missing} of the certificates is not there")));
    }
    let mode = if socket { Tls::No } else { mode };
    let made = match Conn::new(options.clone().ssl_opts(tls(mode))) {
        Err(Error::DriverError(DriverError::TlsNotSupported)) if mode == Tls::IfThere => {
            Conn::new(options.ssl_opts(None))
        }
        made => made,
    };
    let conn = made.map_err(|error| said(&error, &role, mode_word, true))?;
    let checked = !matches!(mode, Tls::IfThere | Tls::Yes { chain: false, .. });
    let note = (!checked).then(|| {
        format!(
            "sslmode={mode_word}: the certificate of the server is not checked; sslmode=verify-full checks it"
        )
    });
    Ok(Connected { conn, role, note })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_that_others_may_read_is_not_used() {
        let text = "[mysqld]\nport=1\n[client]\nuser = reader\npassword = \"a b\"\nhost='db'\n";
        let names = |all: Vec<(String, String)>| {
            all.into_iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>()
        };
        assert_eq!(names(client(text, true)), ["user=reader", "password=a b", "host=db"]);
        assert_eq!(names(client(text, false)), ["user=reader", "host=db"]);
    }
}
