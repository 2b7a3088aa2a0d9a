//! Labels, classes, exit codes, links, coverage, retry origins, states and meanings.

use super::Line;

/// Labels group verdicts for people (`2-judge.md` 2.7).
#[rustfmt::skip]
pub const LABELS: [Line; 12] = [
    ("DOUBLE", "It happened more often than intended, and ids prove it.", "Somebody has it twice.", "Stop the sender and hand the rows to the owner of the ledger."),
    ("PROBABLY DOUBLE", "It looks as if it happened twice, and no id proves it.", "A suspicion may be right, and it is never shown as wrong before it is.", "Compare the rows and decide on each."),
    ("DOUBLE, UNDONE", "It happened twice and was put right.", "Nothing is owed, the cause is still there.", "Keep it for the review."),
    ("FAILED BUT DONE", "It counts as failed and it happened.", "What counts as failed may be sent again.", "Block the sender now, then put the record right."),
    ("MISSING", "It was promised and is not there.", "Somebody is waiting for it.", "Ask the provider, with the receipt, and send nothing."),
    ("WRONG AMOUNT", "It happened with another amount or currency.", "Somebody has too much or too little.", "Ask the owner of the ledger; corrections are new entries."),
    ("DONE, ANSWER LOST", "It happened or was refused, and caller or record do not know.", "A caller who does not know may act a second time.", "Put it on record."),
    ("NOT DONE", "It did not happen, and that is proven.", "Somebody may still be waiting for it.", "Hold it or record it; a person decides about a new request."),
    ("CANNOT TELL YET", "The evidence does not reach far enough to say.", "Every guess here can cost the amount.", "Read again from the covered-from time on, or hand it over."),
    ("LOOK AT IT", "Something does not fit and a person has to look.", "No rule can say which side is right.", "Open it and compare the two sides."),
    ("NOT COMPARED", "No ledger was read that could hold it.", "Nothing is said about it.", "Add the ledger."),
    ("WAITING", "Its time is not over yet.", "It may still end well.", "Wait."),
];

/// Classes of verdicts (2.7); `note` is that of rows without an attempt.
#[rustfmt::skip]
pub const CLASSES: [Line; 6] = [
    ("violation", "What happened differs from what was intended, and that is proven.", "One violation makes the result VIOLATION FOUND and the exit code 1.", "Start with the first row of the list."),
    ("undecided", "A person or a later read has to decide.", "One undecided row makes the result INCONCLUSIVE unless something is a violation.", "Follow its next step."),
    ("open", "It is still inside its time.", "It makes the result INCONCLUSIVE unless --allow-open is given.", "Wait, or read again later."),
    ("clean", "It is as intended, as far as was read.", "It says nothing about what was not read.", "Nothing has to be done."),
    ("note", "A row of the ledger has no attempt here.", "It changes no result and no exit code.", "Nothing has to be done."),
    ("OK", "Done once as intended, or refused and nothing was done.", "The ledger says so, as far as it was read.", "Nothing has to be done."),
];

/// Exit codes (`7-commands.md` 7.5.5).
#[rustfmt::skip]
pub const EXITS: [Line; 8] = [
    ("exit 0", "No violation was observed, or the command is done.", "It holds for what was read and for nothing else.", "Read the scope line beside it."),
    ("exit 1", "At least one violation was found.", "Something happened otherwise than intended.", "Open the first row of the list."),
    ("exit 2", "The command line was not understood.", "Nothing was done.", "Read the message and the help of the command."),
    ("exit 3", "The result is inconclusive, or a request is pending.", "Something is undecided, open or unreadable, and nothing is proven wrong.", "Decide what is open, or read again later."),
    ("exit 4", "The input could not be read at all.", "There is nothing to judge.", "The message names the path, the cause and what to do."),
    ("exit 5", "A decision was refused.", "A guard found the evidence or the right to decide missing; nothing was changed.", "Read what is missing and what is next."),
    ("exit 6", "The audit chain is broken.", "An entry was changed, cut or lost, so the book cannot be trusted.", "Keep the file as it is and compare it with a head that is kept elsewhere."),
    ("exit 7", "A hazard reached the level that was asked for.", "Nothing is wrong yet, but the way of working leads there.", "Read the hazard and what it says to do."),
];

/// Rules of joining (`1-model.md` 1.5).
#[rustfmt::skip]
pub const LINKS: [Line; 11] = [
    ("J0", "The row is linked because its source holds one run only.", "Every row that is new in such a source belongs to that run.", "Nothing has to be done."),
    ("J1", "The row is linked because both sides carry the same operation id.", "Ids are compared byte by byte.", "Nothing has to be done."),
    ("J2", "The row is linked because it carries a key that a call was sent with.", "A key stands for one operation.", "Nothing has to be done."),
    ("J3", "The row is linked because an answer named it.", "The receipt of an acknowledged call is its row.", "Nothing has to be done."),
    ("J3b", "The row is linked by an id that was learnt from another row that an answer named.", "A row with a receipt lends its ids to the intent where nobody else has them.", "Look at the row that lent the id if the link surprises."),
    ("J4", "The row is linked by a key that is made from the content of the request.", "It is a safety net and holds only where one intent alone has this key.", "Record an operation id, so that it is not needed."),
    ("J5", "The row is only suggested: it has the same order, amount and time.", "A suggestion never changes a count, but it keeps an absence from being proven.", "Link it or reject it, with a note."),
    ("J6", "The row was linked by hand.", "The link stands in the audit log and can be undone by another entry.", "Read the note of the link if it surprises."),
    ("J7", "The row is linked by a declared join, such as the order id.", "The declaration says that rows of an order belong to its requests.", "Check the declaration if rows of others have the same order."),
    ("same effect", "The row is the same effect as a linked row of another source.", "Equal effect ids or references with equal amount are one effect.", "Nothing has to be done."),
    ("reverses", "The row takes back an effect that is linked.", "A reversal belongs where the effect that it names belongs; it lowers what is left.", "Nothing has to be done."),
];

/// Conditions of coverage (`4-sources.md` 4.3): all of them must hold before a missing row proves anything.
#[rustfmt::skip]
pub const COVERAGE: [Line; 10] = [
    ("C0", "The source is independent of the call's own path and can prove an absence.", "The path that lost the answer cannot disagree with itself.", "Read the ledger or another system instead."),
    ("C1", "The source was read after the last moment at which the call could land.", "A read that began too early cannot see a late row.", "Read again from the covered-from time on."),
    ("C2", "The source has a row newer than the last moment at which the call could land.", "Only a newer row shows that the list had got that far.", "Read again from the covered-from time on; on a quiet ledger wait for its next row."),
    ("C3", "The list is complete.", "A page or a part that was not read may hold the row.", "Read all pages or export without a filter."),
    ("C4", "No row that could be this one is unreadable.", "A damaged row may be the very one that is missing.", "Look at the row on the sources screen and ask who wrote it."),
    ("C5", "The source is the authority itself, or a replica that had got far enough.", "A replica that lags has no row yet that the authority has.", "Read the authority, or wait for the replica."),
    ("C6", "The source holds the region, account or shard of the call.", "A list of another part cannot show this row.", "Add the list of the part that the call was for."),
    ("C7", "Nothing else suggests that it happened.", "A suggestion, a row on its way or another look outweighs a missing row.", "Decide on the other sign first."),
    ("C8", "The list begins before the call.", "A row older than the first one of the list would not be in it.", "Export from an earlier time and load it."),
    ("C9", "The source is where the effect happens, and holds this kind.", "A copy is filled by the code that lost the answer, and a list of refunds holds no payouts.", "Add the source where the effect happens, or say what this one holds."),
];

/// Who repeated a call (`2-judge.md` 2.4).
#[rustfmt::skip]
pub const ORIGINS: [Line; 6] = [
    ("MODEL", "The call was repeated by a new decision of the model.", "The repeat carries another decision id, and the run names a model.", "Give the agent a way to look before it decides."),
    ("SCRIPT", "The call was repeated by a new decision of a script.", "The repeat carries another decision id, and the run is declared as scripted.", "Let the script read the ledger before a second call."),
    ("CALLER", "The call was repeated by a new decision of the caller.", "The repeat carries another decision id, and nothing says what drives the run.", "Ask the owner of the caller."),
    ("FRAMEWORK", "The call was repeated by a library under one decision.", "The caller may not know that there were two calls.", "Ask for the library's own repeats to be switched off or to carry a key."),
    ("TRANSPORT", "One call was made and more rows are there than it can explain.", "Something below the client sent it twice, which is said only where the trace is complete.", "Ask the owners of proxies and clients."),
    ("UNKNOWN", "Who repeated the call is not known.", "The trace carries no decision ids, and nothing is guessed from similar arguments.", "Log a decision id with each call."),
];

/// The states (`3-lifecycle.md` 3.1); `derived` stands where nobody recorded one.
#[rustfmt::skip]
pub const STATES: [Line; 5] = [
    ("submitted", "The request was sent and there is no answer yet.", "It is decided by its answer, or becomes unknown at its deadline.", "Wait for the answer or the deadline."),
    ("confirmed", "The other side said yes.", "An answer still needs its row in the ledger.", "Nothing has to be done where the row is there."),
    ("failed", "The other side said no.", "Only a refusal is a no; a timeout is not.", "A person or the gate decides about another call, with the same key."),
    ("unknown", "Nobody can tell whether the effect exists.", "Until somebody looks, a second call could be a second effect.", "Read the ledger, or hold it with an owner and a deadline."),
    ("derived", "Nobody recorded a state; it follows from the calls.", "It has an age and no deadline, and is never overdue.", "Keep an intent log if states are to be recorded."),
];

/// What a row of a source means (`4-sources.md` 4.11).
#[rustfmt::skip]
pub const MEANINGS: [Line; 3] = [
    ("moves_money", "Here the effect happens: the provider, or the only store.", "Its rows count, and it can prove an absence for the kinds it holds.", "Declare it, because from the high-value limit up an assumption is not enough."),
    ("copy_of", "Somebody wrote down here what happened in another source.", "A copy never adds to a count and never proves an absence.", "Load the source it copies."),
    ("part", "One of several places that together hold the effects.", "The parts are added up, and only all of them together prove an absence.", "Load all parts."),
];
