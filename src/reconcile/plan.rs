//! The plan: every object that something must be done about, once, in a fixed order.

use std::collections::HashMap;

use super::{Conflict, Decision, Desired, Found, ObjectKey, Observed, Owner, Scope, decide};

/// What must be done to bring the cluster in step.
#[derive(Default)]
pub struct Plan {
    /// What must be done, ordered by namespace, resource and name.
    pub steps: Vec<Step>,
    /// How many wanted objects are in step already.
    pub in_step: usize,
}

/// One object that something must be done about.
pub struct Step {
    /// The object.
    pub key: ObjectKey,
    /// What it should be; none when nobody wants it.
    pub desired: Option<Desired>,
    /// What it was found to be; none when it wasn't found. Most steps of a first run have none, and there
    /// may be tens of thousands.
    pub observed: Option<Found>,
    /// Other owners that want the object: it isn't taken from them.
    pub rivals: Vec<Owner>,
    /// What must be done.
    pub decision: Decision,
}

impl Plan {
    /// Decides anew about objects that were read again.
    pub fn look_again(&mut self, mut fresh: HashMap<ObjectKey, Found>, scope: &Scope) {
        self.steps.retain_mut(|step| {
            let Some(observed) = fresh.remove(&step.key) else {
                return true;
            };
            let desired = step.desired.as_ref();
            step.decision = decide(desired, Some(&observed), &step.rivals, scope);
            step.observed = Some(observed);
            let in_step = step.decision == Decision::Nothing;
            self.in_step += usize::from(in_step && desired.is_some());
            !in_step
        });
    }

    /// Leaves nothing but what becomes of objects that nobody wants.
    pub fn keep_only_prunings(&mut self) {
        self.in_step = 0;
        self.steps.retain(|step| {
            matches!(
                step.decision,
                Decision::Delete | Decision::Release | Decision::Orphan
            )
        });
    }
}

/// Makes the plan. The order of the input doesn't matter.
///
/// Both lists are sorted where they are and gone through side by side: there may be tens of thousands of
/// objects, and nothing is held twice.
pub fn plan(mut desired: Vec<Desired>, mut observed: Vec<Found>, scope: &Scope) -> Plan {
    desired
        .sort_unstable_by(|left, right| (&left.key, left.rank()).cmp(&(&right.key, right.rank())));
    observed.sort_unstable_by(|left, right| left.key.cmp(&right.key));
    let mut desired = desired.into_iter().peekable();
    let mut observed = observed.into_iter().peekable();
    let mut plan = Plan::default();
    loop {
        let wanted = desired.peek().map(|desired| &desired.key);
        let found = observed.peek().map(|observed| &observed.key);
        let Some(key) = wanted.into_iter().chain(found).min().cloned() else {
            return plan;
        };
        let claims = std::iter::from_fn(|| desired.next_if(|next| next.key == key)).collect();
        let found = std::iter::from_fn(|| observed.next_if(|next| next.key == key)).last();
        plan.settle_claims(key, claims, found, scope);
    }
}

impl Plan {
    fn settle_claims(
        &mut self,
        key: ObjectKey,
        claims: Vec<Desired>,
        observed: Option<Found>,
        scope: &Scope,
    ) {
        let judgement = judge(claims, observed.as_deref(), scope);
        let Judgement {
            desired,
            rivals,
            decision,
            losers,
        } = judgement;
        if decision == Decision::Nothing {
            self.in_step += usize::from(desired.is_some());
        } else {
            self.steps.push(Step {
                key,
                desired,
                observed,
                rivals,
                decision,
            });
        }
        self.steps
            .extend(losers.into_iter().map(|(desired, conflict)| Step {
                key: desired.key.clone(),
                decision: Decision::Conflict(conflict),
                desired: Some(desired),
                observed: None,
                rivals: Vec::new(),
            }));
    }
}

/// What must be done about one object, and for whom.
pub struct Judgement {
    /// What it should be, if the run acts for the owner that gets it.
    pub desired: Option<Desired>,
    /// Other owners that want it: it isn't taken from them.
    pub rivals: Vec<Owner>,
    /// What must be done.
    pub decision: Decision,
    /// Those that the run acts for and that don't get it, and why.
    pub losers: Vec<(Desired, Conflict)>,
}

/// Whose object is there keeps it; with none there, the first in rank gets it. The others are told.
/// Owners that the run doesn't act for take part, so that the outcome is the same whoever is run. The claims
/// are in the order of their rank.
pub fn judge(mut claims: Vec<Desired>, observed: Option<&Observed>, scope: &Scope) -> Judgement {
    if claims.is_empty() {
        return Judgement {
            desired: None,
            rivals: Vec::new(),
            decision: decide(None, observed, &[], scope),
            losers: Vec::new(),
        };
    }
    let holder = claims.iter().position(|claim| holds(claim, observed));
    let winner = claims.remove(holder.unwrap_or(0));
    let rivals: Vec<Owner> = claims
        .iter()
        .map(|loser| loser.template.owner.clone())
        .collect();
    let conflict = Conflict::Contested {
        winner: winner.template.owner.clone(),
        source: winner.template.source.clone(),
    };
    claims.retain(|loser| scope.acts_for(&loser.template.owner));
    let losers = claims.into_iter().map(|loser| (loser, conflict.clone()));
    let losers = losers.collect();
    if !scope.acts_for(&winner.template.owner) {
        return Judgement {
            desired: None,
            rivals,
            decision: Decision::Nothing,
            losers,
        };
    }
    let decision = decide(Some(&winner), observed, &rivals, scope);
    Judgement {
        desired: Some(winner),
        rivals,
        decision,
        losers,
    }
}

fn holds(claim: &Desired, observed: Option<&Observed>) -> bool {
    observed.is_some_and(|observed| {
        observed.marks.are_ours() && observed.marks.owner.as_ref() == Some(&claim.template.owner)
    })
}
