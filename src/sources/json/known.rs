//! The keys a reader has met, by node of the wanted tree: records of one file repeat the same keys in the same
//! order, so the key that followed last time is tried first and costs one comparison.

use wide::u8x16;

use super::want::{Goal, NONE, Want};

/// Keys of a node are numbered by bits of one word.
const MOST: usize = 64;
/// Of these, keys nobody wants take at most so many, so that odd keys cannot push out the wanted ones.
const MOST_UNWANTED: usize = 40;
/// A longer key is not remembered.
const LONGEST: usize = 64;

/// So many nodes are added below keys and arrays that nobody wants, to read over them as fast.
const MOST_ADDED: usize = 256;

/// "No key": the guess before the first one was met.
pub(super) const NO_KEY: u8 = u8::MAX;

/// What a worker remembers from record to record. It never changes what is read, only how fast.
#[derive(Debug)]
pub(super) struct Known {
    /// Those of the wanted tree under their own numbers, then the added ones.
    nodes: Vec<Node>,
    most_nodes: usize,
}

#[derive(Debug, Clone)]
struct Node {
    keys: Vec<Entry>,
    /// The key that came first last time.
    first: u8,
    /// The node of the elements, where an array stands in place of an object.
    items: u16,
}

impl Node {
    const EMPTY: Node = Node { keys: Vec::new(), first: NO_KEY, items: NONE };
}

/// A key as it was written last: from its opening quote to the first byte of the value.
#[derive(Debug, Clone)]
struct Entry {
    literal: Literal,
    name_len: usize,
    hit: Hit,
}

/// Bytes that are expected to stand at a place.
#[derive(Debug, Clone)]
pub(super) struct Literal {
    bytes: Box<[u8]>,
    /// The first 32 bytes, compared as vectors.
    head: [u8x16; 2],
    mask: [u32; 2],
}

/// A key that was found.
#[derive(Debug, Clone, Copy)]
pub(super) struct Hit {
    /// Its bit in the set of keys seen in this object; 0 for a key that is not remembered.
    pub(super) bit: u64,
    pub(super) goal: Goal,
    /// How long it is.
    pub(super) name_len: u8,
    /// Its number in the node.
    pub(super) number: u8,
    /// The number of the key that followed it last time.
    pub(super) next: u8,
}

impl Hit {
    /// A key that is not remembered.
    fn of(goal: Goal, number: u8) -> Self {
        Self { bit: 0, goal, name_len: 0, number, next: NO_KEY }
    }
}

impl Known {
    pub(super) fn new(want: &Want) -> Known {
        let wanted = want.node_count();
        Known { nodes: vec![Node::EMPTY; wanted], most_nodes: wanted + MOST_ADDED }
    }

    /// The node below a key that has none yet.
    #[cold]
    pub(super) fn below(&mut self, node: u16, number: u8) -> u16 {
        let fresh = self.fresh();
        let entry =
            self.nodes.get_mut(usize::from(node)).and_then(|node| node.keys.get_mut(usize::from(number)));
        match entry {
            Some(entry) if fresh != NONE => {
                entry.hit.goal.child = fresh;
                self.nodes.push(Node::EMPTY);
                fresh
            }
            _ => NONE,
        }
    }

    /// The node of the elements of an array that stands where `node` is.
    #[inline]
    pub(super) fn items(&mut self, node: u16) -> u16 {
        match self.nodes.get(usize::from(node)) {
            Some(here) if here.items == NONE => self.add_items(node),
            Some(here) => here.items,
            None => NONE,
        }
    }

    #[cold]
    fn add_items(&mut self, node: u16) -> u16 {
        let fresh = self.fresh();
        match self.nodes.get_mut(usize::from(node)) {
            Some(here) if fresh != NONE => {
                here.items = fresh;
                self.nodes.push(Node::EMPTY);
                fresh
            }
            _ => NONE,
        }
    }

    /// The number the next added node gets, if there may be one more.
    fn fresh(&self) -> u16 {
        if self.nodes.len() < self.most_nodes {
            u16::try_from(self.nodes.len()).unwrap_or(NONE)
        } else {
            NONE
        }
    }

    /// The key expected first below `node`.
    #[inline]
    pub(super) fn first(&self, node: u16) -> u8 {
        self.nodes.get(usize::from(node)).map_or(NO_KEY, |node| node.first)
    }

    /// The guess: when key `number` of `node` stands at `at`, what it is and where its value begins.
    #[inline]
    pub(super) fn guess(&self, node: u16, number: u8, line: &[u8], at: usize) -> Option<(Hit, usize)> {
        let entry = self.nodes.get(usize::from(node))?.keys.get(usize::from(number))?;
        if entry.literal.stands(line, at) { Some((entry.hit, at + entry.literal.len())) } else { None }
    }

    /// The key of this name, learned when there is room, and noted as the one that follows `last`.
    pub(super) fn find(&mut self, want: &Want, node: u16, last: u8, name: &[u8], literal: &[u8]) -> Hit {
        let goal = |want: &Want| want.find(node, name, 0).map_or(Goal::NOTHING, |name| name.goal);
        let Some(node) = self.nodes.get_mut(usize::from(node)) else {
            return Hit::of(Goal::NOTHING, NO_KEY);
        };
        let at = node.keys.iter().position(|entry| entry.is(name)).unwrap_or(node.keys.len());
        if at == node.keys.len() {
            let goal = goal(want);
            let room = if goal == Goal::NOTHING { MOST_UNWANTED } else { MOST };
            if at >= room || !is_plain(name) {
                return Hit::of(goal, NO_KEY);
            }
            node.keys.push(Entry::new(name, literal, goal, at));
        }
        let number = u8::try_from(at).unwrap_or(NO_KEY);
        match node.keys.get_mut(usize::from(last)) {
            Some(before) => before.hit.next = number,
            None if last == NO_KEY => node.first = number,
            None => {}
        }
        node.keys.get(at).map_or(Hit::of(Goal::NOTHING, number), |entry| entry.hit)
    }
}

impl Entry {
    fn new(name: &[u8], literal: &[u8], goal: Goal, at: usize) -> Entry {
        Entry {
            literal: Literal::new(literal),
            name_len: name.len(),
            hit: Hit {
                bit: 1 << (at % MOST),
                goal,
                name_len: u8::try_from(name.len()).unwrap_or(0),
                number: u8::try_from(at).unwrap_or(NO_KEY),
                next: NO_KEY,
            },
        }
    }

    fn is(&self, name: &[u8]) -> bool {
        self.name_len == name.len() && self.literal.bytes.get(1..=name.len()) == Some(name)
    }
}

impl Literal {
    pub(super) fn new(literal: &[u8]) -> Literal {
        let byte = |i: usize| literal.get(i).copied().unwrap_or(0);
        let bits =
            |from: usize| (0..16).filter(|i| from + i < literal.len()).fold(0, |set, i| set | (1 << i));
        let mut heads = [[0; 16]; 2];
        for (i, slot) in heads.as_flattened_mut().iter_mut().enumerate() {
            *slot = byte(i);
        }
        Literal { bytes: literal.into(), head: heads.map(u8x16::from), mask: [bits(0), bits(16)] }
    }

    #[inline]
    pub(super) fn len(&self) -> usize {
        self.bytes.len()
    }

    /// Whether these bytes stand at `at`.
    #[inline]
    pub(super) fn stands(&self, line: &[u8], at: usize) -> bool {
        let Some(rest) = line.get(at..) else { return false };
        let Some(head) = rest.first_chunk::<16>() else {
            return rest.starts_with(&self.bytes);
        };
        if u8x16::from(*head).simd_eq(self.head[0]).to_bitmask() & self.mask[0] != self.mask[0] {
            return false;
        }
        self.bytes.len() <= 16 || self.goes_on(rest)
    }

    #[inline]
    fn goes_on(&self, rest: &[u8]) -> bool {
        let Some(tail) = rest.get(16..).and_then(<[u8]>::first_chunk::<16>) else {
            return rest.starts_with(&self.bytes);
        };
        if u8x16::from(*tail).simd_eq(self.head[1]).to_bitmask() & self.mask[1] != self.mask[1] {
            return false;
        }
        self.bytes.len() <= 32 || rest.starts_with(&self.bytes)
    }
}

/// Whether a name is worth remembering and stands in a record as it is. This depends on the name alone, so a key
/// is found twice whichever way it is written.
fn is_plain(name: &[u8]) -> bool {
    name.len() <= LONGEST && !name.iter().any(|byte| matches!(byte, b'"' | b'\\' | 0..=0x1f))
}

const _: () = assert!(MOST <= 64 && MOST_UNWANTED < MOST && (NONE as usize) > MOST);
