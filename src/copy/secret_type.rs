//! What the API server demands of a Secret of a certain type, so that a copy which it would refuse is
//! not even begun.
//!
//! The rules are those of <https://kubernetes.io/docs/concepts/configuration/secret/#secret-types>.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde::de::IgnoredAny;

use crate::reconcile::Content;

/// Why the API server would refuse a Secret with this content.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Defect {
    /// A key is missing.
    #[error("a Secret of type {type} needs the key {key}, which the copy wouldn't have")]
    Missing {
        /// The type.
        r#type: Box<str>,
        /// The key.
        key: &'static str,
    },
    /// None of two keys is there.
    #[error("a Secret of type {type} needs one of the keys {} and {}, and the copy would have neither", keys[0], keys[1])]
    MissingBoth {
        /// The type.
        r#type: Box<str>,
        /// The keys.
        keys: [&'static str; 2],
    },
    /// The value of a key isn't what it should be.
    #[error(
        "a Secret of type {type} needs JSON under the key {key}, and the copy would have something else there"
    )]
    NotJson {
        /// The type.
        r#type: Box<str>,
        /// The key.
        key: &'static str,
    },
}

/// Why the API server would refuse a Secret with this content, as far as its type tells.
pub fn defect(content: &Content) -> Option<Defect> {
    let r#type = content.r#type.as_deref()?;
    match r#type {
        "kubernetes.io/tls" => ["tls.crt", "tls.key"]
            .into_iter()
            .find_map(|key| missing(content, r#type, key)),
        "kubernetes.io/ssh-auth" => missing(content, r#type, "ssh-privatekey"),
        "kubernetes.io/basic-auth" => neither(content, r#type, ["username", "password"]),
        "kubernetes.io/dockerconfigjson" => not_json(content, r#type, ".dockerconfigjson"),
        "kubernetes.io/dockercfg" => not_json(content, r#type, ".dockercfg"),
        _ => None,
    }
}

fn missing(content: &Content, r#type: &str, key: &'static str) -> Option<Defect> {
    let r#type = r#type.into();
    (!content.data.contains_key(key)).then_some(Defect::Missing { r#type, key })
}

fn neither(content: &Content, r#type: &str, keys: [&'static str; 2]) -> Option<Defect> {
    let any = keys.iter().any(|key| content.data.contains_key(*key));
    let r#type = r#type.into();
    (!any).then_some(Defect::MissingBoth { r#type, keys })
}

fn not_json(content: &Content, r#type: &str, key: &'static str) -> Option<Defect> {
    if let Some(defect) = missing(content, r#type, key) {
        return Some(defect);
    }
    let value = content.data.get(key)?.expose();
    let is_json = STANDARD
        .decode(value)
        .is_ok_and(|text| serde_json::from_slice::<IgnoredAny>(&text).is_ok());
    let r#type = r#type.into();
    (!is_json).then_some(Defect::NotJson { r#type, key })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn defect_of(r#type: &str, data: &serde_json::Value) -> Option<String> {
        let content = json!({"type": r#type, "data": data});
        let content: Content = serde_json::from_value(content).unwrap();
        defect(&content).map(|defect| defect.to_string())
    }

    #[test]
    fn typed_secrets_need_their_keys() {
        let table = [
            (
                "kubernetes.io/tls",
                json!({"tls.crt": "eA=="}),
                Some("tls.key"),
            ),
            (
                "kubernetes.io/tls",
                json!({"tls.crt": "", "tls.key": ""}),
                None,
            ),
            ("kubernetes.io/ssh-auth", json!({}), Some("ssh-privatekey")),
            (
                "kubernetes.io/basic-auth",
                json!({"user": "eA=="}),
                Some("username"),
            ),
            (
                "kubernetes.io/basic-auth",
                json!({"password": "eA=="}),
                None,
            ),
            (
                "kubernetes.io/dockerconfigjson",
                json!({}),
                Some(".dockerconfigjson"),
            ),
            (
                "kubernetes.io/dockerconfigjson",
                json!({".dockerconfigjson": "e30="}),
                None,
            ),
            (
                "kubernetes.io/dockerconfigjson",
                json!({".dockerconfigjson": "eA=="}),
                Some("JSON"),
            ),
            (
                "kubernetes.io/dockercfg",
                json!({".dockercfg": "e30="}),
                None,
            ),
            ("Opaque", json!({}), None),
            ("example.com/own", json!({}), None),
        ];
        for (r#type, data, expected) in table {
            let found = defect_of(r#type, &data);
            match expected {
                Some(text) => assert!(
                    found.clone().is_some_and(|it| it.contains(text)),
                    "{found:?}"
                ),
                None => assert_eq!(found, None, "{type}"),
            }
        }
    }
}
