//! `recount.sniff.v1`: what a file is, one object a file.

use crate::model::units::Units;

use super::super::mask::Mask;
use super::super::out::Out;
use super::super::pen::Pen;
use super::super::sniffed::SniffView;
use super::{free, maybe_time, totals_named};

/// `recount.sniff.v1` (`sniff --format json`).
pub fn sniff(seen: &SniffView, units: &Units, mask: &Mask, out: &mut Out<'_>) {
    let mut pen = Pen::new();
    pen.object(|pen| {
        pen.name("schema").text("recount.sniff.v1");
        pen.name("path").text(&seen.path);
        pen.name("recognised").truth(seen.recognised);
        pen.name("role").text_or_null(&seen.role);
        pen.name("format").text_or_null(&seen.format);
        pen.name("framing").text_or_null(&seen.framing);
        pen.name("why");
        free(pen, mask, &seen.why);
        pen.name("records").number(seen.records);
        pen.name("used").number(seen.used);
        pen.name("set_aside").each(&seen.set_aside, |pen, (rule, records)| {
            pen.object(|pen| {
                pen.name("rule").text(rule);
                pen.name("records").number(*records);
            });
        });
        pen.name("skipped").number(seen.skipped);
        pen.name("unreadable").number(seen.unreadable);
        pen.name("attempts").object(|pen| {
            for (class, number) in seen.attempts.by_class() {
                pen.name(class).number(number);
            }
        });
        pen.name("reads").number(seen.reads);
        pen.name("effects").number(seen.effects);
        pen.name("on_its_way").number(seen.on_its_way);
        pen.name("not_effects").number(seen.not_effects);
        pen.name("reversals").number(seen.reversals);
        pen.name("keys").texts(seen.keys.iter().map(|key| mask.id(key)));
        pen.name("operation_ids").texts(seen.operation_ids.iter().map(|id| mask.id(id)));
        pen.name("totals");
        totals_named(pen, units, &seen.totals);
        pen.name("first");
        maybe_time(pen, seen.first);
        pen.name("last");
        maybe_time(pen, seen.last);
        pen.name("mapping").object(|pen| {
            for (field, column) in &seen.mapping {
                pen.name(field).text(column);
            }
        });
        pen.name("asks").texts(&seen.asks);
        if !seen.candidates.is_empty() {
            pen.name("candidates").texts(&seen.candidates);
        }
    });
    out.line(&pen.take());
}
