//! The axis of a timeline: which stretch is in view, where a moment stands in it, and what is written along it.

use super::{Event, LaneKind, Timeline};
use crate::model::time::{DAY, HOUR, Instant, MILLI, MINUTE, Micros, Res, SECOND, clock};

/// A stretch of time that is in view.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Window {
    /// Its beginning; [`Micros::NONE`] where nothing has a time.
    pub from: Micros,
    /// Its end.
    pub to: Micros,
}

/// The shortest stretch that is drawn.
const SHORTEST: i64 = 10 * MILLI;

/// Each step of the zoom shows a third of what was in view.
const ZOOM: i64 = 3;

/// Steps of the zoom that make sense on one timeline.
pub const DEEPEST: u32 = 8;

impl Window {
    /// Nothing has a time.
    pub const NONE: Self = Self { from: Micros::NONE, to: Micros::NONE };

    /// There is nothing to draw.
    pub fn is_none(self) -> bool {
        self.from.is_none()
    }

    /// Its length, microseconds.
    pub fn length(self) -> i64 {
        if self.is_none() { 0 } else { self.to.since(self.from).max(1) }
    }

    /// Lies inside.
    pub fn holds(self, at: Micros) -> bool {
        !self.is_none() && self.from <= at && at <= self.to
    }

    /// The cell of a moment among so many: before the window 0, behind it the last one.
    pub fn cell(self, at: Micros, cells: u16) -> u16 {
        let last = i128::from(cells.saturating_sub(1));
        let before = i128::from(at.0) - i128::from(self.from.0);
        let cell = before.clamp(0, i128::from(self.length())) * last / i128::from(self.length().max(1));
        u16::try_from(cell).unwrap_or(0)
    }

    /// Zoomed in so many steps around a moment; 0 is as it is. It never leaves what was in view.
    #[must_use]
    pub fn zoomed(self, steps: u32, around: Micros) -> Self {
        if self.is_none() || steps == 0 {
            return self;
        }
        let length = self.length() / ZOOM.pow(steps.min(DEEPEST));
        self.around(around, length.max(SHORTEST.min(self.length())))
    }

    /// A stretch of this length around a moment, inside this one.
    fn around(self, moment: Micros, length: i64) -> Self {
        let latest = self.to.plus(-length).max(self.from);
        let from = moment.plus(-length / 2).clamp(self.from, latest);
        Self { from, to: from.plus(length) }
    }
}

/// Calls and effects with what lies near: records and looks far away are said beside, and squeeze nothing.
pub(super) fn first_window(events: &[Event]) -> Window {
    let timed = || events.iter().filter(|event| !event.when.is_none() && event.when.exact_zone());
    let core = |event: &&Event| matches!(event.lane, LaneKind::Attempts | LaneKind::Ledger(_));
    let span = |all: &mut dyn Iterator<Item = &Event>| {
        all.fold(None, |span: Option<(Micros, Micros)>, event| {
            let (from, to) = event.interval();
            Some(span.map_or((from, to), |(a, b)| (a.min(from), b.max(to))))
        })
    };
    let Some((from, to)) = span(&mut timed().filter(core)).or_else(|| span(&mut timed())) else {
        return Window::NONE;
    };
    let room = to.since(from).max(5 * SECOND);
    let near = |event: &&Event| {
        let (begin, end) = event.interval();
        from.plus(-room) <= begin && end <= to.plus(room)
    };
    let Some((from, to)) = span(&mut timed().filter(near)) else {
        return Window { from, to };
    };
    // A little air on both sides, and whole seconds where there are several.
    let air = (to.since(from) / 24).max(MILLI);
    let whole = |at: i64| at.div_euclid(SECOND) * SECOND;
    if to.since(from) > 4 * SECOND {
        let end = whole(to.0.saturating_add(air).saturating_add(SECOND - 1));
        return Window { from: Micros(whole(from.0.saturating_sub(air / 8))), to: Micros(end) };
    }
    Window { from: from.plus(-air), to: to.plus(air) }
}

/// A place on the axis with what is written there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tick {
    /// When.
    pub at: Micros,
    /// `08:41:00`, `:02`, `.250`, `29 Nov`.
    pub text: String,
}

/// Steps of an axis.
const STEPS: [i64; 27] = [
    MILLI,
    2 * MILLI,
    5 * MILLI,
    10 * MILLI,
    20 * MILLI,
    50 * MILLI,
    100 * MILLI,
    200 * MILLI,
    500 * MILLI,
    SECOND,
    2 * SECOND,
    5 * SECOND,
    10 * SECOND,
    15 * SECOND,
    30 * SECOND,
    MINUTE,
    2 * MINUTE,
    5 * MINUTE,
    10 * MINUTE,
    15 * MINUTE,
    30 * MINUTE,
    HOUR,
    2 * HOUR,
    6 * HOUR,
    12 * HOUR,
    DAY,
    7 * DAY,
];

/// At most so many ticks, at round times.
pub fn ticks(window: Window, most: usize) -> Vec<Tick> {
    if window.is_none() || most == 0 {
        return Vec::new();
    }
    let length = window.length();
    let count = i64::try_from(most).unwrap_or(i64::MAX);
    let step = STEPS.into_iter().find(|step| length / step < count).unwrap_or_else(|| {
        let week = 7 * DAY;
        (length / count / week + 1) * week
    });
    let begun = i64::from(window.from.0.rem_euclid(step) != 0);
    let first = window.from.0.div_euclid(step).saturating_add(begun).saturating_mul(step);
    let mut ticks: Vec<Tick> = Vec::new();
    let mut at = Micros(first);
    while at <= window.to && ticks.len() < most {
        let text = text(at, step, ticks.is_empty());
        ticks.push(Tick { at, text });
        at = at.plus(step);
    }
    ticks
}

/// The first one and every whole minute in full, between them what changes.
fn text(at: Micros, step: i64, first: bool) -> String {
    let second = Instant::new(at, Res::Second);
    let of_day = |instant: Instant| clock(instant, at);
    if step >= HOUR && (step >= DAY || at.0.rem_euclid(DAY) == 0) {
        // Seen from another day, a day is named.
        let day = clock(Instant::new(at, Res::Day), at.plus(2 * DAY));
        return day.trim_end_matches('~').to_owned();
    }
    if step >= MINUTE {
        return of_day(Instant::new(at, Res::Minute));
    }
    let whole = of_day(second);
    if step >= SECOND {
        let short = whole.rsplit_once(':').map_or_else(String::new, |(_, seconds)| format!(":{seconds}"));
        return if first || at.0.rem_euclid(MINUTE) == 0 { whole } else { short };
    }
    let milli = of_day(Instant::new(at, Res::Milli));
    let short = milli.rsplit_once('.').map_or_else(String::new, |(_, part)| format!(".{part}"));
    if first {
        milli
    } else if at.0.rem_euclid(SECOND) == 0 {
        whole
    } else {
        short
    }
}

impl Timeline {
    /// What lies before and behind a window, of a lane: how many marks.
    pub fn outside(&self, lane: usize, window: Window) -> (usize, usize) {
        let marks = self.lanes.get(lane).map_or(&[][..], |lane| lane.marks.as_slice());
        let before = marks.iter().filter(|mark| mark.to < window.from).count();
        let behind = marks.iter().filter(|mark| mark.from > window.to).count();
        (before, behind)
    }
}
