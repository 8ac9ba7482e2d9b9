//! The URLs of the Kubernetes API: paths of collections and objects, and their query strings.

use form_urlencoded::Serializer;

use crate::reconcile::{FIELD_MANAGER, Namespace, ObjectKey, Query, ResourceType};

/// The path of a collection, in a namespace or across all of them.
pub fn collection(resource: &ResourceType, namespace: Option<&Namespace>) -> String {
    let root = if resource.group.is_empty() {
        format!("/api/{}", resource.version)
    } else {
        format!("/apis/{}/{}", resource.group, resource.version)
    };
    match namespace {
        Some(namespace) => format!("{root}/namespaces/{namespace}/{}", resource.plural),
        None => format!("{root}/{}", resource.plural),
    }
}

/// The path of one object.
pub fn object(key: &ObjectKey) -> String {
    let collection = collection(key.resource, key.namespace.as_ref());
    format!("{collection}/{}", key.name)
}

/// The query string of a list.
///
/// The resourceVersion stays unset: the answer is consistent, and comes from the watch cache all the same
/// (<https://kubernetes.io/docs/reference/using-api/api-concepts/#resource-versions>).
pub fn list_parameters(query: &Query, limit: u32, continue_token: Option<&str>) -> String {
    let mut parameters = Serializer::new(String::new());
    parameters.append_pair("limit", &limit.to_string());
    if !query.labels.is_empty() {
        parameters.append_pair("labelSelector", &query.labels);
    }
    if !query.fields.is_empty() {
        parameters.append_pair("fieldSelector", &query.fields);
    }
    if let Some(token) = continue_token {
        parameters.append_pair("continue", token);
    }
    parameters.finish()
}

/// The query string of a write, with our field manager.
pub fn write_parameters(dry_run: bool) -> String {
    let mut parameters = Serializer::new(String::new());
    parameters.append_pair("fieldManager", FIELD_MANAGER);
    if dry_run {
        parameters.append_pair("dryRun", "All");
    }
    parameters.finish()
}
