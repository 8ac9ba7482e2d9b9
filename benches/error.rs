//! What goes wrong in a bench ends it, with a message for a person.

/// An error of any kind.
pub type AnyError = Box<dyn std::error::Error + Send + Sync>;

/// A result of the bench's own.
pub type Outcome<T> = Result<T, AnyError>;
