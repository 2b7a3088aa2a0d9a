use super::{layers, message, opened, press};
use crate::app::model::{Context, Layer, Screen};
use crate::app::sources::{FEW_PROBLEMS, Part, problem, selected};
use crate::app::testcase::Fake;

const FEW: u64 = FEW_PROBLEMS as u64;

#[test]
fn it_opens_on_the_first_ledger_and_on_the_problems_where_there_are_many() {
    let mut few = opened(Fake::with_problems(FEW));
    press(&mut few, "5");
    assert_eq!((few.screen, few.context()), (Screen::Sources, Context::Sources));
    assert_eq!((few.sources.part, selected(&few).unwrap().id.as_str()), (Part::Sources, "payments"));
    let mut many = opened(Fake::with_problems(FEW + 1));
    press(&mut many, "5");
    assert_eq!((many.sources.part, problem(&many).unwrap().line), (Part::Problems, Some(1)));
}

#[test]
fn each_part_keeps_its_selection_and_stops_at_both_ends() {
    let mut model = opened(Fake::with_problems(3));
    press(&mut model, "5");
    let mut at = |keys: &str| {
        press(&mut model, keys);
        (model.sources.source, model.sources.problem)
    };
    assert_eq!([at("k"), at("k"), at("G"), at("j")], [(0, 0), (0, 0), (3, 0), (3, 0)]);
    assert_eq!([at("tab"), at("j"), at("G"), at("tab"), at("g")], [(3, 0), (3, 1), (3, 2), (3, 2), (0, 2)]);
}

#[test]
fn enter_shows_how_a_source_was_read_and_a_record_whole() {
    let mut model = opened(Fake::with_problems(3));
    press(&mut model, "5 enter");
    assert_eq!(layers(&model), ["raw"]);
    let parts = |layer: &Layer| match layer {
        Layer::Raw(raw) => raw.record.clone().unwrap().unwrap().parts,
        _ => Vec::new(),
    };
    assert_eq!(
        parts(&model.layers[0]),
        [
            ("payments.db", "csv"),
            (
                "read",
                "2026-11-30T09:13:58Z; to rowid 48211; first 2026-11-27T17:20:00Z, last 2026-11-30T09:13:51Z"
            ),
            ("control", "49 read = 0 used + 0 outside + 0 without an attempt + 0 unreadable + 49 set aside"),
            ("proves", "absence of refund, at any time: it was declared final"),
            ("holds", "refund")
        ]
        .map(|(a, b)| (a.into(), b.into()))
    );
    press(&mut model, "esc tab v");
    assert_eq!(
        parts(&model.layers[0]),
        [("amount \"1OO.00\" is not a decimal".into(), "rf_1,1OO.00,USD\u{1b}[2J".into())]
    );
    press(&mut model, "esc G v");
    assert_eq!((layers(&model), message(&model)), (vec![], "v: nothing of this record was kept"));
}

#[test]
fn without_problems_there_is_nothing_to_turn_to() {
    let mut model = opened(Fake::refunds());
    press(&mut model, "5 tab");
    assert_eq!((model.sources.part, message(&model)), (Part::Sources, "tab: every record could be used"));
    press(&mut model, "esc");
    assert_eq!(model.context(), Context::List);
}
