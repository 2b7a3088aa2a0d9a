//! What `y` copies: the facts of what is selected in plain lines, and at once again the incident (`6-screens.md` 7.3).

use super::case::Copied;
use super::hazards;
use super::model::{Context, Layer, Model};
use super::msg::Cmd;
use super::sources::{self, Part};
use super::update::say;

/// Most characters that are sent to a clipboard: terminals drop what is longer without a word.
pub const LONGEST: usize = 50_000;

/// The lines of what is selected, raw; `None` where nothing is.
fn selected(model: &Model) -> Option<Copied> {
    if let Some(Layer::Raw(raw)) = model.layers.last() {
        let record = raw.record.as_ref()?.as_ref().ok()?;
        let lines = record
            .parts
            .iter()
            .flat_map(|(place, text)| std::iter::once(place.clone()).chain(text.lines().map(str::to_owned)));
        return Some(Copied { lines: lines.collect(), ..Copied::default() });
    }
    match model.context() {
        Context::Hazards => {
            let hazard = hazards::selected(model)?;
            let head = format!("{} {}", hazard.rule.id, hazard.rule.words);
            Some(Copied {
                lines: vec![head, hazard.what.clone(), hazard.todo.to_string()],
                ..Copied::default()
            })
        }
        Context::Sources => {
            let lines = match model.sources.part {
                Part::Sources => {
                    let source = sources::selected(model)?;
                    let place =
                        [source.path.as_str(), source.position.as_str()].join(" ").trim_end().to_owned();
                    source.confirm.clone().map_or(vec![place], |confirm| vec![confirm])
                }
                Part::Problems => {
                    let problem = sources::problem(model)?;
                    vec![format!("{}: {}", problem.at, problem.what)]
                }
            };
            Some(Copied { lines, ..Copied::default() })
        }
        _ => {
            let item = model.detail().map(|detail| &detail.item);
            let course = model.course().map(|course| &course.item);
            let item = item.or(course).or(model.preview.as_ref().map(|(_, item)| item))?;
            Some(model.case()?.copied(item, &model.setup.name))
        }
    }
}

/// Why nothing can be copied here.
pub fn nothing(model: &Model) -> Option<String> {
    selected(model).is_none().then(|| "there is nothing here to copy".to_owned())
}

/// Copies what is selected; at once again, the incident.
pub(super) fn copy(model: &mut Model) -> Vec<Cmd> {
    let again = std::mem::take(&mut model.copied);
    let incident = again.then(|| model.case().map(|case| case.copied_incident(&model.setup.name))).flatten();
    let what = if incident.is_some() { "the incident, " } else { "" };
    let Some(copied) = incident.or_else(|| selected(model)) else {
        return Vec::new();
    };
    model.copied = !again;
    vec![Cmd::Copy { what, copied }]
}

/// What became of it.
pub(super) fn done(model: &mut Model, result: Result<String, String>) -> Vec<Cmd> {
    match result {
        Ok(words) => say(model, words, false),
        Err(why) => say(model, format!("! nothing was copied: {why}"), true),
    }
}
