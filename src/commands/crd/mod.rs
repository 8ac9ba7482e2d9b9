//! `kubectl copyrator crd`: the definitions of the custom resources, brought into a cluster and out of it.

mod check;
mod confirm;
mod consequence;
mod error;
mod errors;
mod install;
mod lines;
mod patience;
mod print;
mod run;
mod standing;
mod traces;
mod uninstall;

pub use confirm::can_ask;
pub use error::CrdError;
pub use install::install;
pub use print::print;
pub use run::run;
pub use uninstall::uninstall;
