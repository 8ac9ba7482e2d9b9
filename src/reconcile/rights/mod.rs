//! What a plan needs to be allowed, and what of it would be refused: known before the first write.

mod access;
mod inquiry;
mod needs;
mod refusals;

pub use access::{Access, Answer, MissingPermissions};
pub use inquiry::{Need, Verdict, inquire};
pub use needs::{must_be_certain, needs};
pub use refusals::Refusals;
