//! `--since` and `--until` of a trace: operations of which no call was sent in the window found no intent. They are
//! counted, and their ledger rows are not without an attempt: it was not asked for.

use std::collections::{HashMap, HashSet};

use foldhash::fast::RandomState;

use crate::judge::facts::Setting;
use crate::model::row::{At, SourceNo, attempt_flag, effect_flag, record_flag};
use crate::model::time::{Instant, Micros, Res};
use crate::sources::spec::What;

use super::join::LooseRow;
use super::reading::{Reading, SourceReading};
use super::repeats::Place;
use super::run::Run;
use super::setting::{Found, default};
use super::slice::Tally;

/// The window of a trace of which only a part was asked for.
fn window<'r>(reading: &'r Reading, whats: &[What], no: SourceNo) -> Option<&'r SourceReading> {
    let source = reading.source(no);
    let is_cut = source.since.is_some() || source.until.is_some();
    (is_cut && whats.get(usize::from(no.0)) == Some(&What::Trace)).then_some(source)
}

fn sources(count: usize) -> impl Iterator<Item = SourceNo> {
    (0..count).filter_map(|no| u16::try_from(no).ok()).map(SourceNo)
}

/// Drops what lies outside. Calls go by their sending, else by their end. An operation with a call or a record inside is
/// judged whole. Gives how many records lie outside.
pub fn by_time(runs: &mut [Run], reading: &Reading, whats: &[What], tallies: &mut [Tally]) -> u64 {
    if !sources(whats.len()).any(|no| window(reading, whats, no).is_some()) {
        return 0;
    }
    let outside = |at: At, time: Instant| {
        window(reading, whats, at.source()).is_some_and(|source| !source.in_time(time))
    };
    let inside = names_inside(runs, &outside);
    let mut count = vec![0u64; tallies.len()];
    let mut tally = |at: At| {
        if let Some(n) = count.get_mut(usize::from(at.source().0)) {
            *n += 1;
        }
    };
    for (run, inside) in runs.iter_mut().zip(&inside) {
        let kept = |name: crate::model::row::Name| inside.get(name.0 as usize).copied().unwrap_or(false);
        for row in run.attempts.all_mut().iter_mut().filter(|a| !a.is(attempt_flag::DROPPED)) {
            if !kept(row.name) && outside(row.at, time_of(row)) {
                row.flags |= attempt_flag::DROPPED | attempt_flag::OUTSIDE;
                tally(row.at);
            }
        }
        for record in run.records.all_mut() {
            if !kept(record.name) && outside(record.at, recorded(record)) {
                record.flags |= record_flag::OUTSIDE;
                tally(record.at);
            }
        }
    }
    effects_of(runs, &inside, tallies);
    for (no, (tally, n)) in sources(tallies.len()).zip(tallies.iter_mut().zip(&count)) {
        let Some(source) = window(reading, whats, no) else { continue };
        tally.used = tally.used.saturating_sub(*n);
        tally.out_of_time += n;
        tally.window = tally.window.and_then(|(from, to)| {
            let from = source.since.map_or(from, |since| from.max(since));
            let to = source.until.map_or(to, |until| to.min(until));
            (from <= to).then_some((from, to))
        });
    }
    count.iter().sum()
}

/// Ledger rows from outside the window come back where their operation is judged whole: those that name it, or a key
/// or receipt of one of its calls. They tell nothing of the listing's own time.
fn effects_of(runs: &mut [Run], inside: &[Vec<bool>], tallies: &mut [Tally]) {
    let mut mine: HashSet<Vec<u8>, RandomState> = HashSet::default();
    for (r, (run, inside)) in (0u32..).zip(runs.iter().zip(inside)) {
        for row in run.attempts.all() {
            if inside.get(row.name.0 as usize).copied().unwrap_or(false) {
                let ids =
                    [run.name_bytes(row.name), super::desk::key_of(runs, r, row), run.bytes(row.receipt)];
                mine.extend(ids.into_iter().filter(|id| !id.is_empty()).map(<[u8]>::to_vec));
            }
        }
    }
    for run in runs {
        let back: Vec<bool> = run
            .effects
            .all()
            .iter()
            .map(|row| {
                let ids = [
                    run.name_bytes(row.name),
                    run.bytes(row.key),
                    run.bytes(row.id),
                    run.bytes(row.external),
                    run.bytes(row.reverses),
                ];
                row.is(effect_flag::OUTSIDE) && ids.iter().any(|id| mine.contains(*id))
            })
            .collect();
        for (row, _) in run.effects.all_mut().iter_mut().zip(back).filter(|(_, back)| *back) {
            row.flags &= !(effect_flag::DROPPED | effect_flag::OUTSIDE);
            if let Some(tally) = tallies.get_mut(usize::from(row.at.source().0)) {
                tally.out_of_time = tally.out_of_time.saturating_sub(1);
                tally.back(row);
            }
        }
    }
}

fn time_of(row: &crate::model::row::Attempt) -> Instant {
    if row.sent == Micros::NONE { row.ended() } else { row.sent() }
}

fn recorded(record: &crate::model::row::Record) -> Instant {
    Instant { at: record.recorded, res: Res::Micro }
}

/// Per run and name: whether its operation has a call or a record that is not outside.
fn names_inside(runs: &[Run], outside: &dyn Fn(At, Instant) -> bool) -> Vec<Vec<bool>> {
    let mut inside: HashSet<&[u8], RandomState> = HashSet::default();
    for run in runs {
        for row in run.attempts.all().iter().filter(|a| !a.is(attempt_flag::DROPPED)) {
            if !outside(row.at, time_of(row)) {
                inside.insert(run.name_bytes(row.name));
            }
        }
        for record in run.records.all() {
            // What files expect has no time, and founds no operation that was tried at another one.
            if record.flags & record_flag::FILE == 0 && !outside(record.at, recorded(record)) {
                inside.insert(run.name_bytes(record.name));
            }
        }
    }
    let names = |run: &Run| {
        let name = |no| crate::model::row::Name(no);
        (0..run.names() as u32).map(|no| inside.contains(run.name_bytes(name(no)))).collect()
    };
    runs.iter().map(names).collect()
}

/// The part of the traces that was asked for; `None` where all of them are loaded whole.
pub fn asked_for(reading: &[(Option<Micros>, Option<Micros>)], found: &[Found]) -> Option<(Micros, Micros)> {
    if reading.iter().all(|(since, until)| since.is_none() && until.is_none()) {
        return None;
    }
    let ends = reading.iter().zip(found).filter_map(|((since, until), found)| {
        let window = found.tally.window;
        Some((since.or(window.map(|w| w.0))?, until.or(window.map(|w| w.1))?))
    });
    ends.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)))
}

/// What calls outside the window are known by.
#[derive(Default)]
struct Known<'a> {
    ids: HashSet<&'a [u8], RandomState>,
    orders: HashMap<&'a [u8], (i64, i64), RandomState>,
}

/// Loose rows of calls that lie outside: by operation id, key, receipt, or by order within the time of the call.
pub fn rows(runs: &[Run], setting: &Setting, loose: &[LooseRow]) -> HashSet<Place, RandomState> {
    let mut known = Known::default();
    for (r, run) in (0u32..).zip(runs) {
        for row in run.attempts.all().iter().filter(|a| a.is(attempt_flag::OUTSIDE)) {
            let key = super::desk::key_of(runs, r, row);
            known.ids.extend([run.name_bytes(row.name), key, run.bytes(row.receipt)]);
            let (business, sent) = (run.bytes(row.business), time_of(row));
            if business.is_empty() || sent.at == Micros::NONE {
                continue;
            }
            let tool = setting.tool(row.tool);
            let settle = tool.map_or(default::SETTLE, |t| t.settle);
            let end = match row.ended() {
                end if end.at == Micros::NONE => sent.end().0 + tool.map_or(default::TIMEOUT, |t| t.timeout),
                end => end.end().0,
            };
            let (from, to) = (sent.begin().0 - setting.client_skew, end + settle + setting.client_skew);
            let known = known.orders.entry(business).or_insert((from, to));
            *known = (known.0.min(from), known.1.max(to));
        }
    }
    known.ids.remove(&b""[..]);
    let mine = |row: &&LooseRow| {
        let Some(run) = runs.get(row.place.0 as usize) else { return false };
        let row = &row.row;
        let ids = [run.name_bytes(row.name), run.bytes(row.key), run.bytes(row.id), run.bytes(row.external)];
        if ids.iter().any(|id| known.ids.contains(id)) {
            return true;
        }
        let skew = setting.source(row.at.source()).map_or(0, |s| s.skew);
        let (begin, end) = row.committed().interval(skew);
        let of_order = known.orders.get(run.bytes(row.business));
        !row.name.is_some()
            && row.committed != Micros::NONE
            && of_order.is_some_and(|(from, to)| end.0 >= *from && begin.0 <= *to)
    };
    let mut found: HashSet<Place, RandomState> = loose.iter().filter(mine).map(|r| r.place).collect();
    // What names such a row belongs to it.
    let text = |place: Place, of: fn(&crate::model::row::Effect) -> crate::model::row::Text| {
        let run = runs.get(place.0 as usize)?;
        run.effects.get(place.1 as usize).map(|row| run.bytes(of(row))).filter(|id| !id.is_empty())
    };
    let ids: HashSet<&[u8], RandomState> = found.iter().filter_map(|p| text(*p, |row| row.id)).collect();
    let names_one = |row: &&LooseRow| {
        let reverses =
            row.row.is(effect_flag::REVERSAL).then(|| text(row.place, |row| row.reverses)).flatten();
        let external = text(row.place, |row| row.external);
        reverses.into_iter().chain(external).any(|id| ids.contains(id))
    };
    let more: Vec<Place> = loose.iter().filter(names_one).map(|r| r.place).collect();
    found.extend(more);
    found
}
