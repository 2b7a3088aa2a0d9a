//! The rows of the triage list, built when they are looked at (`6-screens.md` 7.4.2).

use std::collections::HashSet;

use crate::judge::coverage::condition::{C1, C2};
use crate::judge::judgement::{Class, ExpectedFrom, Judgement, NotCompared};
use crate::judge::rules::Rule;
use crate::judge::severity;
use crate::judge::view::{IntentView, ListRow, RowKind};
use crate::judge::words;
use crate::model::money::{Amount, Money, Totals};
use crate::model::row::State;
use crate::model::time::{Instant, Micros, clock};

use super::case::Case;
use super::group::Op;
use super::list::{Entry, Slot};

/// Flags of the book with the word that stands in the due column, the first that holds (`6-screens.md` 7.4.6).
const STANDS: [(&str, &str); 4] = [
    ("pending_approval", "agree"),
    ("not_delivered", "undelivered"),
    ("facts_changed", "was closed"),
    ("break_glass", "to review"),
];

fn stands(flags: &[&str]) -> &'static str {
    STANDS.iter().find(|(flag, _)| flags.contains(flag)).map_or("", |(_, word)| word)
}

impl Case {
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
                let totals = self.single_totals();
                let mut row = blank(RowKind::OrphansMore { count, totals });
                row.words = format!("{} rows without an attempt, in this time", grouped(count));
                row.operation = format!("{} rows", grouped(count));
                "enter opens them".clone_into(&mut row.reason);
                row.reason_short.clone_from(&row.reason);
                row.in_ledger = Some((u32::try_from(count).unwrap_or(u32::MAX), false));
                row.ledger_total = single(&self.single_totals()).map(Ok);
                row.id = "apart".to_owned();
                row.mark = String::new();
                row
            }
            Entry::Outside => {
                let count = self.apart.outside;
                let units = u32::try_from(self.apart.outside_totals.len()).unwrap_or(u32::MAX);
                let mut row = blank(RowKind::Outside { count, units });
                let rows = if count == 1 { "row" } else { "rows" };
                row.words = format!("{} {rows} outside the trace's time", grouped(count));
                "not judged".clone_into(&mut row.reason);
                row.reason_short.clone_from(&row.reason);
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
            covered_from: if line.waits_for_a_read() && read_early(j) {
                j.covered_from
            } else {
                Micros::NONE
            },
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
            in_ledger: (!unread).then(|| {
                let found = account_found(view, j);
                (found, reach && found == 0)
            }),
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
            stands: stands(&view.standing.flags),
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
        if row.rule == Rule::R08.number()
            && let Some((_, first)) = ops.first()
        {
            row.intent_id = self.intent_row(*first).intent_id;
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
                format!("{} calls", grouped(members.len() as u64)),
                format!("no ledger here records {tool}"),
                format!("no ledger for {tool}"),
            ),
            NotCompared::OlderThanLedger => {
                let oldest = self.oldest_row().map_or(String::new(), |t| clock(t, self.setting.now));
                (
                    format!("{} requests", grouped(members.len() as u64)),
                    format!("older than the first row, {oldest}"),
                    "before the first row".to_owned(),
                )
            }
            why => {
                let words = if why == NotCompared::NoLedger {
                    "no ledger was given".to_owned()
                } else {
                    self.unread_ledgers()
                };
                let short =
                    if self.setting.any_ledger { "a ledger was not read".to_owned() } else { words.clone() };
                (format!("{} requests", grouped(members.len() as u64)), words, short)
            }
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
        row.operation = format!("{} orders", grouped(orders.len() as u64));
        row.intended = Some((count, false));
        row.intended_total = single(&intended).map(|m| (m, true));
        row.in_ledger = Some((count, true));
        row.ledger_total = single(&found).map(Ok);
        row.at_risk = single(&risk);
        row.covered_from = Micros::NONE;
        let source = self.found.iter().position(|f| f.logical == lead.facet.source && f.readable);
        let source = source.and_then(|no| self.spec.sources.get(no)).map_or("", |s| s.id.as_str());
        row.id = format!("fits by order, {source}");
        row.intent_id = String::new();
        row.party = String::new();
        row.kind = RowKind::FitsByOrder { intents: self.ops(members) };
        row
    }
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
/// A later read can prove the absence: it is the time of the read that is missing.
fn read_early(j: &Judgement) -> bool {
    !j.covered && (j.uncovered == 0 || j.uncovered & (C1 | C2) != 0)
}

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
            j.expected.filter(|_| j.net == 0).map(|m| Money { amount: Amount { digits: 0, ..m.amount }, ..m })
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
    Some(Money { unit, amount: Amount { digits, scale: wide.scale } })
}

pub(super) fn blank(kind: RowKind) -> ListRow {
    ListRow { mark: "○".to_owned(), ..ListRow::blank(kind) }
}

/// `2,987`.
pub(super) fn grouped(count: u64) -> String {
    crate::model::money::grouped(i128::from(count), 0)
}
