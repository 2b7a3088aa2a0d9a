//! From sources to judged intents (`engine.md`).
//!
//! ```text
//! plan      which part of which file goes to which slice
//! builder   events of one slice -> rows, names stored once            (one per worker, sealed into a run)
//! run       immutable rows, sorted by partition of their operation id
//! tickets   expectations without an operation id -> their operation
//! cut       what lies outside --since and --until
//! kinds     kinds that calls and rows name
//! resolve   every other identity -> an operation id; repeats           (before grouping)
//! group     names of a partition, by bytes -> intents
//! join      rows that no operation id ties: keys, receipts, declared joins, suggestions, accounts
//! derived   rows by the hash of what identifies their operation
//! order     the intents of one order, sorted by what rows can tell apart: look-ups for declared joins and accounts
//! follow    rows that name other rows: reversals, one effect in several sources
//! desk      rows of one intent side by side -> judge::Facts
//! case      what is loaded: judged, counted, listed, viewed
//! ```
//!
//! The only threads are scoped ones; nothing that is shown depends on their order or on a hash.

pub mod accept;
pub mod account;
mod activity;
mod apart;
pub mod args;
mod attempts;
pub mod brief;
pub mod builder;
pub mod case;
pub mod currency;
pub mod cut;
pub mod declared;
mod derived;
pub mod described;
pub mod desk;
mod effects;
mod find;
pub mod follow;
pub mod group;
mod grouped;
mod hand;
mod hazards;
mod index;
pub mod join;
pub mod judging;
pub mod kinds;
pub mod late;
pub mod lineage;
pub mod lines;
pub mod list;
#[expect(clippy::module_inception, reason = "the room is named after what it does")]
pub mod load;
pub mod near;
pub mod order;
pub mod places;
pub mod quiet;
pub mod read;
pub mod reading;
mod related;
pub mod repeats;
mod reread;
pub mod resolve;
pub mod run;
pub mod runs;
pub mod scope;
pub mod search;
pub mod setting;
pub mod slice;
mod sorted;
pub mod summary;
pub mod tables;
pub mod tickets;
mod two_keys;
pub mod uncovered;
pub mod view;
mod views;
mod went_back;

pub use case::Case;
pub use described::GroupView;
pub use group::Op;
pub use load::{ErrorKind, LoadError, Options, Progress, clock_of, load};
pub use runs::RunFacts;
pub use summary::{Ask, Property};

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use run::PARTS;

/// Does the same for every partition, with a number of scoped threads; results come back in order of partition.
pub fn each_part<T: Send>(threads: usize, work: impl Fn(usize) -> T + Sync) -> Vec<T> {
    each(threads, PARTS, work)
}

/// Does `work(0..count)` with a number of scoped threads; results come back in order.
pub fn each<T: Send>(threads: usize, count: usize, work: impl Fn(usize) -> T + Sync) -> Vec<T> {
    if threads <= 1 {
        return (0..count).map(work).collect();
    }
    let next = AtomicUsize::new(0);
    let done: Mutex<Vec<(usize, T)>> = Mutex::new(Vec::with_capacity(count));
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let no = next.fetch_add(1, Ordering::Relaxed);
                    if no >= count {
                        break;
                    }
                    let result = work(no);
                    done.lock().unwrap_or_else(PoisonError::into_inner).push((no, result));
                }
            });
        }
    });
    let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    done.sort_by_key(|(no, _)| *no);
    done.into_iter().map(|(_, result)| result).collect()
}
