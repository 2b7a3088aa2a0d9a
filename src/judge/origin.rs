//! Who repeated a call (`2-judge.md` 2.4). By ids only; never guessed from similar arguments.

use super::calls::Calls;
use super::facts::{RunKind, Setting};
use super::judgement::RetryOrigin;

/// The origin of the repeats of an intent. `unexplained` says that there are more rows than the calls explain.
pub fn origin(calls: Calls<'_>, setting: &Setting, unexplained: bool) -> RetryOrigin {
    let mut before: Option<u32> = None;
    let (mut repeats, mut unknown) = (0_u32, false);
    for call in calls.iter() {
        let decision = call.attempt.row.decision;
        if let Some(previous) = before.replace(decision) {
            repeats += 1;
            if previous == 0 || decision == 0 {
                unknown = true;
            } else if previous != decision {
                let run = setting.runs.get(usize::from(call.attempt.row.run.0)).copied();
                return match run.unwrap_or_default() {
                    RunKind::Model => RetryOrigin::Model,
                    RunKind::Script => RetryOrigin::Script,
                    RunKind::Unknown => RetryOrigin::Caller,
                };
            }
        }
    }
    match (repeats, unexplained) {
        (0, false) => RetryOrigin::None,
        (0, true) if before.is_some() && setting.trace_complete => RetryOrigin::Transport,
        (0, true) => RetryOrigin::Unknown,
        _ if unknown => RetryOrigin::Unknown,
        _ => RetryOrigin::Framework,
    }
}
