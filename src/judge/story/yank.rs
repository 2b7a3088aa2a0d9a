//! What `y` copies (`6-screens.md` 7.3): four plain lines for a ticket or the provider. Times are ISO, blanks are
//! ordinary ones. Nothing is masked here: the view that comes in is.

use super::Context;
use super::facts::Facts;
use super::phrase::{business, counted, figures, inflected, joined, number, plain};
use super::rows::{position, row_phrase};
use crate::judge::facts::link;
use crate::judge::judgement::Class;
use crate::judge::rules::Rule;
use crate::judge::view::{EffectView, IntentView, SourceView, Summary};
use crate::judge::words::{Case, list_words};
use crate::model::money::Totals;
use crate::model::row::Status;
use crate::model::time::{DAY, Instant, MINUTE, Micros, Res, age, iso, rfc3339, span};

/// Where the lines come from.
#[derive(Clone, Copy, Debug)]
pub struct Origin<'a> {
    /// Name of the case; empty where files were given.
    pub case: &'a str,
    /// Head of the audit log, `41:7c1e9a02`; `None` without a book.
    pub audit: Option<&'a str>,
}

/// A source whose newest row is so much older than the clock is named with how far it goes.
const BEHIND: i64 = 10 * MINUTE;

/// So many sources are named, those with the most rows.
const NAMED_SOURCES: usize = 2;

/// The four lines of an intent.
pub fn yank_item(view: &IntentView, cx: &Context<'_>, origin: &Origin<'_>) -> [String; 4] {
    let facts = Facts::new(view, cx);
    [what(&facts), rows(&facts), proven(&facts), not_known(&facts, origin)].map(|line| plain(&line))
}

/// `2026-11-30 08:40:59Z`.
fn stamp(instant: Instant) -> String {
    iso(instant).replace('T', " ")
}

fn stamp_of(at: Micros) -> String {
    rfc3339(Micros(at.0 - at.0.rem_euclid(crate::model::time::SECOND))).replace('T', " ")
}

/// The time alone where it is of the day of the clock.
fn short_stamp(at: Micros, now: Micros) -> String {
    let text = stamp_of(at);
    if at.0.div_euclid(DAY) != now.0.div_euclid(DAY) {
        return text;
    }
    text.split_once(' ').map_or(text.clone(), |(_, time)| time.to_owned())
}

fn what(facts: &Facts<'_>) -> String {
    let view = facts.view;
    let of = if view.business_id.is_empty() {
        view.intent_id.clone()
    } else {
        format!("of {}", business(&view.business_id))
    };
    let customer = if view.party.is_empty() { String::new() } else { format!(", customer {}", view.party) };
    let live = facts.live_more_than_zero();
    let expected = facts.expected().map(|m| facts.cx.money(m)).unwrap_or_default();
    let money = match (live.is_empty(), expected.is_empty()) {
        (true, true) => String::new(),
        (false, true) => format!(", {live}"),
        (true, false) => format!(", {expected} intended"),
        (false, false) if live == expected => format!(", {live}"),
        (false, false) => format!(", {live} instead of {expected}"),
    };
    format!("{} {of}{customer}: {}{money}", facts.noun, list_words(facts.j()))
}

fn rows(facts: &Facts<'_>) -> String {
    let j = facts.j();
    let linked = facts.rows();
    let open = facts.view.open_rows.iter().filter(|row| !linked.iter().any(|l| l.name == row.name));
    let shown: Vec<String> = linked.iter().copied().chain(open).map(|row| row_line(facts, row)).collect();
    if !shown.is_empty() {
        return shown.join("; ");
    }
    if j.rule == Rule::R01 {
        return "not compared".to_owned();
    }
    if j.covered || !facts.words.waits_for_a_read() {
        return "no row in the ledger".to_owned();
    }
    if !facts.read_early() {
        let why = facts.kept_by().unwrap_or_default();
        return format!("no row seen, and that proves nothing: {why}");
    }
    match j.covered_from {
        from if from.is_none() => {
            "no row seen; the trace has no times, so no read can prove its absence".to_owned()
        }
        from => format!("no row seen; covered from {} on", stamp_of(from)),
    }
}

fn row_line(facts: &Facts<'_>, row: &EffectView) -> String {
    let mut parts = vec![row.name.clone()];
    if !row.committed.is_none() {
        parts.push(stamp(Instant { at: row.committed.at, res: second(row.committed.res) }));
    }
    match (row.amount, row.unreadable.as_deref()) {
        (_, Some(text)) => parts.push(format!("amount unreadable: {text}")),
        (Some(money), None) => parts.push(facts.cx.money(money)),
        (None, None) => {}
    }
    let known = match row.status {
        Status::OnItsWay => "pending",
        Status::NotAnEffect => "came back",
        Status::Live if row.reversed => "undone since",
        Status::Live => row_phrase(row)[0],
    };
    format!("{}, {known}", parts.join(" "))
}

/// Copies say whole seconds, as the lines of the sources do.
fn second(res: Res) -> Res {
    let row = res.row();
    match (row.shown, row.zoned) {
        (crate::model::time::Shown::Seconds(1..), true) => Res::Second,
        (crate::model::time::Shown::Seconds(1..), false) => Res::LocalSecond,
        _ => res,
    }
}

/// How a source was read: `payments.db read 2026-11-30 09:13:58Z to row 48211`.
fn read(source: &SourceView) -> String {
    let to = position(source);
    let to = if to.is_empty() { String::new() } else { format!(" to {to}") };
    match source.read_at {
        Some(at) if source.read_at_is_newest => {
            format!("{} read no earlier than {}, its newest row{to}", source.path, stamp_of(at))
        }
        Some(at) => format!("{} read {}{to}", source.path, stamp_of(at)),
        None => format!("{} read{to}", source.path),
    }
}

fn proven(facts: &Facts<'_>) -> String {
    let j = facts.j();
    let of_rows = facts.rows().first().and_then(|row| facts.cx.sources.get(row.source));
    let Some(source) = of_rows.or_else(|| facts.source()) else {
        return "proven: nothing, no ledger was read".to_owned();
    };
    let read = read(source);
    let until = source.newest.map_or_else(String::new, |at| format!(", which ends {}", stamp_of(at)));
    if j.rule == Rule::R01 {
        return format!("proven: nothing; {read}");
    }
    let rows = facts.happened();
    if rows.is_empty() && !j.covered {
        return format!("proven: nothing yet; {read}{until}");
    }
    if rows.is_empty() {
        return format!("proven: {read}, past the last moment at which the call could land");
    }
    let tie = carried(facts, &rows).map(|tie| format!(", {tie}")).unwrap_or_default();
    format!("proven: {read}{tie}")
}

/// The id that all rows carry.
fn carried(facts: &Facts<'_>, rows: &[&EffectView]) -> Option<String> {
    let all = match rows.len() {
        1 => "the row carries".to_owned(),
        2 => "both rows carry".to_owned(),
        n => format!("all {} rows carry", number(n as u64)),
    };
    let name = |bit: u16| link::NAMES.iter().find(|(of, _)| *of == bit).map_or("", |(_, name)| *name);
    let by = |bit: u16| rows.iter().all(|row| row.link.contains(&name(bit)));
    let view = facts.view;
    if by(link::OPERATION) && !view.operation_id.is_empty() {
        Some(format!("{all} {}", view.operation_id))
    } else if by(link::KEY) && !view.key.is_empty() {
        Some(format!("{all} key {}", view.key))
    } else if by(link::RECEIPT) {
        Some(format!("an answer named {}", if rows.len() == 1 { "it" } else { "each of them" }))
    } else if by(link::DECLARED) {
        Some("linked by order id, as declared".to_owned())
    } else {
        None
    }
}

fn not_known(facts: &Facts<'_>, origin: &Origin<'_>) -> String {
    let j = facts.j();
    let noun = &facts.noun;
    let count = u64::from(j.gross.max(j.net)).max(2);
    let what = match (j.rule, facts.case()) {
        (Rule::R05 | Rule::R06 | Rule::R07, _) => {
            format!("which of the {} the customer was told of outside this trace", number(count))
        }
        (Rule::R16a, Case::NoIds) => "which call made which row".to_owned(),
        (Rule::R16a, Case::OneOnItsWay | Case::AllOnTheirWay) => {
            "whether what is on its way can be cancelled".to_owned()
        }
        (Rule::R16a | Rule::R04a, _) => "whether both were meant, or made by this sender".to_owned(),
        (Rule::R12 | Rule::R13 | Rule::R16, _) => "how it came to be another amount".to_owned(),
        (Rule::R10, _) => "its amount".to_owned(),
        (Rule::R09, _) => "whose row it is".to_owned(),
        (Rule::R30 | Rule::R27 | Rule::R26, _) => {
            "whether it was done by another way than this ledger".to_owned()
        }
        _ if j.class == Class::Undecided && j.gross == 0 => format!("whether the {noun} happened"),
        _ => "what was done outside this trace".to_owned(),
    };
    let case = if origin.case.is_empty() { String::new() } else { format!("case {}, ", origin.case) };
    let audit = origin.audit.map(|head| format!(", audit {head}")).unwrap_or_default();
    format!("not known: {what}; {case}{}{audit}", facts.view.intent_id)
}

/// The four lines of the incident. `oldest`: operation of the oldest unknown, `order 4812`.
pub fn yank_incident(summary: &Summary, cx: &Context<'_>, origin: &Origin<'_>, oldest: &str) -> [String; 4] {
    [result(summary, cx, origin), money(summary, cx), times(summary, oldest), sources(summary, cx, origin)]
        .map(|line| plain(&line))
}

fn result(s: &Summary, cx: &Context<'_>, origin: &Origin<'_>) -> String {
    let case = if origin.case.is_empty() { String::new() } else { format!("{}: ", origin.case) };
    let counts =
        [(s.violations, "went wrong"), (s.undecided, "to decide"), (s.open, "waiting"), (s.clean, "fine")];
    let counts: Vec<String> = counts.iter().map(|(n, words)| format!("{} {words}", figures(*n))).collect();
    let sums = [(&s.at_risk, "wrong"), (&s.undecided_at_risk, "undecided")];
    let sums: Vec<String> = sums
        .iter()
        .map(|(totals, word)| (cx.totals(totals), word))
        .filter(|(text, _)| !text.is_empty())
        .map(|(text, word)| format!("{text} {word}"))
        .collect();
    let sums = if sums.is_empty() { String::new() } else { format!("; {}", sums.join(", ")) };
    format!("{case}{}, {}{sums}", s.result.words(), counts.join(", "))
}

fn money(s: &Summary, cx: &Context<'_>) -> String {
    let columns: [(&Totals, &str); 4] = [
        (&s.out_too_much, "out too much"),
        (&s.probably_too_much, "probably too much"),
        (&s.may_still_go_out, "may still go out"),
        (&s.owed, "owed"),
    ];
    let mut units: Vec<_> = columns
        .iter()
        .flat_map(|(totals, _)| totals.iter())
        .filter(|(_, total)| !total.is_zero())
        .map(|(unit, _)| unit)
        .collect();
    units.sort_by(|a, b| cx.units.by_text(*a, *b));
    units.dedup();
    let mut parts = Vec::new();
    for unit in units {
        let figures: Vec<String> = columns
            .iter()
            .filter_map(|(totals, words)| {
                let total = totals.get(unit).filter(|total| !total.is_zero())?;
                let number = total.exact().map_or("unreadable".to_owned(), |sum| cx.units.number(unit, sum));
                Some(format!("{words} {number}"))
            })
            .collect();
        parts.push(format!("{}: {}", cx.units.text(unit), figures.join(", ")));
    }
    let plural = |n: u64, noun: &str| format!("{} {}", figures(n), inflected(n, noun));
    parts.push(format!("{}, {}", plural(s.orders, "order"), plural(s.parties, "customer")));
    parts.join("; ")
}

fn times(s: &Summary, oldest: &str) -> String {
    let mut parts = Vec::new();
    if !s.first.is_none() && !s.last.is_none() {
        let last = if s.first.0.div_euclid(DAY) == s.last.0.div_euclid(DAY) {
            short_stamp(s.last, s.first)
        } else {
            stamp_of(s.last)
        };
        let before = age(s.now.since(s.last));
        parts.push(format!(
            "first {}, last {last}, {before} before {}",
            stamp_of(s.first),
            short_stamp(s.now, s.last)
        ));
    }
    if !s.oldest_unknown.is_none() {
        let order = if oldest.is_empty() { String::new() } else { format!(" ({oldest})") };
        parts.push(format!("oldest unknown for {}{order}", span(s.now.since(s.oldest_unknown))));
    }
    if parts.is_empty() { format!("as of {}", stamp_of(s.now)) } else { parts.join("; ") }
}

fn sources(s: &Summary, cx: &Context<'_>, origin: &Origin<'_>) -> String {
    let mut ledgers: Vec<&SourceView> =
        cx.sources.iter().filter(|s| s.what == "ledger" && s.copy_of.is_none()).collect();
    // A stable sort: equal numbers stay in the order of the case.
    ledgers.sort_by_key(|source| std::cmp::Reverse(source.rows.read));
    let mut parts: Vec<String> = Vec::new();
    let named: Vec<String> = ledgers
        .iter()
        .take(NAMED_SOURCES)
        .map(|source| {
            let behind = source.newest.filter(|newest| s.now.since(*newest) >= BEHIND);
            match (behind, source.read_at) {
                (Some(newest), _) => format!("{} only to {}", source.path, short_stamp(newest, s.now)),
                (None, Some(at)) => {
                    let to = position(source);
                    let to = if to.is_empty() { String::new() } else { format!(" to {to}") };
                    format!("{} read {}{to}", source.path, short_stamp(at, s.now))
                }
                (None, None) => format!("{} read", source.path),
            }
        })
        .collect();
    if !named.is_empty() {
        parts.push(named.join(", "));
    }
    let unreadable = s.unreadable_ledger + s.unreadable_trace;
    if unreadable > 0 {
        let what = if s.unreadable_trace == 0 { "row" } else { "record" };
        parts.push(format!("{} {} unreadable", figures(unreadable), inflected(unreadable, what)));
    }
    parts.extend(origin.audit.map(|head| format!("audit {head}")));
    if parts.is_empty() {
        format!("no ledger was read; {}", joined(&[counted(s.attempts, "attempt")]))
    } else {
        parts.join("; ")
    }
}
