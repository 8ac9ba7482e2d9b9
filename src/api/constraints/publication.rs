//! What the ConfigMap that publishes rates may be given: labels, annotations and keys.

use schemars::{Schema, SchemaGenerator, json_schema};
use serde_json::{Value, json};

use super::{
    labels::{LABEL_KEY_MESSAGE, label_key_rule, labels},
    text::FEW,
};
use crate::api::exchange_rate::PublishedKey;

/// The longest value of an annotation: all of them together stay within what the API server takes.
const ANNOTATION_LENGTH: u32 = 2048;

/// As many keys as there are.
const ALL_KEYS: u32 = 8;

const OUR_MARK_MESSAGE: &str = "copyrator.dev/*, app.kubernetes.io/managed-by and kubectl.kubernetes.io/last-applied-configuration say whose the ConfigMap is and what was applied to it; remove them";

const ANNOTATION_KEY_MESSAGE: &str = r#"an annotation's key is an optional lowercase DNS prefix and a slash, then at most 63 letters, digits, "-", "_" or ".", starting and ending with a letter or digit, such as example.com/owner"#;

/// No mark of ours, nor what `kubectl apply` would take for its own.
const OUR_MARK_RULE: &str = "self.all(key, !key.startsWith('copyrator.dev/') && !(key in ['app.kubernetes.io/managed-by', 'kubectl.kubernetes.io/last-applied-configuration']))";

/// Labels of the user's own.
pub(in crate::api) fn published_labels(_: &mut SchemaGenerator) -> Schema {
    let mut schema = labels();
    schema.insert("maxProperties".to_owned(), FEW.into());
    schema.insert(
        "x-kubernetes-validations".to_owned(),
        key_rules(LABEL_KEY_MESSAGE),
    );
    schema
}

/// Annotations of the user's own.
pub(in crate::api) fn published_annotations(_: &mut SchemaGenerator) -> Schema {
    json_schema!({
        "type": "object",
        "maxProperties": FEW,
        "additionalProperties": {"type": "string", "maxLength": ANNOTATION_LENGTH},
        "x-kubernetes-validations": key_rules(ANNOTATION_KEY_MESSAGE),
    })
}

fn key_rules(message: &str) -> Value {
    json!([
        {"rule": format!("self.all(key, {})", label_key_rule("key")), "message": message},
        {"rule": OUR_MARK_RULE, "message": OUR_MARK_MESSAGE},
    ])
}

/// What is written, at least one thing.
pub(in crate::api) fn published_keys(generator: &mut SchemaGenerator) -> Schema {
    let items = generator.subschema_for::<PublishedKey>();
    json_schema!({
        "type": "array",
        "items": items,
        "maxItems": ALL_KEYS,
        "x-kubernetes-list-type": "set",
        "x-kubernetes-validations": [{
            "rule": "self.size() > 0",
            "message": "name at least one key, or remove keys to have all of them",
            "reason": "FieldValueRequired",
        }],
    })
}
