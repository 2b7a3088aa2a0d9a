use super::*;
use crate::sources::filter;

fn path(text: &str) -> Place {
    Place::Path(PathBuf::from(text))
}

#[test]
fn only_format_names_are_prefixes() {
    for (text, format, place) in [
        ("native:t.jsonl", Some("native"), path("t.jsonl")),
        ("2026-11-30T09:14.jsonl", None, path("2026-11-30T09:14.jsonl")),
        ("C:\\x", None, path("C:\\x")),
        ("./native:t.jsonl", None, path("./native:t.jsonl")),
        ("Native:t", None, path("Native:t")),
        ("sqlite:a:b.db", Some("sqlite"), path("a:b.db")),
        ("-", None, Place::StandardInput),
        ("csv:-", Some("csv"), Place::StandardInput),
        ("what?.jsonl", None, path("what?.jsonl")),
    ] {
        let address = plain(text).unwrap();
        assert_eq!((address.format, address.place), (format, place), "{text}");
    }
    assert_eq!(plain("csv:").unwrap_err(), AddressError::Nothing);
}

#[test]
fn options_stand_behind_the_question_mark() {
    let address = with_options("sqlite:payments.db?table=refunds").unwrap();
    assert_eq!((address.format, address.place), (Some("sqlite"), path("payments.db")));
    assert_eq!(address.options.table.as_deref(), Some("refunds"));
    let address = with_options("csv:F?exported_at=2026-11-30T09:00:00Z&id=provider&part").unwrap();
    assert_eq!(address.id.as_deref(), Some("provider"));
    assert_eq!(address.options.exported_at.as_deref(), Some("2026-11-30T09:00:00Z"));
    assert!(address.options.part);
    let address = with_options("a%3Fb%23c%26d%25.db?scope=channel%20%3D%20agent&where=region=eu").unwrap();
    assert_eq!(address.place, path("a?b#c&d%.db"));
    assert_eq!(address.options.scope, filter::parse("channel = agent").unwrap());
    assert_eq!(address.options.partition, [("region".to_owned(), "eu".to_owned())]);
    let address = with_options("F?kind=json&kind=refund&columns.key=meta.key").unwrap();
    assert_eq!((address.format, address.options.kind.as_deref()), (Some("json"), Some("refund")));
    assert_eq!(address.options.columns.len(), 1);
    for server in ["postgres://host/db?table=t", "service=books"] {
        let address = with_options(server).unwrap();
        assert_eq!(address.format, Some("postgres"));
        assert!(matches!(address.place, Place::Server(_)), "{server}");
    }
}

#[test]
fn unknown_keys_name_the_nearest() {
    let error = with_options("F?tabel=refunds").unwrap_err();
    assert!(
        error
            .to_string()
            .starts_with("the option `tabel` is not known; did you mean `table`?; known are id, ")
    );
    let AddressError::UnknownOption { near, .. } = with_options("F?zzzzzz=1").unwrap_err() else { panic!() };
    assert_eq!(near, "");
}

#[test]
fn values_must_fit() {
    for (option, why) in [
        ("part=maybe", "it is true or false"),
        ("role=boss", "it is one of authority, replica, second_witness, write_path"),
        ("skew_ms=-1", "it is a whole number of milliseconds"),
        ("skew_ms=1.5", "it is a whole number of milliseconds"),
        ("negative_is=both", "it is effect or reversal"),
        ("normalise=lower", "its steps are uuid, trim, collapse_space, casefold"),
        ("exponent_override=ISK", "it is CURRENCY:DECIMALS"),
        ("where=eu", "it is FIELD=VALUE"),
        ("scope=a%20%3E%205", "`>` is not a comparison of filters"),
    ] {
        let error = with_options(&format!("F?{option}")).unwrap_err();
        let AddressError::BadValue { why: said, .. } = error else { panic!("{option}: {error}") };
        assert_eq!(said, why, "{option}");
    }
    assert_eq!(with_options("a%.db").unwrap_err(), AddressError::Escape("a%.db".to_owned()));
    assert_eq!(with_options("a%2.db").unwrap_err(), AddressError::Escape("a%2.db".to_owned()));
    assert_eq!(with_options("?table=t").unwrap_err(), AddressError::Nothing);
}

#[test]
fn every_listed_key_is_known() {
    for key in KEYS {
        let value = match key {
            "moves_money" | "part" | "final" | "frozen" | "live" | "can_prove_absence" | "complete"
            | "intents_complete" => "true",
            "role" => "replica",
            "where" => "region=eu",
            "scope" => "run",
            "coverage_rule" => "snapshot",
            "skew_ms" => "0",
            "exponent_override" => "ISK:2",
            "normalise" => "uuid,trim",
            "negative_is" => "effect",
            "completeness" => "cut",
            "format" => "csv",
            _ => "x",
        };
        assert!(with_options(&format!("F?{key}={value}")).is_ok(), "{key}");
    }
}
