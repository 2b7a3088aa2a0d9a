//! `recount readback ID --source S`: one look at a source, stored and audited (`4-sources.md` 4.7).

use std::io::{Read as _, Write as _};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::book::action::Action;
use crate::book::{Draft, Subject};
use crate::cli::call::Call;
use crate::cli::failure::Failure;
use crate::lifecycle::guards;
use crate::lifecycle::resolve::of;
use crate::model::row::{Seen, Status};
use crate::model::time::{Micros, Zone, parse_time, rfc3339};
use crate::report::pen::Pen;
use crate::report::settled::value;
use crate::text::redact;

use super::desk::{Desk, Item};
use super::out::{done, head, with_item};
use super::store::{open_case, reached, time};
use super::{PENDING, Stop};

/// How long a reader command may take.
const LIMIT: Duration = Duration::from_secs(20);
/// Most that it may print.
const MOST: u64 = 1 << 20;

/// One look, before it is stored.
#[derive(Debug)]
pub struct Look {
    /// The source.
    pub source: String,
    /// What it found.
    pub seen: Seen,
    /// Why, or what differs.
    pub detail: String,
    /// When the read began.
    pub at: Micros,
    /// Read position.
    pub position: String,
    /// A person read.
    pub manual: bool,
    /// A stored answer was played back.
    pub replayed: bool,
}

/// Reads once.
pub fn run(call: &Call) -> Result<u8, Failure> {
    with_item(call, |desk, item| {
        let look = if call.flag("manual") { by_hand(desk, item)? } else { by_source(desk, item)? };
        let note = redact(call.text("note").unwrap_or_default()).into_owned();
        let (id, written) = store(desk, item, &look, &note)?;
        let how = if look.manual { ", by hand" } else { "" };
        let mut lines = vec![format!(
            "{id}: {} of {} at {}{how}: {}{}",
            item.view.intent_id,
            look.source,
            rfc3339(look.at),
            look.seen.word(),
            if look.detail.is_empty() { String::new() } else { format!(" ({})", look.detail) }
        )];
        if look.manual && look.seen == Seen::NotFoundNotCovering {
            lines.push("A read by hand never proves that nothing happened.".to_owned());
        }
        lines.push(super::NOT_TOLD.to_owned());
        done(
            call,
            &desk.mask,
            &lines,
            &json!({
                "schema": "recount.readback.v1", "id": id, "intent_id": item.view.intent_id, "source": look.source,
                "result": look.seen.word(), "detail": look.detail, "read_at": time(look.at), "position": look.position,
                "manual": look.manual, "book": written,
            }),
        )?;
        Ok(if matches!(look.seen, Seen::Present | Seen::AbsentAsOf) { 0 } else { PENDING })
    })
}

/// Stores a look; gives its id.
///
/// # Errors
/// What the book says.
pub fn store(desk: &Desk<'_>, item: &Item, look: &Look, note: &str) -> Result<(String, Value), Stop> {
    let actor = desk.entry_actor()?;
    let mut book = desk.book()?;
    let written = book.write(&desk.clock, |w| -> Result<String, Stop> {
        open_case(w, &desk.loaded.case.spec.id, &desk.policy, &actor)?;
        let id = w.view().next_readback()?;
        let mut draft = Draft::new(Action::Readback, &actor, Subject::intent(&item.view.intent_id)).change(
            Value::Null,
            json!({"readback": {
                "id": id, "source": look.source, "read_at": time(look.at), "result": look.seen.word(),
                "detail": super::store::some(&look.detail), "position": super::store::some(&look.position),
                "query": format!("operation id {}", item.view.operation_id), "manual": look.manual,
                "replayed": look.replayed,
            }}),
        );
        draft = draft.with("reached", reached(desk));
        draft.note = super::store::some(note).map(str::to_owned);
        w.append(&draft)?;
        Ok(id)
    })?;
    Ok((written.value.clone(), head(&written)))
}

/// What a person saw somewhere else.
fn by_hand(desk: &Desk<'_>, item: &Item) -> Result<Look, Stop> {
    let call = desk.call;
    let note = call.text("note").unwrap_or_default();
    guards::note(note, &item.facts.last_note, &desk.policy.policy)
        .map_err(|r| of(r, &item.facts, "read by hand"))?;
    let missing = |what: &str| Failure::usage(&format!("a read by hand needs {what}"));
    let seen = call.text("result").and_then(Seen::from_word).ok_or_else(|| missing("--result"))?;
    let at = call
        .text("read-at")
        .map(|t| parse_time(t, &Zone::Utc).begin())
        .ok_or_else(|| missing("--read-at"))?;
    if at > desk.now {
        return Err(Failure::usage("--read-at is in the future").into());
    }
    let detail = call.told("differs").unwrap_or_default();
    if seen == Seen::Differs && detail.is_empty() {
        return Err(missing("--differs, such as \"amount: expected 20.00, read 21.00\"").into());
    }
    Ok(Look {
        source: call.told("source").unwrap_or_else(|| "by hand".to_owned()),
        seen,
        detail,
        at,
        position: call.told("position").unwrap_or_default(),
        manual: true,
        replayed: false,
    })
}

/// What a source of the case says, just read.
fn by_source(desk: &Desk<'_>, item: &Item) -> Result<Look, Stop> {
    let named = desk.call.text("source");
    let deciding = item.view.deciding_source.and_then(|no| desk.sources.get(no)).map(|s| s.id.clone());
    let of_row = item.view.effects.first().and_then(|e| desk.sources.get(e.source)).map(|s| s.id.clone());
    let Some(id) = named.map(str::to_owned).or(of_row).or(deciding) else {
        return Err(Failure::usage("no ledger here could hold it; name a source with --source").into());
    };
    let config = desk.loaded.config.file.sources.get(&id).map(toml::Spanned::get_ref);
    if let Some(command) = config.map(|s| &s.command).filter(|command| !command.is_empty()) {
        return Ok(by_command(desk, item, &id, command));
    }
    look_at(desk, item, &id)
}

/// What a loaded ledger says of an intent.
///
/// # Errors
/// A source that the case does not have.
pub fn look_at(desk: &Desk<'_>, item: &Item, id: &str) -> Result<Look, Stop> {
    let Some((no, source)) = desk.sources.iter().enumerate().find(|(_, s)| s.id == id && s.what == "ledger")
    else {
        let known: Vec<&str> =
            desk.sources.iter().filter(|s| s.what == "ledger").map(|s| s.id.as_str()).collect();
        return Err(Failure::usage(&format!(
            "no ledger {id:?} in the case; there are: {}",
            known.join(", ")
        ))
        .into());
    };
    let view = &item.view;
    let rows: Vec<_> = view
        .effects
        .iter()
        .filter(|e| e.source == no && e.status == Status::Live && !e.reversal && !e.reversed)
        .collect();
    let facts = &item.facts;
    let (seen, detail) = if let Some(why) = &source.error {
        (Seen::Unreadable, why.clone())
    } else if rows.is_empty() {
        if facts.cover.covered && view.deciding_source == Some(no) {
            (Seen::AbsentAsOf, String::new())
        } else {
            let why: Vec<String> =
                facts.cover.failed.iter().map(|(code, what)| format!("{code}: {what}")).collect();
            (Seen::NotFoundNotCovering, why.join("; "))
        }
    } else {
        match facts.differs.iter().find(|(word, ..)| *word != "more-may-land") {
            Some((word, expected, read)) => {
                (Seen::Differs, format!("{word}: expected {expected}, read {read}"))
            }
            None => (Seen::Present, rows.iter().map(|e| e.name.clone()).collect::<Vec<_>>().join(" ")),
        }
    };
    let at = source.read_at.unwrap_or(desk.now);
    Ok(Look {
        source: id.to_owned(),
        seen,
        detail,
        at,
        position: source.position.clone(),
        manual: false,
        replayed: false,
    })
}

/// What a reader command of the config says. Anything but one JSON read-back is unreadable.
fn by_command(desk: &Desk<'_>, item: &Item, id: &str, command: &[String]) -> Look {
    let asked = json!({
        "intent_id": item.view.intent_id, "operation_id": item.view.operation_id, "kind": item.view.kind,
        "business_id": item.view.business_id, "key": item.view.key,
    });
    let mut pen = Pen::new();
    value(&asked, &desk.mask, &mut pen);
    let read = ran(&desk.loaded.config.folder(), command, &pen.take()).and_then(|said| answer(&said, item));
    let look = |seen, detail, at, position, replayed| Look {
        source: id.to_owned(),
        seen,
        detail,
        at,
        position,
        manual: false,
        replayed,
    };
    match read {
        Ok(Answer { seen, detail, at, position, replayed }) => {
            look(seen, detail, at.unwrap_or(desk.now), position, replayed)
        }
        Err(why) => look(Seen::Unreadable, why, desk.now, String::new(), false),
    }
}

struct Answer {
    seen: Seen,
    detail: String,
    at: Option<Micros>,
    position: String,
    replayed: bool,
}

/// The answer of a reader command. An absence needs `read_at`, `newest_entry_at` and `position`, and both times must be
/// later than the last moment at which the call could land.
fn answer(said: &str, item: &Item) -> Result<Answer, String> {
    let value: Value =
        serde_json::from_str(said).map_err(|why| format!("the command printed no JSON: {why}"))?;
    let text = |name: &str| value.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
    let word = text("result");
    let mut seen =
        Seen::from_word(&word).ok_or_else(|| format!("the command printed the result {word:?}"))?;
    let at = |name: &str| {
        let instant = parse_time(&text(name), &Zone::Utc);
        (!instant.is_none()).then(|| instant.begin())
    };
    let (read_at, newest, position) = (at("read_at"), at("newest_entry_at"), text("position"));
    let mut detail = [text("reason"), text("field")].into_iter().find(|t| !t.is_empty()).unwrap_or_default();
    if seen == Seen::Differs {
        detail = format!("{}: expected {}, read {}", text("field"), text("expected"), text("read"));
    }
    if seen == Seen::AbsentAsOf {
        let from = item.facts.cover.from;
        let (Some(read), Some(newest)) = (read_at, newest) else {
            return Err("an absence needs read_at, newest_entry_at and position".to_owned());
        };
        if position.is_empty() {
            return Err("an absence needs read_at, newest_entry_at and position".to_owned());
        }
        if from.is_none() || read <= from || newest <= from {
            seen = Seen::NotFoundNotCovering;
            detail = format!(
                "read {}, newest entry {}: covered from {} on",
                rfc3339(read),
                rfc3339(newest),
                rfc3339(from)
            );
        }
    }
    let replayed = value.get("replayed").and_then(Value::as_bool).unwrap_or_default();
    Ok(Answer { seen, detail, at: read_at, position, replayed })
}

/// Runs a command of the config: no shell, a time limit, a limit of its output.
///
/// # Errors
/// Why there is no answer, in words.
pub fn ran(folder: &Path, command: &[String], input: &str) -> Result<String, String> {
    let (program, args) = command.split_first().ok_or_else(|| "the command is empty".to_owned())?;
    // A program with a path is found from the case folder, wherever the call was made.
    let folder = folder.canonicalize().map_err(|why| format!("the case folder cannot be found: {why}"))?;
    let path = if program.contains('/') { folder.join(program) } else { program.into() };
    let mut child = Command::new(&path)
        .args(args)
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|why| format!("{program} cannot be started: {why}"))?;
    if let Some(mut stdin) = child.stdin.take() {
        // A program that does not read its input is judged by what it prints.
        let _ = stdin.write_all(input.as_bytes());
    }
    let stdout = child.stdout.take();
    let reader = std::thread::spawn(move || {
        let mut said = Vec::new();
        let read = stdout.map(|out| out.take(MOST + 1).read_to_end(&mut said));
        (said, read.is_some_and(|read| read.is_ok()))
    });
    let until = Instant::now() + LIMIT;
    let status = loop {
        match child.try_wait() {
            Ok(Some(status)) => break status,
            Ok(None) if Instant::now() < until => std::thread::sleep(Duration::from_millis(10)),
            Ok(None) => {
                let _ = child.kill();
                let _ = child.wait();
                return Err(format!("{program} gave no answer within {} s", LIMIT.as_secs()));
            }
            Err(why) => return Err(format!("{program}: {why}")),
        }
    };
    let (said, read) = reader.join().map_err(|_| format!("{program}: its output cannot be read"))?;
    if !status.success() {
        return Err(format!("{program} ended with {status}"));
    }
    if !read || said.len() as u64 > MOST {
        return Err(format!("{program} printed more than {MOST} bytes"));
    }
    String::from_utf8(said).map_err(|_| format!("{program} printed bytes that are no text"))
}
