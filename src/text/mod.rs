//! Pure: the only displayable text from outside, and what every output does to it.
//!
//! Text from files, databases, arguments and errors is hostile (`reliability.md` 2.3). It becomes a [`SafeText`] before
//! anything shows it; widgets and printers take nothing else. The raw text stays what is matched, hashed and stored.
//! The room uses no other room, reads no clock and does no IO.
//!
//! | Output | Secrets | Then | Then |
//! |---|---|---|---|
//! | screen, text output, errors | [`redact`] | [`SafeText::new`], bytes [`SafeText::from_bytes`], a record [`SafeText::excerpt`] | [`SafeText::cut`], [`SafeText::wrap`], pads |
//! | an id, a key, a name of a table or column, anywhere | [`redact`] | [`SafeText::id`] | [`cut_apart`], [`SafeText::cut_middle`] |
//! | our own words | – | [`SafeText::from_trusted`], [`SafeText::fill`] | money in a sentence: [`SafeText::unbroken`] |
//! | `--ascii` | | data [`SafeText::to_ascii`] before the layout | frames [`ascii`], marks [`ascii_mark`] |
//! | JSON, JSON lines | [`redact`], records [`redact_json`] | [`json_string`], which takes raw text and loses nothing | |
//! | CSV | [`redact`] | [`SafeText`] | [`csv_text`], numeric columns [`csv_number`] |
//! | Markdown | [`redact`] | [`SafeText`] | [`markdown`] |
//! | HTML | [`redact`] | [`SafeText`] | [`html`], ids [`html_id`] |
//! | clipboard | [`redact`] | [`SafeText`] | as shown |
//! | notes and anything stored | [`redact`] | shown by [`SafeText::lines`] | |
//! | a raw record with `v` | [`redact_json`] | [`SafeText::excerpt`] | |
//! | an address of a database | [`url`] | [`SafeText::new`] | |
//! | a path in a sentence | | [`SafeText::from_bytes`] | |
//! | a path or word of a command line to copy | | [`shell_path`], [`shell_word`] | |
//! | the name of a file we make | | [`file_name`] | |
//! | code points in the detail view | | [`code_points`] | |
//!
//! A text that is not shown as it is says so: [`SafeText::changed`], [`SafeText::marked`].

mod ascii;
mod csv;
mod escape;
mod filename;
mod html;
mod ids;
mod json;
mod markdown;
mod redact;
mod safe;
mod shell;
mod tables;
mod width;

#[cfg(test)]
mod tests;

pub use ascii::{MAP as ASCII_MAP, ascii, ascii_glyph, ascii_mark};
pub use csv::{csv_guard, csv_number, csv_text, is_decimal};
pub use escape::is_printing;
pub use filename::{LONGEST_NAME, file_name};
pub use html::{html, html_id};
pub use json::{json_string, push_json_string};
pub use markdown::markdown;
pub use redact::{UNREADABLE_ADDRESS, is_secret_name, redact, redact_json, redacted, url};
pub use safe::{ESCAPED_MARK, NBSP, SafeText, code_points};
pub use shell::{shell_path, shell_word};
pub use width::{
    ELLIPSIS, cut, cut_apart, cut_middle, elide_prefix, pad_left, pad_right, plain_blanks, shared_prefix,
    short_hash, width, wrap,
};
