//! From rules, namespaces and originals to the copies that should exist.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{Arc, OnceLock},
};

use super::{
    derived::{Derived, derive},
    fact::KnownNamespace,
    original::Original,
    rule::Rule,
};
use crate::reconcile::{
    Carried, ConflictPolicy, Content, Desired, Name, Namespace, ObjectKey, Policies, Precedence,
    Template,
};

/// The copies that a rule wants. `unknown` says of which namespaces it isn't known what originals they
/// hold: what might come from there is not wanted from a later one either, and so stays as it is.
/// `all_originals` are those of every rule: none of them is ever taken over.
pub fn wanted(
    rule: &Rule,
    namespaces: &BTreeMap<Namespace, KnownNamespace>,
    originals: &BTreeMap<ObjectKey, Original>,
    all_originals: &BTreeSet<&ObjectKey>,
    unknown: impl Fn(&Namespace) -> bool,
) -> Vec<Desired> {
    let mut chosen: Vec<&Original> = chosen(rule, originals).collect();
    let own: BTreeSet<&ObjectKey> = chosen.iter().map(|original| &original.key).collect();
    chosen.retain(|original| !may_come_second(rule, original, &unknown));
    let targets: Vec<&Namespace> = targets(rule, namespaces).collect();
    let mut wanted = Vec::with_capacity(chosen.len() * targets.len());
    for original in &chosen {
        let Ok(derived) = derive(rule, original) else {
            continue;
        };
        let templates = Templates::new(rule, original, derived);
        for namespace in &targets {
            let name = templates.name.clone();
            let key = ObjectKey::namespaced(rule.resource, (*namespace).clone(), name);
            // Neither onto itself, nor onto another original of the same rule.
            if !own.contains(&key) {
                let template = templates.for_place(all_originals.contains(&key));
                wanted.push(Desired { key, template });
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
pub fn chosen<'a>(
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

/// The templates of one original's copies.
struct Templates<'a> {
    rule: &'a Rule,
    source: Arc<str>,
    name: Name,
    content: Arc<Content>,
    carried: Carried,
    precedence: Precedence,
    usual: OnceLock<Arc<Template>>,
    /// For a place where an original of another rule is: it is never taken over.
    careful: OnceLock<Arc<Template>>,
}

impl<'a> Templates<'a> {
    fn new(rule: &'a Rule, original: &Original, derived: Derived) -> Self {
        let namespaces = &rule.source.namespaces;
        let source = namespaces
            .iter()
            .position(|one| Some(one) == original.key.namespace.as_ref());
        Self {
            rule,
            source: original.key.path().into(),
            name: derived.name,
            content: derived.content,
            carried: derived.carried,
            precedence: Precedence {
                created: Arc::clone(&rule.created),
                source: source.unwrap_or(namespaces.len()),
            },
            usual: OnceLock::new(),
            careful: OnceLock::new(),
        }
    }

    fn for_place(&self, holds_original: bool) -> Arc<Template> {
        let usual = self.rule.policies;
        let (cell, policies) = if holds_original {
            let conflict = ConflictPolicy::Skip;
            (&self.careful, Policies { conflict, ..usual })
        } else {
            (&self.usual, usual)
        };
        Arc::clone(cell.get_or_init(|| Arc::new(self.template(policies))))
    }

    fn template(&self, policies: Policies) -> Template {
        Template::new(
            self.rule.owner.clone(),
            Arc::clone(&self.source),
            Arc::clone(&self.content),
            self.carried.clone(),
            policies,
            self.precedence.clone(),
        )
    }
}
