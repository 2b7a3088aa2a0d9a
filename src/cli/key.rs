//! `recount key --field a=b --field n:=1`: the key derived from identifying fields (`1-model.md` 1.6).

use crate::canon::{JsonScalar, derived_key, derived_text};

use super::call::Call;
use super::failure::Failure;

/// Prints the object that is hashed, and the key.
pub fn run(call: &Call) -> Result<u8, Failure> {
    let given = call.texts("field");
    if given.is_empty() {
        return Err(Failure::usage(
            "key needs fields: recount key --field order_id=4812 --field amount_minor:=20000",
        ));
    }
    let fields: Vec<(&str, JsonScalar<'_>)> = given.into_iter().map(field).collect::<Result<_, _>>()?;
    let refused = |why: crate::canon::NotCanonical| Failure::usage(&format!("no key can be derived: {why}"));
    let text = derived_text(&fields).map_err(refused)?;
    let key = derived_key(&fields).map_err(refused)?;
    call.to_stdout(false, |out| {
        out.line(&super::canon::shown(call, &text));
        out.line(&key);
    })?;
    Ok(0)
}

/// `NAME=TEXT`, or `NAME:=VALUE` for what is not text.
fn field(text: &str) -> Result<(&str, JsonScalar<'_>), Failure> {
    let no_form = || {
        Failure::usage(&format!(
            "--field {text:?}: write NAME=TEXT, or NAME:=VALUE for a number, true, false or null"
        ))
    };
    let (name, value) = text.split_once('=').ok_or_else(no_form)?;
    if let Some(name) = name.strip_suffix(':') {
        let value = match value {
            "true" => JsonScalar::Bool(true),
            "false" => JsonScalar::Bool(false),
            "null" => JsonScalar::Null,
            number => JsonScalar::Number(number),
        };
        return if name.is_empty() { Err(no_form()) } else { Ok((name, value)) };
    }
    if name.is_empty() { Err(no_form()) } else { Ok((name, JsonScalar::Text(value))) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_text_or_values() {
        assert_eq!(field("a=b=c"), Ok(("a", JsonScalar::Text("b=c"))));
        assert_eq!(field("n:=20000"), Ok(("n", JsonScalar::Number("20000"))));
        assert_eq!(field("n:=true"), Ok(("n", JsonScalar::Bool(true))));
        assert_eq!(field("a="), Ok(("a", JsonScalar::Text(""))));
        for bad in ["a", "=b", ":=1"] {
            assert_eq!(field(bad).unwrap_err().exit, 2, "{bad}");
        }
    }
}
