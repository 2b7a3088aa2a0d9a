//! Pure: bounds, coverage, verdict, severity, story (`2-judge.md`).
