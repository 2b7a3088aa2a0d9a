//! Names that say that their value is a secret. They are compared without case, `_`, `-`, `.` and blanks.

/// Where a word has to stand in a name.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// It is the whole name, or the whole last part of a dotted one.
    Whole,
    /// It ends the name: `refresh_token`, `x-auth-token`.
    End,
    /// It is anywhere in the name: `password2`, `db_password_old`.
    Anywhere,
}

/// How far the value of a name goes in running text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Extent {
    /// One word or one quoted text.
    Word,
    /// To the end of the line.
    Line,
    /// To the end of the line, behind the scheme (`Bearer`), which is no secret; one word where the scheme has one.
    Header,
}

/// What a secret name says about its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Named {
    pub(super) extent: Extent,
    /// The name is also a word of sentences (`auth: user logged in`): behind it and a colon, unquoted, a value without a
    /// digit is none.
    pub(super) weak: bool,
}

use Extent::{Header, Line, Word};
use Place::{Anywhere, End, Whole};

/// The words. The first that fits decides.
const SECRET: &[(&str, Place, Extent)] = &[
    ("authorization", End, Header),
    ("cookie", End, Line),
    ("cookies", End, Line),
    ("password", Anywhere, Word),
    ("passwd", Anywhere, Word),
    ("passphrase", Anywhere, Line),
    ("mnemonic", End, Line),
    ("seedphrase", End, Line),
    ("passcode", Anywhere, Word),
    ("apikey", Anywhere, Word),
    ("apitoken", Anywhere, Word),
    ("privatekey", Anywhere, Word),
    ("secretkey", Anywhere, Word),
    ("secretaccesskey", Anywhere, Word),
    ("clientsecret", Anywhere, Word),
    ("accesstoken", Anywhere, Word),
    ("authtoken", Anywhere, Word),
    ("bearertoken", Anywhere, Word),
    ("refreshtoken", Anywhere, Word),
    ("sessiontoken", Anywhere, Word),
    ("secretvalue", End, Word),
    ("tokenvalue", End, Word),
    ("token", End, Word),
    ("secret", End, Word),
    ("secrets", Whole, Word),
    ("pwd", End, Word),
    ("credential", End, Word),
    ("credentials", End, Word),
    ("accesskey", End, Word),
    ("accountkey", End, Word),
    ("sharedaccesskey", End, Word),
    ("authkey", End, Word),
    ("encryptionkey", End, Word),
    ("masterkey", End, Word),
    ("hmackey", End, Word),
    ("signingkey", End, Word),
    ("sessionkey", End, Word),
    ("subscriptionkey", End, Word),
    ("connectionstring", End, Word),
    ("securitycode", End, Word),
    ("xamzsignature", End, Word),
    ("xgoogsignature", End, Word),
    ("auth", Whole, Word),
    ("pass", Whole, Word),
    ("pw", Whole, Word),
    ("pin", Whole, Word),
    ("otp", Whole, Word),
    ("totp", Whole, Word),
    ("jwt", Whole, Word),
    ("sig", Whole, Word),
    ("cvv", Whole, Word),
    ("cvv2", Whole, Word),
    ("cvc", Whole, Word),
    ("cvc2", Whole, Word),
];

/// Names that end like one of these but hold no secret: positions in a list, keys of idempotency, marks of a model, and
/// what is said about a secret.
const NO_SECRET: &[(&str, Place)] = &[
    ("pagetoken", End),
    ("nexttoken", End),
    ("continuationtoken", End),
    ("synctoken", End),
    ("cursortoken", End),
    ("canceltoken", End),
    ("cancellationtoken", End),
    ("idempotencytoken", End),
    ("requesttoken", End),
    ("eostoken", End),
    ("bostoken", End),
    ("padtoken", End),
    ("stoptoken", End),
    ("maxtoken", End),
    ("pertoken", End),
    ("passwordless", Anywhere),
    ("count", End),
    ("length", End),
    ("policy", End),
    ("required", End),
    ("type", End),
    ("status", End),
    ("version", End),
    ("enabled", End),
    ("expiresat", End),
    ("expiresin", End),
    ("updatedat", End),
    ("changedat", End),
    ("createdat", End),
];

/// Longer names are no names.
pub(super) const LONGEST: usize = 100;

/// True for a name whose value is a secret (`api_key`, `X-Auth-Token`, `clientSecret`).
pub fn is_secret_name(name: &str) -> bool {
    named(name).is_some()
}

/// What this name says about its value, or `None` when it is not the name of a secret.
pub(super) fn named(name: &str) -> Option<Named> {
    if name.len() > LONGEST || !name.is_ascii() {
        return None;
    }
    let folded = fold(name);
    let last = fold(name.rsplit('.').next().unwrap_or_default());
    let stands = |word: &str, place: Place| match place {
        Whole => folded == word || last == word,
        End => folded.ends_with(word),
        Anywhere => folded.contains(word),
    };
    let &(_, place, extent) = SECRET.iter().find(|&&(word, place, _)| stands(word, place))?;
    (!NO_SECRET.iter().any(|&(word, place)| stands(word, place)))
        .then_some(Named { extent, weak: place == Whole })
}

fn fold(name: &str) -> String {
    name.chars()
        .filter(|character| !matches!(character, '_' | '-' | '.' | ' '))
        .map(|character| character.to_ascii_lowercase())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_secrets() {
        for name in [
            "token",
            "access_token",
            "refreshToken",
            "X-Auth-Token",
            "secret",
            "client_secret",
            "CLIENT-SECRET-2",
            "Password",
            "db_password",
            "sslpassword",
            "passwd",
            "pwd",
            "apiKey",
            "x-api-key",
            "API_KEY_LIVE",
            "AWS_SECRET_ACCESS_KEY",
            "private_key",
            "credentials",
            "cvv",
            "card.cvc",
            "otp",
            "SharedAccessKey",
        ] {
            assert_eq!(named(name).map(|named| named.extent), Some(Word), "{name}");
        }
        for name in ["Authorization", "proxy-authorization", "http.request.header.authorization"] {
            assert_eq!(named(name).map(|named| named.extent), Some(Header), "{name}");
        }
        for name in ["Set-Cookie", "cookies", "key_passphrase"] {
            assert_eq!(named(name).map(|named| named.extent), Some(Line), "{name}");
        }
        assert!(named("auth").unwrap().weak && named("x.pin").unwrap().weak && !named("token").unwrap().weak);
    }

    #[test]
    fn names_of_no_secrets() {
        for name in [
            "",
            "key",
            "idempotency_key",
            "Idempotency-Key",
            "partition_key",
            "public_key",
            "max_tokens",
            "prompt_tokens",
            "token_count",
            "token_type",
            "tokenizer",
            "next_page_token",
            "ClientRequestToken",
            "password_required",
            "passwordless",
            "secretary",
            "authorization_id",
            "cookie_policy",
            "author",
            "pint",
            "session_id",
            "operation_id",
            "secret_version",
            "spin",
            "bypass",
        ] {
            assert_eq!(named(name), None, "{name}");
        }
        assert!(is_secret_name(&format!("{}_token", "x".repeat(LONGEST - 6))));
        assert!(!is_secret_name(&format!("{}_token", "x".repeat(LONGEST - 5))));
    }
}
