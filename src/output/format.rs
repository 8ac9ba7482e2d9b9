//! The choices about output that a user makes.

use serde::Serialize;

/// How results are printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Format {
    /// One line for each object that changed.
    #[default]
    Text,
    /// The same, with the rule, the source and the reason.
    Wide,
    /// Names only, of the objects that changed.
    Name,
    /// One JSON document at the end.
    Json,
    /// One YAML document at the end.
    Yaml,
}

impl Format {
    /// Whether one document is printed at the end, for programs to read.
    pub fn is_machine(self) -> bool {
        matches!(self, Self::Json | Self::Yaml)
    }
}

/// Whether, and how far, a run is only a rehearsal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum DryRun {
    /// Writes are made.
    #[default]
    None,
    /// Nothing is sent.
    Client,
    /// Writes are sent, for the API server to check but not to keep.
    Server,
}

impl DryRun {
    /// What kubectl appends to a result line.
    pub const fn suffix(self) -> &'static str {
        match self {
            Self::None => "",
            Self::Client => " (dry run)",
            Self::Server => " (server dry run)",
        }
    }
}

/// Whether the values of Secrets may be shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Secrecy {
    /// They are replaced by asterisks.
    #[default]
    Masked,
    /// They are shown, because the user asked for it.
    Shown,
}
