//! From a config to what `sources` and `load` need: sections to [`CaseSpec`], in the order of the file.

use std::path::Path;

use crate::judge::playbook::{Own, Playbook};
use crate::sources::filter;
use crate::sources::spec::{
    CaseSpec, Column as SpecColumn, Location, Negative, Normalise, Options, SourceSpec, StatusWords,
    ToolSpec, What,
};

use super::keys::{self, Column, Named};
use super::value::{Amounts, Scalar, Step, Texts};
use super::{Config, ConfigError, files};

/// A case as its config describes it.
///
/// # Errors
/// A row filter that cannot be read.
pub fn spec(config: &Config) -> Result<CaseSpec, ConfigError> {
    let (file, folder) = (&config.file, config.folder());
    let mut sources = Vec::new();
    for (id, trace) in in_order(&file.traces) {
        let options = trace_options(trace);
        add(&mut sources, id, What::Trace, trace.path.as_ref(), trace.format.as_deref(), &options, &folder);
    }
    for (id, records) in in_order(&file.intents) {
        let options = Options {
            table: records.table.clone(),
            columns: columns(&records.columns),
            ..Options::default()
        };
        add(&mut sources, id, What::Intents, records.path.as_ref(), None, &options, &folder);
    }
    for (id, source) in in_order(&file.sources) {
        let options = source_options(source).map_err(|why| ConfigError {
            place: format!("[sources.{id}]"),
            line: None,
            what: why,
        })?;
        if let Some(url) = &source.url {
            let server = crate::sources::address::server::parse(url, false).map_err(|why| ConfigError {
                place: format!("[sources.{id}] url"),
                line: None,
                what: why.to_string(),
            })?;
            sources.push(SourceSpec {
                id: id.clone(),
                what: What::Ledger,
                format: Some(server.server.engine.format().to_owned()),
                location: Location::Server(Box::new(server.server)),
                // An address may hold a password, so only its harmless parts are ever kept for showing.
                shown: crate::text::url(url),
                options,
            });
            continue;
        }
        add(&mut sources, id, What::Ledger, source.path.as_ref(), source.kind.as_deref(), &options, &folder);
    }
    Ok(CaseSpec {
        id: name(config),
        sources,
        tools: in_order(&file.tools).into_iter().map(|(name, tool)| tool_spec(name, tool)).collect(),
        now: file.case.now.as_ref().map(|now| now.0.clone()),
        client_skew_ms: file.client_skew_ms,
        high_value: pairs(&file.policy.high_value),
        ledger_final: false,
        trace_complete: file.case.trace_complete,
        normalise: steps(&file.case.normalise),
        join: Vec::new(),
        rank_rates: pairs(&file.rank_rates),
        folder: Some(folder),
        playbook: triples(&playbook(config)),
        hand: Vec::new(),
        standing: Vec::new(),
        hushed: Vec::new(),
        as_of_entry: None,
        policy_waits: false,
        reached: Vec::new(),
    })
}

/// Name of the case: its id, else the name of its folder.
pub fn name(config: &Config) -> String {
    let of_folder = || {
        let folder = config.folder();
        let folder = folder.canonicalize().unwrap_or(folder);
        folder.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
    };
    config.file.case.id.clone().unwrap_or_else(of_folder)
}

/// Own next steps of the config.
pub fn playbook(config: &Config) -> Playbook {
    let mut own = Vec::new();
    for (verdict, entry) in &config.file.playbook {
        let all = [("*", &entry.all)];
        let of_kinds = entry.kinds.iter().map(|(kind, advice)| (kind.as_str(), advice));
        for (kind, advice) in of_kinds.chain(all) {
            if let Some(text) = &advice.text {
                own.push(Own {
                    verdict: verdict.clone(),
                    kind: kind.to_owned(),
                    text: text.clone(),
                    link: advice.link.clone().unwrap_or_default(),
                    owner: advice.owner.clone().unwrap_or_default(),
                });
            }
        }
    }
    Playbook { own }
}

fn triples(playbook: &Playbook) -> Vec<(String, String, String)> {
    playbook.own.iter().map(|own| (own.verdict.clone(), own.kind.clone(), own.text.clone())).collect()
}

/// Sections in the order of the file: what is printed follows what was written.
fn in_order<T>(named: &Named<T>) -> Vec<(&String, &T)> {
    let mut all: Vec<_> = named.iter().collect();
    all.sort_by_key(|(_, section)| section.span().start);
    all.into_iter().map(|(id, section)| (id, section.get_ref())).collect()
}

/// Adds a source; several files of one pattern are one source under one id.
fn add(
    sources: &mut Vec<SourceSpec>,
    id: &str,
    what: What,
    path: Option<&Texts>,
    format: Option<&str>,
    options: &Options,
    folder: &Path,
) {
    for path in path.iter().flat_map(|paths| &paths.0) {
        for file in files(folder, path) {
            let shown = file.strip_prefix(folder).unwrap_or(&file).to_string_lossy().into_owned();
            sources.push(SourceSpec {
                id: id.to_owned(),
                what,
                location: Location::File(file),
                shown,
                format: format.map(str::to_owned),
                options: options.clone(),
            });
        }
    }
}

fn trace_options(trace: &keys::Trace) -> Options {
    let complete = trace.complete.then(|| "complete".to_owned());
    Options {
        completeness: complete.or_else(|| trace.completeness.map(|c| c.word().to_owned())),
        intents_complete: trace.intents_complete,
        from: trace.from.as_ref().map(|t| t.0.clone()),
        to: trace.to.as_ref().map(|t| t.0.clone()),
        columns: columns(&trace.fields),
        zone: trace.zone.as_ref().map(|z| z.0.clone()),
        currency: trace.currency.clone(),
        normalise: steps(&trace.normalise),
        ..Options::default()
    }
}

fn source_options(s: &keys::Source) -> Result<Options, String> {
    let scope_run = s.scope.as_deref() == Some("run");
    let scope = match s.scope.as_deref() {
        Some(text) if !scope_run => filter::parse(text).map_err(|why| why.to_string())?,
        _ => Vec::new(),
    };
    let of_time = |t: &Option<super::value::Moment>| t.as_ref().map(|t| t.0.clone());
    let mut columns = columns(&s.columns);
    if let Some(resolution) = s.resolution_ms {
        for (field, column) in &mut columns {
            if field == "committed_at"
                && let SpecColumn::From { resolution_ms, .. } = column
            {
                resolution_ms.get_or_insert(resolution);
            }
        }
    }
    Ok(Options {
        table: s.table.clone(),
        password_command: s.password_command.clone(),
        sql: s.sql.clone(),
        columns,
        currency: s.currency.clone(),
        zone: s.zone.as_ref().map(|z| z.0.clone()),
        kind: None,
        exported_at: of_time(&s.exported_at),
        read_at: of_time(&s.read_at),
        covers_from: s.covers_from.as_ref().map(|t| t.0.clone()),
        since: of_time(&s.since),
        until: of_time(&s.until),
        scope,
        scope_run,
        partition: s.partition.iter().map(|(field, value)| (field.clone(), value.0.clone())).collect(),
        moves_money: s.moves_money,
        copy_of: s.copy_of.clone(),
        part: s.part,
        holds: s.holds.clone(),
        role: s.role.map(|r| r.word().to_owned()),
        can_prove_absence: s.can_prove_absence,
        coverage_rule: s.coverage_rule.map(|r| r.word().to_owned()),
        final_: s.final_,
        frozen: s.frozen,
        live: s.live,
        skew_ms: s.skew_ms,
        exponent_override: s.exponent_override.iter().map(|(unit, e)| (unit.clone(), *e)).collect(),
        negative_is: s
            .negative_is
            .map(|n| if n.word() == "effect" { Negative::Effect } else { Negative::Reversal }),
        normalise: steps(&s.normalise),
        join: s.join.iter().map(|field| field.word().to_owned()).collect(),
        status: StatusWords {
            effect: s.status.effect.clone(),
            on_its_way: s.status.on_its_way.clone(),
            not_effect: s.status.not_effect.clone(),
        },
        ..Options::default()
    })
}

fn columns(of: &std::collections::BTreeMap<String, Column>) -> Vec<(String, SpecColumn)> {
    let column = |column: &Column| match column {
        Column::From { column, prefix, zone, resolution_ms } => SpecColumn::From {
            column: column.clone(),
            prefix: prefix.clone(),
            zone: zone.clone(),
            resolution_ms: *resolution_ms,
        },
        Column::Const(value) => SpecColumn::Const(value.clone()),
    };
    of.iter().map(|(field, from)| (field.clone(), column(from))).collect()
}

fn tool_spec(name: &str, tool: &keys::Tool) -> ToolSpec {
    let words = |words: &[Scalar]| words.iter().map(|word| word.0.clone()).collect();
    ToolSpec {
        name: name.to_owned(),
        role: tool.role.map(|r| r.word().to_owned()),
        ledger: tool.ledger.clone(),
        idempotent: tool.idempotent.map(|i| i.word().to_owned()),
        retention: tool.retention.map(|d| d.0),
        timeout: tool.timeout.map(|d| d.0),
        settle: tool.settle.map(|d| d.0),
        did_not: words(&tool.did_not),
        already_did: words(&tool.already_did),
        cannot_tell: words(&tool.cannot_tell),
        irreversible: tool.irreversible,
    }
}

/// Steps as `sources` knows them.
pub fn steps(steps: &[Step]) -> Vec<Normalise> {
    let known =
        |step: &Step| Normalise::ALL.iter().find(|(_, word)| *word == step.word()).map(|(step, _)| *step);
    steps.iter().filter_map(known).collect()
}

fn pairs(amounts: &Amounts) -> Vec<(String, String)> {
    amounts.iter().map(|(unit, amount)| (unit.clone(), amount.0.clone())).collect()
}
