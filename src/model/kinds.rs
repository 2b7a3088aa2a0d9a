//! Kinds of operations, compared by their words (`1-model.md` 1.4.12, `4-sources.md` 4.12).

use std::collections::HashSet;

/// The kind of an intent: as recorded, else the text before the first `:` of an operation id of the form
/// kind:business:request, else the tool.
pub fn kind_of<'a>(recorded: &'a str, operation_id: &'a str, tool: &'a str) -> &'a str {
    if !recorded.is_empty() {
        return recorded;
    }
    let mut parts = operation_id.split(':');
    match (parts.next(), parts.next(), parts.next()) {
        (Some(kind), Some(_), Some(_)) if !kind.is_empty() => kind,
        _ => tool,
    }
}

/// Two names of kinds, tools, tables or files that share a word: `refund_order` and `refunds` agree.
pub fn share_a_word(a: &str, b: &str) -> bool {
    words(a).any(|x| words(b).any(|y| singular(x).eq_ignore_ascii_case(singular(y))))
}

/// Words of a name: apart at what is no letter or digit, and before a capital behind a small letter (`IssueRefund`).
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric()).flat_map(humps).filter(|w| !w.is_empty())
}

fn humps(word: &str) -> impl Iterator<Item = &str> {
    let mut rest = word;
    std::iter::from_fn(move || {
        let mut small = false;
        let hump = rest.char_indices().find(|(_, letter)| {
            let begins = small && letter.is_uppercase();
            small = letter.is_lowercase();
            begins
        });
        let (first, behind) = rest.split_at_checked(hump.map_or(rest.len(), |(at, _)| at))?;
        rest = behind;
        (!first.is_empty()).then_some(first)
    })
}

fn singular(word: &str) -> &str {
    word.strip_suffix(['s', 'S']).filter(|w| w.len() > 2).unwrap_or(word)
}

/// The words of many names: whether a name shares one with any of them is one look per word.
#[derive(Clone, Debug, Default)]
pub struct KindWords(HashSet<String>);

impl KindWords {
    /// Takes the words of a name.
    pub fn add(&mut self, name: &str) {
        self.0.extend(words(name).map(form));
    }

    /// No word at all.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// As [`share_a_word`] with any of the names.
    pub fn share(&self, name: &str) -> bool {
        words(name).any(|word| self.0.contains(&form(word)))
    }
}

impl<'a> FromIterator<&'a str> for KindWords {
    fn from_iter<T: IntoIterator<Item = &'a str>>(names: T) -> Self {
        let mut words = Self::default();
        names.into_iter().for_each(|name| words.add(name));
        words
    }
}

/// The form of a word that is compared.
fn form(word: &str) -> String {
    singular(word).to_ascii_lowercase()
}

/// Words in names of tables and files that say what a ledger holds (`4-sources.md` 4.12.3).
pub const KNOWN: [&str; 8] =
    ["refund", "payout", "charge", "transfer", "invoice", "mail", "comment", "ticket"];

/// The known kinds that a table or file name says.
pub fn named_in(name: &str) -> Vec<&'static str> {
    KNOWN.iter().copied().filter(|kind| share_a_word(name, kind)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kind_is_recorded_or_leads_the_operation_id_or_is_the_tool() {
        assert_eq!(kind_of("payout", "refund:order_1:r1", "refund_order"), "payout");
        assert_eq!(kind_of("", "refund:order_1:r1", "refund_order"), "refund");
        assert_eq!(kind_of("", "order-771:payment", "payments.create"), "payments.create");
        assert_eq!(kind_of("", "", "refund_order"), "refund_order");
        assert_eq!(kind_of("", ":a:b", "t"), "t");
    }

    #[test]
    fn words_are_compared_not_whole_names() {
        assert!(share_a_word("refund_order", "refunds"));
        assert!(share_a_word("Refund", "payments refund list"));
        assert!(share_a_word("IssueRefund", "refunds"));
        assert!(share_a_word("createPayout", "payout"));
        assert!(!share_a_word("IssueCredit", "issuer"));
        assert!(!share_a_word("refund_order", "orderly"));
        assert!(!share_a_word("payout", "pay"));
        assert_eq!(named_in("eu-refunds-2026"), ["refund"]);
        assert!(named_in("ledger").is_empty());
        let many: KindWords = ["refund_order", "Payouts"].into_iter().collect();
        for (name, shared) in
            [("refunds", true), ("payout", true), ("order", true), ("pay", false), ("", false)]
        {
            assert_eq!(many.share(name), shared, "{name}");
        }
        assert!(KindWords::default().is_empty() && !many.is_empty());
    }
}
