//! Calls and effects of a case over time, for its plot: one pass over the rows.

use crate::judge::timeline::Activity;
use crate::model::row::{Attempt, Status, attempt_flag, effect_flag};

use super::brief::is_read;
use super::case::Case;

/// Rows that are no effect of their own.
const APART: u16 = effect_flag::DROPPED | effect_flag::ALSO_ELSEWHERE | effect_flag::REVERSAL;

impl Case {
    /// How many calls were sent and effects committed when; `None` where nothing has a time.
    pub fn activity(&self) -> Option<Activity> {
        let sources = self.sources();
        let copies: Vec<bool> = sources.iter().map(|source| source.copy_of.is_some()).collect();
        let copy = |source: u16| copies.get(usize::from(source)).copied().unwrap_or(false);
        let write = |a: &&Attempt| !a.is(attempt_flag::DROPPED) && !is_read(&self.setting, a.tool, a.flags);
        let attempts = self.runs.iter().flat_map(|run| run.attempts.all()).filter(write).map(|a| a.sent);
        let effects = self
            .runs
            .iter()
            .flat_map(|run| run.effects.all())
            .filter(|row| row.status == Status::Live && row.flags & APART == 0 && !copy(row.at.source().0))
            .map(|row| row.committed);
        Activity::of(attempts, effects)
    }
}
