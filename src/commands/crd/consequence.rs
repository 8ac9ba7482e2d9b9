//! What is lost with the definitions, and what stays, in words.

use super::traces::{CopyCounts, Traces};
use crate::{cluster::Made, reconcile::ApiError};

/// How many objects of one kind there are; an error where they may not be listed.
pub struct Objects {
    /// The kind.
    pub kind: String,
    /// How many.
    pub count: Result<usize, ApiError>,
}

/// What is lost and what stays, as lines.
pub fn consequence(objects: &[Objects], traces: &Traces) -> String {
    let mut lines = lost(objects);
    let mut rules = objects
        .iter()
        .filter(|objects| objects.kind == "CopyratorRule");
    if let Some(copies) = &traces.copies {
        let are_gone = rules.all(|rules| rules.count == Ok(0));
        lines.extend(of_copies(copies, are_gone));
    }
    if let Some(rates) = &traces.rates {
        lines.extend(of_rates(rates));
    }
    lines.join("\n")
}

/// What is lost, one sentence for all kinds and one for each that can't be counted.
fn lost(objects: &[Objects]) -> Vec<String> {
    let counted: Vec<String> = objects
        .iter()
        .filter_map(|objects| Some((*objects.count.as_ref().ok()?, &objects.kind)))
        .map(|(count, kind)| plural(count, kind))
        .collect();
    let mut sentences = Vec::new();
    if !counted.is_empty() {
        sentences.push(format!("This deletes {}.", counted.join(" and ")));
    }
    for objects in objects {
        if let Err(error) = &objects.count {
            let kind = &objects.kind;
            sentences.push(format!(
                "This deletes all {kind}s; how many there are isn't known: {error}."
            ));
        }
    }
    sentences
}

/// What becomes of copies, and what to do first for another end.
fn of_copies(copies: &Result<CopyCounts, ApiError>, rules_are_gone: bool) -> Option<String> {
    let copies = match copies {
        Ok(copies) if copies.total() == 0 => return None,
        Ok(copies) => copies,
        Err(error) => {
            return Some(format!(
                "The rules' copies stay in the cluster; how many isn't known: {error}"
            ));
        }
    };
    let (counted, stay) = (copies.counted(), stay(copies.total()));
    let (which, command) = if rules_are_gone {
        (format!("{counted} of earlier rules"), "sync")
    } else {
        (format!("The rules' {counted}"), "prune --all")
    };
    Some(format!(
        "{which} {stay} in the cluster; to remove those first, run: kubectl copyrator {command}"
    ))
}

/// What becomes of ConfigMaps with rates: the cluster deletes those that refer to their owner.
fn of_rates(rates: &Result<Made, ApiError>) -> Vec<String> {
    let made = match rates {
        Ok(made) => made,
        Err(error) => {
            return vec![format!(
                "The ConfigMaps of ExchangeRates are deleted with them; how many isn't known: {error}"
            )];
        }
    };
    let mut lines = Vec::new();
    if made.collected > 0 {
        let counted = plural(made.collected, "configmap");
        let are = if made.collected == 1 { "is" } else { "are" };
        lines.push(format!(
            "{counted} of ExchangeRates {are} deleted with them."
        ));
    }
    if made.kept > 0 {
        let counted = plural(made.kept, "configmap");
        let stay = stay(made.kept);
        lines.push(format!(
            "{counted} with exchange rates {stay} in the cluster."
        ));
    }
    lines
}

impl CopyCounts {
    fn total(self) -> usize {
        self.secrets + self.configmaps
    }

    fn counted(self) -> String {
        let kinds: Vec<String> = [(self.secrets, "secret"), (self.configmaps, "configmap")]
            .into_iter()
            .filter(|(count, _)| *count > 0)
            .map(|(count, word)| plural(count, word))
            .collect();
        let noun = if self.total() == 1 { "copy" } else { "copies" };
        format!("{} {noun} ({})", self.total(), kinds.join(", "))
    }
}

const fn stay(count: usize) -> &'static str {
    if count == 1 { "stays" } else { "stay" }
}

fn plural(count: usize, word: &str) -> String {
    match count {
        0 => format!("no {word}s"),
        1 => format!("1 {word}"),
        _ => format!("{count} {word}s"),
    }
}

#[cfg(test)]
#[path = "consequence_tests.rs"]
mod tests;
