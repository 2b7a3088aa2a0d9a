//! `recount audit verify` (`verify`): the chain of a book or of an export, against a head that was kept elsewhere.

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::book::entry::Head;
use crate::book::sign;
use crate::book::verify::{Known, of_book, of_export};
use crate::report::audit::{verdict, verdict_json};
use crate::report::file::shown;

use super::{BROKEN, Call, Failure, failure, find};

/// Largest head file that is read.
const LARGEST: u64 = 64 << 10;

/// Verifies and says so.
pub fn run(call: &Call) -> Result<u8, Failure> {
    let expected = match call.text("expect-head") {
        None => None,
        Some(text) => Some(Head::parse(text).ok_or_else(|| {
            Failure::usage("--expect-head takes SEQ:HASH, as recount audit head prints it")
        })?),
    };
    let allowed = call.path("allowed-signers");
    let signed = match (call.path("sig"), &allowed) {
        (None, _) => None,
        (Some(_), None) => {
            return Err(Failure::usage("--sig needs --allowed-signers F: the keys that may have signed"));
        }
        (Some(sig), Some(allowed)) => match signed_head(&sig, allowed)? {
            Ok((head, principal)) => {
                call.notes.note(&format!("{} is signed by {principal}", shown(&sig)));
                Some(head)
            }
            Err(why) => {
                call.notes.error(&format!("{}: the signature does not count: {why}", shown(&sig)));
                return Ok(BROKEN);
            }
        },
    };
    let head = expected.or(signed);
    let check = allowed
        .as_ref()
        .map(|allowed| move |hash: &str, sig: &str| sign::verify(sign::AUDIT, allowed, sig, hash.as_bytes()));
    let known = Known {
        head: head.as_ref(),
        signatures: check.as_ref().map(|check| check as &dyn Fn(&str, &str) -> _),
    };
    let found = match call.path("file") {
        Some(file) if !file.exists() => {
            return Err(Failure::input(&format!(
                "{} is not there; --file takes what recount audit export wrote",
                shown(&file)
            )));
        }
        Some(file) => of_export(&file, known),
        None => of_book(&find(call)?.path, known),
    }
    .map_err(failure)?;
    call.print(|out| match call.format() {
        "json" => verdict_json(&found, out),
        _ => verdict(&found, out),
    })?;
    Ok(if found.holds() { 0 } else { BROKEN })
}

/// The head of `F.head.json`, whose signature is `F.head.json.sig`, and who signed it.
fn signed_head(sig: &Path, allowed: &Path) -> Result<Result<(Head, String), String>, Failure> {
    let Some(file) = sig.to_str().and_then(|path| path.strip_suffix(".sig")).map(PathBuf::from) else {
        return Err(Failure::usage("--sig takes F.head.json.sig, beside the F.head.json that was signed"));
    };
    let (text, signature) = (read(&file)?, read(sig)?);
    let principal = match sign::verify(sign::AUDIT, allowed, &signature, text.as_bytes()) {
        Ok(principal) => principal,
        Err(why) => return Ok(Err(why)),
    };
    let value: Value = serde_json::from_str(&text).unwrap_or(Value::Null);
    let head = value
        .get("seq")
        .and_then(Value::as_i64)
        .zip(value.get("hash").and_then(Value::as_str))
        .and_then(|(seq, hash)| Head::parse(&format!("{seq}:{hash}")));
    let head = head.ok_or_else(|| {
        Failure::input(&format!("{} names no head; recount audit export writes one", shown(&file)))
    })?;
    Ok(Ok((head, principal)))
}

fn read(path: &Path) -> Result<String, Failure> {
    use std::io::Read as _;
    let mut text = String::new();
    std::fs::File::open(path).and_then(|file| file.take(LARGEST).read_to_string(&mut text)).map_err(
        |why| Failure::input(&format!("{}: {why}; --sig reads F.head.json and F.head.json.sig", shown(path))),
    )?;
    Ok(text)
}
