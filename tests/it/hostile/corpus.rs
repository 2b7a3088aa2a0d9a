//! Hostile texts: families of sequences, each set into a text in several ways.

/// What stands before a sequence, so that it is found in what is printed.
pub const HEAD: &str = "qz";
/// What stands behind it.
pub const TAIL: &str = "zq";

/// Ends of control sequences: clear, colours, modes, questions that a terminal answers, scrolling.
#[rustfmt::skip]
const CSI: &[&str] = &[
    "2J", "3J", "H", "1;1H", "K", "31m", "0m", "8m", "38;5;196m", "6n", "5n", "c", ">c", "?1049h", "?1049l", "?25l", "?1000h",
    "?1003h", "?2004l", "?2026h", "21t", "18t", "8;1;1t", "5i", "4i", "10S", "10T", "s", "u", "1;2r", "4h", "!p", "20A", "200~",
    "201~", "1P", "1@", "1L", "1M", "1X", "3g", "0c", "?6n", "=5u", ">4;2m", " q",
];

/// Commands to the terminal itself: titles, links, the clipboard, colours, notices.
#[rustfmt::skip]
const OSC: &[&str] = &[
    "0;owned", "1;owned", "2;owned", "4;1;rgb:ff/ff/ff", "7;file:///etc/passwd", "8;;http://evil.example/", "9;notice",
    "10;?", "11;?", "12;red", "50;font", "52;c;ZXZpbA==", "52;c;?", "104", "133;A", "777;notify;a;b", "1337;File=inline=1:AAAA", "3008;start=1",
];

/// Texts of the longer strings: device control, application commands, privacy messages.
const STRINGS: &[&str] =
    &["$q\"p", "+q544e", "1;1|17/68", "q#0;2;0;0;0", "tmux;\u{1b}\u{1b}]52;c;AA==\u{7}", "Gi=1,a=T;AAAA"];

/// Escapes of one or two bytes.
#[rustfmt::skip]
const SHORT: &[&str] = &[
    "c", "7", "8", "D", "M", "E", "H", "N", "O", "Z", "=", ">", "n", "o", "|", "}", "~", "#8", "#3", "(0", ")A", "%G", "%@", " F", "l", "m", "6", "9",
];

/// Directions, and marks of a direction.
const BIDI: &[u32] = &[
    0x061c, 0x200e, 0x200f, 0x202a, 0x202b, 0x202c, 0x202d, 0x202e, 0x2066, 0x2067, 0x2068, 0x2069, 0x206a,
    0x206b, 0x206c, 0x206d, 0x206e, 0x206f,
];

/// No width: spaces, joiners, fillers, soft hyphen, byte order mark, marks that choose a form.
#[rustfmt::skip]
const ZERO: &[u32] = &[
    0x00ad, 0x034f, 0x115f, 0x1160, 0x17b4, 0x17b5, 0x180b, 0x180e, 0x200b, 0x200c, 0x200d, 0x2060, 0x2061, 0x2062, 0x2063,
    0x2064, 0x2065, 0x3164, 0xfe00, 0xfe0e, 0xfe0f, 0xfeff, 0xffa0, 0xfff9, 0xfffa, 0xfffb, 0x1bca0, 0x1d173, 0xe0100, 0xe01ef,
];

/// Tags: a text that nobody sees.
const TAGS: &[u32] = &[0xe0001, 0xe0020, 0xe0030, 0xe0041, 0xe0061, 0xe007a, 0xe007e, 0xe007f];

/// Blanks that are none, ends of lines that are none, and what has no form: private, unassigned.
#[rustfmt::skip]
const ODD: &[u32] = &[
    0x0085, 0x00a0, 0x1680, 0x2000, 0x2003, 0x2007, 0x200a, 0x2028, 0x2029, 0x202f, 0x205f, 0x3000, 0xe000, 0xf8ff, 0xfdd0,
    0xfffe, 0xffff, 0xf0000, 0x10_fffd, 0x10_ffff, 0x0378,
];

/// A family: its name and its sequences.
type Family = (&'static str, Vec<String>);

fn family(name: &'static str, sequences: impl IntoIterator<Item = String>) -> Family {
    (name, sequences.into_iter().collect())
}

fn points(points: &[u32]) -> Vec<String> {
    points.iter().filter_map(|point| char::from_u32(*point)).map(String::from).collect()
}

/// Every family.
pub fn families() -> Vec<Family> {
    let c0 = (0..0x20).chain([0x7f]).filter_map(char::from_u32).map(String::from);
    let c1 = (0x80..0xa0).filter_map(char::from_u32).map(String::from);
    let begun = |starts: [&'static str; 2], all: &'static [&'static str], end: &'static str| {
        starts.into_iter().flat_map(move |start| all.iter().map(move |text| format!("{start}{text}{end}")))
    };
    let strings = [
        ("\u{1b}P", "\u{1b}\\"),
        ("\u{1b}_", "\u{1b}\\"),
        ("\u{1b}^", "\u{9c}"),
        ("\u{1b}X", "\u{9c}"),
        ("\u{90}", "\u{9c}"),
        ("\u{9f}", "\u{9c}"),
        ("\u{9e}", ""),
        ("\u{98}", ""),
    ];
    vec![
        family("C0", c0),
        family("C1", c1),
        family("CSI", begun(["\u{1b}[", "\u{9b}"], CSI, "")),
        family("OSC, ended by BEL", begun(["\u{1b}]", "\u{9d}"], OSC, "\u{7}")),
        family("OSC, ended by ST", begun(["\u{1b}]", "\u{9d}"], OSC, "\u{1b}\\")),
        family("OSC, never ended", begun(["\u{1b}]", "\u{9d}"], OSC, "")),
        family(
            "strings",
            strings
                .iter()
                .flat_map(|(start, end)| STRINGS.iter().map(move |text| format!("{start}{text}{end}"))),
        ),
        family("escapes", SHORT.iter().map(|text| format!("\u{1b}{text}"))),
        family("directions", points(BIDI)),
        family("no width", points(ZERO)),
        family("tags", points(TAGS)),
        family("odd", points(ODD)),
        family(
            "marks",
            [1_u32, 4, 5, 40].map(|count| format!("e{}", "\u{301}".repeat(usize::try_from(count).unwrap()))),
        ),
        family(
            "lines",
            ["\r\n", "\n\n", "\r", "\u{8}\u{8}\u{8}", "\t\t", "\n\u{1b}[2K\r", "\u{b}\u{c}", "\r\u{1b}[1A"]
                .map(str::to_owned),
        ),
        family(
            "cells",
            [
                "=1+1", "@x", "+1", "-1+2", "\t=1", "\r=1", "|", "`", "<b>", "&lt;", "](x)", "\"", "'", "\\",
                "\\x1b", "{{x}}",
            ]
            .map(str::to_owned),
        ),
    ]
}

/// How a sequence stands in a text; `{}` is the sequence.
pub const EMBEDDINGS: [&str; 2] = ["qz{}zq", "{}qzzq{}"];

/// All texts, each once, in the order of families and embeddings. The number in front makes each an id of its own.
pub fn texts() -> Vec<String> {
    let mut all = Vec::new();
    for (name, sequences) in families() {
        assert!(!sequences.is_empty(), "{name}");
        for sequence in sequences {
            for embedding in EMBEDDINGS {
                let text = embedding.replace("{}", &sequence);
                all.push(text);
            }
        }
    }
    all
}

/// One text of each family, without what an argument of a program cannot hold.
pub fn samples() -> Vec<String> {
    families()
        .into_iter()
        .filter_map(|(_, sequences)| sequences.into_iter().rev().find(|sequence| !sequence.contains('\0')))
        .map(|sequence| format!("{HEAD}{sequence}{TAIL}"))
        .collect()
}
