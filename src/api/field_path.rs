//! The path of a field, as people and the API server write it: `spec.source.names[1]`.

use std::fmt;

/// The path from an object's root to one of its fields.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct FieldPath(Vec<Segment>);

/// One step of a [`FieldPath`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Segment {
    Key(String),
    Entry(String),
    Index(usize),
}

impl FieldPath {
    /// The path of the object itself; it is displayed as nothing.
    pub fn root() -> Self {
        Self::default()
    }

    /// The path of a field.
    #[must_use]
    pub fn key(&self, key: &str) -> Self {
        self.with(Segment::Key(key.to_owned()))
    }

    /// The path of the value that a map has for a key.
    #[must_use]
    pub fn entry(&self, key: &str) -> Self {
        self.with(Segment::Entry(key.to_owned()))
    }

    /// The path of a list's item, counted from 0.
    #[must_use]
    pub fn index(&self, index: usize) -> Self {
        self.with(Segment::Index(index))
    }

    /// Whether this is the path of the object itself.
    pub fn is_root(&self) -> bool {
        self.0.is_empty()
    }

    /// The path of the same field in an object that is itself a field.
    pub(super) fn under(&self, outer: &Self) -> Self {
        Self(outer.0.iter().chain(&self.0).cloned().collect())
    }

    /// Whether one of the two paths leads to, or through, the other's field.
    pub(super) fn touches(&self, other: &Self) -> bool {
        let shared = self.0.len().min(other.0.len());
        self.0[..shared] == other.0[..shared]
    }

    /// The path in the plain form of the CEL validator, which joins everything but indices with dots.
    pub(super) fn dotted(&self) -> String {
        let parts = self
            .0
            .iter()
            .enumerate()
            .map(|(position, segment)| match segment {
                Segment::Index(index) => format!("[{index}]"),
                Segment::Key(key) | Segment::Entry(key) if position == 0 => key.clone(),
                Segment::Key(key) | Segment::Entry(key) => format!(".{key}"),
            });
        parts.collect()
    }

    fn with(&self, segment: Segment) -> Self {
        let mut segments = self.0.clone();
        segments.push(segment);
        Self(segments)
    }
}

impl fmt::Display for FieldPath {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (position, segment) in self.0.iter().enumerate() {
            match segment {
                Segment::Index(index) => write!(formatter, "[{index}]")?,
                Segment::Entry(key) => write!(formatter, "[{key}]")?,
                Segment::Key(key) if position == 0 => formatter.write_str(key)?,
                Segment::Key(key) => write!(formatter, ".{key}")?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_displayed_as_the_api_server_writes_them() {
        let names = FieldPath::root().key("spec").key("source").key("names");
        assert_eq!(names.index(1).to_string(), "spec.source.names[1]");
        let label = FieldPath::root()
            .key("matchLabels")
            .entry("app.kubernetes.io/name");
        assert_eq!(label.to_string(), "matchLabels[app.kubernetes.io/name]");
        assert_eq!(FieldPath::root().to_string(), "");
    }

    #[test]
    fn a_path_touches_its_parents_and_children_only() {
        let spec = FieldPath::root().key("spec");
        assert!(spec.touches(&spec.key("source")) && spec.key("source").touches(&spec));
        assert!(!spec.key("target").touches(&spec.key("source")));
    }
}
