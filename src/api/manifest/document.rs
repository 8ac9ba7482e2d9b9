//! Finds the rules in a document: one, the items of a List, or something else that is refused.

use kube::Resource;

use crate::api::yaml::{Content, Node};
use crate::api::{CopyratorRule, FieldPath, Refusal};

/// The rules in a document with their paths in it, and what is refused for its kind.
pub(super) fn objects(document: &Node) -> (Vec<(FieldPath, &Node)>, Vec<Refusal>) {
    let (mut rules, mut refusals) = (Vec::new(), Vec::new());
    if document.is_null() {
        return (rules, refusals);
    }
    let root = FieldPath::root();
    for (path, node) in list_items(document).unwrap_or_else(|| vec![(root, document)]) {
        match wrong_kind(node) {
            None => rules.push((path, node)),
            Some((field, position, message)) => refusals.push(Refusal {
                position: Some(position),
                field: field.under(&path),
                message,
            }),
        }
    }
    (rules, refusals)
}

/// The items of a `v1` List or a `CopyratorRuleList`, or nothing for any other object.
fn list_items(document: &Node) -> Option<Vec<(FieldPath, &Node)>> {
    let kind = document.get("kind")?.as_text()?;
    let api_version = document.get("apiVersion")?.as_text()?;
    let is_ours = api_version == CopyratorRule::api_version(&()) && kind == "CopyratorRuleList";
    if !(is_ours || (api_version == "v1" && kind == "List")) {
        return None;
    }
    let items = match document.get("items").map(|items| &items.content) {
        None => return Some(Vec::new()),
        Some(Content::Sequence(items)) => items,
        Some(_) => return None,
    };
    let path = FieldPath::root().key("items");
    Some(
        items
            .iter()
            .enumerate()
            .map(|(index, item)| (path.index(index), item))
            .collect(),
    )
}

/// Why an object is not a rule of ours, at which field and position.
fn wrong_kind(node: &Node) -> Option<(FieldPath, crate::api::yaml::Position, String)> {
    let expected_version = CopyratorRule::api_version(&());
    let expected_kind = CopyratorRule::kind(&());
    let (root, here) = (FieldPath::root(), node.position);
    if !matches!(node.content, Content::Mapping(_)) {
        let message = format!(
            "must be of type object, but this is of type {}; write a rule with apiVersion, kind, metadata and spec",
            node.type_name()
        );
        return Some((root, here, message));
    }
    let Some(kind) = node.get("kind") else {
        return Some((
            root.key("kind"),
            here,
            format!("Required value: write kind: {expected_kind}"),
        ));
    };
    let Some(version) = node.get("apiVersion") else {
        let message = format!("Required value: write apiVersion: {expected_version}");
        return Some((root.key("apiVersion"), here, message));
    };
    match (
        version.as_text().unwrap_or_default(),
        kind.as_text().unwrap_or_default(),
    ) {
        (found, name) if found == expected_version && name == expected_kind => None,
        (found, name) if name == expected_kind => Some((
            root.key("apiVersion"),
            version.position,
            wrong_version(found, &expected_version),
        )),
        (_, name) => Some((
            root.key("kind"),
            kind.position,
            wrong_name(name, &expected_kind, &expected_version),
        )),
    }
}

fn wrong_version(found: &str, expected: &str) -> String {
    match found.split_once('/') {
        Some(("flant.com" | "test.com", _)) => format!(
            "a CopyratorRule of {found} has other fields (ruleType, selector, namespace); rewrite it with apiVersion: {expected}, and spec.resource, spec.source and spec.target"
        ),
        Some(("copyrator.dev", _)) => {
            format!(
                "the version {found} is not known to this program, which reads {expected}; another release of kubectl-copyrator may read it"
            )
        }
        _ => format!(
            "{found:?} has no CopyratorRule that is known here; write apiVersion: {expected}"
        ),
    }
}

fn wrong_name(found: &str, expected: &str, version: &str) -> String {
    if strsim::jaro_winkler(&found.to_lowercase(), &expected.to_lowercase()) > 0.85 {
        return format!("unknown kind {found:?}; did you mean {expected:?}?");
    }
    format!(
        "a {found} is no rule: only objects with kind: {expected} and apiVersion: {version} are read; move it to another file"
    )
}
