//! What a decision or a refusal prints: text in lines, or one JSON object (`3-lifecycle.md` 3.4, `recount.refusal.v1`).

use serde_json::Value;

use crate::lifecycle::refusal::Refusal;

use super::Mask;
use super::figures::safe;
use super::pen::Pen;

/// A refusal in lines: one plain sentence with the code, then because, seen, missing, next.
pub fn refusal_text(refusal: &Refusal, mask: &Mask) -> Vec<String> {
    let mut lines = vec![safe(&mask.text(&refusal.headline()))];
    for (name, said) in refusal.parts() {
        for (no, line) in said.iter().enumerate() {
            let name = if no == 0 { name } else { "" };
            lines.push(format!("  {name:<8} {}", safe(&mask.text(line))));
        }
    }
    lines
}

/// A refusal as JSON. `logged` says whether the book has it.
pub fn refusal_json(refusal: &Refusal, logged: bool, mask: &Mask, pen: &mut Pen) {
    pen.object(|pen| {
        pen.name("schema").text("recount.refusal.v1");
        pen.name("code").text(refusal.code.word());
        pen.name("group").text(refusal.code.group().words());
        pen.name("sentence").text(refusal.code.sentence());
        pen.name("asked").text(&mask.text(&refusal.asked));
        pen.name("because").text(&mask.text(&refusal.because));
        for (name, lines) in [("seen", &refusal.seen), ("missing", &refusal.missing), ("next", &refusal.next)]
        {
            pen.name(name).texts(lines.iter().map(|line| mask.text(line)));
        }
        pen.name("logged").truth(logged);
    });
}

/// Any value, its texts masked.
pub fn value(value: &Value, mask: &Mask, pen: &mut Pen) {
    match value {
        Value::Null => pen.null(),
        Value::Bool(truth) => pen.truth(*truth),
        Value::Number(number) => match number.as_i64() {
            Some(number) => pen.number(number),
            None => pen.token(&number.to_string()),
        },
        Value::String(text) => pen.text(&mask.text(text)),
        Value::Array(all) => pen.array(|pen| all.iter().for_each(|one| self::value(one, mask, pen))),
        Value::Object(all) => pen.object(|pen| {
            for (name, one) in all {
                self::value(one, mask, pen.name(name));
            }
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lifecycle::refusal::Code;

    #[test]
    fn a_refusal_reads_like_a_colleague() {
        let refusal = Refusal::new(Code::Note, "the note has 3 characters, needs 20")
            .missing("what was seen")
            .missing("why that decides it")
            .next("give it with --note TEXT")
            .of("int_1\u{1b}[2J to failed", "int_1 stays unknown");
        let mask = Mask::of_load(false);
        assert_eq!(
            refusal_text(&refusal, &mask),
            [
                "refused: int_1 stays unknown. The note does not say enough.  [R-NOTE]",
                "  because  the note has 3 characters, needs 20",
                "  missing  what was seen",
                "           why that decides it",
                "  next     give it with --note TEXT",
            ]
        );
        let mut pen = Pen::new();
        refusal_json(&refusal, true, &mask, &mut pen);
        assert_eq!(
            pen.take(),
            "{\"schema\":\"recount.refusal.v1\",\"code\":\"R-NOTE\",\"group\":\"Note, owner or deadline is missing\",\
             \"sentence\":\"The note does not say enough.\",\"asked\":\"int_1\\u001b[2J to failed\",\
             \"because\":\"the note has 3 characters, needs 20\",\"seen\":[],\
             \"missing\":[\"what was seen\",\"why that decides it\"],\"next\":[\"give it with --note TEXT\"],\
             \"logged\":true}"
        );
    }

    #[test]
    fn a_value_keeps_its_form() {
        let mut pen = Pen::new();
        value(
            &serde_json::json!({"a": [1, true, null], "b": "x@example.com"}),
            &Mask::of_load(false),
            &mut pen,
        );
        assert_eq!(pen.take(), "{\"a\":[1,true,null],\"b\":\"[masked]\"}");
    }
}
