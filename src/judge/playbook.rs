//! Next steps by verdict and kind (`2-judge.md` 2.7, `6-screens.md` 7.4.6 "By kind"), and those that a config sets.
//!
//! Words that would send a call again or take a row away stand in none of them; what a config says is its own.

use super::words::{Mark, Words};

/// A family of kinds that are undone in the same way.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Family {
    /// Money that went out: refund, payout.
    PaidOut,
    /// Money that was taken: charge.
    Charge,
    /// Something that was said: mail, comment.
    Message,
    /// Something that runs or is held: machine, booking.
    Resource,
    /// None of these.
    Other,
}

/// Words of kinds and tools by family. A kind is split into its words, which are compared whole (`4-sources.md` 4.12).
pub const FAMILIES: [(Family, &[&str]); 4] = [
    (Family::PaidOut, &["refund", "payout", "transfer", "withdrawal", "disbursement", "cashout"]),
    (Family::Charge, &["charge", "capture", "payment", "debit", "invoice", "purchase"]),
    (
        Family::Message,
        &["message", "mail", "email", "sms", "comment", "notification", "post", "reply", "ticket"],
    ),
    (
        Family::Resource,
        &[
            "resource",
            "machine",
            "server",
            "instance",
            "vm",
            "cluster",
            "volume",
            "bucket",
            "booking",
            "reservation",
        ],
    ),
];

/// What the owner of the ledger can do about too much, by family; it stands below the next step.
pub const TOO_MUCH: [(Family, &str); 4] = [
    (
        Family::PaidOut,
        "Ask for cancellation while it is on its way; else recall it, agree with the customer, or write it off.",
    ),
    (Family::Charge, "A refund is a new operation with its own id."),
    (Family::Message, "It cannot be taken back; tell the recipient."),
    (Family::Resource, "Ask its owner to release one."),
];

/// The words of a kind or a tool's name, in small letters: split at capitals and at what is no letter or digit.
pub fn words_of(kind: &str) -> impl Iterator<Item = String> {
    let mut split = String::with_capacity(kind.len() + 4);
    let mut small = false;
    for c in kind.chars() {
        if c.is_uppercase() && small {
            split.push(' ');
        }
        small = c.is_lowercase() || c.is_ascii_digit();
        split.extend(if c.is_alphanumeric() { c.to_lowercase().collect() } else { vec![' '] });
    }
    split.split_whitespace().map(str::to_owned).collect::<Vec<_>>().into_iter()
}

/// The family of a kind, or of the tool that stands for it.
pub fn family(kind: &str) -> Family {
    let of =
        |word: &String| FAMILIES.iter().find(|(_, words)| is_one_of(word, words)).map(|(family, _)| *family);
    words_of(kind).find_map(|word| of(&word)).unwrap_or(Family::Other)
}

/// A word is listed, also in the plural.
fn is_one_of(word: &str, words: &[&str]) -> bool {
    words.iter().any(|listed| word == *listed || word.strip_suffix('s') == Some(listed))
}

/// What can be done about too much of a kind; `None` where nothing is too much, or the kind is of no family.
///
/// What is recorded as failed and happened once is not too much: it has to be put on record.
pub fn hint(words: &Words, kind: &str) -> Option<&'static str> {
    let too_much = matches!(words.mark, Mark::More | Mark::MaybeMore);
    let only_marked = words.rule == Some(super::rules::Rule::R11);
    if !too_much || only_marked {
        return None;
    }
    let family = family(kind);
    TOO_MUCH.iter().find(|(of, _)| *of == family).map(|(_, text)| *text)
}

/// A next step of the config: `[playbook.VERDICT.KIND]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Own {
    /// Verdict code.
    pub verdict: String,
    /// Kind, or `*` for every kind.
    pub kind: String,
    /// What to do, shown as written.
    pub text: String,
    /// An address, shown and never opened; empty where there is none.
    pub link: String,
    /// Whose it is; empty where nobody is named.
    pub owner: String,
}

/// The next steps of a config.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Playbook {
    /// In the order of the config.
    pub own: Vec<Own>,
}

impl Playbook {
    /// A playbook of triples: verdict, kind, text.
    pub fn of(triples: impl IntoIterator<Item = (String, String, String)>) -> Self {
        let own =
            |(verdict, kind, text)| Own { verdict, kind, text, link: String::new(), owner: String::new() };
        Self { own: triples.into_iter().map(own).collect() }
    }

    /// The own next step of a verdict and kind: the kind's before that of every kind; `None` leaves the built-in one.
    pub fn find(&self, verdict: &str, kind: &str) -> Option<&Own> {
        let of = |kind: &str| self.own.iter().find(|own| own.verdict == verdict && own.kind == kind);
        of(kind).or_else(|| of("*"))
    }
}

#[cfg(test)]
mod tests {
    use super::super::words::WORDS;
    use super::*;

    #[test]
    fn a_kind_or_a_tool_finds_its_family_by_whole_words() {
        for (kind, expected) in [
            ("refund", Family::PaidOut),
            ("payouts", Family::PaidOut),
            ("refund_order", Family::PaidOut),
            ("mcp__shop__createRefund", Family::PaidOut),
            ("stripe.charge", Family::Charge),
            ("send-email", Family::Message),
            ("post_comment", Family::Message),
            ("start_vm", Family::Resource),
            ("refunded", Family::Other),
            ("", Family::Other),
        ] {
            assert_eq!(family(kind), expected, "{kind}");
        }
    }

    #[test]
    fn only_what_is_too_much_has_a_hint() {
        let hinted: Vec<&str> = WORDS
            .iter()
            .filter(|w| hint(w, "refund").is_some())
            .filter_map(|w| w.rule)
            .map(super::super::rules::Rule::number)
            .collect();
        assert_eq!(
            hinted,
            ["R02", "R04a", "R04a", "R04a", "R05", "R08", "R16a", "R16a", "R16a", "R16a", "R16a"]
        );
        let doubled = WORDS.iter().find(|w| w.list == "happened {times}").unwrap();
        assert_eq!(hint(doubled, "comment"), Some("It cannot be taken back; tell the recipient."));
        assert_eq!(hint(doubled, "vm"), Some("Ask its owner to release one."));
        assert_eq!(hint(doubled, "charge"), Some("A refund is a new operation with its own id."));
        assert_eq!(hint(doubled, "thing"), None);
    }

    #[test]
    fn a_config_overrides_by_verdict_and_kind() {
        let triple = |v: &str, k: &str, t: &str| (v.to_owned(), k.to_owned(), t.to_owned());
        let book = Playbook::of([
            triple("DUPLICATED", "*", "Call the desk."),
            triple("DUPLICATED", "refund", "Call the refunds desk."),
        ]);
        assert_eq!(book.find("DUPLICATED", "refund").unwrap().text, "Call the refunds desk.");
        assert_eq!(book.find("DUPLICATED", "payout").unwrap().text, "Call the desk.");
        assert_eq!(book.find("MISSING", "refund"), None);
    }
}
