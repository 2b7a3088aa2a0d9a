//! The screen settles with the commands: what a form asks for is run as the command that a person would type, and its
//! JSON is read. So both give the same entries, and everything is read and checked again when it is written.

use std::cell::RefCell;
use std::ffi::OsString;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use serde_json::Value;

use crate::app::case::{CaseView, Trouble};
use crate::app::settle::audit::MOST;
use crate::app::settle::booked::{
    Batch, Booked, Done, Log, Logged, Looked, Order, Outcome, Pending, Refused, Waits,
};
use crate::book::entry::Entry;
use crate::book::export::{says, who};
use crate::book::verify::{Known, of_book};
use crate::book::{Book, View, clock};
use crate::cli::call::Call;
use crate::cli::failure::Failure;
use crate::cli::input::gather;
use crate::cli::operator::surroundings;
use crate::cli::options::{COMMON, SCREEN};
use crate::cli::table::named;
use crate::config::Config;
use crate::judge::view::SourceView;
use crate::lifecycle::guards::{Blocked, write};
use crate::lifecycle::identity::operator;
use crate::model::time::Micros;
use crate::report::file::shown;
use crate::report::out::Out;
use crate::runtime::settler::Settler;
use crate::text::file_name;

use super::bulk::select::FACTS;
use super::desk::{blocked, last_note, look, policy_in_force, read_of, whole};
use super::drafts::Drafts;
use super::{REFUSED, Stop};

/// Names that are tried for a file before it is given up.
const TRIES: u32 = 100;

/// What the screen settles with.
pub struct Desk {
    /// The words that name the case, and who works.
    base: Vec<String>,
    /// Where the book is, if there may be one.
    path: Option<PathBuf>,
    drafts: Drafts,
    /// The folder in which requests are written.
    folder: PathBuf,
}

/// A writer into memory.
#[derive(Clone, Default)]
struct Kept(Rc<RefCell<Vec<u8>>>);

impl std::io::Write for Kept {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.borrow_mut().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// The words of a call of the screen that name the same case to another command. Who works is one of them; how the
/// screen looks is not.
pub fn base(call: &Call) -> Vec<String> {
    let mut words = Vec::new();
    let mut given = call.given().iter();
    while let Some(word) = given.next() {
        let (option, has_value) =
            word.split_once('=').map_or((word.as_str(), false), |(option, _)| (option, true));
        let own = SCREEN
            .options
            .iter()
            .chain(COMMON.options)
            .find(|opt| opt.name != "operator" && option.strip_prefix("--") == Some(opt.name));
        match own {
            None => words.push(word.clone()),
            Some(opt) if !opt.value.is_empty() && !has_value => drop(given.next()),
            Some(_) => {}
        }
    }
    words
}

/// A call of another command on the same case. It says nothing on the terminal.
///
/// # Errors
/// What does not fit, in words.
pub fn call_of(command: &str, words: &[String], out: Out<'static>) -> Result<Call, Failure> {
    let command = named(command).ok_or_else(|| Failure::input(&format!("there is no command {command}")))?;
    let words: Vec<OsString> = words.iter().map(OsString::from).collect();
    Call::silent(command, &words, out)
}

/// Why nothing can be written on the screen; `None` where it can.
pub fn read_only(call: &Call, path: Option<&PathBuf>, config: &Config, in_case: bool) -> Option<String> {
    if call.number("as-of-entry").is_some() {
        return Some("nothing can be written: this is the case as it was at an earlier entry".to_owned());
    }
    if call.flag("read-only") {
        return Some("nothing can be written: the session is read-only (--read-only)".to_owned());
    }
    let Some(path) = path else {
        let what = if in_case {
            "it has no book. --book FILE gives it one"
        } else {
            "this is not a case. recount case init DIR FILES makes one"
        };
        return Some(format!("nothing can be written: {what}"));
    };
    if let Err(refusal) = operator(&surroundings(call), &config.file.policy.shared_logins) {
        return Some(format!(
            "nothing can be written: {}. --operator NAME says who decides",
            refusal.because
        ));
    }
    let place = if path.is_file() { path.as_path() } else { path.parent().unwrap_or(Path::new(".")) };
    let place = if place.as_os_str().is_empty() { Path::new(".") } else { place };
    rustix::fs::access(place, rustix::fs::Access::WRITE_OK)
        .is_err()
        .then(|| format!("nothing can be written: {} is read-only", shown(place)))
}

impl Desk {
    /// For the case that a call of the screen opened.
    pub fn new(call: &Call, path: Option<PathBuf>) -> Self {
        let case = path.as_ref().map(|path| path.canonicalize().unwrap_or_else(|_| path.clone()));
        let case = case.map(|path| path.to_string_lossy().into_owned()).unwrap_or_default();
        Self {
            base: base(call),
            path,
            drafts: Drafts::of(&case, |name| std::env::var(name).ok()),
            folder: PathBuf::from("."),
        }
    }

    /// Runs a command; gives its exit code and what it printed.
    fn run(&self, words: &[String]) -> Result<(u8, Value), Failure> {
        let (command, rest) = words.split_first().ok_or_else(|| Failure::input("nothing to do"))?;
        let kept = Kept::default();
        let words: Vec<String> = rest
            .iter()
            .chain(&self.base)
            .cloned()
            .chain(["--format".to_owned(), "json".to_owned()])
            .collect();
        let call = call_of(command, &words, Out::to(Box::new(kept.clone())))?;
        let exit = (call.command.run)(&call)?;
        let said = String::from_utf8_lossy(&kept.0.borrow()).into_owned();
        Ok((exit, serde_json::from_str(&said).unwrap_or(Value::Null)))
    }

    fn book(&self) -> Result<Option<Book>, Stop> {
        look(self.path.as_ref())
    }

    fn head(&self) -> (i64, String) {
        let head = self.book().ok().flatten().and_then(|book| book.view().ok()?.head().ok());
        head.map_or_else(|| (0, String::new()), |head| (head.seq, head.hash))
    }

    /// A call that only looks at the case.
    fn looking(&self) -> Result<Call, Failure> {
        call_of(
            "note",
            &[vec!["-".to_owned()], self.base.clone()].concat(),
            Out::to(Box::new(Kept::default())),
        )
    }

    fn looked(&self, intents: &[String], case: &dyn CaseView, draft: &str) -> Result<Looked, Stop> {
        let call = self.looking()?;
        let config = gather(&call)?.config;
        let book = self.book()?;
        let (policy, _) = policy_in_force(&config, book.as_ref(), case.units())?;
        let operator = operator(&surroundings(&call), &policy.policy.shared_logins);
        let mut not = write(blocked(&call, self.path.as_ref()).as_ref()).err();
        if let Some(crate::book::BookError::Broken { seq, .. }) =
            self.path.as_deref().and_then(|path| whole(path).err())
        {
            not = not.or(write(Some(&Blocked::Chain(u64::try_from(seq).unwrap_or_default()))).err());
        }
        let me = operator.as_ref().map(|one| one.person.name.clone()).unwrap_or_default();
        let now = clock::now().at;
        let mut items = Vec::new();
        let view = book.as_ref().map(Book::view).transpose()?;
        for id in intents {
            items.push(match view {
                Some(view) => Self::item(view, id, &config, case.sources(), (&me, now))?,
                None => Booked::default(),
            });
        }
        let head = self.head();
        let next = if head.0 == 0 { 2 } else { head.0 + 1 };
        Ok(Looked {
            operator: operator.map(|one| one.person.name),
            blocked: not,
            policy: policy.policy,
            now,
            next,
            head,
            items,
            draft: self.drafts.read(draft),
        })
    }

    fn item(
        view: View<'_>,
        id: &str,
        config: &Config,
        sources: &[SourceView],
        (me, now): (&str, Micros),
    ) -> Result<Booked, Stop> {
        let record = view.intent(id)?;
        let assigned = view.assignment("intent", id)?;
        let reads = view.readbacks(id)?;
        let open = view.requests()?.into_iter().find(|request| {
            request.status == "open"
                && request.subject_id == id
                && request.expires_at.is_none_or(|until| now <= until)
        });
        let mut pending = None;
        if let Some(request) = open {
            let proposed: Value =
                request.proposed.as_deref().and_then(|p| serde_json::from_str(p).ok()).unwrap_or_default();
            let text = |value: Option<&Value>| value.and_then(Value::as_str).map(str::to_owned);
            let to = text(proposed.get("to"))
                .or_else(|| text(proposed.get("disposition").and_then(|d| d.get("as"))))
                .or_else(|| proposed.get("unlink").map(|_| "unlink".to_owned()));
            let note = view.entry(request.seq)?.map(|entry| entry.text_at("note").to_owned());
            pending = Some(Pending {
                seq: request.seq,
                mine: request.by_name.trim().eq_ignore_ascii_case(me.trim()),
                by: request.by_name,
                until: request.expires_at.unwrap_or(Micros::FOREVER),
                note: note.unwrap_or_default(),
                to: to.unwrap_or_default(),
                digest: request.digest.unwrap_or_default(),
                fingerprint: request.fingerprint.unwrap_or_default(),
            });
        }
        let assigned = assigned.as_ref();
        let owner = record.as_ref().and_then(|r| r.owner.clone());
        let owner = owner.or_else(|| assigned.and_then(|a| a.owner.clone()));
        Ok(Booked {
            version: record.as_ref().map_or(0, |r| u64::try_from(r.version).unwrap_or_default()),
            reads: reads.iter().map(|read| read_of(config, sources, read)).collect(),
            last_note: last_note(view, id)?,
            owner: owner.unwrap_or_default(),
            escalated_to: assigned.and_then(|a| a.escalated_to.clone()).unwrap_or_default(),
            delivered: assigned.and_then(|a| a.delivered.clone()).unwrap_or_default(),
            pending,
        })
    }

    /// The words of an order, with the files that it needs.
    fn words(&self, order: &Order) -> Result<(Vec<String>, Option<tempfile::NamedTempFile>), Failure> {
        let mut words = order.words.clone();
        if let Some((version, facts)) = &order.seen {
            words.extend([
                "--if-version".to_owned(),
                version.to_string(),
                "--if-facts".to_owned(),
                facts.clone(),
            ]);
        }
        if let Some(name) = &order.file {
            words.extend(["--out".to_owned(), self.free(name)]);
        }
        if order.many.is_empty() {
            return Ok((words, None));
        }
        let failed = |why: std::io::Error| {
            Failure::input(&format!(
                "the list of items cannot be written: {why}; TMPDIR names another folder"
            ))
        };
        let mut file = tempfile::NamedTempFile::new().map_err(failed)?;
        for (id, facts) in &order.many {
            writeln!(file, "{id} {FACTS}{facts}").map_err(failed)?;
        }
        let path = file.path().to_string_lossy().into_owned();
        let count = order.many.len().to_string();
        words.extend(["--ids".to_owned(), path, "--apply".to_owned(), "--count".to_owned(), count]);
        Ok((words, Some(file)))
    }

    /// A name that no file has yet: `int_4812.request.json`, `int_4812.request-2.json`.
    fn free(&self, name: &str) -> String {
        let stem = name.strip_suffix(".request.json").unwrap_or(name);
        let name_of = |no: u32| {
            let no = if no == 1 { String::new() } else { format!("-{no}") };
            file_name(&format!("{stem}.request{no}.json"))
        };
        let free = (1..TRIES).map(name_of).find(|name| !self.folder.join(name).exists());
        free.unwrap_or_else(|| file_name(name))
    }

    /// What a command said, as an outcome.
    fn outcome(&self, exit: u8, said: &Value, before: i64) -> Outcome {
        let text = |name: &str| said.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
        let lines = |name: &str| -> Vec<String> {
            let all = said.get(name).and_then(Value::as_array).into_iter().flatten();
            all.filter_map(Value::as_str).map(str::to_owned).collect()
        };
        let head = self.head();
        let schema = text("schema");
        if schema == "recount.refusal.v1" || (exit == REFUSED && said.is_null()) {
            let parts = [
                ("because", vec![text("because")]),
                ("seen", lines("seen")),
                ("missing", lines("missing")),
                ("next", lines("next")),
            ];
            let logged = said.get("logged") == Some(&Value::Bool(true));
            return Outcome::Refused(Refused {
                code: text("code"),
                group: text("group"),
                sentence: text("sentence"),
                parts: parts
                    .into_iter()
                    .filter(|(_, lines)| lines.iter().any(|line| !line.is_empty()))
                    .collect(),
                entry: logged.then_some(head.0),
                head,
            });
        }
        let entries = said.get("book").and_then(|book| book.get("entries")).and_then(Value::as_array);
        let entries: Option<Vec<i64>> = entries.map(|all| all.iter().filter_map(Value::as_i64).collect());
        let waits = (said.get("pending") == Some(&Value::Bool(true))).then(|| {
            let file = text("file");
            Waits {
                seq: said.get("request").and_then(Value::as_i64).unwrap_or_default(),
                digest: text("digest"),
                bytes: std::fs::metadata(self.folder.join(&file)).map_or(0, |m| m.len()),
                file,
            }
        });
        let batch = (schema == "recount.bulk.v1").then(|| {
            let row = |row: &Value| {
                let text = |name: &str| row.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
                (text("intent_id"), text("result"), text("why"))
            };
            let items = said.get("items").and_then(Value::as_array).into_iter().flatten();
            Batch { id: text("batch"), rows: items.map(row).collect() }
        });
        let moved = match (text("from"), text("to")) {
            (from, to) if !from.is_empty() && !to.is_empty() => Some((from, to)),
            _ => None,
        };
        let entries = entries.unwrap_or_else(|| (before + 1..=head.0).collect());
        Outcome::Done(Done { entries, head, waits, moved, batch })
    }

    /// What became of an order that ended badly: the book says it.
    fn found(&self, order: &Order, before: i64, why: &str) -> Outcome {
        let unsure = || Outcome::Unsure { before, why: why.to_owned() };
        let book = match self.book() {
            Ok(Some(book)) => book,
            // A book that was never made holds nothing.
            Ok(None) if before == 0 => return failed(why),
            _ => return unsure(),
        };
        let note = order.words.iter().find_map(|word| word.strip_prefix("--note=")).unwrap_or_default();
        let note = crate::text::redact(note).into_owned();
        let mut entries = Vec::new();
        let read = book.view().and_then(|view| {
            view.entries(|entry| {
                let own = order.subject.is_empty() || entry.text_at("subject.id") == order.subject;
                let noted = note.is_empty() || entry.text_at("note") == note;
                if entry.seq > before && own && noted && entry.text_at("action") != "resolve_refused" {
                    entries.push(entry.seq);
                }
            })?;
            view.head()
        });
        match read {
            Err(_) => unsure(),
            Ok(_) if entries.is_empty() => failed(why),
            Ok(head) => Outcome::Done(Done { entries, head: (head.seq, head.hash), ..Done::default() }),
        }
    }

    fn read_log(&self) -> Result<Log, Stop> {
        let at = clock::now().at;
        let mut log =
            Log { broken: None, at, entries: Vec::new(), count: 0, left: None, warnings: Vec::new() };
        let Some(path) = self.path.as_deref().filter(|path| path.is_file()) else { return Ok(log) };
        let Some(book) = self.book()? else { return Ok(log) };
        let verdict = of_book(path, Known::default())?;
        let failure = verdict.failure.as_ref();
        log.broken = failure.map(|failure| (failure.seq, failure.why.clone()));
        log.warnings.clone_from(&verdict.warnings);
        let view = book.view()?;
        let mut before = String::new();
        let mut take = |entry: Entry| {
            log.count += 1;
            log.entries.push(logged(&entry, std::mem::replace(&mut before, entry.hash.clone())));
            if log.entries.len() > MOST {
                log.entries.remove(0);
            }
        };
        let read = view.entries(&mut take);
        // What can be read of a damaged book is shown; what is wrong with it stands above.
        if log.broken.is_none() {
            read?;
            let sent = view.heads_sent()?;
            log.left = sent.iter().rev().find(|s| s.failure.is_none()).map(|s| (s.target.clone(), s.at));
        }
        Ok(log)
    }
}

fn failed(why: &str) -> Outcome {
    let (what, next) = why.split_once("; ").unwrap_or((why, ""));
    Outcome::Failed(Trouble { what: what.to_owned(), next: next.to_owned() })
}

fn logged(entry: &Entry, before: String) -> Logged {
    let texts = entry.at("evidence").and_then(Value::as_array).into_iter().flatten();
    let refused = entry.text_at("action").ends_with("_refused");
    let host = entry.text_at("actor.host");
    let source = entry.text_at("actor.source");
    Logged {
        seq: entry.seq,
        at: entry.time(),
        who: who(entry),
        known: [host, source].iter().filter(|t| !t.is_empty()).copied().collect::<Vec<_>>().join(", by "),
        what: says(entry),
        subject: (entry.text_at("subject.type").to_owned(), entry.text_at("subject.id").to_owned()),
        code: if refused { entry.text_at("reason").to_owned() } else { String::new() },
        note: entry.text_at("note").to_owned(),
        evidence: texts.filter_map(Value::as_str).map(str::to_owned).collect(),
        hash: (entry.hash.clone(), before),
        signed: entry.sig.is_some(),
        glass: entry.at("policy.break_glass").is_some(),
        batch: entry.text_at("batch").to_owned(),
        text: entry.text.clone(),
    }
}

fn trouble(stop: Stop) -> Trouble {
    let text = match stop {
        Stop::Refused(refusal) => refusal.because,
        Stop::Failed(failure) => failure.text,
    };
    let (what, next) = text.split_once("; ").unwrap_or((&text, ""));
    Trouble { what: what.to_owned(), next: next.to_owned() }
}

impl Settler for Desk {
    fn look(&self, intents: &[String], case: &dyn CaseView, draft: &str) -> Result<Looked, Trouble> {
        self.looked(intents, case, draft).map_err(trouble)
    }

    fn write(&self, order: &Order) -> Outcome {
        let before = self.head().0;
        let done = self.words(order).and_then(|(words, file)| {
            let done = self.run(&words);
            drop(file);
            done
        });
        match done {
            Ok((exit, said)) => self.outcome(exit, &said, before),
            Err(why) => self.found(order, before, &why.text),
        }
    }

    fn recheck(&self, order: &Order, before: i64) -> Outcome {
        self.found(order, before, "it is not in the book; nothing was written")
    }

    fn log(&self) -> Result<Log, Trouble> {
        self.read_log().map_err(trouble)
    }

    fn keep(&self, draft: &str, text: &str) {
        self.drafts.keep(draft, text);
    }
}
