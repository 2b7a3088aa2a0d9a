//! Every file that a call reads, so that `--out` can keep away from all of them.

use std::path::{Path, PathBuf};

use crate::cli::booked;
use crate::cli::call::Call;
use crate::config;
use crate::sources::sidecar;
use crate::sources::spec::{CaseSpec, Location};

/// Endings of the files that stand beside a database and are a part of it.
const BESIDE_DATABASE: [&str; 3] = ["-wal", "-shm", "-journal"];

/// The files of a case: sources, config, statements, and what stands beside each. `looked` are paths that were looked
/// at as they were typed.
pub fn of_case(call: &Call, spec: &CaseSpec, case: Option<&Path>, looked: &[PathBuf]) -> Vec<PathBuf> {
    let mut files = looked.to_vec();
    files.extend(case.into_iter().flat_map(|case| [case.to_owned(), case.join(config::NAME)]));
    files.extend(["config", "book", "ledger-sql"].iter().filter_map(|option| call.path(option)));
    files.extend(spec.folder.iter().map(|folder| folder.join(booked::NAME)));
    let folder = spec.folder.clone().unwrap_or_default();
    for source in &spec.sources {
        if let Location::File(path) = &source.location {
            files.push(path.clone());
        }
        // A statement is no path, and a name that no file has does no harm.
        files.extend(source.options.sql.as_deref().map(|sql| folder.join(sql)));
    }
    with_beside(files)
}

/// Files with what stands beside each: sidecars, and the parts of a database.
pub fn with_beside(files: Vec<PathBuf>) -> Vec<PathBuf> {
    let beside: Vec<PathBuf> = files
        .iter()
        .flat_map(|file| {
            let resolved = file.canonicalize().ok();
            let parts = resolved.iter().chain([file]).flat_map(|file| {
                BESIDE_DATABASE.map(|ending| {
                    let mut name = file.clone().into_os_string();
                    name.push(ending);
                    PathBuf::from(name)
                })
            });
            parts.chain(sidecar::names(file)).collect::<Vec<_>>()
        })
        .collect();
    files.into_iter().chain(beside).collect()
}
