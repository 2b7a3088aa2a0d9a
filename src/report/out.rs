//! The only place that prints: data to standard output, everything else to standard error (`7-commands.md` 7.5.5).
//!
//! A reader that goes away ends the output quietly, whatever was still to come. Any other failure is kept and said
//! once at the end, so writers need not ask after every line; loops over many rows ask [`Out::stopped`].

use std::io::{self, BufWriter, Write};

/// Where data goes.
pub struct Out<'w> {
    to: Box<dyn Write + 'w>,
    state: State,
    ascii: bool,
}

enum State {
    Open,
    Closed,
    Failed(io::Error),
}

/// Bytes that are gathered before they are written.
const BUFFER: usize = 64 * 1024;

impl Out<'static> {
    /// Standard output, buffered.
    pub fn stdout() -> Self {
        Self::to(Box::new(BufWriter::with_capacity(BUFFER, io::stdout())))
    }
}

impl<'w> Out<'w> {
    /// Any writer.
    pub fn to(to: Box<dyn Write + 'w>) -> Self {
        Self { to, state: State::Open, ascii: false }
    }

    /// Our glyphs in ASCII from here on (`--ascii`).
    pub fn ascii(&mut self, ascii: bool) {
        self.ascii = ascii;
    }

    /// Writes a text as it is.
    pub fn text(&mut self, text: &str) {
        if !matches!(self.state, State::Open) {
            return;
        }
        let written = if self.ascii && !text.is_ascii() {
            // The corner of trees is no glyph of the screens.
            self.to.write_all(crate::text::ascii(text).replace('└', "+").as_bytes())
        } else {
            self.to.write_all(text.as_bytes())
        };
        self.note(written);
    }

    /// Writes a line.
    pub fn line(&mut self, line: &str) {
        self.text(line);
        self.text("\n");
    }

    /// Nothing that is written from now on arrives anywhere.
    pub fn stopped(&self) -> bool {
        !matches!(self.state, State::Open)
    }

    /// Everything is out, or the reader went away.
    ///
    /// # Errors
    /// The first failure of the writer other than a closed pipe.
    pub fn finish(mut self) -> io::Result<()> {
        if matches!(self.state, State::Open) {
            let flushed = self.to.flush();
            self.note(flushed);
        }
        match self.state {
            State::Open | State::Closed => Ok(()),
            State::Failed(why) => Err(why),
        }
    }

    fn note(&mut self, result: io::Result<()>) {
        if let Err(why) = result {
            self.state =
                if why.kind() == io::ErrorKind::BrokenPipe { State::Closed } else { State::Failed(why) };
        }
    }
}

/// Where messages go: standard error.
#[derive(Clone, Copy, Debug, Default)]
pub struct Notes {
    /// Only errors (`--quiet`).
    pub quiet: bool,
    /// Nothing at all: the screen has the terminal, and says itself what has to be said.
    pub silent: bool,
}

impl Notes {
    /// Says something that is not an error.
    pub fn note(self, text: &str) {
        if !self.quiet {
            self.error(text);
        }
    }

    /// Asks: the answer is typed behind it.
    pub fn ask(self, text: &str) {
        let mut to = io::stderr().lock();
        let _ = write!(to, "{text}");
        let _ = to.flush();
    }

    /// Says what went wrong.
    pub fn error(self, text: &str) {
        if self.silent {
            return;
        }
        // Nobody is left to be told when standard error fails.
        let _ = writeln!(io::stderr().lock(), "{text}");
    }
}

#[cfg(test)]
#[expect(clippy::missing_panics_doc, reason = "helpers of tests")]
pub mod tests {
    //! Tests, and what other tests print into.

    use std::cell::RefCell;
    use std::rc::Rc;

    use super::*;

    /// A writer that keeps what it got and fails after so many writes.
    #[derive(Clone, Default)]
    pub struct Kept {
        /// What was written.
        pub bytes: Rc<RefCell<Vec<u8>>>,
        /// Writes that still succeed, and the failure after them.
        pub fails: Option<(Rc<RefCell<usize>>, io::ErrorKind)>,
    }

    impl Write for Kept {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            if let Some((left, kind)) = &self.fails {
                let mut left = left.borrow_mut();
                if *left == 0 {
                    return Err((*kind).into());
                }
                *left -= 1;
            }
            self.bytes.borrow_mut().extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    impl Kept {
        /// What was written, as text.
        pub fn text(&self) -> String {
            String::from_utf8(self.bytes.borrow().clone()).unwrap()
        }

        /// Fails after so many writes.
        pub fn failing(after: usize, kind: io::ErrorKind) -> Self {
            Self { fails: Some((Rc::new(RefCell::new(after)), kind)), ..Self::default() }
        }
    }

    /// What a printer prints.
    pub fn printed(print: impl FnOnce(&mut Out<'_>)) -> String {
        let kept = Kept::default();
        let mut out = Out::to(Box::new(kept.clone()));
        print(&mut out);
        out.finish().unwrap();
        kept.text()
    }

    #[test]
    fn a_closed_pipe_is_a_quiet_end() {
        let kept = Kept::failing(2, io::ErrorKind::BrokenPipe);
        let mut out = Out::to(Box::new(kept.clone()));
        out.line("one");
        assert!(!out.stopped());
        out.line("two");
        assert!(out.stopped());
        out.line("three");
        assert!(out.finish().is_ok());
        assert_eq!(kept.text(), "one\n");
    }

    #[test]
    fn any_other_failure_is_kept() {
        let mut out = Out::to(Box::new(Kept::failing(0, io::ErrorKind::StorageFull)));
        out.line("one");
        out.line("two");
        assert_eq!(out.finish().unwrap_err().kind(), io::ErrorKind::StorageFull);
    }

    #[test]
    fn glyphs_in_ascii() {
        let text = printed(|out| {
            out.ascii(true);
            out.line("└─ a");
            out.ascii(false);
            out.line("└─ b");
        });
        assert_eq!(text, "+- a\n└─ b\n");
    }
}
