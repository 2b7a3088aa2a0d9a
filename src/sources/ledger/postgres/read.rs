//! The reading: two looks, the ids of the traces in batches, the rows of their window (`4-sources.md` 4.5).

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use postgres::types::Type;

use super::looks::{First, first, position};
use super::query;
use super::session::{Parameter, Session, array, texts};
use crate::model::time::{Instant, Micros, parse_time, rfc3339};
use crate::sources::ledger::server::{BATCH, Plan, ServerError, ServerFacts, Taken, Texts, WINDOW_ROWS, now};
use crate::sources::ledger::sqlite::choose::TraceIds;
use crate::sources::names::ledger;
use crate::sources::spec::Options;

/// Clocks that differ by less do not cut the window, microseconds.
const SKEW: i64 = 5_000_000;

/// A time without a zone may be this far from the same time in UTC, microseconds.
const ZONES: i64 = 15 * 3_600_000_000;

/// Reads; once more where a replica had to go on.
pub(super) fn take(plan: &Plan, cancel: &Arc<AtomicBool>) -> Result<Taken, ServerError> {
    match once(plan, cancel) {
        Err(ServerError::Conflict) => {
            let mut taken = once(plan, cancel)?;
            taken.facts.notes.push(
                "the replica cancelled the reading once (recovery conflict); it was read again".to_owned(),
            );
            Ok(taken)
        }
        other => other,
    }
}

fn once(plan: &Plan, cancel: &Arc<AtomicBool>) -> Result<Taken, ServerError> {
    let mut session = Session::connect(&plan.server, &plan.password_command)?;
    let schemas = session.schemas()?;
    let look = first(&mut session, &schemas, plan.patience, cancel)?;
    let mut facts = ServerFacts { read_at: Some(now()), first_look: look.clock, ..ServerFacts::default() };
    facts.notes.extend(session.note.take());
    session.begin(&schemas)?;
    let mut rows = Rows::default();
    // The position first: it is that of the snapshot in which everything is read.
    let position = position(&mut session, look.replica)?;
    facts.position = position.words;
    facts.notes.extend(position.notes);
    let window_read = if plan.sql.is_some() {
        let parameters = Statement::of(plan);
        rows.add(session.rows(&query::whole(plan), &parameters.all(), "the statement of the ledger")?);
        false
    } else {
        listing(&mut session, plan, cancel, &mut rows, &mut facts)?
    };
    ends(&mut session, plan, &mut facts)?;
    session.end()?;
    facts.replica = look.replica;
    facts.replayed = position.replayed;
    facts.settled = look.settled;
    facts.incomplete = why(&look, &position.lsn).or_else(|| plan.gap(window_read));
    if let Some((ids, waited)) = &look.waited {
        let (ids, ms) = (ids.join(", "), waited.as_millis());
        facts.notes.push(if look.settled {
            format!("transactions {ids} were open at the first look and gone after {ms} ms")
        } else {
            format!("transactions {ids} were open at the first look; waited {ms} ms")
        });
    }
    Ok(Taken { rows: rows.rows, facts })
}

/// Why no absence follows, from the looks alone.
fn why(look: &First, lsn: &str) -> Option<String> {
    if look.replica {
        return Some(format!(
            "it is a replica at LSN {lsn}, where open transactions of the primary cannot be seen: to prove an absence read \
             the primary"
        ));
    }
    look.why.clone()
}

/// Rows, each once.
#[derive(Default)]
struct Rows {
    rows: Vec<Texts>,
    places: HashSet<String>,
}

impl Rows {
    fn add(&mut self, more: Vec<postgres::Row>) {
        for row in &more {
            let mut cells = texts(row);
            if cells.is_empty() {
                continue;
            }
            let place = cells.remove(0);
            if place.is_none_or(|place| self.places.insert(place)) {
                self.rows.push(cells);
            }
        }
    }

    fn effects(&self, plan: &Plan) -> Vec<String> {
        let cell = plan.of.get(ledger::EFFECT).copied().flatten();
        let mut ids: Vec<String> = self.rows.iter().filter_map(|row| row.get(cell?)?.clone()).collect();
        ids.sort_unstable();
        ids.dedup();
        ids
    }
}

/// By ids, then the window; says whether all rows of the window were read.
fn listing(
    session: &mut Session,
    plan: &Plan,
    cancel: &Arc<AtomicBool>,
    rows: &mut Rows,
    facts: &mut ServerFacts,
) -> Result<bool, ServerError> {
    let go_on = || if cancel.load(Ordering::Relaxed) { Err(ServerError::Cancelled) } else { Ok(()) };
    let table = plan.chosen.table.name.clone();
    let asks = plan.asks(query::fits);
    if plan.has_places {
        for ask in &asks {
            let Some((column, declared)) = plan.column(ask.column) else { continue };
            let sql = query::narrow(plan, column, declared);
            for ids in ask.ids.chunks(BATCH) {
                go_on()?;
                rows.add(session.rows(&sql, &[(&array(ids), Type::TEXT_ARRAY)], &table)?);
            }
        }
        // What takes an effect back may carry nothing but its id.
        if let Some((column, declared)) = plan.column_of(ledger::REVERSES).and_then(|at| plan.column(at)) {
            let sql = query::narrow(plan, column, declared);
            let ids: Vec<String> =
                rows.effects(plan).into_iter().filter(|id| query::fits(declared, id)).collect();
            for ids in ids.chunks(BATCH) {
                go_on()?;
                rows.add(session.rows(&sql, &[(&array(ids), Type::TEXT_ARRAY)], &table)?);
            }
        }
    }
    let window = window(session, plan, rows, facts)?;
    if !plan.has_places && !window && !asks.is_empty() {
        // Rows without a place: one query gives each of them once.
        let columns: Vec<(&str, &str)> = asks.iter().filter_map(|ask| plan.column(ask.column)).collect();
        let lists: Vec<Vec<&str>> = asks.iter().map(|ask| array(&ask.ids)).collect();
        let with: Vec<Parameter<'_>> = lists.iter().map(|list| (list as _, Type::TEXT_ARRAY)).collect();
        rows.add(session.rows(&query::either(plan, &columns), &with, &table)?);
    }
    Ok(window)
}

/// The rows of the trace's window, where they are not too many: then they are counted and added up.
fn window(
    session: &mut Session,
    plan: &Plan,
    rows: &mut Rows,
    facts: &mut ServerFacts,
) -> Result<bool, ServerError> {
    let Some((column, declared, zoned)) = query::time(plan) else {
        facts.notes.push(
            "the rows were asked for by ids alone: the table has no column with a time of its own type"
                .to_owned(),
        );
        return Ok(false);
    };
    let Some((from, to)) = plan.window(if zoned { SKEW } else { SKEW + ZONES }) else {
        facts.notes.push("the rows were asked for by ids alone: the traces have no times".to_owned());
        return Ok(false);
    };
    let (from, to) = (written(from), written(to));
    let with: [Parameter<'_>; 2] = [(&from, Type::TEXT), (&to, Type::TEXT)];
    let count_sql = query::window_count(plan, column, declared);
    let count = session.perhaps(|s| s.first(&count_sql, &with, "the rows of the time of the trace"))?;
    let count = match count {
        Ok(cells) => {
            cells.first().cloned().flatten().and_then(|text| text.parse::<usize>().ok()).unwrap_or(usize::MAX)
        }
        Err(why) => {
            facts.notes.push(format!("the rows of the time of the trace were not read: {why}"));
            return Ok(false);
        }
    };
    if count <= WINDOW_ROWS {
        let sql = query::window(plan, column, declared);
        return match session.perhaps(|s| s.rows(&sql, &with, "the rows of the time of the trace"))? {
            Ok(more) => {
                rows.add(more);
                Ok(true)
            }
            Err(why) => {
                facts.notes.push(format!("the rows of the time of the trace were not read: {why}"));
                Ok(false)
            }
        };
    }
    let mut words = format!(
        "more than {WINDOW_ROWS} rows from {from} to {to}: only those with ids of the trace were read, the others may hold effects \
         without an attempt"
    );
    if let Some(sql) = query::window_totals(plan, column, declared)
        && let Ok(totals) = session.perhaps(|s| s.rows(&sql, &with, "totals"))?
    {
        for row in &totals {
            let cells = texts(row);
            let cell = |at: usize| cells.get(at).and_then(Option::as_deref).unwrap_or("-").to_owned();
            words.push_str(&format!("; {} {} rows, {}", cell(0), cell(1), cell(2)));
        }
    }
    facts.notes.push(words);
    Ok(false)
}

/// Newest and oldest row of the table; what the time limit does not allow is not known.
fn ends(session: &mut Session, plan: &Plan, facts: &mut ServerFacts) -> Result<(), ServerError> {
    let Some((column, declared, zoned)) = query::time(plan) else { return Ok(()) };
    let latest = facts.first_look.max(facts.read_at).unwrap_or_else(now).0;
    let latest = written(Micros(latest.saturating_add(if zoned { SKEW } else { ZONES })));
    for which in ["max", "min"] {
        let sql = query::end(plan, which, column, declared);
        let mut with: Vec<Parameter<'_>> = vec![(&latest, Type::TEXT)];
        if let Some((_, value)) = &plan.part {
            with.push((value, Type::TEXT));
        }
        let what = if which == "max" { "the newest row" } else { "the oldest row" };
        match session.perhaps(|s| s.first(&sql, &with, what))? {
            Ok(cells) => {
                let time = cells.into_iter().next().flatten().map(|text| parse_time(&text, &plan.zone));
                let time = time.filter(|time| time.at != Micros::NONE).map(Instant::begin);
                if which == "max" {
                    facts.newest = time;
                } else {
                    facts.oldest = time;
                }
            }
            Err(why) => facts.notes.push(format!("{what} is not known: {why}")),
        }
    }
    Ok(())
}

fn written(at: Micros) -> String {
    rfc3339(at)
}

/// The parameters of an own statement.
pub(super) struct Statement {
    since: Option<String>,
    until: Option<String>,
    operations: Vec<String>,
    business: Vec<String>,
}

impl Statement {
    pub(super) fn new(options: &Options, ids: Option<&TraceIds>) -> Self {
        let list = |ids: Option<&HashSet<String>>| {
            let mut ids: Vec<String> =
                ids.into_iter().flatten().filter(|id| !id.contains('\0')).cloned().collect();
            ids.sort_unstable();
            ids
        };
        Self {
            since: options.since.clone(),
            until: options.until.clone(),
            operations: list(ids.map(|ids| &ids.operations)),
            business: list(ids.map(|ids| &ids.business)),
        }
    }

    fn of(plan: &Plan) -> Self {
        let options = Options { since: plan.since.clone(), until: plan.until.clone(), ..Options::default() };
        Self::new(&options, Some(&plan.ids))
    }

    pub(super) fn all(&self) -> [Parameter<'_>; 4] {
        [
            (&self.since, Type::TEXT),
            (&self.until, Type::TEXT),
            (&self.operations, Type::TEXT_ARRAY),
            (&self.business, Type::TEXT_ARRAY),
        ]
    }
}
