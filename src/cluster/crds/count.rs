//! Counts objects, page by page, without keeping any.

use std::collections::BTreeMap;

use form_urlencoded::Serializer;
use serde::{Deserialize, de::DeserializeOwned, de::IgnoredAny};

use super::{Definitions, WantedDefinition};
use crate::{
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

/// As much of an object as tells whether it is ours: a clone bears the mark of another object.
#[derive(Deserialize)]
struct Marked {
    metadata: MarkedMetadata,
}

#[derive(Deserialize)]
struct MarkedMetadata {
    namespace: String,
    name: String,
    #[serde(default)]
    annotations: BTreeMap<String, String>,
}

impl Marked {
    fn is_on_its_target(&self) -> bool {
        let MarkedMetadata {
            namespace,
            name,
            annotations,
        } = &self.metadata;
        annotations.get(TARGET_ANNOTATION) == Some(&format!("{namespace}/{name}"))
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
        match self
            .count(&wanted.collection(), "", |_: &IgnoredAny| true)
            .await
        {
            Err(failure) if failure.is_unknown_resource() => Ok(0),
            counted => counted.map_err(|failure| list_error(wanted.qualified_plural(), failure)),
        }
    }

    /// How many objects of a resource that have these labels are ours, in all namespaces.
    pub async fn count_ours(
        &self,
        resource: &ResourceType,
        labels: &str,
    ) -> Result<usize, ApiError> {
        let collection = urls::collection(resource, None);
        let counted = self
            .count(&collection, labels, Marked::is_on_its_target)
            .await;
        counted.map_err(|failure| list_error(&resource.qualified_plural(), failure))
    }

    async fn count<T: DeserializeOwned>(
        &self,
        collection: &str,
        labels: &str,
        is_counted: impl Fn(&T) -> bool,
    ) -> Result<usize, Failure> {
        let mut count = 0;
        let mut continue_token = String::new();
        loop {
            let parameters = parameters(labels, &continue_token);
            let body = self.page(collection, &parameters).await?;
            let page: Page<T> = serde_json::from_slice(&body)
                .map_err(|error| Failure::Malformed(error.to_string()))?;
            let items = page.items.unwrap_or_default();
            count += items.iter().filter(|item| is_counted(item)).count();
            continue_token = page.metadata.continue_token;
            if continue_token.is_empty() {
                return Ok(count);
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
