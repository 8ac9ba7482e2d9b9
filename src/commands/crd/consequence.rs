//! What is lost with the definitions, and what stays, in words.

use std::fmt::Write as _;

use crate::reconcile::ApiError;

/// How many objects of one kind there are; an error where they may not be listed.
pub struct Objects {
    /// The kind.
    pub kind: String,
    /// How many.
    pub count: Result<usize, ApiError>,
}

/// The copies that the rules of the cluster made.
#[derive(Clone, Copy, Debug, Default)]
pub struct CopyCounts {
    /// How many are Secrets.
    pub secrets: usize,
    /// How many are ConfigMaps.
    pub configmaps: usize,
}

/// What is lost and what stays, as lines.
pub fn consequence(objects: &[Objects], copies: &Result<CopyCounts, ApiError>) -> String {
    let mut text = lost(objects);
    let nothing_lost = objects.iter().all(|objects| objects.count == Ok(0));
    match copies {
        Err(error) => {
            write!(text, "\nTheir copies stay in the cluster; how many isn't known: {error}")
        }
        Ok(copies) if copies.total() == 0 => Ok(()),
        Ok(copies) if nothing_lost => write!(
            text,
            " {} of earlier rules {} in the cluster; to remove those first, run: kubectl copyrator sync",
            copies.counted(),
            copies.verb()
        ),
        Ok(copies) => write!(
            text,
            " Their {} {} in the cluster; to remove those first, run: kubectl copyrator prune --all",
            copies.counted(),
            copies.verb()
        ),
    }
    .expect("a String takes all writes");
    text
}

/// What is lost, one sentence for all kinds and one for each that can't be counted.
fn lost(objects: &[Objects]) -> String {
    let counted: Vec<String> = objects
        .iter()
        .filter_map(|objects| Some((*objects.count.as_ref().ok()?, &objects.kind)))
        .map(|(count, kind)| plural(count, kind))
        .collect();
    let mut sentences = Vec::new();
    if !counted.is_empty() {
        sentences.push(format!("This deletes {}.", counted.join(", ")));
    }
    for objects in objects {
        if let Err(error) = &objects.count {
            let kind = &objects.kind;
            sentences.push(format!(
                "This deletes all {kind}s; how many there are isn't known: {error}."
            ));
        }
    }
    sentences.join("\n")
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

    fn verb(self) -> &'static str {
        if self.total() == 1 { "stays" } else { "stay" }
    }
}

fn plural(count: usize, word: &str) -> String {
    match count {
        0 => format!("no {word}s"),
        1 => format!("1 {word}"),
        _ => format!("{count} {word}s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reconcile::{Failure, Verb};

    fn rules(count: usize) -> Vec<Objects> {
        vec![Objects {
            kind: "CopyratorRule".to_owned(),
            count: Ok(count),
        }]
    }

    fn told(rules_count: usize, secrets: usize, configmaps: usize) -> String {
        let copies = CopyCounts {
            secrets,
            configmaps,
        };
        consequence(&rules(rules_count), &Ok(copies))
    }

    fn forbidden() -> ApiError {
        ApiError {
            verb: Verb::List,
            subject: "secrets".to_owned(),
            failure: Failure::Forbidden("no".to_owned()),
        }
    }

    #[test]
    fn it_is_said_what_is_lost_and_what_stays() {
        insta::assert_snapshot!(
            told(3, 210, 4),
            @"This deletes 3 CopyratorRules. Their 214 copies (210 secrets, 4 configmaps) stay in the cluster; to remove those first, run: kubectl copyrator prune --all"
        );
        insta::assert_snapshot!(
            told(1, 0, 1),
            @"This deletes 1 CopyratorRule. Their 1 copy (1 configmap) stays in the cluster; to remove those first, run: kubectl copyrator prune --all"
        );
    }

    #[test]
    fn without_copies_nothing_is_said_of_them() {
        insta::assert_snapshot!(told(0, 0, 0), @"This deletes no CopyratorRules.");
    }

    #[test]
    fn copies_without_a_rule_are_told_of() {
        insta::assert_snapshot!(
            told(0, 2, 0),
            @"This deletes no CopyratorRules. 2 copies (2 secrets) of earlier rules stay in the cluster; to remove those first, run: kubectl copyrator sync"
        );
    }

    #[test]
    fn what_may_not_be_listed_is_not_known() {
        let unknown = vec![Objects {
            kind: "CopyratorRule".to_owned(),
            count: Err(forbidden()),
        }];
        insta::assert_snapshot!(consequence(&unknown, &Err(forbidden())), @r"
        This deletes all CopyratorRules; how many there are isn't known: cannot list secrets: no.
        Their copies stay in the cluster; how many isn't known: cannot list secrets: no
        ");
    }
}
