//! A case with a book: that a source came or went stands in its log too (`3-lifecycle.md` 3.8, actions).

use serde_json::json;

use crate::book::action::Action;
use crate::book::{Actor as Entry, Book, Draft, Now, Subject, clock};
use crate::canon::sha256_hex;
use crate::cli::call::Call;
use crate::cli::settle::desk::{book_for_writing, whole};
use crate::cli::settle::{Stop, who};
use crate::cli::{booked, operator};
use crate::config;
use crate::lifecycle::identity;
use crate::lifecycle::states::Actor;

use super::file::CaseFile;

/// The log of a case, and how its config was.
pub(super) struct Log {
    book: Book,
    actor: Entry,
    clock: Now,
    before: String,
}

impl Log {
    /// Opens it before anything is changed, so that what cannot be logged is not done; `None` where the case has none, or
    /// nothing stands in it yet.
    ///
    /// # Errors
    /// R-IDENTITY, R-READONLY, and what keeps the book from being written.
    pub(super) fn of(call: &Call, file: &CaseFile) -> Result<Option<Self>, Stop> {
        let Some(path) = booked::path(call, Some(&file.folder())).filter(|path| path.is_file()) else {
            return Ok(None);
        };
        let config = file.config()?;
        let id = config::case::spec(&config)
            .map_err(|why| crate::cli::failure::Failure::input(&why.to_string()))?
            .id;
        whole(&path)?;
        let named = identity::operator(&operator::surroundings(call), &config.file.policy.shared_logins)?;
        let book = book_for_writing(call, Some(&path), &config)?;
        if book.view()?.head()?.seq == 0 {
            return Ok(None);
        }
        book.view()?.is_of(&id)?;
        let before = sha256_hex(file.draft.text().as_bytes());
        Ok(Some(Self { book, actor: who::entry(&named, Actor::Human), clock: clock::now(), before }))
    }

    /// One entry for each source, once the config is in place.
    ///
    /// # Errors
    /// What keeps the book from being written.
    pub(super) fn tell(mut self, action: Action, ids: &[String], file: &CaseFile) -> Result<(), Stop> {
        let after = sha256_hex(file.draft.text().as_bytes());
        let (actor, before) = (&self.actor, &self.before);
        self.book.write(&self.clock, |w| -> Result<(), Stop> {
            for id in ids {
                let draft = Draft::new(action, actor, Subject::new("source", id))
                    .change(json!({"config": before}), json!({"config": after}));
                w.append(&draft)?;
            }
            Ok(())
        })?;
        Ok(())
    }
}
