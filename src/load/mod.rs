//! From sources to judged intents: plan, builder, runs, resolve, group (`engine.md`).
