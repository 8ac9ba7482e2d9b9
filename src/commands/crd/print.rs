//! `crd print`: the definitions as text.

use serde_json::{Value, json};

use super::CrdError;
use crate::{
    api::{self, yaml},
    cli::crd::PrintArguments,
    output::{Format, Streams, to_json},
};

/// Runs `crd print`.
pub fn print(arguments: &PrintArguments, streams: &mut Streams) -> Result<(), CrdError> {
    let definitions = api::custom_resource_definitions();
    let text = match arguments.output {
        Format::Json => to_json(&one_document(&definitions)?)?,
        _ => yaml::to_yaml_documents(&definitions)?,
    };
    streams.out.write_all(text.as_bytes())?;
    Ok(streams.out.flush()?)
}

/// JSON has no streams of documents, so several make a List, as kubectl prints and reads them.
fn one_document(definitions: &[impl serde::Serialize]) -> Result<Value, CrdError> {
    let documents: Result<Vec<Value>, _> = definitions.iter().map(serde_json::to_value).collect();
    let mut documents = documents.map_err(yaml::WriteError::from)?;
    Ok(if documents.len() == 1 {
        documents.remove(0)
    } else {
        json!({"apiVersion": "v1", "kind": "List", "items": documents})
    })
}
