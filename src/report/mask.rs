//! People and secrets in what is printed (`4-sources.md` 4.17). Joins use raw values; only what is shown is masked.
//!
//! Secrets and card numbers are found by [`crate::text::redact`]; here are people by their form (mail addresses,
//! IBANs by their check digits) and the token that stands for a party.

use std::borrow::Cow;
use std::hash::{BuildHasher, Hasher};

use sha2::{Digest as _, Sha256};

use crate::text::redact;

/// Names of the column that says who is concerned (`7-commands.md` 7.5.8).
const PARTY: [&str; 5] = ["party", "customer_id", "customer", "account_id", "account"];

/// What stands for a person.
const MASKED: &str = "[masked]";

/// How people and secrets are masked.
#[derive(Clone)]
pub struct Mask {
    always: bool,
    /// The party is shown as it is.
    party_allowed: bool,
    secret: [u8; 32],
}

impl Mask {
    /// A mask with a secret of its own, so that a party cannot be guessed from its token. `always`: every party gets
    /// a token (`[mask] party = true`).
    pub fn of_load(always: bool) -> Self {
        // The standard library's hasher is seeded by the system; its answers are spread by SHA-256.
        let mut digest = Sha256::new();
        for _ in 0..4 {
            digest
                .update(std::collections::hash_map::RandomState::new().build_hasher().finish().to_le_bytes());
        }
        Self { always, party_allowed: false, secret: digest.finalize().into() }
    }

    /// A mask with the secret of a book, so that tokens stay the same from load to load.
    pub fn of_book(always: bool, secret: [u8; 32]) -> Self {
        Self { always, party_allowed: false, secret }
    }

    /// The same, with columns that are shown as they are (`[mask] allow`). Secrets are never shown.
    #[must_use]
    pub fn allowing<S: AsRef<str>>(self, columns: &[S]) -> Self {
        let party_allowed = columns.iter().any(|column| PARTY.contains(&column.as_ref()));
        Self { party_allowed, ..self }
    }

    /// A party: an opaque id as it is, a name, mail or number as a token.
    pub fn party(&self, party: &str) -> String {
        if party.is_empty() {
            return String::new();
        }
        if !self.always && (self.party_allowed || is_opaque(party)) {
            return redact(party).into_owned();
        }
        let [first, second, ..] = self.hmac(party.as_bytes());
        format!("party-{first:02x}{second:02x}")
    }

    /// Free text: secrets, cards, and people by their form.
    pub fn text(&self, text: &str) -> String {
        let text = redact(text);
        let text = if text.contains('@') { mails(&text) } else { text };
        ibans(&text).into_owned()
    }

    /// An id column: shown in full, secrets aside.
    pub fn id<'t>(&self, id: &'t str) -> Cow<'t, str> {
        redact(id)
    }

    fn hmac(&self, message: &[u8]) -> [u8; 32] {
        let keyed = |pad: u8| {
            let mut block = [pad; 64];
            for (byte, key) in block.iter_mut().zip(self.secret) {
                *byte ^= key;
            }
            Sha256::new_with_prefix(block)
        };
        let inner = keyed(0x36).chain_update(message).finalize();
        keyed(0x5c).chain_update(inner).finalize().into()
    }
}

/// `cust_88`: letters and digits of ASCII with the usual separators, at least one of each, and no number of an account.
fn is_opaque(party: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.' | b':');
    party.len() <= 128
        && party.bytes().all(plain)
        && party.bytes().any(|byte| byte.is_ascii_digit())
        && party.bytes().any(|byte| byte.is_ascii_alphabetic())
        && !is_iban(party.as_bytes())
}

/// Replaces mail addresses.
fn mails(text: &str) -> Cow<'_, str> {
    let local = |c: char| c.is_alphanumeric() || "._%+-'".contains(c);
    let domain = |c: char| c.is_alphanumeric() || "-.".contains(c);
    let mut out = String::new();
    let mut rest = text;
    let mut found = false;
    while let Some((before, after)) = rest.split_once('@') {
        let name = before.len() - before.trim_end_matches(local).len();
        let end = after.find(|c| !domain(c)).unwrap_or(after.len());
        let (host, behind) = after.split_at_checked(end).unwrap_or((after, ""));
        let ends = host.trim_end_matches(['.', '-']);
        let is_mail = name > 0 && ends.split('.').count() > 1 && ends.split('.').all(|part| !part.is_empty());
        if is_mail {
            out.push_str(before.get(..before.len() - name).unwrap_or_default());
            out.push_str(MASKED);
            out.push_str(host.get(ends.len()..).unwrap_or_default());
            found = true;
        } else {
            out.push_str(before);
            out.push('@');
            out.push_str(host);
        }
        rest = behind;
    }
    if !found {
        return Cow::Borrowed(text);
    }
    out.push_str(rest);
    Cow::Owned(out)
}

/// Replaces IBANs, written as one word or in groups of four.
fn ibans(text: &str) -> Cow<'_, str> {
    let starts = |window: &[u8]| {
        matches!(window, [a, b, c, d] if a.is_ascii_uppercase() && b.is_ascii_uppercase()
            && c.is_ascii_digit() && d.is_ascii_digit())
    };
    if !text.as_bytes().windows(4).any(starts) {
        return Cow::Borrowed(text);
    }
    let bytes = text.as_bytes();
    let mut out = String::new();
    let mut done = 0;
    let mut at = 0;
    while at < bytes.len() {
        let begins = at == 0 || !bytes[at - 1].is_ascii_alphanumeric();
        match begins.then(|| iban_length(bytes.get(at..).unwrap_or_default())).flatten() {
            Some(length) => {
                out.push_str(text.get(done..at).unwrap_or_default());
                out.push_str(MASKED);
                at += length;
                done = at;
            }
            None => at += 1,
        }
    }
    if done == 0 {
        return Cow::Borrowed(text);
    }
    out.push_str(text.get(done..).unwrap_or_default());
    Cow::Owned(out)
}

/// Length of the IBAN at the start, blanks between groups included; the longest that fits.
fn iban_length(bytes: &[u8]) -> Option<usize> {
    let mut compact = Vec::with_capacity(34);
    let mut best = None;
    for (at, byte) in bytes.iter().enumerate() {
        match byte {
            b' ' if !compact.is_empty() && compact.len() % 4 == 0 => {}
            _ if byte.is_ascii_uppercase() || byte.is_ascii_digit() => compact.push(*byte),
            _ => break,
        }
        if compact.len() > 34 {
            break;
        }
        let ends = bytes.get(at + 1).is_none_or(|next| !next.is_ascii_alphanumeric());
        if ends && *byte != b' ' && is_iban(&compact) {
            best = Some(at + 1);
        }
    }
    best
}

/// Two letters, two check digits, and the remainder of 97 that ISO 13616 asks for.
fn is_iban(compact: &[u8]) -> bool {
    let [a, b, c, d, body @ ..] = compact else {
        return false;
    };
    let head = a.is_ascii_uppercase() && b.is_ascii_uppercase() && c.is_ascii_digit() && d.is_ascii_digit();
    if !head || !(11..=30).contains(&body.len()) {
        return false;
    }
    let mut rest = 0_u32;
    for byte in body.iter().chain([a, b, c, d]) {
        rest = match byte {
            b'0'..=b'9' => (rest * 10 + u32::from(byte - b'0')) % 97,
            b'A'..=b'Z' => (rest * 100 + u32::from(byte - b'A') + 10) % 97,
            _ => return false,
        };
    }
    rest == 1
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mask(always: bool) -> Mask {
        Mask::of_book(always, [7; 32])
    }

    #[test]
    fn an_opaque_party_stays_and_a_person_becomes_a_token() {
        for id in ["cust_88", "acct-9", "c1"] {
            assert_eq!(mask(false).party(id), id);
            assert_ne!(mask(true).party(id), id);
        }
        for person in ["Ada Lovelace", "ada@example.com", "49301234567", "DE89370400440532013000", "ada"] {
            let token = mask(false).party(person);
            assert!(token.starts_with("party-") && token.len() == 10, "{token}");
            assert_eq!(token, mask(false).party(person));
            assert_ne!(token, Mask::of_load(false).party(person).replace("party-", ""), "another secret");
        }
        assert_eq!(mask(true).party(""), "");
    }

    #[test]
    fn a_column_that_is_allowed_is_shown_and_secrets_are_not() {
        let allowed = mask(false).allowing(&["customer"]);
        assert_eq!(allowed.party("Ada Lovelace"), "Ada Lovelace");
        assert!(allowed.party("Bearer abcdefghijklmnop1234").contains("[redacted"));
        assert!(mask(false).allowing(&["reason"]).party("Ada Lovelace").starts_with("party-"));
        assert!(mask(true).allowing(&["party"]).party("Ada Lovelace").starts_with("party-"), "always wins");
    }

    #[test]
    fn the_token_is_the_hmac_of_the_party() {
        // RFC 4231, test case 2, with a key of this program's length.
        let mut key = [0; 32];
        key[..4].copy_from_slice(b"Jefe");
        let digest = Mask::of_book(true, key).hmac(b"what do ya want for nothing?");
        assert_eq!(digest[..4], [0x5b, 0xdc, 0xc1, 0x46]);
    }

    #[test]
    fn mail_and_account_numbers_are_masked_in_free_text() {
        for (text, expected) in [
            ("write to ada.l+x@mail.example.org, please", "write to [masked], please"),
            ("a@b and @handle and x@", "a@b and @handle and x@"),
            ("IBAN DE89 3704 0044 0532 0130 00 was used", "IBAN [masked] was used"),
            ("GB82WEST12345698765432.", "[masked]."),
            ("GB83WEST12345698765432", "GB83WEST12345698765432"),
            ("rfd_a1 of order:1234", "rfd_a1 of order:1234"),
            ("", ""),
        ] {
            assert_eq!(mask(false).text(text), expected);
        }
        assert!(mask(false).text("Authorization: Bearer abcdefghijklmnop1234").contains("[redacted"));
    }
}
