//! The engine: compares what should exist with what does, and brings the one in step with the other.

mod api_error;
mod content;
mod desired;
mod marks;
mod object;
mod observed;
mod outcome;

pub use api_error::{ApiError, Failure, Verb};
pub use content::{Content, ContentHash, OwnedFields, Value};
pub use desired::{Desired, Precedence, Template};
pub use marks::{
    CONTENT_ANNOTATION, FIELD_MANAGER, MANAGED_BY, MANAGED_BY_LABEL, Marks, Owner,
    PRUNE_ANNOTATION, PrunePolicy, SET_LABEL, SOURCE_ANNOTATION, SetName, TARGET_ANNOTATION,
    target_mark,
};
pub use object::{
    CONFIG_MAPS, Interner, NAMESPACES, Name, Namespace, ObjectKey, ObjectVersion, ResourceType,
    SECRETS,
};
pub use observed::{Observed, PresentMaps, Provenance};
pub use outcome::{Conflict, Event, Finding, Outcome, Reporter, Severity, Skip, Tally, Why};
