//! Stories for print: as the screen tells them, without keys, since there is nothing to press.

use crate::judge::playbook::Playbook;
use crate::judge::story::{Context, Place, Story, next_in_print, orphan, story, when_to_look};
use crate::judge::view::{IntentView, OrphanView, SourceView};
use crate::model::money::{Amount, Money};
use crate::model::time::{Micros, Zone};
use crate::model::units::{Unit, Units};

/// What stories are told with.
#[derive(Clone, Copy)]
pub struct Teller<'a> {
    /// The clock.
    pub now: Micros,
    /// Names of units.
    pub units: &'a Units,
    /// Sources in order.
    pub sources: &'a [SourceView],
    /// Next steps of the config.
    pub playbook: &'a Playbook,
    /// Configured limits from which two people decide.
    pub high_value: &'a [Money],
}

/// Built-in limit for currencies with decimals, major units (`1-model.md` 1.4.14).
const LIMIT: i64 = 500;

/// Built-in limit for currencies without decimals.
const LIMIT_WHOLE: i64 = 50_000;

impl Teller<'_> {
    /// Tells the story of an intent; keys that nobody can press are left out.
    pub fn tell(&self, view: &IntentView, place: Place) -> Story {
        let context = self.context(place, self.second_person(view));
        let mut story = printed(story(view, &context));
        if place == Place::List {
            // Lists print no next step.
            let said = story.text().contains("overed from");
            story.rest.extend(when_to_look(view, &context).filter(|_| !said));
        }
        story
    }

    /// Tells of a row without an attempt.
    pub fn orphan(&self, row: &OrphanView) -> Story {
        printed(orphan(row, &self.context(Place::List, false)))
    }

    fn context(&self, place: Place, second_person: bool) -> Context<'_> {
        Context {
            now: self.now,
            zone: &Zone::Utc,
            units: self.units,
            sources: self.sources,
            playbook: self.playbook,
            place,
            narrow: false,
            writable: false,
            second_person,
        }
    }

    /// Money above the limit can be released: two people decide.
    fn second_person(&self, view: &IntentView) -> bool {
        let money = view.judgement.expected.into_iter().chain(view.at_risk.iter().copied());
        money.into_iter().any(|m| self.limit(m.unit).is_some_and(|limit| m.amount >= limit))
    }

    fn limit(&self, unit: Unit) -> Option<Amount> {
        let configured = self.high_value.iter().find(|m| m.unit == unit).map(|m| m.amount);
        configured.or_else(|| match self.units.exponent(unit)? {
            0 => Some(Amount { digits: LIMIT_WHOLE, scale: 0 }),
            _ => Some(Amount { digits: LIMIT, scale: 0 }),
        })
    }
}

fn printed(mut story: Story) -> Story {
    story.next = next_in_print(&story.next);
    story
}
