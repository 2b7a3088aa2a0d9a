//! What the server says, in one clear sentence each.

use postgres::error::SqlState;

use crate::sources::ledger::server::ServerError;

/// Longest time that one statement may take.
pub(super) const STATEMENT_SECONDS: u64 = 5;

/// Longest time that a lock is waited for.
pub(super) const LOCK_SECONDS: u64 = 2;

/// Who reads, for sentences.
#[derive(Debug, Clone)]
pub(super) struct Role {
    pub(super) user: String,
    pub(super) database: String,
}

/// The sentence for an error. What the server says is taken without its details: they may hold values of rows.
pub(super) fn said(error: &postgres::Error, role: &Role, what: &str) -> ServerError {
    if let Some(db) = error.as_db_error() {
        return by_code(db.code(), db.message(), role, what);
    }
    let mut chain: Option<&dyn std::error::Error> = std::error::Error::source(error);
    while let Some(cause) = chain {
        let io = cause.downcast_ref::<std::io::Error>();
        let inner =
            io.and_then(std::io::Error::get_ref).and_then(|inner| inner.downcast_ref::<rustls::Error>());
        if let Some(tls) = inner.or_else(|| cause.downcast_ref()) {
            return match tls {
                rustls::Error::InvalidCertificate(why) => ServerError::Certificate(certificate_words(why)),
                other => ServerError::Unreachable(format!("TLS failed: {other}")),
            };
        }
        if cause.to_string().contains("does not support TLS") {
            return ServerError::NoTls(what.to_owned());
        }
        chain = cause.source();
    }
    let cause = std::error::Error::source(error).map(ToString::to_string);
    let words = cause.unwrap_or_else(|| error.to_string());
    if words.contains("password missing") {
        return ServerError::Password("it asks for a password, and none was found".to_owned());
    }
    if error.is_closed() || error.to_string().contains("communicating with the server") {
        return ServerError::Killed(words);
    }
    ServerError::Unreachable(words)
}

fn certificate_words(why: &rustls::CertificateError) -> String {
    use rustls::CertificateError as C;
    match why {
        C::UnknownIssuer => "nobody who is trusted here has signed it".to_owned(),
        C::NotValidForName | C::NotValidForNameContext { .. } => "it is made out for another name".to_owned(),
        C::Expired | C::ExpiredContext { .. } => "it has expired".to_owned(),
        C::NotValidYet | C::NotValidYetContext { .. } => "it is not valid yet".to_owned(),
        other => other.to_string(),
    }
}

fn by_code(code: &SqlState, message: &str, role: &Role, what: &str) -> ServerError {
    let message = message.to_owned();
    match code {
        &SqlState::INVALID_PASSWORD | &SqlState::INVALID_AUTHORIZATION_SPECIFICATION => {
            ServerError::Password(message)
        }
        &SqlState::INVALID_CATALOG_NAME => ServerError::NoDatabase(role.database.clone()),
        &SqlState::UNDEFINED_TABLE | &SqlState::UNDEFINED_COLUMN => ServerError::NoColumn(message),
        &SqlState::INSUFFICIENT_PRIVILEGE => {
            ServerError::Right { table: what.to_owned(), role: role.user.clone() }
        }
        &SqlState::QUERY_CANCELED => {
            ServerError::Timeout { seconds: STATEMENT_SECONDS, what: what.to_owned() }
        }
        &SqlState::LOCK_NOT_AVAILABLE => ServerError::Locked(LOCK_SECONDS),
        &SqlState::T_R_SERIALIZATION_FAILURE => ServerError::Conflict,
        &SqlState::ADMIN_SHUTDOWN | &SqlState::CRASH_SHUTDOWN => ServerError::Killed(message),
        &SqlState::CANNOT_CONNECT_NOW | &SqlState::TOO_MANY_CONNECTIONS => ServerError::Unreachable(message),
        &SqlState::READ_ONLY_SQL_TRANSACTION => ServerError::Statement("would write".to_owned()),
        _ => ServerError::Said(message),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_code_has_its_sentence() {
        let role = Role { user: "reader".to_owned(), database: "pay".to_owned() };
        for (code, begins) in [
            (SqlState::INVALID_PASSWORD, "the server does not let this role in: as said"),
            (SqlState::INVALID_CATALOG_NAME, "the server has no such database: pay"),
            (SqlState::UNDEFINED_COLUMN, "as said. Check the mapping"),
            (
                SqlState::INSUFFICIENT_PRIVILEGE,
                "this role may not read refunds: its owner allows it with `grant select on refunds to reader`",
            ),
            (SqlState::QUERY_CANCELED, "a query took longer than 5 s and was stopped by the server: refunds"),
            (SqlState::LOCK_NOT_AVAILABLE, "the table is locked: no read was possible for 2 s"),
            (SqlState::T_R_SERIALIZATION_FAILURE, "the replica cancelled the reading twice"),
            (
                SqlState::ADMIN_SHUTDOWN,
                "the server ended the connection in the middle of the reading: as said",
            ),
            (SqlState::TOO_MANY_CONNECTIONS, "no server answers there: as said"),
            (SqlState::READ_ONLY_SQL_TRANSACTION, "the statement of the ledger would write"),
            (SqlState::DIVISION_BY_ZERO, "the server says: as said"),
        ] {
            let words = by_code(&code, "as said", &role, "refunds").to_string();
            assert!(words.starts_with(begins), "{words}");
        }
    }
}
