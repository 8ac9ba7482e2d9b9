//! The labels and annotations that an object takes over from what it is made from.
//!
//! Which ones those are is told by a mark on the object, so that one which isn't to be carried any
//! more can be taken away, and other people's are left alone.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::borrowed::Texts;

/// Labels and annotations that an object should take over.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Carried {
    /// The labels by key.
    pub labels: BTreeMap<Box<str>, Box<str>>,
    /// The annotations by key.
    pub annotations: BTreeMap<Box<str>, Box<str>>,
}

impl Carried {
    /// The keys alone.
    pub fn keys(&self) -> CarriedKeys {
        CarriedKeys {
            labels: self.labels.keys().cloned().collect(),
            annotations: self.annotations.keys().cloned().collect(),
        }
    }

    /// The digest by which two of them are compared; none when nothing is carried.
    pub fn digest(&self) -> Option<CarriedDigest> {
        let is_empty = self.labels.is_empty() && self.annotations.is_empty();
        (!is_empty).then(|| digest([entries(&self.labels), entries(&self.annotations)]))
    }
}

/// The keys of what an object has taken over, as its mark tells them in JSON.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct CarriedKeys {
    /// The keys of the labels, sorted.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub labels: Vec<Box<str>>,
    /// The keys of the annotations, sorted.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub annotations: Vec<Box<str>>,
}

impl CarriedKeys {
    /// Reads the mark. One that can't be read tells nothing, and so is written anew.
    pub fn parse(mark: &str) -> Self {
        serde_json::from_str(mark).unwrap_or_default()
    }

    /// The text of the mark.
    pub fn to_mark(&self) -> String {
        serde_json::json!(self).to_string()
    }
}

/// What an object was found to have taken over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ObservedCarried {
    /// The keys that its mark tells.
    pub keys: CarriedKeys,
    /// The digest of what it has under these keys now.
    pub digest: CarriedDigest,
}

impl ObservedCarried {
    /// Reads the mark, and what is there under its keys.
    pub fn new(mark: &str, labels: Option<&Texts<'_>>, annotations: Option<&Texts<'_>>) -> Self {
        let keys = CarriedKeys::parse(mark);
        let digest = digest([
            present(&keys.labels, labels),
            present(&keys.annotations, annotations),
        ]);
        Self { keys, digest }
    }
}

fn entries(map: &BTreeMap<Box<str>, Box<str>>) -> Vec<(&str, &str)> {
    map.iter().map(|(key, value)| (&**key, &**value)).collect()
}

fn present<'a>(keys: &'a [Box<str>], map: Option<&'a Texts<'_>>) -> Vec<(&'a str, &'a str)> {
    keys.iter()
        .filter_map(|key| Some((&**key, map?.get(key)?)))
        .collect()
}

/// A short hash of labels and annotations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CarriedDigest([u8; 16]);

/// Of labels and of annotations.
fn digest(maps: [Vec<(&str, &str)>; 2]) -> CarriedDigest {
    let mut digest = Sha256::new();
    for entries in maps {
        digest.update((entries.len() as u64).to_be_bytes());
        for text in entries.into_iter().flat_map(|(key, value)| [key, value]) {
            digest.update((text.len() as u64).to_be_bytes());
            digest.update(text.as_bytes());
        }
    }
    let full: [u8; 32] = digest.finalize().into();
    let mut short = [0; 16];
    short.copy_from_slice(&full[..16]);
    CarriedDigest(short)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(entries: &[(&str, &str)]) -> String {
        let entries: BTreeMap<&str, &str> = entries.iter().copied().collect();
        serde_json::to_string(&entries).unwrap()
    }

    fn carried(labels: &[(&str, &str)]) -> Carried {
        let labels = labels
            .iter()
            .map(|(key, value)| ((*key).into(), (*value).into()));
        Carried {
            labels: labels.collect(),
            annotations: BTreeMap::new(),
        }
    }

    #[test]
    fn what_was_taken_over_is_recognised_among_other_labels() {
        let wanted = carried(&[("app", "a"), ("tier", "b")]);
        let mark = wanted.keys().to_mark();
        let found = |labels: &[(&str, &str)]| {
            let json = texts(labels);
            let labels = serde_json::from_str(&json).unwrap();
            Some(ObservedCarried::new(&mark, Some(&labels), None).digest)
        };
        assert_eq!(
            found(&[("app", "a"), ("other", "x"), ("tier", "b")]),
            wanted.digest()
        );
        assert_ne!(found(&[("app", "a")]), wanted.digest());
        assert_ne!(found(&[("app", "a"), ("tier", "c")]), wanted.digest());
    }

    #[test]
    fn nothing_carried_has_no_digest() {
        assert_eq!(Carried::default().digest(), None);
        assert_ne!(carried(&[("a", "")]).digest(), None);
    }

    #[test]
    fn a_mark_that_cannot_be_read_equals_nothing_that_is_wanted() {
        let found = ObservedCarried::new("{", None, None);
        assert_eq!(found.keys, CarriedKeys::default());
        assert_ne!(Some(found.digest), carried(&[("a", "b")]).digest());
    }
}
