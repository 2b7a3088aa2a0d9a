//! What a layout finds: wanted paths of JSON, columns of a table.

use super::{Columns, LISTED, Layout, Look, MappingError, SLOTS, inside_slot};
use crate::sources::json::Want;
use crate::sources::names::{FILTER, PART, stands_for};
use crate::sources::near::{did_you_mean, listed};
use crate::sources::peek::{Seen, names_below};

impl Layout {
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
            let roots: Vec<Vec<&str>> = if look.arguments {
                self.argument_names().iter().map(|name| vec![*name]).collect()
            } else {
                vec![Vec::new()]
            };
            for root in roots {
                let mut above = root;
                let Some((last, between)) = look.names.split_last() else {
                    continue;
                };
                above.extend(between.iter().map(String::as_str));
                let there = names_below(record, &above);
                let mut fit: Vec<&str> = Vec::new();
                for name in there.into_iter().filter(|name| stands_for(last, name)) {
                    // A name that is not unique makes its record unreadable, not its field unclear.
                    if !fit.contains(&name) {
                        fit.push(name);
                    }
                }
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
            let must =
                slot >= FILTER || (self.mapped.get(slot).copied().unwrap_or(false) && !looks.is_empty());
            if let (None, true, Some(look)) = (column, must, outside().next_back()) {
                let name = look.names.join(".");
                let near = did_you_mean(&name, header.iter().map(String::as_str));
                let present = listed(header, LISTED * 3);
                return Err(if slot >= FILTER {
                    MappingError::NoFilterColumn { column: name, near, present }
                } else {
                    let field = self.label(slot).to_owned();
                    MappingError::MissingColumn { field, column: name, near, present }
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
        let fit: Vec<usize> = header
            .iter()
            .enumerate()
            .filter(|(_, column)| stands_for(name, column))
            .map(|(at, _)| at)
            .collect();
        match fit.as_slice() {
            [] => Ok(None),
            [one] => Ok(Some(*one)),
            several => {
                let candidates: Vec<&str> =
                    several.iter().filter_map(|at| header.get(*at)).map(String::as_str).collect();
                if let Some(column) =
                    candidates.first().filter(|first| candidates.iter().all(|c| c == *first))
                {
                    return Err(MappingError::Doubled {
                        column: (*column).to_owned(),
                        times: candidates.len(),
                    });
                }
                Err(MappingError::Ambiguous {
                    field: self.label(slot).to_owned(),
                    candidates: listed(&candidates, LISTED),
                })
            }
        }
    }
}

/// The only place that holds.
fn unique(mut tests: impl Iterator<Item = bool>) -> Option<usize> {
    let first = tests.by_ref().position(|test| test)?;
    (!tests.any(|test| test)).then_some(first)
}
