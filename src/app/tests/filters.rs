use super::{Model, layers, message, opened, press, rows, selected, size};
use crate::app::layout::Form;
use crate::app::list::{Line, List, Rows};
use crate::app::model::{Context, Setup};
use crate::app::msg::{Cmd, Msg};
use crate::app::testcase::Fake;
use crate::app::update::update;
use crate::model::time::Zone;
use crate::query::Hits;

#[test]
fn the_list_follows_every_key_and_esc_brings_the_old_place_back() {
    let mut model = opened(Fake::refunds());
    press(&mut model, "j j j");
    press(&mut model, "/ l o s");
    assert_eq!((rows(&model), selected(&model)), (1, "order 4813".to_owned()));
    press(&mut model, "backspace backspace backspace");
    assert_eq!(rows(&model), 11);
    press(&mut model, "a n s w e r");
    assert_eq!((rows(&model), selected(&model)), (3, "order 4813".to_owned()), "it stays on its row");
    press(&mut model, "up");
    assert_eq!(selected(&model), "order 4920");
    press(&mut model, "esc");
    assert_eq!((rows(&model), selected(&model)), (11, "order 4812".to_owned()));
    assert_eq!(layers(&model), Vec::<&str>::new());
}

#[test]
fn enter_keeps_the_filter_and_esc_on_the_list_takes_it_off() {
    let mut model = opened(Fake::refunds());
    press(&mut model, "/ a n s w e r enter");
    assert_eq!((model.context(), rows(&model)), (Context::List, 3));
    press(&mut model, "/ x esc");
    assert_eq!(
        (model.filter.text.as_str(), rows(&model)),
        ("answer", 3),
        "the filter of before, with its rows"
    );
    press(&mut model, "esc");
    assert_eq!(rows(&model), 11);
}

#[test]
fn a_text_is_matched_against_fine_rows_too() {
    let mut model = opened(Fake::refunds());
    press(&mut model, "/ 7 0 0 3");
    assert_eq!((rows(&model), selected(&model)), (1, "order 7003".to_owned()));
    press(&mut model, "esc / n o n e space s u c h");
    assert_eq!((rows(&model), selected(&model)), (0, String::new()));
}

#[test]
fn an_answer_to_an_older_search_changes_nothing() {
    let mut model = opened(Fake::refunds());
    press(&mut model, "/ a");
    let (before, search) = (rows(&model), model.search);
    let found = |generation, search| Msg::Found { generation, search, hits: Hits::none(100) };
    update(&mut model, found(0, search - 1));
    update(&mut model, found(9, search));
    assert_eq!(rows(&model), before);
    update(&mut model, found(0, search));
    assert_eq!(rows(&model), 0);
}

#[test]
fn until_the_search_answers_the_old_list_stays() {
    let mut model = opened(Fake::refunds());
    press(&mut model, "/");
    let key = crate::app::keys::Key::char('z');
    let cmds = update(&mut model, Msg::Key(key));
    assert!(matches!(cmds[..], [Cmd::Search { generation: 0, .. }]));
    assert_eq!((model.filter.text.as_str(), rows(&model)), ("z", 11));
}

#[test]
fn divergent_and_unknown_only() {
    let mut model = opened(Fake::refunds());
    press(&mut model, "j j j j j d");
    assert_eq!(
        (rows(&model), selected(&model)),
        (8, "order 1234".to_owned()),
        "its row is not in the list any more"
    );
    press(&mut model, "d");
    assert_eq!(rows(&model), 11);
    press(&mut model, "G k k u");
    assert_eq!(
        (rows(&model), selected(&model)),
        (4, "thread 77".to_owned()),
        "the selection stays on its row"
    );
    press(&mut model, "d");
    assert_eq!(rows(&model), 3);
}

#[test]
fn the_clean_card_gives_way_to_the_list() {
    let mut model = opened(Fake::clean());
    assert_eq!(model.context(), Context::Clean);
    press(&mut model, "enter");
    assert_eq!((model.context(), rows(&model)), (Context::List, 48));
    press(&mut model, "esc");
    assert_eq!(model.context(), Context::Clean);
    press(&mut model, "/ 7 0 1");
    assert_eq!(rows(&model), 10);
    press(&mut model, "esc");
    assert_eq!(model.context(), Context::Clean);
}

#[test]
fn local_time_is_told_in_the_story_too() {
    let mut model = opened(Fake::refunds());
    model.setup = Setup { local: Zone::parse("Europe/Berlin").unwrap(), ..model.setup };
    press(&mut model, "T");
    let (_, item) = model.preview.as_ref().unwrap();
    assert!(item.story.text().contains("09:41:00"), "{}", item.story.text());
    press(&mut model, "T");
    let (_, item) = model.preview.as_ref().unwrap();
    assert!(item.story.text().contains("08:41:00"), "{}", item.story.text());
}

fn lines(rows: usize, height: usize, loose: usize) -> (usize, bool) {
    let fake = Fake::many(rows);
    let list = List::new(Rows::Case {
        plain: (0..u32::try_from(rows).unwrap()).collect(),
        apart: vec![],
        outside: None,
        counted: rows,
    });
    let window = list.window(&fake, Form::Wide, height, loose);
    (window.lines.len(), window.scroll.is_some())
}

#[test]
fn a_list_scrolls_from_the_first_row_on_that_does_not_fit() {
    assert_eq!(lines(9, 10, 9), (9, false));
    assert_eq!(lines(10, 10, 9), (10, false));
    assert_eq!(lines(11, 10, 9), (10, true));
    assert_eq!(lines(0, 10, 9), (0, false));
}

#[test]
fn groups_have_air_only_where_all_of_it_fits() {
    let fake = Fake::refunds();
    let rows =
        List::of_case(&fake, &crate::app::list::Filter::default(), &crate::app::arrange::Sort::default());
    let list = List::new(rows);
    let blanks = |loose: usize| {
        let window = list.window(&fake, Form::Wide, 40, loose);
        let blanks = window.lines.iter().filter(|line| **line == Line::Blank).count();
        (blanks, window.outside_in_rule)
    };
    assert_eq!(blanks(14), (0, true), "11 rows and 4 blanks need 15");
    assert_eq!(blanks(15), (4, true));
    assert_eq!(blanks(16), (4, false), "one more line, and the rows outside have it");
}

#[test]
fn terms_that_name_a_field_are_asked_of_each_row() {
    let mut model = opened(Fake::refunds());
    let mut left = |typed: &str| {
        press(&mut model, "esc esc /");
        for character in typed.chars() {
            update(&mut model, Msg::Key(crate::app::keys::Key::char(character)));
            let case = model.case().cloned().unwrap();
            let query = crate::query::Query::parse(&model.filter.text);
            let hits = query.evaluate(&*case);
            let search = model.search;
            update(&mut model, Msg::Found { generation: 0, search, hits });
        }
        (rows(&model), selected(&model))
    };
    assert_eq!(left("state:unknown risk>100"), (2, "order 4812".to_owned()));
    assert_eq!(left("state:unknown risk>900"), (0, String::new()));
    assert_eq!(left("risk>=900"), (1, "order 4812".to_owned()));
    assert_eq!(left("overdue !state:unknown"), (1, "order 4920".to_owned()));
}

#[test]
fn what_is_remembered_comes_back_and_a_filter_of_last_time_is_said() {
    use crate::app::session::remembered;
    let mut model = opened(Fake::refunds());
    assert_eq!(remembered(&model), []);
    press(&mut model, "/ t w i c e enter u");
    let kept = remembered(&model);
    assert_eq!(
        kept,
        [("filter".to_owned(), "twice".to_owned()), ("only-unknown".to_owned(), "on".to_owned())]
    );

    let setup = super::Setup { remembered: kept.clone(), ..super::setup() };
    let mut model = Model::new(setup, size(120, 36));
    let cmds = update(&mut model, Msg::Loaded { generation: 0, case: Fake::refunds().shared() });
    assert!(cmds.iter().any(|cmd| matches!(cmd, Cmd::Search { .. })), "{cmds:?}");
    assert_eq!(remembered(&model), kept);
    assert_eq!(message(&model), "the filter of last time leaves rows out; esc shows all");
    // Names of a later program and values that nobody understands change nothing.
    let odd = vec![("sort".to_owned(), "x".to_owned()), ("only-unknown".to_owned(), "perhaps".to_owned())];
    let model = Model::new(super::Setup { remembered: odd, ..super::setup() }, size(120, 36));
    assert_eq!((remembered(&model), message(&model)), (Vec::new(), ""));
}
