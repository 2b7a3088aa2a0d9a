//! The fields of all forms, as one table. Every value is a text, so a draft keeps them all in one way.

/// A field.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Field {
    /// What is decided.
    Answer,
    /// Failed without a covered absence.
    Override,
    /// Why that.
    Reason,
    /// Differences that were seen: one word each.
    Acknowledge,
    /// Ticket, file, address or read-back.
    Evidence,
    /// Which row.
    Row,
    /// Who takes it on.
    Owner,
    /// Until when.
    Deadline,
    /// What reached him.
    Delivered,
    /// Which ledger of the case.
    Ledger,
    /// Where it was seen by hand.
    Source,
    /// What was seen by hand.
    Result,
    /// When.
    ReadAt,
    /// How far.
    Position,
    /// What differs.
    Differs,
    /// How it was closed.
    As,
    /// How much.
    Amount,
    /// Reference of the correcting entry.
    Reference,
    /// The other item.
    SameAs,
    /// How the second person looked.
    Looked,
    /// The file of an approval.
    File,
    /// Why.
    Note,
    /// The short id or count that is typed before something is written.
    Typed,
}

/// How a field is filled in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// One of several.
    Choice,
    /// Any of several.
    Ticks,
    /// One line.
    Line,
    /// Several lines.
    Note,
}

/// A row of the table.
pub struct Row {
    /// The field.
    pub field: Field,
    /// Its name in drafts.
    pub name: &'static str,
    /// Its label in the margin.
    pub label: &'static str,
    /// The option of the command that takes it; empty where the form makes words of it.
    pub option: &'static str,
    /// How it is filled in.
    pub kind: Kind,
    /// What stands beside it.
    pub hint: &'static str,
}

const fn row(
    field: Field,
    name: &'static str,
    label: &'static str,
    option: &'static str,
    kind: Kind,
    hint: &'static str,
) -> Row {
    Row { field, name, label, option, kind, hint }
}

/// All fields.
#[rustfmt::skip]
pub const FIELDS: [Row; 23] = [
    row(Field::Answer, "answer", "Answer", "", Kind::Choice, ""),
    row(Field::Override, "override", "", "--override", Kind::Ticks, ""),
    row(Field::Reason, "reason", "Reason", "--reason", Kind::Line, "why it is known although no read shows it, 20 characters"),
    row(Field::Acknowledge, "acknowledge", "Seen too", "--acknowledge", Kind::Ticks, ""),
    row(Field::Evidence, "evidence", "Evidence", "--evidence", Kind::Line, "ticket:ID, file:PATH, an address, rb_15"),
    row(Field::Row, "row", "Row", "", Kind::Choice, ""),
    row(Field::Owner, "owner", "Owner", "--owner", Kind::Line, ""),
    row(Field::Deadline, "deadline", "Decide by", "--deadline", Kind::Line, ""),
    row(Field::Delivered, "delivered", "Delivered", "--delivered", Kind::Line, "ticket, page or message"),
    row(Field::Ledger, "ledger", "Source", "--source", Kind::Choice, ""),
    row(Field::Source, "source", "Where", "--source", Kind::Line, "their screen, a letter, a call"),
    row(Field::Result, "result", "Seen", "--result", Kind::Choice, ""),
    row(Field::ReadAt, "read-at", "When", "--read-at", Kind::Line, "2026-11-30T09:10:00Z"),
    row(Field::Position, "position", "Up to", "--position", Kind::Line, "row or time that it was read up to"),
    row(Field::Differs, "differs", "Differs", "--differs", Kind::Line, "amount: expected 20.00, read 21.00"),
    row(Field::As, "as", "How", "--as", Kind::Choice, ""),
    row(Field::Amount, "amount", "Amount", "--amount", Kind::Line, "such as 20.00"),
    row(Field::Reference, "ref", "Reference", "--ref", Kind::Line, "correcting entry, ticket or row"),
    row(Field::SameAs, "same-as", "Same as", "--same-as", Kind::Line, "id of the other item"),
    row(Field::Looked, "looked", "Your look", "", Kind::Choice, ""),
    row(Field::File, "file", "File", "", Kind::Line, "the answer that came back"),
    row(Field::Note, "note", "Note", "--note", Kind::Note, ""),
    row(Field::Typed, "typed", "", "", Kind::Line, ""),
];

impl Field {
    /// Its row.
    pub fn row(self) -> &'static Row {
        FIELDS.iter().find(|row| row.field == self).unwrap_or(&FIELDS[0])
    }

    /// Its label where the margin is narrow.
    pub fn short(self) -> &'static str {
        const SHORT: [(Field, &str); 6] = [
            (Field::Acknowledge, "Also"),
            (Field::Evidence, "Proof"),
            (Field::Deadline, "Due"),
            (Field::Delivered, "Told"),
            (Field::Reference, "Ref"),
            (Field::Looked, "Look"),
        ];
        SHORT.iter().find(|(field, _)| *field == self).map_or(self.row().label, |(_, short)| short)
    }

    /// Letters are typed in it.
    pub fn is_typed(self) -> bool {
        matches!(self.row().kind, Kind::Line | Kind::Note)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_field_has_one_row_and_a_name_of_its_own() {
        let mut names: Vec<&str> = FIELDS.iter().map(|row| row.name).collect();
        for (at, row) in FIELDS.iter().enumerate() {
            assert_eq!(row.field.row().name, row.name);
            assert_eq!(FIELDS.iter().position(|other| other.field == row.field), Some(at));
        }
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), FIELDS.len());
    }
}
