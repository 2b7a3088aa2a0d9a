//! Help, made from the command table (`7-commands.md` 7.5.2).

use crate::report::figures::add;
use crate::report::out::Out;
use crate::sources::near::did_you_mean;
use crate::text::{pad_right, wrap};

use super::call::Call;
use super::failure::Failure;
use super::table::{COMMANDS, Command, EXITS, Group, families, named};

/// Cells of the usage in the short help.
const USAGE: usize = 27;

/// Cells of a name in longer lists.
const NAME: usize = 26;

/// Cells that help takes; it is also read through a pipe.
const WIDTH: usize = 100;

/// `help`: short, `help all`, or of one command.
pub fn run(call: &Call) -> Result<u8, Failure> {
    match call.phrase().as_deref() {
        None => short(),
        Some("all") => print(&all_text()),
        Some(word) if named(word).is_none() && families().any(|family| family == word) => {
            print(&family_text(word))
        }
        Some(word) => named(word).map_or_else(|| Err(unknown(word)), of_command),
    }
}

fn unknown(word: &str) -> Failure {
    let names = COMMANDS.iter().flat_map(|c| c.aliases.iter().copied().chain([c.name]));
    let near = did_you_mean(word, names).replace('`', "");
    Failure::usage(&format!("no command \"{word}\"{near}; recount help all lists them"))
}

/// `--help`.
pub fn short() -> Result<u8, Failure> {
    print(&short_text())
}

/// `--version`: version, build and features.
pub fn version() -> Result<u8, Failure> {
    print(&format!("{}\n", version_words()))
}

/// Version with build and features.
pub fn version_words() -> String {
    let build = if cfg!(debug_assertions) { "debug" } else { "release" };
    let features = [
        ("lab", cfg!(feature = "lab")),
        ("postgres", cfg!(feature = "postgres")),
        ("mysql", cfg!(feature = "mysql")),
    ];
    let features: Vec<&str> = features.into_iter().filter(|(_, on)| *on).map(|(name, _)| name).collect();
    format!(
        "recount {} ({build} build for {} {}; features: {})",
        env!("CARGO_PKG_VERSION"),
        std::env::consts::ARCH,
        std::env::consts::OS,
        if features.is_empty() { "none".to_owned() } else { features.join(", ") }
    )
}

/// Help of one command.
pub fn of_command(command: &Command) -> Result<u8, Failure> {
    print(&command_text(command))
}

fn print(text: &str) -> Result<u8, Failure> {
    let mut out = Out::stdout();
    out.text(text);
    match out.finish() {
        Ok(()) => Ok(0),
        Err(why) => Err(Failure::input(&format!("cannot write to standard output: {why}"))),
    }
}

/// The short help.
pub fn short_text() -> String {
    let mut text = "recount counts again what really happened.\n\n".to_owned();
    // What comes afterwards, and what is only to be tried out, stands below what is to be worked with (7.5.2).
    let (later, first): (Vec<&Command>, Vec<&Command>) =
        COMMANDS.iter().partition(|c| matches!(c.name, "report" | "demo"));
    for (usage, words) in first.into_iter().chain(later).filter_map(|c| c.short) {
        add(&mut text, format_args!("  {}{words}\n", pad_right(usage, USAGE)));
    }
    add(
        &mut text,
        format_args!(
            "\n  {}every command        recount explain CODE   any word or code it prints\n",
            pad_right("recount help all", USAGE)
        ),
    );
    text
}

/// Every command by group.
pub fn all_text() -> String {
    let mut text = String::new();
    for group in Group::ALL {
        if !COMMANDS.iter().any(|c| c.group == group) {
            continue;
        }
        if !text.is_empty() {
            text.push('\n');
        }
        add(&mut text, format_args!("{}\n", group.heading()));
        for command in COMMANDS.iter().filter(|c| c.group == group) {
            let name = command.name;
            let aliases = command.aliases.join(", ");
            let aliases = if aliases.is_empty() { aliases } else { format!(" ({aliases})") };
            text += &entry(&format!("{name}{aliases}"), command.does);
        }
    }
    text += "\nexit codes\n";
    let used = |code: u8| COMMANDS.iter().any(|command| command.exits.contains(&code));
    for (code, meaning) in EXITS.into_iter().filter(|(code, _)| used(*code)) {
        text += &entry(&code.to_string(), meaning);
    }
    text += "\nrecount help COMMAND tells of one: what it takes, its options, its exit codes.\n";
    text
}

/// The commands of a first word: `lab`.
pub fn family_text(family: &str) -> String {
    let mut text = String::new();
    for command in COMMANDS.iter().filter(|c| c.name.split_once(' ').is_some_and(|(f, _)| f == family)) {
        text += &entry(command.name, command.does);
    }
    add(&mut text, format_args!("\nrecount help {family} COMMAND tells of one.\n"));
    text
}

/// One command: usage, what it does, options by heading, exit codes.
pub fn command_text(command: &Command) -> String {
    let mut text = format!("{}\n\n", command.usage());
    for line in wrap(command.does, WIDTH) {
        add(&mut text, format_args!("{line}\n"));
    }
    if command.name != command.short_name() {
        add(&mut text, format_args!("also: recount {}\n", command.name));
    }
    for set in command.options {
        add(&mut text, format_args!("\n{}\n", set.heading));
        for option in set.options {
            text += &entry(&option.shown(), option.help);
        }
    }
    text += "\nexit codes\n";
    for code in command.exits {
        let meaning = EXITS.iter().find(|(known, _)| known == code).map_or("", |(_, meaning)| *meaning);
        text += &entry(&code.to_string(), meaning);
    }
    text
}

/// A name and its words; a long name has a line of its own.
fn entry(name: &str, words: &str) -> String {
    let lines = wrap(words, WIDTH - NAME - 2);
    let mut text = String::new();
    let mut head = format!("  {}", pad_right(name, NAME));
    if crate::text::width(name) >= NAME {
        add(&mut text, format_args!("  {name}\n"));
        head = " ".repeat(NAME + 2);
    }
    for line in lines {
        add(&mut text, format_args!("{head}{line}\n"));
        head = " ".repeat(NAME + 2);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_short_help_is_that_of_the_specification_for_what_there_is() {
        assert_eq!(
            short_text(),
            "recount counts again what really happened.\n\n\
             \x20 recount FILES..            open the screen on traces and ledgers, or on a case folder\n\
             \x20 recount check FILES..      say what went wrong, with an exit code\n\
             \x20 recount show ID            one intent: story, attempts, effects, what may be done\n\
             \x20 recount resolve ID         settle an unknown, with evidence and a note\n\
             \x20 recount report FILES..     a document for the review\n\
             \x20 recount demo               try it on a sample case\n\n\
             \x20 recount help all           every command        recount explain CODE   any word or code it prints\n"
        );
    }

    #[test]
    fn every_command_and_option_stands_in_help() {
        let all = all_text();
        for command in &COMMANDS {
            assert!(all.contains(command.name), "{}", command.name);
            let own = command_text(command);
            assert!(own.starts_with(&command.usage()));
            for option in command.options.iter().flat_map(|set| set.options) {
                assert!(own.contains(&format!("  --{}", option.name)), "{} {}", command.name, option.name);
            }
            assert!(own.lines().all(|line| crate::text::width(line) <= WIDTH), "{own}");
        }
    }
}
