//! Which rules the API server accepts, by the definition's schema and its CEL rules.

use serde_json::{Value, json};

use super::command::RULES;
use crate::sandbox::Sandbox;

#[tokio::test]
async fn every_rule_that_is_to_be_refused_is() {
    let sandbox = Sandbox::blank("crd-refused").await;
    sandbox.crd("install").await;
    sandbox.refuses_all(RULES, "refused-rules").await;
}

#[tokio::test]
async fn every_rule_that_is_to_be_accepted_is_and_is_kept_as_it_is() {
    let sandbox = Sandbox::blank("crd-accepted").await;
    sandbox.crd("install").await;
    sandbox.accepts_all(RULES, "accepted-rules").await;
}

fn rule(name: &str, spec: &Value) -> Value {
    json!({
        "apiVersion": "copyrator.dev/v1alpha1",
        "kind": "CopyratorRule",
        "metadata": {"name": name},
        "spec": spec,
    })
}

#[tokio::test]
async fn what_a_rule_leaves_out_has_its_default() {
    let sandbox = Sandbox::blank("crd-default").await;
    sandbox.crd("install").await;
    let spec = json!({
        "resource": "ConfigMap",
        "source": {"namespaces": ["default"], "names": ["*"]},
        "target": {"namespaces": ["*"]},
    });
    let accepted = sandbox.attempt(RULES, &rule("short", &spec)).await;
    let accepted = accepted.expect("the rule is accepted");
    let mut expected = spec;
    expected["conflictPolicy"] = "Skip".into();
    expected["prunePolicy"] = "Delete".into();
    expected["target"]["name"] = "{name}".into();
    assert_eq!(accepted["spec"], expected);
}

/// Distinct texts of the greatest length.
fn longest(count: usize, length: usize) -> Vec<String> {
    (0..count)
        .map(|number| format!("{number:04}{}", "a".repeat(length - 4)))
        .collect()
}

/// A selector with the longest lists of the longest texts.
fn longest_selector() -> Value {
    let parts = ["b", "c", "d"].map(|letter| letter.repeat(63));
    let prefix = format!("{}.{}", parts.join("."), "e".repeat(61));
    let keys: Vec<String> = longest(64, 63)
        .iter()
        .map(|name| format!("{prefix}/{name}"))
        .collect();
    let labels: serde_json::Map<String, Value> = keys
        .iter()
        .map(|key| (key.clone(), "v".repeat(63).into()))
        .collect();
    let expressions: Vec<Value> = keys[..32]
        .iter()
        .map(|key| json!({"key": key, "operator": "In", "values": longest(64, 63)}))
        .collect();
    json!({"matchLabels": labels, "matchExpressions": expressions})
}

/// As many texts, with which none but the last is shared.
fn all_but_the_last(mut texts: Vec<String>) -> Vec<String> {
    let last = texts.last_mut().expect("there are some");
    last.replace_range(..1, "z");
    texts
}

/// A selection of data that is as long as can be, in which each comparison goes to the end.
fn longest_data() -> Value {
    let include = longest(64, 253);
    let mut wild = include.clone();
    wild[63].replace_range(252.., "*");
    let rename: serde_json::Map<String, Value> = include
        .iter()
        .map(|key| (format!("r{}", &key[1..]), format!("s{}", &key[1..]).into()))
        .collect();
    json!({"include": wild, "exclude": all_but_the_last(include), "rename": rename})
}

fn longest_types() -> Vec<String> {
    let mut types = longest(64, 253);
    types.truncate(62);
    types.extend(["kubernetes.io/ssh-auth", "kubernetes.io/tls"].map(str::to_owned));
    types
}

/// The CEL rules have a budget, which is spent on each item of each list.
#[tokio::test]
async fn a_rule_as_long_as_can_be_is_within_the_budget() {
    let sandbox = Sandbox::blank("crd-longest").await;
    sandbox.crd("install").await;
    let spec = json!({
        "resource": "Secret",
        "source": {
            "namespaces": longest(256, 63),
            "names": longest(256, 253),
            "selector": longest_selector(),
            "types": longest_types(),
        },
        "target": {
            "namespaces": longest(256, 253),
            "selector": longest_selector(),
            "exclude": all_but_the_last(longest(256, 253)),
            "name": format!("{}{{name}}", "a".repeat(247)),
        },
        "data": longest_data(),
        "metadata": {"labels": longest(64, 317), "annotations": longest(64, 317)},
    });
    let accepted = sandbox.attempt(RULES, &rule(&"n".repeat(63), &spec)).await;
    accepted.expect("the rule is accepted");
}
