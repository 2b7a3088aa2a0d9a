//! The action table: the one place that says what can be done, where, by which key, and when not.
//!
//! Key map, footer, help and `docs/keymap.md` are made from it. What is not built yet is not in it, so no key, no
//! footer and no help speaks of it.

use super::keys::{Code, Key};
use super::model::{Context, Layer, Model, Pane, Phase, Screen};
use super::settle::dialogs::Dialog;
use super::settle::{audit, keys as settling, marks, menu};

/// Everything a person can do.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Action {
    /// One line up.
    Up,
    /// One line down.
    Down,
    /// One page up.
    PageUp,
    /// One page down.
    PageDown,
    /// To the first line.
    First,
    /// To the last line.
    Last,
    /// Open what is selected.
    Open,
    /// One layer back.
    Back,
    /// The next pane.
    NextPane,
    /// The previous pane.
    PreviousPane,
    /// The screen of this number.
    Screen(Screen),
    /// Type a filter.
    Find,
    /// The next divergent row.
    NextDivergent,
    /// The previous divergent row.
    PreviousDivergent,
    /// Divergent rows only, or all.
    OnlyDivergent,
    /// Unknown rows only, or all.
    OnlyUnknown,
    /// Side by side, or one below the other.
    Stack,
    /// The record as it stands in its source.
    Raw,
    /// Copy the facts of what is selected.
    Copy,
    /// The document for the review.
    Report,
    /// Read the sources again.
    ReadAgain,
    /// The timeline of what is selected.
    Timeline,
    /// Along the time, to the event before.
    Earlier,
    /// Along the time, to the next event.
    Later,
    /// Closer to the selected event.
    Zoom,
    /// Watch the sources, or no longer.
    Watch,
    /// A form about what is selected.
    Form(Dialog),
    /// What may be done with what is selected.
    Menu,
    /// Mark a row; take a choice or a tick in a form.
    Choose,
    /// Mark all that are listed.
    MarkAll,
    /// Take the last change of a field back.
    Undo,
    /// The entries about what is selected.
    AuditOf,
    /// UTC or local time.
    Clock,
    /// The next row that was searched for.
    NextHit,
    /// The previous row that was searched for.
    PreviousHit,
    /// Sort by the next column.
    Sort,
    /// Turn the order round.
    Reverse,
    /// One row for all that share the words of their verdict.
    GroupWords,
    /// One row for all that share the label of their verdict.
    GroupLabel,
    /// One row for all whose first call was sent in one hour.
    GroupHour,
    /// Rows one by one again.
    Ungroup,
    /// Which columns the list has, and in which order.
    Columns,
    /// Filter, order, groups and columns as in the beginning.
    Reset,
    /// What was closed by a person.
    Closed,
    /// Everything of the order, then of the customer.
    Order,
    /// The hazards of what is selected.
    HazardsOf,
    /// Every action by its name.
    Palette,
    /// What the status line said.
    Messages,
    /// Help for this place.
    Help,
    /// Stop the program, as the shell's ctrl-z does.
    Suspend,
    /// Leave.
    Quit,
}

/// Heading in the help and in `docs/keymap.md`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Group {
    /// Moving about.
    Go,
    /// Doing something.
    Do,
}

/// What a footer says of an action in one place.
pub struct Foot {
    /// Where.
    pub context: Context,
    /// The smallest ranks are shown, five at most.
    pub rank: u8,
    /// Words behind the key.
    pub words: &'static str,
}

/// One action.
pub struct Entry {
    /// What is done.
    pub action: Action,
    /// Name for the config and the documents.
    pub name: &'static str,
    /// Title.
    pub title: &'static str,
    /// Heading.
    pub group: Group,
    /// One sentence.
    pub about: &'static str,
    /// Default keys, the one that is shown first.
    pub keys: &'static [Key],
    /// Where it can be done.
    pub contexts: &'static [Context],
    /// Where the footer names it.
    pub footer: &'static [Foot],
    /// Why it cannot be done now.
    pub refusal: fn(&Model) -> Option<String>,
}

use Context as C;

const LISTS: &[Context] = &[C::List, C::Members];
const ROWS: &[Context] = &[C::List, C::Members, C::Groups];
const LISTED: &[Context] = &[C::Clean, C::List, C::Members, C::Groups];
const SETTLING: &[Context] = &[C::List, C::Members, C::Detail, C::Menu];
const MOVING: &[Context] = &[
    C::List,
    C::Members,
    C::Detail,
    C::Apart,
    C::Raw,
    C::Help,
    C::Hazards,
    C::Course,
    C::Sources,
    C::Groups,
    C::Order,
    C::Messages,
    C::Columns,
    C::Audit,
    C::Menu,
    C::Form,
];
const PLACES: &[Context] = &[
    C::FirstRun,
    C::Loading,
    C::Failed,
    C::Clean,
    C::List,
    C::Members,
    C::Detail,
    C::Apart,
    C::Raw,
    C::Hazards,
    C::Course,
    C::Activity,
    C::Sources,
    C::Audit,
    C::Empty,
    C::Groups,
    C::Order,
    C::Messages,
    C::Columns,
];
const LOADED: &[Context] = &[
    C::Clean,
    C::List,
    C::Members,
    C::Detail,
    C::Apart,
    C::Hazards,
    C::Course,
    C::Activity,
    C::Sources,
    C::Audit,
    C::Form,
    C::Empty,
    C::Groups,
    C::Order,
];
const EVERYWHERE: &[Context] = &[
    C::FirstRun,
    C::Loading,
    C::Failed,
    C::Clean,
    C::List,
    C::Members,
    C::Detail,
    C::Apart,
    C::Raw,
    C::Help,
    C::Find,
    C::Hazards,
    C::Course,
    C::Activity,
    C::Sources,
    C::Audit,
    C::Menu,
    C::Form,
    C::Field,
    C::Empty,
    C::Groups,
    C::Order,
    C::Messages,
    C::Columns,
    C::TooSmall,
];

const fn foot(context: Context, rank: u8, words: &'static str) -> Foot {
    Foot { context, rank, words }
}

fn always(_: &Model) -> Option<String> {
    None
}

const fn screen(
    screen: Screen,
    name: &'static str,
    title: &'static str,
    about: &'static str,
    keys: &'static [Key],
    footer: &'static [Foot],
) -> Entry {
    Entry {
        action: Action::Screen(screen),
        name,
        title,
        group: Group::Go,
        about,
        keys,
        contexts: PLACES,
        footer,
        refusal: always,
    }
}

const fn form(
    dialog: Dialog,
    name: &'static str,
    title: &'static str,
    about: &'static str,
    keys: &'static [Key],
    footer: &'static [Foot],
    refusal: fn(&Model) -> Option<String>,
) -> Entry {
    Entry {
        action: Action::Form(dialog),
        name,
        title,
        group: Group::Do,
        about,
        keys,
        contexts: SETTLING,
        footer,
        refusal,
    }
}

macro_rules! entry {
    ($action:ident, $name:literal, $title:literal, $group:ident, $about:literal,
     $keys:expr, $contexts:expr, $footer:expr, $refusal:expr) => {
        Entry {
            action: Action::$action,
            name: $name,
            title: $title,
            group: Group::$group,
            about: $about,
            keys: $keys,
            contexts: $contexts,
            footer: $footer,
            refusal: $refusal,
        }
    };
}

/// All actions, in the order in which footers show them.
#[rustfmt::skip]
pub static ACTIONS: &[Entry] = &[
    entry!(Back, "back", "back", Go,
        "One layer back; while the sources are read for the first time, stop and keep what is there. Never leaves the program.",
        &[Key::of(Code::Esc)],
        &[C::Audit, C::Menu, C::Form, C::Field, C::Loading, C::Clean, C::List, C::Members, C::Detail, C::Apart, C::Raw, C::Help, C::Find, C::Hazards, C::Course, C::Activity, C::Sources, C::Empty, C::Groups, C::Order, C::Messages, C::Columns, C::Palette],
        &[foot(C::Form, 3, "back, the draft is kept"), foot(C::Field, 3, "back, the draft is kept"), foot(C::Menu, 1, "back"), foot(C::Order, 0, "back"), foot(C::Messages, 0, "back"), foot(C::Columns, 0, "back"), foot(C::Course, 0, "back"), foot(C::Loading, 0, "stop reading, keep what is there"), foot(C::Detail, 0, "back"), foot(C::Apart, 0, "back"),
          foot(C::Raw, 0, "back"), foot(C::Find, 1, "all again"), foot(C::Members, 1, "back")],
        nothing_to_go_back_from),
    entry!(Open, "open", "open", Go, "Open what is selected: the evidence of a row, the members of a row that stands for many, a record.",
        &[Key::of(Code::Enter)],
        &[C::Audit, C::Menu, C::Form, C::FirstRun, C::Clean, C::List, C::Members, C::Detail, C::Apart, C::Find, C::Hazards, C::Course, C::Sources, C::Groups, C::Order, C::Columns],
        &[foot(C::Menu, 0, "do it"), foot(C::Audit, 0, "go to the operation"), foot(C::Form, 2, "press"), foot(C::Groups, 0, "open the group"), foot(C::Order, 1, "evidence"), foot(C::Columns, 1, "as it fits, always, never"), foot(C::Course, 3, "evidence"), foot(C::List, 0, "evidence"), foot(C::Members, 0, "evidence"), foot(C::Find, 0, "keep this filter"),
          foot(C::Clean, 0, "list all"), foot(C::FirstRun, 0, "open the demo"), foot(C::Hazards, 0, "go to the operation"), foot(C::Sources, 0, "all of it")],
        nothing_to_open),
    entry!(Up, "up", "line up", Go, "One line up.", &[Key::of(Code::Up), Key::char('k')], MOVING, &[], always),
    entry!(Down, "down", "line down", Go, "One line down.", &[Key::of(Code::Down), Key::char('j')], MOVING, &[], always),
    entry!(PageUp, "page-up", "page up", Go, "One page up.", &[Key::of(Code::PageUp), Key::ctrl('u')], MOVING, &[], always),
    entry!(PageDown, "page-down", "page down", Go, "One page down.", &[Key::of(Code::PageDown), Key::ctrl('d')], MOVING,
        &[foot(C::Raw, 2, "more")], nothing_below),
    entry!(First, "first", "first line", Go, "To the first line.", &[Key::char('g'), Key::of(Code::Home)], MOVING, &[], always),
    entry!(Last, "last", "last line", Go, "To the last line.", &[Key::char('G'), Key::of(Code::End)], MOVING, &[], always),
    entry!(NextDivergent, "next-divergent", "next divergent", Go, "To the next row whose count or total is not as intended.",
        &[Key::char(']')], LISTS, &[], no_next_divergent),
    entry!(PreviousDivergent, "previous-divergent", "previous divergent", Go,
        "To the previous row whose count or total is not as intended.", &[Key::char('[')], LISTS, &[], no_previous_divergent),
    entry!(NextPane, "next-pane", "next pane", Go, "From the attempts to the ledger rows and back; from the sources to the problems and back.",
        &[Key::of(Code::Tab)], &[C::Detail, C::Sources, C::Form, C::Field],
        &[foot(C::Sources, 2, "sources, problems"), foot(C::Form, 0, "next"), foot(C::Field, 0, "next")], one_pane),
    entry!(PreviousPane, "previous-pane", "previous pane", Go, "From the ledger rows to the attempts and back; from the problems to the sources and back.",
        &[Key::of(Code::BackTab)], &[C::Detail, C::Sources, C::Form, C::Field], &[], one_pane),
    screen(Screen::Triage, "triage", "triage", "The list of what went wrong or has to be decided.", &[Key::char('1')],
        &[foot(C::Empty, 0, "triage"), foot(C::Activity, 0, "triage"), foot(C::Hazards, 1, "triage")]),
    screen(Screen::Hazards, "hazards", "hazards", "Ways of working that lead to double effects.", &[Key::char('2')], &[]),
    screen(Screen::Timeline, "timeline", "timeline", "Events in the order of their times.", &[Key::char('3')], &[]),
    screen(Screen::Audit, "audit", "audit", "What was decided, by whom.", &[Key::char('4')], &[]),
    screen(Screen::Sources, "sources", "sources", "What was read, and what each source can prove.", &[Key::char('5')], &[]),
    entry!(Timeline, "timeline-of", "timeline of the selection", Go, "The timeline of the selected operation.",
        &[Key::char('t')], &[C::List, C::Members, C::Detail, C::Hazards, C::Order], &[foot(C::Hazards, 2, "timeline")], nothing_in_time),
    entry!(Earlier, "earlier", "earlier", Go, "Along the time, to the event before; a column to the left.", &[Key::of(Code::Left)], &[C::Course, C::Columns],
        &[foot(C::Course, 1, "along the time"), foot(C::Columns, 2, "to the left")], super::arrange::stays_left),
    entry!(Later, "later", "later", Go, "Along the time, to the next event; a column to the right.", &[Key::of(Code::Right)], &[C::Course, C::Columns],
        &[foot(C::Columns, 3, "to the right")], super::arrange::stays_right),
    entry!(Zoom, "zoom", "zoom", Go, "The list or the evidence alone, without what stands around it; again: as before. On the timeline: closer to the selected event; behind the closest, all of it again.",
        &[Key::char('z')], &[C::Course, C::List, C::Members, C::Groups, C::Detail], &[foot(C::Course, 2, "zoom")], nothing_to_zoom),
    entry!(ReadAgain, "read-again", "read again", Do, "Read the sources again; the selection stays on its row.",
        &[Key::char('R')],
        &[C::Audit, C::Form, C::Failed, C::Clean, C::List, C::Members, C::Detail, C::Apart, C::Hazards, C::Course, C::Activity, C::Sources, C::Empty, C::Groups, C::Order],
        &[foot(C::Form, 4, "read again"), foot(C::Audit, 1, "read again"), foot(C::Sources, 3, "read again"), foot(C::List, 1, "read again"), foot(C::Detail, 1, "read again"), foot(C::Clean, 1, "read again"),
          foot(C::Failed, 0, "try again")],
        reads_already),
    entry!(Find, "find", "find", Go, "Type a filter (words, state:unknown, risk>100, !fine); the list follows every key, the number hidden is always shown. In the help: search it.",
        &[Key::char('/')], &[C::Clean, C::List, C::Help, C::Groups], &[foot(C::List, 6, "find"), foot(C::Groups, 3, "find")], always),
    entry!(OnlyDivergent, "only-divergent", "divergent only", Go, "Only rows whose count or total is not as intended; again: all.",
        &[Key::char('d')], &[C::List, C::Groups], &[], always),
    entry!(OnlyUnknown, "only-unknown", "unknown only", Go, "Only rows whose state is unknown; again: all.",
        &[Key::char('u')], &[C::List, C::Groups], &[], always),
    entry!(Raw, "raw", "raw record", Do, "The record as it stands in its source, with its place.",
        &[Key::char('v')], &[C::List, C::Members, C::Detail, C::Apart, C::Sources, C::Order],
        &[foot(C::Detail, 6, "raw record"), foot(C::Apart, 2, "raw row")], no_record),
    entry!(Copy, "copy", "copy", Do,
        "Copy the facts of what is selected in plain lines; at once again: those of the whole incident. Says how it was copied.",
        &[Key::char('y')],
        &[C::List, C::Members, C::Detail, C::Apart, C::Raw, C::Hazards, C::Course, C::Sources, C::Groups, C::Order, C::Failed],
        &[foot(C::Groups, 1, "copy the facts"), foot(C::Order, 3, "copy the facts"), foot(C::Failed, 1, "copy the line"), foot(C::List, 2, "copy the facts"), foot(C::Detail, 2, "copy the facts"), foot(C::Apart, 3, "copy the facts"), foot(C::Raw, 3, "copy"),
          foot(C::Sources, 3, "copy")],
        super::copy::nothing),
    entry!(Report, "export", "export", Do,
        "Write what is shown as a file that overwrites no other, and say where it is: a list as CSV with filter and read positions, everything else as a document for the review in HTML.",
        &[Key::char('e')], &[C::Clean, C::List, C::Members, C::Detail, C::Hazards, C::Course, C::Activity, C::Groups, C::Order],
        &[foot(C::Hazards, 3, "report"), foot(C::Activity, 2, "report")], always),
    entry!(Stack, "stack", "side by side or stacked", Do, "Attempts and ledger rows side by side, or one below the other.",
        &[Key::char('|')], &[C::Detail], &[], no_room_beside),
    entry!(Watch, "watch", "watch", Do, "Read again by itself what changes on the disk, or no longer (`--watch SECONDS`). The selection stays on its row.",
        &[Key::char('w')], LOADED, &[], not_watched),
    form(Dialog::Resolve, "resolve", "resolve",
        "Settle what is selected: it happened, it did not, or hold it; of marked rows all at once.",
        &[Key::char('r')], &[foot(C::List, 1, "resolve"), foot(C::Members, 2, "resolve"), foot(C::Detail, 1, "resolve")],
        |model| menu::why_not(model, Dialog::Resolve)),
    form(Dialog::Hold, "hold", "hand over", "Hold it: hand it over to an owner, with a deadline and the reference that reached him.",
        &[Key::char('x')], &[foot(C::List, 2, "hand over"), foot(C::Detail, 1, "hand over")], |model| menu::why_not(model, Dialog::Hold)),
    form(Dialog::Rows, "rows", "rows", "Tie a row to it, take one away, or reject a suggestion.",
        &[Key::char('l')], &[], |model| menu::why_not(model, Dialog::Rows)),
    form(Dialog::Read, "read-for", "read one ledger for it", "Read one ledger for this operation; the read stands in the log.",
        &[], &[], |model| menu::why_not(model, Dialog::Read)),
    form(Dialog::Manual, "seen-elsewhere", "record what was seen elsewhere",
        "Record what was seen by hand, such as on the provider's own screen.", &[], &[], |model| menu::why_not(model, Dialog::Manual)),
    form(Dialog::Reopen, "reopen", "reopen", "Back to unknown, with a note, an owner and a deadline.",
        &[], &[], |model| menu::why_not(model, Dialog::Reopen)),
    form(Dialog::Dispose, "disposition", "close with a disposition", "Say how it was closed; it leaves the list until its facts change.",
        &[], &[], |model| menu::why_not(model, Dialog::Dispose)),
    form(Dialog::Assign, "assign", "take over", "Take it over, or name another owner.", &[], &[], |model| menu::why_not(model, Dialog::Assign)),
    form(Dialog::Deliver, "delivered", "delivered", "Add the ticket, page or message that reached the owner.",
        &[], &[], |model| menu::why_not(model, Dialog::Deliver)),
    form(Dialog::Note, "note", "note", "Write a note on it; nothing else changes.", &[], &[], |model| menu::why_not(model, Dialog::Note)),
    form(Dialog::Accept, "accept", "accept an answer", "Check the answer of the second person, which came as a file, and let it take effect.",
        &[], &[], |model| menu::why_not(model, Dialog::Accept)),
    form(Dialog::Withdraw, "withdraw", "take a request back", "Take back the request that waits for a second person.",
        &[], &[], |model| menu::why_not(model, Dialog::Withdraw)),
    entry!(Choose, "choose", "choose", Do, "In a list: mark the row, or take its mark away. In a form: take a choice or a tick.",
        &[Key::char(' ')], &[C::List, C::Members, C::Menu, C::Form], &[foot(C::Form, 1, "choose")], nothing_to_choose),
    entry!(MarkAll, "mark-all", "mark all", Do, "Mark all that are listed, 500 at most; where all are marked, none.",
        &[], &[C::List, C::Menu], &[], menu::read_only),
    entry!(Menu, "actions", "actions", Do, "What may be done with what is selected, and why the rest may not.",
        &[Key::char('.')], &[C::List, C::Members, C::Detail], &[foot(C::List, 3, "actions"), foot(C::Members, 3, "actions"), foot(C::Detail, 5, "actions")],
        menu::nothing),
    entry!(Undo, "undo", "undo", Do, "Take the last change of a field back.", &[Key::ctrl('r')], &[C::Field], &[foot(C::Field, 2, "undo")], always),
    entry!(AuditOf, "audit-of", "audit entries of the selection", Go, "What was decided about the selected operation, by whom.",
        &[Key::char('i')], &[C::List, C::Members, C::Detail, C::Menu], &[], no_book),
    entry!(Clock, "clock", "UTC or local time", Do, "Show times in UTC or in the local zone.", &[Key::char('T')], LOADED, &[],
        local_is_utc),
    entry!(Help, "help", "help", Do, "Help for this place.", &[Key::char('?')], PLACES,
        &[foot(C::FirstRun, 3, "help"), foot(C::Loading, 3, "help"), foot(C::Failed, 3, "help"), foot(C::Clean, 3, "help"),
          foot(C::List, 4, "help"), foot(C::Members, 4, "help"), foot(C::Detail, 4, "help"), foot(C::Apart, 4, "help"),
          foot(C::Audit, 4, "help"), foot(C::Form, 5, "help"), foot(C::Raw, 4, "help"), foot(C::Empty, 3, "help"), foot(C::Hazards, 4, "help"), foot(C::Course, 4, "help"), foot(C::Activity, 3, "help"), foot(C::Sources, 4, "help"), foot(C::Groups, 4, "help"), foot(C::Order, 4, "help"), foot(C::Messages, 4, "help"), foot(C::Columns, 4, "help")],
        always),
    entry!(NextHit, "next-match", "next match", Go,
        "To the next row that matches what was searched for last, also where it does not filter any more.",
        &[Key::char('n')], LISTS, &[], super::seek::no_next),
    entry!(PreviousHit, "previous-match", "previous match", Go, "To the previous row that matches what was searched for last.",
        &[Key::char('N')], LISTS, &[], super::seek::no_previous),
    entry!(Sort, "sort", "sort by the next column", Do,
        "Sort by the next column: what happened, the operation, the money at risk, the deadline, the first call; then the most urgent first again.",
        &[Key::char('s')], &[C::List], &[], always),
    entry!(Reverse, "reverse", "turn the order round", Do, "Turn the order of the list round.", &[Key::char('S')], &[C::List], &[], always),
    entry!(Order, "order", "everything of this order, then of this customer", Go,
        "Everything of the order of the selection in order of time, with totals; again: everything of its customer.",
        &[Key::char('p')], &[C::List, C::Members, C::Detail, C::Hazards, C::Course, C::Order], &[foot(C::Order, 2, "all of this customer")], super::order::nothing),
    entry!(HazardsOf, "hazards-of", "hazards of the selection", Go, "The hazards screen, on the first one that is about the selection.",
        &[Key::char('h')], &[C::List, C::Members, C::Detail, C::Course, C::Order], &[], super::hazards::none_about),
    entry!(GroupWords, "group-words", "group by what happened", Do, "One row for all that share the words of their verdict.", &[], LISTED, &[], always),
    entry!(GroupLabel, "group-label", "group by label", Do, "One row for all that share the label of their verdict.", &[], LISTED, &[], always),
    entry!(GroupHour, "group-hour", "group by hour", Do, "One row for all whose first call was sent in one hour, UTC.", &[], LISTED, &[], always),
    entry!(Ungroup, "ungroup", "ungroup, rows one by one", Do, "Rows one by one again.", &[], ROWS, &[], super::arrange::not_grouped),
    entry!(Columns, "columns", "choose the columns", Do, "Hide and move columns of the list. The words, the operation and the money never leave.", &[], LISTS, &[], always),
    entry!(Closed, "closed", "show what was closed", Do, "Only rows that a person closed.", &[], &[C::Clean, C::List, C::Groups], &[], always),
    entry!(Reset, "reset", "reset filter, order, groups and columns", Do, "The list as in the beginning.", &[], LISTED, &[], super::arrange::nothing_to_reset),
    entry!(Messages, "messages", "messages", Do, "What the status line said, newest first.", &[], PLACES, &[], no_message),
    entry!(Palette, "palette", "every action by name", Do, "Every action by its name, with its key, or why it is not possible now.",
        &[Key::char(':')], PLACES, &[], always),
    entry!(Suspend, "suspend", "suspend", Do, "Stop the program and give the terminal back to the shell; `fg` goes on.",
        &[Key::ctrl('z')], EVERYWHERE, &[], always),
    entry!(Quit, "quit", "leave", Do, "Leave.", &[Key::char('q'), Key::ctrl('c')], EVERYWHERE,
        &[foot(C::FirstRun, 4, "leave"), foot(C::Loading, 4, "leave"), foot(C::Failed, 4, "leave"), foot(C::Clean, 4, "leave"),
          foot(C::Empty, 4, "leave"), foot(C::Activity, 4, "leave"), foot(C::TooSmall, 0, "leave")],
        always),
];

fn nothing_to_go_back_from(model: &Model) -> Option<String> {
    let somewhere = !model.layers.is_empty()
        || model.screen != Screen::Triage
        || model.filter.is_on()
        || model.grouping.is_some()
        || model.again.is_some()
        || matches!(model.phase, Phase::Loading(_));
    (!somewhere).then(|| "this is the first screen. q leaves".to_owned())
}

fn nothing_to_choose(model: &Model) -> Option<String> {
    match model.context() {
        C::Form => settling::nothing_to_choose(model),
        _ => menu::read_only(model).or_else(|| marks::cannot(model)),
    }
}

fn no_book(model: &Model) -> Option<String> {
    if !model.setup.has_book {
        return Some("this is not a case, so nothing was decided in it".to_owned());
    }
    menu::subject(model).is_none().then(|| "it is no operation that could be decided".to_owned())
}

fn nothing_to_open(model: &Model) -> Option<String> {
    match model.context() {
        C::Audit => audit::leads_nowhere(model),
        C::FirstRun if !model.setup.demo => Some("this build carries no demo".to_owned()),
        C::List | C::Members if model.top_list().is_empty(model.form()) => {
            Some("the list is empty".to_owned())
        }
        C::Detail | C::Apart | C::Sources => no_record(model),
        C::Hazards if super::hazards::intent(model).is_none() => {
            Some("it is not about one operation".to_owned())
        }
        C::Groups if model.top_list().is_empty(model.form()) => Some("there is no group".to_owned()),
        C::Order if super::order::intent(model).is_none() => Some("no attempt of it is known".to_owned()),
        _ => None,
    }
}

fn no_message(model: &Model) -> Option<String> {
    model.log.is_empty().then(|| "nothing was said so far".to_owned())
}

fn nothing_in_time(model: &Model) -> Option<String> {
    super::timeline::selected(model).is_none().then(|| "it has no timeline of its own".to_owned())
}

fn nothing_to_zoom(model: &Model) -> Option<String> {
    if model.context() != C::Course {
        return None;
    }
    let draws = model.course().is_some_and(|course| !course.timeline.window.is_none());
    (!draws).then(|| "no event has a time".to_owned())
}

fn nothing_below(model: &Model) -> Option<String> {
    match model.layers.last() {
        Some(Layer::Raw(raw)) if raw.scroll.most == 0 => Some("everything is in view".to_owned()),
        Some(Layer::Help(help)) if help.scroll.most == 0 => Some("everything is in view".to_owned()),
        Some(Layer::Detail(detail)) if detail.scroll.most == 0 => Some("everything is in view".to_owned()),
        Some(Layer::Messages(scroll)) if scroll.most == 0 => Some("everything is in view".to_owned()),
        _ => None,
    }
}

fn no_next_divergent(model: &Model) -> Option<String> {
    super::open::divergent(model, true).is_none().then(|| "nothing divergent further down".to_owned())
}

fn no_previous_divergent(model: &Model) -> Option<String> {
    super::open::divergent(model, false).is_none().then(|| "nothing divergent further up".to_owned())
}

fn one_pane(model: &Model) -> Option<String> {
    if matches!(model.context(), C::Form | C::Field) {
        return None;
    }
    if model.context() == C::Sources {
        let none = super::sources::problems(model).is_empty();
        return none.then(|| "every record could be used".to_owned());
    }
    let detail = model.detail()?;
    let other_is_empty = match detail.pane {
        Pane::Tried => detail.item.rows().next().is_none(),
        Pane::Ledger => detail.item.attempts().next().is_none(),
    };
    other_is_empty.then(|| "there is nothing on the other side to select".to_owned())
}

fn reads_already(model: &Model) -> Option<String> {
    let reads = model.again.is_some() || matches!(model.phase, Phase::Loading(_));
    reads.then(|| "the sources are being read already".to_owned())
}

fn no_record(model: &Model) -> Option<String> {
    if model.context() == C::Sources {
        let none = super::sources::record(model).is_none();
        return none.then(|| "nothing of this record was kept".to_owned());
    }
    super::open::selected_record(model)
        .is_none()
        .then(|| "there is no single record behind what is selected".to_owned())
}

fn no_room_beside(model: &Model) -> Option<String> {
    let narrow = model.size.width < 80;
    narrow.then(|| "side by side needs 80 columns".to_owned())
}

fn not_watched(model: &Model) -> Option<String> {
    (model.setup.watch == 0)
        .then(|| "start with --watch SECONDS to have changes read by themselves".to_owned())
}

fn local_is_utc(model: &Model) -> Option<String> {
    use crate::model::time::Zone;
    matches!(model.setup.local, Zone::Utc | Zone::Unknown | Zone::Fixed(0))
        .then(|| "the local zone is UTC".to_owned())
}

/// The entry of an action.
pub fn entry(action: Action) -> Option<&'static Entry> {
    ACTIONS.iter().find(|entry| entry.action == action)
}

/// A row of the help: its keys by action and place among their keys, and what it says.
pub struct HelpRow {
    /// Which column.
    pub group: Group,
    /// Actions whose keys stand together, and which of their keys.
    pub keys: &'static [(&'static [Action], usize)],
    /// Where there is room.
    pub words: &'static str,
    /// Where there is little.
    pub short: &'static str,
}

const SCREENS: &[Action] = &[
    Action::Screen(Screen::Triage),
    Action::Screen(Screen::Hazards),
    Action::Screen(Screen::Timeline),
    Action::Screen(Screen::Audit),
    Action::Screen(Screen::Sources),
];

const fn help(
    group: Group,
    keys: &'static [(&'static [Action], usize)],
    words: &'static str,
    short: &'static str,
) -> HelpRow {
    HelpRow { group, keys, words, short }
}

/// The help, top to bottom. Keys of the screens are shown as a range.
#[rustfmt::skip]
pub const HELP: &[HelpRow] = &[
    help(Group::Go, &[(&[Action::Up, Action::Down], 0), (&[Action::Down, Action::Up], 1)], "line", "line"),
    help(Group::Go, &[(&[Action::PageUp, Action::PageDown], 0), (&[Action::First, Action::Last], 0)], "page, ends", "page, ends"),
    help(Group::Go, &[(&[Action::NextDivergent, Action::PreviousDivergent], 0)], "next, previous divergent", "next, previous divergent"),
    help(Group::Go, &[(&[Action::Open], 0), (&[Action::Back], 0)], "open, one step back", "open, back"),
    help(Group::Go, &[(&[Action::NextPane, Action::PreviousPane], 0)], "attempts, ledger rows", "attempts, rows"),
    help(Group::Go, &[(SCREENS, 0)], "screens", "screens"),
    help(Group::Go, &[(&[Action::Timeline, Action::HazardsOf], 0)], "timeline, hazards of it", "timeline, hazards"),
    help(Group::Go, &[(&[Action::Order], 0)], "all of this order, party", "all of this order"),
    help(Group::Go, &[(&[Action::Earlier, Action::Later], 0)], "along the time, sideways", "along the time"),
    help(Group::Go, &[(&[Action::Find], 0), (&[Action::NextHit, Action::PreviousHit], 0)], "find, next, previous hit", "find, next hit"),
    help(Group::Go, &[(&[Action::OnlyDivergent], 0), (&[Action::OnlyUnknown], 0)], "divergent, unknown only", "divergent, unknown"),
    help(Group::Do, &[(&[Action::Sort, Action::Reverse], 0)], "sort, turn round", "sort, turn round"),
    help(Group::Do, &[(&[Action::Palette], 0)], "every action by name", "every action"),
    help(Group::Do, &[(&[Action::ReadAgain], 0)], "read again", "read again"),
    help(Group::Do, &[(&[Action::Watch], 0)], "watch on, off", "watch on, off"),
    help(Group::Do, &[(&[Action::Raw], 0)], "whole value, raw", "raw record"),
    help(Group::Do, &[(&[Action::Copy], 0)], "copy; again: incident", "copy the facts"),
    help(Group::Do, &[(&[Action::Report], 0)], "export as a file", "export"),
    help(Group::Do, &[(&[Action::Stack], 0)], "side by side, stacked", "side by side, stacked"),
    help(Group::Do, &[(&[Action::Zoom], 0)], "zoom", "zoom"),
    help(Group::Do, &[(&[Action::Form(Dialog::Resolve), Action::Form(Dialog::Hold), Action::Form(Dialog::Rows)], 0)], "settle, hold, rows", "settle, hold, rows"),
    help(Group::Do, &[(&[Action::Menu], 0)], "all actions", "all actions"),
    help(Group::Go, &[(&[Action::Choose], 0)], "mark a row, choose", "mark, choose"),
    help(Group::Go, &[(&[Action::AuditOf], 0)], "audit entries of it", "audit entries"),
    help(Group::Do, &[(&[Action::Undo], 0)], "undo", "undo"),
    help(Group::Do, &[(&[Action::Clock], 0)], "UTC or local time", "UTC or local time"),
    help(Group::Do, &[(&[Action::Quit], 0)], "leave", "leave"),
];
