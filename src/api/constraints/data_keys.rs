//! The syntax of the keys of `data` and `binaryData`, and of what they are renamed to.

use schemars::{Schema, SchemaGenerator, json_schema};

use super::text::{FEW, SUBDOMAIN_LENGTH, text, text_field};

const KEY_MESSAGE: &str = r#"a key of data has at most 253 letters, digits, "-", "_" or ".", isn't "." and doesn't start with ".."; rename takes keys as they are, no globs"#;

const SECRET_KEY_MESSAGE: &str = r#"a key of a Secret has at most 253 letters, digits, "-", "_" or ".", isn't "." and doesn't start with "..""#;

const SAME_NAME_MESSAGE: &str =
    "a key that keeps its name needs no entry; remove it, or write another name";

const TWO_OF_A_NAME_MESSAGE: &str =
    "two keys would get the same name, and one of them be lost; give each a name of its own";

/// A key in Kubernetes' syntax; `{text}` is the expression that holds it.
fn key_rule(text: &str) -> String {
    format!("{text}.matches('^[.]?[-_a-zA-Z0-9][-._a-zA-Z0-9]*$')")
}

/// The key of one value in a Secret.
pub(in crate::api) fn secret_key(_: &mut SchemaGenerator) -> Schema {
    text_field(SUBDOMAIN_LENGTH, &[(&key_rule("self"), SECRET_KEY_MESSAGE)])
}

/// New keys by old ones. A schema has no bounds for a map's keys, so the rules on them are the map's.
pub(in crate::api) fn renames(_: &mut SchemaGenerator) -> Schema {
    let old_key = format!("key.size() <= {SUBDOMAIN_LENGTH} && {}", key_rule("key"));
    json_schema!({
        "type": "object",
        "maxProperties": FEW,
        "additionalProperties": text(SUBDOMAIN_LENGTH, &[(&key_rule("self"), KEY_MESSAGE)]),
        "x-kubernetes-validations": [
            {"rule": format!("self.all(key, {old_key})"), "message": KEY_MESSAGE},
            {"rule": "self.all(key, self[key] != key)", "message": SAME_NAME_MESSAGE},
            {
                "rule": "self.all(key, self.exists_one(other, self[other] == self[key]))",
                "message": TWO_OF_A_NAME_MESSAGE,
            },
        ],
    })
}
