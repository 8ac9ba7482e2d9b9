//! What a rehearsal told, and what is there now of each object that would change.

use std::collections::BTreeMap;

use futures::{StreamExt, stream};
use serde::Deserialize;

use crate::{
    cluster::ApiServer,
    output::{Change, Document, Live, PlannedAction, PlannedChange},
    reconcile::{
        ApiError, Cluster, Content, Depth, Event, Finding, ObjectKey, Observer, Outcome, OwnerKind,
        Pace, RawObject, Reporter, Skip,
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
        match outcome.event {
            Event::Unchanged
            | Event::Skipped(Skip::NamespaceGone | Skip::NoLongerOurs | Skip::Waiting) => (),
            _ => self.outcomes.push(outcome),
        }
    }

    fn finding(&mut self, finding: Finding) {
        self.findings.push(finding);
    }
}

/// One object about which something is to be told, with what it is now if it is to change.
pub(super) struct Planned {
    pub(super) outcome: Outcome,
    pub(super) live: Option<Live>,
}

impl Planned {
    fn action(&self) -> Option<PlannedAction> {
        match &self.outcome.event {
            Event::Created => Some(PlannedAction::Create),
            Event::Configured(why) => Some(PlannedAction::Update(*why)),
            Event::Replaced(why) => Some(PlannedAction::Replace(*why)),
            Event::Pruned => Some(PlannedAction::Prune),
            Event::Orphaned => Some(PlannedAction::Orphan),
            Event::Released => Some(PlannedAction::Release),
            Event::Conflict(conflict) => Some(PlannedAction::Conflict(conflict.clone())),
            Event::Unchanged | Event::Skipped(_) | Event::Failed(_) => None,
        }
    }

    pub(super) fn changes(&self) -> bool {
        matches!(
            self.outcome.event,
            Event::Created
                | Event::Configured(_)
                | Event::Replaced(_)
                | Event::Pruned
                | Event::Orphaned
                | Event::Released
        )
    }

    pub(super) fn has_failed(&self) -> bool {
        matches!(self.outcome.event, Event::Failed(_))
    }

    pub(super) fn change(&self) -> Change<'_> {
        let desired = self.outcome.desired.as_ref();
        let live = self.live.as_ref();
        Change {
            key: &self.outcome.key,
            before: live.map(|live| Document::live(live, desired)),
            after: self.after(),
        }
    }

    fn after(&self) -> Option<Document<'_>> {
        match (&self.outcome.event, &self.outcome.desired, &self.live) {
            (Event::Orphaned, _, Some(live)) => Some(Document::orphaned(live)),
            (Event::Released, _, Some(live)) => Some(Document::released(live)),
            (Event::Configured(_), Some(desired), Some(live)) => {
                Some(Document::changed(desired, live))
            }
            (_, Some(desired), _) => Some(Document::desired(desired)),
            _ => None,
        }
    }

    pub(super) fn planned_change(&self) -> Option<PlannedChange<'_>> {
        let after = self.after().filter(|_| self.changes());
        Some(PlannedChange {
            key: &self.outcome.key,
            owner: self.outcome.owner.as_ref(),
            source: self.outcome.source.as_deref(),
            action: self.action()?,
            before: self.live.as_ref().map(|live| &live.content),
            after: after.map(|document| document.content),
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
    owner_kind: &'static OwnerKind,
) -> Vec<Planned> {
    stream::iter(outcomes)
        .map(async |mut outcome| {
            let live = match outcome.event {
                Event::Configured(_)
                | Event::Replaced(_)
                | Event::Pruned
                | Event::Orphaned
                | Event::Released => read_state(server, pace, &outcome.key, owner_kind).await,
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

#[derive(Deserialize)]
struct WithMetadata {
    metadata: Metadata,
}

#[derive(Deserialize)]
struct Metadata {
    labels: Option<BTreeMap<String, String>>,
    annotations: Option<BTreeMap<String, String>>,
}

async fn read_state(
    server: &ApiServer,
    pace: &Pace,
    key: &ObjectKey,
    owner_kind: &'static OwnerKind,
) -> Result<Option<Live>, ApiError> {
    let reduce = |object: RawObject<'_>| {
        let WithMetadata { metadata } = object.parse()?;
        Ok(Live {
            observed: Observer::new(owner_kind).observe(key.resource, object, Depth::Full)?,
            content: object.parse::<Content>()?,
            labels: metadata.labels.unwrap_or_default(),
            annotations: metadata.annotations.unwrap_or_default(),
            owner_kind,
        })
    };
    pace.request(async || server.get(key, Depth::Full, reduce).await)
        .await
        .result
}
