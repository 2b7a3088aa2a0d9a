//! Sources made in memory or on disk, loaded, and read back as plain text.

use std::path::{Path, PathBuf};

use recount::judge::findings;
use recount::judge::judgement::Judgement;
use recount::judge::view::{IntentView, ResultWord, Summary};
use recount::load::{Ask, Case, Options as LoadOptions, Property, load};
use recount::model::money::{Money, Totals};
use recount::model::time::{Micros, rfc3339_millis};
use recount::sources::spec::{CaseSpec, Location, Options, SourceSpec, What};

/// A source in memory.
pub fn memory(what: What, id: &str, text: &str) -> SourceSpec {
    spec(what, id, Location::Memory(text.as_bytes().to_vec().into()))
}

/// A source on disk.
pub fn file(what: What, id: &str, path: &Path) -> SourceSpec {
    spec(what, id, Location::File(path.to_owned()))
}

fn spec(what: What, id: &str, location: Location) -> SourceSpec {
    let shown = match &location {
        Location::File(path) => path.display().to_string(),
        Location::Memory(_) | Location::Server(_) => id.to_owned(),
    };
    SourceSpec { id: id.to_owned(), what, location, shown, format: None, options: Options::default() }
}

/// A source with some options set.
pub fn with(mut source: SourceSpec, set: impl FnOnce(&mut Options)) -> SourceSpec {
    set(&mut source.options);
    source
}

/// A case of these sources with a fixed clock.
pub fn case(now: &str, sources: impl IntoIterator<Item = SourceSpec>) -> CaseSpec {
    CaseSpec { sources: sources.into_iter().collect(), now: Some(now.to_owned()), ..CaseSpec::default() }
}

/// Loads a case with one thread.
pub fn loaded(spec: CaseSpec) -> World {
    World(load(spec, &LoadOptions { threads: 1, ..LoadOptions::default() }).unwrap())
}

/// A loaded case and short questions to it.
pub struct World(pub Case);

impl World {
    /// The summary under the default property.
    pub fn summary(&self) -> Summary {
        self.0.summary(&Ask::default())
    }

    /// Result and exit code under the default property.
    pub fn result(&self) -> (ResultWord, u8) {
        let result = self.summary().result;
        (result, result.exit())
    }

    /// The result under at-most-once.
    pub fn at_most_once(&self) -> ResultWord {
        self.0.summary(&Ask { property: Property::AtMostOnce, ..Ask::default() }).result
    }

    /// The one intent that this id names.
    pub fn view(&self, id: &str) -> IntentView {
        let ops = self.0.find(id);
        assert_eq!(ops.len(), 1, "`{id}` names {} intents", ops.len());
        self.0.view(ops[0]).unwrap()
    }

    /// The intent with exactly this operation id or intent id.
    pub fn exactly(&self, id: &str) -> IntentView {
        let mut views = self.views();
        views.retain(|v| v.operation_id == id || v.intent_id == id);
        assert_eq!(views.len(), 1, "`{id}` names {} intents", views.len());
        views.remove(0)
    }

    /// All intents, in the order of the list.
    pub fn views(&self) -> Vec<IntentView> {
        self.0.ordered().into_iter().map(|op| self.0.view(op).unwrap()).collect()
    }

    /// Verdict code of the intent that an id names.
    pub fn verdict(&self, id: &str) -> &'static str {
        self.view(id).judgement.verdict()
    }

    /// `USD 200.00, 14 XYZ`, in the order of units; zero totals are left in.
    pub fn totals(&self, totals: &Totals) -> String {
        let units = &self.0.tables.units;
        let mut all: Vec<_> = totals.iter().collect();
        all.sort_by(|a, b| units.by_text(a.0, b.0));
        all.iter().map(|(unit, total)| units.show_total(*unit, *total)).collect::<Vec<_>>().join(", ")
    }

    /// `USD 200.00`, or `-`.
    pub fn money(&self, money: Option<Money>) -> String {
        money.map_or_else(|| "-".to_owned(), |m| self.0.tables.units.show(m))
    }

    /// Amounts one after the other.
    pub fn moneys(&self, all: &[Money]) -> String {
        all.iter().map(|m| self.0.tables.units.show(*m)).collect::<Vec<_>>().join(", ")
    }

    /// An amount as the case shows it: decimal text in a unit.
    pub fn shown(&self, amount: &str, unit: &str) -> String {
        let units = &self.0.tables.units;
        let unit = units.get(unit).unwrap_or_else(|| panic!("unit {unit} is not known to the case"));
        let parsed = recount::model::money::parse_decimal(amount).unwrap();
        let amount =
            units.exponent(unit).map_or(parsed, |e| recount::model::money::to_exponent(parsed, e).unwrap());
        units.show(Money { unit, amount })
    }

    /// Every intent with its verdict, as `intent VERDICT` lines in the order of the list.
    pub fn verdicts(&self) -> Vec<String> {
        self.views().iter().map(|v| format!("{} {}", v.intent_id, v.judgement.verdict())).collect()
    }
}

/// Codes of findings.
pub fn codes(j: &Judgement) -> Vec<&'static str> {
    findings::codes(j.found).collect()
}

/// A time as `2026-11-30T04:15:08.000Z`, or `-`.
pub fn at(time: Micros) -> String {
    if time == Micros::NONE { "-".to_owned() } else { rfc3339_millis(time) }
}

/// A file of the material beside the checkout, if it is there.
pub fn beside(path: &str) -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared").join(path);
    path.exists().then_some(path)
}
