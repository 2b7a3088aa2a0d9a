//! The lab: server, agent, runs, probe, and the samples that it makes (`7-commands.md` 7.6; checklist section 7).

mod agent;
mod outputs;
mod probes;
mod samples;
mod server;

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Output, Stdio};

use serde_json::{Value, json};

/// The program with arguments, without anything of this machine.
pub fn recount(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_recount"));
    for name in ["NO_COLOR", "CLICOLOR_FORCE", "XDG_CONFIG_HOME"] {
        command.env_remove(name);
    }
    command.args(args).env("HOME", "/nonexistent").stdin(Stdio::null());
    command
}

pub fn run(args: &[&str]) -> Output {
    recount(args).output().unwrap()
}

/// Exit code and standard output.
pub fn printed(args: &[&str]) -> (i32, String) {
    let output = run(args);
    (output.status.code().unwrap(), String::from_utf8(output.stdout).unwrap())
}

pub fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// Ids of refunds and runs, and times, are of one run: they are masked where runs are compared.
pub fn masked(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let hex = |from: usize, most: usize| {
            rest.bytes().skip(from).take(most).take_while(u8::is_ascii_hexdigit).count() == most
        };
        let time = |text: &str| {
            let form = b"0000-00-00T00:00:00.000Z";
            text.len() >= form.len()
                && text.bytes().zip(form).all(|(a, b)| if *b == b'0' { a.is_ascii_digit() } else { a == *b })
        };
        if rest.starts_with("rfd_") && hex(4, 8) {
            out.push_str("rfd_...");
            rest = rest.get(12..).unwrap();
        } else if time(rest) {
            out.push_str("TIME");
            rest = rest.get(24..).unwrap();
        } else {
            out.push(first);
            rest = rest.get(first.len_utf8()..).unwrap();
        }
    }
    out
}

/// Rows of a store: refund id, minor units, operation.
pub fn rows(store: &Path) -> Vec<(String, i64, Option<String>)> {
    let db = rusqlite::Connection::open(store).unwrap();
    let mut all =
        db.prepare("SELECT refund_id, amount_minor, operation_id FROM refunds ORDER BY id").unwrap();
    let rows = all.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?))).unwrap();
    rows.map(Result::unwrap).collect()
}

/// A client that knows nothing of ours: lines of JSON, as the protocol has them.
pub struct Raw {
    pub child: Child,
    stdin: Option<ChildStdin>,
    stdout: BufReader<ChildStdout>,
    next: u64,
}

impl Raw {
    /// Starts a server without a word.
    pub fn start(args: &[&str]) -> Self {
        let mut command = recount(args);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().unwrap();
        let (stdin, stdout) = (child.stdin.take(), child.stdout.take().unwrap());
        Self { child, stdin, stdout: BufReader::new(stdout), next: 0 }
    }

    /// Starts a server and begins the protocol.
    pub fn begun(args: &[&str]) -> Self {
        let mut raw = Self::start(args);
        let answer = raw.ask("initialize", &hello()).unwrap();
        assert_eq!(answer["result"]["serverInfo"]["name"], "recount-lab", "{answer}");
        raw.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
        raw
    }

    /// Writes a message; a server that is gone does not matter here.
    pub fn send(&mut self, message: &Value) {
        let _ = self.stdin.as_mut().unwrap().write_all(format!("{message}\n").as_bytes());
    }

    /// Writes a request; gives its id.
    pub fn request(&mut self, method: &str, params: &Value) -> u64 {
        self.next += 1;
        self.send(&json!({"jsonrpc": "2.0", "id": self.next, "method": method, "params": params}));
        self.next
    }

    /// The answer to a request; none where the server is gone.
    pub fn ask(&mut self, method: &str, params: &Value) -> Option<Value> {
        let id = self.request(method, params);
        loop {
            let mut line = String::new();
            if self.stdout.read_line(&mut line).unwrap_or(0) == 0 {
                return None;
            }
            let message: Value = serde_json::from_str(&line).unwrap();
            if message["id"] == id {
                return Some(message);
            }
        }
    }

    /// A call of a tool with an operation id: its text as JSON, and whether it is an error.
    pub fn call(&mut self, tool: &str, arguments: &Value, operation: Option<&str>) -> Option<(Value, bool)> {
        let answer = self.ask("tools/call", &call(tool, arguments, operation))?;
        let result = &answer["result"];
        let text = result["content"][0]["text"].as_str().unwrap_or_else(|| panic!("{answer}"));
        Some((serde_json::from_str(text).unwrap(), result["isError"] == true))
    }

    /// What is left on its output until it ends.
    pub fn rest(&mut self) -> String {
        let mut rest = String::new();
        std::io::Read::read_to_string(&mut self.stdout, &mut rest).unwrap();
        rest
    }

    /// Ends the input and waits for the server.
    pub fn end(&mut self) -> i32 {
        drop(self.stdin.take());
        self.child.wait().unwrap().code().unwrap()
    }
}

impl Drop for Raw {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

pub fn hello() -> Value {
    json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}})
}

pub fn call(tool: &str, arguments: &Value, operation: Option<&str>) -> Value {
    match operation {
        Some(id) => json!({"name": tool, "arguments": arguments, "_meta": {"operation_id": id}}),
        None => json!({"name": tool, "arguments": arguments}),
    }
}

#[test]
fn ids_and_times_are_masked() {
    assert_eq!(masked("rfd_0123abcd at 2026-11-30T08:40:55.180Z rfd_no é"), "rfd_... at TIME rfd_no é");
}
