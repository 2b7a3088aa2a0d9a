//! How many people a decision takes, and who counts as the second (`3-lifecycle.md` 3.10 to 3.12).

use super::policy::Policy;
use super::refusal::{Code, Refusal};

/// What is decided, as the table of 3.10 divides it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Choice {
    /// Confirmed, with a live row in a source that moves money.
    ConfirmedOnRow,
    /// Confirmed on a manual read, another system's word, or a copy only.
    ConfirmedOnWord,
    /// Failed, covered absence.
    FailedCovered,
    /// Failed by override.
    FailedOverride,
    /// Hold, assign, note, link, reject a suggestion, reopen.
    Hold,
    /// Unlink a row.
    Unlink,
    /// Widen an expectation.
    Widen,
    /// Disposition written-off, not-ours, known-test.
    WriteOff,
    /// Change of policy.
    Policy,
}

/// Persons below the high-value limit, and from it up.
#[rustfmt::skip]
pub const PERSONS: [(Choice, &str, u8, u8); 9] = [
    (Choice::ConfirmedOnRow, "confirmed, with a live row in a source that moves money", 1, 1),
    (Choice::ConfirmedOnWord, "confirmed on a manual read or a copy only", 1, 2),
    (Choice::FailedCovered, "failed, covered absence", 1, 2),
    (Choice::FailedOverride, "failed by override", 1, 2),
    (Choice::Hold, "hold, assign, note, link, reject a suggestion, reopen", 1, 1),
    (Choice::Unlink, "unlink a row", 1, 2),
    (Choice::Widen, "widen an expectation", 1, 2),
    (Choice::WriteOff, "disposition written-off, not-ours, known-test", 1, 2),
    (Choice::Policy, "change of policy", 2, 2),
];

/// How many people decide. Nothing but `solo` asks less often.
pub fn persons(choice: Choice, high: bool, solo: bool) -> u8 {
    if solo {
        return 1;
    }
    let row = PERSONS.iter().find(|row| row.0 == choice).unwrap_or(&PERSONS[8]);
    if high { row.3 } else { row.2 }
}

/// Whether break-glass may stand in for the second person: only for confirmed on a read by hand.
pub fn opens(choice: Choice) -> bool {
    choice == Choice::ConfirmedOnWord
}

/// A person as far as is known: a claim, unless a signature stands behind it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Person {
    /// Name.
    pub name: String,
    /// Numeric user.
    pub uid: Option<u32>,
    /// Login.
    pub login: String,
    /// `SUDO_USER`; empty without.
    pub sudo_user: String,
    /// Principal of a verified signature.
    pub principal: Option<String>,
}

fn folded(name: &str) -> String {
    name.trim().to_lowercase()
}

/// In which respect two people are the same one; `None` where they count as two. With two verified signatures the
/// principals decide, else name, user, login and `SUDO_USER` must all differ.
pub fn same(a: &Person, b: &Person) -> Option<String> {
    if let (Some(a), Some(b)) = (&a.principal, &b.principal) {
        return (folded(a) == folded(b)).then(|| format!("both signed as {a}"));
    }
    let given = |a: &str, b: &str| !a.trim().is_empty() && folded(a) == folded(b);
    let crossed = given(&a.login, &b.sudo_user) || given(&a.sudo_user, &b.login);
    if given(&a.name, &b.name) {
        Some(format!("both are called {}", b.name.trim()))
    } else if a.uid.is_some() && a.uid == b.uid {
        Some(format!("both have user id {}", b.uid.unwrap_or_default()))
    } else if given(&a.login, &b.login) || crossed {
        Some(format!("both are logged in as {}", b.login))
    } else if given(&a.sudo_user, &b.sudo_user) {
        Some(format!("both became root from {}", b.sudo_user))
    } else {
        None
    }
}

/// Whether a name is in a list, without regard to case.
pub fn listed(list: &[String], name: &str) -> bool {
    list.iter().any(|other| folded(other) == folded(name))
}

/// A request can be approved by somebody at all.
///
/// # Errors
/// R-APPROVER: nobody but the requester is listed.
pub fn somebody_may(policy: &Policy, requester: &Person) -> Result<(), Refusal> {
    if policy.approvers.iter().any(|name| folded(name) != folded(&requester.name)) {
        return Ok(());
    }
    Err(Refusal::new(Code::Approver, "this decision takes two people")
        .seen(if policy.approvers.is_empty() {
            "no approver is listed".to_owned()
        } else {
            format!("the only approver is {}, who asks", requester.name)
        })
        .missing("no other approver is listed")
        .next("hold it: recount escalate ID --owner NAME --deadline TIME --note TEXT")
        .next("a policy owner names approvers in [policy] approvers"))
}

/// How the approver looked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Looked {
    /// By a read of his own.
    OwnRead(String),
    /// He relied on the requester's evidence, and said so.
    Relied,
    /// Neither.
    No,
}

/// An approval that is to count.
#[derive(Clone, Debug)]
pub struct Second<'a> {
    /// Who asked.
    pub requester: &'a Person,
    /// Who approves.
    pub approver: &'a Person,
    /// His own look.
    pub looked: &'a Looked,
    /// The request expires then.
    pub expires: crate::model::time::Micros,
    /// When he decided.
    pub at: crate::model::time::Micros,
}

/// G-APPROVER: another person, listed, in time, who read or said that he relied on the evidence.
///
/// # Errors
/// R-APPROVER with what does not fit.
pub fn counts(policy: &Policy, second: &Second<'_>) -> Result<(), Refusal> {
    let refused = |missing: String| {
        Err(Refusal::new(Code::Approver, "this decision takes two people, the second of whom counts")
            .seen(format!("requested by {}, approved by {}", second.requester.name, second.approver.name))
            .missing(missing)
            .next(format!("ask one of: {}", policy.approvers.join(", "))))
    };
    if let Some(why) = same(second.requester, second.approver) {
        return refused(format!("another person: {why}"));
    }
    if !listed(&policy.approvers, &second.approver.name) {
        return refused(format!("{} is not listed as approver", second.approver.name));
    }
    if second.at > second.expires {
        return refused(format!(
            "it is too late: the request expired at {}",
            crate::model::time::rfc3339(second.expires)
        ));
    }
    if *second.looked == Looked::No {
        return refused("a read of the approver (--source S), or --relied-on-evidence".to_owned());
    }
    Ok(())
}
