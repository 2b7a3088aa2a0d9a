//! Drawing, pure: one file per pane, theme roles, the windowed table.
