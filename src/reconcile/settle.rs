//! Brings one object in step: decides, acts, and looks again when the world was another one.

use std::cell::RefCell;

use super::{
    ApiError, Cluster, Decision, Depth, Desired, Event, Failure, ObjectKey, Observed, Observer,
    Outcome, Owner, Pace, Scope, Skip, Step, Verb, Writes, decide, outcome::owner,
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
        self.settle_seeing(step).await.0
    }

    /// Brings one object in step, and tells what it was last seen to be.
    pub async fn settle_seeing(&self, step: Step) -> (Outcome, Option<Box<Observed>>) {
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
        let owner = owner(case.desired.as_ref(), case.observed.as_deref());
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
        match decision {
            Decision::Nothing => return Round::Done(case.ending()),
            Decision::Conflict(conflict) => return Round::Done(Event::Conflict(conflict)),
            Decision::Wait => return Round::Done(Event::Skipped(Skip::BeingDeleted)),
            Decision::Inspect => return Round::LookAgain,
            Decision::Update(_) if self.must_look_first(case) => return Round::LookAgain,
            _ if !self.pace.open().await => return Round::Done(case.interrupted()),
            _ => (),
        }
        match decision {
            Decision::Create => self.create(self.pace, case, Event::Created).await,
            Decision::Update(why) => self.update(case, Event::Configured(why)).await,
            Decision::Replace(why) => self.replace(case, Event::Replaced(why)).await,
            Decision::Delete => {
                let delete = async |cluster: &C, case: &Case| cluster.delete(case.observed()).await;
                self.dismiss(case, Event::Pruned, delete).await
            }
            Decision::Release => {
                let release =
                    async |cluster: &C, case: &Case| cluster.release(case.observed()).await;
                self.dismiss(case, Event::Released, release).await
            }
            _ => {
                let orphan = async |cluster: &C, case: &Case| cluster.orphan(case.observed()).await;
                self.dismiss(case, Event::Orphaned, orphan).await
            }
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

    /// Sends a write, which leads to this event, and remembers it if it may have taken effect although
    /// it seemed to fail.
    async fn attempt(
        &self,
        pace: &Pace,
        case: &mut Case,
        event: Event,
        write: impl AsyncFn(&C, &Case) -> Result<(), ApiError>,
    ) -> Result<Event, ApiError> {
        let attempted = pace.request(async || write(self.cluster, case).await).await;
        if attempted.uncertain {
            case.perhaps = Some(event.clone());
        }
        attempted.result.map(|()| event)
    }

    async fn create(&self, pace: &Pace, case: &mut Case, event: Event) -> Round {
        let create = async |cluster: &C, case: &Case| cluster.create(case.desired()).await;
        match self.attempt(pace, case, event, create).await {
            Ok(event) => Round::Done(event),
            Err(error) if matches!(error.failure, Failure::AlreadyExists(_)) => Round::LookAgain,
            Err(error) => Round::Done(refused_creation(error)),
        }
    }

    async fn update(&self, case: &mut Case, event: Event) -> Round {
        let update =
            async |cluster: &C, case: &Case| cluster.update(case.desired(), case.observed()).await;
        match self.attempt(self.pace, case, event, update).await {
            Ok(event) => Round::Done(event),
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

    /// Makes sure that the new object would be let in before the old one is deleted. From then on the
    /// work goes on whether or not the run is to stop.
    async fn replace(&self, case: &mut Case, event: Event) -> Round {
        let tried = self
            .pace
            .request(async || self.cluster.try_create(case.desired()).await);
        if let Err(error) = tried.await.result {
            return Round::Done(refused_creation(error));
        }
        let steadfast = self.pace.steadfast();
        let deleted = steadfast
            .request(async || self.cluster.delete(case.observed()).await)
            .await;
        match deleted.result {
            Err(error) if matches!(error.failure, Failure::Conflict(_)) => Round::LookAgain,
            Err(error) if !matches!(error.failure, Failure::NotFound(_)) => {
                Round::Done(Event::Failed(error))
            }
            _ if self.cluster.writes() != Writes::Kept => Round::Done(event),
            _ => self.create(&steadfast, case, event).await,
        }
    }

    /// Does something to an object that nobody wants.
    async fn dismiss(
        &self,
        case: &mut Case,
        event: Event,
        write: impl AsyncFn(&C, &Case) -> Result<(), ApiError>,
    ) -> Round {
        match self.attempt(self.pace, case, event, write).await {
            Ok(event) => Round::Done(event),
            Err(error) => match error.failure {
                Failure::NotFound(_) => Round::Done(case.ending()),
                Failure::Conflict(_) => Round::LookAgain,
                Failure::Refused { status: 422, .. } => Round::Refused(error),
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
        let same = matches!(
            decision,
            Decision::Update(_) | Decision::Delete | Decision::Release | Decision::Orphan
        );
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
    fn desired(&self) -> &Desired {
        let desired = self.desired.as_ref();
        desired.expect("only what is wanted is made or changed")
    }

    fn observed(&self) -> &Observed {
        let observed = self.observed.as_deref();
        observed.expect("only what was found is changed or deleted")
    }

    /// Nothing is left to be done: because a write of ours took effect after all, or because
    /// nothing had to be done in the first place.
    fn ending(&mut self) -> Event {
        self.perhaps.take().unwrap_or(match &self.desired {
            Some(_) => Event::Unchanged,
            None => Event::Skipped(Skip::NoLongerOurs),
        })
    }

    fn interrupted(&self) -> Event {
        Event::Failed(ApiError::on(Verb::Patch, &self.key, Failure::Interrupted))
    }

    fn outcome(self, owner: Option<Owner>, event: Event) -> (Outcome, Option<Box<Observed>>) {
        let outcome = Outcome::of(self.key, self.desired, self.observed.as_deref(), event);
        (Outcome { owner, ..outcome }, self.observed)
    }
}
