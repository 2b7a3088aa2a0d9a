//! The first word: a command, a path, or neither (`7-commands.md` 7.5.1).

use std::ffi::{OsStr, OsString};
use std::path::Path;

use crate::sources::near::nearest;

use super::failure::Failure;
use super::table::{COMMANDS, Command, families, members, named};

/// What the arguments begin with.
pub enum Start {
    /// Nothing at all.
    Nothing,
    /// A command, and where its own arguments begin.
    Command(&'static Command, usize),
    /// `--help`.
    Help,
    /// `--version`.
    Version,
}

/// Looks at the first word. `is_path`: whether it names something that can be read.
///
/// # Errors
/// A word that is neither a command nor a file, with the nearest command.
pub fn first(args: &[OsString], is_path: impl Fn(&OsStr) -> bool) -> Result<Start, Failure> {
    let Some(word) = args.first() else {
        return Ok(Start::Nothing);
    };
    let open = |at| named("open").map_or(Start::Nothing, |command| Start::Command(command, at));
    let Some(text) = word.to_str() else {
        return Ok(open(0));
    };
    match text {
        "--help" | "-h" => return Ok(Start::Help),
        "--version" | "-V" => return Ok(Start::Version),
        "-" => return Ok(open(0)),
        _ if text.starts_with('-') => return Ok(open(0)),
        _ => {}
    }
    // A command that is a family too: `hazards quiet`.
    let second = args.get(1).and_then(|word| word.to_str()).unwrap_or_default();
    if let Some(command) = named(&format!("{text} {second}")).filter(|_| named(text).is_some()) {
        return Ok(Start::Command(command, 2));
    }
    if let Some(command) = named(text).filter(|c| !c.name.contains(' ') || c.aliases.contains(&text)) {
        return Ok(Start::Command(command, 1));
    }
    if text == "lab" && !cfg!(feature = "lab") {
        return Err(Failure::usage(
            "this build has no lab; build one with cargo build --features lab, on a machine that is no production host",
        ));
    }
    if families().any(|family| family == text) {
        let second = args.get(1).and_then(|word| word.to_str()).unwrap_or_default();
        return match named(&format!("{text} {second}")) {
            Some(command) => Ok(Start::Command(command, 2)),
            None => Err(Failure::usage(&no_member(text, second))),
        };
    }
    if is_path(word) {
        return Ok(open(0));
    }
    Err(Failure::usage(&neither(text)))
}

fn no_member(family: &str, second: &str) -> String {
    let known = members(family);
    let listed = known.join(", ");
    match nearest(second, known.iter().copied()) {
        _ if second.is_empty() || second.starts_with('-') => {
            format!("{family} needs a second word: {listed}")
        }
        Some(near) => format!("no command \"{family} {second}\"; did you mean {family} {near}?"),
        None => format!("no command \"{family} {second}\"; there are: {listed}"),
    }
}

/// A word that is neither.
fn neither(word: &str) -> String {
    let names =
        COMMANDS.iter().flat_map(|c| c.aliases.iter().copied().chain([c.name])).filter(|n| !n.contains(' '));
    match nearest(word, names) {
        Some(near) => format!("no command and no file \"{word}\"; did you mean {near}?"),
        None => format!("no command and no file \"{word}\"; recount --help lists the commands"),
    }
}

/// Something that can be read stands there, or the word says in itself that it is an address.
pub fn is_path(word: &OsStr) -> bool {
    if Path::new(word).symlink_metadata().is_ok() {
        return true;
    }
    let Some(text) = word.to_str() else { return true };
    let is_format = |name: &str| crate::sources::formats::named(name).is_some();
    text.split_once(':').is_some_and(|(format, _)| is_format(format))
        || text.contains("://")
        || text.starts_with("service=")
        || text.contains(['/', '\\'])
        || text.split_once('?').is_some_and(|(path, _)| Path::new(path).symlink_metadata().is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn began(args: &[&str], paths: &[&str]) -> Result<String, String> {
        let args: Vec<OsString> = args.iter().map(OsString::from).collect();
        match first(&args, |word| paths.iter().any(|path| word == *path)) {
            Ok(Start::Nothing) => Ok("nothing".to_owned()),
            Ok(Start::Command(command, at)) => Ok(format!("{} {at}", command.name)),
            Ok(Start::Help) => Ok("help".to_owned()),
            Ok(Start::Version) => Ok("version".to_owned()),
            Err(failure) => {
                assert_eq!(failure.exit, 2);
                Err(failure.text)
            }
        }
    }

    #[test]
    fn only_the_first_word_can_be_a_command() {
        for (args, paths, expected) in [
            (&[][..], &[][..], "nothing"),
            (&["check"], &["check"], "check 1"),
            (&["./check"], &["./check"], "open 0"),
            (&["trace.jsonl", "check"], &["trace.jsonl"], "open 0"),
            (&["--trace", "x", "check"], &[], "open 0"),
            (&["sources"], &[], "case sources 1"),
            (&["case", "sources", "x"], &[], "case sources 2"),
            (&["dev", "canon"], &[], "dev canon 2"),
            (&["-"], &[], "open 0"),
            (&["--help"], &[], "help"),
            (&["-V"], &[], "version"),
            (&["help"], &[], "help 1"),
        ] {
            assert_eq!(began(args, paths).as_deref(), Ok(expected), "{args:?}");
        }
    }

    #[test]
    fn a_word_that_is_neither_names_the_nearest_command() {
        for (args, expected) in [
            (&["chekc"][..], "no command and no file \"chekc\"; did you mean check?"),
            (&["Check"], "no command and no file \"Check\"; did you mean check?"),
            (&["sourcs"], "no command and no file \"sourcs\"; did you mean sources?"),
            (&["xylophone"], "no command and no file \"xylophone\"; recount --help lists the commands"),
            (&["\u{1b}[2J"], "no command and no file \"\\x1b[2J\"; recount --help lists the commands"),
            (&["case"], "case needs a second word: init, add, remove, sources, sniff, acknowledge"),
            (&["case", "sorces"], "no command \"case sorces\"; did you mean case sources?"),
            (
                &["dev", "xylophone"],
                "no command \"dev xylophone\"; there are: states, canon, key, completions, man",
            ),
        ] {
            assert_eq!(began(args, &[]), Err(expected.to_owned()), "{args:?}");
        }
    }

    #[test]
    fn a_build_without_the_lab_says_so() {
        let said = began(&["lab", "normal"], &[]);
        if cfg!(feature = "lab") {
            assert_eq!(said.as_deref(), Ok("lab normal 2"));
        } else {
            assert!(said.unwrap_err().starts_with("this build has no lab; "));
        }
    }

    #[test]
    fn an_address_is_a_path() {
        for (word, expected) in [
            ("sqlite:missing.db", true),
            ("postgres://host/db", true),
            ("service=x", true),
            ("./check", true),
            ("chekc", false),
            ("2026-11-30T09:14.jsonl", false),
        ] {
            assert_eq!(is_path(OsStr::new(word)), expected, "{word}");
        }
    }
}
