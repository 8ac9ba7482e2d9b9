//! The bounds of what a status holds.

use schemars::{Schema, SchemaGenerator, json_schema};
use serde_json::Value;

use crate::api::{
    exchange_rate::{MOST_QUOTES, PublishedRate},
    status::{FailingNamespace, MOST_FAILING_NAMESPACES},
};

/// The longest reason that `meta/v1`'s Condition allows; ours have the same bound.
const REASON_LENGTH: u32 = 1024;

/// Takes the defaults out of a schema: the API server would fill in counts that nobody has counted.
pub(in crate::api) fn drop_defaults(schema: &mut Schema) {
    let properties = schema.get_mut("properties").and_then(Value::as_object_mut);
    for (_, property) in properties.into_iter().flatten() {
        property
            .as_object_mut()
            .map(|field| field.remove("default"));
    }
}

/// A number of things. Its format is one that the API server knows: for another it warns.
pub(in crate::api) fn count(_: &mut SchemaGenerator) -> Schema {
    json_schema!({"type": "integer", "format": "int64", "minimum": 0})
}

/// Why a copy isn't in step.
pub(in crate::api) fn failing_reason(_: &mut SchemaGenerator) -> Schema {
    json_schema!({"type": "string", "minLength": 1, "maxLength": REASON_LENGTH})
}

/// The namespaces in which something fails, with the copy and the reason.
pub(in crate::api) fn failing_namespaces(generator: &mut SchemaGenerator) -> Schema {
    let items = generator.subschema_for::<FailingNamespace>();
    json_schema!({
        "type": "array",
        "maxItems": MOST_FAILING_NAMESPACES,
        "items": items,
        "x-kubernetes-list-type": "atomic",
    })
}

/// The published rates, one for each quote.
pub(in crate::api) fn published_rates(generator: &mut SchemaGenerator) -> Schema {
    let items = generator.subschema_for::<PublishedRate>();
    json_schema!({
        "type": "array",
        "maxItems": MOST_QUOTES,
        "items": items,
        "x-kubernetes-list-type": "map",
        "x-kubernetes-list-map-keys": ["quote"],
    })
}

/// The standard conditions, with the bounds of `meta/v1`'s Condition.
pub(in crate::api) fn conditions(_: &mut SchemaGenerator) -> Schema {
    json_schema!({
        "type": "array",
        "maxItems": 16,
        "x-kubernetes-list-type": "map",
        "x-kubernetes-list-map-keys": ["type"],
        "items": {
            "type": "object",
            "description": "One aspect of the object's state.",
            "required": ["lastTransitionTime", "message", "reason", "status", "type"],
            "properties": {
                "lastTransitionTime": {"type": "string", "format": "date-time",
                    "description": "When the status last changed."},
                "message": {"type": "string", "maxLength": 32768,
                    "description": "Details for a person."},
                "observedGeneration": {"type": "integer", "format": "int64", "minimum": 0,
                    "description": "The generation of the object that this condition is about."},
                "reason": {"type": "string", "minLength": 1, "maxLength": REASON_LENGTH,
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
