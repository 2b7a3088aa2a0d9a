//! The palette: every action by its name, what its key is, or why it is not possible now (`6-screens.md` 7.2).

use super::action::{ACTIONS, Action, Entry};
use super::model::{Layer, Model};
use super::msg::Cmd;
use super::update::{perform, say};

/// The palette while it is open.
#[derive(Default)]
pub struct Palette {
    /// What is typed.
    pub text: String,
    /// Which of the found ones is selected.
    pub selected: usize,
    /// What it found, best first.
    pub found: Vec<Found>,
}

/// An action that matches what is typed.
pub struct Found {
    /// The action.
    pub entry: &'static Entry,
    /// Which characters of its title were found.
    pub letters: Vec<usize>,
    /// Why it cannot be done now.
    pub refusal: Option<String>,
}

/// Actions that the palette offers: all but the way into itself.
pub fn offered() -> impl Iterator<Item = &'static Entry> {
    ACTIONS.iter().filter(|entry| entry.action != Action::Palette)
}

/// Opens it.
pub(super) fn open(model: &mut Model) {
    let palette = found(model, String::new());
    model.layers.push(Layer::Palette(palette));
}

/// Another text: what is found, and why not, is asked of the place below.
pub(super) fn typed(model: &mut Model, text: String) {
    let Some(Layer::Palette(_)) = model.layers.last() else { return };
    model.layers.pop();
    let palette = found(model, text);
    model.layers.push(Layer::Palette(palette));
}

fn found(model: &Model, text: String) -> Palette {
    let mut all: Vec<(u8, Found)> = Vec::new();
    for entry in offered() {
        if let Some((rank, letters)) = matched(entry, &text) {
            all.push((rank, Found { entry, letters, refusal: refusal(model, entry) }));
        }
    }
    // Letters that only follow each other somewhere are looked for where nothing better was found.
    let best = all.iter().map(|(rank, _)| *rank).min().unwrap_or(0);
    all.retain(|(rank, _)| *rank < SCATTERED || best == SCATTERED);
    all.sort_by_key(|(rank, found)| (found.refusal.is_some(), *rank));
    Palette { text, selected: 0, found: all.into_iter().map(|(_, found)| found).collect() }
}

/// Why an action cannot be done at the place where the keys go.
pub fn refusal(model: &Model, entry: &Entry) -> Option<String> {
    if !entry.contexts.contains(&model.context()) {
        return Some("it is not for this place".to_owned());
    }
    (entry.refusal)(model)
}

/// Rank of letters that follow each other with others between.
const SCATTERED: u8 = 3;

/// How well an action fits, 0 is best, and which letters of its title were found.
fn matched(entry: &Entry, typed: &str) -> Option<(u8, Vec<usize>)> {
    let typed: Vec<char> = typed.trim().to_lowercase().chars().collect();
    let title: Vec<char> = entry.title.to_lowercase().chars().collect();
    if typed.is_empty() {
        return Some((0, Vec::new()));
    }
    let name: Vec<char> = entry.name.replace('-', " ").chars().collect();
    let begins = |text: &[char], at: usize| at == 0 || text.get(at - 1).is_some_and(|c| !c.is_alphanumeric());
    let within = |text: &[char]| -> Vec<usize> {
        (0..text.len()).filter(|at| text.get(*at..).is_some_and(|rest| rest.starts_with(&typed))).collect()
    };
    let places = within(&title);
    if let Some(at) = places.iter().find(|at| begins(&title, **at)) {
        return Some((0, (*at..*at + typed.len()).collect()));
    }
    if within(&name).into_iter().any(|at| begins(&name, at)) {
        return Some((1, Vec::new()));
    }
    if let Some(at) = places.first() {
        return Some((2, (*at..*at + typed.len()).collect()));
    }
    let mut letters = Vec::new();
    let mut from = 0;
    for wanted in typed {
        let at = title.iter().enumerate().skip(from).find(|(_, c)| **c == wanted).map(|(at, _)| at)?;
        letters.push(at);
        from = at + 1;
    }
    Some((SCATTERED, letters))
}

/// Up or down among what was found.
pub(super) fn step(model: &mut Model, by: isize) {
    if let Some(Layer::Palette(palette)) = model.layers.last_mut() {
        let last = palette.found.len().saturating_sub(1);
        palette.selected = palette.selected.saturating_add_signed(by).min(last);
    }
}

/// Does the selected one at the place below, or says why not.
pub(super) fn choose(model: &mut Model) -> Vec<Cmd> {
    let Some(Layer::Palette(palette)) = model.layers.last() else { return Vec::new() };
    let Some(entry) = palette.found.get(palette.selected).map(|found| found.entry) else {
        return say(model, "no action has that name. esc closes the palette".to_owned(), false);
    };
    model.layers.pop();
    if let Some(reason) = refusal(model, entry) {
        return say(model, format!("{}: {reason}", entry.title), false);
    }
    perform(model, entry.action)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::action::entry;

    fn of(action: Action, typed: &str) -> Option<(u8, Vec<usize>)> {
        matched(entry(action).unwrap(), typed)
    }

    #[test]
    fn the_begin_of_a_word_comes_before_its_middle_and_scattered_letters_come_last() {
        assert_eq!(of(Action::Raw, "rec"), Some((0, vec![4, 5, 6])), "raw record");
        assert_eq!(of(Action::Raw, "REC"), of(Action::Raw, "rec"));
        assert_eq!(of(Action::Raw, "cor"), Some((2, vec![6, 7, 8])));
        assert_eq!(of(Action::Raw, "rwrd"), Some((3, vec![0, 2, 4, 9])));
        assert_eq!(of(Action::Raw, "xyz"), None);
        assert_eq!(of(Action::Raw, ""), Some((0, Vec::new())));
        assert_eq!(of(Action::GroupWords, "group words"), Some((1, Vec::new())), "its name");
    }
}
