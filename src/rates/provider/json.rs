//! What the providers that answer in JSON have in common. Numbers stay text all the way.

use std::{borrow::Cow, fmt};

use serde::{
    Deserialize, Deserializer,
    de::{MapAccess, Visitor},
};
use serde_json::{error::Category, value::RawValue};

use super::{
    AnswerError,
    answer_error::Format,
    text::{not_format, text},
};

/// Reads an answer of a certain form.
pub fn read<'a, T: Deserialize<'a>>(body: &'a [u8]) -> Result<T, AnswerError> {
    let text = text(body, Format::Json)?;
    serde_json::from_str(text).map_err(|error| refused(&error, text))
}

fn refused(error: &serde_json::Error, text: &str) -> AnswerError {
    match error.classify() {
        Category::Eof => AnswerError::Truncated(Format::Json),
        Category::Data => {
            let reason = error.to_string();
            // Where it is changes from day to day, and the trouble is the same.
            let (reason, _) = reason.rsplit_once(" at line ").unwrap_or((&reason, ""));
            AnswerError::malformed(Format::Json, reason)
        }
        Category::Syntax | Category::Io => not_format(text, Format::Json),
    }
}

/// The members of an object, in their order and with repetitions.
#[derive(Debug)]
pub struct Members<'a, T>(pub Vec<(Cow<'a, str>, T)>);

impl<'de: 'a, 'a, T: Deserialize<'de>> Deserialize<'de> for Members<'a, T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(InOrder(std::marker::PhantomData))
    }
}

struct InOrder<'a, T>(std::marker::PhantomData<(&'a str, T)>);

impl<'de: 'a, 'a, T: Deserialize<'de>> Visitor<'de> for InOrder<'a, T> {
    type Value = Members<'a, T>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("an object")
    }

    fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<Self::Value, M::Error> {
        let mut members = Vec::new();
        while let Some((name, value)) = map.next_entry::<Name<'de>, T>()? {
            members.push((name.0, value));
        }
        Ok(Members(members))
    }
}

/// `Cow` alone would copy each name.
#[derive(Deserialize)]
struct Name<'a>(#[serde(borrow)] Cow<'a, str>);

/// A number, or a string that holds one.
#[derive(Deserialize)]
#[serde(transparent)]
pub struct Number<'a>(#[serde(borrow)] &'a RawValue);

impl Number<'_> {
    /// The number's text, or of what is none, the text of that.
    pub fn text(&self) -> Cow<'_, str> {
        let raw = self.0.get();
        match serde_json::from_str::<String>(raw) {
            Ok(string) => string.into(),
            Err(_) => raw.into(),
        }
    }
}

impl fmt::Debug for Number<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.0.get())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(body: &str) -> String {
        read::<Members<'_, u8>>(body.as_bytes())
            .unwrap_err()
            .to_string()
    }

    #[test]
    fn members_keep_their_order_and_repetitions() {
        let members: Members<'_, Number<'_>> =
            read(br#"{"b": 1.10, "\u0061": "2e1", "b": null}"#).unwrap();
        let texts: Vec<_> = members
            .0
            .iter()
            .map(|(name, value)| (&**name, value.text()))
            .collect();
        assert_eq!(
            texts,
            [
                ("b", "1.10".into()),
                ("a", "2e1".into()),
                ("b", "null".into())
            ]
        );
    }

    #[test]
    fn what_is_wrong_is_told_without_its_place() {
        assert_eq!(error("{\"a\": 1"), "the JSON ends in the middle");
        assert_eq!(error("not found"), "got no valid JSON, but \"not found\"");
        assert_eq!(error("{} {}"), "got no valid JSON, but \"{} {}\"");
        assert_eq!(
            error("{\"a\": []}"),
            "the JSON is not what this provider answers: invalid type: sequence, expected u8"
        );
    }

    #[test]
    fn depth_does_no_harm() {
        let deep = format!("{{\"a\": {}", "[".repeat(1_000_000));
        assert!(read::<Members<'_, Number<'_>>>(deep.as_bytes()).is_err());
    }
}
