//! One intent: the object of `recount.check.v1` and, with everything in full, `recount.intent.v1`.

use crate::judge::findings;
use crate::judge::judgement::Judgement;
use crate::judge::rules::Rule;
use crate::judge::story::Place;
use crate::judge::view::{AttemptView, EffectView, IntentView, ReadBackView, StateView, Tied};
use crate::judge::words::list_words;
use crate::model::row::{Seen, Status};
use crate::model::time::{Micros, SECOND};

use super::super::Report;
use super::super::out::Out;
use super::super::pen::Pen;
use super::{amounts, free, id, instant, money_or_null, time, totals};

/// `recount.intent.v1`: one intent with attempts, effects, read-backs and positions in full.
pub fn intent(report: &Report<'_>, view: &IntentView, out: &mut Out<'_>) {
    let mut pen = Pen::new();
    pen.object(|pen| {
        pen.name("schema").text("recount.intent.v1");
        pen.name("now");
        time(pen, report.summary.now);
        pen.name("clock").text(if report.summary.clock_fixed { "fixed" } else { "real" });
        if let Some(seq) = report.summary.as_of_entry {
            pen.name("as_of_entry").number(seq);
        }
        super::check::notices(report, pen);
        members(report, view, pen, true);
    });
    out.line(&pen.take());
}

/// One line of JSON lines.
pub fn intent_line(report: &Report<'_>, view: &IntentView, pen: &mut Pen) {
    pen.object(|pen| {
        pen.name("type").text("intent");
        members(report, view, pen, false);
    });
}

/// The object of an intent in a list.
pub fn object(report: &Report<'_>, view: &IntentView, pen: &mut Pen) {
    pen.object(|pen| members(report, view, pen, false));
}

/// The members of `recount.intent.v1`.
pub(in crate::report) fn whole(report: &Report<'_>, view: &IntentView, pen: &mut Pen) {
    members(report, view, pen, true);
}

fn members(report: &Report<'_>, view: &IntentView, pen: &mut Pen, full: bool) {
    let (j, units, mask) = (&view.judgement, report.units, report.mask);
    let story = report.teller.tell(view, if full { Place::Detail } else { Place::List });
    pen.name("intent_id").text(&mask.id(&view.intent_id));
    pen.name("handle").number(view.handle);
    pen.name("operation_id");
    id(pen, mask, &view.operation_id);
    pen.name("kind").text_or_null(&view.kind);
    pen.name("business_id");
    id(pen, mask, &view.business_id);
    pen.name("party").text_or_null(&mask.party(&view.party));
    pen.name("state").text_or_null(j.state.map_or("", |s| s.word()));
    pen.name("state_source").text(if j.state_recorded { "recorded" } else { "derived" });
    pen.name("verdict").text(j.verdict());
    pen.name("label").text(j.label());
    pen.name("words").text(&list_words(j));
    pen.name("rule").text(j.rule.number());
    pen.name("class").text(j.class.word());
    pen.name("severity").number(j.severity);
    pen.name("divergent").truth(j.divergent);
    pen.name("group").text_or_null(report.group_of(&view.intent_id).unwrap_or(""));
    pen.name("expected").object(|pen| expected(report, j, pen));
    observed(report, view, pen);
    pen.name("bounds").object(|pen| {
        pen.name("lo").number(j.lo);
        pen.name("hi").number(j.hi);
    });
    pen.name("coverage").object(|pen| {
        pen.name("covered").truth(j.covered);
        pen.name("reasons").each(&view.uncovered, |pen, (condition, what)| {
            pen.object(|pen| {
                pen.name("condition").text(condition);
                pen.name("what");
                free(pen, mask, what);
            });
        });
        pen.name("covered_from");
        time(pen, j.covered_from);
    });
    pen.name("at_risk");
    amounts(pen, units, &view.at_risk);
    pen.name("retry_origin").text_or_null(j.origin.word().unwrap_or(""));
    if full {
        pen.name("attempts").each(&view.attempts, |pen, a| attempt(report, a, pen));
        pen.name("effects").each(&view.effects, |pen, e| effect(report, e, pen));
        pen.name("suggestions").each(&view.open_rows, |pen, e| effect(report, e, pen));
        pen.name("read_backs").each(&view.reads, |pen, r| read_back(report, r, pen));
        pen.name("states").each(&view.states, |pen, s| state(s, pen));
    } else {
        pen.name("attempts").number(j.attempts);
        pen.name("effects").each(once(&view.effects), |pen, e| short_effect(report, e, pen));
    }
    pen.name("unacknowledged_effects").texts(
        once(&view.effects).into_iter().filter(|e| !e.acknowledged).map(|e| mask.id(name(e)).into_owned()),
    );
    if !full {
        pen.name("suggestions").each(once(&view.open_rows), |pen, e| short_effect(report, e, pen));
    }
    pen.name("findings").texts(findings::codes(j.found));
    if !view.finding_detail.is_empty() {
        pen.name("finding_details").object(|pen| {
            for (code, detail) in &view.finding_detail {
                pen.name(code);
                free(pen, mask, detail);
            }
        });
    }
    properties(report, view, pen);
    pen.name("story");
    free(pen, mask, &story.text());
    pen.name("next");
    free(pen, mask, &story.next);
    if full {
        pen.name("why").each(&story.why, |pen, (sentence, code)| {
            pen.object(|pen| {
                pen.name("what");
                free(pen, mask, sentence);
                pen.name("code").text_or_null(code);
            });
        });
        links(view, pen, report);
    }
}

/// Owner, flags, deadline, disposition: what only a book knows is null without one.
fn properties(report: &Report<'_>, view: &IntentView, pen: &mut Pen) {
    let j = &view.judgement;
    let standing = &view.standing;
    pen.name("owner").text_or_null(&report.mask.text(&standing.owner));
    pen.name("flags").texts(flags(j).chain(standing.flags.iter().copied()));
    pen.name("overdue").truth(j.overdue);
    pen.name("deadline");
    time(pen, j.deadline);
    pen.name("late_seconds").number(late(j, report.summary.now));
    pen.name("disposition").text_or_null(&standing.disposition);
}

fn links(view: &IntentView, pen: &mut Pen, report: &Report<'_>) {
    let mask = report.mask;
    pen.name("key");
    id(pen, mask, &view.key);
    pen.name("tool").text_or_null(&view.tool);
    pen.name("agent").text_or_null(&view.agent);
    pen.name("parent");
    match &view.parent {
        None => pen.null(),
        Some((parent, relation)) => pen.object(|pen| {
            pen.name("intent_id").text(&mask.id(parent));
            pen.name("relation").text(relation);
        }),
    }
    pen.name("group_members").texts(view.group_members.iter().map(|m| mask.id(m).into_owned()));
    pen.name("near_identical").texts(view.near_ids.iter().map(|m| mask.id(m).into_owned()));
}

fn expected(report: &Report<'_>, j: &Judgement, pen: &mut Pen) {
    pen.name("count_min").number(j.min);
    pen.name("count_max").number(j.max);
    pen.name("effective_count").object(|pen| {
        pen.name("min").number(j.effective_min);
        pen.name("max").number(j.effective_max);
    });
    pen.name("total");
    money_or_null(pen, report.units, j.expected);
    pen.name("source").text(j.expected_from.word());
}

fn observed(report: &Report<'_>, view: &IntentView, pen: &mut Pen) {
    let (j, units) = (&view.judgement, report.units);
    if j.rule == Rule::R01 {
        pen.name("observed").null();
        pen.name("difference").null();
        return;
    }
    pen.name("observed").object(|pen| {
        pen.name("gross").number(j.gross);
        pen.name("net").number(j.net);
        pen.name("totals");
        totals(pen, units, &view.totals);
        pen.name("unreadable").number(j.unreadable);
        pen.name("on_its_way").number(j.on_its_way);
        pen.name("by_source").each(&view.by_source, |pen, one| {
            pen.object(|pen| {
                pen.name("source").text(report.source_id(one.source));
                let of = report.sources.get(one.source).and_then(|s| s.copy_of.as_deref());
                if let Some(of) = of.filter(|_| one.copy) {
                    pen.name("copy_of").text(of);
                }
                pen.name("count").number(one.count);
                pen.name("totals");
                totals(pen, units, &one.totals);
            });
        });
    });
    pen.name("difference").object(|pen| {
        pen.name("count").number(j.count_difference);
        pen.name("totals");
        totals(pen, units, &view.difference);
    });
}

/// Effects once each, without reversals: the row of the source that counts stands for those of its copies.
fn once(rows: &[EffectView]) -> Vec<&EffectView> {
    let mut kept: Vec<&EffectView> = Vec::with_capacity(rows.len());
    for row in rows.iter().filter(|row| !row.reversal) {
        match kept.iter_mut().find(|k| k.ident == row.ident) {
            Some(known) if known.copy && !row.copy => *known = row,
            Some(_) => {}
            None => kept.push(row),
        }
    }
    kept
}

/// Its id, or what stands for it.
fn name(row: &EffectView) -> &str {
    if row.id.is_empty() { &row.name } else { &row.id }
}

fn short_effect(report: &Report<'_>, row: &EffectView, pen: &mut Pen) {
    pen.object(|pen| {
        pen.name("id");
        id(pen, report.mask, &row.id);
        pen.name("source").text(report.source_id(row.source));
        pen.name("link").texts(&row.link);
        pen.name("in_sources").number(row.in_sources);
    });
}

fn effect(report: &Report<'_>, row: &EffectView, pen: &mut Pen) {
    let mask = report.mask;
    pen.object(|pen| {
        pen.name("id");
        id(pen, mask, &row.id);
        pen.name("source").text(report.source_id(row.source));
        pen.name("copy").truth(row.copy);
        pen.name("link").texts(&row.link);
        pen.name("in_sources").number(row.in_sources);
        pen.name("committed_at");
        instant(pen, row.committed);
        pen.name("kind").text_or_null(&row.kind);
        pen.name("reversal").truth(row.reversal);
        pen.name("reverses");
        id(pen, mask, &row.reverses);
        pen.name("reversed").truth(row.reversed);
        pen.name("status").text(match row.status {
            Status::Live => "live",
            Status::OnItsWay => "on_its_way",
            Status::NotAnEffect => "not_an_effect",
        });
        pen.name("amount");
        money_or_null(pen, report.units, row.amount);
        pen.name("unreadable").text_or_null(&mask.text(row.unreadable.as_deref().unwrap_or("")));
        pen.name("operation_id");
        id(pen, mask, &row.operation_id);
        pen.name("key");
        id(pen, mask, &row.key);
        pen.name("business_id");
        id(pen, mask, &row.business_id);
        pen.name("external_ref");
        id(pen, mask, &row.external_ref);
        pen.name("acknowledged").truth(row.acknowledged);
        tied(row.tied, pen);
        pen.name("where").text(&row.place);
    });
}

fn tied(tied: Tied, pen: &mut Pen) {
    let (attempt, how) = match tied {
        Tied::ByReceipt(number) => (Some(number), "receipt"),
        Tied::ByTime(number) => (Some(number), "time"),
        Tied::ByOrder(number) => (Some(number), "declared"),
        Tied::Maybe(number) => (Some(number), "suggestion"),
        Tied::WhichCall => (None, "intent"),
        Tied::Nobody => (None, "none"),
    };
    pen.name("attempt");
    match attempt {
        Some(number) => pen.number(number),
        None => pen.null(),
    }
    pen.name("tied_by").text(how);
}

fn attempt(report: &Report<'_>, a: &AttemptView, pen: &mut Pen) {
    let mask = report.mask;
    pen.object(|pen| {
        pen.name("number").number(a.number);
        pen.name("id").text(&mask.id(&a.id));
        pen.name("tool").text_or_null(&a.tool);
        pen.name("role").text(if a.read { "read" } else { "write" });
        pen.name("counts").truth(a.counts);
        pen.name("sent_at");
        instant(pen, a.sent);
        pen.name("ended_at");
        instant(pen, a.ended);
        pen.name("outcome").text_or_null(&mask.text(&a.outcome_word));
        pen.name("class").text(a.class.word());
        pen.name("key");
        id(pen, mask, &a.key);
        pen.name("decision_id");
        id(pen, mask, &a.decision);
        pen.name("run_id");
        id(pen, mask, &a.run);
        pen.name("amount");
        money_or_null(pen, report.units, a.amount);
        pen.name("receipt");
        id(pen, mask, &a.receipt);
        pen.name("receipt_found").truth(a.receipt_found);
        if a.unseen {
            pen.name("answer_not_seen").truth(true);
        }
        if report.choice.with_text {
            pen.name("text");
            free(pen, mask, &a.text);
        }
        pen.name("may_land_until");
        time(pen, a.may_land_until);
        pen.name("where").text(&a.place);
    });
}

fn read_back(report: &Report<'_>, r: &ReadBackView, pen: &mut Pen) {
    let mask = report.mask;
    pen.object(|pen| {
        pen.name("read_at");
        time(pen, r.when);
        pen.name("source").text(&mask.id(&r.source));
        pen.name("result")
            .text(Seen::ALL.iter().find(|(seen, _)| *seen == r.seen).map_or("", |(_, word)| word));
        if let Some((field, expected, read)) = &r.differs {
            pen.name("field").text(&mask.id(field));
            pen.name("expected");
            free(pen, mask, expected);
            pen.name("read");
            free(pen, mask, read);
        }
        pen.name("position").text_or_null(&mask.text(&r.position));
        pen.name("where").text(&r.place);
    });
}

fn state(s: &StateView, pen: &mut Pen) {
    pen.object(|pen| {
        pen.name("at");
        time(pen, s.when);
        pen.name("from").text_or_null(s.from.map_or("", |s| s.word()));
        pen.name("to").text(s.to.word());
        pen.name("actor").text_or_null(&s.actor);
        pen.name("where").text(&s.place);
    });
}

/// Properties, not states.
fn flags(j: &Judgement) -> impl Iterator<Item = &'static str> {
    let disputed = j.found & findings::DISPUTED != 0;
    [("overdue", j.overdue), ("disputed", disputed)].into_iter().filter(|(_, is)| *is).map(|(flag, _)| flag)
}

/// Seconds past the deadline.
fn late(j: &Judgement, now: Micros) -> i64 {
    if j.overdue && !j.deadline.is_none() { now.since(j.deadline) / SECOND } else { 0 }
}
