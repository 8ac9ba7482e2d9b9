//! One object before and after a change, as the YAML documents that a diff compares.

use std::collections::BTreeMap;

use serde::Serialize;

use super::{
    Secrecy,
    machine::to_yaml,
    mask::{MASK, Shown, is_secret, show},
};
use crate::reconcile::{
    CONTENT_ANNOTATION, Content, ContentHash, Desired, MANAGED_BY, MANAGED_BY_LABEL, Namespace,
    ObjectKey, Observed, Owner, PRUNE_ANNOTATION, PrunePolicy, SET_LABEL, SOURCE_ANNOTATION,
    TARGET_ANNOTATION, target_mark,
};

/// One state of an object: its content and our marks on it.
pub struct Document<'a> {
    /// What it holds.
    pub content: &'a Content,
    /// Those labels that are marks of ours.
    pub labels: BTreeMap<String, String>,
    /// Those annotations that are marks of ours.
    pub annotations: BTreeMap<String, String>,
}

impl<'a> Document<'a> {
    /// What an object should be. `owner_label` is the label in which the domain writes the owner.
    pub fn desired(desired: &'a Desired, owner_label: &str) -> Self {
        let template = &*desired.template;
        Self {
            content: template.content(),
            labels: labels(true, Some(&template.owner), owner_label),
            annotations: annotations(
                Some(&template.source),
                Some(target_mark(&desired.key)),
                Some(template.hash()),
                Some(template.prune),
            ),
        }
    }

    /// What an object was found to be, and to hold.
    pub fn observed(observed: &Observed, content: &'a Content, owner_label: &str) -> Self {
        let marks = &observed.marks;
        let target = marks.on_its_target.then(|| target_mark(&observed.key));
        Self {
            content,
            labels: labels(marks.managed, marks.owner.as_ref(), owner_label),
            annotations: annotations(marks.source.as_deref(), target, marks.content, marks.prune),
        }
    }
}

fn labels(managed: bool, owner: Option<&Owner>, owner_label: &str) -> BTreeMap<String, String> {
    let mut labels = BTreeMap::new();
    if managed {
        labels.insert(MANAGED_BY_LABEL.to_owned(), MANAGED_BY.to_owned());
    }
    if let Some(owner) = owner {
        labels.insert(owner_label.to_owned(), owner.name.to_string());
        labels.insert(SET_LABEL.to_owned(), owner.set.to_string());
    }
    labels
}

fn annotations(
    source: Option<&str>,
    target: Option<String>,
    content: Option<ContentHash>,
    prune: Option<PrunePolicy>,
) -> BTreeMap<String, String> {
    let marks = [
        (SOURCE_ANNOTATION, source.map(str::to_owned)),
        (TARGET_ANNOTATION, target),
        (CONTENT_ANNOTATION, content.map(|hash| hash.to_string())),
        (
            PRUNE_ANNOTATION,
            prune.map(|policy| policy.as_str().to_owned()),
        ),
    ];
    let present = |(name, mark): (&str, Option<String>)| Some((name.to_owned(), mark?));
    marks.into_iter().filter_map(present).collect()
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
            },
            r#type: document.content.r#type.as_deref(),
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
}

#[cfg(test)]
#[path = "document_tests.rs"]
mod tests;
