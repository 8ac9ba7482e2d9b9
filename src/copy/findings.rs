//! What stands in the way of rules, and what a person should know of them.

use super::{copies::Copies, original::Original, rule::Rule, rule_source::LoadedRule};
use crate::reconcile::{
    Domain as _, Finding, Input, Namespace, ObjectKey, Owner, ResourceType, Severity,
};

impl Copies {
    /// Whether it isn't known which originals a namespace holds: it may hold one that comes first.
    pub(super) fn is_unknown(
        &self,
        resource: &'static ResourceType,
        namespace: &Namespace,
    ) -> bool {
        let is_of_it = |input: &Input| match input {
            Input::Get(key) => {
                key.resource == resource && key.namespace.as_ref() == Some(namespace)
            }
            Input::List(query) => {
                query.resource == resource && query.namespace.as_ref() == Some(namespace)
            }
        };
        self.namespaces
            .get(namespace)
            .is_none_or(|known| known.leaving)
            || self.unreadable.keys().any(is_of_it)
    }

    /// What keeps a rule's wishes from being fully known.
    pub(super) fn obstacles(&self, loaded: &LoadedRule) -> Vec<String> {
        let rule = match &loaded.rule {
            Ok(rule) => rule,
            Err(problem) => return vec![problem.clone()],
        };
        let namespaces = rule.source.namespaces.iter();
        let missing = namespaces.filter_map(|name| {
            let state = match self.namespaces.get(name) {
                None => format!("there is no namespace {name}"),
                Some(namespace) if namespace.leaving => {
                    format!("namespace {name} is being deleted")
                }
                Some(_) => return None,
            };
            Some(format!(
                "spec.source.namespaces: {state}; nothing is pruned for this rule"
            ))
        });
        let unreadable = self.source_inputs(rule);
        let unreadable = unreadable
            .iter()
            .filter_map(|input| self.unreadable.get(input));
        missing.chain(unreadable.map(ToString::to_string)).collect()
    }

    /// Originals that a rule names outright and that won't be copied.
    fn disappointments(&self, rule: &Rule) -> Vec<String> {
        let inputs = self.source_inputs(rule);
        let by_list = inputs.iter().any(|input| matches!(input, Input::List(_)));
        let named = inputs.into_iter().filter_map(|input| match input {
            Input::Get(key) if !by_list => Some(key),
            _ => None,
        });
        named
            .filter_map(|key| self.disappointment(rule, &key))
            .collect()
    }

    fn disappointment(&self, rule: &Rule, key: &ObjectKey) -> Option<String> {
        let namespace_known = self.namespaces.contains_key(key.namespace.as_ref()?);
        match self.originals.get(key) {
            None if !namespace_known || self.unreadable.contains_key(&Input::Get(key.clone())) => {
                None
            }
            None => Some(format!("there is no {key}, so there is nothing to copy")),
            Some(Original {
                exclusion: Some(exclusion),
                ..
            }) => Some(format!("{key} is never copied: {exclusion}")),
            Some(original) => {
                let r#type = original.content.r#type.as_deref();
                let selected = rule.selects(key, &original.labels, r#type);
                (!selected).then(|| format!("{key} is not of a type in spec.source.types"))
            }
        }
    }

    /// Copies that can't be listed can't be pruned either: that matters where pruning was asked for.
    fn unlisted_findings(&self) -> impl Iterator<Item = Finding> {
        self.unlisted.iter().map(|(resource, error)| {
            let used = self.usable_rules().any(|rule| rule.resource == *resource);
            let severity = if self.prune && used {
                Severity::Error
            } else {
                Severity::Warning
            };
            let plural = resource.plural;
            let message =
                format!("{error}; so copies are looked up one by one, and no {plural} are pruned");
            Finding {
                severity,
                owner: None,
                message,
            }
        })
    }

    fn finding(severity: Severity, owner: &Owner, message: String) -> Finding {
        Finding {
            severity,
            owner: Some(owner.clone()),
            message,
        }
    }

    /// What a person should know: of the resources, and of the rules that the run acts for.
    pub(super) fn all_findings(&self) -> Vec<Finding> {
        let scope = self.scope();
        let mut findings: Vec<Finding> = self.unlisted_findings().collect();
        for loaded in self
            .rules
            .values()
            .filter(|loaded| scope.acts_for(&loaded.owner))
        {
            let errors = self.obstacles(loaded).into_iter();
            findings.extend(errors.map(|text| Self::finding(Severity::Error, &loaded.owner, text)));
            let warnings = loaded
                .rule
                .iter()
                .flat_map(|rule| self.disappointments(rule));
            findings
                .extend(warnings.map(|text| Self::finding(Severity::Warning, &loaded.owner, text)));
        }
        findings
    }
}
