//! The one place that turns an error into the text on standard error.

use std::{
    error::Error,
    io::{self, Write},
    iter,
};

use super::{Palette, Streams, Style, escape, permission::grant};
use crate::reconcile::{ApiError, Failure, Finding, Severity, Verb};

/// How kubectl begins the message of an error: with the API server's reason, if it gave one.
pub fn prefix(reason: Option<&str>) -> String {
    match reason {
        Some(reason) => format!("Error from server ({reason}): "),
        None => "error: ".to_owned(),
    }
}

/// An error in words, with its causes after it, on one line unless a message has several.
pub fn error_message(error: &(dyn Error + 'static)) -> String {
    let causes: Vec<_> = causes(error).collect();
    let api = causes
        .iter()
        .find_map(|cause| cause.downcast_ref::<ApiError>());
    let mut message = String::new();
    for cause in &causes {
        let cause = cause.to_string();
        // Some errors repeat their cause in their own message.
        if message.ends_with(&cause) {
            continue;
        }
        if !message.is_empty() {
            message.push_str(": ");
        }
        message.push_str(&cause);
    }
    format!(
        "{}{message}",
        prefix(api.and_then(|error| error.failure.reason()))
    )
}

/// An error and what caused it.
fn causes<'a>(error: &'a (dyn Error + 'static)) -> impl Iterator<Item = &'a (dyn Error + 'static)> {
    iter::successors(Some(error), |error| (*error).source())
}

/// What the user could do about an error that comes from the API server.
pub fn hint_for(error: &ApiError) -> Option<String> {
    if is_without_definition(error) {
        return Some("install its definition with: kubectl copyrator crd install".to_owned());
    }
    let Failure::Forbidden(message) = &error.failure else {
        return None;
    };
    let namespace = message
        .split_once("in the namespace \"")
        .and_then(|(_, rest)| rest.split('"').next());
    grant(message, namespace)
}

/// How the subject of a request about one of our own resources ends, or goes on with a namespace.
const OUR_GROUP: &str = ".copyrator.dev";

/// Whether one of our own resources can't be read because the cluster doesn't know it.
fn is_without_definition(error: &ApiError) -> bool {
    matches!(error.verb, Verb::List | Verb::Watch)
        && error.failure.is_unknown_resource()
        && error.subject.contains(OUR_GROUP)
}

/// Writes an error and the hints that belong to it on standard error.
pub fn write_error(
    streams: &mut Streams,
    error: &(dyn Error + 'static),
    hints: &[String],
    palette: Palette,
) -> io::Result<()> {
    write_message(streams, &error_message(error), palette)?;
    let own = causes(error)
        .filter_map(|cause| hint_for(cause.downcast_ref()?))
        .take(1);
    for hint in hints.iter().cloned().chain(own) {
        write_message(streams, &format!("hint: {hint}"), palette)?;
    }
    streams.err.flush()
}

/// Writes something on standard error that a person should know.
pub fn write_warning(streams: &mut Streams, message: &str, palette: Palette) -> io::Result<()> {
    write_message(streams, &format!("Warning: {message}"), palette)
}

/// Writes a line that begins with a word such as `error:`, which is coloured.
pub(super) fn write_message(
    streams: &mut Streams,
    message: &str,
    palette: Palette,
) -> io::Result<()> {
    writeln!(streams.err, "{}", painted(message, palette))
}

/// A message, escaped, and with the word that it begins with coloured.
pub(super) fn painted(message: &str, palette: Palette) -> String {
    let message = escape(message);
    let styles = [
        ("Error", Style::Red),
        ("error", Style::Red),
        ("Warning", Style::Yellow),
        ("hint", Style::Cyan),
    ];
    let style = styles
        .into_iter()
        .find(|(word, _)| message.starts_with(word));
    match (style, message.split_once(": ")) {
        (Some((_, style)), Some((word, rest))) => {
            format!("{} {rest}", palette.paint(style, &format!("{word}:")))
        }
        _ => message.into_owned(),
    }
}

/// A finding as a line.
fn finding_message(finding: &Finding) -> String {
    let prefix = match finding.severity {
        Severity::Warning => "Warning: ",
        Severity::Error => "error: ",
    };
    match &finding.owner {
        Some(owner) => format!(
            "{prefix}{}: {}",
            super::words::owner_phrase(owner),
            finding.message
        ),
        None => format!("{prefix}{}", finding.message),
    }
}

/// A finding, and the hint that belongs to it.
pub(super) fn finding_lines(finding: &Finding) -> Vec<String> {
    let hint = finding.cause.as_ref().and_then(hint_for);
    let hint = hint.map(|hint| format!("hint: {hint}"));
    iter::once(finding_message(finding)).chain(hint).collect()
}

#[cfg(test)]
#[path = "error_tests.rs"]
mod tests;
