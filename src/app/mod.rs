//! The screen's machine, pure: model, message, action, update. No drawing, no IO.
