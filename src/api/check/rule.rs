//! The whole check of a rule: its structure, its rules in CEL, and its conversion.

use std::sync::LazyLock;

use serde_json::Value;

use super::places::Places;
use super::schema::Schema;
use super::{globs, rules, structure};
use crate::api::yaml::Node;
use crate::api::{CopyratorRule, FieldPath, Refusal};

/// The schema of rules; generated, and kept fresh by a test.
pub(super) const RULE_SCHEMA_JSON: &str = include_str!("copyratorrule.json");

pub(super) static RULE_SCHEMA: LazyLock<Schema> = LazyLock::new(|| Schema::new(RULE_SCHEMA_JSON));

/// Checks a rule that came from the cluster: an older CustomResourceDefinition may have let in what
/// would be refused today. An empty answer means that the rule can be acted on.
///
/// # Panics
///
/// Never: a rule always has a JSON form.
pub fn validate(rule: &CopyratorRule) -> Vec<Refusal> {
    let json = serde_json::to_value(rule).expect("a rule has a JSON form");
    let refusals = check(&Node::from_json(&json)).err().unwrap_or_default();
    refusals
        .into_iter()
        .map(|refusal| Refusal {
            position: None,
            ..refusal
        })
        .collect()
}

/// Checks the tree of a rule and makes it a rule; the refusals come in the order of the text.
pub(in crate::api) fn check(node: &Node) -> Result<CopyratorRule, Vec<Refusal>> {
    let mut places = Places::default();
    let mut refusals = structure::check(&RULE_SCHEMA.document, node, &mut places);
    let mut json = node.to_json();
    // A status says how a rule fared elsewhere; `kubectl get -o yaml` writes it, and nobody means it.
    if let Some(object) = json.as_object_mut() {
        object.remove("status");
    }
    refusals.extend(rules::check(&RULE_SCHEMA, &json, &places, &refusals));
    refusals.extend(globs::check(&json, &places, &refusals));
    if refusals.is_empty() {
        return convert(json, node);
    }
    refusals.sort_by_key(|refusal| refusal.position);
    Err(refusals)
}

fn convert(json: Value, node: &Node) -> Result<CopyratorRule, Vec<Refusal>> {
    serde_json::from_value(json).map_err(|error| {
        let position = Some(node.position);
        let message = format!("the rule can't be read: {error}");
        vec![Refusal {
            position,
            field: FieldPath::root(),
            message,
        }]
    })
}
