//! `sniff`: what a file is, how it would be read, and why (`4-sources.md` 4.15).

use crate::model::units::Units;

use super::super::figures::{count, full, safe, safe_id, totals};
use super::super::mask::Mask;
use super::super::out::Out;
use super::super::sniffed::SniffView;

/// Ids that are listed in text.
const IDS: usize = 5;

/// One file.
pub fn sniff(seen: &SniffView, units: &Units, mask: &Mask, out: &mut Out<'_>) {
    let path = super::path(&seen.path);
    if !seen.recognised {
        out.line(&format!("{path}   not recognised: {}", safe(&mask.text(&seen.why))));
        for candidate in &seen.candidates {
            out.line(&format!("  {}", safe(candidate)));
        }
        return;
    }
    out.line(&format!("{path}   {}, format {}", safe(&seen.role), safe(&seen.format)));
    out.line(&format!("  why        {}", safe(&mask.text(&seen.why))));
    if !seen.framing.is_empty() {
        out.line(&format!("  framing    {}", safe(&seen.framing)));
    }
    if seen.not_read {
        mapping(seen, out);
        return;
    }
    let aside: Vec<String> = seen
        .set_aside
        .iter()
        .map(|(rule, number)| format!("set aside {} ({})", count(*number), safe(rule)))
        .collect();
    let mut parts = vec![format!("{} = used {}", count(seen.records), count(seen.used))];
    parts.extend(aside);
    parts.push(format!("skipped {}", count(seen.skipped)));
    parts.push(format!("unreadable {}", count(seen.unreadable)));
    out.line(&format!("  records    {}", parts.join(" + ")));
    if seen.role == "trace" {
        let calls: Vec<String> = seen
            .attempts
            .by_class()
            .iter()
            .filter(|(_, n)| *n > 0)
            .map(|(c, n)| format!("{c} {}", count(*n)))
            .collect();
        let calls = if calls.is_empty() { "none".to_owned() } else { calls.join(", ") };
        out.line(&format!("  attempts   {calls}; reads {}", count(seen.reads)));
        for list in &seen.roles {
            out.line(&format!("  tools      {}", safe(&mask.text(list))));
        }
    } else {
        out.line(&format!(
            "  effects    {}; on their way {}, not effects {}, reversals {}",
            count(seen.effects),
            count(seen.on_its_way),
            count(seen.not_effects),
            count(seen.reversals)
        ));
        for rule in &seen.rules {
            out.line(&format!("  rule       {}", safe(rule)));
        }
    }
    let sums = totals(units, &seen.totals);
    if !sums.is_empty() {
        out.line(&format!("  totals     {sums}"));
    }
    let all = totals(units, &seen.all_rows);
    if !all.is_empty() && all != sums {
        out.line(&format!("  all rows   {all}: what is no effect is in it, as in `recount sources`"));
    }
    for (words, ids) in [("keys      ", &seen.keys), ("operations", &seen.operation_ids)] {
        if !ids.is_empty() {
            let mut shown: Vec<String> = ids.iter().take(IDS).map(|id| safe_id(&mask.id(id))).collect();
            if ids.len() > IDS {
                shown.push(format!("and {} more", ids.len() - IDS));
            }
            out.line(&format!("  {words} {}", shown.join(", ")));
        }
    }
    if let (Some(first), Some(last)) = (seen.first, seen.last) {
        out.line(&format!("  times      {} to {}", full(first), full(last)));
    }
    mapping(seen, out);
    if !seen.asks.is_empty() {
        let asks: Vec<String> = seen.asks.iter().map(|ask| safe(ask)).collect();
        out.line(&format!("  asks       {}", asks.join(", ")));
    }
    for candidate in &seen.candidates {
        out.line(&format!("    {}", safe(candidate)));
    }
}

/// Which column stands for which field.
fn mapping(seen: &SniffView, out: &mut Out<'_>) {
    if !seen.mapping.is_empty() {
        let pairs: Vec<String> = seen
            .mapping
            .iter()
            .map(|(field, column)| format!("{} = {}", safe(field), safe(column)))
            .collect();
        out.line(&format!("  mapping    {}", pairs.join(", ")));
    }
}
