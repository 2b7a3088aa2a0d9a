//! What lies above a screen: `esc` takes the top one off.

use super::case::{Item, RawRecord, Trouble};
use super::list::{Filter, List};
use super::order::Order;
use super::palette::Palette;
use super::settle::form::Form;
use super::settle::menu::Menu;
use crate::judge::timeline::Timeline;

/// What lies above the screen; `esc` takes the top one off.
pub enum Layer {
    /// What is behind a row that stands for many.
    Members(Members),
    /// One row with its evidence.
    Detail(Box<Detail>),
    /// The timeline of a row.
    Course(Box<Course>),
    /// A record as it stands in its source.
    Raw(Raw),
    /// What may be done with the selection.
    Menu(Menu),
    /// A form that writes.
    Form(Box<Form>),
    /// Help for the place below it.
    Help(Help),
    /// The filter is being typed.
    Find(Find),
    /// Everything of an order or of a party.
    Order(Box<Order>),
    /// Every action by its name.
    Palette(Palette),
    /// What the status line said: how far it is scrolled.
    Messages(Scroll),
    /// The choice of columns: which is selected.
    Columns(usize),
}

/// A list of members.
pub struct Members {
    /// Its title: `11 orders`. Raw.
    pub title: String,
    /// What they have in common. Raw.
    pub words: String,
    /// The rows.
    pub list: List,
}

/// The side of the evidence that has the focus.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pane {
    /// What was tried.
    Tried,
    /// What the ledger holds.
    Ledger,
}

/// How far a text is scrolled.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Scroll {
    /// First line to be seen.
    pub first: usize,
    /// The furthest that makes sense, as the last drawing found it.
    pub most: usize,
    /// The selection moved last: it has to be in view. Else what was scrolled to stays.
    pub follow: bool,
}

impl Scroll {
    /// Moves by lines; stays inside.
    pub fn by(&mut self, lines: isize) {
        self.follow = false;
        self.first = self.first.saturating_add_signed(lines).min(self.most);
    }
}

/// One row with its evidence.
pub struct Detail {
    /// The row and what is behind it.
    pub item: Item,
    /// Focus.
    pub pane: Pane,
    /// Selected attempt, counted over all intents of the row.
    pub attempt: usize,
    /// Selected ledger row.
    pub effect: usize,
    /// One below the other, also where side by side has room.
    pub stacked: bool,
    /// How far it is scrolled.
    pub scroll: Scroll,
}

/// The timeline of a row.
pub struct Course {
    /// The row and what is behind it.
    pub item: Item,
    /// Its timeline.
    pub timeline: Timeline,
    /// The selected event.
    pub selected: usize,
    /// Steps of the zoom; 0 shows all of it.
    pub zoom: u32,
}

/// A record as it stands in its source.
pub struct Raw {
    /// What it is: `attempt 1`. Raw.
    pub title: String,
    /// The worker's answer; `None` until it is there.
    pub record: Option<Result<RawRecord, Trouble>>,
    /// Number of the request, so that an answer to an older one is not taken for this one's.
    pub request: u64,
    /// How far it is scrolled.
    pub scroll: Scroll,
}

/// The help.
#[derive(Default)]
pub struct Help {
    /// How far it is scrolled.
    pub scroll: Scroll,
    /// What is searched for; `None` while nothing is typed.
    pub find: Option<String>,
}

/// The filter while it is typed, and what `esc` brings back.
pub struct Find {
    /// The text so far.
    pub text: String,
    /// The filter before.
    pub before: Filter,
    /// Selection and first row before.
    pub place: (usize, usize),
}
