//! The one place where values leave their type: masked where they are secret, and scrubbed from messages.

use std::collections::{BTreeMap, BTreeSet};

use k8s_openapi::ByteString;

use super::Secrecy;
use crate::reconcile::{Content, ResourceType, SECRETS, Value};

/// What stands for a secret value.
pub const MASK: &str = "***";

/// The values of one map of a ConfigMap or Secret, by key.
pub type Values = BTreeMap<Box<str>, Value>;
/// What is shown of [`Values`].
pub type Shown<'a> = BTreeMap<&'a str, String>;

/// Whether the values of a resource may not be shown.
pub fn is_secret(resource: &ResourceType) -> bool {
    *resource == SECRETS
}

/// Shows two states of a map with every value masked, as kubectl does: all that can be seen is
/// which keys there are, and whether a value differs.
pub fn mask<'a>(before: &'a Values, after: &'a Values) -> (Shown<'a>, Shown<'a>) {
    (
        mask_side(before, after, "*** (before)"),
        mask_side(after, before, "*** (after)"),
    )
}

fn mask_side<'a>(side: &'a Values, other: &Values, changed: &str) -> Shown<'a> {
    let masked = |key, value| match other.get(key) {
        Some(twin) if twin != value => changed.to_owned(),
        _ => MASK.to_owned(),
    };
    side.iter()
        .map(|(key, value)| (&**key, masked(key, value)))
        .collect()
}

/// Shows a map as it is.
pub fn reveal(values: &Values) -> Shown<'_> {
    values
        .iter()
        .map(|(key, value)| (&**key, value.expose().to_owned()))
        .collect()
}

/// Shows two states of a map as far as they may be seen.
pub fn show<'a>(
    before: &'a Values,
    after: &'a Values,
    resource: &ResourceType,
    secrecy: Secrecy,
) -> (Shown<'a>, Shown<'a>) {
    if is_secret(resource) && secrecy == Secrecy::Masked {
        mask(before, after)
    } else {
        (reveal(before), reveal(after))
    }
}

/// Removes the values of a content from a message that somebody else wrote: an API server, a
/// proxy or a webhook may quote what it was sent, encoded or decoded.
pub fn scrub(message: &str, content: &Content) -> String {
    /// What is shorter occurs in any text, and says nothing.
    const SHORTEST: usize = 4;
    let mut needles = BTreeSet::new();
    for value in content.data.values().chain(content.binary_data.values()) {
        let text = value.expose();
        needles.insert(text.to_owned());
        needles.extend(decode(text));
    }
    let mut needles: Vec<_> = needles
        .iter()
        .flat_map(|text| [text.as_str(), text.trim()])
        .filter(|text| text.len() >= SHORTEST)
        .collect();
    needles.sort_unstable_by_key(|text| std::cmp::Reverse(text.len()));
    needles.iter().fold(message.to_owned(), |message, needle| {
        message.replace(needle, MASK)
    })
}

fn decode(base64: &str) -> Option<String> {
    let text = serde_json::Value::String(base64.to_owned());
    let ByteString(bytes) = serde_json::from_value(text).ok()?;
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn content(json: &str) -> Content {
        serde_json::from_str(json).unwrap()
    }

    #[test]
    fn only_equality_can_be_seen() {
        let before =
            content(r#"{"data":{"same":"c2FtZQ==","changed":"b2xk","removed":"Z29uZQ=="}}"#);
        let after = content(r#"{"data":{"same":"c2FtZQ==","changed":"bmV3","added":"bmV3"}}"#);
        let (before, after) = mask(&before.data, &after.data);
        let before: Vec<_> = before
            .iter()
            .map(|(key, value)| format!("{key}={value}"))
            .collect();
        let after: Vec<_> = after
            .iter()
            .map(|(key, value)| format!("{key}={value}"))
            .collect();
        assert_eq!(before, ["changed=*** (before)", "removed=***", "same=***"]);
        assert_eq!(after, ["added=***", "changed=*** (after)", "same=***"]);
    }

    #[test]
    fn messages_lose_values_encoded_and_decoded() {
        let content = content(r#"{"data":{"password":"aHVudGVyMg==","pin":"MQ=="}}"#);
        let message = r#"denied: {"password":"aHVudGVyMg=="} decodes to hunter2, 1 time"#;
        assert_eq!(
            scrub(message, &content),
            r#"denied: {"password":"***"} decodes to ***, 1 time"#
        );
    }
}
