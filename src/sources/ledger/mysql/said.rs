//! What the server says, in one clear sentence each.

use mysql::{DriverError, Error};

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

/// The sentence for an error. `connecting`: nothing was read yet, so that a lost connection is one that never was.
pub(super) fn said(error: &Error, role: &Role, what: &str, connecting: bool) -> ServerError {
    match error {
        Error::MySqlError(error) => by_code(error.code, &error.message, role, what),
        Error::DriverError(DriverError::TlsNotSupported) => ServerError::NoTls(what.to_owned()),
        Error::DriverError(DriverError::UnknownAuthPlugin(plugin)) => ServerError::Login(format!(
            "it asks for the method {plugin}, which is not known here; give the role a password of the usual method"
        )),
        Error::DriverError(DriverError::CouldNotConnect(Some((_, why, _)))) => {
            ServerError::Unreachable(why.clone())
        }
        Error::DriverError(DriverError::ConnectTimeout | DriverError::CouldNotConnect(None)) => {
            ServerError::Unreachable("no answer came in time".to_owned())
        }
        Error::TlsError(why) => of_tls(&why.to_string()),
        Error::IoError(_) | Error::CodecError(_) if error.to_string().contains("certificate") => {
            of_tls(&error.to_string())
        }
        Error::IoError(why) if connecting => ServerError::Unreachable(why.to_string()),
        Error::CodecError(why) if connecting => ServerError::Unreachable(why.to_string()),
        Error::IoError(why) if why.kind() == std::io::ErrorKind::WouldBlock => {
            ServerError::Killed("no answer came for 40 s".to_owned())
        }
        Error::IoError(_) | Error::CodecError(_) | Error::DriverError(DriverError::PacketOutOfSync) => {
            ServerError::Killed("the connection is gone".to_owned())
        }
        Error::DriverError(why) => ServerError::Said(why.to_string()),
        // These may hold values of rows.
        _ => ServerError::Said("an answer that could not be understood".to_owned()),
    }
}

fn of_tls(words: &str) -> ServerError {
    const WORDS: [(&str, &str); 6] = [
        ("UnknownIssuer", "nobody who is trusted here has signed it"),
        ("NotValidForName", "it is made out for another name"),
        ("not valid for", "it is made out for another name"),
        ("Expired", "it has expired"),
        ("expired", "it has expired"),
        ("CaUsedAsEndEntity", "it is that of a root itself"),
    ];
    match WORDS.iter().find(|(known, _)| words.contains(known)) {
        Some((_, why)) => ServerError::Certificate((*why).to_owned()),
        None => ServerError::Unreachable(format!("TLS failed: {words}")),
    }
}

fn by_code(code: u16, message: &str, role: &Role, what: &str) -> ServerError {
    let message = message.to_owned();
    match code {
        1044 | 1045 | 1698 | 1130 | 1251 | 1524 | 1862 => ServerError::Login(message),
        1049 => ServerError::NoDatabase(role.database.clone()),
        1146 | 1054 => ServerError::NoColumn(message),
        1142 | 1143 => ServerError::Right { table: what.to_owned(), role: role.user.clone() },
        1969 | 3024 => ServerError::Timeout { seconds: STATEMENT_SECONDS, what: what.to_owned() },
        1205 => ServerError::Locked(LOCK_SECONDS),
        1053 | 1077 | 1079 | 1184 | 1317 | 1927 | 4031 => ServerError::Killed(message),
        1040 | 1203 | 1226 => ServerError::Unreachable(message),
        1792 => ServerError::Statement("would write".to_owned()),
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
            (1045, "the server does not let this role in: as said. Check user and password: MYSQL_PWD, "),
            (1049, "the server has no such database: pay"),
            (1054, "as said. Check the mapping"),
            (
                1142,
                "this role may not read refunds: its owner allows it with `grant select on refunds to reader`",
            ),
            (1969, "a query took longer than 5 s and was stopped by the server: refunds"),
            (3024, "a query took longer than 5 s and was stopped by the server: refunds"),
            (1205, "the table is locked: no read was possible for 2 s"),
            (1927, "the server ended the connection in the middle of the reading: as said"),
            (1040, "no server answers there: as said"),
            (1792, "the statement of the ledger would write"),
            (1365, "the server says: as said"),
        ] {
            let words = by_code(code, "as said", &role, "refunds").to_string();
            assert!(words.starts_with(begins), "{words}");
        }
        assert!(of_tls("x UnknownIssuer").to_string().contains("Name the root that signed it"));
    }
}
