//! Our CustomResourceDefinitions, as `crd install` applies them and `crd print` shows them.

use std::collections::BTreeMap;

use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::{
    CustomResourceDefinition, JSONSchemaProps, JSONSchemaPropsOrArray,
};
use kube::CustomResourceExt;

use super::{CopyratorRule, ExchangeRate};

/// Counts the changes of the schemas, so that an installed definition can be told to be older or
/// newer than this program's. Raise it with every change; a test compares the definitions with a
/// snapshot to remind of that.
pub const SCHEMA_REVISION: u32 = 2;

/// The annotation that holds the [`SCHEMA_REVISION`] of an installed definition, in decimal.
pub const SCHEMA_REVISION_ANNOTATION: &str = "copyrator.dev/schema-revision";

/// All our definitions, in the order in which they are installed and printed.
pub fn custom_resource_definitions() -> Vec<CustomResourceDefinition> {
    vec![definition::<CopyratorRule>(), definition::<ExchangeRate>()]
}

/// A kind's definition, with the marks that tell whose it is, and how new.
pub(super) fn definition<Kind: CustomResourceExt>() -> CustomResourceDefinition {
    let mut definition = Kind::crd();
    let text = |key: &str, value: String| BTreeMap::from([(key.to_owned(), value)]);
    definition.metadata.labels = Some(text(
        "app.kubernetes.io/managed-by",
        "kubectl-copyrator".to_owned(),
    ));
    definition.metadata.annotations = Some(text(
        SCHEMA_REVISION_ANNOTATION,
        SCHEMA_REVISION.to_string(),
    ));
    let versions = definition.spec.versions.iter_mut();
    for schema in
        versions.filter_map(|version| version.schema.as_mut()?.open_api_v3_schema.as_mut())
    {
        declare_name(schema);
        unwrap_descriptions(schema);
    }
    definition
}

/// Declares `metadata.name`, so that a rule about the name can give it as its `fieldPath`.
fn declare_name(schema: &mut JSONSchemaProps) {
    let name = JSONSchemaProps {
        type_: Some("string".to_owned()),
        ..Default::default()
    };
    let metadata = JSONSchemaProps {
        type_: Some("object".to_owned()),
        properties: Some(BTreeMap::from([("name".to_owned(), name)])),
        ..Default::default()
    };
    schema
        .properties
        .get_or_insert_default()
        .insert("metadata".to_owned(), metadata);
}

/// Makes each description one line: `kubectl explain` breaks lines by itself, and would keep those
/// of our doc comments.
fn unwrap_descriptions(schema: &mut JSONSchemaProps) {
    if let Some(description) = &mut schema.description {
        *description = description.replace('\n', " ");
    }
    schema
        .properties
        .iter_mut()
        .flatten()
        .for_each(|(_, nested)| unwrap_descriptions(nested));
    if let Some(JSONSchemaPropsOrArray::Schema(items)) = &mut schema.items {
        unwrap_descriptions(items);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::yaml;

    #[test]
    fn the_definitions_are_those_of_the_schema_revision() {
        let text = yaml::to_yaml_documents(&custom_resource_definitions()).unwrap();
        // Changed on purpose? Raise SCHEMA_REVISION, then accept the new snapshot.
        insta::assert_snapshot!(format!("revision_{SCHEMA_REVISION}"), text);
    }
}
