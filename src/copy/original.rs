//! An original: what is copied, and the labels by which it is selected.

use std::{collections::BTreeMap, sync::Arc};

use serde::Deserialize;

use super::exclusion::{Exclusion, exclusion};
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

/// Reads the key of an object.
pub fn parse_key(
    resource: &'static ResourceType,
    object: RawObject<'_>,
) -> Result<ObjectKey, UnexpectedShape> {
    let WithMetadata {
        metadata: Metadata {
            name, namespace, ..
        },
    } = object.parse()?;
    Ok(ObjectKey {
        namespace,
        resource,
        name,
    })
}
