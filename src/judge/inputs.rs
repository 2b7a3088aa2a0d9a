//! The inputs of the decision, reduced to small sets (`2-judge.md` 2.5).

/// A small closed set: its values, all of them, and their words as the specification prints them.
macro_rules! small_set {
    ($(#[$about:meta])* $name:ident { $($(#[$value_about:meta])* $value:ident = $word:literal,)+ }) => {
        $(#[$about])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        #[repr(u8)]
        pub enum $name { $($(#[$value_about])* $value,)+ }

        impl $name {
            /// Every value, in the order of the specification.
            pub const ALL: &'static [Self] = &[$(Self::$value,)+];

            /// The word of the specification.
            pub fn word(self) -> &'static str {
                match self { $(Self::$value => $word,)+ }
            }
        }
    };
}

small_set! {
    /// Whether a source that records the tool was read far enough back.
    Src {
        /// It was.
        Loaded = "LOADED",
        /// None was read, or it begins after the first send and has no row.
        NotLoaded = "NOT_LOADED",
    }
}
small_set! {
    /// Whether any effect is intended.
    Exp {
        /// At least one may happen.
        E1 = "E1",
        /// It must not happen: `count_max` is 0.
        E0 = "E0",
    }
}
small_set! {
    /// Where the expectation comes from.
    Frm {
        /// Recorded or assumed.
        Record = "RECORD",
        /// A file of expectations.
        File = "FILE",
    }
}
small_set! {
    /// Effects against the own count range; the first that applies.
    Count {
        /// More live effects than allowed.
        Over = "OVER",
        /// More effects than allowed, but reversals left no more than allowed.
        OverRev = "OVER_REV",
        /// No effect at all.
        Zero = "ZERO",
        /// All effects are fully reversed.
        Cleared = "CLEARED",
        /// Fewer live effects than expected.
        Under = "UNDER",
        /// As many as expected.
        Exact = "EXACT",
    }
}
small_set! {
    /// Money of the live effects against the expected total; the first that applies.
    MoneyIn {
        /// No live effect.
        Na = "NA",
        /// A live linked row has an unreadable amount or unit.
        NoRead = "NOREAD",
        /// A live unit is not accepted.
        Cur = "CUR",
        /// The total is not the expected one.
        Amt = "AMT",
        /// An expected attribute differs.
        Attr = "ATTR",
        /// No total is expected, or one side has the unit `?`.
        Nt = "NT",
        /// As expected.
        Eq = "EQ",
    }
}
small_set! {
    /// Whether a too small total may still grow to the expected one.
    Grow {
        /// It may not.
        No = "NO",
        /// More effects are allowed and the listing does not cover them.
        Yes = "YES",
    }
}
small_set! {
    /// Whether an absence is proven (`4-sources.md` 4.3).
    Cov {
        /// It is.
        Covered = "COVERED",
        /// It is not.
        Uncovered = "UNCOVERED",
    }
}
small_set! {
    /// State, recorded or derived (`1-model.md` 1.4.9).
    StateIn {
        /// Sent, no answer yet.
        Submitted = "SUBMITTED",
        /// The other side said yes.
        Confirmed = "CONFIRMED",
        /// The other side said no.
        Failed = "FAILED",
        /// Nobody can tell.
        Unknown = "UNKNOWN",
        /// No intent explains the call (`1-model.md` 1.4.10).
        None = "NONE",
    }
}
small_set! {
    /// The strongest attempt.
    Att {
        /// No write attempt.
        None = "NONE",
        /// One is still waiting for its answer.
        Open = "OPEN",
        /// One was told yes.
        Ok = "OK",
        /// One lost its answer.
        Unk = "UNK",
        /// All were refused.
        Rej = "REJ",
    }
}
small_set! {
    /// Deadline of a recorded submitted or unknown.
    Deadline {
        /// Not past, or none.
        InTime = "IN_TIME",
        /// Past, strictly.
        Overdue = "OVERDUE",
    }
}
small_set! {
    /// One key sent with two payloads.
    Key {
        /// It was not.
        No = "NO",
        /// Each later payload was refused.
        Rejected = "REJECTED",
        /// A later payload may have been taken.
        Accepted = "ACCEPTED",
    }
}
small_set! {
    /// Whether it is clear which rows belong to the intent.
    Link {
        /// It is.
        Clear = "CLEAR",
        /// An open suggestion, an unlinked row of its account, or a row on its way.
        Open = "OPEN",
        /// A row is claimed by two intents.
        Contested = "CONTESTED",
    }
}
small_set! {
    /// Suspicion of a duplicate that ids do not prove.
    Susp {
        /// None.
        No = "NO",
        /// Rows of the account exceed what its intents allow, or one operation seems to run under two keys.
        Open = "OPEN",
        /// The count is exceeded, but only by assumption.
        Own = "SELF",
    }
}
small_set! {
    /// Whether a replaced intent and its replacement both took effect.
    Lin {
        /// They did not.
        None = "NONE",
        /// They did.
        Conflict = "CONFLICT",
    }
}
small_set! {
    /// Whether more effects may still land.
    Late {
        /// No.
        No = "NO",
        /// Yes.
        Yes = "YES",
    }
}

/// What the decision table looks at, and nothing else.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Inputs {
    /// Source.
    pub src: Src,
    /// Expectation.
    pub exp: Exp,
    /// Origin of the expectation.
    pub frm: Frm,
    /// Count.
    pub count: Count,
    /// Money.
    pub money: MoneyIn,
    /// Growth.
    pub grow: Grow,
    /// Coverage.
    pub cov: Cov,
    /// State.
    pub state: StateIn,
    /// Attempts.
    pub att: Att,
    /// Deadline.
    pub dl: Deadline,
    /// Key.
    pub key: Key,
    /// Links.
    pub link: Link,
    /// Suspicion.
    pub susp: Susp,
    /// Lineage.
    pub lin: Lin,
    /// Late effects.
    pub late: Late,
}

impl Inputs {
    /// Nothing read, nothing known: before anything was reduced.
    pub const BLANK: Self = Self {
        src: Src::NotLoaded,
        exp: Exp::E1,
        frm: Frm::Record,
        count: Count::Zero,
        money: MoneyIn::Na,
        grow: Grow::No,
        cov: Cov::Uncovered,
        state: StateIn::None,
        att: Att::None,
        dl: Deadline::InTime,
        key: Key::No,
        link: Link::Clear,
        susp: Susp::No,
        lin: Lin::None,
        late: Late::No,
    };

    /// The product of 2.5 holds pairs that cannot occur; this says which combinations can (2.6, "Why it is
    /// unambiguous").
    pub fn possible(&self) -> bool {
        let nothing_live = match self.count {
            Count::Zero | Count::Cleared => Some(true),
            Count::OverRev => None,
            Count::Over | Count::Under | Count::Exact => Some(false),
        };
        let covered = self.cov == Cov::Covered;
        let money = nothing_live.is_none_or(|nothing| nothing == (self.money == MoneyIn::Na));
        let e0 = self.exp == Exp::E1
            || (!matches!(self.count, Count::Under | Count::Exact | Count::Cleared) && self.susp == Susp::No);
        let open =
            !(covered && (self.link == Link::Open || self.late == Late::Yes || self.grow == Grow::Yes));
        let grow = self.grow == Grow::No || (self.count == Count::Exact && self.money == MoneyIn::Amt);
        let susp = match self.susp {
            Susp::No => true,
            Susp::Open => self.count != Count::Over,
            Susp::Own => self.count == Count::Over,
        };
        money && e0 && open && grow && susp
    }
}
