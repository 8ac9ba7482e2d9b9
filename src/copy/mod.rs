//! Copying ConfigMaps and Secrets by rule: from rules, namespaces and originals to the copies that
//! should exist.

mod copies;
mod exclusion;
mod fact;
mod findings;
mod names;
mod original;
mod rule;
mod rule_source;
mod selector;
mod sources;
mod targets;

pub use copies::{Copies, CopyError, OWNER_LABEL};
pub use exclusion::Exclusion;
pub use rule::{Rule, RuleError};
pub use rule_source::{COPYRATOR_RULES, RuleSource};
