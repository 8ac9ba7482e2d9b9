//! The whole check of an object: its structure, its rules in CEL, and its conversion.

use serde_json::Value;

use super::kind::Kind;
use super::places::Places;
use super::{rules, structure};
use crate::api::yaml::Node;
use crate::api::{FieldPath, Refusal};

/// Checks an object that came from the cluster: an older CustomResourceDefinition may have let in what
/// would be refused today. An empty answer means that the object can be acted on.
///
/// # Panics
///
/// Never: an object of ours always has a JSON form.
pub fn validate<K: Kind>(object: &K) -> Vec<Refusal> {
    let json = serde_json::to_value(object).expect("an object of ours has a JSON form");
    let refusals = check::<K>(&Node::from_json(&json))
        .err()
        .unwrap_or_default();
    refusals
        .into_iter()
        .map(|refusal| Refusal {
            position: None,
            ..refusal
        })
        .collect()
}

/// Checks the tree of an object and makes it one; the refusals come in the order of the text.
pub(in crate::api) fn check<K: Kind>(node: &Node) -> Result<K, Vec<Refusal>> {
    let schema = K::schema();
    let mut places = Places::default();
    let mut refusals = structure::check(&schema.document, node, &mut places);
    let mut json = node.to_json();
    // A status says how an object fared elsewhere; `kubectl get -o yaml` writes it, and nobody means it.
    if let Some(object) = json.as_object_mut() {
        object.remove("status");
    }
    refusals.extend(rules::check(schema, &json, &places, &refusals));
    let mut more = K::beyond_the_schema(&json, &places);
    more.retain(|new| !refusals.iter().any(|old| old.field.touches(&new.field)));
    refusals.extend(more);
    if refusals.is_empty() {
        return convert(json, node);
    }
    refusals.sort_by_key(|refusal| refusal.position);
    Err(refusals)
}

fn convert<K: Kind>(json: Value, node: &Node) -> Result<K, Vec<Refusal>> {
    serde_json::from_value(json).map_err(|error| {
        let position = Some(node.position);
        let message = format!("the {} can't be read: {error}", K::WORDS.noun);
        vec![Refusal {
            position,
            field: FieldPath::root(),
            message,
        }]
    })
}
