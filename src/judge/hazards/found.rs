//! What a rule found, and what becomes of it.

use std::borrow::Cow;

use crate::model::row::At;
use crate::model::time::Micros;

use super::quieting::Quieted;
use super::rules::Rule;

/// How much a hazard matters (`5-hazards.md` 5.0). The higher one sorts first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Level {
    /// Look at it today.
    High,
    /// Look at it this week.
    Medium,
    /// Good to know.
    Note,
}

impl Level {
    /// Every level with its word, the highest first.
    pub const ALL: [(Self, &'static str); 3] =
        [(Self::High, "high"), (Self::Medium, "medium"), (Self::Note, "note")];

    /// The word.
    pub fn word(self) -> &'static str {
        Self::ALL.iter().find(|(level, _)| *level == self).map_or("", |(_, word)| word)
    }

    /// Reads the word.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.iter().find(|(_, known)| *known == word).map(|(level, _)| *level)
    }

    /// At this level or above it.
    pub fn reaches(self, limit: Self) -> bool {
        self <= limit
    }
}

/// What came of a rule (`5-hazards.md` 5.0, four results).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Status {
    /// It fires.
    Firing,
    /// It was looked at, and it does not.
    Quiet,
    /// It fires, and somebody wrote down why that is no matter here.
    Quieted,
    /// It could not be looked at; never shown as quiet.
    NotEvaluable,
}

impl Status {
    /// Every status with its word.
    pub const ALL: [(Self, &'static str); 4] = [
        (Self::Firing, "firing"),
        (Self::Quiet, "quiet"),
        (Self::Quieted, "quieted"),
        (Self::NotEvaluable, "not_evaluable"),
    ];

    /// The word of machine output.
    pub fn word(self) -> &'static str {
        Self::ALL.iter().find(|(status, _)| *status == self).map_or("", |(_, word)| word)
    }
}

/// An attempt that a hazard is about.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Subject {
    /// Number among the write attempts of its intent.
    pub number: u32,
    /// Its id, else its place; filled in by whoever can read it, where it is to be told.
    pub id: String,
    /// Where its record stands.
    pub at: Option<At>,
}

/// Where a hazard is: what is empty does not apply.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Where {
    /// Run id.
    pub run: String,
    /// Intent id.
    pub intent: String,
    /// Attempts of the intent.
    pub attempts: Vec<Subject>,
    /// Tool.
    pub tool: String,
    /// Source.
    pub source: String,
}

/// What one rule found at one place, before it is put into words.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Found {
    /// The level, where it is not that of the rule.
    pub level: Option<Level>,
    /// False for what is quiet but worth a figure ("at the edge").
    pub fires: bool,
    /// Where.
    pub place: Where,
    /// Ids of the intents, or runs, that it is about.
    pub subjects: Vec<String>,
    /// How many there are of them.
    pub count: usize,
    /// The measured value.
    pub measured: Cow<'static, str>,
    /// What it should have been, or the limit that it reached.
    pub threshold: Cow<'static, str>,
    /// So close to the threshold that the exact value and the computed one fall on different sides.
    pub edge: bool,
    /// When it was first seen; [`Micros::NONE`] without times.
    pub first_seen: Micros,
    /// What stands in the text, by name.
    pub values: Vec<(&'static str, String)>,
    /// Rules that need declared tools or an intent log fire once per tool or source; of those that are put together,
    /// the heaviest speaks.
    pub weight: Option<i64>,
}

/// So many values a text has, or fewer.
const TEXTS: usize = 8;

impl Found {
    /// Something that fires, with nothing filled in.
    pub fn new(measured: impl Into<Cow<'static, str>>, threshold: impl Into<Cow<'static, str>>) -> Self {
        Self {
            level: None,
            fires: true,
            place: Where::default(),
            subjects: Vec::new(),
            count: 1,
            measured: measured.into(),
            threshold: threshold.into(),
            edge: false,
            first_seen: Micros::NONE,
            values: Vec::with_capacity(TEXTS),
            weight: None,
        }
    }

    /// With this in its text.
    #[must_use]
    pub fn with(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.values.push((name, value.into()));
        self
    }

    /// At another level than that of the rule.
    #[must_use]
    pub fn at_level(mut self, level: Level) -> Self {
        self.level = Some(level);
        self
    }

    /// First seen then.
    #[must_use]
    pub fn seen(mut self, when: impl Into<Option<Micros>>) -> Self {
        self.first_seen = when.into().unwrap_or(Micros::NONE);
        self
    }

    /// In a run.
    #[must_use]
    pub fn in_run(mut self, run: &str) -> Self {
        run.clone_into(&mut self.place.run);
        self
    }

    /// Of an intent.
    #[must_use]
    pub fn of_intent(mut self, intent: &str) -> Self {
        intent.clone_into(&mut self.place.intent);
        self.subjects = vec![intent.to_owned()];
        self
    }

    /// Of these attempts.
    #[must_use]
    pub fn attempts<'a>(mut self, calls: impl IntoIterator<Item = &'a super::facts::Call>) -> Self {
        let subject =
            |c: &super::facts::Call| Subject { number: c.number, id: String::new(), at: Some(c.at) };
        self.place.attempts = calls.into_iter().map(subject).collect();
        self
    }

    /// Of a tool.
    #[must_use]
    pub fn of_tool(mut self, tool: &str) -> Self {
        tool.clone_into(&mut self.place.tool);
        self
    }

    /// In a source.
    #[must_use]
    pub fn in_source(mut self, source: &str) -> Self {
        source.clone_into(&mut self.place.source);
        self
    }

    /// Put together with others of its tool or source; the heaviest speaks.
    #[must_use]
    pub fn weighing(mut self, weight: i64) -> Self {
        self.weight = Some(weight);
        self
    }
}

/// One line of the result: a rule at a place, in words.
#[derive(Clone, Debug, PartialEq)]
pub struct Hazard {
    /// The rule.
    pub rule: &'static Rule,
    /// What came of it.
    pub status: Status,
    /// Its level.
    pub level: Level,
    /// Where.
    pub place: Where,
    /// Ids of the intents, or runs, that it is about.
    pub subjects: Vec<String>,
    /// How many there are of them.
    pub count: usize,
    /// The measured value.
    pub measured: Cow<'static, str>,
    /// What it should have been.
    pub threshold: Cow<'static, str>,
    /// At the edge of its threshold.
    pub edge: bool,
    /// When it was first seen.
    pub first_seen: Micros,
    /// What happened, filled in. Holds text from outside.
    pub what: String,
    /// What to do: that of the rule, or that of the config.
    pub todo: Cow<'static, str>,
    /// Why it could not be looked at; empty elsewhere.
    pub reason: String,
    /// What somebody wrote down about it, whether that still holds or not.
    pub quieted: Option<Box<Quieted>>,
}

impl Hazard {
    /// So many subjects are named one by one in machine output.
    pub const NAMED: usize = 50;
}
