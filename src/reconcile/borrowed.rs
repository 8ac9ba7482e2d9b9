//! Texts and maps that are read without being copied: of most of an object's metadata nothing is kept.

use std::{borrow::Cow, fmt};

use serde::{
    Deserialize, Deserializer,
    de::{Error, MapAccess, Visitor},
};

/// A text that is borrowed from the JSON unless it has escapes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Text<'a>(Cow<'a, str>);

impl Text<'_> {
    /// The text itself.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Text<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct TextVisitor;
        impl<'de> Visitor<'de> for TextVisitor {
            type Value = Text<'de>;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("a string")
            }

            fn visit_borrowed_str<E: Error>(self, text: &'de str) -> Result<Self::Value, E> {
                Ok(Text(Cow::Borrowed(text)))
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<Self::Value, E> {
                Ok(Text(Cow::Owned(text.to_owned())))
            }
        }
        deserializer.deserialize_str(TextVisitor)
    }
}

/// A map of texts, such as labels: there are few, so they are looked through one by one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Texts<'a>(Vec<(Text<'a>, Text<'a>)>);

impl Texts<'_> {
    /// The value under a key.
    pub fn get(&self, key: &str) -> Option<&str> {
        let mut entries = self.0.iter();
        let (_, value) = entries.find(|(name, _)| name.as_str() == key)?;
        Some(value.as_str())
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Texts<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct TextsVisitor;
        impl<'de> Visitor<'de> for TextsVisitor {
            type Value = Texts<'de>;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("a map of strings")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut entries = Vec::with_capacity(8);
                while let Some(entry) = map.next_entry()? {
                    entries.push(entry);
                }
                Ok(Texts(entries))
            }
        }
        deserializer.deserialize_map(TextsVisitor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_found_with_and_without_escapes() {
        let texts: Texts<'_> = serde_json::from_str(r#"{"a":"x","b\u002f":"\"y\""}"#).unwrap();
        assert_eq!(texts.get("a"), Some("x"));
        assert_eq!(texts.get("b/"), Some("\"y\""));
        assert_eq!(texts.get("c"), None);
    }

    #[test]
    fn what_is_no_text_is_refused() {
        assert!(serde_json::from_str::<Texts<'_>>(r#"{"a":1}"#).is_err());
        assert!(serde_json::from_str::<Text<'_>>("null").is_err());
    }
}
