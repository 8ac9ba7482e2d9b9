//! What people and programs see: streams, result lines, reports, diffs, progress, errors and colour.

mod colour;
mod diff;
mod document;
mod escape;
mod external_diff;
#[cfg(test)]
mod fixtures;
mod format;
mod key_changes;
mod machine;
mod mask;
mod plan_report;
mod streams;
mod words;

pub use colour::{ColourChoice, Colours, Painted, Palette, Style};
pub use diff::write_diff;
pub use document::{Change, Document, Rendered};
pub use escape::{escape, escape_line};
pub use external_diff::{EXTERNAL_DIFF, ExternalDiffError, external_diff};
pub use format::{DryRun, Format, Secrecy};
pub use key_changes::KeyChanges;
pub use machine::{REPORT_API_VERSION, print_document, to_json, to_yaml};
pub use plan_report::{PlanReport, PlannedAction, PlannedChange};
pub use streams::Streams;
