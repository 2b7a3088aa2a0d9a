//! Who repeated a call (`2-judge.md` 2.4). By ids only; never guessed from similar arguments.

use super::calls::Calls;
use super::facts::{RunKind, Setting};
use super::judgement::RetryOrigin;

/// The origin of the repeats of an intent with so many calls. `unexplained` says that there are more rows than the
/// calls explain.
pub fn origin(calls: Calls<'_>, setting: &Setting, count: u32, unexplained: bool) -> RetryOrigin {
    if count < 2 {
        return match (unexplained, count == 1 && setting.trace_complete) {
            (false, _) => RetryOrigin::None,
            (true, true) => RetryOrigin::Transport,
            (true, false) => RetryOrigin::Unknown,
        };
    }
    let mut before: Option<u32> = None;
    let mut unknown = false;
    for call in calls.iter() {
        let decision = call.attempt.row.decision;
        let Some(previous) = before.replace(decision) else {
            continue;
        };
        if previous == 0 || decision == 0 {
            unknown = true;
        } else if previous != decision {
            let run = setting.runs.get(call.attempt.row.run.place()).copied();
            return match run.unwrap_or_default() {
                RunKind::Model => RetryOrigin::Model,
                RunKind::Script => RetryOrigin::Script,
                RunKind::Unknown => RetryOrigin::Caller,
            };
        }
    }
    if unknown { RetryOrigin::Unknown } else { RetryOrigin::Framework }
}
