//! Forms against the sample rows, with a book that says what the test needs.

use super::booked::{Booked, Done, Looked, Order, Outcome, Pending, Refused, Todo, Told};
use super::dialogs::{Dialog, SPECS};
use super::field::Field;
use super::form::{Phase, Stop};
use super::keys::form;
use crate::app::action::{Action, entry};
use crate::app::case::Trouble;
use crate::app::keys::Key;
use crate::app::model::{Context, Layer, Model, Setup};
use crate::app::msg::{Cmd, Msg};
use crate::app::testcase::Fake;
use crate::app::tests::{message, press, setup, size};
use crate::app::update::update;
use crate::lifecycle::policy::Policy;
use crate::model::time::Micros;

fn opened() -> Model {
    let mut model = Model::new(Setup { can_write: true, has_book: true, ..setup() }, size(120, 36));
    update(&mut model, Msg::Loaded { generation: 0, case: Fake::refunds().shared() });
    model
}

fn now() -> Micros {
    crate::judge::story::samples::t("09:14:07")
}

fn looked(booked: Booked) -> Looked {
    Looked {
        operator: Ok("dana".to_owned()),
        blocked: None,
        policy: Policy { approvers: vec!["erin".to_owned()], ..Policy::default() },
        now: now(),
        next: 42,
        head: (41, "7c1e9a02aa".to_owned()),
        items: vec![booked],
        draft: None,
    }
}

/// Presses keys, answers the look into the book, and gives what is asked for besides.
fn with_book(model: &mut Model, keys: &str, looked: &Looked) -> Vec<Todo> {
    let mut asked = Vec::new();
    for key in keys.split_whitespace() {
        let cmds = update(model, Msg::Key(Key::parse(key).unwrap()));
        asked.extend(cmds.into_iter().filter_map(|cmd| match cmd {
            Cmd::Settle(todo) => Some(todo),
            _ => None,
        }));
        for todo in &asked {
            if let Todo::Look { request, .. } = todo {
                let told = Told::Looked(*request, Ok(Box::new(looked.clone())));
                update(model, Msg::Settled(told));
            }
        }
        asked.retain(|todo| !matches!(todo, Todo::Look { .. }));
    }
    asked
}

fn typed(model: &mut Model, text: &str) -> Vec<Cmd> {
    text.chars().flat_map(|c| update(model, Msg::Key(Key::char(c)))).collect()
}

fn order(cmds: &[Todo]) -> Option<Order> {
    cmds.iter().find_map(|todo| match todo {
        Todo::Write { order, .. } => Some(order.clone()),
        _ => None,
    })
}

const NOTE: &str = "nothing covers it before the morning";

#[test]
fn every_form_has_one_row_and_a_name_of_its_own() {
    let mut names: Vec<&str> = SPECS.iter().map(|spec| spec.name).collect();
    assert!(SPECS.iter().all(|spec| spec.dialog.spec().name == spec.name));
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), SPECS.len());
}

#[test]
fn the_focus_begins_on_cancel_and_no_key_that_opens_a_form_writes() {
    for key in ["r", "x"] {
        let mut model = opened();
        with_book(&mut model, &format!("j j j {key}"), &looked(Booked::default()));
        let Some(open) = form(&model) else { panic!("{key}: {}", message(&model)) };
        assert_eq!(open.stop, Stop::Cancel, "{key}");
        // The same key again, and enter, write nothing.
        let asked = with_book(&mut model, &format!("{key} enter"), &looked(Booked::default()));
        assert_eq!(order(&asked), None, "{key}");
        assert!(form(&model).is_none(), "enter on Cancel closes it");
    }
}

#[test]
fn a_hold_becomes_the_command_with_what_was_seen() {
    let mut model = opened();
    let booked = Booked { version: 3, ..Booked::default() };
    with_book(&mut model, "j j j x tab", &looked(booked.clone()));
    assert_eq!(model.context(), Context::Field);
    typed(&mut model, "olu");
    with_book(&mut model, "tab tab", &looked(booked.clone()));
    typed(&mut model, "page PD-7731");
    with_book(&mut model, "tab", &looked(booked.clone()));
    let kept = typed(&mut model, NOTE);
    // Every change is kept, the last one whole.
    let Some(Cmd::Settle(Todo::Keep { draft, text })) = kept.last() else { panic!("{kept:?}") };
    assert_eq!(draft, "int_4812 hold");
    assert!(text.contains(NOTE) && text.contains("PD-7731"), "{text}");
    let asked = with_book(&mut model, "tab tab enter", &looked(booked));
    let order = order(&asked).unwrap();
    assert_eq!(
        order.words,
        [
            "escalate",
            "int_4812",
            "--owner=olu",
            "--deadline=4h",
            "--delivered=page PD-7731",
            &format!("--note={NOTE}")
        ]
    );
    let (version, facts) = order.seen.unwrap();
    assert_eq!((version, facts.len()), (3, 64));
    assert_eq!(form(&model).unwrap().phase, Phase::Writing);
}

#[test]
fn a_note_at_the_limit() {
    for (length, goes) in [(19, false), (20, true)] {
        let mut model = opened();
        with_book(&mut model, "j j j x tab", &looked(Booked::default()));
        typed(&mut model, "olu");
        with_book(&mut model, "tab tab tab", &looked(Booked::default()));
        typed(&mut model, &"n".repeat(length));
        let asked = with_book(&mut model, "tab tab enter", &looked(Booked::default()));
        assert_eq!(order(&asked).is_some(), goes, "{length}: {}", message(&model));
    }
}

#[test]
fn a_high_value_failed_needs_its_short_id_and_becomes_a_request() {
    let mut model = opened();
    let book = looked(Booked::default());
    with_book(&mut model, "j j j r tab down space tab", &book);
    typed(&mut model, NOTE);
    let asked = with_book(&mut model, "tab tab tab enter", &book);
    assert_eq!((order(&asked), message(&model)), (None, "not written: type 4812 first"));
    with_book(&mut model, "shift-tab", &book);
    typed(&mut model, "481");
    assert_eq!(order(&with_book(&mut model, "tab enter", &book)), None);
    with_book(&mut model, "shift-tab", &book);
    typed(&mut model, "2");
    let order = order(&with_book(&mut model, "tab enter", &book)).unwrap();
    assert_eq!(order.words[..4], ["request", "int_4812", "--to", "failed"]);
    assert_eq!(order.file.as_deref(), Some("int_4812.request.json"));
    // Nobody could agree: refused at once, nothing is asked for.
    let mut alone = opened();
    let nobody = Looked { policy: Policy::default(), ..looked(Booked::default()) };
    with_book(&mut alone, "j j j r tab down space tab", &nobody);
    typed(&mut alone, NOTE);
    with_book(&mut alone, "tab tab", &nobody);
    typed(&mut alone, "4812");
    with_book(&mut alone, "tab enter", &nobody);
    assert_eq!(message(&alone), "not written: this decision takes two people");
}

#[test]
fn what_came_back_is_a_state_of_its_own() {
    let write = |model: &mut Model| -> u64 {
        let book = looked(Booked { version: 3, ..Booked::default() });
        with_book(model, "j j j x tab", &book);
        typed(model, "olu");
        with_book(model, "tab tab tab", &book);
        typed(model, NOTE);
        let asked = with_book(model, "tab tab enter", &book);
        asked
            .iter()
            .find_map(|todo| match todo {
                Todo::Write { request, .. } => Some(*request),
                _ => None,
            })
            .unwrap()
    };
    // Done: the form closes, the draft goes, the sources are read again.
    let mut model = opened();
    let request = write(&mut model);
    let done = Done {
        entries: vec![42],
        head: (42, "a03e77b1".to_owned()),
        moved: Some(("unknown".to_owned(), "unknown".to_owned())),
        ..Done::default()
    };
    let told = |outcome: Outcome, request: u64| Msg::Settled(Told::Written(request, Box::new(outcome)));
    let cmds = update(&mut model, told(Outcome::Done(done), request));
    assert_eq!(
        message(&model),
        "entry 42 is written: int_4812 stays unknown. The payment service was not told"
    );
    assert!(form(&model).is_none() && cmds.iter().any(|cmd| matches!(cmd, Cmd::Load { .. })));
    assert!(
        cmds.contains(&Cmd::Settle(Todo::Keep { draft: "int_4812 hold".to_owned(), text: String::new() }))
    );
    assert_eq!(model.head.0, 42);

    // Nobody can tell: nothing is shown as done, R looks into the book, and what it says is said.
    let mut model = opened();
    let request = write(&mut model);
    let why = "the disk did not answer".to_owned();
    update(&mut model, told(Outcome::Unsure { before: 41, why }, request));
    assert_eq!(
        message(&model),
        "! not known whether entry 42 was written: the disk did not answer. R reads the book again"
    );
    assert!(matches!(form(&model).unwrap().phase, Phase::Unsure(41, _)));
    assert_eq!(order(&with_book(&mut model, "enter", &looked(Booked::default()))), None);
    let mut model = opened();
    let request = write(&mut model);
    update(&mut model, told(Outcome::Unsure { before: 41, why: "no".to_owned() }, request));
    let asked = with_book(&mut model, "R", &looked(Booked::default()));
    let Some(Todo::Recheck { request, before: 41, .. }) = asked.first() else { panic!("{asked:?}") };
    let request = *request;
    let failed = Trouble { what: "it is not in the book".to_owned(), next: "nothing was written".to_owned() };
    update(&mut model, told(Outcome::Failed(failed), request));
    assert_eq!(message(&model), "! not written: it is not in the book. nothing was written");
    assert_eq!(form(&model).unwrap().value(Field::Note), NOTE, "what was typed is still there");

    // Changed meanwhile: the button is dead until it was read again, the draft stays.
    let mut model = opened();
    let request = write(&mut model);
    let refused = Refused {
        code: "R-VERSION".to_owned(),
        parts: vec![("seen", vec!["you saw version 3".to_owned(), "there is version 4".to_owned()])],
        entry: Some(42),
        head: (42, "90be11d7".to_owned()),
        ..Refused::default()
    };
    update(&mut model, told(Outcome::Refused(refused), request));
    let open = form(&model).unwrap();
    assert!(open.stale);
    assert_eq!(open.changed, [("you saw version 3".to_owned(), "there is version 4".to_owned())]);
    let asked = with_book(&mut model, "enter", &looked(Booked::default()));
    assert_eq!((order(&asked), message(&model)), (None, "not written: it changed: R reads it again"));
}

#[test]
fn a_request_that_waits_is_shown_to_its_requester_and_answered_by_another() {
    let pending = |mine| Pending {
        seq: 42,
        by: "dana".to_owned(),
        mine,
        until: now(),
        note: "covered".to_owned(),
        to: "failed".to_owned(),
        digest: String::new(),
        fingerprint: String::new(),
    };
    let mut model = opened();
    let book = looked(Booked { pending: Some(pending(true)), ..Booked::default() });
    with_book(&mut model, "j j j r", &book);
    assert_eq!(form(&model).unwrap().dialog, Dialog::Waiting);
    let mut model = opened();
    let book = looked(Booked { pending: Some(pending(false)), ..Booked::default() });
    with_book(&mut model, "j j j r", &book);
    assert_eq!(form(&model).unwrap().dialog, Dialog::Answer);
    // Deny it, with a note.
    with_book(&mut model, "tab down space tab", &book);
    typed(&mut model, "the list that I read is another one");
    let order = order(&with_book(&mut model, "tab tab enter", &book)).unwrap();
    assert_eq!(order.words, ["deny", "42", "--note=the list that I read is another one"]);
}

#[test]
fn a_paste_goes_into_the_note_as_one_step_and_undo_takes_it_back() {
    let mut model = opened();
    let book = looked(Booked::default());
    with_book(&mut model, "j j j x tab tab tab tab", &book);
    typed(&mut model, "first");
    update(&mut model, Msg::Paste(" second\nthird\u{1b}[2J".to_owned()));
    assert_eq!(form(&model).unwrap().value(Field::Note), "first second\nthird[2J");
    press(&mut model, "ctrl-r");
    assert_eq!(form(&model).unwrap().value(Field::Note), "first");
    press(&mut model, "enter");
    assert_eq!(form(&model).unwrap().value(Field::Note), "first\n", "enter in a note is a new line");
    // q is text; esc closes.
    press(&mut model, "q");
    assert_eq!(form(&model).unwrap().value(Field::Note), "first\nq");
    press(&mut model, "esc");
    assert!(form(&model).is_none());
}

#[test]
fn the_menu_says_why_not() {
    let mut model = opened();
    press(&mut model, "j j j .");
    assert!(matches!(model.layers.last(), Some(Layer::Menu(_))));
    let lines = super::menu::lines(&model);
    let of = |action: Action| lines.iter().find(|line| line.action == action).unwrap();
    assert_eq!(of(Action::Form(Dialog::Resolve)).key, "r");
    assert_eq!(of(Action::Form(Dialog::Resolve)).not_now, None);
    let close = of(Action::Form(Dialog::Dispose));
    assert_eq!((close.key.as_str(), close.not_now.as_deref()), ("", Some("it is still unknown")));
    assert_eq!(of(Action::Form(Dialog::Withdraw)).not_now.as_deref(), Some("no request waits"));
    let at = lines.iter().position(|line| line.action == Action::Form(Dialog::Dispose)).unwrap();
    press(&mut model, &format!("{}enter", "j ".repeat(at)));
    assert_eq!(message(&model), "not now: it is still unknown");
    press(&mut model, "esc");
    assert!(model.layers.is_empty());
    // Read-only: everything that writes says so.
    model.setup.can_write = false;
    assert_eq!(
        entry(Action::Form(Dialog::Resolve)).and_then(|entry| (entry.refusal)(&model)).as_deref(),
        Some("nothing can be written: this is not a case. recount case init DIR FILES makes one")
    );
    // A settled one is reopened first.
    model.setup.can_write = true;
    press(&mut model, "g r");
    assert_eq!(message(&model), "r: it is recorded as confirmed, not unknown. Reopen it first");
}

#[test]
fn marked_rows_are_settled_together_each_by_itself() {
    let mut model = opened();
    press(&mut model, "j j space space space space");
    assert_eq!(model.marks.len(), 4);
    assert_eq!(message(&model), "4 marked");
    let book = Looked { items: vec![Booked::default(); 4], ..looked(Booked::default()) };
    with_book(&mut model, "r", &book);
    let open = form(&model).unwrap();
    assert_eq!((open.dialog, open.facts.len()), (Dialog::Many, 4));
    assert_eq!(open.draft_name(), "many resolve many");
    press(&mut model, "esc");
    assert_eq!(model.marks.len(), 4, "marks stay");
    assert_eq!(model.context(), Context::List);
}
