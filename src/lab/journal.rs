//! The client's own durable record: what is intended and which calls may have left, on disk before they leave.
//!
//! A client that was killed goes on from here, with the same operation id. One line a record, each synchronised; a last
//! line that was cut off says nothing and is left out.

use std::fs::{File, OpenOptions};
use std::io::Write as _;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::canon;
use crate::report::file::shown;
use crate::report::pen::Pen;

use super::LabError;
use super::agent::Seen;
use super::setup::{OPERATION, READ};

/// A journal that is open for writing.
pub struct Journal {
    file: File,
    path: PathBuf,
}

/// What a journal says of a run that did not end.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Past {
    /// The run.
    pub run_id: String,
    /// Calls that ended, oldest first.
    pub seen: Vec<Seen>,
    /// Calls that were begun.
    pub calls: usize,
    /// The call that has no outcome, and whether it only reads.
    pub open: Option<(String, bool)>,
    /// The state was recorded as unknown.
    pub unknown: bool,
    /// The run has ended.
    pub ended: bool,
}

#[derive(Deserialize)]
#[serde(tag = "record", rename_all = "snake_case")]
enum Record {
    Intent { operation_id: String, run_id: String },
    Attempt { attempt_id: String, tool: String },
    Outcome { attempt_id: String, seen: String, refunds: u64 },
    Unknown,
    Ended,
}

impl Journal {
    /// Begins a journal with what is intended.
    ///
    /// # Errors
    /// A file that is there already or cannot be written.
    pub fn create(path: &Path, run_id: &str, payload: &str) -> Result<Self, LabError> {
        let file = OpenOptions::new()
            .write(true)
            .create_new(true)
            .open(path)
            .map_err(|why| LabError::file("write", path, &why))?;
        let mut journal = Self { file, path: path.to_owned() };
        let hash = canon::hash(payload).unwrap_or_default();
        journal.add("intent", |pen| {
            pen.name("operation_id").text(OPERATION);
            pen.name("run_id").text(run_id);
            pen.name("payload").token(payload);
            pen.name("payload_hash").text(&hash);
        })?;
        Ok(journal)
    }

    /// Goes on with a journal.
    ///
    /// # Errors
    /// A file that is not there, or is none of the lab.
    pub fn resume(path: &Path) -> Result<(Self, Past), LabError> {
        let text = std::fs::read_to_string(path).map_err(|why| LabError::file("read", path, &why))?;
        let past = past(&text)
            .map_err(|why| LabError::Other(format!("{} is no record of a lab run: {why}", shown(path))))?;
        let file =
            OpenOptions::new().append(true).open(path).map_err(|why| LabError::file("write", path, &why))?;
        // A record that was cut off was never relied upon: nothing leaves before its record is whole.
        let whole = text.rfind('\n').map_or(0, |end| end + 1);
        file.set_len(whole as u64).map_err(|why| LabError::file("write", path, &why))?;
        Ok((Self { file, path: path.to_owned() }, past))
    }

    fn write(&mut self, text: &str) -> Result<(), LabError> {
        self.file
            .write_all(text.as_bytes())
            .and_then(|()| self.file.sync_data())
            .map_err(|why| LabError::file("write", &self.path, &why))
    }

    fn add(&mut self, record: &str, members: impl FnOnce(&mut Pen)) -> Result<(), LabError> {
        let mut pen = Pen::new();
        pen.object(|pen| {
            pen.name("record").text(record);
            members(pen);
        });
        let mut line = pen.take();
        line.push('\n');
        self.write(&line)
    }

    /// A call may leave from now on.
    pub fn attempt(&mut self, attempt: &str, tool: &str) -> Result<(), LabError> {
        self.add("attempt", |pen| {
            pen.name("attempt_id").text(attempt);
            pen.name("tool").text(tool);
        })
    }

    /// A call has ended.
    pub fn outcome(&mut self, attempt: &str, seen: Seen) -> Result<(), LabError> {
        let (word, refunds) = word(seen);
        self.add("outcome", |pen| {
            pen.name("attempt_id").text(attempt);
            pen.name("seen").text(word);
            pen.name("refunds").number(refunds);
        })
    }

    /// The state is recorded as unknown.
    pub fn unknown(&mut self) -> Result<(), LabError> {
        self.add("unknown", |_| ())
    }

    /// The run is over.
    pub fn ended(&mut self) -> Result<(), LabError> {
        self.add("ended", |_| ())
    }
}

fn word(seen: Seen) -> (&'static str, u64) {
    match seen {
        Seen::Order { refunds } => ("order", refunds),
        Seen::NoOrder => ("no_order", 0),
        Seen::Refunded => ("refunded", 0),
        Seen::Refused => ("refused", 0),
        Seen::Lost => ("lost", 0),
    }
}

fn past(text: &str) -> Result<Past, String> {
    let mut past = Past::default();
    let whole = text.rfind('\n').and_then(|end| text.get(..=end)).unwrap_or_default();
    for line in whole.lines().filter(|line| !line.is_empty()) {
        let record: Record = serde_json::from_str(line).map_err(|why| why.to_string())?;
        match record {
            Record::Intent { operation_id, run_id } => {
                if operation_id != OPERATION {
                    return Err("another operation".to_owned());
                }
                past.run_id = run_id;
            }
            Record::Attempt { attempt_id, tool } => {
                past.calls += 1;
                past.open = Some((attempt_id, tool == READ));
            }
            Record::Outcome { attempt_id, seen, refunds } => {
                if past.open.as_ref().is_none_or(|(open, _)| *open != attempt_id) {
                    return Err(format!("an outcome of {attempt_id}, which was not begun"));
                }
                past.open = None;
                past.seen.push(match seen.as_str() {
                    "order" => Seen::Order { refunds },
                    "no_order" => Seen::NoOrder,
                    "refunded" => Seen::Refunded,
                    "refused" => Seen::Refused,
                    _ => Seen::Lost,
                });
            }
            Record::Unknown => past.unknown = true,
            Record::Ended => past.ended = true,
        }
    }
    if past.run_id.is_empty() { Err("no intent in it".to_owned()) } else { Ok(past) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_goes_on_where_its_record_ends() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("intents.jsonl");
        let mut journal = Journal::create(&path, "run_1", "{\"amount\":200}").unwrap();
        journal.attempt("att_01", READ).unwrap();
        journal.outcome("att_01", Seen::Order { refunds: 0 }).unwrap();
        journal.attempt("att_02", "refund_order").unwrap();
        // The next record was cut off by the kill.
        journal.write("{\"record\":\"outc").unwrap();
        drop(journal);
        drop(Journal::resume(&path).unwrap());
        let (mut journal, past) = Journal::resume(&path).unwrap();
        assert_eq!(
            past,
            Past {
                run_id: "run_1".to_owned(),
                seen: vec![Seen::Order { refunds: 0 }],
                calls: 2,
                open: Some(("att_02".to_owned(), false)),
                unknown: false,
                ended: false,
            }
        );
        assert!(Journal::create(&path, "run_2", "{}").is_err());
        journal.ended().unwrap();
    }

    #[test]
    fn what_is_no_record_is_refused() {
        for text in ["", "{}\n", "{\"record\":\"intent\",\"operation_id\":\"x\",\"run_id\":\"r\"}\n", "no\n"]
        {
            assert!(past(text).is_err(), "{text}");
        }
    }
}
