//! What an installed definition is, compared with ours.

use std::collections::BTreeSet;

use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
use serde_json::Value;

use crate::{
    api::{SCHEMA_REVISION, SCHEMA_REVISION_ANNOTATION},
    reconcile::{MANAGED_BY, MANAGED_BY_LABEL},
};

/// Whose a definition is, and how new.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Standing {
    /// It isn't marked as ours.
    Foreign {
        /// Who wrote it, as far as the API server knows.
        managers: Vec<String>,
    },
    /// Ours, of an older revision of the schema; 0 when it doesn't say which.
    Older(u32),
    /// Ours, of this program's revision.
    Same,
    /// Ours, of a newer revision.
    Newer(u32),
}

impl Standing {
    /// Tells it from the definition as it is in the cluster.
    pub fn of(existing: &CustomResourceDefinition) -> Self {
        let labels = existing.metadata.labels.as_ref();
        let is_ours = labels
            .and_then(|labels| labels.get(MANAGED_BY_LABEL))
            .map(String::as_str)
            == Some(MANAGED_BY);
        if !is_ours {
            let fields = existing.metadata.managed_fields.iter().flatten();
            // The API server's own entry is about the status.
            let fields = fields.filter(|field| field.subresource.is_none());
            let managers: BTreeSet<String> =
                fields.filter_map(|field| field.manager.clone()).collect();
            return Self::Foreign {
                managers: managers.into_iter().collect(),
            };
        }
        let annotations = existing.metadata.annotations.as_ref();
        let revision = annotations
            .and_then(|annotations| annotations.get(SCHEMA_REVISION_ANNOTATION))
            .and_then(|text| text.parse().ok())
            .unwrap_or(0);
        match revision {
            older if older < SCHEMA_REVISION => Self::Older(older),
            SCHEMA_REVISION => Self::Same,
            newer => Self::Newer(newer),
        }
    }
}

/// Whether a definition is in use yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Readiness {
    /// Its objects are served.
    Established,
    /// The API server hasn't got to it.
    Pending,
    /// Its names are taken by another definition.
    NamesRefused(String),
    /// It is being deleted, with all its objects.
    Terminating,
}

impl Readiness {
    /// Tells it from the definition as it is in the cluster.
    pub fn of(existing: &CustomResourceDefinition) -> Self {
        if existing.metadata.deletion_timestamp.is_some() {
            return Self::Terminating;
        }
        let conditions = existing
            .status
            .as_ref()
            .and_then(|status| status.conditions.as_ref());
        let condition = |name: &str| {
            conditions
                .into_iter()
                .flatten()
                .find(|condition| condition.type_ == name)
        };
        let is_true = |name: &str| condition(name).is_some_and(|found| found.status == "True");
        match condition("NamesAccepted") {
            Some(refused) if refused.status == "False" => {
                Self::NamesRefused(refused.message.clone().unwrap_or_default())
            }
            Some(_) if is_true("Established") => Self::Established,
            _ => Self::Pending,
        }
    }
}

/// Whether `whole` has all that `part` has: the API server adds defaults to what it is given.
pub(super) fn contains(whole: &Value, part: &Value) -> bool {
    match (whole, part) {
        (Value::Object(whole), Value::Object(part)) => part.iter().all(|(key, part)| {
            whole
                .get(key)
                .map_or(part.is_null(), |whole| contains(whole, part))
        }),
        (Value::Array(whole), Value::Array(part)) => {
            whole.len() == part.len()
                && whole
                    .iter()
                    .zip(part)
                    .all(|(whole, part)| contains(whole, part))
        }
        // 1 and 1.0 are the same number to the API server.
        (Value::Number(whole), Value::Number(part)) => whole.as_f64() == part.as_f64(),
        (whole, part) => whole == part,
    }
}

#[cfg(test)]
mod tests {
    use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::{
        CustomResourceDefinitionCondition, CustomResourceDefinitionStatus,
    };
    use serde_json::json;

    use super::*;
    use crate::api::custom_resource_definitions;

    fn ours() -> CustomResourceDefinition {
        custom_resource_definitions().remove(0)
    }

    fn of_revision(text: &str) -> Standing {
        let mut definition = ours();
        let annotations = definition.metadata.annotations.as_mut().unwrap();
        annotations.insert(SCHEMA_REVISION_ANNOTATION.to_owned(), text.to_owned());
        Standing::of(&definition)
    }

    #[test]
    fn the_revision_tells_older_from_newer() {
        assert_eq!(Standing::of(&ours()), Standing::Same);
        assert_eq!(of_revision("0"), Standing::Older(0));
        assert_eq!(of_revision("rubbish"), Standing::Older(0));
        assert_eq!(of_revision("4000000"), Standing::Newer(4_000_000));
    }

    #[test]
    fn without_our_label_it_is_not_ours() {
        let mut definition = ours();
        definition.metadata.labels = None;
        assert_eq!(
            Standing::of(&definition),
            Standing::Foreign {
                managers: Vec::new()
            }
        );
    }

    #[test]
    fn conditions_tell_whether_it_is_served() {
        let readiness = |conditions: &[(&str, &str)]| {
            let condition = |&(name, status): &(&str, &str)| CustomResourceDefinitionCondition {
                type_: name.to_owned(),
                status: status.to_owned(),
                message: Some("taken".to_owned()),
                ..Default::default()
            };
            let mut definition = ours();
            definition.status = Some(CustomResourceDefinitionStatus {
                conditions: Some(conditions.iter().map(condition).collect()),
                ..Default::default()
            });
            Readiness::of(&definition)
        };
        let (names, established) = (("NamesAccepted", "True"), ("Established", "True"));
        assert_eq!(readiness(&[]), Readiness::Pending);
        assert_eq!(readiness(&[names]), Readiness::Pending);
        assert_eq!(readiness(&[names, established]), Readiness::Established);
        assert_eq!(
            readiness(&[("NamesAccepted", "False"), established]),
            Readiness::NamesRefused("taken".to_owned())
        );
    }

    #[test]
    fn defaults_that_were_added_are_no_difference() {
        let part = json!({"a": [{"n": 1.0}], "gone": null});
        assert!(contains(
            &json!({"a": [{"n": 1, "default": true}], "b": 2}),
            &part
        ));
        assert!(!contains(&json!({"a": [{"n": 2}]}), &part));
        assert!(!contains(&json!({"a": []}), &part));
        assert!(!contains(&json!({}), &json!({"a": 1})));
    }
}
