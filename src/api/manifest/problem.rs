//! What is wrong with a manifest, one line per problem, as compilers write them.

use std::fmt;
use std::sync::Arc;

use crate::api::yaml::Position;
use crate::api::{FieldPath, Refusal};

/// A place in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The file's name as the user gave it; `-` is the standard input.
    pub file: Arc<str>,
    /// Where in the file; nothing when the file as a whole is meant.
    pub position: Option<Position>,
}

impl fmt::Display for Place {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let file = if &*self.file == "-" {
            "standard input"
        } else {
            &*self.file
        };
        formatter.write_str(file)?;
        match self.position {
            Some(position) => write!(formatter, ":{position}"),
            None => Ok(()),
        }
    }
}

/// One thing that is wrong with a file, and the way out.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{place}: {}{message}", field_prefix(.field))]
pub struct Problem {
    /// Where it was written.
    pub place: Place,
    /// The field; the root when the object or the file as a whole is wrong.
    pub field: FieldPath,
    /// What is wrong and what to write instead.
    pub message: String,
}

impl Problem {
    /// A refusal of something in a file.
    pub(super) fn new(file: &Arc<str>, refusal: Refusal) -> Self {
        let place = Place {
            file: Arc::clone(file),
            position: refusal.position,
        };
        Self {
            place,
            field: refusal.field,
            message: refusal.message,
        }
    }

    /// Something that is wrong with a file as a whole.
    pub(super) fn of_file(file: &str, message: impl Into<String>) -> Self {
        let place = Place {
            file: file.into(),
            position: None,
        };
        Self {
            place,
            field: FieldPath::root(),
            message: message.into(),
        }
    }
}

fn field_prefix(field: &FieldPath) -> String {
    if field.is_root() {
        String::new()
    } else {
        format!("{field}: ")
    }
}

/// All that is wrong with the files of a run: never empty, displayed as one line per problem.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", lines(.0))]
pub struct Problems(pub Vec<Problem>);

fn lines(problems: &[Problem]) -> String {
    problems
        .iter()
        .map(Problem::to_string)
        .collect::<Vec<_>>()
        .join("\n")
}
