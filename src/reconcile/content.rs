//! What a ConfigMap or Secret holds, with values that can't be printed by accident.

use std::{collections::BTreeMap, fmt};

use serde::{Deserialize, Serialize, Serializer};
use sha2::{Digest, Sha256};

/// One value of `data` or `binaryData`, as the text that JSON carries (base64 in a Secret and in
/// `binaryData`). It has neither Debug nor Display: it may be secret.
#[derive(Clone, PartialEq, Eq, Deserialize)]
#[serde(transparent)]
pub struct Value(Box<str>);

impl Value {
    /// Wraps the text of a value.
    pub fn new(text: &str) -> Self {
        Self(text.into())
    }

    /// The text itself; whoever calls this answers for where it goes.
    pub fn expose(&self) -> &str {
        &self.0
    }
}

/// The part of a ConfigMap or Secret that is copied.
#[derive(Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Content {
    /// A Secret's type; none in a ConfigMap.
    pub r#type: Option<Box<str>>,
    /// The values of `data` by key.
    #[serde(deserialize_with = "null_as_empty")]
    pub data: BTreeMap<Box<str>, Value>,
    /// The values of `binaryData` by key; always empty in a Secret.
    #[serde(deserialize_with = "null_as_empty")]
    pub binary_data: BTreeMap<Box<str>, Value>,
}

impl Content {
    /// The hash that marks a copy: over the type, `data` and `binaryData`.
    ///
    /// Every part is preceded by its length, so that no two contents give the same input.
    pub fn hash(&self) -> ContentHash {
        let mut digest = Sha256::new();
        absorb(&mut digest, self.r#type.as_deref().unwrap_or_default());
        for values in [&self.data, &self.binary_data] {
            digest.update((values.len() as u64).to_be_bytes());
            for (key, value) in values {
                absorb(&mut digest, key);
                absorb(&mut digest, value.expose());
            }
        }
        ContentHash(digest.finalize().into())
    }

    /// The fields that this content owns in the managed fields of whoever wrote it.
    pub fn owned_fields(&self) -> OwnedFields {
        OwnedFields::new(
            self.r#type.is_some(),
            self.data.keys().map(AsRef::as_ref),
            self.binary_data.keys().map(AsRef::as_ref),
        )
    }
}

/// Go writes an empty map that was set on purpose as `null` in places.
fn null_as_empty<'de, D>(deserializer: D) -> Result<BTreeMap<Box<str>, Value>, D::Error>
where
    D: serde::Deserializer<'de>,
{
    Ok(Option::deserialize(deserializer)?.unwrap_or_default())
}

fn absorb(digest: &mut Sha256, text: &str) {
    digest.update((text.len() as u64).to_be_bytes());
    digest.update(text);
}

/// The SHA-256 of a content, written `v1:<hex>` in the mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ContentHash([u8; 32]);

impl ContentHash {
    const VERSION: &str = "v1:";

    /// Reads the mark; none when it has another form.
    pub fn parse(mark: &str) -> Option<Self> {
        let hex = mark.strip_prefix(Self::VERSION)?;
        if hex.len() != 64 {
            return None;
        }
        let mut hash = [0; 32];
        for (byte, digits) in hash.iter_mut().zip(hex.as_bytes().chunks_exact(2)) {
            *byte = nibble(digits[0])? << 4 | nibble(digits[1])?;
        }
        Some(Self(hash))
    }
}

/// The value of a lowercase hexadecimal digit. Marks are parsed once per copy, so it is done by hand.
const fn nibble(digit: u8) -> Option<u8> {
    match digit {
        b'0'..=b'9' => Some(digit - b'0'),
        b'a'..=b'f' => Some(digit - b'a' + 10),
        _ => None,
    }
}

impl fmt::Display for ContentHash {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(Self::VERSION)?;
        self.0
            .iter()
            .try_for_each(|byte| write!(formatter, "{byte:02x}"))
    }
}

impl Serialize for ContentHash {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// A set of field names (whether there is a type, the keys of `data` and of `binaryData`), reduced
/// to a digest: it is compared once per copy, and there may be tens of thousands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OwnedFields([u8; 16]);

impl OwnedFields {
    /// The set with these fields, in whatever order they come.
    pub fn new<'a>(
        has_type: bool,
        data: impl Iterator<Item = &'a str>,
        binary_data: impl Iterator<Item = &'a str>,
    ) -> Self {
        let mut digest = Sha256::new();
        digest.update([u8::from(has_type)]);
        absorb_sorted(&mut digest, data);
        absorb_sorted(&mut digest, binary_data);
        let full: [u8; 32] = digest.finalize().into();
        let mut short = [0; 16];
        short.copy_from_slice(&full[..16]);
        Self(short)
    }
}

fn absorb_sorted<'a>(digest: &mut Sha256, keys: impl Iterator<Item = &'a str>) {
    let mut keys: Vec<_> = keys.collect();
    keys.sort_unstable();
    keys.dedup();
    digest.update((keys.len() as u64).to_be_bytes());
    for key in keys {
        absorb(digest, key);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn content(json: &str) -> Content {
        serde_json::from_str(json).unwrap()
    }

    #[test]
    fn hash_survives_its_own_text_form() {
        let hash = content(r#"{"type":"Opaque","data":{"a":"eA=="}}"#).hash();
        assert_eq!(ContentHash::parse(&hash.to_string()), Some(hash));
    }

    #[test]
    fn hash_tells_apart_what_only_looks_alike() {
        let contents = [
            r#"{"data":{"a":"b"}}"#,
            r#"{"data":{"ab":""}}"#,
            r#"{"binaryData":{"a":"b"}}"#,
            r#"{"type":"a","data":{"a":"b"}}"#,
            r#"{"data":{"a":"b","c":"d"}}"#,
            "{}",
        ];
        let mut hashes: Vec<_> = contents
            .iter()
            .map(|json| content(json).hash().to_string())
            .collect();
        hashes.sort();
        hashes.dedup();
        assert_eq!(hashes.len(), contents.len());
    }

    #[test]
    fn null_and_absent_are_the_same_content() {
        assert_eq!(content(r#"{"data":null}"#).hash(), content("{}").hash());
    }

    #[test]
    fn malformed_marks_are_no_hash() {
        for mark in [
            "",
            "v1:",
            "v2:00",
            &format!("v1:{}", "g".repeat(64)),
            &format!("v1:{}", "+1".repeat(32)),
        ] {
            assert_eq!(ContentHash::parse(mark), None, "{mark}");
        }
    }

    #[test]
    fn owned_fields_ignore_order_and_tell_data_from_binary_data() {
        let fields = |data: &[&'static str], binary: &[&'static str]| {
            OwnedFields::new(false, data.iter().copied(), binary.iter().copied())
        };
        assert_eq!(fields(&["a", "b"], &[]), fields(&["b", "a"], &[]));
        assert_ne!(fields(&["a"], &["b"]), fields(&["a", "b"], &[]));
    }
}
