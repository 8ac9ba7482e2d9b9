//! `rbac`: the smallest roles, and whether somebody has what they grant.

mod check;
mod identity;
mod run;

pub use run::run;
