//! The sources screen: which source and which problem is selected (`6-screens.md`, sources and problems).

use super::case::RawRecord;
use super::layers::{Layer, Raw, Scroll};
use super::model::Model;
use crate::judge::view::{ProblemView, SourceView};
use crate::judge::words::proves;
use crate::model::time::rfc3339;
use crate::model::units::Units;

/// More problems than this do not fit below a source: the screen then opens on them.
pub const FEW_PROBLEMS: usize = 4;

/// The part that has the focus.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Part {
    /// The table of sources, and the selected one below it.
    #[default]
    Sources,
    /// The problems, and the selected one below them.
    Problems,
}

/// What is selected on the screen.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Sources {
    /// Focus.
    pub part: Part,
    /// Selected source.
    pub source: usize,
    /// Selected problem.
    pub problem: usize,
}

/// Every source that was read or should have been; none before a case is there.
pub fn sources(model: &Model) -> &[SourceView] {
    model.case().map_or(&[], |case| case.sources())
}

/// Records that could not be used.
pub fn problems(model: &Model) -> &[ProblemView] {
    model.case().map_or(&[], |case| case.problems())
}

/// The selected source.
pub fn selected(model: &Model) -> Option<&SourceView> {
    sources(model).get(model.sources.source)
}

/// The selected problem.
pub fn problem(model: &Model) -> Option<&ProblemView> {
    problems(model).get(model.sources.problem)
}

/// The screen is opened: on the problems where there are many, and on the first source that was not read, else on
/// the first ledger.
pub(super) fn enter(model: &mut Model) {
    let part = if problems(model).len() > FEW_PROBLEMS { Part::Problems } else { Part::Sources };
    let of = |is: fn(&SourceView) -> bool| sources(model).iter().position(is);
    let source =
        of(|source| source.error.is_some()).or_else(|| of(|source| source.what == "ledger")).unwrap_or(0);
    model.sources = Sources { part, source, problem: 0 };
}

/// Another case was read: what is selected stays where that is still there.
pub(super) fn settle(model: &mut Model) {
    let last = |count: usize| count.saturating_sub(1);
    let (sources, problems) = (last(sources(model).len()), last(problems(model).len()));
    model.sources.source = model.sources.source.min(sources);
    model.sources.problem = model.sources.problem.min(problems);
}

/// Moves the selection.
pub(super) fn step(model: &mut Model, by: isize) {
    let moved = match model.sources.part {
        Part::Sources => &mut model.sources.source,
        Part::Problems => &mut model.sources.problem,
    };
    *moved = moved.saturating_add_signed(by);
    settle(model);
}

/// To the other part.
pub(super) fn turn(model: &mut Model) {
    model.sources.part = match model.sources.part {
        Part::Sources => Part::Problems,
        Part::Problems => Part::Sources,
    };
}

/// What lies behind the selection as it is: how a source was read, or the record that could not be. `None` where
/// nothing was kept.
pub fn record(model: &Model) -> Option<(String, RawRecord)> {
    match model.sources.part {
        Part::Sources => {
            let units = model.case()?.units();
            selected(model).map(|source| (source.id.clone(), how_read(source, units)))
        }
        Part::Problems => problem(model)
            .filter(|problem| !problem.raw.is_empty())
            .map(|p| (p.at.clone(), RawRecord { parts: vec![(p.what.clone(), p.raw.clone())] })),
    }
}

/// Everything that was said of how a source was read, under its name.
fn how_read(source: &SourceView, show: &Units) -> RawRecord {
    let lists = [source.notes.join("\n"), source.tools.join("\n"), source.holds.join("\n")];
    let [notes, tools, holds] = lists;
    let part = |name: &str, text: &str| (!text.is_empty()).then(|| (name.to_owned(), text.to_owned()));
    let proves = proves(source, rfc3339).unwrap_or_default();
    let (proven, not) = (proves.yes, proves.no.join("\n"));
    let text = |value: &Option<String>| value.clone().unwrap_or_default();
    let parts = [
        part(&source.path, &source.format),
        part("not read", &text(&source.error)),
        part("read", &read(source)),
        part("control", &control(source, show)),
        part("proves", &proven),
        part("does not prove", &not),
        part("mapping", &source.mapping),
        part("query", &text(&source.query)),
        part("confirms the totals", &text(&source.confirm)),
        part("holds", &holds),
        part("records these tools", &tools),
        part("assumed or special", &notes),
        part("SHA-256", &text(&source.digest)),
    ];
    RawRecord { parts: parts.into_iter().flatten().collect() }
}

/// When it was read, how far, and from when to when its rows go.
fn read(source: &SourceView) -> String {
    let at = source.read_at.filter(|at| !at.is_none()).map(|at| {
        format!("{}{}", if source.read_at_is_newest { "no earlier than " } else { "" }, rfc3339(at))
    });
    let position = (!source.position.is_empty()).then(|| format!("to {}", source.position));
    let times = source.oldest.zip(source.newest).or(source.window);
    let rows = times.map(|(first, last)| format!("first {}, last {}", rfc3339(first), rfc3339(last)));
    at.into_iter().chain(position).chain(rows).collect::<Vec<_>>().join("; ")
}

/// The rows add up; then the totals as the source gives them.
fn control(source: &SourceView, units: &Units) -> String {
    let rows = &source.rows;
    let told = rows.used + rows.outside + rows.unattributed + rows.unreadable;
    let mut lines = vec![format!(
        "{} read = {} used + {} outside + {} without an attempt + {} unreadable + {} set aside",
        rows.read,
        rows.used,
        rows.outside,
        rows.unattributed,
        rows.unreadable,
        rows.read.saturating_sub(told)
    )];
    for (unit, total) in source.totals.iter() {
        let count = source.by_unit.iter().find(|(known, _)| *known == unit).map_or(0, |(_, rows)| *rows);
        lines.push(format!("{} in {count} rows", units.show_total(unit, total)));
    }
    lines.extend(rows.set_aside.iter().map(|(rule, count)| format!("{count} set aside: {rule}")));
    lines.join("\n")
}

/// Shows it.
pub(super) fn open(model: &mut Model) {
    if let Some((title, record)) = record(model) {
        model.requests += 1;
        let request = model.requests;
        model.layers.push(Layer::Raw(Raw {
            title,
            record: Some(Ok(record)),
            request,
            scroll: Scroll::default(),
        }));
    }
}
