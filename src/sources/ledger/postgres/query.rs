//! The texts of the queries. Names come from the catalog and are quoted; values are parameters.

use super::super::server::Plan;
use crate::sources::address::Engine;
use crate::sources::ledger::server::WINDOW_ROWS;
use crate::sources::ledger::server::ask::{quoted, with_parameters};
use crate::sources::names::shared;

/// Which texts a type can hold.
type Fits = fn(&str) -> bool;

/// Types whose columns are compared with parameters of their own type, so that indexes serve; others are compared as
/// text.
const TYPES: [(&str, Fits); 8] = [
    ("text", |_| true),
    ("varchar", |_| true),
    ("bpchar", |_| true),
    ("uuid", is_uuid),
    ("int2", |id| id.parse::<i16>().is_ok_and(|n| n.to_string() == id)),
    ("int4", |id| id.parse::<i32>().is_ok_and(|n| n.to_string() == id)),
    ("int8", |id| id.parse::<i64>().is_ok_and(|n| n.to_string() == id)),
    ("numeric", |id| !id.is_empty() && id.len() <= 100 && id.bytes().all(|byte| byte.is_ascii_digit())),
];

/// Types of times that can be compared; the second says whether their zone is known.
const TIMES: [(&str, bool); 3] = [("timestamptz", true), ("timestamp", false), ("date", false)];

/// Types that are floats.
pub fn is_real(declared: &str) -> bool {
    matches!(declared, "float4" | "float8")
}

/// Whether an id can stand in a column of a type. No text of PostgreSQL holds a NUL.
pub fn fits(declared: &str, id: &str) -> bool {
    !id.contains('\0') && TYPES.iter().find(|(known, _)| *known == declared).is_none_or(|(_, fits)| fits(id))
}

fn is_uuid(id: &str) -> bool {
    let digits = id.bytes().filter(u8::is_ascii_hexdigit).count();
    digits == 32
        && id.bytes().all(|byte| byte.is_ascii_hexdigit() || byte == b'-')
        && id.len() == 36
        && [8, 13, 18, 23].iter().all(|at| id.as_bytes().get(*at) == Some(&b'-'))
}

fn name(text: &str) -> String {
    quoted(Engine::Postgres, text)
}

/// The columns that are read, as texts; money without its sign.
fn columns(plan: &Plan) -> String {
    let cells =
        plan.picked.iter().filter_map(|at| plan.column(*at)).map(|(column, declared)| match declared {
            "money" => format!("{}::numeric::text", name(column)),
            _ => format!("{}::text", name(column)),
        });
    cells.collect::<Vec<_>>().join(", ")
}

/// What the queries of the reading begin with: the place of the row, then its columns.
fn head(plan: &Plan) -> String {
    let place = if plan.has_places { "tableoid::text || ctid::text" } else { "null::text" };
    format!("select {place}, {} from {}", columns(plan), plan.from)
}

/// The comparison of a column with the ids of a parameter.
pub fn is_one_of(column: &str, declared: &str, parameter: usize) -> String {
    match TYPES.iter().find(|(known, _)| *known == declared) {
        Some(("text", _)) => format!("{} = any (${parameter}::text[])", name(column)),
        Some((known, _)) => format!("{} = any (${parameter}::text[]::{known}[])", name(column)),
        None => format!("{}::text = any (${parameter}::text[])", name(column)),
    }
}

/// Rows by the ids of one column.
pub fn narrow(plan: &Plan, column: &str, declared: &str) -> String {
    format!("{} where {}", head(plan), is_one_of(column, declared, 1))
}

/// Rows by the ids of several columns at once, where rows have no place by which one that comes twice is known.
pub fn either(plan: &Plan, columns: &[(&str, &str)]) -> String {
    let each = columns.iter().enumerate().map(|(at, (column, declared))| is_one_of(column, declared, at + 1));
    format!("{} where {}", head(plan), each.collect::<Vec<_>>().join(" or "))
}

/// Everything that an own statement gives.
pub fn whole(plan: &Plan) -> String {
    head(plan)
}

/// Name and type of the time, where it can be compared, and whether its zone is known.
pub fn time(plan: &Plan) -> Option<(&str, &str, bool)> {
    let (column, declared) = plan.column(plan.time()?)?;
    let (known, zoned) = TIMES.iter().find(|(known, _)| *known == declared)?;
    Some((column, known, *zoned))
}

fn within(column: &str, declared: &str) -> String {
    format!("{0} >= $1::text::{declared} and {0} <= $2::text::{declared}", name(column))
}

/// How many rows the window holds, as far as they may be read.
pub fn window_count(plan: &Plan, column: &str, declared: &str) -> String {
    format!(
        "select count(*)::text from (select 1 from {} where {} limit {}) as q",
        plan.from,
        within(column, declared),
        WINDOW_ROWS + 1
    )
}

/// The rows of the window.
pub fn window(plan: &Plan, column: &str, declared: &str) -> String {
    format!("{} where {}", head(plan), within(column, declared))
}

/// Rows and totals per currency of a window that holds too many rows to be read.
pub fn window_totals(plan: &Plan, column: &str, declared: &str) -> Option<String> {
    let amount = plan.column_of(shared::AMOUNT).or_else(|| plan.column_of(shared::AMOUNT_MINOR))?;
    let (amount, _) = plan.column(amount)?;
    let currency =
        plan.column_of(shared::CURRENCY).and_then(|at| plan.column(at)).map(|(column, _)| name(column));
    let currency = currency.unwrap_or_else(|| "''".to_owned());
    Some(format!(
        "select {currency}::text, count(*)::text, sum({})::text from {} where {} group by 1 order by 1",
        name(amount),
        plan.from,
        within(column, declared)
    ))
}

/// One end of the table's times: `max` not later than a moment, or `min`; of one partition where one is held.
pub fn end(plan: &Plan, which: &str, column: &str, declared: &str) -> String {
    let column = name(column);
    let part = plan.part.as_ref().and_then(|(at, _)| plan.column(*at)).map(|(part, _)| name(part));
    let part = part.map_or_else(String::new, |part| format!(" and {part}::text = $2"));
    format!("select {which}({column})::text from {} where {column} <= $1::text::{declared}{part}", plan.from)
}

/// Replaces the named parameters of an own statement by numbered ones.
pub fn numbered(sql: &str) -> String {
    const NAMES: [(&str, &str); 4] = [
        ("since", "$1::text"),
        ("until", "$2::text"),
        ("operation_ids", "$3::text[]"),
        ("business_ids", "$4::text[]"),
    ];
    with_parameters(sql, &['\'', '"'], |word| {
        let (_, number) = NAMES.iter().find(|(known, _)| *known == word)?;
        Some((*number).to_owned())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_ids_that_a_type_can_hold_are_asked_for() {
        for (declared, id, holds) in [
            ("text", "op_1", true),
            ("text", "a\0b", false),
            ("uuid", "00000000-0000-0000-0000-00000000000a", true),
            ("uuid", "00000000-0000-0000-0000-00000000000", false),
            ("uuid", "0000000000000000000000000000000000-a", false),
            ("int2", "32767", true),
            ("int2", "32768", false),
            ("int4", "007", false),
            ("int8", "-5", true),
            ("int8", "order:5", false),
            ("numeric", "12", true),
            ("numeric", "1e5", false),
            ("mood", "anything", true),
        ] {
            assert_eq!(fits(declared, id), holds, "{declared} {id}");
        }
        assert_eq!(is_one_of("op\"x", "text", 1), "\"op\"\"x\" = any ($1::text[])");
        assert_eq!(is_one_of("id", "uuid", 2), "\"id\" = any ($2::text[]::uuid[])");
        assert_eq!(is_one_of("m", "mood", 1), "\"m\"::text = any ($1::text[])");
    }

    #[test]
    fn named_parameters_become_numbers() {
        for (sql, wanted) in [
            (
                "select a::text from t where op = any (:operation_ids) and at >= :since::timestamptz",
                "select a::text from t where op = any ($3::text[]) and at >= $1::text::timestamptz",
            ),
            (
                "select ':since', \":until\" -- :since\n, :until",
                "select ':since', \":until\" -- :since\n, $2::text",
            ),
            ("select /* :since */ x :: text, :other", "select /* :since */ x :: text, :other"),
            ("select 'ü', :business_ids", "select 'ü', $4::text[]"),
        ] {
            assert_eq!(numbered(sql), wanted);
        }
    }
}
