//! A client of one tool server: starts it, calls it, notices that it is gone. It repeats nothing by itself.

use std::collections::VecDeque;
use std::ffi::OsString;
use std::process::Stdio;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use rmcp::model::{
    CallToolRequest, CallToolRequestParams, CallToolResult, ClientCapabilities, ClientConfig, ClientRequest,
    Implementation, JsonObject, MetaObject, RequestMetaObject, ServerResult,
};
use rmcp::service::{PeerRequestOptions, RequestHandle, RunningService};
use rmcp::{RoleClient, ServiceError, ServiceExt as _};
use tokio::io::AsyncReadExt as _;
use tokio::process::{Child, Command};
use tokio::time::timeout;

use crate::text::{SafeText, cut, shell_word};

use super::LabError;
use super::wire::Wire;

/// A program to start, with its arguments.
#[derive(Clone, Debug)]
pub struct Program {
    /// The program.
    pub program: OsString,
    /// Its arguments.
    pub arguments: Vec<OsString>,
}

/// How long things may take.
#[derive(Clone, Copy, Debug)]
pub struct Patience {
    /// Until a server has started and said what it is.
    pub start: Duration,
    /// Until a call is answered.
    pub call: Duration,
    /// Until a server that is told to end has ended; then it is killed.
    pub end: Duration,
}

/// What came of a call.
#[derive(Clone, PartialEq, Debug)]
pub enum Answer {
    /// The tool answered; `refused` where it says that this is an error.
    Told {
        /// Its text.
        text: String,
        /// Its structured content.
        structured: Option<serde_json::Value>,
        /// It is marked as an error.
        refused: bool,
    },
    /// The server answered with an error of the protocol.
    Error(String),
    /// The connection ended before an answer.
    Lost,
    /// No answer came in time.
    Timeout,
    /// The request never left.
    NotSent,
}

/// The last of what a server says on standard error.
#[derive(Clone, Default)]
struct Tail(Arc<Mutex<VecDeque<u8>>>);

/// Bytes of it that are kept.
const TAIL: usize = 4096;
/// Cells of a text from a server that are shown.
const SHOWN: usize = 300;

/// A connection to a server that was started for it.
pub struct Connection {
    child: Child,
    wire: Wire,
    service: RunningService<RoleClient, ClientConfig>,
    patience: Patience,
    tail: Tail,
}

impl Program {
    /// As a person would type it.
    pub fn shown(&self) -> String {
        let words = std::iter::once(&self.program).chain(&self.arguments);
        let words: Vec<String> =
            words.map(|word| shell_word(word.as_encoded_bytes()).shown().into_owned()).collect();
        words.join(" ")
    }
}

impl Tail {
    fn push(&self, bytes: &[u8]) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.extend(bytes);
        let over = kept.len().saturating_sub(TAIL);
        kept.drain(..over);
    }

    /// Its last line that says something.
    fn last_line(&self) -> Option<String> {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let text = String::from_utf8_lossy(kept.make_contiguous()).into_owned();
        text.lines().rev().find(|line| !line.trim().is_empty()).map(|line| raw_line(line.trim()))
    }
}

/// A text from a server as it may be printed: on one line, not too long.
pub fn shown(text: &str) -> String {
    cut(SafeText::new(text).shown(), SHOWN)
}

/// A text from a server for an error, which is made fit to be printed as a whole: on one line, not too long.
pub fn raw_line(text: &str) -> String {
    text.chars().map(|c| if matches!(c, '\n' | '\r') { ' ' } else { c }).take(SHOWN).collect()
}

impl Connection {
    /// Starts a server and begins the protocol.
    ///
    /// # Errors
    /// A server that cannot be started, ends at once, or does not speak the protocol in time.
    pub async fn open(program: &Program, patience: Patience) -> Result<Self, LabError> {
        let mut child = Command::new(&program.program)
            .args(&program.arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .map_err(|why| LabError::Server(format!("cannot start {}: {why}", program.shown())))?;
        let (Some(stdin), Some(stdout), Some(mut stderr)) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take())
        else {
            return Err(LabError::Server(format!("{} has no pipes", program.shown())));
        };
        let tail = Tail::default();
        let listener = tail.clone();
        tokio::spawn(async move {
            let mut bytes = [0; 1024];
            while let Ok(count @ 1..) = stderr.read(&mut bytes).await {
                listener.push(bytes.get(..count).unwrap_or_default());
            }
        });
        let wire = Wire::new(stdin, stdout);
        let config = ClientConfig::new(
            ClientCapabilities::default(),
            Implementation::new("recount-lab", env!("CARGO_PKG_VERSION")),
        );
        let failed = |why: String| {
            let said = tail.last_line().map_or(String::new(), |line| format!("; it said: {line}"));
            LabError::Server(format!("{} does not answer as a tool server: {why}{said}", program.shown()))
        };
        let service = match timeout(patience.start, config.serve(wire.ends())).await {
            Ok(Ok(service)) => service,
            Ok(Err(why)) => {
                // What it says last is often the reason.
                let ended = timeout(Duration::from_millis(500), child.wait()).await;
                tokio::time::sleep(Duration::from_millis(20)).await;
                let why = match ended {
                    Ok(Ok(status)) => format!("it ended ({status})"),
                    _ => raw_line(&why.to_string()),
                };
                return Err(failed(why));
            }
            Err(_) => {
                return Err(failed(format!("nothing came in {} seconds", patience.start.as_secs())));
            }
        };
        Ok(Self { child, wire, service, patience, tail })
    }

    /// Names of its tools.
    ///
    /// # Errors
    /// A server that does not tell.
    pub async fn tools(&self) -> Result<Vec<String>, LabError> {
        let failed =
            |why: String| LabError::Server(format!("the server does not list its tools: {}", raw_line(&why)));
        let listed = timeout(self.patience.call, self.service.peer().list_all_tools()).await;
        let listed = listed.map_err(|_| failed("no answer in time".to_owned()))?;
        let tools = listed.map_err(|why| failed(why.to_string()))?;
        Ok(tools.into_iter().map(|tool| tool.name.into_owned()).collect())
    }

    /// Calls a tool and waits for its answer.
    pub async fn call(&self, tool: &str, arguments: JsonObject, operation: Option<&str>) -> Answer {
        let before = self.wire.lines();
        let Some(handle) = self.send(tool, arguments, operation).await else { return Answer::NotSent };
        match timeout(self.patience.call, handle.await_response()).await {
            Err(_) => Answer::Timeout,
            Ok(Err(ServiceError::McpError(error))) => Answer::Error(error.message.into_owned()),
            Ok(Err(ServiceError::TransportClosed | ServiceError::TransportSend(_))) => {
                // A request that is not whole cannot be acted on.
                if self.wire.lines() == before { Answer::NotSent } else { Answer::Lost }
            }
            Ok(Err(why)) => Answer::Error(why.to_string()),
            Ok(Ok(ServerResult::CallToolResult(result))) => told(&result),
            Ok(Ok(other)) => {
                let text = serde_json::to_string(&other).unwrap_or_default();
                Answer::Error(format!("this is no answer of a tool: {}", shown(&text)))
            }
        }
    }

    /// Calls a tool and waits until the request has been written, not for its answer. False where it never left.
    pub async fn only_send(&self, tool: &str, arguments: JsonObject, operation: Option<&str>) -> bool {
        let before = self.wire.lines();
        let Some(handle) = self.send(tool, arguments, operation).await else { return false };
        let written = timeout(self.patience.call, self.wire.more_than(before)).await.is_ok();
        drop(handle);
        written
    }

    async fn send(
        &self,
        tool: &str,
        arguments: JsonObject,
        operation: Option<&str>,
    ) -> Option<RequestHandle<RoleClient>> {
        let call = CallToolRequestParams::new(tool.to_owned()).with_arguments(arguments);
        let mut options = PeerRequestOptions::no_options();
        if let Some(operation) = operation {
            let mut meta = MetaObject::default();
            meta.0.insert("operation_id".to_owned(), operation.into());
            options = options.with_meta(RequestMetaObject(meta));
        }
        let request = ClientRequest::CallToolRequest(CallToolRequest::new(call));
        self.service.peer().send_request_with_option(request, options).await.ok()
    }

    /// Cuts the connection: at once for answers, after `grace` for requests, so that a server which reads slowly still
    /// gets the request that was written. Then it may end by itself, or is killed.
    pub async fn cut(mut self, grace: Duration) {
        self.wire.cut_answers();
        if timeout(grace, self.child.wait()).await.is_err() {
            self.end().await;
        }
    }

    /// Waits until the server has ended by itself, at most so long.
    pub async fn ended(&mut self, most: Duration) -> bool {
        timeout(most, self.child.wait()).await.is_ok()
    }

    /// Ends the connection and the server.
    pub async fn close(mut self) {
        self.end().await;
    }

    async fn end(&mut self) {
        self.wire.cut_requests();
        if timeout(self.patience.end, self.child.wait()).await.is_err() {
            // It may have ended meanwhile, which is as good.
            let _ = self.child.kill().await;
        }
    }

    /// The last thing that the server said on standard error.
    pub fn last_words(&self) -> Option<String> {
        self.tail.last_line()
    }
}

fn told(result: &CallToolResult) -> Answer {
    let texts: Vec<&str> =
        result.content.iter().filter_map(|block| block.as_text()).map(|text| text.text.as_str()).collect();
    Answer::Told {
        text: texts.join("\n"),
        structured: result.structured_content.clone(),
        refused: result.is_error == Some(true),
    }
}
