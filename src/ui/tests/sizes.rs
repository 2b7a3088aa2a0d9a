//! Any size, any key, any text: nothing panics, nothing overlaps, no money is cut.

use proptest::prelude::*;

use super::frames::{failure, feed, loading, opened, press, settle, setup, size};
use crate::app::keys::{Code, Key};
use crate::app::layout::{Form, Size};
use crate::app::model::{Model, Setup};
use crate::app::msg::Msg;
use crate::app::testcase::Fake;
use crate::app::update::update;
use crate::model::time::Zone;

/// A model in every place.
fn places(at: Size) -> Vec<Model> {
    let mut models: Vec<Model> =
        ["", "enter", "G enter", "enter v", "?", "enter ?", "/ a", "2", "d u", "j enter |"]
            .into_iter()
            .map(|keys| opened(Fake::refunds(), setup(), size("120x36"), keys))
            .collect();
    models.extend(
        ["5", "5 tab", "5 tab G"].map(|keys| opened(Fake::with_problems(40), setup(), size("120x36"), keys)),
    );
    models.extend(["", "j enter", "enter"].map(|keys| opened(Fake::no_ids(), setup(), size("120x36"), keys)));
    models.push(opened(Fake::clean(), setup(), size("120x36"), ""));
    models.push(Model::new(Setup { has_sources: false, ..setup() }, at));
    let mut failed = Model::new(setup(), at);
    update(&mut failed, Msg::Failed { generation: 0, failure: Box::new(failure()) });
    models.push(failed);
    let mut reading = Model::new(setup(), at);
    update(&mut reading, Msg::Progressed { generation: 0, loading: loading() });
    models.push(reading);
    models
}

#[test]
fn nothing_panics_at_any_size() {
    let sizes = (0..=40).flat_map(|width| (0..=12).map(move |height| (width, height)));
    let borders = [39, 40, 41, 79, 80, 81, 119, 120, 121, 131, 132, 149, 150, 400]
        .into_iter()
        .flat_map(|width| [9, 10, 11, 15, 16, 19, 20, 21, 29, 30, 31, 100].map(|height| (width, height)));
    let mut models = places(size("120x36"));
    for (width, height) in sizes.chain(borders) {
        for model in &mut models {
            feed(model, Msg::Resized(Size { width, height }));
            let frame = settle(model);
            assert_eq!((frame.canvas.width(), frame.canvas.height()), (width, height));
        }
    }
}

const KEYS: [Key; 34] = [
    Key::of(Code::Enter),
    Key::of(Code::Esc),
    Key::of(Code::Tab),
    Key::of(Code::BackTab),
    Key::of(Code::Backspace),
    Key::of(Code::Up),
    Key::of(Code::Down),
    Key::of(Code::PageUp),
    Key::of(Code::PageDown),
    Key::of(Code::Home),
    Key::of(Code::End),
    Key::ctrl('d'),
    Key::ctrl('u'),
    Key::char('j'),
    Key::char('k'),
    Key::char('g'),
    Key::char('G'),
    Key::char('/'),
    Key::char('?'),
    Key::char('d'),
    Key::char('u'),
    Key::char('v'),
    Key::char('|'),
    Key::char('T'),
    Key::char('R'),
    Key::char(']'),
    Key::char('['),
    Key::char('1'),
    Key::char('2'),
    Key::char('5'),
    Key::char('x'),
    Key::char('漢'),
    Key::char('\u{200b}'),
    Key::char(' '),
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn nothing_panics_whatever_is_pressed(
        which in 0..3,
        steps in prop::collection::vec((0..KEYS.len() + 2, 0_u16..140, 0_u16..44), 1..60),
    ) {
        let fake = match which {
            0 => Fake::refunds(),
            1 => Fake::no_ids(),
            _ => Fake::clean(),
        };
        let local = Zone::parse("America/New_York").unwrap();
        let mut model = opened(fake, Setup { local, ..setup() }, size("120x36"), "");
        for (step, width, height) in steps {
            let msg = match KEYS.get(step) {
                Some(key) => Msg::Key(*key),
                None if step == KEYS.len() => Msg::Resized(Size { width, height }),
                None => Msg::Paste("refund\u{202e}\nq".into()),
            };
            feed(&mut model, msg);
            settle(&mut model);
            let list = model.top_list();
            prop_assert!(list.selected < list.len(model.form()).max(1));
        }
    }
}

#[test]
fn money_is_whole_at_every_width() {
    let amounts = ["200.00", "75.00", "900.00", "60.00", "45.00"];
    for width in 40..=200_u16 {
        let at = Size { width, height: 36 };
        let mut model = opened(Fake::refunds(), setup(), at, "");
        let text = settle(&mut model).canvas.to_text();
        for amount in amounts {
            let money = text.lines().any(|line| line.contains("USD") && line.contains(amount));
            assert!(money, "{width}: {amount}\n{text}");
        }
        press(&mut model, "enter");
        let text = settle(&mut model).canvas.to_text();
        assert!(text.contains("USD 200.00 too much"), "{width}\n{text}");
        for line in ["1 too much", "1 intended"] {
            let found = text
                .lines()
                .find(|found| found.contains(line))
                .unwrap_or_else(|| panic!("{width}: {line}\n{text}"));
            assert!(found.contains("200.00"), "{width}: {found}");
        }
    }
}

#[test]
fn neighbours_are_never_touched() {
    for width in 60..=200_u16 {
        let mut model = opened(Fake::refunds(), setup(), Size { width, height: 36 }, "");
        let text = settle(&mut model).canvas.to_text();
        for (words, operation) in
            [("old and new both happened", "order 6001"), ("happened, detail differs", "thread 77")]
        {
            let line = text.lines().find(|line| line.contains(operation)).unwrap();
            assert!(line.contains(&format!("{words} ")), "{width}: {line}");
            assert!(line.contains(&format!(" {operation} ")), "{width}: {line}");
        }
    }
}

#[test]
fn the_preview_names_the_selected_row_and_says_from_when_on_it_can_be_known() {
    for text in ["120x36", "80x24"] {
        let mut model = opened(Fake::refunds(), setup(), size(text), "");
        for _ in 0..10 {
            let frame = settle(&mut model).canvas.to_text();
            let (_, item) = model.preview.as_ref().unwrap();
            let row = item.row.clone();
            let rule = frame.lines().find(|line| line.starts_with("── ")).unwrap();
            assert!(rule.contains(&row.operation), "{rule}");
            if !row.covered_from.is_none() {
                let line = frame.lines().find(|line| line.starts_with('▌')).unwrap();
                let time = crate::model::time::rfc3339(row.covered_from);
                let time = time.get(11..19).unwrap();
                assert!(line.contains(time), "{line}");
                assert!(item.story.text().contains(time) || item.story.next.contains(time), "{row:?}");
                press(&mut model, "enter");
                assert!(settle(&mut model).canvas.to_text().contains(time));
                press(&mut model, "esc");
            }
            press(&mut model, "j");
        }
    }
}

#[test]
fn the_title_of_the_evidence_names_its_row() {
    for step in 0..11 {
        let mut model = opened(Fake::refunds(), setup(), size("80x24"), &"j ".repeat(step));
        let title = model.preview.as_ref().unwrap().1.title();
        press(&mut model, "enter");
        let text = settle(&mut model).canvas.to_text();
        assert!(text.lines().next().unwrap().contains(&title), "{title}\n{text}");
    }
}

#[test]
fn the_ends_of_a_long_list_are_a_key_away() {
    let mut model = opened(Fake::many(200_000), setup(), size("120x36"), "");
    // Drawing that touched every row would not end here.
    for _ in 0..20 {
        press(&mut model, "G pgup g pgdn");
    }
    assert_eq!(model.form(), Form::Wide);
}
