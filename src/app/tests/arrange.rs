use super::{layers, message, opened, press, rows, selected};
use crate::app::arrange::{COLUMNS, ListColumn, Show, default_columns};
use crate::app::model::{Context, Model};
use crate::app::msg::{Cmd, Msg};
use crate::app::testcase::Fake;
use crate::app::update::update;
use crate::judge::view::SortBy;

fn operations(model: &Model) -> Vec<String> {
    let case = model.case().unwrap();
    let list = model.top_list();
    let form = model.form();
    (0..list.len(form)).filter_map(|at| list.row(&**case, at, form)).map(|row| row.operation).collect()
}

#[test]
fn sort_goes_through_the_columns_and_turns_round() {
    let mut model = opened(Fake::refunds());
    let first = operations(&model);
    press(&mut model, "s");
    assert_eq!(model.sort.by, SortBy::Words);
    press(&mut model, "s");
    let by_operation = operations(&model);
    assert_eq!(by_operation[..3], ["order 1234", "order 4812", "order 4813"]);
    assert_eq!(by_operation.last().unwrap(), "order 7777", "what stands apart stays below");
    press(&mut model, "S");
    let turned = operations(&model);
    assert_eq!(turned[..2], ["thread 77", "order 6001"]);
    assert_eq!(turned.last().unwrap(), "order 7777");
    press(&mut model, "s");
    assert_eq!((model.sort.by, model.sort.reversed), (SortBy::Risk, false));
    assert_eq!(operations(&model)[0], "order 4812", "USD 900.00");
    press(&mut model, "s s s");
    assert_eq!((model.sort.by, operations(&model)), (SortBy::Urgency, first));
}

#[test]
fn the_old_order_stays_until_the_new_one_is_there_and_the_selection_stays_on_its_row() {
    let mut model = opened(Fake::refunds());
    let before = operations(&model);
    let cmds = update(&mut model, Msg::Key(crate::app::keys::Key::char('s')));
    assert_eq!(cmds, [Cmd::Sort { generation: 0, by: SortBy::Words }]);
    assert!(model.sort.waits());
    assert_eq!(operations(&model), before);
    assert_eq!(update(&mut model, Msg::Key(crate::app::keys::Key::char('j'))), [], "it is asked for once");
    let row = selected(&model);
    let order = std::sync::Arc::new(model.case().unwrap().sorted(SortBy::Words));
    update(&mut model, Msg::Sorted { generation: 0, by: SortBy::Words, order: order.clone() });
    assert_eq!(selected(&model), row);
    assert_ne!(operations(&model), before);
    // An order of another column or reading comes too late.
    update(&mut model, Msg::Key(crate::app::keys::Key::char('s')));
    update(&mut model, Msg::Sorted { generation: 0, by: SortBy::Words, order });
    assert!(model.sort.waits());
}

#[test]
fn a_filter_keeps_the_order() {
    let mut model = opened(Fake::refunds());
    press(&mut model, "s s S d");
    assert_eq!(operations(&model)[..2], ["thread 77", "order 6001"]);
    press(&mut model, "d / o r d e r enter");
    assert_eq!(operations(&model)[0], "order 7040", "a text is matched against fine rows too");
}

#[test]
fn groups_open_into_their_rows_and_esc_takes_them_back() {
    let mut model = opened(Fake::refunds());
    press(&mut model, ": g r o u p space w o r d s enter");
    assert_eq!(model.context(), Context::Groups);
    assert_eq!(rows(&model), 10, "ten kinds of what happened");
    let words: Vec<String> =
        model.grouping.as_ref().unwrap().groups().iter().map(|group| group.words.clone()).collect();
    assert_eq!(words[..2], ["happened twice", "old and new both happened"]);
    press(&mut model, "j enter");
    assert_eq!((layers(&model), rows(&model)), (vec!["members"], 1));
    assert_eq!(selected(&model), "order 6001");
    press(&mut model, "enter");
    assert_eq!(layers(&model), ["members", "detail"]);
    press(&mut model, "esc esc");
    assert_eq!((model.context(), selected(&model)), (Context::Groups, "order 6001".into()));
    press(&mut model, "d");
    assert_eq!(rows(&model), 8, "a filter counts anew");
    press(&mut model, "esc");
    assert_eq!((model.context(), model.filter.divergent), (Context::List, true));
}

#[test]
fn columns_are_shown_hidden_and_change_places() {
    let mut model = opened(Fake::refunds());
    press(&mut model, ": c o l u m n s enter");
    assert_eq!(layers(&model), ["columns"]);
    press(&mut model, "right");
    assert_eq!(message(&model), "→: this column has its fixed place");
    press(&mut model, "j j enter");
    assert_eq!((model.columns[2].column, model.columns[2].show), (ListColumn::Intent, Show::Always));
    press(&mut model, "enter");
    assert_eq!(model.columns[2].show, Show::Never);
    press(&mut model, "right");
    assert_eq!((model.columns[2].column, model.columns[3].column), (ListColumn::Kind, ListColumn::Intent));
    press(&mut model, "esc : r e s e t enter");
    assert_eq!(model.columns, default_columns());
    assert_eq!(COLUMNS.len(), model.columns.len());
}

#[test]
fn matches_are_found_again_after_the_filter_is_gone() {
    let mut model = opened(Fake::refunds());
    press(&mut model, "n");
    assert_eq!(message(&model), "n: nothing was searched for yet. / finds");
    press(&mut model, "/ h a p p e n e d space t w i c e enter esc");
    assert_eq!(rows(&model), 11, "all again");
    press(&mut model, "j j N");
    assert_eq!(selected(&model), "order 1234");
    press(&mut model, "n");
    assert_eq!(message(&model), "n: nothing further down matches \"happened twice\"");
}

#[test]
fn zoom_gives_the_list_the_room_of_the_preview() {
    let mut model = opened(Fake::many(100));
    let before = model.list_height();
    press(&mut model, "z");
    assert!(model.list_height() > before + 5, "{} {before}", model.list_height());
    press(&mut model, "z");
    assert_eq!(model.list_height(), before);
}
