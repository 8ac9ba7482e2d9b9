//! The URLs of the Kubernetes API: paths of collections and objects, and their query strings.

use std::time::Duration;

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
    select(&mut parameters, query);
    if let Some(token) = continue_token {
        parameters.append_pair("continue", token);
    }
    parameters.finish()
}

/// The query string of a watch from a state of the collection on. The API server ends it after
/// `lifetime`, and tells now and then which state has been reached
/// (<https://kubernetes.io/docs/reference/using-api/api-concepts/#watch-bookmarks>).
pub fn watch_parameters(query: &Query, since: &str, lifetime: Duration) -> String {
    let mut parameters = Serializer::new(String::new());
    parameters.append_pair("watch", "1");
    parameters.append_pair("resourceVersion", since);
    parameters.append_pair("allowWatchBookmarks", "true");
    parameters.append_pair("timeoutSeconds", &lifetime.as_secs().to_string());
    select(&mut parameters, query);
    parameters.finish()
}

fn select(parameters: &mut Serializer<'_, String>, query: &Query) {
    if !query.labels.is_empty() {
        parameters.append_pair("labelSelector", &query.labels);
    }
    if !query.fields.is_empty() {
        parameters.append_pair("fieldSelector", &query.fields);
    }
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
