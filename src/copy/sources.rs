//! Which originals a rule needs to have read, asked for so that the API server filters.

use super::rule::Rule;
use crate::reconcile::{Depth, Input, Name, Namespace, ObjectKey, Query, SECRETS};

/// What must be read to find a rule's originals.
///
/// Plain names are read one by one, which needs no right to list. A selector is sent to the API
/// server. Globs are matched here, over metadata alone, before the few that match are read.
pub fn inputs<'a>(rule: &'a Rule, candidates: impl Fn(&Input) -> Vec<&'a ObjectKey>) -> Vec<Input> {
    rule.source
        .namespaces
        .iter()
        .flat_map(|namespace| inputs_in(rule, namespace, &candidates))
        .collect()
}

fn inputs_in<'a>(
    rule: &'a Rule,
    namespace: &Namespace,
    candidates: &impl Fn(&Input) -> Vec<&'a ObjectKey>,
) -> Vec<Input> {
    let source = &rule.source;
    let exact = source.names.as_ref().and_then(|names| names.exact());
    match (&source.selector, exact) {
        (None, Some(names)) => {
            let key = |name: &String| {
                ObjectKey::namespaced(rule.resource, namespace.clone(), Name::from(name.as_str()))
            };
            names.iter().map(key).map(Input::Get).collect()
        }
        (Some(selector), _) => {
            vec![list(rule, namespace, selector.to_parameter(), Depth::Full)]
        }
        (None, None) => {
            let list = list(rule, namespace, String::new(), Depth::Metadata);
            let chosen = candidates(&list)
                .into_iter()
                .filter(|key| source.selects_name(&key.name))
                .map(|key| Input::Get(key.clone()));
            chosen.chain([list.clone()]).collect()
        }
    }
}

fn list(rule: &Rule, namespace: &Namespace, labels: String, depth: Depth) -> Input {
    let fields = match rule.source.types.as_slice() {
        // A type may hold what separates the terms of a field selector; then we filter alone.
        [only] if rule.resource == &SECRETS && !only.contains([',', '=', '!', '\\']) => {
            format!("type={only}")
        }
        _ => String::new(),
    };
    Input::List(Query {
        resource: rule.resource,
        namespace: Some(namespace.clone()),
        labels,
        fields,
        depth,
    })
}
