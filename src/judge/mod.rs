//! Pure: bounds, coverage, verdict, severity, story (`2-judge.md`).

pub mod explain;
pub mod facts;
pub mod findings;
pub mod inputs;
pub mod judgement;
pub mod playbook;
pub mod rules;
pub mod severity;
pub mod story;
pub mod view;
pub mod words;
