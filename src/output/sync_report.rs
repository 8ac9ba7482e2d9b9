//! The report of a run as a document for programs. It holds no values, only names and messages.

use std::time::Duration;

use serde::Serialize;

use super::{
    DryRun, REPORT_API_VERSION, Rest, Stopped,
    grant_text::{ManifestList, manifest_list},
    missing::{Missing, MissingEntry},
    owner_entry::OwnerEntry,
    words::{conflict_sentence, skip_sentence, verb},
};
use crate::reconcile::{Event, Finding, MissingPermissions, ObjectKey, Outcome, Severity, Tally};

/// What a report is about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub enum ReportKind {
    /// Copies.
    #[default]
    #[serde(rename = "SyncReport")]
    Sync,
    /// Exchange rates.
    #[serde(rename = "RefreshReport")]
    Refresh,
}

/// What a run did. Objects that were in step without being read are only counted.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SyncReport {
    api_version: &'static str,
    kind: ReportKind,
    dry_run: DryRun,
    #[serde(skip_serializing_if = "Option::is_none")]
    stopped: Option<Stopped>,
    summary: Summary,
    objects: Vec<ObjectEntry>,
    findings: Vec<FindingEntry>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    missing_permissions: Vec<MissingEntry>,
    /// What grants the missing permissions.
    #[serde(skip_serializing_if = "Option::is_none")]
    grant: Option<ManifestList>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Summary {
    created: usize,
    configured: usize,
    replaced: usize,
    unchanged: usize,
    pruned: usize,
    orphaned: usize,
    released: usize,
    skipped: usize,
    conflicts: usize,
    failed: usize,
    not_reached: usize,
    seconds: f64,
}

/// The fields are in the order that entries are sorted by.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "camelCase")]
struct ObjectEntry {
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
}

#[derive(Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
struct FindingEntry {
    severity: &'static str,
    #[serde(flatten)]
    owner: OwnerEntry,
    message: String,
}

/// Gathers what a [`SyncReport`] tells.
#[derive(Debug, Default)]
pub struct SyncReportBuilder {
    kind: ReportKind,
    objects: Vec<ObjectEntry>,
    findings: Vec<FindingEntry>,
    missing: Missing,
}

impl SyncReportBuilder {
    /// A report of this kind, of nothing as yet.
    pub fn new(kind: ReportKind) -> Self {
        Self {
            kind,
            ..Self::default()
        }
    }

    /// Adds an outcome; `failure` is the message of a failed one, without values.
    pub fn outcome(&mut self, outcome: &Outcome, failure: Option<&str>) {
        let Outcome { key, event, .. } = outcome;
        if let Event::Failed(error) = event {
            self.missing.met(key, error);
        }
        self.objects.push(ObjectEntry {
            namespace: key.namespace.as_ref().map(ToString::to_string),
            resource: key.resource.qualified_plural(),
            name: key.name.to_string(),
            action: verb(event),
            owner: OwnerEntry::new(outcome.owner.as_ref()),
            source: outcome.source.as_deref().map(str::to_owned),
            reason: event.reason(),
            message: message(key, event, failure),
            managers: managers(event),
        });
    }

    /// Adds permissions that are known to be missing.
    pub fn foreseen(&mut self, missing: &MissingPermissions) {
        self.missing.foreseen(missing);
    }

    /// Adds a finding.
    pub fn finding(&mut self, finding: &Finding) {
        self.findings.push(FindingEntry {
            severity: match finding.severity {
                Severity::Warning => "Warning",
                Severity::Error => "Error",
            },
            owner: OwnerEntry::new(finding.owner.as_ref()),
            message: finding.message.clone(),
        });
    }

    /// The report, in an order that doesn't depend on what was finished first.
    pub fn build(
        mut self,
        tally: &Tally,
        rest: Rest,
        elapsed: Duration,
        dry_run: DryRun,
    ) -> SyncReport {
        self.objects.sort();
        self.findings.sort();
        SyncReport {
            api_version: REPORT_API_VERSION,
            kind: self.kind,
            dry_run,
            stopped: (rest.not_reached > 0).then_some(rest.stopped),
            summary: Summary {
                created: tally.created,
                configured: tally.configured,
                replaced: tally.replaced,
                unchanged: tally.unchanged,
                pruned: tally.pruned,
                orphaned: tally.orphaned,
                released: tally.released,
                skipped: tally.skipped,
                conflicts: tally.conflicts,
                failed: tally.failed,
                not_reached: rest.not_reached,
                seconds: (elapsed.as_secs_f64() * 1000.0).round() / 1000.0,
            },
            objects: self.objects,
            findings: self.findings,
            missing_permissions: self.missing.entries(),
            grant: manifest_list(&self.missing),
        }
    }
}

fn message(key: &ObjectKey, event: &Event, failure: Option<&str>) -> Option<String> {
    match event {
        Event::Skipped(skip) => Some(skip_sentence(*skip).to_owned()),
        Event::Conflict(conflict) => Some(conflict_sentence(key, conflict)),
        Event::Failed(error) => {
            failure.map(|failure| format!("cannot {} {key}: {failure}", error.verb))
        }
        _ => None,
    }
}

fn managers(event: &Event) -> Option<Vec<String>> {
    match event {
        Event::Conflict(conflict) => conflict.managers().map(<[String]>::to_vec),
        _ => None,
    }
}
