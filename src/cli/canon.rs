//! `recount canon FILE`: canonical form (RFC 8785) and hash (`1-model.md` 1.6).

use std::io::Read;

use crate::canon::{canonical, sha256_hex};

use super::call::Call;
use super::failure::Failure;

/// Most bytes of a payload.
const MOST: u64 = 8 << 20;

/// Prints both, or why there is no canonical form.
pub fn run(call: &Call) -> Result<u8, Failure> {
    let name = call.word().unwrap_or_default();
    let text = read(&name)
        .map_err(|why| Failure::input(&format!("{name}: {why}; give a JSON file, or - for a pipe")))?;
    let form = canonical(text.trim_start_matches('\u{feff}'))
        .map_err(|why| Failure::input(&format!("{name} has no canonical form: {why}")))?;
    call.to_stdout(false, |out| {
        out.line(&shown(call, &form));
        out.line(&format!("sha256 {}", sha256_hex(form.as_bytes())));
    })?;
    Ok(0)
}

/// A canonical form as it is printed: its own bytes, which are what is hashed, and escaped only on a terminal, which
/// must not obey what came from outside. JSON escapes no DEL, no C1 and nothing that turns the direction of writing.
pub(super) fn shown(call: &Call, form: &str) -> String {
    if call.on_terminal() && !form.chars().all(crate::text::is_printing) {
        crate::report::figures::safe(form)
    } else {
        form.to_owned()
    }
}

fn read(name: &str) -> std::io::Result<String> {
    let mut text = String::new();
    if name == "-" {
        std::io::stdin().lock().take(MOST).read_to_string(&mut text)?;
    } else {
        std::fs::File::open(name)?.take(MOST).read_to_string(&mut text)?;
    }
    Ok(text)
}
