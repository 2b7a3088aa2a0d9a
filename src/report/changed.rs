//! What changed against a mark, as text and as `recount.changed.v1` (`7-commands.md` 7.5.3, `changed`).

use crate::judge::view::IntentView;
use crate::judge::words::list_words;
use crate::model::money::Wide;
use crate::model::time::rfc3339;

use super::Report;
use super::figures::{full, safe, safe_id};
use super::mark::{Change, Mark, Standing, changes};
use super::out::Out;
use super::pen::Pen;

/// How every intent that was asked for stands now, as a mark would hold it: masked, as a mark is.
pub fn now(report: &Report<'_>) -> Mark {
    report
        .each_intent()
        .map(|view| (report.mask.id(&view.intent_id).into_owned(), standing(report, &view)))
        .collect()
}

fn standing(report: &Report<'_>, view: &IntentView) -> Standing {
    let (j, units) = (&view.judgement, report.units);
    let risk = view.at_risk.iter().map(|money| {
        let sum = Wide::from(money.amount);
        let minor = if money.unit.is_iso() { units.minor(money.unit, sum) } else { None };
        let amount = minor.map_or_else(|| units.plain_number(money.unit, sum), |minor| minor.to_string());
        (units.text(money.unit).to_owned(), amount)
    });
    Standing {
        class: j.class,
        severity: j.severity,
        verdict: j.verdict().to_owned(),
        words: list_words(j),
        order: report.mask.id(&view.business_id).into_owned(),
        risk: risk.collect(),
    }
}

/// For people: each change with its number, then its intents.
pub fn text(report: &Report<'_>, before: &Mark, now: &Mark, out: &mut Out<'_>) {
    let all = changes(before, now);
    let counts: Vec<String> = Change::ALL
        .iter()
        .map(|(change, word)| format!("{} {word}", all.iter().filter(|(of, _)| of == change).count()))
        .collect();
    out.line(&format!("{} against the mark, at {}", counts.join(", "), full(report.summary.now)));
    for (change, word) in Change::ALL {
        for (_, id) in all.iter().filter(|(of, _)| *of == change) {
            let said = |standing: Option<&Standing>| {
                standing
                    .map_or_else(|| "not there".to_owned(), |s| format!("{} ({})", safe(&s.words), s.verdict))
            };
            let (then, today) = (before.get(id), now.get(id));
            let order = today.or(then).map_or(String::new(), |s| safe_id(&s.order));
            let line =
                format!("{word:<7} {order}   {}   was {}, is {}", safe_id(id), said(then), said(today));
            out.line(&line);
        }
    }
}

/// `recount.changed.v1`.
pub fn json(report: &Report<'_>, before: &Mark, now: &Mark, out: &mut Out<'_>) {
    let all = changes(before, now);
    let mut pen = Pen::new();
    pen.object(|pen| {
        pen.name("schema").text("recount.changed.v1");
        pen.name("now").text(&rfc3339(report.summary.now));
        for (change, word) in Change::ALL {
            pen.name(word).each(all.iter().filter(|(of, _)| *of == change), |pen, (_, id)| {
                pen.object(|pen| {
                    pen.name("intent_id").text(id);
                    for (name, standing) in [("before", before.get(id)), ("now", now.get(id))] {
                        pen.name(name);
                        match standing {
                            None => pen.null(),
                            Some(standing) => pen.object(|pen| members(standing, pen)),
                        }
                    }
                });
            });
        }
    });
    out.line(&pen.take());
}

fn members(standing: &Standing, pen: &mut Pen) {
    pen.name("business_id").text_or_null(&standing.order);
    pen.name("class").text(standing.class.word());
    pen.name("severity").number(standing.severity);
    pen.name("verdict").text(&standing.verdict);
    pen.name("words").text_or_null(&standing.words);
    pen.name("at_risk").each(&standing.risk, |pen, (unit, amount)| {
        pen.object(|pen| {
            pen.name("unit").text(unit);
            pen.name("amount").text(amount);
        });
    });
}
