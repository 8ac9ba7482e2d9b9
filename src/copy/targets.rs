//! From rules, namespaces and originals to the copies that should exist.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use super::{fact::KnownNamespace, original::Original, rule::Rule};
use crate::reconcile::{Desired, Namespace, ObjectKey, Precedence, Template};

/// The copies that a rule wants. `unknown` says of which namespaces it isn't known what originals they
/// hold: what might come from there is not wanted from a later one either, and so stays as it is.
pub fn wanted(
    rule: &Rule,
    namespaces: &BTreeMap<Namespace, KnownNamespace>,
    originals: &BTreeMap<ObjectKey, Original>,
    unknown: impl Fn(&Namespace) -> bool,
) -> Vec<Desired> {
    let mut chosen: Vec<&Original> = chosen(rule, originals).collect();
    let own: BTreeSet<&ObjectKey> = chosen.iter().map(|original| &original.key).collect();
    chosen.retain(|original| !may_come_second(rule, original, &unknown));
    let targets: Vec<&Namespace> = targets(rule, namespaces).collect();
    let mut wanted = Vec::with_capacity(chosen.len() * targets.len());
    for original in &chosen {
        let template = Arc::new(template(rule, original));
        for namespace in &targets {
            let namespace = (*namespace).clone();
            let key = ObjectKey::namespaced(rule.resource, namespace, original.key.name.clone());
            // Neither onto itself, nor onto another original of the same rule.
            if !own.contains(&key) {
                wanted.push(Desired {
                    key,
                    template: Arc::clone(&template),
                });
            }
        }
    }
    wanted
}

/// Whether an earlier namespace of the rule may hold an original of the same name.
fn may_come_second(rule: &Rule, original: &Original, unknown: impl Fn(&Namespace) -> bool) -> bool {
    let namespaces = rule.source.namespaces.iter();
    let mut earlier = namespaces.take_while(|one| Some(*one) != original.key.namespace.as_ref());
    earlier.any(unknown)
}

/// The originals that a rule selects and that may be copied.
fn chosen<'a>(
    rule: &'a Rule,
    originals: &'a BTreeMap<ObjectKey, Original>,
) -> impl Iterator<Item = &'a Original> {
    originals.values().filter(|original| {
        let r#type = original.content.r#type.as_deref();
        original.exclusion.is_none() && rule.selects(&original.key, &original.labels, r#type)
    })
}

fn targets<'a>(
    rule: &'a Rule,
    namespaces: &'a BTreeMap<Namespace, KnownNamespace>,
) -> impl Iterator<Item = &'a Namespace> {
    namespaces
        .values()
        .filter(|namespace| {
            !namespace.leaving
                && rule
                    .target
                    .selects(namespace.name.as_str(), &namespace.labels)
        })
        .map(|namespace| &namespace.name)
}

fn template(rule: &Rule, original: &Original) -> Template {
    let namespaces = &rule.source.namespaces;
    let source = namespaces
        .iter()
        .position(|one| Some(one) == original.key.namespace.as_ref());
    let precedence = Precedence {
        created: Arc::clone(&rule.created),
        source: source.unwrap_or(namespaces.len()),
    };
    Template::new(
        rule.owner.clone(),
        original.key.path().into(),
        Arc::clone(&original.content),
        precedence,
    )
}
