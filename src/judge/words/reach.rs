//! What a source can prove and what it cannot, in words (`6-screens.md`, sources; conditions of `4-sources.md` 4.3).

use crate::judge::coverage::condition::{C0, C2, C3, C4, C5, C7, C8, C9};
use crate::judge::coverage::{FROM_THE_START, Reach};
use crate::judge::view::SourceView;
use crate::model::time::Micros;

/// Why no absence can be proven, whatever the operation is: one line per condition.
const NEVER: [(u16, &str); 8] = [
    (C9, "it is a copy, or not where the effect happens"),
    (C0, "this source cannot prove absence"),
    (C3, "it is not complete"),
    (C2, "nothing in it has a time"),
    (C4, "{n} cannot be read, and each may be of any operation"),
    (C5, "it is a replica, and how far it had got is not known"),
    (C7, "its read position went back"),
    (C8, "where it begins is not known: --covers-from says"),
];

/// [`C2`] where rows have times, and none of them is known to be the newest that counts (`4-sources.md` 4.5).
const UNSETTLED: &str = "writes from before its newest row may still be open";

/// What a source proves, and what it does not.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Proves {
    /// What; empty where nothing.
    pub yes: String,
    /// What not, each with its reason.
    pub no: Vec<String>,
}

/// In words; `show` writes a time. Kinds are text from outside. `None` where it is no ledger or was not read.
pub fn proves(source: &SourceView, show: impl Fn(Micros) -> String) -> Option<Proves> {
    let reach = source.reach.filter(|_| source.error.is_none())?;
    let mut what = match source.holds.as_slice() {
        [] => "absence".to_owned(),
        kinds => format!("absence of {}", kinds.join(", ")),
    };
    if !source.part.is_empty() {
        what.push_str(&format!(" in {}", source.part));
    }
    if reach.misses != 0 {
        let rows = if reach.damaged == 1 { "1 row".to_owned() } else { format!("{} rows", reach.damaged) };
        let reasons = NEVER.iter().filter(|(condition, _)| reach.misses & condition != 0);
        let no = reasons.map(|(condition, words)| {
            let words = if *condition == C2 && source.newest.is_some() { UNSETTLED } else { words };
            format!("{what}: {}", words.replace("{n}", &rows))
        });
        return Some(Proves { yes: String::new(), no: no.collect() });
    }
    let (yes, before) = within(&reach, &show);
    let mut no: Vec<String> = before.into_iter().map(|when| format!("{what} of calls {when}")).collect();
    if reach.gaps {
        no.push(format!("{what} in the times between its files: one may be missing"));
    }
    Some(Proves { yes: format!("{what}, {yes}"), no })
}

/// The time in which an absence counts, and what lies before it.
fn within(reach: &Reach, show: &impl Fn(Micros) -> String) -> (String, Option<String>) {
    let Some(until) = reach.until.map(show) else {
        return ("at any time: it was declared final".to_owned(), None);
    };
    match reach.from {
        None | Some(FROM_THE_START) => (format!("for calls that could only land before {until}"), None),
        Some(from) => {
            let from = show(from);
            (
                format!("for calls after {from} that could only land before {until}"),
                Some(format!("before {from}")),
            )
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judge::story::samples::{sources, t};

    fn clock(at: Micros) -> String {
        crate::model::time::clock(
            crate::model::time::Instant { at, res: crate::model::time::Res::Second },
            t("09:14:07"),
        )
    }

    fn of(reach: Reach) -> (String, Vec<String>) {
        let mut source = sources().remove(1);
        source.newest = None;
        source.reach = Some(reach);
        let Proves { yes, no } = proves(&source, clock).unwrap();
        (yes, no)
    }

    #[test]
    fn a_listing_proves_absence_between_its_begin_and_its_end() {
        let whole = Reach { from: Some(FROM_THE_START), until: Some(t("09:13:51")), ..Reach::default() };
        assert_eq!(
            of(whole),
            ("absence of refund, for calls that could only land before 09:13:51".into(), vec![])
        );
        let late = Reach { from: Some(t("08:12:04")), gaps: true, ..whole };
        let words = "absence of refund, for calls after 08:12:04 that could only land before 09:13:51";
        let no = [
            "absence of refund of calls before 08:12:04",
            "absence of refund in the times between its files: one may be missing",
        ];
        assert_eq!(of(late), (words.into(), no.map(String::from).to_vec()));
        let final_ = Reach::default();
        assert_eq!(of(final_), ("absence of refund, at any time: it was declared final".into(), vec![]));
    }

    #[test]
    fn a_source_with_times_is_never_said_to_have_none() {
        let mut source = sources().remove(1);
        source.reach = Some(Reach { misses: C2, ..Reach::default() });
        let words = |source: &SourceView| proves(source, clock).unwrap().no;
        source.newest = Some(t("09:13:51"));
        assert_eq!(
            words(&source),
            ["absence of refund: writes from before its newest row may still be open"]
        );
        source.newest = None;
        assert_eq!(words(&source), ["absence of refund: nothing in it has a time"]);
    }

    #[test]
    fn a_source_of_one_part_proves_nothing_of_the_others() {
        let mut source = sources().remove(1);
        source.part = "region us".into();
        source.reach =
            Some(Reach { from: Some(FROM_THE_START), until: Some(t("09:13:51")), ..Reach::default() });
        let yes = proves(&source, clock).unwrap().yes;
        assert_eq!(yes, "absence of refund in region us, for calls that could only land before 09:13:51");
    }

    #[test]
    fn each_condition_that_no_operation_can_fulfil_is_said() {
        for (condition, words) in NEVER {
            let (yes, no) = of(Reach { misses: condition, damaged: 2, ..Reach::default() });
            assert_eq!(yes, "");
            assert_eq!(no, [format!("absence of refund: {}", words.replace("{n}", "2 rows"))]);
        }
        let both = of(Reach { misses: C9 | C4, damaged: 1, ..Reach::default() });
        assert_eq!(both.1.len(), 2);
        assert_eq!(both.1[1], "absence of refund: 1 row cannot be read, and each may be of any operation");
    }

    #[test]
    fn a_trace_and_a_source_that_was_not_read_say_nothing() {
        let mut all = sources();
        assert_eq!(proves(&all[0], clock), None);
        all[1].error = Some("no such file".into());
        assert_eq!(proves(&all[1], clock), None);
    }
}
