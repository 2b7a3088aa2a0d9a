//! The texts of the queries. Names come from the catalog and are quoted; values are parameters.

use mysql::Value;
use mysql::consts::ColumnType;

use super::super::server::Plan;
use crate::sources::address::Engine;
use crate::sources::ledger::server::WINDOW_ROWS;
use crate::sources::ledger::server::ask::{Ask, quoted, with_parameters};
use crate::sources::names::shared;

/// Types of whole numbers: an id of digits is asked for as a number, so that an index serves.
const NUMBERS: [&str; 5] = ["tinyint", "smallint", "mediumint", "int", "bigint"];

/// Types of times that can be compared; the second says whether their zone is known.
const TIMES: [(&str, bool); 3] = [("timestamp", true), ("datetime", false), ("date", false)];

/// Types that are floats.
pub fn is_real(declared: &str) -> bool {
    matches!(declared, "float" | "double")
}

/// Whether an id can stand in a column of a type.
pub fn fits(declared: &str, id: &str) -> bool {
    match declared {
        declared if NUMBERS.contains(&declared) => id.parse::<i64>().is_ok_and(|n| n.to_string() == id),
        "decimal" => !id.is_empty() && id.len() <= 60 && id.bytes().all(|byte| byte.is_ascii_digit()),
        declared => TIMES.iter().all(|(time, _)| *time != declared) && !is_real(declared),
    }
}

/// The name of a type of the protocol, as the catalog has it.
pub(super) fn declared(of: ColumnType) -> &'static str {
    match of {
        ColumnType::MYSQL_TYPE_TIMESTAMP | ColumnType::MYSQL_TYPE_TIMESTAMP2 => "timestamp",
        ColumnType::MYSQL_TYPE_DATETIME | ColumnType::MYSQL_TYPE_DATETIME2 => "datetime",
        ColumnType::MYSQL_TYPE_DATE | ColumnType::MYSQL_TYPE_NEWDATE => "date",
        ColumnType::MYSQL_TYPE_FLOAT => "float",
        ColumnType::MYSQL_TYPE_DOUBLE => "double",
        ColumnType::MYSQL_TYPE_DECIMAL | ColumnType::MYSQL_TYPE_NEWDECIMAL => "decimal",
        ColumnType::MYSQL_TYPE_TINY
        | ColumnType::MYSQL_TYPE_SHORT
        | ColumnType::MYSQL_TYPE_INT24
        | ColumnType::MYSQL_TYPE_LONG
        | ColumnType::MYSQL_TYPE_LONGLONG => "bigint",
        _ => "varchar",
    }
}

pub(super) fn name(text: &str) -> String {
    quoted(Engine::Mysql, text)
}

/// A column as text. The session's zone is UTC, so a time that the server keeps in UTC says so.
fn as_text(column: &str, declared: &str) -> String {
    let text = format!("cast({} as char character set utf8mb4)", name(column));
    if declared == "timestamp" { format!("concat({text}, '+00:00')") } else { text }
}

/// What the queries of the reading begin with: the place of the row, then its columns.
fn head(plan: &Plan) -> String {
    let place = if plan.has_places { place(plan) } else { "null".to_owned() };
    let cells = plan.picked.iter().filter_map(|at| plan.column(*at));
    let cells: Vec<String> = cells.map(|(column, declared)| as_text(column, declared)).collect();
    format!("select {place}, {} from {}", cells.join(", "), plan.from)
}

/// The primary key, by which a row that two queries give is known.
fn place(plan: &Plan) -> String {
    let mut keys: Vec<_> = plan.chosen.table.columns.iter().filter(|column| column.key > 0).collect();
    keys.sort_by_key(|column| column.key);
    let parts = keys.iter().map(|column| format!("hex(cast({} as binary))", name(&column.name)));
    format!("concat_ws('.', {})", parts.collect::<Vec<_>>().join(", "))
}

fn one_of(column: &str, count: usize) -> String {
    format!("{} in ({})", name(column), vec!["?"; count.max(1)].join(", "))
}

/// Rows by these many ids of one column.
pub(super) fn narrow(plan: &Plan, column: &str, count: usize) -> String {
    format!("{} where {}", head(plan), one_of(column, count))
}

/// The narrow query as it is shown.
pub fn shown(plan: &Plan, column: &str, _: &str) -> String {
    format!("{} where {} in (?, ..)", head(plan), name(column))
}

/// Rows by the ids of several columns at once, where rows have no place by which one that comes twice is known.
pub(super) fn either(plan: &Plan, asks: &[Ask]) -> String {
    let each = asks.iter().filter_map(|ask| Some(one_of(plan.column(ask.column)?.0, ask.ids.len())));
    format!("{} where {}", head(plan), each.collect::<Vec<_>>().join(" or "))
}

/// An id as a parameter of a column's type.
pub(super) fn parameter(declared: &str, id: &str) -> Value {
    match id.parse::<i64>() {
        Ok(number) if NUMBERS.contains(&declared) => Value::Int(number),
        _ => Value::Bytes(id.as_bytes().to_vec()),
    }
}

/// Everything that an own statement gives.
pub(super) fn whole(plan: &Plan) -> String {
    head(plan)
}

/// Name of the time, where it can be compared, and whether its zone is known.
pub(super) fn time(plan: &Plan) -> Option<(&str, bool)> {
    let (column, declared) = plan.column(plan.time()?)?;
    let (_, zoned) = TIMES.iter().find(|(known, _)| *known == declared)?;
    Some((column, *zoned))
}

fn within(column: &str) -> String {
    format!("{0} >= ? and {0} <= ?", name(column))
}

/// How many rows the window holds, as far as they may be read.
pub(super) fn window_count(plan: &Plan, column: &str) -> String {
    format!(
        "select count(*) from (select 1 from {} where {} limit {}) as q",
        plan.from,
        within(column),
        WINDOW_ROWS + 1
    )
}

/// The rows of the window.
pub(super) fn window(plan: &Plan, column: &str) -> String {
    format!("{} where {}", head(plan), within(column))
}

/// Rows and totals per currency of a window that holds too many rows to be read.
pub(super) fn window_totals(plan: &Plan, column: &str) -> Option<String> {
    let amount = plan.column_of(shared::AMOUNT).or_else(|| plan.column_of(shared::AMOUNT_MINOR))?;
    let (amount, _) = plan.column(amount)?;
    let currency =
        plan.column_of(shared::CURRENCY).and_then(|at| plan.column(at)).map(|(column, _)| name(column));
    let currency = currency.unwrap_or_else(|| "''".to_owned());
    Some(format!(
        "select {currency}, count(*), cast(sum({}) as char) from {} where {} group by 1 order by 1",
        name(amount),
        plan.from,
        within(column)
    ))
}

/// One end of the table's times: `max` not later than a moment, or `min`; of one partition where one is held.
pub(super) fn end(plan: &Plan, which: &str, column: &str) -> String {
    let declared = plan.time().and_then(|at| plan.column(at)).map_or("", |(_, declared)| declared);
    let zone = if declared == "timestamp" { "'+00:00'" } else { "''" };
    let column = name(column);
    let part = plan.part.as_ref().and_then(|(at, _)| plan.column(*at)).map(|(part, _)| name(part));
    let part = part.map_or_else(String::new, |part| format!(" and {part} = ?"));
    format!(
        "select concat(cast({which}({column}) as char), {zone}) from {} where {column} <= ?{part}",
        plan.from
    )
}

/// What the named parameters of an own statement stand for.
pub(super) struct Given<'g> {
    pub(super) since: Option<&'g str>,
    pub(super) until: Option<&'g str>,
    pub(super) operations: &'g [String],
    pub(super) business: &'g [String],
}

/// Replaces the named parameters of an own statement by `?`, a list by as many as it has; and their values in order.
pub(super) fn parameters(sql: &str, given: &Given<'_>) -> (String, Vec<Value>) {
    let mut values = Vec::new();
    let text = |text: Option<&str>| text.map_or(Value::NULL, |text| Value::Bytes(text.as_bytes().to_vec()));
    let sql = with_parameters(sql, &['\'', '"', '`'], |word| {
        let list = match word {
            "since" => vec![text(given.since)],
            "until" => vec![text(given.until)],
            "operation_ids" => given.operations.iter().map(|id| text(Some(id))).collect(),
            "business_ids" => given.business.iter().map(|id| text(Some(id))).collect(),
            _ => return None,
        };
        // Nothing is in an empty list.
        let list = if list.is_empty() { vec![Value::NULL] } else { list };
        let marks = vec!["?"; list.len()].join(", ");
        values.extend(list);
        Some(marks)
    });
    (sql, values)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_ids_that_a_type_can_hold_are_asked_for() {
        for (declared, id, holds) in [
            ("varchar", "op_1", true),
            ("uuid", "00000000-0000-0000-0000-00000000000a", true),
            ("int", "007", false),
            ("bigint", "-5", true),
            ("bigint", "order:5", false),
            ("decimal", "12", true),
            ("decimal", "1e5", false),
            ("datetime", "12", false),
        ] {
            assert_eq!(fits(declared, id), holds, "{declared} {id}");
        }
        assert_eq!(parameter("bigint", "12"), Value::Int(12));
        assert_eq!(parameter("varchar", "12"), Value::Bytes(b"12".to_vec()));
        assert_eq!(one_of("op`x", 2), "`op``x` in (?, ?)");
    }

    #[test]
    fn named_parameters_become_marks() {
        let operations = ["a".to_owned(), "b".to_owned()];
        let given = Given { since: Some("s"), until: None, operations: &operations, business: &[] };
        let sql = "select ':since', `:until` from t where op in (:operation_ids) and b in (:business_ids) and at >= :since";
        let (sql, values) = parameters(sql, &given);
        assert_eq!(sql, "select ':since', `:until` from t where op in (?, ?) and b in (?) and at >= ?");
        let text = |text: &str| Value::Bytes(text.as_bytes().to_vec());
        assert_eq!(values, [text("a"), text("b"), Value::NULL, text("s")]);
    }
}
