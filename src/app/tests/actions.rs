use std::collections::BTreeSet;

use super::{message, opened, opened_at, press, selected, size};
use crate::app::action::{ACTIONS, Action, Group, entry};
use crate::app::bindings::Bindings;
use crate::app::keymap::{self, FOOTER};
use crate::app::keys::Key;
use crate::app::model::{Context, Model, Setup};
use crate::app::msg::{Cmd, Msg};
use crate::app::progress::Failure;
use crate::app::testcase::Fake;
use crate::app::update::update;

#[test]
fn one_key_means_one_thing() {
    let mut keys = BTreeSet::new();
    let mut names = BTreeSet::new();
    for entry in ACTIONS {
        assert!(names.insert(entry.name), "{} twice", entry.name);
        assert!(!entry.contexts.is_empty(), "{}", entry.name);
        for key in entry.keys {
            assert!(keys.insert(*key), "{key} has two actions");
        }
    }
    for taken in ['h', 'j', 'a', 'b', 's'] {
        assert!(!keys.contains(&Key::ctrl(taken)), "ctrl-{taken} belongs to terminals and multiplexers");
    }
}

#[test]
fn the_document_is_in_step() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/keymap.md");
    let expected = keymap::document();
    if std::env::var_os("RECOUNT_DOCS").is_some() {
        std::fs::write(&path, &expected).unwrap();
    }
    assert_eq!(
        std::fs::read_to_string(&path).unwrap(),
        expected,
        "RECOUNT_DOCS=write cargo test makes it anew"
    );
}

#[test]
fn every_action_is_in_the_help_or_is_a_terminal_manner() {
    for entry in ACTIONS {
        // What has no key is found in the palette, which the help names.
        if matches!(entry.action, Action::Suspend | Action::Help) || entry.keys.is_empty() {
            continue;
        }
        let shown = [Group::Go, Group::Do].into_iter().any(|group| {
            keymap::help_rows(group, &Bindings::default(), entry.contexts[0])
                .into_iter()
                .any(|(_, row)| row.keys.iter().any(|(actions, _)| actions.contains(&entry.action)))
        });
        assert!(shown, "{}", entry.name);
    }
}

/// Every place, with a model that is there.
fn places() -> Vec<(Context, Model)> {
    let at = |keys: &str| {
        let mut model = opened(Fake::refunds());
        press(&mut model, keys);
        model
    };
    let loose = |keys: &str| {
        let mut model = opened(Fake::no_ids());
        press(&mut model, keys);
        model
    };
    let first_run = Model::new(Setup { has_sources: false, ..super::setup() }, size(120, 36));
    let loading = Model::new(super::setup(), size(120, 36));
    let mut failed = Model::new(super::setup(), size(120, 36));
    update(&mut failed, Msg::Failed { generation: 0, failure: Box::<Failure>::default() });
    vec![
        (Context::FirstRun, first_run),
        (Context::Loading, loading),
        (Context::Failed, failed),
        (Context::Clean, opened(Fake::clean())),
        (Context::List, at("")),
        (Context::Members, loose("j enter")),
        (Context::Detail, at("enter")),
        (Context::Apart, at("G enter")),
        (Context::Course, at("t j")),
        (Context::Raw, at("enter v")),
        (Context::Help, at("?")),
        (Context::Find, at("/")),
        (Context::Empty, at("2")),
        (Context::Groups, at(": g r o u p space w o r d s enter")),
        (Context::Order, at("j p")),
        (Context::Messages, at("[ : m e s s a g e s enter")),
        (Context::Columns, at(": c o l u m n s enter j j j")),
        (Context::TooSmall, opened_at(Fake::refunds(), size(39, 9))),
    ]
}

#[test]
fn a_footer_shows_five_keys_at_most_and_each_of_them_works() {
    for (context, model) in places() {
        assert_eq!(model.context(), context);
        let next = "Read it again (R).";
        let footer = keymap::footer(&model, context, next);
        assert!(footer.len() <= FOOTER, "{context:?}");
        assert!(context == Context::Help || !footer.is_empty(), "{context:?}");
        for (action, _, _) in footer {
            let (_, mut model) = places().into_iter().find(|(place, _)| *place == context).unwrap();
            let state = |model: &Model| {
                let course = model.course().map(|course| (course.selected, course.zoom));
                {
                    let place = (model.columns.clone(), model.grouping.is_some());
                    (
                        super::layers(model).len(),
                        model.filter.clone(),
                        model.screen,
                        model.generation,
                        course,
                        place,
                    )
                }
            };
            let before = state(&model);
            let key = entry(action).unwrap().keys[0];
            let cmds = update(&mut model, Msg::Key(key));
            let after = state(&model);
            let refused = message(&model).starts_with(&key.shown());
            assert!(!refused, "{context:?} {action:?}: {}", message(&model));
            assert!(
                before != after || !cmds.is_empty() || action == Action::PageDown,
                "{context:?} {action:?}"
            );
        }
    }
}

#[test]
fn the_footer_follows_the_next_step_in_the_evidence() {
    let mut model = opened(Fake::refunds());
    press(&mut model, "enter");
    let keys = |model: &Model, next: &str| -> Vec<String> {
        keymap::footer(model, Context::Detail, next).into_iter().map(|(_, key, _)| key).collect()
    };
    assert_eq!(keys(&model, "Hand both rows over (x)."), ["esc", "v", "y", "?"]);
    assert_eq!(keys(&model, "Read it again (R)."), ["esc", "R", "v", "y", "?"]);
}

#[test]
fn a_key_that_cannot_act_says_why() {
    let mut model = opened(Fake::refunds());
    press(&mut model, "[");
    assert_eq!(message(&model), "[: nothing divergent further up");
    press(&mut model, "m");
    assert_eq!(message(&model), "m: this key does nothing here. ? shows the keys");
    press(&mut model, "|");
    assert_eq!(message(&model), "|: side by side or stacked is not for this place. ? shows the keys");
    press(&mut model, "T");
    assert_eq!(message(&model), "T: the local zone is UTC");
    press(&mut model, "esc");
    assert_eq!(message(&model), "esc: this is the first screen. q leaves");
    press(&mut model, "j");
    assert_eq!(message(&model), "", "the next key takes the message away");
}

#[test]
fn a_message_goes_when_its_own_time_is_over() {
    let mut model = opened(Fake::refunds());
    let cmds = press(&mut model, "x");
    let Some(Cmd::Timer { message: first, millis: 4_000 }) = cmds.first().cloned() else {
        panic!("{cmds:?}")
    };
    press(&mut model, "x");
    update(&mut model, Msg::MessageOver(first));
    assert_ne!(message(&model), "", "an older timer takes nothing back");
    update(&mut model, Msg::MessageOver(first + 1));
    assert_eq!(message(&model), "");
}

#[test]
fn moving_stays_inside() {
    let mut model = opened(Fake::refunds());
    let mut seen = vec![selected(&model)];
    for _ in 0..12 {
        press(&mut model, "j");
        seen.push(selected(&model));
    }
    assert_eq!(seen[0], "order 1234");
    assert_eq!(seen[10], "order 7777");
    assert_eq!(seen[12], "order 7777");
    press(&mut model, "g");
    assert_eq!(selected(&model), "order 1234");
    press(&mut model, "k");
    assert_eq!(selected(&model), "order 1234");
    press(&mut model, "end");
    assert_eq!(selected(&model), "order 7777");
    press(&mut model, "home pgdn");
    assert_eq!(selected(&model), "order 7777", "all rows are on one page");
}

#[test]
fn pages_move_by_what_is_seen() {
    let mut model = opened(Fake::many(1_000));
    let seen = model.list_height();
    assert_eq!(seen, 16);
    press(&mut model, "pgdn");
    assert_eq!((model.list.selected, model.list.offset), (16, 1));
    press(&mut model, "pgdn ctrl-d");
    assert_eq!((model.list.selected, model.list.offset), (48, 33));
    press(&mut model, "ctrl-u");
    assert_eq!((model.list.selected, model.list.offset), (32, 32));
    press(&mut model, "G");
    assert_eq!((model.list.selected, model.list.offset), (999, 984));
    update(&mut model, Msg::Resized(size(80, 24)));
    assert_eq!(model.list.selected, 999, "resizing keeps the selection");
    assert!(model.list.offset + model.list_height() > 999);
}

#[test]
fn divergent_rows_are_found_in_both_directions() {
    let mut model = opened(Fake::refunds());
    let mut seen = Vec::new();
    for _ in 0..8 {
        press(&mut model, "]");
        seen.push(selected(&model));
    }
    assert_eq!(seen[..4], ["order 6001", "order 5002", "order 4812", "order 4920"]);
    assert_eq!(seen[4..7], ["order 4977", "order 4814", "thread 77"]);
    assert_eq!(message(&model), "]: nothing divergent further down");
    press(&mut model, "[ [ [");
    assert_eq!(selected(&model), "order 4920");
}

#[test]
fn leaving_and_stopping_are_asked_for() {
    for keys in ["q", "ctrl-c", "enter q", "? ctrl-c", "/ ctrl-c", "2 q"] {
        assert_eq!(press(&mut opened(Fake::refunds()), keys), [Cmd::Quit], "{keys}");
    }
    let mut small = opened_at(Fake::refunds(), size(39, 10));
    assert_eq!(press(&mut small, "q"), [Cmd::Quit]);
    assert_eq!(press(&mut small, "enter"), []);
    assert_eq!(press(&mut opened(Fake::refunds()), "/ ctrl-z"), [Cmd::Suspend]);
    assert_eq!(press(&mut opened(Fake::refunds()), "/ q"), press(&mut opened(Fake::refunds()), "/ q"));
}
