#![allow(
    missing_docs,
    clippy::all,
    clippy::pedantic,
    clippy::unwrap_used,
    clippy::print_stdout
)]
// t=FILE l=ID:FILE[,opt=val..] e=FILE i=FILE now=T final
use recount::judge::findings;
use recount::load::*;
use recount::model::time::*;
use recount::sources::spec::*;
fn main() {
    let mut spec = CaseSpec::default();
    for a in std::env::args().skip(1) {
        if a == "final" {
            spec.ledger_final = true;
            continue;
        }
        let (w, p) = a.split_once('=').unwrap();
        if w == "now" {
            spec.now = Some(p.to_string());
            continue;
        }
        if w == "join" {
            spec.join = p.split('+').map(|s| s.to_string()).collect();
            continue;
        }
        let what = match w {
            "t" => What::Trace,
            "l" => What::Ledger,
            "i" => What::Intents,
            _ => What::Expectations,
        };
        let mut parts = p.split(',');
        let path = parts.next().unwrap();
        let mut id = std::path::Path::new(path)
            .file_stem()
            .unwrap()
            .to_string_lossy()
            .to_string();
        let mut o = recount::sources::spec::Options::default();
        for x in parts {
            let (k, v) = x.split_once('=').unwrap();
            match k {
                "id" => id = v.into(),
                "exported" => o.exported_at = Some(v.into()),
                "from" => o.covers_from = Some(v.into()),
                "copy" => o.copy_of = Some(v.into()),
                "moves" => o.moves_money = Some(true),
                "role" => o.role = Some(v.into()),
                "cur" => o.currency = Some(v.into()),
                "zone" => o.zone = Some(v.into()),
                "col" => {
                    let (f, c) = v.split_once(':').unwrap();
                    o.columns.push((
                        f.into(),
                        Column::From {
                            column: c.into(),
                            prefix: None,
                            zone: None,
                            resolution_ms: None,
                        },
                    ))
                }
                _ => panic!("{k}"),
            }
        }
        spec.sources.push(SourceSpec {
            id,
            what,
            location: Location::File(path.into()),
            shown: path.into(),
            format: None,
            options: o,
        });
    }
    let c = match load(spec, &recount::load::Options::default()) {
        Ok(c) => c,
        Err(e) => {
            println!("ERR {e}");
            return;
        }
    };
    let s = c.summary(&Ask::default());
    let t = |x: &recount::model::money::Totals| {
        x.iter()
            .map(|(u, t)| c.tables.units.show_total(u, t))
            .collect::<Vec<_>>()
            .join(", ")
    };
    println!(
        "{:?} intents {} attempts {} effects {} rows {} v{} u{} o{} c{} {:?}\n labels {:?}\n too much [{}] probably [{}] may [{}] owed [{}] risk [{}] undec [{}] orphans {} outside {:?} orders {} parties {} first {} last {} oldest {} div {} overdue {} lost {} skip {}/{} unread {}/{} notcompared {:?} common {:?}",
        s.result,
        s.intents,
        s.attempts,
        s.effects,
        s.rows,
        s.violations,
        s.undecided,
        s.open,
        s.clean,
        s.by_verdict,
        s.by_label.iter().map(|x| (x.0, x.1, t(&x.2))).collect::<Vec<_>>(),
        t(&s.out_too_much),
        t(&s.probably_too_much),
        t(&s.may_still_go_out),
        t(&s.owed),
        t(&s.at_risk),
        t(&s.undecided_at_risk),
        s.orphans,
        s.outside,
        s.orders,
        s.parties,
        rfc3339_millis(s.first),
        rfc3339_millis(s.last),
        rfc3339_millis(s.oldest_unknown),
        s.divergent,
        s.overdue,
        s.answers_lost,
        s.skipped_trace,
        s.skipped_ledger,
        s.unreadable_trace,
        s.unreadable_ledger,
        s.not_compared,
        s.common
    );
    for op in c.ordered().into_iter().take(60) {
        let v = c.view(op).unwrap();
        let j = &v.judgement;
        println!(
            "S{} {:<30} {:<14} {:<24} {:?} {:?}{} {}/{} [{},{}] exp {} obs {} diff {} risk {} cov {} from {} {:?} {:?} party {} g{:?}",
            j.severity,
            v.intent_id,
            v.business_id,
            j.verdict(),
            j.class,
            j.state,
            if j.state_recorded { "" } else { "*" },
            j.gross,
            j.net,
            j.lo,
            j.hi_uncapped,
            j.expected.map(|m| c.tables.units.show(m)).unwrap_or("-".into()),
            t(&v.totals),
            t(&v.difference),
            v.at_risk
                .iter()
                .map(|m| c.tables.units.show(*m))
                .collect::<Vec<_>>()
                .join("+"),
            j.covered,
            rfc3339_millis(j.covered_from),
            v.uncovered,
            findings::codes(j.found).collect::<Vec<_>>(),
            v.party,
            j.group
        );
        if j.severity < 5 {
            for e in &v.effects {
                println!(
                    "      {} {:?} {:?} {} {:?}",
                    e.name,
                    e.link,
                    e.tied,
                    e.committed.at.0,
                    e.amount.map(|m| c.tables.units.show(m))
                );
            }
            for e in &v.open_rows {
                println!("      open {} ", e.name);
            }
        }
    }
    for p in c.problems().iter().take(20) {
        println!("PROBLEM {} {} {} {}", p.code, p.at, p.what, p.affects_result);
    }
    for s in c.sources() {
        println!(
            "SOURCE {} {} {:?} {:?} {} {:?} {}",
            s.id, s.format, s.rows, s.notes, s.position, s.error, s.mapping
        );
    }
}
