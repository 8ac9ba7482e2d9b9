//! What a plan needs to be allowed, and what of it would be refused: known before the first write.

mod access;
mod inquiry;
mod needs;
mod permissions;
mod refusals;

pub use access::{Access, Answer, MissingPermissions};
pub use inquiry::{Need, Reason, inquire};
pub use needs::needs;
pub use permissions::{Manner, Objects, Permission, Permissions};
pub use refusals::Refusals;
