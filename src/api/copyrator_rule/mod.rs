//! The `CopyratorRule`: which ConfigMaps or Secrets are copied to which namespaces.
//!
//! The doc comments of the fields are what `kubectl explain copyratorrule.spec` shows.

mod content;
mod policies;
mod rule;
mod source;
mod target;

pub use self::{
    content::{DataSelection, MetadataSelection},
    policies::{ConflictPolicy, PrunePolicy},
    rule::{CopyratorRule, CopyratorRuleSpec},
    source::{Resource, Source},
    target::Target,
};
