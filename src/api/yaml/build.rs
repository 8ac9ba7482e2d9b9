//! Builds trees from the events of the YAML parser.

use std::collections::HashMap;

use serde_json::Value;
use serde_saphyr::granit_parser::{Event, ScalarStyle, Tag};

use super::node::{Content, Node, Position};
use super::open::{Open, OpenContent, OpenMapping};
use super::{read::DEPTH, scalar};
use crate::api::{FieldPath, Refusal};

/// How many values a text may have once its aliases are expanded: a few lines of nested aliases could
/// otherwise fill the memory.
const VALUES: usize = 1_000_000;

/// The tags of scalars that mean something: the core schema's, and 1.1's timestamp.
const SCALAR_TAGS: &[&str] = &["str", "null", "bool", "int", "float", "timestamp"];

/// Takes events one by one; [`Builder::finish`] gives the documents.
#[derive(Default)]
pub(super) struct Builder {
    documents: Vec<Node>,
    refusals: Vec<Refusal>,
    open: Vec<Open>,
    anchors: HashMap<usize, Complete>,
    values: usize,
}

/// A complete value with what it takes to keep within the limits.
#[derive(Clone)]
struct Complete {
    node: Node,
    values: usize,
    depth: usize,
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
                let node = Node { position, content };
                self.add(
                    Complete {
                        node,
                        values: 1,
                        depth: 0,
                    },
                    anchor,
                )?;
            }
            Event::SequenceStart(_, anchor, tag) => {
                self.check_tag(tag.as_deref(), &["seq"], position);
                self.open(position, anchor, OpenContent::Sequence(Vec::new()));
            }
            Event::MappingStart(_, anchor, tag) => {
                self.check_tag(tag.as_deref(), &["map"], position);
                self.open(
                    position,
                    anchor,
                    OpenContent::Mapping(OpenMapping::default()),
                );
            }
            Event::SequenceEnd | Event::MappingEnd => self.close()?,
            Event::Alias(anchor) => self.repeat(anchor, position)?,
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

    fn open(&mut self, position: Position, anchor: usize, content: OpenContent) {
        let (path, values_before) = (self.path_of_next(), self.values);
        self.open.push(Open {
            position,
            anchor,
            path,
            values_before,
            depth: 0,
            content,
        });
    }

    fn close(&mut self) -> Result<(), Refusal> {
        let Some(open) = self.open.pop() else {
            return Ok(());
        };
        let values = self.values - open.values_before + 1;
        self.values = open.values_before;
        let (anchor, depth) = (open.anchor, open.depth + 1);
        self.add(
            Complete {
                node: open.close(),
                values,
                depth,
            },
            anchor,
        )
    }

    /// Takes the value of an anchor once more, for an alias.
    fn repeat(&mut self, anchor: usize, position: Position) -> Result<(), Refusal> {
        let Some(value) = self.anchors.get(&anchor) else {
            return Err(self.refusal(position, "the alias is inside the value that it refers to"));
        };
        let value = value.clone();
        self.add(value, 0)
    }

    /// Puts a complete value where it belongs: into the open list or map, or among the documents.
    fn add(&mut self, value: Complete, anchor: usize) -> Result<(), Refusal> {
        let position = value.node.position;
        self.values += value.values;
        if self.values > VALUES {
            return Err(self.refusal(
                position,
                "too many values; split the file or use fewer aliases",
            ));
        }
        if self.open.len() + value.depth > DEPTH {
            return Err(self.refusal(position, "nested too deeply; use fewer aliases"));
        }
        if anchor != 0 {
            self.anchors.insert(anchor, value.clone());
        }
        let Some(open) = self.open.last_mut() else {
            self.documents.push(value.node);
            return Ok(());
        };
        let path = open.path.clone();
        if let Err(message) = open.add(value.node, value.depth) {
            self.refuse(Refusal {
                position: Some(position),
                field: path,
                message,
            });
        }
        Ok(())
    }

    fn path_of_next(&self) -> FieldPath {
        self.open
            .last()
            .map_or_else(FieldPath::root, Open::path_of_next)
    }

    fn scalar_value(
        &mut self,
        text: &str,
        style: ScalarStyle,
        tag: Option<&Tag>,
        position: Position,
    ) -> Value {
        self.check_tag(tag, SCALAR_TAGS, position);
        let tagged_text = tag.is_some_and(|tag| tag.core_suffix() == Some("str"));
        if style == ScalarStyle::Plain && !tagged_text {
            scalar::resolve(text)
        } else {
            text.into()
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
            self.refuse(self.refusal(position, &message));
        }
    }

    fn refusal(&self, position: Position, message: &str) -> Refusal {
        let field = self.path_of_next();
        Refusal {
            position: Some(position),
            field,
            message: message.to_owned(),
        }
    }
}
