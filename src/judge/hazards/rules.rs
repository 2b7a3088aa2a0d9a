//! The table of hazard rules (`5-hazards.md` 5.1 and 5.2): what each needs, when it fires, and what is said of it.

use super::facts::{Intent, Run, Whole, World};
use super::found::{Found, Level};
use super::{
    h01, h02, h03, h04, h05, h06, h07, h08, h09, h10, h11, h12, h13, h14, h15, h16, h17, h18, h19, h20, h21,
    h22, h23, h24,
};

/// What a rule cannot do without (`5-hazards.md` 5.1).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Need {
    /// Attempts.
    Attempts,
    /// Keys in the trace.
    Keys,
    /// Payloads.
    Payloads,
    /// Times.
    Times,
    /// The runs of attempts.
    Runs,
    /// Read-backs or calls of tools that only read.
    Reads,
    /// An intent log or intent records.
    Records,
    /// Recorded changes of state.
    States,
    /// Tools that are declared.
    Declared,
    /// A ledger.
    Effects,
    /// Costs.
    Costs,
    /// Goal rules or annotations.
    Goals,
    /// Annotations.
    Annotations,
}

/// What two intents share where a rule looks at several.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Tie {
    /// A key.
    Key,
    /// Run, business id and kind.
    Order,
    /// One is the parent of the other.
    Parent,
}

/// What a rule looks at.
#[derive(Clone, Copy, Debug)]
pub enum Test {
    /// One intent.
    Intent(fn(&Intent, &World<'_>) -> Vec<Found>),
    /// Several intents that share something, in order of their first send.
    Tied(Tie, fn(&[Intent], &World<'_>) -> Vec<Found>),
    /// One run.
    Run(fn(&Run, &World<'_>) -> Vec<Found>),
    /// The whole case.
    Whole(fn(&Whole, &[Run], &World<'_>) -> Vec<Found>),
}

/// When a measured value is worse than another one of its rule. A text that is not comparable is worse.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Worse {
    /// Where a number in it is greater.
    More,
    /// Where a number in it is smaller.
    Fewer,
    /// Where the share is greater: `5 of 20`.
    Share,
    /// It grows with the clock alone and is not compared.
    Ages,
}

/// One rule.
#[derive(Debug)]
pub struct Rule {
    /// Its number.
    pub id: &'static str,
    /// Its name in machine output.
    pub name: &'static str,
    /// Its name on the screen (`6-screens.md` 7.4.6).
    pub words: &'static str,
    /// What it needs.
    pub needs: &'static [Need],
    /// Its level, where the case does not change it.
    pub level: Level,
    /// What makes its measured value worse than one that was seen earlier: then a quieting ends by itself.
    pub worse: Worse,
    /// Config keys with their defaults.
    pub keys: &'static [(&'static str, &'static str)],
    /// When it fires, in one sentence.
    pub fires: &'static str,
    /// What happened; `{name}` is filled in.
    pub what: &'static str,
    /// Why it matters.
    pub why: &'static str,
    /// When it is a false alarm; empty where it never is.
    pub unless: &'static str,
    /// What to do. Safe to read at night: it never says to send again, to take a row back or to change a ledger.
    pub todo: &'static str,
    /// What it does not see.
    pub blind: &'static str,
    /// What it looks at.
    pub tests: &'static [Test],
}

impl PartialEq for Rule {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id
    }
}

impl Rule {
    /// It is about runs, not about intents.
    pub fn of_runs(&self) -> bool {
        self.tests.iter().all(|test| matches!(test, Test::Run(_) | Test::Whole(_)))
    }
}

/// The rule of a number, without regard to case.
pub fn rule(id: &str) -> Option<&'static Rule> {
    RULES.iter().find(|r| r.id.eq_ignore_ascii_case(id.trim()))
}

use Level::{High, Medium, Note};
use Need::{
    Annotations, Attempts, Costs, Declared, Effects, Goals, Keys, Payloads, Reads, Records, Runs, States,
    Times,
};

/// Every rule.
pub static RULES: [Rule; 24] = [
    Rule {
        id: "H01",
        name: "fresh key per attempt",
        words: "new key for every attempt",
        needs: &[Attempts, Keys],
        level: High,
        worse: Worse::More,
        keys: &[("keys", "2")],
        fires: "Attempts of one operation, with one payload, were sent under two or more keys.",
        what: "{n} attempts of {operation} used {k} keys: {list}.",
        why: "The service saw as many separate requests as there are keys and cannot tell that they are one; such a value names an attempt, not an operation.",
        unless: "one intent id was used for two operations; then give each its own.",
        todo: "Ask the sender's owner to make the key once, in the application, before the first call, and to keep it with the intent.",
        blind: "keys that the trace does not carry, as in most formats of agents; two operation ids for one operation.",
        tests: &[Test::Intent(h01::intent)],
    },
    Rule {
        id: "H02",
        name: "drifting derived key",
        words: "key changed with the content",
        needs: &[Attempts, Keys, Payloads],
        level: High,
        worse: Worse::More,
        keys: &[],
        fires: "The payload of one operation changed, and the key that is derived from it changed with it.",
        what: "{field} changed from {a} to {b}, and the key with it: {list}.",
        why: "Each request is deduplicated by itself; together they act twice.",
        unless: "the second is a new order of the customer; then record it with its parent.",
        todo: "Settle the first one before anything else: read the ledger by both operation ids. New content is a new intent that names the first as its parent.",
        blind: "a hash whose fields it does not know.",
        tests: &[Test::Intent(h02::intent), Test::Tied(Tie::Order, h02::tied)],
    },
    Rule {
        id: "H03",
        name: "next call without read-back",
        words: "tried again without looking",
        needs: &[Attempts],
        level: High,
        worse: Worse::More,
        keys: &[],
        fires: "An attempt was sent after one that ended unknown, and no independent read lies between.",
        what: "Attempt {a} of {intent} ended {outcome} at {t1}. Attempt {b} was sent at {t2}. Between the two nobody read the state on another path. {did}",
        why: "The first attempt may have taken effect, and the next one can add a second effect.",
        unless: "somebody looked by hand, or with a tool that is not marked `read`; or the tool is idempotent and the key is kept long enough (then this is a note).",
        todo: "Read the ledger by operation id before any further call. Another call is only for after the state is failed, through the gate, with the same key; the retry policy of the sender has to say so.",
        blind: "reads made by hand or in a trace that is not loaded; whether the read was understood.",
        tests: &[Test::Intent(h03::intent)],
    },
    Rule {
        id: "H04",
        name: "read-back through the write path",
        words: "looked through the write path",
        needs: &[Reads, Declared],
        level: Medium,
        worse: Worse::More,
        keys: &[],
        fires: "A read-back used the endpoint that also writes, or got a stored answer.",
        what: "{rb} of {ids} used {endpoint}, {how}.",
        why: "It gives the stored answer of the attempt in question and cannot disagree with it.",
        unless: "the endpoint has a separate GET that the mapping does not tell apart.",
        todo: "Read the ledger or another system.",
        blind: "a cache in front of an endpoint of another name.",
        tests: &[Test::Intent(h04::intent)],
    },
    Rule {
        id: "H05",
        name: "key reused with another payload",
        words: "one key, two contents",
        needs: &[Attempts, Keys, Payloads],
        level: High,
        worse: Worse::More,
        keys: &[],
        fires: "One key was sent with two or more payloads.",
        what: "Key {key} was sent with {n} payloads. First difference: {field}, from {a} to {b}. The later answer: {outcome}.",
        why: "Services differ: some refuse, some give back the first result and say nothing.",
        unless: "the payload was only written in another form (then the hashes are equal, and this does not fire).",
        todo: "Find out which content applied. New content is a new intent.",
        blind: "payloads without a canonical form.",
        tests: &[Test::Intent(h05::intent), Test::Tied(Tie::Key, h05::tied)],
    },
    Rule {
        id: "H06",
        name: "unknown past deadline",
        words: "past its deadline, nobody acted",
        needs: &[States],
        level: Medium,
        worse: Worse::Ages,
        keys: &[],
        fires: "A recorded unknown is past its deadline.",
        what: "{intent} is unknown since {t}. Its deadline was {d}; it is late by {x}. Owner: {owner}.",
        why: "Nothing takes it up by itself.",
        unless: "the deadline was too short for this provider.",
        todo: "Read again through a second witness, or hand it over to an owner.",
        blind: "unknowns that nobody recorded.",
        tests: &[Test::Intent(h06::intent)],
    },
    Rule {
        id: "H07",
        name: "action after a terminal state",
        words: "acted after the end",
        needs: &[Attempts, States, Times],
        level: High,
        worse: Worse::More,
        keys: &[],
        fires: "An attempt was sent after the intent was confirmed, or after it failed with another key.",
        what: "Attempt {a} of {intent} was sent {x} after it became {state} at {t}.",
        why: "It can only add a second effect.",
        unless: "the state's time is from another clock; the callers' clocks are taken as right to {skew}.",
        todo: "Ask the sender's owner to ask `gate` before each call.",
        blind: "states that were set in another system; order inside the bounds of the clocks.",
        tests: &[Test::Intent(h07::intent)],
    },
    Rule {
        id: "H08",
        name: "no durable intent record",
        words: "no record before sending",
        needs: &[Attempts, Records, Times],
        level: High,
        worse: Worse::More,
        keys: &[],
        fires: "An intent log is loaded, and an attempt was sent before its record, or without one that lasts.",
        what: "Attempts of {intents} were sent before any lasting record, or without one: {ids}. The first: {how}.",
        why: "After a crash nobody knows that a call was made.",
        unless: "the record is in an outbox that is not loaded.",
        todo: "Ask the sender's owner to record first and to send then.",
        blind: "whether \"durable\" was true; outboxes that are not loaded.",
        tests: &[Test::Intent(h08::intent)],
    },
    Rule {
        id: "H09",
        name: "retry storm",
        words: "retry storm",
        needs: &[Attempts, Runs],
        level: Medium,
        worse: Worse::More,
        keys: &[("retries", "5")],
        fires: "In one run, attempts beyond the first of each operation or set of arguments reach the limit.",
        what: "{n} retries in {run}: {tools}. {s} of them succeeded.",
        why: "Load, cost and, for tools that do not deduplicate, chances to act twice.",
        unless: "never because they succeeded: by design the rule does not look at the success rate.",
        todo: "Ask the sender's owner to limit the calls and to space them.",
        blind: "repeated calls inside a library or a proxy; the same storm spread over many runs.",
        tests: &[Test::Run(h09::run)],
    },
    Rule {
        id: "H10",
        name: "cost dominance",
        words: "one tool takes most of the cost",
        needs: &[Attempts, Runs],
        level: Note,
        worse: Worse::More,
        keys: &[("ratio", "2.0"), ("share", "0.5"), ("spans", "3")],
        fires: "In one run, one tool has more than half of the calls, and its share against the rest reaches the ratio.",
        what: "{tool} has {a} of {n} calls in {run} ({share}); ratio {r}, exactly {p}/{q}.",
        why: "One tool carries the cost.",
        unless: "at the edge: the exact ratio and the one in floating point lie on different sides of the limit.",
        todo: "Look at that tool's loop.",
        blind: "the price of a call; two tools that share the cost equally.",
        tests: &[Test::Run(h10::run)],
    },
    Rule {
        id: "H11",
        name: "spend over the hard quota",
        words: "spent over the limit",
        needs: &[Attempts, Costs],
        level: High,
        worse: Worse::More,
        keys: &[],
        fires: "The costs are above the ceiling; or a tool that starts what costs has none; or the ceiling stands in a prompt.",
        what: "Spent {sum} of {ceiling} in {scope}{more}.",
        why: "A model has no feeling for a bill, and a prompt is a suggestion.",
        unless: "the prices in the trace are estimates.",
        todo: "Tell the owner of the account what is running. A person sets the ceiling, in the application.",
        blind: "costs that are not in the trace; bills that arrive later.",
        tests: &[Test::Whole(h11::whole)],
    },
    Rule {
        id: "H12",
        name: "retention too short",
        words: "keys forgotten too early",
        needs: &[Attempts, Keys, Times, Declared],
        level: Medium,
        worse: Worse::Fewer,
        keys: &[],
        fires: "A tool forgets a key before calls with it can end.",
        what: "{tool} keeps a key for {kept}; {required} are needed: {how}.",
        why: "After that the same key is a new request.",
        unless: "the provider keeps keys longer than the config says (keep the link to its documentation there).",
        todo: "Read before any further call. Shorten the recovery, or have the retention lengthened.",
        blind: "retention that the provider does not publish or has changed.",
        tests: &[Test::Intent(h12::intent)],
    },
    Rule {
        id: "H13",
        name: "goal drift",
        words: "did other than planned",
        needs: &[Attempts, Goals],
        level: Medium,
        worse: Worse::More,
        keys: &[],
        fires: "A rule table or an annotation says that an action left the plan.",
        what: "Note: {note}. Plan {plan}, action {tool}; {judge}.",
        why: "The agent may be doing something else than it was asked.",
        unless: "the action is a step that the plan needs first, as a search in the help pages before a password is set.",
        todo: "Read the note first; then look at the scenario or the rule.",
        blind: "anything that no rule and no judge speaks about.",
        tests: &[Test::Whole(h13::whole)],
    },
    Rule {
        id: "H14",
        name: "verification skipped",
        words: "never checked",
        needs: &[Attempts, Reads, Declared],
        level: Medium,
        worse: Worse::More,
        keys: &[],
        fires: "An intent of a tool that cannot be undone is closed, and nobody read after its last attempt.",
        what: "{intents} of {tool} closed without a read after the last attempt: {ids}.",
        why: "It cannot be undone, and nobody looked whether it is right.",
        unless: "it was checked in another system.",
        todo: "Ask the sender's owner to make the read a part of the operation.",
        blind: "checks in other systems; tools that cannot be undone and are not declared so.",
        tests: &[Test::Intent(h14::intent)],
    },
    Rule {
        id: "H15",
        name: "timeout recorded as failed",
        words: "timeout written down as failed",
        needs: &[Attempts, States],
        level: High,
        worse: Worse::More,
        keys: &[],
        fires: "The state became failed although the last attempt was unknown and no absence was proven.",
        what: "Attempt {a} of {intent} ended {outcome}; its state became failed at {t}{by}.",
        why: "Failed allows another call, and the first one may have acted.",
        unless: "a refusal arrived and was not recorded.",
        todo: "Block the next call. Have it reopened to unknown, and read.",
        blind: "a failed state that another component derived by itself.",
        tests: &[Test::Intent(h15::intent)],
    },
    Rule {
        id: "H16",
        name: "unknown without deadline",
        words: "unknown without a deadline",
        needs: &[States],
        level: High,
        worse: Worse::More,
        keys: &[],
        fires: "A recorded unknown has no deadline.",
        what: "{intent} is unknown since {t} and has no deadline.",
        why: "It waits in a queue that nobody owns.",
        unless: "",
        todo: "Set a deadline and an owner.",
        blind: "unknowns that nobody recorded.",
        tests: &[Test::Intent(h16::intent)],
    },
    Rule {
        id: "H17",
        name: "key from the model",
        words: "key made up by the model",
        needs: &[Attempts, Keys, Payloads, Records],
        level: Medium,
        worse: Worse::More,
        keys: &[],
        fires: "A key came from the model, or stands in its arguments and in no earlier record.",
        what: "Key {key} of {ids} came from the model{turn}: {how}.",
        why: "It can change on the next turn.",
        unless: "the dispatcher put the recorded id in, and the trace shows merged arguments.",
        todo: "Hide the field from the tool's schema, and let the application fill it in.",
        blind: "a model's value that is equal to the recorded one by chance.",
        tests: &[Test::Intent(h17::intent)],
    },
    Rule {
        id: "H18",
        name: "shared baseline",
        words: "runs share a baseline",
        needs: &[Annotations],
        level: Medium,
        worse: Worse::More,
        keys: &[],
        fires: "Annotations of two or more runs were made against one baseline.",
        what: "Baseline {baseline} is used by {n} runs: {list}.",
        why: "A later run is compared with an earlier one, and may be right by accident.",
        unless: "the baseline is meant for all runs; then give it a version.",
        todo: "Key it by run and scenario.",
        blind: "baselines without a key.",
        tests: &[Test::Whole(h18::whole)],
    },
    Rule {
        id: "H19",
        name: "overlapping attempts",
        words: "attempts overlapped",
        needs: &[Attempts, Times],
        level: Medium,
        worse: Worse::More,
        keys: &[],
        fires: "An attempt was sent for certain before the one before it had ended.",
        what: "Attempts {a} and {b} of {intent} overlapped by {x}; {n} effects are possible.",
        why: "Neither call can know what the other does.",
        unless: "the first was cancelled before it was sent.",
        todo: "Ask the sender's owner for one call at a time per intent.",
        blind: "overlaps shorter than the bounds of the clocks.",
        tests: &[Test::Intent(h19::intent)],
    },
    Rule {
        id: "H20",
        name: "lineage broken",
        words: "changed before it was settled",
        needs: &[Attempts, Payloads, States],
        level: High,
        worse: Worse::More,
        keys: &[],
        fires: "The content changed under one intent, or a changed request was sent while the first was not settled.",
        what: "{child} ({new}) was sent at {t} while {parent} ({old}) was {state}.",
        why: "Two calls, each correct, make two effects.",
        unless: "the second is meant in addition (relation adds_to), not in place of the first.",
        todo: "Settle the first one before anything else: read the ledger by both operation ids.",
        blind: "later requests in another run without a business id.",
        tests: &[
            Test::Intent(h20::intent),
            Test::Tied(Tie::Parent, h20::parents),
            Test::Tied(Tie::Order, h20::orders),
        ],
    },
    Rule {
        id: "H21",
        name: "clock skew over bound",
        words: "clocks further apart than declared",
        needs: &[Attempts, Times, Effects],
        level: Note,
        worse: Worse::More,
        keys: &[],
        fires: "A row that an answer named was committed further from its attempt than the declared bounds allow.",
        what: "{source} needs {x} of skew; {bound} are declared. Seen at {ids}.",
        why: "Coverage and order may be wrong.",
        unless: "a batch writer stamps its rows late.",
        todo: "Have the clock corrected, or declare the bound that it needs.",
        blind: "sources without rows that an answer named.",
        tests: &[Test::Intent(h21::intent)],
    },
    Rule {
        id: "H22",
        name: "illegal transition",
        words: "record moved against the rules",
        needs: &[States],
        level: Medium,
        worse: Worse::More,
        keys: &[],
        fires: "A recorded change of state is one that the table refuses.",
        what: "{actor} moved {intent} from {from} to {to} at {t}.",
        why: "The table of states does not allow it.",
        unless: "the records are of a system with other names.",
        todo: "Ask the sender's owner to ask `gate`, and to record through it.",
        blind: "moves that were never recorded.",
        tests: &[Test::Intent(h22::intent)],
    },
    Rule {
        id: "H23",
        name: "read-back collapsed",
        words: "differs and unreadable mixed up",
        needs: &[Reads],
        level: Medium,
        worse: Worse::More,
        keys: &[],
        fires: "A read-back says in one word what should be one of six results.",
        what: "{rb} of {intent} says {word}; read value {read}, expected {expected}.",
        why: "\"Differs\" and \"unreadable\" became one word.",
        unless: "",
        todo: "Ask its owner to record one of the six results.",
        blind: "a reader that mixes them before it writes.",
        tests: &[Test::Intent(h23::intent)],
    },
    Rule {
        id: "H24",
        name: "unknown over-used",
        words: "too much is unknown",
        needs: &[Attempts],
        level: Note,
        worse: Worse::Share,
        keys: &[("share", "0.25"), ("attempts", "20")],
        fires: "Of the finished write attempts of the case a large share is unknown.",
        what: "{u} of {n} finished attempts are unknown.",
        why: "A state without consequence is used more and more.",
        unless: "there was an outage in that time.",
        todo: "Give each unknown a deadline and an owner.",
        blind: "a share that is high for one tool only.",
        tests: &[Test::Whole(h24::whole)],
    },
];
