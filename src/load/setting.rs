//! From what the case declares and what was read to what the judge needs: readings before, setting after.

use std::borrow::Cow;
use std::collections::HashMap;

use foldhash::fast::RandomState;

use crate::judge::facts::{Idempotent, Meaning, Role, RunKind, Setting, Source, Tool};
use crate::model::kinds::{KindWords, named_in};
use crate::model::money::{Money, parse_decimal, to_exponent};
use crate::model::outcome::Outcome;
use crate::model::row::{Shared, SourceNo};
use crate::model::time::{Micros, Zone, parse_time};
use crate::model::tools::reads_by_name;
use crate::sources::ledger::server::ServerFacts;
use crate::sources::spec::{CaseSpec, Options, SourceSpec, What};

use super::reading::{Reading, SourceReading, ToolWord, Words};
use super::slice::Tally;
use super::tables::{SharedTables, Tables};

/// Defaults of `1-model.md` 1.4.14, microseconds.
pub mod default {
    /// How long a caller waits.
    pub const TIMEOUT: i64 = 30_000_000;
    /// How long a request may live on after the caller gave up.
    pub const SETTLE: i64 = 60_000_000;
    /// Bound of the callers' clocks.
    pub const CLIENT_SKEW: i64 = 2_000_000;
    /// Bound of a ledger's clock.
    pub const LEDGER_SKEW: i64 = 1_000_000;
}

/// "Complete from the start, never pruned."
pub use crate::judge::coverage::FROM_THE_START as FROM_START;

/// A time of the configuration; `None` where it cannot be read.
pub fn config_time(text: &str, zone: &Zone) -> Option<Micros> {
    let time = parse_time(text, zone);
    (time.at != Micros::NONE).then_some(time.at)
}

fn zone_of(options: &Options) -> Zone {
    options.zone.as_deref().and_then(Zone::parse).unwrap_or(Zone::Unknown)
}

/// What holds while the case is read. `now` is the clock, fixed or real.
pub fn reading(spec: &CaseSpec, logical: &[u16], now: Micros) -> Reading {
    let mut tables = Tables::default();
    let mut tool_words = Vec::new();
    for tool in &spec.tools {
        let no = tables.tools.intern(&tool.name);
        let lists = [
            (&tool.did_not, Outcome::Rejected),
            (&tool.already_did, Outcome::AlreadyDone),
            (&tool.cannot_tell, Outcome::Failed),
        ];
        for (words, outcome) in lists {
            tool_words.extend(words.iter().map(|word| ToolWord { tool: no, word: word.clone(), outcome }));
        }
    }
    let sources = spec
        .sources
        .iter()
        .map(|source| {
            let o = &source.options;
            let zone = zone_of(o);
            let utc = |t: &Option<String>| t.as_deref().and_then(|t| config_time(t, &Zone::Utc));
            let normalise: Vec<_> = o.normalise.iter().chain(&spec.normalise).copied().collect();
            SourceReading {
                currency: o.currency.clone().unwrap_or_default(),
                kind: o.kind.clone(),
                normalise: Cow::Owned(normalise),
                words: Words::new(&o.status),
                negative_is: o.negative_is,
                exponent_override: o
                    .exponent_override
                    .iter()
                    .map(|(unit, e)| (tables.units.intern(unit), *e))
                    .collect(),
                part: partition(o).map_or(Shared::NONE, |p| tables.parts.intern(&p)),
                scope_run: o.scope_run,
                since: utc(&o.since),
                until: utc(&o.until),
                zone,
            }
        })
        .collect();
    let skew = spec.client_skew_ms.map_or(default::CLIENT_SKEW, |ms| ms * 1000).max(default::LEDGER_SKEW);
    Reading {
        tables: SharedTables::new(tables),
        sources,
        tool_words,
        latest: Micros(now.0.saturating_add(skew)),
        cuts_calls: spec
            .sources
            .iter()
            .any(|s| s.what == What::Trace && (s.options.since.is_some() || s.options.until.is_some())),
        logical: logical.to_vec(),
        state: RandomState::default(),
    }
}

/// A partition as `field=value`, fields in order.
fn partition(options: &Options) -> Option<String> {
    let mut parts: Vec<String> = options.partition.iter().map(|(f, v)| format!("{f}={v}")).collect();
    parts.sort();
    (!parts.is_empty()).then(|| parts.join(","))
}

/// What was found out about a source while opening and reading it.
#[derive(Clone, Debug, Default)]
pub struct Found {
    /// Logical number: files of one source share it.
    pub logical: u16,
    /// Counts and times.
    pub tally: Tally,
    /// It could be read.
    pub readable: bool,
    /// When a live database was read.
    pub read_at: Option<Micros>,
    /// How far a replica had replayed, as its sidecar says.
    pub replayed: Option<Micros>,
    /// What a database server said of the reading.
    pub server: Option<ServerFacts>,
    /// A live database.
    pub live: bool,
    /// Bytes of its write-ahead log when it was read.
    pub wal: u64,
    /// The format says that it is not complete: the sentence.
    pub incomplete: Option<String>,
    /// Name of the table, for kinds.
    pub table: String,
    /// The format itself says that it holds one run only (J0).
    pub scope_run: bool,
    /// Kinds that its rows name: kind words, and heads of operation ids; sorted.
    pub kinds: Vec<String>,
    /// Format name of `7-commands.md` 7.5.9.
    pub format: String,
    /// Read position as printed.
    pub position: String,
    /// How fields were found.
    pub mapping: String,
    /// The query, where it is a database.
    pub query: Option<String>,
    /// One line of SQL that confirms its totals, where it is a database.
    pub confirm: Option<String>,
    /// SHA-256 of a text source, where it was taken.
    pub digest: Option<String>,
    /// What was noticed while opening.
    pub notes: Vec<String>,
    /// Its read position went back since it was decided on, and nobody took note: the sentence.
    pub went_back: Option<String>,
    /// Why it could not be read, and what to do.
    pub error: Option<String>,
}

/// Meaning of every source (`4-sources.md` 4.11). One ledger alone moves money.
pub fn meanings(spec: &CaseSpec, found: &[Found]) -> Vec<Meaning> {
    let by_id = |id: &str| {
        spec.sources
            .iter()
            .position(|s| s.id == id && s.what == What::Ledger)
            .and_then(|no| u16::try_from(no).ok())
            .map(SourceNo)
    };
    spec.sources
        .iter()
        .zip(found)
        .map(|(source, _)| match (source.what, &source.options) {
            (What::Ledger, Options { copy_of: Some(id), .. }) => Meaning::CopyOf(by_id(id)),
            (What::Ledger, Options { part: true, .. }) => Meaning::Part,
            (What::Ledger, _) => Meaning::MovesMoney,
            _ => Meaning::NotALedger,
        })
        .collect()
}

/// What holds for all intents, before it is known which ledger records which tool.
pub fn setting(spec: &CaseSpec, found: &[Found], tables: &Tables, now: Micros) -> Setting {
    let meanings = meanings(spec, found);
    let sources: Vec<Source> = spec
        .sources
        .iter()
        .enumerate()
        .zip(found)
        .map(|((no, source), f)| {
            let gaps = gaps(spec, found, f.logical);
            Source { gaps, ..listing(source, f, merged(found, no).as_ref(), &meanings, no, tables) }
        })
        .collect();
    let mut setting = Setting {
        now,
        client_skew: spec.client_skew_ms.map_or(default::CLIENT_SKEW, |ms| ms * 1000),
        any_ledger: sources.iter().any(|s| s.meaning != Meaning::NotALedger && s.readable),
        sources,
        tools: Vec::new(),
        final_by_declaration: spec.ledger_final || spec.sources.iter().any(|s| s.options.final_),
        trace_complete: spec.trace_complete
            || spec
                .sources
                .iter()
                .any(|s| s.what == What::Trace && s.options.completeness.as_deref() == Some("complete")),
        intents_complete: spec.sources.iter().any(|s| s.options.intents_complete),
        high_value: spec
            .high_value
            .iter()
            .filter_map(|(unit, amount)| {
                let unit = tables.units.get(unit)?;
                let amount = parse_decimal(amount).ok()?;
                let exponent = tables.units.exponent(unit);
                Some(Money { unit, amount: exponent.map_or(Some(amount), |e| to_exponent(amount, e).ok())? })
            })
            .collect(),
        runs: tables
            .runs
            .iter()
            .map(|run| match (run.model.is_empty(), run.agent.contains("scripted")) {
                (_, true) => RunKind::Script,
                (false, false) => RunKind::Model,
                (true, false) => RunKind::Unknown,
            })
            .collect(),
        tolerance: 0,
    };
    setting.tools = tools(spec, tables, &setting);
    setting
}

/// Files of one logical source are one listing.
fn merged(found: &[Found], no: usize) -> Option<Tally> {
    let mine = found.get(no)?;
    let mut files = found.iter().filter(|f| f.logical == mine.logical && f.readable);
    let mut tally = files.next()?.tally.clone();
    files.for_each(|f| tally.merge(&f.tally));
    Some(tally)
}

/// Times between the files of one source that none of them covers (`4-sources.md` 4.3): begin and end of each.
fn gaps(spec: &CaseSpec, found: &[Found], logical: u16) -> Vec<(Micros, Micros)> {
    let files = spec
        .sources
        .iter()
        .zip(found)
        .filter(|(s, f)| s.what == What::Ledger && f.logical == logical && f.readable);
    let mut windows: Vec<(Micros, Micros)> = files
        .filter_map(|(source, f)| {
            let o = &source.options;
            let time = |t: &Option<String>| t.as_deref().and_then(|t| config_time(t, &known_zone(o)));
            let declared = if o.covers_from.as_deref() == Some("start") {
                Some(FROM_START)
            } else {
                time(&o.covers_from)
            };
            let from = declared
                .or_else(|| time(&o.since))
                .or(f.tally.oldest.map(super::super::model::time::Instant::begin))?;
            let newest = f.tally.newest().map(super::super::model::time::Instant::end);
            let to = [time(&o.exported_at).or_else(|| time(&o.read_at)), newest].into_iter().flatten().max();
            Some((from, to.unwrap_or(from)))
        })
        .collect();
    windows.sort_unstable();
    let mut gaps = Vec::new();
    let mut until: Option<Micros> = None;
    for (from, to) in windows {
        if let Some(until) = until.filter(|u| *u < from) {
            gaps.push((until, from));
        }
        until = Some(until.map_or(to, |u| u.max(to)));
    }
    gaps
}

/// Zone of a source's own times; UTC where none is declared.
fn known_zone(options: &Options) -> Zone {
    match zone_of(options) {
        Zone::Unknown => Zone::Utc,
        known => known,
    }
}

fn listing(
    source: &SourceSpec,
    found: &Found,
    tally: Option<&Tally>,
    meanings: &[Meaning],
    no: usize,
    tables: &Tables,
) -> Source {
    let o = &source.options;
    let zone = known_zone(o);
    let time = |t: &Option<String>| t.as_deref().and_then(|t| config_time(t, &zone));
    let meaning = meanings.get(no).copied().unwrap_or(Meaning::NotALedger);
    let role = match o.role.as_deref() {
        Some("replica") => Role::Replica,
        Some("second_witness") => Role::SecondWitness,
        Some("write_path") => Role::WritePath,
        _ if found.server.as_ref().is_some_and(|s| s.replica) => Role::Replica,
        _ => Role::Authority,
    };
    let server = found.server.as_ref();
    let snapshot_rule = o.coverage_rule.as_deref() == Some("snapshot")
        && found.live
        && server.is_none_or(|s| s.settled && !s.replica);
    let part = partition(o).and_then(|p| tables.parts.get(&p)).unwrap_or(Shared::NONE);
    let newest = tally.and_then(|t| t.newest_in(part)).map(super::super::model::time::Instant::begin);
    let newest = match server {
        Some(server) => newest_of(server, newest),
        None => newest,
    };
    // The snapshot rule counts from the first look on (`4-sources.md` 4.5).
    let read = found.read_at.filter(|_| found.live);
    let read = server.filter(|_| snapshot_rule).map_or(read, |server| server.first_look);
    let given = time(&o.exported_at).or_else(|| time(&o.read_at)).or(read);
    let until = time(&o.until);
    let read_at = given.or(newest).map(|t| until.map_or(t, |u| t.min(u)));
    let oldest = tally.and_then(|t| t.oldest).map(super::super::model::time::Instant::begin);
    let oldest = server.and_then(|s| s.oldest).into_iter().chain(oldest).min();
    let from = match o.covers_from.as_deref() {
        Some("start") => Some(FROM_START),
        Some(_) => time(&o.covers_from),
        None => oldest,
    };
    let from = match (time(&o.since), from) {
        (Some(since), Some(from)) => Some(from.max(since)),
        (since, from) => since.or(from),
    };
    Source {
        meaning,
        logical: found.logical,
        counts: match meaning {
            Meaning::MovesMoney | Meaning::Part => role != Role::WritePath,
            Meaning::CopyOf(original) => original.is_none(),
            Meaning::NotALedger => false,
        },
        role,
        can_prove_absence: o.can_prove_absence.unwrap_or(true)
            && !matches!(role, Role::SecondWitness | Role::WritePath),
        snapshot_rule,
        read_at,
        read_at_is_newest: given.is_none(),
        newest,
        from,
        replayed: found.replayed,
        complete: found.incomplete.is_none() && o.incomplete.is_none(),
        gaps: Vec::new(),
        went_back: found.went_back.is_some(),
        holds: Vec::new(),
        part,
        skew: o
            .skew_ms
            .map_or(if found.live && server.is_none() { 0 } else { default::LEDGER_SKEW }, |ms| ms * 1000),
        has_rows: tally.is_some_and(|t| t.rows > 0) || server.is_some_and(|s| s.oldest.is_some()),
        readable: found.readable,
        factor_hint: false,
        damaged: tally.map_or(0, |t| u32::try_from(t.damaged + t.unlinkable).unwrap_or(u32::MAX)),
    }
}

/// The newest row of a ledger on a server, as far as it proves anything (`4-sources.md` 4.5): not beyond the first of
/// two looks, and nothing where they did not settle. A narrow query may have met rows only older than the newest.
fn newest_of(server: &ServerFacts, read: Option<Micros>) -> Option<Micros> {
    let newest = server.newest.into_iter().chain(read).max()?;
    server.settled.then(|| server.first_look.map_or(newest, |first| newest.min(first)))
}

/// All tools of the case; every ledger that counts records each, until links say otherwise.
fn tools(spec: &CaseSpec, tables: &Tables, setting: &Setting) -> Vec<Tool> {
    let ledgers: Vec<SourceNo> = (0u16..)
        .map(SourceNo)
        .zip(&setting.sources)
        .filter(|(_, s)| s.meaning != Meaning::NotALedger)
        .map(|(no, _)| no)
        .collect();
    let declared = |name: &str| spec.tools.iter().find(|t| t.name == name);
    std::iter::once("")
        .chain(tables.tools.iter().map(|(_, name)| name))
        .zip((0u32..).map(Shared))
        .map(|(name, no)| {
            let own = declared(name);
            let recorded_by = match own.and_then(|t| t.ledger.as_deref()) {
                Some(id) => ledgers.iter().copied().filter(|no| recorded_in(spec, *no, id)).collect(),
                None => ledgers.clone(),
            };
            Tool {
                read: match own.and_then(|t| t.role.as_deref()) {
                    Some(role) => role == "read",
                    None => tables.hint(no).unwrap_or_else(|| reads_by_name(name)),
                },
                idempotent: match own.and_then(|t| t.idempotent.as_deref()) {
                    Some("yes") => Idempotent::Yes,
                    Some("no") => Idempotent::No,
                    _ => Idempotent::Unknown,
                },
                retention: own.and_then(|t| t.retention),
                timeout: own.and_then(|t| t.timeout).unwrap_or(default::TIMEOUT),
                settle: own.and_then(|t| t.settle).unwrap_or(default::SETTLE),
                recorded_by,
            }
        })
        .collect()
}

/// A declared ledger records a tool with its copies, and with the other partitions of what moves the same money.
fn recorded_in(spec: &CaseSpec, no: SourceNo, id: &str) -> bool {
    spec.sources
        .get(usize::from(no.0))
        .is_some_and(|s| s.id == id || s.options.copy_of.as_deref() == Some(id))
}

/// Which ledgers record which tool (`4-sources.md` 4.12): one write tool, all; several, those to which one of its
/// intents links. `linked` says, per tool, the sources.
pub fn record_tools(spec: &CaseSpec, tables: &Tables, setting: &mut Setting, linked: &[Vec<SourceNo>]) {
    let undeclared = |name: &str| !spec.tools.iter().any(|t| t.name == name && t.ledger.is_some());
    let writes: Vec<usize> = setting
        .tools
        .iter()
        .enumerate()
        .skip(1)
        .filter(|(no, t)| {
            !t.read && u32::try_from(*no).is_ok_and(|no| undeclared(tables.tools.text(Shared(no))))
        })
        .map(|(no, _)| no)
        .collect();
    let some_links = writes.iter().any(|no| linked.get(*no).is_some_and(|l| !l.is_empty()));
    if writes.len() < 2 || !some_links {
        return;
    }
    let all: Vec<SourceNo> = setting.tools.first().map(|t| t.recorded_by.clone()).unwrap_or_default();
    // A ledger that could not be read links to nothing: it may be the one of a tool without any link.
    let of_others = |no: SourceNo| {
        spec.tools.iter().filter_map(|t| t.ledger.as_deref()).any(|id| recorded_in(spec, no, id))
    };
    let unread =
        |no: &SourceNo| setting.source(*no).is_some_and(|s| s.counts && !s.readable) && !of_others(*no);
    let unread: Vec<SourceNo> = all.iter().copied().filter(unread).collect();
    for no in writes {
        let mine = linked.get(no).cloned().unwrap_or_default();
        let mine = if mine.is_empty() { unread.clone() } else { mine };
        // Partitions of what moves the same money, and copies of it, record the tool too.
        let related = |other: SourceNo| {
            mine.iter().any(|m| {
                let (a, b) = (setting.source(*m), setting.source(other));
                match (a, b) {
                    (Some(a), Some(b)) => {
                        *m == other
                            || (a.part.is_some() && b.part.is_some())
                            || b.meaning == Meaning::CopyOf(Some(*m))
                            || (a.meaning == Meaning::Part && b.meaning == Meaning::Part)
                    }
                    _ => false,
                }
            })
        };
        let recorded: Vec<SourceNo> = all.iter().copied().filter(|s| related(*s)).collect();
        if let Some(tool) = setting.tools.get_mut(no) {
            tool.recorded_by = recorded;
        }
    }
}

/// Words of the kinds that a source can hold (C9): as declared for it or for a tool, else those that it names; `None`
/// where it names none: it may hold any.
fn held_words(case: &CaseSpec, spec: &SourceSpec, found: &Found) -> Option<KindWords> {
    if !spec.options.holds.is_empty() {
        return Some(spec.options.holds.iter().map(String::as_str).collect());
    }
    let of_names = named_in(&found.table).into_iter().chain(named_in(&spec.id));
    let mut words: KindWords = found.kinds.iter().map(String::as_str).chain(of_names).collect();
    if words.is_empty() {
        return None;
    }
    let tools = case.tools.iter().filter(|t| t.ledger.as_ref() == Some(&spec.id));
    tools.for_each(|tool| words.add(&tool.name));
    Some(words)
}

/// Writes into the setting which of the kinds that intents have each ledger holds. Returns the kinds where some
/// ledger does not hold all: only then intents are asked for theirs.
pub fn hold_kinds(
    spec: &CaseSpec,
    found: &[Found],
    kinds: &[String],
    tables: &mut Tables,
    setting: &mut Setting,
) -> Option<HashMap<String, Shared, RandomState>> {
    let numbered: HashMap<String, Shared, RandomState> =
        kinds.iter().map(|k| (k.clone(), tables.kinds.intern(k))).collect();
    let nothing = tables.kinds.intern("(none of the kinds here)");
    let mut some = false;
    for ((source, f), set) in spec.sources.iter().zip(found).zip(&mut setting.sources) {
        if source.what != What::Ledger {
            continue;
        }
        let words = held_words(spec, source, f);
        let holds = |kind: &str| words.as_ref().is_none_or(|words| words.share(kind));
        let mut held: Vec<Shared> =
            numbered.iter().filter(|(kind, _)| holds(kind)).map(|(_, no)| *no).collect();
        held.sort_unstable();
        if held.len() == numbered.len() {
            set.holds.clear();
            continue;
        }
        some = true;
        if held.is_empty() {
            held.push(nothing);
        }
        set.holds = held;
    }
    some.then_some(numbered)
}
