//! Addresses of database servers: `postgres://HOST/DB?table=T`, `mysql://HOST/DB?table=T`, `service=NAME` (`4-sources.md` 4.5).
//!
//! Nothing of an address is ever printed from here: what cannot be read becomes a constant sentence.

use std::fmt;

use super::{AddressError, text_of};

/// Which kind of server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Engine {
    /// PostgreSQL, and what speaks its protocol.
    Postgres,
    /// `MySQL` and `MariaDB`.
    Mysql,
}

impl Engine {
    /// Its format name (`7-commands.md` 7.5.9).
    pub fn format(self) -> &'static str {
        match self {
            Self::Postgres => "postgres",
            Self::Mysql => "mysql",
        }
    }
}

/// How addresses begin.
const SCHEMES: [(&str, Engine); 4] = [
    ("postgres://", Engine::Postgres),
    ("postgresql://", Engine::Postgres),
    ("mysql://", Engine::Mysql),
    ("mariadb://", Engine::Mysql),
];

/// A named service of `pg_service.conf`.
const SERVICE: &str = "service=";

/// What a connection may be told, in an address or in a service file; `libpq` has the same names.
pub const PARAMETERS: [&str; 11] = [
    "host",
    "port",
    "dbname",
    "user",
    "sslmode",
    "sslrootcert",
    "sslcert",
    "sslkey",
    "passfile",
    "connect_timeout",
    "service",
];

/// Parameters that are secrets: refused on the command line.
const SECRETS: [&str; 3] = ["password", "sslpassword", "pass"];

/// Where a server is and how it is spoken to. A password is only in it where a file of the case has one.
#[derive(Clone, PartialEq, Eq)]
pub struct Server {
    /// Which kind.
    pub engine: Engine,
    /// Parameters by name; several hosts are parted by commas.
    pub parameters: Vec<(String, String)>,
    /// A password that stood in a file.
    pub password: Option<String>,
}

impl fmt::Debug for Server {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Server").field("engine", &self.engine).finish_non_exhaustive()
    }
}

impl Server {
    /// A parameter.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.parameters.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }
}

/// An address, and the options of the source that stand in it.
#[derive(Debug)]
pub struct Parsed {
    /// The server.
    pub server: Server,
    /// Options after `?` that are none of the connection.
    pub options: Vec<(String, String)>,
}

/// Which kind of server a text is the address of.
pub fn engine_of(text: &str) -> Option<Engine> {
    let scheme = SCHEMES.iter().find(|(scheme, _)| text.starts_with(scheme)).map(|(_, engine)| *engine);
    scheme.or_else(|| text.starts_with(SERVICE).then_some(Engine::Postgres))
}

/// Reads an address. On the command line everybody sees it, in lists of processes and histories: a password is refused.
///
/// # Errors
/// A password on the command line; an address that cannot be read. The sentence holds nothing of the address.
pub fn parse(text: &str, command_line: bool) -> Result<Parsed, AddressError> {
    let engine = engine_of(text).ok_or(AddressError::Server)?;
    let mut server = Server { engine, parameters: Vec::new(), password: None };
    let rest = SCHEMES.iter().find_map(|(scheme, _)| text.strip_prefix(scheme));
    let (place, query) = rest.unwrap_or(text).split_once('?').unwrap_or((rest.unwrap_or(text), ""));
    if let Some(name) = place.strip_prefix(SERVICE).filter(|_| rest.is_none()) {
        put(&mut server, "service", text_of(name).map_err(|_| AddressError::Server)?);
    } else {
        authority(&mut server, place)?;
    }
    let mut options = Vec::new();
    for pair in query.split('&').filter(|pair| !pair.is_empty()) {
        let (key, value) = pair.split_once('=').unwrap_or((pair, "true"));
        let read = |text: &str| text_of(text).map_err(|_| AddressError::Server);
        let (key, value) = (read(key)?, read(value)?);
        if SECRETS.contains(&key.as_str()) {
            server.password = Some(value);
        } else if PARAMETERS.contains(&key.as_str()) {
            put(&mut server, &key, value);
        } else {
            options.push((key, value));
        }
    }
    if command_line && server.password.is_some() {
        return Err(AddressError::Password);
    }
    Ok(Parsed { server, options })
}

fn put(server: &mut Server, name: &str, value: String) {
    server.parameters.retain(|(known, _)| known != name);
    if !value.is_empty() {
        server.parameters.push((name.to_owned(), value));
    }
}

/// `USER:PASSWORD@HOST:PORT,HOST:PORT/DATABASE`.
fn authority(server: &mut Server, place: &str) -> Result<(), AddressError> {
    let read = |text: &str| text_of(text).map_err(|_| AddressError::Server);
    let (authority, path) = place.split_once('/').unwrap_or((place, ""));
    let (user, hosts) = match authority.rsplit_once('@') {
        Some((user, hosts)) => (Some(user), hosts),
        None => (None, authority),
    };
    if let Some(user) = user {
        let (user, password) = user.split_once(':').map_or((user, None), |(user, word)| (user, Some(word)));
        put(server, "user", read(user)?);
        server.password = password.filter(|word| !word.is_empty()).map(read).transpose()?;
    }
    // A later @ means that the user's part did not end where it seems to.
    if path.contains('@') {
        if server.password.is_some() {
            return Err(AddressError::Password);
        }
        return Err(AddressError::Server);
    }
    let (mut names, mut ports) = (Vec::new(), Vec::new());
    for host in hosts.split(',').filter(|host| !host.is_empty()) {
        let (name, port) = match host.strip_prefix('[') {
            Some(inside) => {
                let (name, behind) = inside.split_once(']').ok_or(AddressError::Server)?;
                (name, behind.strip_prefix(':'))
            }
            None => host.rsplit_once(':').map_or((host, None), |(name, port)| (name, Some(port))),
        };
        names.push(read(name)?);
        let port = port.unwrap_or_default();
        if !port.is_empty() && port.parse::<u16>().is_err() {
            return Err(AddressError::Server);
        }
        ports.push(port.to_owned());
    }
    put(server, "host", names.join(","));
    if ports.iter().any(|port| !port.is_empty()) {
        put(server, "port", ports.join(","));
    }
    put(server, "dbname", read(path.split('/').next().unwrap_or_default())?);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parameters(text: &str) -> Vec<(String, String)> {
        let mut all = parse(text, true).unwrap().server.parameters;
        all.sort();
        all
    }

    #[test]
    fn the_parts_of_an_address() {
        for (text, wanted) in [
            ("postgres://db.example/pay", &[("dbname", "pay"), ("host", "db.example")][..]),
            (
                "postgresql://reader@h1:5433,[::1]/pay?sslmode=verify-full&table=x",
                &[
                    ("dbname", "pay"),
                    ("host", "h1,::1"),
                    ("port", "5433,"),
                    ("sslmode", "verify-full"),
                    ("user", "reader"),
                ],
            ),
            ("postgres:///pay?host=%2Frun%2Fpg", &[("dbname", "pay"), ("host", "/run/pg")]),
            ("service=books?table=refunds", &[("service", "books")]),
        ] {
            let wanted: Vec<(String, String)> =
                wanted.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
            assert_eq!(parameters(text), wanted, "{text}");
        }
        let options = parse("service=books?table=refunds&moves_money", true).unwrap().options;
        assert_eq!(
            options,
            [("table".to_owned(), "refunds".to_owned()), ("moves_money".to_owned(), "true".to_owned())]
        );
    }

    #[test]
    fn a_password_is_refused_and_never_said() {
        for text in [
            "postgres://u:s3cret@db/pay",
            "postgres://db/pay?password=s3cret",
            "service=books?sslpassword=s3cret",
        ] {
            let error = parse(text, true).unwrap_err();
            assert_eq!(error, AddressError::Password, "{text}");
            assert!(!error.to_string().contains("s3cr"), "{text}");
        }
        let kept = parse("postgres://u:s3cret@db/pay", false).unwrap().server;
        assert_eq!(kept.password.as_deref(), Some("s3cret"));
        assert!(!format!("{kept:?}").contains("s3cret"));
        for text in
            ["postgres://db:54x/pay", "postgres://[::1/pay", "postgres://db/pay@x", "postgres://db/p%zz"]
        {
            assert_eq!(parse(text, true).unwrap_err(), AddressError::Server, "{text}");
        }
    }
}
