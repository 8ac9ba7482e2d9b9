//! The bodies of our writes.
//!
//! What all the objects of a template have in common is serialized once: of tens of thousands of
//! bodies only the names and the versions differ.

use std::{collections::BTreeMap, fmt::Write as _};

use serde::Serialize;
use serde_json::json;

use super::patch::{Patch, member};
use crate::reconcile::{
    ADOPTED_ANNOTATION, ANNOTATION_MARKS, CARRIED_ANNOTATION, CONTENT_ANNOTATION, Desired,
    MANAGED_BY, MANAGED_BY_LABEL, OWNER_ANNOTATION, ObjectVersion, Observed, ObservedReferences,
    PRUNE_ANNOTATION, PrunePolicy, SET_LABEL, SOURCE_ANNOTATION, Serialized, StatusUpdate,
    TARGET_ANNOTATION, Template, Value, target_mark,
};

/// The name that an object is tried under, to be completed by the API server.
const TRIED_NAME: &str = "copyrator-tried-";

/// The path of the version in a JSON Patch. It is set by `replace`, which the API server checks and
/// answers with 409 on a mismatch; it also pins the uid, because no two objects share a
/// resourceVersion. A `test` would answer 422, like an immutable field.
const RESOURCE_VERSION: &str = "/metadata/resourceVersion";

const LABELS: &str = "/metadata/labels";
const ANNOTATIONS: &str = "/metadata/annotations";
const OWNER_REFERENCES: &str = "/metadata/ownerReferences";

/// One label or annotation, with its value.
type Entry<'a> = (&'a str, String);

fn labels(template: &Template) -> Vec<Entry<'_>> {
    let owner = &template.owner;
    let marks = [
        (MANAGED_BY_LABEL, MANAGED_BY.to_owned()),
        (owner.kind.label, owner.name.to_string()),
        (SET_LABEL, owner.set.to_string()),
    ];
    let carried = template.carried().labels.iter();
    carried
        .map(|(key, value)| (&**key, value.to_string()))
        .chain(marks)
        .collect()
}

/// All annotations but the one that differs from object to object.
fn annotations(template: &Template) -> Vec<Entry<'_>> {
    let marks = [
        (OWNER_ANNOTATION, template.owner.to_mark()),
        (SOURCE_ANNOTATION, template.source.to_string()),
        (CONTENT_ANNOTATION, template.hash().to_string()),
        (
            PRUNE_ANNOTATION,
            template.policies.prune.as_str().to_owned(),
        ),
    ];
    let carried = template.carried();
    let keys = template
        .carried_digest()
        .map(|_| (CARRIED_ANNOTATION, carried.keys().to_mark()));
    let values = carried.annotations.iter();
    values
        .map(|(key, value)| (&**key, value.to_string()))
        .chain(marks)
        .chain(keys)
        .collect()
}

fn serialize(template: &Template) -> Serialized {
    Serialized {
        create: create_parts(template).into(),
        update: update_parts(template).into(),
        content: content_parts(template).into(),
    }
}

/// Everything of a creation from the labels on, but the members that come before: the names and the
/// one annotation that differs.
fn create_parts(template: &Template) -> String {
    let mut text = members(&annotations(template));
    let labels = members(&labels(template));
    write!(text, "}},\"labels\":{{{labels}}}").expect("a String takes all writes");
    if let Some(reference) = template.owner_reference() {
        push(&mut text, "ownerReferences", &[reference]);
    }
    text.push('}');
    let content = template.content();
    if let Some(r#type) = &content.r#type {
        push(&mut text, "type", r#type);
    }
    push(&mut text, "data", &Exposed(&content.data));
    if !content.binary_data.is_empty() {
        push(&mut text, "binaryData", &Exposed(&content.binary_data));
    }
    text.push('}');
    text
}

fn members(entries: &[Entry<'_>]) -> String {
    let map: serde_json::Map<String, serde_json::Value> = entries
        .iter()
        .map(|(name, value)| ((*name).to_owned(), value.as_str().into()))
        .collect();
    let text = json(&map);
    text[1..text.len() - 1].to_owned()
}

fn push(text: &mut String, name: &str, value: &(impl Serialize + ?Sized)) {
    write!(text, ",\"{name}\":{}", json(value)).expect("a String takes all writes");
}

fn json(value: &(impl Serialize + ?Sized)) -> String {
    serde_json::to_string(value).expect("strings and maps of strings are JSON")
}

/// The body of a POST that makes the object.
pub fn create(desired: &Desired) -> String {
    whole(desired, "name", desired.key.name.as_str(), None)
}

/// The body of a POST that tries the object under a name that nobody has.
pub fn try_create(desired: &Desired) -> String {
    whole(desired, "generateName", TRIED_NAME, None)
}

/// The body of a PUT that replaces the observed state of an object on which nothing is anybody else's.
pub fn replace(desired: &Desired, observed: &Observed) -> String {
    let version = Some(&observed.version);
    whole(desired, "name", desired.key.name.as_str(), version)
}

fn whole(
    desired: &Desired,
    name_member: &str,
    name: &str,
    version: Option<&ObjectVersion>,
) -> String {
    let template = &desired.template;
    let rest = &template.serialized(serialize).create;
    let resource = desired.key.resource;
    let mut body = String::with_capacity(rest.len() + 512);
    write!(
        body,
        "{{\"apiVersion\":{},\"kind\":{},\"metadata\":{{\"{name_member}\":{}",
        json(&resource.api_version()),
        json(resource.kind),
        json(name),
    )
    .expect("a String takes all writes");
    if let Some(namespace) = &desired.key.namespace {
        push(&mut body, "namespace", namespace.as_str());
    }
    if let Some(version) = version {
        push(&mut body, "uid", &version.uid);
        push(&mut body, "resourceVersion", &version.resource_version);
    }
    let target = json(&target_mark(&desired.key));
    write!(body, ",\"annotations\":{{\"{TARGET_ANNOTATION}\":{target},")
        .expect("a String takes all writes");
    body.push_str(rest);
    body
}

fn update_parts(template: &Template) -> String {
    let mut patch = Patch::default();
    for (name, value) in labels(template) {
        patch.add(&member(LABELS, name), &value);
    }
    let all = annotations(template).into_iter();
    for (name, value) in all.filter(|(name, _)| *name != CONTENT_ANNOTATION) {
        patch.add(&member(ANNOTATIONS, name), &value);
    }
    patch.operations(&content_parts(template));
    patch.into_operations()
}

fn content_parts(template: &Template) -> String {
    let mut patch = Patch::default();
    let hash = template.hash().to_string();
    patch.add(&member(ANNOTATIONS, CONTENT_ANNOTATION), &hash);
    let content = template.content();
    match &content.r#type {
        Some(r#type) => patch.add("/type", r#type),
        // Only Secrets have a type, and only ConfigMaps this.
        None => set_values(&mut patch, "/binaryData", &content.binary_data),
    }
    set_values(&mut patch, "/data", &content.data);
    patch.into_operations()
}

/// Writes values. Without any the member is removed: the API server takes an empty map for a change of
/// one that isn't there, and lets nobody make that change to an immutable object.
fn set_values(patch: &mut Patch, pointer: &str, values: &BTreeMap<Box<str>, Value>) {
    if values.is_empty() {
        patch.remove(pointer);
    } else {
        patch.add(pointer, &Exposed(values));
    }
}

/// The body of a JSON Patch that writes content and marks onto the observed state of the object.
pub fn update(desired: &Desired, observed: &Observed) -> String {
    let serialized = desired.template.serialized(serialize);
    let mut patch = Patch::default();
    patch.replace(RESOURCE_VERSION, &observed.version.resource_version);
    let is_marked = desired.has_its_marks(&observed.marks)
        && desired.has_its_metadata(observed)
        && desired.has_its_owner_reference(observed);
    if is_marked && observed.foreign.is_none() {
        patch.operations(&serialized.content);
    } else {
        prepare_metadata(&mut patch, desired, observed);
        patch.operations(&serialized.update);
    }
    patch.into_body()
}

/// Makes room for the marks, and writes those that differ from object to object.
fn prepare_metadata(patch: &mut Patch, desired: &Desired, observed: &Observed) {
    if !observed.present.labels {
        patch.add(LABELS, &json!({}));
    }
    if !observed.present.annotations {
        patch.add(ANNOTATIONS, &json!({}));
    }
    take_back_carried(patch, observed);
    refer_to_owner(patch, desired, observed);
    if let Some(foreign) = &observed.foreign {
        let former = foreign.managed_by.as_deref().unwrap_or_default();
        patch.add(&member(ANNOTATIONS, ADOPTED_ANNOTATION), former);
    }
    patch.add(
        &member(ANNOTATIONS, TARGET_ANNOTATION),
        &target_mark(&desired.key),
    );
}

/// Writes the reference to the owner; the references of others stay.
fn refer_to_owner(patch: &mut Patch, desired: &Desired, observed: &Observed) {
    let Some(wanted) = desired.template.owner_reference() else {
        return;
    };
    match observed.owner_references.as_deref() {
        None => patch.add(OWNER_REFERENCES, &[wanted]),
        Some(ObservedReferences { ours: None }) => {
            patch.add(&format!("{OWNER_REFERENCES}/-"), wanted);
        }
        Some(ObservedReferences {
            ours: Some((index, _)),
        }) => patch.replace(&format!("{OWNER_REFERENCES}/{index}"), wanted),
    }
}

/// Removes the reference to an owner: the object is to outlive it.
fn forget_owner(patch: &mut Patch, observed: &Observed) {
    let references = observed.owner_references.as_deref();
    if let Some((index, _)) = references.and_then(|references| references.ours.as_ref()) {
        patch.remove_present(&format!("{OWNER_REFERENCES}/{index}"));
    }
}

/// Takes away what the object took over earlier; what it should still have is added again after that.
fn take_back_carried(patch: &mut Patch, observed: &Observed) {
    let Some(carried) = &observed.carried else {
        return;
    };
    for name in &carried.keys.labels {
        patch.remove(&member(LABELS, name));
    }
    for name in &carried.keys.annotations {
        patch.remove(&member(ANNOTATIONS, name));
    }
    patch.remove(&member(ANNOTATIONS, CARRIED_ANNOTATION));
}

/// The body of a JSON Patch that marks the observed state of an object as one that stays.
pub fn orphan(observed: &Observed) -> String {
    let mut patch = Patch::default();
    patch.replace(RESOURCE_VERSION, &observed.version.resource_version);
    let policy = PrunePolicy::Orphan.as_str();
    patch.add(&member(ANNOTATIONS, PRUNE_ANNOTATION), policy);
    forget_owner(&mut patch, observed);
    patch.into_body()
}

/// The body of a JSON Patch that takes our marks off the observed state of an object. Its content, and
/// what it took over of its original's metadata, stays.
pub fn release(observed: &Observed) -> String {
    let mut patch = Patch::default();
    patch.replace(RESOURCE_VERSION, &observed.version.resource_version);
    if observed.present.labels {
        if let Some(owner) = &observed.marks.owner {
            patch.remove(&member(LABELS, owner.kind.label));
        }
        patch.remove(&member(LABELS, SET_LABEL));
        give_back_management(&mut patch, observed);
    }
    for annotation in ANNOTATION_MARKS {
        patch.remove(&member(ANNOTATIONS, annotation));
    }
    forget_owner(&mut patch, observed);
    patch.into_body()
}

/// Gives the label its former value, unless somebody else has written it since.
fn give_back_management(patch: &mut Patch, observed: &Observed) {
    let label = member(LABELS, MANAGED_BY_LABEL);
    match observed.marks.adopted.as_deref() {
        _ if !observed.marks.managed => (),
        Some("") | None => patch.remove(&label),
        Some(former) => patch.add(&label, former),
    }
}

/// The body of a JSON Patch that writes the status of the object that an owner is.
pub fn status(update: &StatusUpdate) -> String {
    let mut patch = Patch::default();
    patch.replace(RESOURCE_VERSION, &update.resource_version);
    patch.add("/status", &update.status);
    patch.into_body()
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

/// Values on their way to the API server.
struct Exposed<'a>(&'a BTreeMap<Box<str>, Value>);

impl Serialize for Exposed<'_> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(key, value)| (key, value.expose())))
    }
}
