//! Numbers as ECMAScript prints them. No arithmetic is done with a float: its shortest digits are written in
//! another way.

use super::NotCanonical;

/// The shortest text that reads back to the same double, in the form of ECMAScript (`Number::toString`); `None`
/// for NaN and infinities, which JSON does not have. Minus zero is `0`.
pub fn number(value: f64) -> Option<String> {
    if !value.is_finite() {
        return None;
    }
    // `d.ddde-7`: the digits are the shortest and the nearest; layout and ties differ.
    let shortest = format!("{value:e}");
    let (sign, unsigned) = match shortest.strip_prefix('-') {
        Some(rest) => ("-", rest),
        None => ("", shortest.as_str()),
    };
    let (mantissa, exponent) = unsigned.split_once('e')?;
    let exponent: i32 = exponent.parse().ok()?;
    let digits: String = mantissa.chars().filter(char::is_ascii_digit).collect();
    if digits == "0" {
        return Some(digits);
    }
    let even = even_of_tie(value, &digits, exponent);
    Some(format!("{sign}{}", laid_out(even.as_deref().unwrap_or(&digits), exponent)))
}

/// Where two shortest texts are equally near to a double, ECMAScript takes the one with an even last digit, Rust
/// the larger one: 1424953923781206.25 is `..206.2`, not `..206.3`. Returns the even one if `digits` is the odd.
fn even_of_tie(value: f64, digits: &str, exponent: i32) -> Option<String> {
    // All digits of a double; the smallest ones have 767.
    const ALL: usize = 800;
    // Two texts of fewer digits are too far apart to be read back to one double.
    const FEWEST: usize = 16;
    let last = digits.bytes().last().filter(|digit| digit % 2 == 1)?;
    if digits.len() < FEWEST {
        return None;
    }
    let magnitude = value.abs();
    if !format!("{magnitude:.*e}", digits.len()).split('e').next()?.ends_with('5') {
        return None;
    }
    let exact = format!("{magnitude:.ALL$e}");
    let exact: String = exact.split('e').next()?.chars().filter(char::is_ascii_digit).collect();
    let (below, rest) = exact.split_at_checked(digits.len())?;
    if rest.trim_end_matches('0') != "5" {
        return None;
    }
    // No carry: a text that ends in 9 or 0 here would have a shorter neighbour, and that would have been taken.
    let other = if below == digits { last + 1 } else { last - 1 };
    let mut even = digits.strip_suffix(char::from(last))?.to_owned();
    even.push(char::from(other));
    let back: f64 = laid_out(&even, exponent).parse().ok()?;
    (back.to_bits() == magnitude.to_bits()).then_some(even)
}

/// Digits `d.ddd` times ten to the exponent: plain from 1e-6 up to 1e21, else with an exponent.
fn laid_out(digits: &str, exponent: i32) -> String {
    let (first, rest) = digits.split_at_checked(1).unwrap_or((digits, ""));
    match usize::try_from(exponent) {
        Ok(before) if before < 21 => match rest.split_at_checked(before) {
            Some((whole, "")) => format!("{first}{whole}"),
            Some((whole, fraction)) => format!("{first}{whole}.{fraction}"),
            None => format!("{first}{rest:0<before$}"),
        },
        Err(_) if exponent >= -6 => {
            let zeros = usize::try_from(-1 - exponent).unwrap_or_default();
            format!("0.{}{digits}", "0".repeat(zeros))
        }
        _ => {
            let point = if rest.is_empty() { "" } else { "." };
            format!("{first}{point}{rest}e{exponent:+}")
        }
    }
}

/// The canonical text of a number token that is known to follow the grammar of JSON.
///
/// A whole number beyond 2^53-1 is refused, whether it is written as one (`9007199254740993`) or would be
/// (`9007199254740993.0`): two that differ could have one text. `1e30` is a double by its form and stays.
/// `at` gives the place for an error.
pub(super) fn canonical_number(token: &str, at: impl Fn() -> String) -> Result<String, NotCanonical> {
    let beyond = || NotCanonical::BeyondDouble { at: at() };
    if is_beyond(token) {
        return Err(beyond());
    }
    let text = token.parse().ok().and_then(number);
    let text = text.ok_or_else(|| NotCanonical::NotFinite { at: at() })?;
    if is_beyond(&text) { Err(beyond()) } else { Ok(text) }
}

/// Is the text a whole number, all digits, beyond 2^53-1?
fn is_beyond(text: &str) -> bool {
    const LARGEST: u64 = (1 << 53) - 1;
    let digits = text.strip_prefix('-').unwrap_or(text);
    let whole = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    whole && digits.parse::<u64>().map_or(true, |value| value > LARGEST)
}

/// A token from outside, if it is one JSON number and nothing else.
pub(super) fn checked<'a>(token: &'a str, name: &str) -> Result<&'a str, NotCanonical> {
    let number = token.starts_with(|c: char| c == '-' || c.is_ascii_digit())
        && token.bytes().all(|byte| byte.is_ascii_digit() || b"-+.eE".contains(&byte))
        && serde_json::from_str::<&serde_json::value::RawValue>(token).is_ok();
    if number { Ok(token) } else { Err(NotCanonical::NotJson(format!("{name} is not a number"))) }
}
