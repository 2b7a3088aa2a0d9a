use super::{message, opened, press};
use crate::app::case::Copied;
use crate::app::msg::{Cmd, Msg};
use crate::app::testcase::Fake;
use crate::app::update::update;

fn lines(cmds: &[Cmd]) -> Vec<String> {
    match cmds {
        [Cmd::Copy { copied, .. }] => copied.lines.clone(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_facts_of_the_selection_and_at_once_again_the_incident() {
    let mut model = opened(Fake::refunds());
    assert_eq!(lines(&press(&mut model, "y")), ["refunds", "refund of order 1234"]);
    assert_eq!(lines(&press(&mut model, "y")), ["all of refunds"]);
    assert_eq!(lines(&press(&mut model, "y")), ["refunds", "refund of order 1234"]);
    // Any other key in between: the selection again.
    assert_eq!(lines(&press(&mut model, "k y")), ["refunds", "refund of order 1234"]);
    assert_eq!(lines(&press(&mut model, "enter y")), ["refunds", "refund of order 1234"]);
}

#[test]
fn a_record_a_hazard_a_source_and_a_problem() {
    let mut model = opened(Fake::with_problems(2));
    assert_eq!(lines(&press(&mut model, "5 y")), ["payments.db rowid 48211"]);
    assert_eq!(
        lines(&press(&mut model, "tab y")),
        ["payments-eu.csv line 1: amount \"1OO.00\" is not a decimal"]
    );
    let raw = ["amount \"1OO.00\" is not a decimal", "rf_1,1OO.00,USD\u{1b}[2J"];
    assert_eq!(lines(&press(&mut model, "v y")), raw);
    let mut model = opened(Fake::with_hazards());
    let copied = lines(&press(&mut model, "2 y"));
    assert_eq!((copied.len(), copied[0].starts_with('H')), (3, true));
}

#[test]
fn how_it_was_copied_is_said_and_an_error_stays() {
    let mut model = opened(Fake::refunds());
    let said = |model: &mut _, result: Result<&str, &str>| {
        update(model, Msg::Sent(result.map(str::to_owned).map_err(str::to_owned)))
    };
    assert!(matches!(said(&mut model, Ok("sent 3 characters"))[..], [Cmd::Timer { .. }]));
    assert_eq!(message(&model), "sent 3 characters");
    assert_eq!(said(&mut model, Err("too long")), []);
    assert_eq!(message(&model), "! nothing was copied: too long");
    assert_eq!(
        press(&mut opened(Fake::clean()), "y")
            .iter()
            .filter(|c| matches!(c, Cmd::Copy { copied: Copied { .. }, .. }))
            .count(),
        0
    );
}
