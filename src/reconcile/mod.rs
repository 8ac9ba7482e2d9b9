//! The engine: compares what should exist with what does, and brings the one in step with the other.

mod announcement;
mod api_error;
mod backoff;
mod borrowed;
mod carried;
mod cluster;
mod content;
mod decide;
mod desired;
mod domain;
mod execute;
mod list;
mod managed_fields;
mod marks;
mod object;
mod observe;
mod observed;
mod once;
mod outcome;
mod owner_reference;
mod pace;
mod plan;
mod reader;
mod rehearse;
mod removal;
mod repeat;
mod rights;
mod scope;
mod settle;
#[cfg(test)]
mod tests;
mod watch;

pub use announcement::{Announcement, Announcer, Reason};
pub use api_error::{ApiError, Failure, Verb};
pub use backoff::{Backoff, fraction, scattered};
pub use carried::{Carried, CarriedDigest, CarriedKeys, ObservedCarried};
pub use cluster::{
    Cluster, Depth, Message, Query, RawObject, UnexpectedShape, WatchableCluster, Watched, Writes,
};
pub use content::{Content, ContentHash, OwnedFields, Value};
pub use decide::{Decision, decide};
pub use desired::{Desired, Policies, Precedence, Serialized, Template};
pub use domain::{Collection, Domain, Input, StatusUpdate};
pub use list::{Listed, Page, list, whole};
pub use marks::{
    ADOPTED_ANNOTATION, ANNOTATION_MARKS, CARRIED_ANNOTATION, CONTENT_ANNOTATION, ConflictPolicy,
    FIELD_MANAGER, MANAGED_BY, MANAGED_BY_LABEL, Marks, OWNER_ANNOTATION, Owner, OwnerKind,
    PRUNE_ANNOTATION, PrunePolicy, SET_LABEL, SOURCE_ANNOTATION, SetName, TARGET_ANNOTATION,
    target_mark,
};
pub use object::{
    CONFIG_MAPS, DEFINITIONS, EVENTS, Interner, LEASES, NAMESPACES, Name, Namespace, ObjectKey,
    ObjectVersion, ResourceType, SECRETS,
};
pub use observe::Observer;
pub use observed::{Actual, Foreign, Found, Observed, PresentMaps, Provenance};
pub use once::{Extent, Options, Run, RunError, once};
pub use outcome::{Conflict, Event, Finding, Outcome, Reporter, Severity, Skip, Tally, Why};
pub use owner_reference::{ObservedReferences, OwnerReference};
pub use pace::{Attempted, Pace};
pub use plan::{Plan, Step, plan};
pub use rehearse::Rehearsal;
pub use removal::Removal;
pub use repeat::{Due, Owners, Prospect, Recurring, Turnout, repeat};
pub use rights::{Access, Answer, Manner, MissingPermissions, Objects, Permission, Permissions};
pub use scope::{Loaded, OwnerName, Pruning, Scope};
pub use settle::Settler;
pub use watch::{
    Affected, ContinuousDomain, Ended, Followed, Monitor, Priority, WatchOptions, watch,
};
