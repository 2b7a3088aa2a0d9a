//! The triage list: which rows it has, in which order (`2-judge.md` 2.8, `6-screens.md` 7.1.10, 7.1.11).

use std::collections::HashMap;

use crate::judge::findings;
use crate::judge::judgement::{Class, NotCompared};
use crate::judge::rules::Rule;
use crate::model::row::{Shared, State};

use super::case::Case;
use super::group::Op;
use super::judging::Loud;
use super::scope::OrphanGroup;

/// Rows without an attempt that are listed one by one; more of them are one line.
const APART_SINGLY: usize = 3;

/// What a row of the list stands for, by numbers only.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Entry {
    /// One intent, as a place in `Case::loud`.
    One(usize),
    /// A lineage chain or an account that is one row.
    Group(Vec<usize>),
    /// Intents that are not compared for one reason.
    NotCompared(Vec<usize>),
    /// Intents that fit by the account of their order.
    Fits(Vec<usize>),
    /// A possible double, or a single row, as a place in the groups of rows without an attempt.
    Apart(usize),
    /// More single rows than are listed.
    ApartMore,
    /// Rows outside the scope.
    Outside,
}

/// The list: loud rows, then the clean intents, then what stands apart.
#[derive(Clone, Debug, Default)]
pub struct List {
    /// Rows of intents that are not clean, or divergent.
    pub loud: Vec<Entry>,
    /// Rows without an attempt.
    pub apart: Vec<Entry>,
}

impl Case {
    /// The list, put together once.
    pub fn list(&self) -> &List {
        self.list.get_or_init(|| self.make_list())
    }

    fn make_list(&self) -> List {
        let mut list = List::default();
        let mut groups: HashMap<(bool, u32), usize> = HashMap::new();
        let mut not_compared: HashMap<(NotCompared, Shared), usize> = HashMap::new();
        let mut fits: HashMap<u16, usize> = HashMap::new();
        for (no, loud) in self.loud.iter().enumerate() {
            let j = &loud.judgement;
            let known = if j.rule == Rule::R01 {
                Some(
                    not_compared
                        .entry((j.not_compared, loud.facet.tool_if_it_matters(j)))
                        .or_insert(list.loud.len()),
                )
            } else if let Some(group) = j.group {
                Some(groups.entry((j.rule == Rule::R08, group)).or_insert(list.loud.len()))
            } else if j.found & findings::FITS_BY_ORDER != 0 {
                Some(fits.entry(loud.facet.source).or_insert(list.loud.len()))
            } else {
                None
            };
            match known.map(|at| *at) {
                Some(at) if at < list.loud.len() => {
                    if let Some(Entry::NotCompared(m) | Entry::Group(m) | Entry::Fits(m)) =
                        list.loud.get_mut(at)
                    {
                        m.push(no);
                    }
                }
                Some(_) if j.rule == Rule::R01 => list.loud.push(Entry::NotCompared(vec![no])),
                Some(_) if j.group.is_some() => list.loud.push(Entry::Group(vec![no])),
                Some(_) => list.loud.push(Entry::Fits(vec![no])),
                None => list.loud.push(Entry::One(no)),
            }
        }
        for entry in &mut list.loud {
            if let Entry::NotCompared(m) | Entry::Group(m) | Entry::Fits(m) = entry
                && let [only] = m.as_slice()
            {
                *entry = Entry::One(*only);
            }
        }
        // What is not compared stands last among rows of one urgency, one line per reason.
        list.loud.sort_by_key(|entry| {
            self.lead(entry).map(|l| {
                let j = &l.judgement;
                let late = j.rule == Rule::R01;
                (j.severity, late, late.then_some(j.not_compared as u8))
            })
        });
        self.list_apart(&mut list);
        if self.apart.outside > 0 {
            list.apart.push(Entry::Outside);
        }
        list
    }

    /// Rows without an attempt: below all intents, the single ones one by one only where they are few. Where the trace is
    /// declared complete they are violations, after all intents of their severity.
    fn list_apart(&self, list: &mut List) {
        let groups = &self.apart.groups;
        let (wrong, noted): (Vec<usize>, Vec<usize>) =
            (0..groups.len()).partition(|no| groups.get(*no).is_some_and(|g| self.is_violation(g)));
        let more_urgent = |entry: &Entry| self.lead(entry).is_some_and(|l| l.judgement.severity <= 2);
        let after = list.loud.iter().take_while(|entry| more_urgent(entry)).count();
        list.loud.splice(after..after, wrong.into_iter().map(Entry::Apart));
        let double = |no: &usize| groups.get(*no).is_some_and(|g| g.possible_double);
        let (doubles, singles): (Vec<usize>, Vec<usize>) = noted.into_iter().partition(double);
        list.apart.extend(doubles.into_iter().map(Entry::Apart));
        if singles.len() <= APART_SINGLY {
            list.apart.extend(singles.into_iter().map(Entry::Apart));
        } else {
            list.apart.push(Entry::ApartMore);
        }
    }

    /// Rows of a complete trace's time have an attempt, or are a violation.
    pub(super) fn is_violation(&self, group: &OrphanGroup) -> bool {
        self.setting.trace_complete && group.unattributed
    }

    /// How many rows the list has.
    pub fn rows(&self) -> usize {
        let list = self.list();
        list.loud.len() + self.quiet.len() + list.apart.len()
    }

    /// What a row stands for.
    pub(super) fn entry(&self, at: usize) -> Slot<'_> {
        let list = self.list();
        if let Some(entry) = list.loud.get(at) {
            return Slot::Entry(entry);
        }
        let at = at - list.loud.len();
        // Clean intents are put in order only where one of them is asked for.
        match at.checked_sub(self.quiet.len()) {
            Some(at) => list.apart.get(at).map_or(Slot::None, Slot::Entry),
            None => self.clean_in_order().get(at).map_or(Slot::None, |clean| Slot::Quiet(clean.op)),
        }
    }

    /// Notes intents that are closed: they leave the default list and are counted on a line of their own.
    pub fn close(&mut self, ops: Vec<Op>) {
        self.closed = ops.into_iter().collect();
    }

    /// Every intent of a row is closed.
    pub fn is_closed(&self, at: usize) -> bool {
        if self.closed.is_empty() {
            return false;
        }
        let ops = self.ops_at(at);
        !ops.is_empty() && ops.iter().all(|op| self.closed.contains(op))
    }

    /// The intents that a row stands for.
    pub fn ops_at(&self, at: usize) -> Vec<Op> {
        match self.entry(at) {
            Slot::Quiet(op) => vec![op],
            Slot::Entry(Entry::One(no)) => self.loud.get(*no).map(|l| l.op).into_iter().collect(),
            Slot::Entry(Entry::Group(m) | Entry::NotCompared(m) | Entry::Fits(m)) => {
                m.iter().filter_map(|no| self.loud.get(*no)).map(|l| l.op).collect()
            }
            Slot::Entry(_) | Slot::None => Vec::new(),
        }
    }

    /// What decides whether a row is listed, without any text: fine, divergent, unknown, severity.
    pub fn row_flags(&self, at: usize) -> (bool, bool, bool, u8, Option<&Entry>) {
        match self.entry(at) {
            Slot::Quiet(_) => (true, false, false, 5, None),
            Slot::Entry(entry) => match self.lead(entry) {
                Some(loud) => {
                    let j = &loud.judgement;
                    let fine = j.class == Class::Clean;
                    (fine, j.divergent, j.state == Some(State::Unknown), j.severity, Some(entry))
                }
                None if self.wrong_apart(entry) => (false, true, false, 2, Some(entry)),
                None => (false, false, false, 6, Some(entry)),
            },
            Slot::None => (false, false, false, 6, None),
        }
    }

    /// Class and difference of a row that stands for one intent.
    pub fn standing(&self, at: usize) -> Option<(Class, bool)> {
        match self.entry(at) {
            Slot::Quiet(_) => Some((Class::Clean, false)),
            Slot::Entry(Entry::One(no)) => {
                self.loud.get(*no).map(|loud| (loud.judgement.class, loud.judgement.divergent))
            }
            Slot::Entry(entry) if self.wrong_apart(entry) => Some((Class::Violation, true)),
            Slot::Entry(_) | Slot::None => None,
        }
    }

    fn wrong_apart(&self, entry: &Entry) -> bool {
        match entry {
            Entry::Apart(no) => self.apart.groups.get(*no).is_some_and(|g| self.is_violation(g)),
            _ => false,
        }
    }

    pub(super) fn lead(&self, entry: &Entry) -> Option<&Loud> {
        match entry {
            Entry::One(no) => self.loud.get(*no),
            Entry::Group(m) | Entry::NotCompared(m) | Entry::Fits(m) => {
                m.first().and_then(|no| self.loud.get(*no))
            }
            Entry::Apart(_) | Entry::ApartMore | Entry::Outside => None,
        }
    }

    /// The short handle of an intent (`#17`): its rank by first place; 0 before [`Case::number`] was called.
    pub fn handle(&self, op: Op) -> u32 {
        self.order.get().and_then(|order| order.get(op.0 as usize)).copied().unwrap_or(0)
    }

    /// Gives every intent its short handle. One pass over all rows: for outputs that show handles.
    pub fn number(&self) {
        self.order.get_or_init(|| {
            let mut first: Vec<Option<crate::model::row::At>> = vec![None; self.groups.len() as usize];
            for (r, run) in self.runs.iter().enumerate() {
                let attempts = run.attempts.all().iter().map(|a| (a.name, a.at));
                let records = run.records.all().iter().map(|a| (a.name, a.at));
                for (name, at) in attempts.chain(records) {
                    if let Some(op) = self.groups.of(&self.runs, r, name)
                        && let Some(slot) = first.get_mut(op.0 as usize)
                    {
                        *slot = Some(slot.map_or(at, |known| known.min(at)));
                    }
                }
            }
            let ops = self.loud.iter().map(|l| l.op).chain(self.quiet.ops());
            let mut all: Vec<_> = ops.map(|op| (first.get(op.0 as usize).copied().flatten(), op)).collect();
            all.sort_unstable();
            let mut order = vec![0; first.len()];
            for (rank, (_, op)) in (1u32..).zip(all) {
                if let Some(slot) = order.get_mut(op.0 as usize) {
                    *slot = rank;
                }
            }
            order
        });
    }

    /// All intents in the order of the list.
    pub fn ordered(&self) -> Vec<Op> {
        let mut ops = Vec::with_capacity(self.intents());
        for entry in &self.list().loud {
            match entry {
                Entry::One(no) => ops.extend(self.loud.get(*no).map(|l| l.op)),
                Entry::Group(m) | Entry::NotCompared(m) | Entry::Fits(m) => {
                    ops.extend(m.iter().filter_map(|no| self.loud.get(*no)).map(|l| l.op));
                }
                Entry::Apart(_) | Entry::ApartMore | Entry::Outside => {}
            }
        }
        ops.extend(self.clean_in_order().iter().map(|clean| clean.op));
        ops
    }
}

/// What stands at a place of the list.
pub(super) enum Slot<'a> {
    /// A row that is listed by itself.
    Entry(&'a Entry),
    /// A clean intent.
    Quiet(Op),
    /// Nothing.
    None,
}
