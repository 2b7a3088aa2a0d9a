//! The same ledgers in other forms: line ends, marks, columns and keys in another order, columns that nobody asked for,
//! other currencies. What is seen in them stays.

use super::{OWN, alone, column, control, given, seen, text};
use crate::world::{case, loaded, memory};
use recount::sources::spec::What;

/// Tables with a header.
const TABLES: [&str; 8] = [
    "stripe-itemized.csv",
    "stripe-payments.csv",
    "adyen.csv",
    "cur-legacy.csv",
    "cur2.csv",
    "hledger.csv",
    "beancount.csv",
    "psql.csv",
];

/// A file without a mark, because a test puts one there.
fn bare(name: &str) -> String {
    text(name).trim_start_matches('\u{feff}').to_owned()
}

fn table(name: &str) -> (Vec<Vec<String>>, u8) {
    let whole = bare(name);
    let separator = if whole.lines().next().unwrap().contains(';') { b';' } else { b',' };
    let mut reader = csv::ReaderBuilder::new()
        .delimiter(separator)
        .has_headers(false)
        .flexible(true)
        .from_reader(whole.as_bytes());
    let rows = reader.records().map(|row| row.unwrap().iter().map(str::to_owned).collect()).collect();
    (rows, separator)
}

fn written(rows: &[Vec<String>], separator: u8, ends: csv::Terminator) -> String {
    let mut writer = csv::WriterBuilder::new()
        .delimiter(separator)
        .terminator(ends)
        .quote_style(csv::QuoteStyle::Always)
        .flexible(true)
        .from_writer(Vec::new());
    for row in rows {
        writer.write_record(row).unwrap();
    }
    String::from_utf8(writer.into_inner().unwrap()).unwrap()
}

#[test]
fn columns_may_stand_anywhere() {
    for name in TABLES {
        let ((rows, separator), own) = (table(name), given(&text(name)));
        let (wanted, totals) = (seen(own.clone()), control(own));
        let turned: Vec<Vec<String>> = rows.iter().map(|row| row.iter().rev().cloned().collect()).collect();
        let more: Vec<Vec<String>> = rows
            .iter()
            .enumerate()
            .map(|(no, row)| {
                let extra =
                    if no == 0 { "Remark of ours".to_owned() } else { format!("{no}, \"so\"\nand so on") };
                std::iter::once(extra).chain(row.iter().cloned()).collect()
            })
            .collect();
        for (form, rows) in [("as it is", &rows), ("turned", &turned), ("with a column", &more)] {
            for ends in [csv::Terminator::Any(b'\n'), csv::Terminator::CRLF] {
                for mark in ["", "\u{feff}"] {
                    let text = format!("{mark}{}", written(rows, separator, ends));
                    assert_eq!(seen(given(&text)), wanted, "{name} {form} {ends:?} {mark:?}");
                    assert_eq!(control(given(&text)), totals, "{name} {form} {ends:?} {mark:?}");
                }
            }
        }
    }
}

#[test]
fn lines_may_end_otherwise() {
    for (name, wanted, totals) in OWN {
        let text = bare(name);
        let ended = text.replace("\r\n", "\n").replace('\n', "\r\n");
        assert_eq!(seen(given(&ended)), wanted, "{name}");
        assert_eq!(control(given(&ended)), totals, "{name}");
        assert_eq!(seen(given(&format!("\u{feff}{text}"))), wanted, "{name}");
    }
}

/// JSON by another writer: keys in another order, blanks, line ends; every value as a list or a line of its own.
#[test]
fn json_may_be_written_otherwise() {
    for name in
        ["stripe-refunds.json", "stripe-balance.json", "cloudtrail.json", "sendgrid.json", "blnk.json"]
    {
        let whole = text(name);
        let pages: Vec<serde_json::Value> =
            serde_json::Deserializer::from_str(&whole).into_iter().map(Result::unwrap).collect();
        let wanted = seen(given(&whole));
        let pretty: String = pages.iter().flat_map(|page| [format!("{page:#}"), "\n".to_owned()]).collect();
        assert_eq!(seen(given(&pretty)), wanted, "{name}");
        let narrow: String = pages.iter().flat_map(|page| [page.to_string(), "\n".to_owned()]).collect();
        assert_eq!(seen(given(&format!("\u{feff}{narrow}"))), wanted, "{name}");
    }
    for name in ["stripe-events.jsonl", "ses.jsonl", "tigerbeetle.jsonl", "formance.ndjson"] {
        let lines: Vec<serde_json::Value> =
            text(name).lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
        let wanted = seen(given(&text(name)));
        let together: String = lines.iter().flat_map(|line| [format!("{line:#}"), "\n".to_owned()]).collect();
        assert_eq!(seen(given(&together)), wanted, "{name} one behind the other");
        let apart: String = lines.iter().flat_map(|line| [line.to_string(), "\n\n".to_owned()]).collect();
        let blank =
            |text: String| text.split(" skipped").next().unwrap().rsplit_once(", ").unwrap().0.to_owned();
        assert_eq!(blank(seen(given(&apart))), blank(wanted), "{name} with blank lines");
    }
}

/// Three decimals, and none.
#[test]
fn other_currencies_keep_their_decimals() {
    for name in ["adyen.csv", "stripe-itemized.csv", "hledger.csv", "beancount.csv", "psql.csv"] {
        let of = |code: &str| {
            let text = text(name).replace("USD", code).replace("usd", &code.to_lowercase());
            seen(given(&text)).rsplit_once("back; ").unwrap().1.to_owned()
        };
        let dinars = of("KWD");
        let own = of("USD");
        let sum = |totals: &str, code: &str| {
            totals.split(", ").find_map(|one| one.strip_prefix(&format!("{code} "))).unwrap().to_owned()
        };
        assert_eq!(sum(&dinars, "KWD"), format!("{}0", sum(&own, "USD")), "{name}: {dinars} {own}");
        // What has cents cannot be yen: nothing is rounded.
        let yen = text(name).replace("USD", "JPY").replace("usd", "jpy");
        let world = alone(given(&yen));
        assert!(world.0.found[0].tally.problems + world.0.sources()[0].rows.unreadable > 0, "{name}");
    }
    // Minor units: the same digits, other decimals.
    let three = text("stripe-refunds.json").replace("\"usd\"", "\"bhd\"");
    assert!(seen(given(&three)).ends_with("BHD 44.140, JPY 7,000"), "{}", seen(given(&three)));
}

/// Amounts with more digits than are kept say so, and one record costs one record.
#[test]
fn an_amount_of_too_many_digits_says_so() {
    let log = |asset: &str, amount: &str, id: u32| {
        format!(
            "{{\"type\":\"NEW_TRANSACTION\",\"data\":{{\"transaction\":{{\"postings\":[{{\"source\":\"world\",\"destination\":\"users:1\",\
             \"amount\":{amount},\"asset\":\"{asset}\"}}],\"metadata\":{{}},\"timestamp\":\"2026-10-05T14:01:0{id}Z\",\"id\":{id},\"reverted\":false}}}},\
             \"date\":\"2026-10-05T14:01:0{id}Z\",\"idempotencyKey\":\"k{id}\",\"id\":{id},\"hash\":\"h{id}=\"}}\n"
        )
    };
    let why = |asset: &str, amount: &str| {
        let world = alone(given(&(log(asset, amount, 1) + &log("EUR/2", "250", 2))));
        let words: Vec<String> = world.0.problems().iter().map(|problem| problem.what.clone()).collect();
        (words.join("; "), seen(given(&(log(asset, amount, 1) + &log("EUR/2", "250", 2)))))
    };
    let (said, read) = why("ETH/18", "1500000000000000000");
    assert_eq!(said, "");
    assert!(read.ends_with("; 1.50000000000000000 ETH, EUR 2.50"), "{read}");
    assert!(read.contains(" 2 effects, 0 on the way, 0 none, 0 back; "), "{read}");
    for (asset, amount, wanted) in [
        ("ETH/18", "1234567890123456789", "has more than 18 digits"),
        ("ETH/18", "1234567890123456789012345678901234567890123", "is too large"),
        ("X/30", "1234567890123456789", "has more than 18 digits"),
        ("X/y", "5", "is not a decimal"),
    ] {
        let (said, _) = why(asset, amount);
        assert!(said.contains(wanted) && !said.contains("blank"), "{asset} {amount}: {said}");
    }
}

/// One call that starts several machines is as many effects, each by its own id.
#[test]
fn each_machine_of_one_call_is_an_effect() {
    let event = |items: &str, more: &str| {
        format!(
            "{{\"Records\":[{{\"eventID\":\"e1\",\"eventName\":\"RunInstances\",\"eventSource\":\"ec2.amazonaws.com\",\
             \"eventTime\":\"2026-10-05T14:01:01Z\",\"readOnly\":false,\"requestID\":\"rq-1\",\
             \"requestParameters\":{{\"clientToken\":\"tok-1\"}},\"responseElements\":{{\"requestId\":\"rq-1\",{more}\
             \"instancesSet\":{{\"items\":[{items}]}}}}}}]}}"
        )
    };
    let machine = |id: &str| {
        format!(
            "{{\"instanceId\":\"{id}\",\"imageId\":\"ami-1\",\"networkInterfaceSet\":{{\"items\":[{{\"networkInterfaceId\":\"eni-{id}\"}}]}}}}"
        )
    };
    let groups = "\"groupSet\":{\"items\":[{\"groupId\":\"sg-1\"},{\"groupId\":\"sg-2\"}]},";
    for (text, effects) in [
        (event(&machine("i-1"), ""), 1),
        (event(&[machine("i-1"), machine("i-2")].join(","), groups), 2),
        (event(&[machine("i-1"), machine("i-2"), machine("i-2")].join(","), ""), 2),
    ] {
        let wanted = format!("{effects} effects, 0 on the way, 0 none, 0 back; ");
        assert!(seen(given(&text)).contains(&wanted), "{}", seen(given(&text)));
    }
    // By the token of the call they are its own, and more than were meant.
    let two = event(&[machine("i-1"), machine("i-2")].join(","), groups);
    let call = "{\"tool\":\"run_instances\",\"operation_id\":\"op\",\"idempotency_key\":\"tok-1\",\"sent_at\":\"2026-10-05T14:01:00Z\",\"ended_at\":\"2026-10-05T14:01:02Z\",\"outcome\":\"success\"}\n";
    let world = loaded(case("2026-10-09T18:00:00Z", [memory(What::Trace, "trace", call), given(&two)]));
    let view = &world.views()[0];
    let ids: Vec<&str> = view.effects.iter().map(|effect| effect.id.as_str()).collect();
    assert_eq!((view.judgement.verdict(), view.judgement.gross, ids), ("DUPLICATED", 2, vec!["i-1", "i-2"]));
}

/// Rows of COPY without a header, mapped by the numbers of their columns.
#[test]
fn columns_without_names_are_mapped_by_their_numbers() {
    let rows =
        "9001\t7341\t30.60\tUSD\t2026-10-05 14:01:01+00\n9001\t7342\t30.60\tUSD\t2026-10-05 14:01:10+00\n";
    let mut source = given(rows);
    source.options.columns =
        [("effect_id", "2"), ("business_id", "1"), ("amount", "3"), ("currency", "4"), ("committed_at", "5")]
            .map(|(field, number)| (field.to_owned(), column(number)))
            .to_vec();
    assert_eq!(
        seen(source.clone()),
        "pg-copy: 2 read, 0 skipped, 0 unreadable; 2 effects, 0 on the way, 0 none, 0 back; USD 61.20"
    );
    let call = "{\"tool\":\"refund\",\"operation_id\":\"op\",\"business_id\":\"9001\",\"amount\":\"30.60\",\"currency\":\"USD\",\"sent_at\":\"2026-10-05T14:01:00Z\",\"ended_at\":\"2026-10-05T14:01:12Z\",\"outcome\":\"success\"}\n";
    let world = loaded(case("2026-10-09T18:00:00Z", [memory(What::Trace, "trace", call), source]));
    assert_eq!(world.views()[0].judgement.verdict(), "SUSPECTED_DUPLICATE");
}

/// Files that were put together have their header again: it is a row for nobody.
#[test]
fn a_header_that_stands_there_again_is_no_row() {
    for (name, header) in [
        ("plain", "refund_id,operation_id,amount,currency,created_at"),
        ("quoted", "\"refund_id\",operation_id,amount,\"currency\",created_at"),
    ] {
        let row = |id: u32| format!("r{id},op{id},5.00,EUR,2026-10-05T14:0{id}:00Z\n");
        let text = format!("{header}\n{}{header}\n{}", row(1), row(2));
        assert_eq!(
            seen(given(&text)),
            "csv: 2 read, 1 skipped, 0 unreadable; 2 effects, 0 on the way, 0 none, 0 back; EUR 10.00",
            "{name}"
        );
    }
    let again = format!("{}{}", bare("adyen.csv"), bare("adyen.csv"));
    let twice = seen(given(&again));
    assert!(twice.starts_with("adyen: 12 read, 1 skipped, 0 unreadable"), "{twice}");
}
