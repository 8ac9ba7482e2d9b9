//! Which steps of a plan would be refused: they aren't attempted, and the others are done.

use std::{collections::HashMap, sync::Arc};

use super::{MissingPermissions, Need, Verdict, inquire, must_be_certain, needs};
use crate::reconcile::{ApiError, Cluster, Event, Failure, ObjectKey, Outcome, Pace, Step, Verb};

/// What the API server would refuse of a plan, as far as it could be asked.
#[derive(Debug, Default)]
pub struct Refusals {
    user: Option<Arc<str>>,
    verdicts: HashMap<(Verb, ObjectKey), Verdict>,
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
        let verdicts: HashMap<_, _> = inquire(cluster, pace, parallelism, needed)
            .await
            .into_iter()
            .map(|(need, verdict)| ((need.verb, need.key.clone()), verdict))
            .collect();
        let is_denied = |verdict| matches!(verdict, &Verdict::Denied(_));
        let user = if verdicts.values().any(is_denied) {
            // Without the name everything else can be told all the same.
            cluster.user().await.ok()
        } else {
            None
        };
        Self { user, verdicts }
    }

    /// What would have to be granted; none when nothing is denied.
    pub fn missing(&self) -> Option<MissingPermissions> {
        let denied = self.verdicts.iter();
        let denied = denied.filter(|(_, verdict)| matches!(verdict, Verdict::Denied(_)));
        let mut denied: Vec<_> = denied.map(|(need, _)| need.clone()).collect();
        denied.sort();
        (!denied.is_empty()).then(|| MissingPermissions {
            user: self.user.clone(),
            denied,
        })
    }

    /// The end that a step meets without being attempted; none when it may be.
    pub fn of(&self, step: &Step) -> Option<Outcome> {
        let error = self.refusal(&step.key, needs(&step.decision))?;
        let observed = step.observed.as_ref().map(|observed| &observed.marks);
        let template = step.desired.as_ref().map(|desired| &desired.template);
        Some(Outcome {
            key: step.key.clone(),
            owner: match template {
                Some(template) => Some(template.owner.clone()),
                None => observed.and_then(|marks| marks.owner.clone()),
            },
            source: match template {
                Some(template) => Some(template.source.clone()),
                None => observed.and_then(|marks| marks.source.clone()),
            },
            event: Event::Failed(error),
            desired: step.desired.clone(),
        })
    }

    /// Why an object isn't touched for which all of these are needed.
    fn refusal(&self, key: &ObjectKey, verbs: &[Verb]) -> Option<ApiError> {
        let verdicts = || {
            let verdict = |verb: &Verb| Some((*verb, self.verdicts.get(&(*verb, key.clone()))?));
            verbs.iter().filter_map(verdict)
        };
        let denied = verdicts().find_map(|(verb, verdict)| match verdict {
            Verdict::Denied(reason) => Some((verb, self.denial(verb, key, reason))),
            Verdict::Unknown(_) => None,
        });
        let uncertain = || {
            verdicts().find_map(|(verb, verdict)| match verdict {
                Verdict::Unknown(error) => Some((verb, uncertainty(error))),
                Verdict::Denied(_) => None,
            })
        };
        let refusal = denied.or_else(|| must_be_certain(verbs).then(uncertain)?);
        refusal.map(|(verb, message)| ApiError::on(verb, key, Failure::Forbidden(message)))
    }

    /// In the API server's own words, so that it makes no difference who noticed.
    fn denial(&self, verb: Verb, key: &ObjectKey, reason: &str) -> String {
        let (group, plural) = (key.resource.group, key.resource.plural);
        let subject = match verb {
            Verb::Create | Verb::List => key.resource.qualified_plural(),
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

/// Why something isn't begun that couldn't be undone.
fn uncertainty(error: &ApiError) -> String {
    format!("it can't be told whether it is allowed: {error}")
}

#[cfg(test)]
#[path = "refusals_tests.rs"]
mod tests;
