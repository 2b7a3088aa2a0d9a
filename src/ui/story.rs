//! The sentences of a story in lines: the first one bold and alone, the keys of the next step in their role.

use super::role::{Role, Span};
use crate::app::action::Action;
use crate::app::case::Item;
use crate::app::keymap;
use crate::app::keys::Key;
use crate::app::model::Model;
use crate::judge::story::phrase::NO_BREAK;
use crate::judge::story::{NextPart, next_parts};
use crate::text::{SafeText, wrap};

/// Text with a role per character range, broken into lines as one text.
fn flow(parts: &[(String, Role)], room: usize) -> Vec<Vec<Span>> {
    let whole: String = parts.iter().map(|(text, _)| text.as_str()).collect();
    let mut roles = parts.iter().flat_map(|(text, role)| text.chars().map(move |c| (c, *role)));
    let mut lines = Vec::new();
    for line in wrap(&whole, room) {
        let mut spans: Vec<Span> = Vec::new();
        for character in line.chars() {
            // Blanks at a break were dropped, a part that was too long was cut: find the character again.
            let same = |known: char| known == character || (known == crate::text::NBSP && character == ' ');
            let mut role = spans.last().map_or(Role::Text, |span| span.role);
            for (known, found) in roles.by_ref() {
                if same(known) || !known.is_whitespace() {
                    role = found;
                    break;
                }
            }
            match spans.last_mut() {
                Some(span) if span.role == role => span.text.push(character),
                _ => spans.push(Span::new(character, role)),
            }
        }
        lines.push(spans);
    }
    lines
}

fn safe(text: &str) -> String {
    // Blanks that do not break are ours: they are kept until the text is laid out.
    text.split(NO_BREAK)
        .map(|part| SafeText::new(part).as_str().to_owned())
        .collect::<Vec<_>>()
        .join("\u{a0}")
}

/// First sentence strong, then the rest.
pub fn lines(item: &Item, room: usize) -> Vec<Vec<Span>> {
    let mut parts = vec![(safe(&item.story.first), Role::Strong)];
    for sentence in &item.story.rest {
        parts.push((format!(" {}", safe(sentence)), Role::Text));
    }
    flow(&parts, room)
}

/// The first sentence alone.
pub fn first_only(item: &Item, room: usize) -> Vec<Vec<Span>> {
    flow(&[(safe(&item.story.first), Role::Strong)], room)
}

/// The next step in at most so many lines: sentences that do not fit are left out, never cut in the middle unless
/// already the first is too long.
pub fn next(model: &Model, next: &str, room: usize, most: usize) -> Vec<Vec<Span>> {
    let sentences = sentences(next);
    let whole = flow(&parts(model, &sentences.join(" ")), room);
    if most > 1 && whole.len() > 1 {
        return packed(model, &sentences, room, most);
    }
    for count in (1..=sentences.len()).rev() {
        let text = sentences.get(..count).unwrap_or_default().join(" ");
        let lines = flow(&parts(model, &text), room);
        if lines.len() <= most || count == 1 {
            return lines.into_iter().take(most).collect();
        }
    }
    Vec::new()
}

/// Sentences in lines of their own: as many in one as fit.
fn packed(model: &Model, sentences: &[String], room: usize, most: usize) -> Vec<Vec<Span>> {
    let mut lines: Vec<Vec<Span>> = Vec::new();
    let mut held = String::new();
    for sentence in sentences {
        let longer = if held.is_empty() { sentence.clone() } else { format!("{held} {sentence}") };
        if held.is_empty() || flow(&parts(model, &longer), room).len() == 1 {
            held = longer;
            continue;
        }
        lines.extend(flow(&parts(model, &held), room));
        held.clone_from(sentence);
    }
    lines.extend(flow(&parts(model, &held), room));
    lines.truncate(most);
    lines
}

/// Words and keys. A key that does nothing in this place is left out with what stands before it: `(r, x)` is two.
fn parts(model: &Model, next: &str) -> Vec<(String, Role)> {
    let mut parts: Vec<(String, Role)> = Vec::new();
    for part in next_parts(next) {
        match part {
            NextPart::Text(text) => parts.push((safe(text), Role::Text)),
            NextPart::Key(name) => {
                let known = Key::parse(name).and_then(keymap::action);
                let here = known.filter(|entry| {
                    entry.contexts.contains(&model.place()) && !matches!(entry.action, Action::Screen(_))
                });
                // The text names the key of the table; what is shown is the one that works.
                let live = here.and_then(|entry| model.setup.keys.of(entry, model.context()).first());
                match live {
                    Some(key) => parts.push((key.shown(), Role::Key)),
                    None => {
                        if let Some((text, _)) = parts.last_mut() {
                            text.truncate(text.trim_end_matches([' ', ',']).len());
                        }
                    }
                }
            }
        }
    }
    parts
}

/// Sentences of a text; a full stop inside a number or a name does not end one.
fn sentences(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut sentence = String::new();
    let mut rest = text.chars().peekable();
    while let Some(character) = rest.next() {
        sentence.push(character);
        if matches!(character, '.' | '?') && rest.peek().is_none_or(|next| *next == ' ') {
            found.push(std::mem::take(&mut sentence).trim().to_owned());
        }
    }
    if !sentence.trim().is_empty() {
        found.push(sentence.trim().to_owned());
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_stop_in_a_number_ends_nothing() {
        assert_eq!(sentences("Ask for 2.50 now. Send nothing."), ["Ask for 2.50 now.", "Send nothing."]);
        assert_eq!(sentences("Was that meant? If so, say so"), ["Was that meant?", "If so, say so"]);
        assert_eq!(sentences(""), Vec::<String>::new());
    }

    #[test]
    fn roles_follow_the_text_through_the_breaks() {
        let parts = [
            ("Two refunds of USD\u{a0}1.00 were".to_owned(), Role::Strong),
            (" made. x".to_owned(), Role::Text),
        ];
        let lines = flow(&parts, 11);
        let shown: Vec<Vec<(&str, Role)>> = lines
            .iter()
            .map(|line| line.iter().map(|span| (span.text.as_str(), span.role)).collect())
            .collect();
        assert_eq!(
            shown,
            [
                vec![("Two refunds", Role::Strong)],
                vec![("of USD 1.00", Role::Strong)],
                vec![("were", Role::Strong), (" made.", Role::Text)],
                vec![("x", Role::Text)],
            ]
        );
    }
}
