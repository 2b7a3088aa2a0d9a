//! From a key to its frame with a large case loaded: what the machine does, what it asks of others, and the drawing at
//! 120 x 36. What a worker does meanwhile is measured apart: the screen does not wait for it.

use std::sync::{Arc, OnceLock};

use divan::{Bencher, black_box};

use recount::app::case::CaseView;
use recount::app::keys::Key;
use recount::app::layout::Size;
use recount::app::model::{Model, Setup};
use recount::app::msg::{Cmd, Msg};
use recount::app::update::update;
use recount::judge::hazards::asked::Asked;
use recount::judge::view::{GroupBy, SortBy, Whose};
use recount::load::Ask;
use recount::query::Query;
use recount::runtime::document::Paper;
use recount::runtime::loaded::Loaded;
use recount::ui::draw;

use super::{case, intents};

/// The case, loaded once for all keys.
fn loaded() -> Arc<dyn CaseView> {
    static CASE: OnceLock<Arc<dyn CaseView>> = OnceLock::new();
    Arc::clone(CASE.get_or_init(|| {
        let ask = Ask { clock_fixed: true, ..Ask::default() };
        Arc::new(Loaded::new(case(intents()), &ask, Asked::default(), Paper::default()))
    }))
}

fn feed(model: &mut Model, msg: Msg) {
    for cmd in update(model, msg) {
        if let Some(msg) = model.case().cloned().and_then(|case| cmd.answer(&*case)) {
            feed(model, msg);
        }
    }
}

/// The screen after some keys, everything answered.
fn at(keys: &str) -> Model {
    let mut model = Model::new(Setup::default(), Size { width: 120, height: 36 });
    feed(&mut model, Msg::Loaded { generation: 0, case: loaded() });
    press(&mut model, keys);
    model
}

fn press(model: &mut Model, keys: &str) {
    for key in keys.split_whitespace() {
        feed(model, Msg::Key(Key::parse(key).unwrap()));
        draw(model);
    }
}

/// All rows, the fine ones too: the largest list there is.
const ALL: &str = "/ f i n e enter";

/// (Keys before, the key that is measured).
const KEYS: [(&str, &str); 24] = [
    ("", "j"),
    ("", "pgdn"),
    ("", "G"),
    ("", "]"),
    ("", "n"),
    ("", "d"),
    ("", "u"),
    ("", "s"),
    ("s", "S"),
    ("", "z"),
    ("", "T"),
    ("", "enter"),
    ("", "t"),
    ("", "p"),
    ("", ":"),
    ("", "?"),
    ("", "5"),
    ("/ r e f u n", "d"),
    (ALL, "j"),
    (ALL, "G"),
    (ALL, "]"),
    (ALL, "d"),
    (ALL, "s"),
    (ALL, "esc"),
];

/// A key: the machine and the frame, without what a worker does for it.
#[divan::bench(args = KEYS, sample_count = 5, sample_size = 1)]
fn key(bencher: Bencher<'_, '_>, (before, key): (&str, &str)) {
    let key = Key::parse(key).unwrap();
    bencher.with_inputs(|| at(before)).bench_local_values(|mut model| {
        let cmds = update(&mut model, Msg::Key(key));
        let frame = draw(&model);
        (model, cmds, frame)
    });
}

/// What a worker is asked for, by name.
fn asked(what: &str) -> Cmd {
    let (generation, search, request) = (0, 1, 1);
    match what {
        "find" => Cmd::Search { generation, search, query: Query::parse("request_00012f") },
        "find one letter" => Cmd::Search { generation, search, query: Query::parse("7") },
        "sort by risk" => Cmd::Sort { generation, by: SortBy::Risk },
        "sort by operation" => Cmd::Sort { generation, by: SortBy::Operation },
        "sort by first call" => Cmd::Sort { generation, by: SortBy::Sent },
        "group" => {
            let rows = (0..u32::try_from(loaded().rows()).unwrap()).collect();
            Cmd::Group { request, by: GroupBy::Words, rows: Arc::new(rows) }
        }
        _ => Cmd::Everything { request, whose: Whose::Order("order:100001".to_owned()) },
    }
}

/// What a worker does for a key, over all rows.
#[divan::bench(
    args = ["find", "find one letter", "sort by risk", "sort by operation", "sort by first call", "group", "order"],
    sample_count = 5, sample_size = 1
)]
fn worker(bencher: Bencher<'_, '_>, what: &str) {
    let case = loaded();
    bencher.with_inputs(|| asked(what)).bench_local_values(|cmd| cmd.answer(&*case));
}

/// The frame that takes a worker's answer: the list is put together anew.
#[divan::bench(args = ["find", "find one letter", "sort by risk", "sort by operation", "group"], sample_count = 5, sample_size = 1)]
fn answer(bencher: Bencher<'_, '_>, what: &str) {
    let keys = match what {
        "find" => "/ r e q u e s t _ 0 0 0 1 2 f",
        "find one letter" => "/ 7",
        "sort by risk" => "s s s",
        "sort by operation" => "/ f i n e enter s s",
        _ => ": g r o u p - w o r d s enter",
    };
    let case = loaded();
    let inputs = || {
        let mut keys: Vec<&str> = keys.split_whitespace().collect();
        let last = keys.pop().unwrap_or_default();
        let mut model = at(&keys.join(" "));
        let cmds = update(&mut model, Msg::Key(Key::parse(last).unwrap()));
        let msgs: Vec<Msg> = cmds.into_iter().filter_map(|cmd| cmd.answer(&*case)).collect();
        (model, msgs)
    };
    bencher.with_inputs(inputs).bench_local_values(|(mut model, msgs)| {
        for msg in msgs {
            update(&mut model, msg);
        }
        draw(black_box(&model))
    });
}
