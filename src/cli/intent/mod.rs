//! The intent log and the gate, for applications in any language (`3-lifecycle.md` 3.7, `docs/intent-log.md`).

pub mod gate;
pub mod list;
pub mod mark;
pub mod options;
pub mod record;

use std::path::PathBuf;

use serde_json::Value;

use crate::book::action::Action;
use crate::book::{Actor, Book, Now, Subject, clock};
use crate::canon;
use crate::config::policy::InForce;
use crate::config::{self, Config};
use crate::lifecycle::refusal::{Code, Refusal};
use crate::lifecycle::states::Actor as Role;
use crate::model::time::Micros;
use crate::model::units::Units;
use crate::report::Mask;

use super::booked;
use super::call::Call;
use super::failure::Failure;
use super::settle::desk::{book_for_writing, policy_in_force};
use super::settle::out::{entry, refused};
use super::settle::store::open_case;
use super::settle::{Stop, who};

/// What a command of an application works with: the book and the config, and no ledger.
pub struct Log<'c> {
    /// The call.
    pub call: &'c Call,
    /// The config of the case.
    pub config: Config,
    /// Where the book is.
    pub path: Option<PathBuf>,
    /// Units that the config and the book name.
    pub units: Units,
    /// The clock.
    pub now: Now,
    /// Who calls.
    pub actor: Actor,
}

impl<'c> Log<'c> {
    /// The book that a call names: `--book F`, or that of the case folder.
    ///
    /// # Errors
    /// A config that cannot be read.
    pub fn open(call: &'c Call) -> Result<Self, Failure> {
        let folder = call.path("case").or_else(|| call.paths("paths").first().map(PathBuf::from));
        let here = || PathBuf::from(".");
        let folder = folder.or_else(|| PathBuf::from(config::NAME).is_file().then(here));
        let config =
            match folder.as_ref().map(|folder| folder.join(config::NAME)).filter(|path| path.is_file()) {
                Some(path) => config::read(&path).map_err(|why| Failure::input(&why.to_string()))?,
                None => Config::default(),
            };
        let folder = config.path.is_some().then(|| config.folder());
        let path = booked::path(call, folder.as_deref());
        if path.is_none() {
            return Err(Failure::usage("name the book with --book FILE, or a case folder with --case DIR"));
        }
        let now = clock::now();
        let mut units = Units::default();
        for quota in config.file.quota.values() {
            units.intern(quota.currency.as_deref().unwrap_or_default());
        }
        units.intern(call.text("currency").unwrap_or_default());
        let role = call.text("actor").and_then(Role::from_word).unwrap_or(Role::App);
        Ok(Self { actor: who::program(call, role), call, config, path, units, now })
    }

    /// The moment of the call.
    pub fn at(&self) -> Micros {
        self.now.at
    }

    /// The book, for writing.
    ///
    /// # Errors
    /// R-READONLY, and what keeps it from being written.
    pub fn book(&self) -> Result<Book, Stop> {
        book_for_writing(self.call, self.path.as_ref(), &self.config)
    }

    /// The policy in force.
    ///
    /// # Errors
    /// A policy in the book that cannot be read.
    pub fn policy(&self, book: &Book) -> Result<InForce, Stop> {
        Ok(policy_in_force(&self.config, Some(book), &self.units)?.0)
    }

    /// Name of the case.
    pub fn case_id(&self) -> String {
        if self.config.path.is_some() { config::case::name(&self.config) } else { "intents".to_owned() }
    }

    /// Ends a command: a refusal is logged under its action and printed.
    ///
    /// # Errors
    /// What is no refusal.
    pub fn ended(&self, intent: &str, action: Action, result: Result<u8, Stop>) -> Result<u8, Failure> {
        match result {
            Ok(exit) => Ok(exit),
            Err(Stop::Failed(failure)) => Err(failure),
            Err(Stop::Refused(refusal)) => {
                // Nothing is written behind a chain that does not hold.
                let logged = refusal.code != Code::Chain && self.logged(intent, action, &refusal).is_ok();
                refused(self.call, &Mask::of_load(self.config.file.mask.party), &refusal, Some(logged))
            }
        }
    }

    fn logged(&self, intent: &str, action: Action, refusal: &Refusal) -> Result<(), Stop> {
        let mut book = self.book()?;
        let policy = self.policy(&book)?;
        book.write(&self.now, |w| -> Result<(), Stop> {
            open_case(w, &self.case_id(), &policy, &self.actor)?;
            w.append(&entry(action, &self.actor, &Subject::intent(intent), refusal))?;
            Ok(())
        })?;
        Ok(())
    }

    /// `--payload F`: its hash, and the value.
    ///
    /// # Errors
    /// A file that cannot be read, or has no canonical form.
    pub fn payload(&self) -> Result<Option<(String, Value)>, Failure> {
        let Some(path) = self.call.path("payload") else { return Ok(None) };
        let name = crate::report::file::shown(&path);
        let text = std::fs::read_to_string(&path)
            .map_err(|why| Failure::input(&format!("{name} cannot be read: {why}")))?;
        let hash = canon::hash(&text).map_err(|why| Failure::input(&format!("{name}: {why}")))?;
        let value = serde_json::from_str(&text).map_err(|why| Failure::input(&format!("{name}: {why}")))?;
        Ok(Some((hash, value)))
    }

    /// A random id of the form of a UUID, version 4.
    ///
    /// # Errors
    /// A system without random bytes.
    pub fn random() -> Result<String, Failure> {
        use std::io::Read as _;
        let mut bytes = [0_u8; 16];
        std::fs::File::open("/dev/urandom")
            .and_then(|mut file| file.read_exact(&mut bytes))
            .map_err(|why| Failure::input(&format!("no random bytes from the system: {why}")))?;
        bytes[6] = (bytes[6] & 0x0f) | 0x40;
        bytes[8] = (bytes[8] & 0x3f) | 0x80;
        let hex: Vec<String> = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        let hex = hex.concat();
        let part = |from: usize, to: usize| hex.get(from..to).unwrap_or_default().to_owned();
        Ok([part(0, 8), part(8, 12), part(12, 16), part(16, 20), part(20, 32)].join("-"))
    }
}
