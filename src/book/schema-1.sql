-- The book, version 1. Every table but `audit`, `evidence`, `heads_sent` and `secrets` follows from the entries of
-- `audit` and from nothing else; `recount verify` makes them again and compares.

-- The chain: one entry a row, numbered without gaps.
CREATE TABLE audit (
  seq INTEGER PRIMARY KEY,
  text TEXT NOT NULL,
  hash TEXT NOT NULL,
  sig TEXT
) STRICT;

CREATE TRIGGER audit_is_never_changed BEFORE UPDATE ON audit
BEGIN SELECT RAISE(ABORT, 'entries are never changed: a correction is a new entry'); END;

CREATE TRIGGER audit_is_never_deleted BEFORE DELETE ON audit
BEGIN SELECT RAISE(ABORT, 'entries are never deleted'); END;

CREATE TRIGGER audit_has_no_gap BEFORE INSERT ON audit
WHEN NEW.seq <> (SELECT coalesce(max(seq), 0) + 1 FROM audit)
BEGIN SELECT RAISE(ABORT, 'the next entry has the next number'); END;

-- Text of evidence under its digest; bytes are NULL once they are erased.
CREATE TABLE evidence (
  digest TEXT PRIMARY KEY,
  name TEXT,
  bytes BLOB,
  stored_at TEXT NOT NULL
) STRICT;

-- What became of sending a head away.
CREATE TABLE heads_sent (
  id INTEGER PRIMARY KEY,
  seq INTEGER NOT NULL,
  hash TEXT NOT NULL,
  at TEXT NOT NULL,
  target TEXT NOT NULL,
  failure TEXT
) STRICT;

-- What tokens are made with.
CREATE TABLE secrets (
  name TEXT PRIMARY KEY,
  bytes BLOB NOT NULL
) STRICT;

CREATE TABLE cases (
  case_id TEXT PRIMARY KEY,
  opened_at TEXT,
  seq INTEGER
) STRICT;

CREATE TABLE intents (
  intent_id TEXT PRIMARY KEY,
  operation_id TEXT UNIQUE,
  kind TEXT,
  business_id TEXT,
  party TEXT,
  count_min INTEGER,
  count_max INTEGER,
  total_minor INTEGER,
  total_currency TEXT,
  total_unit TEXT,
  total_decimal TEXT,
  accept TEXT,
  attrs TEXT,
  expectation_source TEXT,
  key TEXT,
  key_kind TEXT,
  key_origin TEXT,
  key_minted_at TEXT,
  derived_key TEXT,
  payload_hash TEXT,
  storage TEXT,
  parent_id TEXT,
  relation TEXT,
  tool TEXT,
  run_id TEXT,
  agent TEXT,
  origin TEXT,
  recorded_at TEXT,
  recorded_seq INTEGER,
  state TEXT CHECK (state IN ('submitted', 'confirmed', 'failed', 'unknown')),
  state_seq INTEGER,
  version INTEGER,
  changed_seq INTEGER,
  deadline TEXT,
  owner TEXT,
  escalated_to TEXT,
  verified_at_position TEXT
) STRICT;
CREATE INDEX intents_by_key ON intents (key);

CREATE TABLE state_changes (
  seq INTEGER PRIMARY KEY,
  intent_id TEXT,
  from_state TEXT,
  to_state TEXT,
  action TEXT,
  actor_kind TEXT,
  actor_name TEXT,
  at TEXT,
  reason TEXT,
  deadline TEXT
) STRICT;
CREATE INDEX state_changes_by_intent ON state_changes (intent_id);

CREATE TABLE attempts (
  attempt_id TEXT PRIMARY KEY,
  intent_id TEXT,
  tool TEXT,
  key TEXT,
  payload_hash TEXT,
  quota TEXT,
  cost_minor INTEGER,
  cost_currency TEXT,
  redrive INTEGER,
  holder TEXT,
  claimed_at TEXT,
  claimed_seq INTEGER,
  deadline TEXT,
  outcome TEXT,
  receipt TEXT,
  text TEXT,
  ended_at TEXT,
  marked_seq INTEGER
) STRICT;
CREATE INDEX attempts_by_intent ON attempts (intent_id);
-- A claim that has not ended keeps every other one of its intent out.
CREATE UNIQUE INDEX one_open_claim ON attempts (intent_id) WHERE claimed_seq IS NOT NULL AND outcome IS NULL;

CREATE TABLE readbacks (
  id TEXT PRIMARY KEY,
  intent_id TEXT,
  source TEXT,
  started_at TEXT,
  read_at TEXT,
  query TEXT,
  position TEXT,
  result TEXT,
  detail TEXT,
  digest TEXT,
  manual INTEGER,
  replayed INTEGER,
  by_name TEXT,
  seq INTEGER
) STRICT;
CREATE INDEX readbacks_by_intent ON readbacks (intent_id);

CREATE TABLE links (
  source TEXT,
  effect_id TEXT,
  intent_id TEXT,
  status TEXT,
  by_name TEXT,
  at TEXT,
  seq INTEGER,
  PRIMARY KEY (source, effect_id, intent_id)
) STRICT;

CREATE TABLE assignments (
  subject_type TEXT,
  subject_id TEXT,
  owner TEXT,
  deadline TEXT,
  escalated_to TEXT,
  escalated_at TEXT,
  delivered TEXT,
  delivered_at TEXT,
  taken_over_by TEXT,
  taken_over_at TEXT,
  seq INTEGER,
  PRIMARY KEY (subject_type, subject_id)
) STRICT;

CREATE TABLE resolutions (
  seq INTEGER PRIMARY KEY,
  intent_id TEXT,
  from_state TEXT,
  to_state TEXT,
  by_name TEXT,
  second_name TEXT,
  at TEXT,
  reason TEXT,
  note TEXT,
  evidence TEXT,
  by_override INTEGER,
  break_glass TEXT,
  review_due TEXT,
  batch TEXT,
  fingerprint TEXT
) STRICT;
CREATE INDEX resolutions_by_intent ON resolutions (intent_id);

CREATE TABLE requests (
  seq INTEGER PRIMARY KEY,
  subject_type TEXT,
  subject_id TEXT,
  digest TEXT,
  proposed TEXT,
  fingerprint TEXT,
  policy TEXT,
  by_name TEXT,
  by_uid INTEGER,
  by_login TEXT,
  by_session TEXT,
  by_verified TEXT,
  at TEXT,
  expires_at TEXT,
  status TEXT,
  decided_seq INTEGER
) STRICT;

CREATE TABLE approvals (
  digest TEXT PRIMARY KEY,
  seq INTEGER,
  request_seq INTEGER,
  decision TEXT,
  by_name TEXT,
  at TEXT,
  own_read TEXT,
  relied INTEGER,
  verified TEXT
) STRICT;

CREATE TABLE dispositions (
  seq INTEGER PRIMARY KEY,
  subject_type TEXT,
  subject_id TEXT,
  as_word TEXT,
  amount_minor INTEGER,
  amount_currency TEXT,
  reference TEXT,
  same_as TEXT,
  fingerprint TEXT,
  by_name TEXT,
  second_name TEXT,
  at TEXT,
  batch TEXT
) STRICT;

CREATE TABLE reviews (
  seq INTEGER PRIMARY KEY,
  reviewed_seq INTEGER,
  first_seq INTEGER,
  last_seq INTEGER,
  outcome TEXT,
  by_name TEXT,
  at TEXT
) STRICT;

CREATE TABLE policies (
  seq INTEGER PRIMARY KEY,
  digest TEXT,
  text TEXT
) STRICT;

CREATE TABLE acknowledged_positions (
  source TEXT PRIMARY KEY,
  position TEXT,
  at TEXT,
  seq INTEGER
) STRICT;

CREATE TABLE quiet_hazards (
  rule TEXT,
  subject TEXT,
  until TEXT,
  quiet INTEGER,
  at TEXT,
  seq INTEGER,
  PRIMARY KEY (rule, subject)
) STRICT;
