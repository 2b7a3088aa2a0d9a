//! One row for many: what rows of the list share, counted and summed. Asked by a worker.

use std::collections::HashMap;

use foldhash::fast::RandomState;

use crate::judge::judgement::{Class, RetryOrigin};
use crate::judge::severity;
use crate::judge::view::{GroupBy, GroupRow};
use crate::judge::words;
use crate::model::money::Totals;
use crate::model::row::Shared;
use crate::model::time::{DAY, HOUR, MINUTE, Micros};

use super::case::Case;
use super::judging::Loud;
use super::list::{Entry, Slot};

/// Most bars of a group.
const BARS: i64 = 60;

/// A group while it is counted.
struct Sum {
    row: GroupRow,
    tool: Option<Shared>,
    run: Option<Shared>,
    times: Vec<Micros>,
}

/// One value of all, or none.
fn same<T: PartialEq>(known: &mut Option<T>, value: T) {
    if known.as_ref().is_some_and(|known| *known != value) {
        *known = None;
    }
}

impl Case {
    /// Groups of the rows at some places, in the order of their first rows. Rows without an attempt are in none.
    pub fn grouped_by(&self, rows: &[u32], by: GroupBy) -> Vec<GroupRow> {
        let mut sums: Vec<Sum> = Vec::new();
        let mut known: HashMap<(String, i64), usize, RandomState> = HashMap::default();
        for place in rows {
            let at = *place as usize;
            let (lead, members): (Option<&Loud>, u64) = match self.entry(at) {
                Slot::Quiet(_) => (None, 1),
                Slot::Entry(entry) => match (entry, self.lead(entry)) {
                    (_, None) => continue,
                    (Entry::NotCompared(m) | Entry::Fits(m), lead) => (lead, m.len() as u64),
                    (_, lead) => (lead, 1),
                },
                Slot::None => continue,
            };
            let since = match lead {
                Some(loud) => loud.judgement.since,
                None => self.quiet_since(at),
            };
            let words = match (by, lead) {
                (GroupBy::Hour, _) => String::new(),
                (GroupBy::Label, Some(loud)) => severity::label(&loud.judgement).to_owned(),
                (GroupBy::Label, None) => "OK".to_owned(),
                (GroupBy::Words, Some(loud)) => words::list_words(&loud.judgement),
                (GroupBy::Words, None) => "as meant".to_owned(),
            };
            let hour = match by {
                GroupBy::Hour if !since.is_none() => since.0.div_euclid(HOUR),
                _ => i64::MIN,
            };
            let no = *known.entry((words, hour)).or_insert_with_key(|(words, hour)| {
                sums.push(match by {
                    GroupBy::Hour => Sum::of_hour(*hour, lead),
                    _ => Sum::of_kind(words, lead),
                });
                sums.len() - 1
            });
            if let Some(sum) = sums.get_mut(no) {
                sum.add(*place, lead, members, since);
            }
        }
        if by == GroupBy::Hour {
            sums.sort_by_key(|sum| (sum.row.hour.is_none(), sum.row.hour));
        }
        sums.into_iter().map(|sum| self.finish(sum)).collect()
    }

    fn quiet_since(&self, at: usize) -> Micros {
        let quiet = at.checked_sub(self.quiet_rows().start);
        quiet.and_then(|at| self.clean_in_order().get(at)).map_or(Micros::NONE, |clean| clean.since)
    }

    fn finish(&self, sum: Sum) -> GroupRow {
        let mut row = sum.row;
        row.tool = sum.tool.map_or(String::new(), |tool| self.tables.tools.text(tool).to_owned());
        row.run = sum.run.map_or(String::new(), |run| self.tables.run_ids.text(run).to_owned());
        if !row.first.is_none() {
            let length = row.last.since(row.first);
            row.stretch = [MINUTE, HOUR, DAY]
                .into_iter()
                .find(|unit| length / unit < BARS)
                .unwrap_or(length / BARS + 1);
            let bar = |at: Micros| at.0.div_euclid(row.stretch) - row.first.0.div_euclid(row.stretch);
            let bars = usize::try_from(bar(row.last) + 1).unwrap_or(1);
            let mut counts = vec![0u32; bars];
            for at in &sum.times {
                if let Some(count) = usize::try_from(bar(*at)).ok().and_then(|at| counts.get_mut(at)) {
                    *count += 1;
                }
            }
            row.bars = counts;
        }
        row
    }
}

impl Sum {
    /// Of rows of one kind: their words or label.
    fn of_kind(words: &str, lead: Option<&Loud>) -> Self {
        let mut sum = Self::of_hour(i64::MIN, lead);
        let j = lead.map(|loud| &loud.judgement);
        words.clone_into(&mut sum.row.words);
        sum.row.mark = j.map_or_else(|| "·".to_owned(), words::mark_of);
        sum.row.severity = j.map_or(5, |j| j.severity);
        sum.row.class = Some(j.map_or(Class::Clean, |j| j.class));
        sum
    }

    /// Of one hour: rows of any kind, so without a mark and a class.
    fn of_hour(hour: i64, lead: Option<&Loud>) -> Self {
        let timed = hour != i64::MIN;
        Self {
            row: GroupRow {
                words: "without a time".to_owned(),
                hour: if timed { Micros(hour * HOUR) } else { Micros::NONE },
                mark: String::new(),
                severity: 5,
                class: None,
                count: 0,
                first: Micros::NONE,
                last: Micros::NONE,
                origin: Some(lead.map_or(RetryOrigin::None, |loud| loud.judgement.origin)),
                at_risk: Totals::default(),
                tool: String::new(),
                run: String::new(),
                bars: Vec::new(),
                stretch: 0,
                rows: Vec::new(),
            },
            tool: lead.map(|loud| loud.facet.tool),
            run: lead.map(|loud| loud.facet.run),
            times: Vec::new(),
        }
    }

    fn add(&mut self, place: u32, lead: Option<&Loud>, members: u64, since: Micros) {
        let row = &mut self.row;
        row.rows.push(place);
        row.count += members;
        if !since.is_none() {
            row.first = if row.first.is_none() { since } else { row.first.min(since) };
            row.last = if row.last.is_none() { since } else { row.last.max(since) };
            self.times.push(since);
        }
        same(&mut row.origin, lead.map_or(RetryOrigin::None, |loud| loud.judgement.origin));
        if let Some(loud) = lead {
            same(&mut self.tool, loud.facet.tool);
            same(&mut self.run, loud.facet.run);
            loud.risks.iter().for_each(|money| row.at_risk.add(*money));
        }
    }
}
