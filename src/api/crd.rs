//! Our CustomResourceDefinitions, as `crd install` applies them and `crd print` shows them.

use std::collections::BTreeMap;

use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
use kube::CustomResourceExt;

use super::CopyratorRule;

/// Counts the changes of the schemas, so that an installed definition can be told to be older or
/// newer than this program's. Raise it with every change; a test compares the definitions with a
/// snapshot to remind of that.
pub const SCHEMA_REVISION: u32 = 1;

/// The annotation that holds the [`SCHEMA_REVISION`] of an installed definition, in decimal.
pub const SCHEMA_REVISION_ANNOTATION: &str = "copyrator.dev/schema-revision";

/// All our definitions, in the order in which they are installed and printed.
pub fn custom_resource_definitions() -> Vec<CustomResourceDefinition> {
    [CopyratorRule::crd()].map(marked).into()
}

/// Adds the marks that tell whose the definition is, and how new.
fn marked(mut definition: CustomResourceDefinition) -> CustomResourceDefinition {
    let text = |key: &str, value: String| BTreeMap::from([(key.to_owned(), value)]);
    definition.metadata.labels =
        Some(text("app.kubernetes.io/managed-by", "kubectl-copyrator".to_owned()));
    definition.metadata.annotations =
        Some(text(SCHEMA_REVISION_ANNOTATION, SCHEMA_REVISION.to_string()));
    definition
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
