//! A field for typing: several lines where the field has them, a caret, undo, paste. Pure text; what is typed is raw.

/// Steps that can be taken back.
const KEPT: usize = 200;

/// A text that is being typed.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Editor {
    text: Vec<char>,
    caret: usize,
    /// What stood before each change, oldest first.
    before: Vec<(Vec<char>, usize)>,
    /// The last change was one typed character: the next one joins it.
    joins: bool,
}

impl Editor {
    /// A text with the caret behind it.
    pub fn of(text: &str) -> Self {
        let text: Vec<char> = clean(text, true).collect();
        Self { caret: text.len(), text, ..Self::default() }
    }

    /// The text.
    pub fn text(&self) -> String {
        self.text.iter().collect()
    }

    /// Nothing is in it.
    pub fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// The caret: characters before it.
    pub fn caret(&self) -> usize {
        self.caret
    }

    /// Characters.
    pub fn len(&self) -> usize {
        self.text.len()
    }

    fn keep(&mut self, joins: bool) {
        if !(joins && self.joins) {
            self.before.push((self.text.clone(), self.caret));
            if self.before.len() > KEPT {
                self.before.remove(0);
            }
        }
        self.joins = joins;
    }

    /// Types a character. What cannot be shown is left out.
    pub fn insert(&mut self, character: char, most: usize) {
        if self.text.len() >= most || (character.is_control() && character != '\n') {
            return;
        }
        self.keep(character.is_alphanumeric());
        self.text.insert(self.caret.min(self.text.len()), character);
        self.caret += 1;
    }

    /// Types a pasted text as one step; without `lines` its line ends become blanks.
    pub fn paste(&mut self, text: &str, lines: bool, most: usize) {
        let room = most.saturating_sub(self.text.len());
        let added: Vec<char> = clean(text, lines).take(room).collect();
        if added.is_empty() {
            return;
        }
        self.keep(false);
        let at = self.caret.min(self.text.len());
        self.caret = at + added.len();
        self.text.splice(at..at, added);
    }

    /// Puts another text in the place of the whole, as one step.
    pub fn replace(&mut self, text: &str, most: usize) {
        let text: Vec<char> = clean(text, true).take(most).collect();
        if text != self.text {
            self.keep(false);
            self.caret = text.len();
            self.text = text;
        }
    }

    /// Takes away the character before the caret.
    pub fn backspace(&mut self) {
        if let Some(at) = self.caret.checked_sub(1).filter(|at| *at < self.text.len()) {
            self.keep(false);
            self.text.remove(at);
            self.caret = at;
        }
    }

    /// Takes away the character behind the caret.
    pub fn delete(&mut self) {
        if self.caret < self.text.len() {
            self.keep(false);
            self.text.remove(self.caret);
        }
    }

    /// Takes the last change back.
    pub fn undo(&mut self) -> bool {
        self.joins = false;
        let Some((text, caret)) = self.before.pop() else { return false };
        self.caret = caret.min(text.len());
        self.text = text;
        true
    }

    /// Moves the caret along the text.
    pub fn by(&mut self, characters: isize) {
        self.joins = false;
        self.caret = self.caret.saturating_add_signed(characters).min(self.text.len());
    }

    /// To the beginning, or the end, of the line.
    pub fn to_edge(&mut self, end: bool) {
        self.joins = false;
        let is_end = |c: &char| *c == '\n';
        self.caret = if end {
            let rest = self.text.iter().skip(self.caret).position(is_end);
            rest.map_or(self.text.len(), |more| self.caret + more)
        } else {
            self.line_start()
        };
    }

    fn line_start(&self) -> usize {
        let before = self.text.iter().take(self.caret).rposition(|c| *c == '\n');
        before.map_or(0, |at| at + 1)
    }

    /// A line up or down; `false` where there is none.
    pub fn line(&mut self, by: isize) -> bool {
        self.joins = false;
        let start = self.line_start();
        let column = self.caret - start;
        let ends = |from: usize| {
            self.text.iter().skip(from).position(|c| *c == '\n').map_or(self.text.len(), |more| from + more)
        };
        let target = if by < 0 {
            let Some(above_end) = start.checked_sub(1) else { return false };
            let above = self.text.iter().take(above_end).rposition(|c| *c == '\n').map_or(0, |at| at + 1);
            (above, above_end)
        } else {
            let end = ends(self.caret);
            if end >= self.text.len() {
                return false;
            }
            (end + 1, ends(end + 1))
        };
        self.caret = (target.0 + column).min(target.1);
        true
    }
}

/// Characters that may be typed; line ends only where there are lines.
fn clean(text: &str, lines: bool) -> impl Iterator<Item = char> {
    let text = text.replace("\r\n", "\n").replace('\r', "\n").replace('\t', " ");
    let all: Vec<char> = text
        .chars()
        .map(move |c| if c == '\n' && !lines { ' ' } else { c })
        .filter(|c| !c.is_control() || *c == '\n')
        .collect();
    all.into_iter()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn typed(editor: &mut Editor, text: &str) {
        text.chars().for_each(|c| editor.insert(c, 100));
    }

    #[test]
    fn words_are_taken_back_one_by_one_and_a_paste_at_once() {
        let mut editor = Editor::default();
        typed(&mut editor, "row seen");
        editor.paste(", twice\r\nby me\u{7}", true, 100);
        assert_eq!(editor.text(), "row seen, twice\nby me");
        assert!(editor.undo());
        assert_eq!(editor.text(), "row seen");
        assert!(editor.undo());
        assert_eq!(editor.text(), "row ");
        assert!(editor.undo() && editor.undo());
        assert_eq!((editor.text().as_str(), editor.caret()), ("", 0));
        assert!(!editor.undo());
    }

    #[test]
    fn the_caret_goes_through_lines() {
        let mut editor = Editor::of("ab\nlonger\nc");
        assert!(editor.line(-1));
        assert_eq!(editor.caret(), 4, "column 1 of the line above");
        editor.to_edge(true);
        assert_eq!(editor.caret(), 9);
        assert!(editor.line(-1));
        assert_eq!(editor.caret(), 2, "a shorter line ends it");
        assert!(!editor.line(-1));
        editor.to_edge(false);
        editor.delete();
        assert_eq!(editor.text(), "b\nlonger\nc");
        assert!(editor.line(1) && editor.line(1));
        assert!(!editor.line(1));
        editor.backspace();
        assert_eq!(editor.text(), "b\nlongerc");
    }

    #[test]
    fn no_more_than_it_holds_and_nothing_that_cannot_be_shown() {
        let mut editor = Editor::default();
        editor.paste("a\nb", false, 2);
        assert_eq!(editor.text(), "a ");
        editor.insert('x', 2);
        editor.insert('\u{1b}', 9);
        assert_eq!(editor.text(), "a ");
        editor.replace("\u{1b}[31mred", 100);
        assert_eq!(editor.text(), "[31mred");
        editor.undo();
        assert_eq!(editor.text(), "a ");
    }
}
