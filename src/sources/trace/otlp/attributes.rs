//! What attributes mean, as a table: the conventions for `GenAI`, MCP and HTTP, their older names, and the dialects of
//! `OpenInference`, the Vercel AI SDK and `OpenLLMetry`.

use std::collections::HashMap;
use std::sync::LazyLock;

use foldhash::fast::RandomState;

/// What an attribute says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Meaning {
    /// The span is that of a tool, where the value is one of [`TOOL_WORDS`].
    IsTool,
    /// Name of the tool.
    Tool,
    /// Name of whatever the span is: the tool's where it is one.
    Entity,
    /// The id that the model gave to the call.
    CallId,
    /// Arguments.
    Arguments,
    /// Input: arguments where the span is a tool's and has no others.
    Input,
    /// Result.
    Result,
    /// Output: the result where there is no other.
    Output,
    /// `error.type`.
    Error,
    /// HTTP method.
    Method,
    /// HTTP route, before the address.
    Route,
    /// HTTP address or path.
    Url,
    /// HTTP status.
    Status,
    /// Header with an idempotency key.
    Key,
    /// Header by which the answer says that it is a stored one.
    Replayed,
    /// MCP method.
    McpMethod,
    /// JSON-RPC status code.
    RpcStatus,
    /// Conversation or session.
    Run,
    /// Agent.
    Agent,
    /// Model.
    Model,
    /// Messages of a model, with the calls that it asks for.
    Messages,
    /// Messages to a model, with the answers of calls.
    Answers,
}

/// Values of [`Meaning::IsTool`].
pub(super) const TOOL_WORDS: [&str; 4] = ["execute_tool", "TOOL", "tool", "ai.toolCall"];

/// The names.
const NAMES: [(&str, Meaning); 45] = [
    ("gen_ai.operation.name", Meaning::IsTool),
    ("openinference.span.kind", Meaning::IsTool),
    ("traceloop.span.kind", Meaning::IsTool),
    ("ai.operationId", Meaning::IsTool),
    ("operation.name", Meaning::IsTool),
    ("gen_ai.tool.name", Meaning::Tool),
    ("tool.name", Meaning::Tool),
    ("ai.toolCall.name", Meaning::Tool),
    ("traceloop.entity.name", Meaning::Entity),
    ("gen_ai.tool.call.id", Meaning::CallId),
    ("tool.id", Meaning::CallId),
    ("tool_call.id", Meaning::CallId),
    ("ai.toolCall.id", Meaning::CallId),
    ("gen_ai.tool.call.arguments", Meaning::Arguments),
    ("ai.toolCall.args", Meaning::Arguments),
    ("traceloop.entity.input", Meaning::Arguments),
    ("tool.parameters", Meaning::Input),
    ("input.value", Meaning::Arguments),
    ("gen_ai.tool.call.result", Meaning::Result),
    ("ai.toolCall.result", Meaning::Result),
    ("traceloop.entity.output", Meaning::Result),
    ("output.value", Meaning::Output),
    ("error.type", Meaning::Error),
    ("http.request.method", Meaning::Method),
    ("http.method", Meaning::Method),
    ("http.route", Meaning::Route),
    ("url.template", Meaning::Route),
    ("url.full", Meaning::Url),
    ("http.url", Meaning::Url),
    ("url.path", Meaning::Url),
    ("http.target", Meaning::Url),
    ("http.response.status_code", Meaning::Status),
    ("http.status_code", Meaning::Status),
    ("mcp.method.name", Meaning::McpMethod),
    ("rpc.response.status_code", Meaning::RpcStatus),
    ("rpc.jsonrpc.error_code", Meaning::RpcStatus),
    ("gen_ai.conversation.id", Meaning::Run),
    ("session.id", Meaning::Run),
    ("gen_ai.agent.name", Meaning::Agent),
    ("gen_ai.request.model", Meaning::Model),
    ("gen_ai.response.model", Meaning::Model),
    ("llm.model_name", Meaning::Model),
    ("gen_ai.output.messages", Meaning::Messages),
    ("gen_ai.completion", Meaning::Messages),
    ("gen_ai.input.messages", Meaning::Answers),
];

/// What a name means.
pub(super) fn meaning(name: &str) -> Option<Meaning> {
    static KNOWN: LazyLock<HashMap<&str, Meaning, RandomState>> =
        LazyLock::new(|| NAMES.iter().copied().collect());
    if let Some(meaning) = KNOWN.get(name) {
        return Some(*meaning);
    }
    if let Some(header) = name.strip_prefix("http.request.header.") {
        return super::super::http::is_one_of(header, &super::super::http::KEY_HEADERS)
            .then_some(Meaning::Key);
    }
    let header = name.strip_prefix("http.response.header.")?;
    super::super::http::is_one_of(header, &super::super::http::REPLAYED_HEADERS).then_some(Meaning::Replayed)
}
