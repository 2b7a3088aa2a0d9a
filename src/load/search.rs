//! Finding rows of the list by a word: over the texts of the runs, without building a row (`engine.md` 8).

use std::collections::HashSet;

use memchr::memmem::Finder;

use crate::judge::severity;
use crate::judge::words;
use crate::model::row::{Name, Text};

use super::case::Case;
use super::group::Op;
use super::list::Entry;
use super::run::{PARTS, Run};

impl Case {
    /// Calls `hit` with the place of every row whose ids, business id, party, words, label or verdict hold `word`,
    /// which is lower case.
    pub fn search(&self, word: &str, hit: &mut dyn FnMut(usize)) {
        let ops = self.ops_with(word);
        let list = self.list();
        for (at, entry) in list.loud.iter().enumerate() {
            let members: Vec<usize> = match entry {
                Entry::One(no) => vec![*no],
                Entry::Group(m) | Entry::NotCompared(m) | Entry::Fits(m) => m.clone(),
                Entry::Apart(_) | Entry::ApartMore | Entry::Outside => Vec::new(),
            };
            let loud = || members.iter().filter_map(|no| self.loud.get(*no));
            let said = loud().next().is_some_and(|l| {
                let j = &l.judgement;
                let texts = [
                    words::list_words(j),
                    severity::label(j).to_lowercase(),
                    j.rule.verdict().to_lowercase(),
                ];
                texts.iter().any(|t| t.contains(word))
            });
            if said || loud().any(|l| ops.contains(&l.op)) || self.apart_holds(entry, word) {
                hit(at);
            }
        }
        let fine = ["as meant", "matched", "ok"].iter().any(|t| t.contains(word));
        for (at, clean) in self.clean_in_order().iter().enumerate() {
            if fine || ops.contains(&clean.op) {
                hit(list.loud.len() + at);
            }
        }
        let apart = list.loud.len() + self.quiet.len();
        for (at, entry) in list.apart.iter().enumerate() {
            if self.apart_holds(entry, word) {
                hit(apart + at);
            }
        }
    }

    /// Whether an id of a group of rows without an attempt holds a word.
    fn apart_holds(&self, entry: &Entry, word: &str) -> bool {
        let Entry::Apart(no) = entry else { return false };
        let Some(group) = self.apart.groups.get(*no) else { return false };
        let orphan = self.orphan(group);
        let texts = [&orphan.effect_id, &orphan.operation_id, &orphan.business_id];
        let holds = |text: &str| text.to_lowercase().contains(word);
        texts.iter().any(|text| holds(text) || holds(&super::lines::spaced(text)))
    }

    /// Intents of which an id, the business id or the party holds a word.
    fn ops_with(&self, word: &str) -> HashSet<Op> {
        // `order 1234` is stored as `order:1234`.
        let finder = Finder::new(word.as_bytes());
        let mut ops = HashSet::new();
        for (r, run) in self.runs.iter().enumerate() {
            let mut take = |name: Name| {
                ops.extend(self.groups.of(&self.runs, r, name).filter(|op| self.groups.is_intent(*op)));
            };
            for part in 0..PARTS {
                for no in run.names_of(part) {
                    if holds(&finder, word, run.name_bytes(Name(no))) {
                        take(Name(no));
                    }
                }
            }
            let found = |text: Text| text.is_some() && holds(&finder, word, run.bytes(text));
            for row in run.attempts.all() {
                if found(row.business) || found(row.party) {
                    take(row.name);
                }
            }
            for record in run.records.all() {
                if [record.intent_id, record.business, record.party].into_iter().any(found) {
                    take(record.name);
                }
            }
            self.rows_with(run, r, &found, &mut ops);
        }
        ops
    }

    fn rows_with(&self, run: &Run, r: usize, found: &dyn Fn(Text) -> bool, ops: &mut HashSet<Op>) {
        for row in run.effects.all() {
            if [row.id, row.external].into_iter().any(found) {
                ops.extend(self.groups.of(&self.runs, r, row.name).filter(|op| self.groups.is_intent(*op)));
            }
        }
    }
}

/// Whether a text holds a word; upper and lower case of ASCII are the same.
fn holds(finder: &Finder<'_>, word: &str, text: &[u8]) -> bool {
    if finder.find(text).is_some() {
        return true;
    }
    // Most ids are lower case; only others are looked at letter by letter.
    text.iter().any(u8::is_ascii_uppercase)
        && text.windows(word.len().max(1)).any(|part| part.eq_ignore_ascii_case(word.as_bytes()))
}
