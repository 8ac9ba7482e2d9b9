//! The lists and maps that are open while a document is read.

use std::collections::HashMap;

use serde_json::Value;

use super::node::{Content, Entry, Node, Position};
use crate::api::FieldPath;

/// A list or map whose end hasn't come yet.
pub(super) struct Open {
    pub position: Position,
    /// The anchor's number, or 0.
    pub anchor: usize,
    pub path: FieldPath,
    /// How many values the text had when this one began.
    pub values_before: usize,
    /// How deep the values inside are nested.
    pub depth: usize,
    pub content: OpenContent,
}

pub(super) enum OpenContent {
    Sequence(Vec<Node>),
    Mapping(OpenMapping),
}

/// A map whose end hasn't come yet.
#[derive(Default)]
pub(super) struct OpenMapping {
    entries: Vec<Entry>,
    keys: HashMap<String, Position>,
    key: Option<Key>,
    merged: Vec<Node>,
}

/// A key that waits for its value.
enum Key {
    Text(String, Position),
    /// `<<`, whose value's entries are taken over.
    Merge,
    /// A key that was refused; its value is dropped.
    Refused,
}

impl Open {
    /// The path of the value that comes next.
    pub(super) fn path_of_next(&self) -> FieldPath {
        match &self.content {
            OpenContent::Sequence(items) => self.path.index(items.len()),
            OpenContent::Mapping(OpenMapping {
                key: Some(Key::Text(key, _)),
                ..
            }) => self.path.key(key),
            OpenContent::Mapping(_) => self.path.clone(),
        }
    }

    /// Adds an item, a key or a value; an error says why a key is refused.
    pub(super) fn add(&mut self, node: Node, depth: usize) -> Result<(), String> {
        self.depth = self.depth.max(depth);
        match &mut self.content {
            OpenContent::Sequence(items) => items.push(node),
            OpenContent::Mapping(mapping) => match mapping.key.take() {
                None => return mapping.set_key(node),
                Some(Key::Merge) => mapping.merged.push(node),
                Some(Key::Refused) => {}
                Some(Key::Text(key, position)) => {
                    mapping.entries.push(Entry {
                        key,
                        position,
                        value: node,
                    });
                }
            },
        }
        Ok(())
    }

    /// The complete list or map.
    pub(super) fn close(self) -> Node {
        let content = match self.content {
            OpenContent::Sequence(items) => Content::Sequence(items),
            OpenContent::Mapping(mapping) => Content::Mapping(mapping.into_entries()),
        };
        Node {
            position: self.position,
            content,
        }
    }
}

impl OpenMapping {
    fn set_key(&mut self, node: Node) -> Result<(), String> {
        self.key = Some(Key::Refused);
        let type_name = node.type_name();
        let text = match node.content {
            Content::Scalar {
                value: Value::String(text),
                ..
            } => text,
            Content::Scalar { text, .. } => {
                return Err(format!(
                    "the key {text} is read as a {type_name}; quote it: {text:?}"
                ));
            }
            _ => {
                return Err(format!(
                    "a key must be a string, not an {type_name}; quote it"
                ));
            }
        };
        if let Some(first) = self.keys.get(&text) {
            let line = first.line;
            return Err(format!(
                "the key {text:?} is given twice, first in line {line}; keep one"
            ));
        }
        if text == "<<" {
            self.key = Some(Key::Merge);
        } else {
            self.keys.insert(text.clone(), node.position);
            self.key = Some(Key::Text(text, node.position));
        }
        Ok(())
    }

    /// The entries with those that `<<` adds; the map's own win, then the earlier ones.
    fn into_entries(mut self) -> Vec<Entry> {
        let maps = self.merged.into_iter().flat_map(|node| match node.content {
            Content::Sequence(items) => items,
            _ => vec![node],
        });
        let more = maps.filter_map(|map| match map.content {
            Content::Mapping(entries) => Some(entries),
            _ => None,
        });
        for entry in more.flatten() {
            if self
                .keys
                .insert(entry.key.clone(), entry.position)
                .is_none()
            {
                self.entries.push(entry);
            }
        }
        self.entries
    }
}
