//! The calls of an intent that count, each with its class (`2-judge.md` 2.2), and what is added up over them.
//!
//! Only write attempts of tools that a loaded source records count in bounds, state and coverage (2.3). Where no
//! ledger records any of them, all of them are looked at: they are shown, and nothing is compared.

use crate::model::outcome::{Class, Outcome};
use crate::model::row::{Attempt, Shared, attempt_flag};
use crate::model::time::{Instant, MINUTE, Micros, Res, SECOND};

use super::facts::{Facts, Idempotent, Setting, Tool, Try};
use super::inputs::{Att, Key};
use super::scratch::with_slots;

/// How long a caller waits, where nothing is declared (`1-model.md` 1.4.14).
pub const TIMEOUT: i64 = 30 * SECOND;
/// How long a request may live on after the caller gave up, where nothing is declared.
pub const SETTLE: i64 = MINUTE;

/// One call that counts.
#[derive(Clone, Copy, Debug)]
pub struct Call<'a> {
    /// Its place among the attempts of the intent.
    pub no: usize,
    /// The attempt.
    pub attempt: &'a Try<'a>,
    /// Its tool, where it is known.
    pub tool: Option<&'a Tool>,
    /// What its outcome proves.
    pub class: Class,
}

/// The calls of an intent that count.
#[derive(Clone, Copy, Debug)]
pub struct Calls<'a> {
    tries: &'a [Try<'a>],
    setting: &'a Setting,
    /// No ledger records the tools of these calls.
    pub elsewhere: bool,
}

/// The latest moment a time stands for. A time written to the second counts as written, because the bound of its
/// clock is larger than that; a time whose zone or hour is not known proves only as far as its interval allows.
pub fn latest(time: Instant) -> Micros {
    if time.res <= Res::Second { time.at } else { time.end() }
}

/// The earliest moment a time stands for.
fn earliest(time: Instant) -> Micros {
    if time.res <= Res::Second { time.at } else { time.begin() }
}

/// A write of the intent, by declaration of the record or of its tool.
pub(super) fn writes(attempt: &Attempt, tool: Option<&Tool>) -> bool {
    !attempt.is(attempt_flag::READ) && !attempt.is(attempt_flag::DROPPED) && !tool.is_some_and(|t| t.read)
}

/// The class of an attempt at the time `now` (`2-judge.md` 2.2).
pub fn class_of(attempt: &Attempt, tool: Option<&Tool>, now: Micros) -> Class {
    if attempt.is(attempt_flag::CONFLICT) {
        return Class::Unknown;
    }
    let open = attempt.outcome == Outcome::Missing
        && attempt.ended().is_none()
        && gives_up(attempt, tool).is_some_and(|end| now <= end);
    attempt.outcome.class(open)
}

/// When the caller of an attempt without an end gives up.
fn gives_up(attempt: &Attempt, tool: Option<&Tool>) -> Option<Micros> {
    let sent = attempt.sent();
    (!sent.is_none()).then(|| latest(sent).plus(tool.map_or(TIMEOUT, |t| t.timeout)))
}

/// When an attempt was over for its caller; `None` where the trace has no times.
fn over(attempt: &Attempt, tool: Option<&Tool>) -> Option<Micros> {
    if attempt.ended().is_none() {
        return gives_up(attempt, tool);
    }
    let sent = if attempt.sent().is_none() { Micros::NONE } else { latest(attempt.sent()) };
    Some(latest(attempt.ended()).max(sent))
}

impl<'a> Calls<'a> {
    /// The same calls again, for whoever has added them up.
    pub fn again(facts: &Facts<'a>, setting: &'a Setting, tried: &Tried) -> Self {
        Self { tries: facts.tries, setting, elsewhere: tried.elsewhere }
    }

    /// The calls of an intent.
    pub fn of(facts: &Facts<'a>, setting: &'a Setting) -> Self {
        let mut any = false;
        let recorded = facts.tries.iter().any(|t| {
            let tool = setting.tool(t.row.tool);
            let write = writes(t.row, tool);
            any |= write;
            write && is_recorded(tool)
        });
        Self { tries: facts.tries, setting, elsewhere: any && !recorded }
    }

    /// At most so many.
    pub fn len(self) -> usize {
        self.tries.len()
    }

    /// There is no attempt at all.
    pub fn is_empty(self) -> bool {
        self.tries.is_empty()
    }

    /// Each of them, in order.
    pub fn iter(self) -> impl Iterator<Item = Call<'a>> {
        self.tries.iter().enumerate().filter_map(move |(no, attempt)| {
            let tool = self.setting.tool(attempt.row.tool);
            let counts = writes(attempt.row, tool) && (self.elsewhere || is_recorded(tool));
            counts.then(|| Call { no, attempt, tool, class: class_of(attempt.row, tool, self.setting.now) })
        })
    }
}

/// A tool that nothing is known of is taken as recorded: the ledger at hand speaks for it.
pub(super) fn is_recorded(tool: Option<&Tool>) -> bool {
    tool.is_none_or(|t| !t.recorded_by.is_empty())
}

/// What is added up over the calls that count.
#[derive(Clone, Copy, Debug)]
pub struct Tried {
    /// No ledger records the tools of these calls.
    pub elsewhere: bool,
    /// How many there are.
    pub writes: u32,
    /// Told yes, one new effect each.
    pub ok: u32,
    /// Told that it had been done before: a stored receipt or an "already".
    pub before: u32,
    /// Lost their answer.
    pub unknown: u32,
    /// Still waiting.
    pub open: u32,
    /// Refused.
    pub refused: u32,
    /// Whether their tools deduplicate; tools that differ count as not declared.
    pub idempotent: Idempotent,
    /// Longest timeout among them.
    pub timeout: i64,
    /// Longest settle among them.
    pub settle: i64,
    /// First send; [`Micros::NONE`] without times.
    pub since: Micros,
    /// Last send or end; [`Micros::NONE`] without times.
    pub last: Micros,
    /// When the last one was over for its caller; [`Micros::NONE`] where one has no times.
    pub over: Micros,
    /// `write_lo` (`4-sources.md` 4.1): earliest first send; [`Micros::NONE`] where one has no send time.
    pub write_lo: Micros,
    /// `write_hi` (`4-sources.md` 4.1): until when a write may land, clocks aside; [`Micros::NONE`] where a time
    /// is missing.
    pub write_hi: Micros,
    /// When the first waiting one becomes unknown; [`Micros::NONE`] where none waits.
    pub waits_until: Micros,
    /// Partition that they carry; [`Shared::NONE`] where none is named, or several are.
    pub part: Shared,
    /// One key sent with two payloads.
    pub key: Key,
    /// An outcome word is in no list.
    pub odd_word: bool,
    /// Two finishes told different things.
    pub conflict: bool,
    /// An answer existed and did not reach the caller.
    pub unseen: bool,
    /// An attempt that was told yes names a receipt that is in no ledger.
    pub receipt_missing: bool,
}

/// The later of two times of which one may be missing for good: a missing one wins.
fn known_max(sum: Option<Micros>, next: Option<Micros>) -> Option<Micros> {
    Some(sum?.max(next?))
}

impl Tried {
    /// Adds up.
    pub fn of(calls: Calls<'_>) -> Self {
        let mut t = Self::nothing(calls.elsewhere);
        let (mut acting, mut all) = (Some(Micros::NONE), Some(Micros::NONE));
        let mut over_all = Some(Micros::NONE);
        let mut lo = Some(Micros::FOREVER);
        let (mut could_act, mut idempotent, mut parts) = (false, None, None);
        for Call { attempt, tool, class, .. } in calls.iter() {
            let row = &attempt.row;
            t.writes += 1;
            match class {
                Class::Ok => t.ok += 1,
                Class::OkReused | Class::Already => t.before += 1,
                Class::Unknown => t.unknown += 1,
                Class::Open => t.open += 1,
                Class::Fail => t.refused += 1,
            }
            let settle = tool.map_or(SETTLE, |x| x.settle);
            let end = over(row, tool);
            let lands = end.map(|e| e.plus(settle));
            if matches!(class, Class::Ok | Class::Unknown | Class::Open) {
                could_act = true;
                acting = known_max(acting, lands);
            }
            all = known_max(all, lands);
            over_all = known_max(over_all, end);
            t.settle = t.settle.max(settle);
            t.timeout = t.timeout.max(tool.map_or(TIMEOUT, |x| x.timeout));
            if class == Class::Open
                && let Some(end) = end
            {
                t.waits_until = if t.waits_until.is_none() { end } else { t.waits_until.min(end) };
            }
            let sent = row.sent();
            lo = if sent.is_none() { None } else { lo.map(|x| x.min(earliest(sent))) };
            if !sent.is_none() {
                t.since = if t.since.is_none() { sent.at } else { t.since.min(sent.at) };
                t.last = t.last.max(sent.at);
            }
            if !row.ended().is_none() {
                t.last = t.last.max(row.ended);
            }
            let declared = tool.map_or(Idempotent::Unknown, |x| x.idempotent);
            idempotent = match idempotent {
                None => Some(declared),
                Some(same) if same == declared => Some(same),
                Some(_) => Some(Idempotent::Unknown),
            };
            if row.part.is_some() {
                parts = match parts {
                    None => Some(row.part),
                    Some(same) if same == row.part => Some(same),
                    Some(_) => Some(Shared::NONE),
                };
            }
            t.odd_word |= row.outcome == Outcome::OtherWord;
            t.conflict |= row.is(attempt_flag::CONFLICT);
            t.unseen |= row.is(attempt_flag::UNSEEN);
            t.receipt_missing |= class.told_yes() && attempt.receipt == super::facts::Receipt::NotFound;
        }
        if t.writes > 0 {
            // Where no call could have acted, the refused ones stand for the write: nothing else can.
            t.write_hi = (if could_act { acting } else { all }).unwrap_or(Micros::NONE);
            t.over = over_all.unwrap_or(Micros::NONE);
            t.write_lo = lo.unwrap_or(Micros::NONE);
        }
        t.idempotent = idempotent.unwrap_or(Idempotent::Unknown);
        t.part = parts.unwrap_or(Shared::NONE);
        if t.writes > 1 {
            t.key = key_use(calls);
        }
        t
    }

    fn nothing(elsewhere: bool) -> Self {
        Self {
            elsewhere,
            writes: 0,
            ok: 0,
            before: 0,
            unknown: 0,
            open: 0,
            refused: 0,
            idempotent: Idempotent::Unknown,
            timeout: 0,
            settle: 0,
            since: Micros::NONE,
            last: Micros::NONE,
            over: Micros::NONE,
            write_lo: Micros::NONE,
            write_hi: Micros::NONE,
            waits_until: Micros::NONE,
            part: Shared::NONE,
            key: Key::No,
            odd_word: false,
            conflict: false,
            unseen: false,
            receipt_missing: false,
        }
    }

    /// Calls without an answer.
    pub fn unsettled(&self) -> u32 {
        self.unknown + self.open
    }

    /// Calls that may have acted.
    pub fn may_have_acted(&self) -> u32 {
        self.writes - self.refused
    }

    /// The strongest attempt, in the order open, ok, unknown, refused (2.5).
    pub fn strongest(&self) -> Att {
        if self.open > 0 {
            Att::Open
        } else if self.ok + self.before > 0 {
            Att::Ok
        } else if self.unknown > 0 {
            Att::Unk
        } else if self.refused > 0 {
            Att::Rej
        } else {
            Att::None
        }
    }
}

/// Keys of the calls as places for slots: ordinals beyond the number of calls cannot be, and count as no key.
pub fn key_slot(attempt: &Try, slots: usize) -> Option<usize> {
    let key = usize::try_from(attempt.key).ok()?;
    (key > 0 && key < slots).then_some(key)
}

/// One key with two payloads: the first payload of a key counts, a later other one was taken or refused.
fn key_use(calls: Calls<'_>) -> Key {
    let count = calls.tries.len() + 1;
    with_slots(count, 0_u32, |first| {
        let mut used = Key::No;
        for call in calls.iter().filter(|c| c.attempt.payload != 0) {
            let payload = call.attempt.payload;
            let Some(known) = key_slot(call.attempt, count).and_then(|k| first.get_mut(k)) else {
                continue;
            };
            if *known == 0 {
                *known = payload;
            } else if *known != payload {
                if call.class != Class::Fail {
                    return Key::Accepted;
                }
                used = Key::Rejected;
            }
        }
        used
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::time::RES;

    #[test]
    fn resolutions_up_to_a_second_are_the_narrow_ones_with_a_zone() {
        for row in RES {
            assert_eq!(row.res <= Res::Second, row.zoned && row.width <= SECOND, "{:?}", row.res);
        }
    }
}
