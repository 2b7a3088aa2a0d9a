//! `recount audit population`: one row per decision of a period, for an auditor.

use serde_json::json;

use crate::book::Action;
use crate::book::population::{Period, Sample, of};
use crate::report::Mask;
use crate::report::audit::{population_csv, population_json};

use super::{Call, Failure, exit, failure, find, time};

/// Prints the population, or a sample of it.
pub fn run(call: &Call) -> Result<u8, Failure> {
    let (Some(from), Some(to)) = (call.text("from"), call.text("to")) else {
        return Err(Failure::usage(
            "population needs --from T and --to T: the period, from and up to but without",
        ));
    };
    let sample = match (call.number("sample"), call.text("seed")) {
        (None, None) => None,
        (Some(rows), Some(seed)) => Some(Sample { rows, seed: seed.to_owned() }),
        _ => {
            return Err(Failure::usage(
                "--sample N and --seed S go together, so that the sample can be drawn again",
            ));
        }
    };
    let found = find(call)?;
    let (book, verdict) = found.look(call)?;
    let view = book.view().map_err(failure)?;
    let secret = view.token_secret().map_err(failure)?;
    let mask = Mask::of_book(found.config.file.mask.party, secret.try_into().unwrap_or_default());
    let period = Period { from: time(from), to: time(to) };
    let population = of(view, period, sample.as_ref(), &|party| mask.party(party)).map_err(failure)?;
    call.print(|out| match call.format() {
        "json" => population_json(&population, &mask, out),
        _ => population_csv(&population, &mask, out),
    })?;
    let exit = exit(call, &verdict);
    let after =
        json!({"format": "population", "head": verdict.head.to_string(), "rows": population.whole.rows});
    found.log(call, Action::Export, after);
    Ok(exit)
}
