//! What the book says beside the state, held against the facts of this load (`3-lifecycle.md` 3.8, 3.13): a closed item
//! comes back by itself when the facts behind it change, and a decision is not taken over until the owning system says
//! so too.

use crate::judge::view::{IntentView, SourceView};
use crate::lifecycle::facts::Facts;
use crate::load::{Case, Op};
use crate::model::money::{Money, parse_decimal};
use crate::model::row::State;
use crate::model::time::{Micros, span_words};
use crate::model::units::{Units, iso};
use crate::sources::spec::{CLOSED, Closing, Standing};

/// Flag of a decision that no record of another system has followed yet.
pub const NOT_TAKEN_OVER: &str = "not_taken_over";

/// Flag of an item that was closed, and whose facts are others since.
pub const FACTS_CHANGED: &str = "facts_changed";

/// Adds these properties to what the book says of each intent.
pub fn settle(case: &mut Case) {
    if !case.spec.standing.iter().any(|one| !one.closings.is_empty() || one.decided.is_some()) {
        return;
    }
    let books: Vec<String> =
        case.spec.sources.iter().filter(|s| s.options.book).map(|s| s.shown.clone()).collect();
    let sources = case.sources();
    let mut closed = Vec::new();
    let mut all = std::mem::take(&mut case.spec.standing);
    for one in all.iter_mut().filter(|one| !one.closings.is_empty() || one.decided.is_some()) {
        let Some((op, view)) = of(case, &one.intent_id) else { continue };
        if let Some((state, at)) = one.decided
            && !taken_over(&view, state, &books)
        {
            one.flags.push(NOT_TAKEN_OVER);
            let age = span_words(case.setting.now.since(at).max(0));
            one.words.push(format!("Handed over, not taken over: {age} since the decision in this book."));
        }
        if close(case, &sources, one, &view) {
            closed.push(op);
        }
    }
    case.spec.standing = all;
    case.close(closed);
}

fn of(case: &Case, intent_id: &str) -> Option<(Op, IntentView)> {
    let found = case.find(intent_id);
    let mut views = found.into_iter().filter_map(|op| Some((op, case.view(op)?)));
    views.find(|(_, view)| view.intent_id == intent_id)
}

/// A record of another source has the intent in the state that was decided.
fn taken_over(view: &IntentView, state: State, books: &[String]) -> bool {
    let of_book = |place: &str| books.iter().any(|book| place.starts_with(book.as_str()));
    view.states.iter().any(|s| s.to == state && !of_book(&s.place))
}

/// Whether the item is closed; says so, or that its facts changed, or what is left. What is left in `closings` are
/// those that close it.
fn close(case: &Case, sources: &[SourceView], one: &mut Standing, view: &IntentView) -> bool {
    if one.closings.is_empty() {
        return false;
    }
    let print = Facts::of(view, case.units(), sources, case.setting.now).fingerprint;
    stand(one, &print, &view.at_risk, case.units())
}

/// Holds the dispositions against the facts of now: only those made on them count, older ones are history.
fn stand(one: &mut Standing, print: &str, at_risk: &[Money], units: &Units) -> bool {
    let (here, before): (Vec<Closing>, Vec<Closing>) =
        std::mem::take(&mut one.closings).into_iter().partition(|closing| closing.fingerprint == print);
    one.closings = here;
    match (one.closings.last(), accounts(&one.closings, at_risk, units)) {
        (Some(last), true) => {
            one.flags.push(CLOSED);
            one.words.push(format!("Closed by {}: {}.", last.by, last.word));
            return true;
        }
        (Some(last), false) => {
            one.words.push(format!("In part {} by {}: not all of it is accounted for.", last.word, last.by));
        }
        (None, _) => {}
    }
    if let Some(last) = before.last() {
        one.flags.push(FACTS_CHANGED);
        one.words.push(format!("Closed by {}, facts changed: look at it again.", last.by));
    }
    false
}

/// Whether dispositions account for what is at risk: one that is no amount does for all of it, amounts are summed.
fn accounts(closings: &[Closing], at_risk: &[Money], units: &Units) -> bool {
    let amounts = closings.iter().map(|closing| match &closing.amount {
        None => Ok(None),
        Some((unit, text)) => {
            let unit = units.get(unit).or_else(|| iso(unit)).ok_or(())?;
            parse_decimal(text).map(|amount| Some(Money::new(unit, amount))).map_err(|_| ())
        }
    });
    let mut sums: Vec<Money> = Vec::new();
    for amount in amounts {
        match amount {
            Ok(None) => return true,
            Err(()) => return false,
            Ok(Some(money)) => sums.push(money),
        }
    }
    at_risk.iter().all(|risk| {
        let mut sum = crate::model::money::Amount::ZERO.wide();
        for money in sums.iter().filter(|money| money.unit == risk.unit) {
            match sum.checked_add(money.amount.wide()) {
                Some(more) => sum = more,
                None => return false,
            }
        }
        sum >= risk.amount.wide()
    })
}

/// When a decision was made and to which state; `None` where an application reads the state from the book itself.
pub fn decided(origin: Option<&str>, state: State, at: Option<Micros>) -> Option<(State, Micros)> {
    let at = at?;
    let settled = matches!(state, State::Confirmed | State::Failed);
    (settled && origin != Some("app")).then_some((state, at))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn amount(text: &str) -> Closing {
        Closing {
            word: "recovered".to_owned(),
            by: "dana".to_owned(),
            fingerprint: String::new(),
            amount: Some(("USD".to_owned(), text.to_owned())),
        }
    }

    #[test]
    fn amounts_account_for_the_risk_together_to_the_cent() {
        let units = Units::default();
        let usd = iso("USD").unwrap();
        let risk = [Money::new(usd, parse_decimal("200.00").unwrap())];
        assert!(!accounts(&[amount("150.00"), amount("49.99")], &risk, &units));
        assert!(accounts(&[amount("150.00"), amount("50.00")], &risk, &units));
        assert!(accounts(&[amount("1.00")], &[], &units));
        let other = Closing { amount: Some(("EUR".to_owned(), "500.00".to_owned())), ..amount("1") };
        assert!(!accounts(&[other], &risk, &units));
        assert!(accounts(&[Closing { amount: None, ..amount("1") }], &risk, &units));
    }

    #[test]
    fn dispositions_on_the_facts_of_now_count_and_older_ones_are_history() {
        let units = Units::default();
        let usd = iso("USD").unwrap();
        let risk = [Money::new(usd, parse_decimal("400.00").unwrap())];
        let on = |print: &str, text: &str| Closing { fingerprint: print.to_owned(), ..amount(text) };
        let held = |closings: Vec<Closing>| {
            let mut one = Standing { closings, ..Standing::default() };
            let closed = stand(&mut one, "now", &risk, &units);
            (closed, one.flags, one.words)
        };
        let changed = "Closed by dana, facts changed: look at it again.".to_owned();
        let part = "In part recovered by dana: not all of it is accounted for.".to_owned();
        assert_eq!(held(vec![on("old", "400.00")]), (false, vec![FACTS_CHANGED], vec![changed.clone()]));
        assert_eq!(
            held(vec![on("old", "200.00"), on("now", "399.99")]),
            (false, vec![FACTS_CHANGED], vec![part.clone(), changed])
        );
        let closed = (true, vec![CLOSED], vec!["Closed by dana: recovered.".to_owned()]);
        assert_eq!(held(vec![on("old", "200.00"), on("now", "400.00")]), closed);
        // What was made on other facts is in no sum, wherever it stands.
        assert_eq!(held(vec![on("now", "400.00"), on("old", "1.00")]), closed);
        assert_eq!(held(vec![on("now", "399.99")]), (false, vec![], vec![part]));
        // Nothing at risk is not yet closed by what stood on other facts.
        let mut one = Standing { closings: vec![on("old", "1.00")], ..Standing::default() };
        assert!(!stand(&mut one, "now", &[], &units));
    }

    #[test]
    fn what_an_application_reads_from_the_book_is_not_handed_over() {
        let at = Some(Micros(1));
        assert_eq!(decided(Some("{}"), State::Failed, at), Some((State::Failed, Micros(1))));
        assert_eq!(decided(Some("app"), State::Failed, at), None);
        assert_eq!(decided(Some("{}"), State::Unknown, at), None);
        assert_eq!(decided(None, State::Confirmed, None), None);
    }
}
