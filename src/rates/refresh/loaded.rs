//! An `ExchangeRate` as it was loaded, or why it can't be used.

use std::sync::Arc;

use kube::ResourceExt as _;
use serde::{Deserialize, de::IgnoredAny};
use serde_json::Value;

use super::{
    exchange_rates::EXCHANGE_RATE_OWNERS,
    source::EXCHANGE_RATES,
    wish::{Wish, WishError},
};
use crate::{
    api::{ExchangeRate, ExchangeRateSpec, ExchangeRateStatus},
    rates::provider::{Origin, ProviderType},
    reconcile::{Namespace, Owner, OwnerReference, RawObject, SetName, UnexpectedShape},
};

/// An `ExchangeRate` as it was loaded.
pub struct LoadedRate {
    /// Who would own the ConfigMap.
    pub owner: Owner,
    /// When it was made, as RFC 3339 in UTC; empty for one from a file.
    pub created: Arc<str>,
    /// What it asks for, or why that can't be understood.
    pub wish: Result<Wish, String>,
    /// Itself as it was written, until it is checked against its schema.
    pub unchecked: Option<Box<ExchangeRate>>,
    /// Itself as an object of the cluster; none for one from a file.
    pub standing: Option<Standing>,
}

/// An `ExchangeRate` as an object of the cluster.
pub struct Standing {
    /// Its uid.
    pub uid: Box<str>,
    /// Its version.
    pub resource_version: Box<str>,
    /// How often what it asks for has changed.
    pub generation: Option<i64>,
    /// Whether it is being deleted.
    pub is_leaving: bool,
    /// What its status says.
    pub status: ExchangeRateStatus,
}

#[derive(Deserialize)]
struct WithMetadata {
    metadata: Metadata,
    #[serde(default)]
    spec: Value,
    #[serde(default)]
    status: Value,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Metadata {
    name: Arc<str>,
    namespace: Namespace,
    uid: Box<str>,
    resource_version: Box<str>,
    #[serde(default)]
    generation: Option<i64>,
    #[serde(default)]
    creation_timestamp: Option<Arc<str>>,
    #[serde(default)]
    deletion_timestamp: Option<IgnoredAny>,
}

impl LoadedRate {
    /// Reads one from the cluster, and leaves it to be checked. One that can't be used is still known by its
    /// name, so that what it published is kept.
    pub fn parse(object: RawObject<'_>, asked: &[ProviderType]) -> Result<Self, UnexpectedShape> {
        let WithMetadata {
            metadata,
            spec,
            status,
        } = object.parse()?;
        let owner = owner(SetName::cluster(), metadata.namespace, metadata.name);
        let read = serde_json::from_value::<ExchangeRateSpec>(spec);
        let read = read.map_err(|error| format!("spec: {error}"));
        let (wish, unchecked) = match read {
            Ok(spec) => {
                let wish = Wish::new(&owner, &spec, Origin::Cluster, asked).map_err(in_words);
                let mut whole = ExchangeRate::new(&owner.name, spec);
                whole.metadata.namespace = owner.namespace.as_ref().map(ToString::to_string);
                (wish, Some(Box::new(whole)))
            }
            Err(problem) => (Err(problem), None),
        };
        let standing = Standing {
            uid: metadata.uid,
            resource_version: metadata.resource_version,
            generation: metadata.generation,
            is_leaving: metadata.deletion_timestamp.is_some(),
            // One that can't be read is written anew.
            status: serde_json::from_value(status).unwrap_or_default(),
        };
        Ok(Self {
            owner,
            created: metadata.creation_timestamp.unwrap_or_else(|| "".into()),
            wish,
            unchecked,
            standing: Some(standing),
        })
    }

    /// Takes one from a file.
    pub fn from_file(rate: &ExchangeRate, set: SetName, asked: &[ProviderType]) -> Self {
        let namespace = rate.namespace().unwrap_or_default();
        let owner = owner(
            set,
            Namespace::from(namespace.as_str()),
            rate.name_any().into(),
        );
        Self {
            wish: Wish::new(&owner, &rate.spec, Origin::Own, asked).map_err(in_words),
            owner,
            created: "".into(),
            unchecked: None,
            standing: None,
        }
    }

    /// The reference that lets the cluster delete the ConfigMap together with its `ExchangeRate`.
    pub fn reference(&self) -> Option<OwnerReference> {
        let standing = self.standing.as_ref()?;
        Some(OwnerReference {
            api_version: EXCHANGE_RATES.api_version(),
            kind: EXCHANGE_RATES.kind,
            name: (&*self.owner.name).into(),
            uid: standing.uid.clone(),
            controller: true,
        })
    }

    /// What its status said before the run; nothing for one from a file.
    pub fn former_status(&self) -> Option<&ExchangeRateStatus> {
        self.standing.as_ref().map(|standing| &standing.status)
    }
}

#[expect(clippy::needless_pass_by_value, reason = "it stands in for a closure")]
fn in_words(error: WishError) -> String {
    error.to_string()
}

fn owner(set: SetName, namespace: Namespace, name: Arc<str>) -> Owner {
    Owner {
        kind: &EXCHANGE_RATE_OWNERS,
        set,
        namespace: Some(namespace),
        name,
    }
}
