//! Brings one object in step: decides, acts, and looks again when the world was another one.

use std::cell::RefCell;

use super::{
    ApiError, Cluster, Decision, Depth, Desired, Event, Failure, ObjectKey, Observed, Observer,
    Outcome, Owner, Pace, Scope, Skip, Step, Verb, Why, Writes, decide,
};

/// How often an object may change under our hands before we give up on it for this run.
const ROUNDS: u32 = 8;

/// Brings objects in step, one at a time; many may run at once.
pub struct Settler<'a, C> {
    /// Where the objects are.
    pub cluster: &'a C,
    /// Retries and cancellation.
    pub pace: &'a Pace,
    /// What the run answers for.
    pub scope: &'a Scope,
    /// Reduces what is read again.
    pub observer: &'a RefCell<Observer>,
}

/// What one round came to.
enum Round {
    /// The object has met its end.
    Done(Event),
    /// It isn't what it was thought to be.
    LookAgain,
    /// The write was refused: rightly, unless the object isn't what it was thought to be.
    Refused(ApiError),
}

/// One object on its way.
struct Case {
    key: ObjectKey,
    desired: Option<Desired>,
    observed: Option<Box<Observed>>,
    rivals: Vec<Owner>,
    /// What an earlier write, whose answer never came, will have been if it took effect.
    perhaps: Option<Event>,
}

impl<C: Cluster> Settler<'_, C> {
    /// Brings one object in step.
    pub async fn settle(&self, step: Step) -> Outcome {
        let Step {
            key,
            desired,
            observed,
            rivals,
            mut decision,
        } = step;
        let mut case = Case {
            key,
            desired,
            observed,
            rivals,
            perhaps: None,
        };
        let owner = case.owner();
        for _ in 0..ROUNDS {
            match self.act(&mut case, decision).await {
                Round::Done(event) => return case.outcome(owner, event),
                Round::LookAgain => match self.look(&mut case).await {
                    Ok(next) => decision = next,
                    Err(error) => return case.outcome(owner, Event::Failed(error)),
                },
                Round::Refused(error) => match self.look_after(&mut case, error).await {
                    Ok(next) => decision = next,
                    Err(error) => return case.outcome(owner, Event::Failed(error)),
                },
            }
        }
        let failure = Failure::Conflict("it keeps being changed by somebody else".into());
        let error = ApiError::on(Verb::Patch, &case.key, failure);
        case.outcome(owner, Event::Failed(error))
    }

    async fn act(&self, case: &mut Case, decision: Decision) -> Round {
        if !self.pace.open().await {
            return Round::Done(Event::Failed(ApiError::on(
                Verb::Patch,
                &case.key,
                Failure::Interrupted,
            )));
        }
        match decision {
            Decision::Nothing => Round::Done(case.ending()),
            Decision::Conflict(conflict) => Round::Done(Event::Conflict(conflict)),
            Decision::Inspect => Round::LookAgain,
            Decision::Wait => Round::Done(Event::Skipped(Skip::BeingDeleted)),
            Decision::Create => self.create(case).await,
            Decision::Update(_) if self.must_look_first(case) => Round::LookAgain,
            Decision::Update(why) => self.update(case, Event::Configured(why)).await,
            Decision::Replace(why) => self.replace(case, why).await,
            Decision::Delete => self.delete(case).await,
            Decision::Release => self.release(case).await,
        }
    }

    /// Where nobody checks an update, whether it is possible is told by the whole object alone.
    fn must_look_first(&self, case: &Case) -> bool {
        let read_whole = case
            .observed
            .as_ref()
            .is_none_or(|observed| observed.actual.is_some());
        self.cluster.writes() == Writes::Assumed && !read_whole
    }

    async fn create(&self, case: &mut Case) -> Round {
        self.make(case, Event::Created).await
    }

    async fn make(&self, case: &mut Case, event: Event) -> Round {
        let Some(desired) = &case.desired else {
            return Round::LookAgain;
        };
        let attempted = self
            .pace
            .request(async || self.cluster.create(desired).await)
            .await;
        case.remember(attempted.uncertain, event.clone());
        match attempted.result {
            Ok(()) => Round::Done(event),
            Err(error) if matches!(error.failure, Failure::AlreadyExists(_)) => Round::LookAgain,
            Err(error) => Round::Done(refused_creation(error)),
        }
    }

    async fn update(&self, case: &mut Case, event: Event) -> Round {
        let (Some(desired), Some(observed)) = (&case.desired, &case.observed) else {
            return Round::LookAgain;
        };
        let attempted = self
            .pace
            .request(async || self.cluster.update(desired, observed).await)
            .await;
        case.remember(attempted.uncertain, event.clone());
        match attempted.result {
            Ok(()) => Round::Done(event),
            Err(error) => match error.failure {
                Failure::Conflict(_) | Failure::NotFound(_) => Round::LookAgain,
                // A patch is applied before the resourceVersion is compared, so one that doesn't fit
                // a newer state is refused as invalid.
                Failure::Refused { status: 422, .. } => Round::Refused(error),
                Failure::NamespaceTerminating => Round::Done(Event::Skipped(Skip::NamespaceGone)),
                _ => Round::Done(Event::Failed(error)),
            },
        }
    }

    /// Makes sure that the new object would be let in before the old one is deleted. From then on it
    /// is made whether or not the run is to stop.
    async fn replace(&self, case: &mut Case, why: Why) -> Round {
        let (Some(desired), Some(observed)) = (&case.desired, &case.observed) else {
            return Round::LookAgain;
        };
        let tried = self
            .pace
            .request(async || self.cluster.try_create(desired).await)
            .await;
        if let Err(error) = tried.result {
            return Round::Done(refused_creation(error));
        }
        let deleted = self
            .pace
            .request(async || self.cluster.delete(observed).await)
            .await;
        match deleted.result {
            Err(error) if matches!(error.failure, Failure::Conflict(_)) => return Round::LookAgain,
            Err(error) if !matches!(error.failure, Failure::NotFound(_)) => {
                return Round::Done(Event::Failed(error));
            }
            _ if self.cluster.writes() != Writes::Kept => {
                return Round::Done(Event::Replaced(why));
            }
            _ => (),
        }
        self.make(case, Event::Replaced(why)).await
    }

    async fn release(&self, case: &mut Case) -> Round {
        let Some(observed) = &case.observed else {
            return Round::LookAgain;
        };
        let attempted = self
            .pace
            .request(async || self.cluster.release(observed).await)
            .await;
        case.remember(attempted.uncertain, Event::Released);
        match attempted.result {
            Ok(()) => Round::Done(Event::Released),
            Err(error) => match error.failure {
                Failure::NotFound(_) => Round::Done(case.ending()),
                Failure::Conflict(_) => Round::LookAgain,
                Failure::Refused { status: 422, .. } => Round::Refused(error),
                _ => Round::Done(Event::Failed(error)),
            },
        }
    }

    async fn delete(&self, case: &mut Case) -> Round {
        let Some(observed) = &case.observed else {
            return Round::LookAgain;
        };
        let attempted = self
            .pace
            .request(async || self.cluster.delete(observed).await)
            .await;
        case.remember(attempted.uncertain, Event::Pruned);
        match attempted.result {
            Ok(()) => Round::Done(Event::Pruned),
            Err(error) => match error.failure {
                Failure::NotFound(_) => Round::Done(case.ending()),
                Failure::Conflict(_) => Round::LookAgain,
                _ => Round::Done(Event::Failed(error)),
            },
        }
    }

    /// Looks again after a refusal, which stands if nobody has changed the object meanwhile, and the
    /// whole object asks for nothing else.
    async fn look_after(&self, case: &mut Case, refusal: ApiError) -> Result<Decision, ApiError> {
        let before = case
            .observed
            .as_ref()
            .map(|observed| observed.version.clone());
        let decision = self.look(case).await?;
        let after = case
            .observed
            .as_ref()
            .map(|observed| observed.version.clone());
        let same = matches!(decision, Decision::Update(_) | Decision::Release);
        if before == after && same {
            Err(refusal)
        } else {
            Ok(decision)
        }
    }

    /// Reads the object and decides anew.
    async fn look(&self, case: &mut Case) -> Result<Decision, ApiError> {
        let key = &case.key;
        let attempted = self
            .pace
            .request(async || {
                let reduce = |object: super::RawObject<'_>| {
                    self.observer
                        .borrow_mut()
                        .observe(key.resource, object, Depth::Full)
                };
                self.cluster.get(key, Depth::Full, reduce).await
            })
            .await;
        case.observed = attempted.result?.map(Box::new);
        Ok(decide(
            case.desired.as_ref(),
            case.observed.as_deref(),
            &case.rivals,
            self.scope,
        ))
    }
}

/// A POST to a namespaced collection answers 404 only when there is no namespace.
fn refused_creation(error: ApiError) -> Event {
    match error.failure {
        Failure::NotFound(_) | Failure::NamespaceTerminating => Event::Skipped(Skip::NamespaceGone),
        _ => Event::Failed(error),
    }
}

impl Case {
    fn owner(&self) -> Option<Owner> {
        match (&self.desired, &self.observed) {
            (Some(desired), _) => Some(desired.template.owner.clone()),
            (None, Some(observed)) => observed.marks.owner.clone(),
            (None, None) => None,
        }
    }

    fn remember(&mut self, uncertain: bool, event: Event) {
        if uncertain {
            self.perhaps = Some(event);
        }
    }

    /// Nothing is left to be done: because a write of ours took effect after all, or because
    /// nothing had to be done in the first place.
    fn ending(&mut self) -> Event {
        self.perhaps.take().unwrap_or(match &self.desired {
            Some(_) => Event::Unchanged,
            None => Event::Skipped(Skip::NoLongerOurs),
        })
    }

    fn outcome(self, owner: Option<Owner>, event: Event) -> Outcome {
        let source = match (&self.desired, &self.observed) {
            (Some(desired), _) => Some(desired.template.source.clone()),
            (None, observed) => observed
                .as_ref()
                .and_then(|observed| observed.marks.source.clone()),
        };
        Outcome {
            key: self.key,
            owner,
            source,
            event,
            desired: self.desired,
        }
    }
}
