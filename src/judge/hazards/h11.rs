//! H11, spend over the hard quota.

use std::collections::BTreeMap;

use super::asked::Scope;
use super::facts::{Cost, Run, Whole, World};
use super::fill::{counted, list};
use super::found::Found;
use super::payload::{field, numbers};
use crate::model::money::{Amount, Money, Total, Totals, Wide, parse_decimal, to_exponent};
use crate::model::time::Micros;
use crate::model::units::Unit;

/// Fields that say how many machines a call starts, what each has, and what it costs an hour.
const COUNT: [&str; 5] = ["count", "machines", "instances", "instance_count", "quantity"];
const VCPU: [&str; 3] = ["vcpu", "vcpus", "cpus"];
const MEMORY: [&str; 3] = ["memory_gib", "memory_gb", "ram_gib"];
const PRICE: [&str; 3] = ["price_per_hour", "hourly_price", "price"];
const HOURS: [&str; 2] = ["hours", "duration_hours"];

/// A ceiling and the costs that it is for.
struct Counted<'a> {
    scope: String,
    ceiling: Option<Money>,
    in_prompt: bool,
    costs: Vec<&'a Cost>,
}

/// Each quota per its scope, each ceiling of a tool, and each tool that starts what costs and has none.
pub fn whole(whole: &Whole, _: &[Run], world: &World<'_>) -> Vec<Found> {
    quotas(whole, world).iter().chain(&tools(whole, world)).filter_map(|c| spent(c, whole, world)).collect()
}

fn money(world: &World<'_>, unit: Unit, text: &str) -> Option<Money> {
    let amount = parse_decimal(text).ok()?;
    let amount = world.units.exponent(unit).map_or(Some(amount), |e| to_exponent(amount, e).ok())?;
    Some(Money { unit, amount })
}

fn quotas<'a>(whole: &'a Whole, world: &World<'_>) -> Vec<Counted<'a>> {
    let mut all = Vec::new();
    for quota in &world.asked.quotas {
        let ceiling = world.units.get(&quota.currency).and_then(|unit| money(world, unit, &quota.ceiling));
        let mut groups: BTreeMap<String, Vec<&Cost>> = BTreeMap::new();
        for cost in &whole.costs {
            let scope = match quota.scope {
                Scope::Run if !cost.run.is_empty() => cost.run.clone(),
                Scope::Agent if !cost.agent.is_empty() => format!("agent {}", cost.agent),
                Scope::Tool => format!("tool {}", cost.tool),
                Scope::Case => "this case".to_owned(),
                Scope::Run | Scope::Agent => continue,
            };
            groups.entry(scope).or_default().push(cost);
        }
        let of = |(scope, costs)| Counted { scope, ceiling, in_prompt: quota.in_prompt, costs };
        all.extend(groups.into_iter().map(of));
    }
    all
}

fn tools<'a>(whole: &'a Whole, world: &World<'_>) -> Vec<Counted<'a>> {
    let declared = world.asked.tools.iter().filter(|t| t.provisioning || t.ceiling.is_some());
    declared
        .filter_map(|tool| {
            let costs: Vec<&Cost> = whole.costs.iter().filter(|c| c.tool == tool.name).collect();
            let unit = costs.iter().find_map(|c| c.money).map(|m| m.unit);
            let ceiling = tool.ceiling.as_deref().zip(unit).and_then(|(text, unit)| money(world, unit, text));
            // A ceiling whose currency nobody names yet cannot have been passed.
            let watched = ceiling.is_some() || tool.ceiling.is_none();
            let covered = world.asked.quotas.iter().any(|q| !q.in_prompt);
            (!costs.is_empty() && watched && !(covered && tool.ceiling.is_none())).then(|| Counted {
                scope: format!("tool {}", tool.name),
                ceiling,
                in_prompt: false,
                costs,
            })
        })
        .collect()
}

fn spent(counted: &Counted<'_>, whole: &Whole, world: &World<'_>) -> Option<Found> {
    let mut totals = Totals::default();
    counted.costs.iter().filter_map(|c| c.money).for_each(|m| totals.add(m));
    let show = |unit: Unit, total: Total| world.units.show_total(unit, total);
    let (sum, limit, passed) = if let Some(ceiling) = counted.ceiling {
        let total = totals.get(ceiling.unit).unwrap_or(Total::ZERO);
        let over = total.exact().is_none_or(|sum| sum > Wide::from(ceiling.amount));
        if !over && !counted.in_prompt {
            return None;
        }
        let passed = if over { passed(&counted.costs, ceiling) } else { None };
        (show(ceiling.unit, total), world.units.show(ceiling), passed)
    } else {
        let sums: Vec<String> = totals.iter().map(|(unit, total)| show(unit, total)).collect();
        let sum = if sums.is_empty() { "nothing yet".to_owned() } else { list(&sums) };
        (sum, "no ceiling".to_owned(), None)
    };
    let unit = counted.ceiling.map(|c| c.unit).or_else(|| totals.iter().next().map(|(unit, _)| unit));
    let mut more = String::new();
    let mut say = |words: String| {
        if !words.is_empty() {
            more.push_str("; ");
            more.push_str(&words);
        }
    };
    if counted.in_prompt {
        say("the ceiling stands in a prompt only".to_owned());
    }
    if let Some(when) = passed {
        say(format!("passed at {}", world.clock(when)));
    }
    multipliers(&counted.costs, whole, world, unit).into_iter().for_each(&mut say);
    let first = counted.costs.first();
    let run = first.filter(|f| counted.costs.iter().all(|c| c.run == f.run)).map_or("", |f| f.run.as_str());
    let tool = counted.scope.strip_prefix("tool ").unwrap_or_default();
    let mut found = Found::new(sum.clone(), limit.clone())
        .in_run(run)
        .of_tool(tool)
        .seen(passed.or(first.and_then(|f| f.when)))
        .with("sum", sum)
        .with("ceiling", limit)
        .with("scope", counted.scope.clone())
        .with("more", more);
    found.subjects = vec![counted.scope.clone()];
    Some(found)
}

/// When the ceiling was passed, and at which cost.
fn passed(costs: &[&Cost], ceiling: Money) -> Option<Micros> {
    let mut sum = Totals::default();
    costs.iter().find_map(|cost| {
        sum.add(cost.money.filter(|m| m.unit == ceiling.unit)?);
        let now = sum.get(ceiling.unit)?.exact();
        now.is_none_or(|now| now > Wide::from(ceiling.amount)).then_some(cost.when).flatten()
    })
}

fn whole_number(arguments: &str, names: &[&str]) -> Option<i64> {
    field(arguments, names)?.parse().ok()
}

fn times(a: Wide, by: i64) -> Option<Wide> {
    Some(Wide { digits: a.digits.checked_mul(i128::from(by))?, scale: a.scale })
}

/// What was multiplied: machines, hours, price; what was said of each machine; what it does per hour now.
fn multipliers(costs: &[&Cost], whole: &Whole, world: &World<'_>, unit: Option<Unit>) -> Vec<String> {
    let mut words = Vec::new();
    let starts: Vec<&Cost> = costs
        .iter()
        .copied()
        .filter(|c| world.tool(&c.tool).is_some_and(|t| t.provisioning) && !c.arguments.is_empty())
        .collect();
    let count = |c: &Cost| whole_number(&c.arguments, &COUNT).unwrap_or(1);
    let machines: i64 = starts.iter().map(|c| count(c)).sum();
    let amount = |text: &str| parse_decimal(text).ok();
    let hours: Option<Wide> = costs
        .iter()
        .filter_map(|c| amount(&field(&c.arguments, &HOURS)?))
        .try_fold(Wide::ZERO, |sum, hours: Amount| sum.checked_add(hours.wide()))
        .filter(|hours| !hours.is_zero());
    let price = starts.first().and_then(|c| amount(&field(&c.arguments, &PRICE)?));
    if let (Some(price), Some(unit)) = (price, unit) {
        let hours = hours.map(Wide::normal).map(|h| crate::model::money::plain(h.digits, h.scale));
        let each = world.units.show_wide(unit, price.wide());
        match hours {
            Some(hours) => words.push(format!("{machines} x {hours} h x {each}")),
            None => words.push(format!("{machines} x {each} per hour")),
        }
    }
    if let Some(first) = starts.first() {
        let size = |names: &[&str]| {
            let each = whole_number(&first.arguments, names)?;
            let all: i64 =
                starts.iter().filter_map(|c| Some(count(c) * whole_number(&c.arguments, names)?)).sum();
            Some((each, all))
        };
        let of = counted(u64::try_from(machines).unwrap_or_default(), "machine", "machines");
        if let (Some((vcpu, vcpus)), Some((gib, gibs))) = (size(&VCPU), size(&MEMORY)) {
            words.push(format!("{of} of {vcpu} vCPU and {gib} GiB, {vcpus} vCPU and {gibs} GiB in all"));
        }
        let known: Vec<&str> = [&COUNT[..], &VCPU, &MEMORY, &PRICE, &HOURS].concat();
        let others: Vec<String> = numbers(&first.arguments)
            .into_iter()
            .filter(|(name, _)| !known.contains(&name.as_str()))
            .map(|(name, value)| format!("{name} {value}"))
            .collect();
        if !others.is_empty() {
            words.push(format!("as sent: {}", list(&others)));
        }
    }
    words.extend(useful(costs, whole, world, unit));
    let per_hour = starts.iter().try_fold(Wide::ZERO, |sum, c| {
        let price = amount(&field(&c.arguments, &PRICE)?)?;
        sum.checked_add(times(price.wide(), count(c))?)
    });
    if let (Some(rate), Some(unit)) = (per_hour.filter(|r| !r.is_zero()), unit) {
        words.push(format!("{} per hour now", world.units.show_wide(unit, rate)));
    }
    words
}

/// The last effect of the runs that spend, and what was spent since.
fn useful(costs: &[&Cost], whole: &Whole, world: &World<'_>, unit: Option<Unit>) -> Option<String> {
    let spends = |run: &String| costs.iter().any(|c| c.run == *run);
    let last = whole.last_effect.iter().filter(|((run, _), _)| spends(run)).map(|(_, at)| *at).max()?;
    let unit = unit?;
    let mut since = Totals::default();
    since.ensure(unit);
    let later = costs.iter().filter(|c| c.when.is_some_and(|when| when > last));
    later.filter_map(|c| c.money).filter(|m| m.unit == unit).for_each(|m| since.add(m));
    let spent = world.units.show_total(unit, since.get(unit)?);
    Some(format!("last useful effect at {}, {spent} since", world.clock(last)))
}

#[cfg(test)]
mod tests {
    use super::super::asked::{Asked, Quota, Scope, Tool};
    use super::super::facts::Cost;
    use super::super::sample::{cost, costs_fire, costs_only, usd_quota};

    #[test]
    fn h11_below() {
        let costs = [cost("run_1", 10, 4_999), cost("run_1", 20, 1)];
        assert!(costs_fire(&usd_quota("50.00"), &costs).is_empty());
        // Another run has a quota of its own.
        let two = [cost("run_1", 10, 5_000), cost("run_2", 20, 5_000)];
        assert!(costs_fire(&usd_quota("50.00"), &two).is_empty());
        assert!(costs_fire(&usd_quota("0"), &[cost("run_1", 10, 0)]).is_empty());
    }

    #[test]
    fn h11_above() {
        let costs = [cost("run_1", 10, 5_000), cost("run_1", 20, 1)];
        let hazard = costs_only(&usd_quota("50.00"), &costs);
        assert_eq!(hazard.what, "Spent USD 50.01 of USD 50.00 in run_1; passed at 08:00:20.");
        assert_eq!((&*hazard.measured, &*hazard.threshold), ("USD 50.01", "USD 50.00"));
        // A ceiling of nothing is passed with the first cent.
        assert_eq!(costs_only(&usd_quota("0"), &[cost("run_1", 10, 1)]).measured, "USD 0.01");
    }

    #[test]
    fn a_ceiling_in_a_prompt_and_no_ceiling_fire() {
        let mut asked = usd_quota("50.00");
        asked.quotas[0].in_prompt = true;
        let hazard = costs_only(&asked, &[cost("run_1", 10, 1)]);
        assert_eq!(hazard.what, "Spent USD 0.01 of USD 50.00 in run_1; the ceiling stands in a prompt only.");
        let tool = Tool { name: "launch".into(), provisioning: true, ..Tool::default() };
        let asked = Asked { tools: vec![tool], ..Asked::default() };
        let start = Cost { tool: "launch".into(), ..cost("run_1", 10, 100) };
        assert_eq!(costs_only(&asked, &[start]).what, "Spent USD 1.00 of no ceiling in tool launch.");
    }

    #[test]
    fn what_was_multiplied_stands_in_the_text() {
        let tool = Tool { name: "launch".into(), provisioning: true, ceiling: None, ..Tool::default() };
        let quota = Quota {
            name: "q".into(),
            scope: Scope::Case,
            ceiling: "1".into(),
            currency: "USD".into(),
            in_prompt: false,
        };
        let asked = Asked { tools: vec![tool], quotas: vec![quota], ..Asked::default() };
        let arguments = r#"{"count":2,"vcpu":8,"memory_gib":32,"price_per_hour":"0.505","uplink_gbps":10.5}"#;
        let start =
            Cost { tool: "launch".into(), money: None, arguments: arguments.into(), ..cost("run_1", 10, 0) };
        let use_ = Cost { arguments: r#"{"hours":3}"#.into(), ..cost("run_1", 20, 303) };
        assert_eq!(
            costs_only(&asked, &[start, use_]).what,
            "Spent USD 3.03 of USD 1.00 in this case; passed at 08:00:20; 2 x 3 h x USD 0.505; 2 machines of 8 vCPU and \
             32 GiB, 16 vCPU and 64 GiB in all; as sent: uplink_gbps 10.5; USD 1.01 per hour now."
        );
    }
}
