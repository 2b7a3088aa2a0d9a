//! One call of a command: its arguments as they were parsed, and where it prints.

use std::cell::RefCell;
use std::ffi::OsString;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};

use clap::ArgMatches;

use crate::report::file::{FileError, NewFile, shown, touches};
use crate::report::out::{Notes, Out};
use crate::report::text::Paint;
use crate::text::redact;

use super::failure::{Failure, INPUT};
use super::table::Command;

/// A command with its arguments.
pub struct Call {
    /// The command.
    pub command: &'static Command,
    /// Where messages go.
    pub notes: Notes,
    matches: ArgMatches,
    /// Standard output, or what takes its place in tests.
    stdout: RefCell<Option<Out<'static>>>,
    given: Vec<String>,
}

impl Call {
    /// Parses the arguments of a command.
    ///
    /// # Errors
    /// What does not fit, in words.
    pub fn new(command: &'static Command, args: &[OsString], stdout: Out<'static>) -> Result<Self, Failure> {
        let matches = command
            .parser()
            .try_get_matches_from(args)
            .map_err(|error| Failure::of_options(command.short_name(), &error))?;
        let given = args.iter().map(|a| a.to_string_lossy().into_owned()).collect();
        let mut call =
            Self { command, notes: Notes::default(), matches, stdout: RefCell::new(Some(stdout)), given };
        call.notes.quiet = call.flag("quiet");
        Ok(call)
    }

    /// The same for the screen: JSON goes to a writer, and nothing is said beside it.
    ///
    /// # Errors
    /// What does not fit, in words.
    pub fn silent(
        command: &'static Command,
        args: &[OsString],
        stdout: Out<'static>,
    ) -> Result<Self, Failure> {
        let mut call = Self::new(command, args, stdout)?;
        call.notes = Notes { quiet: true, silent: true };
        Ok(call)
    }

    /// Whether it is this command, by its short name.
    pub fn is(&self, name: &str) -> bool {
        self.command.short_name() == name
    }

    /// The arguments as they were given.
    pub fn given(&self) -> &[String] {
        &self.given
    }

    /// An option without a value was given.
    pub fn flag(&self, name: &str) -> bool {
        matches!(self.matches.try_get_one::<bool>(name), Ok(Some(true)))
    }

    /// The value of an option that is text.
    pub fn text(&self, name: &str) -> Option<&str> {
        self.matches.try_get_one::<String>(name).ok().flatten().map(String::as_str)
    }

    /// The value of an option that a person wrote and that is kept, without secrets.
    pub fn told(&self, name: &str) -> Option<String> {
        self.text(name).map(|text| redact(text).into_owned())
    }

    /// The values of an option that is given again and again.
    pub fn texts(&self, name: &str) -> Vec<&str> {
        self.matches
            .try_get_many::<String>(name)
            .ok()
            .flatten()
            .into_iter()
            .flatten()
            .map(String::as_str)
            .collect()
    }

    /// The value of an option that is a number.
    pub fn number(&self, name: &str) -> Option<usize> {
        self.matches.try_get_one::<usize>(name).ok().flatten().copied()
    }

    /// The value of an option that is a path.
    pub fn path(&self, name: &str) -> Option<PathBuf> {
        self.matches.try_get_one::<OsString>(name).ok().flatten().map(PathBuf::from)
    }

    /// Paths and addresses: `paths` are those without an option.
    pub fn paths(&self, name: &str) -> Vec<OsString> {
        self.matches.try_get_many::<OsString>(name).ok().flatten().into_iter().flatten().cloned().collect()
    }

    /// The one word of a command, and the id of `show`.
    pub fn word(&self) -> Option<String> {
        self.matches.try_get_one::<OsString>("word").ok().flatten().map(|w| w.to_string_lossy().into_owned())
    }

    /// The second word of a command of two.
    pub fn other(&self) -> Option<String> {
        self.matches.try_get_one::<OsString>("other").ok().flatten().map(|w| w.to_string_lossy().into_owned())
    }

    /// All words of a command of several, with a blank between them.
    pub fn phrase(&self) -> Option<String> {
        let words = self.paths("phrase");
        let words: Vec<String> = words.iter().map(|word| word.to_string_lossy().into_owned()).collect();
        (!words.is_empty()).then(|| words.join(" "))
    }

    /// `--size`.
    pub fn size(&self) -> Option<(u16, u16)> {
        self.matches.try_get_one::<(u16, u16)>("size").ok().flatten().copied()
    }

    /// `--format`; `md` is short for `markdown`.
    pub fn format(&self) -> &str {
        match self.text("format") {
            None => "text",
            Some("md") => "markdown",
            Some(format) => format,
        }
    }

    /// A person looks at what is printed, not a file or another program.
    pub fn on_terminal(&self) -> bool {
        std::io::stdout().is_terminal() && self.path("out").is_none()
    }

    /// Somebody sits there who can be asked: at the input, and where questions are put.
    pub fn can_ask(&self) -> bool {
        let terminal = std::io::stdin().is_terminal() && std::io::stderr().is_terminal();
        terminal && !self.flag("quiet") && self.text("script").is_none()
    }

    /// How words may look: colour as asked for, else only on a terminal; wrapped only there.
    pub fn paint(&self) -> Paint {
        let terminal = self.on_terminal();
        let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
        let forced =
            std::env::var_os("CLICOLOR_FORCE").is_some_and(|value| !value.is_empty() && value != "0");
        let colour = match self.text("color") {
            Some("always") => true,
            Some("never") => false,
            _ if set("NO_COLOR") => false,
            _ if forced => true,
            _ => terminal && std::env::var_os("TERM").is_none_or(|term| term != "dumb"),
        };
        let size = if terminal { crossterm::terminal::size().ok() } else { None };
        Paint { colour, width: size.map_or(0, |(width, _)| usize::from(width)) }
    }

    /// Prints to standard output, or to the file of `--out`, whose path is then printed. A reader that went away is
    /// no failure.
    ///
    /// # Errors
    /// Output that cannot be written.
    pub fn print(&self, print: impl FnOnce(&mut Out<'_>)) -> Result<(), Failure> {
        let Some(path) = self.path("out") else {
            return self.to_stdout(self.format() == "text" && self.flag("ascii"), print);
        };
        let mut file = NewFile::create(&path, self.flag("force")).map_err(|why| of_file(&why))?;
        let mut out = Out::to(Box::new(&mut file));
        out.ascii(self.format() == "text" && self.flag("ascii"));
        print(&mut out);
        out.finish().map_err(|why| cannot_write(&path, &why))?;
        let kept = file.keep().map_err(|why| of_file(&why))?;
        self.to_stdout(false, |out| out.line(&shown(&kept)))
    }

    /// `--out` never touches what is read, whatever `--force` says; under `--read-only` it overwrites nothing at all.
    ///
    /// # Errors
    /// Usage: the file of `--out` is read by this call, or would be overwritten read-only.
    pub fn spare(&self, read: &[PathBuf]) -> Result<(), Failure> {
        let Some(out) = self.path("out") else { return Ok(()) };
        if read.iter().any(|path| touches(&out, path)) {
            return Err(Failure::usage(&format!(
                "--out {} is a file that this call reads, and what is read is never written; name another place with --out",
                shown(&out)
            )));
        }
        if self.flag("read-only") && self.flag("force") {
            return Err(Failure::usage(
                "--read-only overwrites no file; leave out --force and name a new file with --out",
            ));
        }
        Ok(())
    }

    /// Prints to standard output whatever `--out` says.
    ///
    /// # Errors
    /// Output that cannot be written.
    pub fn to_stdout(&self, ascii: bool, print: impl FnOnce(&mut Out<'_>)) -> Result<(), Failure> {
        let mut out = self.stdout.borrow_mut().take().unwrap_or_else(Out::stdout);
        out.ascii(ascii);
        print(&mut out);
        out.finish().map_err(|why| Failure {
            exit: INPUT,
            text: format!("cannot write to standard output: {why}; --out F writes to a file"),
        })
    }
}

fn of_file(why: &FileError) -> Failure {
    match why {
        FileError::Exists(_) => Failure::usage(&why.to_string()),
        FileError::Io { .. } => Failure::input(&why.to_string()),
    }
}

fn cannot_write(path: &Path, why: &std::io::Error) -> Failure {
    Failure::input(&format!("cannot write {}: {why}; name another place with --out", shown(path)))
}
