//! A small language for histories: calls, rows, records, and what the ledger covers.

use crate::judge::facts::{
    Facts, Idempotent, Meaning, Read, Receipt, Role, Row, RunKind, Setting, Source, Ties, Tool, Try, link,
};
use crate::judge::findings::{self, FINDINGS};
use crate::judge::judge;
use crate::judge::judgement::Judgement;
use crate::judge::reduce::tally;
use crate::model::money::{Amount, Money};
use crate::model::outcome::Outcome;
use crate::model::row::{
    At, Attempt, Effect, Name, Record, Seen, Shared, SourceNo, State, StateChange, Status, Text,
    attempt_flag, effect_flag, record_flag,
};
use crate::model::time::{HOUR, MINUTE, Micros, Res, SECOND};
use crate::model::units::{Unit, Units, iso};

/// First send of every history.
pub const T0: Micros = Micros(1_796_028_058_000_000);
/// Ledger of every history.
pub const LEDGER: SourceNo = SourceNo(1);
/// Tool of every history.
pub const TOOL: Shared = Shared(1);

pub fn usd() -> Unit {
    iso("USD").unwrap()
}

pub fn eur() -> Unit {
    iso("EUR").unwrap()
}

pub fn cents(minor: i64) -> Money {
    Money::new(usd(), Amount::minor(minor, 2))
}

/// A [`Try`] that owns its row.
#[derive(Clone, Copy)]
pub struct OwnTry {
    pub row: Attempt,
    pub key: u32,
    pub payload: u32,
    pub receipt: Receipt,
}

/// A [`Row`] that owns its row.
#[derive(Clone, Copy)]
pub struct OwnRow {
    pub row: Effect,
    pub links: u16,
    pub ident: u32,
    pub external: u32,
    pub reverses: Option<u32>,
}

/// One history with its ledger.
#[derive(Clone)]
pub struct Case {
    pub record: Option<Record>,
    pub file: Option<Record>,
    pub accept: Vec<Money>,
    pub states: Vec<StateChange>,
    pub tries: Vec<OwnTry>,
    pub rows: Vec<OwnRow>,
    pub reads: Vec<Read>,
    pub ties: Ties,
    pub setting: Setting,
    /// Amount of the next calls and rows.
    pub amount: Option<Money>,
}

pub fn source(meaning: Meaning) -> Source {
    Source {
        meaning,
        logical: 0,
        counts: matches!(meaning, Meaning::MovesMoney | Meaning::Part),
        role: Role::Authority,
        can_prove_absence: true,
        snapshot_rule: false,
        read_at: Some(T0.plus(30 * SECOND)),
        read_at_is_newest: false,
        newest: Some(T0.plus(30 * SECOND)),
        from: Some(T0.plus(-HOUR)),
        replayed: None,
        complete: true,
        went_back: false,
        gaps: Vec::new(),
        holds: Vec::new(),
        part: Shared::NONE,
        skew: SECOND,
        has_rows: true,
        readable: true,
        factor_hint: false,
        damaged: 0,
    }
}

fn tool(idempotent: Idempotent) -> Tool {
    Tool {
        read: false,
        idempotent,
        retention: None,
        timeout: 30 * SECOND,
        settle: MINUTE,
        recorded_by: vec![LEDGER],
    }
}

fn setting(idempotent: Idempotent) -> Setting {
    Setting {
        now: T0.plus(20 * MINUTE),
        client_skew: 2 * SECOND,
        sources: vec![source(Meaning::NotALedger), Source { logical: 1, ..source(Meaning::MovesMoney) }],
        tools: vec![tool(Idempotent::Unknown), tool(idempotent)],
        any_ledger: true,
        final_by_declaration: false,
        trace_complete: false,
        intents_complete: false,
        high_value: Vec::new(),
        runs: vec![RunKind::Unknown, RunKind::Model, RunKind::Script],
        tolerance: 0,
    }
}

pub fn a_record(flags: u8, total: Option<Money>) -> Record {
    Record {
        amount: total.map_or(0, |t| t.amount.digits),
        recorded: T0.plus(-SECOND),
        deadline: Micros::NONE,
        at: At::new(SourceNo(0), 0),
        name: Name(0),
        intent_id: Text(0),
        business: Text::NONE,
        party: Text::NONE,
        kind: Text::NONE,
        key: Text::NONE,
        parent: Text::NONE,
        accept: Text::NONE,
        attrs: Text::NONE,
        min: 1,
        max: 1,
        unit: total.map_or(Unit::NONE, |t| t.unit),
        scale: total.map_or(0, |t| t.amount.scale),
        relation: None,
        flags: flags | if total.is_some() { record_flag::TOTAL } else { 0 },
    }
}

impl Case {
    /// A recorded intent of USD 200.00 and a tool that is declared unsafe.
    pub fn recorded() -> Self {
        let mut case = Self::derived();
        case.record = Some(a_record(0, Some(cents(20_000))));
        case.idempotent(Idempotent::No)
    }

    /// A trace and a ledger only, tool not declared, calls of USD 200.00.
    pub fn derived() -> Self {
        Self {
            record: None,
            file: None,
            accept: Vec::new(),
            states: Vec::new(),
            tries: Vec::new(),
            rows: Vec::new(),
            reads: Vec::new(),
            ties: Ties::default(),
            setting: setting(Idempotent::Unknown),
            amount: Some(cents(20_000)),
        }
    }

    pub fn idempotent(mut self, idempotent: Idempotent) -> Self {
        self.setting.tools[1].idempotent = idempotent;
        self
    }

    /// Changes whatever has no word of its own.
    pub fn with(mut self, change: impl FnOnce(&mut Self)) -> Self {
        change(&mut self);
        self
    }

    /// Amount of what follows.
    pub fn of(mut self, money: Option<Money>) -> Self {
        self.amount = money;
        self
    }

    pub fn total(mut self, total: Option<Money>) -> Self {
        self.record = Some(Record { min: 1, max: 1, ..a_record(0, total) });
        self
    }

    pub fn count(mut self, min: u32, max: u32) -> Self {
        let record = self.record.as_mut().unwrap();
        (record.min, record.max) = (min, max);
        record.flags |= record_flag::COUNT;
        self
    }

    pub fn in_file(mut self, total: Option<Money>, count: Option<(u32, u32)>) -> Self {
        let mut record = a_record(record_flag::FILE, total);
        if let Some((min, max)) = count {
            (record.min, record.max) = (min, max);
            record.flags |= record_flag::COUNT;
        }
        self.file = Some(record);
        self
    }

    /// A call: each is sent ten seconds after the one before and takes two.
    pub fn call(mut self, outcome: Outcome) -> Self {
        let no = i64::try_from(self.tries.len()).unwrap();
        let sent = T0.plus(no * 10 * SECOND);
        let row = Attempt {
            sent,
            ended: sent.plus(2 * SECOND),
            amount: self.amount.map_or(0, |m| m.amount.digits),
            payload: 0,
            id: 0,
            at: At::new(SourceNo(0), u64::try_from(no).unwrap() + 1),
            name: Name(0),
            key: Text::NONE,
            business: Text::NONE,
            party: Text::NONE,
            receipt: Text::NONE,
            decision: 0,
            end_after: 0,
            run: Shared::NONE,
            tool: TOOL,
            part: Shared::NONE,
            unit: self.amount.map_or(Unit::NONE, |m| m.unit),
            scale: self.amount.map_or(0, |m| m.amount.scale),
            sent_res: Res::Micro,
            ended_res: Res::Micro,
            outcome,
            flags: if self.amount.is_some() { attempt_flag::AMOUNT } else { 0 },
        };
        self.tries.push(OwnTry { row, key: 1, payload: 0, receipt: Receipt::None });
        self
    }

    pub fn ok(self) -> Self {
        self.call(Outcome::Success)
    }

    pub fn lost(self) -> Self {
        self.call(Outcome::ResponseLost)
    }

    pub fn refused(self) -> Self {
        self.call(Outcome::Rejected)
    }

    /// A call that has not ended.
    pub fn open(self) -> Self {
        self.call(Outcome::Missing)
            .last_call(|t| (t.row.ended, t.row.ended_res) = (Micros::NONE, Res::Unreadable))
    }

    pub fn last_call(mut self, change: impl FnOnce(&mut OwnTry)) -> Self {
        change(self.tries.last_mut().unwrap());
        self
    }

    pub fn keys(mut self, keys: &[u32]) -> Self {
        for (t, key) in self.tries.iter_mut().zip(keys) {
            t.key = *key;
        }
        self
    }

    /// A row of the ledger, one second after the call of the same number.
    pub fn row(mut self) -> Self {
        let no = u32::try_from(self.rows.len()).unwrap();
        let row = Effect {
            committed: T0.plus(SECOND + i64::from(no) * 10 * SECOND),
            amount: self.amount.map_or(0, |m| m.amount.digits),
            at: At::new(LEDGER, u64::from(no)),
            name: Name(0),
            id: Text(no),
            business: Text::NONE,
            party: Text::NONE,
            key: Text::NONE,
            external: Text::NONE,
            reverses: Text::NONE,
            class: crate::model::row::Class::default(),
            unit: self.amount.map_or(Unit::NONE, |m| m.unit),
            scale: self.amount.map_or(0, |m| m.amount.scale),
            res: Res::Micro,
            status: Status::Live,
            flags: if self.amount.is_some() { effect_flag::AMOUNT } else { 0 },
        };
        self.rows.push(OwnRow { row, links: link::OPERATION, ident: no, external: 0, reverses: None });
        self
    }

    pub fn last_row(mut self, change: impl FnOnce(&mut OwnRow)) -> Self {
        change(self.rows.last_mut().unwrap());
        self
    }

    pub fn status(self, status: Status) -> Self {
        self.last_row(|r| r.row.status = status)
    }

    pub fn pending(self) -> Self {
        self.row().status(Status::OnItsWay)
    }

    /// A reversal of that many cents, naming a row or none.
    pub fn reversal(self, of: Option<u32>, minor: i64) -> Self {
        let amount = self.amount;
        self.of(Some(cents(minor))).row().of(amount).last_row(|r| {
            r.row.flags |= effect_flag::REVERSAL;
            r.row.reverses = if of.is_some() { Text(99) } else { Text::NONE };
            r.reverses = of;
            r.row.committed = r.row.committed.plus(HOUR);
        })
    }

    /// A recorded change of state a minute after the last call.
    pub fn state(mut self, to: State) -> Self {
        let calls = i64::try_from(self.tries.len()).unwrap();
        self.states.push(StateChange {
            when: T0.plus(calls.max(1) * 10 * SECOND + MINUTE),
            deadline: Micros::NONE,
            at: At::new(SourceNo(0), 50),
            intent_id: Text(0),
            name: Name(0),
            from: None,
            to,
        });
        self
    }

    pub fn now(mut self, after_t0: i64) -> Self {
        self.setting.now = T0.plus(after_t0);
        self
    }

    /// The ledger was read late enough.
    pub fn covered(mut self) -> Self {
        let ledger = &mut self.setting.sources[1];
        ledger.read_at = Some(T0.plus(200 * HOUR));
        ledger.newest = Some(T0.plus(199 * HOUR));
        self
    }

    pub fn read_back(mut self, seen: Seen) -> Self {
        self.reads.push(Read { when: T0.plus(5 * MINUTE), seen, independent: true });
        self
    }

    pub fn facts(&self) -> Facts<'_> {
        let tries = self.tries.iter().map(|t| Try {
            row: &t.row,
            key: t.key,
            payload: t.payload,
            receipt: t.receipt,
        });
        let rows = self.rows.iter().map(|r| Row {
            row: &r.row,
            links: r.links,
            ident: r.ident,
            external: r.external,
            reverses: r.reverses,
        });
        Facts {
            record: self.record.as_ref(),
            file: self.file.as_ref(),
            accept: &self.accept,
            states: &self.states,
            // Cases of tests are short and few, so their slices may stay.
            tries: tries.collect::<Vec<_>>().leak(),
            rows: rows.collect::<Vec<_>>().leak(),
            reads: &self.reads,
            ties: self.ties,
        }
    }

    pub fn judge(&self) -> Judgement {
        judge(&self.facts(), &self.setting)
    }

    /// Findings with their numbers, in the order of the table.
    pub fn findings(&self) -> Vec<String> {
        let (facts, found) = (self.facts(), self.judge().found);
        let tally = tally(&facts, &self.setting);
        let with_number = |(bit, code): &(u64, &str)| match findings::number(*bit, &facts, &tally) {
            Some(n) => format!("{code}({n})"),
            None => (*code).to_owned(),
        };
        FINDINGS.iter().filter(|(bit, _)| found & bit != 0).map(with_number).collect()
    }
}

/// Money as the specification prints it in its tables: without commas between thousands.
pub fn shown(money: Option<Money>) -> String {
    money.map_or("-".to_owned(), |money| Units::default().show(money).replace(',', ""))
}
