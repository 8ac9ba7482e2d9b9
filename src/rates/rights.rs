//! The rights that `ExchangeRate`s need: each names exactly what it means.

use super::EXCHANGE_RATES;
use crate::{
    api::ExchangeRate,
    reconcile::{
        CONFIG_MAPS, DEFINITIONS, EVENTS, Manner, Name, Namespace, Objects, Permissions, SECRETS,
        Verb,
    },
};

/// What somebody who refreshes rates may do beyond what all of them need.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Latitude {
    /// How they run.
    pub manner: Manner,
    /// Whether `ExchangeRate`s may name Secrets with a provider's key.
    pub secrets: bool,
}

/// What these `ExchangeRate`s need that are objects of the cluster.
pub fn rates_of_cluster(rates: &[ExchangeRate], latitude: Latitude) -> Permissions {
    let mut permissions = of_the_resource(latitude.manner);
    for rate in rates {
        let namespace = namespace(rate);
        let status = Objects::statuses(&EXCHANGE_RATES).within(namespace.clone());
        permissions.allow([Verb::Patch], status);
        if latitude.manner == Manner::Watching {
            let events = Objects::all(&EVENTS).within(namespace);
            permissions.allow(TELLING, events);
        }
    }
    permissions.extend(rates_of_files(rates, latitude));
    permissions
}

/// What these `ExchangeRate`s need that are in files.
pub fn rates_of_files(rates: &[ExchangeRate], latitude: Latitude) -> Permissions {
    let mut permissions = Permissions::default();
    for rate in rates {
        let maps = Objects::all(&CONFIG_MAPS).within(namespace(rate));
        permissions.allow([Verb::Create], maps.clone());
        permissions.allow(latitude.manner.keeping(), maps.named(config_map(rate)));
        if latitude.secrets {
            for secret in secrets(rate) {
                let secret = Objects::all(&SECRETS).within(namespace(rate)).named(secret);
                permissions.allow([Verb::Get], secret);
            }
        }
    }
    permissions
}

/// The rights for whatever `ExchangeRate`s may come to the cluster.
pub fn any_rates(latitude: Latitude) -> Permissions {
    let mut permissions = of_the_resource(latitude.manner);
    permissions.allow([Verb::Patch], Objects::statuses(&EXCHANGE_RATES));
    let verbs = latitude.manner.keeping().chain([Verb::Create]);
    permissions.allow(verbs, Objects::all(&CONFIG_MAPS));
    if latitude.secrets {
        permissions.allow([Verb::Get], Objects::all(&SECRETS));
    }
    if latitude.manner == Manner::Watching {
        permissions.allow(TELLING, Objects::all(&EVENTS));
    }
    permissions
}

/// What tells of events: a later one of the same kind only changes the first.
const TELLING: [Verb; 2] = [Verb::Create, Verb::Patch];

/// What the `ExchangeRate`s of the cluster themselves need.
fn of_the_resource(manner: Manner) -> Permissions {
    let mut permissions = Permissions::default();
    permissions.allow(reading(manner), Objects::all(&EXCHANGE_RATES));
    let definition = EXCHANGE_RATES.definition().name;
    let definition = Objects::all(&DEFINITIONS).named(definition);
    permissions.allow(reading(manner), definition);
    permissions
}

fn reading(manner: Manner) -> impl Iterator<Item = Verb> {
    manner.reading().iter().copied()
}

fn namespace(rate: &ExchangeRate) -> Namespace {
    Namespace::from(rate.metadata.namespace.as_deref().unwrap_or_default())
}

/// The name of the ConfigMap that publishes the rates.
fn config_map(rate: &ExchangeRate) -> Name {
    let own = rate.spec.config_map.name.as_deref();
    Name::from(own.or(rate.metadata.name.as_deref()).unwrap_or_default())
}

/// The Secrets with the keys of its providers.
fn secrets(rate: &ExchangeRate) -> Vec<Name> {
    let providers = rate.spec.providers();
    let keys = providers
        .iter()
        .filter_map(|one| one.secret_key_ref.as_ref());
    keys.map(|key| Name::from(&*key.name)).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::reconcile::Permission;

    const WITH_SECRETS: Latitude = Latitude {
        manner: Manner::Once,
        secrets: true,
    };

    fn rate(name: &str, spec: Value) -> ExchangeRate {
        let mut rate = ExchangeRate::new(name, serde_json::from_value(spec).unwrap());
        rate.metadata.namespace = Some("shop".to_owned());
        rate
    }

    fn with_key() -> ExchangeRate {
        let key = json!({"name": "oxr", "key": "app-id"});
        let provider = json!({"type": "OpenExchangeRates", "secretKeyRef": key});
        rate("eur", json!({"quotes": ["USD"], "providers": [provider]}))
    }

    fn told(permissions: &Permissions) -> Vec<String> {
        let line = |one: &Permission| {
            let verbs: Vec<String> = one.verbs.iter().map(ToString::to_string).collect();
            let names: Vec<&str> = one.names.iter().map(Name::as_str).collect();
            let place = one.namespace.as_ref().map_or("*", Namespace::as_str);
            let (verbs, names) = (verbs.join(","), names.join(","));
            format!("{place}: {verbs} {} [{names}]", one.resource.plural)
        };
        permissions.smallest().iter().map(line).collect()
    }

    #[test]
    fn an_exchange_rate_needs_its_config_map_and_its_secret() {
        assert_eq!(
            told(&rates_of_files(&[with_key()], WITH_SECRETS)),
            [
                "shop: create configmaps []",
                "shop: get,list,update,patch,delete configmaps [eur]",
                "shop: get secrets [oxr]"
            ]
        );
    }

    #[test]
    fn secrets_are_not_read_where_nobody_may_name_them() {
        let latitude = Latitude {
            secrets: false,
            ..WITH_SECRETS
        };
        let told = told(&rates_of_files(&[with_key()], latitude));
        assert!(
            !told.iter().any(|line| line.contains("secrets")),
            "{told:?}"
        );
    }

    #[test]
    fn the_config_map_may_have_a_name_of_its_own() {
        let spec = json!({"quotes": ["USD"], "configMap": {"name": "rates"}});
        let told = told(&rates_of_files(&[rate("eur", spec)], WITH_SECRETS));
        assert_eq!(
            told[1],
            "shop: get,list,update,patch,delete configmaps [rates]"
        );
    }

    #[test]
    fn the_rights_for_any_rates_cover_those_of_each() {
        for manner in [Manner::Once, Manner::Watching] {
            let latitude = Latitude {
                manner,
                ..WITH_SECRETS
            };
            let any = any_rates(latitude);
            let mut both = rates_of_cluster(&[with_key()], latitude);
            both.extend(any.clone());
            assert_eq!(both.smallest(), any.smallest());
        }
    }
}
