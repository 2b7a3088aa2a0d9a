//! Which rules of one intent can find anything at it, seen by numbers only.
//!
//! At most intents of a case none can, and laying one out with its texts costs more than all else that is done for it.
//! This is no second set of rules: it names what each rule of one intent needs before it can fire, names all of them on
//! any doubt, and builds for tests hold it to the rules themselves. Rules of several intents, of runs and of the case are
//! not asked here.

use crate::judge::calls::{TIMEOUT, class_of, writes};
use crate::judge::facts::{Facts, Receipt, Setting};
use crate::model::outcome::Class;
use crate::model::row::{Shared, SourceNo};
use crate::model::time::Micros;

use super::asked::{Asked, Tool};
use super::facts::Pair;
use super::h21;

/// Rules of the table, one bit for each.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rules(u32);

impl Rules {
    /// All of them.
    pub const ALL: Self = Self(u32::MAX);
    /// None of them.
    pub const NONE: Self = Self(0);
    const H03: Self = Self::rule(3);
    const H12: Self = Self::rule(12);
    const H14: Self = Self::rule(14);
    const H19: Self = Self::rule(19);
    const H21: Self = Self::rule(21);

    const fn rule(number: u32) -> Self {
        Self(1 << (number - 1))
    }

    fn add(&mut self, other: Self, when: bool) {
        self.0 |= if when { other.0 } else { 0 };
    }

    /// Whether the rule at this place of the table is one of them.
    pub fn holds(self, place: usize) -> bool {
        self.0 >> place & 1 == 1
    }
}

/// Looks for plain intents of one case.
#[derive(Debug)]
pub struct Plain<'a> {
    setting: &'a Setting,
    /// What the config says of each tool, by its number.
    tools: Vec<Option<&'a Tool>>,
    /// An intent log is loaded: then each call needs a record (H08, H17).
    records: bool,
}

impl<'a> Plain<'a> {
    /// Of a case; `name` is the text of a tool.
    pub fn new(
        setting: &'a Setting,
        asked: &'a Asked,
        records: bool,
        name: impl Fn(Shared) -> &'a str,
    ) -> Self {
        let declared = |no| {
            let name = name(Shared(no));
            asked.tools.iter().find(|tool| tool.name == name)
        };
        Self { setting, tools: (0u32..).take(setting.tools.len()).map(declared).collect(), records }
    }

    /// The rules of one intent that can find anything here. `recorded`: an intent log holds a record of it.
    pub fn rules(&self, facts: &Facts<'_>, recorded: bool) -> Rules {
        // Recorded states (H06, H07, H15, H16, H22), read-backs (H04, H23) and records (H02, H08, H17).
        if recorded || !facts.states.is_empty() || !facts.reads.is_empty() {
            return Rules::ALL;
        }
        let mut rules = Rules::NONE;
        let (mut key, mut payload) = (0, 0);
        let (mut first, mut last) = (Micros::FOREVER, Micros::NONE);
        let mut before: Option<(Class, Micros)> = None;
        let mut kept: Option<i64> = None;
        for call in facts.tries {
            let tool = self.setting.tool(call.row.tool);
            if !writes(call.row, tool) {
                continue;
            }
            // Two keys or two payloads (H01, H02, H05, H20).
            let other = |known: &mut u32, one: u32| {
                let other = one != 0 && *known != 0 && one != *known;
                *known = if one == 0 { *known } else { one };
                other
            };
            if self.records || other(&mut key, call.key) || other(&mut payload, call.payload) {
                return Rules::ALL;
            }
            // A call after one whose answer was lost, and before the one before it was over.
            let class = class_of(call.row, tool, self.setting.now);
            let sent = call.row.sent;
            if let Some((class, over)) = before {
                rules.add(Rules::H03, class == Class::Unknown);
                rules.add(Rules::H19, !over.is_none() && sent <= over);
            }
            let timeout = tool.map_or(TIMEOUT, |tool| tool.timeout);
            let over = if call.row.ended.is_none() { sent.plus(timeout) } else { call.row.ended };
            before = Some((class, if sent.is_none() { Micros::NONE } else { over }));
            if !sent.is_none() {
                (first, last) = (first.min(sent), last.max(sent));
            }
            // Tools that cannot be undone, and tools that forget keys.
            if let Some(tool) = self.tools.get(call.row.tool.place()).copied().flatten() {
                rules.add(Rules::H14, tool.irreversible);
                rules.add(Rules::H12, tool.retention.is_some_and(|kept| tool.windows > kept));
                kept = [kept, tool.retention].into_iter().flatten().min();
            }
        }
        rules.add(Rules::H12, kept.is_some_and(|kept| !last.is_none() && last.since(first) > kept));
        rules.add(Rules::H21, pairs(facts, self.setting).any(|pair| h21::needed(&pair) > pair.bound));
        rules
    }
}

/// Rows that answers named, with the times of both (`2-judge.md` 2.10).
pub fn pairs<'f>(facts: &'f Facts<'_>, setting: &'f Setting) -> impl Iterator<Item = Pair> {
    let mut first = None;
    facts.tries.iter().filter_map(move |call| {
        let tool = setting.tool(call.row.tool);
        if !writes(call.row, tool) {
            return None;
        }
        let class = class_of(call.row, tool, setting.now);
        if class.may_have_acted() {
            first.get_or_insert(call.row.sent());
        }
        let Receipt::Row(no) = call.receipt else { return None };
        let row = facts.rows.get(no as usize).filter(|_| class == Class::Ok)?.row;
        let source: SourceNo = row.at.source();
        Some(Pair {
            source,
            bound: setting.client_skew + setting.source(source).map_or(0, |s| s.skew),
            sent: first.unwrap_or(call.row.sent()),
            ended: call.row.ended(),
            committed: row.committed(),
        })
    })
}
