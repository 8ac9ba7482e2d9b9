//! The custom resources of `copyrator.dev/v1alpha1`: their types, schemas and validation.

mod check;
mod condition;
mod constraints;
mod copyrator_rule;
mod crd;
mod exchange_rate;
mod field_path;
mod label_selector;
pub mod manifest;
mod refusal;
mod status;
pub mod yaml;

pub use check::{Checking, Kind, validate};
pub use condition::{Verdict, whole_seconds};
pub use copyrator_rule::{
    ConflictPolicy, CopyratorRule, CopyratorRuleSpec, DataSelection, MetadataSelection,
    PrunePolicy, Resource, Source, Target,
};
pub use crd::{SCHEMA_REVISION, SCHEMA_REVISION_ANNOTATION, custom_resource_definitions};
pub use exchange_rate::{
    ConfigMapTemplate, ExchangeRate, ExchangeRateSpec, ExchangeRateStatus, MOST_QUOTES,
    ProviderType, PublishedKey, PublishedRate, RateProvider, Schedule, ScheduleError, SecretKeyRef,
};
pub use field_path::FieldPath;
pub use label_selector::{LabelSelector, LabelSelectorOperator, LabelSelectorRequirement};
pub use refusal::Refusal;
pub use status::{CopyCounts, CopyratorRuleStatus, FailingNamespace, MOST_FAILING_NAMESPACES};
