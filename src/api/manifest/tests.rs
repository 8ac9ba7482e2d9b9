//! Tests of reading rule files.

use super::parse;

fn lines(text: &str) -> String {
    match parse("rules.yaml", text) {
        Ok(rules) => format!("{} rules", rules.len()),
        Err(problems) => problems
            .iter()
            .map(ToString::to_string)
            .collect::<Vec<_>>()
            .join("\n"),
    }
}
