//! Frames of the samples as the program draws them: files in, cells out, text and roles.
//!
//! Kept in `tests/frames/real`; `RECOUNT_FRAMES=write` makes them anew, and then they are looked at. Frames of single
//! states are those of `src/ui/tests`.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

const SIZES: [&str; 2] = ["120x36", "80x24"];

/// Keys that lead back to the first row of the list.
const BACK: &str = "esc esc 1 g";

/// A sample with the frames that are kept of it: name, and keys from the first row of the list on.
type Sample = (&'static str, &'static [(&'static str, &'static str)]);

const SAMPLES: [Sample; 7] = [
    (
        "refunds-2026-11-30",
        &[
            ("triage", ""),
            ("double", "enter"),
            ("pair", "j enter"),
            ("failed", "j j enter"),
            ("absent", "j j j enter"),
            ("no-answer", "j j j j enter"),
            ("hidden", "j j j j j enter"),
            ("unreadable", "j j j j j j enter"),
            ("unknown", "j j j j j j j enter"),
            ("differs", "j j j j j j j j enter"),
            ("waiting", "j j j j j j j j j enter"),
            ("apart", "G enter"),
            ("raw", "enter v"),
            ("sources", "5"),
            ("filtered", "/ text:state:unknown space text:risk>100 enter"),
            ("filtered-source", "/ text:source:payments-eu"),
            ("timeline", "t"),
            ("timeline-case", "3 esc"),
            ("hazards", "2"),
            ("hazards-medium", "2 G"),
            ("hazards-detail", "2 j j enter"),
            ("found", "/ text:answer enter"),
        ],
    ),
    ("normal", &[("clean", "")]),
    ("double-refund", &[("single", "enter")]),
    ("on-its-way", &[("on-its-way", "enter")]),
    ("no-ids", &[("noids", ""), ("noids-double", "enter"), ("noids-apart", "G")]),
    ("hazards", &[("hazards-runs", "2"), ("hazards-cost", "2 j"), ("timeline-run", "2 j t")]),
    ("broken", &[("broken", ""), ("problems", "5"), ("problems-sources", "5 tab")]),
];

/// Frames of one visit, as text and as a map of roles, in the order of their keys.
fn frames(sample: &str, keys: &[(&str, &str)], size: &str) -> Vec<(String, String)> {
    let dump = tempfile::tempdir().unwrap();
    let script: Vec<&str> = keys.iter().flat_map(|(_, keys)| [*keys, BACK]).collect();
    let mut command = Command::new(env!("CARGO_BIN_EXE_recount"));
    command
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .args(["open", &format!("sample-data/{sample}"), "--script", &script.join(" ")])
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
    assert!(output.status.success(), "{sample}: {output:?}");
    // The first frame stands before anything was read, the second when all is.
    let (mut steps, back) = (2, BACK.split_whitespace().count());
    let mut found = Vec::new();
    for (_, keys) in keys {
        steps += keys.split_whitespace().count();
        let read =
            |ending: &str| fs::read_to_string(dump.path().join(format!("{steps:04}.{ending}"))).unwrap();
        found.push((read("txt"), read("roles.txt")));
        steps += back;
    }
    found
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
    Err(format!("{}\n--- expected\n{expected}--- found\n{found}", path.display()))
}

#[test]
fn samples_are_drawn_as_kept() {
    let mut wrong = Vec::new();
    for size in SIZES {
        let height: usize = size.split_once('x').unwrap().1.parse().unwrap();
        for (sample, keys) in SAMPLES {
            for ((name, _), (text, roles)) in keys.iter().zip(frames(sample, keys, size)) {
                assert_eq!(text.lines().count(), height, "{name}");
                // Below the map of roles stands what its letters mean.
                assert!(roles.lines().count() >= height, "{name}");
                let name = format!("{name}-{size}");
                for (ending, found) in [("txt", &text), ("roles", &roles)] {
                    wrong.extend(check(&name, ending, found).err());
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
