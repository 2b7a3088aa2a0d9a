//! Small cases: sources in memory, written line by line, and what is said of them in one line.

use std::fmt::Write as _;
use std::sync::Arc;

use recount::judge::findings;
use recount::judge::judgement::ExpectedFrom;
use recount::judge::view::{IntentView, SourceView, Summary};
use recount::load::{Ask, Case, Options as Load, load};
use recount::model::money::{Money, Total, Totals};
use recount::sources::json::Parser;
use recount::sources::spec::{CaseSpec, Location, Options, SourceSpec, ToolSpec, What};
use serde_json::{Map, Value};

/// The day of all cases; a time without a date is on it.
const DAY: &str = "2026-11-30T";

/// A case that is being put together. Its clock stands at 18:00:00.
pub struct Small {
    /// What will be loaded.
    pub spec: CaseSpec,
    /// With how many threads.
    pub threads: usize,
    /// By which parser.
    pub parser: Parser,
}

/// An empty case.
pub fn small() -> Small {
    let spec = CaseSpec { now: Some(full("18:00:00")), ..CaseSpec::default() };
    Small { spec, threads: 2, parser: Parser::default() }
}

/// A trace and a ledger of JSON lines.
pub fn pair(trace: &[Line], ledger: &[Line]) -> Small {
    small().trace("trace", trace).ledger("ledger", ledger)
}

impl Small {
    /// Adds a source from bytes.
    pub fn source(
        mut self,
        id: &str,
        what: What,
        bytes: impl Into<Vec<u8>>,
        set: impl FnOnce(&mut Options),
    ) -> Self {
        let mut options = Options::default();
        set(&mut options);
        self.spec.sources.push(SourceSpec {
            id: id.to_owned(),
            what,
            location: Location::Memory(Arc::from(bytes.into())),
            shown: format!("{id}.jsonl"),
            format: None,
            options,
        });
        self
    }

    /// Adds a file.
    pub fn file(
        mut self,
        id: &str,
        what: What,
        path: &std::path::Path,
        set: impl FnOnce(&mut Options),
    ) -> Self {
        let mut options = Options::default();
        set(&mut options);
        self.spec.sources.push(SourceSpec {
            id: id.to_owned(),
            what,
            location: Location::File(path.to_owned()),
            shown: path.display().to_string(),
            format: None,
            options,
        });
        self
    }

    /// Adds a trace.
    pub fn trace(self, id: &str, lines: &[Line]) -> Self {
        self.source(id, What::Trace, text(lines), |_| ())
    }

    /// Adds a ledger.
    pub fn ledger(self, id: &str, lines: &[Line]) -> Self {
        self.source(id, What::Ledger, text(lines), |_| ())
    }

    /// Adds a ledger with options.
    pub fn ledger_with(self, id: &str, lines: &[Line], set: impl FnOnce(&mut Options)) -> Self {
        self.source(id, What::Ledger, text(lines), set)
    }

    /// Adds expectations.
    pub fn expect(self, lines: &[Line]) -> Self {
        self.source("tickets", What::Expectations, text(lines), |_| ())
    }

    /// Changes the options of a source.
    pub fn options(mut self, id: &str, set: impl Fn(&mut Options)) -> Self {
        self.spec.sources.iter_mut().filter(|s| s.id == id).for_each(|s| set(&mut s.options));
        self
    }

    /// Declares a tool.
    pub fn tool(mut self, name: &str, set: impl FnOnce(&mut ToolSpec)) -> Self {
        let mut tool = ToolSpec { name: name.to_owned(), ..ToolSpec::default() };
        set(&mut tool);
        self.spec.tools.push(tool);
        self
    }

    /// Fixes the clock.
    pub fn now(mut self, time: &str) -> Self {
        self.spec.now = Some(full(time));
        self
    }

    /// The words with which loading it is refused.
    pub fn refused(self) -> String {
        let options = Load { threads: self.threads, parser: self.parser, ..Load::default() };
        match load(self.spec, &options) {
            Ok(_) => panic!("it was loaded"),
            Err(error) => error.to_string(),
        }
    }

    /// Changes the case.
    pub fn with(mut self, set: impl FnOnce(&mut CaseSpec)) -> Self {
        set(&mut self.spec);
        self
    }

    /// Loads it.
    pub fn load(self) -> Case {
        let options = Load { threads: self.threads, parser: self.parser, ..Load::default() };
        load(self.spec, &options).unwrap_or_else(|error| panic!("{error}"))
    }
}

/// A JSON line.
#[derive(Clone)]
pub struct Line(Map<String, Value>);

/// A call of `refund_order`, answered `success` one second after it was sent.
pub fn call(operation: &str) -> Line {
    Line(Map::new())
        .set("operation_id", operation)
        .set("tool", "refund_order")
        .sent("09:00:00", "09:00:01")
        .told("success")
}

/// A ledger row at 09:00:01 with its operation id.
pub fn row(id: &str, operation: &str) -> Line {
    Line(Map::new()).set("effect_id", id).set("operation_id", operation).at("09:00:01")
}

/// A row of somebody else at 17:00:00, so that the listing goes on.
pub fn later() -> Line {
    row("re_later", "refund:other:later").order("other-later").usd("1.00").at("17:00:00")
}

/// A row of somebody else at 06:00:00, so that the listing begins early.
pub fn earlier() -> Line {
    row("re_earlier", "refund:other:earlier").order("other-earlier").usd("1.00").at("06:00:00")
}

/// A line of expectations, or any other.
pub fn line(fields: Value) -> Line {
    match fields {
        Value::Object(map) => Line(map),
        _ => panic!("not an object"),
    }
}

impl Line {
    /// Sets a field.
    pub fn set(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.0.insert(name.to_owned(), value.into());
        self
    }

    /// Takes fields away.
    pub fn without(mut self, names: &[&str]) -> Self {
        for name in names {
            self.0.remove(*name);
        }
        self
    }

    /// The order.
    pub fn order(self, id: &str) -> Self {
        self.set("order_id", id)
    }

    /// An amount in US dollars.
    pub fn usd(self, amount: &str) -> Self {
        self.set("amount", amount).set("currency", "USD")
    }

    /// When a call was sent and ended.
    pub fn sent(self, from: &str, to: &str) -> Self {
        self.set("sent_at", full(from)).set("ended_at", full(to))
    }

    /// When a row was committed.
    pub fn at(self, time: &str) -> Self {
        self.set("committed_at", full(time))
    }

    /// The outcome.
    pub fn told(self, word: &str) -> Self {
        self.set("outcome", word)
    }

    /// The receipt.
    pub fn receipt(self, id: &str) -> Self {
        self.set("receipt", id)
    }

    /// The line.
    pub fn text(&self) -> String {
        Value::Object(self.0.clone()).to_string()
    }
}

/// A time on the day of the cases.
pub fn full(time: &str) -> String {
    if time.len() <= 15 && time.contains(':') { format!("{DAY}{time}Z") } else { time.to_owned() }
}

/// Lines, each with its line end.
pub fn text(lines: &[Line]) -> String {
    lines.iter().fold(String::new(), |mut all, line| {
        let _ = writeln!(all, "{}", line.text());
        all
    })
}

/// A row of a native trace.
pub fn event(name: &str, fields: Value) -> Line {
    line(fields).set("event", name)
}

/// What is said of the intent that an id finds, in the columns of `2-judge.md` 2.11.
pub fn said(case: &Case, id: &str) -> String {
    said_of(case, &view(case, id))
}

/// The intent that an id finds.
pub fn view(case: &Case, id: &str) -> IntentView {
    let found = case.find(id);
    assert_eq!(found.len(), 1, "{id} finds {} intents", found.len());
    case.view(found[0]).unwrap()
}

/// The only intent.
pub fn only(case: &Case) -> IntentView {
    let all = case.ordered();
    assert_eq!(all.len(), 1, "{} intents", all.len());
    case.view(all[0]).unwrap()
}

/// `confirmed* [1,2] of 1 USD 200.00: 2/2 USD 400.00, R05 DUPLICATED violation S1, risk USD 200.00, FINDING(1)`.
pub fn said_of(case: &Case, view: &IntentView) -> String {
    let j = &view.judgement;
    let state = j.state.map_or("none", |s| s.word());
    let star = if j.state.is_some() && !j.state_recorded { "*" } else { "" };
    let count = if j.min == j.max { j.max.to_string() } else { format!("{}..{}", j.min, j.max) };
    let source = match j.expected_from {
        ExpectedFrom::File => "file ",
        _ => "",
    };
    let expected = j.expected.map_or(String::new(), |m| format!(" {}", money(case, m)));
    let mut findings: Vec<String> = findings::codes(j.found).map(str::to_owned).collect();
    for (code, detail) in &view.finding_detail {
        if let Some(f) = findings.iter_mut().find(|f| f == code) {
            *f = format!("{code}({detail})");
        }
    }
    let risk = match j.risk {
        None => "-".to_owned(),
        Some(m) if m.amount.is_zero() => "0".to_owned(),
        Some(_) => view.at_risk.iter().map(|m| money(case, *m)).collect::<Vec<_>>().join(" + "),
    };
    let mut out = format!(
        "{state}{star} [{},{}] of {source}{count}{expected}: {}/{}{}, {} {} {} S{}, risk {risk}",
        j.lo,
        j.hi_uncapped,
        j.gross,
        j.net,
        prefixed(&totals(case, &view.totals)),
        j.rule.number(),
        j.verdict(),
        j.class.word(),
        j.severity,
    );
    for f in findings {
        out.push_str(", ");
        out.push_str(&f);
    }
    out
}

fn prefixed(text: &str) -> String {
    if text.is_empty() { String::new() } else { format!(" {text}") }
}

/// An amount as shown.
pub fn money(case: &Case, money: Money) -> String {
    case.tables.units.show(money)
}

/// Totals as shown, by text of the unit.
pub fn totals(case: &Case, totals: &Totals) -> String {
    let mut all: Vec<(String, Total)> =
        totals.iter().map(|(u, t)| (case.tables.units.show_total(u, t), t)).collect();
    all.sort_by(|a, b| a.0.cmp(&b.0));
    all.into_iter().map(|(text, _)| text).collect::<Vec<_>>().join(" ")
}

/// The summary under the default property.
pub fn summary(case: &Case) -> Summary {
    case.summary(&Ask::default())
}

/// The result and its exit code.
pub fn result(case: &Case) -> String {
    let s = summary(case);
    format!("{} {}", s.result.words(), s.result.exit())
}

/// A source as shown.
pub fn source(case: &Case, id: &str) -> SourceView {
    case.sources().into_iter().find(|s| s.id == id).unwrap()
}

/// `read 5 = used 2 + outside 2 + unattributed 0 + set aside 1 + unreadable 0`.
pub fn rows(case: &Case, id: &str) -> String {
    let r = source(case, id).rows;
    let aside: u64 = r.set_aside.iter().map(|(_, n)| n).sum();
    format!(
        "read {} = used {} + outside {} + unattributed {} + set aside {aside} + unreadable {}",
        r.read, r.used, r.outside, r.unattributed, r.unreadable
    )
}

/// Problems as `CODE place what`.
pub fn problems(case: &Case) -> Vec<String> {
    case.problems()
        .into_iter()
        .map(|p| {
            format!(
                "{} {} {}{}",
                p.code,
                p.at,
                p.what,
                if p.affects_result { "" } else { " (does not count)" }
            )
        })
        .collect()
}
