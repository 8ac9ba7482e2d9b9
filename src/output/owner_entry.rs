//! An owner as reports and plans name it.

use serde::Serialize;

use crate::reconcile::Owner;

/// An owner's members in an entry: which one names it depends on its kind. Nothing without an owner.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct OwnerEntry {
    /// The name of a rule.
    #[serde(skip_serializing_if = "Option::is_none")]
    rule: Option<String>,
    /// `namespace/name` of an owner that has a namespace, which so far means an `ExchangeRate`.
    #[serde(skip_serializing_if = "Option::is_none")]
    exchange_rate: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    set: Option<String>,
}

impl OwnerEntry {
    /// The entry of an owner, if there is one.
    pub fn new(owner: Option<&Owner>) -> Self {
        let Some(owner) = owner else {
            return Self::default();
        };
        let name = Some(owner.path());
        let (rule, exchange_rate) = if owner.kind.is_namespaced {
            (None, name)
        } else {
            (name, None)
        };
        Self {
            rule,
            exchange_rate,
            set: Some(owner.set.to_string()),
        }
    }
}
