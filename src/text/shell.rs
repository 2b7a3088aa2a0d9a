//! Paths and words for a command line that is ready to copy.

use std::fmt::Write as _;
use std::path::Path;

use super::SafeText;
use super::escape::{is_mark, is_printing};

/// Signs that no shell reads, beside letters and digits.
const PLAIN: &[u8] = b"_./:@%+,-";

/// A word for a POSIX shell: as it is if nothing in it is special, else in single quotes. What does not print would do
/// something to the terminal it is pasted into, so such a word is written as `$'..'` with `\xHH` for its bytes (bash, zsh
/// and ksh read that).
pub fn shell_word(word: &[u8]) -> SafeText {
    let plain = |byte: &u8| byte.is_ascii_alphanumeric() || PLAIN.contains(byte);
    let text = std::str::from_utf8(word).ok().filter(|text| text.chars().all(shows));
    let out = match text {
        Some(text) if !word.is_empty() && word.iter().all(plain) => text.to_owned(),
        Some(text) => format!("'{}'", text.replace('\'', "'\\''")),
        None => {
            let mut out = String::from("$'");
            for chunk in word.utf8_chunks() {
                for character in chunk.valid().chars() {
                    match character {
                        '\'' | '\\' => out.extend(['\\', character]),
                        _ if shows(character) => out.push(character),
                        _ => push_bytes(&mut out, character.encode_utf8(&mut [0; 4]).as_bytes()),
                    }
                }
                push_bytes(&mut out, chunk.invalid());
            }
            out.push('\'');
            out
        }
    };
    SafeText::built(out, false)
}

/// A path for a POSIX shell. One that begins with a dash gets `./`, so that it is not read as an option.
pub fn shell_path(path: &Path) -> SafeText {
    let bytes = path.as_os_str().as_encoded_bytes();
    if bytes.first() == Some(&b'-') {
        return shell_word(&[b"./", bytes].concat());
    }
    shell_word(bytes)
}

/// A combining mark prints, but on what stands before it.
fn shows(character: char) -> bool {
    is_printing(character) && !is_mark(character)
}

fn push_bytes(out: &mut String, bytes: &[u8]) {
    for byte in bytes {
        // Writing to a String cannot fail.
        let _ = write!(out, "\\x{byte:02x}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_ready_to_copy() {
        for (word, expected) in [
            (&b"payments.db"[..], "payments.db"),
            (b"/var/log/agent-1.jsonl", "/var/log/agent-1.jsonl"),
            (b"", "''"),
            (b"my file", "'my file'"),
            (b"it's", "'it'\\''s'"),
            (b"~/x", "'~/x'"),
            (b"$(rm -rf /)", "'$(rm -rf /)'"),
            (b"a\\b", "'a\\b'"),
            (b"a\nb'c\\", "$'a\\x0ab\\'c\\\\'"),
            (b"\x1b]0;x\x07", "$'\\x1b]0;x\\x07'"),
            ("a\u{202e}b".as_bytes(), "$'a\\xe2\\x80\\xaeb'"),
            (b"a\xffb", "$'a\\xffb'"),
            ("größe".as_bytes(), "'größe'"),
        ] {
            assert_eq!(shell_word(word).as_str(), expected);
        }
        assert_eq!(shell_path(Path::new("-x")).as_str(), "./-x");
        assert_eq!(shell_path(Path::new("- x")).as_str(), "'./- x'");
    }
}
