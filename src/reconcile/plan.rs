//! The plan: every object that something must be done about, once, in a fixed order.

use std::collections::{BTreeMap, HashMap};

use super::{Conflict, Decision, Desired, ObjectKey, Observed, Owner, Scope, decide};

/// What must be done to bring the cluster in step.
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
    /// What it was found to be; none when it wasn't found.
    pub observed: Option<Observed>,
    /// Other owners that want the object: it isn't taken from them.
    pub rivals: Vec<Owner>,
    /// What must be done.
    pub decision: Decision,
}

impl Plan {
    /// Leaves nothing but what becomes of objects that nobody wants.
    pub fn keep_only_prunings(&mut self) {
        self.in_step = 0;
        self.steps
            .retain(|step| matches!(step.decision, Decision::Delete | Decision::Release));
    }
}

/// Makes the plan. The order of the input doesn't matter.
pub fn plan(desired: Vec<Desired>, observed: &[Observed], scope: &Scope) -> Plan {
    let mut found: HashMap<&ObjectKey, &Observed> = observed
        .iter()
        .map(|observed| (&observed.key, observed))
        .collect();
    let mut plan = Plan {
        steps: Vec::new(),
        in_step: 0,
    };
    for (key, claims) in claims(desired) {
        let observed = found.remove(&key);
        settle_claims(&mut plan, claims, observed, scope);
    }
    for observed in found.into_values() {
        push(&mut plan, None, Some(observed), Vec::new(), scope);
    }
    plan.steps.sort_by_cached_key(order);
    plan
}

/// All the wishes for each object, the first in rank first.
fn claims(desired: Vec<Desired>) -> BTreeMap<ObjectKey, Vec<Desired>> {
    let mut claims: BTreeMap<ObjectKey, Vec<Desired>> = BTreeMap::new();
    for desired in desired {
        claims.entry(desired.key.clone()).or_default().push(desired);
    }
    for wishes in claims.values_mut() {
        wishes.sort_by(|left, right| left.rank().cmp(&right.rank()));
    }
    claims
}

/// Whose object is there keeps it; with none there, the first in rank gets it. The others are told.
/// Owners that the run doesn't act for take part, so that the outcome is the same whoever is run.
fn settle_claims(
    plan: &mut Plan,
    mut claims: Vec<Desired>,
    observed: Option<&Observed>,
    scope: &Scope,
) {
    let winner = claims
        .iter()
        .position(|claim| holds(claim, observed))
        .unwrap_or(0);
    let winner = claims.remove(winner);
    let rivals = claims
        .iter()
        .map(|loser| loser.template.owner.clone())
        .collect();
    claims.retain(|loser| scope.acts_for(&loser.template.owner));
    for loser in claims {
        plan.steps.push(Step {
            key: loser.key.clone(),
            decision: Decision::Conflict(Conflict::Contested {
                winner: winner.template.owner.clone(),
                source: winner.template.source.clone(),
            }),
            desired: Some(loser),
            observed: None,
            rivals: Vec::new(),
        });
    }
    if scope.acts_for(&winner.template.owner) {
        push(plan, Some(winner), observed, rivals, scope);
    }
}

fn holds(claim: &Desired, observed: Option<&Observed>) -> bool {
    observed.is_some_and(|observed| {
        observed.marks.are_ours() && observed.marks.owner.as_ref() == Some(&claim.template.owner)
    })
}

fn push(
    plan: &mut Plan,
    desired: Option<Desired>,
    observed: Option<&Observed>,
    rivals: Vec<Owner>,
    scope: &Scope,
) {
    let decision = decide(desired.as_ref(), observed, &rivals, scope);
    let key = match (&desired, observed) {
        (Some(desired), _) => desired.key.clone(),
        (None, Some(observed)) => observed.key.clone(),
        (None, None) => return,
    };
    if decision == Decision::Nothing {
        plan.in_step += usize::from(desired.is_some());
    } else {
        plan.steps.push(Step {
            key,
            desired,
            observed: observed.cloned(),
            rivals,
            decision,
        });
    }
}

fn order(step: &Step) -> impl Ord + use<> {
    let rank = step.desired.as_ref().map(|desired| {
        let (created, owner, original, source) = desired.rank();
        (created.clone(), owner.clone(), original, source.clone())
    });
    let contested = matches!(step.decision, Decision::Conflict(_));
    (step.key.clone(), contested, rank)
}
