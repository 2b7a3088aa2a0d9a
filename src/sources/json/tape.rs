//! Where the values of a record stand, noted while it is read: a look into it ([`super::Node`]) goes from member to
//! member without walking the bytes again.

/// So many values most records have at most.
const USUAL: usize = 1 << 16;

/// The values of one record in the order in which they begin. Kept between records so that nothing is allocated.
#[derive(Debug, Default, Clone)]
pub struct Tape {
    marks: Vec<Mark>,
}

/// One value. Places are bytes from the start of the record.
#[derive(Debug, Clone, Copy)]
pub(super) struct Mark {
    /// Where its name stands, between the quotes; nothing for an element and for the record itself.
    pub(super) name: u32,
    pub(super) name_len: u32,
    pub(super) from: u32,
    pub(super) to: u32,
    /// The number of the first value behind it that does not stand in it.
    pub(super) next: u32,
}

impl Tape {
    /// Forgets everything.
    pub fn clear(&mut self) {
        self.marks.clear();
    }

    /// Nothing was noted.
    pub fn is_empty(&self) -> bool {
        self.marks.is_empty()
    }

    /// It holds no more memory than the tapes of most records.
    pub fn is_usual(&self) -> bool {
        self.marks.capacity() <= USUAL
    }

    #[inline]
    pub(super) fn mark(&self, number: u32) -> Option<Mark> {
        self.marks.get(number as usize).copied()
    }
}

/// Who is told where values stand.
pub(super) trait Noting {
    /// A value begins; gives its number.
    fn begin(&mut self, name: usize, name_len: usize, from: usize) -> usize;
    /// The value of this number ends before `to`.
    fn end(&mut self, number: usize, to: usize);
}

/// Nobody is.
#[derive(Debug)]
pub(super) struct Unnoted;

impl Noting for Unnoted {
    #[inline]
    fn begin(&mut self, _: usize, _: usize, _: usize) -> usize {
        0
    }

    #[inline]
    fn end(&mut self, _: usize, _: usize) {}
}

impl Noting for &mut Tape {
    #[inline]
    fn begin(&mut self, name: usize, name_len: usize, from: usize) -> usize {
        let number = self.marks.len();
        self.marks.push(Mark {
            name: short(name),
            name_len: short(name_len),
            from: short(from),
            to: short(from),
            next: short(number + 1),
        });
        number
    }

    #[inline]
    fn end(&mut self, number: usize, to: usize) {
        let next = short(self.marks.len());
        if let Some(mark) = self.marks.get_mut(number) {
            (mark.to, mark.next) = (short(to), next);
        }
    }
}

/// A place in a record of at most [`LONGEST`] bytes.
#[inline]
#[allow(clippy::cast_possible_truncation)]
fn short(place: usize) -> u32 {
    place as u32
}

/// Longer records get no tape. (A value takes at least two bytes of its record, so its number is a place too.)
pub(super) const LONGEST: usize = u32::MAX as usize;
