//! Framing of files, texts and packed content, on temporary files.

use std::fs::File;
use std::io::{Cursor, Read, Write};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use super::*;

static RUN: AtomicBool = AtomicBool::new(false);

fn file(content: &[u8]) -> Bytes {
    let mut file = tempfile::tempfile().unwrap();
    file.write_all(content).unwrap();
    Bytes::file(file).unwrap()
}

fn memory(content: &[u8]) -> Bytes {
    content.to_vec().into()
}

type Line = (u64, Vec<u8>, bool, bool);

fn lines(bytes: &Bytes, part: std::ops::Range<u64>) -> (Vec<Line>, Tally) {
    let mut all = Vec::new();
    let tally = Lines::new(bytes, &RUN)
        .each(part, |record| {
            all.push((record.offset, record.bytes.to_vec(), record.ended, record.text().is_some()));
        })
        .unwrap();
    (all, tally)
}

/// The slow and simple way.
fn expected(content: &[u8]) -> Vec<Line> {
    let mut at = 0;
    let mut all = Vec::new();
    for piece in content.split_inclusive(|byte| *byte == b'\n') {
        let ended = piece.ends_with(b"\n");
        let line = piece.strip_suffix(b"\n").map_or(piece, |line| line.strip_suffix(b"\r").unwrap_or(line));
        if !line.trim_ascii().is_empty() {
            all.push((at, line.to_vec(), ended, std::str::from_utf8(line).is_ok()));
        }
        at += piece.len() as u64;
    }
    all
}

#[test]
fn parts_that_touch_give_each_line_once() {
    let content = b"one\ntwo two\r\n\n  \r\nthree\xff\nfour\n\n\nlast";
    let want = expected(content);
    assert_eq!(want.len(), 5);
    assert_eq!(want[3], (25, b"four".to_vec(), true, true));
    let end = content.len() as u64;
    for bytes in [file(content), memory(content)] {
        assert_eq!(lines(&bytes, 0..end).0, want);
        for one in 0..=end {
            for two in one..=end {
                let parts = [0..one, one..two, two..end + 7].map(|part| lines(&bytes, part));
                let all: Vec<Line> = parts.iter().flat_map(|(all, _)| all.clone()).collect();
                assert_eq!(all, want, "{one} {two}");
                assert_eq!(parts.iter().map(|(_, tally)| tally.blank).sum::<u64>(), 4, "{one} {two}");
                assert_eq!(parts.iter().map(|(_, tally)| tally.records).sum::<u64>(), 5, "{one} {two}");
            }
        }
    }
}

#[test]
fn lines_around_the_borders_of_chunks() {
    // Lines of all lengths up to some chunks, so that line feeds fall on, before and behind every border.
    let mut content = Vec::new();
    for i in 0..40 {
        let len = [0, 1, 300, CHUNK - 2, CHUNK - 1, CHUNK, CHUNK + 1, 5000, 2 * CHUNK + 3][i % 9] + i / 9;
        content.extend(std::iter::repeat_n(b'a' + u8::try_from(i % 26).unwrap(), len));
        content.extend_from_slice(if i % 2 == 0 { b"\n" } else { b"\r\n" });
    }
    let want = expected(&content);
    let end = content.len() as u64;
    for bytes in [file(&content), memory(&content)] {
        assert!(lines(&bytes, 0..end).0 == want);
        for size in [CHUNK as u64 - 1, CHUNK as u64, CHUNK as u64 + 1, 1 << 20, 77_777] {
            let parts = (0..end.div_ceil(size)).map(|k| k * size..(k + 1) * size);
            let all: Vec<Line> = parts.flat_map(|part| lines(&bytes, part).0).collect();
            assert!(all == want, "{size}");
        }
    }
}

#[test]
fn mark_crlf_and_the_last_line() {
    for bytes in [file(b"\xEF\xBB\xBF{}\r\nx\r"), memory(b"\xEF\xBB\xBF{}\r\nx\r")] {
        let want = [(3, b"{}".to_vec(), true, true), (7, b"x\r".to_vec(), false, true)];
        assert_eq!(lines(&bytes, 0..9).0, want);
        assert_eq!(lines(&bytes, 0..1).0, want[..1]);
        assert_eq!(lines(&bytes, 3..9).0, want[1..]);
    }
    for content in [&b""[..], b"\n", b"\r\n \t\n", b"\xEF\xBB\xBF", b"\xEF\xBB\xBF\n"] {
        assert_eq!(lines(&file(content), 0..99).0, []);
        assert_eq!(lines(&memory(content), 0..99).0, []);
    }
    // A mark in the middle belongs to the text.
    assert_eq!(lines(&file(b"a\n\xEF\xBB\xBFb\n"), 0..99).0[1].1, b"\xEF\xBB\xBFb");
}

#[test]
fn one_bad_byte_costs_its_line_only() {
    let content: Vec<u8> = (0..64).flat_map(|i| format!("{{\"id\":\"{i:022}\"}}\n").into_bytes()).collect();
    assert_eq!(content.len(), 2048);
    for at in (0..2048).filter(|at| content[*at] != b'\n') {
        let mut bad = content.clone();
        bad[at] = 0xff;
        let (all, tally) = lines(&file(&bad), 0..2048);
        assert_eq!(tally.records, 64);
        let faulty: Vec<u64> = all.iter().filter(|line| !line.3).map(|line| line.0).collect();
        assert_eq!(faulty, [(at / 32 * 32) as u64]);
    }
}

#[test]
fn a_line_of_8_mib_is_read_and_a_longer_one_is_not() {
    for (len, fits) in
        [(LONGEST - 1, true), (LONGEST, true), (LONGEST + 1, false), (LONGEST + CHUNK * 3, false)]
    {
        for end in ["\n", "\r\n", ""] {
            let long = "x".repeat(len);
            let content = format!("first\n{long}{end}");
            let content = if end.is_empty() { content } else { content + "last\n" };
            for bytes in [file(content.as_bytes()), memory(content.as_bytes())] {
                let (all, tally) = lines(&bytes, 0..bytes.len());
                let lens: Vec<usize> = all.iter().map(|line| line.1.len()).collect();
                let last = if end.is_empty() { &[][..] } else { &[4] };
                let want = if fits { [&[5, len][..], last].concat() } else { [&[5][..], last].concat() };
                assert_eq!(lens, want, "{len} {end:?}");
                assert_eq!(tally.too_long, if fits { vec![] } else { vec![6] }, "{len} {end:?}");
                let again = record_at(&bytes, 6, Framing::Lines);
                assert_eq!(again.is_ok_and(|line| line.len() == len), fits, "{len} {end:?}");
            }
        }
    }
}

fn one_line_without_end(len: u64) {
    let file = tempfile::tempfile().unwrap();
    file.set_len(len).unwrap();
    let bytes = Bytes::file(file).unwrap();
    let (mut all, mut found) = (0, Vec::new());
    for k in 0..len.div_ceil(4 << 20) {
        let mut reader = Lines::new(&bytes, &RUN);
        let tally = reader.each(k << 22..(k + 1) << 22, |_| all += 1).unwrap();
        found.extend(tally.too_long);
        assert!(reader.into_buffer().capacity() <= 2 * LONGEST + CHUNK);
    }
    assert_eq!((all, found), (0, vec![0]));
}

#[test]
fn a_line_of_48_mib_is_refused_once_and_not_held() {
    one_line_without_end(48 << 20);
}

#[test]
#[ignore = "reads 1 GiB of zeros: for release builds"]
fn a_line_of_1_gib_is_refused_once_and_not_held() {
    one_line_without_end(1 << 30);
}

#[test]
fn the_flag_ends_the_reading_between_chunks() {
    let content = "0123456\n".repeat(CHUNK / 4);
    for bytes in [file(content.as_bytes()), memory(content.as_bytes())] {
        let stop = AtomicBool::new(false);
        let mut count = 0;
        let tally = Lines::new(&bytes, &stop)
            .each(0..bytes.len(), |_| {
                count += 1;
                stop.store(true, Ordering::Relaxed);
            })
            .unwrap();
        assert_eq!((tally.cancelled, count), (true, CHUNK / 8));
    }
}

#[test]
fn a_file_that_shrank_says_so_and_one_that_grew_is_read_as_it_was() {
    let path = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(path.path(), "one\ntwo\nthree").unwrap();
    let bytes = Bytes::file(File::open(path.path()).unwrap()).unwrap();
    File::options().append(true).open(path.path()).unwrap().write_all(b" and more\nfour\n").unwrap();
    let (all, _) = lines(&bytes, 0..100);
    assert_eq!(all.last().unwrap(), &(8, b"three".to_vec(), false, true));
    File::options().write(true).open(path.path()).unwrap().set_len(6).unwrap();
    let error = Lines::new(&bytes, &RUN).each(0..100, |_| ()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the file ends at byte 6, it was 13 bytes long when it was opened: load it again"
    );
}

#[test]
fn places_are_found_again() {
    let content = "{\"a\":1}\r\n\n[{\"x\": \"}]\\\"\"},\n 12, \"s\", true]\nlast";
    for bytes in [file(content.as_bytes()), memory(content.as_bytes())] {
        let numbers = [0, 7, 8, 9, 10, 26, 41, 1000].map(|at| line_number(&bytes, at).unwrap());
        assert_eq!(numbers, [1, 1, 1, 2, 3, 4, 4, 5]);
        let again = |at, framing| String::from_utf8(record_at(&bytes, at, framing).unwrap()).unwrap();
        assert_eq!(again(0, Framing::Lines), "{\"a\":1}");
        assert_eq!(again(content.find("last").unwrap() as u64, Framing::Lines), "last");
        assert_eq!(again(11, Framing::Values), "{\"x\": \"}]\\\"\"}");
        assert_eq!(again(content.find("12").unwrap() as u64, Framing::Values), "12");
        assert_eq!(again(content.find("\"s\"").unwrap() as u64, Framing::Values), "\"s\"");
        assert_eq!(again(content.find("last").unwrap() as u64, Framing::Values), "last");
        assert_eq!(again(1000, Framing::Lines), "");
        assert_eq!(head_at(&bytes, 2, 3).unwrap(), b"a\":");
        assert_eq!(head_at(&bytes, 10, 300).unwrap(), b"[{\"x\": \"}]\\\"\"},");
    }
    // A value on the border of what is read in one step.
    for len in 4090..4100 {
        let text = format!("  {}, 7", "9".repeat(len));
        let again = record_at(&memory(text.as_bytes()), 2, Framing::Values).unwrap();
        assert_eq!(again.len(), len);
    }
}

fn cut(text: &str, lists: &[&str]) -> Vec<Result<(u64, String), (u64, Flaw)>> {
    values(text.as_bytes(), lists)
        .map(|value| match value {
            Ok(value) => Ok((value.offset, String::from_utf8(value.bytes.to_vec()).unwrap())),
            Err(broken) => Err((broken.offset, broken.flaw)),
        })
        .collect()
}

#[test]
fn values_of_arrays_envelopes_and_concatenated_json() {
    type Wanted<'w> = &'w [Result<(u64, &'w str), (u64, Flaw)>];
    let table: &[(&str, &[&str], Wanted<'_>)] = &[
        ("", &[], &[]),
        (" \n", &[], &[]),
        ("[]", &[], &[]),
        (
            " [ {\"a\":[1,{}]} ,2,\"x,]\" ] ",
            &[],
            &[Ok((3, "{\"a\":[1,{}]}")), Ok((17, "2")), Ok((19, "\"x,]\""))],
        ),
        (
            "{\"a\":1}{\"b\":2}\n 3 null\"s\"",
            &[],
            &[Ok((0, "{\"a\":1}")), Ok((7, "{\"b\":2}")), Ok((16, "3")), Ok((18, "null")), Ok((22, "\"s\""))],
        ),
        ("\u{feff}[1]", &[], &[Ok((4, "1"))]),
        ("[1][2,3]", &[], &[Ok((1, "1")), Ok((4, "2")), Ok((6, "3"))]),
        (
            "{\"object\":\"list\",\"data\":[{\"d\":1},{}],\"has_more\":true}",
            &["data"],
            &[Ok((25, "{\"d\":1}")), Ok((33, "{}"))],
        ),
        ("{\"data\":[1]} {\"data\":[2],\"x\":[9]}", &["x", "data"], &[Ok((9, "1")), Ok((22, "2"))]),
        ("{\"data\":{\"data\":[1]}}", &["data"], &[Ok((0, "{\"data\":{\"data\":[1]}}"))]),
        ("{\"data\":[1]}", &[], &[Ok((0, "{\"data\":[1]}"))]),
        ("{\"data\":[],\"x\":1}", &["data"], &[]),
        // What is broken ends the list, what came before it stays.
        ("[1,{\"a\":2},{\"a\":", &[], &[Ok((1, "1")), Ok((3, "{\"a\":2}")), Err((11, Flaw::Open))]),
        ("[1,2", &[], &[Ok((1, "1")), Ok((3, "2")), Err((0, Flaw::Open))]),
        ("[1 2]", &[], &[Ok((1, "1")), Err((3, Flaw::NoComma))]),
        ("[1,]", &[], &[Ok((1, "1")), Err((3, Flaw::NoValue))]),
        ("[,1]", &[], &[Err((1, Flaw::NoValue))]),
        ("[1}", &[], &[Ok((1, "1")), Err((2, Flaw::NoComma))]),
        ("{\"a\":1},{\"a\":2}", &[], &[Ok((0, "{\"a\":1}")), Err((7, Flaw::NoValue))]),
        ("{\"data\":[1,{},", &["data"], &[Ok((9, "1")), Ok((11, "{}")), Err((14, Flaw::Open))]),
        ("{\"data\":[1],\"x\":", &["data"], &[Ok((9, "1")), Err((10, Flaw::Open))]),
        ("{\"a\":\"\\\"", &["data"], &[Err((0, Flaw::Open))]),
        // A mistake inside a value is the reader's affair.
        ("[{\"a\":},nul,{\"a\":1]]", &[], &[Ok((1, "{\"a\":}")), Ok((8, "nul")), Ok((12, "{\"a\":1]"))]),
    ];
    for (text, lists, want) in table {
        let want: Vec<_> = want.iter().map(|one| one.map(|(at, text)| (at, text.to_owned()))).collect();
        assert_eq!(cut(text, lists), want, "{text}");
    }
}

#[test]
fn a_value_that_is_too_long_costs_itself_only() {
    let text = format!("[1,\"{}\",\"{}\",2]", "x".repeat(LONGEST - 1), "y".repeat(LONGEST - 2));
    let all = cut(&text, &[]);
    assert_eq!(all[0], Ok((1, "1".into())));
    assert_eq!(all[1], Err((3, Flaw::TooLong)));
    assert!(all[2].is_ok());
    assert_eq!(all[3], Ok((text.len() as u64 - 2, "2".into())));
    assert_eq!(all.len(), 4);
    // Deep nesting is only counted here.
    let deep = "[".repeat(1_000_000);
    assert_eq!(cut(&format!("[{deep}"), &[]), [Err((1, Flaw::Open))]);
}

fn packed(content: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(content).unwrap();
    encoder.finish().unwrap()
}

fn all_of(source: impl Read, limits: Limits) -> Result<Content, ContentError> {
    content(source, limits, &RUN)
}

#[test]
fn content_of_pipes_and_packed_files() {
    let text = b"{\"a\":1}\n{\"a\":2}\n";
    for short in [&b""[..], b"\x1f", b"x", b"\x1fx"] {
        let plain = all_of(short, Limits::default()).unwrap();
        assert_eq!((plain.bytes.as_slice(), plain.packed), (short, false));
    }
    let twice = [packed(text), packed(text)].concat();
    let both = all_of(twice.as_slice(), Limits::default()).unwrap();
    assert_eq!((both.bytes, both.packed, both.damage.is_none()), (text.repeat(2), true, true));
    let cut = packed(&text.repeat(1000));
    let cut = all_of(&cut[..cut.len() - 9], Limits::default()).unwrap();
    assert!(cut.bytes.starts_with(text));
    assert!(cut.damage.unwrap().to_string().starts_with("the gzip file is cut off or damaged after"));
}

#[test]
fn limits_of_content() {
    let limits = Limits { bytes: 1000, ..Limits::default() };
    for (len, fits) in [(999, true), (1000, true), (1001, false)] {
        let text = vec![b'x'; len];
        for source in [text.clone(), packed(&text)] {
            match all_of(source.as_slice(), limits) {
                Ok(content) => assert!(fits && content.bytes == text),
                Err(error) => assert!(!fits && matches!(error, ContentError::TooMuch(1000))),
            }
        }
    }
    // Zeros pack about a thousand times: refused from the size on at which the ratio counts.
    let limits = Limits { ratio_from: 100_000, ..Limits::default() };
    assert_eq!(all_of(packed(&vec![0; 100_000]).as_slice(), limits).unwrap().bytes.len(), 100_000);
    let error = all_of(packed(&vec![0; 3_000_000]).as_slice(), limits).unwrap_err();
    assert_eq!(
        error.to_string(),
        "unpacks to more than 200 times its size: if that is right, unpack it to a file first"
    );
    let stop = AtomicBool::new(true);
    assert!(matches!(content(Cursor::new(b"x"), Limits::default(), &stop), Err(ContentError::Cancelled)));
}

#[test]
fn a_path_is_read_in_place_or_taken_into_memory() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    std::fs::write(path("plain.gz"), "{}\n").unwrap();
    std::fs::write(path("packed.jsonl"), packed(b"{}\n")).unwrap();
    let (plain, _) = open(&path("plain.gz"), Limits::default(), &RUN).unwrap();
    assert!(matches!(plain, Bytes::File { len: 3, .. }));
    let (unpacked, damage) = open(&path("packed.jsonl"), Limits::default(), &RUN).unwrap();
    assert!(damage.is_none() && matches!(&unpacked, Bytes::Memory(bytes) if ***bytes == *b"{}\n"));
    assert!(matches!(open(folder.path(), Limits::default(), &RUN), Err(ContentError::Folder)));
    assert!(matches!(open(&path("none"), Limits::default(), &RUN), Err(ContentError::Io(_))));
    assert!(
        matches!(open("/dev/null".as_ref(), Limits::default(), &RUN), Ok((Bytes::Memory(bytes), None)) if bytes.is_empty())
    );
}

#[test]
fn several_workers_share_one_source() {
    let content = "{\"line\":true}\n".repeat(100_000);
    let bytes = file(content.as_bytes());
    let (next, count) = (AtomicU32::new(0), AtomicU32::new(0));
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                let mut reader = Lines::new(&bytes, &RUN);
                loop {
                    let start = u64::from(next.fetch_add(1, Ordering::Relaxed)) * 100_003;
                    if start >= bytes.len() {
                        break;
                    }
                    let tally = reader
                        .each(start..start + 100_003, |line| {
                            assert_eq!(line.offset % 14, 0);
                        })
                        .unwrap();
                    count.fetch_add(u32::try_from(tally.records).unwrap(), Ordering::Relaxed);
                }
            });
        }
    });
    assert_eq!(count.into_inner(), 100_000);
}
