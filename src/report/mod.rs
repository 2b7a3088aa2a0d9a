//! The one output layer: text, json, jsonl and what else a program or person reads.
