//! Which columns and paths stand for which fields of the model: the mapping of a source (`4-sources.md` 4.10) over
//! the well-known names (`7-commands.md` 7.5.8).
//!
//! A [`Layout`] is made once per source; it gives a `Want` for JSON and column numbers for tables, and both fill the
//! same slots ([`super::names`]). What a mapping names is taken from there only; the rest is found by name.

mod find;
mod paths;

use thiserror::Error;

use super::json::WantError;
use super::names::{FILTER, FieldNames, INSIDE, PART, PARTS, alike, ledger, prefix_of, shared};
use super::near::{did_you_mean, listed};
use super::spec::{Column, Filter, Options};
use paths::paths;

/// Slots there are.
pub const SLOTS: usize = super::json::SLOTS;

/// Names listed in one message.
const LISTED: usize = 12;

/// Why a mapping does not fit its source.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum MappingError {
    /// A field that the model does not have.
    #[error("the mapping names the field `{field}`, which is not known{near}; known are {known}")]
    UnknownField {
        /// The name given.
        field: String,
        /// "; did you mean `x`?", or nothing.
        near: String,
        /// All fields.
        known: String,
    },
    /// A column that is not there.
    #[error("`{field}` is mapped to the column `{column}`, which is not there{near}; there are {present}")]
    MissingColumn {
        /// The field.
        field: String,
        /// The column named.
        column: String,
        /// "; did you mean `x`?", or nothing.
        near: String,
        /// The columns there are.
        present: String,
    },
    /// A column of a filter that is not there.
    #[error("the filter compares the column `{column}`, which is not there{near}; there are {present}")]
    NoFilterColumn {
        /// The column named.
        column: String,
        /// "; did you mean `x`?", or nothing.
        near: String,
        /// The columns there are.
        present: String,
    },
    /// One column stands there several times.
    #[error("the column `{column}` stands in the header {times} times: give each column a name of its own")]
    Doubled {
        /// The column.
        column: String,
        /// How often.
        times: usize,
    },
    /// Several columns are alike.
    #[error("`{field}` could be any of {candidates}: say which one in the mapping")]
    Ambiguous {
        /// The field.
        field: String,
        /// Its candidates.
        candidates: String,
    },
    /// A path that cannot be followed.
    #[error("`{field}` is mapped to the path `{path}`, which cannot be followed: {why}")]
    Path {
        /// The field.
        field: String,
        /// The path.
        path: String,
        /// Why.
        why: String,
    },
    /// No column says anything.
    #[error(
        "no column of {what} is known by name; there are {present}: map them, for instance `operation_id = \"..\"`"
    )]
    NothingKnown {
        /// Ledger, trace, expectations.
        what: &'static str,
        /// The columns there are.
        present: String,
    },
    /// More filters or partitions than slots.
    #[error("too many columns are asked for at once: at most {} comparisons in a filter", SLOTS - FILTER)]
    TooMany,
}

impl From<WantError> for MappingError {
    fn from(error: WantError) -> Self {
        match error {
            WantError::EmptyName(path) => {
                Self::Path { field: String::new(), path, why: "it has an empty name".to_owned() }
            }
            WantError::Slot(_) | WantError::TooMany => Self::TooMany,
        }
    }
}

/// Where a value is looked for.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Look {
    /// In the arguments of a call, not in the record itself.
    arguments: bool,
    /// Names from there on; the last may be `*_x`.
    names: Vec<String>,
}

/// What does not come from the record: constants, prefixes, filters.
#[derive(Debug, Clone, Default)]
pub struct Plan {
    /// By slot. Few mappings have any, and every field of every record asks.
    constants: Vec<(usize, String)>,
    /// A bit for each slot that has one.
    constant_slots: u64,
    prefixes: Vec<String>,
    filters: Vec<Filter>,
    parts: Vec<String>,
}

impl Plan {
    /// A bit for each slot that has a constant.
    #[inline]
    pub fn constant_slots(&self) -> u64 {
        self.constant_slots
    }

    /// The constant of a slot.
    #[inline]
    pub fn constant(&self, slot: usize) -> Option<&str> {
        self.constants.iter().find(|(own, _)| *own == slot).map(|(_, constant)| constant.as_str())
    }

    /// The type prefix of a slot's values; often nothing.
    pub fn prefix(&self, slot: usize) -> &str {
        self.prefixes.get(slot).map_or("", String::as_str)
    }

    /// The row filter: comparisons with their slots.
    pub fn filters(&self) -> impl Iterator<Item = (usize, &Filter)> {
        self.filters.iter().enumerate().map(|(number, filter)| (FILTER + number, filter))
    }

    /// The partition fields with their slots.
    pub fn parts(&self) -> impl Iterator<Item = (usize, &str)> {
        self.parts.iter().enumerate().map(|(number, name)| (PART + number, name.as_str()))
    }
}

/// A table of fields with what a mapping changes in it.
#[derive(Debug, Clone)]
pub struct Layout {
    table: &'static [FieldNames],
    /// Per slot, in order of right.
    looks: Vec<Vec<Look>>,
    mapped: Vec<bool>,
    plan: Plan,
    /// How the fields were found, for people.
    mapped_all: bool,
}

/// Fields that replace each other: a mapping that names one leaves no guess for the others.
const GROUPS: [&[usize]; 3] = [
    &[shared::BUSINESS, shared::BUSINESS + 1, shared::BUSINESS + 2, shared::BUSINESS + 3],
    &[shared::AMOUNT, shared::AMOUNT_MINOR],
    &[ledger::CAPTURED, ledger::CAPTURED_MINOR],
];

impl Layout {
    /// The layout of a source: its mapping over a table of well-known names. `partitions` are the fields that tell
    /// partitions apart anywhere in the case (C6).
    ///
    /// # Errors
    /// When the mapping names a field that is not known, or a path that cannot be followed.
    pub fn new(
        table: &'static [FieldNames],
        options: &Options,
        partitions: &[String],
    ) -> Result<Self, MappingError> {
        let mut layout = Self {
            table,
            looks: vec![Vec::new(); SLOTS],
            mapped: vec![false; SLOTS],
            plan: Plan {
                constants: Vec::new(),
                constant_slots: 0,
                prefixes: table.iter().map(|line| line.prefix.to_owned()).collect(),
                filters: options.scope.clone(),
                parts: partitions.iter().take(PARTS).cloned().collect(),
            },
            mapped_all: false,
        };
        if FILTER + options.scope.len() > SLOTS {
            return Err(MappingError::TooMany);
        }
        for (field, column) in &options.columns {
            layout.map(field, column)?;
        }
        layout.by_name();
        Ok(layout)
    }

    fn map(&mut self, field: &str, column: &Column) -> Result<(), MappingError> {
        let slot = self.slot(field)?;
        let slot = match column {
            // What was captured is in minor units when its column says so.
            Column::From { column, .. }
                if slot == ledger::CAPTURED
                    && field == "captured"
                    && ["minor", "cents"].iter().any(|end| super::names::loose(column).ends_with(end)) =>
            {
                ledger::CAPTURED_MINOR
            }
            _ => slot,
        };
        let group = GROUPS.iter().find(|group| group.contains(&slot) && self.is_group(group));
        for member in group.copied().unwrap_or(&[slot]) {
            if let Some(mapped) = self.mapped.get_mut(*member) {
                *mapped = true;
            }
        }
        match column {
            Column::Const(value) => {
                self.plan.constants.retain(|(own, _)| *own != slot);
                self.plan.constants.push((slot, value.clone()));
                self.plan.constant_slots |= 1 << (slot % SLOTS);
            }
            Column::From { column, prefix, .. } => {
                let looks = paths(column).map_err(|why| MappingError::Path {
                    field: field.to_owned(),
                    path: column.clone(),
                    why: why.to_owned(),
                })?;
                let by_rule = || {
                    let last = looks.first().and_then(|look| look.names.last())?;
                    prefix_of(last).filter(|_| slot == shared::BUSINESS)
                };
                let prefix = prefix.clone().or_else(by_rule).unwrap_or_default();
                if let Some(kept) = self.plan.prefixes.get_mut(slot) {
                    *kept = prefix;
                }
                if let Some(kept) = self.looks.get_mut(slot) {
                    *kept = looks;
                }
            }
        }
        Ok(())
    }

    /// A group of the ledger table is none in the others, whose slots mean something else.
    fn is_group(&self, group: &[usize]) -> bool {
        group.first().is_none_or(|slot| {
            *slot != ledger::CAPTURED || self.table.get(*slot).is_some_and(|line| line.field == "captured")
        })
    }

    fn slot(&self, field: &str) -> Result<usize, MappingError> {
        let named = self.table.iter().position(|line| line.field == field);
        let part = || self.plan.parts.iter().position(|part| part == field).map(|number| PART + number);
        named.or_else(part).ok_or_else(|| {
            let mut known: Vec<&str> = self.table.iter().map(|line| line.field).collect();
            known.dedup();
            MappingError::UnknownField {
                field: field.to_owned(),
                near: did_you_mean(field, known.iter().copied()),
                known: listed(&known, SLOTS),
            }
        })
    }

    /// Everything that is not mapped is looked for by its names.
    fn by_name(&mut self) {
        let taken: Vec<String> =
            self.looks.iter().flatten().filter_map(|look| look.names.last().cloned()).collect();
        let free = |name: &str| !taken.iter().any(|taken| alike(taken, name));
        let mut guessed = false;
        for (slot, line) in self.table.iter().enumerate() {
            if self.mapped.get(slot).copied().unwrap_or(false) {
                continue;
            }
            let names = line.names.iter().copied().filter(|name| free(name));
            let path = |name: &str| name.split('.').map(str::to_owned).collect();
            let mut looks: Vec<Look> =
                names.clone().map(|name| Look { arguments: false, names: path(name) }).collect();
            if line.inside {
                looks.extend(names.map(|name| Look { arguments: true, names: path(name) }));
            }
            guessed |= !looks.is_empty();
            if let Some(kept) = self.looks.get_mut(slot) {
                *kept = looks;
            }
        }
        for (number, name) in self.plan.parts.iter().enumerate() {
            if let Some(kept) = self.looks.get_mut(PART + number).filter(|kept| kept.is_empty()) {
                *kept = [false, true].map(|arguments| Look { arguments, names: vec![name.clone()] }).to_vec();
            }
        }
        for (number, filter) in self.plan.filters.iter().enumerate() {
            if let Some(kept) = self.looks.get_mut(FILTER + number) {
                *kept = paths(filter.column()).unwrap_or_default();
            }
        }
        self.mapped_all = !guessed;
    }

    /// The rest of what is needed while reading.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// "columns by name", "columns as mapped", or both.
    pub fn words(&self, things: &str) -> String {
        let mapped = self.mapped.iter().any(|mapped| *mapped);
        match (mapped, self.mapped_all) {
            (false, _) => format!("{things} by name"),
            (true, true) => format!("{things} as mapped"),
            (true, false) => format!("{things} as mapped, the rest by name"),
        }
    }

    /// The field of a slot, for messages.
    fn label(&self, slot: usize) -> &str {
        match self.table.get(slot) {
            Some(line) => line.field,
            None if slot >= FILTER => "filter",
            None => self.plan.parts.get(slot.saturating_sub(PART)).map_or("", String::as_str),
        }
    }

    /// Which of the arguments' names the table has; empty for tables without calls.
    fn argument_names(&self) -> &'static [&'static str] {
        self.table.iter().find(|line| line.field == "arguments").map_or(&[], |line| line.names)
    }
}

/// Column numbers by slot.
#[derive(Debug, Clone)]
pub struct Columns {
    /// Column of each slot.
    pub of: [Option<usize>; SLOTS],
    /// Field and column, in the order of the table.
    pub found: Vec<(String, String)>,
}

impl Columns {
    /// Whether one of these slots has a column.
    pub fn any(&self, slots: &[usize]) -> bool {
        slots.iter().any(|slot| self.of.get(*slot).is_some_and(Option::is_some))
    }
}

/// The slot of a field inside the arguments of a call.
#[inline]
pub fn inside_slot(slot: usize) -> Option<usize> {
    if slot < PART - INSIDE {
        Some(slot + INSIDE)
    } else {
        (PART..PART + PARTS).contains(&slot).then_some(slot + PARTS)
    }
}

/// The fields that a set of slots in the arguments stands for: [`inside_slot`] backwards, for all of them at once.
pub fn outer_slots(inside: u64) -> u64 {
    const FIELDS: u64 = (1 << (PART - INSIDE)) - 1;
    const PART_FIELDS: u64 = ((1 << PARTS) - 1) << PART;
    ((inside >> INSIDE) & FIELDS) | ((inside >> PARTS) & PART_FIELDS)
}

#[cfg(test)]
mod tests;
