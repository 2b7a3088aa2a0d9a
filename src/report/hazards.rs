//! Hazards as text and as `recount.hazards.v1` (`5-hazards.md` 5.0).

use std::cell::Cell;

use crate::judge::hazards::{Ended, Hazard, Level, Quieted, Status, Where};
use crate::model::time::{Micros, rfc3339};

use super::figures::{count, counted, full, safe, when};
use super::mask::Mask;
use super::out::Out;
use super::pen::Pen;
use super::text::Paint;

/// What is printed of the hazards of a case.
pub struct Hazards<'a> {
    /// The clock.
    pub now: Micros,
    /// It is fixed.
    pub clock_fixed: bool,
    /// The book is that of this entry.
    pub as_of_entry: Option<i64>,
    /// Masks people and secrets.
    pub mask: &'a Mask,
    /// Those that were asked for, in their order.
    pub hazards: Vec<&'a Hazard>,
    /// Quiet and not evaluable ones are printed too.
    pub all: bool,
    /// So many of those that fire are put into words for people.
    pub limit: usize,
}

impl Hazards<'_> {
    fn with(&self, status: Status) -> impl Iterator<Item = &Hazard> {
        self.hazards.iter().copied().filter(move |h| h.status == status)
    }

    /// Those that fire.
    pub fn firing(&self) -> impl Iterator<Item = &Hazard> {
        self.with(Status::Firing)
    }

    fn shown(&self, h: &Hazard, text: &str) -> String {
        shown(self.mask, h, text)
    }
}

/// A sentence with ids in it. `refund_order@trace.jsonl:14` is an id and no mail address, so ids are set apart.
fn sentence(mask: &Mask, h: &Hazard, text: &str) -> String {
    let ids = h.subjects.iter().chain([&h.place.intent]).map(String::as_str).filter(|id| id.contains('@'));
    let Some(id) = ids.filter(|id| text.contains(id)).max_by_key(|id| id.len()) else {
        return mask.text(text);
    };
    let pieces: Vec<String> = text.split(id).map(|piece| sentence(mask, h, piece)).collect();
    pieces.join(&mask.id(id))
}

/// The same, ready to print.
pub(super) fn shown(mask: &Mask, h: &Hazard, text: &str) -> String {
    safe(&sentence(mask, h, text))
}

/// `recount.hazards.v1`.
pub fn json(hazards: &Hazards<'_>, out: &mut Out<'_>) {
    let mut pen = Pen::new();
    // There may be many: each is written before the next one is put into words.
    let gone = Cell::new(false);
    pen.object(|pen| {
        pen.name("schema").text("recount.hazards.v1");
        pen.name("now").text(&rfc3339(hazards.now));
        if let Some(seq) = hazards.as_of_entry {
            pen.name("as_of_entry").number(seq);
        }
        for (status, word) in Status::ALL {
            pen.name(word).number(hazards.with(status).count());
        }
        let always = |h: &&&Hazard| matches!(h.status, Status::Firing | Status::Quieted);
        let told = hazards.hazards.iter().filter(|h| hazards.all || always(h));
        pen.name("hazards").each(told.take_while(|_| !gone.get()), |pen, hazard| {
            pen.object(|pen| members(hazards.mask, hazard, pen));
            out.text(&pen.take());
            gone.set(out.stopped());
        });
    });
    out.line(&pen.take());
}

/// Its members in machine output.
pub(super) fn members(mask: &Mask, h: &Hazard, pen: &mut Pen) {
    pen.name("rule").text(h.rule.id);
    pen.name("name").text(h.rule.name);
    pen.name("status").text(h.status.word());
    pen.name("level").text(h.level.word());
    pen.name("where").object(|pen| place(&h.place, mask, pen));
    pen.name("subjects").texts(h.subjects.iter().take(Hazard::NAMED).map(|id| mask.id(id).into_owned()));
    pen.name("count").number(h.count);
    pen.name("measured").text_or_null(&sentence(mask, h, &h.measured));
    pen.name("threshold").text_or_null(&h.threshold);
    pen.name("edge").truth(h.edge);
    pen.name("first_seen").text_or_null(&rfc3339(h.first_seen));
    pen.name("what").text_or_null(&sentence(mask, h, &h.what));
    pen.name("why").text(h.rule.why);
    pen.name("false_alarm").text_or_null(h.rule.unless);
    pen.name("do").text(if h.todo.is_empty() { h.rule.todo } else { &h.todo });
    if h.status == Status::NotEvaluable {
        pen.name("reason").text(&mask.text(&h.reason));
    }
    if let Some(quieted) = &h.quieted {
        pen.name("quieted").object(|pen| quieting(quieted, mask, pen));
    }
}

/// Who made it quiet, why, and whether that still holds.
fn quieting(quieted: &Quieted, mask: &Mask, pen: &mut Pen) {
    let hush = &quieted.hush;
    pen.name("by").text(&mask.text(&hush.by));
    pen.name("note").text(&mask.text(&hush.note));
    pen.name("at").text_or_null(&hush.at.map(rfc3339).unwrap_or_default());
    pen.name("until").text_or_null(&hush.until.map(rfc3339).unwrap_or_default());
    pen.name("subject").text(&mask.id(&hush.subject));
    pen.name("entry").number(hush.entry);
    pen.name("ended").text_or_null(quieted.ended.map_or("", Ended::word));
}

/// The same in a sentence, ready to print: `by dana, entry 3, until ...: a load test`.
pub(super) fn quieted_words(mask: &Mask, quieted: &Quieted) -> String {
    let hush = &quieted.hush;
    let until = hush.until.map_or(String::new(), |until| format!(", until {}", full(until)));
    let ended = match quieted.ended {
        None => String::new(),
        Some(Ended::Time) => " (its time is over, so it fires again)".to_owned(),
        Some(Ended::Worse) => {
            format!(
                " (it was {} then and is worse now, so it fires again)",
                mask.text(&hush.measured.join("; "))
            )
        }
    };
    safe(&format!(
        "by {}, entry {}{until}: {}{ended}",
        mask.text(&hush.by),
        hush.entry,
        mask.text(&hush.note)
    ))
}

fn place(place: &Where, mask: &Mask, pen: &mut Pen) {
    for (name, text) in [("run", &place.run), ("intent", &place.intent)] {
        if !text.is_empty() {
            pen.name(name).text(&mask.id(text));
        }
    }
    if !place.attempts.is_empty() {
        pen.name("attempts").texts(place.attempts.iter().map(|a| mask.id(&a.id).into_owned()));
    }
    for (name, text) in [("tool", &place.tool), ("source", &place.source)] {
        if !text.is_empty() {
            pen.name(name).text(&mask.id(text));
        }
    }
}

/// Hazards for people: what fires, what almost did, and how much could not be looked at.
pub fn text(hazards: &Hazards<'_>, paint: Paint, out: &mut Out<'_>) {
    out.line(&headline(hazards));
    for hazard in hazards.firing().take(hazards.limit) {
        if out.stopped() {
            return;
        }
        out.line("");
        one(hazards, hazard, paint, out);
    }
    let left = hazards.firing().count().saturating_sub(hazards.limit) as u64;
    if left > 0 {
        out.line("");
        let more = if left == 1 { "fires" } else { "fire" };
        out.line(&format!("{} more {more}; --limit 0 lists all, --rule and --level choose.", count(left)));
    }
    let quieted: Vec<&Hazard> = hazards.with(Status::Quieted).collect();
    if !quieted.is_empty() {
        out.line("");
        for h in quieted {
            let place = Some(hazards.shown(h, &at(h))).filter(|place| !place.is_empty());
            let place = place.map_or(String::new(), |place| format!("  {place}"));
            let why = h.quieted.as_ref().map_or(String::new(), |q| quieted_words(hazards.mask, q));
            out.line(&format!("Quieted  {}  {}  {}{place}  {why}", h.rule.id, h.level.word(), h.rule.words));
        }
    }
    let almost: Vec<&Hazard> = hazards.with(Status::Quiet).filter(|h| h.edge).collect();
    if !almost.is_empty() {
        out.line("");
        for h in almost {
            let what = hazards.shown(h, &h.what);
            out.line(&format!(
                "Almost   {}  {} is below {}: {what}",
                h.rule.id,
                safe(&h.measured),
                safe(&h.threshold)
            ));
        }
    }
    if hazards.all {
        silent(hazards, out);
    }
    out.line("");
    out.line("A hazard explains how it could happen. It does not change what happened.");
}

fn headline(hazards: &Hazards<'_>) -> String {
    let fire = hazards.firing().count() as u64;
    let mut parts: Vec<String> = Vec::new();
    for (level, word) in Level::ALL {
        let n = hazards.firing().filter(|h| h.level == level).count() as u64;
        if n > 0 {
            parts.push(format!("{} {word}", count(n)));
        }
    }
    let levels = if parts.is_empty() { String::new() } else { format!(": {}", parts.join(", ")) };
    let quiet = hazards.with(Status::Quiet).count() as u64;
    let not = hazards.with(Status::NotEvaluable).count() as u64;
    let quieted = match hazards.with(Status::Quieted).count() as u64 {
        0 => String::new(),
        some => format!("{} quieted, ", count(some)),
    };
    let more = if hazards.all || quiet + not == 0 { "" } else { " (--all lists them)" };
    let clock =
        if hazards.clock_fixed { format!("   clock fixed at {}", full(hazards.now)) } else { String::new() };
    let entry = hazards.as_of_entry.map_or(String::new(), |seq| format!("   book as of entry {seq}"));
    format!(
        "{}{levels}; {quieted}{} quiet, {} not evaluable{more}{clock}{entry}",
        counted(fire, "hazard", "hazards"),
        count(quiet),
        count(not)
    )
}

fn one(hazards: &Hazards<'_>, h: &Hazard, paint: Paint, out: &mut Out<'_>) {
    let since = if h.first_seen.is_none() {
        String::new()
    } else {
        format!("   since {}", when(h.first_seen, hazards.now))
    };
    let place = hazards.shown(h, &at(h));
    let place = if place.is_empty() { place } else { format!("   {place}") };
    out.line(&paint.strong(&format!("{}  {}  {}{place}{since}", h.rule.id, h.level.word(), h.rule.words)));
    // A rule with thresholds has a limit that was reached; elsewhere it is said what should be.
    let should = if h.rule.keys.is_empty() { "" } else { "below " };
    let found = format!("{}, should be {should}{}", h.measured, h.threshold);
    let unless = h.rule.unless.to_owned();
    let before = h.quieted.as_ref().map(|q| quieted_words(hazards.mask, q));
    let lines = [
        ("What happened", h.what.clone()),
        ("Found", found),
        ("Why it matters", h.rule.why.to_owned()),
        ("False alarm if", unless),
        ("What to do", h.todo.to_string()),
        ("Does not see", h.rule.blind.to_owned()),
        ("Was quieted", before.unwrap_or_default()),
    ];
    for (label, words) in lines.iter().filter(|(_, words)| !words.is_empty()) {
        out.line(&format!("  {}  {}", crate::text::pad_right(label, 14), hazards.shown(h, words)));
    }
}

/// Where it is, in a few words.
fn at(h: &Hazard) -> String {
    let p = &h.place;
    let numbers: Vec<String> = p.attempts.iter().map(|a| a.number.to_string()).collect();
    let attempts = match numbers.as_slice() {
        [] => String::new(),
        [one] => format!(", attempt {one}"),
        [first @ .., last] => format!(", attempts {} and {last}", first.join(", ")),
    };
    if h.subjects.len() > 1 && p.tool.is_empty() && p.source.is_empty() || h.subjects.len() == 2 {
        return h.subjects.iter().take(4).cloned().collect::<Vec<_>>().join(", ");
    }
    if !p.intent.is_empty() {
        return format!("{}{attempts}", p.intent);
    }
    let named = [("run", &p.run), ("tool", &p.tool), ("source", &p.source)];
    let named: Vec<String> = named
        .iter()
        .filter(|(_, text)| !text.is_empty())
        .map(|(name, text)| format!("{name} {text}"))
        .collect();
    named.join(", ")
}

/// Rules that are quiet, and what could not be looked at, each with its reason.
fn silent(hazards: &Hazards<'_>, out: &mut Out<'_>) {
    out.line("");
    let quiet: Vec<&str> = hazards.with(Status::Quiet).filter(|h| !h.edge).map(|h| h.rule.id).collect();
    if !quiet.is_empty() {
        out.line(&format!("Quiet    {}", quiet.join(" ")));
    }
    for h in hazards.with(Status::NotEvaluable) {
        let p = &h.place;
        let place = [&p.source, &p.tool]
            .into_iter()
            .find(|text| !text.is_empty() && !h.reason.contains(text.as_str()));
        let place = place.map_or(String::new(), |place| format!(" for {place}"));
        out.line(&hazards.shown(h, &format!("{} not evaluable{place}: {}", h.rule.id, h.reason)));
    }
}
