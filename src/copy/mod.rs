//! Copying ConfigMaps and Secrets by rule: from rules, namespaces and originals to the copies that
//! should exist.

mod collections;
mod continuous;
mod copies;
mod copy_name;
mod derived;
mod domain;
mod exclusion;
mod fact;
mod findings;
mod globs;
mod intake;
mod keys;
mod load;
mod metadata;
mod original;
mod permissions;
mod rule;
mod rule_source;
mod secret_type;
mod selector;
mod sources;
mod status;
mod verdict;
mod width;
mod wishes;

pub use collections::collections;
pub use copies::{Copies, CopyError, RULES};
pub use exclusion::Exclusion;
pub use load::ClusterRules;
pub use permissions::{RuleNeeds, any_rules};
pub use rule::{Rule, RuleError};
pub use rule_source::{COPYRATOR_RULES, RuleSource, owner};
pub use width::{Breadth, Width};
