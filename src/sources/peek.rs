//! A first look at JSON: which paths the first records have.
//!
//! Tolerant on purpose, and nothing else uses it: the beginning of a file ends where it was cut, and a file that is
//! not understood must still be named. Reading for real is strict ([`super::json`]).

/// Records that are looked at.
const RECORDS: usize = 64;
/// Paths of one record that are looked at.
const PATHS: usize = 400;
/// Deeper values are passed over.
const DEPTH: usize = 8;
/// Kept of a value.
const VALUE: usize = 80;

/// One value of a record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Seen {
    /// Names from the record down; `[]` is the first element of an array.
    pub path: Vec<String>,
    /// The text of a scalar (at most 80 characters); `{` or `[` for what holds others.
    pub value: String,
}

/// What the beginning of a JSON text holds.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Peek {
    /// The text is an array, the records are its elements.
    pub array: bool,
    /// More than one value stands in the text.
    pub several: bool,
    /// The grammar was broken at some place before the end.
    pub broken: bool,
    /// Paths of the first records.
    pub records: Vec<Vec<Seen>>,
}

impl Peek {
    /// Looks at the beginning of a JSON text.
    pub fn at(head: &[u8]) -> Peek {
        let mut look = Look { bytes: head, at: 0, seen: Vec::new(), path: Vec::new() };
        let mut peek = Peek::default();
        look.blank();
        if look.peek() == Some(b'[') {
            peek.array = true;
            look.at += 1;
        }
        while peek.records.len() < RECORDS {
            look.blank();
            match look.peek() {
                None | Some(b']') => break,
                Some(b',') if peek.array => {
                    look.at += 1;
                    continue;
                }
                Some(_) => {}
            }
            let before = look.at;
            let end = look.value(0);
            peek.records.push(std::mem::take(&mut look.seen));
            look.path.clear();
            if end.is_none() || look.at == before {
                peek.broken = look.at < head.len();
                break;
            }
        }
        peek.several = !peek.array && peek.records.len() > 1;
        peek
    }

    /// The value at a path (names joined by dots, `[]` for a first element) in the first record that has it.
    pub fn find(&self, path: &str) -> Option<&str> {
        self.records.iter().find_map(|record| find(record, path))
    }
}

/// The value at a path of one record.
pub fn find<'r>(record: &'r [Seen], path: &str) -> Option<&'r str> {
    record
        .iter()
        .find(|seen| path.split('.').eq(seen.path.iter().map(String::as_str)))
        .map(|seen| seen.value.as_str())
}

/// Names right below a path of a record.
pub fn names_below<'r>(record: &'r [Seen], above: &[&str]) -> Vec<&'r str> {
    record
        .iter()
        .filter_map(|seen| match seen.path.split_last() {
            Some((last, rest)) if rest.iter().map(String::as_str).eq(above.iter().copied()) => {
                Some(last.as_str())
            }
            _ => None,
        })
        .collect()
}

struct Look<'h> {
    bytes: &'h [u8],
    at: usize,
    seen: Vec<Seen>,
    path: Vec<String>,
}

impl Look<'_> {
    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn blank(&mut self) {
        while self.peek().is_some_and(|byte| byte.is_ascii_whitespace()) {
            self.at += 1;
        }
    }

    fn keep(&mut self, value: String) {
        if self.seen.len() < PATHS && self.path.len() <= DEPTH && !self.path.is_empty() {
            self.seen.push(Seen { path: self.path.clone(), value });
        }
    }

    /// One value; `None` where the text ends or is no JSON.
    fn value(&mut self, depth: usize) -> Option<()> {
        if depth > super::json::DEPTH {
            return None;
        }
        self.blank();
        match self.peek()? {
            b'{' => self.object(depth),
            b'[' => self.elements(depth),
            b'"' => {
                let text = self.text()?;
                self.keep(text);
                Some(())
            }
            _ => {
                let from = self.at;
                while self
                    .peek()
                    .is_some_and(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'+' | b'.'))
                {
                    self.at += 1;
                }
                let token = self.bytes.get(from..self.at).filter(|token| !token.is_empty())?;
                self.keep(String::from_utf8_lossy(token).chars().take(VALUE).collect());
                Some(())
            }
        }
    }

    fn object(&mut self, depth: usize) -> Option<()> {
        self.at += 1;
        self.keep("{".to_owned());
        loop {
            self.blank();
            match self.peek()? {
                b'}' => {
                    self.at += 1;
                    return Some(());
                }
                b',' => self.at += 1,
                b'"' => {
                    let name = self.text()?;
                    self.blank();
                    if self.peek()? != b':' {
                        return None;
                    }
                    self.at += 1;
                    self.path.push(name);
                    self.value(depth + 1)?;
                    self.path.pop();
                }
                _ => return None,
            }
        }
    }

    fn elements(&mut self, depth: usize) -> Option<()> {
        self.at += 1;
        self.keep("[".to_owned());
        let (mut first, depth_kept) = (true, self.path.len());
        loop {
            self.blank();
            match self.peek()? {
                b']' => {
                    self.at += 1;
                    return Some(());
                }
                b',' => self.at += 1,
                _ => {
                    let kept = self.seen.len();
                    self.path.push("[]".to_owned());
                    self.value(depth + 1)?;
                    self.path.truncate(depth_kept);
                    if !first {
                        self.seen.truncate(kept);
                    }
                    first = false;
                }
            }
        }
    }

    /// A string, decoded as far as it matters for names: escapes but `\"` and `\\` stay as they are.
    fn text(&mut self) -> Option<String> {
        self.at += 1;
        let mut bytes = Vec::new();
        loop {
            match self.peek()? {
                b'"' => {
                    self.at += 1;
                    return Some(String::from_utf8_lossy(&bytes).chars().take(VALUE).collect());
                }
                b'\\' => {
                    let escaped = *self.bytes.get(self.at + 1)?;
                    if !matches!(escaped, b'"' | b'\\') {
                        bytes.push(b'\\');
                    }
                    bytes.push(escaped);
                    self.at += 2;
                }
                // A line end in a string is no JSON: the line before was cut off.
                b'\n' | b'\r' => return None,
                byte => {
                    bytes.push(byte);
                    self.at += 1;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_of_lines_arrays_and_documents() {
        let lines = Peek::at(b"{\"a\":1,\"b\":{\"c\":\"x\"}}\n{\"a\":2}\n");
        assert!(lines.several && !lines.array && !lines.broken);
        assert_eq!(lines.records.len(), 2);
        assert_eq!((lines.find("b.c"), lines.find("b"), lines.find("z")), (Some("x"), Some("{"), None));
        let array = Peek::at(b" [ {\"a\":1}, {\"a\":2} ]");
        assert!(array.array && !array.several);
        assert_eq!(array.records.len(), 2);
        let document =
            Peek::at(b"{\"log\":{\"entries\":[{\"request\":{\"method\":\"GET\"}},{\"other\":1}]}}");
        assert_eq!(document.find("log.entries.[].request.method"), Some("GET"));
        assert_eq!(document.find("log.entries.[].other"), None);
        assert_eq!(names_below(&document.records[0], &["log"]), ["entries"]);
    }

    #[test]
    fn what_was_seen_before_the_cut_counts() {
        let cut = Peek::at(b"{\"resourceSpans\":[{\"resource\":{\"attrib");
        assert_eq!(cut.find("resourceSpans.[].resource"), Some("{"));
        assert!(!cut.broken);
        let broken = Peek::at(b"{\"a\":1,\n oops");
        assert_eq!((broken.find("a"), broken.broken), (Some("1"), true));
        assert!(Peek::at(b"{\"a\":\"x\n{\"a\":1}").broken);
    }

    #[test]
    fn hostile_depth_and_size_end() {
        let deep = "[".repeat(100_000);
        assert_eq!(Peek::at(deep.as_bytes()).records.len(), 1);
        let wide = format!("{{{}}}", (0..5000).map(|i| format!("\"k{i}\":1")).collect::<Vec<_>>().join(","));
        assert_eq!(Peek::at(wide.as_bytes()).records[0].len(), PATHS);
        assert_eq!(Peek::at(b"").records.len(), 0);
    }
}
