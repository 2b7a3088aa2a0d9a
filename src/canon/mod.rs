//! Canonical JSON (RFC 8785) and hashes (`1-model.md` 1.6).
