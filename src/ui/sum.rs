//! The recount as a sum on paper: what the ledger holds, what was intended, and the difference with its word
//! (`6-screens.md` 7.4.7).

use super::role::Role;
use super::shown::Shown;
use crate::app::case::Item;
use crate::judge::findings;
use crate::judge::judgement::Class;
use crate::judge::view::SourceView;
use crate::model::money::{Money, Total, Totals};
use crate::model::row::Status;
use crate::model::units::Unit;

/// What a source is called beside another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Side {
    /// A ledger by itself.
    Ledger,
    /// The one that a loaded copy is a copy of, or that stands beside one.
    Provider,
    /// A copy.
    Books,
}

impl Side {
    /// Of a source among the sources of the case.
    pub fn of(sources: &[SourceView], at: usize) -> Self {
        let copy = |source: &SourceView| source.copy_of.is_some() || source.meaning == "copy";
        match sources.get(at) {
            Some(source) if copy(source) => Self::Books,
            // It is called so, or there is a copy of it.
            Some(source) if source.id.eq_ignore_ascii_case("provider") => Self::Provider,
            _ if sources.iter().any(copy) => Self::Provider,
            _ => Self::Ledger,
        }
    }

    /// As the head of a pane.
    pub fn head(self) -> &'static str {
        match self {
            Self::Ledger => "In the ledger",
            Self::Provider => "Provider",
            Self::Books => "Our books",
        }
    }

    /// In a list of figures.
    pub fn word(self) -> &'static str {
        match self {
            Self::Ledger => "in ledger",
            Self::Provider => "provider",
            Self::Books => "our books",
        }
    }

    /// Behind a count.
    pub fn at(self) -> &'static str {
        match self {
            Self::Ledger => "in the ledger",
            Self::Provider => "at the provider",
            Self::Books => "in our books",
        }
    }
}

/// What the last line says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// More than intended, proven.
    TooMuch,
    /// More than intended, if all count.
    TooMuchMaybe,
    /// Fewer than intended.
    TooLittle,
    /// Nothing there, and that is proven.
    DidNotHappen,
    /// Cannot be known yet.
    NotKnown,
    /// A value is not as intended.
    Differs,
    /// As intended.
    Equal,
}

impl Outcome {
    /// The word behind the count.
    pub fn word(self) -> &'static str {
        match self {
            Self::TooMuch => "too much",
            Self::TooMuchMaybe => "too much?",
            Self::TooLittle => "too little",
            Self::DidNotHappen => "did not happen",
            Self::NotKnown => "not known",
            Self::Differs => "differs",
            Self::Equal => "equal",
        }
    }

    /// Roles of count, word and amount. Only what is proven is red; the mark of a question is the only amber.
    pub fn roles(self) -> (Role, Role, Role) {
        match self {
            Self::TooMuch | Self::TooLittle => (Role::Wrong, Role::Wrong, Role::Wrong),
            Self::NotKnown => (Role::Ask, Role::AskWord, Role::Strong),
            Self::TooMuchMaybe | Self::DidNotHappen | Self::Differs => {
                (Role::Strong, Role::AskWord, Role::Strong)
            }
            Self::Equal => (Role::Text, Role::Dim, Role::Text),
        }
    }
}

/// The sum of a row of the list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sum {
    /// Intended: count, amount, assumed.
    pub intended: (u32, Option<Money>, bool),
    /// Found where money moves.
    pub found: (u32, Option<Money>),
    /// Of them on their way: counted apart.
    pub on_its_way: (u32, Option<Money>),
    /// Rows whose amount cannot be read.
    pub unreadable: u32,
    /// The difference.
    pub count: u32,
    /// Its amount.
    pub amount: Option<Money>,
    /// What it means.
    pub outcome: Outcome,
    /// Calls and their money, where rows are judged by the account of their order.
    pub tried: Option<(u32, Option<Money>)>,
    /// The unit of all amounts.
    pub unit: Unit,
}

/// Draws up the sum of an item; `None` where it has no intents.
pub fn sum(item: &Item) -> Option<Sum> {
    let first = item.intents.first()?;
    let newest = item.intents.last()?;
    let judgement = &first.judgement;
    let unit = judgement.unit;
    if let Some(account) = &first.account {
        let count = account.found.saturating_sub(account.wanted);
        let outcome = if account.found > account.wanted { Outcome::TooMuchMaybe } else { Outcome::NotKnown };
        return Some(Sum {
            intended: (account.wanted, account.money_wanted, true),
            found: (account.found, account.money_found),
            on_its_way: (0, None),
            unreadable: 0,
            count,
            amount: item.row.at_risk,
            outcome,
            tried: Some((account.tried, account.money_tried)),
            unit: account.money_wanted.map_or(unit, |money| money.unit),
        });
    }
    let gross: u32 = item.intents.iter().map(|intent| intent.judgement.gross).sum();
    let unreadable: u32 = item.intents.iter().map(|intent| intent.judgement.unreadable).sum();
    let mut totals = Totals::default();
    for intent in &item.intents {
        totals.merge(&intent.totals);
    }
    let pending: Vec<_> = item.rows().filter(|row| row.status == Status::OnItsWay).collect();
    let on_its_way = u32::try_from(pending.len()).unwrap_or(u32::MAX);
    let pending_money = total_of(pending.iter().filter_map(|row| row.amount), unit);
    // Of a chain of replacements only the newest amount counts.
    let range = &newest.judgement;
    let expected = range.expected;
    let intended =
        (range.effective_max, expected.filter(|_| range.effective_max > 0).or(zero(expected)), false);
    let assumed = range.expected_from == crate::judge::judgement::ExpectedFrom::Assumed;
    let found = (gross, money_of(&totals, unit));
    let over = gross.saturating_sub(range.effective_max);
    let under = range.effective_min.saturating_sub(gross);
    let suspected = item.row.verdict == "SUSPECTED_DUPLICATE";
    let class = item.row.class.unwrap_or(judgement.class);
    let violation = class == Class::Violation;
    let (outcome, count) = if unreadable > 0 {
        (Outcome::NotKnown, 0)
    } else if suspected {
        (Outcome::TooMuchMaybe, over.max(1))
    } else if over > 0 {
        (if violation { Outcome::TooMuch } else { Outcome::TooMuchMaybe }, over)
    } else if under > 0 && judgement.covered && !violation {
        (Outcome::DidNotHappen, under)
    } else if under > 0 && violation {
        (Outcome::TooLittle, under)
    } else if under > 0 {
        (Outcome::NotKnown, under)
    } else if violation || item.row.divergent && class != Class::Clean {
        (Outcome::Differs, 0)
    } else {
        (Outcome::Equal, 0)
    };
    let amount = difference(intended.1, found.1).or(expected.filter(|_| outcome == Outcome::NotKnown));
    let amount = if suspected { item.row.at_risk } else { amount };
    Some(Sum {
        intended: (intended.0, intended.1, assumed),
        found,
        on_its_way: (on_its_way, pending_money),
        unreadable,
        count,
        amount,
        outcome,
        tried: None,
        unit,
    })
}

fn zero(money: Option<Money>) -> Option<Money> {
    use crate::model::money::Amount;
    money.map(|money| Money { amount: Amount { digits: 0, ..money.amount }, ..money })
}

/// The total of one unit as money, where it fits.
pub fn money_of(totals: &Totals, unit: Unit) -> Option<Money> {
    use crate::model::money::Amount;
    let Total::Exact(sum) = totals.get(unit)? else {
        return None;
    };
    i64::try_from(sum.digits).ok().map(|digits| Money { unit, amount: Amount { digits, scale: sum.scale } })
}

fn total_of(amounts: impl Iterator<Item = Money>, unit: Unit) -> Option<Money> {
    let mut totals = Totals::default();
    amounts.for_each(|money| totals.add(money));
    money_of(&totals, unit)
}

/// The absolute difference of two amounts of one unit.
pub fn difference(a: Option<Money>, b: Option<Money>) -> Option<Money> {
    let (a, b) = (a?, b?);
    if a.unit != b.unit {
        return None;
    }
    let mut totals = Totals::default();
    let (more, less) = if a.amount > b.amount { (a, b) } else { (b, a) };
    totals.add(more);
    totals.sub(less);
    money_of(&totals, a.unit)
}

/// What copies hold: side, count, total; with whether something is missing in them.
pub fn copies(item: &Item, shown: &Shown<'_>) -> Vec<(Side, u32, Option<Money>, bool)> {
    let mut found: Vec<(usize, u32, Option<Money>, bool)> = Vec::new();
    for intent in &item.intents {
        let disagree = intent.judgement.found & findings::SOURCES_DISAGREE != 0;
        for by in intent.by_source.iter().filter(|by| by.copy) {
            let money = money_of(&by.totals, intent.judgement.unit);
            match found.iter_mut().find(|(source, ..)| *source == by.source) {
                Some((_, count, total, _)) => {
                    *count += by.count;
                    *total = total_of(total.iter().copied().chain(money), intent.judgement.unit);
                }
                None => found.push((by.source, by.count, money, disagree)),
            }
        }
    }
    found
        .into_iter()
        .map(|(source, count, money, disagree)| (Side::of(shown.sources, source), count, money, disagree))
        .collect()
}
