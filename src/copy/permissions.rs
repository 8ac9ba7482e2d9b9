//! The rights that rules need: as few as their wording allows, and why it allows for no fewer.

use std::{collections::BTreeSet, sync::Arc};

use super::{
    rule::Rule,
    rule_source::{COPYRATOR_RULES, owner},
    width::{Breadth, Told, Width},
};
use crate::{
    api::CopyratorRule,
    reconcile::{
        CONFIG_MAPS, DEFINITIONS, EVENTS, Manner, NAMESPACES, Name, Namespace, ObjectKey, Objects,
        Permissions, SECRETS, SetName, Verb,
    },
};

/// What rules need.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RuleNeeds {
    /// The rights.
    pub permissions: Permissions,
    /// Those that are wider than the objects that are meant.
    pub widths: Vec<Width>,
    /// Rules that can't be used, for which nothing is needed, and why they can't.
    pub unusable: Vec<(Arc<str>, String)>,
}

/// The namespace of the events about what is in none.
const EVENTS_OF_THE_CLUSTER: &str = "default";

/// What tells of events: a later one of the same kind only changes the first.
const TELLING: [Verb; 2] = [Verb::Create, Verb::Patch];

impl RuleNeeds {
    /// What rules of the cluster need.
    pub fn of_cluster(rules: &[CopyratorRule], manner: Manner) -> Self {
        let mut needs = Self::of_files(rules, manner);
        needs.permissions.extend(of_the_resource(manner));
        if manner == Manner::Watching {
            let here = Objects::all(&EVENTS).within(EVENTS_OF_THE_CLUSTER.into());
            needs.permissions.allow(TELLING, here);
        }
        needs
    }

    /// What rules from files need. Of one that rests, too: it may be woken at any time.
    pub fn of_files(rules: &[CopyratorRule], manner: Manner) -> Self {
        let mut needs = Self::default();
        let namespaces = Objects::all(&NAMESPACES);
        needs.permissions.allow(reading(manner), namespaces);
        for rule in rules {
            needs.add(rule, manner);
        }
        needs
    }

    fn add(&mut self, written: &CopyratorRule, manner: Manner) {
        let name: Arc<str> = written.metadata.name.as_deref().unwrap_or_default().into();
        let owner = owner(SetName::cluster(), Arc::clone(&name));
        match Rule::new(owner, "".into(), &written.spec) {
            Ok(rule) => {
                self.add_originals(&rule, written, manner);
                self.add_copies(&rule, written, manner);
                self.add_creations(&rule, written);
            }
            Err(problem) => self.unusable.push((name, problem.to_string())),
        }
    }

    fn add_originals(&mut self, rule: &Rule, written: &CopyratorRule, manner: Manner) {
        let told = Told::of_candidates(&written.spec.source);
        for namespace in &rule.source.namespaces {
            let here = Objects::all(rule.resource).within(namespace.clone());
            match &told {
                Told::Exactly(names) => {
                    for name in names {
                        let one = here.clone().named(name.clone());
                        self.permissions.allow(reading(manner), one);
                    }
                }
                Told::Vaguely(reason) => {
                    self.permissions.allow(reading(manner), here);
                    self.widen(rule, Breadth::Read(namespace.clone()), reason);
                }
            }
            if manner == Manner::Watching {
                let events = Objects::all(&EVENTS).within(namespace.clone());
                self.permissions.allow(TELLING, events);
            }
        }
    }

    fn add_copies(&mut self, rule: &Rule, written: &CopyratorRule, manner: Manner) {
        let everywhere = Objects::all(rule.resource);
        match copy_names(rule, written) {
            Told::Exactly(names) => {
                for name in names {
                    let one = everywhere.clone().named(name);
                    self.permissions.allow(manner.keeping(), one);
                }
            }
            Told::Vaguely(reason) => {
                self.permissions.allow(manner.keeping(), everywhere);
                self.widen(rule, Breadth::Change, &reason);
            }
        }
    }

    /// A creation doesn't tell the name before it is allowed, so no right to it is for single names.
    fn add_creations(&mut self, rule: &Rule, written: &CopyratorRule) {
        let everywhere = Objects::all(rule.resource);
        match Told::of_targets(&written.spec.target) {
            Told::Exactly(namespaces) => {
                for namespace in namespaces {
                    let namespace = Namespace::from(namespace.as_str());
                    let there = everywhere.clone().within(namespace);
                    self.permissions.allow([Verb::Create], there);
                }
            }
            Told::Vaguely(reason) => {
                self.permissions.allow([Verb::Create], everywhere);
                self.widen(rule, Breadth::Make, &reason);
            }
        }
    }

    fn widen(&mut self, rule: &Rule, breadth: Breadth, reason: &str) {
        self.widths.push(Width {
            rule: Arc::clone(&rule.owner.name),
            resource: rule.resource,
            breadth,
            reason: reason.to_owned(),
        });
    }
}

/// The rights for whatever rules may come to the cluster.
pub fn any_rules(manner: Manner) -> Permissions {
    let mut permissions = of_the_resource(manner);
    permissions.allow(reading(manner), Objects::all(&NAMESPACES));
    for resource in [&CONFIG_MAPS, &SECRETS] {
        let verbs = manner.keeping().chain([Verb::Create]);
        permissions.allow(verbs, Objects::all(resource));
    }
    if manner == Manner::Watching {
        permissions.allow(TELLING, Objects::all(&EVENTS));
    }
    permissions
}

/// What the rules of the cluster themselves need.
fn of_the_resource(manner: Manner) -> Permissions {
    let mut permissions = Permissions::default();
    permissions.allow(reading(manner), Objects::all(&COPYRATOR_RULES));
    permissions.allow([Verb::Patch], Objects::statuses(&COPYRATOR_RULES));
    let definition = COPYRATOR_RULES.definition().name;
    let definition = Objects::all(&DEFINITIONS).named(definition);
    permissions.allow(reading(manner), definition);
    permissions
}

fn reading(manner: Manner) -> impl Iterator<Item = Verb> {
    manner.reading().iter().copied()
}

/// What a rule tells of the names of its copies.
fn copy_names(rule: &Rule, written: &CopyratorRule) -> Told {
    let originals = if rule.name.depends_on_name() {
        match Told::of_originals(&written.spec.source) {
            Told::Exactly(names) => names,
            vague @ Told::Vaguely(_) => return vague,
        }
    } else {
        // Any name makes the same one.
        BTreeSet::from([Name::from("any")])
    };
    let namespaces = rule.source.namespaces.iter();
    let originals = namespaces.flat_map(|namespace| {
        originals
            .iter()
            .map(|name| ObjectKey::namespaced(rule.resource, namespace.clone(), name.clone()))
    });
    // What makes no name is never copied.
    Told::Exactly(
        originals
            .filter_map(|key| rule.name.render(&key).ok())
            .collect(),
    )
}

#[cfg(test)]
#[path = "permissions_tests.rs"]
mod tests;
