//! The binary: parse, run, map to an exit code.

use std::ffi::OsString;
use std::process::ExitCode;

fn main() -> ExitCode {
    // Expected errors are sentences of their own; this is for what must not happen.
    let _ = color_eyre::config::HookBuilder::default()
        .panic_section("This is a mistake in recount. Nothing was written to a ledger or a trace.")
        .display_env_section(false)
        .install();
    let args: Vec<OsString> = std::env::args_os().skip(1).collect();
    ExitCode::from(recount::cli::run(&args))
}
