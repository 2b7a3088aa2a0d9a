use super::*;
use crate::judge::story::samples::{attempt, effect, instant, int_4812, int_9876, sources, t, usd};
use crate::judge::view::Tied;
use crate::model::money::Money;
use crate::model::outcome::Outcome;
use crate::model::time::{DAY, Res, SECOND, rfc3339};
use crate::model::units::Units;

fn shown(money: Money) -> String {
    Units::default().show(money).replace('\u{fdef}', " ")
}

fn timeline(views: &[IntentView]) -> Timeline {
    of(views, &sources(), &shown)
}

fn double() -> IntentView {
    let mut view = int_9876();
    view.eps = 3 * SECOND;
    view.judgement.effective_max = 1;
    view
}

#[test]
fn what_the_clocks_cannot_put_in_order_stands_in_one_bracket() {
    let timeline = timeline(&[double()]);
    let lines: Vec<(Bracket, &str, String)> =
        timeline.events.iter().map(|e| (e.bracket, e.subject.as_str(), e.what.clone())).collect();
    assert_eq!(
        lines,
        [
            (Bracket::First, "attempt 1", "sent".to_owned()),
            (Bracket::Inside, "ledger", "refund rfd_a1 committed, USD 200.00".to_owned()),
            (Bracket::Last, "attempt 1", "answer lost".to_owned()),
            (Bracket::First, "attempt 2", "sent".to_owned()),
            (Bracket::Inside, "ledger", "refund rfd_b2 committed, USD 200.00".to_owned()),
            (Bracket::Inside, "attempt 2", "answered: done, receipt rfd_b2".to_owned()),
            (Bracket::Last, "request", "recorded as confirmed".to_owned() + ", key req_9876"),
        ]
    );
    let notes: Vec<&str> = timeline.events.iter().map(|e| e.note).collect();
    assert_eq!(
        notes,
        [
            "",
            "it has happened",
            "should be recorded as unknown, was not",
            "nobody had looked",
            "it has happened twice",
            "",
            ""
        ]
    );
    assert_eq!(timeline.words, "Ten seconds, from the first call to the second refund");
    assert_eq!(
        timeline.gaps.iter().map(|g| (g.length(), g.unlooked)).collect::<Vec<_>>(),
        [(7_346_000, true)]
    );
    let since: Vec<Option<i64>> = timeline.events.iter().map(|e| e.since).collect();
    assert_eq!(since, [None, None, None, Some(7_346_000), None, None, None]);
}

#[test]
fn an_order_is_certain_from_the_skew_of_both_clocks_on() {
    let mut view = double();
    view.states.clear();
    view.attempts.truncate(1);
    view.effects = vec![effect("rfd_a1", "08:41:03", Some(usd("200.00")), Tied::WhichCall)];
    // The answer came at 08:41:00.004; the skew of both clocks together is 3 s.
    for (committed, bracketed) in [("08:41:03.003", true), ("08:41:03.005", false)] {
        view.effects[0].committed = instant(committed);
        let timeline = timeline(std::slice::from_ref(&view));
        let in_bracket = timeline.events.iter().any(|e| e.bracket != Bracket::No);
        assert_eq!(in_bracket, bracketed, "{committed}");
    }
}

#[test]
fn lanes_are_those_of_the_clocks_and_copies_have_none() {
    let timeline = timeline(&[double()]);
    let lanes: Vec<(&str, usize)> = timeline.lanes.iter().map(|l| (l.name.as_str(), l.marks.len())).collect();
    assert_eq!(lanes, [("Request", 1), ("Attempts", 2), ("Ledger", 2), ("Looks", 0)]);
    let calls: Vec<(&str, char, MarkKind)> =
        timeline.lanes[1].marks.iter().map(|m| (m.number.as_str(), m.sign, m.kind)).collect();
    assert_eq!(calls, [("1", '?', MarkKind::Call), ("2", '✓', MarkKind::Call)]);
    let rows: Vec<(&str, MarkKind)> =
        timeline.lanes[2].marks.iter().map(|m| (m.label.as_str(), m.kind)).collect();
    assert_eq!(rows, [("rfd_a1  USD 200.00", MarkKind::Effect), ("rfd_b2  USD 200.00", MarkKind::TooMuch)]);
    let row = &timeline.lanes[2].marks[0];
    assert_eq!(row.to.since(row.from), SECOND);
}

#[test]
fn an_answer_that_never_came_leaves_the_call_open() {
    let mut view = double();
    view.attempts = vec![attempt(1, "08:40:58.102", "", Outcome::Missing)];
    view.effects.clear();
    view.states.clear();
    let timeline = timeline(&[view]);
    assert_eq!(timeline.lanes[1].marks[0].kind, MarkKind::Open);
    assert_eq!(timeline.events.len(), 1);
}

#[test]
fn what_is_far_away_squeezes_nothing() {
    let mut view = int_4812();
    view.eps = 3 * SECOND;
    let timeline = timeline(&[view]);
    assert!(timeline.window.length() < DAY, "{:?}", timeline.window);
    let behind: usize = (0..timeline.lanes.len()).map(|lane| timeline.outside(lane, timeline.window).1).sum();
    let inside: usize = timeline.lanes.iter().map(|l| l.marks.len()).sum::<usize>() - behind;
    assert!(inside >= 1);
}

#[test]
fn events_without_a_time_stand_last_and_outside_every_bracket() {
    let mut view = double();
    view.attempts[0].sent = Instant::NONE;
    view.attempts[0].ended = Instant::NONE;
    let timeline = timeline(&[view]);
    let last = timeline.events.last().unwrap();
    assert_eq!((last.subject.as_str(), last.bracket, last.since), ("attempt 1", Bracket::No, None));
}

#[test]
fn ticks_stand_at_round_times() {
    let texts = |from: &str, to: &str, most: usize| {
        let window = Window { from: t(from), to: t(to) };
        ticks(window, most).into_iter().map(|tick| tick.text).collect::<Vec<_>>()
    };
    assert_eq!(
        texts("08:40:55", "08:41:12", 9),
        ["08:40:56", ":58", "08:41:00", ":02", ":04", ":06", ":08", ":10", ":12"]
    );
    assert_eq!(texts("08:41:00.100", "08:41:00.400", 4), ["08:41:00.100", ".200", ".300", ".400"]);
    assert_eq!(texts("08:00:00", "12:00:00", 5), ["08:00", "09:00", "10:00", "11:00", "12:00"]);
    assert_eq!(texts("11-27T10:00:00", "11-30T09:00:00", 4), ["28 Nov", "29 Nov", "30 Nov"]);
    assert!(ticks(Window::NONE, 9).is_empty());
}

#[test]
fn a_moment_has_its_cell_and_the_zoom_stays_inside() {
    let window = Window { from: t("08:41:00"), to: t("08:41:10") };
    assert_eq!(window.cell(t("08:41:00"), 101), 0);
    assert_eq!(window.cell(t("08:41:05"), 101), 50);
    assert_eq!(window.cell(t("08:41:10"), 101), 100);
    assert_eq!((window.cell(t("08:40:00"), 101), window.cell(t("08:42:00"), 101)), (0, 100));
    assert_eq!(window.zoomed(0, t("08:41:05")), window);
    let near = window.zoomed(1, t("08:41:00"));
    assert_eq!((rfc3339(near.from), near.length()), (rfc3339(window.from), 3_333_333));
    let deepest = window.zoomed(40, t("08:41:09.9"));
    assert!(deepest.to <= window.to && deepest.length() >= 1_524);
    assert_eq!(Instant::new(t("08:41:00"), Res::Second).end(), t("08:41:01"));
}

#[test]
fn the_heading_measures_nothing_that_lies_inside_a_time() {
    let words = |change: &dyn Fn(&mut IntentView)| {
        let mut view = double();
        change(&mut view);
        timeline(&[view]).words
    };
    let only_reads = |view: &mut IntentView| {
        view.effects.clear();
        view.states.clear();
        view.attempts.iter_mut().for_each(|a| a.read = true);
    };
    assert_eq!(words(&only_reads), "Nine seconds, from the first look to the last look");
    let only_one = |view: &mut IntentView| {
        view.attempts = vec![attempt(1, "08:40:58.102", "", Outcome::Missing)];
        view.effects.clear();
        view.states.clear();
    };
    assert_eq!(words(&only_one), "only the first call, and nothing after it");
    let by_the_minute = |view: &mut IntentView| {
        view.states.clear();
        view.attempts = vec![attempt(1, "08:40:58.102", "08:40:58.502", Outcome::ResponseLost)];
        view.effects.truncate(1);
        view.effects[0].committed = Instant::new(t("08:40:00"), Res::Minute);
    };
    assert_eq!(words(&by_the_minute), "Within one minute, from the first refund to the last answer");
}
