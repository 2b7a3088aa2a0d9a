//! Stories for print: as the screen tells them, without keys, since there is nothing to press.

use crate::judge::playbook::Playbook;
use crate::judge::story::{
    Context, Place, Story, next_in_print, orphan, story, story_together, when_to_look,
};
use crate::judge::view::{IntentView, OrphanView, SourceView};
use crate::model::time::{Micros, Zone};
use crate::model::units::Units;

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
}

impl Teller<'_> {
    /// Tells the story of an intent; keys that nobody can press are left out.
    pub fn tell(&self, view: &IntentView, place: Place) -> Story {
        let context = self.context(place);
        let mut story = printed(story(view, &context));
        if place == Place::List {
            // Lists print no next step.
            let said = story.text().contains("overed from");
            story.rest.extend(when_to_look(view, &context).filter(|_| !said));
        }
        story
    }

    /// Tells the story of intents that are one row, in order of time.
    pub fn tell_together(&self, views: &[IntentView]) -> String {
        story_together(views, &self.context(Place::List)).map_or(String::new(), |story| printed(story).text())
    }

    /// Tells of a row without an attempt.
    pub fn orphan(&self, row: &OrphanView) -> Story {
        printed(orphan(row, &self.context(Place::List)))
    }

    fn context(&self, place: Place) -> Context<'_> {
        Context {
            now: self.now,
            zone: &Zone::Utc,
            units: self.units,
            sources: self.sources,
            playbook: self.playbook,
            place,
            narrow: false,
            writable: false,
        }
    }
}

fn printed(mut story: Story) -> Story {
    story.next = next_in_print(&story.next);
    story
}
