//! What the config sets for hazards: thresholds, tools, quotas, goal rules, annotations, own next steps.

use super::rules::RULES;

/// A tool as the case declares it (`7-commands.md` 8.4, `[tools.NAME]`), as far as hazards look at it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tool {
    /// Name.
    pub name: String,
    /// The write path, as written; empty where none is given.
    pub endpoint: String,
    /// How long a key is remembered, microseconds.
    pub retention: Option<i64>,
    /// How long calls are sent again, and how long recovery may take, together, microseconds.
    pub windows: i64,
    /// What it does cannot be undone.
    pub irreversible: bool,
    /// Declared idempotent with the re-drive allowed (`3-lifecycle.md` 3.2).
    pub redrive: bool,
    /// It starts something that costs.
    pub provisioning: bool,
    /// Most that it may cost, decimal text.
    pub ceiling: Option<String>,
}

/// What a quota is counted over.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scope {
    /// Each run.
    Run,
    /// Each agent.
    Agent,
    /// Each tool.
    Tool,
    /// Everything.
    Case,
}

/// A quota (`[quota.NAME]`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Quota {
    /// Its name.
    pub name: String,
    /// What it is counted over.
    pub scope: Scope,
    /// Most, decimal text.
    pub ceiling: String,
    /// Its currency.
    pub currency: String,
    /// It stands in a prompt only.
    pub in_prompt: bool,
}

/// A goal rule (`5-hazards.md` 5.3).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Goal {
    /// Words that all stand in the plan.
    pub plan_all: Vec<String>,
    /// Tools that belong to it.
    pub allow: Vec<String>,
    /// Tools that do not.
    pub deny: Vec<String>,
    /// Why.
    pub why: String,
}

/// An external judgement of an attempt.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Annotation {
    /// The attempt.
    pub attempt_id: String,
    /// Who judged.
    pub judge: String,
    /// What was said.
    pub diverged: Option<bool>,
    /// As written; shown, never compared.
    pub similarity: String,
    /// The reason: shown first.
    pub note: String,
    /// What it was compared with.
    pub baseline_key: String,
}

/// A source that is read through a path, or by a role, that is declared.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReadPath {
    /// Id of the source.
    pub id: String,
    /// Endpoint that it is read through.
    pub endpoint: String,
    /// Its role is `write_path`.
    pub write_path: bool,
}

/// Everything that is set.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Asked {
    /// Thresholds that differ from the table: rule, key, value as written.
    pub limits: Vec<(String, String, String)>,
    /// Declared tools.
    pub tools: Vec<Tool>,
    /// Sources with an endpoint or the role of a write path.
    pub read_paths: Vec<ReadPath>,
    /// Quotas.
    pub quotas: Vec<Quota>,
    /// Goal rules.
    pub goals: Vec<Goal>,
    /// Annotations.
    pub annotations: Vec<Annotation>,
    /// Own next steps: rule, text.
    pub advice: Vec<(String, String)>,
}

impl Asked {
    /// A threshold as text: as set, else as in the table; empty for a key that no rule has.
    pub fn limit(&self, rule: &str, key: &str) -> &str {
        let own =
            self.limits.iter().find(|(r, k, _)| r == rule && k == key).map(|(_, _, value)| value.as_str());
        let table = || {
            let rule = RULES.iter().find(|r| r.id == rule)?;
            rule.keys.iter().find(|(k, _)| *k == key).map(|(_, default)| *default)
        };
        own.or_else(table).unwrap_or_default()
    }

    /// A threshold that is a whole number.
    pub fn whole(&self, rule: &str, key: &str) -> u64 {
        self.limit(rule, key).parse().unwrap_or(u64::MAX)
    }

    /// The tool whose write path this is, or the source that is declared as one.
    pub fn is_write_path(&self, source: &str) -> bool {
        let of_tool = |endpoint: &str| {
            !endpoint.is_empty()
                && writes(endpoint)
                && self.tools.iter().any(|t| t.endpoint.eq_ignore_ascii_case(endpoint))
        };
        let declared = self.read_paths.iter().find(|p| p.id == source);
        of_tool(source) || declared.is_some_and(|p| p.write_path || of_tool(&p.endpoint))
    }
}

/// The method of an endpoint, where one stands before it, is not one that only reads.
fn writes(endpoint: &str) -> bool {
    let method = endpoint.split_whitespace().next().unwrap_or_default();
    !["GET", "HEAD", "OPTIONS"].iter().any(|read| method.eq_ignore_ascii_case(read))
}
