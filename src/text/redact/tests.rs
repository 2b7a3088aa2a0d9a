//! Planted secrets, harmless text, and what holds for all text.

use proptest::prelude::*;

use super::*;

/// Text, and the part of it that must not be seen again.
#[rustfmt::skip]
const PLANTED: &[(&str, &str)] = &[
    // By name.
    ("password=hunter2", "hunter2"),
    ("Password: correct-horse-battery", "correct-horse-battery"),
    ("db_password='a b,c;d'", "a b,c;d"),
    ("login failed for user=dana, password=Tr0ub4dor&3, host=db", "Tr0ub4dor&3"),
    ("PGPASSWORD=s3cr3t psql -h db", "s3cr3t"),
    ("AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", "wJalrXUtnFEMI"),
    ("Server=db;User Id=sa;Password=P@ss;Word1;Database=x", "P@ss"),
    ("X-Api-Key: 7d9f3c1e5b", "7d9f3c1e5b"),
    ("api_key => 'abc123def'", "abc123def"),
    ("curl -H \"Authorization: Bearer abc.def.ghi\" https://api", "abc.def.ghi"),
    ("Authorization: Digest username=\"dana\", response=6629fae49393a", "username="),
    ("proxy-authorization: Basic ZGFuYTpwdw==", "ZGFuYTpwdw"),
    ("Cookie: session=8f3b; theme=dark", "8f3b"),
    ("Set-Cookie: sid=31d4d96e407aad42; HttpOnly", "31d4d96e407aad42"),
    ("GET /v1?access_token=EAAxyz123&limit=5", "EAAxyz123"),
    ("https://s3.example/o?X-Amz-Signature=fe5f80f77d5fa3", "fe5f80f77d5fa3"),
    ("recount --token abcd1234efgh check", "abcd1234efgh"),
    ("mysql --password=pw123 -u root", "pw123"),
    ("args: {\\\"api_key\\\": \\\"inner-secret\\\", \\\"n\\\": 1}", "inner-secret"),
    ("client_secret: \"q1w2e3\"", "q1w2e3"),
    ("token=abc)", "abc"),
    ("refresh_token=1/fFAGRNJru1FTz70BzhT3Zg", "fFAGRNJru1FTz70BzhT3Zg"),
    ("cvv: 737", "737"),
    ("auth: 9f8e7d6c", "9f8e7d6c"),
    ("auth=letters", "letters"),
    ("Passphrase: correct horse battery staple", "staple"),
    // By form.
    ("used sk_live_4eC39HqLyjWDarjtT1zdp7dc here", "4eC39HqLyjWDarjtT1zdp7dc"),
    ("rk_live_51H8xYzAbCdEf", "51H8xYzAbCdEf"),
    ("whsec_5f3b8a9c0d1e2f3a4b5c", "5f3b8a9c0d1e2f3a4b5c"),
    ("ghp_16C7e42F292c6912E7710c838347Ae178B4a", "16C7e42F292c6912"),
    ("github_pat_11ABCDEFG0abcdefghij_klmnop", "11ABCDEFG0abcdefghij"),
    ("xoxb-263594206564-FGqddMF8t08v8N7Oq4i57vs1", "263594206564"),
    ("AKIAIOSFODNN7EXAMPLE", "IOSFODNN7EXAMPLE"),
    ("AIzaSyDaGmWKa4JsXZ-HjGw7ISLn_3namBGewQe", "SyDaGmWKa4JsXZ"),
    ("sk-ant-api03-AbCdEfGhIjKlMnOpQrSt", "AbCdEfGhIjKlMnOpQrSt"),
    ("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", "ngeVfQFYQlKU0ufo8x5d1A"),
    ("eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.dozjgNryP4J3jVmNHl0w5N", "dozjgNryP4J3jVmNHl0w5N"),
    ("bearer 4f9c1e77a0b2", "4f9c1e77a0b2"),
    ("-----BEGIN RSA PRIVATE KEY-----\nMIIEowIBAAKCAQEA\n-----END RSA PRIVATE KEY-----", "MIIEowIBAAKCAQEA"),
    ("-----BEGIN OPENSSH PRIVATE KEY-----\\nb3BlbnNzaC1rZXk", "b3BlbnNzaC1rZXk"),
    ("postgres://recount:p@ss/w0rd@db.example/payments", "p@ss"),
    ("https://user:pa%20ss@host/x", "pa%20ss"),
    ("https://0123456789abcdef0123@git.example/x", "0123456789abcdef0123"),
    ("https://hooks.slack.com/services/T000/B000/XXXXYYYYZZZZ0000", "XXXXYYYYZZZZ0000"),
    ("bot 123456789:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsawA", "AAHdqTcvCH1vGWJxf"),
    ("pi_3Mtw_secret_YrKJUKribcBjcG8HVhfZ", "YrKJUKribcBjcG8HVhfZ"),
    // Cards.
    ("paid with 4242 4242 4242 4242", "4242 4242 4242"),
    ("pan 378282246310005.", "378282246310005"),
];

/// Text in which nothing is secret.
#[rustfmt::skip]
const HARMLESS: &[&str] = &[
    "", "refund:order_1234:request_9876", "int_9876", "cust_88", "re_3MtwBwLkdIwHu7ix28a3tqPa", "pi_3MtwBwLkdIwHu7ix28",
    "550e8400-e29b-41d4-a716-446655440000", "idempotency_key=3f0c9a52-1111-4222-8333-944455556666",
    "sha256 e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "digest: sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "1730966400000000000", "amount_minor=20000", "USD 200.00", "-200.00", "9007199254740993", "1234567812345678",
    "token: expired", "auth: user dana logged in", "12 pass: 3, pin: 12", "Error: invalid token.", "token=null", "the secret: none", "password: required",
    "max_tokens=512 prompt_tokens: 1204", "token_type: bearer", "a bearer of bad news", "Bearer authentication",
    "basic authentication failed", "authorization: denied by policy", "authorization_id=auth_1234567",
    "next_page_token=CAUQAA", "tokenizer: cl100k_base", "public_key=ssh-ed25519", "https://api.example.com:8443/v1/refunds?id=1",
    "ssh://git@github.com/x/y", "mailto:dana@example.com", "https://example.com/a@b", "http://[::1]:8080/x@y",
    "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----", "2026-11-30T08:41:00Z", "trace.jsonl lines 14 and 15",
    "task-1234567890123456789012345678901234567890", "risk_live_event", "SKU 12345", "password=${DB_PASSWORD}",
    "password=********", "api_key: {{ api_key }}", "eyJpZCI6MTIzfQ==", "key=partition-7", "def f(token: str) -> None",
    "4242424242424241", "https://example.com/api/webhooks/12",
];

#[test]
fn planted_secrets_are_not_seen_again() {
    assert!(PLANTED.len() >= 40);
    for (text, secret) in PLANTED {
        let shown = redact(text);
        assert!(!shown.contains(secret), "{text}\n{shown}");
        assert!(shown.contains("[redacted ") || shown.contains("[card .."), "{text}\n{shown}");
        assert_eq!(redact(&shown), shown, "twice");
        // The same in a record, as a value and as a value in JSON in a string.
        let value = crate::text::json_string(text);
        for record in [
            format!("{{\"note\":{value}}}"),
            format!("[{{\"arguments\":{}}}]", crate::text::json_string(&format!("{{\"note\":{value}}}"))),
        ] {
            let shown = redact_json(&record);
            assert!(!shown.contains(secret), "{record}\n{shown}");
            assert!(serde_json::from_str::<IgnoredAny>(&shown).is_ok(), "{shown}");
            assert_eq!(redact_json(&shown), shown, "twice");
        }
    }
}

use serde::de::IgnoredAny;

#[test]
fn harmless_text_stays() {
    assert!(HARMLESS.len() >= 40);
    for text in HARMLESS {
        assert_eq!(redact(text), *text);
        let record = format!("{{\"note\":{},\"n\":[1,2.50,-3e4,true,null]}}", crate::text::json_string(text));
        assert_eq!(redact_json(&record), record);
    }
}

#[test]
fn what_stands_for_a_secret() {
    assert_eq!(redacted("hello world"), "[redacted 11 chars, sha256 b94d]");
    assert_eq!(redacted("12345678"), "[redacted 8 chars, sha256 ef79]");
    assert_eq!(redacted("1234567"), "[redacted 7 chars]");
    assert!(redacted("größe größe").starts_with("[redacted 11 chars, sha256 "));
    assert_eq!(redact("password=hello-world."), format!("password={}.", redacted("hello-world")));
    assert_eq!(redact("a 4242424242424242 b"), "a [card ..4242] b");
    assert_eq!(
        redact("Authorization: Bearer abc.def-123"),
        format!("Authorization: Bearer {}", redacted("abc.def-123"))
    );
    assert_eq!(redact("x?token=abcdefgh&b=2"), format!("x?token={}&b=2", redacted("abcdefgh")));
    assert_eq!(redact("postgres://u:p@h/d"), format!("postgres://{}@h/d", redacted("u:p")));
}

#[test]
fn records_keep_their_form() {
    let secret = redacted("abcdefgh");
    for (raw, shown) in [
        (r#"{"api_key":"abcdefgh","id":"op_1"}"#, format!(r#"{{"api_key":"{secret}","id":"op_1"}}"#)),
        (
            r#"{ "a": [ {"Client-Secret" : "abcdefgh"} ] }"#,
            format!(r#"{{ "a": [ {{"Client-Secret" : "{secret}"}} ] }}"#),
        ),
        (r#"{"api_\u006bey":"abcdefgh"}"#, format!(r#"{{"api_\u006bey":"{secret}"}}"#)),
        (r#"{"token":"abc\u0064efgh"}"#, format!(r#"{{"token":"{secret}"}}"#)),
        (
            r#"{"credentials":{"user":"abcdefgh","n":[true,null,12]}}"#,
            format!(r#"{{"credentials":{{"user":"{secret}","n":[true,null,12]}}}}"#),
        ),
        (r#"{"pin":1234,"n":1234}"#, r#"{"pin":"[redacted 4 chars]","n":1234}"#.to_owned()),
        (r#"{"card":4242424242424242}"#, r#"{"card":"[card ..4242]"}"#.to_owned()),
        (
            r#"{"name":"authorization","value":"Bearer abcdefgh"}"#,
            format!(r#"{{"name":"authorization","value":"Bearer {secret}"}}"#),
        ),
        (
            r#"{"value":{"stringValue":"abcdefgh"},"key":"http.request.header.x-api-key"}"#,
            format!(r#"{{"value":{{"stringValue":"{secret}"}},"key":"http.request.header.x-api-key"}}"#),
        ),
        (
            r#"[["Cookie","abcdefgh"],["--password","abcdefgh","x"],["password","email"]]"#,
            format!(r#"[["Cookie","{secret}"],["--password","{secret}","x"],["password","email"]]"#),
        ),
        (
            r#"{"arguments":"{\"token\":\"abcdefgh\",\"n\":1}"}"#,
            format!(r#"{{"arguments":"{{\"token\":\"{secret}\",\"n\":1}}"}}"#),
        ),
        (
            r#"{"token":"","secret":null,"password":true,"otp":12}"#,
            r#"{"token":"","secret":null,"password":true,"otp":12}"#.to_owned(),
        ),
        // Broken and cut records.
        (r#"{"api_key":"abcdefgh","id":"op_1"#, format!(r#"{{"api_key":"{secret}","id":"op_1"#)),
        (r#"{"id":1,"token":"abcdefgh"#, format!(r#"{{"id":1,"token":"{secret}"#)),
        (
            r#"{"token":"abcdefgh",,}} password=abcdefgh"#,
            format!(r#"{{"token":"{secret}",,}}}} password={secret}"#),
        ),
        ("not json, token=abcdefgh", format!("not json, token={secret}")),
    ] {
        assert_eq!(redact_json(raw), shown, "{raw}");
        assert_eq!(redact_json(&shown), shown, "twice");
    }
}

#[test]
fn deep_records_are_read_without_recursion() {
    let deep = format!("{}{{\"token\":\"abcdefgh\"}}", "[".repeat(100_000));
    assert!(!redact_json(&deep).contains("abcdefgh"));
}

/// Texts made to be searched again and again: time that grew with the square of their length would not end here.
#[test]
fn hostile_lines_are_read_to_their_end() {
    for piece in [
        "-",
        "eyJ-",
        "--token ",
        "token=[",
        "token=",
        "token=)",
        "://:a/",
        "://",
        "-----BEGIN PRIVATE KEY-----",
        "M-",
        "/api/webhooks/",
        "a,",
        "\\",
        "\"",
        "token=\"",
        "bearer x-",
        "4242 ",
        "4",
        "[",
        "{\"a\":",
        "\"token\":",
        "token={{",
        "sk-",
        "{\"name\":\"token\",",
    ] {
        let text = piece.repeat(50_000 / piece.len());
        let (shown, of_json) = (redact(&text), redact_json(&text));
        assert!(!shown.is_empty() && !of_json.is_empty(), "{piece}");
        assert_eq!(url(&text).is_empty(), text.is_empty(), "{piece}");
    }
}

#[test]
fn addresses_show_four_parts() {
    for (text, shown) in [
        ("postgres://db.example.com:5432/payments", "postgres://db.example.com:5432/payments"),
        ("postgres://u:p@db/payments?sslmode=require&password=x", "postgres://db/payments"),
        ("postgresql://u:p@ss@db:5432/payments", "postgresql://db:5432/payments"),
        ("postgres://u@h1:1,h2:2/payments", "postgres://h1:1,h2:2/payments"),
        ("postgres:///payments", "postgres:///payments"),
        ("postgres://u:p@[::1]:5432/payments", "postgres://[::1]:5432/payments"),
        ("postgres://u:p@db", "postgres://db"),
        ("postgres://u:p@db/", "postgres://db"),
        ("postgres://u:p@db/pay/extra", "postgres://db/pay"),
        ("postgres://u:p@db/pay#frag", "postgres://db/pay"),
        ("postgres://u:p@db?password=x", "postgres://db"),
        ("POSTGRES://u:p@db/pay", "POSTGRES://db/pay"),
        ("mysql://root:pw@127.0.0.1:3306/shop", "mysql://127.0.0.1:3306/shop"),
        ("mongodb+srv://u:p@c.mongodb.net/x?authSource=admin", "mongodb+srv://c.mongodb.net/x"),
        ("jdbc:postgresql://db:5432/pay?user=u&password=p", "jdbc:postgresql://db:5432/pay"),
        ("jdbc:sqlserver://db:1433;databaseName=x;password=p", "jdbc:sqlserver://db:1433"),
        ("https://user:pw@api.example.com/v1/secret-path?token=x", "https://api.example.com"),
        ("redis://:pw@cache:6379/0", "redis://cache:6379/0"),
        (" postgres://u:p%40ss@db/pay ", "postgres://db/pay"),
        ("host=db port=5432 user=u password=p dbname=payments", "host=db port=5432 database=payments"),
        (
            "host=/run/postgresql dbname=payments password='it\\'s a b'",
            "host=/run/postgresql database=payments",
        ),
        ("Server=db,1433;Initial Catalog=pay;User Id=sa;Password=p w", "host=db,1433 database=pay"),
        // What does not parse is not shown.
        ("postgres://u:pa/ss@db/pay", UNREADABLE_ADDRESS),
        ("postgres://u:12/34@db/pay", UNREADABLE_ADDRESS),
        ("postgres://u:12?34@db/pay", UNREADABLE_ADDRESS),
        ("postgres://u:12#34@db/pay", UNREADABLE_ADDRESS),
        ("postgres://u:p@db:54x/pay", UNREADABLE_ADDRESS),
        ("postgres://u:p@db:99999/pay", UNREADABLE_ADDRESS),
        ("postgres://u:p@d b/pay", UNREADABLE_ADDRESS),
        ("postgres://u:p@db/p%61y", UNREADABLE_ADDRESS),
        ("postgres://u:p@db/pay\u{1b}[31m", UNREADABLE_ADDRESS),
        ("://u:p@db", UNREADABLE_ADDRESS),
        ("u:p@db/pay", UNREADABLE_ADDRESS),
        ("hunter2", UNREADABLE_ADDRESS),
        ("host=db password='unclosed", UNREADABLE_ADDRESS),
        ("password=only", UNREADABLE_ADDRESS),
        ("host=d@b password=x", UNREADABLE_ADDRESS),
        ("", UNREADABLE_ADDRESS),
    ] {
        assert_eq!(url(text), shown, "{text}");
    }
}

/// Text of the pieces that matter here.
fn pieces() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        2 => any::<char>().prop_map(String::from),
        5 => prop::sample::select(vec![
            "password", "token", "Authorization", "cookie", "=", ":", ": ", "\"", "'", "\\", "\\\"", "{", "}", "[", "]", ",",
            ";", "&", " ", "\n", "@", "://", "/", "--token ", "Bearer ", "Basic ", "sk_live_", "12345678", "abcdefgh",
            "eyJhbGciOi", ".", "-----BEGIN ", "PRIVATE KEY-----", "-----END ", "-----", "4242424242424242", "é", "x",
            "[redacted 8 chars, sha256 ab12]", "[card ..4242]", "name", "value", "null", "${A}", "ZGFuYTpwdw==",
        ]).prop_map(str::to_owned),
    ];
    prop::collection::vec(piece, 0..20).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn nothing_panics_and_json_stays_json(text in pieces()) {
        redact(&text);
        url(&text);
        redact_json(&text);
        let record = format!("{{\"a\":{0},\"token\":{0},\"b\":[{0}]}}", crate::text::json_string(&text));
        let shown = redact_json(&record);
        prop_assert!(serde_json::from_str::<IgnoredAny>(&shown).is_ok(), "{}", shown);
    }

    // Digits: a word such as `pw` before a colon is a name of a secret.
    #[test]
    fn plain_ids_stay(id in "(int|order|refund|op|cust)[_:][0-9]{1,8}[a-f]?(:request_[0-9]{1,9})?") {
        prop_assert_eq!(redact(&id), id.as_str());
    }

    #[test]
    fn a_value_under_a_secret_name_is_never_seen(value in "[a-zA-Z0-9+/!%^*@#~|?é漢]{9,40}") {
        prop_assume!(!is_no_secret(&value));
        let name_value = [
            format!("password={value}"), format!("{{\"secret\":{}}}", crate::text::json_string(&value)),
            format!("X-Api-Key: {value}\nHost: x"), format!("a?access_token={value}&b=1"), format!("--token {value} x"),
        ];
        for text in name_value {
            prop_assert!(!redact(&text).contains(&value), "{}", redact(&text));
            prop_assert!(!redact_json(&text).contains(&value), "{}", redact_json(&text));
        }
    }

    #[test]
    fn an_address_never_shows_user_or_password(user in "[a-z]{6,9}", password in "[ -~]{6,12}") {
        prop_assume!(!"postgres://db:5432/payments".contains(&password) && !UNREADABLE_ADDRESS.contains(&password));
        for text in [
            format!("postgres://{user}:{password}@db:5432/payments"),
            format!("postgres://db:5432/payments?user={user}&password={password}"),
            format!("host=db user={user} password='{}' dbname=payments", password.replace('\\', "\\\\").replace('\'', "\\'")),
        ] {
            let shown = url(&text);
            prop_assert!(!shown.contains(&user) && !shown.contains(&password), "{} {}", text, shown);
        }
    }
}
