//! An original: what is copied, and the labels by which it is selected.

use std::{collections::BTreeMap, sync::Arc};

use serde::Deserialize;

use super::{
    exclusion::{Exclusion, exclusion},
    fact::Candidate,
};
use crate::reconcile::{
    Content, Name, Namespace, ObjectKey, RawObject, ResourceType, UnexpectedShape,
};

/// An object that some rule may copy.
#[derive(Clone)]
pub struct Original {
    /// Which object.
    pub key: ObjectKey,
    /// Its labels.
    pub labels: BTreeMap<String, String>,
    /// Its annotations.
    pub annotations: BTreeMap<String, String>,
    /// What it holds.
    pub content: Arc<Content>,
    /// Why it is never copied, if so.
    pub exclusion: Option<Exclusion>,
}

/// What `kubectl apply` was given last: it repeats all values of a Secret.
const LAST_APPLIED: &str = "kubectl.kubernetes.io/last-applied-configuration";

#[derive(Deserialize)]
struct WithMetadata {
    metadata: Metadata,
}

#[derive(Deserialize)]
struct Metadata {
    name: Name,
    namespace: Option<Namespace>,
    #[serde(default)]
    labels: BTreeMap<String, String>,
    #[serde(default)]
    annotations: BTreeMap<String, String>,
}

impl Original {
    /// Whether copies of it would be the same as those of another state of it.
    pub fn is_same(&self, other: &Self) -> bool {
        self.labels == other.labels
            && self.annotations == other.annotations
            && self.exclusion == other.exclusion
            && self.content.hash() == other.content.hash()
    }

    /// Reads an object whole.
    pub fn parse(
        resource: &'static ResourceType,
        object: RawObject<'_>,
    ) -> Result<Self, UnexpectedShape> {
        let WithMetadata { metadata } = object.parse()?;
        let content: Content = object.parse()?;
        let Metadata {
            name,
            namespace,
            labels,
            mut annotations,
        } = metadata;
        annotations.remove(LAST_APPLIED);
        let key = ObjectKey {
            namespace,
            resource,
            name,
        };
        let exclusion = exclusion(&key, &labels, &annotations, content.r#type.as_deref());
        Ok(Self {
            key,
            labels,
            annotations,
            content: Arc::new(content),
            exclusion,
        })
    }
}

#[derive(Deserialize)]
struct WithVersion {
    metadata: Version,
}

#[derive(Deserialize)]
struct Version {
    name: Name,
    namespace: Option<Namespace>,
    #[serde(rename = "resourceVersion")]
    state: Box<str>,
}

/// Reads which object it is, and in which state.
pub fn parse_candidate(
    resource: &'static ResourceType,
    object: RawObject<'_>,
) -> Result<Candidate, UnexpectedShape> {
    let WithVersion { metadata } = object.parse()?;
    let key = ObjectKey {
        namespace: metadata.namespace,
        resource,
        name: metadata.name,
    };
    Ok(Candidate {
        key,
        version: metadata.state,
    })
}
