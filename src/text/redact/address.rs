//! Addresses of databases: scheme, host, port and database, and nothing else (`4-sources.md` 4.17, `reliability.md` 2.3).
//!
//! The parts that are shown are picked from a list, what is not on it is never printed. Whatever does not parse is not
//! shown at all, since a password may be anywhere in it.

/// What stands for an address that cannot be read.
pub const UNREADABLE_ADDRESS: &str = "(address not shown: it cannot be read)";

/// Schemes in which the first part of the path is the database.
#[rustfmt::skip]
const DATABASES: &[&str] = &[
    "postgres", "postgresql", "cockroachdb", "redshift", "mysql", "mariadb", "mongodb", "mongodb+srv", "redis", "rediss",
    "clickhouse", "amqp", "amqps",
];

/// Words of a connection text of pairs (`host=db port=5432`), and what they are shown as.
#[rustfmt::skip]
const WORDS: &[(&str, &str)] = &[
    ("host", "host"), ("hostaddr", "host"), ("server", "host"), ("datasource", "host"), ("addr", "host"),
    ("address", "host"), ("port", "port"), ("dbname", "database"), ("database", "database"),
    ("initialcatalog", "database"), ("service", "service"),
];

/// The address without user, password, path and parameters: `postgres://db.example.com:5432/payments`.
pub fn url(text: &str) -> String {
    let text = text.trim();
    // Options of a source stand behind the name of a service.
    let text = if text.starts_with("service=") { text.split('?').next().unwrap_or(text) } else { text };
    let shown = if text.contains("://") { of_url(text) } else { of_pairs(text) };
    shown.unwrap_or_else(|| UNREADABLE_ADDRESS.to_owned())
}

fn of_url(text: &str) -> Option<String> {
    let (scheme, rest) = text.split_once("://")?;
    let name = scheme.strip_prefix("jdbc:").unwrap_or(scheme);
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.');
    if name.is_empty()
        || name.len() > 20
        || !name.starts_with(|first: char| first.is_ascii_alphabetic())
        || !name.bytes().all(plain)
    {
        return None;
    }
    let end = rest.find(['/', '?', '#', ';']).unwrap_or(rest.len());
    let (authority, behind) = rest.split_at_checked(end)?;
    let hosts = authority.rsplit_once('@').map_or(authority, |(_, hosts)| hosts);
    // A later @ means that the user's part did not end where it seems to.
    if behind.contains('@') || !hosts.split(',').all(is_host) {
        return None;
    }
    let mut shown = format!("{scheme}://{hosts}");
    let path = behind.strip_prefix('/').filter(|_| DATABASES.contains(&name.to_ascii_lowercase().as_str()));
    let database =
        path.and_then(|path| path.split(['/', '?', '#', ';']).next()).filter(|name| !name.is_empty());
    if let Some(database) = database {
        is_database(database).then(|| shown.extend(["/", database]))?;
    }
    Some(shown)
}

/// `host=db port=5432 dbname=payments`, or with `;` between the pairs.
fn of_pairs(text: &str) -> Option<String> {
    let parts = if text.contains(';') { split_pairs(text, ';')? } else { split_pairs(text, ' ')? };
    let mut shown = Vec::new();
    for (name, value) in parts {
        let folded: String = name
            .chars()
            .filter(|character| !matches!(character, ' ' | '_' | '-'))
            .collect::<String>()
            .to_ascii_lowercase();
        let Some(&(_, word)) = WORDS.iter().find(|(known, _)| *known == folded) else {
            continue;
        };
        let fits = match word {
            "port" => value.split(',').all(is_port),
            "database" | "service" => is_database(&value),
            _ => value.split(',').all(is_host) || is_socket(&value),
        };
        if !fits {
            return None;
        }
        shown.push(format!("{word}={value}"));
    }
    (!shown.is_empty()).then(|| shown.join(" "))
}

/// The pairs of a connection text. Values may be quoted, and in single quotes hold `\'`.
fn split_pairs(text: &str, separator: char) -> Option<Vec<(String, String)>> {
    let mut pairs = Vec::new();
    let mut rest = text.chars().peekable();
    loop {
        while rest.next_if(|&character| character == separator || character == ' ').is_some() {}
        if rest.peek().is_none() {
            return Some(pairs);
        }
        let mut name = String::new();
        loop {
            match rest.next()? {
                '=' => break,
                character if character.is_ascii_alphanumeric() || matches!(character, '_' | '-' | ' ') => {
                    name.push(character);
                }
                _ => return None,
            }
        }
        while rest.next_if_eq(&' ').is_some() {}
        let mut value = String::new();
        if let Some(quote) = rest.next_if(|character| matches!(character, '\'' | '"')) {
            loop {
                match rest.next()? {
                    '\\' => value.push(rest.next()?),
                    character if character == quote => break,
                    character => value.push(character),
                }
            }
            // Behind the quote only the next pair may stand.
            if rest.peek().is_some_and(|&next| next != separator && next != ' ') {
                return None;
            }
        } else {
            while let Some(character) = rest.next_if(|&character| character != separator) {
                value.push(character);
            }
        }
        pairs.push((name.trim().to_owned(), value.trim().to_owned()));
    }
}

/// `db.example.com:5432`, `[::1]:5432`; no host at all is one too (the local one).
fn is_host(text: &str) -> bool {
    let name_only = |name: &str| {
        name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'_'))
    };
    if let Some(rest) = text.strip_prefix('[') {
        let Some((address, behind)) = rest.split_once(']') else {
            return false;
        };
        return address.bytes().all(|byte| byte.is_ascii_hexdigit() || matches!(byte, b':' | b'.'))
            && (behind.is_empty() || behind.strip_prefix(':').is_some_and(is_port));
    }
    match text.split_once(':') {
        Some((name, port)) => name_only(name) && is_port(port),
        None => text.len() <= 253 && name_only(text),
    }
}

fn is_port(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit()) && text.parse::<u16>().is_ok()
}

fn is_database(text: &str) -> bool {
    (1..=63).contains(&text.len())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.' | b'$'))
}

/// A directory of sockets.
fn is_socket(text: &str) -> bool {
    text.starts_with('/')
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'/' | b'_' | b'-' | b'.'))
}
