//! Reads a stream of YAML or JSON documents, and says in people's words why it can't.

use serde_saphyr::granit_parser::{ErrorKind, Marker, Parser, ScanError, options};

use super::{Node, Position, build::Builder};
use crate::api::{FieldPath, Refusal};

/// How deep a document may be nested; our resources are less than ten deep.
pub(super) const DEPTH: usize = 64;

/// Reads all the documents of a text up to its first syntax error.
///
/// The second part holds everything that is wrong with the YAML itself: syntax, duplicate keys, keys
/// that aren't texts, unknown tags and aliases that grow without bound.
pub(in crate::api) fn read(text: &str) -> (Vec<Node>, Vec<Refusal>) {
    let options = options! { block_nesting_limit: DEPTH, flow_nesting_limit: DEPTH };
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut builder = Builder::default();
    for event in Parser::new_from_str_with_options(text, options) {
        let outcome = event
            .map_err(|error| syntax_error(&error))
            .and_then(|(event, span)| builder.absorb(event, position(span.start)));
        if let Err(refusal) = outcome {
            builder.refuse(refusal);
            break;
        }
    }
    builder.finish()
}

/// The parser counts columns from 0, people and editors from 1.
fn position(marker: Marker) -> Position {
    Position {
        line: marker.line(),
        column: marker.col() + 1,
    }
}

fn syntax_error(error: &ScanError) -> Refusal {
    let way_out = way_out(error.kind())
        .map(|hint| format!("; {hint}"))
        .unwrap_or_default();
    Refusal {
        position: Some(position(*error.marker())),
        field: FieldPath::root(),
        message: format!("not valid YAML: {}{way_out}", error.info()),
    }
}

/// What to do about the mistakes that are made most.
fn way_out(kind: &ErrorKind) -> Option<&'static str> {
    Some(match kind {
        ErrorKind::TabNotAllowed
        | ErrorKind::TabInBlockIndentation
        | ErrorKind::TabInIndentation
        | ErrorKind::TabInPlainScalar
        | ErrorKind::TabAtBlockScalarStart => "indent with spaces, not with tabs",
        ErrorKind::MappingValueNotAllowed | ErrorKind::InvalidColonPlacement => {
            "check the indentation, or quote a text that contains \": \""
        }
        ErrorKind::UnclosedQuotedScalar | ErrorKind::InvalidQuotedScalarIndent => {
            "close the quote before the end of the line"
        }
        ErrorKind::UnclosedFlowCollection { .. }
        | ErrorKind::UnexpectedEofFlowSequence
        | ErrorKind::UnexpectedEofFlowMapping => "close the bracket",
        ErrorKind::ExpectedNodeContent | ErrorKind::UnexpectedCharacter { .. } => {
            "quote a text that starts with a special character, such as \"*\""
        }
        ErrorKind::UnknownAnchor | ErrorKind::MissingAnchorOrAliasName => {
            "an unquoted * starts an alias: quote a glob (\"*\"), or define the anchor before its use"
        }
        ErrorKind::ExpectedBlockMappingKey
        | ErrorKind::ExpectedBlockSequenceEntry
        | ErrorKind::InvalidIndentation
        | ErrorKind::SimpleKeyExpected => "check the indentation and the \":\" after the key",
        ErrorKind::RecursionLimitExceeded => "the document is nested too deeply",
        _ => return None,
    })
}
