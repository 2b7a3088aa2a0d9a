//! Transitions of the machine.

mod actions;
mod arrange;
mod copy;
mod filters;
mod hazards;
mod layers;
mod loading;
mod order;
mod palette;
mod reports;
mod sources;
mod timeline;

use crate::app::keys::Key;
use crate::app::layout::Size;
use crate::app::model::{Layer, Model, Setup};
use crate::app::msg::{Cmd, Msg};
use crate::app::testcase::Fake;
use crate::app::update::update;

pub(in crate::app) fn setup() -> Setup {
    Setup { name: "refunds".into(), operator: "dana".into(), in_case: true, demo: true, ..Setup::default() }
}

pub(in crate::app) fn size(width: u16, height: u16) -> Size {
    Size { width, height }
}

fn opened(fake: Fake) -> Model {
    opened_at(fake, size(120, 36))
}

fn opened_at(fake: Fake, at: Size) -> Model {
    let mut model = Model::new(setup(), at);
    assert_eq!(update(&mut model, Msg::Loaded { generation: 0, case: fake.shared() }), []);
    model
}

/// Presses keys and does what is asked for at once; gives what the last key asked for.
pub(in crate::app) fn press(model: &mut Model, keys: &str) -> Vec<Cmd> {
    let mut last = Vec::new();
    for name in keys.split_whitespace() {
        last = update(model, Msg::Key(Key::parse(name).unwrap()));
        for cmd in last.clone() {
            let case = model.case().cloned();
            let msg = match (cmd, case) {
                (cmd, Some(case)) => match cmd.answer(&*case) {
                    Some(msg) => msg,
                    None => continue,
                },
                _ => continue,
            };
            answer(model, msg);
        }
    }
    last
}

/// Takes an answer, and answers what that asks for.
fn answer(model: &mut Model, msg: Msg) {
    for cmd in update(model, msg) {
        if let Some(more) = model.case().cloned().and_then(|case| cmd.answer(&*case)) {
            answer(model, more);
        }
    }
}

pub(in crate::app) fn message(model: &Model) -> &str {
    model.message.as_ref().map_or("", |message| message.text.as_str())
}

/// Operation of the selected row.
fn selected(model: &Model) -> String {
    model.preview.as_ref().map(|(_, item)| item.row.operation.clone()).unwrap_or_default()
}

fn rows(model: &Model) -> usize {
    model.top_list().len(model.form())
}

fn layers(model: &Model) -> Vec<&'static str> {
    let name = |layer: &Layer| match layer {
        Layer::Members(_) => "members",
        Layer::Detail(_) => "detail",
        Layer::Course(_) => "course",
        Layer::Raw(_) => "raw",
        Layer::Help(_) => "help",
        Layer::Find(_) => "find",
        Layer::Order(_) => "order",
        Layer::Palette(_) => "palette",
        Layer::Messages(_) => "messages",
        Layer::Columns(_) => "columns",
        Layer::Menu(_) => "menu",
        Layer::Form(_) => "form",
    };
    model.layers.iter().map(name).collect()
}
