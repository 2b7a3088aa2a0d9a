//! Whether a tool reads or writes, where nobody declared it (`1-model.md` 1.4.7).

/// First name parts that say "read".
const READ_WORDS: [&str; 13] = [
    "get", "list", "read", "fetch", "find", "search", "lookup", "describe", "show", "view", "query",
    "retrieve", "status",
];

/// HTTP methods that read.
const READ_METHODS: [&str; 3] = ["GET", "HEAD", "OPTIONS"];

/// The tool reads, by its name: an HTTP method that reads, or a first part like `get`, after a prefix like
/// `mcp__server__`. `get_or_create*` writes.
pub fn reads_by_name(tool: &str) -> bool {
    let mut words = tool.split_whitespace();
    if let (Some(method), Some(_)) = (words.next(), words.next())
        && READ_METHODS.contains(&method)
    {
        return true;
    }
    let bare = match tool.strip_prefix("mcp__") {
        Some(rest) => rest.split_once("__").map_or(rest, |(_, name)| name),
        None => tool,
    };
    let mut parts = parts(bare);
    let Some(first) = parts.next() else { return false };
    if !READ_WORDS.contains(&first.as_str()) {
        return false;
    }
    !(parts.next().as_deref() == Some("or") && parts.next().as_deref() == Some("create"))
}

/// Parts of a name: split at `_ - . : (`, spaces and capitals; lower case.
fn parts(name: &str) -> impl Iterator<Item = String> {
    let mut out: Vec<String> = vec![String::new()];
    let mut lower_before = false;
    for c in name.chars() {
        let split = matches!(c, '_' | '-' | '.' | ':' | '(' | ' ' | '/');
        if split || (c.is_uppercase() && lower_before) {
            out.push(String::new());
        }
        if !split && let Some(last) = out.last_mut() {
            last.extend(c.to_lowercase());
        }
        lower_before = c.is_lowercase() || c.is_ascii_digit();
    }
    out.into_iter().filter(|p| !p.is_empty())
}

#[cfg(test)]
mod tests {
    use super::reads_by_name;

    #[test]
    fn reads() {
        for tool in [
            "get_order",
            "GET /orders/1",
            "mcp__payments__list_refunds",
            "getPaymentInfo",
            "search",
            "status",
            "HEAD /x",
            "fetch-rows",
        ] {
            assert!(reads_by_name(tool), "{tool}");
        }
    }

    #[test]
    fn everything_else_writes() {
        for tool in [
            "refund_order",
            "get_or_create_customer",
            "getOrCreateOrder",
            "POST /refunds",
            "create_issue",
            "webhook charge.refunded",
            "PUT",
            "",
            "getter",
            "refunds.create",
            "mcp__get__refund",
        ] {
            assert!(!reads_by_name(tool), "{tool}");
        }
    }
}
