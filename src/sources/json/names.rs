//! Keys of the objects that are open, to find one that is given twice (`1-model.md` 1.4.2).

use super::Key;

/// Up to this many keys of one object are compared each with each when they come, more are sorted when it closes:
/// a hostile object with a million keys costs no more than sorting them.
const FEW: usize = 24;

/// The keys of all open objects of a record, innermost last. Kept between records so that nothing is allocated.
#[derive(Debug, Default)]
pub(super) struct Names {
    spans: Vec<Span>,
    decoded: Vec<u8>,
}

#[derive(Debug, Clone, Copy)]
struct Span {
    at: usize,
    len: usize,
    decoded: bool,
}

impl Names {
    pub(super) fn clear(&mut self) {
        self.spans.clear();
        self.decoded.clear();
    }

    /// How many keys are held: an object remembers it when it opens.
    pub(super) fn mark(&self) -> usize {
        self.spans.len()
    }

    /// Adds a key to the object that opened at `mark`; false when it is there already.
    pub(super) fn add(&mut self, line: &[u8], mark: usize, key: &Key<'_>) -> bool {
        let span = match key {
            Key::Plain { at, name } => Span { at: *at, len: name.len(), decoded: false },
            Key::Decoded(name) => {
                let at = self.decoded.len();
                self.decoded.extend_from_slice(name.as_bytes());
                Span { at, len: name.len(), decoded: true }
            }
        };
        let own = self.spans.get(mark..).unwrap_or_default();
        if own.len() < FEW {
            let name = key.name();
            if own.iter().any(|other| other.len == name.len() && other.text(line, &self.decoded) == name) {
                return false;
            }
        }
        self.spans.push(span);
        true
    }

    /// Closes the object that opened at `mark`; false when a key is there twice.
    #[inline]
    pub(super) fn close(&mut self, line: &[u8], mark: usize) -> bool {
        let single = self.spans.len() - mark.min(self.spans.len()) <= FEW || self.all_differ(line, mark);
        self.spans.truncate(mark);
        single
    }

    #[cold]
    fn all_differ(&mut self, line: &[u8], mark: usize) -> bool {
        let Names { spans, decoded } = self;
        let own = spans.get_mut(mark..).unwrap_or_default();
        own.sort_unstable_by(|one, other| one.text(line, decoded).cmp(other.text(line, decoded)));
        own.windows(2).all(|pair| match pair {
            [one, other] => one.text(line, decoded) != other.text(line, decoded),
            _ => true,
        })
    }
}

impl Span {
    fn text<'t>(&self, line: &'t [u8], decoded: &'t [u8]) -> &'t [u8] {
        let from = if self.decoded { decoded } else { line };
        from.get(self.at..self.at + self.len).unwrap_or_default()
    }
}
