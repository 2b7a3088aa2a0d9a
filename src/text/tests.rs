//! What holds for all of Unicode.

use std::collections::HashMap;

use proptest::prelude::*;
use unicode_segmentation::UnicodeSegmentation as _;
use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

use super::escape::{is_mark, is_printing};
use super::*;

/// Text that is more than half made of what matters here.
fn hostile() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        4 => any::<char>().prop_map(String::from),
        4 => prop::sample::select(vec![
            "\\", "\\\\", "n", "r", "t", "x", "u", "{", "}", "1b", "20", "202e", "\\n", "\\x1b", "\\x20", "\\u{202e}", "\u{1b}",
            "\n", "\r", " ", "  ", "\u{202e}", "\u{200b}", "\u{301}", "\u{308}", "\u{430}", "\u{441}", "з", "ω", "a", "1",
            "\u{e0041}", "\u{fe0f}", "\u{ad}", "\u{3164}", "\u{9b}", "\u{a0}", "漢", "🍕", "👍🏽", "한", "\u{1100}\u{1161}",
            "é", "क्ष", "لا", "🇺🇸", "refund:order_1234",
        ]).prop_map(str::to_owned),
    ];
    prop::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat())
}

fn bytes() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        hostile().prop_map(String::into_bytes),
        prop::collection::vec(any::<u8>(), 0..6),
        prop::sample::select(vec![
            b"\\".to_vec(),
            b"\xff".to_vec(),
            b"\\xff".to_vec(),
            b"xff".to_vec(),
            b" ".to_vec()
        ]),
    ];
    prop::collection::vec(piece, 0..5).prop_map(|pieces| pieces.concat())
}

/// Reads a shown text back; the proof that two raw texts never give the same one.
fn read_back(shown: &str) -> Vec<u8> {
    let mut out = Vec::new();
    let mut rest = shown;
    while let Some(first) = rest.chars().next() {
        let length = escape::escape_length(rest).unwrap_or(first.len_utf8());
        let (unit, behind) = rest.split_at(length);
        rest = behind;
        match unit.as_bytes() {
            [b'\\', b'\\'] => out.push(b'\\'),
            [b'\\', b'n'] => out.push(b'\n'),
            [b'\\', b'r'] => out.push(b'\r'),
            [b'\\', b't'] => out.push(b'\t'),
            [b'\\', b'x', hex @ ..] => {
                out.push(u8::from_str_radix(std::str::from_utf8(hex).unwrap(), 16).unwrap());
            }
            [b'\\', b'u', b'{', hex @ .., b'}'] => {
                let point = u32::from_str_radix(std::str::from_utf8(hex).unwrap(), 16).unwrap();
                out.extend(char::from_u32(point).unwrap().to_string().bytes());
            }
            other => out.extend(other),
        }
    }
    out
}

/// What must hold for every text that is shown.
fn assert_safe(text: &SafeText) {
    let (mut marks, mut base) = (0, false);
    for character in text.as_str().chars() {
        assert!(is_printing(character), "{text:?} holds {:x}", u32::from(character));
        if is_mark(character) {
            marks += 1;
            assert!(base && marks <= 4, "{text:?}: mark {marks} on base {base}");
        } else {
            assert!(
                character.width().unwrap_or(0) > 0,
                "{text:?} holds zero-width {:x}",
                u32::from(character)
            );
            marks = 0;
            base = character != ' ';
        }
    }
}

/// The cursor's column after a terminal printed the text. The emulator drops U+FFFD, which terminals show.
fn terminal_cells(text: &str) -> usize {
    let text = text.replace('\u{fffd}', "?");
    let size = |cells| std::num::NonZero::new(cells).unwrap();
    let mut parser = vt100::Parser::new(size(1), size(2000), 0);
    parser.process(text.as_bytes());
    usize::from(parser.screen().cursor_position().1)
}

#[test]
fn every_code_point_is_safe_and_read_back() {
    let mut seen: HashMap<String, char> = HashMap::new();
    for character in (0..=0x0010_ffff).filter_map(char::from_u32) {
        let raw = format!("a{character}b");
        for text in [SafeText::new(&raw), SafeText::id(&raw)] {
            assert_safe(&text);
            assert_eq!(text.changed(), text.as_str() != raw);
            if character != '\t' {
                assert_eq!(read_back(text.as_str()), raw.as_bytes(), "{raw:?}");
            }
        }
        let id = SafeText::id(&raw);
        assert_eq!(seen.insert(id.as_str().to_owned(), character), None, "{character:?}");
        let alone = SafeText::new(character.encode_utf8(&mut [0; 4]));
        assert_safe(&alone);
        if !is_printing(character) && character != '\t' {
            assert!(alone.as_str().starts_with('\\'), "{alone}");
        }
    }
}

#[test]
fn every_code_point_has_the_width_the_terminal_gives_it() {
    let shown =
        (0..=0x0010_ffff).filter_map(char::from_u32).map(|character| SafeText::new(&format!("a{character}")));
    for text in shown.collect::<Vec<_>>().chunks(64) {
        let line = SafeText::concat(text);
        assert_eq!(line.width(), text.iter().map(SafeText::width).sum::<usize>());
        assert_eq!(line.width(), terminal_cells(line.as_str()), "{line}");
    }
}

#[test]
fn escapes_of_the_specification() {
    for (raw, shown) in [
        ("plain refund:order_1234", "plain refund:order_1234"),
        ("\u{1b}]0;title\u{7}", "\\x1b]0;title\\x07"),
        ("\0\u{8}\u{7f}", "\\x00\\x08\\x7f"),
        ("\u{9b}31m", "\\u{9b}31m"),
        ("a\r\nb", "a\\r\\nb"),
        ("a\tb", "a b"),
        ("\u{202e}\u{2066}\u{200b}\u{feff}", "\\u{202e}\\u{2066}\\u{200b}\\u{feff}"),
        ("\u{e0041}\u{ad}\u{3164}\u{fe0f}\u{fff9}", "\\u{e0041}\\u{ad}\\u{3164}\\u{fe0f}\\u{fff9}"),
        ("\u{e000}\u{fdd0}\u{378}", "\\u{e000}\\u{fdd0}\\u{378}"),
        ("\u{a0}\u{3000}\u{2028}", "\\u{a0}\\u{3000}\\u{2028}"),
        ("C:\\dir\\file", "C:\\dir\\file"),
        ("C:\\new", "C:\\\\new"),
        ("\\x1b", "\\\\x1b"),
        ("\\\\", "\\\\\\\\"),
        ("\\\u{1b}", "\\\\\\x1b"),
        ("\\u00e9", "\\u00e9"),
        ("\\u{e9}", "\\\\u{e9}"),
        ("e\u{301}\u{302}\u{303}\u{304}\u{305}", "e\u{301}\u{302}\u{303}\u{304}\\u{305}"),
        ("\u{301}a \u{301}", "\\u{301}a \\u{301}"),
        (" a  b ", " a  b "),
        ("Größe 漢字 🍕", "Größe 漢字 🍕"),
    ] {
        let text = SafeText::new(raw);
        assert_eq!(text.as_str(), shown);
        assert_eq!(text.changed(), raw != shown);
    }
}

#[test]
fn ids_never_look_alike() {
    for (raw, shown) in [
        ("int_9876", "int_9876"),
        ("int_9876 ", "int_9876\\x20"),
        (" int", "\\x20int"),
        ("a b", "a b"),
        ("a  b", "a\\x20\\x20b"),
        ("a\tb", "a\\tb"),
        ("int_9876\r\n", "int_9876\\r\\n"),
        ("", ""),
        ("  ", "\\x20\\x20"),
        (" ", "\\x20"),
        ("r\u{435}fund", "r\\u{435}fund"),
        ("order_\u{430}", "order_\\u{430}"),
        ("\u{441}\u{430}\u{441}", "\\u{441}\\u{430}\\u{441}"),
        ("заказ-12", "заказ-12"),
        ("\u{3c9}\u{434}", "\\u{3c9}\\u{434}"),
        ("INV\u{2013}12", "INV\\u{2013}12"),
        ("ｏrder", "\\u{ff4f}rder"),
        ("é", "é"),
        ("e\u{301}", "e\\u{301}"),
        ("\u{212b}", "\\u{212b}"),
        ("注文-12", "注文-12"),
        ("\u{5d0}\u{5d1}-1", "\\u{5d0}\\u{5d1}-1"),
    ] {
        assert_eq!(SafeText::id(raw).as_str(), shown, "{raw:?}");
    }
}

#[test]
fn bytes_that_are_no_text_are_shown() {
    assert_eq!(SafeText::from_bytes(b"a\xffb\xc3").as_str(), "a\\xffb\\xc3");
    assert_eq!(SafeText::from_bytes(b"\\\xff").as_str(), "\\\\\\xff");
    assert_eq!(SafeText::from_bytes("\u{9b}\u{ff}".as_bytes()).as_str(), "\\u{9b}ÿ");
    assert_eq!(SafeText::id_from_bytes(b"a \xff").as_str(), "a \\xff");
    assert_eq!(SafeText::excerpt("aé漢b".as_bytes(), 2).as_str(), "a…");
    assert_eq!(SafeText::excerpt("aé漢b".as_bytes(), 3).as_str(), "aé…");
    assert_eq!(SafeText::excerpt("aé漢b".as_bytes(), 5).as_str(), "aé…");
    assert_eq!(SafeText::excerpt("aé漢b".as_bytes(), 6).as_str(), "aé漢…");
    assert_eq!(SafeText::excerpt("aé漢b".as_bytes(), 7).as_str(), "aé漢b");
    assert_eq!(SafeText::excerpt(b"\xff\xff\xff", 2).as_str(), "\\xff\\xff…");
    assert!(SafeText::excerpt(b"abc", 2).changed());
}

#[test]
fn texts_are_put_together() {
    let id = SafeText::id("int_1\u{200b}");
    let money = SafeText::new("USD 200.00").unbroken();
    let sentence = SafeText::fill("{} was {} twice, {} times", &[&id, &money, &SafeText::from(3_u8)]);
    assert_eq!(sentence.to_string(), "int_1\\u{200b} was USD 200.00 twice, 3 times");
    assert_eq!(sentence.as_str().chars().filter(|&blank| blank == NBSP).count(), 1);
    assert!(sentence.changed());
    assert_eq!(sentence.marked().to_string(), format!("{sentence} (escaped)"));
    assert_eq!(SafeText::fill("{} {}", &[&SafeText::from(-1_i64)]).as_str(), "-1 {}");
    assert_eq!(SafeText::fill("none", &[&id]).as_str(), "none");
    let words = [SafeText::new("a"), SafeText::new("b")];
    assert_eq!(SafeText::join(&words, ", ").as_str(), "a, b");
    assert_eq!(SafeText::concat(&words).as_str(), "ab");
    assert!(!SafeText::join(&words, ", ").changed());
    assert_eq!(format!("{:>4}|{:<3}|", words[0], words[1]), "   a|b  |");
    assert_eq!(code_points("a\u{202e}\u{1f355}").as_str(), "U+0061 U+202E U+1F355");
    assert_eq!(SafeText::new("\\é\\n").to_ascii().as_str(), "\\\\\\u{e9}\\\\n");
    let note = SafeText::lines("one\r\ntwo\rx\n\nfour\n");
    assert_eq!(note.iter().map(SafeText::as_str).collect::<Vec<_>>(), ["one", "two\\rx", "", "four"]);
    assert_eq!(SafeText::new("abc").to_ascii().as_str(), "abc");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn shown_text_is_safe_and_read_back(raw in hostile()) {
        for text in [SafeText::new(&raw), SafeText::id(&raw)] {
            assert_safe(&text);
            prop_assert_eq!(text.changed(), text.as_str() != raw);
        }
        prop_assert_eq!(read_back(SafeText::id(&raw).as_str()), raw.as_bytes());
        let untabbed = raw.replace('\t', " ");
        prop_assert_eq!(read_back(SafeText::new(&raw).as_str()), untabbed.as_bytes());
        let ascii = SafeText::new(&raw).to_ascii();
        prop_assert!(ascii.as_str().is_ascii());
        prop_assert_eq!(read_back(ascii.as_str()), untabbed.as_bytes());
    }

    #[test]
    fn shown_bytes_are_safe_and_read_back(raw in bytes()) {
        let text = SafeText::id_from_bytes(&raw);
        assert_safe(&text);
        prop_assert_eq!(read_back(text.as_str()), raw.clone());
        assert_safe(&SafeText::from_bytes(&raw));
        assert_safe(&SafeText::excerpt(&raw, 10));
    }

    #[test]
    fn a_piece_of_an_escape_is_not_completed_by_what_follows(cut in 1_usize..4) {
        for escape in ["\\x41", "\\u{41}", "\\n", "\\\\n"] {
            let (one, other) = escape.split_at(cut.min(escape.len() - 1));
            let text = SafeText::concat(&[SafeText::id(one), SafeText::id(other)]);
            prop_assert_eq!(read_back(text.as_str()), escape.as_bytes());
        }
    }

    #[test]
    fn text_set_behind_another_completes_no_escape(one in hostile(), other in hostile()) {
        let text = SafeText::concat(&[SafeText::id(&one), SafeText::id(&other)]);
        prop_assert_eq!(read_back(text.as_str()), [one, other].concat().into_bytes());
    }

    #[test]
    fn width_is_that_of_the_terminal_and_of_the_widgets(raw in hostile()) {
        let text = SafeText::new(&raw);
        prop_assert_eq!(text.width(), terminal_cells(text.as_str()));
        let widgets: usize = text.as_str().graphemes(true).map(str::width).sum();
        prop_assert_eq!(text.width(), widgets);
    }

    #[test]
    fn layout_never_exceeds(raw in hostile(), cells in 0_usize..40) {
        let text = SafeText::new(&raw);
        for short in [text.cut(cells), text.cut_middle(cells)] {
            prop_assert!(short.width() <= cells, "{} in {}", short, cells);
            assert_safe(&short);
            prop_assert_eq!(text.width() <= cells, short.as_str() == text.as_str());
            prop_assert!(cells == 0 || text.width() <= cells || short.as_str().contains('…'));
        }
        prop_assert_eq!(text.pad_left(cells).width(), cells);
        prop_assert_eq!(text.pad_right(cells).width(), cells);
        let lines = text.wrap(cells);
        prop_assert!(lines.iter().all(|line| line.width() <= cells));
        if cells > 1 {
            let joined: String = lines.iter().map(|line| line.as_str().replace(' ', "")).collect();
            prop_assert_eq!(joined, text.as_str().replace(' ', ""));
        }
    }

    #[test]
    fn a_list_of_ids_keeps_its_prefix_and_its_width(ids in prop::collection::vec("[a-c:_]{0,12}", 0..6), cells in 0_usize..14) {
        let prefix = shared_prefix(&ids);
        prop_assert!(ids.iter().all(|id| id.starts_with(prefix) && (prefix.is_empty() || id.len() > prefix.len())));
        let cut = cut_apart(&ids, cells);
        prop_assert_eq!(cut.len(), ids.len());
        prop_assert!(cut.iter().all(|id| width(id) <= cells));
    }
}
