//! What the config sets for hazards (`5-hazards.md` 5.0 and 5.3): `[hazards]`, `[quota]`, tools, own next steps.

use std::path::Path;

use serde::Deserialize;

use crate::judge::hazards::asked::{Annotation, Asked, Goal, Quota, ReadPath, Scope, Tool};
use crate::judge::hazards::rule;
use crate::model::money::parse_decimal;
use crate::sources::near::did_you_mean;

use super::keys::{File, GoalRule, Hazards};
use super::value::{EnforcedIn, Idempotent, QuotaScope, SourceRole};
use super::{Config, ConfigError};

/// Everything that rules look at beside the sources.
///
/// # Errors
/// A quota without ceiling or currency; goal rules or annotations that cannot be read.
pub fn asked(config: &Config) -> Result<Asked, ConfigError> {
    let file = &config.file;
    let mut goals: Vec<Goal> = file.hazards.goal_rule.iter().map(goal).collect();
    if let Some(path) = &file.hazards.goal_rules {
        goals.extend(goal_rules(&config.folder().join(path))?);
    }
    let annotations = match &file.hazards.annotations {
        Some(path) => annotations(&config.folder().join(path))?,
        None => Vec::new(),
    };
    Ok(Asked {
        limits: limits(&file.hazards),
        tools: tools(file),
        read_paths: read_paths(file),
        quotas: quotas(file)?,
        goals,
        annotations,
        advice: advice(file),
    })
}

/// Thresholds as text; what is no number was refused when the file was read.
fn limits(hazards: &Hazards) -> Vec<(String, String, String)> {
    let of = |(id, table): (&String, &toml::Table)| {
        let id = id.clone();
        table
            .iter()
            .filter_map(move |(key, value)| Some((id.clone(), key.clone(), number(value)?)))
            .collect::<Vec<_>>()
    };
    hazards.rules.iter().flat_map(of).collect()
}

/// A threshold as text: a number of 0 or more.
fn number(value: &toml::Value) -> Option<String> {
    let text = match value {
        toml::Value::Integer(whole) => whole.to_string(),
        toml::Value::Float(decimal) => decimal.to_string(),
        toml::Value::String(text) => text.clone(),
        _ => return None,
    };
    parse_decimal(&text).is_ok_and(|amount| !amount.is_negative()).then_some(text)
}

/// Thresholds of rules that have them, as numbers.
///
/// # Errors
/// A sentence that names the section.
pub fn check(hazards: &Hazards) -> Result<(), String> {
    for (id, table) in &hazards.rules {
        let known = rule(id).map_or(&[][..], |rule| rule.keys);
        for (key, value) in table {
            let Some((_, default)) = known.iter().find(|(name, _)| name == key) else {
                let names = known.iter().map(|(name, _)| *name);
                let near = did_you_mean(key, names.clone());
                let all: Vec<&str> = names.collect();
                let has = if all.is_empty() {
                    "has no threshold".to_owned()
                } else {
                    format!("has {}", all.join(", "))
                };
                return Err(format!("[hazards.{id}] `{key}` is not known{near}; {id} {has}"));
            };
            let whole = !default.contains('.');
            let fits = number(value).is_some_and(|text| !whole || text.parse::<u64>().is_ok());
            if !fits {
                let what = if whole { "a whole number" } else { "a number" };
                return Err(format!(
                    "[hazards.{id}] {key} is {value}; {what} of 0 or more is needed, such as {default}"
                ));
            }
        }
    }
    Ok(())
}

fn tools(file: &File) -> Vec<Tool> {
    let tool = |(name, tool): (&String, &toml::Spanned<super::keys::Tool>)| {
        let t = tool.get_ref();
        let window = |d: &Option<super::value::Duration>| d.map_or(0, |d| d.0);
        Tool {
            name: name.clone(),
            endpoint: t.endpoint.clone().unwrap_or_default(),
            retention: t.retention.map(|d| d.0),
            windows: window(&t.retry_window).saturating_add(window(&t.recovery_window)),
            irreversible: t.irreversible,
            redrive: t.same_key_redrive && t.idempotent.map(Idempotent::word) == Some("yes"),
            provisioning: t.provisioning,
            ceiling: t.ceiling.as_ref().map(|c| c.0.clone()),
        }
    };
    file.tools.iter().map(tool).collect()
}

fn read_paths(file: &File) -> Vec<ReadPath> {
    let path = |(id, source): (&String, &toml::Spanned<super::keys::Source>)| {
        let s = source.get_ref();
        ReadPath {
            id: id.clone(),
            endpoint: s.endpoint.clone().unwrap_or_default(),
            write_path: s.role.map(SourceRole::word) == Some("write_path"),
        }
    };
    file.sources.iter().map(path).filter(|p| p.write_path || !p.endpoint.is_empty()).collect()
}

fn quotas(file: &File) -> Result<Vec<Quota>, ConfigError> {
    let quota = |(name, q): (&String, &super::keys::Quota)| {
        let missing = |what: &str| ConfigError {
            place: format!("[quota.{name}]"),
            line: None,
            what: format!("it has no {what}; write {what} = \"..\""),
        };
        let scope = match q.scope.map(QuotaScope::word) {
            Some("run") => Scope::Run,
            Some("agent") => Scope::Agent,
            Some("tool") => Scope::Tool,
            Some(_) => Scope::Case,
            None => return Err(missing("scope")),
        };
        Ok(Quota {
            name: name.clone(),
            scope,
            ceiling: q.ceiling.as_ref().ok_or_else(|| missing("ceiling"))?.0.clone(),
            currency: q.currency.clone().ok_or_else(|| missing("currency"))?,
            in_prompt: q.enforced_in.map(EnforcedIn::word) == Some("prompt"),
        })
    };
    file.quota.iter().map(quota).collect()
}

fn goal(rule: &GoalRule) -> Goal {
    Goal {
        plan_all: rule.plan_all.clone(),
        allow: rule.allow.clone(),
        deny: rule.deny.clone(),
        why: rule.why.clone().unwrap_or_default(),
    }
}

fn read(path: &Path) -> Result<String, ConfigError> {
    std::fs::read_to_string(path).map_err(|why| ConfigError::unreadable(path, &why))
}

/// A JSON list of goal rules.
fn goal_rules(path: &Path) -> Result<Vec<Goal>, ConfigError> {
    let rules: Vec<GoalRule> = serde_json::from_str(&read(path)?)
        .map_err(|why| ConfigError::plain(path, &format!("is no list of goal rules: {why}")))?;
    Ok(rules.iter().map(goal).collect())
}

/// One annotation as written.
#[derive(Deserialize)]
struct Line {
    attempt_id: String,
    #[serde(default)]
    judge: Option<String>,
    #[serde(default)]
    diverged: Option<bool>,
    #[serde(default)]
    similarity: Option<serde_json::Value>,
    #[serde(default)]
    note: Option<String>,
    #[serde(default)]
    baseline_key: Option<String>,
}

/// Annotations, one JSON object per line.
fn annotations(path: &Path) -> Result<Vec<Annotation>, ConfigError> {
    let mut all = Vec::new();
    for (no, text) in (1..).zip(read(path)?.lines()) {
        if text.trim().is_empty() {
            continue;
        }
        let line: Line = serde_json::from_str(text)
            .map_err(|why| ConfigError::plain(path, &format!("line {no} is no annotation: {why}")))?;
        let similarity = match line.similarity {
            None | Some(serde_json::Value::Null) => String::new(),
            Some(serde_json::Value::String(text)) => text,
            Some(other) => other.to_string(),
        };
        all.push(Annotation {
            attempt_id: line.attempt_id,
            judge: line.judge.unwrap_or_default(),
            diverged: line.diverged,
            similarity,
            note: line.note.unwrap_or_default(),
            baseline_key: line.baseline_key.unwrap_or_default(),
        });
    }
    Ok(all)
}

/// Own next steps of rules: the text, whose it is, and where more stands.
fn advice(file: &File) -> Vec<(String, String)> {
    let of = |(id, entry): (&String, &super::keys::Playbook)| {
        let advice = &entry.all;
        let mut text = advice.text.clone()?;
        if let Some(owner) = &advice.owner {
            text.push_str(&format!(" Owner: {owner}."));
        }
        if let Some(link) = &advice.link {
            text.push_str(&format!(" See {link}"));
        }
        rule(id).map(|rule| (rule.id.to_owned(), text))
    };
    file.playbook.iter().filter_map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::from_text;

    fn parsed(text: &str) -> Result<File, String> {
        from_text(Path::new("recount.toml"), text).map_err(|why| why.to_string())
    }

    fn of(text: &str) -> Asked {
        asked(&Config { path: None, file: parsed(text).unwrap() }).unwrap()
    }

    #[test]
    fn thresholds_replace_those_of_the_table() {
        let asked =
            of("[hazards.H09]\nretries = 9\n[hazards.H10]\nratio = 3.5\n[hazards.H24]\nshare = \"0.5\"\n");
        assert_eq!((asked.whole("H09", "retries"), asked.limit("H10", "ratio")), (9, "3.5"));
        assert_eq!((asked.limit("H24", "share"), asked.limit("H24", "attempts")), ("0.5", "20"));
    }

    #[test]
    fn a_threshold_that_nobody_knows_or_that_is_no_number_is_refused() {
        assert_eq!(
            parsed("[hazards.H09]\nretrys = 5\n").unwrap_err(),
            "recount.toml: [hazards.H09] `retrys` is not known; did you mean `retries`?; H09 has retries"
        );
        assert_eq!(
            parsed("[hazards.H03]\nlooks = 1\n").unwrap_err(),
            "recount.toml: [hazards.H03] `looks` is not known; H03 has no threshold"
        );
        for value in ["-1", "5.5", "\"five\"", "true"] {
            let text = format!("[hazards.H09]\nretries = {value}\n");
            assert_eq!(
                parsed(&text).unwrap_err(),
                format!(
                    "recount.toml: [hazards.H09] retries is {value}; a whole number of 0 or more is needed, such as 5"
                )
            );
        }
    }

    #[test]
    fn tools_quotas_and_next_steps_are_taken() {
        let asked = of(
            "[tools.launch]\nendpoint = \"POST /launch\"\nretry_window = \"1h\"\nrecovery_window = \"2h\"\nprovisioning = true\n\
             [quota.each]\nscope = \"run\"\nceiling = \"50.00\"\ncurrency = \"USD\"\nenforced_in = \"prompt\"\n\
             [playbook.H03]\ntext = \"Ask the desk.\"\nowner = \"desk\"\n[playbook.DUPLICATED]\ntext = \"x\"\n\
             [[hazards.goal_rule]]\nplan_all = [\"password\"]\ndeny = [\"delete_*\"]\n",
        );
        assert_eq!(asked.tools[0].windows, 3 * crate::model::time::HOUR);
        assert!(asked.tools[0].provisioning && asked.is_write_path("post /launch"));
        assert_eq!((asked.quotas[0].ceiling.as_str(), asked.quotas[0].in_prompt), ("50.00", true));
        assert_eq!(asked.advice, [("H03".to_owned(), "Ask the desk. Owner: desk.".to_owned())]);
        assert_eq!(asked.goals[0].deny, ["delete_*"]);
        let bare = Config { path: None, file: parsed("[quota.each]\nscope = \"run\"\n").unwrap() };
        assert_eq!(
            super::asked(&bare).unwrap_err().to_string(),
            "[quota.each]: it has no ceiling; write ceiling = \"..\""
        );
    }
}
