//! Drawing, pure: one file per pane, theme roles, the windowed table.
//!
//! Panes draw texts with roles on a [`canvas::Canvas`]; only [`theme`] knows colours, and only when the canvas is
//! painted. Nothing here changes the model. What a drawing finds out (how far a text can be scrolled) goes back to
//! it in a [`Frame`].

pub mod canvas;
mod columns;
mod header;
pub mod role;
mod shown;
mod status;
pub mod theme;
