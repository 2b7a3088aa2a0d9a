//! The command table, arguments, and one file per command.
