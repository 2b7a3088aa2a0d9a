//! The command table (`7-commands.md` 7.5.3): parser, help, and what runs, from one place.

use clap::builder::OsStringValueParser;
use clap::{Arg, ArgAction};

use super::call::Call;
use super::failure::Failure;
#[cfg(feature = "lab")]
use super::lab;
use super::options::{
    AS_OF, CHECK, CHOICE, CLOCK, COMMON, COVERAGE, ONE_INTENT, OUTPUT, OUTPUT_OF_CHECK, Often, Opt, SCOPE,
    SCREEN, SOURCES, Set, TEXT_OR_JSON, Takes,
};
use super::{
    affected, audit, canon, case, changed, check, config, demo, explain, export, handover, hazards, help,
    intent, key, list, open, report, settle, shell, show, sniff, sources, states,
};

/// Group of commands, as in `help all`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Group {
    /// Looking.
    Look,
    /// The case and its sources.
    Case,
    /// Settling.
    Settle,
    /// Two people.
    People,
    /// For applications.
    Apps,
    /// The audit log.
    Audit,
    /// The lab.
    Lab,
    /// Tools.
    Tools,
}

impl Group {
    /// All of them, in the order of help.
    pub const ALL: [Self; 8] =
        [Self::Look, Self::Case, Self::Settle, Self::People, Self::Audit, Self::Apps, Self::Lab, Self::Tools];

    /// The heading.
    pub fn heading(self) -> &'static str {
        match self {
            Self::Look => "look",
            Self::Case => "case",
            Self::Settle => "settle",
            Self::People => "two people",
            Self::Apps => "for applications",
            Self::Audit => "audit",
            Self::Lab => "lab",
            Self::Tools => "tools",
        }
    }
}

/// What a command takes before its options.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Words {
    /// Nothing.
    None,
    /// One or more words that are read as one.
    Phrase(&'static str),
    /// Paths.
    Paths,
    /// Paths, at least one.
    SomePaths,
    /// An id, then paths.
    IdAndPaths,
    /// One word, then paths.
    OneAndPaths(&'static str),
    /// One word or none, then paths.
    MaybeAndPaths(&'static str),
    /// Two words, then paths.
    TwoAndPaths(&'static str, &'static str),
    /// One word, with what stands for it in help.
    One(&'static str),
    /// One word or none.
    Maybe(&'static str),
    /// The same, or none.
    MaybePhrase(&'static str),
    /// A program with its arguments, behind `--`.
    Behind(&'static str),
}

/// A command.
pub struct Command {
    /// Its whole name: `check`, `case sources`.
    pub name: &'static str,
    /// Other names of one word.
    pub aliases: &'static [&'static str],
    /// Its group.
    pub group: Group,
    /// What it takes before its options.
    pub words: Words,
    /// What it does, in one line.
    pub does: &'static str,
    /// Its line of the short help: usage and words.
    pub short: Option<(&'static str, &'static str)>,
    /// Its exit codes.
    pub exits: &'static [u8],
    /// Its options.
    pub options: &'static [Set],
    /// Runs it.
    pub run: fn(&Call) -> Result<u8, Failure>,
}

const FIELDS: Set = Set {
    heading: "fields",
    options: &[Opt {
        name: "field",
        value: "NAME=TEXT",
        takes: Takes::Text,
        often: Often::Again,
        help: "an identifying field: NAME=TEXT is text, NAME:=VALUE a number, true, false or null",
    }],
};

const DEMO: Set = Set {
    heading: "demo",
    options: &[
        Opt { name: "list", value: "", takes: Takes::Nothing, often: Often::Once, help: "name the samples" },
        Opt {
            name: "headless",
            value: "",
            takes: Takes::Nothing,
            often: Often::Once,
            help: "print the list of the sample",
        },
    ],
};

const TREE: Set = Set {
    heading: "form",
    options: &[Opt {
        name: "tree",
        value: "",
        takes: Takes::Nothing,
        often: Often::Once,
        help: "as a causal tree: decisions, calls, what became of them",
    }],
};

/// Commands of the lab, which a build may leave out.
const OF_THE_LAB: usize = if cfg!(feature = "lab") { 7 } else { 0 };

/// Every command, in the order of help.
#[rustfmt::skip]
pub const COMMANDS: [Command; 65 + OF_THE_LAB] = [
    Command {
        name: "open", aliases: &[], group: Group::Look, words: Words::Paths,
        does: "the screen on traces and ledgers, or on a case folder (the default command)",
        short: Some(("recount FILES..", "open the screen on traces and ledgers, or on a case folder")),
        exits: &[0, 2, 4],
        options: &[SOURCES, SCOPE, COVERAGE, AS_OF, SCREEN, COMMON],
        run: open::run,
    },
    Command {
        name: "check", aliases: &[], group: Group::Look, words: Words::Paths,
        does: "say what went wrong, with an exit code",
        short: Some(("recount check FILES..", "say what went wrong, with an exit code")),
        exits: &[0, 1, 2, 3, 4, 6, 7],
        options: &[SOURCES, SCOPE, COVERAGE, AS_OF, CHECK, CHOICE, OUTPUT_OF_CHECK, COMMON],
        run: check::run,
    },
    Command {
        name: "show", aliases: &[], group: Group::Look, words: Words::IdAndPaths,
        does: "one intent whole: story, attempts beside rows, the sum, why",
        short: Some(("recount show ID", "one intent: story, attempts, effects, what may be done")),
        exits: &[0, 2, 4, 6],
        options: &[TREE, SOURCES, SCOPE, COVERAGE, AS_OF, ONE_INTENT, COMMON],
        run: show::run,
    },
    Command {
        name: "list", aliases: &[], group: Group::Look, words: Words::Paths,
        does: "the rows of the triage list, in its order; no verdict on the whole",
        short: None,
        exits: &[0, 2, 4, 6],
        options: &[SOURCES, SCOPE, COVERAGE, AS_OF, CHOICE, OUTPUT, COMMON],
        run: list::run,
    },
    Command {
        name: "report", aliases: &[], group: Group::Look, words: Words::Paths,
        does: "a document for the review: Markdown, HTML, JSON, or text for a chat",
        short: Some(("recount report FILES..", "a document for the review")),
        exits: &[0, 2, 4, 6],
        options: &[report::ONE, SOURCES, SCOPE, COVERAGE, AS_OF, report::FORM, COMMON],
        run: report::run,
    },
    Command {
        name: "explain", aliases: &[], group: Group::Look, words: Words::Phrase("CODE"),
        does: "any word or code that is printed, in three sentences: what, why, what now",
        short: None,
        exits: &[0, 2],
        options: &[COMMON],
        run: explain::run,
    },
    Command {
        name: "hazards", aliases: &[], group: Group::Look, words: Words::Paths,
        does: "ways of working that lead to double effects; they change no verdict",
        short: None,
        exits: &[0, 2, 4, 6, 7],
        options: &[hazards::OPTIONS, SOURCES, SCOPE, COVERAGE, AS_OF, TEXT_OR_JSON, COMMON],
        run: hazards::run,
    },
    Command {
        name: "hazards quiet", aliases: &[], group: Group::Look, words: Words::TwoAndPaths("RULE", "SUBJECT"),
        does: "a rule is no matter at a run, an intent, a tool or a source: written down, shown as quieted",
        short: None,
        exits: &[0, 2, 4, 5],
        options: &[settle::options::WHY, settle::hush::UNTIL, SOURCES, settle::hush::SCOPE_WITHOUT_WINDOW, COVERAGE, settle::options::WRITING, COMMON],
        run: settle::hush::quiet,
    },
    Command {
        name: "hazards unquiet", aliases: &[], group: Group::Look, words: Words::TwoAndPaths("RULE", "SUBJECT"),
        does: "takes that back",
        short: None,
        exits: &[0, 2, 4, 5],
        options: &[settle::options::WHY, SOURCES, SCOPE, COVERAGE, settle::options::WRITING, COMMON],
        run: settle::hush::unquiet,
    },
    Command {
        name: "export", aliases: &[], group: Group::Look, words: Words::Paths,
        does: "the list as a file, with the filter, the order and the read positions it rests on",
        short: None,
        exits: &[0, 2, 4, 6],
        options: &[export::OPTIONS, SOURCES, SCOPE, COVERAGE, AS_OF, COMMON],
        run: export::run,
    },
    Command {
        name: "affected", aliases: &[], group: Group::Look, words: Words::Paths,
        does: "whom it concerns: party, order, what happened, amount, open or put right",
        short: None,
        exits: &[0, 2, 4, 6],
        options: &[affected::OPTIONS, SOURCES, SCOPE, COVERAGE, AS_OF, COMMON],
        run: affected::run,
    },
    Command {
        name: "changed", aliases: &[], group: Group::Look, words: Words::Paths,
        does: "what is new, worse, better or gone against a saved check",
        short: None,
        exits: &[0, 2, 4],
        options: &[changed::OPTIONS, SOURCES, changed::REST_OF_SCOPE, COVERAGE, TEXT_OR_JSON, COMMON],
        run: changed::run,
    },
    Command {
        name: "handover", aliases: &[], group: Group::Look, words: Words::Paths,
        does: "ten lines and the list, for whoever takes over",
        short: None,
        exits: &[0, 2, 4, 5, 6],
        options: &[handover::OPTIONS, handover::TAKE, SOURCES, SCOPE, COVERAGE, AS_OF, COMMON],
        run: handover::run,
    },
    Command {
        name: "case init", aliases: &["init"], group: Group::Case, words: Words::OneAndPaths("DIR"),
        does: "a new case from files; asks on a terminal what the data do not say",
        short: None,
        exits: &[0, 2, 3, 4],
        options: &[case::ADDING, case::NEW, COMMON],
        run: case::init::run,
    },
    Command {
        name: "case add", aliases: &["add"], group: Group::Case, words: Words::Paths,
        does: "writes sources into recount.toml; nothing is copied",
        short: None,
        exits: &[0, 2, 3, 4, 5],
        options: &[case::ADDING, COMMON],
        run: case::add::run,
    },
    Command {
        name: "case remove", aliases: &[], group: Group::Case, words: Words::One("SOURCE"),
        does: "takes a source out of recount.toml; its file stays",
        short: None,
        exits: &[0, 2, 4, 5],
        options: &[case::WHERE, COMMON],
        run: case::remove::run,
    },
    Command {
        name: "case sources", aliases: &["sources"], group: Group::Case, words: Words::Paths,
        does: "per source: meaning, format, mapping, position, control totals, problems",
        short: None,
        exits: &[0, 2, 4],
        options: &[SOURCES, SCOPE, COVERAGE, CHOICE, TEXT_OR_JSON, COMMON],
        run: sources::run,
    },
    Command {
        name: "case sniff", aliases: &["sniff"], group: Group::Case, words: Words::SomePaths,
        does: "what a file is, how it would be read, and why; reads nothing else",
        short: None,
        exits: &[0, 2, 4],
        options: &[CLOCK, TEXT_OR_JSON, COMMON],
        run: sniff::run,
    },
    Command {
        name: "case acknowledge", aliases: &[], group: Group::Case, words: Words::OneAndPaths("SOURCE"),
        does: "takes note of a read position that went back; its listing counts again",
        short: None,
        exits: &[0, 2, 4, 5],
        options: &[settle::options::WHY, SOURCES, SCOPE, COVERAGE, settle::options::WRITING, COMMON],
        run: settle::acknowledge::run,
    },
    Command {
        name: "config show", aliases: &[], group: Group::Case, words: Words::Paths,
        does: "every key with value, unit and where it comes from",
        short: None,
        exits: &[0, 2, 4],
        options: &[config::WHERE, config::ROWS, config::LOOK, TEXT_OR_JSON, COMMON],
        run: config::show,
    },
    Command {
        name: "config check", aliases: &[], group: Group::Case, words: Words::Paths,
        does: "everything that is wrong in a config, each with its line and the nearest key",
        short: None,
        exits: &[0, 2, 4],
        options: &[config::WHERE, COMMON],
        run: config::check,
    },
    Command {
        name: "config template", aliases: &[], group: Group::Case, words: Words::None,
        does: "a commented file with every key",
        short: None,
        exits: &[0, 2, 4],
        options: &[config::TEMPLATE, COMMON],
        run: config::make,
    },
    Command {
        name: "config path", aliases: &[], group: Group::Case, words: Words::Paths,
        does: "where the config of the user is, or that of a case",
        short: None,
        exits: &[0, 2, 4],
        options: &[config::WHERE, COMMON],
        run: config::path,
    },
    Command {
        name: "readback", aliases: &[], group: Group::Settle, words: Words::IdAndPaths,
        does: "one read of a source, stored and audited; --manual records a person's read",
        short: None,
        exits: &[0, 2, 3, 4, 5],
        options: &[settle::options::READ, SOURCES, SCOPE, COVERAGE, settle::options::WRITING, COMMON],
        run: settle::readback::run,
    },
    Command {
        name: "resolve", aliases: &[], group: Group::Settle, words: Words::IdAndPaths,
        does: "settle an unknown by hand, with evidence and a note",
        short: Some(("recount resolve ID", "settle an unknown, with evidence and a note")),
        exits: &[0, 2, 3, 4, 5],
        options: &[settle::options::DECIDE, settle::options::SIGN, SOURCES, SCOPE, COVERAGE, settle::options::WRITING, COMMON],
        run: settle::resolve::run,
    },
    Command {
        name: "reopen", aliases: &[], group: Group::Settle, words: Words::IdAndPaths,
        does: "back to unknown, with a new deadline",
        short: None,
        exits: &[0, 2, 4, 5],
        options: &[settle::options::HOLD, settle::options::SIGN, SOURCES, SCOPE, COVERAGE, settle::options::WRITING, COMMON],
        run: settle::reopen::run,
    },
    Command {
        name: "extend", aliases: &[], group: Group::Settle, words: Words::IdAndPaths,
        does: "unknown stays unknown, until later",
        short: None,
        exits: &[0, 2, 4, 5],
        options: &[settle::options::HOLD, settle::options::SIGN, SOURCES, SCOPE, COVERAGE, settle::options::WRITING, COMMON],
        run: settle::hold::extend,
    },
    Command {
        name: "assign", aliases: &[], group: Group::Settle, words: Words::IdAndPaths,
        does: "names an owner; the owner takes it over with an entry of his own",
        short: None,
        exits: &[0, 2, 4, 5],
        options: &[settle::options::HOLD, settle::options::SIGN, SOURCES, SCOPE, COVERAGE, settle::options::WRITING, COMMON],
        run: settle::hold::assign,
    },
    Command {
        name: "escalate", aliases: &[], group: Group::Settle, words: Words::IdAndPaths,
        does: "hands it over, with owner, deadline and note; not delivered until a reference says so",
        short: None,
        exits: &[0, 2, 4, 5],
        options: &[settle::options::HOLD, settle::options::DELIVERY, settle::options::SIGN, SOURCES, SCOPE, COVERAGE, settle::options::WRITING, COMMON],
        run: settle::hold::escalate,
    },
    Command {
        name: "link", aliases: &[], group: Group::Settle, words: Words::TwoAndPaths("EFFECT", "ID"),
        does: "ties a row to an intent by hand",
        short: None,
        exits: &[0, 2, 4, 5],
        options: &[settle::options::WHY, settle::options::SIGN, SOURCES, SCOPE, COVERAGE, settle::options::WRITING, COMMON],
        run: settle::links::link,
    },
    Command {
        name: "unlink", aliases: &[], group: Group::Settle, words: Words::OneAndPaths("EFFECT"),
        does: "takes a row from its intent",
        short: None,
        exits: &[0, 2, 3, 4, 5],
        options: &[settle::options::WHY, settle::options::SIGN, SOURCES, SCOPE, COVERAGE, settle::options::WRITING, COMMON],
        run: settle::links::unlink,
    },
    Command {
        name: "reject", aliases: &[], group: Group::Settle, words: Words::TwoAndPaths("EFFECT", "ID"),
        does: "answers a suggestion with no",
        short: None,
        exits: &[0, 2, 4, 5],
        options: &[settle::options::WHY, settle::options::SIGN, SOURCES, SCOPE, COVERAGE, settle::options::WRITING, COMMON],
        run: settle::links::reject,
    },
    Command {
        name: "note", aliases: &[], group: Group::Settle, words: Words::IdAndPaths,
        does: "an entry without a change",
        short: None,
        exits: &[0, 2, 4, 5],
        options: &[settle::options::WHY, SOURCES, SCOPE, COVERAGE, settle::options::WRITING, COMMON],
        run: settle::note::run,
    },
    Command {
        name: "disposition", aliases: &[], group: Group::Settle, words: Words::IdAndPaths,
        does: "closes what is not unknown",
        short: None,
        exits: &[0, 2, 3, 4, 5],
        options: &[settle::options::DISPOSE, settle::options::AGAIN, settle::options::SIGN, SOURCES, SCOPE, COVERAGE, settle::options::WRITING, COMMON],
        run: settle::disposition::run,
    },
    Command {
        name: "bulk resolve", aliases: &[], group: Group::Settle, words: Words::Paths,
        does: "confirms many, each on evidence of its own; dry run without --apply",
        short: None,
        exits: &[0, 2, 3, 4, 5],
        options: &[settle::options::MANY, settle::options::DECIDE, settle::options::SIGN, SOURCES, SCOPE, COVERAGE, settle::options::WRITING, COMMON],
        run: settle::bulk::resolve,
    },
    Command {
        name: "bulk assign", aliases: &[], group: Group::Settle, words: Words::Paths,
        does: "names an owner for many; dry run without --apply",
        short: None,
        exits: &[0, 2, 3, 4, 5],
        options: &[settle::options::MANY, settle::options::HOLD, settle::options::SIGN, SOURCES, SCOPE, COVERAGE, settle::options::WRITING, COMMON],
        run: settle::bulk::assign,
    },
    Command {
        name: "bulk escalate", aliases: &[], group: Group::Settle, words: Words::Paths,
        does: "escalates many; dry run without --apply",
        short: None,
        exits: &[0, 2, 3, 4, 5],
        options: &[settle::options::MANY, settle::options::HOLD, settle::options::DELIVERY, settle::options::SIGN, SOURCES, SCOPE, COVERAGE, settle::options::WRITING, COMMON],
        run: settle::bulk::escalate,
    },
    Command {
        name: "bulk disposition", aliases: &[], group: Group::Settle, words: Words::Paths,
        does: "closes many; dry run without --apply",
        short: None,
        exits: &[0, 2, 3, 4, 5],
        options: &[settle::options::MANY, settle::options::DISPOSE, settle::options::SIGN, SOURCES, SCOPE, COVERAGE, settle::options::WRITING, COMMON],
        run: settle::bulk::dispositions,
    },
    Command {
        name: "bulk undo", aliases: &[], group: Group::Settle, words: Words::OneAndPaths("BATCH"),
        does: "puts back what stood before each item of a batch",
        short: None,
        exits: &[0, 2, 3, 4, 5],
        options: &[settle::options::WHY, settle::options::SIGN, SOURCES, SCOPE, COVERAGE, settle::options::WRITING, COMMON],
        run: settle::bulk::undo::run,
    },
    Command {
        name: "reconcile", aliases: &[], group: Group::Settle, words: Words::Paths,
        does: "automatic, strict evidence, small amounts; dry run by default",
        short: None,
        exits: &[0, 2, 3, 4, 5],
        options: &[settle::options::APPLY, settle::options::SIGN, SOURCES, SCOPE, COVERAGE, settle::options::WRITING, COMMON],
        run: settle::automatic::reconcile,
    },
    Command {
        name: "expire", aliases: &[], group: Group::Settle, words: Words::Paths,
        does: "what is overdue is read again or escalated; dry run by default",
        short: None,
        exits: &[0, 2, 3, 4, 5],
        options: &[settle::options::APPLY, settle::options::NO_RETRY, SOURCES, SCOPE, COVERAGE, settle::options::WRITING, COMMON],
        run: settle::automatic::run_expire,
    },
    Command {
        name: "request", aliases: &[], group: Group::People, words: Words::IdAndPaths,
        does: "asks for a second person, in a file; request policy asks for the [policy] of recount.toml",
        short: None,
        exits: &[0, 2, 3, 4, 5],
        options: &[settle::options::DECIDE, settle::options::ASK_FILE, SOURCES, SCOPE, COVERAGE, settle::options::WRITING, COMMON],
        run: settle::request::run,
    },
    Command {
        name: "approve", aliases: &[], group: Group::People, words: Words::OneAndPaths("WHAT"),
        does: "agrees to a request: R.json (then --out A.json), or its number on a shared book",
        short: None,
        exits: &[0, 2, 4, 5],
        options: &[settle::options::ANSWER, SOURCES, SCOPE, COVERAGE, settle::options::WRITING, COMMON],
        run: settle::approve::approve,
    },
    Command {
        name: "deny", aliases: &[], group: Group::People, words: Words::OneAndPaths("WHAT"),
        does: "does not agree to a request",
        short: None,
        exits: &[0, 2, 4, 5],
        options: &[settle::options::ANSWER, SOURCES, SCOPE, COVERAGE, settle::options::WRITING, COMMON],
        run: settle::approve::deny,
    },
    Command {
        name: "accept", aliases: &[], group: Group::People, words: Words::OneAndPaths("A.json"),
        does: "puts an approval into the book; everything is checked again",
        short: None,
        exits: &[0, 2, 4, 5],
        options: &[settle::options::SIGN, SOURCES, SCOPE, COVERAGE, settle::options::WRITING, COMMON],
        run: settle::approve::accept,
    },
    Command {
        name: "withdraw", aliases: &[], group: Group::People, words: Words::OneAndPaths("SEQ"),
        does: "the requester takes a request back",
        short: None,
        exits: &[0, 2, 4, 5],
        options: &[settle::options::WHY, SOURCES, SCOPE, COVERAGE, settle::options::WRITING, COMMON],
        run: settle::approve::withdraw,
    },
    Command {
        name: "review", aliases: &[], group: Group::People, words: Words::MaybeAndPaths("SEQ"),
        does: "a third role looks at a decision afterwards",
        short: None,
        exits: &[0, 2, 4, 5],
        options: &[settle::options::REVIEW, SOURCES, SCOPE, COVERAGE, settle::options::WRITING, COMMON],
        run: settle::review::run,
    },
    Command {
        name: "demo", aliases: &[], group: Group::Look, words: Words::Maybe("NAME"),
        does: "copies a sample case to a temporary folder and opens it",
        short: Some(("recount demo", "try it on a sample case")),
        exits: &[0, 2],
        options: &[DEMO, CHOICE, SCREEN, COMMON],
        run: demo::run,
    },
    Command {
        name: "intent record", aliases: &[], group: Group::Apps, words: Words::None,
        does: "a durable record before the call; makes the key once",
        short: None,
        exits: &[0, 2, 4, 5],
        options: &[intent::options::RECORD, intent::options::LOG, COMMON],
        run: intent::record::run,
    },
    Command {
        name: "intent gate", aliases: &["gate"], group: Group::Apps, words: Words::One("ID"),
        does: "claims the next attempt, in one transaction; one caller gets it",
        short: None,
        exits: &[0, 2, 4, 5],
        options: &[intent::options::GATE, intent::options::LOG, COMMON],
        run: intent::gate::run,
    },
    Command {
        name: "intent mark", aliases: &[], group: Group::Apps, words: Words::One("ID"),
        does: "the answer to a claim",
        short: None,
        exits: &[0, 2, 4, 5],
        options: &[intent::options::MARK, intent::options::LOG, COMMON],
        run: intent::mark::run,
    },
    Command {
        name: "intent list", aliases: &[], group: Group::Apps, words: Words::None,
        does: "open intents and claims",
        short: None,
        exits: &[0, 2, 4],
        options: &[intent::options::LOG, COMMON],
        run: intent::list::run,
    },
    Command {
        name: "audit list", aliases: &[], group: Group::Audit, words: Words::Paths,
        does: "the entries of the log, oldest first",
        short: None,
        exits: &[0, 2, 4, 6],
        options: &[audit::ENTRIES, audit::BOOK, TEXT_OR_JSON, COMMON],
        run: audit::list::run,
    },
    Command {
        name: "audit head", aliases: &[], group: Group::Audit, words: Words::Paths,
        does: "SEQ:HASH of the last entry, to be kept elsewhere",
        short: None,
        exits: &[0, 2, 4, 6],
        options: &[audit::BOOK, COMMON],
        run: audit::head::run,
    },
    Command {
        name: "audit verify", aliases: &["verify"], group: Group::Audit, words: Words::Paths,
        does: "whether the chain holds, entry by entry, and what that cannot show",
        short: None,
        exits: &[0, 2, 4, 6],
        options: &[audit::VERIFY, audit::BOOK, TEXT_OR_JSON, COMMON],
        run: audit::verify::run,
    },
    Command {
        name: "audit export", aliases: &[], group: Group::Audit, words: Words::Paths,
        does: "the chain as JSON lines that verify, a copy to read, or the decisions for the system that owns the intents",
        short: None,
        exits: &[0, 2, 4, 6],
        options: &[audit::EXPORT, audit::BOOK, COMMON],
        run: audit::export::run,
    },
    Command {
        name: "audit anchor", aliases: &[], group: Group::Audit, words: Words::Paths,
        does: "the head as a line to keep elsewhere: into a file, or where [audit] head_to says",
        short: None,
        exits: &[0, 2, 4, 5, 6],
        options: &[audit::ANCHOR, audit::BOOK, COMMON],
        run: audit::anchor::run,
    },
    Command {
        name: "audit population", aliases: &[], group: Group::Audit, words: Words::Paths,
        does: "one row per decision of a period, with what shows that none is left out",
        short: None,
        exits: &[0, 2, 4, 6],
        options: &[audit::POPULATION, audit::BOOK, COMMON],
        run: audit::population::run,
    },
    Command {
        name: "audit erase", aliases: &[], group: Group::Audit, words: Words::IdAndPaths,
        does: "removes the text of evidence of a digest; the chain stays whole (role policy)",
        short: None,
        exits: &[0, 2, 4, 5, 6],
        options: &[audit::ERASE, audit::BOOK, COMMON],
        run: audit::erase::run,
    },
    #[cfg(feature = "lab")]
    Command {
        name: "lab normal", aliases: &[], group: Group::Lab, words: Words::None,
        does: "one refund by a scripted agent, nothing goes wrong",
        short: None,
        exits: &[0, 1, 2, 3, 4],
        options: &[lab::RUN, lab::REPEAT, lab::CRASH, lab::LEAVE, COMMON],
        run: lab::one::normal,
    },
    #[cfg(feature = "lab")]
    Command {
        name: "lab double-refund", aliases: &[], group: Group::Lab, words: Words::None,
        does: "the answer to a committed refund is lost, and the scripted agent sends it again",
        short: None,
        exits: &[0, 1, 2, 3, 4],
        options: &[lab::RUN, lab::REPEAT, lab::CRASH, lab::LEAVE, COMMON],
        run: lab::one::double_refund,
    },
    #[cfg(feature = "lab")]
    Command {
        name: "lab idempotent", aliases: &[], group: Group::Lab, words: Words::None,
        does: "the same retry against a server that makes an operation once",
        short: None,
        exits: &[0, 1, 2, 3, 4],
        options: &[lab::RUN, lab::REPEAT, lab::CRASH, lab::LEAVE, COMMON],
        run: lab::one::idempotent,
    },
    #[cfg(feature = "lab")]
    Command {
        name: "lab compare", aliases: &[], group: Group::Lab, words: Words::None,
        does: "who retries and who reads, against both servers",
        short: None,
        exits: &[0, 1, 2, 3, 4],
        options: &[lab::COMPARE, lab::LEAVE, COMMON],
        run: lab::compare::run,
    },
    #[cfg(feature = "lab")]
    Command {
        name: "lab study", aliases: &[], group: Group::Lab, words: Words::None,
        does: "policies by fault positions: exactly once, twice, zero",
        short: None,
        exits: &[0, 1, 2, 4],
        options: &[lab::STUDY, lab::LEAVE, COMMON],
        run: lab::study::run,
    },
    #[cfg(feature = "lab")]
    Command {
        name: "lab serve", aliases: &[], group: Group::Lab, words: Words::None,
        does: "the tool server: MCP over standard input and output, on a SQLite store",
        short: None,
        exits: &[0, 2, 4],
        options: &[lab::SERVE, COMMON],
        run: lab::serve::run,
    },
    #[cfg(feature = "lab")]
    Command {
        name: "lab test", aliases: &[], group: Group::Lab, words: Words::Behind("COMMAND.."),
        does: "does somebody else's tool server do twice what it was asked for twice under one id? It writes.",
        short: None,
        exits: &[0, 1, 2, 3, 4],
        options: &[lab::TEST, COMMON],
        run: lab::test::run,
    },
    Command {
        name: "dev states", aliases: &["states"], group: Group::Tools, words: Words::None,
        does: "the four states: what is known, who moves them, whether a retry is allowed",
        short: None,
        exits: &[0, 2],
        options: &[COMMON],
        run: states::run,
    },
    Command {
        name: "dev canon", aliases: &["canon"], group: Group::Tools, words: Words::One("FILE"),
        does: "canonical form (RFC 8785) of a JSON file, and its hash",
        short: None,
        exits: &[0, 2, 4],
        options: &[COMMON],
        run: canon::run,
    },
    Command {
        name: "dev key", aliases: &["key"], group: Group::Tools, words: Words::None,
        does: "key derived from identifying fields",
        short: None,
        exits: &[0, 2],
        options: &[FIELDS, COMMON],
        run: key::run,
    },
    Command {
        name: "dev completions", aliases: &["completions"], group: Group::Tools, words: Words::One("SHELL"),
        does: "a script that completes commands and options: bash, zsh, fish, powershell, elvish",
        short: None,
        exits: &[0, 2],
        options: &[COMMON],
        run: shell::completions,
    },
    Command {
        name: "dev man", aliases: &["man"], group: Group::Tools, words: Words::None,
        does: "the manual page; recount man | man -l - reads it",
        short: None,
        exits: &[0, 2],
        options: &[COMMON],
        run: shell::man,
    },
    Command {
        name: "help", aliases: &[], group: Group::Tools, words: Words::MaybePhrase("COMMAND"),
        does: "this help; help all lists every command, help COMMAND tells of one",
        short: None,
        exits: &[0, 2],
        options: &[COMMON],
        run: help::run,
    },
];

/// Meaning of the exit codes (`7-commands.md` 7.5.5).
#[rustfmt::skip]
pub const EXITS: [(u8, &str); 8] = [
    (0, "no violation observed, or done"),
    (1, "violation"),
    (2, "usage"),
    (3, "inconclusive or pending"),
    (4, "input error"),
    (5, "refused"),
    (6, "audit chain broken"),
    (7, "hazard level reached"),
];

impl Command {
    /// First of its names of one word: what it is called in messages.
    pub fn short_name(&self) -> &'static str {
        self.aliases.first().copied().unwrap_or(self.name)
    }

    /// What it takes, as help shows it.
    pub fn usage(&self) -> String {
        let words = match self.words {
            Words::None => String::new(),
            Words::Paths => " [PATH..]".to_owned(),
            Words::SomePaths => " FILE..".to_owned(),
            Words::IdAndPaths => " ID [PATH..]".to_owned(),
            Words::OneAndPaths(word) => format!(" {word} [PATH..]"),
            Words::MaybeAndPaths(word) => format!(" [{word}] [PATH..]"),
            Words::TwoAndPaths(one, other) => format!(" {one} {other} [PATH..]"),
            Words::One(word) | Words::Phrase(word) => format!(" {word}"),
            Words::Maybe(word) | Words::MaybePhrase(word) => format!(" [{word}]"),
            Words::Behind(word) => format!(" -- {word}"),
        };
        format!("recount {}{words}", self.short_name())
    }

    /// The parser of its arguments.
    pub fn parser(&self) -> clap::Command {
        let mut parser = clap::Command::new(self.short_name())
            .no_binary_name(true)
            .disable_help_flag(true)
            .disable_help_subcommand(true)
            .disable_version_flag(true)
            .color(clap::ColorChoice::Never);
        let word = |name: &'static str| Arg::new(name).value_parser(OsStringValueParser::new());
        let paths = || word("paths").action(ArgAction::Append).num_args(0..);
        match self.words {
            Words::None => {}
            Words::Paths => parser = parser.arg(paths()),
            Words::SomePaths => parser = parser.arg(paths().required(true).value_name("FILE")),
            Words::IdAndPaths => {
                parser = parser.arg(word("word").required(true).value_name("ID")).arg(paths());
            }
            Words::TwoAndPaths(one, other) => {
                parser = parser
                    .arg(word("word").required(true).value_name(one))
                    .arg(word("other").required(true).value_name(other))
                    .arg(paths());
            }
            Words::MaybeAndPaths(name) => {
                parser = parser.arg(word("word").value_name(name)).arg(paths());
            }
            Words::OneAndPaths(name) => {
                parser = parser.arg(word("word").required(true).value_name(name)).arg(paths());
            }
            Words::One(name) => parser = parser.arg(word("word").required(true).value_name(name)),
            Words::Maybe(name) => parser = parser.arg(word("word").value_name(name)),
            Words::Phrase(name) | Words::MaybePhrase(name) => {
                let words = word("phrase").action(ArgAction::Append).num_args(0..);
                let required = matches!(self.words, Words::Phrase(_));
                parser = parser.arg(words.required(required).value_name(name));
            }
            Words::Behind(name) => {
                let words = word("behind").action(ArgAction::Append).num_args(1..).last(true);
                parser = parser.arg(words.required(true).value_name(name));
            }
        }
        for option in self.options.iter().flat_map(|set| set.options) {
            parser = parser.arg(option.arg());
        }
        parser
    }
}

/// The command of a name or alias.
pub fn named(name: &str) -> Option<&'static Command> {
    COMMANDS.iter().find(|c| c.name == name || c.aliases.contains(&name))
}

/// First words of names of two words: `case`, `dev`.
pub fn families() -> impl Iterator<Item = &'static str> {
    COMMANDS.iter().filter_map(|c| c.name.split_once(' ')).map(|(family, _)| family)
}

/// Second words of a family.
pub fn members(family: &str) -> Vec<&'static str> {
    COMMANDS
        .iter()
        .filter_map(|c| c.name.split_once(' '))
        .filter(|(f, _)| *f == family)
        .map(|(_, m)| m)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_every_parser_stands() {
        let mut names: Vec<&str> =
            COMMANDS.iter().flat_map(|c| c.aliases.iter().copied().chain([c.name])).collect();
        names.sort_unstable();
        let all = names.len();
        names.dedup();
        assert_eq!(names.len(), all);
        for command in &COMMANDS {
            command.parser().debug_assert();
        }
    }

    #[test]
    fn every_exit_code_has_its_meaning() {
        for command in &COMMANDS {
            for exit in command.exits {
                assert!(EXITS.iter().any(|(code, _)| code == exit), "{} {exit}", command.name);
            }
        }
    }

    #[test]
    fn every_alias_and_name_finds_its_command() {
        assert_eq!(named("sources").map(|c| c.name), Some("case sources"));
        assert_eq!(named("case sources").map(Command::short_name), Some("sources"));
        assert_eq!(members("dev"), ["states", "canon", "key", "completions", "man"]);
        assert!(named("chekc").is_none());
    }
}
