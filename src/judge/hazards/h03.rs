//! H03, next call without read-back.

use super::facts::{Call, Intent, Look, World};
use super::found::{Found, Level};
use crate::model::outcome::Class;
use crate::model::row::Seen;

/// A look lies between two attempts: by time, else by the order of lines.
fn between(look: &Look, a: &Call, b: &Call) -> bool {
    let over = a.ended.at;
    let from = if over.is_none() { a.sent.at } else { over };
    if !look.when.is_none() && !b.sent.is_none() && !from.is_none() {
        return from <= look.when && look.when <= b.sent.at;
    }
    a.at < look.at && look.at < b.at
}

/// Each attempt that followed an unknown one without a look; one hazard per intent.
pub fn intent(intent: &Intent, world: &World<'_>) -> Vec<Found> {
    let blind: Vec<(&Call, &Call)> = intent
        .calls
        .iter()
        .zip(intent.calls.iter().skip(1))
        .filter(|(a, _)| a.class == Class::Unknown)
        .filter(|(a, b)| {
            !intent.looks.iter().any(|l| l.independent() && l.read_something() && between(l, a, b))
        })
        .collect();
    let Some((a, b)) = blind.first() else {
        return Vec::new();
    };
    let redrive = |(a, b): &(&Call, &Call)| {
        let allowed = world
            .tool(&b.tool)
            .is_some_and(|t| t.redrive && t.retention.is_some_and(|kept| inside(a, b, kept)));
        allowed && !b.key.is_empty() && a.key == b.key
    };
    let mut calls: Vec<&Call> = blind.iter().flat_map(|(a, b)| [*a, *b]).collect();
    calls.dedup_by_key(|c| c.number);
    let found = Found::new("0 looks", "at least 1")
        .of_intent(&intent.id)
        .of_tool(&b.tool)
        .in_run(&b.run)
        .attempts(calls)
        .seen(b.sent.at)
        .with("a", a.number.to_string())
        .with("b", b.number.to_string())
        .with("intent", intent.id.clone())
        .with("outcome", a.outcome.word().replace('_', " "))
        .with("t1", world.clock(a.over()))
        .with("t2", world.clock(b.sent.at))
        .with("did", did(intent, a, b, world));
    vec![if blind.iter().all(redrive) { found.at_level(Level::Note) } else { found }]
}

/// The key is still known when the second one is sent.
fn inside(a: &Call, b: &Call, kept: i64) -> bool {
    !a.sent.is_none() && !b.sent.is_none() && b.sent.at.since(a.sent.at) <= kept
}

/// Whether the first one took effect, as far as is known.
fn did(intent: &Intent, a: &Call, b: &Call, world: &World<'_>) -> String {
    // A row between the two sends was made by the first: the second was not yet on its way.
    let by_then = |l: &&super::facts::Landed| {
        let timed = !l.committed.is_none() && !a.sent.is_none() && !b.sent.is_none();
        timed && a.sent.at <= l.committed.end() && l.committed.at <= b.sent.at
    };
    if let Some(row) = intent.landed.iter().find(by_then) {
        return format!("The first had taken effect: {} was there.", row.id);
    }
    let absent = intent.looks.iter().any(|l| l.seen == Seen::AbsentAsOf && l.at > a.at);
    if world.ledgers && absent && intent.landed.iter().all(|l| l.acknowledged) {
        return "The first did not take effect, as a later read shows.".to_owned();
    }
    "Whether the first took effect is not known.".to_owned()
}

#[cfg(test)]
mod tests {
    use super::super::sample::{Sample, fires};
    use super::*;

    #[test]
    fn h03_below() {
        // One look between is enough, whatever it found; so is a first answer that says no.
        let looked = Sample::new().lost(0, "k1").look(5, "payments", Seen::NotFoundNotCovering).ok(10, "k1");
        assert_eq!(fires("H03", &looked), 0);
        assert_eq!(fires("H03", &Sample::new().refused(0, "k1").ok(10, "k1")), 0);
        assert_eq!(fires("H03", &Sample::new().lost(0, "k1")), 0);
    }

    #[test]
    fn h03_above() {
        let sample = Sample::new().lost(0, "k1").ok(10, "k1").landed("rf_1", 1, false);
        let hazard = sample.only("H03");
        assert_eq!(
            hazard.what,
            "Attempt 1 of int_1 ended response lost at 08:00:01. Attempt 2 was sent at 08:00:10. Between the two \
             nobody read the state on another path. The first had taken effect: rf_1 was there."
        );
        assert_eq!(hazard.level, Level::High);
        assert_eq!(hazard.place.attempts.iter().map(|a| a.number).collect::<Vec<_>>(), [1, 2]);
    }

    #[test]
    fn a_look_that_read_nothing_or_through_the_write_path_is_none() {
        for look in [Seen::Unreadable, Seen::NotRun] {
            assert_eq!(fires("H03", &Sample::new().lost(0, "k1").look(5, "payments", look).ok(10, "k1")), 1);
        }
        let stored = Sample::new().lost(0, "k1").look(5, "POST /refunds", Seen::Present).ok(10, "k1");
        assert_eq!(fires("H03", &stored), 1);
        // After the second attempt it comes too late.
        assert_eq!(
            fires("H03", &Sample::new().lost(0, "k1").ok(10, "k1").look(11, "payments", Seen::Present)),
            1
        );
    }

    #[test]
    fn an_allowed_re_drive_is_a_note() {
        let redrive = Sample::new().redrive("24h").lost(0, "k1").ok(10, "k1");
        assert_eq!(redrive.only("H03").level, Level::Note);
        assert_eq!(redrive.clone().lost(20, "k2").ok(30, "k3").only("H03").level, Level::High);
    }

    #[test]
    fn without_times_the_order_of_lines_decides() {
        let sample = Sample::new().lost(0, "k1").look(5, "payments", Seen::Present).ok(10, "k1").timeless();
        assert_eq!(fires("H03", &sample), 0);
        assert_eq!(fires("H03", &Sample::new().lost(0, "k1").ok(10, "k1").timeless()), 1);
    }
}
