//! The plan as a document for programs: which objects would change, and which of their keys.

use serde::Serialize;

use super::{KeyChanges, REPORT_API_VERSION, owner_entry::OwnerEntry, words::conflict_sentence};
use crate::reconcile::{Conflict, Content, ObjectKey, Owner, Why};

/// What would be done about one object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlannedAction {
    /// It would be made.
    Create,
    /// It would be changed.
    Update(Why),
    /// It would be deleted and made anew.
    Replace(Why),
    /// It would be deleted.
    Prune,
    /// It would be marked as one that stays.
    Orphan,
    /// Our marks would be taken off it.
    Release,
    /// It would be left alone.
    Conflict(Conflict),
}

/// One change of a plan, as the planner has it.
pub struct PlannedChange<'a> {
    /// The object.
    pub key: &'a ObjectKey,
    /// Who wants it, or wanted it.
    pub owner: Option<&'a Owner>,
    /// Where its content comes from, as `namespace/name`.
    pub source: Option<&'a str>,
    /// What would be done.
    pub action: PlannedAction,
    /// What it holds; none when it isn't there, or wasn't read.
    pub before: Option<&'a Content>,
    /// What it would hold; none when it would be gone, or is left alone.
    pub after: Option<&'a Content>,
}

/// The plan. Values never appear in it, whatever the user asked for.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PlanReport {
    api_version: &'static str,
    kind: &'static str,
    summary: PlanSummary,
    changes: Vec<PlanEntry>,
}

#[derive(Debug, Default, Serialize)]
struct PlanSummary {
    create: usize,
    update: usize,
    replace: usize,
    prune: usize,
    orphan: usize,
    release: usize,
    conflict: usize,
    unchanged: usize,
}

#[derive(Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "camelCase")]
struct PlanEntry {
    #[serde(skip_serializing_if = "Option::is_none")]
    namespace: Option<String>,
    resource: String,
    name: String,
    action: &'static str,
    #[serde(flatten)]
    owner: OwnerEntry,
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    managers: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    keys: Option<KeyChanges>,
}

impl PlanReport {
    /// The report of a plan that leaves `unchanged` objects as they are. The order of the changes
    /// doesn't matter.
    pub fn new<'a>(changes: impl IntoIterator<Item = PlannedChange<'a>>, unchanged: usize) -> Self {
        let mut summary = PlanSummary {
            unchanged,
            ..PlanSummary::default()
        };
        let mut entries: Vec<_> = changes
            .into_iter()
            .map(|change| {
                summary.count(&change.action);
                PlanEntry::new(&change)
            })
            .collect();
        entries.sort();
        Self {
            api_version: REPORT_API_VERSION,
            kind: "Plan",
            summary,
            changes: entries,
        }
    }
}

impl PlanSummary {
    fn count(&mut self, action: &PlannedAction) {
        *match action {
            PlannedAction::Create => &mut self.create,
            PlannedAction::Update(_) => &mut self.update,
            PlannedAction::Replace(_) => &mut self.replace,
            PlannedAction::Prune => &mut self.prune,
            PlannedAction::Orphan => &mut self.orphan,
            PlannedAction::Release => &mut self.release,
            PlannedAction::Conflict(_) => &mut self.conflict,
        } += 1;
    }
}

impl PlanEntry {
    fn new(change: &PlannedChange<'_>) -> Self {
        let key = change.key;
        let mut entry = Self {
            namespace: key.namespace.as_ref().map(ToString::to_string),
            resource: key.resource.qualified_plural(),
            name: key.name.to_string(),
            action: "",
            owner: OwnerEntry::new(change.owner),
            source: change.source.map(str::to_owned),
            reason: None,
            message: None,
            managers: None,
            keys: Some(KeyChanges::between(change.before, change.after)),
        };
        match &change.action {
            PlannedAction::Create => entry.action = "create",
            PlannedAction::Prune => entry.action = "prune",
            PlannedAction::Update(why) => {
                entry.action = "update";
                entry.reason = Some(why.reason());
            }
            PlannedAction::Replace(why) => {
                entry.action = "replace";
                entry.reason = Some(why.reason());
            }
            PlannedAction::Orphan => entry.action = "orphan",
            PlannedAction::Release => entry.action = "release",
            PlannedAction::Conflict(conflict) => entry.conflict(key, conflict),
        }
        entry
    }

    fn conflict(&mut self, key: &ObjectKey, conflict: &Conflict) {
        self.action = "conflict";
        self.keys = None;
        self.reason = Some(conflict.reason());
        self.message = Some(conflict_sentence(key, conflict));
        self.managers = conflict.managers().map(<[String]>::to_vec);
    }
}

#[cfg(test)]
#[path = "plan_report_tests.rs"]
mod tests;
