//! Frames of the samples as the program draws them: files in, cells out, text and roles.
//!
//! Kept in `tests/frames/real`; `RECOUNT_FRAMES=write` makes them anew, and then they are looked at. Frames of single
//! states are those of `src/ui/tests`.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

const SIZES: [&str; 2] = ["120x36", "80x24"];

/// Name, sample, and keys up to the frame that is kept.
const FRAMES: [(&str, &str, &str); 22] = [
    ("triage", "refunds-2026-11-30", ""),
    ("double", "refunds-2026-11-30", "enter"),
    ("pair", "refunds-2026-11-30", "j enter"),
    ("failed", "refunds-2026-11-30", "j j enter"),
    ("absent", "refunds-2026-11-30", "j j j enter"),
    ("no-answer", "refunds-2026-11-30", "j j j j enter"),
    ("hidden", "refunds-2026-11-30", "j j j j j enter"),
    ("unreadable", "refunds-2026-11-30", "j j j j j j enter"),
    ("unknown", "refunds-2026-11-30", "j j j j j j j enter"),
    ("differs", "refunds-2026-11-30", "j j j j j j j j enter"),
    ("waiting", "refunds-2026-11-30", "j j j j j j j j j enter"),
    ("apart", "refunds-2026-11-30", "G enter"),
    ("found", "refunds-2026-11-30", "/ text:answer enter"),
    ("sources", "refunds-2026-11-30", "5"),
    ("raw", "refunds-2026-11-30", "enter v"),
    ("clean", "normal", ""),
    ("single", "double-refund", "enter"),
    ("no-ids", "no-ids", ""),
    ("no-ids-double", "no-ids", "enter"),
    ("no-ids-members", "no-ids", "j enter"),
    ("on-its-way", "on-its-way", "enter"),
    ("problems", "broken", ""),
];

/// The last frame of a script and its map of roles.
fn frame(sample: &str, keys: &str, size: &str) -> (String, String) {
    let dump = tempfile::tempdir().unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_recount"));
    command
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .args(["open", &format!("sample-data/{sample}"), "--script", keys])
        .args(["--size", size, "--dump"])
        .arg(dump.path())
        .env("HOME", dump.path())
        .env("XDG_CONFIG_HOME", dump.path())
        .env("LC_ALL", "C.UTF-8")
        .env("TZ", "UTC")
        .stdin(Stdio::null());
    for name in ["NO_COLOR", "CLICOLOR_FORCE"] {
        command.env_remove(name);
    }
    let output = command.output().unwrap();
    assert!(output.status.success(), "{sample} {keys}: {output:?}");
    let count = fs::read_dir(dump.path()).unwrap().count() / 2;
    let read = |ending: &str| fs::read_to_string(dump.path().join(format!("{count:04}.{ending}"))).unwrap();
    (read("txt"), read("roles.txt"))
}

fn check(name: &str, ending: &str, found: &str) -> Result<(), String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/frames/real/{name}.{ending}"));
    if std::env::var_os("RECOUNT_FRAMES").is_some() {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, found).unwrap();
    }
    let expected = fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    if expected == found {
        return Ok(());
    }
    Err(format!(
        "{}\n--- expected\n{expected}--- found\n{found}",
        path.display()
    ))
}

#[test]
fn samples_are_drawn_as_kept() {
    let mut wrong = Vec::new();
    for size in SIZES {
        let (width, height) = size.split_once('x').unwrap();
        for (name, sample, keys) in FRAMES {
            let (text, roles) = frame(sample, keys, size);
            assert_eq!(text.lines().count(), height.parse::<usize>().unwrap(), "{name}");
            let name = format!("{name}-{size}");
            for (ending, found) in [("txt", &text), ("roles", &roles)] {
                wrong.extend(check(&name, ending, found).err());
            }
            // The roles draw a map of the same size.
            let cells = |line: &str| line.chars().count();
            let first = roles.lines().next().map(cells);
            assert_eq!(first, width.parse().ok(), "{name}");
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
