//! The bounds and syntax of the strings, lists and maps in our schemas.
//!
//! A bad string is refused by a CEL rule and not by a `pattern`, because the API server answers a
//! `pattern` with the regular expression, and a CEL rule with our message. Every string and list is
//! bounded: the API server estimates a rule's worst cost from the bounds, and refuses a
//! CustomResourceDefinition above its budget.

use schemars::{Schema, SchemaGenerator, json_schema};
use serde_json::{Value, json};

use super::status::{FailingNamespace, MOST_FAILING_NAMESPACES};

/// The longest RFC 1123 subdomain, which the names of Secrets and ConfigMaps are.
const SUBDOMAIN_LENGTH: u32 = 253;

/// The longest label value, RFC 1123 label, and name part of a label's key.
const LABEL_LENGTH: u32 = 63;

/// The longest key of a label: prefix, slash and name.
const LABEL_KEY_LENGTH: u32 = SUBDOMAIN_LENGTH + 1 + LABEL_LENGTH;

/// The longest list of namespaces or globs: a generous bound on what a person writes.
const MANY: u32 = 256;

/// The longest list of types, labels or label values.
const FEW: u32 = 64;

const NAMESPACE_MESSAGE: &str = r#"a namespace's name has only lowercase letters, digits and "-", and starts and ends with a letter or digit; sources are named exactly, only target.namespaces has globs"#;

const GLOB_MESSAGE: &str = r#"a glob has only lowercase letters, digits, "-", "." and the wildcards *, ?, [a-z] and {a,b}; close every bracket, and leave no choice empty"#;

const LABEL_KEY_MESSAGE: &str = r#"a label's key is an optional lowercase DNS prefix and a slash, then at most 63 letters, digits, "-", "_" or ".", starting and ending with a letter or digit, such as app.kubernetes.io/name"#;

const LABEL_VALUE_MESSAGE: &str = r#"a label's value has at most 63 letters, digits, "-", "_" or ".", and starts and ends with a letter or digit"#;

const SECRET_TYPE_MESSAGE: &str =
    "a Secret's type is not empty and has no spaces; write it as kubernetes.io/tls or Opaque";

const NEVER_COPIED_MESSAGE: &str = "Secrets of this type are never copied, because they are bound to their cluster or namespace; remove the type";

/// RFC 1123 label, which a namespace's name is.
const NAMESPACE_RULE: &str = "self.matches('^[a-z0-9]([-a-z0-9]*[a-z0-9])?$')";

/// What `globset` can compile, but for reversed ranges such as `[z-a]`, over the characters that a
/// Secret's, ConfigMap's or namespace's name can have. Braces don't nest.
const GLOB_RULE: &str = r"self.matches('^([a-z0-9.*?-]|\\[[!^]?[a-z0-9.-]+\\]|\\{([a-z0-9.*?-]|\\[[!^]?[a-z0-9.-]+\\])+(,([a-z0-9.*?-]|\\[[!^]?[a-z0-9.-]+\\])+)*\\})+$')";

/// A label's value in Kubernetes' syntax; it may be empty.
const LABEL_VALUE_RULE: &str = "self.matches('^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$')";

/// A label's key in Kubernetes' syntax; `{text}` is the expression that holds the key.
fn label_key_rule(text: &str) -> String {
    const PREFIX: &str = "[a-z0-9]([-a-z0-9]*[a-z0-9])?([.][a-z0-9]([-a-z0-9]*[a-z0-9])?)*/";
    const NAME: &str = "[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?";
    format!("{text}.matches('^({PREFIX})?{NAME}$') && {text}.indexOf('/') <= {SUBDOMAIN_LENGTH}")
}

/// A text of at most `max_length` characters that must fulfil `rules`, pairs of CEL and message.
fn text(max_length: u32, rules: &[(&str, &str)]) -> Value {
    let rules: Vec<Value> = rules
        .iter()
        .map(|(rule, message)| json!({"rule": rule, "message": message}))
        .collect();
    json!({"type": "string", "maxLength": max_length, "x-kubernetes-validations": rules})
}

/// A list without duplicates, whose items several appliers can own one by one.
fn set(items: &Value, max_items: u32) -> Schema {
    json_schema!({
        "type": "array",
        "items": items,
        "maxItems": max_items,
        "x-kubernetes-list-type": "set",
    })
}

/// The exact names of at least one namespace.
pub(super) fn source_namespaces(_: &mut SchemaGenerator) -> Schema {
    let mut schema = set(
        &text(LABEL_LENGTH, &[(NAMESPACE_RULE, NAMESPACE_MESSAGE)]),
        MANY,
    );
    schema.insert(
        "x-kubernetes-validations".to_owned(),
        json!([{
            "rule": "self.size() > 0",
            "message": "name at least one namespace that holds originals",
            "reason": "FieldValueRequired",
        }]),
    );
    schema
}

/// Globs over the names of objects or namespaces.
pub(super) fn globs(_: &mut SchemaGenerator) -> Schema {
    set(&text(SUBDOMAIN_LENGTH, &[(GLOB_RULE, GLOB_MESSAGE)]), MANY)
}

/// Globs over the keys of `data` and `binaryData`.
pub(super) fn key_globs(_: &mut SchemaGenerator) -> Schema {
    set(&text(SUBDOMAIN_LENGTH, &[]), MANY)
}

/// Globs over the keys of labels or annotations.
pub(super) fn metadata_globs(_: &mut SchemaGenerator) -> Schema {
    set(&text(LABEL_KEY_LENGTH, &[]), FEW)
}

/// New keys by old ones.
pub(super) fn renames(_: &mut SchemaGenerator) -> Schema {
    json_schema!({
        "type": "object",
        "maxProperties": FEW,
        "additionalProperties": text(SUBDOMAIN_LENGTH, &[]),
    })
}

/// The template of a copy's name.
pub(super) fn name_template(_: &mut SchemaGenerator) -> Schema {
    let schema = text(SUBDOMAIN_LENGTH, &[]);
    Schema::try_from(schema).expect("an object is a schema")
}

/// Types of Secrets; the ones that are never copied are refused, so that nobody waits for them.
pub(super) fn secret_types(_: &mut SchemaGenerator) -> Schema {
    let never_copied = "!(self in ['kubernetes.io/service-account-token', \
                        'bootstrap.kubernetes.io/token']) && !self.startsWith('helm.sh/')";
    let rules = [
        (r"self.matches('^[^\\s]+$')", SECRET_TYPE_MESSAGE),
        (never_copied, NEVER_COPIED_MESSAGE),
    ];
    set(&text(SUBDOMAIN_LENGTH, &rules), FEW)
}

/// The key of a label.
pub(super) fn label_key(_: &mut SchemaGenerator) -> Schema {
    let schema = text(
        LABEL_KEY_LENGTH,
        &[(&label_key_rule("self"), LABEL_KEY_MESSAGE)],
    );
    Schema::try_from(schema).expect("an object is a schema")
}

/// The values of a requirement on a label.
pub(super) fn label_values(_: &mut SchemaGenerator) -> Schema {
    set(
        &text(LABEL_LENGTH, &[(LABEL_VALUE_RULE, LABEL_VALUE_MESSAGE)]),
        FEW,
    )
}

/// Labels with the exact value of each.
pub(super) fn match_labels(_: &mut SchemaGenerator) -> Schema {
    let mut schema = labels();
    schema.insert("maxProperties".to_owned(), FEW.into());
    schema
}

/// A map of labels. A schema has no bounds for a map's keys, so the rule on them is the map's.
pub(super) fn labels() -> Schema {
    json_schema!({
        "type": "object",
        "additionalProperties": text(LABEL_LENGTH, &[(LABEL_VALUE_RULE, LABEL_VALUE_MESSAGE)]),
        "x-kubernetes-validations": [{
            "rule": format!("self.all(key, {})", label_key_rule("key")),
            "message": LABEL_KEY_MESSAGE,
        }],
    })
}

/// The namespaces in which something fails, with the copy and the reason.
pub(super) fn failing_namespaces(generator: &mut SchemaGenerator) -> Schema {
    let items = generator.subschema_for::<FailingNamespace>();
    json_schema!({
        "type": "array",
        "maxItems": MOST_FAILING_NAMESPACES,
        "items": items,
        "x-kubernetes-list-type": "atomic",
    })
}

/// The standard conditions, with the bounds of `meta/v1`'s Condition.
pub(super) fn conditions(_: &mut SchemaGenerator) -> Schema {
    json_schema!({
        "type": "array",
        "maxItems": 16,
        "x-kubernetes-list-type": "map",
        "x-kubernetes-list-map-keys": ["type"],
        "items": {
            "type": "object",
            "description": "One aspect of the rule's state.",
            "required": ["lastTransitionTime", "message", "reason", "status", "type"],
            "properties": {
                "lastTransitionTime": {"type": "string", "format": "date-time",
                    "description": "When the status last changed."},
                "message": {"type": "string", "maxLength": 32768,
                    "description": "Details for a person."},
                "observedGeneration": {"type": "integer", "format": "int64", "minimum": 0,
                    "description": "The generation of the rule that this condition is about."},
                "reason": {"type": "string", "minLength": 1, "maxLength": 1024,
                    "pattern": "^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$",
                    "description": "Why the status is what it is, as one CamelCase word."},
                "status": {"type": "string", "enum": ["True", "False", "Unknown"],
                    "description": "Whether the condition holds."},
                "type": {"type": "string", "maxLength": 316,
                    "description": "The aspect, such as `Ready`."},
            },
        },
    })
}
