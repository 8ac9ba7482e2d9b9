//! Which keys of an original are copied, and under which names.

use std::{collections::BTreeMap, sync::Arc};

use super::{
    globs::Globs,
    rule::{RuleError, globs},
};
use crate::{
    api::DataSelection,
    reconcile::{Content, Value},
};

/// Which keys of an original are copied, and under which names.
#[derive(Clone, Debug)]
pub struct KeySelection {
    include: Option<Globs>,
    exclude: Option<Globs>,
    rename: BTreeMap<Box<str>, Box<str>>,
}

/// Two keys of an original would have the same name in the copy.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "spec.data.rename: {from} would become {to}, but the original has a key {to} too; exclude one of them"
)]
pub struct KeyTaken {
    from: Box<str>,
    to: Box<str>,
}

type Values = BTreeMap<Box<str>, Value>;

impl KeySelection {
    /// Compiles what a rule says.
    pub fn new(data: &DataSelection) -> Result<Self, RuleError> {
        let rename = data.rename.iter();
        Ok(Self {
            include: globs("spec.data.include", &data.include)?,
            exclude: globs("spec.data.exclude", &data.exclude)?,
            rename: rename
                .map(|(from, to)| (from.as_str().into(), to.as_str().into()))
                .collect(),
        })
    }

    /// What a copy of this content holds.
    pub fn apply(&self, content: &Arc<Content>) -> Result<Arc<Content>, KeyTaken> {
        if self.include.is_none() && self.exclude.is_none() && self.rename.is_empty() {
            return Ok(Arc::clone(content));
        }
        let selected = Content {
            r#type: content.r#type.clone(),
            data: self.select(&content.data)?,
            binary_data: self.select(&content.binary_data)?,
        };
        let mut keys = selected.data.keys();
        match keys.find(|key| selected.binary_data.contains_key(*key)) {
            Some(twice) => Err(self.taken(twice)),
            None => Ok(Arc::new(selected)),
        }
    }

    fn select(&self, values: &Values) -> Result<Values, KeyTaken> {
        let mut selected = Values::new();
        for (key, value) in values.iter().filter(|(key, _)| self.selects(key)) {
            let name = self.rename.get(key).unwrap_or(key);
            if selected.insert(name.clone(), value.clone()).is_some() {
                return Err(self.taken(name));
            }
        }
        Ok(selected)
    }

    fn selects(&self, key: &str) -> bool {
        let included = self.include.as_ref().is_none_or(|globs| globs.matches(key));
        let excluded = self
            .exclude
            .as_ref()
            .is_some_and(|globs| globs.matches(key));
        included && !excluded
    }

    fn taken(&self, to: &str) -> KeyTaken {
        let mut renames = self.rename.iter();
        let from = renames.find(|(_, name)| &***name == to);
        KeyTaken {
            from: from.map_or_else(|| to.into(), |(from, _)| from.clone()),
            to: to.into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn apply(data: &serde_json::Value, content: &serde_json::Value) -> Result<Vec<String>, String> {
        let data: DataSelection = serde_json::from_value(data.clone()).unwrap();
        let content: Content = serde_json::from_value(content.clone()).unwrap();
        let applied = KeySelection::new(&data).unwrap().apply(&Arc::new(content));
        let applied = applied.map_err(|error| error.to_string())?;
        let values = applied.data.iter().chain(&applied.binary_data);
        Ok(values
            .map(|(key, value)| format!("{key}={}", value.expose()))
            .collect())
    }

    #[test]
    fn keys_are_included_excluded_and_renamed() {
        let content =
            json!({"data": {"a.crt": "1", "a.key": "2", "b": "3"}, "binaryData": {"z.crt": "4"}});
        assert_eq!(
            apply(&json!({}), &content).unwrap(),
            ["a.crt=1", "a.key=2", "b=3", "z.crt=4"]
        );
        let data =
            json!({"include": ["*.crt", "b"], "exclude": ["z*"], "rename": {"a.crt": "ca.crt"}});
        assert_eq!(apply(&data, &content).unwrap(), ["b=3", "ca.crt=1"]);
    }

    #[test]
    fn keys_may_change_places() {
        let content = json!({"data": {"a": "1", "b": "2"}});
        let data = json!({"rename": {"a": "b", "b": "a"}});
        assert_eq!(apply(&data, &content).unwrap(), ["a=2", "b=1"]);
    }

    #[test]
    fn a_name_that_is_taken_is_refused() {
        let data = json!({"rename": {"a": "b"}});
        for content in [
            json!({"data": {"a": "1", "b": "2"}}),
            json!({"data": {"a": "1"}, "binaryData": {"b": "2"}}),
        ] {
            let refusal = apply(&data, &content).unwrap_err();
            assert!(refusal.contains("a would become b"), "{refusal}");
        }
        let without = json!({"rename": {"a": "b"}, "exclude": ["b"]});
        let content = json!({"data": {"a": "1", "b": "2"}});
        assert_eq!(apply(&without, &content).unwrap(), ["b=1"]);
    }
}
