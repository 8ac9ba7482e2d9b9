//! What stands in the way of rules, and what a person should know of them.

use std::collections::HashSet;

use super::{
    copies::Copies, derived::Underivable, exclusion::Exclusion, fact::KnownNamespace,
    original::Original, rule::Rule, rule_source::LoadedRule,
};
use crate::reconcile::{
    ApiError, Collection, Domain as _, Finding, Input, Namespace, ObjectKey, Pruning, ResourceType,
    Severity,
};

/// Something that keeps a rule's wishes from being fully known.
pub(super) struct Obstacle {
    /// One word for programs.
    pub(super) reason: &'static str,
    severity: Severity,
    message: String,
    cause: Option<ApiError>,
}

impl Obstacle {
    fn new(reason: &'static str, message: String) -> Self {
        Self {
            reason,
            severity: Severity::Error,
            message,
            cause: None,
        }
    }

    /// The message without the words of others, which may quote anything, and differ from run to run.
    pub(super) fn for_status(&self) -> String {
        match &self.cause {
            Some(error) => format!(
                "cannot {} {} ({})",
                error.verb,
                error.subject,
                error.failure.word()
            ),
            None => self.message.clone(),
        }
    }

    fn suspended() -> Self {
        let message = "spec.suspend: the rule rests, so its copies stay as they are".to_owned();
        Self {
            severity: Severity::Warning,
            ..Self::new("Suspended", message)
        }
    }

    fn unreadable(error: &ApiError) -> Self {
        let message = format!("{error}; nothing is pruned for this rule");
        Self {
            cause: Some(error.clone()),
            ..Self::new("SourceUnreadable", message)
        }
    }

    fn unread() -> Self {
        let message = "its originals haven't been read yet".to_owned();
        Self {
            severity: Severity::Warning,
            ..Self::new("SourceUnread", message)
        }
    }

    fn unplaced() -> Self {
        let message = "the namespaces that it selects haven't been read yet".to_owned();
        Self {
            severity: Severity::Warning,
            ..Self::new("NamespacesUnread", message)
        }
    }

    fn underivable(original: &ObjectKey, error: &Underivable) -> Self {
        let message = format!(
            "{error}; no copy of {original} is written, and nothing is pruned for this rule"
        );
        Self::new("CopyInvalid", message)
    }
}

impl Copies {
    /// Whether it isn't known which originals a namespace holds: it may hold one that comes first.
    pub(super) fn is_unknown(
        &self,
        resource: &'static ResourceType,
        namespace: &Namespace,
        unread: &HashSet<(&'static ResourceType, Namespace)>,
    ) -> bool {
        let known = self.namespaces.get(namespace);
        known.is_none_or(|known| known.leaving) || unread.contains(&(resource, namespace.clone()))
    }

    /// Where originals couldn't be read, or haven't been read yet.
    pub(super) fn unread_places(&self) -> HashSet<(&'static ResourceType, Namespace)> {
        let failed = self.unreadable.keys().cloned();
        let rules = self
            .active_rules()
            .flat_map(|rule| self.source_inputs(rule));
        let pending = rules.filter(|input| !self.absorbed.contains(input));
        let places = failed.chain(pending).filter_map(|input| match input {
            Input::Feed(feed) => match feed {},
            Input::Get(key) => Some((key.resource, key.namespace?)),
            Input::List(query) => Some((query.resource, query.namespace?)),
        });
        places.collect()
    }

    /// What keeps a rule's wishes from being fully known.
    pub(super) fn obstacles(&self, loaded: &LoadedRule) -> Vec<Obstacle> {
        let rule = match &loaded.rule {
            Ok(rule) => rule,
            Err(problem) => return vec![Obstacle::new("Invalid", problem.clone())],
        };
        if rule.suspended {
            return vec![Obstacle::suspended()];
        }
        let namespaces = rule.source.namespaces.iter();
        let missing = namespaces.filter_map(|name| {
            let state = match self.namespaces.get(name) {
                None => format!("there is no namespace {name}"),
                Some(namespace) if namespace.leaving => {
                    format!("namespace {name} is being deleted")
                }
                Some(_) => return None,
            };
            let message =
                format!("spec.source.namespaces: {state}; nothing is pruned for this rule");
            Some(Obstacle::new("SourceNamespaceMissing", message))
        });
        let unreadable = self.source_inputs(rule);
        let unreadable = unreadable
            .iter()
            .filter_map(|input| match self.unreadable.get(input) {
                Some(error) => Some(Obstacle::unreadable(error)),
                None if !self.absorbed.contains(input) => Some(Obstacle::unread()),
                None => None,
            });
        let underivable = self.worked().wishes.underivable(&rule.owner).iter();
        let underivable =
            underivable.map(|(original, error)| Obstacle::underivable(original, error));
        let unplaced = (!self.knows_places_of(rule)).then(Obstacle::unplaced);
        let obstacles = missing.chain(unplaced).chain(unreadable);
        obstacles.chain(underivable).collect()
    }

    /// Originals that a rule names outright and that won't be copied.
    pub(super) fn disappointments(&self, rule: &Rule) -> Vec<String> {
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
            }) => Some(disappointing(key, *exclusion)),
            Some(original) => {
                let r#type = original.content.r#type.as_deref();
                let selected = rule.selects(key, &original.labels, r#type);
                (!selected).then(|| format!("{key} is not of a type in spec.source.types"))
            }
        }
    }

    /// Copies that can't be listed can't be pruned either: that matters where rules copy such objects,
    /// and more so where pruning was asked for.
    fn unlisted_findings(&self) -> impl Iterator<Item = Finding> {
        let is_used = |one: &Collection| {
            let mut rules = self.active_rules();
            rules.any(|rule| rule.resource == one.resource)
        };
        let broad = self.unlisted.iter().filter(|(one, _)| one.name.is_none());
        let used = broad.filter(move |(one, _)| is_used(one));
        used.filter_map(|(collection, error)| self.unlisted_finding(collection.resource, error))
    }

    fn unlisted_finding(
        &self,
        resource: &'static ResourceType,
        error: &ApiError,
    ) -> Option<Finding> {
        let plural = resource.plural;
        let is_pruning = self.pruning != Pruning::Off;
        let (severity, consequence) = match (self.is_unlisted(resource), is_pruning) {
            (true, _) => (
                Severity::Error,
                format!("so copies are looked up one by one, and no {plural} are pruned"),
            ),
            (false, true) => (
                Severity::Warning,
                format!(
                    "so copies are listed by the names that rules give them, and no other {plural} are pruned"
                ),
            ),
            (false, false) => return None,
        };
        Some(Finding {
            severity: if is_pruning {
                severity
            } else {
                Severity::Warning
            },
            owner: None,
            message: format!("{error}; {consequence}"),
            cause: Some(error.clone()),
        })
    }

    /// A set without rules is either new, or everything in it is about to be pruned.
    fn emptiness(&self) -> Option<Finding> {
        self.rules.is_empty().then(|| Finding {
            severity: Severity::Warning,
            owner: None,
            message: "there are no CopyratorRules, so no copy is wanted".to_owned(),
            cause: None,
        })
    }

    /// A rule that has nowhere to copy to: more often a slip than meant.
    fn aimlessness(&self, rule: &Rule) -> Option<String> {
        let selects = |known: &KnownNamespace| {
            !known.leaving && rule.target.selects(known.name.as_str(), &known.labels)
        };
        let aimless = !self.namespaces.values().any(selects);
        aimless.then(|| "spec.target selects no namespace".to_owned())
    }

    /// What a person should know: of the resources, and of the rules that the run acts for.
    pub(super) fn all_findings(&self) -> Vec<Finding> {
        let scope = self.scope();
        let rules = self
            .rules
            .values()
            .filter(|loaded| scope.acts_for(&loaded.owner));
        let of_rules = rules.flat_map(|loaded| self.findings_of(loaded));
        self.unlisted_findings()
            .chain(self.emptiness())
            .chain(of_rules)
            .collect()
    }

    fn findings_of(&self, loaded: &LoadedRule) -> Vec<Finding> {
        let finding = |severity, message, cause| Finding {
            severity,
            owner: Some(loaded.owner.clone()),
            message,
            cause,
        };
        let obstacles = self.obstacles(loaded).into_iter();
        let errors = obstacles.map(|one| finding(one.severity, one.message, one.cause));
        let rule = loaded.rule.iter().filter(|rule| !rule.suspended);
        let doubts = rule.flat_map(|rule| {
            self.disappointments(rule)
                .into_iter()
                .chain(self.aimlessness(rule))
        });
        errors
            .chain(doubts.map(|text| finding(Severity::Warning, text, None)))
            .collect()
    }
}

fn disappointing(key: &ObjectKey, exclusion: Exclusion) -> String {
    let kept = match exclusion {
        Exclusion::Copy => "; copies that were made of it before are kept",
        _ => "",
    };
    format!("{key} is never copied: {exclusion}{kept}")
}
