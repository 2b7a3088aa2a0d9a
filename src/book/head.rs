//! The head that leaves by itself at each decision (`3-lifecycle.md` 3.6.6): a chain cannot show that its end was cut
//! off, a head kept elsewhere can.

use std::fs::OpenOptions;
use std::io::Write as _;
use std::os::unix::fs::OpenOptionsExt as _;
use std::os::unix::net::UnixDatagram;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use rusqlite::params;

use crate::model::time::{Micros, rfc3339, rfc3339_millis};

use super::Book;
use super::entry::{Head, Now};
use super::error::shown;
use super::view::View;

/// Where the system log listens.
const LOG: &str = "/dev/log";
/// How long a command may take.
const LIMIT: Duration = Duration::from_secs(5);

/// Where heads go (`[audit] head_to`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HeadTo {
    /// The system log.
    Syslog,
    /// A line at the end of a file.
    File(PathBuf),
    /// A program, without a shell: the line on its standard input.
    Command(PathBuf),
    /// Nowhere.
    Nowhere,
}

impl HeadTo {
    /// Reads the value of the key. Paths are those of the case folder.
    pub fn parse(text: &str, folder: &Path) -> Option<Self> {
        match text.split_once(':') {
            None if text == "syslog" => Some(Self::Syslog),
            None if text == "none" => Some(Self::Nowhere),
            Some(("file", path)) if !path.is_empty() => Some(Self::File(folder.join(path))),
            Some(("command", path)) if !path.is_empty() => Some(Self::Command(folder.join(path))),
            _ => None,
        }
    }

    /// What is used where nothing is set: the system log, where there is one.
    pub fn usual() -> Self {
        if Path::new(LOG).exists() { Self::Syslog } else { Self::Nowhere }
    }

    /// As it is shown and kept.
    pub fn words(&self) -> String {
        match self {
            Self::Syslog => "syslog".to_owned(),
            Self::File(path) => format!("file:{}", shown(path)),
            Self::Command(path) => format!("command:{}", shown(path)),
            Self::Nowhere => "none".to_owned(),
        }
    }

    /// Sends a line, once.
    ///
    /// # Errors
    /// Why it did not leave.
    pub fn send(&self, line: &str) -> Result<(), String> {
        match self {
            Self::Syslog => to_syslog(Path::new(LOG), line),
            Self::File(path) => to_file(path, line),
            Self::Command(path) => to_command(path, line, LIMIT),
            Self::Nowhere => Err("head_to is none".to_owned()),
        }
    }
}

/// The line that leaves: nothing of the business stands in it.
pub fn line(case: &str, head: &Head) -> String {
    format!("recount case={case} seq={} head={}", head.seq, head.hash)
}

fn to_syslog(at: &Path, line: &str) -> Result<(), String> {
    let sent = UnixDatagram::unbound().and_then(|socket| {
        socket.set_write_timeout(Some(LIMIT))?;
        // 13 is a notice of a user's program.
        socket.send_to(format!("<13>recount: {line}").as_bytes(), at)
    });
    sent.map(|_| ()).map_err(|why| format!("{}: {why}", shown(at)))
}

fn to_file(path: &Path, line: &str) -> Result<(), String> {
    let written = OpenOptions::new().append(true).create(true).mode(0o600).open(path).and_then(|mut file| {
        file.write_all(format!("{line}\n").as_bytes())?;
        file.sync_all()
    });
    written.map_err(|why| format!("{}: {why}", shown(path)))
}

fn to_command(path: &Path, line: &str, limit: Duration) -> Result<(), String> {
    let said = |why: &dyn std::fmt::Display| format!("{}: {why}", shown(path));
    let mut child = Command::new(path)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|why| said(&why))?;
    if let Some(mut input) = child.stdin.take() {
        // A program that does not read its input is judged by its exit code alone.
        let _ = input.write_all(format!("{line}\n").as_bytes());
    }
    let until = Instant::now() + limit;
    loop {
        match child.try_wait() {
            Ok(Some(status)) if status.success() => return Ok(()),
            Ok(Some(status)) => return Err(said(&status)),
            Ok(None) if Instant::now() < until => std::thread::sleep(Duration::from_millis(10)),
            Ok(None) => {
                let _ = child.kill();
                let _ = child.wait();
                return Err(said(&format!("no answer within {} s", limit.as_secs())));
            }
            Err(why) => return Err(said(&why)),
        }
    }
}

/// What became of sending a head.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Left {
    /// Number of the entry.
    pub seq: i64,
    /// Where to.
    pub target: String,
    /// When.
    pub at: Micros,
    /// Why it did not leave.
    pub failure: Option<String>,
}

impl std::fmt::Display for Left {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.failure {
            None => {
                let at = rfc3339(self.at);
                let clock = at.split_once('T').map_or(at.as_str(), |(_, clock)| clock);
                write!(f, "head {} sent to {} {clock}", self.seq, self.target)
            }
            Some(why) => write!(f, "head {} has not left this host ({why})", self.seq),
        }
    }
}

impl Book {
    /// Sends the head away and keeps the result beside the chain. A failure undoes nothing.
    pub fn send_head(&mut self, now: &Now, head: Option<&Head>) -> Left {
        let head = head.cloned().unwrap_or_else(Head::none);
        let case = self.view().and_then(View::case_id).ok().flatten().unwrap_or_default();
        let sent = self.head_to.send(&line(&case, &head));
        let second = Micros(now.at.0 - now.at.0.rem_euclid(1_000_000));
        let left = Left { seq: head.seq, target: self.head_to.words(), at: second, failure: sent.err() };
        if let Some(db) = &self.db
            && self.head_to != HeadTo::Nowhere
        {
            // The head has left or not; a result that cannot be kept is shown all the same.
            let _ = db.execute(
                "INSERT INTO heads_sent (seq, hash, at, target, failure) VALUES (?1, ?2, ?3, ?4, ?5)",
                params![left.seq, head.hash, rfc3339_millis(now.at), left.target, left.failure],
            );
        }
        left
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn head() -> Head {
        Head { seq: 41, hash: "7c".repeat(32) }
    }

    #[test]
    fn the_key_names_four_places() {
        let at = Path::new("/case");
        assert_eq!(HeadTo::parse("syslog", at), Some(HeadTo::Syslog));
        assert_eq!(HeadTo::parse("none", at), Some(HeadTo::Nowhere));
        assert_eq!(HeadTo::parse("file:heads.txt", at), Some(HeadTo::File("/case/heads.txt".into())));
        assert_eq!(HeadTo::parse("command:/bin/log", at), Some(HeadTo::Command("/bin/log".into())));
        for wrong in ["", "file", "file:", "mail:x", "command:"] {
            assert_eq!(HeadTo::parse(wrong, at), None, "{wrong}");
        }
    }

    #[test]
    fn the_line_says_nothing_of_the_business() {
        let line = line("night", &head());
        assert_eq!(line, format!("recount case=night seq=41 head={}", "7c".repeat(32)));
    }

    #[test]
    fn lines_go_to_a_socket_a_file_or_a_program() {
        let folder = tempfile::tempdir().unwrap();
        let socket = folder.path().join("log");
        let log = UnixDatagram::bind(&socket).unwrap();
        to_syslog(&socket, "a line").unwrap();
        let mut got = [0; 64];
        let length = log.recv(&mut got).unwrap();
        assert_eq!(&got[..length], b"<13>recount: a line");
        assert!(to_syslog(&folder.path().join("none"), "x").unwrap_err().contains("none: "));

        let file = folder.path().join("heads.txt");
        to_file(&file, "one").unwrap();
        to_file(&file, "two").unwrap();
        assert_eq!(std::fs::read_to_string(&file).unwrap(), "one\ntwo\n");
        assert!(to_file(folder.path(), "x").is_err());

        assert_eq!(to_command(Path::new("/bin/true"), "x", LIMIT), Ok(()));
        let why = to_command(Path::new("/bin/false"), "x", LIMIT).unwrap_err();
        assert_eq!(why, "/bin/false: exit status: 1");
        assert!(to_command(Path::new("/no/such"), "x", LIMIT).is_err());
        // `cat` without arguments ends with its input; `tail -f` would not, and `sleep` needs an argument.
        let slow = folder.path().join("slow");
        std::fs::write(&slow, "#!/bin/sh\nexec sleep 30\n").unwrap();
        std::fs::set_permissions(&slow, std::os::unix::fs::PermissionsExt::from_mode(0o700)).unwrap();
        let why = to_command(&slow, "x", Duration::from_millis(50)).unwrap_err();
        assert!(why.ends_with("no answer within 0 s"), "{why}");
    }

    #[test]
    fn what_became_of_it_is_one_sentence() {
        let at = Micros(1_796_030_048_000_000);
        let left = Left { seq: 41, target: "syslog".to_owned(), at, failure: None };
        assert_eq!(left.to_string(), "head 41 sent to syslog 09:14:08Z");
        let failed = Left { failure: Some("head_to is none".to_owned()), ..left };
        assert_eq!(failed.to_string(), "head 41 has not left this host (head_to is none)");
    }
}
