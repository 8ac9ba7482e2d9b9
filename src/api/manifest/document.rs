//! Finds the objects of one kind in a document: one, the items of a List, one of another kind of ours,
//! which is passed over, or something else, which is refused.

use crate::api::check::{names, nearest};
use crate::api::yaml::{Content, Node};
use crate::api::{FieldPath, Kind, Refusal};

/// The objects of one kind in a document with their paths in it, and what is refused for its kind.
pub(super) fn objects<K: Kind>(document: &Node) -> (Vec<(FieldPath, &Node)>, Vec<Refusal>) {
    let (mut objects, mut refusals) = (Vec::new(), Vec::new());
    if document.is_null() {
        return (objects, refusals);
    }
    let whole = || vec![(FieldPath::root(), document)];
    for (path, node) in list_items(document).unwrap_or_else(whole) {
        if is_of_another_kind::<K>(node) {
            continue;
        }
        match check_kind::<K>(node) {
            Ok(()) => objects.push((path, node)),
            Err(refusal) => {
                let field = refusal.field.under(&path);
                refusals.push(Refusal { field, ..refusal });
            }
        }
    }
    (objects, refusals)
}

/// The items of a `v1` List or of a list of one kind of ours, or nothing for any other object.
fn list_items(document: &Node) -> Option<Vec<(FieldPath, &Node)>> {
    let kind = document.get("kind")?.as_text()?;
    let version = document.get("apiVersion")?.as_text()?;
    let of = kind.strip_suffix("List")?;
    let is_ours = is_our_group(version) && names().iter().any(|name| name == of);
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

/// Whether something is an object of ours, of whatever version, that isn't asked for.
fn is_of_another_kind<K: Kind>(node: &Node) -> bool {
    let text = |field| node.get(field).and_then(Node::as_text).unwrap_or_default();
    let kind = text("kind");
    kind != K::kind(&())
        && is_our_group(text("apiVersion"))
        && names().iter().any(|name| name == kind)
}

fn is_our_group(version: &str) -> bool {
    version
        .split_once('/')
        .is_some_and(|(group, _)| group == "copyrator.dev")
}

/// Refuses what is not of this kind.
fn check_kind<K: Kind>(node: &Node) -> Result<(), Refusal> {
    let expected_version = K::api_version(&());
    let expected_kind = K::kind(&());
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
        return refusal("kind", kind, wrong_kind::<K>(found_kind));
    }
    if found_version != expected_version {
        return refusal("apiVersion", version, wrong_version::<K>(found_version));
    }
    Ok(())
}

fn wrong_kind<K: Kind>(found: &str) -> String {
    let (expected, version) = (K::kind(&()), K::api_version(&()));
    match nearest(found, &[&expected]) {
        Some(_) => format!("unknown kind {found:?}; did you mean {expected:?}?"),
        None => format!(
            "the kind {found:?} is no {}: only objects with kind: {expected} and apiVersion: {version} \
             are read; move this one to another file",
            K::WORDS.noun
        ),
    }
}

fn wrong_version<K: Kind>(found: &str) -> String {
    let (kind, expected) = (K::kind(&()), K::api_version(&()));
    let article = if kind.starts_with(['A', 'E', 'I', 'O', 'U']) {
        "an"
    } else {
        "a"
    };
    match found.split_once('/') {
        Some((group, _)) if K::WORDS.predecessors.contains(&group) => {
            format!("{article} {kind} of {found} {}", K::WORDS.rewriting)
        }
        Some(("copyrator.dev", _)) => format!(
            "the version {found} is unknown to this program, which reads {expected}; write that, \
             or use the release of kubectl-copyrator that the file was written for"
        ),
        _ => format!("there is no {kind} of {found:?}; write apiVersion: {expected}"),
    }
}
