//! Refusals: code, group, and a message in four parts (`3-lifecycle.md` 3.4).

/// Codes of refusals.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Code {
    /// An agent never decides.
    Agent,
    /// Not this actor's move.
    Who,
    /// A request is under way.
    SubRetry,
    /// Confirmed already.
    ConfRetry,
    /// Nobody can tell yet.
    UnkRetry,
    /// Another key than the recorded one.
    FailKey,
    /// Another payload than the recorded one.
    FailPayload,
    /// The key is no longer remembered.
    Retention,
    /// Beyond a ceiling.
    OverQuota,
    /// A timeout is not a rejection.
    TimeoutNotFailed,
    /// Submitted is decided by its answer, or becomes unknown.
    ViaUnknown,
    /// Settled: reopen first.
    ReopenFirst,
    /// An answer that came too late.
    LateResponse,
    /// Nothing that shows that it happened.
    ConfEvid,
    /// It differs from what is expected.
    ConfDiffers,
    /// More rows than expected.
    ConfDup,
    /// No covered absence.
    FailCover,
    /// A row is there or on its way.
    FailPresent,
    /// Read before the last attempt ended.
    EvidStale,
    /// Through the write path, or replayed.
    EvidPath,
    /// It could not be read.
    EvidUnreadable,
    /// Of another intent.
    EvidOther,
    /// Note missing, too short or the same again.
    Note,
    /// No owner.
    Owner,
    /// No deadline, past or too far.
    Deadline,
    /// A second person is missing or does not count.
    Approver,
    /// Break-glass is not for this.
    Break,
    /// The policy waits for a second person.
    Policy,
    /// Not many at once.
    Bulk,
    /// Expiry only reads again or escalates.
    Blind,
    /// The parent is still open.
    Lineage,
    /// Changed since it was looked at.
    Version,
    /// Nothing can be written.
    Readonly,
    /// Nobody is known to decide.
    Identity,
    /// The audit chain is broken.
    Chain,
}

/// Groups of refusals, with the first words on screen.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Group {
    /// A second call could be a second effect.
    NoSecondCall,
    /// The gate says no.
    NotSent,
    /// Evidence is missing.
    NotProven,
    /// The ledger contradicts.
    LedgerSays,
    /// A field is missing.
    Missing,
    /// Two people.
    Second,
    /// Somebody else was faster.
    Changed,
    /// Wrong state or wrong hand.
    NotHere,
    /// No writing.
    NoWriting,
}

impl Group {
    /// Every group with its words.
    pub const ALL: [(Self, &'static str); 9] = [
        (Self::NoSecondCall, "No second call: it could happen twice"),
        (Self::NotSent, "This call may not be sent"),
        (Self::NotProven, "What was seen does not prove it yet"),
        (Self::LedgerSays, "The ledger says otherwise"),
        (Self::Missing, "Note, owner or deadline is missing"),
        (Self::Second, "A second person has to agree"),
        (Self::Changed, "It changed while you looked"),
        (Self::NotHere, "Not from this state, or not by this hand"),
        (Self::NoWriting, "Nothing can be written here now"),
    ];

    /// The words.
    pub fn words(self) -> &'static str {
        Self::ALL.iter().find(|(g, _)| *g == self).map_or("", |(_, w)| w)
    }
}

/// A code with its name, its group and the plain sentence that a refusal begins with.
pub type CodeLine = (Code, &'static str, Group, &'static str);

/// Every code, in the order of the table of 3.4.
#[rustfmt::skip]
pub const CODES: [CodeLine; 35] = [
    (Code::Agent, "R-AGENT", Group::NotHere, "An agent proposes, it never decides."),
    (Code::Who, "R-WHO", Group::NotHere, "This is not possible from this state, or not by this actor."),
    (Code::SubRetry, "R-SUB-RETRY", Group::NoSecondCall, "A request is under way, a second one could be a second effect."),
    (Code::ConfRetry, "R-CONF-RETRY", Group::NoSecondCall, "It is confirmed already, a second call would be a second effect."),
    (Code::UnkRetry, "R-UNK-RETRY", Group::NoSecondCall, "Nobody can tell yet whether it happened, so it may not be sent again."),
    (Code::FailKey, "R-FAIL-KEY", Group::NotSent, "The retry key is not the recorded one."),
    (Code::FailPayload, "R-FAIL-PAYLOAD", Group::NotSent, "What would be sent is not what was recorded."),
    (Code::Retention, "R-RETENTION", Group::NotSent, "The service no longer remembers the key."),
    (Code::OverQuota, "R-OVER-QUOTA", Group::NotSent, "The call would go beyond its ceiling."),
    (Code::TimeoutNotFailed, "R-TIMEOUT-NOT-FAILED", Group::NotHere, "A timeout is not a rejection."),
    (Code::ViaUnknown, "R-VIA-UNKNOWN", Group::NotHere, "A submitted intent is decided by its answer, or becomes unknown first."),
    (Code::ReopenFirst, "R-REOPEN-FIRST", Group::NotHere, "It is settled; it has to be reopened first."),
    (Code::LateResponse, "R-LATE-RESPONSE", Group::NotHere, "The answer came after the intent had become unknown."),
    (Code::ConfEvid, "R-CONF-EVID", Group::NotProven, "What was seen does not prove that it happened."),
    (Code::ConfDiffers, "R-CONF-DIFFERS", Group::LedgerSays, "What is there differs from what was intended."),
    (Code::ConfDup, "R-CONF-DUP", Group::LedgerSays, "It is there more often than intended."),
    (Code::FailCover, "R-FAIL-COVER", Group::NotProven, "What was seen does not prove that nothing happened."),
    (Code::FailPresent, "R-FAIL-PRESENT", Group::LedgerSays, "The ledger holds a row for it."),
    (Code::EvidStale, "R-EVID-STALE", Group::NotProven, "The evidence was read before the last call ended."),
    (Code::EvidPath, "R-EVID-PATH", Group::NotProven, "The evidence came through the path that writes."),
    (Code::EvidUnreadable, "R-EVID-UNREADABLE", Group::NotProven, "The evidence could not be read."),
    (Code::EvidOther, "R-EVID-OTHER", Group::NotProven, "The evidence belongs to another intent."),
    (Code::Note, "R-NOTE", Group::Missing, "The note does not say enough."),
    (Code::Owner, "R-OWNER", Group::Missing, "Nobody is named who takes it on."),
    (Code::Deadline, "R-DEADLINE", Group::Missing, "The new deadline is missing or cannot be."),
    (Code::Approver, "R-APPROVER", Group::Second, "A second person has to agree."),
    (Code::Break, "R-BREAK", Group::Second, "Break-glass does not open this."),
    (Code::Policy, "R-POLICY", Group::Second, "The changed policy is not in force."),
    (Code::Bulk, "R-BULK", Group::NotHere, "This is decided one by one."),
    (Code::Blind, "R-BLIND", Group::NoSecondCall, "What is overdue is read again or escalated, never sent again."),
    (Code::Lineage, "R-LINEAGE", Group::NotHere, "The intent that it replaces is still open."),
    (Code::Version, "R-VERSION", Group::Changed, "It was changed since you looked."),
    (Code::Readonly, "R-READONLY", Group::NoWriting, "Nothing can be written here now."),
    (Code::Identity, "R-IDENTITY", Group::NoWriting, "Nobody is known who decides."),
    (Code::Chain, "R-CHAIN", Group::NoWriting, "The audit chain is broken."),
];

impl Code {
    fn line(self) -> &'static CodeLine {
        CODES.iter().find(|line| line.0 == self).unwrap_or(&CODES[0])
    }

    /// As it is printed: `R-FAIL-COVER`.
    pub fn word(self) -> &'static str {
        self.line().1
    }

    /// Its group.
    pub fn group(self) -> Group {
        self.line().2
    }

    /// The plain sentence.
    pub fn sentence(self) -> &'static str {
        self.line().3
    }
}

/// A refusal. Nothing was changed. Texts may hold text from outside: they are shown through `text`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refusal {
    /// The code.
    pub code: Code,
    /// What was asked, in words: `int_4814 to failed`.
    pub asked: String,
    /// What stays as it is: `int_4814 stays unknown`.
    pub stays: String,
    /// Why, in one clause.
    pub because: String,
    /// What was seen.
    pub seen: Vec<String>,
    /// What is missing.
    pub missing: Vec<String>,
    /// What may be done, in order. Never a second call.
    pub next: Vec<String>,
}

impl Refusal {
    /// A refusal of which only the reason is known so far.
    pub fn new(code: Code, because: impl Into<String>) -> Self {
        Self {
            code,
            asked: String::new(),
            stays: String::new(),
            because: because.into(),
            seen: Vec::new(),
            missing: Vec::new(),
            next: Vec::new(),
        }
    }

    /// With what was seen.
    #[must_use]
    pub fn seen(mut self, seen: impl Into<String>) -> Self {
        self.seen.push(seen.into());
        self
    }

    /// With what is missing.
    #[must_use]
    pub fn missing(mut self, missing: impl Into<String>) -> Self {
        self.missing.push(missing.into());
        self
    }

    /// With what may be done.
    #[must_use]
    pub fn next(mut self, next: impl Into<String>) -> Self {
        self.next.push(next.into());
        self
    }

    /// With what was asked, and what stays.
    #[must_use]
    pub fn of(mut self, asked: impl Into<String>, stays: impl Into<String>) -> Self {
        if self.asked.is_empty() {
            self.asked = asked.into();
            self.stays = stays.into();
        }
        self
    }

    /// The first line: `refused: int_4814 stays unknown. What was seen does not prove ..  [R-FAIL-COVER]`.
    pub fn headline(&self) -> String {
        let stays = if self.stays.is_empty() { String::new() } else { format!("{}. ", self.stays) };
        format!("refused: {stays}{}  [{}]", self.code.sentence(), self.code.word())
    }

    /// The four parts with their names; empty ones are left out.
    pub fn parts(&self) -> Vec<(&'static str, &[String])> {
        let because = std::slice::from_ref(&self.because);
        let parts = [
            ("because", because),
            ("seen", self.seen.as_slice()),
            ("missing", self.missing.as_slice()),
            ("next", self.next.as_slice()),
        ];
        parts.into_iter().filter(|(_, lines)| lines.iter().any(|line| !line.is_empty())).collect()
    }
}
