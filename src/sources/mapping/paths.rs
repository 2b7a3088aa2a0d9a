//! Paths that a mapping may write (`4-sources.md` 4.10).

use super::Look;

/// Where the values of paths that a mapping may write stand (`4-sources.md` 4.10).
const FORMS: [(&str, &[&[&str]]); 4] = [
    ("meta.", &[&["meta"], &["_meta"], &["metadata"]]),
    ("attr:", &[&["attributes"], &["attrs"]]),
    ("header:", &[&["headers"], &["request", "headers"]]),
    ("tag:", &[&["tags"]]),
];

/// The places that a column or path of a mapping stands for, in order.
pub(super) fn paths(path: &str) -> Result<Vec<Look>, &'static str> {
    let split = |text: &str| text.split('.').map(str::to_owned).collect::<Vec<String>>();
    let look = |names: Vec<String>| Look { arguments: false, names };
    let looks = if let Some(rest) = path.strip_prefix("args.") {
        vec![Look { arguments: true, names: split(rest) }]
    } else if let Some(rest) = path.strip_prefix("$.") {
        vec![look(split(rest))]
    } else if let Some((form, roots)) = FORMS.iter().find(|(form, _)| path.starts_with(form)) {
        let rest = path.strip_prefix(form).unwrap_or(path);
        let below = |root: &&[&str], last: Vec<String>| {
            look(root.iter().map(|name| (*name).to_owned()).chain(last).collect())
        };
        // The names of attributes and headers may have dots in them; those of metadata are nested as well.
        let mut looks: Vec<Look> = roots.iter().map(|root| below(root, vec![rest.to_owned()])).collect();
        if *form == "meta." && rest.contains('.') {
            looks.extend(roots.iter().map(|root| below(root, split(rest))));
        }
        looks
    } else if path.contains('.') {
        vec![look(vec![path.to_owned()]), look(split(path))]
    } else {
        vec![look(vec![path.to_owned()])]
    };
    if path.contains('[') {
        return Err("places in arrays cannot be named; name a field of an object");
    }
    if looks.iter().any(|look| look.names.is_empty() || look.names.iter().any(String::is_empty)) {
        return Err("it has an empty name");
    }
    Ok(looks)
}
