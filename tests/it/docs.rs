//! What the documents say is what the program does.
//!
//! A line of a block marked `sh` is a command; `# exit N` behind it is its exit code, 0 where none stands. `# the screen`
//! says that it opens the screen: it is then played without a terminal. In a block marked `console` a line with `$` is a
//! command and the lines below it are all that it prints. A comment `<!-- frame: COMMAND -->` stands above the last
//! frame of that command. `cargo` is never started here: only the README's two commands may name it.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use recount::cli::table::COMMANDS;

const CARGO: [&str; 2] = ["cargo run --release -- demo", "cargo test"];

fn repository() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// `README.md` and everything in `docs`; that of the lab where the program has one.
fn documents() -> Vec<(PathBuf, String)> {
    let mut paths = vec![repository().join("README.md")];
    for entry in std::fs::read_dir(repository().join("docs")).unwrap() {
        let path = entry.unwrap().path();
        let left_out = path.ends_with("lab.md") && !cfg!(feature = "lab");
        if path.extension().is_some_and(|ending| ending == "md") && !left_out {
            paths.push(path);
        }
    }
    paths.sort();
    let read = |path: PathBuf| (path.clone(), std::fs::read_to_string(path).unwrap());
    paths.into_iter().map(read).collect()
}

/// The program has what this line asks for.
fn is_built(line: &str) -> bool {
    cfg!(feature = "lab") || !line.starts_with("recount lab")
}

/// A fenced block: what stands on the line above it, its mark, and its lines.
struct Block<'a> {
    above: &'a str,
    mark: &'a str,
    lines: Vec<&'a str>,
}

fn blocks(text: &str) -> Vec<Block<'_>> {
    let mut blocks = Vec::new();
    let mut above = "";
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        if let Some(mark) = line.strip_prefix("```") {
            blocks.push(Block {
                above,
                mark,
                lines: lines.by_ref().take_while(|line| *line != "```").collect(),
            });
        }
        above = line;
    }
    blocks
}

/// A command of a document.
#[derive(Debug, PartialEq)]
struct Written {
    words: Vec<String>,
    exit: i32,
    screen: bool,
}

/// Reads a line: words as a shell cuts them, with plain quotes only, and the comment behind them.
fn written(line: &str) -> Written {
    let (line, comment) = line.split_once(" # ").unwrap_or((line, ""));
    let mut words = Vec::new();
    for (k, part) in line.split('"').enumerate() {
        if k % 2 == 1 {
            words.push(part.to_owned());
        } else {
            words.extend(part.split_whitespace().map(str::to_owned));
        }
    }
    let exit = comment.strip_prefix("exit ").map_or(0, |code| code.parse().unwrap());
    assert!(comment.is_empty() || comment == "the screen" || comment.starts_with("exit "), "{comment}");
    Written { words, exit, screen: comment == "the screen" }
}

/// A copy of what the documents name, so that nothing is written into the repository.
fn workplace() -> tempfile::TempDir {
    fn copy(from: &Path, to: &Path) {
        std::fs::create_dir_all(to).unwrap();
        for entry in std::fs::read_dir(from).unwrap() {
            let path = entry.unwrap().path();
            let place = to.join(path.file_name().unwrap());
            if path.is_dir() {
                copy(&path, &place);
            } else {
                std::fs::copy(&path, &place).unwrap();
            }
        }
    }
    let place = tempfile::tempdir().unwrap();
    for folder in ["sample-data", "docs/lab", "docs/audit"] {
        copy(&repository().join(folder), &place.path().join(folder));
    }
    place
}

fn run(words: &[String], place: &Path) -> Output {
    let (program, arguments) = words.split_first().unwrap();
    assert_eq!(program, "recount", "{words:?}");
    let program = Path::new(env!("CARGO_BIN_EXE_recount"));
    let mut command = Command::new(program);
    command.args(arguments).current_dir(place);
    // A document may name recount once more, as the server that another recount starts.
    let mut folders = vec![program.parent().unwrap().to_owned()];
    folders.extend(std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default()));
    command.env("PATH", std::env::join_paths(folders).unwrap());
    command.env("HOME", place).env("XDG_CONFIG_HOME", place).env("TMPDIR", place);
    for name in ["NO_COLOR", "CLICOLOR_FORCE"] {
        command.env_remove(name);
    }
    command.stdin(std::process::Stdio::null()).output().unwrap()
}

/// The last frame of a command that plays a script, without blanks at the ends of lines.
fn last_frame(mut words: Vec<String>, place: &Path) -> String {
    let dump = tempfile::tempdir_in(place).unwrap();
    words.extend(["--dump".to_owned(), dump.path().display().to_string()]);
    let output = run(&words, place);
    assert_eq!(output.status.code(), Some(0), "{words:?}: {output:?}");
    let frames = std::fs::read_dir(dump.path()).unwrap().count() / 2;
    let frame = std::fs::read_to_string(dump.path().join(format!("{frames:04}.txt"))).unwrap();
    frame.lines().map(str::trim_end).collect::<Vec<_>>().join("\n")
}

#[test]
fn every_command_ends_as_written() {
    let place = workplace();
    let mut run_here = 0;
    for (path, text) in documents() {
        for block in blocks(&text).iter().filter(|block| block.mark == "sh") {
            for line in block.lines.iter().filter(|line| is_built(line)) {
                if line.starts_with("cargo ") {
                    assert!(path.ends_with("README.md") && CARGO.contains(line), "{line}");
                    continue;
                }
                let mut command = written(line);
                if command.screen {
                    let size = ["--script", "?", "--size", "80x24"].map(str::to_owned);
                    command.words.extend(size);
                    assert!(last_frame(command.words, place.path()).contains("Help for"), "{line}");
                } else {
                    let output = run(&command.words, place.path());
                    assert_eq!(output.status.code(), Some(command.exit), "{line}\n{output:?}");
                    assert!(!output.stdout.is_empty(), "{line}");
                }
                run_here += 1;
            }
        }
    }
    assert!(run_here >= 10, "{run_here} commands");
}

#[test]
fn the_readme_has_one_command_to_run_and_one_to_test() {
    let readme = std::fs::read_to_string(repository().join("README.md")).unwrap();
    let found = blocks(&readme);
    let cargo: Vec<&str> = found
        .iter()
        .flat_map(|block| block.lines.iter().copied())
        .filter(|line| line.starts_with("cargo "))
        .collect();
    assert_eq!(cargo, CARGO);
    // What the first of them starts, without a terminal.
    let place = workplace();
    let words = ["recount", "demo", "--script", "enter", "--size", "120x36"].map(str::to_owned);
    assert!(last_frame(words.to_vec(), place.path()).contains("Happened twice"));
}

#[test]
fn what_is_printed_is_what_is_written() {
    let place = workplace();
    let mut compared = 0;
    for (path, text) in documents() {
        for block in blocks(&text).iter().filter(|block| block.mark == "console") {
            let whole = block.lines.join("\n");
            for part in format!("\n{whole}").split("\n$ ").skip(1) {
                let (line, expected) = part.split_once('\n').unwrap_or((part, ""));
                let command = written(line);
                let output = run(&command.words, place.path());
                assert_eq!(output.status.code(), Some(command.exit), "{line}");
                let printed = String::from_utf8(output.stdout).unwrap();
                assert_eq!(printed.trim_end(), expected.trim_end(), "{}: {line}", path.display());
                compared += 1;
            }
        }
    }
    assert!(compared > 0);
}

#[test]
fn the_frame_of_the_readme_is_that_of_the_program() {
    let place = workplace();
    let mut compared = 0;
    for (path, text) in documents() {
        for block in blocks(&text) {
            let command = block.above.strip_prefix("<!-- frame: ").and_then(|rest| rest.strip_suffix(" -->"));
            let Some(command) = command else { continue };
            let drawn = last_frame(written(command).words, place.path());
            let shown = block.lines.join("\n");
            assert!(shown == drawn, "{}: write this frame instead\n{drawn}", path.display());
            compared += 1;
        }
    }
    assert_eq!(compared, 1);
}

/// Targets of `[words](target)` outside of code.
fn links(text: &str) -> Vec<String> {
    let mut links = Vec::new();
    let mut code = false;
    for line in text.lines() {
        if line.starts_with("```") {
            code = !code;
        }
        if code {
            continue;
        }
        let prose: String = line.split('`').step_by(2).collect();
        for part in prose.split("](").skip(1) {
            links.extend(part.split_once(')').map(|(target, _)| target.to_owned()));
        }
    }
    links
}

#[test]
fn no_link_points_to_nothing() {
    assert_eq!(links("[a](b.md) and [`c`](d.md#e), `[f](g)`\n```\n[h](i)\n```"), ["b.md", "d.md#e"]);
    let mut found = 0;
    for (path, text) in documents() {
        for link in links(&text) {
            if link.starts_with("https://") {
                continue;
            }
            let file = link.split('#').next().unwrap();
            let place = path.parent().unwrap().join(file);
            assert!(place.exists(), "{}: {link}", path.display());
            found += 1;
        }
    }
    assert!(found >= 5, "{found} links");
}

#[test]
fn exit_codes_are_those_of_help() {
    let readme = std::fs::read_to_string(repository().join("README.md")).unwrap();
    let codes: Vec<u8> = readme
        .lines()
        .skip_while(|line| *line != "| exit code | meaning |")
        .skip(2)
        .map_while(|line| line.strip_prefix("| ")?.split(" |").next()?.parse().ok())
        .collect();
    let used: BTreeSet<u8> = COMMANDS.iter().flat_map(|command| command.exits).copied().collect();
    assert_eq!(codes, used.into_iter().collect::<Vec<_>>());
    assert!(!readme.contains("SAFE"));
}

#[test]
fn a_line_is_cut_into_words() {
    let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
    assert_eq!(
        written("recount explain \"CANNOT TELL YET\" # exit 2"),
        Written { words: words(&["recount", "explain", "CANNOT TELL YET"]), exit: 2, screen: false }
    );
    assert!(written("recount open a # the screen").screen);
}
