//! Checks a tree against the structure that a Kubernetes schema prescribes: types, required and
//! unknown fields, bounds, values to choose from, duplicates.
//!
//! The wording follows the API server's, so that the same mistake reads the same here and there.

use std::collections::{HashMap, HashSet};

use serde_json::Value;

use super::suggestion::instead_of;
use crate::api::yaml::{Content, Node, Position};
use crate::api::{FieldPath, Refusal};

/// Where each field was written, by its path with dots alone, as the CEL validator gives it.
#[derive(Debug, Default)]
pub(super) struct Places(HashMap<String, (FieldPath, Position)>);

impl Places {
    /// A field's path and position. The position of a field that wasn't written is its parent's.
    pub(super) fn find(&self, path: &str) -> Option<(FieldPath, Position)> {
        if let Some((field, position)) = self.0.get(path) {
            return Some((field.clone(), *position));
        }
        let (parent, name) = path.rsplit_once('.').unwrap_or(("", path));
        let (field, position) = self.0.get(parent)?;
        Some((field.key(name), *position))
    }
}

/// What is wrong with the structure of an object; also notes the place of each of its fields.
pub(super) fn check(schema: &Value, node: &Node, places: &mut Places) -> Vec<Refusal> {
    let mut walk = Walk {
        refusals: Vec::new(),
        places,
    };
    walk.value(schema, node, &FieldPath::root(), String::new());
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

    fn value(&mut self, schema: &Value, node: &Node, path: &FieldPath, plain: String) {
        self.places
            .0
            .insert(plain.clone(), (path.clone(), node.position));
        if let Some(expected) = schema["type"].as_str()
            && expected != node.type_name()
        {
            self.refuse(node.position, path, wrong_type(expected, node));
            return;
        }
        match &node.content {
            Content::Scalar { value, .. } => self.scalar(schema, value, node.position, path),
            Content::Sequence(items) => self.list(schema, items, node.position, path, &plain),
            Content::Mapping(_) => self.map(schema, node, path, &plain),
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
        let length = value.as_str().map_or(0, |text| text.chars().count());
        if let Some(most) = bound(schema, "maxLength")
            && length > most
        {
            let message = format!("Too long: may not be more than {most} bytes");
            self.refuse(position, path, message);
        }
    }

    fn list(
        &mut self,
        schema: &Value,
        items: &[Node],
        position: Position,
        path: &FieldPath,
        plain: &str,
    ) {
        if let Some(most) = bound(schema, "maxItems")
            && items.len() > most
        {
            let message = format!("Too many: {}: must have at most {most} items", items.len());
            self.refuse(position, path, message);
        }
        let mut seen = HashSet::new();
        for (index, item) in items.iter().enumerate() {
            let item_path = path.index(index);
            self.value(
                &schema["items"],
                item,
                &item_path,
                format!("{plain}[{index}]"),
            );
            if schema["x-kubernetes-list-type"] == "set" && !seen.insert(item.to_json().to_string())
            {
                let message = format!("Duplicate value: {}; keep one", item.to_json());
                self.refuse(item.position, &item_path, message);
            }
        }
    }

    fn map(&mut self, schema: &Value, node: &Node, path: &FieldPath, plain: &str) {
        let Content::Mapping(entries) = &node.content else {
            return;
        };
        if let Some(most) = bound(schema, "maxProperties")
            && entries.len() > most
        {
            let message = format!(
                "Too many: {}: must have at most {most} items",
                entries.len()
            );
            self.refuse(node.position, path, message);
        }
        for entry in entries {
            let joined = if plain.is_empty() {
                entry.key.clone()
            } else {
                format!("{plain}.{}", entry.key)
            };
            if let Some(field) = schema["properties"].get(&entry.key) {
                if !entry.value.is_null() {
                    self.value(field, &entry.value, &path.key(&entry.key), joined);
                }
            } else if let Some(value) = schema.get("additionalProperties") {
                self.value(value, &entry.value, &path.entry(&entry.key), joined);
            } else if schema["x-kubernetes-preserve-unknown-fields"] != true {
                let message = unknown_field(schema, &entry.key);
                self.refuse(entry.position, &path.key(&entry.key), message);
            }
        }
        self.required(schema, node, path);
    }

    fn required(&mut self, schema: &Value, node: &Node, path: &FieldPath) {
        let required = schema["required"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(Value::as_str);
        for field in required.filter(|field| node.get(field).is_none()) {
            let description = schema["properties"][field]["description"]
                .as_str()
                .unwrap_or("write it");
            self.refuse(
                node.position,
                &path.key(field),
                format!("Required value: {description}"),
            );
        }
    }
}

fn bound(schema: &Value, keyword: &str) -> Option<usize> {
    schema[keyword]
        .as_u64()
        .and_then(|bound| usize::try_from(bound).ok())
}

fn unknown_field(schema: &Value, key: &str) -> String {
    let known: Vec<&str> = schema["properties"]
        .as_object()
        .into_iter()
        .flatten()
        .map(|(name, _)| name.as_str())
        .collect();
    format!("unknown field {key:?}{}", instead_of(key, &known))
}

/// What a value of the wrong type is, and how to make it one of the right type.
fn wrong_type(expected: &str, node: &Node) -> String {
    let must = format!("must be of type {expected}");
    match (&node.content, expected) {
        (_, _) if node.is_null() => {
            format!("{must}, but there is no value; write one or remove the line")
        }
        (Content::Scalar { text, .. }, "string") => {
            format!(
                "{must}, but {text} is read as a {}; quote it: {text:?}",
                node.type_name()
            )
        }
        (Content::Scalar { text, .. }, "array") => {
            format!(
                "{must}, but this is one {}; write a list: [{text:?}]",
                node.type_name()
            )
        }
        _ => format!("{must}, but this is of type {}", node.type_name()),
    }
}
