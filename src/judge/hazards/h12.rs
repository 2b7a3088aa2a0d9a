//! H12, retention too short.

use super::facts::{Call, Intent, World};
use super::fill::kept;
use super::found::{Found, Level};
use crate::model::time::Micros;

/// First and last send with one key.
fn span(intent: &Intent, key: &str) -> Option<(Micros, Micros)> {
    let sent = |c: &&Call| c.key == key && !c.sent.is_none();
    let times: Vec<Micros> = intent.calls.iter().filter(sent).map(|c| c.sent.at).collect();
    Some((*times.iter().min()?, *times.iter().max()?))
}

/// A tool whose keys are forgotten before a call with them can be over; once per tool.
pub fn intent(intent: &Intent, world: &World<'_>) -> Vec<Found> {
    let mut all: Vec<Found> = Vec::new();
    for key in intent.keys() {
        let Some(call) = intent.calls.iter().find(|c| c.key == key) else { continue };
        let Some(tool) = world.tool(&call.tool) else { continue };
        let (Some(retention), Some((first, last))) = (tool.retention, span(intent, key)) else { continue };
        let seen = last.since(first);
        let required = seen.max(tool.windows);
        if required <= retention {
            continue;
        }
        let observed = seen > retention;
        let how = if observed {
            format!("key {key} was sent from {} to {}", world.clock(first), world.clock(last))
        } else {
            "so long are calls sent again and recovered".to_owned()
        };
        let found = Found::new(format!("kept {}", kept(retention)), kept(required))
            .of_intent(&intent.id)
            .of_tool(&tool.name)
            .seen(first)
            .weighing(required)
            .at_level(if observed { Level::High } else { Level::Medium })
            .with("tool", tool.name.clone())
            .with("kept", kept(retention))
            .with("required", kept(required))
            .with("how", how);
        all.push(found);
    }
    all.into_iter().max_by_key(|f| f.weight).into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::super::sample::{Sample, fires};
    use super::*;

    #[test]
    fn h12_below() {
        assert_eq!(fires("H12", &Sample::new().keeps("1h", "0s").lost(0, "k1").ok(3_600, "k1")), 0);
        assert_eq!(fires("H12", &Sample::new().keeps("1h", "1h").ok(0, "k1")), 0);
        // Nobody says how long keys are kept.
        assert_eq!(fires("H12", &Sample::new().lost(0, "k1").ok(3_601, "k1")), 0);
        // Another key is another request.
        assert_eq!(fires("H12", &Sample::new().keeps("1h", "0s").lost(0, "k1").ok(3_601, "k2")), 0);
    }

    #[test]
    fn h12_above() {
        let observed = Sample::new().keeps("1h", "0s").lost(0, "k1").ok(3_601, "k1").only("H12");
        assert_eq!(
            observed.what,
            "refund_order keeps a key for 1h; 3601s are needed: key k1 was sent from 08:00:00 to 09:00:01."
        );
        assert_eq!(observed.level, Level::High);
        let declared = Sample::new().keeps("3599s", "1h").ok(0, "k1").only("H12");
        assert_eq!(
            declared.what,
            "refund_order keeps a key for 3599s; 1h are needed: so long are calls sent again and recovered."
        );
        assert_eq!((declared.level, &*declared.measured), (Level::Medium, "kept 3599s"));
    }
}
