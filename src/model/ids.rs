//! Ids that look alike: normalising and folding (`1-model.md` 1.5, near-identical ids).

use std::borrow::Cow;

/// Steps that make ids equal (`1-model.md` 1.5).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Normalise {
    /// Any form of one UUID.
    Uuid,
    /// Blanks at both ends.
    Trim,
    /// Runs of blanks.
    CollapseSpace,
    /// Upper and lower case.
    Casefold,
}

impl Normalise {
    /// The words of `--normalise`.
    pub const ALL: [(Self, &'static str); 4] = [
        (Self::Uuid, "uuid"),
        (Self::Trim, "trim"),
        (Self::CollapseSpace, "collapse_space"),
        (Self::Casefold, "casefold"),
    ];
}

/// An id after the declared steps; borrowed where nothing changes.
pub fn normalise<'a>(id: &'a str, steps: &[Normalise]) -> Cow<'a, str> {
    steps.iter().fold(Cow::Borrowed(id), |id, step| {
        let next = match step {
            Normalise::Uuid => uuid(&id).map(Cow::Owned),
            Normalise::Trim => changed(&id, id.trim()),
            Normalise::CollapseSpace => collapse(&id).map(Cow::Owned),
            Normalise::Casefold => fold_case(&id).map(Cow::Owned),
        };
        next.unwrap_or(id)
    })
}

/// The form that two near-identical ids share: one form of a UUID, no blanks at the ends, single blanks, no case.
pub fn fold(id: &str) -> Cow<'_, str> {
    const STEPS: [Normalise; 4] =
        [Normalise::Trim, Normalise::CollapseSpace, Normalise::Casefold, Normalise::Uuid];
    if !may_fold(id.as_bytes()) {
        return Cow::Borrowed(id);
    }
    normalise(id, &STEPS)
}

/// A quick look: false means that folding surely changes nothing.
pub fn may_fold(bytes: &[u8]) -> bool {
    // Without an early end, so that the compiler looks at many bytes at once.
    let odd = |b: &u8| b.is_ascii_uppercase() || (*b <= b' ') || (*b >= 0x80) || (*b == b'{');
    bytes.iter().fold(false, |found, b| found | odd(b))
        || (bytes.len() == 32 && bytes.iter().all(u8::is_ascii_hexdigit))
        || bytes.starts_with(b"urn:uuid:")
}

fn changed(before: &str, after: &str) -> Option<Cow<'static, str>> {
    (before.len() != after.len()).then(|| Cow::Owned(after.to_owned()))
}

fn collapse(id: &str) -> Option<String> {
    let mut out = String::with_capacity(id.len());
    let mut blank = false;
    for c in id.chars() {
        if !c.is_whitespace() {
            out.push(c);
        } else if !blank {
            out.push(' ');
        }
        blank = c.is_whitespace();
    }
    (out != id).then_some(out)
}

fn fold_case(id: &str) -> Option<String> {
    let out = id.to_lowercase();
    (out != id).then_some(out)
}

/// The lower-case form with dashes, where the text is a UUID in any form and not already that.
fn uuid(id: &str) -> Option<String> {
    let bare = id.trim().strip_prefix("urn:uuid:").unwrap_or_else(|| id.trim());
    let bare = bare.strip_prefix('{').and_then(|b| b.strip_suffix('}')).unwrap_or(bare);
    let dashes: Vec<usize> = bare.bytes().enumerate().filter(|(_, b)| *b == b'-').map(|(i, _)| i).collect();
    if !(dashes.is_empty() || dashes == [8, 13, 18, 23]) {
        return None;
    }
    let hex: String = bare.chars().filter(|c| *c != '-').collect();
    if hex.len() != 32 || !hex.bytes().all(|b| b.is_ascii_hexdigit()) {
        return None;
    }
    let mut out = String::with_capacity(36);
    for (i, c) in hex.chars().enumerate() {
        if matches!(i, 8 | 12 | 16 | 20) {
            out.push('-');
        }
        out.push(c.to_ascii_lowercase());
    }
    (out != id).then_some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    const CANONICAL: &str = "3f2504e0-4f89-41d3-9a0c-0305e82c3301";

    #[test]
    fn every_form_of_a_uuid_is_one() {
        for form in [
            "3F2504E0-4F89-41D3-9A0C-0305E82C3301",
            "3f2504e04f8941d39a0c0305e82c3301",
            "{3f2504e0-4f89-41d3-9a0c-0305e82c3301}",
            "urn:uuid:3f2504e0-4f89-41d3-9a0c-0305e82c3301",
            CANONICAL,
        ] {
            assert_eq!(normalise(form, &[Normalise::Uuid]), CANONICAL, "{form}");
            assert_eq!(fold(form), CANONICAL, "{form}");
        }
        for other in ["3f2504e0-4f89-41d3-9a0c-0305e82c330", "3f2504e-04f89-41d3-9a0c-0305e82c3301", "x"] {
            assert_eq!(normalise(other, &[Normalise::Uuid]), other);
        }
    }

    #[test]
    fn blanks_fold_only_where_they_were_declared() {
        let drift = "REF  BaByliss\r\n";
        assert_eq!(normalise(drift, &[Normalise::Trim, Normalise::CollapseSpace]), "REF BaByliss");
        assert_eq!(normalise(drift, &[Normalise::Trim]), "REF  BaByliss");
        assert_eq!(normalise(drift, &[]), drift);
        assert_eq!(fold(drift), fold("ref babyliss"));
    }

    #[test]
    fn what_may_not_fold_does_not_change() {
        for id in ["refund:order_1234:request_9876", "k-3001", "312", CANONICAL, ""] {
            assert!(!may_fold(id.as_bytes()));
            assert_eq!(fold(id), id);
        }
        assert_ne!(fold("312"), fold("4312"));
    }
}
