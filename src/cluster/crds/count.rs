//! Counts objects, page by page, without keeping any.

use form_urlencoded::Serializer;
use serde::{Deserialize, de::IgnoredAny};

use super::{Definitions, WantedDefinition};
use crate::{
    cluster::urls,
    reconcile::{ApiError, Failure, ResourceType, Verb},
};

/// Metadata is small, and pages cost a round trip each.
const PAGE_LIMIT: &str = "5000";

#[derive(Deserialize)]
struct Page {
    #[serde(default)]
    metadata: PageMetadata,
    items: Option<Vec<IgnoredAny>>,
}

#[derive(Default, Deserialize)]
struct PageMetadata {
    #[serde(default, rename = "continue")]
    continue_token: String,
}

impl Definitions {
    /// How many objects of a definition there are; none when it isn't served.
    pub async fn count_objects(&self, wanted: &WantedDefinition) -> Result<usize, ApiError> {
        match self.count(&wanted.collection(), "").await {
            Err(failure) if failure.is_unknown_resource() => Ok(0),
            counted => counted.map_err(|failure| list_error(wanted.qualified_plural(), failure)),
        }
    }

    /// How many objects of a resource have these labels, in all namespaces.
    pub async fn count_labelled(
        &self,
        resource: &ResourceType,
        labels: &str,
    ) -> Result<usize, ApiError> {
        let counted = self.count(&urls::collection(resource, None), labels).await;
        counted.map_err(|failure| list_error(&resource.qualified_plural(), failure))
    }

    async fn count(&self, collection: &str, labels: &str) -> Result<usize, Failure> {
        let mut count = 0;
        let mut continue_token = String::new();
        loop {
            let parameters = parameters(labels, &continue_token);
            let body = self.page(collection, &parameters).await?;
            let page: Page = serde_json::from_slice(&body)
                .map_err(|error| Failure::Malformed(error.to_string()))?;
            count += page.items.map_or(0, |items| items.len());
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
