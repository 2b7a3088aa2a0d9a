//! `summary.json`: what came out of one or several runs, for programs.

use std::path::Path;

use crate::cli::failure::Failure;
use crate::judge::view::ResultWord;
use crate::lab::LabError;
use crate::lab::setup::{CURRENCY, Choice, Fault, Mode, OPERATION, Policy, REFUND_MINOR, SUMMARY_FILE};
use crate::report::pen::Pen;

use super::failure;
use super::print::Judged;

/// One run of a summary.
pub struct Line {
    /// Its folder, from that of the summary on; `.` for the same.
    pub folder: String,
    /// The policy.
    pub policy: Policy,
    /// The server.
    pub mode: Mode,
    /// The faults.
    pub faults: Vec<Fault>,
    /// Effects that were observed, and their sum in minor units.
    pub observed: (u32, Option<i128>),
    /// The verdict.
    pub verdict: &'static str,
    /// The result.
    pub result: ResultWord,
}

impl Line {
    /// A run as it was judged.
    pub fn of(folder: &str, policy: Policy, mode: Mode, faults: &[Fault], judged: &Judged) -> Self {
        Self {
            folder: folder.to_owned(),
            policy,
            mode,
            faults: faults.to_vec(),
            observed: (judged.count(), judged.minor()),
            verdict: judged.view.judgement.verdict(),
            result: judged.result,
        }
    }
}

/// Writes the summary of runs.
///
/// # Errors
/// A file that cannot be written.
pub fn write(folder: &Path, command: &str, lines: &[Line], exit: u8, limit: &str) -> Result<(), Failure> {
    let mut pen = Pen::new();
    pen.object(|pen| {
        pen.name("schema").text("recount.lab.v1");
        pen.name("command").text(command);
        pen.name("agent").text("scripted");
        pen.name("model").null();
        pen.name("operation_id").text(OPERATION);
        pen.name("expected").object(|pen| {
            pen.name("count").number(1);
            pen.name("total").object(|pen| money(pen, i128::from(REFUND_MINOR)));
        });
        pen.name("runs").each(lines, |pen, line| {
            pen.object(|pen| {
                pen.name("folder").text(&line.folder);
                pen.name("retry_policy").text(line.policy.word());
                pen.name("neutral_choice").text_or_null(match line.policy {
                    Policy::Neutral(choice) => Choice::word(choice),
                    _ => "",
                });
                pen.name("server").text(line.mode.word());
                pen.name("fault").text(&Fault::words(&line.faults));
                pen.name("observed").object(|pen| {
                    pen.name("count").number(line.observed.0);
                    pen.name("total");
                    match line.observed.1 {
                        Some(minor) => pen.object(|pen| money(pen, minor)),
                        None => pen.null(),
                    }
                });
                pen.name("verdict").text(line.verdict);
                pen.name("result").text(line.result.words());
            });
        });
        pen.name("exit").number(exit);
        pen.name("limit").text(limit);
    });
    pen.end_line();
    let path = folder.join(SUMMARY_FILE);
    std::fs::write(&path, pen.take()).map_err(|why| failure(&LabError::file("write", &path, &why)))
}

fn money(pen: &mut Pen, minor: i128) {
    pen.name("currency").text(CURRENCY);
    pen.name("minor").number(minor);
}
