//! The custom resources of `copyrator.dev/v1alpha1`: their types, schemas and validation.

mod copyrator_rule;
mod label_selector;

pub use copyrator_rule::{
    ConflictPolicy, CopyratorRule, CopyratorRuleSpec, CopyratorRuleStatus, Resource, Source, Target,
};
pub use label_selector::{LabelSelector, LabelSelectorOperator, LabelSelectorRequirement};
