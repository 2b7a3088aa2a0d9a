//! Stand-in.
#![allow(missing_docs)]
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Rule {
    R01,
    R02,
    R03,
    R04,
    R04a,
    R05,
    R06,
    R07,
    R08,
    R09,
    R10,
    R11,
    R12,
    R13,
    R14,
    R15,
    R16,
    R16a,
    R17,
    R18,
    R19,
    R20,
    R20a,
    R21,
    R22,
    R23,
    R24,
    R25,
    R26,
    R27,
    R28,
    R29,
    R30,
    R31,
    R32,
    R33,
    R34,
    R35,
}
impl Rule {
    pub const ALL: [Self; 38] = [Self::R01, Self::R02, Self::R03, Self::R04, Self::R04a, Self::R05, Self::R06, Self::R07, Self::R08, Self::R09, Self::R10, Self::R11, Self::R12, Self::R13, Self::R14, Self::R15, Self::R16, Self::R16a, Self::R17, Self::R18, Self::R19, Self::R20, Self::R20a, Self::R21, Self::R22, Self::R23, Self::R24, Self::R25, Self::R26, Self::R27, Self::R28, Self::R29, Self::R30, Self::R31, Self::R32, Self::R33, Self::R34, Self::R35];
    pub fn code(self) -> &'static str { match self {Self::R01 => "R01", Self::R02 => "R02", Self::R03 => "R03", Self::R04 => "R04", Self::R04a => "R04a", Self::R05 => "R05", Self::R06 => "R06", Self::R07 => "R07", Self::R08 => "R08", Self::R09 => "R09", Self::R10 => "R10", Self::R11 => "R11", Self::R12 => "R12", Self::R13 => "R13", Self::R14 => "R14", Self::R15 => "R15", Self::R16 => "R16", Self::R16a => "R16a", Self::R17 => "R17", Self::R18 => "R18", Self::R19 => "R19", Self::R20 => "R20", Self::R20a => "R20a", Self::R21 => "R21", Self::R22 => "R22", Self::R23 => "R23", Self::R24 => "R24", Self::R25 => "R25", Self::R26 => "R26", Self::R27 => "R27", Self::R28 => "R28", Self::R29 => "R29", Self::R30 => "R30", Self::R31 => "R31", Self::R32 => "R32", Self::R33 => "R33", Self::R34 => "R34", Self::R35 => "R35",} }
    pub fn verdict(self) -> &'static str { match self {Self::R01 => "SOURCE_NOT_READ", Self::R02 => "UNEXPECTED_EFFECT", Self::R03 => "REVERSED", Self::R04 => "COUNT_DIFFERS_TOTAL_EQUAL", Self::R04a => "SUSPECTED_DUPLICATE", Self::R05 => "DUPLICATED", Self::R06 => "DUPLICATED_REVERSED", Self::R07 => "REVERSAL_MISMATCH", Self::R08 => "LINEAGE_DOUBLE", Self::R09 => "LINK_CONTESTED", Self::R10 => "UNREADABLE", Self::R11 => "FAILED_BUT_EFFECT", Self::R12 => "CURRENCY_MISMATCH", Self::R13 => "AMOUNT_MISMATCH", Self::R14 => "ATTRIBUTE_MISMATCH", Self::R15 => "REVERSED", Self::R16 => "KEY_CONFLICT", Self::R16a => "SUSPECTED_DUPLICATE", Self::R17 => "MATCHED", Self::R18 => "UNVERIFIED_ABSENCE", Self::R19 => "UNRECORDED", Self::R20 => "IN_FLIGHT", Self::R20a => "UNVERIFIED_SUCCESS", Self::R21 => "MATCHED_NOT_SETTLED", Self::R22 => "MATCHED", Self::R23 => "STATE_LAGS", Self::R24 => "HIDDEN_SUCCESS", Self::R25 => "UNVERIFIED_SUCCESS", Self::R26 => "PARTIAL", Self::R27 => "MISSING", Self::R28 => "FAILED_CLEAN", Self::R29 => "FAILED_UNPROVEN", Self::R30 => "ABSENT_COVERED", Self::R31 => "UNRESOLVED_UNKNOWN", Self::R32 => "UNVERIFIED_SUCCESS", Self::R33 => "STATE_LAGS", Self::R34 => "NOT_STARTED", Self::R35 => "STALE_SUBMITTED",} }
}
