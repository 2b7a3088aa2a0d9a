//! Temporal histories: encoded as the server keeps them, decoded as its screens write them, or a bare list of events;
//! in new and old spelling.
//!
//! An activity is a call of its type. Retries are no events: only the last attempt has its beginning written, with its
//! number and the failure before it. The attempts before that are told with what is known of them, without times. All
//! attempts of an activity have its workflow and its arguments in common, and so are one intent.

use std::collections::HashMap;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::answer::Answers;
use super::calls::{Answer, Call, Calls, Fields, Record, TraceReader};
use super::table::Setup;
use super::told::Told;
use super::walk::{Around, walk};
use crate::sources::json::Node;

/// The rule of events that are of no activity.
const NO_ACTIVITY: &str = "event of no activity";

/// So many attempts before the last one are told.
const MOST_EARLIER: u64 = 1_000;

/// A reader.
pub fn reader(_: &Setup) -> Box<dyn TraceReader> {
    Box::new(History {
        answers: Answers::new(),
        workflow: Workflow::default(),
        activities: Vec::new(),
        by_event: HashMap::new(),
    })
}

#[derive(Debug)]
struct History {
    answers: Answers,
    workflow: Workflow,
    activities: Vec<Activity>,
    /// Activities by the number of the event that scheduled them.
    by_event: HashMap<String, usize>,
}

#[derive(Debug, Default, Clone)]
struct Workflow {
    id: String,
    run: String,
}

/// An activity with what its events say.
#[derive(Debug, Default)]
struct Activity {
    at: u64,
    id: String,
    tool: String,
    arguments: Option<String>,
    scheduled: String,
    started: Option<Started>,
    end: Option<Answer>,
    workflow: Workflow,
}

#[derive(Debug)]
struct Started {
    at: u64,
    time: String,
    number: u64,
    failure: Option<Told>,
}

/// The last words of an event's type, in one spelling: `EVENT_TYPE_ACTIVITY_TASK_TIMED_OUT` and
/// `ActivityTaskTimedOut` are `activitytasktimedout`.
fn kind(node: Node<'_>) -> Option<String> {
    let kind = node.text_of("eventType")?;
    Some(plain(kind.strip_prefix("EVENT_TYPE_").unwrap_or(&kind)))
}

/// A name without `_` and case.
fn plain(name: &str) -> String {
    name.chars().filter(|letter| *letter != '_').map(|letter| letter.to_ascii_lowercase()).collect()
}

/// What belongs to an event: its one member that ends so.
fn attributes(node: Node<'_>) -> Option<Node<'_>> {
    node.members()
        .find(|(name, value)| name.text().ends_with("ttributes") && value.is_object())
        .map(|(_, v)| v)
}

impl History {
    fn event(&mut self, node: Node<'_>, calls: &mut Calls<'_>) {
        let (Some(kind), Some(about)) = (kind(node), attributes(node)) else {
            return calls.refuse("an event without a type or its attributes");
        };
        let time = node.text_of("eventTime").or_else(|| node.text_of("timestamp")).unwrap_or_default();
        match kind.as_str() {
            "workflowexecutionstarted" => {
                let text = |name: &str| about.text_of(name).unwrap_or_default().into_owned();
                let run = [text("originalExecutionRunId"), text("firstExecutionRunId")];
                let run = run.into_iter().find(|run| !run.is_empty()).unwrap_or_default();
                self.workflow = Workflow { id: text("workflowId"), run };
                // A new history in the same file counts its events anew.
                self.by_event.clear();
                calls.skip(NO_ACTIVITY);
            }
            "activitytaskscheduled" => {
                let number = node.text_of("eventId").unwrap_or_default().into_owned();
                self.by_event.insert(number, self.activities.len());
                self.activities.push(Activity {
                    at: node.at(),
                    id: about.text_of("activityId").unwrap_or_default().into_owned(),
                    tool: tool(about).unwrap_or_default(),
                    arguments: about.get("input").and_then(decoded),
                    scheduled: time.into_owned(),
                    workflow: self.workflow.clone(),
                    ..Activity::default()
                });
            }
            "activitytaskstarted" => {
                let failure = about.get("lastFailure").map(failed);
                let number = about.text_of("attempt").and_then(|n| n.parse().ok()).unwrap_or(1);
                let started = Started { at: node.at(), time: time.into_owned(), number, failure };
                match self.activity(about) {
                    Some(activity) => {
                        activity.started = Some(started);
                        calls.used();
                    }
                    None => calls.skip(super::calls::NO_CALL),
                }
            }
            "activitytaskcompleted"
            | "activitytaskfailed"
            | "activitytasktimedout"
            | "activitytaskcanceled" => {
                let mut end = self.answer(&kind, about);
                end.ended = time.into_owned();
                end.at = Some(node.at());
                match self.activity(about) {
                    Some(activity) => {
                        activity.end = Some(end);
                        calls.used();
                    }
                    None => calls.skip(super::calls::NO_CALL),
                }
            }
            _ => calls.skip(NO_ACTIVITY),
        }
    }

    fn activity(&mut self, about: Node<'_>) -> Option<&mut Activity> {
        let number = about.text_of("scheduledEventId")?;
        let at = *self.by_event.get(&*number)?;
        self.activities.get_mut(at)
    }

    /// How an activity ended. Where no worker ever took it, it surely did not act.
    fn answer(&mut self, kind: &str, about: Node<'_>) -> Answer {
        let failure = about.get("failure");
        match kind {
            "activitytaskcompleted" => {
                let result = about.get("result").and_then(decoded);
                let value = result.as_deref().map(|json| Node::new(json.as_bytes(), 0));
                let mut answer = self.answers.of(value, None);
                if answer.told == Told::Nothing {
                    answer.told = Told::Yes;
                }
                answer
            }
            "activitytaskcanceled" => Answer::told(Told::Cancelled),
            "activitytasktimedout" => {
                let kind = failure
                    .and_then(|failure| failure.path(&["timeoutFailureInfo", "timeoutType"]))
                    .or_else(|| about.get("timeoutType"))
                    .and_then(Node::text);
                let never = kind.is_some_and(|kind| plain(&kind).ends_with("scheduletostart"));
                let mut answer = Answer::told(if never { Told::NotSent } else { Told::Timeout });
                answer.fields.maybe("text", failure.and_then(|failure| failure.text_of("message")));
                answer
            }
            _ => {
                let told = failure.map_or_else(|| Told::Error(String::new()), failed);
                let mut answer = Answer::told(told);
                answer.fields.maybe("text", failure.and_then(|failure| failure.text_of("message")));
                answer
            }
        }
    }
}

fn tool(about: Node<'_>) -> Option<String> {
    let named = about.get("activityType")?;
    named.text_of("name").or_else(|| named.text()).map(std::borrow::Cow::into_owned)
}

/// A failure that the server wrote down.
fn failed(failure: Node<'_>) -> Told {
    if failure.get("timeoutFailureInfo").is_some() {
        return Told::Timeout;
    }
    if failure.get("canceledFailureInfo").is_some() {
        return Told::Cancelled;
    }
    let kind = failure.path(&["applicationFailureInfo", "type"]).and_then(Node::text);
    let message = failure.text_of("message").unwrap_or_default();
    match Told::of_error(&message) {
        // The type is the code, the message is prose.
        Told::Error(message) => Told::Error(kind.map_or(message, std::borrow::Cow::into_owned)),
        told => told,
    }
}

/// Payloads as JSON: one is itself, several are a list. What is encrypted or in another encoding gives nothing.
fn decoded(payloads: Node<'_>) -> Option<String> {
    let list = payloads.get("payloads").unwrap_or(payloads);
    let values: Vec<String> = if list.is_array() {
        list.items().map(payload).collect::<Option<_>>()?
    } else {
        vec![payload(list)?]
    };
    match values.as_slice() {
        [] => None,
        [one] => Some(one.clone()),
        several => Some(format!("[{}]", several.join(","))),
    }
}

/// One payload: encoded with its metadata, or decoded already.
fn payload(node: Node<'_>) -> Option<String> {
    let encoded =
        node.get("metadata").filter(|metadata| metadata.is_object()).and_then(|m| m.get("encoding"));
    let Some(encoding) = encoded.filter(|_| node.members().count() <= 2) else {
        return Some(String::from_utf8_lossy(node.raw()).into_owned());
    };
    let Some(data) = node.get("data") else { return Some("null".to_owned()) };
    let Some(text) = data.string() else {
        return Some(String::from_utf8_lossy(data.raw()).into_owned());
    };
    let encoding = encoding.string()?;
    let encoding = bytes(&encoding)
        .and_then(|bytes| String::from_utf8(bytes).ok())
        .filter(|word| word.contains('/'))
        .unwrap_or(encoding.into_owned());
    if encoding == "binary/null" {
        return Some("null".to_owned());
    }
    if !encoding.starts_with("json/") {
        return None;
    }
    let json = bytes(&text).and_then(|bytes| String::from_utf8(bytes).ok()).unwrap_or(text.into_owned());
    crate::sources::json::check(json.as_bytes()).is_ok().then_some(json)
}

fn bytes(text: &str) -> Option<Vec<u8>> {
    STANDARD.decode(text.as_bytes()).ok()
}

impl Activity {
    fn fields(&self, number: u64) -> Fields {
        let mut fields = Fields::default();
        let id = if self.id.is_empty() { "?" } else { &self.id };
        let Workflow { id: workflow, run } = &self.workflow;
        match (workflow.is_empty(), run.is_empty()) {
            // Without its workflow the number of an activity is no id.
            (true, true) => fields.text("activity_id", id),
            (false, true) => fields.text("attempt_id", &format!("{workflow}/{id}/{number}")),
            (true, false) => fields.text("attempt_id", &format!("{run}/{id}/{number}")),
            (false, false) => fields.text("attempt_id", &format!("{workflow}/{run}/{id}/{number}")),
        };
        fields.text("tool", &self.tool);
        match &self.arguments {
            Some(arguments) => fields.token("arguments", arguments.as_bytes()),
            // What cannot be read still is the same for all attempts of an activity.
            None => fields
                .token("arguments", format!("{{\"activity\":{}}}", serde_json::Value::from(id)).as_bytes()),
        };
        let of = if workflow.is_empty() { run } else { workflow };
        fields.maybe("run_id", Some(of)).maybe("workflow_id", Some(workflow));
        fields
    }

    /// Tells all attempts, the last one last.
    fn tell(self, calls: &mut Calls<'_>) {
        let number = self.started.as_ref().map_or(1, |started| started.number.max(1));
        let failure = self.started.as_ref().and_then(|started| started.failure.clone());
        let first = number.saturating_sub(MOST_EARLIER).max(1);
        for earlier in first..number {
            let told = match &failure {
                Some(told) if earlier + 1 == number => told.clone(),
                _ => Told::Pending,
            };
            // Places in the event that speaks of them; the first is that event itself.
            let at = self.started.as_ref().map_or(self.at, |started| started.at) + (number - 1 - earlier);
            let call = Call { at, fields: self.fields(earlier), ..Call::default() };
            calls.whole(&call, &Answer::told(told));
        }
        let mut last = Call { at: self.at, fields: self.fields(number), ..Call::default() };
        let began = self.started.map_or(self.scheduled, |started| started.time);
        let answer = self.end.unwrap_or_default();
        last.fields.maybe("sent_at", Some(began));
        calls.whole(&last, &answer);
    }
}

impl TraceReader for History {
    fn record(&mut self, record: &Record<'_>, calls: &mut Calls<'_>) {
        let mut found = false;
        walk(record.node, &Around::default(), 0, &mut |node, _| {
            let event = node.get("eventType").is_some();
            if event {
                self.event(node, calls);
                found = true;
            } else if let Some(id) = node.text_of("workflowId").filter(|_| self.workflow.id.is_empty()) {
                // Some exports name it around the events.
                self.workflow.id = id.into_owned();
            }
            event
        });
        if !found {
            calls.other();
        }
    }

    fn end(&mut self, calls: &mut Calls<'_>) {
        for activity in std::mem::take(&mut self.activities) {
            activity.tell(calls);
        }
    }
}

#[cfg(test)]
mod tests;
