use super::*;
use crate::app::case::Trouble;
use crate::app::msg::Cmd;

fn asked(cmds: &[Cmd]) -> Vec<Option<u32>> {
    let of = |cmd: &Cmd| match cmd {
        Cmd::Report { intent } => Some(*intent),
        _ => None,
    };
    cmds.iter().filter_map(of).collect()
}

#[test]
fn the_document_is_of_what_is_open_else_of_all() {
    let mut model = opened(Fake::with_hazards());
    assert_eq!(asked(&press(&mut model, "e")), [], "a list is exported as a list");
    assert_eq!(asked(&press(&mut model, "2 e")), [None]);
    assert_eq!(asked(&press(&mut model, "1 enter e")), [Some(0)]);
    assert_eq!(asked(&press(&mut model, "t e")), [Some(0)]);
    // A pair is no single operation.
    assert_eq!(asked(&press(&mut model, "esc esc j enter e")), [None]);
    assert_eq!(asked(&press(&mut model, "esc / e")), [], "in a field letters are text");
}

#[test]
fn its_path_stands_until_a_key_and_so_does_what_went_wrong() {
    let mut model = opened(Fake::with_hazards());
    update(&mut model, Msg::Reported { path: Ok("recount-report.html".into()) });
    let said = |model: &Model| model.message.as_ref().map(|message| (message.text.clone(), message.error));
    assert_eq!(said(&model), Some(("the report is in recount-report.html".into(), true)));
    press(&mut model, "j");
    assert_eq!(said(&model), None);
    let trouble = Trouble { what: "the report was not written: no room".into(), next: "Name a file.".into() };
    update(&mut model, Msg::Reported { path: Err(trouble) });
    assert_eq!(said(&model), Some(("! the report was not written: no room. Name a file.".into(), true)));
}

#[test]
fn the_list_is_exported_as_it_is_shown() {
    use crate::app::case::{Exported, ExportedRows};
    let mut model = opened(Fake::refunds());
    press(&mut model, "d");
    let cmds = press(&mut model, "e");
    let view: Vec<&Exported> = cmds
        .iter()
        .filter_map(|cmd| match cmd {
            Cmd::Export(view) => Some(&**view),
            _ => None,
        })
        .collect();
    let [view] = view.as_slice() else { panic!("{cmds:?}") };
    assert_eq!(
        (view.filter.as_str(), view.sort.as_str(), view.name.as_str()),
        ("divergent", "list", "refunds")
    );
    assert_eq!(view.rows.len(), rows(&model));
    assert!(matches!(view.rows, ExportedRows::Places(_)));
    update(&mut model, Msg::Exported { path: Ok("refunds.csv".into()), rows: 1_204 });
    assert_eq!(message(&model), "saved refunds.csv: 1,204 rows, filter and read positions included");
}
