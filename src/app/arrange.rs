//! How the list is arranged: its order, groups in place of rows, its columns. Orders and groups are made by a worker;
//! the list keeps what it shows until they are there.

use std::sync::Arc;

use super::layers::{Layer, Members};
use super::list::{List, Rows};
use super::load::{relist, search};
use super::model::{Context, Model};
use super::msg::Cmd;
use crate::judge::view::{GroupBy, GroupRow, SortBy};
use crate::model::time::rfc3339;
use crate::query::Hits;

/// The order of the list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sort {
    /// By which column.
    pub by: SortBy,
    /// The other way round.
    pub reversed: bool,
    /// Places of all rows in this order; `None` until a worker made it, and for the default order.
    pub order: Option<Arc<Vec<u32>>>,
    /// Which order of which reading a worker was asked for last.
    asked: Option<(u64, SortBy)>,
}

impl Sort {
    /// An order that is made already.
    pub fn made(by: SortBy, reversed: bool, order: Vec<u32>) -> Self {
        Self { by, reversed, order: Some(Arc::new(order)), asked: None }
    }

    /// Not the default order.
    pub fn is_on(&self) -> bool {
        self.by != SortBy::default() || self.reversed
    }

    /// Puts places into this order: the first `intents` of them, what stands apart keeps its place. `rows`: how many
    /// there are in all.
    pub fn arrange(&self, plain: &mut [u32], intents: usize, rows: usize) {
        let Some(part) = plain.get_mut(..intents) else { return };
        if let Some(order) = &self.order {
            let mut kept = Hits::none(rows);
            for at in part.iter() {
                kept.set(*at as usize);
            }
            let is = |at: &&u32| kept.get(**at as usize);
            for (slot, at) in part.iter_mut().zip(order.iter().filter(is)) {
                *slot = *at;
            }
        }
        if self.reversed && !self.waits() {
            part.reverse();
        }
    }

    /// The order as it is named outside the screen.
    pub fn said(&self) -> String {
        let turned = if self.reversed { ", turned round" } else { "" };
        format!("{}{turned}", self.by.name())
    }

    /// A worker makes the order.
    pub fn waits(&self) -> bool {
        self.by != SortBy::default() && self.order.is_none()
    }
}

/// Groups in place of rows.
#[derive(Clone, Debug)]
pub struct Grouping {
    /// What rows of a group share.
    pub by: GroupBy,
    /// The groups, with the selection.
    pub list: List,
    /// They are those of the rows of now.
    ready: bool,
    /// The number of the newest request.
    asked: Option<u64>,
}

impl Grouping {
    /// The groups; none before a worker counted them.
    pub fn groups(&self) -> &[GroupRow] {
        match &self.list.rows {
            Rows::Groups(groups) => groups,
            _ => &[],
        }
    }

    /// The selected one.
    pub fn selected(&self) -> Option<&GroupRow> {
        self.groups().get(self.list.selected)
    }

    /// A worker counts.
    pub fn waits(&self) -> bool {
        !self.ready
    }
}

/// A column of the list that can be hidden or moved. What happened, the operation and the money never leave.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ListColumn {
    /// Urgency, in the margin.
    Urgency,
    /// From when on it can be known.
    Covered,
    /// Intent id.
    Intent,
    /// Kind.
    Kind,
    /// Customer.
    Party,
    /// What the record says.
    Record,
    /// Intended count and total.
    Intended,
    /// Count and total in the ledger.
    Ledger,
    /// Deadline.
    Due,
}

/// A column with what is chosen for it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Chosen {
    /// Which.
    pub column: ListColumn,
    /// Shown, hidden, or as there is room.
    pub show: Show,
}

/// What is chosen for a column.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Show {
    /// Where there is room, in the order in which columns leave.
    AsFits,
    /// Before all that is not chosen.
    Always,
    /// Never.
    Never,
}

/// All columns with their names, in the order in which they stand by default.
pub const COLUMNS: [(ListColumn, &str); 9] = [
    (ListColumn::Urgency, "urgency"),
    (ListColumn::Covered, "covered from"),
    (ListColumn::Intent, "intent"),
    (ListColumn::Kind, "kind"),
    (ListColumn::Party, "customer"),
    (ListColumn::Record, "record says"),
    (ListColumn::Intended, "intended"),
    (ListColumn::Ledger, "in ledger"),
    (ListColumn::Due, "due"),
];

impl ListColumn {
    /// Its name.
    pub fn name(self) -> &'static str {
        COLUMNS.iter().find(|(column, _)| *column == self).map_or("", |(_, name)| name)
    }

    /// It has a place of its own between the operation and the money, where columns can change places.
    pub fn moves(self) -> bool {
        matches!(self, Self::Intent | Self::Kind | Self::Party | Self::Record)
    }
}

/// The columns as they are without a choice.
pub fn default_columns() -> Vec<Chosen> {
    COLUMNS.iter().map(|(column, _)| Chosen { column: *column, show: Show::AsFits }).collect()
}

/// `s`: by the next column.
pub(super) fn sort(model: &mut Model) {
    model.sort = Sort { by: model.sort.by.next(), ..Sort::default() };
    relist(model);
    model.list.selected = 0;
}

/// `S`: the other way round.
pub(super) fn reverse(model: &mut Model) {
    model.sort.reversed = !model.sort.reversed;
    relist(model);
    model.list.selected = 0;
}

/// One row for all that share something; `None`: rows one by one again.
pub(super) fn group(model: &mut Model, by: Option<GroupBy>) {
    model.layers.retain(|layer| !matches!(layer, Layer::Members(_)));
    model.grouping = by.map(|by| Grouping {
        by,
        list: List::new(Rows::Groups(Arc::default())),
        ready: false,
        asked: None,
    });
}

/// The rows behind the selected group.
pub(super) fn open_group(model: &mut Model) {
    let Some(grouping) = &model.grouping else { return };
    let Some(group) = grouping.selected() else { return };
    let rows = match group.count {
        1 => "1 row".to_owned(),
        count => format!("{} rows", super::keymap::thousands(count)),
    };
    let words = match group.tool.as_str() {
        "" => rows,
        tool => format!("{tool}, {rows}"),
    };
    let members = Members {
        title: if group.hour.is_none() {
            group.words.clone()
        } else {
            format!("hour from {}", rfc3339(group.hour))
        },
        words,
        list: List::new(Rows::Places(Arc::new(group.rows.clone()))),
    };
    model.layers.push(Layer::Members(members));
}

/// The selected group in plain lines, to be copied; raw.
pub(super) fn lines(model: &Model) -> Option<Vec<String>> {
    let group = model.grouping.as_ref()?.selected()?;
    let units = model.case()?.units();
    let money: Vec<String> =
        group.at_risk.iter().map(|(unit, total)| units.show_total(unit, total)).collect();
    let money = if money.is_empty() { String::new() } else { format!("; at risk {}", money.join(" and ")) };
    let rows = super::keymap::thousands(group.count);
    let words = if group.hour.is_none() {
        group.words.clone()
    } else {
        format!("first call in the hour from {}", rfc3339(group.hour))
    };
    let mut lines = vec![format!("{rows} rows: {words}{money}")];
    if !group.first.is_none() {
        lines.push(format!("first call {}, last {}", rfc3339(group.first), rfc3339(group.last)));
    }
    for (what, name) in [("calls of", &group.tool), ("run", &group.run)] {
        if !name.is_empty() {
            lines.push(format!("all of them: {what} {name}"));
        }
    }
    lines.extend(model.setup.same_list.iter().map(|command| format!("whole list: {command}")));
    Some(lines)
}

/// Filter, order, groups and columns as in the beginning.
pub(super) fn reset(model: &mut Model) -> Vec<Cmd> {
    model.filter = super::list::Filter::default();
    model.sort = Sort::default();
    model.grouping = None;
    model.columns = default_columns();
    model.zoomed = false;
    search(model)
}

/// Why nothing has to be reset.
pub fn nothing_to_reset(model: &Model) -> Option<String> {
    let plain = !model.filter.is_on()
        && !model.sort.is_on()
        && model.grouping.is_none()
        && !model.zoomed
        && model.columns == default_columns();
    plain.then(|| "everything is as in the beginning".to_owned())
}

/// What a worker has to make for what is shown now.
pub(super) fn due(model: &mut Model) -> Vec<Cmd> {
    let mut cmds = Vec::new();
    if model.case().is_none() {
        return cmds;
    }
    let (generation, by) = (model.generation, model.sort.by);
    if model.sort.waits() && model.sort.asked != Some((generation, by)) {
        model.sort.asked = Some((generation, by));
        cmds.push(Cmd::Sort { generation, by });
    }
    if model.grouping.as_ref().is_some_and(|grouping| !grouping.ready && grouping.asked.is_none()) {
        model.requests += 1;
        let request = model.requests;
        let rows = Arc::new(model.list.places());
        if let Some(grouping) = &mut model.grouping {
            grouping.asked = Some(request);
            cmds.push(Cmd::Group { request, by: grouping.by, rows });
        }
    }
    cmds
}

/// The rows changed: groups are counted anew.
pub(super) fn rows_changed(model: &mut Model) {
    if let Some(grouping) = &mut model.grouping {
        (grouping.ready, grouping.asked) = (false, None);
    }
}

/// An order is there.
pub(super) fn sorted(model: &mut Model, generation: u64, by: SortBy, order: Arc<Vec<u32>>) {
    if (generation, by) == (model.generation, model.sort.by) {
        model.sort.order = Some(order);
        let first = model.list.selected == 0;
        relist(model);
        if first {
            model.list.selected = 0;
        }
    }
}

/// Groups are there. The selection stays on its group.
pub(super) fn grouped(model: &mut Model, request: u64, groups: Vec<GroupRow>) {
    let Some(grouping) = model.grouping.as_mut().filter(|grouping| grouping.asked == Some(request)) else {
        return;
    };
    let before = grouping.selected().map(|group| (group.words.clone(), group.hour));
    let same = |group: &GroupRow| Some((group.words.clone(), group.hour)) == before;
    grouping.list.selected = groups.iter().position(same).unwrap_or(0);
    grouping.list.rows = Rows::Groups(Arc::new(groups));
    grouping.ready = true;
}

/// Why the list cannot be arranged: the keys say it where they are pressed.
pub fn grouped_already(model: &Model) -> Option<String> {
    model
        .grouping
        .is_some()
        .then(|| "rows are grouped; ungroup in the palette (:) shows them one by one".to_owned())
}

/// Why there is nothing to ungroup.
pub fn not_grouped(model: &Model) -> Option<String> {
    model.grouping.is_none().then(|| "rows stand one by one already".to_owned())
}

/// Opens the choice of columns.
pub(super) fn choose_columns(model: &mut Model) {
    model.layers.push(Layer::Columns(0));
}

fn chosen(model: &Model) -> Option<usize> {
    match model.layers.last() {
        Some(Layer::Columns(at)) => Some(*at),
        _ => None,
    }
}

/// Up or down among the columns.
pub(super) fn step_column(model: &mut Model, by: isize) {
    let last = model.columns.len().saturating_sub(1);
    if let Some(Layer::Columns(at)) = model.layers.last_mut() {
        *at = at.saturating_add_signed(by).min(last);
    }
}

/// Enter: as it fits, always, never.
pub(super) fn turn_column(model: &mut Model) {
    let Some(chosen) = chosen(model).and_then(|at| model.columns.get_mut(at)) else { return };
    chosen.show = match chosen.show {
        Show::AsFits => Show::Always,
        Show::Always => Show::Never,
        Show::Never => Show::AsFits,
    };
}

/// Left or right: changes places with its neighbour.
pub(super) fn move_column(model: &mut Model, by: isize) {
    let Some(at) = chosen(model) else { return };
    let Some(to) = at.checked_add_signed(by) else { return };
    let moves = |at: usize| model.columns.get(at).is_some_and(|chosen| chosen.column.moves());
    if moves(at) && moves(to) {
        model.columns.swap(at, to);
        if let Some(Layer::Columns(at)) = model.layers.last_mut() {
            *at = to;
        }
    }
}

/// Why the selected column cannot change places with the one before it.
pub fn stays_left(model: &Model) -> Option<String> {
    stays(model, -1)
}

/// Why the selected column cannot change places with the next one.
pub fn stays_right(model: &Model) -> Option<String> {
    stays(model, 1)
}

fn stays(model: &Model, by: isize) -> Option<String> {
    if model.context() != Context::Columns {
        return None;
    }
    let at = chosen(model)?;
    let moves = |at: usize| model.columns.get(at).is_some_and(|chosen| chosen.column.moves());
    if !moves(at) {
        return Some("this column has its fixed place".to_owned());
    }
    let beside = at.checked_add_signed(by).is_some_and(moves);
    (!beside).then(|| "what stands beside it has its fixed place".to_owned())
}
