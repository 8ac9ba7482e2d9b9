//! What a ConfigMap publishes already: the last good rates, and their history.

use jiff::civil::Date;
use serde::Deserialize;

use crate::{
    rates::{History, Published, RateSheet},
    reconcile::{
        CONFIG_MAPS, CONTENT_ANNOTATION, Content, ContentHash, Name, Namespace, OWNER_ANNOTATION,
        ObjectKey, RawObject, UnexpectedShape,
    },
};

/// The annotation on a ConfigMap that tells since which day its history was asked for: days that it lacks
/// after that are days that the provider lacks too.
pub const HISTORY_ANNOTATION: &str = "copyrator.dev/history-since";
/// The annotation on a ConfigMap whose rates are stale: `true`.
pub const STALE_ANNOTATION: &str = "copyrator.dev/stale";
/// The annotation on a ConfigMap whose rates are stale: why there are no newer ones, in a word.
pub const STALE_REASON_ANNOTATION: &str = "copyrator.dev/stale-reason";

/// What a ConfigMap publishes.
#[derive(Clone, Debug)]
pub struct PublishedMap {
    /// The ConfigMap.
    pub key: ObjectKey,
    /// The mark of its owner.
    pub owner: Box<str>,
    /// The rates, as far as they can be told from what is published; what somebody else has edited is no
    /// rate of ours.
    pub sheet: Option<RateSheet>,
    /// Whether it holds what we wrote.
    pub is_intact: bool,
    /// Since which day the history was asked for.
    pub filled_since: Option<Date>,
}

#[derive(Deserialize)]
struct WithMetadata {
    metadata: Metadata,
}

#[derive(Deserialize)]
struct Metadata {
    namespace: Namespace,
    name: Name,
    #[serde(default)]
    annotations: std::collections::BTreeMap<String, String>,
}

impl PublishedMap {
    /// Reads a ConfigMap; nothing if it bears no mark of an owner.
    pub fn parse(object: RawObject<'_>) -> Result<Option<Self>, UnexpectedShape> {
        let WithMetadata { metadata } = object.parse()?;
        let content: Content = object.parse()?;
        let annotation = |name: &str| metadata.annotations.get(name).map(String::as_str);
        let Some(owner) = annotation(OWNER_ANNOTATION) else {
            return Ok(None);
        };
        let written = annotation(CONTENT_ANNOTATION).and_then(ContentHash::parse);
        let is_intact = written == Some(content.hash());
        let since = annotation(HISTORY_ANNOTATION).and_then(|day| day.parse().ok());
        Ok(Some(Self {
            owner: owner.into(),
            is_intact,
            sheet: is_intact.then(|| sheet(&content)).flatten(),
            filled_since: since.filter(|_| is_intact),
            key: ObjectKey::namespaced(&CONFIG_MAPS, metadata.namespace, metadata.name),
        }))
    }

    /// The history that is published, if any is.
    pub fn history(&self) -> Option<&History> {
        let history = self.sheet.as_ref()?.history();
        (!history.days().is_empty()).then_some(history)
    }
}

fn sheet(content: &Content) -> Option<RateSheet> {
    let data = content.data.iter();
    let data = data.map(|(key, value)| (key.to_string(), value.expose().to_owned()));
    Published::read(&data.collect()).sheet
}
