//! The check of an `ExchangeRate`.

use std::sync::LazyLock;

use reqwest::Url;
use serde_json::Value;

use super::{
    kind::{Kind, Words},
    places::Places,
    schema::Schema,
};
use crate::api::{ExchangeRate, Refusal, Schedule};

/// The schema of `ExchangeRate`s; generated, and kept fresh by a test.
pub(super) const JSON: &str = include_str!("exchangerate.json");

static SCHEMA: LazyLock<Schema> = LazyLock::new(|| Schema::new::<ExchangeRate>(JSON));

impl Kind for ExchangeRate {
    const WORDS: Words = Words {
        noun: "ExchangeRate",
        example: "eur-rates",
        predecessors: &["operators.brennerm.github.io"],
        rewriting: "is of another program; rewrite it with apiVersion: copyrator.dev/v1alpha1, and keep \
                    spec.currency, or list several in spec.quotes",
    };

    const IS_NAMESPACED: bool = true;

    fn schema() -> &'static Schema {
        &SCHEMA
    }

    fn beyond_the_schema(object: &Value, places: &Places) -> Vec<Refusal> {
        let spec = &object["spec"];
        let providers = spec["providers"].as_array().into_iter().flatten();
        let addresses = providers
            .enumerate()
            .filter_map(|(index, provider)| address(index, provider, places));
        addresses
            .chain(schedule(&spec["schedule"], places))
            .collect()
    }
}

/// An address that only looks like one: its host `256.0.0.1` or `[::1::]`.
fn address(index: usize, provider: &Value, places: &Places) -> Option<Refusal> {
    let error = Url::parse(provider["url"].as_str()?).err()?;
    let message = format!(
        "not an address: {error}; write for instance https://rates.example.com/latest.json"
    );
    refusal(&format!("spec.providers[{index}].url"), message, places)
}

/// A schedule that only looks like one: an hour 24, or an unknown time zone.
fn schedule(schedule: &Value, places: &Places) -> Option<Refusal> {
    let error = schedule.as_str()?.parse::<Schedule>().err()?;
    refusal("spec.schedule", error.to_string(), places)
}

fn refusal(path: &str, message: String, places: &Places) -> Option<Refusal> {
    let (field, position) = places.find(path)?;
    Some(Refusal {
        position: Some(position),
        field,
        message,
    })
}
