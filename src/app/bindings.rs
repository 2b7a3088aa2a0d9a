//! The keys that work now: those of the action table, with what a person changed (`[keys.CONTEXT]`, `7-commands.md`
//! 8.4). A map in which one key has two actions in places that can be reached from each other is refused.

use super::action::{ACTIONS, Action, Entry};
use super::keys::{Code, Key};
use super::model::Context;
use crate::model::near::did_you_mean;

use Context as C;

/// Places by the names of the config.
#[rustfmt::skip]
pub const PLACES: &[(&str, &[Context])] = &[
    ("all", &[]),
    ("start", &[C::FirstRun, C::Loading, C::Failed, C::Clean]),
    ("triage", &[C::List, C::Members, C::Groups, C::Columns]),
    ("detail", &[C::Detail, C::Apart]),
    ("raw", &[C::Raw]),
    ("help", &[C::Help]),
    ("find", &[C::Find]),
    ("hazards", &[C::Hazards]),
    ("timeline", &[C::Course, C::Activity]),
    ("audit", &[C::Audit]),
    ("sources", &[C::Sources]),
    ("order", &[C::Order]),
    ("actions", &[C::Menu]),
    ("form", &[C::Form, C::Field]),
    ("palette", &[C::Palette]),
    ("messages", &[C::Messages]),
];

/// Places that enter and esc do not lead into each other's: a key may mean something else there.
const APART: [Context; 4] = [C::Help, C::Find, C::Field, C::Palette];

/// Keys that a terminal cannot tell from others: enter, tab and backspace send the same.
const SAME: [(char, &str); 4] = [('h', "backspace"), ('i', "tab"), ('j', "enter"), ('m', "enter")];

/// A line of a key map as somebody wrote it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wish {
    /// Name of the place.
    pub context: String,
    /// Name of the action.
    pub action: String,
    /// Names of keys; none takes the action's keys away.
    pub keys: Vec<String>,
    /// Where it was written, ready to print.
    pub place: String,
}

/// What is wrong with a key map: where, what, and what to do.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{place}: {what}")]
pub struct BadKey {
    /// Where it was written.
    pub place: String,
    /// What is wrong, and what to do.
    pub what: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Change {
    contexts: &'static [Context],
    action: Action,
    keys: Vec<Key>,
    place: String,
}

/// The keys that work now.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bindings {
    changes: Vec<Change>,
}

impl Bindings {
    /// The table with these changes.
    ///
    /// # Errors
    /// The first line that cannot be used: a place, an action or a key that is not known, a key that already does
    /// something else, or no way out that would be left.
    pub fn new(wishes: &[Wish]) -> Result<Self, BadKey> {
        let mut changes = wishes.iter().map(change).collect::<Result<Vec<_>, _>>()?;
        // What is said of all places comes first: what is said of one wins over it.
        changes.sort_by_key(|change| !change.contexts.is_empty());
        let all = Self { changes };
        all.check()?;
        Ok(all)
    }

    /// Nothing was changed.
    pub fn is_built_in(&self) -> bool {
        self.changes.is_empty()
    }

    fn changed(&self, action: Action, context: Context) -> Option<&Change> {
        let of = |change: &&Change| {
            change.action == action && (change.contexts.is_empty() || change.contexts.contains(&context))
        };
        self.changes.iter().rev().find(of)
    }

    /// The keys of an action in a place, the one that is shown first.
    pub fn of(&self, entry: &'static Entry, context: Context) -> &[Key] {
        self.changed(entry.action, context).map_or(entry.keys, |change| &change.keys)
    }

    /// The action of a key in a place; where there is none, the one that it has elsewhere.
    pub fn action(&self, key: Key, context: Context) -> Option<&'static Entry> {
        let has = |entry: &'static Entry, context| self.of(entry, context).contains(&key);
        let here = ACTIONS.iter().find(|entry| entry.contexts.contains(&context) && has(entry, context));
        here.or_else(|| ACTIONS.iter().find(|entry| entry.contexts.iter().any(|other| has(entry, *other))))
    }

    /// The key of an action as it is shown; `None` where it has none.
    pub fn shown(&self, action: Action, context: Context) -> Option<String> {
        let entry = super::action::entry(action)?;
        self.of(entry, context).first().map(|key| key.shown())
    }

    fn check(&self) -> Result<(), BadKey> {
        for change in &self.changes {
            if let Some((key, other, context)) = self.clashes(change).first().copied() {
                let both = change.contexts.is_empty() || change.contexts.contains(&context);
                return Err(BadKey {
                    place: change.place.clone(),
                    what: format!(
                        "`{key}` would do two things: {}, and {} in `{}`{}. Give one of them another key, such as {}",
                        name_of(change.action),
                        name_of(other),
                        place_name(context),
                        if both { "" } else { ", where enter and esc lead from here" },
                        self.free().map_or_else(|| "one that is free".to_owned(), |key| format!("`{key}`")),
                    ),
                });
            }
        }
        for action in [Action::Quit, Action::Back] {
            let Some(entry) = super::action::entry(action) else { continue };
            for context in entry.contexts {
                if self.of(entry, *context).is_empty()
                    && let Some(change) = self.changed(action, *context)
                {
                    return Err(BadKey {
                        place: change.place.clone(),
                        what: format!(
                            "`{}` needs a key in every place: take this line out, or write one",
                            entry.name
                        ),
                    });
                }
            }
        }
        Ok(())
    }

    /// Keys of a change that something else has in a place that can be reached from where it holds.
    fn clashes(&self, change: &Change) -> Vec<(Key, Action, Context)> {
        let own = super::action::entry(change.action).map_or(&[][..], |entry| entry.contexts);
        let held: Vec<Context> = own
            .iter()
            .copied()
            .filter(|context| self.changed(change.action, *context) == Some(change))
            .collect();
        let mut found = Vec::new();
        for other in ACTIONS.iter().filter(|entry| entry.action != change.action) {
            for context in other.contexts {
                let meets = held.iter().any(|mine| reach(*mine, *context));
                let taken = change.keys.iter().find(|key| self.of(other, *context).contains(key));
                if let (true, Some(key)) = (meets, taken) {
                    found.push((*key, other.action, *context));
                }
            }
        }
        found
    }

    /// A letter that does nothing anywhere.
    fn free(&self) -> Option<Key> {
        ('a'..='z').chain('A'..='Z').map(Key::char).find(|key| {
            !ACTIONS.iter().any(|entry| entry.contexts.iter().any(|c| self.of(entry, *c).contains(key)))
        })
    }
}

/// Enter and esc lead from one place to the other, by whatever way.
fn reach(one: Context, other: Context) -> bool {
    one == other || !(APART.contains(&one) || APART.contains(&other))
}

fn name_of(action: Action) -> &'static str {
    super::action::entry(action).map_or("", |entry| entry.name)
}

fn place_name(context: Context) -> &'static str {
    PLACES.iter().find(|(_, contexts)| contexts.contains(&context)).map_or("all", |(name, _)| name)
}

fn change(wish: &Wish) -> Result<Change, BadKey> {
    let bad = |what: String| BadKey { place: wish.place.clone(), what };
    let names = || PLACES.iter().map(|(name, _)| *name);
    let Some((_, contexts)) = PLACES.iter().find(|(name, _)| *name == wish.context) else {
        let near = did_you_mean(&wish.context, names());
        let known = names().collect::<Vec<_>>().join(", ");
        return Err(bad(format!("there is no place `{}`{near}; places are {known}", wish.context)));
    };
    let actions = || ACTIONS.iter().map(|entry| entry.name);
    let Some(entry) = ACTIONS.iter().find(|entry| entry.name == wish.action) else {
        let near = did_you_mean(&wish.action, actions());
        return Err(bad(format!(
            "there is no action `{}`{near}; docs/keymap.md and recount man list them",
            wish.action
        )));
    };
    if !contexts.is_empty() && !entry.contexts.iter().any(|context| contexts.contains(context)) {
        let has: Vec<&str> = entry.contexts.iter().map(|context| place_name(*context)).collect();
        let mut has: Vec<&str> = has.into_iter().filter(|name| *name != "all").collect();
        has.dedup();
        return Err(bad(format!(
            "`{}` cannot be done in `{}`, so it needs no key there; it can be in {}",
            wish.action,
            wish.context,
            has.join(", ")
        )));
    }
    let mut keys = Vec::new();
    for name in &wish.keys {
        let Some(key) = Key::parse(name) else {
            return Err(bad(format!(
                "`{name}` is no key; a key is one character, space, enter, esc, tab, an arrow, pgup, home or ctrl-x. \
                 There is none with alt, and no function key"
            )));
        };
        if let Code::Char(letter) = key.code
            && key.ctrl
            && let Some((_, same)) = SAME.iter().find(|(known, _)| *known == letter)
        {
            return Err(bad(format!("`{name}` is the same as {same} to a terminal; take another key")));
        }
        if !keys.contains(&key) {
            keys.push(key);
        }
    }
    Ok(Change { contexts, action: entry.action, keys, place: wish.place.clone() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wish(context: &str, action: &str, keys: &[&str]) -> Wish {
        Wish {
            context: context.to_owned(),
            action: action.to_owned(),
            keys: keys.iter().map(|key| (*key).to_owned()).collect(),
            place: format!("config.toml line {}", action.len()),
        }
    }

    fn refused(wishes: &[Wish]) -> String {
        Bindings::new(wishes).unwrap_err().to_string()
    }

    fn action(bindings: &Bindings, key: &str, context: Context) -> Option<Action> {
        bindings.action(Key::parse(key).unwrap(), context).map(|entry| entry.action)
    }

    #[test]
    fn a_key_is_moved_and_taken_away() {
        let own = Bindings::new(&[
            wish("all", "only-unknown", &["U"]),
            wish("all", "suspend", &[]),
            wish("detail", "raw", &["V", "v"]),
        ])
        .unwrap();
        assert_eq!(action(&own, "U", C::List), Some(Action::OnlyUnknown));
        assert_eq!(action(&own, "u", C::List), None);
        assert_eq!(action(&own, "ctrl-z", C::List), None);
        assert_eq!(own.shown(Action::Raw, C::Detail).as_deref(), Some("V"));
        assert_eq!(own.shown(Action::Raw, C::List).as_deref(), Some("v"));
        assert_eq!(own.shown(Action::Suspend, C::List), None);
        assert_eq!(action(&own, "j", C::List), Some(Action::Down));
        // A key of another place is known, so that it can be said that it is not for this one.
        assert_eq!(action(&own, "V", C::List), Some(Action::Raw));
        assert!(Bindings::default().is_built_in() && !own.is_built_in());
    }

    #[test]
    fn what_is_said_of_one_place_wins_over_all() {
        let own = Bindings::new(&[wish("triage", "raw", &["V"]), wish("all", "raw", &["W"])]).unwrap();
        assert_eq!(own.shown(Action::Raw, C::List).as_deref(), Some("V"));
        assert_eq!(own.shown(Action::Raw, C::Sources).as_deref(), Some("W"));
    }

    #[test]
    fn a_key_with_two_actions_is_refused_with_place_and_fix() {
        assert_eq!(
            refused(&[wish("triage", "only-unknown", &["d"])]),
            "config.toml line 12: `d` would do two things: only-unknown, and only-divergent in `triage`. Give one of \
             them another key, such as `a`"
        );
        // Enter leads from the list to the evidence.
        let why = refused(&[wish("detail", "stack", &["d"])]);
        assert!(why.contains("only-divergent in `triage`, where enter and esc lead from here"), "{why}");
        // Both may be changed together.
        let both = [wish("triage", "only-unknown", &["d"]), wish("triage", "only-divergent", &["u"])];
        assert_eq!(action(&Bindings::new(&both).unwrap(), "u", C::List), Some(Action::OnlyDivergent));
    }

    #[test]
    fn names_that_nobody_knows_are_refused_with_the_nearest() {
        assert!(
            refused(&[wish("traige", "raw", &["V"])]).contains("no place `traige`; did you mean `triage`?")
        );
        assert!(refused(&[wish("all", "quti", &["Q"])]).contains("no action `quti`; did you mean `quit`?"));
        assert!(refused(&[wish("all", "raw", &["alt-x"])]).contains("`alt-x` is no key"));
        assert!(refused(&[wish("all", "raw", &["f5"])]).contains("`f5` is no key"));
        assert!(refused(&[wish("all", "raw", &["ctrl-j"])]).contains("the same as enter"));
        assert!(refused(&[wish("hazards", "stack", &["V"])]).contains("it can be in detail"));
        assert!(refused(&[wish("all", "quit", &[])]).contains("`quit` needs a key in every place"));
    }

    #[test]
    fn no_default_rests_on_keys_that_do_not_arrive() {
        // What terminals and multiplexers take for themselves is never the only key of an action.
        for entry in ACTIONS {
            let arrives = |key: &Key| match key.code {
                Code::Char(letter) if key.ctrl => !matches!(letter, 'h' | 'j' | 'k' | 'l' | 'a' | 'b' | 's'),
                _ => true,
            };
            assert!(entry.keys.is_empty() || entry.keys.iter().any(arrives), "{}", entry.name);
            for key in entry.keys {
                assert_eq!(Key::parse(&key.to_string()), Some(*key), "{key}: a name of the config");
            }
            let places = |context: &Context| PLACES.iter().any(|(_, contexts)| contexts.contains(context));
            assert!(entry.contexts.iter().any(places), "{}: no place of the config holds it", entry.name);
        }
    }
}
