//! Expectations that name no operation id (`4-sources.md` 4.14): they belong to the one operation of their intent id,
//! key or order; to the account of the order where it has several; and found an intent where there is none.

use std::collections::HashMap;

use foldhash::fast::RandomState;

use crate::model::money::Amount;
use crate::model::row::{Record, Text, attempt_flag, record_flag};

use super::builder::Builder;
use super::reading::Reading;
use super::resolve::{as_written, synthetic};
use super::run::{LOOSE, Run};

/// What a file expects of an order that has several requests.
#[derive(Clone, Debug)]
pub struct OrderExpectation {
    /// Business id of the order.
    pub business: String,
    /// Kind as given; empty where none is.
    pub kind: String,
    /// The expectation.
    pub record: Record,
}

/// Operations that have a key or an order, by name, with the amounts of their calls.
#[derive(Default)]
struct Asked {
    names: Vec<(Vec<u8>, Vec<Amount>)>,
    known: HashMap<Vec<u8>, usize, RandomState>,
}

impl Asked {
    fn take(&mut self, name: &[u8], amount: Option<Amount>) {
        let no = self.known.get(name).copied().unwrap_or_else(|| {
            self.known.insert(name.to_vec(), self.names.len());
            self.names.push((name.to_vec(), Vec::new()));
            self.names.len() - 1
        });
        if let Some((_, amounts)) = self.names.get_mut(no) {
            amounts.extend(amount);
        }
    }
}

/// A text that an expectation is found by.
type ByText = HashMap<Vec<u8>, Asked, RandomState>;

/// Gives each its place. What is for the account of an order is handed back.
pub fn place(runs: &mut Vec<Run>, cx: &Reading) -> Vec<OrderExpectation> {
    let loose: Vec<(usize, Record)> = runs
        .iter()
        .enumerate()
        .flat_map(|(r, run)| run.records.part(LOOSE).iter().map(move |record| (r, *record)))
        .collect();
    if loose.is_empty() {
        return Vec::new();
    }
    let (by_text, by_intent) = look_up(runs, &loose);
    let mut late = Builder::new(cx);
    let mut orders = Vec::new();
    // Tickets of one order whose only request they may be, in the order of the file.
    let mut of_one: HashMap<Vec<u8>, Vec<(usize, Record)>, RandomState> = HashMap::default();
    for (r, record) in loose {
        let Some(run) = runs.get(r) else { continue };
        let find =
            |text: Text| by_text.get(run.bytes(text)).filter(|_| text.is_some()).map(|a| a.names.as_slice());
        if record.intent_id.is_some() {
            let id = run.text(record.intent_id);
            let name = by_intent.get(id).map_or_else(|| as_written(id).into_owned(), Clone::clone);
            late.adopt_record(record, &name, run);
            continue;
        }
        let by_key = find(record.key).filter(|names| !names.is_empty());
        match by_key.or_else(|| find(record.business)) {
            Some([(only, _)]) if by_key.is_some() => {
                late.adopt_record(record, &String::from_utf8_lossy(only), run);
            }
            Some([_]) => of_one.entry(run.bytes(record.business).to_vec()).or_default().push((r, record)),
            Some([]) | None => {
                let id = if record.key.is_some() { record.key } else { record.business };
                late.adopt_record(record, &format!("{}{}", synthetic::KEY, run.text(id)), run);
            }
            Some(_) => orders.push(OrderExpectation {
                business: run.text(record.business).to_owned(),
                kind: run.text(record.kind).to_owned(),
                record,
            }),
        }
    }
    let mut of_one: Vec<_> = of_one.into_iter().collect();
    of_one.sort_unstable_by(|(a, _), (b, _)| a.cmp(b));
    for (business, records) in of_one {
        let Some((only, amounts)) = by_text.get(&business).and_then(|a| a.names.first()) else { continue };
        place_of_order(&business, &records, only, amounts, runs, &mut late);
    }
    if !late.is_empty() {
        runs.push(late.seal().run);
    }
    orders
}

/// Of several tickets of an order with one request, that request's is the one with its amount, else the first; nobody
/// has tried the others yet.
fn place_of_order(
    business: &[u8],
    records: &[(usize, Record)],
    only: &[u8],
    amounts: &[Amount],
    runs: &[Run],
    late: &mut Builder<'_>,
) {
    let same_amount = |(_, record): &(usize, Record)| {
        let amount = Amount { digits: record.amount, scale: record.scale };
        record.flags & record_flag::TOTAL != 0 && amounts.contains(&amount)
    };
    let its = records.iter().position(same_amount).unwrap_or(0);
    let mut number = 1;
    for (no, (r, record)) in records.iter().enumerate() {
        let Some(run) = runs.get(*r) else { continue };
        if no == its {
            late.adopt_record(*record, &String::from_utf8_lossy(only), run);
            continue;
        }
        number += 1;
        let name = format!("{}{} ({number})", synthetic::KEY, String::from_utf8_lossy(business));
        late.adopt_record(*record, &name, run);
    }
}

/// The operations behind the keys, orders and intent ids that these expectations name.
fn look_up(runs: &[Run], loose: &[(usize, Record)]) -> (ByText, HashMap<String, String, RandomState>) {
    let mut by_text = ByText::default();
    let mut by_intent: HashMap<String, String, RandomState> = HashMap::default();
    let mut wanted: Vec<&str> = Vec::new();
    for (r, record) in loose {
        let Some(run) = runs.get(*r) else { continue };
        for text in [record.key, record.business] {
            if text.is_some() {
                by_text.entry(run.bytes(text).to_vec()).or_default();
            }
        }
        if record.intent_id.is_some() {
            wanted.push(run.text(record.intent_id));
        }
    }
    for run in runs {
        for row in run.attempts.all().iter().filter(|a| !a.is(attempt_flag::DROPPED)) {
            let key =
                if row.is(attempt_flag::KEY_IS_NAME) { run.name_bytes(row.name) } else { run.bytes(row.key) };
            for text in [key, run.bytes(row.business)] {
                if let Some(asked) = by_text.get_mut(text).filter(|_| !text.is_empty()) {
                    asked.take(run.name_bytes(row.name), row.amount());
                }
            }
        }
    }
    if wanted.is_empty() {
        return (by_text, by_intent);
    }
    wanted.sort_unstable();
    for run in runs {
        for record in run.records.all().iter().filter(|r| r.name.is_some() && r.intent_id.is_some()) {
            let id = run.text(record.intent_id);
            if wanted.binary_search(&id).is_ok() {
                by_intent.entry(id.to_owned()).or_insert_with(|| run.name(record.name).to_owned());
            }
        }
    }
    (by_text, by_intent)
}
