//! Secrets in every field: none comes out of any command, format, screen, copy, export or report (G8).

use std::path::Path;

use recount::app::layout::Size;
use recount::report::mask::Mask;
use recount::runtime::clipboard;

use super::commands::{EXACT, every_command, place};
use super::screens::{Walk, loader};

/// How a secret stands in a text; `{}` is its core: eight characters that stand nowhere else.
#[rustfmt::skip]
const SHAPES: [&str; 44] = [
    // Keys and tokens that are known by their form.
    "ghp_{}abcdefghijklmnopqrstuvwxyz12", "github_pat_11ABCDEFG0{}_abcdefghijklmnopqrstuvwxyz", "sk_live_{}abcdefghijklmnop", "rk_live_{}abcdefghijklmnop",
    "whsec_{}abcdefghijklmnopqrstuvwx", "AKIA{}ABCDEFGH", "xoxb-1234567890-{}abcdefghijklmn", "glpat-{}abcdefghijkl", "npm_{}abcdefghijklmnopqrstuvwxyz12",
    "sk-proj-{}abcdefghijklmnopqrstuvwxyz", "sk-ant-api03-{}abcdefghijklmnopqrstuvwxyz", "hf_{}abcdefghijklmnopqrstuvwxyz", "AIza{}abcdefghijklmnopqrstuvwxyz1",
    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.{}abcdefghijklmnopqrstuvwxyz", "SG.{}abcdefghijklmn.abcdefghijklmnopqrstuvwxyz0123456789ABCDEFG",
    // Headers.
    "Authorization: Bearer {}abcd1234", "Authorization: Basic dXNlcjp{}cGFzcw==", "Proxy-Authorization: Bearer {}abcd1234", "Cookie: session={}; theme=dark",
    "Set-Cookie: sid={}; HttpOnly", "X-Api-Key: {}", "X-Auth-Token: {}", "curl -H 'Authorization: token {}' https://example.org",
    // Passwords and other named values.
    "password={}", "pwd: {}", "PGPASSWORD={} psql", "passphrase: correct horse {} staple", "client_secret={}", "refresh_token={}", "--password {}", "AWS_SECRET_ACCESS_KEY={}",
    "{\"api_key\":\"{}\"}", "{\"headers\":[{\"name\":\"Authorization\",\"value\":\"Bearer {}\"}]}", "{\"body\":\"{\\\"password\\\":\\\"{}\\\"}\"}", "SharedAccessKey={}=",
    // Addresses.
    "postgres://app:{}@db.example.org/payments", "mysql://root:{}@10.0.0.5:3306/x", "redis://:{}@cache.example.org:6379/0", "https://user:{}@example.org/path",
    "https://example.org/cb?access_token={}&x=1", "postgres://db.example.org/x?password={}&sslmode=require", "https://example.org/f?X-Amz-Signature={}abcdef", "amqp://guest:p@ss{}@mq.example.org/vhost",
    // A private key.
    "-----BEGIN PRIVATE KEY-----\n{}MIIEvQIBADANBg\n-----END PRIVATE KEY-----",
];

fn core(number: usize) -> String {
    format!("QX{number:02}ZK7W")
}

fn texts() -> Vec<String> {
    SHAPES.iter().enumerate().map(|(number, shape)| shape.replacen("{}", &core(number), 1)).collect()
}

/// The shapes whose core stands in a text, also where lines broke it.
fn leaked(bytes: &[u8]) -> Vec<&'static str> {
    let text: String = String::from_utf8_lossy(bytes).split_whitespace().collect();
    SHAPES
        .iter()
        .enumerate()
        .filter(|(number, _)| text.contains(&core(*number)))
        .map(|(_, shape)| *shape)
        .collect()
}

/// Where in the output the first of them stands.
fn around(bytes: &[u8]) -> String {
    let text: String = String::from_utf8_lossy(bytes).split_whitespace().collect::<Vec<_>>().join(" ");
    let at = (0..SHAPES.len()).filter_map(|number| text.find(&core(number))).min().unwrap_or(0);
    let head: String = text
        .get(..at)
        .unwrap_or_default()
        .chars()
        .rev()
        .take(70)
        .collect::<Vec<_>>()
        .into_iter()
        .rev()
        .collect();
    head + &text.get(at..).unwrap_or_default().chars().take(12).collect::<String>()
}

/// All files below a folder, but what was put there as input.
fn files(folder: &Path) -> Vec<std::path::PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { found.extend(files(&path)) } else { found.push(path) }
    }
    found
}

#[test]
fn no_secret_comes_out_of_any_command() {
    let mut wrong = Vec::new();
    let mut folder = std::path::PathBuf::new();
    every_command(&texts(), false, &mut |name, out, output| {
        folder = out.to_owned();
        for (stream, bytes) in [("output", &output.stdout), ("messages", &output.stderr)] {
            let found = leaked(bytes);
            // The bytes that are hashed, of what was given on the command line.
            let exact = EXACT.contains(&name.trim_end()) && stream == "output";
            if !found.is_empty() && !exact {
                wrong.push(format!("{name}, {stream}: {}: {found:?}", around(bytes)));
            }
        }
        for path in files(out) {
            let found = leaked(&std::fs::read(&path).unwrap());
            if !found.is_empty() {
                wrong.push(format!("{name}, in {}: {found:?}", path.display()));
                std::fs::remove_file(path).unwrap();
            }
        }
        // The book beside the case: notes, evidence, entries.
        for path in files(&out.with_file_name("case")) {
            let is_book = path.file_name().is_some_and(|file| file.to_string_lossy().starts_with("book.db"));
            let bytes = if is_book { std::fs::read(&path).unwrap() } else { Vec::new() };
            let found = leaked(&bytes);
            if !found.is_empty() {
                wrong.push(format!("{name}, in the book: {}: {found:?}", around(&bytes)));
            }
        }
    });
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn no_secret_comes_onto_a_screen_into_a_copy_or_a_report() {
    let place = place(&texts(), false);
    let loader = loader(&place.case, &place.out);
    let judge = |text: &str| {
        let found = leaked(text.as_bytes());
        (!found.is_empty()).then(|| format!("{found:?}"))
    };
    let mut walk = Walk::new(&loader, Size { width: 160, height: 40 }, &judge);
    walk.every_row();
    walk.home();
    // Everything that can be copied, and the document of each of the first rows.
    for _ in 0..texts().len() {
        walk.keys("y y enter y v y esc esc j");
    }
    walk.keys("e 2 y e 3 e 5 y");
    walk.wander(300, 2, &[]);
    let mask = Mask::of_load(false);
    assert!(walk.player.copied.len() > texts().len());
    for copied in &walk.player.copied {
        walk.wrong.extend(judge(&clipboard::text(copied, &mask)).map(|what| format!("a copy: {what}")));
    }
    let documents = files(&place.out);
    assert!(!documents.is_empty());
    for path in documents {
        walk.wrong
            .extend(judge(&std::fs::read_to_string(path).unwrap()).map(|what| format!("a report: {what}")));
    }
    walk.wrong.sort();
    walk.wrong.dedup();
    assert!(
        walk.wrong.is_empty(),
        "{} wrong:\n{}",
        walk.wrong.len(),
        walk.wrong[..walk.wrong.len().min(12)].join("\n")
    );
}
