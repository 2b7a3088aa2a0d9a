//! Words of the summary and of the sources: results, severities, figures, problems, declarations.

use super::Line;

/// Results of a check (`2-judge.md` 2.12).
#[rustfmt::skip]
pub const RESULTS: [Line; 4] = [
    ("VIOLATION FOUND", "At least one intent ended otherwise than intended, and that is proven.", "One proven case is enough, however many are fine.", "Open the first row of the list and follow its next step."),
    ("INCONCLUSIVE", "Nothing is proven wrong, and something is undecided, open or unreadable.", "What cannot be told yet may be a double.", "Read the reasons beside it, then read again or decide."),
    ("NO VIOLATION OBSERVED", "Everything that was compared is as intended.", "It holds for the scope line beside it, and says nothing about what was not read.", "Read the scope line."),
    ("INPUT ERROR", "Nothing could be judged from what was read.", "No result is not a good result.", "The message names the path, the cause and what to do."),
];

/// Severities (2.8): the order of the list.
#[rustfmt::skip]
pub const SEVERITIES: [Line; 5] = [
    ("S1", "It happened too often or probably did, happened though it failed, or contradicts a decision.", "Money or a machine is out now, and a sender may still be at work.", "Look at it first."),
    ("S2", "Something is missing, has another amount, or came back.", "Somebody waits, or has the wrong amount.", "Look at it today."),
    ("S3", "A person has to decide what the evidence cannot.", "It may turn out to be a double or a loss.", "Decide, or hand it over with an owner and a deadline."),
    ("S4", "A later read will most likely settle it.", "Until then nothing may be sent again.", "Read again from the covered-from time on."),
    ("S5", "It is as intended, or still inside its time.", "It stands last in the list.", "Nothing has to be done."),
];

/// Figures of the summary (2.8, 2.12; `7-commands.md` 7.5.7).
#[rustfmt::skip]
pub const FIGURES: [Line; 7] = [
    ("at risk", "The money that would be lost if the worst reading of a row is true.", "It ranks rows of one severity; each group of rows counts once.", "Start with the largest."),
    ("out too much", "What is live in the ledger above the intended number or total.", "It is gone already, and only its owner can bring it back.", "Hand the rows to the owner of the ledger."),
    ("probably too much", "Rows that are there and that a suspicion, not an id, calls too many.", "It is not added to what is proven.", "Compare the rows and decide on each."),
    ("may still go out", "What is on its way, and calls without an answer that may still act.", "It can often still be stopped.", "Ask the provider now, and stop the sender."),
    ("owed", "What was intended, is proven not to be there, and nobody undid on purpose.", "Somebody is waiting for it.", "A person decides about a new request; nothing is sent again by itself."),
    ("clock fixed", "The time of the check was given with --now.", "What is overdue or still inside its time follows that clock.", "Leave --now out to use the clock of this machine."),
    ("final by declaration", "The ledger was declared complete with --ledger-final, with nothing under way.", "Missing rows count as proven absent on that word alone, and it is no evidence for a large decision.", "Leave it out where rows may still come."),
];

/// What a source may say of its own records (`1-model.md` 1.4; `4-sources.md` 4.16).
#[rustfmt::skip]
pub const PROBLEMS: [Line; 5] = [
    ("UNREADABLE_LINE", "A line of a trace or of expectations begins like a record and cannot be read.", "It may hold a call that nobody sees, so the result cannot be clean.", "Look at the place that is named, repair the file or its export, and read it again."),
    ("UNREADABLE_ROW", "A row of a ledger cannot be read.", "It may be the very row that is missing, so an absence is not proven.", "Look at the place that is named and ask who wrote it."),
    ("CONTROL_TOTAL_DIFFERS", "A total or count that the source states of itself is another than that of its rows.", "Rows are missing, or stand there twice.", "Export it again and compare the totals."),
    ("POSITION_WENT_BACK", "The source was read less far than before.", "It may have been restored or replaced, so it proves no absence.", "Find out why, then take note of it."),
    ("POLICY_NOT_IN_FORCE", "The policy of recount.toml is another one than that of the book.", "The one in the book stays in force, so nobody loosens a limit alone.", "Ask for it with recount request policy, or put the file back."),
];
