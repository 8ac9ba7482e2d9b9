//! Leadership: at most one of several processes works at a time, by a Lease of `coordination.k8s.io/v1`.

mod candidacy;
mod elect;
mod fenced;
mod identity;
mod leases;
mod record;
mod sight;
mod tenure;
mod term;
#[cfg(test)]
mod tests;
mod timing;

pub use elect::{Election, Elector};
pub use fenced::Fenced;
pub use identity::Identity;
pub use leases::{Leases, Stored};
pub use record::LeaseRecord;
pub use sight::{Next, Sight};
pub use tenure::Loss;
pub use term::Term;
pub use timing::{Timing, TimingError};
