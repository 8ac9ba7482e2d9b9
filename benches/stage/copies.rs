//! The copies, as the yardstick writes them: just as the program does, marks and all.

use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::{Stage, content};
use crate::{error::Outcome, raw::Request};

const QUERY: &str = "fieldManager=kubectl-copyrator";
const TARGET: &str = "copyrator.dev/target";
const CONTENT: &str = "copyrator.dev/content";

/// What one copy looks like that the program made.
#[derive(Clone, Debug, Deserialize)]
pub struct Template {
    metadata: Metadata,
    r#type: String,
}

#[derive(Clone, Debug, Deserialize)]
struct Metadata {
    name: String,
    labels: Map<String, Value>,
    annotations: Map<String, Value>,
}

/// Which copy there is, in which state.
#[derive(Clone, Debug)]
pub struct CopyState {
    namespace: String,
    resource_version: String,
}

impl Stage {
    /// Reads a copy that the program made.
    pub fn template(&self) -> Outcome<Template> {
        let uri = format!(
            "/api/v1/namespaces/target-00000/secrets/{}",
            content::original_name(0)
        );
        let answer = self.set(vec![Request::get(uri, "application/json")])?;
        Ok(serde_json::from_str(&answer.bodies[0])?)
    }

    /// Finds the copies.
    pub fn copies(&self) -> Outcome<Vec<CopyState>> {
        let accept = "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1";
        let uri = "/api/v1/secrets?labelSelector=copyrator.dev/rule%3Dbench";
        let answer = self.set(vec![Request::get(uri, accept)])?;
        let list: Value = serde_json::from_str(&answer.bodies[0])?;
        let items = list["items"].as_array().ok_or("no items")?;
        let states = items.iter().map(|item| {
            let text = |field: &str| Some(item["metadata"][field].as_str()?.to_owned());
            Some(CopyState {
                namespace: text("namespace")?,
                resource_version: text("resourceVersion")?,
            })
        });
        states
            .collect::<Option<_>>()
            .ok_or_else(|| "a copy without a state".into())
    }

    /// Deletes all copies.
    pub fn delete_copies(&self, originals: usize) -> Outcome<()> {
        let uris = self.targets().flat_map(|namespace| {
            (0..originals).map(move |index| {
                let name = content::original_name(index);
                format!("/api/v1/namespaces/{namespace}/secrets/{name}")
            })
        });
        self.set(uris.map(Request::delete).collect()).map(drop)
    }
}

impl Template {
    /// Makes a copy.
    pub fn post(&self, namespace: &str, generation: usize) -> Request {
        let body = self.object(namespace, generation, None).to_string();
        let uri = format!("/api/v1/namespaces/{namespace}/secrets?{QUERY}");
        Request::write("POST", uri, "application/json", body)
    }

    /// Replaces a copy.
    pub fn put(&self, state: &CopyState, generation: usize) -> Request {
        let version = Some(state.resource_version.as_str());
        let body = self
            .object(&state.namespace, generation, version)
            .to_string();
        Request::write("PUT", self.uri(state), "application/json", body)
    }

    /// Changes a copy by a JSON Patch, in the program's own words.
    pub fn patch(&self, state: &CopyState, generation: usize) -> Request {
        let mut operations = vec![operation(
            "replace",
            "/metadata/resourceVersion",
            &json!(state.resource_version),
        )];
        let annotations = self.annotations(&state.namespace, generation);
        let maps = [
            ("labels", &self.metadata.labels),
            ("annotations", &annotations),
        ];
        for (map, marks) in maps {
            for (name, value) in marks {
                let name = name.replace('~', "~0").replace('/', "~1");
                operations.push(operation("add", &format!("/metadata/{map}/{name}"), value));
            }
        }
        operations.push(operation("add", "/type", &json!(self.r#type)));
        operations.push(operation("add", "/data", &content::data(generation)));
        let body = Value::Array(operations).to_string();
        Request::write(
            "PATCH",
            self.uri(state),
            "application/json-patch+json",
            body,
        )
    }

    fn object(&self, namespace: &str, generation: usize, version: Option<&str>) -> Value {
        let mut metadata = json!({
            "name": self.metadata.name,
            "namespace": namespace,
            "labels": self.metadata.labels,
            "annotations": self.annotations(namespace, generation),
        });
        if let Some(version) = version {
            metadata["resourceVersion"] = json!(version);
        }
        json!({
            "apiVersion": "v1",
            "kind": "Secret",
            "metadata": metadata,
            "type": self.r#type,
            "data": content::data(generation),
        })
    }

    /// The mark of the content only has to have the right form: another one means another content.
    fn annotations(&self, namespace: &str, generation: usize) -> Map<String, Value> {
        let mut annotations = self.metadata.annotations.clone();
        let target = format!("{namespace}/{}", self.metadata.name);
        annotations.insert(TARGET.to_owned(), target.into());
        annotations.insert(CONTENT.to_owned(), format!("v1:{generation:064x}").into());
        annotations
    }

    fn uri(&self, state: &CopyState) -> String {
        let name = &self.metadata.name;
        format!(
            "/api/v1/namespaces/{}/secrets/{name}?{QUERY}",
            state.namespace
        )
    }
}

fn operation(operation: &str, path: &str, value: &Value) -> Value {
    json!({"op": operation, "path": path, "value": value})
}
