//! Reading ahead: one thread cuts a file into lines and reads them strictly, with a note of where their values stand;
//! another says what they mean, in order, because a call and its answer are different records.

use std::ops::Range;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::{SyncSender, sync_channel};

use super::feed::{Line, Look};
use crate::sources::frame::{Bytes, Lines, ReadError, Tally};
use crate::sources::json::{Noter, Tape};

/// Shorter files are read by one thread.
pub(super) const FROM: u64 = 4 << 20;

/// So many bytes of lines go over at once, or one line that is longer.
const BATCH: usize = 128 << 10;

/// So many batches may be ahead.
const AHEAD: usize = 2;

/// Lines that were looked at.
#[derive(Default)]
struct Batch {
    bytes: Vec<u8>,
    lines: Vec<Held>,
    /// The tape of each line; those of the batch before serve again.
    tapes: Vec<Tape>,
}

struct Held {
    bytes: Range<usize>,
    at: u64,
    ended: bool,
    seen: Look,
}

impl Batch {
    fn clear(&mut self) {
        self.bytes.clear();
        self.lines.clear();
        // What one odd line needed is not kept.
        self.tapes.retain(Tape::is_usual);
    }

    /// Adds a line, with what `look` sees in it.
    fn add(&mut self, line: Line<'_>, look: &mut impl FnMut(Line<'_>, &mut Tape) -> Look) {
        if self.tapes.len() == self.lines.len() {
            self.tapes.push(Tape::default());
        }
        let Some(tape) = self.tapes.get_mut(self.lines.len()) else { return };
        let from = self.bytes.len();
        self.bytes.extend_from_slice(line.bytes);
        let seen = look(line, tape);
        self.lines.push(Held { bytes: from..self.bytes.len(), at: line.at, ended: line.ended, seen });
    }
}

/// Has every line looked at by one thread and taken by this one, in order.
///
/// # Errors
/// When the file cannot be read on; lines before that place were taken.
pub(super) fn read(
    bytes: &Bytes,
    cancel: &AtomicBool,
    look: impl Fn(Line<'_>, &mut Noter, &mut Tape) -> Look + Send,
    mut take: impl FnMut(Line<'_>, Look, &Tape),
) -> Result<Tally, ReadError> {
    std::thread::scope(|scope| {
        let (send, full) = sync_channel::<Batch>(AHEAD);
        let (back, empty) = sync_channel::<Batch>(AHEAD + 2);
        let cutting = scope.spawn(move || {
            let mut noter = Noter::default();
            let mut look = |line: Line<'_>, tape: &mut Tape| look(line, &mut noter, tape);
            let mut batch = Batch::default();
            let hand_over = |batch: &mut Batch, send: &SyncSender<Batch>| {
                let next = empty.try_recv().unwrap_or_default();
                // Nobody takes any more only where the other thread is gone.
                let _ = send.send(std::mem::replace(batch, next));
            };
            let tally = Lines::new(bytes, cancel).chunks(0..bytes.len(), |lines| {
                for line in lines.by_ref() {
                    batch.add(Line { bytes: line.bytes, at: line.offset, ended: line.ended }, &mut look);
                    if batch.bytes.len() >= BATCH {
                        hand_over(&mut batch, &send);
                    }
                }
            });
            hand_over(&mut batch, &send);
            tally
        });
        for mut batch in full {
            for (held, tape) in batch.lines.drain(..).zip(&batch.tapes) {
                let bytes = batch.bytes.get(held.bytes).unwrap_or_default();
                take(Line { bytes, at: held.at, ended: held.ended }, held.seen, tape);
            }
            batch.clear();
            let _ = back.try_send(batch);
        }
        cutting.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}
