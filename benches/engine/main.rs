//! What the engine costs, step by step: `cargo bench`. Figures are for comparing before and after on one machine;
//! `docs/performance.md` holds those against the rival query.

#![allow(clippy::unwrap_used, clippy::missing_docs_in_private_items, missing_docs)]

mod keys;
mod made;

use std::sync::Arc;

use divan::counter::{BytesCount, ItemsCount};
use divan::{Bencher, black_box};

use recount::app::keys::Key;
use recount::app::layout::Size;
use recount::app::model::{Model, Setup};
use recount::app::msg::Msg;
use recount::app::update::update;
use recount::judge::hazards::asked::Asked;
use recount::load::{Ask, Case, Options, Property, load};
use recount::runtime::document::Paper;
use recount::runtime::loaded::Loaded;
use recount::sources::json::{Parser, Reader, Slots, Want};
use recount::sources::spec::{CaseSpec, Location, Options as SourceOptions, SourceSpec, What};
use recount::ui::draw;

use made::Made;

/// Intents of a case, where `RECOUNT_BENCH_INTENTS` does not say another number.
const INTENTS: usize = 20_000;

/// Intents of the benches that are held against each other at the size of a large case: those of hazards and of the plot.
fn intents() -> usize {
    std::env::var("RECOUNT_BENCH_INTENTS").ok().and_then(|text| text.parse().ok()).unwrap_or(INTENTS)
}

fn main() {
    divan::main();
}

fn source(id: &str, what: What, bytes: &Arc<[u8]>) -> SourceSpec {
    SourceSpec {
        id: id.to_owned(),
        what,
        location: Location::Memory(Arc::clone(bytes)),
        shown: format!("{id}.jsonl"),
        format: None,
        options: SourceOptions::default(),
    }
}

fn spec(trace: &Arc<[u8]>, ledger: &Arc<[u8]>) -> CaseSpec {
    CaseSpec {
        sources: vec![source("trace", What::Trace, trace), source("ledger", What::Ledger, ledger)],
        now: Some("2026-11-30T23:00:00Z".to_owned()),
        ledger_final: true,
        ..CaseSpec::default()
    }
}

fn case(intents: usize) -> Case {
    let made = Made::new(intents);
    let spec = spec(&made.trace.into(), &made.ledger.into());
    load(spec, &Options::default()).unwrap()
}

/// Lines of a trace to slots, by each parser.
#[divan::bench(args = [Parser::Shapes, Parser::Scan, Parser::Serde])]
fn scan(bencher: Bencher<'_, '_>, parser: Parser) {
    let made = Made::new(INTENTS);
    let fields: &[&[&str]] = &[
        &["event"],
        &["operation_id"],
        &["key"],
        &["payload"],
        &["payload.amount"],
        &["sent_at"],
        &["ended_at"],
        &["outcome"],
    ];
    let want = Want::exact(fields).unwrap();
    bencher.counter(BytesCount::new(made.trace.len())).bench_local(|| {
        let mut reader = Reader::new(want.clone(), parser);
        let mut slots = Slots::new();
        for line in made.trace.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
            reader.read(line, &mut slots).unwrap();
            black_box(slots.text(1));
        }
    });
}

/// Reading, joining, grouping and judging: bytes in memory to a loaded case.
#[divan::bench(args = [1, 2])]
fn load_case(bencher: Bencher<'_, '_>, threads: usize) {
    let made = Made::new(intents());
    let (trace, ledger): (Arc<[u8]>, Arc<[u8]>) = (made.trace.into(), made.ledger.into());
    let options = Options { threads, ..Options::default() };
    bencher
        .counter(ItemsCount::new(intents()))
        .with_inputs(|| spec(&trace, &ledger))
        .bench_values(|spec| load(spec, &options).unwrap());
}

/// Every hazard rule over a loaded case: at most half of what `load_case` takes.
#[divan::bench]
fn hazards(bencher: Bencher<'_, '_>) {
    let case = case(intents());
    let asked = Asked::default();
    bencher.counter(ItemsCount::new(intents())).bench_local(|| case.hazards(black_box(&asked)));
}

/// The screen with the plot of the whole case, as it is drawn for a key.
#[divan::bench]
fn plot(bencher: Bencher<'_, '_>) {
    let ask = Ask { clock_fixed: true, ..Ask::default() };
    let loaded = Loaded::new(case(intents()), &ask, Asked::default(), Paper::default());
    let mut model = Model::new(Setup::default(), Size { width: 120, height: 36 });
    update(&mut model, Msg::Loaded { generation: 0, case: Arc::new(loaded) });
    for key in ["3", "esc"] {
        update(&mut model, Msg::Key(Key::parse(key).unwrap()));
    }
    bencher.bench_local(|| draw(black_box(&model)));
}

/// The counts of a check.
#[divan::bench]
fn summary(bencher: Bencher<'_, '_>) {
    let case = case(INTENTS);
    let ask = Ask {
        property: Property::Settled,
        allow_open: false,
        allow_remediated: false,
        only_intent: None,
        stop_at_first: false,
        clock_fixed: true,
    };
    bencher.bench_local(|| case.summary(black_box(&ask)));
}

/// The text filter of the list: a needle with one hit, one with many, one with none.
#[divan::bench(args = ["request_00012f", "0", "nowhere"])]
fn find(bencher: Bencher<'_, '_>, needle: &str) {
    let case = case(INTENTS);
    bencher.counter(ItemsCount::new(INTENTS)).bench_local(|| {
        let mut hits = 0;
        case.search(black_box(needle), &mut |_| hits += 1);
        hits
    });
}

/// Rows, timelines and findings of one intent, read again from the runs.
#[divan::bench]
fn view(bencher: Bencher<'_, '_>) {
    let case = case(INTENTS);
    let ops = case.ordered();
    let mut turn = ops.iter().cycle();
    bencher.bench_local(|| turn.next().and_then(|op| case.view(*op)));
}
