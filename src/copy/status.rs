//! What the status of a rule says, after a run.

use std::collections::BTreeSet;

use jiff::Timestamp;

use super::{
    copies::Copies,
    rule_source::{COPYRATOR_RULES, LoadedRule, Standing},
    wishes::chosen,
};
use crate::{
    api::{
        CopyCounts, CopyratorRuleStatus, FailingNamespace, MOST_FAILING_NAMESPACES, whole_seconds,
    },
    reconcile::{Conflict, Event, Name, ObjectKey, Outcome, Skip, StatusUpdate},
};

/// What a rule wants in a run, and what became of it.
#[derive(Clone, Debug, Default)]
pub struct Progress {
    wanted: u32,
    changed: bool,
    conflicts: u32,
    /// Those of the conflicts that something else keeps changing.
    pub(super) rewritten: u32,
    failed: u32,
    /// The copies that are wanted and, for whatever reason, not there.
    missing: u32,
    /// Those of them whose turn comes yet.
    pub(super) waiting: u32,
    failing: BTreeSet<FailingNamespace>,
}

impl Progress {
    /// Counts one more copy that is wanted.
    pub fn want_one(&mut self) {
        self.wanted += 1;
    }

    /// Counts one more copy.
    pub fn count(&mut self, outcome: &Outcome) {
        let wanted = u32::from(outcome.desired.is_some());
        match &outcome.event {
            Event::Conflict(conflict) => {
                self.conflicts += 1;
                self.rewritten += u32::from(*conflict == Conflict::Rewritten);
            }
            Event::Failed(_) => self.failed += 1,
            Event::Skipped(Skip::BeingDeleted) => {
                self.missing += wanted;
                return;
            }
            Event::Skipped(Skip::Waiting) => {
                self.missing += wanted;
                self.waiting += wanted;
                return;
            }
            Event::Unchanged | Event::Skipped(_) => return,
            Event::Created
            | Event::Configured(_)
            | Event::Replaced(_)
            | Event::Pruned
            | Event::Orphaned
            | Event::Released => {
                self.changed = true;
                return;
            }
        }
        self.missing += wanted;
        let key = &outcome.key;
        self.failing.insert(FailingNamespace {
            namespace: key
                .namespace
                .as_ref()
                .map(ToString::to_string)
                .unwrap_or_default(),
            name: key.name.to_string(),
            reason: outcome.event.reason().unwrap_or("Unknown").to_owned(),
        });
        if self.failing.len() > MOST_FAILING_NAMESPACES {
            self.failing.pop_last();
        }
    }
}

impl Copies {
    /// The statuses of the rules in the cluster that should say something else than they do.
    pub(super) fn changed_statuses(&self, now: Timestamp) -> Vec<StatusUpdate> {
        let scope = crate::reconcile::Domain::scope(self);
        let rules = self.rules.values();
        rules
            .filter(|loaded| scope.acts_for(&loaded.owner))
            .filter_map(|loaded| self.status_update(loaded, loaded.standing.as_ref()?, now))
            .collect()
    }

    fn status_update(
        &self,
        loaded: &LoadedRule,
        standing: &Standing,
        now: Timestamp,
    ) -> Option<StatusUpdate> {
        let status = self.status(loaded, standing, now);
        (status != standing.status).then(|| StatusUpdate {
            owner: loaded.owner.clone(),
            key: ObjectKey {
                namespace: None,
                resource: &COPYRATOR_RULES,
                name: Name::from(&*loaded.owner.name),
            },
            resource_version: standing.resource_version.clone(),
            status: serde_json::to_value(status).expect("a status has a JSON form"),
        })
    }

    fn status(
        &self,
        loaded: &LoadedRule,
        standing: &Standing,
        now: Timestamp,
    ) -> CopyratorRuleStatus {
        let progress = self
            .progress
            .get(&loaded.owner)
            .cloned()
            .unwrap_or_default();
        let former = &standing.status;
        let at_rest = loaded.rule.as_ref().map_or(true, |rule| rule.suspended);
        // Of a rule that rests or can't be understood nothing new is known but just that.
        let (sources, copies) = if at_rest {
            (former.sources, former.copies)
        } else {
            (self.count_sources(loaded), counts(&progress))
        };
        let verdict = self.verdict(loaded, &copies, &progress);
        let sync_time = progress.changed.then(|| whole_seconds(now).to_string());
        CopyratorRuleStatus {
            observed_generation: standing.generation,
            conditions: vec![verdict.into_condition(
                "Ready",
                &former.conditions,
                standing.generation,
                now,
            )],
            sources,
            copies,
            failing_namespaces: progress.failing.into_iter().collect(),
            last_sync_time: sync_time.or_else(|| former.last_sync_time.clone()),
        }
    }

    fn count_sources(&self, loaded: &LoadedRule) -> u32 {
        let rule = loaded.rule.iter();
        let sources = rule.flat_map(|rule| chosen(rule, &self.originals)).count();
        u32::try_from(sources).unwrap_or(u32::MAX)
    }
}

fn counts(progress: &Progress) -> CopyCounts {
    CopyCounts {
        wanted: progress.wanted,
        in_step: progress.wanted.saturating_sub(progress.missing),
        conflicts: progress.conflicts,
        failed: progress.failed,
    }
}
