//! The bodies of our writes.

use std::fmt::Write as _;

use serde::Serialize;
use serde_json::json;

use crate::reconcile::{
    CONTENT_ANNOTATION, Content, Desired, MANAGED_BY, MANAGED_BY_LABEL, Observed, PRUNE_ANNOTATION,
    SECRETS, SET_LABEL, SOURCE_ANNOTATION, TARGET_ANNOTATION, Value, target_mark,
};

/// One of our labels or annotations, with its value.
type Mark = (&'static str, String);

fn label_marks(desired: &Desired, owner_label: &'static str) -> [Mark; 3] {
    let owner = &desired.template.owner;
    [
        (MANAGED_BY_LABEL, MANAGED_BY.to_owned()),
        (owner_label, owner.name.to_string()),
        (SET_LABEL, owner.set.to_string()),
    ]
}

fn annotation_marks(desired: &Desired) -> [Mark; 4] {
    let template = &desired.template;
    [
        (SOURCE_ANNOTATION, template.source.to_string()),
        (TARGET_ANNOTATION, target_mark(&desired.key)),
        (CONTENT_ANNOTATION, template.hash().to_string()),
        (PRUNE_ANNOTATION, template.prune.as_str().to_owned()),
    ]
}

/// The body of a POST that makes the object.
pub fn create(desired: &Desired, owner_label: &'static str) -> String {
    let key = &desired.key;
    let content = desired.template.json(content_members);
    let mut body = String::with_capacity(content.len() + 1024);
    let mut members = Members::open(&mut body);
    members.add("apiVersion", &key.resource.api_version());
    members.add("kind", key.resource.kind);
    members.add("metadata", &metadata(desired, owner_label));
    members.add_serialized(content);
    members.close();
    body
}

fn metadata(desired: &Desired, owner_label: &'static str) -> serde_json::Value {
    json!({
        "name": desired.key.name,
        "namespace": desired.key.namespace,
        "labels": map(label_marks(desired, owner_label)),
        "annotations": map(annotation_marks(desired)),
    })
}

fn map<const N: usize>(marks: [Mark; N]) -> serde_json::Map<String, serde_json::Value> {
    marks
        .into_iter()
        .map(|(name, value)| (name.to_owned(), value.into()))
        .collect()
}

/// The members `type`, `data` and `binaryData` as they stand in an object's JSON, without its braces.
fn content_members(content: &Content) -> String {
    let mut text = String::new();
    let mut members = Members {
        body: &mut text,
        first: true,
    };
    if let Some(r#type) = &content.r#type {
        members.add("type", r#type);
    }
    members.add("data", &Exposed(&content.data));
    if !content.binary_data.is_empty() {
        members.add("binaryData", &Exposed(&content.binary_data));
    }
    text
}

/// The body of a JSON Patch that writes content and marks onto the observed state of the object.
///
/// The resourceVersion is set by `replace`, which the API server checks and answers with 409 on a
/// mismatch; it also pins the uid, because no two objects share a resourceVersion. A `test` would
/// answer 422, like an immutable field. `add` on a member that is there replaces it (RFC 6902 §4.1).
pub fn update(desired: &Desired, observed: &Observed, owner_label: &'static str) -> String {
    let mut patch = Patch(Vec::new());
    patch.operation(
        "replace",
        "/metadata/resourceVersion",
        json!(observed.version.resource_version),
    );
    patch.marks(
        "/metadata/labels",
        observed.present.labels,
        label_marks(desired, owner_label),
    );
    patch.marks(
        "/metadata/annotations",
        observed.present.annotations,
        annotation_marks(desired),
    );
    let content = desired.template.content();
    if let Some(r#type) = &content.r#type {
        patch.operation("add", "/type", json!(r#type));
    }
    patch.operation("add", "/data", json!(Exposed(&content.data)));
    if desired.key.resource != &SECRETS {
        patch.operation("add", "/binaryData", json!(Exposed(&content.binary_data)));
    }
    serde_json::Value::Array(patch.0).to_string()
}

/// The body of a DELETE of exactly the observed state. A dry run is asked for here, because the API
/// server ignores the query string of a DELETE that has a body.
pub fn delete(observed: &Observed, dry_run: bool) -> String {
    let dry_run: &[&str] = if dry_run { &["All"] } else { &[] };
    json!({
        "apiVersion": "v1",
        "kind": "DeleteOptions",
        "propagationPolicy": "Background",
        "dryRun": dry_run,
        "preconditions": {
            "uid": observed.version.uid,
            "resourceVersion": observed.version.resource_version,
        },
    })
    .to_string()
}

struct Patch(Vec<serde_json::Value>);

impl Patch {
    fn operation(&mut self, operation: &str, path: &str, value: impl Serialize) {
        self.0
            .push(json!({"op": operation, "path": path, "value": value}));
    }

    /// A member can only be added to a map that is there.
    fn marks<const N: usize>(&mut self, path: &str, present: bool, marks: [Mark; N]) {
        if !present {
            self.operation("add", path, json!({}));
        }
        for (name, value) in marks {
            self.operation("add", &format!("{path}/{}", escape(name)), value);
        }
    }
}

/// Escapes a member's name for a JSON Pointer (RFC 6901 §3).
fn escape(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}

/// Writes the members of one JSON object.
struct Members<'a> {
    body: &'a mut String,
    first: bool,
}

impl<'a> Members<'a> {
    fn open(body: &'a mut String) -> Self {
        body.push('{');
        Self { body, first: true }
    }

    fn add(&mut self, name: &str, value: &(impl Serialize + ?Sized)) {
        let value = serde_json::to_string(value).expect("strings and maps of strings are JSON");
        self.separate();
        write!(self.body, "\"{name}\":{value}").expect("a String takes all writes");
    }

    fn add_serialized(&mut self, members: &str) {
        self.separate();
        self.body.push_str(members);
    }

    fn separate(&mut self) {
        if !std::mem::take(&mut self.first) {
            self.body.push(',');
        }
    }

    fn close(self) {
        self.body.push('}');
    }
}

/// Values on their way to the API server.
struct Exposed<'a>(&'a std::collections::BTreeMap<Box<str>, Value>);

impl Serialize for Exposed<'_> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(key, value)| (key, value.expose())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_escaped_as_json_pointers() {
        assert_eq!(
            escape("app.kubernetes.io/managed-by"),
            "app.kubernetes.io~1managed-by"
        );
        assert_eq!(escape("a~b/c"), "a~0b~1c");
    }
}
