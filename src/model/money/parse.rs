//! From raw text to exact amounts. Nothing is rounded, nothing is guessed (`1-model.md` 1.2).

use super::Amount;

/// Digits that an amount may have.
const MOST_DIGITS: usize = 18;
/// Digits that a double holds exactly.
const REAL_DIGITS: usize = 15;
/// Exponents beyond this are far out of range; the sum with a scale cannot overflow.
const FARTHEST_EXPONENT: i64 = 1_000_000;

/// Why a text is not an amount. Says the reason alone; who shows it adds the text and its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadAmount {
    /// Nothing is written.
    #[error("is empty")]
    Empty,
    /// A blank inside or around the number.
    #[error("has a blank")]
    Blank,
    /// A plus sign in front.
    #[error("has a plus sign")]
    Plus,
    /// A separator of thousands, or a comma for the point.
    #[error("has a separator other than one decimal point")]
    Separator,
    /// Anything else that is not a number.
    #[error("is not a decimal")]
    NotDecimal,
    /// More digits before the point than are kept.
    #[error("is too large")]
    TooLarge,
    /// More digits than are kept.
    #[error("has more than {MOST_DIGITS} digits")]
    TooManyDigits,
    /// Digits other than zero beyond the exponent of the currency.
    #[error("has digits beyond the {0} decimals of its currency")]
    TooManyDecimals(u8),
    /// Minor units with a fraction.
    #[error("is not a whole number of minor units")]
    NotWhole,
    /// Below zero where nothing says whether that is an effect or a reversal.
    #[error("is negative, and `negative_is` does not say what that means")]
    Negative,
    /// A database stored it as a float and prints it with an exponent.
    #[error("is a float that the database prints with an exponent")]
    RealExponent,
    /// A database stored it as a float with more digits than a float holds.
    #[error("is a float with more than {REAL_DIGITS} digits")]
    RealDigits,
}

/// The value of a digit.
fn digit(byte: Option<&u8>) -> Option<u8> {
    byte.map(|byte| byte.wrapping_sub(b'0')).filter(|digit| *digit < 10)
}

/// Reads an amount in major units: decimal text or the token of a JSON number.
///
/// Accepted are an optional `-`, digits, optionally a point and digits, and an exponent (`2e2`). The scale keeps
/// the decimals as written. At most 18 digits, zeros at both ends aside.
///
/// # Errors
/// [`BadAmount`] for everything else: separators, currency signs, blanks, a plus sign, nothing at all.
#[inline]
pub fn parse_decimal(raw: &str) -> Result<Amount, BadAmount> {
    let bytes = raw.as_bytes();
    let negative = bytes.first() == Some(&b'-');
    let mut at = usize::from(negative);
    // Wrapping is harmless: a value is only taken when it has few enough digits not to wrap.
    let mut digits = 0_i64;
    let first = at;
    while let Some(next) = digit(bytes.get(at)) {
        digits = digits.wrapping_mul(10).wrapping_add(i64::from(next));
        at += 1;
    }
    let whole = at - first;
    let mut scale = 0;
    if bytes.get(at) == Some(&b'.') {
        let point = at;
        at += 1;
        while let Some(next) = digit(bytes.get(at)) {
            digits = digits.wrapping_mul(10).wrapping_add(i64::from(next));
            at += 1;
        }
        scale = at - point - 1;
        if scale == 0 {
            return Err(diagnose(raw));
        }
    }
    match u8::try_from(scale) {
        Ok(scale) if at == bytes.len() && whole > 0 && at - first <= MOST_DIGITS => {
            Ok(Amount { digits: if negative { -digits } else { digits }, scale })
        }
        _ => parse_long(raw),
    }
}

/// The parts of a number: sign, digits before the point, digits after it, exponent.
struct Parts<'a> {
    negative: bool,
    whole: &'a [u8],
    fraction: &'a [u8],
    exponent: Option<i64>,
}

fn split_digits(bytes: &[u8]) -> (&[u8], &[u8]) {
    let count = bytes.iter().take_while(|byte| byte.is_ascii_digit()).count();
    bytes.split_at(count)
}

/// Splits by the grammar, or `None` where the text does not follow it.
fn parts(raw: &str) -> Option<Parts<'_>> {
    let bytes = raw.as_bytes();
    let unsigned = bytes.strip_prefix(b"-");
    let (whole, rest) = split_digits(unsigned.unwrap_or(bytes));
    let (fraction, rest) = match rest.strip_prefix(b".") {
        Some(rest) => Some(split_digits(rest)).filter(|(digits, _)| !digits.is_empty())?,
        None => (&[][..], rest),
    };
    let exponent = match rest {
        [] => None,
        [b'e' | b'E', b'-', digits @ ..] => Some(-exponent(digits)?),
        [b'e' | b'E', b'+', digits @ ..] | [b'e' | b'E', digits @ ..] => Some(exponent(digits)?),
        _ => return None,
    };
    (!whole.is_empty()).then_some(Parts { negative: unsigned.is_some(), whole, fraction, exponent })
}

fn exponent(digits: &[u8]) -> Option<i64> {
    if digits.is_empty() {
        return None;
    }
    digits.iter().try_fold(0_i64, |sum, byte| {
        let next = digit(Some(byte))?;
        Some((sum * 10 + i64::from(next)).min(FARTHEST_EXPONENT))
    })
}

/// The rare forms: exponents, long runs of zeros, and everything that is refused.
#[cold]
fn parse_long(raw: &str) -> Result<Amount, BadAmount> {
    let Some(parts) = parts(raw) else {
        return Err(diagnose(raw));
    };
    let mut digits = 0_i64;
    let mut count = 0; // significant digits so far, the zeros at hand not counted
    let mut zeros = 0;
    for byte in parts.whole.iter().chain(parts.fraction) {
        let next = i64::from(digit(Some(byte)).unwrap_or_default());
        if next == 0 {
            zeros += usize::from(count > 0);
            continue;
        }
        count += zeros + 1;
        if count > MOST_DIGITS {
            // Only what stands before the point makes a number large.
            let before = parts.whole.iter().skip_while(|byte| **byte == b'0').count();
            return Err(if before > MOST_DIGITS { BadAmount::TooLarge } else { BadAmount::TooManyDigits });
        }
        for _ in 0..=zeros {
            digits *= 10;
        }
        digits += next;
        zeros = 0;
    }
    let written = i64::try_from(parts.fraction.len()).map_err(|_| BadAmount::TooManyDigits)?;
    let exponent = parts.exponent.unwrap_or_default();
    if digits == 0 {
        let scale = (written - exponent).clamp(0, 18);
        return Ok(Amount { digits: 0, scale: u8::try_from(scale).unwrap_or_default() });
    }
    // The zeros at the end are kept as written as long as there is room for them.
    let kept = zeros.min(MOST_DIGITS - count);
    let dropped = i64::try_from(zeros - kept).map_err(|_| BadAmount::TooLarge)?;
    for _ in 0..kept {
        digits *= 10;
    }
    count += kept;
    let mut scale = written - exponent - dropped;
    while scale < 0 {
        if count == MOST_DIGITS {
            return Err(BadAmount::TooLarge);
        }
        digits *= 10;
        count += 1;
        scale += 1;
    }
    while scale > 18 && digits % 10 == 0 {
        digits /= 10;
        scale -= 1;
    }
    match u8::try_from(scale) {
        Ok(scale) if scale <= 18 => {
            Ok(Amount { digits: if parts.negative { -digits } else { digits }, scale })
        }
        _ => Err(BadAmount::TooManyDigits),
    }
}

/// Names the mistake that a person makes most.
#[cold]
fn diagnose(raw: &str) -> BadAmount {
    let number = raw.strip_prefix('-').unwrap_or(raw);
    let only =
        |allowed: &[char]| number.chars().all(|c| c.is_ascii_digit() || c == '.' || allowed.contains(&c));
    let has_digit = number.chars().any(|c| c.is_ascii_digit());
    if raw.is_empty() {
        BadAmount::Empty
    } else if raw.chars().any(char::is_whitespace) {
        BadAmount::Blank
    } else if raw.starts_with('+') {
        BadAmount::Plus
    } else if has_digit && only(&[',', '_', '\'', '’']) && number.starts_with(|c: char| c.is_ascii_digit())
    {
        let lone_point = number.ends_with('.') && number.matches('.').count() == 1 && only(&[]);
        if lone_point { BadAmount::NotDecimal } else { BadAmount::Separator }
    } else {
        BadAmount::NotDecimal
    }
}

/// Reads what SQLite prints for a REAL. A double holds 15 digits exactly; more, or an exponent, may have been
/// rounded already and is refused.
///
/// # Errors
/// [`BadAmount`] as [`parse_decimal`], and for an exponent or more than 15 significant digits.
pub fn parse_real(raw: &str) -> Result<Amount, BadAmount> {
    let Some(parts) = parts(raw) else {
        return Err(diagnose(raw));
    };
    if parts.exponent.is_some() {
        return Err(BadAmount::RealExponent);
    }
    let fraction = parts.fraction.iter().rposition(|byte| *byte != b'0').map_or(0, |last| last + 1);
    let written = parts.whole.iter().chain(parts.fraction.iter().take(fraction));
    if written.skip_while(|byte| **byte == b'0').count() > REAL_DIGITS {
        return Err(BadAmount::RealDigits);
    }
    parse_decimal(raw)
}

/// Reads a whole number of minor units. `200.0` and `2e2` are taken, because their value is exactly whole.
///
/// # Errors
/// [`BadAmount`] as [`parse_decimal`], and for a fraction.
pub fn parse_minor(raw: &str) -> Result<i64, BadAmount> {
    match parse_decimal(raw) {
        Ok(Amount { digits, scale: 0 }) => Ok(digits),
        Ok(amount) => {
            let whole = amount.wide().at_scale(0).ok_or(BadAmount::NotWhole)?;
            i64::try_from(whole).map_err(|_| BadAmount::TooLarge)
        }
        // An i64 holds a little more than 18 digits.
        Err(BadAmount::TooLarge) => raw.parse().map_err(|_| BadAmount::TooLarge),
        Err(why) => Err(why),
    }
}

/// The same value at the exponent of its currency: `200.000` USD becomes 20000 minor units.
///
/// # Errors
/// [`BadAmount::TooManyDecimals`] if a digit beyond the exponent is not zero, [`BadAmount::TooLarge`] if it does
/// not fit. Nothing is rounded.
pub fn to_exponent(amount: Amount, exponent: u8) -> Result<Amount, BadAmount> {
    if amount.scale == exponent {
        return Ok(amount);
    }
    let Some(digits) = amount.wide().at_scale(exponent) else {
        let grows = exponent > amount.scale;
        return Err(if grows { BadAmount::TooLarge } else { BadAmount::TooManyDecimals(exponent) });
    };
    let digits = i64::try_from(digits).map_err(|_| BadAmount::TooLarge)?;
    Ok(Amount { digits, scale: exponent })
}
