//! Frames as text and as maps of roles, at their sizes (`6-screens.md` 7.4.10, 7.4.11).
mod frames;
mod looks;
mod sizes;
