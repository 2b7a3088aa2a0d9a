//! Each frame of the specification, without what is not built yet.

use crate::app::keys::Key;
use crate::app::layout::Size;
use crate::app::model::{Model, Setup};
use crate::app::msg::{Cmd, Msg};
use crate::app::progress::{Failure, Loading, Reading};
use crate::app::testcase::Fake;
use crate::app::update::update;
use crate::model::time::Micros;
use crate::ui::{Frame, draw};

pub(super) fn setup() -> Setup {
    Setup {
        name: "refunds-2026-11-30".into(),
        operator: "dana".into(),
        can_write: true,
        in_case: true,
        folder: "~/incidents/2026-11-30".into(),
        demo: true,
        now: now(),
        clock_fixed: true,
        ..Setup::default()
    }
}

fn now() -> Micros {
    crate::judge::story::samples::t("09:14:07")
}

pub(super) fn size(text: &str) -> Size {
    let (width, height) = text.split_once('x').unwrap();
    Size { width: width.parse().unwrap(), height: height.parse().unwrap() }
}

/// Opens a case and presses keys, answering every command at once.
pub(super) fn opened(fake: Fake, setup: Setup, size: Size, keys: &str) -> Model {
    let mut model = Model::new(setup, size);
    let case = fake.shared();
    update(&mut model, Msg::Loaded { generation: 0, case });
    press(&mut model, keys);
    model
}

pub(super) fn press(model: &mut Model, keys: &str) {
    for name in keys.split_whitespace() {
        let key = Key::parse(name).unwrap_or_else(|| panic!("{name} is no key"));
        feed(model, Msg::Key(key));
        settle(model);
    }
}

/// Takes a message and answers what it asks for, as a runtime without threads would.
pub(super) fn feed(model: &mut Model, msg: Msg) {
    for cmd in update(model, msg) {
        let Some(case) = model.case().cloned() else {
            continue;
        };
        match cmd {
            Cmd::Load { generation, .. } => feed(model, Msg::Loaded { generation, case }),
            cmd => {
                if let Some(msg) = cmd.answer(&*case) {
                    feed(model, msg);
                }
            }
        }
    }
}

pub(super) fn settle(model: &mut Model) -> Frame {
    let frame = draw(model);
    if let Some((first, most)) = frame.scroll {
        model.drawn(first, most);
    }
    frame
}

/// Compares with the files of a frame; `RECOUNT_FRAMES=write` makes them.
pub(super) fn check(name: &str, frame: &Frame) {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/frames");
    for (ending, found) in [("txt", frame.canvas.to_text()), ("roles", frame.canvas.to_roles())] {
        let path = folder.join(format!("{name}.{ending}"));
        if std::env::var_os("RECOUNT_FRAMES").is_some() {
            std::fs::create_dir_all(&folder).unwrap();
            std::fs::write(&path, &found).unwrap();
        }
        let expected =
            std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        assert!(expected == found, "{}\n--- expected\n{expected}--- found\n{found}", path.display());
    }
}

fn frame(name: &str, fake: Fake, keys: &str) {
    let size = size(name.rsplit('-').next().unwrap());
    let mut model = opened(fake, setup(), size, keys);
    check(name, &settle(&mut model));
}

fn loose_setup() -> Setup {
    Setup {
        name: "trace.jsonl + refunds.csv".into(),
        can_write: false,
        in_case: false,
        same_list: Some("recount check trace.jsonl refunds.csv --currency USD".into()),
        ..setup()
    }
}

fn loose(name: &str, keys: &str) {
    let size = size(name.rsplit('-').next().unwrap());
    let mut model = opened(Fake::no_ids(), loose_setup(), size, keys);
    check(name, &settle(&mut model));
}

#[test]
fn triage() {
    for size in ["120x36", "80x24", "60x20", "200x60", "40x10"] {
        frame(&format!("triage-{size}"), Fake::refunds(), "");
    }
}

#[test]
fn triage_without_ids() {
    loose("triage-noids-120x36", "");
    loose("triage-noids-80x24", "");
}

#[test]
fn detail_of_a_double() {
    for size in ["120x36", "80x24", "60x20", "200x60"] {
        frame(&format!("detail-double-{size}"), Fake::refunds(), "enter");
    }
}

#[test]
fn detail_of_a_pair() {
    frame("detail-pair-120x36", Fake::refunds(), "j enter");
    frame("detail-pair-80x24", Fake::refunds(), "j enter");
}

#[test]
fn detail_not_known_yet() {
    for size in ["120x36", "80x24", "60x20"] {
        frame(&format!("detail-unknown-{size}"), Fake::refunds(), "j j j j j j j enter");
    }
}

#[test]
fn detail_did_not_happen() {
    for size in ["120x36", "80x24", "60x20"] {
        frame(&format!("detail-absent-{size}"), Fake::refunds(), "j j j enter");
    }
}

#[test]
fn detail_of_the_others() {
    frame("detail-failed-120x36", Fake::refunds(), "j j enter");
    frame("detail-hidden-120x36", Fake::refunds(), "j j j j j enter");
    frame("detail-unreadable-120x36", Fake::refunds(), "j j j j j j enter");
    frame("detail-differs-120x36", Fake::refunds(), "j j j j j j j j enter");
    frame("detail-waiting-120x36", Fake::refunds(), "j j j j j j j j j enter");
}

#[test]
fn detail_without_ids() {
    loose("detail-noids-120x36", "enter");
    for size in ["120x36", "80x24", "60x20"] {
        loose(&format!("detail-noids-early-{size}"), "j j enter");
    }
}

#[test]
fn detail_on_its_way() {
    frame("detail-onway-80x24", Fake::on_its_way(), "enter");
}

#[test]
fn a_row_without_an_attempt() {
    frame("detail-apart-120x36", Fake::refunds(), "G enter");
    frame("detail-apart-80x24", Fake::refunds(), "G enter");
}

#[test]
fn help() {
    frame("help-120x36", Fake::refunds(), "?");
    frame("help-80x24", Fake::refunds(), "?");
    frame("help-60x20", Fake::refunds(), "?");
    frame("help-evidence-120x36", Fake::refunds(), "enter ?");
    frame("help-find-120x36", Fake::refunds(), "? / d i v");
}

#[test]
fn filters() {
    frame("find-80x24", Fake::refunds(), "/ a n s w e r");
    frame("find-nothing-80x24", Fake::refunds(), "/ z z z");
    frame("found-120x36", Fake::refunds(), "/ a n s w e r enter");
    frame("divergent-120x36", Fake::refunds(), "d");
    frame("unknown-only-80x24", Fake::refunds(), "u");
}

#[test]
fn raw_record() {
    frame("raw-120x36", Fake::refunds(), "enter v");
    frame("raw-80x24", Fake::refunds(), "v");
}

#[test]
fn screens_without_content() {
    frame("hazards-empty-80x24", Fake::refunds(), "2");
    frame("audit-empty-120x36", Fake::refunds(), "4");
}

#[test]
fn sources_and_problems() {
    for size in ["120x36", "80x24", "60x20", "200x60"] {
        frame(&format!("sources-{size}"), Fake::with_problems(1), "5");
        frame(&format!("problems-{size}"), Fake::with_problems(40), "5 j j j");
    }
    frame("sources-clean-80x24", Fake::refunds(), "5");
}

#[test]
fn timeline_of_an_operation() {
    for size in ["120x36", "80x24", "60x20"] {
        frame(&format!("timeline-{size}"), Fake::refunds(), "t j");
    }
    frame("timeline-pair-120x36", Fake::refunds(), "j t");
    frame("timeline-zoomed-120x36", Fake::refunds(), "enter t j j z");
}

#[test]
fn timeline_of_the_case() {
    frame("activity-120x36", Fake::with_activity(), "3 esc");
    frame("activity-80x24", Fake::with_activity(), "3 esc");
    frame("activity-60x20", Fake::with_activity(), "3 esc");
}

#[test]
fn everything_of_an_order() {
    for size in ["120x36", "80x24", "60x20"] {
        frame(&format!("order-{size}"), Fake::refunds(), "j p");
    }
    frame("order-party-120x36", Fake::refunds(), "j p p");
}

#[test]
fn groups() {
    for size in ["120x36", "80x24", "60x20"] {
        frame(&format!("triage-group-{size}"), Fake::storm(), ": g r o u p space w o r d s enter");
    }
    frame("triage-group-open-120x36", Fake::storm(), ": g r o u p space w o r d s enter enter");
    frame("triage-group-hour-120x36", Fake::refunds(), ": g r o u p space h o u r enter");
}

#[test]
fn orders_and_columns_of_the_list() {
    frame("sorted-120x36", Fake::refunds(), "s s s");
    frame("sorted-80x24", Fake::refunds(), "s s s s S");
    frame("columns-80x24", Fake::refunds(), ": c o l u m n s enter down down enter");
    frame("zoomed-120x36", Fake::refunds(), "z");
    frame("zoomed-80x24", Fake::refunds(), "z");
    frame("detail-zoomed-80x24", Fake::refunds(), "enter z");
}

#[test]
fn palette_and_messages() {
    for size in ["120x36", "80x24", "60x20"] {
        frame(&format!("palette-{size}"), Fake::refunds(), ": d i v e r");
    }
    frame("palette-all-80x24", Fake::refunds(), ": down down");
    frame("palette-nothing-80x24", Fake::refunds(), ": z z z");
    frame("messages-80x24", Fake::refunds(), "[ n : m e s s a g e s enter");
}

#[test]
fn members() {
    loose("members-120x36", "j enter");
}

#[test]
fn clean() {
    let mut setup = setup();
    setup.name = "neutral".into();
    for text in ["80x24", "120x36", "60x20"] {
        let mut model = opened(Fake::clean(), setup.clone(), size(text), "");
        check(&format!("clean-{text}"), &settle(&mut model));
    }
}

pub(super) fn failure() -> Failure {
    let table = |cells: &[&str]| cells.iter().map(|cell| (*cell).to_owned()).collect::<Vec<_>>();
    Failure {
        headline: "the ledger was not read, so nothing can be judged".into(),
        what: "payments.db has no table refund.".into(),
        seen: vec![
            table(&["It was opened, read-only, and has these tables:"]),
            table(&["refunds", "49 rows", "looks like the one meant"]),
            table(&["orders", "52 rows"]),
        ],
        next: "Start again with the right table:".into(),
        command: Some("recount trace.jsonl --ledger 'sqlite:payments.db?table=refunds'".into()),
        kept: vec![
            "52 operations and 61 attempts were read from trace.jsonl and are kept.".into(),
            "What the ledger holds is not known. It is not zero.".into(),
        ],
        status: ("payments.db".into(), "not read".into()),
    }
}

#[test]
fn could_not_be_read() {
    for text in ["80x24", "60x20"] {
        let mut model = Model::new(setup(), size(text));
        update(&mut model, Msg::Failed { generation: 0, failure: Box::new(failure()) });
        check(&format!("error-{text}"), &settle(&mut model));
    }
}

#[test]
fn first_run() {
    let setup = Setup { has_sources: false, ..setup() };
    for text in ["80x24", "60x20"] {
        let mut model = Model::new(setup.clone(), size(text));
        check(&format!("first-run-{text}"), &settle(&mut model));
    }
}

pub(super) fn loading() -> Loading {
    let reading = |what: &str, name: &str, megabytes: u64| Reading {
        what: what.into(),
        name: name.into(),
        bytes: 0,
        of: megabytes * 1_000_000,
        records: String::new(),
    };
    Loading {
        sources: vec![reading("attempts", "attempts.jsonl", 548), reading("ledger", "effects.csv", 91)],
        note: "effects.csv found as a ledger by its columns refund_id, operation_id, amount_minor".into(),
        stopping: false,
    }
}

#[test]
fn reading() {
    let setup = Setup {
        name: "attempts.jsonl + 1".into(),
        can_write: false,
        in_case: false,
        clock_fixed: false,
        ..setup()
    };
    for text in ["120x36", "80x24", "60x20"] {
        let mut model = Model::new(setup.clone(), size(text));
        update(&mut model, Msg::Progressed { generation: 0, loading: loading() });
        check(&format!("loading-first-{text}"), &settle(&mut model));
    }
}

#[test]
fn too_small() {
    let mut model = opened(Fake::refunds(), setup(), size("38x9"), "");
    check("too-small-38x9", &settle(&mut model));
}
