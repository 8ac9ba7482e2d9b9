//! Which keys of an object change; their names are no secret, their values never appear here.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::reconcile::{Content, Value};

/// The keys of two states, told apart.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct KeyChanges {
    /// Keys that come.
    pub added: Vec<String>,
    /// Keys that go.
    pub removed: Vec<String>,
    /// Keys whose value changes, or that move between `data` and `binaryData`.
    pub changed: Vec<String>,
}

impl KeyChanges {
    /// Compares two contents, of which either may be absent.
    pub fn between(before: Option<&Content>, after: Option<&Content>) -> Self {
        let (before, after) = (all_keys(before), all_keys(after));
        let mut changes = Self::default();
        for (key, value) in &after {
            match before.get(key) {
                None => changes.added.push((*key).to_owned()),
                Some(old) if old != value => changes.changed.push((*key).to_owned()),
                Some(_) => {}
            }
        }
        let gone = before.keys().filter(|key| !after.contains_key(*key));
        changes.removed = gone.map(|key| (*key).to_owned()).collect();
        changes
    }
}

/// The values of both maps, with where each is.
fn all_keys(content: Option<&Content>) -> BTreeMap<&str, (bool, &Value)> {
    let mut keys = BTreeMap::new();
    let Some(content) = content else {
        return keys;
    };
    keys.extend(
        content
            .data
            .iter()
            .map(|(key, value)| (&**key, (false, value))),
    );
    keys.extend(
        content
            .binary_data
            .iter()
            .map(|(key, value)| (&**key, (true, value))),
    );
    keys
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_told_apart() {
        let before: Content = serde_json::from_str(
            r#"{"data":{"a":"1","b":"1","c":"1","d":"1"},"binaryData":{"e":"1"}}"#,
        )
        .unwrap();
        let after: Content = serde_json::from_str(
            r#"{"data":{"a":"1","b":"2","e":"1","f":"1"},"binaryData":{"d":"1"}}"#,
        )
        .unwrap();
        let changes = KeyChanges::between(Some(&before), Some(&after));
        assert_eq!(changes.added, ["f"]);
        assert_eq!(changes.removed, ["c"]);
        assert_eq!(changes.changed, ["b", "d", "e"]);
        assert_eq!(KeyChanges::between(None, Some(&before)).added.len(), 5);
        assert_eq!(KeyChanges::between(Some(&before), None).removed.len(), 5);
    }
}
