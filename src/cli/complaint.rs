//! A complaint about a value that says it all, as kubectl words it.

/// What is wrong with a flag's value. It is shown alone: without clap's sentence around it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Complaint(pub String);
