//! Judging every intent of a case: what is not clean is kept, the clean ones as their number only.

use foldhash::fast::RandomState;

use crate::judge::facts::Facts;
use crate::judge::findings;
use crate::judge::glance::Glance;
use crate::judge::judge;
use crate::judge::judgement::{Class, Judgement, NotCompared};
use crate::judge::plain::Plain;
use crate::judge::price;
use crate::judge::severity::{self, Ranking};
use crate::model::money::{Money, Wide, parse_decimal};
use crate::model::row::{Shared, SourceNo};
use crate::model::time::Micros;
use crate::sources::spec::CaseSpec;

use super::brief;
use super::case::Case;
use super::desk::{Desk, Only, Store};
use super::group::Op;
use super::quiet::{Clean, Quiet};
use super::summary::lost_once;

/// An intent that is not clean, or is divergent.
#[derive(Clone, Debug)]
pub struct Loud {
    /// The intent.
    pub op: Op,
    /// What the judge said.
    pub judgement: Judgement,
    /// Money at risk per unit.
    pub risks: Vec<Money>,
    /// What it adds to the money in one glance, the first of its group.
    pub glance: Glance,
    /// The same where another of its group came first.
    pub glance_again: Option<Box<Glance>>,
    /// What violations may have in common.
    pub facet: Facet,
}

/// What violations may have in common; texts as prints.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Facet {
    /// Print of the business id, else of the operation.
    pub order: u64,
    /// Print of the party; 0 is none.
    pub party: u64,
    /// Tool of its first write.
    pub tool: Shared,
    /// Run of its first write.
    pub run: Shared,
    /// Logical source of the first open row of its order, where the order fits.
    pub source: u16,
}

impl Facet {
    /// Intents of different tools are not compared for different reasons only where the tool is the reason.
    pub fn tool_if_it_matters(&self, j: &Judgement) -> Shared {
        if j.not_compared == NotCompared::NoLedgerForTool { self.tool } else { Shared::NONE }
    }
}

/// What one pass over the partitions found.
#[derive(Default)]
struct Judged {
    loud: Vec<Loud>,
    /// By partition.
    quiet: Vec<Vec<Clean>>,
    lost: u64,
}

impl Case {
    /// Judges every intent. Clean ones are kept as their number only and judged again when looked at.
    pub(super) fn judge_all(&mut self) {
        let mut judged = self.judge_parts();
        if self.mark_factor(&judged.loud) {
            judged = self.judge_parts();
        }
        let rates = rates(&self.spec, &self.tables.units);
        let units = &self.tables.units;
        let by_text = |a, b| units.by_text(a, b);
        let ranking = Ranking { rates: &rates, by_text: &by_text };
        // No two have one name, so there is one order; in place, because a case may have many of them.
        judged.loud.sort_unstable_by(|a, b| {
            severity::compare(&a.judgement, &b.judgement, &ranking)
                .then_with(|| self.name_of(a.op).cmp(self.name_of(b.op)))
        });
        self.loud = judged.loud;
        self.quiet = Quiet::new(judged.quiet);
        self.lost = judged.lost;
    }

    fn judge_parts(&self) -> Judged {
        let plain = Plain::new(&self.setting);
        let parts = self.with_store(|store| {
            super::each_part(self.threads, |part| {
                let desk = Desk::new(store, part, Only::All);
                let mut judged = Judged::default();
                let mut quiet = Vec::with_capacity(desk.len());
                for no in 0..desk.len() {
                    let Some(op) = desk.op(no) else { continue };
                    let bare = plain.zip(desk.bare(no));
                    if let Some(since) = bare.and_then(|(plain, (tries, rows))| plain.since(tries, rows)) {
                        debug_assert!(
                            self.judged_so(&desk, no, since),
                            "plain, and judged otherwise: {op:?}"
                        );
                        quiet.push(Clean { since, op });
                        continue;
                    }
                    let Some(facts) = desk.facts(no) else { continue };
                    if self.only_reads(&facts) {
                        continue;
                    }
                    let j = judge(&facts, &self.setting);
                    if j.class == Class::Clean && !j.divergent {
                        judged.lost += u64::from(lost_once(&j));
                        quiet.push(Clean { since: j.since, op });
                    } else {
                        judged.loud.push(self.loud(store, &desk, no, op, j));
                    }
                }
                judged.quiet.push(quiet);
                judged
            })
        });
        let loud = parts.iter().map(|part| part.loud.len()).sum();
        let mut all = Judged { loud: Vec::with_capacity(loud), ..Judged::default() };
        for part in parts {
            all.loud.extend(part.loud);
            all.quiet.extend(part.quiet);
            all.lost += part.lost;
        }
        all
    }

    /// The judge says of a plain intent what was seen at a glance; asked in builds for tests only.
    fn judged_so(&self, desk: &Desk, no: usize, since: Micros) -> bool {
        desk.facts(no).is_some_and(|facts| {
            let j = judge(&facts, &self.setting);
            j.class == Class::Clean && !j.divergent && !lost_once(&j) && j.since == since
        })
    }

    fn loud(&self, store: &Store<'_>, desk: &Desk, no: usize, op: Op, judgement: Judgement) -> Loud {
        let mut glance = Glance::default();
        let mut again = None;
        let mut facet = Facet::default();
        let mut risks = Vec::new();
        if let Some(facts) = desk.facts(no) {
            glance.add(&facts, &self.setting, &judgement, true);
            if judgement.group.is_some() {
                let mut rest = Glance::default();
                rest.add(&facts, &self.setting, &judgement, false);
                again = Some(Box::new(rest));
            }
            risks = price::per_unit(&facts, &self.setting, &judgement);
            facet = self.facet(store, desk, no, op, &facts, &judgement);
        }
        Loud { op, judgement, risks, glance, glance_again: again, facet }
    }

    fn facet(
        &self,
        store: &Store<'_>,
        desk: &Desk,
        no: usize,
        op: Op,
        facts: &Facts<'_>,
        j: &Judgement,
    ) -> Facet {
        let first = facts.tries.iter().find(|t| !brief::is_read(&self.setting, t.row.tool, t.row.flags));
        let business = brief::business_of(store, desk, no, facts).unwrap_or_default();
        let order = if business.is_empty() { self.name_of(op) } else { business };
        let of_calls = facts.tries.iter().zip(desk.try_runs(no)).map(|(t, r)| (*r, t.row.party));
        let of_rows = facts.rows.iter().zip(desk.row_places(no)).map(|(row, p)| (p.0, row.row.party));
        let party = of_calls
            .chain(of_rows)
            .filter_map(|(r, text)| self.runs.get(r as usize).map(|run| run.bytes(text)))
            .find(|p| !p.is_empty())
            .map_or(0, print);
        let of_records = desk.recorded(no).into_iter().flatten();
        let recorded = of_records
            .filter_map(|(r, record)| self.runs.get(r as usize).map(|run| run.bytes(record.party)))
            .find(|p| !p.is_empty())
            .map(print);
        Facet {
            order: print(order.as_bytes()),
            party: recorded.unwrap_or(party),
            tool: first.map_or(Shared::NONE, |t| t.row.tool),
            run: first.map_or(Shared::NONE, |t| t.row.run),
            source: if j.found & findings::FITS_BY_ORDER != 0 { self.open_source(order) } else { 0 },
        }
    }

    /// Calls that only read found no intent.
    fn only_reads(&self, facts: &Facts<'_>) -> bool {
        facts.record.is_none()
            && facts.file.is_none()
            && facts.tries.iter().all(|t| brief::is_read(&self.setting, t.row.tool, t.row.flags))
    }

    /// Factor hint (`1-model.md` 1.2): at least ten linked rows of a source all differ by the same factor.
    fn mark_factor(&mut self, loud: &[Loud]) -> bool {
        let wrong: Vec<&Loud> =
            loud.iter().filter(|l| l.judgement.rule == crate::judge::rules::Rule::R13).collect();
        if wrong.len() < 10 {
            return false;
        }
        let mut by_source: std::collections::HashMap<SourceNo, (u64, Option<i128>, bool), RandomState> =
            std::collections::HashMap::default();
        for (judgement, sources) in wrong.iter().map(|l| &l.judgement).zip(self.sources_of_rows(&wrong)) {
            let factor =
                judgement.live.zip(judgement.expected).and_then(|(live, expected)| factor_of(live, expected));
            for source in sources {
                let known = by_source.entry(source).or_insert((0, factor, true));
                known.0 += 1;
                known.2 &= factor.is_some() && known.1 == factor;
            }
        }
        let mut marked = false;
        for (no, (count, _, same)) in by_source {
            let linked = self.found.get(usize::from(no.0)).map_or(0, |f| f.tally.rows);
            let loose = [&self.apart.by_source, &self.apart.open];
            let outside: u64 = loose.iter().filter_map(|of| of.get(&no)).map(|(a, b)| a + b).sum();
            if count >= 10
                && same
                && count == linked.saturating_sub(outside)
                && let Some(source) = self.setting.sources.get_mut(usize::from(no.0))
            {
                source.factor_hint = true;
                marked = true;
            }
        }
        marked
    }

    /// The sources of the rows of each of these intents, row by row; a partition is laid out once for all of them.
    fn sources_of_rows(&self, of: &[&Loud]) -> Vec<Vec<SourceNo>> {
        let mut by_part: Vec<Vec<(u32, usize)>> = vec![Vec::new(); self.groups.parts.len()];
        for (place, loud) in of.iter().enumerate() {
            let (part, no) = self.groups.place(loud.op);
            if let Some(ops) = by_part.get_mut(part) {
                ops.push((no, place));
            }
        }
        for ops in &mut by_part {
            ops.sort_unstable();
        }
        let parts = self.with_store(|store| {
            super::each(self.threads, by_part.len(), |part| {
                let ops: Vec<u32> = by_part.get(part).into_iter().flatten().map(|(no, _)| *no).collect();
                if ops.is_empty() {
                    return Vec::new();
                }
                let desk = Desk::new(store, part, Only::These(&ops));
                let rows = |no| desk.facts(no).map(|facts| facts.rows).unwrap_or_default();
                (0..desk.len()).map(|no| rows(no).iter().map(|r| r.row.at.source()).collect()).collect()
            })
        });
        let mut sources = vec![Vec::new(); of.len()];
        for (ops, found) in by_part.iter().zip(parts) {
            for ((_, place), found) in ops.iter().zip(found) {
                if let Some(slot) = sources.get_mut(*place) {
                    *slot = found;
                }
            }
        }
        sources
    }
}

/// Print of an order or a party.
pub(super) fn print(text: &[u8]) -> u64 {
    let mut hasher = std::hash::BuildHasher::build_hasher(&foldhash::fast::FixedState::default());
    std::hash::Hasher::write(&mut hasher, text);
    std::hash::Hasher::finish(&hasher).max(1)
}

fn factor_of(live: Money, expected: Money) -> Option<i128> {
    if live.unit != expected.unit {
        return None;
    }
    let scale = live.amount.scale.max(expected.amount.scale);
    let (a, b) = (live.amount.wide().at_scale(scale)?, expected.amount.wide().at_scale(scale)?);
    [10, 100, 1000]
        .into_iter()
        .find(|f| a == b * f)
        .or_else(|| [10, 100, 1000].into_iter().find(|f| a * f == b).map(|f| -f))
}

/// Ranking rates of the config: only for sorting across currencies.
fn rates(spec: &CaseSpec, units: &crate::model::units::Units) -> Vec<(crate::model::units::Unit, Wide)> {
    spec.rank_rates
        .iter()
        .filter_map(|(unit, rate)| Some((units.get(unit)?, parse_decimal(rate).ok()?.wide())))
        .collect()
}
