//! From the arguments of `rates create` to an `ExchangeRate`.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::{
    api::{ExchangeRate, ProviderType, SecretKeyRef, validate},
    cli::rates::{CreateArguments, ProviderArgument},
};

/// An `ExchangeRate` as a person would write it: without what is as usual, and in the order of the
/// documentation.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Manifest {
    api_version: &'static str,
    kind: &'static str,
    metadata: Metadata,
    spec: Spec,
}

#[derive(Clone, Debug, Serialize)]
struct Metadata {
    name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    namespace: Option<String>,
}

#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Spec {
    #[serde(skip_serializing_if = "Option::is_none")]
    base: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    quotes: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    providers: Vec<Provider>,
    #[serde(skip_serializing_if = "Option::is_none")]
    config_map: Option<Template>,
    #[serde(skip_serializing_if = "Option::is_none")]
    history: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_change: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_age: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    schedule: Option<String>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    suspend: bool,
}

#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Provider {
    r#type: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    url: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    secret_key_ref: Option<SecretKeyRef>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
struct Template {
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    labels: BTreeMap<String, String>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    annotations: BTreeMap<String, String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    keys: Vec<String>,
}

/// The `ExchangeRate` that the arguments describe; or what is wrong with it, one line for each mistake.
pub fn manifest(
    name: &str,
    namespace: Option<&str>,
    arguments: &CreateArguments,
) -> Result<Manifest, String> {
    let manifest = Manifest {
        api_version: "copyrator.dev/v1alpha1",
        kind: "ExchangeRate",
        metadata: Metadata {
            name: name.to_owned(),
            namespace: namespace.map(str::to_owned),
        },
        spec: spec(arguments)?,
    };
    let object: Result<ExchangeRate, _> =
        serde_json::to_value(&manifest).and_then(serde_json::from_value);
    let object = object.map_err(|error| error.to_string())?;
    let mut refusals: Vec<String> = validate(&object).iter().map(ToString::to_string).collect();
    // Of an object that has no text they come in no order.
    refusals.sort();
    if refusals.is_empty() {
        Ok(manifest)
    } else {
        Err(refusals.join("\n"))
    }
}

fn spec(arguments: &CreateArguments) -> Result<Spec, String> {
    let template = Template {
        name: arguments.config_map.clone(),
        labels: arguments.labels.iter().cloned().collect(),
        annotations: arguments.annotations.iter().cloned().collect(),
        keys: arguments.keys.clone(),
    };
    Ok(Spec {
        base: arguments.base.clone(),
        quotes: arguments.quotes.clone(),
        providers: providers(arguments)?,
        config_map: Some(template).filter(|template| *template != Template::default()),
        history: arguments.history,
        max_change: arguments.max_change.clone(),
        max_age: arguments.max_age,
        schedule: arguments.schedule.clone(),
        suspend: arguments.suspend,
    })
}

/// Each provider with its address and its key. A key for a provider that isn't asked is a mistake.
fn providers(arguments: &CreateArguments) -> Result<Vec<Provider>, String> {
    let asked = arguments.providers.iter().map(provider);
    let mut providers: Vec<Provider> = asked.collect::<Result<_, _>>()?;
    for key in &arguments.provider_keys {
        let kind = known(&key.kind)?;
        let mut asked = providers.iter_mut();
        let provider = asked.find(|provider| provider.r#type == kind);
        let Some(provider) = provider else {
            return Err(format!(
                "--provider-key: {kind} isn't asked; name it with --provider, too"
            ));
        };
        provider.secret_key_ref = Some(SecretKeyRef {
            name: key.secret.clone(),
            key: key.key.clone(),
        });
    }
    Ok(providers)
}

fn provider(argument: &ProviderArgument) -> Result<Provider, String> {
    Ok(Provider {
        r#type: known(&argument.kind)?,
        url: argument.url.clone(),
        secret_key_ref: None,
    })
}

/// The name of a provider as manifests have it, however it is capitalised.
fn known(name: &str) -> Result<&'static str, String> {
    let mut names = ProviderType::ALL.into_iter().map(ProviderType::name);
    let found = names.find(|known| known.eq_ignore_ascii_case(name));
    found.ok_or_else(|| {
        let names = ProviderType::ALL.map(ProviderType::name).join(", ");
        format!("{name:?} is no provider; the providers are {names}")
    })
}
