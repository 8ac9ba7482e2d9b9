//! A definition as this program wants it.

use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
use serde_json::{Value, json};

use super::InstalledDefinition;
use crate::{
    api,
    reconcile::{DEFINITIONS, ObjectKey},
};

/// A definition as this program wants it.
#[derive(Clone, Debug)]
pub struct WantedDefinition {
    key: ObjectKey,
    manifest: Value,
}

impl WantedDefinition {
    /// All our definitions, in the order in which they are installed.
    pub fn all() -> Vec<Self> {
        api::custom_resource_definitions()
            .iter()
            .map(Self::new)
            .collect()
    }

    fn new(definition: &CustomResourceDefinition) -> Self {
        let name = definition.metadata.name.as_deref();
        Self {
            key: ObjectKey {
                namespace: None,
                resource: &DEFINITIONS,
                name: name.expect("a derived definition has a name").into(),
            },
            manifest: serde_json::to_value(definition).expect("a definition is JSON"),
        }
    }

    /// Which object of the cluster it is.
    pub fn key(&self) -> &ObjectKey {
        &self.key
    }

    /// The kind that it defines.
    pub fn kind(&self) -> &str {
        self.text("/spec/names/kind")
    }

    /// The path of the collection that it makes the API server serve.
    pub(super) fn collection(&self) -> String {
        format!(
            "/apis/{}/{}/{}",
            self.text("/spec/group"),
            self.text("/spec/versions/0/name"),
            self.text("/spec/names/plural")
        )
    }

    /// The collection in a sentence.
    pub(super) fn qualified_plural(&self) -> &str {
        self.key.name.as_str()
    }

    pub(super) fn spec(&self) -> &Value {
        &self.manifest["spec"]
    }

    /// Our members of a map of `metadata`.
    pub(super) fn marks(&self, map: &str) -> &Value {
        &self.manifest["metadata"][map]
    }

    /// The body of a POST that makes it.
    pub(super) fn creation(&self) -> String {
        self.manifest.to_string()
    }

    /// The body of a PATCH that makes it of `installed`, and of no later state of that. Labels and
    /// annotations of others stay; of the `spec` only ours remains.
    pub(super) fn update(&self, installed: &InstalledDefinition) -> String {
        let version = json!(installed.resource_version());
        let mut patch = vec![
            operation("replace", "/metadata/uid", &json!(installed.uid())),
            operation("replace", "/metadata/resourceVersion", &version),
            operation("replace", "/spec", self.spec()),
        ];
        for map in ["labels", "annotations"] {
            let pointer = format!("/metadata/{map}");
            if !installed.has_map(map) {
                patch.push(operation("add", &pointer, &json!({})));
            }
            for (name, value) in self.marks(map).as_object().into_iter().flatten() {
                // RFC 6901 §3
                let name = name.replace('~', "~0").replace('/', "~1");
                patch.push(operation("add", &format!("{pointer}/{name}"), value));
            }
        }
        Value::from(patch).to_string()
    }

    fn text(&self, pointer: &str) -> &str {
        let text = self.manifest.pointer(pointer).and_then(Value::as_str);
        text.expect("a derived definition has its names")
    }
}

fn operation(operation: &str, path: &str, value: &Value) -> Value {
    json!({"op": operation, "path": path, "value": value})
}
