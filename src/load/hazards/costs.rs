//! What calls cost, read again at their places: most traces say nothing of it, and then nothing is read.

use crate::judge::calls::class_of;
use crate::judge::hazards::facts::{Cost, Whole, World};
use crate::model::money::{Money, parse_decimal, to_exponent};
use crate::model::row::{At, Attempt, SourceNo};

use super::super::case::Case;
use super::counts;

impl Case {
    /// Costs of all calls that may have acted, in order of (time, place); and which traces have any.
    pub(super) fn costs(&self, world: &mut World<'_>, whole: &mut Whole) {
        let mentions: Vec<bool> = (0u16..)
            .take(self.spec.sources.len())
            .map(|no| self.places.mentions(SourceNo(no), "\"cost\""))
            .collect();
        let asked = !world.asked.quotas.is_empty()
            || world.asked.tools.iter().any(|t| t.provisioning || t.ceiling.is_some());
        let starts = |row: &Attempt| {
            let name = self.tables.tools.text(row.tool);
            world.tool(name).is_some_and(|t| t.provisioning)
        };
        let wanted = |row: &Attempt| {
            let mentioned = mentions.get(usize::from(row.at.source().0)).copied().unwrap_or_default();
            let class = class_of(row, self.setting.tool(row.tool), self.setting.now);
            counts(row) && class.may_have_acted() && (mentioned || starts(row))
        };
        let parts = super::super::each(self.threads, if asked { self.runs.len() } else { 0 }, |no| {
            let rows = self.runs.get(no).map_or(&[][..], |run| run.attempts.all());
            let cost = |row: &Attempt| {
                let money = self.cost_of(row.at);
                (money.is_some() || starts(row)).then(|| (self.cost(row, money), row.at))
            };
            rows.iter().filter(|row| wanted(row)).filter_map(cost).collect::<Vec<_>>()
        });
        let mut costs: Vec<(Cost, At)> = parts.into_iter().flatten().collect();
        costs.sort_by_key(|(cost, at)| (cost.when, *at));
        whole.costs = costs.into_iter().map(|(cost, _)| cost).collect();
        for (no, mentioned) in (0u16..).zip(mentions) {
            let name = self.source_name(SourceNo(no));
            for trace in world.traces.iter_mut().filter(|t| t.name == name) {
                trace.costs |= mentioned
                    || trace
                        .tools
                        .iter()
                        .any(|tool| world.asked.tools.iter().any(|t| t.provisioning && t.name == *tool));
            }
        }
    }

    fn cost_of(&self, at: At) -> Option<Money> {
        let fields = self.places.fields(at);
        let field = |name: &str| fields.iter().find(|(n, _)| n == name).map(|(_, v)| v.as_str());
        let unit = self.tables.units.get(field("cost.currency")?)?;
        let amount = parse_decimal(field("cost.amount")?).ok()?;
        let amount =
            self.tables.units.exponent(unit).map_or(Some(amount), |e| to_exponent(amount, e).ok())?;
        Some(Money { unit, amount })
    }

    fn cost(&self, row: &Attempt, money: Option<Money>) -> Cost {
        let info = self.tables.runs.get(row.run.place());
        Cost {
            when: (!row.sent.is_none()).then_some(row.sent),
            run: self.tables.run_ids.text(row.run).to_owned(),
            agent: info.map(|i| i.agent.clone()).unwrap_or_default(),
            tool: self.tables.tools.text(row.tool).to_owned(),
            money,
            arguments: self.places.arguments(row.at).unwrap_or_default(),
        }
    }
}
