//! Stand-in.

/// The plain sentences of one intent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Story {
    /// The first sentence.
    pub first: String,
    /// The other sentences.
    pub rest: String,
    /// What to do next.
    pub next: String,
    /// Why, sentence and code.
    pub why: Vec<(String, &'static str)>,
}
