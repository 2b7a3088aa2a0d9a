//! Refusals and moves in three sentences: what, why, what now (`3-lifecycle.md` 3.2, 3.4).

use crate::judge::explain::{Explanation, Kind, Line};

/// Every refusal.
#[rustfmt::skip]
pub const REFUSALS: [Line; 35] = [
    ("R-AGENT", "An agent asked for a decision.", "An agent that caused a doubt cannot be the one who ends it.", "Let reconciliation or a person decide."),
    ("R-WHO", "This is not possible from this state, or not by this actor.", "Each move has a state where it means something, and belongs to whoever can know it.", "The message says from where, or names who may."),
    ("R-SUB-RETRY", "A call is under way and has no answer yet.", "A second one beside it could be a second effect.", "Wait for the answer or for the deadline."),
    ("R-CONF-RETRY", "It is confirmed already.", "A second call would be a second effect.", "Look at what confirmed it."),
    ("R-UNK-RETRY", "Nobody can tell whether the last call took effect.", "If it did, the next one makes it twice.", "Read the ledger or hold it until somebody knows."),
    ("R-FAIL-KEY", "The call carries another key than the recorded one.", "The service would see a new request.", "Send the recorded key, or make a new intent that names this one as its parent."),
    ("R-FAIL-PAYLOAD", "The call asks for something else than was recorded.", "One key with two contents means two different things.", "Make a new intent that replaces this one after it is resolved."),
    ("R-RETENTION", "The service no longer remembers the key.", "It would take the call for a new one.", "Make a new intent after a covered read shows that nothing happened."),
    ("R-OVER-QUOTA", "The call would go beyond a ceiling, open claims counted.", "A ceiling that a caller can talk away is none.", "A person raises it in the config, or nobody does."),
    ("R-TIMEOUT-NOT-FAILED", "A timeout was to be recorded as failed.", "Silence says nothing about what happened.", "Record it as unknown."),
    ("R-VIA-UNKNOWN", "A submitted intent was to be decided before its time is over.", "Its answer may still come.", "Wait until its deadline, then it is unknown and can be decided."),
    ("R-REOPEN-FIRST", "A settled intent was to be settled otherwise.", "Nothing is overwritten: the first decision stays readable.", "Reopen it with a note, then resolve it."),
    ("R-LATE-RESPONSE", "An answer came after the intent had become unknown.", "It is a sign and no decision.", "It is stored as evidence, and reconciliation or a person decides."),
    ("R-CONF-EVID", "Nothing shows that it happened.", "What is confirmed without a row may be missing.", "Bring a row, or a reference together with an independent read."),
    ("R-CONF-DIFFERS", "What is there differs from what was intended.", "A confirmation must not hide a difference.", "Look at each difference and acknowledge it by name."),
    ("R-CONF-DUP", "It is there more often than intended.", "A confirmation must not hide that somebody has it twice.", "Acknowledge the duplicate and say who follows up the rest."),
    ("R-FAIL-COVER", "The read does not prove that nothing happened.", "A row that is missing counts only when the ledger was read past the last moment of the call.", "Hold it, and read again from the covered-from time on."),
    ("R-FAIL-PRESENT", "A row for it is in the ledger or on its way.", "What happened cannot be recorded as failed, not even by override.", "Confirm it, or unlink the row if it is not its own."),
    ("R-EVID-STALE", "The evidence was read before the last call ended.", "The call could still act afterwards.", "Read again."),
    ("R-EVID-PATH", "The evidence came through the path that writes, or is an answer played back.", "The path that lost the answer cannot be its own witness.", "Read the ledger or another system."),
    ("R-EVID-UNREADABLE", "The evidence could not be read.", "What cannot be read is not absent.", "Find out why, and read again."),
    ("R-EVID-OTHER", "The evidence belongs to another intent.", "It says nothing about this one.", "Read for this one."),
    ("R-NOTE", "The note or the reason does not say enough.", "Whoever looks later has only this note.", "Write what was seen and why that decides it."),
    ("R-OWNER", "Nobody is named who takes it on.", "What belongs to nobody is forgotten.", "Name an owner."),
    ("R-DEADLINE", "The new deadline is missing, past or too far.", "What is held without a date is forgotten.", "Give a time that is later than now and at most 72 hours ahead."),
    ("R-APPROVER", "A second person is missing or does not count.", "Whoever releases money is not alone with it.", "Ask somebody who is listed, is not you, and looks for himself."),
    ("R-BREAK", "Break-glass is off, is not for this decision, or ends below this amount.", "It exists to confirm what was seen by hand at night and for nothing else.", "Hold it or ask a second person."),
    ("R-POLICY", "The policy in the file is not the one in force, or an approval was given under another one.", "Whoever may change limits alone has no limits.", "Ask for the change as for any decision of two people."),
    ("R-BULK", "It is not for many at once.", "What can release money is looked at one by one.", "Decide it by itself."),
    ("R-BLIND", "Something overdue was to be sent again.", "A deadline says that time is over and nothing about what happened.", "Read again or hand it over."),
    ("R-LINEAGE", "The intent that it replaces is still open.", "Both could take effect.", "Resolve the parent first."),
    ("R-VERSION", "Somebody changed it, or new facts arrived, since it was looked at.", "A decision holds for what was seen.", "Look again and decide again."),
    ("R-READONLY", "The session, the folder or the book cannot be written.", "A decision that is not recorded is none.", "Leave out --read-only, or work where the case can be written."),
    ("R-IDENTITY", "No person is known who decides.", "Root and system users are nobody in particular.", "Give a name with --operator."),
    ("R-CHAIN", "The entries of the audit log do not follow from each other.", "On a broken chain nothing can be added that anybody should believe.", "Keep the file as it is and run recount audit verify."),
];

/// Every move.
#[rustfmt::skip]
pub const MOVES: [Line; 10] = [
    ("T1", "T1 records a new intent as submitted.", "The record is there before the call is.", "Claim its first attempt at the gate."),
    ("T2", "T2 moves submitted to confirmed because the answer says done.", "It still needs a ledger row to be fine.", "Nothing has to be done."),
    ("T3", "T3 moves submitted to failed because the answer explicitly says so.", "Only a rejection is a rejection.", "The same key may be sent again through the gate."),
    ("T4", "T4 moves submitted to unknown because no answer came, or one that says nothing.", "Silence is no rejection.", "Read the ledger before its new deadline."),
    ("T5", "T5 moves failed back to submitted for another attempt with the same key.", "Same key and same payload inside the retention are one request.", "Mark the claim with its answer."),
    ("T6", "T6 moves unknown to confirmed.", "A live row, or a reference together with an independent read, shows it.", "Nothing has to be done."),
    ("T7", "T7 moves unknown to failed.", "A covered absence shows it, or a person overrides with a reason.", "A person decides about a new request."),
    ("T8", "T8 moves confirmed or failed back to unknown.", "Later evidence or a mistake opens a decision again, and nothing is overwritten.", "Resolve it anew before its deadline."),
    ("T9", "T9 holds an unknown with an owner, a deadline and a note.", "Unknown costs nothing per hour, a wrong decision can cost the amount.", "Whoever owns it looks again before its deadline."),
    ("T10", "T10 stamps a confirmed intent as verified at a read position.", "A covered listing holds its row.", "Nothing has to be done."),
];

/// Every refusal and move with its explanation.
pub fn all() -> impl Iterator<Item = Explanation> {
    let table = |kind: Kind, lines: &'static [Line]| {
        lines.iter().map(move |&(code, what, why, now)| Explanation { kind, code, what, why, now })
    };
    table(Kind::Refusal, &REFUSALS).chain(table(Kind::Move, &MOVES))
}

/// The explanation of a code, without regard to case.
pub fn explain(code: &str) -> Option<Explanation> {
    all().find(|e| e.code.eq_ignore_ascii_case(code.trim()))
}
