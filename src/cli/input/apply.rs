//! Options of the command line laid over what was typed and over the config (`7-commands.md` 7.5.4). An option of an
//! address wins over one for all sources, and that over the config.

use std::path::Path;

use crate::model::units;
use crate::sources::filter;
use crate::sources::near::did_you_mean;
use crate::sources::spec::{CaseSpec, Filter, Normalise, Options, What};

use super::super::call::Call;
use super::super::failure::Failure;
use super::plan::{Piece, known_ledger, ledgers};

/// Options for the whole case, and for the sources of its config.
pub fn to_case(call: &Call, spec: &mut CaseSpec) -> Result<(), Failure> {
    if let Some(now) = call.text("now") {
        spec.now = Some(now.to_owned());
    }
    spec.ledger_final |= call.flag("ledger-final");
    spec.trace_complete |= call.flag("trace-complete");
    if let Some(steps) = call.text("normalise") {
        spec.normalise = steps_of(steps);
    }
    if let Some(fields) = call.text("link") {
        spec.join = fields.split(',').map(str::to_owned).collect();
        if !spec.join.iter().any(|field| field == "business_id") {
            return Err(Failure::usage("--link needs business_id: --link business_id[,amount][,window]"));
        }
    }
    for source in &mut spec.sources {
        over(call, source.what, &mut source.options, |kept, given| {
            *kept = Some(given);
        });
    }
    Ok(())
}

/// Currencies that were given for amounts without one: an ISO code, or a unit that the case declares. A word that is
/// neither would make every amount differ in its currency.
///
/// # Errors
/// A usage failure with the code that is nearest.
pub fn known_units<'a>(
    spec: &CaseSpec,
    pieces: impl IntoIterator<Item = &'a Piece>,
    given: Option<&str>,
) -> Result<(), Failure> {
    let pieces: Vec<&Piece> = pieces.into_iter().collect();
    let of_sources = spec.sources.iter().flat_map(|s| {
        let exponents = s.options.exponent_override.iter().map(|(unit, _)| unit.as_str());
        exponents.chain(s.options.currency.as_deref())
    });
    let of_pieces =
        pieces.iter().flat_map(|p| p.options.exponent_override.iter().map(|(unit, _)| unit.as_str()));
    let of_policy = spec.high_value.iter().map(|(unit, _)| unit.as_str());
    let declared: Vec<&str> = of_sources.chain(of_pieces).chain(of_policy).collect();
    for code in given.into_iter().chain(pieces.iter().filter_map(|p| p.options.currency.as_deref())) {
        if units::iso(code).is_none() && !declared.contains(&code) {
            let codes = units::ISO.iter().map(|(code, _)| *code);
            let near = did_you_mean(code, codes.chain(declared.iter().copied()));
            return Err(Failure::usage(&format!(
                "--currency {code:?} is no currency{near}; write its ISO code, such as USD; a unit of your own is declared in \
                 recount.toml: exponent_override = {{ NAME = 0 }}"
            )));
        }
    }
    Ok(())
}

/// Options for a source that was typed: what its address says stays.
pub fn to_piece(call: &Call, piece: &mut Piece) {
    over(call, piece.what, &mut piece.options, |kept, given| {
        kept.get_or_insert(given);
    });
}

fn over(call: &Call, what: What, options: &mut Options, keep: impl Fn(&mut Option<String>, String)) {
    let set = |kept: &mut Option<String>, name: &str| {
        if let Some(given) = call.text(name) {
            keep(kept, given.to_owned());
        }
    };
    set(&mut options.currency, "currency");
    set(&mut options.zone, "zone");
    if matches!(what, What::Trace | What::Ledger) {
        set(&mut options.since, "since");
        set(&mut options.until, "until");
    }
    if what != What::Ledger {
        return;
    }
    set(&mut options.kind, "kind");
    set(&mut options.exported_at, "exported-at");
    set(&mut options.covers_from, "covers-from");
    options.frozen |= call.flag("frozen");
    options.scope.extend(filters(call));
}

/// Steps by their words, which were checked while they were parsed.
fn steps_of(words: &str) -> Vec<Normalise> {
    let step = |word: &str| Normalise::ALL.iter().find(|(_, known)| *known == word).map(|(step, _)| *step);
    words.split(',').filter_map(step).collect()
}

/// Row filters; their form was checked while they were parsed.
fn filters(call: &Call) -> Vec<Filter> {
    call.texts("where").into_iter().filter_map(|text| filter::parse(text).ok()).flatten().collect()
}

/// Statements of ledgers that are databases: `--ledger-sql F` for the only one, `sql` of an address or config. A text
/// that begins like a statement is one, anything else is the file that holds it.
pub fn statement(call: &Call, spec: &mut CaseSpec) -> Result<(), Failure> {
    let folder = spec.folder.clone().unwrap_or_default();
    for source in &mut spec.sources {
        if let Some(text) = source.options.sql.take() {
            let text = if is_statement(&text) { text } else { read_statement("sql", &folder.join(&text))? };
            source.options.sql = Some(text);
        }
    }
    let Some(path) = call.path("ledger-sql") else {
        return Ok(());
    };
    let ids: Vec<String> = ledgers(spec).iter().map(|l| l.id.clone()).collect();
    let [id] = ids.as_slice() else {
        let what = if ids.is_empty() { "no ledger was named" } else { "there are several ledgers" };
        return Err(Failure::usage(&format!(
            "--ledger-sql is for one ledger that is a database, and {what}; with several write --ledger 'F?sql=FILE'"
        )));
    };
    let text = read_statement("--ledger-sql", &path)?;
    for source in spec.sources.iter_mut().filter(|s| s.id == *id && s.what == What::Ledger) {
        source.options.sql = Some(text.clone());
    }
    Ok(())
}

fn is_statement(text: &str) -> bool {
    let first = text.split_whitespace().next().unwrap_or_default();
    first.eq_ignore_ascii_case("select") || first.eq_ignore_ascii_case("with")
}

fn read_statement(option: &str, path: &Path) -> Result<String, Failure> {
    let shown = crate::report::file::shown(path);
    std::fs::read_to_string(path)
        .map_err(|why| Failure::input(&format!("{option} {shown} cannot be read: {why}; check the path")))
}

/// `--copy-of` and `--part`.
pub fn meanings(call: &Call, spec: &mut CaseSpec) -> Result<(), Failure> {
    let known = |spec: &CaseSpec, option: &str, id: &str| {
        known_ledger(spec, option, id).map_err(|why| Failure::usage(&why))
    };
    for pair in call.texts("copy-of") {
        let Some((copy, original)) = pair.split_once('=') else {
            continue;
        };
        known(spec, "--copy-of", copy)?;
        known(spec, "--copy-of", original)?;
        if copy == original {
            return Err(Failure::usage(&format!("--copy-of {pair}: a ledger is no copy of itself")));
        }
        mean(spec, copy, |options| options.copy_of = Some(original.to_owned()));
    }
    let copies: Vec<&str> =
        call.texts("copy-of").into_iter().filter_map(|pair| pair.split_once('=')).map(|(c, _)| c).collect();
    let twice = copies.iter().enumerate().find(|(at, copy)| copies.iter().take(*at).any(|c| c == *copy));
    if let Some((_, copy)) = twice {
        return Err(Failure::usage(&format!(
            "--copy-of says twice what {copy} is a copy of; leave one of them out"
        )));
    }
    for list in call.texts("part") {
        let ids: Vec<&str> = list.split(',').map(str::trim).filter(|id| !id.is_empty()).collect();
        if ids.len() < 2 {
            return Err(Failure::usage("--part needs the ids of two ledgers or more: --part A,B"));
        }
        for id in ids {
            known(spec, "--part", id)?;
            if copies.contains(&id) {
                return Err(Failure::usage(&format!(
                    "{id} cannot be both a copy (--copy-of) and a part of its own (--part); leave one of them out"
                )));
            }
            mean(spec, id, |options| options.part = true);
        }
    }
    Ok(())
}

fn mean(spec: &mut CaseSpec, id: &str, say: impl Fn(&mut Options)) {
    for source in spec.sources.iter_mut().filter(|s| s.id == id && s.what == What::Ledger) {
        let o = &mut source.options;
        (o.moves_money, o.copy_of, o.part) = (None, None, false);
        say(o);
    }
}
