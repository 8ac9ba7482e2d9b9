//! Builds trees from the events of the YAML parser.

use std::collections::HashMap;
use std::mem;

use serde_json::Value;
use serde_saphyr::granit_parser::{Event, ScalarStyle, Tag};

use super::node::{Content, Entry, Node, Position};
use super::{read::DEPTH, scalar};
use crate::api::{FieldPath, Refusal};

/// How many values a text may have once its aliases are expanded: a few lines of nested aliases could
/// otherwise fill the memory.
const VALUES: usize = 1_000_000;

/// Takes events one by one; [`Builder::finish`] gives the documents.
#[derive(Default)]
pub(super) struct Builder {
    documents: Vec<Node>,
    refusals: Vec<Refusal>,
    open: Vec<Open>,
    anchors: HashMap<usize, Anchored>,
    values: usize,
}

/// A value that aliases can refer to.
struct Anchored {
    node: Node,
    values: usize,
    depth: usize,
}

/// A list or map whose end hasn't come yet.
struct Open {
    position: Position,
    anchor: usize,
    path: FieldPath,
    /// How many values the text had when this one began.
    values_before: usize,
    /// How deep the deepest value inside is nested, counted from this one.
    depth: usize,
    content: OpenContent,
}

enum OpenContent {
    Sequence(Vec<Node>),
    Mapping {
        entries: Vec<Entry>,
        keys: HashMap<String, Position>,
        key: Option<Key>,
        merged: Vec<Node>,
    },
}

/// A key that waits for its value.
enum Key {
    Text(String, Position),
    /// `<<`, whose value's entries are taken over.
    Merge,
    /// A key that was refused; its value is dropped.
    Refused,
}

impl Builder {
    /// Takes the next event; an error means that the rest of the text can't be read.
    pub(super) fn absorb(&mut self, event: Event<'_>, position: Position) -> Result<(), Refusal> {
        match event {
            Event::DocumentStart(..) => self.anchors.clear(),
            Event::Scalar(text, style, anchor, tag) => {
                let value = self.scalar_value(&text, style, tag.as_deref(), position);
                let content = Content::Scalar {
                    value,
                    text: text.into_owned(),
                };
                self.add(Node { position, content }, anchor, 1, 0)?;
            }
            Event::SequenceStart(_, anchor, tag) => {
                self.check_tag(tag.as_deref(), &["seq"], position);
                self.open(position, anchor, OpenContent::Sequence(Vec::new()));
            }
            Event::MappingStart(_, anchor, tag) => {
                self.check_tag(tag.as_deref(), &["map"], position);
                self.open(position, anchor, empty_mapping());
            }
            Event::SequenceEnd | Event::MappingEnd => self.close()?,
            Event::Alias(anchor) => self.expand(anchor, position)?,
            _ => {}
        }
        Ok(())
    }

    /// The documents that were complete, and what is wrong with the YAML.
    pub(super) fn finish(self) -> (Vec<Node>, Vec<Refusal>) {
        (self.documents, self.refusals)
    }

    /// Adds to what is wrong.
    pub(super) fn refuse(&mut self, refusal: Refusal) {
        self.refusals.push(refusal);
    }

    fn refuse_at(&mut self, position: Position, field: FieldPath, message: String) {
        self.refuse(Refusal {
            position: Some(position),
            field,
            message,
        });
    }

    fn open(&mut self, position: Position, anchor: usize, content: OpenContent) {
        let path = self.path_of_next();
        self.open.push(Open {
            position,
            anchor,
            path,
            values_before: self.values,
            depth: 0,
            content,
        });
    }

    fn close(&mut self) -> Result<(), Refusal> {
        let Some(open) = self.open.pop() else {
            return Ok(());
        };
        let content = match open.content {
            OpenContent::Sequence(items) => Content::Sequence(items),
            OpenContent::Mapping {
                entries,
                keys,
                merged,
                ..
            } => Content::Mapping(with_merged(entries, keys, merged)),
        };
        let values = self.values - open.values_before + 1;
        self.values = open.values_before;
        self.add(
            Node {
                position: open.position,
                content,
            },
            open.anchor,
            values,
            open.depth + 1,
        )
    }

    /// Repeats the value of an anchor.
    fn expand(&mut self, anchor: usize, position: Position) -> Result<(), Refusal> {
        let Some(Anchored {
            node,
            values,
            depth,
        }) = self.anchors.get(&anchor)
        else {
            return Err(self.hopeless(position, "the alias is inside the value that it refers to"));
        };
        let (node, values, depth) = (node.clone(), *values, *depth);
        self.add(node, 0, values, depth)
    }

    /// Puts a complete value where it belongs: into the open list or map, or among the documents.
    fn add(
        &mut self,
        node: Node,
        anchor: usize,
        values: usize,
        depth: usize,
    ) -> Result<(), Refusal> {
        self.values += values;
        if self.values > VALUES {
            return Err(self.hopeless(
                node.position,
                "too many values; write fewer aliases or split the file",
            ));
        }
        if self.open.len() + depth > DEPTH {
            return Err(self.hopeless(node.position, "nested too deeply; write fewer aliases"));
        }
        if anchor != 0 {
            self.anchors.insert(
                anchor,
                Anchored {
                    node: node.clone(),
                    values,
                    depth,
                },
            );
        }
        let Some(open) = self.open.last_mut() else {
            self.documents.push(node);
            return Ok(());
        };
        open.depth = open.depth.max(depth);
        match &mut open.content {
            OpenContent::Sequence(items) => items.push(node),
            OpenContent::Mapping { key: None, .. } => self.set_key(node),
            OpenContent::Mapping {
                entries,
                key,
                merged,
                ..
            } => match key.take() {
                Some(Key::Text(key, position)) => entries.push(Entry {
                    key,
                    position,
                    value: node,
                }),
                Some(Key::Merge) => merged.push(node),
                Some(Key::Refused) | None => {}
            },
        }
        Ok(())
    }

    /// Makes a value the key of the open map, if it can be one.
    fn set_key(&mut self, node: Node) {
        let Some(Open {
            path,
            content: OpenContent::Mapping { keys, key, .. },
            ..
        }) = self.open.last_mut()
        else {
            return;
        };
        let position = node.position;
        let path = path.clone();
        *key = Some(Key::Refused);
        let message = match node.content {
            Content::Scalar {
                value: Value::String(text),
                ..
            } if text == "<<" => {
                *key = Some(Key::Merge);
                return;
            }
            Content::Scalar {
                value: Value::String(text),
                ..
            } => match keys.get(&text) {
                Some(first) => format!(
                    "the key {text:?} is given twice, first in line {}; keep one",
                    first.line
                ),
                None => {
                    keys.insert(text.clone(), position);
                    *key = Some(Key::Text(text, position));
                    return;
                }
            },
            Content::Scalar { ref text, .. } => {
                format!(
                    "the key {text} is read as a {}; quote it: \"{text}\"",
                    node.type_name()
                )
            }
            _ => "a key must be a text, not a list or a map; quote a text that starts with { or ["
                .to_owned(),
        };
        self.refuse_at(position, path, message);
    }

    /// The path of the value that comes next.
    fn path_of_next(&self) -> FieldPath {
        match self.open.last() {
            None => FieldPath::root(),
            Some(Open {
                path,
                content: OpenContent::Sequence(items),
                ..
            }) => path.index(items.len()),
            Some(Open {
                path,
                content: OpenContent::Mapping { key, .. },
                ..
            }) => match key {
                Some(Key::Text(key, _)) => path.key(key),
                _ => path.clone(),
            },
        }
    }

    fn scalar_value(
        &mut self,
        text: &str,
        style: ScalarStyle,
        tag: Option<&Tag>,
        position: Position,
    ) -> Value {
        self.check_tag(
            tag,
            &["str", "null", "bool", "int", "float", "timestamp"],
            position,
        );
        let is_text =
            style != ScalarStyle::Plain || tag.is_some_and(|tag| tag.core_suffix() == Some("str"));
        if is_text {
            text.into()
        } else {
            scalar::resolve(text)
        }
    }

    fn check_tag(&mut self, tag: Option<&Tag>, known: &[&str], position: Position) {
        let Some(tag) = tag else { return };
        if !tag
            .core_suffix()
            .is_some_and(|suffix| known.contains(&suffix))
        {
            let message = format!(
                "the YAML tag {} has no meaning here; remove it",
                tag.original()
            );
            self.refuse_at(position, self.path_of_next(), message);
        }
    }

    fn hopeless(&self, position: Position, message: &str) -> Refusal {
        Refusal {
            position: Some(position),
            field: self.path_of_next(),
            message: message.to_owned(),
        }
    }
}

fn empty_mapping() -> OpenContent {
    OpenContent::Mapping {
        entries: Vec::new(),
        keys: HashMap::new(),
        key: None,
        merged: Vec::new(),
    }
}

/// The entries of a map with those that `<<` adds; the map's own win, then the earlier ones.
fn with_merged(
    mut entries: Vec<Entry>,
    mut keys: HashMap<String, Position>,
    merged: Vec<Node>,
) -> Vec<Entry> {
    for node in merged {
        let maps = match node.content {
            Content::Sequence(items) => items,
            content => vec![Node {
                position: node.position,
                content,
            }],
        };
        for map in maps {
            let Content::Mapping(more) = map.content else {
                continue;
            };
            for entry in more {
                if keys.insert(entry.key.clone(), entry.position).is_none() {
                    entries.push(entry);
                }
            }
        }
    }
    mem::take(&mut entries)
}
