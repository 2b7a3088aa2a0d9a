//! Which columns and paths stand for which fields of the model: the mapping of a source (`4-sources.md` 4.10) over
//! the well-known names (`7-commands.md` 7.5.8).
//!
//! A [`Layout`] is made once per source; it gives a [`Want`] for JSON and column numbers for tables, and both fill the
//! same slots ([`super::names`]). What a mapping names is taken from there only; the rest is found by name.

use thiserror::Error;

use super::json::{Want, WantError};
use super::names::{FILTER, FieldNames, INSIDE, PART, PARTS, alike, ledger, prefix_of, shared, stands_for};
use super::near::{did_you_mean, listed};
use super::peek::{Seen, names_below};
use super::spec::{Column, Filter, Options};

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
    #[error("no column of {what} is known by name; there are {present}: map them, for instance `operation_id = \"..\"`")]
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
    constants: Vec<Option<String>>,
    prefixes: Vec<String>,
    filters: Vec<Filter>,
    parts: Vec<String>,
}

impl Plan {
    /// The constant of a slot.
    pub fn constant(&self, slot: usize) -> Option<&str> {
        self.constants.get(slot)?.as_deref()
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
                constants: vec![None; SLOTS],
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
                if let Some(constant) = self.plan.constants.get_mut(slot) {
                    *constant = Some(value.clone());
                }
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
        let taken: Vec<String> = self.looks.iter().flatten().filter_map(|look| look.names.last().cloned()).collect();
        let free = |name: &str| !taken.iter().any(|taken| alike(taken, name));
        let mut guessed = false;
        for (slot, line) in self.table.iter().enumerate() {
            if self.mapped.get(slot).copied().unwrap_or(false) {
                continue;
            }
            let names = line.names.iter().copied().filter(|name| free(name));
            let path = |name: &str| name.split('.').map(str::to_owned).collect();
            let mut looks: Vec<Look> = names.clone().map(|name| Look { arguments: false, names: path(name) }).collect();
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

    /// Wanted paths for JSON records, and those inside arguments that come as a JSON text. Endings (`*_cents`) are
    /// looked for among the names of the sampled records. `exact`: names are those of a format and are compared byte
    /// by byte; what stands inside arguments never is.
    ///
    /// # Errors
    /// When more is wanted than there are slots.
    pub fn wants(&self, sample: &[Vec<Seen>], exact: bool) -> Result<(Want, Want), MappingError> {
        let mut record = if exact { Want::exact(&[])? } else { Want::loose(&[])? };
        let mut inside = Want::loose(&[])?;
        for (slot, looks) in self.looks.iter().enumerate() {
            for look in looks {
                let endings = self.spelled(look, sample);
                for names in &endings {
                    let names: Vec<&str> = names.iter().map(String::as_str).collect();
                    if !look.arguments {
                        record.add_names(slot, &names)?;
                        continue;
                    }
                    let deeper = inside_slot(slot).unwrap_or(slot);
                    for arguments in self.argument_names() {
                        let mut path = vec![*arguments];
                        path.extend(&names);
                        record.add_names(deeper, &path)?;
                    }
                    inside.add_names(deeper, &names)?;
                }
            }
        }
        Ok((record, inside))
    }

    /// A look with its ending replaced by the names that are there.
    fn spelled(&self, look: &Look, sample: &[Vec<Seen>]) -> Vec<Vec<String>> {
        let Some((last, above)) = look.names.split_last() else {
            return Vec::new();
        };
        if !last.starts_with("*_") {
            return vec![look.names.clone()];
        }
        let mut names: Vec<Vec<String>> = Vec::new();
        let mut add = |found: Vec<&str>| {
            for name in found.into_iter().filter(|name| stands_for(last, name)) {
                let path: Vec<String> = above.iter().cloned().chain([name.to_owned()]).collect();
                if !names.contains(&path) && names.len() < 16 {
                    names.push(path);
                }
            }
        };
        for record in sample {
            if look.arguments {
                for arguments in self.argument_names() {
                    add(names_below(record, &[arguments]));
                }
            } else {
                add(names_below(record, &[]));
            }
        }
        names
    }

    /// Which names the sampled records really have: field and name, in the order of the table.
    ///
    /// # Errors
    /// When two names of one record have equal right to a field.
    pub fn found(&self, sample: &[Vec<Seen>]) -> Result<Vec<(String, String)>, MappingError> {
        let mut found: Vec<(String, String)> = Vec::new();
        for (slot, looks) in self.looks.iter().enumerate().take(self.table.len()) {
            for record in sample {
                if let Some(name) = self.found_in(slot, looks, record)? {
                    found.push((self.label(slot).to_owned(), name));
                    break;
                }
            }
        }
        Ok(found)
    }

    fn found_in(&self, slot: usize, looks: &[Look], record: &[Seen]) -> Result<Option<String>, MappingError> {
        for look in looks {
            let roots: Vec<Vec<&str>> = match look.arguments {
                true => self.argument_names().iter().map(|name| vec![*name]).collect(),
                false => vec![Vec::new()],
            };
            for root in roots {
                let mut above = root;
                let Some((last, between)) = look.names.split_last() else { continue };
                above.extend(between.iter().map(String::as_str));
                let there = names_below(record, &above);
                let fit: Vec<&str> = there.into_iter().filter(|name| stands_for(last, name)).collect();
                match fit.as_slice() {
                    [] => {}
                    [one] => {
                        above.push(one);
                        return Ok(Some(above.join(".")));
                    }
                    several => {
                        return Err(MappingError::Ambiguous {
                            field: self.label(slot).to_owned(),
                            candidates: listed(several, LISTED),
                        });
                    }
                }
            }
        }
        Ok(None)
    }

    /// The column of every slot of a table with these columns.
    ///
    /// # Errors
    /// When a mapped or filtered column is not there, or two columns have equal right to a field.
    pub fn columns(&self, header: &[String]) -> Result<Columns, MappingError> {
        let mut columns = Columns { of: [None; SLOTS], found: Vec::new() };
        for (slot, looks) in self.looks.iter().enumerate() {
            let mut column = None;
            let outside = || looks.iter().filter(|look| !look.arguments);
            for look in outside() {
                column = self.column(slot, &look.names.join("."), header)?;
                if column.is_some() {
                    break;
                }
            }
            let must = slot >= FILTER || (self.mapped.get(slot).copied().unwrap_or(false) && !looks.is_empty());
            if let (None, true, Some(look)) = (column, must, outside().last()) {
                let name = look.names.join(".");
                return Err(MappingError::MissingColumn {
                    field: self.label(slot).to_owned(),
                    near: did_you_mean(&name, header.iter().map(String::as_str)),
                    column: name,
                    present: listed(header, LISTED * 3),
                });
            }
            if let (Some(kept), Some(number)) = (columns.of.get_mut(slot), column) {
                *kept = Some(number);
                if let (true, Some(name)) = (slot < self.table.len(), header.get(number)) {
                    columns.found.push((self.label(slot).to_owned(), name.clone()));
                }
            }
        }
        Ok(columns)
    }

    fn column(&self, slot: usize, name: &str, header: &[String]) -> Result<Option<usize>, MappingError> {
        // What a person wrote may be meant exactly; a guess may not choose between names that are alike.
        let named = slot >= PART || self.mapped.get(slot).copied().unwrap_or(false);
        if let (true, Some(exact)) = (named, unique(header.iter().map(|column| column == name))) {
            return Ok(Some(exact));
        }
        let fit: Vec<usize> =
            header.iter().enumerate().filter(|(_, column)| stands_for(name, column)).map(|(at, _)| at).collect();
        match fit.as_slice() {
            [] => Ok(None),
            [one] => Ok(Some(*one)),
            several => {
                let names: Vec<&str> = several.iter().filter_map(|at| header.get(*at)).map(String::as_str).collect();
                Err(MappingError::Ambiguous {
                    field: self.label(slot).to_owned(),
                    candidates: listed(&names, LISTED),
                })
            }
        }
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
pub fn inside_slot(slot: usize) -> Option<usize> {
    if slot < PART - INSIDE {
        Some(slot + INSIDE)
    } else {
        (PART..PART + PARTS).contains(&slot).then_some(slot + PARTS)
    }
}

/// The only place that holds.
fn unique(mut tests: impl Iterator<Item = bool>) -> Option<usize> {
    let first = tests.by_ref().position(|test| test)?;
    (!tests.any(|test| test)).then_some(first)
}

/// Where the values of paths that a mapping may write stand (`4-sources.md` 4.10).
const FORMS: [(&str, &[&[&str]]); 4] = [
    ("meta.", &[&["meta"], &["_meta"], &["metadata"]]),
    ("attr:", &[&["attributes"], &["attrs"]]),
    ("header:", &[&["headers"], &["request", "headers"]]),
    ("tag:", &[&["tags"]]),
];

/// The places that a column or path of a mapping stands for, in order.
fn paths(path: &str) -> Result<Vec<Look>, &'static str> {
    let split = |text: &str| text.split('.').map(str::to_owned).collect::<Vec<String>>();
    let look = |names: Vec<String>| Look { arguments: false, names };
    let looks = if let Some(rest) = path.strip_prefix("args.") {
        vec![Look { arguments: true, names: split(rest) }]
    } else if let Some(rest) = path.strip_prefix("$.") {
        vec![look(split(rest))]
    } else if let Some((form, roots)) = FORMS.iter().find(|(form, _)| path.starts_with(form)) {
        let rest = path.strip_prefix(form).unwrap_or(path);
        let below = |root: &&[&str], last: Vec<String>| {
            look(root.iter().map(|name| (*name).to_owned()).chain(last).collect())
        };
        // The names of attributes and headers may have dots in them; those of metadata are nested as well.
        let mut looks: Vec<Look> = roots.iter().map(|root| below(root, vec![rest.to_owned()])).collect();
        if *form == "meta." && rest.contains('.') {
            looks.extend(roots.iter().map(|root| below(root, split(rest))));
        }
        looks
    } else if path.contains('.') {
        vec![look(vec![path.to_owned()]), look(split(path))]
    } else {
        vec![look(vec![path.to_owned()])]
    };
    if path.contains("[") {
        return Err("places in arrays cannot be named; name a field of an object");
    }
    if looks.iter().any(|look| look.names.is_empty() || look.names.iter().any(String::is_empty)) {
        return Err("it has an empty name");
    }
    Ok(looks)
}

#[cfg(test)]
mod tests;
