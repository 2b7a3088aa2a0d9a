use super::{layers, message, opened, press, rows, selected, setup, size};
use crate::app::model::{Context, Model, Phase, Setup};
use crate::app::msg::{Cmd, Msg};
use crate::app::progress::{Failure, Loading, Reading};
use crate::app::testcase::Fake;
use crate::app::update::{start, update};

fn reading(bytes: u64) -> Loading {
    let source =
        Reading { what: "ledger".into(), name: "a.csv".into(), bytes, of: 200, records: String::new() };
    Loading { sources: vec![source], ..Loading::default() }
}

#[test]
fn the_first_command_reads_what_was_given() {
    let model = Model::new(setup(), size(80, 24));
    assert_eq!(start(&model), [Cmd::Load { generation: 0, demo: false }]);
    let empty = Model::new(Setup { has_sources: false, ..setup() }, size(80, 24));
    assert_eq!((start(&empty), empty.context()), (vec![], Context::FirstRun));
}

#[test]
fn the_demo_is_opened_where_there_is_nothing() {
    let mut model = Model::new(Setup { has_sources: false, ..setup() }, size(80, 24));
    assert_eq!(press(&mut model, "enter"), [Cmd::Load { generation: 1, demo: true }]);
    assert_eq!(model.context(), Context::Loading);
    let mut without = Model::new(Setup { has_sources: false, demo: false, ..setup() }, size(80, 24));
    press(&mut without, "enter");
    assert_eq!(message(&without), "enter: this build carries no demo");
}

#[test]
fn esc_stops_the_first_reading_and_keeps_what_is_there() {
    let mut model = Model::new(setup(), size(80, 24));
    update(&mut model, Msg::Progressed { generation: 0, loading: reading(50) });
    assert_eq!(press(&mut model, "esc"), [Cmd::StopLoad]);
    update(&mut model, Msg::Progressed { generation: 0, loading: reading(60) });
    let Phase::Loading(loading) = &model.phase else { panic!("loading") };
    assert!(loading.stopping, "a later report does not take it back");
    assert_eq!(loading.percent(), Some(30));
    update(&mut model, Msg::Loaded { generation: 0, case: Fake::refunds().shared() });
    assert_eq!(model.context(), Context::List);
}

#[test]
fn reading_again_keeps_the_old_case_in_view_and_the_selection_on_its_row() {
    let mut model = opened(Fake::refunds());
    press(&mut model, "j j");
    assert_eq!(press(&mut model, "R"), [Cmd::Load { generation: 1, demo: false }]);
    assert_eq!((model.context(), selected(&model)), (Context::List, "order 5002".to_owned()));
    press(&mut model, "R");
    assert_eq!(message(&model), "R: the sources are being read already");
    update(&mut model, Msg::Loaded { generation: 0, case: Fake::clean().shared() });
    assert_eq!(rows(&model), 11, "a reading that nobody waits for changes nothing");
    update(&mut model, Msg::Loaded { generation: 1, case: Fake::refunds().shared() });
    assert_eq!((selected(&model), message(&model)), ("order 5002".to_owned(), "read again: 51 rows"));
    assert!(model.again.is_none());
}

#[test]
fn evidence_is_gathered_anew_where_its_row_is_still_there() {
    let mut model = opened(Fake::refunds());
    press(&mut model, "enter v ? R");
    assert_eq!(message(&model), "R: read again is not for this place. ? shows the keys");
    press(&mut model, "esc esc R");
    update(&mut model, Msg::Loaded { generation: 1, case: Fake::refunds().shared() });
    assert_eq!(layers(&model), ["detail"]);
    press(&mut model, "v");
    assert_eq!(layers(&model), ["detail", "raw"]);
    press(&mut model, "esc R");
    update(&mut model, Msg::Loaded { generation: 2, case: Fake::no_ids().shared() });
    assert_eq!((layers(&model), rows(&model)), (vec![], 7), "its row is gone");
}

#[test]
fn a_filter_is_searched_anew_in_the_new_case() {
    let mut model = opened(Fake::refunds());
    press(&mut model, "/ a n s w e r enter R");
    let cmds = update(&mut model, Msg::Loaded { generation: 1, case: Fake::refunds().shared() });
    assert!(matches!(cmds.first(), Some(Cmd::Search { generation: 1, .. })));
}

#[test]
fn esc_stops_reading_again_too() {
    let mut model = opened(Fake::refunds());
    press(&mut model, "R");
    assert_eq!(press(&mut model, "esc"), [Cmd::StopLoad]);
    assert_eq!(layers(&model), Vec::<&str>::new());
}

#[test]
fn what_fails_the_first_time_is_shown_and_tried_again() {
    let mut model = Model::new(setup(), size(80, 24));
    let failure = || Box::new(Failure { what: "payments.db is locked.".into(), ..Failure::default() });
    update(&mut model, Msg::Failed { generation: 0, failure: failure() });
    assert_eq!(model.context(), Context::Failed);
    assert_eq!(press(&mut model, "R"), [Cmd::Load { generation: 1, demo: false }]);
    assert_eq!(model.context(), Context::Loading);
    update(&mut model, Msg::Loaded { generation: 1, case: Fake::refunds().shared() });
    press(&mut model, "R");
    update(&mut model, Msg::Failed { generation: 2, failure: failure() });
    assert_eq!(model.context(), Context::List, "the old case stays");
    assert_eq!(message(&model), "! not read again: payments.db is locked. What you see is from before");
    press(&mut model, "j");
    assert_eq!(message(&model), "", "an error stays until a key");
}

#[test]
fn what_changes_is_read_again_while_watching_and_not_under_a_box() {
    let mut model = opened(Fake::refunds());
    assert_eq!(update(&mut model, Msg::Changed), [], "nobody asked for it");
    press(&mut model, "w");
    assert_eq!(message(&model), "w: start with --watch SECONDS to have changes read by themselves");

    model.setup.watch = 5;
    press(&mut model, "w j");
    let place = selected(&model);
    assert_eq!(update(&mut model, Msg::Changed), [Cmd::Load { generation: 1, demo: false }]);
    assert_eq!(update(&mut model, Msg::Changed), [], "it is being read already");
    update(&mut model, Msg::Loaded { generation: 1, case: Fake::refunds().shared() });
    assert_eq!(selected(&model), place);

    press(&mut model, "?");
    let cmds = update(&mut model, Msg::Changed);
    assert!(cmds.iter().all(|cmd| matches!(cmd, Cmd::Timer { .. })), "{cmds:?}");
    assert_eq!(message(&model), "the sources changed on disk, R reads it again");
    press(&mut model, "esc w");
    assert!(message(&model).starts_with("no longer watching"));
    assert_eq!(update(&mut model, Msg::Changed), []);
}

#[test]
fn a_bell_only_where_it_was_asked_for_and_more_is_wrong() {
    let mut model = opened(Fake::clean());
    for (bell, rings) in [(false, false), (true, true)] {
        model.setup.bell = bell;
        let generation = model.generation;
        let cmds = update(&mut model, Msg::Loaded { generation, case: Fake::refunds().shared() });
        assert_eq!(cmds.contains(&Cmd::Bell), rings);
        let cmds = update(&mut model, Msg::Loaded { generation, case: Fake::clean().shared() });
        assert!(!cmds.contains(&Cmd::Bell));
    }
}

#[test]
fn the_wheel_moves_the_list_and_nothing_while_typing() {
    let mut model = opened(Fake::refunds());
    update(&mut model, Msg::Wheel(1));
    assert_eq!(model.list.selected, 1);
    press(&mut model, "/");
    update(&mut model, Msg::Wheel(1));
    assert_eq!(model.list.selected, 1);
}
