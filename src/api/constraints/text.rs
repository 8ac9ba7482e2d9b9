//! How long strings and lists may be, and the schemas they are built from.

use schemars::{Schema, json_schema};
use serde_json::{Value, json};

/// The longest RFC 1123 subdomain, which the names of Secrets and ConfigMaps are, and the longest
/// key of their data.
pub(super) const SUBDOMAIN_LENGTH: u32 = 253;

/// The longest label value, RFC 1123 label, and name part of a label's key.
pub(super) const LABEL_LENGTH: u32 = 63;

/// The longest key of a label or annotation: prefix, slash and name.
pub(super) const LABEL_KEY_LENGTH: u32 = SUBDOMAIN_LENGTH + 1 + LABEL_LENGTH;

/// The longest list of namespaces or globs over names: a generous bound on what a person writes.
pub(super) const MANY: u32 = 256;

/// The longest list of types, keys, labels or label values.
pub(super) const FEW: u32 = 64;

/// A text of at most `max_length` characters that must fulfil `rules`, pairs of CEL and message.
pub(super) fn text(max_length: u32, rules: &[(&str, &str)]) -> Value {
    let rules: Vec<Value> = rules
        .iter()
        .map(|(rule, message)| json!({"rule": rule, "message": message}))
        .collect();
    json!({"type": "string", "maxLength": max_length, "x-kubernetes-validations": rules})
}

/// The same as the schema of a field.
pub(super) fn text_field(max_length: u32, rules: &[(&str, &str)]) -> Schema {
    Schema::try_from(text(max_length, rules)).expect("an object is a schema")
}

/// A list without duplicates, whose items several appliers can own one by one.
pub(super) fn set(items: &Value, max_items: u32) -> Schema {
    json_schema!({
        "type": "array",
        "items": items,
        "maxItems": max_items,
        "x-kubernetes-list-type": "set",
    })
}
