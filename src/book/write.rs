//! Writing: what is decided and its entry are one transaction (`3-lifecycle.md` 3.6.1). No entry, no change.

use rusqlite::{Connection, TransactionBehavior, params};
use serde_json::Value;

use crate::model::time::{Micros, Zone, parse_time};

use super::Book;
use super::action::Action;
use super::entry::{self, Draft, Head, Now, hash};
use super::error::{BookError, of_sqlite, shown};
use super::head::Left;
use super::project::rows;
use super::view::View;

/// Entries that were written, and where the head went.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written<T> {
    /// What the writing gave.
    pub value: T,
    /// The new entries, in order. Empty where nothing was written.
    pub entries: Vec<Head>,
    /// Whether the head left this host; none where no decision was among them.
    pub left: Option<Left>,
}

/// A write that is not committed yet: reads see what was written before in it.
pub struct Writer<'a> {
    view: View<'a>,
    now: &'a Now,
    last: Micros,
    head: Head,
    entries: Vec<Head>,
    decided: bool,
    signer: Option<&'a super::Signer>,
}

impl<'a> Writer<'a> {
    /// Reading within this write.
    pub fn view(&self) -> View<'a> {
        self.view
    }

    /// When this write happens.
    pub fn now(&self) -> Micros {
        self.now.at
    }

    /// The intent is as the operator saw it (G-VERSION).
    ///
    /// # Errors
    /// [`BookError::Changed`], [`BookError::Missing`].
    pub fn expect(&self, intent_id: &str, version: i64) -> Result<(), BookError> {
        let intent = self
            .view
            .intent(intent_id)?
            .ok_or_else(|| BookError::Missing { what: format!("intents {intent_id}") })?;
        if intent.version == version {
            return Ok(());
        }
        Err(BookError::Changed {
            intent: intent_id.to_owned(),
            expected: version,
            found: intent.version,
            seq: intent.changed_seq,
        })
    }

    /// Appends an entry and puts the rows that follow from it.
    ///
    /// # Errors
    /// An entry that does not fit, a row that is new twice or is missing, and what SQLite says. The whole write must
    /// end then: nothing of it is kept.
    pub fn append(&mut self, draft: &Draft) -> Result<Head, BookError> {
        let doing =
            draft.action.doing().ok_or_else(|| BookError::Entry("the action is not known".to_owned()))?;
        let mut draft = draft.clone();
        let of_intent = draft.subject.kind == "intent";
        if of_intent && (doing.changes || draft.action == Action::IntentRecorded) {
            let version = match self.view.intent(&draft.subject.id)? {
                _ if draft.action == Action::IntentRecorded => 1,
                Some(intent) => intent.version + 1,
                None => return Err(BookError::Missing { what: format!("intents {}", draft.subject.id) }),
            };
            match &mut draft.after {
                Value::Object(after) => {
                    after.insert("version".to_owned(), version.into());
                }
                Value::Null => draft.after = serde_json::json!({ "version": version }),
                _ => return Err(BookError::Entry("after must be an object".to_owned())),
            }
        }
        let signed = draft.sign || (doing.decision && self.signer.is_some());
        if signed {
            // The signature is over the hash and stands beside it; that there must be one is part of the text.
            let policy = draft.more.entry("policy").or_insert_with(|| serde_json::json!({}));
            if let Value::Object(policy) = policy {
                policy.insert("signed".to_owned(), true.into());
            }
        }
        let seq = self.head.seq + 1;
        let back_ms = if self.last.is_none() { 0 } else { self.last.since(self.now.at) / 1000 };
        let text = draft.text(seq, &self.head.hash, self.now, back_ms)?;
        let hash = hash(&text);
        let sig = match (signed, self.signer) {
            (false, _) => None,
            (true, Some(sign)) => Some(sign(&hash).map_err(BookError::NotSigned)?),
            (true, None) => {
                return Err(BookError::NotSigned("no key was given; give one with --sign KEY".to_owned()));
            }
        };
        let value: Value = serde_json::from_str(&text).map_err(|why| BookError::Entry(why.to_string()))?;
        self.view
            .db
            .prepare_cached("INSERT INTO audit (seq, text, hash, sig) VALUES (?1, ?2, ?3, ?4)")
            .and_then(|mut insert| insert.execute(params![seq, text, hash, sig]))
            .map_err(|why| of_sqlite(self.view.path, &why))?;
        for row in rows(&value)? {
            row.store(self.view.db).map_err(|why| of_sqlite(self.view.path, &why))??;
        }
        self.decided |= doing.decision;
        self.last = self.now.at;
        self.head = Head { seq, hash };
        self.entries.push(self.head.clone());
        Ok(self.head.clone())
    }

    /// Keeps text of evidence under its digest, beside the chain (3.6.3): the item that an entry names it by.
    /// 16 random bytes before it keep a short text from being guessed from its digest.
    ///
    /// # Errors
    /// What SQLite says.
    pub fn keep_evidence(&self, name: Option<&str>, text: &[u8]) -> Result<String, BookError> {
        super::evidence::keep(self.view, self.now.at, name, text)
    }

    /// Removes the text of evidence and writes the entry that says so.
    ///
    /// # Errors
    /// [`BookError::Missing`] where there is no such text.
    pub fn erase_evidence(
        &mut self,
        digest: &str,
        actor: &super::Actor,
        reason: &str,
    ) -> Result<Head, BookError> {
        super::evidence::erase(self.view, digest)?;
        let mut draft = Draft::new(Action::EvidenceErased, actor, super::Subject::new("evidence", digest));
        draft.reason = Some(reason.to_owned());
        self.append(&draft)
    }
}

impl Book {
    /// Writes: begins at once (`BEGIN IMMEDIATE`), so that what `work` reads stays so until it ends; commits if it
    /// succeeds, keeps nothing if it fails. After a failed commit the book is opened again and read: saved, not saved,
    /// or not known.
    ///
    /// # Errors
    /// Those of `work`, and what keeps the book from being written.
    pub fn write<T, E: From<BookError>>(
        &mut self,
        now: &Now,
        work: impl FnOnce(&mut Writer<'_>) -> Result<T, E>,
    ) -> Result<Written<T>, E> {
        let path = self.path.clone();
        if let Some(why) = self.not_writable() {
            return Err(why.into());
        }
        let signer = self.signer.take();
        let done = self.transaction(now, signer.as_ref(), work);
        self.signer = signer;
        let (value, entries, decided, failed) = done?;
        if let Some(why) = failed {
            self.after_failure(&path, &why, &entries)?;
        }
        let left = decided.then(|| self.send_head(now, entries.last()));
        Ok(Written { value, entries, left })
    }

    /// Puts the log into the file and empties it, so that what was erased is in neither.
    ///
    /// # Errors
    /// What SQLite says.
    pub fn settle_file(&self) -> Result<(), BookError> {
        let view = self.view()?;
        view.db
            .query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))
            .map_err(|why| of_sqlite(view.path, &why))
    }

    /// One transaction up to its commit, whose failure is given back.
    fn transaction<T, E: From<BookError>>(
        &mut self,
        now: &Now,
        signer: Option<&super::Signer>,
        work: impl FnOnce(&mut Writer<'_>) -> Result<T, E>,
    ) -> Result<(T, Vec<Head>, bool, Option<rusqlite::Error>), E> {
        let path = self.path.clone();
        let Some(db) = self.db.as_mut() else {
            return Err(BookError::NotKnown {
                path: shown(&path),
                why: "an earlier write failed".to_owned(),
            }
            .into());
        };
        let change = db
            .transaction_with_behavior(TransactionBehavior::Immediate)
            .map_err(|why| of_sqlite(&path, &why))?;
        let view = View { db: &change, path: &path };
        let (head, last) = end_of_chain(view)?;
        let mut writer = Writer { view, now, last, head, entries: Vec::new(), decided: false, signer };
        let value = work(&mut writer)?;
        let Writer { entries, decided, .. } = writer;
        if entries.is_empty() {
            // Nothing to keep; dropped, it rolls back.
            return Ok((value, entries, false, None));
        }
        let failed = change.commit().err();
        Ok((value, entries, decided, failed))
    }

    /// What a failed commit left behind.
    fn after_failure(
        &mut self,
        path: &std::path::Path,
        why: &rusqlite::Error,
        entries: &[Head],
    ) -> Result<(), BookError> {
        // The connection is not used again: what it believes may differ from what the disk has.
        self.db = None;
        let said = why.to_string();
        let not_known = || BookError::NotKnown { path: shown(path), why: said.clone() };
        let Some(head) = entries.last() else { return Ok(()) };
        let db = self.connect_for_writing().map_err(|_| not_known())?;
        let view = View { db: &db, path };
        let is_there =
            view.entry(head.seq).map_err(|_| not_known())?.is_some_and(|entry| entry.hash == head.hash);
        if is_there {
            self.db = Some(db);
            return Ok(());
        }
        // Pages of the failed commit may still lie behind the end of the log. Another commit puts them out of the
        // world; only then it is certain that nothing of them comes back.
        let full = why.sqlite_error_code() == Some(rusqlite::ErrorCode::DiskFull);
        match (probe(&db), full) {
            (Ok(()), false) => {
                self.db = Some(db);
                Err(BookError::NotSaved { path: shown(path), why: said })
            }
            (Ok(()), true) => {
                self.db = Some(db);
                Err(BookError::Full { path: shown(path) })
            }
            // The end of the transaction was never written, so nothing of it can come back.
            (Err(_), true) => Err(BookError::Full { path: shown(path) }),
            (Err(_), false) => Err(not_known()),
        }
    }
}

/// A write that changes nothing.
fn probe(db: &Connection) -> rusqlite::Result<()> {
    let version: i64 = super::schema::version(db)?;
    db.execute_batch("BEGIN IMMEDIATE")?;
    let done = db.pragma_update(None, "user_version", version).and_then(|()| db.execute_batch("COMMIT"));
    if done.is_err() && !db.is_autocommit() {
        // It failed already; the connection is given up with it.
        let _ = db.execute_batch("ROLLBACK");
    }
    done
}

/// The last entry and its time. Its hash must be that of its text: nothing is written behind an end that does not hold.
fn end_of_chain(view: View<'_>) -> Result<(Head, Micros), BookError> {
    let head = view.head()?;
    if head.seq == 0 {
        return Ok((head, Micros::NONE));
    }
    let entry = view.entry(head.seq)?;
    let Some(entry) = entry.filter(|entry| hash(&entry.text) == head.hash) else {
        return Err(BookError::Broken { seq: head.seq, why: "its hash is not that of its text".to_owned() });
    };
    let ts = entry::at(&entry.value, "ts").and_then(Value::as_str).unwrap_or_default();
    Ok((head, parse_time(ts, &Zone::Utc).begin()))
}
