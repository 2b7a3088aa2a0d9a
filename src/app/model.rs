//! Everything the screen knows.

use std::sync::Arc;

use super::arrange::{Chosen, Grouping, Sort, default_columns};
use super::bindings::Bindings;
use super::case::{CaseView, Item, Told};
pub use super::layers::{Course, Detail, Find, Help, Layer, Members, Pane, Raw, Scroll};
use super::layout::{self, Form, Size};
use super::list::{Filter, List};
use super::progress::{Failure, Loading};
use super::seek::Sought;
use super::settle::audit::Audit;
use super::settle::marks::Marks;
use super::sources::Sources;
use crate::judge::story::Place;
use crate::model::time::{Micros, Zone};

/// What the screen is told when it is opened: facts that do not depend on each other.
#[derive(Clone, Debug)]
#[allow(clippy::struct_excessive_bools)]
pub struct Setup {
    /// Name of the case, else of its sources (`trace.jsonl + refunds.csv`). Raw.
    pub name: String,
    /// Who looks. Raw.
    pub operator: String,
    /// Something can be written.
    pub can_write: bool,
    /// Why nothing can be written, where it cannot.
    pub read_only: String,
    /// There may be a book: a case has one, files on the command line have none.
    pub has_book: bool,
    /// It is a case, not files on the command line.
    pub in_case: bool,
    /// Something was given or found to be read.
    pub has_sources: bool,
    /// The folder it was started in, as shown. Raw.
    pub folder: String,
    /// The folder holds files that can be read.
    pub folder_readable: bool,
    /// The demo can be opened.
    pub demo: bool,
    /// The zone of `T`.
    pub local: Zone,
    /// Begin with local time.
    pub local_time: bool,
    /// Only ASCII is drawn.
    pub ascii: bool,
    /// The command line that prints the same list, where it is not a case. Raw.
    pub same_list: Option<String>,
    /// The clock when it was opened: shown until a case says its own.
    pub now: Micros,
    /// That clock is fixed.
    pub clock_fixed: bool,
    /// The keys that work.
    pub keys: Bindings,
    /// The sources are looked at again after so many seconds, and read where they changed; 0 is never.
    pub watch: u64,
    /// A bell where a later reading has more violations.
    pub bell: bool,
    /// The wheel of the mouse moves.
    pub mouse: bool,
    /// What was remembered of the last time: names and values.
    pub remembered: Vec<(String, String)>,
}

impl Default for Setup {
    fn default() -> Self {
        Self {
            name: String::new(),
            operator: String::new(),
            can_write: false,
            read_only: String::new(),
            has_book: false,
            in_case: false,
            has_sources: true,
            folder: ".".to_owned(),
            folder_readable: false,
            demo: false,
            local: Zone::Utc,
            local_time: false,
            ascii: false,
            same_list: None,
            now: Micros::NONE,
            clock_fixed: false,
            keys: Bindings::default(),
            watch: 0,
            bell: false,
            mouse: false,
            remembered: Vec::new(),
        }
    }
}

/// How far it has come.
pub enum Phase {
    /// Nothing was given and nothing was found.
    FirstRun,
    /// The first reading.
    Loading(Loading),
    /// Loaded.
    Ready(Arc<dyn CaseView>),
    /// Could not be loaded.
    Failed(Failure),
}

/// The five screens.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Screen {
    /// The list.
    Triage,
    /// Ways of working that lead to double effects.
    Hazards,
    /// Events in time order.
    Timeline,
    /// The audit log.
    Audit,
    /// What was read.
    Sources,
}

/// A screen as its tab shows it.
pub struct Tab {
    /// Which.
    pub screen: Screen,
    /// Name.
    pub name: &'static str,
    /// Name where there is little room.
    pub short: &'static str,
    /// Why there is nothing behind it; empty where there is.
    pub why_empty: &'static str,
}

/// The tabs in order; their numbers are their keys. A tab without content stays visible and says why
/// (`6-screens.md` 7.1, 7.1.7).
pub const TABS: [Tab; 5] = [
    Tab { screen: Screen::Triage, name: "Triage", short: "Triage", why_empty: "" },
    Tab {
        screen: Screen::Hazards,
        name: "Hazards",
        short: "Haz",
        why_empty: "Nothing here yet: hazards are looked for in what was loaded.",
    },
    Tab {
        screen: Screen::Timeline,
        name: "Timeline",
        short: "Time",
        why_empty: "Nothing here yet: nothing that was read has a time.",
    },
    Tab {
        screen: Screen::Audit,
        name: "Audit",
        short: "Audit",
        why_empty: "Nothing here: this is not a case, so nothing was decided in it. recount case init DIR FILES makes one.",
    },
    Tab {
        screen: Screen::Sources,
        name: "Sources",
        short: "Src",
        why_empty: "Nothing here yet: nothing was read.",
    },
];

/// A sentence that takes the left part of the status line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// The sentence. Raw.
    pub text: String,
    /// Stays until a key.
    pub error: bool,
    /// Its number: a timer takes back only its own.
    pub number: u64,
}

/// What stands at a place, so that keys, footer and help fit it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Context {
    /// Nothing loaded.
    FirstRun,
    /// Reading for the first time.
    Loading,
    /// Could not be loaded.
    Failed,
    /// Nothing wrong: the result card.
    Clean,
    /// The list.
    List,
    /// A list of members.
    Members,
    /// One row with attempts and effects.
    Detail,
    /// A row without an attempt.
    Apart,
    /// A record.
    Raw,
    /// The help.
    Help,
    /// Typing.
    Find,
    /// The hazards.
    Hazards,
    /// The timeline of a row.
    Course,
    /// Calls and effects of the case over time.
    Activity,
    /// What was read, and what could not be used.
    Sources,
    /// The log of the book.
    Audit,
    /// What may be done with the selection.
    Menu,
    /// A form, on a choice or a button.
    Form,
    /// A form, in a field for typing.
    Field,
    /// A screen without content.
    Empty,
    /// Groups in place of the list.
    Groups,
    /// Everything of an order or of a party.
    Order,
    /// Every action by its name.
    Palette,
    /// What the status line said.
    Messages,
    /// The choice of columns.
    Columns,
    /// The terminal is too small.
    TooSmall,
}

/// The state of the screen.
pub struct Model {
    /// As it was opened.
    pub setup: Setup,
    /// Size of the terminal.
    pub size: Size,
    /// How far it has come.
    pub phase: Phase,
    /// A later reading while the old case stays in view.
    pub again: Option<Loading>,
    /// Which reading messages have to belong to.
    pub generation: u64,
    /// Chosen screen.
    pub screen: Screen,
    /// The hazard that is selected on its screen.
    pub hazard: usize,
    /// What is selected on the sources screen.
    pub sources: Sources,
    /// What lies above it, topmost last.
    pub layers: Vec<Layer>,
    /// The list of the triage screen.
    pub list: List,
    /// What is left out of it.
    pub filter: Filter,
    /// Its order.
    pub sort: Sort,
    /// Groups in its place.
    pub grouping: Option<Grouping>,
    /// Its columns.
    pub columns: Vec<Chosen>,
    /// What was searched for last, also where it does not filter any more.
    pub sought: Option<Sought>,
    /// The pane that has the focus takes the room of what lies around it.
    pub zoomed: bool,
    /// The number of the newest search.
    pub search: u64,
    /// The row that is selected in the topmost list, with what is behind it.
    pub preview: Option<(String, Item)>,
    /// Message in the status line.
    pub message: Option<Message>,
    /// Messages so far.
    pub messages: u64,
    /// The newest of them, newest first.
    pub log: Vec<Message>,
    /// The message that says what was written: a reading does not take its place.
    pub wrote: u64,
    /// Requests so far.
    pub requests: u64,
    /// The last key copied what is selected: the same key copies the incident next.
    pub copied: bool,
    /// Local time is shown.
    pub local_time: bool,
    /// What changes on the disk is read again by itself.
    pub watching: bool,
    /// Rows that were chosen.
    pub marks: Marks,
    /// What the screen of the log shows.
    pub audit: Audit,
    /// The audit head as it was read last: number and hash; 0 without an entry.
    pub head: (i64, String),
}

impl Model {
    /// The first state, before anything was read.
    pub fn new(setup: Setup, size: Size) -> Self {
        let phase = if setup.has_sources { Phase::Loading(Loading::default()) } else { Phase::FirstRun };
        let remembered = setup.remembered.clone();
        let mut model = Self {
            local_time: setup.local_time,
            watching: setup.watch > 0,
            setup,
            size,
            phase,
            again: None,
            generation: 0,
            screen: Screen::Triage,
            hazard: 0,
            sources: Sources::default(),
            layers: Vec::new(),
            list: List::default(),
            filter: Filter::default(),
            sort: Sort::default(),
            grouping: None,
            columns: default_columns(),
            sought: None,
            zoomed: false,
            search: 0,
            preview: None,
            message: None,
            messages: 0,
            log: Vec::new(),
            wrote: 0,
            requests: 0,
            copied: false,
            marks: Marks::default(),
            audit: Audit::default(),
            head: (0, String::new()),
        };
        super::session::restore(&mut model, &remembered);
        model
    }

    /// The loaded case.
    pub fn case(&self) -> Option<&Arc<dyn CaseView>> {
        match &self.phase {
            Phase::Ready(case) => Some(case),
            _ => None,
        }
    }

    /// The layout of the terminal.
    pub fn form(&self) -> Form {
        self.size.form()
    }

    /// The place that keys go to.
    pub fn context(&self) -> Context {
        if self.form() == Form::TooSmall {
            return Context::TooSmall;
        }
        self.layers.last().map_or_else(|| self.base(), context_of)
    }

    /// The place that is drawn: below what floats over it.
    pub fn place(&self) -> Context {
        match self.layers.last() {
            Some(Layer::Help(_) | Layer::Palette(_)) => self.below(),
            _ => self.context(),
        }
    }

    /// The place below the topmost layer, which the help is about.
    pub fn below(&self) -> Context {
        let below = self.layers.len().checked_sub(2).and_then(|at| self.layers.get(at));
        below.map_or_else(|| self.base(), context_of)
    }

    /// The place without any layer.
    pub fn base(&self) -> Context {
        match &self.phase {
            Phase::Ready(case) if self.screen == Screen::Hazards && case.hazards().is_some() => {
                Context::Hazards
            }
            Phase::Ready(case) if self.screen == Screen::Timeline && case.activity().is_some() => {
                Context::Activity
            }
            Phase::Ready(case) if self.screen == Screen::Sources && !case.sources().is_empty() => {
                Context::Sources
            }
            Phase::Ready(_) if self.screen == Screen::Audit && self.setup.has_book => Context::Audit,
            _ if self.screen != Screen::Triage => Context::Empty,
            Phase::FirstRun => Context::FirstRun,
            Phase::Loading(_) => Context::Loading,
            Phase::Failed(_) => Context::Failed,
            Phase::Ready(_) if self.grouping.is_some() => Context::Groups,
            Phase::Ready(_) if self.shows_clean() => Context::Clean,
            Phase::Ready(_) => Context::List,
        }
    }

    /// Nothing is wrong and nothing was asked for: the card with the result stands in place of the list.
    fn shows_clean(&self) -> bool {
        use crate::judge::view::ResultWord;
        let clean = self.case().is_some_and(|case| case.summary().result == ResultWord::NoViolationObserved);
        let finding = self.layers.iter().any(|layer| matches!(layer, Layer::Find(_)));
        clean && !self.filter.is_on() && !finding
    }

    /// The list that is on top: that of a members layer, else the groups or the rows of the screen.
    pub fn top_list(&self) -> &List {
        let members = self.layers.iter().rev().find_map(|layer| match layer {
            Layer::Members(members) => Some(&members.list),
            _ => None,
        });
        members.or(self.grouping.as_ref().map(|grouping| &grouping.list)).unwrap_or(&self.list)
    }

    /// The same, to change it.
    pub fn top_list_mut(&mut self) -> &mut List {
        let members = self.layers.iter_mut().rev().find_map(|layer| match layer {
            Layer::Members(members) => Some(&mut members.list),
            _ => None,
        });
        let list = &mut self.list;
        members.or(self.grouping.as_mut().map(|grouping| &mut grouping.list)).unwrap_or(list)
    }

    /// The detail on top, also under its record or the help.
    pub fn detail(&self) -> Option<&Detail> {
        self.layers.iter().rev().find_map(|layer| match layer {
            Layer::Detail(detail) => Some(&**detail),
            _ => None,
        })
    }

    /// The clock that ages and deadlines count from.
    pub fn now(&self) -> Micros {
        self.case().map_or(self.setup.now, |case| case.summary().now)
    }

    /// The clock is fixed by the case or an option.
    pub fn clock_fixed(&self) -> bool {
        self.case().map_or(self.setup.clock_fixed, |case| case.summary().clock_fixed)
    }

    /// The zone in which times are shown.
    pub fn zone(&self) -> Zone {
        if self.local_time { self.setup.local } else { Zone::Utc }
    }

    /// How stories are told at a place.
    pub fn told(&self, place: Place) -> Told {
        let narrow = self.form() != Form::Wide;
        Told { place, narrow, zone: self.zone(), writable: self.setup.can_write }
    }

    /// Takes what the last drawing found of the topmost text: its first line in view, and how far it goes.
    pub fn drawn(&mut self, first: usize, most: usize) {
        let scroll = match self.layers.last_mut() {
            Some(Layer::Detail(detail)) => &mut detail.scroll,
            Some(Layer::Raw(raw)) => &mut raw.scroll,
            Some(Layer::Help(help)) => &mut help.scroll,
            Some(Layer::Messages(scroll)) => scroll,
            Some(Layer::Form(form)) => &mut form.scroll,
            _ => return,
        };
        scroll.most = most;
        scroll.first = first.min(most);
    }

    /// Rows of the topmost list that are seen at once.
    pub fn list_height(&self) -> usize {
        layout::list_height(self, self.top_list())
    }
}

fn context_of(layer: &Layer) -> Context {
    match layer {
        Layer::Members(_) => Context::Members,
        Layer::Detail(detail) if detail.item.orphan().is_some() => Context::Apart,
        Layer::Detail(_) => Context::Detail,
        Layer::Course(_) => Context::Course,
        Layer::Raw(_) => Context::Raw,
        Layer::Menu(_) => Context::Menu,
        Layer::Form(form) if form.types().is_some() => Context::Field,
        Layer::Form(_) => Context::Form,
        Layer::Help(Help { find: None, .. }) => Context::Help,
        Layer::Help(_) | Layer::Find(_) => Context::Find,
        Layer::Order(_) => Context::Order,
        Layer::Palette(_) => Context::Palette,
        Layer::Messages(_) => Context::Messages,
        Layer::Columns(_) => Context::Columns,
    }
}
