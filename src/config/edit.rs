//! Changes of the text of a `recount.toml`: what a person wrote stays as it is, comments and order too. Pure; who
//! writes the file is elsewhere.

use toml_edit::{Array, DocumentMut, InlineTable, Item, Key, Table};

/// A value of a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// A text.
    Text(String),
    /// True or false.
    Truth(bool),
    /// A whole number.
    Number(i64),
    /// A list of texts.
    List(Vec<String>),
    /// A small table in one line.
    Pairs(Vec<(String, Value)>),
    /// A table of its own below the section.
    Below(Vec<(String, Value)>),
}

/// Keys of a section with their values.
pub type Keys = Vec<(&'static str, Value)>;

/// The text of a config that is being changed.
#[derive(Clone, Debug)]
pub struct Draft {
    document: DocumentMut,
}

impl Draft {
    /// Reads a text.
    ///
    /// # Errors
    /// No TOML, in words.
    pub fn new(text: &str) -> Result<Self, String> {
        let document = text.parse().map_err(|why: toml_edit::TomlError| why.message().to_owned())?;
        Ok(Self { document })
    }

    /// The text as it is now.
    pub fn text(&self) -> String {
        self.document.to_string()
    }

    /// Whether `[SECTION.ID]` is there.
    pub fn has(&self, section: &str, id: &str) -> bool {
        self.document.get(section).and_then(|known| known.get(id)).is_some()
    }

    /// The value of a key of `[SECTION.ID]`, as it is written.
    pub fn get(&self, section: &str, id: &str, key: &str) -> Option<String> {
        let item = self.document.get(section)?.get(id)?.get(key)?;
        Some(item.to_string().trim().to_owned())
    }

    /// Adds `[SECTION.ID]` behind the sections of its kind, with a comment above it.
    ///
    /// # Errors
    /// Something else than sections of this name is there.
    pub fn add(&mut self, section: &str, id: &str, keys: &Keys, comment: &str) -> Result<(), String> {
        let mut table = Table::new();
        for (key, value) in keys {
            table.insert(key, item(value));
        }
        if !self.document.is_empty() {
            table.decor_mut().set_prefix(format!("\n{}", as_comment(comment)));
        } else if !comment.is_empty() {
            table.decor_mut().set_prefix(as_comment(comment));
        }
        self.section(section)?.insert(id, Item::Table(table));
        Ok(())
    }

    /// Sets a key of `[SECTION.ID]`, with a comment above it.
    ///
    /// # Errors
    /// There is no such section.
    pub fn set(
        &mut self,
        section: &str,
        id: &str,
        key: &str,
        value: &Value,
        comment: &str,
    ) -> Result<(), String> {
        let place = self
            .document
            .get_mut(section)
            .and_then(|known| known.get_mut(id))
            .and_then(Item::as_table_like_mut)
            .ok_or_else(|| format!("there is no [{section}.{id}]"))?;
        place.insert(key, item(value));
        if let Some(mut written) = place.key_mut(key)
            && !comment.is_empty()
        {
            written.leaf_decor_mut().set_prefix(as_comment(comment));
        }
        Ok(())
    }

    /// Sets a key of a section that has no ids, such as `[case]`.
    pub fn top(&mut self, section: &str, key: &str, value: &Value) {
        if let Some(table) = self.document.get_mut(section).and_then(Item::as_table_like_mut) {
            table.insert(key, item(value));
        }
    }

    /// Takes `[SECTION.ID]` out, with what stands below it; says whether it was there.
    pub fn remove(&mut self, section: &str, id: &str) -> bool {
        let Some(known) = self.document.get_mut(section).and_then(Item::as_table_like_mut) else {
            return false;
        };
        let found = known.remove(id).is_some();
        if found && known.is_empty() {
            self.document.remove(section);
        }
        found
    }

    fn section(&mut self, name: &str) -> Result<&mut dyn toml_edit::TableLike, String> {
        let known = self.document.entry(name).or_insert_with(|| {
            let mut table = Table::new();
            table.set_implicit(true);
            Item::Table(table)
        });
        known.as_table_like_mut().ok_or_else(|| format!("`{name}` is no section"))
    }
}

fn as_comment(words: &str) -> String {
    words.lines().flat_map(|line| ["# ", line, "\n"]).collect()
}

fn item(value: &Value) -> Item {
    match value {
        Value::Below(keys) => {
            let mut table = Table::new();
            for (key, value) in keys {
                table.insert(key, item(value));
            }
            Item::Table(table)
        }
        other => Item::Value(one_line(other)),
    }
}

fn one_line(value: &Value) -> toml_edit::Value {
    match value {
        Value::Text(text) => text.as_str().into(),
        Value::Truth(yes) => (*yes).into(),
        Value::Number(number) => (*number).into(),
        Value::List(texts) => toml_edit::Value::Array(texts.iter().map(String::as_str).collect::<Array>()),
        Value::Pairs(keys) | Value::Below(keys) => {
            let mut table = InlineTable::new();
            for (key, value) in keys {
                table.insert_formatted(&Key::new(key), one_line(value));
            }
            toml_edit::Value::InlineTable(table)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(text: &str) -> Value {
        Value::Text(text.to_owned())
    }

    #[test]
    fn what_a_person_wrote_stays() {
        let written = "# Ours.\n[case]\nid = \"x\"   # the incident\n\n[sources.a]\npath = 'a.csv'\n";
        let mut draft = Draft::new(written).unwrap();
        let columns = vec![("amount".to_owned(), text("amt"))];
        let keys = vec![
            ("path", text("b \"2\".csv")),
            ("where", Value::Pairs(vec![("region".to_owned(), text("eu"))])),
            ("part", Value::Truth(true)),
            ("holds", Value::List(vec!["refund".to_owned(), "payout".to_owned()])),
            ("skew_ms", Value::Number(5)),
            ("columns", Value::Below(columns)),
        ];
        draft.add("sources", "b", &keys, "by dana").unwrap();
        draft.set("sources", "a", "zone", &text("UTC"), "asked").unwrap();
        let wanted = "# Ours.\n[case]\nid = \"x\"   # the incident\n\n[sources.a]\npath = 'a.csv'\n# asked\nzone = \"UTC\"\n\n\
                      # by dana\n[sources.b]\npath = 'b \"2\".csv'\nwhere = { region = \"eu\" }\npart = true\n\
                      holds = [\"refund\", \"payout\"]\nskew_ms = 5\n\n[sources.b.columns]\namount = \"amt\"\n";
        assert_eq!(draft.text(), wanted);
        assert_eq!(draft.get("sources", "a", "zone").as_deref(), Some("\"UTC\""));
        assert!(draft.has("sources", "b") && !draft.has("traces", "b"));
        assert!(draft.remove("sources", "b") && !draft.remove("sources", "b"));
        assert!(draft.remove("sources", "a"));
        assert_eq!(draft.text(), "# Ours.\n[case]\nid = \"x\"   # the incident\n");
    }

    #[test]
    fn a_first_section_begins_the_file() {
        let mut draft = Draft::new("").unwrap();
        draft.add("traces", "a b", &vec![("path", text("t.jsonl"))], "").unwrap();
        assert_eq!(draft.text(), "[traces.\"a b\"]\npath = \"t.jsonl\"\n");
        assert!(Draft::new("[case\n").is_err());
        assert_eq!(
            draft.set("sources", "x", "zone", &text("UTC"), ""),
            Err("there is no [sources.x]".to_owned())
        );
        let mut odd = Draft::new("sources = 5\n").unwrap();
        assert_eq!(odd.add("sources", "x", &Vec::new(), ""), Err("`sources` is no section".to_owned()));
    }
}
