//! The nearest known name, for messages about a name that is not known.

pub use crate::model::near::{did_you_mean, listed, nearest};
