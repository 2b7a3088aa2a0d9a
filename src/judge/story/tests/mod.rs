use super::phrase::plain;
use super::*;

mod copies;
mod frames;
mod sentences;

/// The story with ordinary blanks, as the frames have it.
fn told(view: &IntentView, cx: &Context<'_>) -> (String, String) {
    let story = story(view, cx);
    (plain(&story.text()), plain(&story.next))
}

/// A next step as a screen writes it: keys without their brackets.
fn on_screen(next: &str) -> String {
    next_parts(next)
        .iter()
        .map(|part| match part {
            NextPart::Text(t) | NextPart::Key(t) => *t,
        })
        .collect()
}
