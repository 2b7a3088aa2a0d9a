//! Where passwords come from: never the command line (`4-sources.md` 4.5). What is read here is never printed.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::ServerError;

/// Cuts a command into words: blanks part them, quotes hold them together, a backslash takes the next character as it
/// is. There is no shell. `None` where a quote is not closed.
pub fn words(text: &str) -> Option<Vec<String>> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        match (letter, quote) {
            ('\\', None | Some('"')) => word.get_or_insert_default().extend(letters.next()),
            (letter, Some(open)) if letter == open => quote = None,
            ('"' | '\'', None) => {
                quote = Some(letter);
                word.get_or_insert_default();
            }
            (letter, None) if letter.is_whitespace() => words.extend(word.take()),
            (letter, _) => word.get_or_insert_default().push(letter),
        }
    }
    words.extend(word);
    quote.is_none().then_some(words)
}

/// Runs a command that prints a password, without a shell; the line end after it is no part of it.
///
/// # Errors
/// When it cannot be run, fails or prints nothing. What it printed is not said.
pub fn from_command(command: &[String]) -> Result<Option<String>, ServerError> {
    let Some((program, arguments)) = command.split_first() else { return Ok(None) };
    let fail = |why: String| ServerError::Setting(format!("password_command `{program}` {why}"));
    let output = Command::new(program)
        .args(arguments)
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .output()
        .map_err(|why| fail(format!("cannot be run: {why}; check the path of the program")))?;
    if !output.status.success() {
        return Err(fail(format!("failed ({}); run it by hand to see why", output.status)));
    }
    let text = String::from_utf8(output.stdout).unwrap_or_default();
    let password = text.lines().next().unwrap_or_default().to_owned();
    if password.is_empty() {
        return Err(fail("printed nothing in UTF-8; run it by hand to see why".to_owned()));
    }
    Ok(Some(password))
}

/// What a password file is asked for; `*` in it stands for anything.
#[derive(Debug, Clone, Copy)]
pub struct Login<'l> {
    /// Host; `localhost` for a socket.
    pub host: &'l str,
    /// Port.
    pub port: u16,
    /// Database.
    pub database: &'l str,
    /// Role.
    pub user: &'l str,
}

/// The password of a login in the text of a `.pgpass`: `HOST:PORT:DATABASE:USER:PASSWORD`, the first line that fits.
pub fn in_pgpass(text: &str, login: Login<'_>) -> Option<String> {
    let port = login.port.to_string();
    let asked = [login.host, &port, login.database, login.user];
    text.lines().filter(|line| !line.starts_with('#')).find_map(|line| {
        let fields = pgpass_fields(line);
        let fits = |(field, asked): (&String, &&str)| field == "*" || field == asked;
        (fields.len() == 5 && fields.iter().zip(&asked).all(fits)).then(|| fields.into_iter().last())?
    })
}

/// Fields of a line: colons part them, the fifth holds the rest; a backslash takes the next character as it is.
fn pgpass_fields(line: &str) -> Vec<String> {
    let mut fields = vec![String::new()];
    let mut letters = line.chars();
    while let Some(letter) = letters.next() {
        let more = fields.len() < 5;
        match (letter, fields.last_mut()) {
            ('\\', Some(field)) => field.extend(letters.next()),
            (':', _) if more => fields.push(String::new()),
            (letter, Some(field)) => field.push(letter),
            (_, None) => {}
        }
    }
    fields
}

/// The password of a login from a password file; a file that others may read is not used, as `psql` does.
pub fn from_pgpass(path: &Path, login: Login<'_>) -> Option<String> {
    use std::os::unix::fs::PermissionsExt as _;
    let kind = std::fs::metadata(path).ok()?;
    if !kind.is_file() || kind.permissions().mode() & 0o077 != 0 {
        return None;
    }
    in_pgpass(&std::fs::read_to_string(path).ok()?, login)
}

/// The parameters of a service in the text of a `pg_service.conf`.
pub fn in_services(text: &str, service: &str) -> Option<Vec<(String, String)>> {
    let mut here = false;
    let mut found = None;
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')) {
        if let Some(name) = line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
            here = name == service;
            if here {
                found.get_or_insert_with(Vec::new);
            }
        } else if let (true, Some(all), Some((name, value))) = (here, &mut found, line.split_once('=')) {
            all.push((name.trim().to_owned(), value.trim().to_owned()));
        }
    }
    found
}

/// The parameters of a service from the files that `psql` looks into.
///
/// # Errors
/// When no file has it.
pub fn service(
    name: &str,
    variable: impl Fn(&str) -> Option<String>,
) -> Result<Vec<(String, String)>, ServerError> {
    let own = variable("PGSERVICEFILE").map(PathBuf::from);
    let home = variable("HOME").map(|home| Path::new(&home).join(".pg_service.conf"));
    let system =
        variable("PGSYSCONFDIR").map_or_else(|| PathBuf::from("/etc/postgresql-common"), PathBuf::from);
    let files = [own.or(home), Some(system.join("pg_service.conf"))];
    let read = |path: &PathBuf| in_services(&std::fs::read_to_string(path).ok()?, name);
    files.iter().flatten().find_map(read).ok_or_else(|| {
        ServerError::Setting(
            "no service of this name stands in ~/.pg_service.conf (PGSERVICEFILE) or in the system's pg_service.conf; \
             check the name, or write postgres://HOST/DATABASE"
                .to_owned(),
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_is_cut_without_a_shell() {
        for (text, wanted) in [
            ("aws rds  token", Some(vec!["aws", "rds", "token"])),
            ("get 'a b' \"c \\\" d\" e\\ f", Some(vec!["get", "a b", "c \" d", "e f"])),
            ("echo $HOME;ls ''", Some(vec!["echo", "$HOME;ls", ""])),
            ("", Some(vec![])),
            ("get 'a", None),
        ] {
            let wanted = wanted.map(|words| words.into_iter().map(str::to_owned).collect::<Vec<_>>());
            assert_eq!(words(text), wanted, "{text}");
        }
        let run = |text: &str| from_command(&words(text).unwrap()).map_err(|error| error.to_string());
        assert_eq!(run("printf 'tok%s\\n' en").unwrap().as_deref(), Some("token"));
        assert_eq!(run("").unwrap(), None);
        assert!(run("false").unwrap_err().starts_with("password_command `false` failed (exit status: 1)"));
        assert!(run("true").unwrap_err().contains("printed nothing"));
        assert!(run("/no/such/program").unwrap_err().contains("cannot be run"));
    }

    #[test]
    fn the_first_line_that_fits_gives_the_password() {
        let text = "# comment\ndb:5432:pay:reader:one\n*:*:pay:reader:t\\:w:o\n*:*:*:*:three\nshort:line\n";
        let login = Login { host: "db", port: 5432, database: "pay", user: "reader" };
        for (login, wanted) in [
            (login, "one"),
            (Login { port: 5433, ..login }, "t:w:o"),
            (Login { host: "localhost", ..login }, "t:w:o"),
            (Login { user: "other", ..login }, "three"),
        ] {
            assert_eq!(in_pgpass(text, login).as_deref(), Some(wanted), "{login:?}");
        }
        assert_eq!(in_pgpass("db:5432:pay:reader", login), None);
    }

    #[test]
    fn a_service_is_a_section() {
        let text =
            "[other]\nhost=x\n\n# c\n[books]\nhost = db.example\nuser=reader\nport=5433\n[more]\nuser=z\n";
        let found = in_services(text, "books").unwrap();
        let wanted = [("host", "db.example"), ("user", "reader"), ("port", "5433")];
        assert_eq!(found, wanted.map(|(name, value)| (name.to_owned(), value.to_owned())));
        assert_eq!(in_services(text, "book"), None);
    }
}
