//! Asks what is allowed, from the widest question to the narrowest: one answer for the whole cluster
//! settles what would otherwise be one question for each namespace or object.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use futures::{StreamExt, stream};

use super::{Access, Answer, needs::can_be_named};
use crate::reconcile::{ApiError, Cluster, Failure, ObjectKey, Pace, Verb};

/// Something that the plan does to one object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Need<'a> {
    /// What is done.
    pub verb: Verb,
    /// To which object.
    pub key: &'a ObjectKey,
}

/// Why a need is denied, in the API server's words; empty where it gives none.
pub type Reason = String;

/// How much one question covers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Breadth {
    Everywhere,
    /// One name, in all namespaces: cluster roles with `resourceNames` allow that.
    NameEverywhere,
    Namespace,
    Object,
}

const WIDEST_FIRST: [Breadth; 4] = [
    Breadth::Everywhere,
    Breadth::NameEverywhere,
    Breadth::Namespace,
    Breadth::Object,
];

/// What of the needs is denied. What can't be told isn't: the writes will tell. Without needs nothing is
/// asked.
pub async fn inquire<'a, C: Cluster>(
    cluster: &C,
    pace: &Pace,
    parallelism: usize,
    needs: impl IntoIterator<Item = Need<'a>>,
) -> BTreeMap<Need<'a>, Reason> {
    let unanswered = |need| (need, Reason::new());
    let mut denied: BTreeMap<_, _> = needs.into_iter().map(unanswered).collect();
    for breadth in WIDEST_FIRST {
        let questions = breadth.questions(denied.keys().copied());
        let answers: HashMap<_, _> = stream::iter(questions)
            .map(async |access| {
                let answer = ask(cluster, pace, &access).await;
                (access, answer)
            })
            .buffer_unordered(parallelism)
            .collect()
            .await;
        breadth.take_in(&mut denied, &answers);
    }
    denied
}

/// Asks once. Only a busy server is asked again: where reviews can't be had, the writes will tell.
async fn ask<C: Cluster>(cluster: &C, pace: &Pace, access: &Access) -> Result<Answer, ApiError> {
    let attempt = async || match cluster.may(access).await {
        Err(error) if matches!(error.failure, Failure::Throttled { .. }) => Err(error),
        settled => Ok(settled),
    };
    pace.request(attempt).await.result?
}

impl Breadth {
    /// The questions that are worth asking: those that settle several needs at once, and those that
    /// nothing narrower follows.
    fn questions<'a>(self, needs: impl Iterator<Item = Need<'a>>) -> BTreeSet<Access> {
        let mut covered: BTreeMap<Access, (usize, bool)> = BTreeMap::new();
        for need in needs {
            if let Some(access) = self.question(need) {
                let (count, is_worth_it) = covered.entry(access).or_default();
                *count += 1;
                *is_worth_it |= self == Self::Everywhere || self.is_narrowest_for(need);
            }
        }
        covered.retain(|_, (count, is_worth_it)| *count > 1 || *is_worth_it);
        covered.into_keys().collect()
    }

    /// The question of this breadth that covers a need.
    fn question(self, need: Need<'_>) -> Option<Access> {
        let Need { verb, key } = need;
        let namespace = || key.namespace.clone();
        let name = || can_be_named(verb).then(|| key.name.clone());
        let (namespace, name) = match self {
            Self::Everywhere => (None, None),
            Self::NameEverywhere => (None, Some(name()?)),
            Self::Namespace => (Some(namespace()?), None),
            Self::Object => (namespace(), Some(name()?)),
        };
        Some(Access {
            verb,
            resource: key.resource,
            subresource: None,
            namespace,
            name,
        })
    }

    fn is_narrowest_for(self, need: Need<'_>) -> bool {
        if can_be_named(need.verb) {
            self == Self::Object
        } else {
            self == Self::Namespace
        }
    }

    fn take_in(
        self,
        denied: &mut BTreeMap<Need<'_>, Reason>,
        answers: &HashMap<Access, Result<Answer, ApiError>>,
    ) {
        denied.retain(|need, reason| {
            let answer = self.question(*need).and_then(|access| answers.get(&access));
            match answer {
                None => true,
                Some(Ok(Answer::Allowed) | Err(_)) => false,
                Some(Ok(Answer::Denied(words))) => {
                    words.clone_into(reason);
                    true
                }
            }
        });
    }
}

#[cfg(test)]
#[path = "inquiry_tests.rs"]
mod tests;
