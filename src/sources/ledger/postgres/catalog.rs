//! Which tables and columns there are, and which of them is meant.

use std::collections::HashSet;

use postgres::types::Type;

use super::query::{fits, is_one_of, is_real, numbered};
use super::session::{Session, array, texts};
use crate::sources::address::Engine;
use crate::sources::ledger::server::ask::{Request, quoted};
use crate::sources::ledger::server::{Plan, ServerError};
use crate::sources::ledger::sqlite::choose::{Chosen, choose_among};
use crate::sources::ledger::sqlite::schema::{Column, Table};

/// Tables and views with the columns that the role may read: schema, name, is a view, all of it may be read, column,
/// its type (of a domain what it is made of), place in the primary key. The first ones are those of the search path.
const COLUMNS: &str = "select n.nspname::text, c.relname::text, (c.relkind not in ('r', 'p', 'm'))::text, \
     has_table_privilege(c.oid, 'select')::text, a.attname::text, coalesce(b.typname, t.typname)::text, \
     coalesce(array_position(i.indkey::int2[], a.attnum), -1)::text, \
     coalesce(array_position($1::text[], n.nspname::text), 9999)::text, \
     (a.attnum is not null and has_column_privilege(c.oid, a.attnum, 'select'))::text \
     from pg_class as c join pg_namespace as n on n.oid = c.relnamespace \
     left join pg_attribute as a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped \
     left join pg_type as t on t.oid = a.atttypid left join pg_type as b on b.oid = t.typbasetype \
     left join pg_index as i on i.indrelid = c.oid and i.indisprimary \
     where c.relkind in ('r', 'p', 'v', 'm', 'f') and not c.relispartition \
     and n.nspname not in ('pg_catalog', 'information_schema') and n.nspname !~ '^pg_(toast|temp)' \
     and has_schema_privilege(n.oid, 'usage') order by 8, 1, 2, a.attnum";

/// A table with what SQL needs of it.
struct Relation {
    table: Table,
    from: String,
    /// The role may read all of it, system columns included.
    whole: bool,
    /// It may read something of it.
    readable: bool,
}

/// Connects, and finds table and columns.
pub(super) fn open(request: &Request<'_>) -> Result<Plan, ServerError> {
    let options = request.options;
    let mut session = Session::connect(request.server, &options.password_command)?;
    let schemas = session.schemas()?;
    session.begin(&schemas)?;
    let plan = match options.sql.as_deref() {
        Some(sql) => own_statement(&mut session, sql, request)?,
        None => of_table(&mut session, &schemas, request)?,
    };
    session.end()?;
    Ok(plan)
}

fn of_table(session: &mut Session, schemas: &[String], request: &Request<'_>) -> Result<Plan, ServerError> {
    let relations = relations(session, schemas)?;
    let named = request.options.table.as_deref();
    let refused = named.and_then(|name| {
        let alike = |relation: &&Relation| relation.table.name.eq_ignore_ascii_case(name);
        relations.iter().find(alike).filter(|relation| !relation.readable)
    });
    if let Some(refused) = refused {
        return Err(ServerError::Right {
            table: refused.table.name.clone(),
            role: session.role.user.clone(),
        });
    }
    let tables = relations.iter().filter(|one| one.readable).map(|one| one.table.clone()).collect();
    let of = |name: &str| relations.iter().find(|one| one.table.name == name);
    let occurs = |one: &Chosen, slot: usize, known: &HashSet<String>| {
        let from = of(&one.table.name).map_or("", |relation| relation.from.as_str());
        occurs(session, one, from, slot, request, known)
    };
    let chosen = choose_among(tables, named, request.wanted, request.layout, request.ids, occurs)?;
    let (from, whole) = of(&chosen.table.name)
        .map_or_else(Default::default, |one| (one.from.clone(), one.whole && !one.table.view));
    Ok(Plan::new(request, chosen, from, None, whole, is_real))
}

fn relations(session: &mut Session, schemas: &[String]) -> Result<Vec<Relation>, ServerError> {
    let rows = session.rows(COLUMNS, &[(&array(schemas), Type::TEXT_ARRAY)], "the list of tables")?;
    let mut relations: Vec<Relation> = Vec::new();
    for row in &rows {
        let cells = texts(row);
        let cell = |at: usize| cells.get(at).and_then(Option::as_deref).unwrap_or_default();
        let (schema, name) = (cell(0), cell(1));
        let from = format!("{}.{}", quoted(Engine::Postgres, schema), quoted(Engine::Postgres, name));
        let is_new = relations.last().is_none_or(|last| last.from != from);
        if is_new {
            // A name that stands in two schemas is the first of them; the others are named with theirs.
            let taken = relations.iter().any(|known| known.table.name == name);
            let shown = if taken || cell(7) == "9999" { format!("{schema}.{name}") } else { name.to_owned() };
            let table = Table {
                name: shown,
                view: cell(2) == "true",
                columns: Vec::new(),
                without_rowid: true,
                integer_key: None,
                autoincrement: false,
            };
            let whole = cell(3) == "true";
            relations.push(Relation { table, from, whole, readable: whole });
        }
        let Some(relation) = relations.last_mut() else { continue };
        if cell(8) != "true" {
            continue;
        }
        relation.readable = true;
        relation.table.columns.push(Column {
            name: cell(4).to_owned(),
            declared: cell(5).to_owned(),
            current_time: false,
            // `indkey` counts from 0.
            key: cell(6).parse::<i64>().map_or(0, |key| key + 1),
        });
    }
    for relation in &mut relations {
        let keys: Vec<&Column> = relation.table.columns.iter().filter(|column| column.key > 0).collect();
        if let [one] = keys.as_slice()
            && matches!(one.declared.as_str(), "int2" | "int4" | "int8")
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
    const ENOUGH: usize = 2_000;
    let column = one.columns.of.get(slot).copied().flatten().and_then(|at| one.table.columns.get(at));
    let Some(column) = column else { return Ok(false) };
    let prefix = request.layout.plan().prefix(slot);
    let bare = known.iter().filter(|_| !prefix.is_empty()).filter_map(|id| id.strip_prefix(prefix));
    let all = known.iter().map(String::as_str).chain(bare);
    let ids: Vec<&str> = all.filter(|id| fits(&column.declared, id)).take(ENOUGH).collect();
    if ids.is_empty() {
        return Ok(false);
    }
    let sql = format!(
        "select exists (select 1 from {from} where {})::text",
        is_one_of(&column.name, &column.declared, 1)
    );
    let what = format!("ids of the trace in {}", one.table.name);
    // A table that cannot be searched in time is not known to hold them.
    let found = session.perhaps(|session| session.first(&sql, &[(&ids, Type::TEXT_ARRAY)], &what))?;
    Ok(found.is_ok_and(|cells| cells.first().and_then(Option::as_deref) == Some("true")))
}

/// Checks an own statement: one `select` or `with`; the transaction is read-only, whatever it says.
fn own_statement(session: &mut Session, sql: &str, request: &Request<'_>) -> Result<Plan, ServerError> {
    let sql = sql.trim().trim_end_matches(|c: char| c == ';' || c.is_whitespace());
    let first = sql.split(|c: char| !(c.is_alphanumeric() || c == '_')).next().unwrap_or_default();
    if !first.eq_ignore_ascii_case("select") && !first.eq_ignore_ascii_case("with") {
        return Err(ServerError::Statement("does not begin with `select` or `with`".to_owned()));
    }
    let from = format!("(\n{}\n) as q", numbered(sql));
    // One row comes whatever the statement gives, and with it the names of its columns.
    let look = format!("select q.* from (select 1) as one left join {from} on true limit 1");
    let parameters = super::read::Statement::new(request.options, request.ids);
    let rows =
        session.rows(&look, &parameters.all(), "the statement of the ledger").map_err(
            |error| match error {
                ServerError::Said(why) | ServerError::NoColumn(why) => {
                    ServerError::Statement(format!("cannot be used: {why}"))
                }
                other => other,
            },
        )?;
    let columns: Vec<Column> = rows
        .first()
        .map(postgres::Row::columns)
        .unwrap_or_default()
        .iter()
        .map(|column| Column {
            name: column.name().to_owned(),
            declared: column.type_().name().to_owned(),
            current_time: false,
            key: 0,
        })
        .collect();
    let table = Table {
        name: String::new(),
        view: true,
        columns,
        without_rowid: true,
        integer_key: None,
        autoincrement: false,
    };
    let columns = request.layout.columns(&table.header())?;
    let chosen = Chosen { table, columns, why: "rows of an own statement".to_owned() };
    Ok(Plan::new(request, chosen, from, Some(sql.to_owned()), false, is_real))
}
