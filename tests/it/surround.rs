//! What surrounds the screens, through the program: configs, own keys and themes, completions, the manual page, export.

use std::path::Path;
use std::process::Command;

/// Runs in a folder with a home of its own, without anything of the surroundings that would change what is said.
fn recount(folder: &Path, words: &[&str]) -> (Option<i32>, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_recount"));
    command
        .args(words)
        .current_dir(folder)
        .env("XDG_CONFIG_HOME", folder.join("home"))
        .stdin(std::process::Stdio::null());
    for name in ["RECOUNT_OPERATOR", "NO_COLOR", "CLICOLOR_FORCE", "LC_ALL", "LC_CTYPE"] {
        command.env_remove(name);
    }
    let done = command.env("LANG", "C.UTF-8").output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    (done.status.code(), text(&done.stdout), text(&done.stderr))
}

fn sample(name: &str) -> String {
    format!("{}/sample-data/{name}", env!("CARGO_MANIFEST_DIR"))
}

fn user(folder: &Path, text: &str) {
    std::fs::create_dir_all(folder.join("home/recount")).unwrap();
    std::fs::write(folder.join("home/recount/config.toml"), text).unwrap();
}

#[test]
fn config_shows_where_each_value_comes_from_and_what_is_wrong() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    user(at, "[ui]\ntheme = \"paper\"\nbell = true\n[themes.paper]\nwrong = \"#b42318 bold\"\n");
    let case = sample("refunds-2026-11-30");
    let (exit, out, err) = recount(at, &["config", "show", &case, "--mouse", "--format", "json"]);
    assert_eq!((exit, err.as_str()), (Some(0), ""));
    let all: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!(all["schema"], "recount.config.v1");
    let of = |name: &str| {
        let row = all["keys"].as_array().unwrap().iter().find(|row| row["key"] == name).unwrap();
        (row["value"].clone(), row["origin"].as_str().unwrap().to_owned())
    };
    assert_eq!(of("ui.theme"), ("paper".into(), "user config".into()));
    assert_eq!(of("ui.bell"), (true.into(), "user config".into()));
    assert_eq!(of("ui.mouse"), (true.into(), "option".into()));
    assert_eq!(of("policy.note_min"), (20.into(), "built in".into()));
    assert_eq!(of("tools.refund_order.retention"), ("24h".into(), "recount.toml".into()));
    let (exit, out, _) = recount(at, &["config", "check", &case]);
    assert_eq!(exit, Some(0), "{out}");
    assert!(out.ends_with("every key is known and every value fits\n"));

    user(at, "[ui]\nthem = \"dark\"\n[keys.all]\nraww = \"V\"\n[policy]\nsolo = true\n");
    let (exit, _, err) = recount(at, &["config", "check"]);
    assert_eq!(exit, Some(4));
    assert!(
        err.contains("config.toml line 2: the key `ui.them` is not known; did you mean `theme`?"),
        "{err}"
    );
    assert!(err.contains("config.toml line 6: `policy` belongs into the recount.toml of a case"), "{err}");
    user(at, "[keys.triage]\nonly-unknown = \"d\"\n");
    let (exit, _, err) = recount(at, &["config", "check"]);
    assert_eq!(exit, Some(4));
    assert!(
        err.contains("config.toml line 2: `d` would do two things: only-unknown, and only-divergent"),
        "{err}"
    );
    let (_, path, _) = recount(at, &["config", "path"]);
    assert_eq!(path, format!("{}\n", at.join("home/recount/config.toml").display()));
}

#[test]
fn a_template_is_a_config_that_says_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let (exit, out, _) = recount(at, &["config", "template", "--out", "recount.toml"]);
    assert_eq!((exit, out.as_str()), (Some(0), "recount.toml\n"));
    let (exit, out, err) = recount(at, &["config", "show", "--set"]);
    assert_eq!((exit, err.as_str()), (Some(0), ""));
    assert!(!out.contains(" = "), "{out}");
}

#[test]
fn own_keys_work_and_are_shown() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    user(at, "[keys.all]\ncopy = \"Y\"\nread-again = \"\"\n");
    let case = sample("double-refund");
    let (exit, _, err) = recount(at, &["open", &case, "--script", "? esc", "--dump", "frames"]);
    assert_eq!(exit, Some(0), "{err}");
    let list = std::fs::read_to_string(at.join("frames/0002.txt")).unwrap();
    let footer = list.lines().last().unwrap();
    assert!(footer.contains("Y copy the facts") && !footer.contains("read again"), "{footer}");
    let help = std::fs::read_to_string(at.join("frames/0003.txt")).unwrap();
    assert!(help.contains(" Y      copy"), "{help}");
}

#[test]
fn completions_and_the_page_come_from_the_table() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let (exit, out, _) = recount(at, &["completions", "bash"]);
    assert!(exit == Some(0) && out.contains("ledger-final"));
    let (exit, _, err) = recount(at, &["completions", "fihs"]);
    assert_eq!(exit, Some(2));
    assert!(err.contains("did you mean `fish`?"), "{err}");
    let (exit, out, _) = recount(at, &["man"]);
    assert!(exit == Some(0) && out.starts_with(".TH RECOUNT 1"));
}

#[test]
fn an_exported_list_says_what_it_rests_on() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let case = sample("refunds-2026-11-30");
    let words = ["export", &case, "--filter", "state:unknown", "--sort", "risk"];
    let (exit, out, err) = recount(at, &words);
    assert_eq!(exit, Some(0), "{err}");
    let lines: Vec<&str> = out.lines().collect();
    assert!(lines[0].starts_with("mark,what,label,verdict,") && lines[0].ends_with(",filter,sort,read"));
    assert!(lines[1].contains("order 4812") && lines[1].contains(",900.00,"), "{}", lines[1]);
    assert!(lines[1..].iter().all(|line| line.contains("state:unknown,risk,")), "{out}");
    assert!(lines[1].contains("payments.db read 2026-11-30T09:13:58Z to rowid 48211"), "{}", lines[1]);

    // The ending of the file gives the form; no other file is overwritten.
    let to = [&words[..], &["--out", "list.json"]].concat();
    assert_eq!(recount(at, &to).0, Some(0));
    let text = std::fs::read_to_string(at.join("list.json")).unwrap();
    let json: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(json["filter"], "state:unknown");
    assert_eq!(json["sort"], "risk");
    assert_eq!(json["shown"], json["rows"].as_array().unwrap().len());
    assert_eq!(json["sources"][1]["position"], "rowid 48211");
    assert_eq!(recount(at, &to).0, Some(2));

    let (_, table, _) =
        recount(at, &["export", &case, "--format", "markdown", "--columns", "operation,at_risk"]);
    assert!(table.contains("| operation | at\\_risk |") && table.contains("- filter: none"), "{table}");
    let (exit, _, err) = recount(at, &["export", &case, "--columns", "orperation"]);
    assert_eq!(exit, Some(2));
    assert!(err.contains("did you mean operation?"), "{err}");

    // The orders are those of the screen; what stands apart stays last, also turned round.
    let order = |more: &[&str]| {
        let words = [&["export", &case, "--columns", "operation"][..], more].concat();
        let (_, out, _) = recount(at, &words);
        let row = |line: &str| line.split(',').take(1).collect::<String>();
        let rows: Vec<String> = out.lines().skip(1).map(row).collect();
        (rows.first().cloned().unwrap_or_default(), rows.iter().position(|row| row == "order 7777"))
    };
    let apart = order(&[]).1;
    assert_eq!(order(&["--sort", "age"]), ("order 4812".to_owned(), apart));
    assert_eq!(order(&["--reverse"]), ("order 5100".to_owned(), apart));
    assert!(recount(at, &["export", &case, "--reverse"]).1.contains(",\"list, turned round\","));

    // A saved view of the config.
    user(at, "[views.night]\nfilter = \"label:double\"\ncolumns = [\"operation\"]\n");
    let (_, out, _) = recount(at, &["export", &case, "--view", "night"]);
    assert!(
        out.starts_with("operation,filter,sort,read\n") && out.contains("order 1234,label:double,list,"),
        "{out}"
    );
    assert!(recount(at, &["export", &case, "--view", "nihgt"]).2.contains("did you mean night?"));
}

#[test]
fn the_screen_exports_the_list_it_shows() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let case = sample("refunds-2026-11-30");
    let (exit, _, err) = recount(at, &["open", &case, "--script", "d e", "--dump", "frames"]);
    assert_eq!(exit, Some(0), "{err}");
    let frame = std::fs::read_to_string(at.join("frames/0004.txt")).unwrap();
    assert!(frame.contains("saved refunds-2026-11-30.csv: "), "{frame}");
    let text = std::fs::read_to_string(at.join("refunds-2026-11-30.csv")).unwrap();
    assert!(
        text.lines().skip(1).all(|line| line.contains(",true,") && line.contains(",divergent,list,")),
        "{text}"
    );
}

#[test]
fn the_tests_that_the_feature_table_names_are_there() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut source = String::new();
    let mut folders = vec![root.join("src"), root.join("tests/it")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| ending == "rs") {
                source.push_str(&std::fs::read_to_string(path).unwrap());
            }
        }
    }
    let page = std::fs::read_to_string(root.join("docs/tui.md")).unwrap();
    let rows: Vec<&str> =
        page.lines().filter(|line| line.starts_with("| ") && line.as_bytes()[2].is_ascii_digit()).collect();
    assert_eq!(rows.len(), 38);
    for row in rows {
        let row = row.replace("\\|", "/");
        let cells: Vec<&str> = row.split('|').collect();
        let named = cells[4].split('`').skip(1).step_by(2);
        for name in named {
            assert!(source.contains(&format!("fn {name}(")), "{name}");
        }
        let shown = cells[4].contains('`');
        let left = !cells[5].trim().is_empty();
        assert!(shown || left, "a row without a test says so: {row}");
    }
}
