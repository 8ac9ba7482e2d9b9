//! The schema of an object's metadata, which no CustomResourceDefinition holds.

use serde_json::{Value, json};

use super::kind::Kind;
use crate::api::constraints;

/// RFC 1123 label, in the API server's words.
const NAMESPACE_MESSAGE: &str = "a lowercase RFC 1123 label must consist of lower case alphanumeric \
    characters or '-', and must start and end with an alphanumeric character (e.g. 'shop')";

/// The fields of `meta/v1`'s ObjectMeta; those that the API server sets may be there and are ignored.
pub(super) fn schema<K: Kind>() -> Value {
    let text = || json!({"type": "string"});
    let anything = || json!({"x-kubernetes-preserve-unknown-fields": true});
    json!({
        "type": "object",
        "description": format!("the {}'s name and labels", K::WORDS.noun),
        "required": ["name"],
        "properties": {
            "name": name::<K>(),
            "namespace": if K::IS_NAMESPACED { namespace() } else { no_namespace::<K>() },
            "labels": constraints::labels(),
            "annotations": {"type": "object", "additionalProperties": text()},
            "finalizers": {"type": "array", "items": text(), "x-kubernetes-list-type": "set"},
            "generateName": text(),
            "resourceVersion": text(),
            "selfLink": text(),
            "uid": text(),
            "creationTimestamp": text(),
            "deletionTimestamp": text(),
            "deletionGracePeriodSeconds": {"type": "integer"},
            "generation": {"type": "integer"},
            "managedFields": anything(),
            "ownerReferences": anything(),
        },
    })
}

fn name<K: Kind>() -> Value {
    let example = K::WORDS.example;
    json!({
        "type": "string",
        "description": format!("write a name of the {}'s own, such as {example}", K::WORDS.noun),
        "x-kubernetes-validations": [{
            "rule": "self.matches('^[a-z0-9]([-a-z0-9]*[a-z0-9])?([.][a-z0-9]([-a-z0-9]*[a-z0-9])?)*$')",
            // In the API server's words.
            "message": format!(
                "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, \
                 '-' or '.', and must start and end with an alphanumeric character (e.g. '{example}')"
            ),
        }],
    })
}

/// The API server takes an empty namespace for none.
fn namespace() -> Value {
    json!({
        "type": "string",
        "maxLength": 63,
        "x-kubernetes-validations": [{
            "rule": "self.matches('^([a-z0-9]([-a-z0-9]*[a-z0-9])?)?$')",
            "message": NAMESPACE_MESSAGE,
        }],
    })
}

/// The API server drops the namespace of a cluster-scoped object without a word, which would let
/// somebody believe that the object is confined to it.
fn no_namespace<K: Kind>() -> Value {
    json!({
        "type": "string",
        "x-kubernetes-validations": [{
            "rule": "self.size() == 0",
            "message": format!(
                "a {} belongs to no namespace and works on the whole cluster; remove the namespace",
                K::kind(&())
            ),
        }],
    })
}
