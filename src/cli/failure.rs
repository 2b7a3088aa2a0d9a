//! Why a command ends before its work is done: a sentence or two for standard error, and the exit code.

use clap::error::{ContextKind, ContextValue, Error, ErrorKind};

use crate::text::{SafeText, redact};

/// Exit code for a command that cannot be understood (`7-commands.md` 7.5.5).
pub const USAGE: u8 = 2;
/// Exit code for input that cannot be read.
pub const INPUT: u8 = 4;

/// An expected end. Its text says what failed, where, and what to do next; it holds no control characters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// Exit code.
    pub exit: u8,
    /// What to say, in one or more lines.
    pub text: String,
}

impl Failure {
    /// A usage error.
    pub fn usage(text: &str) -> Self {
        Self::new(USAGE, text)
    }

    /// An input error.
    pub fn input(text: &str) -> Self {
        Self::new(INPUT, text)
    }

    fn new(exit: u8, text: &str) -> Self {
        // What a person typed may hold a secret, and messages are kept in logs.
        let lines = SafeText::lines(&redact(text));
        let shown: Vec<String> = lines.iter().map(|line| line.shown().into_owned()).collect();
        Self { exit, text: shown.join("\n") }
    }

    /// What the parser of options found, in our words.
    pub fn of_options(command: &str, error: &Error) -> Self {
        let text = |kind| error.get(kind).map(context_text).unwrap_or_default();
        let argument = text(ContextKind::InvalidArg);
        let name = argument.split_whitespace().next().unwrap_or_default().to_owned();
        let value = text(ContextKind::InvalidValue);
        let help = format!("recount help {command} lists what it takes");
        let said = match error.kind() {
            ErrorKind::UnknownArgument => {
                let near = text(ContextKind::SuggestedArg);
                let near = near.split_whitespace().next().unwrap_or_default();
                if argument.starts_with('-') {
                    format!("{command} has no option {argument}{} {help}", did_you_mean(near))
                } else {
                    format!("{command} takes no further argument, but there is {argument:?}; {help}")
                }
            }
            ErrorKind::InvalidValue if value.is_empty() => format!("{name} needs a value; {help}"),
            ErrorKind::InvalidValue => {
                let known = text(ContextKind::ValidValue);
                let near = did_you_mean(&text(ContextKind::SuggestedValue));
                format!("{name} cannot be {value:?}{near} It is one of: {known}")
            }
            ErrorKind::ValueValidation => {
                let why = std::error::Error::source(error).map(ToString::to_string).unwrap_or_default();
                format!("{name} cannot be {value:?}: {why}")
            }
            ErrorKind::MissingRequiredArgument => {
                format!("{command} needs {}; {help}", argument.replace(['<', '>'], "").replace("...", ".."))
            }
            ErrorKind::ArgumentConflict => {
                format!("{argument} is given twice or does not fit the rest; {help}")
            }
            ErrorKind::NoEquals | ErrorKind::TooFewValues | ErrorKind::WrongNumberOfValues => {
                format!("{name} needs a value; {help}")
            }
            ErrorKind::InvalidUtf8 => "an option holds bytes that are not UTF-8; only paths may".to_owned(),
            _ => {
                error.to_string().lines().next().unwrap_or_default().trim_start_matches("error: ").to_owned()
            }
        };
        Self::usage(&said)
    }
}

/// Ends a sentence, with the nearest name where there is one.
fn did_you_mean(near: &str) -> String {
    if near.is_empty() { ".".to_owned() } else { format!("; did you mean {near}?") }
}

fn context_text(value: &ContextValue) -> String {
    match value {
        ContextValue::String(text) => text.clone(),
        ContextValue::Strings(texts) => texts.join(", "),
        other => other.to_string(),
    }
}
