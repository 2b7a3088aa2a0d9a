//! Reaching the server: parameters from address, service file and environment, in this order, as `psql` does.

use std::path::{Path, PathBuf};
use std::time::Duration;

use postgres::config::SslMode;
use postgres::{Client, Config, NoTls};
use tokio_postgres_rustls::MakeRustlsConnect;

use super::said::{Role, said};
use super::tls::{self, Mode};
use crate::sources::address::Server;
use crate::sources::ledger::server::{ServerError, secret};

/// Where sockets stand where no host is named.
const SOCKETS: [&str; 2] = ["/var/run/postgresql", "/tmp"];

/// Who does not answer in this time is not there.
const CONNECT: Duration = Duration::from_secs(10);

/// Variables that stand for parameters.
const VARIABLES: [(&str, &str); 10] = [
    ("host", "PGHOST"),
    ("port", "PGPORT"),
    ("dbname", "PGDATABASE"),
    ("user", "PGUSER"),
    ("sslmode", "PGSSLMODE"),
    ("sslrootcert", "PGSSLROOTCERT"),
    ("sslcert", "PGSSLCERT"),
    ("sslkey", "PGSSLKEY"),
    ("passfile", "PGPASSFILE"),
    ("connect_timeout", "PGCONNECT_TIMEOUT"),
];

/// A connection, and what is said of it.
pub(super) struct Connected {
    pub(super) client: Client,
    /// The role, for sentences.
    pub(super) role: Role,
    /// How the connection is protected, where a person should know.
    pub(super) note: Option<String>,
}

/// Parameters with their origins laid over each other.
struct Parameters {
    given: Vec<(String, String)>,
    service: Vec<(String, String)>,
}

impl Parameters {
    fn new(server: &Server) -> Result<Self, ServerError> {
        let name = server.get("service").map(str::to_owned).or_else(|| variable("PGSERVICE"));
        let service = match name {
            Some(name) => secret::service(&name, variable)?,
            None => Vec::new(),
        };
        Ok(Self { given: server.parameters.clone(), service })
    }

    fn get(&self, name: &str) -> Option<String> {
        let of = |all: &[(String, String)]| {
            all.iter().find(|(known, _)| known == name).map(|(_, value)| value.clone())
        };
        let env = || VARIABLES.iter().find(|(known, _)| *known == name).and_then(|(_, name)| variable(name));
        of(&self.given).or_else(|| of(&self.service)).or_else(env).filter(|value| !value.is_empty())
    }
}

fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}

/// Connects. There are no start-up options, because a pooler refuses them.
///
/// # Errors
/// Each cause has its own sentence.
pub(super) fn connect(server: &Server, password_command: &[String]) -> Result<Connected, ServerError> {
    let parameters = Parameters::new(server)?;
    let user = parameters.get("user").or_else(|| variable("USER")).unwrap_or_else(|| "postgres".to_owned());
    let database = parameters.get("dbname").unwrap_or_else(|| user.clone());
    let host = parameters.get("host").unwrap_or_else(|| {
        let socket = SOCKETS.iter().find(|folder| Path::new(folder).join(".s.PGSQL.5432").exists());
        (*socket.unwrap_or(&"localhost")).to_owned()
    });
    let port_words = parameters.get("port").unwrap_or_default();
    let ports: Vec<u16> = port_words.split(',').map(|port| port.trim().parse().unwrap_or(5432)).collect();
    let mut config = Config::new();
    config.user(&user).dbname(&database).connect_timeout(timeout(&parameters));
    for (at, name) in host.split(',').enumerate() {
        config.host(name);
        config.port(ports.get(at).or(ports.first()).copied().unwrap_or(5432));
    }
    let role = Role { user: user.clone(), database: database.clone() };
    if let Some(password) = password(server, &parameters, password_command, &host, &ports, &role)? {
        config.password(password);
    }
    let local = host.split(',').all(|host| host.starts_with('/'));
    let mode = match parameters.get("sslmode") {
        _ if local => Mode::Disable,
        Some(word) => Mode::named(&word).ok_or_else(|| ServerError::Setting(tls::unknown_mode()))?,
        None => Mode::Prefer,
    };
    if mode == Mode::Disable {
        config.ssl_mode(SslMode::Disable);
        let client = config.connect(NoTls).map_err(|error| said(&error, &role, mode.word()))?;
        return Ok(Connected { client, role, note: None });
    }
    config.ssl_mode(if mode == Mode::Prefer { SslMode::Prefer } else { SslMode::Require });
    let files = tls::Files {
        root: parameters.get("sslrootcert").or_else(|| of_home("root.crt")),
        certificate: parameters.get("sslcert").or_else(|| of_home("postgresql.crt")),
        key: parameters.get("sslkey").or_else(|| of_home("postgresql.key")),
    };
    let (setting, checked) = tls::setting(mode, &files)?;
    let connector = MakeRustlsConnect::new(setting);
    let client = config.connect(connector).map_err(|error| said(&error, &role, mode.word()))?;
    let note = (!checked).then(|| {
        format!(
            "sslmode={}: the certificate of the server is not checked; sslmode=verify-full checks it",
            mode.word()
        )
    });
    Ok(Connected { client, role, note })
}

fn timeout(parameters: &Parameters) -> Duration {
    let given = parameters.get("connect_timeout").and_then(|text| text.parse().ok()).filter(|s| *s > 0);
    given.map_or(CONNECT, Duration::from_secs)
}

/// A file of `~/.postgresql` that is there.
fn of_home(name: &str) -> Option<String> {
    let path = PathBuf::from(variable("HOME")?).join(".postgresql").join(name);
    path.is_file().then(|| path.to_string_lossy().into_owned())
}

/// The password: of the case's file, of a command, of the environment, of a service, of a password file.
fn password(
    server: &Server,
    parameters: &Parameters,
    command: &[String],
    host: &str,
    ports: &[u16],
    role: &Role,
) -> Result<Option<String>, ServerError> {
    if server.password.is_some() {
        return Ok(server.password.clone());
    }
    if let Some(password) = secret::from_command(command)? {
        return Ok(Some(password));
    }
    let known = variable("PGPASSWORD").or_else(|| parameters.get("password"));
    let file = || {
        let path = parameters
            .get("passfile")
            .map(PathBuf::from)
            .or_else(|| Some(PathBuf::from(variable("HOME")?).join(".pgpass")))?;
        let host = host.split(',').next().unwrap_or_default();
        let login = secret::Login {
            host: if host.starts_with('/') { "localhost" } else { host },
            port: ports.first().copied().unwrap_or(5432),
            database: &role.database,
            user: &role.user,
        };
        secret::from_pgpass(&path, login)
    };
    Ok(known.or_else(file))
}
