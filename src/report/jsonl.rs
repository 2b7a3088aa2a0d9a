//! JSON lines: one object a line, the summary last (`7-commands.md` 7.5.7).

use super::Report;
use super::json;
use super::out::Out;
use super::pen::Pen;

/// `check --format jsonl`: intents, rows without an attempt, problems, and last the summary.
pub fn check(report: &Report<'_>, exit: u8, out: &mut Out<'_>) {
    let mut pen = Pen::new();
    for view in report.each_intent() {
        if out.stopped() {
            return;
        }
        json::intent_line(report, &view, &mut pen);
        end(&mut pen, out);
    }
    for row in json::wanted_orphans(report) {
        json::orphan(report, row, &mut pen);
        end(&mut pen, out);
    }
    for problem in report.problems {
        json::problem(report, problem, &mut pen);
        end(&mut pen, out);
    }
    json::summary_line(report, exit, &mut pen);
    end(&mut pen, out);
}

/// `list --format jsonl`: one row of the list a line.
pub fn list(report: &Report<'_>, out: &mut Out<'_>) {
    let mut pen = Pen::new();
    for row in report.each_row() {
        if out.stopped() {
            return;
        }
        json::list_line(report, &row, &mut pen);
        end(&mut pen, out);
    }
}

fn end(pen: &mut Pen, out: &mut Out<'_>) {
    pen.end_line();
    out.text(&pen.take());
}
