//! A loaded case with all that is printed of it gathered; shared by the commands that read.

use crate::config::Config;
use crate::config::case::playbook;
use crate::judge::playbook::Playbook;
use crate::judge::view::{OrphanView, ProblemView, SourceView, Summary};
use crate::load::{Ask, Case, GroupView, Options, Property, load};
use crate::report::figures::safe;
use crate::report::text::path;
use crate::report::{Choice, Intents, LIMIT, Mask, Only, Report, Teller};
use crate::sources::spec::CaseSpec;

use super::audit::BROKEN;
use super::call::Call;
use super::failure::{Failure, INPUT, USAGE};
use super::input::{Input, gather};

/// A loaded case.
pub struct Loaded {
    /// The case.
    pub case: Case,
    /// Its config.
    pub config: Config,
    clock_fixed: bool,
}

/// What is printed of it, gathered.
pub struct Gathered {
    /// Result and counts.
    pub summary: Summary,
    /// The sources.
    pub sources: Vec<SourceView>,
    problems: Vec<ProblemView>,
    orphans: Vec<OrphanView>,
    groups: Vec<GroupView>,
    playbook: Playbook,
    mask: Mask,
    choice: Choice,
}

/// Gathers the sources of a call, reads and judges them.
///
/// # Errors
/// Usage or input, in words.
pub fn loaded(call: &Call) -> Result<Loaded, Failure> {
    let Input { spec, config, notes } = gather(call)?;
    for note in notes {
        call.notes.note(&note);
    }
    from_spec(spec, config)
}

/// The same for a command that decides: facts are judged by the clock of the case or of the machine, and `--now` does
/// not make a read newer than it is.
///
/// # Errors
/// Usage or input, in words.
pub fn for_deciding(call: &Call) -> Result<Loaded, Failure> {
    let Input { mut spec, config, notes } = gather(call)?;
    for note in notes {
        call.notes.note(&note);
    }
    spec.now = config.file.case.now.as_ref().map(|now| now.0.clone());
    from_spec(spec, config)
}

/// Reads and judges a case.
///
/// # Errors
/// Input that cannot be read at all, in words.
pub fn from_spec(spec: CaseSpec, config: Config) -> Result<Loaded, Failure> {
    let clock_fixed = spec.now.is_some();
    let mut case = load(spec, &Options::default()).map_err(|why| of_load(&why))?;
    super::standing::settle(&mut case);
    Ok(Loaded { case, config, clock_fixed })
}

pub(super) fn of_load(why: &crate::load::LoadError) -> Failure {
    let exit = match why.kind() {
        crate::load::ErrorKind::Usage => USAGE,
        crate::load::ErrorKind::Input => INPUT,
    };
    Failure { exit, ..Failure::input(&why.to_string()) }
}

impl Loaded {
    /// What a check asks, by the options of the call and the config.
    pub fn ask(&self, call: &Call) -> Ask {
        let property = call.text("property").or(self
            .config
            .file
            .case
            .property
            .map(crate::config::value::Property::word));
        Ask {
            property: if property == Some("at-most-once") { Property::AtMostOnce } else { Property::Settled },
            allow_open: call.flag("allow-open"),
            allow_remediated: call.flag("allow-remediated"),
            only_intent: None,
            stop_at_first: call.flag("stop-at-first"),
            clock_fixed: self.clock_fixed,
        }
    }

    /// How a command ends whose own exit code is `exit`: a broken audit chain comes before everything else
    /// (`7-commands.md` 7.5.5).
    pub fn ended(&self, call: &Call, exit: u8) -> u8 {
        if super::booked::broken(call, self.case.spec.folder.as_deref()) { BROKEN } else { exit }
    }

    /// Every hazard of the case, with what its config sets.
    ///
    /// # Errors
    /// A quota, goal rules or annotations that cannot be used.
    pub fn hazards(&self) -> Result<crate::judge::hazards::Evaluation, Failure> {
        let asked =
            crate::config::hazards::asked(&self.config).map_err(|why| Failure::input(&why.to_string()))?;
        Ok(self.case.hazards(&asked))
    }

    /// Gathers what is printed.
    pub fn gathered(&self, call: &Call, ask: &Ask) -> Gathered {
        // A document and the lists of people are about what went wrong, in whatever form.
        let review = ["report", "affected", "changed", "handover"].iter().any(|name| call.is(name));
        let machine = matches!(call.format(), "json" | "jsonl" | "csv" | "junit") && !review;
        let only = call.text("only").and_then(|word| Only::WORDS.iter().find(|(known, _)| *known == word));
        let sources = self.case.sources();
        if machine || review || call.is("show") || call.is("list") {
            // These show short handles, which cost one pass over everything.
            self.case.number();
        }
        // A ledger alone has no intents: its suspicions are rows without an attempt.
        let alone = sources.iter().all(|source| source.what == "ledger");
        let default = match (machine, alone) {
            (true, _) => Only::All,
            (false, true) => Only::Note,
            (false, false) if call.is("affected") || call.is("report") => Only::LoudOrClosed,
            (false, false) => Only::Loud,
        };
        Gathered {
            summary: self.case.summary(ask),
            sources,
            problems: self.case.problems(),
            orphans: self.case.orphans(),
            groups: self.case.groups(),
            playbook: playbook(&self.config),
            mask: Mask::of_load(self.config.file.mask.party).allowing(&self.config.file.mask.allow),
            choice: Choice {
                only: only.map_or(default, |(_, only)| *only),
                limit: call.number("limit").unwrap_or(if call.is("report") {
                    super::report::LIMIT
                } else {
                    LIMIT
                }),
                with_text: call.flag("with-text"),
                intent: ask.only_intent.map(|op| op.0),
                known: None,
            },
        }
    }

    /// The one intent that an id names, by any of its ids or a unique part of one.
    ///
    /// # Errors
    /// None or several, which are listed (exit 2).
    pub fn one(&self, id: &str, gathered: &Gathered) -> Result<crate::load::Op, Failure> {
        let hits = self.case.find(id);
        match hits.as_slice() {
            [one] => Ok(*one),
            [] => Err(Failure::usage(&format!(
                "no intent has the id {id:?}, in whole or in part; recount list --only all lists them"
            ))),
            several => {
                self.case.number();
                let named = several.iter().take(LISTED).filter_map(|op| Intents::view(&self.case, op.0)).map(
                    |view| {
                        let names = [view.business_id, view.operation_id, view.intent_id.clone()];
                        let names: Vec<&str> =
                            names.iter().map(String::as_str).filter(|n| !n.is_empty()).collect();
                        format!("  #{}  {}", view.handle, gathered.mask.text(&names.join("  ")))
                    },
                );
                let mut lines: Vec<String> = named.collect();
                if several.len() > LISTED {
                    lines.push(format!("  and {} more", several.len() - LISTED));
                }
                Err(Failure::usage(&format!(
                    "{id:?} names {} intents; give more of the id, or its number:\n{}",
                    several.len(),
                    lines.join("\n")
                )))
            }
        }
    }
}

/// Hits that are listed.
const LISTED: usize = 20;

impl Gathered {
    /// The report of a case.
    pub fn report<'a>(&'a self, case: &'a Case) -> Report<'a> {
        Report {
            summary: &self.summary,
            units: case.units(),
            sources: &self.sources,
            problems: &self.problems,
            orphans: &self.orphans,
            groups: &self.groups,
            intents: case,
            teller: Teller {
                now: self.summary.now,
                units: case.units(),
                sources: &self.sources,
                playbook: &self.playbook,
            },
            mask: &self.mask,
            choice: self.choice,
            group_ids: std::cell::OnceCell::new(),
        }
    }

    /// The one row without an attempt that an id names: exactly, else as a part of one of its ids.
    pub fn orphan(&self, id: &str) -> Option<&OrphanView> {
        let ids = |row: &'_ OrphanView| {
            [&row.effect_id, &row.operation_id, &row.business_id, &row.key].map(String::clone)
        };
        let only = |fits: &dyn Fn(&str) -> bool| {
            let mut found = self.orphans.iter().filter(|row| ids(row).iter().any(|own| fits(own)));
            found.next().filter(|_| found.next().is_none())
        };
        only(&|own| own == id).or_else(|| only(&|own| !id.is_empty() && own.contains(id)))
    }

    /// Says on standard error which sources could not be read: cause and next step.
    pub fn say_unread(&self, call: &Call) {
        for source in &self.sources {
            if let Some(why) = &source.error {
                call.notes.error(&format!(
                    "{} was not read: {}",
                    path(&source.path),
                    safe(&self.mask.text(why))
                ));
            }
        }
    }
}
