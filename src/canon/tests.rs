//! Every vector of `1-model.md` 1.6, the published ones of RFC 8785, and properties.

use proptest::prelude::*;
use serde_json::Value;

use super::*;

fn bits(bits: u64) -> String {
    number(f64::from_bits(bits)).unwrap()
}

fn refused(json: &str) -> NotCanonical {
    canonical(json).unwrap_err()
}

#[test]
fn numbers_of_ecmascript() {
    let table: [(u64, &str); 30] = [
        (0x8000_0000_0000_0000, "0"),
        (0x0000_0000_0000_0000, "0"),
        (0x0000_0000_0000_0001, "5e-324"),
        (0x8000_0000_0000_0001, "-5e-324"),
        (0x7fef_ffff_ffff_ffff, "1.7976931348623157e+308"),
        (0xffef_ffff_ffff_ffff, "-1.7976931348623157e+308"),
        (0x4340_0000_0000_0000, "9007199254740992"),
        (0xc340_0000_0000_0000, "-9007199254740992"),
        (0x4430_0000_0000_0000, "295147905179352830000"),
        (0x444b_1ae4_d6e2_ef4e, "999999999999999700000"),
        (0x444b_1ae4_d6e2_ef4f, "999999999999999900000"),
        (0x444b_1ae4_d6e2_ef50, "1e+21"),
        (0x3eb0_c6f7_a0b5_ed8c, "9.999999999999997e-7"),
        (0x3eb0_c6f7_a0b5_ed8d, "0.000001"),
        (0x44b5_2d02_c7e1_4af5, "9.999999999999997e+22"),
        (0x44b5_2d02_c7e1_4af6, "1e+23"),
        (0x44b5_2d02_c7e1_4af7, "1.0000000000000001e+23"),
        (0xbecb_f647_612f_3696, "-0.0000033333333333333333"),
        (0x41b3_de43_5555_5553, "333333333.3333332"),
        (0x41b3_de43_5555_5554, "333333333.33333325"),
        (0x41b3_de43_5555_5555, "333333333.3333333"),
        (0x41b3_de43_5555_5556, "333333333.3333334"),
        (0x41b3_de43_5555_5557, "333333333.33333343"),
        (0x4314_3ff3_c1cb_0959, "1424953923781206.2"),
        (0x3ff0_0000_0000_0000, "1"),
        (0x4059_0000_0000_0000, "100"),
        (0x3fb9_9999_9999_999a, "0.1"),
        (0xbff8_0000_0000_0000, "-1.5"),
        (0x3e7a_d7f2_9abc_af48, "1e-7"),
        (0x40fe_240c_9fbe_76c9, "123456.789"),
    ];
    for (input, text) in table {
        assert_eq!(bits(input), text, "{input:016x}");
    }
    for none in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        assert_eq!(number(none), None);
    }
}

#[test]
fn the_payload_of_a_refund() {
    let table = [
        ("4812", 20_000, "789fe20ff934e8ab951e404e84c5b83044c6ee453bf7a1526af5036ad2e3faa6"),
        ("4812", 15_000, "4b8bd1523311334fd5bc481024f3cce7151fed071dc090d5f0a8674f1a0f17ee"),
        ("1234", 20_000, "ef2fd1f5f3709692d9dd57787b13d0b506d7a11f7d5e143d790391e56a544253"),
    ];
    for (order, amount, digest) in table {
        let json = format!(
            r#"{{"order_id":"{order}","intent_type":"refund","amount_minor":{amount},"currency":"USD"}}"#
        );
        let text = format!(
            r#"{{"amount_minor":{amount},"currency":"USD","intent_type":"refund","order_id":"{order}"}}"#
        );
        assert_eq!(canonical(&json).unwrap(), text);
        assert_eq!(hash(&json).unwrap(), digest);
        let fields = [
            ("order_id", JsonScalar::Text(order)),
            ("intent_type", JsonScalar::Text("refund")),
            ("amount_minor", JsonScalar::Int(amount)),
            ("currency", JsonScalar::Text("USD")),
        ];
        assert_eq!(derived_key(&fields).unwrap(), digest);
        assert_eq!(derived_text(&fields).unwrap(), text);
    }
    let token = [("amount_minor", JsonScalar::Number("2e4")), ("currency", JsonScalar::Text("USD"))];
    assert_eq!(derived_text(&token).unwrap(), r#"{"amount_minor":20000,"currency":"USD"}"#);
}

#[test]
fn sha_256() {
    assert_eq!(sha256_hex(b""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    assert_eq!(sha256_hex(b"abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

/// The entries of the audit log that `3-lifecycle.md` 3.6.4 prints are canonical.
#[test]
fn entries_of_the_audit_log() {
    let first = r#"{"action":"case_created","actor":{"host":"tri-2","kind":"human","name":"dana","source":"flag"},"after":{"case_id":"refunds-2026-11-30"},"before":null,"evidence":[],"note":"opened for the morning triage","prev":"0000000000000000000000000000000000000000000000000000000000000000","reason":null,"schema":"recount.audit.v1","seq":1,"subject":{"id":"refunds-2026-11-30","type":"case"},"tool":"recount 0.1.0","ts":"2026-11-30T08:00:00.000Z"}"#;
    assert_eq!(canonical(first).unwrap(), first);
    assert_eq!(hash(first).unwrap(), "f43409002f7e7f7bd29f2c9e18bbcf34ed920778c10dc05d9859e98843209f7d");
    let second = r#"{"action":"note","actor":{"host":"tri-2","kind":"human","name":"dana","source":"flag"},"after":null,"before":null,"evidence":["ticket:SUP-2291"],"note":"café refund €900?","prev":"f43409002f7e7f7bd29f2c9e18bbcf34ed920778c10dc05d9859e98843209f7d","reason":null,"schema":"recount.audit.v1","seq":2,"subject":{"id":"int_4812","type":"intent"},"tool":"recount 0.1.0","ts":"2026-11-30T08:00:05.250Z"}"#;
    assert_eq!(canonical(second).unwrap(), second);
    assert_eq!(hash(second).unwrap(), "2c54666b54fdc5a2bf321a9c350c739d1f8491bec9839ba061d6b71416f7d8e2");
}

#[test]
fn names_are_sorted_by_utf_16_units() {
    let json = r#"{"\u20ac":"Euro Sign","\r":"Carriage Return","\ufb33":"Hebrew Letter Dalet With Dagesh","1":"One",
        "\ud83d\ude00":"Emoji: Grinning Face","\u0080":"Control","\u00f6":"Latin Small Letter O With Diaeresis"}"#;
    let text = "{\"\\r\":\"Carriage Return\",\"1\":\"One\",\"\u{80}\":\"Control\",\
        \"\u{f6}\":\"Latin Small Letter O With Diaeresis\",\"\u{20ac}\":\"Euro Sign\",\
        \"\u{1f600}\":\"Emoji: Grinning Face\",\"\u{fb33}\":\"Hebrew Letter Dalet With Dagesh\"}";
    assert_eq!(canonical(json).unwrap(), text);
    assert_eq!(
        canonical(r#"{"b":1,"":2,"a":3,"aa":4,"A":5}"#).unwrap(),
        r#"{"":2,"A":5,"a":3,"aa":4,"b":1}"#
    );
}

#[test]
fn the_example_of_the_rfc() {
    let json = r#"{
        "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
        "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
        "literals": [null, true, false]
    }"#;
    let text = "{\"literals\":[null,true,false],\"numbers\":[333333333.3333333,1e+30,4.5,0.002,1e-27],\
        \"string\":\"\u{20ac}$\\u000f\\nA'B\\\"\\\\\\\\\\\"/\"}";
    assert_eq!(canonical(json).unwrap(), text);
}

#[test]
fn only_what_must_be_escaped_is_escaped() {
    let json = r#""\b\t\n\f\r\"\\\u0000\u001F\u007f\/é\u00e9\u2028😀""#;
    let text = "\"\\b\\t\\n\\f\\r\\\"\\\\\\u0000\\u001f\u{7f}/éé\u{2028}😀\"";
    assert_eq!(canonical(json).unwrap(), text);
    // No Unicode normalisation: é as one or as two characters stays what it is.
    assert_ne!(canonical("\"e\u{301}\"").unwrap(), canonical("\"\u{e9}\"").unwrap());
}

#[test]
fn values_alone_and_white_space() {
    let table = [
        (" null ", "null"),
        ("true", "true"),
        ("\n[ 1 , 2 ]\t", "[1,2]"),
        ("{ }", "{}"),
        ("[]", "[]"),
        ("-0", "0"),
        ("-0.0", "0"),
        ("200", "200"),
        ("200.0", "200"),
        ("2e2", "200"),
        ("1e-400", "0"),
        ("[[],[{}],{\"a\":[]}]", "[[],[{}],{\"a\":[]}]"),
    ];
    for (json, text) in table {
        assert_eq!(canonical(json).unwrap(), text, "{json}");
    }
}

#[test]
fn whole_numbers_beyond_a_double_are_refused() {
    for fine in ["9007199254740991", "-9007199254740991"] {
        assert_eq!(canonical(fine).unwrap(), fine);
    }
    assert_eq!(canonical("9007199254740991.0").unwrap(), "9007199254740991");
    assert_eq!(canonical("1e21").unwrap(), "1e+21");
    for beyond in [
        "9007199254740992",
        "-9007199254740992",
        "9007199254740993",
        "18446744073709551615",
        "18446744073709551616",
        "100000000000000000000000000000000",
        "9007199254740992.0",
        "9007199254740993.0",
        "1e20",
    ] {
        assert_eq!(refused(beyond), NotCanonical::BeyondDouble { at: "the value".into() }, "{beyond}");
    }
    let why = refused(r#"{"order_id":9007199254740993}"#);
    assert_eq!(why.to_string(), "order_id is beyond 2^53: send it as text");
    let why = refused(r#"{"a":[{"b":0},{"b":12345678901234567890}]}"#);
    assert_eq!(why.to_string(), "a[1].b is beyond 2^53: send it as text");
}

#[test]
fn numbers_that_are_not_finite_are_refused() {
    assert_eq!(refused("[1e400]"), NotCanonical::NotFinite { at: "[0]".into() });
    assert_eq!(refused(r#"{"x":-1e309}"#).to_string(), "x is too large for a number: send it as text");
    for json in ["NaN", "[Infinity]", "-Infinity", "nan"] {
        assert!(matches!(refused(json), NotCanonical::NotJson(_)), "{json}");
    }
}

#[test]
fn names_that_are_there_twice_are_refused() {
    assert_eq!(refused(r#"{"a":1,"b":2,"a":1}"#), NotCanonical::Duplicate { at: "a".into() });
    assert_eq!(refused(r#"{"a":1,"\u0061":2}"#), NotCanonical::Duplicate { at: "a".into() });
    assert_eq!(refused(r#"{"o":[0,{"x":1,"x":2}]}"#).to_string(), "o[1].x is there twice");
    let twice = [("a", JsonScalar::Null), ("a", JsonScalar::Bool(true))];
    assert_eq!(derived_key(&twice), Err(NotCanonical::Duplicate { at: "a".into() }));
}

#[test]
fn lone_surrogates_are_refused() {
    for token in [r#""\ud800""#, r#""\udc00""#, r#""a\ud83dx""#, r#""\ud83d\ud83d""#, r#""\ude00\ud83d""#] {
        assert_eq!(refused(token), NotCanonical::LoneSurrogate { at: "the value".into() }, "{token}");
    }
    assert_eq!(refused(r#"{"note":["\uDEAD"]}"#).to_string(), "note[0] has a lone surrogate");
    assert!(matches!(refused(r#"{"\ud800":1}"#), NotCanonical::LoneSurrogate { .. }));
}

#[test]
fn levels_are_counted() {
    let nested = |levels: usize| format!("{}{}", "[".repeat(levels), "]".repeat(levels));
    assert_eq!(canonical(&nested(127)).unwrap(), nested(127));
    assert_eq!(canonical(&nested(128)).unwrap(), nested(128));
    assert_eq!(refused(&nested(129)), NotCanonical::TooDeep);
    assert_eq!(refused(&nested(1_000_000)), NotCanonical::TooDeep);
    let objects = |levels: usize| format!("{}1{}", "{\"a\":".repeat(levels), "}".repeat(levels));
    assert_eq!(canonical(&objects(128)).unwrap(), objects(128));
    assert_eq!(refused(&objects(129)), NotCanonical::TooDeep);
    // Brackets in a text are no levels.
    let text = format!("\"\\\"{}\"", "[".repeat(200));
    assert_eq!(canonical(&text).unwrap(), text);
}

#[test]
fn what_is_not_json_is_refused() {
    let bad = [
        "",
        " ",
        "{",
        "[1,]",
        "{\"a\":1,}",
        "{a:1}",
        "'a'",
        "01",
        "+1",
        "1.",
        ".5",
        "1e",
        "[1] 2",
        "\"a",
        "\"\t\"",
        "\"\\x\"",
        "\"\\u12\"",
        "tru",
        "//",
        "{\"a\" 1}",
        "{1:2}",
        "\u{feff}1",
    ];
    for json in bad {
        assert!(matches!(refused(json), NotCanonical::NotJson(_)), "{json:?}");
    }
    for token in ["", "x", "1,\"b\":2", "1 ", " 1", "01", "true", "\"1\"", "-", "1}"] {
        assert!(derived_key(&[("n", JsonScalar::Number(token))]).is_err(), "{token:?}");
    }
    assert!(derived_key(&[("n", JsonScalar::Int(i64::MAX))]).is_err());
}

fn json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        (-9_007_199_254_740_991_i64..=9_007_199_254_740_991).prop_map(Value::from),
        "-?[0-9]{1,5}\\.[0-9]{1,4}".prop_map(|number| Value::from(number.parse::<f64>().unwrap())),
        any::<String>().prop_map(Value::from),
        "[\\x00-\\x20a-z\"\\\\]{0,8}".prop_map(Value::from),
    ];
    leaf.prop_recursive(5, 64, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
            prop::collection::btree_map(any::<String>(), inner, 0..6)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

/// Writes a value with its members in another order and with white space.
fn shuffled(value: &Value, seed: usize) -> String {
    match value {
        Value::Array(items) => {
            let items: Vec<_> = items.iter().map(|item| shuffled(item, seed)).collect();
            format!("[ {} ]", items.join(" ,\n"))
        }
        Value::Object(members) => {
            let mut members: Vec<_> = members
                .iter()
                .map(|(name, value)| format!("{} :\t{}", Value::from(name.as_str()), shuffled(value, seed)))
                .collect();
            if !members.is_empty() {
                let by = seed % members.len();
                members.rotate_left(by);
            }
            format!("{{ {} }}", members.join(" , "))
        }
        leaf => leaf.to_string(),
    }
}

proptest! {
    #[test]
    fn canonical_is_stable_and_means_the_same(value in json(), seed in any::<usize>()) {
        let text = canonical(&value.to_string()).unwrap();
        prop_assert_eq!(&canonical(&text).unwrap(), &text);
        prop_assert_eq!(&canonical(&shuffled(&value, seed)).unwrap(), &text);
        let back: Value = serde_json::from_str(&text).unwrap();
        prop_assert_eq!(as_doubles(&back), as_doubles(&value));
    }

    #[test]
    fn numbers_read_back_to_the_same_double(bits in any::<u64>()) {
        let value = f64::from_bits(bits);
        match number(value) {
            Some(text) => {
                let back: f64 = text.parse().unwrap();
                prop_assert!(back.to_bits() == bits || (text == "0" && bits << 1 == 0), "{}", text);
                prop_assert!(serde_json::from_str::<Value>(&text).is_ok());
                // What `canonical` writes, it reads: only whole numbers beyond a double are refused.
                if let Ok(canonical) = canonical(&text) {
                    prop_assert_eq!(canonical, text);
                } else {
                    prop_assert!(text.bytes().all(|b| b == b'-' || b.is_ascii_digit()) && text.len() > 15);
                }
            }
            None => prop_assert!(!value.is_finite()),
        }
    }

    #[test]
    fn nothing_panics(text in "\\PC{0,60}", json in "[\\[\\]{}\",:0-9eE.\\\\udabntrfls -]{0,60}") {
        for text in [text, json] {
            if let Ok(form) = canonical(&text) {
                prop_assert_eq!(canonical(&form).unwrap(), form);
                prop_assert!(serde_json::from_str::<&serde_json::value::RawValue>(&text).is_ok());
            }
        }
    }

    #[test]
    fn the_order_of_fields_makes_no_key(a in "[a-z]{1,8}", b in "[A-Z]{1,8}", text in any::<String>(), number in any::<i32>()) {
        let one = (a.as_str(), JsonScalar::Text(&text));
        let two = (b.as_str(), JsonScalar::Int(i64::from(number)));
        prop_assert_eq!(derived_key(&[one, two]).unwrap(), derived_key(&[two, one]).unwrap());
    }
}

/// Numbers as doubles, so that `1` and `1.0` compare equal.
fn as_doubles(value: &Value) -> Value {
    match value {
        Value::Number(number) => Value::from(number.as_f64().unwrap()),
        Value::Array(items) => items.iter().map(as_doubles).collect(),
        Value::Object(members) => {
            members.iter().map(|(name, value)| (name.clone(), as_doubles(value))).collect()
        }
        other => other.clone(),
    }
}
