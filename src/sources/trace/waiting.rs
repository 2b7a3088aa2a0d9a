//! Calls that wait for their answers: found by their ids, told in the order in which they were sent.

use std::collections::VecDeque;
use std::hash::BuildHasher;

use foldhash::fast::RandomState;
use hashbrown::HashTable;

use super::calls::{Answer, Call};

/// A call that waits for its answer.
#[derive(Debug)]
pub(super) struct Open {
    /// Its id.
    pub(super) id: Box<str>,
    /// As it was sent.
    pub(super) call: Call,
    /// What is known of its end.
    pub(super) answer: Answer,
    number: u64,
}

/// A call that waited once: it, and no other that takes its place later.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Handle {
    place: u32,
    number: u64,
}

/// The calls that wait.
#[derive(Debug, Default)]
pub(super) struct Waiting {
    places: Vec<Option<Open>>,
    free: Vec<u32>,
    by_id: HashTable<u32>,
    /// Each in the order in which they were sent; those that are settled are passed over.
    order: VecDeque<Handle>,
    next: u64,
    hasher: RandomState,
}

impl Waiting {
    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.by_id.len()
    }

    fn place(&self, id: &str) -> Option<u32> {
        let same = |place: &u32| {
            self.places.get(*place as usize).and_then(Option::as_ref).is_some_and(|open| &*open.id == id)
        };
        self.by_id.find(self.hasher.hash_one(id), same).copied()
    }

    /// A call of this id waits.
    pub(super) fn has(&self, id: &str) -> bool {
        self.place(id).is_some()
    }

    /// The call of this id.
    pub(super) fn get_mut(&mut self, id: &str) -> Option<&mut Open> {
        let place = self.place(id)?;
        self.places.get_mut(place as usize)?.as_mut()
    }

    /// One more; none of its id may wait.
    pub(super) fn add(&mut self, id: &str, call: Call) -> Handle {
        let number = self.next;
        self.next += 1;
        let open = Some(Open { id: id.into(), call, answer: Answer::default(), number });
        let place = self.free.pop().unwrap_or_else(|| {
            self.places.push(None);
            u32::try_from(self.places.len() - 1).unwrap_or(u32::MAX)
        });
        if let Some(slot) = self.places.get_mut(place as usize) {
            *slot = open;
        }
        let (places, hasher) = (&self.places, &self.hasher);
        self.by_id.insert_unique(hasher.hash_one(id), place, |place| {
            let open = places.get(*place as usize).and_then(Option::as_ref);
            hasher.hash_one(open.map_or("", |open| &*open.id))
        });
        if self.order.len() > 2 * self.by_id.len() + 1024 {
            let places = &self.places;
            self.order.retain(|entry| waits(places, *entry));
        }
        let handle = Handle { place, number };
        self.order.push_back(handle);
        handle
    }

    /// The call of this handle, while it waits.
    pub(super) fn known(&mut self, handle: Handle) -> Option<&mut Open> {
        self.places.get_mut(handle.place as usize)?.as_mut().filter(|open| open.number == handle.number)
    }

    /// The call of this handle waits.
    pub(super) fn waits(&self, handle: Handle) -> bool {
        waits(&self.places, handle)
    }

    /// Takes the call of this id away.
    pub(super) fn take(&mut self, id: &str) -> Option<Open> {
        let places = &self.places;
        let same = |place: &u32| {
            places.get(*place as usize).and_then(Option::as_ref).is_some_and(|open| &*open.id == id)
        };
        let (place, _) = self.by_id.find_entry(self.hasher.hash_one(id), same).ok()?.remove();
        self.free.push(place);
        self.places.get_mut(place as usize)?.take()
    }

    /// Takes the oldest away.
    pub(super) fn take_oldest(&mut self) -> Option<Open> {
        while let Some(handle) = self.order.pop_front() {
            if self.waits(handle) {
                let id = self.places.get(handle.place as usize)?.as_ref()?.id.clone();
                return self.take(&id);
            }
        }
        None
    }

    /// All in their order.
    pub(super) fn iter(&self) -> impl Iterator<Item = &Open> {
        self.order
            .iter()
            .filter(|entry| waits(&self.places, **entry))
            .filter_map(|handle| self.places.get(handle.place as usize).and_then(Option::as_ref))
    }
}

fn waits(places: &[Option<Open>], handle: Handle) -> bool {
    let open = places.get(handle.place as usize).and_then(Option::as_ref);
    open.is_some_and(|open| open.number == handle.number)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ids(waiting: &Waiting) -> Vec<String> {
        waiting.iter().map(|open| open.id.to_string()).collect()
    }

    #[test]
    fn calls_are_found_by_id_and_told_in_order() {
        let mut waiting = Waiting::default();
        for id in ["a", "b", "c", "d"] {
            waiting.add(id, Call::at(waiting.next));
        }
        assert_eq!(waiting.take("b").unwrap().call.at, 1);
        assert!(waiting.take("b").is_none() && !waiting.has("b") && waiting.has("c"));
        // Its place is taken by another, its turn is not.
        let handle = waiting.add("b", Call::at(9));
        assert_eq!(ids(&waiting), ["a", "c", "d", "b"]);
        assert_eq!(&*waiting.take_oldest().unwrap().id, "a");
        assert_eq!(waiting.get_mut("b").unwrap().call.at, 9);
        assert_eq!(waiting.known(handle).unwrap().call.at, 9);
        assert_eq!((waiting.len(), ids(&waiting)), (3, vec!["c".into(), "d".into(), "b".into()]));
        assert!(waiting.waits(handle) && waiting.take("b").is_some());
        waiting.add("e", Call::default());
        assert!(!waiting.waits(handle) && waiting.known(handle).is_none());
    }

    #[test]
    fn one_that_never_ends_keeps_nothing_of_the_others() {
        let mut waiting = Waiting::default();
        waiting.add("first", Call::default());
        for no in 0..10_000 {
            waiting.add(&no.to_string(), Call::default());
            assert!(waiting.take(&no.to_string()).is_some());
        }
        assert!(waiting.order.len() < 1030 && waiting.places.len() == 2, "{}", waiting.order.len());
        assert_eq!(ids(&waiting), ["first"]);
    }
}
