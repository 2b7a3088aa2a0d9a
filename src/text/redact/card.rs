//! Card numbers: 13 to 19 digits, issuer range and check digit fit (`4-sources.md` 4.17).

use super::{Span, What};

/// Issuer ranges: the first digits, from and to (of equal length), and the lengths a number has there.
const ISSUERS: &[(u32, u32, &[usize])] = &[
    (4, 4, &[13, 16, 19]),                       // Visa
    (51, 55, &[16]),                             // Mastercard
    (2221, 2720, &[16]),                         // Mastercard
    (34, 34, &[15]),                             // American Express
    (37, 37, &[15]),                             // American Express
    (6011, 6011, &[16, 17, 18, 19]),             // Discover
    (644, 649, &[16, 17, 18, 19]),               // Discover
    (65, 65, &[16, 17, 18, 19]),                 // Discover, RuPay
    (62, 62, &[16, 17, 18, 19]),                 // UnionPay
    (3528, 3589, &[16, 17, 18, 19]),             // JCB
    (300, 305, &[14, 16, 17, 18, 19]),           // Diners Club
    (3095, 3095, &[14, 16, 17, 18, 19]),         // Diners Club
    (36, 36, &[14, 16, 17, 18, 19]),             // Diners Club
    (38, 39, &[14, 16, 17, 18, 19]),             // Diners Club
    (2200, 2204, &[16, 17, 18, 19]),             // Mir
    (5018, 5018, &[13, 14, 15, 16, 17, 18, 19]), // Maestro
    (5020, 5020, &[13, 14, 15, 16, 17, 18, 19]), // Maestro
    (5038, 5038, &[13, 14, 15, 16, 17, 18, 19]), // Maestro
    (5893, 5893, &[13, 14, 15, 16, 17, 18, 19]), // Maestro
    (6304, 6304, &[13, 14, 15, 16, 17, 18, 19]), // Maestro
    (6759, 6759, &[13, 14, 15, 16, 17, 18, 19]), // Maestro
    (6761, 6763, &[13, 14, 15, 16, 17, 18, 19]), // Maestro
    (9792, 9792, &[16]),                         // Troy
];

/// How numbers are written in groups.
const GROUPS: &[&[usize]] = &[&[4, 4, 4, 4], &[4, 4, 4, 4, 3], &[4, 6, 5], &[4, 6, 4]];

/// Finds card numbers, in one run of digits or in groups parted by a blank or a dash.
pub(super) fn find(text: &str, spans: &mut Vec<Span>) {
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(start) =
        bytes.get(at..).and_then(|rest| rest.iter().position(u8::is_ascii_digit)).map(|go| at + go)
    {
        at = start + digits(bytes, start);
        // Most numbers are short, and stand in a word.
        if !may_begin(bytes, start) || !may_be_long(bytes, start) {
            continue;
        }
        let runs = digit_runs(bytes, start);
        let shapes = std::iter::once(1).chain(GROUPS.iter().filter_map(|shape| {
            let fits = runs.len() >= shape.len()
                && runs.iter().zip(*shape).all(|(&(from, to), &length)| to - from == length)
                && same_separators(bytes, &runs, shape.len());
            fits.then_some(shape.len())
        }));
        let found = shapes
            .filter_map(|count| runs.get(count - 1))
            .map(|&(_, end)| end)
            .find(|&end| may_end(bytes, end) && bytes.get(start..end).is_some_and(is_card));
        if let Some(end) = found {
            spans.push(Span { at: start..end, what: What::Card });
            at = end;
        }
    }
}

/// True for the digits of a card number; blanks and dashes in it are passed over.
pub(super) fn is_card(number: &[u8]) -> bool {
    if number.len() > 24 {
        return false;
    }
    let digits: Vec<u32> =
        number.iter().filter(|byte| byte.is_ascii_digit()).map(|byte| u32::from(byte - b'0')).collect();
    (13..=19).contains(&digits.len()) && has_issuer(&digits) && has_check_digit(&digits)
}

fn has_issuer(digits: &[u32]) -> bool {
    ISSUERS.iter().any(|&(from, to, lengths)| {
        let prefix = digits.iter().take(from.to_string().len()).fold(0, |value, digit| value * 10 + digit);
        (from..=to).contains(&prefix) && lengths.contains(&digits.len())
    })
}

/// Luhn: from the right, every second digit doubled, the sum of all digits a multiple of ten.
fn has_check_digit(digits: &[u32]) -> bool {
    let sum: u32 = digits
        .iter()
        .rev()
        .enumerate()
        .map(|(at, &digit)| if at % 2 == 0 { digit } else { digit * 2 / 10 + digit * 2 % 10 })
        .sum();
    sum.is_multiple_of(10)
}

/// Up to five runs of digits from `start`, with one blank or dash between them.
fn digit_runs(bytes: &[u8], start: usize) -> Vec<(usize, usize)> {
    let mut runs = Vec::new();
    let mut at = start;
    while runs.len() < 5 {
        let length = digits(bytes, at);
        if length == 0 {
            break;
        }
        runs.push((at, at + length));
        at += length;
        if !matches!(bytes.get(at), Some(b' ' | b'-')) {
            break;
        }
        at += 1;
    }
    runs
}

/// How many digits stand from `at` on.
fn digits(bytes: &[u8], at: usize) -> usize {
    bytes.get(at..).unwrap_or_default().iter().take_while(|byte| byte.is_ascii_digit()).count()
}

/// The shortest card number.
const SHORTEST: usize = 13;

/// Digits, with blanks or dashes among them, are as many as the shortest number has.
fn may_be_long(bytes: &[u8], start: usize) -> bool {
    let number = bytes.get(start..).unwrap_or_default();
    number.iter().take_while(|byte| byte.is_ascii_digit() || matches!(byte, b' ' | b'-')).count() >= SHORTEST
}

fn same_separators(bytes: &[u8], runs: &[(usize, usize)], count: usize) -> bool {
    let mut separators = runs.iter().take(count - 1).map(|&(_, end)| bytes.get(end));
    let first = separators.next();
    separators.all(|separator| Some(separator) == first)
}

/// Not within a word, a longer number or the fraction of one.
fn may_begin(bytes: &[u8], start: usize) -> bool {
    let before = |back: usize| start.checked_sub(back).and_then(|at| bytes.get(at));
    match before(1) {
        Some(b'.') => !before(2).is_some_and(u8::is_ascii_digit),
        Some(byte) => !byte.is_ascii_alphanumeric(),
        None => true,
    }
}

fn may_end(bytes: &[u8], end: usize) -> bool {
    match bytes.get(end) {
        Some(b'.') => !bytes.get(end + 1).is_some_and(u8::is_ascii_digit),
        Some(byte) => !byte.is_ascii_alphanumeric(),
        None => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_every_issuer() {
        for number in [
            "4222222222222",
            "4242424242424242",
            "4000056655665556",
            "5555555555554444",
            "2223003122003222",
            "378282246310005",
            "371449635398431",
            "6011111111111117",
            "6011000990139424",
            "3056930009020004",
            "36227206271667",
            "3566002020360505",
            "6200000000000005",
            "6205500000000000004",
            "4000000760000002",
        ] {
            assert!(is_card(number.as_bytes()), "{number}");
        }
    }

    #[test]
    fn other_numbers() {
        for number in [
            "4242424242424241",     // check digit
            "1234567812345670",     // issuer
            "424242424242",         // 12 digits
            "42424242424242424242", // 20 digits
            "1730966400000000000",  // nanoseconds
            "424242424242426",      // 15 digits of Visa
        ] {
            assert!(!is_card(number.as_bytes()), "{number}");
        }
    }

    #[test]
    fn found_where_they_stand_alone() {
        for (text, found) in [
            ("4242424242424242", true),
            ("pan=4242 4242 4242 4242.", true),
            ("(4242-4242-4242-4242)", true),
            ("3782 822463 10005", true),
            ("card_4242424242424242", true),
            ("4242-4242 4242-4242", false),
            ("a4242424242424242", false),
            ("4242424242424242.50", false),
            ("0.4242424242424242", false),
            ("4242424242424242f", false),
            ("4242 4242 4242 42424", false),
        ] {
            let mut spans = Vec::new();
            find(text, &mut spans);
            assert_eq!(!spans.is_empty(), found, "{text}");
        }
    }
}
