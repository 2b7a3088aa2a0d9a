//! A decision about an intent: by hand, or by reconciliation (`3-lifecycle.md` 3.2, 3.3, 3.8, 3.9).

use crate::model::row::{Seen, State};
use crate::model::time::Micros;

use super::facts::{Facts, Read};
use super::guards::{self, Rules, or, time};
use super::matrix::{Move, allowed, who_may};
use super::persons::{Choice, opens, persons};
use super::policy::Weight;
use super::refusal::{Code, Refusal};
use super::states::Actor;

/// A piece of evidence that was named.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Evidence {
    /// A read-back.
    Read(Read),
    /// A file, an address, a ticket.
    Reference(String),
}

/// What was asked.
#[derive(Clone, Debug)]
pub struct Ask<'a> {
    /// Who asks.
    pub actor: Actor,
    /// Confirmed or failed.
    pub to: State,
    /// The note.
    pub note: &'a str,
    /// Reason of an override.
    pub override_reason: Option<&'a str>,
    /// Differences that are acknowledged.
    pub acknowledged: &'a [String],
    /// Evidence.
    pub evidence: &'a [Evidence],
    /// Incident of a break-glass.
    pub break_glass: Option<&'a str>,
    /// Version and fingerprint that the operator saw.
    pub seen: Option<(u64, &'a str)>,
}

/// What a decision rests on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Basis {
    /// A live row where the effect happens.
    Row(String),
    /// A live row in a copy only.
    Copy(String),
    /// An independent read-back, with its id; by hand or not.
    Read(String, bool),
    /// A covered absence.
    Absence,
    /// The word of whoever decided.
    Override,
}

impl Basis {
    /// The word in the book.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Row(_) => "row",
            Self::Copy(_) => "copy",
            Self::Read(_, false) => "read_back",
            Self::Read(_, true) => "manual_read",
            Self::Absence => "covered_absence",
            Self::Override => "override",
        }
    }
}

/// A decision that may be made.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Decision {
    /// Its moves in order: an overdue submitted intent becomes unknown first.
    pub moves: Vec<(Move, State, State)>,
    /// What it rests on.
    pub basis: Basis,
    /// How the table of persons calls it.
    pub choice: Choice,
    /// How many people decide.
    pub persons: u8,
    /// From the high-value limit up.
    pub high: bool,
    /// One person decides where two are asked, under this incident.
    pub under_glass: Option<String>,
    /// Differences that were acknowledged.
    pub acknowledged: Vec<String>,
}

impl Decision {
    /// A second person has to agree before it takes effect.
    pub fn waits(&self) -> bool {
        self.persons > 1 && self.under_glass.is_none()
    }
}

/// Decides what was asked. Every refusal names the intent and what stays.
///
/// # Errors
/// The first guard that does not hold.
pub fn resolve(facts: &Facts, ask: &Ask<'_>, rules: Rules<'_>) -> Result<Decision, Refusal> {
    decide(facts, ask, rules).map_err(|refusal| of(refusal, facts, ask.to.word()))
}

/// A refusal with what was asked and what stays.
pub fn of(refusal: Refusal, facts: &Facts, to: &str) -> Refusal {
    let stays = match facts.state {
        None => format!("{} stays as it is", facts.intent_id),
        Some(state) => format!("{} stays {}", facts.intent_id, state.word()),
    };
    refusal.of(format!("{} to {to}", facts.intent_id), stays)
}

/// The same where it is about something else than the state of an intent.
pub fn of_subject(refusal: Refusal, subject: &str, to: &str) -> Refusal {
    refusal.of(format!("{subject} to {to}"), format!("{subject} stays as it is"))
}

fn decide(facts: &Facts, ask: &Ask<'_>, rules: Rules<'_>) -> Result<Decision, Refusal> {
    let moves = moves(facts, ask.to, ask.actor, rules.now)?;
    guards::version(facts, ask.seen)?;
    if ask.actor == Actor::Human {
        guards::note(ask.note, &facts.last_note, rules.policy)?;
    }
    for evidence in ask.evidence {
        if let Evidence::Read(read) = evidence {
            guards::evidence(facts, read)?;
        }
    }
    let high = rules.policy.is_high(rules.units, &facts.weight, &facts.kind);
    let (basis, choice) = match ask.to {
        State::Confirmed => confirm(facts, ask)?,
        _ => fail(facts, ask, high)?,
    };
    let needed = persons(choice, high, rules.policy.solo);
    let under_glass = match ask.break_glass {
        None => None,
        Some(incident) => {
            glass(facts, choice, incident, rules)?;
            (needed > 1).then(|| incident.to_owned())
        }
    };
    let acknowledged = ask.acknowledged.to_vec();
    Ok(Decision { moves, basis, choice, persons: needed, high, under_glass, acknowledged })
}

/// The moves that lead from the state of an intent to another one: one, or two for an overdue submitted intent.
///
/// # Errors
/// What the matrix says.
pub fn moves(
    facts: &Facts,
    to: State,
    actor: Actor,
    now: Micros,
) -> Result<Vec<(Move, State, State)>, Refusal> {
    let Some(from) = facts.state else {
        return Err(refused(facts, Code::Who, to, actor));
    };
    let overdue = facts.overdue(now);
    let step = |from: State, to: State| {
        allowed(Some(from), to, actor, overdue)
            .map(|m| (m, from, to))
            .map_err(|code| refused(facts, code, to, actor))
    };
    if from == State::Submitted
        && matches!(to, State::Confirmed | State::Failed)
        && overdue
        && matches!(actor, Actor::Reconciliation | Actor::Human)
    {
        return Ok(vec![step(from, State::Unknown)?, step(State::Unknown, to)?]);
    }
    Ok(vec![step(from, to)?])
}

/// The message of a cell of the matrix.
pub fn refused(facts: &Facts, code: Code, to: State, actor: Actor) -> Refusal {
    let id = &facts.intent_id;
    let names = |actors: &[Actor]| actors.iter().map(|a| a.word()).collect::<Vec<_>>().join(", ");
    let last = facts.calls.last();
    let refusal = match code {
        Code::Agent => Refusal::new(code, "the actor is an agent; agents propose, they never decide")
            .missing("a decision of reconciliation or of a person")
            .next(format!("let reconciliation or a person decide: recount show {id}")),
        Code::SubRetry => {
            let (since, holder) = last.map_or((facts.since, String::new()), |c| (c.sent, c.id.clone()));
            Refusal::new(
                code,
                format!(
                    "a request is under way since {}, claimed by {}",
                    time(since),
                    or(&holder, "somebody")
                ),
            )
            .missing(format!("its answer, or the timeout at {}", time(facts.deadline)))
            .next(format!("wait for the answer or the timeout at {}", time(facts.deadline)))
        }
        Code::ConfRetry => Refusal::new(
            code,
            format!(
                "already confirmed at {} by {}; a second call would be a second effect",
                time(facts.since),
                or(&facts.by, "the answer")
            ),
        )
        .next(format!("recount show {id}")),
        Code::UnkRetry => {
            let call = last.map_or("its attempt".to_owned(), |c| {
                format!("attempt {} took effect (outcome {} at {})", c.id, c.told, time(c.ended))
            });
            Refusal::new(code, format!("cannot tell whether {call}"))
                .missing("a decision: it happened, or it did not")
                .next(format!("hold it: recount escalate {id} --owner NAME --deadline TIME --note TEXT"))
                .next(format!("or recount readback {id}, then recount resolve {id}"))
        }
        Code::TimeoutNotFailed => {
            Refusal::new(code, "a timeout is not a rejection: the call may have been carried out")
                .next("unknown, with a deadline")
        }
        Code::ViaUnknown => Refusal::new(
            code,
            format!(
                "a submitted intent is decided by its answer or becomes unknown at {}",
                time(facts.deadline)
            ),
        )
        .missing("its answer, or its deadline")
        .next(format!("look again after {}", time(facts.deadline))),
        Code::ReopenFirst => Refusal::new(
            code,
            format!(
                "it has been {} since {}, by {}",
                facts.state_word(),
                time(facts.since),
                or(&facts.by, "its answer")
            ),
        )
        .missing("a reason to open it again")
        .next(format!("recount reopen {id} --note TEXT, then recount resolve {id} --to {}", to.word())),
        Code::LateResponse => {
            Refusal::new(code, "the answer is stored as evidence; reconciliation or a person decides")
                .next(format!("recount resolve {id} --to {}", to.word()))
        }
        _ => {
            let may = who_may(facts.state, to);
            let from = facts.state_word();
            let who = if may.is_empty() { "nobody".to_owned() } else { names(&may) };
            Refusal::new(Code::Who, format!("{} may not move it from {from} to {}", actor.word(), to.word()))
                .missing(format!("one who may: {who}"))
                .next(format!("recount show {id}"))
        }
    };
    of(refusal, facts, to.word())
}

/// G-CONFIRM.
fn confirm(facts: &Facts, ask: &Ask<'_>) -> Result<(Basis, Choice), Refusal> {
    let named = |word: &str| ask.acknowledged.iter().any(|a| a == word);
    if let Some(row) = facts.live_rows(false).next() {
        acknowledged(facts, &facts.differs, &named)?;
        return Ok((Basis::Row(row.name.clone()), Choice::ConfirmedOnRow));
    }
    if let Some(row) = facts.live_rows(true).next() {
        acknowledged(facts, &facts.differs, &named)?;
        return Ok((Basis::Copy(row.name.clone()), Choice::ConfirmedOnWord));
    }
    let reference = ask.evidence.iter().any(|e| matches!(e, Evidence::Reference(_)));
    let shows = |read: &&Read| {
        matches!(read.seen, Seen::Present | Seen::Differs) && guards::evidence(facts, read).is_ok()
    };
    let given = ask.evidence.iter().filter_map(|e| match e {
        Evidence::Read(read) => Some(read),
        Evidence::Reference(_) => None,
    });
    let read = given.chain(facts.reads.iter()).find(shows);
    match (reference, read) {
        (true, Some(read)) => {
            if read.seen == Seen::Differs {
                let field = read.detail.split(':').next().unwrap_or_default();
                let word =
                    ["amount", "currency", "count"].into_iter().find(|w| *w == field).unwrap_or("attribute");
                let differs =
                    [(word, "as intended".to_owned(), or(&read.detail, "another value").to_owned())];
                acknowledged(facts, &differs, &named)?;
            }
            Ok((Basis::Read(read.id.clone(), read.manual), Choice::ConfirmedOnWord))
        }
        (reference, read) => {
            let mut refusal = Refusal::new(
                Code::ConfEvid,
                "\"it happened\" needs a live row, or a reference together with an independent read that shows it",
            )
            .seen("no live linked row");
            for row in facts.on_its_way() {
                refusal = refusal.seen(format!("{} is on its way: not an effect yet", row.name));
            }
            if let Some(read) = read {
                refusal = refusal.seen(format!("{} of {} says {}", read.id, read.source, read.seen.word()));
            }
            if !reference {
                refusal = refusal.missing("a reference: --evidence ticket:ID, file:PATH or an address");
            }
            if read.is_none() {
                refusal = refusal.missing("a read-back present or differs from an independent source");
            }
            Err(refusal
                .next(format!(
                    "hold it: recount escalate {} --owner NAME --deadline TIME --note TEXT",
                    facts.intent_id
                ))
                .next(format!("or recount readback {} --source NAME", facts.intent_id)))
        }
    }
}

/// Every difference has to be named.
fn acknowledged(
    facts: &Facts,
    differs: &[(&'static str, String, String)],
    named: &dyn Fn(&str) -> bool,
) -> Result<(), Refusal> {
    let open: Vec<&(&str, String, String)> = differs.iter().filter(|(word, ..)| !named(word)).collect();
    let Some(first) = open.first() else { return Ok(()) };
    let duplicate = open.iter().any(|(word, ..)| *word == "duplicate");
    let mut refusal = if duplicate {
        Refusal::new(
            Code::ConfDup,
            format!("{} live rows, at most {} expected", facts.live, facts.expected.1),
        )
    } else {
        Refusal::new(Code::ConfDiffers, format!("{}: expected {}, read {}", first.0, first.1, first.2))
    };
    for (word, expected, read) in &open {
        refusal = refusal.seen(format!("{word}: expected {expected}, read {read}"));
    }
    for row in facts.live_rows(false) {
        refusal = refusal.seen(format!("{} {}", row.name, row.amount).trim_end().to_owned());
    }
    let words: Vec<String> = open.iter().map(|(word, ..)| format!("--acknowledge {word}")).collect();
    let rest = if duplicate { ", and say in the note who follows up the rest" } else { "" };
    Err(refusal
        .missing("that whoever decides has seen each difference")
        .next(format!("{}{rest}", words.join(" "))))
}

/// G-FAIL.
fn fail(facts: &Facts, ask: &Ask<'_>, high: bool) -> Result<(Basis, Choice), Refusal> {
    let there = facts.live_rows(false).chain(facts.live_rows(true)).next();
    if let Some(row) = there.or_else(|| facts.on_its_way().next()) {
        let how = if there.is_some() { "linked and live" } else { "on its way" };
        let next = if there.is_some() {
            format!(
                "recount resolve {} --to confirmed, or recount unlink {} --note TEXT",
                facts.intent_id, row.name
            )
        } else {
            "wait until the row says what became of it, and load again".to_owned()
        };
        return Err(Refusal::new(Code::FailPresent, format!("ledger row {} is {how}", row.name))
            .seen(format!("{} {}", row.name, row.amount).trim_end().to_owned())
            .missing("an absence")
            .next(next));
    }
    if let Some(reason) = ask.override_reason {
        guards::reason(reason)?;
        return Ok((Basis::Override, Choice::FailedOverride));
    }
    let cover = &facts.cover;
    let mut failed = cover.failed.clone();
    if let Some(read) = witness(facts) {
        let what = format!(
            "another sign says that it may be there: {} of {} says {}",
            read.id,
            read.source,
            read.seen.word()
        );
        failed.push(("C7".to_owned(), what));
    }
    if facts.suggestions > 0 && !failed.iter().any(|(code, _)| code == "C7") {
        failed
            .push(("C7".to_owned(), "a row of the same order may be its own: link or reject it".to_owned()));
    }
    if high && !cover.declared {
        let what = "from the high-value limit up meaning and kinds of the source are declared, not assumed: moves_money and holds in [sources.ID]";
        failed.push(("C9".to_owned(), what.to_owned()));
    }
    if high && cover.final_by_declaration {
        let what = "--ledger-final is a declaration and no evidence from the high-value limit up";
        failed.push(("C2".to_owned(), what.to_owned()));
    }
    if facts.calls.iter().any(|c| c.ended.is_none()) && !cover.final_by_declaration {
        failed.push(("C1".to_owned(), "the trace has no times".to_owned()));
    }
    if cover.covered && failed.is_empty() {
        return Ok((Basis::Absence, Choice::FailedCovered));
    }
    let mut refusal = Refusal::new(
        Code::FailCover,
        "\"did not happen\" needs a listing that reaches past the last moment the call could land",
    )
    .seen(cover.read.clone());
    for (code, what) in &failed {
        refusal = refusal.missing(format!("{code}: {what}"));
    }
    refusal = refusal.next(format!(
        "hold it: recount escalate {} --owner NAME --deadline TIME --note TEXT",
        facts.intent_id
    ));
    if !cover.covered && !cover.from.is_none() {
        refusal = refusal.next(format!(
            "covered from {} on: export the ledger again and load it again, or ask a second witness",
            time(cover.from)
        ));
    }
    if cover.live {
        refusal = refusal.next("on a quiet live primary: coverage_rule = \"snapshot\" for this source");
    }
    Err(refusal)
}

/// An independent read after the last call that shows the effect.
fn witness(facts: &Facts) -> Option<&Read> {
    facts.reads.iter().find(|read| {
        matches!(read.seen, Seen::Present | Seen::Differs) && guards::evidence(facts, read).is_ok()
    })
}

/// Break-glass: allowed at all, only for confirmed on a read by hand, up to its cap (3.12).
fn glass(facts: &Facts, choice: Choice, incident: &str, rules: Rules<'_>) -> Result<(), Refusal> {
    let because = if !rules.policy.break_glass {
        "break-glass is off in this case"
    } else if incident.trim().is_empty() {
        "an incident has to be named"
    } else if !opens(choice) {
        "break-glass never opens this decision; it serves confirmed on a read by hand"
    } else if !rules.policy.is_under_glass(rules.units, &facts.weight) {
        "the amount is above the cap of break-glass"
    } else {
        return Ok(());
    };
    Err(Refusal::new(Code::Break, because).missing("a second person").next(format!(
        "ask for one: recount request {} --to confirmed --note TEXT --out FILE",
        facts.intent_id
    )))
}

/// What reconciliation does with an intent by itself.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Automatic {
    /// It moves it.
    Move(Decision),
    /// It is for a person, and why.
    Escalate(String),
    /// There is nothing to decide.
    Nothing,
}

/// Strict evidence and small amounts only (3.3). To confirmed: exactly one live linked row of the expected total. To
/// failed: a covered absence in a source that is declared to move money and to hold the kind.
pub fn automatic(facts: &Facts, rules: Rules<'_>) -> Automatic {
    let open = match facts.state {
        Some(State::Unknown) => true,
        Some(State::Submitted) => facts.overdue(rules.now),
        _ => false,
    };
    if !open {
        return Automatic::Nothing;
    }
    let live = facts.live_rows(false).count();
    let ask = |to: State| Ask {
        actor: Actor::Reconciliation,
        to,
        note: "",
        override_reason: None,
        acknowledged: &[],
        evidence: &[],
        break_glass: None,
        seen: None,
    };
    let to = if live > 0 { State::Confirmed } else { State::Failed };
    if to == State::Confirmed && (live != 1 || facts.expected != (1, 1)) {
        return Automatic::Escalate(format!(
            "{live} live rows, {} to {} expected",
            facts.expected.0, facts.expected.1
        ));
    }
    if to == State::Confirmed && facts.expected_total.is_empty() && facts.weight != Weight::None {
        return Automatic::Escalate("no total is expected that the row could be compared with".to_owned());
    }
    match resolve(facts, &ask(to), rules) {
        Err(refusal) => Automatic::Escalate(format!("{} [{}]", refusal.because, refusal.code.word())),
        Ok(decision) if !rules.policy.is_automatic(rules.units, &facts.weight, &facts.kind) => {
            let _ = decision;
            Automatic::Escalate("the amount is above what is settled automatically".to_owned())
        }
        Ok(decision) if matches!(decision.basis, Basis::Row(_)) => Automatic::Move(decision),
        Ok(decision) if decision.basis == Basis::Absence => {
            let cover = &facts.cover;
            if cover.declared && cover.moves_money && !cover.final_by_declaration {
                Automatic::Move(decision)
            } else {
                Automatic::Escalate(
                    "the source is not declared to move money and to hold this kind".to_owned(),
                )
            }
        }
        Ok(_) => Automatic::Escalate("it stands in a copy only".to_owned()),
    }
}

/// What a hold needs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Hold {
    /// Owner, deadline and note; on any item.
    Escalate,
    /// Owner, deadline and note; only what is unknown.
    Extend,
    /// An owner; the deadline that stands, or a new one.
    Assign,
}

/// T9, or on an item that is not unknown an owner and a date without a move.
///
/// # Errors
/// R-AGENT, R-WHO, R-VIA-UNKNOWN, R-OWNER, R-DEADLINE, R-NOTE.
pub fn hold(
    facts: &Facts,
    what: Hold,
    actor: Actor,
    fields: (&str, Option<Micros>, &str),
    rules: Rules<'_>,
) -> Result<Option<Move>, Refusal> {
    let (owner, deadline, note) = fields;
    let check = || {
        let step = match facts.state {
            Some(State::Unknown) => Some(
                allowed(facts.state, State::Unknown, actor, false)
                    .map_err(|code| refused(facts, code, State::Unknown, actor))?,
            ),
            _ if !matches!(actor, Actor::Human | Actor::Reconciliation) => {
                let code = if actor == Actor::Agent { Code::Agent } else { Code::Who };
                return Err(refused(facts, code, State::Unknown, actor));
            }
            Some(State::Submitted) if what == Hold::Extend => {
                return Err(refused(facts, Code::ViaUnknown, State::Unknown, actor));
            }
            _ if what == Hold::Extend => {
                return Err(Refusal::new(
                    Code::Who,
                    format!("it is {}; only an unknown has a deadline to move", facts.state_word()),
                )
                .missing("an unknown")
                .next(format!("recount show {}", facts.intent_id)));
            }
            _ => None,
        };
        guards::owner(owner)?;
        // Who takes a thing over may leave its date as it is.
        let kept = (what == Hold::Assign && deadline.is_none())
            .then_some(facts.deadline)
            .filter(|at| *at > rules.now);
        if kept.is_none() && (step.is_some() || what != Hold::Assign || deadline.is_some()) {
            guards::deadline(deadline, rules)?;
        }
        if what != Hold::Assign || !note.is_empty() {
            guards::note(note, &facts.last_note, rules.policy)?;
        }
        Ok(step)
    };
    check().map_err(|refusal| of(refusal, facts, "unknown"))
}

/// T8: back to unknown, with note, owner and a new deadline.
///
/// # Errors
/// What the matrix or a guard says.
pub fn reopen(
    facts: &Facts,
    actor: Actor,
    fields: (&str, Option<Micros>, &str),
    seen: Option<(u64, &str)>,
    rules: Rules<'_>,
) -> Result<Move, Refusal> {
    let (owner, deadline, note) = fields;
    let check = || {
        if !matches!(facts.state, Some(State::Confirmed | State::Failed)) {
            return Err(Refusal::new(
                Code::Who,
                format!("it is {}; only what is confirmed or failed can be reopened", facts.state_word()),
            )
            .missing("a settled intent")
            .next(format!("recount show {}", facts.intent_id)));
        }
        let step = allowed(facts.state, State::Unknown, actor, false)
            .map_err(|code| refused(facts, code, State::Unknown, actor))?;
        guards::version(facts, seen)?;
        guards::note(note, &facts.last_note, rules.policy)?;
        guards::owner(owner)?;
        guards::deadline(deadline, rules)?;
        Ok(step)
    };
    check().map_err(|refusal| of(refusal, facts, "unknown"))
}
