//! Values as they stand on the screen: times in the chosen zone, money, ids (`6-screens.md` 7.4.7).

use crate::app::model::Model;
use crate::judge::view::{EffectView, SourceView, Summary};
use crate::model::money::{Money, Total, Totals};
use crate::model::time::{Instant, Micros, Res, SECOND, Zone, clock};
use crate::model::units::{Unit, Units};
use crate::text::{NBSP, SafeText};

/// What is needed to show a value.
#[derive(Clone, Copy)]
pub struct Shown<'a> {
    /// Names of units.
    pub units: &'a Units,
    /// Names of sources.
    pub sources: &'a [SourceView],
    /// The clock.
    pub now: Micros,
    /// Times are shown in it.
    pub zone: Zone,
    /// Only ASCII is shown.
    pub ascii: bool,
    /// Figures of the case.
    pub summary: &'a Summary,
}

impl<'a> Shown<'a> {
    /// For the loaded case; `None` before there is one.
    pub fn of(model: &'a Model) -> Option<Self> {
        let case = model.case()?;
        Some(Self {
            units: case.units(),
            sources: case.sources(),
            now: model.now(),
            zone: model.zone(),
            ascii: model.setup.ascii,
            summary: case.summary(),
        })
    }

    fn shift(&self, at: Micros) -> Micros {
        shift(self.zone, at)
    }

    /// A time: of today alone, of another day with its date.
    pub fn time(&self, instant: Instant) -> String {
        let local = Instant { at: self.shift(instant.at), ..instant };
        clock(local, self.shift(self.now))
    }

    /// A time to the second.
    pub fn second(&self, at: Micros) -> String {
        self.time(Instant { at, res: Res::Second })
    }

    /// The time of day alone, with as many decimals as the clock has.
    pub fn of_day(&self, instant: Instant) -> String {
        let local = Instant { at: self.shift(instant.at), ..instant };
        clock(local, local.at)
    }

    /// The day of a time where it is not today: `28 Nov`.
    pub fn day(&self, at: Micros) -> Option<String> {
        if at.is_none() || self.same_day(at, self.now) {
            return None;
        }
        let whole = self.second(at);
        Some(whole.rsplit_once(' ').map_or(whole.clone(), |(day, _)| day.to_owned()))
    }

    /// The time of a row in a narrow column: of another day the date alone.
    pub fn time_of_row(&self, row: &EffectView) -> String {
        self.day(row.committed.at).unwrap_or_else(|| self.of_day(row.committed))
    }

    /// Two times on one day.
    pub fn same_day(&self, a: Micros, b: Micros) -> bool {
        use crate::model::time::DAY;
        self.shift(a).0.div_euclid(DAY) == self.shift(b).0.div_euclid(DAY)
    }

    /// Hours and minutes, with the date where it is not today.
    pub fn minute(&self, at: Micros) -> String {
        self.time(Instant { at, res: Res::Minute })
    }

    /// Money in a sentence; the blank in it does not break.
    pub fn money(&self, money: Money) -> String {
        // The unit is text from outside.
        self.outside(&self.units.show(money)).replace(' ', &NBSP.to_string())
    }

    /// The number alone.
    pub fn number(&self, money: Money) -> String {
        self.units.number(money.unit, money.amount.wide())
    }

    /// The number of a total alone.
    pub fn total(&self, unit: Unit, total: Total) -> String {
        total.exact().map_or_else(|| "unreadable".to_owned(), |sum| self.units.number(unit, sum))
    }

    /// Totals in the order in which units are shown, zero left out.
    pub fn totals(&self, totals: &Totals) -> Vec<(Unit, Total)> {
        let mut found: Vec<_> = totals.iter().filter(|(_, total)| !total.is_zero()).collect();
        found.sort_by(|a, b| self.units.by_text(a.0, b.0));
        found
    }

    /// Text from outside.
    pub fn outside(&self, raw: &str) -> String {
        safe(SafeText::new(raw), self.ascii)
    }

    /// An id from outside.
    pub fn id(&self, raw: &str) -> String {
        safe(SafeText::id(raw), self.ascii)
    }

    /// A source by its index.
    pub fn source(&self, at: usize) -> Option<&'a SourceView> {
        self.sources.get(at)
    }
}

fn safe(text: SafeText, ascii: bool) -> String {
    let text = if ascii { text.to_ascii() } else { text };
    text.as_str().to_owned()
}

/// Text from outside, before there is a case.
pub fn outside(model: &Model, raw: &str) -> String {
    safe(SafeText::new(raw), model.setup.ascii)
}

/// An id from outside, before there is a case.
pub fn shown_id(model: &Model, raw: &str) -> String {
    safe(SafeText::id(raw), model.setup.ascii)
}

/// A moment in a zone, as if it were UTC: what the functions that show times take.
pub fn shift(zone: Zone, at: Micros) -> Micros {
    match zone.offset_at(at) {
        Some(offset) if !at.is_none() => at.plus(i64::from(offset) * SECOND),
        _ => at,
    }
}

/// The last part of a path.
pub fn file_name(path: &str) -> &str {
    path.rsplit(['/', '\\']).find(|part| !part.is_empty()).unwrap_or(path)
}

/// A read position in words: `rowid 48211` is `row 48211` to a reader.
pub fn position(position: &str) -> String {
    position.replace("rowid ", "row ")
}

/// A count with its noun: `1 row`, `5 rows`.
pub fn counted(count: u64, noun: &str) -> String {
    crate::app::keymap::counted(count, noun)
}
