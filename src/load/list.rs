//! The rows of the triage list, built when they are looked at (`2-judge.md` 2.8, `6-screens.md` 7.1.10, 7.1.11).

use std::collections::{HashMap, HashSet};

use crate::judge::findings;
use crate::judge::judgement::{Class, ExpectedFrom, Judgement, NotCompared};
use crate::judge::rules::Rule;
use crate::judge::severity;
use crate::judge::view::{IntentView, ListRow, OrphanView, RowKind};
use crate::judge::words;
use crate::model::money::{Money, Totals};
use crate::model::row::{SourceNo, State};
use crate::model::time::{Instant, Micros, clock};

use super::case::Case;
use super::group::Op;
use super::scope::OrphanGroup;

/// Rows without an attempt that are listed one by one; more of them are one line.
const APART_SINGLY: usize = 3;

/// What a row of the list stands for, by numbers only.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Entry {
    /// One intent, as a place in `Case::loud`.
    One(usize),
    /// A lineage chain or an account that is one row.
    Group(Vec<usize>),
    /// Intents that are not compared for one reason.
    NotCompared(Vec<usize>),
    /// Intents that fit by the account of their order.
    Fits(Vec<usize>),
    /// A possible double, or a single row, as a place in the groups of rows without an attempt.
    Apart(usize),
    /// More single rows than are listed.
    ApartMore,
    /// Rows outside the scope.
    Outside,
}

/// The list: loud rows, then the clean intents, then what stands apart.
#[derive(Clone, Debug, Default)]
pub struct List {
    /// Rows of intents that are not clean, or divergent.
    pub loud: Vec<Entry>,
    /// Rows without an attempt.
    pub apart: Vec<Entry>,
}

impl Case {
    /// The list, put together once.
    pub fn list(&self) -> &List {
        self.list.get_or_init(|| self.make_list())
    }

    fn make_list(&self) -> List {
        let mut list = List::default();
        let mut groups: HashMap<(bool, u32), usize> = HashMap::new();
        let mut not_compared: HashMap<(NotCompared, u16), usize> = HashMap::new();
        let mut fits: HashMap<u16, usize> = HashMap::new();
        for (no, loud) in self.loud.iter().enumerate() {
            let j = &loud.judgement;
            let known = if j.rule == Rule::R01 {
                Some(
                    not_compared
                        .entry((j.not_compared, loud.facet.tool_if_it_matters(j)))
                        .or_insert(list.loud.len()),
                )
            } else if let Some(group) = j.group {
                Some(groups.entry((j.rule == Rule::R08, group)).or_insert(list.loud.len()))
            } else if j.found & findings::FITS_BY_ORDER != 0 {
                Some(fits.entry(loud.facet.source).or_insert(list.loud.len()))
            } else {
                None
            };
            match known.map(|at| *at) {
                Some(at) if at < list.loud.len() => {
                    if let Some(Entry::NotCompared(m) | Entry::Group(m) | Entry::Fits(m)) =
                        list.loud.get_mut(at)
                    {
                        m.push(no);
                    }
                }
                Some(_) if j.rule == Rule::R01 => list.loud.push(Entry::NotCompared(vec![no])),
                Some(_) if j.group.is_some() => list.loud.push(Entry::Group(vec![no])),
                Some(_) => list.loud.push(Entry::Fits(vec![no])),
                None => list.loud.push(Entry::One(no)),
            }
        }
        for entry in &mut list.loud {
            if let Entry::NotCompared(m) | Entry::Group(m) | Entry::Fits(m) = entry
                && let [only] = m.as_slice()
            {
                *entry = Entry::One(*only);
            }
        }
        let doubles = self.apart.groups.iter().take_while(|g| g.possible_double).count();
        let singles = self.apart.groups.len() - doubles;
        list.apart.extend((0..doubles).map(Entry::Apart));
        if singles <= APART_SINGLY {
            list.apart.extend((doubles..self.apart.groups.len()).map(Entry::Apart));
        } else {
            list.apart.push(Entry::ApartMore);
        }
        if self.apart.outside > 0 {
            list.apart.push(Entry::Outside);
        }
        list
    }

    /// How many rows the list has.
    pub fn rows(&self) -> usize {
        let list = self.list();
        list.loud.len() + self.quiet.len() + list.apart.len()
    }

    /// What a row stands for.
    fn entry(&self, at: usize) -> Slot<'_> {
        let list = self.list();
        if let Some(entry) = list.loud.get(at) {
            return Slot::Entry(entry);
        }
        let at = at - list.loud.len();
        match self.quiet.in_order().get(at) {
            Some((_, op)) => Slot::Quiet(*op),
            None => list.apart.get(at - self.quiet.len()).map_or(Slot::None, Slot::Entry),
        }
    }

    /// What decides whether a row is listed, without any text: fine, divergent, unknown, severity.
    pub fn row_flags(&self, at: usize) -> (bool, bool, bool, u8, Option<&Entry>) {
        match self.entry(at) {
            Slot::Quiet(_) => (true, false, false, 5, None),
            Slot::Entry(entry) => match self.lead(entry) {
                Some(loud) => {
                    let j = &loud.judgement;
                    let fine = j.class == Class::Clean;
                    (fine, j.divergent, j.state == Some(State::Unknown), j.severity, Some(entry))
                }
                None => (false, false, false, 6, Some(entry)),
            },
            Slot::None => (false, false, false, 6, None),
        }
    }

    /// Class and difference of a row that stands for one intent.
    pub fn standing(&self, at: usize) -> Option<(Class, bool)> {
        match self.entry(at) {
            Slot::Quiet(_) => Some((Class::Clean, false)),
            Slot::Entry(Entry::One(no)) => {
                self.loud.get(*no).map(|loud| (loud.judgement.class, loud.judgement.divergent))
            }
            Slot::Entry(_) | Slot::None => None,
        }
    }

    fn lead(&self, entry: &Entry) -> Option<&super::case::Loud> {
        match entry {
            Entry::One(no) => self.loud.get(*no),
            Entry::Group(m) | Entry::NotCompared(m) | Entry::Fits(m) => {
                m.first().and_then(|no| self.loud.get(*no))
            }
            Entry::Apart(_) | Entry::ApartMore | Entry::Outside => None,
        }
    }

    /// A row of the list, ready for its columns.
    pub fn row(&self, at: usize) -> ListRow {
        match self.entry(at) {
            Slot::Quiet(op) => self.intent_row(op),
            Slot::Entry(entry) => self.entry_row(entry),
            Slot::None => blank(RowKind::Outside { count: 0, units: 0 }),
        }
    }

    /// The row of one intent by itself.
    pub fn intent_row(&self, op: Op) -> ListRow {
        match self.view(op) {
            Some(view) => self.row_of(op, &view, &view.judgement),
            None => blank(RowKind::Intent(op.0)),
        }
    }

    fn ops(&self, members: &[usize]) -> Vec<u32> {
        members.iter().filter_map(|no| self.loud.get(*no)).map(|l| l.op.0).collect()
    }

    fn entry_row(&self, entry: &Entry) -> ListRow {
        match entry {
            Entry::One(no) => match self.loud.get(*no) {
                Some(loud) => match self.view(loud.op) {
                    Some(view) => self.row_of(loud.op, &view, &loud.judgement),
                    None => blank(RowKind::Intent(loud.op.0)),
                },
                None => blank(RowKind::Intent(0)),
            },
            Entry::Group(members) => self.group_row(members),
            Entry::NotCompared(members) => self.not_compared_row(members),
            Entry::Fits(members) => self.fits_row(members),
            Entry::Apart(no) => match self.apart.groups.get(*no) {
                Some(group) => self.orphan_row(&self.orphan(group)),
                None => blank(RowKind::Outside { count: 0, units: 0 }),
            },
            Entry::ApartMore => {
                let doubles = self.apart.groups.iter().filter(|g| g.possible_double && g.unattributed);
                let listed: usize = doubles.map(|g| g.rows.len()).sum();
                let count = self.apart.unattributed.saturating_sub(listed as u64);
                let totals = self.apart.unattributed_totals.clone();
                let mut row = blank(RowKind::OrphansMore { count, totals });
                row.words = format!("{count} rows without an attempt, in this time");
                row.id = "apart".to_owned();
                row.mark = String::new();
                row
            }
            Entry::Outside => {
                let count = self.apart.outside;
                let units = u32::try_from(self.apart.outside_totals.len()).unwrap_or(u32::MAX);
                let mut row = blank(RowKind::Outside { count, units });
                row.words = format!("{count} rows outside the trace's time");
                row.id = "outside".to_owned();
                row.mark = String::new();
                row
            }
        }
    }

    fn row_of(&self, op: Op, view: &IntentView, j: &Judgement) -> ListRow {
        let line = words::case_of(j);
        let assumed = j.expected_from == ExpectedFrom::Assumed;
        let unread = j.rule == Rule::R01;
        let reach = !j.covered && waits(j);
        ListRow {
            kind: RowKind::Intent(op.0),
            operation: operation(view),
            mark: words::mark_of(j),
            words: words::list_words(j),
            label: severity::label(j),
            verdict: j.rule.verdict(),
            severity: j.severity,
            class: Some(j.class),
            covered_from: if line.waits_for_a_read() && !j.covered { j.covered_from } else { Micros::NONE },
            record: j.state.filter(|_| j.state_recorded),
            intended: Some((j.effective_max, assumed)),
            intended_total: j.expected.map(|m| {
                let zero = j.effective_max == 0;
                (
                    if zero {
                        Money { amount: crate::model::money::Amount { digits: 0, ..m.amount }, ..m }
                    } else {
                        m
                    },
                    assumed,
                )
            }),
            in_ledger: (!unread).then_some((account_found(view, j), reach && j.net == 0)),
            ledger_total: if unread {
                None
            } else if j.unreadable > 0 {
                Some(Err(()))
            } else {
                account_money(view, j).map(Ok)
            },
            at_risk: j.risk,
            more_units: if j.several_units {
                u32::try_from(view.totals.len().saturating_sub(1)).unwrap_or(0)
            } else {
                0
            },
            deadline: j.deadline,
            overdue: j.overdue,
            since: j.since,
            reason: String::new(),
            reason_short: String::new(),
            id: view.intent_id.clone(),
            intent_id: match self.handle(op) {
                _ if view.recorded => view.intent_id.clone(),
                0 => String::new(),
                handle => format!("#{handle}"),
            },
            noun: view.kind.clone(),
            party: view.party.clone(),
            rule: j.rule.number(),
            divergent: j.divergent,
            unknown: j.state == Some(State::Unknown),
        }
    }

    /// A chain or an account: the newest member speaks for all.
    fn group_row(&self, members: &[usize]) -> ListRow {
        let mut ops: Vec<(Micros, Op)> =
            members.iter().filter_map(|no| self.loud.get(*no)).map(|l| (l.judgement.since, l.op)).collect();
        ops.sort_unstable();
        let Some((_, newest)) = ops.last().copied() else {
            return blank(RowKind::Group(Vec::new()));
        };
        let mut row = self.intent_row(newest);
        if row.rule == Rule::R08.number() {
            let mut live = Totals::default();
            let mut count = 0;
            for no in members {
                if let Some(loud) = self.loud.get(*no) {
                    count += loud.judgement.net;
                    loud.judgement.live.into_iter().for_each(|m| live.add(m));
                }
            }
            row.in_ledger = Some((count, false));
            row.ledger_total = single(&live).map(Ok);
        }
        row.kind = RowKind::Group(ops.iter().map(|(_, op)| op.0).collect());
        row
    }

    fn not_compared_row(&self, members: &[usize]) -> ListRow {
        let Some(lead) = members.first().and_then(|no| self.loud.get(*no)) else {
            return blank(RowKind::NotCompared { intents: Vec::new(), reason: String::new() });
        };
        let j = &lead.judgement;
        let tool = self.tables.tools.text(lead.facet.tool).to_owned();
        let (operation, reason, short) = match j.not_compared {
            NotCompared::NoLedgerForTool if self.setting.any_ledger => (
                format!("{} calls", members.len()),
                format!("no ledger here records {tool}"),
                format!("no ledger for {tool}"),
            ),
            NotCompared::OlderThanLedger => {
                let oldest = self.oldest_row().map_or(String::new(), |t| clock(t, self.setting.now));
                (
                    format!("{} requests", members.len()),
                    format!("older than the first row, {oldest}"),
                    "before the first row".to_owned(),
                )
            }
            _ => (
                format!("{} requests", members.len()),
                "no ledger was read".to_owned(),
                "no ledger was read".to_owned(),
            ),
        };
        let mut row = blank(RowKind::NotCompared { intents: self.ops(members), reason: reason.clone() });
        row.id = format!("not compared {reason}");
        row.operation = operation;
        row.mark = words::mark_of(j);
        row.words = words::list_words(j);
        row.label = severity::label(j);
        row.verdict = j.rule.verdict();
        row.severity = j.severity;
        row.class = Some(j.class);
        row.rule = j.rule.number();
        row.reason = reason;
        row.reason_short = short;
        row
    }

    fn oldest_row(&self) -> Option<Instant> {
        self.found
            .iter()
            .filter(|f| f.tally.rows > 0)
            .filter_map(|f| f.tally.oldest)
            .min_by_key(|t| t.begin())
    }

    fn fits_row(&self, members: &[usize]) -> ListRow {
        let Some(lead) = members.first().and_then(|no| self.loud.get(*no)) else {
            return blank(RowKind::FitsByOrder { intents: Vec::new() });
        };
        let mut row = self.intent_row(lead.op);
        let (mut intended, mut risk, mut found) = (Totals::default(), Totals::default(), Totals::default());
        let mut orders: HashSet<&str> = HashSet::new();
        let mut accounts: HashSet<u32> = HashSet::new();
        for no in members {
            let Some(loud) = self.loud.get(*no) else { continue };
            loud.judgement.expected.into_iter().for_each(|m| intended.add(m));
            loud.judgement.risk.into_iter().for_each(|m| risk.add(m));
            if let Some(account) = self.links.ties.get(&loud.op).and_then(|t| t.account)
                && accounts.insert(account.number)
            {
                account.money_found.into_iter().for_each(|m| found.add(m));
            }
            orders.extend(self.brief_of(loud.op).map(|b| b.business.as_str()));
        }
        let count = u32::try_from(members.len()).unwrap_or(u32::MAX);
        row.operation = format!("{} orders", orders.len());
        row.intended = Some((count, false));
        row.intended_total = single(&intended).map(|m| (m, true));
        row.in_ledger = Some((count, true));
        row.ledger_total = single(&found).map(Ok);
        row.at_risk = single(&risk);
        row.covered_from = Micros::NONE;
        row.id = "fits by order".to_owned();
        row.intent_id = String::new();
        row.party = String::new();
        row.kind = RowKind::FitsByOrder { intents: self.ops(members) };
        row
    }

    /// A group of rows without an attempt, with its texts.
    pub fn orphan(&self, group: &OrphanGroup) -> OrphanView {
        let views: Vec<_> = group
            .rows
            .iter()
            .filter_map(|p| {
                let row = self.runs.get(p.0 as usize)?.effects.get(p.1 as usize)?;
                Some((row.at, self.effect_view(*p, row)))
            })
            .collect();
        let mut totals = Totals::default();
        for (_, view) in &views {
            view.amount.into_iter().for_each(|m| totals.add(m));
        }
        let first = views.first();
        let text =
            |f: fn(&crate::judge::view::EffectView) -> String| first.map_or(String::new(), |(_, v)| f(v));
        OrphanView {
            source: first.map_or(0, |(_, v)| v.source),
            effect_id: text(|v| v.name.clone()),
            operation_id: text(|v| v.operation_id.clone()),
            business_id: text(|v| v.business_id.clone()),
            kind: self.orphan_kind(first.map(|(at, v)| (at.source(), v))),
            count: u32::try_from(group.rows.len()).unwrap_or(u32::MAX),
            totals,
            committed: first.map_or(Instant::NONE, |(_, v)| v.committed),
            possible_double: group.possible_double,
            place: text(|v| v.place.clone()),
            violation: self.setting.trace_complete && group.unattributed,
            at: first.map(|(at, _)| *at),
            key: text(|v| v.key.clone()),
        }
    }

    fn orphan_kind(&self, first: Option<(SourceNo, &crate::judge::view::EffectView)>) -> String {
        let Some((no, view)) = first else {
            return String::new();
        };
        if !view.kind.is_empty() && !view.kind.eq_ignore_ascii_case("effect") {
            return view.kind.clone();
        }
        let head = crate::model::kinds::kind_of("", &view.operation_id, "");
        if !head.is_empty() {
            return head.to_owned();
        }
        let named = self
            .found
            .get(usize::from(no.0))
            .and_then(|f| crate::model::kinds::named_in(&f.table).first().copied());
        named.unwrap_or_default().to_owned()
    }

    /// All groups of rows without an attempt, possible doubles first.
    pub fn orphans(&self) -> Vec<OrphanView> {
        self.apart.groups.iter().map(|g| self.orphan(g)).collect()
    }

    /// The row of such a group.
    pub fn orphan_row(&self, orphan: &OrphanView) -> ListRow {
        let line = words::case_of_orphan(orphan.possible_double, orphan.violation);
        let money = single(&orphan.totals);
        let several = orphan.count > 1;
        let mut row = blank(RowKind::Orphan(orphan.clone()));
        if orphan.possible_double {
            row.kind = RowKind::PossibleDouble(orphan.clone());
            let name = if orphan.operation_id.is_empty() { &orphan.effect_id } else { &orphan.operation_id };
            row.reason = format!(
                "operation id {name}, {}",
                if orphan.count == 2 { "twice".to_owned() } else { format!("{} times", orphan.count) }
            );
            "one operation id".clone_into(&mut row.reason_short);
        }
        row.operation = if several || orphan.business_id.is_empty() && orphan.operation_id.is_empty() {
            if several { format!("{} rows", orphan.count) } else { orphan.effect_id.clone() }
        } else if orphan.business_id.is_empty() {
            orphan.operation_id.clone()
        } else {
            spaced(&orphan.business_id)
        };
        row.mark = line.mark.text(1);
        row.words = line.in_list(orphan.count);
        row.label = "";
        row.verdict = "ORPHAN_EFFECT";
        row.severity = if orphan.violation { 2 } else { 6 };
        row.class = orphan.violation.then_some(Class::Violation);
        row.in_ledger = Some((orphan.count, false));
        row.ledger_total = money.map(Ok);
        row.at_risk = money.filter(|_| orphan.violation);
        row.id = format!("apart {} {}", orphan.place, orphan.effect_id);
        row.noun.clone_from(&orphan.kind);
        row
    }

    /// The short handle of an intent (`#17`): its rank by first place; 0 before [`Case::number`] was called.
    pub fn handle(&self, op: Op) -> u32 {
        self.order.get().and_then(|order| order.get(op.0 as usize)).copied().unwrap_or(0)
    }

    /// Gives every intent its short handle. One pass over all rows: for outputs that show handles.
    pub fn number(&self) {
        self.order.get_or_init(|| {
            let mut first: Vec<Option<crate::model::row::At>> = vec![None; self.groups.len() as usize];
            for (r, run) in self.runs.iter().enumerate() {
                let attempts = run.attempts.all().iter().map(|a| (a.name, a.at));
                let records = run.records.all().iter().map(|a| (a.name, a.at));
                for (name, at) in attempts.chain(records) {
                    if let Some(op) = self.groups.of(&self.runs, r, name)
                        && let Some(slot) = first.get_mut(op.0 as usize)
                    {
                        *slot = Some(slot.map_or(at, |known| known.min(at)));
                    }
                }
            }
            let ops = self.loud.iter().map(|l| l.op).chain(self.quiet.ops());
            let mut all: Vec<_> = ops.map(|op| (first.get(op.0 as usize).copied().flatten(), op)).collect();
            all.sort_unstable();
            let mut order = vec![0; first.len()];
            for (rank, (_, op)) in (1u32..).zip(all) {
                if let Some(slot) = order.get_mut(op.0 as usize) {
                    *slot = rank;
                }
            }
            order
        });
    }

    /// All intents in the order of the list.
    pub fn ordered(&self) -> Vec<Op> {
        let mut ops = Vec::with_capacity(self.intents());
        for entry in &self.list().loud {
            match entry {
                Entry::One(no) => ops.extend(self.loud.get(*no).map(|l| l.op)),
                Entry::Group(m) | Entry::NotCompared(m) | Entry::Fits(m) => {
                    ops.extend(m.iter().filter_map(|no| self.loud.get(*no)).map(|l| l.op));
                }
                Entry::Apart(_) | Entry::ApartMore | Entry::Outside => {}
            }
        }
        ops.extend(self.quiet.in_order().iter().map(|(_, op)| *op));
        ops
    }
}

enum Slot<'a> {
    Entry(&'a Entry),
    Quiet(Op),
    None,
}

/// The operation is the business id, else the operation id, else the intent id (`6-screens.md` 7.4.2).
fn operation(view: &IntentView) -> String {
    if !view.business_id.is_empty() {
        spaced(&view.business_id)
    } else if !view.operation_id.is_empty() {
        view.operation_id.clone()
    } else {
        view.intent_id.clone()
    }
}

/// `order:1234` is said `order 1234`.
pub fn spaced(business: &str) -> String {
    match business.split_once(':') {
        Some((kind, id)) if !kind.is_empty() && !id.is_empty() && kind.chars().all(char::is_alphanumeric) => {
            format!("{kind} {id}")
        }
        _ => business.to_owned(),
    }
}

/// It cannot be known yet: the ledger column shows a `?` behind its zero.
fn waits(j: &Judgement) -> bool {
    j.net == 0 && !matches!(j.class, Class::Clean) && j.rule != Rule::R27
}

fn account_found(view: &IntentView, j: &Judgement) -> u32 {
    match &view.account {
        Some(account) if j.rule.suspects() => account.found,
        _ => j.net,
    }
}

fn account_money(view: &IntentView, j: &Judgement) -> Option<Money> {
    match &view.account {
        Some(account) if j.rule.suspects() => account.money_found,
        _ => j.live.or_else(|| {
            j.expected
                .filter(|_| j.net == 0)
                .map(|m| Money { amount: crate::model::money::Amount { digits: 0, ..m.amount }, ..m })
        }),
    }
}

/// The only amount of a total.
pub fn single(totals: &Totals) -> Option<Money> {
    if totals.len() != 1 {
        return None;
    }
    let (unit, total) = totals.iter().next()?;
    let wide = total.exact()?;
    let digits = i64::try_from(wide.digits).ok()?;
    Some(Money { unit, amount: crate::model::money::Amount { digits, scale: wide.scale } })
}

fn blank(kind: RowKind) -> ListRow {
    ListRow {
        kind,
        operation: String::new(),
        mark: "○".to_owned(),
        words: String::new(),
        label: "",
        verdict: "",
        severity: 6,
        class: None,
        covered_from: Micros::NONE,
        record: None,
        intended: None,
        intended_total: None,
        in_ledger: None,
        ledger_total: None,
        at_risk: None,
        more_units: 0,
        deadline: Micros::NONE,
        overdue: false,
        since: Micros::NONE,
        reason: String::new(),
        reason_short: String::new(),
        id: String::new(),
        intent_id: String::new(),
        noun: String::new(),
        party: String::new(),
        rule: "",
        divergent: false,
        unknown: false,
    }
}
