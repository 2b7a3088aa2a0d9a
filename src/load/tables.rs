//! Small tables that all workers share: tools, kinds, partitions, runs and units.
//!
//! A worker remembers what it asked last, so the lock is taken once per new name and worker.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use foldhash::fast::RandomState;

use crate::model::row::{At, Class, Shared};
use crate::model::units::{Unit, Units};

/// What is known of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RunInfo {
    /// Run id.
    pub id: String,
    /// Scenario.
    pub scenario: String,
    /// Agent.
    pub agent: String,
    /// Model; empty where none is named.
    pub model: String,
    /// Where the run is begun, to read again what is said of it there.
    pub begun: Option<At>,
}

/// An interner whose numbers begin at 1; 0 is "none".
#[derive(Clone, Debug)]
pub struct Names {
    texts: Vec<String>,
    by_text: HashMap<String, Shared, RandomState>,
}

impl Default for Names {
    fn default() -> Self {
        Self { texts: vec![String::new()], by_text: HashMap::default() }
    }
}

impl Names {
    /// The number of a text. Memory ends long before the numbers do.
    pub fn intern(&mut self, text: &str) -> Shared {
        if text.is_empty() {
            return Shared::NONE;
        }
        if let Some(no) = self.by_text.get(text) {
            return *no;
        }
        let no = Shared(self.texts.len() as u32);
        self.texts.push(text.to_owned());
        self.by_text.insert(text.to_owned(), no);
        no
    }

    /// The number of a text that is already there.
    pub fn get(&self, text: &str) -> Option<Shared> {
        self.by_text.get(text).copied()
    }

    /// The text of a number.
    pub fn text(&self, no: Shared) -> &str {
        self.texts.get(no.place()).map_or("", String::as_str)
    }

    /// How many numbers there are, "none" included.
    pub fn len(&self) -> usize {
        self.texts.len()
    }

    /// Nothing was interned.
    pub fn is_empty(&self) -> bool {
        self.texts.len() <= 1
    }

    /// All texts in order of their numbers, without "none".
    pub fn iter(&self) -> impl Iterator<Item = (Shared, &str)> {
        (1u32..).map(Shared).zip(self.texts.iter().skip(1).map(String::as_str))
    }
}

/// The tables, at rest.
#[derive(Clone, Debug, Default)]
pub struct Tables {
    /// Tools.
    pub tools: Names,
    /// Kinds of ledger rows.
    pub kinds: Names,
    /// Partition values.
    pub parts: Names,
    /// Run ids; `runs` holds what is known of each.
    pub run_ids: Names,
    /// By number of `run_ids`.
    pub runs: Vec<RunInfo>,
    /// Units.
    pub units: Units,
    /// Kinds with partitions, by number less one.
    classes: Vec<(Shared, Shared)>,
    by_class: HashMap<(Shared, Shared), Class, RandomState>,
    /// Tools that records declare: they only read, or they write; a tool of both kinds of records is neither.
    pub hints: Vec<(Shared, bool)>,
}

impl Tables {
    /// What records say of a tool, where they agree.
    pub fn hint(&self, tool: Shared) -> Option<bool> {
        let mut said = self.hints.iter().filter(|(of, _)| *of == tool).map(|(_, reads)| *reads);
        let first = said.next()?;
        said.all(|reads| reads == first).then_some(first)
    }

    /// The number of a run id.
    pub fn run(&mut self, id: &str) -> Shared {
        let no = self.run_ids.intern(id);
        let place = no.place();
        if place >= self.runs.len() {
            self.runs.resize(place + 1, RunInfo::default());
        }
        if self.runs[place].id.is_empty() {
            id.clone_into(&mut self.runs[place].id);
        }
        no
    }

    /// The number of a kind with a partition.
    pub fn class(&mut self, kind: Shared, part: Shared) -> Class {
        if !kind.is_some() && !part.is_some() {
            return Class::default();
        }
        let next = Class(self.classes.len() as u32 + 1);
        let class = *self.by_class.entry((kind, part)).or_insert(next);
        if class == next {
            self.classes.push((kind, part));
        }
        class
    }

    fn words(&self, class: Class) -> (Shared, Shared) {
        let place = class.0.checked_sub(1).and_then(|no| self.classes.get(no as usize));
        place.copied().unwrap_or_default()
    }

    /// The kind word of a row; empty for none.
    pub fn kind(&self, class: Class) -> &str {
        self.kinds.text(self.words(class).0)
    }

    /// The partition of a row.
    pub fn part(&self, class: Class) -> Shared {
        self.words(class).1
    }
}

/// The tables while several workers read.
#[derive(Debug, Default)]
pub struct SharedTables(Mutex<Tables>);

impl SharedTables {
    /// Begins with what the case declares.
    pub fn new(tables: Tables) -> Self {
        Self(Mutex::new(tables))
    }

    /// Asks under the lock. A worker that panicked cannot have left a table half written in a way that matters:
    /// every change is one push and one insert.
    pub fn with<T>(&self, ask: impl FnOnce(&mut Tables) -> T) -> T {
        ask(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Ends sharing.
    pub fn into_inner(self) -> Tables {
        self.0.into_inner().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Remembers the texts that were asked last; most records name the tool, run and unit of the record before.
#[derive(Debug, Default)]
pub struct Last {
    text: String,
    no: Shared,
    known: HashMap<String, Shared, RandomState>,
}

impl Last {
    /// The number of `text`, asking `intern` only for what this worker has not seen.
    pub fn get(&mut self, text: &str, intern: impl FnOnce(&str) -> Shared) -> Shared {
        if text.is_empty() {
            return Shared::NONE;
        }
        if self.no.is_some() && self.text == text {
            return self.no;
        }
        let no = if let Some(no) = self.known.get(text) {
            *no
        } else {
            let no = intern(text);
            self.known.insert(text.to_owned(), no);
            no
        };
        self.text.clear();
        self.text.push_str(text);
        self.no = no;
        no
    }
}

/// The same for kinds with partitions.
#[derive(Debug, Default)]
pub struct LastClass {
    words: (Shared, Shared),
    class: Class,
    known: HashMap<(Shared, Shared), Class, RandomState>,
}

impl LastClass {
    /// The number of a kind with a partition.
    pub fn get(&mut self, kind: Shared, part: Shared, tables: &SharedTables) -> Class {
        if self.words != (kind, part) {
            self.words = (kind, part);
            self.class =
                *self.known.entry(self.words).or_insert_with(|| tables.with(|t| t.class(kind, part)));
        }
        self.class
    }
}

/// The same for units.
#[derive(Debug)]
pub struct LastUnit {
    text: String,
    unit: Unit,
    exponent: Option<u8>,
}

impl Default for LastUnit {
    fn default() -> Self {
        Self { text: String::new(), unit: Unit::NONE, exponent: None }
    }
}

impl LastUnit {
    /// Unit and exponent of a currency text; no text is [`Unit::NONE`].
    pub fn get(&mut self, text: &str, tables: &SharedTables) -> (Unit, Option<u8>) {
        if text != self.text {
            let (unit, exponent) = tables.with(|t| {
                let unit = t.units.intern(text);
                (unit, t.units.exponent(unit))
            });
            self.text.clear();
            self.text.push_str(text);
            self.unit = unit;
            self.exponent = exponent;
        }
        (self.unit, self.exponent)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_begin_at_one_and_stay() {
        let mut names = Names::default();
        assert_eq!(names.intern(""), Shared::NONE);
        assert_eq!(names.intern("refund_order"), Shared(1));
        assert_eq!(names.intern("send_email"), Shared(2));
        assert_eq!(names.intern("refund_order"), Shared(1));
        assert_eq!(names.text(Shared(2)), "send_email");
        assert_eq!(names.get("other"), None);
    }

    #[test]
    fn a_worker_asks_once_for_a_new_name() {
        let mut last = Last::default();
        let mut asked = 0;
        for text in ["a", "a", "b", "a", "b"] {
            last.get(text, |t| {
                asked += 1;
                if t == "a" { Shared(1) } else { Shared(2) }
            });
        }
        assert_eq!(asked, 2);
    }

    #[test]
    fn every_name_keeps_its_number() {
        let mut names = Names::default();
        for i in 0..70_000u32 {
            assert_eq!(names.intern(&format!("t{i}")), Shared(i + 1));
        }
        assert_eq!(names.text(Shared(65_536)), "t65535");
        assert_eq!(names.iter().count(), 70_000);
    }

    #[test]
    fn a_class_is_a_kind_with_a_partition() {
        let mut tables = Tables::default();
        let (refund, us, eu) =
            (tables.kinds.intern("refund"), tables.parts.intern("us"), tables.parts.intern("eu"));
        assert_eq!(tables.class(Shared::NONE, Shared::NONE), Class(0));
        let (a, b) = (tables.class(refund, us), tables.class(refund, eu));
        assert_ne!(a, b);
        assert_eq!(tables.class(refund, us), a);
        assert_eq!((tables.kind(b), tables.part(b)), ("refund", eu));
        assert_eq!((tables.kind(Class(0)), tables.part(Class(0))), ("", Shared::NONE));
    }
}
