//! `recount lab test`: the question of the experiment to any tool server. Does it do twice what it was asked for twice
//! under one id?
//!
//! Read back; call, and cut the connection after the request was written; read back; call again with the same id; read
//! back. Each step is a server that was started for it.

use std::collections::BTreeMap;
use std::time::Duration;

use rmcp::model::JsonObject;
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use crate::model::money::{parse_decimal, to_exponent};
use crate::sources::near::did_you_mean;

use super::client::{Answer, Connection, Patience, Program, raw_line, shown};
use super::{LabError, runtime};

/// Stands in arguments for the operation id, for servers that want it there.
pub const PLACE: &str = "{operation_id}";

/// A probe to make.
#[derive(Clone, Debug)]
pub struct Probe {
    /// The server.
    pub program: Program,
    /// The tool that has an effect.
    pub tool: String,
    /// Its arguments.
    pub arguments: JsonObject,
    /// The id that both calls carry.
    pub operation: String,
    /// How effects are counted.
    pub read_back: ReadBack,
    /// How long a server may take with a request whose connection is cut.
    pub grace: Duration,
    /// How long effects may take to be seen.
    pub settle: Duration,
    /// How long a call may take.
    pub timeout: Duration,
}

/// How effects are counted: a tool that reads, and where in its answer to look.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReadBack {
    /// The tool.
    pub tool: String,
    /// Its arguments.
    #[serde(default)]
    pub arguments: JsonObject,
    /// Place of a number of effects, or of a list of them, as a JSON pointer.
    #[serde(default)]
    pub count: Option<String>,
    /// Place of a sum.
    #[serde(default)]
    pub amount: Option<String>,
    /// How much one effect adds to that sum, decimal text.
    #[serde(default)]
    pub each: Option<String>,
}

/// What one probe has seen.
#[derive(Clone, Debug)]
pub struct Seen {
    /// Effects before.
    pub before: i64,
    /// After the call whose connection was cut.
    pub between: i64,
    /// After the second call.
    pub after: i64,
    /// What came of the second call.
    pub second: Answer,
}

/// What one probe shows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shown {
    /// More than one effect for one operation.
    Repeated,
    /// One effect, made by the first call; the second added none.
    Once,
    /// The first call had no effect, so nothing was repeated.
    NothingToRepeat,
    /// Neither call had one.
    Nothing,
    /// Fewer effects than before: somebody else was at work, or something else was counted.
    Disturbed,
}

impl Seen {
    /// What the counts show. The ledger decides, not the answers.
    pub fn shows(&self) -> Shown {
        let (first, all) = (self.between - self.before, self.after - self.before);
        match (first, all) {
            (first, all) if first < 0 || all < first => Shown::Disturbed,
            (_, 2..) => Shown::Repeated,
            (1, 1) => Shown::Once,
            (0, 1) => Shown::NothingToRepeat,
            _ => Shown::Nothing,
        }
    }
}

impl ReadBack {
    /// Reads the description of a read-back.
    ///
    /// # Errors
    /// What does not fit, in words.
    pub fn parse(text: &str) -> Result<Self, String> {
        let read: Self = serde_json::from_str(text).map_err(|why| why.to_string())?;
        let fits = match (&read.count, &read.amount, &read.each) {
            (Some(_), None, None) => true,
            (None, Some(_), Some(each)) => parse_decimal(each).is_ok_and(|each| each.digits > 0),
            _ => false,
        };
        if fits {
            Ok(read)
        } else {
            Err("it needs \"count\", or \"amount\" with \"each\" (decimal text, more than 0)".to_owned())
        }
    }

    /// Effects that an answer shows.
    ///
    /// # Errors
    /// An answer in which they cannot be counted, in words.
    pub fn effects(&self, answer: &Answer) -> Result<i64, String> {
        let Answer::Told { text, structured, refused } = answer else {
            return Err(match answer {
                Answer::Timeout => "no answer came in time".to_owned(),
                Answer::Error(why) => raw_line(why),
                _ => "the server was gone".to_owned(),
            });
        };
        if *refused {
            return Err(format!("the server refused: {}", raw_line(text)));
        }
        let place = self.count.as_deref().or(self.amount.as_deref()).unwrap_or_default();
        let whole = structured.as_ref().map_or_else(|| text.clone(), Value::to_string);
        let whole: &RawValue =
            serde_json::from_str(&whole).map_err(|_| format!("the answer is no JSON: {}", raw_line(text)))?;
        let Some(found) = at(whole, place) else {
            return Err(format!("the answer has nothing at {}: {}", raw_line(place), raw_line(whole.get())));
        };
        if self.count.is_some() && found.starts_with('[') {
            let list: Vec<&RawValue> = serde_json::from_str(found).map_err(|why| why.to_string())?;
            return i64::try_from(list.len()).map_err(|why| why.to_string());
        }
        // The token as it stands, or the text of a number: an amount never becomes a float.
        let number = match found.chars().next() {
            Some('"') => serde_json::from_str(found).map_err(|why| why.to_string())?,
            Some('-' | '0'..='9') => found.to_owned(),
            _ => return Err(format!("{} is no number: {}", raw_line(place), raw_line(found))),
        };
        let amount = parse_decimal(&number).map_err(|why| format!("{}: {why}", raw_line(place)))?;
        let Some(each) = self.each.as_deref().and_then(|each| parse_decimal(each).ok()) else {
            return to_exponent(amount, 0)
                .map(|whole| whole.digits)
                .map_err(|_| format!("{} is no whole number: {}", raw_line(place), raw_line(&number)));
        };
        let scale = amount.scale.max(each.scale);
        let (amount, each) = match (to_exponent(amount, scale), to_exponent(each, scale)) {
            (Ok(amount), Ok(each)) if each.digits != 0 => (amount.digits, each.digits),
            _ => return Err(format!("{} is too large", raw_line(place))),
        };
        if amount % each == 0 {
            Ok(amount / each)
        } else {
            Err(format!("{} is {}, which is no multiple of each effect", raw_line(place), raw_line(&number)))
        }
    }
}

/// The JSON text at a place, which is a JSON pointer (RFC 6901).
fn at<'a>(whole: &'a RawValue, place: &str) -> Option<&'a str> {
    let mut found = whole;
    let names = match place {
        "" => None,
        place => Some(place.strip_prefix('/')?.split('/')),
    };
    for name in names.into_iter().flatten() {
        let name = name.replace("~1", "/").replace("~0", "~");
        found = if found.get().starts_with('[') {
            let list: Vec<&'a RawValue> = serde_json::from_str(found.get()).ok()?;
            *list.get(name.parse::<usize>().ok()?)?
        } else {
            let members: BTreeMap<String, &'a RawValue> = serde_json::from_str(found.get()).ok()?;
            *members.get(&name)?
        };
    }
    Some(found.get())
}

/// Makes a probe. `told` hears of each step as it is done.
///
/// # Errors
/// A server that cannot be started, has no such tool, or cannot be read back; [`LabError::Stopped`].
pub fn probe(probe: &Probe, told: &mut dyn FnMut(&str)) -> Result<Seen, LabError> {
    let runtime = runtime()?;
    let seen = runtime.block_on(async {
        tokio::select! {
            seen = steps(probe, told) => seen,
            _ = tokio::signal::ctrl_c() => Err(LabError::Stopped),
        }
    });
    runtime.shutdown_background();
    seen
}

fn patience(probe: &Probe) -> Patience {
    Patience {
        start: probe.timeout.max(Duration::from_secs(20)),
        call: probe.timeout,
        end: Duration::from_secs(2),
    }
}

async fn steps(probe: &Probe, told: &mut dyn FnMut(&str)) -> Result<Seen, LabError> {
    let patience = patience(probe);
    let connection = Connection::open(&probe.program, patience).await?;
    let tools = connection.tools().await?;
    for wanted in [&probe.tool, &probe.read_back.tool] {
        if !tools.contains(wanted) {
            connection.close().await;
            let near = did_you_mean(wanted, tools.iter().map(String::as_str)).replace('`', "");
            let listed: Vec<String> = tools.iter().map(|tool| raw_line(tool)).collect();
            return Err(LabError::Server(format!(
                "the server has no tool {:?}{near}; it has: {}",
                raw_line(wanted),
                listed.join(", ")
            )));
        }
    }
    told(&format!("tools: {}", tools.iter().map(|tool| shown(tool)).collect::<Vec<_>>().join(", ")));
    let before = count(probe, &connection, "before").await?;
    connection.close().await;
    told(&format!("read back: {before} before"));

    let arguments = with_operation(&probe.arguments, &probe.operation);
    let connection = Connection::open(&probe.program, patience).await?;
    if !connection.only_send(&probe.tool, arguments.clone(), Some(&probe.operation)).await {
        let said = connection.last_words().map_or(String::new(), |line| format!("; it said: {line}"));
        return Err(LabError::Server(format!("the first call could not be sent{said}")));
    }
    connection.cut(probe.grace).await;
    told("call 1: request written, then the connection was cut");
    tokio::time::sleep(probe.settle).await;
    let between = reopened(probe, patience, "after the first call").await?;
    told(&format!("read back: {between} after call 1"));

    let connection = Connection::open(&probe.program, patience).await?;
    let second = connection.call(&probe.tool, arguments, Some(&probe.operation)).await;
    connection.close().await;
    told(&format!("call 2, same operation id: {}", came(&second)));
    tokio::time::sleep(probe.settle).await;
    let after = reopened(probe, patience, "after the second call").await?;
    told(&format!("read back: {after} after call 2"));
    Ok(Seen { before, between, after, second })
}

fn came(answer: &Answer) -> String {
    match answer {
        Answer::Told { text, refused: false, .. } => format!("answered: {}", shown(text)),
        Answer::Told { text, .. } => format!("refused: {}", shown(text)),
        Answer::Error(why) => format!("answered with an error: {}", shown(why)),
        Answer::Lost => "the server was gone before it answered".to_owned(),
        Answer::Timeout => "no answer came in time".to_owned(),
        Answer::NotSent => "it could not be sent".to_owned(),
    }
}

async fn reopened(probe: &Probe, patience: Patience, when: &str) -> Result<i64, LabError> {
    let connection = Connection::open(&probe.program, patience).await?;
    let counted = count(probe, &connection, when).await;
    connection.close().await;
    counted
}

async fn count(probe: &Probe, connection: &Connection, when: &str) -> Result<i64, LabError> {
    let arguments = with_operation(&probe.read_back.arguments, &probe.operation);
    let answer = connection.call(&probe.read_back.tool, arguments, None).await;
    probe.read_back.effects(&answer).map_err(|why| {
        LabError::Server(format!("{} cannot be read back {when}: {why}", raw_line(&probe.read_back.tool)))
    })
}

/// Arguments with the operation id where its place is marked.
fn with_operation(arguments: &JsonObject, operation: &str) -> JsonObject {
    fn fill(value: &Value, operation: &str) -> Value {
        match value {
            Value::String(text) => text.replace(PLACE, operation).into(),
            Value::Array(list) => list.iter().map(|value| fill(value, operation)).collect(),
            Value::Object(map) => {
                map.iter().map(|(name, value)| (name.clone(), fill(value, operation))).collect()
            }
            other => other.clone(),
        }
    }
    arguments.iter().map(|(name, value)| (name.clone(), fill(value, operation))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(text: &str) -> Answer {
        Answer::Told { text: text.to_owned(), structured: None, refused: false }
    }

    fn seen(before: i64, between: i64, after: i64) -> Shown {
        Seen { before, between, after, second: Answer::Lost }.shows()
    }

    #[test]
    fn the_counts_decide() {
        assert_eq!(seen(0, 1, 1), Shown::Once);
        assert_eq!(seen(3, 4, 4), Shown::Once);
        assert_eq!(seen(0, 1, 2), Shown::Repeated);
        // The first effect came late: two calls, two effects all the same.
        assert_eq!(seen(0, 0, 2), Shown::Repeated);
        // One call alone did it twice.
        assert_eq!(seen(0, 2, 2), Shown::Repeated);
        assert_eq!(seen(0, 2, 4), Shown::Repeated);
        assert_eq!(seen(0, 0, 1), Shown::NothingToRepeat);
        assert_eq!(seen(5, 5, 5), Shown::Nothing);
        assert_eq!(seen(5, 4, 5), Shown::Disturbed);
        assert_eq!(seen(1, 2, 1), Shown::Disturbed);
        assert_eq!(seen(3, 2, 2), Shown::Disturbed);
    }

    #[test]
    fn effects_are_counted_by_number_by_list_or_by_sum() {
        let count = ReadBack::parse("{\"tool\":\"t\",\"count\":\"/refunds\"}").unwrap();
        assert_eq!(count.effects(&told("{\"refunds\":2}")), Ok(2));
        assert_eq!(count.effects(&told("{\"refunds\":[{},{},{}]}")), Ok(3));
        assert_eq!(count.effects(&told("{\"refunds\":\"4\"}")), Ok(4));
        for (text, why) in [
            ("no", "the answer is no JSON: no"),
            ("{}", "the answer has nothing at /refunds: {}"),
            ("{\"refunds\":1.5}", "/refunds is no whole number: 1.5"),
            ("{\"refunds\":null}", "/refunds is no number: null"),
        ] {
            assert_eq!(count.effects(&told(text)), Err(why.to_owned()));
        }
        let sum = ReadBack::parse("{\"tool\":\"t\",\"amount\":\"/sum\",\"each\":\"200.00\"}").unwrap();
        assert_eq!(sum.effects(&told("{\"sum\":400}")), Ok(2));
        assert_eq!(sum.effects(&told("{\"sum\":\"200.000\"}")), Ok(1));
        assert!(sum.effects(&told("{\"sum\":250}")).is_err());
        let deep = ReadBack::parse("{\"tool\":\"t\",\"amount\":\"/a~1b/1/sum\",\"each\":\"0.01\"}").unwrap();
        // More digits than a float holds.
        assert_eq!(
            deep.effects(&told("{\"a/b\":[0,{\"sum\":1234567890123456.78}]}")),
            Ok(123_456_789_012_345_678)
        );
        assert!(deep.effects(&told("{\"a/b\":[0]}")).is_err());
        let structured = Answer::Told {
            text: "two refunds".to_owned(),
            structured: Some(serde_json::json!({"refunds": 2})),
            refused: false,
        };
        assert_eq!(count.effects(&structured), Ok(2));
    }

    #[test]
    fn a_read_back_says_how_to_count() {
        for text in [
            "{}",
            "{\"tool\":\"t\"}",
            "{\"tool\":\"t\",\"amount\":\"/a\"}",
            "{\"tool\":\"t\",\"amount\":\"/a\",\"each\":\"0\"}",
            "{\"tool\":\"t\",\"count\":\"/a\",\"cuont\":1}",
        ] {
            assert!(ReadBack::parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn the_operation_id_goes_where_its_place_is() {
        let arguments: JsonObject =
            serde_json::from_str("{\"a\":\"{operation_id}\",\"b\":[{\"c\":\"x-{operation_id}\"}],\"d\":1}")
                .unwrap();
        let filled = serde_json::to_string(&with_operation(&arguments, "op_1")).unwrap();
        assert_eq!(filled, "{\"a\":\"op_1\",\"b\":[{\"c\":\"x-op_1\"}],\"d\":1}");
    }
}
