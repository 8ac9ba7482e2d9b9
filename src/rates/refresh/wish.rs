//! What an `ExchangeRate` asks for, understood.

use std::collections::BTreeMap;

use crate::{
    api::{ConfigMapTemplate, ExchangeRateSpec, RateProvider, Schedule},
    rates::{
        Currency, Pairs, Percent, UnknownCurrency,
        provider::{Address, KeySource, Origin, ProviderType, Source},
    },
    reconcile::{CONFIG_MAPS, Carried, Name, ObjectKey, Owner},
};

/// What an `ExchangeRate` asks for.
#[derive(Clone, Debug)]
pub struct Wish {
    /// The ConfigMap that publishes the rates.
    pub place: ObjectKey,
    /// Which rates.
    pub pairs: Pairs,
    /// Who is asked, in this order; at least one.
    pub sources: Vec<Source>,
    /// What the ConfigMap is like.
    pub config_map: ConfigMapTemplate,
    /// The labels and annotations that the ConfigMap gets.
    pub carried: Carried,
    /// How many days of history are kept.
    pub history: u16,
    /// The largest change that is believed.
    pub max_change: Percent,
    /// After how many business days rates are stale.
    pub max_age: u32,
    /// When rates are refreshed, if it says so.
    pub schedule: Option<Schedule>,
    /// Whether it rests.
    pub suspended: bool,
}

/// Why an `ExchangeRate` can't be understood.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("spec.{field}: {problem}")]
pub struct WishError {
    field: &'static str,
    problem: String,
}

/// The error of a field.
fn wrong<E: ToString>(field: &'static str) -> impl Fn(E) -> WishError {
    move |problem| WishError {
        field,
        problem: problem.to_string(),
    }
}

impl Wish {
    /// Understands the spec of the `ExchangeRate` that `owner` is. `asked` are the providers that take the
    /// place of its own, if any do.
    pub fn new(
        owner: &Owner,
        spec: &ExchangeRateSpec,
        origin: Origin,
        asked: &[ProviderType],
    ) -> Result<Self, WishError> {
        let namespace = owner.namespace.clone();
        let name = spec.config_map.name.as_deref().unwrap_or(&owner.name);
        Ok(Self {
            place: ObjectKey {
                namespace,
                resource: &CONFIG_MAPS,
                name: Name::from(name),
            },
            pairs: pairs(spec)?,
            sources: sources(owner, spec, origin, asked)?,
            config_map: spec.config_map.clone(),
            carried: Carried {
                labels: boxed(&spec.config_map.labels),
                annotations: boxed(&spec.config_map.annotations),
            },
            history: u16::try_from(spec.history).map_err(wrong("history"))?,
            max_change: spec.max_change.parse().map_err(wrong("maxChange"))?,
            max_age: spec.max_age,
            schedule: spec
                .schedule
                .as_deref()
                .map(str::parse)
                .transpose()
                .map_err(wrong("schedule"))?,
            suspended: spec.suspend,
        })
    }
}

impl Wish {
    /// The provider that is asked first.
    pub fn first_choice(&self) -> ProviderType {
        // There always is one; the first by default stands in.
        self.sources.first().map_or(ProviderType::Ecb, Source::kind)
    }
}

fn pairs(spec: &ExchangeRateSpec) -> Result<Pairs, WishError> {
    let base: Currency = spec.base.parse().map_err(wrong("base"))?;
    let quotes = spec.quotes().iter().map(|code| code.parse());
    let quotes: Result<Vec<Currency>, UnknownCurrency> = quotes.collect();
    let quotes = quotes.map_err(wrong("quotes"))?;
    Pairs::new(base, quotes).ok_or_else(|| wrong("quotes")("name at least one currency"))
}

/// The providers of the spec; or those that were asked for, as the spec says how, if it does.
fn sources(
    owner: &Owner,
    spec: &ExchangeRateSpec,
    origin: Origin,
    asked: &[ProviderType],
) -> Result<Vec<Source>, WishError> {
    let given = spec.providers();
    let given: Result<Vec<Source>, WishError> = given
        .iter()
        .map(|provider| source(owner, provider, origin))
        .collect();
    let given = given?;
    if asked.is_empty() {
        return Ok(given);
    }
    let chosen = asked.iter().map(|kind| {
        let of_kind = given.iter().find(|source| source.kind() == *kind).cloned();
        of_kind.map_or_else(|| Source::new(*kind, None, None, origin), Ok)
    });
    chosen.collect::<Result<_, _>>().map_err(wrong("providers"))
}

fn source(owner: &Owner, provider: &RateProvider, origin: Origin) -> Result<Source, WishError> {
    let kind = provider.kind;
    let url = provider.url.as_deref().map(str::parse::<Address>);
    let url = url.transpose().map_err(wrong("providers.url"))?;
    let key = provider.secret_key_ref.as_ref();
    let key = key.map(|reference| KeySource::Secret {
        namespace: owner
            .namespace
            .as_ref()
            .map(ToString::to_string)
            .unwrap_or_default(),
        name: reference.name.clone(),
        key: reference.key.clone(),
    });
    Source::new(kind, url, key, origin).map_err(wrong("providers"))
}

fn boxed(map: &BTreeMap<String, String>) -> BTreeMap<Box<str>, Box<str>> {
    map.iter()
        .map(|(key, value)| (key.as_str().into(), value.as_str().into()))
        .collect()
}
