//! What the lab prints, and the case that it prints from: read again from the files of a run, as `check` would.

use std::path::Path;

use crate::cli::call::Call;
use crate::cli::failure::Failure;
use crate::cli::loading::{Loaded, from_spec};
use crate::config;
use crate::judge::view::{IntentView, ResultWord};
use crate::lab::setup::{
    AGENT, CURRENCY, EXPONENT, Fault, Mode, OPERATION, ORDER, Policy, READ, TASK, TOTAL_MINOR, WRITE,
};
use crate::load::{Ask, Property};
use crate::model::money::plain;
use crate::report::out::Out;
use crate::report::{Intents, text};

/// A run as it was judged from its files.
pub struct Judged {
    loaded: Loaded,
    ask: Ask,
    /// Its one intent.
    pub view: IntentView,
    /// The result.
    pub result: ResultWord,
}

/// Reads and judges the files of a run, under at-most-once.
///
/// # Errors
/// Files that cannot be read.
pub fn judged(folder: &Path) -> Result<Judged, Failure> {
    let config = config::read(&folder.join(config::NAME)).map_err(|why| Failure::input(&why.to_string()))?;
    let spec = config::case::spec(&config).map_err(|why| Failure::input(&why.to_string()))?;
    let loaded = from_spec(spec, config)?;
    let ask = Ask { property: Property::AtMostOnce, ..Ask::default() };
    let op = loaded.case.find(OPERATION).first().copied();
    let Some(view) = op.and_then(|op| Intents::view(&loaded.case, op.0)) else {
        return Err(Failure::input("the run left no intent that can be read"));
    };
    let result = loaded.case.summary(&ask).result;
    Ok(Judged { loaded, ask, view, result })
}

impl Judged {
    /// Effects that were observed.
    pub fn count(&self) -> u32 {
        self.view.judgement.gross
    }

    /// Their sum in cents, where it is dollars alone.
    pub fn minor(&self) -> Option<i128> {
        let units = self.loaded.case.units();
        let unit = units.get(CURRENCY)?;
        units.minor(unit, self.view.totals.get(unit)?.exact()?)
    }

    /// Their sum, as shown.
    pub fn total(&self) -> String {
        let shown: Vec<String> = self
            .view
            .totals
            .iter()
            .map(|(unit, total)| self.loaded.case.units().show_total(unit, total))
            .collect();
        shown.join(", ")
    }

    /// The tree, the rows, the four lines, the result.
    pub fn print(&self, call: &Call, out: &mut Out<'_>) {
        let gathered = self.loaded.gathered(call, &self.ask);
        let report = gathered.report(&self.loaded.case);
        text::causal(&report, &self.view, false, out);
        out.line(self.result.words());
        if self.result == ResultWord::Inconclusive {
            text::why(&report, &self.view, out);
        }
        if self.count() == 0 {
            out.line(
                "Judged under at-most-once: nothing was done twice. What was asked for has not been done.",
            );
        }
    }
}

/// `USD 500.00`.
pub fn usd(minor: i64) -> String {
    format!("{CURRENCY} {}", plain(i128::from(minor), EXPONENT))
}

/// What was asked for, and of whom.
pub fn task(out: &mut Out<'_>) {
    out.line(&format!("task: {TASK}      order {ORDER}, total {}, refunded {}", usd(TOTAL_MINOR), usd(0)));
}

/// Who decides, by which rule, against which server, and what goes wrong.
pub fn roles(policy: Policy, mode: Mode, faults: &[Fault], out: &mut Out<'_>) {
    out.line(&format!(
        "agent: {AGENT}   retry policy: {} ({})   server: {}   fault: {}",
        policy.word(),
        policy.says(),
        mode.word(),
        Fault::words(faults)
    ));
}

/// The tools and the id, for `--print-setup`.
pub fn setup(out: &mut Out<'_>) {
    out.line(&format!("tools: {READ}(order_id), {WRITE}(order_id, amount)"));
    out.line(&format!("operation: {OPERATION}, passed by the dispatcher, in the schema of no tool"));
    out.line("nothing was run");
}

/// The last line of every output: how many runs it was, and what that does not show.
pub fn limit(runs: usize, faults: usize, result: ResultWord) -> String {
    let runs = if runs == 1 { "1 run".to_owned() } else { format!("{runs} runs") };
    let faults = match faults {
        0 => "no fault".to_owned(),
        1 => "one fault".to_owned(),
        2 => "two faults".to_owned(),
        n => format!("{n} faults"),
    };
    let shows = match result {
        ResultWord::ViolationFound => "this shows one failure, not a rate",
        _ => "this shows what was seen, not that it is always so",
    };
    format!("{runs}, one policy, {faults}: {shows}.")
}

/// `1 refund`.
pub fn refunds(count: u32) -> String {
    if count == 1 { "1 refund".to_owned() } else { format!("{count} refunds") }
}
