//! Where the fields of an object were written.

use std::collections::HashMap;

use crate::api::FieldPath;
use crate::api::yaml::Position;

/// The fields of an object by their paths with dots alone, as the CEL validator gives them.
#[derive(Debug, Default)]
pub struct Places(HashMap<String, (FieldPath, Position)>);

impl Places {
    /// Notes a field's position.
    pub(super) fn note(&mut self, field: &FieldPath, position: Position) {
        self.0.insert(field.dotted(), (field.clone(), position));
    }

    /// A field's path and position. The position of a field that wasn't written is its parent's.
    pub(super) fn find(&self, dotted: &str) -> Option<(FieldPath, Position)> {
        if let Some(place) = self.0.get(dotted) {
            return Some(place.clone());
        }
        let (parent, name) = dotted.rsplit_once('.').unwrap_or(("", dotted));
        let (field, position) = self.0.get(parent)?;
        Some((field.key(name), *position))
    }
}
