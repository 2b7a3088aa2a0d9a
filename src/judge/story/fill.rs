//! Fills the places of a sentence from facts: one name, one fact. A place that carries its own punctuation is empty
//! where its fact is not known.

use super::books;
use super::facts::Facts;
use super::phrase::{self, business, capital, counted, inflected, joined, number};
use crate::judge::words::Case;
use crate::model::ids::fold;
use crate::model::row::State;
use crate::model::time::{Instant, Micros, Res, age, span};

/// Replaces each `{place}`; a name that nobody knows becomes empty, which a test over all templates finds.
pub(super) fn fill(template: &str, place: impl Fn(&str) -> Option<String>) -> String {
    let mut parts = template.split('{');
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (name, rest) = part.split_once('}').unwrap_or((part, ""));
        text.push_str(&place(name).unwrap_or_default());
        text.push_str(rest);
    }
    text
}

/// `prefix` and the text, or nothing.
fn after(prefix: &str, text: &str) -> String {
    if text.is_empty() { String::new() } else { format!("{prefix}{text}") }
}

fn is_are(count: u64) -> String {
    if count == 1 { "is" } else { "are" }.to_owned()
}

impl Facts<'_> {
    /// Fills a sentence.
    pub(super) fn say(&self, template: &str) -> String {
        fill(template, |name| self.place(name))
    }

    /// The fact behind a place.
    pub(super) fn place(&self, name: &str) -> Option<String> {
        self.noun_place(name)
            .or_else(|| self.money_place(name))
            .or_else(|| self.row_place(name))
            .or_else(|| self.time_place(name))
            .or_else(|| self.other_place(name))
            .or_else(|| self.book_place(name))
    }

    /// How many the sentence speaks of: all that were committed, else what is there.
    fn count(&self) -> u64 {
        let j = self.j();
        u64::from(if j.rule == crate::judge::rules::Rule::R05 { j.gross.max(j.net) } else { j.net })
    }

    fn row_count(&self) -> u64 {
        let j = self.j();
        let account = self.view.account.as_ref().filter(|_| j.gross == 0).map(|a| u64::from(a.found));
        account.unwrap_or_else(|| u64::from(j.gross).max(self.counted_rows().len() as u64))
    }

    fn noun_place(&self, name: &str) -> Option<String> {
        let j = self.j();
        let (noun, count) = (&self.noun, self.count());
        Some(match name {
            "noun" => noun.clone(),
            "noun_s" => inflected(count, noun),
            "count" => number(count),
            "Count" => capital(&number(count)),
            "count_nouns" => counted(count, noun),
            "Count_nouns" => capital(&counted(count, noun)),
            "Way_nouns" => capital(&counted(u64::from(j.on_its_way), noun)),
            "wanted_was" => self.wanted_was(),
            "wanted_nouns" => counted(u64::from(j.effective_min.max(1)), noun),
            "wanted" => number(u64::from(j.effective_max)),
            "times" => phrase::times(u64::from(crate::judge::words::times(j)).max(2)),
            "is" => is_are(if self.case() == Case::DiffersByOrder { self.row_count() } else { count }),
            "undone" => match u64::from(j.gross.saturating_sub(j.net)) {
                0 => String::new(),
                1 => ", and one was undone".to_owned(),
                n => format!(", and {} were undone", number(n)),
            },
            "undone_of" => self.undone_of(),
            "do_twice" => if self.is_money() { "pay twice" } else { "do it twice" }.to_owned(),
            "paid" => if self.is_money() { "paid" } else { "done" }.to_owned(),
            _ => return None,
        })
    }

    fn wanted_was(&self) -> String {
        let j = self.j();
        let was = |n: u32| format!("{} {}", number(u64::from(n)), if n == 1 { "was" } else { "were" });
        match (j.effective_min, j.effective_max) {
            (_, 0) => "none was".to_owned(),
            (min, max) if min == max => was(max),
            (min, _) if j.net < min => format!("at least {}", was(min)),
            (_, max) => format!("at most {}", was(max)),
        }
    }

    fn undone_of(&self) -> String {
        let j = self.j();
        let (all, undone) = (u64::from(j.gross), u64::from(j.gross.saturating_sub(j.net)));
        match (all, undone) {
            (2, 2) => "both were".to_owned(),
            (all, undone) if all == undone => format!("all {} were", number(all)),
            (all, 1) => format!("one of the {} was", number(all)),
            (all, undone) => format!("{} of the {} were", number(undone), number(all)),
        }
    }

    fn money_place(&self, name: &str) -> Option<String> {
        let (j, cx) = (self.j(), self.cx);
        let expected = || self.expected().map_or_else(String::new, |m| cx.money(m));
        Some(match name {
            "live" => {
                Some(self.live_text()).filter(|t| !t.is_empty()).unwrap_or("an amount not known".to_owned())
            }
            "live_or_nothing" => {
                Some(self.live_text()).filter(|t| !t.is_empty()).unwrap_or("nothing".to_owned())
            }
            "expected" => Some(expected()).filter(|t| !t.is_empty()).unwrap_or("another amount".to_owned()),
            "of_expected" => after(" of ", &expected()),
            "colon_live" => after(": ", &self.live_more_than_zero()),
            "comma_live" => after(", ", &self.live_more_than_zero()),
            "of" => after(
                " of ",
                &Some(self.asked()).filter(|t| !t.is_empty()).unwrap_or(self.live_more_than_zero()),
            ),
            "of_live" => after(
                " of ",
                &Some(self.live_more_than_zero()).filter(|t| !t.is_empty()).unwrap_or(self.asked()),
            ),
            "instead" => match (self.live_more_than_zero(), expected()) {
                (live, expected) if live.is_empty() || expected.is_empty() => String::new(),
                (live, expected) if live == expected => format!(": {live} in all"),
                (live, expected) => format!(": {live} instead of {expected}"),
            },
            "colon_part" => match (self.live_more_than_zero(), expected()) {
                (live, expected) if live.is_empty() || expected.is_empty() => String::new(),
                (live, expected) => format!(": {live} of {expected}"),
            },
            "chain" => {
                let lineage = self.view.lineage;
                match lineage.and_then(|l| l.live_total.zip(l.newest_expected)) {
                    Some((live, wanted)) => format!(": {} instead of {}", cx.money(live), cx.money(wanted)),
                    None => String::new(),
                }
            }
            "live_units" => {
                let units = self.view.totals.iter().filter(|(_, total)| !total.is_zero());
                let units: Vec<String> = units.map(|(unit, _)| cx.units.text(unit).to_owned()).collect();
                if units.is_empty() { "another currency".to_owned() } else { joined(&units) }
            }
            "expected_unit" => {
                j.expected.map_or_else(|| "another".to_owned(), |m| cx.units.text(m.unit).to_owned())
            }
            "colon_amounts" => {
                let amounts: Vec<String> =
                    self.live().iter().filter_map(|r| r.amount).map(|m| cx.money(m)).collect();
                after(": ", &joined(&amounts))
            }
            "first_content" => self.contents().map_or("one content".to_owned(), |(first, _)| first),
            "second_content" => self.contents().map_or("another".to_owned(), |(_, second)| second),
            "account_found" | "account_wanted" => {
                let account = self.view.account.as_ref();
                let money = account
                    .and_then(|a| if name == "account_found" { a.money_found } else { a.money_wanted });
                money.map_or("another amount".to_owned(), |m| cx.money(m))
            }
            _ => return None,
        })
    }

    /// The two amounts that were sent under one key.
    fn contents(&self) -> Option<(String, String)> {
        let attempts = self.attempts();
        let sent = |a: &&&crate::judge::view::AttemptView| !a.key.is_empty() && a.amount.is_some();
        let first = attempts.iter().find(sent)?;
        let second = attempts.iter().filter(sent).find(|a| a.key == first.key && a.amount != first.amount)?;
        Some((self.cx.money(first.amount?), self.cx.money(second.amount?)))
    }

    fn row_place(&self, name: &str) -> Option<String> {
        let rows = self.row_count();
        let row = || self.row().map(|row| row.name.clone()).filter(|name| !name.is_empty());
        Some(match name {
            "row" => row().unwrap_or("a row".to_owned()),
            "comma_row" => after(", ", &row().unwrap_or_default()),
            "Rows" => capital(&counted(rows, "row")),
            "stand" => if rows == 1 { "stands" } else { "stand" }.to_owned(),
            "fit" => if rows == 1 { "fits" } else { "fit" }.to_owned(),
            "they_carry" => if rows == 1 { "the row carries" } else { "the rows carry" }.to_owned(),
            "row_word" => inflected(u64::from(self.j().net), "row"),
            "both_rows" => match if self.view.lineage.is_some() { 2 } else { rows } {
                0 | 1 => "the row".to_owned(),
                2 => "both rows".to_owned(),
                n => format!("all {} rows", number(n)),
            },
            "colon_unreadable" => after(
                ": ",
                self.view.effects.iter().find_map(|e| e.unreadable.as_deref()).unwrap_or_default(),
            ),
            "nothing_ties" => {
                if self.of_known_formats() { "no row names its call" } else { "the table has no id" }
                    .to_owned()
            }
            "of_way" => {
                let amount = self.on_the_way().first().and_then(|row| row.amount);
                after(" of ", &amount.map_or_else(String::new, |m| self.cx.money(m)))
            }
            "more_way" => {
                let count = u64::from(self.j().on_its_way);
                format!("{} more {}", number(count), is_are(count))
            }
            "order" => match self.view.account.as_ref().map_or("", |a| a.business_id.as_str()) {
                "" if self.view.business_id.is_empty() => "this order".to_owned(),
                "" => business(&self.view.business_id),
                id => business(id),
            },
            "requests" => counted(self.view.account.as_ref().map_or(1, |a| u64::from(a.wanted)), "request"),
            _ => return None,
        })
    }

    fn time_place(&self, name: &str) -> Option<String> {
        let (j, cx) = (self.j(), self.cx);
        let known = |at: Micros| !at.is_none();
        Some(match name {
            "from" => cx.moment(j.covered_from),
            "until" => {
                let last = self.unsettled().iter().map(|a| a.may_land_until).max().filter(|at| known(*at));
                let until = last.or(Some(j.covered_from).filter(|at| known(*at)));
                until.map_or_else(String::new, |at| format!(" until {}", cx.moment(at)))
            }
            "since" => {
                let since = self.on_the_way().first().map_or(Instant::NONE, |row| row.committed);
                if since.is_none() { String::new() } else { format!(" since {}", cx.time(since)) }
            }
            "ago" => {
                let sent = self.unsettled().last().map_or(j.since, |a| a.sent.at);
                if known(sent) { format!(" {} ago", age(cx.now.since(sent))) } else { String::new() }
            }
            "time_ran_out" => {
                let last = self.attempts().last().map_or(Micros::NONE, |a| a.sent.at);
                let end = if known(j.deadline) { j.deadline } else { last };
                let end = if known(j.deadline) || !known(end) { end } else { end.plus(self.view.timeout) };
                let over = known(end) && cx.now > end;
                if over {
                    format!("; its time ran out {} ago", span(cx.now.since(end)))
                } else {
                    String::new()
                }
            }
            "first_row" => {
                let oldest = self.source().and_then(|s| s.oldest);
                oldest.map_or("a later time".to_owned(), |at| cx.moment(at))
            }
            "as_of" => {
                let position = self.source().map_or(String::new(), super::rows::position);
                after(", as of ", &position)
            }
            _ => return None,
        })
    }

    fn other_place(&self, name: &str) -> Option<String> {
        let j = self.j();
        Some(match name {
            "tool" => if self.view.tool.is_empty() { "this tool" } else { &self.view.tool }.to_owned(),
            "calls_are" => "this call is".to_owned(),
            "requests_are" => "this request is".to_owned(),
            "are" => "is".to_owned(),
            "source" | "cause" => {
                let failed = self.cx.sources.iter().find(|s| s.error.is_some());
                let cause = failed.and_then(|s| s.error.as_deref()).unwrap_or("it could not be opened");
                let cause = cause.split_once(". ").map_or(cause, |(first, _)| first).trim_end_matches('.');
                let path = failed.map_or("A ledger", |s| s.path.as_str());
                if name == "source" { path } else { cause }.to_owned()
            }
            "field" | "field_expected" | "field_read" => {
                let (field, expected, read) = self.attribute();
                match name {
                    "field" => field,
                    "field_expected" => expected,
                    _ => read,
                }
            }
            "lost_call" => if j.lost > 0 { ", from the time of the lost call" } else { "" }.to_owned(),
            "no_request" => {
                let bare = self.view.operation_id.is_empty() && self.view.key.is_empty();
                let without = "the call carries no operation id, key or arguments to find its request by";
                let lacks = "the intent log, which is complete, has no request for it";
                if bare { without } else { lacks }.to_owned()
            }
            "open_call" => match self.unsettled().as_slice() {
                [] => "a row on its way".to_owned(),
                [one] => format!("attempt {}", one.number),
                many => format!("{} calls", number(many.len() as u64)),
            },
            "more_calls" => {
                let there = (j.gross + j.on_its_way + j.came_back).max(j.lo);
                let more = u64::from(j.hi.saturating_sub(there).max(1));
                format!("{} more {}", number(more), inflected(more, "call"))
            }
            "calls_refused" => match self.attempts().len() as u64 {
                0 | 1 => "the only call was refused".to_owned(),
                2 => "both calls were refused".to_owned(),
                n => format!("all {} calls were refused", number(n)),
            },
            "books" => books::differ(self),
            "unseen" if self.source().is_some_and(|source| source.newest.is_none()) => {
                "the ledger has no row at all, and an empty ledger proves nothing".to_owned()
            }
            "unseen" if self.open_transaction().is_some() => {
                format!("the ledger does not show it, and {}", self.open_transaction().unwrap_or_default())
            }
            "unread" if self.open_transaction().is_some() => self.open_transaction()?.to_owned(),
            "unseen" if self.read_early() => "the ledger was read too early to show it".to_owned(),
            "unseen" => "the ledger does not show it, and cannot prove that it is missing".to_owned(),
            "unread" if self.read_early() => "the ledger was not read far enough".to_owned(),
            "unread" => "the ledger cannot prove that there is none".to_owned(),
            "state" => j.state.map_or("", State::word).to_owned(),
            "id" | "near" | "near_what" => {
                let near = self.view.near_ids.first().map_or("", String::as_str);
                let own = self.id_beside(near);
                match name {
                    "id" => own.to_owned(),
                    "near" => near.to_owned(),
                    _ => near_what(own, near).to_owned(),
                }
            }
            "customer" => if self.is_money() { " The customer has nothing." } else { "" }.to_owned(),
            _ => return None,
        })
    }

    /// A later read can prove the absence; where that is not what is missing, no read does.
    pub(super) fn read_early(&self) -> bool {
        let uncovered = &self.view.uncovered;
        if self.open_transaction().is_some() {
            // The time from which a read covers may be past already: what keeps it is not the clock.
            return false;
        }
        uncovered.is_empty() || uncovered.iter().any(|(code, _)| matches!(*code, "C1" | "C2"))
    }

    /// What may still come, where a database said which transaction is open (`4-sources.md` 4.5).
    pub(super) fn open_transaction(&self) -> Option<&str> {
        const ENDS: &str = "is open since before the first look";
        self.view.uncovered.iter().find_map(|(_, words)| {
            let begins = words.find("transaction ")?;
            let ends = words.find(ENDS)? + ENDS.len();
            words.get(begins..ends)
        })
    }

    /// What keeps the ledger from proving an absence: an open transaction before everything else.
    pub(super) fn kept_by(&self) -> Option<&str> {
        let first = || self.view.uncovered.first().map(|(_, words)| words.as_str());
        self.open_transaction().or_else(first)
    }

    /// The id that another one is almost equal to.
    fn own_id(&self) -> &str {
        if self.view.operation_id.is_empty() { &self.view.intent_id } else { &self.view.operation_id }
    }

    /// The id of the intent, or a key of it, that another id is almost equal to.
    fn id_beside(&self, near: &str) -> &str {
        let keys = self.view.attempts.iter().map(|a| a.key.as_str()).chain([self.view.key.as_str()]);
        let same = |id: &&str| !id.is_empty() && fold(id) == fold(near);
        [self.own_id()].into_iter().chain(keys).find(same).unwrap_or_else(|| self.own_id())
    }

    fn attribute(&self) -> (String, String, String) {
        let of_read = || self.view.reads.iter().rev().find_map(|r| r.differs.clone());
        let unknown = || ("value".to_owned(), "another one".to_owned(), "otherwise".to_owned());
        self.view.attribute.clone().or_else(of_read).unwrap_or_else(unknown)
    }

    /// What a book adds: who settled it, and what was seen since.
    fn book_place(&self, name: &str) -> Option<String> {
        let settled =
            self.view.states.iter().rev().find(|s| matches!(s.to, State::Confirmed | State::Failed));
        Some(match name {
            "settled_by" => {
                let actor = settled.map_or("", |s| s.actor.as_str());
                let person = actor.rsplit_once(':').map_or(actor, |(_, name)| name);
                if person.is_empty() { "Somebody" } else { person }.to_owned()
            }
            "settled_as" => {
                let failed = settled.is_some_and(|s| s.to == State::Failed);
                if failed { "did not happen" } else { "happened" }.to_owned()
            }
            "settled_at" => settled.map_or_else(String::new, |s| {
                let at = Instant { at: s.when, res: Res::Minute };
                after(" ", &self.cx.at(at))
            }),
            "contradiction" => {
                let there = self.j().gross > 0 || self.j().on_its_way > 0;
                if there { "the ledger shows it" } else { "the ledger was read past it and has no row" }
                    .to_owned()
            }
            _ => return None,
        })
    }
}

/// In what two almost equal ids differ.
fn near_what(a: &str, b: &str) -> &'static str {
    let packed = |text: &str| -> String { text.chars().filter(|c| !c.is_whitespace()).collect() };
    if packed(a) == packed(b) {
        "white space"
    } else if a.to_lowercase() == b.to_lowercase() {
        "capitals"
    } else {
        "the way they are written"
    }
}
