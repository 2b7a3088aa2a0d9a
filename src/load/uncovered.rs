//! Why an absence is not proven, condition by condition, in words with their figures (`4-sources.md` 4.3).

use crate::judge::coverage::FROM_THE_START;
use crate::judge::coverage::condition::{C0, C1, C2, C3, C4, C5, C6, C7, C8, C9};
use crate::judge::facts::{Facts, Meaning, Role, Source};
use crate::judge::judgement::Judgement;
use crate::judge::words::{Coverage, coverage};
use crate::model::row::{Shared, SourceNo};
use crate::model::time::{Instant, Micros, Res, clock};

use super::case::Case;

impl Case {
    /// The conditions that failed for the source that came nearest.
    pub(super) fn uncovered(
        &self,
        j: &Judgement,
        facts: &Facts<'_>,
        deciding: Option<SourceNo>,
        settle: i64,
        eps: i64,
    ) -> Vec<(&'static str, String)> {
        if j.covered || j.uncovered == 0 {
            return Vec::new();
        }
        let now = self.setting.now;
        let time = |at: Micros| clock(Instant { at, res: Res::Second }, now);
        let source = deciding.and_then(|no| self.setting.source(no));
        let from = time(j.covered_from);
        let end = time(Micros(j.covered_from.0.saturating_sub(settle).saturating_sub(eps)));
        let (settle, clocks) = (seconds(settle), seconds(eps));
        let kind = self.tables.kinds.text(facts.ties.kind);
        let part = |p: Shared| self.tables.parts.text(p).to_owned();
        let call = facts.tries.iter().map(|t| t.row.part).find(|p| p.is_some()).map(part).unwrap_or_default();
        let holds = source.map_or(Shared::NONE, |s| s.part);
        let held = part(holds);
        let (field, holds) = held.split_once('=').unwrap_or(("partition", &held));
        let call = call.split_once('=').map_or(call.as_str(), |(_, v)| v);
        let begins = source.and_then(|s| s.from).filter(|f| *f != FROM_THE_START).map_or(String::new(), time);
        let incomplete = deciding
            .and_then(|no| self.found.get(usize::from(no.0)))
            .and_then(|f| f.incomplete.clone())
            .or_else(|| {
                let (begin, end) = source?.gaps.first().copied()?;
                Some(format!("no rows between {} and {}: is a file missing?", time(begin), time(end)))
            })
            .unwrap_or_default();
        let replica = source.and_then(|s| s.replayed).map_or(String::new(), time);
        let kinds = crate::judge::story::phrase::plural(kind);
        let mut said: Vec<(&'static str, String)> = Vec::new();
        let mut say = |bit: u16, what: Coverage<'_>| {
            if j.uncovered & bit != 0 {
                let words = coverage(what);
                if !said.contains(&words) {
                    said.push(words);
                }
            }
        };
        say(
            C0,
            if source.is_some_and(|s| s.role == Role::WritePath) {
                Coverage::SamePath
            } else {
                Coverage::CannotProve
            },
        );
        // Looks that did not settle have no newest row: what keeps them from it is the reason, not the time.
        let of = deciding.and_then(|no| self.found.get(usize::from(no.0)));
        let unsettled = j.uncovered & C3 != 0
            && of.is_some_and(|f| {
                f.server.as_ref().is_some_and(|s| !s.settled && !s.replica) && f.incomplete.is_some()
            });
        if unsettled {
            say(C3, Coverage::Incomplete(&incomplete));
        } else if j.covered_from == Micros::NONE {
            say(C1 | C2, Coverage::Incomplete("the trace has no times"));
        } else {
            say(C1 | C2, Coverage::TooEarly { from: &from, end: &end, settle: &settle, clocks: &clocks });
        }
        say(C3, Coverage::Incomplete(&incomplete));
        let damaged = source.map_or(0, |s| s.damaged);
        say(C4, Coverage::Unreadable(u32::from(facts.ties.unreadable).saturating_add(damaged)));
        say(C5, Coverage::Replica(&replica));
        say(C6, Coverage::Partition { field, holds, call });
        say(
            C7,
            if j.on_its_way > 0 {
                Coverage::OnItsWay
            } else {
                Coverage::OtherSign(other_sign(facts, source))
            },
        );
        say(C8, Coverage::BeginsLate(&begins));
        let copy = source.is_some_and(|s| matches!(s.meaning, Meaning::CopyOf(_)));
        say(C9, if copy { Coverage::Copy } else { Coverage::NotHeld(&kinds) });
        said
    }
}

/// What suggests that it happened, or that the listing is not what it was (C7).
fn other_sign(facts: &Facts<'_>, source: Option<&Source>) -> &'static str {
    let row = facts.ties.suggestions > 0 || facts.ties.account.is_some_and(|a| a.unlinked > 0);
    match (row, source.is_some_and(|s| s.went_back)) {
        (true, _) => "a row of the same order",
        (false, _) if facts.ties.near_identical => "almost the same id",
        (false, true) => "its read position went back",
        (false, false) => "a read-back",
    }
}

fn seconds(us: i64) -> String {
    format!("{} s", us / 1_000_000)
}
