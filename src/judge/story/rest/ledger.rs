//! What the ledger has, how far it was read, how its rows are linked.

use crate::judge::facts::link;
use crate::judge::findings as f;
use crate::judge::story::Context;
use crate::judge::story::facts::Facts;
use crate::judge::story::phrase::{capital, number, times};
use crate::judge::view::{EffectView, SourceView};
use crate::judge::words::{Case, has};
use crate::model::time::{HOUR, Instant, Micros, Res};

/// Nothing is there, and why that proves nothing.
pub(super) fn no_row_but(facts: &Facts<'_>) -> Option<String> {
    let nothing_seen = matches!(facts.case(), Case::Plain) && facts.j().gross == 0;
    if !nothing_seen || facts.view.uncovered.is_empty() {
        return None;
    }
    let source = facts.source();
    if facts.read_early()
        && let Some(source) = source
    {
        return Some(ends_too_early(facts, source));
    }
    let words = facts.kept_by()?;
    Some(format!("The ledger has no row for it, and that proves nothing: {words}."))
}

fn ends_too_early(facts: &Facts<'_>, source: &SourceView) -> String {
    let cx = facts.cx;
    let last = facts.attempts().last().copied();
    let the = if facts.several() { "the last attempt" } else { "the attempt" };
    let Some(newest) = source.newest else {
        return "The ledger has no row at all, and an empty ledger proves nothing.".to_owned();
    };
    let before = |at: Option<Instant>| at.is_some_and(|at| !at.is_none() && newest < at.at);
    let when = if before(last.map(|a| a.sent)) {
        format!("before {the} began")
    } else if before(last.map(|a| a.ended)) {
        format!("before {the} ended")
    } else {
        format!("too soon after {the}")
    };
    let newest = cx.moment(newest);
    let ends = match (source.live, cx.narrow) {
        (true, _) => format!("its newest row is of {newest}"),
        (false, true) => format!("the export ends at {newest}"),
        (false, false) => format!("the export that was read ends at {newest}"),
    };
    format!("The ledger has no row for it, but {ends}, {when}: the missing row proves nothing.")
}

/// How far the ledger was read, past the calls.
pub(super) fn read_past(facts: &Facts<'_>) -> Option<String> {
    let source = facts.source()?;
    if facts.j().gross > 0 || facts.j().came_back > 0 {
        return None;
    }
    let attempts = if facts.several() { "the attempts" } else { "the attempt" };
    if source.final_by_declaration {
        return Some("The ledger is final by declaration and holds no row for it.".to_owned());
    }
    let newest = source.newest?;
    let last = facts.j().last;
    let other_day = !last.is_none() && facts.cx.other_day(last).is_some();
    let read_today = source.read_at.is_some_and(|at| facts.cx.other_day(at).is_none());
    let today = if other_day && read_today { " today" } else { "" };
    let long = !last.is_none() && newest.since(last) >= HOUR;
    let past = if last.is_none() {
        String::new()
    } else {
        format!(", {} {attempts}", if long { "long past" } else { "past" })
    };
    Some(format!(
        "The ledger was read{today} up to {}{past}, and holds no row for it.",
        facts.cx.moment(newest)
    ))
}

/// Rows of the same order, amount and time that carry another key: they are not counted, and a person has to see them.
pub(super) fn other_key(facts: &Facts<'_>) -> Option<String> {
    let j = facts.j();
    let counted = [f::SUGGESTION, f::FITS_BY_ORDER, f::DIFFERS_BY_ORDER, f::NEAR_IDENTICAL_ID]
        .iter()
        .any(|code| has(j, *code));
    let rows = &facts.view.open_rows;
    if counted || facts.view.account.is_some() || rows.iter().any(|row| row.key.is_empty()) {
        return None;
    }
    match rows.as_slice() {
        [] => None,
        [row] => Some(format!(
            "{} has its order, amount and time, but another key, {}: is it this one?",
            row.name, row.key
        )),
        rows => Some(format!(
            "{} rows have its order, amount and time, but other keys: is one of them this one?",
            capital(&number(rows.len() as u64))
        )),
    }
}

/// How far the ledger was read, where that is not far enough; else what keeps it from proving anything.
pub(super) fn read_only_to(facts: &Facts<'_>) -> Option<String> {
    if !matches!(facts.case(), Case::Plain | Case::RecordedOnly) {
        return None;
    }
    if !facts.read_early() {
        let words = facts.kept_by()?;
        let named = ["{unseen}", "{unread}"].iter().any(|place| facts.words.first.contains(place));
        if named && facts.open_transaction().is_some() {
            return None;
        }
        return Some(format!("What keeps it from proving that: {words}."));
    }
    let newest = facts.source()?.newest?;
    Some(format!("The ledger was read only up to {}.", facts.cx.moment(newest)))
}

pub(super) fn place_of_row(facts: &Facts<'_>) -> Option<String> {
    let row = facts.view.effects.iter().find(|e| e.unreadable.is_some() && !e.place.is_empty())?;
    Some(format!("The row is {}.", row.place))
}

/// Two values that are equal without case, blanks and dashes (`1-model.md` 1.1, `folded_equal`): a hint.
pub(super) fn folded(facts: &Facts<'_>) -> Option<String> {
    let of_read = || facts.view.reads.iter().rev().find_map(|r| r.differs.as_ref());
    let (_, expected, read) = facts.view.attribute.as_ref().or_else(of_read)?;
    let fold = |text: &str| -> String {
        text.chars().filter(|c| !matches!(c, ' ' | '-' | '_' | '.')).flat_map(char::to_lowercase).collect()
    };
    (fold(expected) == fold(read)).then(|| "The two differ only in capitals and signs.".to_owned())
}

/// How the rows are linked, if not by an id that both sides name.
pub(super) fn linked_by(facts: &Facts<'_>) -> Option<String> {
    let rows = facts.happened();
    let only = |name: &str| !rows.is_empty() && rows.iter().all(|row| row.link.iter().all(|l| *l == name));
    let name_of = |bit: u16| link::NAMES.iter().find(|(of, _)| *of == bit).map_or("", |(_, name)| *name);
    let words = [
        (link::DECLARED, "by order id, as declared"),
        (link::HAND, "by hand"),
        (link::SCOPE, "because the ledger holds this run only"),
        (link::DERIVED, "by a key that is made from their content"),
    ];
    let (_, how) = words.iter().find(|(bit, _)| only(name_of(*bit)))?;
    let (subject, are) = if rows.len() == 1 { ("row is", "") } else { ("rows are", "") };
    Some(format!("The {subject}{are} linked {how}."))
}

/// Two rows that another system calls one (`SAME_EXTERNAL_REF`).
pub(super) fn same_reference(facts: &Facts<'_>) -> Option<String> {
    if !has(facts.j(), f::SAME_EXTERNAL_REF) {
        return None;
    }
    let rows = facts.happened();
    let shared = rows.iter().find(|row| {
        let same = |other: &&&EffectView| other.external_ref == row.external_ref;
        !row.external_ref.is_empty() && rows.iter().filter(same).count() > 1
    })?;
    let count = rows.iter().filter(|row| row.external_ref == shared.external_ref).count() as u64;
    let all = if count == 2 {
        "Both rows carry".to_owned()
    } else {
        format!("{} rows carry", capital(&number(count)))
    };
    Some(format!(
        "{all} reference {}: recorded {}, perhaps committed once; ask the provider.",
        shared.external_ref,
        times(count)
    ))
}

/// The unit that was not on one side.
pub(super) fn unit(facts: &Facts<'_>) -> Option<String> {
    if !facts.view.currency_assumed {
        return None;
    }
    let of_rows = || facts.counted_rows().iter().find_map(|row| row.amount);
    let money = facts.j().expected.or(facts.j().live).or_else(of_rows)?;
    Some(format!("{} is assumed.", facts.cx.units.text(money.unit)))
}

/// Says from when on a read can tell, where the next step does not.
pub(in crate::judge::story) fn covered_from(cx: &Context<'_>, at: Micros) -> Option<String> {
    if at.is_none() {
        return None;
    }
    Some(format!("Covered from {} on.", cx.time(Instant { at, res: Res::Second })))
}
