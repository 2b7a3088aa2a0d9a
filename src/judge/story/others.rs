//! Stories of list rows that are not one intent: rows without an attempt, and intents that are one row together.

use super::fill::fill;
use super::phrase::{article, business, capital, counted, figures, noun};
use super::{Context, Place, Story, without_keys};
use crate::judge::rules::Rule;
use crate::judge::view::OrphanView;
use crate::judge::words::{Case, WORDS, Words, case_of_orphan};
use crate::model::time::Micros;

const LINK_IT: &str =
    "Nothing has to be done. If its trace is at hand, load it; if you know the request, link it (l).";

/// The story of rows without an attempt (`1-model.md` 1.5).
pub fn orphan(row: &OrphanView, cx: &Context<'_>) -> Story {
    let words = case_of_orphan(row.possible_double, row.violation);
    let money = cx.totals(&row.totals);
    let first = fill(words.first, |name| {
        Some(match name {
            "A_noun" => capital(&article(&noun(&row.kind))),
            "of" if money.is_empty() => String::new(),
            "of" => format!(" of {money}"),
            "for_order" if row.business_id.is_empty() => String::new(),
            "for_order" => format!(" for {}", business(&row.business_id)),
            "Rows" => capital(&counted(u64::from(row.count), "row")),
            "shared_id" if row.operation_id.is_empty() => "reference".to_owned(),
            "shared_id" => "operation id".to_owned(),
            _ => return None,
        })
    });
    let in_detail = words.case == Case::NoAttempt && cx.place == Place::Detail;
    let built_in = if in_detail { LINK_IT } else { words.next };
    let own = cx.playbook.find("ORPHAN_EFFECT", &row.kind);
    let next = own.map_or(built_in, |own| own.text.as_str());
    Story {
        first,
        rest: orphan_rest(row, cx),
        next: if cx.writable { next.to_owned() } else { without_keys(next, &["x", "l"]) },
        why: vec![(
            "It changes no result and no exit code. Only a trace declared complete makes such a row a violation."
                .to_owned(),
            "ORPHAN_EFFECT",
        )]
        .into_iter()
        .filter(|_| !row.violation)
        .collect(),
        kind_hint: None,
        fine: Vec::new(),
    }
}

fn orphan_rest(row: &OrphanView, cx: &Context<'_>) -> Vec<String> {
    let mut rest = Vec::new();
    let windows = || cx.sources.iter().filter_map(|s| s.window);
    if !row.committed.is_none() {
        let at = row.committed.at;
        let inside = windows().any(|(from, to)| from <= at && at <= to);
        let place = match (inside, windows().next().is_some()) {
            (true, _) => ", inside the trace's time",
            (false, true) => ", outside the trace's time",
            (false, false) => "",
        };
        let (subject, was) = if row.count > 1 { ("The first", "was") } else { ("It", "was") };
        rest.push(format!("{subject} {was} committed {}{place}.", cx.at(row.committed)));
    }
    rest.push(if row.violation {
        "The trace is declared complete, so every row in its time should have an attempt.".to_owned()
    } else {
        let made = if row.count > 1 { "them" } else { "it" };
        format!("The trace is not declared complete, so somebody else may have made {made}.")
    });
    rest
}

/// Why intents are not compared, with what it is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Missing<'a> {
    /// No ledger records the tool.
    NoLedger(&'a str),
    /// The ledger begins later, here.
    Older(Micros),
    /// No ledger was given.
    NoneGiven,
    /// The ledger could not be read: path and cause.
    NotRead(&'a str, &'a str),
}

/// First sentence and next step of intents that are not compared for one reason (`6-screens.md` 7.1.10).
pub fn not_compared(why: Missing<'_>, count: u64, cx: &Context<'_>) -> (String, String) {
    let case = match why {
        Missing::NoLedger(_) => Case::Plain,
        Missing::Older(_) => Case::OlderThanLedger,
        Missing::NoneGiven => Case::NoLedger,
        Missing::NotRead(..) => Case::LedgerNotRead,
    };
    let words = of_rule(Rule::R01, case);
    let these = |what: &str| {
        if count == 1 { format!("one {what} is") } else { format!("{} {what}s are", figures(count)) }
    };
    let first = fill(words.first, |name| {
        Some(match (name, why) {
            ("tool", Missing::NoLedger(tool)) => tool.to_owned(),
            ("first_row", Missing::Older(at)) => cx.moment(at),
            ("source", Missing::NotRead(path, _)) => path.to_owned(),
            ("cause", Missing::NotRead(_, what)) => what.trim_end_matches('.').to_owned(),
            ("calls_are", _) => these("call"),
            ("requests_are", _) => these("request"),
            ("are", _) if count == 1 => "is".to_owned(),
            ("are", _) => "are".to_owned(),
            _ => return None,
        })
    });
    (first, words.next.to_owned())
}

/// First sentence and next step of intents whose orders fit in number and money, one row per source.
pub fn fits_by_order(count: u64) -> (String, String) {
    let (these, fit) = if count == 1 {
        ("One request".to_owned(), "fits")
    } else {
        (format!("{} requests", figures(count)), "fit")
    };
    let first = format!("{these} {fit} by order; the rows carry no id.");
    (first, format!("{} --link business_id does.", of_rule(Rule::R25, Case::FitsByOrder).next))
}

fn of_rule(rule: Rule, case: Case) -> &'static Words {
    WORDS.iter().find(|w| w.rule == Some(rule) && w.case == case).unwrap_or(&WORDS[0])
}
