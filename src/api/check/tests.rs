//! Tests of the checks: every refusal of the shared fixtures, and what must be let through.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use serde_json::{Value, json};

use super::rule::RULE_SCHEMA;
use super::{check, validate};
use crate::api::CopyratorRule;
use crate::api::manifest::parse;
use crate::api::yaml::Node;

/// The rules that the API server refuses or accepts, too, from a folder of `tests/fixtures`.
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

#[test]
fn every_fixture_is_refused_with_its_message() {
    let rules = fixtures("refused-rules");
    assert!(rules.len() > 150, "the fixtures are missing");
    for (file, text) in rules {
        let expected = text
            .lines()
            .next()
            .unwrap()
            .strip_prefix("# expect: ")
            .unwrap();
        let problems = parse("rule.yaml", &text).expect_err(&file.display().to_string());
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

#[test]
fn every_rule_that_is_to_be_accepted_is_and_stays_as_it_is() {
    let rules = fixtures("accepted-rules");
    assert!(rules.len() > 5, "the fixtures are missing");
    for (file, text) in rules {
        let written: Value = serde_saphyr::from_str(&text).unwrap();
        let read = parse("rule.yaml", &text).unwrap_or_else(|problems| {
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
    assert_eq!(check(&Node::from_json(&rule)).err(), None);
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
        let refusals = check(&Node::from_json(&rule)).unwrap_err();
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
    keywords(&RULE_SCHEMA.document, &mut found);
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
    assert_compiled(&kube::core::cel::compile_schema(&RULE_SCHEMA.document));
}
