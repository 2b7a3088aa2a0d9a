//! Settling on the screen (`6-screens.md` 7.1.12, 7.3, 7.4.8), pure: forms as data, what the rules say of each answer,
//! and the order that a form writes. What is written is the command that a person would type, so the screen and the
//! commands give the same entries.
//!
//! ```text
//! booked    what the book says when a form is opened, and what becomes of an order
//! editor    a field for typing: several lines, undo, paste
//! field     the fields of all forms, as one table
//! form      one form: values, focus, what stands in the way of writing
//! dialogs   the forms, as one table
//! decide    what the rules say of an answer
//! menu      the action menu
//! marks     rows that were chosen, and many at once
//! audit     the screen of the log
//! keys      keys in a form
//! flow      opening, looking, writing, and what comes back
//! ```

pub mod audit;
pub mod booked;
pub mod decide;
pub mod dialogs;
pub mod editor;
pub mod field;
pub mod flow;
pub mod form;
pub mod keys;
pub mod marks;
pub mod menu;
#[cfg(test)]
mod tests;
