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

#[cfg(test)]
mod tests {
    use std::io;

    use super::*;

    /// A pipe whose reader has gone.
    struct Broken;

    impl io::Write for Broken {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(io::ErrorKind::BrokenPipe.into())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_reader_that_has_gone_is_told_of_as_such() {
        let mut streams = Streams {
            out: Box::new(Broken),
            err: Box::new(io::sink()),
            out_is_terminal: false,
            err_is_terminal: false,
            in_is_terminal: false,
        };
        let output = Format::Yaml;
        let Err(CrdError::Output(error)) = print(&PrintArguments { output }, &mut streams) else {
            panic!("the pipe is broken")
        };
        assert_eq!(error.kind(), io::ErrorKind::BrokenPipe);
    }

    #[test]
    fn several_definitions_are_one_list_in_json() {
        let one = one_document(&[json!({"kind": "A"})]).unwrap();
        assert_eq!(one, json!({"kind": "A"}));
        let two = one_document(&[json!({"kind": "A"}), json!({"kind": "B"})]).unwrap();
        assert_eq!(two["items"][1]["kind"], "B");
    }
}
