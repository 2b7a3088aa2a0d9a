//! A second evaluator that shares nothing with the judge: it enumerates the worlds that a history allows, and answers
//! a few questions in plain order. Both have to agree on ten thousand seeded histories.

use std::collections::BTreeSet;

use super::build::{Case, cents};
use crate::judge::facts::Idempotent;
use crate::judge::judgement::AtMostOnce;
use crate::model::outcome::{Class, Outcome};
use crate::model::row::{State, record_flag};
use crate::model::time::SECOND;

/// Small and seeded, so that a failure can be seen again.
pub struct Dice(pub u64);

impl Dice {
    pub fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % n
    }

    pub fn pick<T: Copy>(&mut self, of: &[T]) -> T {
        of[usize::try_from(self.below(of.len() as u64)).unwrap()]
    }
}

/// A random small history.
#[derive(Clone, Debug)]
struct History {
    calls: Vec<(Class, u32)>,
    rows: u32,
    on_the_way: u32,
    wanted: u32,
    covered: bool,
    idempotent: Idempotent,
    recorded: Option<State>,
    file: bool,
    /// The rows together have the expected total; else no total is expected.
    equal_total: bool,
}

/// Now: 45 s after the first send, so that a first call without an end has lost its answer, later ones wait.
const NOW: i64 = 45 * SECOND;

fn roll(dice: &mut Dice) -> History {
    let answers = [
        Class::Ok,
        Class::Ok,
        Class::OkReused,
        Class::Already,
        Class::Fail,
        Class::Unknown,
        Class::Unknown,
        Class::Open,
    ];
    let calls: Vec<(Class, u32)> = (0..dice.below(5))
        .map(|no| {
            let class = dice.pick(&answers);
            // Calls are sent ten seconds apart; the timeout is thirty.
            let class =
                if class == Class::Open && NOW > i64::try_from(no).unwrap() * 10 * SECOND + 30 * SECOND {
                    Class::Unknown
                } else {
                    class
                };
            (class, u32::try_from(dice.below(3)).unwrap())
        })
        .collect();
    let on_the_way = u32::from(dice.below(5) == 0);
    let states = [State::Submitted, State::Confirmed, State::Failed, State::Unknown];
    History {
        calls,
        rows: dice.pick(&[0, 0, 0, 1, 1, 1, 1, 2, 2, 3, 4]),
        on_the_way,
        wanted: dice.pick(&[0, 1, 1, 1, 2, 2]),
        covered: dice.below(2) == 0,
        idempotent: dice.pick(&[Idempotent::No, Idempotent::Yes, Idempotent::Unknown]),
        recorded: (dice.below(2) == 0).then(|| dice.pick(&states)),
        file: dice.below(4) == 0,
        equal_total: dice.below(3) == 0,
    }
}

fn case_of(h: &History) -> Case {
    let mut case = Case::derived().idempotent(h.idempotent).of(None).now(NOW);
    for (class, _) in &h.calls {
        case = match class {
            Class::Ok => case.ok(),
            Class::OkReused => case.call(Outcome::Reused),
            Class::Already => case.call(Outcome::AlreadyDone),
            Class::Fail => case.refused(),
            Class::Unknown => case.lost(),
            Class::Open => case.open(),
        };
    }
    // Keys as ordinals: dense, in order of appearance.
    let mut seen = vec![0];
    for (t, (_, key)) in case.tries.iter_mut().zip(&h.calls) {
        if !seen.contains(key) {
            seen.push(*key);
        }
        t.key = u32::try_from(seen.iter().position(|k| k == key).unwrap()).unwrap();
    }
    let total = h.equal_total.then(|| cents(1_200));
    let each = h.equal_total.then(|| cents(1_200 / i64::from(h.rows.max(1))));
    case = case.of(each);
    for _ in 0..h.rows {
        case = case.row();
    }
    for _ in 0..h.on_the_way {
        case = case.pending();
    }
    case = if h.file {
        case.in_file(total, Some((h.wanted, h.wanted)))
    } else {
        case.total(total).with(|c| {
            let record = c.record.as_mut().unwrap();
            (record.min, record.max) = (h.wanted, h.wanted);
            record.flags |= record_flag::COUNT;
        })
    };
    if let Some(state) = h.recorded {
        case = case.state(state);
    }
    if h.covered { case.covered() } else { case }
}

/// Totals that are possible: every way in which the calls without an answer may have acted.
fn worlds(h: &History, deduplicates: bool) -> BTreeSet<u32> {
    let free: Vec<usize> =
        (0..h.calls.len()).filter(|no| matches!(h.calls[*no].0, Class::Unknown | Class::Open)).collect();
    let mut totals = BTreeSet::new();
    for choice in 0..1_u32 << free.len() {
        let acted = |no: usize| {
            let by_choice = free.iter().position(|f| *f == no).is_some_and(|at| choice & (1 << at) != 0);
            by_choice || h.calls[no].0 == Class::Ok
        };
        let stored = |no: usize| matches!(h.calls[no].0, Class::OkReused | Class::Already);
        let total = if deduplicates {
            let mut keys = BTreeSet::new();
            let mut alone = 0;
            for no in (0..h.calls.len()).filter(|no| acted(*no) || stored(*no)) {
                match h.calls[no].1 {
                    0 => alone += 1,
                    key => alone += u32::from(keys.insert(key)),
                }
            }
            alone
        } else {
            let effects = u32::try_from((0..h.calls.len()).filter(|no| acted(*no)).count()).unwrap();
            // "Already done": at least one exists, by these calls or by an earlier one.
            effects.max(u32::from((0..h.calls.len()).any(stored)))
        };
        totals.insert(total);
    }
    totals
}

fn possible(h: &History) -> (u32, u32) {
    let (yes, no) = (worlds(h, true), worlds(h, false));
    let ends = |w: &BTreeSet<u32>| (*w.first().unwrap(), *w.last().unwrap());
    match h.idempotent {
        Idempotent::Yes => ends(&yes),
        Idempotent::No => ends(&no),
        // It may be either: the fewest if it deduplicates, the most if it does not.
        Idempotent::Unknown => (ends(&yes).0, ends(&no).1.max(ends(&yes).0)),
    }
}

/// What the history says, asked in plain words.
struct Said {
    verdict: &'static str,
    property: AtMostOnce,
}

fn answer(h: &History) -> Said {
    let any = |of: &[Class]| h.calls.iter().any(|(class, _)| of.contains(class));
    let waiting = any(&[Class::Open]);
    let told_yes = !waiting && any(&[Class::Ok, Class::OkReused, Class::Already]);
    let lost = !waiting && !told_yes && any(&[Class::Unknown]);
    let told_no = !waiting && !told_yes && !lost && any(&[Class::Fail]);
    let never = h.calls.is_empty();
    let covered = h.covered && h.on_the_way == 0 && !never;
    let state = h.recorded.unwrap_or(match () {
        () if waiting || never => State::Submitted,
        () if told_yes => State::Confirmed,
        () if lost => State::Unknown,
        () => State::Failed,
    });
    let (least, most) = possible(h);
    let more_may_come =
        !covered && (h.on_the_way > 0 || (most > h.rows.max(least) && any(&[Class::Unknown, Class::Open])));
    let denied = state == State::Failed || (told_no && state != State::Confirmed);
    let verdict = verdict(h, state, covered, more_may_come, denied, (waiting, told_yes, told_no, never));
    let nothing_wanted_now = state == State::Failed && !h.file;
    let property = if h.rows > h.wanted || (nothing_wanted_now && h.rows > 0) {
        AtMostOnce::Violated
    } else if h.rows + h.on_the_way > h.wanted || (more_may_come && most.max(h.rows) > h.wanted) {
        AtMostOnce::NotJudged
    } else {
        AtMostOnce::Held
    };
    Said { verdict, property }
}

fn verdict(
    h: &History,
    state: State,
    covered: bool,
    more_may_come: bool,
    denied: bool,
    (waiting, told_yes, told_no, never): (bool, bool, bool, bool),
) -> &'static str {
    let rows = h.rows;
    if h.wanted == 0 {
        return match (rows > 0, covered) {
            (true, _) => "UNEXPECTED_EFFECT",
            (false, true) => "MATCHED",
            (false, false) => "UNVERIFIED_ABSENCE",
        };
    }
    if rows != h.wanted && rows > 0 && h.equal_total && state != State::Failed {
        return "COUNT_DIFFERS_TOTAL_EQUAL";
    }
    if rows > h.wanted {
        return "DUPLICATED";
    }
    if rows > 0 && denied {
        return "FAILED_BUT_EFFECT";
    }
    if rows + h.on_the_way > h.wanted {
        return "SUSPECTED_DUPLICATE";
    }
    if state == State::Submitted && waiting {
        return "IN_FLIGHT";
    }
    if rows == h.wanted {
        return match state {
            State::Confirmed if more_may_come => "MATCHED_NOT_SETTLED",
            State::Confirmed => "MATCHED",
            _ if told_yes => "STATE_LAGS",
            _ => "HIDDEN_SUCCESS",
        };
    }
    let nothing_could_act = never || told_no;
    let missing = if rows > 0 { "PARTIAL" } else { "MISSING" };
    match state {
        State::Confirmed if covered => missing,
        State::Confirmed => "UNVERIFIED_SUCCESS",
        State::Failed => match (covered || (nothing_could_act && h.on_the_way == 0), h.file) {
            (true, true) => "MISSING",
            (true, false) => "FAILED_CLEAN",
            (false, _) => "FAILED_UNPROVEN",
        },
        State::Unknown if covered && (rows > 0 || told_yes) => missing,
        State::Unknown if covered => "ABSENT_COVERED",
        State::Unknown => "UNRESOLVED_UNKNOWN",
        State::Submitted if told_yes && covered => missing,
        State::Submitted if told_yes => "UNVERIFIED_SUCCESS",
        State::Submitted if told_no => "STATE_LAGS",
        State::Submitted if never => "NOT_STARTED",
        State::Submitted => "STALE_SUBMITTED",
    }
}

#[test]
fn ten_thousand_histories_by_worlds() {
    let mut dice = Dice(0x5eed_0001);
    let mut verdicts = std::collections::BTreeMap::new();
    for no in 0..10_000 {
        let h = roll(&mut dice);
        let case = case_of(&h);
        let j = case.judge();
        let said = answer(&h);
        let (lo, hi) = possible(&h);
        let with_way = if h.on_the_way > 0 { hi.max(h.rows + h.on_the_way) } else { hi };
        assert_eq!((j.lo, j.hi_uncapped), (lo, with_way), "bounds of {no}: {h:?}");
        let covered = h.covered && h.on_the_way == 0 && !h.calls.is_empty();
        assert_eq!(j.covered, covered, "coverage of {no}: {h:?}");
        let capped = if covered { lo.max(h.rows) } else { with_way };
        assert_eq!(j.hi, capped, "cap of {no}: {h:?}");
        assert_eq!(j.verdict(), said.verdict, "verdict of {no}: {h:?}\n{j:#?}");
        assert_eq!(j.at_most_once, said.property, "property of {no}: {h:?}\n{j:#?}");
        assert!(j.verdict() != "MATCHED" || h.rows > 0 || h.wanted == 0, "{no}: {h:?}");
        *verdicts.entry(j.verdict()).or_insert(0) += 1;
    }
    // The dice reach every verdict that such histories can have.
    assert_eq!(verdicts.len(), 20, "{verdicts:?}");
}

#[test]
fn an_answer_of_the_unknown_class_never_proves_that_nothing_happened() {
    let outcomes = [
        Outcome::ResponseLost,
        Outcome::Timeout,
        Outcome::ConnectionReset,
        Outcome::ServerError,
        Outcome::Cancelled,
        Outcome::Failed,
        Outcome::NoRecord,
        Outcome::OtherWord,
        Outcome::Missing,
    ];
    for outcome in outcomes {
        for idempotent in [Idempotent::No, Idempotent::Yes, Idempotent::Unknown] {
            let j = Case::derived().idempotent(idempotent).call(outcome).judge();
            assert_eq!((j.lo, j.hi_uncapped), (0, 1), "{outcome:?} {idempotent:?}");
            assert_eq!(j.state, Some(State::Unknown));
        }
    }
    let conflict = Case::derived()
        .refused()
        .last_call(|t| t.row.flags |= crate::model::row::attempt_flag::CONFLICT)
        .judge();
    assert_eq!((conflict.lo, conflict.hi_uncapped), (0, 1));
}

#[test]
fn the_order_in_which_records_were_read_does_not_matter() {
    let mut dice = Dice(0x5eed_0002);
    for no in 0..2_000 {
        let mut h = roll(&mut dice);
        h.on_the_way = 0;
        let mut case = case_of(&h);
        if h.rows > 1 && dice.below(2) == 0 {
            let named = (dice.below(2) == 0).then_some(0);
            case = case.reversal(named, if h.equal_total { 1_200 / i64::from(h.rows) } else { 100 });
        }
        let mut shuffled = case.clone();
        // Records in any order, ordinals by any numbering: the desk sorts by time and place.
        for at in (1..shuffled.tries.len()).rev() {
            shuffled.tries.swap(at, usize::try_from(dice.below(at as u64 + 1)).unwrap());
        }
        let keys = case.tries.iter().map(|t| t.key).max().unwrap_or(0);
        for t in &mut shuffled.tries {
            t.key = if t.key == 0 { 0 } else { keys + 1 - t.key };
        }
        let rows = u32::try_from(case.rows.len()).unwrap();
        for r in &mut shuffled.rows {
            r.ident = rows - 1 - r.ident;
        }
        shuffled.rows.reverse();
        shuffled.tries.sort_by_key(|t| (t.row.sent, t.row.at));
        shuffled.rows.sort_by_key(|r| (r.row.committed, r.row.at));
        assert_eq!(format!("{:?}", case.judge()), format!("{:?}", shuffled.judge()), "{no}: {h:?}");
    }
}

#[test]
fn time_shifts_change_nothing() {
    // No clock but the one in the setting: a history a year later has the same judgement, a year later.
    let mut dice = Dice(0x5eed_0003);
    let year = 365 * 24 * 3600 * SECOND;
    for _ in 0..500 {
        let case = case_of(&roll(&mut dice));
        let later = case.clone().with(|c| {
            for t in &mut c.tries {
                t.row.sent = t.row.sent.plus(year);
                if !t.row.ended().is_none() {
                    t.row.ended = t.row.ended.plus(year);
                }
            }
            c.rows.iter_mut().for_each(|r| r.row.committed = r.row.committed.plus(year));
            c.states.iter_mut().for_each(|s| s.when = s.when.plus(year));
            c.setting.now = c.setting.now.plus(year);
            let ledger = &mut c.setting.sources[1];
            for time in [&mut ledger.read_at, &mut ledger.newest, &mut ledger.from] {
                *time = time.map(|t| t.plus(year));
            }
        });
        let (a, b) = (case.judge(), later.judge());
        assert_eq!((a.rule, a.severity, a.hi, a.found), (b.rule, b.severity, b.hi, b.found));
        if !a.holds_until.is_none() {
            assert_eq!(b.holds_until.since(a.holds_until), year);
        }
    }
}
