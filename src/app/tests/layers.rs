use super::{layers, message, opened, opened_at, press, rows, selected, size};
use crate::app::model::{Context, Layer, Pane, Screen};
use crate::app::msg::{Cmd, Msg};
use crate::app::testcase::Fake;
use crate::app::update::update;

#[test]
fn esc_takes_off_exactly_one_layer_and_never_leaves() {
    let mut model = opened(Fake::refunds());
    press(&mut model, "enter v ?");
    assert_eq!(layers(&model), ["detail", "raw", "help"]);
    for left in [&["detail", "raw"][..], &["detail"], &[]] {
        assert_eq!(press(&mut model, "esc"), []);
        assert_eq!(layers(&model), left);
    }
    press(&mut model, "3");
    assert_eq!((model.screen, model.context()), (Screen::Timeline, Context::Course));
    press(&mut model, "esc");
    assert_eq!((model.screen, model.context()), (Screen::Timeline, Context::Empty));
    press(&mut model, "esc");
    assert_eq!((model.screen, model.context()), (Screen::Triage, Context::List));
    press(&mut model, "/ o r d e r enter d u");
    press(&mut model, "esc");
    assert!(model.filter.text.is_empty() && model.filter.divergent && model.filter.unknown);
    press(&mut model, "esc");
    assert!(!model.filter.is_on());
    assert_eq!(press(&mut model, "esc").len(), 1, "only the timer of the message");
    assert_eq!(layers(&model), Vec::<&str>::new());
}

#[test]
fn a_screen_by_its_number_closes_what_lies_above() {
    let mut model = opened(Fake::refunds());
    press(&mut model, "enter v 4");
    assert_eq!((layers(&model), model.screen), (vec![], Screen::Audit));
    press(&mut model, "1");
    assert_eq!(model.context(), Context::List);
}

#[test]
fn help_is_about_the_place_below_it() {
    let mut model = opened(Fake::refunds());
    press(&mut model, "enter ?");
    assert_eq!((model.context(), model.below()), (Context::Help, Context::Detail));
    press(&mut model, "?");
    assert_eq!(layers(&model), ["detail"], "what opened it closes it");
    press(&mut model, "? / d i v");
    assert_eq!(model.context(), Context::Find);
    let Some(Layer::Help(help)) = model.layers.last() else { panic!("help") };
    assert_eq!(help.find.as_deref(), Some("div"));
    press(&mut model, "esc");
    assert_eq!(layers(&model), ["detail", "help"], "esc takes the search off first");
    press(&mut model, "esc");
    assert_eq!(layers(&model), ["detail"]);
}

#[test]
fn attempts_and_rows_are_chosen_by_pane() {
    let mut model = opened(Fake::refunds());
    press(&mut model, "enter j");
    let state = |model: &crate::app::model::Model| {
        let detail = model.detail().unwrap();
        (detail.pane, detail.attempt, detail.effect)
    };
    assert_eq!(state(&model), (Pane::Tried, 1, 0));
    press(&mut model, "tab j j");
    assert_eq!(state(&model), (Pane::Ledger, 1, 1), "two rows, a copy is none of them");
    press(&mut model, "shift-tab k");
    assert_eq!(state(&model), (Pane::Tried, 0, 1));
    press(&mut model, "esc G enter tab");
    assert_eq!(message(&model), "tab: next pane is not for this place. ? shows the keys");
}

#[test]
fn rows_that_stand_for_many_open_their_members() {
    let mut model = opened(Fake::no_ids());
    press(&mut model, "j enter");
    assert_eq!((layers(&model), rows(&model)), (vec!["members"], 11));
    press(&mut model, "j enter");
    assert_eq!(layers(&model), ["members", "detail"]);
    press(&mut model, "esc esc");
    assert_eq!(selected(&model), "11 orders", "the list below keeps its selection");
    press(&mut model, "G enter");
    assert_eq!((layers(&model), rows(&model)), (vec!["members"], 10), "rows without an attempt");
    press(&mut model, "enter");
    assert_eq!(model.context(), Context::Apart);
}

#[test]
fn one_row_without_an_attempt_opens_at_once_where_it_shares_a_line() {
    let mut model = opened_at(Fake::refunds(), size(80, 24));
    assert_eq!(rows(&model), 11);
    press(&mut model, "G");
    assert_eq!(selected(&model), "order 7777");
    press(&mut model, "enter");
    assert_eq!(model.context(), Context::Apart);
    let mut several = opened_at(Fake::no_ids(), size(80, 24));
    assert_eq!(rows(&several), 7);
    press(&mut several, "G enter");
    assert_eq!(layers(&several), ["members"]);
}

#[test]
fn a_record_is_read_by_a_worker_and_an_old_answer_changes_nothing() {
    let mut model = opened(Fake::refunds());
    let cmds = press(&mut model, "enter enter");
    assert!(matches!(cmds[..], [Cmd::ReadRaw { request: 1, .. }]));
    let Some(Layer::Raw(raw)) = model.layers.last() else { panic!("raw") };
    assert_eq!((raw.title.as_str(), raw.record.is_some()), ("attempt 1", true));
    press(&mut model, "esc tab v");
    let Some(Layer::Raw(raw)) = model.layers.last() else { panic!("raw") };
    assert_eq!((raw.title.as_str(), raw.request), ("rfd_a1", 2));
    let late = Err(crate::app::case::Trouble { what: "late".into(), next: String::new() });
    update(&mut model, Msg::RawRead { request: 1, record: late });
    let Some(Layer::Raw(raw)) = model.layers.last() else { panic!("raw") };
    assert!(matches!(raw.record, Some(Ok(_))));
}

#[test]
fn pastes_never_act_as_keys() {
    let mut model = opened(Fake::refunds());
    assert_eq!(update(&mut model, Msg::Paste("q\nd\n?".into())), []);
    assert_eq!((layers(&model), model.filter.is_on()), (vec![], false));
    press(&mut model, "/");
    update(&mut model, Msg::Paste("order 1234\nq".into()));
    assert_eq!(model.filter.text, "order 1234", "one line, and it does not press enter");
    update(&mut model, Msg::Paste("\u{1b}[2J".into()));
    assert_eq!(model.filter.text, "order 1234[2J");
    update(&mut model, Msg::Paste("x".repeat(1_000)));
    assert_eq!(model.filter.text.chars().count(), 200);
}
