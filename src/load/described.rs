//! Sources and problems as they are shown, groups, and finding an intent by any of its ids.

use crate::judge::coverage::reach;
use crate::judge::facts::{Meaning, Role};
use crate::judge::view::{
    Notice, OUTSIDE_WINDOW, POLICY_WAITS, ProblemView, RowCounts, SourceView, WENT_BACK,
};
use crate::model::money::{Money, Totals};
use crate::model::row::{Shared, SourceNo, Status, effect_flag};
use crate::model::time::Micros;
use crate::sources::ledger::table::ledgered;
use crate::sources::spec::What;

use super::case::Case;
use super::group::Op;
use super::slice::Tally;

/// Intents that are one row of the list.
#[derive(Clone, Debug)]
pub struct GroupView {
    /// `g1`, in the order of the list.
    pub id: String,
    /// `lineage` or `account`.
    pub kind: &'static str,
    /// Intent ids.
    pub members: Vec<String>,
    /// Operations of the members.
    pub ops: Vec<Op>,
    /// Verdict of all.
    pub verdict: &'static str,
    /// Money at risk, once.
    pub at_risk: Vec<Money>,
}

/// Effects of a source by what they are.
#[derive(Clone, Debug, Default)]
pub struct EffectCounts {
    /// Live effects whose amount, where they have one, can be read.
    pub effects: u64,
    /// Rows on their way.
    pub on_its_way: u64,
    /// Rows that ended as no effect.
    pub not_effects: u64,
    /// Reversals.
    pub reversals: u64,
    /// What the effects add up to, reversals not taken off.
    pub totals: Totals,
}

/// So many tools are listed.
const ROLES: usize = 12;

impl Case {
    /// Names and decimals of its units.
    pub fn units(&self) -> &crate::model::units::Units {
        &self.tables.units
    }

    /// Sources with positions and control totals. Files of one source stand each by itself.
    pub fn sources(&self) -> Vec<SourceView> {
        let linked = self.linked_rows();
        let used = self.used_tools();
        (0u16..)
            .zip(linked)
            .filter_map(|(no, linked)| self.source_view(SourceNo(no), linked, &used))
            .collect()
    }

    /// Ledger rows that belong to an intent, by source: whatever did not stay loose.
    fn linked_rows(&self) -> Vec<u64> {
        let sources = self.spec.sources.len();
        let parts = super::each(self.threads, self.runs.len(), |no| {
            let mut counts = vec![0u64; sources];
            let rows = self.runs.get(no).map_or(&[][..], |run| run.effects.all());
            for row in rows.iter().filter(|e| !e.is(effect_flag::DROPPED)) {
                if let Some(count) = counts.get_mut(usize::from(row.at.source().0)) {
                    *count += 1;
                }
            }
            counts
        });
        let mut counts = vec![0u64; sources];
        for part in parts {
            counts.iter_mut().zip(part).for_each(|(all, part)| *all += part);
        }
        for row in &self.loose {
            if let Some(count) = counts.get_mut(usize::from(row.row.at.source().0)) {
                *count = count.saturating_sub(1);
            }
        }
        counts
    }

    fn source_view(&self, no: SourceNo, linked: u64, used: &[bool]) -> Option<SourceView> {
        let at = usize::from(no.0);
        let (spec, found, set) =
            (self.spec.sources.get(at)?, self.found.get(at)?, self.setting.sources.get(at)?);
        let t = &found.tally;
        let ledger = spec.what == What::Ledger;
        let (outside, unattributed) = self.apart.by_source.get(&no).copied().unwrap_or((0, 0));
        let bad = self.unreadable_linked(no);
        let open = self.apart.open.get(&no).copied().unwrap_or((0, 0));
        let rows = if ledger {
            let counted = t.set_aside() + linked + outside + unattributed + open.0 + open.1;
            let merged = t.rows.saturating_sub(counted);
            let mut set_aside: Vec<(String, u64)> =
                t.aside_by.iter().map(|(rule, count)| ((*rule).to_owned(), *count)).collect();
            if merged > 0 {
                let again = ledgered(&found.format).map_or("the same effect again", |format| format.again);
                set_aside.push((again.to_owned(), merged));
            }
            if t.out_of_time > 0 {
                set_aside.push((OUTSIDE_WINDOW.to_owned(), t.out_of_time));
            }
            RowCounts {
                read: t.rows + t.out_of_time + t.problems_of_lines(),
                used: linked.saturating_sub(bad) + open.0,
                outside,
                unattributed,
                set_aside,
                skipped: t.skipped,
                unreadable: bad + open.1 + t.problems_of_lines(),
            }
        } else {
            RowCounts {
                read: t.used + t.skipped + t.problems + t.out_of_time,
                used: t.used,
                skipped: t.skipped,
                unreadable: t.problems,
                set_aside: {
                    let cut = Some((OUTSIDE_WINDOW.to_owned(), t.out_of_time));
                    let rules = t.skipped_by.iter().map(|(rule, n)| ((*rule).to_owned(), *n));
                    rules.chain(cut.filter(|(_, n)| *n > 0)).collect()
                },
                ..RowCounts::default()
            }
        };
        let server = found.server.as_ref();
        Some(SourceView {
            id: spec.id.clone(),
            what: spec.what.word(),
            format: found.format.clone(),
            path: spec.shown.clone(),
            meaning: self.meaning_word(no),
            meaning_assumed: ledger
                && spec.options.moves_money.is_none()
                && set.meaning == Meaning::MovesMoney,
            copy_of: spec.options.copy_of.clone(),
            holds: if spec.options.holds.is_empty() { self.kinds_in(at) } else { spec.options.holds.clone() },
            part: spec
                .options
                .partition
                .iter()
                .map(|(name, value)| format!("{name} {value}"))
                .collect::<Vec<_>>()
                .join(", "),
            role: match set.role {
                Role::Authority => "authority",
                Role::Replica => "replica",
                Role::SecondWitness => "second_witness",
                Role::WritePath => "write_path",
            },
            read_at: set.read_at.filter(|_| ledger),
            read_at_is_newest: set.read_at_is_newest,
            position: t.position.map_or_else(|| found.position.clone(), |row| format!("row {row}")),
            oldest: server.and_then(|s| s.oldest).into_iter().chain(t.oldest.map(|o| o.at)).min(),
            newest: server.and_then(|s| s.newest).into_iter().chain(t.newest().map(|n| n.at)).max(),
            covers_from: set.from.filter(|_| ledger),
            final_by_declaration: self.setting.final_by_declaration,
            live: found.live,
            rows,
            totals: t.totals.clone(),
            no_amount: t.no_amount,
            by_unit: if ledger { t.by_unit.clone() } else { Vec::new() },
            query: found.query.clone(),
            confirm: found.confirm.clone(),
            digest: found.digest.clone(),
            mapping: found.mapping.clone(),
            notes: self.notes(at, t),
            tools: self.tools_of(no, used),
            window: t.window.filter(|_| !ledger),
            reach: ledger.then(|| reach(set, &self.setting)),
            error: found.error.clone(),
        })
    }

    fn unreadable_linked(&self, no: SourceNo) -> u64 {
        let loose: std::collections::HashSet<_> = self.loose.iter().map(|r| r.place).collect();
        let mut count = 0;
        for (r, run) in (0u32..).zip(&self.runs) {
            for (i, row) in (0u32..).zip(run.effects.all()) {
                let bad =
                    row.at.source() == no && row.is(effect_flag::AMOUNT_BAD) && !row.is(effect_flag::DROPPED);
                count += u64::from(bad && !loose.contains(&(r, i)));
            }
        }
        count
    }

    /// Effects of one source by what they are, one row an effect, and what is live of it.
    pub fn effects_of(&self, no: SourceNo) -> EffectCounts {
        let mut counts = EffectCounts::default();
        let rows = self.runs.iter().flat_map(|run| run.effects.all());
        for row in rows.filter(|row| row.at.source() == no && !row.is(effect_flag::DROPPED)) {
            if row.is(effect_flag::AMOUNT_BAD) {
                continue;
            }
            match row.status {
                Status::NotAnEffect => counts.not_effects += 1,
                Status::OnItsWay => counts.on_its_way += 1,
                Status::Live if row.is(effect_flag::REVERSAL) => counts.reversals += 1,
                Status::Live => {
                    counts.effects += 1;
                    if let Some(amount) = row.amount() {
                        counts.totals.add(Money { unit: row.unit, amount });
                    }
                }
            }
        }
        counts
    }

    /// Kinds that its rows name, as far as anybody reads on.
    fn kinds_in(&self, at: usize) -> Vec<String> {
        const LISTED: usize = 64;
        let kinds = self.found.get(at).map(|f| f.kinds.as_slice()).unwrap_or_default();
        kinds.iter().take(LISTED).cloned().collect()
    }

    /// Tools that a call names, by number.
    fn used_tools(&self) -> Vec<bool> {
        let count = self.tables.tools.len();
        let parts = super::each(self.threads, self.runs.len(), |no| {
            let mut used = vec![false; count];
            for row in self.runs.get(no).map_or(&[][..], |run| run.attempts.all()) {
                if let Some(used) = used.get_mut(row.tool.0 as usize) {
                    *used = true;
                }
            }
            used
        });
        let mut all = vec![false; count];
        for part in parts {
            all.iter_mut().zip(part).for_each(|(all, used)| *all |= used);
        }
        all
    }

    fn tools_of(&self, no: SourceNo, used: &[bool]) -> Vec<String> {
        self.tables
            .tools
            .iter()
            .filter(|(tool, _)| {
                used.get(tool.0 as usize).is_some_and(|used| *used)
                    && self.setting.tool(*tool).is_some_and(|t| !t.read && t.recorded_by.contains(&no))
            })
            .map(|(_, name)| name.to_owned())
            .collect()
    }

    /// What is assumed or special about a source, one sentence each.
    /// Which tools of a trace read and which write, and how that is known (`1-model.md` 1.4.7).
    fn roles(&self, what: What, t: &Tally) -> Vec<String> {
        if what != What::Trace {
            return Vec::new();
        }
        let mut lists = [(true, "reads", Vec::new()), (false, "writes", Vec::new())];
        for (no, calls) in (0u32..).map(Shared).zip(&t.calls) {
            let (name, Some(tool)) = (self.tables.tools.text(no), self.setting.tool(no)) else { continue };
            if *calls == 0 || name.is_empty() {
                continue;
            }
            let declared = self.spec.tools.iter().any(|own| own.name == name && own.role.is_some());
            let how = match (declared, self.tables.hint(no)) {
                (true, _) => "declared",
                (false, Some(_)) => "by its hint",
                (false, None) => "by its name",
            };
            for (read, _, list) in &mut lists {
                if *read == tool.read {
                    list.push(format!("{name} ({how})"));
                }
            }
        }
        lists
            .into_iter()
            .filter(|(_, _, list)| !list.is_empty())
            .map(|(_, word, mut list)| {
                let more = list.len().saturating_sub(ROLES);
                list.truncate(ROLES);
                let more = if more > 0 { format!(" and {more} more") } else { String::new() };
                format!("{word}: {}{more}", list.join(", "))
            })
            .collect()
    }

    /// The unit that was assumed for a source without a currency: `?` where the others do not say one.
    pub fn assumed_unit(&self, source: SourceNo) -> Option<&str> {
        let unit = self.assumed.get(usize::from(source.0))?.unit?;
        Some(self.tables.units.text(unit))
    }

    fn notes(&self, at: usize, t: &Tally) -> Vec<String> {
        let mut notes = Vec::new();
        let (Some(spec), Some(found)) = (self.spec.sources.get(at), self.found.get(at)) else {
            return notes;
        };
        notes.extend(found.notes.iter().cloned());
        notes.extend(self.roles(spec.what, t));
        if let Some(assumed) = self.assumed.get(at) {
            if let Some(unit) = assumed.unit {
                let text = self.tables.units.text(unit);
                notes.push(if text == "?" {
                    "CURRENCY_UNKNOWN: no currency here and several or none on the other side; only numbers are compared. --currency says which".to_owned()
                } else {
                    format!("{text} assumed: the other side names no other currency")
                });
            }
            if assumed.negative_effects {
                notes.push("all amounts are negative: read as effects of the absolute amount".to_owned());
            }
        }
        let many = |n: u64, one: &str, more: &str| {
            if n == 1 { format!("1 {one}") } else { format!("{n} {more}") }
        };
        if t.zoneless > 0 {
            notes.push(format!(
                "{} without a zone: read as a wide interval; --zone says which",
                many(t.zoneless, "time", "times")
            ));
        }
        if t.unreadable_times > 0 {
            notes.push(format!(
                "TIME_UNREADABLE: {} could not be read",
                many(t.unreadable_times, "time", "times")
            ));
        }
        if t.unknown_status_words > 0 {
            notes.push(format!(
                "STATUS_WORD_UNKNOWN: {} carry a status that is in no list; they count as effects",
                many(t.unknown_status_words, "row", "rows")
            ));
        }
        if t.unknown_outcome_words > 0 {
            notes.push(format!(
                "OUTCOME_WORD_UNKNOWN: {} end in a word that is in no list; they count as unknown",
                many(t.unknown_outcome_words, "call", "calls")
            ));
        }
        if !spec.options.normalise.is_empty() || !self.spec.normalise.is_empty() {
            let steps: Vec<&str> = spec
                .options
                .normalise
                .iter()
                .chain(&self.spec.normalise)
                .filter_map(|n| {
                    crate::model::ids::Normalise::ALL.iter().find(|(k, _)| k == n).map(|(_, w)| *w)
                })
                .collect();
            notes.push(format!("ids equal after {} are one", steps.join(", ")));
        }
        let join = if spec.options.join.is_empty() { &self.spec.join } else { &spec.options.join };
        if spec.what == What::Ledger && !join.is_empty() {
            notes.push(format!("rows are linked by {}, declared", join.join(", ")));
        }
        if self.setting.sources.get(at).is_some_and(|s| s.factor_hint) {
            notes.push("amounts look like minor units (x100): `amount_minor`".to_owned());
        }
        notes
    }

    /// What holds against everything that is shown of the case.
    pub(super) fn notices(&self) -> Vec<Notice> {
        let policy = self.spec.policy_waits.then(|| Notice {
            code: POLICY_WAITS,
            what: "policy changed in the file, not in force: the one in the book holds until recount request policy is \
                   accepted"
                .to_owned(),
        });
        let back = self.went_back().into_iter().map(|(source, what)| Notice {
            code: WENT_BACK,
            what: format!("the read position of {source} went back, so it proves no absence: {what}"),
        });
        policy.into_iter().chain(back).collect()
    }

    /// Problems with their places.
    pub fn problems(&self) -> Vec<ProblemView> {
        let back = self.went_back().into_iter().map(|(source, what)| ProblemView {
            code: WENT_BACK,
            at: source.clone(),
            what: format!("{what}; recount case acknowledge {source} --note TEXT takes note of it"),
            source,
            line: None,
            bytes: 0,
            affects_result: true,
            raw: String::new(),
        });
        self.problems
            .iter()
            .map(|p| {
                let source = self.spec.sources.get(usize::from(p.at.source().0));
                ProblemView {
                    code: p.event.code,
                    source: source.map(|s| s.id.clone()).unwrap_or_default(),
                    at: self.places.words(p.at),
                    line: self.places.line(p.at),
                    what: p.event.what.clone(),
                    bytes: p.event.bytes,
                    affects_result: p.event.affects_result,
                    raw: self.places.raw(p.at).unwrap_or_default(),
                }
            })
            .chain(back)
            .collect()
    }

    /// Groups that are one row, in the order of the list.
    pub fn groups(&self) -> Vec<GroupView> {
        let groups = self.list().loud.iter().filter_map(|entry| match entry {
            super::list::Entry::Group(members) => Some(members),
            _ => None,
        });
        groups
            .zip(1..)
            .filter_map(|(members, no)| {
                let loud: Vec<_> = members.iter().filter_map(|m| self.loud.get(*m)).collect();
                let lead = loud.first()?;
                let mut ops: Vec<(Micros, Op)> = loud.iter().map(|l| (l.judgement.since, l.op)).collect();
                ops.sort_unstable();
                let ops: Vec<Op> = ops.into_iter().map(|(_, op)| op).collect();
                Some(GroupView {
                    id: format!("g{no}"),
                    kind: if lead.judgement.rule == crate::judge::rules::Rule::R08 {
                        "lineage"
                    } else {
                        "account"
                    },
                    members: ops.iter().map(|op| self.intent_id(*op)).collect(),
                    ops,
                    verdict: lead.judgement.rule.verdict(),
                    at_risk: lead.risks.clone(),
                })
            })
            .collect()
    }
}
