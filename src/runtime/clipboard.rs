//! The clipboard: through tmux where the program runs in it, else by the terminal (OSC 52), which works over SSH too.
//!
//! A terminal does not answer, so the message never says more than that it was sent. What is sent is base64 of text
//! that went through the escaping layer: no byte of a trace reaches the terminal.

use std::io::{self, Write};
use std::process::{Command, Stdio};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use crate::app::case::Copied;
use crate::app::copy::LONGEST;
use crate::app::keymap::thousands;
use crate::report::mask::Mask;
use crate::text::SafeText;

/// Which way a text takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Way {
    /// tmux keeps it and hands it to its own terminal; its default refuses the sequence of a program in it.
    Tmux,
    /// GNU screen hands on what is wrapped for it.
    Screen,
    /// The terminal's own sequence.
    Terminal,
    /// There is no clipboard.
    None,
}

/// By the variables that tell where the program runs.
fn way(variable: &impl Fn(&str) -> Option<String>) -> Way {
    let set = |name: &str| variable(name).is_some_and(|value| !value.is_empty());
    match variable("TERM").as_deref() {
        _ if set("TMUX") => Way::Tmux,
        _ if set("STY") => Way::Screen,
        Some("linux" | "dumb") => Way::None,
        _ => Way::Terminal,
    }
}

/// The text of what is copied: every line masked and escaped.
pub fn text(copied: &Copied, mask: &Mask) -> String {
    let party = |line: &str| match copied.party.as_str() {
        "" => line.to_owned(),
        party => line.replace(party, &mask.party(party)),
    };
    let lines = copied.lines.iter().map(|line| SafeText::new(&mask.text(&party(line))).as_str().to_owned());
    lines.collect::<Vec<String>>().join("\n")
}

/// Sends a text; says how, or why it could not be.
///
/// # Errors
/// A sentence of what is in the way and what to do instead.
pub fn send(
    what: &str,
    text: &str,
    out: &mut impl Write,
    variable: impl Fn(&str) -> Option<String>,
) -> Result<String, String> {
    let count = text.chars().count();
    if count > LONGEST {
        return Err(format!(
            "{} characters are more than a clipboard takes; recount show prints them",
            thousands(count as u64)
        ));
    }
    let noun = if count == 1 { "character" } else { "characters" };
    let sent = format!("sent {what}{} {noun} to", thousands(count as u64));
    let failed = |error: io::Error| format!("the terminal does not answer: {error}");
    match way(&variable) {
        Way::None => Err("this terminal has no clipboard; recount show prints the same".to_owned()),
        Way::Tmux => tmux(text)
            .map(|()| format!("{sent} tmux and its terminal's clipboard"))
            .map_err(|error| format!("tmux did not take it ({error}); recount show prints the same")),
        Way::Screen => out
            .write_all(format!("\x1bP{}\x1b\\", sequence(text)).as_bytes())
            .and_then(|()| out.flush())
            .map(|()| format!("{sent} GNU screen's terminal, which does not confirm it"))
            .map_err(failed),
        Way::Terminal => out
            .write_all(sequence(text).as_bytes())
            .and_then(|()| out.flush())
            .map(|()| format!("{sent} your terminal's clipboard, which does not confirm it"))
            .map_err(failed),
    }
}

/// OSC 52 with the text as base64.
fn sequence(text: &str) -> String {
    format!("\x1b]52;c;{}\x07", STANDARD.encode(text))
}

/// Hands a text to tmux, which keeps it as a buffer and sends it on to its terminal (`-w`).
fn tmux(text: &str) -> io::Result<()> {
    let mut child = Command::new("tmux")
        .args(["load-buffer", "-w", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()?;
    if let Some(mut input) = child.stdin.take() {
        input.write_all(text.as_bytes())?;
    }
    let status = child.wait()?;
    if status.success() { Ok(()) } else { Err(io::Error::other(status.to_string())) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(pairs: &'static [(&str, &str)]) -> impl Fn(&str) -> Option<String> {
        move |name| pairs.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned())
    }

    fn sent(text: &str, pairs: &'static [(&str, &str)]) -> (Result<String, String>, String) {
        let mut out = Vec::new();
        let said = send("", text, &mut out, of(pairs));
        (said, String::from_utf8(out).unwrap())
    }

    #[test]
    fn the_terminal_is_told_apart() {
        let ways: [(&'static [(&str, &str)], Way); 6] = [
            (&[("TERM", "xterm-256color")], Way::Terminal),
            (&[("TERM", "xterm"), ("SSH_TTY", "/dev/pts/1")], Way::Terminal),
            (&[("TERM", "tmux-256color"), ("TMUX", "/tmp/tmux,1,0")], Way::Tmux),
            (&[("TERM", "screen"), ("STY", "12.pts")], Way::Screen),
            (&[("TERM", "linux")], Way::None),
            (&[("TMUX", "")], Way::Terminal),
        ];
        for (pairs, expected) in ways {
            assert_eq!(way(&of(pairs)), expected, "{pairs:?}");
        }
    }

    #[test]
    fn it_is_sent_as_base64_and_never_said_to_be_there() {
        let (said, out) = sent("a\nb", &[("TERM", "xterm")]);
        assert_eq!(
            said.unwrap(),
            "sent 3 characters to your terminal's clipboard, which does not confirm it"
        );
        assert_eq!(out, "\x1b]52;c;YQpi\x07");
        let (said, out) = sent("a", &[("STY", "1")]);
        assert_eq!(said.unwrap(), "sent 1 character to GNU screen's terminal, which does not confirm it");
        assert_eq!(out, "\x1bP\x1b]52;c;YQ==\x07\x1b\\");
        let (said, out) = sent("a", &[("TERM", "linux")]);
        assert_eq!(
            (said.unwrap_err().as_str(), out.as_str()),
            ("this terminal has no clipboard; recount show prints the same", "")
        );
    }

    #[test]
    fn what_is_longer_than_terminals_take_is_refused() {
        let (said, out) = sent(&"x".repeat(LONGEST), &[]);
        assert!(said.unwrap().starts_with("sent 50,000 characters") && out.len() > LONGEST);
        let (said, out) = sent(&"x".repeat(LONGEST + 1), &[]);
        assert_eq!(
            said.unwrap_err(),
            "50,001 characters are more than a clipboard takes; recount show prints them"
        );
        assert_eq!(out, "");
    }

    #[test]
    fn lines_are_masked_and_escaped() {
        let copied = Copied {
            lines: vec![
                "refund, customer Ana Mayer: twice".into(),
                "ana@example.org\x1b[2J \u{202e}x".into(),
            ],
            party: "Ana Mayer".into(),
        };
        let mask = Mask::of_book(false, [7; 32]);
        let text = text(&copied, &mask);
        let party = mask.party("Ana Mayer");
        assert_eq!(text, format!("refund, customer {party}: twice\n[masked]\\x1b[2J \\u{{202e}}x"));
    }
}
