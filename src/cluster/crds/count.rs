//! Counts objects, page by page, without keeping any.

use std::collections::BTreeMap;

use form_urlencoded::Serializer;
use kube::Resource as _;
use serde::{Deserialize, de::DeserializeOwned, de::IgnoredAny};

use super::{Definitions, WantedDefinition};
use crate::{
    api::CopyratorRule,
    cluster::urls,
    reconcile::{ApiError, Failure, ResourceType, TARGET_ANNOTATION, Verb},
};

/// Metadata is small, and pages cost a round trip each.
const PAGE_LIMIT: &str = "5000";

#[derive(Deserialize)]
struct Page<T> {
    #[serde(default)]
    metadata: PageMetadata,
    items: Option<Vec<T>>,
}

/// Objects of ours, by what becomes of them once their owners are deleted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Made {
    /// Those that the cluster deletes then, because they refer to their owners.
    pub collected: usize,
    /// Those that stay.
    pub kept: usize,
}

impl Made {
    /// All of them.
    pub fn total(self) -> usize {
        self.collected + self.kept
    }
}

/// As much of an object as tells whether it is ours: a clone bears the mark of another object.
#[derive(Deserialize)]
struct Marked {
    metadata: MarkedMetadata,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct MarkedMetadata {
    namespace: String,
    name: String,
    #[serde(default)]
    annotations: BTreeMap<String, String>,
    #[serde(default)]
    owner_references: Vec<Reference>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Reference {
    api_version: String,
}

impl Marked {
    fn is_on_its_target(&self) -> bool {
        let MarkedMetadata {
            namespace,
            name,
            annotations,
            ..
        } = &self.metadata;
        annotations.get(TARGET_ANNOTATION) == Some(&format!("{namespace}/{name}"))
    }

    /// Whether it goes with its owners: all that it refers to are ours.
    fn is_collected(&self) -> bool {
        let references = &self.metadata.owner_references;
        let is_ours = |reference: &Reference| {
            let group = reference.api_version.split_once('/');
            group.is_some_and(|(group, _)| group == CopyratorRule::group(&()))
        };
        !references.is_empty() && references.iter().all(is_ours)
    }
}

#[derive(Default, Deserialize)]
struct PageMetadata {
    #[serde(default, rename = "continue")]
    continue_token: String,
}

impl Definitions {
    /// How many objects of a definition there are; none when it isn't served.
    pub async fn count_objects(&self, wanted: &WantedDefinition) -> Result<usize, ApiError> {
        let mut count = 0;
        let collection = wanted.collection();
        let counted = self.each(&collection, "", |_: IgnoredAny| count += 1);
        match counted.await {
            Err(failure) if failure.is_unknown_resource() => Ok(0),
            Err(failure) => Err(list_error(wanted.qualified_plural(), failure)),
            Ok(()) => Ok(count),
        }
    }

    /// How many objects of a resource that have these labels are ours, in all namespaces.
    pub async fn count_ours(
        &self,
        resource: &ResourceType,
        labels: &str,
    ) -> Result<Made, ApiError> {
        let collection = urls::collection(resource, None);
        let mut made = Made::default();
        let counted = self.each(&collection, labels, |object: Marked| {
            if !object.is_on_its_target() {
                return;
            }
            if object.is_collected() {
                made.collected += 1;
            } else {
                made.kept += 1;
            }
        });
        let counted = counted.await;
        counted.map_err(|failure| list_error(&resource.qualified_plural(), failure))?;
        Ok(made)
    }

    /// Hands over each object of a collection.
    async fn each<T: DeserializeOwned>(
        &self,
        collection: &str,
        labels: &str,
        mut take: impl FnMut(T),
    ) -> Result<(), Failure> {
        let mut continue_token = String::new();
        loop {
            let parameters = parameters(labels, &continue_token);
            let body = self.page(collection, &parameters).await?;
            let page: Page<T> = serde_json::from_slice(&body)
                .map_err(|error| Failure::Malformed(error.to_string()))?;
            page.items.into_iter().flatten().for_each(&mut take);
            continue_token = page.metadata.continue_token;
            if continue_token.is_empty() {
                return Ok(());
            }
        }
    }
}

fn parameters(labels: &str, continue_token: &str) -> String {
    let mut parameters = Serializer::new(String::new());
    parameters.append_pair("limit", PAGE_LIMIT);
    for (name, value) in [("labelSelector", labels), ("continue", continue_token)] {
        if !value.is_empty() {
            parameters.append_pair(name, value);
        }
    }
    parameters.finish()
}

fn list_error(subject: &str, failure: Failure) -> ApiError {
    ApiError {
        verb: Verb::List,
        subject: subject.to_owned(),
        failure,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_asked_for_is_sent() {
        assert_eq!(parameters("", ""), "limit=5000");
        assert_eq!(
            parameters("a/b=c,d", "x="),
            "limit=5000&labelSelector=a%2Fb%3Dc%2Cd&continue=x%3D"
        );
    }
}
