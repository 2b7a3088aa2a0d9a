//! What is asked of a server: which columns, which ids, which window. Pure.

use std::collections::HashMap;
use std::time::Duration;

use super::super::sqlite::choose::{Chosen, TraceIds, Wanted};
use crate::model::time::{Micros, Zone, parse_time, rfc3339};
use crate::sources::address::{Engine, Server};
use crate::sources::json::SLOTS;
use crate::sources::mapping::Layout;
use crate::sources::names::{ledger, shared};
use crate::sources::spec::Options;

/// What a source is opened with.
#[derive(Debug, Clone, Copy)]
pub struct Request<'r> {
    /// The server.
    pub server: &'r Server,
    /// Options of the source.
    pub options: &'r Options,
    /// Ledger or records.
    pub wanted: Wanted,
    /// Its mapping.
    pub layout: &'r Layout,
    /// Ids and window of the loaded traces, all of them.
    pub ids: Option<&'r TraceIds>,
    /// How long open transactions are waited for.
    pub patience: Duration,
    /// How much longer than its calls the window is, microseconds.
    pub reach: i64,
}

/// What is read of a server.
#[derive(Debug, Clone)]
pub struct Plan {
    /// The server.
    pub server: Server,
    /// Prints its password.
    pub password_command: Vec<String>,
    /// Table and columns.
    pub chosen: Chosen,
    /// What is read from: the table's name as SQL writes it, or the statement in brackets.
    pub from: String,
    /// Own statement.
    pub sql: Option<String>,
    /// Rows have a place of their own (`ctid`), by which a row that two queries give is known.
    pub has_places: bool,
    /// Number of the cell of each slot.
    pub of: [Option<usize>; SLOTS],
    /// Column of each cell.
    pub picked: Vec<usize>,
    /// The column of a cell is a float.
    pub real: Vec<bool>,
    /// Type prefix of each slot's values.
    prefixes: Vec<String>,
    /// Ids and window of the traces.
    pub ids: TraceIds,
    /// Zone of times without one.
    pub zone: Zone,
    /// The partition that is held: column and value.
    pub part: Option<(usize, String)>,
    /// `--since`; in an own statement `:since`.
    pub since: Option<String>,
    /// `--until`; in an own statement `:until`.
    pub until: Option<String>,
    /// Ids are equal after steps that no server knows.
    pub normalises: bool,
    /// The statement gives all rows of its kind.
    pub complete: bool,
    /// The engine of a table that has no transactions and no snapshots.
    pub without_snapshots: Option<String>,
    /// How long open transactions are waited for.
    pub patience: Duration,
    reach: i64,
}

/// Ids that are looked for in one column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ask {
    /// Number of the column in the table.
    pub column: usize,
    /// The ids, sorted, as they stand in the column.
    pub ids: Vec<String>,
}

/// Slots of an attempt's ids, with the bit that [`TraceIds::carried`] has for it.
const CARRIED: [(usize, u8); 6] = [
    (shared::OPERATION, TraceIds::OPERATION),
    (shared::KEY, TraceIds::KEY),
    (shared::BUSINESS, TraceIds::BUSINESS),
    (shared::BUSINESS + 1, TraceIds::BUSINESS),
    (shared::BUSINESS + 2, TraceIds::BUSINESS),
    (shared::BUSINESS + 3, TraceIds::BUSINESS),
];

impl Plan {
    /// A plan for a table or an own statement. `quote` writes a name as SQL does, `is_real` knows types that are floats.
    pub fn new(
        request: &Request<'_>,
        chosen: Chosen,
        from: String,
        sql: Option<String>,
        has_places: bool,
        is_real: impl Fn(&str) -> bool,
    ) -> Self {
        let mut picked: Vec<usize> = Vec::new();
        let mut of = [None; SLOTS];
        for (slot, column) in of.iter_mut().zip(&chosen.columns.of) {
            let Some(column) = column else { continue };
            let at = picked.iter().position(|known| known == column).unwrap_or_else(|| {
                picked.push(*column);
                picked.len() - 1
            });
            *slot = Some(at);
        }
        let declared =
            |at: &usize| chosen.table.columns.get(*at).map_or("", |column| column.declared.as_str());
        let real = picked.iter().map(|at| is_real(declared(at))).collect();
        let options = request.options;
        let part = request.layout.plan().parts().find_map(|(slot, field)| {
            let (_, value) = options.partition.iter().find(|(known, _)| known == field)?;
            Some((chosen.columns.of.get(slot).copied().flatten()?, value.clone()))
        });
        Self {
            server: request.server.clone(),
            password_command: options.password_command.clone(),
            from,
            sql,
            has_places,
            of,
            picked,
            real,
            prefixes: (0..SLOTS).map(|slot| request.layout.plan().prefix(slot).to_owned()).collect(),
            ids: request.ids.cloned().unwrap_or_default(),
            zone: options.zone.as_deref().and_then(Zone::parse).unwrap_or(Zone::Unknown),
            part,
            since: options.since.clone(),
            until: options.until.clone(),
            normalises: !options.normalise.is_empty(),
            complete: options.completeness.as_deref() == Some("complete"),
            without_snapshots: None,
            patience: request.patience,
            reach: request.reach,
            chosen,
        }
    }

    /// Name and declared type of a column.
    pub fn column(&self, at: usize) -> Option<(&str, &str)> {
        self.chosen.table.columns.get(at).map(|column| (column.name.as_str(), column.declared.as_str()))
    }

    /// The column of a slot.
    pub fn column_of(&self, slot: usize) -> Option<usize> {
        self.chosen.columns.of.get(slot).copied().flatten()
    }

    /// The column with the time of a row.
    pub fn time(&self) -> Option<usize> {
        self.column_of(ledger::COMMITTED)
    }

    /// Which ids are asked for in which columns: operation ids, keys, receipts and business ids of the traces. Only ids
    /// that can stand in a column of this type are asked for: `fits` says.
    pub fn asks(&self, fits: impl Fn(&str, &str) -> bool) -> Vec<Ask> {
        let ids = &self.ids;
        let business =
            (shared::BUSINESS..shared::BUSINESS + shared::BUSINESS_SLOTS).map(|slot| (slot, &ids.business));
        let slots = [
            (shared::OPERATION, &ids.operations),
            (shared::KEY, &ids.keys),
            (ledger::EFFECT, &ids.receipts),
            (ledger::EXTERNAL, &ids.receipts),
        ];
        let mut asks: Vec<Ask> = Vec::new();
        for (slot, known) in slots.into_iter().chain(business) {
            let Some(column) = self.column_of(slot) else { continue };
            let Some((_, declared)) = self.column(column) else { continue };
            let prefix = self.prefixes.get(slot).map_or("", String::as_str);
            let bare = known.iter().filter(|_| !prefix.is_empty()).filter_map(|id| id.strip_prefix(prefix));
            let all = known.iter().map(String::as_str).chain(bare);
            let mut found: Vec<String> = all.filter(|id| fits(declared, id)).map(str::to_owned).collect();
            match asks.iter_mut().find(|ask| ask.column == column) {
                Some(ask) => ask.ids.append(&mut found),
                None => asks.push(Ask { column, ids: found }),
            }
        }
        for ask in &mut asks {
            ask.ids.sort_unstable();
            ask.ids.dedup();
        }
        asks.retain(|ask| !ask.ids.is_empty());
        asks
    }

    /// Begin and end of the trace's window, with the time that a write may come later; `None` where the traces have
    /// no times. `skew` is for clocks that differ, microseconds.
    pub fn window(&self, skew: i64) -> Option<(Micros, Micros)> {
        let (from, to) = self.ids.window?;
        Some((
            Micros(from.0.saturating_sub(skew)),
            Micros(to.0.saturating_add(self.reach).saturating_add(skew)),
        ))
    }

    /// Why the narrow query is not complete for every intent (C3), where it is not: its row would carry none of the
    /// ids that could be asked for. Where all rows of the window were read this does not matter.
    pub fn gap(&self, window_read: bool) -> Option<String> {
        if window_read || self.complete {
            return None;
        }
        if self.sql.is_some() {
            return Some(
                "an own statement may leave out rows; where it gives all of its kind, say `complete = true`"
                    .to_owned(),
            );
        }
        if self.normalises {
            return Some(
                "ids are equal only after steps that the server does not know, and not all rows of the time were read"
                    .to_owned(),
            );
        }
        let mut columns = 0;
        for (slot, bit) in CARRIED {
            columns |= if self.column_of(slot).is_some() { bit } else { 0 };
        }
        let unasked = self.ids.carried.iter().any(|carried| carried & columns == 0);
        unasked.then(|| {
            "some calls carry no id that the table has a column for, and not all rows of the time were read".to_owned()
        })
    }

    /// The query as it is shown: the narrow one, or the own statement.
    pub fn shown(&self) -> String {
        if let Some(sql) = &self.sql {
            return sql.clone();
        }
        let first = self.asks(|_, _| true).into_iter().next();
        match first.and_then(|ask| {
            self.column(ask.column).map(|(name, declared)| (name.to_owned(), declared.to_owned()))
        }) {
            Some((name, declared)) => self.narrow(&name, &declared),
            None => format!("select * from {}", self.from),
        }
    }

    /// The narrow query by one column, in the words of its server.
    fn narrow(&self, name: &str, declared: &str) -> String {
        match self.server.engine {
            #[cfg(feature = "postgres")]
            Engine::Postgres => super::super::postgres::query::narrow(self, name, declared),
            #[cfg(feature = "mysql")]
            Engine::Mysql => super::super::mysql::query::shown(self, name, declared),
            #[cfg(not(feature = "mysql"))]
            Engine::Mysql => format!("select * from {} where {name} in (..)", self.from),
            #[cfg(not(feature = "postgres"))]
            Engine::Postgres => format!("select * from {} where {name}::{declared} = any ($1)", self.from),
        }
    }

    /// One line that counts and adds up the amounts per currency, of the rows in the time that is
    /// read; `None` where SQL cannot say which these are. A row filter is not in it: what it leaves out is read and counted.
    pub fn confirming(&self) -> Option<String> {
        let quote = |at: usize| self.column(at).map(|(name, _)| self.quoted(name));
        let amount = self
            .column_of(shared::AMOUNT)
            .or_else(|| self.column_of(shared::AMOUNT_MINOR))
            .and_then(quote)?;
        let from = match &self.sql {
            Some(sql) => format!("({}) as q", sql.split_whitespace().collect::<Vec<_>>().join(" ")),
            None => self.from.clone(),
        };
        let rows = self.only()?;
        let from = if rows.is_empty() { from } else { format!("{from} where {}", rows.join(" and ")) };
        Some(match self.column_of(shared::CURRENCY).and_then(quote) {
            Some(currency) => format!("select {currency}, count(*), sum({amount}) from {from} group by 1"),
            None => format!("select count(*), sum({amount}) from {from}"),
        })
    }

    /// What a row has to fulfil so that it counts: `--since` and `--until`. `None` where a time cannot
    /// be compared.
    fn only(&self) -> Option<Vec<String>> {
        let mut all = Vec::new();
        for (bound, sign) in [(&self.since, ">="), (&self.until, "<=")] {
            let Some(bound) = bound else { continue };
            let at = parse_time(bound, &self.zone);
            let (column, declared) = self.column(self.time()?)?;
            if at.at == Micros::NONE {
                return None;
            }
            let column = self.quoted(column);
            let bound = rfc3339(at.at);
            let within = match (self.server.engine, declared) {
                (Engine::Postgres, "timestamptz") => format!("{column} {sign} '{bound}'"),
                // The same in a session of any zone.
                (Engine::Mysql, "timestamp") => {
                    let (seconds, rest) = (at.at.0.div_euclid(1_000_000), at.at.0.rem_euclid(1_000_000));
                    format!("unix_timestamp({column}) {sign} {seconds}.{rest:06}")
                }
                (Engine::Postgres, "timestamp") | (Engine::Mysql, "datetime") if self.zone == Zone::Utc => {
                    format!("{column} {sign} '{}'", bound.trim_end_matches('Z').replace('T', " "))
                }
                _ => return None,
            };
            // A row without a time is never outside.
            all.push(format!("({column} is null or {within})"));
        }
        // The parameters of an own statement hold its times already, and no line can be copied that has them.
        let parameters = self.sql.as_ref().is_some_and(|sql| has_parameters(self.server.engine, sql));
        (!parameters).then_some(all)
    }

    /// By what a reading beside a trace asks for rows: the columns with ids, then the time; or the own statement.
    pub fn would_ask(&self) -> String {
        if let Some(sql) = &self.sql {
            return sql.clone();
        }
        let business = shared::BUSINESS..shared::BUSINESS + shared::BUSINESS_SLOTS;
        let slots = [shared::OPERATION, shared::KEY, ledger::EFFECT, ledger::EXTERNAL];
        let mut names: Vec<String> = Vec::new();
        for at in slots.into_iter().chain(business).filter_map(|slot| self.column_of(slot)) {
            let Some((name, _)) = self.column(at) else { continue };
            let name = self.quoted(name);
            if !names.contains(&name) {
                names.push(name);
            }
        }
        let mut parts: Vec<String> = names.into_iter().map(|name| format!("{name} in (..)")).collect();
        if let Some((name, _)) = self.time().and_then(|at| self.column(at)) {
            parts.push(format!("{} in the time of the calls", self.quoted(name)));
        }
        format!("rows of {} with {}", self.from, parts.join(" or "))
    }

    /// A name as this server's SQL writes it.
    pub fn quoted(&self, name: &str) -> String {
        quoted(self.server.engine, name)
    }
}

/// How the traces write the ids of columns whose type knows no case: equal for the server is equal here.
#[derive(Debug, Default)]
pub struct Forms {
    cells: Vec<usize>,
    written: HashMap<String, String>,
}

impl Plan {
    /// Forms of the ids that the traces write in capitals, for columns of the type `uuid`.
    pub fn forms(&self) -> Forms {
        let is_uuid = |at: &usize| self.column(*at).is_some_and(|(_, declared)| declared == "uuid");
        let cells: Vec<usize> =
            self.picked.iter().enumerate().filter(|(_, at)| is_uuid(at)).map(|(cell, _)| cell).collect();
        let ids = &self.ids;
        let sets = [&ids.operations, &ids.keys, &ids.receipts, &ids.business];
        let mut written: HashMap<String, String> = HashMap::new();
        let all = sets.iter().filter(|_| !cells.is_empty()).flat_map(|set| set.iter());
        for id in all.filter(|id| id.bytes().any(|byte| byte.is_ascii_uppercase())) {
            let small = id.to_ascii_lowercase();
            // Where the traces have the server's own form too, that one is it; of several others the first.
            let first = written.get(&small).is_none_or(|known| id < known);
            if first && !sets.iter().any(|set| set.contains(&small)) {
                written.insert(small, id.clone());
            }
        }
        Forms { cells, written }
    }
}

impl Forms {
    /// The texts of a row as the traces write them; `None` where they are as they were read.
    pub fn of(&self, texts: &super::Texts) -> Option<super::Texts> {
        let known = |cell: &usize| self.written.get(texts.get(*cell)?.as_deref()?);
        if self.written.is_empty() || !self.cells.iter().any(|cell| known(cell).is_some()) {
            return None;
        }
        let mut told = texts.clone();
        for cell in &self.cells {
            if let (Some(form), Some(text)) = (known(cell), told.get_mut(*cell)) {
                *text = Some(form.clone());
            }
        }
        Some(told)
    }
}

/// A name as SQL writes it. Only names that were looked up in the catalog are written this way.
pub fn quoted(engine: Engine, name: &str) -> String {
    match engine {
        Engine::Postgres => format!("\"{}\"", name.replace('"', "\"\"")),
        Engine::Mysql => format!("`{}`", name.replace('`', "``")),
    }
}

/// An own statement asks for values that a reading has.
fn has_parameters(engine: Engine, sql: &str) -> bool {
    let quotes: &[char] = match engine {
        Engine::Postgres => &['\'', '"'],
        Engine::Mysql => &['\'', '"', '`'],
    };
    let mut any = false;
    let _ = with_parameters(sql, quotes, |word| {
        any |= ["since", "until", "operation_ids", "business_ids"].contains(&word);
        None
    });
    any
}

/// Replaces the named parameters of an own statement: `:since`, `:until`, `:operation_ids`, `:business_ids`. What stands
/// in quotes (these characters) or comments, and the casts `::`, stay.
pub fn with_parameters(sql: &str, quotes: &[char], mut of: impl FnMut(&str) -> Option<String>) -> String {
    let mut out = String::with_capacity(sql.len());
    let mut rest = sql;
    let mut before = ' ';
    while let Some(letter) = rest.chars().next() {
        let skip = match letter {
            letter if quotes.contains(&letter) => {
                rest.get(1..).and_then(|inside| inside.find(letter)).map(|end| end + 2)
            }
            '-' if rest.starts_with("--") => Some(rest.find('\n').unwrap_or(rest.len())),
            '/' if rest.starts_with("/*") => rest.find("*/").map(|end| end + 2),
            _ => None,
        };
        if let Some((inside, behind)) = skip.and_then(|end| rest.split_at_checked(end)) {
            out.push_str(inside);
            (rest, before) = (behind, ' ');
            continue;
        }
        let behind = rest.get(letter.len_utf8()..).unwrap_or_default();
        let known = (letter == ':' && before != ':').then(|| {
            let end = behind.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(behind.len());
            let (word, behind) = behind.split_at_checked(end)?;
            Some((of(word)?, behind))
        });
        if let Some((written, behind)) = known.flatten() {
            out.push_str(&written);
            (rest, before) = (behind, ' ');
            continue;
        }
        out.push(letter);
        (rest, before) = (behind, letter);
    }
    out
}
