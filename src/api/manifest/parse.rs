//! Reads the rules in the text of one file.

use std::collections::HashMap;
use std::sync::Arc;

use kube::ResourceExt;

use super::document::objects;
use super::problem::{Place, Problem};
use crate::api::yaml::read;
use crate::api::{CopyratorRule, FieldPath, Refusal, check};

/// The largest file that is read, in bytes: 10 MiB, thousands of rules.
pub const MAX_BYTES: usize = 10 * 1024 * 1024;

/// Something that was read from a file.
#[derive(Clone, Debug, PartialEq)]
pub struct Located<T> {
    /// Where it begins.
    pub place: Place,
    /// What was read.
    pub item: T,
}

/// Reads all the rules in a file's text: YAML or JSON, one or more documents or a `List`.
///
/// `file` is the name for the messages; `-` is the standard input. A text without rules is no error.
/// On an error the answer names everything that is wrong with the text, in its order.
pub fn parse(file: &str, text: &str) -> Result<Vec<Located<CopyratorRule>>, Vec<Problem>> {
    let (rules, mut problems) = parse_alone(file, text);
    problems.extend(duplicates(&rules));
    if problems.is_empty() {
        Ok(rules)
    } else {
        Err(problems)
    }
}

/// Reads a text without comparing its rules with one another.
pub(super) fn parse_alone(file: &str, text: &str) -> (Vec<Located<CopyratorRule>>, Vec<Problem>) {
    if text.len() > MAX_BYTES {
        return (Vec::new(), vec![too_large(file)]);
    }
    let file: Arc<str> = file.into();
    let (documents, mut refusals) = read(text);
    let mut rules = Vec::new();
    for document in &documents {
        let (objects, refused) = objects(document);
        refusals.extend(refused);
        for (path, node) in objects {
            match check::check(node) {
                Ok(item) => {
                    let place = Place {
                        file: Arc::clone(&file),
                        position: Some(node.position),
                    };
                    rules.push(Located { place, item });
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
        rules,
        refusals
            .into_iter()
            .map(|refusal| Problem::new(&file, refusal))
            .collect(),
    )
}

/// The rules whose name an earlier rule has already.
pub(super) fn duplicates(rules: &[Located<CopyratorRule>]) -> Vec<Problem> {
    let mut places: HashMap<String, &Place> = HashMap::new();
    let mut problems = Vec::new();
    for rule in rules {
        let name = rule.item.name_any();
        if let Some(first) = places.get(&name) {
            let message =
                format!("the rule at {first} has the name {name:?} already; rename one of the two");
            let field = FieldPath::root().key("metadata").key("name");
            problems.push(Problem {
                place: rule.place.clone(),
                field,
                message,
            });
        } else {
            places.insert(name, &rule.place);
        }
    }
    problems
}

/// The refusal of a file above [`MAX_BYTES`].
pub(super) fn too_large(file: &str) -> Problem {
    Problem::of_file(
        file,
        format!("larger than {} MiB; split it", MAX_BYTES / (1024 * 1024)),
    )
}
