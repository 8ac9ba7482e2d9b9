//! What people and programs see: streams, result lines, reports, diffs, progress, errors and colour.

mod colour;
mod condense;
mod diff;
mod document;
mod dot_canvas;
mod error;
mod escape;
mod external_diff;
mod failures;
#[cfg(test)]
mod fixtures;
mod format;
mod grant;
mod grant_text;
mod key_changes;
mod machine;
mod mask;
mod missing;
mod owner_entry;
mod permission;
mod places;
mod plan_report;
mod progress;
mod rate_chart;
mod rate_svg;
mod rate_table;
mod report;
mod result_line;
#[cfg(test)]
mod screen;
mod stopping;
mod streams;
mod summary;
mod sync_report;
mod troubles;
mod words;

pub use colour::{ColourChoice, Colours, Painted, Palette, Style};
pub use diff::write_diff;
pub use document::{Change, Document, Live, Rendered};
pub use error::{error_message, hint_for, write_error, write_warning};
pub use escape::{escape, escape_line};
pub use external_diff::{EXTERNAL_DIFF, ExternalDiffError, external_diff};
pub use format::{DryRun, Format, Secrecy};
pub use key_changes::KeyChanges;
pub use machine::{REPORT_API_VERSION, print_document, to_json, to_yaml};
pub use plan_report::{PlanReport, PlannedAction, PlannedChange};
pub use progress::ProgressMode;
pub use rate_chart::{ChartFormat, ChartStyle, RatePoint, RateSeries, draw_chart};
pub use rate_svg::{SvgError, to_svg};
pub use rate_table::{QuotedRate, RateReport, print_rates};
pub use report::{Clock, ReportOptions, SyncReporter};
pub use stopping::say_stopping;
pub use streams::Streams;
pub use summary::{Rest, Stopped};
pub use sync_report::ReportKind;
pub use troubles::write_troubles;
