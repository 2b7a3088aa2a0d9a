//! Secrets that can be told by their own form: keys of providers, signed tokens, key blocks, passwords in addresses.

use std::ops::Range;
use std::sync::LazyLock;

use memchr::memmem::{self, Finder};

use super::{Span, marker_length};

/// Which characters the rest of a key has.
#[derive(Clone, Copy)]
enum Body {
    /// Letters and digits.
    Alnum,
    /// Letters, digits, `_` and `-`.
    Word,
    /// As word, with dots.
    Dotted,
    /// Capital letters and digits, and no more of them than said.
    ExactUpper,
    /// Hexadecimal digits, and no more of them than said.
    ExactHex,
}

impl Body {
    fn holds(self, byte: u8) -> bool {
        match self {
            Self::Alnum => byte.is_ascii_alphanumeric(),
            Self::Word => is_word(byte),
            Self::Dotted => is_word(byte) || byte == b'.',
            Self::ExactUpper => byte.is_ascii_uppercase() || byte.is_ascii_digit(),
            Self::ExactHex => byte.is_ascii_hexdigit(),
        }
    }
}

use Body::{Alnum, Dotted, ExactHex, ExactUpper, Word};

/// How the keys of providers begin, what follows, and at least how much of it.
#[rustfmt::skip]
const KEYS: &[(&str, Body, usize)] = &[
    // Stripe, Square, Braintree, Shopify.
    ("sk_live_", Alnum, 8), ("sk_test_", Alnum, 8), ("rk_live_", Alnum, 8), ("rk_test_", Alnum, 8),
    ("whsec_", Alnum, 16), ("sq0atp-", Word, 20), ("sq0csp-", Word, 20), ("EAAA", Word, 56),
    ("access_token$production$", Alnum, 16), ("shpat_", Alnum, 32), ("shpca_", Alnum, 32), ("shppa_", Alnum, 32),
    ("shpss_", Alnum, 32),
    // Code and packages.
    ("ghp_", Alnum, 20), ("gho_", Alnum, 20), ("ghu_", Alnum, 20), ("ghs_", Alnum, 20), ("ghr_", Alnum, 20),
    ("github_pat_", Word, 20), ("glpat-", Word, 16), ("glrt-", Word, 16), ("gldt-", Word, 16), ("npm_", Alnum, 30),
    ("pypi-AgE", Word, 40), ("dckr_pat_", Word, 20), ("ATATT3x", Word, 40),
    // Messages.
    ("xoxb-", Word, 10), ("xoxp-", Word, 10), ("xoxa-", Word, 10), ("xoxr-", Word, 10), ("xoxs-", Word, 10),
    ("xoxe-", Word, 10), ("xoxe.", Dotted, 10), ("xapp-", Word, 10), ("SG.", Dotted, 40),
    // Clouds.
    ("AKIA", ExactUpper, 16), ("ASIA", ExactUpper, 16), ("AIza", Word, 35), ("ya29.", Dotted, 20),
    ("GOCSPX-", Word, 20), ("1//0", Word, 40), ("dop_v1_", Alnum, 40), ("doo_v1_", Alnum, 40), ("hvs.", Word, 20),
    ("hvb.", Word, 20), ("dapi", ExactHex, 32), ("SK", ExactHex, 32), ("tskey-", Word, 16), ("sbp_", Alnum, 40),
    // Models.
    ("sk-ant-", Word, 20), ("sk-proj-", Word, 20), ("sk-or-", Word, 20), ("sk-", Alnum, 32), ("hf_", Alnum, 30),
    ("gsk_", Alnum, 40), ("r8_", Alnum, 37), ("pplx-", Alnum, 40), ("nvapi-", Word, 40),
    // Others.
    ("lin_api_", Alnum, 30), ("ntn_", Alnum, 40), ("secret_", Alnum, 40), ("figd_", Word, 30), ("PMAK-", Word, 40),
    ("sntrys_", Word, 40), ("AGE-SECRET-KEY-1", Alnum, 40), ("v2.local.", Dotted, 20), ("v3.local.", Dotted, 20),
    ("v4.local.", Dotted, 20), ("v2.public.", Dotted, 20), ("v3.public.", Dotted, 20), ("v4.public.", Dotted, 20),
];

/// The bytes that keys begin with, so that most words are passed at a look.
const KEY_STARTS: [bool; 256] = {
    let mut starts = [false; 256];
    let mut at = 0;
    while at < KEYS.len() {
        starts[KEYS[at].0.as_bytes()[0] as usize] = true;
        at += 1;
    }
    starts
};

/// After these words of an address stands a secret path.
const HOOKS: &[&str] = &["hooks.slack.com/services/", "hooks.slack.com/workflows/", "/api/webhooks/"];

/// Where runs of words and of dotted words end. Kept, because a text of a million dashes has a million words in one run.
struct Runs<'a> {
    bytes: &'a [u8],
    word: Range<usize>,
    dotted: Range<usize>,
}

impl Runs<'_> {
    /// Where the run that holds `at` ends.
    fn end(&mut self, body: Body, at: usize) -> usize {
        let kept = match body {
            Word => &mut self.word,
            Dotted => &mut self.dotted,
            Alnum | ExactUpper | ExactHex => return at + run(self.bytes, at, |byte| body.holds(byte)),
        };
        if !kept.contains(&at) {
            *kept = at..at + run(self.bytes, at, |byte| body.holds(byte));
        }
        kept.end
    }
}

/// What is looked for in every text: searching costs less than getting ready to search.
static BLOCK: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new("-----BEGIN "));
static SECRET: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new("_secret_"));
static ADDRESS: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new("://"));

/// Finds them all.
pub(super) fn find(text: &str, spans: &mut Vec<Span>) {
    let bytes = text.as_bytes();
    let mut add = |at: Range<usize>| spans.push(Span::secret(at));
    let mut runs = Runs { bytes, word: 0..0, dotted: 0..0 };
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let begins = byte.is_ascii_alphanumeric()
            && !before(bytes, at).is_some_and(|prior| prior.is_ascii_alphanumeric());
        match begins.then(|| at_word(&mut runs, at)).flatten() {
            Some(found) => {
                at = found.end.max(at + 1);
                add(found);
            }
            None => at += 1,
        }
    }
    let mut done = 0;
    let slashes = memchr::memchr(b'/', bytes).is_some();
    for place in BLOCK.find_iter(bytes) {
        if let Some(block) =
            Some(place).filter(|place| *place >= done).and_then(|place| key_block(bytes, place))
        {
            done = block.end;
            add(block);
        }
    }
    for place in ADDRESS.find_iter(bytes) {
        address_user(bytes, place + 3).into_iter().for_each(&mut add);
    }
    for hook in HOOKS.iter().filter(|_| slashes) {
        let mut done = 0;
        for place in memmem::find_iter(bytes, hook) {
            let start = place + hook.len();
            if start >= done {
                done = start + run(bytes, start, |byte| is_word(byte) || byte == b'/');
                if done - start >= 16 {
                    add(start..done);
                }
            }
        }
    }
    // A client secret of a payment: pi_.._secret_..
    for place in SECRET.find_iter(bytes) {
        let start = place + "_secret_".len();
        let end = start + run(bytes, start, |byte| byte.is_ascii_alphanumeric());
        if end - start >= 16 {
            add(start..end);
        }
    }
}

/// A secret that begins with the word at `at`.
fn at_word(runs: &mut Runs<'_>, at: usize) -> Option<Range<usize>> {
    provider_key(runs, at)
        .or_else(|| signed_token(runs, at))
        .or_else(|| after_scheme(runs.bytes, at))
        .or_else(|| bot_token(runs, at))
}

fn provider_key(runs: &mut Runs<'_>, at: usize) -> Option<Range<usize>> {
    let rest = runs.bytes.get(at..)?;
    let first = *rest.first()?;
    if !*KEY_STARTS.get(usize::from(first))? {
        return None;
    }
    KEYS.iter().find_map(|&(prefix, body, least)| {
        rest.strip_prefix(prefix.as_bytes())?;
        let start = at + prefix.len();
        let end = runs.end(body, start);
        let end = without_stops(runs.bytes, start..end);
        let next_is_word = runs.bytes.get(end).is_some_and(u8::is_ascii_alphanumeric);
        // What was cut off before it came here is as secret as the whole.
        let cut = end - start >= LEAST_OF_CUT
            && runs.bytes.get(end..).is_some_and(|rest| rest.starts_with("…".as_bytes()));
        let fits = cut
            || match body {
                ExactUpper | ExactHex => end - start == least && !next_is_word,
                Alnum | Word | Dotted => end - start >= least,
            };
        fits.then_some(at..end)
    })
}

/// A JSON web token: `eyJ..`, two or more parts in base64.
fn signed_token(runs: &mut Runs<'_>, at: usize) -> Option<Range<usize>> {
    if !runs.bytes.get(at..)?.starts_with(b"eyJ") {
        return None;
    }
    let first_end = runs.end(Word, at);
    let second = first_end + 1;
    if first_end - at < 10 || runs.bytes.get(first_end) != Some(&b'.') || runs.end(Word, second) < second + 4
    {
        return None;
    }
    let end = runs.end(Dotted, at);
    let end = end + run(runs.bytes, end, |byte| byte == b'=');
    Some(at..without_stops(runs.bytes, at..end))
}

/// The end of a key without the full stops of the sentence it stands in.
fn without_stops(bytes: &[u8], at: Range<usize>) -> usize {
    let key = bytes.get(at.clone()).unwrap_or_default();
    at.end - key.iter().rev().take_while(|byte| **byte == b'.').count()
}

/// What follows `Bearer` or `Basic`.
fn after_scheme(bytes: &[u8], at: usize) -> Option<Range<usize>> {
    let word = bytes.get(at..at + 6).filter(|word| word.eq_ignore_ascii_case(b"bearer"));
    let (length, bearer) = match word {
        Some(_) => (6, true),
        None => {
            bytes.get(at..at + 5).filter(|word| word.eq_ignore_ascii_case(b"basic")).map(|_| (5, false))?
        }
    };
    let blanks = run(bytes, at + length, |byte| matches!(byte, b' ' | b'\t'));
    if blanks == 0 {
        return None;
    }
    let start = at + length + blanks;
    let end =
        start + run(bytes, start, |byte| is_word(byte) || matches!(byte, b'.' | b'~' | b'+' | b'/' | b'='));
    let token = bytes.get(start..end)?;
    let is_secret = if bearer {
        // Not "bearer instrument": a token has a digit or is longer than a word.
        token.len() >= 24 || token.len() >= 8 && token.iter().any(u8::is_ascii_digit)
    } else {
        holds_user_and_password(token)
    };
    is_secret.then_some(start..end)
}

/// True when base64 gives `user:password`.
fn holds_user_and_password(token: &[u8]) -> bool {
    let value = |byte: u8| match byte {
        b'A'..=b'Z' => Some(byte - b'A'),
        b'a'..=b'z' => Some(byte - b'a' + 26),
        b'0'..=b'9' => Some(byte - b'0' + 52),
        b'+' | b'-' => Some(62),
        b'/' | b'_' => Some(63),
        _ => None,
    };
    let (mut bits, mut held, mut plain) = (0_u32, 0, Vec::new());
    for &byte in token.iter().take_while(|byte| **byte != b'=') {
        let Some(six) = value(byte) else { return false };
        bits = (bits << 6 | u32::from(six)) & 0xffff;
        held += 6;
        if held >= 8 {
            held -= 8;
            plain.push(bits >> held & 0xff);
        }
    }
    plain.len() >= 3
        && plain.contains(&u32::from(b':'))
        && plain.iter().all(|&byte| byte >= 0x20 && byte != 0x7f)
}

/// Tokens of bots: `12345678:AA..` (Telegram), three parts that begin with M, N or O (Discord).
fn bot_token(runs: &mut Runs<'_>, at: usize) -> Option<Range<usize>> {
    let bytes = runs.bytes;
    let digits = run(bytes.get(..at + 11).unwrap_or(bytes), at, |byte| byte.is_ascii_digit());
    if (8..=10).contains(&digits) {
        let start = at + digits;
        bytes.get(start..)?.strip_prefix(b":AA")?;
        let end = runs.end(Word, start + 3);
        return (36..=43).contains(&(end - start)).then_some(at..end);
    }
    if !bytes.get(at).is_some_and(|byte| b"MNO".contains(byte)) {
        return None;
    }
    let first = runs.end(Word, at);
    if !(23..=28).contains(&(first - at)) || bytes.get(first) != Some(&b'.') {
        return None;
    }
    let second = runs.end(Word, first + 1);
    if !(6..=8).contains(&(second - first)) || bytes.get(second) != Some(&b'.') {
        return None;
    }
    let third = runs.end(Word, second + 1);
    (third - second > 26).then_some(at..third)
}

/// A block of a private key, with its first and last line, or to the end of the text. Certificates and public keys are
/// no secrets.
fn key_block(bytes: &[u8], at: usize) -> Option<Range<usize>> {
    let label_at = at + "-----BEGIN ".len();
    let rest = bytes.get(label_at..)?;
    let label =
        rest.get(..memmem::find(rest.get(..rest.len().min(64))?, b"-----").unwrap_or(rest.len().min(64)))?;
    memmem::find(label, b"PRIVATE KEY")?;
    let end = memmem::find(rest, b"-----END ").and_then(|end| {
        let last_line = end + "-----END ".len();
        memmem::find(rest.get(last_line..)?, b"-----").map(|dashes| label_at + last_line + dashes + 5)
    });
    Some(at..end.unwrap_or(bytes.len()))
}

/// From so many characters on a key whose end was cut off is told from a word.
const LEAST_OF_CUT: usize = 6;

/// How far behind `://` an `@` is looked for that stands behind a slash.
const LONGEST_USER: usize = 512;

/// `user:password` before the `@` of an address; `at` is behind `://`. The password may hold `@` and `/`.
fn address_user(bytes: &[u8], at: usize) -> Option<Range<usize>> {
    let ends = |byte: u8| byte <= b' ' || b"\"'`<>".contains(&byte);
    let authority = bytes.get(at..at + run(bytes, at, |byte| !ends(byte) && !b"/?#".contains(&byte)))?;
    let length = if let Some(length) = authority.iter().rposition(|&byte| byte == b'@') {
        length
    } else {
        // No host and port before the slash: then the slash is part of the password.
        let colon = authority.iter().position(|&byte| byte == b':')?;
        let port = authority.get(colon + 1..)?;
        if authority.first() == Some(&b'[') || port.iter().all(u8::is_ascii_digit) {
            return None;
        }
        let length = run(bytes.get(..at + LONGEST_USER).unwrap_or(bytes), at, |byte| !ends(byte));
        bytes.get(at..at + length)?.iter().rposition(|&byte| byte == b'@')?
    };
    let user = bytes.get(at..at + length)?;
    let masked = std::str::from_utf8(user).is_ok_and(|user| marker_length(user) == Some(user.len()));
    let is_secret = !masked && (user.contains(&b':') || user.len() >= 20);
    is_secret.then(|| at..at + length)
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-'
}

fn before(bytes: &[u8], at: usize) -> Option<u8> {
    at.checked_sub(1).and_then(|prior| bytes.get(prior)).copied()
}

/// How many bytes from `at` on are as asked for.
fn run(bytes: &[u8], at: usize, holds: impl Fn(u8) -> bool) -> usize {
    bytes.get(at..).unwrap_or_default().iter().take_while(|byte| holds(**byte)).count()
}
