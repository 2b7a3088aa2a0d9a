//! The document for a chat: plain text under 3,000 characters, the worst first (`7-commands.md` 7.5.3).

use super::super::figures::count;
use super::super::out::Out;
use super::Review;

/// Characters that a message may have, the line end included: under 3,000.
pub const MOST: usize = 2_999;

/// Characters of one line.
const LINE: usize = 400;

/// Characters that are kept for how many are left out and for how to see all of it.
const END: usize = 520;

/// Writes it.
pub fn write(review: &Review<'_>, out: &mut Out<'_>) {
    out.text(&text(review));
}

/// The message.
pub fn text(review: &Review<'_>) -> String {
    let mut message = Message::default();
    message.line(&format!("{}: {}", review.title, review.summary.first().map_or("", String::as_str)));
    for line in review.summary.iter().skip(1).take(3) {
        message.line(line);
    }
    message.line("");
    let mut told = 0;
    for item in &review.items {
        let id = item.ids.first().map_or("", String::as_str);
        let first = item.story.split_inclusive(". ").next().unwrap_or_default().trim_end();
        let line = format!("- {id}: {first} Next: {}", item.next);
        if !message.fits(&line) {
            break;
        }
        message.line(&line);
        told += 1;
    }
    let left = review.items.len() - told + review.left;
    if left > 0 {
        message.line(&format!("- and {} more", count(left as u64)));
    }
    let hazards: Vec<String> = review
        .hazards
        .iter()
        .map(|told| format!("{} {}", told.hazard.rule.id, told.hazard.rule.words))
        .collect();
    if !hazards.is_empty() {
        message.line(&format!("Ways of working: {}", hazards.join(", ")));
    }
    message.line(&format!("{}. All of it: {}", review.made, review.command));
    message.text
}

/// A message that never grows past its size.
#[derive(Default)]
struct Message {
    text: String,
    characters: usize,
}

impl Message {
    fn fits(&self, line: &str) -> bool {
        self.characters + clipped(line, LINE).chars().count() + 1 + END <= MOST
    }

    fn line(&mut self, line: &str) {
        let line = clipped(line, LINE.min(MOST.saturating_sub(self.characters + 1)));
        self.characters += line.chars().count() + 1;
        self.text.push_str(&line);
        self.text.push('\n');
    }
}

/// At most so many characters; what is cut ends in `…`. Angle brackets would be read by a chat as a mention or an address.
fn clipped(line: &str, most: usize) -> String {
    let line = line.replace('<', "‹").replace('>', "›");
    if line.chars().count() <= most {
        return line;
    }
    line.chars().take(most.saturating_sub(1)).chain(['…']).collect()
}
