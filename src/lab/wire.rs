//! The two pipes of a server as the protocol's transport, with a hand on each: so that a connection can be cut after a
//! request was written, and not before.

use std::io;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::process::{ChildStdin, ChildStdout};
use tokio::sync::watch;

/// Both pipes of a server.
#[derive(Clone)]
pub struct Wire(Arc<Inner>);

struct Inner {
    stdin: Mutex<Option<ChildStdin>>,
    stdout: Mutex<Option<ChildStdout>>,
    /// Who waits for bytes.
    reader: Mutex<Option<Waker>>,
    /// Lines that were written whole, and how many of them were flushed.
    written: Mutex<usize>,
    flushed: watch::Sender<usize>,
}

/// The end that is read.
pub struct Reader(Wire);

/// The end that is written.
pub struct Writer(Wire);

fn hold<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Wire {
    /// Takes the pipes of a server.
    pub fn new(stdin: ChildStdin, stdout: ChildStdout) -> Self {
        Self(Arc::new(Inner {
            stdin: Mutex::new(Some(stdin)),
            stdout: Mutex::new(Some(stdout)),
            reader: Mutex::new(None),
            written: Mutex::new(0),
            flushed: watch::channel(0).0,
        }))
    }

    /// The ends for the transport.
    pub fn ends(&self) -> (Reader, Writer) {
        (Reader(self.clone()), Writer(self.clone()))
    }

    /// Lines that were handed to the server so far.
    pub fn lines(&self) -> usize {
        *self.0.flushed.borrow()
    }

    /// Waits until more than so many lines were handed to the server.
    pub async fn more_than(&self, lines: usize) {
        // The sender lives as long as this wire.
        let _ = self.0.flushed.subscribe().wait_for(|flushed| *flushed > lines).await;
    }

    /// No answer arrives any more: the server may still read, but what it writes has no reader.
    pub fn cut_answers(&self) {
        drop(hold(&self.0.stdout).take());
        if let Some(waker) = hold(&self.0.reader).take() {
            waker.wake();
        }
    }

    /// The server reads the end of its input.
    pub fn cut_requests(&self) {
        drop(hold(&self.0.stdin).take());
    }
}

impl AsyncRead for Reader {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let inner = &self.0.0;
        let mut stdout = hold(&inner.stdout);
        let Some(pipe) = stdout.as_mut() else { return Poll::Ready(Ok(())) };
        let read = Pin::new(pipe).poll_read(context, buffer);
        if read.is_pending() {
            *hold(&inner.reader) = Some(context.waker().clone());
        }
        read
    }
}

impl AsyncWrite for Writer {
    fn poll_write(self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let inner = &self.0.0;
        let mut stdin = hold(&inner.stdin);
        let Some(pipe) = stdin.as_mut() else { return Poll::Ready(Err(io::ErrorKind::BrokenPipe.into())) };
        let wrote = Pin::new(pipe).poll_write(context, bytes);
        if let Poll::Ready(Ok(count)) = &wrote {
            let sent = bytes.get(..*count).unwrap_or_default();
            *hold(&inner.written) += memchr::memchr_iter(b'\n', sent).count();
        }
        wrote
    }

    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let inner = &self.0.0;
        let mut stdin = hold(&inner.stdin);
        let Some(pipe) = stdin.as_mut() else { return Poll::Ready(Err(io::ErrorKind::BrokenPipe.into())) };
        let flushed = Pin::new(pipe).poll_flush(context);
        if let Poll::Ready(Ok(())) = &flushed {
            inner.flushed.send_replace(*hold(&inner.written));
        }
        flushed
    }

    /// Does nothing: whoever holds the wire decides when the server reads the end.
    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }
}
