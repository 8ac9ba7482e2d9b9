//! Counts what goes, and what stays, when the definitions are removed.

use std::fmt;

use http::Method;
use serde::{Deserialize, de::IgnoredAny};

use super::Definitions;
use crate::{
    cluster::request::{Outgoing, Scale},
    reconcile::{Depth, Failure, MANAGED_BY, MANAGED_BY_LABEL},
};

/// How many objects a page of the count has: nothing of them is kept.
const PAGE: u32 = 5_000;

/// How many there are, as far as we may know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Count {
    /// That many.
    Of(usize),
    /// We may not list them.
    Unknown,
}

impl fmt::Display for Count {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Of(count) => write!(formatter, "{count}"),
            Self::Unknown => formatter.write_str("an unknown number of"),
        }
    }
}

#[derive(Deserialize)]
struct Page {
    #[serde(default)]
    metadata: PageMetadata,
    items: Option<Vec<IgnoredAny>>,
}

#[derive(Default, Deserialize)]
struct PageMetadata {
    #[serde(default, rename = "continue")]
    continue_token: Option<String>,
}

impl Definitions {
    /// Counts all the rules.
    pub async fn count_rules(&self) -> Result<Count, Failure> {
        self.count("/apis/copyrator.dev/v1alpha1/copyratorrules", None)
            .await
    }

    /// Counts the copies of one kind: `secrets` or `configmaps`.
    pub async fn count_copies(&self, plural: &str) -> Result<Count, Failure> {
        let selector = format!("{MANAGED_BY_LABEL}={MANAGED_BY}");
        self.count(&format!("/api/v1/{plural}"), Some(&selector))
            .await
    }

    async fn count(&self, path: &str, selector: Option<&str>) -> Result<Count, Failure> {
        let (mut count, mut continue_token) = (0, None);
        loop {
            let outgoing = Outgoing {
                method: Method::GET,
                uri: format!("{path}?{}", parameters(selector, continue_token.as_deref())),
                scale: Scale::Collection,
                depth: Depth::Metadata,
                body: None,
            };
            let answer = match self.sender.send(outgoing).await {
                Ok(answer) => answer,
                Err(Failure::Forbidden(_)) => return Ok(Count::Unknown),
                Err(Failure::NotFound(_)) => return Ok(Count::Of(count)),
                Err(failure) => return Err(failure),
            };
            let page: Page = serde_json::from_slice(&answer)
                .map_err(|error| Failure::Malformed(error.to_string()))?;
            count += page.items.map_or(0, |items| items.len());
            continue_token = page
                .metadata
                .continue_token
                .filter(|token| !token.is_empty());
            if continue_token.is_none() {
                return Ok(Count::Of(count));
            }
        }
    }
}

fn parameters(selector: Option<&str>, continue_token: Option<&str>) -> String {
    let mut parameters = form_urlencoded::Serializer::new(String::new());
    parameters.append_pair("limit", &PAGE.to_string());
    if let Some(selector) = selector {
        parameters.append_pair("labelSelector", selector);
    }
    if let Some(token) = continue_token {
        parameters.append_pair("continue", token);
    }
    parameters.finish()
}
