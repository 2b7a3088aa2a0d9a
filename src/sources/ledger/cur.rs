//! AWS cost and usage reports, legacy and 2.0: many lines an hour are one resource. What a resource costs grows on and
//! is no amount of its making: it stands in the control totals only.

use super::rows::{LedgerReader, LedgerRow, Line, Rows, Setup};
use crate::sources::json::{Node, check};

/// A reader.
pub fn reader(_: &Setup) -> Box<dyn LedgerReader> {
    Box::new(Usage)
}

#[derive(Debug)]
struct Usage;

/// Line item types that are the use of a resource.
const USED: [&str; 3] = ["Usage", "DiscountedUsage", "SavingsPlanCoveredUsage"];

/// The rule of lines that are no use of anything.
const NO_USE: &str = "tax, fee, credit or discount, no use of a resource";
/// The rule of use that names no resource.
const NO_RESOURCE: &str = "use without a resource id";

/// A column by its two names: legacy, and 2.0.
const RESOURCE: [&str; 2] = ["lineItem/ResourceId", "line_item_resource_id"];
const TYPE: [&str; 2] = ["lineItem/LineItemType", "line_item_line_item_type"];
const START: [&str; 2] = ["lineItem/UsageStartDate", "line_item_usage_start_date"];
const OPERATION: [&str; 2] = ["lineItem/Operation", "line_item_operation"];
const COST: [&str; 2] = ["lineItem/UnblendedCost", "line_item_unblended_cost"];
const CURRENCY: [&str; 2] = ["lineItem/CurrencyCode", "line_item_currency_code"];
const ACCOUNT: [&str; 2] = ["lineItem/UsageAccountId", "line_item_usage_account_id"];

impl LedgerReader for Usage {
    fn line(&mut self, line: &Line<'_>, rows: &mut Rows<'_>) {
        let mut row = rows.row_of(line);
        let resource = line.any(&RESOURCE);
        row.text("effect_id", resource).text("kind", line.any(&OPERATION));
        row.text("committed_at", line.any(&START));
        row.cost(line.any(&COST)).text("currency", line.any(&CURRENCY));
        tags(line, &mut row);
        row.link("account", line.any(&ACCOUNT).unwrap_or_default());
        let used = line.any(&TYPE).is_none_or(|kind| USED.contains(&kind));
        match resource {
            _ if !used => rows.aside(NO_USE, &row),
            None => rows.aside(NO_RESOURCE, &row),
            Some(_) => rows.effect(&row),
        }
    }
}

/// Tags: a column each, or one column with a map.
fn tags(line: &Line<'_>, row: &mut LedgerRow) {
    for begin in ["resourceTags/user:", "resource_tags_user_"] {
        for (name, value) in line.between(begin, "") {
            row.meta_text(name, value);
        }
    }
    if let Some(map) = line.get("resource_tags").filter(|map| check(map.as_bytes()).is_ok()) {
        for (name, value) in Node::new(map.as_bytes(), 0).members() {
            let name = name.text();
            let own = name.strip_prefix("user_").or(name.strip_prefix("user:")).unwrap_or(&name);
            row.meta_text(own, &value.text().unwrap_or_default());
        }
    }
}
