//! The schema that objects are checked with: the CustomResourceDefinition's, with a schema for the
//! metadata, which the API server checks by itself.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

use kube::core::cel::{CompiledSchema, compile_schema};
use serde_json::{Map, Value, json};

use super::{kind::Kind, metadata};

/// A kind's schema.
pub struct Schema {
    /// The OpenAPI schema of the whole object.
    pub(super) document: Value,
    /// The CEL rules for objects of one shape. To compile all of them takes longer than a whole run in which
    /// nothing changes, and most objects need few.
    compiled: Mutex<HashMap<String, Arc<CompiledSchema>>>,
}

impl Schema {
    /// The schema with this JSON, as the CustomResourceDefinition has it. It is written down, because to
    /// derive it from the types takes as long as some whole runs.
    pub(super) fn new<K: Kind>(json: &str) -> Self {
        let mut document: Value = serde_json::from_str(json).expect("a test has generated it");
        let properties = &mut document["properties"];
        properties["apiVersion"] = json!({"type": "string"});
        properties["kind"] = json!({"type": "string"});
        properties["metadata"] = metadata::schema::<K>();
        properties["status"] = json!({"x-kubernetes-preserve-unknown-fields": true});
        document["required"] = json!(["apiVersion", "kind", "metadata", "spec"]);
        Self {
            document,
            compiled: Mutex::default(),
        }
    }

    /// The CEL rules that matter for an object.
    pub(super) fn rules_for(&self, object: &Value) -> Arc<CompiledSchema> {
        let mut shape = String::new();
        write_shape(&self.document, object, &mut shape);
        let mut compiled = self.compiled.lock().unwrap_or_else(PoisonError::into_inner);
        let rules = compiled
            .entry(shape)
            .or_insert_with(|| Arc::new(compile_schema(&part_for(&self.document, object))));
        Arc::clone(rules)
    }
}

/// Writes down which of the schema's properties an object has: two of one shape are checked with the same
/// part of the schema. There may be thousands of objects, and the schema is large.
fn write_shape(schema: &Value, object: &Value, shape: &mut String) {
    let properties = schema.get("properties").and_then(Value::as_object);
    let (Some(properties), Some(values)) = (properties, object.as_object()) else {
        return;
    };
    shape.push('{');
    for (name, property) in properties {
        if let Some(value) = values.get(name) {
            shape.push_str(name);
            write_shape(property, value, shape);
            shape.push(',');
        }
    }
    shape.push('}');
}

/// The schema without the properties that the object lacks, but for those that have a default: the API
/// server fills them in.
fn part_for(schema: &Value, object: &Value) -> Value {
    let (Some(members), Some(values)) = (schema.as_object(), object.as_object()) else {
        return schema.clone();
    };
    let Some(properties) = members.get("properties").and_then(Value::as_object) else {
        return schema.clone();
    };
    let used = properties.iter().filter_map(|(name, property)| {
        let part = match values.get(name) {
            Some(value) => part_for(property, value),
            None if property.get("default").is_some() => property.clone(),
            None => return None,
        };
        Some((name.clone(), part))
    });
    let mut part: Map<String, Value> = members
        .iter()
        .filter(|(name, _)| *name != "properties")
        .map(|(name, value)| (name.clone(), value.clone()))
        .collect();
    part.insert("properties".to_owned(), used.collect::<Map<_, _>>().into());
    part.into()
}

#[cfg(test)]
mod tests {
    use std::{env, fs, path::Path};

    use kube::CustomResourceExt;

    use crate::api::{
        CopyratorRule, ExchangeRate,
        check::{copyrator_rule, exchange_rate},
        crd,
    };

    fn assert_fresh<Kind: CustomResourceExt>(file: &str, found: &str) {
        let definition = serde_json::to_value(crd::definition::<Kind>()).unwrap();
        let schema = &definition["spec"]["versions"][0]["schema"]["openAPIV3Schema"];
        let json = serde_json::to_string_pretty(schema).unwrap() + "\n";
        let file = format!("src/api/check/{file}");
        if env::var_os("UPDATE_REFERENCE").is_some() {
            fs::write(Path::new(env!("CARGO_MANIFEST_DIR")).join(&file), &json).unwrap();
        }
        assert!(
            json == found,
            "{file} is stale; write it anew: UPDATE_REFERENCE=1 cargo test --lib schema"
        );
    }

    #[test]
    fn the_schema_of_rules_is_that_of_the_types() {
        assert_fresh::<CopyratorRule>("copyratorrule.json", copyrator_rule::JSON);
    }

    #[test]
    fn the_schema_of_exchange_rates_is_that_of_the_types() {
        assert_fresh::<ExchangeRate>("exchangerate.json", exchange_rate::JSON);
    }
}
