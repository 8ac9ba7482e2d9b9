//! How many days and how much change an `ExchangeRate` may ask for.
//!
//! The bounds of numbers are CEL rules, too: the API server's own answer to a `maximum` names no unit.

use schemars::{Schema, SchemaGenerator, json_schema};

use super::text::text_field;

/// Far more digits than a limit needs.
const PERCENTAGE_LENGTH: u32 = 16;

const PERCENTAGE_MESSAGE: &str =
    "a change is a percentage above zero with its sign, such as 25% or 7.5%";

/// Digits, a point and more digits: at least one that isn't zero.
const PERCENTAGE_RULE: &str = "self.matches('^[0-9]+([.][0-9]+)?%$') && !self.matches('^[0.]+%$')";

/// Days of history: ten years at most, which still fit into a ConfigMap for a few quotes.
pub(in crate::api) fn history(_: &mut SchemaGenerator) -> Schema {
    number(
        "self >= 0 && self <= 3660",
        "history is a number of days from 0, which keeps none, to 3660",
    )
}

/// Days until rates are stale.
pub(in crate::api) fn max_age(_: &mut SchemaGenerator) -> Schema {
    number(
        "self >= 1 && self <= 366",
        "maxAge is a number of days from 1 to 366, in which days without new rates don't count",
    )
}

/// A percentage above zero.
pub(in crate::api) fn max_change(_: &mut SchemaGenerator) -> Schema {
    text_field(PERCENTAGE_LENGTH, &[(PERCENTAGE_RULE, PERCENTAGE_MESSAGE)])
}

fn number(rule: &str, message: &str) -> Schema {
    json_schema!({
        "type": "integer",
        "x-kubernetes-validations": [{"rule": rule, "message": message}],
    })
}
