//! Listens in on what comes to the server, so that an amount is read from its token and never from a float.

use std::collections::HashMap;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};

use serde::Deserialize;
use serde_json::value::RawValue;
use tokio::io::{AsyncRead, ReadBuf};

/// Longest line that is kept; the protocol drops longer ones too.
const LONGEST: usize = rmcp::transport::async_rw::DEFAULT_MAX_LINE_LENGTH;

/// Calls that were heard and not fetched yet: by the JSON text of their id, the JSON text of their parameters.
#[derive(Clone, Default)]
pub struct Heard(Arc<Mutex<HashMap<String, Box<str>>>>);

/// A reader that is listened to.
pub struct Tap<R> {
    inner: R,
    line: Vec<u8>,
    skipping: bool,
    heard: Heard,
}

#[derive(Deserialize)]
struct Call<'a> {
    id: serde_json::Value,
    method: String,
    #[serde(borrow)]
    params: &'a RawValue,
}

impl Heard {
    /// Fetches the parameters of a call.
    pub fn fetch(&self, id: &str) -> Option<Box<str>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).remove(id)
    }

    fn keep(&self, line: &[u8]) {
        let Ok(call) = serde_json::from_slice::<Call<'_>>(line) else { return };
        if call.method == "tools/call" {
            let mut calls = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            calls.insert(call.id.to_string(), call.params.get().into());
        }
    }
}

impl<R> Tap<R> {
    /// Listens to a reader.
    pub fn new(inner: R, heard: Heard) -> Self {
        Self { inner, line: Vec::new(), skipping: false, heard }
    }

    fn hear(&mut self, bytes: &[u8]) {
        for part in bytes.split_inclusive(|byte| *byte == b'\n') {
            let ends = part.ends_with(b"\n");
            if self.line.len() + part.len() > LONGEST {
                self.skipping = true;
                self.line = Vec::new();
            }
            if !self.skipping {
                self.line.extend_from_slice(part);
            }
            if ends {
                if !self.skipping {
                    self.heard.keep(&self.line);
                }
                self.skipping = false;
                self.line.clear();
            }
        }
    }
}

impl<R: AsyncRead + Unpin> AsyncRead for Tap<R> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<std::io::Result<()>> {
        let before = buffer.filled().len();
        let read = Pin::new(&mut self.inner).poll_read(context, buffer);
        if let Poll::Ready(Ok(())) = &read {
            let new = buffer.filled().get(before..).unwrap_or_default().to_vec();
            self.hear(&new);
        }
        read
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_arrives_as_it_was_written() {
        let heard = Heard::default();
        let mut tap = Tap::new(tokio::io::empty(), heard.clone());
        tap.hear(b"noise\n{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"tools/ca");
        tap.hear(
            b"ll\",\"params\":{\"arguments\":{\"amount\":200.10}}}\r\n{\"id\":\"a\",\"method\":\"ping\"}\n",
        );
        assert_eq!(heard.fetch("7").as_deref(), Some("{\"arguments\":{\"amount\":200.10}}"));
        assert_eq!(heard.fetch("7"), None);
        assert_eq!(heard.fetch("\"a\""), None);
    }

    #[test]
    fn an_endless_line_is_not_kept() {
        let heard = Heard::default();
        let mut tap = Tap::new(tokio::io::empty(), heard.clone());
        let much = vec![b' '; LONGEST];
        tap.hear(&much);
        tap.hear(&much);
        assert!(tap.line.len() <= LONGEST);
        tap.hear(b"\n{\"id\":1,\"method\":\"tools/call\",\"params\":{}}\n");
        assert_eq!(heard.fetch("1").as_deref(), Some("{}"));
    }
}
