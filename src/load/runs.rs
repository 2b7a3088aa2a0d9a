//! What a trace says of its runs, read again for whoever looks at one intent.

use crate::judge::view::IntentView;

use super::Case;

/// What is said of one run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RunFacts {
    /// Its id.
    pub id: String,
    /// Fields of the record that begins it, as they stand there; empty where none does.
    pub fields: Vec<(String, String)>,
    /// Turns in which the attempts of the intent were made; 0 where none says.
    pub turns: usize,
}

impl Case {
    /// The runs of the attempts of an intent, in the order of the attempts.
    pub fn run_facts(&self, view: &IntentView) -> Vec<RunFacts> {
        let mut runs: Vec<(RunFacts, Vec<String>)> = Vec::new();
        for attempt in view.attempts.iter().filter(|attempt| !attempt.run.is_empty()) {
            let known = runs.iter().position(|(run, _)| run.id == attempt.run);
            let at = known.unwrap_or_else(|| {
                let info = self.tables.runs.iter().find(|info| info.id == attempt.run);
                let fields = info.and_then(|info| info.begun).map(|at| self.places.fields(at));
                let id = attempt.run.clone();
                runs.push((RunFacts { id, fields: fields.unwrap_or_default(), turns: 0 }, Vec::new()));
                runs.len() - 1
            });
            let fields = attempt.at.map(|at| self.places.fields(at)).unwrap_or_default();
            let turn = fields.into_iter().find(|(name, value)| name == "turn" && !value.is_empty());
            if let (Some((run, turns)), Some((_, turn))) = (runs.get_mut(at), turn)
                && !turns.contains(&turn)
            {
                turns.push(turn);
                run.turns = turns.len();
            }
        }
        runs.into_iter().map(|(run, _)| run).collect()
    }
}
