//! `JUnit` XML (`7-commands.md` 7.5.7): one test case per intent of `--only`, so that what shows tests shows a check. A
//! violation is a failure, undecided an error, open is skipped; the message is the story.

use crate::judge::judgement::Class;
use crate::judge::story::{Place, phrase};
use crate::text::{SafeText, html};

use super::Report;
use super::json::wanted_orphans;
use super::out::Out;

/// What the test cases came to.
#[derive(Default)]
struct Counts {
    tests: u64,
    failures: u64,
    errors: u64,
    skipped: u64,
}

impl Counts {
    fn add(&mut self, class: Class) {
        self.tests += 1;
        match class {
            Class::Violation => self.failures += 1,
            Class::Undecided => self.errors += 1,
            Class::Open => self.skipped += 1,
            Class::Clean => {}
        }
    }
}

/// `check --format junit`.
pub fn check(report: &Report<'_>, out: &mut Out<'_>) {
    // Their numbers stand before the cases.
    let mut counts = Counts::default();
    report.each_intent().for_each(|view| counts.add(view.judgement.class));
    // A row without an attempt is a violation where the trace is complete; a check that fails shows why.
    let rows: Vec<_> = wanted_orphans(report).filter(|row| row.violation).collect();
    for _ in &rows {
        counts.add(Class::Violation);
    }
    let numbers = format!(
        "tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\"",
        counts.tests, counts.failures, counts.errors, counts.skipped
    );
    out.line("<?xml version=\"1.0\" encoding=\"UTF-8\"?>");
    out.line(&format!("<testsuites name=\"recount\" {numbers}>"));
    out.line(&format!("<testsuite name=\"{}\" {numbers}>", text(report.summary.result.words())));
    for view in report.each_intent() {
        if out.stopped() {
            return;
        }
        let id = if view.business_id.is_empty() { &view.operation_id } else { &view.business_id };
        let name = format!("{} {}", self::id(report, id), self::id(report, &view.intent_id));
        let j = &view.judgement;
        let story = || {
            let story = report.teller.tell(&view, Place::List).text();
            text(&report.mask.text(&phrase::plain(&story)))
        };
        case(&text(&report.mask.text(&view.kind)), &name, j.class, j.verdict(), story, out);
    }
    for row in rows {
        let name = id(report, &row.effect_id);
        let story = || "This row has no attempt, and the trace is declared complete.".to_owned();
        case("row without an attempt", &name, Class::Violation, "UNATTRIBUTED", story, out);
    }
    out.line("</testsuite>");
    out.line("</testsuites>");
}

/// One test case; all texts are escaped.
fn case(group: &str, name: &str, class: Class, verdict: &str, story: impl Fn() -> String, out: &mut Out<'_>) {
    let head = format!("<testcase classname=\"{group}\" name=\"{}\"", name.trim());
    let element = match class {
        Class::Clean => {
            out.line(&format!("{head}/>"));
            return;
        }
        Class::Violation => "failure",
        Class::Undecided => "error",
        Class::Open => "skipped",
    };
    let of_type = if class == Class::Open { String::new() } else { format!(" type=\"{verdict}\"") };
    out.line(&format!("{head}><{element}{of_type} message=\"{}\"/></testcase>", story()));
}

fn text(text: &str) -> String {
    html(&SafeText::new(text))
}

fn id(report: &Report<'_>, id: &str) -> String {
    html(&SafeText::id(&report.mask.id(id)))
}
