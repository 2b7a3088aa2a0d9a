//! `recount.toml` and its layers.
