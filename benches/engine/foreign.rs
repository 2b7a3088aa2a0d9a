//! Made traces of other systems: the same calls as native lines, as OTLP spans, and as MCP frames, the same on every run.

use std::io::{Result, Write};

/// Spans in one line of a file, as a collector batches them.
const BATCH: usize = 100;

/// One try of a call.
struct Try {
    call: usize,
    turn: usize,
    order: u64,
    minor: u64,
    /// The caller gave up on it.
    lost: bool,
}

impl Try {
    /// So many tries: a fifth of the calls gets no answer and is sent again.
    fn all(count: usize) -> impl Iterator<Item = Self> {
        let mut dice = 0x9E37_79B9_7F4A_7C15_u64;
        let mut roll = move |below: u64| {
            dice ^= dice << 13;
            dice ^= dice >> 7;
            dice ^= dice << 17;
            (dice >> 16) % below
        };
        let mut call = 0;
        let mut open: Option<Self> = None;
        std::iter::from_fn(move || {
            if let Some(lost) = open.take() {
                return Some(Self { turn: 2, lost: false, ..lost });
            }
            call += 1;
            let made = Self {
                call,
                turn: 1,
                order: 100_000 + roll(4 * count as u64),
                minor: 500 + roll(49_500),
                lost: roll(5) == 0,
            };
            open = made.lost.then_some(Self { ..made });
            Some(made)
        })
        .take(count)
    }

    fn key(&self) -> String {
        format!("refund:order_{}:request_{:06x}", self.order, self.call)
    }

    /// The effect that the answer names: one for each call, however often it was sent.
    fn receipt(&self) -> String {
        format!("rf_{:06x}", self.call)
    }

    fn amount(&self) -> String {
        format!("{}.{:02}", self.minor / 100, self.minor % 100)
    }

    fn sent(&self) -> usize {
        self.call * 40 + self.turn * 700
    }

    fn arguments(&self) -> String {
        format!(
            r#"{{"order_id":"{}","amount":"{}","currency":"USD","reason":"item came back","idempotency_key":"{}"}}"#,
            self.order,
            self.amount(),
            self.key(),
        )
    }
}

/// Native lines.
pub fn native(records: usize, out: &mut impl Write) -> Result<()> {
    for (no, made) in Try::all(records).enumerate() {
        let key = made.key();
        writeln!(
            out,
            r#"{{"event":"attempt","attempt_id":"att_{no:08x}","operation_id":"{key}","run_id":"run_{}","decision_id":"dec_{}","tool":"refund_order","key":"{key}","payload":{{"order_id":"{}","amount":"{}","currency":"USD","reason":"item came back"}},"sent_at":"{}","ended_at":"{}","outcome":"{}"}}"#,
            no / 1000,
            made.turn,
            made.order,
            made.amount(),
            clock(made.sent()),
            clock(made.sent() + 350),
            if made.lost { "timeout" } else { "success" },
        )?;
    }
    Ok(())
}

/// Spans as a collector's file exporter writes them: for each try the tool and the request below it.
pub fn otlp(spans: usize, out: &mut impl Write) -> Result<()> {
    let mut batch: Vec<String> = Vec::new();
    for (no, made) in Try::all(spans.div_ceil(2)).enumerate() {
        let (key, arguments) = (made.key(), made.arguments().replace('"', "\\\""));
        let (from, to) = (made.sent() * 1_000_000, (made.sent() + 350) * 1_000_000);
        let (from, to) = (1_796_032_800_000_000_000 + from, 1_796_032_800_000_000_000 + to);
        let trace = format!("{:032x}", 0x5eed_0000_0000_0000_0000 + made.call as u128);
        let text =
            |name: &str, value: &str| format!(r#"{{"key":"{name}","value":{{"stringValue":"{value}"}}}}"#);
        let mut tool = vec![
            text("gen_ai.operation.name", "execute_tool"),
            text("gen_ai.tool.name", "refund_order"),
            text("gen_ai.tool.call.id", &format!("call_{no:012x}")),
            text("gen_ai.tool.type", "function"),
            text("gen_ai.conversation.id", &format!("conv_{}", no / 1000)),
            text("gen_ai.tool.call.arguments", &arguments),
        ];
        let mut request = vec![
            text("http.request.method", "POST"),
            text("url.full", "https://api.payments.example/v1/refunds"),
            text("server.address", "api.payments.example"),
            r#"{"key":"server.port","value":{"intValue":"443"}}"#.to_owned(),
            format!(
                r#"{{"key":"http.request.header.idempotency-key","value":{{"arrayValue":{{"values":[{{"stringValue":"{key}"}}]}}}}}}"#
            ),
        ];
        if made.lost {
            tool.push(text("error.type", "timeout"));
            request.push(text("error.type", "httpx.ReadTimeout"));
        } else {
            let receipt = made.receipt();
            tool.push(text("gen_ai.tool.call.result", &format!("{{\\\"refund_id\\\":\\\"{receipt}\\\"}}")));
            request.push(r#"{"key":"http.response.status_code","value":{"intValue":"200"}}"#.to_owned());
        }
        let status = if made.lost { r#"{"code":2,"message":"read timed out"}"# } else { "{}" };
        batch.push(format!(
            r#"{{"traceId":"{trace}","spanId":"{:016x}","parentSpanId":"{:016x}","flags":256,"name":"execute_tool refund_order","kind":1,"startTimeUnixNano":"{from}","endTimeUnixNano":"{to}","attributes":[{}],"status":{status}}}"#,
            2 * no + 1,
            0xa9e0_0000_0000_0000_usize + no / 1000,
            tool.join(","),
        ));
        batch.push(format!(
            r#"{{"traceId":"{trace}","spanId":"{:016x}","parentSpanId":"{:016x}","flags":256,"name":"POST","kind":3,"startTimeUnixNano":"{from}","endTimeUnixNano":"{to}","attributes":[{}],"status":{status}}}"#,
            2 * no + 2,
            2 * no + 1,
            request.join(","),
        ));
        if batch.len() >= BATCH {
            line(&mut batch, out)?;
        }
    }
    batch.truncate(spans - (spans.div_ceil(BATCH) - 1) * BATCH);
    line(&mut batch, out)
}

fn line(batch: &mut Vec<String>, out: &mut impl Write) -> Result<()> {
    if batch.is_empty() {
        return Ok(());
    }
    let spans = std::mem::take(batch).join(",");
    writeln!(
        out,
        r#"{{"resourceSpans":[{{"resource":{{"attributes":[{{"key":"service.name","value":{{"stringValue":"refund-agent"}}}}]}},"scopeSpans":[{{"scope":{{"name":"opentelemetry.instrumentation.agents","version":"0.3.1"}},"spans":[{spans}]}}]}}]}}"#
    )
}

/// Frames as a proxy writes them down: a request, and its answer where one came.
pub fn mcp(frames: usize, out: &mut impl Write) -> Result<()> {
    let mut left = frames;
    for (no, made) in Try::all(frames).enumerate() {
        let session = no / 1000;
        let id = no % 1000 + 1;
        if left == 0 {
            break;
        }
        left -= 1;
        writeln!(
            out,
            r#"{{"ts":"{}","session":"s-{session}","direction":"client_to_server","server":"refunds","msg":{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{{"name":"refund_order","arguments":{},"_meta":{{"operation_id":"{}","progressToken":{id}}}}}}}}}"#,
            clock(made.sent()),
            made.arguments(),
            made.key(),
        )?;
        if made.lost || left == 0 {
            continue;
        }
        left -= 1;
        writeln!(
            out,
            r#"{{"ts":"{}","session":"s-{session}","direction":"server_to_client","server":"refunds","msg":{{"jsonrpc":"2.0","id":{id},"result":{{"content":[{{"type":"text","text":"{{\"refund_id\":\"{receipt}\",\"status\":\"done\"}}"}}],"structuredContent":{{"refund_id":"{receipt}","status":"done"}},"isError":false}}}}}}"#,
            clock(made.sent() + 350),
            receipt = made.receipt(),
        )?;
    }
    Ok(())
}

/// Milliseconds since 10:00 as a time of 2026-11-30.
fn clock(ms: usize) -> String {
    let (s, ms) = (ms / 1000 % 43_200, ms % 1000);
    format!("2026-11-30T{:02}:{:02}:{:02}.{ms:03}Z", 10 + s / 3600, s / 60 % 60, s % 60)
}
