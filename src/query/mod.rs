//! The filter: parse and evaluate over the rows of the triage list.
