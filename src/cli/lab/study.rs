//! `recount lab study`: policies by fault positions, counted.

use crate::cli::call::Call;
use crate::cli::failure::Failure;
use crate::lab::setup::{AGENT, Mode, Policy};
use crate::lab::study::{Cell, POSITIONS, Study, Table, study};
use crate::report::out::Out;
use crate::report::pen::Pen;
use crate::text::pad_right;

use super::folder::Folder;
use super::print::{setup, task};
use super::{choice, failure, guarded, one_choice, program, trials};

/// Cells of a policy and of a number.
const NAME: usize = 14;
const NUMBER: usize = 8;

/// `lab study`.
pub fn run(call: &Call) -> Result<u8, Failure> {
    guarded(call, || {
        one_choice(call)?;
        let mode = call.text("server").map_or(Mode::Unsafe, Mode::of);
        let trials = trials(call, 5)?;
        let head = |out: &mut Out<'_>| {
            task(out);
            let cell = if trials == 1 { "1 run".to_owned() } else { format!("{trials} runs") };
            out.line(&format!("agent: {AGENT}   server: {}   {cell} a cell", mode.word()));
        };
        if call.flag("print-setup") {
            call.to_stdout(call.flag("ascii"), |out| {
                head(out);
                setup(out);
            })?;
            return Ok(0);
        }
        let folder = Folder::of(call)?;
        let plan = Study {
            trials,
            mode,
            choice: choice(call, 0),
            seed: call.number("seed").map(|seed| seed as u64),
            stop_at_first: call.flag("stop-at-first"),
            program: program()?,
            folder: folder.path.clone(),
        };
        let table = study(&plan).map_err(|why| failure(&why))?;
        let exit = u8::from(table.stopped);
        write(&folder, &plan, &table, exit)?;
        call.to_stdout(call.flag("ascii"), |out| {
            head(out);
            out.line("");
            let wide = NUMBER * 3;
            let heads = POSITIONS.map(|(_, words)| pad_right(words, wide));
            out.line(format!("{}  {}", pad_right("", NAME), heads.join("   ")).trim_end());
            let numbers = ["once", "twice", "zero"].map(|word| pad_right(word, NUMBER)).concat();
            out.line(format!("{}  {numbers}   {numbers}", pad_right("policy", NAME)).trim_end());
            for (policy, cells) in &table.rows {
                let cells: Vec<String> = cells.iter().map(row).collect();
                out.line(format!("{}  {}", pad_right(policy.word(), NAME), cells.join("   ")).trim_end());
            }
            out.line("");
            out.line(&neutral(&plan));
            if table.stopped {
                let all = plan.trials * POSITIONS.len() * table.rows.len();
                out.line(&format!("stopped at the first violation, run {} of {all}", table.runs));
            }
            out.line(&limit(table.runs));
        })?;
        folder.say(call);
        Ok(exit)
    })
}

fn row(cell: &Cell) -> String {
    [cell.once, cell.twice, cell.zero].map(|n| pad_right(n.to_string(), NUMBER)).concat()
}

fn neutral(plan: &Study) -> String {
    match plan.seed {
        Some(seed) => format!("neutral: no rule; the script drew its choice for each run, seed {seed}"),
        None => format!("neutral: {}", Policy::Neutral(plan.choice).says()),
    }
}

fn limit(runs: usize) -> String {
    let runs = if runs == 1 { "1 run".to_owned() } else { format!("{runs} runs") };
    format!("{runs} of scripts: this shows which rule can go wrong where, not how often a model would.")
}

fn write(folder: &Folder, plan: &Study, table: &Table, exit: u8) -> Result<(), Failure> {
    let mut pen = Pen::new();
    pen.object(|pen| {
        pen.name("schema").text("recount.lab.study.v1");
        pen.name("agent").text("scripted");
        pen.name("model").null();
        pen.name("server").text(plan.mode.word());
        pen.name("trials").number(plan.trials);
        pen.name("neutral_choice").text_or_null(if plan.seed.is_some() { "" } else { plan.choice.word() });
        pen.name("seed");
        match plan.seed {
            Some(seed) => pen.number(seed),
            None => pen.null(),
        }
        pen.name("cells").array(|pen| {
            for (policy, cells) in &table.rows {
                for ((fault, _), cell) in POSITIONS.iter().zip(cells) {
                    pen.object(|pen| {
                        pen.name("retry_policy").text(policy.word());
                        pen.name("fault").text(fault.word());
                        pen.name("once").number(cell.once);
                        pen.name("twice").number(cell.twice);
                        pen.name("zero").number(cell.zero);
                    });
                }
            }
        });
        pen.name("runs").number(table.runs);
        pen.name("exit").number(exit);
        pen.name("limit").text(&limit(table.runs));
    });
    pen.end_line();
    let path = folder.path.join(crate::lab::setup::SUMMARY_FILE);
    std::fs::write(&path, pen.take())
        .map_err(|why| failure(&crate::lab::LabError::file("write", &path, &why)))
}
