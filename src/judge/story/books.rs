//! What a copy says otherwise than the source it copies (`4-sources.md` 4.11). It decides nothing.

use super::facts::Facts;
use super::phrase::{joined, times};
use crate::judge::view::EffectView;
use crate::model::money::Totals;

/// How often and with which totals a side has it: a part adds, several copies do not.
fn side(facts: &Facts<'_>, copy: bool) -> (u32, Totals) {
    let mut totals = Totals::default();
    let mut count = 0;
    for source in facts.view.by_source.iter().filter(|s| s.copy == copy) {
        if copy {
            count = count.max(source.count);
            totals = source.totals.clone();
        } else {
            count += source.count;
            totals.merge(&source.totals);
        }
    }
    (count, totals)
}

/// What our books do, after "our books": `do not have it`, `have it twice`, `say USD 46.00`.
pub(super) fn differ(facts: &Facts<'_>) -> String {
    let (there, there_totals) = side(facts, false);
    let (here, here_totals) = side(facts, true);
    match here {
        0 => "do not have it".to_owned(),
        _ if here > there => format!("have it {}", times(u64::from(here))),
        _ if here < there => "have only a part of it".to_owned(),
        _ if here_totals != there_totals => format!("say {}", facts.cx.totals(&here_totals)),
        _ => "differ".to_owned(),
    }
}

/// The words of `SOURCES_DISAGREE`, by what differs.
pub(super) fn finding(facts: &Facts<'_>) -> String {
    let (there, there_totals) = side(facts, false);
    let (here, here_totals) = side(facts, true);
    if here > there && there > 0 {
        let often = times(u64::from(here));
        format!("recorded {often}, not paid {often}")
    } else if here > there {
        "our books have it, the provider does not".to_owned()
    } else if here == 0 {
        "the provider has it, our books do not".to_owned()
    } else if here < there {
        format!("the provider has {there}, our books have {here}")
    } else {
        format!("{} there, {} here", facts.cx.totals(&there_totals), facts.cx.totals(&here_totals))
    }
}

/// The sentence of the fine print; `None` where no copy differs.
pub(super) fn sentence(facts: &Facts<'_>) -> Option<String> {
    if !facts.has_copies() {
        return None;
    }
    let rows = facts.rows();
    let in_books = |ident: u32| facts.view.effects.iter().any(|e| e.copy && e.ident == ident);
    let (both, missing): (Vec<&EffectView>, Vec<&EffectView>) =
        rows.iter().copied().filter(|r| !r.copy).partition(|r| in_books(r.ident));
    let (there, there_totals) = side(facts, false);
    let (here, here_totals) = side(facts, true);
    let decide = "They decide nothing here.";
    if there == 0 && here > 0 {
        return Some(format!("Our books have it, the provider does not. {decide}"));
    }
    if here > there {
        let often = times(u64::from(here));
        return Some(format!("Our books have it {often}: recorded {often}, not paid {often}. {decide}"));
    }
    if !missing.is_empty() {
        let names = joined(&missing.iter().map(|r| r.name.clone()).collect::<Vec<_>>());
        // Only where the books have just what an answer named does the gap say how they are filled.
        let by_answers = !both.is_empty() && both.iter().all(|r| r.acknowledged);
        let by_answers = by_answers && missing.iter().all(|r| !r.acknowledged);
        let how = if by_answers { ": they are written after an answer" } else { "" };
        return Some(format!("The provider has {names}, our books do not{how}. {decide}"));
    }
    if here_totals != there_totals {
        let (there, here) = (facts.cx.totals(&there_totals), facts.cx.totals(&here_totals));
        return Some(format!("The provider says {there}, our books say {here}. {decide}"));
    }
    None
}
