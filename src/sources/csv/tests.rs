use std::sync::atomic::AtomicBool;

use proptest::prelude::*;

use super::*;
use crate::sources::open::{Hints, Opened, open};
use crate::sources::recording::{Recording, spec};
use crate::sources::spec::{Options, What};

fn cells(line: &str) -> Vec<String> {
    let mut cells = Vec::new();
    split(line, b',', &mut cells);
    cells.into_iter().map(Cow::into_owned).collect()
}

#[test]
fn lines_are_cut_into_cells() {
    for (line, want) in [
        ("a,b,c", &["a", "b", "c"][..]),
        ("", &[""]),
        (",", &["", ""]),
        ("ä,ü€", &["ä", "ü€"]),
        (r#""a,b",c"#, &["a,b", "c"]),
        (r#""say ""hi""",x"#, &["say \"hi\"", "x"]),
        (r#""",x"#, &["", "x"]),
        (r#""""""#, &["\""]),
        ("\"two\nlines\",x", &["two\nlines", "x"]),
        (r#"a"b,c"#, &["a\"b", "c"]),
        (r#""a"b,c"#, &["ab", "c"]),
        (r#""open,c"#, &["open,c"]),
        ("x,", &["x", ""]),
        (r#""x","#, &["x", ""]),
    ] {
        assert_eq!(cells(line), want, "{line}");
    }
}

#[test]
fn nothing_is_copied_without_doubled_quotes() {
    let mut found = Vec::new();
    split("a,\"b,c\",d", b',', &mut found);
    assert!(found.iter().all(|cell| matches!(cell, Cow::Borrowed(_))));
}

#[test]
fn the_separator_is_the_one_that_cuts_most() {
    for (header, separator, names) in [
        ("id,amount", b',', &["id", "amount"][..]),
        ("id;amount;note, long", b';', &["id", "amount", "note, long"]),
        ("id\tamount", b'\t', &["id", "amount"]),
        ("id | amount", b'|', &["id", "amount"]),
        ("operation_id", b',', &["operation_id"]),
        ("\"id\",\"amount, all\"", b',', &["id", "amount, all"]),
    ] {
        let dialect = Dialect::of(header);
        assert_eq!(
            (dialect.separator, dialect.header.as_slice()),
            (separator, names.iter().map(|n| (*n).to_owned()).collect::<Vec<_>>().as_slice())
        );
    }
}

fn opened(text: &[u8]) -> Opened {
    open(&spec(What::Ledger, Options::default(), text), &Hints::default()).unwrap()
}

fn read(text: &[u8]) -> Recording {
    let mut out = Recording::default();
    opened(text).read_all(SourceNo(0), &std::sync::Arc::default(), &mut out).unwrap();
    out
}

#[test]
fn a_quote_that_is_never_closed_costs_its_line_only() {
    let rows =
        (0..3000).fold(String::new(), |rows, n| rows + &format!("rf_{n},{n},a note of some length here\n"));
    let text = format!("effect_id,amount,note\nfirst,1,x\n\"bad,2,y\n{rows}last,3,\"in, quotes\"\n");
    let out = read(text.as_bytes());
    let words = out.words();
    assert_eq!(words.len(), 3003);
    assert_eq!(words[0], "effect id=first amount=1");
    assert_eq!(words[1], "UNREADABLE_ROW a quote in it is not closed");
    assert_eq!((words[2], words[3002]), ("effect id=rf_0 amount=0", "effect id=last amount=3"));
    assert_eq!(out.places()[2], text.find("rf_0").unwrap() as u64);
}

#[test]
fn two_open_quotes_do_not_swallow_what_stands_between() {
    let text = "effect_id,amount\n\"a,1\nb,2\nc,3\n\"d,4\ne,5\n";
    assert_eq!(
        read(text.as_bytes()).words(),
        [
            "UNREADABLE_ROW a quote in it is not closed",
            "effect id=b amount=2",
            "effect id=c amount=3",
            "UNREADABLE_ROW a quote in it is not closed",
            "effect id=e amount=5"
        ]
    );
}

#[test]
fn strict_rows() {
    for (text, strict) in [
        ("a,b", true),
        ("\"a\",b", true),
        ("b,\"a\"", true),
        ("\"a\"\"b\",\"\"", true),
        ("\"a\"b,c", false),
        ("a\"b\",c", false),
        ("\"a,1\nb,2\n\"d,4", false),
        ("x,\"a\ny\",z", true),
    ] {
        assert_eq!(is_strict(text, b','), strict, "{text}");
    }
}

#[test]
fn line_ends_inside_quotes_belong_to_the_row() {
    let text = "effect_id,amount,note\r\na,1,\"two\r\nlines, here\"\r\nb,2,\r\n";
    let source = opened(text.as_bytes());
    assert!(!source.splits().unwrap());
    let mut out = Recording::default();
    let finished = source.read_all(SourceNo(0), &std::sync::Arc::default(), &mut out).unwrap();
    assert_eq!((out.words(), finished.records), (vec!["effect id=a amount=1", "effect id=b amount=2"], 2));
    let place = out.places()[0];
    assert_eq!(source.raw(place).unwrap().whole, "a,1,\"two\nlines, here\"");
    assert_eq!(source.fields(place).unwrap()[2], ("note".to_owned(), "two\nlines, here".to_owned()));
    assert_eq!(source.place_words(out.places()[1]).unwrap(), "source line 4");
}

#[test]
fn rows_that_are_no_utf8() {
    let out = read(b"effect_id,amount\na,1\nb\xff,2\nc,3\n");
    assert_eq!(
        out.words(),
        [
            "effect id=a amount=1",
            "UNREADABLE_ROW not UTF-8 from byte 1 of the record",
            "effect id=c amount=3"
        ]
    );
}

#[test]
fn several_workers_give_what_one_gives() {
    let rows = (0..2000).fold(String::new(), |rows, n| rows + &format!("rf_{n},{n}\n"));
    let text = format!("\n\neffect_id,amount\n{rows}");
    let source = opened(text.as_bytes());
    assert!(source.splits().unwrap());
    let whole = read(text.as_bytes());
    assert_eq!(whole.lines.len(), 2000 + 2);
    let never = AtomicBool::new(false);
    let mut out = Recording::default();
    let mut records = 0;
    for from in (0..source.len()).step_by(777) {
        let mut worker = source.worker(SourceNo(0)).unwrap();
        records += worker.part(from..from + 777, &never, &mut out).unwrap().records;
        records += worker.finish(&mut out);
    }
    assert_eq!(records, 2000);
    let rows = |out: &Recording| {
        out.lines.iter().filter(|line| line.contains("effect")).cloned().collect::<Vec<_>>()
    };
    assert_eq!(rows(&out), rows(&whole));
}

proptest! {
    /// What the usual writer writes is cut into the same cells.
    #[test]
    fn as_the_csv_crate(want in proptest::collection::vec("[abü,\"\n]{0,4}", 1..5)) {
        let mut writer = csv::WriterBuilder::new().from_writer(Vec::new());
        writer.write_record(&want).unwrap();
        let text = String::from_utf8(writer.into_inner().unwrap()).unwrap();
        let line = text.strip_suffix('\n').unwrap();
        prop_assert!(is_strict(line, b','), "{}", line);
        // The writer quotes a row that is one empty cell, so that it is not a blank line.
        prop_assert_eq!(cells(line), want);
    }

    /// No input makes reading fail, and no row is read twice.
    #[test]
    fn any_text_is_read(body in "[a1,\"\n\r]{0,60}") {
        let text = format!("effect_id,amount\n{body}");
        let out = read(text.as_bytes());
        let mut places = out.places();
        let before = places.len();
        places.dedup();
        prop_assert_eq!(places.len(), before);
    }
}
