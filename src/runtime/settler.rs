//! Who looks into the book and writes it for the screen. Made by `cli`: the same code as its commands.

use crate::app::case::{CaseView, Trouble};
use crate::app::settle::booked::{Log, Looked, Order, Outcome, Todo, Told};

/// Looks into the book and writes it. Every function may take its time: a worker asks.
pub trait Settler: Send + Sync {
    /// What the book says of these intents, and what was typed before.
    ///
    /// # Errors
    /// What keeps the book from being read.
    fn look(&self, intents: &[String], case: &dyn CaseView, draft: &str) -> Result<Looked, Trouble>;

    /// Writes an order: everything is read and checked again.
    fn write(&self, order: &Order) -> Outcome;

    /// Whether an order is in the book, behind an entry.
    fn recheck(&self, order: &Order, before: i64) -> Outcome;

    /// The log, with whether its chain holds.
    ///
    /// # Errors
    /// What keeps it from being read.
    fn log(&self) -> Result<Log, Trouble>;

    /// Keeps what was typed; an empty text forgets it.
    fn keep(&self, draft: &str, text: &str);
}

/// Does what a form asks for; `None` for what has no answer.
pub fn answer(settler: Option<&dyn Settler>, case: &dyn CaseView, todo: Todo) -> Option<Told> {
    let none = || Trouble {
        what: "there is no book here".to_owned(),
        next: "recount case init DIR FILES makes a case".to_owned(),
    };
    Some(match todo {
        Todo::Look { request, intents, draft } => {
            let looked = settler.map_or_else(|| Err(none()), |s| s.look(&intents, case, &draft));
            Told::Looked(request, looked.map(Box::new))
        }
        Todo::Write { request, order } => {
            let outcome = settler.map_or_else(|| Outcome::Failed(none()), |s| s.write(&order));
            Told::Written(request, Box::new(outcome))
        }
        Todo::Recheck { request, order, before } => {
            let outcome = settler.map_or_else(|| Outcome::Failed(none()), |s| s.recheck(&order, before));
            Told::Written(request, Box::new(outcome))
        }
        Todo::ReadLog { request } => {
            let log = settler.map_or_else(|| Err(none()), Settler::log);
            Told::LogRead(request, log.map(Box::new))
        }
        Todo::Keep { draft, text } => {
            if let Some(settler) = settler {
                settler.keep(&draft, &text);
            }
            return None;
        }
        // The terminal is given away for it: only the loop can.
        Todo::Edit { .. } => return None,
    })
}
