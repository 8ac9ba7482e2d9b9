//! Compares definitions as the API server would, after its defaulting.

use serde_json::{Value, json};

/// Whether the API server would store `wanted` as `stored`, both the `spec` of a definition.
///
/// The fields that it fills in are known, and few. Should a version of Kubernetes fill in more, the
/// two differ here, and the write that follows changes nothing.
pub fn is_stored_as(wanted: &Value, stored: &Value) -> bool {
    is_equal(&defaulted(wanted.clone()), stored)
}

/// What `SetDefaults_CustomResourceDefinitionSpec` of the apiextensions API server fills in.
fn defaulted(mut spec: Value) -> Value {
    if let Some(names) = spec.get_mut("names").and_then(Value::as_object_mut) {
        let kind = names
            .get("kind")
            .and_then(Value::as_str)
            .unwrap_or_default()
            .to_owned();
        names
            .entry("singular")
            .or_insert_with(|| kind.to_lowercase().into());
        names
            .entry("listKind")
            .or_insert_with(|| format!("{kind}List").into());
    }
    if let Some(spec) = spec.as_object_mut() {
        spec.entry("conversion")
            .or_insert_with(|| json!({"strategy": "None"}));
    }
    spec
}

/// Whether two values are the same JSON: 0 and 0.0 are one number to the API server.
pub fn is_equal(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Number(one), Value::Number(other)) => {
            let bits = |number: &serde_json::Number| number.as_f64().map(f64::to_bits);
            bits(one) == bits(other)
        }
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len()
                && one
                    .iter()
                    .zip(other)
                    .all(|(one, other)| is_equal(one, other))
        }
        (Value::Object(one), Value::Object(other)) => {
            let in_other =
                |(name, value)| other.get(name).is_some_and(|other| is_equal(value, other));
            one.len() == other.len() && one.iter().all(in_other)
        }
        _ => one == other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wanted() -> Value {
        json!({"names": {"kind": "Rule", "singular": "rule"}, "versions": [{"minimum": 0.0}]})
    }

    fn stored() -> Value {
        json!({
            "names": {"kind": "Rule", "singular": "rule", "listKind": "RuleList"},
            "versions": [{"minimum": 0}],
            "conversion": {"strategy": "None"},
        })
    }

    #[test]
    fn what_the_server_fills_in_is_no_difference() {
        assert!(is_stored_as(&wanted(), &stored()));
    }

    #[test]
    fn a_field_that_is_more_less_or_other_is_a_difference() {
        let mut more = stored();
        more["versions"][0]["maximum"] = json!(1);
        let mut less = stored();
        less["versions"][0] = json!({});
        let mut other = stored();
        other["names"]["listKind"] = json!("Rules");
        let mut longer = stored();
        longer["versions"] = json!([{"minimum": 0}, {"minimum": 0}]);
        for stored in [more, less, other, longer] {
            assert!(!is_stored_as(&wanted(), &stored), "{stored}");
        }
    }
}
