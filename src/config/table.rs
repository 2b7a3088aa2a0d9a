//! Every key of a config as data (`7-commands.md` 8.4): what stands where nothing is set, its unit, what it means.
//! `config show`, `config check` and `config template` are made from it; a test holds it to what is read.

/// One key.
#[derive(Clone, Copy, Debug)]
pub struct Key {
    /// Its path. A part in capitals stands for a name that anybody chooses (`tools.NAME.timeout`).
    pub path: &'static str,
    /// What holds where nothing is set, as TOML; empty where that is no value.
    pub default: &'static str,
    /// Where there is no such value: what happens then.
    pub without: &'static str,
    /// A value for the commented file, where there is no default.
    pub sample: &'static str,
    /// What it is counted or written in.
    pub unit: &'static str,
    /// What it means.
    pub about: &'static str,
}

const TRUTH: &str = "true or false";
const TEXT: &str = "text";
const LIST: &str = "list of texts";
const DURATION: &str = "duration: 90s, 5m, 4h, 30d";
const MILLIS: &str = "milliseconds";
const AMOUNTS: &str = "major units per currency";
const MOMENT: &str = "time";
const FILES: &str = "path, from the folder of this file";
const STEPS: &str = "list of uuid, trim, collapse_space, casefold";
const ZONE: &str = "UTC, Europe/Berlin, +02:00";
const COLUMN: &str = "column, or { column = \"..\" }, or { const = \"..\" }";

/// A key with a value where nothing is set.
const fn set(path: &'static str, default: &'static str, unit: &'static str, about: &'static str) -> Key {
    Key { path, default, without: "", sample: "", unit, about }
}

/// A key without one.
const fn open(
    path: &'static str,
    without: &'static str,
    sample: &'static str,
    unit: &'static str,
    about: &'static str,
) -> Key {
    Key { path, default: "", without, sample, unit, about }
}

/// The sections that belong to a person rather than to a case: they may stand in the user's config.
pub const OF_USER: [&str; 4] = ["ui", "themes", "views", "keys"];

/// Every key, section by section.
#[rustfmt::skip]
pub const KEYS: &[Key] = &[
    set("client_skew_ms", "2000", MILLIS, "how far the clocks of callers may be off"),

    open("case.id", "the name of the folder", "\"refunds\"", TEXT, "name of the case"),
    open("case.title", "the name of the case", "\"Refunds of November\"", TEXT, "its title"),
    open("case.now", "the real clock", "\"2026-11-30T09:14:07Z\"", MOMENT, "fixes the clock; every output says so"),
    set("case.property", "\"settled\"", "settled or at-most-once", "what a check asks"),
    set("case.trace_complete", "false", TRUTH, "every effect in the window must have an attempt"),
    set("case.normalise", "[]", STEPS, "steps that make ids equal, for all sources"),
    set("case.zone", "\"UTC\"", ZONE, "for working days and local text"),

    open("policy.high_value", "500 major units, 50,000 without decimals", "{ USD = \"500.00\" }", AMOUNTS, "from here on two people decide where money can be released"),
    open("policy.auto_max", "50 major units, 5,000 without decimals", "{ USD = \"50.00\" }", AMOUNTS, "most that reconciliation settles by itself"),
    set("policy.high_value_kinds", "[]", LIST, "kinds without money that count as high value"),
    set("policy.shared_logins", "[]", LIST, "logins that identify nobody"),
    set("policy.legal_hold", "false", TRUTH, "no erasing"),
    set("policy.approvers", "[]", LIST, "who may approve"),
    set("policy.reviewers", "[]", LIST, "who may review afterwards"),
    set("policy.policy_owners", "[]", LIST, "who may change limits"),
    open("policy.file", "this section", "\"/etc/recount/policy.toml\"", FILES, "takes the whole section from a file that the operator cannot write"),
    set("policy.solo", "false", TRUTH, "one person decides all; named in each entry"),
    set("policy.note_min", "20", "characters", "least of a note"),
    set("policy.note_max", "4000", "characters", "most of a note"),
    set("policy.max_extension", "\"72h\"", DURATION, "furthest new deadline"),
    open("policy.approval_expires", "the deadline of the item, at most 72h", "\"24h\"", DURATION, "when a request for a second person expires"),
    open("policy.escalation_owner", "nobody", "\"payments-oncall\"", TEXT, "who gets what expires"),
    set("policy.break_glass", "false", TRUTH, "break-glass is allowed at all"),
    open("policy.break_glass_max", "high_value", "{ USD = \"500.00\" }", AMOUNTS, "most that it may settle"),
    open("policy.allowed_signers", "none", "\"allowed_signers\"", FILES, "file for ssh-keygen -Y"),
    open("policy.sign_above", "never", "{ USD = \"1000.00\" }", AMOUNTS, "from here on entries must be signed"),

    open("deadlines.submitted", "the tool's timeout and 5m", "\"5m\"", DURATION, "of a recorded submitted"),
    set("deadlines.unknown", "\"4h\"", DURATION, "of a recorded unknown"),
    open("deadlines.KIND.submitted", "as for all kinds", "\"5m\"", DURATION, "of a recorded submitted of this kind"),
    open("deadlines.KIND.unknown", "as for all kinds", "\"2h\"", DURATION, "of a recorded unknown of this kind"),

    open("tools.NAME.role", "by name and protocol", "\"write\"", "write or read", "whether it changes something"),
    open("tools.NAME.ledger", "the source that holds its kind", "\"provider\"", "id of a source", "the source that records its effects"),
    set("tools.NAME.idempotent", "\"unknown\"", "yes, no or unknown", "whether it deduplicates by key"),
    open("tools.NAME.retention", "not known", "\"24h\"", DURATION, "how long a key is remembered"),
    set("tools.NAME.same_key_redrive", "false", TRUTH, "the gate may allow a re-drive with the same key"),
    open("tools.NAME.retry_window", "none", "\"24h\"", DURATION, "how long calls are sent again"),
    open("tools.NAME.recovery_window", "none", "\"48h\"", DURATION, "how long recovery may take"),
    set("tools.NAME.irreversible", "false", TRUTH, "what it does cannot be undone"),
    set("tools.NAME.timeout", "\"30s\"", DURATION, "how long the caller waits"),
    set("tools.NAME.settle", "\"60s\"", DURATION, "how long a request may live on behind it"),
    open("tools.NAME.endpoint", "none", "\"POST /refunds\"", TEXT, "its write path"),
    open("tools.NAME.reconcile_by", "none", "\"read\"", TEXT, "how a lost answer is settled"),
    set("tools.NAME.did_not", "[]", LIST, "error words that say that it did not act"),
    set("tools.NAME.already_did", "[]", LIST, "error words that say that it had already been done"),
    set("tools.NAME.cannot_tell", "[]", LIST, "error words that say nothing; what is not listed says nothing either"),
    set("tools.NAME.normalise", "[]", STEPS, "steps that make its ids equal"),
    open("tools.NAME.key_path", "by format", "\"args.idempotency_key\"", "path of JSON", "where the key stands"),
    open("tools.NAME.business_id_path", "by format", "\"args.order_id\"", "path of JSON", "where the business id stands"),
    open("tools.NAME.amount_path", "by format", "\"args.amount\"", "path of JSON", "where the amount stands"),
    set("tools.NAME.provisioning", "false", TRUTH, "it starts something that costs (H11)"),
    open("tools.NAME.ceiling", "none", "\"10.00\"", "major units", "most that it may cost (H11)"),

    open("traces.ID.path", "needed", "\"trace.jsonl\"", FILES, "file or pattern; or a list"),
    open("traces.ID.format", "found by content", "\"native\"", "name of a format", "its format"),
    set("traces.ID.completeness", "\"unknown\"", "complete, sampled, cut or unknown", "which part of the calls it holds"),
    set("traces.ID.complete", "false", TRUTH, "short for completeness = \"complete\""),
    set("traces.ID.intents_complete", "false", TRUTH, "every intent must be recorded here"),
    open("traces.ID.from", "its first line", "\"2026-11-30T00:00:00Z\"", MOMENT, "its window"),
    open("traces.ID.to", "its last line", "\"2026-11-30T04:00:00Z\"", MOMENT, "its window"),
    open("traces.ID.zone", "none", "\"UTC\"", ZONE, "zone of times without one"),
    open("traces.ID.currency", "none", "\"USD\"", "currency", "currency of amounts without one"),
    set("traces.ID.normalise", "[]", STEPS, "steps that make its ids equal"),
    open("traces.ID.fields.FIELD", "by name", "\"meta.operation_id\"", COLUMN, "where a field stands"),

    open("intents.ID.path", "needed", "\"app.db\"", FILES, "intent records of an application, such as an outbox"),
    open("intents.ID.table", "the one that fits", "\"outbox\"", "name of a table", "table of a database"),
    open("intents.ID.columns.FIELD", "by name", "\"id\"", COLUMN, "where a field stands"),

    open("sources.ID.kind", "found by content", "\"sqlite\"", "name of a format", "its format"),
    open("sources.ID.path", "needed, or url or command", "\"payments.db\"", FILES, "file or pattern; or a list"),
    open("sources.ID.url", "none", "\"postgres://ledger.internal/payments\"", "address", "a database server"),
    set("sources.ID.password_command", "[]", LIST, "prints the password of a server, without a shell"),
    open("sources.ID.table", "the one that fits", "\"refunds\"", "name of a table", "table of a database"),
    open("sources.ID.sql", "none", "\"select * from refunds\"", "one read-only statement", "in place of a table"),
    set("sources.ID.complete", "false", TRUTH, "the statement, or the filter, gives all rows of its kind"),
    open("sources.ID.moves_money", "true for one ledger", "true", TRUTH, "here the effect happens"),
    open("sources.ID.copy_of", "none", "\"provider\"", "id of a source", "it is a copy, and never adds"),
    set("sources.ID.part", "false", TRUTH, "it is one of several parts that add up"),
    open("sources.ID.holds", "all kinds seen", "[\"refund\"]", LIST, "kinds that it can contain"),
    set("sources.ID.role", "\"authority\"", "authority, replica, second_witness or write_path", "how it is read"),
    open("sources.ID.where.FIELD", "none", "\"eu\"", TEXT, "the partition that it holds"),
    open("sources.ID.scope", "none", "\"channel = agent\"", "row filter, or run", "which of its rows count"),
    open("sources.ID.since", "none", "\"2026-11-28T00:00:00Z\"", MOMENT, "only rows from here"),
    open("sources.ID.until", "none", "\"2026-11-30T00:00:00Z\"", MOMENT, "only rows up to here"),
    open("sources.ID.covers_from", "its oldest row", "\"start\"", "time, or start", "complete from here"),
    open("sources.ID.exported_at", "its newest row stands for it", "\"2026-11-30T09:00:00Z\"", MOMENT, "when the export was made"),
    set("sources.ID.final", "false", TRUTH, "complete, and nothing is still under way; every output says so"),
    open("sources.ID.read_at", "the real time of reading", "\"2026-11-30T09:13:58Z\"", MOMENT, "fixes it for a sample or a review"),
    set("sources.ID.frozen", "false", TRUTH, "a backup that nobody writes"),
    open("sources.ID.live", "found by -wal and -shm", "true", TRUTH, "somebody writes it now"),
    set("sources.ID.can_prove_absence", "true", TRUTH, "no row in it can mean that nothing happened"),
    set("sources.ID.coverage_rule", "\"newest_entry\"", "newest_entry or snapshot", "what proves an absence"),
    open("sources.ID.skew_ms", "1000; 0 for a live local SQLite file", "1000", MILLIS, "how far its clock may be off"),
    open("sources.ID.zone", "none", "\"UTC\"", ZONE, "zone of times without one"),
    open("sources.ID.currency", "none", "\"USD\"", "currency", "currency of amounts without one"),
    open("sources.ID.resolution_ms", "that of the text", "1000", MILLIS, "resolution of its times"),
    open("sources.ID.exponent_override", "none", "{ XTS = 3 }", "decimals per currency", "own number of decimals"),
    set("sources.ID.normalise", "[]", STEPS, "steps that make its ids equal"),
    set("sources.ID.join", "[]", "list of business_id, amount, window", "declared join"),
    open("sources.ID.negative_is", "found", "\"reversal\"", "effect or reversal", "how negative amounts are read"),
    open("sources.ID.status.effect", "the well-known words", "[\"done\"]", LIST, "status words of effects"),
    open("sources.ID.status.not_effect", "the well-known words", "[\"declined\"]", LIST, "status words of what did not happen"),
    open("sources.ID.status.on_its_way", "the well-known words", "[\"queued\"]", LIST, "status words of what is on its way"),
    open("sources.ID.endpoint", "none", "\"GET /refunds\"", TEXT, "endpoint that it is read through"),
    open("sources.ID.logged_in", "none", "\"ledger-reader\"", TEXT, "who is logged in there"),
    set("sources.ID.command", "[]", LIST, "reader command, without a shell"),
    open("sources.ID.links.NAME", "none", "\"https://dashboard.example/{effect_id}\"", "address", "shown and copied as text, never opened"),
    open("sources.ID.columns.FIELD", "the well-known names", "\"op_id\"", COLUMN, "where a field stands"),

    open("quota.NAME.scope", "needed", "\"run\"", "run, agent, tool or case", "what it is counted over"),
    open("quota.NAME.ceiling", "needed", "\"10.00\"", "major units", "most"),
    open("quota.NAME.currency", "needed", "\"USD\"", "currency", "its currency"),
    set("quota.NAME.enforced_in", "\"application\"", "application or prompt", "what enforces it"),

    open("hazards.goal_rules", "none", "\"goal_rules.json\"", FILES, "goal rules of H21 in a JSON file"),
    open("hazards.goal_rule", "none", "[{ plan_all = [\"refund\"], allow = [\"refund_*\"], deny = [], why = \"only refunds\" }]", "list of rules", "goal rules of H21 in this file"),
    open("hazards.annotations", "none", "\"annotations.jsonl\"", FILES, "external judgements of attempts"),
    open("hazards.quiet", "none", "", "entries", "rules that are quieted; written by the program only"),
    open("hazards.RULE.THRESHOLD", "as in docs/hazards.md", "5", "number", "a threshold of a rule"),

    open("playbook.VERDICT.text", "the built-in next step", "\"Call the desk.\"", TEXT, "own next step of a verdict or a hazard, for every kind"),
    open("playbook.VERDICT.link", "none", "\"https://wiki.example/runbook\"", "address", "shown, never opened"),
    open("playbook.VERDICT.owner", "none", "\"payments-oncall\"", TEXT, "whose it is"),
    open("playbook.VERDICT.KIND.text", "that of every kind", "\"Call the desk.\"", TEXT, "own next step for one kind"),
    open("playbook.VERDICT.KIND.link", "none", "\"https://wiki.example/runbook\"", "address", "shown, never opened"),
    open("playbook.VERDICT.KIND.owner", "none", "\"payments-oncall\"", TEXT, "whose it is"),

    set("mask.allow", "[]", "list of columns", "columns of people that are shown as they are"),
    set("mask.redact", "[]", "list of JSON paths", "always redacted, as secrets are"),
    set("mask.party", "false", TRUTH, "a party is always a token"),

    open("audit.head_to", "syslog, where there is one", "\"none\"", "syslog, file:PATH, command:PATH or none", "where the head of the audit chain goes at each decision"),

    open("deliver.command", "none", "[\"/usr/local/bin/page\"]", "program and arguments", "hook for escalations, without a shell"),

    open("rank_rates.UNIT", "none", "\"1.10\"", "rate", "only for sorting across currencies, marked approx"),

    set("ui.theme", "\"terminal\"", "name of a theme", "terminal, dark, light, high-contrast, colour-blind, none, or an own one"),
    set("ui.ascii", "false", TRUTH, "only ASCII is drawn; so too where the locale is not UTF-8"),
    set("ui.mouse", "false", TRUTH, "the wheel moves"),
    set("ui.local_time", "false", TRUTH, "times in the local zone"),
    set("ui.bell", "false", TRUTH, "a bell on a new violation while watching"),

    open("themes.NAME.ROLE", "as in the theme terminal", "\"#b42318 bold\"", "colour, ground as \"on COLOUR\", bold, dim, underlined, reversed", "look of a role"),

    open("views.NAME.filter", "all rows", "\"state:unknown risk>100\"", "filter", "rows of a saved view"),
    open("views.NAME.sort", "the order of the list", "\"risk\"", "name of an order", "its order"),
    open("views.NAME.group", "none", "\"words\"", "name of a grouping", "its grouping"),
    set("views.NAME.columns", "[]", "list of columns", "its columns"),

    open("keys.CONTEXT.ACTION", "docs/keymap.md", "\"Y\"", "a key, a list of keys, or \"\" for none", "keys of an action in a place, or in all"),
];

/// A part of a path that stands for any name.
pub fn is_name(part: &str) -> bool {
    part.bytes().all(|byte| byte.is_ascii_uppercase())
}

/// How a path of a file fits the table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fit {
    /// It is a key.
    Key(usize),
    /// Keys stand below it.
    Section,
    /// Nothing knows it.
    Unknown,
}

/// Looks a path up. What is written out wins over what stands for any name.
pub fn fit(path: &[&str]) -> Fit {
    let candidates = narrowed(path);
    let exact = candidates.iter().find(|at| parts(**at).count() == path.len());
    match exact {
        Some(at) => Fit::Key(*at),
        None if candidates.is_empty() => Fit::Unknown,
        None => Fit::Section,
    }
}

/// Keys whose path begins so.
fn narrowed(path: &[&str]) -> Vec<usize> {
    let mut left: Vec<usize> = (0..KEYS.len()).collect();
    for (depth, given) in path.iter().enumerate() {
        let literal: Vec<usize> =
            left.iter().copied().filter(|at| parts(*at).nth(depth) == Some(given)).collect();
        left = if literal.is_empty() {
            left.into_iter().filter(|at| parts(*at).nth(depth).is_some_and(is_name)).collect()
        } else {
            literal
        };
    }
    left
}

/// What may stand at a place, written out.
pub fn known_below(path: &[&str]) -> Vec<&'static str> {
    let mut names: Vec<&str> = Vec::new();
    for at in narrowed(path) {
        if let Some(part) = parts(at).nth(path.len()).filter(|part| !is_name(part))
            && !names.contains(&part)
        {
            names.push(part);
        }
    }
    names
}

fn parts(at: usize) -> impl Iterator<Item = &'static str> {
    KEYS.get(at).map_or("", |key| key.path).split('.')
}
