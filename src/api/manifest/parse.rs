//! Reads the objects of one kind in the text of one file.

use std::collections::{HashMap, hash_map::Entry};
use std::sync::Arc;

use kube::ResourceExt;

use super::document::objects;
use super::problem::{Place, Problem};
use crate::api::yaml::read;
use crate::api::{FieldPath, Kind, Refusal, check};

/// The largest file that is read, in bytes: 10 MiB, thousands of objects.
pub const MAX_BYTES: usize = 10 * 1024 * 1024;

/// Something that was read from a file.
#[derive(Clone, Debug, PartialEq)]
pub struct Located<T> {
    /// Where it begins.
    pub place: Place,
    /// What was read.
    pub item: T,
}

/// Reads all the objects of one kind in a file's text: YAML or JSON, one or more documents or a `List`.
///
/// `file` is the name for the messages; `-` is the standard input. A text without any is no error.
/// On an error the answer names everything that is wrong with the text, in its order.
pub fn parse<K: Kind>(file: &str, text: &str) -> Result<Vec<Located<K>>, Vec<Problem>> {
    let (objects, mut problems) = parse_alone(file, text);
    problems.extend(duplicates(&objects));
    if problems.is_empty() {
        Ok(objects)
    } else {
        Err(problems)
    }
}

/// Reads a text without comparing its objects with one another.
pub(super) fn parse_alone<K: Kind>(file: &str, text: &str) -> (Vec<Located<K>>, Vec<Problem>) {
    if text.len() > MAX_BYTES {
        return (Vec::new(), vec![too_large(file)]);
    }
    let file: Arc<str> = file.into();
    let (documents, mut refusals) = read(text);
    let mut items = Vec::new();
    for document in &documents {
        let (objects, refused) = objects::<K>(document);
        refusals.extend(refused);
        for (path, node) in objects {
            match check::check(node) {
                Ok(item) => {
                    let place = Place {
                        file: Arc::clone(&file),
                        position: Some(node.position),
                    };
                    items.push(Located { place, item });
                }
                Err(refused) => refusals.extend(refused.into_iter().map(|refusal| Refusal {
                    field: refusal.field.under(&path),
                    ..refusal
                })),
            }
        }
    }
    refusals.sort_by_key(|refusal| refusal.position);
    (
        items,
        refusals
            .into_iter()
            .map(|refusal| Problem::new(&file, refusal))
            .collect(),
    )
}

/// The objects whose name an earlier object of their namespace has already.
pub(super) fn duplicates<K: Kind>(objects: &[Located<K>]) -> Vec<Problem> {
    let mut places: HashMap<(String, String), &Place> = HashMap::new();
    let mut problems = Vec::new();
    for object in objects {
        let namespace = object.item.namespace().unwrap_or_default();
        let name = object.item.name_any();
        match places.entry((namespace, name)) {
            Entry::Occupied(entry) => {
                let (namespace, name) = entry.key();
                problems.push(Problem {
                    place: object.place.clone(),
                    field: FieldPath::root().key("metadata").key("name"),
                    message: taken::<K>(entry.get(), namespace, name),
                });
            }
            Entry::Vacant(entry) => {
                entry.insert(&object.place);
            }
        }
    }
    problems
}

fn taken<K: Kind>(first: &Place, namespace: &str, name: &str) -> String {
    let noun = K::WORDS.noun;
    let namespace = if namespace.is_empty() {
        String::new()
    } else {
        format!(" in the namespace {namespace:?}")
    };
    format!("the {noun} at {first} has the name {name:?}{namespace} already; rename one of the two")
}

/// The refusal of a file above [`MAX_BYTES`].
pub(super) fn too_large(file: &str) -> Problem {
    Problem::of_file(
        file,
        format!("larger than {} MiB; split it", MAX_BYTES / (1024 * 1024)),
    )
}
