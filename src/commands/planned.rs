//! What a rehearsal told, and what is there now of each object that would change.

use futures::{StreamExt, stream};

use crate::{
    cluster::ApiServer,
    copy::OWNER_LABEL,
    output::{Change, Document, PlannedAction, PlannedChange},
    reconcile::{
        ApiError, Cluster, Content, Depth, Event, Finding, Observed, Observer, Outcome, Pace,
        RawObject, Reporter,
    },
};

/// What the rehearsal told.
#[derive(Default)]
pub(super) struct Told {
    pub(super) outcomes: Vec<Outcome>,
    pub(super) findings: Vec<Finding>,
}

impl Reporter for Told {
    fn planned(&mut self, _steps: usize, _in_step: usize) {}

    fn outcome(&mut self, outcome: Outcome) {
        if !matches!(outcome.event, Event::Unchanged | Event::Skipped(_)) {
            self.outcomes.push(outcome);
        }
    }

    fn finding(&mut self, finding: Finding) {
        self.findings.push(finding);
    }
}

/// One object about which something is to be told, with what it is now if it is to change.
pub(super) struct Planned {
    pub(super) outcome: Outcome,
    pub(super) live: Option<(Observed, Content)>,
}

impl Planned {
    fn action(&self) -> Option<PlannedAction> {
        match &self.outcome.event {
            Event::Created => Some(PlannedAction::Create),
            Event::Configured(why) => Some(PlannedAction::Update(*why)),
            Event::Pruned => Some(PlannedAction::Prune),
            Event::Conflict(conflict) => Some(PlannedAction::Conflict(conflict.clone())),
            Event::Unchanged | Event::Skipped(_) | Event::Failed(_) => None,
        }
    }

    pub(super) fn changes(&self) -> bool {
        matches!(
            self.outcome.event,
            Event::Created | Event::Configured(_) | Event::Pruned
        )
    }

    pub(super) fn has_failed(&self) -> bool {
        matches!(self.outcome.event, Event::Failed(_))
    }

    pub(super) fn change(&self) -> Change<'_> {
        let live = self.live.as_ref();
        Change {
            key: &self.outcome.key,
            before: live
                .map(|(observed, content)| Document::observed(observed, content, OWNER_LABEL)),
            after: self
                .outcome
                .desired
                .as_ref()
                .map(|desired| Document::desired(desired, OWNER_LABEL)),
        }
    }

    pub(super) fn planned_change(&self) -> Option<PlannedChange<'_>> {
        let wanted = self.outcome.desired.as_ref().filter(|_| self.changes());
        Some(PlannedChange {
            key: &self.outcome.key,
            owner: self.outcome.owner.as_ref(),
            source: self.outcome.source.as_deref(),
            action: self.action()?,
            before: self.live.as_ref().map(|(_, content)| content),
            after: wanted.map(|desired| desired.template.content()),
        })
    }
}

/// Reads what is there now of each object that would be changed or deleted, so many at once. An object
/// that can't be read has failed, and keeps the others from nothing.
pub(super) async fn read_states(
    server: &ApiServer,
    pace: &Pace,
    outcomes: Vec<Outcome>,
    parallelism: usize,
) -> Vec<Planned> {
    stream::iter(outcomes)
        .map(async |mut outcome| {
            let live = match outcome.event {
                Event::Configured(_) | Event::Pruned => read_state(server, pace, &outcome).await,
                _ => Ok(None),
            };
            let live = live.unwrap_or_else(|error| {
                outcome.event = Event::Failed(error);
                None
            });
            Planned { outcome, live }
        })
        .buffered(parallelism)
        .collect()
        .await
}

async fn read_state(
    server: &ApiServer,
    pace: &Pace,
    outcome: &Outcome,
) -> Result<Option<(Observed, Content)>, ApiError> {
    let key = &outcome.key;
    let reduce = |object: RawObject<'_>| {
        let observed = Observer::new(OWNER_LABEL).observe(key.resource, object, Depth::Full)?;
        Ok((observed, object.parse::<Content>()?))
    };
    pace.request(async || server.get(key, Depth::Full, reduce).await)
        .await
        .result
}
