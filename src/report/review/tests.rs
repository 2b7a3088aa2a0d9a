use base64::Engine as _;
use html5ever::tendril::TendrilSink as _;
use html5gum::{Token, Tokenizer};
use markup5ever_rcdom::RcDom;
use serde_json::Value;
use sha2::Digest as _;

use super::super::out::Out;
use super::super::out::tests::printed;
use super::super::sample::{Sample, clean};
use super::*;
use crate::book::{Entry, Head, verify};
use crate::judge::hazards::{Level, Quieted, RULES, Where};
use crate::model::hush::Hush;
use crate::model::time::Micros;

/// A hazard of an intent, with words of its own.
fn hazard(intent: &str, what: &str) -> Hazard {
    let rule = &RULES[2];
    Hazard {
        rule,
        status: Status::Firing,
        level: Level::High,
        place: Where { intent: intent.into(), ..Where::default() },
        subjects: vec![intent.into()],
        count: 1,
        measured: "0".into(),
        threshold: "1".into(),
        edge: false,
        first_seen: Micros::NONE,
        what: what.into(),
        todo: what.to_owned().into(),
        reason: String::new(),
        quieted: None,
    }
}

/// A book that says this of each of its intents, of the case, and of a stranger.
fn book(ids: &[&str], words: &str, failure: Option<&str>) -> audit::Looked {
    let entry = |seq: i64, kind: &str, id: &str| {
        let text = serde_json::json!({
            "seq": seq, "ts": "2026-11-30T09:00:00.000Z", "action": "resolve", "reason": words,
            "actor": {"kind": "human", "name": words}, "subject": {"type": kind, "id": id}, "note": words,
            "before": {"state": "unknown"}, "after": {"state": "confirmed"}, "evidence": [words],
        });
        Entry::new(seq, text.to_string(), "ab".repeat(32), None)
    };
    let of = [("case", "refunds"), ("intent", "int_none")];
    let all = of.into_iter().chain(ids.iter().map(|id| ("intent", *id)));
    let failure = failure.map(|why| verify::Failure { seq: 2, check: "hash", why: why.to_owned() });
    audit::Looked {
        verdict: Ok(verify::Verdict {
            signers: std::collections::BTreeMap::new(),
            entries: 3,
            head: Head { seq: 3, hash: "ab".repeat(32) },
            failure,
            warnings: Vec::new(),
            anchored: false,
        }),
        entries: (1..).zip(all).map(|(seq, (kind, id))| entry(seq, kind, id)).collect(),
        as_of: None,
    }
}

fn written(sample: &Sample, hazards: Vec<Hazard>, write: fn(&Review<'_>, &mut Out<'_>)) -> String {
    with_book(sample, hazards, None, write)
}

fn with_book(
    sample: &Sample,
    hazards: Vec<Hazard>,
    book: Option<audit::Looked>,
    write: fn(&Review<'_>, &mut Out<'_>),
) -> String {
    let report = sample.report();
    let hazards = Evaluation { hazards };
    let asked = Asked {
        title: "refunds",
        command: "recount report refunds".into(),
        version: "recount 0".into(),
        hazards: &hazards,
        intent: None,
        book,
    };
    printed(|out| write(&review(&report, &asked), out))
}

/// Every element with its attributes; text is left out.
fn elements(text: &str) -> Vec<(String, Vec<(String, String)>)> {
    let words = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    Tokenizer::new(text)
        .flatten()
        .filter_map(|token| match token {
            Token::StartTag(tag) => {
                let attributes =
                    tag.attributes.iter().map(|(name, value)| (words(name), words(value))).collect();
                Some((words(&tag.name), attributes))
            }
            Token::Comment(_) => Some(("comment".to_owned(), Vec::new())),
            _ => None,
        })
        .collect()
}

/// Ways into markup: elements, attributes, ends of what surrounds them, entities, odd blanks, our own elements.
fn injections() -> Vec<String> {
    let elements = [
        "script", "img", "svg", "iframe", "a", "style", "link", "meta", "base", "form", "input", "object",
        "embed", "math", "video", "body", "html", "title", "textarea", "template", "marquee", "details",
        "isindex", "x-y", "noscript",
    ];
    let forms: [fn(&str) -> String; 8] = [
        |e| format!("<{e}>"),
        |e| format!("<{e} onload=alert(1)>"),
        |e| format!("\"><{e} src=x onerror=alert(1)>"),
        |e| format!("'><{e}/onclick='alert(1)'>"),
        |e| format!("</td></tr></table></article></style></title></svg><{e}>"),
        |e| format!("<!--><{e}><!-- -->]]><![CDATA[<{e}>"),
        |e| format!("&lt;{e}&gt;&#60;{e}&#x3e;<\u{0}{e}><{e}\u{a0}href=javascript:alert(1)//"),
        |e| format!("<{}\n\t{e}=\"`${{1}}`\">\u{202e}\u{feff}", e.to_uppercase()),
    ];
    elements.iter().flat_map(|element| forms.iter().map(move |form| form(element))).collect()
}

/// A sample in which everything that comes from outside is this text.
fn hostile(words: &str) -> Sample {
    let mut sample = Sample::refunds();
    for view in &mut sample.table.views {
        for text in [
            &mut view.intent_id,
            &mut view.operation_id,
            &mut view.business_id,
            &mut view.party,
            &mut view.kind,
            &mut view.key,
            &mut view.tool,
        ] {
            *text = words.to_owned();
        }
        for a in &mut view.attempts {
            for text in
                [&mut a.id, &mut a.tool, &mut a.outcome_word, &mut a.receipt, &mut a.text, &mut a.place]
            {
                *text = words.to_owned();
            }
        }
        for row in &mut view.effects {
            for text in [&mut row.id, &mut row.name, &mut row.kind, &mut row.place] {
                *text = words.to_owned();
            }
            row.unreadable = Some(words.to_owned());
        }
        view.uncovered = vec![("C2", words.to_owned())];
    }
    for source in &mut sample.sources {
        for text in [&mut source.id, &mut source.path, &mut source.mapping, &mut source.position] {
            *text = words.to_owned();
        }
        source.notes = vec![words.to_owned()];
    }
    for problem in &mut sample.problems {
        problem.at = words.to_owned();
        problem.what = words.to_owned();
    }
    sample
}

#[test]
fn two_hundred_injections_make_no_element_and_no_attribute() {
    const OURS: [&str; 37] = [
        "html", "head", "meta", "title", "style", "body", "header", "main", "section", "article", "h1", "h2",
        "h3", "h4", "p", "ul", "li", "strong", "span", "bdi", "div", "table", "thead", "tbody", "tr", "th",
        "td", "svg", "line", "circle", "rect", "text", "g", "path", "br", "hr", "ol",
    ];
    const ATTRIBUTES: [&str; 23] = [
        "lang",
        "charset",
        "http-equiv",
        "content",
        "name",
        "class",
        "scope",
        "viewbox",
        "viewBox",
        "role",
        "x",
        "y",
        "x1",
        "y1",
        "x2",
        "y2",
        "cx",
        "cy",
        "r",
        "width",
        "height",
        "text-anchor",
        "id",
    ];
    let all = injections();
    assert_eq!(all.len(), 200);
    let page = |words: &str| {
        let hush = Hush { by: words.to_owned(), note: words.to_owned(), ..Hush::default() };
        let quieted = Some(Box::new(Quieted { hush, ended: None }));
        let quiet = Hazard { status: Status::Quieted, quieted, ..hazard(words, words) };
        let book = book(&[words], words, Some(words));
        with_book(&hostile(words), vec![hazard(words, words), quiet], Some(book), html::write)
    };
    let plain = elements(&page("plain"));
    for words in all {
        let text = page(&words);
        let found = elements(&text);
        for (name, attributes) in &found {
            assert!(OURS.contains(&name.as_str()), "{words:?} made <{name}>");
            for (name, value) in attributes {
                assert!(ATTRIBUTES.contains(&name.as_str()), "{words:?} made {name}={value:?}");
                assert!(!value.contains("alert") && !value.contains('<'), "{words:?}: {name}={value:?}");
            }
        }
        // As many elements of each kind as with harmless words, those of the drawing aside: words move in it.
        let count =
            |of: &[(String, Vec<(String, String)>)], name: &str| of.iter().filter(|(n, _)| n == name).count();
        for name in ["article", "table", "section", "h3", "p", "tr", "td"] {
            assert_eq!(count(&found, name), count(&plain, name), "{words:?} {name}");
        }
    }
}

/// What a parser of HTML finds wrong with a page.
fn mistakes(page: &str) -> Vec<String> {
    let dom = html5ever::parse_document(RcDom::default(), html5ever::ParseOpts::default()).one(page);
    dom.errors.borrow().iter().map(ToString::to_string).collect()
}

#[test]
fn the_markup_has_no_mistake() {
    let hush = || Hush { by: "dana".to_owned(), note: "a load test".to_owned(), ..Hush::default() };
    let quiet = || Hazard {
        status: Status::Quieted,
        quieted: Some(Box::new(Quieted { hush: hush(), ended: None })),
        ..hazard("int_9876", "x")
    };
    let hostile_words =
        "\"><img src=x onerror=alert(1)> \u{0}\u{b}\u{7f}\u{fdd0}\u{1ffff}\u{85} &nbsp &#x0; \r\n";
    let pages = [
        written(&Sample::refunds(), Vec::new(), html::write),
        written(&clean(), Vec::new(), html::write),
        with_book(
            &Sample::refunds(),
            vec![hazard("int_9876", "x"), quiet()],
            Some(book(&["int_9876"], "words", None)),
            html::write,
        ),
        with_book(
            &hostile(hostile_words),
            vec![hazard(hostile_words, hostile_words), quiet()],
            Some(book(&[hostile_words], hostile_words, Some(hostile_words))),
            html::write,
        ),
    ];
    for page in pages {
        assert_eq!(mistakes(&page), Vec::<String>::new(), "{page}");
    }
    // The parser does find mistakes.
    assert!(!mistakes("<!DOCTYPE html><title>x</title><p></div>&nosuch;").is_empty());
}

#[test]
fn the_page_loads_nothing_and_runs_nothing() {
    let text = written(&Sample::refunds(), Vec::new(), html::write);
    let policy = text.split("content=\"default-src 'none'; style-src 'sha256-").nth(1).unwrap();
    let hash = policy.split('\'').next().unwrap();
    let style = text.split("<style>").nth(1).unwrap().split("</style>").next().unwrap();
    assert_eq!(hash, base64::engine::general_purpose::STANDARD.encode(sha2::Sha256::digest(style)));
    for word in
        ["<script", "http://", "https://", "url(", "@import", " style=", "javascript:", " href", " src"]
    {
        assert!(!text.contains(word), "{word}");
    }
    let wrong: Vec<Token> =
        Tokenizer::new(&text).flatten().filter(|token| matches!(token, Token::Error(_))).collect();
    assert_eq!(wrong, []);
    assert!(text.starts_with("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"));
    assert!(text.ends_with("</section></main></body></html>\n"));
}

#[test]
fn each_intent_has_its_story_its_sides_and_its_read_positions() {
    let sample = Sample::refunds();
    let hazards = vec![hazard("int_9876", "Nobody looked before attempt 2.")];
    let report = sample.report();
    let evaluation = Evaluation { hazards };
    let asked = Asked {
        title: "refunds",
        command: "recount report refunds".into(),
        version: "recount 0".into(),
        hazards: &evaluation,
        intent: None,
        book: None,
    };
    let review = review(&report, &asked);
    assert_eq!((review.items.len(), review.left, review.left_out().as_str()), (7, 0, ""));
    let first = &review.items[0];
    assert_eq!(first.headline, "Happened twice");
    assert_eq!(first.ids, ["order:1234", "refund:order_1234:request_9876", "int_9876"]);
    assert_eq!(first.code, "DUPLICATED R05 S1");
    assert_eq!(first.trace_alone, "The trace alone would say 1 effect. The ledger says 2 effects.");
    assert_eq!(first.hazards, [("H03", RULES[2].words)]);
    assert_eq!(first.facts[0], ("expected", "1 / USD 200.00".to_owned()));
    assert_eq!(first.facts[1], ("observed", "2 / USD 400.00".to_owned()));
    assert_eq!(first.sides.len(), 2, "two attempts, each beside its rows");
    assert_eq!(first.events.len(), 7);
    assert!(
        first.read.iter().any(|read| read.starts_with("payments.db read 2026-11-30T09:13:58Z to row 48211"))
    );
    assert_eq!(review.made, "As of 2026-11-30T09:14:07Z");
    assert!(review.uncovered.iter().any(|line| line.contains("1 row has no attempt here, USD 15.00")));
    assert!(review.uncovered.iter().any(|line| line.starts_with("trace: not declared complete")));
    assert_eq!(review.problems.len(), 1);
}

#[test]
fn the_entries_of_the_intents_shown_and_whether_their_chain_holds() {
    let sample = Sample::refunds();
    let looked = || book(&["int_9876"], "the provider\nconfirmed it", None);
    let text = with_book(&sample, Vec::new(), Some(looked()), markdown::write);
    let part = text.split("## Audit entries").nth(1).unwrap().split("\n## ").next().unwrap();
    let rows: Vec<&str> =
        part.lines().filter(|line| line.starts_with("| ") && !line.contains("entry |")).collect();
    assert_eq!(rows.len(), 2, "of the case and of an intent that is shown: {part}");
    assert!(rows[1].starts_with("| 3 abababab"), "{part}");
    assert!(
        rows[1].contains("resolved, intent int\\_9876: unknown")
            && rows[1].contains("the provider / confirmed it"),
        "{part}"
    );
    assert!(part.contains("Audit chain OK, 3 entries, head 3:"), "{part}");
    let whole: Value =
        serde_json::from_str(&with_book(&sample, Vec::new(), Some(looked()), json::write)).unwrap();
    let audit = &whole["audit"];
    assert_eq!((&audit["chain"], &audit["entries"]), (&"verified".into(), &3.into()));
    assert_eq!(audit["shown"].as_array().unwrap().len(), 2);
    let shown = &audit["shown"][1];
    assert_eq!((&shown["seq"], &shown["subject"]["id"]), (&3.into(), &"int_9876".into()));
    assert_eq!((&shown["from"], &shown["to"]), (&"unknown".into(), &"confirmed".into()));
    assert_eq!(shown["note"], "the provider\nconfirmed it");
    let broken = book(&[], "x", Some("entry 2 was changed"));
    let whole: Value =
        serde_json::from_str(&with_book(&sample, Vec::new(), Some(broken), json::write)).unwrap();
    assert_eq!(whole["audit"]["chain"], "broken");
    assert!(whole["audit"]["says"][0].as_str().unwrap().contains("entry 2 was changed"));
    let unread = audit::Looked { verdict: Err("no book".into()), entries: Vec::new(), as_of: Some(2) };
    let text = with_book(&sample, Vec::new(), Some(unread), markdown::write);
    assert!(text.contains("The book could not be read: no book") && text.contains(NO_ENTRY), "{text}");
    assert!(text.contains("What is told here is what the book held after entry 2."), "{text}");
    let none: Value = serde_json::from_str(&written(&sample, Vec::new(), json::write)).unwrap();
    assert_eq!(none["audit"], Value::Null, "without a book nothing is said of one");
}

#[test]
fn what_is_left_out_is_said() {
    let mut sample = Sample::refunds();
    sample.choice.limit = 2;
    let text = written(&sample, Vec::new(), markdown::write);
    assert!(text.contains("\n5 more, left out: --limit 0 has all of them.\n"), "{text}");
}

#[test]
fn markdown_has_no_html() {
    let words = "<b>x</b> [a](b) | c";
    let text = with_book(
        &hostile(words),
        vec![hazard(words, words)],
        Some(book(&[words], words, None)),
        markdown::write,
    );
    assert!(!text.contains("<b>") && !text.contains("[a](b)"), "{text}");
    for line in text.lines().filter(|line| line.starts_with('|')) {
        let bars = line.replace("\\|", "").matches('|').count();
        assert!([3, 4, 6, 8].contains(&bars), "{line}");
    }
}

#[test]
fn machine_output_has_the_timeline_of_each_intent() {
    let text = written(&Sample::refunds(), vec![hazard("int_9876", "x")], json::write);
    let whole: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(whole["schema"], "recount.report.v1");
    assert_eq!(whole["result"], "VIOLATION FOUND");
    assert_eq!(whole["exit"], 1);
    let first = &whole["intents"][0];
    assert_eq!(first["intent_id"], "int_9876");
    assert_eq!(first["hazards"], serde_json::json!(["H03"]));
    assert_eq!(first["trace_alone"]["says"], 1);
    let events = first["timeline"]["events"].as_array().unwrap();
    assert_eq!(events.len(), 7);
    assert_eq!(events[1]["clock"], "payments");
    assert_eq!(events[1]["from"], "2026-11-30T08:40:59Z");
    assert_eq!(events[1]["to"], "2026-11-30T08:41:00Z");
    assert_eq!(first["timeline"]["gaps"][0]["ms"], 7346);
    assert_eq!(first["timeline"]["gaps"][0]["nobody_looked"], true);
    assert_eq!(whole["left_out"], 0);
}

#[test]
fn a_chat_gets_less_than_three_thousand_characters() {
    let short = written(&Sample::refunds(), vec![hazard("int_9876", "x")], slack::write);
    assert!(
        short.starts_with("refunds: VIOLATION FOUND   (settled)   clock fixed at 2026-11-30T09:14:07Z\n"),
        "{short}"
    );
    assert!(short.contains("\n- order:1234: Two refunds were committed where one was intended: USD 400.00 instead of USD 200.00. Next: "));
    assert!(short.ends_with("All of it: recount report refunds\n"));
    let mut many = hostile(&"<!channel> ä\u{301}\u{301}\u{301}".repeat(30));
    let views = many.table.views.clone();
    many.table.views = views.into_iter().cycle().take(60).collect();
    many.choice.limit = 0;
    let hazards: Vec<Hazard> = (0..40).map(|_| hazard("int_9876", "x")).collect();
    let long = written(&many, hazards, slack::write);
    assert!(long.chars().count() <= slack::MOST, "{}", long.chars().count());
    assert!(!long.contains('<'));
}

#[test]
fn a_clean_case_says_its_limit() {
    let text = written(&clean(), Vec::new(), markdown::write);
    assert!(text.contains("# refunds: NO VIOLATION OBSERVED"), "{text}");
    assert!(text.contains("It does not show that other runs behave the same."));
    assert!(!text.contains("SAFE"));
}
