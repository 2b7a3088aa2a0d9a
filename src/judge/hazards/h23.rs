//! H23, read-back collapsed.

use super::facts::{Intent, Look, World};
use super::found::Found;
use crate::model::row::Seen;

fn collapsed(look: &Look) -> bool {
    // A call of a reading tool is no read-back that somebody recorded.
    let mixed = Seen::COLLAPSED.contains(&look.word.as_str()) && look.seen == Seen::Unreadable;
    mixed || (look.seen == Seen::Unreadable && !look.read.is_empty())
}

/// Each read-back that says too little.
pub fn intent(intent: &Intent, _: &World<'_>) -> Vec<Found> {
    let or = |text: &str| if text.is_empty() { "nothing".to_owned() } else { format!("\"{text}\"") };
    intent
        .looks
        .iter()
        .filter(|l| collapsed(l))
        .map(|look| {
            let name =
                if look.id.is_empty() { "A read-back".to_owned() } else { format!("Read-back {}", look.id) };
            Found::new(or(&look.word), "one of six results")
                .of_intent(&intent.id)
                .of_tool(intent.tool())
                .seen(look.when)
                .with("rb", name)
                .with("intent", intent.id.clone())
                .with("word", or(&look.word))
                .with("read", or(&look.read))
                .with("expected", or(&look.expected))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::super::sample::{Sample, fires};
    use super::*;

    #[test]
    fn h23_below() {
        for (seen, word) in Seen::ALL {
            assert_eq!(fires("H23", &Sample::new().ok(0, "k1").look(5, "payments", seen)), 0, "{word}");
        }
    }

    #[test]
    fn h23_above() {
        for word in Seen::COLLAPSED {
            assert_eq!(fires("H23", &Sample::new().ok(0, "k1").said(5, word, "")), 1, "{word}");
        }
        let parsed = Sample::new().ok(0, "k1").said(5, "unreadable", "20.00").only("H23");
        assert_eq!(
            parsed.what,
            "Read-back rb_1 of int_1 says \"unreadable\"; read value \"20.00\", expected nothing."
        );
    }
}
