//! Pure: bounds, coverage, verdict, severity, story (`2-judge.md`).

pub mod facts;
pub mod judgement;
pub mod rules;
pub mod story;
pub mod view;
