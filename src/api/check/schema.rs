//! The schema that rules are checked with: the CustomResourceDefinition's, with a schema for the
//! metadata, which the API server checks by itself.

use kube::CustomResourceExt;
use kube::core::cel::{CompiledSchema, compile_schema};
use serde_json::{Value, json};

use super::metadata;
use crate::api::crd;

/// A kind's schema.
pub(super) struct Schema {
    /// The OpenAPI schema of the whole object.
    pub document: Value,
    /// Its CEL rules.
    pub rules: CompiledSchema,
}

impl Schema {
    /// The schema of a kind of ours.
    pub(super) fn of<Kind: CustomResourceExt>() -> Self {
        let definition =
            serde_json::to_value(crd::definition::<Kind>()).expect("a definition has a JSON form");
        let mut document = definition["spec"]["versions"][0]["schema"]["openAPIV3Schema"].clone();
        let properties = &mut document["properties"];
        properties["apiVersion"] = json!({"type": "string"});
        properties["kind"] = json!({"type": "string"});
        properties["metadata"] = metadata::schema();
        properties["status"] = json!({"x-kubernetes-preserve-unknown-fields": true});
        document["required"] = json!(["apiVersion", "kind", "metadata", "spec"]);
        let rules = compile_schema(&document);
        Self { document, rules }
    }
}
