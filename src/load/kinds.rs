//! Kinds that calls and ledger rows name (`1-model.md` 1.4.12, `4-sources.md` 4.12). Every row is looked at: what is found
//! depends neither on a hash nor on the order of the input.

use std::collections::{BTreeSet, HashSet};

use foldhash::fast::RandomState;

use crate::model::kinds::kind_of;
use crate::model::row::{Class, Name, SourceNo, effect_flag};

use super::resolve::{NameKind, name_kind_of_bytes};
use super::run::{Run, used};
use super::setting::Found;
use super::tables::Tables;

/// The head of an operation id of the form kind:business:request; most have that of the one before.
#[derive(Default)]
struct Head<'a>(&'a str);

impl<'a> Head<'a> {
    /// The head of an id where it is another one than the last.
    fn next(&mut self, id: &'a [u8]) -> Option<&'a str> {
        let rest = id.strip_prefix(self.0.as_bytes()).and_then(|rest| rest.strip_prefix(b":"));
        if !self.0.is_empty() && rest.is_some_and(|rest| memchr::memchr(b':', rest).is_some()) {
            return None;
        }
        let head = kind_of("", std::str::from_utf8(id).unwrap_or_default(), "");
        if head.is_empty() {
            return None;
        }
        self.0 = head;
        Some(head)
    }
}

/// Kinds of all intents: tools, kinds of records, heads of operation ids. Sorted.
pub fn of_intents(runs: &[Run], tables: &Tables, threads: usize) -> Vec<String> {
    let found = super::each(threads, runs.len(), |r| {
        let mut kinds: BTreeSet<&str> = BTreeSet::new();
        let Some(run) = runs.get(r) else { return kinds };
        let mut last = "";
        for record in run.records.all().iter().filter(|r| r.kind.is_some()) {
            let kind = run.text(record.kind);
            if kind != last {
                kinds.insert(kind);
                last = kind;
            }
        }
        let mut head = Head::default();
        let names = (0..run.names() as u32).map(Name).filter(|name| run.used(*name) & used::CALL != 0);
        let named = names.filter(|name| name_kind_of_bytes(run.name_bytes(*name)) == NameKind::Operation);
        kinds.extend(named.filter_map(|name| head.next(run.name_bytes(name))));
        kinds
    });
    let mut kinds: BTreeSet<&str> = tables.tools.iter().map(|(_, name)| name).collect();
    kinds.extend(found.into_iter().flatten());
    kinds.into_iter().filter(|kind| !kind.is_empty()).map(str::to_owned).collect()
}

/// What one run says of the kinds of each source.
type OfSources<'a> = Vec<BTreeSet<&'a str>>;

/// Finds the kinds that the rows of each source name.
pub fn of_rows(runs: &[Run], tables: &Tables, threads: usize, found: &mut [Found]) {
    let sources = found.len();
    let of_runs: Vec<OfSources<'_>> = super::each(threads, runs.len(), |r| {
        let mut kinds: OfSources<'_> = vec![BTreeSet::new(); sources];
        let Some(run) = runs.get(r) else { return kinds };
        let mut seen: HashSet<(SourceNo, Class, bool), RandomState> = HashSet::default();
        let mut last: Option<(SourceNo, Class, bool)> = None;
        let mut heads: Vec<Head<'_>> = Vec::new();
        heads.resize_with(sources, Head::default);
        for row in run.effects.all() {
            let source = row.at.source();
            let Some(mine) = kinds.get_mut(usize::from(source.0)) else { continue };
            let this = (source, row.class, row.is(effect_flag::REVERSAL));
            if last != Some(this) {
                last = Some(this);
                if seen.insert(this) {
                    let kind = tables.kind(row.class);
                    let generic = this.2 || kind.eq_ignore_ascii_case("effect");
                    mine.extend((!kind.is_empty() && !generic).then_some(kind));
                }
            }
            if row.name.is_some()
                && let Some(head) = heads.get_mut(usize::from(source.0))
            {
                mine.extend(head.next(run.name_bytes(row.name)));
            }
        }
        kinds
    });
    for (no, found) in found.iter_mut().enumerate() {
        let mine: BTreeSet<&str> = of_runs.iter().filter_map(|run| run.get(no)).flatten().copied().collect();
        found.kinds = mine.into_iter().map(str::to_owned).collect();
    }
}

#[cfg(test)]
mod tests {
    use super::Head;

    #[test]
    fn a_head_is_told_where_it_changes() {
        let mut head = Head::default();
        let ids =
            ["refund:o1:r", "refund:o2:r", "refund:o3", "refund_order:1:2", "payout:1:2", "x", "refund:1:2"];
        let told: Vec<Option<&str>> = ids.into_iter().map(|id| head.next(id.as_bytes())).collect();
        assert_eq!(
            told,
            [Some("refund"), None, None, Some("refund_order"), Some("payout"), None, Some("refund")]
        );
    }
}
