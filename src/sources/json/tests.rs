//! Both parsers give the same slots and refuse the same records: tables of named inputs, then mutated lines.

use super::*;

const WANTED: &[&[&str]] = &[
    &["event"],
    &["attempt_id", "call_id"],
    &["operation_id", "intent_id"],
    &["payload", "args"],
    &["payload.amount", "args.amount", "amount"],
    &["payload.order.id"],
    &["result.id", "receipt"],
    &["outcome"],
    &["text"],
    &["payload.amount"],
];

/// Lines of every shape: what the formats really have, and what JSON allows.
const SEEDS: &[&str] = &[
    r#"{"event":"attempt","attempt_id":"att_00000001","operation_id":"refund:order_110004:request_4668","run_id":"run_0","payload":{"order_id":"110004","amount":"115.48","currency":"USD","reason":"agent approved: \"price match\""},"sent_at":"2026-11-30T10:00:00.235Z","outcome":"timeout"}"#,
    r#"{"event": "attempt_finished", "call_id": "c1", "result": {"id": "rf_1", "amount": 12.50}, "ok": true, "n": null}"#,
    r#"  { "event" : "x" , "args" : { "amount" : -1.5e+3 , "order" : { "id" : 7 } } , "list" : [ 1 , 2 , [ ] , { } ] }  "#,
    r#"{"payload":{"order":{"id":"o\/1"},"amount":0},"receipt":"r","text":"\u00e9\ud83d\ude00 \t plain ü 😀 text"}"#,
    r#"{"\u0065vent":"escaped key","intent\u005fid":"i","unknown\n":1,"a\"b":{"\u0061":1,"b":2}}"#,
    r#"{"amount":12345678901234567890.123456789012345678901234567890,"outcome":false,"deep":[[[[{"a":[{"b":{}}]}]]]]}"#,
    r#"{"a":1,"b":2,"c":3,"d":4,"e":5,"f":6,"g":7,"h":8,"i":9,"j":10,"k":11,"l":12,"m":13,"n":14,"o":15,"p":16,"q":17,"r":18,"s":19,"t":20,"u":21,"v":22,"w":23,"x":24,"y":25,"z":26,"aa":27,"event":"late"}"#,
    r#"{"payload":"text not object","event":["not","text"],"result":[{"id":1},{"id":2}],"operation_id":{"id":3}}"#,
    r#"[{"event":"x"},[],{},"s",-0,0.1,1E5,true,false,null]"#,
    r#""only text""#,
    "12",
    "{}",
    r#"{"outcome":"a long text that goes on for more than one vector of bytes, and then over a second and a third one \\ "}"#,
    "{\"event\":\"x\",\r\n\t\"outcome\":\"y\"\n}",
];

/// Pieces that a mutation may put anywhere.
const PIECES: &[&str] = &[
    "\"",
    "\\",
    "\\\\",
    "\\u",
    "\\u0065",
    "\\ud800",
    "\\udc00",
    "\\ud83d\\ude00",
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    " ",
    "\n",
    "0",
    "-",
    "1.",
    ".5",
    "1e5",
    "E",
    "+",
    "true",
    "nul",
    "null",
    "\u{0}",
    "\u{1f}",
    "\u{7f}",
    "é",
    "\"event\":1,",
    "\"\\u0065vent\":1,",
    ",\"payload\":{}",
    "{\"a\":1,\"a\":2}",
    "\"amount\":1,",
    "[[[[",
    "{\"k\":",
    "\\/",
    "\\x",
    "01",
    "--1",
];

/// A small generator of numbers (xorshift), the same on every run.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, below: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 16).unwrap() % below.max(1)
    }

    fn place(&mut self, line: &[u8]) -> usize {
        self.roll(line.len() + 1)
    }
}

fn mutated(dice: &mut Dice) -> Vec<u8> {
    let mut line = SEEDS[dice.roll(SEEDS.len())].as_bytes().to_vec();
    for _ in 0..dice.roll(4) {
        let at = dice.place(&line);
        match dice.roll(9) {
            0 if at < line.len() => line[at] ^= 1 << dice.roll(8),
            1 if at < line.len() => line[at] = u8::try_from(dice.roll(256)).unwrap(),
            2 => line.truncate(at),
            3 | 4 => {
                let piece = PIECES[dice.roll(PIECES.len())].as_bytes().iter().copied();
                line.splice(at..at, piece);
            }
            // A stretch of another line, so that whole keys and values come twice or into other objects.
            5 | 6 => {
                let other = SEEDS[dice.roll(SEEDS.len())].as_bytes();
                let from = dice.place(other);
                let to = (from + dice.roll(40)).min(other.len());
                line.splice(at..at, other[from..to].iter().copied());
            }
            7 => {
                let to = (at + dice.roll(12)).min(line.len());
                line.drain(at..to);
            }
            _ => {
                let (open, close) = if dice.roll(2) == 0 { ("[", "]") } else { ("{\"k\":", "}") };
                let deep = [1, 2, 99, 100, 101, 126, 127, 128, 129, 130][dice.roll(10)];
                line = [open.repeat(deep).as_bytes(), &line, close.repeat(deep).as_bytes()].concat();
            }
        }
    }
    line
}

/// What a parser made of a line: the slots, or that it refused.
type Outcome<'a> = Result<Vec<(Option<&'a [u8]>, bool, bool)>, Why>;

fn outcome<'a>(reader: &mut Reader, line: &'a [u8]) -> Outcome<'a> {
    let mut slots = Slots::new();
    reader.read(line, &mut slots)?;
    Ok((0..WANTED.len())
        .map(|slot| (slots.raw(slot), slots.is_escaped(slot), slots.is_doubled(slot)))
        .collect())
}

fn differ(want: &Want, lines: usize, seed: u64) {
    let mut dice = Dice(seed);
    let mut scan = Reader::new(want.clone(), Parser::Scan);
    let mut shapes = Reader::new(want.clone(), Parser::Shapes);
    let mut serde = Reader::new(want.clone(), Parser::Serde);
    let mut accepted = 0;
    for number in 0..lines {
        if number % 300 == 0 {
            // What a reader remembers fills up: begin anew, so that every state of it is met.
            scan = Reader::new(want.clone(), Parser::Scan);
            shapes = Reader::new(want.clone(), Parser::Shapes);
            // The shapes of whole lines, which the mutated ones all but fit.
            for _ in 0..8 {
                outcome(&mut shapes, SEEDS[dice.roll(SEEDS.len())].as_bytes()).unwrap();
            }
        }
        let line = mutated(&mut dice);
        let (one, other) = (outcome(&mut scan, &line), outcome(&mut serde, &line));
        assert_eq!(outcome(&mut shapes, &line), one, "{}", String::from_utf8_lossy(&line));
        let known = SEEDS[dice.roll(SEEDS.len())].as_bytes();
        assert_eq!(outcome(&mut shapes, known), outcome(&mut serde, known));
        // The accepted difference: a number too large for a float in a field nobody wants.
        if matches!(&other, Err(Why::Syntax { message, .. }) if message == "number out of range") {
            continue;
        }
        let (one, other) = (one.map_err(|_| "refused"), other.map_err(|_| "refused"));
        assert_eq!(one, other, "{}", String::from_utf8_lossy(&line));
        accepted += usize::from(one.is_ok());
    }
    // The mutations are worth something only while both outcomes are frequent.
    assert!(accepted > lines / 5 && accepted < lines * 4 / 5, "{accepted} of {lines} accepted");
}

const LINES: usize = if cfg!(debug_assertions) { 10_000 } else { 400_000 };

#[test]
fn both_parsers_agree_on_mutated_lines() {
    differ(&Want::exact(WANTED).unwrap(), LINES, 0x9E37_79B9_7F4A_7C15);
}

#[test]
fn both_parsers_agree_with_loose_names() {
    differ(&Want::loose(WANTED).unwrap(), LINES, 0xD1B5_4A32_D192_ED03);
}

fn nested(open: &str, middle: &str, close: &str, deep: usize) -> String {
    [open.repeat(deep).as_str(), middle, close.repeat(deep).as_str()].concat()
}

fn both(line: &[u8]) -> Result<(), Why> {
    let [scan, shapes, serde] = [Parser::Scan, Parser::Shapes, Parser::Serde].map(|parser| {
        let want = Want::exact(WANTED).unwrap();
        Reader::new(want, parser).read(line, &mut Slots::new())
    });
    assert_eq!(scan, shapes, "{}", String::from_utf8_lossy(line));
    assert_eq!(scan, serde, "{}", String::from_utf8_lossy(line));
    assert_eq!(check(line), scan, "{}", String::from_utf8_lossy(line));
    scan
}

#[test]
fn every_prefix_of_a_line_is_refused() {
    for seed in SEEDS.iter().filter(|seed| seed.trim_start().starts_with(['{', '[', '"'])) {
        let line = seed.trim_end().as_bytes();
        assert_eq!(both(line), Ok(()), "{seed}");
        for end in 0..line.len() {
            assert!(both(&line[..end]).is_err(), "{}", String::from_utf8_lossy(&line[..end]));
        }
    }
}

#[test]
fn good_records() {
    for line in [
        "0",
        "-0",
        "0.0e-0",
        "1E+2",
        r#"{"event":1e400}"#,
        r#"{"":1}"#,
        r#"{"a":{"a":{"a":1}},"b":{"a":1}}"#,
        r#"[{"a":1},{"a":1}]"#,
        r#""\u0000\u001F\ud834\udd1e\uFFFF""#,
        "\"\u{7f}\u{80}\u{2028}\u{10ffff}\"",
        " \t\r\n{}\n\r\t ",
        r#"{"A":1,"a":2}"#,
        r#"{"e\u0301":1,"\u00e9":2}"#,
    ] {
        let want = Want::exact(&[&["event"]]).unwrap();
        for parser in [Parser::Shapes, Parser::Scan, Parser::Serde] {
            assert_eq!(
                Reader::new(want.clone(), parser).read(line.as_bytes(), &mut Slots::new()),
                Ok(()),
                "{line}"
            );
        }
    }
}

/// What is to be said of a bad record.
#[derive(Clone, Copy)]
enum Said {
    Json(&'static str, usize),
    Twice(&'static str),
    Utf8(usize),
}

use Said::{Json, Twice, Utf8};

const BAD: &[(&str, &[u8], Said)] = &[
    ("nothing", b"", Json("EOF while parsing a value", 0)),
    ("blank", b"  ", Json("EOF while parsing a value", 1)),
    ("cut in a string", br#"{"event":"at"#, Json("EOF while parsing a string", 11)),
    ("cut after a value", br#"{"event":1"#, Json("EOF while parsing an object", 9)),
    ("comma at the end", br#"{"event":1,}"#, Json("trailing comma", 11)),
    ("comma at the end of a list", b"[1,]", Json("trailing comma", 3)),
    ("no comma", br#"{"a":1 "b":2}"#, Json("expected `,` or `}`", 7)),
    ("no colon", br#"{"a" 1}"#, Json("expected `:`", 5)),
    ("key without quotes", b"{a:1}", Json("key must be a string", 1)),
    ("two records on one line", br#"{"a":1}{"a":1}"#, Json("trailing characters", 7)),
    ("leading zero", br#"{"a":01}"#, Json("invalid number", 6)),
    ("plus", b"+1", Json("expected value", 0)),
    ("no digit after the point", br#"{"event":1.}"#, Json("invalid number", 11)),
    ("not a number", b"NaN", Json("expected value", 0)),
    ("word", b"nulll", Json("trailing characters", 4)),
    (
        "line feed in a string",
        b"\"a\nb\"",
        Json("control character (\\u0000-\\u001F) found while parsing a string", 3),
    ),
    ("unknown escape", br#""\x41""#, Json("invalid escape", 2)),
    ("hex", br#""\u00g0""#, Json("invalid escape", 6)),
    ("lone surrogate", br#"{"a":"\ud800"}"#, Json("unexpected end of hex escape", 12)),
    (
        "lone surrogate in a wanted field",
        br#"{"event":"\udc00"}"#,
        Json("lone leading surrogate in hex escape", 15),
    ),
    (
        "lone surrogate in a wanted object",
        br#"{"payload":{"x":["\udc00"]}}"#,
        Json("lone leading surrogate in hex escape", 23),
    ),
    ("two leading surrogates", br#""\ud800\ud800""#, Json("lone leading surrogate in hex escape", 12)),
    ("not UTF-8", b"{\"a\":\"\xff\"}", Utf8(6)),
    ("half a character", b"\"\xc3", Utf8(1)),
    ("surrogate as bytes", b"\"\xed\xa0\x80\"", Utf8(1)),
    ("wanted key twice", br#"{"operation_id":"a","operation_id":"a"}"#, Twice("operation_id")),
    ("other key twice", br#"{"x":1,"y":2,"x":3}"#, Twice("x")),
    ("escaped key twice", br#"{"event":1,"\u0065vent":1}"#, Twice("event")),
    ("escaped key first", br#"{"\u0065vent":1,"event":1}"#, Twice("event")),
    ("other escaped key", br#"{"\u0078":1,"x":1}"#, Twice("x")),
    ("key with escapes that stay", br#"{"a\"b":1,"a\u0022b":1}"#, Twice("a\"b")),
    ("empty key", br#"{"":1,"":2}"#, Twice("")),
    ("deep in a list", br#"{"l":[[{"x":1,"x":1}]]}"#, Twice("x")),
    ("in a wanted object", br#"{"payload":{"amount":1,"amount":1}}"#, Twice("amount")),
    ("in an unwanted part of a wanted object", br#"{"payload":{"o":[{"z":1,"z":1}]}}"#, Twice("z")),
];

#[test]
fn bad_records_and_what_is_said() {
    for (name, line, said) in BAD {
        let why = match *said {
            Json(message, at) => Why::Syntax { message: message.to_owned(), at },
            Twice(key) => Why::KeyTwice { key: key.to_owned() },
            Utf8(at) => Why::NotUtf8 { at },
        };
        assert_eq!(both(line), Err(why), "{name}");
    }
}

#[test]
fn depth_127_and_128_are_read_and_129_is_not() {
    for (open, close) in [("[", "]"), ("{\"k\":", "}"), ("[{\"payload\":", "}]")] {
        let each = open.matches(['[', '{']).count();
        for deep in [126, 127, 128, 129, 130, 1000, 100_000] {
            let line = nested(open, "1", close, deep / each);
            let want = if deep / each * each <= DEPTH { Ok(()) } else { Err(Why::TooDeep) };
            assert_eq!(both(line.as_bytes()), want, "{open} {deep}");
        }
    }
    // A cut-off tower is refused for its depth, not for its end, wherever the library would have stopped.
    assert_eq!(check("[".repeat(129).as_bytes()), Err(Why::TooDeep));
    let cut = nested("{\"payload\":", "{\"payload\":[", "", 127);
    assert_eq!(check(cut.as_bytes()), Err(Why::TooDeep));
}

#[test]
fn many_keys_in_one_object() {
    for count in [23, 24, 25, 26, 39, 40, 41, 63, 64, 65, 5000] {
        let keys: Vec<String> = (0..count).map(|i| format!("\"k{i}\":{i}")).collect();
        assert_eq!(both(format!("{{{}}}", keys.join(",")).as_bytes()), Ok(()));
        for again in [0, count / 2, count - 1] {
            let line = format!("{{{},\"k{again}\":0}}", keys.join(","));
            assert_eq!(both(line.as_bytes()), Err(Why::KeyTwice { key: format!("k{again}") }), "{count}");
            let line = format!("{{\"x\":{{{},\"\\u006b{again}\":0}}}}", keys.join(","));
            assert_eq!(both(line.as_bytes()), Err(Why::KeyTwice { key: format!("k{again}") }), "{count}");
        }
    }
}

#[test]
fn a_reader_that_met_many_odd_keys_still_reads_the_wanted_ones() {
    let mut reader = Reader::new(Want::exact(WANTED).unwrap(), Parser::Scan);
    let mut slots = Slots::new();
    let lines: Vec<String> =
        (0..500).map(|i| format!("{{\"odd{i}\":1,\"payload\":{{\"odd{i}\":2}}}}")).collect();
    for line in &lines {
        reader.read(line.as_bytes(), &mut slots).unwrap();
    }
    reader.read(SEEDS[0].as_bytes(), &mut slots).unwrap();
    assert_eq!(slots.text(2).as_deref(), Some("refund:order_110004:request_4668"));
    assert_eq!(slots.text(4).as_deref(), Some("115.48"));
    let line = br#"{"odd400":1,"outcome":"x","odd400":2}"#;
    assert_eq!(reader.read(line, &mut slots), Err(Why::KeyTwice { key: "odd400".into() }));
    assert_eq!(slots.raw(7), None);
}

#[test]
fn every_record_length_around_a_vector() {
    for len in 0..70 {
        for end in ["", "\\n", "é"] {
            let line = format!("{{\"text\":\"{}{end}\"}}", "x".repeat(len));
            assert_eq!(both(line.as_bytes()), Ok(()));
            let mut reader = Reader::new(Want::exact(WANTED).unwrap(), Parser::Scan);
            let mut slots = Slots::new();
            reader.read(line.as_bytes(), &mut slots).unwrap();
            assert_eq!(slots.raw(8).map(<[u8]>::len), Some(len + end.len() + 2));
        }
    }
}

#[test]
fn a_learned_shape_gives_the_slots_of_the_scanner() {
    let want = Want::loose(WANTED).unwrap();
    let lines = [
        r#"{"event":"attempt","payload":{"amount":"1.00","Amount":2,"x":[1,"a",true]},"text":"a"}"#,
        r#"{"event":"","payload":{"amount":"","Amount":-2.5e7,"x":[0,"",true]},"text":"\u00e9 \"b\" "}"#,
        r#"{"event":"e\n","payload":{"amount":"12345","Amount":0,"x":[10,"\\",true]},"text":"ü😀"}"#,
        // Each differs from the first by one thing between the values.
        r#"{"event":"attempt","payload":{"amount":"1.00","Amount":2,"x":[1,"a",null]},"text":"a"}"#,
        r#"{"event":"attempt","payload":{"amount":1.00,"Amount":2,"x":[1,"a",true]},"text":"a"}"#,
        r#"{"event":"attempt","payload":{"amount":"1.00","Amount":2,"x":[1,"a",true]},"text":"a"} "#,
        r#"{"event":"attempt","payload":{"amount":"1.00","Amount":2,"x":[1,"a",true]},"text":"a","text":"a"}"#,
        r#"{"event":"attempt","payload":{"amount":"1.00","Amount":02,"x":[1,"a",true]},"text":"a"}"#,
        r#"{"event":"attempt","payload":{"amount":"1.00","Amount":2,"x":[1,"a",true]},"text":"\ud800"}"#,
    ];
    let mut shapes = Reader::new(want.clone(), Parser::Shapes);
    for line in lines.iter().chain(&lines) {
        let scanned = outcome(&mut Reader::new(want.clone(), Parser::Scan), line.as_bytes());
        assert_eq!(outcome(&mut shapes, line.as_bytes()), scanned, "{line}");
    }
}

/// Two looks into one value see the same.
fn same(noted: Node<'_>, walked: Node<'_>) {
    assert_eq!((noted.raw(), noted.at(), noted.kind()), (walked.raw(), walked.at(), walked.kind()));
    let (mut members, mut items) = (noted.members(), noted.items());
    for (name, value) in walked.members() {
        let (noted_name, noted_value) = members.next().unwrap();
        assert_eq!(noted_name, name);
        same(noted_value, value);
        let found = noted.get(&name.text());
        assert_eq!(
            found.map(|node| (node.raw(), node.at())),
            walked.get(&name.text()).map(|node| (node.raw(), node.at()))
        );
    }
    for value in walked.items() {
        same(items.next().unwrap(), value);
    }
    assert!(members.next().is_none() && items.next().is_none());
}

#[test]
fn what_was_noted_is_what_is_found_by_walking() {
    let mut dice = Dice(0x2545_F491_4F6C_DD1D);
    let (mut noter, mut tape) = (Noter::default(), Tape::default());
    for number in 0..LINES {
        if number % 300 == 0 {
            noter = Noter::default();
        }
        let line = mutated(&mut dice);
        let read = Reader::new(Want::default(), Parser::Scan).read(&line, &mut Slots::new());
        assert_eq!(noter.note(&line, &mut tape), read, "{}", String::from_utf8_lossy(&line));
        assert_eq!(tape.is_empty(), read.is_err());
        if read.is_ok() {
            same(Node::noted(&line, 100, &tape), Node::new(&line, 100));
        }
    }
}
