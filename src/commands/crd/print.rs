//! `crd print`: the definitions, for those who install by other means.

use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
use serde_json::json;

use crate::{
    api::{custom_resource_definitions, yaml},
    cli::PrintArgs,
    commands::CommandError,
    exit::Ending,
    output::{Format, Streams, print_document},
};

pub(super) fn run(arguments: &PrintArgs, streams: &mut Streams) -> Result<Ending, CommandError> {
    let definitions = custom_resource_definitions();
    if arguments.output == Format::Json {
        print_document(streams, Format::Json, &json(&definitions))?;
    } else {
        let text = yaml::to_yaml_documents(&definitions).map_err(std::io::Error::other)?;
        streams.out.write_all(text.as_bytes())?;
        streams.out.flush()?;
    }
    Ok(Ending::Done)
}

/// One object for one definition, as kubectl has it, and a List for several.
fn json(definitions: &[CustomResourceDefinition]) -> serde_json::Value {
    match definitions {
        [definition] => json!(definition),
        definitions => json!({"apiVersion": "v1", "kind": "List", "items": definitions}),
    }
}
