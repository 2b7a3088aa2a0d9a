//! Why it is judged so, and the fine print (`6-screens.md` 7.4.8): the reason of the rule, how each row is tied, what
//! was not looked at, what is assumed, what the record says.

use super::books;
use super::facts::{Facts, Look};
use super::phrase::{bound, business, capital, joined, number};
use super::rest::later;
use super::rows::row_first;
use crate::judge::facts::{Idempotent, link};
use crate::judge::judgement::{ExpectedFrom, RetryOrigin};
use crate::judge::rules::Rule;
use crate::judge::view::{EffectView, Tied};
use crate::judge::words::{self, Case};
use crate::model::outcome::Class;
use crate::model::time::span;

type Line = (String, &'static str);

/// The reason of each rule. Places are those of the first sentences, and a few of their own.
#[rustfmt::skip]
pub(super) const REASONS: [(Rule, &str); 38] = [
    (Rule::R01, "What no ledger was read for is neither right nor wrong."),
    (Rule::R02, "None was intended, and the ledger has {count}."),
    (Rule::R03, "None was intended; what happened was taken back in full."),
    (Rule::R04, "The number differs from the intended one, the total does not."),
    (Rule::R04a, "What was intended is assumed from the calls, and an assumption alone proves no double."),
    (Rule::R05, "{tie}. At most {wanted} was intended."),
    (Rule::R06, "{tie}. At most {wanted} was intended; what was too much has been taken back."),
    (Rule::R07, "{tie}. At most {wanted} was intended, and what was taken back does not leave the intended total."),
    (Rule::R08, "The new request replaces the old one, so only one of the two may take effect."),
    (Rule::R09, "A row that two operations claim counts for neither until a person says whose it is."),
    (Rule::R10, "An amount that cannot be read is never guessed, so the total is not known."),
    (Rule::R11, "What is recorded as failed may be sent again, and then it would happen twice."),
    (Rule::R12, "Amounts of different currencies are never compared or converted."),
    (Rule::R13, "The number is right, the total is not: {live} where {expected} was intended."),
    (Rule::R14, "Number and total are right; one expected value is not."),
    (Rule::R15, "It happened, and nothing of it is left."),
    (Rule::R16, "A service may apply either content of one key, and the answer does not say which."),
    (Rule::R16a, "It stays a suspicion: a person or another program may have made one of the rows."),
    (Rule::R17, "None was intended, and the ledger was read past the calls without a row."),
    (Rule::R18, "A row that is missing counts only when the ledger was read past the calls. This read was not."),
    (Rule::R19, "A call that no request explains cannot be compared with what was intended."),
    (Rule::R20, "A call that is still open may do it or not."),
    (Rule::R20a, "Several effects are allowed, and the ledger was not read past the last call."),
    (Rule::R21, "Number and total are right, but a call without an answer can still act."),
    (Rule::R22, "Number and total are as intended."),
    (Rule::R23, "The evidence is clear; only the record was not moved."),
    (Rule::R24, "The ledger has the intended number and total; the answers did not say so."),
    (Rule::R25, "A row that is missing counts only when the ledger was read past the attempt. This read was not."),
    (Rule::R26, "The ledger was read past the calls and has fewer than intended."),
    (Rule::R27, "The ledger was read past the calls and has none."),
    (Rule::R28, "It was refused, and nothing shows that it happened."),
    (Rule::R29, "A lost answer is no refusal: only a read past the call shows that nothing happened."),
    (Rule::R30, "The ledger was read past the last moment at which the call could land, and has no row."),
    (Rule::R31, "A row that is missing counts only when the ledger was read past the attempt. This read was not."),
    (Rule::R32, "A row that is missing counts only when the ledger was read past the attempt. This read was not."),
    (Rule::R33, "The evidence is clear; only the record was not moved."),
    (Rule::R34, "It is recorded, and no call for it was seen."),
    (Rule::R35, "Its time is over, and nobody has put on record that the answer is not known."),
];

/// The lines of Why.
pub(super) fn lines(facts: &Facts<'_>) -> Vec<Line> {
    let mut lines = Vec::new();
    lines.extend(account(facts));
    lines.extend(reason(facts));
    lines.extend(not_covered(facts));
    lines.extend(ties(facts));
    lines.extend(again(facts));
    lines.extend(books::sentence(facts).map(|text| (text, "")));
    lines.extend(findings(facts));
    lines.extend(assumed(facts));
    lines.extend(record(facts).map(|text| (text, "")));
    lines
}

/// Rows without ids are judged by the account of the order.
fn account(facts: &Facts<'_>) -> Option<Line> {
    let account = facts.view.account.as_ref().filter(|_| facts.case() == Case::NoIds)?;
    let (wanted, tried, found) = (account.wanted, account.tried, account.found);
    let text = "Rows without ids are judged by the account of the order";
    Some((format!("{text}: {wanted} wanted, {tried} tried, {found} found."), facts.j().rule.number()))
}

/// The reason of the rule; its code stands at the first line only.
fn reason(facts: &Facts<'_>) -> Option<Line> {
    let rule = facts.j().rule;
    let template = match (rule, facts.case()) {
        // A row that is on its way, or that may be it, is the reason itself.
        (Rule::R25 | Rule::R31 | Rule::R32, Case::OnItsWay) => {
            "A row on its way is no effect yet, and no absence either."
        }
        (Rule::R25 | Rule::R31 | Rule::R32, Case::FitsByOrder | Case::DiffersByOrder | Case::MayBeIt) => {
            "A row that may be it proves nothing until it is linked, and no absence can be proved beside it."
        }
        (Rule::R16a, Case::NoIds) => {
            let rows = facts.counted_rows().len() as u64;
            let of = if rows == 2 { "the two rows".to_owned() } else { format!("the {} rows", number(rows)) };
            let text =
                format!("It stays a suspicion: a person or another program may have made one of {of}.");
            return Some((text, ""));
        }
        _ => REASONS.iter().find(|(of, _)| *of == rule).map(|(_, reason)| *reason)?,
    };
    let tie = tie(facts);
    let text =
        super::fill::fill(template, |name| if name == "tie" { Some(tie.clone()) } else { facts.place(name) });
    Some((text, rule.number()))
}

/// What ties the rows of a double: the id that all carry, else the ways in which they are linked.
fn tie(facts: &Facts<'_>) -> String {
    let rows = facts.happened();
    let all = match rows.len() {
        0 | 1 => "The row",
        2 => "Both rows",
        _ => "All rows",
    };
    let carry = if rows.len() == 1 { "carries" } else { "carry" };
    let by = |bit: u16| link::NAMES.iter().find(|(of, _)| *of == bit).map_or("", |(_, name)| *name);
    let all_by = |bit: u16| !rows.is_empty() && rows.iter().all(|row| row.link.contains(&by(bit)));
    if all_by(link::OPERATION) && !facts.view.operation_id.is_empty() {
        return format!("{all} {carry} the same operation id, {}", facts.view.operation_id);
    }
    // Calls of one request may carry several keys, and each a row.
    let one_key = rows.iter().all(|row| row.key == facts.view.key || row.key.is_empty());
    if all_by(link::KEY) && !facts.view.key.is_empty() && one_key {
        return format!("{all} {carry} the same key, {}", facts.view.key);
    }
    if all_by(link::DECLARED) && !facts.view.business_id.is_empty() {
        let order = business(&facts.view.business_id);
        return format!(
            "{all} {} of {order}, linked as declared",
            if rows.len() == 1 { "is" } else { "are" }
        );
    }
    let ways = [
        (link::OPERATION, "operation id"),
        (link::KEY, "key"),
        (link::RECEIPT, "receipt"),
        (link::LEARNT, "an id learnt from a row that an answer named"),
        (link::DERIVED, "a key made from their content"),
        (link::HAND, "hand"),
        (link::SCOPE, "the scope of the ledger"),
        (link::DECLARED, "a declared join"),
    ];
    let used = ways.iter().filter(|(bit, _)| rows.iter().any(|row| row.link.contains(&by(*bit))));
    let used: Vec<String> = used.map(|(_, word)| (*word).to_owned()).collect();
    let are = if rows.len() == 1 { "is" } else { "are" };
    if used.is_empty() {
        format!("{all} {are} tied to it")
    } else {
        format!("{all} {are} tied to it by {}", joined(&used))
    }
}

/// Why a missing row proves nothing, and what follows from it.
fn not_covered(facts: &Facts<'_>) -> Vec<Line> {
    let j = facts.j();
    let asks = matches!(
        j.rule,
        Rule::R18 | Rule::R20a | Rule::R21 | Rule::R25 | Rule::R29 | Rule::R31 | Rule::R32 | Rule::R35
    );
    if !asks || j.covered {
        return Vec::new();
    }
    let cx = facts.cx;
    let mut lines = Vec::new();
    // C1 and C2 ask for the same, a row newer than this; one line says it.
    let names_it = if facts.view.uncovered.iter().any(|(code, _)| *code == "C2") { "C2" } else { "C1" };
    for (code, words) in &facts.view.uncovered {
        if matches!(*code, "C1" | "C2") {
            if *code != names_it || j.covered_from.is_none() {
                continue;
            }
            let end = cx.moment(j.last);
            let (settle, clocks) = (bound(facts.view.settle), bound(facts.view.eps));
            let from = cx.moment(j.covered_from);
            let of = if facts.several() { "the last attempt's" } else { "the attempt's" };
            lines.push((
                format!("Past means later than {from}: {of} end {end}, {settle} to settle, {clocks} for the clocks."),
                *code,
            ));
        } else {
            lines.push((format!("{}.", capital(words)), *code));
        }
    }
    if matches!(facts.case(), Case::Plain) && matches!(j.rule, Rule::R31 | Rule::R29 | Rule::R35) {
        let noun = &facts.noun;
        lines.push((
            format!("Until then a second call could be a second {noun}, so nothing may be tried again."),
            "",
        ));
    }
    lines
}

/// How a row was made by a call that got no answer.
pub(super) fn ties(facts: &Facts<'_>) -> Vec<Line> {
    let lost = facts.lost();
    let made = |row: &&EffectView| match row.tied {
        Tied::ByTime(n) | Tied::ByOrder(n) => lost.iter().find(|a| a.number == n).map(|_| n),
        _ => None,
    };
    let rows = facts.happened();
    let by_lost = rows.iter().filter_map(|row| made(row).map(|n| (row, n)));
    by_lost
        .map(|(row, n)| {
            let which = if facts.several() { format!("attempt {n}") } else { "the attempt".to_owned() };
            let text = format!(
                "{} was committed while {which} was open: it had worked, only its answer was lost.",
                row_first(row)
            );
            (text, "")
        })
        .collect()
}

/// Who sent it again, and whether anybody looked.
fn again(facts: &Facts<'_>) -> Vec<Line> {
    let attempts = facts.attempts();
    if facts.case() == Case::NoIds {
        return Vec::new();
    }
    let origin = match facts.j().origin {
        RetryOrigin::None | RetryOrigin::Unknown => None,
        origin => words::origin(origin),
    };
    let mut lines = Vec::new();
    for (first, next) in attempts.iter().zip(attempts.iter().skip(1)) {
        if first.class != Class::Unknown {
            continue;
        }
        let was = origin.map(|origin| format!("Attempt {} was {origin}.", next.number));
        let nobody = facts.read_between(first, next) == Some(Look::Nobody);
        let between = later(first, next).and_then(|later| later.strip_suffix(" later").map(str::to_owned));
        let looked = nobody.then(|| match between {
            Some(time) => format!("Nobody had read the ledger in the {time} between."),
            None => "Nobody had read the ledger between.".to_owned(),
        });
        let text: Vec<String> = [was, looked].into_iter().flatten().collect();
        if !text.is_empty() {
            lines.push((text.join(" "), if nobody { "H03" } else { "" }));
        }
    }
    lines
}

/// Findings that no other line says.
fn findings(facts: &Facts<'_>) -> Vec<Line> {
    const SAID: [&str; 12] = [
        "MORE_MAY_LAND",
        "SOURCES_DISAGREE",
        "SUGGESTION",
        "FITS_BY_ORDER",
        "DIFFERS_BY_ORDER",
        "ON_ITS_WAY",
        "CAME_BACK",
        "NEAR_IDENTICAL_ID",
        "DISPUTED",
        "SAME_EXTERNAL_REF",
        "PHANTOM_RESPONSE",
        "ACK_NOT_YET_VISIBLE",
    ];
    let open = facts.view.finding_detail.iter().filter(|(code, _)| !SAID.contains(code));
    open.filter_map(|(code, detail)| {
        let text = words::finding(code, detail)?;
        Some((format!("{}.", capital(&text)), *code))
    })
    .collect()
}

/// What is assumed, where it carries the verdict.
fn assumed(facts: &Facts<'_>) -> Vec<Line> {
    let j = facts.j();
    let view = facts.view;
    let attempts = facts.attempts().len() as u64;
    let mut parts = Vec::new();
    if j.expected_from == ExpectedFrom::Assumed && attempts > 1 {
        let calls = if attempts == 2 {
            "both calls are equal".to_owned()
        } else {
            format!("all {} calls are equal", number(attempts))
        };
        let calls_made = facts.attempts();
        let equal =
            calls_made.iter().all(|a| calls_made.first().is_some_and(|first| first.amount == a.amount));
        if equal {
            parts.push(format!("one request, because {calls}"));
        }
    }
    if j.expected_from == ExpectedFrom::Assumed && j.expected.is_some() {
        parts.push("the amount, from the calls".to_owned());
    }
    if view.currency_assumed {
        let rows = facts.counted_rows();
        let unit = j.expected.or(j.live).or_else(|| rows.iter().find_map(|r| r.amount));
        parts.extend(unit.map(|money| format!("the unit, {}", facts.cx.units.text(money.unit))));
    }
    if parts.is_empty() { Vec::new() } else { vec![(format!("Assumed: {}.", parts.join("; ")), "")] }
}

/// What the record says since when, and the key.
fn record(facts: &Facts<'_>) -> Option<String> {
    let (j, view) = (facts.j(), facts.view);
    let mut sentences = Vec::new();
    if let Some(state) = j.state.filter(|_| j.state_recorded) {
        let since = view.states.iter().rev().find(|s| s.to == state).filter(|s| !s.when.is_none());
        let since = since.map_or_else(String::new, |s| format!(" since {}", facts.cx.moment(s.when)));
        sentences.push(format!("Record says {}{since}.", state.word()));
    }
    if !view.key.is_empty() {
        let origin = match view.key_origin.as_str() {
            "app" => ", made by the application",
            "model" => ", made by the model",
            "library" => ", made by a library",
            _ => "",
        };
        let attempts = facts.attempts();
        let same = attempts.iter().all(|a| a.key == view.key);
        let use_of = match attempts.len() as u64 {
            0 => "",
            1 => match view.key_before_first {
                Some(true) if !origin.is_empty() => " before attempt 1",
                Some(true) => ", made before attempt 1",
                Some(false) => ", made only after attempt 1 was sent",
                None => "",
            },
            _ if !same => ", not the same every time",
            2 => ", same both times",
            _ => ", same every time",
        };
        sentences.push(format!("Key {}{origin}{use_of}.", view.key));
    }
    if sentences.is_empty() { None } else { Some(sentences.join(" ")) }
}

/// What would have prevented a second one: `id recorded`, `protection`.
pub(super) fn fine_print(facts: &Facts<'_>) -> Vec<String> {
    let view = facts.view;
    if facts.attempts().is_empty() {
        return Vec::new();
    }
    let recorded = if view.recorded { "yes" } else { "no" };
    let (enforced, protection) = match (view.idempotent, view.retention) {
        (Idempotent::Yes, Some(kept)) => ("yes", format!("key, kept {}", kept_for(kept))),
        (Idempotent::Yes, None) => ("yes", "key, not known how long it is kept".to_owned()),
        (Idempotent::No, _) => ("no", "none (tool declared unsafe)".to_owned()),
        (Idempotent::Unknown, _) => ("not known", "not known (tool not declared)".to_owned()),
    };
    vec![format!("id recorded: {recorded}; enforced: {enforced}"), format!("protection: {protection}")]
}

/// Retention in hours up to three days, as the hazards say it: `24h`.
fn kept_for(us: i64) -> String {
    let hours = us / crate::model::time::HOUR;
    let whole = us % crate::model::time::HOUR == 0;
    if whole && (1..=72).contains(&hours) { format!("{hours}h") } else { span(us) }
}
