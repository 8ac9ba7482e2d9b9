//! The syntax of labels: keys, values and maps of them.

use schemars::{Schema, SchemaGenerator, json_schema};

use super::text::{FEW, LABEL_KEY_LENGTH, LABEL_LENGTH, SUBDOMAIN_LENGTH, set, text, text_field};

pub(super) const LABEL_KEY_MESSAGE: &str = r#"a label's key is an optional lowercase DNS prefix and a slash, then at most 63 letters, digits, "-", "_" or ".", starting and ending with a letter or digit, such as app.kubernetes.io/name"#;

const LABEL_VALUE_MESSAGE: &str = r#"a label's value has at most 63 letters, digits, "-", "_" or ".", and starts and ends with a letter or digit"#;

/// A label's value in Kubernetes' syntax; it may be empty.
const LABEL_VALUE_RULE: &str = "self.matches('^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$')";

/// A label's key in Kubernetes' syntax; `{text}` is the expression that holds the key.
pub(super) fn label_key_rule(text: &str) -> String {
    const PREFIX: &str = "[a-z0-9]([-a-z0-9]*[a-z0-9])?([.][a-z0-9]([-a-z0-9]*[a-z0-9])?)*/";
    const NAME: &str = "[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?";
    format!("{text}.matches('^({PREFIX})?{NAME}$') && {text}.indexOf('/') <= {SUBDOMAIN_LENGTH}")
}

/// The key of a label.
pub(in crate::api) fn label_key(_: &mut SchemaGenerator) -> Schema {
    text_field(
        LABEL_KEY_LENGTH,
        &[(&label_key_rule("self"), LABEL_KEY_MESSAGE)],
    )
}

/// The values of a requirement on a label.
pub(in crate::api) fn label_values(_: &mut SchemaGenerator) -> Schema {
    set(
        &text(LABEL_LENGTH, &[(LABEL_VALUE_RULE, LABEL_VALUE_MESSAGE)]),
        FEW,
    )
}

/// Labels with the exact value of each.
pub(in crate::api) fn match_labels(_: &mut SchemaGenerator) -> Schema {
    let mut schema = labels();
    schema.insert("maxProperties".to_owned(), FEW.into());
    schema
}

/// A map of labels. A schema has no bounds for a map's keys, so the rule on them is the map's.
pub(in crate::api) fn labels() -> Schema {
    json_schema!({
        "type": "object",
        "additionalProperties": text(LABEL_LENGTH, &[(LABEL_VALUE_RULE, LABEL_VALUE_MESSAGE)]),
        "x-kubernetes-validations": [{
            "rule": format!("self.all(key, {})", label_key_rule("key")),
            "message": LABEL_KEY_MESSAGE,
        }],
    })
}
