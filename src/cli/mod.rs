//! What can be typed: the types that clap parses the arguments into, and nothing that acts.

mod complaint;
pub mod controller;
pub mod crd;
pub mod deploy;
mod diff;
mod diff_flags;
mod kube_flags;
mod part_flags;
mod prune;
pub mod rates;
pub mod rbac;
mod reconcile_flags;
mod root;
mod rule_flags;
mod sync;
mod usage_error;
mod values;
mod watch_flags;
mod write_flags;

pub use complaint::Complaint;
pub use diff::DiffArgs;
pub use diff_flags::DiffFlags;
pub use kube_flags::KubeFlags;
pub use part_flags::{Part, PartFlags};
pub use prune::PruneArgs;
pub use reconcile_flags::ReconcileFlags;
pub use root::{Cli, Command};
pub use rule_flags::RuleFlags;
pub use sync::SyncArgs;
pub use usage_error::{UsageOutcome, usage_outcome};
pub use watch_flags::WatchFlags;
pub use write_flags::WriteFlags;
