//! The policy as a text that the book keeps, and back (`3-lifecycle.md` 3.10): what was in force when the book was made
//! stays in force, whatever the file says later. The text is canonical JSON, so equal policies have equal digests.

use serde_json::{Map, Value, json};

use crate::canon::{canonical, sha256_hex};
use crate::lifecycle::policy::Policy;
use crate::model::money::{Money, parse_decimal};
use crate::model::units::{Unit, Units, iso};

use super::Config;
use super::value::Amounts;

/// A ceiling of `[quota.NAME]`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ceiling {
    /// Its name.
    pub name: String,
    /// What it is counted over: `run`, `agent`, `tool`, `case`.
    pub scope: String,
    /// Most.
    pub most: Money,
}

/// A policy with what belongs to it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InForce {
    /// Limits and people.
    pub policy: Policy,
    /// Ceilings that the gate enforces.
    pub quota: Vec<Ceiling>,
    /// Tools for which the gate may allow a re-drive.
    pub redrive: Vec<String>,
    /// File for `ssh-keygen -Y`.
    pub allowed_signers: Option<String>,
    /// From where on entries must be signed.
    pub sign_above: Vec<Money>,
    /// Nothing of the evidence is erased.
    pub legal_hold: bool,
    /// Digest of its text.
    pub digest: String,
    /// Its text.
    pub text: String,
}

/// The policy of a config as a text.
pub fn text(config: &Config) -> String {
    let file = &config.file;
    let p = &file.policy;
    let amounts =
        |amounts: &Amounts| -> Value { amounts.iter().map(|(u, a)| (u.clone(), json!(a.0))).collect() };
    let duration = |d: Option<super::value::Duration>| d.map(|d| d.0);
    let quota: Map<String, Value> = file
        .quota
        .iter()
        .filter(|(_, q)| q.enforced_in.is_none_or(|e| e.word() == "application"))
        .map(|(name, q)| {
            let value = json!({
                "scope": q.scope.map(super::value::QuotaScope::word),
                "ceiling": q.ceiling.as_ref().map(|c| &c.0),
                "currency": q.currency,
            });
            (name.clone(), value)
        })
        .collect();
    let redrive: Vec<&String> =
        file.tools.iter().filter(|(_, tool)| tool.get_ref().same_key_redrive).map(|(name, _)| name).collect();
    let all = json!({
        "high_value": amounts(&p.high_value),
        "auto_max": amounts(&p.auto_max),
        "high_value_kinds": p.high_value_kinds,
        "shared_logins": p.shared_logins,
        "legal_hold": p.legal_hold,
        "approvers": p.approvers,
        "reviewers": p.reviewers,
        "policy_owners": p.policy_owners,
        "solo": p.solo,
        "note_min": p.note_min,
        "note_max": p.note_max,
        "max_extension_us": duration(p.max_extension).map(|us| us.to_string()),
        "approval_expires_us": duration(p.approval_expires).map(|us| us.to_string()),
        "escalation_owner": p.escalation_owner,
        "break_glass": p.break_glass,
        "break_glass_max": amounts(&p.break_glass_max),
        "allowed_signers": p.allowed_signers,
        "sign_above": amounts(&p.sign_above),
        "quota": quota,
        "same_key_redrive": redrive,
    });
    // Texts, whole numbers and truths always have a canonical form.
    canonical(&all.to_string()).unwrap_or_default()
}

/// Reads such a text.
///
/// # Errors
/// What cannot be read, in words.
pub fn read(text: &str, units: &Units) -> Result<InForce, String> {
    let all: Value =
        serde_json::from_str(text).map_err(|why| format!("the policy in the book cannot be read: {why}"))?;
    let texts = |name: &str| -> Vec<String> {
        let list = all.get(name).and_then(Value::as_array).into_iter().flatten();
        list.filter_map(Value::as_str).map(str::to_owned).collect()
    };
    let text_of = |name: &str| all.get(name).and_then(Value::as_str).map(str::to_owned);
    let truth = |name: &str| all.get(name).and_then(Value::as_bool).unwrap_or_default();
    let number = |name: &str| all.get(name).and_then(Value::as_u64).and_then(|n| usize::try_from(n).ok());
    let micros = |name: &str| text_of(name).and_then(|us| us.parse::<i64>().ok());
    let amounts = |name: &str| -> Vec<Money> {
        let map = all.get(name).and_then(Value::as_object).into_iter().flatten();
        map.filter_map(|(unit, amount)| money(units, unit, amount.as_str()?)).collect()
    };
    let built = Policy::default();
    let policy = Policy {
        high_value: amounts("high_value"),
        auto_max: amounts("auto_max"),
        high_value_kinds: texts("high_value_kinds"),
        shared_logins: texts("shared_logins"),
        approvers: texts("approvers"),
        reviewers: texts("reviewers"),
        policy_owners: texts("policy_owners"),
        solo: truth("solo"),
        note_min: number("note_min").unwrap_or(built.note_min),
        note_max: number("note_max").unwrap_or(built.note_max),
        max_extension: micros("max_extension_us").unwrap_or(built.max_extension),
        approval_expires: micros("approval_expires_us"),
        escalation_owner: text_of("escalation_owner"),
        break_glass: truth("break_glass"),
        break_glass_max: amounts("break_glass_max"),
    };
    let quota = all.get("quota").and_then(Value::as_object).into_iter().flatten();
    let quota = quota.filter_map(|(name, q)| {
        let of = |field: &str| q.get(field).and_then(Value::as_str);
        Some(Ceiling {
            name: name.clone(),
            scope: of("scope").unwrap_or("case").to_owned(),
            most: money(units, of("currency")?, of("ceiling")?)?,
        })
    });
    Ok(InForce {
        policy,
        quota: quota.collect(),
        redrive: texts("same_key_redrive"),
        allowed_signers: text_of("allowed_signers"),
        sign_above: amounts("sign_above"),
        legal_hold: truth("legal_hold"),
        digest: sha256_hex(text.as_bytes()),
        text: text.to_owned(),
    })
}

/// Money of a unit and decimal text in major units. A unit that nothing here is counted in has no limit to compare.
fn money(units: &Units, unit: &str, amount: &str) -> Option<Money> {
    let unit: Unit = units.get(unit).or_else(|| iso(unit))?;
    Some(Money::new(unit, parse_decimal(amount).ok()?))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::model::money::Amount;
    use crate::model::time::HOUR;

    fn of(toml: &str) -> InForce {
        let file = crate::config::from_text(Path::new("recount.toml"), toml).unwrap();
        read(&text(&Config { path: None, file }), &Units::default()).unwrap()
    }

    #[test]
    fn a_policy_comes_back_as_it_was_written() {
        let all = of(
            "[policy]\nhigh_value = { USD = \"250.00\" }\napprovers = [\"erin\"]\nnote_min = 30\nmax_extension = \"24h\"\n\
                      [quota.refunds]\nscope = \"case\"\nceiling = \"100.00\"\ncurrency = \"USD\"\n\
                      [tools.refund]\nidempotent = \"yes\"\nsame_key_redrive = true\n",
        );
        let usd = iso("USD").unwrap();
        assert_eq!(all.policy.high_value, [Money::new(usd, Amount::minor(25_000, 2))]);
        assert_eq!((all.policy.note_min, all.policy.max_extension), (30, 24 * HOUR));
        assert_eq!(all.policy.approvers, ["erin"]);
        assert_eq!(all.redrive, ["refund"]);
        let ceiling = Money::new(usd, Amount::minor(10_000, 2));
        assert_eq!(
            all.quota,
            [Ceiling { name: "refunds".to_owned(), scope: "case".to_owned(), most: ceiling }]
        );
    }

    #[test]
    fn an_empty_policy_has_the_built_in_values_and_equal_ones_have_one_digest() {
        assert_eq!(of("").policy, Policy::default());
        assert_eq!(of("").digest, of("[case]\nid = \"x\"\n").digest);
        assert_ne!(of("").digest, of("[policy]\nsolo = true\n").digest);
    }
}
