//! Reading a book: entries and rows.

use std::path::Path;

use rusqlite::{Connection, OptionalExtension as _};

use super::entry::{Entry, Head, hash};
use super::error::{BookError, of_sqlite};
use super::project::Replay;
use super::records::{
    AcknowledgedPosition, Approval, Assignment, Attempt, Disposition, HeadSent, Intent, Link, Policy,
    QuietHazard, Readback, Record, Request, Resolution, Review, StateChange,
};

use super::schema::{
    ASSIGNMENTS, ATTEMPTS, DISPOSITIONS, INTENTS, LINKS, READBACKS, REQUESTS, RESOLUTIONS, STATE_CHANGES,
    Table,
};

/// Names of cases that have none: a case in memory, a book of an application alone.
const NAMELESS: [&str; 3] = ["", "case", "intents"];

/// A book to be read: as it is, or as it is within a write that is not committed yet.
#[derive(Clone, Copy)]
pub struct View<'a> {
    pub(super) db: &'a Connection,
    pub(super) path: &'a Path,
}

/// What is read of a book.
type Read<T> = Result<T, BookError>;

impl View<'_> {
    fn failed(self, why: &rusqlite::Error) -> BookError {
        of_sqlite(self.path, why)
    }

    fn all<R: Record>(self, condition: &str, values: impl rusqlite::Params) -> Read<Vec<R>> {
        R::all(self.db, condition, values).map_err(|why| self.failed(&why))
    }

    fn one<R: Record>(self, condition: &str, values: impl rusqlite::Params) -> Read<Option<R>> {
        Ok(self.all(condition, values)?.into_iter().next())
    }

    /// The last entry; [`Head::none`] of an empty chain.
    ///
    /// # Errors
    /// As every function here: what keeps the book from being read.
    pub fn head(self) -> Read<Head> {
        let read = self
            .db
            .prepare_cached("SELECT seq, hash FROM audit ORDER BY seq DESC LIMIT 1")
            .and_then(|mut last| {
                last.query_row([], |row| Ok(Head { seq: row.get(0)?, hash: row.get(1)? })).optional()
            })
            .map_err(|why| self.failed(&why))?;
        Ok(read.unwrap_or_else(Head::none))
    }

    /// The entry of a number.
    ///
    /// # Errors
    /// What keeps the book from being read.
    pub fn entry(self, seq: i64) -> Read<Option<Entry>> {
        let mut found = None;
        self.entries_where("WHERE seq = ?1", [seq], |entry| found = Some(entry))?;
        Ok(found)
    }

    /// Every entry, in order, one by one.
    ///
    /// # Errors
    /// What keeps the book from being read; entries before it were given.
    pub fn entries(self, take: impl FnMut(Entry)) -> Read<()> {
        self.entries_where("", [], take)
    }

    /// Every entry up to one of them, in order.
    ///
    /// # Errors
    /// What keeps the book from being read; entries before it were given.
    pub fn entries_to(self, seq: i64, take: impl FnMut(Entry)) -> Read<()> {
        self.entries_where("WHERE seq <= ?1", [seq], take)
    }

    /// Every entry with a member of this name, in order.
    ///
    /// # Errors
    /// What keeps the book from being read; entries before it were given.
    pub fn entries_naming(self, member: &str, take: impl FnMut(Entry)) -> Read<()> {
        self.entries_where("WHERE instr(text, ?1) > 0", [format!("\"{member}\":")], take)
    }

    fn entries_where(
        self,
        condition: &str,
        values: impl rusqlite::Params,
        mut take: impl FnMut(Entry),
    ) -> Read<()> {
        let read = || -> rusqlite::Result<()> {
            let mut all = self.db.prepare_cached(&format!(
                "SELECT seq, text, hash, sig FROM audit {condition} ORDER BY seq"
            ))?;
            let mut rows = all.query(values)?;
            while let Some(row) = rows.next()? {
                // Bytes that are no text are kept as what they are taken for: the hash tells.
                let text = |at| -> rusqlite::Result<String> {
                    let value = row.get_ref(at)?;
                    let bytes = value.as_bytes_or_null()?.unwrap_or_default();
                    Ok(String::from_utf8_lossy(bytes).into_owned())
                };
                let sig = Some(text(3)?).filter(|sig| !sig.is_empty());
                take(Entry::new(row.get(0)?, text(1)?, text(2)?, sig));
            }
            Ok(())
        };
        read().map_err(|why| self.failed(&why))
    }

    /// The case of the book.
    ///
    /// # Errors
    /// What keeps the book from being read.
    pub fn case_id(self) -> Read<Option<String>> {
        self.db
            .query_row("SELECT case_id FROM cases LIMIT 1", [], |row| row.get(0))
            .optional()
            .map_err(|why| self.failed(&why))
    }

    /// The book is of this case. A case without a name, and a book that was made without one, go with every other.
    ///
    /// # Errors
    /// [`BookError::OtherCase`], and what keeps the book from being read.
    pub fn is_of(self, case_id: &str) -> Read<()> {
        let nameless = |id: &str| NAMELESS.contains(&id);
        match self.case_id()? {
            Some(of) if of != case_id && !nameless(&of) && !nameless(case_id) => {
                let shown = |text: &str| crate::text::SafeText::new(text).shown().into_owned();
                Err(BookError::OtherCase {
                    path: super::error::shown(self.path),
                    of: shown(&of),
                    is: shown(case_id),
                })
            }
            _ => Ok(()),
        }
    }

    /// The rows of an intent are those that follow from its entries, and each of them has the hash of its text: nothing is
    /// decided on a table that somebody changed behind the log.
    ///
    /// # Errors
    /// [`BookError::Broken`], and what keeps the book from being read.
    pub fn follows(self, intent_id: &str) -> Read<()> {
        let by_intent = [&INTENTS, &STATE_CHANGES, &ATTEMPTS, &READBACKS, &LINKS, &RESOLUTIONS];
        let replay = self.replayed("intent", intent_id, &by_intent.map(|table| (table, "intent_id = ?1")))?;
        let by_subject = [&REQUESTS, &ASSIGNMENTS, &DISPOSITIONS];
        let only = "subject_type = 'intent' AND subject_id = ?1";
        self.compared(&replay, intent_id, &by_subject.map(|table| (table, only)))
    }

    /// The same for requests about something that is no intent.
    ///
    /// # Errors
    /// [`BookError::Broken`], and what keeps the book from being read.
    pub fn requests_follow(self, kind: &'static str) -> Read<()> {
        self.replayed(kind, kind, &[(&REQUESTS, "subject_type = ?1")]).map(|_| ())
    }

    /// The rows that follow from the entries of a subject, compared with those of some tables.
    fn replayed(self, kind: &str, id: &str, tables: &[(&'static Table, &str)]) -> Read<(Replay, i64)> {
        let named = serde_json::json!(id).to_string();
        let mut replay = Replay::default();
        let mut broken = None;
        let mut last = 0;
        // The text is searched first, so that only entries that name the subject are read as JSON.
        self.entries_where("WHERE instr(text, ?1) > 0", [&named], |entry| {
            let other = entry.text_at("subject.id") != id || entry.text_at("subject.type") != kind;
            if broken.is_some() || other {
                return;
            }
            last = entry.seq;
            let why = if hash(&entry.text) == entry.hash {
                replay.apply(&entry.value).err().map(|why| why.to_string())
            } else {
                Some("its hash is not that of its text".to_owned())
            };
            broken = why.map(|why| BookError::Broken { seq: entry.seq, why });
        })?;
        if let Some(broken) = broken {
            return Err(broken);
        }
        let all = (replay, last);
        self.compared(&all, id, tables)?;
        Ok(all)
    }

    fn compared(
        self,
        (replay, last): &(Replay, i64),
        id: &str,
        tables: &[(&'static Table, &str)],
    ) -> Read<()> {
        for (table, only) in tables {
            let found = replay.difference(self.db, table, Some((*only, id)));
            if let Some(why) = found.map_err(|why| self.failed(&why))? {
                return Err(BookError::Broken { seq: *last, why });
            }
        }
        Ok(())
    }

    /// One intent, by its id.
    ///
    /// # Errors
    /// What keeps the book from being read.
    pub fn intent(self, intent_id: &str) -> Read<Option<Intent>> {
        self.one("WHERE intent_id = ?1", [intent_id])
    }

    /// One intent, by its operation id.
    ///
    /// # Errors
    /// What keeps the book from being read.
    pub fn intent_of_operation(self, operation_id: &str) -> Read<Option<Intent>> {
        self.one("WHERE operation_id = ?1", [operation_id])
    }

    /// Intents with this key.
    ///
    /// # Errors
    /// What keeps the book from being read.
    pub fn intents_of_key(self, key: &str) -> Read<Vec<Intent>> {
        self.all("WHERE key = ?1 ORDER BY recorded_seq", [key])
    }

    /// All intents, in the order in which they were recorded.
    ///
    /// # Errors
    /// What keeps the book from being read.
    pub fn intents(self) -> Read<Vec<Intent>> {
        self.all("ORDER BY recorded_seq", [])
    }

    /// Changes of the state of an intent, oldest first.
    ///
    /// # Errors
    /// What keeps the book from being read.
    pub fn state_changes(self, intent_id: &str) -> Read<Vec<StateChange>> {
        self.all("WHERE intent_id = ?1 ORDER BY seq", [intent_id])
    }

    /// Claims and marks of an intent, oldest first.
    ///
    /// # Errors
    /// What keeps the book from being read.
    pub fn attempts(self, intent_id: &str) -> Read<Vec<Attempt>> {
        self.all("WHERE intent_id = ?1 ORDER BY coalesce(claimed_seq, marked_seq)", [intent_id])
    }

    /// Claims and marks of all intents, oldest first.
    ///
    /// # Errors
    /// What keeps the book from being read.
    pub fn all_attempts(self) -> Read<Vec<Attempt>> {
        self.all("ORDER BY coalesce(claimed_seq, marked_seq)", [])
    }

    /// One claim, by its id.
    ///
    /// # Errors
    /// What keeps the book from being read.
    pub fn attempt(self, attempt_id: &str) -> Read<Option<Attempt>> {
        self.one("WHERE attempt_id = ?1", [attempt_id])
    }

    /// Read-backs of an intent, oldest first.
    ///
    /// # Errors
    /// What keeps the book from being read.
    pub fn readbacks(self, intent_id: &str) -> Read<Vec<Readback>> {
        self.all("WHERE intent_id = ?1 ORDER BY seq", [intent_id])
    }

    /// One read-back, by its id.
    ///
    /// # Errors
    /// What keeps the book from being read.
    pub fn readback(self, id: &str) -> Read<Option<Readback>> {
        self.one("WHERE id = ?1", [id])
    }

    /// All ties by hand, oldest first.
    ///
    /// # Errors
    /// What keeps the book from being read.
    pub fn links(self) -> Read<Vec<Link>> {
        self.all("ORDER BY seq", [])
    }

    /// Owner and due time of an item.
    ///
    /// # Errors
    /// What keeps the book from being read.
    pub fn assignment(self, subject_type: &str, subject_id: &str) -> Read<Option<Assignment>> {
        self.one("WHERE subject_type = ?1 AND subject_id = ?2", [subject_type, subject_id])
    }

    /// Owners and due times of all items.
    ///
    /// # Errors
    /// What keeps the book from being read.
    pub fn assignments(self) -> Read<Vec<Assignment>> {
        self.all("ORDER BY seq", [])
    }

    /// Decisions about an intent, oldest first.
    ///
    /// # Errors
    /// What keeps the book from being read.
    pub fn resolutions(self, intent_id: &str) -> Read<Vec<Resolution>> {
        self.all("WHERE intent_id = ?1 ORDER BY seq", [intent_id])
    }

    /// All decisions, oldest first.
    ///
    /// # Errors
    /// What keeps the book from being read.
    pub fn all_resolutions(self) -> Read<Vec<Resolution>> {
        self.all("ORDER BY seq", [])
    }

    /// All requests, oldest first.
    ///
    /// # Errors
    /// What keeps the book from being read.
    pub fn requests(self) -> Read<Vec<Request>> {
        self.all("ORDER BY seq", [])
    }

    /// The request of an entry.
    ///
    /// # Errors
    /// What keeps the book from being read.
    pub fn request(self, seq: i64) -> Read<Option<Request>> {
        self.one("WHERE seq = ?1", [seq])
    }

    /// The request of this digest.
    ///
    /// # Errors
    /// What keeps the book from being read.
    pub fn request_of(self, digest: &str) -> Read<Option<Request>> {
        self.one("WHERE digest = ?1 ORDER BY seq DESC", [digest])
    }

    /// All approvals, oldest first.
    ///
    /// # Errors
    /// What keeps the book from being read.
    pub fn approvals(self) -> Read<Vec<Approval>> {
        self.all("ORDER BY seq", [])
    }

    /// All dispositions, oldest first.
    ///
    /// # Errors
    /// What keeps the book from being read.
    pub fn dispositions(self) -> Read<Vec<Disposition>> {
        self.all("ORDER BY seq", [])
    }

    /// All reviews, oldest first.
    ///
    /// # Errors
    /// What keeps the book from being read.
    pub fn reviews(self) -> Read<Vec<Review>> {
        self.all("ORDER BY seq", [])
    }

    /// The policy in force.
    ///
    /// # Errors
    /// What keeps the book from being read.
    pub fn policy(self) -> Read<Option<Policy>> {
        let policy: Option<Policy> = self.one("ORDER BY seq DESC LIMIT 1", [])?;
        let mut said = None;
        self.entries_where(
            "WHERE seq = 1 OR instr(text, ?1) > 0",
            ["\"action\":\"policy_changed\""],
            |entry| {
                if entry.at("after.policy").is_some() {
                    said = Some(entry);
                }
            },
        )?;
        let Some(entry) = said else { return Ok(policy) };
        let holds = hash(&entry.text) == entry.hash
            && policy.as_ref().is_some_and(|policy| {
                let is = |place: &str, have: Option<&String>| {
                    entry.text_at(place) == have.map_or("", |t| t.as_str())
                };
                policy.seq == entry.seq
                    && is("after.policy.digest", policy.digest.as_ref())
                    && is("after.policy.text", policy.text.as_ref())
            });
        if holds {
            return Ok(policy);
        }
        Err(BookError::Broken {
            seq: entry.seq,
            why: "the policy in the table is not the one of the entry".to_owned(),
        })
    }

    /// Read positions that were taken note of.
    ///
    /// # Errors
    /// What keeps the book from being read.
    pub fn acknowledged_positions(self) -> Read<Vec<AcknowledgedPosition>> {
        self.all("ORDER BY seq", [])
    }

    /// Hazards that were made quiet, or loud again.
    ///
    /// # Errors
    /// What keeps the book from being read.
    pub fn quiet_hazards(self) -> Read<Vec<QuietHazard>> {
        self.all("ORDER BY seq", [])
    }

    /// Where heads went, oldest first.
    ///
    /// # Errors
    /// What keeps the book from being read.
    pub fn heads_sent(self) -> Read<Vec<HeadSent>> {
        self.all("ORDER BY id", [])
    }

    /// The next free id of a read-back: `rb_16`.
    ///
    /// # Errors
    /// What keeps the book from being read.
    pub fn next_readback(self) -> Read<String> {
        let count: i64 = self
            .db
            .query_row("SELECT count(*) FROM readbacks", [], |row| row.get(0))
            .map_err(|why| self.failed(&why))?;
        Ok(format!("rb_{}", count + 1))
    }

    /// The secret that tokens of parties are made with (`4-sources.md` 4.17).
    ///
    /// # Errors
    /// What keeps the book from being read.
    pub fn token_secret(self) -> Read<Vec<u8>> {
        self.db
            .query_row("SELECT bytes FROM secrets WHERE name = 'tokens'", [], |row| row.get(0))
            .map_err(|why| self.failed(&why))
    }
}
