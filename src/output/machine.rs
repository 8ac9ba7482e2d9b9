//! Documents for programs: JSON and YAML as kubectl prints them.

use std::io::{self, Write};

use serde::Serialize;
use serde_json::ser::PrettyFormatter;
use serde_saphyr::ser_options;

use super::{Format, Streams, escape::escape};

/// The `apiVersion` of every document that we print for programs.
pub const REPORT_API_VERSION: &str = "copyrator.dev/v1alpha1";

/// Prints a document on standard output: as JSON for [`Format::Json`], otherwise as YAML.
pub fn print_document(
    streams: &mut Streams,
    format: Format,
    document: &impl Serialize,
) -> io::Result<()> {
    let text = match format {
        Format::Json => to_json(document)?,
        _ => to_yaml(document)?,
    };
    if streams.out_is_terminal {
        streams.out.write_all(escape(&text).as_bytes())?;
    } else {
        streams.out.write_all(text.as_bytes())?;
    }
    streams.out.flush()
}

/// JSON with kubectl's indentation of four spaces, and a newline at the end.
pub fn to_json(document: &impl Serialize) -> io::Result<String> {
    let mut text = Vec::new();
    let formatter = PrettyFormatter::with_indent(b"    ");
    let mut serializer = serde_json::Serializer::with_formatter(&mut text, formatter);
    document.serialize(&mut serializer)?;
    text.push(b'\n');
    String::from_utf8(text).map_err(io::Error::other)
}

/// YAML that readers of YAML 1.1 understand too, with text of several lines as literal blocks.
pub fn to_yaml(document: &impl Serialize) -> io::Result<String> {
    // Long lines are left alone: folded ones can't be compared line by line.
    let options = ser_options! { folded_wrap_chars: usize::MAX };
    let mut text =
        serde_saphyr::to_string_with_options(document, options).map_err(io::Error::other)?;
    if !text.ends_with('\n') {
        text.push('\n');
    }
    Ok(text)
}

#[cfg(test)]
#[path = "machine_tests.rs"]
mod tests;
