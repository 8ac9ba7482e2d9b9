//! Failures and conflicts of a run, gathered by reason: a thousand times the same error is one line.

use std::{cmp::Reverse, collections::BTreeMap};

use super::{
    error::prefix,
    escape,
    grant_text::grant_text,
    mask::{is_secret, scrub},
    missing::Missing,
    places::places,
    words::{counted, left, noun, predicate},
};
use crate::reconcile::{
    ApiError, Conflict, Content, MissingPermissions, ObjectKey, ResourceType, Verb,
};

/// How many examples a line names.
const EXAMPLES: usize = 3;
/// How many different lines are printed; an API server may make every message unique.
const LINES: usize = 20;

/// Failures by reason, and the permissions that would have prevented them.
#[derive(Debug, Default)]
pub struct Failures {
    groups: BTreeMap<Reason, Vec<ObjectKey>>,
    missing: Missing,
}

/// What failures that are told together have in common.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Reason {
    resource: &'static ResourceType,
    verb: Verb,
    /// The API server's word for it.
    word: Option<&'static str>,
    /// The message, with the object's own names taken out.
    pattern: String,
}

const NAMESPACE: &str = "<namespace>";
const NAME: &str = "<name>";

/// What the API server said of a failure, without the values that it may have quoted.
pub fn failure_message(error: &ApiError, key: &ObjectKey, content: Option<&Content>) -> String {
    let message = error.failure.to_string();
    match content {
        Some(content) if is_secret(key.resource) => scrub(&message, content),
        _ => message,
    }
}

impl Failures {
    /// Gathers one more; `message` is what [`failure_message`] made of it.
    pub fn add(&mut self, key: ObjectKey, error: &ApiError, message: &str) {
        let reason = Reason {
            resource: key.resource,
            verb: error.verb,
            word: error.failure.reason(),
            pattern: pattern(message, &key),
        };
        self.missing.met(&key, error);
        self.groups.entry(reason).or_default().push(key);
    }

    /// Gathers permissions that are known to be missing.
    pub fn foreseen(&mut self, missing: &MissingPermissions) {
        self.missing.foreseen(missing);
    }

    /// The lines that tell them, the most frequent first, and what would grant the missing permissions.
    pub fn lines(&self, verbose: bool) -> Vec<String> {
        let mut groups: Vec<_> = self.groups.iter().collect();
        groups.sort_by_key(|(reason, keys)| (Reverse(keys.len()), *reason));
        let limit = if verbose { usize::MAX } else { LINES };
        let shown = groups.iter().take(limit);
        let mut lines: Vec<_> = shown
            .map(|(reason, keys)| reason.line(keys, verbose))
            .collect();
        let rest: usize = groups.iter().skip(limit).map(|(_, keys)| keys.len()).sum();
        if rest > 0 {
            lines.push(format!(
                "error: … and {rest} more objects failed for other reasons (-v shows them all)"
            ));
        }
        lines.extend(grant_text(&self.missing, verbose));
        lines
    }
}

impl Reason {
    fn line(&self, keys: &[ObjectKey], verbose: bool) -> String {
        let (verb, message) = (self.verb, self.message(keys));
        let message = escape(&message);
        let prefix = prefix(self.word);
        if let [key] = keys {
            return format!("{prefix}cannot {verb} {key}: {message}");
        }
        let examples = if verbose { usize::MAX } else { EXAMPLES };
        let objects = counted(keys.len(), self.resource);
        format!(
            "{prefix}cannot {verb} {objects}: {message} ({})",
            places(keys, examples)
        )
    }

    /// The message with the names put back where all the objects share them.
    fn message(&self, keys: &[ObjectKey]) -> String {
        let Some((first, rest)) = keys.split_first() else {
            return self.pattern.clone();
        };
        let mut message = self.pattern.clone();
        if rest.iter().all(|key| key.name == first.name) {
            message = message.replace(NAME, first.name.as_str());
        }
        if let Some(namespace) = &first.namespace
            && rest.iter().all(|key| key.namespace == first.namespace)
        {
            message = message.replace(NAMESPACE, namespace.as_str());
        }
        // RBAC's own words for the place, which we name ourselves.
        message.replace(&format!(" in the namespace \"{NAMESPACE}\""), "")
    }
}

/// Takes the object's own names out of a message.
fn pattern(message: &str, key: &ObjectKey) -> String {
    let message = match &key.namespace {
        Some(namespace) => replace_word(message, namespace.as_str(), NAMESPACE),
        None => message.to_owned(),
    };
    replace_word(&message, key.name.as_str(), NAME)
}

/// Replaces a name where it isn't part of a longer one.
fn replace_word(text: &str, word: &str, replacement: &str) -> String {
    let mut replaced = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(word).filter(|_| !word.is_empty()) {
        let (before, after) = (&rest[..at], &rest[at + word.len()..]);
        let previous = before.chars().last().or_else(|| replaced.chars().last());
        replaced.push_str(before);
        replaced.push_str(if ends_there(after) && !previous.is_some_and(joins) {
            replacement
        } else {
            word
        });
        rest = after;
    }
    replaced.push_str(rest);
    replaced
}

fn joins(character: char) -> bool {
    character.is_alphanumeric() || matches!(character, '-' | '_' | '.' | '<')
}

/// Whether a name ends before this text: a full stop may end a name, or a sentence.
fn ends_there(after: &str) -> bool {
    let mut characters = after.chars();
    match characters.next() {
        Some('.') => !characters.next().is_some_and(char::is_alphanumeric),
        Some(character) => !joins(character),
        None => true,
    }
}

/// Conflicts by reason.
#[derive(Debug, Default)]
pub struct Conflicts(BTreeMap<(&'static ResourceType, Conflict), Vec<ObjectKey>>);

impl Conflicts {
    /// Gathers one more.
    pub fn add(&mut self, key: ObjectKey, conflict: Conflict) {
        self.0
            .entry((key.resource, conflict))
            .or_default()
            .push(key);
    }

    /// The lines that tell them, the most frequent first.
    pub fn lines(&self, verbose: bool) -> Vec<String> {
        let mut groups: Vec<_> = self.0.iter().collect();
        groups.sort_by_key(|(reason, keys)| (Reverse(keys.len()), *reason));
        let limit = if verbose { usize::MAX } else { LINES };
        let line = |((resource, conflict), keys): &(
            &(&'static ResourceType, Conflict),
            &Vec<ObjectKey>,
        )| { conflict_line(resource, conflict, keys, verbose) };
        let mut lines: Vec<_> = groups.iter().take(limit).map(line).collect();
        let rest: usize = groups.iter().skip(limit).map(|(_, keys)| keys.len()).sum();
        if rest > 0 {
            lines.push(format!(
                "Warning: … and {rest} more conflicts (-v shows them all)"
            ));
        }
        lines
    }
}

fn conflict_line(
    resource: &ResourceType,
    conflict: &Conflict,
    keys: &[ObjectKey],
    verbose: bool,
) -> String {
    let told = predicate(conflict, keys.len());
    let told = escape(&told);
    if let [key] = keys {
        return format!("Warning: {key} {told}; {}", left(conflict));
    }
    let examples = if verbose { usize::MAX } else { EXAMPLES };
    let (count, noun) = (keys.len(), noun(keys.len(), resource));
    format!(
        "Warning: {count} {noun} {told}; {} ({})",
        left(conflict),
        places(keys, examples)
    )
}

#[cfg(test)]
#[path = "failures_tests.rs"]
mod tests;
