//! The forms, as one table: what each asks for, and the command that it becomes.

use super::booked::Order;
use super::decide;
use super::field::{Field, Kind};
use super::form::{Case, Choice, Form, Subject};
use crate::judge::view::EffectView;
use crate::lifecycle::disposition::DISPOSITIONS;
use crate::lifecycle::refusal::{Code, Refusal};
use crate::lifecycle::resolve::{Basis, Decision};
use crate::model::row::State;

/// A form.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Dialog {
    /// It happened, it did not, or it is held.
    Resolve,
    /// Back to unknown.
    Reopen,
    /// Handed over.
    Hold,
    /// An owner.
    Assign,
    /// The reference of an escalation.
    Deliver,
    /// A note alone.
    Note,
    /// A row is tied, taken away, or rejected.
    Rows,
    /// A source is read for it, audited.
    Read,
    /// What was seen elsewhere.
    Manual,
    /// How it was closed.
    Dispose,
    /// A request waits for this person.
    Answer,
    /// A request of this person waits.
    Waiting,
    /// The answer to it came as a file.
    Accept,
    /// The request is taken back.
    Withdraw,
    /// Many at once.
    Many,
}

/// A row of the table.
pub struct Spec {
    /// Which.
    pub dialog: Dialog,
    /// Name in the path and in drafts.
    pub name: &'static str,
    /// A box over what lies below; else a page of its own.
    pub floats: bool,
    /// Beginning of the title of a box: `Hold the`.
    pub title: &'static str,
}

const fn spec(dialog: Dialog, name: &'static str, floats: bool, title: &'static str) -> Spec {
    Spec { dialog, name, floats, title }
}

/// All forms.
#[rustfmt::skip]
pub const SPECS: [Spec; 15] = [
    spec(Dialog::Resolve, "resolve", false, "Resolve the"),
    spec(Dialog::Reopen, "reopen", true, "Reopen the"),
    spec(Dialog::Hold, "hold", true, "Hold the"),
    spec(Dialog::Assign, "assign", true, "Name an owner of the"),
    spec(Dialog::Deliver, "delivered", true, "Delivered: the"),
    spec(Dialog::Note, "note", true, "A note on the"),
    spec(Dialog::Rows, "rows", false, "Rows of the"),
    spec(Dialog::Read, "read", true, "Read the ledger for the"),
    spec(Dialog::Manual, "seen elsewhere", true, "Seen elsewhere: the"),
    spec(Dialog::Dispose, "close", true, "Close the"),
    spec(Dialog::Answer, "agree", false, "Agree to the"),
    spec(Dialog::Waiting, "request", false, "The request for the"),
    spec(Dialog::Accept, "accept", false, "Accept the answer for the"),
    spec(Dialog::Withdraw, "withdraw", true, "Take back the request for the"),
    spec(Dialog::Many, "resolve many", false, ""),
];

/// The answer that costs nothing.
pub const HOLD: &str = "hold";
/// A second person agrees.
pub const AGREE: &str = "agree";
/// A second person does not.
pub const DENY: &str = "deny";
/// The second person relied on the evidence of the first.
pub const RELIED: &str = "relied";

impl Dialog {
    /// Its row.
    pub fn spec(self) -> &'static Spec {
        SPECS.iter().find(|spec| spec.dialog == self).unwrap_or(&SPECS[0])
    }
}

/// Fields of a hold.
const HELD: [Field; 4] = [Field::Owner, Field::Deadline, Field::Delivered, Field::Note];

/// The fields that a form has as it is filled in.
pub fn fields(form: &Form, case: Case<'_>) -> Vec<Field> {
    let mut all = match form.dialog {
        Dialog::Resolve => resolving(form, case),
        Dialog::Reopen | Dialog::Assign => vec![Field::Owner, Field::Deadline, Field::Note],
        Dialog::Hold => HELD.to_vec(),
        Dialog::Deliver => vec![Field::Delivered],
        Dialog::Note | Dialog::Withdraw => vec![Field::Note],
        Dialog::Rows => vec![Field::Row, Field::Note],
        Dialog::Read => vec![Field::Ledger],
        Dialog::Manual => {
            let differs = form.value(Field::Result) == "differs";
            let more = differs.then_some(Field::Differs);
            let first = [Field::Source, Field::Result];
            first.into_iter().chain(more).chain([Field::ReadAt, Field::Position, Field::Note]).collect()
        }
        Dialog::Dispose => {
            let word = form.value(Field::As);
            let needs = DISPOSITIONS.iter().find(|needs| needs.word == word);
            let of = |wanted: bool, field: Field| wanted.then_some(field);
            let amount = needs.and_then(|n| of(n.amount, Field::Amount));
            let reference = needs.and_then(|n| of(n.reference, Field::Reference));
            let other = needs.and_then(|n| of(n.other, Field::SameAs));
            [Field::As].into_iter().chain(amount).chain(reference).chain(other).chain([Field::Note]).collect()
        }
        Dialog::Answer => {
            let agrees = form.value(Field::Answer) == AGREE;
            [Field::Answer].into_iter().chain(agrees.then_some(Field::Looked)).chain([Field::Note]).collect()
        }
        Dialog::Accept => vec![Field::File],
        Dialog::Waiting => Vec::new(),
        Dialog::Many => {
            let held = form.value(Field::Answer) == HOLD;
            let more: &[Field] = if held { &HELD[..3] } else { &[] };
            [Field::Answer].into_iter().chain(more.iter().copied()).chain([Field::Note]).collect()
        }
    };
    if to_type(form, case).is_some() {
        all.push(Field::Typed);
    }
    all
}

fn resolving(form: &Form, case: Case<'_>) -> Vec<Field> {
    let mut all = vec![Field::Answer];
    match form.value(Field::Answer).as_str() {
        HOLD => all.extend(&HELD[..3]),
        "failed" => {
            let overridden = form.ticked(Field::Override, "override");
            let open = decide::answer(form, case, State::Failed).is_err_and(|r| r.code == Code::FailCover);
            if overridden || open {
                all.push(Field::Override);
            }
            if overridden {
                all.push(Field::Reason);
            }
        }
        _ => {
            let facts = form.fact();
            let live = facts.is_some_and(|f| f.rows.iter().any(|_| f.live > 0));
            if live && facts.is_some_and(|f| !f.differs.is_empty()) {
                all.push(Field::Acknowledge);
            }
            if !live {
                all.push(Field::Evidence);
            }
        }
    }
    all.push(Field::Note);
    all
}

/// The lines of a choice, or of ticks.
pub fn choices(form: &Form, case: Case<'_>, field: Field) -> Vec<Choice> {
    let plain = |key: &str, words: &str| Choice {
        key: key.to_owned(),
        words: words.to_owned(),
        possible: true,
        ..Choice::default()
    };
    match (form.dialog, field) {
        (Dialog::Many, Field::Answer) => many_answers(form, case),
        (Dialog::Answer, Field::Answer) => {
            vec![plain(AGREE, "Agree: it takes effect"), plain(DENY, "Deny it: nothing changes")]
        }
        (_, Field::Answer) => answers(form, case),
        (_, Field::Override) => {
            vec![plain("override", "Write it down all the same, without proof (override, with a reason)")]
        }
        (_, Field::Acknowledge) => form
            .fact()
            .map(|facts| {
                let one = |(word, expected, read): &(&str, String, String)| {
                    plain(word, &format!("{word}: intended {expected}, there is {read}"))
                };
                facts.differs.iter().map(one).collect()
            })
            .unwrap_or_default(),
        (_, Field::Row) => rows(form, case),
        (_, Field::Ledger) => {
            let ledgers = case.sources.iter().filter(|s| s.what == "ledger");
            ledgers.map(|s| plain(&s.id, &s.id)).collect()
        }
        (_, Field::Looked) => {
            let ledgers = case.sources.iter().filter(|s| s.what == "ledger" && s.meaning != "copy");
            let own =
                ledgers.map(|s| plain(&format!("read:{}", s.id), &format!("I read {} myself, now", s.id)));
            own.chain([plain(RELIED, "I relied on the evidence of whoever asks")]).collect()
        }
        (_, Field::Result) => vec![
            plain("present", "It is there"),
            plain("differs", "It is there, and something differs"),
            plain("not_found_not_covering", "I did not find it: that proves nothing"),
            plain("unreadable", "It could not be read"),
        ],
        (_, Field::As) => {
            DISPOSITIONS.iter().map(|needs| plain(needs.word, &needs.word.replace('-', " "))).collect()
        }
        _ => Vec::new(),
    }
}

/// The three answers. `Hold it` stands first.
fn answers(form: &Form, case: Case<'_>) -> Vec<Choice> {
    let answer = |key: &str, words: &str, said: Result<Decision, Refusal>| match said {
        Ok(decision) => {
            let second = if decision.waits() { "; a second person has to agree" } else { "" };
            Choice {
                key: key.to_owned(),
                words: words.to_owned(),
                why: format!("{}{second}", basis(&decision)),
                possible: true,
                proven: !matches!(decision.basis, Basis::Override),
                code: "",
            }
        }
        Err(refusal) => Choice {
            key: key.to_owned(),
            words: words.to_owned(),
            why: not_possible(&refusal),
            possible: false,
            proven: false,
            code: refusal.code.word(),
        },
    };
    let hold = Choice {
        key: HOLD.to_owned(),
        words: "Hold it, with owner and deadline".to_owned(),
        why: "always possible, costs nothing".to_owned(),
        possible: true,
        ..Choice::default()
    };
    vec![
        hold,
        answer("failed", "No, it did not happen", decide::answer(form, case, State::Failed)),
        answer("confirmed", "Yes, it happened", decide::answer(form, case, State::Confirmed)),
    ]
}

/// What a decision rests on, in few words.
fn basis(decision: &Decision) -> String {
    match &decision.basis {
        Basis::Row(_) if decision.acknowledged.is_empty() => "the row is there, as intended".to_owned(),
        Basis::Row(_) => "the row is there; what differs has to be ticked".to_owned(),
        Basis::Copy(_) => "only a copy has the row".to_owned(),
        Basis::Read(id, _) => format!("{id} shows it"),
        Basis::Absence => "the provider's list proves it".to_owned(),
        Basis::Override => "without proof, on your word".to_owned(),
    }
}

/// Why an answer is not possible, in few words.
pub fn not_possible(refusal: &Refusal) -> String {
    match refusal.code {
        Code::ConfEvid => "not possible, nobody has seen it".to_owned(),
        Code::FailCover => "not proven yet".to_owned(),
        Code::FailPresent => "not possible, a row is there or on its way".to_owned(),
        Code::ConfDiffers | Code::ConfDup => "what is there differs: decide it by itself".to_owned(),
        Code::ReopenFirst => "settled already: reopen it first".to_owned(),
        Code::ViaUnknown => "still waiting for its answer".to_owned(),
        Code::Bulk if refusal.because.starts_with("from the high") => {
            "above the limit: decide it by itself".to_owned()
        }
        _ => refusal.because.clone(),
    }
}

fn many_answers(form: &Form, case: Case<'_>) -> Vec<Choice> {
    let able = form.facts.iter().filter(|facts| {
        let mut asked = decide::one_of_many(form, case, facts);
        if form.value(Field::Answer) != "confirmed" {
            asked = confirmed_of_many(form, case, facts);
        }
        asked.is_ok()
    });
    let count = able.count();
    vec![
        Choice {
            key: "confirmed".to_owned(),
            words: "Yes, they happened".to_owned(),
            why: format!("{count} of {}", form.facts.len()),
            possible: count > 0,
            proven: count > 0,
            code: if count > 0 { "" } else { Code::Bulk.word() },
        },
        Choice {
            key: "failed".to_owned(),
            words: "No, they did not".to_owned(),
            why: "never for many at once".to_owned(),
            possible: false,
            proven: false,
            code: Code::Bulk.word(),
        },
        Choice {
            key: HOLD.to_owned(),
            words: "Hold them".to_owned(),
            why: "needs owner and deadline".to_owned(),
            possible: true,
            ..Choice::default()
        },
    ]
}

fn confirmed_of_many(
    form: &Form,
    case: Case<'_>,
    facts: &crate::lifecycle::facts::Facts,
) -> Result<(), Refusal> {
    let mut other = Form::new(Dialog::Many, Subject::Many(Vec::new()), 0);
    other.looked.clone_from(&form.looked);
    other.set(Field::Answer, "confirmed");
    decide::one_of_many(&other, case, facts)
}

/// Rows that can be tied, taken away or rejected.
fn rows(form: &Form, case: Case<'_>) -> Vec<Choice> {
    let Some(view) = form.view() else { return Vec::new() };
    let named = |row: &EffectView| {
        let source = case.sources.get(row.source).map(|s| s.id.clone()).unwrap_or_default();
        format!("{source}/{}", row.id)
    };
    let amount =
        |row: &EffectView| row.amount.map(|m| format!(", {}", case.units.show(m))).unwrap_or_default();
    let one = |verb: &str, words: &str, row: &EffectView| Choice {
        key: format!("{verb}:{}", named(row)),
        words: format!("{words} {}{}", named(row), amount(row)),
        possible: true,
        ..Choice::default()
    };
    let with_id =
        |rows: &'_ [EffectView]| rows.iter().filter(|r| !r.id.is_empty()).cloned().collect::<Vec<_>>();
    let mut all = Vec::new();
    for row in with_id(&view.open_rows) {
        all.push(one("link", "It is a row of this: tie", &row));
        all.push(one("reject", "It is not a row of this: reject", &row));
    }
    for row in with_id(&view.effects) {
        all.push(one("unlink", "Take away", &row));
    }
    all
}

/// The short id, or the count, that has to be typed; `None` where nothing has to.
pub fn to_type(form: &Form, case: Case<'_>) -> Option<String> {
    if form.dialog == Dialog::Many {
        let count = decide::possible(form, case).len();
        return (count > 0).then(|| count.to_string());
    }
    let releases = match form.dialog {
        Dialog::Resolve => form.value(Field::Answer) != HOLD,
        Dialog::Answer => form.value(Field::Answer) == AGREE,
        Dialog::Accept => true,
        Dialog::Rows => form.value(Field::Row).starts_with("unlink:"),
        Dialog::Dispose => {
            let word = form.value(Field::As);
            DISPOSITIONS.iter().any(|needs| needs.word == word && needs.writes_off)
        }
        _ => false,
    };
    (releases && decide::is_high(form, case)).then(|| short_id(form, case)).filter(|id| !id.is_empty())
}

/// The last four to six characters of an id that tell it apart.
fn short_id(form: &Form, case: Case<'_>) -> String {
    let id = form.view().map(|view| view.intent_id.as_str()).unwrap_or_default();
    let letters: Vec<char> = id.chars().filter(char::is_ascii_alphanumeric).collect();
    let most = if case.ends_alike { 6 } else { 4 };
    // A short one is typed whole.
    if id.chars().count() <= 6 {
        return id.to_owned();
    }
    letters.iter().skip(letters.len().saturating_sub(most)).collect()
}

/// Number of the entry that the order will be: a first record of the intent stands before it.
pub fn next_entry(form: &Form) -> i64 {
    let next = form.book().map_or(0, |looked| looked.next);
    let records = !matches!(
        form.dialog,
        Dialog::Note
            | Dialog::Read
            | Dialog::Manual
            | Dialog::Deliver
            | Dialog::Answer
            | Dialog::Accept
            | Dialog::Withdraw
    );
    let new = records && form.booked().is_some_and(|booked| booked.version == 0);
    next + i64::from(new)
}

/// Words of the button.
pub fn button(form: &Form, case: Case<'_>) -> String {
    let next = next_entry(form);
    match form.dialog {
        Dialog::Many => format!("Write {}", decide::possible(form, case).len()),
        _ if waits(form, case) => "Write the request".to_owned(),
        _ => format!("Write entry {next}"),
    }
}

/// A second person has to agree to it.
pub fn waits(form: &Form, case: Case<'_>) -> bool {
    if form.dialog == Dialog::Resolve {
        let to = State::from_word(&form.value(Field::Answer));
        return to.is_some_and(|to| decide::answer(form, case, to).is_ok_and(|d| d.waits()));
    }
    decide::verdict(form, case).is_ok_and(|people| people > 1)
}

/// What is written: the command that a person would type.
pub fn order(form: &Form, case: Case<'_>) -> Order {
    let id = form.view().map(|view| view.intent_id.clone()).unwrap_or_default();
    let seq = form.booked().and_then(|b| b.pending.as_ref()).map_or(0, |p| p.seq).to_string();
    let own = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
    let answer = form.value(Field::Answer);
    let asks = waits(form, case);
    let mut words = match form.dialog {
        Dialog::Resolve if answer == HOLD => own(&["escalate", &id]),
        Dialog::Resolve => own(&[if asks { "request" } else { "resolve" }, &id, "--to", &answer]),
        Dialog::Reopen => own(&["reopen", &id]),
        Dialog::Hold | Dialog::Deliver => own(&["escalate", &id]),
        Dialog::Assign => own(&["assign", &id]),
        Dialog::Note => own(&["note", &id]),
        Dialog::Rows => {
            let chosen = form.value(Field::Row);
            let (verb, row) = chosen.split_once(':').unwrap_or_default();
            if verb == "unlink" { own(&[verb, row]) } else { own(&[verb, row, &id]) }
        }
        Dialog::Read => own(&["readback", &id]),
        Dialog::Manual => own(&["readback", &id, "--manual"]),
        Dialog::Dispose => own(&["disposition", &id, "--as", &form.value(Field::As)]),
        Dialog::Answer if answer == AGREE => match form.value(Field::Looked).strip_prefix("read:") {
            Some(source) => own(&["approve", &seq, "--source", source]),
            None => own(&["approve", &seq, "--relied-on-evidence"]),
        },
        Dialog::Answer => own(&["deny", &seq]),
        Dialog::Accept => own(&["accept", form.value(Field::File).trim()]),
        Dialog::Waiting | Dialog::Withdraw => own(&["withdraw", &seq]),
        Dialog::Many if answer == HOLD => own(&["bulk escalate"]),
        Dialog::Many => own(&["bulk resolve", "--to", &answer]),
    };
    for field in fields(form, case) {
        let row = field.row();
        let value = form.value(field);
        if row.option.is_empty() || value.trim().is_empty() || matches!(field, Field::As) {
            continue;
        }
        match (row.kind, field) {
            (_, Field::Override) => words.push(row.option.to_owned()),
            (Kind::Ticks, _) | (_, Field::Evidence) => {
                for one in value.split_whitespace() {
                    words.extend([row.option.to_owned(), one.to_owned()]);
                }
            }
            // A value that begins with a dash is no option.
            _ => words.push(format!("{}={}", row.option, value.trim())),
        }
    }
    let seen =
        form.fact().filter(|_| !matches!(form.dialog, Dialog::Answer | Dialog::Accept | Dialog::Withdraw));
    let many = match form.dialog {
        Dialog::Many => decide::possible(form, case)
            .into_iter()
            .filter_map(|at| form.facts.get(at))
            .map(|facts| (facts.intent_id.clone(), facts.fingerprint.clone()))
            .collect(),
        _ => Vec::new(),
    };
    Order {
        words,
        seen: seen.map(|facts| (facts.version, facts.fingerprint.clone())),
        file: (form.dialog == Dialog::Resolve && asks).then(|| format!("{id}.request.json")),
        many,
        subject: id,
    }
}
