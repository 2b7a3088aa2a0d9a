//! Quieting (`5-hazards.md` 5.0): a rule that fires at a subject is no matter there, and somebody wrote down why. It stays
//! visible, counts as quieted, and ends by itself when its time is over or the measured value gets worse.

use std::cmp::Ordering;

use super::found::{Hazard, Level, Status};
use super::rules::Worse;
use crate::model::hush::{CASE, Hush};
use crate::model::time::Micros;

/// What became of a quieting.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Quieted {
    /// What was written down.
    pub hush: Hush,
    /// Why it holds no longer; `None` while it holds.
    pub ended: Option<Ended>,
}

/// Why a quieting is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// Its time is over.
    Time,
    /// What is measured is worse than what was seen, or it is about more than that.
    Worse,
}

impl Ended {
    /// The word of machine output.
    pub fn word(self) -> &'static str {
        match self {
            Self::Time => "time",
            Self::Worse => "worse",
        }
    }
}

/// What a hazard is at, as a subject of quieting: the kind of it, or `None` where it is not at this subject.
pub fn kind_of(hazard: &Hazard, subject: &str) -> Option<&'static str> {
    let place = &hazard.place;
    let is = |id: &String| !id.is_empty() && id == subject;
    if is(&place.intent) {
        Some("intent")
    } else if is(&place.run) {
        Some("run")
    } else if is(&place.tool) {
        Some("tool")
    } else if is(&place.source) {
        Some("source")
    } else if hazard.subjects.iter().any(is) {
        // Rules of several intents name no single one; those of several runs have no run.
        Some(if hazard.rule.of_runs() { "run" } else { "intent" })
    } else if subject == CASE && subjects(hazard).is_empty() {
        Some(CASE)
    } else {
        None
    }
}

/// Every subject that a hazard can be made quiet for, the narrowest first.
pub fn subjects(hazard: &Hazard) -> Vec<&str> {
    let p = &hazard.place;
    let own = [&p.intent, &p.run, &p.tool, &p.source].into_iter().chain(&hazard.subjects);
    let mut all: Vec<&str> = Vec::new();
    for id in own.filter(|id| !id.is_empty()) {
        if !all.contains(&id.as_str()) {
            all.push(id);
        }
    }
    all
}

/// What is seen of a rule at a subject now, for whoever writes it down.
pub fn seen<'h>(hazards: impl IntoIterator<Item = &'h Hazard>) -> Hush {
    let mut hush = Hush::default();
    let mut level: Option<Level> = None;
    for hazard in hazards {
        level = Some(level.map_or(hazard.level, |known| known.min(hazard.level)));
        hush.count += hazard.count;
        if !hush.measured.iter().any(|known| *known == hazard.measured) {
            hush.measured.push(hazard.measured.to_string());
        }
        for id in &hazard.subjects {
            if hush.subjects.len() < Hazard::NAMED && !hush.subjects.contains(id) {
                hush.subjects.push(id.clone());
            }
        }
    }
    hush.measured.truncate(Hazard::NAMED);
    hush.level = level.map_or("", Level::word).to_owned();
    hush
}

/// Makes quiet what somebody wrote down; says of the rest why it fires all the same.
pub fn quieten(hazards: &mut [Hazard], hushed: &[Hush], now: Micros) {
    for hush in hushed {
        let fits = |h: &Hazard| {
            h.status == Status::Firing && h.rule.id == hush.rule && kind_of(h, &hush.subject).is_some()
        };
        let here = seen(hazards.iter().filter(|h| fits(h)));
        let Some(rule) = hazards.iter().find(|h| fits(h)).map(|h| h.rule) else { continue };
        let ended = if hush.until.is_some_and(|until| until <= now) {
            Some(Ended::Time)
        } else {
            is_worse(rule.worse, hush, &here).then_some(Ended::Worse)
        };
        for hazard in hazards.iter_mut().filter(|h| fits(h)) {
            if ended.is_none() {
                hazard.status = Status::Quieted;
            }
            hazard.quieted = Some(Box::new(Quieted { hush: hush.clone(), ended }));
        }
    }
}

/// Whether what is seen now is worse than what was seen then, or something else.
fn is_worse(by: Worse, then: &Hush, now: &Hush) -> bool {
    let level = |hush: &Hush| Level::from_word(&hush.level);
    let higher = level(then).is_none_or(|then| level(now).is_some_and(|now| now < then));
    let all_named = then.subjects.len() >= then.count.min(Hazard::NAMED);
    let others = all_named
        && then.subjects.len() < Hazard::NAMED
        && now.subjects.iter().any(|id| !then.subjects.contains(id));
    let grown = |value: &String| then.measured.iter().all(|known| got_worse(by, known, value));
    higher || now.count > then.count || others || now.measured.iter().any(grown)
}

/// Whether a measured value is worse than another one of its rule. What cannot be compared is taken for worse.
fn got_worse(by: Worse, then: &str, now: &str) -> bool {
    if then == now || by == Worse::Ages {
        return false;
    }
    let ((shape, then), (same, now)) = (numbers(then), numbers(now));
    if shape != same {
        return true;
    }
    let any = |wanted: Ordering| then.iter().zip(&now).any(|(then, now)| decimal(now, then) == wanted);
    match by {
        Worse::More => any(Ordering::Greater),
        Worse::Fewer => any(Ordering::Less),
        Worse::Share => share(&now).zip(share(&then)).is_none_or(|((a, b), (c, d))| a * d > c * b),
        Worse::Ages => false,
    }
}

/// `5 of 20` as two numbers.
fn share(numbers: &[String]) -> Option<(u128, u128)> {
    let [part, whole] = numbers else { return None };
    let number = |text: &String| text.parse::<u64>().ok().map(u128::from);
    number(part).zip(number(whole))
}

/// A text without its numbers, and the numbers as plain decimals.
fn numbers(text: &str) -> (String, Vec<String>) {
    let (mut shape, mut all) = (String::new(), Vec::new());
    let mut number = String::new();
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        let more = letters.peek().is_some_and(char::is_ascii_digit);
        let inside = !number.is_empty() && more;
        match letter {
            '0'..='9' => number.push(letter),
            ',' if inside => {}
            '.' if inside && !number.contains('.') => number.push(letter),
            _ => {
                if !number.is_empty() {
                    all.push(std::mem::take(&mut number));
                    shape.push('#');
                }
                shape.push(letter);
            }
        }
    }
    if !number.is_empty() {
        all.push(number);
        shape.push('#');
    }
    (shape, all)
}

/// Compares two plain decimals of any length.
fn decimal(a: &str, b: &str) -> Ordering {
    let parts = |text: &str| {
        let (whole, part) = text.split_once('.').unwrap_or((text, ""));
        (whole.trim_start_matches('0').to_owned(), part.trim_end_matches('0').to_owned())
    };
    let ((a, a_part), (b, b_part)) = (parts(a), parts(b));
    a.len().cmp(&b.len()).then_with(|| a.cmp(&b)).then_with(|| a_part.cmp(&b_part))
}

#[cfg(test)]
mod tests {
    use super::super::found::Where;
    use super::super::rules::{RULES, rule};
    use super::*;

    fn hazard(id: &str, place: Where, measured: &str) -> Hazard {
        let rule = rule(id).unwrap();
        let subject = [&place.intent, &place.run].into_iter().find(|id| !id.is_empty()).cloned();
        Hazard {
            rule,
            status: Status::Firing,
            level: rule.level,
            place,
            subjects: subject.into_iter().collect(),
            count: 1,
            measured: measured.to_owned().into(),
            threshold: "".into(),
            edge: false,
            first_seen: Micros::NONE,
            what: String::new(),
            todo: "".into(),
            reason: String::new(),
            quieted: None,
        }
    }

    fn run(id: &str) -> Where {
        Where { run: id.to_owned(), ..Where::default() }
    }

    fn hush(hazards: &[Hazard], rule: &str, subject: &str) -> Hush {
        let here = hazards.iter().filter(|h| h.rule.id == rule && kind_of(h, subject).is_some());
        Hush { rule: rule.to_owned(), subject: subject.to_owned(), by: "dana".to_owned(), ..seen(here) }
    }

    fn now() -> Micros {
        Micros(1_000_000)
    }

    #[test]
    fn only_the_rule_and_the_subject_that_were_named() {
        let mut all = vec![
            hazard("H09", run("run_a"), "6"),
            hazard("H09", run("run_b"), "6"),
            hazard("H10", run("run_a"), "3.5"),
        ];
        let hush = hush(&all, "H09", "run_a");
        quieten(&mut all, &[hush], now());
        let statuses: Vec<Status> = all.iter().map(|h| h.status).collect();
        assert_eq!(statuses, [Status::Quieted, Status::Firing, Status::Firing]);
        assert_eq!(all[0].quieted.as_ref().map(|q| q.hush.by.as_str()), Some("dana"));
        assert_eq!((&all[1].quieted, &all[2].quieted), (&None, &None));
    }

    #[test]
    fn it_ends_where_the_measured_value_gets_worse() {
        for (rule, then, at, ends) in [
            ("H09", "6", "6", false),
            ("H09", "6", "5", false),
            ("H09", "6", "7", true),
            ("H09", "9", "10", true),
            ("H10", "3.5000000000000004", "3.5000000000000004", false),
            ("H10", "3.5000000000000004", "3.5000000000000009", true),
            ("H11", "USD 6,531.30", "USD 6,531.30", false),
            ("H11", "USD 6,531.30", "USD 6,531.31", true),
            ("H11", "USD 6,531.30", "USD 999.99", false),
            ("H11", "USD 6,531.30", "EUR 6,531.30", true),
            ("H06", "1d 21h late", "5d 2h late", false),
            ("H12", "kept 24h", "kept 25h", false),
            ("H12", "kept 24h", "kept 23h", true),
            ("H24", "5 of 20", "6 of 24", false),
            ("H24", "5 of 20", "7 of 24", true),
            ("H03", "0 looks", "0 looks", false),
            ("H15", "timeout", "lost", true),
        ] {
            let before = [hazard(rule, run("run_a"), then)];
            let hush = hush(&before, rule, "run_a");
            let mut after = vec![hazard(rule, run("run_a"), at)];
            quieten(&mut after, &[hush], now());
            let ended = after[0].quieted.as_ref().unwrap().ended;
            assert_eq!(ended, ends.then_some(Ended::Worse), "{rule} {then} {at}");
            assert_eq!(after[0].status == Status::Firing, ends, "{rule} {then} {at}");
        }
    }

    #[test]
    fn another_intent_of_the_tool_or_a_higher_level_ends_it() {
        let tool = Where { tool: "refund".to_owned(), ..Where::default() };
        let with = |ids: &[&str], level: Level| Hazard {
            subjects: ids.iter().map(|id| (*id).to_owned()).collect(),
            count: ids.len(),
            level,
            ..hazard("H14", tool.clone(), "0 looks")
        };
        let hush = hush(&[with(&["a", "b"], Level::Medium)], "H14", "refund");
        for (ids, level, ended) in [
            (&["a", "b"][..], Level::Medium, None),
            (&["a"], Level::Medium, None),
            (&["a", "c"], Level::Medium, Some(Ended::Worse)),
            (&["a", "b", "c"], Level::Medium, Some(Ended::Worse)),
            (&["a", "b"], Level::High, Some(Ended::Worse)),
        ] {
            let mut after = vec![with(ids, level)];
            quieten(&mut after, std::slice::from_ref(&hush), now());
            assert_eq!(after[0].quieted.as_ref().unwrap().ended, ended, "{ids:?} {level:?}");
        }
    }

    #[test]
    fn it_ends_at_its_time() {
        for (until, ended) in [(1_000_001, None), (1_000_000, Some(Ended::Time)), (1, Some(Ended::Time))] {
            let mut all = vec![hazard("H09", run("run_a"), "6")];
            let hush = Hush { until: Some(Micros(until)), ..hush(&all, "H09", "run_a") };
            quieten(&mut all, &[hush], now());
            assert_eq!(all[0].quieted.as_ref().unwrap().ended, ended, "{until}");
        }
    }

    #[test]
    fn what_is_of_the_whole_case_has_a_subject_too() {
        let mut all = vec![hazard("H24", Where::default(), "5 of 20")];
        assert_eq!(kind_of(&all[0], "case"), Some("case"));
        let hush = hush(&all, "H24", "case");
        quieten(&mut all, &[hush], now());
        assert_eq!(all[0].status, Status::Quieted);
        let other = hazard("H09", run("run_a"), "6");
        assert_eq!((kind_of(&other, "case"), kind_of(&other, "")), (None, None));
    }

    #[test]
    fn only_what_ages_by_itself_is_not_compared() {
        let ages: Vec<&str> = RULES.iter().filter(|r| r.worse == Worse::Ages).map(|r| r.id).collect();
        assert_eq!(ages, ["H06"]);
    }

    #[test]
    fn decimals_of_any_length() {
        for (a, b, order) in [
            ("10", "9", Ordering::Greater),
            ("0.10", "0.1", Ordering::Equal),
            ("0.09", "0.1", Ordering::Less),
            ("00", "0", Ordering::Equal),
            ("99999999999999999999999999999999999999999", "1", Ordering::Greater),
        ] {
            assert_eq!(decimal(a, b), order, "{a} {b}");
        }
    }
}
