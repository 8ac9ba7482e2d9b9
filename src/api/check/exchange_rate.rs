//! The check of an `ExchangeRate`.

use std::sync::LazyLock;

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
        schedule(&object["spec"]["schedule"], places)
            .into_iter()
            .collect()
    }
}

/// A schedule that only looks like one: an hour 24, or an unknown time zone.
fn schedule(schedule: &Value, places: &Places) -> Option<Refusal> {
    let error = schedule.as_str()?.parse::<Schedule>().err()?;
    let (field, position) = places.find("spec.schedule")?;
    Some(Refusal {
        position: Some(position),
        field,
        message: error.to_string(),
    })
}
