//! Which steps of a plan would be refused: they aren't attempted, and the others are done.

use std::{collections::HashMap, sync::Arc};

use super::{MissingPermissions, Need, Reason, inquire, needs};
use crate::reconcile::{ApiError, Cluster, Event, Failure, ObjectKey, Outcome, Pace, Step, Verb};

/// What the API server would refuse of a plan, as far as it could be asked.
#[derive(Debug, Default)]
pub struct Refusals {
    user: Option<Arc<str>>,
    denied: HashMap<(Verb, ObjectKey), Reason>,
}

impl Refusals {
    /// Asks what of the steps would be refused. Steps that need nothing cost no request.
    pub async fn foresee<C: Cluster>(
        cluster: &C,
        pace: &Pace,
        parallelism: usize,
        steps: &[Step],
    ) -> Self {
        let needed = steps.iter().flat_map(|step| {
            let verbs = needs(&step.decision).iter();
            verbs.map(|&verb| Need {
                verb,
                key: &step.key,
            })
        });
        let denied = inquire(cluster, pace, parallelism, needed)
            .await
            .into_iter();
        let denied = denied.map(|(need, reason)| ((need.verb, need.key.clone()), reason));
        let denied: HashMap<_, _> = denied.collect();
        let user = if denied.is_empty() {
            None
        } else {
            // Without the name everything else can be told all the same.
            cluster.user().await.ok()
        };
        Self { user, denied }
    }

    /// What would have to be granted; none when nothing is denied.
    pub fn missing(&self) -> Option<MissingPermissions> {
        let mut denied: Vec<_> = self.denied.keys().cloned().collect();
        denied.sort();
        (!denied.is_empty()).then(|| MissingPermissions {
            user: self.user.clone(),
            denied,
        })
    }

    /// The end that a step meets without being attempted; none when it may be.
    pub fn of(&self, step: &Step) -> Option<Outcome> {
        let error = self.refusal(&step.key, needs(&step.decision))?;
        Some(Outcome::of(
            step.key.clone(),
            step.desired.clone(),
            step.observed.as_deref(),
            Event::Failed(error),
        ))
    }

    /// Why an object isn't touched for which all of these are needed.
    fn refusal(&self, key: &ObjectKey, verbs: &[Verb]) -> Option<ApiError> {
        verbs.iter().find_map(|&verb| {
            let reason = self.denied.get(&(verb, key.clone()))?;
            let message = self.denial(verb, key, reason);
            Some(ApiError::on(verb, key, Failure::Forbidden(message)))
        })
    }

    /// In the API server's own words, so that it makes no difference who noticed.
    fn denial(&self, verb: Verb, key: &ObjectKey, reason: &str) -> String {
        let (group, plural) = (key.resource.group, key.resource.plural);
        let subject = match verb {
            Verb::Create | Verb::List | Verb::Watch => key.resource.qualified_plural(),
            _ => format!("{} \"{}\"", key.resource.qualified_plural(), key.name),
        };
        let who = match &self.user {
            Some(user) => format!("User \"{user}\""),
            None => "the user".to_owned(),
        };
        let place = match &key.namespace {
            Some(namespace) => format!("in the namespace \"{namespace}\""),
            None => "at the cluster scope".to_owned(),
        };
        let separator = if reason.is_empty() { "" } else { ": " };
        format!(
            "{subject} is forbidden: {who} cannot {verb} resource \"{plural}\" in API group \"{group}\" {place}{separator}{reason}"
        )
    }
}

#[cfg(test)]
#[path = "refusals_tests.rs"]
mod tests;
