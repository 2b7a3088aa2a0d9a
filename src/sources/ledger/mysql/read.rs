//! The reading: two looks, the ids of the traces in batches, the rows of their window.

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use mysql::Value;

use super::looks::{First, first, position};
use super::query::{self, Given, parameter};
use super::session::{Session, perhaps};
use crate::model::time::{Instant, Micros, parse_time, rfc3339};
use crate::sources::ledger::server::{BATCH, Plan, ServerError, ServerFacts, Taken, Texts, WINDOW_ROWS, now};
use crate::sources::names::ledger;

/// Clocks that differ by less do not cut the window, microseconds.
const SKEW: i64 = 5_000_000;

/// A time without a zone may be this far from the same time in UTC, microseconds.
const ZONES: i64 = 15 * 3_600_000_000;

/// Most values that a statement of the server takes.
const MOST_VALUES: usize = 60_000;

pub(super) fn take(plan: &Plan, cancel: &Arc<AtomicBool>) -> Result<Taken, ServerError> {
    let mut session = Session::connect(&plan.server, &plan.password_command)?;
    let look = first(&mut session, plan.patience, cancel)?;
    let mut facts = ServerFacts { read_at: Some(now()), first_look: look.clock, ..ServerFacts::default() };
    facts.notes.extend(session.note.take());
    session.begin()?;
    let clock = session.first("select cast(utc_timestamp(6) as char)", Vec::new(), "the clock")?;
    facts.position = position(&mut session, clock.first().and_then(Option::as_deref))?;
    let mut rows = Rows::default();
    let window_read = if plan.sql.is_some() {
        rows.add(statement(&mut session, plan)?);
        false
    } else {
        listing(&mut session, plan, cancel, &mut rows, &mut facts)?
    };
    ends(&mut session, plan, &mut facts)?;
    session.end()?;
    facts.replica = look.replica;
    facts.settled = look.settled;
    facts.incomplete = why(&look, plan).or_else(|| plan.gap(window_read));
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

/// Why no absence follows, from the looks and the table alone.
fn why(look: &First, plan: &Plan) -> Option<String> {
    if look.replica {
        return Some(
            "it is a replica, where open transactions of the primary cannot be seen: to prove an absence read the primary"
                .to_owned(),
        );
    }
    look.why.clone().or_else(|| {
        let engine = plan.without_snapshots.as_ref()?;
        Some(format!("the table is of the engine {engine}, which has no transactions and no snapshots"))
    })
}

/// Rows, each once.
#[derive(Default)]
struct Rows {
    rows: Vec<Texts>,
    places: HashSet<String>,
}

impl Rows {
    fn add(&mut self, more: Vec<Texts>) {
        for mut cells in more {
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

fn sorted(ids: &HashSet<String>) -> Vec<String> {
    let mut ids: Vec<String> = ids.iter().cloned().collect();
    ids.sort_unstable();
    ids
}

fn statement(session: &mut Session, plan: &Plan) -> Result<Vec<Texts>, ServerError> {
    let (operations, business) = (sorted(&plan.ids.operations), sorted(&plan.ids.business));
    let given = Given {
        since: plan.since.as_deref(),
        until: plan.until.as_deref(),
        operations: &operations,
        business: &business,
    };
    let (sql, values) = query::parameters(&query::whole(plan), &given);
    if values.len() > MOST_VALUES {
        return Err(ServerError::Statement(format!(
            "asks for {} ids at once, and the server takes {MOST_VALUES}: ask by time (:since, :until)",
            values.len()
        )));
    }
    session.rows(&sql, values, "the statement of the ledger")
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
    let by_ids =
        |session: &mut Session, rows: &mut Rows, at: usize, ids: &[String]| -> Result<(), ServerError> {
            let Some((column, declared)) = plan.column(at) else { return Ok(()) };
            for ids in ids.chunks(BATCH) {
                go_on()?;
                let with = ids.iter().map(|id| parameter(declared, id)).collect();
                rows.add(session.rows(&query::narrow(plan, column, ids.len()), with, &table)?);
            }
            Ok(())
        };
    if plan.has_places {
        for ask in &asks {
            by_ids(session, rows, ask.column, &ask.ids)?;
        }
        // What takes an effect back may carry nothing but its id.
        if let Some(at) = plan.column_of(ledger::REVERSES) {
            let declared = plan.column(at).map_or("", |(_, declared)| declared);
            let mut ids = rows.effects(plan);
            ids.retain(|id| query::fits(declared, id));
            by_ids(session, rows, at, &ids)?;
        }
    }
    let window = window(session, plan, rows, facts)?;
    if !plan.has_places && !window && !asks.is_empty() {
        // Rows without a place: one query gives each of them once.
        let with: Vec<Value> = asks
            .iter()
            .filter_map(|ask| Some((plan.column(ask.column)?.1, &ask.ids)))
            .flat_map(|(declared, ids)| ids.iter().map(move |id| parameter(declared, id)))
            .collect();
        if with.len() > MOST_VALUES {
            return Err(ServerError::Setting(format!(
                "the table has no primary key, so all {} ids are asked for at once, and the server takes {MOST_VALUES}: \
                 narrow the trace with --since and --until",
                with.len()
            )));
        }
        rows.add(session.rows(&query::either(plan, &asks), with, &table)?);
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
    const WHAT: &str = "the rows of the time of the trace";
    let Some((column, zoned)) = query::time(plan) else {
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
    let with = || vec![written(from), written(to)];
    let not_read = |why: &ServerError| format!("{WHAT} were not read: {why}");
    let count = match perhaps(session.first(&query::window_count(plan, column), with(), WHAT))? {
        Ok(cells) => {
            cells.first().cloned().flatten().and_then(|text| text.parse::<usize>().ok()).unwrap_or(usize::MAX)
        }
        Err(why) => {
            facts.notes.push(not_read(&why));
            return Ok(false);
        }
    };
    if count <= WINDOW_ROWS {
        return match perhaps(session.rows(&query::window(plan, column), with(), WHAT))? {
            Ok(more) => {
                rows.add(more);
                Ok(true)
            }
            Err(why) => {
                facts.notes.push(not_read(&why));
                Ok(false)
            }
        };
    }
    let mut words = format!(
        "more than {WINDOW_ROWS} rows from {} to {}: only those with ids of the trace were read, the others may hold effects \
         without an attempt",
        rfc3339(from),
        rfc3339(to)
    );
    if let Some(sql) = query::window_totals(plan, column)
        && let Ok(totals) = perhaps(session.rows(&sql, with(), "totals"))?
    {
        for row in &totals {
            let cell = |at: usize| row.get(at).and_then(Option::as_deref).unwrap_or("-").to_owned();
            words.push_str(&format!("; {} {} rows, {}", cell(0), cell(1), cell(2)));
        }
    }
    facts.notes.push(words);
    Ok(false)
}

/// Newest and oldest row of the table; what the time limit does not allow is not known.
fn ends(session: &mut Session, plan: &Plan, facts: &mut ServerFacts) -> Result<(), ServerError> {
    let Some((column, zoned)) = query::time(plan) else { return Ok(()) };
    let latest = facts.first_look.max(facts.read_at).unwrap_or_else(now).0;
    let latest = Micros(latest.saturating_add(if zoned { SKEW } else { ZONES }));
    for which in ["max", "min"] {
        let mut with = vec![written(latest)];
        with.extend(plan.part.iter().map(|(_, value)| Value::Bytes(value.as_bytes().to_vec())));
        let what = if which == "max" { "the newest row" } else { "the oldest row" };
        match perhaps(session.first(&query::end(plan, which, column), with, what))? {
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

/// A moment as the server reads it; the session is in UTC.
fn written(at: Micros) -> Value {
    let text = rfc3339(at);
    Value::Bytes(text.trim_end_matches('Z').replace('T', " ").into_bytes())
}
