//! JSON as it is written: member by member, in the order in which it is said, without a tree in memory.
//!
//! Numbers are whole. Texts write every character that does not print as `\uXXXX` (`7-commands.md` 7.5.7).

use std::fmt::{Display, Write as _};

use crate::text::{push_json_string, redact};

/// Writes JSON into a text.
#[derive(Debug, Default)]
pub struct Pen {
    text: String,
    /// A member or element stands before.
    after: bool,
    /// A name was written, its value follows.
    named: bool,
}

/// A whole number.
pub trait Whole: Copy + Display {}

macro_rules! whole {
    ($($number:ty),*) => {$(impl Whole for $number {})*};
}
whole!(u8, u16, u32, u64, usize, i32, i64, i128);

impl Pen {
    /// An empty sheet.
    pub fn new() -> Self {
        Self::default()
    }

    /// What was written so far, which is then no longer here: for streams.
    pub fn take(&mut self) -> String {
        std::mem::take(&mut self.text)
    }

    /// The name of a member; its value comes next.
    pub fn name(&mut self, name: &str) -> &mut Self {
        self.begin();
        push_json_string(&mut self.text, name);
        self.text.push(':');
        self.named = true;
        self
    }

    /// A text.
    pub fn text(&mut self, text: &str) {
        self.begin();
        // Whoever forgot to take the secrets out writes none; twice changes nothing.
        push_json_string(&mut self.text, &redact(text));
    }

    /// A text, or null where it is empty.
    pub fn text_or_null(&mut self, text: &str) {
        if text.is_empty() {
            self.null();
        } else {
            self.text(text);
        }
    }

    /// A whole number.
    pub fn number(&mut self, number: impl Whole) {
        self.begin();
        // Writing to a String cannot fail.
        let _ = write!(self.text, "{number}");
    }

    /// A token that is JSON already, made by us.
    pub fn token(&mut self, token: &str) {
        self.begin();
        self.text.push_str(token);
    }

    /// `true` or `false`.
    pub fn truth(&mut self, truth: bool) {
        self.token(if truth { "true" } else { "false" });
    }

    /// `null`.
    pub fn null(&mut self) {
        self.token("null");
    }

    /// An object.
    pub fn object(&mut self, members: impl FnOnce(&mut Self)) {
        self.open("{");
        members(self);
        self.close("}");
    }

    /// An array.
    pub fn array(&mut self, elements: impl FnOnce(&mut Self)) {
        self.open("[");
        elements(self);
        self.close("]");
    }

    /// An array with one element for each item.
    pub fn each<T>(&mut self, items: impl IntoIterator<Item = T>, mut element: impl FnMut(&mut Self, T)) {
        self.array(|pen| items.into_iter().for_each(|item| element(pen, item)));
    }

    /// An array of texts.
    pub fn texts<S: AsRef<str>>(&mut self, texts: impl IntoIterator<Item = S>) {
        self.each(texts, |pen, text| pen.text(text.as_ref()));
    }

    /// A bracket that is closed later: for streams.
    pub fn open(&mut self, bracket: &str) {
        self.begin();
        self.text.push_str(bracket);
        self.after = false;
    }

    /// Closes what [`Pen::open`] opened.
    pub fn close(&mut self, bracket: &str) {
        self.text.push_str(bracket);
        self.after = true;
    }

    /// The next element stands on a line of its own.
    pub fn new_line(&mut self) {
        if self.after {
            self.text.push(',');
            self.after = false;
        }
        self.text.push('\n');
    }

    /// Closes what stands on lines of its own.
    pub fn close_lines(&mut self, bracket: &str) {
        self.text.push('\n');
        self.close(bracket);
    }

    /// Ends a line; the next value stands by itself.
    pub fn end_line(&mut self) {
        self.text.push('\n');
        self.after = false;
    }

    fn begin(&mut self) {
        if self.named {
            self.named = false;
        } else if self.after {
            self.text.push(',');
        }
        self.after = true;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_in_the_order_in_which_they_are_said() {
        let mut pen = Pen::new();
        pen.object(|pen| {
            pen.name("z").number(1);
            pen.name("a").object(|_| {});
            pen.name("list").array(|pen| {
                pen.number(-2);
                pen.null();
                pen.truth(true);
                pen.array(|_| {});
            });
            pen.name("texts").texts(["a\"b", "\u{1b}[2J\u{202e}"]);
            pen.name("none").text_or_null("");
            pen.name("more").each([1_i64, 2], |pen, number| {
                pen.object(|pen| pen.name("n").number(number));
            });
        });
        assert_eq!(
            pen.take(),
            r#"{"z":1,"a":{},"list":[-2,null,true,[]],"texts":["a\"b","\u001b[2J\u202e"],"none":null,"more":[{"n":1},{"n":2}]}"#
        );
    }

    #[test]
    fn a_stream_in_pieces_is_one_text() {
        let mut pen = Pen::new();
        let mut whole = String::new();
        pen.open("{");
        pen.name("rows").open("[");
        for number in 0..3 {
            pen.new_line();
            pen.number(number);
            whole += &pen.take();
        }
        pen.close_lines("]");
        pen.name("end").truth(false);
        pen.close("}");
        whole += &pen.take();
        assert_eq!(whole, "{\"rows\":[\n0,\n1,\n2\n],\"end\":false}");
    }
}
