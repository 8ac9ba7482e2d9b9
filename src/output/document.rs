//! One object before and after a change, as the YAML documents that a diff compares.

use std::collections::BTreeMap;

use serde::Serialize;

use super::{
    Secrecy,
    machine::to_yaml,
    mask::{MASK, Shown, is_secret, show},
};
use crate::reconcile::{
    ADOPTED_ANNOTATION, ANNOTATION_MARKS, CARRIED_ANNOTATION, CONTENT_ANNOTATION, CarriedKeys,
    Content, Desired, MANAGED_BY, MANAGED_BY_LABEL, Namespace, OWNER_ANNOTATION, ObjectKey,
    Observed, OwnerKind, PRUNE_ANNOTATION, PrunePolicy, SET_LABEL, SOURCE_ANNOTATION,
    TARGET_ANNOTATION, target_mark,
};

/// One state of an object: its content, our marks on it and what it takes over of its original's
/// metadata.
pub struct Document<'a> {
    /// What it holds.
    pub content: &'a Content,
    /// Whether that can't be changed any more.
    pub immutable: bool,
    /// The uid of the owner that it goes away with, if it has one.
    pub owner_uid: Option<&'a str>,
    /// Its labels that are of interest.
    pub labels: BTreeMap<String, String>,
    /// Its annotations that are of interest.
    pub annotations: BTreeMap<String, String>,
}

/// An object as it is, read whole.
pub struct Live {
    /// What the decision saw of it.
    pub observed: Observed,
    /// What it holds.
    pub content: Content,
    /// All its labels.
    pub labels: BTreeMap<String, String>,
    /// All its annotations.
    pub annotations: BTreeMap<String, String>,
    /// What its owners are called, if it has one.
    pub owner_kind: &'static OwnerKind,
}

impl Live {
    fn owner_uid(&self) -> Option<&str> {
        let references = self.observed.owner_references.as_ref()?;
        references.ours.as_ref().map(|(_, uid)| &**uid)
    }

    fn is_immutable(&self) -> bool {
        let actual = self.observed.actual.as_ref();
        actual.is_some_and(|actual| actual.immutable)
    }
}

impl<'a> Document<'a> {
    /// What an object should be.
    pub fn desired(desired: &'a Desired) -> Self {
        let template = &*desired.template;
        let carried = template.carried();
        let owner = &template.owner;
        let mut labels = owned(&carried.labels);
        labels.extend([
            (MANAGED_BY_LABEL.to_owned(), MANAGED_BY.to_owned()),
            (owner.kind.label.to_owned(), owner.name.to_string()),
            (SET_LABEL.to_owned(), owner.set.to_string()),
        ]);
        let mut annotations = owned(&carried.annotations);
        annotations.extend([
            (OWNER_ANNOTATION.to_owned(), owner.to_mark()),
            (SOURCE_ANNOTATION.to_owned(), template.source.to_string()),
            (TARGET_ANNOTATION.to_owned(), target_mark(&desired.key)),
            (CONTENT_ANNOTATION.to_owned(), template.hash().to_string()),
            (
                PRUNE_ANNOTATION.to_owned(),
                template.policies.prune.as_str().to_owned(),
            ),
        ]);
        if template.carried_digest().is_some() {
            annotations.insert(CARRIED_ANNOTATION.to_owned(), carried.keys().to_mark());
        }
        Self {
            content: template.content(),
            immutable: false,
            owner_uid: template.owner_reference().map(|owner| &*owner.uid),
            labels,
            annotations,
        }
    }

    /// What an object should be that isn't to be made anew: what it was before it was taken over is
    /// remembered.
    pub fn changed(desired: &'a Desired, live: &Live) -> Self {
        let mut document = Self::desired(desired);
        document.immutable = live.is_immutable();
        let foreign = live.observed.foreign.as_ref();
        let adopted = foreign.map(|foreign| foreign.managed_by.clone().unwrap_or_default());
        if let Some(former) = adopted.or_else(|| live.observed.marks.adopted.clone()) {
            document
                .annotations
                .insert(ADOPTED_ANNOTATION.to_owned(), former.into());
        }
        document
    }

    /// What an object is: of its labels and annotations those that are marks of ours, were taken over or
    /// are about to be.
    pub fn live(live: &'a Live, desired: Option<&Desired>) -> Self {
        let carried = live.observed.carried.as_ref().map(|carried| &carried.keys);
        let wanted = desired.map(|desired| desired.template.carried().keys());
        let is_carried = |keys: fn(&CarriedKeys) -> &[Box<str>], key: &str| {
            let mut lists = carried.into_iter().chain(&wanted).map(keys);
            lists.any(|list| list.iter().any(|one| &**one == key))
        };
        let is_label = |key: &str| {
            [MANAGED_BY_LABEL, SET_LABEL, live.owner_kind.label].contains(&key)
                || is_carried(|keys| &keys.labels, key)
        };
        let is_annotation = |key: &str| {
            ANNOTATION_MARKS.contains(&key) || is_carried(|keys| &keys.annotations, key)
        };
        Self {
            content: &live.content,
            immutable: live.is_immutable(),
            owner_uid: live.owner_uid(),
            labels: only(&live.labels, is_label),
            annotations: only(&live.annotations, is_annotation),
        }
    }

    /// What an object is once it is marked as one that stays.
    pub fn orphaned(live: &'a Live) -> Self {
        let mut document = Self::live(live, None);
        let policy = PrunePolicy::Orphan.as_str();
        document.owner_uid = None;
        document
            .annotations
            .insert(PRUNE_ANNOTATION.to_owned(), policy.to_owned());
        document
    }

    /// What is left of an object that our marks are taken off.
    pub fn released(live: &'a Live) -> Self {
        let mut document = Self::live(live, None);
        document.owner_uid = None;
        let former = live.observed.marks.adopted.as_deref().unwrap_or_default();
        let marks = [MANAGED_BY_LABEL, SET_LABEL, live.owner_kind.label];
        document
            .labels
            .retain(|key, _| !marks.contains(&key.as_str()));
        if !former.is_empty() {
            document
                .labels
                .insert(MANAGED_BY_LABEL.to_owned(), former.to_owned());
        }
        document
            .annotations
            .retain(|key, _| !ANNOTATION_MARKS.contains(&key.as_str()));
        document
    }
}

fn owned(map: &BTreeMap<Box<str>, Box<str>>) -> BTreeMap<String, String> {
    map.iter()
        .map(|(key, value)| (key.to_string(), value.to_string()))
        .collect()
}

fn only(map: &BTreeMap<String, String>, keep: impl Fn(&str) -> bool) -> BTreeMap<String, String> {
    let kept = map.iter().filter(|(key, _)| keep(key));
    kept.map(|(key, value)| (key.clone(), value.clone()))
        .collect()
}

/// An object that is about to change; a state that is none is an object that isn't there.
pub struct Change<'a> {
    /// The object.
    pub key: &'a ObjectKey,
    /// What it is.
    pub before: Option<Document<'a>>,
    /// What it will be.
    pub after: Option<Document<'a>>,
}

/// Both states as YAML, empty where the object isn't there.
#[derive(Debug)]
pub struct Rendered {
    /// What the object is.
    pub before: String,
    /// What it will be.
    pub after: String,
}

impl Change<'_> {
    /// The name of the object's file, as in `kubectl diff`. It can't be a path: neither a
    /// namespace nor an object's name has a slash in it.
    pub fn file_name(&self) -> String {
        let resource = self.key.resource;
        let group = match resource.group {
            "" => String::new(),
            group => format!("{group}."),
        };
        let namespace = self.key.namespace.as_ref().map_or("", |name| name.as_str());
        let name = format!(
            "{group}{}.{}.{namespace}.{}",
            resource.version, resource.kind, self.key.name
        );
        name.replace(['/', '\\'], "_")
    }

    /// Renders both states. They are rendered together, because a masked value only tells
    /// whether it equals its counterpart.
    pub fn render(&self, secrecy: Secrecy) -> Rendered {
        let nothing = Content::default();
        let before = self
            .before
            .as_ref()
            .map_or(&nothing, |document| document.content);
        let after = self
            .after
            .as_ref()
            .map_or(&nothing, |document| document.content);
        let pair = |old, new| show(old, new, self.key.resource, secrecy);
        let data: (Shown<'_>, _) = pair(&before.data, &after.data);
        let binary: (Shown<'_>, _) = pair(&before.binary_data, &after.binary_data);
        let hashes = self.hashes(secrecy);
        Rendered {
            before: self.yaml(self.before.as_ref(), data.0, binary.0, hashes.0),
            after: self.yaml(self.after.as_ref(), data.1, binary.1, hashes.1),
        }
    }

    /// What to show instead of the hashes of the content: a hash of a short secret is as good as
    /// the secret to who can try them all.
    fn hashes(&self, secrecy: Secrecy) -> (Option<String>, Option<String>) {
        if secrecy == Secrecy::Shown || !is_secret(self.key.resource) {
            return (None, None);
        }
        let mark = |document: &Option<Document<'_>>| {
            document
                .as_ref()
                .and_then(|document| document.annotations.get(CONTENT_ANNOTATION).cloned())
        };
        let (before, after) = (mark(&self.before), mark(&self.after));
        if before.is_some() && after.is_some() && before != after {
            (
                Some(format!("{MASK} (before)")),
                Some(format!("{MASK} (after)")),
            )
        } else {
            (
                before.map(|_| MASK.to_owned()),
                after.map(|_| MASK.to_owned()),
            )
        }
    }

    fn yaml(
        &self,
        document: Option<&Document<'_>>,
        data: Shown<'_>,
        binary_data: Shown<'_>,
        hash: Option<String>,
    ) -> String {
        let Some(document) = document else {
            return String::new();
        };
        let mut annotations = document.annotations.clone();
        if let Some(hash) = hash {
            annotations.insert(CONTENT_ANNOTATION.to_owned(), hash);
        }
        let manifest = Manifest {
            api_version: self.key.resource.api_version(),
            kind: self.key.resource.kind,
            metadata: Metadata {
                name: self.key.name.as_str(),
                namespace: self.key.namespace.as_ref().map(Namespace::as_str),
                labels: &document.labels,
                annotations,
                owner_references: document.owner_uid.map(|uid| [Reference { uid }]),
            },
            r#type: document.content.r#type.as_deref(),
            immutable: document.immutable,
            data,
            binary_data,
        };
        to_yaml(&manifest).expect("maps of strings have a YAML form")
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Manifest<'a> {
    api_version: String,
    kind: &'a str,
    metadata: Metadata<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    r#type: Option<&'a str>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    immutable: bool,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    data: Shown<'a>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    binary_data: Shown<'a>,
}

#[derive(Serialize)]
struct Metadata<'a> {
    name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    namespace: Option<&'a str>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    labels: &'a BTreeMap<String, String>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    annotations: BTreeMap<String, String>,
    #[serde(rename = "ownerReferences", skip_serializing_if = "Option::is_none")]
    owner_references: Option<[Reference<'a>; 1]>,
}

#[derive(Serialize)]
struct Reference<'a> {
    uid: &'a str,
}

#[cfg(test)]
#[path = "document_tests.rs"]
mod tests;
