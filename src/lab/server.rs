//! `recount lab serve`: an MCP server over standard input and output on a [`Store`].
//!
//! The operation id is not in the schema of a tool: the dispatcher passes it in `_meta.operation_id`, where no model
//! can forget or invent it.

use std::future::ready;
use std::io;
use std::path::PathBuf;
use std::pin::Pin;
use std::sync::{Mutex, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, Implementation, JsonObject,
    ListToolsResult, PaginatedRequestParams, ServerCapabilities, ServerConfig, Tool, ToolAnnotations,
};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer, ServerHandler, ServiceExt as _};
use serde::Deserialize;
use serde_json::value::RawValue;
use tokio::io::AsyncWrite;

use crate::text::json_string;

use super::fault::Faults;
pub use super::fault::Hold;
use super::setup::{Fault, Mode, READ, WRITE};
use super::store::{Answer, Moment, Request, Store};
use super::tap::{Heard, Tap};
use super::{LabError, runtime};

/// How long a delayed answer takes where nothing else is said: more than the lab's client waits.
pub const DELAY: Duration = Duration::from_millis(1500);

/// Exit code of a server that a fault has ended.
const STRUCK: i32 = 70;

/// A server to run.
#[derive(Clone, Debug)]
pub struct Serve {
    /// How it treats a known operation.
    pub mode: Mode,
    /// Its store.
    pub store: PathBuf,
    /// Faults that may strike, each once.
    pub faults: Vec<Fault>,
    /// How long a delayed answer takes.
    pub delay: Duration,
    /// Where it waits to be killed.
    pub hold: Option<Hold>,
}

/// Serves until the client goes away.
///
/// # Errors
/// A store that cannot be used, a handshake that fails.
pub fn serve(serve: Serve) -> Result<(), LabError> {
    let store = Store::open(&serve.store, serve.mode)?;
    let heard = Heard::default();
    let handler = Handler {
        store: Mutex::new(store),
        faults: Faults::new(serve.faults, &serve.store),
        mode: serve.mode,
        delay: serve.delay,
        hold: serve.hold,
        heard: heard.clone(),
    };
    let runtime = runtime()?;
    let served = runtime.block_on(async {
        let ends = (Tap::new(tokio::io::stdin(), heard), LastWord(tokio::io::stdout()));
        let running = handler.serve(ends).await.map_err(|why| {
            LabError::Server(format!(
                "the client did not begin the protocol: {}; a tool server is started by its client",
                super::client::raw_line(&why.to_string())
            ))
        })?;
        running.waiting().await.map_err(|why| LabError::Other(format!("the server stopped: {why}")))?;
        Ok(())
    });
    // The reader of standard input may still wait for a line that never comes.
    runtime.shutdown_background();
    served
}

/// Standard output that ends the server when nobody reads it any more.
struct LastWord(tokio::io::Stdout);

fn ended_by_reader<T>(result: Poll<io::Result<T>>) -> Poll<io::Result<T>> {
    if let Poll::Ready(Err(why)) = &result
        && why.kind() == io::ErrorKind::BrokenPipe
    {
        std::process::exit(0);
    }
    result
}

impl AsyncWrite for LastWord {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        ended_by_reader(Pin::new(&mut self.0).poll_write(context, bytes))
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        ended_by_reader(Pin::new(&mut self.0).poll_flush(context))
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_shutdown(context)
    }
}

struct Handler {
    store: Mutex<Store>,
    faults: Faults,
    mode: Mode,
    delay: Duration,
    hold: Option<Hold>,
    heard: Heard,
}

/// What a call carries, read from the text of the call itself.
#[derive(Deserialize)]
struct Params<'a> {
    #[serde(borrow, default)]
    arguments: Option<&'a RawValue>,
    #[serde(rename = "_meta", default)]
    meta: Option<Meta>,
}

#[derive(Deserialize)]
struct Meta {
    #[serde(default)]
    operation_id: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OrderArguments {
    order_id: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RefundArguments<'a> {
    order_id: String,
    #[serde(borrow)]
    amount: &'a RawValue,
}

/// A tool's answer, and how long it takes.
struct Reply {
    answer: Answer,
    late: bool,
}

impl Handler {
    fn order(&self, arguments: &str) -> Result<Reply, LabError> {
        let asked: OrderArguments = match serde_json::from_str(arguments) {
            Ok(asked) => asked,
            Err(why) => return Ok(refused(&why)),
        };
        let store = self.store.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(mut order) = store.order(&asked.order_id)? else {
            return Ok(Reply { answer: Answer::Refused("no such order".to_owned()), late: false });
        };
        if order.refunds > 0 && self.faults.claim(Fault::StaleRead) {
            order.refunds = 0;
            order.refunded_minor = 0;
        }
        let text = format!(
            "{{\"currency\":{},\"order_id\":{},\"refunded_minor\":{},\"refunds\":{},\"total_minor\":{}}}",
            json_string(&order.currency),
            json_string(&asked.order_id),
            order.refunded_minor,
            order.refunds,
            order.total_minor
        );
        Ok(Reply { answer: Answer::Done(text), late: false })
    }

    fn refund(&self, arguments: &str, operation: Option<&str>) -> Result<Reply, LabError> {
        let asked: RefundArguments<'_> = match serde_json::from_str(arguments) {
            Ok(asked) => asked,
            Err(why) => return Ok(refused(&why)),
        };
        let request =
            Request { order_id: &asked.order_id, amount: asked.amount.get(), operation_id: operation };
        let mut made = false;
        let mut store = self.store.lock().unwrap_or_else(PoisonError::into_inner);
        let answer = store.refund(self.mode, &request, |moment| {
            made = true;
            self.strike(moment);
        })?;
        Ok(Reply { answer, late: made && self.faults.claim(Fault::Delay) })
    }

    /// What happens at a moment: a test may hold the server there, and a fault may end it.
    fn strike(&self, moment: Moment) {
        if let Some(hold) = &self.hold {
            hold.wait(moment);
        }
        let fault = match moment {
            Moment::BeforeCommit => Fault::DisconnectBeforeCommit,
            Moment::AfterCommit => Fault::CommitThenDisconnect,
        };
        if self.faults.claim(fault) {
            // As a crash would: nothing is rolled back or said.
            std::process::exit(STRUCK);
        }
    }

    fn reply(&self, name: &str, call: &str) -> Result<Reply, ErrorData> {
        let params: Params<'_> = serde_json::from_str(call)
            .map_err(|why| ErrorData::invalid_params(format!("the call cannot be read: {why}"), None))?;
        let arguments = params.arguments.map_or("{}", RawValue::get);
        let operation = params.meta.and_then(|meta| meta.operation_id);
        let done = match name {
            READ => self.order(arguments),
            WRITE => self.refund(arguments, operation.as_deref()),
            _ => {
                return Err(ErrorData::invalid_params(
                    format!("there are {READ} and {WRITE}, no other tool"),
                    None,
                ));
            }
        };
        done.map_err(|why| ErrorData::internal_error(why.to_string(), None))
    }
}

fn refused(why: &serde_json::Error) -> Reply {
    Reply { answer: Answer::Refused(format!("the arguments do not fit: {why}")), late: false }
}

impl ServerHandler for Handler {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
            .with_server_info(Implementation::new("recount-lab", env!("CARGO_PKG_VERSION")))
            .with_instructions("A store to practise on: invented orders, no real money.")
    }

    fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> impl Future<Output = Result<ListToolsResult, ErrorData>> + Send + '_ {
        ready(Ok(ListToolsResult::with_all_items(tools())))
    }

    async fn call_tool(
        &self,
        call: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let id = context.id.clone().into_json_value().to_string();
        let Some(heard) = self.heard.fetch(&id) else {
            return Err(ErrorData::invalid_params("the call cannot be read: its id is not unique", None));
        };
        let reply = self.reply(&call.name, &heard)?;
        if reply.late {
            tokio::time::sleep(self.delay).await;
        }
        Ok(match reply.answer {
            Answer::Done(text) => CallToolResult::success(vec![ContentBlock::text(text)]),
            Answer::Refused(why) => {
                let text = format!("{{\"error\":\"rejected\",\"why\":{}}}", json_string(&why));
                CallToolResult::error(vec![ContentBlock::text(text)])
            }
        }
        .into())
    }
}

fn tools() -> Vec<Tool> {
    let order = "\"order_id\":{\"type\":\"string\",\"description\":\"the order\"}";
    let amount = "\"amount\":{\"type\":\"number\",\"description\":\"US dollars\"}";
    let schema = |properties: &str, required: &str| -> JsonObject {
        let text = format!(
            "{{\"type\":\"object\",\"properties\":{{{properties}}},\"required\":[{required}],\"additionalProperties\":false}}"
        );
        serde_json::from_str(&text).unwrap_or_default()
    };
    vec![
        Tool::new(READ, "What an order cost and what of it was refunded.", schema(order, "\"order_id\""))
            .with_annotations(ToolAnnotations::new().read_only(true)),
        Tool::new(
            WRITE,
            "Refunds a part of an order to the customer.",
            schema(&format!("{order},{amount}"), "\"order_id\",\"amount\""),
        )
        .with_annotations(ToolAnnotations::new().read_only(false)),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_tool_asks_for_an_operation_id() {
        let tools = tools();
        let names: Vec<&str> = tools.iter().map(|tool| tool.name.as_ref()).collect();
        assert_eq!(names, ["get_order", "refund_order"]);
        let fields = |tool: &Tool| {
            let properties = tool.input_schema["properties"].as_object().unwrap();
            properties.keys().cloned().collect::<Vec<_>>()
        };
        assert_eq!(fields(&tools[0]), ["order_id"]);
        assert_eq!(fields(&tools[1]), ["amount", "order_id"]);
    }
}
