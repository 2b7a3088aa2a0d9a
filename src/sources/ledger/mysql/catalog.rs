//! Tables and columns, and which of them are the ledger.

use std::collections::HashSet;

use mysql::Value;

use super::query::{self, Given, name, parameter};
use super::session::{Session, perhaps};
use crate::sources::ledger::server::ServerError;
use crate::sources::ledger::server::ask::{Plan, Request};
use crate::sources::ledger::sqlite::choose::{Chosen, choose_among};
use crate::sources::ledger::sqlite::schema::{Column, Table};
use crate::sources::near::nearest;

/// Tables with their columns, as far as the role may see them.
const COLUMNS: &str = "select cast(c.table_schema as char), cast(c.table_name as char), \
     cast(t.table_type as char), cast(t.engine as char), cast(c.column_name as char), lower(cast(c.data_type as char)), \
     cast(coalesce(k.ordinal_position, 0) as char), cast(c.privileges as char), \
     if(c.table_schema = database(), '1', '0') \
     from information_schema.columns as c \
     join information_schema.tables as t on t.table_schema = c.table_schema and t.table_name = c.table_name \
     left join information_schema.key_column_usage as k on k.table_schema = c.table_schema \
     and k.table_name = c.table_name and k.column_name = c.column_name and k.constraint_name = 'PRIMARY' \
     where c.table_schema not in ('information_schema', 'mysql', 'performance_schema', 'sys') \
     and (database() is null or c.table_schema = database()) \
     order by c.table_schema, c.table_name, c.ordinal_position";

/// A table with what SQL needs of it.
struct Relation {
    table: Table,
    from: String,
    engine: String,
}

/// Connects, and finds table and columns.
pub(super) fn open(request: &Request<'_>) -> Result<Plan, ServerError> {
    let options = request.options;
    let mut session = Session::connect(request.server, &options.password_command)?;
    match options.sql.as_deref() {
        Some(sql) => own_statement(&mut session, sql, request),
        None => of_table(&mut session, request),
    }
}

fn of_table(session: &mut Session, request: &Request<'_>) -> Result<Plan, ServerError> {
    let relations = relations(session)?;
    let named = request.options.table.as_deref();
    if let Some(table) = named {
        hidden(session, &relations, table)?;
    }
    let tables = relations.iter().map(|one| one.table.clone()).collect();
    let of = |name: &str| relations.iter().find(|one| one.table.name == name);
    let occurs = |one: &Chosen, slot: usize, known: &HashSet<String>| {
        let from = of(&one.table.name).map_or("", |relation| relation.from.as_str());
        occurs(session, one, from, slot, request, known)
    };
    let chosen = choose_among(tables, named, request.wanted, request.layout, request.ids, occurs)?;
    let (from, engine) =
        of(&chosen.table.name).map_or_else(Default::default, |one| (one.from.clone(), one.engine.clone()));
    let has_places = !chosen.table.view && chosen.table.columns.iter().any(|column| column.key > 0);
    let mut plan = Plan::new(request, chosen, from, None, has_places, query::is_real);
    if !engine.is_empty() && !engine.eq_ignore_ascii_case("innodb") {
        plan.without_snapshots = Some(engine);
    }
    Ok(plan)
}

/// The server hides tables that a role may not read: one that is near to none of those it shows may be such.
fn hidden(session: &mut Session, relations: &[Relation], table: &str) -> Result<(), ServerError> {
    let names = || relations.iter().map(|one| one.table.name.as_str());
    if names().any(|known| known.eq_ignore_ascii_case(table)) || nearest(table, names()).is_some() {
        return Ok(());
    }
    let path: Vec<String> = table.split('.').map(name).collect();
    match session.columns(&format!("select 1 from {} limit 0", path.join(".")), table) {
        Err(error @ ServerError::Right { .. }) => Err(error),
        _ => Ok(()),
    }
}

fn relations(session: &mut Session) -> Result<Vec<Relation>, ServerError> {
    let rows = session.rows(COLUMNS, Vec::new(), "the list of tables")?;
    let mut relations: Vec<Relation> = Vec::new();
    for row in &rows {
        let cell = |at: usize| row.get(at).and_then(Option::as_deref).unwrap_or_default();
        if !cell(7).is_empty() && !cell(7).contains("select") {
            continue;
        }
        let from = format!("{}.{}", name(cell(0)), name(cell(1)));
        if relations.last().is_none_or(|last| last.from != from) {
            let shown = if cell(8) == "1" { cell(1).to_owned() } else { format!("{}.{}", cell(0), cell(1)) };
            let table = Table {
                name: shown,
                view: cell(2) != "BASE TABLE",
                columns: Vec::new(),
                without_rowid: true,
                integer_key: None,
                autoincrement: false,
            };
            relations.push(Relation { table, from, engine: cell(3).to_owned() });
        }
        let Some(relation) = relations.last_mut() else { continue };
        relation.table.columns.push(Column {
            name: cell(4).to_owned(),
            declared: cell(5).to_owned(),
            current_time: false,
            key: cell(6).parse().unwrap_or(0),
        });
    }
    for relation in &mut relations {
        let keys: Vec<&Column> = relation.table.columns.iter().filter(|column| column.key > 0).collect();
        if let [one] = keys.as_slice()
            && one.declared.ends_with("int")
        {
            relation.table.integer_key = Some(one.name.clone());
        }
    }
    Ok(relations)
}

/// Whether one of these ids stands in the column of a slot.
fn occurs(
    session: &mut Session,
    one: &Chosen,
    from: &str,
    slot: usize,
    request: &Request<'_>,
    known: &HashSet<String>,
) -> Result<bool, ServerError> {
    /// So many ids are enough to know a table by.
    const ENOUGH: usize = 1_000;
    let column = one.columns.of.get(slot).copied().flatten().and_then(|at| one.table.columns.get(at));
    let Some(column) = column else { return Ok(false) };
    let prefix = request.layout.plan().prefix(slot);
    let bare = known.iter().filter(|_| !prefix.is_empty()).filter_map(|id| id.strip_prefix(prefix));
    let all = known.iter().map(String::as_str).chain(bare);
    let ids: Vec<Value> = all
        .filter(|id| query::fits(&column.declared, id))
        .take(ENOUGH)
        .map(|id| parameter(&column.declared, id))
        .collect();
    if ids.is_empty() {
        return Ok(false);
    }
    let marks = vec!["?"; ids.len()].join(", ");
    let sql = format!("select exists (select 1 from {from} where {} in ({marks}))", name(&column.name));
    // A table that cannot be searched in time is not known to hold them.
    let found = perhaps(session.first(&sql, ids, &format!("ids of the trace in {}", one.table.name)))?;
    Ok(found.is_ok_and(|cells| cells.first().and_then(Option::as_deref) == Some("1")))
}

/// Checks an own statement: one `select` or `with`; the transaction is read-only, whatever it says.
fn own_statement(session: &mut Session, sql: &str, request: &Request<'_>) -> Result<Plan, ServerError> {
    let sql = sql.trim().trim_end_matches(|c: char| c == ';' || c.is_whitespace());
    let first = sql.split(|c: char| !(c.is_alphanumeric() || c == '_')).next().unwrap_or_default();
    if !first.eq_ignore_ascii_case("select") && !first.eq_ignore_ascii_case("with") {
        return Err(ServerError::Statement("does not begin with `select` or `with`".to_owned()));
    }
    let nothing = Given { since: None, until: None, operations: &[], business: &[] };
    let (looked, _) = query::parameters(sql, &nothing);
    let look = format!("select q.* from (\n{looked}\n) as q limit 0");
    let columns = session.columns(&look, "the statement of the ledger").map_err(|error| match error {
        ServerError::Said(why) | ServerError::NoColumn(why) => {
            ServerError::Statement(format!("cannot be used: {why}"))
        }
        other => other,
    })?;
    let column = |(name, declared): (String, String)| Column { name, declared, current_time: false, key: 0 };
    let table = Table {
        name: String::new(),
        view: true,
        columns: columns.into_iter().map(column).collect(),
        without_rowid: true,
        integer_key: None,
        autoincrement: false,
    };
    let columns = request.layout.columns(&table.header())?;
    let chosen = Chosen { table, columns, why: "rows of an own statement".to_owned() };
    let from = format!("(\n{sql}\n) as q");
    Ok(Plan::new(request, chosen, from, Some(sql.to_owned()), false, query::is_real))
}
