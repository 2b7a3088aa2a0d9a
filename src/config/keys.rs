//! Every key of `7-commands.md` 8.4 with its type. What is absent has the default of the table there.

use std::collections::BTreeMap;
use std::fmt;
use std::marker::PhantomData;

use serde::Deserialize;
use serde::de::{self, DeserializeSeed, Deserializer, MapAccess, Visitor};
use toml::Spanned;

use super::value::{
    Amounts, Completeness, CoverageRule, Decimal, Duration, EnforcedIn, From, Idempotent, JoinField, Moment,
    NegativeIs, Property, QuotaScope, Scalar, SourceRole, Step, Texts, ToolRole, ZoneName,
};

/// Sections by name, each with its place, so that their order in the file is kept.
pub type Named<T> = BTreeMap<String, Spanned<T>>;

/// A whole file: `recount.toml`, or the user's config.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct File {
    /// The case.
    pub case: Case,
    /// Who may decide what.
    pub policy: Policy,
    /// Deadlines of recorded states.
    pub deadlines: Deadlines,
    /// Bound of the callers' clocks, milliseconds.
    pub client_skew_ms: Option<i64>,
    /// Tools by name.
    pub tools: Named<Tool>,
    /// Traces by id.
    pub traces: Named<Trace>,
    /// Intent records of applications, by id.
    pub intents: Named<Records>,
    /// Ledgers by id.
    pub sources: Named<Source>,
    /// Quotas by name (H11).
    pub quota: BTreeMap<String, Quota>,
    /// Thresholds by rule.
    pub hazards: Hazards,
    /// Own next steps: verdict, then kind; of hazards by rule alone.
    pub playbook: BTreeMap<String, Playbook>,
    /// What is masked.
    pub mask: Mask,
    /// Where the head of the audit chain goes.
    pub audit: Audit,
    /// Hook for escalations.
    pub deliver: Deliver,
    /// Rates only for sorting across currencies.
    pub rank_rates: Amounts,
    /// The screen.
    pub ui: Ui,
    /// Own themes: a colour per role.
    pub themes: BTreeMap<String, BTreeMap<String, String>>,
    /// Saved views.
    pub views: BTreeMap<String, View>,
    /// Keys per context, with their places.
    pub keys: BTreeMap<String, BTreeMap<String, Spanned<toml::Value>>>,
    /// The text it was read from, so that what is found wrong later has its line.
    #[serde(skip)]
    pub text: String,
}

/// `[case]`.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Case {
    /// Name of the case.
    pub id: Option<String>,
    /// Its title.
    pub title: Option<String>,
    /// Fixes the clock.
    pub now: Option<Moment>,
    /// What a check asks.
    pub property: Option<Property>,
    /// Every effect in the window must have an attempt.
    pub trace_complete: bool,
    /// Steps that make ids equal, for all sources.
    pub normalise: Vec<Step>,
    /// For working days and local text.
    pub zone: Option<ZoneName>,
}

/// `[policy]`.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Policy {
    /// From here on two people decide where money can be released.
    pub high_value: Amounts,
    /// Most that reconciliation settles by itself.
    pub auto_max: Amounts,
    /// Kinds without money that count as high value.
    pub high_value_kinds: Vec<String>,
    /// Logins that identify nobody.
    pub shared_logins: Vec<String>,
    /// No erasing.
    pub legal_hold: bool,
    /// Who may approve.
    pub approvers: Vec<String>,
    /// Who may review.
    pub reviewers: Vec<String>,
    /// Who may change limits.
    pub policy_owners: Vec<String>,
    /// Takes the whole section from a file that the operator cannot write.
    pub file: Option<String>,
    /// One person decides all.
    pub solo: bool,
    /// Least characters of a note.
    pub note_min: Option<u32>,
    /// Most characters of a note.
    pub note_max: Option<u32>,
    /// Furthest new deadline.
    pub max_extension: Option<Duration>,
    /// When an approval expires.
    pub approval_expires: Option<Duration>,
    /// Who gets what expires.
    pub escalation_owner: Option<String>,
    /// Break-glass is allowed at all.
    pub break_glass: bool,
    /// Most that it may settle.
    pub break_glass_max: Amounts,
    /// File for `ssh-keygen -Y`.
    pub allowed_signers: Option<String>,
    /// From where on entries must be signed.
    pub sign_above: Amounts,
}

/// `[tools.NAME]`.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Tool {
    /// `write` or `read`.
    pub role: Option<ToolRole>,
    /// The source that records its effects.
    pub ledger: Option<String>,
    /// Whether it deduplicates.
    pub idempotent: Option<Idempotent>,
    /// How long a key is remembered.
    pub retention: Option<Duration>,
    /// The gate may allow a re-drive.
    pub same_key_redrive: bool,
    /// How long calls are sent again.
    pub retry_window: Option<Duration>,
    /// How long recovery may take.
    pub recovery_window: Option<Duration>,
    /// What it does cannot be undone.
    pub irreversible: bool,
    /// How long the caller waits.
    pub timeout: Option<Duration>,
    /// How long a request may live on.
    pub settle: Option<Duration>,
    /// The write path.
    pub endpoint: Option<String>,
    /// How a lost answer is settled.
    pub reconcile_by: Option<String>,
    /// Error words that say that it did not act.
    pub did_not: Vec<Scalar>,
    /// Error words that say that it had already been done.
    pub already_did: Vec<Scalar>,
    /// Error words that say nothing.
    pub cannot_tell: Vec<Scalar>,
    /// Steps that make its ids equal.
    pub normalise: Vec<Step>,
    /// Where the key stands.
    pub key_path: Option<String>,
    /// Where the business id stands.
    pub business_id_path: Option<String>,
    /// Where the amount stands.
    pub amount_path: Option<String>,
    /// It starts something that costs (H11).
    pub provisioning: bool,
    /// Most that it may cost (H11).
    pub ceiling: Option<Decimal>,
}

/// `[traces.ID]`.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Trace {
    /// Path or pattern, from the case folder.
    pub path: Option<Texts>,
    /// Format, where content does not tell.
    pub format: Option<String>,
    /// Which part of the calls it holds.
    pub completeness: Option<Completeness>,
    /// Short for `completeness = "complete"`.
    pub complete: bool,
    /// Every intent must be recorded here.
    pub intents_complete: bool,
    /// Its window.
    pub from: Option<Moment>,
    /// Its window.
    pub to: Option<Moment>,
    /// Where fields stand.
    pub fields: BTreeMap<String, Column>,
    /// Zone of times without one.
    pub zone: Option<ZoneName>,
    /// Currency of amounts without one.
    pub currency: Option<String>,
    /// Steps that make its ids equal.
    pub normalise: Vec<Step>,
}

/// `[intents.ID]`.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Records {
    /// Path, from the case folder.
    pub path: Option<Texts>,
    /// Table of a database.
    pub table: Option<String>,
    /// Where fields stand.
    pub columns: BTreeMap<String, Column>,
}

/// `[sources.ID]`.
#[expect(clippy::struct_excessive_bools, reason = "each is a key of its own")]
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Source {
    /// Format, where content does not tell.
    pub kind: Option<String>,
    /// Path or pattern, from the case folder.
    pub path: Option<Texts>,
    /// Address of a database server.
    pub url: Option<String>,
    /// Command that prints the password of a server, without a shell.
    pub password_command: Vec<String>,
    /// Table of a database.
    pub table: Option<String>,
    /// One read-only statement.
    pub sql: Option<String>,
    /// The statement, or the filter, gives all rows of its kind.
    pub complete: bool,
    /// Here the effect happens.
    pub moves_money: Option<bool>,
    /// It is a copy of this one.
    pub copy_of: Option<String>,
    /// It is one of several parts.
    pub part: bool,
    /// Kinds it can contain.
    pub holds: Vec<String>,
    /// How it is read.
    pub role: Option<SourceRole>,
    /// Partition that it holds: field and value.
    #[serde(rename = "where")]
    pub partition: BTreeMap<String, Scalar>,
    /// Row filter, or `run`.
    pub scope: Option<String>,
    /// Only rows from here.
    pub since: Option<Moment>,
    /// Only rows up to here.
    pub until: Option<Moment>,
    /// Complete from here.
    pub covers_from: Option<From>,
    /// When the export was made.
    pub exported_at: Option<Moment>,
    /// Complete, and nothing is still under way.
    #[serde(rename = "final")]
    pub final_: bool,
    /// When it was read, fixed.
    pub read_at: Option<Moment>,
    /// A backup that nobody writes.
    pub frozen: bool,
    /// Known to be live.
    pub live: Option<bool>,
    /// It can prove an absence.
    pub can_prove_absence: Option<bool>,
    /// What proves an absence.
    pub coverage_rule: Option<CoverageRule>,
    /// Bound of its clock, milliseconds.
    pub skew_ms: Option<i64>,
    /// Zone of times without one.
    pub zone: Option<ZoneName>,
    /// Currency of amounts without one.
    pub currency: Option<String>,
    /// Resolution of its times, milliseconds.
    pub resolution_ms: Option<i64>,
    /// Own exponents.
    pub exponent_override: BTreeMap<String, u8>,
    /// Steps that make its ids equal.
    pub normalise: Vec<Step>,
    /// Declared join.
    pub join: Vec<JoinField>,
    /// How negative amounts are read.
    pub negative_is: Option<NegativeIs>,
    /// Own status words.
    pub status: Status,
    /// Endpoint that it is read through.
    pub endpoint: Option<String>,
    /// Who is logged in there.
    pub logged_in: Option<String>,
    /// Reader command, without a shell.
    pub command: Vec<String>,
    /// Addresses for people; never opened.
    pub links: BTreeMap<String, String>,
    /// Where fields stand.
    pub columns: BTreeMap<String, Column>,
}

/// `status.*` of a source.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Status {
    /// Live effects.
    pub effect: Option<Vec<String>>,
    /// Not effects.
    pub not_effect: Option<Vec<String>>,
    /// On their way.
    pub on_its_way: Option<Vec<String>>,
}

/// A column: its name, or a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Column {
    /// A column or path.
    From {
        /// Its name.
        column: String,
        /// Type prefix of ids.
        prefix: Option<String>,
        /// Zone of times without one.
        zone: Option<String>,
        /// Resolution of times, milliseconds.
        resolution_ms: Option<i64>,
    },
    /// The same for every row.
    Const(String),
}

impl<'de> Deserialize<'de> for Column {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        #[derive(Default, Deserialize)]
        #[serde(deny_unknown_fields, default)]
        struct Table {
            column: Option<String>,
            prefix: Option<String>,
            zone: Option<ZoneName>,
            resolution_ms: Option<i64>,
            #[serde(rename = "const")]
            constant: Option<Scalar>,
        }
        struct OfColumn;
        impl<'de> Visitor<'de> for OfColumn {
            type Value = Column;

            fn expecting(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
                to.write_str("a column's name, { column = \"..\" } or { const = \"..\" }")
            }

            fn visit_str<E: de::Error>(self, name: &str) -> Result<Column, E> {
                Ok(Column::From { column: name.to_owned(), prefix: None, zone: None, resolution_ms: None })
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Column, A::Error> {
                let table = Table::deserialize(de::value::MapAccessDeserializer::new(map))?;
                match (table.column, table.constant) {
                    (Some(column), None) => Ok(Column::From {
                        column,
                        prefix: table.prefix,
                        zone: table.zone.map(|zone| zone.0),
                        resolution_ms: table.resolution_ms,
                    }),
                    (None, Some(constant)) => Ok(Column::Const(constant.0)),
                    _ => Err(de::Error::custom("one of `column` and `const` is needed")),
                }
            }
        }
        from.deserialize_any(OfColumn)
    }
}

/// `[quota.NAME]`.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Quota {
    /// What it is counted over.
    pub scope: Option<QuotaScope>,
    /// Most.
    pub ceiling: Option<Decimal>,
    /// Its currency.
    pub currency: Option<String>,
    /// What enforces it.
    pub enforced_in: Option<EnforcedIn>,
}

/// `[deadlines]`, for all kinds and per kind.
#[derive(Debug, Default)]
pub struct Deadlines {
    /// For every kind.
    pub all: Deadline,
    /// Per kind.
    pub kinds: BTreeMap<String, Deadline>,
}

/// Deadlines of one kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Deadline {
    /// Of a recorded submitted.
    pub submitted: Option<Duration>,
    /// Of a recorded unknown.
    pub unknown: Option<Duration>,
}

impl<'de> Deserialize<'de> for Deadlines {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct OfDeadlines;
        impl<'de> Visitor<'de> for OfDeadlines {
            type Value = Deadlines;

            fn expecting(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
                to.write_str("`submitted`, `unknown`, or a table per kind")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Deadlines, A::Error> {
                let mut deadlines = Deadlines::default();
                while let Some(key) = map.next_key::<String>()? {
                    match key.as_str() {
                        "submitted" => deadlines.all.submitted = Some(map.next_value()?),
                        "unknown" => deadlines.all.unknown = Some(map.next_value()?),
                        _ => {
                            let of_kind =
                                map.next_value_seed(TableBelow::new(&key, &["submitted", "unknown"]))?;
                            deadlines.kinds.insert(key, of_kind);
                        }
                    }
                }
                Ok(deadlines)
            }
        }
        from.deserialize_map(OfDeadlines)
    }
}

/// Reads a table of a known form below a name that may be any. Anything else there is a key that nobody knows, and
/// is refused at its place with the keys that are known.
struct TableBelow<'k, T> {
    key: &'k str,
    known: &'static [&'static str],
    form: PhantomData<T>,
}

impl<'k, T> TableBelow<'k, T> {
    fn new(key: &'k str, known: &'static [&'static str]) -> Self {
        Self { key, known, form: PhantomData }
    }

    fn unknown<E: de::Error>(&self) -> E {
        E::unknown_field(self.key, self.known)
    }
}

impl<'de, T: Deserialize<'de>> DeserializeSeed<'de> for TableBelow<'_, T> {
    type Value = T;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<T, D::Error> {
        from.deserialize_any(self)
    }
}

impl<'de, T: Deserialize<'de>> Visitor<'de> for TableBelow<'_, T> {
    type Value = T;

    fn expecting(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str("a table")
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<T, A::Error> {
        T::deserialize(de::value::MapAccessDeserializer::new(map))
    }

    fn visit_str<E: de::Error>(self, _: &str) -> Result<T, E> {
        Err(self.unknown())
    }

    fn visit_i64<E: de::Error>(self, _: i64) -> Result<T, E> {
        Err(self.unknown())
    }

    fn visit_bool<E: de::Error>(self, _: bool) -> Result<T, E> {
        Err(self.unknown())
    }

    fn visit_seq<A: de::SeqAccess<'de>>(self, _: A) -> Result<T, A::Error> {
        Err(self.unknown())
    }
}

/// `[hazards]`: thresholds by rule, and where goal rules stand.
#[derive(Debug, Default)]
pub struct Hazards {
    /// File of goal rules.
    pub goal_rules: Option<String>,
    /// Goal rules in this file.
    pub goal_rule: Vec<GoalRule>,
    /// File of external judgements of attempts, JSON lines.
    pub annotations: Option<String>,
    /// Rules that are quieted; written by the program only.
    pub quiet: Vec<toml::Table>,
    /// Thresholds by rule (`H09`).
    pub rules: BTreeMap<String, toml::Table>,
}

/// `[[hazards.goal_rule]]` (`5-hazards.md` 5.3).
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct GoalRule {
    /// Words that all stand in the plan.
    pub plan_all: Vec<String>,
    /// Tools that belong to it; `*` stands for anything.
    pub allow: Vec<String>,
    /// Tools that do not.
    pub deny: Vec<String>,
    /// Why.
    pub why: Option<String>,
}

/// Number of hazard rules (`5-hazards.md`).
const HAZARDS: u32 = 24;

impl<'de> Deserialize<'de> for Hazards {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct OfHazards;
        impl<'de> Visitor<'de> for OfHazards {
            type Value = Hazards;

            fn expecting(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
                to.write_str("`goal_rules`, or a table per rule")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Hazards, A::Error> {
                let mut hazards = Hazards::default();
                while let Some(key) = map.next_key::<String>()? {
                    match key.as_str() {
                        "goal_rules" => hazards.goal_rules = Some(map.next_value()?),
                        "goal_rule" => hazards.goal_rule = map.next_value()?,
                        "annotations" => hazards.annotations = Some(map.next_value()?),
                        "quiet" => hazards.quiet = map.next_value()?,
                        _ if is_rule(&key) => {
                            hazards.rules.insert(key, map.next_value()?);
                        }
                        _ => {
                            let known = &["goal_rules", "goal_rule", "annotations", "quiet", "H01 to H24"];
                            map.next_value_seed(Refused { key: &key, known })?;
                        }
                    }
                }
                Ok(hazards)
            }
        }
        from.deserialize_map(OfHazards)
    }
}

/// Refuses a key at its place.
struct Refused<'k> {
    key: &'k str,
    known: &'static [&'static str],
}

impl<'de> DeserializeSeed<'de> for Refused<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, _: D) -> Result<(), D::Error> {
        Err(de::Error::unknown_field(self.key, self.known))
    }
}

/// `H01` to `H24`.
fn is_rule(key: &str) -> bool {
    let number = key
        .strip_prefix('H')
        .filter(|digits| digits.len() == 2)
        .and_then(|digits| digits.parse::<u32>().ok());
    number.is_some_and(|number| (1..=HAZARDS).contains(&number))
}

/// Own next steps of a verdict, by kind; of a hazard without one.
#[derive(Debug, Default)]
pub struct Playbook {
    /// For every kind, and for hazards.
    pub all: Advice,
    /// Per kind.
    pub kinds: BTreeMap<String, Advice>,
}

/// A next step.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Advice {
    /// What to do.
    pub text: Option<String>,
    /// An address, never opened.
    pub link: Option<String>,
    /// Whose it is.
    pub owner: Option<String>,
}

impl<'de> Deserialize<'de> for Playbook {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct OfPlaybook;
        impl<'de> Visitor<'de> for OfPlaybook {
            type Value = Playbook;

            fn expecting(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
                to.write_str("`text`, `link`, `owner`, or a table per kind")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Playbook, A::Error> {
                let mut playbook = Playbook::default();
                while let Some(key) = map.next_key::<String>()? {
                    match key.as_str() {
                        "text" => playbook.all.text = Some(map.next_value()?),
                        "link" => playbook.all.link = Some(map.next_value()?),
                        "owner" => playbook.all.owner = Some(map.next_value()?),
                        _ => {
                            let advice =
                                map.next_value_seed(TableBelow::new(&key, &["text", "link", "owner"]))?;
                            playbook.kinds.insert(key, advice);
                        }
                    }
                }
                Ok(playbook)
            }
        }
        from.deserialize_map(OfPlaybook)
    }
}

/// `[mask]`.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Mask {
    /// Columns that are shown as they are.
    pub allow: Vec<String>,
    /// JSON paths that are always redacted.
    pub redact: Vec<String>,
    /// A party is always a token.
    pub party: bool,
}

/// `[audit]`.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Audit {
    /// `syslog`, `file:PATH`, `command:PATH`, `none`.
    pub head_to: Option<String>,
}

/// `[deliver]`.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Deliver {
    /// Hook for escalations, without a shell.
    pub command: Option<Texts>,
}

/// `[ui]`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Ui {
    /// Name of a theme.
    pub theme: Option<String>,
    /// ASCII only.
    pub ascii: Option<bool>,
    /// The mouse is used.
    pub mouse: Option<bool>,
    /// Times in the local zone.
    pub local_time: Option<bool>,
    /// A bell on a new violation.
    pub bell: Option<bool>,
}

/// `[views.NAME]`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct View {
    /// Filter.
    pub filter: Option<String>,
    /// Sort key.
    pub sort: Option<String>,
    /// Grouping.
    pub group: Option<String>,
    /// Columns.
    pub columns: Vec<String>,
}

impl File {
    /// What no single key can say: a meaning that is said twice, a copy of nothing, a path that is missing.
    ///
    /// # Errors
    /// A sentence that names the section.
    pub fn check(&self) -> Result<(), String> {
        super::hazards::check(&self.hazards)?;
        for (id, source) in &self.sources {
            let s = source.get_ref();
            let said = [s.moves_money == Some(true), s.copy_of.is_some(), s.part]
                .iter()
                .filter(|said| **said)
                .count();
            if said > 1 {
                return Err(format!(
                    "[sources.{id}] says more than one of moves_money, copy_of and part; a source has one meaning"
                ));
            }
            if let Some(of) = &s.copy_of
                && !self.sources.contains_key(of)
            {
                let near = crate::sources::near::did_you_mean(of, self.sources.keys().map(String::as_str));
                return Err(format!(
                    "[sources.{id}] is a copy of `{of}`, which is no source of this case{near}"
                ));
            }
            if s.path.is_none() && s.url.is_none() && s.command.is_empty() {
                return Err(format!("[sources.{id}] has no path; write path = \"FILE\""));
            }
            if s.role.map(SourceRole::word) == Some("second_witness") && s.can_prove_absence == Some(true) {
                return Err(format!("[sources.{id}] is a second witness, which can never prove an absence"));
            }
        }
        let mut paths = self
            .traces
            .iter()
            .map(|(id, t)| ("traces", id, t.get_ref().path.is_some()))
            .chain(self.intents.iter().map(|(id, r)| ("intents", id, r.get_ref().path.is_some())));
        if let Some((section, id, _)) = paths.find(|(_, _, has)| !has) {
            return Err(format!("[{section}.{id}] has no path; write path = \"FILE\""));
        }
        for (name, tool) in &self.tools {
            if let Some(ledger) = &tool.get_ref().ledger
                && !self.sources.contains_key(ledger)
                && !self.sources.is_empty()
            {
                let near =
                    crate::sources::near::did_you_mean(ledger, self.sources.keys().map(String::as_str));
                return Err(format!(
                    "[tools.{name}] names the ledger `{ledger}`, which is no source of this case{near}"
                ));
            }
        }
        Ok(())
    }
}
