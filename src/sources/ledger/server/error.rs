//! Why a ledger on a server cannot be read: one clear sentence each (`4-sources.md` 4.5).

use thiserror::Error;

use crate::sources::ledger::sqlite::SqliteError;
use crate::sources::mapping::MappingError;

/// Why a server cannot be read. Nothing of an address and no value of a row stands in it.
#[derive(Debug, Error)]
pub enum ServerError {
    /// This build cannot speak to it.
    #[error(
        "this build does not read {0}: it was made without this feature. Use a build with it, or an export of the table"
    )]
    NotBuilt(&'static str),
    /// The service file does not have the service.
    #[error("{0}")]
    Setting(String),
    /// Nobody answers.
    #[error("no server answers there: {0}. Check host, port and network, and that it runs")]
    Unreachable(String),
    /// Wrong or missing password, or no right to log in.
    #[error(
        "the server does not let this role in: {0}. Check user and password: ~/.pgpass, PGPASSWORD, a service file, or \
         `password_command`"
    )]
    Password(String),
    /// The same of a server that has other places for passwords.
    #[error(
        "the server does not let this role in: {0}. Check user and password: MYSQL_PWD, [client] of ~/.my.cnf, or \
         `password_command`"
    )]
    Login(String),
    /// No such database.
    #[error("the server has no such database: {0}. Check the name behind the host")]
    NoDatabase(String),
    /// The certificate cannot be trusted.
    #[error(
        "the server's certificate is not trusted: {0}. Name the root that signed it with sslrootcert=FILE"
    )]
    Certificate(String),
    /// No TLS.
    #[error(
        "the server offers no TLS, and sslmode={0} asks for it; ask its owner, or say sslmode=disable where nobody can listen"
    )]
    NoTls(String),
    /// The connection ended.
    #[error(
        "the server ended the connection in the middle of the reading: {0}. Nothing was changed; read it again"
    )]
    Killed(String),
    /// A statement took too long.
    #[error(
        "a query took longer than {seconds} s and was stopped by the server: {what}. An index on the columns of the ids serves it"
    )]
    Timeout {
        /// The limit.
        seconds: u64,
        /// Which query.
        what: String,
    },
    /// A lock was not to be had.
    #[error(
        "the table is locked: no read was possible for {0} s. Wait for whoever changes it, then read it again"
    )]
    Locked(u64),
    /// A replica had to go on.
    #[error(
        "the replica cancelled the reading twice, because it had to replay changes (recovery conflict): read the primary, or read it again later"
    )]
    Conflict,
    /// Which table.
    #[error(transparent)]
    Table(#[from] SqliteError),
    /// A column that is not there any more.
    #[error("{0}. Check the mapping of its columns")]
    NoColumn(String),
    /// No right to read.
    #[error("this role may not read {table}: its owner allows it with `grant select on {table} to {role}`")]
    Right {
        /// The table.
        table: String,
        /// The role.
        role: String,
    },
    /// The own statement.
    #[error("the statement of the ledger {0}: give one `select` or `with`, which only reads")]
    Statement(String),
    /// Mapping.
    #[error(transparent)]
    Mapping(#[from] MappingError),
    /// Cancelled.
    #[error("the reading was cancelled")]
    Cancelled,
    /// Everything else that a server says.
    #[error("the server says: {0}")]
    Said(String),
}
