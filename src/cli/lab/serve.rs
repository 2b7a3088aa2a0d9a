//! `recount lab serve`: the tool server. Its standard output belongs to the protocol.

use std::time::Duration;

use crate::cli::call::Call;
use crate::cli::failure::Failure;
use crate::lab::server::{DELAY, Hold, Serve, serve};
use crate::lab::setup::{Fault, Mode};
use crate::lab::store::Moment;

use super::failure;

/// `lab serve`.
pub fn run(call: &Call) -> Result<u8, Failure> {
    let Some(store) = call.path("db") else {
        return Err(Failure::usage("lab serve needs --db F: the store; it is made where there is none"));
    };
    if call.flag("read-only") {
        return Err(Failure::usage("lab serve writes its store; leave out --read-only"));
    }
    let hold = match (call.text("hold-at"), call.path("hold-file")) {
        (None, None) => None,
        (Some(at), Some(file)) => {
            let at = if at == "before-commit" { Moment::BeforeCommit } else { Moment::AfterCommit };
            Some(Hold { at, file })
        }
        _ => return Err(Failure::usage("--hold-at and --hold-file belong together")),
    };
    serve(Serve {
        mode: Mode::of(call.text("server").unwrap_or_default()),
        store,
        faults: Fault::list(call.text("fault").unwrap_or_default()),
        delay: call.number("delay-ms").map_or(DELAY, |ms| Duration::from_millis(ms as u64)),
        hold,
    })
    .map_err(|why| failure(&why))?;
    Ok(0)
}
