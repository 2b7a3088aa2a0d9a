//! Events become rows: calls, records, changes of state, read-backs, ledger rows.

use super::Builder;
use crate::load::reading::SourceReading;
use crate::load::run::used;
use crate::load::slice::{BadRow, Loose, Noise, Problem, Rank, Start};
use crate::model::ids::normalise;
use crate::model::money::{Amount, Money};
use crate::model::row::{
    At, Effect, Name, ReadBack, Record, Relation, Seen, Shared, SourceNo, State, StateChange, Status, Text,
    attempt_flag, effect_flag, record_flag,
};
use crate::model::time::{Instant, Micros, Zone};
use crate::model::units::Unit;
use crate::sources::event::{
    AmountField, AttemptEvent, EffectEvent, Half, ProblemEvent, ReadBackEvent, RecordEvent, RunEvent, Sink,
    StateEvent, code,
};
use crate::sources::spec::Negative;

/// An amount as it stands, as much of it as is shown.
fn written(amount: Option<&AmountField<'_>>) -> String {
    match amount {
        Some(AmountField::Major(t) | AmountField::Minor(t) | AmountField::Real(t)) => {
            t.chars().take(64).collect()
        }
        None => String::new(),
    }
}

impl Sink for Builder<'_> {
    fn run(&mut self, at: At, event: &RunEvent<'_>) {
        self.tally(at.source()).used += 1;
        if let Some(id) = event.run_id.as_deref() {
            let tables = &self.cx.tables;
            let run = self.runs.get(id, |id| tables.with(|t| t.run(id)));
            self.out.learn_run(run, event.agent.as_deref(), event.model.as_deref());
            let scenario = event.scenario.as_deref().unwrap_or_default().to_owned();
            self.out.scenarios.push((run, scenario, at));
        }
    }

    fn attempt(&mut self, at: At, event: &AttemptEvent<'_>) {
        self.tally(at.source()).used += 1;
        if event.half == Half::End {
            return self.end(at, event);
        }
        let source = self.source(at.source());
        let tool = self.tool_of(event);
        let outcome = self.outcome(tool, event, at);
        let mut row = self.attempt_row(at, event, tool, outcome);
        let window =
            (Instant { at: row.sent, res: row.sent_res }, Instant { at: row.ended, res: row.ended_res });
        self.tally(at.source()).attempt(window.0, window.1);

        let key = event.key.as_deref().filter(|k| !k.is_empty()).map(|k| normalise(k, &source.normalise));
        let key = key.as_deref();
        let receipt = event.receipt.as_deref().filter(|r| !r.is_empty());
        let id = event.operation_id.as_deref().filter(|id| !id.is_empty());
        let by_intent =
            event.intent_id.as_deref().filter(|id| !id.is_empty() && event.operation_id.is_none());
        row.receipt = receipt.map_or(Text::NONE, |r| self.keep(r));
        self.out.receipts |= row.receipt.is_some();
        self.out.by_intent_id |= by_intent.is_some();
        if row.id != 0 {
            self.out.attempt_ids.push(row.id);
        }
        let tally = self.tally(at.source());
        tally.call(tool);
        tally.declared_reads += u64::from(row.is(attempt_flag::READ));
        if row.is(attempt_flag::AMOUNT) {
            tally.unit(row.unit);
        }
        if row.part.is_some() && !tally.parts.contains(&row.part) {
            tally.parts.push(row.part);
        }
        let Some(id) = id.or(by_intent) else {
            let (business, party) =
                self.keep_who(Name::NONE, event.business_id.as_deref(), event.party.as_deref());
            row.business = business;
            row.party = party;
            row.key = key.map_or(Text::NONE, |k| self.keep(k));
            if event.half == Half::Start {
                self.start(at, event, self.out.loose.len(), true);
            }
            let args = event.payload.and_then(crate::load::args::grouping_form);
            self.out.loose.push(Loose { row, args, key: key.map(str::to_owned) });
            return;
        };
        if by_intent.is_some() {
            row.flags |= attempt_flag::BY_INTENT_ID;
        }
        row.name = self.name(id, source, (Rank::Row, at));
        match key {
            Some(key) if self.is_name(row.name, key) => row.flags |= attempt_flag::KEY_IS_NAME,
            Some(key) => row.key = self.keep(key),
            None => {}
        }
        let (business, party) = self.keep_who(row.name, event.business_id.as_deref(), event.party.as_deref());
        row.business = business;
        row.party = party;
        if event.half == Half::Start {
            self.start(at, event, self.attempts.len(), false);
        }
        self.mark(row.name, used::CALL);
        self.attempts.push(row);
    }

    fn record(&mut self, at: At, event: &RecordEvent<'_>) {
        self.tally(at.source()).used += 1;
        let source = self.source(at.source());
        let amount = self.amount(event.amount.as_ref(), event.currency.as_deref(), source);
        let (count, mut bad) = super::expected::count(event);
        let mut flags = 0;
        if event.from_file {
            flags |= record_flag::FILE;
        }
        if amount.known {
            flags |= record_flag::TOTAL;
        }
        if amount.minor_without_unit {
            flags |= record_flag::MINOR;
        }
        if count.is_some() {
            flags |= record_flag::COUNT;
        }
        let id = event.operation_id.as_deref().filter(|id| !id.is_empty());
        let name = match (id, event.intent_id.as_deref().filter(|_| !event.from_file)) {
            (Some(id), _) | (None, Some(id)) => {
                let rank = if event.from_file { Rank::File } else { Rank::Record };
                self.name(id, source, (rank, at))
            }
            (None, None) => {
                flags |= record_flag::LOOSE;
                Name::NONE
            }
        };
        bad.extend(amount.bad.map(|why| format!("the expected amount {why}")));
        bad.extend(self.bad_accept(event, source));
        for what in bad {
            let code = code::UNREADABLE_LINE;
            self.problem(at, ProblemEvent { code, what, bytes: 0, affects_result: true });
        }
        let (business, party) = self.keep_who(name, event.business_id.as_deref(), event.party.as_deref());
        let key = event.key.as_deref().map(|k| normalise(k, &source.normalise));
        let raw = |raw: Option<&[u8]>| raw.and_then(|r| std::str::from_utf8(r).ok()).map(str::to_owned);
        let (accept, attrs) = (raw(event.accept), raw(event.attrs));
        if amount.known {
            self.tally(at.source()).unit(amount.unit);
        }
        let record = Record {
            amount: amount.digits,
            recorded: self.time(&event.ts, source.zone, at.source()).at,
            deadline: self.time(&event.deadline, source.zone, at.source()).at,
            at,
            name,
            intent_id: self.keep_field(&event.intent_id),
            business,
            party,
            kind: self.keep_field(&event.kind),
            key: key.map_or(Text::NONE, |k| self.keep(&k)),
            parent: self.keep_field(&event.parent_id),
            accept: accept.map_or(Text::NONE, |t| self.keep(&t)),
            attrs: attrs.map_or(Text::NONE, |t| self.keep(&t)),
            min: count.map_or(1, |(min, _)| min),
            max: count.map_or(1, |(_, max)| max),
            unit: if amount.known { amount.unit } else { Unit::NONE },
            scale: amount.scale,
            relation: event.relation.as_deref().and_then(Relation::from_word),
            flags,
        };
        self.mark(record.name, used::CALL);
        self.records.push(record);
    }

    fn state(&mut self, at: At, event: &StateEvent<'_>) {
        self.tally(at.source()).used += 1;
        let source = self.source(at.source());
        let Some(to) = event.to.as_deref().and_then(State::from_word) else {
            return;
        };
        let (name, intent_id) =
            self.named(event.operation_id.as_deref(), event.intent_id.as_deref(), source, at);
        let change = StateChange {
            when: self.time(&event.ts, source.zone, at.source()).at,
            deadline: self.time(&event.deadline, source.zone, at.source()).at,
            at,
            intent_id,
            name,
            from: event.from.as_deref().and_then(State::from_word),
            to,
        };
        self.states.push(change);
    }

    fn read_back(&mut self, at: At, event: &ReadBackEvent<'_>) {
        self.tally(at.source()).used += 1;
        let source = self.source(at.source());
        let (name, intent_id) =
            self.named(event.operation_id.as_deref(), event.intent_id.as_deref(), source, at);
        let read = ReadBack {
            when: self.time(&event.ts, source.zone, at.source()).at,
            at,
            intent_id,
            name,
            source: self.keep_field(&event.source),
            seen: event.result.as_deref().and_then(Seen::from_word).unwrap_or(Seen::Unreadable),
        };
        self.reads.push(read);
    }

    fn effect(&mut self, at: At, event: &EffectEvent<'_>) {
        let source = self.source(at.source());
        let zone = if event.committed_utc { Zone::Utc } else { source.zone };
        let committed = self.time(&event.committed, zone, at.source());
        let outside = !source.in_time(committed);
        if outside {
            self.tally(at.source()).out_of_time += 1;
            if !self.cx.cuts_calls {
                return;
            }
        }
        let (amount, cost) = self.moved(event, source);
        // Who called for it is known only when all is read.
        let (mut digits, mut flags) =
            (amount.digits, if outside { effect_flag::OUTSIDE | effect_flag::DROPPED } else { 0 });
        let below_zero = amount.known && digits < 0;
        if amount.known {
            flags |= effect_flag::AMOUNT;
        }
        if let Some(bad) = amount.bad {
            flags |= effect_flag::AMOUNT_BAD;
            let written = written(event.amount.as_ref());
            if !outside {
                self.out.bad_rows.push(BadRow { at, text: written, bad });
            }
        }
        if amount.minor_without_unit {
            flags |= effect_flag::MINOR;
        }
        if !event.in_scope {
            flags |= effect_flag::FILTERED;
        }
        if event.of_run || source.scope_run {
            flags |= effect_flag::OF_RUN;
        }
        let reverses = event.reverses.as_deref().filter(|r| !r.is_empty());
        let kind_word = event.kind.as_deref().filter(|k| !k.is_empty());
        let mut status = source.words.status(event.status.as_deref());
        if status.1 {
            flags |= effect_flag::STATUS_UNKNOWN;
            self.tally(at.source()).unknown_status_words += u64::from(!outside);
        }
        let is_reversal = reverses.is_some() || kind_word.is_some_and(is_reversal_word);
        if is_reversal {
            flags |= effect_flag::REVERSAL;
            if kind_word.is_some_and(|k| k.contains("failed") || k.contains("returned")) {
                status.0 = Status::NotAnEffect;
            }
        }
        if below_zero {
            digits = digits.saturating_abs();
            match (is_reversal, source.negative_is.or(event.negative_is)) {
                (true, _) | (_, Some(Negative::Effect)) => {}
                (_, Some(Negative::Reversal)) => flags |= effect_flag::REVERSAL,
                _ => flags |= effect_flag::NEGATIVE,
            }
        } else if amount.known && digits > 0 && !is_reversal {
            self.tally(at.source()).positive += u64::from(!outside);
        }
        let tables = &self.cx.tables;
        let kind = kind_word
            .or(source.kind.as_deref())
            .map_or(Shared::NONE, |k| self.kinds.get(k, |k| tables.with(|t| t.kinds.intern(k))));
        let part = event
            .part
            .as_deref()
            .map_or(source.part, |p| self.parts.get(p, |p| tables.with(|t| t.parts.intern(p))));
        let id = event.operation_id.as_deref().filter(|id| !id.is_empty());
        let key = event.key.as_deref().filter(|k| !k.is_empty()).map(|k| normalise(k, &source.normalise));
        let key = key.as_deref();
        let name = id.map_or(Name::NONE, |id| self.name(id, source, (Rank::Row, at)));
        self.out.keys |= key.is_some();
        if key.is_some_and(|key| self.is_name(name, key)) {
            flags |= effect_flag::KEY_IS_NAME;
        }
        let (business, party) = self.keep_who(name, event.business_id.as_deref(), event.party.as_deref());
        let row = Effect {
            committed: committed.at,
            amount: digits,
            at,
            name,
            id: self.keep_field(&event.effect_id),
            business,
            party,
            key: key.filter(|_| flags & effect_flag::KEY_IS_NAME == 0).map_or(Text::NONE, |k| self.keep(k)),
            external: self.keep_field(&event.external_ref),
            reverses: reverses.map_or(Text::NONE, |r| self.keep(r)),
            class: self.classes.get(kind, part, tables),
            unit: amount.unit,
            scale: amount.scale,
            res: committed.res,
            status: status.0,
            flags,
        };
        self.stamp(at, event, committed, zone);
        let derived = event.derived_key.as_deref().filter(|d| !d.is_empty());
        if let Some(derived) = derived {
            self.out.derived.push((at, derived.to_owned()));
        }
        let no_link = !name.is_some()
            && !row.id.is_some()
            && key.is_none()
            && derived.is_none()
            && !row.business.is_some()
            && !row.external.is_some()
            && !outside;
        let late = self.cx.latest;
        let tally = self.out.tally(at.source());
        if !outside {
            tally.row(&row, part, below_zero, late);
            tally.cost(cost);
        }
        if let Some(position) = event.position.as_deref() {
            tally.position = tally.position.max(position.parse().ok());
        }
        if no_link && flags & effect_flag::OF_RUN == 0 {
            tally.unlinkable += 1;
            self.out.unlinkable.push(at);
        }
        if let Some(id) = event.effect_id.as_deref().filter(|id| !id.is_empty()) {
            self.out.effect_ids.push(self.cx.effect_print(id.as_bytes(), at.source()));
        }
        if event.whole != 0 {
            self.out.wholes.push((event.whole, at));
        }
        self.mark(row.name, used::ROW);
        self.effects.push(row);
    }

    fn set_aside(&mut self, at: At, rule: &'static str, event: &EffectEvent<'_>) {
        let source = self.source(at.source());
        let committed = self.time(&event.committed, source.zone, at.source());
        if !source.in_time(committed) {
            self.tally(at.source()).out_of_time += 1;
            return;
        }
        let (amount, cost) = self.moved(event, source);
        let tables = &self.cx.tables;
        let part = event
            .part
            .as_deref()
            .map_or(source.part, |p| self.parts.get(p, |p| tables.with(|t| t.parts.intern(p))));
        let below_zero = amount.known && amount.digits < 0;
        let digits = amount.digits.saturating_abs();
        let money = Money { unit: amount.unit, amount: Amount { digits, scale: amount.scale } };
        let late = self.cx.latest;
        let tally = self.tally(at.source());
        tally.aside(rule);
        tally.listed(amount.known.then_some(money), amount.minor_without_unit, below_zero);
        tally.cost(cost);
        tally.timed_row(committed, part, late);
    }

    fn problem(&mut self, at: At, event: ProblemEvent) {
        let tally = self.tally(at.source());
        tally.problems += 1;
        tally.line_problems += 1;
        tally.damaged += u64::from(event.code == code::UNREADABLE_ROW && event.affects_result);
        if event.affects_result {
            tally.unreadable += 1;
        }
        if self.out.problems.len() < Problem::KEPT {
            self.out.problems.push(Problem { at, event });
        }
    }

    fn skipped(&mut self, source: SourceNo, rule: &'static str) {
        let tally = self.tally(source);
        tally.skipped += 1;
        tally.skip(rule);
    }

    fn used(&mut self, source: SourceNo) {
        self.tally(source).used += 1;
    }

    fn skipped_line(&mut self, at: At, rule: &'static str, line: &[u8]) {
        self.skipped(at.source(), rule);
        if self.out.noise.len() < Noise::KEPT {
            let text = String::from_utf8_lossy(line.get(..line.len().min(Noise::BYTES)).unwrap_or(line));
            self.out.noise.push(Noise { at, text: text.into_owned(), bytes: line.len() as u64 });
        }
    }
}

impl Builder<'_> {
    /// Remembers when the state of an effect was so, where the format says it.
    fn stamp(&mut self, at: At, event: &EffectEvent<'_>, committed: Instant, zone: Zone) {
        if event.changed.is_some() || event.stage > 0 {
            let changed = self.time(&event.changed, zone, at.source());
            let since = if changed.at == Micros::NONE { committed.at } else { changed.at };
            self.out.stamps.push((at, (since, event.stage)));
        }
    }

    fn start(&mut self, at: At, event: &AttemptEvent<'_>, row: usize, loose: bool) {
        let Some(id) = event.attempt_id.as_deref() else {
            return;
        };
        let text = self.keep(id);
        let print = self.print(id.as_bytes());
        let Ok(row) = u32::try_from(row) else { return };
        self.open.entry(print).or_insert(self.out.starts.len() as u32);
        self.out.starts.push(Start { id: text, at, row, loose });
    }

    fn named(
        &mut self,
        operation: Option<&str>,
        intent: Option<&str>,
        source: &SourceReading,
        at: At,
    ) -> (Name, Text) {
        match (operation.filter(|t| !t.is_empty()), intent.filter(|t| !t.is_empty())) {
            (Some(id), _) => (self.name(id, source, (Rank::Row, at)), Text::NONE),
            (None, Some(id)) => (Name::NONE, self.keep(id)),
            (None, None) => (Name::NONE, Text::NONE),
        }
    }
}

/// Kind words that say "reversal" (`1-model.md` 1.4.5).
pub const REVERSAL_WORDS: [&str; 6] =
    ["reversal", "reversed", "void", "storno", "refund_of_refund", "refund_reversal"];

fn is_reversal_word(kind: &str) -> bool {
    REVERSAL_WORDS.iter().any(|w| {
        w.eq_ignore_ascii_case(kind) || {
            // "reversal_failed", "void returned": a reversal that came back.
            let head = kind.split(['_', ' ', '-', ':']).next().unwrap_or(kind);
            (kind.contains("failed") || kind.contains("returned")) && w.eq_ignore_ascii_case(head)
        }
    })
}
