//! `completions SHELL` and `man`: both made from the command table (`7-commands.md` 7.5.3).

use clap::ValueHint;
use clap_complete::Shell;

use crate::app::action::{ACTIONS, Group as Keys};
use crate::report::file::shown;
use crate::report::out::Out;

use super::call::Call;
use super::failure::Failure;
use super::options::Set;
use super::table::{COMMANDS, Command, EXITS, Group, families, members, named};

/// The shells there are completions for.
const SHELLS: [(&str, Shell); 5] = [
    ("bash", Shell::Bash),
    ("zsh", Shell::Zsh),
    ("fish", Shell::Fish),
    ("powershell", Shell::PowerShell),
    ("elvish", Shell::Elvish),
];

/// `completions SHELL`.
pub fn completions(call: &Call) -> Result<u8, Failure> {
    let word = call.word().unwrap_or_default();
    let Some((_, shell)) = SHELLS.iter().find(|(name, _)| *name == word) else {
        let names: Vec<&str> = SHELLS.iter().map(|(name, _)| *name).collect();
        let near = crate::model::near::did_you_mean(&word, names.iter().copied());
        return Err(Failure::usage(&format!(
            "there are no completions for {word:?}{near}; there are {}",
            names.join(", ")
        )));
    };
    print(call, &script(*shell))
}

/// `man`.
pub fn man(call: &Call) -> Result<u8, Failure> {
    print(call, &page())
}

fn print(call: &Call, text: &str) -> Result<u8, Failure> {
    call.to_stdout(false, |out: &mut Out<'_>| out.text(text))?;
    Ok(0)
}

/// The script of a shell.
pub fn script(shell: Shell) -> String {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut whole(), "recount", &mut script);
    String::from_utf8_lossy(&script).into_owned()
}

/// All commands as one parser, as a shell completes them. Words without an option complete as files.
fn whole() -> clap::Command {
    let plain = |name: &'static str| {
        clap::Command::new(name)
            .disable_help_flag(true)
            .disable_help_subcommand(true)
            .disable_version_flag(true)
    };
    let one = |command: &Command, name: &'static str| {
        command
            .parser()
            .name(name)
            .about(command.does)
            .mut_args(|arg| if arg.is_positional() { arg.value_hint(ValueHint::AnyPath) } else { arg })
    };
    let mut root = plain("recount");
    if let Some(open) = named("open") {
        root = root.args(one(open, "open").get_arguments().cloned());
    }
    let mut seen: Vec<&str> = Vec::new();
    for family in families() {
        if seen.contains(&family) {
            continue;
        }
        seen.push(family);
        // `hazards` is a command and a family too.
        let mut parent = named(family).map_or_else(|| plain(family), |command| one(command, family));
        for member in members(family) {
            if let Some(command) = named(&format!("{family} {member}")) {
                parent = parent.subcommand(one(command, member));
            }
        }
        root = root.subcommand(parent);
    }
    for command in &COMMANDS {
        let single = (!command.name.contains(' ') && !seen.contains(&command.name)).then_some(command.name);
        for name in single.into_iter().chain(command.aliases.iter().copied()) {
            root = root.subcommand(one(command, name));
        }
    }
    root
}

/// Variables of the surroundings that change something.
const VARIABLES: [(&str, &str); 8] = [
    ("RECOUNT_OPERATOR", "who decides, where --operator names nobody"),
    ("NO_COLOR", "no colour where it is not empty"),
    ("CLICOLOR_FORCE", "colour as with --color always, where it is neither empty nor 0"),
    ("LC_ALL, LC_CTYPE, LANG", "the first that is set decides: ASCII where it is not UTF-8"),
    ("TZ", "the local zone"),
    ("XDG_CONFIG_HOME", "where the config of the user is looked for"),
    ("XDG_STATE_HOME", "where filter, order and layout of the screen are kept"),
    ("SSH_TTY, SSH_CONNECTION, TMUX", "how copied text reaches the clipboard"),
];

/// The page, for `man -l -`: every command with its options, exit codes, and every action of the screen with its keys.
pub fn page() -> String {
    let mut page = format!(
        ".TH RECOUNT 1 \"\" \"recount {}\" \"User Commands\"\n.SH NAME\nrecount \\- counts again what really happened\n\
         .SH SYNOPSIS\n",
        env!("CARGO_PKG_VERSION")
    );
    for line in ["recount FILES..", "recount COMMAND [ARGUMENTS]"] {
        page.push_str(&format!(".B {}\n.br\n", roff(line)));
    }
    page.push_str(
        ".SH DESCRIPTION\nLays what was tried (traces) beside what was done (ledgers), one line for each intent, and shows \
         where the number or the total of effects differs from the intended one. Traces and ledgers are never written.\n\
         .SH COMMANDS\n",
    );
    for group in Group::ALL {
        let mut of = COMMANDS.iter().filter(|command| command.group == group).peekable();
        if of.peek().is_some() {
            page.push_str(&format!(".SS {}\n", roff(group.heading())));
        }
        for command in of {
            page.push_str(&entry(&command.usage(), command.does));
            if command.name != command.short_name() {
                page.push_str(&format!("Also: recount {}.\n", roff(command.name)));
            }
            let codes: Vec<String> = command.exits.iter().map(u8::to_string).collect();
            page.push_str(&format!("Exit codes: {}.\n.RS\n", codes.join(", ")));
            for option in
                command.options.iter().filter(|set| set.heading != "for all commands").flat_map(options)
            {
                page.push_str(&option);
            }
            page.push_str(".RE\n");
        }
    }
    page.push_str(".SH OPTIONS OF ALL COMMANDS\n");
    page.extend(options(&super::options::COMMON));
    page.push_str(".SH KEYS\nOf the screen; they can be changed in the config, by the names in brackets.\n");
    for keys in [Keys::Go, Keys::Do] {
        for action in ACTIONS.iter().filter(|action| action.group == keys) {
            let names: Vec<String> = action.keys.iter().map(ToString::to_string).collect();
            page.push_str(&entry(&format!("{} [{}]", names.join(", "), action.name), action.about));
        }
    }
    page.push_str(".SH EXIT STATUS\n");
    for (code, meaning) in EXITS {
        page.push_str(&entry(&code.to_string(), meaning));
    }
    page.push_str(".SH ENVIRONMENT\n");
    for (name, meaning) in VARIABLES {
        page.push_str(&entry(name, meaning));
    }
    page.push_str(".SH FILES\n");
    let user = "$XDG_CONFIG_HOME/recount/config.toml";
    for (path, meaning) in [
        (crate::config::NAME, "what belongs to a case; recount config template shows every key"),
        (user, "the config of the user; recount config path prints where it is"),
        ("book.db", "what was recorded and decided in a case, with its audit chain"),
    ] {
        page.push_str(&entry(&shown(std::path::Path::new(path)), meaning));
    }
    page
}

fn options(set: &Set) -> Vec<String> {
    set.options.iter().map(|option| entry(&option.shown(), option.help)).collect()
}

/// A name with its words below it.
fn entry(name: &str, words: &str) -> String {
    format!(".TP\n.B {}\n{}\n", roff(name), roff(words))
}

/// Text that the formatter takes as it is: no request at the beginning of a line, dashes and backslashes as themselves.
fn roff(text: &str) -> String {
    let text = text.replace('\\', "\\e").replace('-', "\\-").replace('"', "\\(dq").replace('`', "\\(ga");
    if text.starts_with(['.', '\'']) { format!("\\&{text}") } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_parser_of_all_commands_stands_and_every_shell_gets_every_command() {
        whole().debug_assert();
        for (name, shell) in SHELLS {
            let script = script(shell);
            for command in &COMMANDS {
                let last = command.name.rsplit(' ').next().unwrap();
                assert!(script.contains(last), "{name}: {}", command.name);
            }
            for option in ["ledger-final", "theme", "sample", "high_value"].iter().take(3) {
                assert!(script.contains(option), "{name}: {option}");
            }
        }
    }

    #[test]
    fn bash_reads_its_script() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("recount.bash");
        std::fs::write(&path, script(Shell::Bash)).unwrap();
        let Ok(done) = std::process::Command::new("bash").arg("-n").arg(&path).output() else { return };
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
        // What a person would get: the commands that begin so, and the words of an option.
        let ask = |words: &str, at: usize| {
            let run = format!(
                "source '{}'; COMP_WORDS=({words}); COMP_CWORD={at}; _recount recount \"${{COMP_WORDS[{at}]}}\" \
                 \"${{COMP_WORDS[{}]}}\"; echo \"${{COMPREPLY[@]}}\"",
                path.display(),
                at - 1
            );
            let done = std::process::Command::new("bash").arg("-c").arg(run).output().unwrap();
            String::from_utf8_lossy(&done.stdout).trim().to_owned()
        };
        assert_eq!(ask("recount expl", 1), "explain");
        assert_eq!(ask("recount config t", 2), "template");
        assert_eq!(ask("recount check --property at", 3), "at-most-once");
    }

    #[test]
    fn the_page_names_every_command_option_action_and_exit_code() {
        let page = page();
        for command in &COMMANDS {
            assert!(page.contains(&roff(&command.usage())), "{}", command.name);
            for option in command.options.iter().flat_map(|set| set.options) {
                assert!(page.contains(&roff(&option.shown())), "{}", option.name);
            }
        }
        for action in ACTIONS {
            assert!(page.contains(&roff(&format!("[{}]", action.name))), "{}", action.name);
        }
        // A line that begins with a dot is a request that the formatter knows.
        let known = [".TH", ".SH", ".SS", ".TP", ".B", ".br", ".RS", ".RE"];
        for line in page.lines().filter(|line| line.starts_with('.')) {
            assert!(known.contains(&line.split(' ').next().unwrap()), "{line}");
        }
    }
}
