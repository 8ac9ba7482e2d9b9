//! One place where rates are had, and what is asked for there.

use jiff::civil::Date;

use super::{Address, ProviderType};

/// One place where rates are had.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Source {
    kind: ProviderType,
    endpoint: Address,
    /// Whether the endpoint takes the place of the provider's own.
    is_given: bool,
    key: Option<KeySource>,
    given_by: Origin,
}

/// Where a key is kept.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum KeySource {
    /// The environment variable that [`super::Provider::needs_key`] names.
    Environment,
    /// A Secret.
    Secret {
        /// Its namespace.
        namespace: String,
        /// Its name.
        name: String,
        /// The key of its data.
        key: String,
    },
}

/// Who says that a source is to be asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Origin {
    /// The person at the prompt, in a file of their own.
    Own,
    /// An object in a cluster, which somebody else may have written.
    Cluster,
}

/// Why there is no such source.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SourceError {
    /// A provider without an address of its own was given none.
    #[error("the provider URL needs a url")]
    NoUrl,
    /// A file can't stand in for this provider.
    #[error("the provider {0} can't be asked in a file; only the provider URL can")]
    FileOf(ProviderType),
    /// The provider wants no key.
    #[error("the provider {0} takes no key")]
    KeyOf(ProviderType),
}

impl Source {
    /// A source. A provider that needs a key has it in the environment unless `key` says otherwise.
    pub fn new(
        kind: ProviderType,
        url: Option<Address>,
        key: Option<KeySource>,
        given_by: Origin,
    ) -> Result<Self, SourceError> {
        if kind != ProviderType::Url && url.as_ref().is_some_and(Address::is_file) {
            return Err(SourceError::FileOf(kind));
        }
        let takes_key = kind.provider().key().is_some();
        if key.is_some() && !takes_key {
            return Err(SourceError::KeyOf(kind));
        }
        Ok(Self {
            kind,
            is_given: url.is_some(),
            endpoint: url
                .or_else(|| own_endpoint(kind))
                .ok_or(SourceError::NoUrl)?,
            key: key.or(takes_key.then_some(KeySource::Environment)),
            given_by,
        })
    }

    /// The provider.
    pub fn kind(&self) -> ProviderType {
        self.kind
    }

    /// The address that takes the place of the provider's own.
    pub fn url(&self) -> Option<&Address> {
        self.is_given.then_some(&self.endpoint)
    }

    /// Where the key is kept; none for a provider that needs none.
    pub fn key(&self) -> Option<&KeySource> {
        self.key.as_ref()
    }

    /// Who says that it is to be asked.
    pub fn given_by(&self) -> Origin {
        self.given_by
    }

    /// The address that is asked.
    pub fn endpoint(&self) -> &Address {
        &self.endpoint
    }
}

fn own_endpoint(kind: ProviderType) -> Option<Address> {
    kind.provider().endpoint()?.parse().ok()
}

/// Which days are asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Span {
    /// The latest rates.
    Latest,
    /// All rates from this day on, as far as the provider has them. One that has no history, or has
    /// less, gives what it has.
    Since(Date),
}

/// What is fetched once for all objects that want rates from the same place: all currencies, for
/// the base that the provider itself uses.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Feed {
    /// Where.
    pub source: Source,
    /// For which days.
    pub span: Span,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(kind: ProviderType, url: Option<&str>) -> Result<Source, SourceError> {
        Source::new(kind, url.map(|url| url.parse().unwrap()), None, Origin::Own)
    }

    #[test]
    fn only_the_generic_provider_needs_an_address_and_takes_files() {
        assert_eq!(source(ProviderType::Url, None), Err(SourceError::NoUrl));
        for kind in ProviderType::ALL {
            if kind == ProviderType::Url {
                assert!(source(kind, Some("file:///a")).is_ok());
            } else {
                assert!(source(kind, None).is_ok());
                assert_eq!(
                    source(kind, Some("file:///a")),
                    Err(SourceError::FileOf(kind))
                );
            }
        }
    }

    #[test]
    fn a_key_is_for_those_who_want_one() {
        let secret = KeySource::Secret {
            namespace: "shop".to_owned(),
            name: "oxr".to_owned(),
            key: "app-id".to_owned(),
        };
        let new = |kind, key| Source::new(kind, None, key, Origin::Cluster);
        let oxr = ProviderType::OpenExchangeRates;
        assert_eq!(
            new(ProviderType::Ecb, Some(secret.clone())),
            Err(SourceError::KeyOf(ProviderType::Ecb))
        );
        assert_eq!(new(ProviderType::Ecb, None).unwrap().key(), None);
        assert_eq!(new(oxr, Some(secret.clone())).unwrap().key(), Some(&secret));
        assert_eq!(new(oxr, None).unwrap().key(), Some(&KeySource::Environment));
    }

    #[test]
    fn an_address_takes_the_place_of_the_providers_own() {
        let own = source(ProviderType::Ecb, None).unwrap();
        let own = own.endpoint();
        assert_eq!(own.to_string(), "https://www.ecb.europa.eu/stats/eurofxref");
        let mirror = source(ProviderType::Ecb, Some("http://mirror/ecb")).unwrap();
        assert_eq!(mirror.endpoint().to_string(), "http://mirror/ecb");
    }
}
