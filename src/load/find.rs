//! Finding intents by any id (`1-model.md` 1.4.13): intent id, operation id, key, business id, party, effect id,
//! external reference, attempt id, ticket, the name of a group, or a part of one.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashSet};

use foldhash::fast::RandomState;

use crate::model::ids::{fold, normalise};
use crate::model::row::{attempt_flag, effect_flag, record_flag};
use crate::model::time::Micros;

use super::builder::hash_with;
use super::case::Case;
use super::group::Op;
use super::repeats::Place;
use super::resolve::{NameKind, name_kind};

type Ops = HashSet<Op, RandomState>;

impl Case {
    /// Intents that an id finds: exact ones, else those of which it is a part. In the order of the list.
    pub fn find(&self, id: &str) -> Vec<Op> {
        if id.is_empty() {
            return Vec::new();
        }
        if let Some(handle) = id.strip_prefix('#').and_then(|h| h.parse::<u32>().ok()) {
            self.number();
            return self.ordered().into_iter().filter(|op| self.handle(*op) == handle).collect();
        }
        let same = self.same_id(id);
        // `order 1234` and `1234` find `order:1234`.
        let said = id.replacen(' ', ":", 1);
        let folded = fold(id).to_lowercase();
        let ways: [&dyn Fn() -> Ops; 5] = [
            &|| self.with(&|text| text == id || text == same),
            &|| self.of_attempt(id),
            &|| self.of_group_or_ticket(id),
            &|| self.with(&|text| text == said || text.split_once(':').is_some_and(|(_, v)| v == id)),
            &|| self.with(&|text| text.to_lowercase().contains(&folded)),
        ];
        let found = ways.iter().map(|way| way()).find(|ops| !ops.is_empty()).unwrap_or_default();
        if found.is_empty() {
            return Vec::new();
        }
        self.ordered().into_iter().filter(|op| found.contains(op)).collect()
    }

    /// Intents with a call of a run, in order of their first send.
    pub fn of_run(&self, id: &str) -> Vec<Op> {
        let mut first: BTreeMap<Op, Micros> = BTreeMap::default();
        for (r, run) in self.runs.iter().enumerate() {
            let calls = run.attempts.all().iter().filter(|a| !a.is(attempt_flag::DROPPED) && a.run.is_some());
            for row in calls.filter(|a| self.tables.run_ids.text(a.run) == id) {
                if let Some(op) = self.intent(r, row.name) {
                    let known = first.entry(op).or_insert(row.sent);
                    *known = (*known).min(row.sent);
                }
            }
        }
        let mut all: Vec<(Micros, Op)> = first.into_iter().map(|(op, at)| (at, op)).collect();
        all.sort_unstable();
        all.into_iter().map(|(_, op)| op).collect()
    }

    /// An id after every declared step.
    fn same_id<'i>(&self, id: &'i str) -> Cow<'i, str> {
        let mut steps = self.spec.normalise.clone();
        steps.extend(self.spec.sources.iter().flat_map(|s| &s.options.normalise));
        normalise(id, &steps)
    }

    fn intent(&self, r: usize, name: crate::model::row::Name) -> Option<Op> {
        self.groups.of(&self.runs, r, name).filter(|op| self.groups.is_intent(*op))
    }

    /// Intents of which some id fits.
    fn with(&self, fits: &dyn Fn(&str) -> bool) -> Ops {
        let mut found = Ops::default();
        for (r, run) in self.runs.iter().enumerate() {
            for record in run.records.all() {
                let texts = [record.intent_id, record.key, record.business, record.party];
                if fits(name_kind(run.name(record.name)).1)
                    || texts.iter().any(|t| t.is_some() && fits(run.text(*t)))
                {
                    found.extend(self.intent(r, record.name));
                }
            }
            for row in run.attempts.all().iter().filter(|a| !a.is(attempt_flag::DROPPED)) {
                let texts = [row.key, row.business, row.party, row.receipt];
                if fits(name_kind(run.name(row.name)).1)
                    || texts.iter().any(|t| t.is_some() && fits(run.text(*t)))
                {
                    found.extend(self.intent(r, row.name));
                }
            }
        }
        let rows = self.rows_of(fits, &mut found);
        for (op, linked) in &self.links.extra {
            if linked.iter().any(|(place, _)| rows.contains(place)) {
                found.insert(*op);
            }
        }
        // A row that may be an intent's is found with it.
        let open = self.loose.iter().filter(|r| rows.contains(&r.place));
        let orders: HashSet<&str> = open
            .filter_map(|r| self.runs.get(r.place.0 as usize).map(|run| run.text(r.row.business)))
            .filter(|b| !b.is_empty())
            .collect();
        let waits = |op: &Op| {
            let ties = self.links.ties.get(op);
            ties.is_some_and(|t| {
                t.suggestions > 0 || t.unreadable > 0 || t.account.is_some_and(|a| a.unlinked > 0)
            })
        };
        let briefs = self.briefs.iter().filter(|b| orders.contains(b.business.as_str()));
        found.extend(briefs.map(|b| b.op).filter(waits));
        found
    }

    /// Ledger rows of which an id fits; the intents that their operation ids name are found.
    fn rows_of(&self, fits: &dyn Fn(&str) -> bool, found: &mut Ops) -> HashSet<Place, RandomState> {
        let mut rows = HashSet::default();
        for (r, run) in (0u32..).zip(&self.runs) {
            for (i, row) in (0u32..).zip(run.effects.all()) {
                let texts = [row.id, row.external, row.key];
                if !row.is(effect_flag::DROPPED) && texts.iter().any(|t| t.is_some() && fits(run.text(*t))) {
                    rows.insert((r, i));
                    found.extend(self.intent(r as usize, row.name));
                }
            }
        }
        rows
    }

    /// The intent of an attempt. Attempt ids are not kept: their prints are, and the record says whether it is so.
    fn of_attempt(&self, id: &str) -> Ops {
        let print = hash_with(&self.state, id.as_bytes()).max(1);
        let mut found = Ops::default();
        for (r, run) in self.runs.iter().enumerate() {
            for row in run.attempts.all().iter().filter(|a| a.id == print && !a.is(attempt_flag::DROPPED)) {
                if super::reread::attempt_id(&*self.places, row.at).is_none_or(|written| written == id) {
                    found.extend(self.intent(r, row.name));
                }
            }
        }
        found
    }

    /// A group without an id of its own, by its name (`refund_order@trace.jsonl:14`); the intent of a ticket.
    fn of_group_or_ticket(&self, id: &str) -> Ops {
        let mut found = Ops::default();
        let place = id.rsplit_once(':').is_some_and(|(_, line)| line.parse::<u64>().is_ok());
        if place {
            for op in self.loud.iter().map(|l| l.op).chain(self.quiet.ops()) {
                let name = self.name_of(op);
                if matches!(name_kind(name).0, NameKind::Arguments | NameKind::Nothing)
                    && self.shown(name) == id
                {
                    found.insert(op);
                }
            }
        }
        for (r, run) in self.runs.iter().enumerate() {
            for record in run.records.all().iter().filter(|r| r.flags & record_flag::FILE != 0) {
                let ticket =
                    |(name, value): &(String, String)| name.eq_ignore_ascii_case("ticket") && value == id;
                if self.places.fields(record.at).iter().any(ticket) {
                    found.extend(self.intent(r, record.name));
                }
            }
        }
        found
    }
}
