//! Checks a tree against the structure that a Kubernetes schema prescribes: types, required and
//! unknown fields, bounds, values to choose from, duplicates.
//!
//! The wording follows the API server's, so that a mistake reads the same here and there.

use std::collections::HashSet;

use serde_json::Value;

use super::places::Places;
use super::suggestion::{instead_of, nearest};
use crate::api::yaml::{Content, Entry, Node, Position};
use crate::api::{FieldPath, Refusal};

/// What is wrong with the structure of an object; also notes the place of each of its fields.
pub(super) fn check(schema: &Value, node: &Node, places: &mut Places) -> Vec<Refusal> {
    let mut walk = Walk {
        refusals: Vec::new(),
        places,
    };
    walk.value(schema, node, &FieldPath::root());
    walk.refusals
}

struct Walk<'places> {
    refusals: Vec<Refusal>,
    places: &'places mut Places,
}

impl Walk<'_> {
    fn refuse(&mut self, position: Position, field: &FieldPath, message: String) {
        self.refusals.push(Refusal {
            position: Some(position),
            field: field.clone(),
            message,
        });
    }

    fn value(&mut self, schema: &Value, node: &Node, path: &FieldPath) {
        self.places.note(path, node.position);
        if schema["x-kubernetes-preserve-unknown-fields"] == true {
            return;
        }
        let expected = schema["type"].as_str().unwrap_or(node.type_name());
        if expected != node.type_name() {
            return self.refuse(node.position, path, wrong_type(expected, node));
        }
        match &node.content {
            Content::Scalar { value, .. } => self.scalar(schema, value, node.position, path),
            Content::Sequence(items) => {
                self.count(schema, "maxItems", items.len(), node.position, path);
                self.items(schema, items, path);
            }
            Content::Mapping(entries) => {
                self.count(schema, "maxProperties", entries.len(), node.position, path);
                for entry in entries {
                    self.entry(schema, entry, path);
                }
                self.required(schema, node, entries, path);
            }
        }
    }

    fn scalar(&mut self, schema: &Value, value: &Value, position: Position, path: &FieldPath) {
        if let Some(allowed) = schema["enum"].as_array()
            && !allowed.contains(value)
        {
            let supported: Vec<String> = allowed.iter().map(Value::to_string).collect();
            let supported = supported.join(", ");
            let message = format!("Unsupported value: {value}: supported values: {supported}");
            self.refuse(position, path, message);
        }
        // The API server counts characters, too, and calls them bytes.
        let length = value.as_str().map_or(0, |text| text.chars().count());
        if let Some(most) = bound(schema, "maxLength").filter(|most| length > *most) {
            self.refuse(
                position,
                path,
                format!("Too long: may not be more than {most} bytes"),
            );
        }
    }

    fn count(
        &mut self,
        schema: &Value,
        keyword: &str,
        count: usize,
        position: Position,
        path: &FieldPath,
    ) {
        if let Some(most) = bound(schema, keyword).filter(|most| count > *most) {
            let message = format!("Too many: {count}: must have at most {most} items");
            self.refuse(position, path, message);
        }
    }

    fn items(&mut self, schema: &Value, items: &[Node], path: &FieldPath) {
        let is_set = schema["x-kubernetes-list-type"] == "set";
        let mut seen = HashSet::new();
        for (index, item) in items.iter().enumerate() {
            let path = path.index(index);
            self.value(&schema["items"], item, &path);
            let json = item.to_json().to_string();
            if is_set && !seen.insert(json.clone()) {
                self.refuse(
                    item.position,
                    &path,
                    format!("Duplicate value: {json}; keep one"),
                );
            }
        }
    }

    fn entry(&mut self, schema: &Value, entry: &Entry, path: &FieldPath) {
        let field = path.key(&entry.key);
        if let Some(schema) = schema["properties"].get(&entry.key) {
            // The API server drops a null where a field can't be null, and ours can't.
            if !entry.value.is_null() {
                self.value(schema, &entry.value, &field);
            }
        } else if let Some(schema) = schema.get("additionalProperties") {
            self.value(schema, &entry.value, &path.entry(&entry.key));
        } else {
            let way_out = instead_of(&entry.key, &properties(schema));
            self.refuse(
                entry.position,
                &field,
                format!("unknown field {:?}{way_out}", entry.key),
            );
        }
    }

    fn required(&mut self, schema: &Value, node: &Node, entries: &[Entry], path: &FieldPath) {
        let known = properties(schema);
        // A field that was only misspelt is not missing as well.
        let meant = |field: &str| {
            let mut unknown = entries
                .iter()
                .filter(|entry| !known.contains(&entry.key.as_str()));
            unknown.any(|entry| nearest(&entry.key, &known) == Some(field))
        };
        let required = schema["required"].as_array().into_iter().flatten();
        for field in required.filter_map(Value::as_str) {
            if node.get(field).is_none() && !meant(field) {
                let description = schema["properties"][field]["description"].as_str();
                let message = format!("Required value: {}", description.unwrap_or("write it"));
                self.refuse(node.position, &path.key(field), message);
            }
        }
    }
}

fn bound(schema: &Value, keyword: &str) -> Option<usize> {
    schema[keyword]
        .as_u64()
        .and_then(|bound| usize::try_from(bound).ok())
}

fn properties(schema: &Value) -> Vec<&str> {
    let properties = schema["properties"].as_object();
    properties
        .into_iter()
        .flatten()
        .map(|(name, _)| name.as_str())
        .collect()
}

/// What a value of the wrong type is, and how to make it one of the right type.
fn wrong_type(expected: &str, node: &Node) -> String {
    let name = node.type_name();
    let article = if name.starts_with(['a', 'e', 'i', 'o', 'u']) {
        "an"
    } else {
        "a"
    };
    let must = format!("must be of type {expected}");
    match (&node.content, expected) {
        _ if node.is_null() => {
            format!("{must}, but there is no value; write one or remove the line")
        }
        (Content::Scalar { text, .. }, "string") => {
            format!("{must}, but {text} is read as {article} {name}; quote it: {text:?}")
        }
        (Content::Scalar { text, .. }, "array") => {
            format!("{must}, but this is {article} {name}; write a list: [{text:?}]")
        }
        _ => format!("{must}, but this is {article} {name}"),
    }
}
