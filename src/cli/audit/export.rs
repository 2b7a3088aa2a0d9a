//! `recount audit export`: the chain as lines with its head, a copy to read, or the decisions for the system that owns
//! the intents.

use std::ffi::OsString;
use std::io::Write as _;
use std::path::PathBuf;

use serde_json::json;

use crate::book::Action;
use crate::book::export::{head_file, line, markdown_head, markdown_row, resolution};
use crate::report::file::{NewFile, shown};

use super::{Call, Failure, case_of, exit, failure, find};

/// Exports.
pub fn run(call: &Call) -> Result<u8, Failure> {
    let found = find(call)?;
    let (book, verdict) = found.look(call)?;
    let format = match call.format() {
        "text" => "jsonl",
        other => other,
    };
    let view = book.view().map_err(failure)?;
    let case = case_of(&book, &found.path);
    let mut read = Ok(());
    let mut head = crate::book::Head::none();
    call.print(|out| {
        if format == "markdown" {
            let head = view.head().unwrap_or_else(|_| crate::book::Head::none());
            out.text(&markdown_head(&case, &head));
        }
        read = view.entries(|entry| {
            head = entry.head();
            match format {
                "markdown" => out.text(&markdown_row(&entry)),
                "resolutions" => {
                    if let Some(line) = resolution(&entry) {
                        out.line(&line);
                    }
                }
                _ => out.line(&line(&entry)),
            }
        });
    })?;
    if verdict.holds() {
        read.map_err(failure)?;
    }
    if format == "jsonl"
        && let Some(out) = call.path("out")
    {
        let mut name = OsString::from(out.as_os_str());
        name.push(".head.json");
        let path = PathBuf::from(name);
        let failed = |why: &dyn std::fmt::Display| Failure::input(&why.to_string());
        let mut file = NewFile::create(&path, call.flag("force")).map_err(|why| failed(&why))?;
        let text = head_file(&case, &head, crate::book::clock::now().at);
        file.write_all(text.as_bytes()).map_err(|why| failed(&why))?;
        let kept = file.keep().map_err(|why| failed(&why))?;
        call.notes.note(&format!(
            "{}, to be signed: ssh-keygen -Y sign -n recount-audit -f KEY {}",
            shown(&kept),
            shown(&kept)
        ));
    }
    let exit = exit(call, &verdict);
    found.log(call, Action::Export, json!({"format": format, "head": head.to_string()}));
    Ok(exit)
}
