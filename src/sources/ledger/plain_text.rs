//! Books kept as plain text, as CSV: hledger, ledger, beancount. A record is one posting; the postings of a transaction
//! are one effect, and the reference that was written down ties it to what it is a booking of.

use std::collections::HashMap;

use super::rows::{LedgerReader, Line, Rows, Setup};
use super::words::{currency, dashed, scaled};
use crate::model::kinds::share_a_word;
use crate::model::money::{Wide, parse_decimal};
use crate::sources::spec::Negative;

/// A reader of what hledger prints.
pub fn hledger(setup: &Setup) -> Box<dyn LedgerReader> {
    books(of_hledger, 1, setup)
}

/// A reader of what ledger prints, which has no header.
pub fn ledger_cli(setup: &Setup) -> Box<dyn LedgerReader> {
    books(of_ledger, 6, setup)
}

/// A reader of what a beancount query prints: whatever columns were asked for.
pub fn beancount(setup: &Setup) -> Box<dyn LedgerReader> {
    books(of_beancount, 1, setup)
}

fn books(posting: fn(&Line<'_>) -> Posting, least: usize, setup: &Setup) -> Box<dyn LedgerReader> {
    Box::new(Books { posting, least, own: setup.currency.clone(), run: Vec::new() })
}

struct Books {
    posting: fn(&Line<'_>) -> Posting,
    /// A line has at least so many cells.
    least: usize,
    own: Option<String>,
    /// Postings that may be one transaction.
    run: Vec<Posting>,
}

/// One posting.
#[derive(Debug, Clone, Default)]
struct Posting {
    place: u64,
    /// What the postings of one transaction have in common.
    key: String,
    /// All postings of this key are one transaction; else they are where they add up to nothing.
    whole: bool,
    date: String,
    reference: String,
    text: String,
    comment: String,
    account: String,
    unit: String,
    amount: String,
    pending: bool,
    row: super::rows::LedgerRow,
    /// Other columns.
    more: Vec<(String, String)>,
}

/// The rule of the other sides of a transaction.
const OTHER_SIDE: &str = "other posting of the same transaction";

/// Words of accounts that say what a transaction is.
const KINDS: [&str; 6] = ["refund", "payout", "chargeback", "charge", "transfer", "invoice"];

/// Accounts in which an amount below zero takes something back begin so.
const SPENT: [&str; 3] = ["expense", "income", "revenue"];

fn of_hledger(line: &Line<'_>) -> Posting {
    let text = |name: &str| line.get(name).unwrap_or_default().to_owned();
    let comment = [text("comment"), text("posting-comment")].join(",");
    Posting {
        // The number begins anew in each of the books that were put together.
        key: ["txnidx", "date", "code", "description"].map(text).join("\n"),
        whole: true,
        date: text("date"),
        reference: text("code"),
        text: text("description"),
        comment,
        account: text("account"),
        unit: text("commodity"),
        amount: text("amount"),
        pending: line.get("status") == Some("!"),
        ..Posting::default()
    }
}

fn of_ledger(line: &Line<'_>) -> Posting {
    let text = |number: usize| line.at(number).unwrap_or_default().to_owned();
    Posting {
        key: [text(0), text(1), text(2)].join("\n"),
        date: text(0),
        reference: text(1),
        text: text(2),
        account: text(3),
        unit: text(4),
        amount: text(5),
        pending: line.at(6) == Some("!"),
        comment: text(7),
        ..Posting::default()
    }
}

/// Columns of a query by what they are.
const REFERENCE: [&str; 5] = ["ref", "reference", "code", "external_ref", "transaction_id"];
const POSITION: [&str; 5] = ["position", "amount", "units(position)", "units", "cost(position)"];
const OWN: [&str; 9] =
    ["date", "narration", "payee", "account", "flag", "id", "number", "currency", "balance"];

fn of_beancount(line: &Line<'_>) -> Posting {
    let text = |name: &str| line.get(name).unwrap_or_default().to_owned();
    let position = line.any(&POSITION).unwrap_or_default();
    let mut parts = position.split_whitespace();
    let number = parts.next().or_else(|| line.get("number")).unwrap_or_default().to_owned();
    let unit = parts.next().or_else(|| line.get("currency")).unwrap_or_default().to_owned();
    let reference = line.any(&REFERENCE).unwrap_or_default().to_owned();
    let id = text("id");
    let key = [text("date"), text("payee"), text("narration"), reference.clone()].join("\n");
    let known = |name: &str| OWN.contains(&name) || POSITION.contains(&name) || REFERENCE.contains(&name);
    let more = line.header.names().iter().filter(|name| !known(name));
    Posting {
        whole: !id.is_empty(),
        key: if id.is_empty() { key } else { id },
        date: text("date"),
        reference,
        text: [text("payee"), text("narration")].join(" "),
        account: text("account"),
        unit,
        amount: number,
        pending: line.get("flag") == Some("!"),
        more: more.map(|name| (name.clone(), text(name))).filter(|(_, value)| !value.is_empty()).collect(),
        ..Posting::default()
    }
}

impl LedgerReader for Books {
    fn line(&mut self, line: &Line<'_>, rows: &mut Rows<'_>) {
        if line.cells.len() < self.least {
            return rows.refuse("too few columns for a posting");
        }
        let posting = Posting { place: rows.place(), row: rows.row_of(line), ..(self.posting)(line) };
        // It would stand alone, and so would the other side of its transaction: one effect would be two.
        if posting.date.contains('"') {
            return rows.refuse("a quote in the date: the line is damaged");
        }
        if self.run.last().is_some_and(|last| last.key != posting.key) {
            self.flush(rows);
        }
        self.run.push(posting);
        let ended = |run: &[Posting]| run.last().is_some_and(|last| !last.whole) && balances(run);
        if ended(&self.run) {
            let whole = std::mem::take(&mut self.run);
            self.transaction(&whole, rows);
        }
    }

    fn end(&mut self, rows: &mut Rows<'_>) -> Option<String> {
        self.flush(rows);
        None
    }
}

/// The amounts of each unit add up to nothing.
fn balances(run: &[Posting]) -> bool {
    let mut sums: HashMap<&str, Option<Wide>> = HashMap::new();
    for posting in run {
        let amount = parse_decimal(&posting.amount).ok().map(crate::model::money::Amount::wide);
        let sum = sums.entry(&posting.unit).or_insert(Some(Wide { digits: 0, scale: 0 }));
        *sum = sum.zip(amount).and_then(|(sum, amount)| sum.checked_add(amount));
    }
    sums.values().all(|sum| sum.is_some_and(|sum| sum.digits == 0))
}

/// The sum of the amounts; where one cannot be read, that one: who reads amounts says what is wrong with it.
fn sum(legs: &[&Posting]) -> String {
    if let [one] = legs {
        return one.amount.clone();
    }
    let mut sum = Wide { digits: 0, scale: 0 };
    for leg in legs {
        let amount = parse_decimal(&leg.amount).ok().map(crate::model::money::Amount::wide);
        match amount.and_then(|amount| sum.checked_add(amount)) {
            Some(more) => sum = more,
            None => return leg.amount.clone(),
        }
    }
    scaled(&sum.digits.to_string(), sum.scale.into()).into_owned()
}

impl Books {
    fn flush(&mut self, rows: &mut Rows<'_>) {
        let run = std::mem::take(&mut self.run);
        if run.iter().any(|posting| posting.whole) {
            return self.transaction(&run, rows);
        }
        // Only one side of each transaction is there.
        for posting in run {
            self.transaction(&[posting], rows);
        }
    }

    /// One transaction: the posting that says what it is stands for it.
    fn transaction(&self, postings: &[Posting], rows: &mut Rows<'_>) {
        let named = |posting: &Posting| KINDS.iter().find(|kind| share_a_word(kind, &posting.account));
        let below = |posting: &Posting| posting.amount.starts_with('-');
        let by = |test: &dyn Fn(&Posting) -> bool| postings.iter().position(test);
        let spent = |posting: &Posting| {
            let account = posting.account.to_ascii_lowercase();
            SPENT.iter().any(|begin| account.starts_with(begin))
        };
        let chosen = by(&|p| named(p).is_some() && !below(p))
            .or_else(|| by(&|p| named(p).is_some() && spent(p)))
            .or_else(|| by(&|p| !below(p)))
            .unwrap_or_default();
        // The legs of its side: together they are what was moved.
        let like = |p: &Posting| (named(p), below(p), spent(p), p.unit.clone());
        let side = postings.get(chosen).map(like);
        let is_leg = |p: &Posting| side.as_ref() == Some(&like(p));
        let amount = sum(&postings.iter().filter(|p| is_leg(p)).collect::<Vec<_>>());
        for (number, posting) in postings.iter().enumerate() {
            let mut row = posting.row.clone();
            row.at(posting.place).text("committed_at", Some(dashed(&posting.date)));
            // What is counted in the first of the legs is not counted again.
            let counted = number != chosen && is_leg(posting);
            let own = if number == chosen { &amount } else { &posting.amount };
            row.major(Some(own).filter(|_| !counted));
            row.text("currency", currency(&posting.unit, self.own.as_deref()));
            if number != chosen {
                rows.aside(OTHER_SIDE, &row);
                continue;
            }
            row.text("kind", named(posting)).text("external_ref", Some(&posting.reference));
            row.text("status", posting.pending.then_some("pending"));
            row.negative_is(if spent(posting) { Negative::Reversal } else { Negative::Effect });
            for (name, value) in &posting.more {
                row.meta_text(name, value);
            }
            for posting in postings {
                tags(&posting.comment, &mut row);
            }
            row.described(Some(&posting.text)).described(Some(&posting.comment));
            rows.effect(&row);
        }
    }
}

/// Tags of a comment: `name: value`, apart by commas and line ends.
fn tags(comment: &str, row: &mut super::rows::LedgerRow) {
    for part in comment.split([',', '\n', ';']) {
        if let Some((name, value)) = part.split_once(':') {
            let name = name.rsplit(' ').find(|word| !word.is_empty()).unwrap_or_default();
            row.meta_text(name.trim(), value.trim());
        }
    }
}
