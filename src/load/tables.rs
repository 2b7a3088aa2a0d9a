//! Small tables that all workers share: tools, kinds, partitions, runs and units.
//!
//! A worker remembers what it asked last, so the lock is taken once per new name and worker.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use foldhash::fast::RandomState;

use crate::model::row::Shared;
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
}

/// An interner whose numbers begin at 1; 0 is "none".
#[derive(Clone, Debug)]
pub struct Names {
    texts: Vec<String>,
    by_text: HashMap<String, u16, RandomState>,
}

impl Default for Names {
    fn default() -> Self {
        Self { texts: vec![String::new()], by_text: HashMap::default() }
    }
}

impl Names {
    /// The number of a text; texts beyond 65,535 share the last number, `(more)`.
    pub fn intern(&mut self, text: &str) -> Shared {
        if text.is_empty() {
            return Shared::NONE;
        }
        if let Some(no) = self.by_text.get(text) {
            return Shared(*no);
        }
        let no = u16::try_from(self.texts.len()).unwrap_or(u16::MAX);
        if no == u16::MAX {
            if self.texts.len() == usize::from(u16::MAX) {
                self.texts.push("(more)".to_owned());
            }
            return Shared(no);
        }
        self.texts.push(text.to_owned());
        self.by_text.insert(text.to_owned(), no);
        Shared(no)
    }

    /// The number of a text that is already there.
    pub fn get(&self, text: &str) -> Option<Shared> {
        self.by_text.get(text).map(|no| Shared(*no))
    }

    /// The text of a number.
    pub fn text(&self, no: Shared) -> &str {
        self.texts.get(usize::from(no.0)).map_or("", String::as_str)
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
        (1u16..).map(Shared).zip(self.texts.iter().skip(1).map(String::as_str))
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
        let place = usize::from(no.0);
        if place >= self.runs.len() {
            self.runs.resize(place + 1, RunInfo::default());
        }
        if self.runs[place].id.is_empty() {
            id.clone_into(&mut self.runs[place].id);
        }
        no
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
    fn more_names_than_numbers_share_the_last() {
        let mut names = Names::default();
        for i in 0..70_000 {
            names.intern(&format!("t{i}"));
        }
        assert_eq!(names.get("t65533"), Some(Shared(65_534)));
        assert_eq!(names.intern("t69999"), Shared(u16::MAX));
        assert_eq!(names.text(Shared(u16::MAX)), "(more)");
    }
}
