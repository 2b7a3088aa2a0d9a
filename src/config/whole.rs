//! The table of keys is held to what is read, and everything that is made from it to the table.

use std::collections::BTreeSet;
use std::path::Path;

use super::show::{Layer, Row, rows};
use super::table::{KEYS, OF_USER, is_name};
use super::template::{Which, template};
use super::user::{Origin, foreign};
use super::{File, from_text, written};

/// Names for the parts that anybody may choose.
fn example(path: &str) -> Vec<String> {
    path.split('.').map(|part| if part == "RULE" { "H09".into() } else { part.to_owned() }).collect()
}

/// A text that sets one key.
fn setting(path: &str, value: &str) -> String {
    let parts = example(path);
    let (name, section) = parts.split_last().unwrap();
    let head = if section.is_empty() { String::new() } else { format!("[{}]\n", section.join(".")) };
    format!("{head}{name} = {value}\n")
}

#[test]
fn every_key_of_the_table_is_read() {
    for key in KEYS {
        for value in [key.default, key.sample].into_iter().filter(|value| !value.is_empty()) {
            let text = setting(&key.path.replace("THRESHOLD", "retries"), value);
            toml::from_str::<File>(&text).unwrap_or_else(|why| panic!("{text}{why}"));
        }
        assert!(key.default.is_empty() != key.without.is_empty(), "{}: one of both", key.path);
        assert!(!key.unit.is_empty() && !key.about.is_empty(), "{}", key.path);
    }
}

#[test]
fn every_key_that_is_read_stands_in_the_table() {
    // What serde knows of a section it lists for a name that it does not know.
    let mut sections: BTreeSet<String> = KEYS
        .iter()
        .map(|key| key.path.rsplit_once('.').map_or("", |(section, _)| section).to_owned())
        .collect();
    sections.insert(String::new());
    let mut compared = 0;
    for section in sections {
        let text = setting(format!("{section}.nobody_knows").trim_start_matches('.'), "1");
        let Err(why) = toml::from_str::<File>(&text) else { continue };
        let Some((_, listed)) = why.message().split_once("expected one of ") else { continue };
        for name in listed.split('`').skip(1).step_by(2) {
            let path = format!("{section}.{name}");
            let path = path.trim_start_matches('.');
            let known = KEYS.iter().any(|key| key.path == path || key.path.starts_with(&format!("{path}.")));
            assert!(known || path.contains(' ') || path == "hazards.H01 to H24", "{path}");
            compared += 1;
        }
    }
    assert!(compared > 100, "{compared}");
}

#[test]
fn a_template_says_nothing_and_shows_everything() {
    let path = Path::new("recount.toml");
    for which in [Which::Case, Which::User] {
        let text = template(which);
        let file = from_text(path, &text).unwrap();
        assert_eq!(format!("{file:?}"), format!("{:?}", File { text: text.clone(), ..File::default() }));

        // Without the marks of comments every line is read, and what is a default is that default.
        let is_setting = |line: &str| {
            let name = line.split(" = ").next().unwrap_or_default();
            line.starts_with('[')
                || line.contains(" = ") && name.chars().all(|c| c.is_alphanumeric() || "_.".contains(c))
        };
        let bare: Vec<&str> = text
            .lines()
            .map(|line| line.strip_prefix("# ").filter(|bare| is_setting(bare)).unwrap_or(line))
            .collect();
        let bare = bare.join("\n");
        toml::from_str::<File>(&bare).unwrap_or_else(|why| panic!("{why}\n{bare}"));
        let (set, unknown) = written::read(path, &bare).unwrap();
        assert_eq!(unknown, []);
        let shown: BTreeSet<usize> = set.iter().map(|written| written.key).collect();
        for (at, key) in KEYS.iter().enumerate() {
            let first = key.path.split('.').next().unwrap();
            let wanted = which == Which::Case || OF_USER.contains(&first);
            let has_value = !(key.default.is_empty() && key.sample.is_empty());
            assert_eq!(shown.contains(&at), wanted && has_value, "{}", key.path);
        }
        for written in set {
            let key = written.key().unwrap();
            if !key.default.is_empty() {
                assert_eq!(written.value, key.default, "{}", key.path);
            }
        }
        assert!(text.lines().all(str::is_ascii));
    }
}

#[test]
fn every_unknown_key_is_named_with_its_line_and_the_nearest() {
    let text = "[polcy]\nsolo = true\n[policy]\nsoolo = true\nnote_min = 30\n[tools.t]\ntimeuot = \"3s\"\nzzzzzzzz = 1\n\
                [sources.a.columns]\nanything = \"x\"\n[deadlines.refund]\nunknwon = \"4h\"\n";
    let (set, unknown) = written::read(Path::new("r.toml"), text).unwrap();
    let said: Vec<String> = unknown.iter().map(ToString::to_string).collect();
    assert_eq!(said[0], "r.toml line 1: the key `polcy` is not known; did you mean `policy`?");
    assert_eq!(said[1], "r.toml line 4: the key `policy.soolo` is not known; did you mean `solo`?");
    assert_eq!(said[2], "r.toml line 7: the key `tools.t.timeuot` is not known; did you mean `timeout`?");
    assert!(
        said[3].starts_with("r.toml line 8: the key `tools.t.zzzzzzzz` is not known; known keys here: role")
    );
    assert_eq!(
        said[4],
        "r.toml line 12: the key `deadlines.refund.unknwon` is not known; did you mean `unknown`?"
    );
    assert_eq!(said.len(), 5);
    let names: Vec<String> = set.iter().map(written::Written::name).collect();
    assert_eq!(names, ["policy.note_min", "sources.a.columns.anything"]);
}

fn layer(origin: Origin, text: &str) -> Layer {
    Layer { origin, written: written::read(Path::new("x.toml"), text).unwrap().0 }
}

fn of<'r>(rows: &'r [Row], name: &str) -> (&'r str, Origin, usize) {
    let row = rows.iter().find(|row| row.name == name).unwrap_or_else(|| panic!("{name}"));
    (row.value.as_deref().unwrap_or(row.without), row.origin, row.line)
}

#[test]
fn what_holds_comes_from_the_highest_that_says_something() {
    let user = layer(Origin::User, "[ui]\ntheme = \"light\"\nascii = true\n");
    let case = layer(
        Origin::Case,
        "[ui]\ntheme = \"dark\"\n[tools.b]\ntimeout = \"5s\"\n[tools.a]\nrole = \"read\"\n",
    );
    let given = [("ui.mouse", "true".to_owned(), Origin::Option)];
    let all = rows(&[user, case], &given);
    assert_eq!(of(&all, "ui.theme"), ("\"dark\"", Origin::Case, 2));
    assert_eq!(of(&all, "ui.ascii"), ("true", Origin::User, 3));
    assert_eq!(of(&all, "ui.mouse"), ("true", Origin::Option, 0));
    assert_eq!(of(&all, "ui.bell"), ("false", Origin::BuiltIn, 0));
    assert_eq!(of(&all, "tools.b.timeout"), ("\"5s\"", Origin::Case, 4));
    assert_eq!(of(&all, "tools.a.timeout"), ("\"30s\"", Origin::BuiltIn, 0));
    assert_eq!(of(&all, "case.id"), ("the name of the folder", Origin::BuiltIn, 0));
    // Tools in the order of the file, each whole; what nobody named stands once.
    let tools: Vec<&str> =
        all.iter().map(|row| row.name.as_str()).filter(|n| n.starts_with("tools.")).collect();
    let each = KEYS.iter().filter(|key| key.path.starts_with("tools.NAME.")).count();
    assert_eq!(tools.len(), 2 * each);
    assert!(tools[..each].iter().all(|name| name.starts_with("tools.b.")));
    assert_eq!(of(&all, "traces.ID.complete").0, "false");
    assert_eq!(all.iter().filter(|row| row.name.starts_with("traces.")).count(), 11);
    let literal = KEYS.iter().filter(|key| !key.path.split('.').any(is_name)).count();
    assert!(all.len() > literal + 2 * each);
}

#[test]
fn what_belongs_to_a_case_is_refused_in_the_config_of_a_user() {
    let path = Path::new("config.toml");
    assert_eq!(foreign(path, "[ui]\nbell = true\n[views.x]\nfilter = \"late\"\n"), None);
    let why = foreign(path, "[ui]\nbell = true\n[policy]\nsolo = true\n").unwrap().to_string();
    assert_eq!(
        why,
        "config.toml line 4: `policy` belongs into the recount.toml of a case, where it is the same for everyone; here \
         stand [ui], [themes], [views], [keys]"
    );
}
