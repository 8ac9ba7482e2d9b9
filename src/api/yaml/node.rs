//! A YAML or JSON document as a tree that knows where each of its parts was written.

use std::fmt;

use serde_json::{Map, Value};

/// A place in a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    /// The line, counted from 1.
    pub line: usize,
    /// The character in the line, counted from 1.
    pub column: usize,
}

impl fmt::Display for Position {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}:{}", self.line, self.column)
    }
}

/// A value and where it was written.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::api) struct Node {
    /// Where the value begins; for an alias, where its anchor's value does.
    pub position: Position,
    /// The value.
    pub content: Content,
}

/// The kinds of value in a document.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::api) enum Content {
    /// A text, number, boolean or nothing.
    Scalar {
        /// What kubectl reads.
        value: Value,
        /// What was written, which need not be the same: `on` is read as `true`.
        text: String,
    },
    /// A list.
    Sequence(Vec<Node>),
    /// A map, in the order in which it was written. No key appears twice.
    Mapping(Vec<Entry>),
}

/// A key of a mapping with its value.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::api) struct Entry {
    /// The key.
    pub key: String,
    /// Where the key was written.
    pub position: Position,
    /// The value.
    pub value: Node,
}

impl Node {
    /// The value of a mapping's key. A null is the same as no value, as the API server has it.
    pub fn get(&self, key: &str) -> Option<&Self> {
        let Content::Mapping(entries) = &self.content else {
            return None;
        };
        let entry = entries.iter().find(|entry| entry.key == key)?;
        (!entry.value.is_null()).then_some(&entry.value)
    }

    /// The text of a scalar that is read as a text.
    pub fn as_text(&self) -> Option<&str> {
        match &self.content {
            Content::Scalar { value, .. } => value.as_str(),
            _ => None,
        }
    }

    /// Whether nothing was written here, or `null`.
    pub fn is_null(&self) -> bool {
        matches!(
            &self.content,
            Content::Scalar {
                value: Value::Null,
                ..
            }
        )
    }

    /// The type of the value in the words of a schema.
    pub fn type_name(&self) -> &'static str {
        match &self.content {
            Content::Sequence(_) => "array",
            Content::Mapping(_) => "object",
            Content::Scalar { value, .. } => match value {
                Value::Bool(_) => "boolean",
                Value::Number(number) if number.is_f64() => "number",
                Value::Number(_) => "integer",
                Value::String(_) => "string",
                _ => "null",
            },
        }
    }

    /// The value without its positions, and without the nulls in mappings: the API server drops
    /// those for fields that can't be null, and ours can't.
    pub fn to_json(&self) -> Value {
        match &self.content {
            Content::Scalar { value, .. } => value.clone(),
            Content::Sequence(items) => items.iter().map(Self::to_json).collect(),
            Content::Mapping(entries) => entries
                .iter()
                .filter(|entry| !entry.value.is_null())
                .map(|entry| (entry.key.clone(), entry.value.to_json()))
                .collect::<Map<_, _>>()
                .into(),
        }
    }

    /// A value that was written nowhere, so that its positions mean nothing.
    pub fn from_json(value: &Value) -> Self {
        let content = match value {
            Value::Array(items) => Content::Sequence(items.iter().map(Self::from_json).collect()),
            Value::Object(object) => Content::Mapping(
                object
                    .iter()
                    .map(|(key, value)| Entry {
                        key: key.clone(),
                        position: Position::default(),
                        value: Self::from_json(value),
                    })
                    .collect(),
            ),
            scalar => Content::Scalar {
                value: scalar.clone(),
                text: scalar.to_string(),
            },
        };
        Self {
            position: Position::default(),
            content,
        }
    }
}
