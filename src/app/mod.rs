//! The screen's machine, pure: model, message, action, update. No drawing, no IO.
//!
//! [`update::update`] takes a [`msg::Msg`], changes the [`model::Model`] and answers with [`msg::Cmd`]s that the
//! runtime runs; their results come back as messages with the number of the request. What lies above a screen is a
//! stack of layers, and `esc` takes off exactly one. [`action::ACTIONS`] is the only place that knows keys. Data
//! comes through [`case::CaseView`].

pub mod action;
pub mod arrange;
pub mod bindings;
pub mod case;
pub mod copy;
pub mod figures;
pub mod hazards;
pub mod keymap;
pub mod keys;
pub mod layers;
pub mod layout;
pub mod list;
mod load;
pub mod model;
pub mod msg;
pub mod open;
pub mod order;
pub mod palette;
pub mod progress;
mod seek;
pub mod session;
pub mod settle;
pub mod sources;
#[cfg(test)]
pub(crate) mod testcase;
#[cfg(test)]
mod tests;
pub mod timeline;
mod typing;
pub mod update;
