//! What is printed of the audit log: entries, whether the chain holds, the population (`7-commands.md` 7.5.3,
//! `3-lifecycle.md` 3.6, 3.16).

use crate::book::entry::{Entry, Head};
use crate::book::export::{says, who};
use crate::book::population::{COLUMNS, Population, Whole};
use crate::book::verify::{LIMITS, Verdict};
use crate::text::{SafeText, csv_text, is_printing, short_hash};

use super::csv::line as csv_line;
use super::mask::Mask;
use super::out::Out;
use super::pen::Pen;

/// What a list shows.
pub struct Listed<'a> {
    /// The case.
    pub case: &'a str,
    /// Entries that the filter lets through.
    pub entries: &'a [Entry],
    /// Entries that it hides.
    pub hidden: usize,
    /// The head.
    pub head: &'a Head,
}

/// `audit list` as text: entry, when, who, what, hash; the note and the evidence below.
pub fn list(listed: &Listed<'_>, out: &mut Out<'_>) {
    for entry in listed.entries {
        out.line(&format!(
            "{:>5}  {}  {:<12}  {}  {}",
            entry.seq,
            SafeText::new(entry.text_at("ts")).shown(),
            who(entry),
            says(entry),
            short_hash(&entry.hash)
        ));
        let note = entry.text_at("note");
        if !note.is_empty() {
            for line in SafeText::lines(note) {
                out.line(&format!("       {}", line.shown()));
            }
        }
        let batch = entry.text_at("batch");
        if !batch.is_empty() {
            out.line(&format!("       batch {}", SafeText::new(batch).shown()));
        }
        let evidence = entry.at("evidence").and_then(serde_json::Value::as_array);
        let items: Vec<&str> = evidence.into_iter().flatten().filter_map(serde_json::Value::as_str).collect();
        if !items.is_empty() {
            out.line(&format!("       evidence {}", SafeText::new(&items.join(", ")).shown()));
        }
    }
    let shown = listed.entries.len();
    let hidden = match listed.hidden {
        0 => String::new(),
        hidden => format!("; {hidden} hidden by the filter"),
    };
    out.line(&format!("{} shown{hidden}; head {}", counted(shown), listed.head));
}

fn counted(entries: usize) -> String {
    if entries == 1 { "1 entry".to_owned() } else { format!("{entries} entries") }
}

/// `audit list --format json`: `recount.audit.v1` around the entries, each byte by byte as it was hashed but for
/// characters that JSON may write as `\uXXXX`.
pub fn list_json(listed: &Listed<'_>, out: &mut Out<'_>) {
    let mut pen = Pen::new();
    pen.object(|pen| {
        pen.name("schema").text("recount.audit.v1");
        pen.name("case").text(listed.case);
        pen.name("head").object(|pen| {
            pen.name("seq").number(listed.head.seq);
            pen.name("hash").text(&listed.head.hash);
        });
        pen.name("hidden").number(listed.hidden);
        pen.name("entries").each(listed.entries, |pen, entry| {
            pen.object(|pen| {
                pen.name("entry").token(&printing(&entry.text));
                pen.name("hash").text(&entry.hash);
                if let Some(sig) = &entry.sig {
                    pen.name("sig").text(sig);
                }
            });
        });
    });
    out.line(&pen.take());
}

/// Canonical text with what does not print as `\uXXXX`: the same value, and nothing for a terminal to obey.
fn printing(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for letter in text.chars() {
        if letter == ' ' || is_printing(letter) {
            shown.push(letter);
        } else {
            for unit in letter.encode_utf16(&mut [0; 2]) {
                shown.push_str(&format!("\\u{unit:04x}"));
            }
        }
    }
    shown
}

/// `verify` as text.
pub fn verdict(verdict: &Verdict, out: &mut Out<'_>) {
    for line in verdict.lines() {
        out.line(&SafeText::new(&line).shown());
    }
}

/// `verify --format json`.
pub fn verdict_json(verdict: &Verdict, out: &mut Out<'_>) {
    let mut pen = Pen::new();
    pen.object(|pen| {
        pen.name("schema").text("recount.verify.v1");
        pen.name("holds").truth(verdict.holds());
        pen.name("entries").number(verdict.entries);
        pen.name("head").text(&verdict.head.to_string());
        pen.name("head_from_outside").truth(verdict.anchored);
        pen.name("failure");
        match &verdict.failure {
            None => pen.null(),
            Some(failure) => pen.object(|pen| {
                pen.name("seq").number(failure.seq);
                pen.name("check").text(failure.check);
                pen.name("why").text(&failure.why);
            }),
        }
        pen.name("warnings").texts(&verdict.warnings);
        pen.name("signatures").each(&verdict.signers, |pen, (principal, entries)| {
            pen.object(|pen| {
                pen.name("principal").text(principal);
                pen.name("entries").number(*entries as u64);
            });
        });
        pen.name("limits").text_or_null(if verdict.holds() && !verdict.anchored { LIMITS } else { "" });
    });
    out.line(&pen.take());
}

/// What shows that a population is whole, in lines.
pub fn whole_lines(whole: &Whole) -> Vec<String> {
    let actions: Vec<String> =
        whole.by_action.iter().map(|(action, count)| format!("{action} {count}")).collect();
    let totals: Vec<String> =
        whole.totals.iter().map(|(currency, minor)| format!("{currency} {minor} minor units")).collect();
    let none = |texts: &[String]| if texts.is_empty() { "none".to_owned() } else { texts.join(", ") };
    let seqs: Vec<String> = whole.first_approvers.iter().map(ToString::to_string).collect();
    let (glass, open) = whole.break_glass;
    let (left, sent) = whole.heads;
    let mut lines = vec![
        format!(
            "entries {} to {}: {} counted, {} numbered, {} in the whole chain",
            whole.first_seq,
            whole.last_seq,
            whole.entries,
            if whole.first_seq == 0 { 0 } else { whole.last_seq - whole.first_seq + 1 },
            whole.chain
        ),
        format!("by action: {}", none(&actions)),
        format!("decisions {}, rows {}", whole.decisions, whole.rows),
        format!("amounts of the decisions: {}", none(&totals)),
        format!(
            "break-glass {glass}, not reviewed {open}; approvals that relied on the requester's evidence {}",
            whole.ticks
        ),
        format!("three break-glass decisions or more in a month: {}", none(&whole.break_glass_often)),
        format!("first approvers, named by one person: {}", none(&seqs)),
        format!("heads that left {left} of {sent}"),
    ];
    if whole.solo > 0 {
        lines.push(format!("{} decisions by one person, no second pair of eyes", whole.solo));
    }
    lines
}

/// Columns that hold free text, which may hold people.
const FREE: [&str; 4] = ["reason", "note", "evidence", "item"];

fn cell(name: &str, value: &str, mask: &Mask) -> String {
    if FREE.contains(&name) { mask.text(value) } else { value.to_owned() }
}

/// `audit population --format csv`: lines that begin with `#` say that it is whole.
pub fn population_csv(population: &Population, mask: &Mask, out: &mut Out<'_>) {
    for line in whole_lines(&population.whole) {
        out.line(&format!("# {}", SafeText::new(&line).shown()));
    }
    out.text(&csv_line(COLUMNS.iter().map(|column| (*column).to_owned())));
    for row in &population.rows {
        let cells =
            COLUMNS.iter().zip(row).map(|(name, value)| csv_text(&SafeText::new(&cell(name, value, mask))));
        out.text(&csv_line(cells));
    }
}

/// `audit population --format json`: `recount.population.v1`.
pub fn population_json(population: &Population, mask: &Mask, out: &mut Out<'_>) {
    let whole = &population.whole;
    let mut pen = Pen::new();
    pen.object(|pen| {
        pen.name("schema").text("recount.population.v1");
        pen.name("first_seq").number(whole.first_seq);
        pen.name("last_seq").number(whole.last_seq);
        pen.name("entries").number(whole.entries);
        pen.name("chain").number(whole.chain);
        pen.name("by_action").object(|pen| {
            for (action, count) in &whole.by_action {
                pen.name(action).number(*count);
            }
        });
        pen.name("decisions").number(whole.decisions);
        pen.name("totals").each(&whole.totals, |pen, (currency, minor)| {
            pen.object(|pen| {
                pen.name("currency").text(currency);
                pen.name("minor").number(*minor);
            });
        });
        pen.name("break_glass").number(whole.break_glass.0);
        pen.name("break_glass_not_reviewed").number(whole.break_glass.1);
        pen.name("break_glass_often").texts(&whole.break_glass_often);
        pen.name("relied").number(whole.ticks);
        pen.name("solo").number(whole.solo);
        pen.name("first_approvers").each(&whole.first_approvers, |pen, seq| pen.number(*seq));
        pen.name("heads_left").number(whole.heads.0);
        pen.name("heads_sent").number(whole.heads.1);
        pen.name("rows").each(&population.rows, |pen, row| {
            pen.object(|pen| {
                for (name, value) in COLUMNS.iter().zip(row) {
                    pen.name(name).text_or_null(&cell(name, value, mask));
                }
            });
        });
    });
    out.line(&pen.take());
}
