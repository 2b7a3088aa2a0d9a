//! The desk of a command that settles: the loaded case, its book, who works, which policy holds.

use std::path::{Path, PathBuf};

use crate::book::records::Intent;
use crate::book::verify::{Known, of_book};
use crate::book::{Actor as EntryActor, Book, BookError, HeadTo, Now, Options};
use crate::book::{clock, sign};
use crate::cli::booked;
use crate::cli::call::Call;
use crate::cli::failure::Failure;
use crate::cli::loading::{Loaded, for_deciding as loaded};
use crate::cli::operator::surroundings;
use crate::config::policy::{InForce, read, text};
use crate::judge::view::{IntentView, SourceView};
use crate::lifecycle::expiry::Deadlines;
use crate::lifecycle::facts::{Facts, Read};
use crate::lifecycle::guards::{Blocked, Rules, write};
use crate::lifecycle::identity::{Operator, operator};
use crate::lifecycle::refusal::{Code, Refusal};
use crate::lifecycle::resolve::of;
use crate::lifecycle::states::Actor;
use crate::model::row::Seen;
use crate::model::time::{Micros, Zone, parse_duration, parse_time};
use crate::report::Mask;

use super::Stop;
use super::who;

/// What a key signs to show whose it is.
const PROBE: &[u8] = b"recount";

/// Everything that a command works with.
pub struct Desk<'c> {
    /// The call.
    pub call: &'c Call,
    /// The case.
    pub loaded: Loaded,
    /// Its sources.
    pub sources: Vec<SourceView>,
    /// People and secrets.
    pub mask: Mask,
    /// Where the book is, if there may be one.
    pub path: Option<PathBuf>,
    /// Who works here, or why nobody is known.
    pub operator: Result<Operator, Refusal>,
    /// The policy in force.
    pub policy: InForce,
    /// Now, by the clock of the machine: guards and deadlines go by it, whatever moves what is shown.
    pub now: Micros,
    /// The same, for entries.
    pub clock: Now,
    /// The chain of the book was walked and holds.
    whole: std::cell::Cell<bool>,
}

/// One intent.
pub struct Item {
    /// As it is shown.
    pub view: IntentView,
    /// What is known.
    pub facts: Facts,
    /// The record of the book.
    pub record: Option<Intent>,
}

/// Whether files of a call and its config say that nothing is written.
pub fn blocked(call: &Call, path: Option<&PathBuf>) -> Option<Blocked> {
    if call.flag("read-only") {
        return Some(Blocked::ReadOnly("the session is read-only (--read-only)".to_owned()));
    }
    path.is_none()
        .then(|| Blocked::ReadOnly("a case in memory has no book; --book FILE gives it one".to_owned()))
}

/// The whole chain holds. A file that cannot be read says so itself when it
/// is opened.
pub fn whole(path: &Path) -> Result<(), BookError> {
    let failure = path.is_file().then(|| of_book(path, Known::default()).ok()?.failure).flatten();
    match failure.filter(|failure| failure.check != "file") {
        Some(failure) => Err(BookError::Broken { seq: failure.seq, why: failure.why }),
        None => Ok(()),
    }
}

/// Opens a book for writing, where that may be.
///
/// # Errors
/// R-READONLY, and what keeps the book from being written.
pub fn book_for_writing(
    call: &Call,
    path: Option<&PathBuf>,
    config: &crate::config::Config,
) -> Result<Book, Stop> {
    write(blocked(call, path).as_ref())?;
    let Some(path) = path else { return Err(Failure::usage("name the book with --book FILE").into()) };
    let mut options = Options::default();
    if let Some(word) = &config.file.audit.head_to {
        options.head_to = HeadTo::parse(word, &config.folder()).ok_or_else(|| {
            Failure::input(&format!(
                "[audit] head_to {word:?} is none of syslog, file:PATH, command:PATH, none"
            ))
        })?;
    }
    let mut book = Book::open(path, &options)?;
    if let Some(key) = call.path("sign") {
        book.sign_with(Box::new(move |hash| sign::sign(sign::AUDIT, &key, hash.as_bytes())));
    }
    for note in book.notes() {
        call.notes.note(note);
    }
    Ok(book)
}

/// The policy in force: that of the book, else that of the config. The second says whether the file differs.
///
/// # Errors
/// A policy in the book that cannot be read.
pub fn policy_in_force(
    config: &crate::config::Config,
    book: Option<&Book>,
    units: &crate::model::units::Units,
) -> Result<(InForce, bool), Stop> {
    let of_file = text(config);
    let kept = match book {
        Some(book) => book.view()?.policy()?.and_then(|policy| policy.text),
        None => None,
    };
    let waits = kept.as_ref().is_some_and(|kept| *kept != of_file);
    let policy = read(kept.as_deref().unwrap_or(&of_file), units).map_err(|why| Failure::input(&why))?;
    Ok((policy, waits))
}

impl<'c> Desk<'c> {
    /// Loads what the call names.
    ///
    /// # Errors
    /// Usage or input, in words.
    pub fn open(call: &'c Call) -> Result<Self, Stop> {
        let loaded = loaded(call)?;
        if call.text("now").is_some() {
            call.notes.note("--now only moves what is shown: this command goes by the clock of the machine");
        }
        loaded.case.number();
        let sources = loaded.case.sources();
        let path = booked::path(call, loaded.case.spec.folder.as_deref());
        let book = look(path.as_ref())?;
        if let Some(book) = &book {
            book.view()?.is_of(&loaded.case.spec.id)?;
        }
        let (policy, policy_waits) = policy_in_force(&loaded.config, book.as_ref(), loaded.case.units())?;
        if policy_waits {
            call.notes.note(
                "the policy changed in the file and is not in force; the book keeps the one it was made with",
            );
        }
        let clock = clock::now();
        Ok(Self {
            call,
            sources,
            mask: Mask::of_load(loaded.config.file.mask.party).allowing(&loaded.config.file.mask.allow),
            path,
            operator: operator(&surroundings(call), &policy.policy.shared_logins),
            policy,
            now: clock.at,
            clock,
            whole: std::cell::Cell::new(false),
            loaded,
        })
    }

    /// What holds for decisions.
    pub fn rules(&self) -> Rules<'_> {
        Rules { policy: &self.policy.policy, units: self.loaded.case.units(), now: self.now }
    }

    /// Who asks: a person unless a program says otherwise.
    pub fn actor(&self) -> Actor {
        self.call.text("actor").and_then(Actor::from_word).unwrap_or(Actor::Human)
    }

    /// The operator.
    ///
    /// # Errors
    /// R-IDENTITY.
    pub fn who(&self) -> Result<&Operator, Stop> {
        self.operator.as_ref().map_err(|refusal| refusal.clone().into())
    }

    /// Whoever decides, as entries name him. An agent never does.
    ///
    /// # Errors
    /// R-AGENT, R-IDENTITY.
    pub fn entry_actor(&self) -> Result<EntryActor, Stop> {
        match self.actor() {
            Actor::Agent => {
                Err(Refusal::new(Code::Agent, "the actor is an agent; agents propose, they never decide")
                    .missing("a decision of reconciliation or of a person")
                    .next("let reconciliation or a person decide")
                    .into())
            }
            Actor::Human => Ok(who::entry(self.who()?, Actor::Human)),
            program => Ok(who::program(self.call, program)),
        }
    }

    /// The same where only a person may.
    ///
    /// # Errors
    /// R-AGENT, R-WHO, R-IDENTITY.
    pub fn person(&self) -> Result<EntryActor, Stop> {
        let actor = self.entry_actor()?;
        if self.actor() == Actor::Human {
            return Ok(actor);
        }
        Err(Refusal::new(Code::Who, format!("{} may not do this", self.actor().word()))
            .missing("one who may: human")
            .next("leave out --actor; a person needs none")
            .into())
    }

    /// The book, for writing.
    ///
    /// # Errors
    /// R-READONLY, R-CHAIN, R-IDENTITY.
    pub fn book(&self) -> Result<Book, Stop> {
        self.entry_actor()?;
        self.for_writing()
    }

    /// The book, for whoever writes, a person or a program. The whole chain is walked once in a call: nothing is written
    /// behind one that does not hold.
    ///
    /// # Errors
    /// R-READONLY, R-CHAIN.
    pub fn for_writing(&self) -> Result<Book, Stop> {
        if let Some(path) = self.path.as_deref().filter(|_| !self.whole.get()) {
            whole(path)?;
            self.whole.set(true);
        }
        self.own_key()?;
        book_for_writing(self.call, self.path.as_ref(), &self.loaded.config)
    }

    /// Where the policy names who may sign, the key of a call is that of whoever decides.
    fn own_key(&self) -> Result<(), Stop> {
        let (Some(key), Some(allowed)) = (self.call.path("sign"), &self.policy.allowed_signers) else {
            return Ok(());
        };
        let name = self.entry_actor()?.name;
        let allowed = self.loaded.config.folder().join(allowed);
        let made = sign::sign(sign::AUDIT, &key, PROBE);
        let of = made.and_then(|signature| sign::verify(sign::AUDIT, &allowed, &signature, PROBE));
        let because = match &of {
            Ok(principal) if sign::is_of(principal, &name) => return Ok(()),
            Ok(principal) => format!("the key is that of {principal}, and {name} decides"),
            Err(why) => format!("the key is of no allowed signer: {why}"),
        };
        Err(Refusal::new(Code::Identity, because)
            .seen(format!("the policy names who may sign in {}", crate::report::file::shown(&allowed)))
            .missing(format!("a key of {name} in that file"))
            .next("sign with your own key: --sign KEY, and --operator NAME as the file names you")
            .into())
    }

    /// The book, for reading; `None` where there is none.
    ///
    /// # Errors
    /// What keeps it from being read.
    pub fn looked(&self) -> Result<Option<Book>, Stop> {
        look(self.path.as_ref())
    }

    /// The one intent that an id names.
    ///
    /// # Errors
    /// None or several (usage).
    pub fn item(&self, id: &str) -> Result<Item, Stop> {
        let ask = self.loaded.ask(self.call);
        let gathered = self.loaded.gathered(self.call, &ask);
        let op = self.loaded.one(id, &gathered)?;
        self.item_of(op)
    }

    /// An intent of the case.
    ///
    /// # Errors
    /// Records that cannot be read again.
    pub fn item_of(&self, op: crate::load::Op) -> Result<Item, Stop> {
        let view = self
            .loaded
            .case
            .view(op)
            .ok_or_else(|| Failure::input("its records cannot be read again; were the files changed?"))?;
        let mut facts =
            Facts::of(&view, self.loaded.case.units(), &self.sources, self.loaded.case.setting.now);
        let mut record = None;
        if let Some(book) = self.looked()? {
            let book = book.view()?;
            record = book.intent(&view.intent_id)?;
            if let Some(record) = &record {
                facts.version = u64::try_from(record.version).unwrap_or_default();
            }
            // Read-backs of the book come in through the case as well, without what the book knows of them.
            for read in book.readbacks(&view.intent_id)? {
                let own = self.read(&read);
                facts.reads.retain(|r| r.at != own.at || r.source != own.source);
                facts.reads.push(own);
            }
            facts.last_note = last_note(book, &view.intent_id)?;
        }
        Ok(Item { view, facts, record })
    }

    /// A read-back of the book as evidence.
    pub fn read(&self, read: &crate::book::records::Readback) -> Read {
        read_of(&self.loaded.config, &self.sources, read)
    }

    /// R-VERSION where the item is another one than the call says that the operator saw.
    ///
    /// # Errors
    /// The difference.
    pub fn unchanged(&self, item: &Item) -> Result<(), Stop> {
        let given = self.call.text("if-facts");
        Ok(crate::lifecycle::guards::version(&item.facts, self.seen(&item.facts, given))
            .map_err(|refusal| of(refusal, &item.facts, "another one"))?)
    }

    /// Declared deadlines of a kind.
    pub fn deadlines(&self, kind: &str) -> Deadlines {
        let all = &self.loaded.config.file.deadlines;
        let own = all.kinds.get(kind).copied().unwrap_or_default();
        Deadlines {
            submitted: own.submitted.or(all.all.submitted).map(|d| d.0),
            unknown: own.unknown.or(all.all.unknown).map(|d| d.0),
        }
    }

    /// `--deadline`: a time, or a duration from now.
    ///
    /// # Errors
    /// A text that is neither.
    pub fn deadline(&self) -> Result<Option<Micros>, Stop> {
        self.call.text("deadline").map(|text| moment(text, self.now)).transpose()
    }

    /// `--if-version` and `--if-facts`; what was not given is as it is.
    pub fn seen<'a>(&self, facts: &'a Facts, given: Option<&'a str>) -> Option<(u64, &'a str)> {
        let version = self.call.number("if-version").and_then(|n| u64::try_from(n).ok());
        if version.is_none() && given.is_none() {
            return None;
        }
        Some((version.unwrap_or(facts.version), given.unwrap_or(&facts.fingerprint)))
    }
}

/// A read-back of the book as evidence.
pub fn read_of(
    config: &crate::config::Config,
    sources: &[SourceView],
    read: &crate::book::records::Readback,
) -> Read {
    let source = read.source.clone().unwrap_or_default();
    Read {
        id: read.id.clone(),
        intent_id: read.intent_id.clone(),
        independent: independent(config, sources, &source),
        source,
        at: read.read_at.or(read.started_at).unwrap_or(Micros::NONE),
        seen: read.result.as_deref().and_then(Seen::from_word).unwrap_or(Seen::NotRun),
        detail: read.detail.clone().unwrap_or_default(),
        replayed: read.replayed == Some(true),
        manual: read.manual == Some(true),
    }
}

/// A source is not the path that writes.
fn independent(config: &crate::config::Config, sources: &[SourceView], source: &str) -> bool {
    let tools = &config.file.tools;
    let endpoint = |name: &str| tools.values().any(|tool| tool.get_ref().endpoint.as_deref() == Some(name));
    let own = config.file.sources.get(source).and_then(|s| s.get_ref().endpoint.as_deref());
    let role = sources.iter().find(|s| s.id == source).map_or("", |s| s.role);
    !endpoint(source) && !own.is_some_and(endpoint) && role != "write_path"
}

/// A book for reading. An empty file is one that nothing was recorded in yet.
pub fn look(path: Option<&PathBuf>) -> Result<Option<Book>, Stop> {
    match path.filter(|path| path.is_file()).map(|path| Book::look(path)) {
        None | Some(Err(BookError::Empty { .. })) => Ok(None),
        Some(book) => Ok(Some(book?)),
    }
}

/// A time, or a duration from now.
///
/// # Errors
/// A text that is neither.
pub fn moment(text: &str, now: Micros) -> Result<Micros, Stop> {
    if let Some(us) = parse_duration(text) {
        return Ok(now.plus(us));
    }
    let at = parse_time(text, &Zone::Utc);
    if at.is_none() {
        return Err(Failure::usage(&format!(
            "{text:?} is neither a time nor a duration; write 2026-11-30T12:00:00Z or 4h"
        ))
        .into());
    }
    Ok(at.begin())
}

/// The last note on an intent.
pub fn last_note(book: crate::book::View<'_>, intent_id: &str) -> Result<String, Stop> {
    let mut last = String::new();
    book.entries(|entry| {
        if entry.text_at("subject.type") == "intent" && entry.text_at("subject.id") == intent_id {
            let note = entry.text_at("note");
            if !note.is_empty() && entry.text_at("action") != "resolve_refused" {
                last = note.to_owned();
            }
        }
    })?;
    Ok(last)
}
