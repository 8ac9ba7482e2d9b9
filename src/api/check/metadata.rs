//! The schema of a cluster-scoped object's metadata, which no CustomResourceDefinition holds.

use serde_json::{Value, json};

use crate::api::constraints;

/// RFC 1123 subdomain, in the API server's words.
const NAME_MESSAGE: &str = "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric \
    characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'pull-secrets')";

/// The fields of `meta/v1`'s ObjectMeta; those that the API server sets may be there and are ignored.
pub(super) fn schema() -> Value {
    let text = || json!({"type": "string"});
    let anything = || json!({"x-kubernetes-preserve-unknown-fields": true});
    json!({
        "type": "object",
        "description": "the rule's name and labels",
        "required": ["name"],
        "properties": {
            "name": name(),
            "namespace": namespace(),
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

fn name() -> Value {
    json!({
        "type": "string",
        "description": "write a name of the rule's own, such as pull-secrets",
        "x-kubernetes-validations": [{
            "rule": "self.matches('^[a-z0-9]([-a-z0-9]*[a-z0-9])?([.][a-z0-9]([-a-z0-9]*[a-z0-9])?)*$')",
            "message": NAME_MESSAGE,
        }],
    })
}

/// The API server drops the namespace of a cluster-scoped object without a word, which would let
/// somebody believe that the rule is confined to it.
fn namespace() -> Value {
    json!({
        "type": "string",
        "x-kubernetes-validations": [{
            "rule": "self.size() == 0",
            "message": "a CopyratorRule belongs to no namespace and works on the whole cluster; remove the namespace",
        }],
    })
}
