//! `recount demo [NAME]`: a sample case, copied out of the program to a temporary folder and opened.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use include_dir::{Dir, include_dir};

use crate::config;
use crate::judge::hazards::asked::Asked;
use crate::report::file::shown;
use crate::report::out::Out;
use crate::sources::near::did_you_mean;
use crate::sources::spec::CaseSpec;

use super::call::Call;
use super::failure::Failure;
use super::table::named;
use super::{list, loading, open};

/// The samples, as they lie in the repository.
static SAMPLES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/sample-data");

/// The sample that is opened without a name: that of the screens.
const DEFAULT: &str = "refunds-2026-11-30";

/// Copies a sample and opens it, or prints its list.
pub fn run(call: &Call) -> Result<u8, Failure> {
    if call.flag("list") {
        call.to_stdout(false, |out| {
            for (name, about) in samples() {
                out.line(&format!("{}  {about}", crate::text::pad_right(name, 22)));
            }
        })?;
        return Ok(0);
    }
    let name = call.word().unwrap_or_else(|| DEFAULT.to_owned());
    let folder = copy(&name)?;
    call.notes.note(&format!("sample case {name} copied to {}", shown(&folder)));
    if call.flag("headless") {
        let config =
            config::read(&folder.join(config::NAME)).map_err(|why| Failure::input(&why.to_string()))?;
        let spec = config::case::spec(&config).map_err(|why| Failure::input(&why.to_string()))?;
        return list::print(call, &loading::from_spec(spec, config)?);
    }
    // The copy is a case like any other: what is decided there is kept.
    let command = named("open").ok_or_else(|| Failure::input("there is no command open"))?;
    let word = call.word();
    let given = call.given().iter().filter(|given| Some(*given) != word.as_ref());
    let words: Vec<OsString> = given.map(OsString::from).chain([folder.into_os_string()]).collect();
    open::run(&Call::new(command, &words, Out::stdout())?)
}

/// The sample that opens without a name, copied and read: for the screen that has nothing else to show.
///
/// # Errors
/// Where it cannot be copied, in words.
pub fn default_case() -> Result<(CaseSpec, Asked), String> {
    let folder = copy(DEFAULT).map_err(|why| why.text)?;
    let config = config::read(&folder.join(config::NAME)).map_err(|why| why.to_string())?;
    let spec = config::case::spec(&config).map_err(|why| why.to_string())?;
    Ok((spec, config::hazards::asked(&config).map_err(|why| why.to_string())?))
}

/// Names of the samples with the first sentence of what they show.
pub fn samples() -> Vec<(&'static str, String)> {
    let about = |dir: &'static Dir<'static>| {
        let readme = dir.get_file(dir.path().join("README.md"))?.contents_utf8()?;
        let lines = readme.lines().map(str::trim).skip_while(|line| line.is_empty() || line.starts_with('#'));
        let paragraph: Vec<&str> = lines.take_while(|line| !line.is_empty()).collect();
        let paragraph = paragraph.join(" ");
        let first = paragraph.split_once(". ").map_or(paragraph.as_str(), |(first, _)| first);
        Some(format!("{}.", first.trim_end_matches('.')))
    };
    let mut samples: Vec<(&str, String)> = SAMPLES
        .dirs()
        .filter_map(|dir| Some((dir.path().to_str()?, about(dir).unwrap_or_default())))
        .collect();
    samples.sort_unstable();
    samples
}

/// Copies a sample to a folder of its own, which stays: what is decided there is kept.
fn copy(name: &str) -> Result<PathBuf, Failure> {
    let Some(dir) = SAMPLES.get_dir(name).filter(|dir| dir.path().components().count() == 1) else {
        let names: Vec<&str> = samples().into_iter().map(|(name, _)| name).collect();
        let near = did_you_mean(name, names.iter().copied()).replace('`', "");
        return Err(Failure::usage(&format!(
            "no sample is called {name:?}{near}; there are: {}",
            names.join(", ")
        )));
    };
    let failed = |why: std::io::Error| {
        Failure::input(&format!(
            "the sample cannot be copied to the temporary folder: {why}; set TMPDIR to another place"
        ))
    };
    let folder = tempfile::Builder::new().prefix("recount-demo-").tempdir().map_err(failed)?.keep();
    let place = folder.join(name);
    write(dir, &place).map_err(failed)?;
    Ok(place)
}

fn write(dir: &Dir<'_>, place: &Path) -> std::io::Result<()> {
    std::fs::create_dir_all(place)?;
    for file in dir.files() {
        if let Some(name) = file.path().file_name() {
            std::fs::write(place.join(name), file.contents())?;
        }
    }
    for inner in dir.dirs() {
        if let Some(name) = inner.path().file_name() {
            write(inner, &place.join(name))?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_are_embedded_with_what_they_show() {
        let samples = samples();
        assert!(samples.iter().any(|(name, _)| *name == DEFAULT));
        assert!(samples.iter().all(|(_, about)| !about.is_empty()), "{samples:?}");
        let folder = copy("normal").unwrap();
        assert!(folder.join("recount.toml").is_file());
        std::fs::remove_dir_all(folder.parent().unwrap()).unwrap();
    }

    #[test]
    fn an_unknown_sample_names_the_nearest() {
        let failure = copy("normla").unwrap_err();
        assert_eq!(failure.exit, 2);
        assert!(
            failure.text.starts_with("no sample is called \"normla\"; did you mean normal?; there are: "),
            "{}",
            failure.text
        );
        assert_eq!(copy("../src").unwrap_err().exit, 2);
    }
}
