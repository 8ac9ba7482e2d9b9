//! Finds the rules in a document: one, the items of a List, or something else that is refused.

use kube::Resource;

use crate::api::check::nearest;
use crate::api::yaml::{Content, Node};
use crate::api::{CopyratorRule, FieldPath, Refusal};

/// The rules in a document with their paths in it, and what is refused for its kind.
pub(super) fn objects(document: &Node) -> (Vec<(FieldPath, &Node)>, Vec<Refusal>) {
    let (mut rules, mut refusals) = (Vec::new(), Vec::new());
    if document.is_null() {
        return (rules, refusals);
    }
    let whole = || vec![(FieldPath::root(), document)];
    for (path, node) in list_items(document).unwrap_or_else(whole) {
        match check_kind(node) {
            Ok(()) => rules.push((path, node)),
            Err(refusal) => {
                let field = refusal.field.under(&path);
                refusals.push(Refusal { field, ..refusal });
            }
        }
    }
    (rules, refusals)
}

/// The items of a `v1` List or a `CopyratorRuleList`, or nothing for any other object.
fn list_items(document: &Node) -> Option<Vec<(FieldPath, &Node)>> {
    let kind = document.get("kind")?.as_text()?;
    let version = document.get("apiVersion")?.as_text()?;
    let is_ours = version == CopyratorRule::api_version(&()) && kind == "CopyratorRuleList";
    if !is_ours && (version, kind) != ("v1", "List") {
        return None;
    }
    let path = FieldPath::root().key("items");
    match &document.get("items")?.content {
        Content::Sequence(items) => {
            let items = items.iter().enumerate();
            Some(
                items
                    .map(|(index, item)| (path.index(index), item))
                    .collect(),
            )
        }
        _ => None,
    }
}

/// Refuses what is not a rule of ours.
fn check_kind(node: &Node) -> Result<(), Refusal> {
    let expected_version = CopyratorRule::api_version(&());
    let expected_kind = CopyratorRule::kind(&());
    let refusal = |field: &str, at: &Node, message: String| {
        Err(Refusal {
            position: Some(at.position),
            field: FieldPath::root().key(field),
            message,
        })
    };
    if !matches!(node.content, Content::Mapping(_)) {
        return Err(Refusal {
            position: Some(node.position),
            field: FieldPath::root(),
            message: "must be of type object: write apiVersion, kind, metadata and spec".to_owned(),
        });
    }
    let Some(kind) = node.get("kind") else {
        return refusal(
            "kind",
            node,
            format!("Required value: write kind: {expected_kind}"),
        );
    };
    let Some(version) = node.get("apiVersion") else {
        let message = format!("Required value: write apiVersion: {expected_version}");
        return refusal("apiVersion", node, message);
    };
    let found_kind = kind.as_text().unwrap_or_default();
    let found_version = version.as_text().unwrap_or_default();
    if found_kind != expected_kind {
        return refusal(
            "kind",
            kind,
            wrong_kind(found_kind, &expected_kind, &expected_version),
        );
    }
    if found_version != expected_version {
        return refusal(
            "apiVersion",
            version,
            wrong_version(found_version, &expected_version),
        );
    }
    Ok(())
}

fn wrong_kind(found: &str, expected: &str, version: &str) -> String {
    match nearest(found, &[expected]) {
        Some(_) => format!("unknown kind {found:?}; did you mean {expected:?}?"),
        None => format!(
            "the kind {found:?} is no rule: only objects with kind: {expected} and apiVersion: \
             {version} are read; move this one to another file"
        ),
    }
}

fn wrong_version(found: &str, expected: &str) -> String {
    match found.split_once('/') {
        Some(("flant.com" | "test.com", _)) => format!(
            "a CopyratorRule of {found} has other fields (ruleType, selector, namespace); rewrite \
             it with apiVersion: {expected}, and spec.resource, spec.source and spec.target"
        ),
        Some(("copyrator.dev", _)) => format!(
            "the version {found} is unknown to this program, which reads {expected}; write that, \
             or use the release of kubectl-copyrator that the file was written for"
        ),
        _ => format!("there is no CopyratorRule of {found:?}; write apiVersion: {expected}"),
    }
}
