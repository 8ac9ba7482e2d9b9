//! Tests of the checks: every refusal of the shared fixtures, and what must be let through.

use std::collections::BTreeSet;
use std::fmt::Debug;
use std::fs;
use std::path::PathBuf;

use serde_json::{Value, json};

use super::kind::Kind;
use super::{check, validate};
use crate::api::manifest::parse;
use crate::api::yaml::Node;
use crate::api::{CopyratorRule, ExchangeRate, ExchangeRateSpec};

/// The objects that the API server refuses or accepts, too, from a folder of `tests/fixtures`.
fn fixtures(folder: &str) -> Vec<(PathBuf, String)> {
    let folder = format!("{}/tests/fixtures/{folder}", env!("CARGO_MANIFEST_DIR"));
    let files = fs::read_dir(folder)
        .unwrap()
        .map(|file| file.unwrap().path());
    files
        .map(|file| (file.clone(), fs::read_to_string(file).unwrap()))
        .collect()
}

fn rule(spec: &Value) -> Value {
    json!({
        "apiVersion": "copyrator.dev/v1alpha1",
        "kind": "CopyratorRule",
        "metadata": {"name": "rule"},
        "spec": spec,
    })
}

pub(super) fn rule_of_name(name: &str) -> Value {
    rule(&json!({
        "resource": "ConfigMap",
        "source": {"namespaces": ["default"], "names": [name]},
        "target": {"namespaces": ["*"]},
    }))
}

/// A rule with one field of its spec set.
pub(super) fn rule_with(pointer: &[&str], value: &Value) -> Value {
    let mut rule = rule_of_name("a");
    let mut field = &mut rule["spec"];
    for step in pointer {
        field = &mut field[*step];
    }
    *field = value.clone();
    rule
}

/// Asserts that each of a folder's objects is refused with its message, and with that alone.
fn assert_refused<K: Kind + Debug>(folder: &str, at_least: usize) {
    let objects = fixtures(folder);
    assert!(objects.len() >= at_least, "the fixtures are missing");
    for (file, text) in objects {
        let expected = text
            .lines()
            .next()
            .unwrap()
            .strip_prefix("# expect: ")
            .unwrap();
        let problems = parse::<K>("object.yaml", &text).expect_err(&file.display().to_string());
        let shown: Vec<String> = problems.iter().map(ToString::to_string).collect();
        let found = shown.iter().any(|line| line.contains(expected));
        assert!(found, "{}: {shown:#?} lacks {expected:?}", file.display());
        assert_eq!(
            shown.len(),
            1,
            "{}: one mistake, one line: {shown:#?}",
            file.display()
        );
    }
}

/// Asserts that each of a folder's objects is accepted, and stays as it is.
fn assert_accepted<K: Kind>(folder: &str, at_least: usize) {
    let objects = fixtures(folder);
    assert!(objects.len() >= at_least, "the fixtures are missing");
    for (file, text) in objects {
        let written: Value = serde_saphyr::from_str(&text).unwrap();
        let read = parse::<K>("object.yaml", &text).unwrap_or_else(|problems| {
            panic!("{}: {problems:#?}", file.display());
        });
        let read = &read[0].item;
        assert_eq!(
            serde_json::to_value(read).unwrap(),
            written,
            "{}",
            file.display()
        );
        assert_eq!(validate(read), [], "{}", file.display());
    }
}

#[test]
fn rules_are_refused_and_accepted_as_by_the_api_server() {
    assert_refused::<CopyratorRule>("refused-rules", 150);
    assert_accepted::<CopyratorRule>("accepted-rules", 6);
}

#[test]
fn exchange_rates_are_refused_and_accepted_as_by_the_api_server() {
    assert_refused::<ExchangeRate>("refused-exchange-rates", 110);
    assert_accepted::<ExchangeRate>("accepted-exchange-rates", 6);
}

#[test]
fn a_schedule_that_only_looks_like_one_is_refused() {
    for (schedule, expected) in [
        ("0 24 * * *", "not a cron expression: \"24\": value must be"),
        ("0 17 * * * Europe/Atlantis", "the time zone "),
        ("0 0 30 2 *", "this time never comes"),
    ] {
        let mut spec = ExchangeRateSpec::of_quotes(vec!["USD".to_owned()]);
        spec.schedule = Some(schedule.to_owned());
        let shown: Vec<String> = validate(&ExchangeRate::new("eur", spec))
            .iter()
            .map(ToString::to_string)
            .collect();
        let expected = format!("spec.schedule: {expected}");
        assert!(
            shown.len() == 1 && shown[0].starts_with(&expected),
            "{schedule}: {shown:#?}"
        );
    }
}

#[test]
fn what_kubectl_get_writes_is_accepted() {
    let mut rule = rule_of_name("a");
    rule["metadata"] = json!({
        "name": "rule", "uid": "1", "resourceVersion": "7", "generation": 1,
        "creationTimestamp": "2026-01-01T00:00:00Z",
        "annotations": {"kubectl.kubernetes.io/last-applied-configuration": "{}"},
        "managedFields": [{"manager": "kubectl", "operation": "Apply"}],
        "ownerReferences": [],
    });
    rule["status"] = json!({"observedGeneration": 1, "ofALaterVersion": {}});
    assert_eq!(check::<CopyratorRule>(&Node::from_json(&rule)).err(), None);
}

#[test]
fn a_rule_from_the_cluster_is_checked_without_positions() {
    let mut rule: CopyratorRule = serde_json::from_value(rule_of_name("a")).unwrap();
    rule.spec.target.namespaces = vec!["[z-a]".to_owned()];
    let shown: Vec<String> = validate(&rule).iter().map(ToString::to_string).collect();
    assert_eq!(
        shown,
        ["spec.target.namespaces[0]: the range z-a runs backwards; write a-z"]
    );
    assert!(
        validate(&rule)
            .iter()
            .all(|refusal| refusal.position.is_none())
    );
}

#[test]
fn a_reversed_range_is_refused_in_every_list_of_globs() {
    for field in [
        ["source", "names"],
        ["target", "namespaces"],
        ["target", "exclude"],
        ["data", "include"],
        ["data", "exclude"],
        ["metadata", "labels"],
        ["metadata", "annotations"],
    ] {
        let rule = rule_with(&field, &json!(["x", "[z-a]"]));
        let refusals = check::<CopyratorRule>(&Node::from_json(&rule)).unwrap_err();
        let shown: Vec<String> = refusals.iter().map(ToString::to_string).collect();
        let [part, list] = field;
        let expected = format!("spec.{part}.{list}[1]: the range z-a runs backwards; write a-z");
        assert_eq!(shown, [expected]);
    }
}

#[test]
fn all_the_keywords_of_the_schema_are_understood() {
    const CHECKED: &[&str] = &[
        "additionalProperties",
        "enum",
        "items",
        "maxItems",
        "maxLength",
        "maxProperties",
        "properties",
        "required",
        "type",
        "x-kubernetes-list-type",
        "x-kubernetes-preserve-unknown-fields",
        "x-kubernetes-validations",
    ];
    const WITHOUT_EFFECT: &[&str] = &["default", "description", "title", "x-kubernetes-map-type"];
    let mut found = BTreeSet::new();
    for schema in [CopyratorRule::schema(), ExchangeRate::schema()] {
        keywords(&schema.document, &mut found);
    }
    for keyword in found {
        let known = CHECKED.contains(&&*keyword) || WITHOUT_EFFECT.contains(&&*keyword);
        assert!(
            known,
            "the schema has {keyword}, which only the API server would check"
        );
    }
}

fn keywords(schema: &Value, found: &mut BTreeSet<String>) {
    let properties = schema["properties"].as_object().into_iter().flatten();
    for (_, nested) in properties {
        keywords(nested, found);
    }
    for nested in [&schema["items"], &schema["additionalProperties"]] {
        if nested.is_object() {
            keywords(nested, found);
        }
    }
    found.extend(schema.as_object().unwrap().keys().cloned());
}

#[test]
fn a_broken_cel_rule_would_be_noticed() {
    fn assert_compiled(schema: &kube::core::cel::CompiledSchema) {
        assert!(
            schema.validations.iter().all(Result::is_ok),
            "{:?}",
            schema.validations
        );
        let nested = schema.properties.values().chain(schema.items.as_deref());
        nested
            .chain(schema.additional_properties.as_deref())
            .for_each(assert_compiled);
    }
    for schema in [CopyratorRule::schema(), ExchangeRate::schema()] {
        assert_compiled(&kube::core::cel::compile_schema(&schema.document));
    }
}
