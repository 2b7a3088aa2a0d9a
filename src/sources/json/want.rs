//! Which values of a record are wanted: a tree of names that leads to numbered slots.

use thiserror::Error;

/// Number of slots a [`Want`] can fill.
pub const SLOTS: usize = 64;

/// Marks "no node" and "no fill" in the compact tables of this room.
pub(super) const NONE: u16 = u16::MAX;

/// The node at which the fields of the record itself stand.
pub(super) const ROOT: u16 = 0;

/// Why a path cannot be wanted.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum WantError {
    /// The slot number is not below [`SLOTS`].
    #[error("slot {0} is not below {SLOTS}: ask for fewer fields")]
    Slot(usize),
    /// A path without names, or with an empty name between two dots.
    #[error("the path `{0}` has an empty name: write names joined by dots, such as `payload.amount`")]
    EmptyName(String),
    /// More names than the tables can number.
    #[error("too many names are wanted at once: ask for fewer fields")]
    TooMany,
}

/// The wanted paths of one format or mapping, built once and used for every record.
///
/// Each path leads to a slot; several paths may lead to one slot (the first that was added and is there wins, also
/// when its value is null), one path to several slots, and a path may be wanted as a whole and by its parts:
///
/// ```
/// # use recount::sources::json::Want;
/// # fn main() -> Result<(), recount::sources::json::WantError> {
/// let want = Want::exact(&[&["operation_id", "intent_id"], &["payload"], &["payload.amount"]])?;
/// # assert_eq!(want.slots(), 3);
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone)]
pub struct Want {
    loose: bool,
    nodes: Vec<Node>,
    fills: Vec<Fill>,
    /// How many alternatives each slot has got so far: the rank of the next one.
    ranks: Vec<u8>,
}

#[derive(Debug, Clone, Default)]
struct Node {
    names: Vec<Name>,
}

/// One wanted name below a node.
#[derive(Debug, Clone)]
struct Name {
    key: Box<[u8]>,
    /// Its place among the names of its node.
    number: usize,
    /// What this value fills and where its own fields are looked up.
    goal: Goal,
}

/// A wanted name that a key spells.
#[derive(Debug, Clone, Copy)]
pub(super) struct Found {
    pub(super) goal: Goal,
    /// Its place among the names of its node.
    pub(super) number: usize,
    /// Whether the key is the name byte by byte.
    pub(super) exact: bool,
}

/// What a value leads to: a chain of fills and a node for its fields, either may be [`NONE`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Goal {
    pub(super) fill: u16,
    pub(super) child: u16,
}

impl Goal {
    /// A value nobody asked for.
    pub(super) const NOTHING: Goal = Goal { fill: NONE, child: NONE };
}

/// One slot that a value fills, by which right, and the next one in the chain.
#[derive(Debug, Clone, Copy)]
pub(super) struct Fill {
    pub(super) slot: u8,
    pub(super) rank: u8,
    pub(super) next: u16,
}

impl Default for Want {
    /// Nothing wanted: records are only checked.
    fn default() -> Self {
        Want { loose: false, nodes: vec![Node::default()], fills: Vec::new(), ranks: Vec::new() }
    }
}

impl Want {
    /// Slot `i` is filled by the first path of `lists[i]` that is there. Names are compared byte by byte, after
    /// escapes were decoded.
    pub fn exact(lists: &[&[&str]]) -> Result<Want, WantError> {
        Want::of(lists, false)
    }

    /// As [`Want::exact`], names compared without case, `_`, `-` and space (`7-commands.md` 7.5.8). Two names of a
    /// record that are alike in this way are both offered to the slot: [`super::Slots::is_doubled`] tells.
    pub fn loose(lists: &[&[&str]]) -> Result<Want, WantError> {
        Want::of(lists, true)
    }

    fn of(lists: &[&[&str]], loose: bool) -> Result<Want, WantError> {
        let mut want = Want { loose, ..Want::default() };
        for (slot, paths) in lists.iter().enumerate() {
            for path in *paths {
                want.add(slot, path)?;
            }
        }
        // A slot without paths still counts, so that numbers stay those of the table.
        if want.ranks.len() < lists.len() {
            want.ranks.resize(lists.len(), 0);
        }
        Ok(want)
    }

    /// One more alternative for a slot, after those it has. The path is names joined by dots.
    pub fn add(&mut self, slot: usize, path: &str) -> Result<(), WantError> {
        let names: Vec<&str> = path.split('.').collect();
        self.add_names(slot, &names)
    }

    /// As [`Want::add`] with the names apart, for names that have dots in them.
    pub fn add_names(&mut self, slot: usize, names: &[&str]) -> Result<(), WantError> {
        let number =
            u8::try_from(slot).ok().filter(|n| usize::from(*n) < SLOTS).ok_or(WantError::Slot(slot))?;
        let Some((last, above)) = names.split_last() else {
            return Err(WantError::EmptyName(String::new()));
        };
        if names.iter().any(|name| name.is_empty()) {
            return Err(WantError::EmptyName(names.join(".")));
        }
        if self.ranks.len() <= slot {
            self.ranks.resize(slot + 1, 0);
        }
        let mut node = ROOT;
        for name in above {
            node = self.child(node, name)?;
        }
        let rank = self.ranks.get_mut(slot).ok_or(WantError::Slot(slot))?;
        let fill = Fill { slot: number, rank: *rank, next: NONE };
        *rank = rank.checked_add(1).ok_or(WantError::TooMany)?;
        self.append(node, last, fill)
    }

    /// How many slots there are: one more than the highest number in use.
    pub fn slots(&self) -> usize {
        self.ranks.len()
    }

    pub(super) fn node_count(&self) -> usize {
        self.nodes.len()
    }

    /// The wanted name below `node` that `key` (decoded bytes) spells. `guess` is the number tried first.
    #[inline]
    pub(super) fn find(&self, node: u16, key: &[u8], guess: usize) -> Option<Found> {
        let names = &self.nodes.get(usize::from(node))?.names;
        let (before, after) = names.split_at_checked(guess).unwrap_or((names, &[]));
        let same = |name: &&Name| {
            if self.loose { alike(&name.key, key) } else { *name.key == *key }
        };
        let at = |name: &Name| Found { goal: name.goal, number: name.number, exact: !self.loose };
        after.iter().find(same).or_else(|| before.iter().find(same)).map(at)
    }

    pub(super) fn fill(&self, at: u16) -> Option<Fill> {
        self.fills.get(usize::from(at)).copied()
    }

    /// The node below a name, made when it is not there.
    fn child(&mut self, node: u16, key: &str) -> Result<u16, WantError> {
        let fresh = short(self.nodes.len())?;
        let name = self.name(node, key)?;
        if name.goal.child != NONE {
            return Ok(name.goal.child);
        }
        name.goal.child = fresh;
        self.nodes.push(Node::default());
        Ok(fresh)
    }

    /// Puts a fill at the end of a name's chain.
    fn append(&mut self, node: u16, key: &str, fill: Fill) -> Result<(), WantError> {
        let fresh = short(self.fills.len())?;
        let name = self.name(node, key)?;
        let mut at = name.goal.fill;
        if at == NONE {
            name.goal.fill = fresh;
        }
        while let Some(link) = self.fills.get_mut(usize::from(at)) {
            at = link.next;
            if at == NONE {
                link.next = fresh;
            }
        }
        self.fills.push(fill);
        Ok(())
    }

    fn name(&mut self, node: u16, key: &str) -> Result<&mut Name, WantError> {
        let loose = self.loose;
        let names = &mut self.nodes.get_mut(usize::from(node)).ok_or(WantError::TooMany)?.names;
        let same = |name: &Name| {
            if loose { alike(&name.key, key.as_bytes()) } else { *name.key == *key.as_bytes() }
        };
        let at = names.iter().position(same).unwrap_or(names.len());
        if at == names.len() {
            names.push(Name { number: at, key: key.as_bytes().into(), goal: Goal::NOTHING });
        }
        names.get_mut(at).ok_or(WantError::TooMany)
    }
}

fn short(number: usize) -> Result<u16, WantError> {
    u16::try_from(number).ok().filter(|n| *n != NONE).ok_or(WantError::TooMany)
}

/// Equal without ASCII case, `_`, `-` and space (`7-commands.md` 7.5.8).
fn alike(one: &[u8], other: &[u8]) -> bool {
    let fold = |text: &[u8]| -> usize { text.iter().filter(|byte| !is_joint(**byte)).count() };
    // Counting first is cheap and settles most pairs.
    fold(one) == fold(other) && folded(one).eq(folded(other))
}

fn folded(text: &[u8]) -> impl Iterator<Item = u8> + '_ {
    text.iter().filter(|byte| !is_joint(**byte)).map(u8::to_ascii_lowercase)
}

fn is_joint(byte: u8) -> bool {
    matches!(byte, b'_' | b'-' | b' ')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chain(want: &Want, goal: Goal) -> Vec<(u8, u8)> {
        let mut at = goal.fill;
        let mut all = Vec::new();
        while let Some(fill) = want.fill(at) {
            all.push((fill.slot, fill.rank));
            at = fill.next;
        }
        all
    }

    #[test]
    fn a_path_may_fill_several_slots_and_be_wanted_whole_and_by_parts() {
        let want =
            Want::exact(&[&["payload"], &["payload.amount", "amount"], &["payload.amount"], &["payload"]])
                .unwrap();
        assert_eq!(want.slots(), 4);
        let payload = want.find(ROOT, b"payload", 0).unwrap();
        assert_eq!(chain(&want, payload.goal), [(0, 0), (3, 0)]);
        let amount = want.find(payload.goal.child, b"amount", 0).unwrap();
        assert_eq!(chain(&want, amount.goal), [(1, 0), (2, 0)]);
        assert_eq!(chain(&want, want.find(ROOT, b"amount", 0).unwrap().goal), [(1, 1)]);
        assert!(want.find(ROOT, b"Amount", 0).is_none());
        assert!(want.find(payload.goal.child, b"payload", 0).is_none());
    }

    #[test]
    fn loose_names_ignore_case_and_joints_only() {
        let want = Want::loose(&[&["operation_id"]]).unwrap();
        for key in ["operation_id", "OperationId", "operation-ID", "OPERATION ID", "_operationid"] {
            assert!(want.find(ROOT, key.as_bytes(), 0).is_some(), "{key}");
        }
        for key in ["operation.id", "operation_ids", "operation_i", "", "operatıon_id"] {
            assert!(want.find(ROOT, key.as_bytes(), 0).is_none(), "{key}");
        }
    }

    #[test]
    fn what_cannot_be_wanted_is_said() {
        assert_eq!(Want::exact(&[&["a..b"]]).unwrap_err(), WantError::EmptyName("a..b".into()));
        assert_eq!(Want::exact(&[&[""]]).unwrap_err(), WantError::EmptyName(String::new()));
        let mut want = Want::exact(&[]).unwrap();
        assert_eq!(want.add(63, "a"), Ok(()));
        assert_eq!(want.add(64, "a"), Err(WantError::Slot(64)));
        assert_eq!(want.add_names(0, &["http.method"]), Ok(()));
        assert!(want.find(ROOT, b"http.method", 0).is_some());
        assert_eq!(want.add_names(0, &[]), Err(WantError::EmptyName(String::new())));
    }
}
