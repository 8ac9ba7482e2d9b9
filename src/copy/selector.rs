//! Label selectors, ready to match and to be sent to the API server.

use std::collections::{BTreeMap, BTreeSet};

use kube::core::{Expression, Selector, SelectorExt as _};

use crate::api::{LabelSelector, LabelSelectorOperator, LabelSelectorRequirement};

/// A label selector that selects something less than everything.
#[derive(Clone, Debug)]
pub struct Labels {
    selector: Selector,
    keys: BTreeSet<String>,
}

impl Labels {
    /// Compiles the selector of a rule; none when it has no requirement and so would select everything.
    pub fn new(selector: &LabelSelector) -> Option<Self> {
        if selector.match_labels.is_empty() && selector.match_expressions.is_empty() {
            return None;
        }
        let equalities = selector
            .match_labels
            .iter()
            .map(|(key, value)| Expression::Equal(key.clone(), value.clone()));
        let expressions = selector.match_expressions.iter().map(expression);
        let expression_keys = selector.match_expressions.iter().map(|one| &one.key);
        let keys = selector.match_labels.keys().chain(expression_keys);
        Some(Self {
            selector: equalities.chain(expressions).collect(),
            keys: keys.cloned().collect(),
        })
    }

    /// The keys of the labels that requirements are about.
    pub fn keys(&self) -> impl Iterator<Item = &str> {
        self.keys.iter().map(String::as_str)
    }

    /// Whether a requirement is about the label with this key.
    pub fn has_key(&self, key: &str) -> bool {
        self.keys.contains(key)
    }

    /// Whether an object with these labels is selected.
    pub fn matches(&self, labels: &BTreeMap<String, String>) -> bool {
        self.selector.matches(labels)
    }

    /// The selector in the syntax of the API's `labelSelector` parameter.
    pub fn to_parameter(&self) -> String {
        self.selector.to_string()
    }
}

fn expression(requirement: &LabelSelectorRequirement) -> Expression {
    let key = requirement.key.clone();
    let values = requirement.values.iter().cloned().collect();
    match requirement.operator {
        LabelSelectorOperator::In => Expression::In(key, values),
        LabelSelectorOperator::NotIn => Expression::NotIn(key, values),
        LabelSelectorOperator::Exists => Expression::Exists(key),
        LabelSelectorOperator::DoesNotExist => Expression::DoesNotExist(key),
    }
}
