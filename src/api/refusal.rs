//! Why a field of an object is refused.

use std::fmt;

use super::FieldPath;
use super::yaml::Position;

/// One thing that is wrong with an object: where, what, and the way out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// Where it was written, if the object was read from a text.
    pub position: Option<Position>,
    /// The field; the root when the object as a whole is wrong.
    pub field: FieldPath,
    /// What is wrong and what to write instead, in the API server's words where it has some.
    pub message: String,
}

impl fmt::Display for Refusal {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.field.is_root() {
            write!(formatter, "{}: ", self.field)?;
        }
        formatter.write_str(&self.message)
    }
}
