//! What each object that is read, and each answer of a provider, is reduced to.

use std::collections::BTreeMap;

use base64::{Engine as _, prelude::BASE64_STANDARD};
use secrecy::SecretString;
use serde::{Deserialize, de::IgnoredAny};

use super::{loaded::LoadedRate, published::PublishedMap, source::EXCHANGE_RATES};
use crate::{
    rates::{
        Quotations,
        provider::{Feed, FetchError, ProviderType},
    },
    reconcile::{Content, DEFINITIONS, Input, RawObject, SECRETS, UnexpectedShape},
};

/// The values of a Secret by their keys.
pub type SecretValues = BTreeMap<Box<str>, SecretString>;

/// What one thing that was read says that matters for rates.
pub enum Fact {
    /// An `ExchangeRate`.
    Rate(Box<LoadedRate>),
    /// A ConfigMap that publishes rates.
    Published(Box<PublishedMap>),
    /// The values of a Secret that may hold a provider's key, by their keys. One that isn't text is left
    /// out: no key is.
    Keys(SecretValues),
    /// What a provider answered.
    Answer(Result<Quotations, FetchError>),
    /// The definition of `ExchangeRate`s.
    Definition {
        /// Whether it is being deleted.
        leaving: bool,
    },
}

#[derive(Deserialize)]
struct WithMetadata {
    metadata: Metadata,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Metadata {
    #[serde(default)]
    deletion_timestamp: Option<IgnoredAny>,
}

/// Reduces an object of an input; `asked` are the providers that take the place of those in specs.
pub fn reduce(
    input: &Input<Feed>,
    object: RawObject<'_>,
    asked: &[ProviderType],
) -> Result<Option<Fact>, UnexpectedShape> {
    Ok(match input {
        Input::Feed(_) => None,
        Input::Get(key) if key.resource == &DEFINITIONS => {
            let WithMetadata { metadata } = object.parse()?;
            let leaving = metadata.deletion_timestamp.is_some();
            Some(Fact::Definition { leaving })
        }
        Input::Get(key) if key.resource == &SECRETS => Some(Fact::Keys(keys(&object.parse()?))),
        Input::List(query) if query.resource == &EXCHANGE_RATES => {
            Some(Fact::Rate(Box::new(LoadedRate::parse(object, asked)?)))
        }
        Input::List(_) | Input::Get(_) => {
            PublishedMap::parse(object)?.map(|one| Fact::Published(Box::new(one)))
        }
    })
}

fn keys(content: &Content) -> SecretValues {
    let values = content.data.iter().filter_map(|(key, value)| {
        let bytes = BASE64_STANDARD.decode(value.expose()).ok()?;
        let text = String::from_utf8(bytes).ok()?;
        // Many a Secret was made by `echo key | base64`.
        Some((
            key.clone(),
            SecretString::from(text.trim_end_matches(['\r', '\n'])),
        ))
    });
    values.collect()
}
